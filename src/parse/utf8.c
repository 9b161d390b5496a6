/* UTF-8 decoding with replacement of maximal malformed parts.
 * Source: The Unicode Standard, table 3-7 (well-formed byte sequences). */
#include "parse/utf8.h"

/* Length of the sequence that `lead` opens and the range of its second byte; 0: none. */
static size_t sequence(unsigned char lead, unsigned char *least, unsigned char *most)
{
    *least = 0x80;
    *most = 0xBF;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    if (lead < 0xE0) return 2;
    if (lead == 0xE0) *least = 0xA0;
    if (lead == 0xED) *most = 0x9F;
    if (lead < 0xF0) return 3;
    if (lead == 0xF0) *least = 0x90;
    if (lead == 0xF4) *most = 0x8F;
    return 4;
}

size_t pare_utf8_decode(const char *bytes, size_t size, uint32_t *point)
{
    unsigned char lead = (unsigned char)bytes[0], least, most;
    *point = lead;
    if (lead < 0x80) return 1;
    *point = PARE_UTF8_REPLACEMENT;
    size_t length = sequence(lead, &least, &most);
    if (length == 0) return 1;
    uint32_t value = lead & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        unsigned char next = i < size ? (unsigned char)bytes[i] : 0;
        if (next < least || next > most) return i;
        value = value << 6 | (next & 0x3Fu);
        least = 0x80;
        most = 0xBF;
    }
    *point = value;
    return length;
}
