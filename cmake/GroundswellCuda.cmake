# GROUNDSWELL_CUDA: files of CUDA (*.cu) are compiled by nvcc, with flags of its own, and join the modules in whose folders they
# stand. Without it each cuda_missing.cpp says that there is none.

option(GROUNDSWELL_CUDA "The back end for GPUs of NVIDIA; needs nvcc" OFF)
if(NOT GROUNDSWELL_CUDA)
    return()
endif()

find_program(GROUNDSWELL_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)
if(NOT GROUNDSWELL_NVCC)
    message(FATAL_ERROR "no nvcc on PATH, in CUDA_HOME or in /usr/local/cuda: expected that of CUDA 12 or later; scripts/find-nvcc says how to get it")
endif()
get_filename_component(cuda_folder "${GROUNDSWELL_NVCC}" DIRECTORY)
find_library(GROUNDSWELL_CUDART cudart_static HINTS "${cuda_folder}/../lib64" "${cuda_folder}/../lib" REQUIRED)
find_package(Threads REQUIRED)

# Kernels are constexpr; products and sums are fused where they say so, and subnormal numbers are 0, as on the processor. nvcc does not know
# GCC's pragmas.
set(groundswell_cuda_flags -std=c++20 --expt-relaxed-constexpr --fmad=false --ftz=true --diag-suppress=1675)
# Kernels of all orders, precisions and kinds of rock for each generation are 5 times as large as what this makes of them; the driver
# unpacks those that a run calls. Versions before CUDA 12.8 have one form only.
execute_process(COMMAND "${GROUNDSWELL_NVCC}" --help OUTPUT_VARIABLE words ERROR_QUIET)
if(words MATCHES "--compress-mode")
    list(APPEND groundswell_cuda_flags --compress-mode=size)
else()
    list(APPEND groundswell_cuda_flags -Xfatbin=-compress-all)
endif()
set(GROUNDSWELL_CUDA_GENERATIONS "80;90;100" CACHE STRING "Compute capabilities times ten: 80 A100, 90 H100, 100 B100")

# groundswell_cuda(MODULE...): their files of CUDA.
function(groundswell_cuda)
    list(TRANSFORM GROUNDSWELL_CUDA_GENERATIONS REPLACE "(.+)" "-gencode=arch=compute_\\1,code=sm_\\1" OUTPUT_VARIABLE codes)
    set(folder "${PROJECT_SOURCE_DIR}/src")
    foreach(module IN LISTS ARGN)
        file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/groundswell/${module}/*.cu")
        foreach(source IN LISTS sources)
            string(MAKE_C_IDENTIFIER "${source}" name)
            set(object "${PROJECT_BINARY_DIR}/kernels/${name}.o")
            add_custom_command(OUTPUT "${object}"
                COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/kernels"
                COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${GROUNDSWELL_NVCC}" ${groundswell_cuda_flags} ${codes} -O3 -Xcompiler=-fPIC "-I${folder}" "-I${PROJECT_BINARY_DIR}/generated"
                    "-DGROUNDSWELL_SEA_REAL=${GROUNDSWELL_SEA_REAL}" -MD -MF "${object}.d" -c "${folder}/${source}" -o "${object}"
                DEPENDS "${folder}/${source}" $<$<STREQUAL:${module},quake>:gs_reference_tables> DEPFILE "${object}.d" VERBATIM)
            target_sources(gs_${module} PRIVATE "${object}")
            set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
        endforeach()
    endforeach()
    target_link_libraries(gs_exec PUBLIC $<BUILD_INTERFACE:${GROUNDSWELL_CUDART}> Threads::Threads ${CMAKE_DL_LIBS} rt)
endfunction()
