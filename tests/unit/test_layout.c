/* Layouts: folders read, written, and what is left of them when pieces go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>

#include "base/alloc.h"
#include "base/random.h"
#include "os/folder.h"
#include "text/layout.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

/* Makes `name` a folder with a bit of everything. */
static void make_folder(const char *name)
{
    assert_int_equal(mkdir(name, 0755), 0);
    assert_int_equal(chdir(name), 0);
    assert_int_equal(mkdir("sub", 0755), 0);
    assert_int_equal(mkdir("sub/empty", 0750), 0);
    assert_int_equal(mkdir("odd\nname", 0700), 0);
    scratch_write("sub/one.c", "int one;\n", 0644);
    scratch_write("sub/run.sh", "#!/bin/sh\n", 0755);
    scratch_write("sub.c", "beside\n", 0600);
    scratch_write("odd\nname/\xff\xfe", "bytes\1\2\3", 0640);
    scratch_write("none", "", 0444);
    assert_int_equal(symlink("../..", "sub/out"), 0);
    assert_int_equal(symlink("/nowhere", "broken"), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(chmod("sub", 0555), 0);
    assert_int_equal(chdir(".."), 0);
}

static pare_layout *read_layout(const char *const *inputs, size_t n, pare_text **text)
{
    pare_layout *layout = NULL;
    pare_error err = {0};
    if (pare_layout_read(inputs, n, &layout, text, &err)) fail_msg("%s", err.message);
    return layout;
}

static void take_all(const pare_text *text, pare_candidate *whole)
{
    pare_candidate_start(whole, text);
    assert_int_equal(pare_candidate_slice(whole, 0, pare_text_size(text), NULL), PARE_OK);
}

static int open_new(const char *name)
{
    assert_int_equal(mkdir(name, 0755), 0);
    int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

/* The same names, contents, targets and modes; the modes of given folders aside. */
static bool same_folders(const char *a, const char *b)
{
    char command[512];
    (void)snprintf(
        command, sizeof command,
        "diff -r --no-dereference -x pipe %s %s >&2 && "
        "[ \"$(cd %s && find . -mindepth 1 ! -name pipe -printf '%%p %%m %%l\\n' | sort)\" = "
        "\"$(cd %s && find . -mindepth 1 -printf '%%p %%m %%l\\n' | sort)\" ]",
        a, b, a, b);
    return system(command) == 0;
}

static void test_layout__what_is_read_is_written_again(void **state)
{
    (void)state;
    make_folder("all");
    const char *const inputs[] = {"all"};
    pare_text *text = NULL;
    pare_layout *layout = read_layout(inputs, 1, &text);
    assert_int_equal(layout->entries.n_skipped, 1);
    assert_string_equal(layout->entries.skipped, "all/pipe");
    pare_candidate whole = {0};
    take_all(text, &whole);
    int fd = open_new("copy");
    assert_int_equal(pare_layout_write(layout, &whole, fd, strlen("all/")), 0);
    (void)close(fd);
    assert_true(same_folders("all", "copy"));
    fd = open_new("under");
    assert_int_equal(pare_layout_write(layout, &whole, fd, 0), 0);
    (void)close(fd);
    assert_true(same_folders("all", "under/all"));
    pare_layout_size size = pare_layout_measure(layout, &whole);
    assert_int_equal(size.bytes, 9 + 10 + 7 + 8);
    assert_int_equal(size.entries, 8); /* five files, two links, an empty folder */
    pare_candidate_done(&whole);
    pare_text_unref(text);
    pare_layout_free(layout);
}

/* Leaving out entries leaves out exactly those, and the folders with nothing in them. */
static void test_layout__entries_go_with_their_frames(void **state)
{
    (void)state;
    const char *const inputs[] = {"all"};
    pare_text *text = NULL;
    pare_place *places = NULL;
    pare_random random;
    size_t n = 0;
    pare_random_init(&random, 11);
    pare_layout *layout = read_layout(inputs, 1, &text);
    assert_int_equal(pare_layout_places(layout, text, &places, &n, NULL), PARE_OK);
    assert_int_equal(n, 8);
    for (int round = 0; round < 40; round++) {
        pare_candidate some = {0};
        bool kept[8];
        pare_candidate_start(&some, text);
        for (size_t i = 0; i < n; i++) {
            kept[i] = pare_random_below(&random, 2);
            if (kept[i])
                assert_int_equal(pare_candidate_slice(&some, places[i].frame,
                                                      places[i].end - places[i].frame, NULL),
                                 PARE_OK);
        }
        int fd = open_new("some");
        assert_int_equal(pare_layout_write(layout, &some, fd, 0), 0);
        (void)close(fd);
        for (size_t i = 0; i < n; i++) {
            char path[256];
            (void)snprintf(path, sizeof path, "some/%s",
                           layout->entries.items[places[i].entry].path);
            assert_int_equal(pare_file_exists(path), kept[i]);
        }
        assert_true(pare_file_is_directory("some/all"));
        assert_int_equal(pare_file_remove_tree("some", NULL), PARE_OK);
        pare_candidate_done(&some);
    }
    pare_alloc_free(places);
    pare_text_unref(text);
    pare_layout_free(layout);
}

static void test_layout__names_are_checked(void **state)
{
    (void)state;
    pare_layout *layout = NULL;
    pare_text *text = NULL;
    const char *const same[] = {"all/none", "copy/none"}, *const missing[] = {"nothing"},
                      *const dot[] = {"."}, *const fifo[] = {"all/pipe"};
    assert_int_equal(pare_layout_read(same, 2, &layout, &text, NULL), PARE_E_ARG);
    assert_int_equal(pare_layout_read(missing, 1, &layout, &text, NULL), PARE_E_IO);
    assert_int_equal(pare_layout_read(dot, 1, &layout, &text, NULL), PARE_E_ARG);
    assert_int_equal(pare_layout_read(fifo, 1, &layout, &text, NULL), PARE_E_IO);
    assert_null(layout);
    assert_null(text);
}

/* ---- saving ------------------------------------------------------------------------- */

struct saving {
    pare_layout_saver saver;
    const pare_candidate *candidate;
};

static int save(void *context, int folder, int previous)
{
    struct saving *saving = context;
    pare_layout_saver_look(&saving->saver, saving->candidate);
    const int failed =
        pare_layout_saver_part(&saving->saver, saving->candidate, PARE_NO_ENTRY, folder, previous);
    pare_layout_saver_turn(&saving->saver);
    return failed;
}

static ino_t inode_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_ino;
}

static void test_layout__saving_again_links_what_did_not_change(void **state)
{
    (void)state;
    const char *const inputs[] = {"all"};
    pare_text *text = NULL;
    pare_layout *layout = read_layout(inputs, 1, &text);
    pare_candidate whole = {0};
    take_all(text, &whole);
    struct saving saving = {.candidate = &whole};
    assert_int_equal(pare_layout_saver_init(&saving.saver, layout, strlen("all/"), NULL), PARE_OK);
    assert_int_equal(pare_folder_replace("out", &(pare_folder_replacing){.sync = PARE_SYNC_SECOND},
                                         save, &saving, NULL),
                     PARE_OK);
    assert_true(same_folders("all", "out"));
    ino_t one = inode_of("out/sub/one.c"), beside = inode_of("out/sub.c");
    int held = open("out/sub.c", O_RDONLY | O_CLOEXEC); /* so that its number is not used again */
    assert_true(held >= 0);
    scratch_write("out/sub.c", "meddled", 0600);
    assert_int_equal(pare_folder_replace("out", &(pare_folder_replacing){.sync = PARE_SYNC_SECOND},
                                         save, &saving, NULL),
                     PARE_OK);
    assert_true(same_folders("all", "out"));
    assert_int_equal(inode_of("out/sub/one.c"), one);
    assert_int_not_equal(inode_of("out/sub.c"), beside);
    close(held);
    pare_layout_saver_done(&saving.saver);
    pare_candidate_done(&whole);
    pare_text_unref(text);
    pare_layout_free(layout);
}

static int refuse(void *context, int folder, int previous)
{
    (void)context;
    (void)folder;
    (void)previous;
    return 28; /* ENOSPC */
}

static void test_layout__a_folder_that_cannot_be_written_leaves_the_old_one(void **state)
{
    (void)state;
    pare_error err = {0};
    size_t before = count_entries(".");
    assert_int_equal(pare_folder_replace("out", &(pare_folder_replacing){.sync = PARE_SYNC_SECOND},
                                         refuse, NULL, &err),
                     PARE_E_IO);
    assert_true(same_folders("all", "out"));
    assert_int_equal(count_entries("."), before);
    assert_true(pare_folder_holds("all", "all/new"));
    assert_true(pare_folder_holds("all", "all/sub/new"));
    assert_false(pare_folder_holds("all", "all.min"));
}

static pare_status read_all(void *context)
{
    const char *const inputs[] = {"all", "copy"};
    pare_layout *layout = NULL;
    pare_text *text = NULL;
    pare_place *places = NULL;
    size_t n;
    (void)context;
    pare_status status = pare_layout_read(inputs, 2, &layout, &text, NULL);
    if (!status) status = pare_layout_places(layout, text, &places, &n, NULL);
    pare_alloc_free(places);
    pare_text_unref(text);
    pare_layout_free(layout);
    return status;
}

static void test_layout__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(read_all, NULL);
}

/* Words are entries after the files: read back as they are, gone with their frames, and
 * nowhere on disk. */
static void test_layout__words_are_entries_after_the_files(void **state)
{
    (void)state;
    static const char *const arguments[] = {"-o", "", "two words"};
    static const char *const variables[] = {"A=1", "B="};
    pare_text *file = NULL, *text = NULL;
    pare_layout *layout = NULL;
    pare_candidate whole = {0};
    pare_layout_words words = {.n_arguments = 0};
    pare_place *places = NULL;
    size_t n = 0;
    assert_int_equal(pare_text_copy("content", 7, &file, NULL), PARE_OK);
    assert_int_equal(pare_layout_open_file("in.c", 0600, file, &layout, NULL), PARE_OK);
    assert_int_equal(pare_layout_add_words(layout, PARE_ENTRY_ARGUMENT, arguments, 3, NULL),
                     PARE_OK);
    assert_int_equal(pare_layout_add_words(layout, PARE_ENTRY_VARIABLE, variables, 2, NULL),
                     PARE_OK);
    assert_int_equal(pare_layout_text(layout, NULL, &text, NULL), PARE_OK);
    take_all(text, &whole);
    assert_int_equal(pare_layout_words_read(layout, &whole, &words, NULL), PARE_OK);
    assert_int_equal(words.n_arguments, 3);
    assert_int_equal(words.n_variables, 2);
    assert_memory_equal(words.texts.data, "-o\0\0two words\0A=1\0B=", 21);
    pare_layout_size size = pare_layout_measure(layout, &whole);
    assert_int_equal(size.entries, 1);
    assert_int_equal(size.bytes, 7);
    assert_int_equal(size.arguments, 3);
    int fd = open_new("worded");
    assert_int_equal(pare_layout_write(layout, &whole, fd, 0), 0);
    (void)close(fd);
    assert_int_equal(system("[ \"$(ls worded)\" = in.c ] && [ \"$(cat worded/in.c)\" = content ]"),
                     0);

    assert_int_equal(pare_layout_places(layout, text, &places, &n, NULL), PARE_OK);
    assert_int_equal(n, 6);
    pare_candidate_start(&whole, text); /* without the empty argument and A */
    assert_int_equal(pare_candidate_slice(&whole, 0, places[1].end, NULL), PARE_OK);
    assert_int_equal(
        pare_candidate_slice(&whole, places[3].frame, places[3].end - places[3].frame, NULL),
        PARE_OK);
    assert_int_equal(
        pare_candidate_slice(&whole, places[5].frame, places[5].end - places[5].frame, NULL),
        PARE_OK);
    assert_int_equal(pare_layout_words_read(layout, &whole, &words, NULL), PARE_OK);
    assert_int_equal(words.n_arguments, 2);
    assert_int_equal(words.n_variables, 1);
    assert_memory_equal(words.texts.data, "-o\0two words\0B=", 16);
    pare_layout_words_done(&words);
    pare_alloc_free(places);
    pare_candidate_done(&whole);
    pare_text_unref(text);
    pare_text_unref(file);
    pare_layout_free(layout);
}

/* A candidate may glue bytes of a file to a word.  Equal bytes are equal words, however they are
 * put together: what follows a NUL belongs to none. */
static void test_layout__a_word_ends_at_a_nul_in_whatever_pieces_it_comes(void **state)
{
    (void)state;
    static const char *const arguments[] = {"-o"};
    pare_text *file = NULL, *text = NULL;
    pare_layout *layout = NULL;
    pare_candidate glued = {0};
    pare_layout_words words = {.n_arguments = 0};
    pare_place *places = NULL;
    size_t n = 0;
    assert_int_equal(pare_text_copy("b\0b", 3, &file, NULL), PARE_OK);
    assert_int_equal(pare_layout_open_file("in", 0600, file, &layout, NULL), PARE_OK);
    assert_int_equal(pare_layout_add_words(layout, PARE_ENTRY_ARGUMENT, arguments, 1, NULL),
                     PARE_OK);
    assert_int_equal(pare_layout_text(layout, NULL, &text, NULL), PARE_OK);
    assert_int_equal(pare_layout_places(layout, text, &places, &n, NULL), PARE_OK);
    assert_int_equal(n, 2);
    for (int in_pieces = 0; in_pieces < 2; in_pieces++) {
        const size_t content = places[0].end - 3;
        pare_candidate_start(&glued, text);
        assert_int_equal(pare_candidate_slice(&glued, 0, places[1].end, NULL), PARE_OK);
        assert_int_equal(pare_candidate_slice(&glued, content + 1, in_pieces ? 1 : 2, NULL),
                         PARE_OK);
        if (in_pieces) assert_int_equal(pare_candidate_slice(&glued, content, 1, NULL), PARE_OK);
        assert_int_equal(pare_layout_words_read(layout, &glued, &words, NULL), PARE_OK);
        assert_int_equal(words.n_arguments, 1);
        assert_int_equal(words.texts.size, 3);
        assert_memory_equal(words.texts.data, "-o", 3);
    }
    pare_layout_words_done(&words);
    pare_alloc_free(places);
    pare_candidate_done(&glued);
    pare_text_unref(text);
    pare_text_unref(file);
    pare_layout_free(layout);
}

static pare_status make_words(void *context)
{
    static const char *const arguments[] = {"-a", "b"};
    const pare_text *file = context;
    pare_layout *layout = NULL;
    pare_text *text = NULL;
    pare_candidate whole = {0};
    pare_layout_words words = {.n_arguments = 0};
    pare_status status = pare_layout_open_file("in", 0600, file, &layout, NULL);
    if (!status) status = pare_layout_add_words(layout, PARE_ENTRY_ARGUMENT, arguments, 2, NULL);
    if (!status) status = pare_layout_text(layout, NULL, &text, NULL);
    if (!status) {
        pare_candidate_start(&whole, text);
        status = pare_candidate_slice(&whole, 0, pare_text_size(text), NULL);
    }
    if (!status) status = pare_layout_words_read(layout, &whole, &words, NULL);
    pare_layout_words_done(&words);
    pare_candidate_done(&whole);
    pare_text_unref(text);
    pare_layout_free(layout);
    return status;
}

static void test_layout__words_report_oom(void **state)
{
    (void)state;
    pare_text *file = NULL;
    assert_int_equal(pare_text_copy("content", 7, &file, NULL), PARE_OK);
    sweep_allocations(make_words, file);
    pare_text_unref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout__what_is_read_is_written_again),
        cmocka_unit_test(test_layout__entries_go_with_their_frames),
        cmocka_unit_test(test_layout__names_are_checked),
        cmocka_unit_test(test_layout__saving_again_links_what_did_not_change),
        cmocka_unit_test(test_layout__a_folder_that_cannot_be_written_leaves_the_old_one),
        cmocka_unit_test(test_layout__reports_oom),
        cmocka_unit_test(test_layout__words_are_entries_after_the_files),
        cmocka_unit_test(test_layout__a_word_ends_at_a_nul_in_whatever_pieces_it_comes),
        cmocka_unit_test(test_layout__words_report_oom),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
