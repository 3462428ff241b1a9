# cmake -DCASE=<file.cpp> -DCOMPILE=<compiler and flags> -P run.cmake
#
# The case must compile as it is (the control: its includes are right) and must not compile with -DMUST_FAIL, and every
# error must match the regular expression of its line "// error: ...". All that differs is the line under test.
set(ENV{LC_ALL} C) # errors in English, quotes in ASCII

file(STRINGS "${CASE}" expected REGEX "^// error: ")
string(REPLACE "// error: " "" expected "${expected}")
if(NOT expected)
  message(FATAL_ERROR "${CASE} has no line \"// error: <regular expression>\"")
endif()

execute_process(COMMAND ${COMPILE} "${CASE}" RESULT_VARIABLE failed ERROR_VARIABLE errors)
if(failed)
  message(FATAL_ERROR "the control does not compile, so the case shows nothing:\n${errors}")
endif()

execute_process(COMMAND ${COMPILE} -DMUST_FAIL "${CASE}" RESULT_VARIABLE failed ERROR_VARIABLE errors)
if(NOT failed)
  message(FATAL_ERROR "compiled, but must not")
endif()
string(REGEX MATCHALL "error: [^\n]*" lines "${errors}")
if(NOT lines)
  message(FATAL_ERROR "failed without an error line:\n${errors}")
endif()
foreach(line IN LISTS lines)
  if(NOT line MATCHES "${expected}")
    message(FATAL_ERROR "failed for another reason than \"${expected}\":\n${errors}")
  endif()
endforeach()
