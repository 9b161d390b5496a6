/* Counts harmful behaviour of tests, and reports it once.
 *
 * The oracle says what happened to each test (PARE_HARM_..., run/oracle.h).  An occasional test
 * that times out or leaves a process behind is normal, so these are reported only if most tests do
 * so, or if one test has started processes without end; anything else is reported after one test.
 *
 * The store records which kinds have been reported, with the number of the configuration.  So a
 * user who has changed the configuration hears whether that has helped, and one who has not is not
 * told the same by each of a thousand jobs.
 *
 * The counts of all jobs are facts of the store too, one for each kind and target: they are so few
 * that a table would only be one more thing to migrate. */
#include "campaign/fuzz_harm.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <pare/findings.h>
#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "campaign/store.h"
#include "os/process_tree.h"
#include "run/capture.h"

enum { MANY_LEFT = 32, MIB = 1 << 20 };

/* What is said of a kind: "target 'NAME' WHAT in 3 of 4 tests: ADVICE". */
static const struct sentence {
    const char *name, *what, *advice;
    bool of_most; /* told only if more than half of the tests are so */
} sentences[PARE_HARM_N] = {
    {"flood", "prints without end", "it was ended; write 'finding = any' to have these as findings",
     false},
    {"folder", "removed its input", "each test gets a new one, so the others go on", false},
    {"killed", "was ended by SIGKILL",
     "it kills itself or its group, or memory ran out; 'memory = SIZE' gives it a limit of its own",
     false},
    {"memory", "used up its memory", "give it more with 'memory' if that is not what it is to do",
     false},
    {"cpu", "used up its CPU time", "give it more with 'cpu' if that is not what it is to do",
     false},
    {"file", "wrote a file as large as it may",
     "give it more with 'file_size' if that is not what it is to do", false},
    {"left", "left processes behind", "they were ended; 'processes = N' bounds their number", true},
    {"late", "did not end in time",
     "give it more with 'timeout', or write 'hang = TIME' to have these as findings", true}};

/* Called for each test, so it only counts; what is worth a sentence is found out once, at the
 * end of the job. */
void pare_fuzz_harm_note(pare_fuzz_harm *harm, const pare_verdict *verdict)
{
    unsigned kinds = verdict->harm;
    harm->n_tests++;
    /* What is a finding by itself is told as one. */
    if (verdict->outcome == PARE_FAIL) kinds &= ~(unsigned)(PARE_HARM_FLOOD | PARE_HARM_LATE);
    /* Of one that was killed, a few processes are its own business. */
    if (verdict->n_left >= MANY_LEFT) kinds |= PARE_HARM_LEFT;
    if (kinds & PARE_HARM_LEFT && verdict->n_left > harm->most_left)
        harm->most_left = verdict->n_left;
    for (unsigned k = 0; kinds; k++, kinds >>= 1) {
        assert(k < PARE_HARM_N);
        harm->n[k] += kinds & 1;
    }
}

/* ---- counts --------------------------------------------------------------------------- */

#define COUNTS "harm: " /* the name of a fact: this, the kind, ", ", the target */

/* Adds what is new since the last call.  Several jobs of a target add to one fact, each within
 * its own transaction. */
static pare_status count_kind(const pare_fuzz_harm *harm, unsigned kind, pare_store *store,
                              const char *target, pare_error *err)
{
    pare_buffer name = {0};
    pare_status status =
        pare_buffer_format(&name, err, COUNTS "%s, %s", sentences[kind].name, target);
    /* A value is a text; SQLite adds it up as the number that it is. */
    if (!status)
        status =
            pare_store_run(store,
                           "INSERT INTO fact VALUES(?1, CAST(?2 AS TEXT)) ON CONFLICT DO"
                           " UPDATE SET value = CAST(value + excluded.value AS TEXT)",
                           err, "si", name.data, (int64_t)(harm->n[kind] - harm->counted[kind]));
    pare_buffer_done(&name);
    return status;
}

/* Without anything new, the usual case, the store is not asked.  What could not be written is
 * counted again next time. */
pare_status pare_fuzz_harm_count(pare_fuzz_harm *harm, pare_store *store, const char *target,
                                 pare_error *err)
{
    if (!memcmp(harm->n, harm->counted, sizeof harm->n)) return PARE_OK;
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    for (unsigned k = 0; k < PARE_HARM_N && !status; k++)
        if (harm->n[k] > harm->counted[k]) status = count_kind(harm, k, store, target, err);
    status = pare_store_end(store, status, err);
    if (!status) memcpy(harm->counted, harm->n, sizeof harm->n);
    return status;
}

/* Takes the name of a fact apart; a kind of a later version is passed over. */
static bool read_name(const char *name, pare_store_harm *harm)
{
    name += strlen(COUNTS);
    for (unsigned k = 0; k < PARE_HARM_N; k++) {
        const size_t size = strlen(sentences[k].name);
        if (strncmp(name, sentences[k].name, size) != 0 || strncmp(name + size, ", ", 2) != 0)
            continue;
        harm->kind = sentences[k].name;
        harm->what = sentences[k].what;
        harm->target = name + size + 2;
        return true;
    }
    return false;
}

/* Reads a range of the key, `harm: ` up to the next character after the blank: one row for each
 * kind and target. */
pare_status pare_store_harm_each(pare_store *store, const char *target, pare_harm_visit visit,
                                 void *context, pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = true;
    pare_status status = pare_store_prepare(
        store,
        "SELECT name, CAST(value AS INTEGER) FROM fact WHERE name >= '" COUNTS "'"
        " AND name < 'harm:!' ORDER BY name",
        &statement, err, "");
    while (!status) {
        pare_store_harm harm = {.kind = NULL};
        status = pare_store_step(store, statement, &has_row, err);
        if (status || !has_row) break;
        harm.tests = (uint64_t)sqlite3_column_int64(statement, 1);
        if (!read_name(pare_store_text_at(statement, 0), &harm)) continue;
        if (!target || !strcmp(harm.target, target)) status = visit(context, &harm, err);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

/* ---- sentences ------------------------------------------------------------------------ */

/* A single test of most kinds is; a late one, or one that left a process, only where it is the
 * rule. */
static bool is_worth_telling(const pare_fuzz_harm *harm, unsigned kind)
{
    const bool is_most = harm->n[kind] * 2 > harm->n_tests;
    const bool is_left = 1u << kind == PARE_HARM_LEFT;
    if (is_left && harm->most_left >= MANY_LEFT) return true;
    return sentences[kind].of_most ? is_most : harm->n[kind] > 0;
}

/* How much, where that is known. */
static pare_status add_extent(const pare_fuzz_harm *harm, unsigned kind, pare_buffer *text,
                              pare_error *err)
{
    if (1u << kind == PARE_HARM_FLOOD)
        return pare_buffer_format(text, err, " (more than %d MiB)", PARE_CAPTURE_LIMIT_BYTES / MIB);
    if (1u << kind != PARE_HARM_LEFT) return PARE_OK;
    return pare_buffer_format(text, err, " (up to %u%s at once)", harm->most_left,
                              harm->most_left == PARE_PROCESS_TREE_COUNTED ? " or more" : "");
}

/* Appends "target 'jq' used up its memory in 3 of 4 tests: give it more with ...". */
static pare_status add_sentence(const pare_fuzz_harm *harm, unsigned kind, const char *target,
                                pare_buffer *text, pare_error *err)
{
    const struct sentence *sentence = &sentences[kind];
    pare_status status = pare_buffer_format(text, err, "target '%s' %s", target, sentence->what);
    if (!status) status = add_extent(harm, kind, text, err);
    if (status) return status;
    return pare_buffer_format(text, err, " in %" PRIu64 " of %" PRIu64 " tests: %s", harm->n[kind],
                              harm->n_tests, sentence->advice);
}

/* Tells of one kind, unless that was done with this configuration. */
static pare_status tell(const pare_fuzz_harm *harm, unsigned kind, const pare_job_run *run,
                        pare_error *err)
{
    char *told = NULL;
    pare_buffer fact = {0}, now = {0}, text = {0};
    pare_status status =
        pare_buffer_format(&fact, err, "told: %s, %s", sentences[kind].name, run->job->target);
    if (!status) status = pare_buffer_format(&now, err, "%lld", (long long)run->config);
    if (!status) status = pare_store_get_fact(run->store, fact.data, &told, err);
    if (!status && (!told || strcmp(told, now.data) != 0)) {
        status = add_sentence(harm, kind, run->job->target, &text, err);
        if (!status) status = pare_store_begin(run->store, err);
        if (!status) {
            status = pare_store_tell(run->store, "trouble", 0, run->job->id, text.data, err);
            if (!status) status = pare_store_put_fact(run->store, fact.data, now.data, err);
            status = pare_store_end(run->store, status, err);
        }
    }
    pare_alloc_free(told);
    pare_buffer_done(&fact);
    pare_buffer_done(&now);
    pare_buffer_done(&text);
    return status;
}

/* At the end of a job, when its share of such tests is known. */
pare_status pare_fuzz_harm_tell(const pare_fuzz_harm *harm, const pare_job_run *run,
                                pare_error *err)
{
    pare_status status = PARE_OK;
    for (unsigned k = 0; k < PARE_HARM_N && !status; k++)
        if (is_worth_telling(harm, k)) status = tell(harm, k, run, err);
    return status;
}
