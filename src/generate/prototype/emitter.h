/* The tools of a walk: the source of choices, the text, and the first error.
 *
 * A walk is many small functions, of which each asks for a choice or two and appends a few
 * bytes.  So an error sticks: afterwards every answer is 0, nothing is appended, and the walk ends
 * as it does for a list of zeros; its caller looks at `status` once.  One thread. */
#ifndef PARE_GENERATE_PROTOTYPE_EMITTER_H
#define PARE_GENERATE_PROTOTYPE_EMITTER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "base/random.h"
#include "reduce/choice/choices.h"

typedef struct pare_emitter {
    pare_choices *choices; /* borrowed, as all of it */
    pare_buffer *text;
    pare_error *err;
    pare_status status;
} pare_emitter;

/* Labels of spans, apart from those of grammars; those of expressions of a type are
 * PARE_EMITTER_TYPE and the type. */
enum {
    PARE_EMITTER_STATEMENT = 0x20000000,
    PARE_EMITTER_STEP,
    PARE_EMITTER_ARGUMENT,
    PARE_EMITTER_VALUE,
    PARE_EMITTER_NUMBER,
    PARE_EMITTER_STRING,
    PARE_EMITTER_PATTERN,
    PARE_EMITTER_ELEMENT,
    PARE_EMITTER_TYPE = 0x21000000
};

/* One of `n` (1 ..); the first is the simplest. */
static inline uint32_t pare_emitter_pick(pare_emitter *emitter, uint32_t n)
{
    uint64_t index = 0;
    if (emitter->status || n < 2) return 0;
    if (pare_choices_are_plain(emitter->choices)) {
        emitter->choices->n++;
        return (uint32_t)pare_random_below(&emitter->choices->normal, n);
    }
    emitter->status =
        pare_choices_next(emitter->choices, PARE_CHOICE_BRANCH, n, &index, emitter->err);
    return emitter->status ? 0 : (uint32_t)index;
}

/* One of `n`, in proportion to `weights`, which are small integers. */
uint32_t pare_emitter_weigh(pare_emitter *emitter, const uint8_t *weights, uint32_t n);

/* The same with any weights, as pare_choices_weighted. */
uint32_t pare_emitter_weighted(pare_emitter *emitter, const double *weights, uint32_t n);

/* Whether something happens that has a chance of `percent`; it does not for a 0. */
static inline bool pare_emitter_chance(pare_emitter *emitter, uint32_t percent)
{
    const uint8_t weights[2] = {(uint8_t)(100 - percent), (uint8_t)percent};
    return pare_emitter_weigh(emitter, weights, 2) == 1;
}

/* low .. high, `low` is the simplest. */
static inline uint32_t pare_emitter_size(pare_emitter *emitter, uint32_t low, uint32_t high)
{
    return low + pare_emitter_pick(emitter, high - low + 1);
}

static inline void pare_emitter_bytes(pare_emitter *emitter, const char *bytes, size_t size)
{
    pare_buffer *text = emitter->text;
    if (emitter->status) return;
    if (text->capacity - text->size <= size) {
        emitter->status = pare_buffer_add(text, bytes, size, emitter->err);
        return;
    }
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

static inline void pare_emitter_text(pare_emitter *emitter, const char *text)
{
    pare_emitter_bytes(emitter, text, strlen(text));
}

/* Appends one of `n` texts. */
static inline void pare_emitter_one_of(pare_emitter *emitter, const char *const *texts, uint32_t n)
{
    pare_emitter_text(emitter, texts[pare_emitter_pick(emitter, n)]);
}

/* An integer in decimal. */
void pare_emitter_integer(pare_emitter *emitter, int64_t number);

/* Puts `bytes` in before place `at` of the text. */
void pare_emitter_insert(pare_emitter *emitter, size_t at, const char *bytes);

/* Opens a span, and closes the one opened last. */
static inline void pare_emitter_open(pare_emitter *emitter, uint32_t label)
{
    if (emitter->status || !pare_choices_have_spans(emitter->choices)) return;
    emitter->status = pare_choices_open(emitter->choices, label, emitter->err);
}

static inline void pare_emitter_close(pare_emitter *emitter)
{
    if (!emitter->status) pare_choices_close(emitter->choices);
}

#endif
