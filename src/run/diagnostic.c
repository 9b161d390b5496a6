/* Reading diagnostics: what in a program's output is a reported problem, and its text.
 *
 * A line is made plain first (run/plain_line.h), so that what follows is a search in a short string.  Its
 * header is found (run/diagnostic_header.h), the place before the header goes, hints and places within the message are
 * cut, and summaries are dropped (run/diagnostic_text.h), so that what is left is the same whenever the same problem
 * is reported.
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
#include "run/diagnostic_text.h"
#include "run/log_record.h"
#include "run/plain_line.h"
#include "run/signature.h"

enum {
    LINES_TO_REASON = 4,
    LINES_OF_PARAGRAPH = 8,
    LINES_TO_PLACE = 12 /* of an error of TeX's, which shows what it was reading */
};

/* Makes words plain in the same way as lines are, so that the two can be compared. */
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

/* Whether one of the lines after `line` shows where an error is as TeX does: "l.19 \item", "<*>
 * in.tex". "! " at the start of a line is TeX's only if such a line follows. */
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
        pare_diagnostic_text_add(out->text, " ");
        pare_diagnostic_text_add(out->text, name);
        return;
    }
}

/* javac prints which kind of symbol it misses on a line of its own; appends that. */
static void add_symbol(pare_printed_line line, pare_diagnostic *out)
{
    pare_plain_line plain;
    if (!strstr(out->text, "cannot find symbol")) return;
    for (unsigned k = 0; k < LINES_TO_REASON && pare_printed_line_next(&line); k++) {
        pare_plain_line_make(&line, &plain);
        if (strncmp(plain.text, "symbol: ", 8) != 0) continue;
        pare_diagnostic_text_add(out->text, ": ");
        pare_diagnostic_text_add(out->text, plain.text + 8);
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
        if (!*reason) reason = pare_diagnostic_text_after(&line, &plain);
        pare_diagnostic_text_add(out->text, " ");
        pare_diagnostic_text_add(out->text, reason);
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
        if (!is_titled) pare_diagnostic_text_add(out->text, " ");
        if (!is_titled) pare_diagnostic_text_add(out->text, plain.text);
        if (is_titled && plain.n && plain.text[plain.n - 1] == ':') {
            is_titled = false;
            pare_diagnostic_text_add(out->text, ":");
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
    return pare_diagnostic_header_find(pare_diagnostic_text_after(&line, &next), &own);
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
 * where the message is the rest of the header's own sentence.
 *
 * Examples: "error[E0308]" and "mismatched types" become "error[E0308]: mismatched types"; of
 * "syntax error near 'x'" header and message are joined as they stand. */
static void compose(const pare_diagnostic_header *header, const char *message, pare_diagnostic *out)
{
    bool joined = message == header->end; /* the rest of a sentence */
    pare_diagnostic_text_append(out->text, header->start, (size_t)(header->end - header->start));
    if (!joined && *message) pare_diagnostic_text_add(out->text, ": ");
    pare_diagnostic_text_add(out->text, message);
    cut_form(header, out->text);
    pare_diagnostic_text_cut_hint(out->text);
    pare_diagnostic_text_cut_places(out->text);
}

/* Appends the token at which a parser has met a syntax error, if that stands before the header: "in.conf:7: at
 * 'hide:': error: syntax error" (NSD). Without it all syntax errors of such a program would be
 * the same failure. */
static void add_token(const char *line, const pare_diagnostic_header *header, pare_diagnostic *out)
{
    static const char words[] = " at '";
    const char *at = strstr(line, words), *end = header->start - 2;
    const size_t size = strlen(out->text);
    /* The header must follow the token at once: end - 1 is the quote that closes it. */
    if (!at || end <= at + sizeof words || strncmp(end - 1, "': ", 3) != 0) return;
    if (size < 12 || strcmp(out->text + size - 12, "syntax error") != 0) return;
    pare_diagnostic_text_append(out->text, at, (size_t)(end - at));
}

/* Whether the kind stands last, in parentheses after the message, as Ruby has it: "undefined
 * local variable 'n' (NameError)". */
static bool stands_last(const char *line, const pare_diagnostic_header *header)
{
    return header->start > line && header->start[-1] == '(' && strcmp(header->end, ")") == 0;
}

/* The text of such a diagnostic, with the kind first as in others. Example: "in.rb:3: undefined
 * local variable 'n' (NameError)" becomes "NameError: undefined local variable 'n'". */
static void compose_last(const char *line, const pare_diagnostic_header *header,
                         pare_diagnostic *out)
{
    const char *message = pare_diagnostic_skip_place(line), *end = header->start - 1;
    while (end > message && end[-1] == ' ')
        end--;
    pare_diagnostic_text_append(out->text, header->start, (size_t)(header->end - header->start));
    pare_diagnostic_text_add(out->text, ": ");
    if (end > message) pare_diagnostic_text_append(out->text, message, (size_t)(end - message));
    pare_diagnostic_text_cut_hint(out->text);
}

/* Notes the file and the line that a diagnostic is about, as they stand before its header, up
 * to the end of the first number.  A longer place than there is room for is left out rather
 * than cut: a cut name would be another file's. Example: of "src/a2.c:14:3: error: ..." that is
 * "src/a2", of "in.c:14:3: error: ..." "in.c:14". */
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
            pare_diagnostic_text_add(out->text, " (where programs begin)");
            return;
        }
}

/* Whether a message is a line of the source, or the mark below one, each of which Prettier begins as an error:
 * "59 | f();", "> 61 | x: = 3", "| ^". */
static bool shows_source(const char *message)
{
    message += strspn(message, "> ");
    message += strspn(message, "0123456789 ");
    return *message == '|';
}

/* A line without a header may be a log record, whose level is its severity. */
static bool read_log_record(const char *line, pare_diagnostic *out)
{
    pare_log_record record;
    if (!pare_log_record_read(line, &record)) return false;
    *out =
        (pare_diagnostic){.severity = record.warns ? PARE_SEVERITY_WARNING : PARE_SEVERITY_ERROR};
    pare_diagnostic_text_append(out->text, record.level, record.level_size);
    pare_diagnostic_text_add(out->text, ": ");
    pare_diagnostic_text_append(out->text, record.message, record.message_size);
    pare_diagnostic_text_cut_hint(out->text);
    pare_diagnostic_text_cut_places(out->text);
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
    pare_diagnostic_text_add(out->text, "AssertionError: ");
    pare_diagnostic_text_add(out->text, text + 2);
    return true;
}

/* Linkers name no severity in these two; all others have a header, or are log records.
 *
 * False: the line is no diagnostic, or only sums up or introduces others; *out means nothing
 * then. The message may be on the same line, or on later ones: it is looked for there only if
 * the header leaves none, and never taken from a line that has a header of its own. */
bool pare_diagnostic_read(const pare_printed_line *line, pare_diagnostic *out)
{
    pare_plain_line plain, more;
    pare_diagnostic_header header;
    pare_plain_line_make(line, &plain);
    /* RSpec's title of the code at fault. */
    if (strncmp(plain.text, "Failure/Error:", 14) == 0) return false;
    if (!pare_diagnostic_header_find(plain.text, &header)) {
        if (read_log_record(plain.text, out)) return !pare_diagnostic_text_is_summary(out->text);
        if (read_assert(line, plain.text, out)) return true;
        const char *at = strstr(plain.text, "undefined reference to");
        if (!at) at = strstr(plain.text, "multiple definition of");
        if (!at) return false;
        *out = (pare_diagnostic){.severity = PARE_SEVERITY_ERROR};
        /* Without the object file and the section that stand before it: these differ from run
         * to run. */
        pare_diagnostic_text_add(out->text, at);
        pare_diagnostic_text_cut_places(out->text);
        mark_entry(out);
        return true;
    }
    if (shows_source(header.message)) return false;
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
    /* An exception with nothing after its name is complete, unless an indented line follows a
     * colon. */
    if (!*message && header.is_exception)
        message = pare_diagnostic_text_indented_after(*line, &more);
    if (!*message && !header.is_exception && !is_whole) {
        pare_diagnostic_header own;
        message = pare_diagnostic_text_after(&at, &more);
        if (pare_diagnostic_header_find(message, &own)) return false; /* read by itself */
    }
    compose(&header, message, out);
    add_token(plain.text, &header, out);
    if (introduces(at, out) || pare_diagnostic_text_is_summary(out->text)) return false;
    pare_diagnostic_text_finish(at, out->text);
    /* What is ignored has not ended the program. */
    if (strncmp(message, "ignoring ", 9) == 0) out->severity = PARE_SEVERITY_WARNING;
    add_symbol(*line, out);
    add_reason(*line, out);
    add_context(*line, out);
    add_paragraph(*line, out);
    mark_entry(out);
    return !pare_diagnostic_text_is_summary(out->text);
}

/* The line is taken as it is: the type may have any name. Used where the line before it has
 * said that something was thrown. */
void pare_diagnostic_read_thrown(const pare_printed_line *line, pare_diagnostic *out)
{
    pare_plain_line plain;
    pare_plain_line_make(line, &plain);
    *out = (pare_diagnostic){.severity = PARE_SEVERITY_ERROR, .is_exception = true};
    pare_diagnostic_text_add(out->text, plain.text);
    pare_diagnostic_text_finish(*line, out->text);
    pare_diagnostic_text_cut_hint(out->text);
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
 * more words differ than are the same.
 *
 * Example: "file t.a1 cannot be read" and "file t.b7 cannot be read" become "file t.* cannot be
 * read". The texts are compared word by word from the left, and each byte that is in no word
 * must be the same. `merged` is never longer than `a`, as a word becomes one byte. */
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
 * differ. Cost: O(n * m) comparisons of texts, for lists of at most PARE_DIAGNOSTICS_MAX. */
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

/* Guesses and warnings never count as an error too many: they come and go.
 *
 * *missing: the wanted problem is not reported; *extra: the first that should not be there,
 * borrowed from `list`, asked for only if the signature wants the problem alone. True if there
 * is neither. */
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
