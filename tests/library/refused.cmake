# What a user of a model sees when it names a transport that does not exist: one message, by way of the model, and the
# exit code of a refusal, from all ranks together. PROGRAMS, LAUNCH as in same_files.cmake; FOLDER exists.

include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")
foreach(program IN LISTS PROGRAMS)
    expect(2 "heat: error: .*neighbour.*did you mean neighbor" ${LAUNCH} 3 "${program}" "${FOLDER}/refused.nc" neighbour)
    string(REGEX MATCHALL "heat: error: " messages "${said}")
    list(LENGTH messages count)
    if(NOT count EQUAL 1)
        message(FATAL_ERROR "${program}: expected one message:\n${said}")
    endif()
endforeach()
