# The page of `iqbo report` and `iqbo serve`: built from web/ with node and npm, and embedded in the room report as text. Without
# them, or if that fails, everything else is built and works, and `iqbo report` says what is missing.
option(IQBO_WEB "Build the page of iqbo report from web/, with node and npm" ON)

find_program(IQBO_NODE node)
find_program(IQBO_NPM npm)
mark_as_advanced(IQBO_NODE IQBO_NPM)
set(iqbo_npm "")
if(IQBO_WEB AND IQBO_NODE AND IQBO_NPM)
  set(iqbo_npm "${IQBO_NPM}")
elseif(IQBO_WEB)
  message(STATUS "no node and npm (Debian: nodejs, npm): iqbo report and iqbo serve will have no page to show")
endif()

file(
  GLOB_RECURSE iqbo_web
  CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/web/src/*"
  "${PROJECT_SOURCE_DIR}/web/*.json"
  "${PROJECT_SOURCE_DIR}/web/*.ts"
  "${PROJECT_SOURCE_DIR}/web/index.html")
list(FILTER iqbo_web EXCLUDE REGEX "/web/(node_modules|dist|tests|fixtures)/")

set(iqbo_page "${PROJECT_BINARY_DIR}/embedded_page.cpp")
add_custom_command(
  OUTPUT "${iqbo_page}" "${iqbo_page}.done"
  COMMAND "${CMAKE_COMMAND}" "-DWEB=${PROJECT_SOURCE_DIR}/web" "-DNPM=${iqbo_npm}" "-DLOG=${PROJECT_BINARY_DIR}/web.log"
          "-DOUT=${iqbo_page}" "-DDONE=${iqbo_page}.done" -P "${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake"
  DEPENDS ${iqbo_web} "${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake"
  COMMENT "Building the page from web/"
  VERBATIM)
target_sources(iqbo_report PRIVATE "${iqbo_page}")
target_include_directories(iqbo_report PRIVATE "${PROJECT_SOURCE_DIR}/src/report")
set_source_files_properties("${iqbo_page}" PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
