/* Findings as JUnit XML, which continuous integration shows as tests.
 *
 * A target is a suite, a finding a test of it that fails; a fixed one passes, an invalid one is
 * skipped.  Suites say how many tests they have before the tests, so the tests of a target are held
 * back until the next target comes, and all suites until the end.  Without findings there is one
 * test, which passes: several readers take a file without tests for a broken build.
 * There is no standard; this keeps to what Ant's and Surefire's reports have in common, which Jenkins,
 * GitLab and the readers of GitHub's actions take. */
#include "campaign/findings_file.h"

#include <inttypes.h>
#include <string.h>

#include <pare/findings.h>

#include "base/buffer.h"
#include "campaign/escape.h"

/* Begins with an empty name of the target, so that its data is never NULL. */
static pare_status begin(pare_findings_file *file, pare_error *err)
{
    return pare_buffer_text(&file->target, "", err);
}

/* Appends an attribute with a blank before it: NAME="TEXT". */
static pare_status add_attribute(const char *name, const char *text, size_t size, pare_buffer *out,
                                 pare_error *err)
{
    pare_status status = pare_buffer_format(out, err, " %s=\"", name);
    if (!status) status = pare_escape_xml(text, size, out, err);
    return status ? status : pare_buffer_text(out, "\"", err);
}

/* Moves the tests of the last target into a suite of `head`, with their counts;
 * nothing if there are none. */
static pare_status end_suite(pare_findings_file *file, pare_error *err)
{
    pare_buffer *out = &file->head;
    if (!file->n) return PARE_OK;
    pare_status status = pare_buffer_text(out, "  <testsuite", err);
    if (!status) status = add_attribute("name", file->target.data, file->target.size, out, err);
    if (!status)
        status = pare_buffer_format(out, err,
                                    " tests=\"%" PRIu64 "\" failures=\"%" PRIu64
                                    "\" errors=\"0\" skipped=\"%" PRIu64 "\" time=\"0\">\n",
                                    file->n, file->n_failures, file->n_skipped);
    if (!status) status = pare_buffer_add(out, file->body.data, file->body.size, err);
    if (!status) status = pare_buffer_text(out, "  </testsuite>\n", err);
    pare_buffer_reset(&file->body);
    file->n = file->n_failures = file->n_skipped = 0;
    return status;
}

/* Appends the text of a failure: what one reads before the input. */
static pare_status add_failure(const pare_findings_entry *entry, pare_buffer *out, pare_error *err)
{
    const pare_finding *finding = entry->finding;
    size_t output = strlen(finding->output);
    size_t skipped = output > PARE_FINDINGS_FILE_OUTPUT ? output - PARE_FINDINGS_FILE_OUTPUT : 0;
    pare_status status = pare_buffer_text(out, "      <failure", err);
    if (!status)
        status = add_attribute("message", finding->title, strlen(finding->title), out, err);
    if (!status)
        status = add_attribute("type", pare_finding_state_name(finding->state),
                               strlen(pare_finding_state_name(finding->state)), out, err);
    if (!status) status = pare_buffer_text(out, ">", err);
    if (!status) status = pare_escape_xml(finding->signature, strlen(finding->signature), out, err);
    if (!status) status = pare_buffer_text(out, "&#10;&#10;", err);
    if (!status) status = pare_escape_xml(finding->output + skipped, output - skipped, out, err);
    return status ? status : pare_buffer_text(out, "</failure>\n", err);
}

/* Appends the input. Standard output of a test is where readers show what
 * belongs to it. A large input is cut. */
static pare_status add_input(const pare_findings_entry *entry, pare_buffer *out, pare_error *err)
{
    size_t shown = entry->size < PARE_FINDINGS_FILE_INPUT ? entry->size : PARE_FINDINGS_FILE_INPUT;
    pare_status status = pare_buffer_text(out, "      <system-out>", err);
    if (!status) status = pare_escape_xml(entry->input, shown, out, err);
    return status ? status : pare_buffer_text(out, "</system-out>\n", err);
}

/* Appends a test for one finding and counts it. Findings take no time, but
 * readers want the attribute. */
static pare_status add_case(pare_findings_file *file, const pare_findings_entry *entry,
                            pare_error *err)
{
    const pare_finding *finding = entry->finding;
    pare_buffer *out = &file->body, name = {0};
    pare_status status =
        pare_buffer_format(&name, err, "%s (finding %lld)", finding->title, (long long)finding->id);
    if (!status) status = pare_buffer_text(out, "    <testcase", err);
    if (!status)
        status = add_attribute("classname", finding->target, strlen(finding->target), out, err);
    if (!status) status = add_attribute("name", name.data, name.size, out, err);
    if (!status) status = pare_buffer_text(out, " time=\"0\">\n", err);
    pare_buffer_done(&name);
    if (status) return status;
    file->n++;
    if (finding->state == PARE_FINDING_INVALID) {
        file->n_skipped++;
        status =
            pare_buffer_text(out, "      <skipped message=\"its input does not show it\"/>\n", err);
    } else if (finding->state != PARE_FINDING_FIXED) {
        file->n_failures++;
        status = add_failure(entry, out, err);
    }
    if (!status && entry->input) status = add_input(entry, out, err);
    return status ? status : pare_buffer_text(out, "    </testcase>\n", err);
}

/* Adds a finding. They come by target, so a new name ends the suite of the last one. */
static pare_status add(pare_findings_file *file, const pare_findings_entry *entry, pare_error *err)
{
    const char *target = entry->finding->target;
    if (file->n && strcmp(file->target.data, target) != 0) {
        pare_status status = end_suite(file, err);
        if (status) return status;
    }
    pare_buffer_reset(&file->target);
    pare_status status = pare_buffer_text(&file->target, target, err);
    return status ? status : add_case(file, entry, err);
}

/* Ends the last suite and writes the whole. Totals are left out: not all
 * readers take them on the outermost element. */
static pare_status end(pare_findings_file *file, pare_buffer *out, pare_error *err)
{
    static const char none[] =
        "  <testsuite name=\"pare fuzz\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\""
        " time=\"0\">\n    <testcase classname=\"pare fuzz\" name=\"there are no findings\""
        " time=\"0\"/>\n  </testsuite>\n";
    pare_status status = end_suite(file, err);
    if (!status)
        status = pare_buffer_text(out,
                                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                  "<testsuites name=\"pare fuzz\">\n",
                                  err);
    if (!status) status = pare_buffer_text(out, file->head.size ? file->head.data : none, err);
    return status ? status : pare_buffer_text(out, "</testsuites>\n", err);
}

const pare_findings_writer pare_junit_writer = {
    .name = "junit",
    .summary = "JUnit's XML, for continuous integration",
    .begin = begin,
    .add = add,
    .end = end,
};
