// A proof, made after each stage, that two bodies have stayed farther apart than the contact radius on the whole
// way of the stage: then the stage was right to leave their contact out. It costs a small part of a search for
// pairs, since it works on clusters of about sixteen triangles (docs/theory/contact_detection.md).
//
//   clusters that are no neighbours    The spheres or boxes around them, swept over the stage, stay apart.
//   neighbouring clusters of a body    Each cluster stores a reference shape. Its shape now is an affine image F_A
//                                      of the reference plus an error of at most m_A. A pair of clusters A, B with
//                                      the clearance d in the reference, of centres C then and c now, has at least
//                                        sigma d - (1 - sigma) r - m_A - m_B - |F_A (C_B - C_A) - (c_B - c_A)|
//                                        - |F_A - F_B| R_B
//                                      now. sigma: the least singular value of F_A; r: the contact radius; R_B: the
//                                      radius of B.
//   where this is negative             The pairs that were near each other in the reference are tested one by one,
//                                      if the others still have clearance, or a plane lies between A and B.
//   where that fails too               Distances are searched, and the shapes of now become the reference.
//
// The verdict depends on the two positions only: a reference spares a search and decides nothing. For neighbouring
// clusters the end of the way is tested, not the way.
#pragma once
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "contact/narrow_phase/pair_list.h"
#include "core/aligned.h"

namespace resilin {

/// Bodies, the smaller first; a body with itself.
using BodyPair = std::array<int, 2>;

class SeparationProof {
 public:
  /// All must stay; the radius is that of `list`.
  SeparationProof(const ContactSurface& surface, const Model& model, const PairList& list);

  struct Near {
    std::vector<BodyPair> pairs;  // ascending
    std::vector<int> folded;      // bodies whose neighbouring clusters push each other, ascending; also in `pairs`
  };
  /// Pairs of bodies that may have been nearer than the radius on the way from `from` to `to` (xyz of all vertices)
  /// or, of neighbouring clusters, at its end. `margin`: times the radius, between bodies. `between`, `self`: what
  /// is asked about.
  void find(const double* from, const double* to, double margin, bool between, bool self, ThreadPool& pool,
            Near& near);
  /// Two clusters of SurfaceTree, of one body, that are near each other at rest.
  bool neighbours(int a, int b) const;
  int body(int cluster) const { return clusters_[cluster].body; }

 private:
  struct Cluster {
    int body;
    int first, end;    // in vertices_
    int first_offset;  // in offsets_
    // In the reference:
    Vec3 centre;
    double radius;       // around it
    int corners[3];      // in vertices_, whose triangle is large at rest
    bool flat;           // they are no frame
    double inverse[9];   // of (edge, edge, normal)
    double in_plane[4];  // of two orthonormal directions there, in these edges
  };
  struct Shape {
    Vec3 centre, moved;    // at the end, and since the start
    Bounds box;            // at the end
    double reach, spread;  // around the centre on the whole way; how far vertices move from how the centre does
    double map[9], least;  // F and its least stretch
    double off;            // m
  };
  struct Way {                   // from the start to the end: an affine map, but for `off`
    double map[9], off, radius;  // radius: around the middle, at the start
    Vec3 before;                 // the middle there
  };
  struct Group {  // of neighbouring clusters of one body
    int first, end;
    Vec3 centre, moved;
    double reach, spread;
  };
  struct Neighbours {      // in the reference
    double spare, beyond;  // that some pair has before it pushes; and some pair that is not near
    int first, end;        // those that are, in close_ of the body
  };
  struct Close {
    ContactPair::Kind kind;
    std::array<int, 4> vertices;
    double radius;  // below which it pushes
  };
  enum class Parts { apart, unknown, push };  // of a body
  struct Finding {                            // of a part of the work
    Parts parts;
    std::vector<std::array<int, 2>> clusters;    // no neighbours, whose spheres and boxes do not tell
    std::vector<std::pair<int, double>> groups;  // near ones, and by how much clusters move differently
  };

  void add_clusters(const ContactSurface& surface, const SurfaceTree& tree);
  void add_frame(Cluster& cluster);
  void find_neighbours(const ContactSurface& surface, const SurfaceTree& tree);
  bool renew(int body, const double* x, ThreadPool& pool);
  bool sort_out(int body, const double* x);
  double separation(int first, int second, const double* x) const;
  int neighbours_at(int a, int b) const;  // a <= b; -1: they are none
  void measure(const double* from, const double* to, ThreadPool& pool);
  void measure(const Cluster& cluster, const double* from, const double* to, Shape& shape) const;
  void measure_map(const Cluster& cluster, const double* to, Shape& shape) const;
  void measure_groups();
  void measure_bodies();
  void test_pair(int body, int other, int group, double radius, Finding& out) const;
  bool near_on_its_way(int c, int d, double radius) const;
  bool clusters_near(const Finding& finding, double radius, const double* from, const double* to);
  void measure_ways(const double* from, const double* to);
  Parts neighbours_apart(int cluster, const double* x) const;
  bool may_push(int first, int second, double spare) const;
  bool pushes(const Close& pair, const double* x) const;

  const Model& model_;
  const PairList& list_;
  double radius_;
  std::vector<int> vertices_;      // of clusters
  std::vector<double> reference_;  // of these
  AlignedVector<double> offsets_;  // from the centre there: [cluster][xyz][vertices, filled up to packs]
  std::vector<int> of_vertex_, of_edge_, of_triangle_;  // clusters
  std::vector<Cluster> clusters_;
  std::vector<int> others_;  // clusters a <= b that are neighbours: b of each a, ascending
  std::vector<Neighbours> neighbours_;
  std::vector<int> first_neighbour_;
  std::vector<std::vector<Close>> close_;  // of bodies, by neighbours
  std::vector<int> of_found_;              // in neighbours_, of found_; -1: none
  std::vector<Group> groups_;
  AlignedVector<double> spheres_;                 // of their clusters: [group][xyz, reach][cluster]
  std::vector<int> first_cluster_, first_group_;  // of bodies
  std::vector<Shape> shapes_;
  std::vector<Way> ways_;
  bool ways_known_ = false;
  std::vector<Bounds> boxes_;
  struct Task {
    BodyPair bodies;
    int group;  // of the first body
  };
  std::vector<Task> tasks_;
  std::vector<Finding> findings_;
  int asked_ = -1;  // the body that is searched
  std::unique_ptr<PairFinder> finder_;
  std::vector<ContactPair> found_;
};

}  // namespace resilin
