/* What the strategies over trees have in common, on random trees and random predicates;
 * the traces of the seeds; a tree a million levels deep. */
/* tests: src/reduce/tree/hdd.c src/reduce/tree/perses.c src/reduce/tree/node_list.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "engine/engine.h"
#include "reduce/tree/hdd.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree_algorithm.h"
#include "support/simulated_oracle.h"
#include "support/tree_driver.h"
#include "support/tree_notation.h"

enum { MAX_STEPS = 200000 };

/* Random cases of each strategy, and tests of the deep tree: all of them with PARE_TEST_LONG, else
 * the first ones. */
static const struct extent {
    uint64_t n_cases, n_balanced, n_counted;
    size_t deep_tests;
} whole = {.n_cases = 60, .n_balanced = 30, .n_counted = 40, .deep_tests = 1500000},
  usual = {.n_cases = 8, .n_balanced = 5, .n_counted = 2, .deep_tests = 450000};

static const struct extent *extent(void)
{
    return getenv("PARE_TEST_LONG") ? &whole : &usual;
}

/* --- the strategies --------------------------------------------------------------------- */

struct entry {
    const char *name;
    const char *list; /* list algorithm, or NULL */
    const char *transforms;
    pare_status (*make)(pare_tree *tree, const struct entry *entry, pare_strategy **out,
                        pare_error *err);
    bool minimal; /* promises a 1-tree-minimal result */
    pare_hdd_options walk;
};

static pare_status make_hdd(pare_tree *tree, const struct entry *entry, pare_strategy **out,
                            pare_error *err)
{
    pare_hdd_options options = entry->walk;
    if (entry->list) options.list = pare_list_algorithm_find(entry->list);
    return pare_hdd_new(tree, &options, out, err);
}

static pare_status make_hddr(pare_tree *tree, const struct entry *entry, pare_strategy **out,
                             pare_error *err)
{
    pare_hdd_options options = entry->walk;
    if (entry->list) options.list = pare_list_algorithm_find(entry->list);
    options.by_node = true;
    return pare_hdd_new(tree, &options, out, err);
}

static pare_status make_gtr(pare_tree *tree, const struct entry *entry, pare_strategy **out,
                            pare_error *err)
{
    pare_hdd_options options = entry->walk;
    options.phases[0] = (pare_hdd_phase){{PARE_HDD_DELETE, PARE_HDD_CHILD}};
    options.n_phases = 1;
    return pare_hdd_new(tree, &options, out, err);
}

static pare_status make_heavy_lists(pare_tree *tree, const struct entry *entry, pare_strategy **out,
                                    pare_error *err)
{
    (void)entry;
    return pare_heavy_lists_new(tree, out, err);
}

static pare_status make_perses(pare_tree *tree, const struct entry *entry, pare_strategy **out,
                               pare_error *err)
{
    pare_perses_options options = {.max_depth = 0};
    if (entry->list) options.list = pare_list_algorithm_find(entry->list);
    return pare_perses_new(tree, &options, out, err);
}

#define PHASES(...)          \
    .phases = {__VA_ARGS__}, \
    .n_phases = sizeof((pare_hdd_phase[]){__VA_ARGS__}) / sizeof(pare_hdd_phase)

static const struct entry entries[] = {
    {.name = "hdd, no fixpoint", .make = make_hdd, .walk = {.fixpoint = PARE_FIXPOINT_OFF}},
    {.name = "hdd*", .make = make_hdd, .minimal = true},
    {.name = "hdd*, squeeze hide", .transforms = "squeeze,hide", .make = make_hdd, .minimal = true},
    {.name = "hdd* with sweep", .list = "sweep", .make = make_hdd, .minimal = true},
    {.name = "hdd* with cdd", .list = "cdd", .make = make_hdd},
    {.name = "coarse hdd*", .make = make_hdd, .walk = {PHASES({{PARE_HDD_COARSE}})}},
    {.name = "coarse, hoist",
     .make = make_hdd,
     .walk = {PHASES({{PARE_HDD_COARSE}}, {{PARE_HDD_HOIST}})}},
    {.name = "prune + hoist",
     .make = make_hdd,
     .walk = {PHASES({{PARE_HDD_PRUNE, PARE_HDD_HOIST}})},
     .minimal = true},
    {.name = "hddr*, last", .make = make_hddr, .minimal = true},
    {.name = "hddr*, last, backward",
     .make = make_hddr,
     .walk = {.traversal = PARE_TRAVERSAL_LAST_BACKWARD},
     .minimal = true},
    {.name = "hddr*, first",
     .make = make_hddr,
     .walk = {.traversal = PARE_TRAVERSAL_FIRST_FORWARD},
     .minimal = true},
    {.name = "hddr*, first, backward",
     .make = make_hddr,
     .walk = {.traversal = PARE_TRAVERSAL_FIRST_BACKWARD},
     .minimal = true},
    {.name = "coarse hddr*, squeeze",
     .transforms = "squeeze",
     .make = make_hddr,
     .walk = {PHASES({{PARE_HDD_COARSE}})}},
    {.name = "gtr", .make = make_gtr},
    {.name = "perses", .make = make_perses},
    {.name = "perses with ddmin", .list = "ddmin", .make = make_perses},
    {.name = "perses, squeeze", .transforms = "squeeze,hide", .make = make_perses},
    {.name = "heavy lists", .make = make_heavy_lists},
};

enum { N_ENTRIES = sizeof entries / sizeof *entries };

/* The strategy of `entry` over `tree`, transformed. */
static pare_status make_strategy(const struct entry *entry, pare_tree *tree, pare_strategy **out,
                                 pare_error *err)
{
    const pare_transform *list[8];
    size_t n = 0;
    char names[64] = "";
    (void)snprintf(names, sizeof names, "%s", entry->transforms ? entry->transforms : "");
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ","))
        list[n++] = pare_transform_find(name);
    pare_tree *after = NULL;
    pare_status status = pare_transform_run(tree, list, n, &after, err);
    if (!status) status = entry->make(after, entry, out, err);
    pare_tree_unref(after);
    return status;
}

/* --- through the engine ------------------------------------------------------------------ */

struct trace {
    size_t n;
    pare_retired step[MAX_STEPS];
};

static struct trace one, many;

static void keep_step(void *context, const pare_retired *retired)
{
    struct trace *trace = context;
    assert_true(trace->n < MAX_STEPS);
    trace->step[trace->n++] = *retired;
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

struct outcome {
    char *bytes;
    size_t size;
    uint64_t tests;
    pare_strategy *strategy; /* at its end; caller frees */
};

static struct outcome reduce(const struct entry *entry, pare_tree *tree, struct subject *subject,
                             unsigned jobs, uint64_t timing, struct trace *trace)
{
    static struct simulated_oracle sim;
    struct outcome outcome = {0};
    pare_engine *engine = NULL;
    pare_engine_end end;
    pare_verdict verdict;
    simulated_init(&sim, jobs, subject_run, subject, timing);
    trace->n = 0;
    pare_engine_options options = {.oracle = &sim.head, .context = trace, .retired = keep_step};
    assert_int_equal(pare_engine_new(&options, &engine, NULL), PARE_OK);
    assert_int_equal(pare_engine_check(engine, tree->text, &verdict, NULL), PARE_OK);
    assert_int_equal(verdict.outcome, PARE_FAIL);
    assert_int_equal(make_strategy(entry, tree, &outcome.strategy, NULL), PARE_OK);
    assert_int_equal(pare_engine_run_keeping(engine, &outcome.strategy, &end, NULL), PARE_OK);
    assert_int_equal(end, PARE_END_DONE);
    const pare_candidate *best = pare_engine_best(engine);
    outcome.size = best->size;
    outcome.bytes = malloc(best->size + 1);
    assert_non_null(outcome.bytes);
    pare_candidate_read(best, outcome.bytes);
    outcome.bytes[best->size] = '\0';
    outcome.tests = pare_engine_statistics(engine).tests;
    pare_engine_free(engine);
    return outcome;
}

static void outcome_done(struct outcome *outcome)
{
    free(outcome->bytes);
    pare_strategy_free(outcome->strategy);
}

/* No node in play can be replaced by its minimal text, tried one by one. */
static void assert_tree_minimal(const struct entry *entry, const struct outcome *outcome,
                                struct subject *subject, uint64_t seed)
{
    const pare_tree_state *state = pare_hdd_state(outcome->strategy);
    const pare_tree *tree = pare_tree_state_tree(state);
    pare_candidate candidate = {0};
    assert_true(pare_tree_state_check(state));
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        if (pare_tree_state_gone(state, i)) {
            i = tree->nodes[i].after - 1;
            continue;
        }
        if (i == 0 || pare_tree_state_hollow(state, i)) continue;
        if (tree->nodes[i].minimal_size > tree->nodes[i].end - tree->nodes[i].begin) continue;
        pare_tree_edit edit = {.change = PARE_TREE_PRUNE, .node = i};
        pare_tree_edits edits = {.items = &edit, .n = 1, .capacity = 1};
        assert_int_equal(pare_tree_state_candidate(state, &edits, &candidate, NULL), PARE_OK);
        char *bytes = malloc(candidate.size + 1);
        assert_non_null(bytes);
        pare_candidate_read(&candidate, bytes);
        pare_outcome out = subject_run(subject, (unsigned char *)bytes, candidate.size);
        if (out == PARE_FAIL) fail_msg("%s, seed %d: node %u can go", entry->name, (int)seed, i);
        free(bytes);
    }
    pare_candidate_done(&candidate);
}

static void check_entry(const struct entry *entry, uint64_t seed)
{
    struct json json = {0};
    struct subject subject;
    json_draw(&json, seed, 1 + (unsigned)(seed % 12));
    subject_draw(&subject, &json, seed);
    pare_tree *tree = json_tree(&json);
    if (subject_run(&subject, (unsigned char *)json.notation.text, json.notation.text_size) ==
        PARE_FAIL) {
        struct outcome alone = reduce(entry, tree, &subject, 1, 1, &one);
        assert_true(alone.size <= json.notation.text_size);
        assert_int_equal(subject_run(&subject, (unsigned char *)alone.bytes, alone.size),
                         PARE_FAIL);
        if (entry->minimal) assert_tree_minimal(entry, &alone, &subject, seed);
        for (unsigned jobs = 2; jobs <= 8; jobs += 6) {
            struct outcome together = reduce(entry, tree, &subject, jobs, seed * jobs, &many);
            assert_string_equal(alone.bytes, together.bytes);
            assert_same_trace(&one, &many);
            outcome_done(&together);
        }
        outcome_done(&alone);
    }
    pare_tree_unref(tree);
    notation_done(&json.notation);
}

static void test_tree_strategy__result_fails_is_minimal_where_promised_at_any_jobs(void **state)
{
    (void)state;
    long live = live_blocks();
    for (size_t e = 0; e < N_ENTRIES; e++)
        for (uint64_t seed = 1; seed <= extent()->n_cases; seed++)
            check_entry(&entries[e], seed);
    assert_int_equal(live_blocks(), live);
}

/* Every token of a result of HDD stands in the input, or in some minimal text. */
static void test_tree_strategy__prune_and_hoist_keep_the_brackets_balanced(void **state)
{
    (void)state;
    for (size_t e = 0; e < N_ENTRIES; e++) {
        if (entries[e].make == make_gtr) continue; /* knows no language */
        for (uint64_t seed = 100; seed < 100 + extent()->n_balanced; seed++) {
            struct json json = {0};
            struct subject subject;
            struct drive drive;
            pare_strategy *strategy = NULL;
            json_draw(&json, seed, 10);
            subject_draw(&subject, &json, seed);
            subject.n_dependent = 0;
            pare_tree *tree = json_tree(&json);
            assert_int_equal(make_strategy(&entries[e], tree, &strategy, NULL), PARE_OK);
            drive_run(&drive, strategy, subject_run, &subject);
            int depth = 0;
            for (const char *c = drive.best ? drive.best : ""; *c; c++) {
                depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
                assert_true(depth >= 0);
            }
            assert_int_equal(depth, 0);
            drive_done(&drive);
            pare_tree_unref(tree);
            notation_done(&json.notation);
        }
    }
}

/* --- HDD ------------------------------------------------------------------------------- */

static pare_outcome needs_k(void *context, const unsigned char *bytes, size_t size)
{
    return subject_has(bytes, size, context) ? PARE_FAIL : PARE_PASS;
}

static void run_entry(const struct entry *entry, const char *source, const char *needed,
                      struct drive *drive)
{
    struct notation notation = {0};
    pare_strategy *strategy = NULL;
    char word[16];
    (void)snprintf(word, sizeof word, "%s", needed);
    notation_read(&notation, source);
    pare_tree_rules rules = {.context = &notation, .minimal = json_minimal};
    pare_tree *tree = notation_tree(&notation, &rules);
    assert_int_equal(make_strategy(entry, tree, &strategy, NULL), PARE_OK);
    drive_run(drive, strategy, needs_k, word);
    pare_tree_unref(tree);
    notation_done(&notation);
}

#define LIST "(json '[' (value '1') (* (& ',' (value '2')) (& ',' (value '3'))) ']')"

static void test_hdd__goes_level_by_level_and_leaves_minimal_texts(void **state)
{
    (void)state;
    struct drive drive;
    struct entry entry = {.make = make_hdd, .walk = {.fixpoint = PARE_FIXPOINT_OFF}};
    run_entry(&entry, LIST, "3", &drive);
    assert_string_equal(drive.best, "[0,3]");
    drive_done(&drive);
}

static void test_coarse_hdd__tries_only_what_can_go_altogether(void **state)
{
    (void)state;
    struct drive drive;
    struct entry entry = {.make = make_hdd, .walk = {PHASES({{PARE_HDD_COARSE}})}};
    run_entry(&entry, LIST, "3", &drive);
    assert_string_equal(drive.best, "[1,3]");
    assert_null(strstr(drive.log, "0"));
    drive_done(&drive);
}

static void test_gtr__replaces_nodes_by_their_children(void **state)
{
    (void)state;
    struct drive drive;
    struct entry entry = {.make = make_gtr};
    run_entry(&entry, "(json (value '[' (value '(' (value 'k') ')') ']'))", "k", &drive);
    assert_string_equal(drive.best, "k");
    drive_done(&drive);
}

/* --- Perses ---------------------------------------------------------------------------- */

static void test_perses__splices_a_list_below_into_the_list(void **state)
{
    (void)state;
    struct drive drive;
    struct entry entry = {.make = make_perses};
    const char *source = "(json (* (value 'a' ';') (value 'if' '{' (* (value 'b' ';') (value 'k' "
                         "';')) '}') (value 'c' ';')))";
    run_entry(&entry, source, "k", &drive);
    assert_string_equal(drive.best, "k;");
    drive_done(&drive);
}

static void test_perses__plus_keeps_one_round(void **state)
{
    (void)state;
    struct drive drive;
    struct entry entry = {.make = make_perses};
    run_entry(&entry, "(json '[' (+ (pair 'a') (pair 'b') (pair 'c')) ']')", "[", &drive);
    assert_string_equal(drive.best, "[a]");
    drive_done(&drive);
    run_entry(&entry, "(json '[' (+ (pair 'a') (pair 'b') (pair 'k')) ']')", "k", &drive);
    assert_string_equal(drive.best, "[k]");
    drive_done(&drive);
}

/* --- memory, depth, cost ---------------------------------------------------------------- */

struct attempt {
    const struct entry *entry;
    pare_tree *tree;
    struct subject subject;
};

static pare_status run_with_failures(void *context)
{
    struct attempt *attempt = context;
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    pare_status status = make_strategy(attempt->entry, attempt->tree, &strategy, NULL);
    for (pare_next what = PARE_NEXT_TEST; !status;) {
        pare_strategy *copy = NULL;
        status = strategy->ops->next(strategy, &what, &candidate, NULL);
        if (status || what == PARE_NEXT_DONE) break;
        char bytes[4096];
        assert_true(candidate.size < sizeof bytes);
        pare_candidate_read(&candidate, bytes);
        pare_outcome outcome =
            subject_run(&attempt->subject, (unsigned char *)bytes, candidate.size);
        status = strategy->ops->copy(strategy, &copy, NULL);
        if (status) break;
        pare_strategy_free(strategy);
        strategy = copy;
        status = strategy->ops->tell(strategy, outcome, NULL);
        if (!status && outcome == PARE_FAIL) status = strategy->ops->settle(strategy, NULL);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    return status;
}

static void test_tree_strategy__out_of_memory_is_a_clean_error(void **state)
{
    (void)state;
    for (size_t e = 0; e < N_ENTRIES; e++) {
        struct json json = {0};
        struct attempt attempt = {.entry = &entries[e]};
        json_draw(&json, 11, 3);
        subject_draw(&attempt.subject, &json, 8);
        attempt.tree = json_tree(&json);
        sweep_allocations(run_with_failures, &attempt);
        pare_tree_unref(attempt.tree);
        notation_done(&json.notation);
    }
}

enum { DEEP = 1000000 };

/* `n` parentheses around `x`, each pair a value. */
static void draw_deep(struct notation *to, size_t n)
{
    uint32_t value = notation_symbol(to, "value", 5), at = PARE_NO_NODE;
    for (size_t i = 0; i < n; i++) {
        at = notation_open(to, PARE_NODE_RULE, value, at);
        notation_token(to, "(", 1, at);
    }
    notation_token(to, "x", 1, at);
    for (; at != PARE_NO_NODE; at = to->parse.nodes[at].parent) {
        notation_token(to, ")", 1, at);
        to->parse.nodes[at].after = (uint32_t)to->parse.n_nodes;
        to->parse.nodes[at].end = (uint32_t)to->text_size;
    }
}

struct deep_test {
    size_t tests, until_success;
};

/* Everything passes but a few. */
static pare_outcome rarely(void *context, const unsigned char *bytes, size_t size)
{
    struct deep_test *deep = context;
    (void)bytes;
    (void)size;
    return ++deep->tests % deep->until_success == 0 ? PARE_FAIL : PARE_PASS;
}

/* Tells PASS but for each `until_success`-th test, without printing the candidates. */
static void run_deep(pare_strategy *strategy, size_t max_tests, struct deep_test *deep)
{
    pare_candidate candidate = {0};
    for (pare_next what; deep->tests < max_tests;) {
        assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        assert_int_equal(strategy->ops->tell(strategy, rarely(deep, NULL, 0), NULL), PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
}

static void test_tree_strategy__a_million_levels_are_no_recursion(void **state)
{
    (void)state;
    struct notation notation = {0};
    draw_deep(&notation, DEEP);
    pare_tree_rules rules = {.context = &notation, .minimal = json_minimal};
    pare_tree *tree = notation_tree(&notation, &rules);
    static const size_t chosen[] = {1, 7, 8, 13, 14};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        pare_strategy *strategy = NULL;
        struct deep_test deep = {.until_success = 400000};
        assert_int_equal(make_strategy(&entries[chosen[i]], tree, &strategy, NULL), PARE_OK);
        run_deep(strategy, extent()->deep_tests, &deep);
        assert_true(deep.tests > 100);
    }
    pare_tree_unref(tree);
    notation_done(&notation);
}

static void test_tree_strategy__prints_how_many_tests_each_takes(void **state)
{
    (void)state;
    print_message("%-24s %10s %10s   (%llu JSON-like trees)\n", "strategy", "tests", "bytes",
                  (unsigned long long)extent()->n_counted);
    for (size_t e = 0; e < N_ENTRIES; e++) {
        uint64_t tests = 0, bytes = 0, input = 0;
        for (uint64_t seed = 1000; seed < 1000 + extent()->n_counted; seed++) {
            struct json json = {0};
            struct subject subject;
            json_draw(&json, seed, 60);
            subject_draw(&subject, &json, seed);
            subject.n_dependent = 0;
            pare_tree *tree = json_tree(&json);
            struct outcome outcome = reduce(&entries[e], tree, &subject, 1, 1, &one);
            tests += outcome.tests;
            bytes += outcome.size;
            input += json.notation.text_size;
            outcome_done(&outcome);
            pare_tree_unref(tree);
            notation_done(&json.notation);
        }
        if (e == 0) print_message("%-24s %10s %10llu\n", "input", "", (unsigned long long)input);
        print_message("%-24s %10llu %10llu\n", entries[e].name, (unsigned long long)tests,
                      (unsigned long long)bytes);
        assert_true(tests > 0 && bytes <= input);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_strategy__result_fails_is_minimal_where_promised_at_any_jobs),
        cmocka_unit_test(test_tree_strategy__prune_and_hoist_keep_the_brackets_balanced),
        cmocka_unit_test(test_hdd__goes_level_by_level_and_leaves_minimal_texts),
        cmocka_unit_test(test_coarse_hdd__tries_only_what_can_go_altogether),
        cmocka_unit_test(test_gtr__replaces_nodes_by_their_children),
        cmocka_unit_test(test_perses__splices_a_list_below_into_the_list),
        cmocka_unit_test(test_perses__plus_keeps_one_round),
        cmocka_unit_test(test_tree_strategy__out_of_memory_is_a_clean_error),
        cmocka_unit_test(test_tree_strategy__a_million_levels_are_no_recursion),
        cmocka_unit_test(test_tree_strategy__prints_how_many_tests_each_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
