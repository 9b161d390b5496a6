/* Tests that travel, packed.
 *
 * Files are found in the words of the command and in the texts of scripts among them: what looks like
 * an absolute path and is a regular file outside of the system's folders travels, and so does what a
 * script names beside itself ($(dirname "$0")/FILE).  That finds what simple scripts need; --with adds
 * the rest.  In the description a path that travels is a mark, \1NUMBER\1, for which the worker puts
 * where the file lies there.
 * Invariant: a file's name in the description is one part of a path (pare_message_is_file_name).  The
 * other side checks that (travelled.c). */
#include "session/test/travel.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <pare/input.h>
#include <pare/keep.h>
#include <pare/test.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/entries.h"
#include "os/file.h"
#include "run/command.h"
#include "run/process.h"
#include "run/remote/file_cache.h"
#include "run/remote/message.h"
#include "run/remote/remote.h"
#include "run/time_limit.h"
#include "session/read_input.h"
#include "session/test/programs.h"
#include "text/layout.h"

/* ---- files ------------------------------------------------------------------------------- */

/* A file that travels.  A script is sent with marks in the place of the paths in it, all else byte
 * by byte. */
struct file {
    char *path; /* owned; as it was named: what is replaced by a mark */
    char name[PARE_TRAVEL_NAME_BYTES];
    mode_t mode;
    pare_buffer bytes;
    bool is_script;
};

void pare_travel_files_done(pare_travel_files *files)
{
    for (size_t i = 0; i < files->n; i++)
        pare_text_unref(files->items[i]);
    files->n = 0;
    pare_alloc_free(files->programs);
    files->programs = NULL;
}

/* All files of one test; a mark names one by its number here.  Some 80 kB, so it is on the heap. */
struct files {
    struct file items[PARE_TRAVEL_MOST_FILES];
    size_t n, n_bytes;
    pare_travel_files *apart; /* borrowed; NULL: nothing is put apart */
};

/* Frees the files, and what is in them.  NULL is a no-op. */
static void files_free(struct files *files)
{
    for (size_t i = 0; files && i < files->n; i++) {
        pare_alloc_free(files->items[i].path);
        pare_buffer_done(&files->items[i].bytes);
    }
    pare_alloc_free(files);
}

/* Whether every machine has a file like this of its own, so that it need not travel.
 * "/lib" has no slash, for /lib64 and its like; /dev/shm is a folder of users, in spite
 * of its place. */
static bool is_of_system(const char *path)
{
    static const char *const folders[] = {"/usr/", "/bin/",  "/sbin/", "/lib",  "/etc/",
                                          "/dev/", "/proc/", "/sys/",  "/run/", "/opt/"};
    if (strncmp(path, "/dev/shm/", 9) == 0) return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0) return true;
    return false;
}

/* The file that was named so, byte by byte: two spellings of one path are two files,
 * which does no harm.
 * A mark replaces what stands in a text, so only the spelling in that text counts. */
static const struct file *find_file(const struct files *files, const char *path, size_t size)
{
    for (size_t i = 0; i < files->n; i++)
        if (strlen(files->items[i].path) == size && !memcmp(files->items[i].path, path, size))
            return &files->items[i];
    return NULL;
}

/* Whether a file in the folder has this name already. */
static bool is_taken(const struct files *files, const char *name)
{
    for (size_t i = 0; i < files->n; i++)
        if (!strcmp(files->items[i].name, name)) return true;
    return false;
}

/* Sets `name` to the last part of the path, with a number before it where another file
 * has it already: all lie in one folder where they arrive.
 * If the fourth file is a second "data.txt", it is called "3-data.txt". */
static void name_file(const struct files *files, const char *path, char *name)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    (void)snprintf(name, PARE_TRAVEL_NAME_BYTES, "%s", base);
    for (size_t k = files->n; is_taken(files, name); k++)
        (void)snprintf(name, PARE_TRAVEL_NAME_BYTES, "%zu-%.200s", k, base);
}

/* The limit is that of all files together. */
static pare_status fail_large(pare_error *err)
{
    return pare_fail(
        err, PARE_E_LIMIT,
        "the test needs files of more than %d MiB, which is too much to send to workers",
        PARE_TRAVEL_MOST_BYTES >> 20);
}

/* Adds the file at `path`, which words and scripts call by this path; once is enough.
 * Looks at its size before reading it: a script may name a disk image. */
static pare_status add_file(struct files *files, const char *path, pare_error *err)
{
    assert(files->n <= PARE_TRAVEL_MOST_FILES && files->n_bytes <= PARE_TRAVEL_MOST_BYTES);
    if (find_file(files, path, strlen(path))) return PARE_OK;
    if (files->n == PARE_TRAVEL_MOST_FILES)
        return pare_fail(err, PARE_E_LIMIT, "the test needs more than %d files",
                         PARE_TRAVEL_MOST_FILES);
    struct stat about;
    /* What cannot be looked at is found by the read. */
    if (!stat(path, &about) && about.st_size > (off_t)(PARE_TRAVEL_MOST_BYTES - files->n_bytes))
        return fail_large(err);
    struct file *file = &files->items[files->n];
    *file = (struct file){.path = pare_alloc_text(path, strlen(path))};
    if (!file->path) return pare_fail_nomem(err);
    pare_status status = pare_file_read(path, &file->bytes, err);
    if (status) {
        /* A read that failed leaves the buffer empty, but with its memory. */
        pare_buffer_done(&file->bytes);
        pare_alloc_free(file->path);
        return status;
    }
    name_file(files, path, file->name);
    file->mode = pare_file_mode(path) & 0777;
    file->is_script = file->bytes.size > 2 && !memcmp(file->bytes.data, "#!", 2);
    files->n++;
    files->n_bytes += file->bytes.size;
    return files->n_bytes <= PARE_TRAVEL_MOST_BYTES ? PARE_OK : fail_large(err);
}

/* Whether paths in scripts are written with this character unquoted. A path with a blank is not
 * found, and needs --with. */
static bool is_of_path(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_+.,@%/-", c)) || (unsigned char)c >= 0x80;
}

/* Finds the next run of characters of paths at or after *at that begins with '/', and
 * not within another run: in "-I/x/y" there is none, as the '-I' belongs to it.
 * Returns its size, 0: none. */
static size_t next_path(const char *text, size_t size, size_t *at)
{
    for (; *at < size; ++*at) {
        if (text[*at] != '/' || (*at > 0 && is_of_path(text[*at - 1]))) continue;
        size_t n = 1;
        while (*at + n < size && is_of_path(text[*at + n]))
            n++;
        return n;
    }
    return 0;
}

/* Adds the file at `folder` and `name`, if it is one that travels.  A path that is none, as in
 * "sed s/a/b/", is passed over. */
static pare_status add_named(struct files *files, const char *folder, const char *name, size_t n,
                             bool *is_added, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s%.*s", folder, (int)n, name);
    assert(n > 0 && *name == '/' && "it is a path from the root, or one in the folder");
    *is_added = !status && !is_of_system(path.data) && pare_file_is_regular(path.data);
    if (*is_added) status = add_file(files, path.data, err);
    pare_buffer_done(&path);
    return status;
}

/* Adds the files that a text names.  `folder` is the script's, or NULL: what stands behind a bracket or a
 * quote, as in $(dirname "$0")/FILE, lies in it.  A quote can also begin a path from the root, so
 * behind one that is what it is taken for where there is such a file. */
static pare_status scan(struct files *files, const char *text, size_t size, const char *folder,
                        pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t at = 0, n; !status && (n = next_path(text, size, &at)) > 0; at += n) {
        const char before = at > 0 ? text[at - 1] : '\0';
        const bool is_closed = folder && (before == ')' || before == '}');
        const bool is_quoted = folder && (before == '"' || before == '`');
        bool is_added = false;
        if (n > PATH_MAX) continue; /* no file has such a name */
        if (!is_closed) status = add_named(files, "", text + at, n, &is_added, err);
        if (!status && !is_added && (is_closed || is_quoted))
            status = add_named(files, folder, text + at, n, &is_added, err);
    }
    return status;
}

/* Adds the files that files name; those that are added meanwhile are looked through as
 * well. */
static pare_status scan_scripts(struct files *files, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < files->n && !status; i++) {
        const struct file *file = &files->items[i];
        if (!file->is_script) continue;
        char *folder = NULL;
        status = pare_file_absolute(file->path, &folder, err);
        char *slash = status ? NULL : strrchr(folder, '/');
        if (slash) *slash = '\0';
        if (!status) status = scan(files, file->bytes.data, file->bytes.size, folder, err);
        pare_alloc_free(folder);
    }
    return status;
}

/* ---- packing ------------------------------------------------------------------------------- */

/* Appends `text` with a mark in the place of each path that travels.  A run of
 * characters of paths is looked up as a whole, so that of "/a/b.txt" the file "/a/b" is
 * no part. */
static pare_status add_marked(pare_buffer *to, const struct files *files, const char *text,
                              size_t size, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t done = 0;
    for (size_t at = 0; at < size && !status;) {
        size_t n = 1;
        const struct file *file = NULL;
        if (is_of_path(text[at])) {
            while (at + n < size && is_of_path(text[at + n]))
                n++;
            file = find_file(files, text + at, n);
        }
        if (file) {
            status = pare_buffer_add(to, text + done, at - done, err);
            if (!status)
                status = pare_buffer_format(to, err, "%c%zu%c", PARE_TRAVEL_MARK,
                                            (size_t)(file - files->items), PARE_TRAVEL_MARK);
            done = at + n;
        }
        at += n;
    }
    return status || done == size ? status : pare_buffer_add(to, text + done, size - done, err);
}

/* Appends a text of the test, with marks in the place of paths. */
static pare_status add_word(pare_buffer *to, const struct files *files, const char *word,
                            pare_error *err)
{
    pare_buffer marked = {0};
    pare_status status = add_marked(&marked, files, word, strlen(word), err);
    if (!status) status = pare_message_add_span(to, marked.data, marked.size, err);
    pare_buffer_done(&marked);
    return status;
}

/* A text that may be missing (NULL), which is not the same as an empty one. */
static pare_status add_optional(pare_buffer *to, const struct files *files, const char *text,
                                pare_error *err)
{
    pare_status status = pare_message_add_number(to, text != NULL, err);
    return status || !text ? status : add_word(to, files, text, err);
}

/* The number of texts, then each. */
static pare_status add_list(pare_buffer *to, const struct files *files, const char *const *texts,
                            size_t n, pare_error *err)
{
    pare_status status = pare_message_add_number(to, n, err);
    for (size_t i = 0; i < n && !status; i++)
        status = add_word(to, files, texts[i], err);
    return status;
}

/* Numbers without their count: the reader knows it. */
static pare_status add_numbers(pare_buffer *to, const uint64_t *numbers, size_t n, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = pare_message_add_number(to, numbers[i], err);
    return status;
}

/* Finds the files that the words name: whole words, and paths within them; then those
 * of --with, and those that scripts among all of these name. */
static pare_status find_files(const pare_test_options *test, const char *const *words, size_t n,
                              struct files *files, pare_error *err)
{
    const pare_cluster_options *workers = test->workers;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++) {
        /* A word without a slash is a name that is looked for in PATH, or a file of the
         * folder where tests run. */
        const bool is_file = pare_file_is_regular(words[i]) && strchr(words[i], '/');
        if (is_file && !is_of_system(words[i]))
            status = add_file(files, words[i], err);
        else
            status = scan(files, words[i], strlen(words[i]), NULL, err);
    }
    for (size_t i = 0; i < workers->n_with && !status; i++)
        status = add_file(files, workers->with[i], err);
    return status ? status : scan_scripts(files, err);
}

/* Writes size and digests of a file to the description. Its bytes become a text that is sent
 * separately, and only to machines that do not have it. */
static pare_status put_apart(pare_buffer *to, struct file *file, pare_travel_files *apart,
                             pare_error *err)
{
    uint8_t sha[PARE_FILE_SHA_BYTES];
    pare_text *text = NULL;
    pare_file_cache_sha(file->bytes.data, file->bytes.size, sha);
    pare_status status = pare_message_add_number(to, file->bytes.size, err);
    if (!status) status = pare_text_take(&file->bytes, &text, err);
    if (status) return status;
    assert(apart->n < PARE_TRAVEL_MOST_FILES && "each file is put apart once");
    apart->items[apart->n++] = text;
    status = pare_message_add_digest(to, pare_text_digest(text), err);
    return status ? status : pare_buffer_add(to, sha, sizeof sha, err);
}

/* Writes name, mode, whether the file is a script and whether its bytes are sent separately; then
 * the bytes or their digests. Scripts always stay in the description: they are short, and have
 * marks where paths differ. */
static pare_status add_file_entry(pare_buffer *to, struct files *files, size_t i,
                                  pare_travel_files *apart, pare_error *err)
{
    struct file *file = &files->items[i];
    /* A small file costs less in the description than a request for it would. */
    const bool is_apart = apart && !file->is_script && file->bytes.size >= PARE_TRAVEL_APART_BYTES;
    const uint64_t facts[] = {file->mode, file->is_script, is_apart};
    pare_buffer text = {0};
    pare_status status = pare_message_add_text(to, file->name, err);
    if (!status) status = add_numbers(to, facts, sizeof facts / sizeof *facts, err);
    if (status) return status;
    if (is_apart) return put_apart(to, file, apart, err);
    if (file->is_script) status = add_marked(&text, files, file->bytes.data, file->bytes.size, err);
    const pare_buffer *bytes = file->is_script ? &text : &file->bytes;
    if (!status) status = pare_message_add_span(to, bytes->data, bytes->size, err);
    pare_buffer_done(&text);
    return status;
}

/* Writes the number of files, and each.  Last in the description, since scripts have
 * marks of files that are found while packing. */
static pare_status add_files(pare_buffer *to, struct files *files, pare_travel_files *apart,
                             pare_error *err)
{
    pare_status status = pare_message_add_number(to, files->n, err);
    for (size_t i = 0; i < files->n && !status; i++)
        status = add_file_entry(to, files, i, apart, err);
    return status;
}

/* Writes what counts as the failure. A signature that was learnt here goes along, so that workers
 * need not learn it. */
static pare_status add_keep(pare_buffer *to, const struct files *files,
                            const pare_session_oracle *oracle, pare_error *err)
{
    const pare_keep *keep = oracle->asked.keep;
    const uint64_t numbers[] = {
        keep->use_exit_code, (uint64_t)(keep->exit_code + 1), keep->hang_ms,   keep->max_rss_bytes,
        keep->level,         keep->allow_new_errors,          keep->n_patterns};
    pare_status status = add_numbers(to, numbers, sizeof numbers / sizeof *numbers, err);
    for (size_t i = 0; i < keep->n_patterns && !status; i++) {
        status = pare_message_add_number(to, keep->patterns[i].stream, err);
        /* A regular expression has no paths, so no marks are put into it. */
        if (!status) status = pare_message_add_text(to, keep->patterns[i].regex, err);
    }
    const char *learnt = oracle->signature.size ? oracle->signature.data : NULL;
    if (!status) status = add_optional(to, files, keep->signal, err);
    if (!status) status = add_optional(to, files, keep->differs, err);
    if (!status) status = add_optional(to, files, keep->valid, err);
    if (!status) status = add_optional(to, files, learnt, err);
    if (!status) status = add_list(to, files, keep->ignore_frames, keep->n_ignore_frames, err);
    return status ? status : add_list(to, files, keep->ignore_lines, keep->n_ignore_lines, err);
}

/* Writes the programs that the words and the scripts among the files call, with their
 * digests, so that the other side can say what differs there; files->apart keeps them. */
static pare_status add_programs(pare_buffer *to, const struct files *files,
                                const char *const *words, size_t n, pare_error *err)
{
    pare_programs *programs = pare_alloc_zero(1, sizeof *programs);
    if (!programs) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        pare_programs_find(programs, words[i], strlen(words[i]));
    for (size_t i = 0; i < files->n; i++)
        if (files->items[i].is_script)
            pare_programs_find(programs, files->items[i].bytes.data, files->items[i].bytes.size);
    /* A program that travels as a file is the same everywhere: only the others are compared. */
    size_t n_kept = 0;
    for (size_t i = 0; i < programs->n; i++)
        if (!find_file(files, programs->items[i].name, strlen(programs->items[i].name)))
            programs->items[n_kept++] = programs->items[i];
    programs->n = n_kept;
    pare_status status = pare_programs_write(programs, to, err);
    if (files->apart) {
        pare_alloc_free(files->apart->programs);
        files->apart->programs = programs;
    } else {
        pare_alloc_free(programs);
    }
    return status;
}

/* Writes the names of several files, so that a candidate, which is one text, means the same files
 * there. */
static pare_status add_layout(pare_buffer *to, const pare_layout *layout, pare_error *err)
{
    pare_status status = pare_message_add_number(to, layout != NULL, err);
    if (status || !layout) return status;
    const uint64_t numbers[] = {layout->is_file, layout->entries.n};
    status = pare_message_add_span(to, layout->marker, sizeof layout->marker, err);
    if (!status) status = add_numbers(to, numbers, sizeof numbers / sizeof *numbers, err);
    for (uint32_t i = 0; i < layout->entries.n && !status; i++) {
        const pare_entry *entry = &layout->entries.items[i];
        const uint64_t facts[] = {entry->kind, entry->mode & 0777, entry->input};
        status = add_numbers(to, facts, sizeof facts / sizeof *facts, err);
        if (!status) status = pare_message_add_text(to, entry->path, err);
        if (!status) status = pare_message_add_text(to, entry->target ? entry->target : "", err);
    }
    return status;
}

/* Writes the description but for its two first parts and the last (pare_travel_pack).
 * It is read back in travelled.c, field by field, by read_layout, pare_programs_read,
 * read_test, read_list twice, read_keep and read_names;
 * skip_to_files counts the fields, so whoever adds one here adds it there. */
static pare_status pack(const pare_session_oracle *oracle, const char *const *words, size_t n,
                        struct files *files, pare_buffer *out, pare_error *err)
{
    const pare_test_options *test = oracle->asked.test;
    const pare_input_options *input = oracle->asked.input;
    const uint64_t kind = test->program  ? PARE_TRAVEL_PROGRAM
                          : test->worker ? PARE_TRAVEL_WORKER
                                         : PARE_TRAVEL_COMMAND;
    const uint64_t numbers[] = {kind,
                                oracle->asked.has_marks,
                                input->path ? pare_file_mode(input->path) & 0777 : 0600,
                                test->timeout_ms,
                                test->also_exit_code,
                                test->safety.memory_bytes,
                                test->safety.cpu_s,
                                test->safety.processes,
                                test->safety.file_bytes,
                                test->safety.random_addresses,
                                test->safety.network,
                                oracle->asked.any,
                                test->runner};
    /* The files first: marks have their numbers. */
    pare_status status = find_files(test, words, n, files, err);
    if (!status) status = add_layout(out, oracle->asked.layout, err);
    if (!status) status = add_programs(out, files, words, n, err);
    if (!status) status = add_numbers(out, numbers, sizeof numbers / sizeof *numbers, err);
    if (!status) status = pare_message_add_text(out, pare_read_input_base_name(input), err);
    if (!status) status = add_list(out, files, words, n, err);
    if (!status) status = add_list(out, files, test->environment, test->n_environment, err);
    return status ? status : add_keep(out, files, oracle, err);
}

/* Writes what the control showed: 0, or 1 and what it was; the exit code is one more
 * than it is, so that none (-1) is 0. */
static pare_status add_control(pare_buffer *to, const pare_serve_control *control, pare_error *err)
{
    const uint64_t numbers[] = {1, control ? control->outcome : 0,
                                control ? (uint64_t)(control->exit_code + 1) : 0,
                                control && control->timed_out};
    if (!control) return pare_message_add_number(to, 0, err);
    return add_numbers(to, numbers, sizeof numbers / sizeof *numbers, err);
}

/* The one word of a test that is a command or a worker: the text that a shell takes, which of a generator and its test
 * is one; else its words with the paths that they have here, quoted.  So where a script was found in PATH, the file is
 * what travels. */
static pare_status add_line(pare_buffer *line, const pare_command *command, pare_error *err)
{
    if (command->is_shell) return pare_buffer_text(line, command->shown, err);
    pare_status status = PARE_OK;
    /* Word 0 is the file that is executed, word 1 its name. */
    for (size_t i = 1; i < command->n_words && !status; i++) {
        if (i > 1) status = pare_buffer_text(line, " ", err);
        if (!status)
            status = pare_command_quote(line, command->words[i], strlen(command->words[i]), err);
    }
    return status;
}

/* Makes the words of a program in *words, a list (owned) of borrowed words: those of
 * files are paths.  A program of the system that was found in PATH is looked for in the
 * PATH there, so only its name is sent. */
static pare_status list_words(const pare_test_options *test, const pare_command *command,
                              const char ***words, size_t *n, pare_error *err)
{
    const size_t first = pare_command_first_argument(command) - 1;
    *n = command->is_shell ? test->n_program : command->n_words - first;
    assert(*n > 0 && "the program is one");
    *words = pare_alloc_zero(*n, sizeof **words);
    if (!*words) return pare_fail_nomem(err);
    for (size_t i = 0; i < *n; i++)
        (*words)[i] = command->is_shell ? test->program[i] : command->words[first + i];
    const char *program = **words, *given = *test->program;
    const bool is_name = !memchr(given, '/', strcspn(given, " \t"));
    if (!command->is_shell && is_name && is_of_system(program)) **words = strrchr(program, '/') + 1;
    return PARE_OK;
}

/* The description in its order: time limit, control, layout, programs, how it is run,
 * words, variables, what is kept, files. */
pare_status pare_travel_pack(const pare_session_oracle *oracle, const pare_serve_control *control,
                             pare_buffer *out, pare_travel_files *apart, pare_error *err)
{
    const pare_test_options *test = oracle->asked.test;
    struct files *files = pare_alloc_zero(1, sizeof *files);
    if (!files) return pare_fail_nomem(err);
    files->apart = apart;
    const char **words = NULL;
    size_t n = 0;
    pare_buffer line = {0};
    pare_status status = test->program ? list_words(test, oracle->command, &words, &n, err)
                                       : add_line(&line, oracle->command, err);
    const char *one = line.data;
    const pare_time_limit limit = pare_process_time_limit(oracle->oracle);
    /* First, so that all that follows is the same in each run.  A limit of the user's
     * is sent with the other numbers, and is not learnt. */
    if (!status) status = pare_message_add_number(out, limit.fixed_ms ? 0 : limit.learned_ms, err);
    if (!status) status = add_control(out, control, err);
    if (!status) status = pack(oracle, words ? words : &one, words ? n : 1, files, out, err);
    if (!status) status = add_files(out, files, apart, err);
    pare_alloc_free(words);
    pare_buffer_done(&line);
    files_free(files);
    if (status) pare_fail_prefix(err, "the test cannot be sent to workers");
    return status;
}

/* The identity of the test: everything in the description that outcomes depend on, which is all but
 * the learnt time limit; and what tests on this machine can reach, which is in no description. */
static pare_digest identify(const pare_session_oracle *oracle, const pare_buffer *description)
{
    pare_message in = pare_message_of(description->data, description->size);
    /* The learnt time limit comes first, and is left out. */
    (void)pare_message_number(&in);
    pare_digest digest =
        pare_session_oracle_identify_reach(&oracle->asked.test->safety, (pare_digest){.high = 0});
    return pare_checksum_wide(digest, in.bytes + in.at, in.size - in.at);
}

/* Packs the test and shares it.  The description is needed only for the call; the server keeps it. */
static pare_status share(pare_session_oracle *oracle, const pare_serve_control *control,
                         pare_remote_test *test, pare_travel_outcomes outcomes, pare_error *err)
{
    pare_buffer description = {0};
    pare_travel_files files = {.n = 0};
    pare_status status = pare_travel_pack(oracle, control, &description, &files, err);
    if (!status) {
        const pare_digest identity = identify(oracle, &description);
        test->description = &description;
        test->files = files.items;
        test->n_files = files.n;
        test->identity = outcomes == PARE_TRAVEL_SHARED ? &identity : NULL;
        status = pare_remote_share(oracle->remote, test, err);
        pare_alloc_free(oracle->programs);
        oracle->programs = files.programs;
        files.programs = NULL;
    }
    pare_travel_files_done(&files);
    pare_buffer_done(&description);
    return status;
}

/* Without workers nothing is packed. */
pare_status pare_travel_share(pare_session_oracle *oracle, const pare_text *input,
                              pare_travel_outcomes outcomes, pare_error *err)
{
    pare_remote_test test = {.input = input};
    return oracle->remote ? share(oracle, NULL, &test, outcomes, err) : PARE_OK;
}

/* Has no identity: which of many failures a test shows is nothing that others could use. */
pare_status pare_travel_share_any(pare_session_oracle *oracle, const pare_text *input,
                                  const pare_serve_control *control, pare_error *err)
{
    pare_remote_test test = {.input = input, .is_any = true};
    return oracle->remote ? share(oracle, control, &test, PARE_TRAVEL_OWN, err) : PARE_OK;
}

/* A pare_program_asker's: this machine has other tests under way, whose processes live on. */
static void ask_version(void *context, const char *path, char line[PARE_PROGRAM_VERSION_BYTES])
{
    const pare_session_oracle *oracle = context;
    (void)!pare_programs_version(path, &oracle->asked.test->safety, false, line);
}

/* If memory is out the notice is given as it came. */
const char *pare_travel_notice(pare_session_oracle *oracle)
{
    const char *sentence = pare_session_oracle_remote_notice(oracle);
    const pare_program_asker asker = {.ask = ask_version, .context = oracle};
    if (!sentence || !oracle->programs) return sentence;
    pare_buffer_reset(&oracle->told);
    pare_status status = pare_buffer_text(&oracle->told, sentence, NULL);
    if (!status)
        status = pare_programs_tell_own(oracle->programs, sentence, &asker, &oracle->told, NULL);
    if (!status) status = pare_buffer_add(&oracle->told, "", 1, NULL);
    return status ? sentence : oracle->told.data;
}
