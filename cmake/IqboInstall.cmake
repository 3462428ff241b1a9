# find_package(iqbo): targets iqbo::iqbo and iqbo::<room>. Boost and Random123 are used inside .cpp files only, and
# headers only: a consumer needs Eigen, and NLopt and SOCI to link.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(iqbo_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/iqbo")

install(
  EXPORT iqboTargets
  NAMESPACE iqbo::
  DESTINATION ${iqbo_config_dir})

configure_package_config_file(cmake/iqboConfig.cmake.in "${PROJECT_BINARY_DIR}/iqboConfig.cmake"
                              INSTALL_DESTINATION ${iqbo_config_dir})
# Until 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/iqboConfigVersion.cmake" COMPATIBILITY SameMinorVersion)

install(FILES "${PROJECT_BINARY_DIR}/iqboConfig.cmake" "${PROJECT_BINARY_DIR}/iqboConfigVersion.cmake"
              cmake/FindSoci.cmake
        DESTINATION ${iqbo_config_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
