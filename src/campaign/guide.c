/* <pare/guide.h>: a population that grows by what its texts reach.
 *
 * Each text is run once, after it was handed on and before the next one is made.  It reaches a set
 * of things, represented by one checksum; a passing text joins if its set is new.  With exercise 1
 * it is first reduced by delta debugging of its bytes, as long as it still passes and reaches the
 * same set.
 *
 * Why sets, and not the union of all things as in a campaign (feedback.h): the book does so, and a
 * text that combines what others reach separately is progress too.  There are more sets than edges,
 * which costs nothing at the numbers of texts that one command makes.
 * Why a reduction keeps the whole set, and not only what was new in it: in a new combination
 * nothing is new by itself; and the recorded set stays true of the member.
 *
 * Invariant: the texts depend on the seed and on the answers of the program only.
 * Cost beside the program's: clearing and going through a map of 2^18 places, in words.
 * Source: The Fuzzing Book, MutationCoverageFuzzer (run); seed 002, exercise 1.  Deviations: things are
 * hashed into a map, so two of 10,000 sets may be taken for one; no text is made twice; while nothing has
 * joined, changed files are tried, where the book has nothing to choose from. */
#include <assert.h>
#include <string.h>

#include <pare/generate.h>
#include <pare/guide.h>
#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/result.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "base/sized.h"
#include "base/vector.h"
#include "campaign/coverage.h"
#include "os/folder.h"
#include "os/stop.h"

/* PLACES: of a map, one for the hash of each line; the number is that of coverage.h. */
enum { PLACES = PARE_COVERAGE_COMMAND_BYTES, USUAL_TIMEOUT_MS = 10000 };

/* One generation that is guided. Borrowed: options and guided. */
struct guide {
    const pare_guide_options *options;
    pare_guided *guided;
    char *folder;                   /* owned; with a command */
    pare_coverage_command *command; /* owned; or NULL */
    unsigned char *map;             /* owned; without a command */
    unsigned char *reached;         /* owned; the union of all maps */
    uint64_t *seen;                 /* owned; sets */
    size_t n_seen, capacity;
    uint64_t n_texts; /* that were run */
    pare_buffer member;
    /* Of the reduction under way: */
    uint64_t wanted;
    pare_status status; /* of a run that failed */
    pare_error failure;
};

/* --- runs ------------------------------------------------------------------------------------ */

/* Fills self->map by a run of the caller's function; *passed is what it says. */
static pare_status run_function(struct guide *self, const char *text, size_t size, bool *passed,
                                pare_error *err)
{
    pare_reached reached = {.lines = NULL};
    pare_status status = self->options->run(self->options->context, text, size, &reached, err);
    memset(self->map, 0, PLACES);
    *passed = reached.passed;
    if (!status && reached.lines_bytes)
        pare_coverage_read_lines(reached.lines, reached.lines_bytes, self->map, PLACES);
    return status;
}

/* The next place from `at` on that was reached, or PLACES. Words of zeros are
 * skipped, which are nearly all. */
static size_t next_taken(const unsigned char *map, size_t at)
{
    uint64_t word = 0;
    while (at < PLACES && !map[at]) {
        memcpy(&word, map + at, sizeof word < PLACES - at ? sizeof word : PLACES - at);
        at += !word && at + sizeof word <= PLACES ? sizeof word : 1;
    }
    return at;
}

/* The set of places that were reached, however often, as one checksum over
 * their numbers. */
static uint64_t set_of(const unsigned char *map)
{
    uint64_t set = 0;
    for (size_t at = next_taken(map, 0); at < PLACES; at = next_taken(map, at + 1)) {
        const uint64_t pair[] = {set, at};
        set = pare_checksum((const char *)pair, sizeof pair);
    }
    return set;
}

/* Runs the program on a text. *map has PLACES bytes and is borrowed until the
 * next run. PARE_E_INTERRUPTED after a stop. */
static pare_status run(struct guide *self, const char *text, size_t size, unsigned char **map,
                       bool *passed, pare_error *err)
{
    size_t map_bytes = PLACES;
    pare_status status = PARE_OK;
    *map = self->map;
    assert(!self->command != !self->map && "a command, or a function with a map of ours");
    if (self->command) {
        status = pare_coverage_command_run(self->command, text, size, map, &map_bytes, err);
        *passed = pare_coverage_command_passed(self->command);
    } else {
        status = run_function(self, text, size, passed, err);
    }
    assert(map_bytes == PLACES);
    if (!status && pare_stop_requested(self->options->stop))
        status = pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    return status;
}

/* --- reduction: exercise 1 ------------------------------------------------------------------- */

/* A pare_predicate: a smaller text is kept if it passes and reaches the very
 * same set. After a run that has failed all further ones are unresolved, so
 * that the reduction ends. */
static pare_outcome reaches_the_same(void *context, const void *bytes, size_t size)
{
    struct guide *self = context;
    unsigned char *map = NULL;
    bool passed = false;
    if (self->status) return PARE_UNRESOLVED;
    self->guided->n_reduction_runs++;
    self->status = run(self, size ? bytes : "", size, &map, &passed, &self->failure);
    if (self->status) return PARE_UNRESOLVED;
    return passed && set_of(map) == self->wanted ? PARE_FAIL : PARE_PASS;
}

/* Makes the member smaller. One that reaches something else when it is run
 * again, so that its reduction is refused, joins as it is. */
static pare_status reduce_member(struct guide *self, pare_error *err)
{
    const pare_reduce_options options = {
        .input = {.bytes = self->member.size ? self->member.data : "",
                  .size_bytes = self->member.size,
                  .name = "member"},
        .test = {.predicate = reaches_the_same, .context = self},
        .algorithms = "ddmin-complement",
        .units = "char",
        .trees = {.language = "none"},
        .limits = {.jobs = 1},
        .events = {.stop = self->options->stop}};
    pare_result result = {0};
    pare_error unused = {0};
    self->status = PARE_OK;
    self->failure = (pare_error){0};
    pare_status status = pare_reduce(&options, &result, &unused);
    if (self->status) {
        status = pare_fail(err, self->status, "%s", self->failure.message);
    } else if (pare_stop_requested(self->options->stop)) {
        status = pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    } else if (status == PARE_E_NOMEM) {
        status = pare_fail_nomem(err);
    } else if (!status && result.size_bytes < self->member.size) {
        pare_buffer_reset(&self->member);
        status = pare_buffer_add(&self->member, result.bytes, result.size_bytes, err);
    } else {
        status = PARE_OK;
    }
    pare_result_done(&result);
    return status;
}

/* --- joining --------------------------------------------------------------------------------- */

/* Adds a map to the union and counts what is reached for the first time. */
static void merge(struct guide *self, const unsigned char *map)
{
    for (size_t at = next_taken(map, 0); at < PLACES; at = next_taken(map, at + 1)) {
        self->guided->n_reached += !self->reached[at];
        self->reached[at] = 1;
    }
}

/* Notes a set; *is_new: it was not seen before.  Linear: a set is eight bytes, a run far more. */
static pare_status note(struct guide *self, uint64_t set, bool *is_new, pare_error *err)
{
    *is_new = false;
    for (size_t i = 0; i < self->n_seen; i++)
        if (self->seen[i] == set) return PARE_OK;
    uint64_t *grown = pare_vector_grow(self->seen, self->n_seen, &self->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    self->seen = grown;
    grown[self->n_seen++] = set;
    *is_new = true;
    return PARE_OK;
}

/* A pare_generate_join: runs a text that was handed on; if it passes and its
 * set is new, it becomes a member, perhaps reduced. *member is borrowed until
 * the next call. */
static pare_status join(void *context, const char *text, size_t size, const char **member,
                        size_t *member_bytes, pare_error *err)
{
    struct guide *self = context;
    const pare_guide_options *options = self->options;
    const uint64_t number = self->n_texts++;
    unsigned char *map = NULL;
    bool passed = false, is_new = false;
    pare_status status = run(self, text, size, &map, &passed, err);
    if (status || !passed) return status;
    merge(self, map);
    self->wanted = set_of(map);
    status = note(self, self->wanted, &is_new, err);
    if (status || !is_new) return status;
    pare_buffer_reset(&self->member);
    status = pare_buffer_add(&self->member, text, size, err);
    if (!status && options->reduce_members) status = reduce_member(self, err);
    if (status) return status;
    *member = self->member.size ? self->member.data : "";
    *member_bytes = self->member.size;
    self->guided->n_members++;
    self->guided->members_bytes += self->member.size;
    return options->joined
               ? options->joined(options->joined_context, number, *member, *member_bytes, err)
               : PARE_OK;
}

/* --- the whole ------------------------------------------------------------------------------- */

/* Checks the options before anything is made, and makes what runs need; a
 * command gets a private folder. After a failure guide_done releases what there
 * is. */
static pare_status prepare(struct guide *self, pare_error *err)
{
    const pare_guide_options *options = self->options;
    if (!options->command == !options->run)
        return pare_fail(err, PARE_E_ARG,
                         "give either a command or a function that reports what texts reach");
    if (!options->generate || !options->generate->struct_bytes || options->generate->join)
        return pare_fail(
            err, PARE_E_ARG,
            "a guide takes options to generate that say their size, and not what joins");
    self->reached = pare_alloc_zero(PLACES, 1);
    self->map = options->command ? NULL : pare_alloc_zero(PLACES, 1);
    if (!self->reached || (!self->map && !options->command)) return pare_fail_nomem(err);
    if (!options->command) return PARE_OK;
    pare_status status = pare_folder_make_scratch(&self->folder, err);
    const uint64_t timeout_ms = options->timeout_ms ? options->timeout_ms : USUAL_TIMEOUT_MS;
    return status ? status
                  : pare_coverage_command_open(options->command, self->folder, timeout_ms,
                                               options->stop, &self->command, err);
}

/* Frees everything, also of a guide that was prepared in part. */
static void guide_done(struct guide *self)
{
    pare_coverage_command_free(self->command);
    pare_folder_remove_scratch(self->folder);
    pare_alloc_free(self->map);
    pare_alloc_free(self->reached);
    pare_alloc_free(self->seen);
    pare_buffer_done(&self->member);
}

/* The caller's options are copied at the size that it was compiled with, and the join is put
 * into the copy: its own struct is not changed. */
pare_status pare_guide_generate_sized(const pare_guide_options *options, size_t options_bytes,
                                      pare_generate_sink sink, void *context, pare_guided *guided,
                                      pare_error *err)
{
    pare_guide_options own;
    *guided = (pare_guided){.n_reached = 0};
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to guide", err);
    if (status) return status;
    struct guide self = {.options = &own, .guided = guided};
    pare_generate_options wanted;
    status = prepare(&self, err);
    if (!status)
        status =
            pare_sized_take(&wanted, sizeof wanted, own.generate, 0, "options to generate", err);
    if (!status) {
        wanted.join = join;
        wanted.join_context = &self;
        status = pare_generate(&wanted, sink, context, &guided->generated, err);
    }
    guide_done(&self);
    return status;
}
