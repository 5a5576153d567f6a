# `cmake --install BUILD --component library --prefix PREFIX`: the runtime for other models. CMake finds it by
# find_package(groundswell): groundswell::halo and groundswell::output (C++), groundswell::c, groundswell::fortran;
# make finds it by pkg-config: groundswell, groundswell-fortran.

include(CMakePackageConfigHelpers)
set(groundswell_package "${CMAKE_INSTALL_LIBDIR}/cmake/groundswell")

# groundswell_install(SET TARGET EXPORTED_NAME): a library of one of the sets of targets cxx, c, fortran.
function(groundswell_install set target name)
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS ${target} EXPORT groundswell-${set} COMPONENT library)
endfunction()

foreach(module base exec parallel halo output)
    groundswell_install(cxx gs_${module} ${module})
    set_target_properties(gs_${module} PROPERTIES OUTPUT_NAME groundswell_${module})
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/groundswell/${module}" COMPONENT library
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/groundswell" FILES_MATCHING PATTERN "*.hpp")
endforeach()
set(groundswell_sets cxx c)

groundswell_install(c gs_c c)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/groundswell/c" COMPONENT library
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/groundswell" FILES_MATCHING PATTERN "*.h")

# Compiled modules serve one compiler; the sources, which stand beside them, all.
if(TARGET gs_fortran)
    list(APPEND groundswell_sets fortran)
    groundswell_install(fortran gs_fortran fortran)
    install(DIRECTORY "${GROUNDSWELL_MODULES}/" "${PROJECT_SOURCE_DIR}/src/groundswell/fortran/" COMPONENT library
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/groundswell/fortran"
        FILES_MATCHING PATTERN "*.mod" PATTERN "*.f90")
endif()

foreach(set IN LISTS groundswell_sets)
    install(EXPORT groundswell-${set} COMPONENT library NAMESPACE groundswell::
        FILE groundswell-${set}-targets.cmake DESTINATION "${groundswell_package}")
endforeach()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/groundswell-config.cmake.in"
    "${PROJECT_BINARY_DIR}/groundswell-config.cmake" INSTALL_DESTINATION "${groundswell_package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/groundswell-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/groundswell-config.cmake"
    "${PROJECT_BINARY_DIR}/groundswell-config-version.cmake"
    COMPONENT library DESTINATION "${groundswell_package}")

foreach(name groundswell groundswell-fortran)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" COMPONENT library
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
