# cmake/FindTenonZip.cmake: finds libzip and defines the target TenonZip::zip.
# SPDX-License-Identifier: BSD-3-Clause
#
# libzip's own package file is not used: on Debian 12 it demands command-line tools that libzip-dev
# does not install.
find_path(TenonZip_INCLUDE_DIR NAMES zip.h)
find_library(TenonZip_LIBRARY NAMES zip)
mark_as_advanced(TenonZip_INCLUDE_DIR TenonZip_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TenonZip REQUIRED_VARS TenonZip_LIBRARY TenonZip_INCLUDE_DIR)

if(TenonZip_FOUND AND NOT TARGET TenonZip::zip)
  add_library(TenonZip::zip UNKNOWN IMPORTED)
  set_target_properties(TenonZip::zip PROPERTIES
    IMPORTED_LOCATION "${TenonZip_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${TenonZip_INCLUDE_DIR}")
endif()
