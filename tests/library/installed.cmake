# Installs everything, moves it to another place, and uses it from there alone: the program and its Python tools; the
# examples, copied to a folder of their own and built by CMake and as a makefile would, on two ranks.

include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")

file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(prefix "${FOLDER}/moved")

# ------------------------------------------------------------------------------------------------- before it is built
# The very commands of the installation, with another build folder in which there is nothing.
file(READ "${BUILD}/cmake_install.cmake" commands)
string(REPLACE "${BUILD}/" "${FOLDER}/unbuilt/" commands "${commands}")
file(WRITE "${FOLDER}/unbuilt.cmake" "${commands}")
expect(1 "groundswell: error: ${FOLDER}/unbuilt/[^:]*: not built yet, so nothing is installed: expected .make build."
    "${CMAKE_COMMAND}" "-DCMAKE_INSTALL_PREFIX=${FOLDER}/nothing" -P "${FOLDER}/unbuilt.cmake")
if(EXISTS "${FOLDER}/nothing")
    message(FATAL_ERROR "an installation that failed left ${FOLDER}/nothing")
endif()

# ------------------------------------------------------------------------------------------------- program and tools
do("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${FOLDER}/first")
file(RENAME "${FOLDER}/first" "${prefix}")
file(GLOB_RECURSE installed "${prefix}/*.cmake" "${prefix}/*.pc" "${prefix}/bin/groundswell-*")
foreach(file IN LISTS installed)
    file(STRINGS "${file}" lines REGEX "${BUILD}|${FOLDER}|-march=|-Wall")
    if(lines)
        message(FATAL_ERROR "${file} names the build, its flags or the first place: ${lines}")
    endif()
endforeach()

# Of a module's headers only those at its top are for others, and they need no other ones.
file(GLOB inner "${prefix}/include/groundswell/*/*/*.h*")
if(inner)
    message(FATAL_ERROR "installed, though not for others: ${inner}")
endif()
file(GLOB headers "${prefix}/include/groundswell/*/*.h*")
foreach(header IN LISTS headers)
    file(STRINGS "${header}" lines REGEX "^#include \"groundswell/")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" other "${line}")
        if(NOT EXISTS "${prefix}/include/${other}")
            message(FATAL_ERROR "${header} includes ${other}, which is not installed")
        endif()
    endforeach()
endforeach()

set(plain "${CMAKE_COMMAND}" -E env PATH=/usr/bin:/bin)
do(${plain} "${prefix}/bin/groundswell" run "${prefix}/share/groundswell/cases/growth/case.toml" --explain)
file(WRITE "${FOLDER}/completed.bash" "source '${prefix}/share/bash-completion/completions/groundswell'
COMP_WORDS=(groundswell verif) COMP_CWORD=1
_groundswell && [ \"\$COMPREPLY\" = verify ] && complete -p groundswell")
do(bash "${FOLDER}/completed.bash")
find_program(zsh zsh)
if(zsh)
    do(timeout 120 "${zsh}" -f "${CMAKE_CURRENT_LIST_DIR}/completed.zsh" "${prefix}")
endif()
if(PYTHON)
    set(tools ${plain} "GROUNDSWELL_PYTHON=${PYTHON}")
    do(${tools} "${prefix}/bin/groundswell" mesh make --depth 4000 --icosahedron 4 --output "${FOLDER}/mesh.nc" --quiet)
    do(${tools} "${prefix}/bin/groundswell" mesh info "${FOLDER}/mesh.nc")
    do(${tools} "${prefix}/bin/groundswell-tools" plot --version)
    # A Python without packages says which, and what to do.
    file(WRITE "${FOLDER}/bare" "#!/bin/sh\nexec '${PYTHON}' -S \"$@\"\n")
    file(CHMOD "${FOLDER}/bare" PERMISSIONS OWNER_READ OWNER_EXECUTE)
    expect(2 "groundswell: error: groundswell plot: [^ ]* has no numpy, .*netCDF4.*pip install numpy.*GROUNDSWELL_PYTHON="
        ${plain} "GROUNDSWELL_PYTHON=${FOLDER}/bare" "${prefix}/bin/groundswell" plot map x.nc)
    expect(2 "GROUNDSWELL_PYTHON = none" ${plain} GROUNDSWELL_PYTHON=none "${prefix}/bin/groundswell" plot map x.nc)
endif()

# ------------------------------------------------------------------------------------------------- find_package
# project(NAME LANGUAGES LINES [OPTION...]): configures a project of these lines; its output is in `said`.
set(compilers -DCMAKE_C_COMPILER=${C} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_Fortran_COMPILER=${FORTRAN}
    -DMPI_C_COMPILER=${MPI_C} -DMPI_CXX_COMPILER=${MPI_CXX} -DMPI_Fortran_COMPILER=${MPI_FORTRAN}
    "-DCMAKE_PREFIX_PATH=${prefix}")
function(project_of name languages lines)
    file(WRITE "${FOLDER}/${name}/CMakeLists.txt"
        "cmake_minimum_required(VERSION 3.25)\nproject(${name} LANGUAGES ${languages})\n${lines}\n")
    set(configure "${CMAKE_COMMAND}" -S "${FOLDER}/${name}" -B "${FOLDER}/${name}/build" -G "${GENERATOR}" ${compilers} ${ARGN})
    set(configure "${configure}" PARENT_SCOPE)
endfunction()

# C++: a halo needs neither what the output is written with nor what the program reads cases with.
set(absent "")
foreach(package HDF5 ZLIB nlohmann_json spdlog tomlplusplus CLI11)
    list(APPEND absent -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
project_of(halo CXX "find_package(groundswell REQUIRED COMPONENTS halo program)
if(NOT TARGET groundswell::halo OR NOT TARGET groundswell::program OR TARGET groundswell::output)
    message(FATAL_ERROR \"other targets than asked for\")
endif()
find_package(groundswell COMPONENTS halo output)
if(groundswell_FOUND OR NOT groundswell_halo_FOUND OR NOT groundswell_NOT_FOUND_MESSAGE MATCHES \"component output: [A-Za-z ]*HDF5\")
    message(FATAL_ERROR \"no reason: \${groundswell_NOT_FOUND_MESSAGE}\")
endif()
find_package(groundswell OPTIONAL_COMPONENTS halo QUIET)
add_executable(diffusion ${EXAMPLES}/diffusion.cpp)
target_link_libraries(diffusion PRIVATE groundswell::halo)" ${absent})
do(${configure})
project_of(nothing C "find_package(groundswell REQUIRED COMPONENTS halos)")
expect(1 "component halos: there is none of this name; there are program, halo, output, simulation" ${configure})

# Fortran alone.
if(MPI_FORTRAN_FOUND)
    project_of(fortran_alone Fortran "find_package(groundswell REQUIRED COMPONENTS halo output)
find_package(MPI REQUIRED COMPONENTS Fortran)
add_executable(heat ${EXAMPLES}/heat.f90)
target_link_libraries(heat PRIVATE groundswell::fortran MPI::MPI_Fortran)")
    do(${configure})
    do("${CMAKE_COMMAND}" --build "${FOLDER}/fortran_alone/build")
    do(${LAUNCH} "${FOLDER}/fortran_alone/build/heat" "${FOLDER}/heat_alone.nc")
    project_of(other_compiler Fortran "set(CMAKE_Fortran_COMPILER_ID Other)
find_package(groundswell REQUIRED COMPONENTS output)")
    expect(1 "component output: its Fortran modules are those of [A-Za-z]*, and this project uses Other" ${configure})
endif()

# ------------------------------------------------------------------------------------------------- the examples
file(COPY "${EXAMPLES}/" DESTINATION "${FOLDER}/model")
set(model "${FOLDER}/model-build")
do("${CMAKE_COMMAND}" -S "${FOLDER}/model" -B "${model}" -G "${GENERATOR}" -DCMAKE_BUILD_TYPE=${TYPE} ${compilers}
    -DFORTRAN=${MPI_FORTRAN_FOUND})
do("${CMAKE_COMMAND}" --build "${model}" -j 2)
do(${LAUNCH} "${model}/diffusion" posted)
do(${LAUNCH} "${model}/lattice_boltzmann" posted)
do(${LAUNCH} "${model}/drifters" "${FOLDER}/drifters.nc" serial)
do(${LAUNCH} "${model}/heat_c" "${FOLDER}/heat_c.nc")
do(${LAUNCH} "${model}/plate" "${FOLDER}/model/plate.toml")
do("${prefix}/bin/groundswell" verify "${FOLDER}/model/output/plate.nc" "${FOLDER}/model/output/restart_20.000000s.nc")
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
