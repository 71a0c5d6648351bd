# One line per plugin: resilin_add(material neo_hookean) compiles the file, requires its test and lists it in a
# generated registry. A new KIND is one resilin_kind line; nothing else knows the kinds.

# resilin_kind(KIND folder HEADER header TYPE type [TESTS folder] [TARGET target]): TESTS is where test_<name>.cpp must
# exist; left out for kinds whose contract test over the registry is the test (experiments). TARGET is what the plugins are
# compiled into, `resilin` unless said otherwise.
function(resilin_kind kind folder)
  cmake_parse_arguments(arg "" "HEADER;TYPE;TESTS;TARGET" "" ${ARGN})
  if(NOT arg_TARGET)
    set(arg_TARGET resilin)
  endif()
  set_property(GLOBAL APPEND PROPERTY resilin_kinds ${kind})
  set_property(GLOBAL PROPERTY resilin_${kind}_folder ${folder})
  set_property(GLOBAL PROPERTY resilin_${kind}_header ${arg_HEADER})
  set_property(GLOBAL PROPERTY resilin_${kind}_type ${arg_TYPE})
  set_property(GLOBAL PROPERTY resilin_${kind}_tests "${arg_TESTS}")
  set_property(GLOBAL PROPERTY resilin_${kind}_target ${arg_TARGET})
endfunction()

# A name may have dots (experiments by subject: files.surface_bodies); its file and its function have '_' there.
function(resilin_add kind name)
  string(REPLACE "." "_" file ${name})
  get_property(folder GLOBAL PROPERTY resilin_${kind}_folder)
  get_property(tests GLOBAL PROPERTY resilin_${kind}_tests)
  get_property(target GLOBAL PROPERTY resilin_${kind}_target)
  if(NOT folder)
    message(FATAL_ERROR "resilin_add: there is no kind '${kind}' (see resilin_kind in src/CMakeLists.txt)")
  endif()
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${folder}/${file}.cpp)
    message(FATAL_ERROR "resilin_add(${kind} ${name}): ${folder}/${file}.cpp does not exist")
  endif()
  if(tests AND NOT EXISTS ${PROJECT_SOURCE_DIR}/${tests}/test_${file}.cpp)
    message(FATAL_ERROR "resilin_add(${kind} ${name}): write its test, ${tests}/test_${file}.cpp")
  endif()
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/${folder}/${file}.cpp)
  set_property(GLOBAL APPEND PROPERTY resilin_${kind}_plugins ${name})
endfunction()

# resilin_write_registries(target): one registry source per kind of that target; called after all its resilin_add lines.
function(resilin_write_registries wanted)
  get_property(kinds GLOBAL PROPERTY resilin_kinds)
  foreach(kind ${kinds})
    get_property(target GLOBAL PROPERTY resilin_${kind}_target)
    if(NOT target STREQUAL wanted)
      continue()
    endif()
    get_property(header GLOBAL PROPERTY resilin_${kind}_header)
    get_property(type GLOBAL PROPERTY resilin_${kind}_type)
    get_property(plugins GLOBAL PROPERTY resilin_${kind}_plugins)
    set(declarations "")
    set(entries "")
    foreach(name ${plugins})
      string(REPLACE "." "_" function ${name})
      string(APPEND declarations "${type} ${kind}_${function}();\n")
      string(APPEND entries "      {\"${name}\", ${kind}_${function}()},\n")
    endforeach()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/registry_${kind}.cpp @ONLY CONTENT
"// Written by cmake/resilin_add.cmake from the resilin_add(${kind} ...) lines.
#include \"resilin/registry.h\"
#include \"@header@\"

namespace resilin {
@declarations@
template <>
const std::vector<Registered<@type@>>& registry<@type@>() {
  static const std::vector<Registered<@type@>> list = {
@entries@  };
  return list;
}

}  // namespace resilin
")
    target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated/registry_${kind}.cpp)
  endforeach()
endfunction()
