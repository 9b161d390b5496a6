/* The picture of an explanation.
 *
 * Lines are numbered, unless there is only one and it fits; a line that is longer than a row is
 * continued after "...".  Below each row are marks: under bytes that may be different, and none
 * under needed ones.  Invisible characters (a tab, a blank at the end of a line) are shown as C
 * escapes, with a mark for each column.
 *
 * Invariant: bytes of the result are printed visibly and move no cursor (pare_visible_character).
 * Tested by tests/cli/test_explain.sh. */
#include "cli/explain_picture.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/visible.h"
#include "ui/part_words.h"

/* Of a text or bytes that are shown with marks; more would be no picture.  DUMP_ROWS
 * and DUMP_BYTES are of bytes. */
enum {
    MOST_MARKED = 4096, /* bytes of a text that is shown with marks */
    MARKED_COLUMNS = 76,
    GUTTER = 5,      /* columns of numbers of lines, with two blanks */
    DUMP_BYTES = 16, /* of a row of digits */
    MOST_DUMPED = 4096,
    MOST_DUMP_ROWS = 40
};

/* ---- marks ---------------------------------------------------------------------------- */

/* What stands under a byte of the part: a mark where it may be another one, a blank
 * where it is needed. */
static char mark_of(const pare_explanation *explanation, const pare_explained_part *part)
{
    switch (part->verdict) {
    case PARE_PART_ANY:
    case PARE_PART_RENAME: return '~';
    case PARE_PART_RANGE: return '^';
    case PARE_PART_UNTRIED: return '?';
    case PARE_PART_NEEDED: break;
    }
    return pare_part_words_is_partly(explanation, part) ? '*' : ' ';
}

/* Marks of all bytes; an inner part is marked over the one that holds it.  A list that may have more rounds is
 * not marked: its bytes may not be others; nor is a piece of program in whose place some others fail, since its
 * parts may be needed. */
static void mark_bytes(const pare_explanation *explanation, char *marks, size_t size)
{
    memset(marks, ' ', size);
    for (size_t i = 0; i < explanation->n_places; i++) {
        const pare_explained_place *place = &explanation->places[i];
        const pare_explained_part *part = &explanation->parts[place->part];
        if (!pare_part_words_is_listed(part) || pare_part_words_is_sampled_as(part, "repeat") ||
            (part->is_node && part->verdict == PARE_PART_NEEDED))
            continue;
        for (size_t k = place->from; k < place->to && k < size; k++)
            marks[k] = mark_of(explanation, part);
    }
    /* Signs lie between the parts, so none of their marks is written over. */
    for (size_t i = 0; i < explanation->signs_tried; i++) {
        const pare_explained_sign *sign = &explanation->sign[i];
        for (size_t k = sign->from; k < sign->to && k < size && !sign->is_needed; k++)
            marks[k] = '-';
    }
}

/* A character as it is shown: itself, or an escape of C where it cannot be seen, which is `columns` wide.  A blank
 * at the end of a line is one that cannot. */
struct shown {
    char text[16];
    size_t bytes, columns; /* of the text that it stands for; on the screen */
};

/* Makes the character at `bytes` as it is shown; is_last_blank: it is a blank that ends a line. */
static struct shown show(const unsigned char *bytes, size_t size, bool is_last_blank)
{
    size_t escaped = 1;
    long code;
    struct shown shown = {.columns = 1};
    const size_t length = pare_visible_character(bytes, size, &escaped, &code);
    const bool is_escaped = !length || *bytes == '\t' || is_last_blank;
    shown.bytes = length ? length : escaped;
    if (!is_escaped && length < sizeof shown.text) {
        /* A character of East Asia takes two columns, a combining one none. */
        shown.columns = pare_visible_columns(code);
        memcpy(shown.text, bytes, length);
        return shown;
    }
    if (*bytes == '\t')
        shown.columns = (size_t)snprintf(shown.text, sizeof shown.text, "\\t");
    else if (code < 0x80) /* or no UTF-8 */
        shown.columns = (size_t)snprintf(shown.text, sizeof shown.text, "\\x%02x", *bytes);
    else
        shown.columns = (size_t)snprintf(shown.text, sizeof shown.text, "\\u{%lx}",
                                         (unsigned long)code & 0x1fffff);
    return shown;
}

/* Whether the byte is of a word or a number, or of a character of several bytes, none
 * of which should be parted from its neighbours. */
static bool is_of_word(unsigned char byte)
{
    return byte >= 0x80 || byte == '_' || isalnum(byte);
}

/* How many bytes of a line fit into `most` columns, up to the end of a word, unless one
 * fills more than half of it: "let total = co" of "let total = count;" becomes "let
 * total = ". */
static size_t piece_of(const unsigned char *bytes, size_t size, size_t most)
{
    size_t at = 0, columns = 0, whole = 0;
    while (at < size) {
        /* As print_piece shows it: a blank at the end of a line is an escape, which is
         * wider. */
        const struct shown shown = show(bytes + at, size - at, bytes[at] == ' ' && at + 1 == size);
        if (columns + shown.columns > most) break;
        at += shown.bytes;
        columns += shown.columns;
        const bool ends = at < size && !(is_of_word(bytes[at - 1]) && is_of_word(bytes[at]));
        if (ends && columns > most / 2) whole = at;
    }
    return at < size && whole ? whole : at;
}

/* Prints the piece of a line that is shown in one row, and below it its marks, as wide
 * as what stands above them: an escape has a mark for each of its columns.  `gutter`
 * columns before the piece have the number of the line, or a sign where a line goes on;
 * 0: there is one line, and it fits. */
static void print_piece(const unsigned char *bytes, const char *marks, size_t size, bool is_end,
                        size_t gutter)
{
    char under[MARKED_COLUMNS + 16];
    size_t columns = 0, marked = 0;
    for (size_t at = 0; at < size;) {
        const bool is_last_blank = is_end && bytes[at] == ' ' && at + 1 == size;
        const struct shown shown = show(bytes + at, size - at, is_last_blank);
        fputs(shown.text, stdout); /* told by pare_report_printed */
        for (size_t k = 0; k < shown.columns && columns < sizeof under; k++)
            under[columns++] = marks[at];
        /* Up to the last mark: no blanks at the end of a row. */
        if (marks[at] != ' ') marked = columns;
        at += shown.bytes;
    }
    if (marked) printf("\n  %*s%.*s", (int)gutter, "", (int)marked, under);
    putchar('\n');
}

/* Prints a line in as many rows as it takes; an empty one takes one. */
static void print_line(const unsigned char *bytes, const char *marks, size_t size, size_t line,
                       size_t gutter)
{
    size_t at = 0;
    do {
        const size_t piece = piece_of(bytes + at, size - at, MARKED_COLUMNS - gutter);
        fputs("  ", stdout);
        if (gutter && !at)
            printf("%*zu  ", (int)gutter - 2, line);
        else if (gutter)
            printf("%*s  ", (int)gutter - 2, "...");
        print_piece(bytes + at, marks + at, piece, at + piece == size, gutter);
        at += piece;
    } while (at < size);
}

/* Prints what the marks mean, of those that there are in the picture: a reader looks
 * for each of them. */
static void print_key(const char *marks, size_t size)
{
    static const struct {
        char mark;
        const char *meaning;
    } key[] = {{'~', "any of its kind"},
               {'^', "any of a range"},
               {'*', "some others, not all"},
               {'?', "not tried"},
               {'-', "can be left out"}};
    bool any = false;
    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        if (!memchr(marks, key[k].mark, size)) continue;
        printf("%s%c %s", any ? "   " : "\n  ", key[k].mark, key[k].meaning);
        any = true;
    }
    if (any) putchar('\n');
}

/* A row of bytes as digits and as characters, and below it a mark under both digits of
 * each byte that may vary. */
static void print_dump_row(const unsigned char *bytes, const char *marks, size_t at, size_t size)
{
    char under[3 * DUMP_BYTES + 1];
    const size_t n = size - at < DUMP_BYTES ? size - at : DUMP_BYTES;
    size_t marked = 0;
    printf("  %06zx ", at);
    for (size_t k = 0; k < DUMP_BYTES; k++) {
        const char mark = k < n ? marks[at + k] : ' ';
        under[3 * k] = ' ';
        under[3 * k + 1] = under[3 * k + 2] = mark;
        if (mark != ' ') marked = 3 * k + 3;
        if (k < n)
            printf(" %02x", bytes[at + k]);
        else
            fputs("   ", stdout);
    }
    fputs("  ", stdout);
    /* Marks are below the digits alone, since most bytes are no characters. */
    for (size_t k = 0; k < n; k++)
        putchar(bytes[at + k] >= 0x20 && bytes[at + k] < 0x7f ? bytes[at + k] : '.');
    if (marked) printf("\n  %6s %.*s", "", (int)marked, under);
    putchar('\n');
}

/* Bytes as digits.  Of many rows only those that have marks, with "..." in place of the
 * others, and no more than MOST_DUMP_ROWS: most bytes of a file are needed and say
 * nothing. */
static void print_dump(const pare_explanation *explanation)
{
    char marks[MOST_DUMPED];
    const unsigned char *bytes = explanation->result.bytes;
    const size_t size = explanation->result.size_bytes;
    const bool is_long = size > MOST_DUMP_ROWS / 2 * DUMP_BYTES;
    size_t n_rows = 0;
    bool is_left_out = false;
    /* A longer file has its needed bytes in the list of parts. */
    if (size > sizeof marks) return;
    mark_bytes(explanation, marks, size);
    putchar('\n');
    for (size_t at = 0; at < size && n_rows < MOST_DUMP_ROWS; at += DUMP_BYTES) {
        const size_t n = size - at < DUMP_BYTES ? size - at : DUMP_BYTES;
        bool is_marked = !is_long;
        for (size_t k = 0; k < n; k++)
            is_marked = is_marked || marks[at + k] != ' ';
        if (is_marked)
            print_dump_row(bytes, marks, at, size);
        else if (!is_left_out)
            puts("  ...");
        n_rows += is_marked;
        is_left_out = !is_marked;
    }
    if (n_rows == MOST_DUMP_ROWS) puts("  and more rows");
    print_key(marks, size);
    const bool is_all_tried = explanation->signs_tried == explanation->signs;
    printf("  no mark: needed%s\n", is_all_tried ? "" : ", or not varied");
}

/* Columns of the numbers of lines and of what is between them and the text; 0 where
 * there is one line, which fits and needs no number. */
static size_t gutter_of(const unsigned char *bytes, size_t size)
{
    const unsigned char *end = memchr(bytes, '\n', size);
    const size_t first = end ? (size_t)(end - bytes) : size;
    const bool is_one = first + 1 >= size && piece_of(bytes, first, MARKED_COLUMNS) == first;
    return is_one ? 0 : GUTTER;
}

/* A text that is larger than MOST_MARKED has no picture; the list of parts follows in
 * any case. */
void pare_explain_picture_print(const pare_explanation *explanation)
{
    char marks[MOST_MARKED];
    const unsigned char *bytes = explanation->result.bytes;
    const size_t size = explanation->result.size_bytes;
    if (pare_part_words_is_binary(explanation)) {
        print_dump(explanation);
        return;
    }
    if (size > sizeof marks) return;
    mark_bytes(explanation, marks, size);
    const size_t gutter = gutter_of(bytes, size);
    putchar('\n');
    for (size_t at = 0, line = 1; at < size; at++, line++) {
        const unsigned char *end = memchr(bytes + at, '\n', size - at);
        const size_t next = end ? (size_t)(end - bytes) : size;
        print_line(bytes + at, marks + at, next - at, line, gutter);
        at = next;
    }
    print_key(marks, size);
    if (explanation->signs_tried < explanation->signs) puts("  no mark: needed, or not tried");
}

/* No numbers and no marks, so that it can be copied; what cannot be seen is shown as
 * escapes all the same. */
void pare_explain_picture_print_readable(const pare_readable *readable)
{
    const unsigned char *bytes = (const unsigned char *)readable->bytes;
    if (!bytes || readable->size_bytes > MOST_MARKED) return;
    fputs("\n  Laid out as the input was, it still fails:\n\n  ", stdout);
    for (size_t k = 0; k < readable->size_bytes;) {
        /* A blank at the end of a line stays a blank, so that the text can be copied. */
        const struct shown shown = show(bytes + k, readable->size_bytes - k, false);
        if (bytes[k] == '\n')
            fputs(k + 1 == readable->size_bytes ? "" : "\n  ", stdout);
        else
            fputs(shown.text, stdout); /* told by pare_report_printed */
        k += shown.bytes;
    }
    putchar('\n');
}
