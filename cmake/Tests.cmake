# Tests.  A file put into its folder is a test; nothing is listed by hand.
#
#   tests/unit/test_X.c      cmocka program, test `test_X`
#   tests/cli/test_X.sh      bash script, test `cli_X`
#   tests/cli/test_X.c       cmocka program, test `cli_X`
#   tests/helpers/X.c        program helpers/X (X_static.c: linked statically;
#                            X_library.c: a shared library)
#   tests/fuzz/fuzz_X.c      LLVMFuzzerTestOneInput; test `fuzz_X` replays
#                            tests/fuzz/corpus/X/, which must not be empty, and
#                            with PARE_FUZZ_SECONDS (make test) looks beyond it
#   tests/cpp/use_headers.cpp  test `cpp_headers`: the public headers in C++17
#   examples/X.c             test `example_X` runs it
#   include/pare/X.h         test `header_examples` compiles what its comment shows
#
# Every test gets PARE (the program), PARE_SOURCE_DIR, PARE_BUILD_DIR,
# PARE_HELPERS (folder of the helpers) and PARE_SANITIZE (empty, or the value
# of -fsanitize=) in its environment; exit code 77 means skipped.  No language
# is there, whatever this machine has installed: a test that needs one adds it
# in PARE_TEST_DATA, which all build trees share, or in a data folder of its own.
#
# Its `python3` is Debian's where there is one: one of a manager of versions is a script that looks for
# it, and takes 15 times as long to start.
#
# PARE_TEST_LONG (make test-long) has those with the label `long` take all of what
# they take samples of otherwise; PARE_TEST_SHORT, set by the presets `tsan` and `valgrind`, has what would
# take minutes there show the same on less.
#
# A test whose source asks for several slots or for workers, or starts threads, has the label `slots`:
# make check-long runs those with ThreadSanitizer.  What that reports, of any process of a test, goes to
# tests/thread-reports/TEST.PID, where scripts/run_tests.sh looks: a script may overlook an exit code.

set(tests_dir "${PROJECT_SOURCE_DIR}/tests")
find_program(BASH_PROGRAM bash REQUIRED)

# The library, the front ends and the tools as tests see them: every symbol in reach,
# allocations that can be told to fail; only each main.c stays out.  Shared: two hundred
# programs need it, and none of them is linked anew when it changes.  Symbols are bound at the
# start: between fork and exec nothing may be looked up.
add_library(pare_internal SHARED
  $<TARGET_OBJECTS:pare_objects> $<TARGET_OBJECTS:pare_front>
  $<TARGET_OBJECTS:pare_shootout_objects> $<TARGET_OBJECTS:pare_web_model_objects>
  ${tree_sitter_objects})
target_include_directories(pare_internal PUBLIC "${PROJECT_SOURCE_DIR}/tools")
set_target_properties(pare_internal PROPERTIES LINKER_LANGUAGE C)
target_link_options(pare_internal PRIVATE LINKER:-z,now)
target_link_libraries(pare_internal PUBLIC
  pare_flags pare_instrumentation pare_tree_sitter_api pare_lua pare_zlib pare_lzma pare_campaign pare_nats pare_web pare_top
  PkgConfig::UTF8PROC PkgConfig::JANSSON PkgConfig::PCRE2 ${CMAKE_DL_LIBS} Threads::Threads m)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)

# What is compiled differently for the tests compiles as it is released, too.
set(fault_sources)
foreach(source IN LISTS library_sources)
  file(STRINGS "${source}" mentions REGEX PARE_FAULT_INJECTION)
  if(mentions)
    list(APPEND fault_sources "${source}")
  endif()
endforeach()
add_library(pare_without_faults OBJECT ${fault_sources})
target_compile_options(pare_without_faults PRIVATE -UPARE_FAULT_INJECTION)
target_link_libraries(pare_without_faults PRIVATE pare_product_flags)

set(memcheck)
if(PARE_VALGRIND)
  find_program(VALGRIND_PROGRAM valgrind)
  if(NOT VALGRIND_PROGRAM)
    message(FATAL_ERROR "valgrind is missing: apt-get install valgrind")
  endif()
  set(memcheck "${BASH_PROGRAM}" "${tests_dir}/valgrind.sh" "${VALGRIND_PROGRAM}"
    "${PROJECT_BINARY_DIR}/helpers/no_jit_library.so")
endif()

# The parsers of languages, which take a minute to compile: once for all presets.
cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${PROJECT_BINARY_DIR}" NORMALIZE inside)
if(inside)
  set(test_data "${PROJECT_SOURCE_DIR}/build/test-data")
else()
  set(test_data "${PROJECT_BINARY_DIR}/tests/data")
endif()

set(test_programs "${PROJECT_BINARY_DIR}/tests/programs")
file(MAKE_DIRECTORY "${test_programs}")
if(EXISTS /usr/bin/python3)
  file(CREATE_LINK /usr/bin/python3 "${test_programs}/python3" SYMBOLIC)
endif()

set(thread_reports "${PROJECT_BINARY_DIR}/tests/thread-reports")
file(MAKE_DIRECTORY "${thread_reports}")

# Tests that mostly wait, for limits and for programs that sleep.  They run beside those that compute
# (scripts/run_tests.sh), in slots that are too few for one of those.
set(waiting_tests cli_remote cli_remote_faults cli_remote_random cli_remote_runs cli_remote_security cli_view_workers cli_shared_outcomes cli_cluster_example cli_hang cli_stalls cli_kill cli_inputs cli_offer cli_worker cli_interrupt
  test_process_stalls test_process test_runner_servers test_workers test_explore
  cli_graph_explore cli_graph_learn cli_newcomer_first cli_fuzz_trouble cli_fuzz_workers)

# Tests that take longest, started first so that no core is idle at the end.
set(long_tests cli_corpus cli_no_script cli_newcomer_first cli_newcomer_compilers
  cli_newcomer_interpreters cli_language_results cli_man_examples cli_in_place cli_portfolio
  cli_messages cli_runner cli_golden cli_hang cli_random_jobs cli_record cli_csmith
  cli_newcomer_corpus cli_newcomer_data cli_language_edits cli_sandbox cli_tree_knobs
  cli_stalls test_tree_strategies test_flaky test_binding test_binding_offers lint_layers
  lint_layers_selftest cli_folders cli_kill_calls cli_no_slippage)

# Tests that `make test-long` runs in full.
set(sampled_tests cli_kill_calls cli_helper_death cli_remote_faults cli_remote_random cli_in_place cli_io_faults cli_golden
  cli_random_jobs cli_no_slippage
  cli_language_results cli_tree_knobs
  cli_no_script cli_newcomer_compilers cli_newcomer_corpus cli_newcomer_data
  cli_newcomer_first cli_newcomer_interpreters test_flaky test_tree_strategies)

# Unit tests that `make check` leaves to `make test`: each takes seconds.
set(slow_tests test_explore test_tree_strategies test_flaky test_runner_servers test_process_stalls test_files)

# Command-line tests that look for leaks at the end of each process: one or more for each command.  The search
# takes a third of what a start takes, and the others start the program thousands of times.
set(leak_tests "^cli_(output|trees|isolate|explain|history|generate|learn|lang|graph_show|fuzz_(run|jobs|report|store|web|top|check|table)|worker|web|usage)$")

# What asks for slots or threads in the source of a test.
set(asks_for_slots "pthread_create|syntax/ahead[.]h|os/sync[.]h|n_slots|[.]jobs|[ \"']-j ?\"?[2-9$]|--jobs|--workers")

# Gives the test `name` the environment and limits common to all tests; ARGN: its source.  To
# ThreadSanitizer a thread after a fork is an error unless die_after_fork=0; cmocka's tests fork.
function(pare_test_properties name label)
  set(program "${PROJECT_BINARY_DIR}/pare")
  set(labels ${label})
  if(ARGN)
    file(STRINGS "${ARGN}" mentions REGEX "${asks_for_slots}" LIMIT_COUNT 1)
    if(mentions)
      list(APPEND labels slots)
    endif()
  endif()
  if(name IN_LIST sampled_tests)
    list(APPEND labels long)
  endif()
  if(name IN_LIST slow_tests)
    list(APPEND labels slow)
  endif()
  set(slots 3)
  set(cost 1)
  if(name IN_LIST waiting_tests)
    set(slots 1)
    set(cost 0.5)
  endif()
  set(limit 900)
  set(short)
  if(PARE_VALGRIND OR PARE_SANITIZE STREQUAL "thread") # ten to fifty times as slow
    set(limit 1800)
    set(short ";PARE_TEST_SHORT=1")
  endif()
  # A test that waits does not come before one that computes: three slots that are free are for the latter.
  list(FIND long_tests ${name} rank)
  if(rank GREATER_EQUAL 0 AND slots EQUAL 3)
    math(EXPR cost "100 - ${rank}")
  endif()
  # Uses of a dead frame are looked for where every function has its test: to keep dead frames apart makes what
  # computes twice as slow.
  set(address "strict_string_checks=1:detect_stack_use_after_return=1")
  if(label STREQUAL "cli")
    set(address "strict_string_checks=1:detect_stack_use_after_return=0")
    if(NOT name MATCHES "${leak_tests}")
      string(APPEND address ":detect_leaks=0")
    endif()
  endif()
  # The limit ends what hangs, no more: the longest test takes 80 s on two idle cores, and machines that
  # test are not idle.
  set_tests_properties(${name} PROPERTIES
    LABELS "${labels}"
    PROCESSORS ${slots}
    COST ${cost}
    TIMEOUT ${limit}
    SKIP_RETURN_CODE 77
    ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:${test_programs}"
    ENVIRONMENT "PARE=${program};PARE_SOURCE_DIR=${PROJECT_SOURCE_DIR};PARE_BUILD_DIR=${PROJECT_BINARY_DIR};PARE_HELPERS=${PROJECT_BINARY_DIR}/helpers;PARE_SANITIZE=${PARE_SANITIZE};PARE_LIBEXEC=${PROJECT_BINARY_DIR};PARE_DATA=${PROJECT_BINARY_DIR}/tests/no-languages;XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/tests/cache;PARE_TEST_DATA=${test_data};PARE_LANGUAGE_PATH=;ASAN_OPTIONS=${address};UBSAN_OPTIONS=print_stacktrace=1;TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:die_after_fork=0:suppressions=${tests_dir}/tsan.supp:log_path=${thread_reports}/${name}${short}")
endfunction()

# Builds a cmocka program from one source file and registers it.  The test's own code is compiled without
# optimisation: its time is in the library, and to optimise 490 tests took two fifths of a build with sanitizers.
function(pare_add_cmocka_test name source folder label)
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE -O0)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${folder}")
  target_include_directories(${name} PRIVATE "${tests_dir}")
  target_link_libraries(${name} PRIVATE
    pare_internal PkgConfig::CMOCKA m)
  add_test(NAME ${name} COMMAND ${ARGN} $<TARGET_FILE:${name}>)
  pare_test_properties(${name} ${label} ${source})
endfunction()

# Tests of the inside of campaigns are left out of a build without them: those that include it, or a
# header of tests/unit/support/ that does.
set(inside_campaigns "\"campaign/")
file(GLOB support_headers CONFIGURE_DEPENDS "${tests_dir}/unit/support/*.h")
foreach(header IN LISTS support_headers)
  file(STRINGS "${header}" mentions REGEX "\"campaign/")
  if(mentions)
    cmake_path(GET header STEM name)
    string(APPEND inside_campaigns "|support/${name}\\.h")
  endif()
endforeach()

function(pare_is_left_out source result)
  set(mentions)
  if(NOT PARE_HAVE_CAMPAIGN)
    file(STRINGS "${source}" mentions REGEX "${inside_campaigns}")
  endif()
  set(${result} "${mentions}" PARENT_SCOPE)
endfunction()

# --- unit -------------------------------------------------------------------

file(GLOB unit_sources CONFIGURE_DEPENDS "${tests_dir}/unit/test_*.c")
foreach(source IN LISTS unit_sources)
  cmake_path(GET source STEM name)
  pare_is_left_out(${source} left_out)
  if(left_out)
    continue()
  endif()
  pare_add_cmocka_test(${name} ${source} unit unit ${memcheck})
endforeach()

# --- command line -----------------------------------------------------------

# Not run with sanitizers, which slow our program but look only into it:
#   newcomer_*, no_script  run other people's programs for minutes, on inputs that reduce to
#                          what other tests run too
#   csmith, peers          measure other people's generators and reducers
#   man_examples           small commands, most of the time in Python; their options are those
#                          of the other scripts
#   report_browser, graph_browser, fuzz_web_browser  look at pages in a browser; cli_report,
#                          cli_graph_show and cli_fuzz_web make the same pages
#   kill_calls, helper_death, in_place   need ptrace, which LeakSanitizer does not live with
#   power_loss, io_faults  preload a library that stands before the file functions, as sanitizers do
#   recipes                as man_examples, of other people's compilers
#   installed              a library with a sanitizer in it is not what is installed
#   formats                a sample of a benchmark, which that build does not have
#   python, figures        a Python that has no sanitizer cannot load a library with one
#
# Nor, but with PARE_SANITIZE_ALL (make test-asan-all), those that run product code which others run there:
#   hang, stalls           wait for limits; test_hang and test_process_stalls run the same code
#   remote, remote_random, cluster_example   wait; cli_remote_faults, cli_remote_runs and cli_remote_security run
#                          coordinator and worker
#   graph_explore, graph_learn       run node for minutes; test_explore and fuzz_graph_file read what it says
#   language_results, tree_knobs     reduce to the end by each algorithm; cli_corpus, cli_language_edits and
#                          test_tree_strategies run the algorithms on the same trees
#   no_slippage, shootout  whole reductions for their results; the passes are those of cli_golden
#   coverage               other people's interpreters; test_coverage and test_unreached read what they tell
#   context                hundreds of starts of a generator, which is ours; cli_record and cli_portfolio reduce
#                          choices, test_hooks runs hooks
#   messages               hundreds of starts of a compiler; test_diagnostic, test_message and
#                          test_learn_signature read what it says
option(PARE_SANITIZE_ALL "Run with sanitizers also command-line tests that show little more there" OFF)
set(never_sanitized "newcomer_.*|no_script|formats|csmith|peers|man_examples|recipes|report_browser|graph_browser|fuzz_web_browser|kill_calls|helper_death|in_place|power_loss|io_faults|installed|python|figures")
set(rarely_sanitized "hang|stalls|remote|remote_random|cluster_example|graph_explore|graph_learn|language_results|tree_knobs|no_slippage|shootout|coverage|context|messages")
set(not_sanitized "^cli_(${never_sanitized})$")
if(NOT PARE_SANITIZE_ALL AND NOT PARE_SANITIZE MATCHES "thread")
  set(not_sanitized "^cli_(${never_sanitized}|${rarely_sanitized})$")
endif()

# make test runs a command-line test once: with sanitizers where it runs there in full, plainly otherwise.
# Those of the former kind have the label `sanitized` in a plain build, by which `make test` leaves them out
# there.  A test whose source asks for PARE_SANITIZE shows less with sanitizers, and runs in both.
function(pare_label_sanitized name source)
  file(STRINGS "${source}" mentions REGEX "PARE_SANITIZE" LIMIT_COUNT 1)
  if(NOT PARE_SANITIZE AND NOT name MATCHES "${not_sanitized}" AND NOT mentions)
    set_property(TEST ${name} APPEND PROPERTY LABELS sanitized)
  endif()
endfunction()

file(GLOB cli_test_scripts CONFIGURE_DEPENDS "${tests_dir}/cli/test_*.sh")
foreach(script IN LISTS cli_test_scripts)
  cmake_path(GET script STEM name)
  string(REGEX REPLACE "^test_" "cli_" name "${name}")
  if(PARE_SANITIZE AND name MATCHES "${not_sanitized}")
    continue()
  endif()
  add_test(NAME ${name} COMMAND "${BASH_PROGRAM}" "${script}")
  pare_test_properties(${name} cli ${script})
  pare_label_sanitized(${name} ${script})
endforeach()
# Interpreters that are to hang, each until its own limit.
if(TEST cli_coverage)
  set_tests_properties(cli_coverage PROPERTIES TIMEOUT 1800)
endif()
# Every call with PARE_TEST_LONG, two runs for each.
if(TEST cli_io_faults)
  set_tests_properties(cli_io_faults PROPERTIES TIMEOUT 3600)
endif()
# 400 kills of helpers in each kind of run with PARE_TEST_LONG.
if(TEST cli_helper_death)
  set_tests_properties(cli_helper_death PROPERTIES TIMEOUT 3600)
endif()
# 300 reductions with PARE_TEST_LONG, each with workers that come and go.
if(TEST cli_remote_random)
  set_tests_properties(cli_remote_random PROPERTIES TIMEOUT 7200)
endif()
# 200 kills with PARE_TEST_LONG.
if(TEST cli_fuzz_kill)
  set_tests_properties(cli_fuzz_kill PROPERTIES TIMEOUT 1800)
endif()
file(GLOB cli_test_sources CONFIGURE_DEPENDS "${tests_dir}/cli/test_*.c")
foreach(source IN LISTS cli_test_sources)
  cmake_path(GET source STEM name)
  pare_is_left_out(${source} left_out)
  if(left_out)
    continue()
  endif()
  string(REGEX REPLACE "^test_" "cli_" name "${name}")
  if(PARE_SANITIZE AND name MATCHES "${not_sanitized}")
    continue()
  endif()
  pare_add_cmocka_test(${name} ${source} cli cli)
  pare_label_sanitized(${name} ${source})
endforeach()

file(GLOB helper_sources CONFIGURE_DEPENDS "${tests_dir}/helpers/*.c")
foreach(source IN LISTS helper_sources)
  cmake_path(GET source STEM name)
  if(name MATCHES "_library$")
    add_library(helper_${name} MODULE ${source})
    set_target_properties(helper_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
      C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/helpers")
    target_link_libraries(helper_${name} PRIVATE pare_flags)
    continue()
  endif()
  add_executable(helper_${name} ${source})
  set_target_properties(helper_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/helpers")
  target_link_libraries(helper_${name} PRIVATE pare_flags Threads::Threads)
  if(name MATCHES "_static$")
    target_link_options(helper_${name} PRIVATE -static)
  endif()
endforeach()

# pare as it is built without libnats: what mentions it is compiled so, and comes before the library's.
set(nats_sources)
foreach(source IN LISTS library_sources)
  file(STRINGS "${source}" mentions REGEX PARE_HAVE_NATS)
  if(mentions)
    list(APPEND nats_sources "${source}")
  endif()
endforeach()
add_executable(pare_without_nats "${PROJECT_SOURCE_DIR}/src/cli/main.c" ${nats_sources})
set_target_properties(pare_without_nats PROPERTIES
  OUTPUT_NAME without_nats RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/helpers"
  C_VISIBILITY_PRESET default ENABLE_EXPORTS ON)
target_compile_options(pare_without_nats PRIVATE -UPARE_HAVE_NATS)
target_link_libraries(pare_without_nats PRIVATE pare_internal)

# --- fuzz targets -----------------------------------------------------------

# What replays and searches; one target, which has a failure that is looked for, tests it (cli_beyond_corpus).
add_library(fuzz_replay OBJECT "${tests_dir}/fuzz/replay.c" "${tests_dir}/fuzz/search.c")
target_include_directories(fuzz_replay PRIVATE "${tests_dir}")
target_link_libraries(fuzz_replay PRIVATE pare_internal)
add_executable(replay_selftest "${tests_dir}/fuzz/selftest.c")
set_target_properties(replay_selftest PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/fuzz")
target_link_libraries(replay_selftest PRIVATE fuzz_replay pare_internal)
set(fuzz_kept "${PROJECT_BINARY_DIR}/tests/fuzz/kept")
file(MAKE_DIRECTORY "${fuzz_kept}")
add_custom_target(fuzzers) # all that `make fuzz` runs

file(GLOB fuzz_sources CONFIGURE_DEPENDS "${tests_dir}/fuzz/fuzz_*.c")
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM target)
  pare_is_left_out(${source} left_out)
  if(left_out)
    continue()
  endif()
  string(REGEX REPLACE "^fuzz_" "" name "${target}")
  pare_is_left_out(${source} left_out)
  if(left_out)
    continue()
  endif()
  add_executable(replay_${name} ${source})
  set_target_properties(replay_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/fuzz")
  target_link_libraries(replay_${name} PRIVATE fuzz_replay pare_internal m)
  add_test(NAME ${target}
    COMMAND ${memcheck} $<TARGET_FILE:replay_${name}> "${tests_dir}/fuzz/corpus/${name}")
  pare_test_properties(${target} fuzz)
  set_property(TEST ${target} APPEND PROPERTY ENVIRONMENT "PARE_FUZZ_KEEP=${fuzz_kept}")

  if(PARE_LIBFUZZER)
    add_executable(${target} ${source})
    set_target_properties(${target} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzzers")
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers ${target})
    target_link_libraries(${target} PRIVATE pare_internal m)
  endif()
endforeach()

# --- examples ---------------------------------------------------------------

foreach(source IN LISTS example_sources)
  cmake_path(GET source STEM name)
  add_test(NAME example_${name} COMMAND example_${name})
  pare_test_properties(example_${name} example)
endforeach()

# Examples in the comments of the public headers; skipped where there is no Python.
add_test(NAME header_examples COMMAND "${BASH_PROGRAM}" -c
  "command -v python3 >/dev/null || exit 77; python3 \"$0\" --self-test && exec python3 \"$0\" \"$1\""
  "${PROJECT_SOURCE_DIR}/scripts/header_examples.py" "${PROJECT_SOURCE_DIR}")
pare_test_properties(header_examples example)
set_property(TEST header_examples APPEND PROPERTY ENVIRONMENT "CC=${CMAKE_C_COMPILER}")

# --- C++ ---------------------------------------------------------------------

# The headers are C++ too; nothing else here is.
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  add_executable(use_headers "${tests_dir}/cpp/use_headers.cpp")
  set_target_properties(use_headers PROPERTIES
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/cpp")
  target_compile_options(use_headers PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-missing-field-initializers -Werror)
  target_link_libraries(use_headers PRIVATE pare::pare pare_instrumentation)
  add_test(NAME cpp_headers COMMAND use_headers)
  pare_test_properties(cpp_headers unit)
else()
  message(WARNING "there is no C++ compiler (apt-get install g++): "
    "that the headers are C++ is not tested")
endif()

# --- lint -------------------------------------------------------------------

if(PARE_LINT_TESTS)
  set(scripts "${PROJECT_SOURCE_DIR}/scripts")
  add_test(NAME lint_layers
    COMMAND "${BASH_PROGRAM}" "${scripts}/check_layers.sh" "${PROJECT_SOURCE_DIR}")
  add_test(NAME lint_layers_selftest
    COMMAND "${BASH_PROGRAM}" "${scripts}/check_layers.sh" --self-test)
  add_test(NAME lint_format
    COMMAND "${BASH_PROGRAM}" "${scripts}/format.sh" --check)
  # What is written in Python; skipped where there is none.
  set(python "${BASH_PROGRAM}" -c "command -v python3 >/dev/null || exit 77 && exec python3 \"$@\"" --)
  add_test(NAME lint_house COMMAND ${python} "${scripts}/house.py" --check)
  add_test(NAME lint_includes COMMAND ${python} "${scripts}/check_includes.py")
  add_test(NAME lint_includes_selftest
    COMMAND ${python} "${scripts}/check_includes.py" --self-test)
  add_test(NAME lint_house_selftest COMMAND ${python} "${scripts}/house.py" --self-test)
  add_test(NAME lint_docs COMMAND ${python} "${scripts}/check_docs.py" "${PROJECT_SOURCE_DIR}")
  add_test(NAME lint_docs_selftest COMMAND ${python} "${scripts}/check_docs.py" --self-test)
  foreach(name IN ITEMS lint_layers lint_layers_selftest lint_format lint_house
          lint_house_selftest lint_includes lint_includes_selftest lint_docs lint_docs_selftest)
    pare_test_properties(${name} lint)
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
  endforeach()
endif()
