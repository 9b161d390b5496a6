/* What goes with the parts of a text that mention each other, and in how many tests. */
/* tests: src/reduce/structure/mentions.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/structure/mention_reduction.h"
#include "reduce/structure/mentions.h"
#include "reduce/structure/structure.h"
#include "support/tree_driver.h"
#include "unit/alloc_sweep.h"
#include "unit/support/structure_text.h"

enum { ROOM = 1 << 16, N = 64 };

/* A text that is written piece by piece. */
struct writing {
    char bytes[ROOM];
    size_t size;
};

static void write_text(struct writing *to, const char *form, ...)
{
    va_list list;
    va_start(list, form);
    to->size += (size_t)vsnprintf(to->bytes + to->size, ROOM - to->size, form, list);
    va_end(list);
    assert_true(to->size < ROOM);
}

static pare_mentions *find(const char *bytes, size_t size)
{
    pare_structure *structure = make_structure(bytes, size);
    pare_mentions *mentions = NULL;
    assert_int_equal(pare_mentions_new(structure, &mentions, NULL), PARE_OK);
    pare_structure_unref(structure);
    return mentions;
}

/* The mentions as "unit@line ...". */
static const char *mentions_of(const char *bytes)
{
    static char told[512];
    pare_mentions *mentions = find(bytes, strlen(bytes));
    size_t at = 0;
    told[0] = '\0';
    for (size_t i = 0; i < mentions->n_items; i++)
        at += (size_t)snprintf(told + at, sizeof told - at, "%s%u@%u", i ? " " : "",
                               mentions->items[i].of, mentions->items[i].line);
    pare_mentions_unref(mentions);
    return told;
}

static void test_mention_reduction__names_are_rare_words_of_first_lines(void **state)
{
    (void)state;
    /* Where it begins a part, or else first; not in a body. */
    assert_string_equal(mentions_of("all: t1 t2\nt1: t2\nt2: t3\nt3:\n"), "1@0 2@0 2@1 3@2");
    assert_string_equal(mentions_of("sub a-b {\nxx;\n}\nsub cc {\na-b(); xx;\n}\n"
                                    "sub dd {\nyy;\n}\nsub ee {\nyy;\n}\nsub ff {\nyy;\n}\n"),
                        "0@4");
    /* Used before it is defined, by the only block with it in its first line. */
    assert_string_equal(mentions_of("sub aa {\nuse bb;\n}\nsub bb {\nyy;\n}\nsub cc {\nuse dd;\n}\n"
                                    "sub dd {\nyy;\n}\nsub ee {\nyy;\n}\nsub ff {\nyy;\n}\n"),
                        "1@1 3@7");
    assert_string_equal(mentions_of("sub aa {\nuse bb;\n}\nsub bb {\nyy;\n}\nfun bb {\nyy;\n}\n"
                                    "sub dd {\nyy;\n}\nsub ee {\nyy;\n}\nsub ff {\nyy;\n}\n"),
                        "");
    /* Behind a keyword: a line that begins with a name calls it.  Without one it is the name's own. */
    assert_string_equal(
        mentions_of("sub aa {\nxx;\n}\nsub bb {\nyy;\n}\nsub cc {\nyy;\n}\nsub dd {\nyy;\n}\n"
                    "sub ee {\nyy;\n}\nsub ff {\nyy;\n}\nbb 3\naa 4\n"),
        "1@18 0@19");
    assert_string_equal(mentions_of("aa: bb {\nxx;\n}\nbb: cc\ncc: dd {\nyy;\n}\ndd:\nee:\nff:\n"),
                        "1@0 2@3 3@4");
    /* Numbers are no names, nor what all use. */
    assert_string_equal(mentions_of("p1 12\np2 12\np3 12\n"), "");
    /* A record is one part, and any line names it. */
    assert_string_equal(mentions_of("k: v\nn: web\nk: v\nn: db\nk: v\nn: mail\nk: v\nn: a1\nk: v\n"
                                    "n: a2\nk: v\nn: a3\nk: v\nn: a4\nk: v\nuses: web\n"),
                        "0@15");
}

/* Blank lines belong to the item before them, so that one item may have all of them: a walk over an item in each of
 * its lines would take an hour here. */
static void test_mention_reduction__a_million_blank_lines_are_one_item(void **state)
{
    enum { LINES = 1 << 20 };
    static const char last[] = "all: t1\nt1:\n";
    const size_t size = 2 * (size_t)LINES + sizeof last - 1;
    char *text = malloc(size);
    (void)state;
    assert_non_null(text);
    for (size_t k = 0; k < LINES; k++)
        memcpy(text + 2 * k, " \n", 2);
    memcpy(text + 2 * (size_t)LINES, last, sizeof last - 1);
    pare_mentions *mentions = find(text, size);
    assert_int_equal(mentions->n_units, 3);
    pare_mentions_unref(mentions);
    free(text);
}

/* Fails while all of the texts are there, and as long as what is called is defined. */
static pare_outcome runs(void *texts, const unsigned char *bytes, size_t size)
{
    const char *const *need = texts;
    for (; *need; need++)
        if (!memmem(bytes, size, *need, strlen(*need))) return PARE_PASS;
    for (unsigned i = 0; i < N; i++) {
        char call[32], head[32];
        snprintf(call, sizeof call, " f%u;", i);
        snprintf(head, sizeof head, "sub f%u\n", i);
        if (memmem(bytes, size, call, strlen(call)) && !memmem(bytes, size, head, strlen(head)))
            return PARE_PASS;
    }
    return PARE_FAIL;
}

static void run(const struct writing *text, drive_test test, void *context, struct drive *drive)
{
    pare_strategy *strategy = NULL;
    pare_mentions *mentions = find(text->bytes, text->size);
    assert_int_equal(pare_mention_reduction_new(mentions, &strategy, NULL), PARE_OK);
    pare_mentions_unref(mentions);
    drive_run(drive, strategy, test, context);
}

/* All of the front is used by the lines at the end: one by one they would take more tests than lines. */
static void test_mention_reduction__lines_go_with_what_they_call(void **state)
{
    (void)state;
    static struct writing text;
    static const char *need[] = {"sub f20\n", "call f20;", "call f51;", NULL};
    struct drive drive;
    text.size = 0;
    for (unsigned i = 0; i < N; i++)
        write_text(&text, "sub f%u\n  a\n  b\nendsub\n", i);
    for (unsigned i = 0; i < N; i++)
        write_text(&text, "call f%u;\n", i);
    run(&text, runs, need, &drive);
    /* The rest is for what follows. */
    assert_int_equal(runs(need, (unsigned char *)drive.best, drive.best_size), PARE_FAIL);
    assert_true(drive.best_size < text.size / 8);
    assert_true(drive.tests < 60);
    drive_done(&drive);
}

/* As above, but all calls stand in one line. */
static void test_mention_reduction__words_go_with_what_they_call(void **state)
{
    (void)state;
    static struct writing text;
    static const char *need[] = {"sub f20\n", "call f0", " f20;", NULL};
    struct drive drive;
    text.size = 0;
    for (unsigned i = 0; i < N; i++)
        write_text(&text, "sub f%u\n  a\n  b\nendsub\n", i);
    write_text(&text, "call f0");
    for (unsigned i = 1; i < N; i++)
        write_text(&text, ", f%u;", i);
    write_text(&text, "\n");
    run(&text, runs, need, &drive);
    assert_non_null(strstr(drive.best, "sub f20\n"));
    assert_null(strstr(drive.best, "sub f21\n"));
    assert_null(strstr(drive.best, "f63"));
    assert_true(strlen(drive.best) < text.size / 2);
    drive_done(&drive);
}

/* Fails while all of the texts are there, what is changed is there, and each change says of what. */
static pare_outcome changes(void *texts, const unsigned char *bytes, size_t size)
{
    if (memmem(bytes, size, "set {", 5) || !memmem(bytes, size, "root {\n", 7)) return PARE_PASS;
    for (unsigned i = 0; i < N; i++) {
        char change[32], head[32];
        snprintf(change, sizeof change, "set f%u {", i);
        snprintf(head, sizeof head, "node f%u {", i);
        if (memmem(bytes, size, change, strlen(change)) && !memmem(bytes, size, head, strlen(head)))
            return PARE_PASS;
    }
    return runs(texts, bytes, size);
}

/* All parts are in one block, behind which are others that change them: these go with what they change, as a whole. */
static void test_mention_reduction__blocks_behind_the_list_go_with_what_they_name(void **state)
{
    (void)state;
    static struct writing text;
    static const char *need[] = {"node f20 {\n", "set f20 {\n", "set f51 {\n", NULL};
    struct drive drive;
    text.size = 0;
    write_text(&text, "root {\n");
    for (unsigned i = 0; i < N; i++)
        write_text(&text, "  node f%u {\n    of this kind, as the others\n    on\n  }\n", i);
    write_text(&text, "}\n");
    for (unsigned i = 0; i < N; i++)
        write_text(&text, "set f%u {\noff\n}\n", i);
    run(&text, changes, need, &drive);
    assert_int_equal(changes(need, (unsigned char *)drive.best, drive.best_size), PARE_FAIL);
    assert_true(drive.best_size < text.size / 8);
    assert_true(drive.tests < 30);
    drive_done(&drive);
}

/* Fails while all of the texts are there, what is called is defined, and no body is empty. */
static pare_outcome has_bodies(void *texts, const unsigned char *bytes, size_t size)
{
    for (unsigned i = 0; i < N; i++) {
        char empty[32];
        snprintf(empty, sizeof empty, "sub f%u\nendsub", i);
        if (memmem(bytes, size, empty, strlen(empty))) return PARE_PASS;
    }
    return memmem(bytes, size, "do;", 3) ? PARE_PASS : runs(texts, bytes, size);
}

/* Before anything has gone, each part takes one test, with another way each time: as something of each quarter is
 * needed, all ways with these would be in vain. */
static void test_mention_reduction__ways_are_found_out_in_smaller_parts(void **state)
{
    (void)state;
    static struct writing text;
    static const char *need[] = {"sub f3\n", "sub f20\n", NULL}; /* so f35 and f52, too */
    struct drive drive;
    text.size = 0;
    for (unsigned i = 0; i < N; i++)
        write_text(&text, "sub f%u\n  do f%u;\nendsub\n", i, i ^ N / 2);
    run(&text, has_bodies, need, &drive);
    assert_true(drive.best_size < text.size / 8);
    assert_true(drive.tests < 36);
    drive_done(&drive);
}

/* Fails while all of the texts are there, what is called is defined, and each line of its own has something to call. */
static pare_outcome calls_all(void *texts, const unsigned char *bytes, size_t size)
{
    return memmem(bytes, size, "call;\n", 6) ? PARE_PASS : runs(texts, bytes, size);
}

/* The words alone go for the heavy parts, which one line calls, and what calls the others would go as a line: that way
 * failed first, since a heavy part is needed, and has its turn again when the words have worked for long. */
static void test_mention_reduction__a_way_that_fails_first_has_another_turn(void **state)
{
    (void)state;
    static struct writing text;
    static const char *need[] = {"sub f20\n", "sub f51\n", "call f20", NULL};
    struct drive drive;
    text.size = 0;
    for (unsigned i = 0; i < N; i++) {
        write_text(&text, "sub f%u\n", i);
        for (unsigned k = 0; k < (i < 16 ? 4 : 40); k++)
            write_text(&text, "  some work\n");
        write_text(&text, "endsub\n");
    }
    for (unsigned i = 0; i < 16; i++)
        write_text(&text, "call f%u;\n", i);
    write_text(&text, "call f20");
    for (unsigned i = 16; i < N; i++)
        write_text(&text, ", f%u;", i);
    write_text(&text, "\n");
    run(&text, calls_all, need, &drive);
    assert_int_equal(calls_all(need, (unsigned char *)drive.best, drive.best_size), PARE_FAIL);
    assert_null(strstr(drive.best, "sub f1\n"));
    drive_done(&drive);
}

/* Fails while a service names a port that its program has not; no service is without a program. */
static pare_outcome serves(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    for (unsigned i = 0; i < N; i++) {
        char program[64], service[64];
        snprintf(program, sizeof program, "kind: program\nname: p%u\n", i);
        snprintf(service, sizeof service, "kind: service\nof: p%u\n", i);
        const bool has = memmem(bytes, size, program, strlen(program)) != NULL;
        if (has != (memmem(bytes, size, service, strlen(service)) != NULL)) return PARE_PASS;
    }
    static const char kind[] = "kind: service\n";
    const unsigned char *end = bytes + size, *at = bytes;
    while ((at = memmem(at, (size_t)(end - at), kind, sizeof kind - 1)) != NULL) {
        at += sizeof kind - 1;
        if (end - at < 5 || memcmp(at, "of: p", 5) != 0) return PARE_PASS;
    }
    return memmem(bytes, size, "of: p40\nport: 8\n", 16) ? PARE_FAIL : PARE_PASS;
}

static void test_mention_reduction__records_go_with_those_that_name_them(void **state)
{
    (void)state;
    static struct writing text;
    struct drive drive;
    text.size = 0;
    for (unsigned i = 0; i < N; i++)
        write_text(&text, "---\nkind: program\nname: p%u\nport: 7\n", i);
    for (unsigned i = 0; i < N; i++)
        write_text(&text, "---\nkind: service\nof: p%u\nport: %u\n", i, i == 40 ? 8 : 7);
    run(&text, serves, NULL, &drive);
    assert_int_equal(serves(NULL, (unsigned char *)drive.best, drive.best_size), PARE_FAIL);
    assert_true(drive.best_size < text.size / 8);
    assert_true(drive.tests < 50);
    drive_done(&drive);
}

/* Not more than a third goes. */
static pare_outcome needs_most(void *size_of_all, const unsigned char *bytes, size_t size)
{
    const size_t *all = size_of_all;
    (void)bytes;
    return size < *all - *all / 3 ? PARE_PASS : PARE_FAIL;
}

/* Of much text parts that are heavy have twice as many tests in vain as those of a little. */
static void test_mention_reduction__is_more_patient_where_parts_are_heavy(void **state)
{
    (void)state;
    static struct writing text;
    static const char *const pads[] = {"", " of the many that are there"};
    unsigned tests[2] = {0, 0};
    for (unsigned much = 0; much < 2; much++) {
        struct drive drive;
        text.size = 0;
        for (unsigned i = 0; i < N; i++)
            write_text(&text, "sub f%u%s\n  a%s\nendsub\n", i, pads[much], pads[much]);
        for (unsigned i = 0; i < N; i++)
            write_text(&text, "call f%u;\n", i);
        run(&text, needs_most, &text.size, &drive);
        tests[much] = (unsigned)drive.tests;
        drive_done(&drive);
    }
    assert_true(tests[1] > tests[0] + 4);
}

static pare_status make_one(void *context)
{
    pare_structure *structure = NULL;
    pare_mentions *mentions = NULL;
    pare_strategy *strategy = NULL, *copy = NULL;
    pare_status status =
        pare_structure_new(context, (pare_stretch){0, pare_text_size(context)}, &structure, NULL);
    if (!status) status = pare_mentions_new(structure, &mentions, NULL);
    if (!status) status = pare_mention_reduction_new(mentions, &strategy, NULL);
    if (!status) status = strategy->ops->copy(strategy, &copy, NULL);
    if (copy) copy->ops->destroy(copy);
    if (strategy) strategy->ops->destroy(strategy);
    pare_mentions_unref(mentions);
    pare_structure_unref(structure);
    return status;
}

static void test_mention_reduction__survives_running_out_of_memory(void **state)
{
    (void)state;
    static const char bytes[] = "all: t1 t2\nt1: t2\nt2: t3\nt3:\n";
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy(bytes, sizeof bytes - 1, &text, NULL), PARE_OK);
    sweep_allocations(make_one, text);
    pare_text_unref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mention_reduction__names_are_rare_words_of_first_lines),
        cmocka_unit_test(test_mention_reduction__a_million_blank_lines_are_one_item),
        cmocka_unit_test(test_mention_reduction__lines_go_with_what_they_call),
        cmocka_unit_test(test_mention_reduction__words_go_with_what_they_call),
        cmocka_unit_test(test_mention_reduction__blocks_behind_the_list_go_with_what_they_name),
        cmocka_unit_test(test_mention_reduction__ways_are_found_out_in_smaller_parts),
        cmocka_unit_test(test_mention_reduction__a_way_that_fails_first_has_another_turn),
        cmocka_unit_test(test_mention_reduction__records_go_with_those_that_name_them),
        cmocka_unit_test(test_mention_reduction__is_more_patient_where_parts_are_heavy),
        cmocka_unit_test(test_mention_reduction__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
