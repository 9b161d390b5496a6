/* Executables: what kind a file holds; calls of helper programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pare/stop.h>

#include "base/alloc.h"
#include "os/executable.h"
#include "os/sandbox/namespace_sandbox.h"
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

static pare_executable_call script_call(const char *const *argv)
{
    return (pare_executable_call){
        .path = "/bin/sh", .argv = argv, .directory = scratch_dir, .log_path = "log"};
}

static void test_executable__a_call_ends_when_a_stop_is_requested(void **state)
{
    (void)state;
    const char *const argv[] = {"sh", "-c", "sleep 60 & wait", NULL};
    pare_executable_call call = script_call(argv);
    pare_executable_end end = {0};
    pare_stop *stop = NULL;
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    pare_stop_request(stop);
    call.stop = stop;
    assert_int_equal(pare_executable_run(&call, &end, NULL), PARE_OK);
    assert_true(end.stopped);
    assert_false(end.timed_out);
    pare_stop_free(stop);
}

static void test_executable__a_call_writes_no_larger_files_than_it_may(void **state)
{
    (void)state;
    const char *const argv[] = {"sh", "-c", "head -c 100000 /dev/zero > big", NULL};
    pare_executable_call call = script_call(argv);
    pare_executable_end end = {0};
    struct stat info;
    call.file_bytes = 4096;
    assert_int_equal(pare_executable_run(&call, &end, NULL), PARE_OK);
    assert_int_equal(stat("big", &info), 0);
    assert_int_equal(info.st_size, 4096);
}

/* What it writes elsewhere is gone, what it writes there stays; there is no network but its own. */
static void test_executable__an_isolated_call_writes_to_its_folder_only(void **state)
{
    (void)state;
    const char *const argv[] = {"sh", "-c",
                                "echo in > inner; echo out > ../outer; echo out > /tmp/outer-pare; "
                                "grep -c : /proc/net/dev",
                                NULL};
    char inner[512];
    pare_executable_end end = {0};
    pare_namespace_sandbox cell = {.keeper = 0};
    const pare_namespace_sandbox_options options = {.kind = PARE_NAMESPACE_SANDBOX_FULL,
                                                    .directory = scratch_dir};
    if (pare_namespace_sandbox_open(&options, &cell, NULL) != PARE_OK)
        skip(); /* not possible here */
    pare_namespace_sandbox_close(&cell);
    assert_int_equal(mkdir("folder", 0700), 0);
    (void)snprintf(inner, sizeof inner, "%s/folder", scratch_dir);
    pare_executable_call call = script_call(argv);
    call.directory = call.isolated = inner;
    assert_int_equal(pare_executable_run(&call, &end, NULL), PARE_OK);
    assert_int_equal(end.exit_code, 0);
    assert_file_holds("folder/inner", "in\n");
    assert_false(pare_file_exists("outer"));
    assert_false(pare_file_exists("/tmp/outer-pare"));
    assert_file_holds("log", "1\n");
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
        cmocka_unit_test(test_executable__a_call_ends_when_a_stop_is_requested),
        cmocka_unit_test(test_executable__a_call_writes_no_larger_files_than_it_may),
        cmocka_unit_test(test_executable__an_isolated_call_writes_to_its_folder_only),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
