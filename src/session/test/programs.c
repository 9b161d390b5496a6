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

#include "base/alloc.h"
#include "base/checksum.h"
#include "os/executable.h"
#include "os/file.h"

enum { MOST_WORDS = 4096, MOST_ASKED = 3 };

/* Characters of names of programs and of paths to them. */
static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_+.-/", c));
}

/* Where the program called `name` is; the caller owns it.  NULL: there is none. */
static char *find_program(const char *name)
{
    char *found = NULL;
    if (!strchr(name, '/')) return pare_executable_find(name, &found, NULL) ? NULL : found;
    if (*name != '/' || access(name, X_OK)) return NULL;
    return pare_alloc_text(name, strlen(name));
}

/* Sets path and digest of the program called `name`; false: there is none. */
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

/* Goes by words alone, in comments of shell scripts not even by those: a word too many costs a look
 * into PATH, and a program that is compared though the test never calls it. */
void pare_programs_find(pare_programs *programs, const char *text, size_t size)
{
    size_t n_words = 0;
    for (size_t at = 0; at < size && n_words < MOST_WORDS;) {
        char name[PARE_PROGRAM_NAME_BYTES];
        const bool starts = at == 0 || isspace((unsigned char)text[at - 1]);
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

/* Form: the number, then of each its name, its path and its digest. */
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

/* That a program is another one here than there: where it is, its version, and the digests, of which a few
 * digits tell as much as all. */
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

/* Missing programs and others, as one sentence of parts.  Only the first MOST_ASKED are asked for
 * their version, since each runs a process. */
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
