/* Text from outside is text in each format, whatever it holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include "base/random.h"
#include "campaign/escape.h"
#include "unit/alloc_sweep.h"

typedef pare_status (*escape)(const void *bytes, size_t size, pare_buffer *out, pare_error *err);

static void check(escape function, const char *text, size_t size, const char *wanted)
{
    pare_buffer out = {0};
    assert_int_equal(function(text, size, &out, NULL), PARE_OK);
    assert_string_equal(out.data ? out.data : "", wanted);
    pare_buffer_done(&out);
}

static void check_text(escape function, const char *text, const char *wanted)
{
    check(function, text, strlen(text), wanted);
}

static void test_escape__what_cannot_be_seen_is_written_out(void **state)
{
    (void)state;
    check_text(pare_escape_visible, "a\tb\n\xc3\xa9", "a\tb\n\xc3\xa9");
    check_text(pare_escape_visible, "\x1b[2J\r", "\\x1b[2J\\x0d");
    check(pare_escape_visible, "a\0b", 3, "a\\x00b");
    check_text(pare_escape_visible, "\xff\xc3(", "\\xff\\xc3(");
    /* A right-to-left override, a zero-width space, a C1 control, a noncharacter. */
    check_text(pare_escape_visible, "\xe2\x80\xae\xe2\x80\x8b\xc2\x9b\xef\xbf\xbf",
               "\\u{202e}\\u{200b}\\u{9b}\\u{ffff}");
    assert_true(pare_escape_is_faithful("a\n\t\xc3\xa9", 5));
    assert_false(pare_escape_is_faithful("a\rb", 3));
    assert_true(pare_escape_is_faithful("", 0));
}

static void test_escape__a_line_is_one_line_and_short(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } cases[] = {{"  a\nb\t ", "a b"},          {"0123456789", "0123456789"},
                 {"01234567890", "0123456..."}, {"012345\xc3\xa9\xc3\xa9\xc3\xa9", "012345..."},
                 {"0123456\xff", "0123456..."}, {"\n \t", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer out = {0};
        assert_int_equal(pare_escape_line(cases[i].text, strlen(cases[i].text), 10, &out, NULL),
                         PARE_OK);
        assert_string_equal(out.data, cases[i].line);
        pare_buffer_done(&out);
    }
}

static void test_escape__code_of_markdown_ends_where_it_should(void **state)
{
    (void)state;
    check_text(pare_escape_code, "@admin #1 <b>", "`@admin #1 <b>`");
    check_text(pare_escape_code, "a`b", "``a`b``");
    check_text(pare_escape_code, "``", "``` `` ```");
    check_text(pare_escape_code, "", "` `");
    check_text(pare_escape_code, "a\n\n# b", "`a  # b`");
    check_text(pare_escape_fence, "a\n", "```\na\n```\n");
    check_text(pare_escape_fence, "a", "```\na\n```\n");
    check_text(pare_escape_fence, "```\n````` x\n", "``````\n```\n````` x\n``````\n");
    check_text(pare_escape_fence, "", "```\n```\n");
}

static void test_escape__xml_json_and_urls_hold_any_bytes(void **state)
{
    (void)state;
    check_text(pare_escape_xml, "<a b='\"'>&\n]]>",
               "&lt;a b=&apos;&quot;&apos;&gt;&amp;&#10;]]&gt;");
    check_text(pare_escape_xml, "\x1b\x01", "\\x1b\\x01");
    check_text(pare_escape_json, "\"\\\n\xc3\xa9\xf0\x9f\x98\x80\x7f",
               "\"\\\"\\\\\\n\\u00e9\\ud83d\\ude00\\\\x7f\"");
    check_text(pare_escape_url, "a b/\xc3\xa9&#?", "a%20b%2F%C3%A9%26%23%3F");
    check_text(pare_escape_base64, "", "");
    check_text(pare_escape_base64, "f", "Zg==");
    check_text(pare_escape_base64, "fo", "Zm8=");
    check_text(pare_escape_base64, "foobar", "Zm9vYmFy");
}

static void test_escape__base64_has_lines_of_76(void **state)
{
    (void)state;
    char bytes[115] = {0};
    pare_buffer out = {0};
    assert_int_equal(pare_escape_base64(bytes, sizeof bytes, &out, NULL), PARE_OK);
    assert_int_equal(out.size, 76 + 1 + 76 + 1 + 4);
    assert_true(out.data[76] == '\n' && out.data[153] == '\n');
    pare_buffer_done(&out);
}

/* Random bytes: what is made is a string of JSON, and the visible form is a fixed point. */
static void test_escape__random_bytes_are_text_everywhere(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 15);
    for (int round = 0; round < 2000; round++) {
        unsigned char bytes[40];
        size_t size = (size_t)pare_random_below(&random, sizeof bytes);
        pare_buffer shown = {0}, json = {0}, again = {0};
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)pare_random_below(&random, round % 2 ? 256 : 128);
        assert_int_equal(pare_escape_visible(bytes, size, &shown, NULL), PARE_OK);
        assert_true(pare_escape_is_faithful(shown.data, shown.size));
        assert_int_equal(pare_escape_json(bytes, size, &json, NULL), PARE_OK);
        json_t *value = json_loadb(json.data, json.size, JSON_DECODE_ANY, NULL);
        assert_non_null(value);
        assert_int_equal(json_string_length(value), shown.size);
        json_decref(value);
        assert_int_equal(pare_escape_code(bytes, size, &again, NULL), PARE_OK);
        assert_null(memchr(again.data, '\n', again.size));
        pare_buffer_done(&shown);
        pare_buffer_done(&json);
        pare_buffer_done(&again);
    }
}

static pare_status make_all(void *context)
{
    static const escape all[] = {pare_escape_visible, pare_escape_code, pare_escape_fence,
                                 pare_escape_xml,     pare_escape_json, pare_escape_url,
                                 pare_escape_base64};
    pare_buffer out = {0};
    pare_status status = PARE_OK;
    (void)context;
    for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++)
        status = all[i]("a<`\x01", 4, &out, NULL);
    pare_buffer_done(&out);
    return status;
}

static void test_escape__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(make_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escape__what_cannot_be_seen_is_written_out),
        cmocka_unit_test(test_escape__a_line_is_one_line_and_short),
        cmocka_unit_test(test_escape__code_of_markdown_ends_where_it_should),
        cmocka_unit_test(test_escape__xml_json_and_urls_hold_any_bytes),
        cmocka_unit_test(test_escape__base64_has_lines_of_76),
        cmocka_unit_test(test_escape__random_bytes_are_text_everywhere),
        cmocka_unit_test(test_escape__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
