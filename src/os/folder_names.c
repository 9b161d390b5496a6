/* opendir, readdir, sorted. */
#include "os/folder_names.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

static int compare(const void *first, const void *second)
{
    return strcmp(*(char *const *)first, *(char *const *)second);
}

static pare_status add(pare_folder_names *names, const char *name, pare_error *err)
{
    char **grown = pare_vector_grow(names->items, names->n, &names->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    names->items = grown;
    grown[names->n] = pare_copy_text(name, strlen(name));
    if (!grown[names->n]) return pare_fail_nomem(err);
    names->n++;
    return PARE_OK;
}

pare_status pare_folder_names_read(pare_folder_names *names, const char *path, pare_error *err)
{
    DIR *folder = opendir(path);
    if (!folder) return pare_fail_errno(err, errno, "cannot read the folder '%s'", path);
    pare_status status = PARE_OK;
    const struct dirent *entry;
    errno = 0;
    while (!status && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = add(names, entry->d_name, err);
        errno = 0;
    }
    if (!status && errno) status = pare_fail_errno(err, errno, "cannot read the folder '%s'", path);
    (void)closedir(folder);
    if (names->n) qsort(names->items, names->n, sizeof *names->items, compare);
    return status;
}

void pare_folder_names_done(pare_folder_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        pare_release(names->items[i]);
    pare_release(names->items);
    *names = (pare_folder_names){0};
}
