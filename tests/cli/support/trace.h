/* Reading what --trace wrote.  Include after <cmocka.h>. */
#ifndef PARE_TESTS_CLI_TRACE_H
#define PARE_TESTS_CLI_TRACE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/digest.h"

enum { MAX_ENTRIES = 4096 };

struct entry {
    char digest[PARE_DIGEST_TEXT_BYTES];
    size_t bytes;
    char outcome[16], source[8];
    bool accepted;
};

struct trace {
    struct entry *entries; /* owned */
    size_t n;
};

static inline void copy_member(const json_t *object, const char *key, char *to, size_t size)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    assert_true(strlen(text) < size);
    (void)snprintf(to, size, "%s", text);
}

static inline struct entry read_entry(const json_t *object, size_t n)
{
    struct entry entry = {.bytes = 0};
    assert_int_equal(json_integer_value(json_object_get(object, "n")), n);
    copy_member(object, "digest", entry.digest, sizeof entry.digest);
    copy_member(object, "outcome", entry.outcome, sizeof entry.outcome);
    copy_member(object, "source", entry.source, sizeof entry.source);
    entry.bytes = (size_t)json_integer_value(json_object_get(object, "bytes"));
    entry.accepted = json_is_true(json_object_get(object, "accepted"));
    return entry;
}

/* Reads the file; to be ended by trace_done. */
static inline struct trace trace_read(const char *path)
{
    struct trace trace = {.entries = calloc(MAX_ENTRIES, sizeof *trace.entries)};
    FILE *file = fopen(path, "r");
    assert_non_null(trace.entries);
    assert_non_null(file);
    for (json_t *object; (object = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL));) {
        assert_true(trace.n < MAX_ENTRIES);
        trace.entries[trace.n] = read_entry(object, trace.n);
        trace.n++;
        json_decref(object);
    }
    (void)fclose(file);
    return trace;
}

static inline void trace_done(struct trace *trace)
{
    free(trace->entries);
    *trace = (struct trace){.n = 0};
}

static inline bool entries_equal(const struct entry *a, const struct entry *b)
{
    return !strcmp(a->digest, b->digest) && a->bytes == b->bytes &&
           !strcmp(a->outcome, b->outcome) && !strcmp(a->source, b->source) &&
           a->accepted == b->accepted;
}

/* All must be the same but the times. */
static inline void assert_traces_equal(const struct trace *a, const struct trace *b)
{
    for (size_t i = 0; i < a->n && i < b->n; i++)
        if (!entries_equal(&a->entries[i], &b->entries[i])) fail_msg("entry %zu differs", i);
    assert_int_equal(a->n, b->n);
}

#endif
