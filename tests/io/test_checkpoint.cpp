// Checkpoints: every field comes back, every damage is noticed, the newest and the one before stay on the disk.
#include <gtest/gtest.h>

#include <random>

#include "io/checksum.h"
#include "io_support.h"
#include "resilin/checkpoint.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using test::TemporaryFolder;

Checkpoint example(int frame = 12) {
  Checkpoint c;
  c.scene = "{\"bodies\":[\"\xc3\xa9\"]}";
  c.scene_file = "a folder/scene.json";
  c.made_by = checkpoint_maker();
  c.model = 0xfedcba9876543210u;
  c.frame = frame;
  c.every = 3;
  c.state.q = {0.1, -0.0, 5e-324, 1e300, 1.0 / 3, -2};
  c.state.v = {1, 2, 3, 4, 5, -6e-9};
  c.state.time = 0.1 * frame;
  c.state.step = (1LL << 40) + 5;
  c.state.history.entries = {{"previous positions", {7, {1, 2, 3}}}, {"", {}}};
  c.state.solver.keep("lambda", 0xffffffffffffffffu) = {0.5};
  c.edits = "{}\n", c.planned = "[]";
  return c;
}

void expect_equal(const Memory& a, const Memory& b) { EXPECT_EQ(a.entries, b.entries); }

TEST(Checkpoint, EveryFieldComesBack) {
  const Checkpoint a = example(), b = decode_checkpoint(encode_checkpoint(a), "test");
  EXPECT_EQ(a.scene, b.scene);
  EXPECT_EQ(a.scene_file, b.scene_file);
  EXPECT_EQ(a.made_by, b.made_by);
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.frame, b.frame);
  EXPECT_EQ(a.every, b.every);
  EXPECT_EQ(hash(a.state), hash(b.state));
  EXPECT_EQ(a.edits, b.edits);
  EXPECT_EQ(a.planned, b.planned);
  EXPECT_TRUE(std::signbit(b.state.q[1]));
  expect_equal(a.state.history, b.state.history);
  expect_equal(a.state.solver, b.state.solver);
}

TEST(Checkpoint, BytesAreTheSameOnEveryMachine) {
  const std::string bytes = encode_checkpoint(example());
  EXPECT_EQ(bytes.substr(0, 12), std::string("\x89RCK\r\n\x1a\n\x02\0\0\0", 12));
  EXPECT_EQ(crc32("123456789"), 0xcbf43926u);  // the check value of the polynomial
  EXPECT_EQ(crc32("456789", crc32("123")), 0xcbf43926u);
}

// 500 truncations and bit flips, and every single truncation and flipped bit of the header and the first section.
TEST(Checkpoint, AllDamageIsNoticed) {
  const std::string good = encode_checkpoint(example());
  std::mt19937 random(1);
  const auto refused = [](const std::string& bytes) {
    try {
      decode_checkpoint(bytes, "file");
    } catch (const InputError& error) {
      return error.where() == "file" && !error.problem().empty();
    }
    return false;
  };
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_TRUE(refused(good.substr(0, size))) << size;
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ 1 << bit % 8);
    EXPECT_TRUE(refused(bad)) << bit;
  }
  for (int i = 0; i < 500; ++i) {  // several things at once
    std::string bad = good.substr(0, i % 2 == 0 ? good.size() : random() % good.size());
    for (std::size_t k = random() % 4 + 1; k > 0 && !bad.empty(); --k) {
      const std::size_t at = random() % bad.size();
      bad[at] = static_cast<char>(bad[at] ^ static_cast<int>(1u << random() % 8));
    }
    if (bad != good) {
      EXPECT_TRUE(refused(bad)) << i;
    }
  }
  EXPECT_TRUE(refused(good + '\0'));
  EXPECT_TRUE(refused(std::string(100, 'x')));
}

TEST(Checkpoint, HugeSizesAreNotAllocated) {
  std::string bad = encode_checkpoint(example());
  for (std::size_t i = 28 + 4; i < 28 + 12; ++i) bad[i] = '\x7f';  // the size of the first section
  EXPECT_THROW(decode_checkpoint(bad, "file"), InputError);
}

TEST(Checkpoint, AnotherVersionIsNamedWithOurs) {
  std::string bytes = encode_checkpoint(example());
  bytes[8] = 9;
  try {
    decode_checkpoint(bytes, "file");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.problem().find("version 9"), std::string::npos) << error.problem();
    EXPECT_NE(error.problem().find("version " + std::to_string(checkpoint_version)), std::string::npos)
        << error.problem();
  }
}

TEST(Checkpoint, NumbersThatAreNotFiniteAreRefused) {
  Checkpoint c = example();
  c.state.v[0] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(decode_checkpoint(encode_checkpoint(c), "file"), InputError);
}

TEST(CheckpointFolder, KeepsTheNewestAndTheOneBefore) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("checkpoint_x.rck")) << "not one of ours";
  std::ofstream(folder.file("checkpoint_00001.rck.tmp-1-2")) << "left by a process that was killed";
  for (const int frame : {0, 3, 6, 100000}) add_checkpoint(folder.file(""), example(frame));
  const auto files = checkpoint_files(folder.file(""));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(std::filesystem::path(files[0]).filename(), "checkpoint_100000.rck");
  EXPECT_EQ(std::filesystem::path(files[1]).filename(), "checkpoint_00006.rck");
  EXPECT_EQ(folder.count(), 3);
  EXPECT_EQ(newest_checkpoint(folder.file("")).checkpoint.frame, 100000);
}

TEST(CheckpointFolder, FallsBackToTheOlderOneAndSaysWhy) {
  const TemporaryFolder folder;
  EXPECT_THROW(newest_checkpoint(folder.file("")), InputError);
  add_checkpoint(folder.file(""), example(5));
  add_checkpoint(folder.file(""), example(10));
  std::filesystem::resize_file(folder.file("checkpoint_00010.rck"), 100);
  const FoundCheckpoint found = newest_checkpoint(folder.file(""));
  EXPECT_EQ(found.checkpoint.frame, 5);
  ASSERT_EQ(found.damage.size(), 1u);
  EXPECT_NE(found.damage[0].find("checkpoint_00010.rck"), std::string::npos);
  EXPECT_NE(found.damage[0].find("100 bytes"), std::string::npos) << found.damage[0];
  // The resumed run's next checkpoint replaces the damaged one.
  add_checkpoint(folder.file(""), example(6));
  EXPECT_EQ(newest_checkpoint(folder.file("")).checkpoint.frame, 6);
  EXPECT_EQ(checkpoint_files(folder.file("")).size(), 2u);
  std::ofstream(folder.file("checkpoint_00006.rck")) << "";
  std::ofstream(folder.file("checkpoint_00005.rck")) << "";
  EXPECT_THROW(newest_checkpoint(folder.file("")), InputError);
}

}  // namespace
}  // namespace resilin
