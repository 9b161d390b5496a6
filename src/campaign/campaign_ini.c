/* The lines of a campaign's file, by inih.
 *
 * inih reads lines of at most 200 bytes, cuts values at " ;", and takes any indented line as a
 * continuation of the value above.  Commands are longer than that and contain such signs.  So we
 * feed inih its lines (ini_parse_stream) in a form in which all of that is harmless: each ";" of a
 * value is replaced by another byte, a long line is broken into pieces that inih takes for
 * continuation lines, and a line that is not indented deeper than its option loses its indentation.
 * The values that come back are restored here.
 *
 * The replacement bytes are control characters, which a file may not contain.  Invariant: `take`
 * gets the value as it is in the file.
 * Source: inih (its reader interface); Python's configparser for how values go on. */

#include "campaign/campaign_ini.h"

#include <assert.h>
#include <ini.h>
#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"

enum {
    SEMICOLON = 1, /* stands for a ";" in a value */
    GLUE = 2,      /* between two pieces of one line; at the end of one, at the start of the next */
    NEXT_LINE = 3, /* begins a line that goes on with a value */
    PIECE_BYTES = 96, /* of a value in a line for inih; its lines have at least 128 */
    NAME_BYTES = 48   /* of a section or an option; inih cuts longer ones */
};

/* The state of a reading. inih calls give_line and take_line in turn, so the
 * two share it: give_line sets what the next line means, take_line puts values
 * together again. */
struct reader {
    const char *at, *end; /* what has not been read yet */
    const char *name;
    size_t line;                        /* of the last line that was read, from 1 */
    size_t indent;                      /* of the option whose value may go on */
    bool has_option;                    /* there is one */
    const char *rest;                   /* of a line that is too long for one piece; NULL: none */
    size_t rest_bytes;                  /* of it */
    pare_buffer section, option, value; /* that has not been handed on yet */
    size_t option_line;
    pare_campaign_ini_take take;
    void *context;
    pare_status status;
    pare_error *err;
};

/* ---- lines for inih: what it gets to see of the file -------------- */

/* Blanks within a line. Not isspace, which depends on the locale and takes line
 * ends, too. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Notes a failure of the line that was read last. Only the first one counts:
 * after it no more lines are given. */
static void fail_line(struct reader *reader, const char *what)
{
    reader->status =
        pare_fail(reader->err, PARE_E_SYNTAX, "%s:%zu: %s", reader->name, reader->line, what);
}

/* Copies `size` bytes of a value to `out`, which has room for them; each ";"
 * becomes another byte, as inih would take it for a comment. Returns `size`. */
static size_t copy_piece(char *out, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = bytes[i] == ';' ? SEMICOLON : bytes[i];
    return size;
}

/* Writes a line for inih, or a piece of it with GLUE at its end; then the rest
 * is for the next call. `n` bytes of `out` are taken already by signs. */
static char *write_piece(struct reader *reader, char *out, size_t n, const char *bytes, size_t size)
{
    assert(n <= 2 && "only the signs of a line that goes on");
    size_t piece = size < PIECE_BYTES ? size : PIECE_BYTES;
    n += copy_piece(out + n, bytes, piece);
    reader->rest = NULL;
    if (piece < size) {
        out[n++] = GLUE;
        reader->rest = bytes + piece;
        reader->rest_bytes = size - piece;
    }
    out[n++] = '\n';
    out[n] = '\0';
    return out;
}

/* Takes the next line of the file, without the blanks around it; *indent is how
 * many were before it. Counts tabs as one, which only matters to who mixes
 * them. False at the end. */
static bool next_line(struct reader *reader, const char **line, size_t *size, size_t *indent)
{
    if (reader->at == reader->end) return false;
    const char *feed = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    const char *stop = feed ? feed : reader->end, *start = reader->at;
    reader->at = feed ? feed + 1 : reader->end;
    reader->line++;
    *indent = 0;
    for (; start < stop && is_blank(*start); start++)
        *indent += 1;
    while (stop > start && is_blank(stop[-1]))
        stop--;
    *line = start;
    *size = (size_t)(stop - start);
    return true;
}

/* Refuses what inih would take without a word, or cut: control characters
 * (which stand for something here), names that are too long, lines that are
 * neither section nor option. A line that goes on with a value may hold
 * anything else. */
static void check_line(struct reader *reader, const char *line, size_t size, bool goes_on)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)line[i] < ' ' && line[i] != '\t') {
            fail_line(reader, "a control character is in this line");
            return;
        }
    if (goes_on || !size) return;
    size_t name = 0;
    while (name < size && !strchr(line[0] == '[' ? "]" : "=:", line[name]))
        name++;
    if (line[0] == '[' && name + 1 != size)
        fail_line(reader, name == size ? "']' is missing" : "something stands after the ']'");
    else if (line[0] != '[' && name == size)
        fail_line(reader, "this is no [SECTION], no OPTION = VALUE, and no comment");
    else if (line[0] != '[' && name == 0)
        fail_line(reader, "the option's name is missing");
    else if (name >= NAME_BYTES)
        fail_line(reader, "this name is too long: 47 bytes at most");
}

/* An ini_reader: what ini_parse_stream calls for each line. Gives the rest of a
 * long line first, then the next line that is neither empty nor a comment; NULL
 * at the end, and after a failure. */
static char *give_line(char *out, int capacity, void *context)
{
    struct reader *reader = context;
    const char *line;
    size_t size, indent;
    (void)capacity; /* 200; a piece is shorter in any case */
    if (reader->rest) {
        out[0] = ' ', out[1] = GLUE;
        return write_piece(reader, out, 2, reader->rest, reader->rest_bytes);
    }
    do {
        if (reader->status || !next_line(reader, &line, &size, &indent)) return NULL;
    } while (!size || *line == '#' || *line == ';');
    /* Deeper than its option: more of the value. The first line of a file has
     * no option above it. */
    bool goes_on = reader->has_option && indent > reader->indent;
    check_line(reader, line, size, goes_on);
    if (reader->status) return NULL;
    if (goes_on) {
        out[0] = ' ', out[1] = NEXT_LINE;
        return write_piece(reader, out, 2, line, size);
    }
    reader->has_option = *line != '[';
    reader->indent = indent;
    return write_piece(reader, out, 0, line, size);
}

/* ---- values from inih: what comes back of the lines --------------- */

/* Hands the value that is complete to `take`, if there is one. A failure of
 * `take` ends the reading. */
static void hand_on(struct reader *reader)
{
    if (!reader->option.size || reader->status) return;
    const char *value = reader->value.data ? reader->value.data : "";
    reader->status = reader->take(reader->context, reader->section.data, reader->option.data, value,
                                  reader->option_line, reader->err);
    pare_buffer_reset(&reader->option);
}

/* Appends a piece to the value, without GLUE at its end and with each ";" put back. */
static pare_status add_piece(struct reader *reader, const char *piece)
{
    size_t size = strlen(piece);
    if (size && piece[size - 1] == GLUE) size--;
    pare_status status = pare_buffer_add(&reader->value, piece, size, reader->err);
    for (size_t i = reader->value.size - (status ? 0 : size); !status && i < reader->value.size;
         i++)
        if (reader->value.data[i] == SEMICOLON) reader->value.data[i] = ';';
    return status;
}

/* Begins a value. A line that is no continuation ends the value before, which
 * is handed on. */
static pare_status begin_value(struct reader *reader, const char *section, const char *name)
{
    hand_on(reader);
    if (reader->status) return reader->status;
    pare_buffer_reset(&reader->section);
    pare_buffer_reset(&reader->value);
    reader->option_line = reader->line;
    pare_status status = pare_buffer_add(&reader->section, section, strlen(section), reader->err);
    if (!status) status = pare_buffer_text(&reader->option, name, reader->err);
    return status;
}

/* An ini_handler: what ini_parse_stream calls for each line of a value. By its
 * first byte a line is a piece of the line before, another line of the value,
 * or a new option. */
static int take_line(void *context, const char *section, const char *name, const char *value)
{
    struct reader *reader = context;
    pare_status status = reader->status;
    if (!status && *value == GLUE) {
        status = add_piece(reader, value + 1);
    } else if (!status && *value == NEXT_LINE) {
        status = pare_buffer_text(&reader->value, "\n", reader->err);
        if (!status) status = add_piece(reader, value + 1);
    } else if (!status) {
        status = begin_value(reader, section, name);
        if (!status) status = add_piece(reader, value);
    }
    reader->status = status;
    /* 1 lets inih go on: with 0 it would note an error of its own, and
     * give_line ends the reading anyway. */
    return 1;
}

/* Reads a text. inih's own errors are lines that it cannot read, and memory;
 * all others were found before it saw the line. */
pare_status pare_campaign_ini_read(const char *text, size_t size, const char *name,
                                   pare_campaign_ini_take take, void *context, pare_error *err)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, which editors put before a text */
    size_t skipped = size >= 3 && !memcmp(text, mark, 3) ? 3 : 0;
    struct reader reader = {.at = text + skipped,
                            .end = text + size,
                            .name = name,
                            .take = take,
                            .context = context,
                            .err = err};
    int wrong = ini_parse_stream(give_line, &reader, take_line, &reader);
    /* Nothing follows the last value that would end it. */
    hand_on(&reader);
    if (!reader.status && wrong < 0) reader.status = pare_fail_nomem(err);
    if (!reader.status && wrong > 0) fail_line(&reader, "this line cannot be read");
    pare_buffer_done(&reader.section);
    pare_buffer_done(&reader.option);
    pare_buffer_done(&reader.value);
    return reader.status;
}
