# cmake/TenonTargets.cmake: build-only flags of Tenon's own targets.
# SPDX-License-Identifier: BSD-3-Clause
include(CheckCXXCompilerFlag)

if(TENON_NATIVE)
  check_cxx_compiler_flag(-march=native TENON_ACCEPTS_MARCH_NATIVE)
  check_cxx_compiler_flag(-mprefer-vector-width=512 TENON_ACCEPTS_VECTOR_WIDTH)
endif()

# tenon_own_target(TARGET): language mode, warnings and processor flags. All of them are PRIVATE, so
# none reaches a user of the library.
function(tenon_own_target target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF CXX_STANDARD_REQUIRED ON)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    # gcc 12 sees overlapping copies in "text" + std::to_string(n) (its bug 105651).
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>"
    # A loop that clang leaves scalar under `omp simd` is slower, not wrong.
    "$<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>")
  if(TENON_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(TENON_NATIVE AND TENON_ACCEPTS_MARCH_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
    if(TENON_ACCEPTS_VECTOR_WIDTH)
      target_compile_options(${target} PRIVATE -mprefer-vector-width=512)
    endif()
  endif()
endfunction()

# tenon_link_io_if_built(TARGET): links tenon::io and defines TENON_HAVE_IO=1 when it is built.
function(tenon_link_io_if_built target)
  if(TENON_HAVE_IO)
    target_link_libraries(${target} PRIVATE tenon_io)
    target_compile_definitions(${target} PRIVATE TENON_HAVE_IO=1)
  endif()
endfunction()
