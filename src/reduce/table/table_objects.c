/* Tables of objects: the largest list of objects in a JSON text, JSON Lines, and the longest list of
 * mappings in a YAML text.  Each key is a column.
 *
 * Of JSON only strings and brackets are looked at, with a stack for the first look, so that a text
 * that is a million deep costs no more than another; what is no JSON has rows that break off, and is
 * refused when the rows are counted.  Of YAML lines and their indentation are looked at: a row
 * begins with `- key:`, its keys stand below that one, and what is deeper belongs to the key above.
 * Cost: O(bytes).  Source: RFC 8259, YAML 1.2 block sequences of block mappings; that a list of like
 * objects is a table is what every dataframe library takes it for. */
#include "reduce/table/table.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/vector.h"

/* ---- keys ------------------------------------------------------------------------------ */

/* The distinct keys of a table: stretches of its bytes. */
struct keys {
    struct key {
        uint32_t from, size;
    } * at; /* owned */
    size_t n, capacity;
    pare_hash_index index;
};

static void keys_done(struct keys *keys)
{
    pare_alloc_free(keys->at);
    pare_hash_index_done(&keys->index);
}

/* Sets *column to the number of the key at from .. to-1; a new key gets the next one, so columns are in the
 * order in which their keys are met. Keys are compared as they are written, so "a" and "\u0061"
 * are two. Cost: O(size of the key). */
static pare_status find_key(struct keys *keys, const unsigned char *bytes, size_t from, size_t to,
                            uint32_t *column, pare_error *err)
{
    uint64_t hash = to - from;
    for (size_t i = from; i < to; i++)
        hash = hash * UINT64_C(0x100000001b3) + bytes[i];
    pare_hash_probe probe = pare_hash_index_probe(&keys->index, hash);
    while (pare_hash_index_next(&keys->index, &probe, column)) {
        const struct key *key = &keys->at[*column];
        if (key->size == to - from && memcmp(bytes + key->from, bytes + from, to - from) == 0)
            return PARE_OK;
    }
    struct key *at = pare_vector_grow(keys->at, keys->n, &keys->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    keys->at = at;
    *column = (uint32_t)keys->n;
    at[keys->n++] = (struct key){(uint32_t)from, (uint32_t)(to - from)};
    return pare_hash_index_add(&keys->index, hash, *column, err);
}

/* ---- JSON ------------------------------------------------------------------------------ */

/* White space of JSON (RFC 8259). */
static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_space(const unsigned char *bytes, size_t at, size_t end)
{
    while (at < end && is_space(bytes[at]))
        at++;
    return at;
}

/* The end of the string that begins at `at`. The end is behind the closing quote; `end` if
 * there is none. An escape is two bytes, also of a quote. */
static size_t skip_string(const unsigned char *bytes, size_t at, size_t end)
{
    for (at++; at < end && bytes[at] != '"'; at++)
        if (bytes[at] == '\\') at++;
    return at < end ? at + 1 : end;
}

/* The end of the value that begins at `at`: before a comma or bracket that is not inside it.
 * Example: of `{"a": [1, 2]}, 3` the end is before the second comma. Strings are passed over as
 * a whole, as they may hold brackets. */
static size_t skip_value(const unsigned char *bytes, size_t at, size_t end)
{
    size_t depth = 0;
    while (at < end) {
        unsigned char c = bytes[at];
        if (c == '"') {
            at = skip_string(bytes, at, end);
            if (!depth) return at;
            continue;
        }
        bool closes = c == '}' || c == ']';
        /* A number or a word ends here. */
        if (!depth && (closes || c == ',' || is_space(c))) return at;
        depth += c == '{' || c == '[';
        depth -= closes;
        at++;
        if (closes && !depth) return at;
    }
    return end;
}

/* Makes a row of the object at *at and a cell of each member; *at moves past the object. If it is
 * not valid JSON, the members up to the error are cells and the rest belongs to the row. A cell
 * is a member with its key; its value is what a filling may stand for. */
static pare_status read_object(pare_table *table, struct keys *keys, const unsigned char *bytes,
                               size_t *at, size_t end, pare_error *err)
{
    const size_t begin = *at;
    pare_status status = pare_table_add_row(table, begin, begin, err);
    size_t next = skip_space(bytes, begin + 1, end);
    while (!status && next < end && bytes[next] == '"') {
        pare_table_cell cell = {.from = (uint32_t)next};
        size_t key_end = skip_string(bytes, next, end);
        size_t value = skip_space(bytes, key_end, end);
        if (value == end || bytes[value] != ':') break;
        value = skip_space(bytes, value + 1, end);
        cell.value = (uint32_t)value;
        next = skip_value(bytes, value, end);
        cell.to = (uint32_t)next;
        status = find_key(keys, bytes, cell.from, key_end, &cell.column, err);
        if (!status) status = pare_table_add_cell(table, cell, err);
        next = skip_space(bytes, next, end);
        if (next == end || bytes[next] != ',') break;
        next = skip_space(bytes, next + 1, end);
    }
    if (status) return status;
    /* Past the bracket, or where the object as a whole ends. */
    *at = next < end && bytes[next] == '}' ? next + 1 : skip_value(bytes, begin, end);
    table->rows[table->n_rows - 1].to = (uint32_t)*at;
    return PARE_OK;
}

/* A list in the text, and what is in it; of an object only `begin` and `is_list` mean something. */
struct list {
    size_t begin, end;
    size_t n, n_objects;
    bool is_list; /* no object */
};

/* A stack of brackets that are open. */
struct open {
    struct list *at; /* owned */
    size_t n, capacity;
};

/* Counts the value that begins at `at` for the list that is open.  Called after `[` and after each comma, so
 * that the elements need not be read to be counted. An empty list has no value. */
static void count_value(struct open *open, const unsigned char *bytes, size_t at, size_t end)
{
    at = skip_space(bytes, at, end);
    if (!open->n || at == end || bytes[at] == ']') return;
    struct list *list = &open->at[open->n - 1];
    list->n++;
    list->n_objects += bytes[at] == '{';
}

/* Finds the largest list, in bytes, of which nine elements of ten are objects; *best has no objects
 * if there is none, or if the brackets do not match. One walk, with the open brackets on a stack of
 * its own.
 *
 * Lists within lists are found as well; the largest counts, which is not always the outermost,
 * as that may hold few objects. */
static pare_status find_list(const unsigned char *bytes, size_t at, size_t end, struct open *open,
                             struct list *best, pare_error *err)
{
    while (at < end) {
        unsigned char c = bytes[at];
        if (c == '"') {
            at = skip_string(bytes, at, end);
            continue;
        }
        if (c == '[' || c == '{') {
            struct list *grown =
                pare_vector_grow(open->at, open->n, &open->capacity, sizeof *grown);
            if (!grown) return pare_fail_nomem(err);
            open->at = grown;
            grown[open->n++] = (struct list){.begin = at, .is_list = c == '['};
            if (c == '[') count_value(open, bytes, at + 1, end);
        } else if (c == ']' || c == '}') {
            /* A bracket that closes nothing, or another kind: this is no JSON. */
            if (!open->n || open->at[open->n - 1].is_list != (c == ']')) break;
            struct list *closed = &open->at[--open->n];
            closed->end = at + 1;
            bool objects = closed->is_list && closed->n_objects * 10 >= closed->n * 9;
            if (objects && closed->n_objects &&
                closed->end - closed->begin > best->end - best->begin)
                *best = *closed;
        } else if (c == ',' && open->n && open->at[open->n - 1].is_list) {
            count_value(open, bytes, at + 1, end);
        }
        at++;
    }
    if (at < end || open->n) best->n_objects = 0;
    return PARE_OK;
}

/* Adds a row for each element.  Those that are no objects have no cells: they go as a whole, or
 * not at all. The brackets of the list belong to no row. */
static pare_status read_list(pare_table *table, struct keys *keys, const unsigned char *bytes,
                             const struct list *list, pare_error *err)
{
    pare_status status = PARE_OK;
    const size_t end = list->end - 1;
    size_t at = skip_space(bytes, list->begin + 1, end);
    while (!status && at < end) {
        if (bytes[at] == '{') {
            status = read_object(table, keys, bytes, &at, end, err);
        } else {
            size_t to = skip_value(bytes, at, end);
            status = pare_table_add_row(table, at, to, err);
            at = to;
        }
        at = skip_space(bytes, at, end);
        if (at < end && bytes[at] != ',') break;
        at = skip_space(bytes, at + 1, end);
    }
    return status;
}

/* No rows are added if there is no list of objects. */
static pare_status read_json(pare_table *table, struct keys *keys, const unsigned char *bytes,
                             pare_error *err)
{
    struct open open = {.n = 0};
    struct list best = {.n_objects = 0};
    pare_status status = find_list(bytes, table->begin, table->end, &open, &best, err);
    if (!status && best.n_objects) status = read_list(table, keys, bytes, &best, err);
    pare_alloc_free(open.at);
    return status;
}

/* A line is an object, or a row that stays as it is. The row is the whole line, also where its
 * object ends before. */
static pare_status read_json_lines(pare_table *table, struct keys *keys, const unsigned char *bytes,
                                   pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t at = table->begin; !status && at < table->end;) {
        size_t next = pare_table_next_line(bytes, at, table->end);
        size_t stop = pare_table_line_end(bytes, at, next);
        if (at < stop && bytes[at] == '{' && bytes[stop - 1] == '}') {
            size_t after = at;
            status = read_object(table, keys, bytes, &after, stop, err);
            if (!status) table->rows[table->n_rows - 1].to = (uint32_t)stop;
        } else {
            status = pare_table_add_row(table, at, stop, err);
        }
        at = next;
    }
    return status;
}

/* Columns are numbered by their keys, in the order in which these are met. */
pare_status pare_table_objects_read(pare_table *table, const unsigned char *bytes, pare_error *err)
{
    struct keys keys = {.n = 0};
    pare_status status = table->dialect.format == PARE_TABLE_JSON
                             ? read_json(table, &keys, bytes, err)
                             : read_json_lines(table, &keys, bytes, err);
    table->n_columns = (uint32_t)keys.n;
    keys_done(&keys);
    return status;
}

/* ---- YAML ------------------------------------------------------------------------------ */

/* A line of a block sequence. */
struct line {
    size_t from, to; /* without its line end */
    size_t indent;   /* blanks before it */
    size_t next;
    bool dash;      /* it begins with `- ` */
    size_t key;     /* where its key begins, after the dash ... */
    size_t key_end; /* ... and ends, before the colon; `key` itself: it has none */
};

/* The end of the key at `at`; `at`: there is none. A colon in a comment, or inside a list or
 * mapping in braces (`{a: 1}`), makes no key. Examples: "name: x" has the key "name", "- name:
 * x" none (its dash is passed over before), "a:b" none. */
static size_t find_key_end(const unsigned char *bytes, size_t at, size_t to)
{
    size_t i = at;
    while (i < to && bytes[i] != ':' && bytes[i] != '#' && bytes[i] != '{' && bytes[i] != '[')
        i++;
    bool colon = i < to && bytes[i] == ':' && (i + 1 == to || bytes[i + 1] == ' ');
    return colon && i > at && bytes[at] != '-' ? i : at;
}

/* Takes one line apart. Tabs are no indentation in YAML. */
static struct line read_line(const unsigned char *bytes, size_t at, size_t end)
{
    struct line line = {.from = at, .next = pare_table_next_line(bytes, at, end)};
    line.to = pare_table_line_end(bytes, at, line.next);
    while (at < line.to && bytes[at] == ' ')
        at++;
    line.indent = at - line.from;
    line.dash = at + 1 < line.to && bytes[at] == '-' && bytes[at + 1] == ' ';
    if (line.dash)
        for (at++; at < line.to && bytes[at] == ' ';)
            at++;
    line.key = at;
    line.key_end = find_key_end(bytes, at, line.to);
    return line;
}

/* Whether the line ends a sequence that has this indentation. Example: in a sequence with an
 * indent of 2 a line with less, or one with 2 that begins with no dash. */
static bool ends_sequence(const struct line *line, size_t indent)
{
    bool blank = line->from + line->indent == line->to;
    return !blank && (line->indent < indent || (line->indent == indent && !line->dash));
}

/* The end of the sequence that begins with line `first`. */
static size_t sequence_end(const unsigned char *bytes, const struct line *first, size_t end)
{
    size_t at = first->next;
    while (at < end) {
        struct line line = read_line(bytes, at, end);
        if (ends_sequence(&line, first->indent)) break;
        at = line.next;
    }
    return at;
}

/* The longest block sequence whose first element is a mapping: from .. to-1. A sequence within
 * another is a part of it, so the search goes on behind each. */
static void find_sequence(const unsigned char *bytes, size_t at, size_t end, size_t *from,
                          size_t *to)
{
    *from = *to = at;
    while (at < end) {
        struct line line = read_line(bytes, at, end);
        at = line.next;
        if (!line.dash || line.key_end == line.key) continue;
        at = sequence_end(bytes, &line, end);
        if (at - line.from <= *to - *from) continue;
        *from = line.from;
        *to = at;
    }
}

/* Adds the member whose key stands in `line`; it ends where the next one begins. */
static pare_status add_member(pare_table *table, struct keys *keys, const unsigned char *bytes,
                              const struct line *line, pare_error *err)
{
    pare_table_cell cell = {.from = (uint32_t)line->key,
                            .value = (uint32_t)line->key_end + 1,
                            .to = (uint32_t)line->to};
    pare_status status = find_key(keys, bytes, line->key, line->key_end, &cell.column, err);
    return status ? status : pare_table_add_cell(table, cell, err);
}

/* Adds a row for each element, and a cell for each key that stands below the first one.  All other lines (deeper
 * ones, comments, folded text) prolong the last cell, and with it the row.
 *
 * Example: "- a: 1" begins a row, whose keys stand in the column of that "a"; "  b: 2" below it
 * is another member, "    c: 3" deeper belongs to the one above it. */
static pare_status read_sequence(pare_table *table, struct keys *keys, const unsigned char *bytes,
                                 size_t from, size_t to, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t indent = 0, member = 0; /* where rows and their keys begin in the line */
    for (size_t at = from; !status && at < to;) {
        struct line line = read_line(bytes, at, to);
        if (at == from) indent = line.indent;
        bool row = line.dash && line.indent == indent;
        bool key = line.key_end > line.key;
        if (row) {
            member = line.key - line.from;
            status = pare_table_add_row(table, line.from + indent, line.to, err);
        }
        if (!status && key && (row || (!line.dash && line.indent == member)))
            status = add_member(table, keys, bytes, &line, err);
        if (!status && line.to > line.from + line.indent) {
            pare_table_row *last = &table->rows[table->n_rows - 1];
            last->to = (uint32_t)line.to;
            if (table->n_cells > last->first)
                table->cells[table->n_cells - 1].to = (uint32_t)line.to;
        }
        at = line.next;
    }
    return status;
}

pare_status pare_table_objects_read_yaml(pare_table *table, const unsigned char *bytes,
                                         pare_error *err)
{
    struct keys keys = {.n = 0};
    size_t from, to;
    pare_status status = PARE_OK;
    find_sequence(bytes, table->begin, table->end, &from, &to);
    if (to > from) status = read_sequence(table, &keys, bytes, from, to, err);
    table->n_columns = (uint32_t)keys.n;
    keys_done(&keys);
    return status;
}
