/* Guesses at the failure where no line names an error.
 *
 * They are made in the order of what they are worth, until one finds something: failed tests, what stands before
 * a stack, lines with a place in a file, the first line, the last.  Standard error goes before standard output,
 * where a program prints its results too.
 *
 * Why they are marked as guesses: they come and go, so that one too many is no other failure. */
#include "run/diagnostic_guess.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "run/diagnostic_header.h"
#include "run/diagnostic_text.h"
#include "run/failure_words.h"
#include "run/plain_line.h"
#include "run/signature.h"
#include "run/test_report.h"

enum { LINES_GUESSED = 400 }; /* looked at for places in files */

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

/* Skips a date and a time of the day at the start of a line, which are others in each run: "2026-11-30 06:11:22: ",
 * "[2026-11-30T06:11:22.5Z] ". */
static const char *skip_time(const char *text)
{
    static const char form[] = "dddd-dd-dd dd:dd:dd"; /* d: a digit */
    const char *at = text + (*text == '[');
    for (size_t k = 0; k < sizeof form - 1; k++, at++) {
        const bool fits = form[k] == 'd'   ? isdigit((unsigned char)*at) != 0
                          : form[k] == ' ' ? *at == ' ' || *at == 'T'
                                           : *at == form[k];
        if (!fits) return text;
    }
    at += strcspn(at, " ]:"); /* parts of a second, and the zone */
    at += strspn(at, " ]:");
    return *at ? at : text;
}

/* Whether the text ends with a place, "... in in.conf:67:29-67:36:": below it is the text of the input. */
static bool ends_with_place(const char *text, size_t size)
{
    size_t n = size;
    while (n && strchr("0123456789:-", text[n - 1]))
        n--;
    return n && n + 2 < size && text[n - 1] != ' ' && text[n] == ':' &&
           isdigit((unsigned char)text[n + 1]);
}

/* Appends the next line if all of it is in parentheses: there stands why, as in tshark's "The file ... appears to be
 * damaged." and "(pcap: File has ...)". */
static void add_parenthesis(pare_printed_line line, char text[static PARE_DIAGNOSTIC_BYTES])
{
    pare_plain_line plain;
    if (!pare_printed_line_next(&line) || line.start == line.end || *line.start != '(') return;
    pare_plain_line_make(&line, &plain);
    if (!plain.n || plain.text[plain.n - 1] != ')') return;
    pare_diagnostic_text_add(text, " ");
    pare_diagnostic_text_add(text, plain.text);
}

/* Notes the place that stands from `start` to `end`: the name of the file, or of the program before it, and the
 * numbers.  Of "sshd.conf: line 7: " and of "sshd.conf line 7: " that is "sshd.conf 7"; one that is too long for the
 * room is left out. */
static void note_place(const char *start, const char *end, pare_diagnostic *out)
{
    const size_t n_name = strcspn(start, " :(,[\"");
    const char *numbers = end;
    while (numbers > start && !isdigit((unsigned char)numbers[-1]))
        numbers--;
    const char *stop = numbers;
    while (numbers > start && (isdigit((unsigned char)numbers[-1]) || strchr(":.,-", numbers[-1])))
        numbers--;
    numbers += strspn(numbers, ":.,-");
    const size_t n_numbers = numbers < stop ? (size_t)(stop - numbers) : 0;
    if (!n_numbers || n_name + 1 + n_numbers >= sizeof out->place) return;
    memcpy(out->place, start, n_name);
    out->place[n_name] = ' ';
    memcpy(out->place + n_name + 1, numbers, n_numbers);
}

/* Adds `text`, which is of `line` and may be a diagnostic, unless it is a summary; `^` and blanks are what is
 * left of a mark below a line of the source. */
static void guess_at(pare_diagnostics *list, pare_printed_line line, const char *place,
                     const char *text, pare_severity severity)
{
    const char *at = text;               /* the end of the place */
    while (*text == '^' || *text == ' ') /* below a line of the source */
        text++;
    text = skip_time(text);
    pare_diagnostic diagnostic = {.severity = severity, .is_guess = true};
    pare_diagnostic_text_add(diagnostic.text, text);
    if (place) note_place(place, at, &diagnostic);
    const size_t size = strlen(diagnostic.text);
    const bool goes_on = size && strchr(",:", diagnostic.text[size - 1]) && !begins_stack(text) &&
                         !ends_with_place(diagnostic.text, size);
    if (goes_on) pare_diagnostic_text_finish(line, diagnostic.text);
    if (!goes_on) add_parenthesis(line, diagnostic.text);
    pare_diagnostic_text_cut_hint(diagnostic.text);
    if (!pare_diagnostic_text_is_summary(text)) pare_diagnostics_add(list, &diagnostic);
}

/* The same for a line of which no place is known. */
static void guess(pare_diagnostics *list, pare_printed_line line, const char *text,
                  pare_severity severity)
{
    guess_at(list, line, NULL, text, severity);
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

/* Whether the line tells what the program begins with: "Load smb config files from in.conf", "Reading 'in.lp'..." */
static bool is_progress(const char *text)
{
    static const char *const verbs[] = {
        "Load",     "Loading", "Reading",   "Parsing",   "Processing", "Checking", "Compiling",
        "Building", "Opening", "Analyzing", "Importing", "Running",    "Starting", "Using"};
    const size_t first = strcspn(text, " "), size = strlen(text);
    bool begins = false;
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs && !begins; k++)
        begins = strlen(verbs[k]) == first && strncasecmp(text, verbs[k], first) == 0;
    if (!begins || first == size || pare_failure_words_in(text, size)) return false;
    const char *last = strrchr(text, ' ') + 1;
    const char *dot = strchr(last, '.');
    const bool names_file = dot > last && isalnum((unsigned char)dot[1]);
    return names_file || (size > 3 && strcmp(text + size - 3, "...") == 0);
}

/* Whether the text after a place is that of a warning or of what belongs to one. */
static bool is_mild(const char *text)
{
    pare_diagnostic_header header;
    return pare_diagnostic_header_find(text, &header) || strncasecmp(text, "note:", 5) == 0 ||
           strncasecmp(text, "info:", 5) == 0;
}

/* Whether the line is a frame of a stack as JavaScript's, "    at load (in.js:3:5)", or Raku's, "  in sub total at in.raku
 * line 3". */
static bool is_frame(const pare_printed_line *line, const pare_plain_line *plain)
{
    if (line->start == line->end || !isspace((unsigned char)*line->start)) return false;
    if (strncmp(plain->text, "at ", 3) == 0) return true;
    const char *at = strncmp(plain->text, "in ", 3) == 0 ? strstr(plain->text, " at ") : NULL;
    const char *number = at ? strstr(at, " line ") : NULL;
    return number && isdigit((unsigned char)number[6]);
}

/* Whether the line is a place alone, as Agda has it above a message: "in.agda:23,15-19". */
static bool is_place_alone(const char *text)
{
    const char *colon = strchr(text, ':');
    if (!*pare_diagnostic_skip_place(text)) return true;
    if (!colon || !memchr(text, '.', (size_t)(colon - text)) || strchr(text, ' ')) return false;
    return isdigit((unsigned char)colon[1]) && !colon[1 + strspn(colon + 1, "0123456789,-.:")];
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
        if (is_frame(&line, &plain)) continue;
        /* stunnel's log has a mark before errors. */
        const char *start = plain.text + (strncmp(plain.text, "[!] ", 4) == 0 ? 4 : 0);
        const char *text = pare_diagnostic_skip_place(start);
        if (warned && is_mild(text)) continue;
        if ((text > start && *text) || cut_place_at_end(plain.text))
            guess_at(list, line, text > start ? start : NULL, text, severity);
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
        pare_diagnostic_text_add(diagnostic.text, "failed test");
        pare_diagnostic_text_add(diagnostic.text, *report.name ? ": " : "");
        pare_diagnostic_text_add(diagnostic.text, report.name);
        pare_diagnostic_text_add(diagnostic.text, *report.reason ? ": " : "");
        pare_diagnostic_text_add(diagnostic.text, report.reason);
        pare_diagnostics_add(list, &diagnostic);
    } while (pare_printed_line_next(&line));
}

/* Whether the line says of what stands above it that it is an error: Maxima's, whose exit code is 0. */
static bool calls_error(const char *at, const char *end)
{
    static const char words[] = "-- an error.";
    const size_t n = sizeof words - 1;
    return (size_t)(end - at) >= n && memcmp(at, words, n) == 0;
}

/* Whether the line is a frame of a stack as Pike's: "in.pike:20: Shop()->total()". */
static bool is_called_path(const char *text)
{
    const char *call = pare_diagnostic_skip_place(text), *arrow = strstr(call, ")->");
    return call > text && arrow && arrow > call && !memchr(call, ' ', (size_t)(arrow - call)) &&
           call[strlen(call) - 1] == ')';
}

/* Whether the line is a frame of a stack in one of the forms. */
static bool is_any_frame(const pare_printed_line *line)
{
    pare_plain_line plain;
    pare_plain_line_make(line, &plain);
    return is_frame(line, &plain) || is_called_path(plain.text);
}

/* Adds the line before the first frame of a stack ("    at load (in.js:3:5)"), or before one that calls it an
 * error: there stands what was thrown.  With exit code 0 nothing was, whatever looks like a frame. */
static void guess_by_stack(pare_diagnostics *list, const pare_printed *printed, int code)
{
    if (!printed->size) return;
    pare_printed_line line = pare_printed_line_at(printed, 0), before = line;
    while (pare_printed_line_next(&line)) {
        const char *at = line.start;
        while (at < line.end && (*at == ' ' || *at == '\t'))
            at++;
        if ((code && is_any_frame(&line)) || calls_error(at, line.end)) {
            pare_plain_line plain;
            pare_plain_line_make(&before, &plain);
            guess(list, before, plain.text, PARE_SEVERITY_ERROR);
            return;
        }
        before = line;
    }
}

/* Adds the last line of a block of PARI's, whose lines begin with stars and show the call first; the exit code is 0:
 * "*** at top-level: print(1/0)", "*** ^------", "*** _/_: impossible inverse in gdiv: 0." */
static void guess_by_stars(pare_diagnostics *list, const pare_printed *printed)
{
    static const char title[] = "*** at top-level:", stars[] = "*** ";
    bool is_block = false;
    if (!printed->size) return;
    pare_printed_line line = pare_printed_line_at(printed, 0), last = line;
    pare_plain_line plain, found = {.n = 0};
    do {
        pare_plain_line_make(&line, &plain);
        if (strncmp(plain.text, title, sizeof title - 1) == 0)
            is_block = true;
        else if (!is_block)
            continue;
        else if (strncmp(plain.text, stars, sizeof stars - 1) != 0)
            break;
        found = plain;
        last = line;
    } while (pare_printed_line_next(&line));
    if (found.n > sizeof stars - 1)
        guess(list, last, found.text + sizeof stars - 1, PARE_SEVERITY_ERROR);
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

/* What a line tells, where all that is known is its place in the output. */
enum worth {
    WORTH_LITTLE,  /* a warning, or what the program is doing */
    WORTH_A_GUESS, /* nothing is known of it */
    WORTH_MOST     /* it has a word for a fault, or leads to the lines below */
};

/* An indented line may be one of the input, shown below a message, so its words count only among those of
 * standard output. */
static enum worth worth_of(const pare_printed_line *line, const pare_plain_line *plain, bool last)
{
    const bool is_indented = isspace((unsigned char)*line->start) != 0;
    if (is_warning(line) || is_progress(plain->text)) return WORTH_LITTLE;
    if (plain->text[plain->n - 1] == ':') return WORTH_MOST;
    if (is_indented && !last) return WORTH_A_GUESS;
    return pare_failure_words_in(plain->text, plain->n) ? WORTH_MOST : WORTH_A_GUESS;
}

/* Adds, of the lines that tell most, the first, or the last, but an earlier one that names an error. */
static void guess_by_order(pare_diagnostics *list, const pare_printed *printed, bool last)
{
    if (!printed->size) return;
    pare_printed_line line = pare_printed_line_at(printed, 0), its_line = line;
    pare_plain_line found = {.n = 0};
    enum worth most = WORTH_LITTLE;
    bool is_sure = false;
    do {
        pare_plain_line plain;
        pare_plain_line_make(&line, &plain);
        if (!plain.n || is_frame(&line, &plain) || is_request(plain.text) ||
            pare_diagnostic_text_is_summary(plain.text))
            continue;
        const enum worth worth = worth_of(&line, &plain, last);
        const bool is_better = worth > most || (worth == most && (last || worth == WORTH_LITTLE));
        if (found.n && !is_better) continue;
        found = plain;
        its_line = line;
        most = worth;
        /* A place alone is above what there is to say of it. */
        const bool is_place = is_place_alone(plain.text);
        if (is_place) (void)pare_diagnostic_text_after(&its_line, &found);
        is_sure = is_place || (last ? begins_with_error(plain.text) : worth == WORTH_MOST);
    } while (!is_sure && pare_printed_line_next(&line));
    guess(list, its_line, found.text, PARE_SEVERITY_ERROR);
}

/* Adds the first line of standard error that begins with the word "error", where only warnings were named: a warning
 * does not end a program (syslog-ng: "Error parsing filter expression, ... in in.conf:7:3"). */
static void guess_beside_warnings(pare_diagnostics *list, const pare_printed *printed)
{
    if (!printed->size) return;
    pare_printed_line line = pare_printed_line_at(printed, 0);
    do {
        pare_plain_line plain;
        pare_plain_line_make(&line, &plain);
        if (!begins_with_error(plain.text) || pare_diagnostic_text_is_summary(plain.text)) continue;
        guess(list, line, plain.text, PARE_SEVERITY_ERROR);
        return;
    } while (pare_printed_line_next(&line));
}

/* What follows the part of a program that logs a line, as FFmpeg's libraries write it: "[concat @ 0x55d0c8] Line 81: ...";
 * the text itself where there is none. */
static const char *skip_part(const char *text)
{
    const char *end = *text == '[' ? strchr(text, ']') : NULL, *at = strstr(text, " @ 0x");
    return end && at && at < end && end[1] == ' ' && end[2] ? end + 2 : text;
}

/* Adds the first line of standard error that begins with a name and has a word for a fault: "patch: **** malformed
 * patch at line 7: ...".  It comes before places on standard output, where patch tells of files that it does not
 * find.  What a part of the program logs counts alike: FFmpeg says below it only that the file is invalid. */
static void guess_by_name(pare_diagnostics *list, const pare_printed *printed)
{
    if (!printed->size) return;
    pare_printed_line line = pare_printed_line_at(printed, 0);
    do {
        pare_plain_line plain;
        pare_plain_line_make(&line, &plain);
        const char *text = skip_part(plain.text), *colon = strstr(text, ": ");
        const bool is_named = colon && colon > text && !memchr(text, ' ', (size_t)(colon - text));
        if (!(is_named || text > plain.text) || worth_of(&line, &plain, false) != WORTH_MOST ||
            pare_diagnostic_text_is_summary(plain.text))
            continue;
        guess(list, line, text, PARE_SEVERITY_ERROR);
        return;
    } while (pare_printed_line_next(&line));
}

/* In the order of what each is worth, until one finds something: failed tests, a stack, places on standard
 * error, places on standard output, the first line of an error, the last of what was printed.
 * Standard error goes before standard output, where a program prints its results too. */
void pare_diagnostic_guess(pare_diagnostics *list, const pare_observation *seen)
{
    if (seen->ended != PARE_ENDED_EXIT) return;
    pare_severity severity = seen->code ? PARE_SEVERITY_ERROR : PARE_SEVERITY_WARNING;
    const size_t n = list->n; /* warnings */
    if (seen->code) guess_by_tests(list, &seen->out);
    if (seen->code && list->n == n) guess_by_tests(list, &seen->err);
    if (list->n == n) guess_by_stack(list, &seen->err, seen->code);
    if (list->n == n && !seen->code) guess_by_stack(list, &seen->out, seen->code);
    if (list->n == n && !seen->code) guess_by_stars(list, &seen->err);
    if (list->n == n) guess_by_places(list, &seen->err, severity);
    if (n && list->n == n && seen->code) guess_beside_warnings(list, &seen->err);
    if (list->n || !seen->code) return;
    guess_by_name(list, &seen->err);
    if (!list->n) guess_by_places(list, &seen->out, severity);
    if (!list->n) guess_by_order(list, &seen->err, false);
    if (!list->n) guess_by_order(list, &seen->out, true);
}
