/* What a corpus teaches, and what it makes of generation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <jansson.h>
#include <cmocka.h>

#include "generate/batch.h"
#include "generate/weight_learning.h"
#include "generate/weights.h"
#include "parse/parser.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

static const char calls[] = "grammar C;\n"
                            "file: call* EOF;\n"
                            "call: ID '(' (arg (',' arg)*)? ')' ';' | 'stop' ';';\n"
                            "arg: (ID | N) | arg ('+' | '-') arg;\n"
                            "ID: [a-z]+;\n"
                            "N: [0-9]+;\n"
                            "WS: [ \\n]+ -> skip;\n";

static pare_status teach(const pare_grammar *grammar, const char *const *texts, size_t n,
                         pare_buffer *json)
{
    pare_parser *parser = NULL;
    pare_weight_learning *learning = NULL;
    pare_status status = pare_parser_new(grammar, pare_grammar_start(grammar), &parser, NULL);
    if (!status) status = pare_weight_learning_new(grammar, &learning, NULL);
    for (size_t i = 0; !status && i < n; i++) {
        pare_parse_tree tree = {0};
        status = pare_parser_run(parser, texts[i], strlen(texts[i]), &tree, NULL, NULL);
        if (!status) status = pare_weight_learning_take(learning, &tree, texts[i], NULL);
        pare_parse_tree_done(&tree);
    }
    if (!status) status = pare_weight_learning_write(learning, 2, json, NULL);
    pare_weight_learning_free(learning);
    pare_parser_free(parser);
    return status;
}

static json_t *at(json_t *object, const char *path)
{
    char name[100];
    while (object && *path) {
        size_t size = strcspn(path, "/");
        memcpy(name, path, size);
        name[size] = '\0';
        object = json_object_get(object, name);
        path += size + (path[size] == '/');
    }
    return object;
}

static void assert_number(json_t *root, const char *path, double wanted)
{
    json_t *found = at(root, path);
    if (!found) fail_msg("%s is not there", path);
    assert_float_equal(json_number_value(found), wanted, 1e-4);
}

static void test_lessons__count_alternatives_rounds_and_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {"f(x, 1+y-2); stop; f();", "g(x); f(x, x);"};
    pare_grammar *grammar = read_text(calls);
    pare_buffer json = {0};
    assert_int_equal(teach(grammar, texts, 2, &json), PARE_OK);
    json_t *root = json_loadb(json.data, json.size, 0, NULL);
    assert_non_null(root);
    assert_number(root, "alts/call/0/0", 4);
    assert_number(root, "alts/call/0/1", 1);
    assert_number(root, "alts/arg/0/0", 7); /* x 1 y 2 x x x */
    assert_number(root, "alts/arg/0/1", 2);
    assert_number(root, "alts/arg/1/0", 5); /* (ID | N) */
    assert_number(root, "alts/arg/1/1", 2);
    assert_number(root, "quants/file/0", 5.0 / 7); /* five calls, two ends */
    assert_number(root, "quants/call/0", 3.0 / 4);
    assert_number(root, "quants/call/1", 2.0 / 5);
    assert_number(root, "leaves/call/ID/f", 3);
    assert_number(root, "leaves/call/ID/g", 1);
    assert_number(root, "leaves/arg/ID/x", 4);
    assert_number(root, "leaves/arg/ID/y", 1);
    assert_number(root, "leaves/arg/N/1", 1);
    assert_int_equal(json_object_size(at(root, "leaves/arg/N")), 2);
    json_decref(root);
    pare_buffer_done(&json);
    pare_grammar_free(grammar);
}

static void test_lessons__only_the_most_frequent_texts_are_kept(void **state)
{
    (void)state;
    static const char *const texts[] = {"a();b();c();c();b();c();d();"};
    pare_grammar *grammar = read_text(calls);
    pare_buffer json = {0};
    assert_int_equal(teach(grammar, texts, 1, &json), PARE_OK);
    json_t *root = json_loadb(json.data, json.size, 0, NULL);
    assert_int_equal(json_object_size(at(root, "leaves/call/ID")), 2);
    assert_number(root, "leaves/call/ID/c", 3);
    assert_number(root, "leaves/call/ID/b", 2);
    json_decref(root);
    pare_buffer_done(&json);
    pare_grammar_free(grammar);
}

static void test_lessons__texts_with_errors_teach_what_parses(void **state)
{
    (void)state;
    static const char *const texts[] = {"f(x); ] g(1); stop;", "", "\xff\xfe"};
    pare_grammar *grammar = read_text(calls);
    pare_buffer json = {0};
    assert_int_equal(teach(grammar, texts, 3, &json), PARE_OK);
    json_t *root = json_loadb(json.data, json.size, 0, NULL);
    assert_non_null(root);
    assert_number(root, "leaves/call/ID/f", 1);
    json_decref(root);
    pare_buffer_done(&json);
    pare_grammar_free(grammar);
}

/* Texts made by the model of a corpus hold nothing that the corpus does not. */
static void test_lessons__a_model_makes_what_it_was_taught(void **state)
{
    (void)state;
    static const char *const texts[] = {"f(x, y); f(x);", "g(x); f(y, y);"};
    pare_grammar *grammar = read_text(calls);
    pare_index start = pare_grammar_start(grammar);
    pare_expansion_table table;
    pare_batch_maker maker;
    pare_batch batch = {0};
    pare_buffer json = {0};
    pare_deriver_options options = {0};
    pare_error err = {0};
    assert_int_equal(teach(grammar, texts, 2, &json), PARE_OK);
    assert_int_equal(pare_expansion_table_init(&table, grammar, start, NULL), PARE_OK);
    if (pare_weights_read(&table, "m.json", json.data, json.size, &err))
        fail_msg("%s", err.message);
    table.fresh = 0;
    assert_int_equal(pare_batch_maker_init(&maker, &table, start, &options, 1, NULL), PARE_OK);
    assert_int_equal(pare_batch_make(&maker, 0, 200, 0, &batch, NULL), PARE_OK);
    assert_int_equal(batch.n_unmade, 0);
    assert_true(batch.bytes.size > 1000);
    for (size_t i = 0; i < batch.bytes.size; i++)
        assert_non_null(memchr("fgxy(),;", batch.bytes.data[i], 8));
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
    pare_expansion_table_done(&table);
    pare_buffer_done(&json);
    pare_grammar_free(grammar);
}

static void test_weights__wrong_leaves_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"{\"leaves\": 1}", "m.json: 'leaves' contains no object"},
        {"{\"leaves\": {\"x\": {}}}", "m.json: rule 'x': the grammar has no such rule"},
        {"{\"leaves\": {\"call\": 1}}", "m.json: rule 'call': its leaves are not an object"},
        {"{\"leaves\": {\"call\": {\"X\": {}}}}",
         "m.json: texts of 'X': the grammar has no such token"},
        {"{\"leaves\": {\"call\": {\"ID\": []}}}", "m.json: texts of 'ID': they are no object"},
        {"{\"leaves\": {\"call\": {\"ID\": {}}}}",
         "m.json: texts of 'ID': none has a weight above 0"},
        {"{\"leaves\": {\"call\": {\"ID\": {\"a\": -1}}}}",
         "m.json: texts of 'ID': a weight must be a number from 0 to 1e100"},
        {"{\"leaves\": {\"call\": {\"ID\": {\"\": 1}}}}",
         "m.json: texts of 'ID': one of them is empty"},
        {"{\"fresh\": 2}", "m.json: 'fresh' must be a probability from 0 to 1"},
    };
    pare_grammar *grammar = read_text(calls);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_expansion_table table;
        pare_error err = {0};
        const char *json = cases[i].json;
        assert_int_equal(
            pare_expansion_table_init(&table, grammar, pare_grammar_start(grammar), NULL), PARE_OK);
        assert_int_equal(pare_weights_read(&table, "m.json", json, strlen(json), &err),
                         PARE_E_SYNTAX);
        assert_string_equal(err.message, cases[i].message);
        pare_expansion_table_done(&table);
    }
    pare_grammar_free(grammar);
}

static pare_status teach_once(void *context)
{
    static const char *const texts[] = {"f(x, 1+y-2); stop; f();"};
    pare_buffer json = {0};
    pare_status status = teach(context, texts, 1, &json);
    pare_buffer_done(&json);
    return status;
}

static void test_lessons__every_allocation_may_fail(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text(calls);
    sweep_allocations(teach_once, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lessons__count_alternatives_rounds_and_texts),
        cmocka_unit_test(test_lessons__only_the_most_frequent_texts_are_kept),
        cmocka_unit_test(test_lessons__texts_with_errors_teach_what_parses),
        cmocka_unit_test(test_lessons__a_model_makes_what_it_was_taught),
        cmocka_unit_test(test_weights__wrong_leaves_are_told),
        cmocka_unit_test(test_lessons__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
