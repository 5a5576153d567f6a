# cmake -DFOLDER=SOURCES -DHEADER=FILE -P source_state.cmake: writes which commit the sources are, and whether they were changed
# since; nothing where git does not know (an archive of the sources). The file keeps its age if that is the same.

set(state "")
if(EXISTS "${FOLDER}/.git")
    execute_process(COMMAND git -C "${FOLDER}" describe --always --dirty --abbrev=12
        OUTPUT_VARIABLE state OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "#pragma once\n\n#define GROUNDSWELL_SOURCE_STATE \"${state}\"\n")
set(old "")
if(EXISTS "${HEADER}")
    file(READ "${HEADER}" old)
endif()
if(NOT text STREQUAL old)
    file(WRITE "${HEADER}" "${text}")
endif()
