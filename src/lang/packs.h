/* The table of language packs: which package holds which parser.
 *
 * Parsers cannot be made anew from their grammars here, so a pack is a published package
 * with the generated parser.c in it.  A const table; any thread. */
#ifndef PARE_LANG_PACKS_H
#define PARE_LANG_PACKS_H

#include <pare/language.h>

/* A package that is pinned. */
typedef struct pare_pack_pin {
    const char *package, *version;
    const char *integrity; /* "sha512-..." */
} pare_pack_pin;

typedef struct pare_pack {
    pare_language_info info;
    const char *integrity;     /* of the package: "sha512-..." */
    const char *folder;        /* in the package, of src/parser.c; "" for its top */
    const char *symbol;        /* the function that gives the language */
    bool large;                /* compiled with less optimisation, which is slow enough */
    const pare_pack_pin *pins; /* of a model: its packages, ended by one without a name; in the
                                   order of the names and versions in `info`.  NULL: it is a
                                   language, and the four above are its own */
} pare_pack;

/* Sorted by name; NULL after the last. */
const pare_pack *pare_packs_at(size_t index);

/* By name or alias; NULL when there is none. */
const pare_pack *pare_packs_find(const char *name);

#endif
