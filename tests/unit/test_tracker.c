/* Requests to trackers are what their interfaces ask for; answers of any kind are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include "campaign/tracker.h"
#include "unit/alloc_sweep.h"

static const pare_tracker github = {.kind = PARE_TRACKER_GITHUB,
                                    .url = "",
                                    .project = "o/r",
                                    .product = "",
                                    .component = "",
                                    .version = "",
                                    .labels = " fuzz, a\"b"};
static const pare_tracker gitlab = {.kind = PARE_TRACKER_GITLAB,
                                    .url = "https://git.example.org/",
                                    .project = "g/s/p",
                                    .product = "",
                                    .component = "",
                                    .version = "",
                                    .labels = "fuzz,b"};
static const pare_tracker bugzilla = {.kind = PARE_TRACKER_BUGZILLA,
                                      .url = "https://bugs.example.org",
                                      .project = "",
                                      .product = "P & Q",
                                      .component = "C",
                                      .version = "",
                                      .labels = ""};
static const pare_tracker_issue issue = {.title = "it's \"here\" & <b>",
                                         .body = "text\n\npare-finding: 0123\n",
                                         .mark = "pare-finding: 0123"};

static json_t *create(const pare_tracker *tracker, const char *url)
{
    pare_tracker_request request = {0};
    assert_int_equal(pare_tracker_check(tracker, NULL), PARE_OK);
    assert_int_equal(pare_tracker_create(tracker, &issue, &request, NULL), PARE_OK);
    assert_string_equal(request.method, "POST");
    assert_string_equal(request.url.data, url);
    json_t *body = json_loadb(request.body.data, request.body.size, 0, NULL);
    assert_non_null(body);
    pare_tracker_request_done(&request);
    return body;
}

static const char *member(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void test_tracker__an_issue_is_made_as_each_wants_it(void **state)
{
    (void)state;
    json_t *body = create(&github, "https://api.github.com/repos/o/r/issues");
    assert_string_equal(member(body, "title"), issue.title);
    assert_string_equal(member(body, "body"), issue.body);
    json_t *labels = json_object_get(body, "labels");
    assert_int_equal(json_array_size(labels), 2);
    assert_string_equal(json_string_value(json_array_get(labels, 0)), "fuzz");
    assert_string_equal(json_string_value(json_array_get(labels, 1)), "a\"b");
    json_decref(body);
    body = create(&gitlab, "https://git.example.org/api/v4/projects/g%2Fs%2Fp/issues");
    assert_string_equal(member(body, "description"), issue.body);
    assert_string_equal(member(body, "labels"), "fuzz,b");
    json_decref(body);
    body = create(&bugzilla, "https://bugs.example.org/rest/bug");
    assert_string_equal(member(body, "summary"), issue.title);
    assert_string_equal(member(body, "description"), issue.body);
    assert_string_equal(member(body, "product"), "P & Q");
    assert_string_equal(member(body, "version"), "unspecified");
    json_decref(body);
}

static void test_tracker__searches_hold_texts_only_as_values(void **state)
{
    (void)state;
    static const struct {
        const pare_tracker *tracker;
        pare_tracker_look look;
        const char *url;
    } cases[] = {
        {&github, PARE_LOOK_MARK,
         "https://api.github.com/search/issues?per_page=100&q="
         "%220123%22%20in%3Abody%20repo%3Ao%2Fr%20is%3Aissue"},
        {&github, PARE_LOOK_NEWEST,
         "https://api.github.com/repos/o/r/issues?state=all&sort=created&per_page=100"},
        {&github, PARE_LOOK_TITLE,
         "https://api.github.com/search/issues?per_page=100&q=%22it%27s%20%20here%20%20%26%20%3Cb"
         "%3E%22%20in%3Atitle%20repo%3Ao%2Fr%20is%3Aissue"},
        {&gitlab, PARE_LOOK_MARK,
         "https://git.example.org/api/v4/projects/g%2Fs%2Fp/issues?scope=all&state=all&"
         "order_by=created_at&sort=desc&per_page=100&in=description&search=0123"},
        {&bugzilla, PARE_LOOK_MARK,
         "https://bugs.example.org/rest/bug?product=P%20%26%20Q&include_fields=id,summary&"
         "limit=100&f1=longdesc&o1=substring&v1=pare-finding%3A%200123"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_tracker_request request = {0};
        assert_int_equal(
            pare_tracker_search(cases[i].tracker, cases[i].look, &issue, &request, NULL), PARE_OK);
        assert_string_equal(request.url.data, cases[i].url);
        assert_string_equal(request.method, "GET");
        assert_int_equal(request.body.size, 0);
        pare_tracker_request_done(&request);
    }
}

static void test_tracker__what_is_missing_is_named(void **state)
{
    (void)state;
    pare_tracker no_project = github, wrong = github, no_url = bugzilla, no_component = bugzilla,
                 hidden = gitlab;
    no_project.project = "";
    wrong.project = "https://github.com/o/r";
    no_url.url = "";
    no_component.component = "";
    hidden.url = "https://git.example.org@evil.example";
    const struct {
        const pare_tracker *tracker;
        const char *sentence;
    } cases[] = {
        {&no_project, "github: the project is missing, such as project = OWNER/NAME"},
        {&wrong, "github: write the project as OWNER/NAME, not 'https://github.com/o/r'"},
        {&no_url, "bugzilla: its address is missing, such as url = https://bugs.example.org"},
        {&no_component, "bugzilla: the component is missing"},
        {&hidden, "gitlab: 'https://git.example.org@evil.example' is not the address of a tracker"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_error err = {0};
        assert_int_equal(pare_tracker_check(cases[i].tracker, &err), PARE_E_ARG);
        assert_string_equal(err.message, cases[i].sentence);
    }
}

static pare_status read_created(const pare_tracker *tracker, long code, const char *text,
                                pare_buffer *url, pare_error *err)
{
    pare_tracker_answer answer = {.code = code};
    assert_int_equal(pare_buffer_text(&answer.bytes, text, NULL), PARE_OK);
    pare_status status = pare_tracker_read_created(tracker, &answer, url, err);
    pare_buffer_done(&answer.bytes);
    return status;
}

static void test_tracker__the_address_of_a_new_issue_is_read(void **state)
{
    (void)state;
    static const struct {
        const pare_tracker *tracker;
        const char *answer, *url;
    } cases[] = {
        {&github, "{\"html_url\": \"https://github.com/o/r/issues/7\", \"id\": 1}",
         "https://github.com/o/r/issues/7"},
        {&gitlab, "{\"web_url\": \"https://git.example.org/g/s/p/-/issues/7\"}",
         "https://git.example.org/g/s/p/-/issues/7"},
        {&bugzilla, "{\"id\": 7}", "https://bugs.example.org/show_bug.cgi?id=7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer url = {0};
        assert_int_equal(read_created(cases[i].tracker, 201, cases[i].answer, &url, NULL), PARE_OK);
        assert_string_equal(url.data, cases[i].url);
        pare_buffer_done(&url);
    }
}

static void test_tracker__refusals_are_one_sentence(void **state)
{
    (void)state;
    static const struct {
        const pare_tracker *tracker;
        long code;
        const char *answer;
        pare_status status;
        const char *sentence;
    } cases[] = {
        {&github, 422, "{\"message\":\"Validation Failed\",\"errors\":[{\"code\":\"custom\"}]}",
         PARE_E_IO, "github refuses it (422): Validation Failed [{\"code\": \"custom\"}]"},
        {&github, 422, "{\"message\":\"x\",\"errors\":[{\"code\":\"already_exists\"}]}",
         PARE_E_STATE, "github says that it has this issue"},
        {&gitlab, 409, "{}", PARE_E_STATE, "gitlab says that it has this issue"},
        {&github, 500, "<html>\x1b[31m oops\n</html>", PARE_E_IO,
         "github refuses it (500): <html>\\x1b[31m oops </html>"},
        {&github, 401, "{\"message\":\"Bad credentials\"}", PARE_E_IO,
         "github refuses it (401): Bad credentials"},
        {&gitlab, 500, "", PARE_E_IO, "gitlab refuses it (500)"},
        {&bugzilla, 200, "{\"error\": true, \"message\": \"no such product\"}", PARE_E_IO,
         "bugzilla refuses it (200): no such product"},
        {&bugzilla, 200, "{\"id\": -7}", PARE_E_IO,
         "bugzilla gives an answer without an issue (200)"},
        {&github, 201, "{\"html_url\": \"javascript:alert(1)\"}", PARE_E_IO,
         "github gives an answer without an issue (201)"},
        {&github, 201, "[1, 2", PARE_E_IO, "github gives an answer without an issue (201): [1, 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer url = {0};
        pare_error err = {0};
        assert_int_equal(read_created(cases[i].tracker, cases[i].code, cases[i].answer, &url, &err),
                         cases[i].status);
        assert_string_equal(err.message, cases[i].sentence);
        assert_int_equal(url.size, 0);
        pare_buffer_done(&url);
    }
}

static pare_status read_found(const pare_tracker *tracker, pare_tracker_look look, const char *text,
                              pare_tracker_found *found, pare_error *err)
{
    pare_tracker_answer answer = {.code = 200};
    assert_int_equal(pare_buffer_text(&answer.bytes, text, NULL), PARE_OK);
    pare_status status = pare_tracker_read_found(tracker, look, &issue, &answer, found, err);
    pare_buffer_done(&answer.bytes);
    return status;
}

static void test_tracker__duplicates_are_known_by_mark_or_seem_so_by_title(void **state)
{
    (void)state;
    static const struct {
        const pare_tracker *tracker;
        pare_tracker_look look;
        const char *answer;
        pare_tracker_match match;
        const char *url;
    } cases[] = {
        {&github, PARE_LOOK_MARK, "{\"items\": []}", PARE_MATCH_NONE, ""},
        {&github, PARE_LOOK_MARK,
         "{\"items\": [{\"body\": \"other\", \"title\": \"x\"}, 7, {\"body\": null},"
         " {\"body\": \"a pare-finding: 0123 b\", \"html_url\": \"https://g/2\"}]}",
         PARE_MATCH_MARK, "https://g/2"},
        {&github, PARE_LOOK_NEWEST,
         "[{\"title\": \"IT'S \\\"here\\\" & <b>\", \"html_url\": \"https://g/1\"},"
         " {\"body\": \"pare-finding: 0123\", \"html_url\": \"https://g/2\"}]",
         PARE_MATCH_MARK, "https://g/2"},
        {&gitlab, PARE_LOOK_TITLE,
         "[{\"title\": \"it's \\\"here\\\" & <b>\", \"web_url\": \"https://g/1\"}]",
         PARE_MATCH_TITLE, "https://g/1"},
        {&gitlab, PARE_LOOK_TITLE, "[{\"title\": \"it's\", \"web_url\": \"https://g/1\"}]",
         PARE_MATCH_NONE, ""},
        {&bugzilla, PARE_LOOK_MARK, "{\"bugs\": [{\"id\": 5, \"summary\": \"x\"}]}",
         PARE_MATCH_MARK, "https://bugs.example.org/show_bug.cgi?id=5"},
        {&bugzilla, PARE_LOOK_TITLE, "{\"bugs\": [{\"id\": 5, \"summary\": \"x\"}]}",
         PARE_MATCH_NONE, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_tracker_found found = {.match = PARE_MATCH_TITLE};
        assert_int_equal(read_found(cases[i].tracker, cases[i].look, cases[i].answer, &found, NULL),
                         PARE_OK);
        assert_int_equal(found.match, cases[i].match);
        assert_string_equal(found.url.size ? found.url.data : "", cases[i].url);
        pare_buffer_done(&found.url);
    }
}

static void test_tracker__garbage_in_a_search_is_an_error(void **state)
{
    (void)state;
    static const char *const answers[] = {"", "7", "{\"items\": 7}", "<html>",
                                          "{\"items\": [{\"body\": \"pare-finding: 0123\"}]}"};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        pare_error err = {0};
        pare_tracker_found found = {.match = PARE_MATCH_TITLE};
        assert_int_equal(read_found(&github, PARE_LOOK_MARK, answers[i], &found, &err), PARE_E_IO);
        assert_int_equal(found.match, PARE_MATCH_NONE);
        assert_true(err.message[0]);
        pare_buffer_done(&found.url);
    }
}

static void test_tracker__the_script_for_curl_holds_no_token(void **state)
{
    (void)state;
    pare_tracker_request request = {0};
    pare_buffer out = {0};
    const pare_tracker_token_place by_variable = {.variable = "GITHUB_TOKEN"};
    const pare_tracker_token_place by_file = {.file = "/home/u/my token"};
    assert_int_equal(pare_tracker_create(&github, &issue, &request, NULL), PARE_OK);
    assert_int_equal(pare_tracker_script(&request, &by_variable, "a b.json", &out, NULL), PARE_OK);
    assert_non_null(strstr(out.data, "token=\"$GITHUB_TOKEN\"\n"));
    assert_non_null(strstr(out.data, "printf '%s%s\\n' 'Authorization: Bearer ' \"$token\" |\n"));
    assert_non_null(strstr(out.data, "-H @-"));
    assert_non_null(strstr(out.data, "--data-binary @'a b.json'"));
    assert_non_null(strstr(out.data, "\n    https://api.github.com/repos/o/r/issues\n"));
    pare_buffer_reset(&out);
    assert_int_equal(pare_tracker_script(&request, &by_file, "a.json", &out, NULL), PARE_OK);
    assert_non_null(strstr(out.data, "token=\"$(cat '/home/u/my token')\"\n"));
    pare_tracker_request_done(&request);
    pare_buffer_done(&out);
}

static pare_status do_all(void *context)
{
    static const pare_tracker *const trackers[] = {&github, &gitlab, &bugzilla};
    const pare_tracker_token_place place = {.variable = "T"};
    pare_status status = PARE_OK;
    pare_buffer out = {0};
    (void)context;
    for (size_t i = 0; i < 3 && !status; i++) {
        pare_tracker_request request = {0};
        status = pare_tracker_create(trackers[i], &issue, &request, NULL);
        if (!status) status = pare_tracker_script(&request, &place, "b", &out, NULL);
        pare_tracker_request_done(&request);
        if (!status)
            status = pare_tracker_search(trackers[i], PARE_LOOK_TITLE, &issue, &request, NULL);
        pare_tracker_request_done(&request);
    }
    pare_buffer_done(&out);
    return status;
}

static void test_tracker__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(do_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tracker__an_issue_is_made_as_each_wants_it),
        cmocka_unit_test(test_tracker__searches_hold_texts_only_as_values),
        cmocka_unit_test(test_tracker__what_is_missing_is_named),
        cmocka_unit_test(test_tracker__the_address_of_a_new_issue_is_read),
        cmocka_unit_test(test_tracker__refusals_are_one_sentence),
        cmocka_unit_test(test_tracker__duplicates_are_known_by_mark_or_seem_so_by_title),
        cmocka_unit_test(test_tracker__garbage_in_a_search_is_an_error),
        cmocka_unit_test(test_tracker__the_script_for_curl_holds_no_token),
        cmocka_unit_test(test_tracker__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
