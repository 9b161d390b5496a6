/* Finds the store: the one that --store names, or the only one in this folder.
 *
 * A campaign's store is in the folder where the campaign was started, and most users look at it
 * from there.  With two stores in a folder, guessing could show or change the wrong one, so both
 * are named and nothing is done. */
#include "cli/store_choice.h"

#include <assert.h>
#include <glob.h>
#include <string.h>

#include "base/alloc.h"
#include "ui/format.h"

/* Of a path in a message. */
enum { SHOWN_BYTES = 200 };

/* Takes the only store that matched.  Of several two are named, which is enough to see
 * what to choose from. */
static pare_status pick(const glob_t *found, char **path, pare_error *err)
{
    char first[SHOWN_BYTES], second[SHOWN_BYTES];
    assert(found->gl_pathc > 0);
    if (found->gl_pathc > 1)
        return pare_fail(
            err, PARE_E_ARG,
            "there are several stores here, such as %s and %s: choose one with --store FILE",
            pare_format_name(first, sizeof first, found->gl_pathv[0]),
            pare_format_name(second, sizeof second, found->gl_pathv[1]));
    *path = pare_alloc_text(found->gl_pathv[0], strlen(found->gl_pathv[0]));
    return *path ? PARE_OK : pare_fail_nomem(err);
}

/* What is given is taken as it is: whether it is a store is found when it is opened. */
pare_status pare_store_choice_read(const pare_arguments *arguments, size_t option, char **path,
                                   pare_error *err)
{
    const char *given = arguments->values[option].text;
    glob_t found = {0};
    if (given) {
        *path = pare_alloc_text(given, strlen(given));
        return *path ? PARE_OK : pare_fail_nomem(err);
    }
    /* In the order of names, as a shell lists them, so that two are the first two that
     * a user sees. */
    int result = glob("*.pare.db", 0, NULL, &found);
    pare_status status =
        result == GLOB_NOSPACE   ? pare_fail_nomem(err)
        : result == GLOB_ABORTED ? pare_fail(err, PARE_E_IO, "cannot read the current folder")
        : result ? pare_fail(err, PARE_E_ARG, "there is no store here: name one with --store FILE")
                 : pick(&found, path, err);
    globfree(&found);
    return status;
}

/* Never makes a store: commands that look at one would show an empty one for a slip in
 * its name. */
pare_status pare_store_choice_open(const pare_arguments *arguments, size_t option,
                                   pare_store **store, pare_error *err)
{
    char *path = NULL;
    pare_status status = pare_store_choice_read(arguments, option, &path, err);
    if (!status) status = pare_store_open(path, false, store, err);
    pare_alloc_free(path);
    return status;
}

/* Reads the number of a finding.  People write numbers as trackers do, so "#3" is 3,
 * too; 0 is none. */
pare_status pare_store_choice_id(const char *word, int64_t *id, pare_error *err)
{
    char shown[SHOWN_BYTES];
    uint64_t number = 0;
    if (!pare_options_read_whole(word + (*word == '#'), &number) || !number || number > INT64_MAX)
        return pare_fail(err, PARE_E_ARG, "'%s' is not the number of a finding",
                         pare_format_name(shown, sizeof shown, word));
    *id = (int64_t)number;
    return PARE_OK;
}
