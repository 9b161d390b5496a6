/* Precision and recall of learned signatures on real outputs, tests/data/diagnostics.
 *
 * For each group the signature is learned from what the program printed of the original, by
 * a replay of its output; then every other output of the group is judged by it.  What is
 * missed has to stand in docs/guide/signatures.md, and nothing else may. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <glob.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "run/judge.h"
#include "session/test/learn_signature.h"
#include "text/text.h"
#include "unit/support/diagnostic_groups.h"

/* ---- replay ----------------------------------------------------------------------- */

/* An oracle that answers each test with the output that was recorded. */
struct replay {
    pare_oracle head;
    pare_judge *judge;
    const struct group_case *shown;
};

static pare_observation observe(const struct group_case *item)
{
    return (pare_observation){.ended = item->signalled ? PARE_ENDED_SIGNAL : PARE_ENDED_EXIT,
                              .code = item->code,
                              .out = {item->out.start, item->out.size},
                              .err = {item->err.start, item->err.size}};
}

static pare_judgement decide(pare_judge *judge, const struct group_case *item)
{
    pare_trial trial = {0};
    pare_judgement judgement = {0};
    pare_observation seen = observe(item);
    assert_int_equal(pare_judge_decide(judge, &trial, &seen, &judgement, NULL), PARE_OK);
    return judgement;
}

static pare_status start(pare_oracle *oracle, unsigned slot, const pare_candidate *candidate,
                         pare_error *err)
{
    (void)oracle, (void)slot, (void)candidate, (void)err;
    return PARE_OK;
}

static void cancel(pare_oracle *oracle, unsigned slot)
{
    (void)oracle, (void)slot;
}

static pare_status wait_for(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                            pare_verdict *verdict, pare_error *err)
{
    struct replay *replay = (struct replay *)oracle;
    (void)timeout_ms, (void)err;
    pare_judgement judgement = decide(replay->judge, replay->shown);
    *what = PARE_WAIT_VERDICT;
    *verdict = (pare_verdict){.outcome = judgement.outcome,
                              .exit_code = replay->shown->code,
                              .signature = judgement.signature,
                              .why = judgement.why};
    return PARE_OK;
}

static const pare_oracle_ops REPLAY = {.start = start, .cancel = cancel, .wait = wait_for};

/* ---- a group ---------------------------------------------------------------------- */

struct tally {
    unsigned n_groups, n_outputs, n_same, n_same_kept, n_different, n_different_told;
    unsigned n_asked;   /* several problems: the user is asked */
    unsigned n_refused; /* nothing recognised */
    unsigned n_missed;
    pare_buffer missed; /* one line each */
};

static void note_miss(struct tally *tally, const char *name, const struct group_case *item)
{
    tally->n_missed++;
    assert_int_equal(pare_buffer_format(&tally->missed, NULL, "%s: %s\n", name, item->title),
                     PARE_OK);
}

/* Learns from the original; gives the status.  With several problems the first is kept. */
static pare_status learn(const struct group *group, pare_keep *keep, pare_judge *judge,
                         pare_diagnostics *offered, pare_signature *signature)
{
    pare_text *text = NULL;
    const pare_buffer *input = &group->cases[0].input;
    struct replay replay = {{.ops = &REPLAY, .n_slots = 1}, judge, &group->cases[0]};
    assert_int_equal(pare_text_copy(input->data, input->size, &text, NULL), PARE_OK);
    pare_learning learning = {.oracle = &replay.head,
                              .judge = judge,
                              .input = text,
                              .input_name = group->input_name,
                              .keep = keep};
    pare_status status = pare_learn_signature(&learning, signature, offered, NULL);
    if (status == PARE_E_STATE && offered->n > 1) {
        char first[PARE_DIAGNOSTIC_BYTES];
        memcpy(first, offered->item[0].text, sizeof first);
        size_t n = offered->n;
        keep->message = first;
        status = pare_learn_signature(&learning, signature, offered, NULL);
        keep->message = NULL;
        offered->n = n;
    }
    pare_text_unref(text);
    return status;
}

/* Judges the other outputs of the group. */
static void judge_cases(const char *name, const struct group *group, pare_judge *judge,
                        bool learned, struct tally *tally)
{
    for (size_t k = 1; k < group->n; k++) {
        const struct group_case *item = &group->cases[k];
        bool kept = learned && decide(judge, item).outcome == PARE_FAIL;
        bool is_same = case_is(item, "same"), is_different = case_is(item, "different");
        tally->n_same += is_same;
        tally->n_same_kept += is_same && kept;
        tally->n_different += is_different;
        tally->n_different_told += is_different && !kept;
        if ((is_same && !kept) || (is_different && kept)) note_miss(tally, name, item);
    }
}

static void print_row(const char *name, pare_status status, const pare_diagnostics *offered,
                      const pare_signature *signature, unsigned n_missed)
{
    pare_buffer text = {0};
    assert_int_equal(pare_signature_print(signature, &text, NULL), PARE_OK);
    printf("%-28s %6u  %s%s\n", name, n_missed, offered->n > 1 ? "asks; " : "",
           status ? "refused" : text.data);
    pare_buffer_done(&text);
}

static void judge_group(const char *path, struct tally *tally)
{
    struct group group;
    char name[80] = "";
    const char *base = strrchr(path, '/') + 1;
    pare_keep keep = {0};
    pare_judge *judge = NULL;
    static pare_diagnostics offered; /* large */
    pare_signature signature = {.ended = PARE_ENDED_ANYHOW};
    memcpy(name, base, strcspn(base, ".") < sizeof name ? strcspn(base, ".") : sizeof name - 1);
    assert_true(group_read(path, &group));
    assert_int_equal(pare_judge_new(&keep, &judge, NULL), PARE_OK);
    pare_status status = learn(&group, &keep, judge, &offered, &signature);
    assert_true(status == PARE_OK || status == PARE_E_STATE);
    /* The signature is true of what it was learned from. */
    if (!status) assert_int_equal(decide(judge, &group.cases[0]).outcome, PARE_FAIL);
    unsigned before = tally->n_missed;
    judge_cases(name, &group, judge, !status, tally);
    print_row(name, status, &offered, &signature, tally->n_missed - before);
    tally->n_groups++;
    tally->n_outputs += (unsigned)group.n;
    tally->n_asked += offered.n > 1;
    tally->n_refused += status != PARE_OK;
    pare_judge_free(judge);
    group_done(&group);
}

/* ---- what is documented ------------------------------------------------------------ */

/* Whether the page has "| A of B |". */
static bool has_figure(const char *page, unsigned a, unsigned b)
{
    char cell[64];
    snprintf(cell, sizeof cell, "| %u of %u |", a, b);
    if (strstr(page, cell)) return true;
    printf("docs/guide/signatures.md does not have '%s'\n", cell);
    return false;
}

/* Appends the lines of the block "```misses" of docs/guide/signatures.md; gives how many of the two
 * figures the page has not. */
static unsigned read_documented(const char *source, const struct tally *tally, pare_buffer *lines)
{
    static const char opening[] = "```misses\n";
    char path[4096];
    pare_buffer page = {0};
    snprintf(path, sizeof path, "%s/docs/guide/signatures.md", source);
    assert_int_equal(pare_file_read(path, &page, NULL), PARE_OK);
    const char *start = strstr(page.data, opening);
    assert_non_null(start);
    start += strlen(opening);
    const char *end = strstr(start, "```");
    assert_non_null(end);
    assert_int_equal(pare_buffer_add(lines, start, (size_t)(end - start), NULL), PARE_OK);
    unsigned n = !has_figure(page.data, tally->n_different_told, tally->n_different) +
                 !has_figure(page.data, tally->n_same_kept, tally->n_same);
    pare_buffer_done(&page);
    return n;
}

/* How many lines of `lines` are not in `others`; each is printed after `what`. */
static unsigned count_lines_not_in(const char *what, const char *lines, const char *others)
{
    unsigned n = 0;
    while (lines && *lines) {
        int size = (int)strcspn(lines, "\n");
        bool found = false;
        for (const char *other = others; other && *other && !found;) {
            size_t length = strcspn(other, "\n");
            found = length == (size_t)size && memcmp(other, lines, length) == 0;
            other += length + (other[length] == '\n');
        }
        if (!found) printf("%s: %.*s\n", what, size, lines), n++;
        lines += size + (lines[size] == '\n');
    }
    return n;
}

static void test_diagnostic__another_failure_is_told_and_the_same_is_kept(void **state)
{
    (void)state;
    const char *source = getenv("PARE_SOURCE_DIR");
    char pattern[4096];
    glob_t groups = {0};
    struct tally tally = {0};
    pare_buffer documented = {0};
    if (!source) source = ".";
    snprintf(pattern, sizeof pattern, "%s/tests/data/diagnostics/*.txt", source);
    assert_int_equal(glob(pattern, 0, NULL, &groups), 0);
    printf("%-28s %6s  %s\n", "group", "missed", "signature");
    for (size_t k = 0; k < groups.gl_pathc; k++)
        judge_group(groups.gl_pathv[k], &tally);
    printf("%u groups, %u outputs: %u of %u other failures told (precision), %u of %u of the "
           "same kept (recall); %u groups ask, %u are refused\n",
           tally.n_groups, tally.n_outputs, tally.n_different_told, tally.n_different,
           tally.n_same_kept, tally.n_same, tally.n_asked, tally.n_refused);
    assert_true(tally.n_outputs >= 110);
    unsigned n = read_documented(source, &tally, &documented);
    n += count_lines_not_in("missed, and not in docs/guide/signatures.md", tally.missed.data,
                            documented.data);
    n += count_lines_not_in("no longer missed: take it out of docs/guide/signatures.md",
                            documented.data, tally.missed.data);
    assert_int_equal(n, 0);
    pare_buffer_done(&documented);
    pare_buffer_done(&tally.missed);
    globfree(&groups);
}

static void test_diagnostic__folders_are_cut_and_other_slashes_stay(void **state)
{
    static const struct {
        const char *words, *plain;
    } cases[] = {
        {"/tmp/pare-1a/0/in.c:3: error: x", "in.c:3: error: x"},
        {"cannot open src/lib/a.c", "cannot open a.c"},
        {"cannot open a/b.c", "cannot open b.c"},
        {"cannot open run-1/data", "cannot open data"},
        {"value is n/a", "value is n/a"},
        {"I/O error", "I/O error"},
        {"an and/or list, TCP/IP.", "an and/or list, TCP/IP."},
        {"unexpected '/'", "unexpected '/'"},
        {"-I/usr/include", "include"},
        {"/bin/sh: not found", "sh: not found"},
        {"cannot open a/b/c", "cannot open c"},
        {"open /tmp/Gr\xc3\xb6\xc3\x9f"
         "e/\xe6\xbc\xa2.c: \xe2\x80\x98\xd0\xba\xe2\x80\x99 \xc2\x9b",
         "open \xe6\xbc\xa2.c: '\xd0\xba' ??"},
    };
    char plain[PARE_DIAGNOSTIC_BYTES];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_diagnostic_plain(cases[i].words, plain);
        assert_string_equal(plain, cases[i].plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagnostic__folders_are_cut_and_other_slashes_stay),
        cmocka_unit_test(test_diagnostic__another_failure_is_told_and_the_same_is_kept),
    };
    return cmocka_run_group_tests_name("diagnostics", tests, NULL, NULL);
}
