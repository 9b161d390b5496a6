/* Two formats in which things refer to others: JSON, by nesting, and instructions, by names. */
#include <ctype.h>
#include <string.h>

#include "subject.h"

enum { MOST_DEPTH = 40, MOST_NAMES = 4096, MOST_OPERANDS = 3 };

/* ---- JSON: a list of objects ------------------------------------------------------------------ */

static void put_value(struct subject *subject, unsigned depth)
{
    const unsigned shape = subject_draw(subject, depth < 3 ? 6 : 3);
    if (shape == 0) subject_put(subject, "%u", subject_draw(subject, 10000));
    if (shape == 1) subject_put(subject, "\"%s %u\"", subject_word(subject), depth);
    if (shape == 2) subject_put(subject, subject_draw(subject, 2) ? "true" : "null");
    if (shape < 3) return;
    const unsigned n = 1 + subject_draw(subject, 4);
    subject_put(subject, shape == 3 ? "[" : "{");
    for (unsigned i = 0; i < n; i++) {
        if (i) subject_put(subject, ", ");
        if (shape > 3) subject_put(subject, "\"%s%u\": ", subject_word(subject), i);
        put_value(subject, depth + 1);
    }
    subject_put(subject, shape == 3 ? "]" : "}");
}

/* The failure: an object of the list in which a needed key has a needed text; or two objects that
 * have a needed key each, in their order. */
static void make_json(struct subject *subject)
{
    const char *const *needed = subject->needed;
    unsigned id = 0;
    subject_put(subject, "[\n");
    while (!subject_full(subject) || subject->n_placed <= subject->failure) {
        subject_put(subject, "%s  {\"id\": %u, \"name\": \"%s\",\n   ", id ? ",\n" : "", id,
                    subject_word(subject));
        id++;
        if (subject_due(subject, subject->failure + 1) && subject->failure == 0)
            subject_put(subject, " \"%s\": \"%s\",", needed[0], needed[1]);
        else if (subject->n_placed && subject->failure == 1 && subject->layout.tag < subject->n_placed)
            subject_put(subject, " \"%s\": %u,", needed[subject->layout.tag++], id);
        subject_put(subject, " \"%s\": ", subject_word(subject));
        put_value(subject, 0);
        subject_put(subject, "}");
    }
    subject_put(subject, "\n]\n");
    if (subject->failure == 0)
        subject_smallest(subject, "[{\"%s\":\"%s\"}]", needed[0], needed[1]);
    else
        subject_smallest(subject, "[{\"%s\":0},{\"%s\":0}]", needed[0], needed[1]);
}

struct json {
    const struct subject *subject;
    struct scan scan;
    unsigned found;
    unsigned object; /* of the list; it is counted from 1 */
    unsigned found_in;
    bool failed;
};

static bool read_string(struct scan *scan, struct piece *text)
{
    if (!scan_text(scan, "\"")) return false;
    *text = scan_until(scan, "\"\n");
    return scan_text(scan, "\"");
}

static void note_member(struct json *json, struct piece key, struct piece value)
{
    const char *const *needed = json->subject->needed;
    if (json->subject->failure == 0) {
        json->failed |= piece_is(key, needed[0]) && piece_is(value, needed[1]);
    } else if (json->found == 0 && piece_is(key, needed[0])) {
        json->found = 1;
        json->found_in = json->object;
    } else if (json->found == 1 && piece_is(key, needed[1])) {
        json->failed |= json->object > json->found_in;
    }
}

static bool read_value(struct json *json, unsigned depth, struct piece *text);

/* What is between brackets, behind the first one. */
static bool read_members(struct json *json, unsigned depth, bool keys)
{
    const char *close = keys ? "}" : "]";
    scan_white(&json->scan);
    if (scan_text(&json->scan, close)) return true;
    for (;;) {
        struct piece key = {0}, text = {0};
        scan_white(&json->scan);
        json->object += depth == 0;
        if (keys && !read_string(&json->scan, &key)) return false;
        scan_white(&json->scan);
        if (keys && !scan_text(&json->scan, ":")) return false;
        if (!read_value(json, depth + 1, &text)) return false;
        if (keys && depth == 1) note_member(json, key, text);
        scan_white(&json->scan);
        if (scan_text(&json->scan, close)) return true;
        if (!scan_text(&json->scan, ",")) return false;
    }
}

static bool read_value(struct json *json, unsigned depth, struct piece *text)
{
    struct scan *scan = &json->scan;
    scan_white(scan);
    if (depth > MOST_DEPTH || scan_ends(scan)) return false;
    if (scan_text(scan, "[")) return read_members(json, depth, false);
    if (scan_text(scan, "{")) return read_members(json, depth, true);
    if (*scan->at == '"') return read_string(scan, text);
    const struct piece word = scan_word(scan);
    if (piece_is(word, "true") || piece_is(word, "null")) return true;
    for (size_t i = 0; i < word.size; i++)
        if (!isdigit((unsigned char)word.text[i])) return false;
    return word.size > 0;
}

static bool json_fails(const struct subject *subject, const char *bytes, size_t size)
{
    struct json json = {.subject = subject, .scan = {bytes, bytes + size}};
    struct piece text;
    scan_white(&json.scan);
    if (scan_ends(&json.scan) || *json.scan.at != '[') return false;
    if (!read_value(&json, 0, &text)) return false;
    scan_white(&json.scan);
    return scan_ends(&json.scan) && json.failed;
}

/* ---- instructions: a name is given once, and before it is used -------------------------------- */

static void put_operand(struct subject *subject, unsigned n_names)
{
    if (n_names && subject_draw(subject, 4))
        subject_put(subject, "%%v%u", subject_draw(subject, 8) && n_names > 12
                                          ? n_names - 1 - subject_draw(subject, 12)
                                          : subject_draw(subject, n_names));
    else
        subject_put(subject, "%u", subject_draw(subject, 64));
}

/* The failure: the second needed operation is given the result of the first as its first operand;
 * and, the other way, its own result is what is returned at the end. */
static void make_instructions(struct subject *subject)
{
    static const char *const operations[] = {"add", "mul", "load", "shift", "select", "compare"};
    unsigned n = 0, first = 0, last = 0;
    while (!subject_full(subject) || subject->n_placed < SUBJECT_NEEDED) {
        const bool due = subject_due(subject, SUBJECT_NEEDED);
        const char *operation =
            due ? subject->needed[subject->n_placed - 1] : operations[subject_draw(subject, 6)];
        subject_put(subject, "  %%v%u = %s i32 ", n, operation);
        if (due && subject->n_placed == 2)
            subject_put(subject, "%%v%u", first);
        else
            put_operand(subject, n);
        if (due && subject->n_placed == 1) first = n;
        if (due) last = n;
        subject_put(subject, ", ");
        put_operand(subject, n++);
        subject_put(subject, "\n");
    }
    subject_put(subject, "  ret i32 %%v%u\n", subject->failure == 1 ? last : n - 1);
    subject_smallest(subject, "%%a=%s i32 0,0\n%%b=%s i32%%a,0\nret i32 ", subject->needed[0],
                     subject->needed[1]);
    subject_smallest(subject, subject->failure == 1 ? "%%b" : "0");
}

/* The names that were given, with the operations whose results they are. */
struct names {
    struct piece names[MOST_NAMES], operations[MOST_NAMES];
    unsigned n;
};

static long find_name(const struct names *names, struct piece name)
{
    for (unsigned i = names->n; i--;)
        if (piece_same(names->names[i], name)) return i;
    return -1;
}

/* A number or a name that was given; *index is which, -1 of a number. */
static bool read_operand(struct scan *scan, const struct names *names, long *index)
{
    scan_blanks(scan);
    const bool named = scan_text(scan, "%");
    const struct piece word = scan_word(scan);
    *index = named ? find_name(names, word) : -1;
    for (size_t i = 0; !named && i < word.size; i++)
        if (!isdigit((unsigned char)word.text[i])) return false;
    scan_blanks(scan);
    return word.size && (!named || *index >= 0);
}

/* Behind the name that is given; *operands are those of the instruction. */
static bool read_operation(struct scan *scan, const struct names *names, struct piece *operation,
                           long operands[2])
{
    scan_blanks(scan);
    if (!scan_text(scan, "=")) return false;
    scan_blanks(scan);
    *operation = scan_word(scan);
    scan_blanks(scan);
    if (!operation->size || !piece_is(scan_word(scan), "i32")) return false;
    return read_operand(scan, names, &operands[0]) && scan_text(scan, ",") &&
           read_operand(scan, names, &operands[1]) && scan_ends(scan);
}

/* Which of the names is what the failure needs; -1: the instruction is not. */
static bool is_needed(const struct subject *subject, const struct names *names,
                      struct piece operation, const long operands[2])
{
    return piece_is(operation, subject->needed[1]) && operands[0] >= 0 &&
           piece_is(names->operations[operands[0]], subject->needed[0]);
}

static bool instructions_fail(const struct subject *subject, const char *bytes, size_t size)
{
    static struct names names;
    struct scan scan = {bytes, bytes + size};
    long needed = -1, returned = -1;
    bool ended = false;
    names.n = 0;
    while (!scan_ends(&scan)) {
        const struct piece line = piece_trimmed(scan_line(&scan));
        struct scan rest = {line.text, line.text + line.size};
        if (!line.size) continue;
        if (ended || names.n == MOST_NAMES) return false;
        if (scan_text(&rest, "ret i32 ")) {
            ended = true;
            if (!read_operand(&rest, &names, &returned) || !scan_ends(&rest)) return false;
            continue;
        }
        struct piece operation;
        long operands[2];
        if (!scan_text(&rest, "%")) return false;
        const struct piece name = scan_word(&rest);
        if (!name.size || find_name(&names, name) >= 0) return false;
        if (!read_operation(&rest, &names, &operation, operands)) return false;
        if (is_needed(subject, &names, operation, operands) &&
            (subject->failure == 0 || needed < 0))
            needed = names.n;
        names.names[names.n] = name;
        names.operations[names.n++] = operation;
    }
    return ended && needed >= 0 && (subject->failure == 0 || returned == needed);
}

const struct format formats_of_values[] = {{"json", make_json, json_fails, NULL},
                                           {"instructions", make_instructions, instructions_fail, NULL},
                                           {0}};
