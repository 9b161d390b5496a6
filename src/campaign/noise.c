/* Noise: lines that a sanitizer reports at every start, whatever the input is.
 *
 * A sanitizer that lets the program go on may complain before the input is read.  Such a report
 * comes first in the output of every test, so it would hide all others.  The target is run on an
 * empty input; each report in its output becomes a pattern for `ignore_lines`, with any number in
 * the place of a number; this is repeated until nothing more is found.  It is only done for
 * programs that end with exit code 0: one that dies on an empty input has no other failure to look
 * for.  We know of nothing like it in the literature; other fuzzers ask their users for suppression
 * files. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include <pare/campaign.h>
#include <pare/outcome.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/campaign_file.h"
#include "campaign/section.h"
#include "campaign/target.h"
#include "run/signature.h"

enum { ROUNDS = 8 }; /* a program of more complaints at its start is not for fuzzing */

static const char REPORT[] = ": runtime error: ";

/* Appends a pattern for one line of a report: from the last part of its path
 * on, any number in the place of each number. Paths and numbers differ from
 * machine to machine and from build to build. */
static pare_status add_pattern(pare_buffer *to, const char *line, size_t size, pare_error *err)
{
    const char *report = memmem(line, size, REPORT, sizeof REPORT - 1);
    assert(report && "only lines of reports become patterns");
    const char *from = report, *end = line + size;
    while (from > line && from[-1] != '/')
        from--;
    pare_status status = pare_buffer_text(to, to->size ? "\n" : "", err);
    while (!status && from < end) {
        const char *c = from++;
        if (isdigit((unsigned char)*c)) {
            while (from < end && isdigit((unsigned char)*from))
                from++;
            status = pare_buffer_text(to, "[0-9]+", err);
        } else if (isalnum((unsigned char)*c) || strchr(" _:,'", *c)) {
            status = pare_buffer_add(to, c, 1, err);
        } else {
            /* Signs are any character: less exact, but no sign means something to a pattern, or to
             * the file that it stands in. */
            status = pare_buffer_text(to, ".", err);
        }
    }
    return status;
}

/* Adds a pattern for each line of `output` that is a report. */
static pare_status add_reports(pare_buffer *to, const char *output, pare_error *err)
{
    pare_status status = PARE_OK;
    for (const char *line = output; !status && *line;) {
        size_t size = strcspn(line, "\n");
        if (memmem(line, size, REPORT, sizeof REPORT - 1))
            status = add_pattern(to, line, size, err);
        line += size + (line[size] == '\n');
    }
    return status;
}

/* Runs the target once on an empty input. Reports are added only if it then
 * ended by itself with exit code 0: one that dies of nothing has no other
 * failure to look for. */
static pare_status listen(const pare_target *target, pare_buffer *patterns, pare_error *err)
{
    pare_target_oracle oracle;
    pare_target_seen seen = {.outcome = PARE_NO_OUTCOME};
    pare_signature signature = {.ended = PARE_ENDED_ANYHOW};
    pare_status status = pare_target_open(target, false, 1, NULL, &oracle, err);
    if (status) return status;
    status = pare_target_try(target, &oracle, "", 0, &seen, err);
    if (!status && seen.signature) status = pare_signature_parse(seen.signature, &signature, err);
    const bool goes_on = signature.ended == PARE_ENDED_EXIT && signature.code == 0;
    if (!status && goes_on && seen.output) status = add_reports(patterns, seen.output, err);
    pare_target_seen_done(&seen);
    pare_target_close(&oracle);
    return status;
}

/* One round: runs the target with the patterns found so far, so that the next
 * report is seen. *quiet: nothing was added. */
static pare_status listen_again(const pare_campaign *campaign, const char *name,
                                pare_buffer *patterns, bool *quiet, pare_error *err)
{
    pare_target target = {0};
    const char *lines[] = {NULL};
    pare_buffer all = {0};
    const size_t before = patterns->size;
    pare_status status = pare_target_read(campaign, name, &target, err);
    /* One pattern of all that is known, since the section's own stay as they are. */
    if (!status && before) status = pare_buffer_text(&all, "(?:", err);
    for (size_t i = 0; !status && i < before; i++)
        status =
            pare_buffer_add(&all, patterns->data[i] == '\n' ? "|" : patterns->data + i, 1, err);
    if (!status && before) status = pare_buffer_text(&all, ")", err);
    if (!status && before && !target.keep.n_ignore_lines) {
        lines[0] = all.data;
        target.keep.ignore_lines = lines;
        target.keep.n_ignore_lines = 1;
    }
    if (!status) status = listen(&target, patterns, err);
    *quiet = patterns->size == before;
    pare_buffer_done(&all);
    pare_target_done(&target);
    return status;
}

/* Finds patterns for the first target, unless the user has written some.
 * *setting is the text for -D, owned by the caller, or NULL if it says nothing
 * at its start. */
pare_status pare_campaign_noise(const pare_campaign *campaign, char **setting, pare_error *err)
{
    const pare_section *section = pare_campaign_section_at(campaign, "target", 0);
    pare_buffer patterns = {0}, text = {0};
    bool quiet = section == NULL || *pare_section_text(section, "ignore_lines");
    pare_status status = PARE_OK;
    *setting = NULL;
    for (unsigned k = 0; !status && !quiet && k < ROUNDS; k++)
        status = listen_again(campaign, pare_section_name(section), &patterns, &quiet, err);
    if (!status && patterns.size)
        status = pare_buffer_format(&text, err, "target %s:ignore_lines=%s",
                                    pare_section_name(section), patterns.data);
    if (!status && text.size) {
        *setting = text.data; /* handed over */
        text = (pare_buffer){0};
    }
    pare_buffer_done(&patterns);
    pare_buffer_done(&text);
    return status;
}
