/* Folders, several files and words of a command through pare_reduce, with every allocation
 * failing once: what may be reduced, the order of files, what saves them, folders that are
 * replaced. */
/* tests: src/session/reducible_ranges.c src/session/plan/files.c
 * src/session/plan/folder_schedule.c src/session/output/output.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char *const inputs[] = {"proj", "one"};
static const char *const keep[] = {"k*"};
static const char *const protect[] = {"stays"};

static void make_inputs(void)
{
    assert_int_equal(mkdir("proj", 0755), 0);
    scratch_write("proj/a", "x\nbug\nstays\n", 0644);
    scratch_write("proj/keep", "k\n", 0644);
    scratch_write("one", "1\n2\n", 0644);
    assert_int_equal(symlink("a", "proj/link"), 0);
}

static pare_reduce_options options_of(void)
{
    return (pare_reduce_options){.input.paths = inputs,
                                 .input.n_paths = 2,
                                 .input.keep_files = keep,
                                 .input.n_keep_files = 1,
                                 .input.protect = protect,
                                 .input.n_protect = 1,
                                 .algorithms = "quickxplain",
                                 .units = "line",
                                 .limits.jobs = 1,
                                 .test.timeout_ms = 60000,
                                 .test.runner = PARE_RUNNER_SPAWN,
                                 .test.safety = {.sandbox = PARE_SANDBOX_OFF},
                                 .output.path = "out"};
}

/* Like sweep_allocations, but that a reduction may do without some blocks: what it sweeps
 * and tells is of no weight.  Whatever failed, what is on disk is whole. */
static void sweep_reduction(pare_status (*reduce)(void), const char *check)
{
#ifdef PARE_FAULT_INJECTION
    for (size_t n = 0, n_refused = 0;; n++) {
        long before = pare_alloc_live();
        pare_alloc_fault_after(n);
        pare_status status = reduce();
        bool hit = pare_alloc_fault_hit();
        pare_alloc_fault_after(SIZE_MAX);
        assert_int_equal(pare_alloc_live(), before);
        assert_true(status == PARE_OK || hit);
        n_refused += status == PARE_E_NOMEM;
        if (status == PARE_OK) assert_int_equal(system(check), 0);
        if (hit) continue;
        assert_true(n_refused > 100);
        return;
    }
#else
    assert_int_equal(reduce(), PARE_OK);
    assert_int_equal(system(check), 0);
#endif
}

static pare_status reduce_once(const pare_reduce_options *options)
{
    pare_result result = {0};
    pare_error err = {0};
    pare_status status = pare_reduce(options, &result, &err);
    if (status && status != PARE_E_NOMEM) fail_msg("%s", err.message);
    pare_result_done(&result);
    return status;
}

static pare_status reduce_files(void)
{
    pare_reduce_options options = options_of();
    options.test.command = "grep -rq bug proj";
    return reduce_once(&options);
}

static void test_files__reducing_folders_reports_oom(void **state)
{
    (void)state;
    sweep_reduction(reduce_files, "[ \"$(cat out/proj/a)\" = \"$(printf 'bug\\nstays')\" ] && "
                                  "[ \"$(ls out out/proj | tr '\\n' ' ')\" = "
                                  "'out: proj  out/proj: a keep ' ]");
}

static pare_status reduce_words(void)
{
    static const char *const program[] = {"cat", "-u", "-n", "@@"};
    static const pare_keep_pattern pattern = {.stream = PARE_STREAM_STDOUT, .regex = "1"};
    pare_reduce_options options = options_of();
    options.input.paths = NULL;
    options.input.n_paths = options.input.n_keep_files = options.input.n_protect = 0;
    options.input.path = "one";
    options.output.path = "left";
    options.output.script_path = "left.sh";
    options.test.program = program;
    options.test.n_program = 4;
    options.keep = (pare_keep){.patterns = &pattern, .n_patterns = 1};
    options.input.reduce_arguments = PARE_ON;
    return reduce_once(&options);
}

static void test_files__reducing_words_reports_oom(void **state)
{
    (void)state;
    sweep_reduction(reduce_words, "[ -x left.sh ] && ./left.sh | grep -q 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files__reducing_folders_reports_oom),
        cmocka_unit_test(test_files__reducing_words_reports_oom),
    };
    if (scratch_setup(NULL)) return 1;
    make_inputs();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return scratch_teardown(NULL) ? 1 : failed;
}
