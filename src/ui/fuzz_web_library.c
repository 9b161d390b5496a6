/* libmicrohttpd by dlopen: a table of its functions, filled once.
 *
 * Who starts a server is one thread, so nothing is locked. */
#ifdef PARE_HAVE_MICROHTTPD

#include "ui/fuzz_web_library.h"

#include <stdbool.h>

#include "base/fail.h"
#include "os/shared_library.h"

/* Fills the table; false: the library lacks one of them, as an older one may. */
static bool find_all(void *from, pare_fuzz_web_library *all)
{
    const pare_shared_function wanted[] = {
        {"MHD_add_response_header", &all->add_response_header},
        {"MHD_create_response_from_buffer", &all->create_response_from_buffer},
        {"MHD_create_response_from_callback", &all->create_response_from_callback},
        {"MHD_destroy_response", &all->destroy_response},
        {"MHD_get_connection_info", &all->get_connection_info},
        {"MHD_get_connection_values_n", &all->get_connection_values_n},
        {"MHD_get_daemon_info", &all->get_daemon_info},
        {"MHD_get_timeout", &all->get_timeout},
        {"MHD_lookup_connection_value", &all->lookup_connection_value},
        {"MHD_queue_response", &all->queue_response},
        {"MHD_resume_connection", &all->resume_connection},
        {"MHD_run", &all->run},
        {"MHD_start_daemon", &all->start_daemon},
        {"MHD_stop_daemon", &all->stop_daemon},
        {"MHD_suspend_connection", &all->suspend_connection},
    };
    return pare_shared_library_find(from, wanted, sizeof wanted / sizeof *wanted);
}

pare_status pare_fuzz_web_library_open(const pare_fuzz_web_library **out, pare_error *err)
{
    /* The number is that of the interface that our declarations are of. */
    static const char *const names[] = {"libmicrohttpd.so.12", NULL};
    static pare_fuzz_web_library library;
    /* The table is filled as a whole or not at all, so one of its functions tells
     * whether it is. */
    void *from = library.run ? NULL : pare_shared_library_open(names);
    *out = NULL;
    if (!library.run && !from)
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "the web server needs libmicrohttpd: apt-get install libmicrohttpd12");
    /* No half of a table is left: the next call would take it for a whole one. */
    if (from && !find_all(from, &library)) {
        library = (pare_fuzz_web_library){.run = NULL};
        return pare_fail(
            err, PARE_E_UNSUPPORTED,
            "this libmicrohttpd lacks functions that the web server needs: install a newer one");
    }
    *out = &library;
    return PARE_OK;
}

#else

/* A file of C has to declare something. */
typedef int pare_fuzz_web_library_is_missing;

#endif
