/* Binary formats of chunks with lengths, laid out in a way that is drawn for each input.
 *
 * A file is a magic, the number of chunks (in some), and chunks: a tag, a length, bytes that say
 * nothing, content, a checksum (in some), zeros up to a multiple of four (in some).  In the nested
 * format chunks with the tag of a container hold chunks.
 *
 * Failures: a chunk of a needed tag whose content has a needed word; or two such in their order.  In
 * the nested format they are in a container in a container, or both in one container. */
#include <string.h>

#include "subject.h"

enum { MOST_DEPTH = 6, MOST_CONTENT = 90, CONTAINER = 'K', COUNT_BYTES = 2, SUM_BYTES = 4 };

/* ---- numbers ---------------------------------------------------------------------------------- */

static void put_number(pare_buffer *to, const struct chunk_layout *layout, unsigned width,
                       uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        const unsigned shift = 8 * (layout->big ? width - 1 - i : i);
        subject_bytes(to, &(unsigned char){(unsigned char)(value >> shift)}, 1);
    }
}

static void put_leb(pare_buffer *to, uint64_t value)
{
    for (; value > 127; value >>= 7)
        subject_bytes(to, &(unsigned char){(unsigned char)(value | 128)}, 1);
    subject_bytes(to, &(unsigned char){(unsigned char)value}, 1);
}

static bool read_number(struct scan *scan, const struct chunk_layout *layout, unsigned width,
                        uint64_t *value)
{
    if ((size_t)(scan->end - scan->at) < width) return false;
    *value = 0;
    for (unsigned i = 0; i < width; i++) {
        const uint64_t byte = (unsigned char)scan->at[i];
        *value |= byte << 8 * (layout->big ? width - 1 - i : i);
    }
    scan->at += width;
    return true;
}

static bool read_leb(struct scan *scan, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 35 && !scan_ends(scan); shift += 7) {
        const unsigned char byte = (unsigned char)*scan->at++;
        *value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

/* CRC-32 of RFC 1952, bit by bit. */
static uint32_t checksum(const char *bytes, size_t size)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        sum ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~sum;
}

/* ---- writing ---------------------------------------------------------------------------------- */

static void draw_layout(struct subject *subject)
{
    struct chunk_layout *layout = &subject->layout;
    const unsigned seed = subject->seed;
    layout->magic = subject_draw(subject, 12);
    layout->tag = 1 + subject_draw(subject, 4);
    layout->leb = seed == 3;
    layout->width = 1 + (seed + subject_draw(subject, 2)) % 4;
    layout->after = subject_draw(subject, 3);
    layout->trailer = seed == 4 ? SUM_BYTES : 0;
    layout->align = seed == 2 ? 4 : 1;
    layout->big = subject_draw(subject, 2);
    layout->whole = !layout->leb && subject_draw(subject, 3) == 0;
    layout->counted = seed % 2;
    const bool nested = subject->format->style != NULL;
    if (nested && layout->width < 2) layout->width = 2;
}

/* A chunk of the tag that `letter` tells. */
static void put_chunk(pare_buffer *to, const struct chunk_layout *layout, char letter,
                      const pare_buffer *content)
{
    static const char zeros[4] = {0};
    const size_t from = to->size;
    const size_t head = layout->tag + layout->width + layout->after;
    for (unsigned i = 0; i < layout->tag; i++)
        subject_bytes(to, &(char){(char)(letter + (i ? (char)i + 32 : 0))}, 1);
    if (layout->leb)
        put_leb(to, content->size);
    else
        put_number(to, layout, layout->width, content->size + (layout->whole ? head : 0));
    subject_bytes(to, zeros, layout->after);
    subject_bytes(to, content->data, content->size);
    if (layout->trailer)
        put_number(to, layout, SUM_BYTES, checksum(content->data, content->size));
    while ((to->size - from) % layout->align)
        subject_bytes(to, zeros, 1);
}

/* Content that says nothing, of any bytes or of words. */
static void put_content(struct subject *subject, pare_buffer *to)
{
    const unsigned n = 1 + subject_draw(subject, MOST_CONTENT);
    const bool words = subject_draw(subject, 2);
    for (size_t end = to->size + n; to->size < end;) {
        const char *word = subject_word(subject);
        if (words)
            subject_bytes(to, word, strlen(word));
        else
            subject_bytes(to, &(unsigned char){(unsigned char)subject_draw(subject, 256)}, 1);
    }
}

/* A chunk with needed word number i, with other bytes around it or alone. */
static void put_needed(struct subject *subject, pare_buffer *to, unsigned i, bool alone)
{
    pare_buffer content = {0};
    if (!alone) put_content(subject, &content);
    subject_bytes(&content, subject->needed[i], 4);
    if (!alone) put_content(subject, &content);
    if (content.size > 200) content.size = 200;
    put_chunk(to, &subject->layout, (char)('Q' + i), &content);
    pare_buffer_done(&content);
}

static void put_others(struct subject *subject, pare_buffer *to, unsigned n, unsigned depth)
{
    const bool nested = subject->format->style != NULL;
    while (n--) {
        pare_buffer content = {0};
        const bool holds = nested && depth < 3 && subject_draw(subject, 3) == 0;
        if (holds)
            put_others(subject, &content, 1 + subject_draw(subject, 5), depth + 1);
        else
            put_content(subject, &content);
        put_chunk(to, &subject->layout, holds ? CONTAINER : (char)('A' + subject_draw(subject, 8)),
                  &content);
        pare_buffer_done(&content);
    }
}

/* The needed chunks `from` .. `to`-1, in `depth` containers, with others or alone. */
static void put_held(struct subject *subject, pare_buffer *buffer, const unsigned range[2],
                     unsigned depth, bool alone)
{
    pare_buffer content = {0};
    if (depth) {
        if (!alone) put_others(subject, &content, 2, 2);
        put_held(subject, &content, range, depth - 1, alone);
        if (!alone) put_others(subject, &content, 2, 2);
        put_chunk(buffer, &subject->layout, CONTAINER, &content);
    } else {
        for (unsigned i = range[0]; i < range[1]; i++) {
            put_needed(subject, buffer, i, alone);
            if (!alone) put_others(subject, buffer, 2, 3);
        }
    }
    pare_buffer_done(&content);
}

static void put_file(struct subject *subject, pare_buffer *to, const pare_buffer *chunks,
                     unsigned n)
{
    static const char magic[] = "\x89" "FILE\r\n\x1a\x01\x00\x02\x00";
    subject_bytes(to, magic, subject->layout.magic);
    if (subject->layout.counted) put_number(to, &subject->layout, COUNT_BYTES, n);
    subject_bytes(to, chunks->data, chunks->size);
}

static void make_chunks(struct subject *subject)
{
    const bool nested = subject->format->style != NULL;
    const unsigned depth = !nested ? 0 : subject->failure == 0 ? 2 : 1;
    const unsigned n_places = !nested && subject->failure == 1 ? 2 : 1;
    pare_buffer chunks = {0}, smallest = {0};
    unsigned n = 0;
    draw_layout(subject);
    while (chunks.size < subject->size || subject->n_placed < n_places) {
        subject->input.size = chunks.size; /* what places count */
        const unsigned both[2] = {nested ? 0 : subject->n_placed,
                                  nested ? subject->failure + 1 : subject->n_placed + 1};
        if (subject_due(subject, n_places)) {
            pare_buffer held = {0};
            put_held(subject, &held, both, depth, false);
            subject_bytes(&chunks, held.data, held.size);
            pare_buffer_done(&held);
            n += depth ? 1 : 3; /* with the two after it */
        } else {
            put_others(subject, &chunks, 1, 0);
            n++;
        }
    }
    subject->input.size = 0;
    put_file(subject, &subject->input, &chunks, n);
    const unsigned all[2] = {0, subject->failure + 1};
    put_held(subject, &smallest, all, depth, true);
    put_file(subject, &subject->smallest, &smallest, depth ? 1 : all[1]);
    pare_buffer_done(&chunks);
    pare_buffer_done(&smallest);
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* What was met in the container that is read, and in those around it. */
struct reading {
    const struct subject *subject;
    unsigned depth, n_top;
    bool first[MOST_DEPTH];
    bool failed;
};

/* One head; *content is what it says. */
static bool read_chunk(struct scan *scan, const struct chunk_layout *layout, char *letter,
                       struct piece *content)
{
    const char *from = scan->at;
    uint64_t size, sum;
    if ((size_t)(scan->end - scan->at) < layout->tag) return false;
    *letter = *scan->at;
    for (unsigned i = 0; i < layout->tag; i++)
        if (*scan->at++ != (char)(*letter + (i ? (char)i + 32 : 0))) return false;
    if (layout->leb ? !read_leb(scan, &size) : !read_number(scan, layout, layout->width, &size))
        return false;
    const size_t head = layout->tag + layout->width + layout->after;
    if (layout->whole && size < head) return false;
    if (layout->whole) size -= head;
    if ((uint64_t)(scan->end - scan->at) < size + layout->after) return false;
    *content = (struct piece){scan->at + layout->after, size};
    scan->at += layout->after + size;
    if (layout->trailer && (!read_number(scan, layout, SUM_BYTES, &sum) ||
                            sum != checksum(content->text, content->size)))
        return false;
    for (; (size_t)(scan->at - from) % layout->align; scan->at++)
        if (scan_ends(scan) || *scan->at) return false;
    return true;
}

static void note_chunk(struct reading *reading, char letter, struct piece content)
{
    const struct subject *subject = reading->subject;
    const unsigned depth = reading->depth;
    const bool nested = subject->format->style != NULL;
    const unsigned least = !nested ? 0 : subject->failure == 0 ? 2 : 1;
    for (unsigned i = 0; i <= subject->failure; i++) {
        const char word[5] = {subject->needed[i][0], subject->needed[i][1], subject->needed[i][2],
                              subject->needed[i][3], '\0'};
        if (letter != (char)('Q' + i) || depth < least || !piece_has(content, word)) continue;
        if (i == subject->failure) reading->failed |= i == 0 || reading->first[depth];
        if (i == 0) reading->first[depth] = true;
    }
}

static bool read_chunks(struct reading *reading, struct scan scan)
{
    const bool nested = reading->subject->format->style != NULL;
    if (reading->depth == MOST_DEPTH) return false;
    reading->first[reading->depth] = false;
    while (!scan_ends(&scan)) {
        char letter;
        struct piece content;
        if (!read_chunk(&scan, &reading->subject->layout, &letter, &content)) return false;
        reading->n_top += reading->depth == 0;
        if (!nested || letter != CONTAINER) {
            note_chunk(reading, letter, content);
            continue;
        }
        reading->depth++;
        if (!read_chunks(reading, (struct scan){content.text, content.text + content.size}))
            return false;
        reading->depth--;
    }
    return true;
}

static bool chunks_fail(const struct subject *subject, const char *bytes, size_t size)
{
    const struct chunk_layout *layout = &subject->layout;
    struct scan scan = {bytes, bytes + size};
    struct reading reading = {.subject = subject};
    uint64_t n = 0;
    if (size < layout->magic) return false;
    if (layout->magic && memcmp(bytes, subject->smallest.data, layout->magic) != 0) return false;
    scan.at += layout->magic;
    if (layout->counted && !read_number(&scan, layout, COUNT_BYTES, &n)) return false;
    if (!read_chunks(&reading, scan)) return false;
    return reading.failed && (!layout->counted || n == reading.n_top);
}

static const bool HOLDS = true;

const struct format formats_of_chunks[] = {{"chunks", make_chunks, chunks_fail, NULL},
                                           {"nested chunks", make_chunks, chunks_fail, &HOLDS},
                                           {0}};
