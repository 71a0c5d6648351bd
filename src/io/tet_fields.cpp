#include "io/tet_fields.h"

#include <algorithm>
#include <cmath>

#include "core/aligned.h"
#include "objective/objective.h"
#include "potentials/evaluate.h"

namespace resilin {
namespace {

// Of z = F^T and dpsi/dz = P^T.
double von_mises(const double* z, const double* stress) {
  const double det =
      z[0] * (z[4] * z[8] - z[5] * z[7]) - z[1] * (z[3] * z[8] - z[5] * z[6]) + z[2] * (z[3] * z[7] - z[4] * z[6]);
  const double volume = std::copysign(std::max(std::abs(det), 1e-6), det);  // a crushed tet has no Cauchy stress
  double sigma[3][3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) sigma[i][j] += stress[3 * k + i] * z[3 * k + j] / volume;
  const double mean = (sigma[0][0] + sigma[1][1] + sigma[2][2]) / 3;
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double deviator = sigma[i][j] - (i == j ? mean : 0);
      sum += deviator * deviator;
    }
  return std::sqrt(1.5 * sum);
}

}  // namespace

TetFields::TetFields(const Model& model) {
  for (const Term& term : model.terms)
    tet_of_element_.emplace_back(term.elements.kind() == ElementKind::tet ? term.elements.size() : 0, -1);
  std::size_t count = 0;
  for (const Body& body : model.bodies) {
    for (const BodyElements& of : body.elements)
      for (int i = 0; i < of.count && model.terms[of.term].elements.kind() == ElementKind::tet; ++i)
        tet_of_element_[of.term][of.first + i] = static_cast<int>(count) + of.id(i);
    count += body.tets.size() / 4;
  }
  fields_ = {{"stretch", 3, std::vector<double>(3 * count)},
             {"von_mises", 1, std::vector<double>(count)},
             {"energy", 1, std::vector<double>(count)}};
}

const std::vector<NamedField>& TetFields::evaluate(const Objective& objective,
                                                   const std::vector<double>& positions) {
  for (NamedField& field : fields_) std::fill(field.values.begin(), field.values.end(), 0.0);
  const Partition& partition = objective.partition();
  objective.pool().parallel(partition.parts(), [&](int part) {
    const auto ids = partition.vertices(part);
    AlignedVector<double> x(4 * ids.size());
    for (std::size_t l = 0; l < ids.size(); ++l)
      for (std::size_t k = 0; k < 3; ++k) x[4 * l + k] = positions[3 * static_cast<std::size_t>(ids[l]) + k];
    for (std::size_t t = 0; t < tet_of_element_.size(); ++t) {
      if (tet_of_element_[t].empty()) continue;
      const PackedTerm& term = objective.terms()[t];
      const TermKernels& kernels = objective.kernels(static_cast<int>(t));
      term.sweep(part, x.data(), nullptr, [&](SweepBlock& sweep) {
        Block& block = sweep.block;
        resilin::evaluate(kernels, block, 1);
        if (!kernels.reads(Reads::stretches, 1)) decompose(block);
        for (int slot = 0; slot < 8 * block.packs; ++slot) {
          const int tet = tet_of_element_[t][static_cast<std::size_t>(
              term.slot_element()[static_cast<std::size_t>(8 * block.first + slot)])];
          const int pack = slot / 8, lane = slot % 8;
          if (tet < 0 || sweep.measure[8 * pack + lane] == 0) continue;
          double z[9], stress[9];
          for (int i = 0; i < 9; ++i)
            z[i] = block.z[(pack * 9 + i) * 8 + lane], stress[i] = block.dpsi_z[(pack * 9 + i) * 8 + lane];
          const auto at = static_cast<std::size_t>(tet);
          for (std::size_t k = 0; k < 3; ++k)
            fields_[0].values[3 * at + k] =
                block.s[(static_cast<std::size_t>(pack) * 3 + k) * 8 + static_cast<std::size_t>(lane)];
          fields_[1].values[at] += von_mises(z, stress);
          fields_[2].values[at] += block.psi[pack * 8 + lane];
        }
      });
    }
  });
  return fields_;
}

}  // namespace resilin
