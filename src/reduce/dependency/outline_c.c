/* The outline of a C or C++ file: where its items, members and bodies begin and end.
 *
 * No grammar: an item ends at its `;`, or after the brace of its body, and which of the two is
 * told by what stood before the brace.  That is right for nearly all of what compilers accept,
 * extensions included, and where it is wrong, a node is only too large: all of the text is in
 * some node, or between two.  Name spaces and `extern "C" { }` are shells, members of classes are
 * nodes below the class, a function's body (with the initialisers of a constructor) is a node
 * below the function.
 *
 * One loop over a stack of open scopes, since they may be nested as deep as somebody likes.
 * Linear, but for angle brackets, which are looked at once from each place where they may open.
 * Source: ours; the alternative, tree-sitter's grammar, takes `namespace std
 * __attribute__((...)) {` and the like for errors, and what is in them for something else. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/outline_c.h"
#include "reduce/passes/pass.h"

/* --- moving over tokens ----------------------------------------------------------------- */

/* The sign at the token, or 0. */
static uint16_t sign_at(const pare_c_reader *reader, uint32_t at)
{
    return at < reader->tokens.n ? reader->tokens.at[at].sign : 0;
}

/* The token after `at`, or, where that opens a bracket, after the partner.  A bracket without a
 * partner, and one that closes, are stepped over as single tokens, so this always moves on. */
uint32_t pare_outline_c_skip(const pare_c_reader *reader, uint32_t at)
{
    uint32_t partner = at < reader->tokens.n ? reader->tokens.at[at].partner : PARE_C_NONE;
    return partner != PARE_C_NONE && partner > at ? partner + 1 : at + 1;
}

/* Whether `<` at the token opens a list for certain: after the name of a template, or of a cast. */
static bool opens_list(const pare_c_reader *reader, uint32_t at)
{
    enum { CAST = 5 };
    if (!pare_c_is_word(reader, at - 1)) return false;
    const pare_c_token *before = &reader->tokens.at[at - 1];
    const unsigned char *end = reader->view->bytes + before->to;
    if (before->to - before->from > CAST && memcmp(end - CAST, "_cast", CAST) == 0) return true;
    return pare_c_is(reader, at - 1, PARE_C_TEMPLATE) ||
           (pare_c_is_name(reader, at - 1) && reader->is_template[pare_c_word(reader, at - 1)]);
}

/* Tries to read a list of arguments from `<` on: `<` opens another one, if `surely` only where that
 * is certain, and `>` closes one, unless it is the first half of `>=`.  A list of arguments holds no
 * `;` and no bracket that closes something outside of it, as `a < b)` does; brackets that open are
 * skipped with what is in them.  It is not looked for further than MOST tokens, so that comparisons
 * cost no more than that. */
static uint32_t read_list(const pare_c_reader *reader, uint32_t open, uint32_t end, bool surely)
{
    enum { MOST = 4000 };
    size_t depth = 0;
    for (uint32_t i = open; i < end && i - open < MOST; i = pare_outline_c_skip(reader, i)) {
        uint16_t sign = sign_at(reader, i);
        if (sign == '<' && (i == open || !surely || opens_list(reader, i))) depth++;
        const bool compares = sign == '>' && sign_at(reader, i + 1) == '=' && i + 1 < end &&
                              reader->tokens.at[i + 1].from == reader->tokens.at[i].to;
        if (sign == '>' && !compares && --depth == 0) return i;
        if (sign == ')' || sign == '}' || sign == ']' || sign == ';') return PARE_C_NONE;
    }
    return PARE_C_NONE;
}

/* Of `template<int n, bool = n < c<int>::v> struct a` the second `<` compares: that shows in a list without an end, of a
 * template's parameters, which is none by itself. */
uint32_t pare_outline_c_angle(const pare_c_reader *reader, uint32_t open, uint32_t end)
{
    const uint32_t close = read_list(reader, open, end, false);
    const bool header = open > 0 && pare_c_is(reader, open - 1, PARE_C_TEMPLATE);
    return close == PARE_C_NONE && header ? read_list(reader, open, end, true) : close;
}

/* --- one item ----------------------------------------------------------------------------- */

/* The item that is being looked at; `at` moves. */
struct look {
    pare_c_reader *reader;
    pare_c_item item;
    uint32_t at, end; /* of the scope */
    bool constrained; /* a `requires` was read, before any parameters */
    bool done;        /* the item's end is found */
};

/* The item ends before `end`. */
static void finish(struct look *look, uint32_t end)
{
    look->item.end = end < look->end ? end : look->end;
    look->done = true;
}

/* Whether the name at the token, which follows another one, is the class's after all: in `class
 * API c {` the first is a macro that was not expanded, while `struct s d;` declares a variable
 * of type s.  What comes after the names tells. */
static bool is_class_name(const struct look *look, uint32_t at)
{
    uint32_t next = at + 1;
    while (pare_c_is_name(look->reader, next))
        next++;
    uint16_t sign = sign_at(look->reader, next);
    return sign == '{' || sign == ':' || sign == '<' || sign == PARE_C_SIGN2(':', ':');
}

/* After the word class, struct or union: attributes, and the name, qualified or with arguments.
 * Of `class [[a]] B::C<int> {` the name is C, and it is specialised.  Leaves `at` at the first
 * token that is none of that. */
static void look_at_class(struct look *look)
{
    const pare_c_reader *reader = look->reader;
    pare_c_item *item = &look->item;
    uint32_t i = look->at + 1;
    item->key = look->at;
    while (i < look->end &&
           (sign_at(reader, i) == '[' ||
            (pare_c_is_word(reader, i) && pare_c_takes_arguments(pare_c_word(reader, i)))))
        i = sign_at(reader, i) == '[' ? pare_outline_c_skip(reader, i)
                                      : pare_outline_c_skip(reader, i + 1);
    while (i < look->end &&
           (pare_c_is_name(reader, i) || sign_at(reader, i) == PARE_C_SIGN2(':', ':'))) {
        if (pare_c_is_name(reader, i)) {
            bool second =
                item->name != PARE_C_NONE && sign_at(reader, i - 1) != PARE_C_SIGN2(':', ':');
            if (second && !is_class_name(look, i)) break;
            item->name = i;
            item->specialised = false;
        }
        i++;
        if (sign_at(reader, i) != '<') continue;
        uint32_t close = pare_outline_c_angle(reader, i, look->end);
        if (close == PARE_C_NONE) continue;
        item->specialised = true;
        i = close + 1;
    }
    look->at = i;
}

/* After the word operator: its signs, which are no brackets here.  `operator()(int)` is the one
 * case in which a bracket is part of the name; of all others the name ends before the
 * parameters. */
static void look_at_operator(struct look *look)
{
    const pare_c_reader *reader = look->reader;
    uint32_t i = look->at + 1;
    look->item.operator_at = look->at;
    if (sign_at(reader, i) == '(' && sign_at(reader, i + 1) == ')') {
        look->at = i + 2;
        return;
    }
    while (i < look->end && sign_at(reader, i) != '(' && sign_at(reader, i) != ';')
        i++;
    look->at = i;
}

/* Whether an expression goes on after the token, so that a bracket after it is an operand and no
 * list of parameters. */
static bool expects_operand(const pare_c_reader *reader, uint32_t at)
{
    uint16_t sign = sign_at(reader, at);
    return pare_c_is(reader, at, PARE_C_REQUIRES) || sign == '=' || sign == '(' || sign == '!' ||
           sign == PARE_C_SIGN2('&', '&') || sign == PARE_C_SIGN2('|', '|');
}

/* After the word requires.  Where an operand is expected, it begins a list of requirements, with
 * parameters or without: `C = requires(T t) { t + t; }`, which is skipped with its braces.  Else
 * it is a clause, an expression, whose brackets are skipped: a brace after that is the
 * function's body. */
static void look_at_requires(struct look *look)
{
    const pare_c_reader *reader = look->reader;
    uint32_t next = look->at + 1, after = pare_outline_c_skip(reader, next);
    bool list = look->at > look->item.first && expects_operand(reader, look->at - 1);
    look->constrained = true;
    if (sign_at(reader, next) == '{')
        look->at = after;
    else if (sign_at(reader, next) == '(')
        look->at =
            list && sign_at(reader, after) == '{' ? pare_outline_c_skip(reader, after) : after;
    else
        look->at = next;
}

/* A word that means something outside of brackets; others are passed over.  Words with an
 * argument in parentheses (`noexcept(..)`, `decltype(..)`) are skipped with it, as it would be
 * taken for parameters.  A class is only begun by a key before any parameters and value: in
 * `void f(struct s *)` or `x = struct ..` there is none. */
static void look_at_word(struct look *look)
{
    const pare_c_reader *reader = look->reader;
    pare_c_item *item = &look->item;
    uint32_t word = pare_c_word(reader, look->at);
    bool head = item->paren == PARE_C_NONE && item->equals == PARE_C_NONE;
    if (word == PARE_C_TEMPLATE && sign_at(reader, look->at + 1) == '<') {
        uint32_t close = pare_outline_c_angle(reader, look->at + 1, look->end);
        item->templated = true;
        look->at = close == PARE_C_NONE ? look->at + 1 : close + 1;
    } else if (word >= PARE_C_CLASS && word <= PARE_C_UNION && head && item->key == PARE_C_NONE &&
               item->enumeration == PARE_C_NONE) {
        look_at_class(look);
    } else if (word == PARE_C_OPERATOR && item->operator_at == PARE_C_NONE &&
               item->equals == PARE_C_NONE) {
        look_at_operator(look);
    } else if (word == PARE_C_REQUIRES) {
        look_at_requires(look);
    } else if ((pare_c_takes_arguments(word) || word == PARE_C_DECLTYPE ||
                word == PARE_C_EXPLICIT || word == PARE_C_ASM || word == PARE_C_ASM_GNU) &&
               sign_at(reader, look->at + 1) == '(') {
        look->at = pare_outline_c_skip(reader, look->at + 1);
    } else {
        if (word == PARE_C_ENUM && item->paren == PARE_C_NONE) item->enumeration = look->at;
        if (word == PARE_C_TRY && !head) item->try_at = look->at;
        look->at++;
    }
}

/* The body at the brace `open` ends the item, with the handlers of a function's try after it.
 * `from`: where what goes with the body begins, which is the colon of the initialisers, or the
 * brace. */
static void end_at_body(struct look *look, uint32_t from, uint32_t open)
{
    const pare_c_reader *reader = look->reader;
    uint32_t end = pare_outline_c_skip(reader, open);
    while (end < look->end && pare_c_is(reader, end, PARE_C_CATCH))
        end = pare_outline_c_skip(reader, pare_outline_c_skip(reader, end + 1));
    look->item.body = look->item.try_at != PARE_C_NONE ? look->item.try_at : from;
    look->item.body_end = end < look->end ? end : look->end;
    finish(look, end);
}

/* At the colon after a constructor's parameters: `: a(1), b<c>{2} {`.  Each initialiser ends
 * with its bracket; after a comma comes another one, after anything else the body.  What is none
 * (a bit field's width) is left to the caller. */
static void look_at_initialisers(struct look *look)
{
    const pare_c_reader *reader = look->reader;
    uint32_t colon = look->at;
    for (uint32_t i = colon + 1; i < look->end;) {
        while (i < look->end && sign_at(reader, i) != '(' && sign_at(reader, i) != '{') {
            uint32_t close =
                sign_at(reader, i) == '<' ? pare_outline_c_angle(reader, i, look->end) : i;
            if (sign_at(reader, i) == ';') return;
            i = close == PARE_C_NONE ? i + 1 : close + 1;
        }
        i = pare_outline_c_skip(reader, i);
        if (sign_at(reader, i) == PARE_C_SIGN2('.', '.')) i++;
        if (sign_at(reader, i) == ',') {
            i++;
        } else {
            if (sign_at(reader, i) == '{') end_at_body(look, colon, i);
            return;
        }
    }
}

/* An open brace: of members, of a body, or of a value.  The first one after a class or
 * enumeration key, before any parameters, is that of members; the first one after parameters is
 * the body, and ends the item; all others are values, `int a[] = {1};`.  One that is never
 * closed takes all that is left. */
static void look_at_brace(struct look *look)
{
    pare_c_item *item = &look->item;
    if (look->reader->tokens.at[look->at].partner == PARE_C_NONE) {
        finish(look, look->end);
        return;
    }
    bool head = item->paren == PARE_C_NONE && item->equals == PARE_C_NONE;
    if (head && item->members == PARE_C_NONE &&
        (item->enumeration != PARE_C_NONE || item->key != PARE_C_NONE))
        item->members = look->at;
    else if (item->equals == PARE_C_NONE && item->paren != PARE_C_NONE &&
             item->members == PARE_C_NONE) {
        end_at_body(look, look->at, look->at);
        return;
    }
    look->at = pare_outline_c_skip(look->reader, look->at);
}

/* A sign that means something outside of brackets.  A bracket that closes here belongs to
 * nothing that was opened, so it ends the item.  The first parenthesis is that of the
 * parameters, unless it is in a value, among bases, or in a constraint. */
static void look_at_sign(struct look *look)
{
    const pare_c_reader *reader = look->reader;
    pare_c_item *item = &look->item;
    uint16_t sign = sign_at(reader, look->at);
    bool bases = item->key != PARE_C_NONE && item->colon != PARE_C_NONE;
    switch (sign) {
    case ';': finish(look, look->at + 1); return;
    case ')':
    case ']':
    case '}': finish(look, look->at + 1); return;
    case '{': look_at_brace(look); return;
    case '(': {
        /* An operand of a constraint: `requires a<T> && (b<T>)`. */
        bool operand = look->constrained && item->operator_at == PARE_C_NONE &&
                       expects_operand(reader, look->at - 1);
        if (item->paren == PARE_C_NONE && item->equals == PARE_C_NONE && !bases && !operand)
            item->paren = look->at;
        look->at = pare_outline_c_skip(reader, look->at);
        return;
    }
    case '[': look->at = pare_outline_c_skip(reader, look->at); return;
    case '=':
        if (item->equals == PARE_C_NONE) item->equals = look->at;
        break;
    case ':':
        if (item->colon == PARE_C_NONE) item->colon = look->at;
        if (item->paren != PARE_C_NONE && item->equals == PARE_C_NONE) look_at_initialisers(look);
        if (look->done) return;
        break;
    case '<': {
        bool name = look->at > item->first && pare_c_is_word(reader, look->at - 1);
        bool may = (item->key == PARE_C_NONE || bases) && item->equals == PARE_C_NONE &&
                   item->operator_at == PARE_C_NONE && name;
        uint32_t close = may ? pare_outline_c_angle(reader, look->at, look->end) : PARE_C_NONE;
        if (close != PARE_C_NONE) look->at = close;
        break;
    }
    default: break;
    }
    look->at++;
}

/* Finds the end of the item at token `first`, and what it is made of.  Always takes at least one
 * token, so the reading moves on whatever the text is. */
static pare_c_item find_item(pare_c_reader *reader, uint32_t first, uint32_t end)
{
    struct look look = {.reader = reader,
                        .at = first,
                        .end = end,
                        .item = {.first = first,
                                 .end = end,
                                 .key = PARE_C_NONE,
                                 .name = PARE_C_NONE,
                                 .members = PARE_C_NONE,
                                 .enumeration = PARE_C_NONE,
                                 .body = PARE_C_NONE,
                                 .body_end = PARE_C_NONE,
                                 .paren = PARE_C_NONE,
                                 .equals = PARE_C_NONE,
                                 .colon = PARE_C_NONE,
                                 .operator_at = PARE_C_NONE,
                                 .try_at = PARE_C_NONE}};
    while (!look.done && look.at < end) {
        const pare_c_token *token = &reader->tokens.at[look.at];
        /* A line of the preprocessor in an item is part of it; between items it is one. */
        if (token->kind == PARE_C_WORD)
            look_at_word(&look);
        else if (token->kind == PARE_C_SIGN)
            look_at_sign(&look);
        else
            look.at++;
    }
    assert(look.item.end > first && look.item.end <= end);
    return look.item;
}

/* --- scopes ------------------------------------------------------------------------------- */

/* A scope that is open: its members end before `end`, and reading goes on at `resume`. */
struct scope {
    uint32_t end, resume;
    uint32_t node;  /* PARE_NO_NODE: the file */
    uint32_t space; /* in which its names are */
    bool members;   /* of a class */
    uint32_t class_word;
    uint32_t access; /* of its members: PARE_C_PUBLIC, .. */
    uint32_t label;  /* the node that gave more of it than there was before, or PARE_NO_NODE */
};

/* All scopes that are open. */
struct scopes {
    struct scope *at; /* owned */
    size_t n, capacity;
};

/* Opens one. */
static pare_status open_scope(struct scopes *scopes, const struct scope *scope, pare_error *err)
{
    struct scope *at = pare_vector_grow(scopes->at, scopes->n, &scopes->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    scopes->at = at;
    at[scopes->n++] = *scope;
    return PARE_OK;
}

/* Appends the node of tokens first .. end-1 in `scope`.  Extents are by node and have to have as
 * many entries as the outline has nodes; so their room is made before the node is added. */
static pare_status add_node(pare_c_reader *reader, const struct scope *scope, uint32_t first,
                            uint32_t end, uint32_t roles, uint32_t *out)
{
    assert(first < end && end <= reader->tokens.n);
    const pare_outline_node node = {.begin = reader->tokens.at[first].from,
                                    .end = reader->tokens.at[end - 1].to,
                                    .parent = scope->node,
                                    .roles = roles,
                                    .space = scope->space};
    pare_c_extent *extents = pare_vector_grow(reader->extents, reader->n_extents,
                                              &reader->extent_capacity, sizeof *extents);
    if (!extents) return pare_fail_nomem(reader->err);
    reader->extents = extents;
    pare_status status = pare_outline_add_node(reader->outline, &node, out, reader->err);
    if (!status)
        extents[reader->n_extents++] = (pare_c_extent){.first = first, .end = end, .head_end = end};
    return status;
}

/* The parts of a node stay with it in closures, as they are forced, and go only where something
 * is dropped. */
pare_status pare_outline_c_add_part(pare_c_reader *reader, uint32_t parent, uint32_t first,
                                    uint32_t end, const char *rest, uint32_t *out)
{
    const struct scope inside = {.node = parent, .space = reader->outline->nodes[parent].space};
    pare_status status =
        add_node(reader, &inside, first, end, PARE_OUTLINE_FORCED | PARE_OUTLINE_PIECE, out);
    if (!status) reader->outline->nodes[*out].rest = rest;
    return status;
}

/* What of `namespace a::b [[x]] {` stands at `i`: reads to its brace.  Each name opens a space
 * in the one before it, but that of an inline name space, whose names belong to what is around.
 * *space is that of the innermost name; *brace is PARE_C_NONE where it is no name space with a
 * brace, but an alias or a directive. */
static pare_status read_names(pare_c_reader *reader, uint32_t i, uint32_t end, uint32_t node,
                              uint32_t *brace, uint32_t *space)
{
    pare_status status = PARE_OK;
    *brace = PARE_C_NONE;
    while (!status && i < end && sign_at(reader, i) != '{') {
        if (sign_at(reader, i) == '=' || sign_at(reader, i) == ';') return PARE_OK;
        if (pare_c_is_name(reader, i)) {
            uint32_t word = pare_c_word(reader, i);
            bool inside = reader->is_space[word] == PARE_C_SPACE;
            if (inside)
                status = pare_outline_add_space(reader->outline, *space, word, space, reader->err);
            if (!status) status = pare_outline_add_name(reader->outline, node, word, reader->err);
        }
        i = pare_outline_c_skip(reader, i);
    }
    if (!status && i < end && reader->tokens.at[i].partner != PARE_C_NONE) *brace = i;
    return status;
}

/* Reads a name space, or `extern "C" {`, at `at` if there is one: *found.  What is in it is read
 * by the loop of read_all, in a scope of its own.  Names that were added for an alias
 * (`namespace a = b;`) are taken back: it is an ordinary item. */
static pare_status read_shell(pare_c_reader *reader, struct scopes *scopes, uint32_t *at,
                              bool *found)
{
    const struct scope around = scopes->at[scopes->n - 1];
    uint32_t i = *at, brace = PARE_C_NONE, node, space = around.space;
    *found = false;
    if (pare_c_is(reader, i, PARE_C_INLINE) || pare_c_is(reader, i, PARE_C_EXTENSION)) i++;
    bool linkage = pare_c_is(reader, *at, PARE_C_EXTERN) && i + 2 < around.end &&
                   reader->tokens.at[i + 1].kind == PARE_C_STRING && sign_at(reader, i + 2) == '{';
    if (!linkage && !pare_c_is(reader, i, PARE_C_NAMESPACE)) return PARE_OK;
    size_t n_names = reader->outline->n_names;
    uint32_t next = (uint32_t)reader->outline->n_nodes;
    pare_status status = PARE_OK;
    if (linkage)
        brace = i + 2;
    else
        status = read_names(reader, i + 1, around.end, next, &brace, &space);
    uint32_t partner = brace == PARE_C_NONE ? PARE_C_NONE : reader->tokens.at[brace].partner;
    if (status || partner == PARE_C_NONE || partner >= around.end) {
        reader->outline->n_names = n_names; /* an alias: an ordinary item */
        return status;
    }
    status = add_node(reader, &around, *at, partner + 1, PARE_OUTLINE_SHELL, &node);
    if (status) return status;
    reader->extents[node].head_end = brace;
    *found = true;
    const struct scope inside = {
        .end = partner, .resume = partner + 1, .node = node, .space = space};
    *at = brace + 1;
    return open_scope(scopes, &inside, reader->err);
}

/* Notes what the initialisers of a constructor, before its body, begin with. */
static pare_status use_initialisers(pare_c_reader *reader, uint32_t body, const pare_c_item *item)
{
    pare_status status = PARE_OK;
    bool begins = false;
    for (uint32_t i = item->body; !status && i < item->body_end;
         i = pare_outline_c_skip(reader, i)) {
        uint16_t sign = sign_at(reader, i);
        if (i == item->body && sign != ':') break;
        if (begins && pare_c_is_name(reader, i)) {
            const pare_outline_use use = {.node = body,
                                          .word = pare_c_word(reader, i),
                                          .qualifier = PARE_NO_WORD,
                                          .kind = PARE_OUTLINE_MADE};
            status = pare_outline_add_use(reader->outline, &use, reader->err);
        }
        begins = sign == ':' || sign == ',';
    }
    return status;
}

/* The body of the function `node`, with its statements.  A function whose type is deduced from
 * its body, or a friend that is constrained, misses the body where it goes (HELD). */
static pare_status add_body(pare_c_reader *reader, uint32_t node, const struct scope *around,
                            const pare_c_item *item)
{
    struct scope inside = *around;
    uint32_t body;
    uint32_t roles = PARE_OUTLINE_BODY;
    if (item->body == PARE_C_NONE || item->body >= item->body_end) return PARE_OK;
    if (pare_c_needs_body(reader, node, item)) roles |= PARE_OUTLINE_FORCED;
    inside.node = node;
    reader->extents[node].head_end = item->body;
    pare_status status = add_node(reader, &inside, item->body, item->body_end, roles, &body);
    if (!status &&
        (pare_c_is_deduced(reader, item) || pare_c_is_constrained_friend(reader, item))) {
        const pare_outline_use use = {node, body, PARE_NO_WORD, PARE_OUTLINE_HELD, 0};
        status = pare_outline_add_use(reader->outline, &use, reader->err);
    }
    if (!status) status = use_initialisers(reader, body, item);
    if (!status) status = pare_c_add_statements(reader, body, item);
    reader->outline->nodes[node].after = (uint32_t)reader->outline->n_nodes;
    return status;
}

/* How much access the label's word gives. */
static unsigned access_rank(uint32_t word)
{
    return word == PARE_C_PUBLIC ? 2 : word == PARE_C_PROTECTED;
}

/* Reads the label at *at, `public:` or the like.  Who is after it cannot do without one that
 * gives more access than there was before: members after `public:` in a class would be private.
 * After one that gives less they only become more open, so nobody needs it. */
static pare_status read_label(pare_c_reader *reader, struct scope *scope, uint32_t *at)
{
    uint32_t word = reader->tokens.at[*at].word, end = *at, node;
    while (end < scope->end && sign_at(reader, end) != ':')
        end++;
    end = end < scope->end ? end + 1 : end;
    pare_status status = add_node(reader, scope, *at, end, PARE_OUTLINE_FORCED, &node);
    scope->label = access_rank(word) > access_rank(scope->access) ? node : PARE_NO_NODE;
    scope->access = word;
    *at = end;
    return status;
}

/* The member is read under the label of its scope. */
static pare_status need_label(pare_c_reader *reader, const struct scope *scope, uint32_t node)
{
    const pare_outline_use use = {
        .node = node, .word = scope->label, .qualifier = PARE_NO_WORD, .kind = PARE_OUTLINE_LOCAL};
    if (!scope->members || scope->label == PARE_NO_NODE) return PARE_OK;
    return pare_outline_add_use(reader->outline, &use, reader->err);
}

/* Reads the item at *at, and opens its members if it is a class.  Nodes have to come in the
 * order of the text, so first the item itself is added, then the parts of its head, then its
 * body, or in the loop of read_all its members. */
static pare_status read_item(pare_c_reader *reader, struct scopes *scopes, uint32_t *at)
{
    const struct scope around = scopes->at[scopes->n - 1];
    const pare_c_item item = find_item(reader, *at, around.end);
    uint32_t node;
    pare_status status = add_node(reader, &around, item.first, item.end,
                                  around.members ? PARE_OUTLINE_MEMBER : 0, &node);
    if (!status && item.members != PARE_C_NONE) reader->extents[node].head_end = item.members;
    reader->class_word = around.class_word;
    if (!status) status = need_label(reader, &around, node);
    if (!status) status = pare_c_declare(reader, node, &item, reader->err);
    if (!status) status = pare_c_add_head_parts(reader, node, &item, reader->err);
    if (status) return status;
    reader->outline->nodes[node].after = (uint32_t)reader->outline->n_nodes;
    *at = item.end;
    if (item.key == PARE_C_NONE || item.members == PARE_C_NONE)
        return add_body(reader, node, &around, &item);
    /* A class: its members are nodes, unless it is part of something else, such as a type that
     * is made up where a function returns it. */
    uint32_t close = reader->tokens.at[item.members].partner;
    if (close == PARE_C_NONE || close >= item.end) return PARE_OK;
    reader->outline->nodes[node].roles |= PARE_OUTLINE_CLASS;
    const struct scope inside = {
        .end = close,
        .resume = item.end,
        .node = node,
        .space = around.space,
        .members = true,
        .class_word = item.name == PARE_C_NONE ? PARE_NO_WORD : pare_c_word(reader, item.name),
        .access = pare_c_is(reader, item.key, PARE_C_CLASS) ? PARE_C_PRIVATE : PARE_C_PUBLIC,
        .label = PARE_NO_NODE};
    *at = item.members + 1;
    return open_scope(scopes, &inside, reader->err);
}

/* Reads what stands at *at in the innermost scope: a `;` alone is no node; a line of the
 * preprocessor is one; then labels of classes, shells, and items. */
static pare_status read_next(pare_c_reader *reader, struct scopes *scopes, uint32_t *at)
{
    const struct scope around = scopes->at[scopes->n - 1];
    uint32_t node;
    bool found = false;
    if (sign_at(reader, *at) == ';') {
        ++*at;
        return PARE_OK;
    }
    if (reader->tokens.at[*at].kind == PARE_C_LINE) {
        pare_status status = add_node(reader, &around, *at, *at + 1, 0, &node);
        const pare_c_item line = {.first = *at, .end = *at + 1, .body = PARE_C_NONE};
        ++*at;
        return status ? status : pare_c_declare(reader, node, &line, reader->err);
    }
    uint32_t word = reader->tokens.at[*at].word;
    if (around.members && word >= PARE_C_PUBLIC && word <= PARE_C_PROTECTED)
        return read_label(reader, &scopes->at[scopes->n - 1], at);
    pare_status status = PARE_OK;
    if (!around.members) status = read_shell(reader, scopes, at, &found);
    return status || found ? status : read_item(reader, scopes, at);
}

/* The class, which the compiler knows, cannot do without the member. */
static pare_status hold_member(pare_c_reader *reader, uint32_t class, uint32_t member)
{
    const pare_outline_use use = {class, member, PARE_NO_WORD, PARE_OUTLINE_HELD, 0};
    return pare_outline_add_use(reader->outline, &use, reader->err);
}

/* All of a class's members are read.  Values of one without functions are written as lists of
 * its data members, so these stay with it, or `{1, 2}` would have too many.  Of a class that the
 * compiler knows (`std::type_info`) all stay, and the class cannot do without any. */
static pare_status close_class(pare_c_reader *reader, const struct scope *scope)
{
    pare_status status = PARE_OK;
    pare_outline_node *nodes = reader->outline->nodes;
    bool acts = false, known = pare_c_is_known(reader, scope->class_word);
    uint32_t end = nodes[scope->node].after;
    for (uint32_t i = scope->node + 1; i < end; i = nodes[i].after)
        acts = acts || nodes[i].roles & PARE_OUTLINE_FUNCTION;
    for (uint32_t i = scope->node + 1; !status && i < end; i = nodes[i].after) {
        if (known || (!acts && nodes[i].roles & PARE_OUTLINE_DATA))
            nodes[i].roles |= PARE_OUTLINE_FORCED;
        if (known) status = hold_member(reader, scope->node, i);
    }
    return status;
}

/* Reads all of the file.  A scope is left when `at` comes to its end; reading goes on after its
 * bracket.  Only then is it known how many nodes are in it. */
static pare_status read_all(pare_c_reader *reader, struct scopes *scopes)
{
    const struct scope file = {.end = (uint32_t)reader->tokens.n, .node = PARE_NO_NODE, .space = 0};
    pare_status status = open_scope(scopes, &file, reader->err);
    uint32_t at = 0;
    while (!status && scopes->n) {
        const struct scope *top = &scopes->at[scopes->n - 1];
        if (at < top->end) {
            status = read_next(reader, scopes, &at);
            continue;
        }
        if (top->node != PARE_NO_NODE) {
            reader->outline->nodes[top->node].after = (uint32_t)reader->outline->n_nodes;
            if (top->members) status = close_class(reader, top);
            at = top->resume;
        }
        scopes->n--;
    }
    return status;
}

/* Tokens, then nodes with the names they declare, then what each uses: a use may come before its
 * declaration in the text, so all names must be known.  Layout and rivals are of C++ only. */
pare_status pare_outline_c(const pare_pass_view *view, bool cpp, pare_outline *out, pare_error *err)
{
    pare_c_reader reader = {.view = view, .err = err, .cpp = cpp, .outline = out};
    struct scopes scopes = {0};
    uint32_t global;
    out->no_body = ";";
    out->members_hide = cpp;
    pare_status status = pare_outline_add_space(out, 0, PARE_NO_WORD, &global, err);
    if (!status) status = pare_outline_c_tokens_make(view, out, &reader.tokens, err);
    if (!status) status = pare_outline_c_tokens_find_spaces(&reader, err);
    if (!status) status = read_all(&reader, &scopes);
    if (!status) pare_outline_sort_directives(out);
    if (!status) status = pare_outline_c_uses_find(&reader, err);
    if (!status && cpp) status = pare_c_mark_layout(&reader, err);
    if (!status && cpp) status = pare_c_find_rivals(&reader, err);
    assert(status || pare_outline_check(out));
    pare_alloc_free(scopes.at);
    pare_alloc_free(reader.extents);
    pare_alloc_free(reader.is_space);
    pare_alloc_free(reader.is_template);
    pare_alloc_free(reader.defaults);
    pare_alloc_free(reader.alias);
    pare_outline_c_tokens_done(&reader.tokens);
    return status;
}
