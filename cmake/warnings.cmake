# Linked by our own targets only: an embedding project keeps its own warnings.
add_library(resilin_warnings INTERFACE)
target_compile_options(resilin_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wno-psabi)
# g++ 12 is wrong about std::string (-Wrestrict) and about the fill characters of fmt 9 (-Wstringop-overflow).
target_compile_options(resilin_warnings INTERFACE -Wno-restrict -Wno-stringop-overflow)
option(RESILIN_WERROR "Warnings are errors" OFF)
if(RESILIN_WERROR)
  target_compile_options(resilin_warnings INTERFACE -Werror)
endif()
