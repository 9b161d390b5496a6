/* libpare: makes an input that breaks a program as small as it gets.  For C and C++.
 *
 * Versions.  A program goes on to work with a later library that has the same soname:
 *
 *  options   A struct of options begins with `struct_bytes` and may grow at its end.  Leave
 *            that member 0, and set all of the struct to zero before use: each call tells the
 *            library how long the struct is in the header that it was compiled with.  Set it
 *            to sizeof where a struct is filled in by a file compiled with another header
 *            than the one that calls.  What a shorter struct does not have is zero; a longer
 *            one is taken unless it sets what the library does not know (PARE_E_ARG).
 *            Structs inside keep their size, and reserve room for later members.
 *  results   What the library fills in keeps its layout.
 *  enums     get new values at their end only. */
#ifndef PARE_PARE_H
#define PARE_PARE_H

#include <pare/algorithm.h>
#include <pare/campaign.h>
#include <pare/campaign_report.h>
#include <pare/derivations.h>
#include <pare/events.h>
#include <pare/explain.h>
#include <pare/findings.h>
#include <pare/generate.h>
#include <pare/graph.h>
#include <pare/graph_explore.h>
#include <pare/graph_weigh.h>
#include <pare/guide.h>
#include <pare/highlight.h>
#include <pare/history.h>
#include <pare/input.h>
#include <pare/isolate.h>
#include <pare/keep.h>
#include <pare/language.h>
#include <pare/learn.h>
#include <pare/limits.h>
#include <pare/outcome.h>
#include <pare/output.h>
#include <pare/page.h>
#include <pare/parse.h>
#include <pare/record.h>
#include <pare/reduce.h>
#include <pare/reduce_list.h>
#include <pare/result.h>
#include <pare/status.h>
#include <pare/stop.h>
#include <pare/strategy.h>
#include <pare/survivors.h>
#include <pare/switch.h>
#include <pare/sync.h>
#include <pare/test.h>
#include <pare/worker.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PARE_VERSION "0.1.0"

/* Version of the library at run time. */
PARE_API const char *pare_version(void);

#ifdef __cplusplus
}
#endif

#endif
