# iqbo_room(<name> [DEPENDS <room>...] [HEADERS <file>...] [SOURCES <file>...])
#
# One room of the architecture: the static library iqbo_<name>, or an interface without SOURCES, known as iqbo::<name> here
# and to consumers. HEADERS are files of include/iqbo/<name>, which are installed; SOURCES files of src/<name>. Headers in
# src/<name> are for this project alone: other rooms include them as "<name>/<file>". DEPENDS is the room's line in
# tools/layers.txt (the layers test compares the two).
include(GNUInstallDirs)

# The umbrella: iqbo::iqbo links every room, iqbo/iqbo.hpp includes what most programs need.
add_library(iqbo INTERFACE)
add_library(iqbo::iqbo ALIAS iqbo)
target_sources(iqbo INTERFACE FILE_SET HEADERS BASE_DIRS include FILES include/iqbo/iqbo.hpp)
install(
  TARGETS iqbo
  EXPORT iqboTargets
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The headers of src/, for what is built together with the rooms: other rooms, programs, tests, the Python module.
add_library(iqbo_private_headers INTERFACE)
target_include_directories(iqbo_private_headers INTERFACE "${PROJECT_SOURCE_DIR}/src")

# iqbo_batches(<variable> <name> <file>...): the files in batches, each compiled as one: most of the time is spent on headers
# and templates that they share. Files are named as an include path finds them, so that every clone compiles the same text.
function(iqbo_batches variable name)
  set(files ${ARGN})
  set(batches)
  while(files)
    list(SUBLIST files 0 ${IQBO_BATCH} batch)
    list(REMOVE_ITEM files ${batch})
    list(TRANSFORM batch REPLACE "(.+)" "#include \"\\1\"\n")
    string(CONCAT text ${batch})
    list(LENGTH batches number)
    set(file "${CMAKE_CURRENT_BINARY_DIR}/batches/${name}_${number}.cpp")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
    list(APPEND batches "${file}")
  endwhile()
  set(${variable} ${batches} PARENT_SCOPE)
endfunction()

function(iqbo_export_room name)
  set(target iqbo_${name})
  add_library(iqbo::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(iqbo INTERFACE ${target})
  install(
    TARGETS ${target}
    EXPORT iqboTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

function(iqbo_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "DEPENDS;HEADERS;SOURCES")
  if(room_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "iqbo_room(${name}): unexpected ${room_UNPARSED_ARGUMENTS}")
  endif()
  list(TRANSFORM room_DEPENDS PREPEND iqbo_)
  list(TRANSFORM room_HEADERS PREPEND include/iqbo/${name}/)
  set(target iqbo_${name})
  if(NOT room_SOURCES)
    add_library(${target} INTERFACE)
    target_sources(${target} INTERFACE FILE_SET HEADERS BASE_DIRS include FILES ${room_HEADERS})
    target_link_libraries(${target} INTERFACE ${room_DEPENDS})
    iqbo_export_room(${name})
    return()
  endif()
  if(IQBO_BATCH GREATER 1)
    list(TRANSFORM room_SOURCES PREPEND ${name}/)
    iqbo_batches(room_SOURCES ${name} ${room_SOURCES})
  else()
    list(TRANSFORM room_SOURCES PREPEND src/${name}/)
  endif()
  add_library(${target} STATIC)
  target_sources(
    ${target}
    PRIVATE ${room_SOURCES}
    PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${room_HEADERS})
  # BUILD_INTERFACE: what only our sources need, and consumers do not.
  target_link_libraries(
    ${target}
    PUBLIC ${room_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:iqbo_warnings> $<BUILD_INTERFACE:Boost::headers> $<BUILD_INTERFACE:iqbo_private_headers>)

  if(NOT room_DEPENDS)
    # The foundation carries what everybody who includes iqbo must share. -march is part of that: Eigen's alignment, and
    # so the layout of classes that hold its vectors, follows from the instruction set. Mixing two breaks the ABI.
    target_compile_features(${target} PUBLIC cxx_std_20)
    if(IQBO_ARCH)
      target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:CXX>:-march=${IQBO_ARCH}>)
    endif()
    if(IQBO_ALIGN)
      target_compile_definitions(${target} PUBLIC EIGEN_MAX_ALIGN_BYTES=${IQBO_ALIGN} EIGEN_MAX_STATIC_ALIGN_BYTES=${IQBO_ALIGN})
    endif()
  endif()

  if(IQBO_PRECOMPILE AND room_DEPENDS)
    target_precompile_headers(${target} REUSE_FROM iqbo_core)
  elseif(IQBO_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${IQBO_PRECOMPILED})
  endif()

  set_property(GLOBAL APPEND PROPERTY iqbo_archives ${target})
  iqbo_export_room(${name})
endfunction()
