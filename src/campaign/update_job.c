/* The job "update": runs the target's `update` command, then requests validation of its findings.
 *
 * The command runs in the job's folder, and its output stays there until the job has ended; if it
 * fails, its last line is reported.  It is run again if the job is killed, so it should be
 * repeatable, like `git pull && make`.  The event, the requests for validation and the job's end
 * are one transaction. */
#include <string.h>

#include <pare/findings.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/campaign_file.h"
#include "campaign/job.h"
#include "campaign/job_run.h"
#include "campaign/section.h"
#include "campaign/store.h"
#include "campaign/target.h"
#include "os/executable.h"
#include "os/file.h"

enum { UPDATE_TIME_MS = 4 * 3600 * 1000 };

/* What the update is about. */
struct updating {
    const pare_job_run *run;
    const char *name;     /* of the target */
    const char *command;  /* borrowed from the campaign */
    char *before, *after; /* versions; owned */
    uint64_t n_ordered;
};

/* Sets *version to the target's version, or to "" if it cannot be told: before
 * the first update there may be no program to ask. The caller owns it. */
static pare_status take_version(const struct updating *self, char **version, pare_error *err)
{
    const pare_job_run *run = self->run;
    pare_status status = pare_target_version(run->campaign, self->name, run->stop, version, NULL);
    if (status == PARE_OK) return PARE_OK;
    if (status == PARE_E_INTERRUPTED) return pare_fail(err, status, "the update was stopped");
    *version = pare_alloc_text("", 0);
    return *version ? PARE_OK : pare_fail_nomem(err);
}

/* Fails with how the command has ended and the last line that it has printed. */
static pare_status fail_update(const struct updating *self, const char *log,
                               const pare_executable_end *end, pare_error *err)
{
    pare_buffer output = {0};
    const char *line = "";
    if (!pare_file_read(log, &output, NULL) && output.size) {
        while (output.size && strchr(" \t\r\n", output.data[output.size - 1]))
            output.data[--output.size] = '\0';
        const char *newline = output.size ? strrchr(output.data, '\n') : NULL;
        line = newline ? newline + 1 : output.data;
    }
    pare_status status =
        end->timed_out
            ? pare_fail(err, PARE_E_STATE, "the update of target '%s' did not end", self->name)
            : pare_fail(err, PARE_E_STATE,
                        "the update of target '%s' fails with exit code %d: %.150s", self->name,
                        end->exit_code, line);
    pare_buffer_done(&output);
    return status;
}

/* Runs the command. What it prints goes to a file of the job's folder, as it
 * may be a build's megabytes. */
static pare_status run_command(const struct updating *self, pare_error *err)
{
    pare_buffer log = {0};
    pare_executable_end end = {.exit_code = 0};
    const char *const words[] = {"sh", "-c", self->command, NULL};
    pare_status status = pare_buffer_format(&log, err, "%s/update.log", self->run->folder);
    const pare_executable_call call = {.path = "/bin/sh",
                                       .argv = words,
                                       .directory = self->run->folder,
                                       .log_path = log.data,
                                       .timeout_ms = UPDATE_TIME_MS};
    if (!status) status = pare_executable_run(&call, &end, err);
    if (!status && (end.timed_out || end.exit_code))
        status = fail_update(self, log.data, &end, err);
    pare_buffer_done(&log);
    return status;
}

/* A pare_finding_visit: orders the validation of one finding, as the new
 * version may have fixed it. */
static pare_status order_validation(void *context, const pare_finding *finding, pare_error *err)
{
    struct updating *self = context;
    int64_t id = 0;
    const pare_job_order order = {.kind = PARE_JOB_VALIDATE,
                                  .finding = finding->id,
                                  .target = self->name,
                                  .config = self->run->config};
    self->n_ordered++;
    return pare_job_add(self->run->store, &order, &id, err);
}

/* Tells of the update, orders the validations and ends the job; a part of the
 * caller's transaction. */
static pare_status store(struct updating *self, pare_error *err)
{
    const pare_job_run *run = self->run;
    const pare_section *section = pare_campaign_section_at(run->campaign, "campaign", 0);
    const pare_finding_filter filter = {.target = self->name};
    const bool changed = strcmp(self->before, self->after) != 0;
    pare_buffer text = {0};
    pare_status status = PARE_OK;
    if (!section || pare_section_flag(section, "validate_after_update"))
        status = pare_store_findings(run->store, &filter, order_validation, self, err);
    if (!status)
        status = pare_buffer_format(
            &text, err, "target '%s' is updated%s%.80s%s%.80s%s", self->name,
            changed ? " from '" : "", changed ? self->before : "", changed ? "' to '" : "",
            changed ? self->after : ", and its version is the same", changed ? "'" : "");
    if (!status) status = pare_store_tell(run->store, "updated", 0, run->job->id, text.data, err);
    if (!status)
        status = pare_buffer_format(&text, err, "; %llu %s validated",
                                    (unsigned long long)self->n_ordered,
                                    self->n_ordered == 1 ? "finding is" : "findings are");
    if (!status)
        status = pare_job_set_ended(run->store, run->job->id, PARE_JOB_DONE, text.data, err);
    pare_buffer_done(&text);
    return status;
}

/* The job as a whole. The version is asked for before the command: afterwards
 * there is nobody left to ask. */
pare_status pare_update_job(const pare_job_run *run, pare_error *err)
{
    struct updating self = {.run = run, .name = run->job->target};
    const pare_section *section = pare_campaign_section(run->campaign, "target", self.name);
    if (!section)
        return pare_fail(err, PARE_E_ARG, "the campaign no longer has a target '%.60s'", self.name);
    self.command = pare_section_text(section, "update");
    if (!*self.command)
        return pare_fail(err, PARE_E_STATE,
                         "target '%.60s' has no 'update' command: add one to its section",
                         self.name);
    pare_status status = take_version(&self, &self.before, err);
    if (!status) status = run_command(&self, err);
    if (!status) status = take_version(&self, &self.after, err);
    if (!status) status = pare_store_begin(run->store, err);
    if (!status) status = pare_store_end(run->store, store(&self, err), err);
    pare_alloc_free(self.before);
    pare_alloc_free(self.after);
    return status;
}
