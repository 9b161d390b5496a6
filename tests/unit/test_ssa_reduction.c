/* What of a text of instructions is left, and how many tests that takes. */
/* tests: src/reduce/ssa/ssa_reduction.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <pare/outcome.h>

#include "reduce/ssa/ssa_reduction.h"
#include "unit/alloc_sweep.h"
#include "unit/support/next_text.h"
#include "unit/support/ssa_start.h"

/* A compiler of a language in which each `%name` has to be defined (before a ` =`, or as an argument
 * of a line that begins with `func`) and numbers have to be consecutive; fails on the needles. */
struct compiler {
    const char *needles[3];
    const char *neutral; /* the word that it knows for an operand */
    unsigned n_tests;
};

/* The next `%`, or NULL; by itself, as AddressSanitizer measures the rest of the text at each strchr. */
static const char *next_name(const char *at)
{
    while (*at && *at != '%')
        at++;
    return *at ? at : NULL;
}

static bool starts(const char *text, const char *word, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] != word[i]) return false; /* at the end of the text at the latest */
    return true;
}

/* Whether `%name` is defined in the text: as `%name =`, `%name,` or `%name)` of a `func` line. */
static bool is_defined(const char *text, const char *name, size_t size)
{
    for (const char *at = text; (at = next_name(at)) != NULL; at++) {
        if (!starts(at, name, size) || at[size] == '.') continue;
        if (starts(at + size, " =", 2)) return true;
        const char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        if (starts(line, "func", 4) && strchr(",)", at[size])) return true;
    }
    return false;
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool read_number(const char *digits, size_t size, unsigned *out)
{
    *out = 0;
    for (size_t i = 0; i < size; i++) {
        if (digits[i] < '0' || digits[i] > '9') return false;
        *out = *out * 10 + (unsigned)(digits[i] - '0');
    }
    return size > 0;
}

static bool compiles(const struct compiler *compiler, const char *text)
{
    unsigned number = 0;
    for (const char *at = text; (at = next_name(at)) != NULL; at++) {
        size_t size = 1;
        while (is_name(at[size]))
            size++;
        if (!is_defined(text, at, size)) return false;
        unsigned own;
        if (starts(at + size, " =", 2) && read_number(at + 1, size - 1, &own) && own != number++)
            return false;
    }
    static const char *const words[] = {"undef", "null", "poison", " 0,", " 0\n", "z,", "ret\n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(words[i], compiler->neutral) && strstr(text, words[i])) return false;
    return true;
}

static pare_outcome test_text(struct compiler *compiler, const char *text)
{
    compiler->n_tests++;
    for (size_t i = 0; i < 3 && compiler->needles[i]; i++)
        if (!strstr(text, compiler->needles[i])) return PARE_PASS;
    return compiles(compiler, text) ? PARE_FAIL : PARE_PASS;
}

/* A copy is made before each test: it proposes the same, told the same. */
static void step(pare_strategy *strategy, struct compiler *compiler, char **best, char *text)
{
    pare_strategy *copy = NULL;
    assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
    char *same = next_text(copy);
    assert_string_equal(same, text);
    pare_outcome outcome = test_text(compiler, text);
    assert_int_equal(strategy->ops->tell(copy, outcome, NULL), PARE_OK);
    assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
    test_free(same);
    same = next_text(copy);
    char *other = next_text(strategy);
    assert_int_equal(same != NULL, other != NULL);
    if (same) assert_string_equal(same, other);
    test_free(same);
    test_free(other);
    pare_strategy_free(copy);
    if (outcome == PARE_FAIL && strlen(text) < strlen(*best)) {
        test_free(*best);
        *best = text;
    } else {
        test_free(text);
    }
}

static unsigned assert_left(const char *source, struct compiler compiler, const char *expected)
{
    pare_strategy *strategy = ssa_start(source);
    char *best = test_calloc(strlen(source) + 1, 1), *text;
    memcpy(best, source, strlen(source));
    assert_int_equal(test_text(&compiler, source), PARE_FAIL);
    while ((text = next_text(strategy)) != NULL)
        step(strategy, &compiler, &best, text);
    assert_string_equal(best, expected);
    test_free(best);
    pare_strategy_free(strategy);
    return compiler.n_tests;
}

/* `n` functions of twenty statements each, which use what stands before them. */
static char *make_source(unsigned n)
{
    enum { MOST = 1200 };
    char *source = test_calloc(n, MOST);
    size_t size = 0;
    unsigned number = 0;
    for (unsigned i = 0; i < n; i++) {
        size += (size_t)snprintf(source + size, MOST, "\nfunc @f%u(%%a) #0 { ; a comment\n", i);
        for (unsigned k = 0; k < 20; k++, number++)
            size += (size_t)snprintf(
                source + size, 48, k ? "  %%%u = op%ux%uz %%%u, %%a\n" : "  %%%u = op%ux%uz %%a\n",
                number, i, k, number - 1);
        if (i)
            size += (size_t)snprintf(source + size, 48, "  call @f%u(%%%u)\n", i - 1, number - 1);
        size += (size_t)snprintf(source + size, 48, "  ret %%%u\n}\n", number - 1);
    }
    return source;
}

static void test_ssa_reduction__leaves_a_function_and_a_statement(void **state)
{
    (void)state;
    char *source = make_source(40);
    unsigned n_tests =
        assert_left(source, (struct compiler){.needles = {"op7x11z"}, .neutral = "undef"},
                    "func @f7(%a) {\n  %v151 = op7x11z undef, %a\n  ret undef\n}\n");
    assert_in_range(n_tests, 10, 60);
    test_free(source);
}

static void test_ssa_reduction__learns_the_neutral_word(void **state)
{
    (void)state;
    /* Where no word will do, what was defined before stands for the operand. */
    static const struct {
        const char *neutral, *operands, *result;
    } cases[] = {{"undef", "undef, %a", "undef"},
                 {"null", "null, %a", "null"},
                 {"0", "0, 0", "0"},
                 {"nothing", "%a, %a", "%v151"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *source = make_source(10);
        char expected[100];
        (void)snprintf(expected, sizeof expected,
                       "func @f7(%%a) {\n  %%v151 = op7x11z %s\n  ret %s\n}\n", cases[i].operands,
                       cases[i].result);
        assert_left(source, (struct compiler){.needles = {"op7x11z"}, .neutral = cases[i].neutral},
                    expected);
        test_free(source);
    }
}

/* A text without functions: what is used is what stays, and becomes 0 where its definition does. */
static void test_ssa_reduction__leaves_of_a_fragment_what_is_used(void **state)
{
    (void)state;
    enum { MOST = 8000 };
    char *source = test_calloc(1, MOST);
    size_t size = (size_t)snprintf(source, MOST, "%%x0 = first 1\n");
    for (unsigned i = 1; i < 120; i++)
        size += (size_t)snprintf(source + size, MOST - size, "%%x%u = op%uz %%x%u, %%x0\n", i, i,
                                 i - 1);
    (void)snprintf(source + size, MOST - size, "ret %%x119\n");
    unsigned n_tests =
        assert_left(source, (struct compiler){.needles = {"op40z", "op90z"}, .neutral = "0"},
                    "%x40 = op40z 0, 0\n%x90 = op90z 0, 0\nret 0\n");
    assert_in_range(n_tests, 10, 60);
    test_free(source);
}

/* Ten bytes for each definition, with three uses: `undef` costs nine bytes more, `poison` twelve.  Definitions
 * without operands, which would stand for the uses at no cost. */
static void test_ssa_reduction__proposes_nothing_larger_than_what_fails(void **state)
{
    static const char source[] = "func @f(%a) {\n"
                                 "  %b = xy\n"
                                 "  %c = xy\n"
                                 "  %d = xy\n"
                                 "  %e = xy\n"
                                 "  %g = xy\n"
                                 "  %h = xy\n"
                                 "  %i = xy\n"
                                 "  %j = xy\n"
                                 "  call(%b, %b, %b, %c, %c, %c, %d, %d, %d, %e, %e, %e)\n"
                                 "  call(%g, %g, %g, %h, %h, %h, %i, %i, %i, %j, %j, %j)\n"
                                 "  ret\n"
                                 "}\n";
    pare_strategy *strategy = ssa_start(source);
    bool has_undef = false;
    (void)state;
    for (char *text; (text = next_text(strategy)) != NULL; test_free(text)) {
        assert_true(strlen(text) < strlen(source));
        has_undef = has_undef || strstr(text, "undef");
        assert_int_equal(strategy->ops->tell(strategy, PARE_PASS, NULL), PARE_OK);
    }
    assert_true(has_undef);
    pare_strategy_free(strategy);
}

/* Reduces the source to what `fails` and is smallest.  The caller frees it. */
static char *reduce(const char *source, bool (*fails)(const char *text))
{
    pare_strategy *strategy = ssa_start(source);
    char *best = test_calloc(strlen(source) + 1, 1), *text;
    memcpy(best, source, strlen(source));
    assert_true(fails(source));
    while ((text = next_text(strategy)) != NULL) {
        const bool fail = fails(text);
        assert_int_equal(strategy->ops->tell(strategy, fail ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
        if (!fail || strlen(text) >= strlen(best)) {
            test_free(text);
            continue;
        }
        test_free(best);
        best = text;
    }
    pare_strategy_free(strategy);
    return best;
}

static unsigned count(const char *text, const char *word)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        n++;
    return n;
}

enum { FUNCTIONS = 12 }; /* more than are tried one by one */

/* Each function but the last may lose its two phis, though only both at once. */
static bool phis_go_in_pairs(const char *text)
{
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        char phi[16], line[64];
        (void)snprintf(phi, sizeof phi, "= phi%uz", i);
        const unsigned n = count(text, phi);
        if (n == 1 || (!n && i + 1 == FUNCTIONS)) return false;
        (void)snprintf(line, sizeof line, "%%y = op%uz %%a\n", i);
        if (!strstr(text, line)) return false;
        (void)snprintf(line, sizeof line, "func @f%u(%%a) {\n  br %%next\nnext:\n", i);
        if (!strstr(text, line)) return false;
    }
    return true;
}

static void test_ssa_reduction__drops_the_phis_of_each_function_that_can_do_without(void **state)
{
    enum { MOST = 160 };
    char *source = test_calloc(FUNCTIONS, MOST);
    size_t size = 0;
    (void)state;
    for (unsigned i = 0; i < FUNCTIONS; i++)
        size += (size_t)snprintf(source + size, MOST,
                                 "func @f%u(%%a) {\n  br %%next\nnext:\n  %%x = phi%uz %%next\n"
                                 "  %%y = op%uz %%a\n  %%z = phi%uz %%next\n  ret %%a\n}\n",
                                 i, i, i, i);
    char *best = reduce(source, phis_go_in_pairs);
    assert_int_equal(count(best, "= phi"), 2);
    test_free(best);
    test_free(source);
}

/* Whether both instructions of function `i` are there; *notes: how many of them have a note. */
static bool has_instructions(const char *text, unsigned i, unsigned *notes)
{
    *notes = 0;
    for (unsigned k = 0; k < 2; k++) {
        char line[64];
        (void)snprintf(line, sizeof line, "%%v%u = op%uz %%a", k, i);
        const char *at = strstr(text, line);
        if (!at) return false;
        *notes += starts(at + strlen(line), ", !dbg !", 8);
    }
    return true;
}

enum { WAITS = 9, BEFORE = 3 };

/* Notes may go from all functions but the last, and from one only after they have gone from another, which
 * is tried later. */
static bool last_has_notes(const char *text)
{
    unsigned notes[FUNCTIONS];
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (!has_instructions(text, i, &notes[i])) return false;
    return notes[FUNCTIONS - 1] == 2 && (notes[WAITS] == 2 || !notes[BEFORE]);
}

static void test_ssa_reduction__drops_the_notes_of_each_function_that_can_do_without(void **state)
{
    enum { MOST = 160 };
    char *source = test_calloc(FUNCTIONS + 1, MOST);
    size_t size = 0;
    (void)state;
    for (unsigned i = 0; i < FUNCTIONS; i++)
        size += (size_t)snprintf(source + size, MOST,
                                 "func @f%u(%%a) {\n  %%v0 = op%uz %%a, !dbg !1\n"
                                 "  %%v1 = op%uz %%a, !dbg !1\n  ret %%a\n}\n",
                                 i, i, i);
    (void)snprintf(source + size, MOST, "!1 = !{}\n");
    char *best = reduce(source, last_has_notes);
    assert_int_equal(count(best, "!dbg"), 2);
    test_free(best);
    test_free(source);
}

static pare_status make_and_run(void *context)
{
    const char *source = context;
    pare_text *text = NULL;
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    struct compiler compiler = {.needles = {"op1x1z"}, .neutral = "undef"};
    const pare_ssa_dialect dialect = {.comment = ';'};
    pare_next what = PARE_NEXT_TEST;
    pare_status status = pare_text_copy(source, strlen(source), &text, NULL);
    if (!status)
        status = pare_ssa_reduction_new(text, 0, strlen(source), &dialect, &strategy, NULL);
    pare_text_unref(text);
    while (!status && what == PARE_NEXT_TEST) {
        status = strategy->ops->next(strategy, &what, &candidate, NULL);
        if (status || what != PARE_NEXT_TEST) break;
        char *bytes = test_calloc(candidate.size + 1, 1);
        pare_candidate_read(&candidate, bytes);
        status = strategy->ops->tell(strategy, test_text(&compiler, bytes), NULL);
        test_free(bytes);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    return status;
}

static void test_ssa_reduction__gives_all_memory_back(void **state)
{
    (void)state;
    char *source = make_source(2);
    sweep_allocations(make_and_run, source);
    test_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ssa_reduction__leaves_a_function_and_a_statement),
        cmocka_unit_test(test_ssa_reduction__learns_the_neutral_word),
        cmocka_unit_test(test_ssa_reduction__leaves_of_a_fragment_what_is_used),
        cmocka_unit_test(test_ssa_reduction__proposes_nothing_larger_than_what_fails),
        cmocka_unit_test(test_ssa_reduction__drops_the_phis_of_each_function_that_can_do_without),
        cmocka_unit_test(test_ssa_reduction__drops_the_notes_of_each_function_that_can_do_without),
        cmocka_unit_test(test_ssa_reduction__gives_all_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
