# alfred_literal_words(<target> <header> <folders under src/>...)
# Writes a source of the target with all words of eight letters or more that stand in string literals of the folders: what the
# program may say by itself. It is made anew when one of their files changes.
function(alfred_literal_words target header)
  set(files)
  foreach(folder IN LISTS ARGN)
    set(dir ${PROJECT_SOURCE_DIR}/src/${folder})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${dir}/*.cc ${dir}/*.h)
    list(APPEND files ${found})
  endforeach()
  list(FILTER files EXCLUDE REGEX "_(test|for_tests)\\.(cc|h)$")
  set(out ${CMAKE_CURRENT_BINARY_DIR}/literal_words.cc)
  set(names ${CMAKE_CURRENT_BINARY_DIR}/literal_words.txt)
  list(JOIN files "\n" text)
  file(GENERATE OUTPUT ${names} CONTENT "${text}\n")
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -D FILES=${names} -D HEADER=${header} -D OUT=${out}
            -P ${PROJECT_SOURCE_DIR}/cmake/write_literal_words.cmake
    DEPENDS ${files} ${names} ${PROJECT_SOURCE_DIR}/cmake/write_literal_words.cmake VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
