/* What the user interface has to know of a terminal: whether a descriptor is one, and how wide
 * it is.
 *
 * Asked anew at each call, because a window may be resized while a run is watched. 80 columns
 * where nothing is known: what terminals have had since there are any, and what pagers assume. */
#include "os/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

bool pare_terminal_is(int fd)
{
    return isatty(fd) == 1;
}

/* A pipe, a file and a terminal that says 0 are all unknown. */
unsigned pare_terminal_columns(int fd)
{
    struct winsize size = {0};
    if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col) return 80;
    return size.ws_col;
}
