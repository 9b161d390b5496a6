/* One chunk of a run, and how much it tells by itself.
 *
 * Formats differ in what stands before a length, in how it is written, in what it counts and in what
 * follows; a layout is one choice of these.  How little a chunk is by chance is counted in bits, as for
 * a code: a number of 8 * width bits that could have been anything and is small, a name of four printed
 * letters.
 * Source: ours.  Tested by tests/unit/test_chunk_finder.c. */
#include "reduce/binary/chunk_layout.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double TAG_BITS = 2, TILED_BITS = 10;
static const double NAME_BITS = 12;

/* The information in a length, in bits, if a length `value` is taken to have the probability 1 /
 * (value + 1) among others: small lengths are frequent. The last term is the logarithm of the sum
 * of all these, ln(2^all) + 0.58 (Euler's constant). A length of 20 in four bytes tells 32 - 4.4 -
 * 4.5 = 23 bits; in one byte 1 bit. */
double pare_chunk_layout_bits(pare_coding coding, uint32_t width, uint64_t value)
{
    const double all = (coding == PARE_CODING_LEB ? 7.0 : 8.0) * width;
    return all - log2((double)value + 1) - log2(all * log(2) + 0.58);
}

/* Reads a field of protocol buffers: its tag says of which kind it is, 0 a number in LEB, 1 eight
 * bytes, 2 a length and bytes, 5 four bytes. Only kind 2 has a length that is noted. A number of a
 * field above 4096 is taken for chance. */
static bool read_tagged(const pare_chunk_tree *tree, uint32_t from, uint32_t to,
                        pare_chunk_link *link)
{
    const pare_coded tag =
        pare_chunk_coding_read(PARE_CODING_LEB, 0, tree->bytes + from, (size_t)(to - from));
    uint64_t n;
    if (!tag.width || tag.value < 8 || tag.value >> 3 > 1 << 12) return false;
    const uint32_t at = from + tag.width;
    const pare_coded next = pare_chunk_coding_read(PARE_CODING_LEB, 0, tree->bytes + at, to - at);
    *link = (pare_chunk_link){
        .from = from,
        .bits = pare_chunk_layout_bits(PARE_CODING_LEB, tag.width, tag.value >> 3) - 1};
    switch (tag.value & 7) {
    case 0: n = next.width ? next.width : UINT64_MAX; break;
    case 1: n = 8; break;
    case 5: n = 4; break;
    case 2:
        if (!next.width) return false;
        link->at = at;
        link->width = next.width;
        link->value = next.value;
        link->bits += pare_chunk_layout_bits(PARE_CODING_LEB, next.width, next.value);
        n = next.value > to - from ? UINT64_MAX : next.width + next.value;
        break;
    default: return false;
    }
    if (n > to - at) return false;
    link->body = at + link->width;
    link->to = link->body_to = at + (uint32_t)n;
    assert(link->body <= link->body_to && link->to <= to);
    return true;
}

/* Whether the byte is a tag of DER that is often met: universal ones, and context's first ones. */
static bool is_der_tag(unsigned char tag)
{
    static const unsigned char universal[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c,
                                              0x13, 0x14, 0x16, 0x17, 0x18, 0x1e, 0x30, 0x31};
    return memchr(universal, tag, sizeof universal) || (tag & 0xdc) == 0x80;
}

/* Whether from .. to is tiled by tags and lengths of DER, one after the other to the end. */
static bool is_der(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    for (uint32_t at = from; at < to;) {
        const pare_coded length =
            pare_chunk_coding_read(PARE_CODING_DER, 0, tree->bytes + at + 1, to - at - 1);
        if (!length.width || length.value > to - at - 1 - length.width) return false;
        at += 1 + length.width + (uint32_t)length.value;
    }
    return true;
}

/* How little a number of `width` bytes is likely to be that small, and in DER what its tag tells: a
 * frequent one two bits, one that holds others, which tile it, ten. */
static double bits_of(const pare_chunk_tree *tree, const pare_chunk_layout *layout,
                      const pare_chunk_link *link)
{
    if (!link->value) return 0;
    double bits = pare_chunk_layout_bits(layout->coding, link->width, link->value);
    if (layout->coding == PARE_CODING_DER && is_der_tag(tree->bytes[link->from])) bits += TAG_BITS;
    if (layout->coding == PARE_CODING_DER && tree->bytes[link->from] & 0x20 &&
        is_der(tree, link->body, link->body_to))
        bits += TILED_BITS;
    return bits;
}

/* Four letters, digits or blanks, as "IHDR", "fmt " and "mp4a" are. */
static bool is_name(const unsigned char *bytes)
{
    for (int i = 0; i < 4; i++) {
        unsigned char lower = bytes[i] | 0x20;
        bool digit = bytes[i] >= '0' && bytes[i] <= '9';
        if (!(lower >= 'a' && lower <= 'z') && !digit && bytes[i] != ' ') return false;
    }
    return true;
}

/* How many bytes fill up a chunk of `size` bytes: 1 of 5 where all are even. The last one of a file
 * may lack them. */
static uint32_t pads_of(const pare_chunk_layout *layout, uint32_t size, uint32_t left)
{
    const uint32_t n = (layout->align - size % layout->align) % layout->align;
    return n <= left ? n : 0;
}

/* Bytes of a chunk with that length, without padding. Of a name and a length of four bytes each,
 * and ten of content:
 *
 * CONTENT   10: the content          ITSELF   14: length and content
 * WHOLE     18: all of it            BIASED   any constant difference */
static uint64_t size_of(const pare_chunk_layout *layout, pare_coded length)
{
    switch (layout->counted) {
    case PARE_COUNTED_CONTENT:
        return layout->before + length.width + layout->after + length.value + layout->trailer;
    case PARE_COUNTED_ITSELF: return layout->before + length.value;
    case PARE_COUNTED_BIASED:
        return length.value + layout->bias + (layout->width ? 0 : length.width);
    case PARE_COUNTED_WHOLE: break;
    }
    return length.value;
}

/* The chunk at `from`, as the layout has it; false: it would not lie in the range, or its length
 * would be less than its head is. */
bool pare_chunk_layout_read(const pare_chunk_tree *tree, const pare_chunk_layout *layout,
                            uint32_t from, uint32_t to, pare_chunk_link *link)
{
    assert(from < to && to <= tree->size);
    if (layout->tagged) return read_tagged(tree, from, to, link);
    if (to - from <= layout->before) return false;
    const uint32_t at = from + layout->before;
    const pare_coded coded =
        pare_chunk_coding_read(layout->coding, layout->width, tree->bytes + at, to - at);
    if (!coded.width || coded.value > to - from) return false;
    const uint64_t head = (uint64_t)layout->before + coded.width + layout->after;
    const uint64_t size = size_of(layout, coded);
    if (size < head + layout->trailer || size > to - from) return false;
    *link = (pare_chunk_link){.at = at,
                              .width = coded.width,
                              .value = layout->counted == PARE_COUNTED_CONTENT ? coded.value
                                                                               : size - head,
                              .from = from,
                              .body = from + (uint32_t)head,
                              .body_to = from + (uint32_t)size - layout->trailer,
                              .to = from + (uint32_t)size};
    link->bits = bits_of(tree, layout, link);
    link->n_pads = pads_of(layout, (uint32_t)size, to - link->to);
    link->to += link->n_pads;
    /* The next chunk is looked for from `to` on, so every chunk has to end further on than it
     * begins. */
    assert(from < link->to && link->to <= to && link->body <= link->body_to);
    const unsigned char *name = layout->before == 4 ? tree->bytes + from
                                : layout->after == 4 && layout->before == 0
                                    ? tree->bytes + at + coded.width
                                    : NULL;
    if (name && is_name(name)) link->bits += NAME_BITS;
    return true;
}

/* ---- checksums ---------------------------------------------------------------------------- */

uint32_t pare_chunk_layout_sum_from(const pare_chunk_layout *layout, const pare_chunk_link *link)
{
    if (layout->sum_from == PARE_CHUNK_SUM_WHOLE) return link->from;
    return link->at + link->width + layout->sum_from;
}

/* Whether bytes `from` .. `end`-1 have one of the checksums right behind them: CRC-32 or Adler-32,
 * big-endian or little. The layout learns which. */
static bool is_summed(const pare_chunk_tree *tree, uint32_t from, uint32_t end,
                      pare_chunk_layout *layout)
{
    static const pare_coding codings[] = {PARE_CODING_BIG, PARE_CODING_LITTLE};
    assert(from < end && end + PARE_CHUNK_SUM_BYTES <= tree->size);
    const uint32_t crc32 = pare_chunk_coding_crc32(tree->bytes + from, end - from);
    const uint32_t adler32 = pare_chunk_coding_adler32(tree->bytes + from, end - from);
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++) {
        const uint64_t value = pare_chunk_coding_read(codings[i], PARE_CHUNK_SUM_BYTES,
                                                      tree->bytes + end, PARE_CHUNK_SUM_BYTES)
                                   .value;
        if (value != crc32 && value != adler32) continue;
        layout->sum = value == crc32 ? PARE_NUMBER_CRC32 : PARE_NUMBER_ADLER32;
        layout->sum_coding = codings[i];
        return true;
    }
    return false;
}

/* Whether the chunk ends with a checksum of what is before it, from the length on, some bytes
 * behind that, or its begin; the layout then has a trailer. An empty range has the checksum 0 or 1,
 * which may be anything, so there must be more than four bytes. */
bool pare_chunk_layout_find_sum(const pare_chunk_tree *tree, const pare_chunk_link *link,
                                pare_chunk_layout *layout)
{
    enum { MOST_SUM_FROM = 8 };
    const uint32_t end = link->to - link->n_pads;
    if (end < link->at + link->width + PARE_CHUNK_SUM_BYTES) return false;
    pare_chunk_layout found = *layout;
    for (unsigned i = 0; i <= MOST_SUM_FROM + 1; i++) {
        found.sum_from = (unsigned char)(i > MOST_SUM_FROM ? PARE_CHUNK_SUM_WHOLE : i);
        const uint32_t from = pare_chunk_layout_sum_from(&found, link);
        if (from + PARE_CHUNK_SUM_BYTES >= end) continue;
        if (!is_summed(tree, from, end - PARE_CHUNK_SUM_BYTES, &found)) continue;
        found.trailer = PARE_CHUNK_SUM_BYTES;
        *layout = found;
        return true;
    }
    return false;
}
