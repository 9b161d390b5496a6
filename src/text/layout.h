/* Layouts: files and folders as one text, and what such a text means.
 *
 * The text is the contents of the files in the order of their paths, each after a frame:
 * eight bytes, the marker, that occur in no content, and the entry's number.  Links and
 * empty folders are frames alone; a folder with something in it is there as long as that
 * is.  So one kind of candidate, one digest and one cache serve files and folders alike;
 * and the words of a command line and of an environment, which are entries after the files.
 *
 * Every byte string means something: a marker begins a frame.  One whose number no entry
 * can have there (there is none, it has no frame, or it does not follow the one before)
 * is passed over, as is one that is cut off at the end; what stands before the first
 * frame belongs to no file.  One thread; immutable once made. */
#ifndef PARE_TEXT_LAYOUT_H
#define PARE_TEXT_LAYOUT_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "os/entries.h"
#include "text/candidate.h"
#include "text/text.h"

enum { PARE_LAYOUT_MARKER_BYTES = 8, PARE_LAYOUT_FRAME_BYTES = 12 };

typedef struct pare_layout {
    pare_entries entries;
    unsigned char marker[PARE_LAYOUT_MARKER_BYTES]; /* its first byte occurs in it once */
    const pare_text *file; /* borrowed while the text is made: its content; NULL: on disk */
    bool is_file;          /* one file, which always is there; the rest are words */
    size_t n_arguments, n_variables;
} pare_layout;

/* A layout is made in steps: open or open_file, words if there are any, text.
 *
 * open finds what is in `inputs` as described in os/entries.h; open_file is for one file
 * called `name`, whose content is `file`, flat.  On PARE_OK the caller owns *out.
 * Errors: those of pare_entries_scan; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_layout_open(const char *const *inputs, const char *const *names,
                                        size_t n, pare_layout **out, pare_error *err);
PARE_CHECK pare_status pare_layout_open_file(const char *name, mode_t mode, const pare_text *file,
                                             pare_layout **out, pare_error *err);

/* A layout that was written down, of which texts can be read and written but no input: entries as for
 * pare_entries_recall, the marker and is_file as they were.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_CORRUPT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_layout_recall(const pare_entry *items, size_t n,
                                          const unsigned char marker[PARE_LAYOUT_MARKER_BYTES],
                                          bool is_file, pare_layout **out, pare_error *err);

/* Adds words; all arguments come before all variables.  Errors: PARE_E_LIMIT,
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_layout_add_words(pare_layout *layout, pare_entry_kind kind,
                                             const char *const *words, size_t n, pare_error *err);

/* Reads all contents and chooses the marker.  On PARE_OK the caller owns *text, flat, with
 * one reference.  Errors: PARE_E_IO, PARE_E_LIMIT (over PARE_TEXT_MAX_BYTES),
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_layout_text(pare_layout *layout, const char *const *inputs,
                                        pare_text **text, pare_error *err);

/* The steps in one, without words.  Errors: theirs; nothing is set then. */
PARE_CHECK pare_status pare_layout_read(const char *const *inputs, size_t n, pare_layout **out,
                                        pare_text **text, pare_error *err);
void pare_layout_free(pare_layout *layout); /* NULL is a no-op */

/* Whether the entry has a frame: every one but given folders and those that hold any. */
bool pare_layout_has_frame(const pare_layout *layout, uint32_t entry);

/* Writes the frame of `entry`. */
void pare_layout_frame(const pare_layout *layout, uint32_t entry,
                       unsigned char frame[PARE_LAYOUT_FRAME_BYTES]);

/* A name of the entries: paths, kinds, modes, targets. */
pare_digest pare_layout_identity(const pare_layout *layout, pare_digest seed);

/* What a walk reports: `entry` when one begins, with the offset after its frame, and
 * `bytes` for each run of its content.  Both stop it by a result that is not 0. */
typedef struct pare_layout_visitor {
    void *context;
    int (*entry)(void *context, uint32_t entry, size_t after);
    int (*bytes)(void *context, pare_span span);
} pare_layout_visitor;

/* Walks over what the candidate means.  Returns 0, or what stopped it.  The runs stay
 * valid as long as the candidate and the layout.  O(bytes), at the speed of memchr. */
int pare_layout_walk(const pare_layout *layout, const pare_candidate *candidate,
                     const pare_layout_visitor *visitor);

/* Entries on disk and bytes of their contents, and words, of a candidate. */
typedef struct pare_layout_size {
    size_t entries, bytes, arguments, variables;
} pare_layout_size;
pare_layout_size pare_layout_measure(const pare_layout *layout, const pare_candidate *candidate);

/* The words of a candidate, each with its NUL: first the arguments, then the variables.
 * All-zero is empty. */
typedef struct pare_layout_words {
    pare_buffer texts;
    size_t n_arguments, n_variables;
} pare_layout_words;

/* Sets *words to those of the candidate.  O(bytes).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_layout_words_read(const pare_layout *layout,
                                              const pare_candidate *candidate,
                                              pare_layout_words *words, pare_error *err);
void pare_layout_words_done(pare_layout_words *words);

/* Calls `bytes` for each run of the content of `entry`.  Returns 0, or what stopped it. */
int pare_layout_content(const pare_layout *layout, const pare_candidate *candidate, uint32_t entry,
                        int (*bytes)(void *context, pare_span), void *context);

/* Where an entry stands in a text: its frame begins at `frame`, its content is bytes
 * begin .. end-1. */
typedef struct pare_place {
    uint32_t entry;
    size_t frame, begin, end;
} pare_place;

/* The places of all entries of a text, in order.  On PARE_OK the caller owns *out (by
 * pare_alloc_free), with *n of them.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_layout_places(const pare_layout *layout, const pare_text *text,
                                          pare_place **out, size_t *n, pare_error *err);

/* Writes one candidate after the other, each into a new folder.  A file that has the
 * same content as in the one before becomes a second name (a hard link) of that file, so writing
 * costs what has changed, and little for each file that has not. */
typedef struct pare_layout_saver {
    const pare_layout *layout;  /* borrowed */
    size_t strip;               /* see pare_entries_writer */
    pare_digest *contents;      /* owned, by entry: of what was written last */
    pare_digest *next;          /* owned, by entry: of what is being written; zeros: not there */
    pare_entry_record *records; /* owned, by entry */
} pare_layout_saver;

/* Errors: PARE_E_NOMEM; needs pare_layout_saver_done in any case. */
PARE_CHECK pare_status pare_layout_saver_init(pare_layout_saver *saver, const pare_layout *layout,
                                              size_t strip, pare_error *err);
void pare_layout_saver_done(pare_layout_saver *saver); /* all-zero is a no-op */

/* A candidate is saved in steps.  look reads it.  changed tells whether anything in entry `index` differs
 * from the candidate before, and present whether anything of it is there.  part writes what was given as
 * `input`, a folder (PARE_NO_ENTRY: all that was given), below `folder`; `previous` is the folder of the
 * candidate before, or -1.  turn ends the saving: the candidate is the one before from then on.
 * look and turn without part write nothing.  part returns 0 or an errno.  forget is for who has failed to
 * write entry `index` (PARE_NO_ENTRY: all) as it was looked at: nothing of it is linked the next time. */
void pare_layout_saver_look(pare_layout_saver *saver, const pare_candidate *candidate);
bool pare_layout_saver_changed(const pare_layout_saver *saver, uint32_t index);
bool pare_layout_saver_present(const pare_layout_saver *saver, uint32_t index);
int pare_layout_saver_part(pare_layout_saver *saver, const pare_candidate *candidate,
                           uint32_t input, int folder, int previous);
void pare_layout_saver_turn(pare_layout_saver *saver);
void pare_layout_saver_forget(pare_layout_saver *saver, uint32_t index);

/* Writes what the candidate means below the open folder `folder`, with `strip` bytes left
 * off each path (see pare_entries_writer).  Returns 0 or an errno. */
int pare_layout_write(const pare_layout *layout, const pare_candidate *candidate, int folder,
                      size_t strip);

#endif
