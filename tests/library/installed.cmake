# Installs the library, copies the examples to a folder of their own, builds them there against the installed copy
# alone, by CMake and as a makefile would, and runs them on two ranks.

function(do)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        string(REPLACE ";" " " command "${ARGN}")
        message("${output}")
        message(FATAL_ERROR "${command}: status ${status}")
    endif()
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
set(prefix "${FOLDER}/prefix")
do("${CMAKE_COMMAND}" --install "${BUILD}" --component library --prefix "${prefix}")
file(GLOB_RECURSE installed "${prefix}/*.cmake" "${prefix}/*.pc")
foreach(file IN LISTS installed)
    file(STRINGS "${file}" lines REGEX "${BUILD}|-march=|-Wall")
    if(lines)
        message(FATAL_ERROR "${file} names the build or its flags: ${lines}")
    endif()
endforeach()

file(COPY "${EXAMPLES}/" DESTINATION "${FOLDER}/model")
set(model "${FOLDER}/model-build")
do("${CMAKE_COMMAND}" -S "${FOLDER}/model" -B "${model}" -G "${GENERATOR}" -DCMAKE_BUILD_TYPE=${TYPE}
    -DCMAKE_C_COMPILER=${C} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_Fortran_COMPILER=${FORTRAN}
    -DMPI_C_COMPILER=${MPI_C} -DMPI_CXX_COMPILER=${MPI_CXX} -DMPI_Fortran_COMPILER=${MPI_FORTRAN}
    -DFORTRAN=${MPI_FORTRAN_FOUND} "-DCMAKE_PREFIX_PATH=${prefix}")
do("${CMAKE_COMMAND}" --build "${model}" -j 2)
do(${LAUNCH} "${model}/diffusion" posted)
do(${LAUNCH} "${model}/lattice_boltzmann" posted)
do(${LAUNCH} "${model}/drifters" "${FOLDER}/drifters.nc" serial)
do(${LAUNCH} "${model}/heat_c" "${FOLDER}/heat_c.nc")
if(MPI_FORTRAN_FOUND)
    do(${LAUNCH} "${model}/heat_fortran" "${FOLDER}/heat_fortran.nc")
endif()

# MPI's own wrappers and pkg-config, without CMake. A sanitizer's library would have to be named here.
file(GLOB packages "${prefix}/lib*/pkgconfig")
set(ENV{PKG_CONFIG_PATH} "${packages}")
if(SANITIZE OR NOT MPI_C)
    return()
endif()
do(sh -c "${MPI_C} model/heat.c $(pkg-config --cflags --libs groundswell) -lm -o heat_by_hand" WORKING_DIRECTORY "${FOLDER}")
do(${LAUNCH} "${FOLDER}/heat_by_hand" "${FOLDER}/heat_by_hand.nc")
if(MPI_FORTRAN_FOUND)
    do(sh -c "${MPI_FORTRAN} model/heat.f90 $(pkg-config --cflags --libs groundswell-fortran) -o heat_by_hand"
        WORKING_DIRECTORY "${FOLDER}")
    do(${LAUNCH} "${FOLDER}/heat_by_hand" "${FOLDER}/heat_by_hand.nc")
endif()
