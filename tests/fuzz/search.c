/* Random search with a fuzz target.
 *
 * A text is an input of a pool, changed one to six times: bits, bytes, runs of bytes removed, repeated,
 * exchanged or taken from another input, numbers that are at an edge.  The pool begins as the corpus and
 * drifts: now and then a text takes the place of another one, so that changes add up.
 *
 * Invariant: a text stands in memory that is shared with the parent before the target sees it.  So it is
 * there to be kept however the target ends, by abort, signal, sanitizer, or the limit of processor time
 * that stands for one that does not come to an end.
 *
 * Source of the changes: libFuzzer's and AFL's lists of mutations, without their guidance. */
#include "fuzz/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"

enum {
    MOST_BYTES = 1 << 14, /* of a text */
    POOL = 256,
    MOST_CHANGES = 6,
    DRIFT = 32,         /* one text in so many enters the pool */
    TEXT_SECONDS = 120, /* of processor time for one text: sanitizers and valgrind are slow */
    MOST_REPEATS = 200,
};

/* What parent and child share. */
struct shared {
    uint64_t n_runs;
    bool finished;
    size_t size_bytes;
    uint8_t bytes[MOST_BYTES];
};

/* The text that is being changed. */
struct text {
    uint8_t bytes[MOST_BYTES];
    size_t size;
};

struct pool {
    struct search_input texts[POOL];
    size_t n;
};

static size_t below(pare_random *random, size_t bound)
{
    return bound ? (size_t)pare_random_below(random, bound) : 0;
}

/* A run of the text: most are short, some are anything. */
static size_t run_at(pare_random *random, size_t size, size_t *length)
{
    size_t at = below(random, size);
    size_t most = size - at;
    if (below(random, 4)) most = most < 16 ? most : 16;
    *length = most ? 1 + below(random, most) : 0;
    return at;
}

/* ---- changes --------------------------------------------------------------------------- */

static void insert(struct text *text, size_t at, const uint8_t *bytes, size_t length)
{
    if (length > MOST_BYTES - text->size) length = MOST_BYTES - text->size;
    memmove(text->bytes + at + length, text->bytes + at, text->size - at);
    memcpy(text->bytes + at, bytes, length);
    text->size += length;
}

static void change_byte(pare_random *random, struct text *text)
{
    static const uint8_t edges[] = "\0\xff\x7f\x80 \n\t\r\"'\\()[]{}<>=:;,.-+*/%$#@!?&|^~09azAZ_";
    if (!text->size) return;
    uint8_t *byte = &text->bytes[below(random, text->size)];
    switch (below(random, 3)) {
    case 0: *byte ^= (uint8_t)(1u << below(random, 8)); break;
    case 1: *byte = (uint8_t)below(random, 256); break;
    default: *byte = edges[below(random, sizeof edges - 1)];
    }
}

static void insert_bytes(pare_random *random, struct text *text)
{
    uint8_t bytes[8];
    size_t length = 1 + below(random, sizeof bytes);
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)(below(random, 2) ? ' ' + below(random, 95) : below(random, 256));
    insert(text, below(random, text->size + 1), bytes, length);
}

static void remove_run(pare_random *random, struct text *text)
{
    size_t length, at = run_at(random, text->size, &length);
    memmove(text->bytes + at, text->bytes + at + length, text->size - at - length);
    text->size -= length;
}

/* Once or often: what nests becomes deep. */
static void repeat_run(pare_random *random, struct text *text)
{
    uint8_t copy[MOST_BYTES];
    size_t length, from = run_at(random, text->size, &length);
    size_t at = below(random, text->size + 1);
    size_t times = below(random, 4) ? 1 : 1 + below(random, MOST_REPEATS);
    memcpy(copy, text->bytes + from, length);
    for (size_t i = 0; i < times; i++)
        insert(text, at, copy, length);
}

static void take_run(pare_random *random, struct text *text, const struct pool *pool)
{
    const struct search_input *other = &pool->texts[below(random, pool->n)];
    size_t length, from = run_at(random, other->size_bytes, &length);
    if (!length) return;
    insert(text, below(random, text->size + 1), other->bytes + from, length);
}

/* The rest of another input after the beginning of ours. */
static void cross(pare_random *random, struct text *text, const struct pool *pool)
{
    const struct search_input *other = &pool->texts[below(random, pool->n)];
    if (!other->size_bytes) return;
    size_t from = below(random, other->size_bytes);
    text->size = below(random, text->size + 1);
    insert(text, text->size, other->bytes + from, other->size_bytes - from);
}

/* Digits of a number at an edge, or its bytes in either order. */
static void put_number(pare_random *random, struct text *text)
{
    static const uint64_t numbers[] = {0,          1,          127,        128,       255,
                                       256,        32767,      65535,      65536,     INT32_MAX,
                                       UINT32_MAX, INT64_MAX,  UINT64_MAX, 1u << 31u, 1000000,
                                       16777216,   4294967296, 10,         100,       4096};
    uint64_t number =
        numbers[below(random, sizeof numbers / sizeof *numbers)] + below(random, 3) - 1;
    size_t at = below(random, text->size + 1);
    uint8_t bytes[24];
    size_t length = (size_t)1 << below(random, 4);
    if (below(random, 2)) {
        length = (size_t)snprintf((char *)bytes, sizeof bytes, "%llu", (unsigned long long)number);
        insert(text, at, bytes, length);
        return;
    }
    bool big = below(random, 2);
    for (size_t i = 0; i < length; i++)
        bytes[big ? length - 1 - i : i] = (uint8_t)(number >> 8 * i);
    if (length > text->size - at) length = text->size - at;
    memcpy(text->bytes + at, bytes, length);
}

static void change(pare_random *random, struct text *text, const struct pool *pool)
{
    switch (below(random, 9)) {
    case 0:
    case 1: change_byte(random, text); break;
    case 2: insert_bytes(random, text); break;
    case 3:
    case 4: remove_run(random, text); break;
    case 5: repeat_run(random, text); break;
    case 6: take_run(random, text, pool); break;
    case 7: put_number(random, text); break;
    default: cross(random, text, pool);
    }
}

/* ---- the child ------------------------------------------------------------------------- */

static bool put_into(struct search_input *place, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) return false;
    memcpy(copy, bytes, size);
    free(place->bytes);
    *place = (struct search_input){.bytes = copy, .size_bytes = size};
    return true;
}

static double processor_seconds(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
               ? 0
               : (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* On memory of exactly that size, so that a sanitizer sees the first byte read too far. */
static bool run_target(struct shared *shared, const struct text *text)
{
    const struct itimerval limit = {.it_value = {.tv_sec = TEXT_SECONDS}};
    uint8_t *bytes = malloc(text->size ? text->size : 1);
    if (!bytes || setitimer(ITIMER_PROF, &limit, NULL)) {
        free(bytes);
        return false;
    }
    memcpy(shared->bytes, text->bytes, text->size);
    shared->size_bytes = text->size;
    memcpy(bytes, text->bytes, text->size);
    (void)LLVMFuzzerTestOneInput(bytes, text->size);
    shared->n_runs++;
    free(bytes);
    return true;
}

static bool fill(struct pool *pool, const struct search_input *inputs, size_t n_inputs)
{
    for (size_t i = 0; i < n_inputs && pool->n < POOL; i++) {
        if (inputs[i].size_bytes > MOST_BYTES) continue;
        if (!put_into(&pool->texts[pool->n], inputs[i].bytes, inputs[i].size_bytes)) return false;
        pool->n++;
    }
    if (!pool->n && put_into(&pool->texts[0], (const uint8_t *)"", 0)) pool->n = 1;
    return pool->n > 0;
}

static bool look(struct shared *shared, struct pool *pool, const struct search_options *options)
{
    static struct text text;
    pare_random random;
    double until = processor_seconds() + options->most_seconds;
    pare_random_init(&random, options->seed);
    while (shared->n_runs < options->most_runs && processor_seconds() < until) {
        const struct search_input *from = &pool->texts[below(&random, pool->n)];
        memcpy(text.bytes, from->bytes, from->size_bytes);
        text.size = from->size_bytes;
        for (size_t n = 1 + below(&random, MOST_CHANGES); n; n--)
            change(&random, &text, pool);
        if (!run_target(shared, &text)) return false;
        if (below(&random, DRIFT)) continue;
        size_t place = pool->n < POOL ? pool->n++ : below(&random, POOL);
        if (!put_into(&pool->texts[place], text.bytes, text.size)) return false;
    }
    return true;
}

static int child(struct shared *shared, const struct search_input *inputs, size_t n_inputs,
                 const struct search_options *options)
{
    const struct itimerval off = {.it_value = {.tv_sec = 0}};
    struct pool pool = {.n = 0};
    bool done = fill(&pool, inputs, n_inputs) && look(shared, &pool, options);
    for (size_t i = 0; i < pool.n; i++)
        free(pool.texts[i].bytes);
    (void)setitimer(ITIMER_PROF, &off, NULL);
    shared->finished = done;
    return done ? 0 : 1;
}

/* ---- the parent ------------------------------------------------------------------------ */

/* What the target was given last, in a file; says so. */
static void keep(const struct shared *shared, const struct search_options *options, int status)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s-%llu-%llu", options->keep_at,
                   (unsigned long long)options->seed, (unsigned long long)shared->n_runs);
    FILE *file = fopen(path, "wb");
    bool kept = file && fwrite(shared->bytes, 1, shared->size_bytes, file) == shared->size_bytes;
    if (file && fclose(file)) kept = false;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
        fprintf(stderr, "the target does not come to an end within %d s of processor time",
                TEXT_SECONDS);
    else if (WIFSIGNALED(status))
        fprintf(stderr, "the target ended by signal %d", WTERMSIG(status));
    else
        fprintf(stderr, "the target ended with %d", WEXITSTATUS(status));
    fprintf(stderr, " after %llu texts; what it was given %s in %s\n",
            (unsigned long long)shared->n_runs, kept ? "is" : "could not be kept", path);
}

bool search(const struct search_input *inputs, size_t n_inputs,
            const struct search_options *options)
{
    int status = 0;
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        fprintf(stderr, "cannot share memory: %s\n", strerror(errno));
        return false;
    }
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) exit(child(shared, inputs, n_inputs, options));
    bool waited = pid > 0 && waitpid(pid, &status, 0) == pid;
    bool good = waited && WIFEXITED(status) && WEXITSTATUS(status) == 0 && shared->finished;
    if (!waited)
        fprintf(stderr, "cannot run the target: %s\n", strerror(errno));
    else if (!good && shared->finished)
        fprintf(stderr,
                "after %llu texts of seed %llu the target leaves something behind, see above\n",
                (unsigned long long)shared->n_runs, (unsigned long long)options->seed);
    else if (!good)
        keep(shared, options, status);
    else
        printf("%llu texts made of them\n", (unsigned long long)shared->n_runs);
    (void)munmap(shared, sizeof *shared);
    return good;
}
