/* Operands that are files and folders. */
#include "cli/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/reduce.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "cli/names.h"
#include "ui/format.h"

enum { SHOWN_BYTES = 400, CHUNK_BYTES = 1 << 16 };

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Whether there is a folder, or a file, called `path`, or in place what an unfinished run has
 * kept of it. */
static pare_status look(const char *path, bool in_place, bool *is_there, bool *folder,
                        pare_error *err)
{
    pare_buffer kept = {0};
    *is_there = access(path, F_OK) == 0;
    *folder = is_folder(path);
    if (!in_place || *is_there) return PARE_OK;
    pare_status status = pare_buffer_format(&kept, err, "%s.orig", path);
    if (status) return status;
    *is_there = access(kept.data, F_OK) == 0;
    *folder = is_folder(kept.data);
    pare_buffer_done(&kept);
    return PARE_OK;
}

/* A shell's completion leaves a slash behind a folder's name. */
static size_t size_without_slashes(const char *path)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    return size;
}

static pare_status check_one(const char *path, bool in_place, pare_inputs_form form,
                             pare_error *err)
{
    char shown[SHOWN_BYTES];
    bool is_there, folder;
    pare_status status = look(path, in_place, &is_there, &folder, err);
    if (status || is_there) return status;
    if (strcmp(path, "-") == 0)
        return pare_fail(err, PARE_E_ARG,
                         "'-' is standard input only when it is the one INPUT: save it to a file");
    pare_format_name(shown, sizeof shown, path);
    if (form == PARE_INPUTS_OF_PROGRAM)
        return pare_fail(err, PARE_E_ARG, "'%s' does not exist: what stands before '--' is reduced",
                         shown);
    if (form == PARE_INPUTS_OF_WORKER)
        return pare_fail(err, PARE_E_ARG,
                         "'%s' does not exist: with '--worker' all of them are "
                         "reduced, and there is no TEST",
                         shown);
    return pare_fail(err, PARE_E_ARG,
                     "more than TEST and INPUT, and '%s' does not exist (quote a TEST with "
                     "arguments): pare reduce TEST INPUT... [options]",
                     shown);
}

pare_status pare_inputs_read(pare_settings *settings, const char *const *operands, size_t n,
                             pare_inputs_form form, pare_error *err)
{
    char *first = NULL;
    bool is_there, folder = false;
    if (n == 1) {
        first = pare_copy_text(operands[0], size_without_slashes(operands[0]));
        if (!first) return pare_fail_nomem(err);
    }
    pare_status status = first ? look(first, settings->in_place, &is_there, &folder, err) : PARE_OK;
    pare_release(first);
    if (status || (n == 1 && !folder)) return status;
    settings->inputs = pare_alloc_zero(n, sizeof *settings->inputs);
    if (!settings->inputs) return pare_fail_nomem(err);
    settings->reduce.input.n_paths = n;
    for (size_t i = 0; !status && i < n; i++) {
        if (n > 1) status = check_one(operands[i], settings->in_place, form, err);
        if (status) break;
        settings->inputs[i] = pare_copy_text(operands[i], size_without_slashes(operands[i]));
        if (!settings->inputs[i]) status = pare_fail_nomem(err);
    }
    settings->reduce.input.paths = (const char *const *)settings->inputs;
    return status;
}

bool pare_inputs_is_standard(const char *const *operands, size_t n)
{
    return n == 1 && strcmp(operands[0], "-") == 0;
}

static pare_status read_all(FILE *file, pare_buffer *bytes, pare_error *err)
{
    for (;;) {
        pare_status status = pare_buffer_reserve(bytes, CHUNK_BYTES, err);
        if (status) return status;
        size_t n = fread(bytes->data + bytes->size, 1, CHUNK_BYTES, file);
        bytes->size += n;
        bytes->data[bytes->size] = '\0';
        if (n < CHUNK_BYTES && ferror(file))
            return pare_fail_errno(err, errno, "cannot read standard input");
        if (n < CHUNK_BYTES) return PARE_OK;
    }
}

pare_status pare_inputs_read_standard(pare_settings *settings, const char *output, pare_error *err)
{
    pare_buffer *bytes = &settings->standard_input;
    settings->is_standard_input = true;
    if (settings->in_place)
        return pare_fail(err, PARE_E_ARG,
                         "'--in-place' replaces a file, not standard input: name a result with -o");
    if (isatty(STDIN_FILENO)) fputs("reading standard input, which Ctrl-D ends\n", stderr);
    pare_status status = read_all(stdin, bytes, err);
    if (!status)
        status = pare_buffer_format(&settings->text_name, err, "stdin%s",
                                    output ? pare_names_extension(output) : "");
    settings->reduce.input.bytes = bytes->data;
    settings->reduce.input.size_bytes = bytes->size;
    return status;
}

/* Whether there is anything in the folder. */
static bool holds_any(const char *path)
{
    DIR *folder = opendir(path);
    bool any = false;
    for (const struct dirent *entry; folder && !any && (entry = readdir(folder));)
        any = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder) closedir(folder);
    return any;
}

pare_status pare_inputs_check_output(const pare_settings *settings, pare_error *err)
{
    char shown[SHOWN_BYTES];
    const pare_reduce_options *reduce = &settings->reduce;
    if (!reduce->input.n_paths || !settings->is_output_named || settings->in_place) return PARE_OK;
    bool unfinished = reduce->output.journal_dir && access(reduce->output.journal_dir, F_OK) == 0;
    if (unfinished || !is_folder(reduce->output.path) || !holds_any(reduce->output.path))
        return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "'%s' is not empty and would be replaced: remove it, or name another folder",
                     pare_format_name(shown, sizeof shown, reduce->output.path));
}
