# The core of tree-sitter, compiled into libpare when it is there.
#
# It is a pinned npm package that scripts/bootstrap.sh puts under third_party/,
# where git ignores it.  Without it libpare is whole all the same, and what needs
# it answers with PARE_E_UNSUPPORTED.
#
#   PARE_TREE_SITTER=AUTO  take it when it is there (default)
#   PARE_TREE_SITTER=ON    stop when it is not there
#   PARE_TREE_SITTER=OFF   leave it out
set(PARE_TREE_SITTER AUTO CACHE STRING "Parse by tree-sitter: ON, OFF or AUTO")
set_property(CACHE PARE_TREE_SITTER PROPERTY STRINGS AUTO ON OFF)

set(tree_sitter_dir "${PROJECT_SOURCE_DIR}/third_party/tree-sitter/node_modules/tree-sitter")
set(tree_sitter_lib "${tree_sitter_dir}/vendor/tree-sitter/lib")

if(NOT PARE_TREE_SITTER)
  set(with_tree_sitter FALSE)
elseif(EXISTS "${tree_sitter_lib}/src/lib.c")
  set(with_tree_sitter TRUE)
elseif(PARE_TREE_SITTER STREQUAL "AUTO")
  set(with_tree_sitter FALSE)
  message(STATUS "tree-sitter is not installed (scripts/bootstrap.sh run does it): "
    "pare is built without its languages")
else()
  message(FATAL_ERROR "PARE_TREE_SITTER is on, but tree-sitter is not installed: "
    "run scripts/bootstrap.sh run, or configure with -DPARE_TREE_SITTER=OFF")
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
