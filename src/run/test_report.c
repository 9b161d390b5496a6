/* Reading reports of tests.
 *
 * Each format has words that stand before the name and words that end it; a table has those of most.  Four
 * have more to them: a point of TAP may have a directive by which it does not count, numbered lists of
 * failures have the kind or the name after the number, busted has the name below a place, CTest its kind of
 * failure at the end of the line.
 *
 * Why the reason is read, too: a reducer that keeps the name alone may end with another assertion, or with
 * none, in a test of that name.
 *
 * Invariant: texts are shorter than their room, and have no blank at their ends. */
#include "run/test_report.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "run/diagnostic_header.h"
#include "run/plain_line.h"

/* Where the reason stands. */
enum reason {
    REASON_NONE,
    REASON_BEHIND, /* in the same line */
    REASON_BELOW,  /* the first line below that has anything */
    REASON_PLACED  /* the line below, behind a place in a file */
};

/* What stands before a name, and what ends it; "": the line does. */
static const struct format {
    const char *before, *after;
    enum reason reason;
} formats[] = {
    {"--- FAIL: ", " (", REASON_PLACED}, {"[ FAILED ] ", " (", REASON_NONE},
    {"FAIL: ", " (", REASON_NONE},       {"FAILED ", " - ", REASON_BEHIND},
    {"Failure: ", "", REASON_NONE},      {"● ", "", REASON_BELOW},
    {"✘ [fail]: ", "", REASON_NONE},     {"✖ [fail]: ", "", REASON_NONE},
};

enum { LINES_TO_REASON = 16, LINES_TO_REMARK = 3 };

/* The end of a name that begins at `name`. */
static const char *end_of(const char *name, const char *after)
{
    const char *end = *after ? strstr(name, after) : NULL;
    return end ? end : name + strlen(name);
}

/* Copies the slice without the blanks at its ends. */
static void copy(char to[PARE_SIGNATURE_LINE_BYTES], const char *from, const char *end)
{
    assert(end >= from);
    while (from < end && *from == ' ')
        from++;
    while (end > from && end[-1] == ' ')
        end--;
    (void)snprintf(to, PARE_SIGNATURE_LINE_BYTES, "%.*s", (int)(end - from), from);
}

/* Goes on to the next line and makes it plain; false: there is none. */
static bool read_next(pare_printed_line *line, pare_plain_line *plain)
{
    if (!pare_printed_line_next(line)) return false;
    pare_plain_line_make(line, plain);
    return true;
}

static const char *skip_digits(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

/* Takes the first line below that has anything for the reason, without a place before it; "got: 5" below
 * "expected: 6" belongs to it. */
static void take_below(pare_printed_line line, pare_test_report *out)
{
    pare_plain_line plain;
    for (unsigned k = 0; k < LINES_TO_REASON && read_next(&line, &plain); k++) {
        const char *text = pare_diagnostic_skip_place(plain.text);
        if (!*text) continue;
        copy(out->reason, text, text + strlen(text));
        if (!read_next(&line, &plain) || strncmp(plain.text, "got: ", 5) != 0) return;
        const size_t n = strlen(out->reason);
        (void)snprintf(out->reason + n, sizeof out->reason - n, " %.100s", plain.text);
        return;
    }
}

/* Takes what stands behind a place in the next line. */
static void take_placed(pare_printed_line line, pare_test_report *out)
{
    pare_plain_line plain;
    if (!read_next(&line, &plain)) return;
    const char *text = pare_diagnostic_skip_place(plain.text);
    if (text > plain.text) copy(out->reason, text, text + strlen(text));
}

/* Below a failed point bats shows the command, and its exit code unless that is 1: "#   `grep tea' failed with
 * status 2".  Without it a command that is not found would do as well. */
static void take_remark(pare_printed_line line, pare_test_report *out)
{
    static const char words[] = "' failed with status ";
    pare_plain_line plain;
    for (unsigned k = 0; k < LINES_TO_REMARK && read_next(&line, &plain); k++) {
        if (*plain.text != '#') return;
        const char *at = strstr(plain.text, words);
        if (at) copy(out->reason, at + 1, at + strlen(at));
    }
}

/* "not ok 7 - sum # time=3": what stands after the '#' is a directive, and with "TODO" or "SKIP" the
 * test is one that may fail.
 *
 * The number and the dash are optional: "not ok", "not ok 7", "not ok sum". A name may be
 * empty. */
static bool read_point(const pare_printed_line *line, const char *text, pare_test_report *out)
{
    if (strncmp(text, "not ok", 6) != 0 || (text[6] && text[6] != ' ')) return false;
    /* "not okay" is no point; here a blank or the end of the line follows. */
    const char *name = text + 6;
    if (*name == ' ') name++;
    name = skip_digits(name);
    if (*name == ' ') name++;
    if (strncmp(name, "- ", 2) == 0) name += 2;
    const char *directive = strstr(name, "# ");
    if (directive &&
        (strncasecmp(directive + 2, "todo", 4) == 0 || strncasecmp(directive + 2, "skip", 4) == 0))
        return false;
    copy(out->name, name, end_of(name, "# "));
    take_remark(*line, out);
    return true;
}

/* Below the name RSpec has "Failure/Error: CODE", or the code in lines up to an empty one, and then the reason. */
static bool take_shown(pare_printed_line line, const char *next, pare_test_report *out)
{
    static const char title[] = "Failure/Error:";
    pare_plain_line plain;
    if (strncmp(next, title, sizeof title - 1) != 0) return false;
    (void)pare_printed_line_next(&line);
    const bool has_code = next[sizeof title - 1] != '\0';
    for (unsigned k = 0; !has_code && k < LINES_TO_REASON && read_next(&line, &plain); k++)
        if (!plain.n) break;
    take_below(line, out);
    return true;
}

/* "1) Failure:" and the name on the next line, up to its place; "1) SumTest::testSum"; or "1) Sum is right" above
 * what shows that it is the name of a test.
 *
 * A numbered line is common in any text, so each of the three forms needs a further sign: the
 * word "Failure:", a name with "::" and no blank, or a line below that only a report of tests
 * has. What was set in *out means nothing if the result is false. */
static bool read_numbered(const pare_printed_line *line, const char *text, pare_test_report *out)
{
    pare_printed_line below = *line;
    pare_plain_line next = {.n = 0};
    const char *at = skip_digits(text);
    if (at == text || strncmp(at, ") ", 2) != 0) return false;
    at += 2;
    (void)read_next(&below, &next);
    if (strcmp(at, "Failure:") == 0) {
        copy(out->name, next.text, end_of(next.text, " ["));
        return next.n > 0;
    }
    const char *colons = strstr(at, "::");
    copy(out->name, at, at + strlen(at));
    if (colons && colons > at && !strchr(at, ' ')) return true;
    if (take_shown(*line, next.text, out)) return true;
    const bool is_jasmine = strcmp(next.text, "Message:") == 0;
    if (is_jasmine) take_below(below, out);
    return is_jasmine;
}

/* "test sum ... FAILED" */
static bool read_dotted(const char *text, pare_test_report *out)
{
    static const char before[] = "test ", after[] = " ... FAILED";
    const size_t size = strlen(text);
    if (strncmp(text, before, sizeof before - 1) != 0 || size < sizeof before + sizeof after)
        return false;
    const char *end = text + size - (sizeof after - 1);
    if (strcmp(end, after) != 0) return false;
    copy(out->name, text + sizeof before - 1, end);
    return true;
}

/* "Failure -> sum_spec.lua @ 3", the name, the reason behind its place. */
static bool read_placed(const pare_printed_line *line, const char *text, pare_test_report *out)
{
    static const char before[] = "Failure -> ";
    pare_printed_line below = *line;
    pare_plain_line next;
    if (strncmp(text, before, sizeof before - 1) != 0 || !strstr(text, " @ ")) return false;
    if (!read_next(&below, &next) || !next.n) return false;
    copy(out->name, next.text, next.text + next.n);
    take_below(below, out);
    return true;
}

/* "1 - sum (Failed)" */
static bool read_listed(const char *text, pare_test_report *out)
{
    static const char *const ends[] = {" (Failed)", " (Timeout)", " (SEGFAULT)",
                                       " (Subprocess aborted)"};
    const char *name = skip_digits(text);
    const size_t size = strlen(text);
    if (name == text || strncmp(name, " - ", 3) != 0) return false;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const size_t n = strlen(ends[k]);
        const char *end = text + size - n;
        if (size <= n || end <= name + 3 || strcmp(end, ends[k]) != 0) continue;
        copy(out->name, name + 3, end);
        copy(out->reason, end + 2, end + n - 1);
        return true;
    }
    return false;
}

/* A count instead of a name is that of a summary: "[ FAILED ] 1 test, listed below:".  Jest has what was written
 * to the console under a title like a test's. Returns false also for such a title. */
static bool read_format(const pare_printed_line *line, const char *text,
                        const struct format *format, pare_test_report *out)
{
    const char *name = text + strlen(format->before);
    if (strncmp(text, format->before, (size_t)(name - text)) != 0) return false;
    if (!*name || isdigit((unsigned char)*name) || *name == '(') return false;
    const char *end = end_of(name, format->after);
    copy(out->name, name, end);
    switch (format->reason) {
    case REASON_NONE: break;
    case REASON_BEHIND:
        if (*end) copy(out->reason, end + strlen(format->after), end + strlen(end));
        break;
    case REASON_BELOW: take_below(*line, out); return strcmp(out->name, "Console") != 0;
    case REASON_PLACED: take_placed(*line, out); break;
    }
    return true;
}

/* The forms with more signs come first. A numbered list is the last, as any text may have one. */
bool pare_test_report_read(const pare_printed_line *line, pare_test_report *out)
{
    pare_plain_line plain;
    pare_plain_line_make(line, &plain);
    *out = (pare_test_report){.name = ""};
    const char *text = plain.text;
    if (read_point(line, text, out) || read_dotted(text, out) || read_placed(line, text, out))
        return true;
    if (read_listed(text, out)) return true;
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (read_format(line, text, &formats[k], out)) return true;
    return read_numbered(line, text, out);
}
