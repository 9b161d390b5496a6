/* The model of the web, out of small packages: what it makes, and packages that are damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generate/batch.h"
#include "generate/weights.h"
#include "grammar/fuzzingbook.h"
#include "grammar/grammar_file.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"
#include "web_model/model.h"

enum { TEXTS = 300 };

static const char css[] =
    "{\"properties\": [{\"name\": \"width\", \"syntax\": \"auto | <length [0,∞]>\"},"
    " {\"name\": \"weird\", \"syntax\": \"<nowhere> | ]\"},"
    " {\"name\": \"color\", \"syntax\": \"<color>\"}],"
    " \"types\": [{\"name\": \"color\", \"syntax\": \"<rgb()> | <named-color> | <loop>\"},"
    " {\"name\": \"loop\", \"syntax\": \"<loop> x\"},"
    " {\"name\": \"media-query\", \"syntax\": \"screen\"},"
    " {\"name\": \"named-color\", \"syntax\": \"red | blue\"}],"
    " \"functions\": [{\"name\": \"rgb()\", \"syntax\": \"rgb( <number>#{3} , <percentage>? )\"}],"
    " \"atrules\": [{\"name\": \"@media\", \"syntax\": \"@media <media-query-list> { <rule-list> "
    "}\"}],"
    " \"selectors\": [{\"name\": \":hover\"}, {\"name\": \"::before\"}]}";

static const char idl[] =
    "interface HTMLElement { [CEReactions, Reflect] attribute DOMString lang; };"
    "interface HTMLImageElement : HTMLElement { [Reflect] attribute boolean isMap;"
    " [ReflectURL] attribute USVString src; };"
    "interface SVGElement { }; interface SVGRectElement : SVGElement {"
    " readonly attribute SVGAnimatedLength rx; };";

/* All elements that tables name in rules to start with. */
static const char html[] =
    "{\"elements\": [{\"name\": \"html\", \"interface\": \"HTMLElement\"},"
    "{\"name\": \"head\", \"interface\": \"HTMLElement\"},"
    "{\"name\": \"title\", \"interface\": \"HTMLElement\"},"
    "{\"name\": \"style\", \"interface\": \"HTMLElement\"},"
    "{\"name\": \"body\", \"interface\": \"HTMLElement\"},"
    "{\"name\": \"p\", \"interface\": \"HTMLElement\"},"
    "{\"name\": \"plaintext\", \"interface\": \"HTMLElement\", \"obsolete\": true},"
    "{\"name\": \"x<y\", \"interface\": \"HTMLElement\"},"
    "{\"name\": \"img\", \"interface\": \"HTMLImageElement\"},"
    "{\"name\": \"svg\", \"interface\": \"SVGElement\"},"
    "{\"name\": \"rect\", \"interface\": \"SVGRectElement\"},"
    "{\"name\": \"math\", \"interface\": \"MathMLElement\"},"
    "{\"name\": \"mi\", \"interface\": \"MathMLElement\"}]}";

static void write_packages(void)
{
    assert_int_equal(pare_file_make_directories("css", NULL), PARE_OK);
    assert_int_equal(pare_file_make_directories("elements", NULL), PARE_OK);
    assert_int_equal(pare_file_make_directories("idl", NULL), PARE_OK);
    scratch_write("css/css.json", css, 0644);
    scratch_write("css/package.json", "{}", 0644);
    scratch_write("elements/html.json", html, 0644);
    scratch_write("idl/html.idl", idl, 0644);
}

static pare_status make(pare_buffer *grammar, pare_buffer *weights, pare_error *err)
{
    return pare_web_model_make("css", "elements", "idl", grammar, weights, err);
}

/* Appends texts of a rule, each behind a NUL byte. */
static void generate(const char *rule, pare_buffer *texts)
{
    pare_buffer json = {0}, weights = {0};
    pare_grammar *grammar = NULL;
    pare_expansion_table table;
    pare_batch_maker maker;
    pare_batch batch = {0};
    pare_deriver_options options = {.max_depth = 120, .max_tokens = 1000};
    pare_error err = {0};
    pare_index start = 0;
    assert_int_equal(make(&json, &weights, &err), PARE_OK);
    assert_int_equal(pare_fuzzingbook_read_memory("web", json.data, json.size, &grammar, &err),
                     PARE_OK);
    assert_int_equal(pare_grammar_file_start(grammar, rule, &start, &err), PARE_OK);
    assert_int_equal(pare_expansion_table_init(&table, grammar, start, &err), PARE_OK);
    assert_int_equal(pare_weights_read(&table, "web", weights.data, weights.size, &err), PARE_OK);
    assert_int_equal(pare_batch_maker_init(&maker, &table, start, &options, 1, &err), PARE_OK);
    assert_int_equal(pare_batch_make(&maker, 0, TEXTS, 0, &batch, &err), PARE_OK);
    assert_int_equal(batch.n_unmade, 0);
    for (size_t i = 0, from = 0; i < batch.n; from = batch.ends[i++]) {
        assert_int_equal(
            pare_buffer_add(texts, batch.bytes.data + from, batch.ends[i] - from, NULL), PARE_OK);
        assert_int_equal(pare_buffer_add(texts, "\n", 1, NULL), PARE_OK);
    }
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
    pare_expansion_table_done(&table);
    pare_grammar_free(grammar);
    pare_buffer_done(&json);
    pare_buffer_done(&weights);
}

static void assert_rule_makes(const char *rule, const char *const *wanted,
                              const char *const *unwanted)
{
    pare_buffer texts = {0};
    generate(rule, &texts);
    for (; *wanted; wanted++) {
        if (!strstr(texts.data, *wanted)) print_error("'%s' makes no '%s'\n", rule, *wanted);
        assert_non_null(strstr(texts.data, *wanted));
    }
    for (; *unwanted; unwanted++) {
        if (strstr(texts.data, *unwanted)) print_error("'%s' makes '%s'\n", rule, *unwanted);
        assert_null(strstr(texts.data, *unwanted));
    }
    pare_buffer_done(&texts);
}

static void test_web_model__makes_documents_of_the_packages(void **state)
{
    static const char *const documents[] = {"<!DOCTYPE html>\n<html",
                                            " style=\"",
                                            "</p>",
                                            "<img",
                                            " src=\"",
                                            " ismap",
                                            " lang=\"",
                                            "<svg",
                                            "<rect",
                                            " rx=\"",
                                            "<mi",
                                            "<style",
                                            NULL},
                             *const no_documents[] = {"plaintext", "x<y", "</img>", "isMap=", NULL},
                             *const sheets[] = {"color: red",    "rgb(",       "width: auto",
                                                "@media screen", ":hover",     "::before",
                                                "initial",       "!important", NULL},
                             *const no_sheets[] = {"nowhere", "  ", ", )", "width: -", NULL};
    (void)state;
    write_packages();
    assert_rule_makes("html", documents, no_documents);
    assert_rule_makes("css", sheets, no_sheets);
    assert_rule_makes("svg", (const char *const[]){"<svg", "</rect>", NULL},
                      (const char *const[]){"<html", NULL});
    assert_rule_makes("math", (const char *const[]){"<math", "</mi>", NULL},
                      (const char *const[]){"<html", NULL});
}

static void test_web_model__damaged_packages_are_told(void **state)
{
    static const struct {
        const char *file, *text;
        pare_status status;
        const char *sentence;
    } cases[] = {
        {"css/css.json", "{", PARE_E_CORRUPT, "css/css.json: there is no list 'properties'"},
        {"css/css.json", "[]", PARE_E_CORRUPT, "there is no list 'properties'"},
        {"elements/html.json", "{\"elements\": 1}", PARE_E_CORRUPT, "there is no list 'elements'"},
        {"elements/html.json", "{\"elements\": []}", PARE_E_STATE, "nothing can be made of 'html'"},
        {"idl/html.idl", "interface", PARE_OK, NULL},
        {"idl/html.idl", "[", PARE_E_SYNTAX, "idl/html.idl:1: a bracket has no end"},
        {"idl/html.idl", "interface HTMLElement : HTMLElement {};", PARE_E_LIMIT,
         "interfaces inherit without end"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer grammar = {0}, weights = {0};
        pare_error err = {0};
        write_packages();
        scratch_write(cases[i].file, cases[i].text, 0644);
        assert_int_equal(make(&grammar, &weights, &err), cases[i].status);
        if (cases[i].sentence) assert_non_null(strstr(err.message, cases[i].sentence));
        pare_buffer_done(&grammar);
        pare_buffer_done(&weights);
    }
    pare_error err = {0};
    pare_buffer grammar = {0}, weights = {0};
    write_packages();
    assert_int_equal(remove("idl/html.idl"), 0);
    assert_int_equal(make(&grammar, &weights, &err), PARE_E_CORRUPT);
    assert_non_null(strstr(err.message, "the package has no file that ends in .idl"));
    pare_buffer_done(&grammar);
    pare_buffer_done(&weights);
}

static pare_status make_all(void *context)
{
    pare_buffer grammar = {0}, weights = {0};
    (void)context;
    pare_status status = make(&grammar, &weights, NULL);
    pare_buffer_done(&grammar);
    pare_buffer_done(&weights);
    return status;
}

/* Every 37th only: there are thousands. */
static void test_web_model__any_allocation_may_fail(void **state)
{
    (void)state;
    write_packages();
#ifdef PARE_FAULT_INJECTION
    bool hit = true;
    for (size_t n = 0; hit; n += 37) {
        long before = pare_alloc_live();
        pare_alloc_fault_after(n);
        pare_status status = make_all(NULL);
        hit = pare_alloc_fault_hit();
        pare_alloc_fault_after(SIZE_MAX);
        assert_int_equal(pare_alloc_live(), before);
        assert_int_equal(status, hit ? PARE_E_NOMEM : PARE_OK);
    }
#else
    assert_int_equal(make_all(NULL), PARE_OK);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_web_model__makes_documents_of_the_packages),
        cmocka_unit_test(test_web_model__damaged_packages_are_told),
        cmocka_unit_test(test_web_model__any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
