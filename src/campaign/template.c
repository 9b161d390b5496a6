/* Templates: read once into a flat list of nodes, then written without recursion.
 *
 * A section node knows the node after its end, so writing is a walk over the list with a stack of
 * the open sections, at most PARE_TEMPLATE_DEPTH deep; a list's section goes back to its first node
 * for each row.  Invariant: sections are nested properly once a template has been read, and each
 * node's bytes lie in the template's own copy of the text.
 * Source: mustache(5); without partials and changes of delimiters, which reports do not need, and
 * with functions of several names instead of lambdas, since those need no nesting. */
#include "campaign/template.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "base/vector.h"
#include "campaign/escape.h"

enum kind { TEXT, FIELD, SECTION, INVERTED };
enum { MAX_WORD = 64 };

/* A name in a tag; borrowed from the template's text. */
struct word {
    const char *at;
    size_t size;
};

/* Text, a field, or the beginning of a section, in the order of the text. */
struct node {
    enum kind kind;
    bool is_raw;      /* {{{...}}} */
    const char *text; /* TEXT: its bytes */
    size_t size;
    struct word words[PARE_TEMPLATE_WORDS]; /* of a tag: the function, if there are several */
    size_t n_words;
    size_t end; /* sections: number of the node after the last one within */
    size_t line;
};

struct pare_template {
    char *name, *text; /* owned */
    size_t size;
    struct node *nodes; /* owned */
    size_t n, capacity;
};

/* ---- reading -------------------------------------------------------------------------- */

/* Where the reader is. */
struct reader {
    pare_template *template;
    size_t at, line;
    size_t open[PARE_TEMPLATE_DEPTH]; /* numbers of the sections that have begun */
    size_t depth;
};

/* A tag as it stands in the text. */
struct tag {
    size_t begin, after; /* offsets of its first byte, and after its last */
    char sigil;          /* '#', '^', '/', '!' or 0 */
    bool is_raw;
    const char *inside;
    size_t size;
};

/* The one form of a complaint: where, what, and the word it is about, cut so that a template of
 * one long word cannot fill the sentence. */
static pare_status fail_at(const pare_template *template, size_t line, const char *what,
                           const struct word *word, pare_error *err)
{
    if (!word) return pare_fail(err, PARE_E_SYNTAX, "%s:%zu: %s", template->name, line, what);
    return pare_fail(err, PARE_E_SYNTAX, "%s:%zu: %s '%.*s'", template->name, line, what,
                     (int)(word->size < MAX_WORD ? word->size : MAX_WORD), word->at);
}

/* Numbers of nodes stay good when the list grows; pointers into it do not, so none is kept. */
static pare_status add_node(pare_template *template, const struct node *node, pare_error *err)
{
    struct node *nodes =
        pare_vector_grow(template->nodes, template->n, &template->capacity, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    template->nodes = nodes;
    nodes[template->n++] = *node;
    return PARE_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Lines are counted as the reader goes on, so the cost is one pass over the text in all. */
static size_t count_lines(const char *text, size_t size)
{
    size_t n = 0;
    for (const char *at = text; (at = memchr(at, '\n', size - (size_t)(at - text))) != NULL; at++)
        n++;
    return n;
}

/* Finds the end of the tag that begins at `begin`, and takes it apart; false:
 * it has none. Three braces have no sigil. */
static bool find_tag(const pare_template *template, size_t begin, struct tag *tag)
{
    const char *text = template->text;
    *tag = (struct tag){.begin = begin};
    size_t from = begin + 2;
    tag->is_raw = from < template->size && text[from] == '{';
    const char *close = tag->is_raw ? "}}}" : "}}";
    if (tag->is_raw) from++;
    const char *end = memmem(text + from, template->size - from, close, strlen(close));
    if (!end) return false;
    tag->after = (size_t)(end - text) + strlen(close);
    if (!tag->is_raw && text + from < end && text[from] && strchr("#^/!", text[from]))
        tag->sigil = text[from++];
    tag->inside = text + from;
    tag->size = (size_t)(end - tag->inside);
    return true;
}

/* Widens a tag that stands alone on its line to the whole line, so that a
 * section leaves no empty lines. */
static void widen_to_line(const pare_template *template, size_t *begin, size_t *after)
{
    const char *text = template->text;
    size_t from = *begin, to = *after;
    while (from && is_blank(text[from - 1]))
        from--;
    while (to < template->size && (is_blank(text[to]) || text[to] == '\r'))
        to++;
    bool begins = from == 0 || text[from - 1] == '\n';
    bool ends = to == template->size || text[to] == '\n';
    if (!begins || !ends) return;
    *begin = from;
    *after = to < template->size ? to + 1 : to;
}

/* Splits the inside of a tag into words of letters, digits, '_', '-' and '.';
 * at least one and at most PARE_TEMPLATE_WORDS. */
static pare_status read_words(const struct reader *reader, const struct tag *tag, struct node *node,
                              pare_error *err)
{
    const char *at = tag->inside, *end = tag->inside + tag->size;
    while (at < end) {
        if (is_blank(*at)) {
            at++;
            continue;
        }
        const char *from = at;
        while (at < end && ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                            (*at >= '0' && *at <= '9') || *at == '_' || *at == '-' || *at == '.'))
            at++;
        if (at == from)
            return fail_at(reader->template, reader->line,
                           "a tag holds names; this is none:", &(struct word){from, 1}, err);
        if (node->n_words == PARE_TEMPLATE_WORDS)
            return fail_at(reader->template, reader->line, "a tag has too many words", NULL, err);
        node->words[node->n_words++] = (struct word){from, (size_t)(at - from)};
    }
    return node->n_words ? PARE_OK
                         : fail_at(reader->template, reader->line, "a tag is empty", NULL, err);
}

/* Whether two tags have the same words. A section that calls a function is
 * closed by the same words, function and all. */
static bool has_same_words(const struct node *a, const struct node *b)
{
    if (a->n_words != b->n_words) return false;
    for (size_t i = 0; i < a->n_words; i++)
        if (a->words[i].size != b->words[i].size ||
            memcmp(a->words[i].at, b->words[i].at, a->words[i].size) != 0)
            return false;
    return true;
}

/* Closes the section that has begun last, which has to have the same words:
 * {{/name}}. */
static pare_status close_section(struct reader *reader, const struct node *node, pare_error *err)
{
    pare_template *template = reader->template;
    if (!reader->depth)
        return fail_at(template, reader->line,
                       "no section has begun that could end here:", &node->words[0], err);
    struct node *open = &template->nodes[reader->open[reader->depth - 1]];
    if (!has_same_words(open, node))
        return fail_at(template, reader->line, "another section is to end before", &node->words[0],
                       err);
    open->end = template->n;
    reader->depth--;
    return PARE_OK;
}

/* Adds the node of a tag. Comments have none; the end of a section only tells
 * its beginning where it is. */
static pare_status add_tag(struct reader *reader, const struct tag *tag, pare_error *err)
{
    pare_template *template = reader->template;
    struct node node = {.kind = FIELD, .is_raw = tag->is_raw, .line = reader->line};
    if (tag->sigil == '!') return PARE_OK;
    pare_status status = read_words(reader, tag, &node, err);
    if (status) return status;
    if (tag->sigil == '/') return close_section(reader, &node, err);
    if (tag->sigil) {
        node.kind = tag->sigil == '#' ? SECTION : INVERTED;
        if (reader->depth == PARE_TEMPLATE_DEPTH)
            return fail_at(template, reader->line, "too many sections within each other", NULL,
                           err);
        reader->open[reader->depth++] = template->n;
    }
    return add_node(template, &node, err);
}

/* Adds a stretch of text. An empty one makes no node: two tags beside each
 * other, or a line that went with its tag. */
static pare_status add_text(struct reader *reader, size_t from, size_t to, pare_error *err)
{
    if (from >= to) return PARE_OK;
    return add_node(reader->template,
                    &(struct node){.kind = TEXT,
                                   .text = reader->template->text + from,
                                   .size = to - from,
                                   .line = reader->line},
                    err);
}

/* Reads the whole text from tag to tag. The text before a tag ends where the
 * tag, or the line that goes with it, begins. */
static pare_status read_all(struct reader *reader, pare_error *err)
{
    pare_template *template = reader->template;
    pare_status status = PARE_OK;
    while (reader->at < template->size && !status) {
        const char *text = template->text + reader->at;
        const char *begin = memmem(text, template->size - reader->at, "{{", 2);
        struct tag tag;
        if (!begin) return add_text(reader, reader->at, template->size, err);
        size_t at = (size_t)(begin - template->text);
        size_t before = reader->at;
        reader->line += count_lines(text, at - before);
        if (!find_tag(template, at, &tag))
            return fail_at(template, reader->line, "a tag has no end", NULL, err);
        size_t from = tag.begin, after = tag.after;
        if (tag.sigil) widen_to_line(template, &from, &after);
        /* Blanks before the tag may have been taken away with the line of the tag before it. */
        status = add_text(reader, before, from, err);
        if (!status) status = add_tag(reader, &tag, err);
        reader->line += count_lines(begin, after - at);
        reader->at = after;
    }
    return status;
}

/* Reads a template; its text is copied. On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX, with `name` and the line. */
pare_status pare_template_new(const char *name, const char *text, size_t size, pare_template **out,
                              pare_error *err)
{
    pare_template *template = pare_alloc_zero(1, sizeof *template);
    if (!template) return pare_fail_nomem(err);
    struct reader reader = {.template = template, .line = 1};
    template->name = pare_alloc_text(name, strlen(name));
    template->text = pare_alloc_text(text, size);
    template->size = size;
    pare_status status = template->name && template->text ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = read_all(&reader, err);
    if (!status && reader.depth) {
        const struct node *open = &template->nodes[reader.open[reader.depth - 1]];
        status = fail_at(template, open->line, "a section has no end:", &open->words[0], err);
    }
    if (status)
        pare_template_free(template);
    else
        *out = template;
    return status;
}

/* NULL is a no-op.  Texts of nodes are the template's own copy. */
void pare_template_free(pare_template *template)
{
    if (!template) return;
    pare_alloc_free(template->nodes);
    pare_alloc_free(template->text);
    pare_alloc_free(template->name);
    pare_alloc_free(template);
}

/* ---- writing -------------------------------------------------------------------------- */

/* A section that is being written. */
struct open {
    size_t section;                  /* its node */
    const pare_template_field *list; /* NULL: written once */
    size_t row;
};

struct writer {
    const pare_template *template;
    const pare_template_use *use;
    pare_buffer *out;
    struct open open[PARE_TEMPLATE_DEPTH];
    size_t depth;
    pare_buffer made; /* what a function has made */
};

/* The field of a scope with this name, or NULL. A linear search: there are some
 * thirty fields. */
static const pare_template_field *find_in(const pare_template_scope *scope, const struct word *word)
{
    for (size_t i = 0; i < scope->n; i++)
        if (strlen(scope->fields[i].name) == word->size &&
            memcmp(scope->fields[i].name, word->at, word->size) == 0)
            return &scope->fields[i];
    return NULL;
}

/* Refuses a name that is no field, with the nearest that is. */
static pare_status refuse_field(const struct writer *writer, const struct node *node,
                                const struct word *word, pare_error *err)
{
    char name[MAX_WORD + 1] = "", hint[PARE_NEAREST_HINT_BYTES];
    const pare_template_scope *scope = &writer->use->scope;
    memcpy(name, word->at, word->size < MAX_WORD ? word->size : MAX_WORD);
    pare_nearest nearest = pare_nearest_of(name);
    for (size_t i = 0; i < scope->n; i++)
        pare_nearest_offer(&nearest, scope->fields[i].name);
    return pare_fail(err, PARE_E_SYNTAX, "%s:%zu: unknown field '%s'%s", writer->template->name,
                     node->line, name, pare_nearest_hint(&nearest, "", hint));
}

/* Finds a field: rows of inner sections come first, then rows around them, then
 * the fields of all. */
static pare_status find(const struct writer *writer, const struct node *node,
                        const struct word *word, const pare_template_field **field, pare_error *err)
{
    const pare_template_field *found = NULL;
    for (size_t i = writer->depth; i-- && !found;) {
        const struct open *open = &writer->open[i];
        if (open->list) found = find_in(&open->list->rows[open->row], word);
    }
    if (!found) found = find_in(&writer->use->scope, word);
    if (!found) return refuse_field(writer, node, word, err);
    *field = found;
    return PARE_OK;
}

static bool is_word(const struct word *word, const char *name)
{
    return strlen(name) == word->size && memcmp(name, word->at, word->size) == 0;
}

/* A carriage return before the line end stays: what is shown writes it out. */
static size_t first_line(const pare_template_field *field)
{
    const char *end = field->size ? memchr(field->text, '\n', field->size) : NULL;
    return end ? (size_t)(end - field->text) : field->size;
}

/* Appends the visible form with four blanks before each line: code in Markdown,
 * and readable without it. */
static pare_status add_indented(const pare_template_field *field, pare_buffer *out, pare_error *err)
{
    pare_buffer shown = {0};
    pare_status status = pare_escape_visible(field->text, field->size, &shown, err);
    for (size_t at = 0; at < shown.size && !status;) {
        const char *end = memchr(shown.data + at, '\n', shown.size - at);
        size_t size = end ? (size_t)(end - shown.data) - at : shown.size - at;
        status = pare_buffer_text(out, "    ", err);
        if (!status) status = pare_buffer_add(out, shown.data + at, size, err);
        if (!status) status = pare_buffer_text(out, "\n", err);
        at += size + 1;
    }
    pare_buffer_done(&shown);
    return status;
}

/* Appends the text of {{name}}. In Markdown it is code if a target could have
 * chosen any of it. */
static pare_status add_shown(const struct writer *writer, const pare_template_field *field,
                             pare_buffer *out, pare_error *err)
{
    if (writer->use->form == PARE_TEMPLATE_MARKDOWN && !field->is_ours)
        return pare_escape_code(field->text, field->size, out, err);
    return pare_escape_visible(field->text, field->size, out, err);
}

/* Appends what a function of ours makes of a field; *is_one is false if `name`
 * is none of them. */
static pare_status add_builtin(const struct writer *writer, const struct word *name,
                               const pare_template_field *field, bool *is_one, pare_error *err)
{
    pare_buffer *out = writer->out;
    bool is_plain = writer->use->form == PARE_TEMPLATE_PLAIN;
    *is_one = true;
    if (is_word(name, "fence"))
        return is_plain ? add_indented(field, out, err)
                        : pare_escape_fence(field->text, field->size, out, err);
    if (is_word(name, "code"))
        return is_plain ? pare_escape_visible(field->text, field->size, out, err)
                        : pare_escape_code(field->text, field->size, out, err);
    if (is_word(name, "line")) {
        pare_template_field line = *field;
        line.size = first_line(field);
        return add_shown(writer, &line, out, err);
    }
    if (is_word(name, "json")) return pare_escape_json(field->text, field->size, out, err);
    if (is_word(name, "url")) return pare_escape_url(field->text, field->size, out, err);
    if (is_word(name, "text")) return add_indented(field, out, err);
    *is_one = false;
    return PARE_OK;
}

/* Has a function of the script write to writer->made. PARE_E_SYNTAX: there is
 * none of this name. */
static pare_status call(struct writer *writer, const struct node *node,
                        const pare_template_field *const *fields, pare_error *err)
{
    char name[MAX_WORD + 1] = "";
    const struct word *word = &node->words[0];
    pare_buffer_reset(&writer->made);
    if (!writer->use->caller.call || word->size > MAX_WORD)
        return fail_at(writer->template, node->line, "there is no function", word, err);
    memcpy(name, word->at, word->size);
    const pare_template_call called = {.name = name,
                                       .arguments = fields,
                                       .n_arguments = node->n_words - 1,
                                       .scope = &writer->use->scope};
    return writer->use->caller.call(writer->use->caller.self, &called, &writer->made, err);
}

/* Finds the fields that a tag names, after its function if it has one. */
static pare_status find_all(const struct writer *writer, const struct node *node,
                            const pare_template_field *fields[PARE_TEMPLATE_WORDS], pare_error *err)
{
    pare_status status = PARE_OK;
    size_t first = node->n_words > 1;
    for (size_t i = first; i < node->n_words && !status; i++)
        status = find(writer, node, &node->words[i], &fields[i - first], err);
    return status;
}

/* Writes a tag: one name is a field, several are a call. What a function of the
 * script returns counts as chosen by a target, since its arguments were; only
 * three braces put it in as it is. */
static pare_status write_field(struct writer *writer, const struct node *node, pare_error *err)
{
    const pare_template_field *fields[PARE_TEMPLATE_WORDS] = {NULL};
    pare_status status = find_all(writer, node, fields, err);
    if (status) return status;
    if (node->n_words > 1) {
        bool is_one = false;
        if (node->n_words == 2)
            status = add_builtin(writer, &node->words[0], fields[0], &is_one, err);
        if (status || is_one) return status;
        status = call(writer, node, fields, err);
    }
    if (status) return status;
    const pare_template_field made = {.text = writer->made.size ? writer->made.data : "",
                                      .size = writer->made.size};
    const pare_template_field *field = node->n_words > 1 ? &made : fields[0];
    if (node->is_raw)
        return pare_buffer_add(writer->out, field->size ? field->text : "", field->size, err);
    return add_shown(writer, field, writer->out, err);
}

/* Whether the value of a section is anything, and which list it is, if it is
 * one (else NULL). */
static pare_status look(struct writer *writer, const struct node *node, bool *is_there,
                        const pare_template_field **list, pare_error *err)
{
    const pare_template_field *fields[PARE_TEMPLATE_WORDS] = {NULL};
    pare_status status = find_all(writer, node, fields, err);
    if (status) return status;
    *list = NULL;
    if (node->n_words > 1) {
        status = call(writer, node, fields, err);
        *is_there = writer->made.size > 0;
        return status;
    }
    *is_there = fields[0]->rows ? fields[0]->n_rows > 0 : fields[0]->size > 0;
    if (fields[0]->rows) *list = fields[0];
    return PARE_OK;
}

/* Begins the section at node *at, or goes past it. An inverted section is
 * written once, without rows. */
static pare_status begin_section(struct writer *writer, size_t *at, pare_error *err)
{
    const struct node *node = &writer->template->nodes[*at];
    const pare_template_field *list = NULL;
    bool is_there = false;
    pare_status status = look(writer, node, &is_there, &list, err);
    if (status) return status;
    if (is_there != (node->kind == SECTION)) {
        *at = node->end;
        return PARE_OK;
    }
    assert(writer->depth < PARE_TEMPLATE_DEPTH);
    writer->open[writer->depth++] =
        (struct open){.section = *at, .list = node->kind == SECTION ? list : NULL};
    ++*at;
    return PARE_OK;
}

/* Called before each node: ends the innermost section if *at is its end, by
 * going back for the next row or out of it. False: it does not end here. */
static bool end_section(struct writer *writer, size_t *at)
{
    if (!writer->depth) return false;
    struct open *open = &writer->open[writer->depth - 1];
    if (*at != writer->template->nodes[open->section].end) return false;
    if (open->list && ++open->row < open->list->n_rows)
        *at = open->section + 1;
    else
        writer->depth--;
    return true;
}

/* Writes a template. The length is checked after each node: lists within lists
 * can multiply a short text, but one node adds at most what a field holds. */
pare_status pare_template_write(const pare_template *template, const pare_template_use *use,
                                pare_buffer *out, pare_error *err)
{
    struct writer writer = {.template = template, .use = use, .out = out};
    pare_status status = PARE_OK;
    size_t before = out->size;
    for (size_t at = 0; !status;) {
        if (end_section(&writer, &at)) continue;
        if (at == template->n) break;
        const struct node *node = &template->nodes[at];
        if (node->kind == SECTION || node->kind == INVERTED) {
            status = begin_section(&writer, &at, err);
            continue;
        }
        status = node->kind == TEXT ? pare_buffer_add(out, node->text, node->size, err)
                                    : write_field(&writer, node, err);
        if (!status && out->size - before > PARE_TEMPLATE_MOST_BYTES)
            status =
                pare_fail(err, PARE_E_LIMIT, "%s: the text that it makes is longer than %d MiB",
                          template->name, PARE_TEMPLATE_MOST_BYTES >> 20);
        at++;
    }
    pare_buffer_done(&writer.made);
    return status;
}
