/* What a watcher may ask about an event: the slots, and the best.
 *
 * Both are asked for seldom, by a view that is drawn some times a second, so they are functions and
 * no members that every event would carry: with the cache at work there are a million events a
 * second.  The best is copied piece by piece from what the candidate is made of, once.
 * Tested by tests/unit/test_reduce_view.c. */
#include <string.h>

#include <pare/events.h>

#include "engine/engine.h"
#include "session/session.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"

bool pare_event_slot(const pare_event *event, unsigned slot, pare_slot_event *out)
{
    const pare_engine *engine = event->run->engine;
    return engine && pare_engine_slot(engine, slot, out);
}

/* Where the best is copied to: bytes that do not fit are counted only. */
struct copy {
    const pare_session *session;
    unsigned char *to;
    size_t size, capacity;
};

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

/* Piece by piece, so that nothing is copied twice. */
size_t pare_event_best(const pare_event *event, void *bytes, size_t capacity)
{
    struct copy copy = {.session = event->run, .to = bytes, .capacity = capacity};
    const pare_engine *engine = event->run->engine;
    const pare_candidate *best = engine ? pare_engine_best(engine) : NULL;
    const pare_layout *layout = event->run->layout;
    const pare_layout_visitor visitor = {.context = &copy, .entry = copy_name, .bytes = copy_bytes};
    if (!best) return 0;
    if (layout && layout->is_file) /* the rest is words */
        (void)pare_layout_content(layout, best, 0, copy_bytes, &copy);
    else if (layout)
        (void)pare_layout_walk(layout, best, &visitor);
    else
        (void)pare_candidate_spans(best, copy_bytes, &copy);
    return copy.size;
}
