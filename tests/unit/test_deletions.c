/* What is dropped next from a closed set. */
/* tests: src/reduce/dependency/deletions.c src/reduce/dependency/deletions_blame.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/shared.h"
#include "reduce/dependency/deletions.h"
#include "reduce/dependency/deletions_blame.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/outline.h"
#include "unit/alloc_sweep.h"

/* A set of all nodes of a program, and what is dropped from it. */
struct bench {
    pare_dependency *graph;
    pare_dependency_bits *within, *kept;
    pare_dependency_query query;
    pare_deletions_view view;
    pare_deletions deletions;
    uint32_t root;
    double expected;
};

static pare_status open_bench(struct bench *bench, const char *source)
{
    pare_text *text = NULL;
    bool known = false;
    *bench = (struct bench){.graph = NULL};
    pare_status status = pare_text_copy(source, strlen(source), &text, NULL);
    if (status) return status;
    const pare_pass_view view = {
        .text = text, .bytes = pare_text_bytes(text), .end = strlen(source), .language = "cpp"};
    status = pare_dependency_make(&view, &known, &bench->graph, NULL);
    pare_text_unref(text);
    if (status) return status;
    size_t n = pare_dependency_set_size(bench->graph);
    bench->within = pare_alloc_zero(n, sizeof *bench->within);
    bench->kept = pare_alloc_zero(n, sizeof *bench->kept);
    if (!bench->within || !bench->kept) return PARE_E_NOMEM;
    for (uint32_t i = 0; i < pare_dependency_count(bench->graph); i++)
        pare_dependency_add(bench->within, i);
    bench->query = (pare_dependency_query){.within = bench->within, .bodies = true};
    /* The last node is what all the rest is there for. */
    for (uint32_t i = 0; i < pare_dependency_count(bench->graph); i++)
        if (pare_dependency_nodes(bench->graph)[i].parent == UINT32_MAX) bench->root = i;
    bench->view = (pare_deletions_view){.graph = bench->graph,
                                        .query = &bench->query,
                                        .roots = &bench->root,
                                        .n_roots = 1,
                                        .bytes = strlen(source)};
    return pare_deletions_begin(&bench->deletions, bench->graph, &bench->root, 1, NULL);
}

static void close_bench(struct bench *bench)
{
    pare_deletions_done(&bench->deletions);
    pare_dependency_unref(bench->graph);
    pare_alloc_free(bench->within);
    pare_alloc_free(bench->kept);
}

static pare_status choose(struct bench *bench)
{
    return pare_deletions_choose(&bench->deletions, &bench->view, bench->kept, &bench->expected,
                                 NULL);
}

static bool is_kept(const struct bench *bench, const char *name)
{
    char printed[400] = {0};
    pare_candidate candidate = {0};
    assert_int_equal(pare_dependency_print_candidate(bench->graph, bench->kept, &candidate, NULL),
                     PARE_OK);
    assert_in_range(candidate.size, 0, sizeof printed - 1);
    pare_candidate_read(&candidate, printed);
    pare_candidate_done(&candidate);
    return strstr(printed, name) != NULL;
}

/* What only a dropped node needed goes with it; what needs it, too. */
static void test_deletions__collect_what_nothing_needs_any_more(void **state)
{
    struct bench bench;
    (void)state;
    assert_int_equal(open_bench(&bench, "struct big{int some,more,members;};\n"
                                        "big used();\n"
                                        "int small;\n"
                                        "int main(){used();return small;}\n"),
                     PARE_OK);
    /* `main` is likely to be needed, and so is what it uses: the first of them is tried alone. */
    assert_int_equal(choose(&bench), PARE_OK);
    assert_true(bench.expected > 0);
    assert_false(is_kept(&bench, "used()") && is_kept(&bench, "small"));
    close_bench(&bench);
}

/* Whether the body of a function goes that a `main` calls which is needed. */
static bool body_goes(bool linked)
{
    struct bench bench;
    assert_int_equal(open_bench(&bench, "int f(){return 1+2+3+4+5;}\nint main(){return f();}\n"),
                     PARE_OK);
    assert_int_equal(
        pare_deletions_need(&bench.deletions, bench.graph, bench.within, bench.root, NULL),
        PARE_OK);
    bench.query.only = bench.within;
    bench.view.linked = linked;
    assert_int_equal(choose(&bench), PARE_OK);
    const bool goes = bench.expected > 0 && !is_kept(&bench, "f(){");
    close_bench(&bench);
    return goes;
}

/* The linker asks for the body of a function that is called, so it is not tried without; its statements may go. */
static void test_deletions__bodies_with_code_stay_where_a_program_is_linked(void **state)
{
    (void)state;
    assert_true(body_goes(false));
    assert_false(body_goes(true));
}

/* A group that stays is taken apart; nodes that stay alone are never tried again. */
static void test_deletions__end_when_all_is_needed(void **state)
{
    struct bench bench;
    unsigned n = 0;
    (void)state;
    assert_int_equal(open_bench(&bench, "int a;int b;int c;int d;int e;int f;int g;int h;"
                                        "int main(){return a+b+c+d+e+f+g+h;}"),
                     PARE_OK);
    for (; n < 100; n++) {
        assert_int_equal(choose(&bench), PARE_OK);
        if (bench.expected < 1) break;
        assert_int_equal(pare_deletions_tell(&bench.deletions, bench.graph, false, NULL, NULL),
                         PARE_OK);
    }
    assert_in_range(n, 1, 40);
    close_bench(&bench);
}

/* Copies share what is not written. */
static void test_deletions__copies_are_told_apart(void **state)
{
    struct bench bench;
    (void)state;
    assert_int_equal(open_bench(&bench, "int a;int b;int main(){return a+b;}"), PARE_OK);
    assert_int_equal(choose(&bench), PARE_OK);
    double first = bench.expected;
    pare_deletions copy = bench.deletions;
    pare_deletions_share(&copy);
    assert_int_equal(pare_deletions_tell(&copy, bench.graph, false, NULL, NULL), PARE_OK);
    assert_int_equal(choose(&bench), PARE_OK);
    assert_true(bench.expected == first);
    pare_deletions_done(&copy);
    close_bench(&bench);
}

/* What is known to be needed is never chosen, nor what it needs, whatever is not. */
static void test_deletions__leave_what_is_known_to_be_needed(void **state)
{
    struct bench bench;
    (void)state;
    assert_int_equal(open_bench(&bench, "int a;int b;int f(){return a;}int main(){return f();}"),
                     PARE_OK);
    for (uint32_t i = 0; i < pare_dependency_count(bench.graph); i++)
        if (pare_dependency_nodes(bench.graph)[i].begin == strlen("int a;int b;"))
            assert_int_equal(
                pare_deletions_need(&bench.deletions, bench.graph, bench.within, i, NULL), PARE_OK);
    bench.view.n_roots = 0;
    for (int i = 0; i < 20; i++) {
        memset(bench.kept, 0, pare_dependency_set_size(bench.graph) * sizeof *bench.kept);
        assert_int_equal(choose(&bench), PARE_OK);
        if (!bench.expected) break;
        assert_true(is_kept(&bench, "int a;"));
        assert_true(is_kept(&bench, "int f(){return a;}"));
        assert_false(is_kept(&bench, "int b;") && is_kept(&bench, "return f()"));
        assert_int_equal(pare_deletions_tell(&bench.deletions, bench.graph, false, NULL, NULL),
                         PARE_OK);
    }
    close_bench(&bench);
}

/* Of what is compiled, every second deletion of 10,000 bytes is in vain, whatever it is made of. */
static void test_deletions__what_removes_much_is_doubted(void **state)
{
    enum { BYTES = 10000 };
    struct bench bench;
    (void)state;
    char *source = test_calloc(BYTES + 100, 1);
    size_t size = (size_t)sprintf(source, "int small;int large[]={");
    while (size < BYTES)
        size += (size_t)sprintf(source + size, "1,");
    sprintf(source + size, "};int main(){return large[small];}");
    assert_int_equal(open_bench(&bench, source), PARE_OK);
    bench.view.n_roots = 0;
    assert_int_equal(choose(&bench), PARE_OK);
    assert_in_range((uint64_t)bench.expected, BYTES / 4, BYTES * 3 / 4);
    close_bench(&bench);
    test_free(source);
}

/* What is at the only error is the failure; of several errors one may be. */
static void test_deletions__the_only_error_hardly_goes(void **state)
{
    enum { BYTES = 4000 };
    (void)state;
    for (size_t n = 1; n <= 2; n++) {
        char source[BYTES + 100];
        struct bench bench;
        size_t size = (size_t)sprintf(source, "int small;int large(int");
        while (size < BYTES)
            size += (size_t)sprintf(source + size, ",int");
        sprintf(source + size, ");");
        assert_int_equal(open_bench(&bench, source), PARE_OK);
        const uint32_t all[] = {bench.root, 0};
        bench.view.n_roots = 0;
        assert_int_equal(pare_deletions_hold(&bench.deletions, bench.graph, all, n, NULL), PARE_OK);
        assert_int_equal(choose(&bench), PARE_OK);
        assert_in_range((uint64_t)bench.expected, n == 1 ? 0 : BYTES / 40, n == 1 ? 40 : BYTES / 5);
        close_bench(&bench);
    }
}

/* Of a program that is run it is not known how much of it is: if groups are in vain, the next ones are smaller, also of
 * nodes that were in none of them. */
static void test_deletions__of_what_is_run_groups_get_smaller(void **state)
{
    enum { NODES = 64, BYTES = 10 };
    pare_outline outline = {.runs = true, .no_body = ""};
    char source[NODES * BYTES + 1];
    pare_text *text = NULL;
    struct bench bench = {.graph = NULL};
    uint32_t space;
    (void)state;
    memset(source, 'a', sizeof source);
    assert_int_equal(pare_outline_add_space(&outline, 0, PARE_NO_WORD, &space, NULL), PARE_OK);
    for (uint32_t i = 0; i < NODES; i++) {
        const pare_outline_node node = {
            .begin = i * BYTES, .end = (i + 1) * BYTES, .parent = UINT32_MAX, .after = i + 1};
        uint32_t index;
        assert_int_equal(pare_outline_add_node(&outline, &node, &index, NULL), PARE_OK);
    }
    assert_int_equal(pare_text_copy(source, NODES * BYTES, &text, NULL), PARE_OK);
    assert_int_equal(pare_dependency_of_outline(&outline, text, &bench.graph, NULL), PARE_OK);
    pare_outline_done(&outline);
    pare_text_unref(text);
    bench.within = pare_alloc_zero(pare_dependency_set_size(bench.graph), sizeof *bench.within);
    bench.kept = pare_alloc_zero(pare_dependency_set_size(bench.graph), sizeof *bench.kept);
    for (uint32_t i = 0; i < NODES; i++)
        pare_dependency_add(bench.within, i);
    bench.query = (pare_dependency_query){.within = bench.within};
    bench.view =
        (pare_deletions_view){.graph = bench.graph, .query = &bench.query, .bytes = NODES * BYTES};
    assert_int_equal(pare_deletions_begin(&bench.deletions, bench.graph, NULL, 0, NULL), PARE_OK);
    size_t first = 0;
    for (unsigned n = 0; n < 3; n++) {
        assert_int_equal(choose(&bench), PARE_OK);
        if (!n) first = bench.deletions.n_chosen;
        assert_int_equal(pare_deletions_tell(&bench.deletions, bench.graph, false, NULL, NULL),
                         PARE_OK);
    }
    assert_in_range(first, 10, NODES);
    assert_in_range(bench.deletions.n_chosen, 1, first / 3);
    close_bench(&bench);
}

/* A copy of bench->kept; with it the caller has one reference. */
static pare_status keep(const struct bench *bench, pare_shared **out)
{
    pare_dependency_bits *bits = NULL;
    pare_status status = pare_dependency_new_set(bench->graph, out, &bits, NULL);
    if (!status) memcpy(bits, bench->kept, pare_dependency_set_size(bench->graph) * sizeof *bits);
    return status;
}

/* Whether no more is left than of the set. */
static bool is_part(const struct bench *bench, const pare_shared *set)
{
    for (uint32_t i = 0; i < pare_dependency_count(bench->graph); i++)
        if (pare_dependency_has(bench->kept, i) && !pare_dependency_has(pare_shared_items(set), i))
            return false;
    return true;
}

/* Of a chain, what leaves no more of it than was not enough is put off. */
static void test_deletions__what_leaves_less_than_was_in_vain_is_put_off(void **state)
{
    enum { ROUNDS = 4 };
    struct bench bench;
    pare_shared *vain[ROUNDS] = {NULL};
    (void)state;
    assert_int_equal(open_bench(&bench,
                                "int a(){return 1;}int b(){return a();}int c(){return b();}"
                                "int d(){return c();}int e(){return d();}int f(){return e();}"
                                "int g(){return f();}int main(){return g();}"),
                     PARE_OK);
    for (unsigned i = 0; i < ROUNDS; i++) {
        memset(bench.kept, 0, pare_dependency_set_size(bench.graph) * sizeof *bench.kept);
        assert_int_equal(choose(&bench), PARE_OK);
        assert_true(bench.expected > 0);
        for (unsigned k = 0; k < i; k++)
            assert_false(is_part(&bench, vain[k]));
        assert_int_equal(keep(&bench, &vain[i]), PARE_OK);
        assert_int_equal(pare_deletions_tell(&bench.deletions, bench.graph, false, vain[i], NULL),
                         PARE_OK);
    }
    for (unsigned i = 0; i < ROUNDS; i++)
        pare_shared_release(vain[i]);
    close_bench(&bench);
}

/* What goes with each of several choices in vain is needed: others come before those with which it would go. */
static void test_deletions__what_went_in_vain_again_and_again_is_put_off(void **state)
{
    struct bench bench;
    pare_shared *vain[3] = {NULL};
    (void)state;
    assert_int_equal(open_bench(&bench, "int a1;int a2;int a3;int a4;int a5;int a6;int b1,b2;"
                                        "int u=a1+a2+a3+a4+a5+a6;int main(){u=2;b1=1;}"),
                     PARE_OK);
    for (unsigned i = 0; i < 3; i++) {
        memset(bench.kept, 0, pare_dependency_set_size(bench.graph) * sizeof *bench.kept);
        assert_int_equal(choose(&bench), PARE_OK);
        assert_int_equal(keep(&bench, &vain[i]), PARE_OK);
        assert_int_equal(pare_deletions_tell(&bench.deletions, bench.graph, false, vain[i], NULL),
                         PARE_OK);
    }
    unsigned most = 0;
    const uint8_t *blamed = pare_shared_items(bench.deletions.blame.gone);
    for (uint32_t i = 0; i < pare_dependency_count(bench.graph); i++)
        most = blamed[i] > most ? blamed[i] : most;
    assert_in_range(most, 2, 3);
    for (unsigned i = 0; i < 3; i++)
        pare_shared_release(vain[i]);
    close_bench(&bench);
}

/* Where everything went with each group in vain, nothing is told apart: small parts of it are as likely to go as
 * before. */
static void test_deletions__what_all_went_in_vain_says_little(void **state)
{
    struct bench bench;
    double expected = 0;
    (void)state;
    assert_int_equal(open_bench(&bench, "int a1;int a2;int a3;int a4;int a5;int a6;int a7;int a8;"
                                        "int main(){return 0;}"),
                     PARE_OK);
    for (unsigned times = 1; times <= 9; times += 4) {
        void *items;
        const size_t n = pare_dependency_count(bench.graph);
        pare_shared_release(bench.deletions.blame.gone);
        bench.deletions.blame.gone = NULL;
        assert_int_equal(pare_shared_new(n, 1, &bench.deletions.blame.gone, NULL), PARE_OK);
        assert_int_equal(pare_shared_own(&bench.deletions.blame.gone, 0, n, &items, NULL), PARE_OK);
        memset(items, (int)times, n);
        memset(bench.kept, 0, pare_dependency_set_size(bench.graph) * sizeof *bench.kept);
        assert_int_equal(choose(&bench), PARE_OK);
        assert_true(bench.expected > 0.3 * expected);
        expected = times == 1 ? bench.expected : expected;
    }
    close_bench(&bench);
}

static pare_status run_some(void *context)
{
    struct bench bench;
    pare_shared *vain = NULL;
    pare_status status = open_bench(&bench, context);
    for (int i = 0; !status && i < 6; i++) {
        status = choose(&bench);
        if (!status) status = keep(&bench, &vain);
        if (!status)
            status = pare_deletions_tell(&bench.deletions, bench.graph, i == 3, vain, NULL);
        pare_shared_release(vain);
        vain = NULL;
        if (!status)
            status =
                pare_deletions_need(&bench.deletions, bench.graph, bench.within, bench.root, NULL);
    }
    close_bench(&bench);
    return status;
}

/* The node at `text`. */
static uint32_t node_at(const struct bench *bench, const char *source, const char *text)
{
    return pare_dependency_print_node_at(bench->graph, bench->within,
                                         (size_t)(strstr(source, text) - source));
}

/* The compiler was at `s=1` and in g: `a=2` and `int d` are beside, `g(c)` names g and needs `int c`. */
static void test_deletions__find_what_is_beside_suspects(void **state)
{
    (void)state;
    static const char source[] =
        "int a;int s;void g(int x){h();}void f(){int c=1;int d=2;a=2;s=1;g(c);}";
    struct bench bench;
    bool any = false;
    assert_int_equal(open_bench(&bench, source), PARE_OK);
    const uint32_t suspects[] = {node_at(&bench, source, "s=1"), node_at(&bench, source, "void g")};
    assert_int_equal(pare_deletions_beside(&bench.view, suspects, 2, bench.kept, &any, NULL),
                     PARE_OK);
    assert_true(any);
    assert_true(pare_dependency_has(bench.kept, node_at(&bench, source, "a=2")));
    assert_true(pare_dependency_has(bench.kept, node_at(&bench, source, "int d")));
    assert_false(pare_dependency_has(bench.kept, node_at(&bench, source, "int c")));
    assert_false(pare_dependency_has(bench.kept, suspects[0]));
    assert_false(pare_dependency_has(bench.kept, node_at(&bench, source, "g(c)")));
    close_bench(&bench);
}

/* Two groups were rejected for the same complaint, and have one node in common: it is no longer dropped, until something
 * that lacks it is not rejected. */
static void test_deletions__what_rejected_groups_have_in_common_is_put_off(void **state)
{
    enum { WORDS = 8 };
    struct bench bench;
    (void)state;
    assert_int_equal(open_bench(&bench, "int a;int b;int c;int d;int main(){return 0;}"), PARE_OK);
    assert_in_range(pare_dependency_set_size(bench.graph), 1, WORDS);
    pare_dependency_bits kept[WORDS] = {0};
    const pare_deletions_candidate candidate = {
        .graph = bench.graph, .within = bench.within, .kept = kept};
    const pare_deletions_fault fault = {.node = bench.root};
    for (uint32_t other = 0; other < 2; other++) {
        memcpy(kept, bench.within, pare_dependency_set_size(bench.graph) * sizeof *kept);
        pare_dependency_remove(kept, other);
        pare_dependency_remove(kept, 2);
        assert_int_equal(
            pare_deletions_blame_fault(&bench.deletions.blame, &candidate, &fault, NULL), PARE_OK);
    }
    pare_deletions_look_again(&bench.deletions);
    bench.view.n_roots = 0;
    assert_int_equal(choose(&bench), PARE_OK);
    assert_true(is_kept(&bench, "int c;"));
    assert_false(is_kept(&bench, "int a;"));
    memcpy(kept, bench.within, pare_dependency_set_size(bench.graph) * sizeof *kept);
    pare_dependency_remove(kept, 2);
    assert_int_equal(pare_deletions_blame_clear(&bench.deletions.blame, &candidate, NULL), PARE_OK);
    pare_deletions_look_again(&bench.deletions);
    memset(bench.kept, 0, pare_dependency_set_size(bench.graph) * sizeof *bench.kept);
    assert_int_equal(choose(&bench), PARE_OK);
    assert_false(is_kept(&bench, "int c;"));
    close_bench(&bench);
}

/* Blames a fault twice under a failing allocator; source: char*. */
static pare_status blame_twice(void *source)
{
    struct bench bench;
    pare_status status = open_bench(&bench, source);
    const pare_deletions_candidate candidate = {
        .graph = bench.graph, .within = bench.within, .kept = bench.kept};
    const pare_deletions_fault fault = {.node = bench.root};
    for (unsigned n = 1; !status && n <= 2; n++) {
        status = pare_deletions_blame_fault(&bench.deletions.blame, &candidate, &fault, NULL);
        assert_int_equal(bench.deletions.blame.faults[0].n, status ? n - 1 : n);
    }
    close_bench(&bench);
    return status;
}

static void test_deletions__faults_are_counted_once_they_are_known(void **state)
{
    (void)state;
    sweep_allocations(blame_twice, "int a;int main(){return 0;}");
}

static void test_deletions__survive_failing_allocations(void **state)
{
    (void)state;
    sweep_allocations(run_some, "int a;int b=a;int f(){return b;}int main(){return f();}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deletions__collect_what_nothing_needs_any_more),
        cmocka_unit_test(test_deletions__bodies_with_code_stay_where_a_program_is_linked),
        cmocka_unit_test(test_deletions__end_when_all_is_needed),
        cmocka_unit_test(test_deletions__copies_are_told_apart),
        cmocka_unit_test(test_deletions__leave_what_is_known_to_be_needed),
        cmocka_unit_test(test_deletions__find_what_is_beside_suspects),
        cmocka_unit_test(test_deletions__what_went_in_vain_again_and_again_is_put_off),
        cmocka_unit_test(test_deletions__what_all_went_in_vain_says_little),
        cmocka_unit_test(test_deletions__what_removes_much_is_doubted),
        cmocka_unit_test(test_deletions__of_what_is_run_groups_get_smaller),
        cmocka_unit_test(test_deletions__the_only_error_hardly_goes),
        cmocka_unit_test(test_deletions__what_leaves_less_than_was_in_vain_is_put_off),
        cmocka_unit_test(test_deletions__what_rejected_groups_have_in_common_is_put_off),
        cmocka_unit_test(test_deletions__faults_are_counted_once_they_are_known),
        cmocka_unit_test(test_deletions__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
