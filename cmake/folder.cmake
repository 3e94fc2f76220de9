# alfred_folder(<folder under src/> [<folders it may use>...])
# Makes the static library alfred_<folder> from the *.cc of the folder and of those below it, and, when tests are built, one test
# binary <folder>_test from its *_test.cc.
function(alfred_folder folder)
  string(REPLACE "/" "_" name ${folder})
  set(dir ${PROJECT_SOURCE_DIR}/src/${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cc ${dir}/*/*.cc)
  file(GLOB tests CONFIGURE_DEPENDS ${dir}/*_test.cc ${dir}/*/*_test.cc)
  list(REMOVE_ITEM sources ${tests})

  add_library(alfred_${name} STATIC ${sources})
  list(TRANSFORM ARGN PREPEND alfred_ OUTPUT_VARIABLE uses)
  target_link_libraries(alfred_${name} PUBLIC alfred_flags ${uses})
  target_precompile_headers(alfred_${name} PRIVATE ${ALFRED_PCH_HEADERS})
  set_property(GLOBAL APPEND PROPERTY ALFRED_FOLDERS alfred_${name})

  if(ALFRED_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE alfred_${name} GTest::gtest_main rapidcheck
                          rapidcheck_gtest)
    target_compile_definitions(${name}_test PRIVATE ALFRED_TESTING
      ALFRED_SOURCE_DIR="${PROJECT_SOURCE_DIR}" ALFRED_BINARY_DIR="${PROJECT_BINARY_DIR}")
    target_precompile_headers(${name}_test PRIVATE ${ALFRED_PCH_HEADERS} <gtest/gtest.h>)
    add_test(NAME ${name}_test COMMAND ${name}_test)
  endif()
endfunction()
