/* Words by which a line tells that something is wrong, such as "invalid", "cannot" and "not found".
 *
 * They do not make a line a diagnostic (run/diagnostic_header.h does): of lines that all could be one, they tell
 * which is about a fault and which is about what the program does ("reading from file in.pcap").  Any thread. */
#ifndef PARE_RUN_FAILURE_WORDS_H
#define PARE_RUN_FAILURE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether one of the words stands in `text`, regardless of case. */
bool pare_failure_words_in(const char *text, size_t size);

#endif
