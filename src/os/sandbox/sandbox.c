/* The policy over name spaces: which cell a slot's tests run in, when it is made anew, and
 * what is done where the system refuses one.
 *
 * DEVICES: one cell serves all slots, for nothing is private in it.  FULL: each slot has one,
 * made at its first test and used as long as tests leave it clean and its directory is the
 * same one (told by device and inode, for a test may have replaced it).  A cell that is not
 * clean is closed, which ends everything in it, and another is made at the next test.
 *
 * A refusal degrades the level once and for all, before any outcome has been believed; after
 * the first cell was made, a refusal is an error.  So all outcomes of a run come from tests
 * that were equally isolated.  Invariant: `level` never rises, and falls only while was_made
 * is false.
 *
 * Why not decide by looking at the kernel's settings: there are too many of them (sysctls,
 * AppArmor, seccomp of containers) and only the attempt tells.  They are read afterwards, to
 * explain the refusal. */
#include "os/sandbox/sandbox.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "os/file.h"
#include "os/machine.h"
#include "os/sandbox/namespace_options.h"
#include "os/sandbox/namespace_sandbox.h"

enum {
    NOTICE_BYTES = 512,
    SCRATCH_PART = 16,        /* of the machine's memory, for what one slot writes */
    DEFAULT_PROCESSES = 1024, /* in a cell */
    HELPERS_TRIED = 3         /* one after the other was killed by somebody */
};

/* The cell of a slot. */
struct room {
    pare_namespace_sandbox cell;
    dev_t device; /* of the directory that the cell was made for */
    ino_t inode;
};

struct pare_sandbox {
    pare_sandbox_options options;
    pare_sandbox_level level; /* in force */
    bool was_made;            /* a cell of this level */
    bool is_degraded;
    pare_process_tree *tree; /* borrowed */
    struct room *rooms;      /* owned; by slot, DEVICES: the first only */
    unsigned n_rooms;
    char *home, *temporary;     /* owned; NULL: none */
    char **writable, **visible; /* owned, with their texts; absolute */
    size_t n_visible;
    char notice[NOTICE_BYTES];
};

/* --- notices ------------------------------------------------------------------ */

static const char advice[] = "run pare as a user of its own, or where unprivileged user name "
                             "spaces are allowed (in a container: more rights)";

/* Sets the notice, "WHAT (WHY); to change that, HOW", unless there is one: the first is the
 * cause of what follows. */
static void tell_advice(pare_sandbox *sandbox, const char *what, const char *why, const char *how)
{
    if (sandbox->notice[0]) return;
    (void)snprintf(sandbox->notice, sizeof sandbox->notice, "%s%s%s%s; to change that, %s", what,
                   why ? " (" : "", why ? why : "", why ? ")" : "", how);
}

static void tell(pare_sandbox *sandbox, const char *what, const char *why)
{
    tell_advice(sandbox, what, why, advice);
}

/* Settings of the kernel that switch user name spaces off, and the value that does. */
static const struct setting {
    const char *path, *name;
    char value;
} settings[] = {
    {"/proc/sys/user/max_user_namespaces", "user.max_user_namespaces", '0'},
    {"/proc/sys/kernel/unprivileged_userns_clone", "kernel.unprivileged_userns_clone", '0'},
    {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
     "kernel.apparmor_restrict_unprivileged_userns", '1'},
};

/* Adds to the reason of a refusal which setting of the kernel it may be: the refusal itself
 * says only that it was not permitted. */
static void explain(pare_error *refusal)
{
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        char text[2] = "";
        int fd = open(settings[k].path, O_RDONLY | O_CLOEXEC);
        bool is_off = fd >= 0 && read(fd, text, sizeof text) > 0 && text[0] == settings[k].value &&
                      (text[1] == '\n' || text[1] == '\0');
        if (fd >= 0) (void)close(fd);
        if (!is_off) continue;
        size_t used = strlen(refusal->message);
        (void)snprintf(refusal->message + used, sizeof refusal->message - used, "; %s is %c",
                       settings[k].name, settings[k].value);
        return;
    }
}

/* Gives up the level in force for the next that may be possible, with a notice; PARE_E_IO
 * where the user requires the level.  Devices can only be protected by root, who alone could
 * remove them. */
static pare_status degrade(pare_sandbox *sandbox, const char *why, pare_error *err)
{
    bool full = sandbox->level == PARE_LEVEL_FULL;
    if (sandbox->options.is_required)
        return pare_fail(err, PARE_E_IO, "this machine has no %s for tests (%s); %s",
                         full ? "full sandbox" : "protection of devices", why, advice);
    assert(!sandbox->was_made); /* what was isolated once stays so */
    sandbox->is_degraded = true;
    if (full)
        tell(sandbox, "tests are not isolated from this system", why);
    else
        tell(sandbox, "tests run as root and could remove devices such as /dev/null", why);
    sandbox->level = full && geteuid() == 0 && !sandbox->options.is_emulated ? PARE_LEVEL_DEVICES
                                                                             : PARE_LEVEL_OFF;
    return PARE_OK;
}

/* --- life --------------------------------------------------------------------- */

/* Copies the absolute path of a directory. *out stays NULL if it is none, or is covered by a cell
 * anyway (/tmp, folders in /dev). */
static pare_status keep_place(const char *path, char **out, pare_error *err)
{
    char buffer[PATH_MAX];
    const char *resolved = path && path[0] == '/' ? realpath(path, buffer) : NULL;
    bool covered = !resolved || !strcmp(resolved, "/") || !strcmp(resolved, "/tmp") ||
                   !strcmp(resolved, "/var/tmp") || !strncmp(resolved, "/dev/", 5) ||
                   !pare_file_is_directory(resolved);
    if (covered) return PARE_OK;
    *out = pare_alloc_text(resolved, strlen(resolved));
    return *out ? PARE_OK : pare_fail_nomem(err);
}

/* The paths that stay writable, or visible, as `how` says; *out has room for `room` more.  They are
 * resolved here, once: in the cell links of the user's may lead to what is covered. */
static pare_status keep_paths(const char *const *paths, size_t n, const char *how, size_t room,
                              char ***out, pare_error *err)
{
    if (n > PARE_NAMESPACE_SANDBOX_PATHS)
        return pare_fail(err, PARE_E_ARG, "more than %d %s paths", PARE_NAMESPACE_SANDBOX_PATHS,
                         how);
    char **kept = *out = pare_alloc_zero(n + room + 1, sizeof *kept);
    if (!kept) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        char buffer[PATH_MAX];
        const char *resolved = realpath(paths[i], buffer);
        if (!resolved)
            return pare_fail(err, PARE_E_ARG, "%s cannot stay %s: %s", paths[i], how,
                             strerror(errno));
        kept[i] = pare_alloc_text(resolved, strlen(resolved));
        if (!kept[i]) return pare_fail_nomem(err);
    }
    return PARE_OK;
}

/* With the host's network its names are looked up as the host does: the file that says how is a
 * link to /run on many systems. */
static pare_status show_resolver(pare_sandbox *sandbox, pare_error *err)
{
    char buffer[PATH_MAX];
    const char *path = realpath("/etc/resolv.conf", buffer);
    const bool shown = path && !strncmp(path, "/etc/", 5);
    if (!path || shown || sandbox->n_visible == PARE_NAMESPACE_SANDBOX_PATHS) return PARE_OK;
    char *kept = pare_alloc_text(path, strlen(path));
    if (!kept) return pare_fail_nomem(err);
    sandbox->visible[sandbox->n_visible++] = kept;
    return PARE_OK;
}

static pare_status keep_named(pare_sandbox *sandbox, pare_error *err)
{
    const pare_sandbox_options *options = &sandbox->options;
    pare_status status =
        keep_paths(options->writable, options->n_writable, "writable", 0, &sandbox->writable, err);
    if (!status)
        status =
            keep_paths(options->visible, options->n_visible, "visible", 1, &sandbox->visible, err);
    sandbox->n_visible = options->n_visible;
    return !status && options->network ? show_resolver(sandbox, err) : status;
}

/* Checks what can be told before the first test: levels that make no sense for this user, and the
 * places in the options. Whether cells can be made is found out by making one. */
static pare_status prepare(pare_sandbox *sandbox, pare_error *err)
{
    pare_status status = PARE_OK;
    const pare_spawn_limits *limits = &sandbox->options.limits;
    if (sandbox->level == PARE_LEVEL_DEVICES && geteuid() != 0) sandbox->level = PARE_LEVEL_OFF;
    sandbox->rooms = pare_alloc_zero(sandbox->n_rooms, sizeof *sandbox->rooms);
    if (!sandbox->rooms) return pare_fail_nomem(err);
    if (sandbox->level == PARE_LEVEL_FULL) {
        status = keep_place(getenv("HOME"), &sandbox->home, err);
        if (!status) status = keep_place(getenv("TMPDIR"), &sandbox->temporary, err);
        if (!status) status = keep_named(sandbox, err);
    } else if (limits->processes && geteuid() == 0) {
        tell_advice(sandbox, "the number of processes is not limited", "root's never is",
                    "add --sandbox full");
    }
    if (!status && sandbox->level != PARE_LEVEL_OFF && sandbox->options.is_emulated)
        status = degrade(sandbox, "this is an emulator", err);
    pare_spawn_limits_clamp(&sandbox->options.limits);
    return status;
}

/* Makes no cell yet: the first test of each slot does. */
pare_status pare_sandbox_new(const pare_sandbox_options *options, pare_process_tree *tree,
                             pare_sandbox **out, pare_error *err)
{
    pare_sandbox *sandbox = pare_alloc_zero(1, sizeof *sandbox);
    if (!sandbox) return pare_fail_nomem(err);
    sandbox->options = *options;
    sandbox->level = options->level;
    sandbox->tree = tree;
    sandbox->n_rooms = tree->n_slots;
    pare_status status = prepare(sandbox, err);
    if (status)
        pare_sandbox_free(sandbox);
    else
        *out = sandbox;
    return status;
}

/* Closes the cell of `slot`, if there is one.  The end of a cell waits for every child of ours
 * in it, so a server that lives there is ended before. */
static void vacate(pare_sandbox *sandbox, unsigned slot)
{
    pare_ending ignored;
    if (sandbox->rooms[slot].cell.keeper &&
        pare_process_tree_end_server(sandbox->tree, slot, &ignored, NULL))
        ignored.lost = true; /* somebody else has reaped it: gone all the same */
    pare_namespace_sandbox_close(&sandbox->rooms[slot].cell);
    pare_process_tree_keep(sandbox->tree, slot, 0);
}

/* May follow a failed start: what was not made is NULL. */
void pare_sandbox_free(pare_sandbox *sandbox)
{
    if (!sandbox) return;
    for (unsigned k = 0; sandbox->rooms && k < sandbox->n_rooms; k++)
        vacate(sandbox, k);
    for (size_t i = 0; sandbox->writable && i < sandbox->options.n_writable; i++)
        pare_alloc_free(sandbox->writable[i]);
    for (size_t i = 0; sandbox->visible && i < sandbox->n_visible; i++)
        pare_alloc_free(sandbox->visible[i]);
    pare_alloc_free(sandbox->writable);
    pare_alloc_free(sandbox->visible);
    pare_alloc_free(sandbox->home);
    pare_alloc_free(sandbox->temporary);
    pare_alloc_free(sandbox->rooms);
    pare_alloc_free(sandbox);
}

/* --- use ---------------------------------------------------------------------- */

/* Makes the cell of `slot`, and tells the process tree of its keeper, which no sweep may end.
 * Errors: of pare_namespace_sandbox_open; UNSUPPORTED is what another level may cure. */
static pare_status make(pare_sandbox *sandbox, unsigned slot, const char *directory,
                        pare_error *err)
{
    const pare_sandbox_options *options = &sandbox->options;
    const uint64_t asked = options->limits.processes;
    const pare_namespace_sandbox_options order = {
        .kind = sandbox->level == PARE_LEVEL_FULL ? PARE_NAMESPACE_SANDBOX_FULL
                                                  : PARE_NAMESPACE_SANDBOX_DEVICES,
        .directory = directory,
        .home = sandbox->home,
        .temporary = sandbox->temporary,
        .writable = (const char *const *)sandbox->writable,
        .n_writable = options->n_writable,
        .visible = (const char *const *)sandbox->visible,
        .n_visible = sandbox->n_visible,
        .network = options->network,
        .scratch_bytes = pare_machine_memory_bytes() / SCRATCH_PART,
        .most_processes = asked ? asked : DEFAULT_PROCESSES};
    struct room *room = &sandbox->rooms[slot];
    pare_status status = pare_namespace_sandbox_open(&order, &room->cell, err);
    if (status) return status;
    sandbox->was_made = true;
    pare_process_tree_keep(sandbox->tree, slot, room->cell.keeper);
    if (order.kind == PARE_NAMESPACE_SANDBOX_DEVICES || room->cell.is_bounded) return PARE_OK;
    if (geteuid() == 0)
        tell(sandbox, "the number of processes is not limited", "root's never is");
    else if (!asked) /* counted by name space, since Linux 5.14 */
        sandbox->options.limits.processes = DEFAULT_PROCESSES;
    return PARE_OK;
}

/* Whether the cell of `room` can serve a test in the directory that *about tells.  A full cell
 * is made for one folder, known by device and inode; a cell for devices serves all slots. */
static bool fits(const pare_sandbox *sandbox, const struct room *room, const struct stat *about)
{
    return room->cell.join_flags &&
           (sandbox->level != PARE_LEVEL_FULL ||
            (room->device == about->st_dev && room->inode == about->st_ino));
}

/* Loops only to try the next lower level, of which there are two.  A level that has worked
 * once is never given up: tests of one run must not see different systems. */
pare_status pare_sandbox_enter(pare_sandbox *sandbox, unsigned slot, const char *directory,
                               const pare_namespace_sandbox **cell, pare_error *err)
{
    *cell = NULL;
    assert(slot < sandbox->n_rooms);
    while (sandbox->level != PARE_LEVEL_OFF) {
        bool full = sandbox->level == PARE_LEVEL_FULL;
        struct room *room = &sandbox->rooms[full ? slot : 0];
        struct stat about = {0};
        pare_error refusal = {0};
        if (full && stat(directory, &about))
            return pare_fail_errno(err, errno, "cannot enter %s", directory);
        if (!fits(sandbox, room, &about)) {
            vacate(sandbox, full ? slot : 0);
            pare_status status = PARE_E_STATE;
            for (int tries = 0; status == PARE_E_STATE && tries < HELPERS_TRIED; tries++)
                status = make(sandbox, full ? slot : 0, directory, &refusal);
            if (status && (sandbox->was_made || status != PARE_E_UNSUPPORTED))
                return pare_fail(err, status == PARE_E_NOMEM ? status : PARE_E_IO,
                                 "cannot isolate a test: %s", refusal.message);
            if (status) {
                explain(&refusal);
                status = degrade(sandbox, refusal.message, err);
                if (status) return status;
                continue;
            }
            room->device = about.st_dev;
            room->inode = about.st_ino;
        }
        *cell = &room->cell;
        return PARE_OK;
    }
    return PARE_OK;
}

/* A process that was killed from outside may have been killed once by mistake; a killer that does
 * it again and again is reported. The cell is made anew in any case, because its process 1 may be
 * the one that is gone. */
pare_status pare_sandbox_start(pare_sandbox *sandbox, unsigned slot, pare_spawner *spawner,
                               const pare_spawn *order, pare_child *child, pare_error *err)
{
    pare_error failure = {0};
    for (int tries = 0; tries < HELPERS_TRIED; tries++) {
        pare_spawn in_cell = *order;
        pare_status status =
            pare_sandbox_enter(sandbox, slot, order->directory, &in_cell.cell, err);
        if (status) return status;
        failure = (pare_error){0};
        status = pare_spawner_start(spawner, &in_cell, child, &failure);
        if (!status) return PARE_OK;
        const bool was_killed = status == PARE_E_STATE || pare_sandbox_has_ended(sandbox, slot);
        if (!was_killed) {
            if (err) *err = failure;
            return status;
        }
        if (sandbox->level == PARE_LEVEL_FULL) vacate(sandbox, slot);
    }
    return pare_fail(err, PARE_E_IO, "%s, %d times in a row", failure.message, HELPERS_TRIED);
}

bool pare_sandbox_has_ended(const pare_sandbox *sandbox, unsigned slot)
{
    return sandbox->level == PARE_LEVEL_FULL &&
           pare_namespace_sandbox_has_ended(&sandbox->rooms[slot].cell);
}

/* Whether the server of the slot can go on: it lives in the cell, so it goes with that. */
bool pare_sandbox_is_ready(const pare_sandbox *sandbox, unsigned slot, const char *directory)
{
    struct stat about = {0};
    if (sandbox->level != PARE_LEVEL_FULL) return true;
    return sandbox->tree->servers[slot] && !stat(directory, &about) &&
           fits(sandbox, &sandbox->rooms[slot], &about);
}

/* The cell for devices is shared by all slots, and with it its mounts: one that a test changed is
 * for tests that are under way only. */
static void renew_devices(pare_sandbox *sandbox)
{
    pare_namespace_sandbox *cell = &sandbox->rooms[0].cell;
    if (cell->join_flags && !pare_namespace_sandbox_is_clean(cell))
        pare_namespace_sandbox_close(cell);
}

/* After a test.  The look whether it has left anything costs a few system calls; a cell that is
 * clean is kept, since making one costs far more. */
void pare_sandbox_leave(pare_sandbox *sandbox, unsigned slot)
{
    if (sandbox->level == PARE_LEVEL_DEVICES) renew_devices(sandbox);
    if (sandbox->level == PARE_LEVEL_FULL && sandbox->rooms[slot].cell.join_flags &&
        !pare_namespace_sandbox_is_clean(&sandbox->rooms[slot].cell))
        vacate(sandbox, slot);
}

pare_sandbox_level pare_sandbox_level_in_force(const pare_sandbox *sandbox)
{
    return sandbox->level;
}

const pare_spawn_limits *pare_sandbox_limits(const pare_sandbox *sandbox)
{
    return &sandbox->options.limits;
}

bool pare_sandbox_is_degraded(const pare_sandbox *sandbox)
{
    return sandbox->is_degraded;
}

/* For processes started from now on; it is a limit among the others. */
void pare_sandbox_fix_addresses(pare_sandbox *sandbox, bool fixed)
{
    sandbox->options.limits.fixed_addresses = fixed;
}

const char *pare_sandbox_notice(const pare_sandbox *sandbox)
{
    return sandbox->notice[0] ? sandbox->notice : NULL;
}
