/* Entries: what is found in which order, and what is written is what was read. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/entries.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char *const inputs[] = {"in", "file.c"};

/* in/a, in/b/ (deep), in/b-c, in/link -> a, in/pipe; file.c */
static int make_inputs(void **state)
{
    int failed = scratch_setup(state);
    if (failed) return failed;
    assert_int_equal(pare_file_make_directories("in/b/deep", NULL), PARE_OK);
    scratch_write("in/a", "A", 0640);
    scratch_write("in/b/x", "X", 0600);
    scratch_write("in/b-c", "BC", 0700);
    scratch_write("file.c", "int", 0644);
    assert_int_equal(symlink("a", "in/link"), 0);
    return mkfifo("in/pipe", 0600);
}

static void test_entries__a_folder_stands_before_what_is_in_it_without_a_gap(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        pare_entry_kind kind;
        uint32_t after, depth;
    } wanted[] = {
        {"file.c", PARE_ENTRY_FILE, 1, 1},      {"in", PARE_ENTRY_FOLDER, 8, 1},
        {"in/a", PARE_ENTRY_FILE, 3, 2},        {"in/b", PARE_ENTRY_FOLDER, 6, 2},
        {"in/b/deep", PARE_ENTRY_FOLDER, 5, 3}, {"in/b/x", PARE_ENTRY_FILE, 6, 3},
        {"in/b-c", PARE_ENTRY_FILE, 7, 2},      {"in/link", PARE_ENTRY_LINK, 8, 2},
    };
    pare_entries entries = {.n = 0};
    assert_int_equal(pare_entries_scan(&entries, inputs, NULL, 2, NULL), PARE_OK);
    assert_int_equal(entries.n, sizeof wanted / sizeof *wanted);
    for (size_t k = 0; k < entries.n; k++) {
        const pare_entry *entry = &entries.items[k];
        assert_string_equal(entry->path, wanted[k].path);
        assert_int_equal(entry->kind, wanted[k].kind);
        assert_int_equal(entry->after, wanted[k].after);
        assert_int_equal(entry->depth, wanted[k].depth);
    }
    assert_string_equal(entries.items[7].target, "a");
    assert_int_equal(entries.items[2].mode, 0640);
    assert_int_equal(entries.n_skipped, 1);
    assert_string_equal(entries.skipped, "in/pipe");
    pare_entries_done(&entries);
}

static void test_entries__inputs_of_one_name_are_refused(void **state)
{
    (void)state;
    static const char *const twice[] = {"file.c", "./file.c"}, *const none[] = {"nowhere"};
    pare_error err = {0};
    pare_entries entries = {.n = 0};
    assert_int_equal(pare_entries_scan(&entries, twice, NULL, 2, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "two inputs are called file.c"));
    assert_int_equal(pare_entries_scan(&entries, none, NULL, 1, NULL), PARE_E_IO);
    assert_int_equal(entries.n, 0);
}

/* Reads every file, and writes all entries into the folder `name`. */
static void copy_all(const pare_entries *entries, const char *name)
{
    pare_entries_writer writer = {.records = NULL};
    assert_int_equal(mkdir(name, 0700), 0);
    int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(pare_entries_writer_start(&writer, entries, folder, 0), 0);
    pare_buffer content[16] = {{0}};
    for (uint32_t k = 0; k < entries->n; k++) {
        assert_int_equal(pare_entries_writer_begin(&writer, k), 0);
        if (entries->items[k].kind != PARE_ENTRY_FILE) continue;
        assert_int_equal(pare_entries_read(entries, inputs, k, &content[k], NULL), PARE_OK);
        assert_int_equal(pare_entries_writer_add(&writer, content[k].data, content[k].size), 0);
    }
    assert_int_equal(pare_entries_writer_end(&writer), 0);
    pare_entries_writer_done(&writer);
    for (size_t k = 0; k < sizeof content / sizeof *content; k++)
        pare_buffer_done(&content[k]);
    assert_int_equal(close(folder), 0);
}

static void test_entries__what_was_read_is_written_with_its_modes_and_links(void **state)
{
    (void)state;
    struct stat info;
    char target[8] = "";
    pare_entries entries = {.n = 0};
    assert_int_equal(chmod("in/b", 0500), 0); /* which forbids to fill it */
    assert_int_equal(pare_entries_scan(&entries, inputs, NULL, 2, NULL), PARE_OK);
    copy_all(&entries, "copy");
    assert_file_holds("copy/in/a", "A");
    assert_file_holds("copy/in/b/x", "X");
    assert_file_holds("copy/in/b-c", "BC");
    assert_file_holds("copy/file.c", "int");
    assert_int_equal(stat("copy/in/b", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0500);
    assert_int_equal(readlink("copy/in/link", target, sizeof target), 1);
    assert_string_equal(target, "a");
    assert_int_equal(chmod("in/b", 0700), 0);
    pare_entries_done(&entries);
}

static void test_entries__words_come_last_and_are_their_own_content(void **state)
{
    (void)state;
    pare_entries entries = {.n = 0};
    pare_buffer content = {0};
    assert_int_equal(pare_entries_name(&entries, "made.c", 0600, NULL), PARE_OK);
    assert_int_equal(pare_entries_add_word(&entries, PARE_ENTRY_ARGUMENT, "-O2", NULL), PARE_OK);
    assert_int_equal(entries.n, 2);
    assert_true(pare_entry_is_word(&entries.items[1]));
    assert_int_equal(entries.items[1].after, 2);
    assert_int_equal(pare_entries_read(&entries, inputs, 1, &content, NULL), PARE_OK);
    assert_string_equal(content.data, "-O2");
    pare_buffer_done(&content);
    pare_entries_done(&entries);
}

static pare_status scan_once(void *context)
{
    pare_entries entries = {.n = 0};
    (void)context;
    pare_status status = pare_entries_scan(&entries, inputs, NULL, 2, NULL);
    if (status) assert_int_equal(entries.n, 0);
    pare_entries_done(&entries);
    return status;
}

static void test_entries__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(scan_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries__a_folder_stands_before_what_is_in_it_without_a_gap),
        cmocka_unit_test(test_entries__inputs_of_one_name_are_refused),
        cmocka_unit_test(test_entries__what_was_read_is_written_with_its_modes_and_links),
        cmocka_unit_test(test_entries__words_come_last_and_are_their_own_content),
        cmocka_unit_test(test_entries__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, make_inputs, scratch_teardown);
}
