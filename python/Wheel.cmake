# The extension in a wheel, with the shared libraries it needs beside it in iqbo/lib, so that it runs wherever it is put.
# What every Linux has (the C and C++ libraries) is left out. RPATH, not RUNPATH: it also holds for libraries of libraries.
set_target_properties(iqbo_python PROPERTIES INSTALL_RPATH "$ORIGIN/lib")
target_link_options(iqbo_python PRIVATE -Wl,--disable-new-dtags -Wl,--strip-all)
install(TARGETS iqbo_python LIBRARY DESTINATION iqbo COMPONENT python)
install(
  CODE [[
    file(GLOB extension "${CMAKE_INSTALL_PREFIX}/iqbo/_iqbo*.so")
    file(
      GET_RUNTIME_DEPENDENCIES
      MODULES ${extension}
      RESOLVED_DEPENDENCIES_VAR libraries
      UNRESOLVED_DEPENDENCIES_VAR missing
      PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|stdc\\+\\+|gcc_s)\\.so")
    if(missing)
      message(FATAL_ERROR "not found: ${missing}")
    endif()
    file(MAKE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/iqbo/lib")
    foreach(library ${libraries})
      get_filename_component(name "${library}" NAME)
      file(REAL_PATH "${library}" real) # a wheel has no links
      file(COPY_FILE "${real}" "${CMAKE_INSTALL_PREFIX}/iqbo/lib/${name}")
    endforeach()
  ]]
  COMPONENT python)
