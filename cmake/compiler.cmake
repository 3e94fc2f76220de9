# Compiler flags, sanitizers, ccache and the precompiled header, for every target.
add_library(alfred_flags INTERFACE)
target_compile_options(alfred_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(ALFRED_WERROR)
  target_compile_options(alfred_flags INTERFACE -Werror)
endif()
if(ALFRED_SANITIZE)
  add_compile_options(-fsanitize=${ALFRED_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ALFRED_SANITIZE})
endif()
if(ALFRED_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
target_include_directories(alfred_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

find_program(ALFRED_CCACHE ccache)
if(ALFRED_CCACHE)
  # The sloppiness lets ccache serve objects that were built with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${ALFRED_CCACHE})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

set(ALFRED_PCH_HEADERS <algorithm> <array> <cstdint> <cstring> <functional> <map> <memory>
    <optional> <span> <string> <string_view> <tuple> <utility> <variant> <vector>
    <tl/expected.hpp> <fmt/format.h>)
