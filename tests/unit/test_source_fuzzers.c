/* Other fuzzers as sources: AFL++, libFuzzer, recorded generators; and the follower of their
 * folders.  Those that are not installed are skipped with a notice. */
/* tests: src/campaign/source_afl.c src/campaign/source_libfuzzer.c src/campaign/source_recorded.c
 * src/campaign/follow.c */
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "campaign/campaign_file.h"
#include "campaign/follow.h"
#include "campaign/source.h"
#include "os/clock.h"
#include "session/session.h"
#include "unit/support/campaign_text.h"
#include "unit/support/scratch.h"

/* --- the follower ---------------------------------------------------------------------------- */

struct visits {
    char names[16][64];
    size_t n;
    int64_t last_ns;
};

static pare_status visit(void *context, const char *path, int64_t safe_ns, pare_error *err)
{
    struct visits *visits = context;
    (void)err;
    assert_true(visits->n < 16);
    (void)snprintf(visits->names[visits->n++], 64, "%s", strrchr(path, '/') + 1);
    visits->last_ns = safe_ns;
    return PARE_OK;
}

static void wait_for(pare_follow *follow, struct visits *visits, size_t n)
{
    for (int round = 0; round < 100 && visits->n < n; round++)
        assert_int_equal(pare_follow_wait(follow, 100, 0, NULL, visit, visits, NULL), PARE_OK);
    assert_int_equal(visits->n, n);
}

static void test_source_fuzzers__folders_are_followed_from_before_they_are_there(void **state)
{
    (void)state;
    char first[128], second[128];
    (void)snprintf(first, sizeof first, "%s/first", scratch_dir);
    (void)snprintf(second, sizeof second, "%s/second/queue", scratch_dir);
    const char *const folders[] = {first, second};
    struct visits visits = {.n = 0};
    pare_follow *follow = NULL;
    assert_int_equal(pare_file_make_directories(first, NULL), PARE_OK);
    scratch_write("first/a", "1", 0644);
    scratch_write("first/.hidden", "1", 0644);
    scratch_write("first/README.txt", "1", 0644);
    assert_int_equal(pare_follow_open(folders, 2, &follow, NULL), PARE_OK);
    wait_for(follow, &visits, 1);
    assert_string_equal(visits.names[0], "a");
    assert_int_equal(pare_file_make_directories(second, NULL), PARE_OK);
    scratch_write("second/queue/b", "1", 0644);
    wait_for(follow, &visits, 2);
    scratch_write("first/c", "1", 0644);
    wait_for(follow, &visits, 3);
    assert_string_equal(visits.names[2], "c");
    /* A folder that is renamed away, and made again, is followed again. */
    assert_int_equal(rename("first", "gone"), 0);
    assert_int_equal(pare_follow_wait(follow, 100, 0, NULL, visit, &visits, NULL), PARE_OK);
    assert_int_equal(pare_file_make_directories(first, NULL), PARE_OK);
    scratch_write("first/d", "1", 0644);
    wait_for(follow, &visits, 4);
    pare_follow_free(follow);
}

/* Writes a file that seems to have been written `s` seconds after 2001. */
static void write_at(const char *path, time_t s)
{
    const struct timespec times[] = {{.tv_sec = 1000000000 + s}, {.tv_sec = 1000000000 + s}};
    scratch_write(path, "1", 0644);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Visits from a position; what is visited last is `last`, and `n` are in all. */
static int64_t visit_from(const char *folder, int64_t from_ns, size_t n, const char *last)
{
    struct visits visits = {.n = 0};
    pare_follow *follow = NULL;
    assert_int_equal(pare_follow_open(&folder, 1, &follow, NULL), PARE_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pare_follow_wait(follow, 0, from_ns, NULL, visit, &visits, NULL), PARE_OK);
    assert_int_equal(visits.n, n);
    if (n) assert_string_equal(visits.names[n - 1], last);
    pare_follow_free(follow);
    return visits.last_ns;
}

/* Of two files with one time the second is not passed over by whoever was stopped between them, and
 * what was written a moment ago is visited again: another file of that moment may come. */
static void test_source_fuzzers__a_position_misses_nothing(void **state)
{
    (void)state;
    char folder[128];
    (void)snprintf(folder, sizeof folder, "%s/times", scratch_dir);
    assert_int_equal(pare_file_make_directories(folder, NULL), PARE_OK);
    write_at("times/a", 1);
    const int64_t after_a = visit_from(folder, 0, 1, "a");
    (void)visit_from(folder, after_a, 0, "");
    write_at("times/b", 2);
    write_at("times/c", 2);
    const int64_t after_c = visit_from(folder, after_a, 2, "c");
    (void)visit_from(folder, after_c - 1, 2, "c"); /* as b was told */
    (void)visit_from(folder, after_c, 0, "");
    scratch_write("times/d", "1", 0644);
    const int64_t after_d = visit_from(folder, after_c, 1, "d");
    (void)visit_from(folder, after_d, 1, "d");
}

/* The folder is due, but no descriptor is left to open it: the follower waits, and lists it later. */
static void test_source_fuzzers__a_folder_that_cannot_be_opened_is_waited_for(void **state)
{
    (void)state;
    char full[128];
    (void)snprintf(full, sizeof full, "%s/full", scratch_dir);
    const char *const folders[] = {full};
    struct visits visits = {.n = 0};
    struct rlimit before;
    pare_follow *follow = NULL;
    assert_int_equal(pare_file_make_directories(full, NULL), PARE_OK);
    scratch_write("full/a", "1", 0644);
    assert_int_equal(pare_follow_open(folders, 1, &follow, NULL), PARE_OK);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit none = {.rlim_cur = 3, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    assert_int_equal(pare_follow_wait(follow, 10, 0, NULL, visit, &visits, NULL), PARE_OK);
    const uint64_t begin_ms = pare_clock_ms();
    for (int round = 0; round < 3; round++)
        assert_int_equal(pare_follow_wait(follow, 50, 0, NULL, visit, &visits, NULL), PARE_OK);
    const uint64_t waited_ms = pare_clock_ms() - begin_ms;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(visits.n, 0);
    /* Less the event of the file that was written, and what poll rounds down. */
    assert_true(waited_ms >= 90);
    wait_for(follow, &visits, 1);
    pare_follow_free(follow);
}

static void test_source_fuzzers__tests_are_counted_by_what_fuzzers_say(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t plot, log;
    } rows[] = {
        {"", 0, 0},
        {"# relative_time, cycles_done, ...\n", 0, 0},
        {"# a, b\n5, 0, 1, 2, 3, 4, 1.2%, 0, 0, 2, 100.1, 700, 9\n", 700, 0},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13\n1,2,3,4,5,6,7,8,9,10,11,99", 12, 0},
        {"1,2,3\n", 0, 0},
        {"INFO: x\n#2\tINITED cov: 3\n#1234\tNEW\nsomething", 0, 1234},
        {"#7", 0, 7},
        {"\n\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(pare_follow_tests_in_plot(rows[i].text, strlen(rows[i].text)),
                         rows[i].plot);
        assert_int_equal(pare_follow_tests_in_log(rows[i].text, strlen(rows[i].text)), rows[i].log);
    }
}

/* --- sources --------------------------------------------------------------------------------- */

/* Waits until the source gives an input with this in it. */
struct wanted {
    const char *part;
    bool found;
    time_t end;
    unsigned n;
};

static pare_status take(void *context, const void *bytes, size_t size, const char *position,
                        pare_error *err)
{
    struct wanted *wanted = context;
    (void)position;
    if (bytes) wanted->n++;
    if (bytes && memmem(bytes, size, wanted->part, strlen(wanted->part))) wanted->found = true;
    /* A fuzzer that never finds it would hang the test. */
    if (time(NULL) > wanted->end) return pare_fail(err, PARE_E_STATE, "it was not found");
    return wanted->found ? PARE_RUN_ENDED : PARE_OK;
}

static pare_source *open_source(const char *lines, pare_campaign **campaign, pare_target *target)
{
    char text[8192];
    pare_source *source = NULL;
    pare_error err = {0};
    (void)snprintf(text, sizeof text, "[target t]\ncommand = %s/program\n[source s]\n%s",
                   scratch_dir, lines);
    *campaign = campaign_of(text);
    assert_int_equal(pare_target_read(*campaign, "t", target, NULL), PARE_OK);
    const pare_source_options options = {.campaign = *campaign,
                                         .section = pare_campaign_section(*campaign, "source", "s"),
                                         .target = target,
                                         .folder = scratch_dir,
                                         .slots = 1};
    if (pare_source_open(&options, &source, &err)) fail_msg("%s", err.message);
    return source;
}

static void close_source(pare_source *source, pare_campaign *campaign, pare_target *target)
{
    char mark[64];
    pare_source_close(source);
    pare_target_done(target);
    pare_campaign_free(campaign);
    (void)snprintf(mark, sizeof mark, "PARE_TEST=%d-", (int)getpid());
    assert_false(is_mark_alive(mark));
}

/* Empties the folder, so that one fuzzer's files are not taken for another's. */
static int begin(void **state)
{
    (void)state;
    return system("rm -rf ./*");
}

static bool has(const char *program)
{
    char command[128];
    (void)snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    if (!system(command)) return true;
    print_message("skipped: %s is not installed\n", program);
    return false;
}

/* Crashes on "pare", letter by letter, so that coverage leads there. */
static const char program[] =
    "#include <stdlib.h>\n#include <stdint.h>\n#include <stddef.h>\n"
    "int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {\n"
    "  if (n > 2 && d[0] == 'p') { if (d[1] == 'a') { if (d[2] == 'r') abort(); } }\n"
    "  return 0; }\n"
    "#ifdef MAIN\n#include <unistd.h>\n"
    "int main(void) { static uint8_t b[100]; ssize_t n = read(0, b, sizeof b);\n"
    "  return n < 0 ? 1 : LLVMFuzzerTestOneInput(b, (size_t)n); }\n#endif\n";

/* Does something else on "0123456789abcdef", which no seed is near. */
static const char deep_program[] =
    "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
    "int main(void) { static char b[100]; long n = read(0, b, sizeof b);\n"
    "  if (n > 16 && !memcmp(b, \"0123456789abcdef\", 16)) return 1;\n"
    "  return n < 0; }\n";

static void test_source_fuzzers__afl_finds_and_is_given_what_others_find(void **state)
{
    (void)state;
    pare_campaign *campaign;
    pare_target target;
    pare_error err = {0};
    if (!has("afl-fuzz") || !has("afl-clang-fast")) return;
    scratch_write("program.c", program, 0644);
    assert_int_equal(system("AFL_QUIET=1 afl-clang-fast -DMAIN -o program program.c 2>/dev/null"),
                     0);
    /* With the word it takes hundreds of tests, not ten thousands: a loaded machine does those, too. */
    scratch_write("words", "word=\"par\"\n", 0644);
    char lines[256];
    (void)snprintf(lines, sizeof lines,
                   "kind = afl\ndictionary = %s/words\n"
                   "roles = main\n    two AFL_DISABLE_TRIM=1 -p explore\n",
                   scratch_dir);
    pare_source *source = open_source(lines, &campaign, &target);
    assert_true(pare_source_is_fuzzer(source) && pare_source_takes_members(source));
    assert_int_equal(pare_source_join(source, "pa?", 3, 1, NULL), PARE_OK);
    assert_file_holds("out/pare/queue/id:000000,src:pare", "pa?");
    /* The main instance is AFL's: two are refused. */
    assert_int_not_equal(access("out/pare/is_main_node", F_OK), 0);
    struct wanted wanted = {.part = "par", .end = time(NULL) + 120};
    bool dry = false;
    if (pare_source_run(source, "", take, &wanted, &dry, &err) != PARE_RUN_ENDED)
        fail_msg("%s", err.message);
    assert_true(wanted.n > 0);
    close_source(source, campaign, &target);
}

/* Ends when AFL has taken something over: it names that in its queue. */
static pare_status await_import(void *context, const void *bytes, size_t size, const char *position,
                                pare_error *err)
{
    struct wanted *wanted = context;
    glob_t found = {0};
    (void)bytes, (void)size, (void)position;
    wanted->found = !glob("out/main/queue/id:*,sync:pare*", 0, NULL, &found);
    globfree(&found);
    if (time(NULL) > wanted->end) return pare_fail(err, PARE_E_STATE, "it was not taken over");
    return wanted->found ? PARE_RUN_ENDED : PARE_OK;
}

static void test_source_fuzzers__one_instance_of_afl_takes_what_others_find(void **state)
{
    (void)state;
    pare_campaign *campaign;
    pare_target target;
    pare_error err = {0};
    if (!has("afl-fuzz") || !has("afl-clang-fast")) return;
    scratch_write("program.c", deep_program, 0644);
    assert_int_equal(system("AFL_QUIET=1 afl-clang-fast -o program program.c 2>/dev/null"), 0);
    pare_source *source = open_source("kind = afl\n", &campaign, &target);
    assert_int_equal(pare_source_join(source, "0123456789abcdef=", 17, 1, NULL), PARE_OK);
    assert_int_equal(access("out/pare/is_main_node", F_OK), 0);
    struct wanted wanted = {.end = time(NULL) + 120};
    bool dry = false;
    if (pare_source_run(source, "", await_import, &wanted, &dry, &err) != PARE_RUN_ENDED)
        fail_msg("%s", err.message);
    close_source(source, campaign, &target);
    /* A later job gives it what is new only. */
    source = open_source("kind = afl\n", &campaign, &target);
    assert_int_equal(pare_source_join(source, "0123456789abcdef=", 17, 1, NULL), PARE_OK);
    assert_int_not_equal(access("out/pare/queue/id:000001,src:pare", F_OK), 0);
    assert_int_equal(pare_source_join(source, "another", 7, 1, NULL), PARE_OK);
    assert_file_holds("out/pare/queue/id:000001,src:pare", "another");
    close_source(source, campaign, &target);
}

static void test_source_fuzzers__afl_says_why_it_ends(void **state)
{
    (void)state;
    pare_campaign *campaign;
    pare_target target;
    pare_error err = {0};
    if (!has("afl-fuzz")) return;
    scratch_script("program", "cat");
    pare_source *source = open_source("kind = afl\n", &campaign, &target);
    struct wanted wanted = {.part = "?", .end = time(NULL) + 60};
    bool dry = false;
    assert_int_equal(pare_source_run(source, "", take, &wanted, &dry, &err), PARE_E_STATE);
    if (!strstr(err.message, "afl-fuzz (main) ends:")) fail_msg("%s", err.message);
    close_source(source, campaign, &target);
}

static void test_source_fuzzers__libfuzzer_finds_and_is_started_again(void **state)
{
    (void)state;
    pare_campaign *campaign;
    pare_target target;
    pare_error err = {0};
    if (!has("clang")) return;
    scratch_write("program.c", program, 0644);
    if (system("clang -fsanitize=fuzzer -o fuzzer program.c 2>/dev/null")) {
        print_message("skipped: clang has no libFuzzer\n");
        return;
    }
    scratch_script("program", "cat");
    char lines[256];
    (void)snprintf(lines, sizeof lines, "kind = libfuzzer\ncommand = %s/fuzzer\n", scratch_dir);
    pare_source *source = open_source(lines, &campaign, &target);
    assert_int_equal(pare_source_join(source, "p", 1, 1, NULL), PARE_OK);
    struct wanted wanted = {.part = "par", .end = time(NULL) + 120};
    bool dry = false;
    if (pare_source_run(source, "", take, &wanted, &dry, &err) != PARE_RUN_ENDED)
        fail_msg("%s", err.message);
    close_source(source, campaign, &target);
}

/* Folders are listed one after the other, so a file is found after one that was written later. */
static void test_source_fuzzers__a_file_that_is_found_late_is_taken(void **state)
{
    (void)state;
    pare_campaign *campaign;
    pare_target target;
    pare_error err = {0};
    scratch_script("program", "cat");
    scratch_script("fuzzer", "d=corpus; printf new > $d/.a; mv $d/.a $d/a; sleep 0.2;"
                             " printf old > $d/.b; touch -d '1 minute ago' $d/.b;"
                             " mv $d/.b $d/b; sleep 100");
    char lines[256];
    (void)snprintf(lines, sizeof lines, "kind = libfuzzer\ncommand = %s/fuzzer\n", scratch_dir);
    pare_source *source = open_source(lines, &campaign, &target);
    struct wanted wanted = {.part = "old", .end = time(NULL) + 20};
    bool dry = false;
    if (pare_source_run(source, "", take, &wanted, &dry, &err) != PARE_RUN_ENDED)
        fail_msg("%s", err.message);
    assert_int_equal(wanted.n, 2);
    close_source(source, campaign, &target);
}

/* Of a long command line and a large environment nothing is left out. */
static void test_source_fuzzers__all_words_and_variables_are_given(void **state)
{
    (void)state;
    char lines[8000], path[4096];
    static const char *const kinds[] = {"afl", "libfuzzer", "prints"};
    /* All three print the last of both; afl-fuzz writes it where its finds are. */
    scratch_script("program", "cat");
    scratch_script("afl-fuzz", "for w; do [ \"$before\" = -o ] && out=$w;"
                               " [ \"$before\" = -S ] && name=$w; before=$w; done\n"
                               "mkdir -p $out/$name/crashes; cd $out/$name\n"
                               "echo \"w299 $V99\" > new; mv new crashes/id:000000; sleep 100");
    scratch_script("libfuzzer",
                   "for w; do [ $w = w299 ] && last=$w; done\n"
                   "echo \"$last $V99\" > corpus/.a; mv corpus/.a corpus/a; sleep 100");
    scratch_script("prints", "for w; do last=$w; done; echo \"$last $V99\"");
    (void)snprintf(path, sizeof path, "%s:%s", scratch_dir, getenv("PATH"));
    char *old_path = strdup(getenv("PATH"));
    assert_int_equal(setenv("PATH", path, 1), 0);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        pare_campaign *campaign;
        pare_target target;
        pare_error err = {0};
        struct wanted wanted = {.part = "w299 last", .end = time(NULL) + 60};
        bool dry = false;
        size_t n = (size_t)snprintf(lines, sizeof lines, "kind = %s\n", kinds[k]);
        if (k) {
            n += (size_t)snprintf(lines + n, sizeof lines - n, "command = %s/%s", scratch_dir,
                                  kinds[k]);
            for (int i = 0; i < 300; i++)
                n += (size_t)snprintf(lines + n, sizeof lines - n, " w%d", i);
        }
        n += (size_t)snprintf(lines + n, sizeof lines - n, "\nenvironment =\n");
        for (int i = 0; i < 100; i++)
            n += (size_t)snprintf(lines + n, sizeof lines - n, "    V%d=%s\n", i,
                                  i == 99 ? "last" : "x");
        assert_true(n < sizeof lines);
        pare_source *source = open_source(lines, &campaign, &target);
        if (pare_source_run(source, "", take, &wanted, &dry, &err) != PARE_RUN_ENDED)
            fail_msg("%s: %s", kinds[k], err.message);
        close_source(source, campaign, &target);
    }
    assert_int_equal(setenv("PATH", old_path, 1), 0);
    free(old_path);
}

static void test_source_fuzzers__a_libfuzzer_that_is_none_is_given_up(void **state)
{
    (void)state;
    pare_campaign *campaign;
    pare_target target;
    pare_error err = {0};
    scratch_script("program", "cat");
    scratch_script("fuzzer", "echo no such option");
    char lines[256];
    (void)snprintf(lines, sizeof lines, "kind = libfuzzer\ncommand = %s/fuzzer\n", scratch_dir);
    pare_source *source = open_source(lines, &campaign, &target);
    struct wanted wanted = {.part = "?", .end = time(NULL) + 60};
    bool dry = false;
    assert_int_equal(pare_source_run(source, "", take, &wanted, &dry, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "no such option"));
    close_source(source, campaign, &target);
}

static void test_source_fuzzers__recorded_generators_leave_the_choices_of_failures(void **state)
{
    (void)state;
    pare_campaign *campaign;
    pare_target target;
    pare_error err = {0};
    scratch_script("program", "cat");
    pare_source *source = open_source("kind = recorded\ncommand = od -An -N4 -tu4 /dev/urandom\n",
                                      &campaign, &target);
    struct wanted wanted = {.part = "\n", .end = time(NULL) + 60};
    bool dry = false;
    pare_status status = pare_source_run(source, "", take, &wanted, &dry, &err);
    if (status != PARE_RUN_ENDED) fail_msg("%s", err.message);
    assert_int_equal(wanted.n, 1);
    close_source(source, campaign, &target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_source_fuzzers__folders_are_followed_from_before_they_are_there,
                               begin),
        cmocka_unit_test_setup(test_source_fuzzers__a_folder_that_cannot_be_opened_is_waited_for,
                               begin),
        cmocka_unit_test_setup(test_source_fuzzers__a_position_misses_nothing, begin),
        cmocka_unit_test(test_source_fuzzers__tests_are_counted_by_what_fuzzers_say),
        cmocka_unit_test_setup(test_source_fuzzers__afl_finds_and_is_given_what_others_find, begin),
        cmocka_unit_test_setup(test_source_fuzzers__one_instance_of_afl_takes_what_others_find,
                               begin),
        cmocka_unit_test_setup(test_source_fuzzers__afl_says_why_it_ends, begin),
        cmocka_unit_test_setup(test_source_fuzzers__libfuzzer_finds_and_is_started_again, begin),
        cmocka_unit_test_setup(test_source_fuzzers__a_file_that_is_found_late_is_taken, begin),
        cmocka_unit_test_setup(test_source_fuzzers__all_words_and_variables_are_given, begin),
        cmocka_unit_test_setup(test_source_fuzzers__a_libfuzzer_that_is_none_is_given_up, begin),
        cmocka_unit_test_setup(
            test_source_fuzzers__recorded_generators_leave_the_choices_of_failures, begin),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
