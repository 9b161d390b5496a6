/* Binding names to declarations in two walks over the nodes.
 *
 * The first walk collects all names and what each node inherits: the scope that it is in, the
 * node that declares the names below it, the function in whose head it is.  The second one
 * knows at each node what each text means there: entering a scope puts its symbols before those
 * of the same text further out, leaving it takes them away again.  So an occurrence costs O(1),
 * however deep the scopes are nested; looking through the scopes outwards for each name would
 * cost their depth.
 *
 * Names that are assigned to but declared nowhere become symbols after the second walk, which
 * is then repeated.  Before that a name that no scope declares is left alone: it may be one of
 * those, and not the member of that text for which it is taken otherwise (`b` of `t.b = b`).
 * Invariant: the occurrences of a symbol are linked in the order of the text; n_declarations
 * and n_uses count them.
 * Source: the dependency graph of DRReduce (arXiv 2605.19412), without types: members of one
 * name are one symbol.
 * Memory: 20 bytes a node while the table is made, 28 bytes an occurrence afterwards. */
#include "reduce/binding/bindings.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/binding/declarations.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/lexemes.h"

/* In which name space a text is looked up. */
enum space { VALUES, MEMBERS, LABELS, N_SPACES };

/* A text of names, and what it means at the place of the walk, in each name space. */
struct word {
    const char *text;
    uint32_t size;
    uint32_t meaning[N_SPACES]; /* symbols */
    uint32_t anywhere;          /* the first symbol that a name space declares */
};

/* What is needed of each symbol besides what the table keeps. */
struct extra {
    uint32_t word;
    uint32_t next_in_scope, hidden; /* symbols: a list; what it hides while it is meant */
    uint32_t leaf;                  /* node: what declares it first */
    uint32_t inside;                /* node: the scope of a name space; PARE_NO_NODE: it is none */
    enum space space;
};

/* More name spaces than that are not opened: their names are found as those of any name space. */
enum { MOST_OPENED = 32 };

/* A table in the making; owns its arrays.
 * By node, by occurrence, by symbol: each array says by what it is indexed, as most have as many
 * items as the program has nodes. */
struct maker {
    const pare_syntax *syntax;
    pare_error *err;
    pare_occurrence *occurrences;
    pare_bound *symbols;
    struct extra *extras;
    struct word *words;
    pare_hash_index word_index, symbol_index;
    uint32_t *context;                  /* by node: node that declares names here */
    uint32_t *scope;                    /* by node: the nearest scope, itself included */
    uint32_t *real;                     /* by node: of a scope, the one whose names it shares */
    uint32_t *head;                     /* by node: the function in whose head it is */
    uint32_t *first_in_scope, *by_leaf; /* by node */
    uint32_t *word_of;                  /* by occurrence */
    size_t n_occurrences, occurrence_capacity, word_of_capacity;
    size_t n_symbols, symbol_capacity, extra_capacity;
    size_t n_words, word_capacity;
    uint32_t opened[MOST_OPENED]; /* scopes of name spaces that are used without their names */
    size_t n_opened;
    bool guesses; /* names that no scope declares are looked for elsewhere */
};

/* --- words ------------------------------------------------------------------------------- */

/* The number of the word at `leaf`, which may be a new one. */
static pare_status find_word(struct maker *maker, uint32_t leaf, uint32_t *out)
{
    const char *text = pare_syntax_text(maker->syntax, leaf);
    size_t size = pare_syntax_size(maker->syntax, leaf);
    uint64_t hash = pare_lexemes_hash(text, size);
    pare_hash_probe probe = pare_hash_index_probe(&maker->word_index, hash);
    while (pare_hash_index_next(&maker->word_index, &probe, out)) {
        const struct word *word = &maker->words[*out];
        if (word->size == size && memcmp(word->text, text, size) == 0) return PARE_OK;
    }
    struct word *words =
        pare_vector_grow(maker->words, maker->n_words, &maker->word_capacity, sizeof *words);
    if (!words) return pare_fail_nomem(maker->err);
    maker->words = words;
    *out = (uint32_t)maker->n_words++;
    words[*out] = (struct word){.text = text,
                                .size = (uint32_t)size,
                                .meaning = {PARE_NO_SYMBOL, PARE_NO_SYMBOL, PARE_NO_SYMBOL},
                                .anywhere = PARE_NO_SYMBOL};
    return pare_hash_index_add(&maker->word_index, hash, *out, maker->err);
}

/* --- scopes and symbols ------------------------------------------------------------------ */

/* Whether the first token of `node` is that word. */
static bool begins_with(const pare_syntax *syntax, uint32_t node, const char *word)
{
    uint32_t first = pare_syntax_first(syntax, node);
    return first != PARE_NO_NODE && pare_syntax_size(syntax, first) == strlen(word) &&
           memcmp(pare_syntax_text(syntax, first), word, strlen(word)) == 0;
}

/* The scope of the name space whose body is `node`: that of the first body of its name; the one
 * around it if it is inline or has no name, as its names are known there.
 *
 * Example: of `namespace a { } namespace a { }` both bodies are one scope. */
static uint32_t space_at(struct maker *maker, uint32_t node)
{
    const pare_syntax *syntax = maker->syntax;
    /* Parents come first in pre-order, so what is around is known. */
    uint32_t space = syntax->nodes[node].parent, around = maker->scope[syntax->nodes[space].parent];
    uint32_t name = pare_syntax_child(syntax, space, syntax->nodes[space].kind->names);
    if (name == PARE_NO_NODE) return maker->real[around];
    if (name >= node) return node; /* not looked at yet */
    uint32_t occurrence = maker->by_leaf[name];
    if (occurrence == PARE_NO_NODE) return node; /* several names at once */
    uint32_t symbol = maker->occurrences[occurrence].symbol;
    if (symbol == PARE_NO_SYMBOL) return node;
    uint32_t *inside = &maker->extras[symbol].inside;
    bool open = begins_with(syntax, space, "inline");
    if (*inside == PARE_NO_NODE) *inside = open ? maker->real[around] : node;
    return *inside;
}

/* Whether names are known only inside `node`.  Parameters that belong to no function with a
 * body (a prototype's) are known among themselves only.
 * Members are a scope as well: what is declared there is found as a member, not by the scopes
 * around. */
static bool is_scope(const struct maker *maker, uint32_t node)
{
    if (pare_declarations_is_space(maker->syntax, node)) {
        uint32_t space = maker->syntax->nodes[node].parent;
        uint32_t around = maker->scope[maker->syntax->nodes[space].parent];
        return maker->real[node] != maker->real[around];
    }
    if (pare_declarations_is_stray(maker->syntax, node)) return false;
    if (pare_syntax_is(maker->syntax, node,
                       PARE_ROLE_SCOPE | PARE_ROLE_FUNCTION | PARE_ROLE_MEMBERS))
        return true;
    return pare_syntax_is(maker->syntax, node, PARE_ROLE_PARAMETERS) &&
           maker->head[node] == PARE_NO_NODE;
}

/* A symbol is known by its word, scope and name space. */
static uint64_t hash_of_key(uint32_t word, uint32_t scope, enum space space)
{
    return ((uint64_t)word * N_SPACES + (uint64_t)space) << 32 ^ scope;
}

/* Appends a symbol.
 * Both arrays grow together; the second one is dropped when the table is made. */
static pare_status add_symbol(struct maker *maker, const pare_bound *bound,
                              const struct extra *extra)
{
    pare_bound *symbols = pare_vector_grow(maker->symbols, maker->n_symbols,
                                           &maker->symbol_capacity, sizeof *symbols);
    if (!symbols) return pare_fail_nomem(maker->err);
    maker->symbols = symbols;
    struct extra *extras =
        pare_vector_grow(maker->extras, maker->n_symbols, &maker->extra_capacity, sizeof *extras);
    if (!extras) return pare_fail_nomem(maker->err);
    maker->extras = extras;
    symbols[maker->n_symbols] = *bound;
    extras[maker->n_symbols++] = *extra;
    return PARE_OK;
}

/* The symbol of `word` in that very scope; PARE_NO_SYMBOL: it is not declared there. */
static uint32_t look_in(const struct maker *maker, uint32_t word, uint32_t scope, enum space space)
{
    uint32_t symbol = PARE_NO_SYMBOL;
    pare_hash_probe probe =
        pare_hash_index_probe(&maker->symbol_index, hash_of_key(word, scope, space));
    while (pare_hash_index_next(&maker->symbol_index, &probe, &symbol)) {
        const struct extra *extra = &maker->extras[symbol];
        if (extra->word == word && extra->space == space && maker->symbols[symbol].scope == scope)
            return symbol;
    }
    return PARE_NO_SYMBOL;
}

/* The symbol of `word`, which stands at `leaf`, in that scope; it may be a new one. */
static pare_status declare(struct maker *maker, uint32_t leaf, uint32_t word, uint32_t scope,
                           enum space space, uint32_t *out)
{
    /* A prototype and its definition, or a variable that is declared twice. */
    *out = look_in(maker, word, scope, space);
    if (*out != PARE_NO_SYMBOL) return PARE_OK;
    uint64_t hash = hash_of_key(word, scope, space);
    const pare_bound bound = {
        .scope = scope, .first = PARE_NO_NODE, .last = PARE_NO_NODE, .member = space == MEMBERS};
    const struct extra extra = {.word = word,
                                .next_in_scope = maker->first_in_scope[scope],
                                .hidden = PARE_NO_SYMBOL,
                                .leaf = leaf,
                                .inside = PARE_NO_NODE,
                                .space = space};
    *out = (uint32_t)maker->n_symbols;
    pare_status status = add_symbol(maker, &bound, &extra);
    if (status) return status;
    /* Of several name spaces that declare the text the first one counts. */
    struct word *self = &maker->words[word];
    if (space == VALUES && self->anywhere == PARE_NO_SYMBOL &&
        pare_declarations_is_space(maker->syntax, scope))
        self->anywhere = *out;
    maker->first_in_scope[scope] = *out;
    return pare_hash_index_add(&maker->symbol_index, hash, *out, maker->err);
}

/* --- the walks --------------------------------------------------------------------------- */

/* In which space the name at `leaf` is looked up.
 * A member is looked up by its text in all of the program: whose it is only types could tell. */
static enum space space_of(const struct maker *maker, uint32_t leaf)
{
    const pare_syntax *syntax = maker->syntax;
    uint32_t parent = syntax->nodes[leaf].parent;
    if (pare_syntax_is(syntax, leaf, PARE_ROLE_LABEL)) return LABELS;
    if (pare_syntax_is(syntax, leaf, PARE_ROLE_MEMBER)) return MEMBERS;
    /* Of `C::m` both are names by their type, and one of them by its field. */
    if (parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_ACCESS) &&
        pare_syntax_matches(syntax, leaf, syntax->nodes[parent].kind->names) &&
        !pare_syntax_matches(syntax, leaf, syntax->nodes[parent].kind->object))
        return MEMBERS;
    /* The name may have arguments of a template around it: then the node above is looked at. */
    const uint32_t around = parent == PARE_NO_NODE ? parent : syntax->nodes[parent].parent;
    if (around != PARE_NO_NODE && pare_syntax_is(syntax, around, PARE_ROLE_ACCESS) &&
        pare_syntax_is(syntax, parent, PARE_ROLE_QUALIFIED) &&
        pare_syntax_matches(syntax, parent, syntax->nodes[around].kind->value))
        return MEMBERS;
    return VALUES;
}

/* Appends the name at `leaf`; one that declares or assigns gets its unit and value. */
static pare_status add_occurrence(struct maker *maker, uint32_t leaf, uint32_t word,
                                  uint32_t symbol)
{
    pare_occurrence *occurrences = pare_vector_grow(
        maker->occurrences, maker->n_occurrences, &maker->occurrence_capacity, sizeof *occurrences);
    if (!occurrences) return pare_fail_nomem(maker->err);
    maker->occurrences = occurrences;
    uint32_t *word_of = pare_vector_grow(maker->word_of, maker->n_occurrences,
                                         &maker->word_of_capacity, sizeof *word_of);
    if (!word_of) return pare_fail_nomem(maker->err);
    maker->word_of = word_of;
    uint32_t declaring = maker->context[leaf];
    pare_occurrence *made = &occurrences[maker->n_occurrences];
    *made = (pare_occurrence){.leaf = leaf,
                              .symbol = symbol,
                              .next = PARE_NO_NODE,
                              .declaring = declaring,
                              .unit = PARE_NO_NODE,
                              .value = PARE_NO_NODE,
                              .declares = symbol != PARE_NO_SYMBOL};
    /* A bare name declares itself: nothing else belongs to it. */
    if (declaring != PARE_NO_NODE && declaring != leaf) {
        made->unit = pare_declarations_unit(maker->syntax, leaf, declaring);
        made->value = pare_declarations_value(maker->syntax, leaf, declaring);
    } else if (declaring == leaf) {
        made->unit = leaf;
    }
    word_of[maker->n_occurrences] = word;
    maker->by_leaf[leaf] = (uint32_t)maker->n_occurrences++;
    return PARE_OK;
}

/* Notes the name at `leaf`, and what it declares. */
static pare_status collect_name(struct maker *maker, uint32_t leaf)
{
    const pare_syntax *syntax = maker->syntax;
    uint32_t word = 0, symbol = PARE_NO_SYMBOL, declaring = maker->context[leaf];
    pare_status status = find_word(maker, leaf, &word);
    if (status) return status;
    /* Where the text is looked up; a name declared directly in a structure becomes a member
     * below. */
    enum space space = space_of(maker, leaf);
    /* An assignment to a plain name declares nothing by itself: declare_implicit decides about
     * it later. */
    bool declares = declaring != PARE_NO_NODE &&
                    (space != VALUES || !pare_syntax_is(syntax, declaring, PARE_ROLE_ASSIGNS));
    /* A member outside of its class is bound when its class is. */
    if (pare_syntax_qualifier(syntax, leaf) != PARE_NO_NODE) declares = false;
    uint32_t scope = 0;
    if (declares && space == VALUES) {
        bool bare = declaring == leaf;
        scope = bare ? syntax->nodes[leaf].parent
                     : maker->real[pare_declarations_scope(syntax, maker->scope, declaring)];
        if (pare_syntax_is(syntax, scope, PARE_ROLE_MEMBERS)) space = MEMBERS;
    }
    if (declares) status = declare(maker, leaf, word, space == VALUES ? scope : 0, space, &symbol);
    return status ? status : add_occurrence(maker, leaf, word, symbol);
}

/* What each node inherits, and all names. */
static pare_status collect(struct maker *maker)
{
    const pare_syntax *syntax = maker->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < syntax->n; i++) {
        uint32_t parent = syntax->nodes[i].parent;
        /* Parents come before their children in pre-order, so what a node inherits is known
         * here. */
        maker->by_leaf[i] = PARE_NO_NODE;
        maker->first_in_scope[i] = PARE_NO_SYMBOL;
        maker->context[i] = pare_declarations_context(syntax, maker->context, i);
        maker->head[i] = pare_declarations_head(syntax, maker->head, i);
        maker->real[i] = pare_declarations_is_space(syntax, i) ? space_at(maker, i) : i;
        maker->scope[i] = !i || is_scope(maker, i) ? i : maker->scope[parent];
        bool name = pare_syntax_is(syntax, i, PARE_ROLE_NAME | PARE_ROLE_MEMBER | PARE_ROLE_LABEL);
        if (name && syntax->nodes[i].leaf) status = collect_name(maker, i);
    }
    return status;
}

/* From here on the symbols of the scope are what their texts mean. */
static void enter_scope(struct maker *maker, uint32_t scope)
{
    assert(maker->scope[scope] == scope);
    for (uint32_t s = maker->first_in_scope[maker->real[scope]]; s != PARE_NO_SYMBOL;
         s = maker->extras[s].next_in_scope) {
        uint32_t *meaning = &maker->words[maker->extras[s].word].meaning[maker->extras[s].space];
        /* What the text meant outside waits here until the scope is left. */
        maker->extras[s].hidden = *meaning;
        *meaning = s;
    }
}

/* The texts mean again what they meant outside. */
static void leave_scope(struct maker *maker, uint32_t scope)
{
    if (!maker->words) return; /* there are no names at all */
    for (uint32_t s = maker->first_in_scope[maker->real[scope]]; s != PARE_NO_SYMBOL;
         s = maker->extras[s].next_in_scope)
        maker->words[maker->extras[s].word].meaning[maker->extras[s].space] =
            maker->extras[s].hidden;
}

/* What the name space with the scope `inside` declares.  A name space that the parser does not
 * understand (`namespace std __attribute__((..)) { }`) leaves what is in it to the file; what no
 * part of it declares may have come from another one, by `using` or as a part of it.
 * A wrong guess costs a test; no guess, the uses of what is then called unused. */
static uint32_t look_in_space(const struct maker *maker, uint32_t word, uint32_t inside)
{
    /* Node 0 is the scope of the file. */
    uint32_t symbol = look_in(maker, word, inside, VALUES);
    if (symbol == PARE_NO_SYMBOL) symbol = look_in(maker, word, 0, VALUES);
    return symbol == PARE_NO_SYMBOL ? maker->words[word].anywhere : symbol;
}

/* Whether `constant` is declared in what declares `type`: a constant of that enumeration. */
static bool is_constant_of(const struct maker *maker, uint32_t constant, uint32_t type)
{
    uint32_t declared = maker->by_leaf[maker->extras[type].leaf];
    uint32_t node =
        declared == PARE_NO_NODE ? PARE_NO_NODE : maker->occurrences[declared].declaring;
    return node != PARE_NO_NODE &&
           pare_syntax_holds(maker->syntax, node, maker->extras[constant].leaf);
}

/* What `word` means in what `qualifier`, a name in front of it, stands for: in a name space what
 * is declared there; in all else a member, whosever it is, or the constant of an enumeration. */
static uint32_t look_up_in(const struct maker *maker, uint32_t word, uint32_t qualifier)
{
    uint32_t occurrence = maker->by_leaf[qualifier];
    uint32_t in =
        occurrence == PARE_NO_NODE ? PARE_NO_SYMBOL : maker->occurrences[occurrence].symbol;
    uint32_t inside = in == PARE_NO_SYMBOL ? PARE_NO_NODE : maker->extras[in].inside;
    if (inside != PARE_NO_NODE) return look_in_space(maker, word, inside);
    uint32_t constant =
        in == PARE_NO_SYMBOL ? in : look_in(maker, word, maker->symbols[in].scope, VALUES);
    if (constant == in) constant = PARE_NO_SYMBOL; /* A::A is what constructs an A */
    if (constant != PARE_NO_SYMBOL && is_constant_of(maker, constant, in)) return constant;
    uint32_t member = maker->words[word].meaning[MEMBERS];
    return member != PARE_NO_SYMBOL ? member : constant;
}

/* What `word` means in a name space that was opened before, the last one first. */
static uint32_t look_in_opened(const struct maker *maker, uint32_t word)
{
    uint32_t symbol = PARE_NO_SYMBOL;
    for (size_t i = maker->n_opened; i-- > 0 && symbol == PARE_NO_SYMBOL;)
        symbol = look_in(maker, word, maker->opened[i], VALUES);
    return symbol;
}

/* `using namespace n;`: names of n are known from here on, wherever this stands. */
static void open_space(struct maker *maker, uint32_t leaf, uint32_t symbol)
{
    const pare_syntax *syntax = maker->syntax;
    uint32_t parent = syntax->nodes[pare_syntax_whole_name(syntax, leaf)].parent;
    if (parent == PARE_NO_NODE || !pare_syntax_is(syntax, parent, PARE_ROLE_NAMESPACE) ||
        syntax->nodes[parent].kind->body || symbol == PARE_NO_SYMBOL)
        return;
    uint32_t inside = maker->extras[symbol].inside;
    /* Each is opened once, as the list is short. */
    for (size_t i = 0; i < maker->n_opened; i++)
        if (maker->opened[i] == inside) return;
    if (inside != PARE_NO_NODE && maker->n_opened < MOST_OPENED)
        maker->opened[maker->n_opened++] = inside;
}

/* Whether the member at `leaf` may be a base of its class instead, as it is what is initialised. */
static bool is_base(const struct maker *maker, uint32_t leaf)
{
    const pare_syntax *syntax = maker->syntax;
    uint32_t parent = syntax->nodes[leaf].parent;
    return parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_STATEMENT) &&
           pare_syntax_matches(syntax, leaf, syntax->nodes[parent].kind->object);
}

/* What is looked up in something, in no scope around.  What it declares is declared already: a
 * definition outside of its class, or of its name space. */
static void bind_qualified(struct maker *maker, uint32_t occurrence, uint32_t qualifier)
{
    pare_occurrence *self = &maker->occurrences[occurrence];
    self->symbol = look_up_in(maker, maker->word_of[occurrence], qualifier);
    self->declares = self->symbol != PARE_NO_SYMBOL && self->declaring != PARE_NO_NODE &&
                     !pare_syntax_is(maker->syntax, self->declaring, PARE_ROLE_ASSIGNS);
}

/* Binds `occurrence` by what its text means here, if it is not bound yet. */
static void bind(struct maker *maker, uint32_t occurrence)
{
    assert(occurrence < maker->n_occurrences);
    pare_occurrence *self = &maker->occurrences[occurrence];
    /* Bound when it was collected, or in the first of the two walks. */
    if (self->symbol != PARE_NO_SYMBOL) return;
    const uint32_t *meaning = maker->words[maker->word_of[occurrence]].meaning;
    enum space space = space_of(maker, self->leaf);
    uint32_t qualifier = pare_syntax_qualifier(maker->syntax, self->leaf);
    if (qualifier != PARE_NO_NODE) {
        bind_qualified(maker, occurrence, qualifier);
        return;
    }
    self->symbol = meaning[space];
    if (!maker->guesses) return;
    bool may_declare =
        self->declaring != PARE_NO_NODE && maker->syntax->table->implicit != PARE_IMPLICIT_NOBODY;
    /* A name that no scope declares may be a member used without its object (this.x as x). */
    if (self->symbol == PARE_NO_SYMBOL && space == VALUES && !may_declare)
        self->symbol = meaning[MEMBERS];
    if (self->symbol == PARE_NO_SYMBOL && space == VALUES)
        self->symbol = look_in_opened(maker, maker->word_of[occurrence]);
    /* Found by the types of arguments, or in a name space that was not understood. */
    if (self->symbol == PARE_NO_SYMBOL && space == VALUES && !may_declare)
        self->symbol = maker->words[maker->word_of[occurrence]].anywhere;
    if (self->symbol == PARE_NO_SYMBOL && space == MEMBERS && is_base(maker, self->leaf))
        self->symbol = meaning[VALUES];
}

/* The second walk.  No stack is needed: the scope around one that ends is that of its parent.
 *
 * Example: in `int x; void f(int x) { { int x; x = 1; } x = 2; }` the text x means three symbols
 * in turn: the scopes of the file, of f and of the inner block each put theirs before the
 * others, and give way again where they end. */
static void bind_all(struct maker *maker)
{
    const pare_syntax *syntax = maker->syntax;
    uint32_t open = PARE_NO_NODE; /* the innermost one */
    for (uint32_t i = 0; i <= syntax->n; i++) {
        /* Scopes that end before this node are left, the innermost first. */
        while (open != PARE_NO_NODE && (i == syntax->n || i >= syntax->nodes[open].after)) {
            uint32_t parent = syntax->nodes[open].parent;
            leave_scope(maker, open);
            open = parent == PARE_NO_NODE ? PARE_NO_NODE : maker->scope[parent];
        }
        if (i == syntax->n) break;
        if (maker->scope[i] == i) {
            enter_scope(maker, i);
            open = i;
        }
        /* The node's own scope is open here, so a function's parameters are known in its head.
         * Only names have occurrences. */
        if (maker->by_leaf[i] == PARE_NO_NODE) continue;
        bind(maker, maker->by_leaf[i]);
        open_space(maker, i, maker->occurrences[maker->by_leaf[i]].symbol);
    }
    assert(open == PARE_NO_NODE);
}

/* Names that are only ever assigned to become symbols by that.
 * In order of the text, so the first assignment is the first occurrence that declares. */
static pare_status declare_implicit(struct maker *maker)
{
    const pare_syntax *syntax = maker->syntax;
    pare_implicit implicit = syntax->table->implicit;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < maker->n_occurrences; i++) {
        pare_occurrence *self = &maker->occurrences[i];
        if (self->symbol != PARE_NO_SYMBOL || self->declaring == PARE_NO_NODE) continue;
        uint32_t scope = 0;
        enum space space = VALUES;
        if (implicit == PARE_IMPLICIT_NOBODY) continue;
        /* The program's scope is node 0. */
        if (implicit == PARE_IMPLICIT_FUNCTION) scope = maker->scope[self->leaf];
        if (pare_syntax_is(syntax, scope, PARE_ROLE_MEMBERS)) space = MEMBERS;
        status = declare(maker, self->leaf, maker->word_of[i], space == MEMBERS ? 0 : scope, space,
                         &self->symbol);
        self->declares = true;
    }
    return status;
}

/* Links the occurrences of each symbol and counts them.
 * Numbers of occurrences ascend with the text, so the lists do, too. */
static void link_up(struct maker *maker)
{
    for (uint32_t i = 0; i < maker->n_occurrences; i++) {
        const pare_occurrence *self = &maker->occurrences[i];
        if (self->symbol == PARE_NO_SYMBOL) continue;
        pare_bound *symbol = &maker->symbols[self->symbol];
        if (symbol->first == PARE_NO_NODE)
            symbol->first = i;
        else
            maker->occurrences[symbol->last].next = i;
        symbol->last = i;
        if (self->declares)
            symbol->n_declarations++;
        else
            symbol->n_uses++;
    }
}

#ifndef NDEBUG
/* Whether the lists of occurrences ascend and hold as many as the symbols count. */
static bool is_linked(const struct maker *maker)
{
    for (size_t s = 0; s < maker->n_symbols; s++) {
        const pare_bound *symbol = &maker->symbols[s];
        uint32_t n = symbol->n_declarations + symbol->n_uses, o = symbol->first;
        for (; n && o != PARE_NO_NODE; n--) {
            const pare_occurrence *self = &maker->occurrences[o];
            if (self->symbol != s || (self->next != PARE_NO_NODE && self->next <= o)) return false;
            o = self->next;
        }
        if (n || o != PARE_NO_NODE) return false;
    }
    return true;
}
#endif

/* Allocates what is kept for each node. */
static pare_status prepare(struct maker *maker)
{
    size_t n = maker->syntax->n;
    maker->context = pare_alloc(n, sizeof *maker->context);
    maker->scope = pare_alloc(n, sizeof *maker->scope);
    maker->real = pare_alloc(n, sizeof *maker->real);
    maker->head = pare_alloc(n, sizeof *maker->head);
    maker->first_in_scope = pare_alloc(n, sizeof *maker->first_in_scope);
    maker->by_leaf = pare_alloc(n, sizeof *maker->by_leaf);
    if (maker->context && maker->scope && maker->real && maker->head && maker->first_in_scope &&
        maker->by_leaf)
        return PARE_OK;
    return pare_fail_nomem(maker->err);
}

/* Frees what only the making needed. */
static void clean_up(struct maker *maker)
{
    pare_alloc_free(maker->extras);
    pare_alloc_free(maker->words);
    pare_hash_index_done(&maker->word_index);
    pare_hash_index_done(&maker->symbol_index);
    pare_alloc_free(maker->context);
    pare_alloc_free(maker->scope);
    pare_alloc_free(maker->real);
    pare_alloc_free(maker->head);
    pare_alloc_free(maker->first_in_scope);
    pare_alloc_free(maker->word_of);
}

/* Both walks, then once more after names that are only assigned to have become symbols. */
pare_status pare_bindings_make(const pare_syntax *syntax, pare_bindings *out, pare_error *err)
{
    struct maker maker = {.syntax = syntax, .err = err};
    pare_status status = prepare(&maker);
    if (!status) status = collect(&maker);
    maker.guesses = syntax->table->implicit == PARE_IMPLICIT_NOBODY;
    if (!status) bind_all(&maker);
    if (!status) status = declare_implicit(&maker);
    if (!status && !maker.guesses) {
        maker.guesses = true;
        bind_all(&maker);
    }
    if (!status) link_up(&maker);
    assert(status || is_linked(&maker));
    clean_up(&maker);
    pare_bindings made = {.syntax = syntax,
                          .occurrences = maker.occurrences,
                          .symbols = maker.symbols,
                          .by_leaf = maker.by_leaf,
                          .n_occurrences = (uint32_t)maker.n_occurrences,
                          .n_symbols = (uint32_t)maker.n_symbols};
    if (status)
        pare_bindings_done(&made);
    else
        *out = made;
    return status;
}

/* The syntax is borrowed; an all-zero table is a no-op. */
void pare_bindings_done(pare_bindings *names)
{
    pare_alloc_free(names->occurrences);
    pare_alloc_free(names->symbols);
    pare_alloc_free(names->by_leaf);
}

/* --- answers ----------------------------------------------------------------------------- */

/* The function with a body that this occurrence declares, or that is its value. */
static uint32_t function_at(const pare_bindings *names, const pare_occurrence *occurrence)
{
    const pare_syntax *syntax = names->syntax;
    uint32_t candidates[] = {occurrence->declaring, occurrence->value};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        uint32_t node = candidates[i];
        if (node == PARE_NO_NODE || !pare_syntax_is(syntax, node, PARE_ROLE_FUNCTION)) continue;
        if (pare_syntax_child(syntax, node, syntax->nodes[node].kind->body) != PARE_NO_NODE)
            return node;
    }
    return PARE_NO_NODE;
}

/* A symbol may mean several functions: declared twice, or assigned to. */
size_t pare_bindings_functions(const pare_bindings *names, uint32_t symbol, uint32_t *functions,
                               size_t most)
{
    size_t n = 0;
    uint32_t o = names->symbols[symbol].first;
    for (; o != PARE_NO_NODE && n < most; o = names->occurrences[o].next) {
        /* A plain use. */
        if (names->occurrences[o].declaring == PARE_NO_NODE) continue;
        functions[n] = function_at(names, &names->occurrences[o]);
        if (functions[n] != PARE_NO_NODE) n++;
    }
    return n;
}

/* Two are looked for, so that "more than one" is known without going through all. */
uint32_t pare_bindings_function(const pare_bindings *names, uint32_t symbol)
{
    uint32_t found[2];
    return pare_bindings_functions(names, symbol, found, 2) == 1 ? found[0] : PARE_NO_NODE;
}

/* Whether the node is in one that is marked. */
static bool is_in_marked(const pare_syntax *syntax, uint32_t node, const unsigned char *marks,
                         unsigned char mark)
{
    while (node != PARE_NO_NODE && !(marks[node] & mark))
        node = syntax->nodes[node].parent;
    return node != PARE_NO_NODE;
}

bool pare_bindings_is_used_beside(const pare_bindings *names, uint32_t node,
                                  const unsigned char *marks, unsigned char mark)
{
    const pare_syntax *syntax = names->syntax;
    for (uint32_t i = node; i < syntax->nodes[node].after; i++) {
        const uint32_t found = names->by_leaf[i];
        /* Only what is declared or assigned to in the node is of interest. */
        if (found == PARE_NO_NODE || names->occurrences[found].declaring == PARE_NO_NODE) continue;
        const uint32_t symbol = names->occurrences[found].symbol;
        if (symbol == PARE_NO_SYMBOL || names->symbols[symbol].member) continue;
        for (uint32_t k = names->symbols[symbol].first; k != PARE_NO_NODE;
             k = names->occurrences[k].next)
            if (!is_in_marked(syntax, names->occurrences[k].leaf, marks, mark)) return true;
    }
    return false;
}

/* Outwards over calls, accesses and subscripts as long as the node is what they are of.
 *
 * Example: in `g(a.b(1)[2].c)` the occurrence of b reaches as far as `a.b(1)[2].c`. */
uint32_t pare_bindings_reach(const pare_bindings *names, uint32_t occurrence)
{
    const pare_syntax *syntax = names->syntax;
    uint32_t node = names->occurrences[occurrence].leaf;
    for (;;) {
        uint32_t parent = syntax->nodes[node].parent;
        if (parent == PARE_NO_NODE) return node;
        const pare_syntax_kind *kind = syntax->nodes[parent].kind;
        /* It is what is called, indexed or accessed: the node above stands for as much of it. */
        bool called = kind->roles & (PARE_ROLE_CALL | PARE_ROLE_SUBSCRIPT | PARE_ROLE_ACCESS) &&
                      pare_syntax_matches(syntax, node, kind->object);
        /* It is the member in which an access ends. */
        bool ended =
            kind->roles & PARE_ROLE_ACCESS && pare_syntax_matches(syntax, node, kind->names);
        /* A type within a type: the name of a structure within its specifier. */
        bool typed = pare_syntax_is(syntax, node, PARE_ROLE_TYPE) && kind->roles & PARE_ROLE_TYPE;
        bool qualified = pare_syntax_whole_name(syntax, node) != node;
        if (!called && !ended && !typed && !qualified) return node;
        node = parent;
    }
}
