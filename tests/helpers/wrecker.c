/* A test that tries to wreck the system it runs on: WHAT CANDIDATE.  It exits with 0 when
 * its attempt failed, or was without effect as far as it can see, and the candidate holds
 * an 'x'; with 99 when the attempt succeeded.
 *
 * Each attempt has a net of its own below the protection that it tries: it gives up at a
 * bound, or does nothing when it is plain that nothing protects the system. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { MOST_FORKS = 4000, MOST_MEGABYTES = 1024, LITTLE_BYTES = 1 << 20 };

static _Noreturn void succeed(const char *what)
{
    (void)fprintf(stderr, "wrecker: %s\n", what);
    _exit(99);
}

/* Every process forks until it cannot; the count is shared. */
static void bomb_forks(void)
{
    int *count =
        mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count == MAP_FAILED) exit(98);
    pid_t first = getpid();
    while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < MOST_FORKS) {
        pid_t pid = fork();
        if (pid < 0) break;
        if (pid > 0) __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
    }
    if (getpid() != first) {
        (void)setsid();
        (void)pause();
    }
    if (__atomic_load_n(count, __ATOMIC_SEQ_CST) >= MOST_FORKS) succeed("no end of processes");
}

static void bomb_memory(void)
{
    const size_t megabyte = (size_t)1 << 20;
    for (int n = 0; n < MOST_MEGABYTES; n++) {
        char *block = malloc(megabyte);
        if (!block) return;
        memset(block, n, megabyte);
    }
    succeed("no end of memory");
}

static int write_file(const char *path, size_t bytes)
{
    static char chunk[1 << 16];
    (void)signal(SIGXFSZ, SIG_IGN);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return errno;
    for (size_t done = 0; done < bytes; done += sizeof chunk)
        if (write(fd, chunk, sizeof chunk) < 0) return errno;
    return close(fd) ? errno : 0;
}

/* Of what `path` lies on, the part that is for us must be small. */
static void expect_bounded(const char *path)
{
    struct statvfs space;
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    if (statvfs(path, &space)) exit(98);
    if ((double)space.f_blocks * (double)space.f_frsize > (double)pages * (double)page_bytes / 8)
        succeed("a disk without bounds");
}

static void fill_disks(void)
{
    if (write_file("large", (size_t)16 * LITTLE_BYTES) != EFBIG) succeed("a large file");
    if (write_file("/tmp/wrecker-was-here", LITTLE_BYTES)) exit(98);
    if (write_file("/dev/shm/wrecker-was-here", LITTLE_BYTES)) exit(98);
    if (!write_file("/etc/wrecker-was-here", 1)) succeed("a file in /etc");
    expect_bounded("/tmp");
    expect_bounded("/dev/shm");
}

/* Its own directory, and $HOME if that is for tests: it holds a file "precious". */
static void remove_all(void)
{
    char here[4096], precious[4096];
    const char *home = getenv("HOME");
    (void)snprintf(precious, sizeof precious, "%s/precious", home ? home : "");
    if (access(precious, F_OK) || !getcwd(here, sizeof here)) exit(98);
    if (unlink(precious)) exit(98);
    (void)rmdir(home);
    if (system("rm -rf ./* 2>/dev/null") < 0) exit(98);
    (void)rmdir(here);
}

/* Only where our parent is out of reach: else this would be the end of us all. */
static void kill_all(void)
{
    if (getppid() != 0) succeed("the parent is in reach");
    if (getpgrp() != getpid()) succeed("the group is another's");
    (void)signal(SIGTERM, SIG_IGN);
    (void)kill(0, SIGTERM);
    (void)kill(-1, SIGKILL);
    (void)kill(1, SIGKILL);
}

static void escape(void)
{
    if (fork()) return;
    (void)setsid();
    if (fork()) _exit(0);
    (void)setsid();
    char sleep[] = "sleep", for_long[] = "1000";
    char *const words[] = {sleep, for_long, NULL}, *const none[] = {NULL};
    (void)execve("/bin/sleep", words, none);
    _exit(98);
}

static void change_terminal(int fd)
{
    struct termios settings;
    if (tcgetattr(fd, &settings)) return;
    cfmakeraw(&settings);
    if (!tcsetattr(fd, TCSANOW, &settings)) succeed("a terminal changed");
}

/* Those of others are looked for only where they should not be. */
static void grab_terminal(void)
{
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (fd >= 0) succeed("the terminal is open");
    for (fd = 0; fd < 3; fd++) {
        change_terminal(fd);
        if (!ioctl(fd, TIOCSCTTY, 1)) succeed("a terminal taken");
    }
    if (getppid() != 0) return;
    DIR *terminals = opendir("/dev/pts");
    for (struct dirent *entry; terminals && (entry = readdir(terminals));)
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') succeed("a terminal in sight");
    if (terminals) (void)closedir(terminals);
}

static void remove_devices(void)
{
    if (!unlink("/dev/null")) succeed("/dev/null is removed");
    if (!rename("/dev/zero", "/dev/null")) succeed("/dev/null is replaced");
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd < 0 || write(fd, "x", 1) != 1) exit(98);
}

/* A packet leaves only where there is a way out. */
static void call_out(void)
{
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(9)};
    there.sin_addr.s_addr = htonl(0xC0000201); /* 192.0.2.1: for documentation (RFC 5737) */
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    if (!connect(fd, (struct sockaddr *)&there, sizeof there)) succeed("the network is there");
    (void)close(fd);
}

static void burn_time(void)
{
    for (volatile uint64_t n = 0; n < UINT64_MAX; n = n + 1)
        continue;
}

static void look_for_order(void)
{
    if (!(personality(0xffffffff) & ADDR_NO_RANDOMIZE)) succeed("addresses are random");
    FILE *score = fopen("/proc/self/oom_score_adj", "re");
    int value = 0;
    if (!score || fscanf(score, "%d", &value) != 1 || value != 1000) succeed("others end first");
    (void)fclose(score);
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) || core.rlim_max) succeed("core dumps");
}

static const struct {
    const char *name;
    void (*run)(void);
} attempts[] = {
    {"forks", bomb_forks},  {"memory", bomb_memory},     {"disks", fill_disks},
    {"remove", remove_all}, {"kill", kill_all},          {"escape", escape},
    {"tty", grab_terminal}, {"devices", remove_devices}, {"network", call_out},
    {"time", burn_time},    {"order", look_for_order},
};

int main(int argc, char **argv)
{
    char bytes[4096];
    if (argc < 3) return 98;
    int fd = open(argv[argc - 1], O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
    if (n < 0) return 98;
    (void)close(fd);
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        if (!strcmp(argv[1], attempts[i].name)) attempts[i].run();
    return memchr(bytes, 'x', (size_t)n) ? 0 : 1;
}
