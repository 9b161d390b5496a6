/* The pass over arguments that go together: one place of all lists that a name stands before.
 *
 * A column of a table is in the list of its definition and in that of each row, a parameter in that of its definition
 * and of each use; none of them can go alone.  Where a language tells what is a parameter, the pass `parameters` knows
 * more; this one is for all others, and finds lists that belong together by the words before them:
 *
 *     CREATE TABLE t (a, b, c); INSERT INTO t VALUES (1, 2, 3), (4, 5, 6);      def f($x; $y): ...; f(1; 2)
 *
 * A family are lists before which, or one word further, the same word stands; a list after a list and a comma has the
 * words of that.  First those of as many parts, then all: a definition may have parts that no use has (constraints of a
 * table), a use may leave some out.  The last place is offered first.  Families whose word stands at either distance, as
 * of a definition and its uses, come first: a word that is common to all definitions says least.
 *
 * Invariant: the cuts of a patch ascend and do not overlap.  Cost: one pass over the text for the lists, n log n for
 * the families; tests: one for each place of a family at most.
 * Source: ours, after DustMite's arguments, which need the definition, too. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "reduce/binding/program.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum {
    WORDS = 2,           /* before a list, that may name it */
    MOST_PARTS = 64,     /* of a list */
    MOST_FAMILIES = 32,  /* that are offered */
    MOST_CUTS = 1 << 17, /* of all patches */
    MOST_LEXEMES = 400000
};

/* A list in brackets, whose parts stand between commas or semicolons. */
struct list {
    uint32_t open; /* lexeme */
    uint32_t word
        [WORDS]; /* the nearest first: the first lexeme of the same bytes; PARE_NO_LEXEME: none */
    uint32_t n_parts;
};

/* That a list may be named by a word. */
struct naming {
    uint32_t word, n_parts, list, distance;
};

/* Lists that a word names, in a row of `namings`. */
struct family {
    uint32_t first, n;
    uint32_t n_parts; /* the most that one has */
    bool is_mixed;    /* the word stands at either distance */
    bool is_uneven;   /* some have more parts than others */
};

struct arguments {
    const pare_pass_view *view;
    struct list *lists; /* owned; by place */
    size_t n_lists, lists_capacity;
    struct naming *namings; /* owned */
    size_t n_namings;
    struct family *families; /* owned */
    size_t n_families, families_capacity;
    pare_extent *cuts; /* owned; of one place of a family */
    size_t n_cuts;     /* of all that was offered */
};

/* Lexeme `i` of the text; borrowed. */
static const pare_lexeme *lexeme_at(const struct arguments *self, uint32_t i)
{
    return &self->view->lexemes.at[i];
}

/* ---- lists ---------------------------------------------------------------------------- */

/* The first lexeme after the part that begins with `i`, in a list that ends with `close`. What
 * is in brackets of its own is passed over as a whole, with its commas. Returns `close` at the
 * end. */
static uint32_t part_end(const struct arguments *self, uint32_t i, uint32_t close)
{
    while (i < close) {
        const pare_lexeme *lexeme = lexeme_at(self, i);
        if (pare_pass_lexeme_is(self->view, i, ",") || pare_pass_lexeme_is(self->view, i, ";"))
            return i;
        const bool is_group = lexeme->kind == PARE_LEXEME_OPEN &&
                              lexeme->partner != PARE_NO_LEXEME && lexeme->partner > i;
        i = is_group ? lexeme->partner + 1 : i + 1;
    }
    return close;
}

/* How many parts stand in the brackets; 0: an empty one does, or too many do. Examples: "(a,
 * f(1, 2))" has two, "()" none; "(a, )" has an empty one. */
static uint32_t count_parts(const struct arguments *self, uint32_t open)
{
    const uint32_t close = lexeme_at(self, open)->partner;
    uint32_t n = 0;
    for (uint32_t at = open + 1; at < close && n <= MOST_PARTS; n++) {
        const uint32_t end = part_end(self, at, close);
        if (end == at || (end < close && end + 1 == close)) return 0;
        at = end + 1;
    }
    return n <= MOST_PARTS ? n : 0;
}

/* The list that ends with the lexeme before `i`; NULL: none does. Lists are in the order of the
 * text, so it is searched by halving. */
static const struct list *list_before(const struct arguments *self, uint32_t i)
{
    if (!i || lexeme_at(self, i - 1)->kind != PARE_LEXEME_CLOSE) return NULL;
    const uint32_t open = lexeme_at(self, i - 1)->partner;
    size_t low = 0, high = self->n_lists;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->lists[middle].open < open)
            low = middle + 1;
        else
            high = middle;
    }
    return low < self->n_lists && self->lists[low].open == open ? &self->lists[low] : NULL;
}

/* Sets the words before the list: those of the list before, if only a comma is between them, and one of that, if only
 * a word is.
 *
 * Examples: the second list of "VALUES (1, 2), (3, 4)" has the words of the first; of "INSERT
 * INTO t (a, b) VALUES (1, 2)" the second list has "VALUES" next to it, and "t", which names
 * the list one word before. */
static void name_list(const struct arguments *self, struct list *list)
{
    uint32_t i = list->open;
    list->word[0] = list->word[1] = PARE_NO_LEXEME;
    if (i && pare_pass_lexeme_is(self->view, i - 1, ",")) {
        const struct list *before = list_before(self, i - 1);
        if (before) memcpy(list->word, before->word, sizeof list->word);
        return;
    }
    for (unsigned k = 0; k < WORDS && i; k++, i--) {
        const struct list *before = k ? list_before(self, i) : NULL;
        const pare_lexeme *word = lexeme_at(self, i - 1);
        if (before) list->word[k] = before->word[0];
        /* A name may stand in quotes. */
        if (before || (word->kind != PARE_LEXEME_WORD && word->kind != PARE_LEXEME_STRING)) return;
        list->word[k] = word->first;
    }
}

/* Errors: PARE_E_NOMEM. Finds the lists that have a word before them. */
static pare_status find_lists(struct arguments *self, pare_error *err)
{
    const pare_lexemes *lexemes = &self->view->lexemes;
    for (uint32_t i = 0; i < lexemes->n && !pare_interrupt_asked_at(i); i++) {
        const pare_lexeme *lexeme = &lexemes->at[i];
        if (lexeme->kind != PARE_LEXEME_OPEN || lexeme->partner == PARE_NO_LEXEME) continue;
        struct list list = {.open = i, .n_parts = count_parts(self, i)};
        if (!list.n_parts) continue;
        name_list(self, &list);
        if (list.word[0] == PARE_NO_LEXEME) continue;
        struct list *lists =
            pare_vector_grow(self->lists, self->n_lists, &self->lists_capacity, sizeof *lists);
        if (!lists) return pare_fail_nomem(err);
        self->lists = lists;
        lists[self->n_lists++] = list;
    }
    return PARE_OK;
}

/* ---- families ------------------------------------------------------------------------- */

/* For qsort: by word, parts, list. */
static int by_word(const void *a, const void *b)
{
    const struct naming *x = a, *y = b;
    if (x->word != y->word) return x->word < y->word ? -1 : 1;
    if (x->n_parts != y->n_parts) return x->n_parts < y->n_parts ? -1 : 1;
    return x->list < y->list ? -1 : x->list > y->list;
}

/* For qsort: mixed ones first, of these even ones, then the large ones; else by the order of
 * the words in the text. So that MOST_FAMILIES leave out those that say least. */
static int by_promise(const void *a, const void *b)
{
    const struct family *x = a, *y = b;
    if (x->is_mixed != y->is_mixed) return x->is_mixed ? -1 : 1;
    if (x->is_uneven != y->is_uneven) return x->is_uneven ? 1 : -1;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Whether two families have the same lists. */
static bool is_same(const struct arguments *self, const struct family *a, const struct family *b)
{
    if (a->n != b->n) return false;
    for (uint32_t k = 0; k < a->n; k++)
        if (self->namings[a->first + k].list != self->namings[b->first + k].list) return false;
    return true;
}

/* Makes a row of (word, list) for each word of each list, in which those of one word stand
 * together. A word that is both words of a list counts once. */
static pare_status list_namings(struct arguments *self, pare_error *err)
{
    self->namings = pare_alloc(self->n_lists * WORDS + 1, sizeof *self->namings);
    if (!self->namings) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < self->n_lists; i++)
        for (uint32_t k = 0; k < WORDS; k++) {
            const struct list *list = &self->lists[i];
            if (list->word[k] == PARE_NO_LEXEME || (k && list->word[k] == list->word[0])) continue;
            self->namings[self->n_namings++] = (struct naming){
                .word = list->word[k], .n_parts = list->n_parts, .list = i, .distance = k};
        }
    qsort(self->namings, self->n_namings, sizeof *self->namings, by_word);
    return PARE_OK;
}

/* Adds the family of namings first .. end-1, unless it has one list only.  Errors: PARE_E_NOMEM. */
static pare_status add_family(struct arguments *self, size_t first, size_t end, pare_error *err)
{
    struct family family = {.first = (uint32_t)first, .n = (uint32_t)(end - first)};
    bool at[WORDS] = {false};
    if (family.n < 2) return PARE_OK;
    for (size_t i = first; i < end; i++)
        at[self->namings[i].distance] = true;
    family.is_mixed = at[0] && at[1];
    family.n_parts = self->namings[end - 1].n_parts;
    family.is_uneven = family.n_parts != self->namings[first].n_parts;
    struct family *families = pare_vector_grow(self->families, self->n_families,
                                               &self->families_capacity, sizeof *families);
    if (!families) return pare_fail_nomem(err);
    self->families = families;
    families[self->n_families++] = family;
    return PARE_OK;
}

/* Errors: PARE_E_NOMEM. A family ends where the number of parts changes, and the one of all
 * lists of a word where the word does; the latter is added only if it differs from the former. */
static pare_status find_families(struct arguments *self, pare_error *err)
{
    pare_status status = list_namings(self, err);
    size_t of_word = 0, of_parts = 0;
    for (size_t i = 1; !status && i <= self->n_namings; i++) {
        const struct naming *here = &self->namings[i], *before = here - 1;
        const bool is_end = i == self->n_namings || here->word != before->word;
        if (!is_end && here->n_parts == before->n_parts) continue;
        status = add_family(self, of_parts, i, err);
        if (!status && is_end && of_word != of_parts) status = add_family(self, of_word, i, err);
        of_parts = i;
        if (is_end) of_word = i;
    }
    if (!status && self->n_families)
        qsort(self->families, self->n_families, sizeof *self->families, by_promise);
    return status;
}

/* ---- patches -------------------------------------------------------------------------- */

/* What goes when part `place` of the list does: with the sign after it, the last one with that before it.
 *
 * Examples for "(a, b, c)": place 0 cuts "a, ", place 1 "b, ", place 2 ", c". */
static pare_extent cut_of(const struct arguments *self, const struct list *list, uint32_t place)
{
    const uint32_t close = lexeme_at(self, list->open)->partner;
    uint32_t first = list->open + 1;
    for (uint32_t k = 0; k < place; k++)
        first = part_end(self, first, close) + 1;
    const uint32_t end = part_end(self, first, close);
    pare_extent cut = {lexeme_at(self, first)->from, lexeme_at(self, end)->from};
    if (end < close) cut.to = lexeme_at(self, end + 1)->from;
    if (end == close && place) cut.from = lexeme_at(self, first - 1)->from;
    return cut;
}

/* For qsort: by place. */
static int by_place(const void *a, const void *b)
{
    const pare_extent *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Offers one place of all lists of the family; a list in a part that goes is gone with it.
 * Lists that have fewer parts are left as they are; one list alone is no family. */
static pare_status offer_place(struct arguments *self, const struct family *family, uint32_t place,
                               pare_patches *out, pare_error *err)
{
    size_t end = 0;
    uint32_t n = 0;
    pare_status status = PARE_OK;
    for (uint32_t k = 0; k < family->n; k++) {
        const struct list *list = &self->lists[self->namings[family->first + k].list];
        if (list->n_parts > place) self->cuts[n++] = cut_of(self, list, place);
    }
    if (n < 2) return PARE_OK;
    qsort(self->cuts, n, sizeof *self->cuts, by_place);
    for (uint32_t k = 0; !status && k < n; k++) {
        if (self->cuts[k].from < end) continue;
        status = pare_patches_change(out, self->cuts[k].from, self->cuts[k].to, "", 0, err);
        end = self->cuts[k].to;
        self->n_cuts++;
    }
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}

/* Offers all places of the first MOST_FAMILIES families, the last place first. A family that
 * has the lists of an earlier one is passed over: the same patches would come again. */
static pare_status offer_families(struct arguments *self, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0, n = 0; !status && i < self->n_families && n < MOST_FAMILIES; i++) {
        const struct family *family = &self->families[i];
        bool is_new = true;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = !is_same(self, &self->families[k], family);
        if (!is_new) continue;
        n++;
        for (uint32_t place = family->n_parts; !status && place-- > 0 && self->n_cuts < MOST_CUTS;)
            status = offer_place(self, family, place, out, err);
    }
    return status;
}

/* Whether the language, if there is one, tells what a parameter is. */
static bool knows_parameters(const pare_pass_view *view)
{
    const pare_syntax_table *table =
        view->tree && view->language ? pare_syntax_table_find(view->language) : NULL;
    for (; table; table = table->extends)
        for (size_t i = 0; i < table->n_kinds; i++)
            if (table->kinds[i].roles & PARE_ROLE_PARAMETERS) return true;
    return false;
}

/* arguments: one place of all lists that a name stands before. */
static pare_status offer_arguments(const pare_pass *pass, const pare_pass_view *view,
                                   pare_patches *out, pare_error *err)
{
    struct arguments self = {.view = view};
    (void)pass;
    if (pare_pass_is_binary(view) || knows_parameters(view)) return PARE_OK;
    pare_status status = find_lists(&self, err);
    if (!status) status = find_families(&self, err);
    if (!status && !(self.cuts = pare_alloc(self.n_lists + 1, sizeof *self.cuts)))
        status = pare_fail_nomem(err);
    if (!status) status = offer_families(&self, out, err);
    pare_alloc_free(self.cuts);
    pare_alloc_free(self.families);
    pare_alloc_free(self.namings);
    pare_alloc_free(self.lists);
    return status;
}

const pare_pass pare_binding_arguments = {
    .name = "arguments",
    .summary = "removes one place of all lists before which the same name stands",
    .source = "ours, after DustMite, arguments",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_LEARNED,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer_arguments,
};
