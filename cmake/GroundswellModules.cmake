# One static library for each folder of src/groundswell, and the programs made of them.

# Outside libraries that each module itself calls; modules above inherit them. Who links an installed halo needs those
# of base, exec, parallel and halo, so what only the program uses stands as far up as it can.
set(groundswell_needs_base fmt::fmt)
set(groundswell_needs_exec OpenMP::OpenMP_CXX)
set(groundswell_needs_parallel MPI::MPI_CXX PkgConfig::hwloc)
set(groundswell_needs_netcdf PkgConfig::netcdf hdf5::hdf5 hdf5::hdf5_hl)
set(groundswell_needs_graph METIS::METIS)
set(groundswell_needs_gridded "")
set(groundswell_needs_mesh "")
set(groundswell_needs_halo "")
set(groundswell_needs_output ZLIB::ZLIB)
set(groundswell_needs_simulation "")
set(groundswell_needs_sea ZLIB::ZLIB)
set(groundswell_needs_quake "")
set(groundswell_needs_cli nlohmann_json::nlohmann_json)
# What stands in no header that others include.
set(groundswell_hidden_simulation tomlplusplus::tomlplusplus CLI11::CLI11 nlohmann_json::nlohmann_json)
if(GROUNDSWELL_PNETCDF)
    list(APPEND groundswell_needs_output PkgConfig::pnetcdf)
endif()

# groundswell_compile_together(TARGET SOURCE...): neighbours in a folder, eight at most, are one file to the compiler, which
# then reads their headers once. Names must not clash in a folder, not even those that only one file sees.
function(groundswell_compile_together target)
    if(NOT GROUNDSWELL_TOGETHER)
        return()
    endif()
    foreach(source IN LISTS ARGN)
        get_filename_component(folder "${source}" DIRECTORY)
        file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${folder}")
        string(MAKE_C_IDENTIFIER "${folder}" group)
        if(NOT DEFINED ${group}_count)
            set(${group}_count 0)
        endif()
        math(EXPR part "${${group}_count} / 8")
        math(EXPR ${group}_count "${${group}_count} + 1")
        set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${group}_${part}")
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# MPI functions that count themselves: of the program and of tests that ask for them, never of a library that others link.
file(GLOB groundswell_mpi_calls CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/groundswell/cli/mpi/*.cpp")

# groundswell_module(NAME [DEPENDS module...]): library gs_NAME from every .cpp below src/groundswell/NAME.
function(groundswell_module name)
    cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
    set(folder "${PROJECT_SOURCE_DIR}/src/groundswell/${name}")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
    list(REMOVE_ITEM sources "${PROJECT_SOURCE_DIR}/src/groundswell/cli/main.cpp"
        "${PROJECT_SOURCE_DIR}/src/groundswell/quake/basis/write_tables.cpp" ${groundswell_mpi_calls})
    if(proj_FOUND)
        list(FILTER sources EXCLUDE REGEX "/proj_missing\\.cpp$")
    else()
        list(FILTER sources EXCLUDE REGEX "/proj_library\\.cpp$")
    endif()
    if(GROUNDSWELL_CUDA)
        list(FILTER sources EXCLUDE REGEX "/cuda_missing\\.cpp$")
    endif()
    if(NOT GROUNDSWELL_PNETCDF)
        list(FILTER sources EXCLUDE REGEX "/pnetcdf[^/]*\\.cpp$")
    endif()
    if(sources)
        add_library(gs_${name} STATIC ${sources})
        groundswell_compile_together(gs_${name} ${sources})
        set(scope PUBLIC)
    else()
        add_library(gs_${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    set(below "")
    foreach(dependency IN LISTS arg_DEPENDS)
        list(APPEND below gs_${dependency})
    endforeach()
    # Warnings and -march are this project's choice, not that of a model that uses an installed module.
    target_link_libraries(gs_${name} ${scope}
        $<BUILD_INTERFACE:gs_settings> ${below} ${groundswell_needs_${name}})
    foreach(hidden IN LISTS groundswell_hidden_${name})
        target_link_libraries(gs_${name} PRIVATE $<BUILD_INTERFACE:${hidden}>)
        if(hidden STREQUAL "tomlplusplus::tomlplusplus")  # no mere headers: a library to link
            target_link_libraries(gs_${name} PRIVATE $<INSTALL_INTERFACE:${hidden}>)
        endif()
    endforeach()
    target_include_directories(gs_${name} ${scope} $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    if(GROUNDSWELL_SANITIZE)
        target_link_options(gs_${name} ${scope} "$<INSTALL_INTERFACE:-fsanitize=${GROUNDSWELL_SANITIZE}>")
    endif()
    target_compile_features(gs_${name} ${scope} cxx_std_20)
endfunction()

# groundswell_list(FOLDER TYPE NAMESPACE): each NAME.cpp of src/groundswell/FOLDER defines `TYPE NAME()`, and a file that is
# put there is known without another line: the header list.hpp of that folder, made here, has `list()`, which calls them all
# in the order of their names. groundswell_list(FOLDER TYPE NAMESPACE RESULT PARAMETER): each defines the function
# `RESULT NAME(PARAMETER)` itself, and TYPE is a struct of a name and such a function.
function(groundswell_list folder type namespace)
    set(place "src/groundswell/${folder}")
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${place}/*.cpp")
    string(REGEX REPLACE "([a-z])([A-Z])" "\\1_\\2" header "${type}")
    string(TOLOWER "${header}" header)
    set(declarations "")
    set(calls "")
    foreach(source IN LISTS sources)
        get_filename_component(name "${source}" NAME_WE)
        if(ARGC GREATER 3)
            string(APPEND declarations "${ARGV3} ${name}(${ARGV4});\n")
            list(APPEND calls "{\"${name}\", &${name}}")
        else()
            string(APPEND declarations "${type} ${name}();\n")
            list(APPEND calls "${name}()")
        endif()
    endforeach()
    list(JOIN calls ", " calls)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/groundswell/${folder}/list.hpp" @ONLY
        CONTENT "// Made by the build from the files of @place@.
#pragma once

#include <vector>

#include \"groundswell/@folder@/@header@.hpp\"

namespace @namespace@ {
@declarations@
inline std::vector<@type@> list() {
    return {@calls@};
}

}  // namespace @namespace@
")
endfunction()

# groundswell_list_models(): the header cli/model_list.hpp, with the kind of each of groundswell_models.
function(groundswell_list_models)
    set(includes "")
    set(calls "")
    foreach(model IN LISTS groundswell_models)
        string(APPEND includes "#include \"groundswell/${model}/run_model.hpp\"\n")
        string(APPEND calls "        ${model}::model_kind(),\n")
    endforeach()
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/groundswell/cli/model_list.hpp" @ONLY
        CONTENT "// Made by the build from groundswell_models in CMakeLists.txt.
#pragma once

#include <vector>

@includes@
namespace groundswell::cli {

inline std::vector<simulation::ModelKind> model_list() {
    return {
@calls@    };
}

}  // namespace groundswell::cli
")
endfunction()

# groundswell_order_kernels(RESULT): each kind of the earthquake's waves and each order is a file of its own to the compiler, made
# here from one text; RESULT lists them.
function(groundswell_order_kernels result)
    set(folder "${PROJECT_BINARY_DIR}/generated/groundswell/quake/kernels")
    set(parameter_viscoelastic int)  # the number of mechanisms
    set(made "")
    foreach(kind IN ITEMS elastic viscoelastic anisotropic)
        set(parameter "${parameter_${kind}}")
        foreach(order RANGE 2 7)
            file(CONFIGURE OUTPUT "${folder}/${kind}_${order}.cpp" @ONLY
                CONTENT "// Made by the build for each kind and order.
#include \"groundswell/quake/kernels/@kind@.hpp\"

namespace groundswell::quake {

template const Kernels<float>& @kind@_of_order<float, @order@>(@parameter@);
template const Kernels<double>& @kind@_of_order<double, @order@>(@parameter@);

}  // namespace groundswell::quake
")
            list(APPEND made "${folder}/${kind}_${order}.cpp")
        endforeach()
    endforeach()
    set(${result} "${made}" PARENT_SCOPE)
endfunction()

# Headers that stand in most files and take long to read are compiled once for modules with the same flags. No file relies on
# it: the presets of clang set CMAKE_DISABLE_PRECOMPILE_HEADERS.
set(groundswell_usual_headers <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span>
    <string> <string_view> <vector> <fmt/format.h> <mpi.h>)
# Modules that read cases, tell and decide: what runs once needs no more than -O1, and -O3 takes twice as long to compile.
set(groundswell_modules_without_loops simulation cli)
function(groundswell_precompile)
    target_precompile_headers(gs_parallel PRIVATE ${groundswell_usual_headers})
    foreach(module IN ITEMS graph gridded mesh halo output ${groundswell_models})
        target_precompile_headers(gs_${module} REUSE_FROM gs_parallel)
    endforeach()
    foreach(module IN LISTS groundswell_modules_without_loops)
        target_compile_options(gs_${module} PRIVATE $<$<CONFIG:Release>:-O1>)
        target_precompile_headers(gs_${module} PRIVATE ${groundswell_usual_headers} <iostream> <nlohmann/json.hpp>)
    endforeach()
    # Kernels have flags of their own; in the other file GCC 12 warns of lines of std::string that are sound.
    set(alone ${groundswell_elastic_kernels} "${PROJECT_SOURCE_DIR}/src/groundswell/exec/limit_kernels.cpp"
        "${PROJECT_SOURCE_DIR}/src/groundswell/output/disk/file_system_advice.cpp"
        "${PROJECT_SOURCE_DIR}/src/groundswell/exec/build_features.cpp")
    set_source_files_properties(${alone} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# Only the file that lists the output backends knows whether PnetCDF is there.
if(GROUNDSWELL_PNETCDF)
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/groundswell/output/formats/backend_registry.cpp"
        PROPERTIES COMPILE_DEFINITIONS GROUNDSWELL_PNETCDF)
endif()

# The program groundswell: cli/main.cpp, the MPI functions that count themselves, and everything below.
function(groundswell_program)
    file(GLOB main CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/groundswell/cli/main.cpp")
    if(main)
        add_executable(groundswell ${main} "$<$<BOOL:${GROUNDSWELL_COUNT_MPI}>:${groundswell_mpi_calls}>")
        target_link_libraries(groundswell PRIVATE gs_cli)
        # Asked for at every build; what has changed is compiled into main.cpp alone.
        set(header "${PROJECT_BINARY_DIR}/generated/groundswell/cli/source_state.hpp")
        set(ask "${CMAKE_COMMAND}" "-DFOLDER=${PROJECT_SOURCE_DIR}" "-DHEADER=${header}"
            -P "${PROJECT_SOURCE_DIR}/cmake/source_state.cmake")
        execute_process(COMMAND ${ask})  # for tools that read sources without a build
        add_custom_target(groundswell_source_state COMMAND ${ask} BYPRODUCTS "${header}" VERBATIM)
        add_dependencies(groundswell groundswell_source_state)
    endif()
endfunction()

# The matrices of the reference tetrahedron, which kernels know while they are compiled: a small program writes them.
function(groundswell_reference_tables)
    set(folder "${PROJECT_SOURCE_DIR}/src/groundswell/quake/basis")
    set(tables "${PROJECT_BINARY_DIR}/generated/groundswell/quake/basis/tables.hpp")
    add_executable(gs_write_tables
        "${folder}/write_tables.cpp" "${folder}/matrices.cpp" "${folder}/polynomials.cpp" "${folder}/quadrature.cpp")
    target_link_libraries(gs_write_tables PRIVATE gs_settings)
    add_custom_command(OUTPUT "${tables}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/generated/groundswell/quake/basis"
        COMMAND gs_write_tables "${tables}" DEPENDS gs_write_tables VERBATIM)
    target_sources(gs_quake PRIVATE "${tables}")
    add_custom_target(gs_reference_tables DEPENDS "${tables}")
    foreach(level IN LISTS groundswell_extra_levels)
        add_dependencies(gs_quake_kernels_${level} gs_reference_tables)
    endforeach()
    # Kernels multiply and add packs of numbers, for which the language has no fused operation by name.
    set_source_files_properties(${groundswell_elastic_kernels} "${PROJECT_SOURCE_DIR}/src/groundswell/exec/limit_kernels.cpp"
        PROPERTIES COMPILE_OPTIONS -ffp-contract=fast)
endfunction()

# Each file of bench/ and its folders is a program of its own: bench/NAME.cpp bench_NAME, bench/FOLDER/NAME.cpp
# bench_FOLDER_NAME. What bench/choosing.cpp holds against kernels is compiled as they are: bench_choosing_v4 for those of v4.
function(groundswell_bench)
    set(folder "${PROJECT_SOURCE_DIR}/bench")
    file(GLOB sources CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*.cpp" "${folder}/*/*.cpp")
    foreach(file IN LISTS sources)
        set(source "${folder}/${file}")
        string(REGEX REPLACE "\\.cpp$" "" name "${file}")
        string(REPLACE "/" "_" name "${name}")
        add_executable(bench_${name} "${source}")
        target_link_libraries(bench_${name} PRIVATE gs_cli benchmark::benchmark)
    endforeach()
    foreach(level IN LISTS groundswell_extra_levels)
        add_executable(bench_choosing_${level} "${folder}/choosing.cpp")
        set_target_properties(bench_choosing_${level} PROPERTIES GROUNDSWELL_LEVEL ${level})
        target_link_libraries(bench_choosing_${level} PRIVATE gs_cli)
    endforeach()
endfunction()

# groundswell_describe_build(): what reports and files say of the build goes into one file, so that other flags do not compile
# everything anew.
function(groundswell_describe_build)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    list(JOIN groundswell_result_flags " " flags)
    string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${flags}" flags)
    string(REPLACE "\"" "'" flags "${flags}")
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/groundswell/simulation/build_report.cpp" PROPERTIES
        SKIP_UNITY_BUILD_INCLUSION ON
        COMPILE_DEFINITIONS
        "GROUNDSWELL_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\";GROUNDSWELL_FLAGS=\"${flags}\";GROUNDSWELL_METIS=\"${METIS_VERSION}\"")
endfunction()
