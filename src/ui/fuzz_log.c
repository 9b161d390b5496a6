/* The log of a campaign, for a terminal or a file.
 *
 * Events come one a line with the local time of day; what a target printed is part of their texts
 * (names of functions, messages), so each is made safe for a terminal.  The status line is
 * erased before a line is printed, and drawn again with the next summary.  It is cut to the
 * terminal's width, since a line that wraps cannot be erased. */

#include "ui/fuzz_log.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

#include "os/descriptor.h"

/* Room for a line, whose rest is left out; and how wide the status line becomes on a
 * wide terminal. */
enum { LINE_BYTES = 1024, MAX_COLUMNS = 200 };
/* PLAIN: from one line on how it stands to the next. */
static const double PLAIN_S = 60;

/* ---- events ---------------------------------------------------------------------------- */

/* The colour of an event, as an SGR parameter; NULL: none. */
static const char *color_of(const char *kind)
{
    static const char *const colors[][2] = {
        {"new", "31"},      {"regressed", "31"}, {"reduced", "32"}, {"fixed", "32"},
        {"reported", "36"}, {"trouble", "33"},   {"invalid", "2"},  {"job", "2"}};
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
        if (!strcmp(kind, colors[i][0])) return colors[i][1];
    return NULL;
}

/* QUIET leaves troubles only.  Jobs come and go with every reduction, and are told of
 * on request. */
static bool is_shown(const pare_fuzz_log *log, const char *kind)
{
    if (log->mode == PARE_FUZZ_LOG_QUIET) return !strcmp(kind, "trouble");
    return log->jobs || strcmp(kind, "job") != 0;
}

void pare_fuzz_log_erase(pare_fuzz_log *log)
{
    /* To the first column, and everything from there on away (EL of ECMA-48). */
    if (!log->on_screen) return;
    fputs("\r\033[K", log->out);
    log->on_screen = false;
}

/* "14:02:09  TEXT" in the colour of its kind.  Flushed at once: whoever reads a pipe or
 * a file sees it when it happens. */
void pare_fuzz_log_event(pare_fuzz_log *log, const pare_store_event *event)
{
    char clock[16] = "", text[LINE_BYTES];
    struct tm at;
    time_t seconds = (time_t)(event->time / 1000);
    if (!is_shown(log, event->kind)) return;
    if (localtime_r(&seconds, &at)) (void)strftime(clock, sizeof clock, "%H:%M:%S", &at);
    const char *color = log->paint == PARE_COLORED ? color_of(event->kind) : NULL;
    pare_fuzz_log_erase(log);
    pare_format_name(text, sizeof text, event->text);
    if (color)
        fprintf(log->out, "%s  \033[%sm%s\033[0m\n", clock, color, text);
    else
        fprintf(log->out, "%s  %s\n", clock, text);
    (void)fflush(log->out);
}

/* ---- how it stands ----------------------------------------------------------------------- */

/* Appends ", 12 things", unless there are none. */
static void add_count(char *text, size_t capacity, uint64_t n, const char *one, const char *many)
{
    char number[PARE_FORMAT_BYTES];
    size_t used = strlen(text);
    if (n)
        (void)snprintf(text + used, capacity - used, ", %s %s", pare_format_count(number, n),
                       n == 1 ? one : many);
}

const char *pare_fuzz_log_describe(char *text, size_t capacity,
                                   const pare_campaign_summary *summary)
{
    char time[PARE_FORMAT_BYTES], tests[PARE_FORMAT_BYTES], rate[PARE_FORMAT_BYTES];
    (void)snprintf(text, capacity, "%s, %s (%s)", pare_format_duration(time, summary->elapsed_s),
                   pare_format_tests(tests, summary->tests),
                   pare_format_rate(rate, summary->tests, summary->elapsed_s));
    add_count(text, capacity, summary->failures, "failure", "failures");
    add_count(text, capacity, summary->new_findings, "new finding", "new findings");
    add_count(text, capacity, summary->findings, "in all", "in all");
    add_count(text, capacity, summary->reduced, "reduced", "reduced");
    add_count(text, capacity, summary->edges, "edge", "edges");
    return text;
}

/* Draws the status line over the one before; \033[K takes away what that has more.  The
 * last column stays free, since writing it would make some terminals go on to the next
 * line. */
static void draw(pare_fuzz_log *log, const pare_campaign_summary *summary)
{
    char line[LINE_BYTES];
    unsigned columns = log->columns ? log->columns : pare_descriptor_columns(fileno(log->out));
    if (columns > MAX_COLUMNS) columns = MAX_COLUMNS;
    (void)pare_fuzz_log_describe(line, sizeof line, summary);
    size_t used = strlen(line);
    (void)snprintf(line + used, sizeof line - used, ", %u of %u slots", summary->slots_busy,
                   summary->slots);
    used = strlen(line);
    if (summary->workers && used < sizeof line)
        (void)snprintf(line + used, sizeof line - used, " and %u on %u worker%s",
                       summary->worker_slots, summary->workers, summary->workers == 1 ? "" : "s");
    add_count(line, sizeof line, summary->waiting, "job waits", "jobs wait");
    fprintf(log->out, "\r%.*s\033[K", columns > 1 ? (int)columns - 1 : 1, line);
    (void)fflush(log->out);
    log->on_screen = true;
}

/* LINE: every summary is shown.  PLAIN: one each PLAIN_S of the campaign's time, since
 * a file keeps them all. */
void pare_fuzz_log_summary(pare_fuzz_log *log, const pare_campaign_summary *summary)
{
    char line[LINE_BYTES];
    if (log->mode == PARE_FUZZ_LOG_LINE) draw(log, summary);
    if (log->mode != PARE_FUZZ_LOG_PLAIN || summary->elapsed_s < log->told_s + PLAIN_S) return;
    log->told_s = summary->elapsed_s;
    fprintf(log->out, "%s\n", pare_fuzz_log_describe(line, sizeof line, summary));
    (void)fflush(log->out);
}
