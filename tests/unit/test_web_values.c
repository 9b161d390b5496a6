/* Rules out of value definition syntax: exactly the texts that it allows, with no comma and no
 * blank too many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "generate/batch.h"
#include "generate/weights.h"
#include "grammar/fuzzingbook.h"
#include "unit/alloc_sweep.h"
#include "web_model/values.h"

enum { TEXTS = 600, MOST = 40 };

/* <x> is the text x. */
static pare_status resolve(void *context, const pare_value *value, pare_buffer *name,
                           pare_error *err)
{
    pare_web_rules *rules = context;
    size_t from = name->size;
    pare_status status = pare_buffer_format(name, err, "t:%s", value->text);
    if (status || strcmp(value->text, "never") == 0) return status;
    if (!pare_web_rules_has(rules, name->data + from))
        pare_web_rules_add(rules, name->data + from, 1, value->text, strlen(value->text));
    return PARE_OK;
}

static double weigh(void *context, const pare_value *part)
{
    (void)context;
    return part->text && strcmp(part->text, "rare") == 0 ? 1e-9 : 1;
}

/* Makes the grammar and weights of the rule "v" for a syntax. */
static pare_status make(const char *syntax, pare_buffer *grammar, pare_buffer *weights)
{
    static const char *const roots[] = {"v", NULL};
    pare_web_rules rules = {0};
    pare_web_values values = {
        .rules = &rules, .resolve = resolve, .weigh = weigh, .context = &rules};
    pare_value *value = NULL;
    pare_status status = pare_value_parse(&rules.memory, syntax, strlen(syntax), &value, NULL);
    if (!status) status = pare_web_values_define(&values, "v", value);
    if (!status) status = pare_web_rules_finish(&rules, roots, grammar, weights, NULL);
    pare_web_rules_done(&rules);
    return status;
}

/* The different texts that are made, in the order in which they come. */
struct texts {
    char items[MOST][64];
    size_t n;
};

static void note(struct texts *texts, const char *text, size_t size)
{
    for (size_t i = 0; i < texts->n; i++)
        if (strlen(texts->items[i]) == size && memcmp(texts->items[i], text, size) == 0) return;
    assert_true(texts->n < MOST && size < sizeof *texts->items);
    memcpy(texts->items[texts->n], text, size);
    texts->items[texts->n++][size] = '\0';
}

static void generate(const char *syntax, struct texts *texts)
{
    pare_buffer json = {0}, weights = {0};
    pare_grammar *grammar = NULL;
    pare_expansion_table table;
    pare_batch_maker maker;
    pare_batch batch = {0};
    pare_deriver_options options = {.max_depth = 100, .max_tokens = 100};
    pare_error err = {0};
    assert_int_equal(make(syntax, &json, &weights), PARE_OK);
    assert_int_equal(pare_fuzzingbook_read_memory("v.json", json.data, json.size, &grammar, &err),
                     PARE_OK);
    pare_index start = pare_grammar_start(grammar);
    assert_int_equal(pare_expansion_table_init(&table, grammar, start, &err), PARE_OK);
    assert_int_equal(pare_weights_read(&table, "w", weights.data, weights.size, &err), PARE_OK);
    assert_int_equal(pare_batch_maker_init(&maker, &table, start, &options, 1, &err), PARE_OK);
    assert_int_equal(pare_batch_make(&maker, 0, TEXTS, 0, &batch, &err), PARE_OK);
    *texts = (struct texts){.n = 0};
    for (size_t i = 0, from = 0; i < batch.n; from = batch.ends[i++])
        note(texts, batch.bytes.data + from, batch.ends[i] - from);
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
    pare_expansion_table_done(&table);
    pare_grammar_free(grammar);
    pare_buffer_done(&json);
    pare_buffer_done(&weights);
}

/* `wanted`: the texts, apart by ";". */
static void assert_makes(const char *syntax, const char *wanted)
{
    struct texts made;
    size_t n = 0;
    generate(syntax, &made);
    while (*wanted) {
        size_t size = strcspn(wanted, ";"), i = 0;
        while (i < made.n &&
               (strlen(made.items[i]) != size || memcmp(made.items[i], wanted, size) != 0))
            i++;
        if (i == made.n) print_error("'%s' does not make '%.*s'\n", syntax, (int)size, wanted);
        assert_true(i < made.n);
        n++;
        wanted += size + (wanted[size] == ';');
    }
    for (size_t i = 0; made.n != n && i < made.n; i++)
        print_error("'%s' makes '%s'\n", syntax, made.items[i]);
    assert_int_equal(made.n, n);
}

static void test_web_values__make_all_that_is_allowed_and_nothing_else(void **state)
{
    (void)state;
    assert_makes("a", "a");
    assert_makes("a | b c", "a;b c");
    assert_makes("a? b c?", "b;a b;b c;a b c");
    assert_makes("a? b?", "a;b;a b");
    assert_makes("[ a? b? ]!", "a;b;a b");
    assert_makes("a && b", "a b;b a");
    assert_makes("a? && b", "b;a b;b a");
    assert_makes("a || b", "a;b;a b;b a");
    assert_makes("a{2}", "a a");
    assert_makes("[ a | b ]{1,2}", "a;b;a a;a b;b a;b b");
    assert_makes("a#{1,3}", "a;a, a;a, a, a");
    assert_makes("f( a? ) g()", "f() g();f(a) g()");
    assert_makes("<x> / <y>?", "x /;x / y");
}

static void test_web_values__commas_go_with_what_is_left_out(void **state)
{
    (void)state;
    assert_makes("a , b", "a, b");
    assert_makes("a? , b", "b;a, b");
    assert_makes("a , b?", "a;a, b");
    assert_makes("a? , b? , c", "c;a, c;b, c;a, b, c");
    assert_makes("f( [ a || b ]? , c )", "f(c);f(a, c);f(b, c);f(a b, c);f(b a, c)");
    assert_makes("a? , b?", "a;b;a, b");
}

static void test_web_values__what_cannot_be_made_is_left_out(void **state)
{
    pare_buffer grammar = {0}, weights = {0};
    (void)state;
    assert_makes("a | <never>", "a");
    assert_makes("a <never>? b", "a b");
    assert_makes("a | f( <never> ) | [ b <never> ]", "a");
    assert_makes("a | rare", "a");
    assert_int_equal(make("<never>", &grammar, &weights), PARE_E_STATE);
    pare_buffer_done(&grammar);
    pare_buffer_done(&weights);
}

static void test_web_values__texts_that_look_like_calls_are_texts(void **state)
{
    (void)state;
    assert_makes("'<' x '>'", "< x >");
    assert_makes("'<t:x>' | '\"' | '\\'", "<t:x>;\";\\");
}

/* Of eight in any order there are 109,600 texts; the rules stay short. */
static void test_web_values__long_lists_make_short_rules(void **state)
{
    pare_buffer grammar = {0}, weights = {0};
    (void)state;
    assert_int_equal(make("a || b || c || d || e || f || g || h", &grammar, &weights), PARE_OK);
    assert_true(grammar.size < 2000);
    pare_buffer_reset(&grammar);
    pare_buffer_reset(&weights);
    assert_int_equal(make("[[[[[[[[[[a? b?]? c?]? d?]? e?]? f?]? g?]? h?]? i?]? j?]? k?]? , x",
                          &grammar, &weights),
                     PARE_OK);
    assert_true(grammar.size < 8000);
    pare_buffer_done(&grammar);
    pare_buffer_done(&weights);
}

static pare_status make_all(void *context)
{
    pare_buffer grammar = {0}, weights = {0};
    (void)context;
    pare_status status = make("[ <x>? , f( a? && b ) ]# || 'z' | c{2,} {", &grammar, &weights);
    pare_buffer_done(&grammar);
    pare_buffer_done(&weights);
    return status;
}

static void test_web_values__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(make_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_web_values__make_all_that_is_allowed_and_nothing_else),
        cmocka_unit_test(test_web_values__commas_go_with_what_is_left_out),
        cmocka_unit_test(test_web_values__what_cannot_be_made_is_left_out),
        cmocka_unit_test(test_web_values__texts_that_look_like_calls_are_texts),
        cmocka_unit_test(test_web_values__long_lists_make_short_rules),
        cmocka_unit_test(test_web_values__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
