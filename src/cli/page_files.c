/* Files of the result on disk, and the originals that they came from. */
#include "cli/page_files.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/reduce.h>
#include <pare/survivors.h>
#include <pare/switch.h>

#include "base/buffer.h"
#include "base/status.h"
#include "cli/names.h"

void pare_page_files_done(pare_page_files *files)
{
    for (size_t i = 0; i < PARE_PAGE_FILES; i++) {
        pare_survivors_done(&files->files[i].survivors);
        pare_buffer_done(&files->names[i]);
        pare_buffer_done(&files->originals[i]);
        pare_buffer_done(&files->results[i]);
    }
    *files = (pare_page_files){.n = 0};
}

/* Reads a regular file; *there is false when it cannot be. */
static pare_status read_file(const char *path, pare_buffer *bytes, bool *there, pare_error *err)
{
    struct stat about;
    *there = false;
    if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode)) return PARE_OK;
    FILE *file = fopen(path, "rbe");
    if (!file) return PARE_OK;
    size_t size = (size_t)about.st_size;
    pare_status status = pare_buffer_reserve(bytes, size, err);
    if (status == PARE_OK) {
        bytes->size = fread(bytes->data, 1, size, file);
        bytes->data[bytes->size] = '\0';
        *there = bytes->size == size;
    }
    fclose(file);
    return status;
}

/* Adds the file `result`; `original` is where it came from. */
static pare_status add_file(pare_page_files *files, const char *name, const char *result,
                            const char *original, pare_error *err)
{
    size_t k = files->n;
    bool is_left, is_there = false;
    if (k == PARE_PAGE_FILES) {
        files->n_hidden++;
        return PARE_OK;
    }
    pare_page_file *file = &files->files[k];
    pare_status status = read_file(result, &files->results[k], &is_left, err);
    if (status == PARE_OK) status = read_file(original, &files->originals[k], &is_there, err);
    if (status == PARE_OK) status = pare_buffer_text(&files->names[k], name, err);
    if (status != PARE_OK || !is_left) {
        pare_buffer_reset(&files->results[k]);
        pare_buffer_reset(&files->originals[k]);
        pare_buffer_reset(&files->names[k]);
        return status;
    }
    *file = (pare_page_file){.name = files->names[k].data,
                             .original = is_there ? files->originals[k].data : NULL,
                             .original_bytes = files->originals[k].size,
                             .absent = "it cannot be read a second time",
                             .result = files->results[k].data,
                             .result_bytes = files->results[k].size};
    files->n++;
    if (!is_there) return PARE_OK;
    return pare_survivors_find(file->original, file->original_bytes, file->result,
                               file->result_bytes, &file->survivors, err);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Adds a file with the path `below` what was given. */
static pare_status add_below(pare_page_files *files, const char *input, const char *original,
                             const char *result, const char *below, pare_error *err)
{
    pare_buffer name = {0}, from = {0};
    pare_status status = pare_buffer_format(&name, err, "%s%s", pare_names_base(input), below);
    if (status == PARE_OK) status = pare_buffer_format(&from, err, "%s%s", original, below);
    if (status == PARE_OK) status = add_file(files, name.data, result, from.data, err);
    pare_buffer_done(&name);
    pare_buffer_done(&from);
    return status;
}

/* Adds all files of what is left of one input, a file or a folder at `result`. */
static pare_status add_input(pare_page_files *files, const char *input, const char *original,
                             char *result, pare_error *err)
{
    char *const paths[] = {result, NULL};
    pare_status status = PARE_OK;
    if (access(result, F_OK) != 0) return PARE_OK; /* all of it is gone */
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    if (!walk) return pare_fail_errno(err, errno, "cannot list '%s'", result);
    for (const FTSENT *entry; status == PARE_OK && (entry = fts_read(walk));)
        if (entry->fts_info == FTS_F)
            status = add_below(files, input, original, entry->fts_accpath,
                               entry->fts_path + strlen(result), err);
    (void)fts_close(walk);
    return status;
}

/* Where the original of an input is now, and what is left of it. */
static pare_status find_paths(const pare_reduce_options *reduce, size_t i, pare_buffer *original,
                              pare_buffer *result, pare_error *err)
{
    const char *input = reduce->input.paths[i];
    struct stat about;
    bool in_place = reduce->output.in_place == PARE_ON;
    bool one_folder =
        reduce->input.n_paths == 1 && stat(input, &about) == 0 && S_ISDIR(about.st_mode);
    pare_status status = pare_buffer_format(original, err, "%s.orig", input);
    if (status == PARE_OK && (!in_place || access(original->data, F_OK) != 0)) {
        pare_buffer_reset(original);
        status = pare_buffer_text(original, input, err);
    }
    if (status != PARE_OK) return status;
    if (in_place) return pare_buffer_text(result, input, err);
    if (one_folder) return pare_buffer_text(result, reduce->output.path, err);
    return pare_buffer_format(result, err, "%s/%s", reduce->output.path, pare_names_base(input));
}

pare_status pare_page_files_read(const pare_reduce_options *reduce, pare_page_files *files,
                                 pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; status == PARE_OK && i < reduce->input.n_paths; i++) {
        pare_buffer original = {0}, result = {0};
        status = find_paths(reduce, i, &original, &result, err);
        if (status == PARE_OK)
            status = add_input(files, reduce->input.paths[i], original.data, result.data, err);
        pare_buffer_done(&original);
        pare_buffer_done(&result);
    }
    return status;
}
