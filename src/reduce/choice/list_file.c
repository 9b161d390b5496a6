/* Lines in both directions. */
#include "reduce/choice/list_file.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"
#include "reduce/choice/choices.h"

static const char HEAD[] = "pare choices 1\n";
enum { HEAD_BYTES = sizeof HEAD - 1 };

bool pare_choice_list_is_file(const void *bytes, size_t size)
{
    return size >= HEAD_BYTES && memcmp(bytes, HEAD, HEAD_BYTES) == 0;
}

/* Reads a line without its end; false if it is no number of 64 bits. */
static bool read_number(const char *line, size_t size, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned digit = (unsigned)(unsigned char)line[i] - '0';
        if (digit > 9 || *number > (UINT64_MAX - digit) / 10) return false;
        *number = *number * 10 + digit;
    }
    return size > 0;
}

static pare_status add(uint64_t **list, size_t *n, size_t *capacity, uint64_t number,
                       pare_error *err)
{
    if (*n == PARE_CHOICES_LIMIT)
        return pare_fail(err, PARE_E_LIMIT, "more than %d choices", PARE_CHOICES_LIMIT);
    uint64_t *grown = pare_vector_grow(*list, *n, capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    *list = grown;
    grown[(*n)++] = number;
    return PARE_OK;
}

pare_status pare_choice_list_read(const char *name, const void *bytes, size_t size, uint64_t **list,
                                  size_t *n, pare_error *err)
{
    const char *text = bytes;
    uint64_t *made = NULL;
    size_t n_made = 0, capacity = 0, line = 1;
    pare_status status = PARE_OK;
    if (!pare_choice_list_is_file(bytes, size))
        return pare_fail(err, PARE_E_SYNTAX,
                         "%s:1: no list of choices: its first line is not "
                         "'pare choices 1'",
                         name);
    for (size_t at = HEAD_BYTES, end; !status && at < size; at = end + 1) {
        const char *found = memchr(text + at, '\n', size - at);
        uint64_t number;
        end = found ? (size_t)(found - text) : size;
        line++;
        if (end == at || text[at] == '#') continue;
        if (read_number(text + at, end - at, &number))
            status = add(&made, &n_made, &capacity, number, err);
        else
            status = pare_fail(err, PARE_E_SYNTAX, "%s:%zu: not a choice, which is a number", name,
                               line);
    }
    if (!status && !made && !(made = pare_alloc(1, sizeof *made))) status = pare_fail_nomem(err);
    if (status) {
        pare_release(made);
        return status;
    }
    *list = made;
    *n = n_made;
    return PARE_OK;
}

pare_status pare_choice_list_write(const uint64_t *list, size_t n, pare_buffer *to, pare_error *err)
{
    pare_status status = pare_buffer_text(to, HEAD, err);
    for (size_t i = 0; !status && i < n; i++)
        status = pare_buffer_format(to, err, "%" PRIu64 "\n", list[i]);
    return status;
}
