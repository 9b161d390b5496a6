/* Explores an engine: runs the script explore.js until it finishes.
 *
 * Engines may die when they are explored: a getter that was never meant to be called on a prototype
 * reads memory that is not there.  A dying engine may lose what it printed last, so the place is
 * not taken from its output.  The script counts its steps, which are the same in each run, and
 * stops after a given number of them, printing what the next one would be. So the step that kills
 * is the smallest limit with which the script does not finish.  The search begins at the last step
 * that the dying run is known to have made: with doubling distances until a limit kills, then by
 * bisection, in some 15 runs.  The step is skipped from then on; earlier steps are not affected by
 * that, so the list of skipped steps only grows, and each round gets further.
 *
 * If the engine dies with every limit, it dies whatever is explored; its output is kept, and the
 * graph is reported as incomplete.  If a run survives that should have died, dying is random, and
 * that run is as good as any.
 *
 * If an engine exits half way as if all were well (code 0), either a step ended it, or something
 * cuts off its output.  From outside the two look alike.  But if the step is skipped, the engine
 * gets over the next one, whereas if output is cut off, that of the next step is cut off too.
 * Cost: one run, and some 17 for each step that kills. */
#include <pare/graph.h>
#include <pare/graph_explore.h>

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/sized.h"
#include "base/vector.h"
#include "generate/discovery/probe_fields.h"
#include "generate/discovery/probe_graph.h"
#include "generate/discovery/probe_output.h"
#include "generate/discovery/script_engine.h"
#include "generate/discovery/scripts.h"

enum {
    DEFAULT_TIMEOUT_MS = 30000,
    LEAST_TIMEOUT_MS = 1000, /* of the runs that look for a step */
    TIMES_LONGER = 20,       /* than a run that came to its end: then it never will */
    DEFAULT_OBJECTS = 50000,
    MAX_PROPERTIES = 10000, /* of one object */
    MAX_SKIPPED = 64,
    MAX_NEIGHBOURS = 4, /* steps in a row that may send an engine away */
    NO_STEP = 1 << 30   /* beyond all steps: no limit */
};

/* What ends, blocks or leaves the engine, or would keep a test from ending.  With "this." only
 * in the global object, where other objects have harmless properties of the same name. */
static const char *const never[] = {
    "quit",          "exit",           "_exit",          "abort",           "reallyExit",
    "kill",          "dlopen",         "wait",           "this.read",       "this.readbuffer",
    "this.readline", "this.readFile",  "this.load",      "this.loadFile",   "this.run",
    "this.write",    "this.writeFile", "this.print",     "this.printErr",   "this.putstr",
    "this.require",  "this.process",   "this.module",    "this.imports",    "this.gc",
    "this.system",   "this.sleep",     "this.crash",     "this.alert",      "this.confirm",
    "this.prompt",   "this.fetch",     "this.std",       "this.os",         "this.Deno",
    "this.Bun",      "this.Worker",    "this.WebSocket", "this.setTimeout", "this.setInterval",
};

enum { N_NEVER = sizeof never / sizeof *never };

/* For --help, which lists them: nobody should have to guess why a property is missing. */
const char *pare_graph_never_at(size_t i)
{
    return i < N_NEVER ? never[i] : NULL;
}

struct exploration {
    const pare_graph_explore_options *options;
    pare_script_engine *engine; /* owned */
    uint32_t skipped[MAX_SKIPPED];
    size_t n_skipped;
    uint64_t timeout_ms, longest_ms; /* of any run; of one that came to its end */
    pare_buffer script, printed;
    pare_script_run run;      /* the last one */
    pare_probe_output output; /* of the last run */
    pare_graph_explored *explored;
    size_t findings_capacity;
};

/* --- runs ------------------------------------------------------------------------------------ */

/* An element of a list of strings. */
static pare_status add_name(pare_buffer *script, const char *name, pare_error *err)
{
    pare_status status = pare_scripts_add_literal(script, name, strlen(name), err);
    return status ? status : pare_buffer_text(script, ",", err);
}

/* The function of explore.js, called with its options. */
static pare_status write_script(struct exploration *self, uint32_t limit, pare_error *err)
{
    const pare_graph_explore_options *options = self->options;
    pare_buffer *script = &self->script;
    size_t most = options->max_types ? options->max_types : DEFAULT_OBJECTS;
    if (most > PARE_PROBE_MAX_OBJECTS) most = PARE_PROBE_MAX_OBJECTS;
    pare_buffer_reset(script);
    pare_status status = pare_buffer_text(script, pare_scripts_explore, err);
    if (!status)
        status = pare_buffer_format(script, err,
                                    "({limit: %u, most: {objects: %zu, properties: %d},\n  skip: [",
                                    limit, most, MAX_PROPERTIES);
    for (size_t i = 0; i < self->n_skipped && !status; i++)
        status = pare_buffer_format(script, err, "%u,", self->skipped[i]);
    if (!status) status = pare_buffer_text(script, "],\n  never: [", err);
    for (size_t i = 0; i < N_NEVER && !status; i++)
        status = add_name(script, never[i], err);
    for (size_t i = 0; i < options->engine.n_never && !status; i++)
        status = add_name(script, options->engine.never[i], err);
    return status ? status : pare_buffer_text(script, "]});\n", err);
}

/* Whether the script came to its end, or to its limit.  What the engine does after that is
 * its own affair, but for dying. */
static bool has_lived(const struct exploration *self)
{
    return self->output.end != PARE_PROBE_CUT && !self->run.signal && !self->output.failure;
}

/* Runs the script with a limit and reads what it printed; *lived says whether it got there. */
static pare_status run_to(struct exploration *self, uint32_t limit, uint64_t timeout_ms,
                          bool *lived, pare_error *err)
{
    pare_probe_output_done(&self->output);
    pare_status status = write_script(self, limit, err);
    if (!status)
        status = pare_script_engine_run(self->engine, &self->script, timeout_ms, &self->printed,
                                        &self->run, err);
    if (!status) status = pare_probe_output_read(&self->output, &self->printed, err);
    if (status) return status;
    self->explored->n_runs++;
    *lived = has_lived(self);
    if (*lived && self->run.ms > self->longest_ms) self->longest_ms = self->run.ms;
    return PARE_OK;
}

/* The same for a run that looks for a step: one that has not ended after many times the time of a
 * whole one never will. */
static pare_status try_limit(struct exploration *self, uint32_t limit, bool *lived, pare_error *err)
{
    uint64_t timeout_ms = TIMES_LONGER * self->longest_ms;
    if (timeout_ms < LEAST_TIMEOUT_MS) timeout_ms = LEAST_TIMEOUT_MS;
    if (timeout_ms > self->timeout_ms) timeout_ms = self->timeout_ms;
    return run_to(self, limit, timeout_ms, lived, err);
}

/* --- the step that kills --------------------------------------------------------------------- */

/* Finds a limit with which the engine dies: *high, beyond `low`, in doubling distances.  *chance
 * is true when a run lived to its very end instead, or lives with any limit: an engine of which the
 * output is no more to be trusted than its life may say so for ever. */
static pare_status gallop(struct exploration *self, uint32_t *low, uint32_t *high, bool *chance,
                          pare_error *err)
{
    bool lived = true;
    pare_status status = PARE_OK;
    *chance = false;
    for (uint32_t distance = 1; lived && !status && !*chance; distance *= 2) {
        if (distance > NO_STEP - *low) {
            *chance = true;
            break;
        }
        *high = *low + distance;
        status = try_limit(self, *high, &lived, err);
        if (lived) *low = *high;
        *chance = lived && self->output.end == PARE_PROBE_WHOLE;
    }
    return status;
}

/* Narrows the range until the engine lives with *high - 1 and dies with *high.  A run that hangs
 * costs its whole time limit, and one that lives next to nothing, so for hangs the range is cut
 * near its lower end, which makes more of the runs live. */
static pare_status bisect(struct exploration *self, uint32_t low, uint32_t *high, pare_error *err)
{
    const uint32_t parts = self->run.timed_out ? 8 : 2;
    pare_status status = PARE_OK;
    while (*high - low > 1 && !status) {
        assert(low < *high);
        uint32_t middle = low + (*high - low + parts - 1) / parts;
        bool lived;
        status = try_limit(self, middle, &lived, err);
        if (lived)
            low = middle;
        else
            *high = middle;
    }
    return status;
}

/* Finds the step that kills: *step, 0: none, the engine dies without any; *path, in the last
 * output, is what it looks at.  The step up to which the dying run is known to have come is where
 * the search begins; only if the engine dies there too, it begins again from 0. */
static pare_status find_step(struct exploration *self, uint32_t low, uint32_t *step, bool *chance,
                             pare_error *err)
{
    for (bool is_last = !low;; low = 0, is_last = true) {
        bool lived = false;
        pare_status status = gallop(self, &low, step, chance, err);
        if (!status && !*chance) status = bisect(self, low, step, err);
        if (!status && !*chance) status = try_limit(self, *step - 1, &lived, err);
        if (status || *chance || (lived && self->output.end == PARE_PROBE_STOPPED)) return status;
        if (low == 0 || lived || is_last) {
            *step = 0;
            return PARE_OK;
        }
    }
}

/* --- findings -------------------------------------------------------------------------------- */

/* Whether two runs ended the same way. */
static bool is_same_end(const pare_script_run *a, const pare_script_run *b)
{
    return a->timed_out == b->timed_out && a->signal == b->signal && a->exit_code == b->exit_code;
}

/* Sets self->script to what shows the end `died`: reading the path alone, if that does, else all
 * that is done before. */
static pare_status find_script(struct exploration *self, const char *path, uint32_t step,
                               const pare_script_run *died, pare_error *err)
{
    pare_buffer_reset(&self->script);
    pare_status status = pare_buffer_format(&self->script, err, "%s;\n", path);
    if (!status && (died->signal || died->timed_out))
        status = pare_script_engine_run(self->engine, &self->script, LEAST_TIMEOUT_MS,
                                        &self->printed, &self->run, err);
    if (status) return status;
    self->explored->n_runs++;
    if ((died->signal || died->timed_out) && is_same_end(&self->run, died)) return PARE_OK;
    return write_script(self, step, err);
}

/* `path` is copied; the script is that of find_script. */
static pare_status add_finding(struct exploration *self, const char *path,
                               const pare_script_run *died, pare_error *err)
{
    pare_graph_explored *explored = self->explored;
    pare_graph_finding *grown = pare_vector_grow(explored->findings, explored->n_findings,
                                                 &self->findings_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    explored->findings = grown;
    pare_graph_finding finding = {.path = pare_alloc_text(path, strlen(path)),
                                  .script = pare_alloc_text(self->script.data, self->script.size),
                                  .timed_out = died->timed_out,
                                  .signal = died->signal,
                                  .exit_code = died->exit_code};
    if (finding.path && finding.script) {
        grown[explored->n_findings++] = finding;
        return PARE_OK;
    }
    pare_alloc_free(finding.path);
    pare_alloc_free(finding.script);
    return pare_fail_nomem(err);
}

/* Notes what the engine dies of at `step`, where the last output says what that looks at.  That the
 * script itself threw there is no finding: it is only skipped. */
static pare_status note_step(struct exploration *self, uint32_t step, bool is_finding,
                             const pare_script_run *died, pare_error *err)
{
    pare_buffer path = {0};
    assert(self->output.next.path);
    pare_status status = pare_buffer_text(&path, self->output.next.path, err);
    if (!status && is_finding) status = find_script(self, path.data, step, died, err);
    if (!status && is_finding) status = add_finding(self, path.data, died, err);
    pare_buffer_done(&path);
    if (!status) self->skipped[self->n_skipped++] = step;
    return status;
}

/* --- all of it ------------------------------------------------------------------------------- */

/* The engine did not even begin with the script.  What it printed instead tells most; a program that
 * waits for its standard input may only lack the script's path. */
static pare_status fail_to_begin(const struct exploration *self, pare_error *err)
{
    pare_buffer end = {0};
    const char *name = pare_script_engine_command(self->engine);
    const char *strange = self->output.first_strange;
    if (strange)
        return pare_fail(
            err, PARE_E_STATE,
            "%s cannot be explored: it prints '%s' instead of the output of the exploring script",
            name, strange);
    pare_status status = pare_script_engine_describe(self->engine, &self->run, &end, err);
    if (!status)
        status = pare_fail(err, PARE_E_STATE, "%s cannot be explored: it prints nothing, and %s%s",
                           name, end.data,
                           self->run.timed_out ? "; is the script's path marked by \"@@\"?" : "");
    pare_buffer_done(&end);
    return status;
}

/* Fails unless the engine begins with the script.  A run that died may have lost all that it
 * printed, so a run without any step is asked, too. */
static pare_status check_beginning(struct exploration *self, pare_error *err)
{
    bool lived;
    if (self->output.n_objects) return PARE_OK;
    if (self->output.first_strange) return fail_to_begin(self, err);
    pare_status status = try_limit(self, 0, &lived, err);
    if (!status && !self->output.n_objects) status = fail_to_begin(self, err);
    return status;
}

/* Whether an engine that exits with code 0 at `step` is sent away by it, and not only loses what
 * it prints from there on: without the step it gets over the next one, or over the next few if
 * those send it away as well. */
static pare_status confirm_exit(struct exploration *self, uint32_t step, bool *confirmed,
                                pare_error *err)
{
    const size_t n_before = self->n_skipped;
    pare_status status = PARE_OK;
    *confirmed = false;
    for (uint32_t k = 0; k < MAX_NEIGHBOURS && !*confirmed && !status; k++) {
        if (self->n_skipped == MAX_SKIPPED) break;
        self->skipped[self->n_skipped++] = step + k;
        status = try_limit(self, step + k + 1, confirmed, err);
    }
    self->n_skipped = n_before;
    return status;
}

/* Looks for the step of which a run `died`, and skips it from now on; *found is false when there
 * is none, and the last run is as good as any. */
static pare_status get_past(struct exploration *self, const pare_script_run *died, bool *found,
                            pare_error *err)
{
    uint32_t step = 0, last = self->n_skipped ? self->skipped[self->n_skipped - 1] : 0;
    bool chance = false, lived;
    const bool is_finding = !self->output.failure;
    const bool is_well = !died->signal && !died->timed_out && !died->exit_code && is_finding;
    pare_status status = find_step(self, (uint32_t)self->output.n_steps, &step, &chance, err);
    *found = !status && !chance && step > last;
    if (*found && is_well) status = confirm_exit(self, step, found, err);
    /* What the step looks at is said by the run that stops before it. */
    if (*found && is_well && !status) status = try_limit(self, step - 1, &lived, err);
    *found = *found && !status && self->output.next.path;
    if (*found) return note_step(self, step, is_finding, died, err);
    return status || chance ? status : run_to(self, NO_STEP, self->timeout_ms, &lived, err);
}

/* Runs the script until it comes to its end, skipping what it does not get over.  The last output
 * is the one to keep. */
static pare_status explore(struct exploration *self, pare_error *err)
{
    for (bool lived = false, found = true; found;) {
        pare_status status = run_to(self, NO_STEP, self->timeout_ms, &lived, err);
        if (!status && lived) return PARE_OK;
        const pare_script_run died = self->run;
        found = self->n_skipped < MAX_SKIPPED;
        if (!status && !self->output.n_objects) status = check_beginning(self, err);
        if (!status && found) status = get_past(self, &died, &found, err);
        if (status) return status;
    }
    return PARE_OK;
}

/* An engine that dies at its end, however short the script, has told all the same. */
static pare_status finish(struct exploration *self, pare_error *err)
{
    pare_graph_explored *explored = self->explored;
    if (!self->output.n_objects) return fail_to_begin(self, err);
    explored->is_whole = self->output.end == PARE_PROBE_WHOLE;
    return pare_probe_graph_make(&self->output, pare_script_engine_command(self->engine),
                                 pare_script_engine_digest(self->engine), &explored->graph, err);
}

/* What was explored is kept only as a whole: on an error of ours (no memory, a stop) the caller
 * gets nothing to end. */
pare_status pare_graph_explore_sized(const pare_graph_explore_options *options,
                                     size_t options_bytes, pare_graph_explored *explored,
                                     pare_error *err)
{
    pare_graph_explore_options own;
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to explore", err);
    if (!status)
        status = pare_sized_check_reserved(own.engine.reserved, sizeof own.engine.reserved,
                                           "an engine", err);
    if (status) return status;
    struct exploration self = {.options = &own, .explored = explored};
    self.timeout_ms = own.engine.timeout_ms ? own.engine.timeout_ms : DEFAULT_TIMEOUT_MS;
    status = pare_script_engine_open(&own.engine, &self.engine, err);
    if (!status) status = explore(&self, err);
    if (!status) status = finish(&self, err);
    pare_probe_output_done(&self.output);
    pare_buffer_done(&self.script);
    pare_buffer_done(&self.printed);
    pare_script_engine_free(self.engine);
    if (status) pare_graph_explored_done(explored);
    return status;
}

/* All-zero is a no-op. */
void pare_graph_explored_done(pare_graph_explored *explored)
{
    for (size_t i = 0; i < explored->n_findings; i++) {
        pare_alloc_free(explored->findings[i].path);
        pare_alloc_free(explored->findings[i].script);
    }
    pare_alloc_free(explored->findings);
    pare_graph_free(explored->graph);
    *explored = (pare_graph_explored){0};
}
