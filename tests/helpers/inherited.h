/* What a program under test can do with descriptors that nobody meant to give it. */
#ifndef PARE_TESTS_INHERITED_H
#define PARE_TESTS_INHERITED_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIRST_PROBED = 3,
    END_PROBED = 1024,
    FIRST_OF_SERVERS = 196, /* to 199: what a server of tests and pare say to each other */
    END_OF_SERVERS = 200
};

/* How many descriptors there are besides the standard ones and those of servers.  Each is
 * used as a hostile program would: written to, and a file made below it. */
static inline int use_inherited(void)
{
    int n = 0;
    for (int fd = FIRST_PROBED; fd < END_PROBED; fd++) {
        struct stat info;
        if (fd >= FIRST_OF_SERVERS && fd < END_OF_SERVERS) continue;
        if (fstat(fd, &info)) continue;
        n++;
        if (S_ISREG(info.st_mode) && write(fd, "leaked\n", 7) == 7) n++;
        int made = S_ISDIR(info.st_mode) ? openat(fd, "leaked", O_CREAT | O_WRONLY, 0600) : -1;
        if (made >= 0) (void)close(made);
    }
    return n;
}

#endif
