/* BSON: documents of elements, each of which is a kind, a key and a value.
 *
 * No run of lengths is found there, since a kind and a key stand between one length and the next.  So all
 * documents are read, and each element becomes a chunk, with its key, and what its value holds (elements,
 * the bytes of a string) in chunks of their own.  An element may stand in the place of one around it.  The
 * keys of a list are the places of its values in digits, and are numbered anew.
 *
 * Invariant: nothing is noted unless documents, of which one at least has an element, make up all bytes.
 * Documents that are nested deeper than chunks may be stay as they are.
 * Cost: two passes over the bytes.
 * Source: the BSON specification, version 1.1.  Tested by tests/unit/test_chunk_bson.c. */
#include <string.h>

#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    LENGTH = 4,
    LEAST_DOCUMENT = LENGTH + 1,
    LEAST_STRING = 16, /* that may hold something of another format */
    LIST = 4,
    MOST_LEVELS = PARE_CHUNK_MOST_DEPTH / 2 /* an element and what it holds are a chunk each */
};

/* What a value is. */
enum form {
    NONE,
    FIXED,
    STRING,  /* a length, as many bytes, of which the last one is 0 */
    BINARY,  /* a length, a kind, as many bytes */
    PATTERN, /* two strings without a length */
    WHOLE,   /* a length of all of it */
    DOCUMENT
};

struct element {
    enum form form;
    bool listed;            /* it holds a list */
    uint32_t from, to, key; /* of the key the begin; a 0 ends it */
    uint32_t value;
    uint32_t body, body_to; /* what the value holds */
};

/* A document whose elements are read. */
struct level {
    uint32_t end; /* where the 0 is that ends it */
    uint32_t chunk;
    bool listed;
};

struct documents {
    pare_chunk_reader *reader;
    bool noted; /* what is read */
    uint32_t n_elements;
    uint32_t n_levels;
    struct level levels[MOST_LEVELS];
};

/* The kinds of elements: how the value of each is measured. 3 is a document, 4 a list (a document
 * whose keys are "0", "1", ...), 2 a string, 12 a string with the twelve bytes of an object's
 * identity after it. */
static const struct {
    unsigned char kind, form, bytes; /* of a fixed one, or after a string */
} KINDS[] = {{1, FIXED, 8},   {2, STRING, 0},  {3, DOCUMENT, 0}, {LIST, DOCUMENT, 0},
             {5, BINARY, 0},  {6, FIXED, 0},   {7, FIXED, 12},   {8, FIXED, 1},
             {9, FIXED, 8},   {10, FIXED, 0},  {11, PATTERN, 0}, {12, STRING, 12},
             {13, STRING, 0}, {14, STRING, 0}, {15, WHOLE, 0},   {16, FIXED, 4},
             {17, FIXED, 8},  {18, FIXED, 8},  {19, FIXED, 16},  {127, FIXED, 0},
             {255, FIXED, 0}};

/* Moves *at behind the next 0 before `end`; false: there is none, and *at stays. A key cannot
 * contain a 0. */
static bool pass_string(const pare_chunk_tree *tree, uint32_t *at, uint32_t end)
{
    const unsigned char *zero = *at < end ? memchr(tree->bytes + *at, 0, end - *at) : NULL;
    if (zero) *at = (uint32_t)(zero - tree->bytes) + 1;
    return zero != NULL;
}

/* Reads the length at `at`; false: not as many bytes follow, counted from `at`, or it is less than
 * `least`. */
static bool length_at(const pare_chunk_tree *tree, uint32_t at, uint32_t end, uint32_t least,
                      uint32_t *n)
{
    if (end - at < LENGTH) return false;
    *n = (uint32_t)pare_chunk_coding_read(PARE_CODING_LITTLE, LENGTH, tree->bytes + at, LENGTH)
             .value;
    return *n >= least && *n <= end - at;
}

/* Finds where the value ends and what it holds; false: it is none.
 *
 * STRING     06 00 00 00 "hello" 00        the length counts the 0, the body does not
 * BINARY     03 00 00 00 80 aa bb cc       the length counts neither itself nor the kind
 * DOCUMENT   05 00 00 00 00                the length counts itself and the 0 at the end
 * PATTERN    "a+" 00 "i" 00                no length at all
 *
 * `body` stays 0 where a value holds nothing that may go. */
static bool measure(const pare_chunk_tree *tree, struct element *element, uint32_t bytes,
                    uint32_t end)
{
    const uint32_t at = element->value, head = element->form == BINARY ? LENGTH + 1 : LENGTH;
    const bool whole = element->form == WHOLE || element->form == DOCUMENT;
    uint32_t n = 0;
    element->to = at;
    switch (element->form) {
    case NONE: return false;
    case PATTERN:
        return pass_string(tree, &element->to, end) && pass_string(tree, &element->to, end);
    case FIXED: break;
    case STRING:
    case BINARY:
    case WHOLE:
    case DOCUMENT:
        if (!length_at(tree, at, end, whole ? LEAST_DOCUMENT : element->form == STRING, &n))
            return false;
        /* length_at counted from the length itself; what is not a whole lies behind its head. */
        if (end - at < head || (!whole && n > end - at - head)) return false;
        element->body = at + head;
        element->to = whole ? at + n : at + head + n;
        element->body_to = element->to - (element->form != BINARY);
        if (element->form != BINARY && tree->bytes[element->body_to]) return false;
    }
    if (bytes > end - element->to) return false;
    element->to += bytes;
    return true;
}

/* Reads the element at `at` of a document that ends at `end`: a kind, a key up to a 0, a value. A
 * kind that is not known has the form NONE, of which measure says that it is none. */
static bool read_element(const pare_chunk_tree *tree, uint32_t at, uint32_t end,
                         struct element *element)
{
    uint32_t bytes = 0;
    *element = (struct element){.from = at, .key = at + 1, .value = at + 1};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (KINDS[i].kind != tree->bytes[at]) continue;
        element->form = (enum form)KINDS[i].form;
        element->listed = KINDS[i].kind == LIST;
        bytes = KINDS[i].bytes;
    }
    return pass_string(tree, &element->value, end) && measure(tree, element, bytes, end);
}

static void note_length(pare_chunk_reader *reader, uint32_t at, uint32_t from, uint32_t to)
{
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                        .coding = PARE_CODING_LITTLE,
                                                        .width = LENGTH,
                                                        .at = at,
                                                        .from = from,
                                                        .to = to});
}

/* Notes an element with its key and its length; returns the chunk of what it holds, or
 * PARE_NO_CHUNK. In a list the key is the number of the element in digits, and follows it;
 * elsewhere it is a chunk of which any byte may go, but not the 0.
 *
 * 10 "0" 00 01 00 00 00   10 "1" 00 02 00 00 00     a list of two numbers of 32 bits
 * 10 "0" 00 02 00 00 00                             without the first one; the key changed */
static uint32_t note_element(pare_chunk_reader *reader, const struct level *level,
                             const struct element *element)
{
    pare_chunk_tree *tree = reader->tree;
    const uint32_t chunk =
        pare_chunk_reader_chunk(reader, level->chunk, element->from, element->to);
    const bool whole = element->form == DOCUMENT || element->form == WHOLE;
    if (element->body)
        note_length(reader, element->value, whole ? element->value : element->body,
                    element->form == STRING ? element->body_to + 1 : element->body_to + whole);
    if (chunk == PARE_NO_CHUNK) return chunk;
    tree->chunks[chunk].known = tree->chunks[chunk].solid = tree->chunks[chunk].value = true;
    if (level->listed)
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_INDEX,
                                                            .coding = PARE_CODING_DIGITS,
                                                            .at = element->key,
                                                            .from = element->from,
                                                            .to = element->from,
                                                            .chunk = level->chunk});
    else {
        const uint32_t key =
            pare_chunk_reader_chunk(reader, chunk, element->key, element->value - 1);
        if (key != PARE_NO_CHUNK) tree->chunks[key].known = true;
    }
    /* Code with its variables (WHOLE) is not taken apart. */
    if (element->form == WHOLE || element->body >= element->body_to) return PARE_NO_CHUNK;
    const uint32_t body = pare_chunk_reader_chunk(reader, chunk, element->body, element->body_to);
    if (body == PARE_NO_CHUNK) return body;
    tree->chunks[body].solid = element->form == DOCUMENT;
    tree->chunks[body].known =
        element->form == DOCUMENT || element->body_to - element->body < LEAST_STRING;
    return body;
}

/* Begins a document of the file; false: there is none. A document that is all of the file needs no
 * chunk of its own; several in a row, as in a dump, are a chunk each. */
static bool open_document(struct documents *documents, uint32_t chunk)
{
    pare_chunk_reader *reader = documents->reader;
    pare_chunk_tree *tree = reader->tree;
    const uint32_t from = reader->at;
    uint32_t n;
    if (!length_at(tree, from, reader->end, LEAST_DOCUMENT, &n) || tree->bytes[from + n - 1])
        return false;
    struct level *level = &documents->levels[documents->n_levels++];
    *level = (struct level){.end = from + n - 1, .chunk = chunk};
    reader->at += LENGTH;
    if (!documents->noted) return true;
    note_length(reader, from, from, from + n);
    if (n == tree->chunks[chunk].body_to - tree->chunks[chunk].body) return true;
    level->chunk = pare_chunk_reader_chunk(reader, chunk, from, from + n);
    if (level->chunk != PARE_NO_CHUNK)
        tree->chunks[level->chunk].known = tree->chunks[level->chunk].solid = true;
    return true;
}

/* Reads one element, and opens what it holds if levels are left; else it is passed over as a whole.
 */
static bool step(struct documents *documents)
{
    pare_chunk_reader *reader = documents->reader;
    const struct level *level = &documents->levels[documents->n_levels - 1];
    struct element element;
    uint32_t body = PARE_NO_CHUNK;
    if (!read_element(reader->tree, reader->at, level->end, &element)) return false;
    documents->n_elements++;
    if (documents->noted) body = note_element(reader, level, &element);
    const bool opened = element.form == DOCUMENT && documents->n_levels < MOST_LEVELS;
    reader->at = opened ? element.body : element.to;
    if (opened)
        documents->levels[documents->n_levels++] =
            (struct level){.end = element.body_to, .chunk = body, .listed = element.listed};
    return true;
}

/* Reads documents to the end; false: something else is there. No recursion: `levels` is the stack.
 * A document ends where its length says, and there must be a 0, which is passed over. */
static bool read_documents(struct documents *documents, uint32_t chunk)
{
    pare_chunk_reader *reader = documents->reader;
    while (pare_chunk_reader_ok(reader) && (documents->n_levels || reader->at < reader->end)) {
        const struct level *level =
            documents->n_levels ? &documents->levels[documents->n_levels - 1] : NULL;
        if (!level && !open_document(documents, chunk)) return false;
        if (level && reader->at == level->end) {
            reader->at++;
            documents->n_levels--;
        } else if (level && !step(documents))
            return false;
    }
    return documents->n_elements > 0;
}

/* The first round only looks, the second one notes what is read. */
pare_status pare_chunk_bson_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                 pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, end = tree->chunks[chunk].body_to;
    pare_chunk_reader reader = {.tree = tree, .at = from, .end = end, .err = err};
    *found = read_documents(&(struct documents){.reader = &reader}, chunk);
    reader.at = from;
    if (*found) (void)read_documents(&(struct documents){.reader = &reader, .noted = true}, chunk);
    return reader.status;
}
