/* Tests that travel, packed and unpacked.
 *
 * Files are found in the words of the command and in the texts of scripts among them: what looks like
 * an absolute path and is a regular file outside of the system's folders travels, and so does what a
 * script names beside itself ($(dirname "$0")/FILE).  That finds what simple scripts need; --with adds
 * the rest.  In the description a path that travels is a mark, \1NUMBER\1, for which the worker puts
 * where the file lies there.
 * Invariant: a file's name in the description is one part of a path (pare_message_is_file_name), on
 * this side by construction, on the worker's by a check, so nothing is written outside its folder. */
#include "session/test/travel.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <pare/input.h>
#include <pare/keep.h>
#include <pare/outcome.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/entries.h"
#include "os/file.h"
#include "run/command.h"
#include "run/judge.h"
#include "run/oracle.h"
#include "run/process.h"
#include "run/remote/message.h"
#include "run/remote/remote.h"
#include "run/time_limit.h"
#include "session/read_input.h"
#include "session/test/learn_signature.h"
#include "session/test/programs.h"
#include "text/layout.h"

enum { MOST_FILES = 256, MOST_BYTES = 256 << 20, MOST_WORDS = 4096, NAME_BYTES = 256, MARK = 1 };

/* ---- files ------------------------------------------------------------------------------- */

struct file {
    char *path; /* owned; as it was named: what is replaced by a mark */
    char name[NAME_BYTES];
    mode_t mode;
    pare_buffer bytes;
    bool is_script;
};

struct files {
    struct file items[MOST_FILES];
    size_t n, n_bytes;
};

static void files_free(struct files *files)
{
    for (size_t i = 0; files && i < files->n; i++) {
        pare_alloc_free(files->items[i].path);
        pare_buffer_done(&files->items[i].bytes);
    }
    pare_alloc_free(files);
}

/* What every machine has of its own. */
static bool is_of_system(const char *path)
{
    static const char *const folders[] = {"/usr/", "/bin/",  "/sbin/", "/lib",  "/etc/",
                                          "/dev/", "/proc/", "/sys/",  "/run/", "/opt/"};
    if (strncmp(path, "/dev/shm/", 9) == 0) return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0) return true;
    return false;
}

static const struct file *find_file(const struct files *files, const char *path, size_t size)
{
    for (size_t i = 0; i < files->n; i++)
        if (strlen(files->items[i].path) == size && !memcmp(files->items[i].path, path, size))
            return &files->items[i];
    return NULL;
}

/* The last part of the path, with a number before it where another file has it already. */
static void name_file(const struct files *files, const char *path, char *name)
{
    const char *slash = strrchr(path, '/');
    (void)snprintf(name, NAME_BYTES, "%s", slash ? slash + 1 : path);
    for (size_t i = 0; i < files->n; i++)
        if (!strcmp(files->items[i].name, name))
            (void)snprintf(name, NAME_BYTES, "%zu-%.200s", files->n, slash ? slash + 1 : path);
}

/* Adds the file at `path`, which goes by `path` in words and scripts.  Once is enough. */
static pare_status add_file(struct files *files, const char *path, pare_error *err)
{
    if (find_file(files, path, strlen(path))) return PARE_OK;
    if (files->n == MOST_FILES)
        return pare_fail(err, PARE_E_LIMIT, "the test needs more than %d files", MOST_FILES);
    struct file *file = &files->items[files->n];
    *file = (struct file){.path = pare_alloc_text(path, strlen(path))};
    if (!file->path) return pare_fail_nomem(err);
    pare_status status = pare_file_read(path, &file->bytes, err);
    if (status) {
        pare_alloc_free(file->path);
        return status;
    }
    name_file(files, path, file->name);
    file->mode = pare_file_mode(path) & 0777;
    file->is_script = file->bytes.size > 2 && !memcmp(file->bytes.data, "#!", 2);
    files->n++;
    files->n_bytes += file->bytes.size;
    if (files->n_bytes <= MOST_BYTES) return PARE_OK;
    return pare_fail(err, PARE_E_LIMIT,
                     "the test needs files of more than %d MiB, which is too much to travel",
                     MOST_BYTES >> 20);
}

static bool is_of_path(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_+.,@%/-", c)) || (unsigned char)c >= 0x80;
}

/* The next run of characters of paths at or after *at that begins with '/'; its size, 0: none. */
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

/* Adds the files that a text names; `folder` is the script's, or NULL. */
static pare_status scan(struct files *files, const char *text, size_t size, const char *folder,
                        pare_error *err)
{
    pare_status status = PARE_OK;
    pare_buffer path = {0};
    for (size_t at = 0, n; !status && (n = next_path(text, size, &at)) > 0; at += n) {
        const bool beside = at > 0 && strchr(")}\"", text[at - 1]) != NULL;
        pare_buffer_reset(&path);
        if (beside && folder) status = pare_buffer_text(&path, folder, err);
        if (!status) status = pare_buffer_add(&path, text + at, n, err);
        if (!status) status = pare_buffer_add(&path, "", 1, err);
        if (status || is_of_system(path.data) || !pare_file_is_regular(path.data)) continue;
        status = add_file(files, path.data, err);
    }
    pare_buffer_done(&path);
    return status;
}

/* The files that files name. */
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

/* Appends `text` with a mark in the place of each path that travels. */
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
                status = pare_buffer_format(to, err, "%c%zu%c", MARK, (size_t)(file - files->items),
                                            MARK);
            done = at + n;
        }
        at += n;
    }
    return status || done == size ? status : pare_buffer_add(to, text + done, size - done, err);
}

static pare_status add_word(pare_buffer *to, const struct files *files, const char *word,
                            pare_error *err)
{
    pare_buffer marked = {0};
    pare_status status = add_marked(&marked, files, word, strlen(word), err);
    if (!status) status = pare_message_add_span(to, marked.data, marked.size, err);
    pare_buffer_done(&marked);
    return status;
}

static pare_status add_optional(pare_buffer *to, const struct files *files, const char *text,
                                pare_error *err)
{
    pare_status status = pare_message_add_number(to, text != NULL, err);
    return status || !text ? status : add_word(to, files, text, err);
}

static pare_status add_list(pare_buffer *to, const struct files *files, const char *const *texts,
                            size_t n, pare_error *err)
{
    pare_status status = pare_message_add_number(to, n, err);
    for (size_t i = 0; i < n && !status; i++)
        status = add_word(to, files, texts[i], err);
    return status;
}

static pare_status add_numbers(pare_buffer *to, const uint64_t *numbers, size_t n, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = pare_message_add_number(to, numbers[i], err);
    return status;
}

/* Finds the files that the words name: whole words, and paths within them. */
static pare_status find_files(const pare_test_options *test, const char *const *words, size_t n,
                              struct files *files, pare_error *err)
{
    const pare_cluster_options *workers = test->workers;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++) {
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

static pare_status add_files(pare_buffer *to, const struct files *files, pare_error *err)
{
    pare_status status = pare_message_add_number(to, files->n, err);
    for (size_t i = 0; i < files->n && !status; i++) {
        const struct file *file = &files->items[i];
        pare_buffer text = {0};
        status = pare_message_add_text(to, file->name, err);
        if (!status) status = pare_message_add_number(to, file->mode, err);
        if (!status) status = pare_message_add_number(to, file->is_script, err);
        if (!status && file->is_script)
            status = add_marked(&text, files, file->bytes.data, file->bytes.size, err);
        const pare_buffer *bytes = file->is_script ? &text : &file->bytes;
        if (!status) status = pare_message_add_span(to, bytes->data, bytes->size, err);
        pare_buffer_done(&text);
    }
    return status;
}

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

/* The programs of the words and of the scripts among the files. */
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
    /* What travels is the same everywhere. */
    size_t n_kept = 0;
    for (size_t i = 0; i < programs->n; i++)
        if (!find_file(files, programs->items[i].name, strlen(programs->items[i].name)))
            programs->items[n_kept++] = programs->items[i];
    programs->n = n_kept;
    pare_status status = pare_programs_write(programs, to, err);
    pare_alloc_free(programs);
    return status;
}

/* What several files are called, so that a candidate, which is one text, means them there, too. */
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

static pare_status pack(const pare_session_oracle *oracle, const char *const *words, size_t n,
                        struct files *files, pare_buffer *out, pare_error *err)
{
    const pare_test_options *test = oracle->asked.test;
    const pare_input_options *input = oracle->asked.input;
    const uint64_t numbers[] = {test->program != NULL,
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
    pare_status status = find_files(test, words, n, files, err);
    if (!status) status = add_layout(out, oracle->asked.layout, err);
    if (!status) status = add_programs(out, files, words, n, err);
    if (!status) status = add_numbers(out, numbers, sizeof numbers / sizeof *numbers, err);
    if (!status) status = pare_message_add_text(out, pare_read_input_base_name(input), err);
    if (!status) status = add_list(out, files, words, n, err);
    if (!status) status = add_list(out, files, test->environment, test->n_environment, err);
    if (!status) status = add_keep(out, files, oracle, err);
    return status ? status : add_files(out, files, err);
}

static pare_status add_control(pare_buffer *to, const pare_serve_control *control, pare_error *err)
{
    const uint64_t numbers[] = {1, control ? control->outcome : 0,
                                control ? (uint64_t)(control->exit_code + 1) : 0,
                                control && control->timed_out};
    if (!control) return pare_message_add_number(to, 0, err);
    return add_numbers(to, numbers, sizeof numbers / sizeof *numbers, err);
}

pare_status pare_travel_pack(const pare_session_oracle *oracle, const pare_serve_control *control,
                             pare_buffer *out, pare_error *err)
{
    const pare_test_options *test = oracle->asked.test;
    struct files *files = pare_alloc_zero(1, sizeof *files);
    if (!files) return pare_fail_nomem(err);
    /* Where a script was found in PATH, the file is what travels. */
    const pare_command *command = oracle->command;
    const char *const *words = test->program;
    size_t n = test->n_program;
    pare_buffer line = {0};
    pare_status status = PARE_OK;
    if (!test->program && command->is_shell) {
        status = pare_buffer_text(&line, test->command, err);
    } else if (!test->program) {
        for (size_t i = 1; i < command->n_words && !status; i++) {
            if (i > 1) status = pare_buffer_text(&line, " ", err);
            if (!status)
                status =
                    pare_command_quote(&line, command->words[i], strlen(command->words[i]), err);
        }
    }
    const char *one = line.data;
    const pare_time_limit limit = pare_process_time_limit(oracle->oracle);
    if (!test->program) words = &one, n = 1;
    /* First, so that all that follows is the same in each run. */
    if (!status) status = pare_message_add_number(out, limit.fixed_ms ? 0 : limit.learned_ms, err);
    if (!status) status = add_control(out, control, err);
    if (!status) status = pack(oracle, words, n, files, out, err);
    pare_buffer_done(&line);
    files_free(files);
    if (status) pare_fail_prefix(err, "the test cannot travel to workers");
    return status;
}

/* What outcomes depend on: all of the description but the time limit that was learnt, and what tests
 * of this machine can reach. */
static pare_digest identify(const pare_session_oracle *oracle, const pare_buffer *description)
{
    const pare_safety *safety = &oracle->asked.test->safety;
    const uint64_t facts[] = {safety->sandbox, safety->n_writable, safety->network};
    pare_message in = pare_message_of(description->data, description->size);
    (void)pare_message_number(&in);
    pare_digest digest = pare_checksum_wide((pare_digest){.high = 0}, facts, sizeof facts);
    return pare_checksum_wide(digest, in.bytes + in.at, in.size - in.at);
}

pare_status pare_travel_share(const pare_session_oracle *oracle, const pare_text *input,
                              pare_travel_outcomes outcomes, pare_error *err)
{
    pare_buffer description = {0};
    if (!oracle->remote) return PARE_OK;
    pare_status status = pare_travel_pack(oracle, NULL, &description, err);
    if (!status) {
        const pare_digest identity = identify(oracle, &description);
        const pare_remote_test test = {.description = &description,
                                       .input = input,
                                       .identity =
                                           outcomes == PARE_TRAVEL_SHARED ? &identity : NULL};
        status = pare_remote_share(oracle->remote, &test, err);
    }
    pare_buffer_done(&description);
    return status;
}

pare_status pare_travel_share_any(const pare_session_oracle *oracle, const pare_text *input,
                                  const pare_serve_control *control, pare_error *err)
{
    pare_buffer description = {0};
    if (!oracle->remote) return PARE_OK;
    pare_status status = pare_travel_pack(oracle, control, &description, err);
    const pare_remote_test test = {.description = &description, .input = input, .is_any = true};
    if (!status) status = pare_remote_share(oracle->remote, &test, err);
    pare_buffer_done(&description);
    return status;
}

/* ---- unpacking --------------------------------------------------------------------------- */

struct pare_travelled {
    pare_session_oracle oracle;
    bool is_open;
    pare_message in;
    const char *folder;
    char names[MOST_FILES][NAME_BYTES];
    size_t n_names;
    char **texts; /* owned, all texts below */
    size_t n_texts, capacity;
    pare_input_options input;
    char input_name[NAME_BYTES];
    pare_test_options test;
    pare_keep keep;
    uint64_t learned_ms, n_program, is_program, has_marks;
    const char **words;
    pare_keep_pattern *patterns;
    const char **frames, **lines, **environment;
    bool has_control;
    pare_serve_control control;
    pare_any_failure any;
    const char **visible;   /* owned */
    pare_layout *layout;    /* owned; of several files; NULL: one */
    pare_programs programs; /* of the machine that it comes from */
    pare_digest state;      /* of this machine, when it arrived */
    pare_buffer differs;    /* what of them is other here */
};

static pare_status damaged(pare_error *err)
{
    return pare_fail(err, PARE_E_CORRUPT, "the description of the test is damaged");
}

/* Keeps a text until the end.  NULL: memory is out, and `text` is freed. */
static char *keep_text(pare_travelled *self, char *text)
{
    if (text && self->n_texts == self->capacity) {
        size_t capacity = self->capacity ? self->capacity * 2 : 64;
        char **texts = pare_alloc_resize(self->texts, capacity, sizeof *texts);
        if (!texts) return pare_alloc_free(text), NULL;
        self->texts = texts;
        self->capacity = capacity;
    }
    if (text) self->texts[self->n_texts++] = text;
    return text;
}

/* Appends `from` with the paths of files in the place of marks. */
static pare_status fill_marks(const pare_travelled *self, pare_span from, pare_buffer *to,
                              pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t at = 0; at < from.size && !status;) {
        const unsigned char *mark = memchr(from.bytes + at, MARK, from.size - at);
        size_t n = mark ? (size_t)(mark - from.bytes) - at : from.size - at;
        status = n ? pare_buffer_add(to, from.bytes + at, n, err) : PARE_OK;
        at += n;
        if (!mark || status) continue;
        size_t number = 0;
        for (at++; at < from.size && isdigit(from.bytes[at]) && number < MOST_FILES; at++)
            number = number * 10 + (size_t)(from.bytes[at] - '0');
        if (at == from.size || from.bytes[at++] != MARK || number >= self->n_names)
            return damaged(err);
        status = pare_buffer_format(to, err, "%s/%s", self->folder, self->names[number]);
    }
    return status;
}

/* A text with marks; kept. */
static pare_status read_text(pare_travelled *self, const char **out, pare_error *err)
{
    pare_span span = pare_message_span(&self->in);
    pare_buffer text = {0};
    if (self->in.is_bad || (span.size && memchr(span.bytes, 0, span.size))) return damaged(err);
    pare_status status = fill_marks(self, span, &text, err);
    if (!status) status = pare_buffer_add(&text, "", 1, err);
    if (status) {
        pare_buffer_done(&text);
        return status;
    }
    *out = keep_text(self, text.data);
    return *out ? PARE_OK : pare_fail_nomem(err);
}

static pare_status read_optional(pare_travelled *self, const char **out, pare_error *err)
{
    return pare_message_number(&self->in) ? read_text(self, out, err) : PARE_OK;
}

static pare_status read_list(pare_travelled *self, const char ***out, size_t *n, pare_error *err)
{
    *n = (size_t)pare_message_number(&self->in);
    if (self->in.is_bad || *n > MOST_WORDS) return *n = 0, damaged(err);
    *out = pare_alloc_zero(*n + 1, sizeof **out);
    pare_status status = *out ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; i < *n && !status; i++)
        status = read_text(self, &(*out)[i], err);
    return status;
}

static pare_status read_patterns(pare_travelled *self, size_t n, pare_error *err)
{
    if (self->in.is_bad || n > MOST_WORDS) return damaged(err);
    self->patterns = pare_alloc_zero(n + 1, sizeof *self->patterns);
    pare_status status = self->patterns ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; i < n && !status; i++) {
        uint64_t stream = pare_message_number(&self->in);
        if (stream > PARE_STREAM_NO_OUTPUT) return damaged(err);
        self->patterns[i].stream = (pare_stream)stream;
        status = read_text(self, &self->patterns[i].regex, err);
    }
    self->keep.patterns = self->patterns;
    self->keep.n_patterns = n;
    return status;
}

static pare_status read_keep(pare_travelled *self, pare_error *err)
{
    pare_keep *keep = &self->keep;
    pare_message *in = &self->in;
    keep->use_exit_code = pare_message_number(in) != 0;
    keep->exit_code = (int)(pare_message_number(in) & 0x1ff) - 1;
    keep->hang_ms = pare_message_number(in);
    keep->max_rss_bytes = pare_message_number(in);
    uint64_t level = pare_message_number(in);
    keep->allow_new_errors = pare_message_number(in) != 0;
    if (level > PARE_KEEP_EXACT) return damaged(err);
    keep->level = (pare_keep_level)level;
    pare_status status = read_patterns(self, (size_t)pare_message_number(in), err);
    if (!status) status = read_optional(self, &keep->signal, err);
    if (!status) status = read_optional(self, &keep->differs, err);
    if (!status) status = read_optional(self, &keep->valid, err);
    if (!status) status = read_optional(self, &keep->signature, err);
    if (!status) status = read_list(self, &self->frames, &keep->n_ignore_frames, err);
    if (!status) status = read_list(self, &self->lines, &keep->n_ignore_lines, err);
    keep->ignore_frames = self->frames;
    keep->ignore_lines = self->lines;
    return status;
}

/* A path or the target of a link; kept. */
static pare_status read_name(pare_travelled *self, const char **out, pare_error *err)
{
    const pare_span span = pare_message_span(&self->in);
    if (self->in.is_bad || (span.size && memchr(span.bytes, 0, span.size))) return damaged(err);
    *out = keep_text(self, pare_alloc_text((const char *)span.bytes, span.size));
    return *out ? PARE_OK : pare_fail_nomem(err);
}

static pare_status read_entry(pare_travelled *self, pare_entry *entry, pare_error *err)
{
    pare_message *in = &self->in;
    const uint64_t kind = pare_message_number(in), mode = pare_message_number(in);
    const uint64_t input = pare_message_number(in);
    if (in->is_bad || kind > PARE_ENTRY_FOLDER || mode > 0777 || input > UINT32_MAX)
        return damaged(err);
    *entry =
        (pare_entry){.kind = (pare_entry_kind)kind, .mode = (mode_t)mode, .input = (uint32_t)input};
    pare_status status = read_name(self, &entry->path, err);
    return status ? status : read_name(self, &entry->target, err);
}

/* That its paths stay below the candidate's folder is seen to by pare_layout_recall.  Each entry takes
 * five bytes at least. */
static pare_status read_layout(pare_travelled *self, pare_error *err)
{
    pare_message *in = &self->in;
    if (!pare_message_number(in)) return in->is_bad ? damaged(err) : PARE_OK;
    const pare_span marker = pare_message_span(in);
    const uint64_t is_file = pare_message_number(in), n = pare_message_number(in);
    if (in->is_bad || marker.size != PARE_LAYOUT_MARKER_BYTES || is_file > 1 || !n ||
        n > (in->size - in->at) / 5)
        return damaged(err);
    pare_entry *items = pare_alloc((size_t)n, sizeof *items);
    pare_status status = items ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; i < n && !status; i++)
        status = read_entry(self, &items[i], err);
    if (!status)
        status =
            pare_layout_recall(items, (size_t)n, marker.bytes, is_file != 0, &self->layout, err);
    pare_alloc_free(items);
    return status;
}

/* The tighter of two limits; 0 is none. */
static uint64_t tighter(uint64_t a, uint64_t b)
{
    if (!a || !b) return a ? a : b;
    return a < b ? a : b;
}

static pare_status read_control(pare_travelled *self, pare_error *err)
{
    enum { MOST_CODE = 256 };
    pare_message *in = &self->in;
    self->has_control = pare_message_number(in) != 0;
    if (!self->has_control) return in->is_bad ? damaged(err) : PARE_OK;
    const uint64_t outcome = pare_message_number(in), code = pare_message_number(in);
    self->control.timed_out = pare_message_number(in) != 0;
    if (in->is_bad || outcome > PARE_UNRESOLVED || code > MOST_CODE) return damaged(err);
    self->control.outcome = (pare_outcome)outcome;
    self->control.exit_code = (int)code - 1;
    return PARE_OK;
}

static pare_status read_environment(pare_travelled *self, pare_error *err)
{
    pare_status status = read_list(self, &self->environment, &self->test.n_environment, err);
    self->test.environment = self->environment;
    for (size_t i = 0; i < self->test.n_environment && !status; i++)
        if (!strchr(self->environment[i], '=')) status = damaged(err);
    return status;
}

static pare_status read_test(pare_travelled *self, const pare_safety *own, pare_error *err)
{
    pare_message *in = &self->in;
    pare_test_options *test = &self->test;
    self->is_program = pare_message_number(in);
    self->has_marks = pare_message_number(in);
    (void)pare_message_number(in); /* the mode of the input: the worker's files are its own */
    test->timeout_ms = pare_message_number(in);
    test->also_exit_code = pare_message_number(in) & 0xff;
    test->safety = *own;
    test->safety.memory_bytes = tighter(own->memory_bytes, pare_message_number(in));
    test->safety.cpu_s = tighter(own->cpu_s, pare_message_number(in));
    test->safety.processes = tighter(own->processes, pare_message_number(in));
    test->safety.file_bytes = tighter(own->file_bytes, pare_message_number(in));
    uint64_t addresses = pare_message_number(in);
    (void)pare_message_number(in); /* the net is the worker's to grant */
    uint64_t any = pare_message_number(in), runner = pare_message_number(in);
    if (addresses > PARE_OFF || any > PARE_ANY_EXIT || runner > PARE_RUNNER_WORKER)
        return damaged(err);
    self->any = (pare_any_failure)any;
    /* What else there is to choose from is the worker's own choice. */
    if (runner == PARE_RUNNER_AFL || runner == PARE_RUNNER_INPROCESS)
        test->runner = (pare_runner)runner;
    test->safety.random_addresses = (pare_switch)addresses;
    pare_message_text(in, self->input_name, sizeof self->input_name);
    if (in->is_bad || !pare_message_is_file_name(self->input_name)) return damaged(err);
    return PARE_OK;
}

/* The names come last, with the files, but are needed for the marks before: read ahead. */
static pare_status skip_to_files(pare_message *in, pare_error *err)
{
    for (unsigned i = 0; i < 13; i++)
        (void)pare_message_number(in);
    (void)pare_message_span(in);
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t n = pare_message_number(in); n && !in->is_bad; n--)
            (void)pare_message_span(in);
    for (unsigned i = 0; i < 6; i++)
        (void)pare_message_number(in);
    for (uint64_t n = pare_message_number(in); n && !in->is_bad; n--) {
        (void)pare_message_number(in);
        (void)pare_message_span(in);
    }
    for (unsigned i = 0; i < 4; i++)
        if (pare_message_number(in)) (void)pare_message_span(in);
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t n = pare_message_number(in); n && !in->is_bad; n--)
            (void)pare_message_span(in);
    return in->is_bad ? damaged(err) : PARE_OK;
}

static pare_status read_names(pare_travelled *self, pare_message in, pare_error *err)
{
    uint64_t n = pare_message_number(&in);
    if (in.is_bad || n > MOST_FILES) return damaged(err);
    for (size_t i = 0; i < n; i++) {
        pare_message_text(&in, self->names[i], NAME_BYTES);
        (void)pare_message_number(&in);
        (void)pare_message_number(&in);
        (void)pare_message_span(&in);
        if (in.is_bad) return damaged(err);
        if (!pare_message_is_file_name(self->names[i]))
            return pare_fail(err, PARE_E_CORRUPT,
                             "the test names a file '%s', which is no name of a file",
                             self->names[i]);
    }
    self->n_names = (size_t)n;
    return PARE_OK;
}

static pare_status write_files(pare_travelled *self, pare_message in, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_buffer path = {0}, text = {0};
    uint64_t n = pare_message_number(&in);
    for (size_t i = 0; i < n && !status; i++) {
        (void)pare_message_span(&in);
        uint64_t mode = pare_message_number(&in), is_script = pare_message_number(&in);
        pare_span bytes = pare_message_span(&in);
        pare_buffer_reset(&path);
        pare_buffer_reset(&text);
        status = pare_buffer_format(&path, err, "%s/%s", self->folder, self->names[i]);
        if (!status && is_script) status = fill_marks(self, bytes, &text, err);
        if (is_script) bytes = (pare_span){(const unsigned char *)text.data, text.size};
        if (!status) status = pare_file_write_bytes(path.data, bytes.bytes, bytes.size, err);
        if (!status && chmod(path.data, (mode & 0111 ? 0700 : 0600)))
            status = pare_fail(err, PARE_E_IO, "cannot make %s executable", path.data);
    }
    pare_buffer_done(&path);
    pare_buffer_done(&text);
    return status;
}

/* A test sees its folder, also where its sandbox hides others. */
static pare_status show_folder(pare_travelled *self, const pare_safety *own, pare_error *err)
{
    self->visible = pare_alloc(own->n_visible + 1, sizeof *self->visible);
    if (!self->visible) return pare_fail_nomem(err);
    for (size_t i = 0; i < own->n_visible; i++)
        self->visible[i] = own->visible[i];
    self->visible[own->n_visible] = self->folder;
    self->test.safety.visible = self->visible;
    self->test.safety.n_visible = own->n_visible + 1;
    return PARE_OK;
}

static pare_status open_oracle(pare_travelled *self, const pare_travel_place *place,
                               pare_error *err)
{
    pare_text *empty = NULL;
    self->input = (pare_input_options){.bytes = "", .name = self->input_name};
    if (self->is_program)
        self->test.program = self->words, self->test.n_program = (size_t)self->n_program;
    else
        self->test.command = self->words[0];
    self->test.flaky = PARE_FLAKY_OFF;
    self->test.owns_children = true;
    const pare_session_oracle_options asked = {.input = &self->input,
                                               .test = &self->test,
                                               .keep = &self->keep,
                                               .layout = self->layout,
                                               .has_marks = self->has_marks != 0,
                                               .jobs = place->n_slots,
                                               .stop = place->stop,
                                               .any = self->any};
    pare_status status = pare_session_oracle_open(&asked, &self->oracle, err);
    if (status) return status;
    self->is_open = true;
    if (self->learned_ms) pare_session_oracle_set_timeout(&self->oracle, self->learned_ms);
    if (self->any) return PARE_OK;
    status = pare_text_copy("", 0, &empty, err);
    if (!status) status = pare_learn_signature_choose(&self->oracle, NULL, empty, err);
    pare_text_unref(empty);
    return status;
}

/* Whether there is room for what small tests write. */
static bool has_room(const char *folder)
{
    enum { LEAST_BYTES = 1 << 20, LEAST_FILES = 16 };
    struct statvfs disk;
    if (statvfs(folder, &disk)) return false;
    return (uint64_t)disk.f_bavail * disk.f_frsize >= LEAST_BYTES &&
           (!disk.f_files || disk.f_favail >= LEAST_FILES);
}

/* The folder of those that tests write to whose disk is full; "": none. */
static const char *full_folder(const pare_travelled *self)
{
    const char *scratch = getenv("TMPDIR");
    if (!scratch) scratch = "/tmp";
    if (!has_room(self->folder)) return self->folder;
    return has_room(scratch) ? "" : scratch;
}

static pare_digest state_of(const pare_travelled *self)
{
    const char *full = full_folder(self);
    return pare_checksum_wide(pare_programs_state(&self->programs), full, strlen(full));
}

/* What differs from the machine that the test comes from. */
static pare_status compare(pare_travelled *self, pare_error *err)
{
    const char *full = full_folder(self);
    pare_status status = pare_programs_compare(&self->programs, &self->differs, err);
    if (!status && *full)
        status = pare_buffer_format(&self->differs, err, "%sthe disk of %s is full there",
                                    self->differs.size ? "; " : "", full);
    return status ? status : pare_buffer_add(&self->differs, "", 1, err);
}

bool pare_travel_is_changed(const pare_travelled *travelled)
{
    return !pare_digest_equal(state_of(travelled), travelled->state);
}

pare_status pare_travel_unpack(pare_span description, const pare_travel_place *place,
                               pare_travelled **out, pare_error *err)
{
    pare_travelled *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->folder = place->folder;
    self->in = pare_message_of(description.bytes, description.size);
    self->learned_ms = pare_message_number(&self->in);
    pare_status status = read_control(self, err);
    if (!status) status = read_layout(self, err);
    pare_programs_read(&self->programs, &self->in);
    self->state = state_of(self);
    pare_message files = self->in;
    size_t n_words = 0;
    if (!status) status = skip_to_files(&files, err);
    if (!status) status = read_names(self, files, err);
    if (!status) status = read_test(self, place->safety, err);
    if (!status) status = read_list(self, &self->words, &n_words, err);
    if (!status && !n_words) status = damaged(err);
    self->n_program = n_words;
    if (!status) status = read_environment(self, err);
    if (!status) status = read_keep(self, err);
    if (!status) status = write_files(self, files, err);
    if (!status) status = show_folder(self, place->safety, err);
    if (!status) status = open_oracle(self, place, err);
    if (!status) status = compare(self, err);
    if (status) {
        pare_travel_free(self);
        return status;
    }
    *out = self;
    return PARE_OK;
}

pare_oracle *pare_travel_oracle(const pare_travelled *travelled)
{
    return travelled->oracle.oracle;
}

const pare_serve_control *pare_travel_control(const pare_travelled *travelled)
{
    return travelled->has_control ? &travelled->control : NULL;
}

const char *pare_travel_differs(const pare_travelled *travelled)
{
    return travelled->differs.data;
}

void pare_travel_free(pare_travelled *travelled)
{
    if (!travelled) return;
    if (travelled->is_open) pare_session_oracle_close(&travelled->oracle);
    for (size_t i = 0; i < travelled->n_texts; i++)
        pare_alloc_free(travelled->texts[i]);
    pare_alloc_free(travelled->texts);
    pare_alloc_free(travelled->words);
    pare_alloc_free(travelled->patterns);
    pare_alloc_free(travelled->frames);
    pare_alloc_free(travelled->lines);
    pare_alloc_free(travelled->environment);
    pare_alloc_free(travelled->visible);
    pare_layout_free(travelled->layout);
    pare_buffer_done(&travelled->differs);
    pare_alloc_free(travelled);
}
