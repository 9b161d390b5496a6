/* Archives of cpio, as in packages of RPM and in first file systems of Linux: their members are chunks.
 *
 * All numbers are digits, so that no length in the file tells where a member ends.  A member goes as a whole; what
 * it holds stays as it is, since nothing here writes its length anew.  The last one, TRAILER!!!, is no chunk: without
 * it the archive is cut off.
 *
 * newc, 070701 (070702 with a sum of the data): 13 numbers of 8 hexadecimal digits behind 6 bytes; how long the
 *     data are at 54, the name with its NUL at 94; name and data are filled up with NUL to 4 bytes
 * odc, 070707: octal numbers; how long the name is at 59 (6 digits), the data at 65 (11); nothing is filled up
 * Source: cpio(5) of FreeBSD; POSIX for odc.  Tested by tests/unit/test_chunk_formats.c. */
#include "reduce/binary/chunk_formats.h"

#include <ctype.h>
#include <string.h>

#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

/* Where a header has its numbers. */
struct form {
    const char *magic;
    unsigned base, align;
    uint32_t head; /* bytes of the header */
    uint32_t name_at, name_width, data_at, data_width;
};

static const struct form FORMS[] = {{"070701", 16, 4, 110, 94, 8, 54, 8},
                                    {"070702", 16, 4, 110, 94, 8, 54, 8},
                                    {"070707", 8, 1, 76, 59, 6, 65, 11}};

enum { MAGIC_BYTES = 6, N_FORMS = sizeof FORMS / sizeof *FORMS };

static const char LAST_NAME[] = "TRAILER!!!";

/* The value of a digit; 16: it is none. */
static unsigned digit_of(unsigned char byte)
{
    if (isdigit(byte)) return byte - '0';
    return isxdigit(byte) ? (unsigned)tolower(byte) - 'a' + 10 : 16;
}

/* The number at `at`; *ok: all of it is digits. */
static uint64_t number_at(const pare_chunk_tree *tree, const struct form *form, uint32_t at,
                          uint32_t width, bool *ok)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < width; i++) {
        const unsigned digit = digit_of(tree->bytes[at + i]);
        *ok = *ok && digit < form->base;
        value = value * form->base + digit;
    }
    return value;
}

/* The form of the header at `at`; NULL: there is none, or not all of it. */
static const struct form *form_at(const pare_chunk_tree *tree, uint32_t at, uint32_t end)
{
    for (unsigned i = 0; i < N_FORMS; i++)
        if (end - at >= FORMS[i].head && !memcmp(tree->bytes + at, FORMS[i].magic, MAGIC_BYTES))
            return &FORMS[i];
    return NULL;
}

/* The end of the member that begins at `at`; 0: it is none, or the last one. */
static uint64_t member_end(const pare_chunk_tree *tree, uint32_t begin, uint32_t at, uint32_t end)
{
    const struct form *form = form_at(tree, at, end);
    bool ok = form != NULL;
    if (!form) return 0;
    const uint64_t name = number_at(tree, form, at + form->name_at, form->name_width, &ok);
    const uint64_t data = number_at(tree, form, at + form->data_at, form->data_width, &ok);
    const uint64_t name_from = at + form->head;
    if (!ok || !name || name > end - name_from || data > end) return 0;
    if (name == sizeof LAST_NAME && !memcmp(tree->bytes + name_from, LAST_NAME, sizeof LAST_NAME))
        return 0;
    const uint64_t fill = form->align - 1; /* places count from the begin of the archive */
    const uint64_t data_from = (name_from - begin + name + fill) & ~fill;
    const uint64_t to = begin + ((data_from + data + fill) & ~fill);
    return to <= end ? to : 0;
}

pare_status pare_chunk_cpio_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                 pare_error *err)
{
    const pare_chunk at = tree->chunks[chunk];
    pare_chunk_reader reader = {.tree = tree, .at = at.body, .end = at.body_to, .err = err};
    /* One header may be chance, which the next one behind its member is not. */
    const uint64_t first = member_end(tree, at.body, at.body, at.body_to);
    if (!first || !form_at(tree, (uint32_t)first, at.body_to)) return PARE_OK;
    *found = true;
    for (uint64_t to = first; to && pare_chunk_reader_ok(&reader);
         to = member_end(tree, at.body, reader.at, reader.end)) {
        (void)pare_chunk_reader_chunk(&reader, chunk, reader.at, (uint32_t)to);
        reader.at = (uint32_t)to;
    }
    return reader.status;
}
