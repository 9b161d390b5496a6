/* Tests that travel, unpacked: the files are written, marks become their paths, and an oracle is opened.
 *
 * A description comes from whoever can write to the server, so nothing in it is believed: numbers are
 * bounded, names are one part of a path, limits are the tighter of its and ours, and whatever does not
 * end where it should is PARE_E_CORRUPT.  The order is that of pack (travel.c).
 * Invariant: nothing is written outside the folder that the worker gave.
 * What the test needs here is looked at again after each test (pare_travelled_is_changed): that the
 * input failed says nothing of an hour later (docs/design/remote.md). */
#include "session/test/travelled.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <pare/input.h>
#include <pare/keep.h>
#include <pare/outcome.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/entries.h"
#include "os/file.h"
#include "run/command.h"
#include "run/judge.h"
#include "run/oracle.h"
#include "run/remote/message.h"
#include "session/test/learn_signature.h"
#include "session/test/programs.h"
#include "session/test/session_oracle.h"
#include "session/test/travel.h"
#include "text/layout.h"
#include "text/text.h"

/* A test that has arrived.  `in` stands at what is read next; the options that follow point into
 * `texts`. */
struct pare_travelled {
    pare_session_oracle oracle;
    bool is_open;
    pare_message in;
    const char *folder;
    char names[PARE_TRAVEL_MOST_FILES][PARE_TRAVEL_NAME_BYTES];
    size_t n_names;
    char **texts; /* owned, all texts below */
    size_t n_texts, capacity;
    pare_input_options input;
    char input_name[PARE_TRAVEL_NAME_BYTES];
    pare_test_options test;
    pare_keep keep;
    uint64_t learned_ms, kind, n_program, has_marks;
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

/* One sentence for all damage: whoever packed the test is another version of pare, and
 * a user can do nothing about a field. */
static pare_status damaged(pare_error *err)
{
    return pare_fail(err, PARE_E_CORRUPT, "the description of the test is damaged");
}

/* Keeps a text until the end, when all are freed together.  NULL: memory is out, and
 * `text` is freed. */
static char *keep_text(pare_travelled *self, char *text)
{
    assert(self->n_texts <= self->capacity);
    if (text && self->n_texts == self->capacity) {
        /* Doubled each time, so that a description of many texts costs no more than to
         * read it. */
        size_t capacity = self->capacity ? self->capacity * 2 : 64;
        char **texts = pare_alloc_resize(self->texts, capacity, sizeof *texts);
        if (!texts) return pare_alloc_free(text), NULL;
        self->texts = texts;
        self->capacity = capacity;
    }
    if (text) self->texts[self->n_texts++] = text;
    return text;
}

/* Appends `from` with the paths of files in the place of marks: "\1" 2 "\1" becomes
 * FOLDER and the name of file 2.  A mark that does not end, or names no file, is
 * damage. */
static pare_status fill_marks(const pare_travelled *self, pare_span from, pare_buffer *to,
                              pare_error *err)
{
    pare_status status = PARE_OK;
    /* From mark to mark; what is between is copied. */
    for (size_t at = 0; at < from.size && !status;) {
        const unsigned char *mark = memchr(from.bytes + at, PARE_TRAVEL_MARK, from.size - at);
        size_t n = mark ? (size_t)(mark - from.bytes) - at : from.size - at;
        status = n ? pare_buffer_add(to, from.bytes + at, n, err) : PARE_OK;
        at += n;
        if (!mark || status) continue;
        size_t number = 0;
        for (at++; at < from.size && isdigit(from.bytes[at]) && number < PARE_TRAVEL_MOST_FILES;
             at++)
            number = number * 10 + (size_t)(from.bytes[at] - '0');
        if (at == from.size || from.bytes[at++] != PARE_TRAVEL_MARK || number >= self->n_names)
            return damaged(err);
        status = pare_buffer_format(to, err, "%s/%s", self->folder, self->names[number]);
    }
    return status;
}

/* Reads a text with marks, which is kept.  A zero byte in it is damage: the text would
 * end there for whoever uses it, and not for us. */
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

/* Reads a text that may be missing, as add_optional of travel.c writes it; *out then
 * stays NULL. */
static pare_status read_optional(pare_travelled *self, const char **out, pare_error *err)
{
    return pare_message_number(&self->in) ? read_text(self, out, err) : PARE_OK;
}

/* Reads a number and as many texts.  *out is owned by `self` as soon as it is set, also
 * on failure, and ends with a NULL. */
static pare_status read_list(pare_travelled *self, const char ***out, size_t *n, pare_error *err)
{
    *n = (size_t)pare_message_number(&self->in);
    if (self->in.is_bad || *n > PARE_TRAVEL_MOST_WORDS) return *n = 0, damaged(err);
    *out = pare_alloc_zero(*n + 1, sizeof **out);
    pare_status status = *out ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; i < *n && !status; i++)
        status = read_text(self, &(*out)[i], err);
    return status;
}

/* Reads the patterns that the output must match. Whether they are regular expressions is checked
 * when the oracle is made. */
static pare_status read_patterns(pare_travelled *self, size_t n, pare_error *err)
{
    if (self->in.is_bad || n > PARE_TRAVEL_MOST_WORDS) return damaged(err);
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

/* Reads what counts as the failure, as add_keep in travel.c writes it. */
static pare_status read_keep(pare_travelled *self, pare_error *err)
{
    pare_keep *keep = &self->keep;
    pare_message *in = &self->in;
    keep->use_exit_code = pare_message_number(in) != 0;
    /* It was written one larger, so that -1, for none, is 0: nine bits hold 0 .. 256. */
    keep->exit_code = (int)(pare_message_number(in) & 0x1ff) - 1;
    keep->hang_ms = pare_message_number(in);
    keep->max_rss_bytes = pare_message_number(in);
    uint64_t level = pare_message_number(in);
    keep->allow_new_errors = pare_message_number(in) != 0;
    if (level > PARE_KEEP_LINE) return damaged(err);
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

/* Reads a path or the target of a link, which is kept; without marks, as it is not one
 * of the files that travel. */
static pare_status read_name(pare_travelled *self, const char **out, pare_error *err)
{
    const pare_span span = pare_message_span(&self->in);
    if (self->in.is_bad || (span.size && memchr(span.bytes, 0, span.size))) return damaged(err);
    *out = keep_text(self, pare_alloc_text((const char *)span.bytes, span.size));
    return *out ? PARE_OK : pare_fail_nomem(err);
}

/* Reads a file or folder of the input, a word of the command line, or a variable of the
 * environment (NAME=VALUE).
 * A kind, a mode or a number that no layout has is damage; what of a path would leave
 * the folder is found by pare_layout_recall. */
static pare_status read_entry(pare_travelled *self, pare_entry *entry, pare_error *err)
{
    pare_message *in = &self->in;
    const uint64_t kind = pare_message_number(in), mode = pare_message_number(in);
    const uint64_t input = pare_message_number(in);
    if (in->is_bad || kind > PARE_ENTRY_VARIABLE || mode > 0777 || input > UINT32_MAX)
        return damaged(err);
    *entry =
        (pare_entry){.kind = (pare_entry_kind)kind, .mode = (mode_t)mode, .input = (uint32_t)input};
    pare_status status = read_name(self, &entry->path, err);
    if (!status) status = read_name(self, &entry->target, err);
    if (!status && kind == PARE_ENTRY_VARIABLE && !strchr(entry->target, '=')) return damaged(err);
    return status;
}

/* Reads the entries. pare_layout_recall checks that their paths stay below the candidate's folder.
 * Each takes five bytes at least, which bounds their number. */
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

/* The tighter of two limits, where 0 means none: of 0 and 5 that is 5, of 3 and 5 it is
 * 3. */
static uint64_t tighter(uint64_t a, uint64_t b)
{
    if (!a || !b) return a ? a : b;
    return a < b ? a : b;
}

/* Reads what the control showed on the machine that the test comes from, if it was run
 * there.
 * The exit code was written one larger, as that of add_keep, so that 0 is none. */
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

/* Reads the variables that the test is given.  Each is NAME=VALUE, or nothing is set: a
 * word without "=" would not be one of an environment. */
static pare_status read_environment(pare_travelled *self, pare_error *err)
{
    pare_status status = read_list(self, &self->environment, &self->test.n_environment, err);
    self->test.environment = self->environment;
    for (size_t i = 0; i < self->test.n_environment && !status; i++)
        if (!strchr(self->environment[i], '=')) status = damaged(err);
    return status;
}

/* How the test is run.  Where the worker's user has set limits of his own the tighter ones hold;
 * the net, the sandbox and the mode of files are his alone to grant. */
static pare_status read_test(pare_travelled *self, const pare_safety *own, pare_error *err)
{
    pare_message *in = &self->in;
    pare_test_options *test = &self->test;
    self->kind = pare_message_number(in);
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
    if (self->kind > PARE_TRAVEL_WORKER || addresses > PARE_OFF || any > PARE_ANY_EXIT ||
        runner > PARE_RUNNER_WORKER)
        return damaged(err);
    self->any = (pare_any_failure)any;
    /* Between the other runners the worker chooses by itself. */
    if (runner == PARE_RUNNER_AFL || runner == PARE_RUNNER_INPROCESS)
        test->runner = (pare_runner)runner;
    test->safety.random_addresses = (pare_switch)addresses;
    pare_message_text(in, self->input_name, sizeof self->input_name);
    if (in->is_bad || !pare_message_is_file_name(self->input_name)) return damaged(err);
    return PARE_OK;
}

/* Moves `in` to the files, which come last: their names are needed for the marks before
 * them.  Counts the fields that pack (travel.c) writes, without looking at them. */
static pare_status skip_to_files(pare_message *in, pare_error *err)
{
    /* The numbers of `pack`, then the name of the input. */
    for (unsigned i = 0; i < 13; i++)
        (void)pare_message_number(in);
    (void)pare_message_span(in);
    /* The words, and the variables. */
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t n = pare_message_number(in); n && !in->is_bad; n--)
            (void)pare_message_span(in);
    /* add_keep: six numbers, the patterns, four texts that may be missing, two lists. */
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

/* A file of the description: its bytes, or what they are. */
struct sent_file {
    char name[PARE_TRAVEL_NAME_BYTES];
    uint64_t mode, is_script, is_apart;
    pare_span bytes;
    pare_file_id id; /* is_apart */
};

/* Reads a file that add_file_entry (travel.c) wrote: its bytes, or, apart from the
 * description, its size and digests.  A script is never apart, as it has marks. */
static pare_status read_file(pare_message *in, struct sent_file *file, pare_error *err)
{
    *file = (struct sent_file){.mode = 0};
    pare_message_text(in, file->name, sizeof file->name);
    file->mode = pare_message_number(in);
    file->is_script = pare_message_number(in);
    file->is_apart = pare_message_number(in);
    if (!file->is_apart) {
        file->bytes = pare_message_span(in);
        return in->is_bad ? damaged(err) : PARE_OK;
    }
    const uint64_t size = pare_message_number(in);
    file->id.text = pare_message_digest(in);
    const unsigned char *sha = pare_message_bytes(in, sizeof file->id.sha);
    if (in->is_bad || !sha || file->is_script || size > PARE_TRAVEL_MOST_BYTES) return damaged(err);
    memcpy(file->id.sha, sha, sizeof file->id.sha);
    file->id.size = (size_t)size;
    return PARE_OK;
}

/* Notes the names of the files, which marks stand for.  `in` is a copy of the reader that stands at
 * them. */
static pare_status read_names(pare_travelled *self, pare_message in, pare_error *err)
{
    uint64_t n = pare_message_number(&in);
    if (in.is_bad || n > PARE_TRAVEL_MOST_FILES) return damaged(err);
    for (size_t i = 0; i < n; i++) {
        struct sent_file file;
        pare_status status = read_file(&in, &file, err);
        if (status) return status;
        memcpy(self->names[i], file.name, sizeof file.name);
        if (!pare_message_is_file_name(self->names[i]))
            return pare_fail(err, PARE_E_CORRUPT,
                             "the test names a file '%s', which is not a valid name",
                             self->names[i]);
    }
    self->n_names = (size_t)n;
    return PARE_OK;
}

/* Writes the files into the worker's folder, scripts with the paths that they have here.  Of a mode
 * only whether the file can be executed is taken: nobody else is to read or write what a test
 * brings. */
static pare_status write_files(const pare_travelled *self, pare_message in,
                               const pare_travelled_place *place, pare_error *err)
{
    const pare_file_source *files = place->files;
    pare_status status = PARE_OK;
    pare_buffer path = {0}, text = {0};
    size_t left = PARE_TRAVEL_MOST_BYTES;
    uint64_t n = pare_message_number(&in);
    /* read_names has seen that there are not too many of them. */
    for (size_t i = 0; i < n && !status; i++) {
        struct sent_file file;
        pare_buffer_reset(&path);
        pare_buffer_reset(&text);
        status = read_file(&in, &file, err);
        if (!status) status = pare_buffer_format(&path, err, "%s/%s", place->folder, file.name);
        if (!status && file.is_script) status = fill_marks(self, file.bytes, &text, err);
        /* Whoever packed the test has said how large they are: more than all files may
         * have together is damage. */
        if (!status && file.is_apart && (!files || file.id.size > left)) status = damaged(err);
        if (!status && file.is_apart) {
            left -= file.id.size;
            status = files->fetch(files->context, &file.id, &text, err);
        }
        if (file.is_script || file.is_apart)
            file.bytes = (pare_span){(const unsigned char *)text.data, text.size};
        if (!status)
            status = pare_file_write_bytes(path.data, file.bytes.bytes, file.bytes.size, err);
        if (!status && chmod(path.data, (file.mode & 0111 ? 0700 : 0600)))
            status = pare_fail(err, PARE_E_IO, "cannot make %s executable", path.data);
    }
    pare_buffer_done(&path);
    pare_buffer_done(&text);
    return status;
}

/* A test sees its folder, also where its sandbox hides others: that one is added to
 * what the worker's user has made visible. */
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

/* Whether the entries of the layout fit what is run: words of a command line are those
 * of a program, and its command line has as many words as candidates may have, since
 * what runs them has room for no more. */
static bool fits_words(const pare_travelled *self)
{
    const pare_command *command = self->oracle.command;
    if (!self->layout || !(self->layout->n_arguments + self->layout->n_variables)) return true;
    if (self->kind != PARE_TRAVEL_PROGRAM) return false;
    if (!self->layout->n_arguments) return true;
    return !command->is_shell &&
           self->layout->n_arguments + pare_command_first_argument(command) <= command->n_words;
}

/* Makes the oracle of the test.  Flakiness is not looked for here, it is the coordinator's
 * affair. */
static pare_status open_oracle(pare_travelled *self, const pare_travelled_place *place,
                               pare_error *err)
{
    pare_text *empty = NULL;
    /* Candidates come one by one; the input is one of them, so there is nothing to read
     * here. */
    self->input = (pare_input_options){.bytes = "", .name = self->input_name};
    if (self->kind == PARE_TRAVEL_PROGRAM)
        self->test.program = self->words, self->test.n_program = (size_t)self->n_program;
    else if (self->kind == PARE_TRAVEL_WORKER)
        self->test.worker = self->words[0];
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
    if (!fits_words(self)) return damaged(err);
    if (self->learned_ms) pare_session_oracle_set_timeout(&self->oracle, self->learned_ms);
    /* A test that looks for any failure has no signature. */
    if (self->any) return PARE_OK;
    status = pare_text_copy("", 0, &empty, err);
    if (!status) status = pare_learn_signature_choose(&self->oracle, NULL, empty, err);
    pare_text_unref(empty);
    return status;
}

/* Whether there is room for what small tests write; a folder that cannot be looked at
 * has none. */
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

/* Digest of what outcomes depend on besides the candidate and may change: the programs that the
 * test calls, and a full disk. Taken after each test, so it looks at facts about files and never
 * reads them. */
static pare_digest state_of(const pare_travelled *self)
{
    const char *full = full_folder(self);
    return pare_checksum_wide(pare_programs_state(&self->programs), full, strlen(full));
}

/* A pare_program_asker's.  Where the worker's tests are not in the full sandbox nothing
 * is run for this: a test names the program, and whoever sent it could name any. */
static void ask_version(void *context, const char *path, char line[PARE_PROGRAM_VERSION_BYTES])
{
    const pare_travelled *self = context;
    line[0] = '\0';
    if (self->test.safety.sandbox != PARE_SANDBOX_FULL) return;
    (void)!pare_programs_version(path, &self->test.safety, true, line);
}

/* Compares this machine with the one that the test comes from. Has to come before the oracle is
 * made, which owns all child processes from then on. */
static pare_status compare(pare_travelled *self, pare_error *err)
{
    const char *full = full_folder(self);
    const pare_program_asker asker = {.ask = ask_version, .context = self};
    pare_status status = pare_programs_compare(&self->programs, &asker, &self->differs, err);
    if (!status && *full)
        status = pare_buffer_format(&self->differs, err, "%sthe disk of %s is full there",
                                    self->differs.size ? "; " : "", full);
    return status ? status : pare_buffer_add(&self->differs, "", 1, err);
}

/* A look at some dozen files; a test takes a hundred times as long. */
bool pare_travelled_is_changed(const pare_travelled *travelled)
{
    return !pare_digest_equal(state_of(travelled), travelled->state);
}

/* Reads the description.  The order is that of pack in travel.c, but that the names of
 * the files, which come last, are read ahead.  Nothing is written before all of it was
 * read and found whole. */
pare_status pare_travelled_unpack(pare_span description, const pare_travelled_place *place,
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
    /* A copy: `self->in` is still needed for what stands before the files. */
    pare_message files = self->in;
    size_t n_words = 0;
    if (!status) status = skip_to_files(&files, err);
    if (!status) status = read_names(self, files, err);
    if (!status) status = read_test(self, place->safety, err);
    if (!status) status = read_list(self, &self->words, &n_words, err);
    /* A test of no words would be none, and word 0 is looked at below. */
    if (!status && !n_words) status = damaged(err);
    self->n_program = n_words;
    if (!status) status = read_environment(self, err);
    if (!status) status = read_keep(self, err);
    if (!status) status = write_files(self, files, place, err);
    if (!status) status = show_folder(self, place->safety, err);
    if (!status) status = compare(self, err);
    if (!status) status = open_oracle(self, place, err);
    if (status) {
        pare_travelled_free(self);
        return status;
    }
    *out = self;
    return PARE_OK;
}

pare_oracle *pare_travelled_oracle(const pare_travelled *travelled)
{
    return travelled->oracle.oracle;
}

const pare_serve_control *pare_travelled_control(const pare_travelled *travelled)
{
    return travelled->has_control ? &travelled->control : NULL;
}

/* Set by compare, with its NUL; "": nothing differs. */
const char *pare_travelled_differs(const pare_travelled *travelled)
{
    return travelled->differs.data;
}

/* The folder with its files is the worker's to remove. */
void pare_travelled_free(pare_travelled *travelled)
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
