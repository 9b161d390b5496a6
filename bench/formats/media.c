/* Binary formats as they are met: the chunks of a PNG, and the boxes of an MP4.
 *
 * An image is a signature and chunks: a big-endian length, a name, content, and a CRC-32 of the name
 * and the content.  It begins with IHDR and ends with IEND.
 * A film is boxes: a big-endian length that counts itself and the name, a name, content; those called
 * moov, trak and meta hold boxes.  An stco in it lists the positions of samples in the file, each of
 * which begins with a mark.
 *
 * Failures: a chunk or box of a needed name whose content has a needed word; or two such in their
 * order.  Of a film the first is two boxes deep, and the second needs a sample that an stco points to. */
#include <string.h>

#include "subject.h"

enum { MOST_CONTENT = 120, HEAD = 8, SUM_BYTES = 4, MOST_DEPTH = 8, MARK_BYTES = 4 };

static const char SIGNATURE[] = "\x89PNG\r\n\x1a\n";
static const char MARK[] = "\xff\xfbsm";

static void put_big(pare_buffer *to, uint32_t value)
{
    const unsigned char bytes[] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                                   (unsigned char)(value >> 8), (unsigned char)value};
    subject_bytes(to, bytes, sizeof bytes);
}

static uint32_t big(const char *at)
{
    const unsigned char *bytes = (const unsigned char *)at;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
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

/* Bytes that say nothing. */
static void put_content(struct subject *subject, pare_buffer *to)
{
    for (unsigned n = 1 + subject_draw(subject, MOST_CONTENT); n; n--)
        subject_bytes(to, &(unsigned char){(unsigned char)subject_draw(subject, 255)}, 1);
}

/* ---- images ----------------------------------------------------------------------------------- */

static void put_chunk(pare_buffer *to, const char *name, const pare_buffer *content)
{
    put_big(to, (uint32_t)content->size);
    const size_t from = to->size;
    subject_bytes(to, name, 4);
    subject_bytes(to, content->data, content->size);
    put_big(to, checksum(to->data + from, to->size - from));
}

/* The chunk with needed word `i`; `alone`: nothing else is in it. */
static void put_needed(struct subject *subject, pare_buffer *to, unsigned i, bool alone)
{
    pare_buffer content = {0};
    if (!alone) put_content(subject, &content);
    subject_bytes(&content, subject->needed[i], 4);
    if (!alone) put_content(subject, &content);
    put_chunk(to, i ? "zTXt" : "tEXt", &content);
    pare_buffer_done(&content);
}

static void put_header(pare_buffer *to)
{
    static char header[] = "\0\0\0\1\0\0\0\1\10\0\0\0";
    const pare_buffer content = {.data = header, .size = 13};
    subject_bytes(to, SIGNATURE, HEAD);
    put_chunk(to, "IHDR", &content);
}

static void make_image(struct subject *subject)
{
    static const char *const names[] = {"IDAT", "gAMA", "tIME", "iTXt"};
    const pare_buffer none = {0};
    const unsigned n_needed = subject->failure + 1;
    put_header(&subject->input);
    put_header(&subject->smallest);
    while (!subject_full(subject) || subject->n_placed < n_needed) {
        pare_buffer content = {0};
        put_content(subject, &content);
        put_chunk(&subject->input, names[subject_draw(subject, 4)], &content);
        pare_buffer_done(&content);
        const unsigned i = subject->n_placed;
        if (!subject_due(subject, n_needed)) continue;
        put_needed(subject, &subject->input, i, false);
        put_needed(subject, &subject->smallest, i, true);
    }
    put_chunk(&subject->input, "IEND", &none);
    put_chunk(&subject->smallest, "IEND", &none);
}

/* Whether the content has the first four letters of needed word `i`. */
static bool has_needed(const struct subject *subject, struct piece content, unsigned i)
{
    return memmem(content.text, content.size, subject->needed[i], 4) != NULL;
}

static bool image_fails(const struct subject *subject, const char *bytes, size_t size)
{
    const size_t header = HEAD + 13 + HEAD + SUM_BYTES;
    unsigned met = 0;
    if (size < header || memcmp(bytes, subject->smallest.data, header) != 0) return false;
    for (size_t at = header; size - at >= HEAD + SUM_BYTES;) {
        const uint32_t n = big(bytes + at);
        const char *name = bytes + at + 4;
        if (n > size - at - HEAD - SUM_BYTES) return false;
        if (checksum(name, (size_t)n + 4) != big(name + 4 + n)) return false;
        at += HEAD + n + SUM_BYTES;
        if (memcmp(name, "IEND", 4) == 0) return n == 0 && at == size && met > subject->failure;
        const bool due = met <= subject->failure && memcmp(name, met ? "zTXt" : "tEXt", 4) == 0;
        if (due && has_needed(subject, (struct piece){name + 4, n}, met)) met++;
    }
    return false;
}

/* ---- films ------------------------------------------------------------------------------------ */

static void put_box(pare_buffer *to, const char *name, const pare_buffer *content)
{
    put_big(to, (uint32_t)(content->size + HEAD));
    subject_bytes(to, name, 4);
    subject_bytes(to, content->data, content->size);
}

static void put_other_boxes(struct subject *subject, pare_buffer *to, unsigned n, unsigned depth)
{
    static const char *const names[] = {"free", "udta", "hdlr", "stsd", "moov", "trak", "meta"};
    while (n--) {
        pare_buffer content = {0};
        const char *name = names[subject_draw(subject, depth < 3 ? 7 : 4)];
        if (strstr("moov trak meta", name))
            put_other_boxes(subject, &content, 1 + subject_draw(subject, 4), depth + 1);
        else
            put_content(subject, &content);
        put_box(to, name, &content);
        pare_buffer_done(&content);
    }
}

/* The box with the needed word in two others. */
static void put_deep(struct subject *subject, pare_buffer *to, bool alone)
{
    pare_buffer word = {0}, trak = {0}, moov = {0};
    if (!alone) put_content(subject, &word);
    subject_bytes(&word, subject->needed[0], 4);
    if (!alone) put_content(subject, &word);
    if (!alone) put_other_boxes(subject, &trak, 2, 2);
    put_box(&trak, "name", &word);
    if (!alone) put_other_boxes(subject, &trak, 2, 2);
    put_box(&moov, "trak", &trak);
    if (!alone) put_other_boxes(subject, &moov, 2, 1);
    put_box(to, "moov", &moov);
    pare_buffer_done(&word);
    pare_buffer_done(&trak);
    pare_buffer_done(&moov);
}

/* A list of positions, and boxes until they are due; each is of a mark in the mdat at the end. */
static void put_samples(struct subject *subject, pare_buffer *to, unsigned n, bool alone)
{
    pare_buffer stco = {0}, data = {0}, between = {0};
    if (!alone) put_other_boxes(subject, &between, 4, 0);
    const size_t begin = to->size + HEAD + 4 + 4 * (size_t)n + between.size + HEAD;
    put_big(&stco, n);
    for (unsigned i = 0; i < n; i++) {
        if (!alone) put_content(subject, &data);
        put_big(&stco, (uint32_t)(begin + data.size));
        subject_bytes(&data, MARK, MARK_BYTES);
        subject_bytes(&data, i == n - 1 ? subject->needed[1] : "none", 4);
    }
    if (!alone) put_content(subject, &data);
    put_box(to, "stco", &stco);
    subject_bytes(to, between.data, between.size);
    put_box(to, "mdat", &data);
    pare_buffer_done(&stco);
    pare_buffer_done(&data);
    pare_buffer_done(&between);
}

static void make_film(struct subject *subject)
{
    while (!subject_full(subject) || subject->n_placed < 1) {
        put_other_boxes(subject, &subject->input, 1, 0);
        if (!subject_due(subject, 1) || subject->failure) continue;
        put_deep(subject, &subject->input, false);
    }
    if (!subject->failure) {
        put_deep(subject, &subject->smallest, true);
    } else {
        put_samples(subject, &subject->input, 5, false);
        put_samples(subject, &subject->smallest, 1, true);
    }
}

/* What is read of a film. */
struct film {
    const struct subject *subject;
    const char *bytes;
    size_t size;
    size_t from, to; /* the content of the mdat */
    bool failed;
};

/* Finds the last mdat that is in no other box. */
static void find_samples(struct film *film)
{
    for (size_t at = 0; film->size - at >= HEAD;) {
        const uint32_t n = big(film->bytes + at);
        if (n < HEAD || n > film->size - at) return;
        if (memcmp(film->bytes + at + 4, "mdat", 4) == 0) {
            film->from = at + HEAD;
            film->to = at + n;
        }
        at += n;
    }
}

/* Whether each position is one of a mark in the mdat; one of the needed word fails. */
static bool read_positions(struct film *film, struct piece content)
{
    if (content.size < 4 || (content.size - 4) / 4 != big(content.text) || content.size % 4)
        return false;
    for (size_t i = 4; i < content.size; i += 4) {
        const uint32_t at = big(content.text + i);
        if (at < film->from || at > film->to || film->to - at < MARK_BYTES + 4) return false;
        if (memcmp(film->bytes + at, MARK, MARK_BYTES) != 0) return false;
        if (memcmp(film->bytes + at + MARK_BYTES, film->subject->needed[1], 4) == 0)
            film->failed |= film->subject->failure == 1;
    }
    return true;
}

static bool read_boxes(struct film *film, struct piece boxes, unsigned depth)
{
    while (boxes.size) {
        if (boxes.size < HEAD || depth == MOST_DEPTH) return false;
        const uint32_t n = big(boxes.text);
        const char *name = boxes.text + 4;
        if (n < HEAD || n > boxes.size) return false;
        const struct piece content = {boxes.text + HEAD, n - HEAD};
        const bool holds = memcmp(name, "moov", 4) == 0 || memcmp(name, "trak", 4) == 0 ||
                           memcmp(name, "meta", 4) == 0;
        if (holds && !read_boxes(film, content, depth + 1)) return false;
        if (memcmp(name, "stco", 4) == 0 && !read_positions(film, content)) return false;
        if (memcmp(name, "name", 4) == 0 && depth >= 2 && !film->subject->failure)
            film->failed |= has_needed(film->subject, content, 0);
        boxes = (struct piece){boxes.text + n, boxes.size - n};
    }
    return true;
}

static bool film_fails(const struct subject *subject, const char *bytes, size_t size)
{
    struct film film = {.subject = subject, .bytes = bytes, .size = size};
    find_samples(&film);
    return read_boxes(&film, (struct piece){bytes, size}, 0) && film.failed;
}

const struct format formats_of_media[] = {{"images", make_image, image_fails, NULL},
                                          {"films", make_film, film_fails, NULL},
                                          {0}};
