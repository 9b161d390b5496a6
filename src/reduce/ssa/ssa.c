/* Reading texts of instructions: names, statements, functions; and whether a text is one.
 *
 * One walk over the bytes, lines with strings and comments minded; functions are found by their
 * brackets.  Names get numbers by a hash index.  A label that is written without the sigil (`bb1:`) has
 * that of definitions, by which it is used.
 * Invariant: pare_ssa_check.  Cost: O(bytes).  Source: ours. */
#include "reduce/ssa/ssa.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash_index.h"
#include "base/vector.h"

static const char SIGILS[] = "%@!#$^"; /* and bare names: the last number */

/* ---- bytes ----------------------------------------------------------------------------- */

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/* Of names in LLVM, MLIR and the like: letters, digits, '_', '.', '$', and what is beyond
 * ASCII. */
static bool is_word(unsigned char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '$' || c >= 0x80;
}

/* In names, not at their begin. */
static bool is_inner(unsigned char c)
{
    return is_word(c) || c == '-';
}

/* The number of the sigil; PARE_SSA_BARE: the byte is no sigil. */
static unsigned char sigil_of(unsigned char c)
{
    const char *at = c ? strchr(SIGILS, c) : NULL;
    return at ? (unsigned char)(at - SIGILS) : PARE_SSA_BARE;
}

/* The end of the string that begins at `at`. A quote that is not closed on its line (an apostrophe
 * in a comment, say) counts as an ordinary byte, so that it does not swallow the text. Returns
 * the place after the closing quote, or after the opening one if none closes it.
 *
 * Quotes before *open are known not to be closed before `end`: if one is not, all after it on the line
 * have a backslash, and those are not closed either.  So a line of escaped quotes is read once, and not
 * once for each of them.  The caller sets *open to the begin of the line. */
static size_t skip_string(const unsigned char *bytes, size_t at, size_t end, size_t *open)
{
    size_t i = at + 1;
    if (at < *open) return i;
    while (i < end && bytes[i] != '\n' && bytes[i] != '"')
        i += bytes[i] == '\\' ? 2 : 1;
    if (i < end && bytes[i] == '"') return i + 1;
    *open = i;
    return at + 1;
}

/* A reader: the text, and the index of its names. */
struct reader {
    pare_ssa *ssa;
    pare_hash_index index; /* of the first occurrence of each name */
    struct id {
        uint32_t from, size;
        unsigned char sigil;
    } * ids; /* owned */
    size_t n_ids, id_capacity;
};

/* Sets *id to the number of the name, a new one for a new name.  Names are the same if sigil and word are:
 * a label `bb1:` and its use `%bb1` differ in their bytes. Numbers are given in the order in
 * which names are met, from 0. Cost: O(size of the name). */
static pare_status find_id(struct reader *reader, size_t from, size_t to, unsigned char sigil,
                           uint32_t *id, pare_error *err)
{
    const unsigned char *bytes = reader->ssa->bytes;
    uint64_t hash = sigil;
    for (size_t i = from; i < to; i++)
        hash = hash * UINT64_C(0x100000001b3) + bytes[i];
    pare_hash_probe probe = pare_hash_index_probe(&reader->index, hash);
    while (pare_hash_index_next(&reader->index, &probe, id)) {
        const struct id *known = &reader->ids[*id];
        if (known->sigil == sigil && known->size == to - from &&
            memcmp(bytes + known->from, bytes + from, to - from) == 0)
            return PARE_OK;
    }
    struct id *ids =
        pare_vector_grow(reader->ids, reader->n_ids, &reader->id_capacity, sizeof *ids);
    if (!ids) return pare_fail_nomem(err);
    reader->ids = ids;
    *id = (uint32_t)reader->n_ids;
    ids[reader->n_ids++] = (struct id){(uint32_t)from, (uint32_t)(to - from), sigil};
    return pare_hash_index_add(&reader->index, hash, *id, err);
}

/* LLVM demands that numbers be consecutive. */
bool pare_ssa_is_number(const pare_ssa *ssa, const pare_ssa_name *name)
{
    const uint32_t from = name->from + (sigil_of(ssa->bytes[name->from]) != PARE_SSA_BARE);
    for (uint32_t i = from; i < name->to; i++)
        if (!is_digit(ssa->bytes[i])) return false;
    return from < name->to;
}

/* ---- names ----------------------------------------------------------------------------- */

/* The end of the name at `at`; `at`: no name begins there.
 *
 * Examples: "%x", "@f.1", `@"a name"`; where bare names are known also "v12", which has to end
 * with a digit. A word or a digit right before it makes it a part of something else. `open` is of
 * skip_string. */
static size_t name_end(const pare_ssa *ssa, size_t at, size_t end, size_t *open)
{
    const unsigned char *bytes = ssa->bytes;
    bool sigil = sigil_of(bytes[at]) != PARE_SSA_BARE;
    size_t i = at + sigil;
    if (at && is_word(bytes[at - 1])) return at;
    /* A name in quotes must have something in them. */
    if (sigil && i < end && bytes[i] == '"') {
        size_t close = skip_string(bytes, i, end, open);
        return close > i + 1 ? close : at;
    }
    if (!sigil && !ssa->dialect.bare) return at;
    while (i < end && is_inner(bytes[i]))
        i++;
    if (sigil) return i > at + 1 ? i : at;
    bool numbered = i > at && is_digit(bytes[i - 1]) && !is_digit(bytes[at]);
    return numbered ? i : at;
}

/* Appends the name in bytes from .. to-1.  Its sigil is passed, because that of a label may not be
 * written; it is cut off before the name gets its number. `nested` says that it stands in
 * brackets. Whether it defines is set later. */
static pare_status add_name(struct reader *reader, size_t from, size_t to, unsigned char sigil,
                            bool nested, pare_error *err)
{
    pare_ssa *ssa = reader->ssa;
    pare_ssa_name *names =
        pare_vector_grow(ssa->names, ssa->n_names, &ssa->name_capacity, sizeof *names);
    if (!names) return pare_fail_nomem(err);
    ssa->names = names;
    pare_ssa_name *name = &names[ssa->n_names];
    *name = (pare_ssa_name){(uint32_t)from, (uint32_t)to, 0, sigil, false, nested};
    size_t text = from < to && sigil != PARE_SSA_BARE && sigil_of(ssa->bytes[from]) == sigil
                      ? from + 1
                      : from;
    pare_status status = find_id(reader, text, to, sigil, &name->id, err);
    if (!status) ssa->n_names++;
    return status;
}

/* A comment only begins at the begin of a line or after a blank: in `a;b` and `http://` the same
 * characters are part of something else. Returns where the comment begins; `to`: there is none.
 * What is in quotes is passed over. */
size_t pare_ssa_comment_at(const pare_ssa *ssa, size_t from, size_t to)
{
    const unsigned char mark = ssa->dialect.comment;
    size_t open = from;
    if (!mark) return to;
    for (size_t i = from; i < to; i++) {
        if (ssa->bytes[i] == '"') {
            i = skip_string(ssa->bytes, i, to, &open) - 1;
            continue;
        }
        bool starts =
            ssa->bytes[i] == mark && (mark != '/' || (i + 1 < to && ssa->bytes[i + 1] == '/'));
        if (starts && (i == from || ssa->bytes[i - 1] == ' ' || ssa->bytes[i - 1] == '\t'))
            return i;
    }
    return to;
}

/* The names of a line from..to-1, and how its brackets change the depth. Names are appended in
 * the order of the text; what is in quotes has none, unless it is a name itself. */
static pare_status read_names(struct reader *reader, size_t from, size_t to, int *depth,
                              pare_error *err)
{
    pare_ssa *ssa = reader->ssa;
    pare_status status = PARE_OK;
    size_t open = from;
    for (size_t at = from; !status && at < to;) {
        unsigned char c = ssa->bytes[at];
        size_t end =
            c == '"' ? skip_string(ssa->bytes, at, to, &open) : name_end(ssa, at, to, &open);
        if (end > at) {
            if (c != '"') status = add_name(reader, at, end, sigil_of(c), *depth > 0, err);
            at = end;
            continue;
        }
        *depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        at++;
    }
    return status;
}

/* ---- statements ------------------------------------------------------------------------ */

/* The line without blanks and comment around it. *to is brought before the comment first, then
 * before the blanks in front of it. */
static void trim(const pare_ssa *ssa, size_t *from, size_t *to)
{
    const unsigned char *bytes = ssa->bytes;
    *to = pare_ssa_comment_at(ssa, *from, *to);
    while (*from < *to && (bytes[*from] == ' ' || bytes[*from] == '\t'))
        ++*from;
    while (*to > *from && (bytes[*to - 1] <= ' '))
        --*to;
}

/* Whether the trimmed line is a label; from .. *name_to-1 is its name.
 *
 * Examples: "bb1:", "^bb2(%x: i32):", "@L", which is a sigil and a name alone on its line. A
 * word alone without a sigil is an instruction. */
static bool is_label(const pare_ssa *ssa, size_t from, size_t to, size_t *name_to)
{
    const unsigned char *bytes = ssa->bytes;
    size_t i = from, open = from;
    if (i == to) return false;
    if (bytes[i] == '"') {
        i = skip_string(bytes, i, to, &open);
    } else {
        if (sigil_of(bytes[i]) != PARE_SSA_BARE) i++;
        while (i < to && is_inner(bytes[i]))
            i++;
    }
    *name_to = i;
    if (i == from) return false;
    if (i == to) return sigil_of(bytes[from]) != PARE_SSA_BARE;
    if (bytes[to - 1] != ':') return false;
    return bytes[i] == ':' ? i + 1 == to : bytes[i] == '(' && bytes[to - 2] == ')';
}

/* Marks the names that the statement defines: those it begins with, if nothing but commas, blanks and a
 * number of results (`%1:2`) stands between them and a `=`.
 *
 * `first` is the first name of the statement. Examples: "%a = add ..", "%a, %b = ..", "%1:2 =
 * call ..". An "==" after the name is a comparison. */
static void mark_definitions(pare_ssa *ssa, size_t first, size_t from, size_t to)
{
    size_t at = from, name = first;
    while (at < to && name < ssa->n_names && ssa->names[name].from == at) {
        at = ssa->names[name++].to;
        while (at < to && strchr(" ,:", ssa->bytes[at]))
            at++;
        while (at < to && is_digit(ssa->bytes[at]))
            at++;
        while (at < to && ssa->bytes[at] == ' ')
            at++;
    }
    bool equals = at < to && ssa->bytes[at] == '=' && (at + 1 == to || ssa->bytes[at + 1] != '=');
    for (size_t i = first; equals && i < name; i++)
        ssa->names[i].defines = true;
}

/* The name before a bracket, as a function has it. PARE_SSA_NONE: no name has a bracket right
 * behind it. */
static uint32_t called_name(const pare_ssa *ssa, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        size_t to = ssa->names[i].to;
        if (to < ssa->size && ssa->bytes[to] == '(') return (uint32_t)i;
    }
    return PARE_SSA_NONE;
}

/* A line of the text. */
struct line {
    size_t from, to, next; /* trimmed; the next line */
};

/* Reads the line at `at`. Its `from` and `to` are trimmed, so an empty line has both equal. */
static struct line read_line(const pare_ssa *ssa, size_t at)
{
    struct line line = {.from = at, .next = at};
    const unsigned char *end = memchr(ssa->bytes + at, '\n', ssa->size - at);
    line.next = end ? (size_t)(end - ssa->bytes) + 1 : ssa->size;
    line.to = line.next;
    trim(ssa, &line.from, &line.to);
    return line;
}

/* Appends the statement, and after it the one that only ends its names (ssa.h). */
static pare_status add_statement(pare_ssa *ssa, pare_ssa_statement statement, pare_error *err)
{
    pare_ssa_statement *at = pare_vector_reserve(ssa->statements, &ssa->statement_capacity,
                                                 ssa->n_statements + 2, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    ssa->statements = at;
    at[ssa->n_statements++] = statement;
    at[ssa->n_statements] = (pare_ssa_statement){.first = (uint32_t)ssa->n_names};
    return PARE_OK;
}

/* A function whose header was read last; `id` is its name, or PARE_SSA_NONE. */
static pare_status add_function(pare_ssa *ssa, uint32_t id, pare_error *err)
{
    pare_ssa_function *at =
        pare_vector_grow(ssa->functions, ssa->n_functions, &ssa->function_capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    ssa->functions = at;
    at[ssa->n_functions++] = (pare_ssa_function){
        .header = (uint32_t)ssa->n_statements - 1, .close = PARE_SSA_NONE, .id = id};
    return PARE_OK;
}

/* Reads the lines of a statement up to the one that closes its brackets; *at is the line after it.
 * At the top level a line that ends with the `{` it opens is a statement by itself: it may begin a
 * function, whose lines are statements of their own. *opens: the last line ends with a `{` that is
 * the only open bracket.
 *
 * Most statements are one line. A call whose arguments take several lines is one statement,
 * since its brackets are open at the end of its first line. */
static pare_status read_lines(struct reader *reader, struct line first, size_t *at, bool *opens,
                              bool inside, pare_error *err)
{
    pare_ssa *ssa = reader->ssa;
    int depth = 0;
    pare_status status = PARE_OK;
    struct line line = first;
    *opens = false;
    for (;;) {
        status = read_names(reader, line.from, line.to, &depth, err);
        *at = line.next;
        *opens = depth == 1 && line.to > line.from && ssa->bytes[line.to - 1] == '{';
        if (status || depth <= 0 || *at >= ssa->size) return status;
        /* It may be the header of a function: the caller decides. */
        if (*opens && !inside && line.from == first.from) return status;
        line = read_line(ssa, *at);
        if (line.from == line.to) return status; /* an empty line ends what never closes */
    }
}

/* Reads the names of a label: its own, which comes first, and those of its arguments (`bb1(%x: i32):`).  It
 * defines all of them. */
static pare_status read_label(struct reader *reader, struct line line, size_t name_to,
                              pare_error *err)
{
    pare_ssa *ssa = reader->ssa;
    unsigned char sigil = sigil_of(ssa->bytes[line.from]);
    int depth = 0;
    pare_status status = add_name(reader, line.from, name_to,
                                  sigil == PARE_SSA_BARE ? ssa->dialect.sigil : sigil, false, err);
    size_t first = ssa->n_names - !status;
    if (!status) status = read_names(reader, name_to, line.to, &depth, err);
    for (; first < ssa->n_names; first++)
        ssa->names[first].defines = true;
    return status;
}

/* Reads the statement at *at, which then is where the next one begins.  *function is the function that is
 * open, PARE_SSA_NONE at the top level: a header opens one, and its closing bracket ends it.
 *
 * A statement takes all bytes up to the next one, blank lines and comments too, so that all
 * bytes of the text are in one. */
static pare_status read_statement(struct reader *reader, size_t *at, uint32_t *function,
                                  pare_error *err)
{
    pare_ssa *ssa = reader->ssa;
    struct line line = read_line(ssa, *at);
    const size_t from = *at, first = ssa->n_names;
    size_t name_to;
    bool inside = *function != PARE_SSA_NONE, opens = false;
    pare_ssa_role role = inside ? PARE_SSA_PLAIN : PARE_SSA_TOP;
    pare_status status;
    *at = line.next;
    /* The bracket that closes the function; names may stand behind it. */
    if (inside && !ssa->dialect.fragment && line.from < line.to && ssa->bytes[line.from] == '}') {
        role = PARE_SSA_CLOSE;
        ssa->functions[*function].close = (uint32_t)ssa->n_statements;
        int depth = 0;
        status = read_names(reader, line.from, line.to, &depth, err);
    } else if (inside && is_label(ssa, line.from, line.to, &name_to)) {
        role = PARE_SSA_LABEL;
        status = read_label(reader, line, name_to, err);
    } else {
        status = read_lines(reader, line, at, &opens, inside, err);
        mark_definitions(ssa, first, line.from, line.to);
    }
    uint32_t name =
        !status && opens && !inside ? called_name(ssa, first, ssa->n_names) : PARE_SSA_NONE;
    if (name != PARE_SSA_NONE) role = PARE_SSA_HEADER;
    if (name != PARE_SSA_NONE) *function = (uint32_t)ssa->n_functions;
    const pare_ssa_statement statement = {(uint32_t)from, (uint32_t)*at, (uint32_t)first, *function,
                                          role};
    if (!status) status = add_statement(ssa, statement, err);
    if (!status && name != PARE_SSA_NONE) status = add_function(ssa, ssa->names[name].id, err);
    if (role == PARE_SSA_CLOSE) *function = PARE_SSA_NONE;
    return status;
}

/* Whether a sign of equality follows the name. */
static bool is_equated(const pare_ssa *ssa, const pare_ssa_name *name)
{
    size_t at = name->to;
    while (at < ssa->size && ssa->bytes[at] == ' ')
        at++;
    return at < ssa->size && ssa->bytes[at] == '=';
}

/* What the statement is about: of a header or a declaration the function, of "@x = .." at the
 * top level x. PARE_SSA_NONE for any other. */
uint32_t pare_ssa_own_name(const pare_ssa *ssa, size_t statement)
{
    const pare_ssa_statement *at = &ssa->statements[statement];
    if (at->role == PARE_SSA_HEADER || at->role == PARE_SSA_TOP) {
        for (uint32_t k = at->first; k < pare_ssa_names_end(ssa, statement); k++)
            if (at->role == PARE_SSA_TOP && !ssa->names[k].nested &&
                is_equated(ssa, &ssa->names[k]))
                return k;
        return called_name(ssa, at->first, pare_ssa_names_end(ssa, statement));
    }
    return PARE_SSA_NONE;
}

void pare_ssa_done(pare_ssa *ssa)
{
    pare_alloc_free(ssa->statements);
    pare_alloc_free(ssa->names);
    pare_alloc_free(ssa->functions);
    *ssa = (pare_ssa){.bytes = NULL};
}

/* The names that a header defines: its own, and its parameters. Names of other sigils in a
 * header are types and attributes, which it uses. */
static void mark_headers(pare_ssa *ssa)
{
    for (size_t i = 0; i < ssa->n_functions; i++) {
        size_t header = ssa->functions[i].header;
        for (uint32_t k = ssa->statements[header].first; k < pare_ssa_names_end(ssa, header); k++)
            ssa->names[k].defines = ssa->names[k].id == ssa->functions[i].id ||
                                    ssa->names[k].sigil == ssa->dialect.sigil;
    }
}

/* Opens, or closes, what a fragment is the inside of: by a statement of no bytes. */
static pare_status add_bound(pare_ssa *ssa, size_t at, pare_ssa_role role, pare_error *err)
{
    const pare_ssa_statement bound = {(uint32_t)at, (uint32_t)at, (uint32_t)ssa->n_names, 0, role};
    pare_status status = add_statement(ssa, bound, err);
    return status || role != PARE_SSA_HEADER ? status : add_function(ssa, PARE_SSA_NONE, err);
}

/* A function that is not closed ends with the text: it is closed by its last statement.
 *
 * A fragment is the inside of one function without its header: it gets a header and an end of
 * no bytes. */
pare_status pare_ssa_read(const unsigned char *bytes, size_t size, const pare_ssa_dialect *dialect,
                          pare_ssa *ssa, pare_error *err)
{
    *ssa = (pare_ssa){.bytes = bytes, .size = size, .dialect = *dialect};
    struct reader reader = {.ssa = ssa};
    uint32_t function = PARE_SSA_NONE;
    pare_status status = dialect->fragment ? add_bound(ssa, 0, PARE_SSA_HEADER, err) : PARE_OK;
    if (dialect->fragment) function = 0;
    for (size_t at = 0; !status && at < size;)
        status = read_statement(&reader, &at, &function, err);
    if (!status && dialect->fragment) status = add_bound(ssa, size, PARE_SSA_CLOSE, err);
    ssa->n_ids = (uint32_t)reader.n_ids;
    pare_hash_index_done(&reader.index);
    pare_alloc_free(reader.ids);
    if (status) {
        pare_ssa_done(ssa);
        return status;
    }
    mark_headers(ssa);
    if (function != PARE_SSA_NONE) ssa->functions[function].close = (uint32_t)ssa->n_statements - 1;
    return PARE_OK;
}

/* Statements follow each other without a gap, and names lie in theirs, ascending. */
bool pare_ssa_check(const pare_ssa *ssa)
{
    size_t at = 0;
    for (size_t i = 0; i < ssa->n_statements; i++) {
        const pare_ssa_statement *statement = &ssa->statements[i];
        const bool bound = ssa->dialect.fragment && (i == 0 || i + 1 == ssa->n_statements);
        if (statement->from != at || (statement->to > at) == bound) return false;
        for (uint32_t k = statement->first; k < pare_ssa_names_end(ssa, i); k++) {
            if (ssa->names[k].from < at || ssa->names[k].to <= ssa->names[k].from) return false;
            if (ssa->names[k].id >= ssa->n_ids) return false;
            at = ssa->names[k].to;
        }
        if (at > statement->to) return false;
        at = statement->to;
    }
    for (size_t i = 0; i < ssa->n_functions; i++)
        if (ssa->functions[i].close >= ssa->n_statements ||
            ssa->functions[i].close < ssa->functions[i].header)
            return false;
    return at == ssa->size;
}

/* ---- whether a text is one ------------------------------------------------------------- */

enum {
    SAMPLE_BYTES = 1 << 20,
    LEAST_DEFINITIONS = 6,
    DEFINITION_SHARE = 5, /* one statement of so many within functions defines a name, */
    FRAGMENT_SHARE = 2,   /* and of a fragment; of the names there one of so many is used */
    ONCE_PERCENT = 90
};

/* Counts what defines names inside the functions of a text. */
struct census {
    size_t n, n_definitions, n_again;
    size_t n_used;  /* names that are used after their definition */
    size_t n_ended; /* statements that end with `;`, as in programs */
    size_t by_sigil[PARE_SSA_SIGILS];
};

/* Blanks and line ends after it do not count. */
static bool ends_with_semicolon(const pare_ssa *ssa, const pare_ssa_statement *statement)
{
    size_t to = statement->to;
    while (to > statement->from && ssa->bytes[to - 1] <= ' ')
        to--;
    return to > statement->from && ssa->bytes[to - 1] == ';';
}

/* Counts statements and definitions; `seen` has the function in which each name was defined last,
 * `used` that in which it was used then.
 *
 * `seen` and `used` have the function plus one, so 0 is none, and nothing has to be cleared
 * between two functions. */
static void count(const pare_ssa *ssa, uint32_t *seen, uint32_t *used, struct census *census)
{
    for (size_t i = 0; i < ssa->n_statements; i++) {
        const pare_ssa_statement *statement = &ssa->statements[i];
        bool blank = statement->first == pare_ssa_names_end(ssa, i);
        if (statement->role != PARE_SSA_PLAIN) continue;
        census->n += !blank;
        census->n_ended += !blank && ends_with_semicolon(ssa, statement);
        for (uint32_t k = statement->first; k < pare_ssa_names_end(ssa, i); k++) {
            const pare_ssa_name *name = &ssa->names[k];
            const uint32_t here = statement->function + 1;
            if (!name->defines) {
                /* Counted once for each definition. */
                census->n_used += seen[name->id] == here && used[name->id] != here;
                if (seen[name->id] == here) used[name->id] = here;
                continue;
            }
            census->n_definitions++;
            census->by_sigil[name->sigil]++;
            census->n_again += seen[name->id] == here;
            seen[name->id] = here;
        }
    }
}

/* Whether a text of which this was counted is one of instructions.  Programs fail by their semicolons, and
 * by names that are assigned more than once in a function. In a fragment more of the statements
 * have to define something, as there are no functions to tell by. */
static bool shows_enough(const struct census *census, bool fragment)
{
    const size_t share = fragment ? FRAGMENT_SHARE : DEFINITION_SHARE;
    if (fragment && census->n_used * FRAGMENT_SHARE < census->n_definitions) return false;
    return census->n_definitions >= LEAST_DEFINITIONS && census->n_ended * 2 < census->n &&
           census->n_definitions * share >= census->n &&
           census->n_again * 100 <= census->n_definitions * (100 - ONCE_PERCENT);
}

/* Reads a sample by `dialect`; sets its sigil. The sigil is that of most definitions. *found is
 * false also if memory is out. */
static pare_status look(const unsigned char *bytes, size_t size, pare_ssa_dialect *dialect,
                        bool *found, pare_error *err)
{
    pare_ssa ssa;
    struct census census = {0};
    *found = false;
    pare_status status = pare_ssa_read(bytes, size, dialect, &ssa, err);
    if (status) return status;
    uint32_t *seen = pare_alloc_zero(2 * (ssa.n_ids + (size_t)1), sizeof *seen);
    if (seen) {
        count(&ssa, seen, seen + ssa.n_ids + 1, &census);
        for (unsigned char s = 0; s < PARE_SSA_SIGILS; s++)
            if (census.by_sigil[s] > census.by_sigil[dialect->sigil]) dialect->sigil = s;
        *found = shows_enough(&census, dialect->fragment);
    }
    pare_ssa_done(&ssa);
    pare_alloc_free(seen);
    return seen ? PARE_OK : pare_fail_nomem(err);
}

/* The byte with which most comments begin: `;`, `//` or `#` at the begin of a line, or a `;`
 * between blanks. 0: there are none. */
static unsigned char find_comment(const unsigned char *bytes, size_t size)
{
    size_t n[3] = {0};
    for (size_t at = 0; at < size;) {
        const unsigned char *end = memchr(bytes + at, '\n', size - at);
        size_t next = end ? (size_t)(end - bytes) + 1 : size;
        while (at < next && (bytes[at] == ' ' || bytes[at] == '\t'))
            at++;
        if (next - at > 2 && (bytes[at] == ';' || memmem(bytes + at, next - at, " ; ", 3))) n[0]++;
        if (next - at > 2 && bytes[at] == '/' && bytes[at + 1] == '/') n[1]++;
        if (next - at > 2 && bytes[at] == '#' && bytes[at + 1] == ' ') n[2]++;
        at = next;
    }
    if (!n[0] && !n[1] && !n[2]) return 0;
    if (n[0] >= n[1] && n[0] >= n[2]) return ';';
    return n[1] >= n[2] ? '/' : '#';
}

/* Tries the dialects in turn, sigils before bare words, which are the weaker sign; and those with functions
 * first, since read as a fragment the lines of a function are statements like all others. */
pare_status pare_ssa_detect(const unsigned char *bytes, size_t size, bool *found,
                            pare_ssa_dialect *dialect, pare_error *err)
{
    const size_t sample = size > SAMPLE_BYTES ? SAMPLE_BYTES : size;
    const unsigned char comment = find_comment(bytes, sample);
    const pare_ssa_dialect dialects[] = {{.sigil = 0},
                                         {.sigil = PARE_SSA_BARE, .bare = true},
                                         {.sigil = 0, .fragment = true},
                                         {.sigil = PARE_SSA_BARE, .bare = true, .fragment = true}};
    pare_status status = PARE_OK;
    *found = false;
    for (size_t i = 0; !status && !*found && i < sizeof dialects / sizeof *dialects; i++) {
        pare_ssa_dialect known = dialects[i];
        known.comment = comment;
        status = look(bytes, sample, &known, found, err);
        if (!status && *found) *dialect = known;
    }
    return status;
}
