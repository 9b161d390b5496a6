/* A source of files: those that match globs, and those in folders among the matches.
 *
 * Paths are listed once, when the source runs, and gone through in the order of their bytes; the
 * position is the path of the last one.  So a job that continues tests each file once, even if
 * others were added or removed in between; a new file whose path comes before the position is
 * tested when the source starts over, in the next run after all files have been used.
 * Memory: the paths.  A file that vanishes, or cannot be read, is skipped: folders of other tools
 * change while we read them. */
#include <fts.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/vector.h"
#include "os/file.h"

#include "base/fail.h"
#include "campaign/section.h"
#include "campaign/source.h"

enum { MOST_BYTES = 64 << 20 }; /* of a file: larger ones are no tests */

/* The source; `paths` is listed anew by each run, sorted. */
struct files {
    pare_source head;
    char **paths; /* owned, each too */
    size_t n, capacity;
    pare_buffer text;
};

/* The head is the first member of the kind's struct. */
static struct files *of(pare_source *source)
{
    return (struct files *)(void *)source;
}

/* Copies the path, which fts overwrites at the next entry. */
static pare_status add(struct files *self, const char *path, pare_error *err)
{
    char **grown = pare_vector_grow(self->paths, self->n, &self->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    self->paths = grown;
    self->paths[self->n] = pare_alloc_text(path, strlen(path));
    if (!self->paths[self->n]) return pare_fail_nomem(err);
    self->n++;
    return PARE_OK;
}

/* Adds a file, or all files in a folder, however deep; links are followed only where they were
 * named. */
static pare_status add_tree(struct files *self, char *path, pare_error *err)
{
    char *const paths[] = {path, NULL};
    pare_status status = PARE_OK;
    FTS *walk = fts_open(paths, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!walk) return pare_fail_nomem(err);
    for (FTSENT *entry; !status && (entry = fts_read(walk));)
        if (entry->fts_info == FTS_F && entry->fts_statp->st_size <= MOST_BYTES)
            status = add(self, entry->fts_path, err);
    (void)fts_close(walk);
    return status;
}

/* By bytes, as the position is compared. */
static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Frees the paths; the list keeps its room. */
static void forget(struct files *self)
{
    for (size_t i = 0; i < self->n; i++)
        pare_alloc_free(self->paths[i]);
    self->n = 0;
}

/* Lists what the patterns name now, sorted. That they name no file is PARE_E_STATE. */
static pare_status list(struct files *self, pare_error *err)
{
    size_t n_globs = 0;
    const char *const *globs = pare_section_words(self->head.options.section, "files", &n_globs);
    pare_status status = PARE_OK;
    forget(self);
    for (size_t i = 0; !status && i < n_globs; i++) {
        glob_t found = {0};
        const int code = glob(globs[i], GLOB_NOSORT, NULL, &found);
        if (code == GLOB_NOSPACE) status = pare_fail_nomem(err);
        for (size_t k = 0; !code && !status && k < found.gl_pathc; k++)
            status = add_tree(self, found.gl_pathv[k], err);
        globfree(&found);
    }
    if (!status && !self->n)
        return pare_fail(err, PARE_E_STATE, "'files = %s' matches no file",
                         pare_section_text(self->head.options.section, "files"));
    if (!status) qsort(self->paths, self->n, sizeof *self->paths, compare);
    return status;
}

/* Emits the files after `position`, which is the path of the last one taken.
 * Ends dry, and begins anew in the next job: files may have been added before
 * the position. */
static pare_status run(pare_source *source, const char *position, bool *dry, pare_error *err)
{
    struct files *self = of(source);
    pare_status status = list(self, err);
    for (size_t i = 0; !status && i < self->n; i++) {
        const char *path = self->paths[i];
        /* A file that two globs name is tested once. */
        const bool again = i > 0 && !strcmp(path, self->paths[i - 1]);
        if (again || strcmp(path, position) <= 0) continue;
        if (pare_file_read(path, &self->text, NULL)) continue;
        status = pare_source_emit(source, self->text.size ? self->text.data : "", self->text.size,
                                  path, err);
    }
    *dry = !status;
    return status;
}

static void close_source(pare_source *source)
{
    struct files *self = of(source);
    forget(self);
    pare_alloc_free(self->paths);
    pare_buffer_done(&self->text);
    pare_alloc_free(self);
}

static const pare_source_ops ops = {.run = run, .close = close_source, .begins_anew = true};

/* Opens the source. What the patterns name is looked up when it runs, since
 * other programs may add files. */
pare_status pare_source_folder_open(const pare_source_options *options, pare_source **out,
                                    pare_error *err)
{
    if (!*pare_section_text(options->section, "files"))
        return pare_fail(err, PARE_E_ARG, "a source of kind folder needs 'files = ...'");
    struct files *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_source){
        .ops = &ops, .options = *options, .name = pare_section_name(options->section)};
    *out = &self->head;
    return PARE_OK;
}
