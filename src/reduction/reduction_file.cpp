// A Reduction as bytes: a header (magic, version, stamp, size, checksum) and all arrays as they are in memory. One
// list of fields for both ways.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/stamp.h"
#include "reduction/reduction.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian");

constexpr std::string_view magic("\x89RRD\r\n\x1a\n", 8);
constexpr std::uint32_t format_version = 2;
constexpr std::size_t header_size = 8 + 4 + 4 + 8 + 8 + 8;

constexpr const char* remedy = "delete it to have it made anew, or name another file";

struct Writer {
  std::string bytes;
  void raw(const void* from, std::size_t size) { bytes.append(static_cast<const char*>(from), size); }
  template <class T>
  void number(const T& value) {
    raw(&value, sizeof value);
  }
  template <class T, class A>
  void array(const std::vector<T, A>& values) {
    number(static_cast<std::uint64_t>(values.size()));
    raw(values.data(), values.size() * sizeof(T));
  }
};

struct Reader {
  std::string_view bytes;
  std::string where;
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(where, fmt::format("the precomputed reduction is damaged: {}; {}", problem, remedy));
  }
  void raw(void* to, std::size_t size) {
    if (size > bytes.size()) fail("it ends in the middle");
    if (size > 0) std::memcpy(to, bytes.data(), size);
    bytes.remove_prefix(size);
  }
  template <class T>
  void number(T& value) {
    raw(&value, sizeof value);
  }
  template <class T, class A>
  void array(std::vector<T, A>& values) {
    std::uint64_t count = 0;
    number(count);
    if (count > bytes.size() / sizeof(T)) fail("it ends in the middle");
    values.resize(count);
    raw(values.data(), count * sizeof(T));
  }
};

std::uint64_t checksum(std::string_view bytes) {
  Stamp stamp;
  stamp.add(static_cast<std::uint64_t>(bytes.size()));
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    stamp.add(word);
  }
  stamp.add(bytes);
  return stamp.value();
}

template <class Index>
bool is_start(const std::vector<Index>& start, std::size_t rows, std::size_t entries) {
  return start.size() == rows + 1 && start.front() == 0 && std::is_sorted(start.begin(), start.end()) &&
         static_cast<std::size_t>(start.back()) == entries;
}
bool in_range(const std::vector<int>& ids, int low, int high) {
  return std::all_of(ids.begin(), ids.end(), [&](int id) { return id >= low && id < high; });
}

}  // namespace

class ReductionFile {
 public:
  template <class File, class Whole>
  static void fields(File& file, Whole& r) {
    file.number(r.settings_.handles), file.number(r.settings_.fit_handles), file.number(r.settings_.samples);
    file.number(r.settings_.radius), file.number(r.settings_.fit_fraction), file.number(r.settings_.seed);
    file.array(r.handles_), file.number(r.fit_handles_);
    auto& w = r.fit_weights_;
    file.array(w.start), file.array(w.handle), file.array(w.weight);
    auto& p = r.positions_;
    file.number(p.rows_), file.number(p.origin_), file.array(p.frame_);
    file.array(p.table_.start), file.array(p.table_.handle), file.array(p.table_.weight), file.array(p.table_.rest);
    matrix(file, p.mass_, p.rows_), matrix(file, r.mass_, p.rows_);
    for (auto& term : r.terms_) {
      matrix(file, term.stiffness, p.rows_);
      file.array(term.samples.element), file.array(term.samples.measure);
      fit(file, term.fit);
    }
  }

  static Reduction read(std::string_view payload, const Model& model, const std::string& where, ThreadPool& pool) {
    Reduction r;
    r.terms_.resize(model.terms.size());
    Reader file{payload, where};
    fields(file, r);
    if (!file.bytes.empty()) file.fail("it is longer than its contents");
    if (const char* problem = problem_of(r, model)) file.fail(problem);
    if (!r.positions_.factorise(pool)) file.fail("the mass matrix is not positive definite");
    for (ReducedTerm& term : r.terms_) term.fit.make_room();
    return r;
  }

 private:
  template <class File, class Matrix>
  static void matrix(File& file, Matrix& m, int rows) {
    if constexpr (!std::is_const_v<Matrix>) m = SymmetricMatrix(std::max(rows, 0), 1, {}, {});
    file.array(m.start), file.array(m.column), file.array(m.value);
  }
  template <class File, class Matrix>
  static void dense(File& file, Matrix& m) {
    file.number(m.rows), file.number(m.columns), file.array(m.value);
  }
  template <class File, class Fit>
  static void fit(File& file, Fit& f) {
    file.number(f.rows_), file.number(f.samples_), file.number(f.components_), file.number(f.left_out_);
    file.number(f.positions_), file.number(f.columns_), file.number(f.constant_);
    dense(file, f.basis_), dense(file, f.gather_);
    file.array(f.start_), file.array(f.sample_), file.array(f.weight_), file.array(f.rest_);
    file.array(f.collect_), file.array(f.spread_);
  }

  static bool sound(const SymmetricMatrix& m) {
    if (!is_start(m.start, static_cast<std::size_t>(m.size()), m.column.size()) ||
        m.value.size() != m.column.size())
      return false;
    for (int i = 0; i < m.size(); ++i) {
      if (m.start[i] == m.start[i + 1] || m.column[m.start[i + 1] - 1] != i || m.column[m.start[i]] < 0)
        return false;
      for (int s = m.start[i] + 1; s < m.start[i + 1]; ++s)
        if (m.column[s] <= m.column[s - 1]) return false;
    }
    return true;
  }
  static const char* problem_of(const Reduction& r, const Model& model) {
    const PositionSubspace& p = r.positions_;
    const LiftTable& table = p.table_;
    const int handles = p.handles();
    if (!is_start(table.start, model.mass.size(), table.handle.size()) ||
        table.weight.size() != table.handle.size() || table.rest.size() != 4 * model.mass.size() ||
        !in_range(table.handle, 0, handles) || !in_range(r.handles_, 0, model.vertex_count()) ||
        std::ssize(r.handles_) != handles)
      return "weights of handles do not fit the model";
    const HandleWeights& w = r.fit_weights_;
    if (!is_start(w.start, model.mass.size(), w.handle.size()) || w.weight.size() != w.handle.size() ||
        !in_range(w.handle, 0, r.fit_handles_))
      return "weights of the fit's handles do not fit the model";
    for (const auto& frame : p.frame_)
      for (const int row : frame.row)
        if (row < -1 || row >= p.rows_) return "a row does not exist";
    if (!sound(p.mass_) || !sound(r.mass_)) return "a matrix is none";
    for (std::size_t t = 0; t < r.terms_.size(); ++t) {
      const ReducedTerm& term = r.terms_[t];
      if (!sound(term.stiffness)) return "a matrix is none";
      if (!in_range(term.samples.element, 0, model.terms[t].elements.size()) ||
          term.samples.measure.size() != term.samples.element.size())
        return "samples do not fit the model";
      if (!term.fit.sound(p.rows(), r.fit_handles_, model.terms[t].elements.rows(),
                          std::ssize(term.samples.element)))
        return "a fit does not fit the model";
    }
    return nullptr;
  }
};

std::string Reduction::encode() const {
  Writer payload, file;
  ReductionFile::fields(payload, *this);
  file.raw(magic.data(), magic.size());
  file.number(format_version), file.number(std::uint32_t{0}), file.number(stamp_);
  file.number(static_cast<std::uint64_t>(payload.bytes.size())), file.number(checksum(payload.bytes));
  return file.bytes + payload.bytes;
}

Reduction Reduction::decode(std::string_view bytes, const Model& model, const ReductionSettings& settings,
                            const std::string& where, ThreadPool& pool) {
  if (bytes.substr(0, magic.size()) != magic)
    throw InputError(where,
                     "is no precomputed reduction of Resilin: its first bytes are others; name another file");
  Reader header{bytes.substr(magic.size()), where};
  std::uint32_t version = 0, reserved = 0;
  std::uint64_t stamp = 0, size = 0, sum = 0;
  header.number(version);
  if (version != format_version)
    throw InputError(where,
                     fmt::format("is a precomputed reduction of version {}, and this Resilin reads version {}; {}",
                                 version, format_version, remedy));
  header.number(reserved), header.number(stamp), header.number(size), header.number(sum);
  if (reserved != 0) header.fail("its header has numbers that mean nothing");
  const std::string_view payload = bytes.substr(header_size);
  if (payload.size() != size) header.fail(fmt::format("it has {} bytes instead of {}", payload.size(), size));
  if (sum != checksum(payload)) header.fail("its checksum is wrong");
  if (stamp != reduction_stamp(model, settings))
    throw InputError(where,
                     fmt::format("was made for another mesh, other masses, materials or settings; {}", remedy));
  Reduction out = ReductionFile::read(payload, model, where, pool);
  out.stamp_ = stamp, out.settings_ = settings;
  return out;
}

std::unique_ptr<const Reduction> load_reduction(const Model& model, const ReductionSettings& settings,
                                                const ReductionStore* store, ThreadPool& pool) {
  const auto bytes = store != nullptr ? store->load() : std::nullopt;
  if (bytes) return std::make_unique<Reduction>(Reduction::decode(*bytes, model, settings, store->where(), pool));
  auto made = std::make_unique<Reduction>(model, settings, pool);
  if (store != nullptr) store->save(made->encode());
  return made;
}

}  // namespace resilin
