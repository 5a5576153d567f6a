# `cmake --install BUILD --component library --prefix PREFIX`: the runtime for other models, found from outside by
# find_package(groundswell), whose targets are groundswell::halo and groundswell::output with what they stand on.

include(CMakePackageConfigHelpers)

set(groundswell_exported base exec parallel halo output)
set(groundswell_package "${CMAKE_INSTALL_LIBDIR}/cmake/groundswell")

foreach(module IN LISTS groundswell_exported)
    set_target_properties(gs_${module} PROPERTIES EXPORT_NAME ${module} OUTPUT_NAME groundswell_${module})
    install(TARGETS gs_${module} EXPORT groundswell COMPONENT library
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/groundswell/${module}" COMPONENT library
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/groundswell" FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(EXPORT groundswell COMPONENT library NAMESPACE groundswell:: FILE groundswell-targets.cmake
    DESTINATION "${groundswell_package}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/groundswell-config.cmake.in"
    "${PROJECT_BINARY_DIR}/groundswell-config.cmake" INSTALL_DESTINATION "${groundswell_package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/groundswell-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/groundswell-config.cmake"
    "${PROJECT_BINARY_DIR}/groundswell-config-version.cmake"
    COMPONENT library DESTINATION "${groundswell_package}")
