/* A candidate that does not compile is mended by what was said of it. */
/* tests: src/reduce/dependency/repairs.c src/reduce/dependency/closures.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/repairs.h"
#include "unit/alloc_sweep.h"

/* What b uses of a is hidden from the graph by a macro. */
static const char SOURCE[] = "#define USE a\nint a(){return 1;}\nint b(){return USE();}\nint c;\n"
                             "int d(){return c;}\nint e(){return d();}\n"
                             "struct t{t(int);};\nint f(){t z(b());return 1;}\n"
                             "void g(int);\nstruct u{friend void g(int){a();}};\n"
                             "int h(){g(1);return 2;}\n";

static pare_dependency *make_graph(void)
{
    pare_text *text = NULL;
    pare_dependency *graph = NULL;
    bool known = false;
    if (pare_text_copy(SOURCE, sizeof SOURCE - 1, &text, NULL)) return NULL;
    const pare_pass_view view = {
        .text = text, .bytes = pare_text_bytes(text), .end = sizeof SOURCE - 1, .language = "cpp"};
    pare_status status = pare_dependency_make(&view, &known, &graph, NULL);
    pare_text_unref(text);
    return status || !known ? NULL : graph;
}

/* The outermost node that holds the text `part`. */
static uint32_t node_of(const pare_dependency *graph, const char *part)
{
    uint32_t at = (uint32_t)(strstr(SOURCE, part) - SOURCE);
    const pare_dependency_node *nodes = pare_dependency_nodes(graph);
    for (uint32_t k = 0; k < pare_dependency_count(graph); k++)
        if (nodes[k].begin <= at && at < nodes[k].end) return k;
    fail_msg("no node holds %s", part);
    return 0;
}

/* The line of `part` in the text of `kept`. */
static uint32_t line_of(const pare_dependency *graph, const pare_dependency_bits *kept,
                        const char *part)
{
    pare_candidate candidate = {0};
    char text[sizeof SOURCE + 64];
    uint32_t line = 1;
    assert_int_equal(pare_dependency_print_candidate(graph, kept, &candidate, NULL), PARE_OK);
    assert_true(candidate.size < sizeof text);
    pare_candidate_read(&candidate, text);
    text[candidate.size] = '\0';
    pare_candidate_done(&candidate);
    const char *found = strstr(text, part);
    assert_non_null(found);
    for (const char *at = text; at < found; at++)
        line += *at == '\n';
    return line;
}

/* An attempt whose seeds are `seeds`, and one complaint about it. */
struct attempt {
    pare_dependency *graph;
    pare_dependency_bits *kept;
    pare_dependency_query query;
    pare_repairs repairs;
    pare_complaints complaints;
};

static void set_up(struct attempt *attempt, const char *seed)
{
    memset(attempt, 0, sizeof *attempt);
    attempt->graph = make_graph();
    assert_non_null(attempt->graph);
    attempt->kept =
        pare_alloc_zero(pare_dependency_set_size(attempt->graph), sizeof *attempt->kept);
    assert_non_null(attempt->kept);
    attempt->query.bodies = true;
    pare_dependency_add(attempt->kept, node_of(attempt->graph, seed));
    assert_int_equal(pare_dependency_close(attempt->graph, &attempt->query, attempt->kept, NULL),
                     PARE_OK);
}

static void tear_down(struct attempt *attempt)
{
    pare_repairs_done(&attempt->repairs);
    pare_alloc_free(attempt->kept);
    pare_dependency_unref(attempt->graph);
}

static void complain(struct attempt *attempt, pare_complaint_kind kind, uint32_t line,
                     const char *name)
{
    pare_complaint complaint = {.kind = kind, .line = line, .column = 1, .file = "in.cpp"};
    (void)snprintf(complaint.name, sizeof complaint.name, "%s", name);
    pare_complaints_add(&attempt->complaints, &complaint);
}

static pare_status hear(struct attempt *attempt, const uint32_t *roots, size_t n_roots)
{
    const pare_repairs_attempt about = {.graph = attempt->graph,
                                        .query = &attempt->query,
                                        .kept = attempt->kept,
                                        .roots = roots,
                                        .n_roots = n_roots};
    return pare_repairs_hear(&attempt->repairs, &about, &attempt->complaints, NULL);
}

/* What is heard of the closure of a root. */
static pare_status hear_closure(struct attempt *attempt, uint32_t root)
{
    const pare_repairs_attempt about = {.graph = attempt->graph,
                                        .query = &attempt->query,
                                        .kept = attempt->kept,
                                        .roots = &root,
                                        .n_roots = 1,
                                        .is_all = true};
    return pare_repairs_hear(&attempt->repairs, &about, &attempt->complaints, NULL);
}

/* What is heard of a deletion: only edges are learned. */
static pare_status hear_deletion(struct attempt *attempt)
{
    const pare_repairs_attempt about = {.graph = attempt->graph,
                                        .query = &attempt->query,
                                        .kept = attempt->kept,
                                        .only_learns = true};
    return pare_repairs_hear(&attempt->repairs, &about, &attempt->complaints, NULL);
}

static void test_repairs__a_line_or_a_note_tells_what_an_error_does_not(void **state)
{
    struct attempt attempt;
    (void)state;
    for (int row = 0; row < 3; row++) {
        const bool note = row > 0, closure = row > 1;
        set_up(&attempt, "int b");
        uint32_t a = node_of(attempt.graph, "int a"), b = node_of(attempt.graph, "int b");
        uint32_t line = line_of(attempt.graph, attempt.kept, "int b");
        pare_dependency_remove(attempt.kept, a);
        complain(&attempt, PARE_COMPLAINT_UNMATCHED, line, "nothing");
        if (note) complain(&attempt, PARE_COMPLAINT_NOTE, line, "a");
        assert_int_equal(closure ? hear_closure(&attempt, b) : hear_deletion(&attempt), PARE_OK);
        assert_true(attempt.repairs.rejected);
        assert_int_equal(attempt.repairs.learned.n, 1);
        assert_int_equal(attempt.repairs.learned.at[0].from, b);
        assert_int_equal(attempt.repairs.learned.at[0].to, a);
        tear_down(&attempt);
    }
}

/* Of a closure of the roots most errors follow from the first: nothing is left out as long as something is learned, and
 * never what a root cannot do without. */
static void test_repairs__roots_stay_in_their_own_closure(void **state)
{
    (void)state;
    static const struct {
        const char *root;
        bool learns, goes;
    } rows[] = {{"int b", true, false}, {"int b", false, true}, {"int e", false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct attempt attempt;
        set_up(&attempt, "int e");
        const uint32_t b = node_of(attempt.graph, "int b"), d = node_of(attempt.graph, "int d"),
                       root = node_of(attempt.graph, rows[i].root);
        pare_dependency_add(attempt.kept, b);
        if (rows[i].learns)
            complain(&attempt, PARE_COMPLAINT_UNDECLARED,
                     line_of(attempt.graph, attempt.kept, "int b"), "a");
        complain(&attempt, PARE_COMPLAINT_SYNTAX, line_of(attempt.graph, attempt.kept, "int d"),
                 "");
        assert_int_equal(hear_closure(&attempt, root), PARE_OK);
        const pare_shared *without = attempt.repairs.without;
        assert_true(attempt.repairs.rejected);
        assert_int_equal(attempt.repairs.learned.n, rows[i].learns);
        assert_int_equal(without && pare_dependency_has(pare_shared_items(without), d),
                         rows[i].goes);
        tear_down(&attempt);
    }
}

/* The linker names what is declared and defined nowhere; it tells no place. */
static void test_repairs__a_definition_in_another_class_is_found_by_the_linker(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int h");
    const uint32_t declared = node_of(attempt.graph, "void g"),
                   class = node_of(attempt.graph, "struct u");
    assert_true(pare_dependency_has(attempt.kept, declared));
    assert_false(pare_dependency_has(attempt.kept, class));
    complain(&attempt, PARE_COMPLAINT_UNLINKED, 0, "g");
    assert_int_equal(hear_deletion(&attempt), PARE_OK);
    assert_int_equal(attempt.repairs.learned.n, 1);
    assert_int_equal(attempt.repairs.learned.at[0].from, declared);
    assert_in_range(attempt.repairs.learned.at[0].to, class + 1,
                    pare_dependency_nodes(attempt.graph)[class].after - 1);
    tear_down(&attempt);
}

/* A variable that nothing fits needs what it is made from, and goes with that from then on. */
static void test_repairs__a_variable_that_cannot_be_made_needs_its_value(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int f");
    const pare_dependency_node *nodes = pare_dependency_nodes(attempt.graph);
    uint32_t value = node_of(attempt.graph, "int f");
    while (!(nodes[value].roles & PARE_OUTLINE_VALUE))
        value++;
    assert_true(value < pare_dependency_count(attempt.graph));
    pare_dependency_remove(attempt.kept, value);
    const pare_complaint complaint = {.kind = PARE_COMPLAINT_UNMATCHED,
                                      .line = line_of(attempt.graph, attempt.kept, "int f"),
                                      .column = sizeof "int f(){",
                                      .file = "in.cpp",
                                      .name = "t"};
    pare_complaints_add(&attempt.complaints, &complaint);
    assert_int_equal(hear_deletion(&attempt), PARE_OK);
    assert_int_equal(attempt.repairs.learned.n, 1);
    assert_int_equal(attempt.repairs.learned.at[0].from, nodes[value].parent);
    assert_int_equal(attempt.repairs.learned.at[0].to, value);
    attempt.query.learned = attempt.repairs.learned.at;
    attempt.query.n_learned = attempt.repairs.learned.n;
    assert_int_equal(
        pare_dependency_drop(attempt.graph, &attempt.query, &value, 1, attempt.kept, NULL),
        PARE_OK);
    assert_false(pare_dependency_has(attempt.kept, nodes[value].parent));
    tear_down(&attempt);
}

/* A complaint that was mended in vain is mended once by its line, and then no more. */
static void test_repairs__the_same_complaint_is_mended_twice_at_most(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int e");
    complain(&attempt, PARE_COMPLAINT_UNMATCHED, line_of(attempt.graph, attempt.kept, "int e"),
             "b");
    assert_int_equal(hear_deletion(&attempt), PARE_OK);
    assert_true(pare_repairs_take(&attempt.repairs));
    assert_int_equal(hear_deletion(&attempt), PARE_OK);
    const size_t n_learned = attempt.repairs.learned.n;
    (void)pare_repairs_take(&attempt.repairs);
    assert_int_equal(hear_deletion(&attempt), PARE_OK);
    assert_true(attempt.repairs.rejected);
    assert_false(pare_repairs_take(&attempt.repairs));
    assert_int_equal(attempt.repairs.learned.n, n_learned);
    tear_down(&attempt);
}

static void test_repairs__what_is_said_of_a_failing_attempt_is_expected(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int b");
    complain(&attempt, PARE_COMPLAINT_OTHER, line_of(attempt.graph, attempt.kept, "int b"), "x");
    assert_int_equal(hear_deletion(&attempt), PARE_OK);
    assert_true(attempt.repairs.rejected);
    pare_repairs_note_failure(&attempt.repairs);
    assert_int_equal(hear_deletion(&attempt), PARE_OK);
    assert_false(attempt.repairs.rejected);
    tear_down(&attempt);
}

static void test_repairs__a_missing_name_is_needed_from_then_on(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int b");
    uint32_t a = node_of(attempt.graph, "int a");
    assert_false(pare_dependency_has(attempt.kept, a));
    complain(&attempt, PARE_COMPLAINT_UNDECLARED, line_of(attempt.graph, attempt.kept, "int b"),
             "a");
    assert_int_equal(hear(&attempt, NULL, 0), PARE_OK);
    assert_true(pare_repairs_take(&attempt.repairs));
    assert_false(pare_repairs_take(&attempt.repairs)); /* asked once */
    assert_int_equal(attempt.repairs.learned.n, 1);
    assert_int_equal(attempt.repairs.learned.at[0].to, a);
    assert_null(attempt.repairs.without);
    pare_repairs_end(&attempt.repairs);
    assert_int_equal(attempt.repairs.learned.n, 1); /* kept for the run */
    attempt.query.learned = attempt.repairs.learned.at;
    attempt.query.n_learned = attempt.repairs.learned.n;
    assert_int_equal(pare_dependency_close(attempt.graph, &attempt.query, attempt.kept, NULL),
                     PARE_OK);
    assert_true(pare_dependency_has(attempt.kept, a));
    tear_down(&attempt);
}

static void test_repairs__a_node_that_cannot_be_mended_is_left_out_with_its_users(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int e");
    uint32_t d = node_of(attempt.graph, "int d"), e = node_of(attempt.graph, "int e");
    assert_true(pare_dependency_has(attempt.kept, d));
    complain(&attempt, PARE_COMPLAINT_SYNTAX, line_of(attempt.graph, attempt.kept, "int d"), "");
    assert_int_equal(hear(&attempt, NULL, 0), PARE_OK);
    assert_true(pare_repairs_take(&attempt.repairs));
    assert_non_null(attempt.repairs.without);
    const pare_dependency_bits *without = pare_shared_items(attempt.repairs.without);
    assert_true(pare_dependency_has(without, d));
    assert_true(pare_dependency_has(without, e + 2)); /* the statement in its body */
    pare_repairs_end(&attempt.repairs);
    assert_null(attempt.repairs.without);
    tear_down(&attempt);
}

static void test_repairs__what_roots_need_is_never_left_out(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int e");
    const uint32_t root = node_of(attempt.graph, "int e");
    complain(&attempt, PARE_COMPLAINT_SYNTAX, line_of(attempt.graph, attempt.kept, "int d"), "");
    assert_int_equal(hear(&attempt, &root, 1), PARE_OK);
    assert_false(pare_repairs_take(&attempt.repairs));
    tear_down(&attempt);
}

static void test_repairs__suspects_and_unknown_places_change_nothing(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int e");
    complain(&attempt, PARE_COMPLAINT_SUSPECT, 1, "a");
    complain(&attempt, PARE_COMPLAINT_UNDECLARED, 99, "a");
    complain(&attempt, PARE_COMPLAINT_UNDECLARED, 0, "nothing");
    assert_int_equal(hear(&attempt, NULL, 0), PARE_OK);
    assert_false(pare_repairs_take(&attempt.repairs));
    tear_down(&attempt);
}

static void test_repairs__what_the_failing_run_said_is_not_mended(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int e");
    complain(&attempt, PARE_COMPLAINT_OTHER, line_of(attempt.graph, attempt.kept, "int d"), "a");
    for (uint32_t k = 0; k < pare_dependency_count(attempt.graph); k++)
        pare_repairs_expect(&attempt.repairs, k, &attempt.complaints.item[0]);
    assert_int_equal(hear(&attempt, NULL, 0), PARE_OK);
    assert_false(pare_repairs_take(&attempt.repairs));
    complain(&attempt, PARE_COMPLAINT_OTHER, line_of(attempt.graph, attempt.kept, "int d"), "b");
    assert_int_equal(hear(&attempt, NULL, 0), PARE_OK);
    assert_true(pare_repairs_take(&attempt.repairs));
    tear_down(&attempt);
}

static void test_repairs__attempts_are_bounded(void **state)
{
    struct attempt attempt;
    unsigned n = 0;
    (void)state;
    set_up(&attempt, "int e");
    complain(&attempt, PARE_COMPLAINT_SYNTAX, line_of(attempt.graph, attempt.kept, "int d"), "");
    do {
        assert_int_equal(hear(&attempt, NULL, 0), PARE_OK);
    } while (pare_repairs_take(&attempt.repairs) && ++n < 100);
    assert_true(n < 10);
    tear_down(&attempt);
}

/* Five, but for an attempt that says how many it is worth. */
static void test_repairs__more_tries_are_made_where_they_are_worth_it(void **state)
{
    (void)state;
    for (int patient = 0; patient < 2; patient++) {
        struct attempt attempt;
        unsigned n = 0;
        set_up(&attempt, "int e");
        complain(&attempt, PARE_COMPLAINT_SYNTAX, line_of(attempt.graph, attempt.kept, "int d"),
                 "");
        const pare_repairs_attempt about = {.graph = attempt.graph,
                                            .query = &attempt.query,
                                            .kept = attempt.kept,
                                            .most_tries = patient ? 10 : 0};
        do {
            assert_int_equal(pare_repairs_hear(&attempt.repairs, &about, &attempt.complaints, NULL),
                             PARE_OK);
        } while (pare_repairs_take(&attempt.repairs) && ++n < 100);
        assert_int_equal(n, patient ? 10 : 5);
        tear_down(&attempt);
    }
}

/* Of what comes after the last try nothing is read, and what an earlier one was rejected for is no fault of it. */
static void test_repairs__a_fault_is_that_of_the_attempt_heard_of_last(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int e");
    complain(&attempt, PARE_COMPLAINT_SYNTAX, line_of(attempt.graph, attempt.kept, "int d"), "");
    const uint32_t node = node_of(attempt.graph, "int d");
    unsigned n = 0;
    do {
        assert_int_equal(hear(&attempt, NULL, 0), PARE_OK);
        assert_true(attempt.repairs.rejected);
        assert_true(attempt.repairs.fault.node == node || n > 1);
    } while (attempt.repairs.fault.node == node && ++n < 100);
    assert_in_range(n, 2, 10);
    assert_int_equal(attempt.repairs.fault.node, PARE_NO_NODE);
    tear_down(&attempt);
}

static void test_repairs__mending_in_vain_is_given_up_with_what_was_learned(void **state)
{
    (void)state;
    pare_repairs repairs = {.n_quiet = 0};
    bool added = false;
    unsigned n = 0;
    assert_int_equal(
        pare_dependency_edges_add(&repairs.learned, (pare_dependency_edge){1, 2}, &added, NULL),
        PARE_OK);
    for (int round = 0; round < 30; round++) { /* of use now and then */
        repairs.again = true;
        assert_true(pare_repairs_take(&repairs));
        if (round % 5 == 4) pare_repairs_note_success(&repairs);
    }
    do {
        repairs.again = true;
        n++;
    } while (pare_repairs_take(&repairs) && n < 100);
    assert_int_equal(n, 12);
    assert_true(pare_repairs_is_given_up(&repairs));
    assert_false(pare_repairs_listens(&repairs));
    assert_int_equal(repairs.learned.n, 0);
    pare_repairs_note_success(&repairs);
    assert_false(pare_repairs_listens(&repairs));
    pare_repairs_done(&repairs);
}

static void test_repairs__few_are_listened_to_where_there_is_nothing_to_mend(void **state)
{
    pare_repairs repairs = {.again = false};
    unsigned n_heard = 0, last = 0;
    (void)state;
    for (unsigned n = 0; n < 100; n++) {
        bool listens = pare_repairs_listens(&repairs);
        if (n < 3) assert_true(listens);
        n_heard += listens;
        if (listens) last = n;
        assert_false(pare_repairs_take(&repairs));
        pare_repairs_end(&repairs);
    }
    assert_in_range(n_heard, 10, 33);
    assert_true(last > 90);
}

static pare_status mend(void *context)
{
    struct attempt *attempt = context;
    pare_repairs copy = {.again = false};
    pare_status status = hear(attempt, NULL, 0);
    if (!status) status = pare_repairs_copy(&attempt->repairs, &copy, NULL);
    if (!status) pare_repairs_done(&copy);
    pare_repairs_done(&attempt->repairs);
    return status;
}

static void test_repairs__out_of_memory_is_a_clean_error(void **state)
{
    struct attempt attempt;
    (void)state;
    set_up(&attempt, "int e");
    complain(&attempt, PARE_COMPLAINT_SYNTAX, line_of(attempt.graph, attempt.kept, "int d"), "");
    complain(&attempt, PARE_COMPLAINT_UNDECLARED, line_of(attempt.graph, attempt.kept, "int e"),
             "a");
    sweep_allocations(mend, &attempt);
    tear_down(&attempt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repairs__a_line_or_a_note_tells_what_an_error_does_not),
        cmocka_unit_test(test_repairs__roots_stay_in_their_own_closure),
        cmocka_unit_test(test_repairs__a_definition_in_another_class_is_found_by_the_linker),
        cmocka_unit_test(test_repairs__a_variable_that_cannot_be_made_needs_its_value),
        cmocka_unit_test(test_repairs__the_same_complaint_is_mended_twice_at_most),
        cmocka_unit_test(test_repairs__what_is_said_of_a_failing_attempt_is_expected),
        cmocka_unit_test(test_repairs__a_missing_name_is_needed_from_then_on),
        cmocka_unit_test(test_repairs__a_node_that_cannot_be_mended_is_left_out_with_its_users),
        cmocka_unit_test(test_repairs__what_roots_need_is_never_left_out),
        cmocka_unit_test(test_repairs__suspects_and_unknown_places_change_nothing),
        cmocka_unit_test(test_repairs__what_the_failing_run_said_is_not_mended),
        cmocka_unit_test(test_repairs__attempts_are_bounded),
        cmocka_unit_test(test_repairs__more_tries_are_made_where_they_are_worth_it),
        cmocka_unit_test(test_repairs__a_fault_is_that_of_the_attempt_heard_of_last),
        cmocka_unit_test(test_repairs__mending_in_vain_is_given_up_with_what_was_learned),
        cmocka_unit_test(test_repairs__few_are_listened_to_where_there_is_nothing_to_mend),
        cmocka_unit_test(test_repairs__out_of_memory_is_a_clean_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
