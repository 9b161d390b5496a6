/* Files of findings: each format can be read back, whatever targets printed. */
/* tests: src/campaign/findings_file.c src/campaign/finding_json.c src/campaign/sarif.c */
/* tests: src/campaign/junit.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include <pare/campaign_report.h>

#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

/* A fixed, an invalid, a reported and two new findings of two targets; two are hostile. */
static pare_store *make_store(const char *name)
{
    pare_store *store = new_store(name);
    int64_t merged = 0;
    pare_failure failure = failure_of("a", "[1, 2]");
    failure.title = "heap-buffer-overflow in jv_free";
    add_failure(store, &failure);
    assert_int_equal(pare_finding_set_reduced(store, 1, "[1]", 3, &merged, NULL), PARE_OK);
    failure = failure_of("b", "]]></failure> \xff");
    failure.title = "<b> & \"x\" in `f` | \x1b[2J";
    failure.output = "]]>\n```\n\x01\n";
    add_failure(store, &failure);
    failure = failure_of("c", "c");
    failure.target = "other <&\">";
    failure.title = "heap-buffer-overflow in g";
    add_failure(store, &failure);
    add_simple(store, "d", "d");
    assert_int_equal(
        pare_finding_set_validity(store, 4, &(pare_finding_seen){PARE_NOT_THERE, "2", 0, 3}, NULL),
        PARE_OK);
    add_simple(store, "e", "e");
    assert_int_equal(
        pare_finding_set_validity(store, 5, &(pare_finding_seen){PARE_NOT_THERE, "1", 0, 3}, NULL),
        PARE_OK);
    assert_int_equal(state_of(store, 4), PARE_FINDING_FIXED);
    assert_int_equal(state_of(store, 5), PARE_FINDING_INVALID);
    return store;
}

static char *write_file(pare_store *store, const char *format)
{
    pare_buffer text = {0};
    pare_error err = {0};
    if (pare_report_file(store, NULL, format, "out", &err)) fail_msg("%s", err.message);
    assert_int_equal(pare_file_read("out", &text, NULL), PARE_OK);
    for (size_t i = 0; i < text.size; i++)
        assert_true((unsigned char)text.data[i] >= ' ' || text.data[i] == '\n');
    return text.data;
}

static const char *member(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static void test_findings_file__sarif_has_rules_artifacts_and_results(void **state)
{
    (void)state;
    pare_store *store = make_store("sarif.db");
    char *text = write_file(store, "sarif");
    json_t *log = json_loads(text, 0, NULL);
    assert_non_null(log);
    assert_string_equal(member(log, "version"), "2.1.0");
    const json_t *run = json_array_get(json_object_get(log, "runs"), 0);
    const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    const json_t *rules = json_object_get(driver, "rules");
    const json_t *artifacts = json_object_get(run, "artifacts");
    const json_t *results = json_object_get(run, "results");
    assert_string_equal(member(driver, "name"), "pare");
    assert_int_equal(json_array_size(results), 5);
    assert_int_equal(json_array_size(artifacts), 5);
    /* The two overflows share a rule. */
    assert_int_equal(json_array_size(rules), 4);
    size_t i;
    const json_t *result;
    json_array_foreach(results, i, result)
    {
        const json_t *place = json_array_get(json_object_get(result, "locations"), 0);
        const json_t *artifact =
            json_object_get(json_object_get(place, "physicalLocation"), "artifactLocation");
        json_int_t rule = json_integer_value(json_object_get(result, "ruleIndex"));
        json_int_t index = json_integer_value(json_object_get(artifact, "index"));
        assert_string_equal(member(json_array_get(rules, (size_t)rule), "id"),
                            member(result, "ruleId"));
        assert_string_equal(
            member(json_object_get(json_array_get(artifacts, (size_t)index), "location"), "uri"),
            member(artifact, "uri"));
        assert_int_equal(
            strlen(member(json_object_get(result, "partialFingerprints"), "pareIdentity/v1")), 32);
        assert_true(member(json_object_get(result, "message"), "text")[0]);
    }
    result = json_array_get(results, 0);
    assert_string_equal(member(result, "ruleId"), "heap-buffer-overflow");
    assert_string_equal(member(result, "baselineState"), "new");
    assert_string_equal(member(json_object_get(json_array_get(artifacts, 0), "contents"), "text"),
                        "[1]");
    assert_string_equal(member(json_object_get(json_array_get(artifacts, 1), "contents"), "binary"),
                        "XV0+PC9mYWlsdXJlPiD/");
    assert_non_null(json_object_get(json_array_get(results, 3), "suppressions"));
    json_decref(log);
    pare_alloc_free(text);
    pare_store_close(store);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        n++;
    return n;
}

static void test_findings_file__junit_has_a_suite_for_each_target(void **state)
{
    (void)state;
    pare_store *store = make_store("junit.db");
    char *text = write_file(store, "junit");
    assert_non_null(strstr(text, "<testsuite name=\"jq\" tests=\"4\" failures=\"2\" errors=\"0\" "
                                 "skipped=\"1\" time=\"0\">"));
    assert_non_null(strstr(text, "<testsuite name=\"other &lt;&amp;&quot;&gt;\" tests=\"1\""));
    assert_non_null(strstr(text, "name=\"&lt;b&gt; &amp; &quot;x&quot; in `f` | \\x1b[2J "
                                 "(finding 2)\""));
    assert_non_null(strstr(text, "<system-out>]]&gt;&lt;/failure&gt; \\xff</system-out>"));
    assert_int_equal(count(text, "<testcase "), 5);
    assert_int_equal(count(text, "</testcase>"), 5);
    assert_int_equal(count(text, "<failure "), 3);
    assert_int_equal(count(text, "</failure>"), 3);
    assert_int_equal(count(text, "<skipped "), 1);
    pare_alloc_free(text);
    pare_store_close(store);
}

static void test_findings_file__without_findings_there_is_a_test_that_passes(void **state)
{
    (void)state;
    pare_store *store = new_store("none.db");
    char *text = write_file(store, "junit");
    assert_int_equal(count(text, "<testcase "), 1);
    assert_int_equal(count(text, "<failure"), 0);
    pare_alloc_free(text);
    text = write_file(store, "markdown");
    assert_string_equal(text, "# Findings\n\n0 findings.\n");
    pare_alloc_free(text);
    text = write_file(store, "sarif");
    assert_non_null(strstr(text, "\"results\": []"));
    pare_alloc_free(text);
    pare_store_close(store);
}

static void test_findings_file__markdown_shows_texts_as_code(void **state)
{
    (void)state;
    pare_store *store = make_store("markdown.db");
    char *text = write_file(store, "markdown");
    assert_non_null(strstr(text, "5 findings.\n\n## 1. `heap-buffer-overflow in jv_free` in `jq`"));
    assert_non_null(strstr(text, "## 2. ``<b> & \"x\" in `f` | \\x1b[2J`` in `jq`"));
    assert_non_null(strstr(text, "Output:\n\n````\n]]>\n```\n\\x01\n````\n"));
    assert_non_null(strstr(text, "- State: fixed"));
    pare_alloc_free(text);
    pare_store_close(store);
}

static void test_findings_file__json_has_all_of_each(void **state)
{
    (void)state;
    pare_store *store = make_store("json.db");
    char *text = write_file(store, "json");
    json_t *object = json_loads(text, 0, NULL);
    const json_t *list = json_object_get(object, "findings");
    assert_string_equal(member(object, "format"), "pare-findings");
    assert_int_equal(json_array_size(list), 5);
    assert_string_equal(member(json_array_get(list, 0), "input_text"), "[1]");
    assert_string_equal(member(json_array_get(list, 1), "input_base64"), "XV0+PC9mYWlsdXJlPiD/");
    assert_string_equal(member(json_array_get(list, 1), "output"), "]]>\n```\n\x01\n");
    assert_int_equal(strlen(member(json_array_get(list, 0), "fingerprint")), 32);
    json_decref(object);
    pare_alloc_free(text);
    pare_store_close(store);
}

static void test_findings_file__filters_and_formats_are_looked_at(void **state)
{
    (void)state;
    pare_store *store = make_store("filter.db");
    pare_error err = {0};
    const pare_finding_filter fixed = {.states = 1u << PARE_FINDING_FIXED};
    assert_int_equal(pare_report_file(store, &fixed, "markdown", "out", NULL), PARE_OK);
    char start[20] = "";
    FILE *file = fopen("out", "r");
    assert_true(file && fgets(start, sizeof start, file) && fgets(start, sizeof start, file) &&
                fgets(start, sizeof start, file));
    (void)fclose(file);
    assert_string_equal(start, "1 finding.\n");
    assert_int_equal(pare_report_file(store, NULL, "pdf", "out", &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "use sarif, junit, markdown or json"));
    assert_int_equal(pare_report_file(store, NULL, "json", "no/where", NULL), PARE_E_IO);
    pare_store_close(store);
}

/* As many kinds of failures as findings, two of each; each result names its own
 * rule. */
static void test_findings_file__sarif_has_each_rule_once_among_many(void **state)
{
    (void)state;
    enum { KINDS = 300 };
    pare_store *store = new_store("rules.db");
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    for (int i = 0; i < 2 * KINDS; i++) {
        char identity[32], title[32];
        (void)snprintf(identity, sizeof identity, "stderr x%d", i);
        (void)snprintf(title, sizeof title, "kind %d in f%d", i % KINDS, i);
        pare_failure failure = failure_of(identity, "x");
        failure.title = title;
        add_failure(store, &failure);
    }
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    char *text = write_file(store, "sarif");
    json_t *log = json_loads(text, 0, NULL);
    const json_t *run = json_array_get(json_object_get(log, "runs"), 0);
    const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    const json_t *rules = json_object_get(driver, "rules");
    const json_t *results = json_object_get(run, "results");
    assert_int_equal(json_array_size(rules), KINDS);
    assert_int_equal(json_array_size(results), 2 * KINDS);
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        const json_int_t at = json_integer_value(json_object_get(result, "ruleIndex"));
        assert_string_equal(member(json_array_get(rules, (size_t)at), "id"),
                            member(result, "ruleId"));
    }
    json_decref(log);
    pare_alloc_free(text);
    pare_store_close(store);
}

static pare_status write_text(void *store)
{
    static const char *const formats[] = {"junit", "markdown"};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < sizeof formats / sizeof *formats && !status; i++)
        status = pare_report_file(store, NULL, formats[i], "out", NULL);
    return status;
}

static void test_findings_file__reports_oom(void **state)
{
    (void)state;
    pare_store *store = make_store("oom.db");
    sweep_allocations(write_text, store);
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_findings_file__sarif_has_rules_artifacts_and_results),
        cmocka_unit_test(test_findings_file__junit_has_a_suite_for_each_target),
        cmocka_unit_test(test_findings_file__without_findings_there_is_a_test_that_passes),
        cmocka_unit_test(test_findings_file__markdown_shows_texts_as_code),
        cmocka_unit_test(test_findings_file__json_has_all_of_each),
        cmocka_unit_test(test_findings_file__filters_and_formats_are_looked_at),
        cmocka_unit_test(test_findings_file__sarif_has_each_rule_once_among_many),
        cmocka_unit_test(test_findings_file__reports_oom),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
