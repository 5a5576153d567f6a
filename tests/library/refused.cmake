# What a user of a model sees when it names a transport that does not exist: one message, by way of the model, and the
# exit code of a refusal, from all ranks together. PROGRAMS, LAUNCH as in same_files.cmake; FOLDER exists.

foreach(program IN LISTS PROGRAMS)
    execute_process(COMMAND ${LAUNCH} 3 "${program}" "${FOLDER}/refused.nc" neighbour
        RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    string(REGEX MATCHALL "heat: error: [^\n]*" messages "${output}")
    list(LENGTH messages count)
    if(NOT status EQUAL 2 OR NOT count EQUAL 1 OR NOT messages MATCHES "neighbour.*did you mean neighbor")
        message(FATAL_ERROR "${program}: status ${status}, expected 2, and one message:\n${output}")
    endif()
endforeach()
