/* Reading an answer about types.
 *
 * Lines say what comes: `pare-edits 1 ...` first, `patch LEVEL FAMILY`, `change FROM TO SIZE` with
 * SIZE bytes and a line end after it, `end` last.  Parts of a patch follow it with higher levels: a
 * stack of the last patch of each level finds the one that a patch is a part of.
 * Invariant: what reaches the list keeps to the rules of patches (text/patch.h), whatever the answer
 * says: all numbers are checked against the text and the change before.
 * Source: ours; the program's side is tools/clang_edits/edit_list.c. */
#include "reduce/semantic/semantic_edits.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST_LEVELS = 64, MOST_DIGITS = 10 };

static const char OPENING[] = "pare-edits 1 ";

/* The answer while it is read. */
struct reader {
    const char *at, *end;
    pare_semantic_range range;
    pare_patches *out;
    uint32_t levels[MOST_LEVELS]; /* the last patch of each level */
    size_t level;                 /* of the patch that is open */
    bool is_open;
    size_t n_changes; /* of it */
    size_t last_to;
    bool last_inserted; /* the last change put something in without taking any out */
};

/* Bytes that are left. */
static size_t left(const struct reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

/* Steps over `word` if that is what comes. */
static bool take(struct reader *reader, const char *word)
{
    size_t size = strlen(word);
    if (left(reader) < size || memcmp(reader->at, word, size) != 0) return false;
    reader->at += size;
    return true;
}

/* Steps over the rest of the line; false: it has no end. */
static bool take_line(struct reader *reader)
{
    const char *end = left(reader) ? memchr(reader->at, '\n', left(reader)) : NULL;
    if (end) reader->at = end + 1;
    return end != NULL;
}

/* Reads a decimal number, and the byte `after` that follows it. */
static bool take_number(struct reader *reader, char after, size_t *number)
{
    uint64_t value = 0;
    size_t n = 0;
    while (left(reader) > n && n < MOST_DIGITS && reader->at[n] >= '0' && reader->at[n] <= '9')
        value = value * 10 + (uint64_t)(reader->at[n++] - '0');
    if (!n || left(reader) == n || reader->at[n] != after || value > UINT32_MAX) return false;
    reader->at += n + 1;
    *number = (size_t)value;
    return true;
}

/* What is wrong is one thing for the caller. */
static pare_status corrupt(pare_error *err)
{
    return pare_fail(err, PARE_E_CORRUPT, "an answer about types makes no sense");
}

/* Ends the patch that is open, as a part of the last one of a lower level. */
static pare_status end_patch(struct reader *reader, pare_error *err)
{
    uint32_t parent = PARE_NO_PATCH, index = PARE_NO_PATCH;
    if (!reader->is_open) return PARE_OK;
    if (!reader->n_changes) return corrupt(err);
    for (size_t i = reader->level; parent == PARE_NO_PATCH && i-- > 0;)
        parent = reader->levels[i];
    pare_status status = pare_patches_end(reader->out, parent, &index, err);
    reader->levels[reader->level] = index;
    for (size_t i = reader->level + 1; i < MOST_LEVELS; i++)
        reader->levels[i] = PARE_NO_PATCH;
    reader->is_open = false;
    return status;
}

/* `patch LEVEL FAMILY`: the next one begins. */
static pare_status read_patch(struct reader *reader, pare_error *err)
{
    pare_status status = end_patch(reader, err);
    if (status) return status;
    if (!take_number(reader, ' ', &reader->level) || reader->level >= MOST_LEVELS ||
        !take_line(reader))
        return corrupt(err);
    reader->is_open = true;
    reader->n_changes = reader->last_to = 0;
    reader->last_inserted = false;
    return PARE_OK;
}

/* `change FROM TO SIZE` and what is put there. */
static pare_status read_change(struct reader *reader, pare_error *err)
{
    size_t from, to, size, whole = reader->range.end - reader->range.begin;
    if (!reader->is_open || !take_number(reader, ' ', &from) || !take_number(reader, ' ', &to) ||
        !take_number(reader, '\n', &size) || left(reader) <= size || reader->at[size] != '\n')
        return corrupt(err);
    bool apart = !reader->n_changes || from > reader->last_to ||
                 (from == reader->last_to && !reader->last_inserted && from < to);
    if (from > to || to > whole || !apart) return corrupt(err);
    pare_status status = pare_patches_change(reader->out, reader->range.begin + from,
                                             reader->range.begin + to, reader->at, size, err);
    reader->at += size + 1;
    reader->n_changes++;
    reader->last_to = to;
    reader->last_inserted = from == to;
    return status;
}

pare_status pare_semantic_edits_read(const char *answer, size_t size, pare_semantic_range range,
                                     pare_patches *out, pare_error *err)
{
    struct reader reader = {.at = answer, .end = answer + size, .range = range, .out = out};
    assert(range.begin <= range.end);
    for (size_t i = 0; i < MOST_LEVELS; i++)
        reader.levels[i] = PARE_NO_PATCH;
    out->spaced = true;
    if (!take(&reader, OPENING) || !take_line(&reader)) return corrupt(err);
    while (!take(&reader, "end\n")) {
        pare_status status = take(&reader, "patch ")    ? read_patch(&reader, err)
                             : take(&reader, "change ") ? read_change(&reader, err)
                                                        : corrupt(err);
        if (status) return status;
    }
    pare_status status = end_patch(&reader, err);
    return status || !left(&reader) ? status : corrupt(err);
}
