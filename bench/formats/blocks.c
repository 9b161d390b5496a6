/* Formats of nested blocks: each kind of block has a begin and an end, each statement a form.
 *
 * A form is text in which a blank stands for any white space, one that is needed only between two
 * words; %w is any word, %n one that can be needed, and \n an end of a line that has to be there.
 *
 * Failures: a statement with the first needed word in a block of kind 1 in one of kind 0, at any
 * depth; or statements with both in their order in the same block of kind 0, at any depth. */
#include <ctype.h>
#include <string.h>

#include "subject.h"

enum { KINDS = 3, STATEMENTS = 2, MOST_DEPTH = 64, FILL_DEPTH = 5 };

struct style {
    const char *prologue, *epilogue; /* forms around all */
    struct {
        const char *begin, *end;
    } kinds[KINDS];
    const char *statements[STATEMENTS]; /* the first one has %n */
};

/* ---- writing ------------------------------------------------------------------------------ */

/* Appends `form` with words; with `needed` (or NULL) for %n. */
static void write_form(struct subject *subject, const char *form, const char *needed)
{
    for (; *form; form++) {
        if (*form != '%') {
            if (*form != '\n' || form[1]) subject_put(subject, "%c", *form);
            continue;
        }
        form++;
        if (*form == 'n' && needed)
            subject_put(subject, "%s", needed);
        else
            subject_put(subject, subject_draw(subject, 2) ? "%s" : "%s_%u", subject_word(subject),
                        subject_draw(subject, 20));
    }
}

/* Appends a line of it. */
static void write_line(struct subject *subject, unsigned depth, const char *form,
                       const char *needed)
{
    subject_put(subject, "%*s", (int)depth * 2, "");
    write_form(subject, form, needed);
    subject_put(subject, "\n");
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Appends `form` to the smallest text: shortest words, and white space only where it has to be. */
static void write_smallest(struct subject *subject, const char *form, const char *needed)
{
    pare_buffer *to = &subject->smallest;
    bool blank = false;
    for (; *form; form++) {
        if (*form == ' ') {
            blank = true;
            continue;
        }
        const bool slot = *form == '%';
        form += slot;
        const char *text = !slot ? form : *form == 'n' && needed ? needed : "a";
        const bool touches = to->size && is_word(to->data[to->size - 1]) && is_word(*text);
        if (touches && blank) subject_smallest(subject, " ");
        subject_smallest(subject, "%.*s", slot ? 16 : 1, text);
        blank = false;
    }
}

/* A statement after another one, or after what begins a block. */
static void add_smallest(struct subject *subject, const char *form, const char *needed)
{
    pare_buffer *to = &subject->smallest;
    const char first = *form == '%' ? 'a' : *form;
    if (to->size && is_word(to->data[to->size - 1]) && is_word(first))
        subject_smallest(subject, " ");
    write_smallest(subject, form, needed);
}

static void write_units(struct subject *subject, unsigned depth, unsigned n);

static void begin_block(struct subject *subject, unsigned depth, unsigned kind)
{
    const struct style *style = subject->format->style;
    write_line(subject, depth, style->kinds[kind].begin, NULL);
}

static void end_block(struct subject *subject, unsigned depth, unsigned kind)
{
    const struct style *style = subject->format->style;
    write_line(subject, depth, style->kinds[kind].end, NULL);
}

/* What the failure needs, among other things. */
static void write_needed(struct subject *subject, unsigned depth)
{
    const struct style *style = subject->format->style;
    begin_block(subject, depth, 0);
    write_units(subject, depth + 1, 3);
    if (subject->failure == 1) {
        write_line(subject, depth + 1, style->statements[0], subject->needed[0]);
        write_units(subject, depth + 1, 4);
        write_line(subject, depth + 1, style->statements[0], subject->needed[1]);
    } else {
        begin_block(subject, depth + 1, 1);
        write_units(subject, depth + 2, 2);
        write_line(subject, depth + 2, style->statements[0], subject->needed[0]);
        write_units(subject, depth + 2, 2);
        end_block(subject, depth + 1, 1);
    }
    write_units(subject, depth + 1, 2);
    end_block(subject, depth, 0);
}

static void write_units(struct subject *subject, unsigned depth, unsigned n)
{
    const struct style *style = subject->format->style;
    while (n--) {
        if (subject_due(subject, 1)) {
            write_needed(subject, depth);
        } else if (depth < FILL_DEPTH && subject_draw(subject, 5) < 2) {
            const unsigned kind = subject_draw(subject, KINDS);
            begin_block(subject, depth, kind);
            write_units(subject, depth + 1, 1 + subject_draw(subject, 5));
            end_block(subject, depth, kind);
        } else {
            write_line(subject, depth, style->statements[subject_draw(subject, STATEMENTS)], NULL);
        }
    }
}

static void make_smallest(struct subject *subject)
{
    const struct style *style = subject->format->style;
    add_smallest(subject, style->prologue, NULL);
    add_smallest(subject, style->kinds[0].begin, NULL);
    if (subject->failure == 0) add_smallest(subject, style->kinds[1].begin, NULL);
    add_smallest(subject, style->statements[0], subject->needed[0]);
    if (subject->failure == 0)
        add_smallest(subject, style->kinds[1].end, NULL);
    else
        add_smallest(subject, style->statements[0], subject->needed[1]);
    add_smallest(subject, style->kinds[0].end, NULL);
    add_smallest(subject, style->epilogue, NULL);
    pare_buffer *to = &subject->smallest;
    if (to->data[to->size - 1] == '\n') to->size--; /* the last line needs no end */
}

static void make_blocks(struct subject *subject)
{
    const struct style *style = subject->format->style;
    if (*style->prologue) write_line(subject, 0, style->prologue, NULL);
    while (!subject_full(subject) || !subject->n_placed)
        write_units(subject, *style->prologue != 0, 1);
    if (*style->epilogue) write_line(subject, 0, style->epilogue, NULL);
    make_smallest(subject);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Moves behind `form` if it is there; *named is the word at %n. */
static bool read_form(struct scan *scan, const char *form, struct piece *named)
{
    struct scan at = *scan;
    for (; *form; form++) {
        if (*form == '\n') {
            scan_blanks(&at);
            if (!scan_ends(&at) && *at.at != '\n') return false;
            scan_line(&at);
            continue;
        }
        if (*form == ' ') {
            scan_blanks(&at);
            continue;
        }
        /* A word is a whole word. */
        const bool goes_on = at.at > scan->at && is_word(at.at[-1]) && is_word(*form);
        if (*form == '%') {
            form++;
            const struct piece word = scan_word(&at);
            if (!word.size || isdigit((unsigned char)*word.text)) return false;
            if (*form == 'n') *named = word;
        } else if (is_word(*form) && !goes_on) {
            const struct piece word = scan_word(&at);
            if (!word.size || strncmp(form, word.text, word.size) != 0 || is_word(form[word.size]))
                return false;
            form += word.size - 1;
        } else if (scan_ends(&at) || *at.at++ != *form) {
            return false;
        }
    }
    *scan = at;
    return true;
}

/* The blocks that are open. */
struct open_blocks {
    struct {
        unsigned kind;
        bool has_first;
    } blocks[MOST_DEPTH];
    unsigned n;
};

/* Notes a statement that names `word`; whether that is the failure. */
static bool note_named(const struct subject *subject, struct open_blocks *open, struct piece word)
{
    bool outer = false;
    const bool first = piece_is(word, subject->needed[0]);
    const bool second = piece_is(word, subject->needed[1]);
    for (unsigned i = 0; i < open->n; i++) {
        const bool outermost = open->blocks[i].kind == 0;
        if (subject->failure == 0 && first && outer && open->blocks[i].kind == 1) return true;
        if (subject->failure == 1 && second && outermost && open->blocks[i].has_first) return true;
        outer |= outermost;
        open->blocks[i].has_first |= first;
    }
    return false;
}

/* One begin, end or statement; *failed is set when it completes the failure. */
static bool read_unit(const struct subject *subject, struct scan *scan, struct open_blocks *open,
                      bool *failed)
{
    const struct style *style = subject->format->style;
    struct piece named = {0};
    if (open->n && read_form(scan, style->kinds[open->blocks[open->n - 1].kind].end, &named)) {
        open->n--;
        return true;
    }
    for (unsigned kind = 0; kind < KINDS; kind++) {
        if (!read_form(scan, style->kinds[kind].begin, &named)) continue;
        if (open->n == MOST_DEPTH) return false;
        open->blocks[open->n].has_first = false;
        open->blocks[open->n++].kind = kind;
        return true;
    }
    for (unsigned i = 0; i < STATEMENTS; i++) {
        if (!read_form(scan, style->statements[i], &named)) continue;
        if (i == 0) *failed |= note_named(subject, open, named);
        return true;
    }
    return false;
}

static bool blocks_fail(const struct subject *subject, const char *bytes, size_t size)
{
    const struct style *style = subject->format->style;
    struct scan scan = {bytes, bytes + size};
    struct open_blocks open = {0};
    struct piece named;
    bool failed = false;
    scan_white(&scan);
    if (!read_form(&scan, style->prologue, &named)) return false;
    for (;;) {
        scan_white(&scan);
        if (!open.n && *style->epilogue && read_form(&scan, style->epilogue, &named)) break;
        if (scan_ends(&scan)) return !*style->epilogue && !open.n && failed;
        if (!read_unit(subject, &scan, &open, &failed)) return false;
    }
    scan_white(&scan);
    return scan_ends(&scan) && failed;
}

/* ---- the formats -------------------------------------------------------------------------- */

static const struct style BLOCK_WORDS = {
    .prologue = "",
    .epilogue = "",
    .kinds = {{"process %w is", "end process ;"},
              {"if %w then", "end if ;"},
              {"while %w loop", "end loop ;"}},
    .statements = {"call %n ;", "%w := %w + %w ;"}};

static const struct style SHELL = {.prologue = "",
                                   .epilogue = "",
                                   .kinds = {{"while %w ; do", "done\n"},
                                             {"if %w ; then", "fi\n"},
                                             {"repeat %w ; do", "done\n"}},
                                   .statements = {"run %n\n", "set %w = %w\n"}};

static const struct style ENVIRONMENTS = {
    .prologue = "\\document{%w}",
    .epilogue = "\\bye",
    .kinds = {{"\\begin{figure}", "\\end{figure}"},
              {"\\begin{list}[%w]", "\\end{list}"},
              {"\\begin{center}", "\\end{center}"}},
    .statements = {"\\item{%n} %w", "%w %w , %w %w ."}};

static const struct style TAGS = {.prologue = "<root>",
                                  .epilogue = "</root>",
                                  .kinds = {{"<group name=\"%w\">", "</group>"},
                                            {"<item id=\"%w\">", "</item>"},
                                            {"<p>", "</p>"}},
                                  .statements = {"<ref to=\"%n\" />", "<text>%w %w %w</text>"}};

static const struct style BRACKETS = {.prologue = "module %w {",
                                      .epilogue = "}",
                                      .kinds = {{"function %w ( %w , %w ) {", "}"},
                                                {"while ( %w > %w ) {", "}"},
                                                {"if ( %w [ %w ] ) {", "}"}},
                                      .statements = {"%n ( %w , %w ) ;", "%w = %w * %w ;"}};

const struct format formats_of_blocks[] = {
    {"block words", make_blocks, blocks_fail, &BLOCK_WORDS},
    {"shell", make_blocks, blocks_fail, &SHELL},
    {"environments", make_blocks, blocks_fail, &ENVIRONMENTS},
    {"tags", make_blocks, blocks_fail, &TAGS},
    {"brackets", make_blocks, blocks_fail, &BRACKETS},
    {0}};
