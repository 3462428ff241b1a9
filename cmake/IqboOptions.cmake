# How iqbo itself is compiled. What a consumer must share with us (C++20, IQBO_ARCH) is set in IqboRoom.cmake.
include(CheckCXXCompilerFlag)

option(IQBO_DEVELOPER "Build tests, examples and benchmarks" ${PROJECT_IS_TOP_LEVEL})

option(IQBO_WERROR "Warnings are errors" ${IQBO_DEVELOPER})

option(IQBO_TESTS "Of a developer's build: tests, benchmarks, studies and the Python module, which need more packages" ON)

option(IQBO_FUZZ "Build libFuzzer targets; needs clang" OFF)

set(IQBO_SANITIZE "" CACHE STRING "Sanitizers: empty, \"address,undefined\" or \"thread\"")
set_property(CACHE IQBO_SANITIZE PROPERTY STRINGS "" "address,undefined" "thread")

# Not under sanitizers: a Python built without them would have to load their libraries first.
include(CMakeDependentOption)
cmake_dependent_option(IQBO_PYTHON_MODULE "Build the Python module; needs pybind11 and NumPy" "${IQBO_DEVELOPER}"
                       "NOT IQBO_SANITIZE AND PROJECT_IS_TOP_LEVEL AND (IQBO_TESTS OR NOT IQBO_DEVELOPER)" OFF)

# Eigen gets its speed from the instructions the compiler may use. x86-64-v3 (AVX2 and FMA: Intel since 2013, AMD since
# 2015) is 2.4 times as fast as the baseline at what we do most, and gives the same bits on every machine that has it; the numbers
# are in docs/performance.md.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND NOT MSVC)
  set(iqbo_default_arch "x86-64-v3")
else()
  set(iqbo_default_arch "")
endif()
if(IQBO_PYTHON_WHEEL AND DEFINED ENV{IQBO_ARCH})
  set(iqbo_default_arch "$ENV{IQBO_ARCH}") # pip passes no options
endif()
set(IQBO_ARCH "${iqbo_default_arch}" CACHE STRING "Value of -march: empty (compiler's default), x86-64-v3, native, ...")
if(IQBO_ARCH)
  string(MAKE_C_IDENTIFIER "IQBO_HAS_MARCH_${IQBO_ARCH}" iqbo_has_arch)
  check_cxx_compiler_flag("-march=${IQBO_ARCH}" ${iqbo_has_arch})
  if(NOT ${iqbo_has_arch})
    message(FATAL_ERROR "the compiler does not know -march=${IQBO_ARCH}; set IQBO_ARCH to what it knows, or to nothing")
  endif()
endif()

# A wheel for any machine has libiqbo.so for the baseline, and beside it one for each of these instruction sets; the dynamic linker
# takes the best that the processor has. A program that works with either needs one alignment for both: that of AVX.
set(iqbo_hwcaps "")
if(IQBO_PYTHON_WHEEL AND DEFINED ENV{IQBO_HWCAPS})
  set(iqbo_hwcaps "$ENV{IQBO_HWCAPS}")
endif()
set(IQBO_HWCAPS "${iqbo_hwcaps}" CACHE STRING "Further instruction sets in a wheel, as ld.so names them: x86-64-v3")
option(IQBO_SHARED "Also build libiqbo.so: all rooms in one shared library" "${IQBO_PYTHON_WHEEL}")
set(iqbo_align "")
if(IQBO_HWCAPS)
  set(iqbo_align 32)
endif()
set(IQBO_ALIGN "${iqbo_align}" CACHE STRING "Alignment of Eigen's objects in bytes; empty: what IQBO_ARCH asks for")

get_property(iqbo_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT iqbo_multi_config)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo or MinSizeRel" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # the rooms also go into a Python module
add_compile_definitions(EIGEN_MPL2_ONLY) # refuses the few LGPL files of Eigen; a rule for us, not for consumers

# Reading Eigen takes a quarter to a half of the time of compiling a file. Not for clang-tidy, which cannot read what
# gcc has precompiled.
option(IQBO_PRECOMPILE "Precompile Eigen and the standard library" ${IQBO_DEVELOPER})
set(IQBO_PRECOMPILED <Eigen/Dense> <algorithm> <cmath> <functional> <memory> <optional> <string> <variant> <vector>)

# So many files of a room are compiled as one: all of them, which takes half the time of batches of six (templates are
# instantiated once), and up to 1.7 GB of memory for a process. Names in unnamed namespaces must then differ within a room.
# clang-tidy gets each file alone.
set(IQBO_BATCH 100 CACHE STRING "Files of a room compiled together: 1, each alone, is best for editing one file again and again")

# gcc tidies its memory again and again while it reads templates; with half a gigabyte before the first time it takes a tenth less time.
# clang-tidy knows no such option.
if(PROJECT_IS_TOP_LEVEL AND IQBO_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=524288 --param ggc-min-expand=100>")
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(IQBO_CCACHE ccache)
  mark_as_advanced(IQBO_CCACHE)
  if(IQBO_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${IQBO_CCACHE}")
    if(IQBO_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # What ccache asks for before it caches files compiled with a precompiled header. The last two: that header is made while
      # configuring, and so is often too young for ccache, which would then make it anew in every clone.
      set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${IQBO_CCACHE}")
      add_compile_options(-fpch-preprocess)
    endif()
  endif()
endif()

if(IQBO_SANITIZE)
  set(iqbo_sanitize_flags -fsanitize=${IQBO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(IQBO_SANITIZE MATCHES "address.*undefined|undefined.*address")
    # Tests of every pointer take half of the time of compiling Eigen. AddressSanitizer, and the processor for aligned
    # loads, find the same mistakes; vptr also wants type information that SOCI hides.
    list(APPEND iqbo_sanitize_flags -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr)
  endif()
  add_compile_options(${iqbo_sanitize_flags})
  add_link_options(-fsanitize=${IQBO_SANITIZE})
endif()

# Warnings of our own code, never of what we include (imported targets are SYSTEM) and never a consumer's concern: a
# newer compiler with a new warning must not break a build that only uses iqbo.
add_library(iqbo_warnings INTERFACE)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(
    iqbo_warnings
    INTERFACE -Wall
              -Wextra
              -Wpedantic
              -Wshadow
              -Wconversion
              -Wsign-conversion
              -Wdouble-promotion
              -Wold-style-cast
              -Wcast-qual
              -Wnon-virtual-dtor
              -Woverloaded-virtual
              $<$<BOOL:${IQBO_WERROR}>:-Werror>)
  if(IQBO_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # These two guess from inlined Eigen code, wrongly under sanitizers, which find the real mistakes anyway.
    target_compile_options(iqbo_warnings INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds)
  endif()
endif()

# Compiles every public header alone: target all_verify_interface_header_sets, which ./dev lint builds.
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ${IQBO_DEVELOPER})
