/* Phases over several files at once, of the default's schedule of folders.
 *
 * The search comes first: what the test names, and what a build begins with, is kept, and
 * what that needs; if that fails, all else is gone after one test.  If not, the closures of the
 * graph are searched as those of declarations are (reduce/dependency/closures.c).
 * Then the passes: each looks at the folder again after each success, since names have moved.
 * A wrong guess about the test costs tests and nothing else: files that are kept for it are tried
 * like all others later. */
#include "session/plan/project_phase.h"

#include <string.h>

#include <pare/test.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/limited.h"
#include "engine/pool_options.h"
#include "engine/strategy.h"
#include "os/file.h"
#include "reduce/dependency/closures.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/passes/pass.h"
#include "reduce/project/project.h"
#include "reduce/project/project_graph.h"
#include "reduce/project/project_passes.h"
#include "reduce/tree/tree.h"
#include "session/plan/files.h"
#include "session/plan/pass_reward.h"
#include "session/plan/patience.h"
#include "session/plan/phase_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "text/candidate.h"
#include "text/patch.h"
#include "text/text.h"

/* A longer script is not searched for names: so many words name files by chance. */
enum { MOST_SCRIPT_BYTES = 64 << 10, MANY_PATCHES = 64 };

/* A file stays unless it can go as a whole, which it cannot if anything in it is
 * protected. */
static bool stays(const void *context, uint32_t entry)
{
    return !pare_reducible_ranges_may_go(context, entry);
}

/* Opens the best as a project.  On PARE_OK the caller closes it; it borrows the text,
 * which lasts until the next success. */
static pare_status open_project(pare_work *work, pare_project *project, pare_error *err)
{
    pare_project_source source = {
        .layout = work->session.layout, .stays = stays, .context = &work->ranges};
    pare_status status = pare_engine_settle(work->session.engine, &source.text, err);
    if (!status)
        status = pare_reducible_ranges_places(&work->ranges, source.text, &source.places,
                                              &source.n_places, err);
    return status ? status : pare_project_open(&source, project, err);
}

/* ---- what the test names ---------------------------------------------------------------- */

/* Files in the making of a search. */
struct search {
    const pare_project *project;
    unsigned char *seeds; /* owned; by file: it is kept */
};

/* Whether the byte may be part of a path in a line of shell.  "=", quotes and "$" may
 * not, so of "--config=src/a.json" the path is found, which is a word of its own then. */
static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80 || (c && strchr("_./+-@%~", c));
}

/* Makes the file that a word of the test names a seed.  The word may name it below a
 * folder that is called otherwise there, as in "$1/a.c"; so its first parts are left
 * out one by one until a file is found:
 * for "x/src/a.c" that is the first of "x/src/a.c", "src/a.c" and "a.c" that there is. */
static void seed_word(struct search *search, const char *word, size_t size)
{
    while (size) {
        uint32_t file = pare_project_find(search->project, PARE_NO_FILE, word, size);
        if (file != PARE_NO_FILE) {
            search->seeds[file] = 1;
            return;
        }
        const char *slash = memchr(word, '/', size);
        size_t skipped = slash ? (size_t)(slash + 1 - word) : size;
        word += skipped;
        size -= skipped;
    }
}

/* Makes all files that are named in a text seeds; what is named by chance costs a test
 * later. */
static void seed_text(struct search *search, const char *text, size_t size)
{
    for (size_t at = 0, to; at < size; at = to) {
        for (to = at; to < size && is_word_byte(text[to]);)
            to++;
        seed_word(search, text + at, to - at);
        if (to == at) to++;
    }
}

/* Makes the files seeds that words of a command name, and those that the script names
 * which one of the words is.
 * The command is cut at blanks, without regard to quotes: a word that is no path is
 * found nowhere. */
static pare_status seed_command(struct search *search, const char *command, pare_error *err)
{
    pare_buffer path = {0}, script = {0};
    pare_status status = PARE_OK;
    seed_text(search, command, strlen(command));
    while (!status && *command) {
        size_t size = strcspn(command, " \t");
        pare_buffer_reset(&path);
        status = pare_buffer_add(&path, command, size, err);
        /* A test that cannot be read names no files. */
        bool script_is = !status && size && pare_file_is_regular(path.data);
        if (script_is && pare_file_read(path.data, &script, NULL) == PARE_OK &&
            script.size <= MOST_SCRIPT_BYTES && !memchr(script.data, 0, script.size))
            seed_text(search, script.data, script.size);
        command += size;
        command += strspn(command, " \t");
    }
    pare_buffer_done(&path);
    pare_buffer_done(&script);
    return status;
}

/* Whether a build begins with the file: one of the top folder that says how others are built.  Tools find these
 * by their names, which no test has to mention. */
static bool begins_build(const pare_project_file *file)
{
    static const char *const names[] = {"package.json",  "tsconfig.json", "jsconfig.json",
                                        "Cargo.toml",    "go.mod",        "pyproject.toml",
                                        "setup.py",      "pom.xml",       "build.gradle",
                                        "composer.json", "Gemfile"};
    const char *slash = strchr(file->path, '/'), *name = file->path + file->folder_size;
    if (slash && slash + 1 != name) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return pare_project_is_build(file);
}

/* Sets the seeds: what a build begins with, and what the test's command or the
 * program's words name. */
static pare_status find_seeds(pare_work *work, struct search *search, pare_error *err)
{
    const pare_test_options *test = &work->session.options->test;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < search->project->n_files; i++)
        search->seeds[i] = begins_build(&search->project->files[i]);
    if (test->command) status = seed_command(search, test->command, err);
    for (size_t i = 0; !status && i < test->n_program; i++)
        seed_text(search, test->program[i], strlen(test->program[i]));
    return status;
}

/* ---- the search --------------------------------------------------------------------------- */

/* Whether all files that stay as they are are still there with all their bytes.
 * A candidate is made of slices of the text in their order, so both are gone through
 * once: for each fixed file the piece is looked for that reaches over its frame. */
static pare_status keeps_fixed(const void *context, const pare_candidate *candidate, bool *admitted,
                               pare_error *err)
{
    const pare_project *project = context;
    size_t piece = 0;
    (void)err;
    *admitted = true;
    for (size_t i = 0; *admitted && i < project->n_files; i++) {
        const pare_project_file *file = &project->files[i];
        const pare_piece *at = candidate->pieces;
        if (!file->fixed) continue;
        while (piece < candidate->n_pieces &&
               (at[piece].literal || at[piece].offset + at[piece].size <= file->frame))
            piece++;
        *admitted = piece < candidate->n_pieces && at[piece].offset <= file->frame &&
                    at[piece].offset + at[piece].size >= file->content.to;
    }
    return PARE_OK;
}

/* Runs the closures of `graph`. */
static pare_status run_closures(pare_work *work, const pare_project *project,
                                pare_dependency *graph, pare_error *err)
{
    pare_strategy *inner = NULL, *guarded = NULL, *strategy = NULL;
    /* What is left then is reduced by the phase that removes files one by one, so a
     * search that does not pay ends early. */
    const pare_early_stop_terms terms = pare_patience_among(pare_dependency_count(graph));
    pare_status status =
        pare_session_begin_pass(&work->session, "closures/file", pare_dependency_count(graph), err);
    if (!status) status = pare_closures_new(graph, &inner, err);
    if (!status) status = pare_limited_filter(inner, keeps_fixed, project, &guarded, err);
    if (!status)
        status =
            pare_limited_early_stop(guarded, pare_text_size(project->text), &terms, &strategy, err);
    return status ? status : pare_session_run(&work->session, strategy, err);
}

/* ---- declarations ------------------------------------------------------------------------------ */

enum {
    LEAST_FOLDER_BYTES =
        4 << 10,                 /* a smaller one is reduced in as few tests without declarations */
    MOST_FOLDER_BYTES = 24 << 20 /* trees of more would take a gigabyte */
};

/* The views of files that have rules for declarations, and their trees. */
struct views {
    pare_pass_view *views; /* owned; by file; all-zero: it has none */
    pare_tree **trees;     /* owned; one reference each, or NULL */
    size_t n;
};

/* Views that were made in part may be ended, too. */
static void views_done(struct views *views)
{
    for (size_t i = 0; views->trees && i < views->n; i++)
        pare_tree_unref(views->trees[i]);
    pare_alloc_free(views->views);
    pare_alloc_free(views->trees);
}

/* Bytes of the files whose language has such rules. */
static size_t bytes_of_code(const pare_project *project)
{
    size_t bytes = 0;
    for (size_t i = 0; i < project->n_files; i++)
        if (!project->files[i].fixed && pare_dependency_needs_tree(project->files[i].language))
            bytes += project->files[i].content.to - project->files[i].content.from;
    return bytes;
}

/* Parses the files.  The file at hand is another one after that, which every step sets anew. */
static pare_status make_views(pare_work *work, const pare_project *project, struct views *out,
                              pare_error *err)
{
    const size_t bytes = bytes_of_code(project);
    pare_status status = PARE_OK;
    /* Without views there is a graph of files alone. */
    if (bytes < LEAST_FOLDER_BYTES || bytes > MOST_FOLDER_BYTES) return PARE_OK;
    out->n = project->n_files;
    out->views = pare_alloc_zero(out->n, sizeof *out->views);
    out->trees = pare_alloc_zero(out->n, sizeof(pare_tree *));
    if (!out->views || !out->trees) return pare_fail_nomem(err);
    for (size_t i = 0; !status && i < out->n; i++) {
        const pare_project_file *file = &project->files[i];
        const size_t size = file->content.to - file->content.from;
        const pare_view view = {
            .text = project->text, .begin = file->content.from, .end = file->content.to};
        if (file->fixed || !size || !pare_dependency_needs_tree(file->language)) continue;
        status = pare_files_enter(work->files, work, file->entry, size, err);
        if (!status)
            status =
                pare_phase_input_outline_view(work, &view, &out->views[i], &out->trees[i], err);
    }
    return status;
}

/* ---- the search, of files and of what they declare ----------------------------------------------- */

/* Makes one graph of the files and of what they declare, with the files that the test or the
 * command names as seeds, and searches it by closures. */
static pare_status search(pare_work *work, const pare_project *project, pare_error *err)
{
    struct search search = {.project = project};
    struct views views = {0};
    pare_dependency *graph = NULL;
    search.seeds = pare_alloc_zero(project->n_files, 1);
    if (!search.seeds) return pare_fail_nomem(err);
    pare_status status = find_seeds(work, &search, err);
    if (!status) status = make_views(work, project, &views, err);
    const pare_project_graph_source source = {
        .project = project, .seeds = search.seeds, .views = views.views};
    if (!status) status = pare_project_graph_make(&source, &graph, err);
    /* Both are needed only while the graph is made. */
    views_done(&views);
    pare_alloc_free(search.seeds);
    if (!status && graph) status = run_closures(work, project, graph, err);
    pare_dependency_unref(graph);
    return status;
}

/* A single file has no graph: its declarations are searched by a phase of its own. */
pare_status pare_project_phase_search(pare_work *work, pare_error *err)
{
    pare_project project;
    pare_status status = open_project(work, &project, err);
    if (status) return status;
    if (project.n_files > 1) status = search(work, &project, err);
    pare_project_close(&project);
    return status;
}

/* ---- passes --------------------------------------------------------------------------------- */

/* Lists what the pass offers for the folder as it is now.  On PARE_OK the caller owns
 * *out, one reference. */
static pare_status offer(const pare_project_pass *pass, const pare_project *project,
                         pare_patches **out, pare_error *err)
{
    pare_patches *patches = NULL;
    pare_status status = pare_patches_new(project->text, &patches, err);
    if (!status) status = pass->offer(project, patches, err);
    if (status) {
        pare_patches_unref(patches);
        return status;
    }
    *out = patches;
    return PARE_OK;
}

/* Runs what the pass offers for the project, which is about the best. */
static pare_status run_once(pare_work *work, const pare_project_pass *pass,
                            const pare_project *project, pare_error *err)
{
    pare_patches *patches = NULL;
    pare_early_stop_terms terms = pare_pass_terms;
    const pare_pool_options options = {.order = pass->listed ? PARE_POOL_LISTED : PARE_POOL_LARGEST,
                                       .together = pass->together,
                                       .group = pass->listed ? 1 : 0,
                                       .shorter = true,
                                       .many = MANY_PATCHES,
                                       .terms = &terms};
    pare_status status = offer(pass, project, &patches, err);
    /* In the first round not many more tests are made in vain than a bisection takes,
     * since there will be another round. */
    if (!status && !work->again) terms = pare_patience_among(patches->n);
    if (!status && patches->n) {
        status = pare_session_begin_pass(&work->session, pass->name, patches->n, err);
        if (!status) status = pare_session_run_pool(&work->session, patches, &options, err);
    }
    pare_patches_unref(patches);
    return status;
}

/* Runs all passes that join, or all that do not, each until it finds nothing.
 * The folder is read again only after a success: one of many files is read once for all
 * passes that find nothing. */
static pare_status run_passes(pare_work *work, bool joins, pare_error *err)
{
    size_t n, i = 0;
    const pare_project_pass *passes = pare_project_passes(&n);
    pare_project project;
    pare_status status = open_project(work, &project, err);
    if (status) return status;
    while (!status && i < n) {
        uint64_t before = pare_session_progress(&work->session);
        if (passes[i].joins == joins) status = run_once(work, &passes[i], &project, err);
        if (!status && pare_session_progress(&work->session) == before) {
            i++;
            continue;
        }
        pare_project_close(&project);
        if (!status) status = open_project(work, &project, err);
    }
    pare_project_close(&project);
    return status;
}

pare_status pare_project_phase_remove(pare_work *work, pare_error *err)
{
    return run_passes(work, false, err);
}

pare_status pare_project_phase_join(pare_work *work, pare_error *err)
{
    return run_passes(work, true, err);
}
