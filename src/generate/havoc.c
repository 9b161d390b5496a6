/* Havoc: stacked changes of bytes, as AFL makes them, with words and digits for text formats.
 *
 * A member is drawn, and 1, 2, 4, 8 or 16 changes are made on top of each other: one change alone
 * seldom gets past two checks, many destroy what made the member worth keeping, so all sizes come.
 * Each change puts some bytes in the place of some others, so one function does them all:
 * `put` replaces `removed` bytes at `at` by a piece.  The kinds of changes differ in how they draw
 * these three.
 *
 * The member is mostly the later one of two that are drawn: what reached something new lately is
 * what least was tried on.  Each choice comes from the source of choices, so a text
 * depends on the seed, its number, the members and the words only.
 *
 * Invariant: the text never grows beyond PARE_HAVOC_BYTES by a change; pieces are copies, since
 * they may be of the text itself.
 * Source: AFL's technical details (Zalewski), "Havoc" and "Splicing"; AFL++ (Fioraldi et al.,
 * WOOT 2020) for blocks that are put in and repeated; Böhme et al., AFLFast (2016), for preferring
 * what was tried less.  Deviations: numbers are of digits, as text formats have them, not of 2, 4
 * or 8 bytes; no deterministic stage. */
#include "generate/havoc.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

enum {
    STACKED = 5,      /* 2^0 .. 2^4 changes */
    BLOCKS = 3,       /* how many limits of blocks there are */
    MOST_COPIES = 32, /* of a block */
    DIGITS = 32,      /* of a number */
    PREFERENCE = 2    /* times more that a preferred member is drawn */
};

static const size_t block_bytes[BLOCKS] = {4, 32, 512};

/* Bytes that formats give a meaning, or that tell signed from unsigned. */
static const unsigned char odd_bytes[] = {
    0,   1,   9,   '\n', '\r', ' ', '!', '"', '#',  '%',  '&',  '\'', '(',  ')',  '*', '+', ',',
    '-', '.', '/', '0',  '9',  ':', ';', '<', '=',  '>',  '?',  '@',  '[',  '\\', ']', '^', '_',
    '`', 'e', 'u', 'x',  '{',  '|', '}', '~', 0x7f, 0x80, 0xc2, 0xe2, 0xef, 0xf0, 0xff};

/* Limits of the types that numbers end up in, and what readers of numbers stumble over. */
static const char *const odd_numbers[] = {"0",          "1",          "-1",
                                          "2",          "7",          "8",
                                          "16",         "31",         "32",
                                          "33",         "63",         "64",
                                          "100",        "127",        "128",
                                          "255",        "256",        "1024",
                                          "32767",      "32768",      "65535",
                                          "65536",      "1000000",    "2147483647",
                                          "2147483648", "4294967295", "4294967296",
                                          "1e9",        "1e308",      "1e309",
                                          "1e-320",     "0.1",        "9007199254740993",
                                          "-0",         "0x7f",       "18446744073709551615",
                                          "00",         "1.",         "9223372036854775807"};

/* One run of the generator. */
struct run {
    pare_havoc *havoc;
    pare_choices *choices;
    pare_error *err;
};

/* --- draws ----------------------------------------------------------------------------------- */

/* Draws an index below n (above 0).  A number, not a branch: neighbours are alike, so a reduction
 * of the choices may lower it. */
static pare_status draw(struct run *run, size_t n, size_t *which)
{
    uint64_t index = 0;
    assert(n > 0);
    pare_status status = pare_choices_next(run->choices, PARE_CHOICE_NUMBER, n, &index, run->err);
    *which = (size_t)index;
    return status;
}

/* A stretch of `size` bytes, at least one of them; small ones are more likely. */
static pare_status draw_block(struct run *run, size_t size, size_t *at, size_t *length)
{
    size_t limit = 0;
    assert(size > 0);
    pare_status status = draw(run, size, at);
    if (!status) status = draw(run, BLOCKS, &limit);
    if (status) return status;
    const size_t left = size - *at;
    status = draw(run, left < block_bytes[limit] ? left : block_bytes[limit], length);
    ++*length;
    return status;
}

/* --- changes --------------------------------------------------------------------------------- */

/* Puts a copy of `size` bytes in the place of `removed` ones at `at`; nothing where the text would
 * become too large. */
static pare_status put(struct run *run, size_t at, size_t removed, const void *bytes, size_t size)
{
    pare_buffer *text = &run->havoc->text;
    assert(at + removed <= text->size);
    if (size > removed && text->size + size - removed > PARE_HAVOC_BYTES) return PARE_OK;
    if (size > removed) {
        pare_status status = pare_buffer_reserve(text, size - removed + 1, run->err);
        if (status) return status;
    }
    if (!text->data) return PARE_OK;
    memmove(text->data + at + size, text->data + at + removed, text->size - at - removed);
    if (size) memcpy(text->data + at, bytes, size);
    text->size = text->size + size - removed;
    text->data[text->size] = '\0';
    return PARE_OK;
}

/* Copies a piece aside: it may be of the text that is changed. */
static pare_status take(struct run *run, const pare_buffer *from, size_t at, size_t length)
{
    pare_buffer_reset(&run->havoc->spare);
    return pare_buffer_add(&run->havoc->spare, from->data + at, length, run->err);
}

/* Replaces `removed` bytes at `at` by what lies in `spare`, which holds a copy: a block of the text
 * itself would move while it is put in. */
static pare_status put_spare(struct run *run, size_t at, size_t removed)
{
    return put(run, at, removed, run->havoc->spare.data, run->havoc->spare.size);
}

/* One byte gives way: a bit flipped, a small sum, any byte, or one with a meaning. */
static pare_status change_byte(struct run *run)
{
    pare_buffer *text = &run->havoc->text;
    size_t at = 0, how = 0, what = 0;
    if (!text->size) return PARE_OK;
    pare_status status = draw(run, text->size, &at);
    if (!status) status = draw(run, 4, &how);
    static const size_t bounds[] = {8, 70, 256, sizeof odd_bytes};
    if (!status) status = draw(run, bounds[how], &what);
    if (status) return status;
    unsigned char byte = (unsigned char)text->data[at];
    if (how == 0) byte ^= (unsigned char)(1u << what);
    if (how == 1) byte = (unsigned char)(byte + what - 35);
    if (how == 2) byte = (unsigned char)what;
    if (how == 3) byte = odd_bytes[what];
    text->data[at] = (char)byte;
    return PARE_OK;
}

/* Inserts an odd byte anywhere, also at the end. */
static pare_status insert_byte(struct run *run)
{
    size_t at = 0, what = 0;
    pare_status status = draw(run, run->havoc->text.size + 1, &at);
    if (!status) status = draw(run, sizeof odd_bytes, &what);
    return status ? status : put(run, at, 0, &odd_bytes[what], 1);
}

/* Removes a block; of an empty text there is nothing to remove, and no choice is drawn. */
static pare_status delete_block(struct run *run)
{
    size_t at = 0, length = 0;
    if (!run->havoc->text.size) return PARE_OK;
    pare_status status = draw_block(run, run->havoc->text.size, &at, &length);
    return status ? status : put(run, at, length, "", 0);
}

/* A block is put in elsewhere, or over what is there. */
static pare_status copy_block(struct run *run)
{
    pare_buffer *text = &run->havoc->text;
    size_t from = 0, length = 0, to = 0, over = 0;
    if (!text->size) return PARE_OK;
    pare_status status = draw_block(run, text->size, &from, &length);
    if (!status) status = draw(run, text->size + 1, &to);
    if (!status) status = draw(run, 2, &over);
    if (!status) status = take(run, text, from, length);
    if (status) return status;
    const size_t left = text->size - to;
    return put_spare(run, to, !over ? 0 : length < left ? length : left);
}

/* A block is repeated where it stands. */
static pare_status repeat_block(struct run *run)
{
    pare_buffer *text = &run->havoc->text;
    size_t at = 0, length = 0, copies = 0;
    if (!text->size) return PARE_OK;
    pare_status status = draw_block(run, text->size, &at, &length);
    if (!status) status = draw(run, MOST_COPIES, &copies);
    pare_buffer_reset(&run->havoc->spare);
    for (size_t i = 0; !status && i <= copies; i++)
        status = pare_buffer_add(&run->havoc->spare, text->data + at, length, run->err);
    return status ? status : put_spare(run, at, 0);
}

/* Digits give way to another number; where there are none it is put in. */
static pare_status change_number(struct run *run)
{
    pare_buffer *text = &run->havoc->text;
    size_t at = 0, which = 0, length = 0;
    pare_status status = draw(run, text->size + 1, &at);
    if (!status) status = draw(run, sizeof odd_numbers / sizeof *odd_numbers, &which);
    if (status) return status;
    size_t digit = at;
    while (digit < text->size && !isdigit((unsigned char)text->data[digit]))
        digit++;
    if (digit < text->size) at = digit;
    while (at + length < text->size && length < DIGITS &&
           isdigit((unsigned char)text->data[at + length]))
        length++;
    return put(run, at, length, odd_numbers[which], strlen(odd_numbers[which]));
}

/* A word of the dictionary is put in, or over what is there. */
static pare_status put_word(struct run *run)
{
    const pare_havoc *havoc = run->havoc;
    size_t which = 0, at = 0, over = 0;
    if (!havoc->n_words) return insert_byte(run);
    pare_status status = draw(run, havoc->n_words, &which);
    if (!status) status = draw(run, havoc->text.size + 1, &at);
    if (!status) status = draw(run, 2, &over);
    if (status) return status;
    const pare_buffer *word = &havoc->words[which];
    const size_t left = havoc->text.size - at;
    return put(run, at, !over ? 0 : word->size < left ? word->size : left, word->data, word->size);
}

/* Number of a member. */
static pare_status draw_number(struct run *run, size_t *number)
{
    const pare_havoc *havoc = run->havoc;
    pare_status status = draw(run, havoc->n + havoc->n_preferred, number);
    if (!status && *number >= havoc->n) *number = havoc->preferred[*number - havoc->n];
    return status;
}

/* The later one of two, unless it is much larger: a large one costs more, and of its bytes fewer
 * matter. */
static pare_status draw_member(struct run *run, const pare_buffer **member)
{
    enum { MUCH = 4, SMALL = 64 /* bytes */ };
    size_t a = 0, b = 0;
    pare_status status = draw_number(run, &a);
    if (!status) status = draw_number(run, &b);
    if (status) return status;
    const pare_buffer *later = &run->havoc->members[a > b ? a : b];
    const pare_buffer *earlier = &run->havoc->members[a > b ? b : a];
    *member = later->size > MUCH * earlier->size + SMALL ? earlier : later;
    return PARE_OK;
}

/* A block of another member is put in, or its end takes the place of the end of the text. */
static pare_status splice(struct run *run)
{
    const pare_buffer *other = NULL;
    size_t at = 0, from = 0, length = 0, whole = 0;
    pare_status status = draw_member(run, &other);
    if (status || !other->size) return status;
    status = draw_block(run, other->size, &from, &length);
    if (!status) status = draw(run, run->havoc->text.size + 1, &at);
    if (!status) status = draw(run, 2, &whole);
    if (!status) status = take(run, other, from, whole ? other->size - from : length);
    return status ? status : put_spare(run, at, whole ? run->havoc->text.size - at : 0);
}

/* --- the generator --------------------------------------------------------------------------- */

/* A pare_generator.run: draws a member, then stacks 1, 2, 4, ... changes on a copy of it.  The
 * number is drawn as a power of two, so that texts close to the member are as frequent as those far
 * from it. */
static pare_status run_havoc(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    /* What changes one byte comes twice: it keeps most of what the member is. */
    static pare_status (*const changes[])(struct run *) = {
        change_byte,  change_byte,   insert_byte, delete_block, copy_block,
        repeat_block, change_number, put_word,    put_word,     splice};
    struct run run = {.havoc = self, .choices = choices, .err = err};
    const pare_buffer *member = NULL;
    size_t stacked = 0, which = 0;
    assert(run.havoc->n && "there is something to change");
    pare_status status = draw_member(&run, &member);
    if (!status) status = draw(&run, STACKED, &stacked);
    pare_buffer_reset(&run.havoc->text);
    if (!status && member->size)
        status = pare_buffer_add(&run.havoc->text, member->data, member->size, err);
    for (size_t i = 0; !status && i < (size_t)1 << stacked; i++) {
        status = draw(&run, sizeof changes / sizeof *changes, &which);
        if (!status) status = changes[which](&run);
    }
    if (status || !run.havoc->text.size) return status;
    return pare_buffer_add(text, run.havoc->text.data, run.havoc->text.size, err);
}

/* Its state is only scratch memory, so the same choices give the same text. */
pare_generator pare_havoc_generator(pare_havoc *havoc)
{
    return (pare_generator){.self = havoc, .run = run_havoc};
}

/* --- life ------------------------------------------------------------------------------------ */

/* Appends `item` to a list, which takes its bytes over; on failure they are freed. */
static pare_status add(pare_buffer **list, size_t *n, size_t *capacity, pare_buffer item,
                       pare_error *err)
{
    pare_buffer *grown = pare_vector_grow(*list, *n, capacity, sizeof *grown);
    if (!grown) {
        pare_buffer_done(&item);
        return pare_fail_nomem(err);
    }
    *list = grown;
    grown[(*n)++] = item;
    return PARE_OK;
}

/* Copies the bytes, so the caller may free its own. */
pare_status pare_havoc_add(pare_havoc *havoc, const void *bytes, size_t size, pare_error *err)
{
    pare_buffer member = {0};
    pare_status status = size ? pare_buffer_add(&member, bytes, size, err) : PARE_OK;
    return status ? status : add(&havoc->members, &havoc->n, &havoc->capacity, member, err);
}

/* Numbers are drawn below the members and the preferred ones together, so PREFERENCE entries more
 * make the member that many times likelier. */
pare_status pare_havoc_prefer(pare_havoc *havoc, pare_error *err)
{
    assert(havoc->n && "one was added");
    for (size_t i = 0; i < PREFERENCE; i++) {
        size_t *grown = pare_vector_grow(havoc->preferred, havoc->n_preferred,
                                         &havoc->preferred_capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(err);
        havoc->preferred = grown;
        grown[havoc->n_preferred++] = havoc->n - 1;
    }
    return PARE_OK;
}

/* Copies a word of the dictionary; an empty one would change nothing, and is left out. */
pare_status pare_havoc_add_word(pare_havoc *havoc, const char *word, size_t size, pare_error *err)
{
    pare_buffer copy = {0};
    if (!size) return PARE_OK;
    pare_status status = pare_buffer_add(&copy, word, size, err);
    return status ? status : add(&havoc->words, &havoc->n_words, &havoc->words_capacity, copy, err);
}

/* All-zero is a no-op. */
void pare_havoc_done(pare_havoc *havoc)
{
    for (size_t i = 0; i < havoc->n; i++)
        pare_buffer_done(&havoc->members[i]);
    for (size_t i = 0; i < havoc->n_words; i++)
        pare_buffer_done(&havoc->words[i]);
    pare_alloc_free(havoc->members);
    pare_alloc_free(havoc->words);
    pare_alloc_free(havoc->preferred);
    pare_buffer_done(&havoc->text);
    pare_buffer_done(&havoc->spare);
    *havoc = (pare_havoc){0};
}
