/* What is reduced: a file, bytes in memory, several files or folders, and the words of a
 * command. */
#ifndef PARE_INPUT_H
#define PARE_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include <pare/switch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero value of each member: the default. */
typedef struct pare_input_options {
    /* A file, or bytes in memory with a name for the candidate's file. */
    const char *path; /* a folder, too: see paths */
    const void *bytes;
    size_t size_bytes;
    const char *name; /* default "input" */

    /* Several files, or folders with all that is in them, of different base names, instead of
     * the above.  Candidates have them under these names; their paths, in this order, are
     * the last arguments of the test.  The output is a folder: what is left of the one
     * folder that was given, or else one that holds what is left of each.  Links stay links;
     * what is neither file, link nor folder is left out. */
    const char *const *paths;
    size_t n_paths;

    /* Of several files: globs (fnmatch(3)) of files that stay as they are, and of those
     * that are reduced while all others stay.  A glob is compared with the path below what
     * was given, with the last part of it, and so with the folders above. */
    const char *const *keep_files;
    size_t n_keep_files;
    const char *const *only_files;
    size_t n_only_files;

    /* What stays: text that one of these regular expressions (Perl's, by PCRE2; ^ and $ at
     * lines) matches in the input, besides what stands between lines with pare:keep-begin
     * and pare:keep-end. */
    const char *const *protect;
    size_t n_protect;

    /* With a test command: the input is the choices of this command, which gets them as standard
     * input (or as a file, where "@@" stands) and prints the text that is tested; "@@" or
     * "@@.EXT" in the test is the text's path, else its last argument is.  Algorithm "choices" is
     * made for it.  Where the input is a file that pare_record has made, the command gets its
     * choices as its randomness; then the text is what is reduced, and the result. */
    const char *generator;

    /* PARE_ON: the arguments of test.program, the variables of its environment are reduced too.
     * Words with "@@" stay as they are, words that name paths stay or go; PATH, HOME, PWD,
     * TMPDIR, TMP, TEMP and PARE_... stay.  Other commands of `keep` see all variables. */
    pare_switch reduce_arguments, reduce_environment;

    uint64_t reserved[8]; /* zero; room for later members */
} pare_input_options;

#ifdef __cplusplus
}
#endif

#endif
