# What a wheel has: the extension, the program, and in iqbo/lib libiqbo.so and the shared libraries that it needs, so that all of it
# runs wherever it is put. What every Linux has (the C and C++ libraries) is left out. RPATH, not RUNPATH: it also holds for
# libraries of libraries.
set_target_properties(iqbo_python PROPERTIES INSTALL_RPATH "$ORIGIN/lib")
set_target_properties(iqbo_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
foreach(target iqbo_python iqbo_cli)
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags -Wl,--strip-all)
endforeach()
install(TARGETS iqbo_python LIBRARY DESTINATION iqbo COMPONENT python)
install(TARGETS iqbo_cli RUNTIME DESTINATION iqbo/bin COMPONENT python)
install(TARGETS iqbo_shared LIBRARY DESTINATION iqbo/lib COMPONENT python)
install(PROGRAMS iqbo_script.py DESTINATION "${SKBUILD_SCRIPTS_DIR}" RENAME iqbo COMPONENT python)

# The library once more for each instruction set of IQBO_HWCAPS, in the folder where ld.so looks for it.
include(ExternalProject)
foreach(level ${IQBO_HWCAPS})
  set(build "${PROJECT_BINARY_DIR}.${level}") # as deep as other builds, so that ccache knows what it compiles
  ExternalProject_Add(
    iqbo_${level}
    SOURCE_DIR "${PROJECT_SOURCE_DIR}"
    BINARY_DIR "${build}"
    CMAKE_ARGS -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
               -DIQBO_DEVELOPER=OFF
               -DIQBO_PRECOMPILE=${IQBO_PRECOMPILE}
               -DIQBO_WEB=${IQBO_WEB}
               -DIQBO_ARCH=${level}
               -DIQBO_WERROR=${IQBO_WERROR}
               -DIQBO_SHARED=ON
    BUILD_COMMAND "${CMAKE_COMMAND}" --build "${build}" --target iqbo_shared
    BUILD_ALWAYS ON
    INSTALL_COMMAND ""
    USES_TERMINAL_BUILD ON)
  ExternalProject_Add_StepDependencies(iqbo_${level} build iqbo_shared) # one after the other: both build the page
  add_dependencies(iqbo_python iqbo_${level})
  install(FILES "${build}/libiqbo.so" DESTINATION "iqbo/lib/glibc-hwcaps/${level}" COMPONENT python)
endforeach()

install(
  CODE [[
    set(package "${CMAKE_INSTALL_PREFIX}/iqbo")
    file(GLOB extension "${package}/_iqbo*.so")
    file(
      GET_RUNTIME_DEPENDENCIES
      MODULES ${extension}
      EXECUTABLES "${package}/bin/iqbo"
      LIBRARIES "${package}/lib/libiqbo.so"
      RESOLVED_DEPENDENCIES_VAR libraries
      UNRESOLVED_DEPENDENCIES_VAR missing
      PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|stdc\\+\\+|gcc_s|iqbo)\\.so")
    if(missing)
      message(FATAL_ERROR "not found: ${missing}")
    endif()
    foreach(library ${libraries})
      get_filename_component(name "${library}" NAME)
      file(REAL_PATH "${library}" real) # a wheel has no links
      file(COPY_FILE "${real}" "${package}/lib/${name}")
    endforeach()
  ]]
  COMPONENT python)

# A bill of materials, and the licences of what is carried along (Debian's records know them; elsewhere there is none).
find_program(IQBO_DPKG dpkg-query)
mark_as_advanced(IQBO_DPKG)
if(IQBO_DPKG)
  install(
    CODE "execute_process(COMMAND \"${Python_EXECUTABLE}\" \"${PROJECT_SOURCE_DIR}/tools/sbom.py\" --name iqbo --version ${PROJECT_VERSION}
          --out \"${SKBUILD_METADATA_DIR}/sboms/iqbo.spdx.json\" --licences \"${SKBUILD_METADATA_DIR}/licenses\"
          \"$<TARGET_FILE:iqbo_shared>\" \"$<TARGET_FILE:iqbo_cli>\" COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT python)
endif()
