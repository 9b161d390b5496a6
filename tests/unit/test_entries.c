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

/* Reads every file, and writes all entries into the folder `name`, which is empty. */
static void fill_with_all(const pare_entries *entries, const char *name)
{
    pare_entries_writer writer = {.records = NULL};
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

static void copy_all(const pare_entries *entries, const char *name)
{
    assert_int_equal(mkdir(name, 0700), 0);
    fill_with_all(entries, name);
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

/* The umask takes bits away from some files and none from others, in whatever order they come. */
static void test_entries__modes_are_kept_whatever_the_umask(void **state)
{
    (void)state;
    static const mode_t masks[] = {0, 022, 077, 0777};
    static const struct {
        const char *path;
        mode_t mode;
    } files[] = {{"in/a", 0640}, {"in/b/x", 0600}, {"in/b-c", 0777}, {"file.c", 0644}};
    pare_entries entries = {.n = 0};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        assert_int_equal(chmod(files[k].path, files[k].mode), 0);
    assert_int_equal(pare_entries_scan(&entries, inputs, NULL, 2, NULL), PARE_OK);
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        char name[16];
        (void)snprintf(name, sizeof name, "masked%zu", m);
        assert_int_equal(mkdir(name, 0700), 0);
        const mode_t before = umask(masks[m]);
        fill_with_all(&entries, name);
        (void)umask(before);
        for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
            struct stat info;
            char path[64];
            (void)snprintf(path, sizeof path, "%s/%s", name, files[k].path);
            assert_int_equal(stat(path, &info), 0);
            assert_int_equal(info.st_mode & 07777, files[k].mode);
        }
    }
    pare_entries_done(&entries);
}

/* Of three given folders the last has an entry: the others are made after it, each once, and what is
 * kept of the writer is as large as what was written. */
static void test_entries__folders_that_were_given_are_made_in_any_order(void **state)
{
    (void)state;
    static const pare_entry items[] = {
        {.path = "a", .kind = PARE_ENTRY_FOLDER, .mode = 0750, .input = 0},
        {.path = "b", .kind = PARE_ENTRY_FOLDER, .mode = 0700, .input = 1},
        {.path = "b/in", .kind = PARE_ENTRY_FOLDER, .mode = 0500, .input = 1},
        {.path = "b/in/file", .kind = PARE_ENTRY_FILE, .mode = 0600, .input = 1},
        {.path = "c", .kind = PARE_ENTRY_FOLDER, .mode = 0755, .input = 2}};
    struct stat info;
    pare_entries entries = {.n = 0};
    pare_entries_writer writer = {.records = NULL};
    assert_int_equal(pare_entries_recall(&entries, items, 5, NULL), PARE_OK);
    assert_int_equal(mkdir("given", 0700), 0);
    int folder = open("given", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(pare_entries_writer_start(&writer, &entries, folder, 0), 0);
    assert_int_equal(pare_entries_writer_begin(&writer, 3), 0);
    assert_int_equal(writer.n_made, 2);
    assert_int_equal(pare_entries_writer_end(&writer), 0);
    assert_int_equal(writer.n_made, 4);
    pare_entries_writer_done(&writer);
    assert_int_equal(close(folder), 0);
    assert_int_equal(stat("given/a", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0750);
    assert_int_equal(stat("given/b/in", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0500);
    assert_int_equal(stat("given/c", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0755);
    assert_int_equal(chmod("given/b/in", 0700), 0);
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

static void test_entries__inputs_that_are_not_whole_are_refused(void **state)
{
    (void)state;
    static const uint32_t of[][2] = {{0, 2}, {1, 1}, {0, UINT32_MAX}, {7, 8}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const pare_entry items[] = {
            {.path = "a", .kind = PARE_ENTRY_FOLDER, .mode = 0700, .input = of[k][0]},
            {.path = "b", .kind = PARE_ENTRY_FILE, .mode = 0600, .input = of[k][1]}};
        pare_entries entries = {.n = 0};
        assert_int_equal(pare_entries_recall(&entries, items, 2, NULL), PARE_E_CORRUPT);
        pare_entries_done(&entries);
    }
    const pare_entry items[] = {{.path = "a", .kind = PARE_ENTRY_FILE, .mode = 0600, .input = 1},
                                {.path = "b", .kind = PARE_ENTRY_FILE, .mode = 0600, .input = 0}};
    const char *names[2] = {NULL, NULL};
    pare_entries entries = {.n = 0};
    assert_int_equal(pare_entries_recall(&entries, items, 2, NULL), PARE_OK);
    assert_int_equal(entries.n_roots, 2);
    pare_entries_names(&entries, names);
    assert_string_equal(names[0], "b");
    assert_string_equal(names[1], "a");
    pare_entries_done(&entries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries__a_folder_stands_before_what_is_in_it_without_a_gap),
        cmocka_unit_test(test_entries__inputs_of_one_name_are_refused),
        cmocka_unit_test(test_entries__what_was_read_is_written_with_its_modes_and_links),
        cmocka_unit_test(test_entries__modes_are_kept_whatever_the_umask),
        cmocka_unit_test(test_entries__folders_that_were_given_are_made_in_any_order),
        cmocka_unit_test(test_entries__words_come_last_and_are_their_own_content),
        cmocka_unit_test(test_entries__survives_every_failed_allocation),
        cmocka_unit_test(test_entries__inputs_that_are_not_whole_are_refused),
    };
    return cmocka_run_group_tests(tests, make_inputs, scratch_teardown);
}
