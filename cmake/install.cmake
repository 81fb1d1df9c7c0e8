# The package a user finds with find_package(escapement): headers, shared library, escapement::escapement.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/escapement)

install(TARGETS escapement EXPORT escapementTargets)
install(DIRECTORY include/escapement DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT escapementTargets NAMESPACE escapement:: DESTINATION ${package_dir})

configure_package_config_file(cmake/escapementConfig.cmake.in ${PROJECT_BINARY_DIR}/escapementConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/escapementConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/escapementConfig.cmake ${PROJECT_BINARY_DIR}/escapementConfigVersion.cmake
  DESTINATION ${package_dir})
