/* Words quoted for a shell.
 *
 * A word is written as it is if a shell reads it back unchanged, in '...' if all of it is visible,
 * otherwise in bash's $'...': a command line in a message or a report must not contain bytes that a
 * terminal would hide or obey. */
#include "cli/shell.h"

#include <stdbool.h>
#include <string.h>

#include "base/visible.h"

/* Characters that no shell takes for anything else; an empty word is not safe. */
static bool is_safe(const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "@%+=:,./_-";
    return *word && word[strspn(word, safe)] == '\0';
}

/* Whether every character is seen as what it is. */
static bool is_shown(const char *word)
{
    const unsigned char *bytes = (const unsigned char *)word;
    size_t size = strlen(word), escaped, length = 1;
    long code;
    for (size_t at = 0; at < size && length; at += length)
        length =
            bytes[at] == '\t' ? 0 : pare_visible_character(bytes + at, size - at, &escaped, &code);
    return length > 0;
}

/* Nothing is special between single quotes but the quote itself. */
static pare_status add_quoted(pare_buffer *line, const char *word, pare_error *err)
{
    pare_status status = pare_buffer_text(line, "'", err);
    for (; *word && !status; word++)
        status = *word == '\'' ? pare_buffer_text(line, "'\\''", err)
                               : pare_buffer_add(line, word, 1, err);
    return status ? status : pare_buffer_text(line, "'", err);
}

/* Only bash and its like read $'...', which is better than a line that a terminal would obey. */
static pare_status add_escaped(pare_buffer *line, const char *word, pare_error *err)
{
    pare_status status = pare_buffer_text(line, "$'", err);
    for (; *word && !status; word++) {
        unsigned char c = (unsigned char)*word;
        /* Three octal digits, as a digit may follow. */
        if (c < 0x20 || c >= 0x7f)
            status = pare_buffer_format(line, err, "\\%03o", c);
        else
            status = pare_buffer_format(line, err, c == '\'' || c == '\\' ? "\\%c" : "%c", c);
    }
    return status ? status : pare_buffer_text(line, "'", err);
}

/* The mildest form that a shell reads back unchanged. */
pare_status pare_shell_add_word(pare_buffer *line, const char *word, pare_error *err)
{
    if (is_safe(word)) return pare_buffer_text(line, word, err);
    return is_shown(word) ? add_quoted(line, word, err) : add_escaped(line, word, err);
}
