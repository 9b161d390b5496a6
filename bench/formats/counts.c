/* Formats of counts and of data as text: clauses, patches, drawings. */
#include <stdlib.h>
#include <string.h>

#include "subject.h"

/* ---- numbers -------------------------------------------------------------------------------- */

enum { MOST_DIGITS = 9 };

/* Reads digits, and blanks behind them; false: there is no number. */
static bool scan_number(struct scan *scan, unsigned *number)
{
    unsigned digits = 0;
    *number = 0;
    for (; !scan_ends(scan) && *scan->at >= '0' && *scan->at <= '9'; scan->at++, digits++)
        if (digits < MOST_DIGITS) *number = *number * 10 + (unsigned)(*scan->at - '0');
    return digits && digits <= MOST_DIGITS;
}

/* ---- clauses: a head that counts them, each ends in 0 ----------------------------------------- */

enum { N_VARIABLES = 200, FIRST = 7, SECOND = 9 };

static void put_clause(struct subject *subject, const char *before)
{
    subject_put(subject, "%s", before);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned variable = SECOND + 1 + subject_draw(subject, N_VARIABLES - SECOND);
        subject_put(subject, "%s%u ", subject_draw(subject, 2) ? "-" : "", variable);
    }
    subject_put(subject, "0\n");
}

/* The failure: a clause with 7 and -9; or that one and, later, one with -7 and 9. */
static void make_clauses(struct subject *subject)
{
    static const char *const needed[] = {"7 -9 ", "-7 9 "};
    const unsigned n = (unsigned)(subject->size / 16), n_needed = subject->failure + 1;
    unsigned i = 0;
    subject_put(subject, "c %s\np cnf %d %u\n", subject_word(subject), N_VARIABLES, n + n_needed);
    for (; i < n + n_needed; i++) {
        const bool last = i >= n + subject->n_placed;
        const bool due = last || subject_due(subject, n_needed);
        put_clause(subject, due ? needed[subject->n_placed - !last] : "");
        if (last) subject->n_placed++;
    }
    subject_smallest(subject, "p cnf 9 %u 7 -9 0%s", n_needed, n_needed > 1 ? " -7 9 0" : "");
}

/* The head `p cnf VARIABLES CLAUSES`, after lines of comments. */
static bool read_clauses_head(struct scan *scan, unsigned *n_variables, unsigned *n)
{
    while (scan_text(scan, "c"))
        (void)scan_line(scan);
    if (!scan_text(scan, "p cnf ") || !scan_number(scan, n_variables)) return false;
    scan_blanks(scan);
    return scan_number(scan, n) && (scan_ends(scan) || *scan->at == ' ' || *scan->at == '\n');
}

static bool clauses_fail(const struct subject *subject, const char *bytes, size_t size)
{
    struct scan scan = {bytes, bytes + size};
    unsigned n_variables, n, n_read = 0, seen = 0, found = 0;
    bool open = false;
    if (!read_clauses_head(&scan, &n_variables, &n)) return false;
    for (scan_white(&scan); !scan_ends(&scan); scan_white(&scan)) {
        const bool negative = scan_text(&scan, "-");
        unsigned variable;
        if (!scan_number(&scan, &variable) || variable > n_variables) return false;
        if (!scan_ends(&scan) && *scan.at != ' ' && *scan.at != '\n') return false;
        open = variable != 0;
        if (variable == FIRST) seen |= negative ? 1 : 2;
        if (variable == SECOND) seen |= negative ? 4 : 8;
        if (open) continue;
        if (found && (seen & 9) == 9) found = 3;
        if (!found && (seen & 6) == 6) found = 1;
        seen = 0;
        n_read++;
    }
    return !open && n_read == n && (subject->failure ? found == 3 : found);
}

/* ---- patches: hunks that count their lines ---------------------------------------------------- */

enum { HUNK_LINES = 8 };

/* A hunk of kept, removed and added lines; `due`: among them what is needed. */
static void put_hunk(struct subject *subject, unsigned at, bool due)
{
    char signs[HUNK_LINES + 1] = {0};
    unsigned n_old = 0, n_new = 0;
    for (unsigned i = 0; i < HUNK_LINES; i++) {
        signs[i] = " -+ "[subject_draw(subject, 4)];
        if (due && i == 2) signs[i] = '-';
        if (due && i == 5) signs[i] = '+';
        n_old += signs[i] != '+';
        n_new += signs[i] != '-';
    }
    subject_put(subject, "@@ -%u,%u +%u,%u @@ %s\n", at, n_old, at, n_new, subject_word(subject));
    for (unsigned i = 0; i < HUNK_LINES; i++) {
        const bool is_needed = due && (i == 2 || i == 5);
        subject_put(subject, "%c%s = %s;\n", signs[i], subject_word(subject),
                    is_needed ? subject->needed[i == 5] : subject_word(subject));
    }
}

/* The failure: a line is added with a needed word; or one is removed and then one added in a hunk. */
static void make_patch(struct subject *subject)
{
    while (!subject_full(subject) || !subject->n_placed) {
        const char *name = subject_word(subject);
        subject_put(subject, "--- a/%s.c\n+++ b/%s.c\n", name, name);
        for (unsigned i = 0; i < 5; i++)
            put_hunk(subject, i * 40 + 1 + subject_draw(subject, 30), subject_due(subject, 1));
    }
    if (subject->failure == 0)
        subject_smallest(subject, "--- a\n+++ a\n@@ -1,0 +1,1 @@\n+%s", subject->needed[1]);
    else
        subject_smallest(subject, "--- a\n+++ a\n@@ -1,1 +1,1 @@\n-%s\n+%s", subject->needed[0],
                         subject->needed[1]);
}

/* `@@ -AT,OLD +AT,NEW @@` and whatever stands behind it. */
static bool read_hunk_head(struct scan *scan, unsigned *n_old, unsigned *n_new)
{
    unsigned at;
    return scan_text(scan, "@@ -") && scan_number(scan, &at) && scan_text(scan, ",") &&
           scan_number(scan, n_old) && scan_text(scan, " +") && scan_number(scan, &at) &&
           scan_text(scan, ",") && scan_number(scan, n_new) && scan_text(scan, " @@");
}

/* Reads so many lines of a hunk; *failed is set where they are what is needed. */
static bool read_hunk(const struct subject *subject, struct scan *scan, unsigned n_old,
                      unsigned n_new, bool *failed)
{
    bool removed = subject->failure == 0;
    while (n_old || n_new) {
        if (scan_ends(scan)) return false;
        const struct piece line = scan_line(scan);
        if (!line.size || !memchr(" -+", *line.text, 3)) return false;
        if ((*line.text != '+' && !n_old--) || (*line.text != '-' && !n_new--)) return false;
        removed |= *line.text == '-' && piece_has(line, subject->needed[0]);
        *failed |= *line.text == '+' && removed && piece_has(line, subject->needed[1]);
    }
    return true;
}

static bool patch_fails(const struct subject *subject, const char *bytes, size_t size)
{
    struct scan scan = {bytes, bytes + size};
    bool failed = false, in_file = false;
    while (!scan_ends(&scan)) {
        const struct piece line = scan_line(&scan);
        struct scan rest = {line.text, line.text + line.size};
        unsigned n_old, n_new;
        if (in_file && read_hunk_head(&rest, &n_old, &n_new)) {
            if (!read_hunk(subject, &scan, n_old, n_new, &failed)) return false;
            continue;
        }
        rest = (struct scan){line.text, line.text + line.size};
        if (!scan_text(&rest, "--- ") || scan_ends(&rest)) return false;
        if (!scan_text(&scan, "+++ ") || !scan_line(&scan).size) return false;
        in_file = true;
    }
    return failed;
}

/* ---- drawings: tags without contents, some with base64 in an attribute ------------------------ */

enum { QUAD = 4 };

/* Digits of base64, none of which is a small letter; `word`: stands in the middle, where it is due. */
static void put_data(struct subject *subject, unsigned n_quads, const char *word)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/";
    char text[512] = {0};
    const unsigned n = n_quads * QUAD;
    for (unsigned i = 0; i < n; i++)
        text[i] = digits[subject_draw(subject, sizeof digits - 1)];
    if (word) memcpy(text + n / 2 / QUAD * QUAD, word, strlen(word));
    subject_put(subject, "\"data:%s\"", text);
}

/* The failure: data with a needed word; or two elements of it, each with one of them. */
static void make_drawing(struct subject *subject)
{
    static const char *const shapes[] = {"rect", "path", "circle", "use"};
    while (!subject_full(subject) || subject->n_placed <= subject->failure) {
        const bool due = subject_due(subject, subject->failure + 1);
        const char *word = due ? subject->needed[subject->n_placed - 1] : NULL;
        if (due || !subject_draw(subject, 4)) {
            subject_put(subject, "<image x=\"%u\" href=", subject_draw(subject, 500));
            put_data(subject, 20 + subject_draw(subject, 100), word);
        } else {
            subject_put(subject, "<%s x=\"%u\" fill=\"%s\"", shapes[subject_draw(subject, 4)],
                        subject_draw(subject, 500), subject_word(subject));
        }
        subject_put(subject, "/>\n");
    }
    for (unsigned i = 0; i <= subject->failure; i++)
        subject_smallest(subject, "<a a=\"data:%s%.*s\"/>", subject->needed[i],
                         (int)((QUAD - strlen(subject->needed[i]) % QUAD) % QUAD), "AAA");
}

/* A value `data:...`: whether it is base64; `found` counts needed words in their order. */
static bool read_data(const struct subject *subject, struct piece value, unsigned *found)
{
    struct scan scan = {value.text, value.text + value.size};
    if (!scan_text(&scan, "data:")) return true;
    const struct piece data = {scan.at, (size_t)(scan.end - scan.at)};
    if (data.size % QUAD) return false;
    while (!scan_ends(&scan))
        if (!scan_word(&scan).size && !scan_text(&scan, "+") && !scan_text(&scan, "/"))
            return false;
    *found += *found <= subject->failure && piece_has(data, subject->needed[*found]);
    return true;
}

static bool drawing_fails(const struct subject *subject, const char *bytes, size_t size)
{
    struct scan scan = {bytes, bytes + size};
    unsigned found = 0;
    for (scan_white(&scan); !scan_ends(&scan); scan_white(&scan)) {
        unsigned in_element = found;
        if (!scan_text(&scan, "<") || !scan_word(&scan).size) return false;
        while (!scan_text(&scan, "/>")) {
            const char *before = scan.at;
            scan_white(&scan);
            if (scan_text(&scan, "/>")) break;
            if (scan.at == before || !scan_word(&scan).size || !scan_text(&scan, "=\""))
                return false;
            const struct piece value = scan_until(&scan, "\"");
            if (!scan_text(&scan, "\"") || !read_data(subject, value, &in_element)) return false;
        }
        if (in_element > found) found++;
    }
    return found > subject->failure;
}

const struct format formats_of_counts[] = {{"clauses", make_clauses, clauses_fail, NULL},
                                           {"patch", make_patch, patch_fails, NULL},
                                           {"drawing", make_drawing, drawing_fails, NULL},
                                           {0}};
