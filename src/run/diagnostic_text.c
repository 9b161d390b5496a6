/* Texts of diagnostics, put together from the lines that belong to one.
 *
 * A sentence goes on in later lines after a colon or a comma, after a clause with "while", where its line was
 * full, and after "of type"; each has a rule of its own, and a rule that does not hold leaves the text as it
 * is.  Why rules: see diagnostic.c.
 *
 * Invariant: a text is shorter than PARE_DIAGNOSTIC_BYTES, one line, and of characters that can be seen. */
#include "run/diagnostic_text.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/visible.h"
#include "run/diagnostic_header.h"
#include "run/plain_line.h"

enum {
    LINES_TO_TEXT = 4,    /* after a header without a message */
    LINES_TO_SENTENCE = 3 /* that one goes on for */
};

/* What does not fit is dropped. A character of UTF-8 that the end cuts apart is dropped whole,
 * by the trim. */
void pare_diagnostic_text_append(char text[static PARE_DIAGNOSTIC_BYTES], const char *more,
                                 size_t size)
{
    assert(memchr(text, '\0', PARE_DIAGNOSTIC_BYTES));
    size_t n = strlen(text), room = PARE_DIAGNOSTIC_BYTES - 1 - n;
    if (size > room) size = room;
    memcpy(text + n, more, size);
    text[n + size] = '\0';
    pare_visible_trim(text);
}

void pare_diagnostic_text_add(char text[static PARE_DIAGNOSTIC_BYTES], const char *more)
{
    pare_diagnostic_text_append(text, more, strlen(more));
}

/* Cuts hints at names that are like another ("did you mean 'rows'?"), with the blanks and
 * signs before them: they come and go with what else the input holds. Example: "no such field:
 * row; did you mean 'rows'?" becomes "no such field: row". */
void pare_diagnostic_text_cut_hint(char *text)
{
    for (char *at = text; *at; at++) {
        if (strncasecmp(at, "did you mean", 12) != 0 && strncasecmp(at, "have you missed", 15) != 0)
            continue;
        while (at > text && strchr(" .;,(", at[-1]))
            at--;
        *at = '\0';
        return;
    }
}

/* Cuts " (at 5:4)", also with the bracket that was opened before the header, from the end of a text (binaryen). */
static void cut_position(char *text)
{
    char *at = strstr(text, " (at ");
    if (!at) return;
    const char *end = at + 5 + strspn(at + 5, "0123456789:");
    if (end > at + 5 && (strcmp(end, ")") == 0 || strcmp(end, ")]") == 0)) *at = '\0';
}

/* Cuts the place that a message names at its end, as PHP's do (" in FILE on line N"), and what
 * a linker says of other places.
 *
 * Example: "undefined reference to 'f' follows" ends after the quote. The file's name must be
 * one word: " in the loop on line 3" is a part of the sentence, whose " in " is followed by
 * more than a name. */
void pare_diagnostic_text_cut_places(char *text)
{
    char *called = strstr(text, ", called in ");
    if (called) *called = '\0';
    cut_position(text);
    for (char *at = strstr(text, " in "); at; at = strstr(at + 1, " in ")) {
        const char *line = strstr(at, " on line ");
        if (line && strchr(at + 4, ' ') == line) *at = '\0';
        if (!*at) return;
    }
    bool links = strncmp(text, "undefined reference", 19) == 0 ||
                 strncmp(text, "multiple definition", 19) == 0;
    char *quote = links ? strrchr(text, '\'') : NULL;
    if (quote) quote[1] = '\0';
}

/* Whether an error is told of which only the file is known: pngcheck's "ERROR: in.png", below what is wrong. */
static bool names_file_only(const char *text)
{
    static const char header[] = "ERROR: "; /* as "Error: a.b" may be what was thrown */
    const size_t size = sizeof header - 1;
    if (strncmp(text, header, size) != 0 || strchr(text + size, ' ')) return false;
    const char *dot = strrchr(text + size, '.');
    return dot && dot > text + size && isalpha((unsigned char)dot[1]) &&
           !strpbrk(text + size, "'\"()");
}

/* Whether nothing but a count is told, as Gmsh does below what it counts: "Error: 260 errors". */
static bool is_count(const char *text)
{
    const char *colon = strstr(text, ": "), *at = colon ? colon + 2 : text;
    const size_t digits = strspn(at, "0123456789");
    if (!digits || at[digits] != ' ') return false;
    at += digits + 1;
    return strcmp(at, "errors") == 0 || strcmp(at, "error") == 0 || strcmp(at, "warnings") == 0 ||
           strcmp(at, "warning") == 0;
}

/* Knot's last line, which has the reason without the place once more: "failed to load configuration file 'x' (reason)". */
static bool repeats_reason(const char *text)
{
    static const char title[] = "failed to load configuration file '";
    const char *file = strstr(text, title);
    return file && strstr(file, "' (") && text[strlen(text) - 1] == ')';
}

/* Whether the line only sums up: it says that others were reported, or that a program which
 * was started has failed.
 *
 * `parts` may stand anywhere in the text, regardless of case, `ends` only at its end. Such a
 * line must not become the text of a failure: it would make different failures the same. */
bool pare_diagnostic_text_is_summary(const char *text)
{
    static const char *const parts[] = {"ld returned",
                                        "aborting due to",
                                        "could not compile",
                                        "compilation terminated",
                                        "compilation aborted",
                                        "errors compiling",
                                        "returned an error",
                                        "exit status",
                                        "exited with",
                                        "exit code",
                                        "errors occurred",
                                        "compilation error",
                                        "previous error",
                                        "warning emitted",
                                        "warnings emitted",
                                        "treated as errors",
                                        "Command failed",
                                        "build failed",
                                        "Cannot parse input",
                                        "Exiting due to",
                                        " problem (",
                                        " problems (",
                                        "errors found",
                                        "error was detected",
                                        "errors detected in",
                                        "giving up on this",
                                        "error parsing wasm",
                                        "cannot \\read from terminal",
                                        "stopped because of errors",
                                        "failed files:",
                                        "Input tree has errors",
                                        "Error: stopping on file ",
                                        "failed to compile sieve script"};
    /* With more behind them they say what has failed. */
    static const char *const ends[] = {"called from", /* Octave's, above the functions */
                                       "stopped due to an error",
                                       "Source is not resolvable.",
                                       "Configuration failed",
                                       "bad configuration file",
                                       "Couldn't parse program",
                                       "Program not executed",
                                       "VCL compilation failed",
                                       "treated as fatal error.",          /* Frama-C's */
                                       ": Check the full log for details", /* Gmsh's */
                                       "error: validation failed.",        /* Sieve's */
                                       "while decoding data"};
    const size_t size = strlen(text);
    if (names_file_only(text) || is_count(text) || repeats_reason(text)) return true;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (strcasestr(text, parts[k])) return true;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (size >= strlen(ends[k]) && strcmp(text + size - strlen(ends[k]), ends[k]) == 0)
            return true;
    return false;
}

/* Whether a file's name may go on with the character. */
static bool is_of_file_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Finds `name` in `text`, from `from` on, where it is a file's whole name: "a.c" is in
 * "b/a.c:3" and in "see a.c." but neither in "aa.c" nor in "a.cpp" nor in "a.c.o". NULL: it is
 * nowhere. A dot after it ends a sentence unless more of a name follows. */
const char *pare_diagnostic_text_find_file(const char *text, const char *from, const char *name)
{
    const size_t size = strlen(name);
    assert(size && from >= text);
    for (const char *at = from; (at = strstr(at, name)); at++) {
        const char *end = at + size;
        const bool begins_before = at > text && (is_of_file_name(at[-1]) || at[-1] == '.');
        const bool goes_on = is_of_file_name(*end) || (*end == '.' && is_of_file_name(end[1]));
        if (!begins_before && !goes_on) return at;
    }
    return NULL;
}

/* Whether the line tells where, or shows the text that is at fault, as Redis does: ">>> 'port
 * x'". Such a line is skipped in the search for a message. */
static bool is_excerpt(const char *text)
{
    const bool is_place = strncmp(text, "Reading ", 8) == 0 && strstr(text, ", at line ");
    return is_place || strncmp(text, ">>> ", 4) == 0;
}

/* Finds the message of a header that has none: among the next LINES_TO_TEXT lines the first that
 * begins with a letter, digit, quote or bracket once its decoration is skipped. It is kept in
 * `plain`, and *line is moved to it; "" if there is none.
 *
 * What it begins with must look like text: rulers ("-----"), boxes and arrows are skipped.
 * *line stays where it is if there is none. */
const char *pare_diagnostic_text_after(pare_printed_line *line, pare_plain_line *plain)
{
    pare_printed_line at = *line;
    for (unsigned k = 0; k < LINES_TO_TEXT && pare_printed_line_next(&at); k++) {
        pare_plain_line_make(&at, plain);
        const char *text = plain->text;
        if (is_excerpt(text)) continue;
        if (strncmp(text, "Warning: ", 9) == 0) text += 9; /* each line of SWI-Prolog's */
        /* "  | > cannot open file" : the message is "cannot open file". */
        while (*text && !isalnum((unsigned char)*text) && !strchr("'\"`(<[$@", *text))
            text++;
        if (!*text) continue;
        *line = at;
        return text;
    }
    return "";
}

/* How many blanks the line begins with. */
static size_t indent_of(const pare_printed_line *line)
{
    const char *at = line->start;
    while (at < line->end && (*at == ' ' || *at == '\t'))
        at++;
    return (size_t)(at - line->start);
}

/* The next line if it is indented by more than `line`, which ends with a colon, as RSpec has what was thrown:
 * "NoMethodError:", and below it what is undefined. A line of the backtrace, which begins with
 * "at ", is no message. `line` is a copy, so the caller's stays where it is. */
const char *pare_diagnostic_text_indented_after(pare_printed_line line, pare_plain_line *plain)
{
    const size_t indent = indent_of(&line);
    pare_plain_line_make(&line, plain);
    if (!plain->n || plain->text[plain->n - 1] != ':') return "";
    if (!pare_printed_line_next(&line) || indent_of(&line) <= indent) return "";
    pare_plain_line_make(&line, plain);
    return strncmp(plain->text, "at ", 3) == 0 ? "" : plain->text;
}

/* The same for a sentence that ends with a colon: a place alone is no more of it (SCons).
 * */
static const char *message_below(pare_printed_line *line, pare_plain_line *plain)
{
    const char *text = pare_diagnostic_text_after(line, plain);
    return *pare_diagnostic_skip_place(text) ? text : "";
}

/* Finds the main clause of a sentence whose first line is a clause with "while": the next line that begins
 * with a letter at its very start, behind places and the text they are in (PyYAML has it so). */
static const char *main_clause_after(pare_printed_line *line, pare_plain_line *plain)
{
    pare_printed_line at = *line;
    for (unsigned k = 0; k < LINES_TO_TEXT && pare_printed_line_next(&at); k++) {
        if (at.start == at.end || !islower((unsigned char)*at.start)) continue;
        pare_plain_line_make(&at, plain);
        *line = at;
        return plain->text;
    }
    return "";
}

/* Whether the line after `line` marks a place in it: it is text of the input, not of the
 * message. A line of blanks, '^', '~' and '-' with at least one '^' marks: "      ^~~~". */
static bool is_marked(pare_printed_line line)
{
    if (!pare_printed_line_next(&line)) return false;
    const char *at = line.start;
    while (at < line.end && strchr(" \t^~-", *at))
        at++;
    return at == line.end && memchr(line.start, '^', (size_t)(line.end - line.start));
}

/* Finds the rest of a sentence that a program has wrapped because the line would be too long: the next line is
 * indented, and its first word did not fit.  "": the line was not wrapped.  80 columns are the limit of those
 * that wrap what is no terminal.
 *
 * SLACK allows for programs that wrap a little earlier than at the limit. A line that is longer
 * than the limit was not wrapped by anybody. A first word with a capital begins a sentence of
 * its own, and a line without an indent is another message. */
static const char *wrapped_after(pare_printed_line *line, pare_plain_line *plain)
{
    enum { LIMIT = 80, SLACK = 4, MOST_INDENT = 4 };
    pare_printed_line at = *line;
    const ptrdiff_t width = at.end - at.start;
    if (width > LIMIT || !pare_printed_line_next(&at)) return "";
    const char *word = at.start, *end;
    while (word < at.end && *word == ' ')
        word++;
    for (end = word; end < at.end && *end != ' ';)
        end++;
    const bool starts = end > word && (islower((unsigned char)*word) || strchr("'\"`", *word));
    if (!starts || word == at.start || word - at.start > MOST_INDENT) return "";
    /* The word would have fit on the line before: the line ended because the sentence did. */
    if (width + 1 + (end - word) < LIMIT - SLACK || is_marked(at)) return "";
    pare_plain_line_make(&at, plain);
    *line = at;
    return plain->text;
}

/* Finds the sentence below "In environment" and what is bound there, one "name : type" a line (Coq): the first line
 * that begins at its very start and binds nothing.
 *
 * A sentence may have " : " in what it quotes ('The term "x : nat" ...'), so a colon binds only
 * if it comes before the first quote. Bindings that begin with a small letter are skipped in
 * the same way as text that is indented. */
static const char *sentence_below_bindings(pare_printed_line line, pare_plain_line *plain)
{
    enum { BINDINGS_MAX = 60 };
    for (unsigned k = 0; k < BINDINGS_MAX && pare_printed_line_next(&line); k++) {
        if (line.start == line.end || !isupper((unsigned char)*line.start)) continue;
        pare_plain_line_make(&line, plain);
        const char *colon = strstr(plain->text, " : ");
        const size_t n_words = strcspn(plain->text, "\"");
        if (!colon || (size_t)(colon - plain->text) > n_words) return plain->text;
    }
    return "";
}

/* Finds what a sentence ends with "of type" for, or with "is": OCaml and ECL have it indented on the next line.  A line
 * that begins with a number is one of the input, shown below a message of gcc's.  "": none. */
static const char *object_after(pare_printed_line *line, const char *text, pare_plain_line *plain)
{
    static const char *const ends[] = {" of type", " argument is"};
    const size_t size = strlen(text);
    pare_printed_line at = *line;
    bool goes_on = false;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const size_t n = strlen(ends[k]);
        goes_on = goes_on || (size >= n && strcmp(text + size - n, ends[k]) == 0);
    }
    if (!goes_on) return "";
    if (!pare_printed_line_next(&at) || at.start == at.end || *at.start != ' ') return "";
    pare_plain_line_make(&at, plain);
    if (isdigit((unsigned char)*plain->text) || *plain->text == '|' || is_marked(at)) return "";
    *line = at;
    return plain->text;
}

/* Appends what finishes a sentence that goes on in later lines: after a colon ("In procedure car:", and what
 * about it), after a comma, after a clause with "while", where the line was full, after "of type".
 *
 * Each round appends one more line, at most LINES_TO_SENTENCE of them; the last character of
 * what is there says which rule may apply. `line` is moved behind each line that was used.
 * Rules for a wrapped line and for an object come first: they look at the very next line only,
 * while those for a colon and a comma search some lines further. */
void pare_diagnostic_text_finish(pare_printed_line line, char text[static PARE_DIAGNOSTIC_BYTES])
{
    pare_plain_line more;
    bool goes_on = true;
    for (unsigned k = 0; k < LINES_TO_SENTENCE && goes_on; k++) {
        const size_t size = strlen(text);
        const char last = size ? text[size - 1] : '\0';
        const char *next = "";
        if (isalnum((unsigned char)last) || last == ',') next = wrapped_after(&line, &more);
        if (!*next) next = object_after(&line, text, &more);
        /* "bashism in x.sh line 7 ('function' is useless):": all is said, and below is the line of the input. */
        const bool is_told = size > 1 && text[size - 2] == ')';
        if (!*next && last == ':' && !is_told) next = message_below(&line, &more);
        if (!*next && last == ',') next = main_clause_after(&line, &more);
        goes_on = *next != '\0';
        if (goes_on) pare_diagnostic_text_add(text, " ");
        pare_diagnostic_text_add(text, next);
    }
    /* The two forms whose main clause is not next to the header: Coq's has the bindings in
     * between, PyYAML's ("error: while parsing a block") the place and the text. */
    const bool has_bindings = strstr(text, "rror: In environment") != NULL;
    if (!has_bindings && !strstr(text, "rror: while ")) return;
    const char *next =
        has_bindings ? sentence_below_bindings(line, &more) : main_clause_after(&line, &more);
    if (*next) pare_diagnostic_text_add(text, ": ");
    pare_diagnostic_text_add(text, next);
}
