# The core of tree-sitter, compiled into libpare, and the parsers of languages.
#
# The core is a pinned npm package that scripts/bootstrap.sh puts under third_party/, where
# git ignores it.  Without it every language is missing, and results are many times larger:
# such a pare is built only for those who ask for it.  What needs tree-sitter answers with
# PARE_E_UNSUPPORTED then, and each summary says what this pare lacks.
#
#   PARE_TREE_SITTER=ON    stop when it is not there (default)
#   PARE_TREE_SITTER=OFF   leave it out
option(PARE_TREE_SITTER "Parse by tree-sitter" ON)
set(PARE_TREE_SITTER_PACKAGE "${PROJECT_SOURCE_DIR}/third_party/tree-sitter/node_modules/tree-sitter"
  CACHE PATH "Where the npm package of tree-sitter is")
mark_as_advanced(PARE_TREE_SITTER_PACKAGE)
set(tree_sitter_lib "${PARE_TREE_SITTER_PACKAGE}/vendor/tree-sitter/lib")

set(with_tree_sitter ${PARE_TREE_SITTER})
if(PARE_TREE_SITTER AND NOT EXISTS "${tree_sitter_lib}/src/lib.c")
  message(FATAL_ERROR "tree-sitter, by which pare reads languages, is not there: "
    "run scripts/bootstrap.sh run, which installs npm and fetches it, or configure with "
    "-DPARE_TREE_SITTER=OFF for a pare that knows no language")
endif()

# What src/parse/tree_sitter.c is compiled with; empty without the core.
add_library(pare_tree_sitter_api INTERFACE)
set(tree_sitter_objects)
if(with_tree_sitter)
  target_compile_definitions(pare_tree_sitter_api INTERFACE PARE_HAVE_TREE_SITTER)
  target_include_directories(pare_tree_sitter_api SYSTEM INTERFACE "${tree_sitter_lib}/include")

  # Its symbols stay inside our shared library: a program may have its own.
  add_library(pare_tree_sitter OBJECT "${tree_sitter_lib}/src/lib.c")
  target_include_directories(pare_tree_sitter PRIVATE
    "${tree_sitter_lib}/include" "${tree_sitter_lib}/src")
  target_compile_definitions(pare_tree_sitter PRIVATE
    _GNU_SOURCE TREE_SITTER_HIDE_SYMBOLS)
  target_compile_options(pare_tree_sitter PRIVATE -w -O2)
  set(tree_sitter_objects $<TARGET_OBJECTS:pare_tree_sitter>)
endif()

if(with_tree_sitter)
  add_subdirectory(third_party/languages)
endif()
