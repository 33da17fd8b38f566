# cmake/TenonInstall.cmake: install rules and the package that find_package(tenon) reads.
# SPDX-License-Identifier: BSD-3-Clause
include(CMakePackageConfigHelpers)
set(tenon_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tenon")

set(tenon_libraries tenon)
if(TENON_HAVE_IO)
  list(APPEND tenon_libraries tenon_io)
endif()
install(TARGETS ${tenon_libraries} EXPORT tenon_targets)
if(TARGET tenon_program)
  install(TARGETS tenon_program)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tenon" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT tenon_targets NAMESPACE tenon:: FILE tenon-targets.cmake
        DESTINATION "${tenon_package_dir}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/tenon-config.cmake.in" "${PROJECT_BINARY_DIR}/tenon-config.cmake"
  INSTALL_DESTINATION "${tenon_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tenon-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/tenon-config.cmake" "${PROJECT_BINARY_DIR}/tenon-config-version.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindTenonZip.cmake"
  DESTINATION "${tenon_package_dir}")
