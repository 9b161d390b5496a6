/* The escape suite: what a test can reach of the machine that it runs on.
 *
 *   escape bait FOLDER USER COMMAND...   lays out bait that is ours: files, sockets, FIFOs, keys,
 *                                        processes; runs COMMAND as USER (a number), looks what
 *                                        became of the bait, and writes a line for each probe,
 *                                        "NAME reached|held|absent", to standard output
 *   escape landlock                      exits with 0 where the kernel has it
 *   escape probe FOLDER CANDIDATE        the test: tries everything once, and exits with 0 when
 *                                        the candidate holds an 'x'
 *
 * A probe touches nothing but bait, or asks for what changes nothing.  Where what it did can be
 * seen on the bait, that decides; else its own word.  FOLDER/out is where the test writes what it
 * found, so it must be writable.  Bait lies in FOLDER, in /run, /tmp, /var/tmp, /dev and /dev/shm:
 * these are to be private (cli/test_escape.sh). */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "candidate_text.h"

enum finding { HELD, REACHED, ABSENT };

enum {
    PROBE_S = 5,          /* for one probe */
    FIRST_INHERITED = 50, /* descriptors of bait: a file, and a folder after it */
    JOIN_SESSION = 1,     /* keyctl(2) */
    GET_KEYRING = 0,
    SEARCH = 10,
    LINK = 8,
    UNLINK = 9,
    SESSION_KEYRING = -3,
    USER_KEYRING = -4,
    VSOCK_PORT = 47113,
    LEAST_NUMBER = 1000, /* of bait's processes */
    CREATE_RULES = 444   /* landlock_create_ruleset(2) */
};

/* What the test has to know; FOLDER/about. */
struct about {
    pid_t victim, watched;
    int shared_memory, queue;
    unsigned short tcp4, tcp6, udp4;
    bool has_vsock;
    long user_keyring;
    uid_t uid;
};

/* What only the one who laid it out has. */
struct held {
    int run_stream, run_datagram, stream, abstract, tcp4, tcp6, udp4, vsock;
    int run_fifo, fifo;
    long mail; /* a POSIX message queue */
    long user_key;
};

static char folder[1024];
static struct about about;
static struct held held;

static _Noreturn void die(const char *what);

/* As snprintf, but what does not fit ends us. */
#define PUT(to, ...)                                                             \
    do {                                                                         \
        const int n_put = snprintf(to, sizeof(to), __VA_ARGS__);                 \
        if (n_put < 0 || (size_t)n_put >= sizeof(to)) die("a path is too long"); \
    } while (0)

static const char *in_folder(const char *name)
{
    static char path[2048];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static _Noreturn void die(const char *what)
{
    perror(what);
    _exit(99);
}

/* Appends to a file that is there, or makes one with O_CREAT in `flags`. */
static bool write_to(const char *path, int flags)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC | flags, 0666);
    bool done = fd >= 0 && write(fd, "escaped\n", 8) == 8;
    if (fd >= 0) (void)close(fd);
    return done;
}

static bool is_there(const char *path)
{
    struct stat info;
    return !lstat(path, &info);
}

static bool has_grown(const char *path)
{
    struct stat info;
    return !stat(path, &info) && info.st_size > 0;
}

/* ---- files --------------------------------------------------------------------------- */

static int try_write(void)
{
    return write_to(in_folder("file"), 0);
}

static int look_write(void)
{
    return has_grown(in_folder("file"));
}

static int try_create(void)
{
    return write_to(in_folder("open/made"), O_CREAT);
}

static int look_create(void)
{
    return is_there(in_folder("open/made"));
}

static int try_remove(void)
{
    return !unlink(in_folder("open/precious"));
}

static int look_remove(void)
{
    return !is_there(in_folder("open/precious"));
}

static int try_tmp(void)
{
    return write_to("/tmp/pare-escape-was-here", O_CREAT) +
               write_to("/var/tmp/pare-escape-was-here", O_CREAT) >
           0;
}

static int look_tmp(void)
{
    return !unlink("/tmp/pare-escape-was-here") + !unlink("/var/tmp/pare-escape-was-here") > 0;
}

static int try_memory_file(void)
{
    return write_to("/dev/shm/pare-escape-was-here", O_CREAT);
}

static int look_memory_file(void)
{
    return !unlink("/dev/shm/pare-escape-was-here");
}

static int try_remount(void)
{
    return !mount(NULL, "/mnt", NULL, MS_REMOUNT | MS_BIND, NULL) &&
           write_to(in_folder("open/remounted"), O_CREAT);
}

static int look_remount(void)
{
    return is_there(in_folder("open/remounted"));
}

/* ---- devices ------------------------------------------------------------------------- */

static int try_device_remove(void)
{
    return !unlink("/dev/pare-escape-null");
}

static int look_device_remove(void)
{
    return !is_there("/dev/pare-escape-null");
}

/* Compilers that are told to write to /dev/null make it executable, and nobody else can write to it. */
static int try_device_mode(void)
{
    return !chmod("/dev/full", 0755);
}

static int look_device_mode(void)
{
    struct stat info;
    return stat("/dev/full", &info) || (info.st_mode & 07777) != 0666;
}

static int try_device_make(void)
{
    if (mknod("zero", S_IFCHR | 0600, makedev(1, 5))) return HELD;
    int fd = open("zero", O_RDONLY | O_CLOEXEC);
    (void)unlink("zero");
    return fd >= 0;
}

/* ---- processes ----------------------------------------------------------------------- */

static int try_signal(void)
{
    return !kill(about.victim, SIGTERM);
}

static int look_signal(void)
{
    return waitpid(about.victim, NULL, WNOHANG) == about.victim;
}

static const char *of_watched(const char *name)
{
    static char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)about.watched, name);
    return path;
}

static int try_see(void)
{
    return is_there(of_watched("status"));
}

static int try_ptrace(void)
{
    return !ptrace(PTRACE_SEIZE, about.watched, NULL, NULL);
}

static int try_memory_of_others(void)
{
    return open(of_watched("mem"), O_RDWR | O_CLOEXEC) >= 0;
}

static int try_join_space(void)
{
    int fd = open(of_watched("ns/mnt"), O_RDONLY | O_CLOEXEC);
    return fd >= 0 && !setns(fd, 0) && write_to(in_folder("open/joined"), O_CREAT);
}

static int try_root_of_others(void)
{
    char path[2200];
    PUT(path, "%s%s", of_watched("root"), in_folder("file2"));
    return write_to(path, 0);
}

static int look_root_of_others(void)
{
    return has_grown(in_folder("file2"));
}

/* ---- sockets ------------------------------------------------------------------------- */

static socklen_t name_socket(struct sockaddr_un *name, const char *path)
{
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    PUT(name->sun_path, "%s", path);
    return sizeof *name;
}

static socklen_t name_abstract(struct sockaddr_un *name)
{
    static const char text[] = "pare-escape";
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(name->sun_path + 1, text, sizeof text);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + sizeof text);
}

static bool reach(int family, int type, const void *name, socklen_t size)
{
    int fd = socket(family, type | SOCK_CLOEXEC, 0);
    return fd >= 0 && !connect(fd, name, size) && send(fd, "x", 1, MSG_NOSIGNAL) == 1;
}

static int try_run_stream(void)
{
    struct sockaddr_un name;
    socklen_t size = name_socket(&name, "/run/pare-escape.stream");
    return reach(AF_UNIX, SOCK_STREAM, &name, size);
}

static int try_run_datagram(void)
{
    struct sockaddr_un name;
    socklen_t size = name_socket(&name, "/run/pare-escape.datagram");
    return reach(AF_UNIX, SOCK_DGRAM, &name, size);
}

static int try_stream(void)
{
    struct sockaddr_un name;
    socklen_t size = name_socket(&name, in_folder("stream"));
    return reach(AF_UNIX, SOCK_STREAM, &name, size);
}

static int try_abstract(void)
{
    struct sockaddr_un name;
    socklen_t size = name_abstract(&name);
    return reach(AF_UNIX, SOCK_STREAM, &name, size);
}

static struct sockaddr_in name_ip4(unsigned short port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static struct sockaddr_in6 name_ip6(unsigned short port)
{
    return (struct sockaddr_in6){
        .sin6_family = AF_INET6, .sin6_port = port, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
}

static int try_tcp4(void)
{
    const struct sockaddr_in name = name_ip4(about.tcp4);
    return reach(AF_INET, SOCK_STREAM, &name, sizeof name);
}

static int try_udp4(void)
{
    const struct sockaddr_in name = name_ip4(about.udp4);
    return reach(AF_INET, SOCK_DGRAM, &name, sizeof name);
}

static int try_tcp6(void)
{
    const struct sockaddr_in6 name = name_ip6(about.tcp6);
    return about.tcp6 ? reach(AF_INET6, SOCK_STREAM, &name, sizeof name) : ABSENT;
}

static const struct sockaddr_vm vsock_name = {
    .svm_family = AF_VSOCK, .svm_port = VSOCK_PORT, .svm_cid = VMADDR_CID_LOCAL};

static int try_vsock(void)
{
    return about.has_vsock ? reach(AF_VSOCK, SOCK_STREAM, &vsock_name, sizeof vsock_name) : ABSENT;
}

/* Whether somebody has connected. */
static int has_guest(int listener)
{
    return listener < 0 ? ABSENT : accept4(listener, NULL, NULL, SOCK_CLOEXEC) >= 0;
}

static int has_mail(int socket)
{
    char byte;
    return recv(socket, &byte, 1, MSG_DONTWAIT) == 1;
}

static int look_run_stream(void)
{
    return has_guest(held.run_stream);
}

static int look_run_datagram(void)
{
    return has_mail(held.run_datagram);
}

static int look_stream(void)
{
    return has_guest(held.stream);
}

static int look_abstract(void)
{
    return has_guest(held.abstract);
}

static int look_tcp4(void)
{
    return has_guest(held.tcp4);
}

static int look_tcp6(void)
{
    return has_guest(held.tcp6);
}

static int look_udp4(void)
{
    return has_mail(held.udp4);
}

static int look_vsock(void)
{
    return has_guest(held.vsock);
}

/* ---- FIFOs, descriptors, keys -------------------------------------------------------- */

static int try_run_fifo(void)
{
    return write_to("/run/pare-escape.fifo", 0);
}

static int try_fifo(void)
{
    return write_to(in_folder("fifo"), 0);
}

static int look_fifo_of(int fd)
{
    char bytes[16];
    return read(fd, bytes, sizeof bytes) > 0;
}

static int look_run_fifo(void)
{
    return look_fifo_of(held.run_fifo);
}

static int look_fifo(void)
{
    return look_fifo_of(held.fifo);
}

static int try_read_fifo(void)
{
    char byte;
    int fd = open(in_folder("full-fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    return fd >= 0 && read(fd, &byte, 1) == 1;
}

static int try_descriptors(void)
{
    bool done = write(FIRST_INHERITED, "escaped\n", 8) == 8;
    int made = openat(FIRST_INHERITED + 1, "leaked", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    return done || made >= 0;
}

static int look_descriptors(void)
{
    return has_grown(in_folder("inherited")) || is_there(in_folder("open/leaked"));
}

static bool find_key(long keyring, const char *name)
{
    return syscall(SYS_keyctl, (long)SEARCH, keyring, "user", name, 0L) > 0;
}

static int try_session_key(void)
{
    return find_key(SESSION_KEYRING, "pare-escape-session");
}

/* By the number that /proc/keys tells: the user's own keyring is the user's wherever he is. */
static int try_user_key(void)
{
    if (about.user_keyring <= 0) return ABSENT;
    (void)syscall(SYS_keyctl, (long)LINK, about.user_keyring, (long)SESSION_KEYRING);
    return find_key(about.user_keyring, "pare-escape-user");
}

/* ---- interprocess communication ------------------------------------------------------ */

static int try_shared_memory(void)
{
    char *bytes = shmat(about.shared_memory, NULL, 0);
    if (bytes == (char *)-1) return HELD;
    bytes[0] = 'x';
    return REACHED;
}

static int look_shared_memory(void)
{
    const char *bytes = shmat(about.shared_memory, NULL, SHM_RDONLY);
    return bytes != (const char *)-1 && bytes[0] == 'x';
}

struct message {
    long type;
    char text[8];
};

static int try_queue(void)
{
    const struct message message = {.type = 1, .text = "escaped"};
    return !msgsnd(about.queue, &message, sizeof message.text, IPC_NOWAIT);
}

static int look_queue(void)
{
    struct message message;
    return msgrcv(about.queue, &message, sizeof message.text, 0, IPC_NOWAIT) >= 0;
}

static int try_mail(void)
{
    long mail = syscall(SYS_mq_open, "pare-escape", (long)(O_WRONLY | O_NONBLOCK), 0L, NULL);
    return mail >= 0 && !syscall(SYS_mq_timedsend, mail, "x", 1L, 0L, NULL);
}

static int look_mail(void)
{
    char text[8192];
    return held.mail < 0
               ? ABSENT
               : syscall(SYS_mq_timedreceive, held.mail, text, sizeof text, NULL, NULL) > 0;
}

/* ---- mounts and name spaces ---------------------------------------------------------- */

static int try_mount(void)
{
    return !mount("pare-escape", in_folder("open"), "tmpfs", 0, NULL);
}

static bool lists_mount(const char *name)
{
    char line[4096];
    bool found = false;
    FILE *mounts = fopen("/proc/self/mounts", "re");
    while (mounts && !found && fgets(line, sizeof line, mounts))
        found = !strncmp(line, name, strlen(name));
    if (mounts) (void)fclose(mounts);
    return found;
}

static int look_mount(void)
{
    return lists_mount("pare-escape ");
}

static int try_unhide(void)
{
    return !umount2("/run", MNT_DETACH) && try_run_stream() == REACHED;
}

/* A user name space of its own gives a process all rights there are, but only there. */
static int try_nested(void)
{
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS)) return HELD;
    (void)umount2("/run", MNT_DETACH);
    (void)mount(NULL, "/mnt", NULL, MS_REMOUNT | MS_BIND, NULL);
    return write_to(in_folder("open/nested"), O_CREAT) || try_run_stream() == REACHED;
}

static int look_nested(void)
{
    return is_there(in_folder("open/nested")) || has_guest(held.run_stream);
}

/* ---- the kernel ---------------------------------------------------------------------- */

static bool opens(const char *path)
{
    return open(path, O_WRONLY | O_CLOEXEC) >= 0;
}

static int try_settings(void)
{
    return opens("/proc/sys/kernel/core_pattern") || opens("/proc/sys/vm/drop_caches");
}

static int try_sysrq(void)
{
    return is_there("/proc/sysrq-trigger") ? opens("/proc/sysrq-trigger") : ABSENT;
}

static int try_sys(void)
{
    static const char *const paths[] = {"/sys/kernel/mm/transparent_hugepage/enabled",
                                        "/sys/power/state", "/sys/kernel/uevent_seqnum",
                                        "/sys/kernel/profiling"};
    bool any = false;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        any = any || is_there(paths[i]);
        if (opens(paths[i])) return REACHED;
    }
    return any ? HELD : ABSENT;
}

/* The name that it has. */
static int try_name(void)
{
    char name[65] = "";
    return !gethostname(name, sizeof name - 1) && !sethostname(name, strlen(name));
}

/* The time zone of the kernel, as it is: the clock itself is asked for the same right. */
static int try_clock(void)
{
    struct {
        int minutes, kind;
    } zone = {0, 0};
    if (syscall(SYS_gettimeofday, NULL, &zone) || zone.minutes) return ABSENT;
    return !syscall(SYS_settimeofday, NULL, &zone);
}

/* No module: who may load one is told that it is no descriptor. */
static int try_module(void)
{
    return syscall(SYS_finit_module, -1L, "", 0L) && errno != EPERM ? errno == EBADF : HELD;
}

static int try_core(void)
{
    const struct rlimit limit = {4096, 4096};
    return !setrlimit(RLIMIT_CORE, &limit);
}

static int try_priority(void)
{
    return !setpriority(PRIO_PROCESS, 0, -20);
}

static int try_setuid(void)
{
    if (about.uid == 0) return ABSENT;
    int code;
    pid_t pid = fork();
    if (pid == 0) {
        (void)execl(in_folder("setuid"), "escape", "who", (char *)NULL);
        _exit(1);
    }
    return waitpid(pid, &code, 0) == pid && WIFEXITED(code) && WEXITSTATUS(code) == 0;
}

static int try_immutable(void)
{
    int flags = 0, fd = open("immutable", O_CREAT | O_RDONLY | O_CLOEXEC, 0600);
    if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags)) return ABSENT;
    int fixed = flags | FS_IMMUTABLE_FL;
    bool done = !ioctl(fd, FS_IOC_SETFLAGS, &fixed);
    (void)ioctl(fd, FS_IOC_SETFLAGS, &flags);
    (void)unlink("immutable");
    return done;
}

/* ---- the table ----------------------------------------------------------------------- */

/* `look` decides where there is one: it sees the bait. */
static const struct probe {
    const char *name;
    int (*try)(void);
    int (*look)(void);
} probes[] = {
    {"file, written", try_write, look_write},
    {"file, made", try_create, look_create},
    {"file, removed", try_remove, look_remove},
    {"file in /tmp and /var/tmp", try_tmp, look_tmp},
    {"file in /dev/shm", try_memory_file, look_memory_file},
    {"file, after a remount", try_remount, look_remount},
    {"device, removed", try_device_remove, look_device_remove},
    {"device, its mode", try_device_mode, look_device_mode},
    {"device, made", try_device_make, NULL},
    {"process, seen", try_see, NULL},
    {"process, signalled", try_signal, look_signal},
    {"process, traced", try_ptrace, NULL},
    {"process, its memory", try_memory_of_others, NULL},
    {"process, its name space", try_join_space, NULL},
    {"process, its root", try_root_of_others, look_root_of_others},
    {"stream socket in /run", try_run_stream, look_run_stream},
    {"datagram socket in /run", try_run_datagram, look_run_datagram},
    {"stream socket elsewhere", try_stream, look_stream},
    {"abstract socket", try_abstract, look_abstract},
    {"TCP over IPv4", try_tcp4, look_tcp4},
    {"TCP over IPv6", try_tcp6, look_tcp6},
    {"UDP over IPv4", try_udp4, look_udp4},
    {"vsock", try_vsock, look_vsock},
    {"FIFO in /run, written", try_run_fifo, look_run_fifo},
    {"FIFO elsewhere, written", try_fifo, look_fifo},
    {"FIFO elsewhere, read", try_read_fifo, NULL},
    {"inherited descriptor", try_descriptors, look_descriptors},
    {"session keyring", try_session_key, NULL},
    {"user keyring, by number", try_user_key, NULL},
    {"System V memory", try_shared_memory, look_shared_memory},
    {"System V queue", try_queue, look_queue},
    {"POSIX queue", try_mail, look_mail},
    {"mount", try_mount, look_mount},
    {"mount, uncovered", try_unhide, NULL},
    {"nested name spaces", try_nested, look_nested},
    {"/proc/sys, written", try_settings, NULL},
    {"sysrq", try_sysrq, NULL},
    {"/sys, written", try_sys, NULL},
    {"host name", try_name, NULL},
    {"clock", try_clock, NULL},
    {"kernel module", try_module, NULL},
    {"core dump", try_core, NULL},
    {"priority", try_priority, NULL},
    {"setuid program", try_setuid, NULL},
    {"immutable file", try_immutable, NULL},
};

enum { N_PROBES = sizeof probes / sizeof *probes };

/* ---- the test ------------------------------------------------------------------------ */

/* In a process of its own: a probe may end it, or leave it somewhere else. */
static int try_one(const struct probe *probe)
{
    int code = 0;
    pid_t pid = fork();
    if (pid == 0) {
        (void)alarm(PROBE_S);
        _exit(probe->try());
    }
    if (pid < 0 || waitpid(pid, &code, 0) != pid || !WIFEXITED(code)) return HELD;
    return WEXITSTATUS(code);
}

/* Nested name spaces come before what they would be confused with, so each is in the order of the
 * table; the first test of a run does it all. */
static int probe_all(const char *candidate)
{
    int fd = open(in_folder("about"), O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, &about, sizeof about) != sizeof about) die("about");
    FILE *out = is_there(in_folder("out/found")) ? NULL : fopen(in_folder("out/found"), "we");
    for (size_t i = 0; out && i < N_PROBES; i++)
        (void)fprintf(out, "%d\n", try_one(&probes[i]));
    if (out && fclose(out)) die("out/found");
    return strchr(candidate_text(candidate), 'x') ? 0 : 1;
}

/* ---- the bait ------------------------------------------------------------------------ */

static int listen_at(int family, int type, const void *name, socklen_t size)
{
    int fd = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, name, size) || (type == SOCK_STREAM && listen(fd, 8))) return -1;
    return fd;
}

/* The port that the kernel has chosen; the same place for both families. */
static unsigned short port_of(int fd)
{
    struct sockaddr_in6 name;
    socklen_t size = sizeof name;
    return fd >= 0 && !getsockname(fd, (struct sockaddr *)&name, &size) ? name.sin6_port : 0;
}

static int listen_path(const char *path, int type)
{
    struct sockaddr_un name;
    socklen_t size = name_socket(&name, path);
    int fd = listen_at(AF_UNIX, type, &name, size);
    if (fd < 0 || chmod(path, 0777)) die(path);
    return fd;
}

static void lay_sockets(void)
{
    struct sockaddr_un name;
    const struct sockaddr_in ip4 = name_ip4(0);
    const struct sockaddr_in6 ip6 = name_ip6(0);
    held.run_stream = listen_path("/run/pare-escape.stream", SOCK_STREAM);
    held.run_datagram = listen_path("/run/pare-escape.datagram", SOCK_DGRAM);
    held.stream = listen_path(in_folder("stream"), SOCK_STREAM);
    socklen_t size = name_abstract(&name);
    held.abstract = listen_at(AF_UNIX, SOCK_STREAM, &name, size);
    held.tcp4 = listen_at(AF_INET, SOCK_STREAM, &ip4, sizeof ip4);
    held.udp4 = listen_at(AF_INET, SOCK_DGRAM, &ip4, sizeof ip4);
    held.tcp6 = listen_at(AF_INET6, SOCK_STREAM, &ip6, sizeof ip6);
    held.vsock = listen_at(AF_VSOCK, SOCK_STREAM, &vsock_name, sizeof vsock_name);
    about.tcp4 = port_of(held.tcp4);
    about.tcp6 = port_of(held.tcp6);
    about.udp4 = port_of(held.udp4);
    about.has_vsock = held.vsock >= 0;
    if (held.abstract < 0 || !about.tcp4 || !about.udp4) die("sockets");
}

static int lay_fifo(const char *path)
{
    int fd = mkfifo(path, 0666) ? -1 : open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) die(path);
    return fd;
}

static void lay_file(const char *path)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0 || close(fd)) die(path);
}

static void lay_files(const char *self)
{
    char command[4096];
    (void)mkdir(in_folder("open"), 0777);
    lay_file(in_folder("open/precious"));
    lay_file(in_folder("file"));
    lay_file(in_folder("file2"));
    lay_file(in_folder("inherited"));
    if (mkdir(in_folder("out"), 0777)) die("out");
    if (mknod("/dev/pare-escape-null", S_IFCHR | 0666, makedev(1, 3))) die("a device");
    held.run_fifo = lay_fifo("/run/pare-escape.fifo");
    held.fifo = lay_fifo(in_folder("fifo"));
    if (write(lay_fifo(in_folder("full-fifo")), "secret", 6) != 6) die("a FIFO");
    PUT(command, "cp '%s' '%s' && chmod 4755 '%s'", self, in_folder("setuid"), in_folder("setuid"));
    if (system(command)) die("a setuid program");
}

/* Sleeps as the user, and ends with us. */
static pid_t lay_process(uid_t uid)
{
    pid_t parent = getpid(), pid = fork();
    if (pid) return pid;
    if (setgid(uid) || setuid(uid)) _exit(1);
    while (getppid() == parent)
        (void)sleep(1);
    _exit(0);
}

/* The numbers of processes that others would have in a name space of their own are used up, so that
 * no number of bait means one of these. */
static void use_numbers(void)
{
    for (pid_t pid = 0; pid < LEAST_NUMBER;) {
        pid = fork();
        if (pid == 0) _exit(0);
        if (pid < 0 || waitpid(pid, NULL, 0) != pid) die("fork");
    }
}

static void lay_communication(void)
{
    char *bytes;
    about.shared_memory = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0666);
    bytes = shmat(about.shared_memory, NULL, 0);
    if (bytes == (char *)-1) die("shared memory");
    bytes[0] = '-';
    about.queue = msgget(IPC_PRIVATE, IPC_CREAT | 0666);
    held.mail =
        syscall(SYS_mq_open, "pare-escape", (long)(O_CREAT | O_RDONLY | O_NONBLOCK), 0666L, NULL);
}

/* Runs the command as the user, with keys in a session of its own, and descriptors. */
static _Noreturn void run(char **words)
{
    int file = open(in_folder("inherited"), O_WRONLY | O_APPEND | O_CLOEXEC);
    int open_folder = open(in_folder("open"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dup2(file, FIRST_INHERITED) < 0 || dup2(open_folder, FIRST_INHERITED + 1) < 0) die("dup2");
    if (about.uid && (setgid(about.uid) || setuid(about.uid))) die("setuid");
    (void)syscall(SYS_keyctl, (long)JOIN_SESSION, NULL);
    (void)syscall(SYS_add_key, "user", "pare-escape-session", "x", 1L, (long)SESSION_KEYRING);
    if (syscall(SYS_add_key, "user", "pare-escape-user", "x", 1L, (long)USER_KEYRING) > 0)
        about.user_keyring = syscall(SYS_keyctl, (long)GET_KEYRING, (long)USER_KEYRING, 0L);
    int fd = open(in_folder("about"), O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, &about, sizeof about) != sizeof about || close(fd)) die("about");
    (void)execvp(words[0], words);
    die(words[0]);
}

/* The key of the user's is taken back by the user. */
static void forget_key(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        if (about.uid && setuid(about.uid)) _exit(1);
        long key =
            syscall(SYS_keyctl, (long)SEARCH, (long)USER_KEYRING, "user", "pare-escape-user", 0L);
        if (key > 0) (void)syscall(SYS_keyctl, (long)UNLINK, key, (long)USER_KEYRING);
        _exit(0);
    }
    (void)waitpid(pid, NULL, 0);
}

static void tell(void)
{
    static const char *const words[] = {"held", "reached", "absent"};
    FILE *found = fopen(in_folder("out/found"), "re");
    for (size_t i = 0; i < N_PROBES; i++) {
        int own = ABSENT;
        if (!found || fscanf(found, "%d", &own) != 1 || own < HELD || own > ABSENT)
            die("the test did not say what it found");
        int seen = probes[i].look && own != ABSENT ? probes[i].look() : own;
        (void)printf("%s\t%s\n", probes[i].name, words[seen]);
    }
    if (found) (void)fclose(found);
}

static int bait(const char *self, char **words)
{
    int code = 0;
    (void)umask(0);
    about.uid = (uid_t)strtoul(words[0], NULL, 10);
    lay_files(self);
    lay_sockets();
    lay_communication();
    use_numbers();
    about.victim = lay_process(about.uid);
    about.watched = lay_process(about.uid);
    lay_file(in_folder("about"));
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) run(words + 1);
    if (waitpid(pid, &code, 0) != pid || !WIFEXITED(code)) die("the command");
    forget_key();
    if (!WEXITSTATUS(code)) tell();
    (void)kill(about.victim, SIGKILL);
    (void)kill(about.watched, SIGKILL);
    (void)shmctl(about.shared_memory, IPC_RMID, NULL);
    (void)msgctl(about.queue, IPC_RMID, NULL);
    (void)syscall(SYS_mq_unlink, "pare-escape");
    return WEXITSTATUS(code);
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "who")) return geteuid() == 0 ? 0 : 1;
    if (argc == 2 && !strcmp(argv[1], "landlock"))
        return syscall((long)CREATE_RULES, NULL, 0L, 1L) >= 2 ? 0 : 1;
    if (argc < 4) return 99;
    (void)snprintf(folder, sizeof folder, "%s", argv[2]);
    if (!strcmp(argv[1], "probe")) return probe_all(argv[3]);
    if (!strcmp(argv[1], "bait") && argc > 4) return bait(argv[0], argv + 3);
    return 99;
}
