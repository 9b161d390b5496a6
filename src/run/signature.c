/* Signatures: their text, and what it means for two to be the same.
 *
 * The text is read by a table of clauses, each with a rank that may not fall and a reader of
 * its own; so the order that print writes is the only one that parse takes, and a text that
 * was printed is read back to the same value.  Strings are masked already when they come here
 * (printed.h); what the user writes by hand is only cut to what masking could leave.
 *
 * Matching is per clause: what the wanted signature does not name may be anything.  `*` stands
 * for any text, matched by going back to the last star only, which is enough because stars are
 * alike: O(pattern * text) at worst, and no stack.
 *
 * Invariant: every string ends with a NUL within its array, unused ones are "".  A value
 * without pointers, so it is copied, stored and compared as it is. */
#include "run/signature.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"

/* ---- signs of rejection ------------------------------------------------------------- */

/* Wordings that compilers, interpreters and readers of data have in common. */
const char *const pare_signature_signs[PARE_SIGNATURE_SIGNS] = {
    "syntax error",     "syntaxerror",    "parse error",     "parseerror",   "parsing error",
    "unexpected token", "unexpected end", "unexpected char", "unterminated", "unbalanced",
    "malformed",        "undeclared",     "error: expected"};

static_assert(PARE_SIGNATURE_SIGNS <= sizeof(unsigned) * CHAR_BIT, "`despite` has a bit for each");

/* ---- signals ---------------------------------------------------------------------- */

/* By the C library's own list, so that it knows what this system has. */
int pare_signature_signal(const char *name)
{
    if (strncmp(name, "SIG", 3) == 0) name += 3;
    for (int number = 1; number < NSIG; number++) {
        const char *known = sigabbrev_np(number);
        if (known && strcmp(known, name) == 0) return number;
    }
    return 0;
}

/* ---- printing --------------------------------------------------------------------- */

/* Appends a clause of a word and a string in quotes, with a backslash before quotes and
 * backslashes; nothing for an empty string. */
static pare_status print_string(pare_buffer *text, const char *word, const char *string,
                                pare_error *err)
{
    if (!*string) return PARE_OK;
    pare_status status = pare_buffer_format(text, err, "%s%s \"", text->size ? "; " : "", word);
    for (; *string && !status; string++) {
        if (*string == '"' || *string == '\\') status = pare_buffer_add(text, "\\", 1, err);
        if (!status) status = pare_buffer_add(text, string, 1, err);
    }
    return status ? status : pare_buffer_add(text, "\"", 1, err);
}

/* The first clause: how the program ended. */
static pare_status print_ending(const pare_signature *signature, pare_buffer *text, pare_error *err)
{
    const char *signal_name = NULL;
    switch (signature->ended) {
    case PARE_ENDED_ANYHOW: return PARE_OK;
    case PARE_ENDED_FLOOD: return pare_buffer_text(text, "flood", err);
    case PARE_ENDED_HANG: return pare_buffer_text(text, "hang", err);
    case PARE_ENDED_EXIT:
        if (signature->code == PARE_SIGNATURE_EXIT_NONZERO)
            return pare_buffer_text(text, "exit nonzero", err);
        return pare_buffer_format(text, err, "exit %d", signature->code);
    case PARE_ENDED_SIGNAL: signal_name = sigabbrev_np(signature->code); break;
    }
    if (signal_name) return pare_buffer_format(text, err, "signal SIG%s", signal_name);
    return pare_buffer_format(text, err, "signal %d", signature->code);
}

/* Clauses in the order of their ranks, which is the order that parse requires. */
pare_status pare_signature_print(const pare_signature *signature, pare_buffer *text,
                                 pare_error *err)
{
    pare_buffer own = {0};
    pare_status status = print_ending(signature, &own, err);
    if (!status) status = print_string(&own, "message", signature->message, err);
    if (!status) status = print_string(&own, "error", signature->error, err);
    for (size_t k = 0; k < PARE_SIGNATURE_FRAMES && !status; k++)
        status = print_string(&own, "frame", signature->frame[k], err);
    if (!status) status = print_string(&own, "diagnostic", signature->diagnostic, err);
    if (!status) status = print_string(&own, "line", signature->line, err);
    if (!status && signature->alone)
        status = pare_buffer_text(&own, own.size ? "; alone" : "alone", err);
    for (size_t k = 0; k < PARE_SIGNATURE_BESIDES && !status; k++)
        status = print_string(&own, "beside", signature->beside[k], err);
    for (unsigned k = 0; k < PARE_SIGNATURE_SIGNS && !status; k++)
        if (signature->despite & 1u << k)
            status = print_string(&own, "despite", pare_signature_signs[k], err);
    if (!status) status = pare_buffer_text(text, own.size ? own.data : "", err);
    pare_buffer_done(&own);
    return status;
}

/* ---- parsing ---------------------------------------------------------------------- */

/* A text that is being read: how far, and what was read of it; the word of a clause is copied
 * here. */
struct reader {
    const char *at;
    pare_signature signature;
    unsigned rank; /* of the last clause, so that their order is kept */
    size_t n_frames, n_besides;
    char word[PARE_SIGNATURE_LINE_BYTES];
};

/* The error of a text that is not a signature.  The rest of it is quoted, from where it is not
 * understood. */
static pare_status refuse(const struct reader *reader, pare_error *err)
{
    return pare_fail(
        err, PARE_E_SYNTAX,
        "a signature has clauses such as: signal SIGSEGV; message \"...\"; this is not one: %.60s",
        reader->at);
}

/* A line end is a blank too, so that a text may come from a file. */
static void skip_blanks(struct reader *reader)
{
    while (*reader->at && strchr(" \t\r\n", *reader->at))
        reader->at++;
}

/* Reads letters, digits, "+" and "-" into reader->word, as far as there is room; false if
 * there are none. */
static bool read_word(struct reader *reader)
{
    size_t n = 0;
    skip_blanks(reader);
    while (n + 1 < sizeof reader->word &&
           (isalnum((unsigned char)*reader->at) || strchr("+-", *reader->at)) && *reader->at)
        reader->word[n++] = *reader->at++;
    reader->word[n] = '\0';
    return n > 0;
}

/* Reads a string into `to`; false if none is there, or an empty or too long one. */
static bool read_string(struct reader *reader, char *to, size_t capacity)
{
    size_t n = 0;
    skip_blanks(reader);
    if (*reader->at != '"') return false;
    const char *at = reader->at + 1;
    for (; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1]) at++;
        if (n + 1 >= capacity || (unsigned char)*at < ' ') return false;
        size_t escaped;
        long code;
        const size_t length =
            pare_visible_character((const unsigned char *)at, strlen(at), &escaped, &code);
        if (n + length >= capacity) return false;
        memcpy(to + n, length ? at : "?", length ? length : 1); /* as in what is masked */
        n += length ? length : 1;
        at += length ? length - 1 : 0;
    }
    to[n] = '\0';
    if (!*at || n == 0) return false;
    reader->at = at + 1;
    return true;
}

/* The whole number 0 .. 255 that `word` is, an exit code or signal; -1: it is none. */
static int number_of(const char *word)
{
    char *end = NULL;
    if (!isdigit((unsigned char)*word)) return -1;
    long number = strtol(word, &end, 10);
    return *end || number > 255 ? -1 : (int)number;
}

/* "exit 3", "exit nonzero". */
static bool read_exit(struct reader *reader)
{
    if (!read_word(reader)) return false;
    bool any = strcmp(reader->word, "nonzero") == 0;
    int code = any ? PARE_SIGNATURE_EXIT_NONZERO : number_of(reader->word);
    reader->signature.ended = PARE_ENDED_EXIT;
    reader->signature.code = code;
    return any || code >= 0;
}

/* By name, with or without SIG, or by number. */
static bool read_signal(struct reader *reader)
{
    if (!read_word(reader)) return false;
    int number = number_of(reader->word);
    if (number < 0) number = pare_signature_signal(reader->word);
    reader->signature.ended = PARE_ENDED_SIGNAL;
    reader->signature.code = number;
    return number > 0 && number < NSIG;
}

/* The clause is the word alone, as are "hang" and "alone". */
static bool read_flood(struct reader *reader)
{
    reader->signature.ended = PARE_ENDED_FLOOD;
    return true;
}

/* A run that hangs has no exit code and no signal that is its own. */
static bool read_hang(struct reader *reader)
{
    reader->signature.ended = PARE_ENDED_HANG;
    return true;
}

static bool read_message(struct reader *reader)
{
    return read_string(reader, reader->signature.message, sizeof reader->signature.message);
}

static bool read_error(struct reader *reader)
{
    return read_string(reader, reader->signature.error, sizeof reader->signature.error);
}

/* Innermost first; no more than a signature holds. */
static bool read_frame(struct reader *reader)
{
    if (reader->n_frames >= PARE_SIGNATURE_FRAMES) return false;
    char *frame = reader->signature.frame[reader->n_frames++];
    return read_string(reader, frame, PARE_SIGNATURE_NAME_BYTES);
}

static bool read_diagnostic(struct reader *reader)
{
    return read_string(reader, reader->signature.diagnostic, sizeof reader->signature.diagnostic);
}

static bool read_line(struct reader *reader)
{
    return read_string(reader, reader->signature.line, sizeof reader->signature.line);
}

static bool read_alone(struct reader *reader)
{
    reader->signature.alone = true;
    return true;
}

static bool read_beside(struct reader *reader)
{
    if (reader->n_besides >= PARE_SIGNATURE_BESIDES) return false;
    char *beside = reader->signature.beside[reader->n_besides++];
    return read_string(reader, beside, PARE_SIGNATURE_LINE_BYTES);
}

/* Reads the name of a sign into the bit set.  Only signs that are known: another one could
 * never be seen, so it is a mistake of whoever wrote it. */
static bool read_despite(struct reader *reader)
{
    char name[PARE_SIGNATURE_NAME_BYTES];
    if (!read_string(reader, name, sizeof name)) return false;
    for (unsigned k = 0; k < PARE_SIGNATURE_SIGNS; k++) {
        if (strcmp(pare_signature_signs[k], name) != 0) continue;
        reader->signature.despite |= 1u << k;
        return true;
    }
    return false;
}

/* Clauses by their first word; ranks ascend in a text, and those marked may repeat. */
static const struct clause {
    const char *word;
    unsigned rank;
    bool repeats;
    bool (*read)(struct reader *reader);
} clauses[] = {
    {"exit", 1, false, read_exit},       {"signal", 1, false, read_signal},
    {"flood", 1, false, read_flood},     {"hang", 1, false, read_hang},
    {"message", 2, false, read_message}, {"error", 3, false, read_error},
    {"frame", 4, true, read_frame},      {"diagnostic", 5, false, read_diagnostic},
    {"line", 6, false, read_line},       {"alone", 7, false, read_alone},
    {"beside", 8, true, read_beside},    {"despite", 9, true, read_despite},
};

/* Reads one clause by its first word.  Its rank tells whether it may stand here: not before the
 * last one's, and not twice but for those that repeat.  On failure `at` is where the clause
 * begins, for the message. */
static bool read_clause(struct reader *reader)
{
    const char *start = reader->at;
    if (!read_word(reader)) return false;
    for (size_t k = 0; k < sizeof clauses / sizeof *clauses; k++) {
        const struct clause *clause = &clauses[k];
        if (strcmp(clause->word, reader->word) != 0) continue;
        bool ordered =
            clause->rank > reader->rank || (clause->rank == reader->rank && clause->repeats);
        reader->rank = clause->rank;
        if (ordered && clause->read(reader)) return true;
        break;
    }
    reader->at = start;
    return false;
}

/* The result is only copied when the whole text was understood. */
pare_status pare_signature_parse(const char *text, pare_signature *signature, pare_error *err)
{
    struct reader reader = {.at = text};
    for (;;) {
        skip_blanks(&reader);
        if (!read_clause(&reader)) return refuse(&reader, err);
        skip_blanks(&reader);
        if (!*reader.at) break;
        if (*reader.at != ';') return refuse(&reader, err);
        reader.at++;
    }
    *signature = reader.signature;
    return PARE_OK;
}

/* ---- comparing -------------------------------------------------------------------- */

/* After a star, the shortest text that lets the rest match so far is tried; when the rest
 * fails later, the last star takes one character more.  Earlier stars need not be tried again:
 * whatever they could take, the last one can take as well. */
bool pare_signature_like(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL; /* the last '*', and where its text may end */
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

/* Whether a clause agrees with what was seen; what is not wanted agrees with anything. */
static bool agrees(const char *wanted, const char *seen)
{
    return !*wanted || pare_signature_like(wanted, seen);
}

/* Whether the endings agree: any exit code but 0 may be wanted, and where the kind of ending
 * says all (flood, hang), there is no code to compare. */
static bool ending_agrees(const pare_signature *wanted, const pare_signature *seen)
{
    if (wanted->ended == PARE_ENDED_ANYHOW) return true;
    if (wanted->ended != seen->ended) return false;
    if (wanted->ended == PARE_ENDED_EXIT && wanted->code == PARE_SIGNATURE_EXIT_NONZERO)
        return seen->code != 0;
    bool has_code = wanted->ended == PARE_ENDED_EXIT || wanted->ended == PARE_ENDED_SIGNAL;
    return !has_code || wanted->code == seen->code;
}

/* Frames are compared in their order, innermost first. */
bool pare_signature_matches(const pare_signature *wanted, const pare_signature *seen)
{
    if (!ending_agrees(wanted, seen)) return false;
    for (size_t k = 0; k < PARE_SIGNATURE_FRAMES; k++)
        if (!agrees(wanted->frame[k], seen->frame[k])) return false;
    return agrees(wanted->message, seen->message) && agrees(wanted->error, seen->error);
}

/* Empties `common` unless it is the same in both. */
static void keep_equal(char *common, const char *other)
{
    if (strcmp(common, other) != 0) memset(common, 0, strlen(common));
}

/* What two runs on one input share is what the failure is; the rest is chance. */
void pare_signature_intersect(pare_signature *common, const pare_signature *other)
{
    if (common->ended != other->ended || common->code != other->code) {
        common->ended = PARE_ENDED_ANYHOW;
        common->code = 0;
    }
    keep_equal(common->message, other->message);
    keep_equal(common->error, other->error);
    for (size_t k = 0; k < PARE_SIGNATURE_FRAMES; k++) {
        keep_equal(common->frame[k], other->frame[k]);
        if (*common->frame[k]) continue;
        /* What called a frame that varies says little, and has no place in the text. */
        for (; k < PARE_SIGNATURE_FRAMES; k++)
            memset(common->frame[k], 0, PARE_SIGNATURE_NAME_BYTES);
    }
    common->despite |= other->despite; /* a sign seen once is none of invalid input */
}

/* How it ended is not counted: that alone tells few failures apart. */
bool pare_signature_speaks(const pare_signature *signature)
{
    return *signature->message || *signature->error || *signature->frame[0];
}
