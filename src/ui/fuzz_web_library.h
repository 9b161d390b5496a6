/* libmicrohttpd, opened when a server starts and not linked: it brings some ten others, one of which
 * asks the kernel for random numbers as soon as it is loaded.  That would cost every start of pare,
 * and be the first choices of a generator of ours whose randomness is recorded.  Its header is needed
 * at build time only. */
#ifndef PARE_UI_FUZZ_WEB_LIBRARY_H
#define PARE_UI_FUZZ_WEB_LIBRARY_H

#include <microhttpd.h>

#include "base/fail.h"

/* What we call of it, by the names that it has there. */
typedef struct pare_fuzz_web_library {
    __typeof__(MHD_add_response_header) *add_response_header;
    __typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
    __typeof__(MHD_create_response_from_callback) *create_response_from_callback;
    __typeof__(MHD_destroy_response) *destroy_response;
    __typeof__(MHD_get_connection_info) *get_connection_info;
    __typeof__(MHD_get_connection_values_n) *get_connection_values_n;
    __typeof__(MHD_get_daemon_info) *get_daemon_info;
    __typeof__(MHD_get_timeout) *get_timeout;
    __typeof__(MHD_lookup_connection_value) *lookup_connection_value;
    __typeof__(MHD_queue_response) *queue_response;
    __typeof__(MHD_resume_connection) *resume_connection;
    __typeof__(MHD_run) *run;
    __typeof__(MHD_start_daemon) *start_daemon;
    __typeof__(MHD_stop_daemon) *stop_daemon;
    __typeof__(MHD_suspend_connection) *suspend_connection;
} pare_fuzz_web_library;

/* Opens it once for this process; *out is static.  Errors: PARE_E_UNSUPPORTED (it is not there). */
PARE_CHECK pare_status pare_fuzz_web_library_open(const pare_fuzz_web_library **out,
                                                  pare_error *err);

#endif
