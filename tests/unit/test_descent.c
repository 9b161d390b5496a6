/* Down over what compiles, and draws at the floor. */
/* tests: src/reduce/dependency/descent.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "parse/parse_tree.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/descent.h"
#include "unit/alloc_sweep.h"

enum { N_OTHERS = 40, MOST_TEXT = 8000, LINE = 2500 };

/* A graph of which all is there, the set of it that is gone down from, and the suspects. */
struct bench {
    pare_dependency *graph;
    pare_shared *all;
    pare_dependency_query query;
    pare_descent_view view;
    pare_descent descent;
    uint32_t suspects[2];
};

/* A set as large as the graph's; the caller owns *out. */
static pare_status new_set(const pare_dependency *graph, pare_shared **out,
                           pare_dependency_bits **bits)
{
    size_t n = pare_dependency_set_size(graph);
    void *items = NULL;
    pare_status status = pare_shared_new(n, sizeof **bits, out, NULL);
    if (!status) status = pare_shared_own(out, 0, n, &items, NULL);
    if (!status) memset(items, 0, n * sizeof **bits);
    *bits = items;
    return status;
}

/* Keeps all in the set, and begins there; or, with `narrow`, at the closure of the suspects. */
static pare_status begin(struct bench *bench, bool narrow)
{
    pare_shared *left = NULL;
    pare_dependency_bits *bits = NULL;
    pare_status status = new_set(bench->graph, &bench->all, &bits);
    for (uint32_t i = 0; !status && i < pare_dependency_count(bench->graph); i++)
        pare_dependency_add(bits, i);
    if (status) return status;
    bench->query = (pare_dependency_query){.within = pare_shared_items(bench->all)};
    bench->view = (pare_descent_view){.graph = bench->graph,
                                      .query = &bench->query,
                                      .suspects = bench->suspects,
                                      .n_suspects = 2,
                                      .roots = bench->suspects,
                                      .n_roots = 2,
                                      .bytes = MOST_TEXT};
    if (!narrow) return pare_descent_begin(&bench->descent, &bench->view, bench->all, NULL);
    status = new_set(bench->graph, &left, &bits);
    if (!status) {
        pare_dependency_add(bits, bench->suspects[0]);
        pare_dependency_add(bits, bench->suspects[1]);
        status = pare_dependency_close(bench->graph, &bench->query, bits, NULL);
    }
    if (!status) status = pare_descent_begin(&bench->descent, &bench->view, left, NULL);
    pare_shared_release(left);
    return status;
}

/* The suspects are the function f and its body. */
static pare_status open_bench(struct bench *bench, const char *source, bool narrow)
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
    size_t place = (size_t)(strstr(source, "int f(") - source);
    for (uint32_t i = 0; i < pare_dependency_count(bench->graph); i++)
        if (pare_dependency_nodes(bench->graph)[i].begin == place) bench->suspects[0] = i;
    bench->suspects[1] = bench->suspects[0] + 1;
    return begin(bench, narrow);
}

static void close_bench(struct bench *bench)
{
    pare_descent_done(&bench->descent);
    pare_shared_release(bench->all);
    pare_dependency_unref(bench->graph);
}

/* The text of the next set, and the set, to be released. */
static pare_status propose(struct bench *bench, char text[MOST_TEXT], pare_shared **set)
{
    pare_dependency_bits *kept;
    pare_candidate candidate = {0};
    pare_status status = new_set(bench->graph, set, &kept);
    if (!status) status = pare_descent_propose(&bench->descent, &bench->view, kept, NULL);
    if (!status) status = pare_dependency_print_candidate(bench->graph, kept, &candidate, NULL);
    if (!status) {
        assert_in_range(candidate.size, 1, MOST_TEXT - 1);
        pare_candidate_read(&candidate, text);
        text[candidate.size] = '\0';
    }
    pare_candidate_done(&candidate);
    return status;
}

/* A function that uses a class with members, and `N_OTHERS` variables. */
static void write_source(char *source)
{
    enum { MOST = MOST_TEXT - LINE - 50 };
    size_t size =
        (size_t)snprintf(source, MOST,
                         "struct b{int x;void g();void h();};struct a:b{void k();void l();};"
                         "int f(a *p){int u=1;return u;}\n");
    for (unsigned i = 0; i < N_OTHERS; i++)
        size += (size_t)snprintf(source + size, MOST - size, "int v%u;\n", i);
}

/* What compiles is gone on from, though it does not fail; what does not is not.  The suspects stay. */
static void test_descent__goes_on_from_what_compiles(void **state)
{
    char source[MOST_TEXT], text[MOST_TEXT];
    struct bench bench;
    unsigned n = 0;
    (void)state;
    write_source(source);
    assert_int_equal(open_bench(&bench, source, true), PARE_OK);
    size_t bytes = bench.descent.bytes;
    for (; n < 50; n++) {
        pare_shared *set = NULL;
        assert_int_equal(propose(&bench, text, &set), PARE_OK);
        if (bench.descent.at_floor) {
            pare_shared_release(set);
            break;
        }
        /* As if a class without its base did not compile. */
        bool compiles = strstr(text, "struct a:b") != NULL;
        assert_non_null(strstr(text, "int u=1;return u;"));
        assert_int_equal(pare_descent_tell(&bench.descent, bench.graph, set, compiles, NULL),
                         PARE_OK);
        assert_true(compiles ? bench.descent.bytes < bytes : bench.descent.bytes == bytes);
        bytes = bench.descent.bytes;
        pare_shared_release(set);
    }
    assert_in_range(n, 2, 49);
    assert_in_range(bytes, 1, strlen("struct b{};struct a:b{};int f(a *p){int u=1;return u;}\n\n"));
    close_bench(&bench);
}

/* At the floor each draw adds others, and not many; two runs draw the same.  What is always kept, here a long line,
 * the descent has left out, and no draw has it again. */
static void test_descent__draws_others_each_time(void **state)
{
    char source[MOST_TEXT], text[MOST_TEXT], before[MOST_TEXT] = "", same[MOST_TEXT];
    struct bench bench, other;
    unsigned n_drawn = 0, n_new = 0;
    (void)state;
    size_t size = (size_t)snprintf(source, sizeof source, "#pragma %0*d\n", LINE, 0);
    write_source(source + size);
    assert_int_equal(open_bench(&bench, source, true), PARE_OK);
    assert_int_equal(open_bench(&other, source, true), PARE_OK);
    for (unsigned n = 0; n < 60 && n_drawn < 12; n++) {
        pare_shared *set = NULL, *set_of_other = NULL;
        assert_int_equal(propose(&bench, text, &set), PARE_OK);
        assert_int_equal(propose(&other, same, &set_of_other), PARE_OK);
        assert_string_equal(text, same);
        if (bench.descent.at_floor) {
            n_drawn++;
            n_new += strcmp(text, before) != 0;
            memcpy(before, text, sizeof before);
            assert_true(strlen(text) > bench.descent.bytes);
            assert_null(strstr(text, "#pragma"));
            assert_non_null(strstr(text, "int u=1;return u;"));
            assert_in_range(bench.descent.n_extras, 1, PARE_DESCENT_EXTRAS);
        }
        assert_int_equal(pare_descent_tell(&bench.descent, bench.graph, set, true, NULL), PARE_OK);
        assert_int_equal(pare_descent_tell(&other.descent, other.graph, set_of_other, true, NULL),
                         PARE_OK);
        pare_shared_release(set);
        pare_shared_release(set_of_other);
    }
    assert_int_equal(n_drawn, 12);
    assert_in_range(n_new, 10, 12);
    close_bench(&bench);
    close_bench(&other);
}

/* Only what is smaller than what fails is drawn: here nothing is. */
static void test_descent__is_over_where_nothing_is_smaller(void **state)
{
    char text[MOST_TEXT];
    struct bench bench;
    (void)state;
    assert_int_equal(open_bench(&bench, "int a;int f(int x){return x;}int b;", true), PARE_OK);
    bench.view.bytes = bench.descent.bytes;
    for (unsigned n = 0; n < 20 && !bench.descent.is_over; n++) {
        pare_shared *set = NULL;
        assert_int_equal(propose(&bench, text, &set), PARE_OK);
        if (!bench.descent.is_over)
            assert_int_equal(pare_descent_tell(&bench.descent, bench.graph, set, false, NULL),
                             PARE_OK);
        pare_shared_release(set);
    }
    assert_true(bench.descent.is_over);
    close_bench(&bench);
}

static pare_status run_some(void *context)
{
    char text[MOST_TEXT];
    struct bench bench;
    pare_status status = open_bench(&bench, context, false);
    for (int i = 0; !status && i < 6; i++) {
        pare_shared *set = NULL;
        status = propose(&bench, text, &set);
        if (!status) status = pare_descent_tell(&bench.descent, bench.graph, set, i % 2 == 0, NULL);
        if (set) pare_shared_release(set);
    }
    close_bench(&bench);
    return status;
}

static void test_descent__survives_failing_allocations(void **state)
{
    (void)state;
    sweep_allocations(run_some, "int a;int b=a;int f(){return b;}int x;int g(){return x;}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descent__goes_on_from_what_compiles),
        cmocka_unit_test(test_descent__draws_others_each_time),
        cmocka_unit_test(test_descent__is_over_where_nothing_is_smaller),
        cmocka_unit_test(test_descent__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
