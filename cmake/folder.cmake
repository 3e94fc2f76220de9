# alfred_campaign(<test and target>...)
# Marks tests whose size can be chosen (base/test_size.h): `scripts/test --all` runs them once more,
# compiled for release, at their largest.
function(alfred_campaign)
  foreach(name IN LISTS ARGN)
    add_dependencies(campaigns ${name})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # tests are held to clang's warnings; what they call is optimised
      target_compile_options(${name} PRIVATE -w -O1)
    endif()
    set_property(TEST ${name} APPEND PROPERTY LABELS campaign)
  endforeach()
endfunction()

# The tests that start threads: all that a build for ThreadSanitizer has to hold.
option(ALFRED_THREADS_ONLY "Of each folder's tests, build those whose suites are called *Threads*" OFF)
set(ALFRED_THREADS_SUITE "^(TEST|TEST_F|TEST_P|RC_GTEST_PROP)\\([A-Za-z0-9_]*Threads")

# alfred_folder(<folder under src/> [<folders it may use>...])
# Makes the static library alfred_<folder> from the *.cc of the folder and of those below it, and, when tests are built, one test
# binary <folder>_test from its *_test.cc.
function(alfred_folder folder)
  string(REPLACE "/" "_" name ${folder})
  set(dir ${PROJECT_SOURCE_DIR}/src/${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cc ${dir}/*/*.cc ${dir}/*/*/*.cc)
  file(GLOB tests CONFIGURE_DEPENDS ${dir}/*_test.cc ${dir}/*/*_test.cc
       ${dir}/*/*/*_test.cc)
  list(REMOVE_ITEM sources ${tests})
  if(ALFRED_THREADS_ONLY)
    foreach(test IN LISTS tests)
      file(STRINGS ${test} threaded REGEX "${ALFRED_THREADS_SUITE}" LIMIT_COUNT 1)
      if(NOT threaded)
        list(REMOVE_ITEM tests ${test})
      endif()
    endforeach()
  endif()

  add_library(alfred_${name} STATIC ${sources})
  list(TRANSFORM ARGN PREPEND alfred_ OUTPUT_VARIABLE uses)
  list(TRANSFORM uses REPLACE "/" "_")
  target_link_libraries(alfred_${name} PUBLIC alfred_flags ${uses})
  target_precompile_headers(alfred_${name} PRIVATE ${ALFRED_PCH_HEADERS})
  alfred_together(alfred_${name})
  set_property(GLOBAL APPEND PROPERTY ALFRED_FOLDERS alfred_${name})

  if(ALFRED_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE alfred_${name} GTest::gtest_main rapidcheck
                          rapidcheck_gtest)
    target_compile_definitions(${name}_test PRIVATE ALFRED_TESTING
      ALFRED_SOURCE_DIR="${PROJECT_SOURCE_DIR}" ALFRED_BINARY_DIR="${PROJECT_BINARY_DIR}")
    target_precompile_headers(${name}_test PRIVATE ${ALFRED_PCH_HEADERS} <gtest/gtest.h>)
    alfred_together(${name}_test)
    add_test(NAME ${name}_test COMMAND ${name}_test)
    foreach(test IN LISTS tests)
      file(STRINGS ${test} sized REGEX "base/test_size.h" LIMIT_COUNT 1)
      if(sized)
        alfred_campaign(${name}_test)
        break()
      endif()
    endforeach()
  endif()
endfunction()
