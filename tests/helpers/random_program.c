/* A generator of programs that knows nothing of pare, and the judge of its programs.
 *
 * random_program SOURCE [SEED]: prints a program made of random numbers of SOURCE: "rand",
 * "rand_r", "random", "random_r", "drand48", "erand48", "lrand48", "nrand48", "mrand48",
 * "jrand48", "lrand48_r", "getrandom", "getentropy", "arc4random", "arc4random_buf",
 * "arc4random_uniform", "read" and "fread" of /dev/urandom, or "none".
 *
 * random_program check FILE: 0: FILE is a program in which a name is used twice,
 * 1: it is another program, 2: it is none.
 *
 * A program has three properties that depend on all of it: its first line tells how many
 * lines follow, names are declared before they are used, in their block or one around it, and
 * the last line is a checksum of the others. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { MAX_BYTES = 1 << 16, MAX_NAMES = 100, MAX_DEPTH = 4 };

/* --- numbers ---------------------------------------------------------------------- */

static const char *source;
static unsigned seed_r;
static unsigned short state48[3];
static struct random_data data_r;
static struct drand48_data data48_r;

static unsigned from_bytes(void)
{
    unsigned char byte = 0;
    static int fd = -1;
    static FILE *stream;
    if (!strcmp(source, "getrandom") && getrandom(&byte, 1, 0) == 1) return byte;
    if (!strcmp(source, "getentropy") && !getentropy(&byte, 1)) return byte;
    if (!strcmp(source, "read")) {
        if (fd < 0) fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
        if (read(fd, &byte, 1) == 1) return byte;
    }
    if (!strcmp(source, "fread")) {
        if (!stream) stream = fopen("/dev/urandom", "rb");
        if (stream && fread(&byte, 1, 1, stream) == 1) return byte;
    }
    exit(3);
}

#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 36)
#define HAS_ARC4RANDOM 1
#endif
#endif

static unsigned draw(unsigned bound)
{
    int32_t number;
    long wide;
    if (!strcmp(source, "none")) return 1 % bound;
    if (!strcmp(source, "rand")) return (unsigned)rand() % bound;
    if (!strcmp(source, "rand_r")) return (unsigned)rand_r(&seed_r) % bound;
    if (!strcmp(source, "random")) return (unsigned)random() % bound;
    if (!strcmp(source, "random_r"))
        return random_r(&data_r, &number) ? 0 : (unsigned)number % bound;
    if (!strcmp(source, "drand48")) return (unsigned)(drand48() * bound);
    if (!strcmp(source, "erand48")) return (unsigned)(erand48(state48) * bound);
    if (!strcmp(source, "lrand48")) return (unsigned)lrand48() % bound;
    if (!strcmp(source, "nrand48")) return (unsigned)nrand48(state48) % bound;
    if (!strcmp(source, "mrand48")) return (unsigned)mrand48() % bound;
    if (!strcmp(source, "jrand48")) return (unsigned)jrand48(state48) % bound;
    if (!strcmp(source, "lrand48_r"))
        return lrand48_r(&data48_r, &wide) ? 0 : (unsigned)wide % bound;
#ifdef HAS_ARC4RANDOM
    if (!strcmp(source, "arc4random")) return arc4random() % bound;
    if (!strcmp(source, "arc4random_uniform")) return arc4random_uniform(bound);
    if (!strcmp(source, "arc4random_buf")) {
        arc4random_buf(&number, sizeof number);
        return (unsigned)number % bound;
    }
#else
    if (!strncmp(source, "arc4random", 10)) exit(77);
#endif
    return from_bytes() % bound;
}

static void set_seed(unsigned seed)
{
    static char room[64];
    srand(seed);
    srand48((long)seed);
    seed_r = seed;
    state48[0] = (unsigned short)seed;
    (void)initstate_r(seed, room, sizeof room, &data_r);
    (void)srand48_r((long)seed, &data48_r);
}

/* --- making ------------------------------------------------------------------------ */

static char text[MAX_BYTES];
static size_t size;
static unsigned n_lines;

static void say(const char *line)
{
    if (size + strlen(line) + 2 > sizeof text) exit(4);
    size += (size_t)sprintf(text + size, "%s\n", line);
    n_lines++;
}

/* Of `visible` names, which are 0 .. visible-1. */
__attribute__((noinline)) static void expression(char *to, unsigned visible, unsigned depth)
{
    unsigned kind = depth > MAX_DEPTH ? draw(2) : draw(3);
    if (kind == 2) {
        *to++ = '(';
        expression(to, visible, depth + 1);
        to += strlen(to);
        to += sprintf(to, " + ");
        expression(to, visible, depth + 1);
        strcat(to, ")");
    } else if (kind == 1 && visible) {
        sprintf(to, "v%u", draw(visible));
    } else {
        sprintf(to, "%u", draw(100));
    }
}

__attribute__((noinline)) static void block(unsigned visible, unsigned depth);

__attribute__((noinline)) static void statement(unsigned *visible, unsigned depth)
{
    char line[4096], value[4000];
    unsigned kind = depth > MAX_DEPTH ? draw(2) : draw(3);
    if (kind == 2) {
        say("{");
        block(*visible, depth + 1);
        say("}");
    } else if (kind == 1 && *visible) {
        sprintf(line, "use v%u", draw(*visible));
        say(line);
    } else if (*visible < MAX_NAMES) {
        expression(value, *visible, 0);
        sprintf(line, "let v%u = %s", (*visible)++, value);
        say(line);
    }
}

static void block(unsigned visible, unsigned depth)
{
    for (unsigned n = draw(6); n; n--)
        statement(&visible, depth);
}

static unsigned checksum(const char *bytes, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = sum * 31 + (unsigned char)bytes[i];
    return sum % 9973;
}

static int generate(void)
{
    unsigned visible = 0;
    for (unsigned n = 4 + draw(12); n; n--)
        statement(&visible, 0);
    printf("lines %u\n%ssum %u\n", n_lines, text, checksum(text, size));
    return 0;
}

/* --- judging ------------------------------------------------------------------------ */

/* Whether all names in `line` are below `visible`. */
static bool are_declared(const char *line, unsigned visible)
{
    for (const char *at = line; (at = strchr(at, 'v')); at++)
        if (at[1] < '0' || at[1] > '9' || strtoul(at + 1, NULL, 10) >= visible) return false;
    return true;
}

/* Judges a statement; false if it is none. */
static bool judge(const char *line, unsigned visible[], unsigned *depth, unsigned uses[])
{
    char *end;
    if (!strcmp(line, "{")) {
        if (*depth > 50) return false;
        visible[*depth + 1] = visible[*depth];
        ++*depth;
        return true;
    }
    if (!strcmp(line, "}")) return (*depth)-- > 0;
    if (!strncmp(line, "use v", 5)) {
        unsigned long name = strtoul(line + 5, &end, 10);
        if (end == line + 5 || *end || name >= visible[*depth] || name >= MAX_NAMES) return false;
        uses[name]++;
        return true;
    }
    if (strncmp(line, "let v", 5)) return false;
    if (strtoul(line + 5, &end, 10) != visible[*depth] || strncmp(end, " = ", 3)) return false;
    if (!end[3] || !are_declared(end, visible[*depth])) return false;
    visible[*depth]++;
    return true;
}

static int check(const char *path)
{
    static char all[MAX_BYTES];
    unsigned visible[60] = {0}, uses[MAX_NAMES] = {0}, depth = 0, lines = 0, told = 0, sum = 0;
    int at = 0;
    bool twice = false;
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(all, 1, sizeof all - 1, file) : 0;
    char *last = strstr(all, "sum ");
    if (sscanf(all, "lines %u\n%n", &told, &at) != 1 || !at || !last || last < all + at) return 2;
    if (sscanf(last, "sum %u", &sum) != 1 || last[strlen(last) - 1] != '\n') return 2;
    if (strchr(last, '\n') != all + n - 1) return 2;
    if (checksum(all + at, (size_t)(last - all - at)) != sum) return 2;
    *last = '\0';
    for (char *line = strtok(all + at, "\n"); line; line = strtok(NULL, "\n"), lines++)
        if (!judge(line, visible, &depth, uses)) return 2;
    for (unsigned i = 0; i < MAX_NAMES; i++)
        twice = twice || uses[i] >= 2;
    return lines != told || depth ? 2 : twice ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "check")) return check(argv[2]);
    if (argc < 2) return 3;
    source = argv[1];
    set_seed(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1);
    return generate();
}
