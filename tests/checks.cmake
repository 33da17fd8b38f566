# tests/checks.cmake: tests that run a Python script on the source tree.
# SPDX-License-Identifier: BSD-3-Clause

# The command that compiles a source that includes Tenon: compiler, language, contract.
set(tenon_compile "${CMAKE_CXX_COMPILER}" -std=c++20 -ffp-contract=off
    "-I${PROJECT_SOURCE_DIR}/include")
if(TENON_OPENMP)
  separate_arguments(openmp_flags NATIVE_COMMAND "${OpenMP_CXX_FLAGS}")
  list(APPEND tenon_compile ${openmp_flags})
endif()

# tenon_add_check(NAME LABEL SCRIPT ARGUMENTS...): a test that runs a Python script of this folder.
function(tenon_add_check name label script)
  add_test(NAME ${name}
           COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS "${label}")
endfunction()

tenon_add_check(layers.self_test tree layers/check_layers.py --self-test)
tenon_add_check(layers.tree tree layers/check_layers.py "${PROJECT_SOURCE_DIR}")

tenon_add_check(must_not_compile.self_test tree must_not_compile/check.py
                --self-test -- ${tenon_compile})
file(GLOB rejected CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile/*.cpp")
foreach(source IN LISTS rejected)
  cmake_path(GET source STEM stem)
  tenon_add_check(must_not_compile.${stem} tree must_not_compile/check.py
                  "${source}" -- ${tenon_compile})
endforeach()

# The program, run as a user would.
if(TARGET tenon_program)
  tenon_add_check(apps.program program apps/check_program.py "$<TARGET_FILE:tenon_program>")
  set_tests_properties(apps.program PROPERTIES TIMEOUT 600)
  if(TENON_HAVE_IO AND TARGET tomlplusplus::tomlplusplus AND TARGET muparser::muparser)
    tenon_add_check(apps.run program apps/check_run.py "$<TARGET_FILE:tenon_program>"
                    "${PROJECT_SOURCE_DIR}/docs/guide/running_cases.md")
    set_tests_properties(apps.run PROPERTIES TIMEOUT 300)
  endif()
endif()

# The programs in the documentation, one test per page.
tenon_add_check(docs.self_test tree docs/check_snippets.py --self-test -- ${tenon_compile})
file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/*.md" "${PROJECT_SOURCE_DIR}/docs/*/*.md")
foreach(page IN LISTS pages)
  file(STRINGS "${page}" code REGEX "^```cpp$")
  if(code)
    cmake_path(GET page STEM stem)
    tenon_add_check(docs.${stem} docs docs/check_snippets.py "${page}" "$<TARGET_FILE:tenon>"
                    -- ${tenon_compile})
    set_tests_properties(docs.${stem} PROPERTIES TIMEOUT 600)
  endif()
endforeach()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(family g++)
else()
  set(family clang++)
endif()
tenon_add_check(ratchet.self_test ratchet ratchet/measure.py --self-test -- ${tenon_compile})
if(EXISTS "${PROJECT_SOURCE_DIR}/include/tenon/tenon.hpp")
  tenon_add_check(ratchet.compile_time ratchet ratchet/measure.py ${family} -- ${tenon_compile})
  set_tests_properties(ratchet.compile_time PROPERTIES RUN_SERIAL ON TIMEOUT 300)
endif()
