/* From the view's tree to nodes with the meanings of the language's table; and the lookup of
 * tables.
 *
 * The names of node types are compared once for each symbol of the tree, those of fields when
 * they are asked for: a file has a hundred symbols and a million nodes.  Nodes that only say
 * which quantifier their children stand below are left out, so that these are the nodes of
 * tree-sitter again, which the tables speak of.
 * Invariant: nodes are in pre-order; `statement` is the node itself or the nearest one above it
 * that may be left out by itself.
 * Memory: 48 bytes a node; while they are made 8 more. */
#include "reduce/binding/syntax.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/tree/tree.h"

static const pare_syntax_kind no_kind = {.type = ""};

/* What is known of each symbol. */
struct symbol {
    const pare_syntax_kind *kind; /* NULL: not looked up yet */
    bool named;
};

/* The nodes in the making. */
struct maker {
    const pare_pass_view *view;
    const pare_syntax_table *table;
    struct symbol *symbols; /* owned; by symbol */
    uint32_t *to;           /* owned; by node of the tree: where it or the node above it is */
    uint32_t *last;         /* owned; by node: its last child so far */
    pare_syntax_node *nodes;
    uint32_t n;
};

/* Whether nodes of that kind were put in by pare, not by the language's parser. */
static bool is_made(uint32_t kind)
{
    return kind == PARE_NODE_OPTIONAL || kind == PARE_NODE_STAR || kind == PARE_NODE_PLUS ||
           kind == PARE_NODE_ITEM;
}

/* Symbols of a tree of tree-sitter are below 2^16. */
static bool has_symbol(const pare_tree_node *node)
{
    return node->own.symbol <= UINT16_MAX && node->own.kind != PARE_NODE_OPAQUE;
}

/* What the table says of the node's symbol, asked once.
 * Anonymous nodes (punctuation, keywords) have no kind: tables speak of named nodes only. */
static const struct symbol *look_up(struct maker *maker, const pare_tree_node *node)
{
    static const struct symbol unknown = {.kind = &no_kind, .named = true};
    if (!has_symbol(node)) return &unknown;
    struct symbol *symbol = &maker->symbols[node->own.symbol];
    /* The first node of this symbol has asked already. */
    if (symbol->kind) return symbol;
    const pare_symbol_names *names = maker->view->names;
    const char *type = names->rule(names->language, node->own.symbol);
    bool named = names->is_named(names->language, node->own.symbol);
    const pare_syntax_kind *kind = named ? pare_syntax_table_kind(maker->table, type) : NULL;
    *symbol = (struct symbol){.kind = kind ? kind : &no_kind, .named = named};
    return symbol;
}

/* Appends node `index` of the tree.
 * Parents are added before their children, so what is above a node is known here; how far it
 * reaches is not, and follows in add_all. */
static void add(struct maker *maker, uint32_t index)
{
    const pare_tree_node *from = &maker->view->tree->nodes[index];
    const struct symbol *symbol = look_up(maker, from);
    uint32_t parent = from->parent == PARE_NO_NODE ? PARE_NO_NODE : maker->to[from->parent];
    bool leaf = from->after == index + 1;
    uint32_t to = maker->n++;
    maker->to[index] = to;
    maker->last[to] = PARE_NO_NODE;
    assert(parent == PARE_NO_NODE || parent < to);
    maker->nodes[to] = (pare_syntax_node){
        .kind = symbol->kind,
        .begin = from->begin,
        .end = from->end,
        .after = to + 1,
        .parent = parent,
        .before = parent == PARE_NO_NODE ? PARE_NO_NODE : maker->last[parent],
        .symbol = from->own.symbol,
        .field = from->field,
        .leaf = leaf,
        .punctuation = leaf && from->own.kind == PARE_NODE_TOKEN && !symbol->named};
    if (parent != PARE_NO_NODE) maker->last[parent] = to;
    uint32_t over = parent == PARE_NO_NODE ? 0 : maker->nodes[parent].kind->roles;
    /* In a list of statements or members every child that is no punctuation may go by itself. */
    bool among = over & (PARE_ROLE_BLOCK | PARE_ROLE_MEMBERS) && !maker->nodes[to].punctuation;
    if (among || symbol->kind->roles & PARE_ROLE_STATEMENT)
        maker->nodes[to].statement = to;
    else
        maker->nodes[to].statement =
            parent == PARE_NO_NODE ? PARE_NO_NODE : maker->nodes[parent].statement;
}

/* Appends all nodes that have text; then, from the rear, each parent reaches as far as its last
 * child. */
static void add_all(struct maker *maker)
{
    const pare_tree *tree = maker->view->tree;
    for (uint32_t i = 0; i < tree->n_nodes;) {
        const pare_tree_node *node = &tree->nodes[i];
        /* Missing tokens and empty lists: nothing below them has text either. */
        if (i && node->begin == node->end) {
            i = node->after;
            continue;
        }
        /* Its children hang on the node above it. */
        if (i && is_made(node->own.kind))
            maker->to[i] = maker->to[node->parent];
        else
            add(maker, i);
        i++;
    }
    for (uint32_t i = maker->n; i-- > 1;) {
        pare_syntax_node *node = &maker->nodes[i], *parent = &maker->nodes[node->parent];
        if (parent->after < node->after) parent->after = node->after;
    }
}

/* Allocates, makes the nodes, and frees what only the making needed. */
static pare_status make(struct maker *maker, pare_error *err)
{
    size_t n = maker->view->tree->n_nodes;
    /* By symbol, directly: 1 MiB for the time of making, and no search. */
    maker->symbols = pare_alloc_zero(UINT16_MAX + 1, sizeof *maker->symbols);
    maker->to = pare_alloc(n, sizeof *maker->to);
    maker->last = pare_alloc(n, sizeof *maker->last);
    maker->nodes = pare_alloc(n, sizeof *maker->nodes);
    bool all = maker->symbols && maker->to && maker->last && maker->nodes;
    if (all) add_all(maker);
    assert(!all || (maker->n > 0 && maker->n <= n)); /* the root is always there */
    pare_alloc_free(maker->symbols);
    pare_alloc_free(maker->to);
    pare_alloc_free(maker->last);
    if (all) return PARE_OK;
    pare_alloc_free(maker->nodes);
    return pare_fail_nomem(err);
}

/* Unknown is no error: no tree, no table, or a reader without names of fields. */
pare_status pare_syntax_make(const pare_pass_view *view, bool *known, pare_syntax *out,
                             pare_error *err)
{
    struct maker maker = {.view = view};
    *known =
        view->tree && view->names && view->names->field && view->names->is_named && view->language;
    if (*known) maker.table = pare_syntax_table_find(view->language);
    *known = *known && maker.table;
    if (!*known) return PARE_OK;
    pare_status status = make(&maker, err);
    if (status) return status;
    *out = (pare_syntax){.table = maker.table, .view = view, .nodes = maker.nodes, .n = maker.n};
    return PARE_OK;
}

/* The view is borrowed; all-zero is a no-op. */
void pare_syntax_done(pare_syntax *syntax)
{
    pare_alloc_free(syntax->nodes);
}

/* --- asking ------------------------------------------------------------------------------ */

/* What a list consists of, for whoever counts or removes: punctuation and comments do not count. */
bool pare_syntax_is_element(const pare_syntax *syntax, uint32_t node)
{
    return !syntax->nodes[node].punctuation && !pare_syntax_is(syntax, node, PARE_ROLE_COMMENT);
}

/* By the text, as tables do not describe punctuation. */
bool pare_syntax_is_separator(const pare_syntax *syntax, uint32_t node)
{
    const char *text = pare_syntax_text(syntax, node);
    return syntax->nodes[node].punctuation && pare_syntax_size(syntax, node) == 1 &&
           (*text == ',' || *text == ';');
}

/* O(punctuation passed over). */
uint32_t pare_syntax_element_after(const pare_syntax *syntax, uint32_t node)
{
    do
        node = pare_syntax_next(syntax, node);
    while (node != PARE_NO_NODE && !pare_syntax_is_element(syntax, node));
    return node;
}

/* By the links that were made with the nodes: siblings cannot be walked backward otherwise. */
uint32_t pare_syntax_element_before(const pare_syntax *syntax, uint32_t node)
{
    do
        node = syntax->nodes[node].before;
    while (node != PARE_NO_NODE && !pare_syntax_is_element(syntax, node));
    return node;
}

/* Whether the word is that name, which may be NULL. */
static bool is_word(const char *word, size_t size, const char *name)
{
    return name && strlen(name) == size && memcmp(word, name, size) == 0;
}

/* Compares with the name of the child's field in its parent, and with its type.
 *
 * Example: the words `name declarator` match a child in the field `name`, and one of the type
 * `declarator`. */
bool pare_syntax_matches(const pare_syntax *syntax, uint32_t node, const char *words)
{
    const pare_symbol_names *names = syntax->view->names;
    const pare_syntax_node *self = &syntax->nodes[node];
    if (!words || !pare_syntax_is_element(syntax, node)) return false;
    const char *field = self->field ? names->field(names->language, self->field) : NULL;
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (is_word(at, size, "*") || is_word(at, size, field) ||
            is_word(at, size, self->kind->type))
            return true;
        at += size;
    }
    return false;
}

/* The first in the order of the text, whichever of the words it matches. */
uint32_t pare_syntax_child(const pare_syntax *syntax, uint32_t node, const char *words)
{
    uint32_t child = words ? pare_syntax_first(syntax, node) : PARE_NO_NODE;
    while (child != PARE_NO_NODE && !pare_syntax_matches(syntax, child, words))
        child = pare_syntax_next(syntax, child);
    return child;
}

/* Bounded, because callers mostly want to know whether there is more than one. */
size_t pare_syntax_count(const pare_syntax *syntax, uint32_t node, const char *words, size_t most)
{
    size_t count = 0;
    uint32_t child = words ? pare_syntax_first(syntax, node) : PARE_NO_NODE;
    for (; child != PARE_NO_NODE && count < most; child = pare_syntax_next(syntax, child))
        count += pare_syntax_matches(syntax, child, words);
    return count;
}

/* Through this, parentheses and wrappers are looked into. */
uint32_t pare_syntax_only_element(const pare_syntax *syntax, uint32_t node)
{
    uint32_t first = pare_syntax_child(syntax, node, "*");
    if (first == PARE_NO_NODE || pare_syntax_element_after(syntax, first) != PARE_NO_NODE)
        return PARE_NO_NODE;
    return first;
}

/* O(index): lists of parameters and arguments are short. */
uint32_t pare_syntax_element_at(const pare_syntax *syntax, uint32_t list, size_t index)
{
    uint32_t child = pare_syntax_child(syntax, list, "*");
    while (child != PARE_NO_NODE && index--)
        child = pare_syntax_element_after(syntax, child);
    return child;
}

/* In C the list is below the declarator that the function's name stands in, so all of the head
 * is looked through. */
uint32_t pare_syntax_parameters(const pare_syntax *syntax, uint32_t function)
{
    const pare_syntax_kind *kind = syntax->nodes[function].kind;
    uint32_t found = pare_syntax_child(syntax, function, kind->list);
    uint32_t body = pare_syntax_child(syntax, function, kind->body);
    uint32_t end = body == PARE_NO_NODE ? syntax->nodes[function].after : body;
    if (found != PARE_NO_NODE) return found;
    /* In C they are inside what the function's name stands in. */
    for (uint32_t i = function + 1; i < end; i++)
        if (pare_syntax_is(syntax, i, PARE_ROLE_PARAMETERS)) return i;
    return PARE_NO_NODE;
}

/* Down to the name, whatever it is looked up in and whatever it is given. */
uint32_t pare_syntax_name_leaf(const pare_syntax *syntax, uint32_t node)
{
    while (node != PARE_NO_NODE && pare_syntax_is(syntax, node, PARE_ROLE_QUALIFIED))
        node = pare_syntax_child(syntax, node, syntax->nodes[node].kind->names);
    return node != PARE_NO_NODE && syntax->nodes[node].leaf ? node : PARE_NO_NODE;
}

/* Upwards, until a name is what is looked up in something.
 *
 * Example: in `n::A<int>::f` the name f is looked up in A, and A in n; int in nothing. */
uint32_t pare_syntax_qualifier(const pare_syntax *syntax, uint32_t leaf)
{
    for (uint32_t node = leaf;;) {
        uint32_t parent = syntax->nodes[node].parent;
        if (parent == PARE_NO_NODE || !pare_syntax_is(syntax, parent, PARE_ROLE_QUALIFIED))
            return PARE_NO_NODE;
        const pare_syntax_kind *kind = syntax->nodes[parent].kind;
        bool name = pare_syntax_matches(syntax, node, kind->names);
        uint32_t in = pare_syntax_child(syntax, parent, kind->object);
        if (name && in != PARE_NO_NODE) return pare_syntax_name_leaf(syntax, in);
        if (!name && in != node) return PARE_NO_NODE; /* an argument */
        node = parent;
    }
}

/* An argument of a template is a name of its own. */
uint32_t pare_syntax_whole_name(const pare_syntax *syntax, uint32_t leaf)
{
    for (uint32_t node = leaf;;) {
        uint32_t parent = syntax->nodes[node].parent;
        if (parent == PARE_NO_NODE || !pare_syntax_is(syntax, parent, PARE_ROLE_QUALIFIED))
            return node;
        const pare_syntax_kind *kind = syntax->nodes[parent].kind;
        if (!pare_syntax_matches(syntax, node, kind->names) &&
            !pare_syntax_matches(syntax, node, kind->object))
            return node;
        node = parent;
    }
}

/* What is both in the table is told by the name in which it ends. */
bool pare_syntax_is_type(const pare_syntax *syntax, uint32_t node)
{
    if (!pare_syntax_is(syntax, node, PARE_ROLE_TYPE)) return false;
    if (!pare_syntax_is(syntax, node, PARE_ROLE_EXPRESSION)) return true;
    if (!pare_syntax_is(syntax, node, PARE_ROLE_QUALIFIED)) return false;
    uint32_t leaf = pare_syntax_name_leaf(syntax, node);
    return leaf != PARE_NO_NODE && pare_syntax_is(syntax, leaf, PARE_ROLE_TYPE);
}

/* `struct s x;` names a type that is declared elsewhere; `struct s { .. }` declares it. */
bool pare_syntax_is_declaring(const pare_syntax *syntax, uint32_t node)
{
    const pare_syntax_kind *kind = syntax->nodes[node].kind;
    if (!(kind->roles & (PARE_ROLE_DECLARES | PARE_ROLE_ASSIGNS))) return false;
    return !(kind->roles & PARE_ROLE_TYPE) || !kind->body ||
           pare_syntax_child(syntax, node, kind->body) != PARE_NO_NODE;
}

/* Upwards through what wraps names. */
bool pare_syntax_is_declarator(const pare_syntax *syntax, uint32_t node)
{
    for (;;) {
        uint32_t parent = syntax->nodes[node].parent;
        if (parent == PARE_NO_NODE) return false;
        const pare_syntax_kind *kind = syntax->nodes[parent].kind;
        if (!pare_syntax_matches(syntax, node, kind->names)) return false;
        if (pare_syntax_is_declaring(syntax, parent)) return true;
        if (!(kind->roles & PARE_ROLE_WRAPS)) return false;
        node = parent;
    }
}

/* What holds is a statement about what it holds, so that no value or type will do instead. */
bool pare_syntax_is_held(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    return parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_HOLDER) &&
           pare_syntax_matches(syntax, node, syntax->nodes[parent].kind->names);
}

/* Parameters stand in a list below the template. */
uint32_t pare_syntax_template_of(const pare_syntax *syntax, uint32_t node)
{
    uint32_t list = syntax->nodes[node].parent;
    uint32_t around = list == PARE_NO_NODE ? PARE_NO_NODE : syntax->nodes[list].parent;
    if (around == PARE_NO_NODE || !pare_syntax_is(syntax, around, PARE_ROLE_TEMPLATE))
        return PARE_NO_NODE;
    return pare_syntax_matches(syntax, list, syntax->nodes[around].kind->list) ? around
                                                                               : PARE_NO_NODE;
}

/* Example: of `enum { a, b };` nothing is left without a and b; of `enum { a, b } x;` x is. */
uint32_t pare_syntax_nameless_type(const pare_syntax *syntax, uint32_t list)
{
    uint32_t type = syntax->nodes[list].parent;
    uint32_t around = type == PARE_NO_NODE ? PARE_NO_NODE : syntax->nodes[type].parent;
    if (around == PARE_NO_NODE || !pare_syntax_is_declaring(syntax, type) ||
        !pare_syntax_is(syntax, type, PARE_ROLE_TYPE))
        return PARE_NO_NODE;
    const pare_syntax_kind *kind = syntax->nodes[type].kind;
    bool stands = pare_syntax_is(syntax, around, PARE_ROLE_BLOCK | PARE_ROLE_MEMBERS);
    bool named = pare_syntax_child(syntax, type, kind->names) != PARE_NO_NODE;
    return stands && !named && pare_syntax_matches(syntax, list, kind->body) ? type : PARE_NO_NODE;
}

/* --- tables ------------------------------------------------------------------------------ */

static const pare_syntax_table *const tables[] = {
    &pare_table_bash, &pare_table_c,    &pare_table_cpp,        &pare_table_csharp,
    &pare_table_go,   &pare_table_java, &pare_table_javascript, &pare_table_kotlin,
    &pare_table_lua,  &pare_table_php,  &pare_table_python,     &pare_table_ruby,
    &pare_table_rust, &pare_table_sql,  &pare_table_typescript,
};

enum { N_TABLES = sizeof tables / sizeof(const pare_syntax_table *) };

/* For tests and documentation, which go through all of them. */
const pare_syntax_table *pare_syntax_table_at(size_t index)
{
    return index < N_TABLES ? tables[index] : NULL;
}

/* Whether `word` is one of the blank-separated words. */
static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (size == length && memcmp(at, word, size) == 0) return true;
        at += size;
    }
    return false;
}

/* A text may have a NUL in a string or a comment, at which printf would end. */
pare_status pare_syntax_append(const pare_syntax *syntax, uint32_t node, bool wrapped,
                               pare_buffer *out, pare_error *err)
{
    assert(node < syntax->n);
    pare_status status = wrapped ? pare_buffer_text(out, "(", err) : PARE_OK;
    if (!status)
        status = pare_buffer_add(out, pare_syntax_text(syntax, node),
                                 pare_syntax_size(syntax, node), err);
    return status || !wrapped ? status : pare_buffer_text(out, ")", err);
}

/* A table may serve several languages, which it names. */
const pare_syntax_table *pare_syntax_table_find(const char *name)
{
    for (size_t i = 0; i < N_TABLES; i++)
        if (has_word(tables[i]->names, name)) return tables[i];
    return NULL;
}

/* A table's own kinds come before those of the language that it extends.
 * Linear, because it is asked once for each symbol of a tree and not for each node. */
const pare_syntax_kind *pare_syntax_table_kind(const pare_syntax_table *table, const char *type)
{
    for (; table; table = table->extends)
        for (size_t i = 0; i < table->n_kinds; i++)
            if (strcmp(table->kinds[i].type, type) == 0) return &table->kinds[i];
    return NULL;
}

/* A kind of the extended table counts only where the table has none of its type. */
const pare_syntax_kind *pare_syntax_table_kind_at(const pare_syntax_table *table, size_t index)
{
    const pare_syntax_table *at = table;
    for (; at; at = at->extends) {
        for (size_t i = 0; i < at->n_kinds; i++) {
            const pare_syntax_kind *kind = &at->kinds[i];
            bool counts = at == table || pare_syntax_table_kind(table, kind->type) == kind;
            if (counts && index-- == 0) return kind;
        }
    }
    return NULL;
}
