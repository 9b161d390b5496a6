/* How binary formats write numbers, and the checksums that they keep. */
#ifndef PARE_REDUCE_BINARY_CHUNK_CODING_H
#define PARE_REDUCE_BINARY_CHUNK_CODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum pare_coding {
    PARE_CODING_LITTLE, /* 1 to 8 bytes, the least first */
    PARE_CODING_BIG,    /* 1 to 8 bytes, the greatest first */
    PARE_CODING_LEB,    /* 7 bits a byte, the least first; 0x80: more follow; may be padded */
    PARE_CODING_DER,    /* ASN.1's length: below 0x80 itself, else 0x80 + n and n bytes */
    PARE_CODING_HIGH, /* 7 bits a byte, the greatest first; 0x80: the last one; may be padded (Lua) */
    PARE_CODING_EBML, /* the greatest first; zeros before the first 1 say how many bytes follow the
                            first one; all other bits 1: not known, no number */
    PARE_CODING_DECIMAL, /* ASCII digits with blanks after them */
    PARE_CODING_OCTAL,   /* ASCII octal digits; the last byte is a blank or NUL */
    PARE_CODING_DIGITS,  /* as many ASCII digits as it takes, without zeros before them */
    PARE_CODING_ZEROS,   /* ASCII digits with zeros before them */
    PARE_CODING_IN_USE,  /* a letter of PDF: 'n' for 1, 'f' for 0 */
    PARE_CODING_FROM_14, /* bits 14 to 31 of 4 bytes, the least first; the others stay (instructions of Lua) */
    PARE_CODING_FROM_15, /* bits 15 to 31, the same */
    PARE_CODING_COLOURS /* a byte of GIF: how often 1 was doubled in the size of a table of colours, less 1,
                            in the low 3 bits; the high bit: there is one; the others stay */
} pare_coding;

enum { PARE_CODING_MOST_BYTES = 16 };

/* A number, and how many bytes it took. */
typedef struct pare_coded {
    uint64_t value;
    uint32_t width; /* bytes; 0: there was none */
} pare_coded;

/* The number at `bytes`, of which there are `n`.  `width` is that of a coding whose numbers all have
 * one; of the others it is not looked at. */
pare_coded pare_chunk_coding_read(pare_coding coding, uint32_t width, const unsigned char *bytes,
                                  size_t n);

/* Bytes of a number of EBML that begins so; 0: of none. */
uint32_t pare_chunk_coding_ebml_bytes(unsigned char first);

/* The fewest bytes by which `value` can be written; `width` if the coding's width is fixed. */
uint32_t pare_chunk_coding_width(pare_coding coding, uint32_t width, uint64_t value);

/* Writes `value` in `width` bytes; bits that have no place are lost.  What an octal number ends with
 * stays. */
void pare_chunk_coding_write(pare_coding coding, uint32_t width, uint64_t value, unsigned char *to);

/* The checksum of gzip, zip and PNG.  Source: RFC 1952. */
uint32_t pare_chunk_coding_crc32(const unsigned char *bytes, size_t n);

/* The checksum of Ogg, in which its own 4 bytes at `own` count as 0.  Source: RFC 3533. */
uint32_t pare_chunk_coding_crc32_ogg(const unsigned char *bytes, size_t n, size_t own);

/* The checksum of zlib.  Source: RFC 1950. */
uint32_t pare_chunk_coding_adler32(const unsigned char *bytes, size_t n);

/* `width` bytes, at most eight, of the SHA-1, after 8 * `part` of them, the greatest first. */
uint64_t pare_chunk_coding_sha1(const unsigned char *bytes, size_t n, uint32_t part,
                                uint32_t width);

/* The sum of bytes, as tar has it. */
uint32_t pare_chunk_coding_sum(const unsigned char *bytes, size_t n);

#endif
