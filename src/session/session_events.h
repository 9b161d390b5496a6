/* Events of a session: what its parts tell the watcher, and the calls that the engine makes. */
#ifndef PARE_SESSION_SESSION_EVENTS_H
#define PARE_SESSION_SESSION_EVENTS_H

#include "engine/engine.h"
#include "session/session_state.h"
#include "text/candidate.h"
#include "text/layout.h"

#include <pare/events.h>

/* Fills in what every event carries and calls the watcher, if there is one. */
void pare_session_events_emit(pare_session *session, pare_event event);

/* Announces one sentence. */
void pare_session_events_notice(pare_session *session, const char *sentence);

/* Since the session was opened. */
double pare_session_events_elapsed_s(const pare_session *session);

/* Files, and bytes of their contents, of a candidate, and of the best: frames do not count. */
pare_layout_size pare_session_events_measure(const pare_session *session,
                                             const pare_candidate *candidate);
pare_layout_size pare_session_events_best_size(pare_session *session);
size_t pare_session_events_best_bytes(pare_session *session);

/* Makes room for one more element of `size_bytes` in an array of n, whose address is `array`;
 * false: there is no memory. */
bool pare_session_events_grow(void *array, size_t n, size_t *capacity, size_t size_bytes);

/* For pare_engine_options; `context` is the session. */
size_t pare_session_events_content_bytes(void *context, const pare_candidate *candidate);
PARE_CHECK pare_status pare_session_events_save(void *context, const pare_candidate *best,
                                                pare_error *err);
PARE_CHECK pare_status pare_session_events_other(void *context, const pare_candidate *candidate,
                                                 const char *signature, pare_error *err);
void pare_session_events_retired(void *context, const pare_retired *retired);
void pare_session_events_tick(void *context);

/* Says that the first run takes long, once or twice; called now and then while it goes on. */
void pare_session_events_waiting(void *context);

#endif
