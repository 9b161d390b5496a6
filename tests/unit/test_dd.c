/* dd narrows the difference of two texts: its invariants, its steps, its guarantee. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/alloc.h"
#include "engine/engine.h"
#include "reduce/list/dd.h"
#include "support/simulated_oracle.h"

enum { MAX_BYTES = 256, MAX_STEPS = 20000 };

struct side {
    unsigned char bytes[MAX_BYTES];
    size_t size;
};

static void set_side(struct side *side, const char *text)
{
    side->size = strlen(text);
    memcpy(side->bytes, text, side->size);
}

/* A program under test, and a pair of its inputs. */
struct subject {
    struct side passing, failing;
    const char *unit;
    simulated_test test;
    void *context;
};

static pare_outcome run_on(const struct subject *subject, const struct side *side)
{
    return subject->test(subject->context, side->bytes, side->size);
}

static pare_deltas *compare(const struct subject *subject)
{
    pare_deltas *deltas = NULL;
    pare_deltas_source source = {.passing = {subject->passing.bytes, subject->passing.size},
                                 .failing = {subject->failing.bytes, subject->failing.size},
                                 .splitter = pare_splitter_find(subject->unit)};
    assert_int_equal(pare_dd_deltas_new(&source, &deltas, NULL), PARE_OK);
    return deltas;
}

static pare_strategy *start_dd(const struct subject *subject)
{
    pare_strategy *dd = NULL;
    pare_deltas *deltas = compare(subject);
    assert_int_equal(pare_dd_new(deltas, &dd, NULL), PARE_OK);
    pare_dd_deltas_unref(deltas);
    return dd;
}

static void read_side(const pare_strategy *dd, pare_outcome outcome, struct side *side)
{
    pare_candidate candidate = {0};
    assert_int_equal(pare_dd_side(dd, outcome, &candidate, NULL), PARE_OK);
    assert_true(candidate.size <= MAX_BYTES);
    side->size = candidate.size;
    pare_candidate_read(&candidate, side->bytes);
    pare_candidate_done(&candidate);
}

/* What a whole run did. */
struct run {
    struct side passing, failing;
    size_t n_deltas, n_steps, n_distinct;
    char trace[8 * 1024]; /* candidate and outcome of each step, one a line */
};

static void add_to_trace(struct run *run, const struct side *candidate, pare_outcome outcome)
{
    char line[MAX_BYTES + 8];
    int n = snprintf(line, sizeof line, "%.*s %c\n", (int)candidate->size, candidate->bytes,
                     outcome == PARE_FAIL   ? 'F'
                     : outcome == PARE_PASS ? 'P'
                                            : '?');
    size_t used = strlen(run->trace);
    run->n_distinct += !strstr(run->trace, line);
    if (used + (size_t)n < sizeof run->trace) memcpy(run->trace + used, line, (size_t)n + 1);
}

static void assert_invariants(const struct subject *subject, const pare_strategy *dd)
{
    struct side passing, failing;
    assert_true(pare_dd_check(dd));
    read_side(dd, PARE_PASS, &passing);
    read_side(dd, PARE_FAIL, &failing);
    assert_int_equal(run_on(subject, &passing), PARE_PASS);
    assert_int_equal(run_on(subject, &failing), PARE_FAIL);
}

/* Runs dd alone, without the engine, and looks at every step; a copy that is told
 * something else must not disturb it. */
static struct run isolate(const struct subject *subject)
{
    struct run run = {.n_steps = 0};
    pare_strategy *dd = start_dd(subject);
    pare_candidate candidate = {0};
    for (size_t before = pare_dd_count(dd);; before = pare_dd_count(dd)) {
        pare_next what;
        struct side asked;
        pare_strategy *copy = NULL;
        assert_invariants(subject, dd);
        assert_int_equal(dd->ops->next(dd, &what, &candidate, NULL), PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        asked.size = candidate.size;
        pare_candidate_read(&candidate, asked.bytes);
        pare_outcome outcome = run_on(subject, &asked);
        add_to_trace(&run, &asked, outcome);
        assert_int_equal(dd->ops->copy(dd, &copy, NULL), PARE_OK);
        assert_int_equal(copy->ops->tell(copy, run.n_steps % 2 ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
        assert_true(pare_dd_check(copy));
        pare_strategy_free(copy);
        assert_int_equal(dd->ops->tell(dd, outcome, NULL), PARE_OK);
        assert_true(pare_dd_count(dd) <= before);
        assert_true(++run.n_steps < MAX_STEPS);
    }
    run.n_deltas = pare_dd_count(dd);
    read_side(dd, PARE_PASS, &run.passing);
    read_side(dd, PARE_FAIL, &run.failing);
    pare_candidate_done(&candidate);
    pare_strategy_free(dd);
    return run;
}

static bool has(const unsigned char *bytes, size_t size, char letter)
{
    return memchr(bytes, letter, size) != NULL;
}

/* ---- the steps of the paper ----------------------------------------------------- */

/* The paper's example of deltas 1 to 8: those in `context` are needed together, a part
 * of them alone passes, or is unresolved when it begins with '?'. */
static pare_outcome needs_all(void *context, const unsigned char *bytes, size_t size)
{
    const char *needed = context;
    size_t n = 0;
    bool partly_unresolved = *needed == '?';
    needed += partly_unresolved;
    for (size_t i = 0; needed[i]; i++)
        n += has(bytes, size, needed[i]);
    if (n == strlen(needed)) return PARE_FAIL;
    return n > 0 && partly_unresolved ? PARE_UNRESOLVED : PARE_PASS;
}

static char three[] = "178", three_unresolved[] = "?178", one[] = "7";

struct trace_case {
    char *needed;
    const char *trace, *passing, *failing;
};

static const struct trace_case trace_cases[] = {
    /* One is needed: binary search. */
    {one, "1234 P\n5678 F\n56 P\n78 F\n7 F\n", "", "7"},
    /* Three are needed: the passing side grows first, by failing - D1. */
    {three, "1234 P\n5678 P\n5678 P\n125678 F\n15678 F\n", "5678", "15678"},
    /* Three that cannot be had apart: all four cases and the refinement. */
    {three_unresolved,
     "1234 ?\n5678 ?\n5678 ?\n1234 ?\n"                                 /* n = 2 */
     "12 ?\n34 P\n56 P\n78 ?\n345678 ?\n125678 F\n123478 F\n123456 ?\n" /* n = 4 */
     "1234 ?\n3456 P\n3478 ?\n345678 ?\n123478 F\n123456 ?\n"           /* + 34, n = 3 */
     "123456 ?\n345678 ?\n345678 ?\n123456 ?\n"                         /* + 56, n = 2 */
     "13456 ?\n23456 P\n34567 ?\n34568 ?\n"                             /* n = 4 */
     "2345678 ?\n1345678 F\n1234568 ?\n1234567 ?\n"
     "123456 ?\n234567 ?\n234568 ?\n2345678 ?\n1234568 ?\n1234567 ?\n", /* + 2, n = 3 */
     "23456", "12345678"},
};

static void test_dd__takes_the_steps_that_the_definition_gives(void **state)
{
    (void)state;
    struct subject subject = {.unit = "byte", .test = needs_all};
    set_side(&subject.failing, "12345678");
    for (size_t i = 0; i < sizeof trace_cases / sizeof *trace_cases; i++) {
        const struct trace_case *expected = &trace_cases[i];
        subject.context = expected->needed;
        struct run run = isolate(&subject);
        assert_string_equal(run.trace, expected->trace);
        assert_int_equal(run.passing.size, strlen(expected->passing));
        assert_memory_equal(run.passing.bytes, expected->passing, run.passing.size);
        assert_int_equal(run.failing.size, strlen(expected->failing));
        assert_memory_equal(run.failing.bytes, expected->failing, run.failing.size);
    }
}

/* ---- the guarantee -------------------------------------------------------------- */

/* A random program: it fails when one of some sets of letters is complete; it cannot tell
 * when a letter is there without the one that it needs. */
struct program {
    bool failing[4][16];
    size_t n_failing;
    int needs[16]; /* letter that must be there too; -1: none */
};

static pare_outcome run_program(void *context, const unsigned char *bytes, size_t size)
{
    const struct program *program = context;
    bool there[16] = {false};
    for (size_t i = 0; i < size; i++)
        there[bytes[i] - 'a'] = true;
    for (int i = 0; i < 16; i++)
        if (there[i] && program->needs[i] >= 0 && !there[program->needs[i]]) return PARE_UNRESOLVED;
    for (size_t k = 0; k < program->n_failing; k++) {
        bool complete = true;
        for (int i = 0; i < 16; i++)
            complete &= there[i] || !program->failing[k][i];
        if (complete) return PARE_FAIL;
    }
    return PARE_PASS;
}

/* Makes a program and two inputs of it; false when these do not pass and fail. */
static bool make_program(struct program *program, struct subject *subject, uint64_t seed,
                         size_t n_letters, bool unresolved)
{
    pare_random random;
    pare_random_init(&random, seed);
    *program = (struct program){.n_failing = 1 + pare_random_below(&random, 2)};
    *subject = (struct subject){.unit = "byte", .test = run_program, .context = program};
    for (int i = 0; i < 16; i++)
        program->needs[i] = -1;
    for (size_t k = 0; k < program->n_failing; k++)
        for (size_t i = 0; i <= pare_random_below(&random, 4); i++)
            program->failing[k][pare_random_below(&random, n_letters)] = true;
    for (size_t i = 1; unresolved && i < n_letters; i++)
        if (pare_random_below(&random, 2))
            program->needs[i] = (int)pare_random_below(&random, n_letters);
    for (size_t i = 0; i < n_letters; i++) {
        unsigned char letter = (unsigned char)('a' + i);
        if (pare_random_below(&random, 4) == 0)
            subject->passing.bytes[subject->passing.size++] = letter;
        if (pare_random_below(&random, 8) != 0)
            subject->failing.bytes[subject->failing.size++] = letter;
    }
    return run_on(subject, &subject->passing) == PARE_PASS &&
           run_on(subject, &subject->failing) == PARE_FAIL;
}

/* Whether letter `letter` differs between the sides; if so, sets *changed to `from` with
 * this one letter as `to` has it.  The letters of a side ascend, so the order is known. */
static bool change_one(const struct side *from, const struct side *to, char letter,
                       struct side *changed)
{
    bool in_from = has(from->bytes, from->size, letter), in_to = has(to->bytes, to->size, letter);
    if (in_from == in_to) return false;
    changed->size = 0;
    for (char other = 'a'; other < 'a' + 16; other++) {
        bool there = has(from->bytes, from->size, other);
        if (other == letter ? in_to : there) changed->bytes[changed->size++] = (unsigned char)other;
    }
    return true;
}

static void assert_one_minimal(const struct subject *subject, const struct run *run)
{
    for (char letter = 'a'; letter < 'a' + 16; letter++) {
        struct side changed;
        if (!change_one(&run->passing, &run->failing, letter, &changed)) continue;
        if (run->n_deltas == 1) continue; /* the passing side would become the failing one */
        assert_int_not_equal(run_on(subject, &changed), PARE_PASS);
        assert_true(change_one(&run->failing, &run->passing, letter, &changed));
        assert_int_not_equal(run_on(subject, &changed), PARE_FAIL);
    }
}

static void test_dd__difference_is_one_minimal(void **state)
{
    (void)state;
    size_t n_runs = 0, n_larger = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        struct program program;
        struct subject subject;
        if (!make_program(&program, &subject, seed, 2 + seed % 9, true)) continue;
        struct run run = isolate(&subject);
        assert_one_minimal(&subject, &run);
        n_runs++;
        n_larger += run.n_deltas > 1;
    }
    assert_true(n_runs > 200 && n_larger > 20);
}

static void test_dd__without_unresolved_outcomes_one_delta_is_left(void **state)
{
    (void)state;
    size_t n_runs = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        struct program program;
        struct subject subject;
        if (!make_program(&program, &subject, seed, 2 + seed % 15, false)) continue;
        struct run run = isolate(&subject);
        assert_int_equal(run.n_deltas, 1);
        assert_true(run.n_distinct <= 2 * 4); /* 2 log2 of at most 16 deltas */
        n_runs++;
    }
    assert_true(n_runs > 200);
}

/* ---- deltas --------------------------------------------------------------------- */

static pare_outcome fails_with_x(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    return has(bytes, size, 'x') ? PARE_FAIL : PARE_PASS;
}

static pare_outcome fails_without_x(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    return has(bytes, size, 'x') ? PARE_PASS : PARE_FAIL;
}

static void assert_isolates(const char *unit, simulated_test test, const char *passing,
                            const char *failing, const char *near_passing, const char *near_failing)
{
    struct subject subject = {.unit = unit, .test = test};
    set_side(&subject.passing, passing);
    set_side(&subject.failing, failing);
    struct run run = isolate(&subject);
    assert_int_equal(run.passing.size, strlen(near_passing));
    assert_memory_equal(run.passing.bytes, near_passing, run.passing.size);
    assert_int_equal(run.failing.size, strlen(near_failing));
    assert_memory_equal(run.failing.bytes, near_failing, run.failing.size);
}

static void test_dd__isolates_what_was_inserted_and_what_was_deleted(void **state)
{
    (void)state;
    assert_isolates("byte", fails_with_x, "", "x", "", "x");
    assert_isolates("byte", fails_without_x, "x", "", "x", "");
    assert_isolates("byte", fails_with_x, "ab", "axb", "ab", "axb");
    assert_isolates("line", fails_without_x, "a\nx\nb\n", "a\nb\n", "a\nx\nb\n", "a\nb\n");
    assert_isolates("line", fails_with_x, "a\nold\nb\nc\n", "a\nx\nb\nd\n", "a\nold\nb\nc\n",
                    "a\nold\nx\nb\nc\n");
}

static void test_dd__of_equal_texts_is_done_at_once(void **state)
{
    (void)state;
    struct subject subject = {.unit = "line"};
    set_side(&subject.passing, "same\n");
    set_side(&subject.failing, "same\n");
    pare_strategy *dd = start_dd(&subject);
    pare_candidate candidate = {0};
    pare_next what = PARE_NEXT_TEST;
    struct side side;
    assert_int_equal(dd->ops->next(dd, &what, &candidate, NULL), PARE_OK);
    assert_int_equal(what, PARE_NEXT_DONE);
    assert_int_equal(pare_dd_count(dd), 0);
    read_side(dd, PARE_PASS, &side);
    assert_int_equal(side.size, 5);
    pare_candidate_done(&candidate);
    pare_strategy_free(dd);
}

static void test_dd__deltas_are_counted_in_finer_units(void **state)
{
    (void)state;
    struct subject subject = {.unit = "line"};
    set_side(&subject.passing, "a\nfour\nb\n");
    set_side(&subject.failing, "a\nb\nxy\nz");
    pare_deltas *deltas = compare(&subject);
    size_t n = 0;
    assert_int_equal(pare_dd_deltas_count(deltas), 3);
    assert_int_equal(pare_dd_deltas_count_units(deltas, pare_splitter_find("byte"), &n, NULL),
                     PARE_OK);
    assert_int_equal(n, 5 + 3 + 1);
    pare_dd_deltas_unref(deltas);
}

/* ---- with the engine ------------------------------------------------------------ */

struct trace {
    size_t n;
    pare_retired step[MAX_STEPS];
};

static void keep_step(void *context, const pare_retired *retired)
{
    struct trace *trace = context;
    assert_true(trace->n < MAX_STEPS);
    trace->step[trace->n++] = *retired;
}

static struct trace alone, together;

static pare_status run_engine(const struct subject *subject, unsigned jobs, uint64_t seed,
                              struct trace *trace, pare_strategy **dd, pare_engine **engine,
                              pare_error *err)
{
    static struct simulated_oracle sim;
    pare_text *text = NULL;
    pare_verdict verdict;
    pare_engine_end end;
    simulated_init(&sim, jobs, subject->test, subject->context, seed);
    trace->n = 0;
    pare_engine_options options = {.oracle = &sim.head, .context = trace, .retired = keep_step};
    pare_status status = pare_text_copy(subject->failing.bytes, subject->failing.size, &text, err);
    if (!status) status = pare_engine_new(&options, engine, err);
    if (!status) status = pare_engine_check(*engine, text, &verdict, err);
    if (!status) status = pare_engine_run_keeping(*engine, dd, &end, err);
    pare_text_unref(text);
    return status;
}

static void run_jobs(const struct subject *subject, unsigned jobs, uint64_t seed,
                     struct trace *trace, struct run *run)
{
    pare_engine *engine = NULL;
    pare_strategy *dd = start_dd(subject);
    assert_int_equal(run_engine(subject, jobs, seed, trace, &dd, &engine, NULL), PARE_OK);
    const pare_candidate *best = pare_engine_best(engine);
    read_side(dd, PARE_PASS, &run->passing);
    read_side(dd, PARE_FAIL, &run->failing);
    assert_int_equal(best->size, run->failing.size);
    unsigned char bytes[MAX_BYTES];
    pare_candidate_read(best, bytes);
    assert_memory_equal(bytes, run->failing.bytes, best->size);
    run->n_deltas = pare_dd_count(dd);
    pare_strategy_free(dd);
    pare_engine_free(engine);
}

static void assert_same_trace(const struct trace *a, const struct trace *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_true(pare_digest_equal(a->step[i].digest, b->step[i].digest));
        assert_int_equal(a->step[i].outcome, b->step[i].outcome);
        assert_int_equal(a->step[i].accepted, b->step[i].accepted);
        assert_int_equal(a->step[i].from_cache, b->step[i].from_cache);
    }
}

static void test_dd__jobs_change_neither_sides_nor_trace(void **state)
{
    (void)state;
    size_t n_runs = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct program program;
        struct subject subject;
        if (!make_program(&program, &subject, seed, 6 + seed % 11, seed % 2)) continue;
        struct run expected = isolate(&subject), run;
        run_jobs(&subject, 1, 0, &alone, &run);
        assert_int_equal(alone.n, expected.n_steps + 1);
        for (unsigned jobs = 2; jobs <= 8; jobs += 6) {
            run_jobs(&subject, jobs, seed, &together, &run);
            assert_same_trace(&alone, &together);
            assert_int_equal(run.n_deltas, expected.n_deltas);
            assert_int_equal(run.passing.size, expected.passing.size);
            assert_memory_equal(run.passing.bytes, expected.passing.bytes, run.passing.size);
            assert_int_equal(run.failing.size, expected.failing.size);
            assert_memory_equal(run.failing.bytes, expected.failing.bytes, run.failing.size);
        }
        n_runs++;
    }
    assert_true(n_runs >= 200);
}

static void test_dd__failing_side_is_the_best_though_it_grows(void **state)
{
    (void)state;
    struct subject subject = {.unit = "byte", .test = fails_without_x};
    struct run run;
    set_side(&subject.passing, "abcdefghx");
    run_jobs(&subject, 1, 0, &alone, &run);
    assert_int_equal(run.n_deltas, 1);
    assert_true(run.failing.size + 1 == run.passing.size && run.failing.size > 0);
}

/* ---- memory --------------------------------------------------------------------- */

static pare_status attempt_new(void *context)
{
    struct subject *subject = context;
    pare_deltas *deltas = NULL;
    pare_strategy *dd = NULL;
    pare_deltas_source source = {.passing = {subject->passing.bytes, subject->passing.size},
                                 .failing = {subject->failing.bytes, subject->failing.size},
                                 .splitter = pare_splitter_find("line")};
    pare_status status = pare_dd_deltas_new(&source, &deltas, NULL);
    if (!status) status = pare_dd_new(deltas, &dd, NULL);
    if (status) assert_null(dd);
    pare_strategy_free(dd);
    pare_dd_deltas_unref(deltas);
    return status;
}

static pare_status attempt_run(void *context)
{
    const struct subject *subject = context;
    pare_engine *engine = NULL;
    pare_deltas *deltas = NULL;
    pare_strategy *dd = NULL;
    pare_error err = {.status = PARE_OK};
    pare_deltas_source source = {.passing = {subject->passing.bytes, subject->passing.size},
                                 .failing = {subject->failing.bytes, subject->failing.size},
                                 .splitter = pare_splitter_find(subject->unit)};
    pare_status status = pare_dd_deltas_new(&source, &deltas, &err);
    if (!status) status = pare_dd_new(deltas, &dd, &err);
    if (!status) status = run_engine(subject, 4, 1, &alone, &dd, &engine, &err);
    assert_int_equal(status, err.status);
    pare_strategy_free(dd);
    pare_dd_deltas_unref(deltas);
    pare_engine_free(engine);
    return status;
}

static void test_dd__out_of_memory_is_a_clean_error_everywhere(void **state)
{
    (void)state;
    struct subject subject = {.unit = "byte", .test = needs_all, .context = three_unresolved};
    set_side(&subject.passing, "a\nb\n");
    set_side(&subject.failing, "1a\n2345\n6b78\n");
    sweep_allocations(attempt_new, &subject);
    for (size_t n = 0;; n++) {
        long before = live_blocks();
        pare_alloc_fault_after(n);
        pare_status status = attempt_run(&subject);
        bool hit = pare_alloc_fault_hit();
        pare_alloc_fault_after(SIZE_MAX);
        assert_int_equal(live_blocks(), before);
        if (status) assert_int_equal(status, PARE_E_NOMEM);
        if (!hit) break; /* some failures are survived: a full cache is no error */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dd__takes_the_steps_that_the_definition_gives),
        cmocka_unit_test(test_dd__difference_is_one_minimal),
        cmocka_unit_test(test_dd__without_unresolved_outcomes_one_delta_is_left),
        cmocka_unit_test(test_dd__isolates_what_was_inserted_and_what_was_deleted),
        cmocka_unit_test(test_dd__of_equal_texts_is_done_at_once),
        cmocka_unit_test(test_dd__deltas_are_counted_in_finer_units),
        cmocka_unit_test(test_dd__jobs_change_neither_sides_nor_trace),
        cmocka_unit_test(test_dd__failing_side_is_the_best_though_it_grows),
        cmocka_unit_test(test_dd__out_of_memory_is_a_clean_error_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
