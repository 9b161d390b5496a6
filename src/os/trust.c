/* Owners and modes from a file up to the root, as sshd and sudo look at what they read.
 *
 * The path is followed as it was given, and so is each link on it, and each link on that one's path,
 * for whoever owns a link, or a folder that holds one, decides where it leads; and once with all links
 * resolved.  Each folder above counts, as whoever can rename a folder can put another one in its place.
 *
 * Deviations from sshd's rule, which refuses everything that a group may write: a group of which all
 * members are trusted is (users with a group of their own and umask 002; root's staff in /usr/local),
 * and so is what lies under a sticky folder and is ours.  In a user name space that does not show all
 * users, those that it does not show, root among them, have the number 65534.
 *
 * Invariant: what is accepted can be changed by nobody but a trusted user, from now on too, since
 * only a trusted user could give that away. */
#include "os/trust.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/file.h"

enum {
    UNMAPPED = 65534,
    ENTRY_BYTES = 1 << 14,
    MOST_LINKS = 256 /* followed; the kernel follows 40, but some are met here several times */
};

/* The users who are trusted, and the path of the program. */
struct trusted {
    uid_t owner;            /* of the program */
    gid_t group;            /* that can write to the program; -1: none */
    bool all_mapped;        /* every user has a number here */
    char program[PATH_MAX]; /* "": unknown */
};

/* A line of the map is the first number here, the first outside, and how many there are. */
static bool maps_all(void)
{
    char line[128], *at = line;
    FILE *map = fopen("/proc/self/uid_map", "re");
    bool is_there = map && fgets(line, sizeof line, map);
    if (map) (void)fclose(map);
    if (!is_there) return true;
    (void)strtoul(at, &at, 10);
    (void)strtoul(at, &at, 10);
    return strtoul(at, &at, 10) >= UINT32_MAX;
}

static struct trusted find_trusted(void)
{
    struct trusted trusted = {.owner = 0, .group = (gid_t)-1};
    struct stat info;
    if (!stat("/proc/self/exe", &info)) {
        trusted.owner = info.st_uid;
        if (info.st_mode & S_IWGRP) trusted.group = info.st_gid;
    }
    ssize_t size = readlink("/proc/self/exe", trusted.program, sizeof trusted.program - 1);
    trusted.program[size > 0 ? size : 0] = '\0';
    trusted.all_mapped = maps_all();
    return trusted;
}

static bool is_trusted(const struct trusted *trusted, uid_t user)
{
    if (user == 0 || user == geteuid() || user == trusted->owner) return true;
    return user == UNMAPPED && !trusted->all_mapped;
}

/* ---- groups -------------------------------------------------------------------------- */

/* Whether the users of /etc/passwd that are called `name`, or where that is NULL have the first
 * group `group`, are all trusted; *any is set when there are some. */
static bool users_are_trusted(const struct trusted *trusted, const char *name, gid_t group,
                              bool *any)
{
    char bytes[ENTRY_BYTES];
    struct passwd entry = {.pw_name = NULL}, *found;
    bool fine = true;
    FILE *users = fopen("/etc/passwd", "re");
    while (users && fine && !fgetpwent_r(users, &entry, bytes, sizeof bytes, &found)) {
        if (name ? strcmp(entry.pw_name, name) != 0 : entry.pw_gid != group) continue;
        *any = true;
        fine = is_trusted(trusted, entry.pw_uid);
    }
    if (users) (void)fclose(users);
    return fine;
}

/* A group that neither file knows may have any members. */
static bool group_is_trusted(const struct trusted *trusted, gid_t group)
{
    char bytes[ENTRY_BYTES];
    struct group entry = {.gr_name = NULL}, *found;
    if (group == trusted->group) return true;
    bool known = false, fine = users_are_trusted(trusted, NULL, group, &known);
    FILE *groups = fopen("/etc/group", "re");
    while (groups && fine && !fgetgrent_r(groups, &entry, bytes, sizeof bytes, &found)) {
        if (entry.gr_gid != group) continue;
        known = true;
        for (char **member = entry.gr_mem; fine && *member; member++) {
            bool is_user = false;
            fine = users_are_trusted(trusted, *member, group, &is_user) && is_user;
        }
    }
    if (groups) (void)fclose(groups);
    return known && fine;
}

/* ---- one file ------------------------------------------------------------------------ */

static pare_status check_owner(const struct trusted *trusted, const char *path,
                               const struct stat *info, pare_error *err)
{
    if (is_trusted(trusted, info->st_uid)) return PARE_OK;
    return pare_fail(err, PARE_E_CORRUPT, "%s belongs to another user (number %lu)", path,
                     (unsigned long)info->st_uid);
}

/* A file or folder, links followed. */
static pare_status check_mode(const struct trusted *trusted, const char *path,
                              const struct stat *info, pare_error *err)
{
    bool sticky = S_ISDIR(info->st_mode) && info->st_mode & S_ISVTX;
    if (sticky) return PARE_OK;
    if (info->st_mode & S_IWOTH)
        return pare_fail(err, PARE_E_CORRUPT, "everybody can write to %s: 'chmod o-w' it", path);
    if (info->st_mode & S_IWGRP && !group_is_trusted(trusted, info->st_gid))
        return pare_fail(err, PARE_E_CORRUPT, "others can write to %s by its group: 'chmod g-w' it",
                         path);
    return PARE_OK;
}

/* Whether the program lies in the folder `path`. */
static bool holds_program(const struct trusted *trusted, const char *path)
{
    size_t size = strlen(path);
    return strncmp(trusted->program, path, size) == 0 && trusted->program[size] == '/';
}

/* *is_link tells whether `path` itself is one. */
static pare_status check_one(const struct trusted *trusted, const char *path, bool *is_link,
                             pare_error *err)
{
    struct stat info;
    *is_link = false;
    if (holds_program(trusted, path)) return PARE_OK;
    if (lstat(path, &info)) return pare_fail_errno(err, errno, "%s", path);
    *is_link = S_ISLNK(info.st_mode);
    pare_status status = check_owner(trusted, path, &info, err);
    if (status || !S_ISLNK(info.st_mode))
        return status ? status : check_mode(trusted, path, &info, err);
    if (stat(path, &info)) return pare_fail_errno(err, errno, "%s", path);
    status = check_owner(trusted, path, &info, err);
    return status ? status : check_mode(trusted, path, &info, err);
}

/* ---- the way up ------------------------------------------------------------------------ */

/* Sets *target to where the link at `path`, which is absolute, leads. */
static pare_status read_link(const char *path, pare_buffer *target, pare_error *err)
{
    char text[PATH_MAX];
    ssize_t size = readlink(path, text, sizeof text);
    if (size < 0) return pare_fail_errno(err, errno, "%s", path);
    pare_status status = PARE_OK;
    if (!size || *text != '/') {
        const size_t folder = (size_t)(strrchr(path, '/') - path) + 1;
        status = pare_buffer_add(target, path, folder, err);
    }
    if (!status) status = pare_buffer_add(target, text, (size_t)size, err);
    return status ? status : pare_buffer_add(target, "", 1, err);
}

/* `path` is absolute, and is cut on the way. */
static pare_status check_way(const struct trusted *trusted, char *path, unsigned *n_links,
                             pare_error *err)
{
    for (;;) {
        bool is_link;
        pare_status status = check_one(trusted, path, &is_link, err);
        if (!status && is_link) {
            pare_buffer target = {0};
            if (++*n_links > MOST_LINKS)
                status = pare_fail(err, PARE_E_CORRUPT, "too many links lead to %s", path);
            if (!status) status = read_link(path, &target, err);
            if (!status) status = check_way(trusted, target.data, n_links, err);
            pare_buffer_done(&target);
        }
        char *slash = strrchr(path, '/');
        if (status || !slash || !path[1]) return status;
        slash[slash == path] = '\0';
    }
}

pare_status pare_trust_check(const char *path, pare_error *err)
{
    const struct trusted trusted = find_trusted();
    char resolved[PATH_MAX], *given = NULL;
    unsigned n_links = 0;
    pare_status status = pare_file_absolute(path, &given, err);
    if (!status && !realpath(path, resolved)) status = pare_fail_errno(err, errno, "%s", path);
    if (!status) status = check_way(&trusted, resolved, &n_links, err);
    if (!status) status = check_way(&trusted, given, &n_links, err);
    pare_alloc_free(given);
    return status;
}
