/* Islands: one pass over the host's nodes, which are copied; below a node that holds islands
 * the nodes of their languages are put in instead.
 *
 * Invariant: nodes stand in preorder, as in every tree.  Where a node of the host went to is
 * kept by its number, so that links are set at the end.  A copy costs less than a tree of trees
 * would: every reducer sees one tree and need not know of islands. */
#include "lang/islands.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "text/pattern.h"
#include "text/text.h"

/* Layout of a symbol: the upper 8 bits say which language it is of, the next
 * bit that it is a token of the host that holds islands, the lower 23 which
 * symbol of that language it is. HOST is 0, so symbols of the host need no
 * change. */
enum { OWNER_SHIFT = 24, HOLDS = 1 << 23, HOST = 0 };

/* A language of islands, or the host's as number 0. */
struct language {
    pare_island_parse parse;
    void *context;
    pare_symbol_names names; /* of its last tree; the host's for language 0 */
};

/* One kind of island: the nodes in which it is looked for, and the language
 * that parses it. The last two members belong to look() and hold only while it
 * is busy with one node. */
struct island {
    char *token;           /* owned */
    pare_pattern *pattern; /* owned; NULL: all of the token */
    uint32_t language;
    bool has_match;     /* in the node at hand.. */
    pare_stretch match; /* ..at these bytes of the host's text */
};

/* The languages that there are, and the tokens of each in which another one may stand. */
struct pare_islands {
    struct language languages[PARE_ISLANDS_MAX_LANGUAGES];
    uint32_t n_languages;
    struct island *islands; /* owned */
    size_t n_islands, capacity;
};

/* One run. `own`, `owner` and the new tree have the same n nodes in the same order. */
struct run {
    pare_islands *islands;
    const pare_parse_tree *host;
    const char *bytes;
    pare_parse_node *own; /* what becomes of the result */
    /* of each node: number of its language */
    unsigned char *owner;
    /* n: nodes so far; n_islands: islands put in so far */
    size_t n, own_capacity, owner_capacity, n_islands;
    uint32_t *moved; /* host node -> node; PARE_NO_NODE: it gave way */
    pare_error *err;
};

/* --- languages and islands --------------------------------------------------------------- */

pare_status pare_islands_new(pare_islands **out, pare_error *err)
{
    pare_islands *islands = pare_alloc_zero(1, sizeof *islands);
    if (!islands) return pare_fail_nomem(err);
    /* Number 0 is the host's. */
    islands->n_languages = 1;
    *out = islands;
    return PARE_OK;
}

/* NULL is a no-op. The contexts of the languages are borrowed and stay. */
void pare_islands_free(pare_islands *islands)
{
    if (!islands) return;
    for (size_t i = 0; i < islands->n_islands; i++) {
        pare_alloc_free(islands->islands[i].token);
        pare_pattern_free(islands->islands[i].pattern);
    }
    pare_alloc_free(islands->islands);
    pare_alloc_free(islands);
}

/* Numbers are 1, 2, ... in the order in which they are added; errors: PARE_E_LIMIT. */
pare_status pare_islands_add_language(pare_islands *islands, pare_island_parse parse, void *context,
                                      uint32_t *number, pare_error *err)
{
    if (islands->n_languages == PARE_ISLANDS_MAX_LANGUAGES)
        return pare_fail(err, PARE_E_LIMIT, "more than %d languages of islands",
                         PARE_ISLANDS_MAX_LANGUAGES - 1);
    *number = islands->n_languages++;
    islands->languages[*number] = (struct language){.parse = parse, .context = context};
    return PARE_OK;
}

/* Errors: PARE_E_ARG (the regular expression), PARE_E_NOMEM; nothing was added then. */
pare_status pare_islands_add(pare_islands *islands, const char *token, const char *regex,
                             uint32_t language, pare_error *err)
{
    assert(language && language < islands->n_languages && "it was added before");
    /* The vector is grown first and an island counted last, so a failure
     * between leaves nothing to undo but the pattern. */
    struct island island = {.language = language};
    struct island *list =
        pare_vector_grow(islands->islands, islands->n_islands, &islands->capacity, sizeof *list);
    if (!list) return pare_fail_nomem(err);
    islands->islands = list;
    if (regex) {
        pare_status status = pare_pattern_new(regex, &island.pattern, err);
        if (status) return status;
    }
    island.token = pare_alloc_text(token, strlen(token));
    if (!island.token) {
        pare_pattern_free(island.pattern);
        return pare_fail_nomem(err);
    }
    list[islands->n_islands++] = island;
    return PARE_OK;
}

/* --- symbols ----------------------------------------------------------------------------- */

/* Number of the language of a symbol. Text between nodes has no symbol, and
 * counts as the host's. */
uint32_t pare_islands_owner(uint32_t symbol)
{
    return symbol == PARE_NO_NODE ? HOST : symbol >> OWNER_SHIFT;
}

/* The opposite of pare_islands_encode. A token that holds islands is a RULE in
 * the tree; here it becomes the token again that the host knows. */
void pare_islands_decode(uint32_t *kind, uint32_t *symbol)
{
    if (*symbol == PARE_NO_NODE) return;
    if (*symbol & HOLDS) *kind = PARE_NODE_TOKEN;
    *symbol &= HOLDS - 1;
}

/* Puts the number of the language into the upper bits, so that symbols of
 * different languages are different in one tree. */
uint32_t pare_islands_encode(uint32_t owner, uint32_t symbol)
{
    assert(owner < PARE_ISLANDS_MAX_LANGUAGES);
    assert((symbol == PARE_NO_NODE || symbol >> OWNER_SHIFT == 0) && "it is the language's own");
    return symbol == PARE_NO_NODE ? symbol : owner << OWNER_SHIFT | symbol;
}

/* The name of a symbol in its language. Names of a language of islands are
 * known from its first tree on, and only nodes of such a tree have its symbols. */
static const char *name_of(const pare_islands *islands, uint32_t kind, uint32_t symbol)
{
    const pare_symbol_names *names = &islands->languages[pare_islands_owner(symbol)].names;
    if (symbol == PARE_NO_NODE) return "text";
    pare_islands_decode(&kind, &symbol);
    return kind == PARE_NODE_TOKEN ? names->token(names->language, symbol)
                                   : names->rule(names->language, symbol);
}

/* The next two are the names of the tree that is made; its `language` is a
 * pare_islands. */
static const char *rule_name(const void *islands, uint32_t symbol)
{
    return name_of(islands, PARE_NODE_RULE, symbol);
}

static const char *token_name(const void *islands, uint32_t symbol)
{
    /* Symbol 0 is the end of the file in every language, so no language is asked. */
    return symbol == 0 ? "<EOF>" : name_of(islands, PARE_NODE_TOKEN, symbol);
}

/* --- the pass ---------------------------------------------------------------------------- */

/* Appends a node and the number of its language. The node keeps the symbol of
 * its own language, see encoded(). Errors: PARE_E_LIMIT (too many nodes, or a
 * symbol that needs the bits which encoding takes), PARE_E_NOMEM. */
static pare_status add_node(struct run *run, pare_parse_node node, uint32_t owner)
{
    pare_parse_node *own = pare_vector_grow(run->own, run->n, &run->own_capacity, sizeof *own);
    /* Each array is noted at once: the other one may fail, and both are freed
     * at the end. */
    if (own) run->own = own;
    unsigned char *owners = pare_vector_grow(run->owner, run->n, &run->owner_capacity, 1);
    if (owners) run->owner = owners;
    if (!own || !owners) return pare_fail_nomem(run->err);
    if (run->n >= PARE_NO_NODE - 1)
        return pare_fail(run->err, PARE_E_LIMIT, "the tree has more than 2^32 nodes");
    if (node.symbol != PARE_NO_NODE && node.symbol >= HOLDS)
        return pare_fail(run->err, PARE_E_LIMIT, "a language of an island has too many symbols");
    /* Nodes keep their own language's symbols here; encoded() makes the tree's. */
    own[run->n] = node;
    owners[run->n++] = (unsigned char)owner;
    return PARE_OK;
}

/* Sets *bytes to the stretch from the first leaf with text to the last one;
 * false if no leaf has text. These are the bytes that the tree really stands
 * for: the root may also cover blanks around them. */
static bool leaves_of(const pare_parse_tree *tree, pare_stretch *bytes)
{
    bool any = false;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (!pare_parse_tree_is_leaf(tree, (uint32_t)i) || node->begin == node->end) continue;
        if (!any) bytes->from = node->begin;
        bytes->to = node->end;
        any = true;
    }
    return any;
}

/* Whether the tree is of the whole text. A parser may stop before the end
 * without an error; then what remains must be blank. `end` is where the last
 * leaf ends. */
static bool is_whole(const pare_parse_tree *tree, const char *text, size_t size, size_t end)
{
    /* A rule that asks for the end of the file has an empty token for it. */
    const pare_parse_node *last = &tree->nodes[tree->n_nodes - 1];
    if (last->kind == PARE_NODE_TOKEN && last->begin == last->end) return true;
    for (; end < size; end++)
        if (!text[end] || !strchr(" \t\r\n\f\v", text[end])) return false;
    return true;
}

/* Adds a leaf without a symbol for bytes from .. to-1 of the host's text, if
 * there are any: text of the host's node that is in no island. Nothing replaces
 * such a leaf, since it is of no kind. */
static pare_status add_margin(struct run *run, uint32_t parent, size_t from, size_t to)
{
    if (from == to) return PARE_OK;
    pare_parse_node leaf = {.kind = PARE_NODE_TOKEN,
                            .symbol = PARE_NO_NODE,
                            .begin = (uint32_t)from,
                            .end = (uint32_t)to,
                            .after = (uint32_t)run->n + 1,
                            .parent = parent};
    return add_node(run, leaf, HOST);
}

/* The position in `within` that is nearest to `at`. */
static uint32_t clamp(size_t at, pare_stretch within)
{
    return (uint32_t)(at < within.from ? within.from : at > within.to ? within.to : at);
}

/* Adds the nodes of one island. `offset` is where its text begins in the host's
 * text; `bytes` is what its leaves cover there. Nodes without text may stand
 * outside of that, next to a margin's leaf, so positions are moved into
 * `bytes`: siblings must not overlap. */
static pare_status add_tree(struct run *run, const pare_parse_tree *tree, uint32_t language,
                            uint32_t parent, size_t offset, pare_stretch bytes)
{
    pare_status status = PARE_OK;
    uint32_t base = (uint32_t)run->n;
    for (size_t i = 0; !status && i < tree->n_nodes; i++) {
        pare_parse_node node = tree->nodes[i];
        node.begin = clamp(offset + node.begin, bytes);
        node.end = clamp(offset + node.end, bytes);
        node.after += base;
        /* The root of the island hangs below the node of the host. */
        node.parent = i ? node.parent + base : parent;
        status = add_node(run, node, language);
    }
    return status;
}

/* Parses the stretch `at` of the host's text as `language`. If that succeeds
 * for all of it, adds a leaf for the text between *done and the island's first
 * leaf, then the island, and sets *done to where its last leaf ends. Otherwise
 * nothing is added. A text that does not parse is no error; a parser that fails
 * is. */
static pare_status try_island(struct run *run, uint32_t language, uint32_t parent, pare_stretch at,
                              size_t *done)
{
    struct language *of = &run->islands->languages[language];
    pare_parse_tree tree = {0};
    pare_stretch leaves = {0, 0};
    const char *text = run->bytes + at.from;
    size_t size = at.to - at.from;
    /* A text that does not parse is no island; only a parser's own failure ends the run. */
    pare_status status = of->parse(of->context, text, size, &tree, run->err);
    if (!status && !tree.error.any && leaves_of(&tree, &leaves) &&
        is_whole(&tree, text, size, leaves.to)) {
        /* Names are the parser's; any tree of the language has the same. */
        of->names = tree.names;
        leaves.from += at.from;
        leaves.to += at.from;
        status = add_margin(run, parent, *done, leaves.from);
        if (!status) status = add_tree(run, &tree, language, parent, at.from, leaves);
        *done = leaves.to;
        run->n_islands++;
    }
    pare_parse_tree_done(&tree);
    return status;
}

/* Looks for the next match of an island at or after byte `from` of the host's
 * text, within `node`. Without an expression the whole node matches, once. The
 * result is in `island`. */
static pare_status find_match(struct run *run, struct island *island, const pare_parse_node *node,
                              size_t from, pare_error *err)
{
    const pare_span text = {(const unsigned char *)run->bytes + node->begin,
                            node->end - node->begin};
    pare_stretch at = {0, 0};
    if (!island->pattern) {
        island->has_match = from == node->begin;
        island->match = (pare_stretch){node->begin, node->end};
        return PARE_OK;
    }
    pare_status status =
        pare_pattern_find(island->pattern, text, from - node->begin, &island->has_match, &at, err);
    island->match = (pare_stretch){node->begin + at.from, node->begin + at.to};
    return status;
}

/* The island whose match begins first; of several, the one added first. NULL: there is no match. */
static struct island *first_match(const struct run *run)
{
    struct island *first = NULL;
    for (size_t i = 0; i < run->islands->n_islands; i++) {
        struct island *island = &run->islands->islands[i];
        if (!island->has_match || (first && island->match.from >= first->match.from)) continue;
        first = island;
    }
    return first;
}

/* Adds all islands of one node. Invariant: each island of this name holds its
 * next match at or after the end of the last island taken, or none; so islands
 * never overlap. After a match that does not parse only its own kind moves on,
 * so another kind may try the same bytes. */
static pare_status look(struct run *run, const char *name, const pare_parse_node *node,
                        uint32_t parent, size_t *done)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < run->islands->n_islands; i++) {
        struct island *island = &run->islands->islands[i];
        island->has_match = false;
        if (strcmp(island->token, name) == 0)
            status = find_match(run, island, node, node->begin, run->err);
    }
    /* Each round takes the first match in the text, whatever kind of island it is. */
    for (struct island *island; !status && (island = first_match(run));) {
        size_t before = run->n_islands, from = island->match.to;
        status = try_island(run, island->language, parent, island->match, done);
        bool taken = run->n_islands > before;
        if (!status) status = find_match(run, island, node, from, run->err);
        /* Matches that began within the island just taken are void. */
        for (size_t i = 0; !status && taken && i < run->islands->n_islands; i++) {
            struct island *other = &run->islands->islands[i];
            if (other->has_match && other->match.from < from)
                status = find_match(run, other, node, from, run->err);
        }
    }
    return status;
}

/* The name by which islands of a node are looked for; NULL for an empty node,
 * or one that is neither rule nor token. */
static const char *name_for(const struct run *run, const pare_parse_node *node)
{
    const pare_symbol_names *names = &run->host->names;
    bool rule = node->kind == PARE_NODE_RULE;
    if ((!rule && node->kind != PARE_NODE_TOKEN) || node->begin == node->end) return NULL;
    return rule ? names->rule(names->language, node->symbol)
                : names->token(names->language, node->symbol);
}

/* Whether islands are looked for in nodes called `name`; NULL is no name. */
static bool has_islands(const struct run *run, const char *name)
{
    for (size_t i = 0; name && i < run->islands->n_islands; i++)
        if (strcmp(run->islands->islands[i].token, name) == 0) return true;
    return false;
}

/* Copies node `i` of the host. If it holds islands, they take the place of all
 * nodes below it, and *next is the node after these; else *next is i + 1. */
static pare_status take_node(struct run *run, uint32_t i, uint32_t *next)
{
    const pare_parse_node *node = &run->host->nodes[i];
    const char *name = name_for(run, node);
    uint32_t index = (uint32_t)run->n;
    size_t before = run->n_islands, done = node->begin;
    run->moved[i] = index;
    *next = i + 1;
    pare_status status = add_node(run, *node, HOST);
    if (!status && has_islands(run, name)) status = look(run, name, node, index, &done);
    if (status || run->n_islands == before) return status;
    /* The node's own children give way to its islands. */
    for (*next = node->after; ++i < node->after;)
        run->moved[i] = PARE_NO_NODE;
    return add_margin(run, index, done, node->end);
}

/* Sets the links of the host's nodes. They still have the host's numbers, and
 * numbers have changed wherever an island was put in. */
static void link_host(struct run *run)
{
    for (uint32_t i = 0; i < run->host->n_nodes; i++) {
        if (run->moved[i] == PARE_NO_NODE) continue;
        const pare_parse_node *from = &run->host->nodes[i];
        pare_parse_node *node = &run->own[run->moved[i]];
        /* Islands replace everything below a node, so the node that follows a kept node is kept as
         * well. */
        node->after = from->after < run->host->n_nodes ? run->moved[from->after] : (uint32_t)run->n;
        if (from->parent != PARE_NO_NODE) node->parent = run->moved[from->parent];
    }
}

/* A copy of the nodes in which each symbol says its language; NULL when memory
 * is out. A token that holds islands becomes a rule, since tokens have no
 * children. The caller owns it. */
static pare_parse_node *encoded(const struct run *run)
{
    pare_parse_node *nodes = pare_alloc(run->n, sizeof *nodes);
    for (uint32_t i = 0; nodes && i < run->n; i++) {
        pare_parse_node *node = &nodes[i];
        *node = run->own[i];
        bool token = node->kind == PARE_NODE_TOKEN, holds = token && node->after > i + 1;
        /* Symbol 0 is the end of the file in every language. */
        if (token && node->symbol == 0) continue;
        node->symbol = pare_islands_encode(run->owner[i], node->symbol);
        if (!holds) continue;
        node->kind = PARE_NODE_RULE;
        node->symbol |= HOLDS;
    }
    return nodes;
}

/* The host's tree is copied and never changed, so after a failure the caller
 * still has it as it was. *out is set only on success. */
pare_status pare_islands_fill(pare_islands *islands, const pare_parse_tree *host, const char *bytes,
                              pare_island_tree *out, pare_error *err)
{
    struct run run = {.islands = islands, .host = host, .bytes = bytes, .err = err};
    pare_parse_node *nodes = NULL;
    pare_status status = PARE_OK;
    islands->languages[HOST].names = host->names;
    /* Maps numbers of the host's nodes to ours, until links are set. */
    run.moved = pare_alloc(host->n_nodes, sizeof *run.moved);
    if (!run.moved) status = pare_fail_nomem(err);
    for (uint32_t i = 0; !status && i < host->n_nodes;)
        status = take_node(&run, i, &i);
    if (!status) link_host(&run);
    pare_alloc_free(run.moved);
    pare_parse_error error = {.any = false};
    if (!status) status = pare_parse_tree_copy_error(&host->error, &error, err);
    if (!status && !(nodes = encoded(&run))) status = pare_fail_nomem(err);
    if (status) {
        pare_alloc_free(error.message);
        pare_alloc_free(run.own);
        pare_alloc_free(run.owner);
        return status;
    }
    /* Everything that could fail is done; the tree takes what was made. */
    *out = (pare_island_tree){
        .tree = *host, .own = run.own, .owner = run.owner, .n_islands = run.n_islands};
    out->tree.nodes = nodes;
    out->tree.n_nodes = run.n;
    out->tree.error = error;
    out->tree.names =
        (pare_symbol_names){.rule = rule_name, .token = token_name, .language = islands};
    return PARE_OK;
}

void pare_islands_tree_done(pare_island_tree *filled)
{
    pare_parse_tree_done(&filled->tree);
    pare_alloc_free(filled->own);
    pare_alloc_free(filled->owner);
    *filled = (pare_island_tree){.n_islands = 0};
}

/* --- options ----------------------------------------------------------------------------- */

static const char FORM[] = "TOKEN[:REGEX]=FILE.g4[#RULE] or TOKEN[:REGEX]=lang:NAME";

/* All-zero is a no-op. All strings of the option point into `words`. */
void pare_islands_option_done(pare_island_option *option)
{
    pare_alloc_free(option->words);
    *option = (pare_island_option){.words = NULL};
}

/* Cuts FILE[,FILE ...][#RULE] in place, by NULs. A rule is what follows the
 * last '#', since a path may have one, too. */
static pare_status read_files(char *target, pare_island_option *option, pare_error *err)
{
    char *rule = strrchr(target, '#');
    if (rule) {
        *rule++ = '\0';
        option->start = rule;
    }
    for (char *file = target; file;) {
        char *comma = strchr(file, ',');
        if (comma) *comma++ = '\0';
        if (!*file || (rule && !*rule))
            return pare_fail(err, PARE_E_ARG, "an island's file or rule has no name: give %s",
                             FORM);
        if (option->n_files == PARE_ISLAND_MAX_FILES)
            return pare_fail(err, PARE_E_ARG, "an island's grammar has at most %d files",
                             PARE_ISLAND_MAX_FILES);
        option->files[option->n_files++] = file;
        file = comma;
    }
    return PARE_OK;
}

/* Cuts the option in place: at its last '=', because a regular expression may
 * have one, and at the first ':' before that, because names of tokens have
 * none. */
static pare_status cut(char *words, pare_island_option *option, pare_error *err)
{
    char *target = strrchr(words, '='), *regex = strchr(words, ':');
    if (!target || target == words || !target[1])
        return pare_fail(err, PARE_E_ARG, "'%.200s' is not an island: give %s", words, FORM);
    *target++ = '\0';
    /* A ':' after the '=' belongs to the target (lang:NAME). */
    if (regex && regex < target) {
        *regex++ = '\0';
        if (!*regex || !*words)
            return pare_fail(err, PARE_E_ARG, "an island's token or expression is empty: give %s",
                             FORM);
        option->regex = regex;
    }
    option->token = words;
    if (strncmp(target, "lang:", 5) != 0) return read_files(target, option, err);
    option->language = target + 5;
    return PARE_OK;
}

/* On failure *out is untouched. */
pare_status pare_islands_option_read(const char *text, pare_island_option *out, pare_error *err)
{
    size_t size = strlen(text) + 1;
    const char *equals = strrchr(text, '=');
    pare_island_option option = {.words = pare_alloc(2, size)};
    if (!option.words) return pare_fail_nomem(err);
    /* One copy is cut into words, the other keeps the target in one piece. */
    memcpy(option.words, text, size);
    memcpy(option.words + size, text, size);
    if (equals) option.target = option.words + size + (equals + 1 - text);
    pare_status status = cut(option.words, &option, err);
    if (status)
        pare_islands_option_done(&option);
    else
        *out = option;
    return status;
}
