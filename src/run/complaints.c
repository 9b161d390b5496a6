/* The list of complaints: names taken apart, the text form, places in a candidate.
 *
 * A program names the same thing in many ways: `struct std::v<int>', `void v<T>::f(int) [with T =
 * int]', `std::operator<<'.  A graph knows it by its last word, and where that has several
 * bearers, by its scope.  So template arguments go first (with their nesting counted), then
 * everything from the parameters on; the last word of what is left is the qualified name, and
 * its last part the name.  Operators are taken out before that, because their signs are brackets.
 *
 * The text form is what the journal keeps, so that a run that goes on from it hears the same.
 * Invariant: printing and parsing give the list back; no field holds a tab, a line end or NUL.
 *
 * Reading what was printed is the business of complaint_reader.c. */
#include "run/complaints.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fail.h"

static const char *const kind_names[PARE_N_COMPLAINT_KINDS] = {
    [PARE_COMPLAINT_OTHER] = "other",           [PARE_COMPLAINT_UNDECLARED] = "undeclared",
    [PARE_COMPLAINT_NO_MEMBER] = "no-member",   [PARE_COMPLAINT_NO_TYPE] = "no-type",
    [PARE_COMPLAINT_INCOMPLETE] = "incomplete", [PARE_COMPLAINT_UNMATCHED] = "unmatched",
    [PARE_COMPLAINT_UNLINKED] = "unlinked",     [PARE_COMPLAINT_REPEATED] = "repeated",
    [PARE_COMPLAINT_SYNTAX] = "syntax",         [PARE_COMPLAINT_SUSPECT] = "suspect",
    [PARE_COMPLAINT_WARNING] = "warning",       [PARE_COMPLAINT_NOTE] = "note",
    [PARE_COMPLAINT_LINKED] = "linked"};

/* ---- names --------------------------------------------------------------------------- */

/* Letters, digits and what names are made of in one of the languages; bytes beyond ASCII are
 * letters. */
static bool in_name(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || strchr("_$~", c);
}

/* Copies a word, or nothing where it does not fit or could not be printed. */
static void set_word(char to[PARE_COMPLAINT_NAME_BYTES], const char *word, size_t size)
{
    to[0] = '\0';
    if (size >= PARE_COMPLAINT_NAME_BYTES) return;
    for (size_t k = 0; k < size; k++)
        if ((unsigned char)word[k] < ' ' || word[k] == 0x7f) return;
    memcpy(to, word, size);
    to[size] = '\0';
}

/* A name without its arguments, with what was done to it in the message. */
struct bare {
    char text[4 * PARE_COMPLAINT_NAME_BYTES];
    size_t n;
};

static void put(struct bare *bare, char c)
{
    if (bare->n < sizeof bare->text) bare->text[bare->n++] = c;
}

/* How long the operator is whose keyword ends at `at`: its signs up to the parameters, blanks
 * included; "()" is one too. Examples: after "operator" in "operator<<(int)" it is 2, in
 * "operator()(int)" 2, in "operator bool()" 5. */
static size_t operator_size(const char *at, const char *end)
{
    const char *from = at;
    while (at < end && *at == ' ')
        at++;
    if (end - at >= 2 && at[0] == '(' && at[1] == ')') return (size_t)(at + 2 - from);
    while (at < end && *at != '(' && *at != '\'' && (at == from || !in_name(*at)))
        at++;
    return (size_t)(at - from);
}

/* Whether the operator whose keyword ends at `at` converts: what follows is a type. */
static bool converts(const char *at, const char *end)
{
    static const char *const others[] = {"new", "delete", "co_await"};
    while (at < end && *at == ' ')
        at++;
    if (at == end || !in_name(*at)) return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const size_t size = strlen(others[i]);
        if ((size_t)(end - at) >= size && memcmp(at, others[i], size) == 0 &&
            ((size_t)(end - at) == size || !in_name(at[size])))
            return false;
    }
    return true;
}

/* Copies `called` up to its parameters, without template arguments; an operator's signs are
 * copied with it, without blanks.
 *
 * Examples: "void std::v<int>::f(int) [with T = int]" gives "void std::v::f", "operator<(A, B)"
 * gives "operator<". A '<' that is not closed swallows the rest, and the name is not known
 * then. */
static void strip(struct bare *bare, const char *called, const char *end)
{
    static const char word[] = "operator";
    const size_t size = sizeof word - 1;
    unsigned depth = 0;
    bare->n = 0;
    for (const char *at = called; at < end; at++) {
        bool starts = at == called || !in_name(at[-1]);
        if (starts && (size_t)(end - at) > size && memcmp(at, word, size) == 0 &&
            !in_name(at[size])) {
            if (depth == 0 && converts(at + size, end)) {
                /* as declarations call all of them */
                for (const char *name = "operator conversion"; *name; name++)
                    put(bare, *name);
                return;
            }
            size_t signs = operator_size(at + size, end);
            for (size_t k = 0; depth == 0 && k < size + signs; k++)
                if (at[k] != ' ') put(bare, at[k]);
            at += size + signs - 1;
            continue;
        }
        if (*at == '<') depth++;
        /* A bracket at the very beginning belongs to a name such as "(anonymous)"; any other
         * begins the parameters. */
        if (depth == 0 && at > called && (*at == '(' || *at == '[' || *at == '{')) return;
        if (depth == 0) put(bare, *at);
        if (*at == '>' && depth > 0) depth--;
    }
}

/* Whether the scope ends before `at`: a::b, a.b, a\b, a->b. Returns how many bytes the joint
 * has; 0: none stands there. */
static size_t joint_before(const char *text, size_t at)
{
    if (at >= 2 && ((text[at - 1] == ':' && text[at - 2] == ':') ||
                    (text[at - 1] == '>' && text[at - 2] == '-')))
        return 2;
    return at >= 1 && (text[at - 1] == '.' || text[at - 1] == '\\') ? 1 : 0;
}

/* From the end backwards: the name, what joins it to its scope, and the rest of the word.
 *
 * Example: of "void std::v::f" the name is "f", the joint "::", the scope "std::v", and "void "
 * is left. Signs at the end, of pointers and references or of a sentence, are no part of a
 * name. */
void pare_complaints_name(pare_complaint *complaint, const char *called, size_t size)
{
    struct bare bare;
    strip(&bare, called, called + size);
    size_t end = bare.n;
    const char *sign = memmem(bare.text, end, "operator", 8);
    const bool is_operator = sign && sign + 8 < bare.text + end && !in_name(sign[8]);
    while (!is_operator && end > 0 && strchr(" &*.!?:", bare.text[end - 1]))
        end--;
    size_t start = is_operator ? (size_t)(sign - bare.text) : end;
    while (start > 0 && in_name(bare.text[start - 1]))
        start--;
    set_word(complaint->name, bare.text + start, end - start);
    size_t joint = joint_before(bare.text, start);
    size_t scope_end = start - joint, scope = scope_end;
    while (joint && scope > 0 &&
           (in_name(bare.text[scope - 1]) || bare.text[scope - 1] == ':' ||
            bare.text[scope - 1] == '.' || bare.text[scope - 1] == '\\'))
        scope--;
    if (scope < scope_end) set_word(complaint->scope, bare.text + scope, scope_end - scope);
}

/* ---- the list -------------------------------------------------------------------------- */

static bool is_same(const pare_complaint *a, const pare_complaint *b)
{
    return a->kind == b->kind && a->line == b->line && a->column == b->column &&
           strcmp(a->name, b->name) == 0 && strcmp(a->scope, b->scope) == 0 &&
           strcmp(a->file, b->file) == 0;
}

/* Whether it is among the first `n`. */
static bool is_among(const pare_complaints *complaints, size_t n, const pare_complaint *complaint)
{
    for (size_t k = 0; k < n; k++)
        if (is_same(&complaints->item[k], complaint)) return true;
    return false;
}

/* The same may be said of a template for each of its instances. Cost: O(n). */
bool pare_complaints_add(pare_complaints *complaints, const pare_complaint *complaint)
{
    assert(complaints->n <= PARE_COMPLAINTS_MAX);
    if (complaints->n == PARE_COMPLAINTS_MAX || is_among(complaints, complaints->n, complaint))
        return false;
    complaints->item[complaints->n++] = *complaint;
    return true;
}

void pare_complaints_settle(pare_complaints *complaints)
{
    if (!complaints->n) return;
    size_t last = complaints->n - 1;
    if (is_among(complaints, last, &complaints->item[last])) complaints->n = last;
}

/* Suspects only say where the compiler was. */
bool pare_complaints_reject(const pare_complaints *complaints)
{
    for (size_t k = 0; k < complaints->n; k++)
        if (complaints->item[k].kind < PARE_COMPLAINT_SUSPECT) return true;
    return false;
}

/* ---- text ------------------------------------------------------------------------------ */

/* Prints one line for each complaint. Fields contain no tabs, so tabs separate them. */
pare_status pare_complaints_print(const pare_complaints *complaints, pare_buffer *text,
                                  pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t k = 0; k < complaints->n && !status; k++) {
        const pare_complaint *item = &complaints->item[k];
        status = pare_buffer_format(text, err, "%s\t%u\t%u\t%s\t%s\t%s\n", kind_names[item->kind],
                                    (unsigned)item->line, (unsigned)item->column, item->file,
                                    item->name, item->scope);
    }
    return status;
}

/* Takes the field that begins at *at and ends before `stop`; false: `stop` does not come, or the
 * field is too long. */
static bool take_field(const char **at, const char *end, char stop,
                       char field[PARE_COMPLAINT_NAME_BYTES])
{
    const char *last = memchr(*at, stop, (size_t)(end - *at));
    if (!last || last - *at >= PARE_COMPLAINT_NAME_BYTES) return false;
    size_t size = (size_t)(last - *at);
    set_word(field, *at, size);
    *at = last + 1;
    return strlen(field) == size;
}

/* Takes a number as print writes it. */
static bool take_number(const char **at, const char *end, uint32_t *number)
{
    char field[PARE_COMPLAINT_NAME_BYTES];
    if (!take_field(at, end, '\t', field) || !*field || strlen(field) > 10) return false;
    unsigned long long value = 0;
    for (const char *digit = field; *digit; digit++) {
        if (!isdigit((unsigned char)*digit)) return false;
        value = value * 10 + (unsigned)(*digit - '0');
    }
    *number = (uint32_t)value;
    return value <= UINT32_MAX;
}

/* Takes the name of a kind. */
static bool take_kind(const char **at, const char *end, pare_complaint_kind *kind)
{
    char field[PARE_COMPLAINT_NAME_BYTES];
    if (!take_field(at, end, '\t', field)) return false;
    for (int k = 0; k < PARE_N_COMPLAINT_KINDS; k++) {
        if (strcmp(field, kind_names[k]) != 0) continue;
        *kind = (pare_complaint_kind)k;
        return true;
    }
    return false;
}

/* A line that cannot be read empties the whole list: damaged data is not believed in part. */
bool pare_complaints_parse(pare_complaints *complaints, const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    *complaints = (pare_complaints){.n = 0};
    while (at < end) {
        pare_complaint item = {.line = 0};
        bool whole = take_kind(&at, end, &item.kind) && take_number(&at, end, &item.line) &&
                     take_number(&at, end, &item.column) && take_field(&at, end, '\t', item.file) &&
                     take_field(&at, end, '\t', item.name) &&
                     take_field(&at, end, '\n', item.scope);
        if (!whole) {
            *complaints = (pare_complaints){.n = 0};
            return false;
        }
        (void)pare_complaints_add(complaints, &item);
    }
    return true;
}

/* ---- line markers ---------------------------------------------------------------------- */

/* A line marker of a preprocessor: the file and line of the text after it. */
struct marker {
    const char *name; /* points into the line, escapes as they stand there; NULL: same file */
    size_t name_size;
    uint32_t line; /* the number of the next line */
};

enum { MOST_FLAG = 9, MOST_LINE = 1 << 30 };

/* Blanks are compared one by one, not by isspace: this looks at every line of megabytes. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void skip_blanks(const char **at, const char *end)
{
    while (*at < end && is_blank(**at))
        (*at)++;
}

/* Skips the word if it stands here. */
static bool skip_word(const char **at, const char *end, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(end - *at) < size || memcmp(*at, word, size) != 0) return false;
    *at += size;
    return true;
}

/* Reads decimal digits; a number above `most` becomes `most`.  False: there is no digit. A
 * sixteenth of `most` leaves room for one more digit without an overflow. */
static bool read_digits(const char **at, const char *end, uint32_t most, uint32_t *out)
{
    const char *from = *at;
    uint32_t number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
        number = number > most / 16 ? most : number * 10 + (uint32_t)(**at - '0');
    *out = number;
    return *at > from;
}

/* Reads a file's name in quotes, in which a backslash escapes the next byte. */
static bool read_name(const char **at, const char *end, struct marker *out)
{
    if (!skip_word(at, end, "\"")) return false;
    out->name = *at;
    while (*at < end && **at != '"')
        *at += **at == '\\' && end - *at > 1 ? 2 : 1;
    out->name_size = (size_t)(*at - out->name);
    return skip_word(at, end, "\"");
}

/* Whether the line (without its end) is a marker, `# 12 "file.h" 1 3` or `#line 12 "file.h"`, and
 * nothing else.  The name may be absent; the flags after it do not matter here.
 * Source: the GCC manual, "Preprocessor Output"; C17, 6.10.4, for #line. */
static bool read_marker(const char *line, const char *end, struct marker *out)
{
    uint32_t flag;
    *out = (struct marker){.name = NULL};
    skip_blanks(&line, end);
    if (!skip_word(&line, end, "#")) return false;
    skip_blanks(&line, end);
    if (skip_word(&line, end, "line")) skip_blanks(&line, end);
    if (!read_digits(&line, end, MOST_LINE, &out->line)) return false;
    skip_blanks(&line, end);
    if (line == end) return true;
    if (!read_name(&line, end, out)) return false;
    skip_blanks(&line, end);
    while (read_digits(&line, end, MOST_FLAG, &flag))
        skip_blanks(&line, end);
    return line == end;
}

/* ---- places ---------------------------------------------------------------------------- */

/* Counts lines as the compiler does: from 1, and anew from each marker.  Before the first marker
 * that names a file, any file of the complaint matches: a candidate has another name in each test.
 *
 * Cost: O(size). A column beyond the end of the line becomes its last byte, since compilers
 * count tabs and wide characters in their own ways. */
size_t pare_complaints_place(const pare_complaint *complaint, const char *text, size_t size)
{
    const char *file = NULL, *end = text + size;
    size_t file_size = 0, wanted_size = strlen(complaint->file);
    uint32_t line = 1;
    if (!complaint->line) return size;
    for (const char *at = text; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        bool here =
            !file || (file_size == wanted_size && memcmp(file, complaint->file, wanted_size) == 0);
        struct marker marker;
        if (read_marker(at, stop, &marker)) {
            line = marker.line;
            if (marker.name) {
                file = marker.name;
                file_size = marker.name_size;
            }
            at = stop < end ? stop + 1 : end;
            continue;
        }
        if (here && line == complaint->line) {
            size_t column = complaint->column ? complaint->column - 1 : 0;
            size_t width = (size_t)(stop - at);
            return (size_t)(at - text) + (column < width ? column : width ? width - 1 : 0);
        }
        line++;
        at = stop < end ? stop + 1 : end;
    }
    return size;
}
