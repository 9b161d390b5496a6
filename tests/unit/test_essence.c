/* The sentence of an explanation: what is named, in which words, and its bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/explain.h>

#include "alloc_sweep.h"
#include "base/buffer.h"
#include "ui/essence.h"

/* A part whose text is `at` of `bytes`, where it stands first. */
static pare_explained_part part_of(const char *bytes, const char *at, const char *sampled_as,
                                   pare_part_verdict verdict)
{
    const char *found = strstr(bytes, at);
    assert_non_null(found);
    return (pare_explained_part){.from = (size_t)(found - bytes),
                                 .to = (size_t)(found - bytes) + strlen(at),
                                 .n_places = 1,
                                 .kind = sampled_as,
                                 .sampled_as = sampled_as,
                                 .verdict = verdict,
                                 .samples = 59};
}

static pare_explanation explanation_of(char *bytes, size_t size, pare_explained_part *parts,
                                       size_t n)
{
    return (pare_explanation){.result = {.bytes = (unsigned char *)bytes, .size_bytes = size},
                              .parts = parts,
                              .n_parts = n};
}

static void assert_sentence(const pare_explanation *explanation, const char *wanted)
{
    pare_buffer text = {0};
    assert_int_equal(pare_essence_text(explanation, &text, NULL), PARE_OK);
    assert_string_equal(text.size ? text.data : "", wanted);
    pare_buffer_done(&text);
}

static void test_essence__names_what_is_needed_and_what_may_stand_elsewhere(void **state)
{
    static char bytes[] = "new Date(1, 2, 29) + \"a b\" + x < 4";
    pare_explained_part parts[] = {
        part_of(bytes, "new", "name", PARE_PART_NEEDED),
        part_of(bytes, "Date", "name", PARE_PART_NEEDED),
        part_of(bytes, "1", "whole", PARE_PART_ANY),
        part_of(bytes, "2", "whole", PARE_PART_ANY),
        part_of(bytes, "29", "whole", PARE_PART_RANGE),
        part_of(bytes, "+", "sign", PARE_PART_NEEDED),
        part_of(bytes, "\"a b\"", "string", PARE_PART_NEEDED),
        part_of(bytes, "x", "name", PARE_PART_RENAME),
        part_of(bytes, "<", "sign", PARE_PART_NEEDED),
        part_of(bytes, "4", "whole", PARE_PART_UNTRIED),
    };
    (void)state;
    parts[2].kind = parts[3].kind = parts[4].kind = "whole number";
    parts[4].has_low = true;
    parts[4].low = 29;
    const pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, parts, 10);
    assert_sentence(
        &explanation,
        "The failure needs new, Date, '+', \"a b\" and '<'; 1 and 2 may each be any whole "
        "number without a sign; 29 may be any whole number from 29 on; x may be any name.");
    parts[4].has_high = true;
    parts[4].high = 31;
    parts[8].samples = 3;
    parts[8].fails = 2;
    parts[7].verdict = PARE_PART_NEEDED;
    assert_sentence(
        &explanation,
        "The failure needs new, Date, '+', \"a b\" and x; 1 and 2 may each be "
        "any whole number without a sign; 29 may be any whole number from 29 to 31; '<' "
        "may be replaced by some of its kind, but not by all.");
}

static void test_essence__lists_strings_and_pieces_of_program(void **state)
{
    static char bytes[] = "f(a, b) \"zz\" 'q'";
    pare_explained_part parts[] = {
        part_of(bytes, "f(a, b)", "node", PARE_PART_ANY),
        part_of(bytes, "a, b", "repeat", PARE_PART_RANGE),
        part_of(bytes, "\"zz\"", "string", PARE_PART_RANGE),
        part_of(bytes, "'q'", "string", PARE_PART_ANY),
    };
    (void)state;
    parts[0].is_node = true;
    parts[0].kind = "call_expression";
    parts[1].has_low = parts[2].has_high = parts[3].has_low = true;
    parts[1].low = 2;
    parts[2].high = 9;
    pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, parts, 4);
    assert_sentence(
        &explanation,
        "It fails with others as well: 'f(a, b)' may be any call expression; 'a, b' may "
        "have 2 items or more; \"zz\" may be any string of length up to 9; and others "
        "may vary.");
    /* A piece that is needed says nothing that its parts do not; what was not tried says nothing. */
    parts[0].verdict = PARE_PART_NEEDED;
    explanation.n_parts = 1;
    assert_sentence(&explanation, "");
    parts[2].verdict = PARE_PART_UNTRIED;
    explanation.parts = parts + 2;
    assert_sentence(&explanation, "");
    explanation.n_parts = 0;
    assert_sentence(&explanation, "");
}

/* What is claimed is what was tried: few samples are told, operators named, and what is next to the kind but does
 * not fail is an exception. */
static void test_essence__claims_no_more_than_was_tried(void **state)
{
    static char bytes[] = "x < 4 + SELECT y";
    static const pare_explained_other signs[] = {
        {" ", 1, false, true}, {">", 1, true, false}, {"<=", 2, true, false}};
    static const pare_explained_other numbers[] = {{"-4", 2, false, true},
                                                   {"00", 2, true, true},
                                                   {"", 0, false, true},
                                                   {"q", 1, false, true},
                                                   {"7", 1, true, false}};
    static const pare_explained_other names[] = {
        {"qSELECT", 7, false, false}, {"", 0, false, true}, {"select", 6, true, false}};
    pare_explained_part parts[] = {part_of(bytes, "x", "name", PARE_PART_RENAME),
                                   part_of(bytes, "<", "sign", PARE_PART_ANY),
                                   part_of(bytes, "4", "whole", PARE_PART_ANY),
                                   part_of(bytes, "SELECT", "name", PARE_PART_NEEDED)};
    (void)state;
    parts[0].samples = 9;
    parts[1].others = signs;
    parts[1].n_others = 3;
    parts[2].kind = "whole number";
    parts[2].others = numbers;
    parts[2].n_others = 5;
    parts[3].fails = 1;
    parts[3].others = names;
    parts[3].n_others = 3;
    pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, parts, 3);
    assert_sentence(&explanation,
                    "It fails with others as well: x may be any name tried; '<' may be "
                    "> or <=; 4 may be any whole number without a sign (not -4 or q).");
    parts[2].samples = 12;
    explanation.parts += 2;
    explanation.n_parts = 1;
    assert_sentence(&explanation,
                    "It fails with others as well: 4 may be any whole number tried, none "
                    "with a sign (not -4 or q).");
    explanation.parts++;
    assert_sentence(&explanation,
                    "The failure needs SELECT; SELECT may be written in the other case, too.");
    parts[3].fails = 2;
    assert_sentence(&explanation, "It fails with others as well: SELECT may be select, but not "
                                  "all others.");
    parts[1].verdict = parts[2].verdict = PARE_PART_UNTRIED;
    explanation.parts = parts + 1;
    explanation.n_parts = 3;
    assert_sentence(&explanation, "It fails with others as well: SELECT may be select, but not "
                                  "all others; 2 of 3 parts were not tried.");
}

static void assert_plain(pare_status (*tell)(const pare_explanation *, pare_buffer *, pare_error *),
                         const pare_explanation *explanation, const char *wanted)
{
    pare_buffer text = {0};
    assert_int_equal(tell(explanation, &text, NULL), PARE_OK);
    assert_string_equal(text.size ? text.data : "", wanted);
    pare_buffer_done(&text);
}

/* The shortest piece with which it still fails, where that is less; the larger gain first. */
static void test_essence__tells_of_pieces_that_may_be_shorter(void **state)
{
    static char bytes[] = "try{f()}catch(e){}\n g(h(1))";
    static const pare_explained_other statements[] = {{";", 1, false, false},
                                                      {"{f();f();f();f();f()}", 21, true, false},
                                                      {"{f()}", 5, true, false}};
    static const pare_explained_other calls[] = {{"0", 1, false, false}, {"h(1)", 4, true, false}};
    pare_explained_part parts[] = {part_of(bytes, "try{f()}catch(e){}", "node", PARE_PART_NEEDED),
                                   part_of(bytes, "g(h(1))", "node", PARE_PART_NEEDED)};
    (void)state;
    pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, parts, 2);
    parts[0].is_node = parts[1].is_node = true;
    assert_plain(pare_essence_simpler_text, &explanation, "");
    parts[0].fails = 2;
    parts[0].others = statements;
    parts[0].n_others = 3;
    parts[1].fails = 1;
    parts[1].others = calls;
    parts[1].n_others = 2;
    assert_plain(pare_essence_simpler_text, &explanation,
                 "It fails with less: 'try{f()}catch(e){}' at 1:1 may be '{f()}'; 'g(h(1))' at 2:2 "
                 "may be 'h(1)'.");
    assert_sentence(&explanation, ""); /* their parts tell what is needed */
}

static void test_essence__tells_whether_variants_end_in_the_same_way(void **state)
{
    static char bytes[] = "a\n 0", programs[] = "python3: exit code 1\n";
    (void)state;
    pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, NULL, 0);
    assert_plain(pare_essence_endings_text, &explanation, "");
    explanation.watched_variants = 6;
    assert_plain(pare_essence_endings_text, &explanation,
                 "6 variants that fail, and were watched, end in the same way.");
    explanation.watched_others = 1;
    explanation.other = (pare_explained_other){.text = "12", .bytes = 2};
    explanation.other_from = 3;
    explanation.other_to = 4;
    explanation.other_programs = programs;
    assert_plain(pare_essence_endings_text, &explanation,
                 "Of 6 variants that fail, and were watched, 1 ends in another way; the first with "
                 "12 for 0 at 2:2.");
    assert_int_equal(pare_essence_tests(&explanation), 0);
    explanation.watched_runs = 7;
    assert_int_equal(pare_essence_tests(&explanation), 7);
}

static void test_essence__tells_what_nobody_tried(void **state)
{
    static char bytes[] = "a b\nc(1)\n";
    pare_explained_part parts[] = {part_of(bytes, "a", "name", PARE_PART_RENAME),
                                   part_of(bytes, "b", "name", PARE_PART_RENAME),
                                   part_of(bytes, "c", "name", PARE_PART_NEEDED),
                                   part_of(bytes, "1", "whole", PARE_PART_UNTRIED)};
    (void)state;
    pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, parts, 4);
    parts[2].samples = 1;
    explanation.signs = 2;
    explanation.result.stats.stopped = PARE_STOPPED_BUDGET;
    explanation.again_runs = 3;
    assert_plain(pare_essence_unvaried_text, &explanation,
                 "Not varied: how many lines there are and in what order, blanks, whether two "
                 "names may be the same, 2 of 2 signs between.  1 needed part was tried once "
                 "only.  1 part was not tried at all.  The limit of tests (3 were made) or of "
                 "time is reached: --max-tests N and --max-time TIME allow more.");
    static char one[] = "x";
    const pare_explanation bare = explanation_of(one, 1, parts, 0);
    assert_plain(pare_essence_unvaried_text, &bare, "");
}

/* Of one text several parts: once where the same is said of all, else it is told which one is meant. */
static void test_essence__tells_which_of_the_same_texts_is_meant(void **state)
{
    static char bytes[] = "a 1 1 1 a";
    pare_explained_part parts[] = {part_of(bytes, "a 1", "name", PARE_PART_NEEDED),
                                   part_of(bytes, "1 1 1", "whole", PARE_PART_ANY),
                                   part_of(bytes, "1 1 a", "whole", PARE_PART_ANY),
                                   part_of(bytes, "1 a", "whole", PARE_PART_ANY),
                                   part_of(bytes, "a", "name", PARE_PART_NEEDED)};
    (void)state;
    for (size_t k = 0; k < 5; k++)
        parts[k].to = parts[k].from + 1;
    parts[4].from = 8;
    parts[4].to = 9;
    for (size_t k = 1; k < 4; k++)
        parts[k].kind = "whole number";
    const pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, parts, 5);
    assert_sentence(&explanation,
                    "The failure needs a; each 1 may be any whole number without a sign.");
    parts[2].verdict = PARE_PART_RANGE;
    parts[2].has_high = true;
    parts[2].high = 8;
    assert_sentence(
        &explanation,
        "The failure needs a; 1 in 2 of 3 places may be any whole number without a sign; the "
        "second 1 may be any whole number up to 8.");
    parts[2].verdict = PARE_PART_NEEDED;
    assert_sentence(&explanation,
                    "The failure needs a and the second 1; 1 in 2 of 3 places may be any whole "
                    "number without a sign.");
}

/* Many words: the longest are named, in the order of the text, each once; the others are counted. */
enum { N_WORDS = 200, WORD_BYTES = 8 };

static pare_status tell_many(void *context)
{
    static char bytes[N_WORDS * WORD_BYTES + 1];
    static pare_explained_part parts[N_WORDS];
    pare_buffer *text = context, own = {0};
    size_t at = 0;
    for (size_t k = 0; k < N_WORDS; k++) {
        const size_t from = at;
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, k % 50 == 7 ? "words%zu" : "w%zu",
                               k % 100);
        parts[k] = (pare_explained_part){.from = from,
                                         .to = at,
                                         .n_places = 1,
                                         .kind = "name",
                                         .sampled_as = k % 2 ? "name" : "sign",
                                         .verdict = PARE_PART_NEEDED,
                                         .samples = 1};
        bytes[at++] = ' ';
    }
    const pare_explanation explanation = explanation_of(bytes, at, parts, N_WORDS);
    const pare_status status = pare_essence_text(&explanation, text ? text : &own, NULL);
    pare_buffer_done(&own);
    return status;
}

static void test_essence__is_bounded(void **state)
{
    pare_buffer text = {0};
    (void)state;
    assert_int_equal(tell_many(&text), PARE_OK);
    assert_true(text.size < 200);
    assert_non_null(strstr(text.data, "words7, "));
    assert_non_null(strstr(text.data, "words57 and "));
    assert_null(strstr(strstr(text.data, "words57") + 1, "words57"));
    assert_non_null(strstr(text.data, " more."));
    pare_buffer_done(&text);
}

static void test_essence__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(tell_many, NULL);
}

static void test_essence__nothing_steers_a_terminal(void **state)
{
    static char bytes[] = "\"\x1b[2J\" \"0123456789012345678901234567890123456789\"";
    pare_explained_part parts[] = {part_of(bytes, "\"\x1b[2J\"", "string", PARE_PART_NEEDED),
                                   part_of(bytes, "\"0", "string", PARE_PART_NEEDED)};
    (void)state;
    parts[1].to = sizeof bytes - 1;
    const pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, parts, 2);
    assert_sentence(&explanation,
                    "The failure needs \"\\x1b[2J\" and '\"0123456789012345678901234567...'.");
}

/* A word among bytes is told by where it is, as in the other views. */
static void test_essence__of_bytes_has_offsets(void **state)
{
    static char bytes[] = "\1\2\3\4\5\6\7\377name\1\2\3\4\5\6\7\377";
    pare_explained_part parts[] = {part_of(bytes, "name", "name", PARE_PART_NEEDED)};
    (void)state;
    const pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, parts, 1);
    assert_sentence(&explanation, "The failure needs \"name\" at byte 0x8.");
}

static void assert_signs(const pare_explanation *explanation, const char *wanted)
{
    pare_buffer text = {0};
    assert_int_equal(pare_essence_signs_text(explanation, &text, NULL), PARE_OK);
    assert_string_equal(text.data ? text.data : "", wanted);
    pare_buffer_done(&text);
}

/* Which signs are needed is told, each piece once. */
static void test_essence__tells_which_signs_are_needed(void **state)
{
    static char bytes[] = "f();\n();";
    pare_explained_part parts[] = {part_of(bytes, "f", "name", PARE_PART_NEEDED)};
    static pare_explained_place places[] = {{0, 1, 0}};
    static pare_explained_sign signs[] = {{1, 2, true}, {2, 3, true}, {3, 4, false}, {4, 5, false},
                                          {5, 6, true}, {6, 7, true}, {7, 8, false}};
    pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, parts, 1);
    (void)state;
    explanation.places = places;
    explanation.n_places = 1;
    explanation.signs = 7;
    assert_signs(&explanation,
                 "The text between the parts, such as brackets and commas, was not varied, and "
                 "may be needed, too: ();");
    explanation.sign = signs;
    explanation.signs_tried = 7;
    explanation.signs_needed = 4;
    assert_signs(&explanation,
                 "Of 7 signs between, 4 are needed, too: ().  Any one of these can be "
                 "left out, a bracket with the one that belongs to it: ; line-end");
    explanation.signs_tried = 3;
    explanation.signs_needed = 2;
    assert_signs(&explanation,
                 "Of 7 signs between, 3 were left out, pairs of brackets first; of these 2 are "
                 "needed, too: ().  This one can be left out: ;");
    explanation.signs_tried = 7;
    for (size_t k = 0; k < 7; k++)
        signs[k].is_needed = true;
    explanation.signs_needed = 7;
    assert_signs(&explanation, "Each sign between is needed, too: (); line-end");
    explanation.signs = explanation.signs_tried = 0;
    explanation.n_places = 0;
    explanation.result.size_bytes = 0;
    assert_signs(&explanation, "");
}

/* A byte by itself says little, so that it is only counted beside others. */
static void test_essence__single_bytes_are_counted(void **state)
{
    static char bytes[] = "\1\2\3\4\5\6\7\377name\1\2\3\4\5\6\7\377";
    pare_explained_part parts[] = {part_of(bytes, "\2", "byte", PARE_PART_NEEDED),
                                   part_of(bytes, "name", "name", PARE_PART_NEEDED)};
    (void)state;
    const pare_explanation explanation = explanation_of(bytes, sizeof bytes - 1, parts, 2);
    assert_sentence(&explanation, "The failure needs \"name\" at byte 0x8 and 1 more.");
    const pare_explanation byte = explanation_of(bytes, sizeof bytes - 1, parts, 1);
    assert_sentence(&byte, "The failure needs 02 at byte 0x1.");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_essence__names_what_is_needed_and_what_may_stand_elsewhere),
        cmocka_unit_test(test_essence__lists_strings_and_pieces_of_program),
        cmocka_unit_test(test_essence__claims_no_more_than_was_tried),
        cmocka_unit_test(test_essence__tells_of_pieces_that_may_be_shorter),
        cmocka_unit_test(test_essence__tells_whether_variants_end_in_the_same_way),
        cmocka_unit_test(test_essence__tells_what_nobody_tried),
        cmocka_unit_test(test_essence__tells_which_of_the_same_texts_is_meant),
        cmocka_unit_test(test_essence__is_bounded),
        cmocka_unit_test(test_essence__reports_oom),
        cmocka_unit_test(test_essence__nothing_steers_a_terminal),
        cmocka_unit_test(test_essence__of_bytes_has_offsets),
        cmocka_unit_test(test_essence__tells_which_signs_are_needed),
        cmocka_unit_test(test_essence__single_bytes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
