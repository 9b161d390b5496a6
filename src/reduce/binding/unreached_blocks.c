/* What was not reached of a text of which only its blocks of lines are known.
 *
 * An interpreter tells of lines; what stands in brackets can be told by these, but not that `end`
 * ends a function, or that a deeper line is of the one above.  So the lists of blocks are walked from
 * the outermost in: items of one list of which nothing was reached go together, and of a block of
 * which something was, what is in it is looked at.
 *
 * Invariant: pieces are runs of whole items of one list, so that no block loses one of its ends.
 * Source: ours; the same as unreached.c does with the nodes of a tree.  Test:
 * tests/unit/test_unreached.c. */
#include "reduce/binding/unreached_blocks.h"

#include <assert.h>
#include <string.h>

#include "base/vector.h"
#include "reduce/structure/line_table.h"
#include "reduce/structure/structure.h"
#include "text/pattern.h"

pare_status pare_unreached_pieces_add(pare_unreached_pieces *pieces, size_t from, size_t to,
                                      pare_error *err)
{
    assert(from < to);
    pare_extent *grown =
        pare_vector_grow(pieces->items, pieces->n, &pieces->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    pieces->items = grown;
    grown[pieces->n++] = (pare_extent){from, to};
    return PARE_OK;
}

bool pare_unreached_is(const pare_unreached *unreached, size_t *at, size_t begin, size_t end)
{
    while (*at < unreached->n && unreached->ranges[*at].to <= begin)
        ++*at;
    return *at < unreached->n && unreached->ranges[*at].from <= begin &&
           end <= unreached->ranges[*at].to;
}

/* The walk over the lists. */
struct walk {
    const pare_structure *structure;
    const pare_unreached *unreached;
    const unsigned char *bytes; /* of all the text */
    pare_unreached_pieces *pieces;
    pare_unreached_depth depth;
    size_t at; /* the first range that may hold the next item: items ascend */
};

/* A list: lines from .. to-1, of a block that ends with a closer or not. */
struct list {
    uint32_t from, to;
    bool closed;
    bool inner; /* it is in a block */
};

static size_t begin_of(const struct walk *walk, uint32_t line)
{
    return walk->structure->before + walk->structure->table.lines[line].begin;
}

/* Whether nothing was reached of an item; blank lines after it are no matter. */
static bool is_dead(struct walk *walk, uint32_t from, uint32_t to)
{
    const pare_line *lines = walk->structure->table.lines;
    while (to > from + 1 && !lines[to - 1].first)
        to--;
    return pare_unreached_is(walk->unreached, &walk->at, begin_of(walk, from), begin_of(walk, to));
}

/* Whether each bracket in bytes from .. to-1 has its partner there. */
static bool is_balanced(const unsigned char *bytes, size_t from, size_t to)
{
    long depth = 0;
    for (size_t i = from; i < to && depth >= 0; i++) {
        depth += bytes[i] == '{' || bytes[i] == '(' || bytes[i] == '[';
        depth -= bytes[i] == '}' || bytes[i] == ')' || bytes[i] == ']';
    }
    return !depth;
}

/* Whether the line goes on in the next one, by the sign that it ends with. */
static bool goes_on(const struct walk *walk, uint32_t line)
{
    const size_t begin = begin_of(walk, line);
    size_t end = begin_of(walk, line + 1);
    while (end > begin && strchr(" \t\r\n", walk->bytes[end - 1]))
        end--;
    return end > begin && strchr(",([=+-*/.&|<\\", walk->bytes[end - 1]);
}

/* The first line that is not blank, from `line` on; n_lines: there is none. */
static uint32_t shown_from(const struct walk *walk, uint32_t line)
{
    while (line < walk->structure->table.n_lines && !walk->structure->table.lines[line].first)
        line++;
    return line;
}

/* Whether nothing would be left in a block if lines from .. to-1 went: what is above them, but for the
 * rest of its header, which may be deeper, is less deep. */
static bool leaves_header_bare(const struct walk *walk, uint32_t from, uint32_t to)
{
    const pare_line *lines = walk->structure->table.lines;
    uint32_t header = from;
    do {
        if (!header--) return false;
    } while (!lines[header].first || lines[header].column > lines[from].column);
    if (lines[header].column == lines[from].column) return false;
    const uint32_t next = shown_from(walk, to);
    return next == walk->structure->table.n_lines || lines[next].column <= lines[header].column;
}

/* Sets *to to where the last of the items begins that begin in lines from .. *to-1, if it is a line; to
 * `from` if it is a block. */
static void keep_last(const struct walk *walk, uint32_t from, uint32_t *to)
{
    uint32_t last = from;
    for (uint32_t at = from; at < *to; at = pare_structure_item_end(walk->structure, at, *to))
        last = at;
    *to = pare_structure_block_at(walk->structure, last, *to) ? from : last;
}

/* Appends items that begin in lines from .. to-1 of the list. */
static pare_status add_run(struct walk *walk, struct list list, uint32_t from, uint32_t to,
                           pare_error *err)
{
    if (from >= to) return PARE_OK;
    /* The end of a body, most often after a return or an error, is offered with INSIDE. */
    if ((walk->depth == PARE_UNREACHED_INSIDE) != (list.inner && to == list.to)) return PARE_OK;
    if (!list.closed && leaves_header_bare(walk, from, to)) keep_last(walk, from, &to);
    const size_t begin = begin_of(walk, from), end = begin_of(walk, to);
    if (begin == end || !is_balanced(walk->bytes, begin, end)) return PARE_OK;
    if (from && goes_on(walk, from - 1)) return PARE_OK;
    return pare_unreached_pieces_add(walk->pieces, begin, end, err);
}

/* As deep as blocks are, PARE_STRUCTURE_MOST_DEPTH at most. */
static pare_status walk_list(struct walk *walk, struct list list, pare_error *err)
{
    uint32_t run = list.from; /* of items that were not reached */
    pare_status status = PARE_OK;
    for (uint32_t at = list.from, end; !status && at < list.to; at = end) {
        end = pare_structure_item_end(walk->structure, at, list.to);
        const pare_structure_block *block = pare_structure_block_at(walk->structure, at, list.to);
        /* A further part of a block may have to be there: `except`. */
        const bool may_go = !block || !block->middle || walk->depth == PARE_UNREACHED_AROUND;
        if (may_go && is_dead(walk, at, end)) continue;
        status = add_run(walk, list, run, at, err);
        run = end;
        if (block && !status)
            status = walk_list(
                walk, (struct list){block->body, block->closer, block->closer < block->end, true},
                err);
    }
    return status ? status : add_run(walk, list, run, list.to, err);
}

/* Whether most blocks end with a word, or by their indentation: brackets are told without structure. */
static bool is_worded(const pare_structure *structure)
{
    uint32_t n_brackets = 0;
    for (uint32_t i = 0; i < structure->n_blocks; i++) {
        const pare_structure_block *block = &structure->blocks[i];
        const pare_line *closer = &structure->table.lines[block->closer];
        n_brackets += block->closer < block->end &&
                      strchr(")]}", structure->table.bytes[closer->begin + closer->margin]) != NULL;
    }
    return structure->n_blocks > 2 * n_brackets;
}

pare_status pare_unreached_blocks_list(const pare_pass_view *view, const pare_unreached *unreached,
                                       pare_unreached_depth depth, bool *any,
                                       pare_unreached_pieces *pieces, pare_error *err)
{
    struct walk walk = {
        .unreached = unreached, .bytes = view->bytes, .pieces = pieces, .depth = depth};
    pare_structure *structure = NULL;
    pare_status status =
        pare_structure_new(view->text, (pare_stretch){view->begin, view->end}, &structure, err);
    *any = !status && is_worded(structure);
    walk.structure = structure;
    if (*any)
        status = walk_list(&walk, (struct list){0, structure->table.n_lines, true, false}, err);
    pare_structure_unref(structure);
    return status;
}
