/* Whether somebody is looking, and how wide the window is. */
#include "os/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

bool pare_terminal_is(int fd)
{
    return isatty(fd) == 1;
}

unsigned pare_terminal_columns(int fd)
{
    struct winsize size = {0};
    if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col) return 80;
    return size.ws_col;
}
