/* An explanation on a report.
 *
 * Parts of an explanation may hold others (a piece of program that is needed as a whole), marks of a
 * pane may not: each byte has the mark of the innermost part that it is in.  The pattern is the text in
 * which what may vary at once is replaced by words for it; these are elements, so that no text can be
 * taken for them.  The words are those of the terminal (part_words.h, essence.h).
 *
 * Invariant: all that is shown of texts goes through pare_html_bytes or pare_format_name.
 * Tested by tests/unit/test_page.c. */
#include "ui/page_explained.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <pare/result.h>

#include "base/alloc.h"
#include "ui/essence.h"
#include "ui/frame.h"
#include "ui/part_words.h"

/* Bytes are those of the text; PATTERN_BYTES of the HTML made of it. */
enum {
    PART_BYTES = 60,      /* of a part in its row; what is longer is cut */
    OTHER_BYTES = 24,     /* of what was tried in the place of a part */
    MOST_OTHERS = 8,      /* of them, of each outcome */
    MOST_PARTS = 400,     /* rows of the table */
    MOST_SHOWN = 40,      /* rows of what is needed; more are folded */
    PATTERN_BYTES = 60000 /* of HTML */
};

/* ---- words --------------------------------------------------------------------------- */

/* The class in the style sheet by which marks and words of the part are coloured. */
static const char *class_of(const pare_explanation *explanation, const pare_explained_part *part)
{
    if (pare_part_words_is_partly(explanation, part)) return "some";
    switch (part->verdict) {
    case PARE_PART_ANY: return "any";
    case PARE_PART_RANGE: return "range";
    case PARE_PART_RENAME: return "name";
    case PARE_PART_UNTRIED: return "untried";
    case PARE_PART_NEEDED: break;
    }
    return "needed";
}

/* The ends of a range: "3 to 9", "3 or more", "at most 9"; "any" where it has none. */
static void add_interval(pare_html *html, const pare_explained_part *part)
{
    const char *low = pare_part_words_about(part->is_low_vague);
    const char *high = pare_part_words_about(part->is_high_vague);
    if (part->has_low && part->has_high)
        pare_html_format(html, "%s%" PRIu64 " to %s%" PRIu64, low, part->low, high, part->high);
    else if (part->has_low)
        pare_html_format(html, "%s%" PRIu64 " or more", low, part->low);
    else if (part->has_high)
        pare_html_format(html, "at most %s%" PRIu64, high, part->high);
    else
        pare_html_raw(html, "any");
}

/* Adds what may stand there, as a noun: "any name", "a number: 17 to 4242".
 * It is the same in the table and in the titles of links, so that both can be compared. */
static void add_allowed(pare_html *html, const pare_explanation *explanation,
                        const pare_explained_part *part)
{
    char allowed[PARE_PART_WORDS_BYTES];
    switch (part->verdict) {
    case PARE_PART_RENAME:
    case PARE_PART_ANY:
        pare_part_words_allowed(part, allowed);
        pare_html_text(html, allowed);
        return;
    case PARE_PART_RANGE:
        /* What the numbers count depends on how samples were made: letters, rounds, or
         * the value itself. */
        pare_html_raw(html, pare_part_words_is_sampled_as(part, "string")   ? "a string of length "
                            : pare_part_words_is_sampled_as(part, "repeat") ? "repeated, times: "
                                                                            : "a number: ");
        add_interval(html, part);
        return;
    case PARE_PART_UNTRIED: pare_html_raw(html, "not tried"); return;
    case PARE_PART_NEEDED: break;
    }
    const bool is_partly = pare_part_words_is_partly(explanation, part);
    pare_html_raw(html, is_partly     ? "some others, but not all"
                        : part->fails ? "needed, in either case of its letters"
                                      : "needed as it is");
}

/* The text of a part as it stands there, cut. */
static void add_part_text(pare_html *html, const pare_explanation *explanation,
                          const pare_explained_part *part)
{
    const unsigned char *bytes = explanation->result.bytes;
    const size_t size = part->to - part->from;
    const bool is_binary = pare_part_words_is_binary(explanation);
    /* A byte is three characters there: two digits and a blank. */
    const size_t most = is_binary ? PART_BYTES / 3 : PART_BYTES;
    pare_html_raw(html, "<code>");
    /* As in the pane: digits first, then what the same bytes are as characters, as which they were varied. */
    if (is_binary) {
        for (size_t i = 0; i < size && i < most; i++)
            pare_html_format(html, i ? " %02x" : "%02x", bytes[part->from + i]);
        pare_html_raw(html, "</code> <code class=\"a\">");
    }
    pare_html_bytes(html, bytes + part->from, size < most ? size : most);
    pare_html_raw(html, "</code>");
    if (size > most) pare_html_raw(html, " &#8230;");
}

/* Adds those others with which it fails, or does not; as many as fit a cell, and "..."
 * for the rest. */
static void add_others(pare_html *html, const pare_explanation *explanation,
                       const pare_explained_part *part, bool fails)
{
    size_t n = 0;
    for (size_t k = 0; k < part->n_others; k++) {
        char shown[OTHER_BYTES];
        const pare_explained_other *other = &part->others[k];
        if (other->fails != fails) continue;
        if (!n) pare_html_raw(html, fails ? "; fails with " : "; not with ");
        if (n++ == MOST_OTHERS) {
            pare_html_raw(html, " &#8230;");
            return;
        }
        if (n > 1) pare_html_raw(html, " ");
        pare_part_words_other(explanation, other, shown, sizeof shown);
        pare_html_raw(html, "<code>");
        pare_html_text(html, shown);
        pare_html_raw(html, "</code>");
    }
}

/* Adds what was tried, and what it is worth: how many others, and of those that may
 * vary how large a share of all of them fails at least. */
static void add_evidence(pare_html *html, const pare_explanation *explanation,
                         const pare_explained_part *part)
{
    /* Nothing was tried, so nothing supports what is said. */
    if (part->verdict == PARE_PART_UNTRIED || !part->samples) return;
    if (part->verdict == PARE_PART_NEEDED) {
        /* How many others were tried, how sure a claim is that comes of that, and which
         * they were. */
        pare_html_format(html, "%" PRIu32 " other%s tried, ", part->samples,
                         part->samples == 1 ? "" : "s");
        pare_html_format(html, part->fails ? "%" PRIu32 " still failed" : "none fails",
                         part->fails);
    } else if (part->verdict == PARE_PART_RANGE) {
        pare_html_format(html, "ends found by halving; %" PRIu32 " tried", part->samples);
    } else {
        pare_html_format(html, "%" PRIu32 " of %" PRIu32 " tried fail: %.0f %% or more of all",
                         part->fails, part->samples,
                         /* Rounded down, as a claim must not be larger than what was
                          * seen supports. */
                         floor(100 * pare_explained_share(part->samples, part->fails)));
    }
    add_others(html, explanation, part, true);
    add_others(html, explanation, part, false);
}

/* Adds bytes as text, or of a result of bytes as digits with blanks between them. */
static void add_bytes(pare_html *html, const void *bytes, size_t size, bool is_binary)
{
    if (!is_binary) pare_html_bytes(html, bytes, size);
    for (size_t k = 0; is_binary && k < size; k++)
        pare_html_format(html, k ? " %02x" : "%02x", ((const unsigned char *)bytes)[k]);
}

/* The part with the smallest change that makes the failure go, the changed bytes in
 * bold: for 29, "<b>30</b>".  Nothing where none is known, where it goes beyond the
 * part, or where it is too long for a cell.
 * "without it": the change leaves nothing of the part. */
static void add_near(pare_html *html, const pare_explanation *explanation,
                     const pare_explained_part *part)
{
    const unsigned char *bytes = explanation->result.bytes;
    if (!part->near || part->near_from < part->from || part->near_to > part->to) return;
    const size_t before = part->near_from - part->from, after = part->to - part->near_to;
    if (before + part->near_bytes + after > PART_BYTES) return;
    if (before + part->near_bytes + after == 0) {
        pare_html_raw(html, "without it");
        return;
    }
    const bool is_binary = pare_part_words_is_binary(explanation);
    pare_html_raw(html, "<code>");
    add_bytes(html, bytes + part->from, before, is_binary);
    pare_html_raw(html, is_binary && before ? " <b>" : "<b>");
    add_bytes(html, part->near, part->near_bytes, is_binary);
    pare_html_raw(html, is_binary && after ? "</b> " : "</b>");
    add_bytes(html, bytes + part->near_to, after, is_binary);
    pare_html_raw(html, "</code>");
}

/* ---- marks --------------------------------------------------------------------------- */

static const size_t SIGN = SIZE_MAX; /* instead of a part: a sign that can be left out */

/* The marks of a pane, and which part each is of.  Both are owned, with room for `most`. */
struct marks {
    const pare_explanation *explanation;
    pare_mark *marks;
    size_t *parts;
    size_t n, most;
};

/* Adds from .. to - 1 of `part`, if that is anything, and if the part has a row that
 * the mark can lead to. */
static void add_mark(struct marks *marks, size_t from, size_t to, size_t part)
{
    assert(part < marks->explanation->n_parts);
    const pare_explained_part *of = &marks->explanation->parts[part];
    /* A part without a row would have a link that leads nowhere. */
    if (to <= from || !pare_part_words_is_listed(of) || part >= MOST_PARTS) return;
    if (of->is_node && of->verdict == PARE_PART_NEEDED) return; /* its parts may be needed */
    assert(marks->n < marks->most && "at most two for each place");
    marks->marks[marks->n] = (pare_mark){from, to};
    marks->parts[marks->n++] = part;
}

/* Makes marks that do not overlap of places that are nested.  The places come in the
 * order in which they begin, one before those in it; those that have begun and not
 * ended are on the stack `open`.
 * Of a piece (0 .. 10) with a name in it (4 .. 6) the marks are 0 .. 4 of the piece, 4
 * .. 6 of the name, 6 .. 10 of the piece: what lies between two edges belongs to the
 * place on top.  At most two marks for each place. */
static void fill_marks(struct marks *marks, size_t *open)
{
    const pare_explanation *explanation = marks->explanation;
    size_t n_open = 0, at = 0;
    for (size_t i = 0; i <= explanation->n_places; i++) {
        const bool is_last = i == explanation->n_places;
        const size_t next = is_last ? explanation->result.size_bytes : explanation->places[i].from;
        /* First whatever ends before the next place begins. */
        while (n_open && (is_last || explanation->places[open[n_open - 1]].to <= next)) {
            const pare_explained_place *top = &explanation->places[open[--n_open]];
            add_mark(marks, at, top->to, top->part);
            if (top->to > at) at = top->to;
        }
        if (is_last) break;
        /* Then the part of the outer place that lies before it. */
        if (n_open) add_mark(marks, at, next, explanation->places[open[n_open - 1]].part);
        if (next > at) at = next;
        open[n_open++] = i;
    }
}

/* Adds the signs that can be left out, which no listed part has, in their places among
 * the others: an insertion into a sorted list, O(signs * marks). */
static void add_free_signs(struct marks *marks)
{
    const pare_explanation *explanation = marks->explanation;
    for (size_t i = 0; i < explanation->signs_tried; i++) {
        const pare_explained_sign *sign = &explanation->sign[i];
        size_t at = marks->n;
        if (sign->is_needed) continue;
        assert(marks->n < marks->most && "and one for each sign");
        while (at && marks->marks[at - 1].begin > sign->from) {
            marks->marks[at] = marks->marks[at - 1];
            marks->parts[at] = marks->parts[at - 1];
            at--;
        }
        marks->marks[at] = (pare_mark){sign->from, sign->to};
        marks->parts[at] = SIGN;
        marks->n++;
    }
}

/* Makes the marks of the whole text.  False when memory is out; marks_done is called in
 * any case. */
static bool marks_make(struct marks *marks)
{
    const size_t n = marks->explanation->n_places;
    /* At most two for each place, and one for each sign. */
    marks->most = 2 * n + 1 + marks->explanation->signs_tried;
    size_t *open = pare_alloc(n + 1, sizeof *open);
    marks->marks = pare_alloc(marks->most, sizeof *marks->marks);
    marks->parts = pare_alloc(marks->most, sizeof *marks->parts);
    const bool made = open && marks->marks && marks->parts;
    if (made) {
        fill_marks(marks, open);
        add_free_signs(marks);
    }
    pare_alloc_free(open);
    return made;
}

/* What could not be made is NULL. */
static void marks_done(struct marks *marks)
{
    pare_alloc_free(marks->marks);
    pare_alloc_free(marks->parts);
}

/* Opens the link of a mark to the row of its part.  Without the script its title tells
 * what it is.
 * A sign has no row, and so no address. */
static void open_link(const void *context, pare_html *html, size_t index)
{
    const struct marks *marks = context;
    const size_t part = marks->parts[index];
    if (part == SIGN) {
        pare_html_raw(html, "<a class=\"p free\" title=\"can be left out\">");
        return;
    }
    pare_html_format(html, "<a class=\"p %s\" href=\"#part-%zu\" title=\"",
                     class_of(marks->explanation, &marks->explanation->parts[part]), part);
    add_allowed(html, marks->explanation, &marks->explanation->parts[part]);
    pare_html_raw(html, "\">");
}

/* The key of colours first, then the text as a pane whose marks are links.  Nothing is
 * folded, since a result that was explained is small. */
void pare_page_explained_add_text(pare_html *html, const pare_explanation *explanation,
                                  const char *label, size_t limit)
{
    const pare_result *result = &explanation->result;
    struct marks marks = {.explanation = explanation};
    if (marks_make(&marks)) {
        const pare_pane pane = {.bytes = result->bytes,
                                .size = result->size_bytes,
                                .marks = marks.marks,
                                .n_marks = marks.n,
                                .element = "a",
                                .open = open_link,
                                .context = &marks,
                                .label = label,
                                .extra = " explained copy",
                                .form = pare_html_form(result->bytes, result->size_bytes),
                                .fold = PARE_FOLD_NONE,
                                .limit = limit};
        pare_html_raw(html,
                      "<p class=\"key\"><span><a class=\"p needed\">needed as it is</a></span> "
                      "<span><a class=\"p any\">may be any of its kind</a></span> "
                      "<span><a class=\"p range\">any of a range</a></span> "
                      "<span><a class=\"p name\">any name</a></span> "
                      "<span><a class=\"p some\">some others, not all</a></span> "
                      "<span><a class=\"p untried\">not tried</a></span> "
                      "<span><a class=\"p free\">can be left out</a></span></p>\n"
                      "<div class=\"r\">\n");
        pare_html_add_pane(html, &pane);
        pare_html_raw(html, "</div>\n");
    } else {
        html->status = PARE_E_NOMEM;
    }
    marks_done(&marks);
}

/* ---- the pattern --------------------------------------------------------------------- */

/* Whether the pattern leaves the part open: of those that may vary the ones of the
 * first group, which is the largest.
 * Without groups, all that may vary was varied at once, or nothing was. */
static bool is_open(const pare_explanation *explanation, const pare_explained_part *part)
{
    const bool varies = part->verdict == PARE_PART_ANY || part->verdict == PARE_PART_RANGE ||
                        part->verdict == PARE_PART_RENAME;
    return varies && (part->group == 1 || explanation->is_together);
}

/* What stands in the pattern for a part: "name 1" for a name, with the same number in
 * all its places; "x × 3 or more" for a list; else what may stand there.  A link to the
 * part's row. */
static void add_slot(pare_html *html, const pare_explanation *explanation,
                     const pare_explained_part *part)
{
    size_t number = 1;
    assert(part->from < part->to && part->to <= explanation->result.size_bytes);
    pare_html_format(html, "<a class=\"slot\" href=\"#part-%zu\">",
                     (size_t)(part - explanation->parts));
    /* Names are numbered in the order of the parts, counting those that the pattern
     * leaves open. */
    if (part->verdict == PARE_PART_RENAME) {
        for (const pare_explained_part *before = explanation->parts; before < part; before++)
            number += before->verdict == PARE_PART_RENAME && is_open(explanation, before);
        pare_html_format(html, "name %zu", number);
    } else if (part->verdict == PARE_PART_RANGE && pare_part_words_is_sampled_as(part, "repeat")) {
        pare_html_bytes(html, explanation->result.bytes + part->from, part->to - part->from);
        pare_html_raw(html, " &#215; ");
        add_interval(html, part);
    } else if (explanation->result.bytes[part->to - 1] == '\'' &&
               pare_part_words_is_sampled_as(part, "number")) { /* x'...': the quotes stay */
        pare_html_bytes(html, explanation->result.bytes + part->from, 2);
        add_allowed(html, explanation, part);
        pare_html_raw(html, "'");
    } else {
        add_allowed(html, explanation, part);
    }
    pare_html_raw(html, "</a>");
}

/* The text with slots for its open parts, from place to place.  A place within one that
 * is open is passed over with it: it begins before `at`.
 * The limit is on HTML; of what is left at the end a quarter as many bytes are shown,
 * since one byte may become several. */
static void add_pattern_text(pare_html *html, const pare_explanation *explanation)
{
    const pare_result *result = &explanation->result;
    const size_t end = html->bytes.size + PATTERN_BYTES;
    size_t at = 0;
    for (size_t i = 0; i < explanation->n_places && html->bytes.size < end; i++) {
        const pare_explained_place *place = &explanation->places[i];
        const pare_explained_part *part = &explanation->parts[place->part];
        if (place->from < at || place->part >= MOST_PARTS || !is_open(explanation, part)) continue;
        pare_html_lines(html, result->bytes + at, place->from - at);
        add_slot(html, explanation, part);
        at = place->to;
    }
    const size_t left = result->size_bytes - at;
    const size_t room = html->bytes.size < end ? (end - html->bytes.size) / 4 : 0;
    pare_html_lines(html, result->bytes + at, left < room ? left : room);
    if (left > room) pare_html_raw(html, " &#8230;");
}

/* How many parts there are of each verdict, and of those that a pattern leaves open. */
struct counts {
    size_t needed, partly; /* partly: some others fail, too */
    size_t varying, untried, open, n_groups;
};

/* Counts the parts that have a row; others are within one that has, and would be
 * counted twice. */
static struct counts count(const pare_explanation *explanation)
{
    struct counts counts = {.n_groups = explanation->n_groups};
    for (size_t i = 0; i < explanation->n_parts; i++) {
        const pare_explained_part *part = &explanation->parts[i];
        if (!pare_part_words_is_listed(part)) continue;
        const bool is_partly = pare_part_words_is_partly(explanation, part);
        counts.needed += part->verdict == PARE_PART_NEEDED && !is_partly;
        counts.partly += is_partly;
        counts.untried += part->verdict == PARE_PART_UNTRIED;
        counts.varying += part->verdict != PARE_PART_NEEDED && part->verdict != PARE_PART_UNTRIED;
        counts.open += is_open(explanation, part);
    }
    return counts;
}

/* Tells how far what may vary may do so at once.  With less than two parts there is
 * nothing to tell. */
static void tell_together(pare_html *html, const pare_explanation *explanation,
                          const struct counts *counts)
{
    if (counts->varying < 2 || !explanation->is_together_known) return;
    pare_html_raw(html, explanation->is_together
                            ? " Everything that may vary may do so at once"
                            : " Not everything that may vary may do so at once; the pattern leaves "
                              "open the largest group that may");
    if (explanation->joint_samples)
        pare_html_format(html, ": %" PRIu32 " of %" PRIu32 " made in that way fail",
                         explanation->joint_fails, explanation->joint_samples);
    pare_html_raw(html, ".");
}

/* Adds a piece of the sentence; what stands in the text looks like it, as in the pane. */
static pare_status add_essence(void *context, const char *text, bool is_part, pare_error *err)
{
    pare_html *html = context;
    (void)err; /* a page that lacks memory is told by its status */
    if (is_part)
        pare_frame_add_code(html, text);
    else
        pare_html_text(html, text);
    return html->status;
}

/* One of the sentences about an explanation. */
typedef pare_status tell_essence(const pare_explanation *explanation, pare_essence_add *add,
                                 void *context, pare_error *err);

/* Adds what `tell` has to say.  One that has nothing to say succeeds even where memory had run out
 * before, so a failed page is not asked. */
static void add_told(pare_html *html, const pare_explanation *explanation, tell_essence *tell)
{
    if (html->status == PARE_OK) html->status = tell(explanation, add_essence, html, NULL);
}

/* Adds a paragraph of what `tell` has to say.  An empty one would be a gap, so it is
 * taken back. */
static void add_sentence(pare_html *html, const pare_explanation *explanation, tell_essence *tell)
{
    if (html->status) return;
    const size_t before = html->bytes.size;
    pare_html_raw(html, "<p>");
    const size_t empty = html->bytes.size;
    add_told(html, explanation, tell);
    if (html->bytes.size == empty)
        html->bytes.size = before;
    else
        pare_html_raw(html, "</p>\n");
}

/* What the failure needs in one sentence, then how many parts that are, and what makes
 * that less sure: a result that does not fail each time, and what was not tried. */
static void tell(pare_html *html, const pare_explanation *explanation, const struct counts *counts)
{
    const size_t n = counts->needed + counts->partly + counts->varying + counts->untried;
    pare_html_raw(html, "<p class=\"essence\">");
    add_told(html, explanation, pare_essence_tell);
    pare_html_raw(html, "</p>\n<p>");
    if (explanation->again_fails < explanation->again_runs)
        pare_html_format(html,
                         "Run again, the result itself fails in %" PRIu32 " of %" PRIu32
                         " runs: it is flaky, or the machine is too busy for the test. Parts that "
                         "are said to be needed may not be. ",
                         explanation->again_fails, explanation->again_runs);
    /* Not one may vary, and none was left out. */
    if (counts->needed == n) {
        pare_html_raw(html, "No part of it may vary: each is needed as it is.");
    } else {
        pare_html_format(html, "Of %zu parts %zu %s needed as %s, ", n, counts->needed,
                         counts->needed == 1 ? "is" : "are",
                         counts->needed == 1 ? "it is" : "they are");
        if (counts->partly)
            pare_html_format(html, "%zu may be replaced by some of the kind, ", counts->partly);
        pare_html_format(html, counts->untried ? "%zu may vary" : "and %zu may vary.",
                         counts->varying);
        if (counts->untried)
            pare_html_format(html, ", and %zu %s not tried.", counts->untried,
                             counts->untried == 1 ? "was" : "were");
    }
    tell_together(html, explanation, counts);
    pare_html_raw(html, "</p>\n");
    add_sentence(html, explanation, pare_essence_tell_simpler);
    add_sentence(html, explanation, pare_essence_tell_signs);
    add_sentence(html, explanation, pare_essence_tell_endings);
    if (explanation->other_programs)
        pare_frame_add_command(html, NULL, explanation->other_programs);
    add_sentence(html, explanation, pare_essence_tell_unvaried);
}

/* ---- the parts ----------------------------------------------------------------------- */

/* A row: where the part is, its text, what may stand there, the change that makes the
 * failure go, and what was tried.  Its id is what marks and slots link to. */
static void add_part_row(pare_html *html, const pare_explanation *explanation, size_t index)
{
    char place[40];
    const pare_explained_part *part = &explanation->parts[index];
    pare_part_words_place(explanation, part->from, place, sizeof place);
    pare_html_format(html, "<tr id=\"part-%zu\"><td class=\"n\">%s", index, place);
    pare_html_raw(html, "</td><th scope=\"row\">");
    add_part_text(html, explanation, part);
    if (part->n_places > 1)
        pare_html_format(html, " <span class=\"sub\">at %zu places</span>", part->n_places);
    pare_html_format(html, "</th><td class=\"t\"><b class=\"p %s\">", class_of(explanation, part));
    add_allowed(html, explanation, part);
    pare_html_raw(html, "</b></td><td class=\"t\">");
    add_near(html, explanation, part);
    pare_html_raw(html, "</td><td class=\"t w\">");
    add_evidence(html, explanation, part);
    pare_html_raw(html, "</td></tr>\n");
}

static void begin_table(pare_html *html, const pare_explanation *explanation, const char *caption)
{
    pare_html_format(html,
                     "<table class=\"parts\">\n<caption>%s</caption>\n<thead><tr>"
                     "<th scope=\"col\">%s</th><th scope=\"col\">Part</th>"
                     "<th scope=\"col\" class=\"t\">What may stand there</th>"
                     "<th scope=\"col\" class=\"t\">Does not fail with</th>"
                     "<th scope=\"col\" class=\"t w\">Evidence</th></tr></thead>\n<tbody>\n",
                     caption, pare_part_words_is_binary(explanation) ? "Byte" : "Place");
}

/* What one of the tables is about. */
enum table { VARYING, NEEDED, UNTRIED };

/* Those of which some others will do are needed, too, and stand among them. */
static enum table table_of(const pare_explained_part *part)
{
    if (part->verdict == PARE_PART_NEEDED) return NEEDED;
    return part->verdict == PARE_PART_UNTRIED ? UNTRIED : VARYING;
}

/* The parts of one table, in the order of the text. */
static void add_part_rows(pare_html *html, const pare_explanation *explanation, enum table table)
{
    for (size_t i = 0; i < explanation->n_parts && i < MOST_PARTS; i++) {
        const pare_explained_part *part = &explanation->parts[i];
        if (pare_part_words_is_listed(part) && table_of(part) == table)
            add_part_row(html, explanation, i);
    }
    pare_html_raw(html, "</tbody>\n</table>\n");
}

/* A table of `n` parts, none where there are none.  A long one is folded: the marks of the text lead into
 * it. */
static void add_table(pare_html *html, const pare_explanation *explanation, enum table table,
                      size_t n, bool any_partly)
{
    static const char *const captions[] = {
        [VARYING] = "What may vary",
        [NEEDED] = "What is needed, and the smallest change known to make the failure go away",
        [UNTRIED] = "What was not tried"};
    /* What varies is what the page is about, and stays open. */
    const bool is_folded = (table == NEEDED && n > MOST_SHOWN) || (table == UNTRIED && n > 1);
    char summary[80];
    (void)snprintf(summary, sizeof summary, "%zu parts %s", n,
                   table == UNTRIED ? "were not tried"
                   : any_partly     ? "are needed, or may be some others only"
                                    : "are needed");
    if (!n) return;
    if (is_folded) pare_frame_begin_fold(html, summary);
    begin_table(html, explanation, captions[table]);
    add_part_rows(html, explanation, table);
    if (is_folded) pare_frame_end_fold(html);
}

/* The sentences, the pattern, then a table for each sort of part.  In a pattern of
 * bytes nobody would see what is open, so there is none. */
void pare_page_explained_add_section(pare_html *html, const pare_explanation *explanation)
{
    if (!explanation) return;
    const struct counts counts = count(explanation);
    pare_frame_begin_section(html, "needs", "What the failure needs", PARE_FRAME_LONG);
    tell(html, explanation, &counts);
    if (counts.open && !pare_part_words_is_binary(explanation)) {
        pare_html_raw(html, "<h3>Texts of this form fail</h3>\n<pre class=\"cmd pattern\">");
        add_pattern_text(html, explanation);
        pare_html_raw(html, "</pre>\n");
    }
    add_table(html, explanation, VARYING, counts.varying, false);
    add_table(html, explanation, NEEDED, counts.needed + counts.partly, counts.partly > 0);
    add_table(html, explanation, UNTRIED, counts.untried, false);
    if (explanation->n_parts > MOST_PARTS)
        pare_html_format(html, "<p>And %zu parts more.</p>\n", explanation->n_parts - MOST_PARTS);
    pare_frame_end_section(html);
}
