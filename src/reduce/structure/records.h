/* Records of a list: its items between two blank lines. */
#ifndef PARE_REDUCE_STRUCTURE_RECORDS_H
#define PARE_REDUCE_STRUCTURE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reduce/structure/structure.h"

/* The line after the record that begins in `line`, up to a blank line, or to `end`; of a long one, after its first item. */
uint32_t pare_records_end(const pare_structure *structure, uint32_t line, uint32_t end);

/* Whether blank lines make enough records of the list of lines from .. to-1, of two items and more as a rule.  A list of
 * blocks, as a program is, has none: its blank lines are between some of them only.  Nor has a long list with a few
 * blank lines, where most items are in records that are too long.  O(lines). */
bool pare_records_are_there(const pare_structure *structure, uint32_t from, uint32_t to);

#endif
