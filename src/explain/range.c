/* The ends of a range, by galloping away from a size that fails and halving what is left.
 *
 * The two neighbours are asked about first.  On a side where the neighbour passes, the value is the end.
 * On the other one the steps away from the value are squared until a size passes (or the largest there is
 * fails: no end), and halving finds the end between the last two.  That is exact if what fails is one stretch
 * of sizes.  Whether it is cannot be known, so some sizes between the ends are tested, and what the caller knows
 * to pass (its hole) is looked at: one that passes between the ends, and nothing is claimed.
 *
 * Steps are squared and not doubled, so that a number without an end costs seven tests and not sixty; halving
 * pays for the gap that is larger, as often as there is an end at all.
 *
 * Invariant: `near` fails and, while halving, `far` passes.
 * Source: Bentley and Yao's unbounded search, "An almost optimal algorithm for unbounded searching", IPL
 * 5(3), 1976; squared steps and the sizes between the ends are ours.
 * Tested by tests/unit/test_range.c. */
#include "explain/range.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "explain/sampler.h"

enum {
    N_INSIDE = 6,     /* sizes between the ends that are looked at */
    MOST_REDRAWN = 8, /* draws in place of a size that was drawn before */
    /* How far beyond its value sizes without an upper end are drawn. */
    NEAR_FACTOR = 16,
    NEAR_WHOLE = 1000, /* of whole numbers */
    NEAR_COUNT = 8     /* of lengths and rounds */
};

static uint64_t largest(const pare_range *range)
{
    return pare_sampler_largest(range->kind);
}

uint64_t pare_range_lowest(const pare_range *range)
{
    return range->has_low ? range->low : 0;
}

uint64_t pare_range_highest(const pare_range *range)
{
    return range->has_high ? range->high : largest(range);
}

/* Up to where most draws go; values are below 10^18, so nothing overflows. */
static uint64_t highest_near(const pare_range *range)
{
    const uint64_t more = range->kind == PARE_PART_WHOLE ? NEAR_WHOLE : NEAR_COUNT;
    const uint64_t near = range->value * NEAR_FACTOR + more;
    const uint64_t high = pare_range_highest(range);
    return range->has_high || high < near ? high : near;
}

/* ---- draws -------------------------------------------------------------------------- */

/* The k-th of N_INSIDE sizes, far from each other, odd and even ones. k / 2 shifts each other
 * one by one more, so that not all sizes are multiples of the same step. */
static uint64_t inside(const pare_range *range, uint32_t k)
{
    const uint64_t low = pare_range_lowest(range), high = highest_near(range);
    const uint64_t at = low + (high - low) / (N_INSIDE + 1) * (k + 1) + k / 2;
    return at < high ? at : high;
}

uint64_t pare_range_draw(const pare_range *range, uint64_t seed, uint32_t k)
{
    return pare_sampler_size(seed, k, pare_range_lowest(range), highest_near(range));
}

uint32_t pare_range_n_confirming(const pare_range *range)
{
    const uint64_t between = pare_range_highest(range) - pare_range_lowest(range);
    return between < PARE_RANGE_MOST_CONFIRMING ? (uint32_t)between + 1
                                                : PARE_RANGE_MOST_CONFIRMING;
}

/* Draws all before it anew, so that nothing has to be kept: O(k^2), k being small.
 *
 * A size that was drawn before is replaced up to MOST_REDRAWN times, after which it comes
 * twice. */
uint64_t pare_range_confirming(const pare_range *range, uint64_t seed, uint32_t k)
{
    const uint64_t low = pare_range_lowest(range), high = pare_range_highest(range);
    uint64_t drawn[PARE_RANGE_MOST_CONFIRMING];
    assert(k < pare_range_n_confirming(range));
    if (high - low < PARE_RANGE_MOST_CONFIRMING) return low + k;
    for (uint32_t i = 0; i <= k; i++) {
        /* Every other size may be anywhere up to the end, those in between are near the value. */
        const uint64_t end = i % 2 ? high : highest_near(range);
        bool is_new = false;
        for (uint32_t attempt = 0; !is_new && attempt < MOST_REDRAWN; attempt++) {
            drawn[i] = pare_sampler_size(seed, i + PARE_RANGE_MOST_CONFIRMING * attempt, low, end);
            is_new = true;
            for (uint32_t j = 0; is_new && j < i; j++)
                is_new = drawn[j] != drawn[i];
        }
    }
    return drawn[k];
}

/* ---- the search --------------------------------------------------------------------- */

void pare_range_start(pare_range *range, pare_part_kind kind, uint64_t value)
{
    *range = (pare_range){.kind = kind, .value = value, .stage = PARE_RANGE_ABOVE};
}

void pare_range_note_hole(pare_range *range, uint64_t size)
{
    range->has_hole = true;
    range->hole = size;
}

/* Both ends are known.  Where there is none, every size is between them. A hole between the
 * ends refutes the range without another test. */
static pare_range_state begin_inside(pare_range *range)
{
    const uint64_t hole = range->hole;
    range->stage = PARE_RANGE_INSIDE;
    range->turn = 0;
    const bool is_between = pare_range_lowest(range) <= hole && hole <= pare_range_highest(range);
    return range->has_hole && is_between ? PARE_RANGE_NONE : PARE_RANGE_ASKS;
}

/* The end above is known.  Seeks the one below, if the neighbour there fails. has_low says that
 * the value itself is the lowest that fails, until something below it is known to fail. */
static pare_range_state begin_down(pare_range *range)
{
    range->has_low = range->value > 0; /* nothing is below 0 */
    range->low = range->value;
    if (!range->below_fails) return begin_inside(range);
    range->stage = PARE_RANGE_GALLOP_DOWN;
    range->near = range->value - 1;
    range->step = 2;
    if (range->value > 1) return PARE_RANGE_ASKS;
    range->has_low = false; /* 0 fails */
    return begin_inside(range);
}

/* Both neighbours are known.  Where both pass, the value stands alone and there is no range. */
static pare_range_state begin_up(pare_range *range)
{
    if (!range->above_fails && !range->below_fails) return PARE_RANGE_NONE;
    range->has_high = true;
    range->high = range->value;
    if (!range->above_fails) return begin_down(range);
    range->stage = PARE_RANGE_GALLOP_UP;
    range->near = range->value + 1;
    range->step = 2;
    return PARE_RANGE_ASKS;
}

/* The end above is between `near` and `far`. */
static pare_range_state halve_up(pare_range *range)
{
    range->stage = PARE_RANGE_HALVE_UP;
    if (range->far - range->near > 1) return PARE_RANGE_ASKS;
    range->high = range->near;
    return begin_down(range);
}

/* The end below is between `far` and `near`. */
static pare_range_state halve_down(pare_range *range)
{
    range->stage = PARE_RANGE_HALVE_DOWN;
    if (range->near - range->far > 1) return PARE_RANGE_ASKS;
    range->low = range->near;
    return begin_inside(range);
}

/* Squared while that fits into 64 bits; the caller cuts what is beyond the largest size. 2, 4,
 * 16, 256, 65536, 2^32, 2^62. */
static uint64_t next_step(uint64_t step)
{
    return step < UINT64_C(1) << 32 ? step * step : UINT64_C(1) << 62;
}

/* A step that passes leaves the end between it and the last one that failed; one that fails at the least or
 * largest size there is shows that there is no end on that side. */
static pare_range_state tell_gallop(pare_range *range, bool fails)
{
    const uint64_t asked = pare_range_asked(range);
    const bool is_up = range->stage == PARE_RANGE_GALLOP_UP;
    if (!fails) {
        range->far = asked;
        return is_up ? halve_up(range) : halve_down(range);
    }
    range->near = asked;
    range->step = next_step(range->step);
    if (is_up ? asked < largest(range) : asked > 0) return PARE_RANGE_ASKS;
    if (is_up) {
        range->has_high = false;
        return begin_down(range);
    }
    range->has_low = false;
    return begin_inside(range);
}

/* A step is cut at the least and the largest size there is. Halving asks for the middle of what
 * is left. */
uint64_t pare_range_asked(const pare_range *range)
{
    const uint64_t value = range->value, step = range->step, end = largest(range);
    switch (range->stage) {
    case PARE_RANGE_ABOVE: return value + 1;
    case PARE_RANGE_BELOW: return value - 1;
    case PARE_RANGE_GALLOP_UP: return end <= value || end - value > step ? value + step : end;
    case PARE_RANGE_GALLOP_DOWN: return value > step ? value - step : 0;
    case PARE_RANGE_HALVE_UP: return range->near + (range->far - range->near) / 2;
    case PARE_RANGE_HALVE_DOWN: return range->far + (range->near - range->far) / 2;
    case PARE_RANGE_INSIDE: break;
    }
    return inside(range, range->turn);
}

/* The outcome is that of pare_range_asked. Each stage leads on to the next: the neighbours, up,
 * down, inside. */
pare_range_state pare_range_tell(pare_range *range, bool fails)
{
    const uint64_t asked = pare_range_asked(range);
    switch (range->stage) {
    case PARE_RANGE_ABOVE:
        range->above_fails = fails;
        range->stage = PARE_RANGE_BELOW;
        return range->value ? PARE_RANGE_ASKS : begin_up(range);
    case PARE_RANGE_BELOW: range->below_fails = fails; return begin_up(range);
    case PARE_RANGE_GALLOP_UP:
    case PARE_RANGE_GALLOP_DOWN: return tell_gallop(range, fails);
    case PARE_RANGE_HALVE_UP: *(fails ? &range->near : &range->far) = asked; return halve_up(range);
    case PARE_RANGE_HALVE_DOWN:
        *(fails ? &range->near : &range->far) = asked;
        return halve_down(range);
    case PARE_RANGE_INSIDE: break;
    }
    if (!fails) return PARE_RANGE_NONE;
    return ++range->turn < N_INSIDE ? PARE_RANGE_ASKS : PARE_RANGE_FOUND;
}
