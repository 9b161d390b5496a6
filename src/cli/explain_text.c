/* An explanation as text, in lines of 80 columns.
 *
 * The failure comes first, since a reader may have nothing but this text; then a sentence about
 * what is needed; then the text, or the digits of its bytes, with marks below; then a row for each
 * part; then what may vary at once, and how far the tests allow conclusions about all other
 * variants.
 *
 * Invariant: bytes of the result, the test or its programs are printed visibly and move no cursor
 * (pare_format_name).  Tested by tests/cli/test_explain.sh. */
#include "cli/explain_text.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <pare/pare.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "cli/explain_picture.h"
#include "ui/essence.h"
#include "ui/format.h"
#include "ui/part_words.h"
#include "ui/sheet.h"

enum {
    SHOWN_BYTES = 256,
    PART_COLUMNS = 18, /* of a part in the list; what is longer is cut */
    PART_BYTES = PART_COLUMNS + 1,
    BRIEF_BYTES = 2 * PART_BYTES + 24, /* of one with what passes in its place */
    MARKED_COLUMNS = 76,
    PLACE_COLUMNS = 16 + PART_COLUMNS, /* of where a part is, and of its text */
    MOST_TOLD = 7,                     /* others that are told of a part that may vary */
    MOST_NEEDED_ROWS = 6,              /* of stretches of bytes */
    MOST_ROWS = 24,      /* of a list with a row for each part; else only what varies has one */
    PROGRAM_BYTES = 600, /* of what one program of the test did */
    SCRIPT_BYTES = 64 << 10,
    LONG_ALLOWED =
        24, /* columns of what may stand there; after more the counts have a line of their own */
    SCRIPT_LINES = 4 /* of the end of a test script */
};

/* ---- the failure ---------------------------------------------------------------------- */

/* A line from outside, cut to a row, after four blanks.  Tabs become blanks, as an
 * escape for each would take the room of the text. */
static void print_foreign(const char *text, size_t size)
{
    char line[SHOWN_BYTES], shown[MARKED_COLUMNS + 1];
    if (size >= sizeof line) size = sizeof line - 1;
    memcpy(line, text, size);
    line[size] = '\0';
    for (char *at = line; *at; at++)
        if (*at == '\t') *at = ' ';
    printf("    %s\n", pare_format_name(shown, sizeof shown, line));
}

/* Whether the line of a script says anything to a reader: it is neither empty nor a
 * comment.  `line` ends with a line end or a NUL. */
static bool is_telling(const char *line, size_t size)
{
    const size_t blank = strspn(line, " \t");
    return blank < size && line[blank] != '#';
}

/* The last SCRIPT_LINES lines of a script that say something: there it usually decides.
 * The two arrays are a ring, so that a script is read once. */
static void print_script_end(const char *text, size_t size)
{
    const char *begins[SCRIPT_LINES];
    size_t sizes[SCRIPT_LINES], n = 0;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t next = end ? (size_t)(end - text) : size;
        if (is_telling(text + at, next - at)) {
            begins[n % SCRIPT_LINES] = text + at;
            sizes[n++ % SCRIPT_LINES] = next - at;
        }
        at = next + 1;
    }
    if (!n) return;
    puts(n > SCRIPT_LINES ? "  The test ends with:" : "  The test is:");
    for (size_t k = n > SCRIPT_LINES ? n - SCRIPT_LINES : 0; k < n; k++)
        print_foreign(begins[k % SCRIPT_LINES], sizes[k % SCRIPT_LINES]);
}

/* Of a test that is a script.  A program says nothing to a reader, nor does one that cannot be read. */
static void print_script(const char *path)
{
    struct stat about;
    pare_buffer text = {0};
    /* Of a larger file it is no script that somebody reads. */
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= SCRIPT_BYTES
                     ? fopen(path, "rbe")
                     : NULL;
    if (!file) return;
    if (!pare_buffer_reserve(&text, SCRIPT_BYTES, NULL)) {
        const size_t size = fread(text.data, 1, SCRIPT_BYTES, file);
        text.data[size] = '\0';
        /* A file that begins with "#!" and has no NUL is a script; a program that was
         * compiled says nothing here. */
        if (size > 2 && memcmp(text.data, "#!", 2) == 0 && !memchr(text.data, '\0', size))
            print_script_end(text.data, size);
    }
    fclose(file);
    pare_buffer_done(&text);
}

/* A sentence from outside, in as many lines as it takes. */
static void print_whole(const char *text, size_t size)
{
    char line[PROGRAM_BYTES], shown[PROGRAM_BYTES];
    (void)snprintf(line, sizeof line, "%.*s", (int)size, text);
    fputs("    ", stdout);
    pare_format_wrap(stdout, pare_format_name(shown, sizeof shown, line), 6, 4, PARE_SHEET_COLUMNS);
}

/* Each line of `lines`, which may be broken where it is long. */
static void print_lines(const char *lines)
{
    while (*lines) {
        const size_t size = strcspn(lines, "\n");
        print_whole(lines, size);
        lines += size + (lines[size] == '\n');
    }
}

/* What fails, and how: of a program its signature, of a test what its programs did. */
static void print_failure(const pare_settings *settings, const pare_explanation *explanation)
{
    const char *test = settings->reduce.test.command;
    if (explanation->result.signature) {
        puts("  It fails with:");
        print_whole(explanation->result.signature, strlen(explanation->result.signature));
    }
    if (test) {
        puts("  It makes this test exit with 0:");
        print_foreign(test, strlen(test));
    }
    if (explanation->programs) {
        puts("  In the test:");
        print_lines(explanation->programs);
    }
    if (test) print_script(test);
}

/* ---- parts ---------------------------------------------------------------------------- */

/* What a range allows: "length from 3 on", "from 3 to 9", "up to 9", "2 or more in a
 * row". */
static void print_range(const pare_explained_part *part)
{
    const bool is_list = strcmp(part->sampled_as, "repeat") == 0;
    const char *low = pare_part_words_about(part->is_low_vague);
    const char *high = pare_part_words_about(part->is_high_vague);
    if (is_list && !part->has_low && !part->has_high) {
        fputs("any number in a row", stdout);
        return;
    }
    if (is_list && !part->has_high) {
        printf("%s%" PRIu64 " or more in a row", low, part->low);
        return;
    }
    if (strcmp(part->sampled_as, "string") == 0) fputs("length ", stdout);
    if (!part->has_low && !part->has_high) fputs("from 0", stdout);
    if (part->has_low) printf("from %s%" PRIu64, low, part->low);
    if (part->has_low && part->has_high) putchar(' ');
    if (part->has_high) printf("%s %s%" PRIu64, part->has_low ? "to" : "up to", high, part->high);
    if (!part->has_high) fputs(" on", stdout);
    if (is_list) fputs(" in a row", stdout);
}

/* Makes the part with the smallest change that makes the failure go, as far as that is
 * short, and one of its first place; false where there is none to show.  "" is a part
 * that is left out.
 * Of "29" with bytes 1 .. 2 changed to "8" it is "28"; of bytes it is the digits of
 * that. */
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
    if (!size || !pare_part_words_is_binary(explanation)) return true;
    /* Shown as digits, three columns for each byte, it may be cut. */
    char digits[PART_BYTES + 1];
    const pare_explained_other other = {.text = text, .bytes = size};
    pare_part_words_other(explanation, &other, digits, sizeof digits);
    (void)snprintf(text, capacity, "%s", digits);
    return true;
}

/* "; as 30 it does not fail", as far as there is room for it after `columns`: a row
 * that is too wide is worse than one that says less. */
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

/* "needed: 9 others do not fail, as qclass"; what one try says is told apart. */
static void print_needed_part(const pare_explanation *explanation, const pare_explained_part *part)
{
    char text[PART_BYTES + 1], shown[PART_BYTES];
    int columns = PLACE_COLUMNS;
    if (part->samples < 2) {
        columns += printf("needed, by one try");
        print_nearest(explanation, part, columns);
        return;
    }
    columns += printf("needed%s: %" PRIu32 " others do not fail",
                      part->fails ? ", in either case" : "", part->samples - part->fails);
    if (!make_nearest(explanation, part, text, sizeof text)) return;
    (void)pare_format_name(shown, sizeof shown, text);
    const char *how = !*text               ? "; nor left out"
                      : part->n_places > 1 ? "; nor with one as "
                                           : ", such as ";
    if (columns + (int)(strlen(how) + strlen(shown)) <= PARE_SHEET_COLUMNS)
        printf("%s%s", how, shown);
}

/* Whether the other is told in a line of those that fail, or do not.  That which is the
 * nearest change stands in the row itself, and is not told again. */
static bool is_told(const pare_explanation *explanation, const pare_explained_part *part,
                    const pare_explained_other *other, bool fails)
{
    const unsigned char *bytes = explanation->result.bytes;
    if (other->fails != fails) return false;
    if (fails || pare_part_words_is_partly(explanation, part) ||
        part->verdict != PARE_PART_NEEDED || !part->near)
        return true;
    /* That which is nearest stands in the row itself.  What the part would be with the
     * nearest change: its start, the new bytes, its end. */
    const size_t before = part->near_from - part->from, after = part->to - part->near_to;
    return part->near_from < part->from || part->near_to > part->to ||
           other->bytes != before + part->near_bytes + after ||
           memcmp(other->text, bytes + part->from, before) != 0 ||
           memcmp(other->text + before, part->near, part->near_bytes) != 0;
}

/* In a line of its own those others with which it fails, or does not; as many as there
 * is room for, or `most`, and "..." for the rest.  Nothing where there is none. */
static void print_others(const pare_explanation *explanation, const pare_explained_part *part,
                         bool fails, size_t most)
{
    int columns = PLACE_COLUMNS;
    size_t n = 0;
    for (size_t k = 0; k < part->n_others; k++) {
        char shown[PART_BYTES];
        if (!is_told(explanation, part, &part->others[k], fails)) continue;
        pare_part_words_other(explanation, &part->others[k], shown, sizeof shown);
        if (!n)
            columns = printf("\n%*s%s", PLACE_COLUMNS, "", fails ? "fails with:" : "not with:") - 1;
        /* 4: " ...", which may have to follow. */
        if (n == most || (n && columns + 1 + (int)strlen(shown) + 4 > PARE_SHEET_COLUMNS)) {
            fputs(" ...", stdout);
            return;
        }
        /* A blank between digits is none between texts. */
        const char *link = n && pare_part_words_is_binary(explanation) ? ", " : " ";
        columns += printf("%s%s", link, shown);
        n++;
    }
}

/* "any name in 2 places: 59 of 59 still fail", in two lines where that is too long. */
static void print_allowed(const pare_explained_part *part)
{
    char allowed[PARE_PART_WORDS_BYTES], counts[64];
    pare_part_words_allowed(part, allowed);
    int columns = PLACE_COLUMNS + printf("%s", allowed);
    if (part->n_places > 1) columns += printf(" in %zu places", part->n_places);
    const int n = snprintf(counts, sizeof counts, "%" PRIu32 " of %" PRIu32 " still fail",
                           part->fails, part->samples);
    if (columns + 2 + n > PARE_SHEET_COLUMNS)
        printf("\n%*s%s", PLACE_COLUMNS, "", counts);
    else
        printf(": %s", counts);
}

/* What may stand there, and what was tried of it, in the place after the part's text.
 * Among many parts those that are needed have no line of their own for others. */
static void print_verdict(const pare_explanation *explanation, const pare_explained_part *part,
                          bool is_long)
{
    const size_t most = is_long ? MOST_TOLD / 2 : MOST_TOLD;
    const bool is_partly = pare_part_words_is_partly(explanation, part);
    switch (part->verdict) {
    case PARE_PART_UNTRIED: fputs("not tried", stdout); return;
    case PARE_PART_NEEDED:
        if (is_partly)
            printf("some others: %" PRIu32 " of %" PRIu32 " still fail", part->fails,
                   part->samples);
        else
            print_needed_part(explanation, part);
        break;
    case PARE_PART_ANY:
    case PARE_PART_RENAME: print_allowed(part); break;
    case PARE_PART_RANGE:
        print_range(part);
        /* 40: about what the range itself takes. */
        print_nearest(explanation, part,
                      PLACE_COLUMNS + 40 + printf(": %" PRIu32 " tried", part->samples));
        break;
    }
    if (is_partly || part->verdict != PARE_PART_NEEDED) print_others(explanation, part, true, most);
    print_others(explanation, part, false, MOST_TOLD);
}

/* The number that the digits of a part are; other bytes are not looked for, as it is
 * sampled as a whole number. */
static uint64_t part_value(const pare_explanation *explanation, const pare_explained_part *part)
{
    uint64_t value = 0;
    for (size_t k = part->from; k < part->to; k++)
        value = value * 10 + (uint64_t)(explanation->result.bytes[k] - '0');
    return value;
}

/* The digits of a part's bytes, cut, and of a short number what it is as text. */
static const char *name_bytes(const pare_explanation *explanation, const pare_explained_part *part,
                              char shown[static PART_BYTES])
{
    const pare_explained_other own = {.text = (const char *)explanation->result.bytes + part->from,
                                      .bytes = part->to - part->from};
    pare_part_words_other(explanation, &own, shown, PART_BYTES);
    const size_t at = strlen(shown);
    /* More digits leave no room for it. */
    if (pare_part_words_is_sampled_as(part, "whole") && own.bytes <= 3)
        (void)snprintf(shown + at, PART_BYTES - at, " = \"%" PRIu64 "\"",
                       part_value(explanation, part));
    return shown;
}

/* The text of a part, cut: for a list. */
static const char *name_part(const pare_explanation *explanation, const pare_explained_part *part,
                             char shown[static PART_BYTES])
{
    char text[PART_BYTES + 1]; /* one more than is shown, so that a cut is marked */
    /* The rest of a long part is not read. */
    size_t size = part->to - part->from;
    if (pare_part_words_is_binary(explanation)) return name_bytes(explanation, part, shown);
    if (size > PART_BYTES) size = PART_BYTES;
    memcpy(text, explanation->result.bytes + part->from, size);
    text[size] = '\0';
    return pare_format_name(shown, PART_BYTES, text);
}

/* Prints where the part begins, and its text, in columns that are the same for all
 * rows. */
static void print_place(const pare_explanation *explanation, const pare_explained_part *part)
{
    char shown[PART_BYTES], place[40];
    pare_part_words_place(explanation, part->from, place, sizeof place);
    const bool is_binary = pare_part_words_is_binary(explanation);
    /* What is before the text has the same width for all rows: "line 12:4     " or "at
     * 0x1f       ". */
    const int columns = PLACE_COLUMNS - PART_COLUMNS - (is_binary ? 7 : 9);
    printf("  %s %-*s%-*s  ", is_binary ? "at" : "line", columns, place, PART_COLUMNS,
           name_part(explanation, part, shown));
}

/* Goes over the parts that are listed and keeps the line that each begins in: O(bytes)
 * for all of them.  `at` is how far lines were counted, `next` the next part. */
struct walk {
    const pare_explanation *explanation;
    size_t next, line, at;
};

/* The next part that is listed; NULL: there is none.  Lines are counted on from the
 * part before, since parts stand in the order of the text. */
static const pare_explained_part *walk_on(struct walk *walk)
{
    const pare_explanation *explanation = walk->explanation;
    while (walk->next < explanation->n_parts) {
        const pare_explained_part *part = &explanation->parts[walk->next++];
        if (!pare_part_words_is_listed(part)) continue;
        assert(part->from <= explanation->result.size_bytes);
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
        n += pare_part_words_is_listed(&explanation->parts[i]) &&
             explanation->parts[i].verdict == verdict;
    return n;
}

/* Copies the first of the others that passes, where it is short: of a name in several
 * places no nearer one is known.  False: there is none. */
static bool make_passing(const pare_explained_part *part, char *text, size_t capacity)
{
    for (size_t k = 0; k < part->n_others; k++) {
        const pare_explained_other *other = &part->others[k];
        if (other->fails || !other->bytes || other->bytes >= capacity) continue;
        memcpy(text, other->text, other->bytes);
        text[other->bytes] = '\0';
        return true;
    }
    return false;
}

/* "name" or "name -> other": what is needed, and what passes in its place, in few
 * columns.
 * A part of which a single other one was tried is marked with (1), since that is weak
 * evidence. */
static void make_brief(const pare_explanation *explanation, const pare_explained_part *part,
                       char brief[static BRIEF_BYTES])
{
    char near[PART_BYTES + 1], shown[PART_BYTES], other[PART_BYTES];
    const bool has_near = make_nearest(explanation, part, near, sizeof near)
                              ? *near != '\0'
                              : make_passing(part, near, sizeof near);
    (void)snprintf(brief, BRIEF_BYTES, "%s%s%s%s", name_part(explanation, part, shown),
                   part->samples == 1 ? " (1)" : "", has_near ? " -> " : "",
                   has_near ? pare_format_name(other, sizeof other, near) : "");
}

/* All that is needed of a text, by lines: "  line 12    foo -> bar   29 (1)", in
 * another row where they are too many.  Pieces that some others may replace have a row
 * of their own elsewhere. */
static void print_needed(const pare_explanation *explanation)
{
    struct walk walk = {.explanation = explanation, .line = 1};
    /* Full, so that the first part begins a row. */
    size_t line = 0, columns = MARKED_COLUMNS;
    fputs("\n  Needed; after an arrow what passes in its place; (1): tried once only:", stdout);
    for (const pare_explained_part *part; (part = walk_on(&walk));) {
        char brief[BRIEF_BYTES];
        if (part->verdict != PARE_PART_NEEDED || pare_part_words_is_partly(explanation, part))
            continue; /* it has a row */
        make_brief(explanation, part, brief);
        if (walk.line != line || columns + 3 + strlen(brief) > MARKED_COLUMNS)
            columns = (size_t)printf("\n  line %-5zu%s", walk.line, brief) - 1;
        else
            columns += (size_t)printf("   %s", brief);
        line = walk.line;
    }
    putchar('\n');
}

/* Of bytes only where they are: "0x10..0x1f 0x22".  A stretch goes on up to a part that
 * is not needed, and so has what lies between parts in it. */
static void print_needed_bytes(const pare_explanation *explanation)
{
    struct walk walk = {.explanation = explanation, .line = 1};
    size_t columns = MARKED_COLUMNS, n_rows = 0, n_hidden = 0;
    fputs("\n  Needed, by first and last byte, with what was not varied between them:", stdout);
    for (const pare_explained_part *part = walk_on(&walk); part;) {
        char brief[BRIEF_BYTES];
        const size_t from = part->from;
        /* Reads on until a part may vary; what was needed by then is one stretch. */
        size_t to = part->to;
        const bool is_needed = part->verdict == PARE_PART_NEEDED;
        while ((part = walk_on(&walk)) && is_needed && part->verdict == PARE_PART_NEEDED)
            if (part->to > to) to = part->to;
        if (!is_needed) continue;
        (void)snprintf(brief, sizeof brief, to - from > 1 ? "0x%zx..0x%zx" : "0x%zx", from, to - 1);
        const bool is_row = columns + 1 + strlen(brief) > MARKED_COLUMNS;
        /* Once one is hidden, all after it are, too. */
        n_hidden += n_hidden || (is_row && n_rows == MOST_NEEDED_ROWS);
        if (n_hidden) continue;
        columns =
            is_row ? (size_t)printf("\n  %s", brief) - 1 : columns + (size_t)printf(" %s", brief);
        n_rows += is_row;
    }
    if (n_hidden) printf("\n  and %zu more: --json lists each", n_hidden);
    putchar('\n');
}

/* A row for each part; of many only for those that may vary, which are the fewer ones
 * and say more.  What is needed then follows in a denser list. */
static void print_parts(const pare_explanation *explanation)
{
    struct walk walk = {.explanation = explanation, .line = 1};
    const size_t n_needed = count(explanation, PARE_PART_NEEDED);
    const size_t n_untried = count(explanation, PARE_PART_UNTRIED);
    /* Few parts have a row each, also where most of them are needed: that is easier to
     * read. */
    const bool is_long = explanation->n_parts > MOST_ROWS && n_needed + n_untried > MOST_ROWS / 2;
    bool any = false;
    /* A part of which some of the kind will do varies, too. */
    for (const pare_explained_part *part; (part = walk_on(&walk));) {
        const bool varies = part->verdict == PARE_PART_NEEDED
                                ? pare_part_words_is_partly(explanation, part)
                                : part->verdict != PARE_PART_UNTRIED;
        if (is_long && !varies) continue;
        if (!any) putchar('\n');
        any = true;
        print_place(explanation, part);
        print_verdict(explanation, part, is_long);
        putchar('\n');
    }
    if (is_long && n_needed && pare_part_words_is_binary(explanation))
        print_needed_bytes(explanation);
    else if (is_long && n_needed)
        print_needed(explanation);
    if (is_long && n_untried)
        printf("\n  Not tried: %zu part%s.\n", n_untried, n_untried == 1 ? "" : "s");
}

/* What it says about all others of a kind that those which were tried fail: for the
 * claims of the most samples, and of the fewest, unless both say the same. */
static void print_shares(const pare_explanation *explanation)
{
    uint32_t most = 0, fewest = UINT32_MAX;
    for (size_t i = 0; i < explanation->n_parts; i++) {
        const pare_explained_part *part = &explanation->parts[i];
        const bool is_any = part->verdict == PARE_PART_ANY || part->verdict == PARE_PART_RENAME;
        /* A kind of which some passed is no claim about all. */
        if (!is_any || part->fails < part->samples) continue;
        if (part->samples > most) most = part->samples;
        if (part->samples < fewest) fewest = part->samples;
    }
    if (!most) return;
    const double high = floor(100 * pare_explained_share(most, most));
    const double low = floor(100 * pare_explained_share(fewest, fewest));
    /* Both shares are the same when rounded: the weaker claim stands for all. */
    if (high <= low) most = fewest;
    printf("\n  Where %" PRIu32 " of %" PRIu32
           " still fail, %.0f %% or more of all do (95 %% sure)",
           most, most, high);
    if (low < high)
        printf(";\n  where %" PRIu32 " of %" PRIu32 ", %.0f %% or more", fewest, fewest, low);
    puts(".");
}

/* The members of a group by what stands in the text, or by offsets, in as many lines as they take. */
static void print_group(const pare_explanation *explanation, uint32_t group)
{
    char shown[PART_BYTES];
    int columns = printf("  group %" PRIu32 "%s:", group,
                         pare_part_words_is_binary(explanation) ? ", by byte" : "");
    for (size_t i = 0; i < explanation->n_parts; i++) {
        const pare_explained_part *part = &explanation->parts[i];
        if (part->group != group) continue;
        if (pare_part_words_is_binary(explanation))
            (void)snprintf(shown, sizeof shown, "0x%zx", part->from);
        else
            (void)name_part(explanation, part, shown);
        /* The next line begins below the first member. */
        if (columns + 1 + (int)strlen(shown) > MARKED_COLUMNS) columns = printf("\n          ") - 1;
        columns += printf(" %s", shown);
    }
    putchar('\n');
}

/* What may vary at once: everything, or groups, each of which was varied together. */
static void print_groups(const pare_explanation *explanation)
{
    if (explanation->is_together) {
        fputs("\n  Everything that may vary may do so at once", stdout);
        if (explanation->joint_samples)
            printf(": %" PRIu32 " of %" PRIu32 " still fail", explanation->joint_fails,
                   explanation->joint_samples);
        puts(".");
        return;
    }
    puts("\n  Not everything that may vary may do so at once; these may vary together:");
    for (uint32_t group = 1; group <= explanation->n_groups; group++)
        print_group(explanation, group);
}

/* Prints a paragraph, after an empty line; nothing where there is nothing to be told.
 * Without memory there is none, either: the rest is printed all the same. */
static void print_paragraph(const pare_explanation *explanation,
                            pare_status (*tell)(const pare_explanation *explanation,
                                                pare_buffer *out, pare_error *err))
{
    pare_buffer text = {0};
    const pare_status status = tell(explanation, &text, NULL);
    if (!status && text.size) {
        fputs("\n  ", stdout);
        pare_format_wrap(stdout, text.data, 2, 2, PARE_SHEET_COLUMNS);
    }
    pare_buffer_done(&text);
}

/* Prints how many parts there are of each kind, and a warning where the result itself
 * does not fail each time: then the verdicts are less sure than they look. */
static void print_sum(const pare_explanation *explanation)
{
    size_t n = 0, n_partly = 0, n_needed = count(explanation, PARE_PART_NEEDED);
    const size_t n_untried = count(explanation, PARE_PART_UNTRIED);
    for (size_t i = 0; i < explanation->n_parts; i++) {
        const pare_explained_part *part = &explanation->parts[i];
        n += pare_part_words_is_listed(part);
        n_partly += pare_part_words_is_listed(part) && pare_part_words_is_partly(explanation, part);
    }
    /* Parts of which some of the kind will do are counted by themselves, so that the
     * numbers add up. */
    const size_t n_varying = n - n_needed - n_untried;
    n_needed -= n_partly;
    if (n && n_needed == n)
        puts("  No part of it may vary: each is needed as it is.");
    else if (n) {
        printf("  Of %zu part%s: %zu needed", n, n == 1 ? "" : "s", n_needed);
        if (n_partly) printf(", %zu may be replaced by some of the kind", n_partly);
        printf(", %zu may vary", n_varying);
        if (n_untried) printf(", %zu not tried", n_untried);
        puts(".");
    }
    if (explanation->again_fails < explanation->again_runs)
        printf("\n  Run again, the result itself fails in %" PRIu32 " of %" PRIu32
               " runs: it is flaky, or the machine\n  is too busy for the test.  Parts that are "
               "said to be needed may not be.\n",
               explanation->again_fails, explanation->again_runs);
}

/* From what a reader asks first to what is left: what fails, what it needs, the text
 * itself, each part, how sure that is, and what was not tried. */
void pare_explain_text_print(const pare_settings *settings, const pare_explanation *explanation)
{
    char shown[SHOWN_BYTES];
    printf("%s: %zu bytes, explained in %" PRIu64 " test%s\n",
           pare_format_name(shown, sizeof shown, settings->reduce.input.path),
           explanation->result.size_bytes, pare_essence_tests(explanation),
           pare_essence_tests(explanation) == 1 ? "" : "s");
    print_failure(settings, explanation);
    print_paragraph(explanation, pare_essence_text);
    print_paragraph(explanation, pare_essence_simpler_text);
    print_paragraph(explanation, pare_essence_signs_text);
    print_sum(explanation);
    pare_explain_picture_print(explanation);
    print_parts(explanation);
    if (explanation->is_together_known) print_groups(explanation);
    print_shares(explanation);
    print_paragraph(explanation, pare_essence_endings_text);
    if (explanation->other_programs) print_lines(explanation->other_programs);
    print_paragraph(explanation, pare_essence_unvaried_text);
    if (explanation->result.stats.stopped == PARE_STOPPED_INTERRUPTED)
        puts("\n  Interrupted: parts that were not tried are marked as such.");
}
