/* Languages: parsers made by tree-sitter, which come with pare or are added one by one.
 *
 * pare knows which package of the npm registry holds the parser of each language below,
 * in which version, and what the package's SHA-512 has to be.  Adding a language fetches
 * that package through npm, checks it, and compiles the parser with the C compiler; its
 * own scripts are not run.  A language is there as a whole or not at all, also when
 * adding it is killed.  Models of what to generate, such as "web", are added likewise: a
 * grammar and its weights are made of their packages.
 *
 * Each language has a folder called like it.  A user's are in "languages" in the data folder,
 * which is $PARE_DATA, else $XDG_DATA_HOME/pare, else ~/.local/share/pare.  Those of the
 * system, which every user has, are in the folders that $PARE_LANGUAGE_PATH lists, separated
 * by colons; where it is not set, in "languages" beside the program that runs (those built
 * with it), in ../lib/pare from there, in /usr/local/lib/pare, and where pare was installed.
 * The first in this order that can be read is used, the user's before all others. */
#ifndef PARE_LANGUAGE_H
#define PARE_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/status.h>
#include <pare/stop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What pare knows about a language, added or not.  Static. */
typedef struct pare_language_info {
    const char *name;       /* as given to --lang: "c" */
    const char *aliases;    /* other names, separated by blanks; may be empty */
    const char *extensions; /* of file names, without the dot, separated by blanks */
    const char *package;    /* of the npm registry; of a model several, separated by blanks */
    const char *version;    /* the one that is added; of a model one for each package */
    bool is_model;          /* no language to parse: for pare_generate_options.model */
} pare_language_info;

/* Entry `index` of the table, sorted by name; NULL after the last. */
PARE_API const pare_language_info *pare_language_at(size_t index);

/* The language called `name`, which may be an alias, or NULL. */
PARE_API const pare_language_info *pare_language_find(const char *name);

/* The language in which the file `path` is written, judged by its name (Makefile) or its
 * extension, or NULL.  An extension that differs in case only is taken when no other fits. */
PARE_API const pare_language_info *pare_language_for_file(const char *path);

enum { PARE_LANGUAGE_PATH_BYTES = 4096 };

/* Whose a language is. */
typedef enum pare_language_origin {
    PARE_LANGUAGE_USER,  /* in the user's data folder */
    PARE_LANGUAGE_SYSTEM /* came with pare, or was added for all users */
} pare_language_origin;

/* What is there of one language. */
typedef struct pare_language_state {
    bool added;
    char path[PARE_LANGUAGE_PATH_BYTES]; /* its folder; the user's, if it is not there */
    char version[32];                    /* that was added */
    bool up_to_date;                     /* that is the version of the table */
    unsigned abi;     /* version of the parser's tables; of a model, of its form */
    char licence[64]; /* of a model: what its packages' package.json say; they have no file */
    pare_language_origin origin;
} pare_language_state;

/* Fills *state for the language `name`: the first of its folders that can be read.
 * Errors: PARE_E_ARG (no such language), PARE_E_STATE (there is no language, and no data folder
 * in which it could be), PARE_E_CORRUPT (it is there, but its record is damaged, or it is for
 * another version of tree-sitter), PARE_E_IO (it is there, but may not be read), PARE_E_LIMIT
 * (the path is too long), PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_language_inspect(const char *name, pare_language_state *state,
                                                      pare_error *err);

/* Adds the language `name` for the user, or replaces it when it is there.  Takes seconds;
 * waits for another process that is adding one.  Who may read it is up to the umask.
 * Errors: PARE_E_ARG (no such language), PARE_E_STATE (npm, tar or a C compiler is
 * missing; there is no data folder), PARE_E_IO (npm cannot fetch the package; the system
 * refused), PARE_E_CORRUPT (the package is not the one it should be), PARE_E_UNSUPPORTED
 * (it does not compile or load; this library was built without tree-sitter),
 * PARE_E_NOMEM.  Nothing has changed then. */
PARE_API PARE_CHECK pare_status pare_language_add(const char *name, pare_error *err);

/* The same for whom `origin` says: PARE_LANGUAGE_SYSTEM puts it in the first folder of
 * $PARE_LANGUAGE_PATH, else in /usr/local/lib/pare/languages. */
PARE_API PARE_CHECK pare_status pare_language_add_for(const char *name, pare_language_origin origin,
                                                      pare_error *err);

/* The same until `stop` (may be NULL) is requested: then the programs that it runs are ended and what
 * it had made is removed.  Errors: also PARE_E_INTERRUPTED. */
PARE_API PARE_CHECK pare_status pare_language_add_until(const char *name,
                                                        pare_language_origin origin,
                                                        const pare_stop *stop, pare_error *err);

/* Removes the language `name` from where pare_language_add puts it.
 * Errors: PARE_E_ARG (no such language), PARE_E_STATE (it is not there), PARE_E_IO,
 * PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_language_remove(const char *name, pare_error *err);

/* The same from where pare_language_add_for puts it. */
PARE_API PARE_CHECK pare_status pare_language_remove_for(const char *name,
                                                         pare_language_origin origin,
                                                         pare_error *err);

/* Whether this library was built with tree-sitter: without it no language can be used. */
PARE_API bool pare_language_supported(void);

#ifdef __cplusplus
}
#endif

#endif
