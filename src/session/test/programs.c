/* Programs by their names, found and compared.
 *
 * A word is a run of characters of names and paths.  Each is tried once, up to a bound, so a script that
 * holds a long text costs no more than some thousand looks into PATH. */
#include "session/test/programs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/input.h>
#include <pare/keep.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/visible.h"
#include "os/executable.h"
#include "os/file.h"
#include "run/oracle.h"
#include "session/test/session_oracle.h"
#include "text/candidate.h"
#include "text/text.h"

/* Words that are looked up in a text; programs that are asked for their version. */
enum { MOST_WORDS = 4096, MOST_ASKED = 3 };

/* Whether the character is one of names of programs and of paths to them. */
static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_+.-/", c));
}

/* The path of the program called `name`, which the caller owns; NULL: it is not in
 * PATH, or no file that can be executed.  A path from the current folder is none: it
 * would be another file on another machine. */
static char *find_program(const char *name)
{
    char *found = NULL;
    if (!strchr(name, '/')) return pare_executable_find(name, &found, NULL) ? NULL : found;
    if (*name != '/' || access(name, X_OK)) return NULL;
    return pare_alloc_text(name, strlen(name));
}

/* Sets path and digest of the program called `name`; false: it is not there.  Reads all
 * of the file, for the digest. */
static bool look_up(const char *name, pare_program *out)
{
    char resolved[4096], *found = find_program(name);
    pare_hash hash = {0};
    size_t size = 0;
    if (!found) return false;
    /* PATH_MAX is 4096 here. */
    const bool is_there = realpath(found, resolved) && pare_file_is_regular(resolved) &&
                          !pare_file_hash(resolved, &hash, &size, NULL);
    pare_alloc_free(found);
    if (!is_there) return false;
    (void)snprintf(out->name, sizeof out->name, "%s", name);
    (void)snprintf(out->path, sizeof out->path, "%.255s", resolved);
    out->digest = pare_digest_of(hash, size);
    return true;
}

/* Whether a program of this name is known.  At most PARE_PROGRAMS_MOST are. */
static bool has(const pare_programs *programs, const char *name)
{
    for (size_t i = 0; i < programs->n; i++)
        if (strcmp(programs->items[i].name, name) == 0) return true;
    return false;
}

/* Adds each program that is named by a word of the text.  Goes by words alone, in
 * comments of shell scripts not even by those: a word too many costs a look into PATH,
 * and a program that is compared though the test never calls it. */
void pare_programs_find(pare_programs *programs, const char *text, size_t size)
{
    size_t n_words = 0;
    for (size_t at = 0; at < size && n_words < MOST_WORDS;) {
        char name[PARE_PROGRAM_NAME_BYTES];
        const bool starts = at == 0 || isspace((unsigned char)text[at - 1]);
        /* "#!" at the start is no comment: it names the interpreter. */
        if (text[at] == '#' && starts && !(at == 0 && size > 1 && text[1] == '!')) {
            const char *end = memchr(text + at, '\n', size - at);
            at = end ? (size_t)(end - text) : size;
            continue;
        }
        size_t n = 0;
        while (at + n < size && is_of_word(text[at + n]))
            n++;
        /* Neither an option nor a variable. */
        const bool may_be = n > 0 && n < sizeof name && text[at] != '-' && text[at] != '.' &&
                            !(at > 0 && text[at - 1] == '$');
        if (may_be && programs->n < PARE_PROGRAMS_MOST) {
            memcpy(name, text + at, n);
            name[n] = '\0';
            n_words++;
            if (!has(programs, name) && look_up(name, &programs->items[programs->n])) programs->n++;
        }
        at += n ? n : 1;
    }
}

/* Writes the number of programs, then of each its name, its path and its digest. */
pare_status pare_programs_write(const pare_programs *programs, pare_buffer *to, pare_error *err)
{
    pare_status status = pare_message_add_number(to, programs->n, err);
    for (size_t i = 0; i < programs->n && !status; i++) {
        const pare_program *program = &programs->items[i];
        status = pare_message_add_text(to, program->name, err);
        if (!status) status = pare_message_add_text(to, program->path, err);
        if (!status) status = pare_message_add_digest(to, program->digest, err);
    }
    return status;
}

/* Comes from another machine: more than there can be are damage, and names are what a terminal may
 * show.  Errors: message->is_bad. */
void pare_programs_read(pare_programs *programs, pare_message *message)
{
    uint64_t n = pare_message_number(message);
    if (n > PARE_PROGRAMS_MOST) message->is_bad = true;
    programs->n = 0;
    for (uint64_t i = 0; i < n && !message->is_bad; i++) {
        pare_program *program = &programs->items[programs->n++];
        pare_message_text(message, program->name, sizeof program->name);
        pare_message_text(message, program->path, sizeof program->path);
        program->digest = pare_message_digest(message);
    }
}

/* Says that a program differs here and there: its path, its version, and a few digits
 * of the digests, which tell as much as all of them.
 * "gcc is another version there (/usr/bin/gcc-12), there 'gcc 12.2.0', digest 0123abcd
 * there, 4567cdef here".  pare_programs_tell_own finds programs in it by these words. */
static pare_status add_other(const pare_program *own, const pare_program *other,
                             const pare_program_asker *asker, pare_buffer *to, pare_error *err)
{
    enum { N_DIGITS = 8 };
    char line[PARE_PROGRAM_VERSION_BYTES] = "";
    char there[PARE_DIGEST_TEXT_BYTES], here[PARE_DIGEST_TEXT_BYTES];
    if (asker) asker->ask(asker->context, own->path, line);
    pare_digest_text(own->digest, there);
    pare_digest_text(other->digest, here);
    pare_status status = strcmp(own->path, other->path) != 0
                             ? pare_buffer_format(to, err, "%s is %s there, %s here", other->name,
                                                  own->path, other->path)
                             : pare_buffer_format(to, err, "%s is another version there (%s)",
                                                  other->name, own->path);
    if (!status && *line) status = pare_buffer_format(to, err, ", there '%s'", line);
    return status ? status
                  : pare_buffer_format(to, err, ", digest %.*s there, %.*s here", N_DIGITS, there,
                                       N_DIGITS, here);
}

/* Appends missing programs and others, as parts of one sentence with "; " between them;
 * nothing where all are the same.
 * Only the first MOST_ASKED are asked for their version, since each runs a process. */
pare_status pare_programs_compare(const pare_programs *theirs, const pare_program_asker *asker,
                                  pare_buffer *to, pare_error *err)
{
    pare_status status = PARE_OK;
    unsigned n_asked = 0;
    const size_t start = to->size;
    for (size_t i = 0; i < theirs->n && !status; i++) {
        const pare_program *other = &theirs->items[i];
        pare_program own = {.name = ""};
        const bool is_there = look_up(other->name, &own);
        if (is_there && pare_digest_equal(own.digest, other->digest)) continue;
        if (to->size > start) status = pare_buffer_text(to, "; ", err);
        if (status) break;
        if (!is_there)
            status = pare_buffer_format(to, err, "%s is missing there", other->name);
        else
            status = add_other(&own, other, n_asked++ < MOST_ASKED ? asker : NULL, to, err);
    }
    return status;
}

/* Whether the sentence says that the program is another one there, in the words of
 * add_other.  It is looked for by its path here, which stands in it: "gcc is
 * /opt/bin/gcc there, /usr/bin/gcc here" names that of /usr/bin/gcc. */
static bool is_named(const pare_program *own, const char *sentence)
{
    const size_t n = strlen(own->path);
    for (const char *at = sentence; (at = strstr(at, own->path)) != NULL; at += n) {
        const bool is_other = strncmp(at + n, " here", 5) == 0;
        /* "(PATH)" is said where both machines have it at the same path. */
        const bool is_same_path = at > sentence && at[-1] == '(' && at[n] == ')';
        if (n && (is_other || is_same_path)) return true;
    }
    return false;
}

/* Only asks programs of `own`, whatever the sentence names: it comes from another machine. */
pare_status pare_programs_tell_own(const pare_programs *own, const char *sentence,
                                   const pare_program_asker *asker, pare_buffer *to,
                                   pare_error *err)
{
    pare_status status = PARE_OK;
    unsigned n_asked = 0;
    for (size_t i = 0; i < own->n && n_asked < MOST_ASKED && !status; i++) {
        char line[PARE_PROGRAM_VERSION_BYTES] = "";
        if (!is_named(&own->items[i], sentence)) continue;
        n_asked++;
        asker->ask(asker->context, own->items[i].path, line);
        if (*line)
            status = pare_buffer_format(to, err, "; %s says '%s' here", own->items[i].name, line);
    }
    return status;
}

/* Copies the first line of `text` to be quoted in a sentence: without quotes and
 * control characters.  Lines that are empty are passed over. */
static void take_first_line(const char *text, char line[PARE_PROGRAM_VERSION_BYTES])
{
    text += strspn(text, " \t\r\n");
    (void)pare_visible_copy(line, PARE_PROGRAM_VERSION_BYTES, text, strcspn(text, "\n"), SIZE_MAX);
    for (char *at = line; (at = strchr(at, '\''));)
        *at = '?';
}

/* Runs one test of an empty candidate, and takes the first line of what it prints, if
 * it ended by itself with exit code 0. */
static pare_status run_once(const pare_test_options *test, char line[PARE_PROGRAM_VERSION_BYTES])
{
    pare_text *empty = NULL;
    pare_candidate candidate = {0};
    pare_session_oracle oracle = {.oracle = NULL};
    pare_wait what = PARE_WAIT_VERDICT;
    pare_verdict verdict;
    const pare_keep keep = {.use_exit_code = false};
    const pare_input_options input = {.bytes = "", .name = "version"};
    const pare_session_oracle_options asked = {
        .input = &input, .test = test, .keep = &keep, .jobs = 1};
    pare_status status = pare_text_copy("", 0, &empty, NULL);
    if (!status) status = pare_session_oracle_open(&asked, &oracle, NULL);
    const bool is_open = !status;
    if (!status) {
        pare_candidate_start(&candidate, empty);
        pare_session_oracle_capture(&oracle);
        status = oracle.oracle->ops->start(oracle.oracle, 0, &candidate, NULL);
        pare_candidate_done(&candidate);
    }
    if (!status) status = oracle.oracle->ops->wait(oracle.oracle, -1, &what, &verdict, NULL);
    if (!status && what == PARE_WAIT_VERDICT && !verdict.exit_code && !verdict.timed_out)
        take_first_line(pare_session_oracle_captured(&oracle), line);
    if (is_open) pare_session_oracle_close(&oracle);
    pare_text_unref(empty);
    return status;
}

/* The sandbox shows the program's own file, too, wherever it is. */
pare_status pare_programs_version(const char *path, const pare_safety *safety, bool owns_children,
                                  char line[PARE_PROGRAM_VERSION_BYTES])
{
    enum { VERSION_MS = 2000 };
    pare_buffer command = {0};
    const char **visible = NULL;
    /* The path is quoted by apostrophes below. */
    if (strchr(path, '\'')) return PARE_OK;
    /* A shell's line, so that the program's standard input is the empty candidate and
     * not ours. */
    pare_status status = pare_buffer_format(&command, NULL, "'%s' --version <\"$1\"", path);
    if (!status && !(visible = pare_alloc(safety->n_visible + 1, sizeof *visible)))
        status = PARE_E_NOMEM;
    if (!status) {
        for (size_t i = 0; i < safety->n_visible; i++)
            visible[i] = safety->visible[i];
        visible[safety->n_visible] = path;
        pare_test_options test = {.command = command.data,
                                  .timeout_ms = VERSION_MS,
                                  .safety = *safety,
                                  .runner = PARE_RUNNER_SPAWN,
                                  .flaky = PARE_FLAKY_OFF,
                                  .owns_children = owns_children};
        test.safety.sandbox = PARE_SANDBOX_FULL;
        test.safety.visible = visible;
        test.safety.n_visible = safety->n_visible + 1;
        status = run_once(&test, line);
    }
    pare_alloc_free(visible);
    pare_buffer_done(&command);
    return status;
}

/* By what stat tells: a program that was replaced has another inode or another time.  One that is
 * missing counts by its number, so that its coming is a change. */
pare_digest pare_programs_state(const pare_programs *programs)
{
    pare_digest state = {.high = 0};
    for (size_t i = 0; i < programs->n; i++) {
        char *found = find_program(programs->items[i].name);
        struct stat about;
        uint64_t facts[6] = {i};
        if (found && !stat(found, &about)) {
            facts[0] = (uint64_t)about.st_dev;
            facts[1] = (uint64_t)about.st_ino;
            facts[2] = (uint64_t)about.st_size;
            facts[3] =
                (uint64_t)about.st_mtim.tv_sec * 1000000000u + (uint64_t)about.st_mtim.tv_nsec;
            facts[4] =
                (uint64_t)about.st_ctim.tv_sec * 1000000000u + (uint64_t)about.st_ctim.tv_nsec;
            facts[5] = (uint64_t)about.st_mode;
        }
        state = pare_checksum_wide(state, facts, sizeof facts);
        pare_alloc_free(found);
    }
    return state;
}
