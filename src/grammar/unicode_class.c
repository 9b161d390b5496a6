/* All characters in a row, a stretch of them at a time, are searched for runs that match: a
 * search checks its whole text, so stretches are short.  Planes 4 to 13 hold no character and
 * are all alike: the first of their code points stands for them. */
#include "grammar/unicode_class.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/status.h"
#include "text/pattern.h"
#include "text/text.h"

enum {
    STRETCH = 0x800, /* code points; none has a border below inside */
    FIRST_SURROGATE = 0xD800,
    BEHIND_SURROGATES = 0xE000,
    FIRST_EMPTY = 0x40000,
    BEHIND_EMPTY = 0xE0000,
    LONGEST_PATTERN = 256
};

static size_t put(unsigned char *to, uint32_t code_point)
{
    size_t n = code_point < 0x80 ? 0 : code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;
    static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
    to[0] = (unsigned char)(leads[n] | code_point >> 6 * n);
    for (size_t i = 1; i <= n; i++)
        to[i] = (unsigned char)(0x80 | (code_point >> 6 * (n - i) & 0x3F));
    return n + 1;
}

/* The code points of a stretch, and where each begins in their text. */
struct stretch {
    uint32_t first;
    size_t at[STRETCH + 1];
    unsigned char bytes[STRETCH * 4];
};

static void fill(struct stretch *stretch, uint32_t first)
{
    size_t size = 0;
    stretch->first = first;
    for (uint32_t i = 0; i < STRETCH; i++) {
        stretch->at[i] = size;
        size += put(stretch->bytes + size, first + i);
    }
    stretch->at[STRETCH] = size;
}

/* The last code point of the empty planes, where `code_point` is the one that stands for them. */
static uint32_t last_alike(uint32_t code_point)
{
    return code_point == FIRST_EMPTY ? BEHIND_EMPTY - 1 : code_point;
}

/* Adds the runs of the stretch that match.  In the empty planes only the first one is asked. */
static pare_status add_runs(const pare_pattern *pattern, const struct stretch *stretch,
                            pare_intervals *set, pare_error *err)
{
    size_t n = stretch->first == FIRST_EMPTY ? 1 : STRETCH;
    pare_span text = {stretch->bytes, stretch->at[n]};
    pare_stretch run = {0, 0};
    bool found = true;
    pare_status status = PARE_OK;
    for (uint32_t from = 0, to; !status && found;) {
        status = pare_pattern_find(pattern, text, run.to, &found, &run, err);
        if (status || !found) break;
        while (stretch->at[from] < run.from)
            from++;
        for (to = from; stretch->at[to] < run.to;)
            to++;
        status = pare_intervals_add(set, stretch->first + from, last_alike(stretch->first + to - 1),
                                    err);
        from = to;
        found = run.to < text.size;
    }
    return status;
}

static uint32_t next_stretch(uint32_t first)
{
    if (first == FIRST_EMPTY) return BEHIND_EMPTY;
    return first + STRETCH == FIRST_SURROGATE ? BEHIND_SURROGATES : first + STRETCH;
}

static pare_status add_all(const pare_pattern *pattern, pare_intervals *set, pare_error *err)
{
    struct stretch *stretch = pare_alloc(1, sizeof *stretch);
    pare_status status = stretch ? PARE_OK : pare_fail_nomem(err);
    for (uint32_t at = 0; !status && at <= PARE_LAST_CODE_POINT; at = next_stretch(at)) {
        fill(stretch, at);
        status = add_runs(pattern, stretch, set, err);
    }
    pare_release(stretch);
    return status;
}

pare_status pare_unicode_class(const char *pattern, pare_intervals *set, bool *known,
                               pare_error *err)
{
    char regex[LONGEST_PATTERN];
    pare_pattern *runs = NULL;
    pare_error why = {.status = PARE_OK};
    int size = snprintf(regex, sizeof regex, "(*UTF)(?:%s)+", pattern);
    *known = false;
    if (size < 0 || size >= LONGEST_PATTERN) return PARE_OK;
    pare_status status = pare_pattern_new(regex, &runs, &why);
    if (status) return status == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
    *known = true;
    status = add_all(runs, set, err);
    pare_pattern_free(runs);
    if (!status) pare_intervals_normalise(set);
    return status;
}
