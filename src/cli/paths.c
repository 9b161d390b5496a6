/* Names of files beside the input, and whether a file can be written under a name.
 *
 * Problems with writing a result are detected before the first test, not after the last one: the
 * file system is asked for what would make open and rename fail (a folder of that name, a missing
 * or read-only parent), and nothing is created, so that a refused run leaves no empty file.
 * Somebody may still remove the folder later; then the write itself fails with its own message. */

#include "cli/paths.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "ui/format.h"

/* Of a path, or of a reason, in a message. */
enum { SHOWN_BYTES = 400 };

/* Not basename(3), of which there are two, one of them writing to its argument. */
const char *pare_paths_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Without memory for the name it is taken to be there: then nothing is replaced. */
bool pare_paths_has_journal(const char *dir)
{
    pare_buffer path = {0};
    if (!dir) return false;
    const bool is_named = pare_buffer_format(&path, NULL, "%s/journal", dir) == PARE_OK;
    const bool is_there = !is_named || access(path.data, F_OK) == 0;
    pare_buffer_done(&path);
    return is_there;
}

/* A dot at the beginning or the end of a name makes no extension. */
const char *pare_paths_extension(const char *path)
{
    const char *base = pare_paths_base(path);
    const char *dot = strrchr(base, '.');
    return dot && dot > base && dot[1] ? dot : path + strlen(path);
}

/* Only the last extension stays after the mark: x.tar.gz is a gz file. */
pare_status pare_paths_mark(pare_buffer *name, const char *path, const char *mark, pare_error *err)
{
    const char *extension = pare_paths_extension(path);
    return pare_buffer_format(name, err, "%.*s.%s%s", (int)(extension - path), path, mark,
                              extension);
}

/* Says what is wrong with `path`, and which option names another. */
static pare_status fail(const char *option, const char *path, const char *wrong, pare_error *err)
{
    char shown[SHOWN_BYTES];
    return pare_fail(err, PARE_E_IO, "cannot write '%s': %s with --%s",
                     pare_format_name(shown, sizeof shown, path), wrong, option);
}

/* stat before access: a missing folder and one that cannot be written to need different answers
 * of the user. */
pare_status pare_paths_check_parent(const char *option, const char *path, pare_error *err)
{
    pare_buffer folder = {0};
    struct stat about;
    size_t size = (size_t)(pare_paths_base(path) - path);
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

/* "-" would be a file of that name, which nobody means. */
pare_status pare_paths_check_file(const char *option, const char *path, pare_error *err)
{
    struct stat about;
    assert(option && path);
    if (strcmp(path, "-") == 0)
        return fail(option, path, "a result cannot go to standard output; name a file", err);
    if (stat(path, &about) == 0) {
        if (S_ISDIR(about.st_mode)) return fail(option, path, "it is a folder; name a file", err);
        if (!S_ISREG(about.st_mode))
            return fail(option, path, "it is not a regular file; name one", err);
    }
    return pare_paths_check_parent(option, path, err);
}
