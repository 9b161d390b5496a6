/* Edits of a tree: what a candidate and a success cost.
 *
 * Usage: bench_tree [NODES]   (default 100000)
 * A tree of nested calls in statements, about NODES nodes; prints one figure a line, with
 * its unit, in processor time.  A candidate is made with its digest, so all that is left is to write it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "reduce/tree/hdd.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree_state.h"
#include "report.h"

enum { EDITS = 200000, SUCCESSES = 2000, CHILDREN = 7 };

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Ends the program when a call that cannot fail here did. */
static void require(pare_status status)
{
    if (!status) return;
    fprintf(stderr, "bench_tree: %s\n", pare_status_name(status));
    exit(1);
}

static void *room(size_t n, size_t size)
{
    void *block = calloc(n, size);
    if (!block) require(PARE_E_NOMEM);
    return block;
}

struct input {
    pare_parse_tree parse;
    char *text;
    size_t capacity;
};

/* Adds statements `call(name_1, name_2, ...);`, each of CHILDREN + 1 nodes. */
static void generate(struct input *input, size_t n_nodes)
{
    size_t size = 0;
    input->parse.nodes = room(n_nodes + CHILDREN + 2, sizeof *input->parse.nodes);
    input->text = room(16 * (n_nodes + CHILDREN + 2), 1);
    pare_parse_node *nodes = input->parse.nodes;
    uint32_t n = 0;
    nodes[n++] = (pare_parse_node){.kind = PARE_NODE_RULE, .parent = PARE_NO_NODE};
    while (n < n_nodes) {
        uint32_t call = n++;
        nodes[call] = (pare_parse_node){
            .kind = PARE_NODE_RULE, .symbol = 1, .begin = (uint32_t)size, .parent = 0};
        for (unsigned i = 0; i < CHILDREN; i++) {
            uint32_t begin = (uint32_t)size;
            size += (size_t)sprintf(input->text + size, "name_%u", n);
            nodes[n] = (pare_parse_node){.kind = PARE_NODE_TOKEN,
                                         .symbol = 2,
                                         .begin = begin,
                                         .end = (uint32_t)size,
                                         .after = n + 1,
                                         .parent = call};
            n++;
            nodes[call].end = (uint32_t)size;
            input->text[size++] = i + 1 == CHILDREN ? '\n' : ' ';
        }
        nodes[call].after = n;
        nodes[0].end = nodes[call].end;
    }
    nodes[0].after = n;
    input->parse.n_nodes = n;
    input->parse.size_bytes = (uint32_t)size;
}

static void minimal(const void *context, const pare_parse_tree *parse, uint32_t node,
                    const char **text, size_t *size)
{
    (void)context;
    *text = parse->nodes[node].kind == PARE_NODE_TOKEN ? "0" : "";
    *size = strlen(*text);
}

/* A random edit of a node that is in play. */
static pare_tree_edit draw(const pare_tree_state *state, pare_random *random)
{
    const pare_tree *tree = pare_tree_state_tree(state);
    for (;;) {
        uint32_t node = 1 + (uint32_t)pare_random_below(random, tree->n_nodes - 1);
        uint32_t parent = tree->nodes[node].parent;
        if (pare_tree_state_gone(state, node) || pare_tree_state_hollow(state, node)) continue;
        if (parent != PARE_NO_NODE &&
            (pare_tree_state_gone(state, parent) || pare_tree_state_hollow(state, parent)))
            continue;
        if (tree->nodes[node].own.kind == PARE_NODE_TOKEN || pare_random_below(random, 2))
            return (pare_tree_edit){PARE_TREE_PRUNE, node, 0};
        uint32_t child = pare_tree_state_first(state, node);
        if (child != PARE_NO_NODE) return (pare_tree_edit){PARE_TREE_HOIST, node, child};
    }
}

static void bench_candidates(const pare_tree_state *state, const char *what)
{
    pare_random random;
    pare_random_init(&random, 5);
    pare_tree_edit *drawn = room(EDITS, sizeof *drawn);
    for (size_t i = 0; i < EDITS; i++)
        drawn[i] = draw(state, &random);
    pare_candidate candidate = {0};
    uint64_t sum = 0;
    double start = now_s();
    for (size_t i = 0; i < EDITS; i++) {
        pare_tree_edits edits = {.items = &drawn[i], .n = 1, .capacity = 1};
        require(pare_tree_state_candidate(state, &edits, &candidate, NULL));
        sum += pare_candidate_digest(&candidate).low;
    }
    double seconds = now_s() - start;
    pare_candidate_done(&candidate);
    free(drawn);
    char figure[40];
    double each_us = seconds / EDITS * 1e6;
    (void)snprintf(figure, sizeof figure, "%.2f us", each_us);
    report_aim(what, figure, "< 5 us", each_us < 5 && sum);
}

/* Makes SUCCESSES edits in a row. */
static pare_tree_state *bench_successes(pare_tree_state *state)
{
    pare_random random;
    pare_random_init(&random, 7);
    double seconds = 0;
    for (size_t i = 0; i < SUCCESSES; i++) {
        pare_tree_edit edit = draw(state, &random);
        pare_tree_edits edits = {.items = &edit, .n = 1, .capacity = 1};
        pare_tree_state *after = NULL;
        double start = now_s();
        require(pare_tree_state_edit(state, &edits, &after, NULL));
        require(pare_tree_state_settle(after, NULL));
        pare_tree_state_unref(state);
        seconds += now_s() - start;
        state = after;
    }
    char figure[40];
    (void)snprintf(figure, sizeof figure, "%.2f us", seconds / SUCCESSES * 1e6);
    report_figure("success", figure);
    return state;
}

/* All tests of HDD*, each of which passes. */
static void bench_hdd(pare_tree *tree)
{
    pare_hdd_options options = {.n_phases = 0};
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    size_t tests = 0;
    double start = now_s();
    require(pare_hdd_new(tree, &options, &strategy, NULL));
    for (pare_next what = PARE_NEXT_TEST;; tests++) {
        require(strategy->ops->next(strategy, &what, &candidate, NULL));
        if (what == PARE_NEXT_DONE || now_s() - start > 5) break;
        require(strategy->ops->tell(strategy, PARE_PASS, NULL));
    }
    double seconds = now_s() - start;
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    char figure[40];
    (void)snprintf(figure, sizeof figure, "%.2f us", seconds / (double)tests * 1e6);
    report_figure("a test of HDD that passes", figure);
}

int main(int argc, char **argv)
{
    size_t n_nodes = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    if (n_nodes < 100 || n_nodes > 50000000) {
        fprintf(stderr, "usage: bench_tree [NODES], 100 to 50000000\n");
        return 2;
    }
    struct input input = {.text = NULL};
    generate(&input, n_nodes);
    pare_text *text = NULL;
    pare_tree *tree = NULL, *after = NULL;
    pare_tree_state *state = NULL;
    require(pare_text_copy(input.text, input.parse.size_bytes, &text, NULL));
    double start = now_s();
    require(pare_tree_new(&input.parse, text, &(pare_tree_rules){.minimal = minimal}, &tree, NULL));
    char figure[40];
    (void)snprintf(figure, sizeof figure, "%u, %.1f ms", tree->n_nodes, (now_s() - start) * 1e3);
    report_figure("nodes, made a tree in", figure);
    const pare_transform *list[] = {&pare_transform_flatten, &pare_transform_squeeze,
                                    &pare_transform_hide};
    start = now_s();
    require(pare_transform_run(tree, list, 3, &after, NULL));
    (void)snprintf(figure, sizeof figure, "%.1f ms", (now_s() - start) * 1e3);
    report_figure("flatten, squeeze, hide", figure);
    pare_tree_unref(after);
    require(pare_tree_state_new(tree, &state, NULL));
    bench_candidates(state, "candidate of one edit");
    state = bench_successes(state);
    bench_candidates(state, "candidate after 2000 successes");
    bench_hdd(tree);
    pare_tree_state_unref(state);
    pare_tree_unref(tree);
    pare_text_unref(text);
    free(input.parse.nodes);
    free(input.text);
    return 0;
}
