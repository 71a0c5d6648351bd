# install + export, so that find_package(resilin) works; tests/install builds a consumer against it.
include(CMakePackageConfigHelpers)
install(TARGETS resilin resilin_scene EXPORT resilin_targets)
install(DIRECTORY include/resilin DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT resilin_targets NAMESPACE resilin:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/resilin)
configure_package_config_file(cmake/resilin-config.cmake.in ${PROJECT_BINARY_DIR}/resilin-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/resilin)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/resilin-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/resilin-config.cmake ${PROJECT_BINARY_DIR}/resilin-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/resilin)
