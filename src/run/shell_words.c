/* Words of a command line: a small machine over the text.
 *
 * It reads what sh(1) would make of the text as long as that is words alone: blanks between
 * them, and the three ways of quoting.  At the first unquoted character that means anything
 * else to a shell it only notes that: such a text is given to a shell as it is, and its words
 * are of no use then.  So nothing is expanded here, and nothing is done half.
 *
 * Invariant: a text for which `shell` stays false is split into the same words by /bin/sh.
 * What quote writes is one such word.  Each word is an allocation of its own, so that it can
 * be replaced by an absolute path.
 *
 * Source: POSIX, Shell Command Language, 2.2 (quoting) and 2.3 (tokens). */
#include "run/shell_words.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

/* Makes room for one word more, and the NULL at the end that execve wants. */
static pare_status grow(pare_shell_words *words, pare_error *err)
{
    if (words->n + 1 < words->capacity) return PARE_OK;
    size_t capacity = words->capacity ? words->capacity * 2 : 8;
    char **word = pare_alloc_resize(words->word, capacity, sizeof *word);
    if (!word) return pare_fail_nomem(err);
    words->word = word;
    words->capacity = capacity;
    return PARE_OK;
}

/* A copy, so that the list owns all its words alike. */
pare_status pare_shell_words_add(pare_shell_words *words, const char *text, pare_error *err)
{
    pare_status status = grow(words, err);
    if (status) return status;
    char *copy = pare_alloc_text(text, strlen(text));
    if (!copy) return pare_fail_nomem(err);
    words->word[words->n++] = copy;
    words->word[words->n] = NULL;
    return PARE_OK;
}

/* The old word is released only when there is a new one. */
pare_status pare_shell_words_set(pare_shell_words *words, size_t k, const char *text,
                                 pare_error *err)
{
    char *copy = pare_alloc_text(text, strlen(text));
    if (!copy) return pare_fail_nomem(err);
    pare_alloc_free(words->word[k]);
    words->word[k] = copy;
    return PARE_OK;
}

/* All-zero is a no-op; so is what was moved from. */
void pare_shell_words_done(pare_shell_words *words)
{
    for (size_t k = 0; k < words->n; k++)
        pare_alloc_free(words->word[k]);
    pare_alloc_free(words->word);
    *words = (pare_shell_words){0};
}

/* Reads '...' from after its first quote; returns what follows, or NULL. */
static const char *single_quoted(const char *at, pare_buffer *word, pare_status *status,
                                 pare_error *err)
{
    const char *end = strchr(at, '\'');
    if (!end) return NULL;
    *status = pare_buffer_add(word, at, (size_t)(end - at), err);
    return end + 1;
}

/* The same for "...", where a backslash quotes some characters, and $ and ` expand. */
static const char *double_quoted(const char *at, pare_buffer *word, bool *shell,
                                 pare_status *status, pare_error *err)
{
    for (; *at && *at != '"' && !*status; at++) {
        if (*at == '$' || *at == '`') *shell = true;
        if (*at == '\\' && at[1] && strchr("$`\"\\\n", at[1])) at++;
        if (*at != '\n' || at[-1] != '\\') *status = pare_buffer_add(word, at, 1, err);
    }
    return *at || *status ? at + 1 : NULL;
}

/* Whether `c` means something to a shell where it stands unquoted. */
static bool is_syntax(char c, bool starts_word)
{
    return strchr("|&;<>()$`*?[\n", c) || (starts_word && strchr("#~", c));
}

/* Reads one word; gives what follows it. */
static const char *read_word(const char *at, pare_buffer *word, bool *shell, pare_status *status,
                             pare_error *err)
{
    const char *start = at;
    while (!*status && at && *at && !strchr(" \t\n", *at)) {
        if (*at == '\'') {
            at = single_quoted(at + 1, word, status, err);
        } else if (*at == '"') {
            at = double_quoted(at + 1, word, shell, status, err);
        } else if (*at == '\\') {
            if (!at[1])
                *status = pare_fail(err, PARE_E_ARG, "the test command ends in a backslash");
            else
                *status = pare_buffer_add(word, at + 1, 1, err);
            at += 2;
        } else {
            if (is_syntax(*at, at == start)) *shell = true;
            *status = pare_buffer_add(word, at, 1, err);
            at++;
        }
    }
    if (!*status && !at)
        *status =
            pare_fail(err, PARE_E_ARG, "a quote in the test command is not closed: %s", start);
    return at;
}

/* A word may be empty, if it was quoted: ''. */
pare_status pare_shell_words_split(pare_shell_words *words, const char *text, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_buffer word = {0};
    while (!status) {
        text += strspn(text, " \t");
        if (*text == '\n') words->shell = true;
        text += strspn(text, " \t\n");
        if (!*text) break;
        pare_buffer_reset(&word);
        text = read_word(text, &word, &words->shell, &status, err);
        if (!status) status = pare_shell_words_add(words, word.data ? word.data : "", err);
    }
    if (words->n && !strcmp(words->word[0], "!")) words->shell = true;
    pare_buffer_done(&word);
    return status;
}

/* ---- quoting ---------------------------------------------------------------------- */

/* An apostrophe ends the quotation, is quoted by a backslash, and begins another. */
pare_status pare_shell_words_escape(pare_buffer *text, const char *word, size_t size,
                                    pare_error *err)
{
    pare_status status = PARE_OK;
    for (const char *end = word + size; word < end && !status;) {
        const char *apostrophe = memchr(word, '\'', (size_t)(end - word));
        const char *stop = apostrophe ? apostrophe : end;
        status = pare_buffer_add(text, word, (size_t)(stop - word), err);
        if (!status && apostrophe) status = pare_buffer_text(text, "'\\''", err);
        word = apostrophe ? stop + 1 : stop;
    }
    return status;
}

/* Plain words stay as they are, for the user to read. */
pare_status pare_shell_words_quote(pare_buffer *text, const char *word, size_t size,
                                   pare_error *err)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%_+=:,./-";
    if (size && strspn(word, plain) >= size) return pare_buffer_add(text, word, size, err);
    pare_status status = pare_buffer_text(text, "'", err);
    if (!status) status = pare_shell_words_escape(text, word, size, err);
    return status ? status : pare_buffer_text(text, "'", err);
}
