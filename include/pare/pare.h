/* libpare: finds the smallest input that still makes a program fail. */
#ifndef PARE_PARE_H
#define PARE_PARE_H

#include <pare/algorithm.h>
#include <pare/generate.h>
#include <pare/isolate.h>
#include <pare/language.h>
#include <pare/learn.h>
#include <pare/outcome.h>
#include <pare/parse.h>
#include <pare/reduce.h>
#include <pare/shootout.h>
#include <pare/status.h>
#include <pare/stop.h>
#include <pare/survivors.h>

#define PARE_VERSION "0.1.0"

/* Version of the library at run time. */
PARE_API const char *pare_version(void);

#endif
