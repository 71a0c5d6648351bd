// The page, bundled when this was built, as it lies in memory: assembled into the program without a detour over C++
// literals. Files that could not be made are empty.
#include "server.h"

#define RESILIN_INCLUDE_FILE(symbol, file)                                                                   \
  asm(".section .rodata\n" #symbol "_begin:\n.incbin \"" file "\"\n" #symbol "_end:\n.byte 0\n.previous\n"); \
  extern "C" const char symbol##_begin[], symbol##_end[];

RESILIN_INCLUDE_FILE(resilin_page_html, RESILIN_PAGE_DIR "/index.html")
RESILIN_INCLUDE_FILE(resilin_page_js, RESILIN_PAGE_DIR "/page.js")
RESILIN_INCLUDE_FILE(resilin_page_css, RESILIN_PAGE_DIR "/page.css")

namespace resilin::viewer {

Page bundled_page() {
  const auto between = [](const char* begin, const char* end) {
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
  };
  return {between(resilin_page_html_begin, resilin_page_html_end),
          between(resilin_page_js_begin, resilin_page_js_end),
          between(resilin_page_css_begin, resilin_page_css_end)};
}

}  // namespace resilin::viewer
