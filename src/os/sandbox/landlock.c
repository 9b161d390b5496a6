/* The rules of Landlock for a cell.
 *
 * Handled is the opening of files for writing, which stops at what a test may write to, so that a
 * FIFO elsewhere cannot be written to; and the looking up of sockets by path, in the same places,
 * besides those that the test binds itself.  Moving files between directories (REFER) has to be
 * handled, for Landlock refuses it otherwise, and is allowed everywhere: mounts see to that.
 *
 * A rule is about an inode, so rules are made when the mounts of the cell are: a copy's inode is
 * another one than that of what it copies.
 * Cost: about 5 us a test. */
#include "os/sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/child.h"

enum {
    CREATE_RULES = 444, /* numbers of system calls, the same on all machines */
    ADD_RULE = 445,
    RESTRICT_SELF = 446,
    ASK_VERSION = 1,
    PATH_BENEATH = 1,
    FIRST_WITH_REFER = 2, /* versions */
    FIRST_WITH_SCOPES = 6,
    FIRST_WITH_SOCKETS = 9,
    BYTES_BEFORE_SCOPES = 8 /* of the struct for older kernels: its first member */
};

static const uint64_t WRITE_FILE = 1 << 1, REFER = 1 << 13, RESOLVE_UNIX = 1 << 16;
static const uint64_t SCOPE_ABSTRACT_UNIX_SOCKET = 1;

struct rules {
    uint64_t files, network, scoped;
};

struct beneath {
    uint64_t allowed;
    int32_t parent_fd;
} __attribute__((packed));

/* Allows `access` at and below `path`; what is not there needs no rule. */
PARE_IN_CHILD static bool allow(long rules, const char *path, uint64_t access)
{
    long fd = syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_PATH | O_CLOEXEC), 0L);
    if (fd < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES;
    const struct beneath beneath = {.allowed = access, .parent_fd = (int32_t)fd};
    bool done = !syscall(ADD_RULE, rules, (long)PATH_BENEATH, &beneath, 0L);
    int cause = errno;
    (void)syscall(SYS_close, fd);
    errno = cause;
    return done;
}

/* Allows `access` in all places that a test may write to, or that were named. */
PARE_IN_CHILD static bool allow_all(long rules, const pare_namespace_sandbox_options *options,
                                    uint64_t access)
{
    static const char *const usual[] = {"/tmp", "/var/tmp", "/dev", "/proc"};
    bool good = allow(rules, "/", REFER) && allow(rules, options->directory, access);
    for (size_t i = 0; good && i < sizeof usual / sizeof *usual; i++)
        good = allow(rules, usual[i], access);
    if (good && options->home) good = allow(rules, options->home, access);
    if (good && options->temporary) good = allow(rules, options->temporary, access);
    for (size_t i = 0; good && i < options->n_writable; i++)
        good = allow(rules, options->writable[i], access);
    for (size_t i = 0; good && i < options->n_visible; i++)
        good = allow(rules, options->visible[i], access);
    return good;
}

/* The first version cannot allow files to be moved, so it is not used. */
PARE_IN_CHILD bool pare_landlock_open(const pare_namespace_sandbox_options *options, int *rules_fd)
{
    struct rules order = {.files = WRITE_FILE | REFER};
    const long version = syscall(CREATE_RULES, NULL, 0L, (long)ASK_VERSION);
    *rules_fd = -1;
    if (version < FIRST_WITH_REFER) return true;
    if (version >= FIRST_WITH_SOCKETS) order.files |= RESOLVE_UNIX;
    if (version >= FIRST_WITH_SCOPES) order.scoped = SCOPE_ABSTRACT_UNIX_SOCKET;
    const long size = version >= FIRST_WITH_SCOPES ? (long)sizeof order : BYTES_BEFORE_SCOPES;
    const long rules = syscall(CREATE_RULES, &order, size, 0L);
    if (rules < 0) return false;
    if (allow_all(rules, options, order.files & ~REFER)) {
        *rules_fd = (int)rules;
        return true;
    }
    int cause = errno;
    (void)syscall(SYS_close, rules);
    errno = cause;
    return false;
}

PARE_IN_CHILD bool pare_landlock_restrict(int rules_fd)
{
    return !syscall(RESTRICT_SELF, (long)rules_fd, 0L);
}
