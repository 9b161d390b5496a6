/* String literals for the options that scripts are called with.
 *
 * Engines differ in the encoding that they assume for source text, and in what ends a line (U+2028
 * does in some), so a literal is ASCII: everything else is written as UTF-16 units.  Invariant: for
 * any bytes the result is one literal, and no part of it is read as code. */
#include "generate/discovery/scripts.h"

#include <stdint.h>

#include <utf8proc.h>

/* Appends the escape of a character: one UTF-16 unit or two. */
static pare_status add_escape(pare_buffer *script, uint32_t point, pare_error *err)
{
    if (point < 0x10000) return pare_buffer_format(script, err, "\\u%04x", point);
    point -= 0x10000;
    return pare_buffer_format(script, err, "\\u%04x\\u%04x", 0xd800 + (point >> 10),
                              0xdc00 + (point & 0x3ff));
}

/* As ASCII: an engine may read its scripts as Latin-1. */
pare_status pare_scripts_add_literal(pare_buffer *script, const char *text, size_t size,
                                     pare_error *err)
{
    pare_status status = pare_buffer_text(script, "\"", err);
    for (size_t at = 0; at < size && !status;) {
        utf8proc_int32_t point;
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                                              (utf8proc_ssize_t)(size - at), &point);
        if (n <= 0) point = 0xfffd;
        bool plain = point >= 0x20 && point < 0x7f && point != '"' && point != '\\';
        status = plain ? pare_buffer_add(script, text + at, 1, err)
                       : add_escape(script, (uint32_t)point, err);
        at += n > 0 ? (size_t)n : 1;
    }
    return status ? status : pare_buffer_text(script, "\"", err);
}
