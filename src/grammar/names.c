/* Names to indices: open addressing, at most half full. */
#include "grammar/names.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/status.h"

struct pare_name_slot {
    const char *text; /* NULL: free */
    size_t size;      /* bytes */
    pare_index index;
};

void pare_names_done(pare_names *names)
{
    pare_release(names->slots);
    *names = (pare_names){0};
}

/* The slot that holds the name, or the free one where it would go. */
static struct pare_name_slot *find(const pare_names *names, const char *text, size_t size)
{
    size_t mask = names->capacity - 1;
    size_t i = (size_t)pare_checksum(text, size) & mask;
    for (;; i = (i + 1) & mask) {
        struct pare_name_slot *slot = &names->slots[i];
        if (!slot->text) return slot;
        if (slot->size == size && memcmp(slot->text, text, size) == 0) return slot;
    }
}

pare_index pare_names_find(const pare_names *names, const char *text, size_t size)
{
    if (!names->n) return PARE_NO_INDEX;
    const struct pare_name_slot *slot = find(names, text, size);
    return slot->text ? slot->index : PARE_NO_INDEX;
}

static pare_status enlarge(pare_names *names, pare_error *err)
{
    pare_names larger = {.n = names->n, .capacity = names->capacity ? names->capacity * 2 : 64};
    larger.slots = pare_alloc_zero(larger.capacity, sizeof *larger.slots);
    if (!larger.slots) return pare_fail_nomem(err);
    for (size_t i = 0; i < names->capacity; i++) {
        const struct pare_name_slot *slot = &names->slots[i];
        if (slot->text) *find(&larger, slot->text, slot->size) = *slot;
    }
    pare_release(names->slots);
    *names = larger;
    return PARE_OK;
}

pare_status pare_names_put(pare_names *names, const char *text, size_t size, pare_index index,
                           pare_error *err)
{
    if (2 * (names->n + 1) > names->capacity) {
        pare_status status = enlarge(names, err);
        if (status) return status;
    }
    struct pare_name_slot *slot = find(names, text, size);
    if (!slot->text) names->n++;
    *slot = (struct pare_name_slot){.text = text, .size = size, .index = index};
    return PARE_OK;
}
