/* Looking at places. */
#include "cli/places.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/reduce.h>

#include "base/buffer.h"
#include "base/status.h"
#include "cli/names.h"
#include "ui/format.h"

enum { SHOWN_BYTES = 400 };

/* Says what is wrong with `path`, and which option names another. */
static pare_status fail(const char *option, const char *path, const char *wrong, pare_error *err)
{
    char shown[SHOWN_BYTES];
    return pare_fail(err, PARE_E_IO, "cannot write '%s': %s with --%s",
                     pare_format_name(shown, sizeof shown, path), wrong, option);
}

/* The folder that `path` is in is there and can be written to. */
static pare_status check_parent(const char *option, const char *path, pare_error *err)
{
    pare_buffer folder = {0};
    struct stat about;
    size_t size = (size_t)(pare_names_base(path) - path);
    const char *wrong = NULL;
    char refused[SHOWN_BYTES];
    pare_status status =
        size ? pare_buffer_add(&folder, path, size, err) : pare_buffer_text(&folder, ".", err);
    if (!status && stat(folder.data, &about) != 0)
        wrong = "its folder does not exist; name another place";
    else if (!status && !S_ISDIR(about.st_mode))
        wrong = "it is not in a folder; name another place";
    else if (!status && access(folder.data, W_OK | X_OK) != 0) {
        (void)snprintf(refused, sizeof refused,
                       "nothing can be written in its folder (%s); name another place",
                       strerror(errno));
        wrong = refused;
    }
    pare_buffer_done(&folder);
    return wrong ? fail(option, path, wrong, err) : status;
}

pare_status pare_places_check_file(const char *option, const char *path, pare_error *err)
{
    struct stat about;
    if (strcmp(path, "-") == 0)
        return fail(option, path, "results do not go to standard output; name a file", err);
    if (stat(path, &about) == 0) {
        if (S_ISDIR(about.st_mode)) return fail(option, path, "it is a folder; name a file", err);
        if (!S_ISREG(about.st_mode))
            return fail(option, path, "it is no regular file; name one", err);
    }
    return check_parent(option, path, err);
}

/* The result is a file, or a folder that is replaced. */
static pare_status check_result(const pare_settings *settings, pare_error *err)
{
    const pare_reduce_options *reduce = &settings->reduce;
    if (settings->in_place || !reduce->output.path) return PARE_OK;
    return reduce->input.n_paths ? check_parent("output", reduce->output.path, err)
                                 : pare_places_check_file("output", reduce->output.path, err);
}

pare_status pare_places_check(const pare_settings *settings, pare_error *err)
{
    const pare_reduce_options *reduce = &settings->reduce;
    const struct {
        const char *option, *path;
    } files[] = {{"output", reduce->output.choices_path},
                 {"output", reduce->output.script_path},
                 {"signature", reduce->keep.signature_path}};
    pare_status status = check_result(settings, err);
    for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++)
        if (files[i].path) status = pare_places_check_file(files[i].option, files[i].path, err);
    return status;
}
