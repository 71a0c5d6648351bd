// The file, all numbers little-endian:
//
//   magic (8 bytes)  version u32  sections u32  file size u64  CRC-32 of these 24 bytes
//   per section:     tag (4 letters)  size u64  payload  CRC-32 of tag, size and payload
//   end:             CRC-32 of everything before
//
// Magic and version stay where they are in every version. Sections: SCEN texts, RUN_ numbers, POSI, VELO, HIST and
// SOLV (Memory). Nothing is allocated before its size was compared with the bytes that are there.
#include "resilin/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>

#include "io/checksum.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/version.h"

namespace resilin {
namespace {

// Like PNG's: a transfer that drops the eighth bit or changes line ends is noticed.
constexpr std::string_view magic("\x89RCK\r\n\x1a\n", 8);
constexpr std::size_t header_size = 28;

class Writer {
 public:
  template <class T>
  void put(T value) {
    for (std::size_t i = 0; i < sizeof value; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
  }
  void put(double value) { put(std::bit_cast<std::uint64_t>(value)); }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
  }
  void put(const std::vector<double>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    for (const double value : values) put(value);
  }
  void put(const Memory& memory) {
    put(static_cast<std::uint64_t>(memory.entries.size()));
    for (const auto& [name, entry] : memory.entries) put(name), put(entry.stamp), put(entry.values);
  }
  void append(std::string_view raw) { bytes_ += raw; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads from a part of the file; every read checks what is left.
class Reader {
 public:
  Reader(std::string_view bytes, std::string where, std::string what)
      : bytes_(bytes), where_(std::move(where)), what_(std::move(what)) {}

  std::string_view raw(std::uint64_t size) {
    if (size > bytes_.size() - at_) fail("it ends in the middle");
    const std::string_view out = bytes_.substr(at_, size);
    at_ += size;
    return out;
  }
  template <class T>
  T integer() {
    const std::string_view b = raw(sizeof(T));
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      value |= static_cast<T>(static_cast<T>(static_cast<unsigned char>(b[i])) << (8 * i));
    return value;
  }
  std::uint32_t u32() { return integer<std::uint32_t>(); }
  std::uint64_t u64() { return integer<std::uint64_t>(); }
  double number() { return std::bit_cast<double>(u64()); }
  std::string text() { return std::string(raw(u64())); }
  int count() {
    const std::uint64_t value = u64();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) fail("a count is out of range");
    return static_cast<int>(value);
  }
  std::vector<double> numbers() {
    const std::uint64_t size = u64();
    if (size > (bytes_.size() - at_) / 8) fail("it ends in the middle");
    std::vector<double> out(size);
    for (double& value : out) value = number();
    return out;
  }
  Memory memory() {
    Memory out;
    for (std::uint64_t left = u64(); left > 0; --left) {
      std::string name = text();
      const std::uint64_t stamp = u64();
      if (!out.entries.emplace(name, Memory::Entry{stamp, numbers()}).second) fail("an array stands there twice");
    }
    return out;
  }
  void end() const {
    if (at_ != bytes_.size()) fail("it is longer than its contents");
  }
  std::size_t position() const { return at_; }
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(where_, fmt::format("the checkpoint is damaged: {}: {}", what_, problem));
  }

 private:
  std::string_view bytes_;
  std::string where_, what_;
  std::size_t at_ = 0;
};

constexpr std::uint32_t section_count = 7;

void add_section(std::string& out, std::string_view tag, const Writer& payload) {
  Writer section;
  section.append(tag);
  section.put(static_cast<std::uint64_t>(payload.bytes().size()));
  section.append(payload.bytes());
  section.put(crc32(section.bytes()));
  out += section.bytes();
}

std::string_view next_section(Reader& file, std::string_view bytes, std::string_view tag) {
  const std::size_t start = file.position();
  const std::string_view found = file.raw(4);
  if (found != tag) file.fail(fmt::format("section {} is not where it belongs", tag));
  const std::string_view payload = file.raw(file.u64());
  const std::size_t size = file.position() - start;
  if (file.u32() != crc32(bytes.substr(start, size)))
    file.fail(fmt::format("the checksum of section {} is wrong", tag));
  return payload;
}

void check_header(Reader& file, std::string_view bytes, const std::string& where) {
  if (bytes.substr(0, magic.size()) != magic.substr(0, std::min(bytes.size(), magic.size())) || bytes.empty())
    throw InputError(where, "is not a checkpoint of Resilin: its first bytes are others");
  file.raw(magic.size());
  const std::uint32_t version = file.u32();
  if (version != checkpoint_version)
    throw InputError(where, fmt::format("is a checkpoint of version {}; this Resilin reads version {}", version,
                                        checkpoint_version));
  const std::uint32_t sections = file.u32();
  const std::uint64_t size = file.u64();
  if (file.u32() != crc32(bytes.substr(0, header_size - 4))) file.fail("the checksum of its header is wrong");
  if (sections != section_count)
    file.fail(fmt::format("it says that it has {} sections instead of {}", sections, section_count));
  if (size != bytes.size()) file.fail(fmt::format("it has {} bytes instead of {}", bytes.size(), size));
}

}  // namespace

std::uint64_t fingerprint(const Model& model) {
  std::uint64_t h = 0xcbf29ce484222325u;
  const auto eat = [&h](std::uint64_t word) { h = std::rotl((h ^ word) * 0x100000001b3u, 29); };
  for (const auto* array : {&model.rest, &model.mass})
    for (const double x : *array) eat(std::bit_cast<std::uint64_t>(x));
  for (const Term& term : model.terms)
    for (int i = 0; i < term.elements.size(); ++i) {
      for (const int v : term.elements.vertices(i)) eat(static_cast<std::uint64_t>(v));
      eat(std::bit_cast<std::uint64_t>(term.elements.measure(i)));
    }
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdu;
  return h ^ (h >> 33);
}

std::string checkpoint_maker() { return fmt::format("{} {} {}", version(), commit(), architecture()); }

std::string encode_checkpoint(const Checkpoint& c) {
  std::string sections;
  Writer texts, run, q, v, history, solver, edits;
  edits.put(c.edits), edits.put(c.planned);
  texts.put(c.scene), texts.put(c.scene_file), texts.put(c.made_by);
  run.put(c.model);
  run.put(static_cast<std::uint64_t>(c.frame)), run.put(static_cast<std::uint64_t>(c.every));
  run.put(static_cast<std::uint64_t>(c.state.step)), run.put(c.state.time);
  q.put(c.state.q), v.put(c.state.v), history.put(c.state.history), solver.put(c.state.solver);
  add_section(sections, "SCEN", texts);
  add_section(sections, "RUN_", run);
  add_section(sections, "POSI", q);
  add_section(sections, "VELO", v);
  add_section(sections, "HIST", history);
  add_section(sections, "SOLV", solver);
  add_section(sections, "EDIT", edits);
  Writer file;
  file.append(magic);
  file.put(checkpoint_version);
  file.put(section_count);
  file.put(static_cast<std::uint64_t>(header_size + sections.size() + 4));
  file.put(crc32(file.bytes()));
  file.append(sections);
  file.put(crc32(file.bytes()));
  return file.bytes();
}

Checkpoint decode_checkpoint(const std::string& contents, const std::string& where) {
  const std::string_view bytes = contents;
  Reader file(bytes, where, "the file");
  check_header(file, bytes, where);
  const auto section = [&](std::string_view tag) {
    return Reader(next_section(file, bytes, tag), where, fmt::format("section {}", tag));
  };
  Checkpoint c;
  Reader texts = section("SCEN");
  c.scene = texts.text(), c.scene_file = texts.text(), c.made_by = texts.text();
  texts.end();
  Reader run = section("RUN_");
  c.model = run.u64(), c.frame = run.count(), c.every = run.count();
  c.state.step = static_cast<std::int64_t>(run.u64()), c.state.time = run.number();
  run.end();
  Reader q = section("POSI"), v = section("VELO");
  c.state.q = q.numbers(), c.state.v = v.numbers();
  q.end(), v.end();
  Reader history = section("HIST"), solver = section("SOLV");
  c.state.history = history.memory(), c.state.solver = solver.memory();
  history.end(), solver.end();
  Reader edits = section("EDIT");
  c.edits = edits.text(), c.planned = edits.text();
  edits.end();
  const std::size_t size = file.position();
  if (file.u32() != crc32(bytes.substr(0, size))) file.fail("the checksum of the whole is wrong");
  file.end();
  if (c.state.q.size() != c.state.v.size() || c.state.q.size() % 3 != 0)
    file.fail("positions and velocities do not match");
  if (!is_finite(c.state) || !std::isfinite(c.state.time)) file.fail("it holds numbers that are not finite");
  return c;
}

void save_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  write_file(path, encode_checkpoint(checkpoint));
}

Checkpoint load_checkpoint(const std::string& path) {
  Checkpoint out = decode_checkpoint(read_file(path), path);
  out.scene_file = (std::filesystem::path(path).parent_path() / out.scene_file).string();
  return out;
}

}  // namespace resilin
