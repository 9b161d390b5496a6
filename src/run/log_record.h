/* Log records: problems that a program reports through a logging library, such as
 *
 *     2026-11-28 10:00:01,123 ERROR [main] shop.Cart - no price for 'tea'
 *     10:00:01.123 shop.cart WARNING no price for 'tea'
 *     [warn] 12#12: no price for 'tea'
 *     npm WARN no price for 'tea'
 *     SEVERE: no price for 'tea'
 *     time="10:00:01" level=error msg="no price for 'tea'"
 *     {"level":"error","ts":1764324001.1,"msg":"no price for 'tea'"}
 *
 * The time, the thread and the number of the process differ from run to run, so they are no
 * part of what is reported: that is the level and the message.  A word such as ERROR in a
 * sentence or a table is no level.
 * Sources: the default layouts of Python's logging, log4j 2 and Logback, java.util.logging,
 * npm, nginx, Rust's env_logger, Go's logrus, zap and log/slog.  Any thread; cost: one walk
 * over the line. */
#ifndef PARE_RUN_LOG_RECORD_H
#define PARE_RUN_LOG_RECORD_H

#include <stdbool.h>
#include <stddef.h>

/* Slices of the line that was read. */
typedef struct pare_log_record {
    bool warns; /* a warning; else an error */
    const char *level;
    size_t level_size;
    const char *message; /* has a letter in it */
    size_t message_size;
} pare_log_record;

/* Reads a line without escape sequences and with single blanks; false: it is no record of a
 * problem, or one without a message. */
bool pare_log_record_read(const char *line, pare_log_record *out);

#endif
