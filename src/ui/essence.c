/* The sentence that tells what a failure needs.
 *
 * First what is needed as it is, each text once and in the order of the result; which one of several is
 * meant is told where not the same is said of all.  Where that is more than a
 * sentence holds, those texts are named that tell a reader most: words and strings before numbers, numbers
 * before operators, and of two words the longer one, which is the less likely to be a keyword.  Then what
 * may be otherwise, put together by what may stand there ("x and y may each be any name").  How many there
 * are of what is not named is told, so that nobody takes the sentence for all of it.
 *
 * Invariant: at most MOST_LISTED bytes of needed texts, MOST_CLAIMS claims of MOST_CLAIMED texts each; what
 * comes from the result goes through pare_format_name.  O(parts^2) comparisons of short texts at most.
 * Source: the answer before its details is how ddset's and Alhazen's papers state their results (see
 * <pare/explain.h>); the choice of what is named is ours.
 * Tested by tests/unit/test_essence.c. */
#include "ui/essence.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <pare/explain.h>
#include <pare/result.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "ui/format.h"
#include "ui/part_words.h"

enum {
    SHOWN_BYTES = 33, /* of a part; what is longer is cut */
    PHRASE_BYTES =
        PARE_PART_WORDS_BYTES + 100, /* of what may stand in its place, with its exceptions */
    MOST_SOME = 3,                   /* others that are named */
    MOST_EXCEPTIONS = 2,
    MOST_SIMPLER = 3,  /* pieces of program */
    MOST_LISTED = 110, /* bytes of all texts that are needed */
    MOST_CLAIMS = 3,
    MOST_CLAIMED = 3,
    MOST_REST = 120 /* bytes of what stands between parts */
};

struct essence {
    const pare_explanation *explanation;
    bool is_binary; /* parts have their offsets */
    pare_essence_add *add;
    void *context;
    pare_error *err;
};

/* ---- what may be otherwise ----------------------------------------------------------- */

/* " from 3 to about 9", " from 3 on"; "" for a part that has no end on either side. */
static void make_interval(const pare_explained_part *part, char *text, size_t capacity)
{
    const char *low = pare_part_words_about(part->is_low_vague);
    const char *high = pare_part_words_about(part->is_high_vague);
    if (part->has_low && part->has_high)
        (void)snprintf(text, capacity, " from %s%" PRIu64 " to %s%" PRIu64, low, part->low, high,
                       part->high);
    else if (part->has_low)
        (void)snprintf(text, capacity, " from %s%" PRIu64 " on", low, part->low);
    else if (part->has_high)
        (void)snprintf(text, capacity, " up to %s%" PRIu64, high, part->high);
    else
        *text = '\0';
}

/* The same for a list, about the number of its items: "have 3 items or more". */
static void make_rounds(const pare_explained_part *part, char *phrase)
{
    const char *low = pare_part_words_about(part->is_low_vague);
    const char *high = pare_part_words_about(part->is_high_vague);
    if (part->has_low && part->has_high)
        (void)snprintf(phrase, PHRASE_BYTES, "have %s%" PRIu64 " to %s%" PRIu64 " items", low,
                       part->low, high, part->high);
    else if (part->has_low)
        (void)snprintf(phrase, PHRASE_BYTES, "have %s%" PRIu64 " items or more", low, part->low);
    else if (part->has_high)
        (void)snprintf(phrase, PHRASE_BYTES, "have %s%" PRIu64 " items at most", high, part->high);
    else
        (void)snprintf(phrase, PHRASE_BYTES, "have any number of items");
}

/* " (not -1 or 00)": what is near to the kind that is claimed, and does not fail. */
static void list_exceptions(const pare_explanation *explanation, const pare_explained_part *part,
                            char *text, size_t capacity)
{
    size_t n = 0, at = 0;
    *text = '\0';
    for (size_t k = 0; k < part->n_others && n < MOST_EXCEPTIONS; k++) {
        char shown[SHOWN_BYTES];
        const pare_explained_other *other = &part->others[k];
        /* What fails as well is no exception, and nothing or a blank would not be seen
         * in the list. */
        if (!other->is_beyond || other->fails || !other->bytes || *other->text == ' ') continue;
        pare_part_words_other(explanation, other, shown, sizeof shown);
        /* 8: " (not " and ")" around the first one, and the NUL. */
        if (at + strlen(shown) + 8 >= capacity) break;
        at += (size_t)snprintf(text + at, capacity - at, n ? " or %s" : " (not %s", shown);
        n++;
    }
    if (n) (void)snprintf(text + at, capacity - at, ")");
}

/* What may stand there, after "may "; "" for a part of which nothing is claimed, and for pieces of program, of
 * which pare_essence_tell_simpler tells. */
static void make_phrase(const pare_explanation *explanation, const pare_explained_part *part,
                        char phrase[static PHRASE_BYTES])
{
    char interval[64], some[80], allowed[PARE_PART_WORDS_BYTES];
    *phrase = '\0';
    switch (part->verdict) {
    case PARE_PART_UNTRIED: return; /* of many parts most may be */
    case PARE_PART_NEEDED:
        if (!part->fails || part->is_node || !pare_part_words_is_listed(part)) return;
        pare_part_words_failing(explanation, part, MOST_SOME, some, sizeof some);
        if (pare_part_words_is_any_case(explanation, part))
            (void)snprintf(phrase, PHRASE_BYTES, "be written in the other case, too");
        else if (*some)
            (void)snprintf(phrase, PHRASE_BYTES, "be %s, but not all others", some);
        else
            (void)snprintf(phrase, PHRASE_BYTES, "be replaced by some of its kind, but not by all");
        return;
    case PARE_PART_RENAME:
    case PARE_PART_ANY:
        pare_part_words_allowed(part, allowed);
        list_exceptions(explanation, part, some, sizeof some);
        (void)snprintf(phrase, PHRASE_BYTES, "be %s%s", allowed, some);
        return;
    case PARE_PART_RANGE: break;
    }
    make_interval(part, interval, sizeof interval);
    if (pare_part_words_is_sampled_as(part, "repeat"))
        make_rounds(part, phrase);
    else
        (void)snprintf(phrase, PHRASE_BYTES, "be any %s%s%s", part->kind,
                       pare_part_words_is_sampled_as(part, "string") ? " of length" : "", interval);
}

/* ---- pieces -------------------------------------------------------------------------- */

static pare_status add_words(const struct essence *self, const char *text)
{
    return self->add(self->context, text, false, self->err);
}

static const unsigned char *text_of(const struct essence *self, const pare_explained_part *part,
                                    size_t *size)
{
    *size = part->to - part->from;
    assert(part->from <= part->to && part->to <= self->explanation->result.size_bytes);
    return (const unsigned char *)self->explanation->result.bytes + part->from;
}

static bool is_same_text(const struct essence *self, const pare_explained_part *a,
                         const pare_explained_part *b)
{
    size_t size_a, size_b;
    const unsigned char *text_a = text_of(self, a, &size_a), *text_b = text_of(self, b, &size_b);
    return size_a == size_b && memcmp(text_a, text_b, size_a) == 0;
}

/* Whether the same is said of both. */
static bool is_alike(const struct essence *self, const pare_explained_part *a,
                     const pare_explained_part *b)
{
    char of_a[PHRASE_BYTES], of_b[PHRASE_BYTES];
    make_phrase(self->explanation, a, of_a);
    make_phrase(self->explanation, b, of_b);
    return a->verdict == b->verdict && strcmp(of_a, of_b) == 0;
}

/* How often the text of a part stands there as a part, and with the same said of it. */
struct twins {
    size_t n, n_before; /* in all; before it */
    size_t n_alike, n_alike_before;
};

static struct twins twins_of(const struct essence *self, size_t index)
{
    const pare_explanation *explanation = self->explanation;
    const pare_explained_part *part = &explanation->parts[index];
    struct twins twins = {.n = 0};
    for (size_t k = 0; k < explanation->n_parts; k++) {
        const pare_explained_part *other = &explanation->parts[k];
        if (!pare_part_words_is_listed(other) || !is_same_text(self, part, other)) continue;
        const bool alike = is_alike(self, part, other);
        twins.n++;
        twins.n_before += k < index;
        twins.n_alike += alike;
        twins.n_alike_before += alike && k < index;
    }
    return twins;
}

/* Whether the part is told of: not where one before it has the same text and the same is said of both.
 * Among bytes each is, by where it is. */
static bool is_told(const struct essence *self, size_t index)
{
    return self->is_binary || !twins_of(self, index).n_alike_before;
}

/* Which of those with the same text are meant: "the second 0", "each 0", "0 in 4 of 7 places". */
static pare_status add_which(const struct essence *self, size_t index, const char *shown)
{
    static const char *const ordinals[] = {"the first ", "the second ", "the third "};
    const size_t n_ordinals = sizeof ordinals / sizeof *ordinals;
    const struct twins twins = twins_of(self, index);
    const bool is_needed = self->explanation->parts[index].verdict == PARE_PART_NEEDED;
    const bool is_one = twins.n_alike == 1 && twins.n > 1 && twins.n_before < n_ordinals;
    char places[64];
    assert(twins.n_alike && twins.n_before < twins.n && "it is one of them");
    pare_status status = PARE_OK;
    if (is_one)
        status = add_words(self, ordinals[twins.n_before]);
    else if (twins.n > 1 && twins.n_alike == twins.n && !is_needed)
        status = add_words(self, "each ");
    if (!status) status = self->add(self->context, shown, true, self->err);
    if (status || is_one || twins.n_alike == twins.n) return status;
    (void)snprintf(places, sizeof places, " in %zu of %zu places", twins.n_alike, twins.n);
    return add_words(self, places);
}

/* One of a result of bytes that reads as no word and no number: told by itself it says little. */
static bool is_single_byte(const pare_explained_part *part)
{
    return pare_part_words_is_sampled_as(part, "byte");
}

/* The text of a part, cut; among bytes it is told where it is, since it can hardly be searched for: in the
 * digits of the pane and of most viewers of bytes, marked as such. */
static pare_status add_part(const struct essence *self, size_t index)
{
    const pare_explained_part *part = &self->explanation->parts[index];
    char text[SHOWN_BYTES + 1], shown[SHOWN_BYTES], place[40];
    char quoted[SHOWN_BYTES + 2]; /* among bytes characters have quotes, and digits none */
    size_t size;
    const unsigned char *bytes = text_of(self, part, &size);
    if (size > SHOWN_BYTES) size = SHOWN_BYTES; /* one more than is shown: a cut is marked */
    memcpy(text, bytes, size);
    text[size] = '\0';
    (void)pare_format_name(shown, sizeof shown, text);
    if (!self->is_binary) return add_which(self, index, shown);
    if (is_single_byte(part)) (void)snprintf(shown, sizeof shown, "%02x", *bytes);
    (void)snprintf(quoted, sizeof quoted, is_single_byte(part) ? "%s" : "\"%s\"", shown);
    (void)snprintf(place, sizeof place, " at byte 0x%zx", part->from);
    const pare_status status = self->add(self->context, quoted, true, self->err);
    return status ? status : add_words(self, place);
}

/* What stands between the k-th of n texts and the one before it; `more` of them are not named. */
static pare_status add_link(const struct essence *self, size_t k, size_t n, size_t more)
{
    if (!k) return PARE_OK;
    return add_words(self, k + 1 == n && !more ? " and " : ", ");
}

static pare_status add_more(const struct essence *self, size_t more, const char *what)
{
    char text[48];
    if (!more) return PARE_OK;
    (void)snprintf(text, sizeof text, " and %zu %s", more, what);
    return add_words(self, text);
}

/* ---- what is needed ------------------------------------------------------------------ */

/* Whether the first half of the sentence is about the part: no other of its kind failed
 * in its place, but for one whose letters have the other case; that is then claimed as
 * well.  Pieces of program are told of by pare_essence_tell_simpler. */
static bool is_needed(const struct essence *self, size_t index)
{
    const pare_explained_part *part = &self->explanation->parts[index];
    return part->verdict == PARE_PART_NEEDED && pare_part_words_is_listed(part) && !part->is_node &&
           (!part->fails || pare_part_words_is_any_case(self->explanation, part)) &&
           is_told(self, index);
}

/* How much a reader learns from it, where not all can be named: signs weigh 0 .. 33,
 * numbers 33 .. 66, and words and strings 66 .. 99, longer ones more. */
static size_t weight_of(const struct essence *self, const pare_explained_part *part)
{
    size_t size;
    (void)text_of(self, part, &size);
    const size_t length = size < SHOWN_BYTES ? size : SHOWN_BYTES;
    const bool is_word = pare_part_words_is_sampled_as(part, "name") ||
                         pare_part_words_is_sampled_as(part, "string");
    const bool is_sign = pare_part_words_is_sampled_as(part, "sign");
    if (is_single_byte(part)) return 0;
    return length + (is_word ? 2 * SHOWN_BYTES : is_sign ? 0 : (size_t)SHOWN_BYTES);
}

/* What becomes of a part in the first half of the sentence. */
enum choice { NOT_NEEDED, COUNTED, NAMED };

/* The weightiest of those that are counted only; SIZE_MAX: there is none. */
static size_t weightiest(const struct essence *self, const unsigned char *choices)
{
    const pare_explained_part *parts = self->explanation->parts;
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < self->explanation->n_parts; k++)
        if (choices[k] == COUNTED &&
            (best == SIZE_MAX || weight_of(self, &parts[k]) > weight_of(self, &parts[best])))
            best = k;
    return best;
}

/* Chooses those that are named, the weightiest first, as long as they fit; how many are needed. */
static size_t choose(const struct essence *self, unsigned char *choices, size_t *n_named)
{
    size_t n_all = 0, bytes = 0;
    *n_named = 0;
    for (size_t k = 0; k < self->explanation->n_parts; k++) {
        choices[k] = is_needed(self, k) ? COUNTED : NOT_NEEDED;
        n_all += choices[k] == COUNTED;
    }
    /* 2: ", "; 12: about what " at byte 0x1f" takes.  The first is named whatever its
     * length, a single byte only if it is the first.  O(named parts * parts). */
    for (size_t best; (best = weightiest(self, choices)) != SIZE_MAX; ++*n_named) {
        size_t size;
        (void)text_of(self, &self->explanation->parts[best], &size);
        bytes += (size < SHOWN_BYTES ? size : SHOWN_BYTES) + 2 + (self->is_binary ? 12 : 0);
        const bool is_byte = is_single_byte(&self->explanation->parts[best]);
        if (*n_named && (bytes > MOST_LISTED || is_byte)) break;
        choices[best] = NAMED;
    }
    return n_all;
}

/* "The failure needs x, y and z and 4 more"; *any: whether there is anything. */
static pare_status add_needed(const struct essence *self, bool *any)
{
    const size_t n = self->explanation->n_parts;
    size_t n_named, k_named = 0;
    unsigned char *choices = pare_alloc(n + 1, sizeof *choices);
    if (!choices) return pare_fail_nomem(self->err);
    const size_t n_all = choose(self, choices, &n_named);
    pare_status status = n_all ? add_words(self, "The failure needs ") : PARE_OK;
    for (size_t k = 0; !status && k < n; k++) {
        if (choices[k] != NAMED) continue;
        status = add_link(self, k_named++, n_named, n_all - n_named);
        if (!status) status = add_part(self, k);
    }
    if (!status) status = add_more(self, n_all - n_named, "more");
    *any = n_all > 0;
    pare_alloc_free(choices);
    return status;
}

/* ---- claims -------------------------------------------------------------------------- */

/* Whether a part before it makes the same claim. */
static bool is_claimed_before(const struct essence *self, size_t index, const char *phrase)
{
    char other[PHRASE_BYTES];
    for (size_t k = 0; k < index; k++) {
        make_phrase(self->explanation, &self->explanation->parts[k], other);
        if (strcmp(other, phrase) == 0) return true;
    }
    return false;
}

static size_t count_claimed(const struct essence *self, size_t index, const char *phrase)
{
    char other[PHRASE_BYTES];
    size_t n = 0;
    for (size_t k = index; k < self->explanation->n_parts; k++) {
        make_phrase(self->explanation, &self->explanation->parts[k], other);
        n += strcmp(other, phrase) == 0 && is_told(self, k);
    }
    return n;
}

/* "x, y and z may each be any name", of the parts from `index` on. */
static pare_status add_claim(const struct essence *self, size_t index, const char *phrase)
{
    char other[PHRASE_BYTES];
    const size_t n = count_claimed(self, index, phrase);
    /* Of four all are named: "and 1 more" would take the room of a name. */
    const size_t n_named = n > MOST_CLAIMED + 1 ? MOST_CLAIMED : n;
    size_t k_named = 0;
    pare_status status = PARE_OK;
    for (size_t k = index; !status && k_named < n_named; k++) {
        make_phrase(self->explanation, &self->explanation->parts[k], other);
        if (strcmp(other, phrase) != 0 || !is_told(self, k)) continue;
        status = add_link(self, k_named++, n_named, n - n_named);
        if (!status) status = add_part(self, k);
    }
    if (!status) status = add_more(self, n - n_named, "more");
    if (!status) status = add_words(self, n > 1 ? " may each " : " may ");
    return status ? status : add_words(self, phrase);
}

/* Where most parts were not tried, that comes before anybody believes that the rest does not matter. */
static pare_status add_mostly_untried(const struct essence *self)
{
    const pare_explanation *explanation = self->explanation;
    size_t n = 0, n_untried = 0;
    char words[80];
    for (size_t k = 0; k < explanation->n_parts; k++) {
        if (!pare_part_words_is_listed(&explanation->parts[k])) continue;
        n++;
        n_untried += explanation->parts[k].verdict == PARE_PART_UNTRIED;
    }
    if (n_untried * 2 <= n) return PARE_OK;
    (void)snprintf(words, sizeof words, "; %zu of %zu parts were not tried", n_untried, n);
    return add_words(self, words);
}

/* The claims, each after "; ", or after words of its own where nothing is needed. */
static pare_status add_claims(const struct essence *self, bool *any)
{
    size_t n_claims = 0;
    bool is_more = false;
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < self->explanation->n_parts; k++) {
        char phrase[PHRASE_BYTES];
        make_phrase(self->explanation, &self->explanation->parts[k], phrase);
        if (!*phrase || is_claimed_before(self, k, phrase)) continue;
        is_more = n_claims == MOST_CLAIMS;
        if (is_more) break;
        n_claims++;
        status = add_words(self, *any ? "; " : "It fails with others as well: ");
        if (!status) status = add_claim(self, k, phrase);
        *any = true;
    }
    if (!status && is_more) status = add_words(self, "; and others may vary");
    return status || !*any ? status : add_mostly_untried(self);
}

static struct essence essence_of(const pare_explanation *explanation, pare_essence_add *add,
                                 void *context, pare_error *err)
{
    return (struct essence){.explanation = explanation,
                            .is_binary = pare_part_words_is_binary(explanation),
                            .add = add,
                            .context = context,
                            .err = err};
}

/* ---- what stands between ---------------------------------------------------------------- */

/* Appends a piece that is not there yet.  False: it does not fit, or cannot be shown as it is. */
static bool add_piece(const unsigned char *piece, size_t size, char *rest, size_t capacity)
{
    const size_t n = strlen(rest);
    for (const char *at = rest; *at; at += strcspn(at + 1, " ") + 1)
        if (strcspn(at + 1, " ") == size && memcmp(at + 1, piece, size) == 0) return true;
    for (size_t i = 0; i < size; i++)
        if (piece[i] < 0x20 || piece[i] > 0x7e) return false;
    if (n + 1 + size >= capacity) return false;
    rest[n] = ' ';
    memcpy(rest + n + 1, piece, size);
    rest[n + 1 + size] = '\0';
    return true;
}

/* Whether all bytes of the part are varied with it: those of a list are not, nor those of a piece of program that
 * is needed. */
static bool is_solid(const pare_explained_part *part)
{
    return !pare_part_words_is_sampled_as(part, "repeat") &&
           (!part->is_node ||
            (part->verdict != PARE_PART_NEEDED && part->verdict != PARE_PART_UNTRIED));
}

/* Whether anything but blanks stands between the parts: brackets and the like, which are none.  `rest` gets it,
 * each piece once, a blank before each; "" if there is no room for all, or where one cannot be shown as it is. */
static bool find_rest(const pare_explanation *explanation, char *rest, size_t capacity)
{
    const unsigned char *bytes = explanation->result.bytes;
    bool any = false, fits = true;
    size_t at = 0;
    *rest = '\0';
    /* One round more than there are places, for what stands after the last of them. */
    for (size_t i = 0; i <= explanation->n_places; i++) {
        const bool is_end = i == explanation->n_places;
        const pare_explained_place *place = is_end ? NULL : &explanation->places[i];
        if (!is_end && !is_solid(&explanation->parts[place->part])) continue;
        const size_t next = is_end ? explanation->result.size_bytes : place->from;
        while (at < next) {
            const size_t from = at;
            while (at < next && !(bytes[at] && strchr(" \t\r\n", bytes[at])))
                at++;
            if (at > from) fits = add_piece(bytes + from, at - from, rest, capacity) && fits;
            any |= at > from;
            at += at < next; /* the blank */
        }
        if (!is_end && place->to > at) at = place->to;
    }
    if (!fits) *rest = '\0';
    return any;
}

/* The signs that are needed, or those that are not, as find_rest has the others: signs side by side are one
 * piece; of bytes their offsets. */
static void find_signs(const struct essence *self, bool needed, char *pieces, size_t capacity)
{
    const pare_explanation *explanation = self->explanation;
    bool fits = true;
    *pieces = '\0';
    for (size_t k = 0; k < explanation->signs_tried && fits;) {
        const pare_explained_sign *sign = &explanation->sign[k++];
        size_t to = sign->to;
        if (sign->is_needed != needed) continue;
        for (; k < explanation->signs_tried; to = explanation->sign[k++].to)
            if (explanation->sign[k].from != to || explanation->sign[k].is_needed != needed ||
                explanation->result.bytes[to] == '\n' || explanation->result.bytes[to - 1] == '\n')
                break;
        char place[48];
        const bool is_one = to - sign->from == 1;
        (void)snprintf(place, sizeof place, is_one ? "0x%zx" : "0x%zx..0x%zx", sign->from, to - 1);
        const bool is_line_end = explanation->result.bytes[sign->from] == '\n' && !self->is_binary;
        if (is_line_end) (void)snprintf(place, sizeof place, "line-end");
        fits = self->is_binary || is_line_end
                   ? add_piece((const unsigned char *)place, strlen(place), pieces, capacity)
                   : add_piece(explanation->result.bytes + sign->from, to - sign->from, pieces,
                               capacity);
    }
    if (!fits) *pieces = '\0';
}

/* "brackets and commas" is said for those to whom "signs" says nothing. */
static pare_status add_untried(const struct essence *self)
{
    char rest[MOST_REST] = "";
    const bool any = find_rest(self->explanation, rest, sizeof rest);
    if (!any) return PARE_OK;
    if (self->is_binary)
        return add_words(self,
                         "Only what reads as a word or a number was varied: any other byte may be "
                         "needed, too.");
    pare_status status = add_words(self, "The text between the parts, such as brackets and commas, "
                                         "was not varied, and may be needed, too");
    if (!status && *rest) status = add_words(self, ": ");
    if (!status && *rest) status = self->add(self->context, rest + 1, true, self->err);
    return status ? status : add_words(self, *rest ? "" : ".");
}

/* ": ( ) ;", where there are any that can be shown. */
static pare_status add_signs(const struct essence *self, bool needed)
{
    char pieces[MOST_REST];
    find_signs(self, needed, pieces, sizeof pieces);
    if (!*pieces) return PARE_OK;
    const pare_status status = add_words(self, ": ");
    return status ? status : self->add(self->context, pieces + 1, true, self->err);
}

/* "Each sign between is needed, too", without the list; of signs of which only some were tried that is told. */
static void count_signs(const struct essence *self, char *words, size_t capacity)
{
    const uint32_t n = self->explanation->signs, tried = self->explanation->signs_tried;
    const uint32_t needed = self->explanation->signs_needed;
    const char *what = self->is_binary ? "byte" : "sign";
    if (tried < n)
        (void)snprintf(words, capacity,
                       "Of %" PRIu32 " %ss between, %" PRIu32 " were left out, pairs of brackets "
                       "first; of these %" PRIu32 " %s needed, too",
                       n, what, tried, needed, needed == 1 ? "is" : "are");
    else if (needed == n)
        (void)snprintf(words, capacity,
                       n == 1 ? "The %s between is needed, too" : "Each %s between is needed, too",
                       what);
    else if (!needed)
        (void)snprintf(words, capacity,
                       n == 1 ? "The %s between can be left out"
                              : "Of what stands between, any one %s can be left out",
                       what);
    else
        (void)snprintf(words, capacity, "Of %" PRIu32 " %ss between, %" PRIu32 " %s needed, too", n,
                       what, needed, needed == 1 ? "is" : "are");
}

/* The list ends the sentence without a full stop, which would look like one of the signs. */
pare_status pare_essence_tell_signs(const pare_explanation *explanation, pare_essence_add *add,
                                    void *context, pare_error *err)
{
    const struct essence self = essence_of(explanation, add, context, err);
    const uint32_t n_tried = explanation->signs_tried, n_needed = explanation->signs_needed;
    char words[160];
    if (!n_tried) return add_untried(&self);
    count_signs(&self, words, sizeof words);
    pare_status status = add_words(&self, words);
    if (!status && n_needed) status = add_signs(&self, true);
    if (status || n_needed == n_tried) return status;
    if (n_needed || n_tried < explanation->signs)
        status = add_words(&self, n_tried - n_needed == 1
                                      ? ".  This one can be left out"
                                      : ".  Any one of these can be left out, a bracket with the "
                                        "one that belongs to it");
    return status ? status : add_signs(&self, false);
}

static pare_status add_as_it_is(void *context, const char *text, bool is_part, pare_error *err)
{
    (void)is_part;
    return pare_buffer_text(context, text, err);
}

pare_status pare_essence_signs_text(const pare_explanation *explanation, pare_buffer *out,
                                    pare_error *err)
{
    return pare_essence_tell_signs(explanation, add_as_it_is, out, err);
}

/* ---- pieces of program --------------------------------------------------------------- */

/* The shortest other in the place of the piece with which it still fails, if that is shorter than the piece
 * itself; NULL: there is none. */
static const pare_explained_other *simpler_of(const pare_explained_part *part)
{
    const pare_explained_other *best = NULL;
    if (!part->is_node || part->verdict != PARE_PART_NEEDED) return NULL;
    for (size_t k = 0; k < part->n_others; k++) {
        const pare_explained_other *other = &part->others[k];
        if (other->fails && other->bytes < part->to - part->from &&
            (!best || other->bytes < best->bytes))
            best = other;
    }
    return best;
}

static size_t saved_by(const pare_explained_part *part)
{
    const pare_explained_other *simpler = simpler_of(part);
    return simpler ? part->to - part->from - simpler->bytes : 0;
}

/* The part that comes after `after` in the order of what parts save, largest first, and
 * in the text where they save the same; `below` is what `after` saves.  Both are
 * SIZE_MAX before the first. */
static size_t next_simpler(const pare_explanation *explanation, size_t below, size_t after)
{
    size_t best = SIZE_MAX, most = 0;
    for (size_t k = 0; k < explanation->n_parts; k++) {
        const size_t saved = saved_by(&explanation->parts[k]);
        const bool is_next = saved < below || (saved == below && k > after && after != SIZE_MAX);
        if (!is_next || saved <= most) continue;
        best = k;
        most = saved;
    }
    return best;
}

/* "'try{f()}catch(e){}' at 1:4 may be {f()}": what is around it does not matter. */
pare_status pare_essence_tell_simpler(const pare_explanation *explanation, pare_essence_add *add,
                                      void *context, pare_error *err)
{
    const struct essence self = essence_of(explanation, add, context, err);
    pare_status status = PARE_OK;
    size_t below = SIZE_MAX, after = SIZE_MAX;
    for (size_t n = 0; !status && n < MOST_SIMPLER; n++) {
        const size_t k = next_simpler(explanation, below, after);
        if (k == SIZE_MAX) return n ? add_words(&self, ".") : PARE_OK;
        const pare_explained_part *part = &explanation->parts[k];
        const pare_explained_other own = {.text =
                                              (const char *)explanation->result.bytes + part->from,
                                          .bytes = part->to - part->from};
        char shown[2 * SHOWN_BYTES], place[40];
        below = saved_by(part);
        after = k;
        status = add_words(&self, n ? "; " : "It fails with less: ");
        pare_part_words_other(explanation, &own, shown, sizeof shown);
        if (!status) status = add(context, shown, true, err);
        pare_part_words_place(explanation, part->from, place, sizeof place);
        if (!status) status = add_words(&self, " at ");
        if (!status) status = add_words(&self, place);
        if (!status) status = add_words(&self, " may be ");
        pare_part_words_other(explanation, simpler_of(part), shown, sizeof shown);
        if (!status) status = add(context, shown, true, err);
    }
    return status ? status : add_words(&self, ".");
}

/* ---- endings ------------------------------------------------------------------------- */

/* "Of 6 variants that fail 4 end in another way, the first with 1 for 0 at 2:1". */
pare_status pare_essence_tell_endings(const pare_explanation *explanation, pare_essence_add *add,
                                      void *context, pare_error *err)
{
    const struct essence self = essence_of(explanation, add, context, err);
    const uint32_t n = explanation->watched_variants, n_other = explanation->watched_others;
    char words[120], shown[SHOWN_BYTES], place[40];
    if (!n) return PARE_OK;
    if (!n_other) {
        (void)snprintf(words, sizeof words,
                       n == 1 ? "A variant that fails, and was watched, ends in the same way."
                              : "%" PRIu32 " variants that fail, and were watched, end in the same "
                                "way.",
                       n);
        return add_words(&self, words);
    }
    assert(explanation->other_programs && "the first of them is told");
    (void)snprintf(words, sizeof words,
                   "Of %" PRIu32 " variants that fail, and were watched, %" PRIu32
                   " end%s in another way; the first with ",
                   n, n_other, n_other == 1 ? "s" : "");
    pare_status status = add_words(&self, words);
    pare_part_words_other(explanation, &explanation->other, shown, sizeof shown);
    if (!status) status = add(context, shown, true, err);
    if (!status) status = add_words(&self, " for ");
    const pare_explained_other own = {.text = (const char *)explanation->result.bytes +
                                              explanation->other_from,
                                      .bytes = explanation->other_to - explanation->other_from};
    pare_part_words_other(explanation, &own, shown, sizeof shown);
    if (!status) status = add(context, shown, true, err);
    pare_part_words_place(explanation, explanation->other_from, place, sizeof place);
    if (!status) status = add_words(&self, " at ");
    if (!status) status = add_words(&self, place);
    return status ? status : add_words(&self, ".");
}

/* ---- what was not varied ------------------------------------------------------------- */

/* What nobody tried, as far as it is there. */
struct unvaried {
    size_t n_untried, n_once, n_names;
    bool has_lines, has_blanks;
};

static struct unvaried unvaried_of(const struct essence *self)
{
    const pare_explanation *explanation = self->explanation;
    const unsigned char *bytes = explanation->result.bytes;
    const size_t size = explanation->result.size_bytes;
    struct unvaried unvaried = {.n_untried = 0};
    for (size_t k = 0; k < explanation->n_parts; k++) {
        const pare_explained_part *part = &explanation->parts[k];
        unvaried.n_names += part->verdict == PARE_PART_RENAME;
        if (!pare_part_words_is_listed(part)) continue;
        unvaried.n_untried += part->verdict == PARE_PART_UNTRIED;
        unvaried.n_once += part->verdict == PARE_PART_NEEDED && part->samples == 1;
    }
    for (size_t k = 0; k < size && !self->is_binary; k++) {
        unvaried.has_blanks |= bytes[k] == ' ' || bytes[k] == '\t';
        unvaried.has_lines |= bytes[k] == '\n' && k + 1 < size;
    }
    return unvaried;
}

/* "Not varied: the number and order of lines, blanks." */
static pare_status add_kinds(const struct essence *self, const struct unvaried *unvaried, bool *any)
{
    char signs[60] = "";
    const pare_explanation *explanation = self->explanation;
    if (explanation->signs > explanation->signs_tried)
        (void)snprintf(signs, sizeof signs, "%" PRIu32 " of %" PRIu32 " %ss between",
                       explanation->signs - explanation->signs_tried, explanation->signs,
                       self->is_binary ? "byte" : "sign");
    const char *const kinds[] = {
        unvaried->has_lines ? "how many lines there are and in what order" : "",
        unvaried->has_blanks ? "blanks" : "",
        unvaried->n_names > 1 ? "whether two names may be the same" : "", signs};
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < sizeof kinds / sizeof *kinds; k++) {
        if (!*kinds[k]) continue;
        status = add_words(self, *any ? ", " : "Not varied: ");
        if (!status) status = add_words(self, kinds[k]);
        *any = true;
    }
    return status || !*any ? status : add_words(self, ".");
}

/* A sentence after others. */
static pare_status add_next(const struct essence *self, const char *words, bool *any)
{
    pare_status status = *any ? add_words(self, "  ") : PARE_OK;
    *any = true;
    return status ? status : add_words(self, words);
}

static bool has_vague_end(const pare_explanation *explanation)
{
    for (size_t k = 0; k < explanation->n_parts; k++)
        if (explanation->parts[k].is_low_vague || explanation->parts[k].is_high_vague) return true;
    return false;
}

pare_status pare_essence_tell_unvaried(const pare_explanation *explanation, pare_essence_add *add,
                                       void *context, pare_error *err)
{
    const struct essence self = essence_of(explanation, add, context, err);
    const struct unvaried unvaried = unvaried_of(&self);
    char words[160];
    bool any = false;
    pare_status status = add_kinds(&self, &unvaried, &any);
    if (!status && has_vague_end(explanation))
        status = add_next(
            &self, "An end that is \"about\" a number is another one each time it is tried.", &any);
    if (!status && unvaried.n_once) {
        (void)snprintf(words, sizeof words, "%zu needed part%s tried once only.", unvaried.n_once,
                       unvaried.n_once == 1 ? " was" : "s were");
        status = add_next(&self, words, &any);
    }
    if (!status && unvaried.n_untried) {
        (void)snprintf(words, sizeof words, "%zu part%s not tried at all.", unvaried.n_untried,
                       unvaried.n_untried == 1 ? " was" : "s were");
        status = add_next(&self, words, &any);
    }
    if (status || explanation->result.stats.stopped != PARE_STOPPED_BUDGET) return status;
    (void)snprintf(words, sizeof words,
                   "The limit of tests (%" PRIu64 " were made) or of time is reached: "
                   "--max-tests N and --max-time TIME allow more.",
                   pare_essence_tests(explanation));
    return add_next(&self, words, &any);
}

/* ---- the sentence -------------------------------------------------------------------- */

pare_status pare_essence_tell(const pare_explanation *explanation, pare_essence_add *add,
                              void *context, pare_error *err)
{
    bool any = false;
    const struct essence self = essence_of(explanation, add, context, err);
    pare_status status = add_needed(&self, &any);
    if (!status) status = add_claims(&self, &any);
    return !status && any ? add_words(&self, ".") : status;
}

/* A word, a number, and what ends with a quote of its own, can be told from our words. */
static bool is_plain(const char *text)
{
    const size_t size = strlen(text);
    if (size > 1 && strchr("\"'`", text[size - 1])) return true;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("_.$", *text) && !(*text & 0x80))
            return false;
    return true;
}

static pare_status add_text(void *context, const char *text, bool is_part, pare_error *err)
{
    const bool is_quoted = is_part && !is_plain(text);
    pare_status status = is_quoted ? pare_buffer_text(context, "'", err) : PARE_OK;
    if (!status) status = pare_buffer_text(context, text, err);
    return !status && is_quoted ? pare_buffer_text(context, "'", err) : status;
}

pare_status pare_essence_text(const pare_explanation *explanation, pare_buffer *out,
                              pare_error *err)
{
    return pare_essence_tell(explanation, add_text, out, err);
}

pare_status pare_essence_simpler_text(const pare_explanation *explanation, pare_buffer *out,
                                      pare_error *err)
{
    return pare_essence_tell_simpler(explanation, add_text, out, err);
}

pare_status pare_essence_endings_text(const pare_explanation *explanation, pare_buffer *out,
                                      pare_error *err)
{
    return pare_essence_tell_endings(explanation, add_text, out, err);
}

pare_status pare_essence_unvaried_text(const pare_explanation *explanation, pare_buffer *out,
                                       pare_error *err)
{
    return pare_essence_tell_unvaried(explanation, add_as_it_is, out, err);
}

uint64_t pare_essence_tests(const pare_explanation *explanation)
{
    const pare_stats *stats = &explanation->result.stats;
    /* Outcomes that were used, less those that were known without a run; not more than
     * were run. */
    const uint64_t retired = stats->outcome_fail + stats->outcome_pass + stats->outcome_unresolved;
    const uint64_t needed = retired > stats->cache_hits ? retired - stats->cache_hits : 0;
    return (needed < stats->tests_run ? needed : stats->tests_run) + explanation->again_runs +
           explanation->ends_runs + explanation->watched_runs;
}
