/* Requests to the web server: what is read, what is refused, and who may change something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <cmocka.h>

#include "ui/fuzz_web_request.h"
#include "unit/alloc_sweep.h"

#define TOKEN "0123456789abcdef"

static const char *const names[] = {"lab.example"};
static const pare_fuzz_web_door loopback = {
    .token = TOKEN, .cookie = "pare-fuzz-7273", .is_loopback = true, .hosts = names, .n_hosts = 1};
static const pare_fuzz_web_wire plain = {.method = "GET", .uri = "/", .host = "127.0.0.1:7273"};

/* Reads and ends it; the code. */
static pare_fuzz_web_code code_of(const pare_fuzz_web_wire *wire)
{
    pare_fuzz_web_request request;
    pare_fuzz_web_code code = pare_fuzz_web_request_read(wire, &loopback, &request);
    assert_int_equal(code != 0, request.sentence[0] != 0);
    pare_fuzz_web_request_done(&request);
    return code;
}

static pare_fuzz_web_code code_of_uri(const char *uri)
{
    pare_fuzz_web_wire wire = plain;
    wire.uri = uri;
    return code_of(&wire);
}

static void test_fuzz_web_request__cuts_paths_and_decodes_parameters(void **state)
{
    (void)state;
    pare_fuzz_web_wire wire = plain;
    pare_fuzz_web_request request;
    wire.uri = "/api/v1/findings/12/?q=a%20b%26c%3d+d&state=&flag&x=%C3%A9";
    assert_int_equal(pare_fuzz_web_request_read(&wire, &loopback, &request), 0);
    static const char *const segments[] = {"api", "v1", "findings", "12"};
    assert_int_equal(request.n_segments, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(request.segments[i], segments[i]);
    assert_string_equal(pare_fuzz_web_request_parameter(&request, "q"), "a b&c= d");
    assert_string_equal(pare_fuzz_web_request_parameter(&request, "state"), "");
    assert_string_equal(pare_fuzz_web_request_parameter(&request, "flag"), "");
    assert_string_equal(pare_fuzz_web_request_parameter(&request, "x"), "\xc3\xa9");
    assert_null(pare_fuzz_web_request_parameter(&request, "y"));
    pare_fuzz_web_request_done(&request);
}

static void test_fuzz_web_request__refuses_addresses_that_are_none_of_ours(void **state)
{
    (void)state;
    static const struct {
        const char *uri;
        pare_fuzz_web_code code;
    } cases[] = {{"", PARE_FUZZ_WEB_BAD},
                 {"findings", PARE_FUZZ_WEB_BAD},
                 {"*", PARE_FUZZ_WEB_BAD},
                 {"http://evil.example/", PARE_FUZZ_WEB_BAD},
                 {"/%2e%2e/etc/passwd", PARE_FUZZ_WEB_BAD},
                 {"/a\\b", PARE_FUZZ_WEB_BAD},
                 {"/a\x01", PARE_FUZZ_WEB_BAD},
                 {"/<script>", PARE_FUZZ_WEB_BAD},
                 {"/a/b/c/d/e/f/g/h", PARE_FUZZ_WEB_MISSING},
                 {"/?a=%", PARE_FUZZ_WEB_BAD},
                 {"/?a=%0", PARE_FUZZ_WEB_BAD},
                 {"/?a=%0g", PARE_FUZZ_WEB_BAD},
                 {"/?a=%00", PARE_FUZZ_WEB_BAD},
                 {"/?a=%ff", PARE_FUZZ_WEB_BAD},
                 {"/?a=%c0%80", PARE_FUZZ_WEB_BAD},
                 {"/?a=1&a=2", PARE_FUZZ_WEB_BAD},
                 {"/?a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q", PARE_FUZZ_WEB_BAD},
                 {"/", 0},
                 {"//", 0},
                 {"/../..", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(code_of_uri(cases[i].uri), cases[i].code);
    char *uri = malloc(PARE_FUZZ_WEB_URI_BYTES + 1);
    assert_non_null(uri);
    memset(uri, 'a', PARE_FUZZ_WEB_URI_BYTES);
    uri[0] = '/';
    uri[PARE_FUZZ_WEB_URI_BYTES] = '\0';
    assert_int_equal(code_of_uri(uri), PARE_FUZZ_WEB_URI_TOO_LONG);
    uri[PARE_FUZZ_WEB_URI_BYTES - 1] = '\0';
    assert_int_equal(code_of_uri(uri), 0);
    free(uri);
}

static void test_fuzz_web_request__knows_its_hosts(void **state)
{
    (void)state;
    static const struct {
        const char *host;
        bool near, far; /* let in on loopback, and beyond */
    } cases[] = {{"127.0.0.1:7273", true, true},  {"127.0.0.1", true, true},
                 {"localhost:1", true, true},     {"LocalHost", true, true},
                 {"[::1]:7273", true, true},      {"lab.example:80", true, true},
                 {"192.168.1.9:80", false, true}, {"[fe80::1]:80", false, true},
                 {"evil.example", false, false},  {"127.0.0.1.evil.example", false, false},
                 {"localhost:x", false, false},   {"localhost:99999", false, false},
                 {"[::1", false, false},          {"", false, false},
                 {":80", false, false},           {"127.0.0.1:80:80", false, false},
                 {"localhost@evil", false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_fuzz_web_wire wire = plain;
        pare_fuzz_web_door door = loopback;
        pare_fuzz_web_request request;
        wire.host = cases[i].host;
        assert_int_equal(!pare_fuzz_web_request_read(&wire, &door, &request), cases[i].near);
        pare_fuzz_web_request_done(&request);
        door.is_loopback = false;
        assert_int_equal(!pare_fuzz_web_request_read(&wire, &door, &request), cases[i].far);
        pare_fuzz_web_request_done(&request);
    }
    pare_fuzz_web_wire none = plain;
    none.host = NULL;
    assert_int_equal(code_of(&none), PARE_FUZZ_WEB_FORBIDDEN);
}

static void test_fuzz_web_request__lets_change_who_has_the_token_and_is_our_page(void **state)
{
    (void)state;
    static const char ORIGIN[] = "http://127.0.0.1:7273", COOKIE[] = "a=b; pare-fuzz-7273=" TOKEN;
    static const struct {
        const char *uri, *origin, *cookie, *authorization;
        pare_fuzz_web_code code;
        bool has_token, may_change;
    } cases[] = {
        {"/", NULL, NULL, NULL, 0, false, false},
        {"/", ORIGIN, NULL, NULL, 0, false, false},
        {"/", NULL, COOKIE, NULL, 0, true, false},
        {"/", ORIGIN, COOKIE, NULL, 0, true, true},
        {"/", "https://127.0.0.1:7273", COOKIE, NULL, 0, true, true},
        {"/", NULL, NULL, "Bearer " TOKEN, 0, true, true},
        {"/", NULL, NULL, "bearer " TOKEN, 0, true, true},
        {"/", NULL, COOKIE, "Bearer x", PARE_FUZZ_WEB_NO_TOKEN, false, false},
        {"/", NULL, NULL, "Bearer " TOKEN "0", PARE_FUZZ_WEB_NO_TOKEN, false, false},
        {"/", NULL, NULL, "Bearer ", PARE_FUZZ_WEB_NO_TOKEN, false, false},
        {"/", NULL, NULL, "Basic " TOKEN, 0, false, false},
        {"/?token=" TOKEN, NULL, NULL, NULL, 0, true, false},
        {"/?token=" TOKEN, ORIGIN, NULL, NULL, 0, true, false},
        {"/?token=x", NULL, NULL, NULL, 0, false, false},
        {"/", ORIGIN, "xpare-fuzz-7273=" TOKEN, NULL, 0, false, false},
        {"/", ORIGIN, "pare-fuzz-7273=" TOKEN "x", NULL, 0, false, false},
        {"/", ORIGIN, "pare-fuzz-7273", NULL, 0, false, false},
        {"/", ORIGIN, "pare-fuzz-7273=x;pare-fuzz-7273=" TOKEN, NULL, 0, true, true},
        {"/", "null", COOKIE, NULL, PARE_FUZZ_WEB_FORBIDDEN, false, false},
        {"/", "", COOKIE, NULL, PARE_FUZZ_WEB_FORBIDDEN, false, false},
        {"/", "http://127.0.0.1:7274", COOKIE, NULL, PARE_FUZZ_WEB_FORBIDDEN, false, false},
        {"/", "http://evil.example", NULL, "Bearer " TOKEN, PARE_FUZZ_WEB_FORBIDDEN, false, false},
        {"/", "file://127.0.0.1:7273", COOKIE, NULL, PARE_FUZZ_WEB_FORBIDDEN, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_fuzz_web_wire wire = plain;
        pare_fuzz_web_door door = loopback;
        pare_fuzz_web_request request;
        wire.uri = cases[i].uri;
        wire.origin = cases[i].origin;
        wire.cookie = cases[i].cookie;
        wire.authorization = cases[i].authorization;
        assert_int_equal(pare_fuzz_web_request_read(&wire, &door, &request), cases[i].code);
        assert_int_equal(request.has_token, cases[i].has_token);
        assert_int_equal(request.may_change, cases[i].may_change);
        pare_fuzz_web_request_done(&request);
        door.is_read_only = true;
        (void)pare_fuzz_web_request_read(&wire, &door, &request);
        assert_false(request.may_change);
        pare_fuzz_web_request_done(&request);
    }
}

static pare_fuzz_web_code code_of_body(const char *body, const char *type)
{
    pare_fuzz_web_wire wire = plain;
    wire.method = "POST";
    wire.body = body;
    wire.body_bytes = strlen(body);
    wire.content_type = type;
    return code_of(&wire);
}

static void test_fuzz_web_request__takes_json_objects_only(void **state)
{
    (void)state;
    static const char JSON[] = "application/json";
    assert_int_equal(code_of_body("", NULL), 0);
    assert_int_equal(code_of_body("{}", JSON), 0);
    assert_int_equal(code_of_body("{}", "Application/JSON; charset=utf-8"), 0);
    assert_int_equal(code_of_body("{}", NULL), PARE_FUZZ_WEB_NO_JSON);
    assert_int_equal(code_of_body("{}", "text/plain"), PARE_FUZZ_WEB_NO_JSON);
    assert_int_equal(code_of_body("{}", "application/jsonx"), PARE_FUZZ_WEB_NO_JSON);
    static const char *const wrong[] = {
        "[]", "{", "1", "{\"a\":1,\"a\":2}", "{\"a\":\"\\u0000\"}", "{\"a\":\"\xff\"}", "{} x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(code_of_body(wrong[i], JSON), PARE_FUZZ_WEB_BAD);
    char *large = calloc(1, PARE_FUZZ_WEB_BODY_BYTES + 2);
    assert_non_null(large);
    memset(large, ' ', PARE_FUZZ_WEB_BODY_BYTES + 1);
    assert_int_equal(code_of_body(large, JSON), PARE_FUZZ_WEB_TOO_LARGE);
    memset(large, '[', PARE_FUZZ_WEB_BODY_BYTES);
    large[PARE_FUZZ_WEB_BODY_BYTES] = '\0';
    assert_int_equal(code_of_body(large, JSON), PARE_FUZZ_WEB_BAD);
    free(large);
}

static void test_fuzz_web_request__knows_its_methods(void **state)
{
    (void)state;
    static const char *const methods[] = {"GET", "HEAD", "POST",  "PATCH",   "DELETE",
                                          "PUT", "get",  "TRACE", "CONNECT", ""};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        pare_fuzz_web_wire wire = plain;
        wire.method = methods[i];
        assert_int_equal(code_of(&wire), i < 5 ? 0 : PARE_FUZZ_WEB_METHOD);
    }
}

static void test_fuzz_web_request__reads_numbers_up_to_a_limit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t most;
        bool fits;
        uint64_t number;
    } cases[] = {{"0", 0, true, 0},
                 {"7", 9, true, 7},
                 {"10", 9, false, 0},
                 {"", 9, false, 0},
                 {"-1", 9, false, 0},
                 {"+1", 9, false, 0},
                 {" 1", 9, false, 0},
                 {"1 ", 9, false, 0},
                 {"0x1", 99, false, 0},
                 {"9", 5, false, 0},
                 {"007", 9, true, 7},
                 {"18446744073709551615", UINT64_MAX, true, UINT64_MAX},
                 {"18446744073709551616", UINT64_MAX, false, 0},
                 {"9223372036854775808", INT64_MAX, false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t number = 0;
        assert_int_equal(pare_fuzz_web_request_number(cases[i].text, cases[i].most, &number),
                         cases[i].fits);
        assert_int_equal(number, cases[i].number);
    }
}

static void test_fuzz_web_request__knows_tokens(void **state)
{
    (void)state;
    char longest[PARE_FUZZ_WEB_TOKEN_BYTES + 1];
    memset(longest, 'a', PARE_FUZZ_WEB_TOKEN_BYTES);
    longest[PARE_FUZZ_WEB_TOKEN_BYTES] = '\0';
    assert_true(pare_fuzz_web_request_is_token(TOKEN));
    assert_true(pare_fuzz_web_request_is_token("abcdefghijklmno_-9"));
    assert_false(pare_fuzz_web_request_is_token("0123456789abcde"));
    assert_false(pare_fuzz_web_request_is_token("0123456789abcde;"));
    assert_false(pare_fuzz_web_request_is_token("0123456789abcde\n"));
    assert_false(pare_fuzz_web_request_is_token(longest));
}

static void test_fuzz_web_request__memory_may_run_out(void **state)
{
    (void)state;
#ifdef PARE_FAULT_INJECTION
    pare_alloc_fault_after(0);
    assert_int_equal(code_of_uri("/"), PARE_FUZZ_WEB_BROKEN);
    assert_true(pare_alloc_fault_hit());
    pare_alloc_fault_after(SIZE_MAX);
#endif
    assert_int_equal(live_blocks(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuzz_web_request__cuts_paths_and_decodes_parameters),
        cmocka_unit_test(test_fuzz_web_request__refuses_addresses_that_are_none_of_ours),
        cmocka_unit_test(test_fuzz_web_request__knows_its_hosts),
        cmocka_unit_test(test_fuzz_web_request__lets_change_who_has_the_token_and_is_our_page),
        cmocka_unit_test(test_fuzz_web_request__takes_json_objects_only),
        cmocka_unit_test(test_fuzz_web_request__knows_its_methods),
        cmocka_unit_test(test_fuzz_web_request__reads_numbers_up_to_a_limit),
        cmocka_unit_test(test_fuzz_web_request__knows_tokens),
        cmocka_unit_test(test_fuzz_web_request__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
