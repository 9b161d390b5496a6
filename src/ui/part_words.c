/* Words about one part of an explanation: what it may be, what was tried in its place, where it is.
 *
 * Invariant: what comes from the result goes through pare_format_name, or is shown as digits.
 * Tested by tests/unit/test_part_words.c. */
#include "ui/part_words.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "ui/format.h"
#include "ui/html.h"

/* Room for words, in bytes. */
enum {
    OTHER_BYTES = 20, /* of what was tried in its place; what is longer is cut */
    KIND_BYTES = 33,
    ENOUGH = 50 /* samples of which all fail: 94 % of all do, with 95 % confidence */
};

bool pare_part_words_is_sampled_as(const pare_explained_part *part, const char *name)
{
    return strcmp(part->sampled_as, name) == 0;
}

/* A piece of program or a list holds other parts, which say the same in more detail
 * when it is needed or was not tried. */
bool pare_part_words_is_listed(const pare_explained_part *part)
{
    if (part->is_node && part->verdict == PARE_PART_NEEDED) return part->fails > 0;
    const bool is_whole = part->is_node || pare_part_words_is_sampled_as(part, "repeat");
    return !is_whole || (part->verdict != PARE_PART_NEEDED && part->verdict != PARE_PART_UNTRIED);
}

/* The same decision as for the pane that shows it, so that words and pane agree. */
bool pare_part_words_is_binary(const pare_explanation *explanation)
{
    return pare_html_form(explanation->result.bytes, explanation->result.size_bytes) ==
           PARE_PANE_HEX;
}

/* ---- others -------------------------------------------------------------------------- */

/* As digits with blanks between them: "00 ff 1a"; each takes three bytes of the room,
 * and the last three are for "..." and the NUL. */
static void show_digits(const unsigned char *bytes, size_t size, char *text, size_t capacity)
{
    const size_t most = capacity / 3 - 1;
    size_t at = 0;
    *text = '\0';
    for (size_t k = 0; k < size && k < most; k++)
        at += (size_t)snprintf(text + at, capacity - at, k ? " %02x" : "%02x", bytes[k]);
    if (size > most) (void)snprintf(text + at, capacity - at, "...");
}

/* Nothing and a single blank would not be seen, and are told in words.  What does not
 * fit `cut` is longer than any room here, so pare_format_name marks it as cut all the
 * same. */
void pare_part_words_other(const pare_explanation *explanation, const pare_explained_other *other,
                           char *text, size_t capacity)
{
    char cut[256];
    const size_t size = other->bytes < sizeof cut ? other->bytes : sizeof cut - 1;
    assert(capacity >= 8);
    const bool is_binary = pare_part_words_is_binary(explanation);
    if (!size || (size == 1 && *other->text == ' ' && !is_binary)) {
        (void)snprintf(text, capacity, size ? "(a blank)" : "(nothing)");
        return;
    }
    if (is_binary) {
        show_digits((const unsigned char *)other->text, other->bytes, text, capacity);
        return;
    }
    memcpy(cut, other->text, size);
    cut[size] = '\0';
    (void)pare_format_name(text, capacity, cut);
}

/* Whether the other has the letters of the part's first place, some of them in the other case. */
static bool is_other_case(const pare_explanation *explanation, const pare_explained_part *part,
                          const pare_explained_other *other)
{
    const size_t size = part->to - part->from;
    return pare_part_words_is_sampled_as(part, "name") && other->bytes == size &&
           strncasecmp(other->text, (const char *)explanation->result.bytes + part->from, size) ==
               0;
}

bool pare_part_words_is_any_case(const pare_explanation *explanation,
                                 const pare_explained_part *part)
{
    /* With more than one that fails, others than its case do, too. */
    if (part->verdict != PARE_PART_NEEDED || part->fails != 1) return false;
    for (size_t k = 0; k < part->n_others; k++)
        if (part->others[k].fails) return is_other_case(explanation, part, &part->others[k]);
    return false;
}

bool pare_part_words_is_partly(const pare_explanation *explanation, const pare_explained_part *part)
{
    return part->verdict == PARE_PART_NEEDED && part->fails &&
           !pare_part_words_is_any_case(explanation, part);
}

/* One more than `most` is told as "others": of >, <=, >= and == with most 2 it is ">,
 * <= or others". */
void pare_part_words_failing(const pare_explanation *explanation, const pare_explained_part *part,
                             size_t most, char *text, size_t capacity)
{
    size_t n = 0, k_named = 0, at = 0;
    *text = '\0';
    for (size_t k = 0; k < part->n_others; k++)
        n += part->others[k].fails;
    for (size_t k = 0; k < part->n_others && k_named < n; k++) {
        char shown[OTHER_BYTES + 1];
        if (!part->others[k].fails) continue;
        /* The place of the first that is not named. */
        const bool is_cut = k_named == most;
        const char *link = !k_named ? "" : is_cut || k_named + 1 == n ? " or " : ", ";
        if (is_cut)
            (void)snprintf(shown, sizeof shown, "others");
        else
            pare_part_words_other(explanation, &part->others[k], shown, sizeof shown);
        /* Half an alternative would be another one; what fits until then is enough. */
        if (at + strlen(link) + strlen(shown) >= capacity) return;
        at += (size_t)snprintf(text + at, capacity - at, "%s%s", link, shown);
        k_named++;
        if (is_cut) return;
    }
}

/* ---- places -------------------------------------------------------------------------- */

/* Counts from the start of the text: O(at) for each call, of a result that is at most
 * 64 KB. */
void pare_part_words_place(const pare_explanation *explanation, size_t at, char *text,
                           size_t capacity)
{
    const unsigned char *bytes = explanation->result.bytes;
    size_t line = 1, column = 1;
    assert(at <= explanation->result.size_bytes);
    if (pare_part_words_is_binary(explanation)) {
        (void)snprintf(text, capacity, "0x%zx", at);
        return;
    }
    for (size_t k = 0; k < at; k++) {
        const bool is_end = bytes[k] == '\n';
        line += is_end;
        column = is_end ? 1 : column + ((bytes[k] & 0xc0) != 0x80); /* characters, no bytes */
    }
    (void)snprintf(text, capacity, "%zu:%zu", line, column);
}

/* ---- what may be otherwise ----------------------------------------------------------- */

/* All operators of its class were tried: they are named, for five of five say nothing about a sixth. */
static void allow_signs(const pare_explained_part *part, char text[static PARE_PART_WORDS_BYTES])
{
    size_t at = 0;
    *text = '\0';
    for (size_t k = 0; k < part->n_others; k++) {
        const pare_explained_other *other = &part->others[k];
        if (other->is_beyond || !other->fails || at + other->bytes + 12 >= PARE_PART_WORDS_BYTES)
            continue;
        at += (size_t)snprintf(text + at, PARE_PART_WORDS_BYTES - at, "%s%.*s", at ? " or " : "",
                               other->bytes ? (int)other->bytes : 9,
                               other->bytes ? other->text : "(nothing)");
    }
    if (!*text) (void)snprintf(text, PARE_PART_WORDS_BYTES, "any %s", part->kind);
}

/* "any name", "any whole number tried, none with a sign".  With fewer than ENOUGH
 * samples it is said that only those that were tried are known to fail. */
void pare_part_words_allowed(const pare_explained_part *part,
                             char text[static PARE_PART_WORDS_BYTES])
{
    char kind[KIND_BYTES];
    if (pare_part_words_is_sampled_as(part, "sign")) {
        allow_signs(part, text);
        return;
    }
    (void)pare_format_name(kind, sizeof kind, part->kind);
    /* Kinds of nodes are rules of a grammar: "array_literal" reads as "array literal". */
    for (char *at = kind; *at; at++)
        if (*at == '_') *at = ' ';
    const bool is_name = part->verdict == PARE_PART_RENAME;
    const bool is_enough = part->samples >= ENOUGH;
    const bool is_whole = pare_part_words_is_sampled_as(part, "whole");
    (void)snprintf(text, PARE_PART_WORDS_BYTES, "any %s%s%s%s", is_name ? "name" : kind,
                   is_enough ? "" : " tried",
                   !is_whole   ? ""
                   : is_enough ? " without a sign"
                               : ", none with a sign",
                   !is_name && part->has_low ? " but the empty one" : "");
}

const char *pare_part_words_about(bool is_vague)
{
    return is_vague ? "about " : "";
}
