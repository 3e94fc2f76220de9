# libalfred: every folder in one shared library, with the few public headers and a CMake package.
set(ALFRED_PUBLIC_FOLDERS base pack refs storage batch records)
list(TRANSFORM ALFRED_PUBLIC_FOLDERS REPLACE "(.+)" "$<TARGET_OBJECTS:alfred_\\1>"
     OUTPUT_VARIABLE objects)
add_library(alfred_shared SHARED ${objects})
add_library(alfred::alfred ALIAS alfred_shared)
set_target_properties(alfred_shared PROPERTIES
  OUTPUT_NAME alfred EXPORT_NAME alfred LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(alfred_shared
  PUBLIC tl::expected
  PRIVATE $<BUILD_INTERFACE:fmt::fmt> $<BUILD_INTERFACE:Boost::json>
          $<BUILD_INTERFACE:tomlplusplus::tomlplusplus> $<BUILD_INTERFACE:Threads::Threads>
          $<BUILD_INTERFACE:PkgConfig::sodium> $<BUILD_INTERFACE:SQLite::SQLite3>
          $<BUILD_INTERFACE:${CMAKE_DL_LIBS}>)
target_include_directories(alfred_shared INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(alfred_shared INTERFACE cxx_std_20)

include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/alfred-config.cmake.in ${PROJECT_BINARY_DIR}/alfred-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/alfred)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/alfred-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(TARGETS alfred)
install(TARGETS alfred_shared EXPORT alfred-targets)
install(DIRECTORY include/alfred DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT alfred-targets NAMESPACE alfred:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/alfred)
install(FILES ${PROJECT_BINARY_DIR}/alfred-config.cmake
              ${PROJECT_BINARY_DIR}/alfred-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/alfred)
