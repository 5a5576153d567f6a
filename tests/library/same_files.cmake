# The files of the C and the Fortran example are equal byte for byte, whoever writes and however many compute.
# PROGRAMS: two or more; LAUNCH: the launcher up to -n; FOLDER.

include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(first "")

# run(PROGRAM RANKS TRANSPORT OPTIONS SERVERS): the file must equal the first one.
function(run program ranks transport options servers)
    get_filename_component(name "${program}" NAME)
    string(MAKE_C_IDENTIFIER "${name}_${ranks}_${transport}_${options}_${servers}" file)
    set(file "${FOLDER}/${file}.nc")
    do(${LAUNCH} ${ranks} "${program}" "${file}" "${transport}" "${options}" ${servers})
    if(NOT first)
        set(first "${file}" PARENT_SCOPE)
        return()
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${first}" "${file}" RESULT_VARIABLE different)
    if(different)
        message(FATAL_ERROR "${file} differs from ${first}")
    endif()
endfunction()

foreach(program IN LISTS PROGRAMS)
    run("${program}" 1 posted "mode = serial" 0)
    run("${program}" 2 persistent "mode = thread" 0)
    run("${program}" 3 neighbor "mode = servers" 1)
    run("${program}" 4 shared "mode = servers" 2)
    run("${program}" 4 auto "mode = auto" 0)
endforeach()
