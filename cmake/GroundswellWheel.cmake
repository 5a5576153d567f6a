# What goes into a wheel for Python besides the Python package: the component `wheel` (scripts/wheel, through scikit-build-core). All of
# it lies in groundswell/program, as an installation would have it; the command `groundswell` finds an MPI library and begins the
# program there. MPI has two families of libraries, and a program is compiled for one: this build is for Open MPI's, and what is
# for MPICH's is taken from the build that GROUNDSWELL_WHEEL_MPICH names.

set(wheel groundswell/program)
find_package(Threads REQUIRED)
add_library(gs_one_rank MODULE packaging/wheel/one_rank.c packaging/wheel/one_rank_messages.c)
target_link_libraries(gs_one_rank PRIVATE Threads::Threads)
target_include_directories(gs_one_rank PRIVATE $<TARGET_PROPERTY:MPI::MPI_C,INTERFACE_INCLUDE_DIRECTORIES>)
set_target_properties(gs_one_rank PROPERTIES PREFIX "" OUTPUT_NAME libmpi SUFFIX .so.40)
target_link_options(gs_one_rank PRIVATE "LINKER:-soname,libmpi.so.40")
if(NOT groundswell_launcher_version MATCHES "Open MPI|OpenRTE|open-mpi")
    message(FATAL_ERROR "MPI_C_COMPILER = ${MPI_C_COMPILER}: expected that of Open MPI; scripts/wheel builds for MPICH besides")
endif()
set(GROUNDSWELL_WHEEL_MPICH "" CACHE PATH "The same sources built for MPICH, as scripts/wheel does")
if(NOT EXISTS "${GROUNDSWELL_WHEEL_MPICH}/bin/groundswell")
    message(FATAL_ERROR "GROUNDSWELL_WHEEL_MPICH = ${GROUNDSWELL_WHEEL_MPICH}: expected a build for MPICH, as scripts/wheel makes one")
endif()

# MPICH is libmpi.so.12, as its kin have agreed, but Debian and Ubuntu call it libmpich.so.12. This one has the first name and loads
# the second.
set(empty "${PROJECT_BINARY_DIR}/empty.c")
file(CONFIGURE OUTPUT "${empty}" CONTENT "typedef int nothing;\n")
add_library(gs_mpich_of_debian MODULE "${empty}")  # to link with
set_target_properties(gs_mpich_of_debian PROPERTIES PREFIX "" OUTPUT_NAME libmpich SUFFIX .so.12)
target_link_options(gs_mpich_of_debian PRIVATE "LINKER:-soname,libmpich.so.12")
add_library(gs_mpich_alias MODULE "${empty}")
add_dependencies(gs_mpich_alias gs_mpich_of_debian)
set_target_properties(gs_mpich_alias PROPERTIES PREFIX "" OUTPUT_NAME libmpi SUFFIX .so.12)
target_link_options(gs_mpich_alias PRIVATE "LINKER:-soname,libmpi.so.12,--no-as-needed" $<TARGET_FILE:gs_mpich_of_debian>)

install(TARGETS groundswell COMPONENT wheel RUNTIME DESTINATION ${wheel}/bin)
# A wheel has no links.
install(PROGRAMS $<TARGET_FILE:gs_c> COMPONENT wheel DESTINATION ${wheel}/lib RENAME $<TARGET_SONAME_FILE_NAME:gs_c>)
install(TARGETS gs_lab COMPONENT wheel LIBRARY DESTINATION ${wheel}/lib)
install(TARGETS gs_one_rank COMPONENT wheel LIBRARY DESTINATION ${wheel}/one-rank)
install(PROGRAMS "${GROUNDSWELL_WHEEL_MPICH}/bin/groundswell" COMPONENT wheel DESTINATION ${wheel}/mpich/bin)
install(PROGRAMS "${GROUNDSWELL_WHEEL_MPICH}/lib/$<TARGET_FILE_NAME:gs_c>" COMPONENT wheel DESTINATION ${wheel}/mpich/lib
    RENAME $<TARGET_SONAME_FILE_NAME:gs_c>)
install(PROGRAMS "${GROUNDSWELL_WHEEL_MPICH}/lib/$<TARGET_FILE_NAME:gs_lab>" COMPONENT wheel DESTINATION ${wheel}/mpich/lib)
install(TARGETS gs_mpich_alias COMPONENT wheel LIBRARY DESTINATION ${wheel}/mpich/alias)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/groundswell/c" COMPONENT wheel
    DESTINATION ${wheel}/include/groundswell FILES_MATCHING PATTERN "*.h")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cases" COMPONENT wheel DESTINATION ${wheel}/share/groundswell
    PATTERN output EXCLUDE PATTERN ".*" EXCLUDE)
if(proj_FOUND)
    pkg_get_variable(proj_data proj datadir)
    install(FILES "${proj_data}/proj.db" COMPONENT wheel DESTINATION ${wheel}/share/proj)
endif()
install(PROGRAMS "${PROJECT_SOURCE_DIR}/packaging/wheel/groundswell" COMPONENT wheel DESTINATION "${SKBUILD_SCRIPTS_DIR}")
