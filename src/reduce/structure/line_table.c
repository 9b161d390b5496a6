/* Reads lines one after the other: memchr finds the ends, and of each line only its margin and
 * its first word are looked at byte by byte, so that most bytes are passed over at the speed of
 * memory.  What is at the end of a line is looked at by who asks.
 *
 * The first word of a line that begins with a closing bracket has the word after it as a part:
 * `} else {` is another kind of line than `}`.
 * Source: ours.  Test: tests/unit/test_structure.c. */
#include "reduce/structure/line_table.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/vector.h"

enum {
    TAB = 8,             /* columns */
    FARTHEST = 1 << 15,  /* columns and bytes of a margin that are told apart */
    MOST_PUNCTUATION = 4 /* bytes of a word before its letters */
};

/* Bytes from 0x80 on are taken for letters: of UTF-8 and of eight-bit encodings alike. */
bool pare_line_table_is_letter(unsigned char byte)
{
    return byte >= 0x80 || byte == '_' || isalnum(byte);
}

/* Whether the byte is a blank within a line. */
static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\f' || byte == '\v';
}

/* FNV-1a over the bytes with capital letters as small ones, so that `End` is `end`; 0 is kept for
 * blank lines. `seed` is the hash of what stands before, or 0. */
uint32_t pare_line_table_hash(const unsigned char *bytes, size_t size, uint32_t seed)
{
    uint32_t hash = seed ? seed : 2166136261u;
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = bytes[i];
        hash = (hash ^ (byte >= 'A' && byte <= 'Z' ? byte + 32u : byte)) * 16777619u;
    }
    return hash ? hash : 1;
}

/* Whether the letters that stand behind the punctuation from `bytes` on are the name of a tag: <x, </x. */
static bool is_tag(const unsigned char *bytes, const unsigned char *letters)
{
    const ptrdiff_t n = letters - bytes;
    return (n > 0 && letters[-1] == '<') || (n > 1 && letters[-1] == '/' && letters[-2] == '<');
}

/* The end of a tag's name, in which letters may be joined: of <xsl:call-template that of all of it. */
static const unsigned char *tag_end(const unsigned char *at, const unsigned char *end)
{
    while (at + 1 < end && (*at == ':' || *at == '-' || *at == '.') &&
           pare_line_table_is_letter(at[1]))
        for (at++; at < end && pare_line_table_is_letter(*at); at++) {
        }
    return at;
}

/* The first word of the bytes: letters after at most MOST_PUNCTUATION other bytes; after \begin and
 * the like with what is in the braces. `bytes` is NULL if there are only blanks.
 *
 * "  if (a)"          "if"           "</xsl:when>"     "</xsl:when"
 * "\begin{list} x"    "\begin{list}" "##### x"         "####", without letters */
pare_line_word pare_line_table_word(const unsigned char *bytes, const unsigned char *end)
{
    while (bytes < end && is_blank(*bytes))
        bytes++;
    const unsigned char *at = bytes, *letters;
    while (at < end && at - bytes < MOST_PUNCTUATION && !is_blank(*at) &&
           !pare_line_table_is_letter(*at))
        at++;
    letters = at;
    while (at < end && pare_line_table_is_letter(*at))
        at++;
    if (is_tag(bytes, letters)) at = tag_end(at, end);
    if (at > letters && *bytes == '\\' && at < end && *at == '{') {
        const unsigned char *brace = at;
        while (brace < end && *brace != '}')
            brace++;
        if (brace < end) at = brace + 1;
    }
    return (pare_line_word){bytes < end ? bytes : NULL, (size_t)(at - bytes)};
}

/* The last word of a line, from the end backwards: what is no letter is passed over, then letters
 * are taken. Of "x = begin;" it is "begin". */
pare_line_word pare_line_table_last_word(const pare_line_table *table, uint32_t line)
{
    assert(line < table->n_lines);
    const pare_line *of = &table->lines[line];
    const unsigned char *begin = table->bytes + of->begin + of->margin;
    const unsigned char *end = begin + of->content;
    while (end > begin && !pare_line_table_is_letter(end[-1]))
        end--;
    const unsigned char *at = end;
    while (at > begin && pare_line_table_is_letter(at[-1]))
        at--;
    return (pare_line_word){at < end ? at : NULL, (size_t)(end - at)};
}

/* Hash of the first word, 0 of a blank line; after a closing bracket that of the next one is put to
 * it, so that "} else {" and "}" are two kinds of lines. */
static uint32_t first_of(const unsigned char *bytes, const unsigned char *end)
{
    pare_line_word word = pare_line_table_word(bytes, end);
    if (!word.bytes) return 0;
    const bool closes = strchr(")]}", *word.bytes) != NULL;
    uint32_t hash = pare_line_table_hash(word.bytes, word.size, 0);
    if (!closes || pare_line_table_is_letter(word.bytes[word.size - 1])) return hash;
    word = pare_line_table_word(word.bytes + word.size, end);
    return word.bytes ? pare_line_table_hash(word.bytes, word.size, hash) : hash;
}

/* Fills in what the line from `at` to `end`, without its line end, shows. A tab goes on to the next
 * multiple of eight columns. A margin of more than FARTHEST is cut there, and the rest of it is
 * content. */
static pare_line look(const unsigned char *bytes, const unsigned char *at, const unsigned char *end)
{
    pare_line line = {.begin = (uint32_t)(at - bytes)};
    const unsigned char *from = at;
    uint32_t column = 0;
    for (; at < end && is_blank(*at) && at - from < FARTHEST && column < FARTHEST; at++)
        column = *at == '\t' ? column / TAB * TAB + TAB : column + 1;
    while (end > at && is_blank(end[-1]))
        end--;
    line.column = (uint16_t)column;
    line.margin = (uint16_t)(at - from);
    line.content = (uint32_t)(end - at);
    line.first = first_of(at, end);
    return line;
}

/* One entry more than there are lines, so that each line ends where the next entry begins. */
pare_status pare_line_table_read(const unsigned char *bytes, size_t size, pare_line_table *table,
                                 pare_error *err)
{
    pare_line *lines = NULL;
    size_t n = 0, capacity = 0;
    assert(size < UINT32_MAX);
    size_t look_at = 0;
    for (size_t at = 0; at <= size;) {
        if (pare_interrupt_asked_past(at, &look_at)) {
            pare_alloc_free(lines);
            return pare_interrupt_look(err);
        }
        pare_line *grown = pare_vector_grow(lines, n, &capacity, sizeof *lines);
        if (!grown) {
            pare_alloc_free(lines);
            return pare_fail_nomem(err);
        }
        lines = grown;
        if (at == size) {
            lines[n] = (pare_line){.begin = (uint32_t)size};
            break;
        }
        const unsigned char *feed = memchr(bytes + at, '\n', size - at);
        const size_t end = feed ? (size_t)(feed - bytes) : size;
        lines[n++] = look(bytes, bytes + at, bytes + end);
        at = feed ? end + 1 : size;
    }
    *table = (pare_line_table){.bytes = bytes, .lines = lines, .n_lines = (uint32_t)n};
    return PARE_OK;
}

void pare_line_table_done(pare_line_table *table)
{
    pare_alloc_free(table->lines);
    *table = (pare_line_table){.n_lines = 0};
}
