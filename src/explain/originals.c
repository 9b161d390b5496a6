/* Finding originals: names, and what a killed run left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/input.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "os/file.h"
#include "os/folder.h"
#include "session/output/in_place.h"

void pare_originals_done(pare_originals *originals)
{
    for (size_t i = 0; i < originals->n; i++) {
        pare_release(originals->places[i]);
        pare_release(originals->sources[i]);
    }
    pare_release(originals->places);
    pare_release(originals->sources);
    *originals = (pare_originals){.n = 0};
}

/* ---- what can be replaced ------------------------------------------------------------ */

static bool is_link(const char *path)
{
    struct stat info;
    return !lstat(path, &info) && S_ISLNK(info.st_mode);
}

/* The folder that `path` is in can be written to. */
static pare_status check_parent(const char *path, pare_error *err)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) : 0;
    char *parent = slash ? pare_copy_text(path, size ? size : 1) : pare_copy_text(".", 1);
    if (!parent) return pare_fail_nomem(err);
    bool writable = !access(parent, W_OK | X_OK);
    pare_release(parent);
    if (writable) return PARE_OK;
    return pare_fail(err, PARE_E_IO,
                     "cannot replace %s: its folder cannot be written to; name an output instead",
                     path);
}

static pare_status check_place(const char *path, pare_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    if (!*base || strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
        return pare_fail(err, PARE_E_ARG,
                         "cannot replace '%s': give it as FOLDER/NAME, from outside", path);
    if (pare_file_is_directory(path) && is_link(path))
        return pare_fail(err, PARE_E_ARG,
                         "cannot replace %s, a link: give the folder that it leads to", path);
    return check_parent(path, err);
}

/* What `one` leads to is not in `other`, nor the same. */
static pare_status check_pair(const char *one, const char *other, pare_error *err)
{
    struct stat first, second;
    if (pare_file_is_directory(other) && pare_folder_holds(other, one))
        return pare_fail(err, PARE_E_ARG, "cannot replace both %s and %s: one is in the other", one,
                         other);
    if (!stat(one, &first) && !stat(other, &second) && first.st_dev == second.st_dev &&
        first.st_ino == second.st_ino)
        return pare_fail(err, PARE_E_ARG, "cannot replace both %s and %s: they are one file", one,
                         other);
    return PARE_OK;
}

static pare_status check_places(const pare_originals *originals, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < originals->n; i++) {
        status = check_place(originals->places[i], err);
        for (size_t j = 0; !status && j < originals->n; j++)
            if (i != j) status = check_pair(originals->places[i], originals->places[j], err);
    }
    return status;
}

/* ---- what is there ------------------------------------------------------------------- */

/* Whether the number stands in the note, a line each. */
static bool is_noted(const pare_buffer *note, uint64_t inode)
{
    const char *line = note->size ? note->data : "";
    while (inode && *line) {
        char *end;
        if (strtoull(line, &end, 10) == inode && *end == '\n') return true;
        line = strchr(line, '\n');
        line = line ? line + 1 : "";
    }
    return false;
}

/* Decides which of PLACE and PLACE.orig is the original, and sets *source to it. */
static pare_status find_source(const char *place, bool unfinished, const pare_buffer *note,
                               char **source, pare_error *err)
{
    pare_buffer kept = {0};
    pare_status status = pare_buffer_format(&kept, err, "%s.orig", place);
    bool is_there = !status && pare_file_exists(kept.data);
    if (is_there && !unfinished)
        status = pare_fail(err, PARE_E_IO,
                           "'%s' exists already and would be lost: move it away first", kept.data);
    if (is_there && !status && is_noted(note, pare_folder_inode(kept.data))) {
        status = pare_file_remove_tree(kept.data, err);
        is_there = false;
    }
    /* One file of two names: killed before it was replaced. */
    bool same = is_there && !status && pare_folder_inode(place) == pare_folder_inode(kept.data);
    const char *found = is_there && !same ? kept.data : place;
    if (!status) *source = pare_copy_text(found, strlen(found));
    if (!status && !*source) status = pare_fail_nomem(err);
    pare_buffer_done(&kept);
    return status;
}

static pare_status read_note(const char *journal_dir, pare_buffer *note, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s/in-place", journal_dir);
    if (!status) pare_file_sweep(path.data);
    if (!status && pare_file_exists(path.data)) status = pare_file_read(path.data, note, err);
    pare_buffer_done(&path);
    return status;
}

static pare_status copy_places(const pare_input_options *input, pare_originals *originals,
                               pare_error *err)
{
    originals->places = pare_alloc_zero(input->n_paths, sizeof *originals->places);
    originals->sources = pare_alloc_zero(input->n_paths, sizeof *originals->sources);
    if (!originals->places || !originals->sources) return pare_fail_nomem(err);
    originals->n = input->n_paths;
    for (size_t i = 0; i < originals->n; i++) {
        size_t size = strlen(input->paths[i]);
        while (size > 1 && input->paths[i][size - 1] == '/')
            size--;
        originals->places[i] = pare_copy_text(input->paths[i], size);
        if (!originals->places[i]) return pare_fail_nomem(err);
    }
    return PARE_OK;
}

pare_status pare_originals_find(const pare_input_options *input, const char *journal_dir,
                                pare_originals *originals, pare_error *err)
{
    pare_buffer note = {0};
    bool unfinished = journal_dir && pare_file_is_directory(journal_dir);
    pare_status status = copy_places(input, originals, err);
    if (!status) status = check_places(originals, err);
    if (!status && unfinished) status = read_note(journal_dir, &note, err);
    for (size_t i = 0; !status && i < originals->n; i++)
        status = find_source(originals->places[i], unfinished, &note, &originals->sources[i], err);
    pare_buffer_done(&note);
    return status;
}
