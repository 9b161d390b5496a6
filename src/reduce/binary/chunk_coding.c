/* Numbers as binary formats write them, and checksums.
 *
 * A reader never looks beyond the bytes that it was given; a number that does not fit 64 bits is
 * none.  What was read is written back to the same bytes by the same coding and width, except in
 * octal numbers: leading blanks become zeros, and a NUL before the last byte a digit ("012345",
 * NUL, blank of tar becomes "0012345", blank).  So the writer copies a number that does not change.
 * Sources: RFC 1950, RFC 1952, RFC 8794, X.690, the DWARF standard for LEB128, POSIX for ar and
 * tar. */
#include "reduce/binary/chunk_coding.h"

#include <assert.h>

#include "base/sha1.h"

/* ---- reading ------------------------------------------------------------------------------ */

/* A number of `width` bytes, 1 to 8; width 0 when there are fewer bytes than that. "01 02" is
 * 0x0102 read as big-endian, 0x0201 otherwise. */
static pare_coded read_fixed(bool big, uint32_t width, const unsigned char *bytes, size_t n)
{
    pare_coded coded = {0};
    if (width == 0 || width > 8 || n < width) return coded;
    for (uint32_t i = 0; i < width; i++)
        coded.value = coded.value << 8 | bytes[big ? i : width - 1 - i];
    coded.width = width;
    return coded;
}

/* Seven bits a byte, the lowest first; the high bit says that another byte follows.
 *
 * e5 8e 26      0x65 | 0x0e << 7 | 0x26 << 14 = 624485, width 3
 * 80 00         0, width 2: padding is allowed, and the width is kept when it is written back
 * ff ff ...     no end within ten bytes: no number, for ten hold all of 64 bits
 *
 * Of the tenth byte only the lowest bit has room: with another one it is no number, and would be
 * another number if it was written back. */
static pare_coded read_leb(const unsigned char *bytes, size_t n)
{
    pare_coded coded = {0};
    for (uint32_t i = 0; i < n && i < 10; i++) {
        if (i == 9 && bytes[i] > 1) break;
        coded.value |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
        if (bytes[i] & 0x80) continue;
        coded.width = i + 1;
        return coded;
    }
    return (pare_coded){0};
}

/* Seven bits a byte, the highest first; the high bit says that it was the last one: 02 80 is 256. */
static pare_coded read_high(const unsigned char *bytes, size_t n)
{
    pare_coded coded = {0};
    for (uint32_t i = 0; i < n && i < 9; i++) {
        coded.value = coded.value << 7 | (bytes[i] & 0x7f);
        if (!(bytes[i] & 0x80)) continue;
        coded.width = i + 1;
        return coded;
    }
    return (pare_coded){0};
}

/* The length of a value of ASN.1.
 *
 * 05            5, width 1
 * 82 01 00      two bytes follow: 256, width 3
 * 80            indefinite: the content ends at a mark. No number that could be corrected; here
 *               read_fixed refuses a width of 0
 * 89 ...        more than eight bytes: no number */
static pare_coded read_der(const unsigned char *bytes, size_t n)
{
    if (!n) return (pare_coded){0};
    if (bytes[0] < 0x80) return (pare_coded){.value = bytes[0], .width = 1};
    pare_coded coded = read_fixed(true, bytes[0] & 0x7fU, bytes + 1, n - 1);
    if (coded.width) coded.width++;
    return coded;
}

/* The zero bits before the first 1 are counted: 1xxxxxxx is one byte, 01xxxxxx two, 00000001 eight.
 * A first byte of 0 would need nine or more, which EBML does not allow for lengths and numbers. */
uint32_t pare_chunk_coding_ebml_bytes(unsigned char first)
{
    uint32_t n = 1;
    if (!first) return 0;
    for (; !(first & 0x80); first = (unsigned char)(first << 1))
        n++;
    return n;
}

/* The greatest value of that width, all its bits set: 0x7f of one byte, 0x3fff of two. It means
 * "size not known", so a length has to be smaller, and takes a wider form when it would be equal.
 */
static uint64_t ebml_limit(uint32_t width)
{
    return (UINT64_C(1) << 7 * width) - 1;
}

/* 81 is 1; 40 01 is 1, too, in two bytes; ff is "not known", no number. The masked limit removes
 * the bit that told the width. */
static pare_coded read_ebml(const unsigned char *bytes, size_t n)
{
    const uint32_t width = n ? pare_chunk_coding_ebml_bytes(bytes[0]) : 0;
    pare_coded coded = read_fixed(true, width, bytes, n);
    if (!coded.width) return coded;
    coded.value &= ebml_limit(width);
    return coded.value == ebml_limit(width) ? (pare_coded){0} : coded;
}

/* Digits of a base, with blanks around them, in all of `width` bytes, as the headers of archives
 * have them. At least one digit is needed, and nothing else may stand there:
 *
 * "13        "    base 10, width 10: 13 (ar)
 * "00000000015\0" base 8, width 12: 13 (tar)
 * "001234\0 "     base 8, width 8: 668 (the checksum of tar)
 * "12a "          no number */
static pare_coded read_digits(unsigned base, uint32_t width, const unsigned char *bytes, size_t n)
{
    pare_coded coded = {0};
    uint32_t i = 0, n_digits = 0;
    if (!width || width > PARE_CODING_MOST_BYTES || n < width) return coded;
    while (i < width && bytes[i] == ' ')
        i++;
    for (; i < width && bytes[i] >= '0' && bytes[i] < '0' + base; i++, n_digits++)
        coded.value = coded.value * base + (unsigned)(bytes[i] - '0');
    while (i < width && (bytes[i] == ' ' || bytes[i] == 0))
        i++;
    if (i == width && n_digits) coded.width = width;
    return coded;
}

/* As many digits as there are: the width follows from them. "120 0 obj" gives 120, width 3. A zero
 * before another digit is refused ("007"), because writing 7 again would take one byte, not three;
 * that form is PARE_CODING_ZEROS. More than 16 digits are refused, too, and not read wrongly. */
static pare_coded read_free_digits(const unsigned char *bytes, size_t n)
{
    pare_coded coded = {0};
    for (; coded.width < n && bytes[coded.width] >= '0' && bytes[coded.width] <= '9'; coded.width++)
        if (coded.width < PARE_CODING_MOST_BYTES)
            coded.value = coded.value * 10 + (unsigned)(bytes[coded.width] - '0');
    const bool zeros = coded.width > 1 && bytes[0] == '0';
    return zeros || coded.width > PARE_CODING_MOST_BYTES ? (pare_coded){0} : coded;
}

/* Digits and nothing else, in all of `width` bytes, as in the table of a PDF: "0000000015" is 15.
 * The width stays when the number becomes smaller. */
static pare_coded read_zeros(uint32_t width, const unsigned char *bytes, size_t n)
{
    pare_coded coded = {0};
    if (!width || width > PARE_CODING_MOST_BYTES || n < width) return coded;
    for (uint32_t i = 0; i < width; i++) {
        if (bytes[i] < '0' || bytes[i] > '9') return (pare_coded){0};
        coded.value = coded.value * 10 + (unsigned)(bytes[i] - '0');
    }
    coded.width = width;
    return coded;
}

/* The letter that ends an entry of a PDF's table: 'n', the object is there, is 1; 'f', free, is 0.
 */
static pare_coded read_in_use(const unsigned char *bytes, size_t n)
{
    if (!n || (bytes[0] != 'n' && bytes[0] != 'f')) return (pare_coded){0};
    return (pare_coded){.value = bytes[0] == 'n', .width = 1};
}

/* A flags byte of GIF: 0xf7 has the high bit and 7 in the low three, so a table of 2^(7+1) = 256
 * colours, and the value 8. Without the high bit there is no table: 0. */
static pare_coded read_colours(const unsigned char *bytes, size_t n)
{
    if (!n) return (pare_coded){0};
    return (pare_coded){.value = bytes[0] & 0x80 ? (bytes[0] & 7U) + 1 : 0, .width = 1};
}

/* Bits `first` to 31 of four bytes: 24 00 01 00 from bit 14 on is 4. */
static pare_coded read_bits(unsigned first, const unsigned char *bytes, size_t n)
{
    pare_coded coded = read_fixed(false, 4, bytes, n);
    coded.value >>= first;
    return coded;
}

pare_coded pare_chunk_coding_read(pare_coding coding, uint32_t width, const unsigned char *bytes,
                                  size_t n)
{
    switch (coding) {
    case PARE_CODING_LITTLE: return read_fixed(false, width, bytes, n);
    case PARE_CODING_BIG: return read_fixed(true, width, bytes, n);
    case PARE_CODING_LEB: return read_leb(bytes, n);
    case PARE_CODING_HIGH: return read_high(bytes, n);
    case PARE_CODING_DER: return read_der(bytes, n);
    case PARE_CODING_EBML: return read_ebml(bytes, n);
    case PARE_CODING_DECIMAL: return read_digits(10, width, bytes, n);
    case PARE_CODING_DIGITS: return read_free_digits(bytes, n);
    case PARE_CODING_ZEROS: return read_zeros(width, bytes, n);
    case PARE_CODING_IN_USE: return read_in_use(bytes, n);
    case PARE_CODING_COLOURS: return read_colours(bytes, n);
    case PARE_CODING_FROM_14: return read_bits(14, bytes, n);
    case PARE_CODING_FROM_15: return read_bits(15, bytes, n);
    case PARE_CODING_OCTAL: break;
    }
    return read_digits(8, width, bytes, n);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Only codings whose length depends on the value answer something other than `width`. 128 takes two
 * bytes in LEB (80 01), in DER (81 80) and in EBML (40 80), and three as digits. */
uint32_t pare_chunk_coding_width(pare_coding coding, uint32_t width, uint64_t value)
{
    uint32_t n = 1;
    if (coding == PARE_CODING_LEB || coding == PARE_CODING_HIGH) {
        for (; value >= 0x80; value >>= 7)
            n++;
        return n;
    }
    if (coding == PARE_CODING_EBML) {
        while (n < 8 && value >= ebml_limit(n))
            n++;
        return n;
    }
    if (coding == PARE_CODING_DIGITS) {
        for (; value >= 10; value /= 10)
            n++;
        return n;
    }
    if (coding != PARE_CODING_DER) return width;
    /* DER: a byte that tells how many follow (`n` begins as 1), and these. */
    if (value < 0x80) return 1;
    for (; value; value >>= 8)
        n++;
    return n;
}

/* The last digits of a value; those that have no room are lost. The last byte, a blank or NUL,
 * stays as it is, so that 13 in 12 bytes is "00000000015" and what ended the old number. */
static void write_octal(uint32_t width, uint64_t value, unsigned char *to)
{
    for (uint32_t i = width - 1; i-- > 0; value >>= 3)
        to[i] = (unsigned char)('0' + (value & 7));
}

/* Digits at the left, blanks after them: 13 in ten bytes is "13        ". It is written from the
 * right, blanks first, until the place of the lowest digit is reached. */
static void write_decimal(uint32_t width, uint64_t value, unsigned char *to)
{
    uint32_t n = 1;
    for (uint64_t rest = value; rest >= 10; rest /= 10)
        n++;
    for (uint32_t i = width; i-- > 0;) {
        to[i] = ' ';
        if (i >= n) continue;
        to[i] = (unsigned char)('0' + value % 10);
        value /= 10;
    }
}

/* Zeros before a value that takes fewer digits. */
static void write_digits(uint32_t width, uint64_t value, unsigned char *to)
{
    for (uint32_t i = width; i-- > 0; value /= 10)
        to[i] = (unsigned char)('0' + value % 10);
}

/* The lowest byte is written first, at whichever end it belongs: `i` is its place from there. */
static void write_fixed(bool big, uint32_t width, uint64_t value, unsigned char *to)
{
    for (uint32_t i = 0; i < width; i++, value = i < 8 ? value >> 8 : 0)
        to[big ? width - 1 - i : i] = (unsigned char)value;
}

/* The high bit is set in all bytes but the last one, also in those that only pad: 0 in two bytes is
 * 80 00, as some linkers write it to fill the number in afterwards. */
static void write_leb(uint32_t width, uint64_t value, unsigned char *to)
{
    for (uint32_t i = 0; i < width; i++, value >>= 7)
        to[i] = (unsigned char)((value & 0x7f) | (i + 1 < width ? 0x80U : 0));
}

/* The high bit is set in the last byte alone: 0 in two bytes is 00 80. */
static void write_high(uint32_t width, uint64_t value, unsigned char *to)
{
    for (uint32_t i = width; i-- > 0; value >>= 7)
        to[i] = (unsigned char)((value & 0x7f) | (i + 1 < width ? 0 : 0x80U));
}

/* The bits between the high one and the low three (depth, order) belong to others and stay. A value
 * above 8, more than 256 colours, cannot be said; a value of 0 clears the bit of the table. */
static void write_colours(uint64_t value, unsigned char *to)
{
    const uint64_t most = value > 8 ? 8 : value;
    *to = (unsigned char)((*to & 0x78U) | (most ? 0x80U | (most - 1) : 0));
}

/* Bits below `first` stay. */
static void write_bits(unsigned first, uint64_t value, unsigned char *to)
{
    const uint64_t below = read_fixed(false, 4, to, 4).value & ((1U << first) - 1);
    write_fixed(false, 4, (value << first & UINT32_MAX) | below, to);
}

/* DER: a length below 128 is one byte; else the first byte tells how many bytes of it follow,
 * big-endian. */
void pare_chunk_coding_write(pare_coding coding, uint32_t width, uint64_t value, unsigned char *to)
{
    assert(width > 0 && width <= PARE_CODING_MOST_BYTES);
    switch (coding) {
    case PARE_CODING_LITTLE: write_fixed(false, width, value, to); break;
    case PARE_CODING_BIG: write_fixed(true, width, value, to); break;
    case PARE_CODING_LEB: write_leb(width, value, to); break;
    case PARE_CODING_HIGH: write_high(width, value, to); break;
    /* The bit after the value's 7 * width bits tells the width, as pare_chunk_coding_ebml_bytes
     * reads it. */
    case PARE_CODING_EBML:
        write_fixed(true, width, (value & ebml_limit(width)) | UINT64_C(1) << 7 * width, to);
        break;
    case PARE_CODING_DECIMAL: write_decimal(width, value, to); break;
    case PARE_CODING_OCTAL: write_octal(width, value, to); break;
    case PARE_CODING_DIGITS:
    case PARE_CODING_ZEROS: write_digits(width, value, to); break;
    case PARE_CODING_IN_USE: *to = value ? 'n' : 'f'; break;
    case PARE_CODING_COLOURS: write_colours(value, to); break;
    case PARE_CODING_FROM_14: write_bits(14, value, to); break;
    case PARE_CODING_FROM_15: write_bits(15, value, to); break;
    case PARE_CODING_DER:
        if (width == 1) {
            to[0] = (unsigned char)(value & 0x7f);
            break;
        }
        to[0] = (unsigned char)(0x80 + width - 1);
        write_fixed(true, width - 1, value, to + 1);
    }
}

/* ---- checksums ---------------------------------------------------------------------------- */

/* Four bits at a time: a table of sixteen words needs no set-up, and files here are small. */
uint32_t pare_chunk_coding_crc32(const unsigned char *bytes, size_t n)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                       0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = ~UINT32_C(0);
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

/* The same polynomial, the highest bit first, and nothing inverted. */
uint32_t pare_chunk_coding_crc32_ogg(const unsigned char *bytes, size_t n, size_t own)
{
    static const uint32_t table[16] = {0x00000000, 0x04c11db7, 0x09823b6e, 0x0d4326d9,
                                       0x130476dc, 0x17c56b6b, 0x1a864db2, 0x1e475005,
                                       0x2608edb8, 0x22c9f00f, 0x2f8ad6d6, 0x2b4bcb61,
                                       0x350c9b64, 0x31cd86d3, 0x3c8ea00a, 0x384fbdbd};
    uint32_t crc = 0;
    for (size_t i = 0; i < n; i++) {
        crc ^= i < own || i >= own + 4 ? (uint32_t)bytes[i] << 24 : 0;
        crc = crc << 4 ^ table[crc >> 28];
        crc = crc << 4 ^ table[crc >> 28];
    }
    return crc;
}

uint32_t pare_chunk_coding_adler32(const unsigned char *bytes, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* A digest has 20 bytes and a number at most 8, so a digest is three fields: parts 0 and 1 of 8
 * bytes, part 2 of 4. Each of them computes the digest anew. */
uint64_t pare_chunk_coding_sha1(const unsigned char *bytes, size_t n, uint32_t part, uint32_t width)
{
    uint8_t digest[PARE_SHA1_BYTES];
    assert(width <= 8 && 8 * part + width <= PARE_SHA1_BYTES);
    pare_sha1(bytes, n, digest);
    return read_fixed(true, width, digest + 8 * part, width).value;
}

uint32_t pare_chunk_coding_sum(const unsigned char *bytes, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += bytes[i];
    return sum;
}
