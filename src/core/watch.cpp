#include "resilin/watch.h"

#include <utility>

namespace resilin {
namespace {

thread_local const Watch* watching = nullptr;

}  // namespace

Watch::Watch(Begin begin, Stop stop) : begin_(std::move(begin)), stop_(std::move(stop)), before_(watching) {
  watching = this;
}

Watch::~Watch() { watching = before_; }

const Watch* Watch::current() { return watching; }

void watch_begin(const std::string& what) {
  if (watching == nullptr) return;
  watching->begin(what);
  watch_check();
}

void watch_check() {
  if (watching != nullptr && watching->stops()) throw Cancelled();
}

}  // namespace resilin
