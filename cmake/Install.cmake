# Installation and packages.  Five components, each one Debian package:
#   program      pare            the program, its manual, completions, most languages
#   runtime      libpare0        the shared library
#   development  libpare-dev     headers, static library, pkg-config, find_package
#   languages    pare-languages  the other languages (third_party/languages)
#   python       python3-pare    the Python package, where it is built (cmake/Python.cmake)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(PARE_ZSH_DIR "${CMAKE_INSTALL_DATADIR}/zsh/site-functions"
    CACHE STRING "Where the zsh completion goes, relative to the prefix")
set(cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/pare")
option(PARE_DEBIAN "Compress manuals and add changelogs, as Debian's policy asks for" OFF)

# Sets `out` to a compressed copy of `source`, the same bytes every time.
function(pare_compress source name out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  set(made "${PROJECT_BINARY_DIR}/compressed/${name}.gz")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/compressed")
  execute_process(COMMAND gzip -9nc "${source}" OUTPUT_FILE "${made}" COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${made}" PARENT_SCOPE)
endfunction()

# --- program ----------------------------------------------------------------

if(TARGET pare)
  install(TARGETS pare COMPONENT program)
endif()
# Looked for in ../lib/pare from the program, and here (src/os/executable.h).
if(TARGET pare_preload)
  install(TARGETS pare_preload COMPONENT program
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/pare")
endif()
if(TARGET pare_random)
  install(TARGETS pare_random COMPONENT program
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/pare")
endif()
if(TARGET pare_watch)
  install(TARGETS pare_watch COMPONENT program
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/pare")
endif()
foreach(program IN ITEMS pare_worker pare_shootout pare_web_model pare_clang_edits)
  if(TARGET ${program})
    install(TARGETS ${program} COMPONENT program
      RUNTIME DESTINATION "${CMAKE_INSTALL_LIBDIR}/pare")
  endif()
endforeach()
file(GLOB man_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/doc/man/*.1")
if(PARE_DEBIAN)
  set(compressed)
  foreach(page IN LISTS man_pages)
    cmake_path(GET page FILENAME name)
    pare_compress("${page}" "${name}" made)
    list(APPEND compressed "${made}")
  endforeach()
  set(man_pages ${compressed})
  pare_compress("${PROJECT_SOURCE_DIR}/cmake/debian/changelog" changelog debian_changelog)
endif()
if(man_pages)
  install(FILES ${man_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT program)
endif()
file(GLOB completions CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/completions/*")
foreach(file IN LISTS completions)
  cmake_path(GET file FILENAME name)
  if(name STREQUAL "pare.bash")
    install(FILES "${file}" COMPONENT program RENAME pare
      DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  elseif(name STREQUAL "_pare")
    install(FILES "${file}" COMPONENT program DESTINATION "${PARE_ZSH_DIR}")
  elseif(name STREQUAL "pare.fish")
    install(FILES "${file}" COMPONENT program
      DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  endif()
endforeach()
# README's links lead to files beside it, but for those that the manual repeats.
set(doc_dir "${CMAKE_INSTALL_DATADIR}/doc/pare")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
  DESTINATION "${doc_dir}" COMPONENT program)
set(folder_mode OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${doc_dir}" COMPONENT program
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
  DIRECTORY_PERMISSIONS ${folder_mode})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${doc_dir}" COMPONENT program
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
  DIRECTORY_PERMISSIONS ${folder_mode}
  PATTERN "*.sh" PERMISSIONS ${folder_mode})
# Debian keeps licences under the package's name as "copyright"; that of a language lies
# beside its parser as well.
set(packages "program pare" "runtime libpare0" "development libpare-dev")
if(PARE_LANGUAGES STREQUAL "all")
  list(APPEND packages "languages pare-languages")
endif()
if(PARE_HAVE_PYTHON)
  list(APPEND packages "python python3-pare")
endif()
foreach(entry IN LISTS packages)
  string(REPLACE " " ";" entry "${entry}")
  list(POP_FRONT entry component package)
  set(place "${CMAKE_INSTALL_DATADIR}/doc/${package}")
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
    DESTINATION "${place}" RENAME copyright COMPONENT ${component})
  install(FILES "${PROJECT_SOURCE_DIR}/NOTICE" DESTINATION "${place}" COMPONENT ${component})
  if(PARE_DEBIAN)
    install(FILES "${debian_changelog}" DESTINATION "${place}" COMPONENT ${component})
  endif()
endforeach()

# --- library ----------------------------------------------------------------

set_target_properties(pare_shared PROPERTIES EXPORT_NAME pare)
install(TARGETS pare_shared pare_static EXPORT pare
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/pare" COMPONENT development
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(EXPORT pare NAMESPACE pare:: FILE pareTargets.cmake
  DESTINATION "${cmake_dir}" COMPONENT development)
configure_package_config_file(cmake/pareConfig.cmake.in pareConfig.cmake
  INSTALL_DESTINATION "${cmake_dir}")
write_basic_package_version_file(pareConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# pare.pc finds its prefix from its own place, so that any PREFIX works.
file(RELATIVE_PATH pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
# Private libraries are named, not required: a program that uses libpare gets none of the
# folders that pare itself is compiled with.
set(pc_optional "")
foreach(library IN LISTS PARE_OPTIONAL_LIBRARIES)
  string(APPEND pc_optional " -l${library}")
endforeach()
configure_file(cmake/pare.pc.in pare.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/pareConfig.cmake"
  "${PROJECT_BINARY_DIR}/pareConfigVersion.cmake"
  DESTINATION "${cmake_dir}" COMPONENT development)
install(FILES "${PROJECT_BINARY_DIR}/pare.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)

# --- Python -----------------------------------------------------------------

if(PARE_HAVE_PYTHON)
  install(TARGETS pare_python COMPONENT python LIBRARY DESTINATION "${PARE_PYTHON_DIR}/pare")
  install(FILES ${python_sources} DESTINATION "${PARE_PYTHON_DIR}/pare" COMPONENT python)
  install(DIRECTORY "${python_info}" DESTINATION "${PARE_PYTHON_DIR}" COMPONENT python
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
    DIRECTORY_PERMISSIONS ${folder_mode})
endif()

# --- packages ---------------------------------------------------------------

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME pare)
set(CPACK_PACKAGE_VENDOR "the pare authors")
# Nobody answers there: whoever publishes packages gives an address of his own.
set(PARE_MAINTAINER "the pare authors <pare@example.org>" CACHE STRING "Who makes the packages")
set(CPACK_PACKAGE_CONTACT "${PARE_MAINTAINER}")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_FILE_NAME "pare-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program runtime development)
if(PARE_LANGUAGES STREQUAL "all")
  list(APPEND CPACK_COMPONENTS_ALL languages)
endif()
if(PARE_HAVE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME pare)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libpare0)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
# What dpkg-shlibdeps says of programs that use the library, and who updates ld.so's cache.
set(debian_dir "${PROJECT_BINARY_DIR}/debian")
file(WRITE "${debian_dir}/shlibs"
  "libpare ${PROJECT_VERSION_MAJOR} libpare0 (>= ${PROJECT_VERSION})\n")
file(WRITE "${debian_dir}/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${debian_dir}/shlibs;${debian_dir}/triggers")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpare-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libpare0 (= ${PROJECT_VERSION}), libutf8proc-dev, libjansson-dev, libpcre2-dev, liblua5.4-dev, zlib1g-dev, liblzma-dev, libsqlite3-dev, libinih-dev")
# The libraries are opened when they are needed: by `pare fuzz web`, by reports that are sent,
# and by workers.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS
  "pare-languages, libmicrohttpd12, libcurl4 | libcurl3-gnutls, libnats3.4")
# For `pare lang add`: npm fetches a parser, a C compiler makes it.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "nodejs, npm, gcc | c-compiler, libc6-dev | libc-dev")
set(CPACK_DEBIAN_LANGUAGES_PACKAGE_NAME pare-languages)
set(CPACK_DEBIAN_LANGUAGES_PACKAGE_ENHANCES pare)
set(CPACK_COMPONENT_LANGUAGES_DESCRIPTION
"This package holds the parsers of the languages that few need, by which pare
reduces their texts: dtd, solidity, toml, tsx, verilog, xml and yaml.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-pare)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
# The module is of Python's stable interface, and cffi's own part of it is in the backend.  By name:
# dpkg-shlibdeps does not know libpare0 while that is being made.
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "libc6, libpare0 (= ${PROJECT_VERSION}), python3 (>= 3.9), python3-cffi-backend")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pytest, python3-hypothesis")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"This package holds the Python package pare: reduce(data, interesting) and
the rest of the library, a plug-in of pytest, and pare.hypothesis.")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"Shrinks an input that makes a program fail to a small one that still does:
in parallel, with the same result at every number of jobs, losing nothing.")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"This package holds the shared library.  It reduces bytes or
lists with a predicate of the calling program.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"This package holds what a program that uses libpare is compiled with: headers,
static library, pkg-config file and CMake package.")
include(CPack)
