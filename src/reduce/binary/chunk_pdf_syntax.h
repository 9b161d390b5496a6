/* The syntax of PDF's objects: where a value ends, what a dictionary holds. */
#ifndef PARE_REDUCE_BINARY_CHUNK_PDF_SYNTAX_H
#define PARE_REDUCE_BINARY_CHUNK_PDF_SYNTAX_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that are read, up to `end`. */
typedef struct pare_pdf_text {
    const unsigned char *bytes; /* borrowed */
    uint32_t end;
} pare_pdf_text;

typedef enum pare_pdf_kind {
    PARE_PDF_NONE, /* no value begins there */
    PARE_PDF_WORD, /* a number, a name, true, null, ... */
    PARE_PDF_STRING,
    PARE_PDF_LIST,
    PARE_PDF_DICTIONARY,
    PARE_PDF_REFERENCE /* "12 0 R" */
} pare_pdf_kind;

/* A value, from its first byte to behind its last one. */
typedef struct pare_pdf_value {
    pare_pdf_kind kind;
    uint32_t from, to;
} pare_pdf_value;

/* Whether a byte ends a word. */
bool pare_chunk_pdf_syntax_is_blank(unsigned char byte);

/* Behind the blanks and comments at `at`. */
uint32_t pare_chunk_pdf_syntax_skip_blanks(const pare_pdf_text *text, uint32_t at);

/* Whether `word` stands at `at`. */
bool pare_chunk_pdf_syntax_has(const pare_pdf_text *text, uint32_t at, const char *word);

/* Behind the digits at `at`, and their value, which ends at UINT32_MAX. */
uint32_t pare_chunk_pdf_syntax_digits(const pare_pdf_text *text, uint32_t at, uint32_t *value);

/* The value at `at`, which is no blank; kind NONE: there is none, or it does not end, or is nested too deep. */
pare_pdf_value pare_chunk_pdf_syntax_value(const pare_pdf_text *text, uint32_t at);

/* Goes through what a list or dictionary holds: `*at` begins as its `from`.  Each time an item: `*from` is where it
 * begins, the name of an entry, *value what it holds; it ends where the next one begins, or what holds them all does.
 * False: there are no more. */
bool pare_chunk_pdf_syntax_next(const pare_pdf_text *text, const pare_pdf_value *holder,
                                uint32_t *at, uint32_t *from, pare_pdf_value *value);

/* The value of the entry `name` ("/Length") of a dictionary; kind NONE: it has none, or is no dictionary. */
pare_pdf_value pare_chunk_pdf_syntax_find(const pare_pdf_text *text,
                                          const pare_pdf_value *dictionary, const char *name);

#endif
