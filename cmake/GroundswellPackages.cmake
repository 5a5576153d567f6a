# `cpack -G DEB` in the folder of a build: a Debian package of each component, groundswell and groundswell-dev (scripts/package).

set(CPACK_PACKAGE_NAME groundswell)
set(CPACK_PACKAGE_VENDOR "Groundswell authors")
set(CPACK_PACKAGE_CONTACT "Groundswell authors <authors@groundswell.invalid>")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME groundswell)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "A third-generation spectral wave model on Voronoi cells, and an ADER-DG model
of earthquakes on tetrahedra with ruptures, on one parallel runtime; tools that
make meshes, pictures and files for others; cases and manual.")
# What the tools need besides, in the distribution's names. The program runs without.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "python3 (>= 3.10), openmpi-bin")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS
    "python3-numpy, python3-scipy, python3-xarray, python3-matplotlib, python3-netcdf4, python3-pil, python3-tomli | python3 (>= 3.11)")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "python3-eccodes, python3-pyproj, python3-shapely, python3-rasterio")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME groundswell-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The runtime of Groundswell for other models:
halo exchange, output that overlaps with computing, and restart for models in
C++, C and Fortran: static libraries, headers, modules, and files for CMake and
pkg-config.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "groundswell (= ${PROJECT_VERSION}), libopenmpi-dev, libnetcdf-dev, libpnetcdf-dev, libhdf5-dev, libhwloc-dev, libfmt-dev, zlib1g-dev")

set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/packages_share.cmake")

# What Debian's policy wants of every package.
foreach(package program:groundswell library:groundswell-dev)
    string(REPLACE ":" ";" package ${package})
    list(GET package 0 component)
    list(GET package 1 name)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" COMPONENT ${component} RENAME copyright
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}")
endforeach()

include(CPack)
