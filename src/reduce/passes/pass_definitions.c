/* The passes over definitions in a text of no known language: inline-definitions, bypass.
 *
 * definitions.h says what looks like a definition.  Uses are found by bytes, since they may stand
 * in strings: `"$NAME"`, `${NAME}`, `$(NAME)`; with a call goes what is in its brackets, and
 * parameters become what is given for them.  The pass of reduce/binding that knows scopes does
 * the same better where a language has a table; a wrong guess here costs a test.
 * Invariant: in every patch the definition goes, and all of it together saves bytes.
 * Source: "inlining" of LPR (arXiv 2312.13064) and C-Reduce's simple-inliner and
 * copy-propagation, without a parser; bypassing is ours. */
#include <assert.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/halving.h"
#include "reduce/passes/calls.h"
#include "reduce/passes/definitions.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/terms.h"
#include "text/patch.h"

/* Names that are used more often than MOST_USES, and long texts, are not tried: what a wrong
 * guess costs has to stay small. */
enum {
    MOST_LEXEMES = 20000,
    MOST_USES = 16,
    MOST_TARGETS = 4,
    MOST_BESIDE = 32,
    MOST_TEXT = 65536 /* bytes that the uses of one name become */
};

/* Bytes of the text. */
struct piece {
    const char *text;
    size_t size;
};

/* A place where a name is used. */
struct use {
    pare_extent name; /* the word alone */
    pare_extent all;  /* with signs before it, brackets around it or the call */
    bool calls;       /* it gives arguments: */
    pare_call call;
};

/* One way to read a definition, with the uses of its name. */
struct inlining {
    const pare_pass_view *view;
    const pare_definition *definition;
    pare_extent cut; /* what goes with the definition */
    struct use uses[MOST_USES];
    size_t n_uses;
    pare_buffer texts; /* what the uses become, one after the other */
    size_t ends[MOST_USES];
    pare_patches *out;
    pare_error *err;
};

/* --- names and uses ---------------------------------------------------------------------- */

/* The bytes of an extent. */
static struct piece piece_of(const pare_pass_view *view, pare_extent what)
{
    return (struct piece){(const char *)view->bytes + what.from, what.to - what.from};
}

/* Whether both are the same bytes. */
static bool is_same(struct piece a, struct piece b)
{
    return a.size == b.size && memcmp(a.text, b.text, a.size) == 0;
}

/* The lexeme that has the byte, or that begins after it. The number of lexemes if there is none
 * from there on. */
static size_t lexeme_at(const pare_pass_view *view, size_t byte)
{
    pare_halving search = {.low = 0, .high = view->lexemes.n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, view->lexemes.at[search.middle].to <= byte);
    return search.low;
}

/* Adds what belongs to a use that is a word of the text: before it what it is a member of, after
 * it the call. Any other use, such as one in a string, stays what was found: the name with its
 * signs. */
static void widen_use(const struct inlining *self, struct use *use)
{
    const pare_pass_view *view = self->view;
    size_t i = lexeme_at(view, use->name.from);
    pare_lexeme_run term;
    if (i >= view->lexemes.n || view->lexemes.at[i].kind != PARE_LEXEME_WORD) return;
    use->calls = pare_call_find(view, self->definition, i, &use->call);
    if (use->calls) use->all.to = use->call.to;
    /* What the name is a member of goes with it: the body that comes there has no place for it. */
    bool member =
        i && (pare_pass_lexeme_is(view, i - 1, ".") || pare_pass_lexeme_is(view, i - 1, ">") ||
              pare_pass_lexeme_is(view, i - 1, "->") || pare_pass_lexeme_is(view, i - 1, ":"));
    if (member && pare_terms_before(view, i, &term) && term.first < i)
        use->all.from = view->lexemes.at[term.first].from;
}

/* Finds the uses in bytes from .. to-1 outside of the definition; false: there are too many, or
 * some lie in each other. */
static bool find_uses(struct inlining *self, size_t from, size_t to)
{
    const pare_pass_view *view = self->view;
    struct piece name = piece_of(view, pare_definition_name(view, self->definition->name));
    pare_extent found;
    size_t end = from;
    self->n_uses = 0;
    for (size_t at = from;
         pare_definition_next_use(view->bytes, at, to, name.text, name.size, &found);
         at = found.to) {
        if (found.from >= self->cut.from && found.from < self->cut.to) continue;
        if (self->n_uses == MOST_USES) return false;
        struct use *use = &self->uses[self->n_uses++];
        *use = (struct use){.name = found, .all = pare_definition_with_signs(view, found)};
        widen_use(self, use);
        /* Uses and the definition become changes of one patch, which may not overlap and have
         * to ascend. */
        bool beside = use->all.to <= self->cut.from || use->all.from >= self->cut.to;
        if (use->all.from < end || use->all.to > to || !beside) return false;
        end = use->all.to;
    }
    return self->n_uses > 0;
}

/* --- what a use becomes ------------------------------------------------------------------ */

/* How the body is written at a use: as it is; with brackets around arguments that need them; with
 * these and brackets around all of it. */
enum form { PLAIN, GUARDED, BRACKETS };

/* Makes the texts of all uses; sets *n_guarded to how many arguments got brackets. */
static pare_status make_texts(struct inlining *self, pare_lexeme_run body, enum form form,
                              size_t *n_guarded)
{
    pare_extent what = pare_terms_extent(self->view, body);
    pare_status status = PARE_OK;
    pare_buffer_reset(&self->texts);
    *n_guarded = 0;
    for (size_t i = 0; !status && i < self->n_uses; i++) {
        const struct use *use = &self->uses[i];
        const pare_call_expansion expansion = {
            .body = what, .call = use->calls ? &use->call : NULL, .guarded = form != PLAIN};
        size_t n = 0;
        if (form == BRACKETS) status = pare_buffer_add(&self->texts, "(", 1, self->err);
        if (!status) status = pare_call_expand(self->view, &expansion, &self->texts, &n, self->err);
        if (!status && form == BRACKETS) status = pare_buffer_add(&self->texts, ")", 1, self->err);
        *n_guarded += n;
        self->ends[i] = self->texts.size;
    }
    return status;
}

/* Bytes saved when every use becomes its text and the definition goes. */
static int64_t gain_of(const struct inlining *self)
{
    int64_t gain = (int64_t)(self->cut.to - self->cut.from) - (int64_t)self->texts.size;
    for (size_t i = 0; i < self->n_uses; i++)
        gain += (int64_t)(self->uses[i].all.to - self->uses[i].all.from);
    return gain;
}

/* Adds the changes: the uses and the definition, in the order of the text. */
static pare_status change_all(struct inlining *self, uint32_t parent, uint32_t *index)
{
    pare_status status = PARE_OK;
    bool gone = false;
    size_t from = 0;
    for (size_t i = 0; !status && i <= self->n_uses; i++) {
        bool last = i == self->n_uses;
        if (!gone && (last || self->uses[i].all.from >= self->cut.to)) {
            status =
                pare_patches_change(self->out, self->cut.from, self->cut.to, NULL, 0, self->err);
            gone = true;
        }
        if (status || last) break;
        pare_extent use = self->uses[i].all;
        status = pare_patches_change(self->out, use.from, use.to, self->texts.data + from,
                                     self->ends[i] - from, self->err);
        from = self->ends[i];
    }
    return status ? status : pare_patches_end(self->out, parent, index, self->err);
}

/* Offers the body in this form, if that saves bytes, as a part of *index, which becomes it if it
 * was none. */
static pare_status offer_form(struct inlining *self, pare_lexeme_run body, enum form form,
                              uint32_t *index)
{
    uint32_t made = PARE_NO_PATCH;
    pare_extent what = pare_terms_extent(self->view, body);
    if ((what.to - what.from) * self->n_uses > MOST_TEXT) return PARE_OK;
    size_t n_guarded;
    pare_status status = make_texts(self, body, form, &n_guarded);
    /* Where no argument needed brackets the form is the one that was offered before. */
    bool same = form == GUARDED && !n_guarded;
    if (status || same || gain_of(self) <= 0) return status;
    status = change_all(self, *index, &made);
    if (*index == PARE_NO_PATCH) *index = made;
    return status;
}

/* Strips the body of the word that returns it (`return x;`, `return(x)`) and of the semicolon;
 * false: there is no such word. In `g/0` the word is an operand. */
static bool is_handed_on(const pare_pass_view *view, pare_lexeme_run *body)
{
    if (body->first < body->last && pare_pass_lexeme_is(view, body->last, ";")) body->last--;
    if (body->first == body->last || view->lexemes.at[body->first].kind != PARE_LEXEME_WORD)
        return false;
    /* Of several statements the first word returns none but the first. */
    for (size_t i = body->first; i <= body->last; i++)
        if (pare_pass_lexeme_is(view, i, ";")) return false;
    /* A sign right after the word makes it an operand of the sign; a blank between them says
     * that the sign belongs to what follows. */
    const pare_lexeme *next = &view->lexemes.at[body->first + 1];
    if (next->kind == PARE_LEXEME_SIGN && next->from == next[-1].to) return false;
    body->first++;
    return true;
}

/* Whether a statement begins with lexeme `i`: at the begin of a line, or after `;`, `{`, `}`. */
static bool begins_statement(const pare_pass_view *view, size_t i)
{
    return pare_pass_starts_line(view, i) || pare_pass_lexeme_is(view, i - 1, ";") ||
           pare_pass_lexeme_is(view, i - 1, "{") || pare_pass_lexeme_is(view, i - 1, "}");
}

/* Makes each use all of its statement, without the semicolon; false: two are in one, or one is in
 * the definition, or long. */
static bool widen_to_statements(struct inlining *self)
{
    const pare_pass_view *view = self->view;
    size_t end = view->begin;
    for (size_t k = 0; k < self->n_uses; k++) {
        size_t use = lexeme_at(view, self->uses[k].name.from), first = use, last = use;
        if (use >= view->lexemes.n) return false;
        while (!begins_statement(view, first) && use - first < MOST_BESIDE)
            first--;
        while (last + 1 < view->lexemes.n && !begins_statement(view, last + 1) &&
               last - use < MOST_BESIDE && !pare_pass_lexeme_is(view, last + 1, ";") &&
               !pare_pass_lexeme_is(view, last + 1, "}"))
            last++;
        pare_extent all = pare_terms_extent(view, (pare_lexeme_run){first, last});
        /* Widened, a use may reach into the definition or into the use before it. */
        bool beside = all.to <= self->cut.from || all.from >= self->cut.to;
        if (!beside || all.from < end) return false;
        self->uses[k].all = all;
        end = all.to;
    }
    return true;
}

/* Goes to the inside of the body's last block, and of the last block in that; false: there is no
 * block. */
static bool is_nested(const pare_pass_view *view, pare_lexeme_run *body)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t i = body->last;
    bool nested = false;
    while (i > body->first) {
        size_t open = at[i].partner;
        bool block = pare_pass_lexeme_is(view, i, "}") && open != PARE_NO_LEXEME &&
                     open >= body->first && open + 1 < i;
        if (!block) {
            i--;
            continue;
        }
        *body = (pare_lexeme_run){open + 1, i - 1};
        i = body->last;
        nested = true;
    }
    return nested;
}

/* A block in the place of the statements that use it: `class a{function b(){BODY}}new a;`. */
static pare_status offer_statements(struct inlining *self, pare_lexeme_run body, uint32_t *index)
{
    pare_lexeme_run inner = body;
    /* What is in the innermost block is shorter and tried first: the statements of a method,
     * say, instead of all that is in its class. */
    bool nested = is_nested(self->view, &inner);
    if (!widen_to_statements(self)) return PARE_OK;
    pare_status status = nested ? offer_form(self, inner, PLAIN, index) : PARE_OK;
    return status ? status : offer_form(self, body, PLAIN, index);
}

/* Offers everything that the uses may become: the body, or what it returns, each also in brackets;
 * and for uses that are whole statements, what is in the body's block. */
static pare_status offer_forms(struct inlining *self)
{
    pare_lexeme_run body = self->definition->body, inner = body;
    uint32_t index = PARE_NO_PATCH;
    bool handed = is_handed_on(self->view, &inner);
    /* Later forms are parts of the first one, so they are only tried where it failed or was not
     * offered. */
    pare_status status = offer_form(self, body, PLAIN, &index);
    if (!status) status = offer_form(self, body, GUARDED, &index);
    /* Of the less likely readings of a definition only these two forms cost tests. */
    if (status || !self->definition->first) return status;
    if (handed) status = offer_form(self, inner, PLAIN, &index);
    if (!status && handed) status = offer_form(self, inner, GUARDED, &index);
    if (!status && handed && inner.first < inner.last)
        status = offer_form(self, inner, BRACKETS, &index);
    if (!status && body.first < body.last) status = offer_form(self, body, BRACKETS, &index);
    bool block = pare_pass_lexeme_is(self->view, self->definition->all.last, "}");
    return status || !block ? status : offer_statements(self, body, &index);
}

/* --- the passes -------------------------------------------------------------------------- */

typedef pare_status (*offer_fn)(struct inlining *self, const pare_definitions *all, size_t index);

/* From where to where the name of a definition means it: everywhere, or, if it is defined more than
 * once in the same way, from there to the next time. */
static pare_extent scope_of(const pare_pass_view *view, const pare_definitions *all, size_t index)
{
    const pare_lexeme *at = view->lexemes.at;
    const pare_definition *own = &all->at[index];
    pare_extent scope = {view->begin, view->end};
    for (size_t i = 0; i < all->n; i++) {
        const pare_definition *other = &all->at[i];
        /* Another reading of the same definition, the definition of another name, or one that
         * is written in another way: `x := 1` and `x() { }` do not replace each other. */
        if (other->name == own->name || at[other->name].first != at[own->name].first ||
            other->separator != own->separator)
            continue;
        scope.from = at[own->all.last].to;
        if (other->all.first > own->all.last) {
            scope.to = at[other->all.first].from;
            break;
        }
    }
    return scope;
}

/* Runs `offer` for each reading of each definition that is used. The uses are found anew for
 * each reading, as what goes with the definition differs. */
static pare_status offer_each(const pare_pass_view *view, offer_fn offer, pare_patches *out,
                              pare_error *err)
{
    pare_definitions all = {0};
    struct inlining self = {.view = view, .out = out, .err = err};
    out->spaced = true;
    pare_status status = pare_definitions_find(view, &all, err);
    for (size_t i = 0; !status && i < all.n; i++) {
        pare_extent scope = scope_of(view, &all, i);
        self.definition = &all.at[i];
        self.cut = pare_pass_extent(view, all.at[i].all.first, all.at[i].all.last);
        if (scope.from <= scope.to && find_uses(&self, scope.from, scope.to))
            status = offer(&self, &all, i);
    }
    pare_buffer_done(&self.texts);
    pare_definitions_done(&all);
    return status;
}

/* A definition whose body has its own name cannot be written out. */
static pare_status offer_inlined(struct inlining *self, const pare_definitions *all, size_t index)
{
    const pare_pass_view *view = self->view;
    struct piece name = piece_of(view, pare_definition_name(view, all->at[index].name));
    pare_extent body = pare_terms_extent(view, all->at[index].body), found;
    /* What it would become has uses in it for which nothing would be defined any more. */
    if (pare_definition_next_use(view->bytes, body.from, body.to, name.text, name.size, &found))
        return PARE_OK;
    return offer_forms(self);
}

/* inline-definitions: a definition goes, and its body stands wherever its name was used: as it
 * is, without a word like `return`, in brackets; parameters become arguments. */
static pare_status offer_inline(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    (void)pass;
    return offer_each(view, offer_inlined, out, err);
}

const pare_pass pare_pass_inline_definitions = {
    .name = "inline-definitions",
    .summary = "replaces a name by the contents of its definition, in any language",
    .source = "LPR, inlining; C-Reduce, simple-inliner, without a parser",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer_inline,
};

/* Every use becomes the name of another definition, and the definition goes. A call keeps its
 * arguments, and what the name is a member of stays. */
static pare_status offer_target(struct inlining *self, uint32_t target)
{
    struct piece name = piece_of(self->view, pare_definition_name(self->view, target));
    pare_status status = PARE_OK;
    uint32_t none = PARE_NO_PATCH;
    pare_buffer_reset(&self->texts);
    for (size_t i = 0; !status && i < self->n_uses; i++) {
        self->uses[i].all = self->uses[i].name;
        status = pare_buffer_add(&self->texts, name.text, name.size, self->err);
        self->ends[i] = self->texts.size;
    }
    if (status || gain_of(self) <= 0) return status;
    return change_all(self, PARE_NO_PATCH, &none);
}

/* Names that are redirected to already, as places where the name is defined. */
struct targets {
    uint32_t at[MOST_TARGETS];
    size_t n;
};

/* Adds the definition's name unless it is the own one or there already. */
static void add_target(const struct inlining *self, struct targets *targets, uint32_t name)
{
    const pare_pass_view *view = self->view;
    struct piece text = piece_of(view, pare_definition_name(view, name));
    if (is_same(text, piece_of(view, pare_definition_name(view, self->definition->name)))) return;
    for (size_t i = 0; i < targets->n; i++)
        if (is_same(text, piece_of(view, pare_definition_name(view, targets->at[i])))) return;
    if (targets->n < MOST_TARGETS) targets->at[targets->n++] = name;
}

/* Whether the word of lexeme `i` stands outside of the definition, too. */
static bool is_outside(const struct inlining *self, size_t i)
{
    const pare_lexeme *at = self->view->lexemes.at;
    const pare_lexeme_run *all = &self->definition->all;
    uint32_t k = at[i].first;
    while (k != PARE_NO_LEXEME && k >= all->first && k <= all->last)
        k = at[k].next;
    return k != PARE_NO_LEXEME;
}

/* Of several names, what the definition itself uses comes first, then the names beside it. */
static pare_status offer_bypassed(struct inlining *self, const pare_definitions *all, size_t index)
{
    const pare_definition *own = &all->at[index];
    struct targets targets = {.n = 0};
    pare_status status = PARE_OK;
    /* The body of one reading is enough to find names. */
    if (!own->first) return PARE_OK;
    for (uint32_t i = (uint32_t)own->body.first; i <= own->body.last; i++)
        if (self->view->lexemes.at[i].kind == PARE_LEXEME_WORD && is_outside(self, i))
            add_target(self, &targets, i);
    for (size_t i = index + 1; i < all->n && i <= index + 2; i++)
        add_target(self, &targets, all->at[i].name);
    if (index) add_target(self, &targets, all->at[index - 1].name);
    for (size_t i = 0; !status && i < targets.n; i++)
        status = offer_target(self, targets.at[i]);
    return status;
}

/* bypass: a definition goes, and where its name was used another one is: of those that its body
 * uses, or one that stands beside it.
 *
 * Example: in `b(){c();} c(){d();} d(){..}` b calls d, and c goes.  So of a chain of calls no
 * link is left that does nothing. */
static pare_status offer_bypass(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    (void)pass;
    return offer_each(view, offer_bypassed, out, err);
}

const pare_pass pare_pass_bypass = {
    .name = "bypass",
    .summary = "removes a definition, and uses another name where it was used",
    .source = "ours, after Vulcan, identifier replacement",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer_bypass,
};
