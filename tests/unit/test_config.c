/* Configurations of units, against a list of flags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/alloc.h"
#include "base/random.h"
#include "reduce/list/config.h"
#include "text/split/bracket.h"

enum { MAX_BYTES = 200, ROUNDS = 400 };

/* The same list as the configuration's, naively. */
struct model {
    unsigned char text[MAX_BYTES];
    size_t size, n;
    uint32_t begin[MAX_BYTES], end[MAX_BYTES];
    bool kept[MAX_BYTES];
};

/* Random units; `gapped`: with bytes between them, before the first and behind the last. */
static void make_model(struct model *model, pare_random *random, bool gapped)
{
    memset(model, 0, sizeof *model);
    model->size = pare_random_below(random, MAX_BYTES);
    for (size_t i = 0; i < model->size; i++)
        model->text[i] = (unsigned char)i;
    for (uint32_t at = 0; at < model->size;) {
        if (gapped) at += (uint32_t)pare_random_below(random, 3);
        uint32_t end = at + 1 + (uint32_t)pare_random_below(random, 5);
        if (end > model->size) {
            if (gapped) break;
            end = (uint32_t)model->size;
        }
        model->begin[model->n] = at;
        model->end[model->n] = end;
        model->kept[model->n++] = true;
        at = end;
    }
}

static pare_config *make_config(const struct model *model, bool gapped)
{
    pare_text *text = NULL;
    pare_unit_list *units = NULL;
    pare_config *config = NULL;
    assert_int_equal(pare_text_copy(model->text, model->size, &text, NULL), PARE_OK);
    uint32_t *at = pare_alloc(2 * (size_t)MAX_BYTES + 2, sizeof *at);
    memcpy(at, model->begin, model->n * sizeof *at);
    if (gapped) {
        memcpy(at + model->n, model->end, model->n * sizeof *at);
        pare_slices slices = {.begin = at, .end = at + model->n, .n = model->n};
        assert_int_equal(pare_config_units_gapped(&slices, &units, NULL), PARE_OK);
    } else {
        at[model->n] = (uint32_t)model->size;
        pare_bounds bounds = {.at = at, .n = model->n};
        assert_int_equal(pare_config_units_new(&bounds, &units, NULL), PARE_OK);
    }
    assert_int_equal(pare_config_new(units, text, &config, NULL), PARE_OK);
    pare_config_units_unref(units);
    pare_text_unref(text);
    return config;
}

/* What the model prints: the units kept and everything between units. */
static size_t print(const struct model *model, unsigned char *to)
{
    size_t size = 0, at = 0;
    for (size_t i = 0; i <= model->n; i++) {
        size_t begin = i < model->n ? model->begin[i] : model->size;
        size_t end = i < model->n ? model->end[i] : model->size;
        while (at < begin)
            to[size++] = model->text[at++];
        while (at < end) {
            if (model->kept[i]) to[size++] = model->text[at];
            at++;
        }
    }
    return size;
}

/* A random edit of `n` positions, applied to the model as well. */
static void make_edit(struct model *model, size_t n, pare_random *random, pare_edit *edit)
{
    size_t position = 0;
    pare_edit_reset(edit);
    for (size_t i = 0; i < model->n; i++) {
        if (!model->kept[i]) continue;
        if (pare_random_below(random, 4) == 0) {
            assert_int_equal(pare_edit_add(edit, position, position + 1, NULL), PARE_OK);
            model->kept[i] = false;
        }
        position++;
    }
    assert_int_equal(position, n);
}

static void assert_prints(const pare_text *text, const struct model *model)
{
    unsigned char expected[MAX_BYTES], found[MAX_BYTES];
    size_t size = print(model, expected);
    assert_int_equal(pare_text_size(text), size);
    pare_text_read(text, 0, size, found);
    assert_memory_equal(found, expected, size);
}

static void assert_same(const pare_config *config, const struct model *model)
{
    size_t n_left = 0;
    pare_candidate whole = {0};
    pare_text *text = NULL;
    assert_true(pare_config_check(config));
    for (size_t i = 0; i < model->n; i++)
        n_left += model->kept[i];
    assert_int_equal(pare_config_count(config), n_left);
    assert_int_equal(pare_config_candidate(config, &(pare_edit){.n_ranges = 0}, &whole, NULL),
                     PARE_OK);
    assert_int_equal(pare_candidate_text(&whole, &text, NULL), PARE_OK);
    assert_prints(text, model);
    pare_text_unref(text);
    pare_candidate_done(&whole);
}

static void follow(bool gapped)
{
    pare_random random;
    pare_random_init(&random, gapped ? 11 : 12);
    pare_edit edit = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct model model;
        make_model(&model, &random, gapped);
        pare_config *config = make_config(&model, gapped);
        assert_same(config, &model);
        while (pare_config_count(config) > 0) {
            struct model smaller = model;
            make_edit(&smaller, pare_config_count(config), &random, &edit);
            pare_candidate candidate = {0};
            pare_text *text = NULL;
            pare_config *less = NULL;
            assert_int_equal(pare_config_candidate(config, &edit, &candidate, NULL), PARE_OK);
            assert_int_equal(pare_candidate_text(&candidate, &text, NULL), PARE_OK);
            assert_prints(text, &smaller);
            assert_true(
                pare_digest_equal(pare_candidate_digest(&candidate), pare_text_digest(text)));
            assert_int_equal(pare_config_less(config, &edit, &less, NULL), PARE_OK);
            assert_same(config, &model); /* it is not changed */
            if (pare_random_below(&random, 2))
                assert_int_equal(pare_config_settle(less, NULL), PARE_OK);
            assert_same(less, &smaller);
            pare_text_unref(text);
            pare_candidate_done(&candidate);
            pare_config_unref(config);
            config = less;
            model = smaller;
        }
        pare_config_unref(config);
    }
    pare_edit_done(&edit);
}

static void test_config__follows_edits_of_units_that_touch(void **state)
{
    (void)state;
    follow(false);
}

static void test_config__follows_edits_of_units_with_gaps(void **state)
{
    (void)state;
    follow(true);
}

static pare_status make_less(void *context)
{
    pare_config *less = NULL;
    pare_edit edit = {0};
    pare_status status = pare_edit_add(&edit, 1, 3, NULL);
    if (!status) status = pare_config_less(context, &edit, &less, NULL);
    pare_config_unref(less);
    pare_edit_done(&edit);
    return status;
}

static void test_config__out_of_memory_is_clean(void **state)
{
    (void)state;
    struct model model;
    pare_random random;
    pare_random_init(&random, 3);
    do
        make_model(&model, &random, false);
    while (model.n < 10);
    pare_config *config = make_config(&model, false);
    sweep_allocations(make_less, config);
    assert_same(config, &model);
    pare_config_unref(config);
}

/* "a|b" shows where segments are cut; '_' is what belongs to no unit. */
static void assert_segments(const char *text, uint32_t level, pare_comma comma,
                            const char *expected)
{
    pare_bracket_tree tree = {0};
    pare_slices slices = {0};
    char shown[256];
    size_t n = 0;
    const unsigned char *bytes = (const unsigned char *)text;
    assert_int_equal(pare_bracket_build(bytes, strlen(text), &tree, NULL), PARE_OK);
    assert_int_equal(pare_bracket_level(&tree, level, &slices, NULL), PARE_OK);
    pare_bracket_join_segments(&slices, bytes, comma);
    for (size_t i = 0; i < slices.n; i++) {
        if (i) shown[n++] = '|';
        memcpy(shown + n, text + slices.begin[i], slices.end[i] - slices.begin[i]);
        n += slices.end[i] - slices.begin[i];
    }
    shown[n] = '\0';
    assert_string_equal(shown, expected);
    pare_bracket_slices_done(&slices);
    pare_bracket_done(&tree);
}

static void test_segments__take_key_group_and_comma_together(void **state)
{
    (void)state;
    const char *json = "{\"a\": [1, 2], \"b\": {\"c\": 3}}\n";
    assert_segments(json, 1, PARE_COMMA_AFTER, "\"a\": [1, 2],| \"b\": {\"c\": 3}");
    assert_segments(json, 1, PARE_COMMA_BEFORE, "\"a\": [1, 2]|, \"b\": {\"c\": 3}");
    assert_segments(json, 2, PARE_COMMA_AFTER, "1,| 2|\"c\": 3");
    assert_segments(json, 2, PARE_COMMA_BEFORE, "1|, 2|\"c\": 3");
}

static void test_segments__are_statements_where_lines_or_semicolons_end(void **state)
{
    (void)state;
    const char *c = "int a; if (b) {\n  c();\n} else { d(); }\nf(x, y);\n";
    assert_segments(c, 0, PARE_COMMA_AFTER,
                    "int a;| if (b) {\n  c();\n} else { d(); }\n|f(x, y);\n");
    assert_segments(c, 1, PARE_COMMA_AFTER, "b|\n  c();\n| d();| |x,| y");
    assert_segments(c, 1, PARE_COMMA_BEFORE, "b|\n  c();\n| d();| |x|, y");
}

static void test_segments__cover_what_the_slices_covered(void **state)
{
    (void)state;
    static const char alphabet[] = "ab,; \n()[]{}\"";
    pare_random random;
    pare_random_init(&random, 99);
    for (int round = 0; round < 2000; round++) {
        unsigned char bytes[60];
        size_t size = pare_random_below(&random, sizeof bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)alphabet[pare_random_below(&random, sizeof alphabet - 1)];
        pare_bracket_tree tree = {0};
        assert_int_equal(pare_bracket_build(bytes, size, &tree, NULL), PARE_OK);
        for (uint32_t level = 0; level < tree.n_levels; level++) {
            for (int comma = PARE_COMMA_AFTER; comma <= PARE_COMMA_BEFORE; comma++) {
                bool before[60] = {false}, after[60] = {false};
                pare_slices slices = {0};
                assert_int_equal(pare_bracket_level(&tree, level, &slices, NULL), PARE_OK);
                for (size_t i = 0; i < slices.n; i++)
                    memset(before + slices.begin[i], 1, slices.end[i] - slices.begin[i]);
                pare_bracket_join_segments(&slices, bytes, (pare_comma)comma);
                for (size_t i = 0; i < slices.n; i++) {
                    assert_true(slices.begin[i] < slices.end[i]);
                    assert_true(i == 0 || slices.end[i - 1] <= slices.begin[i]);
                    memset(after + slices.begin[i], 1, slices.end[i] - slices.begin[i]);
                }
                assert_memory_equal(before, after, sizeof before);
                pare_bracket_slices_done(&slices);
            }
        }
        pare_bracket_done(&tree);
    }
}

/* Each blank is a slice; looking back over all of them for each would take minutes. */
static void test_segments__many_blank_lines_cost_no_more_than_their_bytes(void **state)
{
    enum { MANY = 1 << 20 };
    unsigned char *bytes = test_malloc(MANY);
    pare_bracket_tree tree = {0};
    pare_slices slices = {0};
    (void)state;
    memset(bytes, '\n', MANY);
    bytes[MANY - 1] = ';';
    assert_int_equal(pare_bracket_build(bytes, MANY, &tree, NULL), PARE_OK);
    assert_int_equal(pare_bracket_level(&tree, 0, &slices, NULL), PARE_OK);
    assert_true(slices.n > MANY / 2);
    pare_bracket_join_segments(&slices, bytes, PARE_COMMA_AFTER);
    assert_int_equal(slices.n, 1);
    pare_bracket_slices_done(&slices);
    pare_bracket_done(&tree);
    test_free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config__follows_edits_of_units_that_touch),
        cmocka_unit_test(test_config__follows_edits_of_units_with_gaps),
        cmocka_unit_test(test_config__out_of_memory_is_clean),
        cmocka_unit_test(test_segments__take_key_group_and_comma_together),
        cmocka_unit_test(test_segments__are_statements_where_lines_or_semicolons_end),
        cmocka_unit_test(test_segments__cover_what_the_slices_covered),
        cmocka_unit_test(test_segments__many_blank_lines_cost_no_more_than_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
