/* Folders for what is added to pare: the user's, and those of the system.
 *
 * The user's follows the XDG base directory specification: a relative path in XDG_DATA_HOME
 * does not count.  The system's folders are below lib, not share, because what is in them
 * (parsers as shared libraries) depends on the architecture.
 *
 * A list of folders rather than one, looked through in order: a build tree must find its own
 * parsers before those that are installed, and an administrator's in /usr/local go before a
 * distribution's.  The list is short and fixed in size; what does not fit is left out, which
 * takes sixteen entries in a variable that nobody sets by hand. */
#include "os/data_folders.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"

#ifndef PARE_LIBEXEC_DIR /* the build tells it */
#define PARE_LIBEXEC_DIR "/usr/local/lib/pare"
#endif

static const char LOCAL[] = "/usr/local/lib/pare";

/* The value of an environment variable; NULL when it is not set, or empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* PARE_DATA comes first: tests and build trees have a folder of their own. The folder need not
 * exist. */
pare_status pare_data_folders_user_path(const char *below, char **out, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status;
    const char *own = variable("PARE_DATA");
    const char *xdg = variable("XDG_DATA_HOME");
    const char *home = variable("HOME");
    if (own)
        status = pare_buffer_format(&path, err, "%s/%s", own, below);
    else if (xdg && *xdg == '/')
        status = pare_buffer_format(&path, err, "%s/pare/%s", xdg, below);
    else if (home)
        status = pare_buffer_format(&path, err, "%s/.local/share/pare/%s", home, below);
    else
        status = pare_fail(err, PARE_E_STATE,
                           "there is no data folder: neither PARE_DATA, XDG_DATA_HOME nor HOME "
                           "is set");
    if (status == PARE_OK)
        *out = path.data;
    else
        pare_buffer_done(&path);
    return status;
}

pare_status pare_data_folders_cache_path(const char *below, char **out, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status;
    const char *xdg = variable("XDG_CACHE_HOME");
    const char *home = variable("HOME");
    if (xdg && *xdg == '/')
        status = pare_buffer_format(&path, err, "%s/pare/%s", xdg, below);
    else if (home)
        status = pare_buffer_format(&path, err, "%s/.cache/pare/%s", home, below);
    else
        status = pare_fail(err, PARE_E_STATE,
                           "there is no cache: neither XDG_CACHE_HOME nor HOME is set");
    if (status == PARE_OK)
        *out = path.data;
    else
        pare_buffer_done(&path);
    return status;
}

/* --- of the system ------------------------------------------------------------------ */

/* Adds FOLDER/BELOW, or FOLDER when `below` is NULL; what does not fit is left out. */
static pare_status add_folder(pare_data_folders *folders, const char *folder, size_t size,
                              const char *below, pare_error *err)
{
    pare_buffer path = {0};
    assert(folders->n <= PARE_DATA_FOLDERS_MAX);
    if (size == 0 || folders->n == PARE_DATA_FOLDERS_MAX) return PARE_OK;
    pare_status status = pare_buffer_format(&path, err, "%.*s%s%s", (int)size, folder,
                                            below ? "/" : "", below ? below : "");
    if (status == PARE_OK)
        folders->paths[folders->n++] = path.data;
    else
        pare_buffer_done(&path);
    return status;
}

/* Adds the folders of a list that is separated by colons, as they are; empty entries are
 * passed over. */
static pare_status add_listed(pare_data_folders *folders, const char *list, pare_error *err)
{
    pare_status status = PARE_OK;
    for (const char *at = list; status == PARE_OK && *at; at += *at == ':') {
        size_t size = strcspn(at, ":");
        status = add_folder(folders, at, size, NULL, err);
        at += size;
    }
    return status;
}

/* Adds the folder of the program that runs, and the one where `make install` puts things from
 * there: ../lib/pare.  Where the program's path cannot be read, neither. */
static pare_status add_near_program(pare_data_folders *folders, const char *below, pare_error *err)
{
    static const char lib[] = "/lib/pare";
    char here[4096 + sizeof lib];
    ssize_t n = readlink("/proc/self/exe", here, 4095);
    if (n <= 0) return PARE_OK;
    here[n] = '\0';
    char *slash = strrchr(here, '/');
    if (!slash) return PARE_OK;
    *slash = '\0';
    pare_status status = add_folder(folders, here, strlen(here), below, err);
    slash = strrchr(here, '/');
    if (status != PARE_OK || !slash) return status;
    memcpy(slash, lib, sizeof lib);
    return add_folder(folders, here, strlen(here), below, err);
}

/* If the variable `name` is set, even to nothing, it replaces the whole list, so that a test can
 * have no folder at all. */
pare_status pare_data_folders_list(const char *below, const char *name, pare_data_folders *folders,
                                   pare_error *err)
{
    const char *listed = getenv(name);
    const char *libexec = variable("PARE_LIBEXEC");
    if (listed) return add_listed(folders, listed, err);
    pare_status status =
        libexec ? add_folder(folders, libexec, strlen(libexec), below, err) : PARE_OK;
    if (status == PARE_OK) status = add_near_program(folders, below, err);
    if (status == PARE_OK) status = add_folder(folders, LOCAL, strlen(LOCAL), below, err);
    if (status == PARE_OK)
        status = add_folder(folders, PARE_LIBEXEC_DIR, strlen(PARE_LIBEXEC_DIR), below, err);
    return status;
}

/* The list may be filled in part, after an error. */
void pare_data_folders_done(pare_data_folders *folders)
{
    for (size_t i = 0; i < folders->n; i++)
        pare_alloc_free(folders->paths[i]);
    folders->n = 0;
}

/* Where to install something: into the first of the folders that the user listed, or
 * /usr/local's. */
pare_status pare_data_folders_system_path(const char *below, const char *name, char **out,
                                          pare_error *err)
{
    pare_data_folders folders = {.n = 0};
    const char *listed = variable(name);
    pare_status status = listed ? add_listed(&folders, listed, err) : PARE_OK;
    if (status == PARE_OK && folders.n == 0)
        status = add_folder(&folders, LOCAL, strlen(LOCAL), below, err);
    if (status == PARE_OK) {
        *out = folders.paths[0];
        folders.paths[0] = NULL;
    }
    pare_data_folders_done(&folders);
    return status;
}
