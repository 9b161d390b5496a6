/* Learns from tests: the engine runs each of them with watchers that replace its functions.
 *
 * The script learn.js does the watching.  The graph tells it the engine's functions: the expression
 * of each object, and which of its properties is which function.  So all observations are about
 * types of the graph, and the graph may be of another version of the engine: functions that this
 * one lacks are not watched.  Each test has a run of its own, so that it cannot change or kill
 * another one; the output before a crash counts.
 * Source: seed 001, section 1 ("fine tuning from existing tests"). */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/graph.h>
#include <pare/graph_explore.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/sized.h"
#include "generate/discovery/call_log.h"
#include "generate/discovery/lessons.h"
#include "generate/discovery/script_engine.h"
#include "generate/discovery/scripts.h"
#include "os/file.h"

enum {
    DEFAULT_TIMEOUT_MS = 30000,
    MAX_SIGNATURES = 64, /* of one function in one test */
    MAX_CALLS = 500,     /* of one function, before only one in 64 is looked at */
    MAX_VALUES = 128     /* of an argument; the graph keeps 16, the first by their order, so that
                            it does not matter in which order a test passes them */
};

/* One learning, from its first test to its last. Buffers are kept from test to test. */
struct teacher {
    const pare_graph_learn_options *options;
    pare_script_engine *engine; /* owned */
    pare_lessons *lessons;      /* owned */
    uint64_t timeout_ms;
    pare_buffer head; /* the script up to the test */
    pare_buffer script, test, printed;
    pare_script_run run; /* the last one */
    pare_graph_learned *learned;
};

/* --- the script ------------------------------------------------------------------------------ */

/* Whether `type` is an object that an expression leads to. */
static bool is_object(const pare_graph_type *type)
{
    return !type->is_instance && type->kind >= PARE_GRAPH_OBJECT;
}

/* Appends the list of the expressions of the graph's objects, by number; null
 * for types that no expression leads to. */
static pare_status add_paths(pare_buffer *script, const pare_graph *graph, pare_error *err)
{
    pare_status status = pare_buffer_text(script, "({paths: [", err);
    for (uint32_t i = 0; i < pare_graph_n_types(graph) && !status; i++) {
        const pare_graph_type *type = pare_graph_type_at(graph, i);
        status = is_object(type)
                     ? pare_scripts_add_literal(script, type->path, strlen(type->path), err)
                     : pare_buffer_text(script, "null", err);
        if (!status) status = pare_buffer_text(script, i % 8 == 7 ? ",\n" : ",", err);
    }
    return status;
}

/* Appends the list of where its functions are. One function in several places
 * is watched in each of them by one watcher, so that comparing the places still
 * finds them equal. */
static pare_status add_members(pare_buffer *script, const pare_graph *graph, pare_error *err)
{
    pare_status status = pare_buffer_text(script, "],\nmembers: [", err);
    for (uint32_t i = 0; i < pare_graph_n_edges(graph) && !status; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, i);
        if (edge->kind != PARE_GRAPH_PROPERTY || !is_object(pare_graph_type_at(graph, edge->from)))
            continue;
        const pare_graph_type *to = pare_graph_type_at(graph, edge->to);
        if (!is_object(to) || to->kind != PARE_GRAPH_FUNCTION) continue;
        status = pare_buffer_format(script, err, "%u,", edge->from);
        if (!status) status = pare_scripts_add_literal(script, edge->name, strlen(edge->name), err);
        if (!status) status = pare_buffer_format(script, err, ",%u,\n", edge->to);
    }
    return status ? status : pare_buffer_text(script, "],\n", err);
}

/* Writes what comes before each test. The script ends a test at three quarters
 * of its time, so that what it has seen is still printed. */
static pare_status write_head(struct teacher *self, pare_error *err)
{
    const pare_graph *graph = self->options->graph;
    pare_status status = pare_buffer_text(&self->head, pare_scripts_learn, err);
    if (!status) status = add_paths(&self->head, graph, err);
    if (!status) status = add_members(&self->head, graph, err);
    if (!status)
        status = pare_buffer_format(
            &self->head, err,
            "most: {signatures: %d, calls: %d, values: %d, bytes: %d, ms: %llu},\n", MAX_SIGNATURES,
            MAX_CALLS, MAX_VALUES, PARE_CALL_LOG_VALUE_BYTES,
            (unsigned long long)(self->timeout_ms - self->timeout_ms / 4));
    if (!status)
        status = pare_buffer_text(
            &self->head, "require: typeof require === \"function\" ? require : null,\ntest: ", err);
    return status;
}

/* Writes the script of one test. The test is a string, which the script
 * evaluates: a syntax error in it is then an exception like any other, and its
 * `this` is the global object also on node. */
static pare_status write_script(struct teacher *self, pare_error *err)
{
    pare_buffer_reset(&self->script);
    pare_status status = pare_buffer_add(&self->script, self->head.data, self->head.size, err);
    if (!status)
        status = pare_scripts_add_literal(&self->script, self->test.data, self->test.size, err);
    return status ? status : pare_buffer_text(&self->script, "});\n", err);
}

/* --- trouble --------------------------------------------------------------------------------- */

/* Says in *text why the engine did not come to the end of the script. */
static pare_status describe_end(const struct teacher *self, const pare_call_log *log,
                                pare_buffer *text, pare_error *err)
{
    pare_buffer end = {0};
    if (self->run.timed_out && log->has_begun)
        return pare_buffer_format(text, err, "the test does not end in %llu ms",
                                  (unsigned long long)self->timeout_ms);
    pare_status status = pare_script_engine_describe(self->engine, &self->run, &end, err);
    const char *subject = log->has_begun ? "the engine" : "the engine does not run the script: it";
    if (!status) status = pare_buffer_format(text, err, "%s %s", subject, end.data);
    pare_buffer_done(&end);
    return status;
}

/* Sets the lesson's trouble, if there was any: the first of how the engine
 * ended, how the test did, and that there was nothing to learn. The caller owns
 * it. */
static pare_status note_trouble(const struct teacher *self, const pare_call_log *log,
                                pare_graph_lesson *lesson, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = PARE_OK;
    if (!log->has_ended && !log->is_late)
        status = describe_end(self, log, &text, err);
    else if (log->is_late)
        status = pare_buffer_format(&text, err, "the test does not end in %llu ms",
                                    (unsigned long long)self->timeout_ms);
    else if (log->threw)
        status = pare_buffer_format(&text, err, "the test throws %.*s",
                                    (int)strcspn(log->threw, "\r\n"), log->threw);
    else if (!log->n_signatures)
        status = pare_buffer_text(&text, "the test calls no function of the engine", err);
    if (!status && text.size) {
        lesson->trouble = pare_alloc_text(text.data, text.size);
        if (!lesson->trouble) status = pare_fail_nomem(err);
    }
    pare_buffer_done(&text);
    return status;
}

/* --- all of it ------------------------------------------------------------------------------- */

/* Learns from one test. How the test or the engine ends is no error; that the
 * test cannot be read is one, as the command line is wrong then. */
static pare_status learn_from(struct teacher *self, pare_graph_lesson *lesson, pare_error *err)
{
    pare_call_log log = {0};
    pare_status status = pare_file_read(lesson->path, &self->test, err);
    if (!status) status = write_script(self, err);
    if (!status)
        status = pare_script_engine_run(self->engine, &self->script, self->timeout_ms,
                                        &self->printed, &self->run, err);
    if (!status) status = pare_call_log_read(&log, &self->printed, self->options->graph, err);
    if (!status) status = pare_lessons_add(self->lessons, &log, &lesson->n_signatures, err);
    if (!status) status = note_trouble(self, &log, lesson, err);
    lesson->n_calls = log.n_calls;
    pare_call_log_done(&log);
    return status;
}

/* Learns from all tests and makes the graph. One after the other: engines are
 * fast and tests few, so the order needs no care. */
static pare_status learn(struct teacher *self, pare_error *err)
{
    const pare_graph_learn_options *options = self->options;
    pare_graph_learned *learned = self->learned;
    pare_status status = write_head(self, err);
    learned->lessons = pare_alloc_zero(options->n_tests, sizeof *learned->lessons);
    if (!status && !learned->lessons) status = pare_fail_nomem(err);
    for (size_t i = 0; i < options->n_tests && !status; i++) {
        pare_graph_lesson *lesson = &learned->lessons[learned->n_lessons++];
        lesson->path = options->tests[i];
        status = learn_from(self, lesson, err);
        learned->n_signatures += lesson->n_signatures;
    }
    return status ? status : pare_lessons_make(self->lessons, &learned->graph, err);
}

/* Checks the options before the engine is looked for, so that the sentence is
 * about the command line. */
static pare_status check_options(const pare_graph_learn_options *options, pare_error *err)
{
    if (!options->graph) return pare_fail(err, PARE_E_ARG, "there is no graph to learn for");
    if (!options->n_tests) return pare_fail(err, PARE_E_ARG, "there is no test to learn from");
    return pare_sized_check_reserved(options->engine.reserved, sizeof options->engine.reserved,
                                     "an engine", err);
}

/* Learns; on failure *learned is all-zero. A graph of another program is taken
 * all the same: versions of one engine share nearly all, and what the other
 * does not have is not seen. */
pare_status pare_graph_learn_sized(const pare_graph_learn_options *options, size_t options_bytes,
                                   pare_graph_learned *learned, pare_error *err)
{
    pare_graph_learn_options own;
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to learn", err);
    if (!status) status = check_options(&own, err);
    if (status) return status;
    struct teacher self = {.options = &own, .learned = learned};
    self.timeout_ms = own.engine.timeout_ms ? own.engine.timeout_ms : DEFAULT_TIMEOUT_MS;
    status = pare_script_engine_open(&own.engine, &self.engine, err);
    if (!status) status = pare_lessons_new(own.graph, &self.lessons, err);
    if (!status) status = learn(&self, err);
    /* No reason to refuse: paths lead to the same things in versions of one engine. */
    if (!status)
        learned->is_other =
            strcmp(pare_graph_digest(own.graph), pare_script_engine_digest(self.engine)) != 0;
    pare_lessons_free(self.lessons);
    pare_script_engine_free(self.engine);
    pare_buffer_done(&self.head);
    pare_buffer_done(&self.script);
    pare_buffer_done(&self.test);
    pare_buffer_done(&self.printed);
    assert(status || learned->n_lessons == own.n_tests);
    if (status) pare_graph_learned_done(learned);
    return status;
}

/* All-zero is a no-op. Paths of lessons are the caller's. */
void pare_graph_learned_done(pare_graph_learned *learned)
{
    for (size_t i = 0; i < learned->n_lessons; i++)
        pare_alloc_free(learned->lessons[i].trouble);
    pare_alloc_free(learned->lessons);
    pare_graph_free(learned->graph);
    *learned = (pare_graph_learned){0};
}
