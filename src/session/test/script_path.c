/* Relative paths in test scripts and in texts of a shell.
 *
 * Nothing is known of a script but that it passes on the input.  So every run of characters that paths are
 * written with counts, line by line, if something is there seen from the user's directory and would not be found
 * otherwise: the candidate is found, a program in PATH is, and after a "cd" nothing can be told.  It is a guess, and
 * only told; nothing is run otherwise because of it. */
#include "session/test/script_path.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/file.h"
#include "session/test/missed_files.h"

/* Larger files are no scripts. */
enum { SCRIPT_BYTES = 1 << 20 };

/* A text that is looked through. */
struct search {
    pare_names inputs;
    pare_buffer *word, *path;
};

/* Whether the first part of `word` is what a candidate is called. */
static bool is_input(pare_names inputs, const char *word)
{
    /* "./in.c" is the candidate as "in.c" is. */
    if (strncmp(word, "./", 2) == 0) word += 2;
    size_t size = strcspn(word, "/");
    /* Each of the inputs is in the private directory, so it is found there. */
    for (size_t i = 0; i < inputs.n; i++)
        if (strlen(inputs.items[i]) == size && strncmp(inputs.items[i], word, size) == 0)
            return true;
    return false;
}

/* Whether a program of this name would be found without the file beside it. */
static bool is_program(const char *name)
{
    const char *path = getenv("PATH");
    pare_buffer whole = {0};
    bool found = false;
    /* Looks as execvp(3) does: in one folder of PATH after the other. */
    while (path && *path && !found) {
        size_t size = strcspn(path, ":");
        pare_buffer_reset(&whole);
        found = size && !pare_buffer_format(&whole, NULL, "%.*s/%s", (int)size, path, name) &&
                access(whole.data, X_OK) == 0;
        path += size + (path[size] == ':');
    }
    pare_buffer_done(&whole);
    return found;
}

/* Whether `word` means something that is beside the user and not beside the candidate. */
static bool is_meant(const struct search *search, const char *word)
{
    /* Not a relative path: an absolute one, an option, or only dots and slashes. */
    if (*word == '/' || *word == '-' || !word[strspn(word, "./")]) return false;
    if (is_input(search->inputs, word) || !pare_file_exists(word)) return false;
    /* A bare word is more likely a command: "test" may also be a file beside the user. */
    return strchr(word, '/') || (pare_file_is_regular(word) && !is_program(word));
}

/* Notes the word as it is written, and the whole path that it means. */
static pare_status found(struct search *search, const char *word, pare_error *err)
{
    char whole[PATH_MAX];
    pare_status status = pare_buffer_text(search->word, word, err);
    if (!status) status = pare_buffer_text(search->path, realpath(word, whole) ? whole : word, err);
    return status;
}

/* Looks through one line. */
static pare_status look_at_line(struct search *search, const char *line, size_t size,
                                pare_error *err)
{
    char word[PARE_MISSED_FILES_WORD_BYTES];
    for (size_t at = 0, end; at < size; at = end + 1) {
        end = at;
        while (end < size && pare_command_is_path_character(line[end]))
            end++;
        /* Behind these a name, or the rest of a path that begins with a variable. */
        bool is_rest = at > 0 && strchr("$}{~", line[at - 1]);
        if (end == at || end - at >= sizeof word || is_rest) continue;
        memcpy(word, line + at, end - at);
        word[end - at] = '\0';
        if (is_meant(search, word)) return found(search, word, err);
    }
    return PARE_OK;
}

/* Whether the line changes the directory that relative paths are seen from. */
static bool changes_directory(const char *line, size_t size)
{
    static const char *const words[] = {"cd", "pushd", "chdir", "os.chdir"};
    for (size_t at = 0, end; at < size; at = end + 1) {
        end = at;
        while (end < size && pare_command_is_path_character(line[end]))
            end++;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (end - at == strlen(words[k]) && strncmp(line + at, words[k], end - at) == 0)
                return true;
    }
    return false;
}

/* Looks through a text line by line, up to a line that changes the directory: after that
 * relative paths mean something else. */
static pare_status look_at(struct search *search, const char *text, pare_error *err)
{
    pare_status status = PARE_OK;
    while (*text && !status && !search->word->size) {
        size_t size = strcspn(text, "\n"), blanks = strspn(text, " \t");
        bool comment = text[blanks] == '#';
        /* From here on a relative path may mean something in another directory. */
        if (!comment && changes_directory(text, size)) break;
        if (!comment) status = look_at_line(search, text, size, err);
        text += size + (text[size] == '\n');
    }
    return status;
}

/* Looks through the script `path`, if it is one. */
static pare_status look_at_script(struct search *search, const char *path, pare_error *err)
{
    struct stat about;
    pare_buffer text = {0};
    if (*path != '/' || stat(path, &about) || !S_ISREG(about.st_mode)) return PARE_OK;
    if (about.st_size > SCRIPT_BYTES) return PARE_OK;
    pare_status status = pare_file_read(path, &text, NULL);
    /* A NUL byte tells a program from a script. */
    const bool is_text = !status && text.size && !memchr(text.data, '\0', text.size);
    if (is_text)
        status = look_at(search, text.data, err);
    else if (status == PARE_E_NOMEM)
        (void)pare_fail_nomem(err);
    else
        status = PARE_OK; /* what cannot be read tells nothing */
    pare_buffer_done(&text);
    return status;
}

/* In a shell's text, looks through the whole text; in a command line, through each script that it
 * names. The first path found ends the search. */
pare_status pare_script_path_find(const pare_command *command, pare_names inputs, pare_buffer *word,
                                  pare_buffer *path, pare_error *err)
{
    struct search search = {.inputs = inputs, .word = word, .path = path};
    enum { TEXT = 3 }; /* of the words of a shell */
    pare_status status = PARE_OK;
    if (command->is_shell)
        return command->n_words > TEXT ? look_at(&search, command->words[TEXT], err) : PARE_OK;
    for (size_t k = 1; k < command->n_words && !status && !word->size; k++)
        status = look_at_script(&search, command->words[k], err);
    return status;
}
