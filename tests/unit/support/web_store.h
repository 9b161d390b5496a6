/* A store as a campaign leaves it, with findings in all states, jobs and statistics.  Each text
 * that a target, a source or a user controls may be a hostile one.  Included after cmocka. */
#ifndef PARE_TESTS_WEB_STORE_H
#define PARE_TESTS_WEB_STORE_H

#include <stdio.h>

#include "campaign/job.h"
#include "campaign/statistic.h"
#include "unit/support/store_failure.h"

/* Markup, a script, an attribute's end, controls of a terminal, what turns a line, no UTF-8. */
#define HOSTILE                                                                         \
    "<script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\">" \
    "'\"><svg onload=document.title='ran'>{{7*7}}${7*7}\x1b[31m\xe2\x80\xae"            \
    "evil\xff</pre>"

static inline void must(pare_status status)
{
    assert_int_equal(status, PARE_OK);
}

static inline int64_t add_web_finding(pare_store *store, const char *target, const char *source,
                                      const char *identity, const char *title, const char *text)
{
    char output[1000];
    (void)snprintf(output, sizeof output,
                   "==4711==ERROR: AddressSanitizer: %s\n    #0 0x5561 in %s src/main.c:120\n"
                   "    #1 0x5562 in main src/main.c:12\n",
                   identity, title);
    const pare_failure failure = {.target = target,
                                  .source = source,
                                  .version = "1.6.1",
                                  .config = 1,
                                  .signature = identity,
                                  .identity = identity,
                                  .title = title,
                                  .output = output,
                                  .bytes = text,
                                  .size = strlen(text)};
    return add_failure(store, &failure).finding;
}

/* Findings 1 to 8: new, reduced, reported, fixed, regressed, invalid, merged into 1, hostile. */
static inline void fill_findings(pare_store *store)
{
    char title[100], identity[100], text[200];
    int64_t merged = 0;
    for (int i = 1; i <= 7; i++) {
        (void)snprintf(title, sizeof title, "heap-buffer-overflow in function_%d", i);
        (void)snprintf(identity, sizeof identity, "heap-buffer-overflow; frame \"function_%d\"", i);
        (void)snprintf(text, sizeof text,
                       "{\"key\": [1, 2, 3, {\"nested\": \"value %d\"}],\n \"other\": null,\n"
                       " \"large\": 1e%d000}\n",
                       i, i);
        must(add_web_finding(store, "jq", "grammar", identity, title, text) == i ? PARE_OK
                                                                                 : PARE_E_STATE);
    }
    must(pare_finding_set_reduced(store, 2, "{1e2000}", 8, &merged, NULL));
    must(pare_finding_set_explanation(store, 2, "1e2000: any number above 1e1000", NULL));
    must(pare_finding_set_reduced(store, 3, "{1e3000}", 8, &merged, NULL));
    must(pare_finding_set_reported(store, 3, "https://bugs.example/3", NULL));
    must(pare_finding_set_validity(store, 4, &(pare_finding_seen){PARE_NOT_THERE, "1.7", 0, 5},
                                   NULL));
    must(pare_finding_set_validity(store, 5, &(pare_finding_seen){PARE_NOT_THERE, "1.7", 0, 5},
                                   NULL));
    must(pare_finding_set_validity(store, 5, &(pare_finding_seen){PARE_STILL_THERE, "1.8", 5, 5},
                                   NULL));
    must(pare_finding_set_validity(store, 6, &(pare_finding_seen){PARE_NOT_THERE, "1.6.1", 0, 5},
                                   NULL));
    must(pare_store_merge(store, 7, 1, NULL));
    must(add_web_finding(store, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE) == 8 ? PARE_OK
                                                                                  : PARE_E_STATE);
    must(pare_finding_set_reduced(store, 8, HOSTILE, sizeof HOSTILE - 1, &merged, NULL));
    must(pare_finding_set_explanation(store, 8, HOSTILE, NULL));
    must(pare_store_edit(store, 8, &(pare_finding_edit){.note = HOSTILE, .url = HOSTILE}, NULL));
}

static inline void fill_jobs(pare_store *store)
{
    int64_t id;
    const pare_job_order fuzz = {.kind = PARE_JOB_FUZZ, .target = "jq", .source = "grammar"};
    const pare_job_order hostile = {.kind = PARE_JOB_FUZZ, .target = HOSTILE, .source = HOSTILE};
    must(pare_job_add(store, &fuzz, &id, NULL));
    must(pare_job_set_running(store, id, 1, NULL));
    must(pare_job_set_progress(store, id, "12,345 tests, 3 findings", 0.4, 12345, NULL));
    must(pare_job_add(store, &hostile, &id, NULL));
    must(pare_job_set_running(store, id, 1, NULL));
    must(pare_job_set_progress(store, id, HOSTILE, -1, 5, NULL));
    must(pare_store_request(store, PARE_JOB_REDUCE, 1, "", &id, NULL));
    must(pare_store_request(store, PARE_JOB_REPORT, 3, HOSTILE, &id, NULL));
    must(pare_store_request(store, PARE_JOB_VALIDATE, 2, "", &id, NULL));
    must(pare_job_set_running(store, id, 1, NULL));
    must(pare_job_set_ended(store, id, PARE_JOB_DONE, "still there, 5 of 5", NULL));
}

static inline void fill_statistics(pare_store *store)
{
    const pare_statistic_delta rows[] = {
        {"grammar", "jq", 1, 120000, 40, 6, 812, 50.5, 4.25},
        {"mutation", "jq", 1, 90000, 12, 1, 90, 40, 1},
        {HOSTILE, HOSTILE, 1, 10, 1, 1, 0, 0.5, 0.5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        must(pare_statistic_add(store, &rows[i], NULL));
    /* Two hours before that, a row for each minute, so that there is a curve to draw. */
    must(pare_store_run(
        store,
        "WITH RECURSIVE minute(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM minute"
        " WHERE n < 120) INSERT INTO statistic SELECT 1, (SELECT max(start) FROM"
        " statistic) - n * 60000, 60000, 100000 + 2000 * (n % 11), n % 3, n % 29 = 0,"
        " n / 12, 55, 5 FROM minute",
        NULL, ""));
}

static inline pare_store *new_web_store(const char *path)
{
    pare_store *store = new_store(path);
    int64_t config = 0;
    must(pare_store_put_config(store,
                               "[campaign]\nname = jq\n\n[target jq]\ncommand = jq . @@\n\n"
                               "[source grammar]\nkind = grammar\n# " HOSTILE "\n",
                               &config, NULL));
    assert_int_equal(config, 1);
    fill_findings(store);
    fill_jobs(store);
    fill_statistics(store);
    must(pare_store_tell(store, "log", 0, 0, HOSTILE, NULL));
    must(pare_store_tell(store, "trouble", 0, 0, "the target does not start", NULL));
    return store;
}

#endif
