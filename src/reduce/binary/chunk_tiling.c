/* Runs of chunks with lengths that tile a range.
 *
 * Formats differ in what stands before a length, in how it is written, in what it counts and in what
 * follows; a layout is one choice of these.  For each layout and each of the first places of the range
 * the chain is followed: a length says where the next one is.  A chain that ends exactly where the
 * range does is a tiling; how much it tells is counted in bits, as for a code: a number of 8 * width
 * bits that could have been anything and is small, a name of four printed letters, an end that is hit.
 * Against that stands how many chains were tried.  So a run of 32-bit lengths is found from one chunk
 * on, and one of single bytes only where many agree.
 * What is wrongly found costs tests and never a wrong result.
 * Cost: O(layouts * places * chunks), bounded by `steps`.
 * Source: ours; formats that are met: PNG, RIFF, IFF, MIDI, MP4, JPEG's head, TLV, DER, pcap, TLS,
 * protocol buffers and length-prefixed records. */
#include "reduce/binary/chunk_tiling.h"

#include <math.h>
#include <string.h>

#include "reduce/binary/chunk_coding.h"

enum {
    LEAST_BYTES = 6,  /* of a range */
    WIDE_PLACES = 64, /* where a run of wide lengths may begin */
    NARROW_PLACES = 4,
    MOST_EMPTY = 8 /* chunks without content, beyond a third of all */
};

static const double LEAST_BITS = 12;
static const double OPEN_BITS = 48; /* of a run that is broken off */
static const double SURE_BITS = 30;
static const double TAG_BITS = 2, TILED_BITS = 10;
static const double NAME_BITS = 12;
static const double SAME_BITS = 8; /* the layout of the run in which the range is itself */

/* What a length counts. */
enum counted { CONTENT, WHOLE, ITSELF };

/* Chunks are: `before` bytes, the length, `after` bytes, content, `trailer` bytes, and bytes up to a
 * multiple of `align`.  A length of WHOLE counts all but the last, one of ITSELF all from itself on. */
struct layout {
    unsigned char before, width;
    pare_coding coding;
    unsigned char after, trailer, align;
    enum counted counted;
    bool tagged; /* the first byte's low bits tell whether there is a length: protocol buffers */
};

static const struct layout LAYOUTS[] = {
    {0, 4, PARE_CODING_BIG, 4, 4, 1, CONTENT, false},    /* PNG */
    {4, 4, PARE_CODING_LITTLE, 0, 0, 2, CONTENT, false}, /* RIFF */
    {4, 4, PARE_CODING_BIG, 0, 0, 2, CONTENT, false},    /* IFF, AIFF */
    {4, 4, PARE_CODING_BIG, 0, 0, 1, CONTENT, false},    /* MIDI */
    {4, 4, PARE_CODING_LITTLE, 0, 0, 1, CONTENT, false},
    {0, 4, PARE_CODING_BIG, 4, 0, 1, WHOLE, false}, /* MP4 */
    {4, 4, PARE_CODING_BIG, 0, 0, 1, WHOLE, false}, /* ICNS */
    {0, 4, PARE_CODING_BIG, 0, 0, 1, CONTENT, false},
    {0, 4, PARE_CODING_LITTLE, 0, 0, 1, CONTENT, false},
    {0, 4, PARE_CODING_BIG, 0, 0, 1, WHOLE, false},
    {0, 4, PARE_CODING_LITTLE, 0, 0, 1, WHOLE, false},
    {1, 4, PARE_CODING_BIG, 0, 0, 1, CONTENT, false},
    {1, 4, PARE_CODING_LITTLE, 0, 0, 1, CONTENT, false},
    {1, 4, PARE_CODING_BIG, 0, 0, 1, ITSELF, false}, /* PostgreSQL */
    {2, 4, PARE_CODING_BIG, 0, 0, 1, CONTENT, false},
    {2, 4, PARE_CODING_LITTLE, 0, 0, 1, CONTENT, false},
    {2, 4, PARE_CODING_LITTLE, 0, 0, 1, WHOLE, false},
    {8, 4, PARE_CODING_LITTLE, 4, 0, 1, CONTENT, false}, /* pcap */
    {8, 4, PARE_CODING_BIG, 4, 0, 1, CONTENT, false},
    {1, 3, PARE_CODING_BIG, 0, 0, 1, CONTENT, false}, /* TLS handshake, FLAC */
    {3, 2, PARE_CODING_BIG, 0, 0, 1, CONTENT, false}, /* TLS record */
    {2, 2, PARE_CODING_BIG, 0, 0, 1, CONTENT, false},
    {2, 2, PARE_CODING_LITTLE, 0, 0, 1, CONTENT, false},
    {2, 2, PARE_CODING_BIG, 0, 0, 1, ITSELF, false}, /* JPEG */
    {1, 2, PARE_CODING_BIG, 0, 0, 1, CONTENT, false},
    {1, 2, PARE_CODING_LITTLE, 0, 0, 1, CONTENT, false},
    {0, 2, PARE_CODING_BIG, 0, 0, 1, CONTENT, false},
    {0, 2, PARE_CODING_LITTLE, 0, 0, 1, CONTENT, false},
    {0, 2, PARE_CODING_BIG, 0, 0, 1, WHOLE, false},
    {0, 2, PARE_CODING_LITTLE, 0, 0, 1, WHOLE, false},
    {0, 8, PARE_CODING_LITTLE, 0, 0, 1, CONTENT, false},
    {0, 8, PARE_CODING_BIG, 0, 0, 1, CONTENT, false},
    {1, 0, PARE_CODING_DER, 0, 0, 1, CONTENT, false},
    {0, 0, PARE_CODING_LEB, 0, 0, 1, CONTENT, true}, /* protocol buffers */
    {1, 0, PARE_CODING_LEB, 0, 0, 1, CONTENT, false},
    {0, 0, PARE_CODING_LEB, 0, 0, 1, CONTENT, false},
    {1, 1, PARE_CODING_BIG, 0, 0, 1, CONTENT, false},
    {0, 1, PARE_CODING_BIG, 0, 0, 1, CONTENT, false},
};

enum { N_LAYOUTS = sizeof LAYOUTS / sizeof *LAYOUTS };

/* One chunk of a chain. */
struct link {
    uint32_t at, width; /* of the length; a width of 0: there is none */
    uint32_t body, body_to, from, to;
    double bits; /* how little is it by chance */
    uint64_t value;
    uint32_t n_pads;
};

/* ---- one chunk ---------------------------------------------------------------------------- */

/* How much likelier the value is as a length, of which small ones are frequent (1 / (value + 1)), than
 * as any bytes; below 0 for a large one, so that noise adds up to nothing. */
static double small_bits(pare_coding coding, uint32_t width, uint64_t value)
{
    const double all = (coding == PARE_CODING_LEB ? 7.0 : 8.0) * width;
    return all - log2((double)value + 1) - log2(all * log(2) + 0.58);
}

/* A field of protocol buffers: its tag says of which kind it is. */
static bool read_tagged(const pare_chunk_tree *tree, uint32_t from, uint32_t to, struct link *link)
{
    const pare_coded tag =
        pare_coding_read(PARE_CODING_LEB, 0, tree->bytes + from, (size_t)(to - from));
    uint64_t n;
    if (!tag.width || tag.value < 8 || tag.value >> 3 > 1 << 12) return false;
    const uint32_t at = from + tag.width;
    const pare_coded next = pare_coding_read(PARE_CODING_LEB, 0, tree->bytes + at, to - at);
    *link = (struct link){.from = from,
                          .bits = small_bits(PARE_CODING_LEB, tag.width, tag.value >> 3) - 1};
    switch (tag.value & 7) {
    case 0: n = next.width ? next.width : UINT64_MAX; break;
    case 1: n = 8; break;
    case 5: n = 4; break;
    case 2:
        if (!next.width) return false;
        link->at = at;
        link->width = next.width;
        link->value = next.value;
        link->bits += small_bits(PARE_CODING_LEB, next.width, next.value);
        n = next.value > to - from ? UINT64_MAX : next.width + next.value;
        break;
    default: return false;
    }
    if (n > to - at) return false;
    link->body = at + link->width;
    link->to = link->body_to = at + (uint32_t)n;
    return true;
}

/* Whether the byte is a tag of DER that is often met: universal ones, and context's first ones. */
static bool is_der_tag(unsigned char tag)
{
    static const unsigned char universal[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c,
                                              0x13, 0x14, 0x16, 0x17, 0x18, 0x1e, 0x30, 0x31};
    return memchr(universal, tag, sizeof universal) || (tag & 0xdc) == 0x80;
}

/* Whether from .. to is tiled by tags and lengths of DER. */
static bool is_der(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    for (uint32_t at = from; at < to;) {
        const pare_coded length =
            pare_coding_read(PARE_CODING_DER, 0, tree->bytes + at + 1, to - at - 1);
        if (!length.width || length.value > to - at - 1 - length.width) return false;
        at += 1 + length.width + (uint32_t)length.value;
    }
    return true;
}

/* How little a number of `width` bytes is likely to be that small. */
static double bits_of(const pare_chunk_tree *tree, const struct layout *layout,
                      const struct link *link)
{
    if (!link->value) return 0;
    double bits = small_bits(layout->coding, link->width, link->value);
    if (layout->coding == PARE_CODING_DER && is_der_tag(tree->bytes[link->from])) bits += TAG_BITS;
    if (layout->coding == PARE_CODING_DER && tree->bytes[link->from] & 0x20 &&
        is_der(tree, link->body, link->body_to))
        bits += TILED_BITS;
    return bits;
}

static bool is_name(const unsigned char *bytes)
{
    for (int i = 0; i < 4; i++) {
        unsigned char lower = bytes[i] | 0x20;
        bool digit = bytes[i] >= '0' && bytes[i] <= '9';
        if (!(lower >= 'a' && lower <= 'z') && !digit && bytes[i] != ' ') return false;
    }
    return true;
}

/* Bytes that fill up a chunk of `size` bytes; a last one may lack them. */
static uint32_t pads_of(const struct layout *layout, uint32_t size, uint32_t left)
{
    const uint32_t n = (layout->align - size % layout->align) % layout->align;
    return n <= left ? n : 0;
}

/* The chunk at `from`, which ends at `to` at the latest. */
static bool read_link(const pare_chunk_tree *tree, const struct layout *layout, uint32_t from,
                      uint32_t to, struct link *link)
{
    if (layout->tagged) return read_tagged(tree, from, to, link);
    if (to - from <= layout->before) return false;
    const uint32_t at = from + layout->before;
    const pare_coded coded =
        pare_coding_read(layout->coding, layout->width, tree->bytes + at, to - at);
    if (!coded.width || coded.value > to - from) return false;
    const uint64_t head = (uint64_t)layout->before + coded.width + layout->after;
    const uint64_t size = layout->counted == CONTENT  ? head + coded.value + layout->trailer
                          : layout->counted == ITSELF ? layout->before + coded.value
                                                      : coded.value;
    if (size < head + layout->trailer || size > to - from) return false;
    *link = (struct link){.at = at,
                          .width = coded.width,
                          .value = layout->counted == CONTENT ? coded.value : size - head,
                          .from = from,
                          .body = from + (uint32_t)head,
                          .body_to = from + (uint32_t)size - layout->trailer,
                          .to = from + (uint32_t)size};
    link->bits = bits_of(tree, layout, link);
    link->n_pads = pads_of(layout, (uint32_t)size, to - link->to);
    link->to += link->n_pads;
    const unsigned char *name = layout->before == 4 ? tree->bytes + from
                                : layout->after == 4 && layout->before == 0
                                    ? tree->bytes + at + coded.width
                                    : NULL;
    if (name && is_name(name)) link->bits += NAME_BITS;
    return true;
}

/* ---- chains ------------------------------------------------------------------------------- */

/* A chain: a layout, where it begins, and how far it goes. */
struct chain {
    const struct layout *layout; /* NULL: none */
    uint32_t from, to;
    uint32_t n;
    double bits;
};

/* Whether what is in the chunk is likely to be laid out as it is itself: in DER its tag says so. */
static bool is_same(const pare_chunk_tree *tree, const pare_chunk *chunk,
                    const struct layout *layout)
{
    if (chunk->layout != (uint32_t)(layout - LAYOUTS) + 1) return false;
    return layout->coding != PARE_CODING_DER || tree->bytes[chunk->from] & 0x20;
}

/* What is against a chain: so many layouts and places are tried. */
static double cost_of(uint32_t place, bool same)
{
    return (same ? -SAME_BITS : log2((double)N_LAYOUTS)) + 2 * log2((double)place + 1);
}

/* Follows the chain of `layout` in the body of the chunk, from the byte `from` on. */
static struct chain follow(const pare_chunk_tree *tree, const pare_chunk *chunk,
                           const struct layout *layout, uint32_t from, uint64_t *steps)
{
    const uint32_t to = chunk->body_to;
    struct chain chain = {.from = from, .to = from};
    uint32_t n_empty = 0;
    struct link link;
    while (chain.to < to && *steps && read_link(tree, layout, chain.to, to, &link)) {
        --*steps;
        chain.to = link.to;
        chain.n++;
        chain.bits += link.bits;
        n_empty += link.body == link.body_to;
        if (n_empty > MOST_EMPTY + chain.n / 3) return chain;
    }
    if (!chain.n || n_empty * 2 > chain.n + 1) return chain;
    chain.bits -= cost_of(from - chunk->body, is_same(tree, chunk, layout));
    if (chain.to == to) chain.bits += log2((double)(to - from) / chain.n + 1);
    if (chain.bits >= (chain.to == to ? LEAST_BITS : OPEN_BITS)) chain.layout = layout;
    /* A broken run that leaves most of the range is of no use. */
    if (chain.to != to && (chain.n < 3 || (chain.to - from) < (to - from) / 4)) chain.layout = NULL;
    return chain;
}

/* Whether `a` is the likelier of two: whole ones before broken ones; of two that are no chance the
 * one that holds more, since the other may be in it. */
static bool is_better(const struct chain *a, const struct chain *b, uint32_t to)
{
    if (!b->layout || !a->layout) return a->layout != NULL;
    if ((a->to == to) != (b->to == to)) return a->to == to;
    const bool sure = a->layout == b->layout || (a->bits >= SURE_BITS && b->bits >= SURE_BITS);
    if (sure && a->from != b->from) return a->from < b->from;
    return a->bits > b->bits;
}

/* The likeliest chain in the chunk's body. */
static struct chain find_chain(const pare_chunk_tree *tree, const pare_chunk *chunk,
                               uint64_t *steps)
{
    const uint32_t from = chunk->body, to = chunk->body_to;
    struct chain best = {0};
    for (size_t i = 0; i < N_LAYOUTS; i++) {
        const struct layout *layout = &LAYOUTS[i];
        const bool wide = layout->width >= 4 || (layout->width == 2 && layout->before >= 2);
        const uint32_t n = wide ? WIDE_PLACES : NARROW_PLACES;
        for (uint32_t place = 0; place <= n && place + LEAST_BYTES <= to - from; place++) {
            struct chain chain = follow(tree, chunk, layout, from + place, steps);
            if (is_better(&chain, &best, to)) best = chain;
        }
    }
    return best;
}

/* ---- what was found ----------------------------------------------------------------------- */

/* Adds one chunk, its length and its checksum. */
static pare_status add_link(pare_chunk_tree *tree, uint32_t parent, const struct layout *layout,
                            const struct link *link, pare_error *err)
{
    uint32_t chunk;
    pare_status status = pare_chunk_tree_add(tree, parent, link->from, link->to, &chunk, err);
    if (status || chunk == PARE_NO_CHUNK) return status;
    tree->chunks[chunk].body = link->body;
    tree->chunks[chunk].body_to = link->body_to;
    tree->chunks[chunk].layout = (uint32_t)(layout - LAYOUTS) + 1;
    if (!link->width) {
        tree->chunks[chunk].known = true;
        return PARE_OK;
    }
    const uint32_t end = link->to - link->n_pads;
    const pare_chunk_field length = {.number = PARE_NUMBER_LENGTH,
                                     .coding = layout->coding,
                                     .width = layout->width,
                                     .at = link->at,
                                     .from = layout->counted == CONTENT  ? link->body
                                             : layout->counted == ITSELF ? link->at
                                                                         : link->from,
                                     .to = layout->counted == CONTENT ? link->body_to : end};
    status = pare_chunk_tree_field(tree, &length, err);
    if (!status && layout->trailer == 4)
        status = pare_chunk_tree_field(tree,
                                       &(pare_chunk_field){.number = PARE_NUMBER_CRC32,
                                                           .coding = PARE_CODING_BIG,
                                                           .width = 4,
                                                           .at = link->body_to,
                                                           .from = link->at + link->width,
                                                           .to = link->body_to},
                                       err);
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
            pare_coding_read(codings[i].coding, width, tree->bytes + from - width, width);
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

/* A number in the first chunk that says how many others there are, as in MIDI. */
static pare_status add_first_count(pare_chunk_tree *tree, uint32_t chunk, pare_error *err)
{
    enum { MOST_BYTES = 32, WIDTH = 2 };
    const pare_chunk *first = &tree->chunks[tree->chunks[chunk].first];
    const uint32_t n = tree->chunks[chunk].n_children;
    if (n < 3 || first->body_to - first->body > MOST_BYTES) return PARE_OK;
    for (uint32_t at = first->body; at + WIDTH <= first->body_to; at += WIDTH) {
        pare_coded coded = pare_coding_read(PARE_CODING_BIG, WIDTH, tree->bytes + at, WIDTH);
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

pare_status pare_chunk_tiling_find(pare_chunk_tree *tree, uint32_t chunk, uint64_t *steps,
                                   bool *found, pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    struct link link;
    pare_status status = PARE_OK;
    *found = false;
    if (to - from < LEAST_BYTES) return PARE_OK;
    const struct chain best = find_chain(tree, &tree->chunks[chunk], steps);
    if (!best.layout) return PARE_OK;
    *found = true;
    for (uint32_t at = best.from; !status && at < best.to; at = link.to) {
        if (!read_link(tree, best.layout, at, to, &link)) break;
        status = add_link(tree, chunk, best.layout, &link, err);
    }
    if (!status) status = add_count(tree, chunk, from, best.from, err);
    if (status || tree->chunks[chunk].first == PARE_NO_CHUNK) return status;
    return add_first_count(tree, chunk, err);
}
