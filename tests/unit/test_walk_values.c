/* Values of walks: quoting, names, learned literals, hints, and the form of what is made. */
/* tests: src/generate/prototype/values.c src/generate/prototype/regex_values.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "generate/prototype/regex_values.h"
#include "generate/prototype/values.h"
#include "generate/prototype/walk_run.h"

#define LENGTH_OF(array) (sizeof(array) / sizeof *(array))

struct output {
    pare_choices choices;
    pare_buffer text;
    pare_emitter emitter;
};

static void start(struct output *output, uint64_t seed)
{
    pare_choices_seed(&output->choices, seed);
    pare_buffer_reset(&output->text);
    output->emitter = (pare_emitter){.choices = &output->choices, .text = &output->text};
}

static void done(struct output *output)
{
    assert_int_equal(output->emitter.status, PARE_OK);
    pare_choices_done(&output->choices);
    pare_buffer_done(&output->text);
}

static void test_values__a_text_becomes_a_literal_of_ascii(void **state)
{
    (void)state;
    struct output output = {0};
    start(&output, 0);
    pare_emitter_text(&output.emitter, "x+");
    pare_emitter_text(&output.emitter, "a\"\\\n\xc3\xa9\xf0\x9f\x98\x80\xff");
    pare_values_quote(&output.emitter, 2);
    assert_string_equal(output.text.data, "x+\"a\\\"\\\\\\u000a\\u00e9\\ud83d\\ude00\\ufffd\"");
    start(&output, 0);
    pare_values_quote(&output.emitter, 0);
    assert_string_equal(output.text.data, "\"\"");
    done(&output);
}

static void test_values__names_that_are_no_identifiers_are_quoted(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"name", ".name"},
                                           {"$_9", ".$_9"},
                                           {"delete", ".delete"},
                                           {"9", "[\"9\"]"},
                                           {"", "[\"\"]"},
                                           {"a b", "[\"a b\"]"},
                                           {"\xc3\xa9", "[\"\\u00e9\"]"},
                                           {"@@iterator", "[Symbol.iterator]"},
                                           {"@@", "[\"@@\"]"},
                                           {"\"]);x(", "[\"\\\"]);x(\"]"}};
    for (size_t i = 0; i < LENGTH_OF(cases); i++) {
        struct output output = {0};
        start(&output, 0);
        pare_values_member(&output.emitter, cases[i][0]);
        assert_string_equal(output.text.data, cases[i][1]);
        done(&output);
    }
}

static void test_values__learned_lines_are_literals_or_none_is_used(void **state)
{
    (void)state;
    static const char *const right[] = {"0",    "-1",     "1.5e+21",     ".5",      "5.",
                                        "0xFf", "\"a\"",  "'it\\'s'",    "NaN",     "undefined",
                                        "null", "-1e-7",  "\"\\u00e9\"", "\"\\0\"", "-Infinity",
                                        "''",   "\"/*\"", "true"};
    static const char *const wrong[] = {
        "x",      "1)",           "\"a",     "\"a\"+b", "010",      "1e", "0x",    "\"\\u12\"",
        "\"",     "- 1",          "\"\\1\"", "1 2",     "\"a\"b\"", "5n", "1.2.3", "\"\\\"",
        "'\x01'", "\"\xc3\xa9\"", "",        "--1",     "\"\\01\"", "."};
    for (size_t i = 0; i < LENGTH_OF(right); i++)
        assert_int_equal(pare_values_count_learned(right[i]), 1);
    for (size_t i = 0; i < LENGTH_OF(wrong); i++)
        assert_int_equal(pare_values_count_learned(wrong[i]), 0);
    assert_int_equal(pare_values_count_learned("0\n\"a\"\nnull"), 3);
    assert_int_equal(pare_values_count_learned("0\nx\nnull"), 0);
    assert_int_equal(pare_values_count_learned("0\n\nnull"), 0);
}

static void test_values__a_learned_line_is_taken_as_it_is_or_changed(void **state)
{
    (void)state;
    struct output output = {0};
    unsigned n[3] = {0}, n_changed = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        start(&output, seed);
        pare_values_learned(&output.emitter, "7\n\"b\"\nnull", 3);
        const char *text = output.text.data;
        n[*text == '7' ? 0 : *text == '"' ? 1 : 2]++;
        n_changed += strcmp(text, "7") && strcmp(text, "\"b\"") && strcmp(text, "null");
    }
    assert_true(n[0] > 50 && n[1] > 50 && n[2] > 50);
    assert_in_range(n_changed, 5, 100);
    done(&output);
}

static void test_values__first_answers_are_the_simplest(void **state)
{
    (void)state;
    static const uint64_t zeros[64];
    static const struct {
        void (*put)(pare_emitter *);
        const char *text;
    } cases[] = {{pare_values_number, "0"},
                 {pare_values_count, "0"},
                 {pare_values_time, "0"},
                 {pare_values_length, "0"},
                 {pare_values_boolean, "false"},
                 {pare_values_string, "\"\""},
                 {pare_values_uri, "\"\""},
                 {pare_values_json, "'0'"},
                 {pare_values_numeral, "\"0\""},
                 {pare_values_name, "\"a\""},
                 {pare_values_date, "\"1970\""},
                 {pare_regex_values_literal, "/a/"},
                 {pare_regex_values_text, "\"a\""},
                 {pare_regex_values_subject, "\"\""},
                 {pare_regex_values_flags, "\"g\""},
                 {pare_regex_values_replacement, "\"\""}};
    for (size_t i = 0; i < LENGTH_OF(cases); i++) {
        struct output output = {0};
        start(&output, 0);
        pare_choices_replay(&output.choices, zeros, LENGTH_OF(zeros));
        cases[i].put(&output.emitter);
        assert_string_equal(output.text.data, cases[i].text);
        done(&output);
    }
}

/* A backreference names a group that has begun; the slash that ends the literal is the last. */
static void test_regex_values__references_are_to_groups_that_are_there(void **state)
{
    (void)state;
    struct output output = {0};
    unsigned n_references = 0, n_lookaheads = 0, n_lazy = 0, n_classes = 0;
    for (uint64_t seed = 0; seed < 5000; seed++) {
        int n_groups = 0;
        start(&output, seed);
        pare_regex_values_literal(&output.emitter);
        const char *text = output.text.data;
        assert_true(text[0] == '/' && text[1] != '*' && text[1] != '/');
        for (const char *at = text + 1; *at; at++) {
            n_groups += *at == '(' && at[1] != '?' && at[-1] != '\\';
            if (*at != '\\') continue;
            at++;
            if (*at < '1' || *at > '9') continue;
            assert_true(*at - '0' <= n_groups);
            n_references++;
        }
        n_lookaheads += strstr(text, "(?=") || strstr(text, "(?!");
        n_lazy += strstr(text, "+?") || strstr(text, "*?");
        n_classes += strstr(text, "[^") != NULL;
    }
    assert_true(n_references > 100 && n_lookaheads > 100 && n_lazy > 100 && n_classes > 100);
    done(&output);
}

static void test_walk_values__hints_go_by_the_end_of_a_path(void **state)
{
    (void)state;
    const pare_walk_hint *hint = pare_walk_values_hint("this.String.prototype.replace");
    assert_int_equal(hint->kinds[0], PARE_WALK_SEPARATOR);
    assert_int_equal(hint->receiver, PARE_WALK_SUBJECT);
    assert_int_equal(pare_walk_values_hint("this.JSON.parse")->kinds[0], PARE_WALK_JSON);
    assert_int_equal(pare_walk_values_hint("this.Date.parse")->kinds[0], PARE_WALK_DATE);
    assert_int_equal(pare_walk_values_hint("this.Math.atan2")->kinds[0], PARE_WALK_NUMBER);
    assert_null(pare_walk_values_hint("this.Object.prototype.valueOf"));
    assert_null(pare_walk_values_hint("this.myRegExp"));
    assert_null(pare_walk_values_hint(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values__a_text_becomes_a_literal_of_ascii),
        cmocka_unit_test(test_values__names_that_are_no_identifiers_are_quoted),
        cmocka_unit_test(test_values__learned_lines_are_literals_or_none_is_used),
        cmocka_unit_test(test_values__a_learned_line_is_taken_as_it_is_or_changed),
        cmocka_unit_test(test_values__first_answers_are_the_simplest),
        cmocka_unit_test(test_regex_values__references_are_to_groups_that_are_there),
        cmocka_unit_test(test_walk_values__hints_go_by_the_end_of_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
