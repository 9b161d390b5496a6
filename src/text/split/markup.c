/* Finding tags in one walk over the bytes.
 *
 * Tags that are open are a stack, threaded through the list of tags by `partner`.  A closing tag
 * pairs with the nearest open one of its name, looked for among the innermost MOST_OPEN; what was
 * opened inside that stays by itself, such as `<br>`.  Which names need no closing is not known.
 * Invariant: tags do not overlap, and pairs nest.
 * Source: ours.  Linear: a tag is at most MOST_TAG bytes, and ends before the next bracket of its
 * kind that is in no value. */
#include "text/split/markup.h"

#include <string.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "text/split/split.h"

enum { MOST_TAG = 4096, MOST_OPEN = 64, MOST_SIGNS = 4, END_SIZE = 3 };

static const uint32_t NO_TAG = UINT32_MAX;

/* What stands at a bracket. */
struct found {
    size_t name, name_end, end;
    bool closes; /* it has a / before the name */
    bool alone;  /* it can neither open nor close */
};

/* The walk. */
struct walk {
    const unsigned char *bytes;
    size_t size;
    pare_markup *out;
    uint32_t top; /* the innermost open tag, or NO_TAG */
};

/* A letter without a mark. */
static bool is_letter(unsigned char byte)
{
    return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

/* A letter of any alphabet, or _. */
static bool begins_name(unsigned char byte)
{
    return is_letter(byte) || byte == '_' || byte >= 0x80;
}

/* What goes on with a name: also digits and the signs of XML's qualified names. */
static bool is_name(unsigned char byte)
{
    return begins_name(byte) || (byte >= '0' && byte <= '9') || byte == '-' || byte == ':' ||
           byte == '.';
}

/* White space as XML has it. */
static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* The bytes that a tag at `from` may have end here. */
static size_t bound(const struct walk *walk, size_t from)
{
    return walk->size - from > MOST_TAG ? from + MOST_TAG : walk->size;
}

/* The byte after the first `text` at `at` or later; 0: it does not come within a tag's length.
 * The bound keeps the whole walk linear: without it each unclosed `<!--` would be a search to
 * the end. */
static size_t end_of(const struct walk *walk, size_t at, const char *text)
{
    const unsigned char *hit = memmem(walk->bytes + at, bound(walk, at) - at, text, strlen(text));
    return hit ? (size_t)(hit - walk->bytes) + strlen(text) : 0;
}

/* Reads a name at `at`, perhaps after a slash, which makes it a closing tag. */
static bool read_name(const struct walk *walk, size_t at, struct found *found)
{
    found->closes = at < walk->size && walk->bytes[at] == '/';
    at += found->closes;
    if (at >= walk->size || !begins_name(walk->bytes[at])) return false;
    found->name = at;
    while (at < walk->size && at - found->name < MOST_TAG && is_name(walk->bytes[at]))
        at++;
    found->name_end = at;
    return true;
}

/* Reads `<!-- -->`, `<![CDATA[ ]]>`, `<? ?>` or `<!name >`, none of which opens or closes anything.
 *
 * The first three may hold any text up to their end; a `<!name` may not hold another `<`. */
static bool read_declaration(const struct walk *walk, size_t from, struct found *found)
{
    static const char *const ENDS[][2] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    *found = (struct found){.alone = true};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        const size_t n = strlen(ENDS[i][0]);
        if (walk->size - from < n || memcmp(walk->bytes + from, ENDS[i][0], n) != 0) continue;
        found->end = end_of(walk, from + n, ENDS[i][1]);
        return found->end != 0;
    }
    found->end = end_of(walk, from, ">");
    return found->end && !memchr(walk->bytes + from + 1, '<', found->end - from - 1);
}

/* The byte after the `>` that ends the tag whose name ends at `at`; 0: another `<` comes first.
 * Quotes protect a `>` only where they hold an attribute's value, so right after `=`: an apostrophe
 * in running text opens nothing. */
static size_t angle_end(const struct walk *walk, size_t at)
{
    const size_t most = bound(walk, at);
    for (unsigned char before = 0; at < most; at++) {
        const unsigned char byte = walk->bytes[at];
        if (byte == '>') return at + 1;
        if (byte == '<') return 0;
        if (before == '=' && (byte == '"' || byte == '\'')) {
            const unsigned char *end = memchr(walk->bytes + at + 1, byte, most - at - 1);
            if (end) at = (size_t)(end - walk->bytes);
        }
        if (!is_blank(byte)) before = byte;
    }
    return 0;
}

/* Reads a tag in angle brackets.  `<br/>` stands alone; `<br>` cannot be told from an opening tag
 * here. */
static bool read_angle(const struct walk *walk, size_t from, struct found *found)
{
    if (from + 1 < walk->size && strchr("!?", walk->bytes[from + 1]) && walk->bytes[from + 1])
        return read_declaration(walk, from, found);
    *found = (struct found){.alone = false};
    if (!read_name(walk, from + 1, found)) return false;
    found->end = angle_end(walk, found->name_end);
    if (found->end) found->alone = !found->closes && walk->bytes[found->end - 2] == '/';
    return found->end != 0;
}

/* Reads a tag of BBCode or of a template language: `[name ...]`, `{name ...}`, `{{#name ...}}`, `{%
 * name ... %}`.  They end on their line, since such brackets are common in texts that have no tags
 * at all. */
static bool read_other(const struct walk *walk, size_t from, struct found *found)
{
    const unsigned char open = walk->bytes[from], close = open == '[' ? ']' : '}';
    size_t at = from + 1;
    *found = (struct found){.alone = false};
    for (; at < walk->size && at - from <= MOST_SIGNS; at++)
        if (!strchr("{%#- ", walk->bytes[at]) || !walk->bytes[at]) break;
    if (!read_name(walk, at, found)) return false;
    const bool twice = open == '{' && walk->bytes[from + 1] == open;
    for (at = found->name_end; at < bound(walk, from); at++) {
        const unsigned char byte = walk->bytes[at];
        if (byte == open || byte == '<' || byte == '\n' || byte == '\r') return false;
        if (byte != close) continue;
        if (twice && (at + 1 >= walk->size || walk->bytes[++at] != close)) return false;
        found->end = at + 1;
        return true;
    }
    return false;
}

/* The same name; letters of both cases are the same, as in HTML. */
static bool is_same(const struct walk *walk, size_t a, size_t b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned char x = walk->bytes[a + i], y = walk->bytes[b + i];
        if (x != y && (!is_letter(x) || (x | 0x20) != (y | 0x20))) return false;
    }
    return true;
}

/* Whether what was found at `from` closes the tag: `/name`, or `endname` as templates write it,
 * with the same kind of bracket.  The opening tag is read again, as its name is not kept. */
static bool closes(const struct walk *walk, size_t from, const struct found *found,
                   const pare_markup_tag *tag)
{
    struct found own = {0};
    const unsigned char open = walk->bytes[from];
    if (walk->bytes[tag->begin] != open) return false;
    if (open == '<' ? !read_name(walk, tag->begin + 1, &own) : !read_other(walk, tag->begin, &own))
        return false;
    size_t name = found->name, n = found->name_end - name;
    if (!found->closes) {
        if (n <= END_SIZE || memcmp(walk->bytes + name, "end", END_SIZE) != 0) return false;
        name += END_SIZE;
        n -= END_SIZE;
    }
    return n == own.name_end - own.name && is_same(walk, name, own.name, n);
}

/* Adds a tag without a partner; an open one gets the open one around it as its partner, until it
 * is closed. */
static pare_status add_tag(struct walk *walk, size_t from, const struct found *found, bool open,
                           pare_error *err)
{
    pare_markup *out = walk->out;
    pare_markup_tag *tags = pare_vector_grow(out->tags, out->n, &out->capacity, sizeof *tags);
    if (!tags) return pare_fail_nomem(err);
    out->tags = tags;
    const uint32_t index = (uint32_t)out->n++;
    tags[index] =
        (pare_markup_tag){.begin = (uint32_t)from,
                          .end = (uint32_t)found->end,
                          .name_end = (uint32_t)(found->name_end ? found->name_end : from),
                          .partner = open ? walk->top : index};
    if (open) walk->top = index;
    return PARE_OK;
}

/* Takes the innermost open tag off the stack.  Nothing closes it, so it becomes its own partner. */
static void pop(struct walk *walk)
{
    pare_markup_tag *tag = &walk->out->tags[walk->top];
    const uint32_t outer = tag->partner;
    tag->partner = walk->top;
    walk->top = outer;
}

/* The open tag that is closed at `from`, or NO_TAG. */
static uint32_t find_open(const struct walk *walk, size_t from, const struct found *found)
{
    uint32_t at = walk->top;
    for (size_t n = 0; at != NO_TAG && n < MOST_OPEN; n++) {
        if (closes(walk, from, found, &walk->out->tags[at])) return at;
        at = walk->out->tags[at].partner;
    }
    return NO_TAG;
}

/* Adds what was found at `from`. */
static pare_status take(struct walk *walk, size_t from, const struct found *found, pare_error *err)
{
    const bool angle = walk->bytes[from] == '<';
    const bool may_close = !found->alone && (found->closes || !angle);
    const uint32_t open = may_close ? find_open(walk, from, found) : NO_TAG;
    if (open == NO_TAG && found->closes) return PARE_OK;
    pare_status status = add_tag(walk, from, found, open == NO_TAG && !found->alone, err);
    if (status || open == NO_TAG) return status;
    while (walk->top != open)
        pop(walk);
    pop(walk);
    walk->out->tags[open].partner = (uint32_t)walk->out->n - 1;
    walk->out->tags[walk->out->n - 1].partner = open;
    walk->out->has_pairs = true;
    return PARE_OK;
}

/* The first byte that is not blank. */
static bool begins_with_angle(const struct walk *walk)
{
    size_t at = 0;
    while (at < walk->size && is_blank(walk->bytes[at]))
        at++;
    return at < walk->size && walk->bytes[at] == '<';
}

static pare_status find_all(struct walk *walk, pare_error *err)
{
    const bool markup = begins_with_angle(walk);
    pare_quotes quotes = {.barren = {0}};
    size_t look = 0, at = 0;
    while (at < walk->size && !pare_interrupt_asked_past(at, &look)) {
        const unsigned char byte = walk->bytes[at];
        struct found found = {.end = 0};
        if (!markup && (byte == '"' || byte == '\'' || byte == '`')) {
            at = pare_split_quote_end(&quotes, walk->bytes, walk->size, at);
            continue;
        }
        const bool is_tag = byte == '<'                  ? read_angle(walk, at, &found)
                            : byte == '[' || byte == '{' ? read_other(walk, at, &found)
                                                         : false;
        const size_t n = walk->out->n;
        pare_status status = is_tag ? take(walk, at, &found, err) : PARE_OK;
        if (status) return status;
        at = walk->out->n > n ? found.end : at + 1;
    }
    while (walk->top != NO_TAG)
        pop(walk);
    return pare_interrupt_look(err);
}

/* Drops tags of other brackets that are closed by nothing; *moved has where the others went. */
static void keep_tags(const struct walk *walk, uint32_t *moved)
{
    pare_markup *out = walk->out;
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++) {
        moved[i] = (uint32_t)n;
        n += out->tags[i].partner != i || walk->bytes[out->tags[i].begin] == '<';
    }
    for (size_t i = 0; i < out->n; i++) {
        pare_markup_tag tag = out->tags[i];
        if (tag.partner == i && walk->bytes[tag.begin] != '<') continue;
        tag.partner = moved[tag.partner];
        out->tags[moved[i]] = tag;
    }
    out->n = n;
}

pare_status pare_markup_find(const unsigned char *bytes, size_t size, pare_markup *out,
                             pare_error *err)
{
    pare_markup markup = {0};
    struct walk walk = {.bytes = bytes, .size = size, .out = &markup, .top = NO_TAG};
    pare_status status = find_all(&walk, err);
    uint32_t *moved = status ? NULL : pare_alloc(markup.n ? markup.n : 1, sizeof *moved);
    if (!status && !moved) status = pare_fail_nomem(err);
    if (!status) keep_tags(&walk, moved);
    pare_alloc_free(moved);
    if (status)
        pare_markup_done(&markup);
    else
        *out = markup;
    return status;
}

void pare_markup_done(pare_markup *markup)
{
    pare_alloc_free(markup->tags);
    *markup = (pare_markup){0};
}

bool pare_markup_is_angle(const unsigned char *bytes, size_t begin, size_t end)
{
    while (end > begin && is_blank(bytes[end - 1]))
        end--;
    return end - begin > 2 && bytes[begin] == '<' && bytes[end - 1] == '>';
}
