/* What the strings of a program may name: functions, methods and classes that are called by their
 * names, such as `'strlen'`, `array($this, 'm')`, `'n\\C::m'` and `$this->{'block' . $kind}()`, or Python's
 * `getattr(self, 'visit_%s' % kind)`.
 *
 * Such a string is a weak use: what it names comes along when what it stands in is kept, and may go
 * without it, as most strings that are called like something name nothing.  One that is only the
 * beginning of a name, as something is put after it, stands for all names that begin so.  Where names may be
 * written in any case, as PHP's functions and classes, one that nothing declares as it is written is looked up so, too.
 *
 * All declared names stand in one list, sorted by their texts, so that names that begin alike stand
 * together.  O(names x log names + strings x log names), and at most MOST_NAMED uses a string.
 * Source: ours. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/syntax.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_syntax.h"

enum {
    MOST_NAMED = 100, /* names that begin alike; more of them tell nothing */
    LEAST_PREFIX = 3  /* bytes of what names begin with */
};

/* A declared name. */
struct entry {
    const char *text;
    uint32_t size, word;
};

/* All of them. */
struct entries {
    struct entry *at; /* owned */
    size_t n;
};

/* A part of a string: a name, or what names begin with. */
struct part {
    const char *text;
    size_t size;
    bool prefix;
};

/* All bytes above 127 count as letters, so names in UTF-8 are whole. */
static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* For qsort: by text in whatever case, of equal beginnings the shorter first, then by word.
 * Names that begin alike are neighbours so: "block", "blockCode", "BlockQuote". */
static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const uint32_t least = x->size < y->size ? x->size : y->size;
    const int order = strncasecmp(x->text, y->text, least);
    if (order) return order;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return (x->word > y->word) - (x->word < y->word);
}

/* The names that nodes declare, each word once, without the marks before them (the dot of a
 * member, the quote of an import).  Equal words have equal texts, so they are neighbours after
 * sorting.  The texts are borrowed from the outline, which gets no new words while the list is
 * used.  On PARE_OK the caller owns out->at. */
static pare_status list_names(const pare_outline *outline, struct entries *out, pare_error *err)
{
    struct entry *at = pare_alloc(outline->n_names + 1, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    size_t n = 0;
    for (size_t i = 0; i < outline->n_names; i++) {
        const pare_outline_word *word = &outline->words[outline->names[i].word];
        const char *text = (const char *)outline->texts.data + word->at;
        const uint32_t mark = word->size > 1 && !is_name_byte(*text);
        at[n++] = (struct entry){text + mark, word->size - mark, outline->names[i].word};
    }
    qsort(at, n, sizeof *at, compare);
    out->at = at;
    out->n = 0;
    for (size_t i = 0; i < n; i++)
        if (!i || at[i].word != at[i - 1].word) at[out->n++] = at[i];
    return PARE_OK;
}

/* The first entry that is not before the text. */
static size_t first_of(const struct entries *entries, const struct part *part)
{
    const struct entry key = {part->text, (uint32_t)part->size, 0};
    size_t low = 0, high = entries->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(&entries->at[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether the part names the entry, in whatever case. */
static bool is_named_by(const struct entry *entry, const struct part *part)
{
    return (part->prefix ? entry->size >= part->size : entry->size == part->size) &&
           strncasecmp(entry->text, part->text, part->size) == 0;
}

/* The node uses weakly all that the part may name.  Where that is more than MOST_NAMED, or the
 * beginning is shorter than LEAST_PREFIX, the string says too little, and names nothing.  In
 * languages where case matters, only names count that are written alike as far as the string
 * goes. */
static pare_status use_part(const pare_outline_reader *reader, const struct entries *entries,
                            uint32_t node, const struct part *part)
{
    const size_t first = first_of(entries, part);
    size_t end = first;
    pare_status status = PARE_OK;
    if (!part->size || (part->prefix && part->size < LEAST_PREFIX)) return PARE_OK;
    while (end < entries->n && is_named_by(&entries->at[end], part))
        end++;
    if (end - first > MOST_NAMED) return PARE_OK;
    for (size_t i = first; !status && i < end; i++) {
        const bool same = memcmp(entries->at[i].text, part->text, part->size) == 0;
        if (!same && !reader->table->any_case) continue;
        const pare_outline_use use = {node, entries->at[i].word, PARE_NO_WORD, PARE_OUTLINE_WEAK,
                                      0};
        status = pare_outline_add_use(reader->outline, &use, reader->err);
    }
    return status;
}

/* Whether the token at `node` (or none: PARE_NO_NODE) is that text. */
static bool is_token(const pare_syntax *syntax, uint32_t node, const char *text)
{
    return node != PARE_NO_NODE && pare_syntax_size(syntax, node) == strlen(text) &&
           memcmp(pare_syntax_text(syntax, node), text, strlen(text)) == 0;
}

/* Whether the string at `node` stands where it may be a name: in one of the places that the
 * table marks (GIVES). *prefix: something is put after it, by `.`, `+` or `%`.
 *
 *     f('name')            may be one             'key' => 1      is none: a key
 *     'block' . $kind      begins some            $x == 'name'    is none: compared */
static bool is_given(const pare_outline_reader *reader, uint32_t node, bool *prefix)
{
    const pare_syntax *syntax = &reader->syntax;
    const uint32_t parent = syntax->nodes[node].parent, next = pare_syntax_next(syntax, node);
    *prefix =
        is_token(syntax, next, ".") || is_token(syntax, next, "+") || is_token(syntax, next, "%");
    if (parent == PARE_NO_NODE ||
        !(pare_outline_syntax_kind(reader, parent)->marks & PARE_MARK_GIVES))
        return false;
    const bool key = is_token(syntax, next, "=>");
    const uint32_t before = syntax->nodes[node].before;
    const bool compared = next != PARE_NO_NODE && strchr("=!<>", *pare_syntax_text(syntax, next));
    const bool with = before != PARE_NO_NODE &&
                      strchr(".=!<>", *pare_syntax_text(syntax, before)) &&
                      pare_syntax_is(syntax, parent, PARE_ROLE_EXPRESSION) &&
                      !pare_syntax_is(syntax, parent, PARE_ROLE_ASSIGNS);
    return !key && (*prefix || (!compared && !with));
}

/* Names in a string: what stands between backslashes and colons, four at most.  Any other byte
 * ends it: it is no name then, or, where something is put in (`$`, `{`, `%`), what names begin
 * with.  All parts are looked up only if the whole string is of that form.
 *
 *     'n\\C::m'      names n, C and m
 *     'visit_%s'     begins names: visit_..
 *     'no name'      names nothing, because of the blank */
static pare_status use_string(const pare_outline_reader *reader, const struct entries *entries,
                              uint32_t node, uint32_t string)
{
    const pare_syntax *syntax = &reader->syntax;
    const char *at = pare_syntax_text(syntax, string);
    const char *end = at + pare_syntax_size(syntax, string);
    struct part parts[4];
    size_t n = 0;
    bool prefix;
    while (at < end && is_name_byte(*at)) /* `f` of `f'..'` */
        at++;
    if (end - at < 3 || !is_given(reader, string, &prefix)) return PARE_OK;
    at++;
    end--; /* both quotes */
    for (; at < end && n < sizeof parts / sizeof *parts; n++) {
        const char *from = at;
        while (at < end && is_name_byte(*at))
            at++;
        parts[n] = (struct part){from, (size_t)(at - from), false};
        if (at == end || *at == '$' || *at == '{' || *at == '%') {
            parts[n].prefix = prefix || at < end;
            at = end;
        } else if (*at != '\\' && *at != ':') {
            return PARE_OK;
        }
        while (at < end && (*at == '\\' || *at == ':'))
            at++;
    }
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++)
        status = use_part(reader, entries, node, &parts[i]);
    return status;
}

/* Whether the leaf is part of the name of a name space, where it is declared: it stands directly
 * in that, or in a qualified name in it. */
static bool is_of_space(const pare_outline_reader *reader, uint32_t leaf)
{
    uint32_t around = reader->syntax.nodes[leaf].parent;
    for (unsigned i = 0; i < 2 && around != PARE_NO_NODE; i++) {
        if (pare_outline_syntax_kind(reader, around)->marks & PARE_MARK_SHELL) return true;
        around = reader->syntax.nodes[around].parent;
    }
    return false;
}

/* Whether the leaf is a name that nothing declares as it is written, but in another case
 * perhaps: `Run()`, where the program has `function run()`.  Only in languages in which case
 * does not matter for some names. */
static bool is_unknown_name(const pare_outline_reader *reader, uint32_t leaf)
{
    if (!reader->table->any_case || !reader->syntax.nodes[leaf].leaf ||
        !pare_syntax_is(&reader->syntax, leaf, PARE_ROLE_NAME | PARE_ROLE_MEMBER))
        return false;
    const uint32_t symbol = pare_outline_syntax_symbol(reader, leaf);
    if (symbol != PARE_NO_SYMBOL && reader->names.symbols[symbol].n_declarations) return false;
    return !is_of_space(reader, leaf);
}

/* The list of names is made for the first string that may be one: many files have none. */
pare_status pare_outline_syntax_strings_use(pare_outline_reader *reader)
{
    struct entries entries = {NULL, 0};
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < reader->syntax.n; i++) {
        const uint32_t node = reader->owner[i];
        const bool name = is_unknown_name(reader, i);
        if (node == PARE_NO_NODE ||
            (!name && !(pare_outline_syntax_kind(reader, i)->marks & PARE_MARK_STRING)))
            continue;
        const struct part part = {pare_syntax_text(&reader->syntax, i),
                                  pare_syntax_size(&reader->syntax, i), false};
        if (!entries.at) status = list_names(reader->outline, &entries, reader->err);
        if (!status)
            status = name ? use_part(reader, &entries, node, &part)
                          : use_string(reader, &entries, node, i);
    }
    pare_alloc_free(entries.at);
    return status;
}
