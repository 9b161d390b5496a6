/* Replays a corpus through a fuzz target without libFuzzer.
 *
 * Usage: replay_NAME PATH...   Each PATH is a file, or a folder of which every
 * regular file is used, in the order of their names, folders below included.
 * Prints how many inputs the target has seen.  Finding none is a failure: an
 * empty corpus tests nothing.  Exit codes: 0 all replayed, 1 nothing or not
 * all could be read, 2 usage.  A crash of the target is its own. */
#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

/* Reads the whole of `file` into exactly `size_bytes` bytes of heap memory, so
 * that a sanitizer sees the first byte read too far. */
static bool replay_open_file(FILE *file, size_t size_bytes)
{
    uint8_t *data = malloc(size_bytes ? size_bytes : 1);
    if (!data) return false;
    bool whole = fread(data, 1, size_bytes, file) == size_bytes;
    if (whole) LLVMFuzzerTestOneInput(data, size_bytes);
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
    return ok && n_inputs > 0 ? 0 : 1;
}
