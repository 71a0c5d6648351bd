#include "core/expect_input_error.h"
#include "io/io_support.h"
#include "io/run_log.h"

namespace resilin::test {
namespace {

TEST(RunLog, OneLinePerAppendVisibleAtOnce) {
  const TemporaryFolder folder;
  RunLog log(folder.file("run.jsonl"));
  log.append(Value::Object{{"frame", 1}, {"residual", 0.1}});
  EXPECT_EQ(slurp(folder.file("run.jsonl")), "{\"frame\":1,\"residual\":0.1}\n");
  log.append(Value::Object{{"frame", 2}, {"text", "two\nlines"}});
  log.close();
  EXPECT_EQ(slurp(folder.file("run.jsonl")),
            "{\"frame\":1,\"residual\":0.1}\n{\"frame\":2,\"text\":\"two\\nlines\"}\n");
}

TEST(RunLog, NeverContinuesAnotherRunsLog) {
  const TemporaryFolder folder;
  write_file(folder.file("run.jsonl"), "old\n");
  says(input_error([&] { RunLog log(folder.file("run.jsonl")); }), "File exists");
  EXPECT_EQ(slurp(folder.file("run.jsonl")), "old\n");
}

TEST(RunLog, AnUnwritableFolderIsAClearError) {
  says(input_error([] { RunLog log("/proc/resilin_test/run.jsonl"); }), "cannot be written");
}

TEST(RunLog, JsonHasNoNan) {
  EXPECT_EQ(finite_or_null(std::nan("")).dump(), "null");
  EXPECT_EQ(finite_or_null(-std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(finite_or_null(0.1).dump(), "0.1");
}

}  // namespace
}  // namespace resilin::test
