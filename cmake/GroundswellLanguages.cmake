# The runtime for C and Fortran: one shared library, libgroundswell, which holds all C++ inside, and the Fortran module.

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/groundswell/c/*.cpp")
add_library(gs_c_objects OBJECT ${sources})
target_link_libraries(gs_c_objects PRIVATE gs_halo gs_output)
add_library(gs_c SHARED $<TARGET_OBJECTS:gs_c_objects>)
# A project in Fortran alone has no MPI::MPI_C, and needs none: its own MPI brings the same library.
target_link_libraries(gs_c PRIVATE gs_halo gs_output
    PUBLIC $<BUILD_INTERFACE:MPI::MPI_C> $<INSTALL_INTERFACE:$<TARGET_NAME_IF_EXISTS:MPI::MPI_C>>)
target_include_directories(gs_c PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# A model sees the functions of the C headers only, whatever C++ libraries it has of its own.
target_link_options(gs_c PRIVATE "LINKER:--version-script,${PROJECT_SOURCE_DIR}/cmake/groundswell.map")
if(GROUNDSWELL_SANITIZE)
    target_link_options(gs_c INTERFACE "-fsanitize=${GROUNDSWELL_SANITIZE}")
endif()
set_target_properties(gs_c PROPERTIES OUTPUT_NAME groundswell
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# The same and the models, for the laboratory in Python.
file(GLOB lab_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/groundswell/lab/*.cpp")
add_library(gs_lab SHARED ${lab_sources} $<TARGET_OBJECTS:gs_c_objects>)
target_link_libraries(gs_lab PRIVATE gs_cli)
target_link_options(gs_lab PRIVATE "LINKER:--version-script,${PROJECT_SOURCE_DIR}/cmake/groundswell.map")
set_target_properties(gs_lab PROPERTIES OUTPUT_NAME groundswell_lab LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# Fortran where there is a compiler; the module needs no Fortran MPI, but a program that uses it does.
include(CheckLanguage)
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    # The Fortran wrapper beside the C one: another one on PATH may belong to another MPI library.
    if(MPI_C_COMPILER AND NOT MPI_Fortran_COMPILER)
        string(REGEX REPLACE "(mpii?)(cc|gcc|clang)([^/]*)$" "\\1fort\\3" wrapper "${MPI_C_COMPILER}")
        find_program(MPI_Fortran_COMPILER NAMES "${wrapper}" NO_DEFAULT_PATH)
    endif()
    if(MPI_Fortran_COMPILER)
        find_package(MPI QUIET COMPONENTS Fortran)
    endif()
    set(GROUNDSWELL_MODULES "${PROJECT_BINARY_DIR}/fortran")
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/groundswell/fortran/*.f90")
    # What the C headers declare, in Fortran: no line of it is written twice.
    set(headers "")
    foreach(header types errors messages halo output input)
        list(APPEND headers "${PROJECT_SOURCE_DIR}/src/groundswell/c/${header}.h")
    endforeach()
    set(interfaces "${PROJECT_BINARY_DIR}/generated/groundswell/fortran/c.f90")
    set(script "${PROJECT_SOURCE_DIR}/cmake/fortran_interfaces.cmake")
    add_custom_command(OUTPUT "${interfaces}"
        COMMAND "${CMAKE_COMMAND}" "-DHEADERS=${headers}" "-DMODULE=${interfaces}" -P "${script}"
        DEPENDS ${headers} "${script}" VERBATIM)
    add_library(gs_fortran STATIC ${sources} "${interfaces}")
    target_link_libraries(gs_fortran PUBLIC gs_c)
    target_include_directories(gs_fortran PUBLIC $<BUILD_INTERFACE:${GROUNDSWELL_MODULES}>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/groundswell/fortran>)
    set_target_properties(gs_fortran PROPERTIES OUTPUT_NAME groundswell_fortran
        Fortran_MODULE_DIRECTORY "${GROUNDSWELL_MODULES}")
endif()
