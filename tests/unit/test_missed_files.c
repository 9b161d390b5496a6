/* Files that a program missed: what it prints names them, and they lie at the user's side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session/test/missed_files.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char *const words[] = {"prog", "-Iinclude", "@@"};
static const pare_test_options program = {.program = words, .n_program = 3};

static int set_up(void **state)
{
    if (scratch_setup(state)) return -1;
    if (mkdir("src", 0755) || mkdir("src/pkg", 0755) || mkdir("include", 0755)) return -1;
    scratch_write("src/in.py", "", 0644);
    scratch_write("src/helper.py", "", 0644);
    scratch_write("src/util.h", "", 0644);
    scratch_write("src/pkg/part.py", "", 0644);
    scratch_write("include/api.h", "", 0644);
    scratch_write("data.txt", "", 0644);
    return 0;
}

/* What is found of `path` in what was printed; the word is "" when nothing is. */
static pare_missed_file find(const char *path, const char *printed)
{
    const pare_input_options input = {.path = path};
    pare_missed_file missed;
    if (!pare_missed_files_find(&missed, &input, &program, printed)) *missed.word = '\0';
    return missed;
}

static void test_missed_files__a_sentence_of_a_program_names_what_lies_beside_the_input(
    void **state)
{
    static const char *const cases[][2] = {
        {"in.c:1:10: fatal error: util.h: No such file or directory\n", "util.h"},
        {"ModuleNotFoundError: No module named 'helper'\n", "helper"},
        {"ModuleNotFoundError: No module named 'pkg.part'\n", "pkg.part"},
        {"'require': cannot load such file -- ./helper (LoadError)\n", "helper"},
        {"error[E0583]: file not found for module `helper`\n", "helper"},
        {"Can't open /private/0/util.h.\n", "util.h"},
        {"in.py:1: error: package pkg does not exist\n", "pkg"},
        {"cannot find \xe2\x80\x98util.h\xe2\x80\x99\n", "util.h"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pare_missed_file missed = find("src/in.py", cases[k][0]);
        assert_string_equal(missed.word, cases[k][1]);
        assert_true(missed.is_beside);
        assert_false(missed.is_here);
        assert_string_equal(missed.part, "");
    }
}

static void test_missed_files__what_is_not_there_or_not_missing_is_none(void **state)
{
    static const char *const cases[] = {
        "",
        "in.c:1:10: fatal error: other.h: No such file or directory\n",
        "util.h:1: error: expected ';'\n",             /* nothing is missing */
        "in.py: not found\n",                          /* the candidate itself */
        "prog: cannot open it\n",                      /* the program's own name */
        "the helper was not found in src, and so on\n" /* words of a sentence */
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(find("src/in.py", cases[k]).word, "");
}

static void test_missed_files__nothing_lies_beside_a_folder_or_several_inputs(void **state)
{
    static const char *const paths[] = {"src/in.py", "src/helper.py"};
    const pare_input_options several = {.path = paths[0], .paths = paths, .n_paths = 2};
    pare_missed_file missed;
    (void)state;
    assert_string_equal(find("src", "data.txt: not found\n").word, "");
    assert_false(pare_missed_files_find(&missed, &several, &program, "util.h: not found\n"));
}

static void test_missed_files__a_relative_folder_of_the_command_is_named_whole(void **state)
{
    const pare_missed_file missed = find("src/in.py", "in.c:1: api.h: No such file\n");
    char whole[128];
    (void)state;
    (void)snprintf(whole, sizeof whole, "-I%s/include", scratch_dir);
    assert_string_equal(missed.word, "api.h");
    assert_string_equal(missed.part, "-Iinclude");
    assert_string_equal(missed.whole, whole);
}

static void test_missed_files__a_name_counts_in_a_line_that_says_missing(void **state)
{
    (void)state;
    assert_true(pare_missed_files_include("one\nx: tool.py: Not found\n", "tool.py"));
    assert_false(pare_missed_files_include("tool.py\nx: not found\n", "tool.py"));
    assert_false(pare_missed_files_include("cannot open \"out.x\" for writing\n", "out.x"));
}

static void assert_command(const char *path, const char *printed, const char *expected)
{
    const pare_input_options input = {.path = path};
    const pare_missed_file missed = find(path, printed);
    pare_buffer line = {0};
    assert_int_equal(pare_missed_files_write_command(&missed, &input, &program, &line, NULL),
                     PARE_OK);
    assert_string_equal(line.data, expected);
    pare_buffer_done(&line);
}

static void test_missed_files__the_folder_is_reduced_with_all_that_is_in_it(void **state)
{
    char here[256];
    (void)state;
    assert_command("src/in.py", "util.h: not found\n",
                   "pare reduce src --only in.py -- prog -Iinclude @@/in.py");
    (void)snprintf(here, sizeof here,
                   "pare reduce ../%s --only src/in.py -- 'cd @@ && prog -Iinclude src/in.py'",
                   pare_file_base_name(scratch_dir));
    assert_command("src/in.py", "data.txt: not found\n", here);
}

/* ---- build tools ------------------------------------------------------------------ */

/* The command line that is written of `line`, cut at blanks, for `path`; the caller releases it. */
static pare_buffer write_tool(const char *path, const char *line, bool is_line, int exit_code)
{
    enum { MOST = 8 };
    const pare_input_options input = {.path = path};
    char copy[256], *rest = copy;
    const char *cut[MOST] = {line};
    size_t n = is_line;
    pare_buffer text = {0};
    (void)snprintf(copy, sizeof copy, "%s", line);
    for (char *word; !is_line && (word = strtok_r(rest, " ", &rest)) != NULL;)
        cut[n++] = word;
    const pare_test_options test = {.program = cut, .n_program = n};
    assert_int_equal(pare_missed_files_write_tool(&input, &test, exit_code, &text, NULL), PARE_OK);
    return text;
}

/* `expected` with the name of the user's folder in the place of HERE. */
static void assert_tool(const char *path, const char *line, bool is_line, const char *expected)
{
    pare_buffer text = write_tool(path, line, is_line, 2);
    char whole[512] = "";
    const char *here = strstr(expected, "HERE");
    if (here)
        (void)snprintf(whole, sizeof whole, "%.*s%s%s", (int)(here - expected), expected,
                       pare_file_base_name(scratch_dir), here + 4);
    assert_string_equal(text.size ? text.data : "", here ? whole : expected);
    pare_buffer_done(&text);
}

static void make_projects(void)
{
    assert_int_equal(mkdir("proj", 0755) || mkdir("proj/build", 0755) || mkdir("cargo", 0755), 0);
    scratch_write("Makefile", "", 0644);
    scratch_write("proj/in.c", "", 0644);
    scratch_write("proj/CMakeLists.txt", "", 0644);
    scratch_write("proj/build/CMakeCache.txt", "", 0644);
    scratch_write("cargo/Cargo.toml", "", 0644);
    scratch_write("cargo/main.rs", "", 0644);
}

static void test_missed_files__a_build_tool_gets_the_folder_with_its_own_file(void **state)
{
    char above[512];
    (void)state;
    make_projects();
    assert_tool("src/in.py", "make -j2", false,
                "pare reduce ../HERE --only src/in.py -- 'cd @@ && make -j2'");
    assert_tool("./src/in.py", "env X=1 make", false,
                "pare reduce ../HERE --only src/in.py -- 'cd @@ && env X=1 make'");
    assert_tool("src/in.py", "cd src && make 2>&1", true,
                "pare reduce ../HERE --only src/in.py -- 'cd @@ && cd src && make 2>&1'");
    (void)snprintf(above, sizeof above,
                   "pare reduce %s/cargo --only main.rs -- 'cd @@ && cargo test'", scratch_dir);
    assert_tool("cargo/main.rs", "cargo test", false, above);
    assert_tool("src/in.py", "ninja", false, "pare reduce FOLDER --only in.py -- 'cd @@ && ninja'");
}

static void test_missed_files__a_folder_of_cmake_is_made_again(void **state)
{
    char right[512];
    (void)state;
    (void)snprintf(right, sizeof right,
                   "pare reduce %s/proj --only in.c -- 'cmake -S @@ -B x && cmake --build x'",
                   scratch_dir);
    assert_tool("proj/in.c", "cmake --build proj/build", false, right);
    assert_tool("proj/in.c", "make -C proj/build", false, right);
    assert_tool("proj/in.c", "cd proj/build && make", true, right);
}

static void test_missed_files__a_tool_that_works_elsewhere_reads_standard_input(void **state)
{
    static const char *const lines[] = {"ninja -C /", "cmake --build=/", "cd / && ninja"};
    static const char *const others[] = {"make", "make -j2", "make -C src", "make X=a/",
                                         "cd s; make"};
    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const pare_test_options test = {.program = &lines[k], .n_program = 1};
        assert_true(pare_missed_files_is_placed(&test));
        assert_tool("src/in.py", lines[k], true, "");
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const pare_test_options test = {.program = &others[k], .n_program = 1};
        assert_false(pare_missed_files_is_placed(&test));
    }
}

static void test_missed_files__what_is_given_the_input_is_no_build_tool(void **state)
{
    static const struct {
        const char *path, *line;
        int code;
    } cases[] = {
        {"src/in.py", "make -f @@", 2}, {"src/in.py", "make in.py", 2}, {"Makefile", "make", 2},
        {"src/in.py", "prog", 2},       {"src/in.py", "pytest", 1},     {"src", "make", 2},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_buffer text = write_tool(cases[k].path, cases[k].line, false, cases[k].code);
        assert_int_equal(text.size, 0);
        pare_buffer_done(&text);
    }
    /* pytest says with a code of its own that the candidate holds no tests. */
    pare_buffer text = write_tool("src/in.py", "python3 -m pytest", false, 5);
    assert_non_null(text.data);
    assert_non_null(strstr(text.data, "'cd @@ && python3 -m pytest'"));
    pare_buffer_done(&text);
}

/* Without its folder npx would ask the network: so it is refused before it runs, and the input is given. */
static void test_missed_files__npx_gets_the_folder_of_its_packages_before_it_runs(void **state)
{
    static const struct {
        const char *path, *line;
    } others[] = {{"src/in.py", "make"}, {"src/in.py", "npx lint @@"}};
    char right[512];
    (void)state;
    (void)snprintf(right, sizeof right,
                   "pare reduce %s/web --only in.js -- 'cd @@ && npx lint in.js'", scratch_dir);
    assert_int_equal(mkdir("web", 0755), 0);
    scratch_write("web/in.js", "", 0644);
    scratch_write("web/package.json", "{}", 0644);
    for (unsigned k = 0; k < 2; k++) {
        pare_buffer text = write_tool("web/in.js", "npx lint @@", false, PARE_MISSED_FILES_NOT_RUN);
        assert_string_equal(text.data, right);
        pare_buffer_done(&text);
        scratch_write("CMakeCache.txt", "", 0644); /* beside npx that is nothing to build */
    }
    assert_int_equal(unlink("CMakeCache.txt"), 0);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        pare_buffer text =
            write_tool(others[k].path, others[k].line, false, PARE_MISSED_FILES_NOT_RUN);
        assert_int_equal(text.size, 0);
        pare_buffer_done(&text);
    }
}

static pare_status write_one(void *context)
{
    const pare_input_options input = {.path = "src/in.py"};
    pare_buffer line = {0};
    pare_status status = pare_missed_files_write_command(context, &input, &program, &line, NULL);
    pare_buffer_done(&line);
    return status;
}

static void test_missed_files__survives_each_allocation_failing(void **state)
{
    pare_missed_file missed = find("src/in.py", "util.h: not found\n");
    (void)state;
    sweep_allocations(write_one, &missed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_missed_files__a_sentence_of_a_program_names_what_lies_beside_the_input),
        cmocka_unit_test(test_missed_files__what_is_not_there_or_not_missing_is_none),
        cmocka_unit_test(test_missed_files__nothing_lies_beside_a_folder_or_several_inputs),
        cmocka_unit_test(test_missed_files__a_relative_folder_of_the_command_is_named_whole),
        cmocka_unit_test(test_missed_files__a_name_counts_in_a_line_that_says_missing),
        cmocka_unit_test(test_missed_files__the_folder_is_reduced_with_all_that_is_in_it),
        cmocka_unit_test(test_missed_files__a_build_tool_gets_the_folder_with_its_own_file),
        cmocka_unit_test(test_missed_files__a_folder_of_cmake_is_made_again),
        cmocka_unit_test(test_missed_files__npx_gets_the_folder_of_its_packages_before_it_runs),
        cmocka_unit_test(test_missed_files__a_tool_that_works_elsewhere_reads_standard_input),
        cmocka_unit_test(test_missed_files__what_is_given_the_input_is_no_build_tool),
        cmocka_unit_test(test_missed_files__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_teardown);
}
