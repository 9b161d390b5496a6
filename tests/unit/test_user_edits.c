/* What a run has written, told from what somebody else has put there since. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>

#include <pare/reduce.h>

#include "base/alloc.h"
#include "os/file.h"
#include "os/folder.h"
#include "session/output/user_edits.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"
#include "unit/support/scratch.h"

/* ---- files --------------------------------------------------------------------------- */

static pare_user_edits_file written(const char *path, const char *text)
{
    struct stat info;
    const size_t size = strlen(text);
    scratch_write(path, text, 0600);
    assert_int_equal(stat(path, &info), 0);
    return (pare_user_edits_file){
        .content = pare_digest_of(pare_digest_extend((pare_hash){{0}}, text, size), size),
        .record = pare_entry_record_of(&info)};
}

static void touch(const char *path)
{
    const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_user_edits__a_file_is_own_until_its_content_changes(void **state)
{
    (void)state;
    const pare_user_edits_file file = written("one", "result");
    assert_true(pare_user_edits_file_is_own(&file, "one"));
    touch("one");
    assert_true(pare_user_edits_file_is_own(&file, "one"));
    assert_int_equal(rename("one", "moved"), 0);
    assert_true(pare_user_edits_file_is_own(&file, "one")); /* nothing there that could be lost */
    scratch_write("one", "result", 0600);                   /* another file of the same content */
    assert_true(pare_user_edits_file_is_own(&file, "one"));
    scratch_write("one", "resulT", 0600);
    assert_false(pare_user_edits_file_is_own(&file, "one"));
    scratch_write("one", "result and more", 0600);
    assert_false(pare_user_edits_file_is_own(&file, "one"));
    assert_int_equal(unlink("one"), 0);
    assert_int_equal(symlink("moved", "one"), 0); /* what it leads to counts */
    assert_true(pare_user_edits_file_is_own(&file, "one"));
    scratch_write("moved", "edited", 0600);
    assert_false(pare_user_edits_file_is_own(&file, "one"));
    assert_int_equal(unlink("one"), 0);
    assert_int_equal(mkdir("one", 0700), 0);
    assert_false(pare_user_edits_file_is_own(&file, "one"));
    assert_true(
        pare_user_edits_file_is_own(&(pare_user_edits_file){.record = {0}}, "one")); /* not known */
}

/* ---- folders ------------------------------------------------------------------------- */

/* Writes the folder "tree" as a result called "out". */
struct result {
    pare_layout *layout;
    pare_text *text;
    pare_candidate whole;
    pare_layout_saver saver;
    pare_user_edits_file files[16];
};

static int save(void *context, int folder, int previous)
{
    struct result *result = context;
    pare_layout_saver_look(&result->saver, &result->whole);
    const int failed =
        pare_layout_saver_part(&result->saver, &result->whole, PARE_NO_ENTRY, folder, previous);
    pare_layout_saver_turn(&result->saver);
    return failed;
}

static void make_result(struct result *result)
{
    static const char *const inputs[] = {"tree"};
    *result = (struct result){.layout = NULL};
    assert_int_equal(pare_file_remove_tree("tree", NULL), PARE_OK);
    assert_int_equal(pare_file_remove_tree("out", NULL), PARE_OK);
    assert_int_equal(mkdir("tree", 0700), 0);
    assert_int_equal(mkdir("tree/sub", 0700), 0);
    assert_int_equal(mkdir("tree/empty", 0700), 0);
    scratch_write("tree/a", "one", 0600);
    scratch_write("tree/sub/b", "", 0600);
    assert_int_equal(symlink("a", "tree/link"), 0);
    assert_int_equal(pare_layout_read(inputs, 1, &result->layout, &result->text, NULL), PARE_OK);
    assert_true(result->layout->entries.n <= 16);
    pare_candidate_start(&result->whole, result->text);
    assert_int_equal(pare_candidate_slice(&result->whole, 0, pare_text_size(result->text), NULL),
                     PARE_OK);
    assert_int_equal(pare_layout_saver_init(&result->saver, result->layout, strlen("tree/"), NULL),
                     PARE_OK);
    assert_int_equal(pare_folder_replace("out", &(pare_folder_replacing){.sync = PARE_SYNC_NEVER},
                                         save, result, NULL),
                     PARE_OK);
    pare_user_edits_note_folder(result->files, &result->saver, result->saver.contents,
                                PARE_NO_ENTRY);
}

static void forget(struct result *result)
{
    pare_layout_saver_done(&result->saver);
    pare_candidate_done(&result->whole);
    pare_text_unref(result->text);
    pare_layout_free(result->layout);
}

static bool is_own(const struct result *result)
{
    return pare_user_edits_folder_is_own(result->files, &result->layout->entries, PARE_NO_ENTRY,
                                         strlen("tree/"), "out");
}

static void edit_file(void)
{
    scratch_write("out/a", "two", 0600);
}
static void fill_empty_file(void)
{
    scratch_write("out/sub/b", "x", 0600);
}
static void add_file(void)
{
    scratch_write("out/sub/new", "x", 0600);
}
static void add_to_empty_folder(void)
{
    scratch_write("out/empty/new", "", 0600);
}
static void add_folder(void)
{
    assert_int_equal(mkdir("out/new", 0700), 0);
}
static void remove_file(void)
{
    assert_int_equal(unlink("out/a"), 0);
}
static void rename_file(void)
{
    assert_int_equal(rename("out/a", "out/A"), 0);
}
static void turn_link(void)
{
    assert_int_equal(unlink("out/link"), 0);
    assert_int_equal(symlink("sub", "out/link"), 0);
}
static void replace_folder_by_link(void)
{
    assert_int_equal(rename("out/sub", "elsewhere"), 0);
    assert_int_equal(symlink("../elsewhere", "out/sub"), 0);
}
static void replace_by_file(void)
{
    assert_int_equal(pare_file_remove_tree("out", NULL), PARE_OK);
    scratch_write("out", "x", 0600);
}
static void touch_all(void)
{
    touch("out/a");
    touch("out/sub/b");
    assert_int_equal(chmod("out/a", 0644), 0);
}
static void add_pipe(void)
{
    assert_int_equal(mkfifo("out/pipe", 0600), 0);
}
static void remove_all(void)
{
    assert_int_equal(pare_file_remove_tree("out", NULL), PARE_OK);
}

/* Whether a later run, which has the sum of what was written only, knows it again. */
static bool is_known(const struct result *result)
{
    const pare_entries *entries = &result->layout->entries;
    const pare_digest sum = pare_user_edits_sum(result->saver.contents, entries, PARE_NO_ENTRY);
    pare_user_edits_file files[16];
    pare_digest there;
    return pare_user_edits_sum_there(files, entries, PARE_NO_ENTRY, strlen("tree/"), "out",
                                     &there) &&
           pare_digest_equal(there, sum);
}

static void test_user_edits__whatever_changes_in_a_folder_is_seen(void **state)
{
    (void)state;
    static void (*const edits[])(void) = {
        edit_file,   fill_empty_file, add_file,  add_to_empty_folder,    add_folder,
        remove_file, rename_file,     turn_link, replace_folder_by_link, replace_by_file};
    static void (*const others[])(void) = {touch_all, add_pipe, remove_all}; /* all: none to lose */
    struct result result;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        make_result(&result);
        assert_true(is_own(&result));
        assert_true(is_known(&result));
        edits[i]();
        if (is_own(&result)) fail_msg("edit %zu is not seen", i);
        if (is_known(&result)) fail_msg("edit %zu is not seen by a later run", i);
        forget(&result);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        make_result(&result);
        others[i]();
        if (!is_own(&result)) fail_msg("change %zu is taken for an edit", i);
        if (is_known(&result) != (others[i] != remove_all))
            fail_msg("change %zu is taken for an edit by a later run", i);
        forget(&result);
    }
}

/* ---- guards --------------------------------------------------------------------------- */

/* Writes texts[n] to `path` when the guard asks for the nth time, after it has looked, and refuses what
 * holds an edit. */
struct editor {
    const char *path;
    const char *texts[3]; /* NULL: nothing is written */
    unsigned n_asked;
};

static pare_status edit_and_refuse(void *context, const char *name, pare_error *err)
{
    struct editor *editor = context;
    pare_buffer bytes = {0};
    assert_int_equal(pare_file_read(name, &bytes, NULL), PARE_OK);
    const bool is_edit = strncmp(bytes.data, "edit", 4) == 0;
    pare_buffer_done(&bytes);
    assert_true(editor->n_asked < 3);
    const char *text = editor->texts[editor->n_asked++];
    if (text) scratch_write(editor->path, text, 0600);
    return is_edit ? pare_fail(err, PARE_E_IO, "edited") : PARE_OK;
}

static int fill(void *context, pare_iovec *gather)
{
    return pare_descriptor_gather_add(gather, context, strlen(context));
}

/* Replaces "result" while the editor works. */
static pare_status replace(struct editor *editor)
{
    const pare_file_guard guard = {edit_and_refuse, editor};
    const pare_file_writing what = {
        .fill = fill, .context = "better", .sync = PARE_SYNC_NEVER, .guard = &guard};
    editor->path = "result";
    return pare_file_replace("result", &what, NULL);
}

static void test_user_edits__no_instant_between_look_and_exchange_loses_an_edit(void **state)
{
    (void)state;
    struct editor quiet = {.path = NULL}, quick = {.texts = {"edit"}};
    struct editor twice = {.texts = {"edit", "edit 2"}}, early = {.path = NULL};
    scratch_write("result", "best", 0600);
    assert_int_equal(replace(&quiet), PARE_OK);
    assert_file_holds("result", "better");
    assert_int_equal(replace(&quick), PARE_E_IO); /* saved between the look and the exchange */
    assert_file_holds("result", "edit");
    assert_int_equal(replace(&early), PARE_E_IO); /* saved before the look: nothing is exchanged */
    assert_int_equal(early.n_asked, 1);
    assert_file_holds("result", "edit");
    scratch_write("result", "best", 0600);
    assert_int_equal(replace(&twice), PARE_E_IO); /* and once more before that is put back */
    assert_file_holds("result", "edit 2");
    assert_int_equal(unlink("result"), 0);
    assert_int_equal(replace(&(struct editor){.path = NULL}), PARE_OK); /* nothing to ask about */
    assert_file_holds("result", "better");
}

/* ---- beside --------------------------------------------------------------------------- */

static pare_status write_text(void *context, const char *path, pare_error *err)
{
    return pare_file_write_bytes(path, context, strlen(context), err);
}

static void test_user_edits__the_best_goes_to_the_next_free_name(void **state)
{
    (void)state;
    pare_buffer beside = {0};
    pare_error err = {0};
    scratch_write("name.min.c", "mine", 0600);
    scratch_write("name.min-2.c", "mine too", 0600);
    assert_int_equal(pare_user_edits_refuse("name.c", &beside, write_text, "best", &err),
                     PARE_E_IO);
    assert_string_equal(beside.data, "name.min-3.c");
    assert_non_null(strstr(err.message, "name.c was changed by somebody else meanwhile"));
    assert_non_null(strstr(err.message, "the best so far is in name.min-3.c"));
    pare_fail_clear(&err);
    assert_int_equal(pare_user_edits_refuse("name.c", &beside, write_text, "better", &err),
                     PARE_E_IO);
    assert_file_holds("name.min-3.c", "better");
    assert_file_holds("name.min.c", "mine");
    pare_fail_clear(&err);
    pare_buffer_done(&beside);
    assert_int_equal(pare_user_edits_refuse("none/x", &beside, write_text, "best", &err),
                     PARE_E_IO);
    assert_non_null(strstr(err.message, "cannot be written beside it"));
    pare_fail_clear(&err);
    pare_buffer_done(&beside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_user_edits__a_file_is_own_until_its_content_changes),
        cmocka_unit_test(test_user_edits__whatever_changes_in_a_folder_is_seen),
        cmocka_unit_test(test_user_edits__no_instant_between_look_and_exchange_loses_an_edit),
        cmocka_unit_test(test_user_edits__the_best_goes_to_the_next_free_name),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
