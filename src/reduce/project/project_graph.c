/* From mentions to a dependency graph, by way of an outline: so files are searched by the same
 * closures as declarations (reduce/dependency).
 *
 * Each file has two words: one that it declares, which its users use, and one that it uses, which
 * its mentions in build files declare as members: so they are kept when their file and the file
 * that they name are, and neither needs them.  What is left out with a node is up to its next
 * sibling, so what stands between two mentions is a node too, which stays with its parent.
 * Invariant: nodes are in pre-order, and cuts that overlap otherwise than one in the other make
 * no second node. */
#include "reduce/project/project_graph.h"

#include <assert.h>
#include <stdio.h>

#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/outline.h"

enum { MOST_NESTED = 8 }; /* cuts in each other: a rule, a line of it, a word */

/* An outline in the making. */
struct maker {
    const pare_project *project;
    pare_outline outline;
    pare_error *err;
    uint32_t nest[MOST_NESTED]; /* open nodes, the file's first */
    size_t n_nest;
    size_t cursor; /* what stands before it is in a node */
};

/* The word of file `file`: 'f', which it declares, or 'm', which its mentions do. */
static pare_status word_of(struct maker *maker, char kind, uint32_t file, uint32_t *out)
{
    char text[16];
    int size = snprintf(text, sizeof text, "%c%u", kind, (unsigned)file);
    return pare_outline_add_word(&maker->outline, text, (size_t)size, out, maker->err);
}

/* That `node` uses the word of a file. */
static pare_status add_use(struct maker *maker, uint32_t node, char kind, uint32_t file,
                           pare_outline_use_kind how)
{
    pare_outline_use use = {.node = node, .qualifier = PARE_NO_WORD, .kind = how};
    pare_status status = word_of(maker, kind, file, &use.word);
    return status ? status : pare_outline_add_use(&maker->outline, &use, maker->err);
}

/* A node in the innermost one that is open.  Its `after` is set again when it is closed, if others
 * come into it. */
static pare_status add_node(struct maker *maker, size_t begin, size_t end, uint32_t roles,
                            uint32_t *out)
{
    const pare_outline_node node = {.begin = (uint32_t)begin,
                                    .end = (uint32_t)end,
                                    .parent = maker->n_nest ? maker->nest[maker->n_nest - 1]
                                                            : PARE_NO_NODE,
                                    .roles = roles};
    pare_status status = pare_outline_add_node(&maker->outline, &node, out, maker->err);
    if (!status) maker->outline.nodes[*out].after = *out + 1;
    return status;
}

/* Makes what stands from the cursor to `to` a node of its own in the innermost open node, with which it stays:
 * else it would go with the mention before it (see above). */
static pare_status fill_gap(struct maker *maker, size_t to)
{
    uint32_t node;
    if (maker->cursor >= to) return PARE_OK;
    pare_status status = add_node(maker, maker->cursor, to, PARE_OUTLINE_FORCED, &node);
    maker->cursor = to;
    return status;
}

/* Closes open nodes that end at `to` or before it, but not the file. */
static pare_status close_until(struct maker *maker, size_t to)
{
    pare_status status = PARE_OK;
    pare_outline_node *nodes = maker->outline.nodes;
    while (!status && maker->n_nest > 1 && nodes[maker->nest[maker->n_nest - 1]].end <= to) {
        uint32_t node = maker->nest[maker->n_nest - 1];
        bool whole = maker->outline.n_nodes == node + 1;
        if (!whole) status = fill_gap(maker, nodes[node].end);
        nodes = maker->outline.nodes;
        maker->cursor = nodes[node].end;
        nodes[node].after = (uint32_t)maker->outline.n_nodes;
        maker->n_nest--;
    }
    return status;
}

/* A mention of a build file, as a node.  One whose cut overlaps another without lying in it, or that lies too
 * deep, is left out: it then stays, although its file goes, and the test says whether that may be. */
static pare_status add_listed(struct maker *maker, const pare_mention *mention)
{
    uint32_t node, word;
    pare_status status = close_until(maker, mention->cut.from);
    if (status || maker->n_nest == MOST_NESTED) return status;
    const pare_outline_node *around = &maker->outline.nodes[maker->nest[maker->n_nest - 1]];
    bool same =
        maker->n_nest > 1 && around->begin == mention->cut.from && around->end == mention->cut.to;
    if (same || mention->cut.to > around->end || mention->cut.from < maker->cursor) return PARE_OK;
    status = fill_gap(maker, mention->cut.from);
    if (!status)
        status = add_node(maker, mention->cut.from, mention->cut.to, PARE_OUTLINE_MEMBER, &node);
    if (!status) status = word_of(maker, 'm', mention->to, &word);
    if (!status) status = pare_outline_add_name(&maker->outline, node, word, maker->err);
    if (!status) status = add_use(maker, node, 'f', mention->to, PARE_OUTLINE_GLOBAL);
    if (status) return status;
    maker->nest[maker->n_nest++] = node;
    maker->cursor = mention->cut.from;
    return PARE_OK;
}

/* A file, with its mentions `first` .. `end`-1. */
static pare_status add_file(struct maker *maker, uint32_t index, bool seed, size_t first,
                            size_t end)
{
    const pare_project_file *file = &maker->project->files[index];
    const pare_mention *mentions = maker->project->mentions;
    uint32_t node, word;
    maker->n_nest = 0;
    pare_status status = add_node(maker, file->frame, file->content.to,
                                  seed || file->fixed ? PARE_OUTLINE_FORCED : 0, &node);
    if (!status) status = word_of(maker, 'f', index, &word);
    if (!status) status = pare_outline_add_name(&maker->outline, node, word, maker->err);
    if (!status) status = add_use(maker, node, 'm', index, PARE_OUTLINE_PART);
    if (status) return status;
    maker->nest[maker->n_nest++] = node;
    maker->cursor = file->frame;
    for (size_t i = first; !status && i < end; i++)
        status = mentions[i].kind == PARE_MENTION_NEED
                     ? add_use(maker, node, 'f', mentions[i].to, PARE_OUTLINE_GLOBAL)
                     : add_listed(maker, &mentions[i]);
    if (!status) status = close_until(maker, file->content.to);
    if (!status && maker->outline.n_nodes > node + 1u) status = fill_gap(maker, file->content.to);
    maker->outline.nodes[node].after = (uint32_t)maker->outline.n_nodes;
    return status;
}

/* Mentions are sorted by file, so one pass over both is enough.  Without mentions there is no graph
 * (*out is NULL): nothing depends on anything. */
pare_status pare_project_graph_make(const pare_project *project, const unsigned char *seeds,
                                    pare_dependency **out, pare_error *err)
{
    struct maker maker = {.project = project, .err = err};
    uint32_t global;
    *out = NULL;
    if (!project->n_mentions) return PARE_OK;
    pare_status status = pare_outline_add_space(&maker.outline, 0, PARE_NO_WORD, &global, err);
    size_t first = 0;
    for (uint32_t i = 0; !status && i < project->n_files; i++) {
        size_t end = first;
        while (end < project->n_mentions && project->mentions[end].from == i)
            end++;
        status = add_file(&maker, i, seeds[i], first, end);
        first = end;
    }
    if (!status) assert(pare_outline_check(&maker.outline));
    if (!status) status = pare_dependency_of_outline(&maker.outline, project->text, out, err);
    pare_outline_done(&maker.outline);
    return status;
}
