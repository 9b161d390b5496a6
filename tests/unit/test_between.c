/* What stands between the parts: which characters are signs, and which of them are needed. */
/* tests: src/explain/between.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/strategy.h"
#include "explain/between.h"
#include "explain/parts.h"
#include "text/candidate.h"
#include "text/text.h"

struct scene {
    pare_text *text;
    pare_parts parts;
    pare_between between;
};

static bool all_varied(const void *context, size_t part)
{
    return *(const size_t *)context != part;
}

/* Signs of a text that no tree is known of; those of part `but` too, SIZE_MAX: of none. */
static void find(struct scene *scene, const char *text, size_t but)
{
    const pare_parts_syntax plain = {.tree = NULL};
    const pare_span span = {(const unsigned char *)text, strlen(text)};
    *scene = (struct scene){.text = NULL};
    assert_int_equal(pare_text_copy(text, strlen(text), &scene->text, NULL), PARE_OK);
    assert_int_equal(pare_parts_make(span, &plain, &scene->parts, NULL), PARE_OK);
    pare_between_find(scene->text, &scene->parts, all_varied, &but, &scene->between);
}

static void forget(struct scene *scene)
{
    pare_parts_done(&scene->parts);
    pare_text_unref(scene->text);
}

static void assert_signs(const char *text, size_t but, const char *signs)
{
    struct scene scene;
    char found[200] = "";
    find(&scene, text, but);
    for (uint32_t k = 0; k < scene.between.n && k < PARE_BETWEEN_KEPT; k++) {
        const pare_sign *sign = &scene.between.signs[k];
        assert_true(sign->from < sign->to);
        strncat(found, text + sign->from, sign->to - sign->from);
        strcat(found, " ");
    }
    assert_string_equal(found, signs);
    forget(&scene);
}

static void test_between__signs_are_what_no_part_has(void **state)
{
    (void)state;
    assert_signs("", SIZE_MAX, "");
    assert_signs("name", SIZE_MAX, "");
    assert_signs("f(12,\n\t\"a(b\");", SIZE_MAX, "( , \n ) ; ");
    assert_signs("a\n \n b\n", SIZE_MAX, "\n "); /* not at the end, nor twice */
    assert_signs("[[x]]", SIZE_MAX, "[ [ ] ] ");
    assert_signs("(\303\244\342\202\254)", 0,
                 "( \303\244 \342\202\254 ) "); /* characters, no bytes */
    assert_signs("x;ab", 1, "; a b ");          /* a part that was not varied */
}

/* Tells the strategy until it is done, and then what is known. */
static unsigned leave_out(struct scene *scene, bool (*fails)(const char *text))
{
    pare_strategy *strategy = NULL, *copy = NULL;
    unsigned n = 0;
    assert_int_equal(pare_between_new(scene->text, &scene->between, &strategy, NULL), PARE_OK);
    for (;; n++) {
        char text[200] = "";
        pare_next what = PARE_NEXT_DONE;
        pare_candidate candidate = {0};
        assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
        if (what == PARE_NEXT_TEST) pare_candidate_read(&candidate, text);
        pare_candidate_done(&candidate);
        if (what == PARE_NEXT_DONE) break;
        /* A copy goes on as the original would. */
        assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
        pare_strategy_free(strategy);
        strategy = copy;
        assert_int_equal(strategy->ops->tell(strategy, fails(text) ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
    }
    pare_candidate best = {0};
    assert_int_equal(strategy->ops->best(strategy, &best, NULL), PARE_OK);
    assert_int_equal(best.size, pare_text_size(scene->text));
    pare_candidate_done(&best);
    pare_between_take(strategy, &scene->between);
    pare_strategy_free(strategy);
    return n;
}

static bool has_brackets(const char *text)
{
    return strchr(text, '(') && strchr(text, ')');
}

/* "a b", however they are apart. */
static bool has_words_apart(const char *text)
{
    return strcmp(text, "a,  b") == 0 || strcmp(text, "a,\n b") == 0;
}

static bool never(const char *text)
{
    (void)text;
    return false;
}

static void test_between__each_is_left_out_once(void **state)
{
    (void)state;
    struct scene scene;
    find(&scene, "f(a,b);", SIZE_MAX);
    assert_int_equal(leave_out(&scene, has_brackets), 3); /* the brackets by one test */
    assert_int_equal(scene.between.n_tried, 4);
    assert_int_equal(scene.between.n_needed, 2);
    forget(&scene);
    find(&scene, ";", SIZE_MAX); /* nothing is left */
    assert_int_equal(leave_out(&scene, never), 1);
    assert_int_equal(scene.between.n_needed, 1);
    forget(&scene);
    find(&scene, "x", SIZE_MAX);
    assert_int_equal(leave_out(&scene, never), 0);
    forget(&scene);
}

static void test_between__a_blank_stands_for_a_line_end(void **state)
{
    (void)state;
    struct scene scene;
    find(&scene, "a,\n b", SIZE_MAX);
    assert_int_equal(leave_out(&scene, has_words_apart), 2);
    assert_true(scene.between.signs[0].is_needed);
    assert_false(scene.between.signs[1].is_needed);
    forget(&scene);
}

/* Line ends give way where there are too many signs with them. */
static void test_between__brackets_come_before_line_ends(void **state)
{
    (void)state;
    struct scene scene;
    char text[2 * PARE_BETWEEN_MOST + 1];
    for (size_t k = 0; k < PARE_BETWEEN_MOST; k++)
        memcpy(text + 2 * k, "(\n", 2);
    text[2 * PARE_BETWEEN_MOST] = '\0';
    find(&scene, text, SIZE_MAX);
    assert_int_equal(scene.between.n, PARE_BETWEEN_MOST);
    forget(&scene);
}

/* "a;...(b);..." with the brackets, whatever else is left out. */
static bool has_pair(const char *text)
{
    return strstr(text, "(b)");
}

static void test_between__of_too_many_pairs_of_brackets_come_first(void **state)
{
    (void)state;
    struct scene scene;
    char text[200];
    memset(text, ';', PARE_BETWEEN_MOST);
    strcpy(text + PARE_BETWEEN_MOST, "(b)]");
    find(&scene, text, SIZE_MAX);
    assert_int_equal(scene.between.n, PARE_BETWEEN_MOST + 3);
    assert_int_equal(leave_out(&scene, has_pair), PARE_BETWEEN_MOST);
    assert_int_equal(scene.between.n_tried, PARE_BETWEEN_MOST + 1);
    assert_int_equal(scene.between.n_needed, 2);
    assert_true(scene.between.signs[PARE_BETWEEN_MOST].is_needed);
    assert_true(scene.between.signs[PARE_BETWEEN_MOST + 1].is_needed);
    assert_false(scene.between.signs[PARE_BETWEEN_MOST - 1].is_tried); /* the last ; */
    assert_false(scene.between.signs[PARE_BETWEEN_MOST + 2].is_tried);
    forget(&scene);
}

static bool has_square_brackets(const char *text)
{
    return strcmp(text, "{[x]}") == 0 || strcmp(text, "[x]") == 0;
}

/* What is between them stays. */
static void test_between__brackets_are_left_out_with_their_mates(void **state)
{
    (void)state;
    struct scene scene;
    find(&scene, "{[x]}", SIZE_MAX);
    assert_int_equal(leave_out(&scene, has_square_brackets), 2);
    assert_int_equal(scene.between.n_tried, 4);
    assert_int_equal(scene.between.n_needed, 2);
    assert_false(scene.between.signs[0].is_needed || scene.between.signs[3].is_needed);
    forget(&scene);
    find(&scene, "(x]", SIZE_MAX); /* they do not match */
    assert_int_equal(leave_out(&scene, never), 2);
    forget(&scene);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_between__signs_are_what_no_part_has),
        cmocka_unit_test(test_between__each_is_left_out_once),
        cmocka_unit_test(test_between__a_blank_stands_for_a_line_end),
        cmocka_unit_test(test_between__brackets_come_before_line_ends),
        cmocka_unit_test(test_between__of_too_many_pairs_of_brackets_come_first),
        cmocka_unit_test(test_between__brackets_are_left_out_with_their_mates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
