/* What a program missed in the private directory, found in what it printed.
 *
 * Tests run where nothing lies but the candidate.  A header, a module or a data file beside the
 * input is not found there, and the program says so, in one of a few phrases that shells, libraries,
 * compilers and interpreters share.  A word of such a line that may be a name is looked for in the
 * folders that the command names by a relative path, in that of the input, and in the user's; the
 * first that is there is what was meant.  Nothing is run, read or copied for it: folders can be
 * reduced as they are, so the command that does that is the answer. */
#include "session/test/missed_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "os/file.h"
#include "run/command.h"
#include "session/read_input.h"

/* Whether a line says that something is missing, as shells, libraries, compilers and interpreters do. */
static bool says_missing(const char *line)
{
    static const char *const phrases[] = {
        "not found",        "no such file",   "can't open",        "cannot open",
        "could not open",   "couldn't open",  "unable to open",    "failed to open",
        "failed opening",   "cannot find",    "can't find",        "cannot access",
        "not exist",        "cannot execute", "permission denied", "no module named",
        "cannot load such", "can't locate",   "cannot load",       "could not read",
        "couldn't read",    "failed to load", "could not load",    "cannot read",
        "can't read"};
    for (size_t k = 0; k < sizeof phrases / sizeof *phrases; k++)
        if (strcasestr(line, phrases[k])) return true;
    return false;
}

/* Whether a line of `printed` that says that something is missing names `name`. */
bool pare_missed_files_include(const char *printed, const char *name)
{
    /* Line by line, since the name and the phrase have to stand in one sentence. */
    for (const char *line = printed; *line;) {
        size_t size = strcspn(line, "\n");
        char *copy = pare_alloc_text(line, size);
        bool names = copy && says_missing(copy) && strstr(copy, name);
        pare_alloc_free(copy);
        if (names) return true;
        line += size + (line[size] == '\n');
    }
    return false;
}

/* ---- what is missed, and where it lies ---------------------------------------------- */

/* Whether `folder` holds `word`: as it is, as a module of the input's language ("helper" is helper.py), or
 * as one with dots for its folders. */
static bool holds(const char *folder, const char *word, const char *extension)
{
    char path[PATH_MAX], dotted[PARE_MISSED_FILES_WORD_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, word);
    if (pare_file_exists(path)) return true;
    (void)snprintf(path, sizeof path, "%s/%s%s", folder, word, extension);
    if (*extension && pare_file_is_regular(path)) return true;
    (void)snprintf(dotted, sizeof dotted, "%s", word);
    for (char *dot = dotted; (dot = strchr(dot, '.')) != NULL;)
        *dot = '/';
    (void)snprintf(path, sizeof path, "%s/%s", folder, dotted);
    if (pare_file_exists(path)) return true;
    (void)snprintf(path, sizeof path, "%s/%s%s", folder, dotted, extension);
    return *extension && pare_file_is_regular(path);
}

/* Looks for what was missed in the folders that the command names by a relative path: "-Iinclude". */
static bool find_in_words(pare_missed_file *missed, const pare_test_options *test)
{
    char whole[PATH_MAX - 2];
    for (size_t k = 0; k < test->n_program; k++) {
        pare_command_part part = pare_command_next_part(test->program[k]);
        for (; part.size; part = pare_command_next_part(part.start + part.size)) {
            if (part.size >= sizeof missed->part) continue;
            memcpy(missed->part, part.start, part.size);
            missed->part[part.size] = '\0';
            /* A letter of an option may stand before the path. */
            const size_t before = *missed->part == '-' && part.size > 2 ? 2 : 0;
            const char *folder = missed->part + before;
            if (*folder == '/' || !realpath(folder, whole)) continue;
            if (!holds(folder, missed->word, "")) continue;
            (void)snprintf(missed->whole, sizeof missed->whole, "%.*s%s", (int)before, missed->part,
                           whole);
            return true;
        }
    }
    *missed->part = '\0';
    return false;
}

/* Whether the word at `at` of a line, `size` long, may be a name, and not a word of the sentence: it is
 * quoted, looks like a path, or has a colon behind it, as perror(3) writes one. */
static bool may_be_name(const char *line, size_t at, size_t size)
{
    const char behind = line[at + size];
    if (at > 0 && strchr("'\"`", line[at - 1]) && behind && strchr("'\"`", behind)) return true;
    return memchr(line + at, '.', size) || memchr(line + at, '/', size) || behind == ':' ||
           (unsigned char)line[at] >= 0x80;
}

/* Takes one word of a line that says that something is missing; false: it names nothing that is there. */
static bool take_word(pare_missed_file *missed, const pare_test_options *test, const char *start,
                      size_t size)
{
    while (size && start[size - 1] == '.')
        size--;
    if (!size || size >= sizeof missed->word) return false;
    memcpy(missed->word, start, size);
    missed->word[size] = '\0';
    /* Curly quotes are bytes beyond ASCII, and no part of a name. */
    static const char open[] = "\xe2\x80\x98", shut[] = "\xe2\x80\x99";
    char *name = missed->word;
    if (strncmp(name, open, strlen(open)) == 0) name += strlen(open);
    char *end = strstr(name, shut);
    if (end) *end = '\0';
    /* A path into the private directory is that of something beside the candidate. */
    if (*name == '/') name = (char *)pare_file_base_name(name);
    if (strncmp(name, "./", 2) == 0) name += 2;
    memmove(missed->word, name, strlen(name) + 1);
    if (!missed->word[strspn(missed->word, "./-")]) return false;
    if (strcmp(pare_file_base_name(missed->word), missed->input) == 0) return false;
    /* Messages begin with the name of the program, which may lie here, too. */
    if (strcmp(missed->word, pare_file_base_name(test->program[0])) == 0) return false;
    if (find_in_words(missed, test)) return true;
    missed->is_beside = holds(missed->folder, missed->word, missed->extension);
    missed->is_here = holds(".", missed->word, missed->extension);
    return missed->is_beside || missed->is_here;
}

/* Looks through what was printed, line by line and word by word, until one of them names what is there. */
static bool look_through(pare_missed_file *missed, const pare_test_options *test,
                         const char *printed)
{
    bool is_found = false;
    for (const char *text = printed; *text && !is_found;) {
        const size_t size = strcspn(text, "\n");
        char *line = pare_alloc_text(text, size);
        const bool says = line && says_missing(line);
        for (size_t at = 0, end; says && at < size && !is_found; at = end + 1) {
            end = at;
            while (pare_command_is_path_character(line[end]))
                end++;
            if (end > at && may_be_name(line, at, end - at))
                is_found = take_word(missed, test, line + at, end - at);
        }
        pare_alloc_free(line);
        text += size + (text[size] == '\n');
    }
    return is_found;
}

/* Of a folder, of several inputs and of texts of a program nothing lies beside the candidate. */
bool pare_missed_files_find(pare_missed_file *missed, const pare_input_options *input,
                            const pare_test_options *test, const char *printed)
{
    struct stat about;
    *missed = (pare_missed_file){.input = pare_read_input_base_name(input), .folder = "."};
    if (!input->path || input->n_paths || stat(input->path, &about) || !S_ISREG(about.st_mode))
        return false;
    const char *dot = strrchr(missed->input, '.');
    missed->extension = dot ? dot : "";
    const char *slash = strrchr(input->path, '/');
    if (slash)
        (void)snprintf(missed->folder, sizeof missed->folder, "%.*s",
                       slash == input->path ? 1 : (int)(slash - input->path), input->path);
    return look_through(missed, test, printed);
}

/* ---- the command that is right ---------------------------------------------------- */

/* Appends the words of the program with `name` for the candidate, as a shell reads them; a command line of
 * one word is one already. */
static pare_status add_words(pare_buffer *text, const pare_test_options *test, const char *name,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    pare_buffer word = {0};
    const bool is_line = test->n_program == 1 && strchr(test->program[0], ' ');
    for (size_t k = 0; k < test->n_program && !status; k++) {
        pare_buffer_reset(&word);
        status = pare_buffer_text(text, " ", err);
        if (!status) status = pare_command_fill_marks(test->program[k], name, &word, err);
        if (!status)
            status = is_line ? pare_buffer_text(text, word.data, err)
                             : pare_command_quote(text, word.data ? word.data : "", word.size, err);
    }
    pare_buffer_done(&word);
    return status;
}

/* Appends the command that reduces the input in the folder of the user, in which the program then runs. */
static pare_status write_here(const pare_input_options *input, const pare_test_options *test,
                              pare_buffer *text, pare_error *err)
{
    char whole[PATH_MAX];
    pare_buffer line = {0};
    const char *name = strncmp(input->path, "./", 2) == 0 ? input->path + 2 : input->path;
    if (!realpath(".", whole)) return PARE_OK; /* it went away */
    bool is_named = false;
    for (size_t k = 0; k < test->n_program; k++)
        is_named = is_named || strstr(test->program[k], "@@") || strstr(test->program[k], name);
    pare_status status = pare_buffer_text(text, "pare reduce ../", err);
    if (!status)
        status = pare_command_quote(text, pare_file_base_name(whole),
                                    strlen(pare_file_base_name(whole)), err);
    if (!status) status = pare_buffer_text(text, " --only ", err);
    if (!status) status = pare_command_quote(text, name, strlen(name), err);
    if (!status) status = pare_buffer_text(&line, "cd @@ &&", err);
    if (!status) status = add_words(&line, test, name, err);
    if (!status && !is_named) status = pare_buffer_text(&line, " < ", err);
    if (!status && !is_named) status = pare_command_quote(&line, name, strlen(name), err);
    if (!status) status = pare_buffer_text(text, " -- ", err);
    if (!status) status = pare_command_quote(text, line.data, line.size, err);
    pare_buffer_done(&line);
    return status;
}

/* Appends the command that reduces the input in its folder, of which the program is given the file. */
static pare_status write_beside(const pare_missed_file *missed, const pare_test_options *test,
                                pare_buffer *text, pare_error *err)
{
    pare_buffer mark = {0};
    pare_status status = pare_buffer_format(&mark, err, "@@/%s", missed->input);
    if (!status) status = pare_buffer_text(text, "pare reduce ", err);
    if (!status) status = pare_command_quote(text, missed->folder, strlen(missed->folder), err);
    if (!status) status = pare_buffer_text(text, " --only ", err);
    if (!status) status = pare_command_quote(text, missed->input, strlen(missed->input), err);
    if (!status) status = pare_buffer_text(text, " --", err);
    if (!status) status = add_words(text, test, mark.data, err);
    pare_buffer_done(&mark);
    return status;
}

/* Where the user is, the program runs as it was typed. */
pare_status pare_missed_files_write_command(const pare_missed_file *missed,
                                            const pare_input_options *input,
                                            const pare_test_options *test, pare_buffer *text,
                                            pare_error *err)
{
    const bool is_above = *input->path == '/' || strncmp(input->path, "..", 2) == 0;
    return missed->is_here && !is_above ? write_here(input, test, text, err)
                                        : write_beside(missed, test, text, err);
}
