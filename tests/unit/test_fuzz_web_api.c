/* Every call of the web API on a store in which each text is a hostile one somewhere: what is
 * answered, what is refused, and that nothing changes without the token. */
/* tests: src/ui/fuzz_web_json.c src/ui/fuzz_web_change.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>
#include <cmocka.h>

#include "ui/fuzz_web_api.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"
#include "unit/support/web_store.h"

static const pare_fuzz_web_door door = {
    .token = "0123456789abcdef", .cookie = "pare-fuzz-1", .is_loopback = true};
static pare_store *store;

typedef enum rights { READS, CHANGES } rights;

static pare_fuzz_web_answer answer_to(const char *method, const char *uri, const char *body,
                                      rights given)
{
    const pare_fuzz_web_wire wire = {.method = method,
                                     .uri = uri,
                                     .host = "localhost",
                                     .authorization = given ? "Bearer 0123456789abcdef" : NULL,
                                     .content_type = "application/json",
                                     .body = body,
                                     .body_bytes = body ? strlen(body) : 0};
    const pare_fuzz_web_api api = {.store = store, .store_path = "web.db", .door = &door};
    pare_fuzz_web_request request;
    pare_fuzz_web_answer answer = {0};
    pare_fuzz_web_code code = pare_fuzz_web_request_read(&wire, &door, &request);
    if (code)
        must(pare_fuzz_web_api_refuse(code, request.sentence, &answer, NULL));
    else
        must(pare_fuzz_web_api_answer(&api, &request, &answer, NULL));
    pare_fuzz_web_request_done(&request);
    return answer;
}

/* The JSON that is answered, with the code that is expected. */
static json_t *json_of(const char *method, const char *uri, const char *body, unsigned code)
{
    pare_fuzz_web_answer answer = answer_to(method, uri, body, CHANGES);
    if (answer.code != code)
        fail_msg("%s %s: %d instead of %u: %s", method, uri, (int)answer.code, code,
                 answer.body.size ? answer.body.data : "");
    assert_string_equal(answer.type, "application/json");
    json_t *value = json_loadb(answer.body.data, answer.body.size, 0, NULL);
    assert_true(json_is_object(value));
    pare_fuzz_web_api_done(&answer);
    return value;
}

static json_t *get(const char *uri)
{
    return json_of("GET", uri, NULL, 200);
}

static void assert_refused(const char *method, const char *uri, const char *body, unsigned code,
                           const char *sentence)
{
    json_t *value = json_of(method, uri, body, code);
    assert_string_equal(json_string_value(json_object_get(value, "error")), sentence);
    assert_int_equal(json_object_size(value), 1);
    json_decref(value);
}

/* How long the list `name` is that is answered. */
static size_t count_of(const char *uri, const char *name)
{
    json_t *value = get(uri);
    assert_true(json_is_array(json_object_get(value, name)));
    size_t n = json_array_size(json_object_get(value, name));
    json_decref(value);
    return n;
}

static const char *text(const json_t *value, const char *name)
{
    assert_true(json_is_string(json_object_get(value, name)));
    return json_string_value(json_object_get(value, name));
}

static int64_t number(const json_t *value, const char *name)
{
    assert_true(json_is_integer(json_object_get(value, name)));
    return json_integer_value(json_object_get(value, name));
}

/* ---- reading ----------------------------------------------------------------------- */

static void test_fuzz_web_api__says_how_it_stands(void **state)
{
    (void)state;
    json_t *value = get("/api/v1/");
    assert_int_equal(number(value, "api"), 1);
    assert_string_equal(text(value, "store"), "web.db");
    assert_true(json_is_true(json_object_get(value, "may_change")));
    assert_true(json_is_false(json_object_get(value, "running")));
    assert_int_equal(number(json_object_get(value, "findings"), "reduced"), 2);
    assert_int_equal(number(json_object_get(value, "findings"), "merged"), 1);
    assert_int_equal(number(json_object_get(value, "jobs"), "running"), 2);
    assert_int_equal(number(value, "tests"), 210010);
    assert_int_equal(number(value, "config"), 1);
    assert_int_equal(json_array_size(json_object_get(value, "targets")), 2);
    assert_int_equal(json_array_size(json_object_get(value, "sources")), 3);
    json_decref(value);
}

static void test_fuzz_web_api__lists_findings_by_filter_and_in_order(void **state)
{
    (void)state;
    static const struct {
        const char *query;
        size_t n;
        int64_t first, total;
    } cases[] = {{"", 7, 1, 7},
                 {"?state=all", 8, 1, 8},
                 {"?state=reduced", 2, 2, 2},
                 {"?state=new,fixed", 2, 1, 2},
                 {"?state=merged", 1, 7, 1},
                 {"?target=jq", 6, 1, 6},
                 {"?source=grammar&target=jq", 6, 1, 6},
                 {"?target=nothing", 0, 0, 0},
                 {"?q=FUNCTION_4", 1, 4, 1},
                 {"?q=%25", 0, 0, 0},
                 {"?sort=id&order=desc", 7, 8, 7},
                 {"?sort=count&order=desc", 7, 1, 7},
                 {"?limit=2&offset=3", 2, 4, 7},
                 {"?offset=100", 0, 0, 7},
                 {"?state=&target=&source=&q=", 7, 1, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char uri[200];
        (void)snprintf(uri, sizeof uri, "/api/v1/findings%s", cases[i].query);
        json_t *value = get(uri), *list = json_object_get(value, "findings");
        assert_int_equal(json_array_size(list), cases[i].n);
        assert_int_equal(number(value, "total"), cases[i].total);
        if (cases[i].n) assert_int_equal(number(json_array_get(list, 0), "id"), cases[i].first);
        json_decref(value);
    }
}

static void test_fuzz_web_api__gives_all_of_a_finding(void **state)
{
    (void)state;
    json_t *value = get("/api/v1/findings/2");
    assert_string_equal(text(value, "state"), "reduced");
    assert_string_equal(text(value, "title"), "heap-buffer-overflow in function_2");
    assert_string_equal(text(value, "explanation"), "1e2000: any number above 1e1000");
    assert_non_null(strstr(text(value, "output"), "#1 0x5562 in main src/main.c:12"));
    assert_int_equal(number(value, "reduced_bytes"), 8);
    char uri[100];
    (void)snprintf(uri, sizeof uri, "/api/v1/contents/%s", text(value, "reduced"));
    pare_fuzz_web_answer answer = answer_to("GET", uri, NULL, READS);
    assert_int_equal(answer.code, 200);
    assert_string_equal(answer.type, "application/octet-stream");
    assert_true(answer.is_download);
    assert_string_equal(answer.body.data, "{1e2000}");
    pare_fuzz_web_api_done(&answer);
    json_decref(value);
}

/* What is no UTF-8 is replaced, and nothing else is touched. */
static void test_fuzz_web_api__hostile_texts_stay_texts(void **state)
{
    (void)state;
    static const char wanted[] =
        "<script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\">"
        "'\"><svg onload=document.title='ran'>{{7*7}}${7*7}\x1b[31m\xe2\x80\xae"
        "evil\xef\xbf\xbd</pre>";
    static const char *const members[] = {"target", "source", "identity",    "signature",
                                          "title",  "note",   "explanation", "url"};
    json_t *value = get("/api/v1/findings/8");
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        assert_string_equal(text(value, members[i]), wanted);
    json_decref(value);
}

static void test_fuzz_web_api__lists_the_rest(void **state)
{
    (void)state;
    assert_int_equal(count_of("/api/v1/findings/1/members", "members"), 2);
    assert_true(count_of("/api/v1/findings/1/events", "events") >= 1);
    assert_int_equal(count_of("/api/v1/jobs", "jobs"), 4);
    assert_int_equal(count_of("/api/v1/jobs?all=1", "jobs"), 5);
    assert_int_equal(count_of("/api/v1/jobs?all=1&limit=1", "jobs"), 1);
    assert_int_equal(count_of("/api/v1/statistics", "statistics"), 3);
    assert_true(count_of("/api/v1/curve?points=50", "points") > 10);
    assert_true(count_of("/api/v1/curve?target=jq&points=2", "points") <= 2);
    assert_int_equal(count_of("/api/v1/events?last=3", "events"), 3);
    assert_int_equal(count_of("/api/v1/events?after=1000000", "events"), 0);
    json_t *value = get("/api/v1/configurations/1");
    assert_non_null(strstr(text(value, "text"), "[target jq]"));
    json_decref(value);
}

static void test_fuzz_web_api__pages_and_their_files_are_the_same_for_everybody(void **state)
{
    (void)state;
    static const char *const pages[] = {
        "/",        "/findings?state=new", "/findings/12",    "/jobs/",
        "/sources", "/configuration",      "/configuration/3"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        pare_fuzz_web_answer answer = answer_to("GET", pages[i], NULL, READS);
        assert_int_equal(answer.code, 200);
        assert_non_null(strstr(answer.fixed, "<title>pare fuzz</title>"));
        assert_null(strstr(answer.fixed, "<script>"));
        pare_fuzz_web_api_done(&answer);
    }
    static const char *const files[] = {"style.css", "main.js",  "views.js", "finding.js",
                                        "plot.js",   "parts.js", "icon.svg"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char uri[100];
        (void)snprintf(uri, sizeof uri, "/static/%s", files[i]);
        pare_fuzz_web_answer answer = answer_to("GET", uri, NULL, READS);
        assert_int_equal(answer.code, 200);
        assert_true(answer.fixed_bytes > 100);
        assert_null(strstr(answer.fixed, "innerHTML ="));
        assert_null(strstr(answer.fixed, "eval("));
        pare_fuzz_web_api_done(&answer);
    }
    pare_fuzz_web_answer stream = answer_to("GET", "/api/v1/stream?after=3", NULL, READS);
    assert_true(stream.is_stream);
    assert_int_equal(stream.stream_after, 3);
    pare_fuzz_web_api_done(&stream);
}

static void test_fuzz_web_api__puts_the_token_into_a_cookie(void **state)
{
    (void)state;
    pare_fuzz_web_answer answer = answer_to("GET", "/?token=0123456789abcdef", NULL, READS);
    assert_int_equal(answer.code, 303);
    assert_true(answer.sets_cookie);
    assert_int_equal(answer.fixed_bytes, 0);
    pare_fuzz_web_api_done(&answer);
    answer = answer_to("GET", "/?token=0123456789abcdeX", NULL, READS);
    assert_int_equal(answer.code, 200);
    assert_false(answer.sets_cookie);
    pare_fuzz_web_api_done(&answer);
}

/* ---- what is refused --------------------------------------------------------------- */

static void test_fuzz_web_api__refuses_with_one_sentence(void **state)
{
    (void)state;
    static const char NOTHING[] = "there is nothing at this address";
    static const struct {
        const char *method, *uri, *body;
        unsigned code;
        const char *sentence;
    } cases[] = {
        {"GET", "/api/v2/findings", NULL, 404, NOTHING},
        {"GET", "/api/v1/findings/0", NULL, 404, NOTHING},
        {"GET", "/api/v1/findings/-1", NULL, 404, NOTHING},
        {"GET", "/api/v1/findings/1x", NULL, 404, NOTHING},
        {"GET", "/api/v1/findings/99999999999999999999", NULL, 404, NOTHING},
        {"GET", "/api/v1/contents/../../etc/passwd", NULL, 404, NOTHING},
        {"GET", "/api/v1/contents/ABCDEFABCDEFABCDEFABCDEFABCDEFAB", NULL, 404, NOTHING},
        {"GET", "/static/main.js/", NULL, 200, NULL},
        {"GET", "/static/..", NULL, 404, NOTHING},
        {"DELETE", "/api/v1/findings", NULL, 405, "this address has no such method"},
        {"GET", "/api/v1/jobs/1/cancel", NULL, 405, "this address has no such method"},
        {"POST", "/", "{}", 405, "this address has no such method"},
        {"GET", "/api/v1/findings?colour=red", NULL, 400, "unknown parameter 'colour'"},
        {"GET", "/api/v1/findings?state=neww", NULL, 400, "unknown state 'neww'"},
        {"GET", "/api/v1/findings?state=new,", NULL, 200, NULL},
        {"GET", "/api/v1/findings?sort=size%20desc", NULL, 400,
         "sort must be one of id, first_seen, last_seen, count, size, state, target"},
        {"GET", "/api/v1/findings?order=up", NULL, 400, "order must be asc or desc"},
        {"GET", "/api/v1/findings?limit=0", NULL, 400, "limit must be at least 1"},
        {"GET", "/api/v1/findings?limit=1001", NULL, 400, "limit is not a number from 0 to 1000"},
        {"GET", "/api/v1/findings?offset=-1", NULL, 400,
         "offset is not a number from 0 to 2147483647"},
        {"GET", "/api/v1/curve?points=1", NULL, 400, "points must be at least 2"},
        {"GET", "/api/v1/jobs?limit=0", NULL, 400, "limit must be at least 1"},
        {"GET", "/api/v1/jobs?limit=1001", NULL, 400, "limit is not a number from 0 to 1000"},
        {"GET", "/api/v1/jobs?all=2", NULL, 400, "all is not a number from 0 to 1"},
        {"PATCH", "/api/v1/findings/1", NULL, 400, "there is no body"},
        {"POST", "/api/v1/jobs", NULL, 400, "there is no body"},
        {"POST", "/api/v1/findings", NULL, 400, "there is no body"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].sentence) {
            assert_refused(cases[i].method, cases[i].uri, cases[i].body, cases[i].code,
                           cases[i].sentence);
        } else {
            pare_fuzz_web_answer answer = answer_to(cases[i].method, cases[i].uri, NULL, READS);
            assert_int_equal(answer.code, cases[i].code);
            pare_fuzz_web_api_done(&answer);
        }
    }
    json_decref(json_of("GET", "/api/v1/findings/99", NULL, 404));
    json_decref(json_of("GET", "/api/v1/configurations/99", NULL, 404));
    json_decref(json_of("GET", "/api/v1/contents/00000000000000000000000000000000", NULL, 404));
}

/* Members, types, sizes, and what an action needs. */
static void test_fuzz_web_api__refuses_changes_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *uri, *body, *sentence;
    } cases[] = {
        {"/api/v1/findings/1", "{}",
         "action must be one of edit, merge, split, delete, reduce, validate, bisect, report"},
        {"/api/v1/findings/1", "{\"action\":7}",
         "action must be one of edit, merge, split, delete, reduce, validate, bisect, report"},
        {"/api/v1/findings/1", "{\"action\":\"edit\"}",
         "nothing to edit: state, title, note or url is missing"},
        {"/api/v1/findings/1", "{\"action\":\"edit\",\"into\":3}", "unknown member 'into'"},
        {"/api/v1/findings/1", "{\"action\":\"edit\",\"state title\":\"x\"}",
         "unknown member 'state title'"},
        {"/api/v1/findings/1", "{\"action\":\"edit\",\"\":\"x\"}", "unknown member ''"},
        {"/api/v1/findings/1", "{\"action\":\"edit\",\"state\":\"merged\"}",
         "merging is an action, not a state to set"},
        {"/api/v1/findings/1", "{\"action\":\"edit\",\"state\":\"x\"}", "unknown state 'x'"},
        {"/api/v1/findings/1", "{\"action\":\"edit\",\"note\":7}", "note is not a text"},
        {"/api/v1/findings/1", "{\"action\":\"edit\",\"url\":\"javascript:alert(1)\"}",
         "url must be an http or https address"},
        {"/api/v1/findings/1", "{\"action\":\"edit\",\"url\":\"https://a b\"}",
         "url must be an http or https address"},
        {"/api/v1/findings/1", "{\"action\":\"merge\"}", "into is not the number of a finding"},
        {"/api/v1/findings/1", "{\"action\":\"merge\",\"into\":1}",
         "a finding cannot be merged into itself"},
        {"/api/v1/findings/1", "{\"action\":\"report\"}",
         "detail is missing: where the report goes"},
        {"/api/v1/findings", "{\"action\":\"reduce\"}", "ids must be a list of 1 to 1000 numbers"},
        {"/api/v1/findings", "{\"action\":\"reduce\",\"ids\":[]}",
         "ids must be a list of 1 to 1000 numbers"},
        {"/api/v1/findings", "{\"action\":\"reduce\",\"ids\":[1,\"2\"]}",
         "an element of ids is not the number of a finding"},
        {"/api/v1/jobs", "{\"kind\":\"fuzz\"}",
         "kind must be one of reduce, validate, update, bisect, report"},
        {"/api/v1/jobs", "{\"kind\":\"reduce\"}", "finding is missing"},
        {"/api/v1/jobs", "{\"kind\":\"reduce\",\"finding\":1.5}",
         "finding is not the number of a finding"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused("POST", cases[i].uri, cases[i].body, 400, cases[i].sentence);
    char body[3000];
    (void)snprintf(body, sizeof body, "{\"title\":\"%01001d\"}", 0);
    assert_refused("PATCH", "/api/v1/findings/1", body, 400, "title is longer than 1000 bytes");
}

static void test_fuzz_web_api__nothing_changes_without_the_token(void **state)
{
    (void)state;
    static const struct {
        const char *method, *uri, *body;
    } cases[] = {{"PATCH", "/api/v1/findings/1", "{\"note\":\"x\"}"},
                 {"DELETE", "/api/v1/findings/1", NULL},
                 {"POST", "/api/v1/findings/1", "{\"action\":\"delete\"}"},
                 {"POST", "/api/v1/findings", "{\"action\":\"delete\",\"ids\":[1]}"},
                 {"POST", "/api/v1/jobs", "{\"kind\":\"validate\"}"},
                 {"POST", "/api/v1/jobs/1/cancel", NULL},
                 {"POST", "/api/v1/jobs/1/pause", NULL},
                 {"POST", "/api/v1/jobs/1/resume", NULL},
                 {"POST", "/api/v1/jobs/pause", NULL},
                 {"POST", "/api/v1/jobs/cancel", NULL}};
    int64_t before = number_of(store, "SELECT total(id) + count(*) FROM event");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_fuzz_web_answer answer =
            answer_to(cases[i].method, cases[i].uri, cases[i].body, READS);
        assert_int_equal(answer.code, 401);
        pare_fuzz_web_api_done(&answer);
    }
    assert_int_equal(number_of(store, "SELECT total(id) + count(*) FROM event"), before);
    assert_int_equal(state_of(store, 1), PARE_FINDING_NEW);
}

/* ---- changing ---------------------------------------------------------------------- */

static void test_fuzz_web_api__edits_a_finding(void **state)
{
    (void)state;
    json_t *value = json_of("PATCH", "/api/v1/findings/4",
                            "{\"state\":\"reported\",\"note\":\"n\\u00e4her\",\"title\":\"t\","
                            "\"url\":\"https://bugs.example/4?a=1\"}",
                            200);
    assert_string_equal(text(value, "state"), "reported");
    assert_string_equal(text(value, "note"), "n\xc3\xa4her");
    assert_string_equal(text(value, "title"), "t");
    assert_string_equal(text(value, "url"), "https://bugs.example/4?a=1");
    json_decref(value);
    value = json_of("PATCH", "/api/v1/findings/4", "{\"url\":\"\"}", 200);
    assert_string_equal(text(value, "url"), "");
    assert_string_equal(text(value, "note"), "n\xc3\xa4her");
    json_decref(value);
}

static void test_fuzz_web_api__merges_splits_and_deletes(void **state)
{
    (void)state;
    json_decref(json_of("POST", "/api/v1/findings/5", "{\"action\":\"merge\",\"into\":2}", 200));
    assert_int_equal(state_of(store, 5), PARE_FINDING_MERGED);
    json_decref(json_of("POST", "/api/v1/findings/5", "{\"action\":\"split\"}", 200));
    assert_int_not_equal(state_of(store, 5), PARE_FINDING_MERGED);
    json_decref(json_of("DELETE", "/api/v1/findings/5", NULL, 200));
    json_decref(json_of("GET", "/api/v1/findings/5", NULL, 404));
    json_decref(json_of("DELETE", "/api/v1/findings/5", NULL, 404));
}

static void test_fuzz_web_api__asks_for_jobs(void **state)
{
    (void)state;
    json_t *value = json_of("POST", "/api/v1/findings/6", "{\"action\":\"reduce\"}", 201);
    int64_t job = number(value, "job");
    assert_true(job > 0);
    json_decref(value);
    value = json_of("POST", "/api/v1/jobs", "{\"kind\":\"reduce\",\"finding\":6}", 201);
    assert_int_equal(number(value, "job"), job);
    json_decref(value);
    static const char *const verbs[] = {"pause", "resume", "cancel"};
    for (size_t i = 0; i < 3; i++) {
        char uri[100];
        (void)snprintf(uri, sizeof uri, "/api/v1/jobs/%lld/%s", (long long)job, verbs[i]);
        json_decref(json_of("POST", uri, NULL, 200));
    }
    json_decref(json_of("POST", "/api/v1/jobs/pause", NULL, 200));
    json_decref(json_of("POST", "/api/v1/jobs/resume", NULL, 200));
}

static void test_fuzz_web_api__changes_several_and_says_which_it_could_not(void **state)
{
    (void)state;
    json_t *value = json_of("POST", "/api/v1/findings",
                            "{\"action\":\"edit\",\"state\":\"invalid\",\"ids\":[3,999,6]}", 200);
    assert_int_equal(number(value, "done"), 2);
    json_t *failed = json_object_get(value, "failed");
    assert_int_equal(json_array_size(failed), 1);
    assert_int_equal(number(json_array_get(failed, 0), "id"), 999);
    assert_true(strlen(text(json_array_get(failed, 0), "error")) > 5);
    json_decref(value);
    assert_int_equal(state_of(store, 3), PARE_FINDING_INVALID);
}

/* ---- memory ------------------------------------------------------------------------ */

/* Allocations of ours only: Jansson's and SQLite's are their own. */
static pare_status attempt(void *uri)
{
    const pare_fuzz_web_wire wire = {.method = "GET", .uri = uri, .host = "localhost"};
    const pare_fuzz_web_api api = {.store = store, .store_path = "web.db", .door = &door};
    pare_fuzz_web_request request;
    pare_fuzz_web_answer answer = {0};
    pare_fuzz_web_code code = pare_fuzz_web_request_read(&wire, &door, &request);
    pare_status status = code == PARE_FUZZ_WEB_BROKEN
                             ? PARE_E_NOMEM
                             : pare_fuzz_web_api_answer(&api, &request, &answer, NULL);
    pare_fuzz_web_api_done(&answer);
    pare_fuzz_web_request_done(&request);
    return status;
}

static void test_fuzz_web_api__memory_may_run_out(void **state)
{
    (void)state;
    static char uris[][60] = {"/api/v1/findings?q=a", "/api/v1/findings/8", "/api/v1/curve",
                              "/api/v1/configurations/1"};
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++)
        sweep_allocations(attempt, uris[i]);
}

static int set_up(void **state)
{
    if (scratch_setup(state)) return -1;
    store = new_web_store("web.db");
    return 0;
}

static int tear_down(void **state)
{
    pare_store_close(store);
    return scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuzz_web_api__says_how_it_stands),
        cmocka_unit_test(test_fuzz_web_api__lists_findings_by_filter_and_in_order),
        cmocka_unit_test(test_fuzz_web_api__gives_all_of_a_finding),
        cmocka_unit_test(test_fuzz_web_api__hostile_texts_stay_texts),
        cmocka_unit_test(test_fuzz_web_api__lists_the_rest),
        cmocka_unit_test(test_fuzz_web_api__pages_and_their_files_are_the_same_for_everybody),
        cmocka_unit_test(test_fuzz_web_api__puts_the_token_into_a_cookie),
        cmocka_unit_test(test_fuzz_web_api__refuses_with_one_sentence),
        cmocka_unit_test(test_fuzz_web_api__refuses_changes_that_are_none),
        cmocka_unit_test(test_fuzz_web_api__nothing_changes_without_the_token),
        cmocka_unit_test(test_fuzz_web_api__memory_may_run_out),
        cmocka_unit_test(test_fuzz_web_api__edits_a_finding),
        cmocka_unit_test(test_fuzz_web_api__merges_splits_and_deletes),
        cmocka_unit_test(test_fuzz_web_api__asks_for_jobs),
        cmocka_unit_test(test_fuzz_web_api__changes_several_and_says_which_it_could_not),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
