/* Reader of regular expressions: recursive descent over the text, straight to expressions of
 * the grammar model.
 *
 * Groups and sets nest, so both recursions are bounded (DEEPEST_GROUP, DEEPEST_SET).  What is
 * repeated n times is read n times over, because an expression stands in one place only;
 * MOST_EXPRS bounds what nested counts would multiply.  Alternatives of one character each
 * become one set, which keeps choices short.
 *
 * The order of a set's characters does not matter for what is made here, short texts; see
 * builder.h for what is left out.
 * Source: the syntax of Rust's regex-syntax, which tree-sitter's generator reads.
 *
 * Invariant: after each read function the cursor stands after what it read, also when the text
 * was read several times for a count; a failure leaves the builder with expressions that
 * nobody refers to, which is allowed. */
#include "grammar/builder.h"

#include <assert.h>
#include <string.h>

#include <utf8proc.h>

#include "base/fail.h"
#include "grammar/grammar.h"
#include "grammar/intervals.h"
#include "grammar/unicode.h"

enum {
    DEEPEST_GROUP = 64,
    DEEPEST_SET = 16,
    MOST_EXPRS = 20000,
    PROPERTY_BYTES = 64,
    ANY_NUMBER = -1
};

/* The characters of a regular expression being read.  Separate from the reader of expressions,
 * since sets and escapes need no builder. */
struct characters {
    const char *at; /* NUL-terminated */
    pare_unicode *unicode;
    pare_error *err;
};

/* Sets within sets recurse through this one. */
static pare_status read_nested_set(struct characters *reader, pare_intervals *set, unsigned depth);

static pare_status fail_at(const struct characters *reader, const char *what)
{
    return pare_fail(reader->err, PARE_E_SYNTAX, "a regular expression %s", what);
}

/* Reads one character as it stands.  Errors: PARE_E_SYNTAX (no UTF-8, or the end). */
static pare_status next_character(struct characters *reader, uint32_t *code_point)
{
    utf8proc_int32_t point = -1;
    utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)reader->at, -1, &point);
    if (!*reader->at || size <= 0 || point < 0) return fail_at(reader, "ends too early");
    reader->at += size;
    *code_point = (uint32_t)point;
    return PARE_OK;
}

/* --- escapes ----------------------------------------------------------------------------- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads `n` hexadecimal digits, or any number of them in braces.  Errors: PARE_E_SYNTAX. \x
 * takes 2 digits, \u 4, \U 8, or any of them braces. */
static pare_status read_hex(struct characters *reader, unsigned n, uint32_t *code_point)
{
    bool braces = *reader->at == '{';
    uint32_t value = 0;
    if (braces) reader->at++;
    for (unsigned i = 0; braces ? *reader->at != '}' : i < n; i++, reader->at++) {
        int digit = digit_of(*reader->at);
        /* Checked before it is multiplied, so that it can not overflow. */
        if (digit < 0 || value > PARE_LAST_CODE_POINT) return fail_at(reader, "has a bad escape");
        value = value * 16 + (uint32_t)digit;
    }
    if (braces) reader->at++;
    if (value > PARE_LAST_CODE_POINT) return fail_at(reader, "has a bad escape");
    *code_point = value;
    return PARE_OK;
}

/* Adds the property after \p to *set: one letter, or a name in braces.  Errors: PARE_E_SYNTAX,
 * PARE_E_UNSUPPORTED (no such property), PARE_E_NOMEM. */
static pare_status read_property(struct characters *reader, bool negated, pare_intervals *set)
{
    const char *name = reader->at;
    size_t size = 1;
    bool known = false, exact = false;
    if (!*name) return fail_at(reader, "ends too early");
    /* In the form with braces the name begins after the brace; the two are told apart below. */
    if (*name == '{') size = strcspn(++name, "}");
    if (size >= PROPERTY_BYTES || (name != reader->at && !name[size]))
        return fail_at(reader, "has a bad property");
    /* After the name and, if there is one, its closing brace. */
    reader->at = name + size + (name != reader->at);
    pare_status status =
        pare_unicode_add(reader->unicode, (pare_unicode_property){name, size, negated}, set, &known,
                         &exact, reader->err);
    if (status || known) return status;
    return pare_fail(reader->err, PARE_E_UNSUPPORTED, "unknown property '%.*s'", (int)size, name);
}

/* Adds a list of intervals, or all that is not in it, to *set.  The intermediate set is needed
 * for a negation only, but one way for both is simpler, and sets are short. */
static pare_status add_all(pare_intervals *set, const pare_interval *items, size_t n, bool negated,
                           pare_error *err)
{
    pare_intervals own = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++)
        status = pare_intervals_add(&own, items[i].from, items[i].to, err);
    if (!status) pare_intervals_normalise(&own);
    if (!status && negated) status = pare_intervals_complement(&own, 0, PARE_LAST_CODE_POINT, err);
    for (size_t i = 0; !status && i < own.n; i++)
        status = pare_intervals_add(set, own.items[i].from, own.items[i].to, err);
    pare_intervals_done(&own);
    return status;
}

/* Finds the set that a letter after a backslash stands for, in either case; false: it stands
 * for none.  Only ASCII digits and words: more characters would not make shorter texts. */
static bool find_class(char c, const pare_interval **items, size_t *n)
{
    static const pare_interval digits[] = {{'0', '9'}};
    static const pare_interval words[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    static const pare_interval spaces[] = {
        {'\t', '\r'}, {' ', ' '}, {0x85, 0x85}, {0xA0, 0xA0}, {0x2028, 0x2029}};
    switch (c) {
    case 'd':
    case 'D': *items = digits, *n = 1; return true;
    case 'w':
    case 'W': *items = words, *n = 4; return true;
    case 's':
    case 'S': *items = spaces, *n = 5; return true;
    default: return false;
    }
}

/* Reads what stands after a backslash: a character, or a set of them that is added to *set
 * (*is_set).  Errors: PARE_E_SYNTAX, PARE_E_UNSUPPORTED, PARE_E_NOMEM. */
static pare_status escape(struct characters *reader, uint32_t *code_point, pare_intervals *set,
                          bool *is_set)
{
    static const char letters[] = "nrtfv0a", values[] = "\n\r\t\f\v\0\a";
    const pare_interval *items;
    size_t n;
    char c = *reader->at;
    /* strchr would find the NUL at the end of the list. */
    const char *letter = c ? strchr(letters, c) : NULL;
    *is_set = c == 'p' || c == 'P' || find_class(c, &items, &n);
    if (c == 'p' || c == 'P') {
        reader->at++;
        return read_property(reader, c == 'P', set);
    }
    if (*is_set) {
        reader->at++;
        return add_all(set, items, n, c >= 'A' && c <= 'Z', reader->err);
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        reader->at++;
        return read_hex(reader, c == 'x' ? 2 : c == 'u' ? 4 : 8, code_point);
    }
    if (letter) {
        reader->at++;
        *code_point = (unsigned char)values[letter - letters];
        return PARE_OK;
    }
    /* Any other character stands for itself. */
    return next_character(reader, code_point);
}

/* --- sets -------------------------------------------------------------------------------- */

/* Leaves in *set what is in `other`, too; with `negated`, what is not.  By De Morgan: the
 * complement of the union of the complements.  `other` is used up: it holds its complement or
 * itself afterwards, and its caller empties it. */
static pare_status intersect(pare_intervals *set, pare_intervals *other, bool negated,
                             pare_error *err)
{
    pare_intervals_normalise(set);
    pare_intervals_normalise(other);
    pare_status status = pare_intervals_complement(set, 0, PARE_LAST_CODE_POINT, err);
    if (!status && !negated)
        status = pare_intervals_complement(other, 0, PARE_LAST_CODE_POINT, err);
    for (size_t i = 0; !status && i < other->n; i++)
        status = pare_intervals_add(set, other->items[i].from, other->items[i].to, err);
    if (!status) pare_intervals_normalise(set);
    return status ? status : pare_intervals_complement(set, 0, PARE_LAST_CODE_POINT, err);
}

/* Adds a character, a range, or the set that an escape stands for. */
static pare_status read_range(struct characters *reader, pare_intervals *set)
{
    uint32_t from = 0, to = 0;
    bool is_set = false;
    bool escaped = *reader->at == '\\';
    if (escaped) reader->at++;
    pare_status status =
        escaped ? escape(reader, &from, set, &is_set) : next_character(reader, &from);
    if (status || is_set) return status;
    to = from;
    /* A '-' before the end, or before another one, is a character or an operator. */
    if (reader->at[0] == '-' && reader->at[1] != ']' && reader->at[1] != '-') {
        reader->at++;
        escaped = *reader->at == '\\';
        if (escaped) reader->at++;
        status = escaped ? escape(reader, &to, set, &is_set) : next_character(reader, &to);
        if (!status && is_set) return fail_at(reader, "has a range that ends with a set");
    }
    return status ? status : pare_intervals_add(set, from, to, reader->err);
}

/* Adds what stands up to `]`, `&&` or `--`.  The two operators of regex-syntax need two
 * characters each; a single '-' or '&' is an ordinary one. */
static pare_status read_items(struct characters *reader, pare_intervals *set, unsigned depth)
{
    pare_status status = PARE_OK;
    while (!status && *reader->at && *reader->at != ']') {
        if (strncmp(reader->at, "&&", 2) == 0 || strncmp(reader->at, "--", 2) == 0) break;
        if (*reader->at == '[') {
            reader->at++;
            status = read_nested_set(reader, set, depth + 1);
        } else {
            status = read_range(reader, set);
        }
    }
    return status;
}

/* Adds the set whose '[' was read to *set.  Operators bind to the left, as in Rust.  The result
 * is added to *set, so that sets within sets are unions. */
static pare_status read_nested_set(struct characters *reader, pare_intervals *set, unsigned depth)
{
    pare_intervals own = {0}, other = {0};
    if (depth > DEEPEST_SET)
        return pare_fail(reader->err, PARE_E_LIMIT, "the sets are nested too deeply");
    bool negated = *reader->at == '^';
    if (negated) reader->at++;
    pare_status status = PARE_OK;
    if (*reader->at == ']') /* the first one is no end */
        status = read_range(reader, &own);
    if (!status) status = read_items(reader, &own, depth);
    while (!status && (*reader->at == '&' || *reader->at == '-')) {
        bool minus = *reader->at == '-';
        /* Operators are two characters: && or --. */
        reader->at += 2;
        other.n = 0;
        status = read_items(reader, &other, depth);
        if (!status) status = intersect(&own, &other, minus, reader->err);
    }
    if (!status && *reader->at != ']') status = fail_at(reader, "has a set without an end");
    if (!status) reader->at++;
    pare_intervals_normalise(&own);
    if (!status) status = add_all(set, own.items, own.n, negated, reader->err);
    pare_intervals_done(&own);
    pare_intervals_done(&other);
    return status;
}

/* The state of reading an expression. */
struct reader {
    struct characters in;
    pare_builder *builder;
    size_t most; /* expressions of the builder, at last */
};

/* Groups within groups recurse through this one. */
static pare_status read_choice(struct reader *reader, unsigned depth, pare_index *expr);

/* --- expressions ------------------------------------------------------------------------- */

/* A new expression with the children that are linked from `first` on.  The limit counts
 * expressions and not bytes of the pattern: `(a{100}){100}` is short and makes 10,000. */
static pare_status make(struct reader *reader, pare_expr_kind kind, pare_index first,
                        pare_index *expr)
{
    if (reader->builder->grammar->n_exprs >= reader->most)
        return pare_fail(reader->in.err, PARE_E_LIMIT, "the regular expression is too large");
    pare_index made = pare_builder_expr(reader->builder, kind);
    if (made == PARE_NO_INDEX) return reader->builder->status;
    assert((first == PARE_NO_INDEX || first < made) && "children are made before their parent");
    reader->builder->grammar->exprs[made].first = first;
    *expr = made;
    return PARE_OK;
}

/* A list of siblings being made. */
struct list {
    pare_index first, last;
};

/* Appends an expression to the list. */
static void append(const struct reader *reader, struct list *list, pare_index expr)
{
    if (list->first == PARE_NO_INDEX)
        list->first = expr;
    else
        reader->builder->grammar->exprs[list->last].next = expr;
    list->last = expr;
}

/* One expression for the list: its only member, or a new one of that kind over all of them.
 * One member needs no node around it, which keeps derivations short. */
static pare_status gather(struct reader *reader, pare_expr_kind kind, const struct list *list,
                          pare_index *expr)
{
    if (list->first == PARE_NO_INDEX) return make(reader, PARE_EXPR_EMPTY, PARE_NO_INDEX, expr);
    *expr = list->first;
    return list->first == list->last ? PARE_OK : make(reader, kind, list->first, expr);
}

/* Leaves only digits and ASCII letters in the set, if it has any: texts made of it are then
 * words that other tokens rarely touch, and easy to read.  Unless there is nothing plain in it:
 * then the set stays as it is. */
static pare_status narrow(pare_intervals *set, pare_error *err)
{
    static const pare_interval plain[] = {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}};
    pare_intervals left = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < set->n; i++)
        for (size_t k = 0; !status && k < sizeof plain / sizeof *plain; k++) {
            uint32_t from = set->items[i].from, to = set->items[i].to;
            from = from > plain[k].from ? from : plain[k].from;
            to = to < plain[k].to ? to : plain[k].to;
            if (from <= to) status = pare_intervals_add(&left, from, to, err);
        }
    /* The set that is dropped ends up in `left` either way. */
    pare_intervals other = *set;
    if (!status && left.n) {
        *set = left;
        left = other;
    }
    pare_intervals_done(&left);
    return status;
}

/* A set as an expression, narrowed. */
static pare_status make_set(struct reader *reader, pare_intervals *set, pare_index *expr)
{
    pare_status status = narrow(set, reader->in.err);
    if (status) return status;
    *expr = pare_builder_set(reader->builder, set);
    return reader->builder->status;
}

static pare_status make_letter(struct reader *reader, uint32_t code_point, pare_index *expr)
{
    *expr = pare_builder_literal(reader->builder, &code_point, 1);
    return reader->builder->status;
}

/* --- atoms ------------------------------------------------------------------------------- */

/* Goes past what follows the parenthesis of `(?:`, `(?i:` or `(?<name>`; flags are ignored.
 * Errors: PARE_E_UNSUPPORTED (looking around), PARE_E_SYNTAX. */
static pare_status read_group_head(struct reader *reader)
{
    const char *at = reader->in.at;
    if (*at != '?') return PARE_OK;
    bool looks = at[1] == '=' || at[1] == '!' || (at[1] == '<' && (at[2] == '=' || at[2] == '!'));
    if (looks) return pare_fail(reader->in.err, PARE_E_UNSUPPORTED, "it looks around");
    /* To the end of the flags or the name; without a colon, `(?i)` is a group of nothing. */
    at += strcspn(at, ":>)");
    if (!*at) return fail_at(&reader->in, "has a group without an end");
    reader->in.at = *at == ')' ? at : at + 1;
    return PARE_OK;
}

/* A group whose parenthesis was read. */
static pare_status read_group(struct reader *reader, unsigned depth, pare_index *expr)
{
    pare_status status = read_group_head(reader);
    if (!status) status = read_choice(reader, depth + 1, expr);
    if (!status && *reader->in.at != ')')
        status = fail_at(&reader->in, "has a group without an end");
    if (!status) reader->in.at++;
    return status;
}

/* A set or a character after a backslash; the anchors \b, \B, \A and \z match the empty text. */
static pare_status read_escape(struct reader *reader, pare_index *expr)
{
    pare_intervals set = {0};
    uint32_t code_point = 0;
    bool is_set = false;
    char c = *reader->in.at;
    if (c == 'b' || c == 'B' || c == 'A' || c == 'z') {
        reader->in.at++;
        return make(reader, PARE_EXPR_EMPTY, PARE_NO_INDEX, expr);
    }
    pare_status status = escape(&reader->in, &code_point, &set, &is_set);
    if (!status)
        status = is_set ? make_set(reader, &set, expr) : make_letter(reader, code_point, expr);
    pare_intervals_done(&set);
    return status;
}

/* A set whose '[' was read. */
static pare_status read_set(struct reader *reader, pare_index *expr)
{
    pare_intervals set = {0};
    pare_status status = read_nested_set(&reader->in, &set, 0);
    if (!status) status = make_set(reader, &set, expr);
    pare_intervals_done(&set);
    return status;
}

/* What `.` matches: all characters but line ends. */
static pare_status make_dot(struct reader *reader, pare_index *expr)
{
    pare_intervals set = {0};
    pare_status status = pare_intervals_add(&set, 0, '\n' - 1, reader->in.err);
    if (!status) status = pare_intervals_add(&set, '\n' + 1, PARE_LAST_CODE_POINT, reader->in.err);
    if (!status) status = make_set(reader, &set, expr);
    pare_intervals_done(&set);
    return status;
}

/* One character, set, group or escape; the anchors ^ and $ match the empty text. */
static pare_status read_atom(struct reader *reader, unsigned depth, pare_index *expr)
{
    uint32_t code_point = 0;
    switch (*reader->in.at) {
    case '(': reader->in.at++; return read_group(reader, depth, expr);
    case '[': reader->in.at++; return read_set(reader, expr);
    case '\\': reader->in.at++; return read_escape(reader, expr);
    case '.': reader->in.at++; return make_dot(reader, expr);
    case '^':
    case '$': reader->in.at++; return make(reader, PARE_EXPR_EMPTY, PARE_NO_INDEX, expr);
    case '*':
    case '+':
    case '?': return fail_at(&reader->in, "repeats nothing");
    default: break;
    }
    pare_status status = next_character(&reader->in, &code_point);
    return status ? status : make_letter(reader, code_point, expr);
}

/* --- repetition -------------------------------------------------------------------------- */

/* How often: at least `least`, at most `most` times. */
struct bounds {
    long least, most;
};

/* The number at *at, which then stands after all its digits.  One that is larger than MOST_EXPRS is
 * too large, whatever its further digits are. */
static long read_number(const char **at)
{
    long value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        if (value <= MOST_EXPRS) value = value * 10 + (**at - '0');
    return value;
}

/* Reads a quantifier at *at, which then stands after it; false: there is none.  A '{' without
 * a number is a character.  Whether it is lazy does not matter for the texts that may match.
 * What does not look like a bound is a character. */
static bool read_bounds(const char **at, struct bounds *bounds)
{
    const char *p = *at + 1;
    switch (**at) {
    case '*': *bounds = (struct bounds){0, ANY_NUMBER}; break;
    case '+': *bounds = (struct bounds){1, ANY_NUMBER}; break;
    case '?': *bounds = (struct bounds){0, 1}; break;
    case '{':
        if (*p < '0' || *p > '9') return false;
        bounds->least = bounds->most = read_number(&p);
        if (*p == ',') {
            p++;
            bounds->most = *p == '}' ? ANY_NUMBER : read_number(&p);
        }
        if (*p++ != '}') return false;
        break;
    default: return false;
    }
    *at = *p == '?' ? p + 1 : p;
    return true;
}

/* Reads the atom at `start` once for each round: `bounds.least` of them, and one more under a
 * star or an option if there may be more.  (An upper bound above the lower one is taken as
 * none: short texts do not use it.) Cost: the atom's size times the count, which MOST_EXPRS
 * bounds over the whole expression. */
static pare_status repeat(struct reader *reader, const char *start, unsigned depth,
                          struct bounds bounds, pare_index *expr)
{
    struct list list = {PARE_NO_INDEX, PARE_NO_INDEX};
    const char *after = reader->in.at;
    assert(start < after && bounds.least >= 0);
    pare_status status = PARE_OK;
    if (bounds.least > MOST_EXPRS)
        return pare_fail(reader->in.err, PARE_E_LIMIT, "it repeats too often");
    for (long i = 0; !status && i < bounds.least + (bounds.most != bounds.least); i++) {
        /* Once more from the atom's beginning: an expression has one place only. */
        reader->in.at = start;
        status = read_atom(reader, depth, expr);
        if (!status && i == bounds.least)
            status =
                make(reader, bounds.most == 1 ? PARE_EXPR_OPTIONAL : PARE_EXPR_STAR, *expr, expr);
        if (!status) append(reader, &list, *expr);
    }
    /* After the quantifier, which the rounds do not read. */
    reader->in.at = after;
    return status ? status : gather(reader, PARE_EXPR_SEQUENCE, &list, expr);
}

/* An atom, and what it becomes by the quantifier after it. */
static pare_status read_repeated(struct reader *reader, unsigned depth, pare_index *expr)
{
    const char *start = reader->in.at;
    struct bounds bounds;
    pare_status status = read_atom(reader, depth, expr);
    if (status || !read_bounds(&reader->in.at, &bounds)) return status;
    return repeat(reader, start, depth, bounds, expr);
}

/* Atoms up to the next alternative or the end of the group. */
static pare_status read_sequence(struct reader *reader, unsigned depth, pare_index *expr)
{
    struct list list = {PARE_NO_INDEX, PARE_NO_INDEX};
    pare_status status = PARE_OK;
    while (!status && *reader->in.at && *reader->in.at != '|' && *reader->in.at != ')') {
        pare_index part = PARE_NO_INDEX;
        status = read_repeated(reader, depth, &part);
        if (!status) append(reader, &list, part);
    }
    return status ? status : gather(reader, PARE_EXPR_SEQUENCE, &list, expr);
}

/* Adds the characters that `expr` takes one of to *set; *taken says whether it is such an
 * expression, a set or a single letter.  Only what takes exactly one character may be merged:
 * an alternative of two would change its meaning. */
static pare_status take_characters(const struct reader *reader, pare_index expr,
                                   pare_intervals *set, bool *taken)
{
    const pare_grammar *grammar = reader->builder->grammar;
    const pare_expr *of = &grammar->exprs[expr];
    pare_status status = PARE_OK;
    *taken = of->kind == PARE_EXPR_SET || (of->kind == PARE_EXPR_LITERAL && of->text.size == 1);
    if (!*taken) return PARE_OK;
    /* The expression itself stays in the grammar, where nothing refers to it. */
    if (of->kind == PARE_EXPR_LITERAL) {
        uint32_t point = grammar->code_points[of->text.offset];
        return pare_intervals_add(set, point, point, reader->in.err);
    }
    for (uint32_t i = 0; !status && i < grammar->sets[of->set].n; i++) {
        pare_interval interval = grammar->intervals[grammar->sets[of->set].first + i];
        status = pare_intervals_add(set, interval.from, interval.to, reader->in.err);
    }
    return status;
}

/* Reads the alternatives.  Those of one character go into *set, which becomes one alternative
 * after all others; if there is only one alternative, it stays as it is.  Order is of no
 * interest here (see above), which is why alternatives may be moved to the end. */
static pare_status read_alternatives(struct reader *reader, unsigned depth, struct list *list,
                                     pare_intervals *set)
{
    pare_status status = PARE_OK;
    for (bool first = true, more = true; more && !status; first = false) {
        pare_index part = PARE_NO_INDEX;
        bool taken = false;
        status = read_sequence(reader, depth, &part);
        bool alone = first && *reader->in.at != '|';
        if (!status && !alone) status = take_characters(reader, part, set, &taken);
        if (!status && !taken) append(reader, list, part);
        more = *reader->in.at == '|';
        if (more) reader->in.at++;
    }
    return status;
}

/* The alternatives of a group or of the whole.  All recursion goes through here, so its depth
 * is bounded here. */
static pare_status read_choice(struct reader *reader, unsigned depth, pare_index *expr)
{
    struct list list = {PARE_NO_INDEX, PARE_NO_INDEX};
    pare_intervals set = {0};
    pare_index part = PARE_NO_INDEX;
    if (depth > DEEPEST_GROUP)
        return pare_fail(reader->in.err, PARE_E_LIMIT, "the groups are nested too deeply");
    pare_status status = read_alternatives(reader, depth, &list, &set);
    /* All alternatives of one character, as a single set. */
    if (!status && set.n) {
        status = make_set(reader, &set, &part);
        if (!status) append(reader, &list, part);
    }
    pare_intervals_done(&set);
    return status ? status : gather(reader, PARE_EXPR_CHOICE, &list, expr);
}

/* Reads the whole expression.  The limit on expressions counts from what the builder has
 * already. */
pare_status pare_regex_expr(pare_builder *builder, pare_unicode *unicode, const char *regex,
                            pare_index *expr, pare_error *err)
{
    if (builder->status) return builder->status;
    struct reader reader = {.in = {.at = regex, .unicode = unicode, .err = err},
                            .builder = builder,
                            .most = builder->grammar->n_exprs + MOST_EXPRS};
    pare_index made = PARE_NO_INDEX;
    pare_status status = read_choice(&reader, 0, &made);
    if (!status && *reader.in.at) status = fail_at(&reader.in, "has a ')' too many");
    if (!status) *expr = made;
    return status;
}
