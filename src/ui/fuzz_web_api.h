/* What `pare fuzz web` answers: the pages, and the API below /api/v1 (docs/guide/fuzz-api.md).
 *
 * From a request that was read to an answer, by the store and nothing else: no socket, no file.
 * One thread, that of the store. */
#ifndef PARE_UI_FUZZ_WEB_API_H
#define PARE_UI_FUZZ_WEB_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/findings.h>

#include "base/buffer.h"
#include "ui/fuzz_web_request.h"

typedef struct pare_fuzz_web_api {
    pare_store *store;      /* borrowed, as is all of it */
    const char *store_path; /* as the page shows it */
    const pare_fuzz_web_door *door;
} pare_fuzz_web_api;

/* All-zero before it is filled. */
typedef struct pare_fuzz_web_answer {
    pare_fuzz_web_code code;
    const char *type;  /* of the content; static */
    pare_buffer body;  /* owned; used when `fixed` is NULL */
    const char *fixed; /* static bytes, fixed_bytes of them */
    size_t fixed_bytes;
    const char *allow;    /* of a method that is not there: those that are; static */
    bool is_download;     /* content of a target: never to be shown by the browser itself */
    bool is_stream;       /* events follow, as text/event-stream, those after ... */
    int64_t stream_after; /* ... this one; below 0: those that come from now on */
    bool sets_cookie;     /* to the token, and goes on at "/" */
} pare_fuzz_web_answer;

void pare_fuzz_web_api_done(pare_fuzz_web_answer *answer);

/* Answers.  What cannot be done is an answer, too; only PARE_E_NOMEM is an error of the function.
 * About 1 ms, and no call waits for anything but the store. */
PARE_CHECK pare_status pare_fuzz_web_api_answer(const pare_fuzz_web_api *api,
                                                const pare_fuzz_web_request *request,
                                                pare_fuzz_web_answer *answer, pare_error *err);

/* Makes the answer that refuses, one sentence as JSON.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_fuzz_web_api_refuse(pare_fuzz_web_code code, const char *sentence,
                                                pare_fuzz_web_answer *answer, pare_error *err);

#endif
