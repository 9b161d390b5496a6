/* Readers of formats that are known by their headers or, as ELF and WebAssembly, by what is at their
 * begin.
 *
 * The finder asks them before it guesses a layout.  chunk_formats.c has those of a few lines; the
 * others are in sources of their own, which are called after the format (README.md).  A reader adds
 * nothing unless the whole of what it describes fits into the chunk. */
#ifndef PARE_REDUCE_BINARY_CHUNK_FORMATS_H
#define PARE_REDUCE_BINARY_CHUNK_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_tree.h"

/* Looks whether the body of `chunk`, which has no children, is of a known format, and adds its chunks
 * and numbers; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_formats_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                               pare_error *err);

/* Whether the bytes begin as an archive does whose headers are digits, so that one of texts looks like a text. */
bool pare_chunk_formats_is_archive(const unsigned char *bytes, size_t n);

/* Looks whether the file is ELF with a table of sections, none of which overlap, and adds these and
 * the numbers about them to its chunk, which has no children; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_elf_read(pare_chunk_tree *tree, bool *found, pare_error *err);

/* Whether bytes from .. to-1 begin as a module does. */
bool pare_chunk_wasm_is(const pare_chunk_tree *tree, uint32_t from, uint32_t to);

/* Adds what is found to `chunk`, of which a module is from .. to-1; *found: something was.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_wasm_read(pare_chunk_tree *tree, uint32_t chunk, uint32_t from,
                                            uint32_t to, bool *found, pare_error *err);

/* Looks whether the body of `chunk`, which has no children and is the file or was unpacked, is (but for
 * a header) rows of equal width, as two numbers at the begin of the file say; adds them, what of a row
 * goes from all rows, and both numbers.  Rows that are differences, as in PNG, are made plain ones.
 * *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_image_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                             pare_error *err);

/* Looks whether the file has a directory of its parts, and adds both to its chunk, which has no children;
 * *found: it has.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_directory_read(pare_chunk_tree *tree, bool *found,
                                                 pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is values of MessagePack or of CBOR, and adds
 * them, level by level as long as there is room, with their counts and lengths; *found: it is.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_values_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                              pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is a catalogue of messages of gettext, and adds its messages with
 * their numbers; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_mo_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                          pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is a class file of Java, and adds its constants,
 * lists, attributes and instructions with their numbers; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_class_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                             pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is compiled Lua (5.1 to 5.4), and adds its functions with
 * what they are made of; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_lua_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                           pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is a binary property list, and adds its objects,
 * which numbers name, and what they hold; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_plist_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                             pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is a pickle of Python, and adds its values;
 * *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_pickle_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                              pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is Python's marshal, alone or as a compiled module, in which objects
 * are named in place of being written again, and puts that form of it in its place in which none is; *found: it is.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_marshal_write_anew(pare_chunk_tree *tree, uint32_t chunk,
                                                     bool *found, pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is marshal in which no object is named, and adds its objects;
 * *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_marshal_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                               pare_error *err);

/* Looks whether the file is a database of SQLite, and adds its pages to its chunk, which has no children, and
 * what names them; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_sqlite_read(pare_chunk_tree *tree, bool *found, pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is EBML (Matroska, WebM), and adds its elements
 * with their lengths, checksums and positions; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_ebml_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                            pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is TIFF, and adds its directories and all that
 * they name; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_tiff_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                            pare_error *err);

/* Looks whether one of the `n` parts of a file is offsets, in that byte order, that cut another one, which has no
 * children, into pieces, and adds these; so for each pair.  PARE_NO_CHUNK: no part.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_offsets_read(pare_chunk_tree *tree, pare_coding coding,
                                               const uint32_t *parts, uint32_t n, pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is a font in Adobe's compact format, and adds its
 * glyphs, strings and routines with their offsets; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_cff_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                           pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is FLAC, and adds its blocks and frames; *found: it
 * is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_flac_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                            pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is Ogg, and adds its pages and their segments;
 * *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_ogg_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                           pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is documents of BSON, and adds their elements with
 * their lengths and places; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_bson_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                            pare_error *err);

/* Looks whether the body of `chunk`, which has no children, is an archive of cpio, and adds its members; *found: it
 * is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_cpio_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                            pare_error *err);

/* Looks whether the file is an index of git, and adds its entries and extensions to its chunk, which has no
 * children, and the SHA-1 at its end; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_git_read(pare_chunk_tree *tree, bool *found, pare_error *err);

/* Looks whether the chunk, which has no children, is a file of PDF, and adds its objects with what they hold, and its
 * table of positions, to it; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_pdf_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                           pare_error *err);

/* Looks whether the file is one message of Protocol Buffers, and adds its fields with their lengths to its
 * chunk, which has no children; *found: it is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_protobuf_read(pare_chunk_tree *tree, bool *found,
                                                pare_error *err);

/* Looks for streams of zlib anywhere in the body of `chunk`, which has no children, and adds them with the
 * numbers in digits that are their lengths; with `in_text` only where what is around them is text, which
 * has no lengths in bytes.  *found: there are some.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_streams_read(pare_chunk_tree *tree, uint32_t chunk, bool in_text,
                                               bool *found, pare_error *err);

#endif
