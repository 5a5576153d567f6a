# Libraries of the field, as a cluster or a distribution provides them.

set(MPI_CXX_SKIP_MPICXX TRUE)
find_package(MPI 3.1 REQUIRED COMPONENTS C CXX)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PkgConfig REQUIRED)
pkg_check_modules(netcdf REQUIRED IMPORTED_TARGET netcdf)
find_package(HDF5 1.10.5 REQUIRED COMPONENTS C HL)  # the one that netCDF-C uses
find_package(ZLIB REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)
if(GROUNDSWELL_PNETCDF)
    pkg_check_modules(pnetcdf REQUIRED IMPORTED_TARGET pnetcdf)
endif()
if(GROUNDSWELL_PROJ)
    pkg_check_modules(proj QUIET IMPORTED_TARGET "proj>=6.3")
    if(proj_FOUND)
        list(APPEND groundswell_needs_mesh PkgConfig::proj)
    endif()
endif()
find_package(METIS REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus QUIET)
if(NOT TARGET tomlplusplus::tomlplusplus)
    pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
    add_library(tomlplusplus::tomlplusplus ALIAS PkgConfig::tomlplusplus)
endif()
if(GROUNDSWELL_TESTS)
    find_package(GTest REQUIRED)
endif()
if(GROUNDSWELL_BENCH)
    find_package(benchmark REQUIRED)
endif()

# How to start ranks in tests. The two launchers differ in everything but -n.
execute_process(COMMAND "${MPIEXEC_EXECUTABLE}" --version
    OUTPUT_VARIABLE groundswell_launcher_version ERROR_QUIET)
if(groundswell_launcher_version MATCHES "Open MPI|OpenRTE|open-mpi")
    set(GROUNDSWELL_LAUNCH_FLAGS --oversubscribe --bind-to none)
    set(GROUNDSWELL_LAUNCH_ENVIRONMENT
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
        # Ranks that share a core must yield while they wait.
        OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1
        OMPI_MCA_hwloc_base_binding_policy=none)
else()
    set(GROUNDSWELL_LAUNCH_FLAGS "")
    set(GROUNDSWELL_LAUNCH_ENVIRONMENT "")
endif()
