/* pare_reduce_list: reducing a list by the algorithms for texts.
 *
 * A list of n elements is the text of their indices, 4 bytes each as they lie in memory, and one
 * unit each; the bytes of a candidate are the array of the indices that it keeps, which is what
 * the predicate is given.  So there is one engine, one cache and one kind of candidate for both.
 * Cost: 4 bytes an element, besides the units. */
#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/reduce_list.h>
#include <pare/result.h>

#include "base/alloc.h"

#include <assert.h>
#include "base/buffer.h"
#include "base/fail.h"
#include "session/plan/plan.h"
#include "session/reduction.h"
#include "text/split/split.h"
#include "text/text.h"

/* An index as it lies in memory. Indices are no larger than 2^30, which the text's own bound of
 * bytes ensures. */
enum { ELEMENT_BYTES = sizeof(uint32_t) };

/* The context of the predicate over bytes that stands in for the one over elements. */
struct list_test {
    pare_list_predicate predicate;
    void *context; /* the caller's */
};

/* The caller's predicate over elements, as the predicate over bytes that the engine runs. */
static pare_outcome test_bytes(void *context, const void *bytes, size_t size)
{
    const struct list_test *test = context;
    assert(size % ELEMENT_BYTES == 0 && "units are whole elements");
    return test->predicate(test->context, bytes, size / ELEMENT_BYTES);
}

/* Cuts at multiples of the element's size. */
static pare_status split_elements(const unsigned char *bytes, size_t size, pare_bounds *out,
                                  pare_error *err)
{
    size_t n = size / ELEMENT_BYTES;
    /* Bounds are the beginnings of the units, and the end of the last. */
    uint32_t *at = pare_alloc(n + 1, sizeof *at);
    (void)bytes;
    if (!at) return pare_fail_nomem(err);
    for (size_t i = 0; i <= n; i++)
        at[i] = (uint32_t)(i * ELEMENT_BYTES);
    *out = (pare_bounds){.at = at, .n = n};
    return PARE_OK;
}

static const pare_splitter elements = {
    .info = {.name = "element", .summary = "elements of the caller's list"},
    .split = split_elements};

/* Every phase of the algorithms once, over elements. */
static pare_status make_plan(const pare_reduce_options *options, pare_plan *plan, pare_error *err)
{
    pare_status status = pare_reduction_make_plan(options, "byte", plan, err);
    /* Refused by name, and not by what would come of it: a tree of indices. */
    if (!status && pare_plan_has_trees(plan))
        status = pare_fail(err, PARE_E_ARG, "a list has no tree: name list algorithms only");
    if (!status && pare_plan_has_choices(plan))
        status = pare_fail(err, PARE_E_ARG, "a list has no choices: name list algorithms only");
    /* The plan was made for bytes, which have no structure either; only what a unit is differs. */
    for (size_t i = 0; !status && i < plan->n_phases; i++)
        plan->phases[i].splitter = &elements;
    return status;
}

/* Refuses what means nothing for a list, instead of ignoring it. */
static pare_status check_options(const pare_reduce_options *options, pare_error *err)
{
    /* An option that is ignored is believed to do something. */
    if (options->input.path || options->input.bytes)
        return pare_fail(err, PARE_E_ARG, "the input of a list is the list: leave it out");
    if (options->units)
        return pare_fail(err, PARE_E_ARG, "the units of a list are its elements: leave them out");
    if (options->test.command || options->test.worker || options->test.predicate)
        return pare_fail(err, PARE_E_ARG,
                         "the test of a list is the predicate over its elements: leave the "
                         "other one out");
    return PARE_OK;
}

/* The text of the list: its indices, ascending. */
static pare_status make_indices(size_t n, pare_text **out, pare_error *err)
{
    if (n == 0)
        return pare_fail(err, PARE_E_STATE, "the list is empty: there is nothing to reduce");
    if (n > PARE_TEXT_MAX_BYTES / ELEMENT_BYTES)
        return pare_fail(err, PARE_E_LIMIT, "%zu elements are more than 2^30 - 1", n);
    pare_buffer bytes = {0};
    pare_status status = pare_buffer_reserve(&bytes, n * ELEMENT_BYTES, err);
    for (uint32_t i = 0; !status && i < n; i++)
        status = pare_buffer_add(&bytes, &i, sizeof i, err);
    if (!status) status = pare_text_take(&bytes, out, err);
    pare_buffer_done(&bytes);
    return status;
}

/* The options that mean something for a list. */
static pare_reduce_options for_list(const pare_reduce_options *options, struct list_test *test)
{
    return (pare_reduce_options){.test.predicate = test_bytes,
                                 .test.context = test,
                                 .lists = options->lists,
                                 .limits = options->limits,
                                 .events = options->events,
                                 .strategy = options->strategy,
                                 .strategy_command = options->strategy_command};
}

/* Reduces the text of the indices; the bytes of the result are the array that the caller gets. */
static pare_status reduce_elements(size_t n, struct list_test *test,
                                   const pare_reduce_options *options, uint32_t **kept,
                                   size_t *n_kept, pare_error *err)
{
    pare_reduce_options used = for_list(options, test);
    pare_result result = {.check_exit_code = -1};
    pare_plan plan;
    pare_reduction_task reduction = {.options = &used, .plan = &plan};
    if (!test->predicate) return pare_fail(err, PARE_E_ARG, "there is no predicate");
    pare_status status = check_options(options, err);
    if (!status) status = make_plan(options, &plan, err);
    if (!status) status = make_indices(n, &reduction.text, err);
    if (!status) status = pare_reduction_run(&reduction, &result, err);
    if (!status) {
        *kept = (uint32_t *)(void *)result.bytes; /* allocated, so aligned for any type */
        *n_kept = result.size_bytes / ELEMENT_BYTES;
        result.bytes = NULL;
    }
    pare_text_unref(reduction.text);
    pare_result_done(&result);
    return status;
}

/* The options of a caller that was compiled with another version are read first; what they hold
 * is checked by reduce_elements. */
pare_status pare_reduce_list_sized(size_t n, pare_list_predicate predicate, void *context,
                                   const pare_reduce_options *options, size_t options_bytes,
                                   uint32_t **kept, size_t *n_kept, pare_error *err)
{
    pare_reduce_options own;
    struct list_test test = {.predicate = predicate, .context = context};
    pare_status status = pare_reduction_take_options(options, options_bytes, &own, err);
    return status ? status : reduce_elements(n, &test, &own, kept, n_kept, err);
}

/* The array was allocated by our allocator, which the caller's need not be. */
void pare_list_free(uint32_t *kept)
{
    pare_alloc_free(kept);
}
