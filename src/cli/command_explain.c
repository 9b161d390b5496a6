/* pare explain RESULT TEST [options]
 * pare explain RESULT [options] -- PROGRAM ARGS
 *
 * The settings are those of pare reduce, of which nothing is written.  What was found out is shown
 * three times: as marks under the text, as a line for each part, and as a pattern; or as JSON; and,
 * after a reduction, on the page of its report (page_file.h).  All of it is escaped: a result is
 * hostile text.
 * Tested by tests/cli/test_explain.sh. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <pare/pare.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "cli/command_note.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/explain_json.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/settings.h"
#include "cli/shell.h"
#include "ui/essence.h"
#include "ui/format.h"
#include "ui/html.h"
#include "ui/page_texts.h"
#include "ui/sheet.h"
#include "ui/visible.h"

static const char NAME[] = "pare explain";

enum {
    SHOWN_BYTES = 256,
    PART_COLUMNS = 18, /* of a part in the list; what is longer is cut */
    PART_BYTES = PART_COLUMNS + 1,
    BRIEF_BYTES = 2 * PART_BYTES + 24, /* of one with what passes in its place */
    MOST_MARKED = 4096,                /* bytes of a text that is shown with marks */
    MARKED_COLUMNS = 76,
    PLACE_COLUMNS = 14 + PART_COLUMNS, /* of where a part is, and of its text */
    REST_BYTES = 32,                   /* of what stands between parts, in their line */
    MOST_NEEDED_ROWS = 6,              /* of stretches of bytes */
    MOST_ROWS = 24 /* of a list with a row for each part; else only what varies has one */
};

static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare explain RESULT [TEST] [options]\n"
          "       pare explain RESULT [options] -- PROGRAM ARGS\n"
          "\n"
          "Tells for each part of a small failing input whether it is needed exactly as it\n"
          "is, or may be anything of its kind, any number in a range, or renamed.  It\n"
          "changes one part after the other and tests each variant, at most 300 in all.\n"
          "TEST, PROGRAM and the options for what to keep are those of 'pare reduce'; TEST\n"
          "may be left out if RESULT has a history.  Only the page of --report is written.\n"
          "\n"
          "    pare explain crash.min.c ./test.sh\n"
          "    pare explain crash.min.js -- node @@\n"
          "\n",
          out);
    pare_options_print_help(out, pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_EXPLAIN, extent);
    fputs("\nExit codes: as for 'pare reduce'.\n", out);
}

/* ---- as text -------------------------------------------------------------------------- */

/* What stands under a byte of the part. */
static char mark_of(const pare_explained_part *part)
{
    switch (part->verdict) {
    case PARE_PART_ANY:
    case PARE_PART_RENAME: return '~';
    case PARE_PART_RANGE: return '^';
    case PARE_PART_UNTRIED: return '?';
    case PARE_PART_NEEDED: break;
    }
    return ' ';
}

/* Whether it is shown by offsets instead of lines, as on the page. */
static bool is_binary(const pare_explanation *explanation)
{
    return pare_html_form(explanation->result.bytes, explanation->result.size_bytes) ==
           PARE_PANE_HEX;
}

/* Marks of all bytes; an inner part is marked over the one that holds it.  A list that may have more rounds is
 * not marked: its bytes may not be others. */
static void mark_bytes(const pare_explanation *explanation, char *marks, size_t size)
{
    memset(marks, ' ', size);
    for (size_t i = 0; i < explanation->n_places; i++) {
        const pare_explained_place *place = &explanation->places[i];
        const pare_explained_part *part = &explanation->parts[place->part];
        if (!pare_essence_is_listed(part) || strcmp(part->sampled_as, "repeat") == 0) continue;
        for (size_t k = place->from; k < place->to && k < size; k++)
            marks[k] = mark_of(part);
    }
}

/* What one character takes of `bytes`; *shown: it can be seen as itself. */
static size_t character_of(const unsigned char *bytes, size_t size, bool *shown)
{
    size_t escaped = 1;
    long code;
    const size_t length = pare_visible_character(bytes, size, &escaped, &code);
    *shown = length > 0;
    return length ? length : escaped;
}

/* As much of a line as fits, and below it the marks of that; how much it was.  What cannot be seen is shown
 * as a dot, but tabs and blanks are blanks. */
static size_t print_piece(const unsigned char *bytes, const char *marks, size_t size)
{
    char under[MARKED_COLUMNS];
    size_t at = 0, columns = 0, marked = 0;
    fputs("  ", stdout);
    while (at < size && columns < MARKED_COLUMNS) {
        bool shown;
        const size_t length = character_of(bytes + at, size - at, &shown);
        if (shown)
            (void)fwrite(bytes + at, 1, length, stdout); /* told by pare_report_printed */
        else
            putchar(bytes[at] == '\t' ? ' ' : '.');
        under[columns++] = marks[at];
        if (marks[at] != ' ') marked = columns;
        at += length;
    }
    if (marked) printf("\n  %.*s", (int)marked, under);
    putchar('\n');
    return at;
}

/* What the marks mean, of those that there are. */
static void print_key(const char *marks, size_t size)
{
    static const struct {
        char mark;
        const char *meaning;
    } key[] = {{'~', "any of its kind"}, {'^', "any of a range"}, {'?', "not tried"}};
    bool any = false;
    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        if (!memchr(marks, key[k].mark, size)) continue;
        printf("%s%c %s", any ? "   " : "\n  ", key[k].mark, key[k].meaning);
        any = true;
    }
    if (any) putchar('\n');
}

/* A text of bytes is not shown: what is dots says nothing. */
static void print_marked(const pare_explanation *explanation)
{
    char marks[MOST_MARKED];
    const unsigned char *bytes = explanation->result.bytes;
    const size_t size = explanation->result.size_bytes;
    if (size > sizeof marks || is_binary(explanation)) return;
    mark_bytes(explanation, marks, size);
    putchar('\n');
    for (size_t at = 0; at < size; at++) {
        const unsigned char *end = memchr(bytes + at, '\n', size - at);
        const size_t next = end ? (size_t)(end - bytes) : size;
        do
            at += print_piece(bytes + at, marks + at, next - at);
        while (at < next);
    }
    print_key(marks, size);
}

/* "length from 3 on", "from 3 to 9", "up to 9", "from 2 on in a row". */
static void print_range(const pare_explained_part *part)
{
    const bool is_list = strcmp(part->sampled_as, "repeat") == 0;
    if (is_list && !part->has_low && !part->has_high) {
        fputs("any number in a row", stdout);
        return;
    }
    if (is_list && !part->has_high) {
        printf("%" PRIu64 " or more in a row", part->low);
        return;
    }
    if (strcmp(part->sampled_as, "string") == 0) fputs("length ", stdout);
    if (!part->has_low && !part->has_high) fputs("from 0", stdout);
    if (part->has_low) printf("from %" PRIu64, part->low);
    if (part->has_low && part->has_high) putchar(' ');
    if (part->has_high) printf("%s %" PRIu64, part->has_low ? "to" : "up to", part->high);
    if (!part->has_high) fputs(" on", stdout);
    if (is_list) fputs(" in a row", stdout);
}

/* The part with the smallest change that makes the failure go, as far as that is short, and one of its
 * first place; false where there is none to show.  "" is a part that is left out. */
static bool make_nearest(const pare_explanation *explanation, const pare_explained_part *part,
                         char *text, size_t capacity)
{
    const unsigned char *bytes = explanation->result.bytes;
    if (!part->near || part->near_from < part->from || part->near_to > part->to) return false;
    const size_t before = part->near_from - part->from, after = part->to - part->near_to;
    const size_t size = before + part->near_bytes + after;
    if (size >= capacity) return false;
    memcpy(text, bytes + part->from, before);
    memcpy(text + before, part->near, part->near_bytes);
    memcpy(text + before + part->near_bytes, bytes + part->near_to, after);
    text[size] = '\0';
    return true;
}

/* As far as there is room for it after `columns`. */
static void print_nearest(const pare_explanation *explanation, const pare_explained_part *part,
                          int columns)
{
    char text[PART_BYTES + 1], shown[PART_BYTES];
    if (!make_nearest(explanation, part, text, sizeof text)) return;
    const char *how = !*text ? "; left out" : part->n_places > 1 ? "; with one as " : "; as ";
    const char *what = part->fails ? " it does not" : " it does not fail";
    (void)pare_format_name(shown, sizeof shown, text);
    if (columns + (int)(strlen(how) + strlen(shown) + strlen(what)) <= PARE_SHEET_COLUMNS)
        printf("%s%s%s", how, shown, what);
}

static void print_verdict(const pare_explanation *explanation, const pare_explained_part *part)
{
    int columns = PLACE_COLUMNS;
    switch (part->verdict) {
    case PARE_PART_UNTRIED: fputs("not tried", stdout); break;
    case PARE_PART_NEEDED:
        if (part->fails)
            columns += printf("some others: %" PRIu32 " of %" PRIu32 " still fail", part->fails,
                              part->samples);
        else
            columns += printf("needed");
        break;
    case PARE_PART_ANY: printf("any %s%s", part->kind, part->has_low ? " but \"\"" : ""); break;
    case PARE_PART_RENAME:
        fputs("any name", stdout);
        if (part->n_places > 1) printf(" in %zu places", part->n_places);
        break;
    case PARE_PART_RANGE: print_range(part); break;
    }
    if (part->verdict == PARE_PART_UNTRIED) return;
    if (part->verdict == PARE_PART_NEEDED) {
        print_nearest(explanation, part, columns);
        return;
    }
    if (part->verdict == PARE_PART_RANGE) {
        printf(": %" PRIu32 " tried", part->samples);
        return;
    }
    printf(": %" PRIu32 " of %" PRIu32 " still fail", part->fails, part->samples);
}

/* What the digits of a whole number say. */
static uint64_t part_value(const pare_explanation *explanation, const pare_explained_part *part)
{
    uint64_t value = 0;
    for (size_t k = part->from; k < part->to; k++)
        value = value * 10 + (uint64_t)(explanation->result.bytes[k] - '0');
    return value;
}

/* The digits of a part's bytes, cut, and of a short number what it is. */
static const char *name_bytes(const pare_explanation *explanation, const pare_explained_part *part,
                              char shown[static PART_BYTES])
{
    const size_t most = PART_COLUMNS / 3 - 1; /* with the dots after them */
    size_t at = 0;
    for (size_t k = part->from; k < part->to && k < part->from + most; k++)
        at += (size_t)snprintf(shown + at, PART_BYTES - at, at ? " %02x" : "%02x",
                               explanation->result.bytes[k]);
    if (part->to - part->from > most) (void)snprintf(shown + at, PART_BYTES - at, "...");
    if (strcmp(part->sampled_as, "whole") == 0 && part->to - part->from <= 3)
        (void)snprintf(shown + at, PART_BYTES - at, " = %" PRIu64, part_value(explanation, part));
    return shown;
}

/* The text of a part, cut: for a list. */
static const char *name_part(const pare_explanation *explanation, const pare_explained_part *part,
                             char shown[static PART_BYTES])
{
    char text[PART_BYTES + 1]; /* one more than is shown, so that a cut is marked */
    size_t size = part->to - part->from;
    if (is_binary(explanation)) return name_bytes(explanation, part, shown);
    if (size > PART_BYTES) size = PART_BYTES;
    memcpy(text, explanation->result.bytes + part->from, size);
    text[size] = '\0';
    return pare_format_name(shown, PART_BYTES, text);
}

/* Where the part begins, and its text. */
static void print_place(const pare_explanation *explanation, const pare_explained_part *part,
                        size_t line)
{
    char shown[PART_BYTES], offset[24];
    (void)snprintf(offset, sizeof offset, "0x%zx", part->from);
    if (is_binary(explanation))
        printf("  at %-7s", offset);
    else
        printf("  line %-5zu", line);
    printf("%-*s  ", PART_COLUMNS, name_part(explanation, part, shown));
}

/* Parts by the line in which they begin. */
struct walk {
    const pare_explanation *explanation;
    size_t next, line, at;
};

/* The next part that is listed; NULL: there is none. */
static const pare_explained_part *walk_on(struct walk *walk)
{
    const pare_explanation *explanation = walk->explanation;
    while (walk->next < explanation->n_parts) {
        const pare_explained_part *part = &explanation->parts[walk->next++];
        if (!pare_essence_is_listed(part)) continue;
        for (; walk->at < part->from; walk->at++)
            walk->line += explanation->result.bytes[walk->at] == '\n';
        return part;
    }
    return NULL;
}

/* How many parts are listed with this verdict. */
static size_t count(const pare_explanation *explanation, pare_part_verdict verdict)
{
    size_t n = 0;
    for (size_t i = 0; i < explanation->n_parts; i++)
        n += pare_essence_is_listed(&explanation->parts[i]) &&
             explanation->parts[i].verdict == verdict;
    return n;
}

/* "name" or "name -> other": what is needed, in few columns. */
static void make_brief(const pare_explanation *explanation, const pare_explained_part *part,
                       char brief[static BRIEF_BYTES])
{
    char near[PART_BYTES + 1], shown[PART_BYTES], other[PART_BYTES];
    const bool has_near = make_nearest(explanation, part, near, sizeof near) && *near;
    (void)snprintf(brief, BRIEF_BYTES, "%s%s%s%s", name_part(explanation, part, shown),
                   part->fails ? " (or some others)" : "", has_near ? " -> " : "",
                   has_near ? pare_format_name(other, sizeof other, near) : "");
}

/* All that is needed of a text: a row for each line, or more where they are too many. */
static void print_needed(const pare_explanation *explanation)
{
    struct walk walk = {.explanation = explanation, .line = 1};
    size_t line = 0, columns = MARKED_COLUMNS;
    fputs("\n  Needed; after an arrow what passes in its place, where it is known:", stdout);
    for (const pare_explained_part *part; (part = walk_on(&walk));) {
        char brief[BRIEF_BYTES];
        if (part->verdict != PARE_PART_NEEDED) continue;
        make_brief(explanation, part, brief);
        if (walk.line != line || columns + 3 + strlen(brief) > MARKED_COLUMNS)
            columns = (size_t)printf("\n  line %-5zu%s", walk.line, brief) - 1;
        else
            columns += (size_t)printf("   %s", brief);
        line = walk.line;
    }
    putchar('\n');
}

/* Of bytes only where they are: a stretch goes on up to a part that is not needed. */
static void print_needed_bytes(const pare_explanation *explanation)
{
    struct walk walk = {.explanation = explanation, .line = 1};
    size_t columns = MARKED_COLUMNS, n_rows = 0, n_hidden = 0;
    fputs("\n  Needed, by first and last byte, with what was not varied between them:", stdout);
    for (const pare_explained_part *part = walk_on(&walk); part;) {
        char brief[BRIEF_BYTES];
        const size_t from = part->from;
        size_t to = part->to;
        const bool is_needed = part->verdict == PARE_PART_NEEDED;
        while ((part = walk_on(&walk)) && is_needed && part->verdict == PARE_PART_NEEDED)
            if (part->to > to) to = part->to;
        if (!is_needed) continue;
        (void)snprintf(brief, sizeof brief, to - from > 1 ? "0x%zx..0x%zx" : "0x%zx", from, to - 1);
        const bool is_row = columns + 1 + strlen(brief) > MARKED_COLUMNS;
        n_hidden += n_hidden || (is_row && n_rows == MOST_NEEDED_ROWS);
        if (n_hidden) continue;
        columns =
            is_row ? (size_t)printf("\n  %s", brief) - 1 : columns + (size_t)printf(" %s", brief);
        n_rows += is_row;
    }
    if (n_hidden) printf("\n  and %zu more: --json tells of each", n_hidden);
    putchar('\n');
}

/* A row for each part; of many only for those that may vary, which are the fewer ones and say more. */
static void print_parts(const pare_explanation *explanation)
{
    struct walk walk = {.explanation = explanation, .line = 1};
    const size_t n_needed = count(explanation, PARE_PART_NEEDED);
    const size_t n_untried = count(explanation, PARE_PART_UNTRIED);
    const bool is_long = explanation->n_parts > MOST_ROWS && n_needed + n_untried > MOST_ROWS / 2;
    bool any = false;
    for (const pare_explained_part *part; (part = walk_on(&walk));) {
        const bool varies = part->verdict != PARE_PART_NEEDED && part->verdict != PARE_PART_UNTRIED;
        if (is_long && !varies) continue;
        if (!any) putchar('\n');
        any = true;
        print_place(explanation, part, walk.line);
        print_verdict(explanation, part);
        putchar('\n');
    }
    if (is_long && n_needed && is_binary(explanation))
        print_needed_bytes(explanation);
    else if (is_long && n_needed)
        print_needed(explanation);
    if (is_long && n_untried)
        printf("\n  Not tried: %zu part%s.\n", n_untried, n_untried == 1 ? "" : "s");
}

/* What it says about all others of a kind that those which were tried fail: for the claims of the most
 * samples, and of the fewest. */
static void print_shares(const pare_explanation *explanation)
{
    uint32_t most = 0, fewest = UINT32_MAX;
    for (size_t i = 0; i < explanation->n_parts; i++) {
        const pare_explained_part *part = &explanation->parts[i];
        const bool is_any = part->verdict == PARE_PART_ANY || part->verdict == PARE_PART_RENAME;
        if (!is_any || part->fails < part->samples) continue;
        if (part->samples > most) most = part->samples;
        if (part->samples < fewest) fewest = part->samples;
    }
    if (!most) return;
    const double high = floor(100 * pare_explained_share(most, most));
    const double low = floor(100 * pare_explained_share(fewest, fewest));
    if (high <= low) most = fewest;
    printf("\n  Where %" PRIu32 " of %" PRIu32
           " still fail, %.0f %% or more of all do (95 %% sure)",
           most, most, high);
    if (low < high)
        printf(";\n  where %" PRIu32 " of %" PRIu32 ", %.0f %% or more", fewest, fewest, low);
    puts(".");
}

/* Whether tests were missed: those that would only have confirmed what is claimed are not. */
static bool is_incomplete(const pare_explanation *explanation)
{
    bool any = false;
    for (size_t i = 0; i < explanation->n_parts; i++)
        any = any || explanation->parts[i].verdict == PARE_PART_UNTRIED;
    return any;
}

/* The members of a group by what stands in the text, or by offsets, in as many lines as they take. */
static void print_group(const pare_explanation *explanation, uint32_t group)
{
    char shown[PART_BYTES];
    int columns =
        printf("  group %" PRIu32 "%s:", group, is_binary(explanation) ? ", by byte" : "");
    for (size_t i = 0; i < explanation->n_parts; i++) {
        const pare_explained_part *part = &explanation->parts[i];
        if (part->group != group) continue;
        if (is_binary(explanation))
            (void)snprintf(shown, sizeof shown, "0x%zx", part->from);
        else
            (void)name_part(explanation, part, shown);
        if (columns + 1 + (int)strlen(shown) > MARKED_COLUMNS) columns = printf("\n          ") - 1;
        columns += printf(" %s", shown);
    }
    putchar('\n');
}

static void print_groups(const pare_explanation *explanation)
{
    if (explanation->is_together) {
        fputs("\n  All that may vary may do so at once", stdout);
        if (explanation->joint_samples)
            printf(": %" PRIu32 " of %" PRIu32 " still fail", explanation->joint_fails,
                   explanation->joint_samples);
        puts(".");
        return;
    }
    puts("\n  Not all that may vary may do so at once; together may vary:");
    for (uint32_t group = 1; group <= explanation->n_groups; group++)
        print_group(explanation, group);
}

/* Tests that the explanation asked for, and the last runs of the text itself: not those that were run ahead
 * in vain. */
static uint64_t needed_tests(const pare_explanation *explanation)
{
    const pare_stats *stats = &explanation->result.stats;
    const uint64_t retired = stats->outcome_fail + stats->outcome_pass + stats->outcome_unresolved;
    const uint64_t needed = retired > stats->cache_hits ? retired - stats->cache_hits : 0;
    return (needed < stats->tests_run ? needed : stats->tests_run) + explanation->again_runs;
}

/* What is needed, in a sentence, before all else. */
static void print_essence(const pare_explanation *explanation)
{
    pare_buffer text = {0};
    const pare_status status = pare_essence_text(explanation, &text, NULL);
    if (!status && text.size) {
        fputs("  ", stdout);
        pare_format_wrap(stdout, text.data, 2, 2, PARE_SHEET_COLUMNS);
        putchar('\n');
    }
    pare_buffer_done(&text);
}

/* How many parts there are of each kind. */
static void print_sum(const pare_explanation *explanation)
{
    size_t n = 0, n_partly = 0, n_needed = count(explanation, PARE_PART_NEEDED);
    const size_t n_untried = count(explanation, PARE_PART_UNTRIED);
    for (size_t i = 0; i < explanation->n_parts; i++) {
        const pare_explained_part *part = &explanation->parts[i];
        n += pare_essence_is_listed(part);
        n_partly +=
            pare_essence_is_listed(part) && part->verdict == PARE_PART_NEEDED && part->fails;
    }
    const size_t n_varying = n - n_needed - n_untried;
    n_needed -= n_partly;
    if (n && n_needed == n)
        puts("  Nothing of it may vary: each part is needed as it is.");
    else if (n) {
        printf("  Of %zu part%s: %zu needed", n, n == 1 ? "" : "s", n_needed);
        if (n_partly) printf(", %zu may be replaced by some of the kind", n_partly);
        printf(", %zu may vary", n_varying);
        if (n_untried) printf(", %zu not tried", n_untried);
        puts(".");
    }
    if (explanation->again_fails < explanation->again_runs)
        printf("\n  Run again, the result itself fails in %" PRIu32 " of %" PRIu32
               " runs: by chance, or the machine\n"
               "  is too busy for the test.  Some of what is told as needed may not be.\n",
               explanation->again_fails, explanation->again_runs);
}

/* What was not varied, by itself where it is short.  It follows what is needed, which without it would
 * read as if that were all. */
static void print_rest(const pare_explanation *explanation)
{
    char rest[REST_BYTES], sentence[PARE_ESSENCE_SIGNS_BYTES];
    char text[REST_BYTES + PARE_ESSENCE_SIGNS_BYTES + 2];
    if (!pare_page_texts_find_rest(explanation, rest, sizeof rest)) return;
    pare_essence_signs(explanation, is_binary(explanation), sentence);
    const bool is_shown = *rest && !is_binary(explanation);
    (void)snprintf(text, sizeof text, "%s%s%s", sentence, is_shown ? ":" : ".",
                   is_shown ? rest : "");
    fputs("  ", stdout);
    pare_format_wrap(stdout, text, 2, 2, PARE_SHEET_COLUMNS);
}

static void print_explanation(const pare_settings *settings, const pare_explanation *explanation)
{
    char shown[SHOWN_BYTES];
    const pare_stats *stats = &explanation->result.stats;
    printf("%s: %zu bytes, %" PRIu64 " test%s\n",
           pare_format_name(shown, sizeof shown, settings->reduce.input.path),
           explanation->result.size_bytes, needed_tests(explanation),
           needed_tests(explanation) == 1 ? "" : "s");
    print_essence(explanation);
    print_rest(explanation);
    print_sum(explanation);
    print_marked(explanation);
    print_parts(explanation);
    if (explanation->is_together_known) print_groups(explanation);
    print_shares(explanation);
    if (stats->stopped == PARE_STOPPED_BUDGET && is_incomplete(explanation))
        puts("\n  The tests or the time are spent: --max-tests N and --max-time TIME allow more.");
    else if (stats->stopped == PARE_STOPPED_INTERRUPTED)
        puts("\n  Interrupted: what was not tried is told as such.");
}

/* ---- at the end of a reduction -------------------------------------------------------- */

/* Where the original is: a result that has replaced its input has it beside it. */
static pare_status name_original(const pare_settings *settings, pare_buffer *path,
                                 pare_readable *readable, pare_error *err)
{
    const pare_input_options *input = &settings->reduce.input;
    readable->original = input->bytes;
    readable->original_bytes = input->size_bytes;
    if (input->bytes) return PARE_OK;
    pare_status status = pare_buffer_format(path, err, "%s.orig", input->path);
    const bool is_kept = !status && settings->in_place && access(path->data, F_OK) == 0;
    readable->original_path = is_kept ? path->data : input->path;
    return status;
}

/* Lines are whole, to be copied.  What cannot be seen is a dot, as in print_piece. */
static void print_readable(const pare_readable *readable)
{
    const unsigned char *bytes = (const unsigned char *)readable->bytes;
    if (!bytes || readable->size_bytes > MOST_MARKED) return;
    fputs("\n  Laid out as the input was, it still fails:\n\n  ", stdout);
    for (size_t k = 0, length; k < readable->size_bytes; k += length) {
        bool shown;
        length = character_of(bytes + k, readable->size_bytes - k, &shown);
        if (bytes[k] == '\n')
            fputs(k + 1 == readable->size_bytes ? "" : "\n  ", stdout);
        else if (shown)
            (void)fwrite(bytes + k, 1, length, stdout); /* told by pare_report_printed */
        else
            putchar('.');
    }
    putchar('\n');
}

pare_exit pare_command_explain_result(const pare_settings *settings, const pare_result *result)
{
    pare_console *console = pare_console_of(settings);
    pare_exit code = PARE_EXIT_DONE;
    pare_reduce_options options = settings->reduce;
    pare_explanation explanation = {0};
    pare_readable readable = {0};
    pare_buffer original = {0}; /* its path */
    pare_error err = {0};
    const char *path = options.input.path ? options.input.path : options.input.name;
    const char *slash = path ? strrchr(path, '/') : NULL;
    pare_status status = name_original(settings, &original, &readable, &err);
    options.input = (pare_input_options){
        .bytes = result->bytes, .size_bytes = result->size_bytes, .name = slash ? slash + 1 : path};
    options.output = (pare_output_options){.path = NULL};
    options.limits = (pare_limit_options){.jobs = options.limits.jobs};
    options.events = (pare_event_options){.stop = options.events.stop};
    if (!status) status = pare_explain(&options, &explanation, &err);
    if (!status) print_explanation(settings, &explanation);
    if (!status) status = pare_explain_readable(&options, &readable, &err);
    if (!status) print_readable(&readable);
    if (!status && settings->report_path) {
        console->explanation = &explanation;
        console->readable = &readable;
        code = pare_console_write_report(console, result);
        console->explanation = NULL;
        console->readable = NULL;
    }
    pare_readable_done(&readable);
    pare_explanation_done(&explanation);
    pare_buffer_done(&original);
    if (status) return pare_report_failure(console->command, &err);
    return code ? code : pare_report_printed(console->command);
}

/* ---- the command ---------------------------------------------------------------------- */

static pare_status check_operands(const pare_arguments *arguments, pare_error *err)
{
    const bool program = pare_settings_is_program(arguments);
    const size_t wanted = program ? 1 : 2;
    const size_t n = program ? arguments->n_before_dashes : arguments->n_operands;
    if (n == wanted) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "%s: pare explain RESULT %s",
                     n < wanted ? "an operand is missing" : "there are too many operands",
                     program ? "[options] -- PROGRAM ARGS" : "TEST [options]");
}

static pare_status read_job(const pare_arguments *arguments, pare_settings *settings,
                            pare_error *err)
{
    pare_status status = check_operands(arguments, err);
    if (status) return status;
    const bool program = pare_settings_is_program(arguments);
    const char *result = arguments->operands[0];
    const char *test = program ? NULL : arguments->operands[1];
    if (strcmp(result, "-") == 0)
        return pare_fail(err, PARE_E_ARG,
                         "'-' is standard input for 'pare reduce' only: save it to a file");
    if (test) status = pare_settings_check_test(arguments, err);
    if (!status) status = pare_settings_read(arguments, test, result, settings, err);
    if (!status && program)
        status = pare_settings_read_program(arguments, arguments->operands + 1,
                                            arguments->n_operands - 1, settings, err);
    /* The check's own sentence is that of commands whose TEST comes first. */
    if (!status && test && pare_settings_check_order(test, result, NULL))
        status = pare_fail(err, PARE_E_ARG, "RESULT comes first, and then TEST: swap them");
    return status;
}

/* What is shown of the run itself is its progress, and only on a terminal. */
static pare_exit run(pare_console *console, pare_settings *settings, bool as_json)
{
    pare_explanation explanation = {0};
    pare_error err = {0};
    pare_status status = pare_explain(&settings->reduce, &explanation, &err);
    settings->verbosity = PARE_QUIET; /* no summary: nothing was reduced */
    if (!status) console->explanation = &explanation;
    pare_exit code = pare_console_finish(console, status, &err, &explanation.result, NULL);
    if (!status && as_json)
        status = pare_explain_json_print(&explanation, &settings->reduce.trees,
                                         needed_tests(&explanation), stdout, &err);
    else if (!status)
        print_explanation(settings, &explanation);
    if (status && !code) {
        pare_report_error(NAME, &err);
        code = pare_report_exit(status);
    }
    console->explanation = NULL;
    pare_explanation_done(&explanation);
    return code;
}

/* Refuses what would overwrite the result or the test. */
static pare_status check_files(const pare_arguments *arguments, const pare_settings *settings,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < arguments->n_operands; i++)
        status = pare_settings_check_written(settings, arguments->operands[i], err);
    return status;
}

/* Whatever was read is released, however far that came. */
static pare_exit explain_by(const pare_arguments *arguments)
{
    pare_settings settings = {0};
    pare_console console = {0};
    pare_error err = {0};
    pare_exit code = PARE_EXIT_DONE;
    pare_status status = read_job(arguments, &settings, &err);
    if (!status) {
        settings.reduce.output.path = NULL;
        settings.reduce.output.journal_dir = NULL;
        if (!isatty(STDOUT_FILENO)) settings.verbosity = PARE_QUIET;
        status = check_files(arguments, &settings, &err);
        if (!status) status = pare_console_open(&console, NAME, &settings, &err);
        if (!status) code = run(&console, &settings, arguments->values[PARE_OPT_JSON].position > 0);
        code = pare_console_close(&console, code);
    }
    if (status) {
        pare_report_error(NAME, &err);
        code = pare_report_exit(status);
    }
    pare_settings_done(&settings);
    return code;
}

/* Says which test is run, as a shell would take it. */
static pare_status tell_test(const pare_arguments *arguments, pare_error *err)
{
    char shown[SHOWN_BYTES];
    pare_buffer line = {0};
    const bool is_program = pare_settings_is_program(arguments);
    pare_status status = PARE_OK;
    for (size_t i = 1; !status && i < arguments->n_operands; i++) {
        if (i > 1) status = pare_buffer_text(&line, " ", err);
        if (!status) status = pare_shell_add_word(&line, arguments->operands[i], err);
    }
    if (!status)
        (void)fprintf(stderr, "%s: by the %s of its reduction: %s\n", NAME,
                      is_program ? "program" : "test",
                      pare_format_name(shown, sizeof shown, line.data));
    pare_buffer_done(&line);
    return status;
}

/* With the test of the reduction where none is named; it is said which, as it is run. */
static pare_exit explain(const pare_arguments *arguments)
{
    static const pare_option_set set = {pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_EXPLAIN};
    pare_noted_words recalled = {.n = 0};
    pare_arguments whole = {0};
    pare_error err = {0};
    if (arguments->n_operands != 1 || pare_settings_is_program(arguments))
        return explain_by(arguments);
    pare_status status = pare_command_note_recall(arguments, &recalled, &err);
    if (!status) status = pare_options_parse(&set, (int)recalled.n, recalled.words, &whole, &err);
    if (!status) status = tell_test(&whole, &err);
    if (status) pare_report_error(NAME, &err);
    const pare_exit code = status ? pare_report_exit(status) : explain_by(&whole);
    pare_options_done(&whole);
    pare_command_note_done(&recalled);
    return code;
}

const pare_command pare_command_explain = {
    .title = NAME,
    .name = "explain",
    .summary = "show which parts of a result matter and which may vary",
    .options = {pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_EXPLAIN},
    .help = print_help,
    .run = explain,
};
