# cmake -DWEB=<folder> -DNPM=<program or ""> -DLOG=<file> -DOUT=<file>.cpp -DDONE=<file> -P EmbedPage.cmake
#
# Builds <folder>/dist/index.html with npm and writes it as a C++ source; without npm, or if that fails, one that says why.
# DONE is written unless npm failed: without it the next build tries again.
file(REMOVE "${DONE}")
set(html "")
set(missing "")

# run(<argument>...): npm with these; afterwards `missing` says so if it failed.
macro(run)
  execute_process(
    COMMAND "${NPM}" ${ARGN}
    WORKING_DIRECTORY "${WEB}"
    OUTPUT_FILE "${LOG}"
    ERROR_FILE "${LOG}"
    RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "npm ${ARGN}")
    set(missing "this iqbo has no page to show: `${command}` failed when it was built (see ${LOG}). Mend that and build again. Everything else works")
    message(WARNING "${command} failed, see ${LOG}: iqbo report will have no page")
  endif()
endmacro()

if(NOT EXISTS "${WEB}/package.json")
  # Enough for whoever works on the other side of the contract.
  set(html "<!doctype html><title>iqbo</title>\n<script type=\"application/json\" id=\"document\">null</script>\n")
elseif(NPM STREQUAL "")
  set(missing "this iqbo was built without node and npm and has no page to show. Install them (Debian: apt-get install nodejs npm) and build again. Everything else works, and --json prints what the page would show")
else()
  if("${WEB}/package-lock.json" IS_NEWER_THAN "${WEB}/node_modules/.package-lock.json")
    run(ci --no-audit --no-fund)
  endif()
  if(missing STREQUAL "")
    run(run build)
  endif()
  if(missing STREQUAL "")
    file(READ "${WEB}/dist/index.html" html)
  endif()
endif()

if(html MATCHES "\\)IQBO_PAGE\"")
  message(FATAL_ERROR "the page ends its own literal")
endif()
file(
  WRITE "${OUT}"
  "// Made from web/ by cmake/EmbedPage.cmake.
#include \"embedded_page.hpp\"

namespace iqbo::internal {

const std::string_view kEmbeddedPage = R\"IQBO_PAGE(${html})IQBO_PAGE\";
const std::string_view kEmbeddedPageMissing = R\"IQBO_PAGE(${missing})IQBO_PAGE\";

}  // namespace iqbo::internal
")
if(NOT NPM STREQUAL "" AND NOT missing STREQUAL "")
  return()
endif()
file(TOUCH "${DONE}")
