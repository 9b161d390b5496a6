/* Reads the groups of tests/data/diagnostics; its README.md says how they are written.
 *
 * A group is slices of its file's text, which it owns; what is missing is empty. */
#ifndef DIAGNOSTIC_GROUPS_H
#define DIAGNOSTIC_GROUPS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "os/file.h"
#include "run/signature.h"

enum { GROUP_CASES = 10 };

struct slice {
    const char *start;
    size_t size;
};

struct group_case {
    char title[120];   /* "KIND WHY" */
    pare_buffer input; /* the text of its file, or of its files, one after the other */
    bool signalled;
    int code;
    struct slice out, err;
};

struct group {
    pare_buffer text;
    char input_name[80];
    struct group_case cases[GROUP_CASES];
    size_t n;
};

static inline bool case_is(const struct group_case *item, const char *kind)
{
    size_t size = strlen(kind);
    return strncmp(item->title, kind, size) == 0 &&
           (item->title[size] == ' ' || !item->title[size]);
}

static inline void group_done(struct group *group)
{
    for (size_t k = 0; k < group->n; k++)
        pare_buffer_done(&group->cases[k].input);
    pare_buffer_done(&group->text);
}

/* Copies `text`; false when it is longer than there is room. */
static inline bool copy_words(char *to, size_t room, const char *text)
{
    size_t size = strlen(text);
    if (size >= room) return false;
    memcpy(to, text, size + 1);
    return true;
}

/* "exit N" or "signal NAME". */
static inline void read_ended(struct group_case *item, const char *words)
{
    item->signalled = strncmp(words, "signal ", 7) == 0;
    item->code = item->signalled ? pare_signature_signal(words + 7) : atoi(words + 5);
}

/* Takes the title at `line` (of `size` bytes, without the mark) and the block below it. */
static inline bool read_block(struct group *group, const char *line, size_t size,
                              struct slice block)
{
    static const char no_end[] = " (no newline)";
    char title[160];
    if (size >= sizeof title) return false;
    memcpy(title, line, size);
    title[size] = '\0';
    char *cut = strstr(title, no_end);
    if (cut && strncmp(title, "std", 3) == 0) *cut = '\0', block.size--;
    if (strncmp(title, "input ", 6) == 0)
        return copy_words(group->input_name, sizeof group->input_name, title + 6);
    if (strncmp(title, "case ", 5) == 0) {
        if (group->n == GROUP_CASES) return false;
        return copy_words(group->cases[group->n++].title, sizeof group->cases->title, title + 5);
    }
    if (!group->n) return true;
    struct group_case *item = &group->cases[group->n - 1];
    if (strncmp(title, "ended ", 6) == 0) read_ended(item, title + 6);
    if (strcmp(title, "stdout") == 0) item->out = block;
    if (strcmp(title, "stderr") == 0) item->err = block;
    if (strncmp(title, "file ", 5) == 0)
        return pare_buffer_add(&item->input, block.start, block.size, NULL) == PARE_OK;
    return true;
}

/* Reads the file; false when it cannot be read, or is not a group.  To be done anyway. */
static inline bool group_read(const char *path, struct group *group)
{
    memset(group, 0, sizeof *group);
    if (pare_file_read(path, &group->text, NULL)) return false;
    const char *at = group->text.data, *limit = at + group->text.size;
    while (at < limit) {
        if (strncmp(at, "@@@ ", 4) != 0) return false;
        const char *end = strchr(at, '\n'), *next = end;
        while (next && strncmp(next + 1, "@@@ ", 4) != 0)
            next = strchr(next + 1, '\n');
        if (!end) return false;
        const char *after = next ? next + 1 : limit;
        struct slice block = {end + 1, (size_t)(after - end - 1)};
        if (!read_block(group, at + 4, (size_t)(end - at - 4), block)) return false;
        at = after;
    }
    return group->n > 0;
}

#endif
