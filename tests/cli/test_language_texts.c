/* What languages know of texts: each minimal text is one that the language's own parser
 * reads back, kinds stand for one another by derivation and under other names, and nodes have
 * alternatives.  Skipped where the registry cannot be reached. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/support/language_samples.h"
#include "lang/language_texts.h"
#include "reduce/passes/alternatives.h"
#include "reduce/syntax/front_end.h"
#include "unit/alloc_sweep.h"
#include "unit/support/language.h"

struct world {
    pare_tree_sitter *language;
    pare_language_models *models;
    const pare_content *content;
    pare_parse_tree example;
    const char *name, *text;
    pare_language_texts *texts;
};

static pare_status make_texts(struct world *world)
{
    pare_language_source source = {.language = world->language,
                                   .models = world->models,
                                   .example = &world->example,
                                   .bytes = world->text};
    return pare_language_texts_load(world->name, source, &world->texts, NULL);
}

static void open_world(struct world *world, const char *name, const char *text)
{
    *world = (struct world){.language = load_language(name), .name = name, .text = text};
    assert_int_equal(pare_language_models_new(name, world->language, &world->models, NULL),
                     PARE_OK);
    world->content = pare_language_models_content(world->models);
    assert_int_equal(
        pare_tree_sitter_parse(world->language, text, strlen(text), &world->example, NULL),
        PARE_OK);
    assert_int_equal(make_texts(world), PARE_OK);
}

static void close_world(struct world *world)
{
    pare_language_texts_free(world->texts);
    pare_parse_tree_done(&world->example);
    pare_language_models_free(world->models);
    pare_tree_sitter_close(world->language);
}

static uint32_t kind(const struct world *world, const char *name)
{
    uint32_t symbol = pare_content_symbol(world->content, name, true);
    assert_true(symbol < pare_content_n_symbols(world->content));
    return symbol;
}

static void assert_text(const struct world *world, const char *name, const char *expected)
{
    const char *text = NULL;
    size_t size = 0;
    assert_true(pare_language_texts_of(world->texts, kind(world, name), &text, &size));
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(text, expected, size);
}

static void test_language_texts__are_the_shortest_that_are_read_back(void **state)
{
    (void)state;
    struct world world;
    open_world(&world, "javascript", "x;");
    assert_text(&world, "program", "");
    assert_text(&world, "identifier", "A");
    assert_text(&world, "call_expression", "0()");
    assert_text(&world, "return_statement", "return;");
    assert_text(&world, "string", "\"\"");
    assert_text(&world, "number", "0");
    assert_text(&world, "if_statement", "if(0);");
    close_world(&world);
}

static void test_language_texts__of_the_own_scanner_are_learned_from_the_input(void **state)
{
    (void)state;
    struct world world;
    const char *text;
    size_t size;
    open_world(&world, "html", "<section><h1></h1></section>");
    assert_text(&world, "tag_name", "h1");
    assert_text(&world, "start_tag", "<h1>");
    close_world(&world);
    open_world(&world, "html", "text");
    assert_false(pare_language_texts_of(world.texts, kind(&world, "tag_name"), &text, &size));
    assert_false(pare_language_texts_of(world.texts, kind(&world, "start_tag"), &text, &size));
    close_world(&world);
}

static void test_language_texts__kinds_fit_by_derivation_and_under_other_names(void **state)
{
    (void)state;
    static const struct {
        const char *wanted, *offered;
        bool fit;
    } pairs[] = {{"identifier", "identifier", true},
                 {"identifier", "property_identifier", true},
                 {"property_identifier", "identifier", true},
                 {"variable_declarator", "identifier", true},
                 {"statement_block", "identifier", false},
                 {"call_expression", "identifier", false},
                 {"identifier", "number", false}};
    struct world world;
    open_world(&world, "javascript", "x;");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_int_equal(pare_language_texts_fit(world.texts, kind(&world, pairs[i].wanted),
                                                 kind(&world, pairs[i].offered)),
                         pairs[i].fit);
    assert_int_equal(pare_language_texts_sort(world.texts, kind(&world, "identifier")),
                     pare_language_texts_sort(world.texts, kind(&world, "property_identifier")));
    assert_int_equal(pare_language_texts_sort(world.texts, kind(&world, "call_expression")), 0);
    close_world(&world);
}

static bool occurs(const struct world *world, uint32_t symbol)
{
    for (size_t i = 0; i < world->example.n_nodes; i++)
        if (pare_language_models_symbol(world->models, world->example.nodes[i].symbol) == symbol)
            return true;
    return false;
}

/* Of the kinds that occur in the samples; comments may stand anywhere and need no text. */
static void test_language_texts__nearly_all_kinds_of_all_languages_have_one(void **state)
{
    (void)state;
    size_t n_all = 0, n_known = 0;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        struct world world;
        size_t n = 0, known = 0;
        open_world(&world, samples[i].name, samples[i].text);
        for (uint32_t k = 0; k < pare_content_n_symbols(world.content); k++) {
            const char *text;
            size_t size;
            if (!occurs(&world, k) || pare_content_is_extra(world.content, k)) continue;
            n++;
            known += pare_language_texts_of(world.texts, k, &text, &size);
        }
        print_message("%-12s %zu of %zu kinds\n", samples[i].name, known, n);
        n_all += n;
        n_known += known;
        close_world(&world);
    }
    print_message("%zu of %zu kinds have a text\n", n_known, n_all);
    assert_true(100 * n_known >= 94 * n_all);
}

/* The alternatives of the first node with the text `of`, with '|' between. */
static void assert_alternatives(const char *language, const char *input, const char *of,
                                const char *expected)
{
    pare_front_end *front = NULL;
    pare_text *text = NULL;
    pare_tree *tree = NULL;
    pare_alternatives found = {0};
    pare_buffer out = {0};
    size_t size = strlen(input), begin = (size_t)(strstr(input, of) - input);
    const pare_tree_options options = {.language = language};
    assert_int_equal(pare_front_end_open(&options, NULL, &front, NULL), PARE_OK);
    assert_int_equal(pare_text_copy(input, size, &text, NULL), PARE_OK);
    assert_int_equal(pare_front_end_tree(front, text, (pare_stretch){0, size},
                                         PARE_FRONT_END_BEFORE, &tree, NULL),
                     PARE_OK);
    uint32_t node = 0;
    while (tree->nodes[node].begin != begin || tree->nodes[node].end != begin + strlen(of) ||
           tree->nodes[node].own.symbol == PARE_NO_NODE)
        assert_true(++node < tree->n_nodes);
    assert_int_equal(
        pare_alternatives_find(tree, node, &(pare_alternative_limits){.most = 4}, &found, NULL),
        PARE_OK);
    for (size_t i = 0; i < found.n; i++)
        assert_int_equal(pare_buffer_format(&out, NULL, i ? "|%.*s" : "%.*s",
                                            (int)found.items[i].size,
                                            pare_alternatives_text(&found, i)),
                         PARE_OK);
    assert_string_equal(out.data ? out.data : "", expected);
    pare_buffer_done(&out);
    pare_alternatives_done(&found);
    pare_tree_unref(tree);
    pare_text_unref(text);
    pare_front_end_free(front);
}

static void test_language_texts__nodes_have_alternatives_of_their_tokens(void **state)
{
    (void)state;
    assert_alternatives("javascript", "x = f(yy, zz);", "f(yy, zz)", "0|f|!0|\"\"");
    assert_alternatives("c", "int f(void) { while (nn > 1) nn = g(nn); }",
                        "while (nn > 1) nn = g(nn);", ";|{}|nn:;|break;");
    assert_alternatives("json", "[{\"a\": 17}]", "{\"a\": 17}", "\"\"|17|[]|{}");
}

static pare_status attempt(void *context)
{
    struct world *world = context;
    world->texts = NULL;
    pare_status status = make_texts(world);
    assert_true((world->texts == NULL) == (status != PARE_OK));
    pare_language_texts_free(world->texts);
    world->texts = NULL;
    return status;
}

static void test_language_texts__report_oom(void **state)
{
    (void)state;
    struct world world;
    open_world(&world, "json", "[1]");
    pare_language_texts_free(world.texts);
    sweep_allocations(attempt, &world);
    close_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_language_texts__are_the_shortest_that_are_read_back),
        cmocka_unit_test(test_language_texts__of_the_own_scanner_are_learned_from_the_input),
        cmocka_unit_test(test_language_texts__kinds_fit_by_derivation_and_under_other_names),
        cmocka_unit_test(test_language_texts__nearly_all_kinds_of_all_languages_have_one),
        cmocka_unit_test(test_language_texts__nodes_have_alternatives_of_their_tokens),
        cmocka_unit_test(test_language_texts__report_oom),
    };
    use_build_data();
    for (size_t i = 0; i < N_SAMPLES; i++)
        if (!has_language(samples[i].name)) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
