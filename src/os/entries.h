/* Files and folders that were given, with all that is in them: found, read, written.
 *
 * Links are kept as links and never followed (but for the given path itself); what is
 * neither file, link nor folder is left out and counted.  Names are any bytes.  One
 * thread. */
#ifndef PARE_OS_ENTRIES_H
#define PARE_OS_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/descriptor.h"

#define PARE_NO_ENTRY UINT32_MAX

enum { PARE_ENTRY_PATH_BYTES = 3840 }; /* longest path: room for a folder's before it */

typedef enum pare_entry_kind {
    PARE_ENTRY_FILE,
    PARE_ENTRY_LINK,
    PARE_ENTRY_FOLDER,
    PARE_ENTRY_ARGUMENT, /* a word of the program's command line */
    PARE_ENTRY_VARIABLE  /* NAME=VALUE of its environment */
} pare_entry_kind;

typedef struct pare_entry {
    const char *path;   /* from the base name of what was given on: "NAME/sub/file" */
    const char *target; /* of a LINK; of words the text; else NULL */
    pare_entry_kind kind;
    mode_t mode;     /* permission bits */
    uint32_t input;  /* which of those given it is, or is in */
    uint32_t parent; /* index of its folder; PARE_NO_ENTRY for one that was given */
    uint32_t after;  /* index of the first entry that is neither it nor in it */
    uint32_t depth;  /* 1 for one that was given */
} pare_entry;

/* Whether the entry is an argument or a variable: nothing that is on disk. */
static inline bool pare_entry_is_word(const pare_entry *entry)
{
    return entry->kind == PARE_ENTRY_ARGUMENT || entry->kind == PARE_ENTRY_VARIABLE;
}

/* All-zero is empty.  Entries stand in the order of their paths, a folder before what is
 * in it, and that without a gap; words after all of them, in their own order. */
typedef struct pare_entries {
    pare_arena texts;
    pare_entry *items; /* owned */
    size_t n, capacity;
    int *roots; /* owned descriptors, one for each given; -1 for a file */
    size_t n_roots;
    size_t n_skipped;    /* neither file, link nor folder */
    const char *skipped; /* path of the first of them; NULL: none */
} pare_entries;

/* Finds what is in `inputs`, files or folders.  They are called by the base names of `names`,
 * which differ; NULL: of the inputs themselves.  On PARE_OK
 * *entries (all-zero before) is the caller's, and `inputs` borrowed by it.
 * Errors: PARE_E_ARG (names), PARE_E_IO, PARE_E_LIMIT (a path is too long),
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_entries_scan(pare_entries *entries, const char *const *inputs,
                                         const char *const *names, size_t n, pare_error *err);

/* The names of what was given, in that order: names[0 .. n_roots - 1], borrowed. */
void pare_entries_names(const pare_entries *entries, const char **names);

/* One file called `name`, whose content is elsewhere.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_entries_name(pare_entries *entries, const char *name, mode_t mode,
                                         pare_error *err);

/* Entries that were written down, in place of what is on disk: of each of the `n` items the path, target,
 * kind, mode and input count, which are copied; words stand last.  Nothing of them can be read.
 * *entries, all-zero before, is set only on success.
 * Errors: PARE_E_CORRUPT (not in their order, a path that is not below that of a folder before it, so
 * writing them never leaves the folder they are written to, or an input that is not one of as many as
 * there are entries of depth 1), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_entries_recall(pare_entries *entries, const pare_entry *items, size_t n,
                                           pare_error *err);

/* Adds a word, copied, after all there is.  Errors: PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_entries_add_word(pare_entries *entries, pare_entry_kind kind,
                                             const char *text, pare_error *err);

void pare_entries_done(pare_entries *entries);

/* Appends the content of entry `index`, a file or a word, to *content.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_entries_read(const pare_entries *entries, const char *const *inputs,
                                         uint32_t index, pare_buffer *content, pare_error *err);

/* A file as it was when it was written; all-zero: never. */
typedef struct pare_entry_record {
    uint64_t inode, size;
    int64_t changed_ns;
} pare_entry_record;

/* What tells a file that stat(2) or fstat(2) has described from others. */
pare_entry_record pare_entry_record_of(const struct stat *info);

/* Writes some of the entries below an open folder: begin each, in their order, add the bytes
 * of files, end.  Words are passed over.  Folders are made when the first entry in them
 * begins; those that were given are made in any case.  Functions return 0 or an errno; after
 * an error only done may be called. */
typedef struct pare_entries_writer {
    const pare_entry *entries; /* borrowed; n of them */
    size_t n;
    int folder;     /* borrowed descriptor */
    uint32_t input; /* only what was given as this one; PARE_NO_ENTRY: all */
    size_t strip;   /* bytes to leave off each path; a path that ends within them is
                            the folder itself */
    uint32_t *made; /* owned; the folders that are there, in the order of entries */
    size_t n_made, capacity;
    mode_t known, kept;         /* bits that files were made with, and those that they got */
    pare_entry_record *records; /* borrowed; filled in for files written, by entry; or NULL */
    int fd;                     /* owned; the file that is being written; -1: none */
    uint32_t file;              /* its entry */
    pare_iovec gather;
} pare_entries_writer;

/* `writer` is all-zero but for `records`.  start sets `input` to all. */
int pare_entries_writer_start(pare_entries_writer *writer, const pare_entries *entries, int folder,
                              size_t strip);
int pare_entries_writer_begin(pare_entries_writer *writer, uint32_t index);

/* Begins entry `index`, a file, as a second name for what is called so below `previous`, if
 * that is what was written then (`records`); else returns an errno, and it is not begun. */
int pare_entries_writer_link(pare_entries_writer *writer, uint32_t index, int previous);
int pare_entries_writer_add(pare_entries_writer *writer, const void *bytes, size_t size);
int pare_entries_writer_end(pare_entries_writer *writer);
void pare_entries_writer_done(pare_entries_writer *writer);

#endif
