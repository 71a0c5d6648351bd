#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "resilin/watch.h"

namespace resilin {
namespace {

TEST(Watch, HearsWhatIsBegunAndStopsIt) {
  watch_begin("nobody listens");
  watch_check();
  std::vector<std::string> heard;
  bool enough = false;
  {
    const Watch watch([&](const std::string& what) { heard.push_back(what); }, [&] { return enough; });
    watch_begin("meshing");
    watch_check();
    enough = true;
    EXPECT_THROW(watch_check(), Cancelled);
    EXPECT_THROW(watch_begin("factorising"), Cancelled);
  }
  EXPECT_EQ(heard, (std::vector<std::string>{"meshing", "factorising"}));
  watch_check();
}

TEST(Watch, TheInnermostOfTheOwnThreadCounts) {
  const Watch outer([](const std::string&) {}, [] { return true; });
  {
    const Watch inner([](const std::string&) {}, [] { return false; });
    EXPECT_EQ(Watch::current(), &inner);
    EXPECT_NO_THROW(watch_check());
  }
  EXPECT_EQ(Watch::current(), &outer);
  EXPECT_THROW(watch_check(), Cancelled);
  std::thread([] { EXPECT_EQ(Watch::current(), nullptr); }).join();
}

}  // namespace
}  // namespace resilin
