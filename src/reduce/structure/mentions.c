/* Units, their names, and where these stand.
 *
 * The list that holds most of the text is found from the outermost in: as long as one item has more
 * than three quarters of it, its body is next.  Its items are units, but where lines come in groups,
 * between blank lines or from one line to the next one that is the same (`---`), these are.
 *
 * A name is a word of letters, digits and what joins them (`a.b`, `a-b`, and its parts), with a letter.
 * It is of the only unit whose first line begins with it, or else of that in which it stands first, if
 * that is in the first line of a block, or anywhere in a record, or else of the only one in whose first line it
 * stands, since names may be used before they are defined.  Where blocks begin with a keyword ("function f(a)"), a
 * line that begins with a name of a block does not define it: it is a call.  Words that stand in many units are
 * the language's.
 *
 * Invariant: items ascend and do not overlap; none stands in the unit that it names.
 * Source: ours; reduce/dependency does this where the language is known.  Test:
 * tests/unit/test_mention_reduction.c. */
#include "reduce/structure/mentions.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "reduce/structure/line_table.h"

enum {
    FEWEST_GROUPS = 8,   /* records; fewer are chance */
    MOST_ITEMS = 40,     /* of a record; more are a list of their own */
    RARE_SHARE = 4,      /* a name stands in at most this part of the units, */
    RARE = 4,            /* or in so many */
    MOST_WORDS = 1 << 18 /* different ones that are counted */
};

/* A word, by its hash. */
struct word {
    uint32_t hash;     /* 0: the slot is free */
    uint32_t first;    /* unit in whose defining part it was seen first; NO_UNIT: in none */
    uint32_t leads;    /* the unit whose first line it begins */
    uint32_t titled;   /* the unit in whose first line it stands, */
    uint32_t n_titled; /* of so many */
    uint32_t n_leads;  /* how many such units there are */
    uint32_t last;     /* unit in which it was counted last, */
    uint32_t n_units;  /* and in how many so far */
    bool seen;         /* anywhere */
};

/* The state of the search; `unit` is NO_UNIT before the first line. */
struct finder {
    pare_mentions *mentions;
    struct word *slots; /* owned; an open hash table */
    size_t mask, n_used, capacity;
    bool has_keywords; /* most blocks begin with a word that others begin with, too */
    uint32_t unit;     /* the one whose lines are counted, */
    bool is_record;    /* and whether it is more than one item */
};

/* ---- units ----------------------------------------------------------------------------------- */

static uint32_t bytes_of(const pare_structure *structure, uint32_t from, uint32_t to)
{
    return structure->table.lines[to].begin - structure->table.lines[from].begin;
}

/* Narrows the list to the body of the item that holds nearly all of it, as often as there is such
 * an item: a module in which all is written, a function in that. O(lines) for each level. */
static pare_mentions_unit main_list(const pare_structure *structure)
{
    pare_mentions_unit list = {0, structure->table.n_lines};
    for (uint32_t at = list.from; at < list.to;) {
        const uint32_t end = pare_structure_item_end(structure, at, list.to);
        const pare_structure_block *block = pare_structure_block_at(structure, at, list.to);
        if (block &&
            bytes_of(structure, at, end) > bytes_of(structure, list.from, list.to) / 4 * 3) {
            list = (pare_mentions_unit){block->body, block->closer};
            at = list.from;
        } else {
            at = end;
        }
    }
    return list;
}

/* Whether two lines are the same. */
static bool same_line(const pare_line_table *table, uint32_t a, uint32_t b)
{
    const pare_line *x = &table->lines[a], *y = &table->lines[b];
    return x->first == y->first && x->content == y->content &&
           memcmp(table->bytes + x->begin + x->margin, table->bytes + y->begin + y->margin,
                  x->content) == 0;
}

/* How records begin. */
enum grouping { SINGLE, AFTER_BLANK, LIKE_FIRST };

/* Whether a record begins in `line`, by that way to tell. The first line of the list begins one in
 * any case. */
static bool begins_group(const pare_structure *structure, pare_mentions_unit list,
                         enum grouping grouping, uint32_t line)
{
    if (line == list.from || grouping == SINGLE) return true;
    return grouping == AFTER_BLANK ? !structure->table.lines[line - 1].first
                                   : same_line(&structure->table, line, list.from);
}

/* What groups the items of the list into enough records of two and more on average: lines that are
 * like the first one, or else blank lines; SINGLE: neither does, and each item is a unit.
 *
 * ---            "---" begins a record each time (LIKE_FIRST)
 * name: a
 * ---
 * name: b */
static enum grouping grouping_of(const pare_structure *structure, pare_mentions_unit list)
{
    uint32_t n_items = 0, n_groups[] = {0, 0, 0};
    for (uint32_t at = list.from; at < list.to;
         at = pare_structure_item_end(structure, at, list.to)) {
        n_items++;
        for (enum grouping i = AFTER_BLANK; i <= LIKE_FIRST; i++)
            n_groups[i] += begins_group(structure, list, i, at);
    }
    for (enum grouping i = LIKE_FIRST; i > SINGLE; i--)
        if (n_groups[i] >= FEWEST_GROUPS && n_items >= 2 * n_groups[i]) return i;
    return SINGLE;
}

/* Appends a unit of `n` items; of one that has too many, each item is a unit of its own. The lines
 * learn their unit. */
static void add_unit(pare_mentions *mentions, uint32_t from, uint32_t to, uint32_t n)
{
    while (from < to) {
        const uint32_t end =
            n > MOST_ITEMS ? pare_structure_item_end(mentions->structure, from, to) : to;
        for (uint32_t line = from; line < end; line++)
            mentions->unit_of[line] = mentions->n_units;
        mentions->units[mentions->n_units++] = (pare_mentions_unit){from, end};
        from = end;
    }
}

/* Finds all units. Lines outside of the main list, the head of the item that it is in, say, have
 * none. */
static pare_status find_units(pare_mentions *mentions, pare_error *err)
{
    const pare_structure *structure = mentions->structure;
    const pare_mentions_unit list = main_list(structure);
    const enum grouping grouping = grouping_of(structure, list);
    const uint32_t n_lines = structure->table.n_lines;
    uint32_t from = list.from, n = 0;
    mentions->units = pare_alloc(n_lines, sizeof *mentions->units);
    mentions->unit_of = pare_alloc(n_lines, sizeof *mentions->unit_of);
    if (!mentions->units || !mentions->unit_of) return pare_fail_nomem(err);
    for (uint32_t line = 0; line < n_lines; line++)
        mentions->unit_of[line] = PARE_MENTIONS_NO_UNIT;
    for (uint32_t at = list.from; at < list.to;
         at = pare_structure_item_end(structure, at, list.to)) {
        if (at > from && begins_group(structure, list, grouping, at)) {
            add_unit(mentions, from, at, n);
            from = at;
            n = 0;
        }
        n++;
    }
    add_unit(mentions, from, list.to, n);
    return PARE_OK;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* A walk over the words of one line, and the parts of those that are joined. */
struct walk {
    const unsigned char *at, *end;
    const unsigned char *whole; /* the end of the joined word whose parts are next; NULL: none */
};

/* Whether the byte joins two parts of a word. */
static bool joins(unsigned char byte)
{
    return byte == '.' || byte == '-';
}

static struct walk walk_line(const pare_line_table *table, uint32_t line)
{
    const pare_line *of = &table->lines[line];
    const unsigned char *at = table->bytes + of->begin + of->margin;
    return (struct walk){.at = at, .end = at + of->content};
}

/* The end of the word at `at`, with what it is joined to: of "a.b-c." it is before the last dot,
 * which joins nothing. */
static const unsigned char *joined_end(const unsigned char *at, const unsigned char *end)
{
    while (at < end && (pare_line_table_is_letter(*at) ||
                        (joins(*at) && at + 1 < end && pare_line_table_is_letter(at[1]))))
        at++;
    return at;
}

/* The next word, a joined one before its parts: "std.io" gives "std.io", "std", "io". Words of one
 * byte and those without a letter ("1.5") are passed over. */
static bool next_word(struct walk *walk, pare_line_word *word)
{
    for (;;) {
        while (walk->at < walk->end && !pare_line_table_is_letter(*walk->at))
            walk->at++;
        if (walk->at == walk->end) return false;
        const unsigned char *from = walk->at, *to = from;
        while (to < walk->end && pare_line_table_is_letter(*to))
            to++;
        const unsigned char *joined = joined_end(from, walk->end);
        /* `at` stays, so that the next call gives the first part; `whole` says that the joined word
         * was given. */
        if (joined > to && (!walk->whole || from >= walk->whole)) {
            walk->whole = joined;
            to = joined;
        } else {
            walk->at = to;
        }
        bool letters = false;
        for (const unsigned char *i = from; i < to && !letters; i++)
            letters = !isdigit(*i) && !joins(*i);
        *word = (pare_line_word){from, (size_t)(to - from)};
        if (letters && word->size > 1) return true;
    }
}

/* FNV-1a over the bytes as they are: names differ in case. 0 marks a free slot, and is none. */
static uint32_t hash_of(pare_line_word word)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < word.size; i++)
        hash = (hash ^ word.bytes[i]) * 16777619u;
    return hash ? hash : 1;
}

/* The slot of that hash, or the free one where it would go. Words of equal hash count as one: that
 * costs a test, and is rare. */
static struct word *slot_of(const struct finder *finder, uint32_t hash)
{
    size_t i = hash & finder->mask;
    while (finder->slots[i].hash && finder->slots[i].hash != hash)
        i = (i + 1) & finder->mask;
    return &finder->slots[i];
}

/* The word's entry, a new one if there is room; else NULL. */
static struct word *entry_of(struct finder *finder, uint32_t hash)
{
    struct word *word = slot_of(finder, hash);
    if (word->hash) return word;
    if (finder->n_used == MOST_WORDS) return NULL;
    finder->n_used++;
    *word = (struct word){.hash = hash,
                          .first = PARE_MENTIONS_NO_UNIT,
                          .leads = PARE_MENTIONS_NO_UNIT,
                          .titled = PARE_MENTIONS_NO_UNIT,
                          .last = PARE_MENTIONS_NO_UNIT};
    return word;
}

/* Whether the line may name its unit: the first line of a block, any of a record. Whether the unit
 * is a record (more than one item) is asked at its first line alone, since an item may be as long
 * as the text, and finding its end takes as long. */
static bool is_defining(struct finder *finder, uint32_t unit, uint32_t line)
{
    const pare_mentions *mentions = finder->mentions;
    const pare_mentions_unit *of = &mentions->units[unit];
    if (line == of->from || unit != finder->unit)
        finder->is_record = pare_structure_item_end(mentions->structure, of->from, of->to) < of->to;
    finder->unit = unit;
    return line == of->from || finder->is_record;
}

/* Counts the words of a line: where each was seen first, in how many units it stands, which units'
 * first lines have it or begin with it. */
static void count_line(struct finder *finder, uint32_t line)
{
    const pare_mentions *mentions = finder->mentions;
    const uint32_t unit = mentions->unit_of[line];
    struct walk walk = walk_line(&mentions->structure->table, line);
    const unsigned char *begin = walk.at;
    const bool defines = unit != PARE_MENTIONS_NO_UNIT && is_defining(finder, unit, line);
    for (pare_line_word word; next_word(&walk, &word);) {
        struct word *entry = entry_of(finder, hash_of(word));
        if (!entry) continue;
        if (!entry->seen && defines) entry->first = unit;
        entry->seen = true;
        if (unit == PARE_MENTIONS_NO_UNIT) continue;
        assert(unit < mentions->n_units);
        if (defines && line == mentions->units[unit].from && entry->titled != unit) {
            entry->titled = unit;
            entry->n_titled++;
        }
        if (word.bytes == begin && line == mentions->units[unit].from && entry->leads != unit) {
            entry->leads = unit;
            entry->n_leads++;
        }
        entry->n_units += entry->last != unit;
        entry->last = unit;
    }
}

static bool is_block(const pare_mentions *mentions, uint32_t unit)
{
    return mentions->units[unit].to - mentions->units[unit].from > 1;
}

/* Whether blocks have their names behind a keyword: "function f(a)", not "f: a b".  O(units). */
static bool begin_with_keywords(const struct finder *finder)
{
    const pare_mentions *mentions = finder->mentions;
    uint32_t n_blocks = 0, n_shared = 0;
    for (uint32_t unit = 0; unit < mentions->n_units; unit++) {
        struct walk walk = walk_line(&mentions->structure->table, mentions->units[unit].from);
        const unsigned char *begin = walk.at;
        pare_line_word word;
        if (!is_block(mentions, unit) || !next_word(&walk, &word)) continue;
        n_blocks++;
        n_shared += word.bytes == begin && slot_of(finder, hash_of(word))->n_leads > 1;
    }
    return n_shared > n_blocks / 2;
}

/* Whether the only unit that begins with the word uses it: a line by itself, after the block that is named so. */
static bool is_call(const struct finder *finder, const struct word *word)
{
    const pare_mentions *mentions = finder->mentions;
    if (!finder->has_keywords || word->first == PARE_MENTIONS_NO_UNIT) return false;
    return !is_block(mentions, word->leads) && is_block(mentions, word->first);
}

/* The unit that the word names; NO_UNIT: none. A word in more than a quarter of the units, or in
 * more than four where there are few, is one of the language. Then in this order: the only unit
 * whose first line begins with it, unless that is a call; that in whose defining lines it was seen before anywhere else;
 * the only one in whose first line it stands.
 *
 * "f" of   def f(x):      the unit in which it is first seen names it
 *          use(f)         a mention of that */
static uint32_t owner_of(const struct finder *finder, const struct word *word)
{
    const uint32_t n = finder->mentions->n_units;
    if (!word->hash || word->n_units > (n / RARE_SHARE > RARE ? n / RARE_SHARE : RARE))
        return PARE_MENTIONS_NO_UNIT;
    if (word->n_leads == 1 && !is_call(finder, word)) return word->leads;
    const bool titled = word->first == PARE_MENTIONS_NO_UNIT && word->n_titled == 1;
    return titled ? word->titled : word->first;
}

/* ---- mentions -------------------------------------------------------------------------------- */

static pare_status add_mention(struct finder *finder, pare_mention item, pare_error *err)
{
    pare_mentions *mentions = finder->mentions;
    /* Of a joined word its parts are no others. */
    if (mentions->n_items && mentions->items[mentions->n_items - 1].end > item.begin)
        return PARE_OK;
    pare_mention *items =
        pare_vector_grow(mentions->items, mentions->n_items, &finder->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    mentions->items = items;
    items[mentions->n_items++] = item;
    return PARE_OK;
}

/* Lists what a line mentions of other units. All words were counted before, so that names may be
 * used before they are defined. */
static pare_status list_line(struct finder *finder, uint32_t line, pare_error *err)
{
    const pare_mentions *mentions = finder->mentions;
    const unsigned char *bytes = mentions->structure->table.bytes;
    struct walk walk = walk_line(&mentions->structure->table, line);
    pare_status status = PARE_OK;
    for (pare_line_word word; !status && next_word(&walk, &word);) {
        const uint32_t owner = owner_of(finder, slot_of(finder, hash_of(word)));
        if (owner == PARE_MENTIONS_NO_UNIT || owner == mentions->unit_of[line]) continue;
        const uint32_t begin = (uint32_t)(word.bytes - bytes);
        status = add_mention(finder,
                             (pare_mention){owner, line, begin, begin + (uint32_t)word.size}, err);
    }
    return status;
}

/* How many units are mentioned, and the bytes of those. */
static pare_status count_named(pare_mentions *mentions, pare_error *err)
{
    bool *named = pare_alloc_zero(mentions->n_units, sizeof *named);
    if (!named) return pare_fail_nomem(err);
    for (size_t i = 0; i < mentions->n_items; i++) {
        const uint32_t unit = mentions->items[i].of;
        if (named[unit]) continue;
        named[unit] = true;
        mentions->n_named++;
        mentions->named_bytes +=
            bytes_of(mentions->structure, mentions->units[unit].from, mentions->units[unit].to);
    }
    pare_alloc_free(named);
    return PARE_OK;
}

static pare_status find_mentions(struct finder *finder, pare_error *err)
{
    const uint32_t n_lines = finder->mentions->structure->table.n_lines;
    pare_status status = PARE_OK;
    for (uint32_t line = 0; line < n_lines && !pare_interrupt_asked_at(line); line++)
        count_line(finder, line);
    finder->has_keywords = begin_with_keywords(finder);
    for (uint32_t line = 0; !status && line < n_lines && !pare_interrupt_asked_at(line); line++)
        status = list_line(finder, line, err);
    return status ? status : count_named(finder->mentions, err);
}

pare_status pare_mentions_new(pare_structure *structure, pare_mentions **out, pare_error *err)
{
    struct finder finder = {.mask = 2 * (size_t)MOST_WORDS - 1, .unit = PARE_MENTIONS_NO_UNIT};
    pare_mentions *mentions = pare_alloc_zero(1, sizeof *mentions);
    if (!mentions) return pare_fail_nomem(err);
    mentions->refs = 1;
    mentions->structure = pare_structure_ref(structure);
    finder.mentions = mentions;
    while (finder.mask > 255 &&
           finder.mask / 4 > structure->table.lines[structure->table.n_lines].begin)
        finder.mask /= 2;
    finder.slots = pare_alloc_zero(finder.mask + 1, sizeof *finder.slots);
    pare_status status = finder.slots ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = find_units(mentions, err);
    if (!status) status = find_mentions(&finder, err);
    if (!status) status = pare_interrupt_look(err);
    pare_alloc_free(finder.slots);
    if (status)
        pare_mentions_unref(mentions);
    else
        *out = mentions;
    return status;
}

pare_mentions *pare_mentions_ref(pare_mentions *mentions)
{
    mentions->refs++;
    return mentions;
}

void pare_mentions_unref(pare_mentions *mentions)
{
    if (!mentions || --mentions->refs) return;
    pare_structure_unref(mentions->structure);
    pare_alloc_free(mentions->units);
    pare_alloc_free(mentions->unit_of);
    pare_alloc_free(mentions->items);
    pare_alloc_free(mentions);
}
