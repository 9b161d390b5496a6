/* What of an original is left in a result: the tokens of the result, found in the original in as
 * few runs as possible, then equal bytes between the runs; by lines where that is too much
 * (text/embed.h).
 *
 * A reduction does not note where its bytes came from, because a journal may be resumed and a
 * token rewritten: the two texts alone decide, so the same texts give the same runs.
 * Cost: the number of pairs of equal tokens, which is bounded. */
#include <pare/survivors.h>

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "text/diff.h"
#include "text/embed.h"
#include "text/split/split.h"
#include "text/text.h"

/* Steps of pare_embed.  Bytes come second and are a matter of detail. */
static const uint64_t TOKEN_BUDGET = UINT64_C(1500) << 20, BYTE_BUDGET = UINT64_C(200) << 20;
enum { MOST_TOKEN_BYTES = 8 << 20 }; /* of a result that is compared by tokens */

/* A stretch of both texts. */
struct stretch {
    pare_span original, result;
    size_t original_at, result_at;
};

/* The runs so far. */
struct found {
    pare_survivors survivors;
    size_t capacity;
    uint64_t byte_budget;
};

/* An all-zero struct may be ended, too. */
void pare_survivors_done(pare_survivors *survivors)
{
    pare_alloc_free(survivors->runs);
    *survivors = (pare_survivors){.n_runs = 0};
}

/* Appends a run, or prolongs the last one. */
static pare_status add(struct found *found, size_t original_at, size_t result_at, size_t size,
                       pare_error *err)
{
    pare_survivors *all = &found->survivors;
    pare_survivor *last = all->n_runs ? &all->runs[all->n_runs - 1] : NULL;
    assert(size > 0 && (!last || (last->original_at + last->size <= original_at &&
                                  last->result_at + last->size <= result_at)));
    all->n_bytes += size;
    /* A run by bytes may meet one by tokens in both texts: then they are one. */
    if (last && last->original_at + last->size == original_at &&
        last->result_at + last->size == result_at) {
        last->size += size;
        return PARE_OK;
    }
    pare_survivor *runs = pare_vector_grow(all->runs, all->n_runs, &found->capacity, sizeof *runs);
    if (!runs) return pare_fail_nomem(err);
    all->runs = runs;
    runs[all->n_runs++] = (pare_survivor){original_at, result_at, size};
    return PARE_OK;
}

/* Adds what is left of the stretch by bytes, as far as the budget goes. */
static pare_status add_bytes(struct found *found, const struct stretch *stretch, pare_error *err)
{
    /* Nothing was between, in one of the texts. */
    if (!stretch->original.size || !stretch->result.size) return PARE_OK;
    pare_embed_task task = {
        .old = stretch->original, .new = stretch->result, .splitter = pare_splitter_find("byte")};
    pare_embedding embedding = {0};
    pare_error failure = {0};
    pare_status status = pare_embed(&task, &found->byte_budget, &embedding, &failure);
    /* Too much to compare: what is left of this stretch is taken to be new. */
    if (status == PARE_E_LIMIT) return PARE_OK;
    /* What else can fail there is memory. */
    if (status) return pare_fail_nomem(err);
    for (size_t i = 0; !status && i < embedding.n; i++)
        status = add(found, stretch->original_at + embedding.runs[i].old_at,
                     stretch->result_at + embedding.runs[i].new_at, embedding.runs[i].size, err);
    pare_embedding_done(&embedding);
    return status;
}

/* The stretches of both texts between two runs of tokens; NULL: the begin, or the end, of the
 * texts. */
static struct stretch between(pare_span original, pare_span result, const pare_embed_run *before,
                              const pare_embed_run *after)
{
    size_t original_at = before ? before->old_at + before->size : 0;
    size_t result_at = before ? before->new_at + before->size : 0;
    size_t original_end = after ? after->old_at : original.size;
    size_t result_end = after ? after->new_at : result.size;
    assert(original_at <= original_end && result_at <= result_end);
    return (struct stretch){
        .original = {original.bytes + original_at, original_end - original_at},
        .result = {result.bytes + result_at, result_end - result_at},
        .original_at = original_at,
        .result_at = result_at,
    };
}

/* By tokens, and by bytes between their runs. */
static pare_status find_tokens(struct found *found, pare_span original, pare_span result,
                               pare_error *err)
{
    pare_embed_task task = {.old = original,
                            .new = result,
                            .splitter = pare_splitter_find("token"),
                            /* A whole word says more about where a text comes from than a comma
                             * does. */
                            .weights = PARE_EMBED_WORDS};
    pare_embedding tokens = {0};
    uint64_t budget = TOKEN_BUDGET;
    pare_status status = pare_embed(&task, &budget, &tokens, err);
    /* One turn more than there are runs: for the stretch after the last. */
    for (size_t i = 0; !status && i <= tokens.n; i++) {
        const pare_embed_run *run = i < tokens.n ? &tokens.runs[i] : NULL;
        struct stretch stretch = between(original, result, i ? &tokens.runs[i - 1] : NULL, run);
        status = add_bytes(found, &stretch, err);
        if (!status && run) status = add(found, run->old_at, run->new_at, run->size, err);
    }
    pare_embedding_done(&tokens);
    return status;
}

/* Where tokens would take too long: the lines that both have, by text/diff.h. */
static pare_status find_lines(struct found *found, pare_span original, pare_span result,
                              pare_error *err)
{
    pare_bounds old_bounds = {0}, new_bounds = {0};
    pare_sequence old = {original, &old_bounds}, new = {result, &new_bounds};
    pare_diff diff = {0};
    const pare_splitter *line = pare_splitter_find("line");
    pare_status status = line->split(original.bytes, original.size, &old_bounds, err);
    if (!status) status = line->split(result.bytes, result.size, &new_bounds, err);
    if (!status) status = pare_diff_make(&old, &new, 0, &diff, err);
    for (size_t i = 0; !status && i < diff.n_runs; i++) {
        const pare_diff_run *run = &diff.runs[i];
        size_t begin = pare_split_bounds_begin(&old_bounds, run->old_at);
        /* Lines that only one of the texts has. */
        if (run->side != PARE_DIFF_COMMON) continue;
        status = add(found, begin, pare_split_bounds_begin(&new_bounds, run->new_at),
                     pare_split_bounds_begin(&old_bounds, run->old_at + run->n) - begin, err);
    }
    pare_diff_done(&diff);
    pare_split_bounds_done(&new_bounds);
    pare_split_bounds_done(&old_bounds);
    return status;
}

/* Tokens are tried where they can be afforded, lines where that has failed for its cost; an
 * empty text has nothing in common with any. */
pare_status pare_survivors_find(const void *original, size_t original_bytes, const void *result,
                                size_t result_bytes, pare_survivors *out, pare_error *err)
{
    pare_span old = {original, original_bytes}, new = {result, result_bytes};
    struct found found = {.byte_budget = BYTE_BUDGET};
    pare_error failure = {0};
    if (original_bytes > PARE_TEXT_MAX_BYTES || result_bytes > PARE_TEXT_MAX_BYTES)
        return pare_fail(err, PARE_E_LIMIT, "a text of 4 GiB or more cannot be compared");
    if (!original_bytes || !result_bytes) return PARE_OK;
    pare_status status = PARE_E_LIMIT;
    if (result_bytes <= MOST_TOKEN_BYTES) status = find_tokens(&found, old, new, &failure);
    if (status == PARE_E_LIMIT) {
        pare_fail_clear(&failure);
        status = find_lines(&found, old, new, &failure);
    }
    if (status) {
        pare_survivors_done(&found.survivors);
        return pare_fail(err, status, "%s", failure.message);
    }
    assert(found.survivors.n_bytes <= original_bytes && found.survivors.n_bytes <= result_bytes);
    *out = found.survivors;
    return PARE_OK;
}
