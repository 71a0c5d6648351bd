# Installs the built library into an empty prefix, then configures, builds and runs a host program that knows nothing but
# find_package(resilin): no SIMD flags, no include paths of this tree. Called by ctest with the -D values below.
foreach(variable BUILD SOURCE WORK VERSION GENERATOR COMPILER)
  if(NOT ${variable})
    message(FATAL_ERROR "test_install.cmake needs -D${variable}=")
  endif()
endforeach()

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run("installing" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run("configuring the consumer" ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run("building the consumer" ${CMAKE_COMMAND} --build ${WORK}/build)
run("running the consumer" ${WORK}/build/consumer)
if(NOT output MATCHES "resilin ${VERSION} ")
  message(FATAL_ERROR "the consumer printed something else than version ${VERSION}:\n${output}")
endif()

# What is installed must not lead back to this checkout.
get_filename_component(checkout ${SOURCE}/../../.. REALPATH)
file(GLOB_RECURSE installed ${WORK}/prefix/*.cmake ${WORK}/prefix/*.h)
if(NOT installed)
  message(FATAL_ERROR "no headers or CMake files were installed")
endif()
foreach(file ${installed})
  file(STRINGS ${file} lines REGEX "${checkout}/(src|include|build)")
  if(lines)
    message(FATAL_ERROR "${file} names the source tree: ${lines}")
  endif()
endforeach()
message(STATUS "${output}")
