// Table I of Liu et al. 2017: ten of our iterations against one of Newton's on all scenes, on meshes of our own of
// about the same size. Judged: our error is not larger, and line searches stay where the paper has them. Times are
// reported beside the paper's, whose machine was an i7-4910MQ.
//
// Revised after the first runs. Line searches were counted in the two compared frames only; the paper's are means
// of an animation, so now all frames count. Sizes were first off by up to a factor of three and now follow the
// paper's. With the first size (2459 vertices for Ditto's 1454) its count missed both ways, 14 and 13.35 against
// 12.5: it depends on the mesh, and that is said below.
#include "lab/liu_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

// Milliseconds per frame, and relative errors.
struct Printed {
  const char *model, *scene;
  double detail;  // of our scene: about the paper's number of vertices
  int vertices, elements;
  double searches, overhead, time, error, newton_time, newton_error;
};

constexpr Printed rows[] = {
    {"Thin sheet", "thin_sheet", 1.22, 660, 1932, 10.8, 0.026, 4.4, 2.7e-8, 184, 8.8e-4},
    {"Sphere, spline A", "sphere_a", 1.16, 889, 1821, 24.5, 0.155, 21.2, 2.7e-7, 188, 6.9e-4},
    {"Sphere, spline B", "sphere_b", 1.16, 889, 1821, 21.8, 0.156, 19.7, 6.9e-6, 187, 2.5e-4},
    {"Shaking bar", "shaking_bar", 1.15, 574, 1647, 10.1, 0.193, 7.2, 1.6e-4, 171, 4.4e-3},
    {"Ditto", "creature", 1.26, 1454, 4140, 11.7, 0.203, 17.8, 3.0e-5, 305, 1.6e-3},
    {"Hippo", "random_creature", 1.53, 2387, 8406, 11.9, 0.555, 40.6, 2.2e-3, 640, 3.7e-2},
    {"Twisting bar", "twisting_bar", 1, 3472, 10441, 10.6, 0.945, 45.6, 9.4e-5, 681, 7.9e-3},
    {"Cloth", "cloth", 80.0 / 30, 6561, 32160, 10.0, 1.20, 42.3, 9.3e-4, 798, 1.2e-2},
    {"Big Bunny", "drop", 2.52, 6308, 26096, 49.2, 2.19, 623, 9.8e-2, 2700, 2.8e-1},
    {"Squirrel", "head", 2.09, 8395, 23782, 10.7, 1.41, 153, 8.3e-8, 2400, 9.1e-6},
    {"Squirrel, fine", "head", 3.32, 33666, 125677, 10.5, 6.38, 706, 1.5e-5, 15800, 5.4e-5},
};

// Of ten iterations, as in E6: Table I has up to 11.9, 24.5 and 49.2.
double most_searches(lab::SceneKind kind, int iterations) {
  return iterations * (kind == lab::SceneKind::normal ? 1.25 : kind == lab::SceneKind::spline ? 3.0 : 6.0);
}

std::vector<std::string> line(const Printed& paper, const lab::Contest& c) {
  const auto both = [](double ours, double theirs) { return fmt::format("{:.2g} ({:.2g})", ours, theirs); };
  return lab::cells("{} | {} ({}) | {} ({}) | {:.1f} ({:.1f}) | {} | {} | {} | {} | {}", paper.model, c.vertices,
                    paper.vertices, c.elements, paper.elements, c.searches, paper.searches,
                    both(1e3 * c.overhead, paper.overhead), both(1e3 * c.ours_seconds, paper.time),
                    both(c.ours, paper.error), both(1e3 * c.newton_seconds, paper.newton_time),
                    both(c.newton, paper.newton_error));
}

void run(const Settings& s, Findings& findings) {
  const lab::ContestOptions options{s.integer("iterations"), s.integer("history"), s.integer("frames"),
                                    s.integer("every"), s.integer("reference_iterations")};
  lab::begin_table(findings, "Table I: measured, and in brackets as printed. Times in milliseconds per frame.",
                   "model | vertices | elements | line searches | L-BFGS | ours | error | Newton | error");
  for (const Printed& paper : rows) {
    if (paper.vertices > s.integer("largest")) continue;
    lab::LiuScene scene = lab::liu_scene(paper.scene, paper.detail * s.number("detail"));
    const double bound = most_searches(scene.kind, options.iterations);
    const lab::Contest c = lab::contest(std::move(scene), options);
    const std::string at = std::string(paper.model) + ": ";
    findings.at_most(at + "our mean rel.err, at most that of one Newton iteration", c.newton, c.ours,
                     fmt::format("paper {:.2g} against {:.2g}", paper.error, paper.newton_error));
    findings.at_most(at + "line searches per frame", bound, c.searches, fmt::format("paper {}", paper.searches));
    findings.report(at + "frame of Newton / of ours, wall time", c.newton_seconds / c.ours_seconds,
                    fmt::format("paper {:.3g}", paper.newton_time / paper.time));
    findings.report(at + "L-BFGS, percent of the frame", 100 * c.overhead / c.ours_seconds,
                    fmt::format("paper {:.2g}", 100 * paper.overhead / paper.time));
    findings.table_row(line(paper, c));
  }
  findings.differs_because(
      "the meshes and motions are ours, and the paper prints neither stiffness nor density. The states compared "
      "are few and come soon after the start, while bodies still move fast (the hippo still unfolds from its "
      "random positions); so errors of both methods are mostly larger than the paper's means, and what is judged "
      "is their order. The Big Bunny falls on the ground instead of through a torus.");
  findings.differs_because(
      "line searches depend on the mesh: Ditto of 2459 vertices instead of 1454 takes 13.35 per frame in its first "
      "20 frames, more than the 12.5 allowed here.");
  findings.differs_because(
      "the ratio of the two times is mostly smaller than the paper's, because Newton's frames have gained more "
      "than ours. Likely reasons, which were not separated: a newer machine, a parallel sparse Cholesky, Hessians "
      "assembled in packs.");
  if (s.integer("largest") < 33666)
    findings.differs_because(
        "the squirrel of 33 666 vertices is left out, to keep the paper within minutes: --set largest=40000 adds "
        "it.");
}

}  // namespace

ExperimentPlugin experiment_liu2017_table1() {
  return {.title = "Ten iterations of quasi-Newton against one of Newton, all scenes",
          .source = "liu2017",
          .shows = "Table I",
          .doc = "Sizes, line searches, overhead of L-BFGS, times and relative errors per frame.",
          .params = {integer("iterations", 10, between(1, 1000), "iterations of quasi-Newton"),
                     integer("history", 5, between(0, 100), "m of L-BFGS"),
                     integer("frames", 2, between(1, 1000), "states compared in each scene"),
                     integer("every", 10, between(1, 1000), "frames between them"),
                     integer("reference_iterations", 40, between(1, 1000),
                             "iterations of Newton at most, to find the minimum"),
                     number("detail", "", 1, between(0.25, 2), "1: about as many vertices as the paper"),
                     integer("largest", 10000, at_least(660), "vertices of the paper's models, at most")},
          .quick = Quick{.set = {{"detail", 0.5}, {"frames", 1}}, .slow = true},
          .run = run};
}

}  // namespace resilin
