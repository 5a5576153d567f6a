# GROUNDSWELL_KERNELS_ONLY: the kernels of both models, what they stand on, and the unit tests of these. Needs no library that
# has to be there for the processor: fmt is used as headers, GoogleTest is compiled from its sources.

find_package(OpenMP REQUIRED COMPONENTS CXX)

# Headers of /usr/include for any processor, without those beside them, which are this machine's.
set(headers "${PROJECT_BINARY_DIR}/include")
find_path(GROUNDSWELL_HEADERS fmt/format.h PATHS /usr/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
file(MAKE_DIRECTORY "${headers}")
foreach(library IN ITEMS fmt gtest)
    file(CREATE_LINK "${GROUNDSWELL_HEADERS}/${library}" "${headers}/${library}" SYMBOLIC)
endforeach()

add_library(fmt::fmt INTERFACE IMPORTED)
target_include_directories(fmt::fmt INTERFACE "${headers}")
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)

find_path(GROUNDSWELL_GOOGLETEST src/gtest-all.cc PATHS /usr/src/googletest/googletest REQUIRED NO_CMAKE_FIND_ROOT_PATH)
add_library(googletest STATIC
    "${GROUNDSWELL_GOOGLETEST}/src/gtest-all.cc" "${GROUNDSWELL_GOOGLETEST}/src/gtest_main.cc")
target_include_directories(googletest SYSTEM PUBLIC "${headers}" PRIVATE "${GROUNDSWELL_GOOGLETEST}")

if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    target_compile_options(gs_settings INTERFACE -Wno-psabi)  # notes on what compilers before GCC 10 did
endif()
groundswell_module(base)
groundswell_module(exec DEPENDS base)

# groundswell_part(MODULE BELOW PATTERN...): library gs_MODULE of these sources of the module alone.
function(groundswell_part module below)
    set(sources "")
    foreach(pattern IN LISTS ARGN)
        file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/groundswell/${module}/${pattern}.cpp")
        if(NOT found)
            message(FATAL_ERROR "src/groundswell/${module}/${pattern}.cpp: expected a file")
        endif()
        list(APPEND sources ${found})
    endforeach()
    list(FILTER sources EXCLUDE REGEX "/(read_physics_options|write_tables)\\.cpp$")
    add_library(gs_${module} STATIC ${sources})
    target_link_libraries(gs_${module} PUBLIC gs_settings gs_${below})
endfunction()

groundswell_part(graph exec graph cut/pieces cut/balance)
groundswell_part(mesh graph voronoi/global_mesh voronoi/synthetic voronoi/culling voronoi/ordering voronoi/parts/extractor
    voronoi/parts/cell_rows tetra/tetrahedron tetra/box)
groundswell_part(sea mesh kernels/kernel_set kernels/entry propagation/* propagation/*/* source/* source/*/*
    checks/source_checks spectrum/*)
groundswell_part(quake mesh elements/elements elements/set_elements elements/coefficients kernel_entry kernel_set mesh/step_rule
    anisotropy/* attenuation/* basis/* fault/kernels fault/laws/law fault/rule plasticity/kernel)

# The unit tests that need nothing else, and the program that calls every kernel.
function(groundswell_kernel_tests)
    add_executable(count_kernels "${PROJECT_SOURCE_DIR}/tests/count_kernels.cpp")
    target_include_directories(count_kernels PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(count_kernels PRIVATE gs_sea gs_quake)

    set(base "base/*")
    set(exec "exec/*" "exec/device/*")
    set(sea "sea/propagation/*" "sea/source/*" "sea/spectrum/grid")
    set(quake quake/attenuation quake/basis quake/fault_kernels quake/friction quake/kernels quake/plasticity)
    set(need_more "sea/propagation/genuine_mesh" "sea/source/options_of_case")
    foreach(group IN ITEMS base exec sea quake)
        set(tests "")
        foreach(pattern IN LISTS ${group})
            file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/unit/${pattern}.cpp")
            list(APPEND tests ${found})
        endforeach()
        foreach(test IN LISTS need_more)
            list(REMOVE_ITEM tests "${PROJECT_SOURCE_DIR}/tests/unit/${test}.cpp")
        endforeach()
        add_executable(test_unit_${group} ${tests})
        target_link_libraries(test_unit_${group} PRIVATE gs_sea gs_quake googletest)
        target_include_directories(test_unit_${group} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
        add_test(NAME unit_${group} COMMAND test_unit_${group} "--gtest_filter=-*Long.*:*Long/*")
        set_tests_properties(unit_${group} PROPERTIES LABELS unit TIMEOUT 1800)
    endforeach()
endfunction()
