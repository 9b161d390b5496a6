/* The texts on a report.
 *
 * Size is bounded by construction: all originals (and all results) share a number of bytes, of which
 * each file gets an equal share, so that none can push the others out.  A text that is no text, or
 * whose original is none, is shown in hexadecimal, both sides alike.
 *
 * Parts of an explanation may hold others (a piece of program that is needed as a whole), marks of a
 * pane may not: each byte has the mark of the innermost part that it is in.  The pattern is the text in
 * which what may vary at once is replaced by words for it; these are elements, so that no text can be
 * taken for them.  Invariant: all that is shown of texts goes through pare_html_bytes. */
#include "ui/page_texts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "ui/essence.h"
#include "ui/format.h"
#include "ui/frame.h"

#include <pare/explain.h>
#include <pare/result.h>
#include <pare/survivors.h>

enum {
    RESULTS_BYTES = 300 * 1000,   /* HTML of all results by themselves */
    ORIGINALS_BYTES = 600 * 1000, /* of all originals */
    BESIDE_BYTES = 200 * 1000,    /* of the results beside them */
    SHORT_BYTES = 4000, /* of a side of an isolation that is shown whole, and can be copied */
    SHORT_LINES = 40
};

enum {
    PART_BYTES = 60,      /* of a part in its row; what is longer is cut */
    OTHER_BYTES = 24,     /* of what was tried in the place of a part */
    MOST_OTHERS = 8,      /* of them, of each outcome */
    MOST_PARTS = 400,     /* rows of the table */
    MOST_SHOWN = 40,      /* rows of what is needed; more are folded */
    PATTERN_BYTES = 60000 /* of HTML */
};

/* ---- words --------------------------------------------------------------------------- */

static bool is_sampled_as(const pare_explained_part *part, const char *name)
{
    return strcmp(part->sampled_as, name) == 0;
}

/* A class of the style sheet. */
static const char *class_of(const pare_explained_part *part)
{
    switch (part->verdict) {
    case PARE_PART_ANY: return "any";
    case PARE_PART_RANGE: return "range";
    case PARE_PART_RENAME: return "name";
    case PARE_PART_UNTRIED: return "untried";
    case PARE_PART_NEEDED: break;
    }
    return "needed";
}

/* "from 3 on", "3 to 9", "up to 9". */
static void add_interval(pare_html *html, const pare_explained_part *part)
{
    if (part->has_low && part->has_high)
        pare_html_format(html, "%" PRIu64 " to %" PRIu64, part->low, part->high);
    else if (part->has_low)
        pare_html_format(html, "%" PRIu64 " or more", part->low);
    else if (part->has_high)
        pare_html_format(html, "at most %" PRIu64, part->high);
    else
        pare_html_raw(html, "any");
}

/* What may stand there, as a noun: "any name", "a number, 17 to 4242". */
static void add_allowed(pare_html *html, const pare_explained_part *part)
{
    switch (part->verdict) {
    case PARE_PART_RENAME: pare_html_raw(html, "any name"); return;
    case PARE_PART_ANY:
        pare_html_raw(html, "any ");
        pare_html_text(html, part->kind);
        if (part->has_low) pare_html_raw(html, " but the empty one");
        return;
    case PARE_PART_RANGE:
        pare_html_raw(html, is_sampled_as(part, "string")   ? "a string of length "
                            : is_sampled_as(part, "repeat") ? "repeated, times: "
                                                            : "a number: ");
        add_interval(html, part);
        return;
    case PARE_PART_UNTRIED: pare_html_raw(html, "not tried"); return;
    case PARE_PART_NEEDED: break;
    }
    pare_html_raw(html, part->fails ? "some others, but not all" : "needed as it is");
}

/* Whether the result is shown in hexadecimal, by offsets instead of lines. */
static bool is_hex(const pare_explanation *explanation)
{
    return pare_html_form(explanation->result.bytes, explanation->result.size_bytes) ==
           PARE_PANE_HEX;
}

/* The text of a part as it stands there, cut. */
static void add_part_text(pare_html *html, const pare_explanation *explanation,
                          const pare_explained_part *part)
{
    const unsigned char *bytes = explanation->result.bytes;
    const size_t size = part->to - part->from;
    pare_html_raw(html, "<code>");
    /* As in the pane: digits first, then what they are as characters, as which they were varied. */
    if (is_hex(explanation)) {
        for (size_t i = 0; i < size && i < PART_BYTES / 3; i++)
            pare_html_format(html, i ? " %02x" : "%02x", bytes[part->from + i]);
        pare_html_raw(html, "</code> <code class=\"a\">");
    }
    pare_html_bytes(html, bytes + part->from, size < PART_BYTES ? size : PART_BYTES);
    pare_html_raw(html, "</code>");
    if (size > PART_BYTES) pare_html_raw(html, " &#8230;");
}

/* Those others with which it fails, or does not; as many as fit a cell. */
static void add_others(pare_html *html, const pare_explained_part *part, bool fails)
{
    size_t n = 0;
    for (size_t k = 0; k < part->n_others; k++) {
        const pare_explained_other *other = &part->others[k];
        if (other->fails != fails) continue;
        if (!n) pare_html_raw(html, fails ? "; fails with " : "; not with ");
        if (n++ == MOST_OTHERS) {
            pare_html_raw(html, " &#8230;");
            return;
        }
        if (n > 1) pare_html_raw(html, " ");
        if (!other->bytes) {
            pare_html_raw(html, "nothing");
            continue;
        }
        pare_html_raw(html, "<code>");
        pare_html_bytes(html, other->text, other->bytes < OTHER_BYTES ? other->bytes : OTHER_BYTES);
        pare_html_raw(html, other->bytes > OTHER_BYTES ? "&#8230;</code>" : "</code>");
    }
}

/* What was tried, and what it is worth. */
static void add_evidence(pare_html *html, const pare_explained_part *part)
{
    if (part->verdict == PARE_PART_UNTRIED || !part->samples) return;
    if (part->verdict == PARE_PART_NEEDED) {
        pare_html_format(html, "%" PRIu32 " other%s tried, ", part->samples,
                         part->samples == 1 ? "" : "s");
        pare_html_format(html, part->fails ? "%" PRIu32 " still failed" : "none fails",
                         part->fails);
        if (part->fails) add_others(html, part, true);
        add_others(html, part, false);
    }
    if (part->verdict == PARE_PART_RANGE)
        pare_html_format(html, "ends found by halving; %" PRIu32 " tried", part->samples);
    else if (part->verdict != PARE_PART_NEEDED)
        pare_html_format(html, "%" PRIu32 " of %" PRIu32 " tried fail: %.0f %% or more of all",
                         part->fails, part->samples,
                         floor(100 * pare_explained_share(part->samples, part->fails)));
}

/* The part with the smallest change that makes the failure go; nothing where none is known within
 * it. */
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
    pare_html_raw(html, "<code>");
    pare_html_bytes(html, bytes + part->from, before);
    pare_html_raw(html, "<b>");
    pare_html_bytes(html, part->near, part->near_bytes);
    pare_html_raw(html, "</b>");
    pare_html_bytes(html, bytes + part->near_to, after);
    pare_html_raw(html, "</code>");
}

/* ---- marks --------------------------------------------------------------------------- */

static const size_t SIGN = SIZE_MAX; /* instead of a part: a sign that can be left out */

/* The marks of a pane, and which part each is of.  Both are owned. */
struct marks {
    const pare_explanation *explanation;
    pare_mark *marks;
    size_t *parts;
    size_t n;
};

/* Adds from .. to - 1 of `part`, if that is anything. */
static void add_mark(struct marks *marks, size_t from, size_t to, size_t part)
{
    if (to <= from || !pare_essence_is_listed(&marks->explanation->parts[part]) ||
        part >= MOST_PARTS)
        return;
    marks->marks[marks->n] = (pare_mark){from, to};
    marks->parts[marks->n++] = part;
}

/* Walks over the places with those that are open on a stack: what is between two edges belongs to the
 * one on top.  At most two marks for each place. */
static void fill_marks(struct marks *marks, size_t *open)
{
    const pare_explanation *explanation = marks->explanation;
    size_t n_open = 0, at = 0;
    for (size_t i = 0; i <= explanation->n_places; i++) {
        const bool is_last = i == explanation->n_places;
        const size_t next = is_last ? explanation->result.size_bytes : explanation->places[i].from;
        while (n_open && (is_last || explanation->places[open[n_open - 1]].to <= next)) {
            const pare_explained_place *top = &explanation->places[open[--n_open]];
            add_mark(marks, at, top->to, top->part);
            if (top->to > at) at = top->to;
        }
        if (is_last) break;
        if (n_open) add_mark(marks, at, next, explanation->places[open[n_open - 1]].part);
        if (next > at) at = next;
        open[n_open++] = i;
    }
}

/* Adds the signs that can be left out, which no listed part has, in their places among the others. */
static void add_free_signs(struct marks *marks)
{
    const pare_explanation *explanation = marks->explanation;
    for (size_t i = 0; i < explanation->signs_tried; i++) {
        const pare_explained_sign *sign = &explanation->sign[i];
        size_t at = marks->n;
        if (sign->is_needed) continue;
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

/* False when memory is out; marks_done is called in any case. */
static bool marks_make(struct marks *marks)
{
    const size_t n = marks->explanation->n_places;
    const size_t most = 2 * n + 1 + marks->explanation->signs_tried;
    size_t *open = pare_alloc(n + 1, sizeof *open);
    marks->marks = pare_alloc(most, sizeof *marks->marks);
    marks->parts = pare_alloc(most, sizeof *marks->parts);
    const bool made = open && marks->marks && marks->parts;
    if (made) {
        fill_marks(marks, open);
        add_free_signs(marks);
    }
    pare_alloc_free(open);
    return made;
}

static void marks_done(struct marks *marks)
{
    pare_alloc_free(marks->marks);
    pare_alloc_free(marks->parts);
}

/* A link to the row of the part.  Without the script its title tells what it is. */
static void open_link(const void *context, pare_html *html, size_t index)
{
    const struct marks *marks = context;
    const size_t part = marks->parts[index];
    if (part == SIGN) {
        pare_html_raw(html, "<a class=\"p free\" title=\"can be left out\">");
        return;
    }
    pare_html_format(html, "<a class=\"p %s\" href=\"#part-%zu\" title=\"",
                     class_of(&marks->explanation->parts[part]), part);
    add_allowed(html, &marks->explanation->parts[part]);
    pare_html_raw(html, "\">");
}

static void add_explained_text(pare_html *html, const pare_explanation *explanation,
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

/* Whether the pattern leaves the part open.  Without groups, all that may vary was varied at once,
 * or nothing was. */
static bool is_open(const pare_explanation *explanation, const pare_explained_part *part)
{
    const bool varies = part->verdict == PARE_PART_ANY || part->verdict == PARE_PART_RANGE ||
                        part->verdict == PARE_PART_RENAME;
    return varies && (part->group == 1 || explanation->is_together);
}

/* "name 1": the same in all its places. */
static void add_slot(pare_html *html, const pare_explanation *explanation,
                     const pare_explained_part *part)
{
    size_t number = 1;
    pare_html_format(html, "<a class=\"slot\" href=\"#part-%zu\">",
                     (size_t)(part - explanation->parts));
    if (part->verdict == PARE_PART_RENAME) {
        for (const pare_explained_part *before = explanation->parts; before < part; before++)
            number += before->verdict == PARE_PART_RENAME && is_open(explanation, before);
        pare_html_format(html, "name %zu", number);
    } else if (part->verdict == PARE_PART_RANGE && is_sampled_as(part, "repeat")) {
        pare_html_bytes(html, explanation->result.bytes + part->from, part->to - part->from);
        pare_html_raw(html, " &#215; ");
        add_interval(html, part);
    } else {
        add_allowed(html, part);
    }
    pare_html_raw(html, "</a>");
}

/* From place to place; those within one that is open are passed over with it. */
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

static struct counts count(const pare_explanation *explanation)
{
    struct counts counts = {.n_groups = explanation->n_groups};
    for (size_t i = 0; i < explanation->n_parts; i++) {
        const pare_explained_part *part = &explanation->parts[i];
        if (!pare_essence_is_listed(part)) continue;
        counts.needed += part->verdict == PARE_PART_NEEDED && !part->fails;
        counts.partly += part->verdict == PARE_PART_NEEDED && part->fails;
        counts.untried += part->verdict == PARE_PART_UNTRIED;
        counts.varying += part->verdict != PARE_PART_NEEDED && part->verdict != PARE_PART_UNTRIED;
        counts.open += is_open(explanation, part);
    }
    return counts;
}

/* How far what may vary may do so at once. */
static void tell_together(pare_html *html, const pare_explanation *explanation,
                          const struct counts *counts)
{
    if (counts->varying < 2 || !explanation->is_together_known) return;
    pare_html_raw(html,
                  explanation->is_together
                      ? " All that may vary may do so at once"
                      : " Not all that may vary may do so at once; the pattern leaves open the "
                        "largest group that may");
    if (explanation->joint_samples)
        pare_html_format(html, ": %" PRIu32 " of %" PRIu32 " made in that way fail",
                         explanation->joint_fails, explanation->joint_samples);
    pare_html_raw(html, ".");
}

/* A piece of the sentence; what stands in the text looks like it. */
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

/* What the failure needs in one sentence, then how many parts that are. */
static void tell(pare_html *html, const pare_explanation *explanation, const struct counts *counts)
{
    const size_t n = counts->needed + counts->partly + counts->varying + counts->untried;
    pare_html_raw(html, "<p class=\"essence\">");
    html->status = pare_essence_tell(explanation, add_essence, html, NULL);
    pare_html_raw(html, "</p>\n<p>");
    if (explanation->again_fails < explanation->again_runs)
        pare_html_format(html,
                         "Run again, the result itself fails in %" PRIu32 " of %" PRIu32
                         " runs: by chance, or the machine is too busy for the test. Some of what "
                         "is told as needed may not be. ",
                         explanation->again_fails, explanation->again_runs);
    if (counts->needed == n) {
        pare_html_raw(html, "Nothing of it may vary: each part is needed as it is.");
    } else {
        pare_html_format(html, "Of %zu parts %zu %s needed as %s, ", n, counts->needed,
                         counts->needed == 1 ? "is" : "are",
                         counts->needed == 1 ? "it is" : "they are");
        if (counts->partly)
            pare_html_format(html, "%zu may be replaced by some of the kind, ", counts->partly);
        pare_html_format(html, "and %zu may vary.", counts->varying);
    }
    tell_together(html, explanation, counts);
    if (counts->untried)
        pare_html_format(html, " %zu %s not tried: the tests or the time were spent.",
                         counts->untried, counts->untried == 1 ? "was" : "were");
    pare_html_raw(html, " ");
    if (html->status == PARE_OK)
        html->status = pare_essence_tell_signs(explanation, add_essence, html, NULL);
    pare_html_raw(html, "</p>\n");
}

/* ---- the parts ----------------------------------------------------------------------- */

static void add_part_row(pare_html *html, const pare_explanation *explanation, size_t index,
                         size_t line)
{
    const pare_explained_part *part = &explanation->parts[index];
    pare_html_format(html, "<tr id=\"part-%zu\"><td class=\"n\">", index);
    if (is_hex(explanation))
        pare_html_format(html, "0x%zx", part->from);
    else
        pare_html_format(html, "%zu", line);
    pare_html_raw(html, "</td><th scope=\"row\">");
    add_part_text(html, explanation, part);
    if (part->n_places > 1)
        pare_html_format(html, " <span class=\"sub\">at %zu places</span>", part->n_places);
    pare_html_format(html, "</th><td class=\"t\"><b class=\"p %s\">", class_of(part));
    add_allowed(html, part);
    pare_html_raw(html, "</b></td><td class=\"t\">");
    add_near(html, explanation, part);
    pare_html_raw(html, "</td><td class=\"t w\">");
    add_evidence(html, part);
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
                     caption, is_hex(explanation) ? "Byte" : "Line");
}

/* What one of the tables is about. */
enum table { VARYING, NEEDED, UNTRIED };

static enum table table_of(const pare_explained_part *part)
{
    if (part->verdict == PARE_PART_NEEDED) return NEEDED;
    return part->verdict == PARE_PART_UNTRIED ? UNTRIED : VARYING;
}

/* The parts of one table, in the order of the text. */
static void add_part_rows(pare_html *html, const pare_explanation *explanation, enum table table)
{
    size_t line = 1, at = 0;
    for (size_t i = 0; i < explanation->n_parts && i < MOST_PARTS; i++) {
        const pare_explained_part *part = &explanation->parts[i];
        for (; at < part->from; at++)
            line += explanation->result.bytes[at] == '\n';
        if (pare_essence_is_listed(part) && table_of(part) == table)
            add_part_row(html, explanation, i, line);
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

void pare_page_texts_add_explanation(pare_html *html, const pare_page_texts *texts)
{
    const pare_explanation *explanation = texts->explanation;
    if (!explanation) return;
    const struct counts counts = count(explanation);
    pare_frame_begin_section(html, "needs", "What the failure needs", PARE_FRAME_LONG);
    tell(html, explanation, &counts);
    if (counts.open && !is_hex(explanation)) {
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

/* ---- side by side ---------------------------------------------------------------------- */

/* Sets the marks of the survivors: of the original, and of what is new in the result. */
static void set_marks(const pare_page_file *file, pare_mark *old, pare_mark *new, size_t *n_new)
{
    size_t end = 0, n = 0;
    for (size_t i = 0; i <= file->survivors.n_runs; i++) {
        /* One turn more than there are runs: for what is new after the last. */
        bool is_last = i == file->survivors.n_runs;
        const pare_survivor *run = &file->survivors.runs[is_last ? 0 : i];
        size_t begin = is_last ? file->result_bytes : run->result_at;
        /* What lies between two runs in the result is in none of the original. */
        if (begin > end) new[n++] = (pare_mark){end, begin};
        if (is_last) break;
        old[i] = (pare_mark){run->original_at, run->original_at + run->size};
        end = run->result_at + run->size;
    }
    *n_new = n;
}

/* What is left of the original, and what the result has that it had not. */
static void tell_survivors(pare_html *html, const pare_page_file *file)
{
    char left[PARE_FORMAT_BYTES], all[PARE_FORMAT_BYTES], new[PARE_FORMAT_BYTES];
    size_t n_new = file->result_bytes - file->survivors.n_bytes;
    pare_html_format(
        html, "<p class=\"sub\">%s of %s %s left", pare_frame_size(left, file->survivors.n_bytes),
        pare_frame_size(all, file->original_bytes), file->survivors.n_bytes == 1 ? "is" : "are");
    if (n_new)
        pare_html_format(html, "; %s of the result %s new", pare_frame_size(new, n_new),
                         n_new == 1 ? "is" : "are");
    pare_html_raw(html, ".</p>\n");
}

static pare_pane_form form_of(const pare_page_file *file)
{
    const pare_pane_form form = pare_html_form(file->result, file->result_bytes);
    if (form == PARE_PANE_HEX || !file->original) return form;
    return pare_html_form(file->original, file->original_bytes);
}

/* The heading of one side, below that of the file if there is one. */
static void add_label(pare_html *html, const char *label, const char *name)
{
    int level = name ? 4 : 3;
    pare_html_format(html, "<h%d>%s</h%d>\n", level, label, level);
}

/* The original is folded around its marks; it may be a thousand times the size of the result. */
static void add_original(pare_html *html, const pare_page_texts *texts, const pare_page_file *file,
                         const pare_mark *marks, size_t limit)
{
    pare_pane pane = {.bytes = file->original,
                      .size = file->original_bytes,
                      .marks = marks,
                      .n_marks = file->survivors.n_runs,
                      .element = "mark",
                      .label = texts->original_label,
                      .form = form_of(file),
                      .limit = limit};
    pare_html_raw(html, "<div>");
    add_label(html, texts->original_label, file->name);
    if (file->original)
        pare_html_add_pane(html, &pane);
    else
        pare_html_format(html, "<p>Not shown: %s.</p>\n", file->absent ? file->absent : "");
    pare_html_raw(html, "</div>\n");
}

/* The result is shown in full as far as the limit allows. */
static void add_result(pare_html *html, const pare_page_texts *texts, const pare_page_file *file,
                       const pare_mark *marks, size_t n_marks, size_t limit)
{
    pare_pane pane = {.bytes = file->result,
                      .size = file->result_bytes,
                      .marks = marks,
                      .n_marks = n_marks,
                      .element = "u",
                      .label = texts->result_label,
                      .extra = " copy",
                      .form = form_of(file),
                      .fold = PARE_FOLD_NONE,
                      .limit = limit};
    pare_html_raw(html, "<div class=\"r\">");
    pare_html_add_pane(html, &pane);
    pare_html_raw(html, "</div>\n");
}

static void add_name(pare_html *html, const pare_page_file *file)
{
    if (!file->name) return;
    pare_html_raw(html, "<h3 class=\"file\">");
    pare_frame_add_text(html, file->name);
    pare_html_raw(html, "</h3>\n");
}

/* One mark more than runs: before each run, and after the last, something new may stand. */
static pare_status add_pair(pare_html *html, const pare_page_texts *texts,
                            const pare_page_file *file)
{
    size_t n = file->survivors.n_runs, n_new;
    pare_mark *old = pare_alloc(n + 1, sizeof *old), *new = pare_alloc(n + 1, sizeof *new);
    if (old && new) {
        set_marks(file, old, new, &n_new);
        add_name(html, file);
        if (file->original) tell_survivors(html, file);
        pare_html_raw(html, "<div class=\"pair\">\n");
        add_original(html, texts, file, old, ORIGINALS_BYTES / texts->n_files);
        pare_html_raw(html, "<div>");
        add_label(html, texts->result_label, file->name);
        /* Without the original all of it would count as new. */
        add_result(html, texts, file, new, file->original ? n_new : 0,
                   BESIDE_BYTES / texts->n_files);
        pare_html_raw(html, "</div>\n");
        pare_html_raw(html, "</div>\n");
    }
    /* html->status is kept as it is where the marks could be made: it may hold an earlier
     * failure. */
    pare_status status = old && new ? html->status : PARE_E_NOMEM;
    pare_alloc_free(old);
    pare_alloc_free(new);
    return status;
}

static bool has_originals(const pare_page_texts *texts)
{
    for (size_t i = 0; i < texts->n_files; i++)
        if (texts->files[i].original || texts->files[i].absent) return true;
    return false;
}

void pare_page_texts_add_pairs(pare_html *html, const pare_page_texts *texts)
{
    if (!has_originals(texts) || texts->is_isolated) return;
    pare_frame_begin_section(html, "texts", "Side by side", PARE_FRAME_LONG);
    pare_html_raw(html, "<p>Marked in the first: <mark>what is left</mark>. Dotted in the second: "
                        "<u>what does not come from the first</u>. Bytes that cannot be shown are "
                        "written as escapes: <i class=\"x\">\\x00</i>.</p>\n");
    for (size_t i = 0; i < texts->n_files && html->status == PARE_OK; i++)
        html->status = add_pair(html, texts, &texts->files[i]);
    pare_frame_end_section(html);
}

/* ---- two sides that differ by little ---------------------------------------------------- */

/* One side of an isolation: where it differs from the other. */
struct side {
    const char *label;
    const unsigned char *bytes;
    size_t size;
    pare_mark *marks; /* owned; room for one more than there are runs that both sides share */
    bool *is_place;   /* owned; of each mark: the other side has more here, and this one nothing */
    size_t n_marks;
};

/* Adds begin..end, where this side has what the other has not.  If it is empty, the character next to it
 * is marked as its place, so that the pane shows the line.  `from`..`to`: as far as that may go. */
static void add_side_mark(struct side *side, size_t begin, size_t end, size_t from, size_t to)
{
    const bool is_place = begin == end;
    if (is_place && begin > from) {
        do
            begin--;
        while (begin > from && (side->bytes[begin] & 0xC0) == 0x80);
    } else if (is_place && end < to) {
        do
            end++;
        while (end < to && (side->bytes[end] & 0xC0) == 0x80);
    }
    if (side->n_marks && begin < side->marks[side->n_marks - 1].end)
        begin = side->marks[side->n_marks - 1].end;
    if (begin >= end) return;
    side->marks[side->n_marks] = (pare_mark){begin, end};
    side->is_place[side->n_marks++] = is_place;
}

/* A pane's `open`. */
static void open_side_mark(const void *context, pare_html *html, size_t index)
{
    const struct side *side = context;
    pare_html_raw(html, side->is_place[index] ? "<span>" : "<span class=\"differs\">");
}

/* Whether a reader has all of it before them without folding. */
static bool is_short(const struct side *side)
{
    size_t n_lines = 1;
    if (side->size > SHORT_BYTES) return false;
    for (size_t k = 0; k < side->size; k++)
        n_lines += side->bytes[k] == '\n';
    return n_lines <= SHORT_LINES;
}

static void add_side(pare_html *html, const struct side *side, pare_pane_form form)
{
    const pare_pane pane = {.bytes = side->bytes,
                            .size = side->size,
                            .marks = side->marks,
                            .n_marks = side->n_marks,
                            .element = "span",
                            .open = open_side_mark,
                            .context = side,
                            .label = side->label,
                            .extra = " copy",
                            .form = form,
                            .fold = is_short(side) ? PARE_FOLD_NONE : PARE_FOLD_FAR,
                            .limit = RESULTS_BYTES / 2};
    pare_html_raw(html, "<div>");
    add_label(html, side->label, NULL);
    pare_html_add_pane(html, &pane);
    pare_html_raw(html, "</div>\n");
}

/* Between two runs that both sides share each has what the other has not: a change, or, where one has
 * nothing, an insertion. */
static void find_differences(const pare_page_file *file, struct side *passing, struct side *failing)
{
    size_t a = 0, b = 0, a_from = 0, b_from = 0;
    for (size_t i = 0; i <= file->survivors.n_runs; i++) {
        const bool is_last = i == file->survivors.n_runs;
        const pare_survivor *run = is_last ? NULL : &file->survivors.runs[i];
        const size_t a_end = run ? run->original_at : passing->size;
        const size_t b_end = run ? run->result_at : failing->size, size = run ? run->size : 0;
        if (a < a_end || b < b_end) {
            add_side_mark(passing, a, a_end, a_from, a_end + size);
            add_side_mark(failing, b, b_end, b_from, b_end + size);
        }
        a_from = a_end, a = a_end + size;
        b_from = b_end, b = b_end + size;
    }
}

/* Both sides, longer ones folded around what tells them apart. */
static void add_difference(pare_html *html, const pare_page_texts *texts)
{
    const pare_page_file *file = &texts->files[0];
    const size_t n = file->survivors.n_runs + 1;
    const pare_pane_form form = form_of(file);
    struct side passing = {.label = texts->original_label,
                           .bytes = file->original,
                           .size = file->original_bytes,
                           .marks = pare_alloc(n, sizeof *passing.marks),
                           .is_place = pare_alloc(n, sizeof *passing.is_place)};
    struct side failing = {.label = texts->result_label,
                           .bytes = file->result,
                           .size = file->result_bytes,
                           .marks = pare_alloc(n, sizeof *failing.marks),
                           .is_place = pare_alloc(n, sizeof *failing.is_place)};
    if (!passing.marks || !passing.is_place || !failing.marks || !failing.is_place) {
        html->status = PARE_E_NOMEM;
    } else {
        find_differences(file, &passing, &failing);
        pare_frame_begin_section(html, "result", "What makes the difference", PARE_FRAME_LONG);
        pare_html_raw(html, "<p>The two sides are the same but for what is <span class=\"differs\">"
                            "marked</span>: without it the failure is gone.</p>\n"
                            "<div class=\"pair\">\n");
        add_side(html, &passing, form);
        add_side(html, &failing, form);
        pare_html_raw(html, "</div>\n");
        pare_frame_end_section(html);
    }
    pare_alloc_free(passing.marks);
    pare_alloc_free(passing.is_place);
    pare_alloc_free(failing.marks);
    pare_alloc_free(failing.is_place);
}

/* The same tokens in more lines; only where that says something. */
static void add_readable(pare_html *html, const pare_page_texts *texts)
{
    const pare_readable *readable = texts->readable;
    if (!readable || !readable->bytes) return;
    const pare_page_file file = {.result = readable->bytes, .result_bytes = readable->size_bytes};
    pare_html_raw(html, "<h3>Laid out as the input was, it still fails</h3>\n");
    add_result(html, texts, &file, NULL, 0, BESIDE_BYTES / 4);
}

void pare_page_texts_add_results(pare_html *html, const pare_page_texts *texts)
{
    if (!texts->n_files) return;
    if (texts->is_isolated) {
        add_difference(html, texts);
        return;
    }
    pare_frame_begin_section(html, "result", texts->result_label, PARE_FRAME_LONG);
    if (texts->explanation)
        add_explained_text(html, texts->explanation, texts->result_label, RESULTS_BYTES);
    for (size_t i = 0; i < texts->n_files && !texts->explanation; i++) {
        add_name(html, &texts->files[i]);
        add_result(html, texts, &texts->files[i], NULL, 0, RESULTS_BYTES / texts->n_files);
    }
    add_readable(html, texts);
    /* What is left out is counted, so that nobody takes the page for all of it. */
    if (texts->n_hidden)
        pare_html_format(html, "<p>Not shown: %zu more files of the result.</p>\n",
                         texts->n_hidden);
    pare_frame_end_section(html);
}
