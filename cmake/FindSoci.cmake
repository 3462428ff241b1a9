# SOCI 4 (Debian: libsoci-dev), which brings no CMake files. Targets Soci::core, Soci::sqlite3, Soci::postgresql, the
# latter two with the libraries of their databases (libsqlite3-dev, libpq-dev).
include(FindPackageHandleStandardArgs)

find_path(Soci_INCLUDE_DIR soci/soci.h)
find_path(Soci_POSTGRESQL_INCLUDE_DIR libpq-fe.h PATH_SUFFIXES postgresql)
find_library(Soci_core_LIBRARY soci_core)
find_library(Soci_sqlite3_LIBRARY soci_sqlite3)
find_library(Soci_postgresql_LIBRARY soci_postgresql)
find_library(Soci_SQLITE_LIBRARY sqlite3) # for its error codes
find_library(Soci_PQ_LIBRARY pq) # for reading URLs
mark_as_advanced(Soci_INCLUDE_DIR Soci_POSTGRESQL_INCLUDE_DIR Soci_core_LIBRARY Soci_sqlite3_LIBRARY
                 Soci_postgresql_LIBRARY Soci_SQLITE_LIBRARY Soci_PQ_LIBRARY)
find_package_handle_standard_args(Soci REQUIRED_VARS Soci_core_LIBRARY Soci_sqlite3_LIBRARY Soci_postgresql_LIBRARY
                                                     Soci_SQLITE_LIBRARY Soci_PQ_LIBRARY Soci_INCLUDE_DIR)

if(Soci_FOUND AND NOT TARGET Soci::core)
  foreach(part core sqlite3 postgresql)
    add_library(Soci::${part} UNKNOWN IMPORTED)
    set_target_properties(Soci::${part} PROPERTIES IMPORTED_LOCATION "${Soci_${part}_LIBRARY}"
                                                   INTERFACE_INCLUDE_DIRECTORIES "${Soci_INCLUDE_DIR}")
  endforeach()
  target_link_libraries(Soci::sqlite3 INTERFACE Soci::core "${Soci_SQLITE_LIBRARY}")
  target_link_libraries(Soci::postgresql INTERFACE Soci::core "${Soci_PQ_LIBRARY}")
  if(Soci_POSTGRESQL_INCLUDE_DIR)
    target_include_directories(Soci::postgresql INTERFACE "${Soci_POSTGRESQL_INCLUDE_DIR}")
  endif()
endif()
