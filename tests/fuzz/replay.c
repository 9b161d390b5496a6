/* Replays a corpus through a fuzz target without libFuzzer, and looks a little beyond it.
 *
 * Usage: replay_NAME PATH...   Each PATH is a file, or a folder of which every
 * regular file is used, in the order of their names, folders below included.
 * Prints how many inputs the target has seen.  Finding none is a failure: an
 * empty corpus tests nothing.
 *
 * From the environment, for search.c:
 *   PARE_FUZZ_SECONDS  so much processor time on texts made of the corpus (0: none)
 *   PARE_FUZZ_RUNS     at most so many texts
 *   PARE_FUZZ_SEED     which texts (1)
 *   PARE_FUZZ_KEEP     folder of a text that ends the target (the current one)
 *
 * Exit codes: 0 all replayed, 1 nothing or not all could be read, or the search ended the target,
 * 2 usage.  A crash of the target in the corpus is its own. */
#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/search.h"

enum { MOST_INPUTS = 4096 };

/* What was replayed, for the search. */
static struct search_input inputs[MOST_INPUTS];
static size_t n_kept;

/* Reads the whole of `file` into exactly `size_bytes` bytes of heap memory, so
 * that a sanitizer sees the first byte read too far. */
static bool replay_open_file(FILE *file, size_t size_bytes)
{
    uint8_t *data = malloc(size_bytes ? size_bytes : 1);
    if (!data) return false;
    bool whole = fread(data, 1, size_bytes, file) == size_bytes;
    if (whole) LLVMFuzzerTestOneInput(data, size_bytes);
    if (whole && n_kept < MOST_INPUTS)
        inputs[n_kept++] = (struct search_input){.bytes = data, .size_bytes = size_bytes};
    else
        free(data);
    return whole;
}

static bool replay_file(const char *path, size_t size_bytes)
{
    FILE *file = fopen(path, "rb");
    bool done = file && replay_open_file(file, size_bytes);
    if (!done) fprintf(stderr, "%s: cannot read: %s\n", path, strerror(errno));
    if (file) fclose(file);
    return done;
}

static int by_name(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

/* Feeds one entry of the walk to the target; false if it cannot be read. */
static bool visit(const FTSENT *entry, size_t *n_inputs)
{
    switch (entry->fts_info) {
    case FTS_F:
        if (!replay_file(entry->fts_accpath, (size_t)entry->fts_statp->st_size)) return false;
        *n_inputs += 1;
        return true;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        fprintf(stderr, "%s: cannot read: %s\n", entry->fts_path, strerror(entry->fts_errno));
        return false;
    default: return true;
    }
}

/* A number of the environment that is not negative. */
static double setting(const char *name, double otherwise)
{
    const char *text = getenv(name);
    if (!text || !*text) return otherwise;
    char *end;
    double value = strtod(text, &end);
    if (*end || !(value >= 0) || value > 1e15) {
        fprintf(stderr, "%s=%s: a number is needed\n", name, text);
        exit(2);
    }
    return value;
}

/* As the environment asks for; true where it does not. */
static bool look_further(const char *program)
{
    char keep_at[4096];
    const char *base = strrchr(program, '/');
    const char *folder = getenv("PARE_FUZZ_KEEP");
    struct search_options options = {
        .seed = (uint64_t)setting("PARE_FUZZ_SEED", 1),
        .most_runs = (uint64_t)setting("PARE_FUZZ_RUNS", 1e15),
        .most_seconds = setting("PARE_FUZZ_SECONDS", 0),
        .keep_at = keep_at,
    };
    (void)snprintf(keep_at, sizeof keep_at, "%s/%s", folder ? folder : ".",
                   base ? base + 1 : program);
    return options.most_seconds <= 0 || search(inputs, n_kept, &options);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE-OR-FOLDER...\n", argv[0]);
        return 2;
    }
    FTS *walk = fts_open(argv + 1, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (!walk) {
        fprintf(stderr, "%s: cannot read: %s\n", argv[1], strerror(errno));
        return 1;
    }
    size_t n_inputs = 0;
    bool ok = true;
    for (FTSENT *entry = fts_read(walk); entry; entry = fts_read(walk))
        ok = visit(entry, &n_inputs) && ok;
    fts_close(walk);
    printf("%zu inputs replayed\n", n_inputs);
    if (n_inputs == 0) fprintf(stderr, "%s: no input found: put files there\n", argv[1]);
    ok = ok && n_inputs > 0 && look_further(argv[0]);
    for (size_t i = 0; i < n_kept; i++)
        free(inputs[i].bytes);
    return ok ? 0 : 1;
}
