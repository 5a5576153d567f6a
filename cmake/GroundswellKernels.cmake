# Kernels for more than one instruction set in one program.
#
# GROUNDSWELL_ARCH=portable, on 64-bit x86: all is compiled for x86-64-v2; kernel files once more for v3 and for v4. Each of
# these has the same functions, also those that the compiler makes of templates and inline functions in headers, so no linker may
# mix them: the objects of a level are joined into one, in which every name but its one entry is made local.
# Any other value is one of -march (`native`): all is compiled for that processor, kernels once.

set(GROUNDSWELL_ARCH "portable" CACHE STRING
    "portable: kernels for every x86-64 processor in one program; else a value of -march, for one kind of processor: native")

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set(groundswell_architectures portable native x86-64-v2 x86-64-v3 x86-64-v4)
else()
    set(groundswell_architectures portable native)
endif()
if(NOT GROUNDSWELL_ARCH IN_LIST groundswell_architectures)
    list(JOIN groundswell_architectures ", " expected)
    message(FATAL_ERROR "GROUNDSWELL_ARCH = ${GROUNDSWELL_ARCH}: expected one of ${expected}")
endif()

# The first level is that of all the rest; the others have objects of their own.
set(groundswell_extra_levels "")
set(groundswell_build_features "")
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set(groundswell_first_level generic)
    if(GROUNDSWELL_ARCH STREQUAL "native")
        target_compile_options(gs_settings INTERFACE -mcpu=native)
    endif()
elseif(GROUNDSWELL_ARCH STREQUAL "portable")
    set(groundswell_first_level v2)
    set(groundswell_extra_levels v3 v4)
    target_compile_options(gs_settings INTERFACE
        -march=x86-64-$<IF:$<BOOL:$<TARGET_PROPERTY:GROUNDSWELL_LEVEL>>,$<TARGET_PROPERTY:GROUNDSWELL_LEVEL>,v2>)
else()
    target_compile_options(gs_settings INTERFACE "-march=${GROUNDSWELL_ARCH}")
    # What the compiler takes for granted, by the macros that it defines.
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" "-march=${GROUNDSWELL_ARCH}" -dM -E -x c++ /dev/null
        OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
    foreach(feature sse4.2 popcnt avx avx2 fma bmi bmi2 avx512f avx512bw avx512cd avx512dq avx512vl avx512ifma avx512vbmi
            avx512vbmi2 avx512vnni avx512bitalg avx512vpopcntdq avx512bf16)
        string(TOUPPER "${feature}" macro)
        string(REPLACE "." "_" macro "${macro}")
        if(macros MATCHES "#define __${macro}__ 1")
            string(APPEND groundswell_build_features "${feature} ")
        endif()
    endforeach()
    string(STRIP "${groundswell_build_features}" groundswell_build_features)
    if(groundswell_build_features MATCHES "avx512f")
        set(groundswell_first_level v4)
    elseif(groundswell_build_features MATCHES "avx2 fma")
        set(groundswell_first_level v3)
    else()
        set(groundswell_first_level v2)
    endif()
endif()

# Runs on any processor of the kind, to tell that the rest would not.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/groundswell/exec/build_features.cpp" PROPERTIES
        COMPILE_OPTIONS -march=x86-64)
endif()

set(groundswell_kernel_level_calls "")
foreach(level IN ITEMS ${groundswell_first_level} ${groundswell_extra_levels})
    string(APPEND groundswell_kernel_level_calls "X(${level} __VA_OPT__(, ) __VA_ARGS__) ")
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/cmake/kernel_levels.hpp.in"
    "${PROJECT_BINARY_DIR}/generated/groundswell/exec/kernel_levels.hpp" @ONLY)
target_include_directories(gs_settings INTERFACE "${PROJECT_BINARY_DIR}/generated")
set(groundswell_own_level $<TARGET_PROPERTY:GROUNDSWELL_LEVEL>)
target_compile_definitions(gs_settings INTERFACE
    GROUNDSWELL_KERNEL_LEVEL=$<IF:$<BOOL:${groundswell_own_level}>,${groundswell_own_level},${groundswell_first_level}>)

# groundswell_kernels(MODULE SOURCE...): files of the module with functions that compute; SOURCE relative to its folder, or
# made by the build with the whole path. The module has them anyway, compiled as everything is. Of every other level it gets one
# object more, of which the rest sees the entry groundswell_MODULE_kernels_LEVEL alone.
function(groundswell_kernels module)
    list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/src/groundswell/${module}/" REGEX "^[^/]" OUTPUT_VARIABLE sources)
    foreach(level IN LISTS groundswell_extra_levels)
        set(objects gs_${module}_kernels_${level})
        add_library(${objects} OBJECT ${sources})
        set_target_properties(${objects} PROPERTIES GROUNDSWELL_LEVEL ${level})
        # Those of v3 by themselves: tests watch the stack frames of each file.
        if(GROUNDSWELL_TOGETHER AND NOT level STREQUAL "v3")
            set_target_properties(${objects} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
        endif()
        target_link_libraries(${objects} PRIVATE $<TARGET_PROPERTY:gs_${module},LINK_LIBRARIES>)
        target_include_directories(${objects} PRIVATE $<TARGET_PROPERTY:gs_${module},INCLUDE_DIRECTORIES>)
        # What GCC marks as unique in a whole process cannot be made local.
        target_compile_options(${objects} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
        # Tests watch the size of stack frames.
        target_compile_options(${objects} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fstack-usage>)
        set(joined "${PROJECT_BINARY_DIR}/kernels/${module}_${level}.o")
        set(entry groundswell_${module}_kernels_${level})
        add_custom_command(OUTPUT "${joined}"
            COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/kernels"
            COMMAND "${CMAKE_LINKER}" -r --force-group-allocation -o "${joined}.all" $<TARGET_OBJECTS:${objects}>
            COMMAND "${CMAKE_OBJCOPY}" --keep-global-symbol=${entry} "${joined}.all" "${joined}"
            COMMAND "${CMAKE_COMMAND}" -E rm "${joined}.all"
            DEPENDS ${objects} $<TARGET_OBJECTS:${objects}> COMMAND_EXPAND_LISTS VERBATIM)
        target_sources(gs_${module} PRIVATE "${joined}")
        set_source_files_properties("${joined}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    endforeach()
endfunction()
