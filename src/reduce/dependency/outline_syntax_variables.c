/* The outline of a program by its syntax tree: variables of functions whose statements are nodes.
 *
 * A statement that uses a variable needs the one that declares it.  What is no node, such as a `return`, is of the
 * function's body, and so is what that uses.  Where a variable that nothing uses is an error, its declaration needs
 * one of its uses, too: with the last of them it goes.  In such languages to be assigned to is no use.
 *
 * A need of one of several statements, and that of a body, which may lose what it holds, cannot be edges between
 * nodes: they are names without a text, which nobody else finds.
 * Linear in the occurrences of variables.  Source: ours. */
#include <string.h>

#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/syntax.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_syntax.h"

/* What is known of a variable. */
struct variable {
    pare_outline_reader *reader;
    uint32_t symbol;
    uint32_t
        declared;   /* the node that declares it: a statement, or a body of which that is no node */
    bool is_used;   /* by what stays as long as the declaration */
    uint32_t given; /* a word that the declaration gives to bodies; PARE_NO_WORD: none uses it */
    uint32_t users; /* a word that statements give which use it; PARE_NO_WORD: there are none */
};

static uint32_t roles_of(const pare_outline_reader *reader, uint32_t node)
{
    return node == PARE_NO_NODE ? 0 : reader->outline->nodes[node].roles;
}

/* Whether the node `inner` is `outer` or in it. */
static bool is_within(const pare_outline_reader *reader, uint32_t inner, uint32_t outer)
{
    return outer <= inner && inner < reader->outline->nodes[outer].after;
}

/* A name that nobody can know: `from` needs what declares it.  The word is made once, with the
 * use; later calls for the same variable only find it there, so whoever needs it first counts. */
static pare_status add_need(pare_outline_reader *reader, uint32_t from, uint32_t *word)
{
    if (*word != PARE_NO_WORD) return PARE_OK;
    pare_status status = pare_outline_new_word(reader->outline, "", 0, word, reader->err);
    const pare_outline_use use = {from, *word, PARE_NO_WORD, PARE_OUTLINE_PLAIN, 0};
    return status ? status : pare_outline_add_use(reader->outline, &use, reader->err);
}

/* Whether the occurrence is only assigned to: `x = 1`, not `x += 1`, which reads x.  Go counts
 * the latter as a use, and the former not.  A declaration without a value (`var x int`) is no
 * use either. */
static bool is_overwritten(const pare_outline_reader *reader, const pare_occurrence *at)
{
    const pare_syntax *syntax = &reader->syntax;
    if (at->declaring == PARE_NO_NODE) return false;
    if (!pare_syntax_is(syntax, at->declaring, PARE_ROLE_ASSIGNS)) return at->declares;
    uint32_t child = pare_syntax_first(syntax, at->declaring);
    for (; child != PARE_NO_NODE; child = pare_syntax_next(syntax, child))
        if (pare_syntax_size(syntax, child) == 1 && *pare_syntax_text(syntax, child) == '=')
            return true;
    return false;
}

/* A use in the node, which is a statement or a body.  Three cases, by who declares and who uses:
 *
 *     a statement uses what another one declares      an edge to that (LOCAL)
 *     a body uses what a statement declares           a name without a text, which the statement declares
 *     a body declares                                 nothing: it is there as long as its statements
 *
 * A statement within the one that declares needs nothing either: it goes with that. */
static pare_status use_in(struct variable *self, const pare_occurrence *at, uint32_t node)
{
    pare_outline_reader *reader = self->reader;
    const bool piece = roles_of(reader, node) & PARE_OUTLINE_PIECE;
    const bool given = roles_of(reader, self->declared) & PARE_OUTLINE_PIECE;
    pare_status status = PARE_OK;
    if (given && piece && !is_within(reader, node, self->declared)) {
        const pare_outline_use use = {node, self->declared, PARE_NO_WORD, PARE_OUTLINE_LOCAL, 0};
        status = pare_outline_add_use(reader->outline, &use, reader->err);
    } else if (given && !piece && self->given == PARE_NO_WORD) {
        status = add_need(reader, node, &self->given);
        if (!status)
            status =
                pare_outline_add_name(reader->outline, self->declared, self->given, reader->err);
    }
    if (status || !reader->table->unused_fails || is_overwritten(reader, at)) return status;
    if (!piece || node == self->declared) self->is_used = true;
    return status;
}

/* The declaration needs one of the statements that use it: it uses a word that all of those
 * declare, so it goes with the last of them.  Not where a use stays as long as the declaration
 * (is_used), as in a `return`. */
static pare_status need_use(struct variable *self)
{
    pare_outline_reader *reader = self->reader;
    uint32_t last = PARE_NO_NODE;
    pare_status status = PARE_OK;
    if (!reader->table->unused_fails || self->declared == PARE_NO_NODE || self->is_used)
        return PARE_OK;
    for (uint32_t i = reader->names.symbols[self->symbol].first; !status && i != PARE_NO_NODE;
         i = reader->names.occurrences[i].next) {
        const pare_occurrence *at = &reader->names.occurrences[i];
        const uint32_t node = reader->owner[at->leaf];
        if (!(roles_of(reader, node) & PARE_OUTLINE_PIECE) || node == last ||
            node == self->declared || is_overwritten(reader, at))
            continue;
        last = node;
        status = add_need(reader, self->declared, &self->users);
        if (!status)
            status = pare_outline_add_name(reader->outline, node, self->users, reader->err);
    }
    return status;
}

/* Goes through the occurrences in the order of the text: the first that declares is the
 * declaration, and what comes after it are uses.  A parameter is declared by none of the nodes,
 * so it is passed over. */
static pare_status use_variable(pare_outline_reader *reader, uint32_t symbol)
{
    struct variable self = {.reader = reader,
                            .symbol = symbol,
                            .declared = PARE_NO_NODE,
                            .given = PARE_NO_WORD,
                            .users = PARE_NO_WORD};
    pare_status status = PARE_OK;
    for (uint32_t i = reader->names.symbols[symbol].first; !status && i != PARE_NO_NODE;
         i = reader->names.occurrences[i].next) {
        const pare_occurrence *at = &reader->names.occurrences[i];
        const uint32_t node = reader->owner[at->leaf];
        if (!(roles_of(reader, node) & (PARE_OUTLINE_PIECE | PARE_OUTLINE_BODY))) continue;
        if (at->declares && self.declared == PARE_NO_NODE)
            self.declared = node;
        else if (self.declared != PARE_NO_NODE)
            status = use_in(&self, at, node);
    }
    return status ? status : need_use(&self);
}

/* Whether the symbol is known only in the function of which `body` is the body: its scope lies
 * in that function. */
static bool is_variable_of(const pare_outline_reader *reader, uint32_t symbol, uint32_t body)
{
    const uint32_t root = pare_outline_syntax_root(reader, body);
    const uint32_t function = reader->syntax.nodes[root].parent;
    return function != PARE_NO_NODE &&
           pare_syntax_holds(&reader->syntax, function, reader->names.symbols[symbol].scope);
}

/* Whether the name is that of what is thrown away: each is another. */
static bool is_blank(const pare_outline_reader *reader, uint32_t leaf)
{
    return pare_syntax_size(&reader->syntax, leaf) == 1 &&
           *pare_syntax_text(&reader->syntax, leaf) == '_';
}

pare_status pare_outline_syntax_variables_use(pare_outline_reader *reader)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < reader->names.n_symbols; i++) {
        const pare_bound *symbol = &reader->names.symbols[i];
        if (symbol->member || symbol->first == PARE_NO_NODE) continue;
        const uint32_t leaf = reader->names.occurrences[symbol->first].leaf;
        const uint32_t node = reader->owner[leaf];
        if (!(roles_of(reader, node) & (PARE_OUTLINE_PIECE | PARE_OUTLINE_BODY)) ||
            is_blank(reader, leaf))
            continue;
        const uint32_t body = pare_outline_syntax_whole(reader, node);
        if (is_variable_of(reader, i, body)) status = use_variable(reader, i);
    }
    return status;
}
