/* Algorithms of the user's: ddmin over <pare/strategy.h> beside ours, step by step; what is refused;
 * copies; allocation. */
/* tests: src/session/plan/own_phase.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/reduce.h>
#include <pare/reduce_list.h>
#include <pare/strategy.h>

#include "alloc_sweep.h"
#include "base/buffer.h"
#include "reduce/list/config.h"
#include "reduce/list/own_strategy.h"

enum { MOST_UNITS = 256 };

/* ---- ddmin ---------------------------------------------------------------------------- */

/* Of the n units left `parts` parts; trial `at` keeps one of them, or from `parts` on all others. */
struct ddmin {
    size_t n, parts, at, n_kept;
    size_t units[MOST_UNITS], next[MOST_UNITS];
    pare_unit_range kept[MOST_UNITS];
};

static pare_status ddmin_start(void *context, const pare_units *units, void **state,
                               pare_error *err)
{
    struct ddmin *self = calloc(1, sizeof *self);
    (void)context, (void)err;
    assert_non_null(self);
    assert_true(units->n <= MOST_UNITS);
    self->n = units->n;
    self->parts = 2;
    for (size_t i = 0; i < units->n; i++)
        self->units[i] = i;
    *state = self;
    return PARE_OK;
}

/* The rest is divided evenly: short parts come first. */
static size_t bound(const struct ddmin *self, size_t part)
{
    size_t at = 0;
    for (size_t k = 0; k < part; k++)
        at += (self->n - at) / (self->parts - k);
    return at;
}

static pare_status ddmin_next(void *state, bool *done, pare_proposal *proposal, pare_error *err)
{
    struct ddmin *self = state;
    const size_t part = self->at % self->parts;
    const size_t from = bound(self, part), to = bound(self, part + 1);
    (void)err;
    self->n_kept = 0;
    for (size_t i = 0; i < self->n; i++) {
        if ((i >= from && i < to) != (self->at < self->parts)) continue;
        self->next[self->n_kept] = self->units[i];
        self->kept[self->n_kept++] = (pare_unit_range){self->units[i], self->units[i] + 1};
    }
    *done = self->n < 2;
    *proposal = (pare_proposal){.kept = self->kept, .n_kept = self->n_kept};
    return PARE_OK;
}

static pare_status ddmin_tell(void *state, pare_outcome outcome, pare_error *err)
{
    struct ddmin *self = state;
    (void)err;
    if (outcome == PARE_FAIL) {
        self->parts = self->at < self->parts || self->parts < 3 ? 2 : self->parts - 1;
        self->n = self->n_kept;
        memcpy(self->units, self->next, sizeof self->units);
        self->at = 0;
    } else if (++self->at == 2 * self->parts) {
        const bool is_last = self->parts == self->n;
        self->parts = 2 * self->parts < self->n ? 2 * self->parts : self->n;
        if (is_last) self->n = 0;
        self->at = 0;
    }
    return PARE_OK;
}

static pare_status ddmin_copy(const void *state, void **copy, pare_error *err)
{
    struct ddmin *other = malloc(sizeof *other);
    (void)err;
    assert_non_null(other);
    memcpy(other, state, sizeof *other);
    *copy = other;
    return PARE_OK;
}

static const pare_own_strategy ddmin = {
    .start = ddmin_start, .next = ddmin_next, .tell = ddmin_tell, .copy = ddmin_copy, .end = free};

/* ---- beside ours ---------------------------------------------------------------------- */

/* What the predicate has seen, each with a line end; and what a failure needs. */
struct log {
    pare_buffer seen;
    const char *needed;
};

static pare_outcome needs_all(void *context, const void *bytes, size_t size)
{
    struct log *log = context;
    assert_int_equal(pare_buffer_add(&log->seen, bytes, size, NULL), PARE_OK);
    assert_int_equal(pare_buffer_text(&log->seen, "\n", NULL), PARE_OK);
    for (const char *at = log->needed; *at; at++)
        if (!size || !memchr(bytes, *at, size)) return PARE_PASS;
    return PARE_FAIL;
}

static void reduce_by(const char *input, const char *algorithms, const pare_own_strategy *own,
                      struct log *log, pare_result *result)
{
    pare_error err = {0};
    pare_reduce_options options = {.input = {.bytes = input, .size_bytes = strlen(input)},
                                   .test = {.predicate = needs_all, .context = log},
                                   .algorithms = algorithms,
                                   .units = "char",
                                   .limits.cache = PARE_OFF,
                                   .strategy = own};
    *result = (pare_result){0};
    if (pare_reduce(&options, result, &err)) fail_msg("%s", err.message);
}

static void test_own_strategy__ddmin_takes_the_steps_of_ours(void **state)
{
    static const char *const cases[][2] = {
        {"abcdefghijklmnopqrstuvwxyz", "q"},        {"abcdefghijklmnopqrstuvwxyz", "bqz"},
        {"SELECT NAME=\"priority\" SIZE=7>", "S>"}, {"xy", "xy"},
        {"(((((((a)))))))[[[[b]]]]", "(a)[]"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct log ours = {.needed = cases[k][1]}, own = {.needed = cases[k][1]};
        pare_result a, b;
        reduce_by(cases[k][0], "ddmin", NULL, &ours, &a);
        reduce_by(cases[k][0], NULL, &ddmin, &own, &b);
        assert_int_equal(ours.seen.size, own.seen.size);
        assert_memory_equal(ours.seen.data, own.seen.data, own.seen.size);
        assert_int_equal(a.size_bytes, b.size_bytes);
        assert_memory_equal(a.bytes, b.bytes, b.size_bytes);
        pare_result_done(&a);
        pare_result_done(&b);
        pare_buffer_done(&ours.seen);
        pare_buffer_done(&own.seen);
    }
}

static pare_outcome needs_7_and_40(void *context, const uint32_t *indices, size_t n)
{
    unsigned found = 0;
    (void)context;
    for (size_t i = 0; i < n; i++)
        found += indices[i] == 7 || indices[i] == 40;
    return found == 2 ? PARE_FAIL : PARE_PASS;
}

static void test_own_strategy__reduces_lists(void **state)
{
    pare_error err = {0};
    uint32_t *kept = NULL;
    size_t n = 0;
    (void)state;
    pare_reduce_options options = {.strategy = &ddmin};
    if (pare_reduce_list(100, needs_7_and_40, NULL, &options, &kept, &n, &err))
        fail_msg("%s", err.message);
    assert_int_equal(n, 2);
    assert_int_equal(kept[0], 7);
    assert_int_equal(kept[1], 40);
    pare_list_free(kept);
}

/* ---- what is refused ------------------------------------------------------------------ */

static pare_unit_range wrong[2];
static size_t n_wrong;

static pare_status propose_wrong(void *state, bool *done, pare_proposal *proposal, pare_error *err)
{
    (void)state, (void)err;
    *done = false;
    *proposal = (pare_proposal){.kept = wrong, .n_kept = n_wrong};
    return PARE_OK;
}

static pare_status fail_silently(void *state, bool *done, pare_proposal *proposal, pare_error *err)
{
    (void)state, (void)err, (void)done, (void)proposal;
    return PARE_E_STATE;
}

static void refuses(const pare_own_strategy *own, pare_status wanted, const char *said)
{
    struct log log = {.needed = "a"};
    pare_error err = {0};
    pare_result result = {0};
    pare_reduce_options options = {.input = {.bytes = "abc", .size_bytes = 3},
                                   .test = {.predicate = needs_all, .context = &log},
                                   .units = "char",
                                   .strategy = own};
    assert_int_equal(pare_reduce(&options, &result, &err), wanted);
    if (!strstr(err.message, said)) fail_msg("'%s' is not in: %s", said, err.message);
    assert_int_equal(result.size_bytes, 3); /* the input is the best */
    pare_result_done(&result);
    pare_buffer_done(&log.seen);
}

static void test_own_strategy__refuses_ranges_that_make_no_sense(void **state)
{
    pare_own_strategy own = ddmin;
    (void)state;
    own.next = propose_wrong;
    own.copy = NULL;
    const pare_unit_range cases[][2] = {{{0, 4}, {0, 0}}, {{2, 1}, {0, 0}},
                                        {{1, 1}, {0, 0}}, {{1, 2}, {0, 1}},
                                        {{0, 2}, {1, 3}}, {{3, SIZE_MAX}, {0, 0}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        memcpy(wrong, cases[k], sizeof wrong);
        n_wrong = cases[k][1].to ? 2 : 1;
        refuses(&own, PARE_E_SYNTAX, "the strategy keeps the units");
    }
}

static void test_own_strategy__names_a_function_that_fails_without_a_word(void **state)
{
    pare_own_strategy own = ddmin;
    (void)state;
    own.next = fail_silently;
    refuses(&own, PARE_E_STATE, "the strategy's function 'next' failed");
}

static void test_own_strategy__is_refused_beside_named_algorithms(void **state)
{
    pare_error err = {0};
    pare_result result = {0};
    pare_reduce_options options = {.input = {.bytes = "abc", .size_bytes = 3},
                                   .test = {.predicate = needs_all},
                                   .algorithms = "ddmin",
                                   .strategy = &ddmin};
    (void)state;
    assert_int_equal(pare_reduce(&options, &result, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "give either"));
    options.algorithms = NULL;
    err = (pare_error){0};
    options.units = "bracket";
    assert_int_equal(pare_reduce(&options, &result, &err), PARE_E_ARG);
    if (!strstr(err.message, "bracket")) fail_msg("%s", err.message);
    const pare_own_strategy nothing = {0};
    options.units = NULL;
    err = (pare_error){0};
    options.strategy = &nothing;
    struct log log = {.needed = "a"};
    options.test.context = &log;
    assert_int_equal(pare_reduce(&options, &result, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "'start', 'next' and 'tell'"));
    pare_buffer_done(&log.seen);
    pare_result_done(&result);
}

/* ---- the strategy by itself ----------------------------------------------------------- */

/* Units "b" and "cd" of "abxcdy", of which the file is "abxcd". */
static pare_status start_gapped(pare_strategy **out, pare_error *err)
{
    pare_text *text = NULL;
    pare_unit_list *units = NULL;
    pare_status status = pare_text_copy("abxcdy", 6, &text, err);
    uint32_t *at = status ? NULL : pare_alloc(4, sizeof *at);
    if (!status && !at) status = pare_fail_nomem(err);
    if (!status) {
        memcpy(at, (uint32_t[]){1, 3, 2, 5}, 4 * sizeof *at);
        pare_slices slices = {.begin = at, .end = at + 2, .n = 2};
        status = pare_config_units_gapped(&slices, &units, err);
        if (status) pare_alloc_free(at);
    }
    const pare_own_start start = {.text = text, .begin = 0, .end = 5, .units = units};
    if (!status) status = pare_own_strategy_new(&ddmin, &start, out, err);
    pare_config_units_unref(units);
    pare_text_unref(text);
    return status;
}

static void expect_next(pare_strategy *strategy, const char *wanted)
{
    char bytes[16] = {0};
    pare_next what = PARE_NEXT_DONE;
    pare_candidate candidate = {0};
    assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
    assert_int_equal(what, PARE_NEXT_TEST);
    assert_true(candidate.size < sizeof bytes);
    pare_candidate_read(&candidate, bytes);
    assert_string_equal(bytes, wanted);
    pare_candidate_done(&candidate);
}

static void test_own_strategy__keeps_what_belongs_to_no_unit_and_copies(void **state)
{
    pare_strategy *strategy = NULL, *copy = NULL;
    (void)state;
    assert_int_equal(start_gapped(&strategy, NULL), PARE_OK);
    assert_false(strategy->alone);
    expect_next(strategy, "abxy");
    expect_next(strategy, "abxy");
    assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
    assert_int_equal(copy->ops->tell(copy, PARE_PASS, NULL), PARE_OK);
    expect_next(copy, "axcdy");
    expect_next(strategy, "abxy");
    assert_int_equal(strategy->ops->tell(strategy, PARE_PASS, NULL), PARE_OK);
    expect_next(strategy, "axcdy");
    pare_strategy_free(strategy);
    pare_strategy_free(copy);
}

static pare_status start_and_copy(void *context)
{
    pare_strategy *strategy = NULL, *copy = NULL;
    pare_candidate candidate = {0};
    pare_next what = PARE_NEXT_DONE;
    (void)context;
    pare_status status = start_gapped(&strategy, NULL);
    if (!status) status = strategy->ops->next(strategy, &what, &candidate, NULL);
    if (!status) status = strategy->ops->copy(strategy, &copy, NULL);
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    pare_strategy_free(copy);
    return status;
}

static void test_own_strategy__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(start_and_copy, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_strategy__ddmin_takes_the_steps_of_ours),
        cmocka_unit_test(test_own_strategy__reduces_lists),
        cmocka_unit_test(test_own_strategy__refuses_ranges_that_make_no_sense),
        cmocka_unit_test(test_own_strategy__names_a_function_that_fails_without_a_word),
        cmocka_unit_test(test_own_strategy__is_refused_beside_named_algorithms),
        cmocka_unit_test(test_own_strategy__keeps_what_belongs_to_no_unit_and_copies),
        cmocka_unit_test(test_own_strategy__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
