/* Text from outside, escaped so that each format takes it for text and nothing else.
 *
 * The output of a target may contain anything: control characters that steer a terminal, markup,
 * mentions that send mail to strangers, bytes that are not UTF-8. Each function appends such bytes
 * so that the format shows them and does nothing else with them.  Any thread.  All may give
 * PARE_E_NOMEM; *out then ends somewhere in what was added. */
#ifndef PARE_CAMPAIGN_ESCAPE_H
#define PARE_CAMPAIGN_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* Valid UTF-8 in which every character can be seen: line ends and tabs stay; bytes that are no UTF-8
 * and control characters become \xNN, characters that are not seen or turn the direction of
 * writing \u{NNNN}.  All the others below are this first. */
PARE_CHECK pare_status pare_escape_visible(const void *bytes, size_t size, pare_buffer *out,
                                           pare_error *err);

/* The same on one line: line ends and tabs become blanks, those at the ends go.  At most `most`
 * bytes, with "..." where it was cut; `most` is at least 8. */
PARE_CHECK pare_status pare_escape_line(const void *bytes, size_t size, size_t most,
                                        pare_buffer *out, pare_error *err);

/* Whether pare_escape_visible changes nothing: then the text can be copied out of a report. */
bool pare_escape_is_faithful(const void *bytes, size_t size);

/* A code span of Markdown, on one line, in which nothing is markup, a mention or a reference. */
PARE_CHECK pare_status pare_escape_code(const void *bytes, size_t size, pare_buffer *out,
                                        pare_error *err);

/* A fenced block of Markdown whose fence is longer than any in the text; ends with a line end. */
PARE_CHECK pare_status pare_escape_fence(const void *bytes, size_t size, pare_buffer *out,
                                         pare_error *err);

/* Content, or the value of an attribute, of XML 1.0. */
PARE_CHECK pare_status pare_escape_xml(const void *bytes, size_t size, pare_buffer *out,
                                       pare_error *err);

/* A string of JSON with its quotes, in ASCII. */
PARE_CHECK pare_status pare_escape_json(const void *bytes, size_t size, pare_buffer *out,
                                        pare_error *err);

/* Percent-encoded for a query or a part of a path of a URL; the bytes as they are. */
PARE_CHECK pare_status pare_escape_url(const void *bytes, size_t size, pare_buffer *out,
                                       pare_error *err);

/* Base64 in lines of 76 characters; the bytes as they are. */
PARE_CHECK pare_status pare_escape_base64(const void *bytes, size_t size, pare_buffer *out,
                                          pare_error *err);

#endif
