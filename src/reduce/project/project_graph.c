/* From mentions and declarations to a dependency graph, by way of one outline of all files: so a folder is
 * searched by the same closures as one program (reduce/dependency).
 *
 * Each file has two words: one that it declares, which its users use, and one that it uses, which
 * its mentions in build files declare as members: so they are kept when their file and the file
 * that they name are, and neither needs them.  What is left out with a node is up to its next
 * sibling, so what stands between two mentions is a node too, which stays with its parent.
 *
 * The declarations of a file are nodes below that of the file, which is only there for them.  They are known in
 * a name space of the file's own; in languages whose packages are folders, of its folder.  What a file imports
 * is declared in a closed space between the two: its own declarations find it there, others do not.  A mention
 * in code is a link: the statement that it is in needs the file, and the names in it mean what that file
 * declares (pare_outline_link).  A module of Rust is compiled only where it is mentioned, so it needs that.
 *
 * Invariant: nodes are in pre-order, and cuts that overlap otherwise than one in the other make
 * no second node.  A file is read as a whole or not at all. */
#include "reduce/project/project_graph.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/outline.h"

enum { MOST_NESTED = 8 }; /* cuts in each other: a rule, a line of it, a word */

/* A file whose declarations are nodes: it is only there for them, and re-exports may be tied to it. */
static const uint32_t VIEWED = PARE_OUTLINE_SHELL | PARE_OUTLINE_CLASS;

/* An outline in the making. */
struct maker {
    const pare_project_graph_source *source;
    const pare_project *project;
    pare_outline outline;
    pare_error *err;
    pare_outline_part **parts; /* owned; by file: its reader; NULL: its declarations are no nodes */
    uint32_t *nodes;           /* owned; by file */
    uint32_t *spaces;          /* owned; by file: the word of its space */
    pare_outline_link *links;  /* owned; of all files, in their order */
    size_t n_links;
    pare_buffer text;           /* of a name at hand */
    uint32_t nest[MOST_NESTED]; /* open nodes, the file's first */
    size_t n_nest;
    size_t cursor; /* what stands before it is in a node */
};

/* The word of file `file`: 'f', which it declares, or 'm', which its mentions do. The letter
 * keeps words of different meaning apart: 's' is that of a space, 'r' that of a Rust module. */
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
 * come into it. Positions in an outline are 32 bits. */
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
 * else it would go with the mention before it (see above). Nothing if nothing stands there. The
 * cursor is at `to` afterwards. */
static pare_status fill_gap(struct maker *maker, size_t to)
{
    uint32_t node;
    if (maker->cursor >= to) return PARE_OK;
    pare_status status = add_node(maker, maker->cursor, to, PARE_OUTLINE_FORCED, &node);
    maker->cursor = to;
    return status;
}

/* Closes open nodes that end at `to` or before it, but not the file. A node without others in
 * it needs no gap at its end. */
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
 * deep, is left out: it then stays, although its file goes, and the test says whether that may be.
 *
 * The node declares 'm' of the file that it names, which that file uses as a part: so the
 * mention is kept with the file. It uses 'f' of the file: so it does not stay without it. */
static pare_status add_listed(struct maker *maker, const pare_mention *mention)
{
    uint32_t node, word;
    pare_status status = close_until(maker, mention->cut.from);
    if (status || maker->n_nest == MOST_NESTED) return status;
    const pare_outline_node *around = &maker->outline.nodes[maker->nest[maker->n_nest - 1]];
    /* Two words for the same bytes would be two nodes in one place. */
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

/* --- declarations ----------------------------------------------------------------------------- */

/* Whether the file is to be read for its declarations. */
static bool has_view(const struct maker *maker, uint32_t file)
{
    return maker->source->views && maker->source->views[file].tree;
}

static bool is_of(const pare_project_file *file, const char *language)
{
    return file->language && strcmp(file->language, language) == 0;
}

/* Whether all files of a folder are one package. */
static bool shares_folder(const pare_project_file *file)
{
    return is_of(file, "go") || is_of(file, "java");
}

/* The word of the file's space: its path, in which the ending does not count; of what stands for its folder,
 * or shares a space with all in it, the folder.  A slash is in front, so that the last part of a path is what
 * stands after a slash. Examples: src/a/b.py is "/src/a/b", src/a/__init__.py is "/src/a", as
 * is each file of a Go package src/a. */
static pare_status name_space(struct maker *maker, uint32_t index, uint32_t *out)
{
    static const char *const folders[] = {"__init__", "mod", "index", "init"};
    const pare_project_file *file = &maker->project->files[index];
    const char *name = file->path + file->folder_size, *dot = strrchr(name, '.');
    size_t size = dot ? (size_t)(dot - name) : strlen(name);
    bool folder = shares_folder(file);
    for (size_t i = 0; file->folder_size && i < sizeof folders / sizeof *folders; i++)
        folder = folder || (size == strlen(folders[i]) && memcmp(name, folders[i], size) == 0);
    maker->text.size = 0;
    pare_status status = pare_buffer_add(&maker->text, "/", 1, maker->err);
    size = folder ? file->folder_size - (file->folder_size > 0) : file->folder_size + size;
    if (!status) status = pare_buffer_add(&maker->text, file->path, size, maker->err);
    return status ? status
                  : pare_outline_add_word(&maker->outline, maker->text.data, maker->text.size, out,
                                          maker->err);
}

/* The spaces of a file: of its items, in which those of its imports are, in which all is looked up.
 *
 * `space` is where others find what the file declares; `scope` is where its own names are
 * looked up, from there outwards through the imports. In packages that are folders the
 * outermost of the three is the folder's, which all its files share. */
static pare_status make_spaces(struct maker *maker, uint32_t index, pare_outline_file *out)
{
    uint32_t own, shared = 0;
    bool folder = shares_folder(&maker->project->files[index]);
    pare_status status = word_of(maker, 's', index, &own);
    if (!status && folder)
        status =
            pare_outline_add_space(&maker->outline, 0, maker->spaces[index], &shared, maker->err);
    if (!status)
        status =
            pare_outline_add_space(&maker->outline, shared, folder ? own : maker->spaces[index],
                                   &out->imports, maker->err);
    if (!status) maker->outline.spaces[out->imports].closed = true;
    if (!status)
        status =
            pare_outline_add_space(&maker->outline, out->imports,
                                   folder ? own : maker->spaces[index], &out->scope, maker->err);
    out->space = folder ? shared : out->scope;
    return status;
}

/* By where they stand in the file, then by the file that they lead to. */
static int compare_links(const void *a, const void *b)
{
    const pare_outline_link *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

/* Whether what the file uses of the other is found by names alone, so that it does not need the file for
 * nothing: in packages that are folders. */
static bool is_by_name(const struct maker *maker, const pare_mention *mention)
{
    const pare_project_file *files = maker->project->files;
    return shares_folder(&files[mention->from]) && has_view(maker, mention->to) &&
           strcmp(files[mention->from].language, files[mention->to].language) == 0;
}

/* Links of a file to those that it mentions, `first` .. `end`-1 of the mentions; what is mentioned nowhere in
 * it is needed by the file. Several files may be mentioned in one place. All links of a file
 * are one range of maker->links. */
static pare_status add_links(struct maker *maker, pare_outline_file *file, size_t first, size_t end)
{
    const pare_mention *mentions = maker->project->mentions;
    const size_t before = maker->n_links;
    pare_status status = PARE_OK;
    for (size_t i = first; !status && i < end; i++) {
        const pare_mention *mention = &mentions[i];
        const bool by_name = is_by_name(maker, mention);
        /* Without a word of the file the link only says where names are looked up. */
        pare_outline_link link = {mention->at, maker->spaces[mention->to], PARE_NO_WORD};
        if (mention->kind != PARE_MENTION_NEED || (by_name && !mention->at)) continue;
        if (!by_name) status = word_of(maker, 'f', mention->to, &link.file);
        if (!status && !mention->at) {
            status = add_use(maker, file->node, 'f', mention->to, PARE_OUTLINE_GLOBAL);
            continue;
        }
        maker->links[maker->n_links++] = link;
    }
    if (maker->n_links > before)
        qsort(maker->links + before, maker->n_links - before, sizeof *maker->links, compare_links);
    file->n_links = maker->n_links - before;
    return status;
}

/* Reads the declarations of a file, whose node is there. */
static pare_status add_declarations(struct maker *maker, uint32_t index, size_t first, size_t end)
{
    pare_outline_file file = {.view = &maker->source->views[index], .node = maker->nodes[index]};
    bool known = false;
    pare_status status = make_spaces(maker, index, &file);
    if (!status) status = add_links(maker, &file, first, end);
    if (file.n_links) file.links = maker->links + (maker->n_links - file.n_links);
    return status ? status
                  : pare_outline_part_open(&file, &maker->outline, &known, &maker->parts[index],
                                           maker->err);
}

/* The node of a file that a byte is in: the innermost that is no body, nor in one. Goes down
 * from the file's node, and over what does not hold the byte. */
static uint32_t node_at(const struct maker *maker, uint32_t file, size_t at)
{
    const pare_outline_node *nodes = maker->outline.nodes;
    uint32_t found = maker->nodes[file];
    for (uint32_t i = found + 1; i < nodes[maker->nodes[file]].after;) {
        bool inside = nodes[i].begin <= at && at < nodes[i].end;
        if (inside && !(nodes[i].roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE))) found = i;
        i = inside ? i + 1 : nodes[i].after;
    }
    return found;
}

/* A module of Rust needs the item that says that it is there. The item `mod a;` declares the
 * word 'r' of the file, which the file uses. */
static pare_status need_mentions(struct maker *maker)
{
    const pare_project *project = maker->project;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < project->n_mentions; i++) {
        const pare_mention *mention = &project->mentions[i];
        uint32_t word;
        if (!mention->at || !maker->parts[mention->from] ||
            !is_of(&project->files[mention->from], "rust") ||
            !is_of(&project->files[mention->to], "rust"))
            continue;
        uint32_t node = node_at(maker, mention->from, mention->at);
        status = word_of(maker, 'r', mention->to, &word);
        if (!status) status = pare_outline_add_name(&maker->outline, node, word, maker->err);
        if (!status)
            status =
                add_use(maker, maker->nodes[mention->to], 'r', mention->to, PARE_OUTLINE_GLOBAL);
    }
    return status;
}

/* Names and uses of all declarations, each step in all files before the next.
 *
 * The order is what the steps need of each other: names of all files before imports are tied to
 * them, and those before uses are looked up. The names are sorted before each step that
 * searches them. */
static pare_status name_declarations(struct maker *maker)
{
    const size_t n = maker->project->n_files;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++)
        if (maker->parts[i]) status = pare_outline_part_declare(maker->parts[i], maker->err);
    if (!status) status = need_mentions(maker);
    for (size_t i = 0; !status && i < n; i++)
        if (maker->parts[i]) status = pare_outline_part_tie(maker->parts[i], maker->err);
    pare_outline_syntax_names_sort(&maker->outline);
    for (size_t i = 0; !status && i < n; i++)
        if (maker->parts[i]) status = pare_outline_part_settle(maker->parts[i], maker->err);
    for (size_t i = 0; !status && i < n; i++)
        if (maker->parts[i]) status = pare_outline_part_use(maker->parts[i], maker->err);
    pare_outline_syntax_names_sort(&maker->outline); /* variables are names, too */
    return status;
}

/* --- where the program starts ----------------------------------------------------------------- */

/* How likely a program starts with the file: 3, the test names it; 2, a file that is kept does (`main` of
 * package.json); 1, no other file with declarations mentions it; 0. Cost: O(mentions). */
static unsigned start_rank(const struct maker *maker, uint32_t file)
{
    const pare_project *project = maker->project;
    unsigned rank = 1;
    if (!maker->parts[file]) return 0;
    if (maker->source->seeds[file]) return 3;
    for (size_t i = 0; i < project->n_mentions; i++) {
        const pare_mention *mention = &project->mentions[i];
        if (mention->to != file || mention->from == file) continue;
        if (maker->parts[mention->from])
            /* Code that mentions it starts before it, unless a kept file has named it. */
            rank = rank == 2 ? 2 : 0;
        else if (maker->source->seeds[mention->from])
            rank = 2;
    }
    return rank;
}

/* Whether the node declares nothing. */
static bool is_nameless(const struct maker *maker, uint32_t node)
{
    const pare_outline *outline = &maker->outline;
    const size_t first = pare_outline_first_name(outline, node);
    return first == outline->n_names || outline->names[first].node != node;
}

/* Marks the statements with which the program starts: those without a name in the files that most likely are
 * its first, and what always stays there (`main`). Of several files of the best rank all count. */
static pare_status mark_starts(struct maker *maker)
{
    const size_t n = maker->project->n_files;
    unsigned char *ranks = pare_alloc_zero(n, 1), best = 0;
    if (!ranks) return pare_fail_nomem(maker->err);
    for (uint32_t i = 0; i < n; i++) {
        ranks[i] = (unsigned char)start_rank(maker, i);
        if (ranks[i] > best) best = ranks[i];
    }
    pare_outline_node *nodes = maker->outline.nodes;
    for (uint32_t i = 0; best && i < n; i++) {
        if (ranks[i] != best) continue;
        for (uint32_t k = maker->nodes[i] + 1; k < nodes[maker->nodes[i]].after; k = nodes[k].after)
            if (nodes[k].roles & PARE_OUTLINE_FORCED || is_nameless(maker, k))
                nodes[k].roles |= PARE_OUTLINE_ENTRY;
    }
    pare_alloc_free(ranks);
    return PARE_OK;
}

/* --- all -------------------------------------------------------------------------------------- */

/* A file, with its mentions `first` .. `end`-1.
 *
 * A file that is read for its declarations gets nodes from its reader; in any other the
 * mentions of build files are the nodes, and what code needs is used by the file as a whole. */
static pare_status add_file(struct maker *maker, uint32_t index, size_t first, size_t end)
{
    const pare_project_file *file = &maker->project->files[index];
    const pare_mention *mentions = maker->project->mentions;
    const bool stays = maker->source->seeds[index] || file->fixed;
    uint32_t node, word;
    maker->n_nest = 0;
    pare_status status =
        add_node(maker, file->frame, file->content.to,
                 (stays ? PARE_OUTLINE_FORCED : 0) | (has_view(maker, index) ? VIEWED : 0), &node);
    if (!status) status = word_of(maker, 'f', index, &word);
    if (!status) status = pare_outline_add_name(&maker->outline, node, word, maker->err);
    if (!status) status = add_use(maker, node, 'm', index, PARE_OUTLINE_PART);
    if (status) return status;
    maker->nodes[index] = node;
    if (has_view(maker, index)) {
        status = add_declarations(maker, index, first, end);
        maker->outline.nodes[node].after = (uint32_t)maker->outline.n_nodes;
        return status;
    }
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

/* All files: mentions are sorted by file, so one pass over both is enough. */
static pare_status add_files(struct maker *maker)
{
    const pare_project *project = maker->project;
    pare_status status = PARE_OK;
    size_t first = 0;
    /* Links point into one array, which must not move while readers have it. */
    maker->links = pare_alloc(project->n_mentions, sizeof *maker->links);
    if (!maker->links) return pare_fail_nomem(maker->err);
    for (uint32_t i = 0; !status && i < project->n_files; i++)
        status = name_space(maker, i, &maker->spaces[i]);
    for (uint32_t i = 0; !status && i < project->n_files; i++) {
        size_t end = first;
        while (end < project->n_mentions && project->mentions[end].from == i)
            end++;
        status = add_file(maker, i, first, end);
        first = end;
    }
    if (!status) status = name_declarations(maker);
    return status || !maker->outline.runs ? status : mark_starts(maker);
}

static void maker_done(struct maker *maker)
{
    for (size_t i = 0; maker->parts && i < maker->project->n_files; i++)
        pare_outline_part_close(maker->parts[i]);
    pare_alloc_free(maker->parts);
    pare_alloc_free(maker->nodes);
    pare_alloc_free(maker->spaces);
    pare_alloc_free(maker->links);
    pare_buffer_done(&maker->text);
    pare_outline_done(&maker->outline);
}

/* Whether any file is read for its declarations: a program is searched with its bodies then, and what a compiler
 * says of one file is not heard, as its lines are not those of the folder. */
static bool has_views(const struct maker *maker)
{
    for (uint32_t i = 0; i < maker->project->n_files; i++)
        if (has_view(maker, i)) return true;
    return false;
}

/* *out stays NULL if there is nothing to search: no file mentions another, and no declarations
 * are read. */
pare_status pare_project_graph_make(const pare_project_graph_source *source, pare_dependency **out,
                                    pare_error *err)
{
    const pare_project *project = source->project;
    struct maker maker = {.source = source, .project = project, .err = err};
    uint32_t global;
    *out = NULL;
    maker.outline.runs = has_views(&maker);
    if (!project->n_mentions && !maker.outline.runs) return PARE_OK;
    maker.parts = pare_alloc_zero(project->n_files, sizeof(pare_outline_part *));
    maker.nodes = pare_alloc(project->n_files, sizeof *maker.nodes);
    maker.spaces = pare_alloc(project->n_files, sizeof *maker.spaces);
    pare_status status =
        maker.parts && maker.nodes && maker.spaces ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_outline_add_space(&maker.outline, 0, PARE_NO_WORD, &global, err);
    if (!status) status = add_files(&maker);
    if (!status) assert(pare_outline_check(&maker.outline));
    if (!status) status = pare_dependency_of_outline(&maker.outline, project->text, out, err);
    maker_done(&maker);
    return status;
}
