/* What a test in a name space sandbox sees of the file system: its mounts.
 *
 * A view is prepared by us, where the C library is there, and built by a child of ours that is
 * in the new name spaces and makes system calls only (os/sandbox/namespace_sandbox.h, which is
 * the one that uses this).  One thread. */
#ifndef PARE_OS_SANDBOX_NAMESPACE_VIEW_H
#define PARE_OS_SANDBOX_NAMESPACE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/sandbox/namespace_options.h"

enum {
    PARE_NAMESPACE_VIEW_KEPT = PARE_NAMESPACE_SANDBOX_PATHS + 1, /* mounts: and the directory */
    PARE_NAMESPACE_VIEW_OPTION = 64,                             /* bytes of an option of mount */
    PARE_NAMESPACE_VIEW_DEVICES = 6,
    PARE_NAMESPACE_VIEW_SOCKETS = 256,     /* that are covered one by one, at most */
    PARE_NAMESPACE_VIEW_SOCKET_PATH = 109, /* bytes, with a NUL: of sockaddr_un */
    PARE_NAMESPACE_VIEW_LINKS = 16,        /* in /run that stay, at most */
    PARE_NAMESPACE_VIEW_LINK = 256,        /* bytes of such a link's path, and of its text */
    PARE_NAMESPACE_VIEW_PARTS = 1024, /* that folders with mounts in them are put together of */
    PARE_NAMESPACE_VIEW_PART = 256    /* bytes of such a part's path */
};

/* A symbolic link in a hidden place that a test sees all the same: it tells a name only. */
typedef struct pare_namespace_link {
    char path[PARE_NAMESPACE_VIEW_LINK], text[PARE_NAMESPACE_VIEW_LINK];
} pare_namespace_link;

/* A file, link or folder in a folder that has to be copied part by part. */
typedef struct pare_namespace_part {
    char path[PARE_NAMESPACE_VIEW_PART];
    unsigned kind;  /* S_IFREG, S_IFLNK, S_IFDIR */
    bool is_filled; /* a folder with mounts below it: what is in it follows, as parts */
    char upper[16], work[16], options[PARE_NAMESPACE_VIEW_OPTION]; /* of a copied folder */
} pare_namespace_part;

/* A socket to be covered. */
typedef struct pare_namespace_socket {
    char path[PARE_NAMESPACE_VIEW_SOCKET_PATH];
    bool in_home; /* it is dead where the home directory is a copy */
} pare_namespace_socket;

typedef struct pare_namespace_view {
    const pare_namespace_sandbox_options *options; /* borrowed */
    char size_option[PARE_NAMESPACE_VIEW_OPTION];  /* "size=BYTES,mode=755" */
    pare_namespace_socket sockets[PARE_NAMESPACE_VIEW_SOCKETS];
    size_t n_sockets;
    pare_namespace_link links[PARE_NAMESPACE_VIEW_LINKS];
    size_t n_links;
    pare_namespace_part *parts; /* owned; NULL where nothing is mounted in such a place */
    size_t n_parts;
    int kept[PARE_NAMESPACE_VIEW_KEPT]; /* detached mounts of the directory and the writable */
    size_t n_kept;
    int visible[PARE_NAMESPACE_SANDBOX_PATHS]; /* of the visible */
    size_t n_visible;
    int devices[PARE_NAMESPACE_VIEW_DEVICES]; /* detached; -1: the system has none */
    int scratch_fd;                           /* result; stays open */
    const char *failed;                       /* result: what failed; NULL: nothing */
    int cause;                                /* its errno */
} pare_namespace_view;

/* Prepares *view for `options`, which are borrowed as long as it is used.  What cannot be listed is
 * not there to be covered; false when there is no memory, and then, too, it is released by _done. */
bool pare_namespace_view_prepare(pare_namespace_view *view,
                                 const pare_namespace_sandbox_options *options);

/* Releases what was prepared; an all-zero view is fine.  The descriptors in it are its owner's. */
void pare_namespace_view_done(pare_namespace_view *view);

/* For the child: makes the view in its mount name space, which must be new.  Nothing is left
 * open but scratch_fd.  False: view->failed and cause say why. */
bool pare_namespace_view_build(pare_namespace_view *view);

/* For process 1 of new process numbers: gives it a /proc of its own, and bounds the processes
 * there (0: not).  Returns whether that bound holds. */
bool pare_namespace_view_number_processes(uint64_t most_processes);

#endif
