# Installs the built library into an empty prefix, then configures, builds and runs a host program that knows nothing but
# find_package(resilin): no SIMD flags, no include paths of this tree. Called by ctest with the -D values below.
foreach(variable BUILD SOURCE EXAMPLES WORK VERSION GENERATOR COMPILER)
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
set(consumer_output "${output}")
if(NOT output MATCHES "resilin ${VERSION} ")
  message(FATAL_ERROR "the consumer printed something else than version ${VERSION}:\n${output}")
endif()

# The embedding example is such a host program too.
run("configuring examples/embed" ${CMAKE_COMMAND} -S ${EXAMPLES}/embed -B ${WORK}/embed -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run("building examples/embed" ${CMAKE_COMMAND} --build ${WORK}/embed)
run("running examples/embed" ${WORK}/embed/embed)
if(NOT output MATCHES "do not disturb each other")
  message(FATAL_ERROR "examples/embed printed:\n${output}")
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
message(STATUS "${consumer_output}${output}")
