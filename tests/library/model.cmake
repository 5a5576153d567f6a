# A model of somebody else's, as a user runs it: what is wrong with its case is refused by name, its bits are those of
# one rank on any number of ranks in every mode of output, and those of a run that was never interrupted after
# a restart and after SIGTERM. PROGRAM, CASE, GROUNDSWELL (the program that compares), LAUNCH, FOLDER,
# PNETCDF (whether this build has it).

include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")

function(same other)
    expect(0 "the files hold the same" "${GROUNDSWELL}" compare "${FOLDER}/whole/plate.nc" "${FOLDER}/${other}/plate.nc")
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(output --quiet --output)

expect(2 "groundswell: error: .*plate.cell = 3: expected a known key; the nearest one is 'plate.cells'"
    "${PROGRAM}" "${CASE}" --set plate.cell=3)
expect(2 "model = .sea.: expected .plate." "${PROGRAM}" "${CASE}" --set model=sea)
expect(2 "time.step = 1h: expected at most [0-9.]* s, the longest stable step of this plate"
    "${PROGRAM}" "${CASE}" --set time.step=1h --set time.end=2h --output "${FOLDER}/none")
expect(0 "plate.diffusivity = 0.00011 .default. thermal diffusivity .m2 s-1." "${PROGRAM}" "${CASE}" --explain)
expect(0 "all input is sound; nothing was run" "${PROGRAM}" "${CASE}" --check --output "${FOLDER}/none")
if(EXISTS "${FOLDER}/none")
    message(FATAL_ERROR "a check left ${FOLDER}/none")
endif()

expect(0 "cell-steps per second" "${PROGRAM}" "${CASE}" --output "${FOLDER}/whole")
foreach(way "2;direct;shared" "3;serial;posted" "2;thread;neighbor" "4;servers;point-to-point")
    list(GET way 0 ranks)
    list(GET way 1 mode)
    list(GET way 2 transport)
    if(mode STREQUAL "direct" AND NOT PNETCDF)
        continue()
    endif()
    do(${LAUNCH} ${ranks} "${PROGRAM}" "${CASE}" ${output} "${FOLDER}/${mode}" --set output.mode=${mode}
        --set halo.transport=${transport})
    same(${mode})
endforeach()

# What is continued gives the bits of what was never interrupted.
file(COPY "${FOLDER}/whole/plate.nc" DESTINATION "${FOLDER}/continued")
do(${LAUNCH} 3 "${PROGRAM}" "${CASE}" ${output} "${FOLDER}/continued"
    --restart "${FOLDER}/whole/restart_15.000000s.nc")
same(continued)
expect(2 "cell = 14400: expected plate.cells = 60" "${PROGRAM}" "${CASE}" --set plate.cells=60 ${output}
    "${FOLDER}/whole" --restart "${FOLDER}/whole/restart_15.000000s.nc")

# SIGTERM: a restart at the end of the step, exit code 0. Finer cells, so that the run lasts until then.
set(fine --set plate.cells=1200 --set time.end=10s --set output.restart.every=never)
expect(0 "continue with --restart ${FOLDER}/stopped/restart_[0-9.]*s.nc" timeout --preserve-status -s TERM 2
    "${PROGRAM}" "${CASE}" ${fine} --output "${FOLDER}/stopped")
file(GLOB restart "${FOLDER}/stopped/restart_*.nc")
expect(0 "all input is sound" ${LAUNCH} 2 "${PROGRAM}" "${CASE}" ${fine} --output "${FOLDER}/stopped" --check
    --restart "${restart}")
expect(0 "sound" "${GROUNDSWELL}" verify "${FOLDER}/stopped/plate.nc" "${restart}")
