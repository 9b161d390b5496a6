/* The oracle of the test that kills: VALUE CANDIDATE.  Appends a line to the file $LOG,
 * "MARK TEXT", with the mark that pare puts into the environment, and a byte to the pipe
 * $CLOCK; leaves a sleeper in a session of its own in some tests; exits with 0 when the
 * candidate holds the subsequence VALUE.  (A word of the command that names a file would
 * make the file's content a part of the test, and the journal worthless.) */
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "../cli/support/predicates.h"
#include "candidate_text.h"

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    if (!value) exit(97);
    return value;
}

/* One write, so that lines of tests at the same time do not mix. */
static void add_line(const char *path, const char *text)
{
    static char line[MAX_CANDIDATE_BYTES + 256];
    int n = snprintf(line, sizeof line, "%s %s\n", setting("PARE_TEST"), text);
    int fd = open(path, O_WRONLY | O_APPEND);
    if (fd < 0 || write(fd, line, (size_t)n) != n) exit(98);
    (void)close(fd);
}

/* Nobody may be listening, and nobody may care. */
static void tick(const char *path)
{
    int fd = open(path, O_WRONLY | O_NONBLOCK);
    if (fd < 0) return;
    if (write(fd, "t", 1) < 0) {
        /* The pipe is full: many ticks were not wanted. */
    }
    (void)close(fd);
}

static void leave_sleeper(void)
{
    if (fork()) return;
    (void)setsid();
    (void)execlp("sleep", "sleep", "1000", (char *)NULL);
    _exit(1);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 99;
    const char *text = candidate_text(argv[2]);
    uint32_t choice = choice_of(text);
    add_line(setting("LOG"), text);
    if (choice % 8 == 0) leave_sleeper();
    tick(setting("CLOCK"));
    const struct timespec time = {.tv_nsec = (long)(choice % 1500) * 1000};
    (void)nanosleep(&time, NULL);
    return has_subsequence(argv[1], text) ? 0 : 1;
}
