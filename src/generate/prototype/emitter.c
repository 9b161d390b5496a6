/* Weighted choices, numbers and insertions of a walk.
 *
 * Weights of constant tables are bytes: one random word is scaled to their sum, and the running
 * sum says which one it is; in a replay the answer is an index as of any other choice, so that
 * lists of choices mean the same whatever the weights are.  Random numbers are drawn as
 * pare_choices_weighted draws them, recorded or not: the same seed gives the same text. */
#include "generate/prototype/emitter.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

enum { MAX_WEIGHTS = 64 };

/* With one answer there is no choice to record or to draw: a list is no longer than it has to
 * be. */
uint32_t pare_emitter_weighted(pare_emitter *emitter, const double *weights, uint32_t n)
{
    uint32_t branch = 0;
    if (emitter->status || n < 2) return 0;
    emitter->status = pare_choices_weighted(emitter->choices, weights, n, &branch, emitter->err);
    return emitter->status ? 0 : branch;
}

/* The same loop as that of pare_choices_weighted, over bytes and without a record: a walk makes
 * some hundred of these choices, and 50,000 walks are to take less than a second. */
uint32_t pare_emitter_weigh(pare_emitter *emitter, const uint8_t *weights, uint32_t n)
{
    double wide[MAX_WEIGHTS];
    assert(n <= MAX_WEIGHTS);
    if (!pare_choices_are_plain(emitter->choices)) {
        for (uint32_t i = 0; i < n; i++)
            wide[i] = weights[i];
        return pare_emitter_weighted(emitter, wide, n);
    }
    if (emitter->status || n < 2) return 0;
    uint32_t total = 0, i = 0;
    for (uint32_t k = 0; k < n; k++)
        total += weights[k];
    /* It counts as a choice, as the recorded one does: limits go by that. */
    emitter->choices->n++;
    double at = pare_choices_unit(pare_random_next(&emitter->choices->normal)) * total;
    for (; i + 1 < n && at >= weights[i]; i++)
        at -= weights[i];
    return i;
}

/* 64 bits have at most 19 digits and a sign. */
void pare_emitter_integer(pare_emitter *emitter, int64_t number)
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%" PRId64, number);
    pare_emitter_bytes(emitter, digits, (size_t)size);
}

/* Quadratic where it is done often; a text gets some parentheses this way, when what stands in
 * front of them has been written. */
void pare_emitter_insert(pare_emitter *emitter, size_t at, const char *bytes)
{
    pare_buffer *text = emitter->text;
    size_t size = strlen(bytes), rest = text->size - at;
    if (emitter->status) return;
    assert(at <= text->size);
    pare_emitter_bytes(emitter, bytes, size);
    if (emitter->status) return;
    memmove(text->data + at + size, text->data + at, rest);
    memcpy(text->data + at, bytes, size);
}
