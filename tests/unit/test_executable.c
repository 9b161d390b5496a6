/* Executables: what kind a file holds; calls of helper programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "os/executable.h"
#include "unit/support/scratch.h"

static pare_executable look_at(const char *bytes, size_t size)
{
    pare_executable seen;
    pare_executable_look(bytes, size, &seen);
    return seen;
}

static void test_executable__a_script_begins_with_its_mark(void **state)
{
    (void)state;
    assert_true(look_at("#!/bin/sh\n", 10).is_script);
    assert_false(look_at("#", 1).is_script);
    assert_false(look_at(" #!/bin/sh", 10).is_script);
}

static void test_executable__an_elf_header_alone_is_no_dynamic_program(void **state)
{
    (void)state;
    char header[64] = "\177ELF";
    assert_false(look_at(header, 4).is_elf);             /* cut */
    assert_false(look_at(header, sizeof header).is_elf); /* of no class */
    pare_executable own;
    assert_int_equal(pare_executable_read("/proc/self/exe", &own, NULL), PARE_OK);
    assert_true(own.is_elf);
    assert_false(own.is_library);
    assert_false(own.is_setuid);
}

static void test_executable__marks_of_runtimes_are_seen_in_an_elf_file_only(void **state)
{
    (void)state;
    static const char text[] = "#!/bin/sh\n__AFL_SHM_ID LLVMFuzzerTestOneInput dlopen";
    pare_executable seen = look_at(text, sizeof text);
    assert_false(seen.has_afl || seen.has_harness || seen.opens_libraries);
}

static void test_executable__one_that_cannot_be_read_is_known_for_nothing(void **state)
{
    (void)state;
    pare_executable seen = {.is_elf = true};
    assert_int_equal(pare_executable_read("/nonexistent", &seen, NULL), PARE_E_IO);
    assert_false(seen.is_elf);
}

static pare_executable_end run(const char *script, int timeout_ms)
{
    char *sh = NULL;
    const char *const argv[] = {"sh", "-c", script, NULL};
    pare_executable_end end = {0};
    assert_int_equal(pare_executable_find("sh", &sh, NULL), PARE_OK);
    const pare_executable_call helper = {.path = sh,
                                         .argv = argv,
                                         .directory = scratch_dir,
                                         .log_path = "log",
                                         .timeout_ms = timeout_ms};
    assert_int_equal(pare_executable_run(&helper, &end, NULL), PARE_OK);
    pare_alloc_free(sh);
    return end;
}

static void test_executable__a_call_runs_in_its_directory_and_logs(void **state)
{
    (void)state;
    char wanted[128];
    (void)snprintf(wanted, sizeof wanted, "%s\nerr\n", scratch_dir);
    assert_int_equal(run("pwd; echo err >&2; exit 7", 0).exit_code, 7);
    assert_file_holds("log", wanted);
    assert_int_equal(run("kill -9 $$", 0).exit_code, 128 + 9);
}

static void test_executable__a_call_is_killed_when_its_time_is_over(void **state)
{
    (void)state;
    pare_executable_end end = run("sleep 60", 50);
    assert_true(end.timed_out);
    assert_int_equal(end.exit_code, 128 + 9);
}

static void test_executable__a_call_says_what_is_not_there(void **state)
{
    (void)state;
    char *out = NULL;
    pare_error err = {0};
    pare_executable_end end = {0};
    const char *const argv[] = {"x", NULL};
    const pare_executable_call helper = {.path = "/nonexistent", .argv = argv, .directory = "/"};
    assert_int_equal(pare_executable_find("no-such-program-here", &out, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "no-such-program-here"));
    assert_null(out);
    assert_int_equal(pare_executable_run(&helper, &end, NULL), PARE_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_executable__a_script_begins_with_its_mark),
        cmocka_unit_test(test_executable__an_elf_header_alone_is_no_dynamic_program),
        cmocka_unit_test(test_executable__marks_of_runtimes_are_seen_in_an_elf_file_only),
        cmocka_unit_test(test_executable__one_that_cannot_be_read_is_known_for_nothing),
        cmocka_unit_test(test_executable__a_call_runs_in_its_directory_and_logs),
        cmocka_unit_test(test_executable__a_call_is_killed_when_its_time_is_over),
        cmocka_unit_test(test_executable__a_call_says_what_is_not_there),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
