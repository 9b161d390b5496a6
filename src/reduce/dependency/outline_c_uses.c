/* What the nodes of a C or C++ outline use: each name in a node and in none below it.
 *
 * One walk over tokens and nodes together.  Names that a function declares itself (parameters,
 * variables, template parameters) are hidden while the walk is in it: they are told by what
 * stands before and after them, as `T x,`.  A count for each word says how many open nodes hide
 * it.  How a name is used is told by what stands before it: `.`, `->`, `::` or nothing.
 * Wrong either way costs little: a need too many makes closures larger, one too few makes a
 * candidate that does not compile.
 * Linear; a node's uses of one name are noted once for each kind. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_c.h"

enum { COLONS = ':' | ':' << 8, POINTS_TO = '-' | '>' << 8, DOTS = '.' | '.' << 8 };

/* Where a variable of a body was declared last. */
struct variable {
    uint32_t body, node;
    uint32_t user; /* node that was noted last, after 1 */
};

/* A class as it is named: `within::word`. */
struct class_name {
    uint32_t word;   /* 0: it is not known */
    uint32_t within; /* as in pare_outline_use */
};

/* The walk. */
struct walk {
    pare_c_reader *reader;
    struct class_name
        *stands_for; /* owned; by word: the class that the alias, or by default the template's
                             parameter, of that name stood for where it was last declared */
    uint32_t *hides; /* owned; by word: open nodes that hide it */
    uint32_t *noted; /* owned; by word and kind: the node that noted it last, after 1 */
    struct variable *variables; /* owned; by word */
    struct class_name
        *class_of;    /* owned; by word: of the parameter or variable that was last declared so */
    uint32_t body;    /* the one that is open, after 1; 0: none yet */
    uint32_t *hidden; /* owned; words, in the order of the nodes that hide them */
    size_t n_hidden, hidden_capacity;
    uint32_t
        undeduced;    /* end of the last tokens of a signature that say nothing of its arguments */
    uint32_t *open;   /* owned; nodes, innermost last */
    size_t *n_before; /* owned; by open node: n_hidden when it was opened */
    size_t n_open;
    struct list *lists; /* owned; that are open, innermost last; not those directly in another */
    size_t n_lists, list_capacity;
};

/* The sign of a token. */
static uint16_t sign_at(const struct walk *walk, uint32_t at)
{
    return at < walk->reader->tokens.n ? walk->reader->tokens.at[at].sign : 0;
}

/* The word of a token, PARE_NO_WORD if it is none. */
static uint32_t word_at(const struct walk *walk, uint32_t at)
{
    return at < walk->reader->tokens.n ? walk->reader->tokens.at[at].word : PARE_NO_WORD;
}

/* Whether the token is `const` or `volatile`, which is no type by itself: `const x` declares no
 * x. */
static bool is_qualifier(const struct walk *walk, uint32_t at)
{
    const uint32_t word = word_at(walk, at);
    return word < PARE_C_N_KEYWORDS && (strcmp(pare_c_keywords[word], "const") == 0 ||
                                        strcmp(pare_c_keywords[word], "volatile") == 0);
}

/* The name space that is meant by a qualifier: what an alias of one stands for, through MOST
 * aliases of aliases at most. PARE_NO_WORD: it may be any one, as for those that are inline,
 * whose names are declared in what is around them. */
static uint32_t space_of(const struct walk *walk, uint32_t qualifier)
{
    enum { MOST = 4 }; /* aliases of aliases */
    const pare_c_reader *reader = walk->reader;
    for (unsigned n = 0; n < MOST && qualifier != PARE_NO_WORD && reader->alias[qualifier]; n++)
        qualifier = reader->alias[qualifier];
    if (qualifier == PARE_NO_WORD || qualifier < PARE_C_N_KEYWORDS) return PARE_NO_WORD;
    return reader->is_space[qualifier] == PARE_C_INLINE_SPACE ? PARE_NO_WORD : qualifier;
}

/* The word at the token as a class, with what qualifies it there. */
static struct class_name qualified(const struct walk *walk, uint32_t at)
{
    struct class_name class = {.word = word_at(walk, at)};
    if (at && sign_at(walk, at - 1) == COLONS)
        class.within = at > 1 ? space_of(walk, word_at(walk, at - 2)) : PARE_NO_WORD;
    return class;
}

/* The class that is named by the word at the token, which may be an alias. */
static struct class_name class_named(const struct walk *walk, uint32_t at)
{
    const struct class_name *class = &walk->stands_for[word_at(walk, at)];
    return class->word ? *class : qualified(walk, at);
}

/* The class of which the name at the token is declared, or a reference to it.  Goes backwards:
 * over `&` and `const`, then over a list of arguments, to a name: of `const a::b<c> &x` the
 * class is b within a.  `word` is 0 where something else stands there. */
static struct class_name class_before(const struct walk *walk, uint32_t at)
{
    enum { MOST = 200 };
    uint32_t i = at, depth = 0;
    do
        i--;
    while (i && (is_qualifier(walk, i) || sign_at(walk, i) == '&'));
    for (uint32_t last = i; sign_at(walk, last) == '>' && i && last - i < MOST; i--) {
        if (sign_at(walk, i) == '>') depth++;
        if (sign_at(walk, i) == '<' && --depth == 0) {
            i--;
            break;
        }
    }
    if (!i || depth || !pare_c_is_name(walk->reader, i)) return (struct class_name){0};
    return class_named(walk, i);
}

/* Hides the name at the token while the innermost node is open: uses of it are local, and no
 * need.  Counted, as a name may be hidden by several of the nodes that are open; the words stay
 * in a list, so that closing the node can take them back. */
static pare_status hide(struct walk *walk, uint32_t at)
{
    uint32_t *hidden =
        pare_vector_grow(walk->hidden, walk->n_hidden, &walk->hidden_capacity, sizeof *hidden);
    if (!hidden) return pare_fail_nomem(walk->reader->err);
    walk->hidden = hidden;
    hidden[walk->n_hidden++] = word_at(walk, at);
    walk->class_of[word_at(walk, at)] = class_before(walk, at);
    walk->hides[word_at(walk, at)]++;
    return PARE_OK;
}

/* Whether the name at the token is a template's parameter: `class T,`. */
static bool is_type_parameter(const struct walk *walk, uint32_t at)
{
    uint32_t before = word_at(walk, at - 1);
    uint16_t next = sign_at(walk, at + 1);
    bool pack = sign_at(walk, at - 1) == DOTS;
    return (before == PARE_C_CLASS || before == PARE_C_TYPENAME || pack) &&
           (next == ',' || next == '>' || next == '=');
}

/* Whether the bracket at the token closes `decltype(..)`, which is a type, or what compilers called it before. */
static bool ends_decltype(const struct walk *walk, uint32_t at)
{
    static const char *const words[] = {"decltype", "__decltype", "typeof", "__typeof",
                                        "__typeof__"};
    const uint32_t open = walk->reader->tokens.at[at].partner;
    const uint32_t word = open < at && open > 0 ? word_at(walk, open - 1) : PARE_NO_WORD;
    for (size_t i = 0; word < PARE_C_N_KEYWORDS && i < sizeof words / sizeof *words; i++)
        if (strcmp(pare_c_keywords[word], words[i]) == 0) return true;
    return false;
}

/* Whether a word may end a type: in `A const x` that does, and in `a<const x, y>` x is a type. */
static bool ends_type(const struct walk *walk, uint32_t at)
{
    const uint32_t last = at;
    while (at && is_qualifier(walk, at))
        at--;
    if (at < last && (sign_at(walk, at) == '*' || sign_at(walk, at) == '>')) return true;
    if (sign_at(walk, at) == ')') return ends_decltype(walk, at);
    uint32_t word = word_at(walk, at);
    if (word == PARE_NO_WORD) return false;
    return word >= PARE_C_N_KEYWORDS || word == PARE_C_AUTO ||
           (word >= PARE_C_FIRST_TYPE && word <= PARE_C_LAST_TYPE);
}

/* Whether the name at the token is that of a type which is declared there: `using T =`, `struct T {`. */
static bool is_local_type(const struct walk *walk, uint32_t at)
{
    uint32_t before = word_at(walk, at - 1);
    uint16_t next = sign_at(walk, at + 1);
    if (before == PARE_C_USING) return next == '=';
    return before >= PARE_C_CLASS && before <= PARE_C_ENUM && (next == '{' || next == ':');
}

/* Whether the name at the token, which is in a body, is a value of an enumeration that is
 * declared there: `enum { a, b = 1 }`.  Looks backwards for the brace of the list, and before
 * that for the word enum.  Where the brace is too far before, it is taken for something else. */
static bool is_local_value(const struct walk *walk, uint32_t at)
{
    enum { MOST = 200 };
    const uint16_t before = sign_at(walk, at - 1), next = sign_at(walk, at + 1);
    if ((before != '{' && before != ',') || (next != ',' && next != '=' && next != '}'))
        return false;
    uint32_t i = at - 1;
    for (uint32_t n = 0; sign_at(walk, i) != '{'; i--, n++) {
        const uint16_t sign = sign_at(walk, i);
        const uint32_t partner = walk->reader->tokens.at[i].partner;
        if (n == MOST || sign == ';' || sign == '(' || sign == '[') return false;
        if (partner != PARE_C_NONE && partner < i) i = partner;
        if (i == 0) return false;
    }
    while (i > 0 && (pare_c_is_word(walk->reader, i - 1) || sign_at(walk, i - 1) == ':' ||
                     sign_at(walk, i - 1) == COLONS))
        if (word_at(walk, --i) == PARE_C_ENUM) return true;
    return false;
}

/* Whether the token is in the parentheses of a call or an expression, which declare nothing: those
 * of a lambda, a handler, a loop or a constraint do.  Asked of names in a body; where the parenthesis is too far
 * before, it is taken for one that declares. */
static bool is_in_expression(const struct walk *walk, uint32_t at)
{
    enum { MOST = 64 };
    uint32_t depth = 0;
    for (uint32_t i = at; i-- > 0 && at - i < MOST;) {
        const uint16_t sign = sign_at(walk, i);
        if (sign == '{' || sign == '}' || sign == ';') return false;
        if (sign == ')') depth++;
        if (sign != '(' || depth-- > 0) continue;
        const uint32_t word = i ? word_at(walk, i - 1) : PARE_NO_WORD;
        const bool keyword = word < PARE_C_N_KEYWORDS;
        if (keyword && strcmp(pare_c_keywords[word], "catch") == 0) return false;
        return !(word == PARE_C_FOR || word == PARE_C_REQUIRES || sign_at(walk, i - 1) == ']');
    }
    return false;
}

/* Whether the token is a keyword that may stand before a type. */
static bool begins_type(const struct walk *walk, uint32_t at)
{
    const uint32_t word = word_at(walk, at);
    return word == PARE_C_TYPEDEF || word == PARE_C_TYPENAME || word == PARE_C_STATIC ||
           word == PARE_C_CONSTEXPR || is_qualifier(walk, at);
}

/* Whether the angle bracket at the token closes the type that its statement begins with: "; a::b<c> x". */
static bool ends_first_type(const struct walk *walk, uint32_t at)
{
    enum { MOST = 400 };
    size_t depth = 0;
    uint32_t i = at;
    for (; i > 0 && at - i < MOST; i--) {
        const uint16_t sign = sign_at(walk, i);
        if (sign == ';' || sign == '{' || sign == '}') return false;
        if (sign == '>') depth++;
        if (sign == '<' && --depth == 0) break;
    }
    while (i > 0 && (pare_c_is_name(walk->reader, i - 1) || sign_at(walk, i - 1) == COLONS ||
                     begins_type(walk, i - 1)))
        i--;
    const uint16_t before = i ? sign_at(walk, i - 1) : 0;
    return depth == 0 && (before == ';' || before == '{' || before == '}');
}

/* Whether the name at the token, which is in a body or not, is declared there: a type before it,
 * and after it what ends a declarator.  Examples, in which x is declared:
 *
 *     int x,   A &x)   A *x =   class x>   a::b<c> x(   auto &&x)   A ...x)
 *
 * and in which it is not: `f(a * x)`, an expression in a body, and `a < x >`. */
static bool is_local(const struct walk *walk, uint32_t at, bool in_body)
{
    uint16_t before = sign_at(walk, at - 1), next = sign_at(walk, at + 1);
    if (is_local_type(walk, at) || (in_body && is_local_value(walk, at))) return true;
    bool ends = next == ',' || next == ')' || next == '=' || next == ';' || next == '{' ||
                next == ':' || next == '[' || next == '>' || next == DOTS;
    if (in_body && before == '>' && (next == '(' || next == ';' || next == '{'))
        return ends_first_type(walk, at - 1);
    if (in_body && before == '>' && next == '=' && ends_first_type(walk, at - 1)) return true;
    if (in_body && next == '(') return ends_type(walk, at - 1); /* `type x(1);` */
    if (!ends) return false;
    if (is_type_parameter(walk, at)) return true;
    if (next == '>' || word_at(walk, at - 1) == PARE_C_CLASS ||
        word_at(walk, at - 1) == PARE_C_TYPENAME)
        return false;
    if (ends_type(walk, at - 1) || before == DOTS) return true;
    bool declarator =
        before == '&' || before == '*' || before == PARE_C_SIGN2('&', '&') || before == '>';
    if (!declarator || (next != ',' && next != ')' && next != '=')) return false;
    uint16_t further = sign_at(walk, at - 2);
    if (!ends_type(walk, at - 2) && further != '>' && further != '*') return false;
    return !in_body || next == '=' || !is_in_expression(walk, at);
}

/* Whether the alias whose name is at the token names something else that is called so: in `using f = g<f>;` and in
 * `typedef g<f> f;` its own name is not known yet ([basic.scope.pdecl] of the C++ standard). */
static bool names_outer(const struct walk *walk, uint32_t at, uint32_t end)
{
    enum { MOST = 400 };
    const uint32_t word = word_at(walk, at);
    if (word_at(walk, at - 1) == PARE_C_USING && sign_at(walk, at + 1) == '=') {
        for (uint32_t i = at + 2; i < end && sign_at(walk, i) != ';'; i++)
            if (word_at(walk, i) == word && sign_at(walk, i - 1) != COLONS) return true;
        return false;
    }
    bool names = false;
    if (sign_at(walk, at + 1) != ';') return false;
    for (uint32_t i = at; i > 1 && at - i < MOST;) {
        const uint16_t sign = sign_at(walk, --i);
        if (sign == ';' || sign == '{' || sign == '}') break;
        names = names || (word_at(walk, i) == word && sign_at(walk, i - 1) != COLONS);
        if (word_at(walk, i) == PARE_C_TYPEDEF) return names;
    }
    return false;
}

/* Hides what the node declares for itself: all locals of a function or variable, with those of
 * its body; of a class its template's parameters only, as its members are nodes.  A name counts
 * for all of the node, wherever in it it is declared, which is wrong where it is used before
 * that for something else. */
static pare_status hide_locals(struct walk *walk, uint32_t node)
{
    const pare_c_reader *reader = walk->reader;
    const pare_outline_node *at = &reader->outline->nodes[node];
    const pare_c_extent *extent = &reader->extents[node];
    pare_status status = PARE_OK;
    if (at->roles & PARE_OUTLINE_BODY) walk->body = node + 1;
    if (at->roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_SHELL | PARE_OUTLINE_PIECE)) return PARE_OK;
    bool class = at->roles & PARE_OUTLINE_CLASS;
    uint32_t end = class ? extent->head_end : extent->end;
    for (uint32_t i = extent->first + 1; !status && i < end; i++) {
        if (!pare_c_is_name(reader, i)) continue;
        const bool in_body = i >= extent->head_end;
        if (names_outer(walk, i, extent->end)) continue;
        if (class ? is_type_parameter(walk, i) : is_local(walk, i, in_body)) status = hide(walk, i);
    }
    return status;
}

/* Adds a use of `word` once for each node and kind; one with a qualifier each time, since the
 * same name may be qualified in several ways.  `noted` has a row for each word with a place for
 * each kind up to SIGNATURE: the node, plus 1. */
static pare_status note(struct walk *walk, uint32_t node, uint32_t word, uint32_t qualifier,
                        pare_outline_use_kind kind)
{
    const pare_outline_use use = {
        .node = node, .word = word, .qualifier = qualifier, .kind = (uint32_t)kind};
    assert(kind <= PARE_OUTLINE_SIGNATURE);
    uint32_t *noted = &walk->noted[(size_t)word * (PARE_OUTLINE_SIGNATURE + 1) + (size_t)kind];
    bool once = qualifier == PARE_NO_WORD || kind == PARE_OUTLINE_SIGNATURE;
    if (once && *noted == node + 1) return PARE_OK;
    *noted = node + 1;
    return pare_outline_add_use(walk->reader->outline, &use, walk->reader->err);
}

/* Adds a use of a member of the class. */
static pare_status note_inside(struct walk *walk, uint32_t node, uint32_t word,
                               struct class_name class)
{
    const pare_outline_use use = {.node = node,
                                  .word = word,
                                  .qualifier = class.word,
                                  .kind = PARE_OUTLINE_INSIDE,
                                  .within = class.within};
    return pare_outline_add_use(walk->reader->outline, &use, walk->reader->err);
}

/* Whether what follows the arrow at the token may be a type: a function's, `auto f() -> T`, or a
 * constraint, `{ x } -> C`. */
static bool is_returned(const struct walk *walk, uint32_t arrow)
{
    uint16_t before = arrow ? sign_at(walk, arrow - 1) : 0;
    uint32_t word = arrow ? word_at(walk, arrow - 1) : PARE_NO_WORD;
    return before == ')' || before == '}' || word < PARE_C_N_KEYWORDS;
}

/* Notes the variable at the token, which no other node declares: the statement that declares it,
 * or that its statement needs that one.  The first declaration counts, as `a * b;` looks like one,
 * too. */
static pare_status use_variable(struct walk *walk, uint32_t node, uint32_t at)
{
    const pare_outline_node *nodes = walk->reader->outline->nodes;
    struct variable *variable = &walk->variables[word_at(walk, at)];
    bool piece = nodes[node].roles & PARE_OUTLINE_PIECE;
    if (!walk->body || !(piece || nodes[node].roles & PARE_OUTLINE_BODY)) return PARE_OK;
    if (variable->body != walk->body) {
        if (piece && is_local(walk, at, true))
            *variable = (struct variable){.body = walk->body, .node = node, .user = node + 1};
        if (variable->body == walk->body)
            walk->class_of[word_at(walk, at)] = class_before(walk, at);
        return PARE_OK;
    }
    bool inside = node >= variable->node && node < nodes[variable->node].after;
    if (inside || variable->user == node + 1) return PARE_OK;
    variable->user = node + 1;
    const pare_outline_use use = {.node = node,
                                  .word = variable->node,
                                  .qualifier = PARE_NO_WORD,
                                  .kind = PARE_OUTLINE_LOCAL};
    return pare_outline_add_use(walk->reader->outline, &use, walk->reader->err);
}

/* Notes the name after `a<..>::`, whose last bracket is at `close`: a member of a, if that is a
 * name.  The list is read backwards by counting its brackets; if that does not come to an end
 * within MOST tokens, it may be any member of that name. */
static pare_status use_inside(struct walk *walk, uint32_t node, uint32_t word, uint32_t close)
{
    enum { MOST = 400 };
    size_t depth = 0;
    for (uint32_t i = close; i > 0 && close - i < MOST; i--) {
        uint16_t sign = sign_at(walk, i);
        if (sign == ';' || sign == '{' || sign == '}') break;
        if (sign == '>') depth++;
        if (sign != '<' || --depth) continue;
        if (!pare_c_is_name(walk->reader, i - 1)) break;
        return note_inside(walk, node, word, qualified(walk, i - 1));
    }
    return note(walk, node, word, PARE_NO_WORD, PARE_OUTLINE_PART);
}

/* Whether the name at the token, which is in a signature, may tell of which class an argument is.  In
 * `enable_if<a<T>::value>::type` neither enable_if nor a does: what stands before `::` with its arguments is not
 * deduced ([temp.deduct.type] of the C++ standard).  Nor does `type`, as in T::type: it is a member. */
static bool is_deduced(struct walk *walk, uint32_t at)
{
    const uint32_t qualifier =
        at > 1 && sign_at(walk, at - 1) == COLONS ? word_at(walk, at - 2) : PARE_NO_WORD;
    if (at < walk->undeduced) return false;
    if (at > 1 && sign_at(walk, at - 1) == COLONS && sign_at(walk, at - 2) == '>') return false;
    if (qualifier != PARE_NO_WORD && walk->hides[qualifier]) return false;
    if (sign_at(walk, at + 1) != '<') return true;
    const uint32_t close =
        pare_outline_c_angle(walk->reader, at + 1, (uint32_t)walk->reader->tokens.n);
    if (close == PARE_C_NONE || sign_at(walk, close + 1) != COLONS) return true;
    walk->undeduced = close;
    return false;
}

/* The class that the tokens from `at` on name, `a::b<c>`, if nothing of it is named: of
 * `a::b<c>::d` that d is, and it may be anything, so `word` is 0.  *end: the token after it. */
static struct class_name class_at(const struct walk *walk, uint32_t at, uint32_t *end)
{
    const pare_c_reader *reader = walk->reader;
    if (word_at(walk, at) == PARE_C_TYPENAME) at++;
    while (pare_c_is_name(reader, at) && sign_at(walk, at + 1) == COLONS)
        at += 2;
    *end = at + 1;
    if (!pare_c_is_name(reader, at)) return (struct class_name){0};
    if (sign_at(walk, at + 1) == '<') {
        const uint32_t close = pare_outline_c_angle(reader, at + 1, (uint32_t)reader->tokens.n);
        *end = close == PARE_C_NONE ? at + 1 : close + 1;
    }
    if (sign_at(walk, *end) == COLONS) return (struct class_name){0};
    struct class_name class = class_named(walk, at);
    /* The alias may be used where other spaces are around. */
    if (!class.within) class.within = PARE_NO_WORD;
    return class;
}

/* If an alias, or what a template's parameter is by default, is declared at the token, notes the
 * class that it stands for:
 *
 *     using A = b<c>;        typedef b<c> A;        template <class A = b<c>>
 *
 * By the word alone: what was declared last is mostly what is meant.  One that is declared
 * again, as something that is not known, stands for nothing any more. */
static void note_alias(struct walk *walk, uint32_t at)
{
    const uint32_t word = word_at(walk, at);
    const bool type = word == PARE_C_TYPEDEF;
    const bool named = word == PARE_C_USING || word == PARE_C_CLASS || word == PARE_C_TYPENAME;
    uint32_t end = 0, name = at + 1;
    if (!type && !(named && sign_at(walk, at + 2) == '=')) return;
    const struct class_name class = class_at(walk, type ? at + 1 : at + 3, &end);
    if (type) name = end;
    const uint16_t next = sign_at(walk, type ? end + 1 : end);
    const bool ends =
        next == ';' || (!type && word != PARE_C_USING && (next == ',' || next == '>'));
    if (!pare_c_is_name(walk->reader, name)) return;
    const bool known = ends && class.word != word_at(walk, name);
    walk->stands_for[word_at(walk, name)] = known ? class : (struct class_name)
    {
        0
    };
}

/* A statement that names an alias names the class that it stands for, too: members of its variables may be those of a
 * base.  As a need of the alias the class is there anyway. */
static pare_status use_behind(struct walk *walk, uint32_t node, uint32_t word)
{
    const uint32_t code = PARE_OUTLINE_PIECE | PARE_OUTLINE_BODY,
                   class = walk->stands_for[word].word;
    if (!class || !(walk->reader->outline->nodes[node].roles & code)) return PARE_OK;
    return note(walk, node, class, PARE_NO_WORD, PARE_OUTLINE_SIGNATURE);
}

/* The class of the parameter or variable at the token; not known if it is none, or a member
 * (`y.x`, `y::x`). */
static struct class_name class_of(const struct walk *walk, uint32_t at)
{
    const uint32_t word = word_at(walk, at);
    if (!pare_c_is_name(walk->reader, at) || sign_at(walk, at - 1) == COLONS ||
        sign_at(walk, at - 1) == '.' || sign_at(walk, at - 1) == POINTS_TO)
        return (struct class_name){0};
    const bool known =
        walk->hides[word] || (walk->body && walk->variables[word].body == walk->body);
    return known ? walk->class_of[word] : (struct class_name){0};
}

/* Notes the member at the token, whose dot or arrow is before `from`: of any class that has one,
 * and where the class of the object is known, of that one.  With `A x;` the use `x.m` is of A;
 * of `x->m` the class is not known, as `->` may be an operator. */
static pare_status use_part(struct walk *walk, uint32_t node, uint32_t at, uint32_t from)
{
    const uint32_t word = word_at(walk, at);
    struct class_name class = {0};
    if (from > 2 && sign_at(walk, from - 1) == '.') class = class_of(walk, from - 2);
    pare_status status = note(walk, node, word, PARE_NO_WORD, PARE_OUTLINE_PART);
    return status || !class.word ? status : note_inside(walk, node, word, class);
}

/* Whether the brace at the token opens a list of values, of which there are some. */
static bool opens_list(const struct walk *walk, uint32_t at)
{
    return sign_at(walk, at) == '{' && sign_at(walk, at + 1) != '}';
}

/* If a list of values is given to a class's object, `c{1}`, `c x{1}` or `c x = {1}`, whose name is at the token, notes
 * that: where the class has no constructors the values are those of its data members. */
static pare_status use_list(struct walk *walk, uint32_t node, uint32_t at)
{
    const uint32_t code = PARE_OUTLINE_PIECE | PARE_OUTLINE_BODY;
    const pare_outline_node *nodes = walk->reader->outline->nodes;
    uint32_t next = at + 1;
    if (!(nodes[node].roles & code)) return PARE_OK;
    if (pare_c_is_name(walk->reader, next)) next++;
    if (next > at + 1 && sign_at(walk, next) == '=') next++;
    if (!opens_list(walk, next)) return PARE_OK;
    const pare_outline_use use = {.node = node,
                                  .word = class_named(walk, at).word,
                                  .qualifier = PARE_NO_WORD,
                                  .kind = PARE_OUTLINE_LISTED};
    return pare_outline_add_use(walk->reader->outline, &use, walk->reader->err);
}

/* Notes the name at the token, and whether it is in the node's signature.  In this order:
 *
 *     x.m, x->m      a member (use_part)
 *     a<..>::m       a member of a (use_inside)
 *     a::m, ::m      qualified, or anywhere where the qualifier may mean several
 *     m, hidden      a local: of a statement another statement may need it (use_variable)
 *     m              looked up in the spaces around, and what it stands for
 *
 * In a signature a keyword stands for any qualifier: the name itself says whose member it is (read_signatures). */
static pare_status use_name(struct walk *walk, uint32_t node, uint32_t at)
{
    uint32_t word = word_at(walk, at);
    uint32_t before = at;
    /* x.template f<> */
    if (at && word_at(walk, at - 1) == PARE_C_TEMPLATE) before--;
    uint16_t sign = before ? sign_at(walk, before - 1) : 0;
    const pare_c_extent *extent = &walk->reader->extents[node];
    bool local = walk->hides[word] > 0;
    pare_status status = PARE_OK;
    if (sign == '.' || (sign == POINTS_TO && !is_returned(walk, before - 1)))
        return use_part(walk, node, at, before);
    if (at >= extent->signature && at < extent->signature_end && is_deduced(walk, at) && !local)
        status = note(walk, node, word, sign == COLONS ? PARE_C_NAMESPACE : PARE_NO_WORD,
                      PARE_OUTLINE_SIGNATURE);
    if (status) return status;
    if (sign == COLONS && before >= 2) {
        uint32_t qualifier = space_of(walk, word_at(walk, before - 2));
        if (sign_at(walk, before - 2) == '>') return use_inside(walk, node, word, before - 2);
        if (qualifier == PARE_NO_WORD)
            return note(walk, node, word, PARE_NO_WORD, PARE_OUTLINE_GLOBAL);
        const struct class_name class = walk->stands_for[qualifier];
        const bool first = before < 3 || sign_at(walk, before - 3) != COLONS;
        status = note(walk, node, word, qualifier,
                      first ? PARE_OUTLINE_NEAREST : PARE_OUTLINE_QUALIFIED);
        return status || !class.word ? status : note_inside(walk, node, word, class);
    }
    if (local) return use_variable(walk, node, at);
    status = note(walk, node, word, PARE_NO_WORD, PARE_OUTLINE_PLAIN);
    return status ? status : use_behind(walk, node, word);
}

/* Notes that the node uses the operator of that name, if somebody declares it. */
static pare_status use_operator(struct walk *walk, uint32_t node, const char *name)
{
    uint32_t word = pare_outline_find_word(walk->reader->outline, name, strlen(name));
    if (word == PARE_NO_WORD) return PARE_OK;
    return note(walk, node, word, PARE_NO_WORD, PARE_OUTLINE_OPERATOR);
}

/* A comparison may be rewritten into another one since C++20: `a != b` into `!(a == b)`, `a < b`
 * into `(a <=> b) < 0`. `<<` and `>>` begin like comparisons, and are none. */
static pare_status use_comparison(struct walk *walk, uint32_t node, const char *sign)
{
    bool unequal = strcmp(sign, "!=") == 0;
    bool ordered = sign[0] == '<' || sign[0] == '>';
    bool shift = sign[1] && sign[1] == sign[0];
    if (unequal) return use_operator(walk, node, "operator==");
    return ordered && !shift ? use_operator(walk, node, "operator<=>") : PARE_OK;
}

/* Bytes of the sign at the token: `>` is always a token of its own, so that what it begins stands in
 * the tokens after it. */
static size_t whole_sign(const struct walk *walk, uint32_t at)
{
    const pare_c_token *token = &walk->reader->tokens.at[at];
    size_t size = token->to - token->from;
    if (token->sign != '>') return size;
    for (uint32_t next = at + 1; next < walk->reader->tokens.n && size < 3; next++) {
        uint16_t sign = sign_at(walk, next);
        if (walk->reader->tokens.at[next].from != token->from + size) break;
        if (sign != '=' && sign != '>') break;
        size++;
        if (sign == '=') break;
    }
    return size;
}

/* A list of parameters or of a template's arguments that is open, as tokens. */
struct list {
    uint32_t close;
    uint32_t inner; /* before it what is read is in brackets in the list */
};

/* The end of a list that begins with the `<` at the token; PARE_C_NONE: it is an operator, or that is not known. */
static uint32_t list_end(const struct walk *walk, uint32_t at)
{
    const pare_c_reader *reader = walk->reader;
    if (!at || reader->tokens.at[at].to - reader->tokens.at[at].from > 1) return PARE_C_NONE;
    const bool named = pare_c_is_name(reader, at - 1) && reader->is_template[word_at(walk, at - 1)];
    if (!named && word_at(walk, at - 1) != PARE_C_TEMPLATE) return PARE_C_NONE;
    return pare_outline_c_angle(reader, at, (uint32_t)reader->tokens.n);
}

/* Follows the lists that are open; *angle: the sign at the token is a bracket of one, and no operator.  In a list
 * all angles are brackets but those in other brackets: its end was found by counting them. */
static pare_status follow_lists(struct walk *walk, uint32_t at, bool *angle)
{
    const uint16_t sign = sign_at(walk, at);
    *angle = false;
    while (walk->n_lists && walk->lists[walk->n_lists - 1].close < at)
        walk->n_lists--;
    struct list *last = walk->n_lists ? &walk->lists[walk->n_lists - 1] : NULL;
    const bool direct = last && at >= last->inner;
    if (direct && pare_outline_c_skip(walk->reader, at) > at + 1)
        last->inner = pare_outline_c_skip(walk->reader, at);
    *angle = direct && (sign == '<' || sign == '>');
    if (*angle || sign != '<') return PARE_OK;
    const uint32_t close = list_end(walk, at);
    if (close == PARE_C_NONE) return PARE_OK;
    struct list *lists =
        pare_vector_grow(walk->lists, walk->n_lists, &walk->list_capacity, sizeof *lists);
    if (!lists) return pare_fail_nomem(walk->reader->err);
    walk->lists = lists;
    lists[walk->n_lists++] = (struct list){.close = close};
    *angle = true;
    return PARE_OK;
}

/* Whether the sign at the token is a part of a type, by what comes after it: `f(const T &, U &&...)`. */
static bool is_declarator(const struct walk *walk, uint32_t at)
{
    const uint16_t next = sign_at(walk, at + 1);
    const char first = (char)(walk->reader->tokens.at[at].sign & 0xff);
    return (first == '&' || first == '*') &&
           (next == ')' || next == ',' || next == '>' || next == PARE_C_SIGN2('.', '.'));
}

/* Notes the operator that is a sign, where classes may define it.  Not brackets of template lists (follow_lists), not
 * `&` and `*` in a type, and not the name in `operator+`.  `[` stands for `operator[]`, and `(` for `operator()`. */
static pare_status use_sign(struct walk *walk, uint32_t node, uint32_t at)
{
    /* A comma is one, too, in `matrix << 1, 2;`. */
    static const char operators[] = "=!<>+-*/%|&^~[(,";
    const pare_c_reader *reader = walk->reader;
    const pare_c_token *token = &reader->tokens.at[at];
    char name[16] = "operator";
    size_t size = whole_sign(walk, at), end = strlen(name);
    char first = (char)(token->sign & 0xff);
    bool angle;
    pare_status status = follow_lists(walk, at, &angle);
    if (status || angle) return status;
    if (!first || !strchr(operators, first) || size > 3 || is_declarator(walk, at)) return PARE_OK;
    if (word_at(walk, at ? at - 1 : 0) == PARE_C_OPERATOR) return PARE_OK;
    memcpy(name + end, reader->view->bytes + token->from, size);
    if (first == '[') name[end + size++] = ']';
    if (first == '(') name[end + size++] = ')';
    status = use_operator(walk, node, name);
    return status ? status : use_comparison(walk, node, name + end);
}

/* Whether what stands in the brackets from `open` on is a declaration, a colon, and a range. */
static bool has_range(const struct walk *walk, uint32_t open, uint32_t close)
{
    for (uint32_t i = open + 1; close != PARE_C_NONE && i < close;
         i = pare_outline_c_skip(walk->reader, i)) {
        const uint16_t sign = sign_at(walk, i);
        if (sign == ':') return true;
        if (sign == '=' || sign == '?' || sign == ';') return false;
    }
    return false;
}

/* Notes what a loop over a range calls unnamed: begin, end, and operators of the iterator.  Of a variable of known
 * class, `for (int i : x)`, that class's are meant; else functions, too, to which the range leads ([stmt.ranged]). */
static pare_status use_loop(struct walk *walk, uint32_t node, uint32_t at)
{
    const uint32_t close =
        at + 1 < walk->reader->tokens.n ? walk->reader->tokens.at[at + 1].partner : PARE_C_NONE;
    const bool ranges = close != PARE_C_NONE && close > at + 3 && sign_at(walk, close - 2) == ':';
    const struct class_name class = ranges ? class_of(walk, close - 1) : (struct class_name){0};
    static const char *const names[] = {"begin", "end", "operator++", "operator!=", "operator*"};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++)
        status = use_operator(walk, node, names[i]);
    const bool functions = !class.word && has_range(walk, at + 1, close);
    for (size_t i = 0; !status && (class.word || functions) && i < 2; i++) {
        const uint32_t word =
            pare_outline_find_word(walk->reader->outline, names[i], strlen(names[i]));
        if (word == PARE_NO_WORD) continue;
        status = functions ? note(walk, node, word, PARE_NO_WORD, PARE_OUTLINE_PLAIN)
                           : note_inside(walk, node, word, class);
    }
    return status;
}

/* Whether the token is a word that makes a coroutine of its function. */
static bool is_coroutine(const pare_c_reader *reader, uint32_t at)
{
    return pare_c_is(reader, at, PARE_C_CO_AWAIT) || pare_c_is(reader, at, PARE_C_CO_RETURN) ||
           pare_c_is(reader, at, PARE_C_CO_YIELD);
}

/* Notes what a coroutine calls, which it does not name: members of its promise and of what is awaited, and the templates
 * of std by which the promise is found. */
static pare_status use_coroutine(struct walk *walk, uint32_t node)
{
    static const char *const members[] = {
        "promise_type", "get_return_object", "initial_suspend",  "final_suspend",
        "yield_value",  "return_void",       "return_value",     "unhandled_exception",
        "await_ready",  "await_suspend",     "await_resume",     "await_transform",
        "from_address", "address",           "operator co_await"};
    static const char *const templates[] = {"coroutine_traits", "coroutine_handle"};
    const pare_outline *outline = walk->reader->outline;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof members / sizeof *members; i++)
        status = use_operator(walk, node, members[i]);
    for (size_t i = 0; !status && i < sizeof templates / sizeof *templates; i++) {
        const uint32_t word = pare_outline_find_word(outline, templates[i], strlen(templates[i]));
        if (word != PARE_NO_WORD)
            status = note(walk, node, word, PARE_NO_WORD, PARE_OUTLINE_GLOBAL);
    }
    return status;
}

/* `using A::operator+;` in a class, with the keyword at the token: that is a member of A, or of the class that A stands
 * for. */
static pare_status use_inherited_operator(struct walk *walk, uint32_t node, uint32_t at)
{
    const pare_c_reader *reader = walk->reader;
    const uint32_t first = reader->extents[node].first;
    char name[16] = "operator";
    size_t end = strlen(name), size = whole_sign(walk, at + 1);
    if (at < first + 3 || word_at(walk, first) != PARE_C_USING || size > 3 ||
        reader->tokens.at[at + 1].kind != PARE_C_SIGN)
        return PARE_OK;
    memcpy(name + end, reader->view->bytes + reader->tokens.at[at + 1].from, size);
    if (name[end] == '[') name[end + size++] = ']';
    if (name[end] == '(') name[end + size++] = ')';
    const uint32_t word = pare_outline_find_word(reader->outline, name, end + size);
    if (word == PARE_NO_WORD) return PARE_OK;
    if (sign_at(walk, at - 2) == '>') return use_inside(walk, node, word, at - 2);
    if (!pare_c_is_name(reader, at - 2)) return PARE_OK;
    struct class_name class = walk->stands_for[word_at(walk, at - 2)];
    if (!class.word)
        class = (struct class_name){.word = word_at(walk, at - 2), .within = PARE_NO_WORD};
    return note_inside(walk, node, word, class);
}

/* Of a specialisation's arguments nothing is deduced from the expression of `decltype`, which is at the token: the classes
 * in it may be there for it alone ([temp.deduct.type]). */
static void pass_over_expression(struct walk *walk, uint32_t node, uint32_t at)
{
    const uint32_t close =
        at + 1 < walk->reader->tokens.n ? walk->reader->tokens.at[at + 1].partner : PARE_C_NONE;
    const bool special = walk->reader->outline->nodes[node].roles & PARE_OUTLINE_SPECIAL;
    if (special && close != PARE_C_NONE && close > walk->undeduced) walk->undeduced = close;
}

/* Opens nodes that begin at the token, and closes those that end there, with what they hid. Nodes are in pre-order,
 * so the next one to open is always `*next`; several may begin at the same token, the outer one first. */
static pare_status move_to(struct walk *walk, uint32_t at, uint32_t *next)
{
    const pare_c_reader *reader = walk->reader;
    pare_status status = PARE_OK;
    while (walk->n_open && reader->extents[walk->open[walk->n_open - 1]].end <= at) {
        size_t before = walk->n_before[--walk->n_open];
        while (walk->n_hidden > before)
            walk->hides[walk->hidden[--walk->n_hidden]]--;
    }
    while (!status && *next < reader->n_extents && reader->extents[*next].first == at) {
        walk->open[walk->n_open] = *next;
        walk->n_before[walk->n_open++] = walk->n_hidden;
        status = hide_locals(walk, (*next)++);
    }
    return status;
}

/* Goes through all tokens.  Each belongs to the innermost node that is open; tokens outside of
 * all nodes use nothing. */
static pare_status walk_all(struct walk *walk)
{
    const pare_c_reader *reader = walk->reader;
    pare_status status = PARE_OK;
    uint32_t next = 0;
    for (uint32_t at = 0; !status && at < reader->tokens.n; at++) {
        status = move_to(walk, at, &next);
        if (status || !walk->n_open) continue;
        uint32_t node = walk->open[walk->n_open - 1];
        if (reader->cpp && pare_c_is_word(reader, at)) note_alias(walk, at);
        if (pare_c_is(reader, at, PARE_C_DECLTYPE)) pass_over_expression(walk, node, at);
        if (pare_c_is_name(reader, at)) status = use_name(walk, node, at);
        if (!status && reader->cpp && pare_c_is_name(reader, at))
            status = use_list(walk, node, at);
        else if (reader->cpp && reader->tokens.at[at].kind == PARE_C_SIGN)
            status = use_sign(walk, node, at);
        else if (reader->cpp && pare_c_is(reader, at, PARE_C_FOR))
            status = use_loop(walk, node, at);
        else if (reader->cpp && is_coroutine(reader, at))
            status = use_coroutine(walk, node);
        else if (reader->cpp && at + 1 < reader->tokens.n && pare_c_is(reader, at, PARE_C_OPERATOR))
            status = use_inherited_operator(walk, node, at);
    }
    return status;
}

/* The words are all known: operators are declared before they are looked for, and no word is
 * added while the tables by word are in use. */
pare_status pare_outline_c_uses_find(pare_c_reader *reader, pare_error *err)
{
    struct walk walk = {.reader = reader};
    size_t n_words = reader->outline->n_words, n_nodes = reader->n_extents;
    walk.hides = pare_alloc_zero(n_words, sizeof *walk.hides);
    walk.stands_for = pare_alloc_zero(n_words, sizeof *walk.stands_for);
    walk.noted = pare_alloc_zero(n_words * (PARE_OUTLINE_SIGNATURE + 1), sizeof *walk.noted);
    walk.variables = pare_alloc_zero(n_words, sizeof *walk.variables);
    walk.class_of = pare_alloc_zero(n_words, sizeof *walk.class_of);
    walk.open = pare_alloc(n_nodes + 1, sizeof *walk.open);
    walk.n_before = pare_alloc(n_nodes + 1, sizeof *walk.n_before);
    bool all = walk.hides && walk.stands_for && walk.noted && walk.variables && walk.class_of &&
               walk.open && walk.n_before;
    pare_status status = all ? walk_all(&walk) : pare_fail_nomem(err);
    if (!status) status = pare_c_tie_lines(reader);
    pare_alloc_free(walk.hides);
    pare_alloc_free(walk.stands_for);
    pare_alloc_free(walk.noted);
    pare_alloc_free(walk.variables);
    pare_alloc_free(walk.class_of);
    pare_alloc_free(walk.hidden);
    pare_alloc_free(walk.lists);
    pare_alloc_free(walk.open);
    pare_alloc_free(walk.n_before);
    return status;
}
