/* Layouts that nobody has listed, from lengths that balance.
 *
 * Of a chain of lengths only three things matter: how a length is written, how much lies between two
 * of them beside what the first one says (`bias`), and to which multiple chunks are filled up.  So all
 * such choices are tried, from each of the first places of the range.  What stands before a length need
 * not be guessed: the chain passes the end of the range by as much, if it is one.
 *
 * A chain that ends so is weighed in bits, as for a code: lengths that are small, the end that is hit,
 * a number of chunks that stands before the first one, and the bytes around the lengths, which are alike
 * from chunk to chunk (an adaptive code, against the frequencies of all bytes of the range).  Against
 * that stands how many chains were tried.
 *
 * Chains that begin at a wrong place meet the right one soon, where lengths are of one byte, and the
 * chunks in the first one lead to the second one.  So of two that meet the one that begins first is
 * taken if its first chunks go with the others; of two that do not meet the one that begins first,
 * since the other may be in it.
 * A place that leads nowhere leads nowhere for each chain of the same choice; most chains end at one that
 * was met before.
 * Cost: O(choices * (places + chunks)) for chains that lead nowhere, O(choices * places * chunks) for
 * others, bounded by `steps`; choices that take a step a byte or so are left out of large ranges.
 * Source: ours; adaptive codes with an escape as in prediction by partial matching (Cleary and Witten,
 * IEEE Trans. Communications 1984).  Tested by tests/unit/test_chunk_guess.c. */
#include "reduce/binary/chunk_guess.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "reduce/binary/chunk_coding.h"

enum {
    LEAST_BYTES = 12,
    MOST_BEFORE = 8,
    MOST_BIAS = 24,
    WIDE_PLACES = 64,
    NARROW_PLACES = 24,
    NARROW_MOST_BYTES = 1 << 18, /* of a range, for lengths of a byte */
    MOST_AFTER = 4,
    SUM_CHUNKS = 4, /* that are looked at for a checksum */
    N_BYTES = 256,
    N_MET = 1 << 12 /* places that are remembered; a power of two */
};

static const double LEAST_BITS = 14;
static const double SEEN = 1 / 16.0; /* as if each byte had been met so often before */

/* How lengths are written.  Those of 8 bytes are listed ones. */
static const struct writing {
    pare_coding coding;
    unsigned char width;
} WRITINGS[] = {{PARE_CODING_BIG, 4},    {PARE_CODING_LITTLE, 4}, {PARE_CODING_BIG, 3},
                {PARE_CODING_LITTLE, 3}, {PARE_CODING_BIG, 2},    {PARE_CODING_LITTLE, 2},
                {PARE_CODING_BIG, 1},    {PARE_CODING_LEB, 0}};

static const unsigned char ALIGNS[] = {1, 4, 2};

enum { N_WRITINGS = sizeof WRITINGS / sizeof *WRITINGS, N_ALIGNS = sizeof ALIGNS };

/* The range, and what its bytes cost by themselves. */
struct range {
    const pare_chunk_tree *tree;
    uint32_t from, to;
    double bits[N_BYTES];
    uint64_t *steps;
    /* Places of lengths in chains that led nowhere, with the number of their choice above them, each by
     * its place modulo N_MET; one that another has replaced is followed again. */
    uint64_t met[N_MET];
    uint64_t
        choice; /* the number of this one, from 1, in the upper half; a place is in the lower */
};

/* One guess at a layout, with the chain of chunks that follows from it and the length at `at`. */
struct attempt {
    const struct writing *writing;
    uint32_t bias, align, at;
    uint32_t n, n_empty, before;
    uint64_t least; /* bytes of a chunk */
    double bits;
};

static void weigh_bytes(struct range *range)
{
    uint32_t counts[N_BYTES] = {0};
    for (uint32_t i = range->from; i < range->to; i++)
        counts[range->tree->bytes[i]]++;
    for (size_t i = 0; i < N_BYTES; i++)
        range->bits[i] = log2((range->to - range->from + N_BYTES) / (counts[i] + 1.0));
}

/* Bytes of the chunk whose length is at `at`, padding included; 0: by this layout no chunk is
 * there. */
static uint64_t size_at(const struct range *range, const struct attempt *attempt, uint32_t at,
                        pare_coded *length)
{
    const struct writing *writing = attempt->writing;
    *length = pare_chunk_coding_read(writing->coding, writing->width, range->tree->bytes + at,
                                     range->to - at);
    if (!length->width || length->value > range->to - at + MOST_BEFORE) return 0;
    const uint64_t size = length->value + attempt->bias + (writing->width ? 0 : length->width);
    const uint64_t align = attempt->align;
    return size < length->width ? 0 : (size + align - 1) / align * align;
}

/* How much a length tells.  Where a byte's high bit says whether another one follows, that does, too. */
static double length_bits(const struct attempt *attempt, pare_coded length)
{
    if (!length.value) return 0;
    return pare_chunk_layout_bits(attempt->writing->coding, length.width, length.value) +
           (attempt->writing->width ? 0 : length.width);
}

/* The chain leads somewhere: all of its places count as good ones, and its lengths are what
 * tells. */
static void keep_chain(struct range *range, struct attempt *attempt)
{
    for (uint64_t at = attempt->at; at < range->to;) {
        pare_coded length;
        const uint64_t size = size_at(range, attempt, (uint32_t)at, &length);
        attempt->bits += length_bits(attempt, length);
        if (range->met[at % N_MET] == (range->choice | at)) range->met[at % N_MET] = 0;
        if (!size) break;
        at += size;
    }
}

/* Follows the chain from the length at `at`; whether it passes the end by what stands before a
 * length. With "tag length content" chunks and `at` at a length, the chain goes from length to
 * length, and after the last chunk to where a further length would be: the tag's width behind the
 * end. */
static bool follow(struct range *range, struct attempt *attempt)
{
    uint64_t at = attempt->at;
    while (at < range->to && *range->steps) {
        pare_coded length;
        --*range->steps;
        if (range->met[at % N_MET] == (range->choice | at)) return false;
        range->met[at % N_MET] = range->choice | at;
        const uint64_t size = size_at(range, attempt, (uint32_t)at, &length);
        if (!size || size > range->to - at + MOST_BEFORE) return false;
        attempt->n_empty += length.value == 0 || size <= length.width;
        if (size < attempt->least || !attempt->n) attempt->least = size;
        attempt->n++;
        at += size;
    }
    if (at < range->to) return false;
    keep_chain(range, attempt);
    attempt->before = (uint32_t)(at - range->to);
    const uint32_t width = attempt->writing->width ? attempt->writing->width : 1;
    return attempt->at >= range->from + attempt->before && attempt->n_empty <= attempt->n / 3 &&
           attempt->least >= attempt->before + width;
}

/* How much the bytes `offset` behind all lengths, or before them, have in common, in bits: an adaptive
 * code against the frequencies of the range. */
static double common_bits(const struct range *range, const struct attempt *attempt, int64_t offset)
{
    uint32_t counts[N_BYTES] = {0};
    uint32_t n = 0;
    double bits = 0;
    for (uint64_t at = attempt->at; at < range->to;) {
        pare_coded length;
        const uint64_t size = size_at(range, attempt, (uint32_t)at, &length);
        const int64_t place = (int64_t)at + offset + (offset < 0 ? 0 : length.width);
        if (place < (int64_t)range->from || place >= (int64_t)range->to || !size) break;
        const unsigned char byte = range->tree->bytes[place];
        const double own = range->bits[byte];
        const double coded = counts[byte] ? log2((n + 1.0) / counts[byte]) : log2(n + 1.0) + own;
        bits += own - coded;
        counts[byte]++;
        n++;
        at += size;
    }
    return bits;
}

/* How little it is by chance that the bytes before the first chunk end with a number of `n`, in
 * bits; 0: they do not. Four bits less than the number has. */
static double count_bits(const struct range *range, uint32_t start, uint32_t n)
{
    for (uint32_t width = 4; n > 2 && width; width /= 2) {
        if (start - range->from < width) continue;
        const unsigned char *at = range->tree->bytes + start - width;
        if (pare_chunk_coding_read(PARE_CODING_BIG, width, at, width).value == n ||
            pare_chunk_coding_read(PARE_CODING_LITTLE, width, at, width).value == n)
            return 8.0 * width - 4;
    }
    return 0;
}

/* How much a chain tells, in bits, once its end is known: its lengths, the end that is hit, a count
 * before it, what the bytes beside lengths have in common, less the logarithm of how many choices
 * and places there are. */
static double weigh(const struct range *range, const struct attempt *attempt)
{
    assert(attempt->n && attempt->at >= range->from + attempt->before);
    const uint32_t start = attempt->at - attempt->before;
    const uint32_t head = attempt->before + attempt->writing->width;
    double bits = attempt->bits - log2((double)N_WRITINGS * N_ALIGNS * (MOST_BIAS + 1)) -
                  log2(MOST_BEFORE + 1.0) - 2 * log2((double)(start - range->from) + 1);
    bits += log2((double)(range->to - start) / attempt->n + 1);
    bits += count_bits(range, start, attempt->n);
    if (attempt->n < 3) return bits;
    for (uint32_t i = 1; i <= attempt->before; i++)
        bits += fmax(-1, common_bits(range, attempt, -(int64_t)i));
    for (uint32_t i = 0; i < MOST_AFTER && head + i < attempt->bias; i++)
        bits += fmax(-1, common_bits(range, attempt, i));
    return bits;
}

/* The first boundary that the chains share; the end of the range: none. The one that is behind goes
 * on until both stand at one place. */
static uint32_t meeting(const struct range *range, const struct attempt *a, const struct attempt *b)
{
    uint64_t x = a->at - a->before, y = b->at - b->before;
    while (x < range->to && y < range->to && x != y) {
        const struct attempt *behind = x < y ? a : b;
        uint64_t *at = x < y ? &x : &y;
        pare_coded length;
        if (*at + behind->before >= range->to) return range->to;
        const uint64_t size = size_at(range, behind, (uint32_t)*at + behind->before, &length);
        if (!size) return range->to;
        *at += size;
    }
    return x < range->to && x == y ? (uint32_t)x : range->to;
}

/* How well the chunks before `until` go with those from there on: their lengths, and the bytes before
 * these. */
static double lead_bits(const struct range *range, const struct attempt *attempt, uint32_t until)
{
    double bits = 0;
    for (uint32_t i = 0; i <= attempt->before; i++) {
        uint32_t counts[N_BYTES] = {0};
        uint32_t n = 0;
        for (uint64_t at = until + attempt->before; i && at < range->to; n++) {
            pare_coded length;
            counts[range->tree->bytes[at - i]]++;
            const uint64_t size = size_at(range, attempt, (uint32_t)at, &length);
            if (!size) break;
            at += size;
        }
        for (uint64_t at = attempt->at; at < until + attempt->before;) {
            pare_coded length;
            const uint64_t size = size_at(range, attempt, (uint32_t)at, &length);
            const unsigned char byte = range->tree->bytes[at - i];
            if (!size) break;
            bits += i ? range->bits[byte] - log2((n + SEEN * N_BYTES) / (counts[byte] + SEEN))
                      : length_bits(attempt, length);
            at += size;
        }
    }
    return bits;
}

/* What the chunks from `until` on tell in addition to those before them. */
static double tail_bits(const struct range *range, const struct attempt *attempt, double bits,
                        uint32_t until)
{
    uint32_t n = 0;
    for (uint64_t at = until + attempt->before; at < range->to; n++) {
        pare_coded length;
        const uint64_t size = size_at(range, attempt, (uint32_t)at, &length);
        if (!size) break;
        at += size;
    }
    return bits * n / attempt->n;
}

/* A chain that was weighed. */
struct weighed {
    struct attempt chain;
    double bits;
};

/* Whether `a`, which begins before `b`, is chosen although they overlap: either its first chunks
 * are no chunks, or those of `b` lie inside its own. */
static bool is_outer(const struct range *range, const struct weighed *a, const struct weighed *b)
{
    const struct attempt *x = &a->chain, *y = &b->chain;
    const uint32_t until = meeting(range, x, y);
    if (until == range->to) return true;
    const double lead = lead_bits(range, x, until) + count_bits(range, x->at - x->before, x->n) -
                        count_bits(range, y->at - y->before, y->n);
    const bool alike = x->writing == y->writing && x->bias == y->bias && x->align == y->align;
    if (alike || lead <= 0) return lead > 0;
    return lead + tail_bits(range, x, a->bits, until) > tail_bits(range, y, b->bits, until);
}

/* Whether `a` is to be taken before `b`, which is likely enough itself. */
static bool is_better(const struct range *range, const struct weighed *a, const struct weighed *b)
{
    const uint32_t a_start = a->chain.at - a->chain.before;
    const uint32_t b_start = b->chain.at - b->chain.before;
    if (a_start == b_start) return a->bits > b->bits;
    return a_start < b_start ? is_outer(range, a, b) : !is_outer(range, b, a);
}

/* The layout: which bytes are content follows from what the length counts, as far as that can be
 * known. */
static pare_chunk_layout layout_of(const struct range *range, const struct attempt *attempt)
{
    pare_chunk_layout layout = {.before = (unsigned char)attempt->before,
                                .width = attempt->writing->width,
                                .coding = attempt->writing->coding,
                                .align = (unsigned char)attempt->align,
                                .counted = PARE_COUNTED_BIASED,
                                .bias = (unsigned char)attempt->bias};
    pare_chunk_link link;
    uint32_t at = attempt->at - attempt->before;
    for (uint32_t i = 0; i < SUM_CHUNKS && !layout.trailer && at < range->to; i++, at = link.to) {
        if (!pare_chunk_layout_read(range->tree, &layout, at, range->to, &link)) break;
        (void)pare_chunk_layout_find_sum(range->tree, &link, &layout);
    }
    const unsigned head = (unsigned)layout.before + layout.width + layout.trailer;
    if (attempt->bias > head) layout.after = (unsigned char)(attempt->bias - head);
    return layout;
}

/* All chains of one choice. */
static void try_choice(struct range *range, struct attempt attempt, struct weighed *best)
{
    range->choice += UINT64_C(1) << 32;
    const bool narrow = attempt.writing->width < 2;
    const uint32_t places = narrow ? NARROW_PLACES : WIDE_PLACES;
    for (uint32_t place = 0;
         place <= places && place + LEAST_BYTES <= range->to - range->from && *range->steps;
         place++) {
        struct weighed tried = {.chain = attempt};
        tried.chain.at = range->from + place;
        if (!follow(range, &tried.chain)) continue;
        tried.bits = weigh(range, &tried.chain);
        if (tried.bits < LEAST_BITS) continue;
        if (!best->chain.n || is_better(range, &tried, best)) *best = tried;
    }
}

/* Tries every combination of a way to write lengths, a bias (how many bytes a length counts besides
 * the content) and an alignment, and keeps the chain that tells the most bits. Lengths of a single
 * byte are only tried in small ranges: in large ones chance makes too many chains of them. */
pare_chunk_guess pare_chunk_guess_find(const pare_chunk_tree *tree, uint32_t from, uint32_t to,
                                       uint64_t *steps)
{
    struct range range = {.tree = tree, .from = from, .to = to, .steps = steps};
    struct weighed best = {0};
    if (to - from < LEAST_BYTES) return (pare_chunk_guess){.n = 0};
    weigh_bytes(&range);
    for (size_t i = 0; i < N_WRITINGS; i++) {
        if (WRITINGS[i].width < 2 && to - from > NARROW_MOST_BYTES) continue;
        for (uint32_t bias = 0; bias <= MOST_BIAS; bias++)
            for (size_t k = 0; k < N_ALIGNS; k++)
                try_choice(
                    &range,
                    (struct attempt){.writing = &WRITINGS[i], .bias = bias, .align = ALIGNS[k]},
                    &best);
    }
    if (!best.chain.n) return (pare_chunk_guess){.n = 0};
    return (pare_chunk_guess){.layout = layout_of(&range, &best.chain),
                              .from = best.chain.at - best.chain.before,
                              .n = best.chain.n,
                              .bits = best.bits};
}
