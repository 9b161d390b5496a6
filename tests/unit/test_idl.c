/* Web IDL: which attributes it tells, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/alloc_sweep.h"
#include "web_model/idl.h"

static const char example[] =
    "// a comment\n"
    "[Exposed=(Window,Worker), LegacyX=\"}\"]\n"
    "interface A : B {\n"
    "  const unsigned short C = 1; /* { */\n"
    "  [CEReactions, Reflect] attribute DOMString title;\n"
    "  [Reflect=\"http-equiv\"] attribute DOMString httpEquiv;\n"
    "  [CEReactions, ReflectRange=(0, 8), Reflect] attribute unsigned long size;\n"
    "  [ReflectURL] attribute USVString src;\n"
    "  readonly attribute DOMString not;\n"
    "  undefined f(optional D options = {}, [X] (A or B) b);\n"
    "  attribute EventHandler onclick;\n"
    "  [SameObject] readonly attribute SVGAnimatedLength x;\n"
    "  [CEReactions] attribute (boolean or [Y] DOMString)? hidden;\n"
    "};\n"
    "enum E { \"a\", \"\" };\n"
    "dictionary D { (A or B) x = {}; sequence<A> y = []; };\n"
    "partial interface A { [ReflectPositive] attribute long cols; };\n"
    "interface mixin M { [Reflect] attribute boolean on; };\n"
    "A includes M;\n"
    "typedef (A or B) T;\n"
    "callback F = undefined (A a);";

static void test_idl__tells_attributes_of_markup(void **state)
{
    static const struct {
        const char *interface, *name, *content, *type;
    } wanted[] = {{"A", "title", NULL, "DOMString"},
                  {"A", "httpEquiv", "http-equiv", "DOMString"},
                  {"A", "size", NULL, "unsigned long"},
                  {"A", "src", NULL, "USVString"},
                  {"A", "onclick", NULL, "EventHandler"},
                  {"A", "x", NULL, "SVGAnimatedLength"},
                  {"A", "hidden", NULL, "boolean or DOMString"},
                  {"A", "cols", NULL, "long"},
                  {"M", "on", NULL, "boolean"}};
    pare_idl idl = {0};
    pare_error err = {0};
    (void)state;
    assert_int_equal(pare_idl_read(&idl, "a.idl", example, strlen(example), &err), PARE_OK);
    assert_int_equal(idl.n_attributes, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < idl.n_attributes; i++) {
        const pare_idl_attribute *found = &idl.attributes[i];
        assert_string_equal(found->interface, wanted[i].interface);
        assert_string_equal(found->name, wanted[i].name);
        assert_string_equal(found->type, wanted[i].type);
        assert_int_equal(found->content != NULL, wanted[i].content != NULL);
        if (found->content) assert_string_equal(found->content, wanted[i].content);
    }
    assert_true(idl.attributes[2].low >= 0 && idl.attributes[2].high <= 8);
    assert_true(idl.attributes[3].is_url);
    assert_true(idl.attributes[7].low >= 1 && isinf(idl.attributes[7].high));
    assert_string_equal(pare_idl_parent(&idl, "A"), "B");
    assert_null(pare_idl_parent(&idl, "B"));
    assert_int_equal(idl.n_links, 2);
    assert_true(idl.links[1].includes);
    assert_string_equal(idl.links[1].other, "M");
    pare_idl_done(&idl);
}

static void test_idl__what_is_wrong_is_told_with_its_line(void **state)
{
    static const struct {
        const char *text, *sentence;
    } cases[] = {{"\ninterface A {\n attribute long", "a.idl:3: an interface has no end"},
                 {"/* a", "a.idl:1: a comment has no end"},
                 {"enum A { \"b", "a.idl:1: a text has no end"},
                 {"[A=(", "a.idl:1: a bracket has no end"},
                 {"};\n", "a.idl:1: a bracket has no beginning"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_idl idl = {0};
        pare_error err = {0};
        assert_int_equal(pare_idl_read(&idl, "a.idl", cases[i].text, strlen(cases[i].text), &err),
                         PARE_E_SYNTAX);
        assert_string_equal(err.message, cases[i].sentence);
        pare_idl_done(&idl);
    }
}

static pare_status read_all(void *context)
{
    pare_idl idl = {0};
    (void)context;
    pare_status status = pare_idl_read(&idl, "a.idl", example, strlen(example), NULL);
    pare_idl_done(&idl);
    return status;
}

static void test_idl__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(read_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idl__tells_attributes_of_markup),
        cmocka_unit_test(test_idl__what_is_wrong_is_told_with_its_line),
        cmocka_unit_test(test_idl__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
