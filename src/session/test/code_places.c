/* From lines and columns that a compiler's code came from to offsets in the text.
 *
 * Lines are sorted with their columns, so one walk over the text finds all of them.
 * Invariant: offsets ascend and are in the text. */
#include "session/test/code_places.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/vector.h"
#include "run/command.h"

/* One place as it was told, both from 1. */
struct place {
    size_t line, column;
};

struct told {
    struct place *items; /* owned */
    size_t n, capacity;
};

/* For qsort: by where they are. */
static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

/* Reads a number at *at, and the blank after it; 0: there is none, or it is too large for a line. */
static size_t read_number(const char **at, const char *end)
{
    enum { TEN = 10, MOST = 1 << 30 };
    size_t number = 0;
    while (*at < end && **at >= '0' && **at <= '9' && number < MOST)
        number = number * TEN + (size_t)(*(*at)++ - '0');
    if (*at < end && **at == ' ') ++*at;
    return number < MOST ? number : 0;
}

/* Notes the place that line at .. end-1 tells of, if it does. */
static pare_status read_line(struct told *told, const char *at, const char *end, pare_error *err)
{
    struct place place = {.line = read_number(&at, end)};
    place.column = read_number(&at, end);
    if (!place.line || !place.column || at < end) return PARE_OK;
    struct place *grown = pare_vector_grow(told->items, told->n, &told->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    told->items = grown;
    grown[told->n++] = place;
    return PARE_OK;
}

/* Walks over the text once.  A column behind the end of its line is of something else. */
static void locate(const struct told *told, const unsigned char *text, size_t text_bytes,
                   pare_code_places *out)
{
    size_t line = 0, begin = 0, end = 0; /* of the line, without its end */
    for (size_t i = 0; i < told->n; i++) {
        const struct place *place = &told->items[i];
        while (line < place->line) {
            begin = line ? end + 1 : 0;
            if (begin >= text_bytes) return;
            const unsigned char *feed = memchr(text + begin, '\n', text_bytes - begin);
            end = feed ? (size_t)(feed - text) : text_bytes;
            line++;
        }
        if (place->column - 1 < end - begin) out->at[out->n++] = begin + place->column - 1;
    }
}

pare_status pare_code_places_read(const char *report, size_t size, const unsigned char *text,
                                  size_t text_bytes, pare_code_places *out, pare_error *err)
{
    struct told told = {.n = 0};
    pare_status status = PARE_OK;
    *out = (pare_code_places){.n = 0};
    for (const char *at = report, *end = report + size; !status && at < end;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        status = read_line(&told, at, feed ? feed : end, err);
        at = feed ? feed + 1 : end;
    }
    if (!status && told.n) {
        qsort(told.items, told.n, sizeof *told.items, by_place);
        out->at = pare_alloc(told.n, sizeof *out->at);
        if (out->at)
            locate(&told, text, text_bytes, out);
        else
            status = pare_fail_nomem(err);
    }
    pare_alloc_free(told.items);
    return status;
}

/* Whatever goes wrong means that nothing is known; only lack of memory is an error. */
pare_status pare_code_places_record(const pare_side_task *task, const char *emitter,
                                    pare_code_places *out, pare_error *err)
{
    const char *const words[] = {"/bin/sh", "-c", emitter, "pare-code-places", "@@"};
    pare_command command = {0};
    pare_buffer report = {0};
    *out = (pare_code_places){.n = 0};
    pare_status status = pare_command_init_target(
        &command, words, sizeof words / sizeof *words,
        (pare_names){.items = &task->base_name, .n = task->base_name != NULL}, NULL);
    if (!status) status = pare_side_run(task, &command, &report, NULL);
    if (!status && report.size)
        status = pare_code_places_read(report.data, report.size, task->text, task->bytes, out, err);
    pare_buffer_done(&report);
    pare_command_done(&command);
    return status == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
}

void pare_code_places_done(pare_code_places *places)
{
    pare_alloc_free(places->at);
    *places = (pare_code_places){.n = 0};
}
