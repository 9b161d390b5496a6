/* Reports: folders, requests that can be sent by hand, and issues of a tracker that answers well, badly
 * or not at all. */
/* tests: src/campaign/report_finding.c src/campaign/report_fields.c src/campaign/report_text.c */
/* tests: src/campaign/report_folder.c src/campaign/report_job.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include <pare/campaign_report.h>

#include "campaign/job.h"
#include "campaign/job_run.h"
#include "campaign/report_text.h"
#include "unit/alloc_sweep.h"
#include "unit/support/loopback.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

#include "unit/support/stored_campaign.h"

#define TARGET "[target jq]\ncommand = /bin/cat -v @@\nsuffix = .json\nenv = A=b c\n"

static const char identity[] = "signal SIGABRT; frame \"jv_free\"";

/* A store with finding 1, reduced, and finding 2, whose texts and input are hostile. */
static pare_store *make_store(const char *name, const char *campaign)
{
    pare_store *store = new_store(name);
    int64_t merged = 0;
    set_campaign(store, campaign);
    pare_failure failure = failure_of(identity, "[1, 2, 3]");
    failure.title = "assertion in jv_free";
    failure.output = "first\n```\n@admin <b> \x1b[31m\n";
    add_failure(store, &failure);
    assert_int_equal(pare_finding_set_reduced(store, 1, "[1]", 3, &merged, NULL), PARE_OK);
    failure = failure_of("frame \"x\"", "a\r\n\xff");
    failure.title = "`x` $(touch owned)\n# @all";
    add_failure(store, &failure);
    return store;
}

static pare_status report(pare_store *store, int64_t id, const pare_report_options *options,
                          pare_report_result *result, pare_error *err)
{
    *err = (pare_error){0};
    return pare_report_finding(store, id, options, result, err);
}

static char *read_text(const char *path)
{
    pare_buffer text = {0};
    if (pare_file_read(path, &text, NULL)) fail_msg("%s", path);
    return text.data;
}

static void assert_holds(const char *path, const char *part)
{
    char *text = read_text(path);
    if (!strstr(text, part)) fail_msg("%s lacks '%s':\n%s", path, part, text);
    pare_alloc_free(text);
}

/* ---- folders --------------------------------------------------------------------------- */

static void test_report_finding__a_folder_has_all_that_one_needs(void **state)
{
    (void)state;
    pare_error err;
    pare_report_result result;
    pare_store *store = make_store("folder.db", TARGET);
    const pare_report_options options = {.to = "out/reports"};
    if (report(store, 1, &options, &result, &err)) fail_msg("%s", err.message);
    assert_string_equal(result.path, "out/reports/finding-1");
    assert_file_holds("out/reports/finding-1/reduced.json", "[1]");
    assert_file_holds("out/reports/finding-1/original.json", "[1, 2, 3]");
    assert_file_holds("out/reports/finding-1/command.txt",
                      "env 'A=b c' /bin/cat -v reduced.json\n");
    assert_holds("out/reports/finding-1/README.md",
                 "````\nfirst\n```\n@admin <b> \\x1b[31m\n````\n");
    assert_holds("out/reports/finding-1/README.md", "`pare-finding: ");
    json_t *object = json_load_file("out/reports/finding-1/finding.json", 0, NULL);
    assert_string_equal(json_string_value(json_object_get(object, "identity")), identity);
    assert_int_equal(json_integer_value(json_object_get(object, "reduced_bytes")), 3);
    json_decref(object);
    assert_int_equal(system("out/reports/finding-1/show.sh > shown.txt"), 0);
    assert_file_holds("shown.txt", "[1]");
    /* Again: it is replaced. */
    assert_int_equal(report(store, 1, &options, &result, &err), PARE_OK);
    assert_int_equal(count_entries("out/reports"), 1);
    assert_int_equal(state_of(store, 1), PARE_FINDING_REDUCED);
    pare_store_close(store);
}

/* A suffix is any text but a path, and its point may be missing; a command may be a text for a
 * shell, and may read its standard input. */
static void test_report_finding__a_script_shows_it_whatever_the_command_and_suffix(void **state)
{
    (void)state;
    static const struct {
        const char *target, *file, *command;
    } cases[] = {
        {"[target jq]\ncommand = /bin/cat\nsuffix = .a $(touch owned) 'b\n",
         "suffix/finding-1/reduced.a $(touch owned) 'b",
         "/bin/cat < 'reduced.a $(touch owned) '\\''b'\n"},
        {"[target jq]\ncommand = /bin/cat @@\nsuffix = js\n", "suffix/finding-1/reduced.js",
         "/bin/cat reduced.js\n"},
        {"[target jq]\ncommand = false || cat @@\nsuffix = .'\nenv = A=1\n",
         "suffix/finding-1/reduced.'",
         "env A=1 sh -c 'false || cat \"$1\"' pare 'reduced.'\\'''\n"},
        {"[target jq]\ncommand = true && cat\n", "suffix/finding-1/reduced",
         "sh -c 'true && cat' < reduced\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_error err;
        pare_report_result result;
        pare_store *store = make_store("suffix.db", cases[i].target);
        const pare_report_options options = {.to = "./suffix"};
        if (report(store, 1, &options, &result, &err)) fail_msg("%s", err.message);
        assert_file_holds(cases[i].file, "[1]");
        assert_file_holds("suffix/finding-1/command.txt", cases[i].command);
        assert_int_equal(system("suffix/finding-1/show.sh > shown.txt"), 0);
        assert_file_holds("shown.txt", "[1]");
        assert_false(pare_file_exists("suffix/finding-1/owned"));
        pare_store_close(store);
    }
}

static void test_report_finding__hostile_texts_stay_texts(void **state)
{
    (void)state;
    pare_error err;
    pare_report_result result;
    pare_store *store = make_store("hostile.db", TARGET);
    const pare_report_options options = {.to = "hostile"};
    assert_int_equal(report(store, 2, &options, &result, &err), PARE_OK);
    assert_holds("hostile/finding-2/README.md", "`` `x` $(touch owned) # @all ``");
    assert_holds("hostile/finding-2/README.md", "a\\x0d\n\\xff");
    assert_holds("hostile/finding-2/README.md", "in base64:\n\n```\nYQ0K/w==\n```\n");
    assert_int_equal(system("cd hostile/finding-2 && ./show.sh > /dev/null"), 0);
    assert_false(pare_file_exists("hostile/finding-2/owned"));
    pare_store_close(store);
}

static void test_report_finding__a_folder_of_others_is_left_alone(void **state)
{
    (void)state;
    pare_error err;
    pare_report_result result;
    pare_store *store = make_store("others.db", TARGET);
    const pare_report_options options = {.to = "others"};
    assert_int_equal(pare_file_make_directories("others/finding-1", NULL), PARE_OK);
    scratch_write("others/finding-1/thesis.tex", "years", 0644);
    assert_int_equal(report(store, 1, &options, &result, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "is not a report by pare"));
    assert_file_holds("others/finding-1/thesis.tex", "years");
    pare_store_close(store);
}

/* ---- requests -------------------------------------------------------------------------- */

static void test_report_finding__a_request_can_be_sent_by_hand(void **state)
{
    (void)state;
    pare_error err;
    pare_report_result result;
    pare_store *store = make_store("request.pare.db", TARGET "[report hub]\nto = github\n"
                                                             "project = o/r\nlabels = fuzz\n");
    const pare_report_options options = {.to = "hub"};
    if (report(store, 1, &options, &result, &err)) fail_msg("%s", err.message);
    char path[256];
    (void)snprintf(path, sizeof path, "%s/request.reports/finding-1-github.sh", scratch_dir);
    assert_string_equal(result.path, path);
    assert_holds(path, "https://api.github.com/repos/o/r/issues");
    assert_holds(path, "GITHUB_TOKEN");
    json_t *body = json_load_file("request.reports/finding-1-github.json", 0, NULL);
    assert_string_equal(json_string_value(json_object_get(body, "title")),
                        "jq: assertion in jv_free");
    assert_non_null(strstr(json_string_value(json_object_get(body, "body")), "pare-finding: "));
    json_decref(body);
    assert_int_equal(state_of(store, 1), PARE_FINDING_REDUCED);
    pare_store_close(store);
}

static void test_report_finding__the_user_can_name_tracker_and_project(void **state)
{
    (void)state;
    static const struct {
        const char *to, *project, *url, *part;
    } cases[] = {
        {"github", "o/r", NULL, "https://api.github.com/repos/o/r/issues"},
        {"gitlab", "g/p", "https://git.example.org",
         "https://git.example.org/api/v4/projects/g%2Fp/issues"},
        {"bugzilla", "P/C", "https://bugs.example.org", "https://bugs.example.org/rest/bug"},
    };
    pare_store *store = make_store("named.pare.db", TARGET);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_error err;
        pare_report_result result;
        const pare_report_options options = {.to = cases[i].to,
                                             .project = cases[i].project,
                                             .url = cases[i].url,
                                             .out_dir = "named"};
        if (report(store, 1, &options, &result, &err)) fail_msg("%s", err.message);
        assert_holds(result.path, cases[i].part);
    }
    assert_holds("named/finding-1-bugzilla.json", "\"component\": \"C\"");
    pare_store_close(store);
}

static void test_report_finding__what_cannot_be_is_told(void **state)
{
    (void)state;
    static const struct {
        pare_report_options options;
        int64_t id;
        pare_status status;
        const char *sentence;
    } cases[] = {
        {{.to = "gitlab"}, 1, PARE_E_ARG, "gitlab: the project is missing"},
        {{.to = "out", .send = true}, 1, PARE_E_ARG, "--send is for trackers, not for folders"},
        {{.to = "out"}, 99, PARE_E_STATE, "99"},
        {{.to = "githb"},
         1,
         PARE_E_ARG,
         "'githb' is not a tracker, a section or a folder: did you "
         "mean 'github'?  To create a folder, write ./githb"},
        {{.to = "tempate"}, 1, PARE_E_ARG, "did you mean 'template'?"},
        {{.to = "odd"},
         1,
         PARE_E_ARG,
         "'to' must be folder, github, gitlab or bugzilla, not 'jira'"},
        {{.to = "template"}, 1, PARE_E_IO, "nowhere.md"},
        {{.to = "title"}, 1, PARE_E_SYNTAX, "the title:1: unknown field 'titel'"},
        {{.to = "hub", .send = true}, 1, PARE_E_STATE, "the token is missing: set PARE_TEST_TOKEN"},
    };
    pare_store *store = make_store(
        "wrong.db", TARGET "[report odd]\nto = jira\n[report template]\ntemplate = /nowhere.md\n"
                           "[report title]\ntitle = {{titel}}\n"
                           "[report hub]\nto = github\nproject = o/r\ntoken_env = "
                           "PARE_TEST_TOKEN\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_error err;
        pare_report_result result;
        assert_int_equal(report(store, cases[i].id, &cases[i].options, &result, &err),
                         cases[i].status);
        if (!strstr(err.message, cases[i].sentence)) fail_msg("%s", err.message);
    }
    pare_store_close(store);
}

static void test_report_finding__what_is_not_there_any_more_is_no_issue(void **state)
{
    (void)state;
    pare_error err;
    pare_report_result result;
    pare_store *store = make_store("settled.pare.db", TARGET);
    const pare_report_options request = {.to = "github", .project = "o/r"};
    const pare_report_options folder = {.to = "settled"};
    const pare_report_options again = {.to = "github", .project = "o/r", .again = true};
    assert_int_equal(
        pare_finding_set_validity(store, 1, &(pare_finding_seen){PARE_NOT_THERE, "2", 0, 3}, NULL),
        PARE_OK);
    assert_int_equal(
        pare_finding_set_validity(store, 2, &(pare_finding_seen){PARE_NOT_THERE, "1", 0, 3}, NULL),
        PARE_OK);
    assert_int_equal(report(store, 1, &request, &result, &err), PARE_E_STATE);
    assert_string_equal(err.message, "finding 1 is fixed");
    assert_true(result.is_settled);
    assert_int_equal(report(store, 2, &request, &result, &err), PARE_E_STATE);
    assert_string_equal(err.message, "finding 2 is invalid: its input does not show it");
    assert_int_equal(report(store, 1, &folder, &result, &err), PARE_OK);
    assert_int_equal(report(store, 1, &again, &result, &err), PARE_OK);
    assert_false(result.is_settled);
    assert_int_equal(report(store, 99, &request, &result, &err), PARE_E_STATE);
    assert_false(result.is_settled);
    pare_store_close(store);
}

/* A job of the store, as a coordinator would have it done. */
static void do_job(pare_store *store, const char *campaign, int64_t finding, const char *detail,
                   pare_job *job)
{
    int64_t id = 0, config = 0;
    const pare_job_order order = {.kind = PARE_JOB_REPORT, .finding = finding, .detail = detail};
    pare_campaign *read = campaign_of(campaign, store->path);
    pare_error err = {0};
    assert_int_equal(pare_job_add(store, &order, &id, NULL), PARE_OK);
    assert_int_equal(pare_job_get(store, id, job, &config, NULL), PARE_OK);
    const pare_job_run run = {.store = store, .campaign = read, .job = job, .config = config};
    if (pare_report_job(&run, &err)) fail_msg("%s", err.message);
    pare_job_done(job);
    pare_campaign_free(read);
    assert_int_equal(pare_job_get(store, id, job, &config, NULL), PARE_OK);
}

static void test_report_job__writes_what_it_cannot_send_and_says_what_came_of_it(void **state)
{
    (void)state;
    static const char campaign[] = TARGET "[report hub]\nto = github\nproject = o/r\n"
                                          "token_env = PARE_TEST_TOKEN\n";
    pare_store *store = make_store("job.pare.db", campaign);
    pare_job job;
    do_job(store, campaign, 1, "hub", &job);
    assert_int_equal(job.state, PARE_JOB_DONE);
    assert_non_null(strstr(job.progress, "is written to "));
    assert_non_null(strstr(job.progress, "finding-1-github.sh"));
    pare_job_done(&job);
    assert_int_equal(pare_finding_set_reported(store, 1, "https://g/1", NULL), PARE_OK);
    do_job(store, campaign, 1, "github", &job);
    assert_int_equal(job.state, PARE_JOB_DONE);
    assert_string_equal(job.progress, "finding 1 was reported before, at https://g/1");
    pare_job_done(&job);
    pare_store_close(store);
}

/* ---- sending --------------------------------------------------------------------------- */

static const char title[] = "jq: assertion in jv_free";

/* Reports finding 1 to a tracker that gives these answers. */
static pare_status send_to(const char *name, const char *const *answers, size_t n,
                           const pare_report_options *more, pare_store **store,
                           struct loopback *server, pare_report_result *result, pare_error *err)
{
    char text[1024];
    *server = (struct loopback){.answers = answers, .n_answers = n};
    loopback_start(server);
    (void)snprintf(text, sizeof text,
                   TARGET "[report hub]\nto = github\nproject = o/r\nurl = http://127.0.0.1:%d\n"
                          "token_file = %s/token\n",
                   server->port, scratch_dir);
    scratch_write("token", "s3cret\n", 0600);
    *store = make_store(name, text);
    pare_report_options options = more ? *more : (pare_report_options){.again = false};
    options.to = "hub";
    options.send = true;
    pare_status status = report(*store, 1, &options, result, err);
    loopback_end(server);
    if (status == PARE_E_UNSUPPORTED) skip();
    return status;
}

#define NOTHING HTTP("200", "{\"items\": []}")
#define NO_ISSUE HTTP("200", "[]")
#define MADE HTTP("201", "{\"html_url\": \"https://github.com/o/r/issues/7\"}")

static void test_report_finding__a_new_issue_is_made_once(void **state)
{
    (void)state;
    static const char *const answers[] = {NOTHING, NO_ISSUE, NOTHING, MADE};
    static struct loopback server;
    pare_store *store = NULL;
    pare_report_result result;
    pare_error err;
    if (send_to("made.db", answers, 4, NULL, &store, &server, &result, &err))
        fail_msg("%s", err.message);
    assert_string_equal(result.url, "https://github.com/o/r/issues/7");
    assert_false(result.is_known || result.seems_known);
    assert_int_equal(state_of(store, 1), PARE_FINDING_REPORTED);
    assert_int_equal(server.n_served, 4);
    assert_non_null(strstr(server.got, "GET /search/issues?"));
    assert_non_null(strstr(server.got, "POST /repos/o/r/issues HTTP/1.1"));
    assert_non_null(strstr(server.got, "Authorization: Bearer s3cret\r\n"));
    assert_non_null(strstr(server.got, title));
    /* Again: the tracker is not even asked. */
    const pare_report_options options = {.to = "hub", .send = true};
    assert_int_equal(report(store, 1, &options, &result, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "was reported before, at https://github.com/o/r/issues/7"));
    pare_store_close(store);
}

static void test_report_finding__an_issue_with_the_mark_is_the_report(void **state)
{
    (void)state;
    char answer[512], mark[PARE_REPORT_MARK_BYTES];
    const char *answers[] = {NOTHING, answer};
    static struct loopback server;
    pare_store *store = NULL;
    pare_report_result result;
    pare_error err;
    pare_report_fields_mark(&(pare_finding){.target = "jq", .identity = identity}, mark);
    (void)snprintf(answer, sizeof answer,
                   HTTP("200", "[{\"html_url\": \"https://g/5\", \"body\": \"x\\n%s\"}]"), mark);
    if (send_to("mark.db", answers, 2, NULL, &store, &server, &result, &err))
        fail_msg("%s", err.message);
    assert_true(result.is_known);
    assert_string_equal(result.url, "https://g/5");
    assert_int_equal(state_of(store, 1), PARE_FINDING_REPORTED);
    assert_null(strstr(server.got, "POST"));
    pare_store_close(store);
}

static void test_report_finding__an_issue_of_the_same_title_is_told_and_left_to_the_user(
    void **state)
{
    (void)state;
    static const char *const answers[] = {
        NOTHING, NO_ISSUE,
        HTTP("200", "{\"items\": [{\"html_url\": \"https://g/6\", \"title\": \"JQ: assertion in "
                    "jv_free\"}]}")};
    static struct loopback server;
    pare_store *store = NULL;
    pare_report_result result;
    pare_error err;
    if (send_to("title.db", answers, 3, NULL, &store, &server, &result, &err))
        fail_msg("%s", err.message);
    assert_true(result.seems_known && !result.is_known);
    assert_string_equal(result.url, "https://g/6");
    assert_int_equal(state_of(store, 1), PARE_FINDING_REDUCED);
    pare_store_close(store);
}

static void test_report_finding__with_again_nothing_is_looked_for(void **state)
{
    (void)state;
    static const char *const answers[] = {MADE};
    static const pare_report_options again = {.again = true};
    static struct loopback server;
    pare_store *store = NULL;
    pare_report_result result;
    pare_error err;
    if (send_to("again.db", answers, 1, &again, &store, &server, &result, &err))
        fail_msg("%s", err.message);
    assert_string_equal(result.url, "https://github.com/o/r/issues/7");
    pare_store_close(store);
}

static void test_report_finding__the_state_stays_when_the_tracker_fails(void **state)
{
    (void)state;
    static const struct {
        const char *answers[4];
        size_t n;
        pare_status status;
        const char *sentence;
    } cases[] = {
        {{HTTP("500", "oops")}, 1, PARE_E_IO, "github refuses a search (500): oops"},
        {{NOTHING, NO_ISSUE, NOTHING, HTTP("500", "")}, 4, PARE_E_IO, "github refuses it (500)"},
        {{NOTHING, NO_ISSUE, NOTHING, HTTP("201", "{]")}, 4, PARE_E_IO, "without an issue"},
        {{NOTHING, NO_ISSUE, NOTHING, "garbage\r\n\r\n"}, 4, PARE_E_IO, "127.0.0.1"},
        {{NOTHING, NO_ISSUE, NOTHING,
          HTTP("422", "{\"message\": \"Validation Failed\", \"errors\": [{\"code\": "
                      "\"already_exists\"}]}")},
         4,
         PARE_E_STATE,
         "github says that it has this issue"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static struct loopback server;
        pare_store *store = NULL;
        pare_report_result result;
        pare_error err;
        assert_int_equal(
            send_to("fails.db", cases[i].answers, cases[i].n, NULL, &store, &server, &result, &err),
            cases[i].status);
        if (!strstr(err.message, cases[i].sentence)) fail_msg("%s", err.message);
        assert_null(strstr(err.message, "s3cret"));
        assert_int_equal(state_of(store, 1), PARE_FINDING_REDUCED);
        assert_string_equal(result.url, "");
        pare_store_close(store);
    }
}

static void test_report_finding__two_at_once_do_not_both_report(void **state)
{
    (void)state;
    enum { REPORTS = 1 };
    pare_error err;
    pare_report_result result;
    int fd = -1;
    pare_store *store = make_store("busy.db", TARGET), *other = open_store("busy.db");
    const pare_report_options options = {.to = "busy"};
    assert_int_equal(pare_store_lock(other, (INT64_C(1) << 40) + REPORTS, &fd, NULL), PARE_OK);
    assert_int_equal(report(store, 1, &options, &result, &err), PARE_E_BUSY);
    assert_string_equal(err.message, "finding 1 is being reported by another process");
    (void)close(fd);
    assert_int_equal(report(store, 1, &options, &result, &err), PARE_OK);
    pare_store_close(other);
    pare_store_close(store);
}

/* ---- texts ----------------------------------------------------------------------------- */

static void test_report_text__long_texts_are_cut_to_what_a_tracker_takes(void **state)
{
    (void)state;
    enum { LONG = 100000, MOST = 20000 };
    static char input[LONG + 1];
    pare_store *store = new_store("long.db");
    pare_finding finding;
    pare_report_text text = {.mark = ""};
    memset(input, 'x', LONG);
    add_simple(store, "a", input);
    assert_int_equal(pare_store_finding(store, 1, &finding, NULL), PARE_OK);
    const pare_report_about about = {.store = store, .finding = &finding};
    for (int form = PARE_TEMPLATE_PLAIN; form <= PARE_TEMPLATE_MARKDOWN; form++) {
        const pare_report_text_options options = {.form = (pare_template_form)form,
                                                  .most_bytes = MOST};
        assert_int_equal(pare_report_text_make(&about, &options, &text, NULL), PARE_OK);
        assert_true(text.body.size <= MOST);
        assert_non_null(strstr(text.body.data, "of which this is the beginning"));
        assert_non_null(strstr(text.body.data, text.mark));
        pare_report_text_done(&text);
    }
    scratch_write("all.md", "{{#members}}{{digest}} {{bytes}}{{/members}}\n{{{input}}}", 0644);
    const pare_report_text_options own = {.template_path = "all.md", .most_bytes = MOST};
    assert_int_equal(pare_report_text_make(&about, &own, &text, NULL), PARE_OK);
    assert_non_null(strstr(text.body.data, " 100000\nxxx"));
    assert_non_null(strstr(text.body.data, text.mark));
    pare_report_text_done(&text);
    pare_finding_done(&finding);
    pare_store_close(store);
}

static pare_status make_text(void *context)
{
    const pare_report_text_options options = {.form = PARE_TEMPLATE_MARKDOWN, .most_bytes = 5000};
    pare_report_text text = {.mark = ""};
    pare_status status = pare_report_text_make(context, &options, &text, NULL);
    pare_report_text_done(&text);
    return status;
}

static void test_report_text__reports_oom(void **state)
{
    (void)state;
    pare_store *store = make_store("oom.db", TARGET);
    pare_campaign *campaign = campaign_of(TARGET, store->path);
    pare_finding finding;
    assert_int_equal(pare_store_finding(store, 1, &finding, NULL), PARE_OK);
    pare_report_about about = {.store = store, .campaign = campaign, .finding = &finding};
    sweep_allocations(make_text, &about);
    pare_finding_done(&finding);
    pare_campaign_free(campaign);
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_finding__a_folder_has_all_that_one_needs),
        cmocka_unit_test(test_report_finding__a_script_shows_it_whatever_the_command_and_suffix),
        cmocka_unit_test(test_report_finding__hostile_texts_stay_texts),
        cmocka_unit_test(test_report_finding__a_folder_of_others_is_left_alone),
        cmocka_unit_test(test_report_finding__a_request_can_be_sent_by_hand),
        cmocka_unit_test(test_report_finding__the_user_can_name_tracker_and_project),
        cmocka_unit_test(test_report_finding__what_cannot_be_is_told),
        cmocka_unit_test(test_report_finding__what_is_not_there_any_more_is_no_issue),
        cmocka_unit_test(test_report_job__writes_what_it_cannot_send_and_says_what_came_of_it),
        cmocka_unit_test(test_report_finding__a_new_issue_is_made_once),
        cmocka_unit_test(test_report_finding__an_issue_with_the_mark_is_the_report),
        cmocka_unit_test(
            test_report_finding__an_issue_of_the_same_title_is_told_and_left_to_the_user),
        cmocka_unit_test(test_report_finding__with_again_nothing_is_looked_for),
        cmocka_unit_test(test_report_finding__the_state_stays_when_the_tracker_fails),
        cmocka_unit_test(test_report_finding__two_at_once_do_not_both_report),
        cmocka_unit_test(test_report_text__long_texts_are_cut_to_what_a_tracker_takes),
        cmocka_unit_test(test_report_text__reports_oom),
    };
    /* A proxy of the user's has nothing to do with this machine. */
    (void)setenv("no_proxy", "127.0.0.1", 1);
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
