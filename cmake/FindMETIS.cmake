# METIS has no configuration file of its own. Defines the target METIS::METIS.

find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
# It has no function that tells its version, only words in its header.
set(METIS_VERSION "unknown")
if(METIS_INCLUDE_DIR)
    file(STRINGS "${METIS_INCLUDE_DIR}/metis.h" words REGEX "^#define METIS_VER_")
    if("${words}" MATCHES "MAJOR +([0-9]+).*MINOR +([0-9]+).*SUBMINOR +([0-9]+)")
        set(METIS_VERSION "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3}")
    endif()
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(METIS REQUIRED_VARS METIS_LIBRARY METIS_INCLUDE_DIR)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)
if(METIS_FOUND AND NOT TARGET METIS::METIS)
    add_library(METIS::METIS UNKNOWN IMPORTED)
    set_target_properties(METIS::METIS PROPERTIES
        IMPORTED_LOCATION "${METIS_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${METIS_INCLUDE_DIR}")
endif()
