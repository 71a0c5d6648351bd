// Every registered material keeps the promises of a potential, for random parameters.
#include "potentials/material_checks.h"
#include "resilin/registry.h"

namespace resilin {
namespace {

using Entry = Registered<MaterialPlugin>;

class Materials : public ::testing::TestWithParam<int> {
 protected:
  const Entry& entry() const { return registry<MaterialPlugin>()[static_cast<std::size_t>(GetParam())]; }
  const MaterialPlugin& material() const { return entry().plugin; }
};

// Every number with a default is drawn anew, well inside its range.
Value::Object random_settings(const MaterialPlugin& plugin, std::mt19937& rng) {
  Value::Object out;
  for (const Param& p : plugin.params.list()) {
    if (p.type != Param::Type::number || p.fallback.is_null()) continue;
    const bool bounded = std::isfinite(p.range.low) && std::isfinite(p.range.high);
    std::uniform_real_distribution<double> part(0.1, 0.9), power(-1, 1);
    out.emplace_back(p.name, bounded ? p.range.low + part(rng) * (p.range.high - p.range.low)
                                     : p.fallback.number() * std::pow(10, power(rng)));
  }
  return out;
}

TEST_P(Materials, KeepThePromisesOfAPotential) {
  std::mt19937 rng(7);
  for (int draw = 0; draw < 4; ++draw) {
    const Settings settings =
        read_settings(material(), draw == 0 ? Value::Object{} : random_settings(material(), rng));
    check_material(material(), settings, rng);
    if (HasFailure()) {
      for (const Param& p : material().params.list())
        if (!p.fallback.is_null()) ADD_FAILURE() << p.name << " = " << settings.value(p.name).dump();
      return;
    }
  }
}

TEST_P(Materials, RangesAreEnforcedByName) {
  for (const Param& p : material().params.list()) {
    EXPECT_FALSE(p.doc.empty()) << p.name;
    std::vector<Value> bad;
    if (p.type == Param::Type::number) {
      bad = {"text", std::nan("")};
      if (std::isfinite(p.range.low)) bad.push_back(p.range.low_open ? p.range.low : p.range.low - 1);
      if (std::isfinite(p.range.high)) bad.push_back(p.range.high_open ? p.range.high : p.range.high + 1);
      if (p.per_element && bad.size() > 2)
        bad.push_back(Value::List{p.fallback.is_null() ? 1.0 : p.fallback, bad[2]});
    }
    if (p.type == Param::Type::numbers) bad = {Value::List{-1.0, 1.0}, "text"};
    if (p.type == Param::Type::choice) bad = {"no such thing", 1.0};
    if (p.type == Param::Type::points) bad = {Value::List{Value::List{1.0}}, 1.0};
    EXPECT_FALSE(bad.empty()) << p.name << " is not tried";
    for (const Value& value : bad) {
      try {
        read_settings(material(), {{p.name, value}});
        ADD_FAILURE() << p.name << " accepts " << value.dump();
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(p.name), std::string::npos) << error.what();
      }
    }
  }
}

TEST_P(Materials, ElementsMayDiffer) {
  std::mt19937 rng(11);
  std::vector<Settings> settings;
  for (int i = 0; i < lanes; ++i) settings.push_back(read_settings(material(), random_settings(material(), rng)));
  std::vector<ElementSettings> elements;
  for (int i = 0; i < lanes; ++i) elements.push_back({&settings[static_cast<std::size_t>(i)], 0});
  const auto mixed = material().make(elements);
  const std::array<int, lanes> slots = {3, 1, 4, 0, 5, 2, 7, 6};
  std::array<Stretches, lanes> s;
  s.fill({1.2, 0.8, 0.7});
  const auto all = evaluate_lanes(*mixed, s, slots);
  for (int l = 0; l < lanes; ++l) {
    const auto alone = make_potential(material(), settings[static_cast<std::size_t>(slots[l])]);
    EXPECT_EQ(all[l].psi, evaluate_stretches(*alone, s[0]).psi);
    double together[9], apart[9];
    mixed->quadratic(slots[l], 1, together), alone->quadratic(0, 1, apart);
    EXPECT_EQ(together[0], apart[0]);
  }
}

TEST_P(Materials, ProjectionIsTheNearestPointOfItsEnergy) {
  const Settings settings = read_settings(material());
  const auto potential = make_potential(material(), settings);
  EXPECT_EQ(potential->projects(), entry().name == "arap");  // whoever registers another puts it here
  if (!potential->projects()) return;
  double k[9];
  potential->quadratic(0, 1, k);
  std::mt19937 rng(5);
  for (const Matrix& f : sample_matrices(rng, 200)) {  // E3, det F < 0 included
    TestBlock test;
    for (int i = 0; i < 9; ++i)
      for (int l = 0; l < lanes; ++l) TestBlock::at(test.block.z, i, l) = f[i];
    const TermKernels kernels(*potential, in_order);
    decompose(kernels, test.block, 1);
    AlignedVector<double> projected(9 * lanes);
    kernels.elastic()[0]->project(test.block, projected.data());
    const Evaluated here = evaluate_at(potential, f, 1);
    double psi = 0;
    for (int i = 0; i < 9; ++i) {
      const double gap = f[i] - projected[i * lanes];
      psi += 0.5 * k[0] * gap * gap;
      EXPECT_NEAR(here.p[i], k[0] * gap, 1e-12 * k[0]);
    }
    EXPECT_NEAR(here.psi, psi, 1e-12 * k[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Materials, ::testing::Range(0, static_cast<int>(registry<MaterialPlugin>().size())),
                         [](const auto& test) { return registry<MaterialPlugin>()[test.param].name; });

}  // namespace
}  // namespace resilin
