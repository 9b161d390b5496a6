/* What a cell sees: the mounts, made from inside by a process that shares our memory.
 *
 * Everything here runs in a child that shares our memory and our descriptors while we
 * wait (os/sandbox/cell.c): system calls only, by number, and nothing is written but the view and
 * the child's stack. */
#ifndef PARE_OS_SANDBOX_CELL_VIEW_H
#define PARE_OS_SANDBOX_CELL_VIEW_H

#include "os/sandbox/cell.h"

enum {
    PARE_VIEW_KEPT = 32,         /* paths that stay as they are, at most */
    PARE_VIEW_OPTION_BYTES = 64, /* of an option of mount */
    PARE_VIEW_DEVICES = 6
};

typedef struct pare_view {
    const pare_cell_options *options;
    char size_option[PARE_VIEW_OPTION_BYTES]; /* "size=BYTES,mode=755" */
    int kept[PARE_VIEW_KEPT]; /* detached mounts of the directory and the writable */
    size_t n_kept;
    int devices[PARE_VIEW_DEVICES];
    int scratch_fd;     /* result; stays open */
    const char *failed; /* what failed; NULL: nothing */
    int cause;
} pare_view;

/* Makes the view in the mount name space of the caller, which must be new.  Nothing is
 * left open but scratch_fd.  False: view->failed and cause say why. */
bool pare_view_build(pare_view *view);

/* What process 1 of the cell does in addition: a /proc of its own, and the bound on
 * processes; gives whether that holds. */
bool pare_view_begin_processes(uint64_t most_processes);

#endif
