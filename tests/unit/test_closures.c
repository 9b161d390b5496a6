/* Which closed sets are tried, and what is found by them. */
/* tests: src/reduce/dependency/closures.c src/reduce/dependency/closures_proposal.c */
/* tests: src/reduce/dependency/closures_patience.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "reduce/dependency/closures.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/outline.h"
#include "run/complaints.h"
#include "unit/alloc_sweep.h"
#include "unit/support/dependency_text.h"
#include "unit/support/next_text.h"

/* A test of texts: fails while all of its words are in them. */
struct words {
    const char *at[4];
    unsigned n_tests;
};

static pare_outcome test_words(struct words *words, const char *text)
{
    words->n_tests++;
    for (size_t i = 0; i < 4 && words->at[i]; i++)
        if (!strstr(text, words->at[i])) return PARE_PASS;
    return PARE_FAIL;
}

/* Runs to the end; the smallest text that failed, to be freed.  A copy is made before each test:
 * it proposes the same, told the same. */
static char *run(const char *source, struct words *words)
{
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL, *copy = NULL;
    char *best = test_calloc(strlen(source) + 1, 1), *text;
    memcpy(best, source, strlen(source));
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    while ((text = next_text(strategy)) != NULL) {
        assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
        char *same = next_text(copy);
        assert_string_equal(same, text);
        assert_true(pare_dependency_is_sound(graph, &(pare_dependency_query){.bodies = false},
                                             pare_closures_proposed(strategy)));
        pare_outcome outcome = test_words(words, text);
        assert_true(strlen(text) < strlen(best));
        if (outcome == PARE_FAIL) memcpy(best, text, strlen(text) + 1);
        assert_int_equal(strategy->ops->tell(copy, outcome, NULL), PARE_OK);
        assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
        test_free(same);
        same = next_text(copy);
        char *other = next_text(strategy);
        assert_int_equal(same != NULL, other != NULL);
        if (same) assert_string_equal(same, other);
        test_free(same);
        test_free(other);
        test_free(text);
        pare_strategy_free(copy);
    }
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
    return best;
}

static void assert_found(const char *source, struct words words, const char *expected)
{
    char *best = run(source, &words);
    assert_string_equal(best, expected);
    test_free(best);
}

static void test_closures__find_the_closure_of_what_fails(void **state)
{
    (void)state;
    static const char source[] = "struct a{int x;};struct b{a y;};int c;int f(b z){return c;}"
                                 "int g(){return 2;}int main(){return g();}";
    assert_found(source, (struct words){.at = {"y;"}}, "struct a{};struct b{a y;};");
    assert_found(source, (struct words){.at = {"return g()"}}, "int g();int main(){return g();}");
    assert_found(source, (struct words){.at = {"return c", "return g"}},
                 "struct b{};int c;int f(b z){return c;}int g();int main(){return g();}");
}

/* Line markers and blank lines go at once, unless the failure needs them. */
static void test_closures__line_markers_go_at_once(void **state)
{
    (void)state;
    static const char source[] = "# 1 \"a.h\" 1 3\nint a;\n\n\n# 7 \"a.h\" 3\nint b;\n"
                                 "int c() {\n# 9 \"a.h\" 3\n\n  return b;\n}\nint d;\n";
    assert_found(source, (struct words){.at = {"return b"}}, "int b;\nint c() {\nreturn b;\n}\n");
    assert_found(source, (struct words){.at = {"return b", "# 7"}},
                 "# 1 \"a.h\" 1 3\nint a;\n\n\n# 7 \"a.h\" 3\nint b;\n"
                 "int c() {\n# 9 \"a.h\" 3\n\n  return b;\n}\n\n");
}

/* Of a program with its headers it is found out first what of the program is needed. */
static void test_closures__the_file_that_was_preprocessed_comes_first(void **state)
{
    (void)state;
    enum { HEADER = 60, LINE = 40 };
    char source[HEADER * LINE + 400];
    size_t size = 0;
    size += (size_t)snprintf(source, sizeof source, "# 1 \"m.c\"\n# 1 \"h\" 1 3\n");
    for (int i = 0; i < HEADER; i++)
        size += (size_t)snprintf(source + size, sizeof source - size,
                                 "int h%d(int x){return x*%d;}\n", i, i);
    (void)snprintf(source + size, sizeof source - size,
                   "# 2 \"m.c\" 2\nint a(){return h1(2);}\nint b(){int x=3;return h2(x);}\n"
                   "int c(){return h3(4);}\nint main(){return a()+b()+c();}\n");
    struct words words = {.at = {"h2(x)"}};
    char *best = run(source, &words);
    assert_string_equal(best, "int h2(int x);\nint b(){int x=3;return h2(x);}\n");
    assert_in_range(words.n_tests, 1, 12);
    test_free(best);
}

/* `n` functions, each of which uses one before it and ten variables of its own. */
static char *make_source(unsigned n, bool calls)
{
    enum { MOST = 400 };
    char *source = test_calloc((size_t)n * MOST, 1);
    size_t size = 0;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < 10; k++)
            size += (size_t)snprintf(source + size, MOST, "int v%u_%u;\n", i, k);
        size += (size_t)snprintf(source + size, MOST, "int f%u() { return v%u_3", i, i);
        if (i && calls) size += (size_t)snprintf(source + size, MOST, " + f%u()", i / 2);
        size += (size_t)snprintf(source + size, MOST, "; }\n");
    }
    return source;
}

static void test_closures__need_few_tests(void **state)
{
    (void)state;
    char *source = make_source(1000, false);
    struct words words = {.at = {"return v700_3", "return v20_3"}};
    char *best = run(source, &words);
    assert_string_equal(best, "int v20_3;\nint f20() { return v20_3; }\n"
                              "int v700_3;\nint f700() { return v700_3; }\n\n");
    /* Two roots of 12,000 nodes: 14 tests each, the gallop, and what is left goes through. */
    assert_in_range(words.n_tests, 28, 70);
    test_free(best);
    test_free(source);
}

/* Fails while three of the functions are there with all that they call. */
static void test_closures__keep_bodies_where_code_must_run(void **state)
{
    (void)state;
    char *source = make_source(64, true);
    struct words words = {.at = {"return v60_3", "return v30_3", "return v15_3", "return v7_3"}};
    char *best = run(source, &words);
    assert_in_range(strlen(best), 40, 400);
    assert_in_range(words.n_tests, 10, 120);
    test_free(best);
    test_free(source);
}

static void test_closures__end_early_when_nothing_goes(void **state)
{
    (void)state;
    char *source = make_source(300, true);
    struct words words = {.at = {"int v0_0;\nint v0_1;\nint v0_2;"}};
    char *all = test_calloc(strlen(source) + 1, 1);
    memcpy(all, source, strlen(source));
    words.at[0] = all;
    char *best = run(source, &words);
    assert_string_equal(best, source);
    assert_in_range(words.n_tests, 1, 60);
    test_free(best);
    test_free(all);
    test_free(source);
}

/* Follows every sequence of `depth` outcomes, as the engine's plans do: they tell copies what a
 * test could say, possible or not. */
static void follow(const pare_dependency *graph, pare_strategy *strategy, unsigned depth)
{
    static const pare_outcome outcomes[] = {PARE_PASS, PARE_FAIL};
    char *text = next_text(strategy);
    if (text)
        assert_true(pare_dependency_is_sound(graph, &(pare_dependency_query){.bodies = false},
                                             pare_closures_proposed(strategy)));
    for (size_t i = 0; text && depth && i < 2; i++) {
        pare_strategy *copy = NULL;
        assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
        assert_int_equal(strategy->ops->tell(copy, outcomes[i], NULL), PARE_OK);
        follow(graph, copy, depth - 1);
        pare_strategy_free(copy);
    }
    test_free(text);
}

static void test_closures__live_with_any_outcomes(void **state)
{
    (void)state;
    static const char *const sources[] = {"int a;int b;int main(){return b;}",
                                          "int a;int main(){return 1;}",
                                          "int a;int b=a;int f(){return b;}int g(){return f();}"};
    for (size_t i = 0; i < 3; i++) {
        pare_dependency *graph = make_graph(sources[i]);
        pare_strategy *strategy = NULL;
        assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
        follow(graph, strategy, 10);
        pare_strategy_free(strategy);
        pare_dependency_unref(graph);
    }
}

/* The place where the compiler was comes first, with what it needs. */
static void test_closures__suspects_come_first(void **state)
{
    (void)state;
    static const char source[] = "int a;int b;\nint f(){return a;}\nint main(){return b;}\n";
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    const pare_complaints complaints = {
        .n = 1, .item = {{.kind = PARE_COMPLAINT_SUSPECT, .line = 2, .column = 5}}};
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    char *text = next_text(strategy);
    assert_string_equal(text, source);
    assert_true(strategy->hears && strategy->hears_fails && strategy->asks);
    test_free(text);
    assert_int_equal(strategy->ops->hear(strategy, &complaints, NULL), PARE_OK);
    assert_int_equal(strategy->ops->tell(strategy, PARE_FAIL, NULL), PARE_OK);
    text = next_text(strategy);
    assert_string_equal(text, "int a;int f(){return a;}\n\n");
    assert_false(strategy->asks);
    test_free(text);
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

/* Where the suspects compile and do not fail, those that use them are added: the compiler works on a
 * constructor that nobody has written only for a variable. */
static void test_closures__users_of_suspects_come_next(void **state)
{
    (void)state;
    static const char source[] =
        "int d;\nstruct a{};\nstruct b{a x;};\nint c;\nvoid f(){b y;c++;}\n"
        "int main(){f();}\n";
    static const char alone[] = "struct a{};\nstruct b{a x;};\n\n"; /* with bodies the same */
    static const char *const expected[] = {
        source, alone, alone, "struct a{};\nstruct b{a x;};\nint c;\nvoid f(){b y;c++;}\n\n",
        "struct a{};\nstruct b{a x;};\nint c;\nvoid f(){b y;c++;}\nint main(){f();}\n"};
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    const pare_complaints complaints = {
        .n = 1, .item = {{.kind = PARE_COMPLAINT_SUSPECT, .line = 3, .column = 8}}};
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    for (size_t i = 0; i < 5; i++) {
        char *text = next_text(strategy);
        assert_non_null(text);
        assert_string_equal(text, expected[i]);
        test_free(text);
        if (i == 0) assert_int_equal(strategy->ops->hear(strategy, &complaints, NULL), PARE_OK);
        tell_compiled(strategy, i == 0);
    }
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

/* The complaints that a test of a program may be heard with; the first: none. */
static const pare_complaints HEARD[] = {
    {0},
    {.n = 1, .item = {{.kind = PARE_COMPLAINT_UNLINKED, .name = "f"}}},
    {.n = 1, .item = {{.kind = PARE_COMPLAINT_UNLINKED, .name = "nobody"}}},
    {.n = 1, .item = {{.kind = PARE_COMPLAINT_UNDECLARED, .line = 1, .column = 1, .name = "a"}}},
};

/* Whatever tests tell, and whatever is heard of them, it ends, and a copy does the same. */
static void test_closures__live_with_any_complaints(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "int a;int b;\nint g(){return b;}\nint f(){return a;}\nint main(){f();return g();}\n",
        "struct A{A();int x;};static A o;\nint f(){return o.x;}\nint main(){A p;return f();}\n",
        "int f(){return 1;}\nint main();int main(){return f();}\nint main(){return 2;}\n",
        "int a;int f(){return a;}\nnamespace s{int main(){return f();}}\n",
        "int a;int f(){return a;}\nint g(){return f();}\n"};
    const pare_complaints linked = {.n = 1, .item = {{.kind = PARE_COMPLAINT_LINKED}}};
    const size_t n_heard = sizeof HEARD / sizeof *HEARD;
    for (uint64_t seed = 0; seed < 400; seed++) {
        pare_dependency *graph = make_graph(sources[seed % 5]);
        pare_strategy *strategy = NULL, *copy = NULL;
        pare_random random;
        unsigned n = 0;
        pare_random_init(&random, seed);
        assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
        pare_closures_ask(strategy);
        for (char *text; (text = next_text(strategy)) != NULL; n++) {
            const bool failed = !n || !pare_random_below(&random, 3);
            const pare_complaints *heard = &HEARD[pare_random_below(&random, n_heard)];
            if (!n) heard = seed & 1 ? &linked : &HEARD[0];
            assert_true(n < 400);
            assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
            pare_strategy *const both[] = {strategy, copy};
            char *same = next_text(copy);
            assert_string_equal(same, text);
            for (size_t i = 0; i < 2; i++) {
                if (!n || !failed)
                    assert_int_equal(both[i]->ops->hear(both[i], heard, NULL), PARE_OK);
                assert_int_equal(both[i]->ops->tell(both[i], failed ? PARE_FAIL : PARE_PASS, NULL),
                                 PARE_OK);
            }
            test_free(same);
            test_free(text);
            /* What is told to the one does not change the other. */
            if (seed & 2) {
                pare_strategy *const kept = copy;
                pare_strategy_free(strategy);
                strategy = kept;
            } else {
                pare_strategy_free(copy);
            }
        }
        pare_strategy_free(strategy);
        pare_dependency_unref(graph);
    }
}

/* What the compiler only warns of may not be meant: it is tried once, and then forgotten. */
static void test_closures__what_is_warned_of_is_tried_once(void **state)
{
    (void)state;
    static const char source[] =
        "int d;\nstruct a{};\nstruct b{a x;};\nint c;\nvoid f(){b y;c++;}\n"
        "int main(){f();}\n";
    static const char *const expected[] = {
        source, "struct a{};\nstruct b{a x;};\n\n",
        "struct a{};\nstruct b{a x;};\nint c;\nvoid f(){b y;c++;}\nint main(){f();}\n"};
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    const pare_complaints complaints = {
        .n = 1, .item = {{.kind = PARE_COMPLAINT_WARNING, .line = 3, .column = 8}}};
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    for (size_t i = 0; i < 3; i++) {
        char *text = next_text(strategy);
        assert_non_null(text);
        assert_string_equal(text, expected[i]);
        test_free(text);
        if (i == 0) assert_int_equal(strategy->ops->hear(strategy, &complaints, NULL), PARE_OK);
        tell_compiled(strategy, i != 1);
    }
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

/* Where neither the suspects nor the search fail, closures are drawn until one does. */
static void test_closures__draw_where_all_is_in_vain(void **state)
{
    (void)state;
    char *source = make_source(60, true);
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    const pare_complaints complaints = {
        .n = 1, .item = {{.kind = PARE_COMPLAINT_SUSPECT, .line = 200, .column = 1}}};
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    char *text = next_text(strategy);
    test_free(text);
    assert_int_equal(strategy->ops->hear(strategy, &complaints, NULL), PARE_OK);
    assert_int_equal(strategy->ops->tell(strategy, PARE_FAIL, NULL), PARE_OK);
    size_t n = 0, size = strlen(source);
    for (; (text = next_text(strategy)) != NULL; n++) {
        /* Only what comes late fails, and then by its size: nothing tells what is needed. */
        bool fails = n > 24 && n % 5 == 0 && strlen(text) < size;
        if (fails) size = strlen(text);
        test_free(text);
        assert_int_equal(strategy->ops->tell(strategy, fails ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
    }
    assert_in_range(n, 25, 400);
    assert_in_range(size, 1, strlen(source) / 2);
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
    test_free(source);
}

/* Where the closure of the suspects fails, and no deletion of it does, groups of it are drawn: here what
 * is tried late fails, whatever it holds. */
static void test_closures__draw_where_deletions_are_in_vain(void **state)
{
    (void)state;
    enum { N = 300, LINE = 60, LATE = 45 };
    char *source = test_calloc((size_t)N * LINE, 1);
    size_t size = 0, n = 0;
    for (unsigned i = 0; i < N; i++)
        size += (size_t)snprintf(source + size, LINE, "int f%u() { return f%u() + %u; }\n", i,
                                 i ? i - 1 : 0, i);
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    const pare_complaints complaints = {
        .n = 1, .item = {{.kind = PARE_COMPLAINT_SUSPECT, .line = N - 20, .column = 1}}};
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    char *text = next_text(strategy);
    test_free(text);
    assert_int_equal(strategy->ops->hear(strategy, &complaints, NULL), PARE_OK);
    assert_int_equal(strategy->ops->tell(strategy, PARE_FAIL, NULL), PARE_OK);
    for (bool closed = false; (text = next_text(strategy)) != NULL; n++) {
        /* The closure holds the last of the suspects' needs; nothing else of that size does. */
        bool closure = !closed && strstr(text, "int f0() {") && strlen(text) > 4096;
        bool fails = closure || (closed && n > LATE);
        closed = closed || closure;
        if (fails) size = strlen(text);
        test_free(text);
        assert_int_equal(strategy->ops->tell(strategy, fails ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
    }
    assert_in_range(n, LATE, 700);
    assert_in_range(size, 1, strlen(source) / 2);
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
    test_free(source);
}

/* A function that uses a class whose `n` members each have a class of their own, and `n` other variables. */
static char *make_classes(unsigned n)
{
    enum { MOST = 200 };
    char *source = test_calloc((size_t)n * MOST + MOST, 1);
    size_t size = 0;
    for (unsigned i = 0; i < n; i++)
        size += (size_t)snprintf(source + size, MOST, "struct t%u { int long_name_%u; };\n", i, i);
    size += (size_t)snprintf(source + size, MOST, "struct a {\n");
    for (unsigned i = 0; i < n; i++)
        size += (size_t)snprintf(source + size, MOST, "t%u member_%u;\n", i, i);
    size += (size_t)snprintf(source + size, MOST, "};\nint f(a *p) { return 1; }\n");
    for (unsigned i = 0; i < n; i++)
        size += (size_t)snprintf(source + size, MOST, "int v%u;\n", i);
    (void)snprintf(source + size, MOST, "int main() { return f(0) + v%u; }\n", n - 1);
    return source;
}

/* Runs with the function f for a suspect, and everything compiling; what is smaller than `most` and has `needle` in it
 * fails.  Bytes of the smallest that failed; *n: tests after the first. */
static size_t run_with_suspect(const char *source, size_t most, const char *needle, unsigned *n)
{
    pare_complaints complaints = {
        .n = 1, .item = {{.kind = PARE_COMPLAINT_SUSPECT, .line = 1, .column = 5}}};
    for (const char *at = source; at < strstr(source, "int f("); at++)
        complaints.item[0].line += *at == '\n';
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    size_t size = strlen(source);
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    char *text = next_text(strategy);
    test_free(text);
    assert_int_equal(strategy->ops->hear(strategy, &complaints, NULL), PARE_OK);
    assert_int_equal(strategy->ops->tell(strategy, PARE_FAIL, NULL), PARE_OK);
    for (*n = 0; (text = next_text(strategy)) != NULL; ++*n) {
        bool fails = strlen(text) < most && strstr(text, needle);
        assert_true(strlen(text) < size);
        if (fails) size = strlen(text);
        test_free(text);
        assert_int_equal(strategy->ops->tell(strategy, fails ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
    }
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
    return size;
}

/* No closure fails, of whatever, but a program that is much smaller than the suspects' closure does: it is found
 * by what compiles.  Where none does that is left after a while. */
static void test_closures__go_down_by_what_compiles(void **state)
{
    (void)state;
    char *source = make_classes(150);
    static const char f[] = "int f(a *p) { return 1; }";
    unsigned n = 0;
    assert_in_range(run_with_suspect(source, 400, f, &n), 1, 400);
    assert_in_range(n, 3, 150);
    assert_int_equal(run_with_suspect(source, 0, f, &n), strlen(source));
    assert_in_range(n, 10, 100);
    test_free(source);
}

/* Where chance was only a guess the search finds what is needed after it. */
static void test_closures__search_after_a_wrong_guess(void **state)
{
    (void)state;
    char *source = make_classes(150);
    unsigned n = 0;
    assert_in_range(run_with_suspect(source, SIZE_MAX, "int v140;", &n), 1, 20);
    assert_in_range(n, 10, 100);
    test_free(source);
}

/* The graph of "main{a;b;}" and two functions, the first with nine more that it leads to: the program starts
 * with main, which always stays. */
static pare_dependency *make_started(const char *source)
{
    enum { CHAIN = 9 };
    pare_outline outline = {0};
    pare_text *text = NULL;
    pare_dependency *graph = NULL;
    uint32_t space, words[CHAIN + 1], b, main_word, node;
    assert_int_equal(pare_outline_add_space(&outline, 0, PARE_NO_WORD, &space, NULL), PARE_OK);
    assert_int_equal(pare_outline_add_word(&outline, "main", 4, &main_word, NULL), PARE_OK);
    assert_int_equal(pare_outline_add_word(&outline, "b", 1, &b, NULL), PARE_OK);
    const uint32_t piece = PARE_OUTLINE_PIECE | PARE_OUTLINE_FORCED;
    const pare_outline_node fixed[] = {
        {.begin = 0,
         .end = 10,
         .parent = PARE_NO_NODE,
         .after = 4,
         .roles = PARE_OUTLINE_ENTRY | PARE_OUTLINE_FORCED},
        {.begin = 4, .end = 10, .parent = 0, .after = 4, .roles = PARE_OUTLINE_BODY},
        {.begin = 5, .end = 7, .parent = 1, .after = 3, .roles = piece},
        {.begin = 7, .end = 9, .parent = 1, .after = 4, .roles = piece},
        {.begin = 10, .end = 21, .parent = PARE_NO_NODE, .after = 5},
    };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        assert_int_equal(pare_outline_add_node(&outline, &fixed[i], &node, NULL), PARE_OK);
    assert_int_equal(pare_outline_add_name(&outline, 0, main_word, NULL), PARE_OK);
    assert_int_equal(pare_outline_add_name(&outline, 4, b, NULL), PARE_OK);
    for (uint32_t i = 0; i < CHAIN; i++) {
        const pare_outline_node link = {
            .begin = 21 + 10 * i, .end = 31 + 10 * i, .parent = PARE_NO_NODE, .after = 6 + i};
        const char name[] = {'a', (char)('0' + i)};
        assert_int_equal(pare_outline_add_word(&outline, name, 2, &words[i], NULL), PARE_OK);
        assert_int_equal(pare_outline_add_node(&outline, &link, &node, NULL), PARE_OK);
        assert_int_equal(pare_outline_add_name(&outline, node, words[i], NULL), PARE_OK);
        const pare_outline_use use = {i ? node - 1 : 2, words[i], PARE_NO_WORD, PARE_OUTLINE_PLAIN,
                                      0};
        assert_int_equal(pare_outline_add_use(&outline, &use, NULL), PARE_OK);
    }
    const pare_outline_use last = {3, b, PARE_NO_WORD, PARE_OUTLINE_PLAIN, 0};
    assert_int_equal(pare_outline_add_use(&outline, &last, NULL), PARE_OK);
    outline.no_body = "{}";
    assert_int_equal(pare_text_copy(source, strlen(source), &text, NULL), PARE_OK);
    assert_int_equal(pare_dependency_of_outline(&outline, text, &graph, NULL), PARE_OK);
    pare_outline_done(&outline);
    pare_text_unref(text);
    return graph;
}

/* A statement of what the program starts with goes with all that only it leads to, before main is asked about. */
static void test_closures__what_always_stays_is_where_a_program_starts(void **state)
{
    (void)state;
    static const char source[] = "main{a;b;}function b.function0.function1.function2.function3."
                                 "function4.function5.function6.function7.function8.";
    pare_dependency *graph = make_started(source);
    pare_strategy *strategy = NULL;
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    char *text = next_text(strategy);
    assert_non_null(text);
    assert_string_equal(text, "main{b;}function b.");
    test_free(text);
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

static pare_status run_some(void *context)
{
    const char *source = context;
    pare_text *text = NULL;
    pare_dependency *graph = NULL;
    pare_strategy *strategy = NULL, *copy = NULL;
    bool known = false;
    pare_candidate candidate = {0};
    struct words words = {.at = {"x"}};
    pare_status status = pare_text_copy(source, strlen(source), &text, NULL);
    if (status) return status;
    const pare_pass_view view = {
        .text = text, .bytes = pare_text_bytes(text), .end = strlen(source), .language = "cpp"};
    status = pare_dependency_make(&view, &known, &graph, NULL);
    if (!status) status = pare_closures_new(graph, &strategy, NULL);
    if (!status) status = strategy->ops->copy(strategy, &copy, NULL);
    for (int i = 0; !status && i < 12; i++) {
        pare_next what;
        status = copy->ops->next(copy, &what, &candidate, NULL);
        if (status || what == PARE_NEXT_DONE) break;
        char *printed = test_calloc(candidate.size + 1, 1);
        pare_candidate_read(&candidate, printed);
        status = copy->ops->tell(copy, test_words(&words, printed), NULL);
        test_free(printed);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(copy);
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
    pare_text_unref(text);
    return status;
}

static void test_closures__survive_failing_allocations(void **state)
{
    (void)state;
    sweep_allocations(run_some, "int a;int b=a;int f(){return b;}int x;int g(){return x;}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closures__find_the_closure_of_what_fails),
        cmocka_unit_test(test_closures__line_markers_go_at_once),
        cmocka_unit_test(test_closures__the_file_that_was_preprocessed_comes_first),
        cmocka_unit_test(test_closures__need_few_tests),
        cmocka_unit_test(test_closures__keep_bodies_where_code_must_run),
        cmocka_unit_test(test_closures__end_early_when_nothing_goes),
        cmocka_unit_test(test_closures__live_with_any_outcomes),
        cmocka_unit_test(test_closures__suspects_come_first),
        cmocka_unit_test(test_closures__users_of_suspects_come_next),
        cmocka_unit_test(test_closures__live_with_any_complaints),
        cmocka_unit_test(test_closures__what_is_warned_of_is_tried_once),
        cmocka_unit_test(test_closures__draw_where_all_is_in_vain),
        cmocka_unit_test(test_closures__draw_where_deletions_are_in_vain),
        cmocka_unit_test(test_closures__go_down_by_what_compiles),
        cmocka_unit_test(test_closures__search_after_a_wrong_guess),
        cmocka_unit_test(test_closures__what_always_stays_is_where_a_program_starts),
        cmocka_unit_test(test_closures__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
