/* Reading diagnostics: what in a program's output is a reported problem, and its text.
 *
 * A line is made plain first (run/plain_line.h), so that what follows is a search in a short string.  Its
 * header is found (run/diagnostic_header.h), the place before the header goes, hints and places within the message are
 * cut, and summaries are dropped, so that what is left is the same whenever the same problem
 * is reported.
 *
 * Where no line names a severity, guesses are made in the order of what they are worth: failed tests, what
 * stands before a stack, lines with a place in a file, the first line, the last.
 *
 * Why rules rather than one regular expression per program: the rules were found on some
 * programs and hold for others, which a table of programs would not.  What they read is tested
 * on the outputs in tests/data/diagnostics.
 *
 * Invariant: a text is shorter than PARE_DIAGNOSTIC_BYTES, one line, and of characters that can be seen. */
#include "run/diagnostic.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/visible.h"
#include "run/diagnostic_header.h"
#include "run/log_record.h"
#include "run/plain_line.h"
#include "run/signature.h"
#include "run/test_report.h"

enum {
    LINES_TO_TEXT = 4,     /* after a header without a message */
    LINES_TO_SENTENCE = 3, /* that one goes on for */
    LINES_OF_PARAGRAPH = 8,
    LINES_TO_PLACE = 12, /* of an error of TeX's, which shows what it was reading */
    LINES_GUESSED = 400  /* looked at for places in files */
};

void pare_diagnostic_plain(const char *words, char plain[static PARE_DIAGNOSTIC_BYTES])
{
    pare_plain_line made;
    const pare_printed_line line = {.start = words, .end = words + strlen(words)};
    pare_plain_line_make(&line, &made);
    size_t size = made.n < PARE_DIAGNOSTIC_BYTES ? made.n : PARE_DIAGNOSTIC_BYTES - 1;
    memcpy(plain, made.text, size);
    plain[size] = '\0';
    pare_visible_trim(plain);
}

/* ---- texts ------------------------------------------------------------------------ */

/* Appends `size` bytes to a diagnostic's text, as far as there is room. */
static void append(pare_diagnostic *out, const char *more, size_t size)
{
    assert(memchr(out->text, '\0', sizeof out->text));
    size_t n = strlen(out->text), room = sizeof out->text - 1 - n;
    if (size > room) size = room;
    memcpy(out->text + n, more, size);
    out->text[n + size] = '\0';
    pare_visible_trim(out->text);
}

/* Appends a whole string, as far as there is room. */
static void append_text(pare_diagnostic *out, const char *more)
{
    append(out, more, strlen(more));
}

/* Cuts hints at names that are like another ("did you mean 'rows'?"), with the blanks and
 * signs before them: they come and go with what else the input holds. */
static void cut_hint(char *text)
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
 * a linker says of other places. */
static void cut_places(char *text)
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

/* Knot's last line, which has the reason without the place once more: "failed to load configuration file 'x' (reason)". */
static bool repeats_reason(const char *text)
{
    static const char title[] = "failed to load configuration file '";
    const char *file = strstr(text, title);
    return file && strstr(file, "' (") && text[strlen(text) - 1] == ')';
}

/* Whether the line only sums up: it says that others were reported, or that a program which
 * was started has failed. */
static bool is_summary(const char *text)
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
                                        "error parsing wasm",
                                        "cannot \\read from terminal",
                                        "stopped because of errors",
                                        "failed files:",
                                        "Input tree has errors"};
    /* With more behind them they say what has failed. */
    static const char *const ends[] = {"called from", /* Octave's, above the functions */
                                       "stopped due to an error",
                                       "Source is not resolvable.",
                                       "Configuration failed",
                                       "bad configuration file",
                                       "Couldn't parse program",
                                       "Program not executed",
                                       "VCL compilation failed",
                                       "while decoding data"};
    const size_t size = strlen(text);
    if (names_file_only(text) || repeats_reason(text)) return true;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (strcasestr(text, parts[k])) return true;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (size >= strlen(ends[k]) && strcmp(text + size - strlen(ends[k]), ends[k]) == 0)
            return true;
    return false;
}

/* Whether the line tells where, or shows the text that is at fault, as Redis does: ">>> 'port x'". */
static bool is_excerpt(const char *text)
{
    const bool is_place = strncmp(text, "Reading ", 8) == 0 && strstr(text, ", at line ");
    return is_place || strncmp(text, ">>> ", 4) == 0;
}

/* Finds the message of a header that has none: among the next LINES_TO_TEXT lines the first that
 * begins with a letter, digit, quote or bracket once its decoration is skipped. It is kept in
 * `plain`, and *line is moved to it; "" if there is none. */
static const char *message_after(pare_printed_line *line, pare_plain_line *plain)
{
    pare_printed_line at = *line;
    for (unsigned k = 0; k < LINES_TO_TEXT && pare_printed_line_next(&at); k++) {
        pare_plain_line_make(&at, plain);
        const char *text = plain->text;
        if (is_excerpt(text)) continue;
        if (strncmp(text, "Warning: ", 9) == 0) text += 9; /* each line of SWI-Prolog's */
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
 * "NoMethodError:", and below it what is undefined. */
static const char *indented_after(pare_printed_line line, pare_plain_line *plain)
{
    const size_t indent = indent_of(&line);
    pare_plain_line_make(&line, plain);
    if (!plain->n || plain->text[plain->n - 1] != ':') return "";
    if (!pare_printed_line_next(&line) || indent_of(&line) <= indent) return "";
    pare_plain_line_make(&line, plain);
    return strncmp(plain->text, "at ", 3) == 0 ? "" : plain->text;
}

/* The same for a sentence that ends with a colon: a place alone is no more of it (SCons). */
static const char *message_below(pare_printed_line *line, pare_plain_line *plain)
{
    const char *text = message_after(line, plain);
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

/* Whether the line after `line` marks a place in it: it is text of the input, not of the message. */
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
 * that wrap what is no terminal. */
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
    if (width + 1 + (end - word) < LIMIT - SLACK || is_marked(at)) return "";
    pare_plain_line_make(&at, plain);
    *line = at;
    return plain->text;
}

/* Finds the sentence below "In environment" and what is bound there, one "name : type" a line (Coq): the first line
 * that begins at its very start and binds nothing. */
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

/* Finds the type that a sentence ends with "of type" for: OCaml has it indented on the next line.  A line that begins
 * with a number is one of the input, shown below a message of gcc's.  "": none. */
static const char *type_after(pare_printed_line *line, const char *text, pare_plain_line *plain)
{
    static const char end[] = " of type";
    const size_t size = strlen(text), n = sizeof end - 1;
    pare_printed_line at = *line;
    if (size < n || strcmp(text + size - n, end) != 0) return "";
    if (!pare_printed_line_next(&at) || at.start == at.end || *at.start != ' ') return "";
    pare_plain_line_make(&at, plain);
    if (isdigit((unsigned char)*plain->text) || *plain->text == '|' || is_marked(at)) return "";
    *line = at;
    return plain->text;
}

/* Appends what finishes a sentence that goes on in later lines: after a colon ("In procedure car:", and what
 * about it), after a comma, after a clause with "while", where the line was full, after "of type". */
static void finish(pare_printed_line line, pare_diagnostic *out)
{
    pare_plain_line more;
    bool goes_on = true;
    for (unsigned k = 0; k < LINES_TO_SENTENCE && goes_on; k++) {
        const size_t size = strlen(out->text);
        const char last = size ? out->text[size - 1] : '\0';
        const char *next = "";
        if (isalnum((unsigned char)last) || last == ',') next = wrapped_after(&line, &more);
        if (!*next) next = type_after(&line, out->text, &more);
        if (!*next && last == ':') next = message_below(&line, &more);
        if (!*next && last == ',') next = main_clause_after(&line, &more);
        goes_on = *next != '\0';
        if (goes_on) append_text(out, " ");
        append_text(out, next);
    }
    const bool has_bindings = strstr(out->text, "rror: In environment") != NULL;
    if (!has_bindings && !strstr(out->text, "rror: while ")) return;
    const char *next =
        has_bindings ? sentence_below_bindings(line, &more) : main_clause_after(&line, &more);
    if (*next) append_text(out, ": ");
    append_text(out, next);
}

/* Whether one of the lines after `line` shows where an error is as TeX does: "l.19 \item", "<*> in.tex". */
static bool shows_place(pare_printed_line line)
{
    pare_plain_line plain;
    for (unsigned k = 0; k < LINES_TO_PLACE && pare_printed_line_next(&line); k++) {
        pare_plain_line_make(&line, &plain);
        if (strncmp(plain.text, "<*>", 3) == 0) return true;
        if (strncmp(plain.text, "l.", 2) == 0 && isdigit((unsigned char)plain.text[2])) return true;
    }
    return false;
}

/* TeX says on later lines why it stopped, "*** (job aborted, no legal \end found)", and which control sequence is
 * undefined: the last word of "l.19 \item second, \texbf".  Appends that. */
static void add_context(pare_printed_line line, pare_diagnostic *out)
{
    pare_plain_line plain;
    const bool undefined = strcmp(out->text, "Undefined control sequence.") == 0;
    if (!undefined && strcmp(out->text, "Emergency stop.") != 0) return;
    for (unsigned k = 0; k < LINES_TO_PLACE && pare_printed_line_next(&line); k++) {
        pare_plain_line_make(&line, &plain);
        const char *name =
            undefined && strncmp(plain.text, "l.", 2) == 0 ? strrchr(plain.text, '\\') : NULL;
        if (!undefined && strncmp(plain.text, "*** (", 5) == 0) name = plain.text + 4;
        if (!name) continue;
        append_text(out, " ");
        append_text(out, name);
        return;
    }
}

/* javac prints which kind of symbol it misses on a line of its own; appends that. */
static void add_symbol(pare_printed_line line, pare_diagnostic *out)
{
    pare_plain_line plain;
    if (!strstr(out->text, "cannot find symbol")) return;
    for (unsigned k = 0; k < LINES_TO_TEXT && pare_printed_line_next(&line); k++) {
        pare_plain_line_make(&line, &plain);
        if (strncmp(plain.text, "symbol: ", 8) != 0) continue;
        append_text(out, ": ");
        append_text(out, plain.text + 8);
        return;
    }
}

/* Poly/ML says why types do not fit on the line of the reason, or the one below; appends that. */
static void add_reason(pare_printed_line line, pare_diagnostic *out)
{
    static const char title[] = "Reason:";
    pare_plain_line plain;
    if (!strstr(out->text, "rror: ")) return;
    for (unsigned k = 0; k < LINES_OF_PARAGRAPH && pare_printed_line_next(&line); k++) {
        if (line.start == line.end || *line.start != ' ') return;
        pare_plain_line_make(&line, &plain);
        if (strncmp(plain.text, title, sizeof title - 1) != 0) continue;
        const char *reason = plain.text + sizeof title - 1;
        while (*reason == ' ')
            reason++;
        if (!*reason) reason = message_after(&line, &plain);
        append_text(out, " ");
        append_text(out, reason);
        return;
    }
}

/* Common Lisp says what a condition is about in the paragraph below its title, which ends with a colon on its own line
 * or on the next one; appends that. */
static void add_paragraph(pare_printed_line line, pare_diagnostic *out)
{
    pare_plain_line plain;
    bool is_titled = true;
    if (strncmp(out->text, "Unhandled ", 10) != 0) return;
    for (unsigned k = 0; k < LINES_OF_PARAGRAPH; k++) {
        pare_plain_line_make(&line, &plain);
        if (!is_titled && !plain.n) return;
        if (!is_titled) append_text(out, " ");
        if (!is_titled) append_text(out, plain.text);
        if (is_titled && plain.n && plain.text[plain.n - 1] == ':') {
            is_titled = false;
            append_text(out, ":");
        }
        if (!pare_printed_line_next(&line)) return;
    }
}

/* Whether the text only leads to the next line, which is a diagnostic of its own: "ERROR: in.pl:7: Initialization goal
 * raised exception:". */
static bool introduces(pare_printed_line line, const pare_diagnostic *out)
{
    pare_plain_line next;
    pare_diagnostic_header own;
    const size_t size = strlen(out->text);
    if (!size || out->text[size - 1] != ':') return false;
    return pare_diagnostic_header_find(message_after(&line, &next), &own);
}

/* Cuts from the text what belongs to the form of the line that it is from: the end of (error "..."), and of "Error 6084 -
 * ^ ..." the mark, which is below the line of the input and shares its own line with the message (iasl). */
static void cut_form(const pare_diagnostic_header *header, char *text)
{
    const size_t size = strlen(text);
    char *mark = strstr(text, " ^ ");
    const bool is_expression = strncmp(header->end, " \"", 2) == 0;
    if (is_expression && size > 2 && strcmp(text + size - 2, "\")") == 0) text[size - 2] = '\0';
    if (mark && strncmp(header->end, " - ", 3) == 0) memmove(mark, mark + 2, strlen(mark + 2) + 1);
}

/* Sets the text of a diagnostic: header, ": ", message; or header and message as they stand,
 * where the message is the rest of the header's own sentence. */
static void compose(const pare_diagnostic_header *header, const char *message, pare_diagnostic *out)
{
    bool joined = message == header->end; /* the rest of a sentence */
    append(out, header->start, (size_t)(header->end - header->start));
    if (!joined && *message) append_text(out, ": ");
    append_text(out, message);
    cut_form(header, out->text);
    cut_hint(out->text);
    cut_places(out->text);
}

/* Appends the token at which a parser has met a syntax error, if that stands before the header: "in.conf:7: at
 * 'hide:': error: syntax error" (NSD). */
static void add_token(const char *line, const pare_diagnostic_header *header, pare_diagnostic *out)
{
    static const char words[] = " at '";
    const char *at = strstr(line, words), *end = header->start - 2;
    const size_t size = strlen(out->text);
    if (!at || end <= at + sizeof words || strncmp(end - 1, "': ", 3) != 0) return;
    if (size < 12 || strcmp(out->text + size - 12, "syntax error") != 0) return;
    append(out, at, (size_t)(end - at));
}

/* Whether the kind stands last, in parentheses after the message, as Ruby has it: "undefined
 * local variable 'n' (NameError)". */
static bool stands_last(const char *line, const pare_diagnostic_header *header)
{
    return header->start > line && header->start[-1] == '(' && strcmp(header->end, ")") == 0;
}

/* The text of such a diagnostic, with the kind first as in others. */
static void compose_last(const char *line, const pare_diagnostic_header *header,
                         pare_diagnostic *out)
{
    const char *message = pare_diagnostic_skip_place(line), *end = header->start - 1;
    while (end > message && end[-1] == ' ')
        end--;
    append(out, header->start, (size_t)(header->end - header->start));
    append_text(out, ": ");
    if (end > message) append(out, message, (size_t)(end - message));
    cut_hint(out->text);
}

/* Notes the file and the line that a diagnostic is about, as they stand before its header, up
 * to the end of the first number.  A longer place than there is room for is left out rather
 * than cut: a cut name would be another file's. */
static void set_place(const char *line, const char *header, pare_diagnostic *out)
{
    const char *at = line;
    while (at < header && !isdigit((unsigned char)*at))
        at++;
    while (at < header && isdigit((unsigned char)*at))
        at++;
    size_t size = (size_t)(at - line);
    if (at == header || size >= sizeof out->place) return;
    memcpy(out->place, line, size);
}

/* If a linker misses the function where programs begin, marks that as different from any other
 * missing function: it is the C library that asks for it, so every text that has lost its code
 * fails like that. */
static void mark_entry(pare_diagnostic *out)
{
    static const char *const wants[] = {"undefined reference to ", "undefined symbol: "};
    static const char *const entries[] = {"main", "WinMain", "_start"};
    const char *name = NULL;
    for (size_t k = 0; k < 2 && !name; k++)
        if ((name = strstr(out->text, wants[k]))) name += strlen(wants[k]);
    if (!name) return;
    name += strspn(name, "`'\"");
    const size_t size = strcspn(name, "'\"");
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++)
        if (size == strlen(entries[k]) && strncmp(name, entries[k], size) == 0) {
            append_text(out, " (where programs begin)");
            return;
        }
}

/* A line without a header may be a log record, whose level is its severity. */
static bool read_log_record(const char *line, pare_diagnostic *out)
{
    pare_log_record record;
    if (!pare_log_record_read(line, &record)) return false;
    *out =
        (pare_diagnostic){.severity = record.warns ? PARE_SEVERITY_WARNING : PARE_SEVERITY_ERROR};
    append(out, record.level, record.level_size);
    append_text(out, ": ");
    append(out, record.message, record.message_size);
    cut_hint(out->text);
    cut_places(out->text);
    return true;
}

/* A failed "assert" as pytest shows it, with the values: "E       assert 9.0 == 8".  The kind of exception is on a
 * later line, with nothing but the place. */
static bool read_assert(const pare_printed_line *line, const char *text, pare_diagnostic *out)
{
    static const char mark[] = "E  ", shown[] = "E assert ";
    if (line->end - line->start < (ptrdiff_t)sizeof mark ||
        memcmp(line->start, mark, sizeof mark - 1) != 0 ||
        strncmp(text, shown, sizeof shown - 1) != 0)
        return false;
    *out = (pare_diagnostic){.severity = PARE_SEVERITY_ERROR, .is_exception = true};
    append_text(out, "AssertionError: ");
    append_text(out, text + 2);
    return true;
}

/* Linkers name no severity in these two; all others have a header, or are log records. */
bool pare_diagnostic_read(const pare_printed_line *line, pare_diagnostic *out)
{
    pare_plain_line plain, more;
    pare_diagnostic_header header;
    pare_plain_line_make(line, &plain);
    /* RSpec's title of the code at fault. */
    if (strncmp(plain.text, "Failure/Error:", 14) == 0) return false;
    if (!pare_diagnostic_header_find(plain.text, &header)) {
        if (read_log_record(plain.text, out)) return !is_summary(out->text);
        if (read_assert(line, plain.text, out)) return true;
        const char *at = strstr(plain.text, "undefined reference to");
        if (!at) at = strstr(plain.text, "multiple definition of");
        if (!at) return false;
        *out = (pare_diagnostic){.severity = PARE_SEVERITY_ERROR};
        append_text(out, at);
        cut_places(out->text);
        mark_entry(out);
        return true;
    }
    *out = (pare_diagnostic){.severity = header.severity, .is_exception = header.is_exception};
    if (stands_last(plain.text, &header)) {
        compose_last(plain.text, &header, out);
        return true;
    }
    /* A sign alone is one only above a place: others print it too. */
    if (header.start == header.end && !shows_place(*line)) return false;
    set_place(plain.text, header.start, out);
    pare_printed_line at = *line;
    const char *message = header.message;
    if (message != header.end) message = pare_diagnostic_skip_place(message);
    /* Below "in.s:3: syntax error" stands something else. */
    const bool is_whole = message == header.end && header.start > plain.text &&
                          pare_diagnostic_skip_place(plain.text) == header.start;
    if (!*message && header.is_exception) message = indented_after(*line, &more);
    if (!*message && !header.is_exception && !is_whole) {
        pare_diagnostic_header own;
        message = message_after(&at, &more);
        if (pare_diagnostic_header_find(message, &own)) return false; /* read by itself */
    }
    compose(&header, message, out);
    add_token(plain.text, &header, out);
    if (introduces(at, out) || is_summary(out->text)) return false;
    finish(at, out);
    /* What is ignored has not ended the program. */
    if (strncmp(message, "ignoring ", 9) == 0) out->severity = PARE_SEVERITY_WARNING;
    add_symbol(*line, out);
    add_reason(*line, out);
    add_context(*line, out);
    add_paragraph(*line, out);
    mark_entry(out);
    return !is_summary(out->text);
}

/* The line is taken as it is: the type may have any name. */
void pare_diagnostic_read_thrown(const pare_printed_line *line, pare_diagnostic *out)
{
    pare_plain_line plain;
    pare_plain_line_make(line, &plain);
    *out = (pare_diagnostic){.severity = PARE_SEVERITY_ERROR, .is_exception = true};
    append_text(out, plain.text);
    finish(*line, out);
    cut_hint(out->text);
}

/* ---- lists ------------------------------------------------------------------------ */

/* Whether the text is in the list already. */
static bool has(const pare_diagnostics *list, const char *text)
{
    for (size_t k = 0; k < list->n; k++)
        if (strcmp(list->item[k].text, text) == 0) return true;
    return false;
}

/* Whether the kind of an exception is named once more without its message: pytest does so beside the place. */
static bool is_repeated(const pare_diagnostics *list, const pare_diagnostic *diagnostic)
{
    const size_t size = strlen(diagnostic->text);
    if (!diagnostic->is_exception || strchr(diagnostic->text, ' ')) return false;
    for (size_t k = 0; k < list->n; k++)
        if (strncmp(list->item[k].text, diagnostic->text, size) == 0 &&
            strncmp(list->item[k].text + size, ": ", 2) == 0)
            return true;
    return false;
}

/* A full list takes no more: 32 different problems are enough to tell runs apart. */
void pare_diagnostics_add(pare_diagnostics *list, const pare_diagnostic *diagnostic)
{
    const bool is_new =
        *diagnostic->text && !has(list, diagnostic->text) && !is_repeated(list, diagnostic);
    if (list->n < PARE_DIAGNOSTICS_MAX && is_new) list->item[list->n++] = *diagnostic;
    assert(list->n <= PARE_DIAGNOSTICS_MAX);
}

/* The common text of two messages that differ in a few words (addresses, names of temporary files),
 * with "*" in the place of each; false: they are not alike, because their punctuation differs or
 * more words differ than are the same. */
static bool merge(const char *a, const char *b, char merged[PARE_DIAGNOSTIC_BYTES])
{
    size_t n = 0, n_same = 0, n_other = 0;
    while (*a && *b) {
        size_t size_a = 0, size_b = 0;
        while (pare_diagnostic_in_word(a[size_a]))
            size_a++;
        while (pare_diagnostic_in_word(b[size_b]))
            size_b++;
        bool same = size_a == size_b && memcmp(a, b, size_a ? size_a : 1) == 0;
        if (!same && (!size_a || !size_b)) return false;
        n_same += same && size_a;
        n_other += !same;
        if (!same) merged[n++] = '*';
        if (same) memcpy(merged + n, a, size_a ? size_a : 1);
        if (same) n += size_a ? size_a : 1;
        a += size_a ? size_a : 1;
        b += size_b ? size_b : 1;
    }
    merged[n] = '\0';
    return !*a && !*b && n_other < n_same;
}

/* An item stays if the other list has one like it, with "*" for the words in which the two
 * differ. */
void pare_diagnostics_intersect(pare_diagnostics *common, const pare_diagnostics *other)
{
    size_t n = 0;
    for (size_t k = 0; k < common->n; k++) {
        pare_diagnostic item = common->item[k];
        bool found = has(other, item.text);
        for (size_t i = 0; i < other->n && !found; i++)
            found = merge(common->item[k].text, other->item[i].text, item.text);
        if (found) common->item[n++] = item;
    }
    common->n = n;
}

/* Whether the wanted signature names this problem, as the one that is kept or as one of those
 * beside it, which the input reports as well. */
static bool is_foreseen(const pare_diagnostic *diagnostic, const pare_signature *wanted)
{
    if (*wanted->diagnostic && pare_signature_like(wanted->diagnostic, diagnostic->text))
        return true;
    for (size_t k = 0; k < PARE_SIGNATURE_BESIDES && *wanted->beside[k]; k++)
        if (pare_signature_like(wanted->beside[k], diagnostic->text)) return true;
    return false;
}

/* Guesses and warnings never count as an error too many: they come and go. */
bool pare_diagnostics_hold(const pare_diagnostics *list, const pare_signature *wanted,
                           bool *missing, const pare_diagnostic **extra)
{
    *missing = *wanted->diagnostic != '\0';
    *extra = NULL;
    for (size_t k = 0; k < list->n; k++) {
        const pare_diagnostic *seen = &list->item[k];
        if (*missing && pare_signature_like(wanted->diagnostic, seen->text)) *missing = false;
        bool counts = seen->severity == PARE_SEVERITY_ERROR && !seen->is_guess;
        if (wanted->alone && counts && !*extra && !is_foreseen(seen, wanted)) *extra = seen;
    }
    return !*missing && !*extra;
}

/* ---- guesses ---------------------------------------------------------------------- */

/* Cuts the place at the end of a message, as Perl's: "... at in.pl line 3."  True if there was
 * one. */
static bool cut_place_at_end(char *text)
{
    for (char *at = strstr(text, " at "); at; at = strstr(at + 1, " at ")) {
        const char *line = strstr(at, " line ");
        if (!line || strchr(at + 4, ' ') != line || !isdigit((unsigned char)line[6])) continue;
        *at = '\0';
        return true;
    }
    return false;
}

/* Whether the line is the title of a stack: Lua's, Racket's, CHICKEN's, and others'. */
static bool begins_stack(const char *text)
{
    static const char *const titles[] = {
        "stack traceback", "context...:", "call history:", "call stack",
        "stack trace",     "backtrace:",  "stack dump"};
    for (size_t k = 0; k < sizeof titles / sizeof *titles; k++)
        if (strncasecmp(text, titles[k], strlen(titles[k])) == 0) return true;
    return false;
}

/* Adds `text`, which is of `line` and may be a diagnostic, unless it is a summary; `^` and blanks are what is
 * left of a mark below a line of the source. */
static void guess(pare_diagnostics *list, pare_printed_line line, const char *text,
                  pare_severity severity)
{
    while (*text == '^' || *text == ' ') /* below a line of the source */
        text++;
    pare_diagnostic diagnostic = {.severity = severity, .is_guess = true};
    append_text(&diagnostic, text);
    const size_t size = strlen(diagnostic.text);
    const bool goes_on = size && strchr(",:", diagnostic.text[size - 1]) && !begins_stack(text);
    if (goes_on) finish(line, &diagnostic);
    cut_hint(diagnostic.text);
    if (!is_summary(text)) pare_diagnostics_add(list, &diagnostic);
}

/* Whether a program calls its message a warning in one of the forms that are no headers: "NAME: Warning, ..." (libtiff), and
 * as ImageMagick does in the place at the end, "@ warning/tiff.c/TIFFWarnings/981." */
static bool is_warning(const pare_printed_line *line)
{
    static const char *const forms[] = {" @ warning/", ": Warning, "};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (memmem(line->start, (size_t)(line->end - line->start), forms[k], strlen(forms[k])))
            return true;
    return false;
}

/* Whether the text after a place is that of a warning or of what belongs to one. */
static bool is_mild(const char *text)
{
    pare_diagnostic_header header;
    return pare_diagnostic_header_find(text, &header) || strncasecmp(text, "note:", 5) == 0 ||
           strncasecmp(text, "info:", 5) == 0;
}

/* Adds the lines that name a place in a file, at their beginning or at their end, up to a
 * stack trace, whose lines do so too and say nothing new.  Where warnings have been reported, what
 * else is reported is the error: msgfmt's have no such word. */
static void guess_by_places(pare_diagnostics *list, const pare_printed *printed,
                            pare_severity severity)
{
    if (!printed->size) return;
    const bool warned = list->n > 0;
    pare_printed_line line = pare_printed_line_at(printed, 0);
    unsigned left = LINES_GUESSED;
    do {
        pare_plain_line plain;
        pare_plain_line_make(&line, &plain);
        if (begins_stack(plain.text)) return;
        if (strncmp(plain.text, "at ", 3) == 0 && isspace((unsigned char)*line.start)) continue;
        /* stunnel's log has a mark before errors. */
        const char *start = plain.text + (strncmp(plain.text, "[!] ", 4) == 0 ? 4 : 0);
        const char *text = pare_diagnostic_skip_place(start);
        if (warned && is_mild(text)) continue;
        if ((text > start && *text) || cut_place_at_end(plain.text))
            guess(list, line, text, severity);
    } while (--left && pare_printed_line_next(&line));
}

/* Adds the tests that failed, by name and reason, where the program is a test runner. */
static void guess_by_tests(pare_diagnostics *list, const pare_printed *printed)
{
    pare_test_report report;
    if (!printed->size) return;
    pare_printed_line line = pare_printed_line_at(printed, 0);
    do {
        if (!pare_test_report_read(&line, &report)) continue;
        pare_diagnostic diagnostic = {.severity = PARE_SEVERITY_ERROR, .is_guess = true};
        append_text(&diagnostic, "failed test");
        append_text(&diagnostic, *report.name ? ": " : "");
        append_text(&diagnostic, report.name);
        append_text(&diagnostic, *report.reason ? ": " : "");
        append_text(&diagnostic, report.reason);
        pare_diagnostics_add(list, &diagnostic);
    } while (pare_printed_line_next(&line));
}

/* Adds the line before the first frame of a stack ("    at load (in.js:3:5)"): there stands what
 * was thrown. */
static void guess_by_stack(pare_diagnostics *list, const pare_printed *printed)
{
    if (!printed->size) return;
    pare_printed_line line = pare_printed_line_at(printed, 0), before = line;
    while (pare_printed_line_next(&line)) {
        const char *at = line.start;
        while (at < line.end && (*at == ' ' || *at == '\t'))
            at++;
        bool is_frame = at > line.start && line.end - at > 3 && memcmp(at, "at ", 3) == 0;
        if (is_frame) {
            pare_plain_line plain;
            pare_plain_line_make(&before, &plain);
            guess(list, before, plain.text, PARE_SEVERITY_ERROR);
            return;
        }
        before = line;
    }
}

/* Whether the line asks for a bug report, which compilers print before what there is to report:
 * LLVM before its stack dump. */
static bool is_request(const char *text)
{
    static const char start[] = "please submit a ";
    return strncasecmp(text, start, sizeof start - 1) == 0;
}

/* Whether the line begins with the word "error": "Error in configuration file 'in.cfg' - Line 8 (...)" (Nagios), and
 * what is below says only that it has ended for that. */
static bool begins_with_error(const char *text)
{
    return strncasecmp(text, "error ", 6) == 0;
}

/* Adds the first line that says something, or the last, but an earlier one that names an error. */
static void guess_by_order(pare_diagnostics *list, const pare_printed *printed, bool last)
{
    if (!printed->size) return;
    pare_printed_line line = pare_printed_line_at(printed, 0), its_line = line;
    pare_plain_line found = {.n = 0};
    bool is_found_mild = false;
    do {
        pare_plain_line plain;
        pare_plain_line_make(&line, &plain);
        if (!plain.n || is_request(plain.text) || is_summary(plain.text)) continue;
        const bool mild = is_warning(&line);
        if (found.n && mild && !is_found_mild) continue;
        found = plain;
        its_line = line;
        is_found_mild = mild;
        /* A place alone is above what there is to say of it. */
        if (!*pare_diagnostic_skip_place(plain.text)) (void)message_after(&its_line, &found);
        last = last && !begins_with_error(plain.text);
    } while ((last || !found.n || is_found_mild) && pare_printed_line_next(&line));
    guess(list, its_line, found.text, PARE_SEVERITY_ERROR);
}

/* In the order of what each is worth, until one finds something: failed tests, a stack, places on standard
 * error, places on standard output, the first line of an error, the last of what was printed.
 * Standard error goes before standard output, where a program prints its results too. */
void pare_diagnostics_guess(pare_diagnostics *list, const pare_observation *seen)
{
    if (seen->ended != PARE_ENDED_EXIT) return;
    pare_severity severity = seen->code ? PARE_SEVERITY_ERROR : PARE_SEVERITY_WARNING;
    const size_t n = list->n; /* warnings */
    if (seen->code) guess_by_tests(list, &seen->out);
    if (seen->code && list->n == n) guess_by_tests(list, &seen->err);
    if (seen->code && list->n == n) guess_by_stack(list, &seen->err);
    if (list->n == n) guess_by_places(list, &seen->err, severity);
    if (list->n || !seen->code) return;
    guess_by_places(list, &seen->out, severity);
    if (!list->n) guess_by_order(list, &seen->err, false);
    if (!list->n) guess_by_order(list, &seen->out, true);
}
