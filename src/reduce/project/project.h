/* A project: a folder as files that mention each other.
 *
 * A mention is a word of one file that names another: an #include, an import, a word of a
 * Makefile.  Each has the bytes that go with the file that it names (`cut`), and, where that
 * means something, the bytes in whose place the content of the file can be put (`place`).  A
 * file needs what its code mentions; what a build file lists it can do without, as long as the
 * mention goes too.  Units are the flags and targets of build files, which go everywhere at once.
 *
 * Readers know forms, not languages: a wrong guess costs a test, never a wrong result.  Nothing
 * is found in files that stay as they are.
 *
 * Owned by who opened it; one thread.  Offsets are those of the text of the layout. */
#ifndef PARE_REDUCE_PROJECT_PROJECT_H
#define PARE_REDUCE_PROJECT_PROJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "text/layout.h"
#include "text/text.h"

#define PARE_NO_FILE UINT32_MAX

/* Bytes from .. to-1 of the text; none if both are equal. */
typedef struct pare_project_range {
    size_t from, to;
} pare_project_range;

typedef struct pare_project_file {
    const char *path;     /* borrowed from the layout, */
    uint32_t entry;       /* of which it is */
    size_t folder_size;   /* bytes of the path up to its last slash, and with it */
    const char *language; /* static; NULL: not known */
    const char *target;   /* of a link; else NULL */
    size_t frame;         /* where its frame begins */
    pare_project_range content;
    bool fixed; /* it stays as it is */
} pare_project_file;

typedef enum pare_mention_kind {
    PARE_MENTION_NEED, /* the file cannot do without the other */
    PARE_MENTION_LIST  /* it can, without the bytes of `cut` */
} pare_mention_kind;

typedef struct pare_mention {
    uint32_t from, to; /* files */
    pare_mention_kind kind;
    size_t at; /* of NEED: where in the file it stands; 0: nowhere, its place says it */
    pare_project_range word;  /* what names the file: of LIST, and in scripts */
    pare_project_range names; /* in scripts: what the place calls what the file exports; may be
                                 empty */
    bool script;              /* it is one of JavaScript or TypeScript: see project_scripts.c */
    pare_project_range cut;   /* goes with `to`; empty: nothing can */
    pare_project_range place; /* where the content of `to` can be put; empty: nowhere */
    const char *open, *close; /* static; what is put around it there */
} pare_mention;

typedef enum pare_project_unit_kind {
    PARE_PROJECT_FLAG,
    PARE_PROJECT_TARGET, /* where it is made; its cut is the rule */
    PARE_PROJECT_USE     /* a word that may be that of a target */
} pare_project_unit_kind;

typedef struct pare_project_unit {
    pare_project_unit_kind kind;
    pare_project_range name, cut;
} pare_project_unit;

typedef struct pare_project {
    const pare_text *text; /* borrowed, flat */
    const unsigned char *bytes;
    pare_project_file *files; /* owned; in the order of the text */
    size_t n_files;
    pare_hash_index stems;  /* of the files, by the last part of their paths without its suffix */
    pare_mention *mentions; /* owned; by `from`, then by where their cuts begin, the longer first */
    size_t n_mentions, mention_capacity;
    uint32_t *first_of; /* owned; mentions of file i: mentioned[first_of[i] .. first_of[i+1] - 1] */
    uint32_t *mentioned;      /* in the same block */
    pare_project_unit *units; /* owned; in the order of the text */
    size_t n_units, unit_capacity;
} pare_project;

/* What a project is made of; all borrowed until it is closed. */
typedef struct pare_project_source {
    const pare_layout *layout;
    const pare_text *text; /* flat */
    const pare_place *places;
    size_t n_places;
    bool (*stays)(const void *context, uint32_t entry); /* whether an entry stays as it is */
    const void *context;
} pare_project_source;

/* Reads all files.  *out need not be initialised, and is to be closed only on success.
 * O(bytes), and for each word that looks like a name as many steps as files are called so.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_project_open(const pare_project_source *source, pare_project *out,
                                         pare_error *err);
void pare_project_close(pare_project *project);

/* Whether mentions and units are sorted, in range and in files that may change.  O(all). */
bool pare_project_check(const pare_project *project);

/* Whether two words are the same bytes. */
bool pare_project_same(const pare_project *project, pare_project_range a, pare_project_range b);

/* --- for the readers ------------------------------------------------------------------------ */

/* The file that `word`, a path seen from file `from` (PARE_NO_FILE: from the top), means: seen from
 * the folder of that file, from the top, or the end of one path; PARE_NO_FILE: none. */
uint32_t pare_project_find(const pare_project *project, uint32_t from, const char *word,
                           size_t size);

/* The source of a word like "build/name.o": the file of C or C++ that is called so but for the
 * suffix; PARE_NO_FILE: none. */
uint32_t pare_project_find_source(const pare_project *project, uint32_t from, const char *word,
                                  size_t size);

/* Adds one; the mention of a file in itself is left out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_project_add_mention(pare_project *project, const pare_mention *mention,
                                                pare_error *err);
PARE_CHECK pare_status pare_project_add_unit(pare_project *project, pare_project_unit_kind kind,
                                             pare_project_range name, pare_project_range cut,
                                             pare_error *err);

/* The readers of source files (project_code.c) and of build files (project_build.c): each adds
 * what it finds in `file`, if that is one of its kind.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_project_code_read(pare_project *project, uint32_t file,
                                              pare_error *err);
PARE_CHECK pare_status pare_project_build_read(pare_project *project, uint32_t file,
                                               pare_error *err);

/* Appends the text of `mention->to` as it can stand in the place of the mention, one of a script.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_project_scripts_put(const pare_project *project,
                                                const pare_mention *mention, pare_buffer *out,
                                                pare_error *err);

/* Whether the file, by its name, says how others are built. */
bool pare_project_is_build(const pare_project_file *file);

#endif
