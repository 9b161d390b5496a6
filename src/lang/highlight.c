/* <pare/highlight.h>: keywords, literals and comments of a text, by its tree-sitter tree.
 *
 * The packages of languages bring queries for highlighting, each with names of its own.  Three kinds
 * are enough to read a test case, and for them names and texts of nodes suffice:
 *   - COMMENT: a node whose name contains "comment";
 *   - LITERAL: one whose name says string, character, number or regular expression, with all that is
 *     in it, but for expressions that are put into a string; and a token that begins with a digit;
 *   - KEYWORD: a token made of letters that the grammar knows by its text ("while"), or that is
 *     called what it reads ("true"); and the names of tags and of built-in types.
 *
 * Nodes stand in pre-order, so what a node hands down to its children is written before they are
 * looked at: one pass, no recursion. */
#include <pare/highlight.h>

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "lang/language.h"
#include "parse/parse_tree.h"
#include "parse/tree_sitter.h"

struct pare_highlighter {
    pare_tree_sitter *language; /* owned */
};

pare_status pare_highlighter_new(const char *name, pare_highlighter **out, pare_error *err)
{
    pare_highlighter *highlighter = pare_alloc_zero(1, sizeof *highlighter);
    if (!highlighter) return pare_fail_nomem(err);
    const pare_status status = pare_language_load(name, &highlighter->language, err);
    if (status) {
        pare_highlighter_free(highlighter);
        return status;
    }
    *out = highlighter;
    return PARE_OK;
}

void pare_highlighter_free(pare_highlighter *highlighter)
{
    if (!highlighter) return;
    pare_tree_sitter_close(highlighter->language);
    pare_alloc_free(highlighter);
}

static bool says_one_of(const char *name, const char *const *words, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (strstr(name, words[k])) return true;
    return false;
}

/* By its name, for a node with all that is below it; `above`: what its parent is. */
static pare_highlight kind_of_node(const char *name, pare_highlight above)
{
    static const char *const embedded[] = {"interpolation", "substitution"},
                             *const literals[] = {"string", "char_literal", "character_literal",
                                                  "regex",  "number",       "attribute_value",
                                                  "heredoc"};
    if (strstr(name, "comment")) return PARE_HIGHLIGHT_COMMENT;
    if (says_one_of(name, embedded, sizeof embedded / sizeof *embedded)) return PARE_HIGHLIGHT_NONE;
    if (says_one_of(name, literals, sizeof literals / sizeof *literals))
        return PARE_HIGHLIGHT_LITERAL;
    return above;
}

/* A digit, and nothing after it that is not in numbers: prose may begin with a digit, too. */
static bool is_number(const char *text, size_t size)
{
    if (!size || !isdigit((unsigned char)*text)) return false;
    for (size_t k = 1; k < size; k++)
        if (!isalnum((unsigned char)text[k]) && (!text[k] || !strchr("._'+-", text[k])))
            return false;
    return true;
}

/* The kind of a token that no node above it has decided. */
static pare_highlight kind_of_token(const char *name, bool is_named, const char *text, size_t size)
{
    if (is_number(text, size)) return PARE_HIGHLIGHT_LITERAL;
    if (strcmp(name, "tag_name") == 0 || strcmp(name, "primitive_type") == 0 ||
        strncmp(name, "keyword", strlen("keyword")) == 0)
        return PARE_HIGHLIGHT_KEYWORD;
    const bool is_word =
        (size && isalpha((unsigned char)*text)) || (size > 1 && *text == '#'); /* #include */
    const bool is_fixed = !is_named || (strlen(name) == size && memcmp(name, text, size) == 0);
    return is_word && is_fixed ? PARE_HIGHLIGHT_KEYWORD : PARE_HIGHLIGHT_NONE;
}

/* Sets the kind of node `k`, whose parent has one, and of the bytes of a leaf. */
static void color_node(const pare_parse_tree *tree, uint32_t k, const char *text,
                       unsigned char *kinds, unsigned char *of_nodes)
{
    const pare_symbol_names *names = &tree->names;
    const pare_parse_node *node = &tree->nodes[k];
    const pare_highlight above =
        node->parent == PARE_NO_NODE ? PARE_HIGHLIGHT_NONE : of_nodes[node->parent];
    const char *name = names->rule(names->language, node->symbol);
    /* A token that is known by its text is named after that text, which says nothing about its role
     * ("string" is a type in some language). */
    const bool is_named = names->is_named(names->language, node->symbol);
    pare_highlight kind = is_named ? kind_of_node(name, above) : above;
    const bool is_leaf = pare_parse_tree_is_leaf(tree, k);
    if (kind == PARE_HIGHLIGHT_NONE && is_leaf)
        kind = kind_of_token(name, is_named, text + node->begin, node->end - node->begin);
    of_nodes[k] = (unsigned char)kind;
    /* Leaves cover all but white space; each byte is written once, however deep the tree is. */
    if (is_leaf) memset(kinds + node->begin, kind, node->end - node->begin);
}

pare_status pare_highlighter_run(const pare_highlighter *highlighter, const char *text, size_t size,
                                 unsigned char *kinds, pare_error *err)
{
    pare_parse_tree tree = {0};
    unsigned char *of_nodes = NULL;
    pare_status status = pare_tree_sitter_parse(highlighter->language, text, size, &tree, err);
    if (status) goto out;
    of_nodes = pare_alloc_zero(tree.n_nodes ? tree.n_nodes : 1, sizeof *of_nodes);
    if (!of_nodes) {
        status = pare_fail_nomem(err);
        goto out;
    }
    memset(kinds, PARE_HIGHLIGHT_NONE, size);
    for (uint32_t k = 0; k < tree.n_nodes; k++)
        color_node(&tree, k, text, kinds, of_nodes);
out:
    pare_alloc_free(of_nodes);
    pare_parse_tree_done(&tree);
    return status;
}
