#include "io/element_fields.h"

#include <algorithm>
#include <cmath>

#include "core/aligned.h"
#include "potentials/evaluate.h"
#include "problem/dynamic_system.h"

namespace resilin {
namespace {

double determinant(const double* z) {
  return z[0] * (z[4] * z[8] - z[5] * z[7]) - z[1] * (z[3] * z[8] - z[5] * z[6]) +
         z[2] * (z[3] * z[7] - z[4] * z[6]);
}

// Of z = F^T and dpsi/dz = P^T with `rows` rows; `volume`: det F.
double von_mises(const double* z, const double* stress, int rows, double volume) {
  volume = std::copysign(std::max(std::abs(volume), 1e-6), volume);  // a crushed element has no Cauchy stress
  double sigma[3][3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < rows; ++k) sigma[i][j] += stress[3 * k + i] * z[3 * k + j] / volume;
  const double mean = (sigma[0][0] + sigma[1][1] + sigma[2][2]) / 3;
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double deviator = sigma[i][j] - (i == j ? mean : 0);
      sum += deviator * deviator;
    }
  return std::sqrt(1.5 * sum);
}

// One lane of a block of tets or triangles that was evaluated: what it is, added to the fields.
void add_lane(const Block& block, int pack, int lane, std::size_t at, std::vector<NamedField>& fields) {
  const int rows = block.rows;
  double z[9], stress[9], s[3] = {};
  for (int i = 0; i < 3 * rows; ++i) {
    const int from = (pack * 3 * rows + i) * 8 + lane;
    z[i] = block.z[from], stress[i] = block.dpsi_z[from];
  }
  for (int k = 0; k < rows; ++k) s[k] = block.s[(pack * rows + k) * 8 + lane];
  std::copy_n(s, 3, fields[0].values.begin() + static_cast<std::ptrdiff_t>(3 * at));
  fields[1].values[at] += von_mises(z, stress, rows, rows == 3 ? determinant(z) : s[0] * s[1]);
  fields[2].values[at] += block.psi[pack * 8 + lane];
}

}  // namespace

ElementFields::ElementFields(const Model& model) {
  std::size_t count = 0;
  const auto give_places = [&](ElementKind kind, const Body& body, std::size_t elements) {
    for (const BodyElements& of : body.elements)
      for (int i = 0; i < of.count && model.terms[of.term].elements.kind() == kind; ++i)
        place_[of.term][of.first + i] = static_cast<int>(count) + of.id(i);
    count += elements;
  };
  for (const Term& term : model.terms) {
    const ElementKind kind = term.elements.kind();
    place_.emplace_back(kind == ElementKind::tet || kind == ElementKind::triangle ? term.elements.size() : 0, -1);
  }
  for (const Body& body : model.bodies) give_places(ElementKind::tet, body, body.tets.size() / 4);
  for (const Body& body : model.bodies)
    if (body.tets.empty()) give_places(ElementKind::triangle, body, body.triangles.size() / 3);
  fields_ = {{"stretch", 3, std::vector<double>(3 * count)},
             {"von_mises", 1, std::vector<double>(count)},
             {"energy", 1, std::vector<double>(count)}};
}

const std::vector<NamedField>& ElementFields::evaluate(const DynamicSystem& system,
                                                       const std::vector<double>& positions) {
  for (NamedField& field : fields_) std::fill(field.values.begin(), field.values.end(), 0.0);
  const Partition& partition = system.elements().partition();
  system.space().pool().parallel(partition.parts(), [&](int part) {
    const auto ids = partition.vertices(part);
    AlignedVector<double> x(4 * ids.size());
    for (std::size_t l = 0; l < ids.size(); ++l)
      for (std::size_t k = 0; k < 3; ++k) x[4 * l + k] = positions[3 * ids[l] + k];
    for (std::size_t t = 0; t < place_.size(); ++t) {
      if (place_[t].empty()) continue;
      const PackedTerm& term = system.elements().terms()[t];
      const TermKernels& kernels = system.elements().kernels(static_cast<int>(t));
      term.sweep(part, x.data(), nullptr, [&](SweepBlock& sweep) {
        Block& block = sweep.block;
        resilin::evaluate(kernels, block, 1);
        if (!kernels.reads(Reads::stretches, 1)) decompose(block);
        for (int slot = 0; slot < 8 * block.packs; ++slot) {
          const int place = place_[t][term.slot_element()[8 * block.first + slot]];
          if (place < 0 || sweep.measure[slot] == 0) continue;
          add_lane(block, slot / 8, slot % 8, static_cast<std::size_t>(place), fields_);
        }
      });
    }
  });
  return fields_;
}

}  // namespace resilin
