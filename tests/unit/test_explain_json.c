/* An explanation as JSON: what is known has a member, what is not has none, and bytes stay exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <cmocka.h>

#include <pare/explain.h>

#include "cli/explain_json.h"

/* What is printed, read again; the caller gives it back. */
static json_t *printed(const pare_explanation *explanation, const pare_tree_options *trees)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(pare_explain_json_print(explanation, trees, 42, file, NULL), PARE_OK);
    rewind(file);
    json_error_t error;
    json_t *all = json_loadf(file, 0, &error);
    if (!all) fail_msg("%s", error.text);
    fclose(file);
    return all;
}

static const char *string_of(const json_t *object, const char *member)
{
    return json_string_value(json_object_get(object, member));
}

static void test_json__has_the_sentence_the_parts_and_the_text(void **state)
{
    static unsigned char bytes[] = "f(7)";
    static char pattern[] = "f(<whole number from 5>)";
    static const char *const grammars[] = {"a.g4"};
    static const pare_explained_other others[] = {{"7", 1, false, true}, {"g", 1, true, false}};
    static char programs[] = "f in.c: exit code 1\n";
    static pare_explained_part parts[] = {{.from = 0,
                                           .others = others,
                                           .n_others = 2,
                                           .to = 1,
                                           .n_places = 1,
                                           .kind = "name",
                                           .sampled_as = "name",
                                           .verdict = PARE_PART_NEEDED,
                                           .samples = 1,
                                           .near = "qf",
                                           .near_bytes = 2,
                                           .near_from = 0,
                                           .near_to = 1},
                                          {.from = 2,
                                           .to = 3,
                                           .n_places = 1,
                                           .kind = "whole number",
                                           .sampled_as = "whole",
                                           .verdict = PARE_PART_RANGE,
                                           .samples = 9,
                                           .fails = 5,
                                           .has_low = true,
                                           .low = 5}};
    static pare_explained_place places[] = {{0, 1, 0}, {2, 3, 1}};
    const pare_tree_options trees = {.grammars = grammars, .n_grammars = 1};
    const pare_explanation explanation = {.result = {.bytes = bytes, .size_bytes = 4},
                                          .parts = parts,
                                          .n_parts = 2,
                                          .places = places,
                                          .n_places = 2,
                                          .pattern = pattern,
                                          .pattern_bytes = sizeof pattern - 1,
                                          .programs = programs,
                                          .watched_variants = 3,
                                          .watched_others = 1,
                                          .other_from = 2,
                                          .other_to = 3,
                                          .other = {"8", 1, true, false},
                                          .other_programs = programs};
    (void)state;
    json_t *all = printed(&explanation, &trees);
    assert_string_equal(string_of(all, "sentence"),
                        "The failure needs f; 7 may be any whole number from 5 on.");
    assert_string_equal(string_of(all, "text"), "f(7)");
    assert_string_equal(string_of(all, "pattern"), pattern);
    assert_int_equal(json_integer_value(json_object_get(all, "tests")), 42);
    assert_null(json_object_get(all, "together"));
    assert_null(json_object_get(all, "again"));
    assert_string_equal(json_string_value(json_array_get(json_object_get(all, "grammars"), 0)),
                        "a.g4");
    const json_t *first = json_array_get(json_object_get(all, "parts"), 0);
    assert_string_equal(string_of(json_object_get(first, "passes_with"), "text"), "qf");
    assert_null(json_object_get(first, "share"));
    const json_t *other = json_array_get(json_object_get(first, "others"), 1);
    assert_string_equal(string_of(other, "text"), "g");
    assert_true(json_is_true(json_object_get(other, "fails")));
    assert_null(json_object_get(other, "beyond"));
    const json_t *beyond = json_array_get(json_object_get(first, "others"), 0);
    assert_true(json_is_true(json_object_get(beyond, "beyond")));
    assert_string_equal(string_of(all, "not_varied"), "1 needed part was tried once only.");
    assert_string_equal(string_of(all, "programs"), programs);
    const json_t *watched = json_object_get(all, "watched");
    assert_int_equal(json_integer_value(json_object_get(watched, "variants")), 3);
    assert_int_equal(json_integer_value(json_object_get(watched, "otherwise")), 1);
    assert_string_equal(string_of(json_object_get(watched, "first"), "text"), "8");
    assert_string_equal(string_of(json_object_get(watched, "first"), "programs"), programs);
    const json_t *second = json_array_get(json_object_get(all, "parts"), 1);
    assert_int_equal(json_integer_value(json_object_get(second, "low")), 5);
    assert_null(json_object_get(second, "high"));
    assert_null(json_object_get(second, "passes_with"));
    json_decref(all);
}

static void test_json__bytes_that_are_no_text_are_digits(void **state)
{
    static unsigned char bytes[] = "\377\1x";
    static char pattern[] = "\377\1x";
    static pare_explained_sign signs[] = {{0, 1, true}, {1, 2, false}};
    const pare_explanation explanation = {.result = {.bytes = bytes, .size_bytes = 3},
                                          .sign = signs,
                                          .pattern = pattern,
                                          .pattern_bytes = 3,
                                          .language = "c",
                                          .signs = 4,
                                          .signs_tried = 2,
                                          .signs_needed = 1,
                                          .again_runs = 3,
                                          .again_fails = 2};
    (void)state;
    json_t *all = printed(&explanation, &(pare_tree_options){.n_grammars = 0});
    assert_string_equal(string_of(all, "hex"), "ff0178");
    assert_null(json_object_get(all, "text"));
    assert_null(json_object_get(all, "sentence"));
    assert_string_equal(string_of(all, "language"), "c");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "again"), "fails")),
                     2);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "signs"), "needed")),
                     1);
    const json_t *sign = json_array_get(json_object_get(json_object_get(all, "signs"), "at"), 1);
    assert_int_equal(json_integer_value(json_array_get(sign, 0)), 1);
    assert_true(json_is_false(json_array_get(sign, 2)));
    json_decref(all);
}

/* Whoever prints it tells that the disk is full. */
static void test_json__a_full_disk_is_not_taken_for_a_lack_of_memory(void **state)
{
    static unsigned char bytes[] = "f";
    static char pattern[] = "f";
    const pare_explanation explanation = {
        .result = {.bytes = bytes, .size_bytes = 1}, .pattern = pattern, .pattern_bytes = 1};
    FILE *file = fopen("/dev/full", "w");
    (void)state;
    assert_non_null(file);
    setbuf(file, NULL);
    assert_int_equal(pare_explain_json_print(&explanation, &(pare_tree_options){.n_grammars = 0},
                                             42, file, NULL),
                     PARE_OK);
    assert_true(ferror(file));
    (void)fclose(file);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json__has_the_sentence_the_parts_and_the_text),
        cmocka_unit_test(test_json__bytes_that_are_no_text_are_digits),
        cmocka_unit_test(test_json__a_full_disk_is_not_taken_for_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
