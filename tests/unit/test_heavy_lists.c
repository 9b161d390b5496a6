/* Which parts of large lists are tried, and in which order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce/tree/tree_algorithm.h"
#include "support/tree_driver.h"
#include "support/tree_notation.h"

/* Fails as long as it has `text`. */
static pare_outcome has(void *text, const unsigned char *bytes, size_t size)
{
    return memmem(bytes, size, text, strlen(text)) ? PARE_FAIL : PARE_PASS;
}

/* Runs over the tree of `source` with a test. */
static void run(const char *source, drive_test test, void *context, struct drive *drive)
{
    struct notation notation = {0};
    pare_strategy *strategy = NULL;
    notation_read(&notation, source);
    pare_tree *tree = notation_tree(&notation, &(pare_tree_rules){.joints = PARE_JOINTS_PLAIN});
    assert_int_equal(pare_heavy_lists_new(tree, &strategy, NULL), PARE_OK);
    drive_run(drive, strategy, test, context);
    pare_tree_unref(tree);
    notation_done(&notation);
}

static void test_heavy_lists__leave_light_lists_alone(void **state)
{
    (void)state;
    struct drive drive;
    /* The lists that hold a hundredth of the text are gone through; nothing is put in the
     * place of a node. */
    run("(json '[' (* (pair 'a') (pair (pair 'k')) (pair 'c')) ']')", has, "k", &drive);
    assert_string_equal(drive.best, "[k]");
    drive_done(&drive);
    char source[4096] = "(json '[' (* (pair 'x' '(' (* (pair 'a') (pair 'k')) ')'";
    size_t size = strlen(source);
    size += (size_t)snprintf(source + size, sizeof source - size, ") (pair 'k'");
    for (int i = 0; i < 200; i++)
        size += (size_t)snprintf(source + size, sizeof source - size, " 'kkkk'");
    (void)snprintf(source + size, sizeof source - size, ")) ']')");
    run(source, has, "k)", &drive);
    assert_null(strstr(drive.best, "kkkk"));
    drive_done(&drive);
    run(source, has, "kkkkkkkk", &drive);
    assert_null(strchr(drive.best, 'x'));
    drive_done(&drive);
}

static void test_heavy_lists__all_of_the_tree_and_the_last_round_of_a_plus_stay(void **state)
{
    (void)state;
    struct drive drive;
    run("(json (* (pair 'a') (pair 'b')))", has, "c", &drive);
    assert_string_equal(drive.log, "a\nb\n");
    drive_done(&drive);
    run("(json '[' (+ (pair 'a') (pair 'b')) ']')", has, "", &drive);
    assert_string_equal(drive.best, "[a]");
    drive_done(&drive);
}

/* What a run over one list asks. */
struct asked {
    unsigned n_tests, n_without_giant;
    bool users_first; /* X goes only when all of u went before */
};

static pare_outcome ask(void *context, const unsigned char *bytes, size_t size)
{
    struct asked *asked = context;
    bool giant = memchr(bytes, 'X', size) != NULL;
    asked->n_tests++;
    asked->n_without_giant += !giant;
    if (!asked->users_first) return PARE_PASS;
    return giant || !memchr(bytes, 'u', size) ? PARE_FAIL : PARE_PASS;
}

/* A list of `n` light elements with one of `giant` tokens before them. */
static void run_list(int n, int giant, struct asked *asked, struct drive *drive)
{
    char source[16384] = "(json '[' (* (pair";
    size_t size = strlen(source);
    for (int i = 0; i < giant; i++)
        size += (size_t)snprintf(source + size, sizeof source - size, " 'XXXX'");
    size += (size_t)snprintf(source + size, sizeof source - size, ")");
    for (int i = 0; i < n; i++)
        size += (size_t)snprintf(source + size, sizeof source - size, " (pair 'u')");
    (void)snprintf(source + size, sizeof source - size, ") ']')");
    run(source, ask, asked, drive);
}

static void test_heavy_lists__a_giant_stands_alone(void **state)
{
    (void)state;
    struct drive drive;
    struct asked asked = {0};
    run_list(400, 500, &asked, &drive);
    /* all of the list, and the giant */
    assert_int_equal(asked.n_without_giant, 2);
    drive_done(&drive);
}

static void test_heavy_lists__end_without_patience(void **state)
{
    (void)state;
    struct drive drive;
    struct asked asked = {0};
    run_list(400, 1, &asked, &drive);
    /* Ten halvings and the patience; then 64 parts of more than four of the 403 bytes, and
     * those that they are halves of. */
    assert_in_range(asked.n_tests, 64, 10 + PARE_HEAVY_PATIENCE + 2 * 128);
    drive_done(&drive);
}

static void test_heavy_lists__what_uses_goes_before_what_is_used(void **state)
{
    (void)state;
    struct drive drive;
    struct asked asked = {.users_first = true};
    run_list(8, 10, &asked, &drive);
    assert_string_equal(drive.best, "[]");
    drive_done(&drive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heavy_lists__leave_light_lists_alone),
        cmocka_unit_test(test_heavy_lists__all_of_the_tree_and_the_last_round_of_a_plus_stay),
        cmocka_unit_test(test_heavy_lists__a_giant_stands_alone),
        cmocka_unit_test(test_heavy_lists__end_without_patience),
        cmocka_unit_test(test_heavy_lists__what_uses_goes_before_what_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
