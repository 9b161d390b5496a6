/* Reading what explore.js printed: a line at a time, in one pass, then a clean-up.
 *
 * A line is a word and a fixed number of fields (probe_fields.h); each kind of line is a function
 * in one table.  A line that does not fit (an engine's own message, a truncated line, a number out
 * of order) is counted and ignored.  Objects come in the order of their numbers and name one that
 * came before as the place where they were seen, so the path to each is made at once from the path
 * to that one.
 *
 * A property may lead to an object that is described later, or never, if the engine died.  So at
 * the end, properties that lead nowhere are dropped, of two lines about one property the later one
 * counts, and an edge that closes a circle of prototypes (which only a broken engine prints) is
 * removed.  Cost: O(n log n) for n lines. */
#include "generate/discovery/probe_output.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

enum { MAX_FIELDS = 4, MAX_LENGTH = 255, SHOWN_BYTES = 80 };

/* Fields are those of the line that is being read; the scratch buffer is for one text at a time. */
struct reader {
    pare_probe_output *output;
    pare_probe_field fields[MAX_FIELDS];
    pare_buffer scratch;
};

/* --- texts ------------------------------------------------------------------------------------ */

/* Decodes a field into the arena; *text is NULL if it is no text. */
static pare_status keep_text(struct reader *reader, pare_probe_field field, const char **text,
                             pare_error *err)
{
    bool is_text;
    *text = NULL;
    pare_status status = pare_probe_fields_text(field, &reader->scratch, &is_text, err);
    if (status || !is_text) return status;
    *text = pare_arena_text(&reader->output->arena, reader->scratch.data, reader->scratch.size);
    return *text ? PARE_OK : pare_fail_nomem(err);
}

/* The same for a property's name. A symbol, "%@iterator", becomes "@@iterator";
 * a text that begins so is no name for us, so the two cannot be confused. */
static pare_status keep_name(struct reader *reader, pare_probe_field field, const char **name,
                             pare_error *err)
{
    bool is_symbol = field.size > 2 && memcmp(field.start, "%@", 2) == 0, is_text;
    *name = NULL;
    if (is_symbol) field = (pare_probe_field){field.start + 2, field.size - 2};
    pare_status status = pare_probe_fields_text(field, &reader->scratch, &is_text, err);
    const pare_buffer *text = &reader->scratch;
    if (status || !is_text) return status;
    if (!is_symbol && strncmp(text->data, "@@", 2) == 0) return PARE_OK;
    char *kept = pare_arena_alloc(&reader->output->arena, text->size + 3);
    if (!kept) return pare_fail_nomem(err);
    memcpy(kept, "@@", 2);
    memcpy(kept + (is_symbol ? 2 : 0), text->data, text->size + 1);
    *name = kept;
    return PARE_OK;
}

/* --- paths ----------------------------------------------------------------------------------- */

/* Whether a name can stand after a dot. Names with other letters than ASCII are
 * written in brackets, which is never wrong. */
static bool is_identifier(const char *name)
{
    if (!*name || (*name >= '0' && *name <= '9')) return false;
    for (; *name; name++)
        if (!((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
              (*name >= '0' && *name <= '9') || *name == '_' || *name == '$'))
            return false;
    return true;
}

/* Appends the access to property `name` of the expression in *path. */
static pare_status add_property(pare_buffer *path, const char *name, pare_error *err)
{
    if (strncmp(name, "@@", 2) == 0) return pare_buffer_format(path, err, "[Symbol.%s]", name + 2);
    if (is_identifier(name)) return pare_buffer_format(path, err, ".%s", name);
    pare_status status = pare_buffer_text(path, "[\"", err);
    for (; *name && !status; name++) {
        unsigned char c = (unsigned char)*name;
        if (c == '"' || c == '\\')
            status = pare_buffer_format(path, err, "\\%c", c);
        else if (c < 0x20)
            status = pare_buffer_format(path, err, "\\x%02x", c);
        else
            status = pare_buffer_add(path, name, 1, err);
    }
    return status ? status : pare_buffer_text(path, "\"]", err);
}

/* Keeps the path that is in the scratch buffer. One that is too long for
 * anybody to read is replaced. */
static pare_status keep_path(struct reader *reader, const char **path, pare_error *err)
{
    pare_buffer *text = &reader->scratch;
    if (text->size > PARE_PROBE_MAX_PATH_BYTES) {
        pare_buffer_reset(text);
        pare_status status = pare_buffer_text(text, "undefined /* too long a path */", err);
        if (status) return status;
    }
    *path = pare_arena_text(&reader->output->arena, text->data, text->size);
    return *path ? PARE_OK : pare_fail_nomem(err);
}

/* The path of a property of object `id`, of the object itself ("%!"), or the
 * expression in the field ("%="); NULL when the field is none of these. */
static pare_status keep_member_path(struct reader *reader, uint32_t id, pare_probe_field field,
                                    const char **path, pare_error *err)
{
    const char *name = NULL, *owner = reader->output->objects[id].path;
    pare_status status = PARE_OK;
    *path = owner;
    if (pare_probe_fields_is(field, "%!")) return PARE_OK;
    if (field.size > 2 && memcmp(field.start, "%=", 2) == 0)
        return keep_text(reader, (pare_probe_field){field.start + 2, field.size - 2}, path, err);
    *path = NULL;
    status = keep_name(reader, field, &name, err);
    if (status || !name) return status;
    pare_buffer_reset(&reader->scratch);
    status = pare_buffer_text(&reader->scratch, owner, err);
    if (!status) status = add_property(&reader->scratch, name, err);
    return status ? status : keep_path(reader, path, err);
}

/* Sets *path to an expression that leads to an object, from the fields PARENT
 * HOW NAME; NULL if they make no sense. HOW is g (the global object), m (a
 * member), v or s (whose prototype it is), or p (prototype of the parent). */
static pare_status keep_origin(struct reader *reader, const pare_probe_field *fields,
                               const char **path, pare_error *err)
{
    uint32_t parent = 0;
    pare_probe_output *output = reader->output;
    const char *base = NULL;
    pare_status status = PARE_OK;
    char how = fields[1].size == 1 ? fields[1].start[0] : '\0';
    *path = NULL;
    if (how == 'g' && !output->n_objects) {
        *path = "this";
        return PARE_OK;
    }
    if (!pare_probe_fields_number(fields[0], &parent) || parent >= output->n_objects)
        return PARE_OK;
    if (how == 'm' || how == 'v')
        status = keep_member_path(reader, parent, fields[2], &base, err);
    else if (how == 's')
        status = keep_text(reader, fields[2], &base, err);
    else if (how == 'p')
        base = output->objects[parent].path;
    if (how == 'm') *path = base;
    if (status || !base || how == 'm') return status;
    pare_buffer_reset(&reader->scratch);
    status = pare_buffer_format(&reader->scratch, err, "Object.getPrototypeOf(%s)", base);
    return status ? status : keep_path(reader, path, err);
}

/* --- lines ----------------------------------------------------------------------------------- */

/* Each reads the fields after the word; *fits is false when they make no sense. */

/* "o ID PARENT HOW NAME": a new object. Numbers rise by one, so an ID is the
 * place in our list. */
static pare_status read_object(struct reader *reader, bool *fits, pare_error *err)
{
    pare_probe_output *output = reader->output;
    uint32_t id;
    pare_probe_object object = {.kind = 'o', .class_name = "Object", .prototype = {.letter = '-'}};
    *fits = pare_probe_fields_number(reader->fields[0], &id) && id == output->n_objects &&
            id < PARE_PROBE_MAX_OBJECTS;
    if (!*fits) return PARE_OK;
    pare_status status = keep_origin(reader, reader->fields + 1, &object.path, err);
    *fits = object.path != NULL;
    if (status || !*fits) return status;
    pare_probe_object *grown = pare_vector_grow(output->objects, output->n_objects,
                                                &output->objects_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    output->objects = grown;
    grown[output->n_objects++] = object;
    return PARE_OK;
}

/* Reads the number of an object that is there. */
static bool read_owner(const struct reader *reader, pare_probe_field field, uint32_t *id)
{
    return pare_probe_fields_number(field, id) && *id < reader->output->n_objects;
}

/* "t ID KIND CLASS LENGTH": what the object is; the length of functions is cut
 * at MAX_LENGTH. */
static pare_status read_facts(struct reader *reader, bool *fits, pare_error *err)
{
    const pare_probe_field *fields = reader->fields;
    uint32_t id, length;
    const char *class_name = NULL;
    *fits = read_owner(reader, fields[0], &id) && fields[1].size == 1 &&
            memchr("ofc", fields[1].start[0], 3) && pare_probe_fields_number(fields[3], &length);
    pare_status status = *fits ? keep_text(reader, fields[2], &class_name, err) : PARE_OK;
    *fits = class_name != NULL;
    if (status || !*fits) return status;
    pare_probe_object *object = &reader->output->objects[id];
    object->kind = fields[1].start[0];
    object->class_name = class_name;
    object->length = length < MAX_LENGTH ? length : MAX_LENGTH;
    return PARE_OK;
}

/* "p ID TYPE": the prototype. It may be an object that is described later, or
 * never; clean() sees to that. */
static pare_status read_prototype(struct reader *reader, bool *fits, pare_error *err)
{
    uint32_t id;
    pare_probe_type type;
    (void)err;
    *fits = read_owner(reader, reader->fields[0], &id) &&
            pare_probe_fields_type(reader->fields[1], &type) &&
            (type.letter == 'o' || type.letter == 'n' || type.letter == '-');
    if (*fits) reader->output->objects[id].prototype = type;
    return PARE_OK;
}

/* Reads the fields OBJECT NAME TYPE of a line about a property; the rest of
 * `member` is set by the caller. */
static pare_status add_member(struct reader *reader, pare_probe_member member, bool *fits,
                              pare_error *err)
{
    pare_probe_output *output = reader->output;
    *fits = read_owner(reader, reader->fields[0], &member.object) &&
            pare_probe_fields_type(reader->fields[2], &member.type);
    pare_status status = *fits ? keep_name(reader, reader->fields[1], &member.name, err) : PARE_OK;
    /* A name that is no text is no mistake of the script's, but the graph cannot have it. */
    if (status || !*fits || !member.name) return status;
    pare_probe_member *grown = pare_vector_grow(output->members, output->n_members,
                                                &output->members_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    output->members = grown;
    member.place = (uint32_t)output->n_members;
    grown[output->n_members++] = member;
    return PARE_OK;
}

/* The three kinds of lines about properties have the same fields; they differ
 * in whose property it is and how it was read. */
static pare_status read_property(struct reader *reader, bool *fits, pare_error *err)
{
    return add_member(reader, (pare_probe_member){.is_accessor = false}, fits, err);
}

/* A line that says: this property is read by a getter. */
static pare_status read_accessor(struct reader *reader, bool *fits, pare_error *err)
{
    return add_member(reader, (pare_probe_member){.is_accessor = true}, fits, err);
}

/* A line that says: instances have this property, which their prototype has not. */
static pare_status read_instance_property(struct reader *reader, bool *fits, pare_error *err)
{
    return add_member(reader, (pare_probe_member){.of_instance = true}, fits, err);
}

/* "i ID CLASS": instances of the prototype ID have this class. */
static pare_status read_instance(struct reader *reader, bool *fits, pare_error *err)
{
    uint32_t id;
    const char *name;
    *fits = read_owner(reader, reader->fields[0], &id);
    pare_status status = *fits ? keep_text(reader, reader->fields[1], &name, err) : PARE_OK;
    if (!status && *fits) reader->output->objects[id].instance_class = name;
    return status;
}

/* "k KIND ID": the prototype of a primitive kind. */
static pare_status read_kind(struct reader *reader, bool *fits, pare_error *err)
{
    pare_probe_type type;
    pare_probe_field field = reader->fields[0];
    (void)err;
    *fits = field.size == 1 && memchr("bdsyg", field.start[0], 5) &&
            pare_probe_fields_type(reader->fields[1], &type) &&
            (type.letter == 'o' || type.letter == '-');
    if (*fits) reader->output->kinds[(unsigned char)field.start[0]] = type;
    return PARE_OK;
}

/* "stop STEP ID NAME": the last line of a script that was told to stop before a
 * step. The step and the path that it would take are noted. */
static pare_status read_stop(struct reader *reader, bool *fits, pare_error *err)
{
    uint32_t id, number;
    pare_probe_step *next = &reader->output->next;
    *fits = pare_probe_fields_number(reader->fields[0], &number) &&
            read_owner(reader, reader->fields[1], &id);
    if (!*fits) return PARE_OK;
    pare_status status = keep_member_path(reader, id, reader->fields[2], &next->path, err);
    *fits = next->path != NULL;
    if (status || !*fits) return status;
    next->number = number;
    reader->output->end = PARE_PROBE_STOPPED;
    return PARE_OK;
}

/* "s STEP": from this step on a step is looked for that has killed the engine. */
static pare_status read_steps(struct reader *reader, bool *fits, pare_error *err)
{
    uint32_t n;
    (void)err;
    *fits = pare_probe_fields_number(reader->fields[0], &n);
    if (*fits) reader->output->n_steps = n;
    return PARE_OK;
}

/* "end OBJECTS". If the number is not ours lines were lost, and the output is
 * not whole. */
static pare_status read_end(struct reader *reader, bool *fits, pare_error *err)
{
    uint32_t n;
    (void)err;
    *fits = pare_probe_fields_number(reader->fields[0], &n) && n == reader->output->n_objects;
    if (*fits) reader->output->end = PARE_PROBE_WHOLE;
    return PARE_OK;
}

/* "error MESSAGE": the script has thrown, which is no death of the engine. */
static pare_status read_failure(struct reader *reader, bool *fits, pare_error *err)
{
    *fits = true;
    return keep_text(reader, reader->fields[0], &reader->output->failure, err);
}

/* "pare-probe 1": the first line. Another number would be another form. */
static pare_status read_beginning(struct reader *reader, bool *fits, pare_error *err)
{
    (void)err;
    *fits = pare_probe_fields_is(reader->fields[0], "1");
    if (*fits) reader->output->has_begun = true;
    return PARE_OK;
}

static const struct line {
    const char *word;
    size_t n_fields;
    pare_status (*read)(struct reader *reader, bool *fits, pare_error *err);
} lines[] = {
    {"m", 3, read_property},
    {"a", 3, read_accessor},
    {"o", 4, read_object},
    {"t", 4, read_facts},
    {"p", 2, read_prototype},
    {"n", 3, read_instance_property},
    {"i", 2, read_instance},
    {"k", 2, read_kind},
    {"s", 1, read_steps},
    {"stop", 3, read_stop},
    {"end", 1, read_end},
    {"error", 1, read_failure},
    {"pare-probe", 1, read_beginning},
};

enum { N_LINES = sizeof lines / sizeof *lines };

/* Reads one line. Lines that do not fit are counted, and the first is kept for
 * a message; nothing counts before the first line of the script. */
static pare_status read_line(struct reader *reader, const char *start, const char *end,
                             pare_error *err)
{
    pare_probe_output *output = reader->output;
    pare_status status = PARE_OK;
    bool fits = false;
    const char *space = memchr(start, ' ', (size_t)(end - start));
    pare_probe_field word = {start, space ? (size_t)(space - start) : 0};
    size_t k = 0;
    while (k < N_LINES && !(space && pare_probe_fields_is(word, lines[k].word)))
        k++;
    if (k < N_LINES && (output->has_begun || lines[k].read == read_beginning) &&
        pare_probe_fields_split(space + 1, end, reader->fields, MAX_FIELDS) == lines[k].n_fields)
        status = lines[k].read(reader, &fits, err);
    if (fits || status) return status;
    output->n_strange++;
    if (output->first_strange) return PARE_OK;
    size_t size = (size_t)(end - start);
    output->first_strange =
        pare_arena_text(&output->arena, start, size < SHOWN_BYTES ? size : SHOWN_BYTES);
    return output->first_strange ? PARE_OK : pare_fail_nomem(err);
}

/* --- the clean-up ---------------------------------------------------------------------------- */

/* By owner, by whether it is of instances, and by name; 0: the same property. */
static int compare_properties(const pare_probe_member *a, const pare_probe_member *b)
{
    if (a->object != b->object) return a->object < b->object ? -1 : 1;
    if (a->of_instance != b->of_instance) return a->of_instance ? 1 : -1;
    return strcmp(a->name, b->name);
}

/* Of two lines about one property the later one comes last, and clean_members
 * keeps that one: what an accessor gave on an instance tells more than what it
 * gave on the prototype. */
static int compare_members(const void *a, const void *b)
{
    const pare_probe_member *x = a, *y = b;
    int order = compare_properties(x, y);
    return order ? order : x->place < y->place ? -1 : 1;
}

/* Whether `type` names an object that was described. */
static bool is_there(const pare_probe_output *output, pare_probe_type type)
{
    return (type.letter != 'o' && type.letter != 'i') || type.id < output->n_objects;
}

/* Drops members whose type was never described, and all but the last line about
 * each property; what is left is sorted. */
static void clean_members(pare_probe_output *output)
{
    pare_probe_member *members = output->members;
    size_t n = 0;
    for (size_t i = 0; i < output->n_members; i++)
        if (is_there(output, members[i].type)) members[n++] = members[i];
    if (n) qsort(members, n, sizeof *members, compare_members);
    output->n_members = 0;
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || compare_properties(&members[i], &members[i + 1]) != 0)
            members[output->n_members++] = members[i];
}

/* Cuts each prototype edge that closes a circle. A chain is followed until it
 * meets an object that an earlier chain went through, which is sound, or one of
 * its own, whose edge is cut. Linear. */
static pare_status cut_circles(pare_probe_output *output, pare_error *err)
{
    uint32_t *seen = pare_alloc_zero(output->n_objects + 1, sizeof *seen);
    if (!seen) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < output->n_objects; i++) {
        uint32_t mark = i + 1, at = i;
        while (!seen[at]) {
            seen[at] = mark;
            pare_probe_type *next = &output->objects[at].prototype;
            if (next->letter != 'o') break;
            if (next->id >= output->n_objects || seen[next->id] == mark)
                *next = (pare_probe_type){.letter = '-'};
            else
                at = next->id;
        }
    }
    pare_alloc_free(seen);
    return PARE_OK;
}

/* Makes the output what its header promises, whatever was printed. */
static pare_status clean(pare_probe_output *output, pare_error *err)
{
    clean_members(output);
    for (size_t k = 0; k < sizeof output->kinds / sizeof *output->kinds; k++)
        if (!is_there(output, output->kinds[k])) output->kinds[k].letter = '-';
    return cut_circles(output, err);
}

/* --- all of it ------------------------------------------------------------------------------- */

/* Reads what a script has printed, up to the line that ends its output: what an
 * engine says after that is its own. */
pare_status pare_probe_output_read(pare_probe_output *output, const pare_buffer *printed,
                                   pare_error *err)
{
    struct reader reader = {.output = output};
    pare_status status = PARE_OK;
    const char *at = printed->data, *end = at ? at + printed->size : NULL;
    /* The last line is cut off if nothing ends it. */
    while (at < end && !status && output->end == PARE_PROBE_CUT) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) break;
        bool has_return = line_end > at && line_end[-1] == '\r';
        status = read_line(&reader, at, line_end - has_return, err);
        at = line_end + 1;
    }
    pare_buffer_done(&reader.scratch);
    if (!status) status = clean(output, err);
    assert(status || pare_probe_output_check(output));
    return status;
}

/* All-zero is a no-op. Texts are in the arena. */
void pare_probe_output_done(pare_probe_output *output)
{
    pare_alloc_free(output->objects);
    pare_alloc_free(output->members);
    pare_arena_done(&output->arena);
    *output = (pare_probe_output){0};
}

/* Whether all invariants hold. Texts come from one function, which makes
 * nothing but UTF-8, so that is not looked at again. Circles are looked for
 * where that costs little. */
bool pare_probe_output_check(const pare_probe_output *output)
{
    enum { MOST_FOLLOWED = 1000 };
    for (size_t i = 0; i < output->n_objects; i++) {
        const pare_probe_object *object = &output->objects[i];
        if (!object->path || !object->class_name || !is_there(output, object->prototype))
            return false;
        size_t at = i;
        for (size_t n = 0; n <= output->n_objects && output->n_objects <= MOST_FOLLOWED; n++) {
            if (output->objects[at].prototype.letter != 'o') break;
            if (n == output->n_objects) return false;
            at = output->objects[at].prototype.id;
        }
    }
    for (size_t i = 0; i < output->n_members; i++) {
        const pare_probe_member *member = &output->members[i];
        if (!member->name || member->object >= output->n_objects ||
            !is_there(output, member->type) || (i && compare_properties(member - 1, member) >= 0))
            return false;
    }
    return output->end != PARE_PROBE_STOPPED || output->next.path != NULL;
}
