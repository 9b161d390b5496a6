/* Formats of lines: indentation, tables, records, sections, a log. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "subject.h"

/* ---- indentation: a header ends in a colon and has deeper lines ----------------------------- */

enum { MOST_DEPTH = 64, FILL_DEPTH = 5 };

static void indented_needed(struct subject *subject, int depth);

static void indented_units(struct subject *subject, int depth, unsigned n)
{
    static const char *const headers[] = {"def", "for", "if", "with"};
    while (n--) {
        if (subject_due(subject, 1)) {
            indented_needed(subject, depth);
        } else if (depth < FILL_DEPTH && subject_draw(subject, 5) < 2) {
            subject_put(subject, "%*s%s %s:\n", depth * 4, "", headers[subject_draw(subject, 4)],
                        subject_word(subject));
            indented_units(subject, depth + 1, 1 + subject_draw(subject, 4));
        } else {
            subject_put(subject, "%*s%s = %s + %u\n", depth * 4, "", subject_word(subject),
                        subject_word(subject), subject_draw(subject, 100));
        }
    }
}

static void indented_needed(struct subject *subject, int depth)
{
    const bool both = subject->failure == 1;
    subject_put(subject, "%*sdef %s:\n", depth * 4, "", subject_word(subject));
    indented_units(subject, depth + 1, 3);
    if (!both) subject_put(subject, "%*sfor %s:\n", ++depth * 4, "", subject_word(subject));
    subject_put(subject, "%*s%s = 1\n", ++depth * 4, "", subject->needed[0]);
    indented_units(subject, depth, 2);
    if (both) subject_put(subject, "%*s%s = 2\n", depth * 4, "", subject->needed[1]);
}

static void make_indented(struct subject *subject)
{
    while (!subject_full(subject) || !subject->n_placed)
        indented_units(subject, 0, 1);
    if (subject->failure == 0)
        subject_smallest(subject, "def a:\n for a:\n  %s=1", subject->needed[0]);
    else
        subject_smallest(subject, "def a:\n %s=1\n %s=2", subject->needed[0], subject->needed[1]);
}

/* The headers around a line. */
struct indented {
    struct {
        size_t indent;
        bool is_def, has_first;
    } open[MOST_DEPTH];
    unsigned n;
    bool wants_deeper; /* the line before was a header */
    size_t indent;     /* of the line before */
};

/* Closes what the line is not in; false where its indentation is that of nothing. */
static bool indent_to(struct indented *state, size_t indent)
{
    if (state->wants_deeper && indent <= state->indent) return false;
    if (!state->wants_deeper && indent > state->indent) return false;
    size_t closed = state->wants_deeper ? indent : state->indent;
    while (state->n && state->open[state->n - 1].indent >= indent)
        closed = state->open[--state->n].indent;
    state->wants_deeper = false;
    state->indent = indent;
    return closed == indent;
}

/* A line "NAME = ..." in the headers that are open; whether it completes the failure. */
static bool note_assigned(const struct subject *subject, struct indented *state, struct piece name)
{
    bool in_def = false, failed = false;
    const bool first = piece_is(name, subject->needed[0]);
    for (unsigned i = 0; i < state->n; i++) {
        failed |= subject->failure == 0 && first && in_def && !state->open[i].is_def;
        failed |= subject->failure == 1 && piece_is(name, subject->needed[1]) &&
                  state->open[i].is_def && state->open[i].has_first;
        in_def |= state->open[i].is_def;
        state->open[i].has_first |= first;
    }
    return failed;
}

/* A header or an assignment; `for` is the only header that counts as one in a def. */
static bool read_indented(const struct subject *subject, struct scan line, struct indented *state,
                          bool *failed)
{
    const struct piece word = scan_word(&line);
    scan_blanks(&line);
    if (!word.size || isdigit((unsigned char)*word.text)) return false;
    if (scan_text(&line, "=")) {
        *failed |= note_assigned(subject, state, word);
        scan_blanks(&line);
        const struct piece value = scan_word(&line);
        scan_blanks(&line);
        if (!value.size) return false;
        if (!scan_text(&line, "+")) return scan_ends(&line);
        scan_blanks(&line);
        const struct piece added = scan_word(&line);
        return added.size && scan_ends(&line);
    }
    const bool is_for = piece_is(word, "for"), is_def = piece_is(word, "def");
    if (!is_for && !is_def && !piece_is(word, "if") && !piece_is(word, "with")) return false;
    const struct piece name = scan_word(&line);
    if (!name.size || !scan_text(&line, ":") || !scan_ends(&line)) return false;
    if (state->n == MOST_DEPTH) return false;
    state->open[state->n].indent = state->indent;
    state->open[state->n].has_first = false;
    state->open[state->n++].is_def = is_def;
    state->wants_deeper = true;
    return true;
}

static bool indented_fails(const struct subject *subject, const char *bytes, size_t size)
{
    struct scan scan = {bytes, bytes + size};
    struct indented state = {0};
    bool failed = false;
    while (!scan_ends(&scan)) {
        const struct piece line = scan_line(&scan);
        struct scan rest = {line.text, line.text + line.size};
        while (!scan_ends(&rest) && *rest.at == ' ')
            rest.at++;
        if (scan_ends(&rest)) continue;
        if (!indent_to(&state, (size_t)(rest.at - line.text))) return false;
        if (!read_indented(subject, rest, &state, &failed)) return false;
    }
    return failed && !state.wants_deeper;
}

/* ---- tables: each row has as many fields as the header --------------------------------------- */

struct table_style {
    char separator;
    bool ruled; /* rows begin and end with the separator, the second line is a rule */
};

enum { MOST_COLUMNS = 32 };

static void put_row(struct subject *subject, const char *const *fields, unsigned n)
{
    const struct table_style *style = subject->format->style;
    for (unsigned i = 0; i < n; i++) {
        if (style->ruled)
            subject_put(subject, "%c %s ", style->separator, fields[i]);
        else
            subject_put(subject, "%s%s", i ? (char[]){style->separator, '\0'} : "", fields[i]);
    }
    if (style->ruled) subject_put(subject, "%c", style->separator);
    subject_put(subject, "\n");
}

static void smallest_row(struct subject *subject, const char *field)
{
    const struct table_style *style = subject->format->style;
    subject_smallest(subject, style->ruled ? "\n|%s|" : "\n%s", field);
}

/* The failure: one of the needed words in the column "yak"; or both, in their order. */
static void make_table(struct subject *subject)
{
    const struct table_style *style = subject->format->style;
    const unsigned n = 5 + subject->seed, at = subject_draw(subject, n);
    char texts[MOST_COLUMNS][32];
    const char *fields[MOST_COLUMNS] = {0};
    for (unsigned i = 0; i < n; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "%s%u", subject_word(subject), i);
        fields[i] = i == at ? "yak" : texts[i];
    }
    put_row(subject, fields, n);
    for (unsigned i = 0; style->ruled && i < n; i++)
        fields[i] = i % 3 ? "-----" : ":---";
    if (style->ruled) put_row(subject, fields, n);
    while (!subject_full(subject) || subject->n_placed <= subject->failure) {
        for (unsigned i = 0; i < n; i++) {
            const bool number = (i + subject->seed) % 2;
            (void)snprintf(texts[i], sizeof texts[i], number ? "%.0s%u" : "%s %u",
                           subject_word(subject), subject_draw(subject, 1000));
            fields[i] = texts[i];
        }
        if (subject_due(subject, subject->failure + 1))
            fields[at] = subject->needed[subject->n_placed - 1];
        put_row(subject, fields, n);
    }
    subject_smallest(subject, style->ruled ? "|yak|\n|---|" : "yak");
    for (unsigned i = 0; i <= subject->failure; i++)
        smallest_row(subject, subject->needed[i]);
}

/* The fields of a line; 0: it is no row. */
static unsigned read_row(const struct table_style *style, struct piece line, struct piece *fields)
{
    struct scan scan = {line.text, line.text + line.size};
    const char ends[] = {style->separator, '\0'};
    unsigned n = 0;
    if (style->ruled && !scan_text(&scan, ends)) return 0;
    while (n < MOST_COLUMNS) {
        fields[n++] = piece_trimmed(scan_until(&scan, ends));
        if (scan_ends(&scan)) return style->ruled ? 0 : n;
        scan.at++;
        if (style->ruled && scan_ends(&scan)) return n;
    }
    return 0;
}

static bool is_rule(struct piece field)
{
    size_t dashes = 0;
    for (size_t i = 0; i < field.size; i++) {
        const bool dash = field.text[i] == '-';
        if (!dash && (field.text[i] != ':' || (i && i + 1 < field.size))) return false;
        dashes += dash;
    }
    return dashes >= 3;
}

static bool table_fails(const struct subject *subject, const char *bytes, size_t size)
{
    const struct table_style *style = subject->format->style;
    struct scan scan = {bytes, bytes + size};
    struct piece fields[MOST_COLUMNS];
    unsigned at = 0, found = 0;
    const unsigned n = read_row(style, scan_line(&scan), fields);
    while (at < n && !piece_is(fields[at], "yak"))
        at++;
    if (at == n) return false;
    if (style->ruled && read_row(style, scan_line(&scan), fields) != n) return false;
    for (unsigned i = 0; style->ruled && i < n; i++)
        if (!is_rule(fields[i])) return false;
    while (!scan_ends(&scan)) {
        if (read_row(style, scan_line(&scan), fields) != n) return false;
        found += found <= subject->failure && piece_is(fields[at], subject->needed[found]);
    }
    return found > subject->failure;
}

/* ---- records: paragraphs of fields ----------------------------------------------------------- */

/* The failure: a record that depends on a needed word; or one that is named by it, and a later one
 * that depends on it. */
static void make_records(struct subject *subject)
{
    const char *needed = subject->needed[0];
    unsigned index = 0;
    while (!subject_full(subject) || subject->n_placed <= subject->failure) {
        const bool due = subject_due(subject, subject->failure + 1);
        const bool named = due && subject->n_placed <= subject->failure;
        const bool depends = due && !named;
        subject_put(subject, "%sPackage: ", subject->input.size ? "\n" : "");
        if (named)
            subject_put(subject, "%s\n", needed);
        else
            subject_put(subject, "%s-%u\n", subject_word(subject), index++);
        subject_put(subject, "Version: %u.%u\n", subject_draw(subject, 9),
                    subject_draw(subject, 30));
        if (depends)
            subject_put(subject, "Depends: %s, %s, %s\n", subject_word(subject), needed,
                        subject_word(subject));
        else
            subject_put(subject, "Depends: %s, %s\n", subject_word(subject), subject_word(subject));
        subject_put(subject, "Description: %s and %s\n The %s of a %s.\n", subject_word(subject),
                    subject_word(subject), subject_word(subject), subject_word(subject));
    }
    if (subject->failure == 1) subject_smallest(subject, "Package:%s\n\n", needed);
    subject_smallest(subject, "Package:a\nDepends:%s", needed);
}

/* One line of a record; false where it cannot stand there. */
static bool read_record_line(const struct subject *subject, struct piece line, bool *in_record,
                             bool *named, bool *failed)
{
    struct scan scan = {line.text, line.text + line.size};
    bool lists = false;
    if (*line.text == ' ') return *in_record && piece_trimmed(line).size;
    const struct piece key = scan_until(&scan, ":");
    if (!key.size || !scan_text(&scan, ":")) return false;
    const struct piece value = piece_trimmed((struct piece){scan.at, (size_t)(scan.end - scan.at)});
    if (!*in_record && (!piece_is(key, "Package") || !value.size)) return false;
    if (!*in_record && subject->failure == 1 && piece_is(value, subject->needed[0])) {
        *named = true;
    } else if (piece_is(key, "Depends")) {
        while (!lists && !scan_ends(&scan)) {
            lists = piece_is(piece_trimmed(scan_until(&scan, ",")), subject->needed[0]);
            if (!scan_ends(&scan)) scan.at++;
        }
    }
    *in_record = true;
    *failed |= lists && (subject->failure == 0 || *named);
    return true;
}

static bool records_fail(const struct subject *subject, const char *bytes, size_t size)
{
    struct scan scan = {bytes, bytes + size};
    bool in_record = false, before = false, named = false, failed = false;
    while (!scan_ends(&scan)) {
        const struct piece line = scan_line(&scan);
        if (!line.size) {
            before |= named;
            in_record = false;
            continue;
        }
        bool completes = false;
        bool known = before;
        if (!read_record_line(subject, line, &in_record, &known, &completes)) return false;
        named |= known;
        failed |= completes;
    }
    return failed;
}

/* ---- sections of keys ------------------------------------------------------------------------- */

/* The failure: a key with a value in the section "yak"; or that key in "yak" and, later, in "gnu". */
static void make_sections(struct subject *subject)
{
    static const char *const names[] = {"yak", "gnu"};
    unsigned index = 0;
    while (!subject_full(subject) || subject->n_placed <= subject->failure) {
        const bool due = subject_due(subject, subject->failure + 1);
        if (due)
            subject_put(subject, "[%s]\n", names[subject->n_placed - 1]);
        else
            subject_put(subject, "[%s %u]\n", subject_word(subject), index++);
        for (unsigned i = 0, n = 3 + subject_draw(subject, 6); i < n; i++) {
            if (due && i == 2)
                subject_put(subject, "%s = %s\n", subject->needed[0], subject->needed[1]);
            if (i % 4)
                subject_put(subject, "%s_%u = %u\n", subject_word(subject), i,
                            subject_draw(subject, 5000));
            else
                subject_put(subject, "# %s of %s\n", subject_word(subject), subject_word(subject));
        }
        if (subject_draw(subject, 2)) subject_put(subject, "\n");
    }
    if (subject->failure == 0)
        subject_smallest(subject, "[yak]\n%s=%s", subject->needed[0], subject->needed[1]);
    else
        subject_smallest(subject, "[yak]\n%s=\n[gnu]\n%s=", subject->needed[0], subject->needed[0]);
}

static bool sections_fail(const struct subject *subject, const char *bytes, size_t size)
{
    struct scan scan = {bytes, bytes + size};
    struct piece section = {0};
    bool in_first = false, failed = false;
    while (!scan_ends(&scan)) {
        const struct piece line = piece_trimmed(scan_line(&scan));
        struct scan rest = {line.text, line.text + line.size};
        if (!line.size || *line.text == '#') continue;
        if (scan_text(&rest, "[")) {
            section = scan_until(&rest, "]");
            if (!section.size || !scan_text(&rest, "]") || !scan_ends(&rest)) return false;
            continue;
        }
        const struct piece key = piece_trimmed(scan_until(&rest, "="));
        if (!section.size || !key.size || !scan_text(&rest, "=")) return false;
        const struct piece value =
            piece_trimmed((struct piece){rest.at, (size_t)(rest.end - rest.at)});
        if (!piece_is(key, subject->needed[0])) continue;
        failed |= subject->failure == 0 && piece_is(section, "yak") &&
                  piece_is(value, subject->needed[1]);
        failed |= subject->failure == 1 && in_first && piece_is(section, "gnu");
        in_first |= piece_is(section, "yak");
    }
    return failed;
}

/* ---- a log ------------------------------------------------------------------------------------ */

static void put_stamp(struct subject *subject)
{
    subject_put(subject, "2026-%02u-%02u %02u:%02u:%02u ", 1 + subject_draw(subject, 12),
                1 + subject_draw(subject, 28), subject_draw(subject, 24), subject_draw(subject, 60),
                subject_draw(subject, 60));
}

/* The failure: an error of a service that is needed; or a session that begins and, later, is aborted
 * under the same number. */
static void make_log(struct subject *subject)
{
    static const char *const levels[] = {"INFO", "WARN", "DEBUG"};
    const unsigned session = 100000 + subject_draw(subject, 900000);
    while (!subject_full(subject) || subject->n_placed <= subject->failure) {
        const bool due = subject_due(subject, subject->failure + 1);
        put_stamp(subject);
        if (due && subject->failure == 0)
            subject_put(subject, "ERROR %s: %s is lost\n", subject->needed[0],
                        subject_word(subject));
        else if (due)
            subject_put(subject, "INFO %s: %s session %u from 10.0.%u.7\n", subject_word(subject),
                        subject->needed[subject->n_placed - 1], session,
                        subject_draw(subject, 200));
        else
            subject_put(subject, "%s %s: %s %s in %u ms\n", levels[subject_draw(subject, 3)],
                        subject_word(subject), subject_word(subject), subject_word(subject),
                        subject_draw(subject, 900));
    }
    static const char stamp[] = "2026-01-01 00:00:00";
    if (subject->failure == 0) {
        subject_smallest(subject, "%s ERROR %s:", stamp, subject->needed[0]);
        return;
    }
    for (unsigned i = 0; i < SUBJECT_NEEDED; i++)
        subject_smallest(subject, "%s%s INFO a:%s session 1", i ? "\n" : "", stamp,
                         subject->needed[i]);
}

static bool read_stamp(struct scan *scan)
{
    static const char form[] = "dddd-dd-dd dd:dd:dd ";
    for (const char *c = form; *c; c++, scan->at++) {
        if (scan_ends(scan)) return false;
        if (*c == 'd' ? !isdigit((unsigned char)*scan->at) : *scan->at != *c) return false;
    }
    return true;
}

static bool log_fails(const struct subject *subject, const char *bytes, size_t size)
{
    struct scan scan = {bytes, bytes + size};
    struct piece began = {0};
    bool failed = false;
    while (!scan_ends(&scan)) {
        const struct piece line = scan_line(&scan);
        struct scan rest = {line.text, line.text + line.size};
        if (!read_stamp(&rest)) return false;
        const struct piece level = scan_word(&rest);
        scan_blanks(&rest);
        const struct piece service = scan_word(&rest);
        if (level.size < 4 || !service.size || !scan_text(&rest, ":")) return false;
        if (subject->failure == 0)
            failed |= piece_is(level, "ERROR") && piece_is(service, subject->needed[0]);
        scan_blanks(&rest);
        const struct piece what = scan_word(&rest);
        scan_blanks(&rest);
        if (subject->failure == 0 || !scan_text(&rest, "session ")) continue;
        const struct piece number = scan_word(&rest);
        if (!number.size) return false;
        if (!began.size && piece_is(what, subject->needed[0])) began = number;
        failed |= began.size && piece_is(what, subject->needed[1]) && piece_same(began, number);
    }
    return failed;
}

static const struct table_style COMMAS = {',', false}, RULED = {'|', true};

const struct format formats_of_lines[] = {{"indentation", make_indented, indented_fails, NULL},
                                          {"comma table", make_table, table_fails, &COMMAS},
                                          {"ruled table", make_table, table_fails, &RULED},
                                          {"records", make_records, records_fail, NULL},
                                          {"sections", make_sections, sections_fail, NULL},
                                          {"log", make_log, log_fails, NULL},
                                          {0}};
