/* Joining in place: slices are read at least as fast as segments are written.
 * Invariant: what the segments cover is what the slices covered. */
#include "text/split/segment.h"

static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static bool is_line_end(unsigned char byte)
{
    return byte == '\n' || byte == '\r';
}

/* How far the bytes reach when the blanks at their end are left out; *line_end tells
 * whether there is a line end among those. */
static uint32_t trimmed(const unsigned char *bytes, uint32_t begin, uint32_t end, bool *line_end)
{
    *line_end = false;
    while (end > begin && is_blank(bytes[end - 1])) {
        *line_end = *line_end || is_line_end(bytes[end - 1]);
        end--;
    }
    return end;
}

/* Where a segment that begins at `begin` and has been joined up to `end` is to be cut; 0:
 * it goes on. */
static uint32_t cut(const unsigned char *bytes, uint32_t begin, uint32_t end, pare_comma comma)
{
    bool line_end;
    uint32_t last = trimmed(bytes, begin, end, &line_end);
    if (last == begin) return 0; /* blank so far */
    bool is_comma = bytes[last - 1] == ',';
    if (is_comma && comma == PARE_COMMA_BEFORE) return last - 1 > begin ? last - 1 : 0;
    return is_comma || line_end || bytes[last - 1] == ';' ? end : 0;
}

void pare_segment_join(pare_slices *slices, const unsigned char *bytes, pare_comma comma)
{
    size_t written = 0;
    for (size_t i = 0; i < slices->n;) {
        uint32_t begin = slices->begin[i], end = slices->end[i], at;
        size_t next = i + 1;
        while (!(at = cut(bytes, begin, end, comma)) && next < slices->n &&
               slices->begin[next] == end)
            end = slices->end[next++];
        bool goes_on = next < slices->n && slices->begin[next] == end;
        if (at && at < end && goes_on) {
            slices->begin[next] = at; /* the comma begins what follows */
            end = at;
        }
        slices->begin[written] = begin;
        slices->end[written++] = end;
        i = next;
    }
    slices->n = written;
}
