# Language, compiler flags and where programs go.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
if(NOT GROUNDSWELL_SEA_REAL MATCHES "^(float|double)$")
    message(FATAL_ERROR "GROUNDSWELL_SEA_REAL = ${GROUNDSWELL_SEA_REAL}: expected float or double")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# An installed program finds libraries where they were when it was linked, if the system does not know the place.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")

find_program(GROUNDSWELL_CCACHE ccache)
if(GROUNDSWELL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${GROUNDSWELL_CCACHE}")
endif()

add_library(gs_settings INTERFACE)
# Contraction to FMA is off because it may differ between two inlined copies of one kernel, and the bits must not
# depend on which copy ran. Without errno and traps the compiler may vectorise; IEEE results stay as they are.
set(groundswell_result_flags -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp-simd)
target_compile_options(gs_settings INTERFACE
    ${groundswell_result_flags}
    -Wall -Wextra -Wpedantic -Wshadow
    # GCC 12 reports an overflow inside fmt's own headers that cannot happen (GCC bug 105329 and its kin), and takes the
    # unnamed namespaces of files that are compiled together for those of headers.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${GROUNDSWELL_TOGETHER}>>:-Wno-subobject-linkage>)
if(GROUNDSWELL_WERROR)
    target_compile_options(gs_settings INTERFACE -Werror)
endif()
if(GROUNDSWELL_SANITIZE)
    target_compile_options(gs_settings INTERFACE
        "-fsanitize=${GROUNDSWELL_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
    target_link_options(gs_settings INTERFACE "-fsanitize=${GROUNDSWELL_SANITIZE}")
endif()
if(GROUNDSWELL_FUZZ)
    # Tells the fuzzer which code a made-up input has reached.
    target_compile_options(gs_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
target_include_directories(gs_settings INTERFACE "${PROJECT_SOURCE_DIR}/src")
target_compile_definitions(gs_settings INTERFACE "GROUNDSWELL_VERSION=\"${PROJECT_VERSION}\"")
target_compile_definitions(gs_settings INTERFACE "GROUNDSWELL_SEA_REAL=${GROUNDSWELL_SEA_REAL}")
