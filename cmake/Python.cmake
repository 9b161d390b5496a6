# The Python package (python/): the extension module, built for the tests and installed as the
# component `python`.
#
#   PARE_PYTHON=AUTO  build it when python3-cffi and python3-dev are there (default); ON: stop when
#                     they are not; OFF: leave it out
#   PARE_PYTHON_DIR   where the package goes, relative to the prefix
#
# A library with a sanitizer in it cannot be loaded by a Python without, so that it is left out
# then.
set(PARE_PYTHON AUTO CACHE STRING "The Python package: ON, OFF or AUTO")
set_property(CACHE PARE_PYTHON PROPERTY STRINGS AUTO ON OFF)
set(PARE_HAVE_PYTHON OFF)
if(NOT PARE_PYTHON OR PARE_SANITIZE OR PARE_LIBFUZZER OR PARE_COVERAGE)
  return()
endif()

# Debian's, where there is one: python3-cffi is for that.
find_program(PARE_PYTHON_PROGRAM python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(PARE_PYTHON_PROGRAM python3)
set(python_lacks "python3 is not installed (apt-get install python3-cffi python3-dev)")
if(PARE_PYTHON_PROGRAM)
  execute_process(
    COMMAND "${PARE_PYTHON_PROGRAM}" -c "
import os, sys, sysconfig
try:
    import cffi
except ImportError:
    sys.exit('python3-cffi is not installed (apt-get install python3-cffi)')
folder = sysconfig.get_paths()['include']
if not os.path.exists(os.path.join(folder, 'Python.h')):
    sys.exit('Python.h is not installed (apt-get install python3-dev)')
kind = 'dist-packages' if os.path.exists('/etc/debian_version') else 'site-packages'
print(folder, 'lib/python%d.%d/%s' % (*sys.version_info[:2], kind), sep=';', end='')"
    OUTPUT_VARIABLE python_found ERROR_VARIABLE python_lacks RESULT_VARIABLE python_result
    ERROR_STRIP_TRAILING_WHITESPACE)
  if(python_result EQUAL 0)
    set(PARE_HAVE_PYTHON ON)
    list(GET python_found 0 python_include)
    list(GET python_found 1 python_dir)
  endif()
endif()
if(NOT PARE_HAVE_PYTHON)
  if(PARE_PYTHON STREQUAL "AUTO")
    message(STATUS "${python_lacks}: the Python package is not built")
    return()
  endif()
  message(FATAL_ERROR "${python_lacks}; or configure with -DPARE_PYTHON=OFF")
endif()
if(PARE_DEBIAN)
  set(python_dir lib/python3/dist-packages)
endif()
set(PARE_PYTHON_DIR "${python_dir}" CACHE STRING "Where the Python package goes, relative to the prefix")

# The package in the build tree is links to the sources, and the module.
set(python_build "${PROJECT_BINARY_DIR}/python")
file(MAKE_DIRECTORY "${python_build}/pare")
file(GLOB python_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/pare/*.py"
  "${PROJECT_SOURCE_DIR}/python/pare/*.pyi" "${PROJECT_SOURCE_DIR}/python/pare/py.typed")
foreach(source IN LISTS python_sources)
  cmake_path(GET source FILENAME name)
  file(CREATE_LINK "${source}" "${python_build}/pare/${name}" SYMBOLIC)
endforeach()
# By these pip knows the package, and pytest its plug-in.
set(python_info "${python_build}/pare-${PROJECT_VERSION}.dist-info")
file(WRITE "${python_info}/METADATA" "Metadata-Version: 2.1\nName: pare\nVersion: ${PROJECT_VERSION}\n"
  "Summary: ${PROJECT_DESCRIPTION}\nRequires-Python: >=3.9\nRequires-Dist: cffi (>=1.14)\n")
file(WRITE "${python_info}/entry_points.txt" "[pytest11]\npare = pare.pytest_plugin\n")
file(WRITE "${python_info}/INSTALLER" "cmake\n")

set(python_builder "${PROJECT_SOURCE_DIR}/python/build_pare.py")
file(GLOB public_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/pare/*.h")
add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/python_pare.c"
  COMMAND "${PARE_PYTHON_PROGRAM}" "${python_builder}" "${PROJECT_SOURCE_DIR}/include"
    "${PROJECT_BINARY_DIR}/python_pare.c"
  DEPENDS "${python_builder}" ${public_headers} VERBATIM
  COMMENT "Making the Python module from the public headers")
add_library(pare_python MODULE "${PROJECT_BINARY_DIR}/python_pare.c")
set_target_properties(pare_python PROPERTIES
  PREFIX "" OUTPUT_NAME _pare.abi3 LIBRARY_OUTPUT_DIRECTORY "${python_build}/pare"
  C_VISIBILITY_PRESET default)
target_include_directories(pare_python SYSTEM PRIVATE "${python_include}")
target_link_libraries(pare_python PRIVATE pare::pare)
# Beside a prefix of one's own the library is found; Debian's is where the loader looks.
if(NOT PARE_DEBIAN)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR
    BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${PARE_PYTHON_DIR}/pare" OUTPUT_VARIABLE python_to_library)
  set_target_properties(pare_python PROPERTIES INSTALL_RPATH "$ORIGIN/${python_to_library}")
endif()
