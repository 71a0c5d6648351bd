#include "problem/partitioned_elements.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/stamp.h"

namespace resilin {

void PartitionedElements::lay_out() {
  partition_ = Partition(model_, sampled_);
  packed_.clear(), kernels_.clear(), packed_of_.clear(), sample_.reset();
  for (int t = 0; t < static_cast<int>(model_.terms.size()); ++t) packed_.emplace_back(model_, t, partition_);
  kernels_.resize(packed_.size()), packed_of_.assign(packed_.size(), 0);
  origin_copies_.clear(), velocity_copies_.clear(), rate_copies_.clear();
}

void PartitionedElements::pack_kernels() {
  term_damped_.clear();
  guess_.resize(model_.terms.size());
  damped_ = false;
  for (std::size_t t = 0; t < model_.terms.size(); ++t) {
    const Term& term = model_.terms[t];
    term_damped_.push_back(term.damping.empty() ? 0 : 1);
    damped_ = damped_ || !term.damping.empty();
    Stamp stamp;
    for (const auto& potential : term.elastic) potential->stamp(stamp);
    for (const auto& damping : term.damping) damping->stamp(stamp);
    if (packed_of_[t] == stamp.value()) continue;
    packed_of_[t] = stamp.value();
    kernels_[t] = TermKernels(term, packed_[t].slot_element());
    if (sample_) sample_->kernels[t] = TermKernels(term, sample_->terms[t].slot_element());
    guess_[t].assign(kernels_[t].reads(Reads::rotation, 1) ? static_cast<std::size_t>(packed_[t].packs()) * 32 : 0,
                     0.0);
  }
}

std::vector<int> PartitionedElements::held_vertices() const {
  std::vector<int> out;
  for (const Term& term : model_.terms)
    for (int i = 0; !term.elements.translation_free() && i < term.elements.size(); ++i)
      out.insert(out.end(), term.elements.vertices(i).begin(), term.elements.vertices(i).end());
  return out;
}

void PartitionedElements::sweep_coordinates(const double* y, FunctionRef<void(int, int, SweepBlock&)> op) {
  assembly_->begin(y);
  sweep(*assembly_, {.scatter = false}, op);
}

void PartitionedElements::set_time(double time) {
  for (TermKernels& kernels : kernels_) kernels.set_time(time);
  if (sample_)
    for (TermKernels& kernels : sample_->kernels) kernels.set_time(time);
  time_ = time;
}

// Only the second-order form of S reads v_n (Brown et al. Eq. 30): others are spared its coordinates in every
// sweep.
static bool reads_first_velocity(const Model& model) {
  return std::any_of(model.terms.begin(), model.terms.end(), [](const Term& term) {
    return std::any_of(term.damping.begin(), term.damping.end(), [](const auto& d) { return d->second_order(); });
  });
}

void PartitionedElements::begin(const Stage& stage) {
  guesses_cold_ = true;
  if (!damped_) return;
  assert(stage.origin.size() == stage.target.size() && stage.velocity.size() == stage.target.size());
  gather_all(stage.origin.data(), origin_copies_);
  if (reads_first_velocity(model_)) gather_all(stage.velocity.data(), velocity_copies_);
  stage_rates_ = {origin_copies_.data(), velocity_copies_.empty() ? nullptr : velocity_copies_.data(), stage.tau};
}

const Rates* PartitionedElements::stage_rates() const { return origin_copies_.empty() ? nullptr : &stage_rates_; }

Rates PartitionedElements::rates_at(const double* v) {
  gather_all(v, rate_copies_);
  return {rate_copies_.data(), rate_copies_.data(), 1};
}

void PartitionedElements::gather_all(const double* y, AlignedVector<double>& copies) {
  copies.resize(assembly_->positions.size());
  assembly_->begin(y);
  space_.parallel(partition_.parts(), [&](int part) {
    assembly_->gather(part, copies.data() + 4 * std::ptrdiff_t{partition_.offset(part)});
  });
}

// Outside of stages nothing is remembered: the same positions give the same bits.
double* PartitionedElements::guess(int term, int pack, bool in_stage) {
  return in_stage && !guess_[term].empty() ? guess_[term].data() + static_cast<std::size_t>(pack) * 32 : nullptr;
}

void PartitionedElements::choose_parts() {
  active_parts_.clear();
  for (int part = 0; part < partition_.parts(); ++part)
    if (space_.components().active(partition_.component_of_part(part))) active_parts_.push_back(part);
}

void PartitionedElements::sweep(Assembly& assembly, const Pass& pass, FunctionRef<void(int, int, SweepBlock&)> op) {
  const bool cold = pass.in_stage && std::exchange(guesses_cold_, false);
  const bool clear = pass.scatter && assembly.scatters();
  choose_parts();
  space_.parallel(static_cast<int>(active_parts_.size()), [&](int i) {
    const int part = active_parts_[i];
    const std::ptrdiff_t first = 4 * std::ptrdiff_t{partition_.offset(part)},
                         last = 4 * std::ptrdiff_t{partition_.offset(part + 1)};
    assembly_->gather(part, assembly.positions.data() + first);
    if (clear) std::fill(assembly.forces.begin() + first, assembly.forces.begin() + last, 0.0);
    Rates local{};
    if (pass.rates != nullptr)
      local = {pass.rates->origin + first, pass.rates->velocity != nullptr ? pass.rates->velocity + first : nullptr,
               pass.rates->tau};
    for (int t = 0; t < static_cast<int>(packed_.size()); ++t) {
      if (pass.leave_out != nullptr && (*pass.leave_out)[t] != 0) continue;
      if (cold && !guess_[t].empty())
        std::fill(guess(t, packed_[t].first_pack(part), true), guess(t, packed_[t].first_pack(part + 1), true),
                  0.0);
      const bool fits = assembly.fits(t);
      packed_[t].sweep(
          part, assembly.positions.data() + first, pass.scatter && !fits ? assembly.forces.data() + first : nullptr,
          [&](SweepBlock& block) {
            block.block.guess = guess(t, block.block.first, pass.in_stage);
            op(t, part, block);
            if (fits) assembly.fit(t, block);
          },
          pass.rates != nullptr && term_damped_[t] ? &local : nullptr);
    }
  });
}

const ElementSample& PartitionedElements::sample() {
  if (sample_) return *sample_;
  sample_ = std::make_unique<ElementSample>(sample_elements(model_, partition_));
  for (TermKernels& kernels : sample_->kernels) kernels.set_time(time_);
  return *sample_;
}

void PartitionedElements::sweep_sample(const double* y, FunctionRef<void(int, SweepBlock&)> op) {
  const ElementSample& all = sample();
  sample_positions_.resize(static_cast<std::size_t>(partition_.copies()) * 4);
  space_.chunks(std::ssize(all.corners), [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t i = begin; i < end; ++i)
      std::copy_n(y + 3 * all.corners[i].vertex, 3, &sample_positions_[4 * all.corners[i].row]);
  });
  space_.parallel(static_cast<int>(all.groups.size()), [&](int g) {
    const auto& group = all.groups[g];
    if (!space_.components().active(group.component)) return;
    all.terms[group.term].sweep(
        group.part, sample_positions_.data(), nullptr, [&](SweepBlock& block) { op(g, block); },
        damped_ && term_damped_[group.term] ? &stage_rates_ : nullptr);
  });
}

}  // namespace resilin
