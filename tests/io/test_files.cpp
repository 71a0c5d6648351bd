#include "core/expect_input_error.h"
#include "io/io_support.h"

namespace resilin::test {
namespace {

TEST(Files, WhatIsWrittenIsRead) {
  const TemporaryFolder folder;
  std::string bytes;
  for (int i = 0; i < 300000; ++i) bytes += static_cast<char>(i * 7 % 256);
  write_file(folder.file("a.bin"), bytes);
  EXPECT_EQ(slurp(folder.file("a.bin")), bytes);
  EXPECT_EQ(read_file(folder.file("a.bin")), bytes);
}

TEST(Files, ReplacingLeavesOneFileAndNoTemporary) {
  const TemporaryFolder folder;
  write_file(folder.file("a"), "a long first version");
  write_file(folder.file("a"), "second");
  EXPECT_EQ(slurp(folder.file("a")), "second");
  EXPECT_EQ(folder.count(), 1);
}

TEST(Files, AFailedWriteLeavesTheOldOneAndNoTemporary) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("taken"));  // a file cannot replace a folder
  std::ofstream(folder.file("taken/inside")) << "kept";
  const InputError error = input_error([&] { write_file(folder.file("taken"), "new"); });
  EXPECT_EQ(error.where(), folder.file("taken"));
  EXPECT_TRUE(says(error, "cannot be written"));
  EXPECT_EQ(folder.count(), 1);
  EXPECT_EQ(slurp(folder.file("taken/inside")), "kept");
}

TEST(Files, AnUnwritableFolderIsAClearError) {
  const TemporaryFolder folder;
  says(input_error([&] { write_file(folder.file("no/such/folder/a"), "x"); }), "No such file or directory");
  write_file(folder.file("plain"), "");
  says(input_error([&] { write_file(folder.file("plain/a"), "x"); }), "Not a directory");
  const InputError error = input_error([&] { write_file("/proc/resilin_test", "x"); });
  EXPECT_EQ(error.where(), "/proc/resilin_test");
}

TEST(Files, WhatAKilledWriterLeftIsDeleted) {
  const TemporaryFolder folder;
  for (const char* name : {"a.vtu.tmp-12-0", "b.tmp-1-22", "a.vtu", "a.tmp", "a.tmp-1-2.vtu", "a.tmp-1-x"})
    write_file(folder.file(name), "");
  remove_temporary_files(folder.file(""));
  EXPECT_EQ(folder.count(), 4);
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.vtu.tmp-12-0")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("b.tmp-1-22")));
  remove_temporary_files(folder.file("nowhere"));
}

TEST(Files, AMissingFileIsAClearError) {
  const TemporaryFolder folder;
  const InputError error = input_error([&] { read_file(folder.file("none")); });
  EXPECT_EQ(error.where(), folder.file("none"));
  says(error, "cannot be read: No such file or directory");
  std::filesystem::create_directory(folder.file("folder"));
  says(input_error([&] { read_file(folder.file("folder")); }), "Is a directory");
}

}  // namespace
}  // namespace resilin::test
