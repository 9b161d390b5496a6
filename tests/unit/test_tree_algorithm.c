/* What a reduction says to have shown is true: tried by force, node by node, on the tree
 * of the result as it was parsed, with nothing squeezed or hidden. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "parse/bracket_parse.h"
#include "reduce/syntax/rules.h"
#include "reduce/tree/tree_state.h"
#include "support/parse_text.h"

static const char grammar_text[] =
    "grammar T; s: item* EOF; item: ID ('=' e)? ';' | '{' item+ '}'; e: e '+' t | t;"
    "t: ID | NUM | '(' e ')' | '[' (e (',' e)*)? ']'; ID: [a-z]+; NUM: [0-9]+; W: [ ]+ -> skip;";

static const char input[] = "a=1; b=[1,2,(3+44+5),[6]]; {c=((4)); d; {e=[];}} f=1+2+3; {g; h=7;}";

/* The failure is that all the needles are there. */
struct failure {
    const char *needles[3];
};

static pare_outcome fails(void *context, const void *bytes, size_t size)
{
    const struct failure *failure = context;
    for (size_t i = 0; i < 3 && failure->needles[i]; i++)
        if (!memmem(bytes, size, failure->needles[i], strlen(failure->needles[i])))
            return PARE_PASS;
    return PARE_FAIL;
}

static const struct failure failures[] = {{{"44"}},           {{"44", "d"}}, {{"[", "]"}},
                                          {{"{", "h", "44"}}, {{"+", "("}},  {{";"}}};

/* Every node that has another minimal text is replaced by it, one at a time. */
static void assert_none_can_go(pare_tree *tree, const struct failure *failure, bool root)
{
    pare_tree_state *state = NULL;
    assert_int_equal(pare_tree_state_new(tree, &state, NULL), PARE_OK);
    for (uint32_t i = root ? 0 : 1; i < tree->n_nodes; i++) {
        const pare_tree_node *node = &tree->nodes[i];
        if (!node->n_tokens || node->minimal_size > node->end - node->begin) continue;
        pare_tree_edits edits = {0};
        pare_candidate candidate = {0};
        unsigned char bytes[256];
        char own[256];
        pare_text_read(tree->text, node->begin, node->end - node->begin, own);
        bool same = node->minimal_size == node->end - node->begin &&
                    (!node->minimal_size ||
                     memcmp(own, tree->texts + node->minimal, node->minimal_size) == 0);
        if (same) continue;
        assert_int_equal(
            pare_tree_state_edits_add(&edits, (pare_tree_edit){PARE_TREE_PRUNE, i, 0}, NULL),
            PARE_OK);
        assert_int_equal(pare_tree_state_candidate(state, &edits, &candidate, NULL), PARE_OK);
        assert_true(candidate.size < sizeof bytes);
        pare_candidate_read(&candidate, bytes);
        bool shorter = candidate.size < pare_text_size(tree->text);
        if (shorter && fails((void *)(uintptr_t)failure, bytes, candidate.size) == PARE_FAIL)
            fail_msg("node %u can go: '%.*s'", i, (int)candidate.size, (const char *)bytes);
        pare_candidate_done(&candidate);
        pare_tree_state_edits_done(&edits);
    }
    pare_tree_state_unref(state);
}

struct how {
    const char *algorithm, *transforms, *list, *grammar;
    const char *sentence; /* NULL: nothing is said */
};

static void check_result(const pare_result *result, const struct how *how,
                         const struct failure *failure)
{
    pare_parse_tree parsed = {0};
    pare_text *text = NULL;
    pare_tree *tree = NULL;
    pare_grammar *grammar = read_grammar(grammar_text);
    pare_grammar_rules *rules = NULL;
    pare_tree_rules facts = {0};
    assert_int_equal(pare_grammar_rules_new(grammar, &rules, NULL), PARE_OK);
    assert_int_equal(pare_text_copy(result->bytes, result->size_bytes, &text, NULL), PARE_OK);
    if (how->grammar) {
        parsed = parse_with(grammar, (const char *)result->bytes, result->size_bytes, NULL);
        assert_false(parsed.error.any);
        facts = pare_grammar_rules_of(rules);
    } else {
        assert_int_equal(pare_bracket_parse(result->bytes, result->size_bytes, &parsed, NULL),
                         PARE_OK);
    }
    assert_int_equal(pare_tree_new(&parsed, text, &facts, &tree, NULL), PARE_OK);
    assert_none_can_go(tree, failure, strcmp(how->algorithm, "hddr") != 0);
    pare_tree_unref(tree);
    pare_parse_tree_done(&parsed);
    pare_text_unref(text);
    pare_grammar_rules_free(rules);
    pare_grammar_free(grammar);
}

static void check(const struct how *how)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        struct failure failure = failures[i];
        pare_reduce_options options = {
            .input.bytes = input,
            .input.size_bytes = strlen(input),
            .test.predicate = fails,
            .test.context = &failure,
            .algorithms = how->algorithm,
            .trees = {.grammars = &how->grammar,
                      .n_grammars = how->grammar ? 1 : 0,
                      .transforms = how->transforms,
                      .list = how->list},
        };
        pare_result result = {0};
        assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
        bool says = result.stats.minimal == PARE_MINIMAL_ONE_TREE;
        assert_int_equal(says, how->sentence != NULL);
        assert_string_equal(result.stats.minimal_nodes, how->sentence ? how->sentence : "");
        if (says && (!how->transforms || !strstr(how->transforms, "flatten")))
            check_result(&result, how, &failure);
        pare_result_done(&result);
    }
}

static char path[] = "/tmp/pare-shown-XXXXXX";

static int write_grammar(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    bool done = fd >= 0 && write(fd, grammar_text, strlen(grammar_text)) > 0;
    if (fd >= 0) close(fd);
    return done ? 0 : -1;
}

static int remove_grammar(void **state)
{
    (void)state;
    return unlink(path);
}

static void test_tree_algorithm__by_a_grammar_no_node_has_a_shorter_text_left(void **state)
{
    (void)state;
    static const char *const transforms[] = {NULL, "none", "squeeze", "hide",
                                             "remove-empty,squeeze,hide"};
    for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++) {
        check(&(struct how){"hdd", transforms[i], NULL, path,
                            "no single node of the tree can give way to a shorter text"});
        check(&(struct how){"hddr", transforms[i], "halves", path,
                            "no single node of the tree below its root can give way to a "
                            "shorter text"});
    }
    check(&(struct how){"hdd", "flatten", NULL, path,
                        "no single node of the flattened tree can give way to a shorter text"});
}

static void test_tree_algorithm__by_brackets_tokens_are_excepted(void **state)
{
    (void)state;
    check(&(struct how){"hdd", NULL, NULL, NULL,
                        "no single node of the tree can be left out; tokens were not tried"});
    check(&(struct how){"hddr", "none", "sweep", NULL,
                        "no single node of the tree below its root can be left out; tokens were "
                        "not tried"});
    check(&(struct how){"hdd", "skip-space", NULL, NULL,
                        "no single node of the tree can be left out; tokens were not tried; white "
                        "space was not tried"});
}

static void test_tree_algorithm__nothing_where_not_each_node_is_tried(void **state)
{
    (void)state;
    check(&(struct how){"hdd", NULL, "ddrmin", path, NULL});
    check(&(struct how){"coarse-hdd", NULL, NULL, path, NULL});
    check(&(struct how){"perses", NULL, NULL, path, NULL});
    check(&(struct how){"gtr", NULL, NULL, path, NULL});
    check(&(struct how){"grabr", NULL, NULL, path, NULL});
}

static void test_tree_algorithm__steps_and_fixpoint_decide(void **state)
{
    (void)state;
    static const char *const steps[] = {"coarse", "hoist", "coarse,prune"};
    struct failure failure = {{"44"}};
    for (size_t i = 0; i < 6; i++) {
        pare_reduce_options options = {
            .input.bytes = input,
            .input.size_bytes = strlen(input),
            .test.predicate = fails,
            .test.context = &failure,
            .algorithms = "hdd",
            .lists = {.fixpoint = i < 3 ? PARE_FIXPOINT_DEFAULT : PARE_FIXPOINT_OFF},
            .trees = {.phases = &steps[i % 3], .n_phases = 1},
        };
        pare_result result = {0};
        pare_error err = {0};
        pare_status status = pare_reduce(&options, &result, &err);
        assert_string_equal(err.message, "");
        assert_int_equal(status, PARE_OK);
        pare_minimal expected = i == 2 ? PARE_MINIMAL_ONE_TREE : PARE_MINIMAL_NONE;
        assert_int_equal(result.stats.minimal, expected);
        pare_result_done(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_algorithm__by_a_grammar_no_node_has_a_shorter_text_left),
        cmocka_unit_test(test_tree_algorithm__by_brackets_tokens_are_excepted),
        cmocka_unit_test(test_tree_algorithm__nothing_where_not_each_node_is_tried),
        cmocka_unit_test(test_tree_algorithm__steps_and_fixpoint_decide),
    };
    return cmocka_run_group_tests(tests, write_grammar, remove_grammar);
}
