# Installs the library, copies the examples to a folder outside the source tree's reach, builds them there against
# the installed copy alone and runs them on two ranks.

function(do)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        string(REPLACE ";" " " command "${ARGN}")
        message("${output}")
        message(FATAL_ERROR "${command}: status ${status}")
    endif()
    message(STATUS "done: ${ARGV0} ${ARGV1} ${ARGV2}")
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
do("${CMAKE_COMMAND}" --install "${BUILD}" --component library --prefix "${FOLDER}/prefix")
file(GLOB_RECURSE installed "${FOLDER}/prefix/*.cmake")
foreach(file IN LISTS installed)
    file(STRINGS "${file}" lines REGEX "${BUILD}/(bin|lib)|-march=|-Wall")
    if(lines)
        message(FATAL_ERROR "${file} names the build or its flags: ${lines}")
    endif()
endforeach()
file(COPY "${EXAMPLES}/" DESTINATION "${FOLDER}/model")
do("${CMAKE_COMMAND}" -S "${FOLDER}/model" -B "${FOLDER}/model-build" -G "${GENERATOR}"
    -DCMAKE_BUILD_TYPE=${TYPE} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_C_COMPILER=${C}
    "-DCMAKE_PREFIX_PATH=${FOLDER}/prefix")
do("${CMAKE_COMMAND}" --build "${FOLDER}/model-build" -j 2)
foreach(program diffusion lattice_boltzmann)
    do(${LAUNCH} "${FOLDER}/model-build/${program}" posted)
endforeach()
