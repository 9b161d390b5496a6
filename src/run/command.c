/* From what the user wrote to what is executed: words, the program's path, files made
 * absolute, and where the candidate goes.
 *
 * A text is one of three things, in this order: the path of an existing file, which is the
 * test itself (its name may hold blanks); a command line of words alone, which is executed
 * directly; anything else, which is given to /bin/sh as it is.  Direct execution
 * saves the start of a shell for each test.
 *
 * A command's identity is a digest of its words and of the files that they name: a journal of
 * another test must not be believed, and a script that was edited is another test.  Inputs are
 * left out of it, for they are what changes.
 *
 * Marks ("@@", "@@.EXT") are looked for in words, not in the text, so that quoting does not
 * matter.  Invariant of a pare_command: words[0] is "/bin/sh", words[1] an absolute path, and
 * NULL follows the last.
 *
 * Source: AFL for "@@" and for standard input without it. */

#include "run/command.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/vector.h"
#include "os/executable.h"
#include "os/file.h"

/* ---- words --------------------------------------------------------------------------
 *
 * A small machine over the text reads what sh(1) would make of it as long as that is words alone:
 * blanks between them, and the three ways of quoting.  At the first unquoted character that means
 * anything else to a shell it only notes that: such a text is given to a shell as it is, and its
 * words are of no use then.  So nothing is expanded here, and nothing is done half.
 *
 * Invariant: a text for which `shell` stays false is split into the same words by /bin/sh.
 * Source: POSIX, Shell Command Language, 2.2 (quoting) and 2.3 (tokens). */

/* The words of a command. Each is an allocation of its own, so that a single one can be replaced by
 * an absolute path. All-zero is the empty list. */
struct words {
    char **word; /* owned, each too; NULL after the last */
    size_t n, capacity;
    bool shell; /* there is syntax that only a shell understands */
};

/* Appends a copy, so that the list owns all its words alike.  There is always room for the NULL
 * after the last, which execve wants. */
static pare_status add_word(struct words *words, const char *text, pare_error *err)
{
    char **word = pare_vector_reserve(words->word, &words->capacity, words->n + 2, sizeof *word);
    if (!word) return pare_fail_nomem(err);
    words->word = word;
    char *copy = pare_alloc_text(text, strlen(text));
    if (!copy) return pare_fail_nomem(err);
    words->word[words->n++] = copy;
    assert(words->n < words->capacity);
    words->word[words->n] = NULL;
    return PARE_OK;
}

/* The old word is released only when there is a new one. */
static pare_status set_word(struct words *words, size_t k, const char *text, pare_error *err)
{
    char *copy = pare_alloc_text(text, strlen(text));
    if (!copy) return pare_fail_nomem(err);
    pare_alloc_free(words->word[k]);
    words->word[k] = copy;
    return PARE_OK;
}

/* All-zero is a no-op; so is a list whose words were moved elsewhere. */
static void words_done(struct words *words)
{
    for (size_t k = 0; k < words->n; k++)
        pare_alloc_free(words->word[k]);
    pare_alloc_free(words->word);
    *words = (struct words){0};
}

/* Reads '...' from after its first quote. Returns what follows the closing quote; NULL: it is
 * missing. */
static const char *single_quoted(const char *at, pare_buffer *word, pare_status *status,
                                 pare_error *err)
{
    const char *end = strchr(at, '\'');
    if (!end) return NULL;
    *status = pare_buffer_add(word, at, (size_t)(end - at), err);
    return end + 1;
}

/* The same for "...", where a backslash quotes some characters, and $ and ` expand. A backslash
 * before any other character stays. */
static const char *double_quoted(const char *at, pare_buffer *word, bool *shell,
                                 pare_status *status, pare_error *err)
{
    for (; *at && *at != '"' && !*status; at++) {
        if (*at == '$' || *at == '`') *shell = true;
        if (*at == '\\' && at[1] && strchr("$`\"\\", at[1])) at++;
        *status = pare_buffer_add(word, at, 1, err);
    }
    return *at || *status ? at + 1 : NULL;
}

/* Whether `c` means something to a shell where it stands unquoted; some signs only do at the
 * beginning of a word. */
static bool is_syntax(char c, bool starts_word)
{
    return strchr("|&;<>()$`*?[\n", c) || (starts_word && strchr("#~", c));
}

/* Reads one word, of quoted and unquoted parts with no blank between them; returns what follows
 * it.  *shell is set if a shell would do more with it than take it; what is in *word then does not
 * matter.  On failure *status says why, and the result is of no use. */
static const char *read_word(const char *at, pare_buffer *word, bool *shell, pare_status *status,
                             pare_error *err)
{
    const char *start = at;
    while (!*status && at && *at && !strchr(" \t\n", *at)) {
        if (*at == '\'') {
            at = single_quoted(at + 1, word, status, err);
        } else if (*at == '"') {
            at = double_quoted(at + 1, word, shell, status, err);
        } else if (*at == '\\') {
            if (!at[1])
                *status = pare_fail(err, PARE_E_ARG, "the test command ends in a backslash");
            else
                *status = pare_buffer_add(word, at + 1, 1, err);
            at += 2;
        } else {
            if (is_syntax(*at, at == start)) *shell = true;
            *status = pare_buffer_add(word, at, 1, err);
            at++;
        }
    }
    if (!*status && !at)
        *status =
            pare_fail(err, PARE_E_ARG, "a quote in the test command is not closed: %s", start);
    return at;
}

/* Whether the text begins with the word "!", unquoted. */
static bool is_negation(const char *text)
{
    return *text == '!' && (!text[1] || strchr(" \t\n", text[1]));
}

/* Writes `text` to *joined without the line ends that a backslash quotes, and without these
 * backslashes: to a shell they are not there, wherever they stand but in '...'.  It is done before
 * words are looked for, because such a line end may stand between words or in one. */
static pare_status join_lines(const char *text, pare_buffer *joined, pare_error *err)
{
    pare_status status = pare_buffer_text(joined, "", err);
    char quote = '\0';
    while (*text && !status) {
        const bool is_escape = *text == '\\' && quote != '\'' && text[1];
        const size_t n = is_escape ? 2 : 1;
        if (!is_escape && (*text == '\'' || *text == '"') && (!quote || quote == *text))
            quote = quote ? '\0' : *text;
        if (!is_escape || text[1] != '\n') status = pare_buffer_add(joined, text, n, err);
        text += n;
    }
    return status;
}

/* Splits `text` at blanks.  A word may be empty, if it was quoted: ''.  A line end within the text
 * separates commands, as does a first word "!" negate one: both need a shell.
 * Errors: PARE_E_ARG (a quote is not closed, a backslash at the end), PARE_E_NOMEM; *words is to be
 * done in any case. */
static pare_status split(struct words *words, const char *text, pare_error *err)
{
    pare_buffer word = {0}, joined = {0};
    pare_status status = join_lines(text, &joined, err);
    text = joined.data;
    while (!status) {
        text += strspn(text, " \t");
        if (*text == '\n') words->shell = true;
        text += strspn(text, " \t\n");
        if (!*text) break;
        pare_buffer_reset(&word);
        if (!words->n && is_negation(text)) words->shell = true;
        text = read_word(text, &word, &words->shell, &status, err);
        if (!status) status = add_word(words, word.data ? word.data : "", err);
    }
    pare_buffer_done(&word);
    pare_buffer_done(&joined);
    return status;
}

/* A shell's text stays whole: its words would be of no use. */
pare_status pare_command_split(const char *text, char ***split_words, size_t *n, bool *is_shell,
                               pare_error *err)
{
    struct words words = {0};
    pare_status status = split(&words, text, err);
    if (is_shell) *is_shell = words.shell;
    if (!status && words.shell) {
        words_done(&words);
        status = add_word(&words, text, err);
    }
    if (!status && !words.n) status = pare_fail(err, PARE_E_ARG, "the command is empty");
    if (status) {
        words_done(&words);
        return status;
    }
    *split_words = words.word;
    *n = words.n;
    return PARE_OK;
}

/* ---- quoting ---------------------------------------------------------------------- */

/* Within apostrophes nothing means anything to a shell but an apostrophe, which cannot be quoted
 * there: it ends the quotation, is quoted by a backslash, and another quotation begins. */
pare_status pare_command_escape(pare_buffer *text, const char *word, size_t size, pare_error *err)
{
    pare_status status = PARE_OK;
    for (const char *end = word + size; word < end && !status;) {
        const char *apostrophe = memchr(word, '\'', (size_t)(end - word));
        const char *stop = apostrophe ? apostrophe : end;
        status = pare_buffer_add(text, word, (size_t)(stop - word), err);
        if (!status && apostrophe) status = pare_buffer_text(text, "'\\''", err);
        word = apostrophe ? stop + 1 : stop;
    }
    return status;
}

/* Plain words stay as they are, for the user to read. */
pare_status pare_command_quote(pare_buffer *text, const char *word, size_t size, pare_error *err)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%_+=:,./-";
    if (size && strspn(word, plain) >= size) return pare_buffer_add(text, word, size, err);
    pare_status status = pare_buffer_text(text, "'", err);
    if (!status) status = pare_command_escape(text, word, size, err);
    return status ? status : pare_buffer_text(text, "'", err);
}

/* ---- marks: where the candidate goes ---------------------------------------------------- */

static const char MARK[] = "@@";
enum { MARK_BYTES = sizeof MARK - 1 };

/* Of three in a row the first belongs to the program, as in "curl -d @@@", where "@PATH" is what a file
 * holds. */
const char *pare_command_find_mark(const char *word)
{
    const char *mark = strstr(word, MARK);
    return mark && strspn(mark, "@") % MARK_BYTES ? mark + 1 : mark;
}

/* Anywhere in the word, as in "--in=@@". */
bool pare_command_is_marked(const char *word)
{
    return pare_command_find_mark(word) != NULL;
}

/* Bytes of the suffix, with its dot, after a mark: ".c", ".tar.gz"; 0: none. */
static size_t suffix_size(const char *at)
{
    size_t size = 0;
    while (at[size] == '.' && isalnum((unsigned char)at[size + 1]))
        for (size++; isalnum((unsigned char)at[size]) || at[size] == '_'; size++)
            continue;
    return size;
}

/* Notes the suffix after each mark of `word` in *suffix (NULL: none yet), all of which have to
 * be one, also over several calls. */
static pare_status find_suffix(const char *word, const char **suffix, size_t *size, pare_error *err)
{
    for (const char *at = word; (at = pare_command_find_mark(at)) != NULL;) {
        at += MARK_BYTES;
        size_t n = suffix_size(at);
        if (!n) continue;
        if (*suffix && (n != *size || memcmp(at, *suffix, n) != 0))
            return pare_fail(err, PARE_E_ARG,
                             "the candidate cannot be both '@@%.*s' and '@@%.*s': it is one file",
                             (int)*size, *suffix, (int)n, at);
        *suffix = at;
        *size = n;
    }
    return PARE_OK;
}

/* A name that begins with its only dot has no suffix to replace: the suffix is added. */
pare_status pare_command_name_file(const char *const *words, size_t n_words, const char *base_name,
                                   pare_buffer *name, pare_error *err)
{
    const char *suffix = NULL;
    size_t size = 0;
    pare_status status = PARE_OK;
    for (size_t k = 0; k < n_words && !status; k++)
        status = find_suffix(words[k], &suffix, &size, err);
    if (status) return status;
    if (!suffix) return pare_buffer_text(name, base_name, err);
    const char *dot = strrchr(base_name, '.');
    size_t stem = dot && dot != base_name ? (size_t)(dot - base_name) : strlen(base_name);
    status = pare_buffer_add(name, base_name, stem, err);
    return status ? status : pare_buffer_add(name, suffix, size, err);
}

pare_status pare_command_refuse_suffix(const char *const *words, size_t n_words, pare_error *err)
{
    const char *suffix = NULL;
    size_t size = 0;
    pare_status status = PARE_OK;
    for (size_t k = 0; k < n_words && !status; k++)
        status = find_suffix(words[k], &suffix, &size, err);
    if (status || !suffix) return status;
    return pare_fail(err, PARE_E_ARG,
                     "'@@%.*s' is for one file: a folder and several files keep their names, so "
                     "write '@@', or a path in the folder: '@@/main%.*s'",
                     (int)size, suffix, (int)size, suffix);
}

/* The suffix after a mark is a part of the mark: the path has it already. */
pare_status pare_command_fill_marks(const char *word, const char *path, pare_buffer *filled,
                                    pare_error *err)
{
    pare_status status = PARE_OK;
    for (const char *mark; !status && (mark = pare_command_find_mark(word)) != NULL;) {
        status = pare_buffer_add(filled, word, (size_t)(mark - word), err);
        if (!status) status = pare_buffer_text(filled, path, err);
        word = mark + MARK_BYTES;
        word += suffix_size(word);
    }
    return status ? status : pare_buffer_text(filled, word, err);
}

/* The error of a first word that no file is found for.  What was most likely meant is said in the
 * same sentence: a file of the current directory without "./", or a variable to set. */
static pare_status fail_not_found(const char *name, pare_error *err)
{
    if (strchr(name, '/')) return pare_fail(err, PARE_E_IO, "%s does not exist", name);
    if (pare_file_is_regular(name))
        return pare_fail(err, PARE_E_IO, "the command %s is not in PATH; for the file write ./%s",
                         name, name);
    const char *equals = strchr(name, '=');
    if (equals && equals != name)
        return pare_fail(err, PARE_E_IO,
                         "the command %s is not found; to set a variable write: "
                         "env %s ...",
                         name, name);
    return pare_fail(err, PARE_E_IO, "the command %s is not found in PATH", name);
}

/* Whether the file `path`, which exists, can be executed. */
static pare_status check_executable(const char *path, pare_error *err)
{
    if (pare_file_is_directory(path))
        return pare_fail(err, PARE_E_IO, "the test %s is a directory; give an executable", path);
    if (access(path, X_OK))
        return pare_fail(err, PARE_E_IO, "the test %s is not executable; make it so: chmod +x %s",
                         path, path);
    return PARE_OK;
}

/* Looks `name`, a word without slash, up in PATH as execvp would, but once and for all tests:
 * their PATH does not change.  *path holds the file if it is *found.
 *
 * Without PATH the usual folders are searched. A folder of the name, or a file that cannot be
 * executed, does not count, as for a shell. */
static pare_status search(const char *name, pare_buffer *path, bool *found, pare_error *err)
{
    const char *places = getenv("PATH");
    if (!places) places = "/usr/local/bin:/usr/bin:/bin";
    *found = false;
    for (const char *end; !*found; places = end + 1) {
        end = strchrnul(places, ':');
        pare_buffer_reset(path);
        /* An empty entry is the current directory. */
        pare_status status = end == places
                                 ? pare_buffer_text(path, ".", err)
                                 : pare_buffer_add(path, places, (size_t)(end - places), err);
        if (!status) status = pare_buffer_format(path, err, "/%s", name);
        if (status) return status;
        *found = pare_file_is_regular(path->data) && !access(path->data, X_OK);
        if (!*end) break;
    }
    return PARE_OK;
}

/* Puts the absolute path of `path` in the place of word `k`. */
static pare_status set_absolute(struct words *words, size_t k, const char *path, pare_error *err)
{
    char *absolute = NULL;
    pare_status status = pare_file_absolute(path, &absolute, err);
    if (!status) status = set_word(words, k, absolute, err);
    pare_alloc_free(absolute);
    return status;
}

/* Makes the first word the absolute path of an executable: tests run in a directory of their own,
 * where neither "./test.sh" nor a relative entry of PATH would lead to the same file. */
static pare_status resolve_program(struct words *words, pare_error *err)
{
    const char *name = words->word[0];
    pare_buffer path = {0};
    bool found = true;
    pare_status status = PARE_OK;
    if (!*name) return pare_fail(err, PARE_E_ARG, "the test command starts with an empty word");
    if (strchr(name, '/')) {
        found = pare_file_exists(name);
        if (found) status = check_executable(name, err);
        if (found && !status) status = set_absolute(words, 0, name, err);
    } else {
        status = search(name, &path, &found, err);
        if (!status && found) status = set_absolute(words, 0, path.data, err);
    }
    if (!status && !found) status = fail_not_found(name, err);
    pare_buffer_done(&path);
    return status;
}

/* Whether a word means a candidate: the name of an input, or a path in one. Example: with the
 * input "src" that are "src" and "src/a.c", but not "src2". */
static bool names_input(pare_names inputs, const char *word)
{
    for (size_t i = 0; i < inputs.n; i++) {
        size_t size = strlen(inputs.items[i]);
        if (strncmp(word, inputs.items[i], size) == 0 && (!word[size] || word[size] == '/'))
            return true;
    }
    return false;
}

/* Whether `word` is what a compiler and the like are to write, by the option before it. An
 * absolute path is none: tests that run at once would all write there, so somebody meant just
 * this file. */
bool pare_command_is_output(const char *before, const char *word)
{
    static const char *const options[] = {"-o", "--output", "--out", "--output-file", "--out-file"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(before, options[i]) == 0) return *word != '/';
    return false;
}

/* Makes words that name files absolute.  Names of inputs stay, for there the candidate is meant;
 * so do options, and directories without a slash, since "test" or "out" is more often a word than
 * a folder.  What is written stays, too: it may be there from a run by hand, and tests write in their own
 * directories. */
static pare_status resolve_files(struct words *words, pare_names inputs, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t k = 1; k < words->n && !status; k++) {
        const char *word = words->word[k];
        if (word[0] == '/' || word[0] == '-' || names_input(inputs, word)) continue;
        if (pare_command_is_output(words->word[k - 1], word)) continue;
        if (pare_file_is_regular(word) || (strchr(word, '/') && pare_file_is_directory(word)))
            status = set_absolute(words, k, word, err);
    }
    return status;
}

/* Folds one word, with its end, and the content of the file that it names into the identity, unless it counts
 * `by_name` alone. An input is known by its name only: it is what changes.  A byte after the content tells where
 * the next word begins. */
static void identify_word(const char *word, bool by_name, pare_names inputs, pare_hash *hash,
                          size_t *size)
{
    *hash = pare_digest_extend(*hash, word, strlen(word) + 1);
    *size += strlen(word) + 1;
    if (by_name || names_input(inputs, word) || !pare_file_is_regular(word)) return;
    /* A file that can be executed but not read is known by its name only. */
    if (pare_file_hash(word, hash, size, NULL)) return;
    *hash = pare_digest_extend(*hash, "", 1);
    *size += 1;
}

/* The text of a shell's command is a word too, which may itself name a file. Words of output
 * are known by their name alone, since what is in those files comes from the last run. */
static pare_digest identify(const struct words *words, pare_names inputs, const char *text)
{
    pare_hash hash = {{0, 0}};
    size_t size = 0;
    if (text) identify_word(text, false, inputs, &hash, &size);
    for (size_t k = 0; k < words->n; k++)
        identify_word(words->word[k],
                      k && pare_command_is_output(words->word[k - 1], words->word[k]), inputs,
                      &hash, &size);
    return pare_digest_of(hash, size);
}

/* The whole text is one word: the path of the test. */
static pare_status take_file(struct words *words, const char *text, pare_error *err)
{
    pare_status status = check_executable(text, err);
    if (!status) status = add_word(words, text, err);
    if (!status) status = set_absolute(words, 0, text, err);
    return status;
}

/* Fills *all with what is to be executed: "/bin/sh" first, for a file without "#!", then either
 * sh -c TEXT pare (so that the candidate is "$1"), or the words. */
static pare_status assemble(struct words *all, const struct words *words, const char *text,
                            pare_error *err)
{
    static const char *const shell[] = {"/bin/sh", "/bin/sh", "-c"};
    pare_status status = PARE_OK;
    for (size_t k = 0; k < (words->shell ? 3 : 1) && !status; k++)
        status = add_word(all, shell[k], err);
    if (words->shell) {
        if (!status) status = add_word(all, text, err);
        return status ? status : add_word(all, "pare", err);
    }
    for (size_t k = 0; k < words->n && !status; k++)
        status = add_word(all, words->word[k], err);
    return status;
}

/* Splits `text` and resolves its words, unless it is the path of the test as a whole, or needs a
 * shell, which resolves words itself.
 *
 * A folder is taken for the test only to be refused with a sentence about it, and only if it
 * cannot be meant as a command. */
static pare_status understand(struct words *words, const char *text, pare_names inputs,
                              pare_error *err)
{
    bool has_blank = strpbrk(text, " \t\n") != NULL;
    if (pare_file_is_regular(text) ||
        (pare_file_is_directory(text) && (has_blank || strchr(text, '/'))))
        return take_file(words, text, err);
    pare_status status = split(words, text, err);
    if (status) return status;
    if (!words->n) return pare_fail(err, PARE_E_ARG, "the test command is empty");
    if (words->shell) return PARE_OK;
    status = resolve_program(words, err);
    return status ? status : resolve_files(words, inputs, err);
}

/* Makes *command of `words`, whose shell text is `text`; *words is moved from. */
static pare_status finish(pare_command *command, struct words *words, const char *text,
                          pare_names inputs, pare_error *err)
{
    struct words all = {0};
    char *shown = NULL;
    pare_status status = assemble(&all, words, text, err);
    if (!status && !(shown = pare_alloc_text(text, strlen(text)))) status = pare_fail_nomem(err);
    if (!status) {
        assert(all.n >= 2 && !all.word[all.n]); /* as command.h says of words */
        *command = (pare_command){.words = all.word,
                                  .n_words = all.n,
                                  .is_shell = words->shell,
                                  .shown = shown,
                                  .identity = identify(words, inputs, words->shell ? text : NULL)};
        all = (struct words){0};
    }
    words_done(&all);
    return status;
}

/* The words are split and resolved, then moved into the command. */
pare_status pare_command_init(pare_command *command, const char *text, pare_names inputs,
                              pare_error *err)
{
    struct words words = {0};
    pare_status status = understand(&words, text, inputs, err);
    if (!status) status = finish(command, &words, text, inputs, err);
    words_done(&words);
    return status;
}

/* The kind is a part of the identity: a worker's outcomes are not those of a test of the same
 * words. */
pare_status pare_command_init_worker(pare_command *command, const char *text, pare_names inputs,
                                     pare_error *err)
{
    static const char kind[] = "worker";
    pare_status status = pare_command_init(command, text, inputs, err);
    if (status) return status;
    command->is_worker = true;
    command->placement = PARE_PLACEMENT_NONE;
    command->identity = pare_checksum_wide(command->identity, kind, sizeof kind);
    return PARE_OK;
}

/* ---- programs that need no script --------------------------------------------------- */

/* Words that were given as words are not split again, nor given to a shell. */
static pare_status copy_words(struct words *words, const char *const *given, size_t n,
                              pare_names inputs, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t k = 0; k < n && !status; k++)
        status = add_word(words, given[k], err);
    if (!status) status = resolve_program(words, err);
    return status ? status : resolve_files(words, inputs, err);
}

/* The words as one text, for the user to see. */
static pare_status join(pare_buffer *text, const char *const *words, size_t n, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t k = 0; k < n && !status; k++)
        status = pare_buffer_format(text, err, "%s%s", k ? " " : "", words[k]);
    return status;
}

/* Decides where the candidate goes in a command whose text the user wrote as `text`. Without a mark
 * it goes to standard input, as for AFL; a shell's text may name its argument instead. */
static void place(pare_command *command, const char *text)
{
    command->is_target = true;
    if (command->is_shell) {
        command->on_input =
            !pare_command_is_marked(text) && !strstr(text, "$1") && !strstr(text, "$@");
        return;
    }
    command->placement = PARE_PLACEMENT_MARKS;
    command->on_input = true;
    for (size_t k = 0; k < command->n_words; k++)
        if (pare_command_is_marked(command->words[k])) command->on_input = false;
}

/* Looks into the program's file, if that is allowed: how it can be run depends on what it is. A
 * program that may be executed but not read is run as a plain process; that is no error. */
static pare_status look_at_program(const char *path, pare_executable *program, pare_error *err)
{
    pare_error why = {0};
    pare_status status = pare_executable_read(path, program, &why);
    if (!status || !pare_file_is_regular(path) || access(path, R_OK) != 0) return PARE_OK;
    if (err) *err = why;
    return status;
}

/* Puts our worker before a library that is a fuzz harness; *is_harness tells whether it is
 * one.  On success *words may be another list than before; on failure it is what it was. */
static pare_status employ_worker(struct words *words, bool *is_harness, pare_error *err)
{
    pare_executable program;
    struct words all = {0};
    char *worker = NULL;
    *is_harness = false;
    if (words->shell) return PARE_OK;
    pare_status status = look_at_program(words->word[0], &program, err);
    if (status) return status;
    *is_harness = program.is_library && program.has_harness;
    if (!*is_harness) return PARE_OK;
    for (size_t k = 1; k < words->n; k++)
        if (pare_command_is_marked(words->word[k]))
            return pare_fail(err, PARE_E_ARG,
                             "leave out '%s': LLVMFuzzerTestOneInput is given the candidate",
                             words->word[k]);
    status = pare_executable_find_own(PARE_EXECUTABLE_WORKER, &worker, err);
    if (!status) status = add_word(&all, worker, err);
    for (size_t k = 0; k < words->n && !status; k++)
        status = add_word(&all, words->word[k], err);
    if (!status) {
        struct words former = *words;
        *words = all;
        all = former;
    }
    pare_alloc_free(worker);
    words_done(&all);
    return status;
}

/* A single word with blanks is a command line, as it would be after --test. */
pare_status pare_command_init_target(pare_command *command, const char *const *given,
                                     size_t n_words, pare_names inputs, pare_error *err)
{
    struct words words = {0};
    pare_buffer text = {0}, shell = {0};
    bool is_harness = false;
    bool is_line = n_words == 1 && strpbrk(given[0], " \t\n") && !pare_file_is_regular(given[0]);
    /* Words after "--" were split by the user's shell already: "-- 'gcc -c @@'" is the only
     * case in which there is a line to split. */
    if (!n_words) return pare_fail(err, PARE_E_ARG, "the program is missing after '--'");
    pare_status status = join(&text, given, n_words, err);
    if (!status)
        status = is_line ? understand(&words, text.data, inputs, err)
                         : copy_words(&words, given, n_words, inputs, err);
    if (!status) status = employ_worker(&words, &is_harness, err);
    if (!status && words.shell)
        status =
            /* In the text of a shell a mark becomes a parameter, which the shell expands to the
             * candidate's path. */
            pare_command_fill_marks(text.data, inputs.n > 1 ? "\"$@\"" : "\"$1\"", &shell, err);
    if (!status)
        status = finish(command, &words, words.shell ? shell.data : text.data, inputs, err);
    if (!status) place(command, text.data);
    if (!status) command->is_harness = is_harness;
    words_done(&words);
    pare_buffer_done(&text);
    pare_buffer_done(&shell);
    return status;
}

/* ---- paths in a text ---------------------------------------------------------------- */

/* It is a guess: a path may hold any of them. */
pare_command_part pare_command_next_part(const char *at)
{
    static const char separators[] = " \t\n'\"`;|&<>(){}$=,";
    at += strspn(at, separators);
    return (pare_command_part){.start = at, .size = strcspn(at, separators)};
}

/* Listed here, because the functions of ctype.h depend on the locale. */
bool pare_command_is_path_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("._/+-", c)) || (unsigned char)c >= 0x80;
}

/* ---- use ---------------------------------------------------------------------------- */

/* A command in which a shell runs `script` with the words of `test` as "$@".  The words before those of the
 * test: the file to execute, then the shell's own, in which NULL stands for the script and "pare" is $0.
 *
 * words[0] of `test` is left out: it is "/bin/sh" for a file without "#!", and "$@" begins with
 * the program itself. On failure *out is empty. */
static pare_status wrap(const pare_command *test, const char *script, pare_command *out,
                        pare_error *err)
{
    static const char *const shell[] = {"/bin/sh", "/bin/sh", "-c", NULL, "pare"};
    const size_t n_shell = sizeof shell / sizeof *shell;
    pare_status status = PARE_OK;
    *out = *test; /* where the candidate goes */
    out->shown = NULL;
    out->n_words = 0;
    out->words = pare_alloc_zero(n_shell + test->n_words + 1, sizeof *out->words);
    if (!out->words) status = pare_fail_nomem(err);
    for (size_t k = 0; k < n_shell + test->n_words - 1 && !status; k++) {
        const char *word = k < n_shell ? shell[k] : test->words[k - n_shell + 1];
        if (!word) word = script;
        out->words[k] = pare_alloc_text(word, strlen(word));
        if (!out->words[k]) status = pare_fail_nomem(err);
        out->n_words += !status;
    }
    if (status) pare_command_done(out);
    return status;
}

pare_status pare_command_wrap_with(const pare_command *test, const char *library, const char *name,
                                   pare_command_compose compose, pare_command *out, pare_error *err)
{
    pare_buffer script = {0};
    char *path = NULL;
    *out = (pare_command){.n_words = 0};
    pare_status status = pare_executable_find_own(library, &path, err);
    if (!status) status = compose(&script, path, name, err);
    if (!status) status = wrap(test, script.data, out, err);
    pare_buffer_done(&script);
    pare_alloc_free(path);
    return status;
}

/* The words are a list of struct words that was moved here. */
void pare_command_done(pare_command *command)
{
    struct words words = {.word = command->words, .n = command->n_words};
    words_done(&words);
    pare_alloc_free(command->shown);
    *command = (pare_command){0};
}
