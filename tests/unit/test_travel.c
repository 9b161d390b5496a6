/* A test travels from one folder to another, and a damaged or hostile description does nothing. */
/* tests: src/session/test/travel.c src/session/test/travelled.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/file.h"
#include "os/folder.h"
#include "session/test/session_oracle.h"
#include "session/test/travel.h"
#include "session/test/travelled.h"
#include "text/layout.h"
#include "unit/alloc_sweep.h"

/* A test in a folder of its own, its description, and a folder where it arrives. */
struct fixture {
    char *here, *there;
    char script[300], word[300];
    pare_input_options input;
    pare_test_options test;
    pare_cluster_options workers;
    pare_keep keep;
    pare_safety safety;
    pare_buffer description;
};

static void write_file(const char *path, const char *text, mode_t mode)
{
    assert_int_equal(pare_file_write_bytes(path, text, strlen(text), NULL), PARE_OK);
    assert_int_equal(chmod(path, mode), 0);
}

/* `layout`: of a folder that is tested; NULL: a file. */
static void set_up_with(struct fixture *fix, const pare_layout *layout)
{
    char text[1000];
    pare_session_oracle oracle;
    *fix = (struct fixture){.safety = {.sandbox = PARE_SANDBOX_OFF}};
    assert_int_equal(pare_folder_make_scratch(&fix->here, NULL), PARE_OK);
    assert_int_equal(pare_folder_make_scratch(&fix->there, NULL), PARE_OK);
    (void)snprintf(fix->script, sizeof fix->script, "%s/test.sh", fix->here);
    (void)snprintf(fix->word, sizeof fix->word, "%s/word", fix->here);
    (void)snprintf(text, sizeof text, "#!/bin/sh\nexec grep -rqf %s \"$1\"\n", fix->word);
    write_file(fix->word, "alpha\n", 0600);
    write_file(fix->script, text, 0700);
    fix->input = (pare_input_options){.bytes = "alpha", .size_bytes = 5, .name = "in.txt"};
    fix->test = (pare_test_options){.command = fix->script, .owns_children = true};
    fix->test.safety.sandbox = PARE_SANDBOX_OFF;
    const pare_session_oracle_options options = {
        .input = &fix->input, .test = &fix->test, .keep = &fix->keep, .layout = layout, .jobs = 1};
    assert_int_equal(pare_session_oracle_open(&options, &oracle, NULL), PARE_OK);
    /* Only what is packed asks for workers, so no server is needed. */
    fix->test.workers = &fix->workers;
    assert_int_equal(pare_travel_pack(&oracle, NULL, &fix->description, NULL, NULL), PARE_OK);
    pare_session_oracle_close(&oracle);
}

static void set_up(struct fixture *fix)
{
    set_up_with(fix, NULL);
}

static void tear_down(struct fixture *fix)
{
    pare_buffer_done(&fix->description);
    pare_folder_remove_scratch(fix->here);
    pare_folder_remove_scratch(fix->there);
}

static pare_status unpack(struct fixture *fix, size_t size, pare_travelled **out)
{
    const pare_travelled_place place = {.folder = fix->there, .n_slots = 1, .safety = &fix->safety};
    return pare_travelled_unpack((pare_span){(unsigned char *)fix->description.data, size}, &place,
                                 out, NULL);
}

static pare_outcome try_bytes(pare_oracle *oracle, const void *bytes, size_t size)
{
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    pare_wait what;
    pare_verdict verdict;
    assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
    pare_candidate_start(&candidate, text);
    assert_int_equal(pare_candidate_slice(&candidate, 0, size, NULL), PARE_OK);
    assert_int_equal(oracle->ops->start(oracle, 0, &candidate, NULL), PARE_OK);
    assert_int_equal(oracle->ops->wait(oracle, -1, &what, &verdict, NULL), PARE_OK);
    assert_int_equal(what, PARE_WAIT_VERDICT);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    return verdict.outcome;
}

static pare_outcome try_text(pare_oracle *oracle, const char *bytes)
{
    return try_bytes(oracle, bytes, strlen(bytes));
}

/* A test that looks for any failure, as a campaign's: what it is to show on its control, and its
 * variables, travel with it. */
static void test_travel__a_test_for_any_failure_travels(void **state)
{
    static const char *const program[] = {"sh", "-c", "exit $CODE"};
    static const char *const environment[] = {"CODE=7"};
    const pare_serve_control control = {.outcome = PARE_FAIL, .exit_code = 7};
    struct fixture fix;
    pare_session_oracle oracle;
    pare_travelled *travelled = NULL;
    (void)state;
    set_up(&fix);
    pare_buffer_reset(&fix.description);
    fix.test = (pare_test_options){.program = program,
                                   .n_program = 3,
                                   .environment = environment,
                                   .n_environment = 1,
                                   .owns_children = true};
    fix.test.safety.sandbox = PARE_SANDBOX_OFF;
    const pare_session_oracle_options options = {
        .input = &fix.input, .test = &fix.test, .keep = &fix.keep, .jobs = 1, .any = PARE_ANY_EXIT};
    assert_int_equal(pare_session_oracle_open(&options, &oracle, NULL), PARE_OK);
    assert_int_equal(try_text(oracle.oracle, "x"), PARE_FAIL);
    fix.test.workers = &fix.workers;
    assert_int_equal(pare_travel_pack(&oracle, &control, &fix.description, NULL, NULL), PARE_OK);
    pare_session_oracle_close(&oracle);
    assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_OK);
    assert_non_null(pare_travelled_control(travelled));
    assert_int_equal(pare_travelled_control(travelled)->outcome, PARE_FAIL);
    assert_int_equal(pare_travelled_control(travelled)->exit_code, 7);
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "x"), PARE_FAIL);
    pare_travelled_free(travelled);
    tear_down(&fix);
}

/* Packs `test` (of an input "in.txt") anew, in the place of what the fixture has. */
static void pack_other(struct fixture *fix, pare_test_options test, const pare_layout *layout)
{
    pare_session_oracle oracle;
    pare_buffer_reset(&fix->description);
    fix->test = test;
    fix->test.owns_children = true;
    fix->test.safety.sandbox = PARE_SANDBOX_OFF;
    const pare_session_oracle_options options = {
        .input = &fix->input, .test = &fix->test, .keep = &fix->keep, .layout = layout, .jobs = 1};
    assert_int_equal(pare_session_oracle_open(&options, &oracle, NULL), PARE_OK);
    fix->test.workers = &fix->workers;
    assert_int_equal(pare_travel_pack(&oracle, NULL, &fix->description, NULL, NULL), PARE_OK);
    pare_session_oracle_close(&oracle);
}

/* Gives what the coordinator has put apart, as a server would. */
static pare_status give_file(void *context, const pare_file_id *file, pare_buffer *out,
                             pare_error *err)
{
    const pare_travel_files *apart = context;
    for (size_t i = 0; i < apart->n; i++)
        if (pare_digest_equal(pare_text_digest(apart->items[i]), file->text))
            return pare_buffer_add(out, pare_text_bytes(apart->items[i]), file->size, err);
    return pare_fail(err, PARE_E_STATE, "it is not there");
}

/* A large file is told by its digests, and the test there has it all the same. */
static void test_travel__large_files_travel_beside_the_description(void **state)
{
    enum { SIZE = 50000 };
    static char words[SIZE + 1];
    struct fixture fix;
    pare_session_oracle oracle;
    pare_travel_files apart = {.n = 0};
    pare_travelled *travelled = NULL;
    (void)state;
    set_up(&fix);
    for (int i = 0; i + 5 < SIZE; i += 5)
        memcpy(words + i, "none\n", 5);
    memcpy(words, "beta\n", 5);
    write_file(fix.word, words, 0600);
    pare_buffer_reset(&fix.description);
    fix.test.workers = NULL;
    const pare_session_oracle_options options = {
        .input = &fix.input, .test = &fix.test, .keep = &fix.keep, .jobs = 1};
    assert_int_equal(pare_session_oracle_open(&options, &oracle, NULL), PARE_OK);
    fix.test.workers = &fix.workers;
    assert_int_equal(pare_travel_pack(&oracle, NULL, &fix.description, &apart, NULL), PARE_OK);
    pare_session_oracle_close(&oracle);
    assert_int_equal(apart.n, 1);
    assert_true(fix.description.size < 4096);
    assert_int_equal(unlink(fix.word), 0);
    /* Without anybody who has it, or where it is lost, the test cannot be run. */
    assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_E_CORRUPT);
    const pare_travel_files none = {.n = 0};
    const pare_file_source sources[] = {{.fetch = give_file, .context = (void *)(size_t)&none},
                                        {.fetch = give_file, .context = &apart}};
    const pare_span bytes = {(unsigned char *)fix.description.data, fix.description.size};
    pare_travelled_place place = {
        .folder = fix.there, .n_slots = 1, .safety = &fix.safety, .files = &sources[0]};
    assert_int_equal(pare_travelled_unpack(bytes, &place, &travelled, NULL), PARE_E_STATE);
    place.files = &sources[1];
    assert_int_equal(pare_travelled_unpack(bytes, &place, &travelled, NULL), PARE_OK);
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "a beta"), PARE_FAIL);
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "an alpha"), PARE_PASS);
    pare_travelled_free(travelled);
    travelled = NULL;
    /* A cut description is damaged wherever it is cut. */
    for (size_t size = 0; size < fix.description.size; size++) {
        const pare_span cut = {bytes.bytes, size};
        assert_int_equal(pare_travelled_unpack(cut, &place, &travelled, NULL), PARE_E_CORRUPT);
    }
    pare_travel_files_done(&apart);
    tear_down(&fix);
}

/* A worker of the user's, whose program travels, is told of candidates there. */
static void test_travel__a_worker_travels(void **state)
{
    struct fixture fix;
    pare_travelled *travelled = NULL;
    (void)state;
    set_up(&fix);
    write_file(fix.script,
               "#!/bin/sh\nwhile read -r size path; do\n"
               "if grep -q alpha \"$path\"; then echo FAIL; else echo PASS; fi\ndone\n",
               0700);
    pack_other(&fix, (pare_test_options){.worker = fix.script}, NULL);
    assert_int_equal(unlink(fix.script), 0);
    assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(try_text(pare_travelled_oracle(travelled), "an alpha"), PARE_FAIL);
        assert_int_equal(try_text(pare_travelled_oracle(travelled), "an omega"), PARE_PASS);
    }
    pare_travelled_free(travelled);
    tear_down(&fix);
}

/* What a generator makes of the candidate is tested where both have arrived. */
static void test_travel__a_generator_travels_with_its_test(void **state)
{
    struct fixture fix;
    char generator[400], text[1000];
    pare_travelled *travelled = NULL;
    (void)state;
    set_up(&fix);
    (void)snprintf(generator, sizeof generator, "%s/generator.sh", fix.here);
    write_file(generator, "#!/bin/sh\nexec tr a-z b-za\n", 0700);
    (void)snprintf(text, sizeof text, "grep -qf %s", fix.word);
    fix.input.generator = generator;
    pack_other(&fix, (pare_test_options){.command = text}, NULL);
    assert_int_equal(unlink(generator), 0);
    assert_int_equal(unlink(fix.word), 0);
    assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_OK);
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "zkogz"), PARE_FAIL);
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "alpha"), PARE_PASS);
    pare_travelled_free(travelled);
    tear_down(&fix);
}

/* Appends the frame of an entry and its content. */
static size_t add_part(const pare_layout *layout, uint32_t entry, const char *content,
                       unsigned char *to)
{
    pare_layout_frame(layout, entry, to);
    memcpy(to + PARE_LAYOUT_FRAME_BYTES, content, strlen(content));
    return PARE_LAYOUT_FRAME_BYTES + strlen(content);
}

/* Of a command line that is reduced a candidate says which words are left; one that names a file that has
 * travelled names it there. */
static void test_travel__words_of_a_command_line_travel(void **state)
{
    struct fixture fix;
    unsigned char bytes[1000];
    pare_layout *layout = NULL;
    pare_travelled *travelled = NULL;
    (void)state;
    set_up(&fix);
    const pare_entry items[] = {{.path = "in.txt", .target = "", .mode = 0600},
                                {.path = "-q", .target = "-q", .kind = PARE_ENTRY_ARGUMENT},
                                {.path = "-v", .target = "-v", .kind = PARE_ENTRY_ARGUMENT},
                                {.path = "-f", .target = "-f", .kind = PARE_ENTRY_ARGUMENT},
                                {.path = "word", .target = fix.word, .kind = PARE_ENTRY_ARGUMENT},
                                {.path = "@@", .target = "@@", .kind = PARE_ENTRY_ARGUMENT}};
    const char *const program[] = {"grep", "-q", "-v", "-f", fix.word, "@@"};
    fix.keep = (pare_keep){.use_exit_code = true, .exit_code = 0};
    assert_int_equal(
        pare_layout_recall(items, 6, (const unsigned char *)"\001marker!", true, &layout, NULL),
        PARE_OK);
    pack_other(&fix, (pare_test_options){.program = program, .n_program = 6}, layout);
    assert_int_equal(unlink(fix.word), 0);
    assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_OK);
    for (int is_negated = 0; is_negated < 2; is_negated++) {
        size_t n = add_part(layout, 0, "alpha\n", bytes);
        n += add_part(layout, 1, "-q", bytes + n);
        if (is_negated) n += add_part(layout, 2, "-v", bytes + n);
        n += add_part(layout, 3, "-f", bytes + n);
        n += add_part(layout, 4, fix.word, bytes + n);
        n += add_part(layout, 5, "@@", bytes + n);
        assert_int_equal(try_bytes(pare_travelled_oracle(travelled), bytes, n),
                         is_negated ? PARE_PASS : PARE_FAIL);
    }
    pare_travelled_free(travelled);
    for (size_t size = 0; size < fix.description.size; size++)
        assert_int_equal(unpack(&fix, size, &travelled), PARE_E_CORRUPT);
    pare_layout_free(layout);
    tear_down(&fix);
}

/* More arguments than the program has words would not fit where they go. */
static void test_travel__arguments_that_the_program_has_not_are_refused(void **state)
{
    static const char *const program[] = {"true", "-a"};
    static const pare_entry items[] = {{.path = "in.txt", .target = "", .mode = 0600},
                                       {.path = "-a", .target = "-a", .kind = PARE_ENTRY_ARGUMENT},
                                       {.path = "-b", .target = "-b", .kind = PARE_ENTRY_ARGUMENT}};
    struct fixture fix;
    pare_layout *layout = NULL;
    pare_travelled *travelled = NULL;
    (void)state;
    set_up(&fix);
    assert_int_equal(
        pare_layout_recall(items, 3, (const unsigned char *)"\001marker!", true, &layout, NULL),
        PARE_OK);
    fix.keep = (pare_keep){.use_exit_code = true, .exit_code = 0};
    pack_other(&fix, (pare_test_options){.program = program, .n_program = 2}, layout);
    assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_E_CORRUPT);
    pack_other(&fix, (pare_test_options){.command = "true -a -b"}, layout);
    assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_E_CORRUPT);
    pare_layout_free(layout);
    tear_down(&fix);
}

/* The folder that it comes from is gone when it runs. */
static void test_travel__a_test_runs_where_it_arrives(void **state)
{
    struct fixture fix;
    pare_travelled *travelled = NULL;
    (void)state;
    set_up(&fix);
    assert_int_equal(unlink(fix.word), 0);
    assert_int_equal(unlink(fix.script), 0);
    assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_OK);
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "an alpha"), PARE_FAIL);
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "an omega"), PARE_PASS);
    pare_travelled_free(travelled);
    tear_down(&fix);
}

/* Packs the test of the fixture with what `script` says. */
static pare_status pack_again(struct fixture *fix, const char *script)
{
    pare_session_oracle oracle;
    write_file(fix->script, script, 0700);
    fix->test.workers = NULL;
    pare_buffer_reset(&fix->description);
    const pare_session_oracle_options options = {
        .input = &fix->input, .test = &fix->test, .keep = &fix->keep, .jobs = 1};
    assert_int_equal(pare_session_oracle_open(&options, &oracle, NULL), PARE_OK);
    fix->test.workers = &fix->workers;
    const pare_status status = pare_travel_pack(&oracle, NULL, &fix->description, NULL, NULL);
    pare_session_oracle_close(&oracle);
    return status;
}

/* A path from the root and a file beside the script can both stand behind a quote. */
static void test_travel__files_in_quotes_travel(void **state)
{
    static const char *const words[] = {"\"%s/word\"", "\"$(dirname \"$0\")\"/word",
                                        "\"$(dirname \"$0\")/word\"", "`dirname \"$0\"`/word",
                                        "\"${0%%/*}/word\""};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct fixture fix;
        pare_travelled *travelled = NULL;
        char word[600], text[1000];
        set_up(&fix);
        (void)snprintf(word, sizeof word, words[i], fix.here);
        (void)snprintf(text, sizeof text, "#!/bin/sh\nexec grep -qf %s \"$1\"\n", word);
        assert_int_equal(pack_again(&fix, text), PARE_OK);
        assert_int_equal(unlink(fix.word), 0);
        assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_OK);
        if (try_text(pare_travelled_oracle(travelled), "an alpha") != PARE_FAIL)
            fail_msg("%s did not travel", word);
        assert_int_equal(try_text(pare_travelled_oracle(travelled), "an omega"), PARE_PASS);
        pare_travelled_free(travelled);
        tear_down(&fix);
    }
}

static pare_status pack_once(void *context)
{
    pare_buffer out = {0};
    pare_status status = pare_travel_pack(context, NULL, &out, NULL, NULL);
    pare_buffer_done(&out);
#ifdef PARE_FAULT_INJECTION
    /* A program that was not looked up for want of memory is not compared, and that is all. */
    if (!status && pare_alloc_fault_hit()) status = PARE_E_NOMEM;
#endif
    return status;
}

/* Nothing is lost of a file of /proc, whose size is not known before it is read. */
static void test_travel__survives_each_allocation_failing(void **state)
{
    static const char *const with[] = {"/proc/self/maps"};
    struct fixture fix;
    pare_session_oracle oracle;
    (void)state;
    set_up(&fix);
    fix.test.workers = NULL;
    const pare_session_oracle_options options = {
        .input = &fix.input, .test = &fix.test, .keep = &fix.keep, .jobs = 1};
    assert_int_equal(pare_session_oracle_open(&options, &oracle, NULL), PARE_OK);
    fix.test.workers = &fix.workers;
    fix.workers = (pare_cluster_options){.with = with, .n_with = 1};
    sweep_allocations(pack_once, &oracle);
    pare_session_oracle_close(&oracle);
    tear_down(&fix);
}

/* Files of one name get numbers, and one of those names may be another file's already. */
static void test_travel__files_of_one_name_stay_apart(void **state)
{
    struct fixture fix;
    pare_travelled *travelled = NULL;
    char text[2000], path[400];
    static const char *const names[] = {"3-word", "word", "sub/word"};
    size_t n = 0;
    (void)state;
    set_up(&fix);
    (void)snprintf(path, sizeof path, "%s/sub", fix.here);
    assert_int_equal(mkdir(path, 0700), 0);
    n += (size_t)snprintf(text, sizeof text, "#!/bin/sh\n");
    /* The input has the words of all three files, each by its path. */
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", fix.here, names[i]);
        write_file(path, i == 0 ? "alpha\n" : i == 1 ? "beta\n" : "gamma\n", 0600);
        n += (size_t)snprintf(text + n, sizeof text - n, "grep -qf %s \"$1\" || exit 1\n", path);
    }
    assert_int_equal(pack_again(&fix, text), PARE_OK);
    assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_OK);
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "alpha beta gamma"), PARE_FAIL);
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "alpha beta"), PARE_PASS);
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "beta gamma"), PARE_PASS);
    pare_travelled_free(travelled);
    tear_down(&fix);
}

/* It takes no room on the disk, and would take all memory there is. */
static void test_travel__a_file_too_large_to_travel_is_not_read(void **state)
{
    struct fixture fix;
    char text[1000];
    (void)state;
    set_up(&fix);
    assert_int_equal(truncate(fix.word, (off_t)1 << 40), 0);
    (void)snprintf(text, sizeof text, "#!/bin/sh\nexec grep -qf %s \"$1\"\n", fix.word);
    assert_int_equal(pack_again(&fix, text), PARE_E_LIMIT);
    tear_down(&fix);
}

static void test_travel__a_description_that_is_cut_is_refused(void **state)
{
    struct fixture fix;
    pare_travelled *travelled = NULL;
    (void)state;
    set_up(&fix);
    for (size_t size = 0; size < fix.description.size; size++)
        assert_int_equal(unpack(&fix, size, &travelled), PARE_E_CORRUPT);
    assert_null(travelled);
    tear_down(&fix);
}

/* "test.sh" in the description becomes a path out of the folder. */
static void test_travel__no_file_leaves_the_folder(void **state)
{
    static const char *const names[] = {"../t.sh", "/tmp/.t", "a/../ts"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct fixture fix;
        pare_travelled *travelled = NULL;
        set_up(&fix);
        char *last = NULL;
        for (char *at = fix.description.data; at + 7 <= fix.description.data + fix.description.size;
             at++)
            if (!memcmp(at, "test.sh", 7)) last = at;
        assert_non_null(last);
        memcpy(last, names[i], 7);
        assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_E_CORRUPT);
        tear_down(&fix);
    }
}

/* A folder with one file, as it is told of in a history or to a worker. */
static pare_layout *folder_of_one(void)
{
    static const pare_entry items[] = {
        {.path = "in", .target = "", .kind = PARE_ENTRY_FOLDER, .mode = 0700},
        {.path = "in/aa.txt", .target = "", .kind = PARE_ENTRY_FILE, .mode = 0600}};
    pare_layout *layout = NULL;
    assert_int_equal(
        pare_layout_recall(items, 2, (const unsigned char *)"\001marker!", false, &layout, NULL),
        PARE_OK);
    return layout;
}

static void test_travel__a_folder_is_one_where_it_arrives(void **state)
{
    struct fixture fix;
    pare_travelled *travelled = NULL;
    unsigned char bytes[PARE_LAYOUT_FRAME_BYTES + 5];
    (void)state;
    pare_layout *layout = folder_of_one();
    set_up_with(&fix, layout);
    pare_layout_frame(layout, 1, bytes);
    pare_layout_free(layout);
    assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_OK);
    memcpy(bytes + PARE_LAYOUT_FRAME_BYTES, "alpha", 5);
    assert_int_equal(try_bytes(pare_travelled_oracle(travelled), bytes, sizeof bytes), PARE_FAIL);
    memcpy(bytes + PARE_LAYOUT_FRAME_BYTES, "omega", 5);
    assert_int_equal(try_bytes(pare_travelled_oracle(travelled), bytes, sizeof bytes), PARE_PASS);
    /* Outside of any file the word is nowhere. */
    assert_int_equal(try_text(pare_travelled_oracle(travelled), "alpha"), PARE_PASS);
    pare_travelled_free(travelled);
    for (size_t size = 0; size < fix.description.size; size++)
        assert_int_equal(unpack(&fix, size, &travelled), PARE_E_CORRUPT);
    tear_down(&fix);
}

static void test_travel__no_entry_leaves_the_folder(void **state)
{
    static const char *const paths[] = {"in/../txt", "../aa.txt", "/n/aa.txt", "ix/aa.txt"};
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct fixture fix;
        pare_travelled *travelled = NULL;
        pare_layout *layout = folder_of_one();
        set_up_with(&fix, layout);
        pare_layout_free(layout);
        char *at = memmem(fix.description.data, fix.description.size, "in/aa.txt", 9);
        assert_non_null(at);
        memcpy(at, paths[i], 9);
        assert_int_equal(unpack(&fix, fix.description.size, &travelled), PARE_E_CORRUPT);
        tear_down(&fix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_travel__a_test_runs_where_it_arrives),
        cmocka_unit_test(test_travel__a_test_for_any_failure_travels),
        cmocka_unit_test(test_travel__large_files_travel_beside_the_description),
        cmocka_unit_test(test_travel__a_worker_travels),
        cmocka_unit_test(test_travel__a_generator_travels_with_its_test),
        cmocka_unit_test(test_travel__words_of_a_command_line_travel),
        cmocka_unit_test(test_travel__arguments_that_the_program_has_not_are_refused),
        cmocka_unit_test(test_travel__files_of_one_name_stay_apart),
        cmocka_unit_test(test_travel__files_in_quotes_travel),
        cmocka_unit_test(test_travel__survives_each_allocation_failing),
        cmocka_unit_test(test_travel__a_file_too_large_to_travel_is_not_read),
        cmocka_unit_test(test_travel__a_description_that_is_cut_is_refused),
        cmocka_unit_test(test_travel__no_file_leaves_the_folder),
        cmocka_unit_test(test_travel__a_folder_is_one_where_it_arrives),
        cmocka_unit_test(test_travel__no_entry_leaves_the_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
