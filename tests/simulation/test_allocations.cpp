// A steady-state step allocates nothing and factorises nothing: counted by replacing operator new in this test
// program.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "contact/narrow_phase/contact_pairs.h"
#include "resilin/contact.h"
#include "resilin/registry.h"
#include "support/setup.h"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* p = alignment > alignof(std::max_align_t)
                ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                : std::malloc(size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace

// g++ 12 sees through new, which is inlined, and takes its memory for that of another allocator.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t size) { return counted(size, 1); }
void* operator new[](std::size_t size) { return counted(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size, 1);
}  // std::stable_sort's buffer
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size, 1); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace resilin::test {
namespace {

void expect_quiet(const std::string& solver, const std::string& integrator, int threads, Values params = {},
                  bool contact = false) {
  Model model = solid(beam_mesh(3), 1000, "arap", {{"stiffness", contact ? 1e9 : 1e5}});
  model.gravity = {0, -9.81, 0};
  pin(model, {0, 1, 2, 3});
  if (contact) model.contact.emplace();
  params.emplace_back("iterations", 10);
  const auto simulation = make_simulation(
      std::move(model), {.step = 0.02, .solver = {solver, params}, .integrator = integrator, .threads = threads});
  for (int i = 0; i < 12; ++i) simulation->step();  // fills L-BFGS pairs, workspaces and the factor
  const long before = allocations;
  int factorisations = 0;
  for (int i = 0; i < 20; ++i) factorisations += simulation->step().solve.factorisations;
  EXPECT_EQ(allocations - before, 0) << solver << " " << integrator << " " << threads;
  EXPECT_EQ(factorisations, 0) << solver << " " << integrator;
}

TEST(Allocations, ASteadyStateStepMakesNone) {
  for (const char* solver : {"quasi_newton", "projective_dynamics", "admm", "xpbd", "pbd"})
    for (const auto& integrator : registry<IntegratorPlugin>())
      for (const int threads : {1, 2})
        // That integrator factorises in every step: fronts come and go (multifrontal.cpp).
        if (integrator.name != "linearly_implicit_euler") expect_quiet(solver, integrator.name, threads);
}

TEST(Allocations, NorDoesOneOnTwoLevels) {
  for (const char* integrator : {"backward_euler", "tr_bdf2"})
    for (const int threads : {1, 2}) expect_quiet("quasi_newton", integrator, threads, {{"coarse_modes", 3}});
}

TEST(Allocations, NoneWhileBodiesStayApart) {
  for (const char* integrator : {"backward_euler", "tr_bdf2"})
    expect_quiet("quasi_newton", integrator, 2, {}, true);
}

TEST(Allocations, NoneInTheSearchForContact) {
  Model model;
  for (const double height : {0.0, 0.08}) {
    const double one[1] = {1};
    TriangleMesh mesh;
    for (int i = 0; i < 400; ++i)
      mesh.vertices.insert(mesh.vertices.end(), {0.1 * (i % 20), height, 0.1 * (i / 20)});
    for (int i = 0; i < 379; ++i)
      if (i % 20 != 19) mesh.triangles.insert(mesh.triangles.end(), {i, i + 20, i + 1});
    add_shell_body(model, "sheet", mesh, one, one);
  }
  const ContactSurface surface = contact_surface(model);
  PairFinder finder(surface, model.rest.data());
  ThreadPool pool(2);
  std::vector<ContactPair> pairs;
  ASSERT_TRUE(finder.find(model.rest.data(), 0.1, pool, pairs));
  const long before = allocations;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(finder.find(model.rest.data(), 0.1, pool, pairs));
  EXPECT_EQ(allocations, before);
  EXPECT_GT(pairs.size(), 1000u);
}

}  // namespace
}  // namespace resilin::test
