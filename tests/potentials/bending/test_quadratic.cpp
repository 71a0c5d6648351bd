#include <gtest/gtest.h>

#include <cmath>

#include "core/expect_input_error.h"
#include "potentials/bending/bending.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"

namespace resilin {
namespace {

// Bent into a cylinder of radius r across its rows a sheet of area A has the energy D A/(2 r^2).
TEST(QuadraticBending, EnergyOfACylinder) {
  for (const GridPattern pattern : {GridPattern::alternating, GridPattern::parallel, GridPattern::regular}) {
    const TriangleMesh mesh = grid_sheet({{2, 2 * std::sqrt(3.0) / 2}, {40, 40}, pattern});
    Builder builder;
    builder.gravity({0, 0, 0});
    builder.add(Shell{.mesh = mesh, .skin = {.material = "none", .bending = {"quadratic", {{"stiffness", 3.0}}}}});
    const double r = 5;
    std::vector<double> q = mesh.vertices;
    for (std::size_t i = 0; i < q.size(); i += 3) {
      const double angle = q[i + 1] / r;
      q[i + 1] = r * std::sin(angle), q[i + 2] = r * (1 - std::cos(angle));
    }
    const auto simulation = builder.simulation({.threads = 1});
    const double energy = simulation->system().potential_energy(q.data(), nullptr), area = 2 * std::sqrt(3.0);
    EXPECT_NEAR(energy / (3.0 * area / (2 * r * r)), 1, 0.06) << "two rows of hinges are missing at the ends";
  }
}

TEST(QuadraticBending, RefusesARestShapeThatIsCurved) {
  Builder builder;
  builder.add(Shell{.mesh = ball_surface({0.5, 1}), .skin = {.bending = "quadratic"}});
  {
    const InputError error = test::input_error([&] { builder.model(); });
    for (const char* words : {"bending", "degrees", "dihedral"}) EXPECT_TRUE(test::says(error, words));
  }
}

}  // namespace
}  // namespace resilin
