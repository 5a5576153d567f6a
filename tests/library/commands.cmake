# Commands that must end as expected, for the other scripts of this folder.

# expect(STATUS WORDS COMMAND...): the command ends with that exit code and says what matches WORDS, its lines joined by blanks. What
# it said stands in `said` afterwards.
function(expect status words)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE got OUTPUT_VARIABLE said ERROR_VARIABLE said)
    string(REGEX REPLACE "[ \n]+" " " flat "${said}")
    if(NOT got EQUAL status OR NOT flat MATCHES "${words}")
        string(REPLACE ";" " " command "${ARGN}")
        message("${said}")
        message(FATAL_ERROR "${command}: status ${got}, expected ${status} and: ${words}")
    endif()
    set(said "${said}" PARENT_SCOPE)
endfunction()

# do(COMMAND...): the command succeeds, whatever it says.
function(do)
    expect(0 "" ${ARGN})
endfunction()
