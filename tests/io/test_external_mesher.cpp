#include <sys/stat.h>

#include "geometry/surface_samples.h"
#include "io/external_mesher.h"
#include "io/mesh_samples.h"

namespace resilin::test {
namespace {

/// PATH with a folder of programs in front, or alone; as before at the end.
class Programs {
 public:
  explicit Programs(bool alone) : before_(std::getenv("PATH")) {
    ::setenv("PATH", alone ? folder_.file("").c_str() : (folder_.file("") + ":" + before_).c_str(), 1);
  }
  ~Programs() { ::setenv("PATH", before_.c_str(), 1); }
  void add(const std::string& name, const std::string& script) {
    std::ofstream(folder_.file(name)) << "#!/bin/sh\n" << script;
    ::chmod(folder_.file(name).c_str(), 0755);
  }

 private:
  TemporaryFolder folder_;
  std::string before_;
};

// Stands for the real one: takes the flags, wants the surface, writes one tet where tetgen would.
const char* fake_tetgen = R"(
case "$1" in -pqQa*) ;; *) echo "bad flags $1"; exit 3;; esac
head -1 "$2" | grep -q ply || exit 4
stem="${2%.ply}.1"
printf '5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 9 9 9\n' > "$stem.node"
printf '1 4 0\n0 0 1 2 3\n' > "$stem.ele"
)";

TEST(ExternalMesher, MissingProgramsAreNamedWithTheirPackage) {
  const Programs none(true);
  for (const char* name : {"tetgen", "gmsh"}) {
    const InputError error = input_error([&] { run_external_mesher(name, cube_surface(), {}); });
    says(error, std::string("\"") + name + "\" is not installed");
    says(error, std::string("apt install ") + name);
  }
}

TEST(ExternalMesher, ReadsWhatTheProgramWrites) {
  Programs programs(false);
  programs.add("tetgen", fake_tetgen);
  const TetMesh mesh = run_external_mesher("tetgen", cube_surface(), {});
  EXPECT_EQ(mesh.tet_count(), 1);
  EXPECT_EQ(mesh.vertex_count(), 4);  // the one that no tet uses is gone
}

TEST(ExternalMesher, FailuresTellWhatTheProgramSaid) {
  Programs programs(false);
  programs.add("tetgen", "echo 'facets intersect'; exit 3\n");
  programs.add("gmsh", "exit 0\n");  // writes nothing
  const InputError error = input_error([&] { run_external_mesher("tetgen", cube_surface(), {}); });
  says(error, "status 3");
  says(error, "facets intersect");
  says(error, "stuffing");
  says(input_error([&] { run_external_mesher("gmsh", cube_surface(), {}); }), "gmsh failed");
}

}  // namespace
}  // namespace resilin::test
