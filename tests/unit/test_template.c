/* Templates: what they make, what they refuse, and that functions stay in their box. */
/* tests: src/campaign/template_functions.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/template.h"
#include "campaign/template_functions.h"
#include "unit/alloc_sweep.h"

static const pare_template_field row_a[] = {{.name = "name", .text = "a", .size = 1},
                                            {.name = "n", .text = "1", .size = 1, .is_ours = true}};
static const pare_template_field row_b[] = {{.name = "name", .text = "b*", .size = 2},
                                            {.name = "n", .text = "2", .size = 1, .is_ours = true}};
static const pare_template_scope rows[] = {{row_a, 2}, {row_b, 2}};
static const pare_template_field fields[] = {
    {.name = "id", .text = "7", .size = 1, .is_ours = true},
    {.name = "title", .text = "<b> `x`", .size = 7},
    {.name = "empty", .text = "", .size = 0},
    {.name = "lines", .text = "one\n```\ntwo", .size = 11},
    {.name = "name", .text = "outer", .size = 5},
    {.name = "list", .text = "", .rows = rows, .n_rows = 2},
    {.name = "none", .text = "", .rows = rows, .n_rows = 0},
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static pare_status fill_sized(const char *text, size_t size, pare_template_form form,
                              pare_template_functions *functions, pare_buffer *out, pare_error *err)
{
    pare_template *template = NULL;
    const pare_template_use use = {.form = form,
                                   .scope = {fields, N_FIELDS},
                                   .caller = pare_template_functions_caller(functions)};
    pare_status status = pare_template_new("t.md", text, size, &template, err);
    if (!status) status = pare_template_write(template, &use, out, err);
    pare_template_free(template);
    return status;
}

static void check(const char *text, pare_template_form form, const char *wanted)
{
    pare_buffer out = {0};
    pare_error err = {0};
    if (fill_sized(text, strlen(text), form, NULL, &out, &err)) fail_msg("%s", err.message);
    assert_string_equal(out.data ? out.data : "", wanted);
    pare_buffer_done(&out);
}

static void test_template__fields_are_written_as_the_form_says(void **state)
{
    (void)state;
    check("{{id}}: {{ title }}.", PARE_TEMPLATE_PLAIN, "7: <b> `x`.");
    check("{{id}}: {{title}}.", PARE_TEMPLATE_MARKDOWN, "7: `` <b> `x` ``.");
    check("{{{title}}}", PARE_TEMPLATE_MARKDOWN, "<b> `x`");
    check("no tag { } }}", PARE_TEMPLATE_PLAIN, "no tag { } }}");
    check("", PARE_TEMPLATE_PLAIN, "");
}

static void test_template__sections_come_once_never_or_for_each_row(void **state)
{
    (void)state;
    check("{{#id}}yes{{/id}}{{#empty}}no{{/empty}}", PARE_TEMPLATE_PLAIN, "yes");
    check("{{^id}}no{{/id}}{{^empty}}yes{{/empty}}{{^none}}!{{/none}}{{^list}}?{{/list}}",
          PARE_TEMPLATE_PLAIN, "yes!");
    check("{{#list}}{{n}}{{name}}{{id}},{{/list}}{{name}}", PARE_TEMPLATE_PLAIN, "1a7,2b*7,outer");
    check("{{#list}}{{#list}}{{name}}{{/list}};{{/list}}", PARE_TEMPLATE_PLAIN, "ab*;ab*;");
    check("{{#list}}{{/list}}", PARE_TEMPLATE_PLAIN, "");
    check("{{#id}}{{#title}}x{{/title}}{{/id}}", PARE_TEMPLATE_PLAIN, "x");
}

static void test_template__a_tag_alone_on_its_line_leaves_none(void **state)
{
    (void)state;
    check("a\n  {{#id}}\nb\n{{/id}}\nc\n", PARE_TEMPLATE_PLAIN, "a\nb\nc\n");
    check("a\n{{! a\ncomment }}\nb", PARE_TEMPLATE_PLAIN, "a\nb");
    check("{{#id}}\r\nx{{/id}}", PARE_TEMPLATE_PLAIN, "x");
    check("a {{#id}} b {{/id}} c", PARE_TEMPLATE_PLAIN, "a  b  c");
}

static void test_template__functions_of_ours(void **state)
{
    (void)state;
    check("{{fence lines}}", PARE_TEMPLATE_MARKDOWN, "````\none\n```\ntwo\n````\n");
    check("{{fence lines}}", PARE_TEMPLATE_PLAIN, "    one\n    ```\n    two\n");
    check("{{line lines}}", PARE_TEMPLATE_MARKDOWN, "`one`");
    check("{{code id}} {{json title}} {{url title}}", PARE_TEMPLATE_PLAIN,
          "7 \"<b> `x`\" %3Cb%3E%20%60x%60");
    check("{{text lines}}", PARE_TEMPLATE_MARKDOWN, "    one\n    ```\n    two\n");
}

static void test_template__mistakes_are_told_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"a\n{{id", "t.md:2: a tag has no end"},
        {"{{}}", "t.md:1: a tag is empty"},
        {"{{id!}}", "t.md:1: a tag holds names; this is none: '!'"},
        {"{{#id}}", "t.md:1: a section has no end: 'id'"},
        {"\n\n{{/id}}", "t.md:3: no section has begun that could end here: 'id'"},
        {"{{#id}}{{/title}}", "t.md:1: another section is to end before 'title'"},
        {"{{a b c d e f}}", "t.md:1: a tag has too many words"},
        {"\n{{titel}}", "t.md:2: unknown field 'titel': did you mean 'title'?"},
        {"{{shout title}}", "t.md:1: there is no function 'shout'"},
        {"{{fence title id}}", "t.md:1: there is no function 'fence'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer out = {0};
        pare_error err = {0};
        assert_int_equal(
            fill_sized(cases[i].text, strlen(cases[i].text), PARE_TEMPLATE_PLAIN, NULL, &out, &err),
            PARE_E_SYNTAX);
        assert_string_equal(err.message, cases[i].sentence);
        pare_buffer_done(&out);
    }
}

static void test_template__depth_and_length_are_bound(void **state)
{
    (void)state;
    pare_buffer text = {0}, out = {0};
    pare_error err = {0};
    for (int i = 0; i < PARE_TEMPLATE_DEPTH + 1; i++)
        assert_int_equal(pare_buffer_text(&text, "{{#id}}", NULL), PARE_OK);
    assert_int_equal(fill_sized(text.data, text.size, PARE_TEMPLATE_PLAIN, NULL, &out, &err),
                     PARE_E_SYNTAX);
    assert_non_null(strstr(err.message, "too many sections"));
    /* Two rows in each other 24 times: 2^24 times the text. */
    pare_buffer_reset(&text);
    for (int i = 0; i < 24; i++)
        assert_int_equal(pare_buffer_text(&text, "{{#list}}", NULL), PARE_OK);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(pare_buffer_text(&text, "text", NULL), PARE_OK);
    for (int i = 0; i < 24; i++)
        assert_int_equal(pare_buffer_text(&text, "{{/list}}", NULL), PARE_OK);
    err = (pare_error){0};
    assert_int_equal(fill_sized(text.data, text.size, PARE_TEMPLATE_PLAIN, NULL, &out, &err),
                     PARE_E_LIMIT);
    pare_buffer_done(&text);
    pare_buffer_done(&out);
}

/* ---- functions in Lua ------------------------------------------------------------------ */

static pare_template_functions *read_script(const char *script)
{
    pare_template_functions *functions = NULL;
    pare_error err = {0};
    pare_status status =
        pare_template_functions_new("r.lua", script, strlen(script), &functions, &err);
    if (status == PARE_E_UNSUPPORTED) skip();
    if (status) fail_msg("%s", err.message);
    return functions;
}

static const char script[] = "function upper(text) return text:upper() end\n"
                             "function join(a, b, all) return a .. '/' .. b .. '/' .. all.id end\n"
                             "function is(text) return text == '7' end\n"
                             "function wrong(text) error('no such thing') end\n"
                             "function lists(text) return {} end\n"
                             "function endless(text) while true do end end\n"
                             "function greedy(text) return ('x'):rep(1 << 30) end\n"
                             "function reads(text) return tostring(io) .. tostring(pcall) end\n"
                             "function markup(text) return '<i>' end\n";

static void test_template_functions__make_texts_and_conditions(void **state)
{
    (void)state;
    static const char text[] = "{{upper title}} {{join id title}} {{#is id}}seven{{/is id}}"
                               "{{^is title}}!{{/is title}} {{reads id}} {{{markup id}}}";
    pare_template_functions *functions = read_script(script);
    pare_buffer out = {0};
    assert_int_equal(fill_sized(text, strlen(text), PARE_TEMPLATE_PLAIN, functions, &out, NULL),
                     PARE_OK);
    assert_string_equal(out.data, "<B> `X` 7/<b> `x`/7 seven! nilnil <i>");
    pare_buffer_reset(&out);
    assert_int_equal(fill_sized("{{markup id}}", 13, PARE_TEMPLATE_MARKDOWN, functions, &out, NULL),
                     PARE_OK);
    assert_string_equal(out.data, "`<i>`");
    pare_buffer_done(&out);
    pare_template_functions_free(functions);
}

/* Where the first, middle and last item are the least of many, Lua's own sort draws its pivots by the
 * clock. */
static void test_template_functions__sorting_keeps_equal_rows_in_order(void **state)
{
    (void)state;
    static const char sorts[] =
        "function sorted(text)\n"
        "  local t, n, last = {}, 2999, {k = -1, i = 0}\n"
        "  for i = 1, n do t[i] = {k = 5 + i * 7919 % 4, i = i} end\n"
        "  t[1].k, t[n].k, t[(n + 1) // 2].k = 0, 0, 0\n"
        "  table.sort(t, function(a, b) return a.k < b.k end)\n"
        "  for _, here in ipairs(t) do\n"
        "    if here.k < last.k or here.k == last.k and here.i < last.i then\n"
        "      return 'no'\n"
        "    end\n"
        "    last = here\n"
        "  end\n"
        "  return 'yes'\n"
        "end\n";
    pare_template_functions *functions = read_script(sorts);
    pare_buffer out = {0};
    assert_int_equal(fill_sized("{{sorted id}}", 13, PARE_TEMPLATE_PLAIN, functions, &out, NULL),
                     PARE_OK);
    assert_string_equal(out.data, "yes");
    pare_buffer_done(&out);
    pare_template_functions_free(functions);
}

static void test_template_functions__failures_are_sentences(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        pare_status status;
        const char *sentence;
    } cases[] = {
        {"{{wrong id}}", PARE_E_SYNTAX, "no such thing"},
        {"{{lists id}}", PARE_E_SYNTAX, "returns a table"},
        {"{{nowhere id}}", PARE_E_SYNTAX, "there is no function 'nowhere'"},
        {"{{endless id}}", PARE_E_LIMIT, "steps"},
        {"{{greedy id}}", PARE_E_LIMIT, "memory"},
        {"{{upper id}}", PARE_OK, ""},
    };
    pare_template_functions *functions = read_script(script);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer out = {0};
        pare_error err = {0};
        assert_int_equal(fill_sized(cases[i].text, strlen(cases[i].text), PARE_TEMPLATE_PLAIN,
                                    functions, &out, &err),
                         cases[i].status);
        assert_non_null(strstr(err.message, cases[i].sentence));
        pare_buffer_done(&out);
    }
    pare_template_functions_free(functions);
}

static void test_template_functions__a_wrong_script_is_refused(void **state)
{
    (void)state;
    pare_template_functions *functions = NULL;
    pare_error err = {0};
    pare_template_functions_free(read_script("-- nothing"));
    assert_int_equal(pare_template_functions_new("r.lua", "function", 8, &functions, &err),
                     PARE_E_SYNTAX);
    assert_non_null(strstr(err.message, "r.lua:1:"));
    assert_null(functions);
}

static pare_status fill_with_faults(void *context)
{
    static const char text[] =
        "a {{title}} {{#list}}{{fence lines}}{{/list}}{{code lines}}{{json title}}";
    pare_buffer out = {0};
    pare_status status =
        fill_sized(text, strlen(text), PARE_TEMPLATE_MARKDOWN, context, &out, NULL);
    pare_buffer_done(&out);
    return status;
}

static void test_template__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(fill_with_faults, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template__fields_are_written_as_the_form_says),
        cmocka_unit_test(test_template__sections_come_once_never_or_for_each_row),
        cmocka_unit_test(test_template__a_tag_alone_on_its_line_leaves_none),
        cmocka_unit_test(test_template__functions_of_ours),
        cmocka_unit_test(test_template__mistakes_are_told_with_their_line),
        cmocka_unit_test(test_template__depth_and_length_are_bound),
        cmocka_unit_test(test_template_functions__make_texts_and_conditions),
        cmocka_unit_test(test_template_functions__sorting_keeps_equal_rows_in_order),
        cmocka_unit_test(test_template_functions__failures_are_sentences),
        cmocka_unit_test(test_template_functions__a_wrong_script_is_refused),
        cmocka_unit_test(test_template__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
