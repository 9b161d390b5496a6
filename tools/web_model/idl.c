/* One pass over tokens, without going back: what stands before the word that tells what a
 * definition or member is is noted on the way. */
#include "web_model/idl.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

enum { TYPE_BYTES = 120 };

/* A word, a text in quotes (without them) or one sign; size 0: the end. */
struct token {
    const char *text;
    size_t size;
    bool is_word, is_text;
};

struct reader {
    pare_idl *idl;
    const char *path, *text;
    size_t size, at, line;
    struct token token; /* the one to be looked at */
    pare_error *err;
};

/* What the brackets before a member say. */
struct marks {
    bool reflects, reacts, is_url;
    struct token content; /* size 0: none */
    double low, high;
};

/* --- tokens ------------------------------------------------------------------------- */

static pare_status fail(const struct reader *r, const char *what)
{
    if (r->err && !r->err->status) r->err->line = r->line;
    return pare_fail(r->err, PARE_E_SYNTAX, "%s:%zu: %s", r->path, r->line, what);
}

static bool starts(const struct reader *r, const char *text)
{
    size_t size = strlen(text);
    return r->size - r->at >= size && memcmp(r->text + r->at, text, size) == 0;
}

static void step(struct reader *r)
{
    r->line += r->text[r->at++] == '\n';
}

static pare_status skip_space(struct reader *r)
{
    while (r->at < r->size) {
        if (isspace((unsigned char)r->text[r->at])) {
            step(r);
        } else if (starts(r, "//")) {
            while (r->at < r->size && r->text[r->at] != '\n')
                step(r);
        } else if (starts(r, "/*")) {
            while (r->at < r->size && !starts(r, "*/"))
                step(r);
            if (r->at == r->size) return fail(r, "a comment has no end");
            r->at += 2;
        } else {
            break;
        }
    }
    return PARE_OK;
}

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

/* Reads the next token into r->token. */
static pare_status next(struct reader *r)
{
    pare_status status = skip_space(r);
    size_t from = r->at;
    r->token = (struct token){.text = r->text + from};
    if (status || from == r->size) return status;
    if (r->text[from] == '"') {
        do
            step(r);
        while (r->at < r->size && r->text[r->at] != '"');
        if (r->at == r->size) return fail(r, "a text has no end");
        r->at++;
        r->token = (struct token){r->text + from + 1, r->at - from - 2, false, true};
        if (!r->token.size) r->token = (struct token){"\"", 1, false, true}; /* not the end */
        return PARE_OK;
    }
    r->token.is_word = is_word_character(r->text[from]);
    do
        r->at++;
    while (r->token.is_word && r->at < r->size && is_word_character(r->text[r->at]));
    r->token.size = r->at - from;
    return PARE_OK;
}

static bool is(const struct token *token, const char *text)
{
    return !token->is_text && token->size == strlen(text) &&
           memcmp(token->text, text, token->size) == 0;
}

static bool at(const struct reader *r, const char *text)
{
    return is(&r->token, text);
}

static bool at_end(const struct reader *r)
{
    return r->token.size == 0;
}

/* How much deeper one is after the token. */
static int depth_of(const struct token *token)
{
    if (token->is_text || token->is_word || token->size != 1 || !*token->text) return 0;
    if (strchr("([{", *token->text)) return 1;
    return strchr(")]}", *token->text) ? -1 : 0;
}

/* Passes over everything up to the ';' that ends it, and that; or up to a '}' that is not
 * its own. */
static pare_status skip_to_end(struct reader *r)
{
    pare_status status = PARE_OK;
    int depth = 0;
    while (!status && !at_end(r)) {
        if (!depth && (at(r, ";") || at(r, "}"))) break;
        depth += depth_of(&r->token);
        status = next(r);
    }
    return !status && at(r, ";") ? next(r) : status;
}

/* --- what is kept --------------------------------------------------------------------- */

static const char *keep(struct reader *r, const struct token *token)
{
    return pare_arena_text(&r->idl->memory, token->text, token->size);
}

static pare_status add_link(struct reader *r, const char *name, const struct token *other,
                            bool includes)
{
    pare_idl *idl = r->idl;
    pare_idl_link *grown =
        pare_vector_grow(idl->links, idl->n_links, &idl->links_capacity, sizeof *grown);
    if (grown) idl->links = grown;
    const char *kept = keep(r, other);
    if (!grown || !name || !kept) return pare_fail_nomem(r->err);
    grown[idl->n_links++] = (pare_idl_link){name, kept, includes};
    return PARE_OK;
}

/* Whether an attribute may be one in markup. */
static bool may_be_content(const struct marks *marks, const char *type)
{
    size_t size = strlen(type);
    bool handles = size >= 12 && strcmp(type + size - 12, "EventHandler") == 0;
    return marks->reflects || marks->reacts || handles || strncmp(type, "SVGAnimated", 11) == 0;
}

static pare_status add_attribute(struct reader *r, const char *interface, const struct marks *marks,
                                 const struct token *name, const char *type)
{
    pare_idl *idl = r->idl;
    if (!may_be_content(marks, type)) return PARE_OK;
    pare_idl_attribute *grown = pare_vector_grow(idl->attributes, idl->n_attributes,
                                                 &idl->attributes_capacity, sizeof *grown);
    if (grown) idl->attributes = grown;
    pare_idl_attribute made = {.interface = interface,
                               .name = keep(r, name),
                               .content = marks->content.size ? keep(r, &marks->content) : NULL,
                               .type = pare_arena_text(&idl->memory, type, strlen(type)),
                               .reflects = marks->reflects,
                               .is_url = marks->is_url,
                               .low = marks->low,
                               .high = marks->high};
    if (!grown || !made.name || !made.type || (marks->content.size && !made.content))
        return pare_fail_nomem(r->err);
    grown[idl->n_attributes++] = made;
    return PARE_OK;
}

/* --- members -------------------------------------------------------------------------------- */

/* "=(LOW, HIGH)" of [ReflectRange]. */
static pare_status read_range(struct reader *r, struct marks *marks)
{
    double *ends[] = {&marks->low, &marks->high};
    pare_status status = PARE_OK;
    size_t n = 0;
    while (!status && !at_end(r) && !at(r, ")")) {
        if (r->token.is_word && n < 2) {
            char number[24];
            size_t size = r->token.size < sizeof number ? r->token.size : sizeof number - 1;
            memcpy(number, r->token.text, size);
            number[size] = '\0';
            *ends[n++] = strtod(number, NULL);
        }
        status = next(r);
    }
    if (isnan(marks->low) || isnan(marks->high) || n < 2 || marks->low > marks->high) {
        marks->low = -INFINITY;
        marks->high = INFINITY;
    }
    return !status && at(r, ")") ? next(r) : status;
}

/* One of the words in brackets before a member, and what is after it. */
static pare_status read_mark(struct reader *r, struct marks *marks)
{
    const struct token word = r->token;
    bool is_range = is(&word, "ReflectRange"), is_reflect = is(&word, "Reflect");
    if (word.size >= 7 && memcmp(word.text, "Reflect", 7) == 0) marks->reflects = true;
    if (is(&word, "CEReactions")) marks->reacts = true;
    if (is(&word, "ReflectURL")) marks->is_url = true;
    if (is(&word, "ReflectNonNegative")) marks->low = 0;
    if (is(&word, "ReflectPositive") || is(&word, "ReflectPositiveWithFallback")) marks->low = 1;
    pare_status status = next(r);
    if (status || !at(r, "=")) return status;
    status = next(r);
    if (!status && is_reflect) marks->content = r->token;
    return !status && is_range ? read_range(r, marks) : status;
}

/* [...], from the bracket to after it; other brackets in it are passed over. */
static pare_status read_marks(struct reader *r, struct marks *marks)
{
    pare_status status = next(r);
    int depth = 0;
    while (!status && !at_end(r) && (depth || !at(r, "]"))) {
        depth += depth_of(&r->token);
        if (!depth && r->token.is_word)
            status = read_mark(r, marks);
        else
            status = next(r);
    }
    if (!status && at_end(r)) return fail(r, "a bracket has no end");
    return status ? status : next(r);
}

/* Appends a word to the type. */
static void add_word(char type[TYPE_BYTES], const struct token *word)
{
    size_t size = strlen(type);
    if (size + word->size + 2 > TYPE_BYTES) return;
    if (size) type[size++] = ' ';
    memcpy(type + size, word->text, word->size);
    type[size + word->size] = '\0';
}

/* What is after "attribute": a type, of which the last word is the name. */
static pare_status read_attribute(struct reader *r, const char *interface,
                                  const struct marks *marks)
{
    char type[TYPE_BYTES] = "";
    struct token name = {0};
    pare_status status = PARE_OK;
    int inside = 0;
    while (!status && !at_end(r) && !at(r, ";") && !at(r, "}")) {
        if (at(r, "[")) inside++;
        if (at(r, "]")) inside--;
        if (!inside && r->token.is_word) {
            if (name.size) add_word(type, &name);
            name = r->token;
        }
        status = next(r);
    }
    if (!status && name.size) status = add_attribute(r, interface, marks, &name, type);
    return !status && at(r, ";") ? next(r) : status;
}

static pare_status read_member(struct reader *r, const char *interface)
{
    struct marks marks = {.low = -INFINITY, .high = INFINITY};
    pare_status status = PARE_OK;
    if (at(r, "[")) status = read_marks(r, &marks);
    while (!status && (at(r, "readonly") || at(r, "inherit") || at(r, "stringifier")))
        status = next(r);
    if (status || !at(r, "attribute")) return status ? status : skip_to_end(r);
    status = next(r);
    return status ? status : read_attribute(r, interface, &marks);
}

/* --- definitions ------------------------------------------------------------------------------ */

/* What is after "interface": [mixin] NAME [: PARENT] { MEMBERS }; */
static pare_status read_interface(struct reader *r)
{
    pare_status status = at(r, "mixin") ? next(r) : PARE_OK;
    if (status || !r->token.is_word) return status ? status : skip_to_end(r);
    const char *name = keep(r, &r->token);
    if (!name) return pare_fail_nomem(r->err);
    status = next(r);
    if (!status && at(r, ":")) {
        status = next(r);
        if (!status) status = add_link(r, name, &r->token, false);
        if (!status) status = next(r);
    }
    if (status || !at(r, "{")) return status ? status : skip_to_end(r);
    status = next(r);
    while (!status && !at(r, "}")) {
        if (at_end(r)) return fail(r, "an interface has no end");
        status = read_member(r, name);
    }
    if (!status) status = next(r);
    return !status && at(r, ";") ? next(r) : status;
}

/* NAME includes MIXIN; or anything else. */
static pare_status read_other(struct reader *r)
{
    const struct token name = r->token;
    pare_status status = next(r);
    if (!status && name.is_word && at(r, "includes")) {
        status = next(r);
        if (!status && r->token.is_word) status = add_link(r, keep(r, &name), &r->token, true);
    }
    return status ? status : skip_to_end(r);
}

static pare_status read_definition(struct reader *r)
{
    struct marks marks = {0};
    pare_status status = PARE_OK;
    if (at(r, "[")) status = read_marks(r, &marks);
    if (!status && at(r, "partial")) status = next(r);
    if (status || at_end(r)) return status;
    if (at(r, "}") || at(r, ")") || at(r, "]")) return fail(r, "a bracket has no beginning");
    if (!at(r, "interface")) return read_other(r);
    status = next(r);
    return status ? status : read_interface(r);
}

pare_status pare_idl_read(pare_idl *idl, const char *path, const char *text, size_t size,
                          pare_error *err)
{
    struct reader r = {.idl = idl, .path = path, .text = text, .size = size, .line = 1, .err = err};
    pare_status status = next(&r);
    while (!status && !at_end(&r))
        status = read_definition(&r);
    return status;
}

const char *pare_idl_parent(const pare_idl *idl, const char *name)
{
    for (size_t i = 0; i < idl->n_links; i++)
        if (!idl->links[i].includes && strcmp(idl->links[i].name, name) == 0)
            return idl->links[i].other;
    return NULL;
}

void pare_idl_done(pare_idl *idl)
{
    pare_alloc_free(idl->attributes);
    pare_alloc_free(idl->links);
    pare_arena_done(&idl->memory);
    *idl = (pare_idl){0};
}
