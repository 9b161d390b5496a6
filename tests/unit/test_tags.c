/* Which tags are found, and what closes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/passes/tags.h"
#include "unit/alloc_sweep.h"

/* The tags of `source`, a line each: the tag, and the one that closes it. */
static pare_status list_tags(const char *source, char *out, size_t size)
{
    pare_text *text = NULL;
    pare_pass_view view = {0};
    pare_tags tags = {0};
    size_t at = 0;
    out[0] = '\0';
    pare_status status = pare_text_copy(source, strlen(source), &text, NULL);
    const pare_pass_view given = {.text = text, .end = strlen(source)};
    if (!status) status = pare_pass_view_open(&given, &view, NULL);
    if (!status) status = pare_tags_find(&view, &tags, NULL);
    for (size_t i = 0; i < tags.n; i++) {
        const pare_lexeme *lexemes = view.lexemes.at;
        const pare_tag *tag = &tags.items[i];
        const int n = (int)(lexemes[tag->last].to - lexemes[tag->first].from);
        at += (size_t)snprintf(out + at, size - at, "%.*s", n, source + lexemes[tag->first].from);
        if (tag->close != PARE_NO_LEXEME)
            at += (size_t)snprintf(out + at, size - at, " %.*s",
                                   (int)(lexemes[tag->close_last].to - lexemes[tag->close].from),
                                   source + lexemes[tag->close].from);
        at += (size_t)snprintf(out + at, size - at, "\n");
    }
    pare_tags_done(&tags);
    pare_pass_view_close(&view);
    pare_text_unref(text);
    return status;
}

static void assert_tags(const char *source, const char *expected)
{
    char out[1000];
    assert_int_equal(list_tags(source, out, sizeof out), PARE_OK);
    assert_string_equal(out, expected);
}

static void test_tags__of_markup(void **state)
{
    (void)state;
    assert_tags("<a x='>' y><b>t<br/><i></b></a >", "<a x='>' y> </a >\n<b> </b>\n<br/>\n<i>\n");
    assert_tags("<x:y-z></x:y></x:y-z>", "<x:y-z> </x:y-z>\n");
    assert_tags("<a><a></a></a>", "<a> </a>\n<a> </a>\n");
    assert_tags("a < b > c; </d> < /e>", "");
    assert_tags("<!doctype a><?a?>", "");
}

static void test_tags__of_other_brackets(void **state)
{
    (void)state;
    assert_tags("[b=3][c]x[0][/c][/b]", "[b=3] [/b]\n[c] [/c]\n");
    assert_tags("{% if a %}{% x %}{% endif %}", "{% if a %} {% endif %}\n");
    assert_tags("{{#a b}}{{c}}{{/a}}", "{{#a b}} {{/a}}\n");
    assert_tags("if (a) { b = [c]; } else { endb; }", "{ b = [c]; } { endb; }\n");
    assert_tags("[a]<a>[/b]</c>{ /a }", "<a>\n");
    assert_tags("", "");
}

static pare_status find_some(void *context)
{
    char out[1000];
    return list_tags(context, out, sizeof out);
}

static void test_tags__gives_all_memory_back(void **state)
{
    (void)state;
    char source[] = "<a><b></b>[c]{{#d}}{{/d}}[/c]</a>";
    sweep_allocations(find_some, source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tags__of_markup),
        cmocka_unit_test(test_tags__of_other_brackets),
        cmocka_unit_test(test_tags__gives_all_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
