/* Runs of chunks with lengths that tile a range.
 *
 * Formats differ in what stands before a length, in how it is written, in what it counts and in what
 * follows; a layout is one choice of these.  For each layout and each of the first places of the range
 * the chain is followed: a length says where the next one is.  A chain that ends exactly where the
 * range does is a tiling; how much it tells is counted in bits, as for a code: a number of 8 * width
 * bits that could have been anything and is small, a name of four printed letters, an end that is hit.
 * Against that stands how many chains were tried.  So a run of 32-bit lengths is found from one chunk
 * on, and one of single bytes only where many agree.
 * Where no listed layout tiles the file, or a large part of it, one is found out (chunk_guess.h), and counts
 * as known from then on: what is in a chunk is likely to be laid out as it is itself.
 * What is wrongly found costs tests and never a wrong result.
 * Cost: O(layouts * places * chunks), bounded by `steps`.
 * Source: ours; formats that are met: PNG, RIFF, IFF, MIDI, MP4, JPEG's head, TLV, DER, pcap, TLS,
 * protocol buffers and length-prefixed records. */
#include "reduce/binary/chunk_tiling.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_guess.h"

enum {
    LEAST_BYTES = 6,  /* of a range */
    WIDE_PLACES = 64, /* where a run of wide lengths may begin */
    NARROW_PLACES = 4,
    MOST_EMPTY = 8,    /* chunks without content, beyond a third of all */
    GUESSED_SHARE = 16 /* of the file: in what is smaller no layout is guessed */
};

static const double LEAST_BITS = 12;
static const double OPEN_BITS = 48; /* of a run that is broken off */
static const double SURE_BITS = 30;
static const double NEW_BEGIN_BITS = 3;
static const double SAME_BITS = 8; /* the layout of the run in which the range is itself */

/* Layouts that are met often, in the order of the fields of pare_chunk_layout: bytes before the
 * length, its width, its coding, bytes after it, of a trailer, alignment, what it counts. Widths of
 * 0 are those of codings that tell it themselves. */
static const pare_chunk_layout LAYOUTS[] = {
    {.width = 4, /* PNG */
     .coding = PARE_CODING_BIG,
     .after = 4,
     .trailer = PARE_CHUNK_SUM_BYTES,
     .align = 1,
     .sum = PARE_NUMBER_CRC32,
     .sum_coding = PARE_CODING_BIG},
    {4, 4, PARE_CODING_LITTLE, 0, 0, 2, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0}, /* RIFF */
    {4, 4, PARE_CODING_BIG, 0, 0, 2, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},    /* IFF, AIFF */
    {4, 4, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},    /* MIDI */
    {4, 4, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {0, 4, PARE_CODING_BIG, 4, 0, 1, PARE_COUNTED_WHOLE, 0, false, 0, 0, 0}, /* MP4 */
    {4, 4, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_WHOLE, 0, false, 0, 0, 0}, /* ICNS */
    {0, 4, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {0, 4, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {0, 4, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_WHOLE, 0, false, 0, 0, 0},
    {0, 4, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_WHOLE, 0, false, 0, 0, 0},
    {1, 4, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {1, 4, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {1, 4, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_ITSELF, 0, false, 0, 0, 0}, /* PostgreSQL */
    {2, 4, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {2, 4, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {2, 4, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_WHOLE, 0, false, 0, 0, 0},
    {8, 4, PARE_CODING_LITTLE, 4, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0}, /* pcap */
    {8, 4, PARE_CODING_BIG, 4, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {1, 3, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0,
     0}, /* TLS handshake, FLAC */
    {3, 2, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0}, /* TLS record */
    {2, 2, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {2, 2, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {2, 2, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_ITSELF, 0, false, 0, 0, 0}, /* JPEG */
    {1, 2, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {1, 2, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {0, 2, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {0, 2, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {0, 2, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_WHOLE, 0, false, 0, 0, 0},
    {0, 2, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_WHOLE, 0, false, 0, 0, 0},
    {0, 8, PARE_CODING_LITTLE, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {0, 8, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {1, 0, PARE_CODING_DER, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {0, 0, PARE_CODING_LEB, 0, 0, 1, PARE_COUNTED_CONTENT, 0, true, 0, 0, 0}, /* protocol buffers */
    {1, 0, PARE_CODING_LEB, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {0, 0, PARE_CODING_LEB, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {1, 1, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
    {0, 1, PARE_CODING_BIG, 0, 0, 1, PARE_COUNTED_CONTENT, 0, false, 0, 0, 0},
};

enum { N_LAYOUTS = sizeof LAYOUTS / sizeof *LAYOUTS };

/* ---- chains ------------------------------------------------------------------------------- */

/* A chain: which layout, where it begins, and how far it goes. */
struct chain {
    uint32_t layout; /* plus 1; 0: none */
    uint32_t from, to;
    uint32_t n;
    double bits;
};

static uint32_t n_layouts(const pare_chunk_search *search)
{
    return N_LAYOUTS + search->n_learned;
}

/* Listed ones, then learned ones. */
static const pare_chunk_layout *layout_at(const pare_chunk_search *search, uint32_t index)
{
    assert(index < n_layouts(search));
    return index < N_LAYOUTS ? &LAYOUTS[index] : &search->learned[index - N_LAYOUTS].layout;
}

/* Whether what is in the chunk is likely to be laid out as it is itself: in DER its tag says so. */
static bool is_same(const pare_chunk_tree *tree, const pare_chunk *chunk,
                    const pare_chunk_layout *layout, uint32_t index)
{
    if (chunk->layout != index + 1) return false;
    return layout->coding != PARE_CODING_DER || tree->bytes[chunk->from] & 0x20;
}

/* What counts against a chain, in bits: the logarithm of how many layouts were tried, of which one
 * will fit by chance, and twice that of the place at which it begins. The layout of the chunk
 * itself has a bonus in place of the first. */
static double cost_of(const pare_chunk_search *search, uint32_t place, bool same)
{
    return (same ? -SAME_BITS : log2((double)n_layouts(search))) + 2 * log2((double)place + 1);
}

/* What the first byte of a chunk tells, in bits: whether other chunks of a layout that was learned
 * begin with it. */
static double begin_bits(const pare_chunk_search *search, uint32_t index, unsigned char byte)
{
    if (index < N_LAYOUTS || !search->learned[index - N_LAYOUTS].layout.before) return 0;
    const pare_chunk_learned *learned = &search->learned[index - N_LAYOUTS];
    return learned->begins[byte] ? 7 - log2((double)learned->n_begins) : -NEW_BEGIN_BITS;
}

/* Follows the chain of the layout in the body of the chunk, from the byte `from` on. `layout` of
 * the result is 0 unless it tells enough: 12 bits if it ends where the body does, 48 if it is
 * broken off. Chains of many empty chunks are given up: zeros are such a chain in most layouts. */
static struct chain follow(const pare_chunk_tree *tree, const pare_chunk *chunk, uint32_t index,
                           uint32_t from, pare_chunk_search *search)
{
    const pare_chunk_layout *layout = layout_at(search, index);
    const uint32_t to = chunk->body_to;
    struct chain chain = {.from = from, .to = from};
    uint32_t n_empty = 0;
    pare_chunk_link link;
    assert(chunk->body <= from && from < to);
    while (chain.to < to && search->steps &&
           pare_chunk_layout_read(tree, layout, chain.to, to, &link)) {
        --search->steps;
        chain.to = link.to;
        chain.n++;
        chain.bits += link.bits + begin_bits(search, index, tree->bytes[link.from]);
        n_empty += link.body == link.body_to;
        if (n_empty > MOST_EMPTY + chain.n / 3) return chain;
    }
    assert(chain.to <= to);
    if (!chain.n || n_empty * 2 > chain.n + 1) return chain;
    chain.bits -= cost_of(search, from - chunk->body, is_same(tree, chunk, layout, index));
    /* That the end is hit tells the more, the longer chunks are: one of a hundred bytes hits it by
     * chance once in a hundred times. */
    if (chain.to == to) chain.bits += log2((double)(to - from) / chain.n + 1);
    if (chain.bits >= (chain.to == to ? LEAST_BITS : OPEN_BITS)) chain.layout = index + 1;
    /* A broken run that leaves most of the range is of no use. */
    if (chain.to != to && (chain.n < 3 || (chain.to - from) < (to - from) / 4)) chain.layout = 0;
    return chain;
}

/* Whether `a` is the likelier of two: whole ones before broken ones; of two that are no chance the
 * one that holds more, since the other may be in it. */
static bool is_better(const struct chain *a, const struct chain *b, uint32_t to)
{
    if (!b->layout || !a->layout) return a->layout != 0;
    if ((a->to == to) != (b->to == to)) return a->to == to;
    const bool sure = a->layout == b->layout || (a->bits >= SURE_BITS && b->bits >= SURE_BITS);
    if (sure && a->from != b->from) return a->from < b->from;
    return a->bits > b->bits;
}

/* The likeliest chain in the chunk's body, of a layout that is known. Wide lengths are unlikely by
 * chance, so they are looked for at 64 places and one; others at four and one. */
static struct chain find_chain(const pare_chunk_tree *tree, const pare_chunk *chunk,
                               pare_chunk_search *search)
{
    const uint32_t from = chunk->body, to = chunk->body_to;
    struct chain best = {0};
    for (uint32_t i = 0; i < n_layouts(search); i++) {
        const pare_chunk_layout *layout = layout_at(search, i);
        const bool wide = layout->width >= 4 || (layout->width == 2 && layout->before >= 2);
        const uint32_t n = wide ? WIDE_PLACES : NARROW_PLACES;
        for (uint32_t place = 0; place <= n && place + LEAST_BYTES <= to - from; place++) {
            struct chain chain = follow(tree, chunk, i, from + place, search);
            if (is_better(&chain, &best, to)) best = chain;
        }
    }
    return best;
}

/* ---- layouts that are not known ----------------------------------------------------------- */

/* Notes the layout, and how the chunks of the run begin. */
static void learn(const pare_chunk_tree *tree, const pare_chunk_guess *guess, uint32_t to,
                  pare_chunk_search *search)
{
    assert(search->n_learned < PARE_CHUNK_MOST_LEARNED);
    pare_chunk_learned *learned = &search->learned[search->n_learned++];
    pare_chunk_link link;
    *learned = (pare_chunk_learned){.layout = guess->layout};
    for (uint32_t at = guess->from;
         at < to && pare_chunk_layout_read(tree, &guess->layout, at, to, &link); at = link.to) {
        bool *begins = &learned->begins[tree->bytes[link.from]];
        learned->n_begins += !*begins;
        *begins = true;
    }
}

/* A run of another layout is taken where that of a known one is broken off or less likely.  Only for what
 * is a large part of the file: small ranges tell too little, and many of them cost too much.  A known one
 * that is no chance stays where it holds the other: sound and pixels repeat themselves, so that in a long
 * one there is a run of hundreds of guessed chunks, whose bits add up. */
static void guess_chain(const pare_chunk_tree *tree, const pare_chunk *chunk,
                        pare_chunk_search *search, struct chain *best)
{
    const uint32_t to = chunk->body_to;
    if (search->n_learned == PARE_CHUNK_MOST_LEARNED) return;
    if (to - chunk->body < tree->size / GUESSED_SHARE) return;
    const pare_chunk_guess guess = pare_chunk_guess_find(tree, chunk->body, to, &search->steps);
    const bool whole = best->layout && best->to == to;
    const bool holds_it = whole && best->bits >= SURE_BITS && best->from <= guess.from;
    if (!guess.n || holds_it || (whole && best->bits >= guess.bits)) return;
    *best = (struct chain){.layout = n_layouts(search) + 1,
                           .from = guess.from,
                           .to = to,
                           .n = guess.n,
                           .bits = guess.bits};
    learn(tree, &guess, to, search);
}

/* ---- what was found ----------------------------------------------------------------------- */

/* Adds the numbers of one chunk that depend on its bytes: its length, from where the layout counts
 * it, and its checksum. What a length counts besides is a constant, and its field's bias. */
static pare_status add_numbers(pare_chunk_tree *tree, const pare_chunk_layout *layout,
                               const pare_chunk_link *link, pare_error *err)
{
    const uint32_t from = layout->counted == PARE_COUNTED_CONTENT  ? link->body
                          : layout->counted == PARE_COUNTED_WHOLE  ? link->from
                          : layout->counted == PARE_COUNTED_ITSELF ? link->at
                                                                   : link->at + link->width;
    const pare_chunk_field length = {.number = PARE_NUMBER_LENGTH,
                                     .coding = layout->coding,
                                     .width = layout->width,
                                     .at = link->at,
                                     .from = from,
                                     .to = link->body_to};
    pare_status status = pare_chunk_tree_field(tree, &length, err);
    if (status || layout->sum == PARE_NUMBER_LENGTH) return status;
    return pare_chunk_tree_field(
        tree,
        &(pare_chunk_field){.number = layout->sum,
                            .coding = layout->sum_coding,
                            .width = PARE_CHUNK_SUM_BYTES,
                            .at = link->body_to,
                            .from = pare_chunk_layout_sum_from(layout, link),
                            .to = link->body_to},
        err);
}

/* Adds one chunk, its numbers, and what fills it up. A field of protocol buffers that is a number
 * has no length, and nothing to be looked for. */
static pare_status add_link(pare_chunk_tree *tree, uint32_t parent, uint32_t index,
                            const pare_chunk_layout *layout, const pare_chunk_link *link,
                            pare_error *err)
{
    uint32_t chunk;
    pare_status status = pare_chunk_tree_add(tree, parent, link->from, link->to, &chunk, err);
    if (status || chunk == PARE_NO_CHUNK) return status;
    tree->chunks[chunk].body = link->body;
    tree->chunks[chunk].body_to = link->body_to;
    tree->chunks[chunk].layout = index;
    if (!link->width) {
        tree->chunks[chunk].known = true;
        return PARE_OK;
    }
    const uint32_t end = link->to - link->n_pads;
    status = add_numbers(tree, layout, link, err);
    bool filled = layout->align > 1 && (end - link->from + link->n_pads) % layout->align == 0;
    if (!status && filled)
        status = pare_chunk_tree_pad(
            tree,
            &(pare_chunk_pad){
                .at = end, .n = link->n_pads, .align = layout->align, .from = link->from},
            err);
    return status;
}

/* A number right before the run that says how many chunks it has. */
static pare_status add_count(pare_chunk_tree *tree, uint32_t chunk, uint32_t begin, uint32_t from,
                             pare_error *err)
{
    static const struct {
        pare_coding coding;
        uint32_t width;
    } codings[] = {{PARE_CODING_BIG, 4},    {PARE_CODING_LITTLE, 4}, {PARE_CODING_BIG, 2},
                   {PARE_CODING_LITTLE, 2}, {PARE_CODING_LEB, 2},    {PARE_CODING_BIG, 1}};
    const uint32_t n = tree->chunks[chunk].n_children;
    for (size_t i = 0; n > 1 && i < sizeof codings / sizeof *codings; i++) {
        const uint32_t width = codings[i].width;
        if (from - begin < width) continue;
        const pare_coded coded =
            pare_chunk_coding_read(codings[i].coding, width, tree->bytes + from - width, width);
        if (coded.width != width || coded.value != n) continue;
        return pare_chunk_tree_field(tree,
                                     &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                         .coding = codings[i].coding,
                                                         .width = width,
                                                         .at = from - width,
                                                         .chunk = chunk},
                                     err);
    }
    return PARE_OK;
}

/* Notes a number in the first chunk that says how many others there are, as in MIDI: "MThd 00 00 00
 * 06 00 01 00 02 ...", two tracks. */
static pare_status add_first_count(pare_chunk_tree *tree, uint32_t chunk, pare_error *err)
{
    enum { MOST_BYTES = 32, WIDTH = 2 };
    assert(tree->chunks[chunk].first != PARE_NO_CHUNK);
    const pare_chunk *first = &tree->chunks[tree->chunks[chunk].first];
    const uint32_t n = tree->chunks[chunk].n_children;
    if (n < 3 || first->body_to - first->body > MOST_BYTES) return PARE_OK;
    for (uint32_t at = first->body; at + WIDTH <= first->body_to; at += WIDTH) {
        pare_coded coded = pare_chunk_coding_read(PARE_CODING_BIG, WIDTH, tree->bytes + at, WIDTH);
        if (coded.value != n - 1) continue;
        return pare_chunk_tree_field(tree,
                                     &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                         .coding = PARE_CODING_BIG,
                                                         .width = WIDTH,
                                                         .at = at,
                                                         .chunk = chunk},
                                     err);
    }
    return PARE_OK;
}

/* Finds the likeliest run, known or guessed, adds its chunks, and the numbers that say how many
 * they are. A file without one is left as it is. */
pare_status pare_chunk_tiling_find(pare_chunk_tree *tree, uint32_t chunk, pare_chunk_search *search,
                                   bool *found, pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    pare_chunk_link link;
    pare_status status = PARE_OK;
    *found = false;
    assert(tree->chunks[chunk].first == PARE_NO_CHUNK && "its body is not divided yet");
    if (to - from < LEAST_BYTES) return PARE_OK;
    struct chain best = find_chain(tree, &tree->chunks[chunk], search);
    guess_chain(tree, &tree->chunks[chunk], search, &best);
    if (!best.layout) return PARE_OK;
    *found = true;
    const pare_chunk_layout *layout = layout_at(search, best.layout - 1);
    for (uint32_t at = best.from; !status && at < best.to; at = link.to) {
        if (!pare_chunk_layout_read(tree, layout, at, to, &link)) break;
        status = add_link(tree, chunk, best.layout, layout, &link, err);
    }
    if (!status) status = add_count(tree, chunk, from, best.from, err);
    if (status || tree->chunks[chunk].first == PARE_NO_CHUNK) return status;
    return add_first_count(tree, chunk, err);
}
