# `cmake --install BUILD --prefix PREFIX`: everything; with `--component program` the program, its Python tools, cases and
# manual, with `--component library` the runtime for other models. The folder may be moved afterwards.
# CMake finds it by find_package(groundswell COMPONENTS program | halo | output | simulation): groundswell::program,
# groundswell::halo, groundswell::output and groundswell::simulation (C++), groundswell::c, groundswell::fortran; make finds it by pkg-config: groundswell,
# groundswell-fortran.

include(CMakePackageConfigHelpers)
set(groundswell_package "${CMAKE_INSTALL_LIBDIR}/cmake/groundswell")
set(groundswell_share "${CMAKE_INSTALL_DATADIR}/groundswell")

set(groundswell_modules base exec parallel netcdf halo output simulation)
set(groundswell_library_targets gs_c)
foreach(module IN LISTS groundswell_modules)
    list(APPEND groundswell_library_targets gs_${module})
endforeach()
if(TARGET gs_fortran)
    list(APPEND groundswell_library_targets gs_fortran)
endif()

# What was not built is told before the first file is copied.
function(groundswell_check_built component)
    set(files "")
    foreach(target IN LISTS ARGN)
        string(APPEND files " \"$<TARGET_FILE:${target}>\"")
    endforeach()
    install(CODE "
        foreach(file IN ITEMS${files})
            if(NOT EXISTS \"\${file}\")
                message(FATAL_ERROR \"groundswell: error: \${file}: not built yet, so nothing is installed: expected \"
                    \"`make build` (in ${PROJECT_SOURCE_DIR}) or `cmake --build ${PROJECT_BINARY_DIR}` before\")
            endif()
        endforeach()" COMPONENT ${component})
endfunction()
groundswell_check_built(program groundswell gs_lab)
groundswell_check_built(library ${groundswell_library_targets})

# groundswell_install(SET COMPONENT TARGET...): targets gs_NAME, which others find as groundswell::NAME. A set is
# loaded as a whole.
function(groundswell_install set component)
    foreach(target IN LISTS ARGN)
        string(REGEX REPLACE "^gs_" "" name "${target}")
        set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
        install(TARGETS ${target} EXPORT groundswell-${set} COMPONENT ${component})
    endforeach()
    install(EXPORT groundswell-${set} COMPONENT ${component} NAMESPACE groundswell::
        FILE groundswell-${set}-targets.cmake DESTINATION "${groundswell_package}")
endfunction()

# The program, and beside it the Python tools that it calls; cases and manual as they stand to each other in the tree.
groundswell_install(program program groundswell)
set_target_properties(groundswell PROPERTIES EXPORT_NAME program)
file(RELATIVE_PATH groundswell_python_from_bin
    "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/groundswell/python")
configure_file("${PROJECT_SOURCE_DIR}/cmake/groundswell-tools.in" "${PROJECT_BINARY_DIR}/groundswell-tools" @ONLY)
install(PROGRAMS "${PROJECT_BINARY_DIR}/groundswell-tools" COMPONENT program DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS gs_lab COMPONENT program LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/groundswell" COMPONENT program
    DESTINATION "${groundswell_share}/python" FILES_MATCHING REGEX "\\.(py|toml|json|html)$")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/cases" COMPONENT program
    DESTINATION "${groundswell_share}" USE_SOURCE_PERMISSIONS PATTERN output EXCLUDE PATTERN ".*" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
    "${PROJECT_SOURCE_DIR}/CITATION.cff" COMPONENT program DESTINATION "${groundswell_share}")
# Manual pages, where scripts/man-pages has made them.
install(DIRECTORY "${PROJECT_BINARY_DIR}/man/" COMPONENT program DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" OPTIONAL)

# What completes commands, where shells look for it: the program prints it.
set(groundswell_completion "${PROJECT_BINARY_DIR}/completion")
file(MAKE_DIRECTORY "${groundswell_completion}")
foreach(shell bash zsh)
    install(CODE "execute_process(COMMAND \"$<TARGET_FILE:groundswell>\" completion ${shell}
        OUTPUT_FILE \"${groundswell_completion}/${shell}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
endforeach()
install(FILES "${groundswell_completion}/bash" COMPONENT program RENAME groundswell
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${groundswell_completion}/zsh" COMPONENT program RENAME _groundswell
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")

# C++.
groundswell_install(runtime library gs_base gs_exec gs_parallel)
groundswell_install(halo library gs_halo)
groundswell_install(output library gs_netcdf gs_output)
groundswell_install(simulation library gs_simulation)
foreach(module IN LISTS groundswell_modules)
    set_target_properties(gs_${module} PROPERTIES OUTPUT_NAME groundswell_${module})
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/groundswell/${module}" COMPONENT library
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/groundswell" FILES_MATCHING PATTERN "*.hpp"
        # What stands in a module's folders is not for others, nor is the choice among the kernels of this build.
        REGEX "/groundswell/${module}/[^/.]+$" EXCLUDE
        PATTERN choose_kernels.hpp EXCLUDE)
endforeach()

groundswell_install(c library gs_c)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/groundswell/c" COMPONENT library
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/groundswell" FILES_MATCHING PATTERN "*.h")

# Compiled modules serve one compiler; the sources, which stand beside them, all.
if(TARGET gs_fortran)
    groundswell_install(fortran library gs_fortran)
    install(DIRECTORY "${GROUNDSWELL_MODULES}/" "${PROJECT_SOURCE_DIR}/src/groundswell/fortran/"
        "${PROJECT_BINARY_DIR}/generated/groundswell/fortran/" COMPONENT library
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/groundswell/fortran"
        FILES_MATCHING PATTERN "*.mod" PATTERN "*.f90")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/groundswell-config.cmake.in"
    "${PROJECT_BINARY_DIR}/groundswell-config.cmake" INSTALL_DESTINATION "${groundswell_package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/groundswell-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
foreach(component program library)
    install(FILES "${PROJECT_BINARY_DIR}/groundswell-config.cmake"
        "${PROJECT_BINARY_DIR}/groundswell-config-version.cmake"
        COMPONENT ${component} DESTINATION "${groundswell_package}")
endforeach()

foreach(name groundswell groundswell-fortran)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" COMPONENT library
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
