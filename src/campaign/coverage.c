/* Maps of what tests reach.
 *
 * Almost all bytes of a map are zero, so it is read in words of eight bytes; a word that is zero,
 * or adds nothing to the union, costs one comparison.  Only new words are looked at byte by byte,
 * which becomes rarer over time.
 *
 * Lines of a command are hashed: with 2^18 places and 10,000 lines two of them share a place in 2
 * of 100 cases, and then only the second's first appearance is overlooked.
 * Source: AFL (classes of counts, the union as bits); The Fuzzing Book, "Greybox Fuzzing", for
 * coverage as a set of lines. */
#include "campaign/coverage.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/vector.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/stop.h"
#include "run/command.h"

#include "campaign/source_program.h"
#include "os/process_tree.h"
#include "os/spawn.h"

enum { WORD = sizeof(uint64_t), MOST_PRINTED = 64 << 20 };

/* Owned things are freed and all is zero afterwards; both may be called twice. */
void pare_coverage_done(pare_coverage *coverage)
{
    pare_alloc_free(coverage->reached);
    *coverage = (pare_coverage){.reached = NULL};
}

void pare_coverage_news_done(pare_coverage_news *news)
{
    pare_alloc_free(news->items);
    *news = (pare_coverage_news){.items = NULL};
}

/* --- maps ------------------------------------------------------------------------------------ */

/* The class of a count above 0, as one bit. How often an edge is taken matters
 * by orders of magnitude only; otherwise each longer loop would be new. The
 * limits are AFL's. */
static unsigned char class_of(unsigned char count)
{
    if (count <= 3) return (unsigned char)(1u << (count - 1));
    if (count <= 7) return 8;
    if (count <= 15) return 16;
    if (count <= 31) return 32;
    return count <= 127 ? 64 : 128;
}

/* Eight bytes of a map, which need not be aligned; compilers make one load of
 * the memcpy. */
static uint64_t word_at(const unsigned char *map, size_t at)
{
    uint64_t word;
    memcpy(&word, map + at, WORD);
    return word;
}

/* Replaces each count by its class, in place. Zero stays zero, so words of
 * zeros are skipped, which are nearly all. */
void pare_coverage_classify(unsigned char *map, size_t size)
{
    for (size_t at = 0; at < size;) {
        if (at + WORD <= size && !word_at(map, at)) {
            at += WORD;
            continue;
        }
        if (map[at]) map[at] = class_of(map[at]);
        at++;
    }
}

/* Notes the bits of one edge that the union lacks; news->edges counts edges
 * that it had no bit of. */
static pare_status add_news(pare_coverage_news *news, size_t edge, unsigned char bits,
                            bool is_new_edge, pare_error *err)
{
    pare_coverage_bits *grown =
        pare_vector_grow(news->items, news->n, &news->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    news->items = grown;
    grown[news->n++] = (pare_coverage_bits){.edge = (uint32_t)edge, .bits = bits};
    news->edges += is_new_edge;
    return PARE_OK;
}

/* Fills *news with what the map has and the union lacks, and changes nothing
 * else. Both have the same size. */
static pare_status find_news(const pare_coverage *coverage, const unsigned char *map,
                             pare_coverage_news *news, pare_error *err)
{
    const unsigned char *reached = coverage->reached;
    pare_status status = PARE_OK;
    for (size_t at = 0; !status && at < coverage->size;) {
        if (at + WORD <= coverage->size && !(word_at(map, at) & ~word_at(reached, at))) {
            at += WORD;
            continue;
        }
        const unsigned char bits = map[at] & (unsigned char)~reached[at];
        if (bits) status = add_news(news, at, bits, !reached[at], err);
        at++;
    }
    return status;
}

/* Makes the union as large as the map. A union of another size is forgotten:
 * the program was built anew, and its places mean other edges. */
pare_status pare_coverage_fit(pare_coverage *coverage, size_t size, pare_error *err)
{
    if (coverage->reached && coverage->size == size) return PARE_OK;
    unsigned char *reached = pare_alloc_zero(size ? size : 1, 1);
    if (!reached) return pare_fail_nomem(err);
    pare_alloc_free(coverage->reached);
    *coverage = (pare_coverage){.reached = reached, .size = size};
    return PARE_OK;
}

/* Adds a classified map to the union; *news is what was new. After an error the
 * union is what it was before the map. */
pare_status pare_coverage_take(pare_coverage *coverage, const unsigned char *map, size_t size,
                               pare_coverage_news *news, pare_error *err)
{
    news->n = 0;
    news->edges = 0;
    pare_status status = pare_coverage_fit(coverage, size, err);
    if (!status) status = find_news(coverage, map, news, err);
    if (status) return status;
    for (size_t i = 0; i < news->n; i++)
        coverage->reached[news->items[i].edge] |= news->items[i].bits;
    coverage->edges += news->edges;
    return PARE_OK;
}

/* Whether a map has all bits of `news`. Costs a look at each new bit, not at
 * the map, since a reduction asks it for each test. */
bool pare_coverage_has(const unsigned char *map, size_t size, const pare_coverage_news *news)
{
    for (size_t i = 0; i < news->n; i++) {
        const pare_coverage_bits *wanted = &news->items[i];
        if (wanted->edge >= size || (map[wanted->edge] & wanted->bits) != wanted->bits)
            return false;
    }
    return true;
}

/* --- by a command ---------------------------------------------------------------------------- */

/* A command that says what an input reaches. One run at a time; all its memory
 * is kept from run to run. */
struct pare_coverage_command {
    pare_command command;
    pare_source_programs programs;
    const pare_stop *stop; /* borrowed */
    const char *folder;    /* borrowed */
    pare_buffer path;      /* of the input */
    pare_buffer *words;    /* owned; of the command, with the path in the place of marks */
    char **argv;           /* owned; they are `words` */
    int output_fd;         /* owned */
    uint64_t timeout_ms;
    bool passed; /* the last run */
    pare_buffer printed;
    unsigned char *map; /* owned */
};

/* Puts the input's path in the place of the command's marks; a command without
 * a mark gets it as its last argument. */
static pare_status fill_words(pare_coverage_command *self, pare_error *err)
{
    const size_t n = self->command.n_words;
    bool is_marked = false;
    pare_status status = PARE_OK;
    self->words = pare_alloc_zero(n + 1, sizeof *self->words);
    self->argv = pare_alloc_zero(n + 2, sizeof *self->argv);
    if (!self->words || !self->argv) return pare_fail_nomem(err);
    /* The words end with NULL; one place more is for a path that is added. */
    for (size_t i = 0; !status && i < n; i++) {
        is_marked = is_marked || pare_command_is_marked(self->command.words[i]);
        status =
            pare_command_fill_marks(self->command.words[i], self->path.data, &self->words[i], err);
        self->argv[i] = self->words[i].data;
    }
    if (!status && !is_marked) self->argv[n] = self->path.data;
    return status;
}

/* Makes all files and memory of the command, so that a run of it only has to
 * write the input. */
static pare_status prepare(pare_coverage_command *self, const char *command, pare_error *err)
{
    const pare_names none = {.items = NULL};
    pare_status status = pare_command_init(&self->command, command, none, err);
    if (!status) status = pare_buffer_format(&self->path, err, "%s/covered", self->folder);
    if (!status) status = fill_words(self, err);
    if (status) return status;
    self->output_fd =
        pare_descriptor_raise(memfd_create("pare-coverage", MFD_CLOEXEC), PARE_SPAWN_LEAST_FD);
    if (self->output_fd < 0)
        return pare_fail(err, PARE_E_IO, "cannot make a file for the coverage of a test");
    self->map = pare_alloc_zero(PARE_COVERAGE_COMMAND_BYTES, 1);
    if (!self->map) return pare_fail_nomem(err);
    return pare_source_program_init(&self->programs, 1, err);
}

/* Opens a command. `folder` is private and borrowed as long as the command
 * lives: the input is a file in it. On PARE_OK the caller owns *out. */
pare_status pare_coverage_command_open(const char *command, const char *folder, uint64_t timeout_ms,
                                       const pare_stop *stop, pare_coverage_command **out,
                                       pare_error *err)
{
    pare_coverage_command *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->output_fd = -1;
    self->folder = folder;
    self->stop = stop;
    self->timeout_ms = timeout_ms;
    pare_status status = prepare(self, command, err);
    if (status)
        pare_coverage_command_free(self);
    else
        *out = self;
    return status;
}

/* Frees also a command that was opened in part; NULL is a no-op. */
void pare_coverage_command_free(pare_coverage_command *self)
{
    if (!self) return;
    if (self->programs.n) pare_source_program_done(&self->programs);
    for (size_t i = 0; self->words && i < self->command.n_words; i++)
        pare_buffer_done(&self->words[i]);
    pare_alloc_free(self->words);
    pare_alloc_free(self->argv);
    pare_command_done(&self->command);
    pare_descriptor_close(&self->output_fd);
    pare_buffer_done(&self->path);
    pare_buffer_done(&self->printed);
    pare_alloc_free(self->map);
    pare_alloc_free(self);
}

/* The count at the end of a line, after its last tab; 1 where there is none.
 * *size becomes the size of the line without it. Counts above 255 are 255, as a
 * place is a byte. */
static unsigned count_of(const char *line, size_t *size)
{
    const char *tab = memrchr(line, '\t', *size);
    unsigned count = 0;
    if (!tab || tab + 1 == line + *size) return 1;
    for (const char *at = tab + 1; at < line + *size; at++) {
        if (*at < '0' || *at > '9') return 1;
        if (count < UINT8_MAX) count = 10 * count + (unsigned)(*at - '0');
    }
    *size = (size_t)(tab - line);
    return count < UINT8_MAX ? count : UINT8_MAX;
}

/* Adds the lines of a text to a map, by their hash. Lines that share a place
 * add their counts up, as AFL's edges do. */
void pare_coverage_read_lines(const char *text, size_t n_bytes, unsigned char *map, size_t size)
{
    assert(size);
    for (const char *at = text, *end = text + n_bytes; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        size_t line_bytes = (size_t)(stop - at);
        const unsigned count = count_of(at, &line_bytes);
        if (line_bytes) {
            unsigned char *place = &map[pare_checksum(at, line_bytes) % size];
            *place = (unsigned char)(*place + count < UINT8_MAX ? *place + count : UINT8_MAX);
        }
        at = stop + 1;
    }
}

/* Makes the map of what the command has printed, which is at most MOST_PRINTED
 * bytes. */
static pare_status read_map(pare_coverage_command *self, pare_error *err)
{
    if (lseek(self->output_fd, 0, SEEK_SET) < 0)
        return pare_fail(err, PARE_E_IO, "the output of a coverage command is lost");
    pare_status status = pare_file_read_fd(self->output_fd, "coverage", &self->printed, err);
    if (status) return status;
    const size_t n = self->printed.size;
    if (n) pare_coverage_read_lines(self->printed.data, n, self->map, PARE_COVERAGE_COMMAND_BYTES);
    return PARE_OK;
}

/* Runs the command on an input; *map is borrowed until the next run, and
 * all-zero if the command took too long: half of its output is no map. A
 * command that prints without end is ended by the kernel at MOST_PRINTED. */
pare_status pare_coverage_command_run(pare_coverage_command *self, const void *bytes,
                                      size_t n_bytes, unsigned char **map, size_t *size,
                                      pare_error *err)
{
    const pare_source_program_order order = {.words = self->argv,
                                             .folder = self->folder,
                                             .output_fd = self->output_fd,
                                             .error_fd = -1,
                                             .file_bytes = MOST_PRINTED};
    pare_ending ending;
    *map = self->map;
    *size = PARE_COVERAGE_COMMAND_BYTES;
    memset(self->map, 0, PARE_COVERAGE_COMMAND_BYTES);
    if (ftruncate(self->output_fd, 0) || lseek(self->output_fd, 0, SEEK_SET) < 0)
        return pare_fail(err, PARE_E_IO, "cannot empty a file for the coverage of a test");
    pare_status status = pare_file_write_bytes(self->path.data, bytes, n_bytes, err);
    if (!status) status = pare_source_program_start(&self->programs, 0, &order, err);
    if (status) return status;
    const bool ended =
        pare_source_program_await(&self->programs, 0, (int64_t)self->timeout_ms, self->stop);
    status = pare_source_program_end(&self->programs, 0, &ending, err);
    if (status) return status;
    if (pare_stop_requested(self->stop)) return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    self->passed = ended && !ending.lost && ending.exit_code == 0;
    return ended ? read_map(self, err) : PARE_OK;
}

/* Of the last run: it ended by itself, in its time, with exit code 0. */
bool pare_coverage_command_passed(const pare_coverage_command *command)
{
    return command->passed;
}
