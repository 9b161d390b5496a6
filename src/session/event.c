/* Events: what each says of the run, and what a watcher may ask about one: the slots, and the best.
 *
 * Both are asked for seldom, by a view that is drawn some times a second, so they are functions and
 * no members that every event would carry: with the cache at work there are a million events a
 * second.  The best is copied piece by piece from what the candidate is made of, once.
 * Tested by tests/unit/test_reduce_view.c. */
#include <assert.h>
#include <string.h>

#include <pare/events.h>

#include "base/buffer.h"
#include "engine/engine.h"
#include "run/remote/remote.h"
#include "session/session.h"
#include "session/test/session_oracle.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"

/* Fills in what every event carries and calls the watcher. */
void pare_event_emit(pare_session *session, pare_event event)
{
    /* Nobody pays for figures that nobody sees. */
    if (!session->options->events.watcher) return;
    pare_engine_stats engine = {0};
    if (session->engine) engine = pare_engine_statistics(session->engine);
    event.phase = session->phase;
    /* Borrowed for the time of the call, as all texts of an event are. */
    event.keeping = session->oracle.signature.size ? session->oracle.signature.data : NULL;
    event.input_bytes = session->stats.bytes_in;
    event.best_bytes = pare_session_best_bytes(session);
    event.tests_run = engine.tests_run;
    event.slots_busy = engine.slots_busy;
    event.jobs = session->stats.jobs;
    const pare_remote_counts workers = pare_session_oracle_workers(&session->oracle);
    event.machines = workers.n_workers;
    event.machine_slots = workers.n_slots;
    /* The engine sends a few more than there are slots, so that nobody waits for the net. */
    const unsigned n_slots = event.jobs + event.machine_slots;
    if (event.slots_busy > n_slots) event.slots_busy = n_slots;
    event.elapsed_s = pare_session_elapsed_s(session);
    event.next_phase = *session->next_phase ? session->next_phase : NULL;
    event.tests_left = session->engine ? pare_engine_tests_left(session->engine) : UINT64_MAX;
    event.run = session;
    if (session->n_outputs) event.printed = pare_session_oracle_captured(&session->oracle);
    session->options->events.watcher(session->options->events.context, &event);
}

/* A notice is an event as any other: it has the state of the run, and comes in order with the
 * tests. */
void pare_event_notice(pare_session *session, const char *sentence)
{
    pare_event_emit(session, (pare_event){.kind = PARE_EVENT_NOTICE, .notice = sentence});
}

/* Between phases no engine runs, and no slot has a test. */
bool pare_event_slot(const pare_event *event, unsigned slot, pare_slot_event *out)
{
    const pare_engine *engine = event->run ? event->run->engine : NULL;
    return engine && pare_engine_slot(engine, slot, out);
}

/* Where the best is copied to. Bytes that do not fit are only counted. */
struct copy {
    const pare_session *session;
    unsigned char *to;
    size_t size, capacity;
};

/* Copies what fits and counts everything, so that the caller learns how much room the whole
 * takes. */
static int copy_bytes(void *context, pare_span span)
{
    struct copy *copy = context;
    const size_t left = copy->size < copy->capacity ? copy->capacity - copy->size : 0;
    const size_t n = span.size < left ? span.size : left;
    if (n) memcpy(copy->to + copy->size, span.bytes, n);
    copy->size += span.size;
    return 0;
}

/* Each entry begins with its name on a line. */
static int copy_name(void *context, uint32_t entry, size_t after)
{
    struct copy *copy = context;
    const char *path = copy->session->layout->entries.items[entry].path;
    (void)after;
    (void)copy_bytes(copy, (pare_span){.bytes = (const unsigned char *)"== ", .size = 3});
    (void)copy_bytes(copy, (pare_span){.bytes = (const unsigned char *)path, .size = strlen(path)});
    return copy_bytes(copy, (pare_span){.bytes = (const unsigned char *)" ==\n", .size = 4});
}

/* Copies what the candidate means, or as much of it as there is room for. */
static void copy_candidate(struct copy *copy, const pare_candidate *candidate)
{
    const pare_layout *layout = copy->session->layout;
    const pare_layout_visitor visitor = {.context = copy, .entry = copy_name, .bytes = copy_bytes};
    copy->size = 0;
    if (layout && layout->is_file) /* the rest is words */
        (void)pare_layout_content(layout, candidate, 0, copy_bytes, copy);
    else if (layout)
        (void)pare_layout_walk(layout, candidate, &visitor);
    else
        (void)pare_candidate_spans(candidate, copy_bytes, copy);
}

/* Copies the text of the candidate. With several files a first walk, without room, finds its
 * size. */
void pare_event_keep_tested(void *context, const pare_candidate *candidate)
{
    pare_session *session = context;
    struct copy copy = {.session = session};
    if (session->layout)
        copy_candidate(&copy, candidate);
    else
        copy.size = candidate->size;
    pare_buffer_reset(&session->tested);
    session->is_tested = !pare_buffer_reserve(&session->tested, copy.size, NULL);
    if (!session->is_tested) return;
    copy.to = (unsigned char *)session->tested.data;
    copy.capacity = copy.size;
    copy_candidate(&copy, candidate);
    assert(copy.size == copy.capacity && "both walks see the same text");
    session->tested.size = copy.size;
    session->tested.data[copy.size] = '\0';
}

/* `side` is borrowed. pare_event_passing can read it only while this event is being told. */
void pare_event_tell_passing(void *context, uint64_t n, const pare_candidate *side)
{
    pare_session *session = context;
    assert(!session->passing && "one side is told after the other");
    session->passing = side;
    pare_event_emit(session,
                    (pare_event){.kind = PARE_EVENT_PASSING, .n = n, .size_bytes = side->size});
    session->passing = NULL;
}

/* 0 for events that tell of no passing side. */
size_t pare_event_passing(const pare_event *event, void *bytes, size_t capacity)
{
    struct copy copy = {.session = event->run, .to = bytes, .capacity = capacity};
    if (event->run && event->run->passing) copy_candidate(&copy, event->run->passing);
    return copy.size;
}

/* Piece by piece, so that nothing is copied twice. */
size_t pare_event_best(const pare_event *event, void *bytes, size_t capacity)
{
    struct copy copy = {.session = event->run, .to = bytes, .capacity = capacity};
    const pare_engine *engine = event->run ? event->run->engine : NULL;
    const pare_candidate *best = engine ? pare_engine_best(engine) : NULL;
    if (best) copy_candidate(&copy, best);
    return copy.size;
}
