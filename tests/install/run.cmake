# Installs the build tree into an empty prefix, builds the project beside this file against it, runs what it built.
#   cmake -DBUILD= -DSCRATCH= -DGENERATOR= -DCOMPILER= -DLAUNCHER= -DBUILD_TYPE= -DSANITIZE= -P run.cmake
set(prefix "${SCRATCH}/prefix")
set(consumer "${SCRATCH}/consumer")
file(REMOVE_RECURSE "${prefix}" "${consumer}")

set(flags "")
if(SANITIZE) # the installed archives need the sanitizer's runtime
  set(flags "-DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE}")
endif()

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${consumer}" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${prefix}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
    ${flags})
run("${CMAKE_COMMAND}" --build "${consumer}")

function(expect program expected)
  execute_process(COMMAND "${consumer}/${program}" OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "${program} printed\n${printed}expected\n${expected}")
  endif()
endfunction()
expect(consumer "mean 0.800000, variance 0.200000\n")
expect(core_only "2 points of dimension 2\nsame numbers from the same seed\nx: 1 columns, expected 2\n")

run("${consumer}/stranger")

# What we keep to ourselves must not leak into a consumer's build.
file(GLOB exported "${prefix}/*/cmake/iqbo/*.cmake" "${prefix}/*/*/cmake/iqbo/*.cmake")
foreach(file IN LISTS exported)
  file(STRINGS "${file}" leaks REGEX "iqbo_warnings|Werror|Boost|fsanitize|EIGEN_MPL2_ONLY")
  if(leaks)
    message(FATAL_ERROR "${file} exports ${leaks}")
  endif()
endforeach()
if(NOT exported)
  message(FATAL_ERROR "nothing was exported to ${prefix}")
endif()
