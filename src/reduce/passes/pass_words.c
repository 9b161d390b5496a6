/* The passes over words wherever they stand: long-words, word-pieces.
 *
 * The pass short-names renames tokens, to small letters, as many as there are.  This one is for
 * words that it does not reach: those that stand in strings and comments, too (`"${NAME}"`, a
 * query in a string), which have to change there as well; those that begin with a capital, which
 * in some languages must stay one; and all that are left when the letters are used up.
 * Invariant: a word becomes one that is shorter and that stands nowhere in the text.
 * Source: T-Rec's canonical names and C-Reduce's rename-toks, by bytes.
 * Cost: up to MOST_WORDS patches, which can be made together.
 *
 * The other one is for words that are data: base64, hexadecimal digits, keys.  They have no tokens
 * inside, and one character less spoils them, so only pieces of four characters and more go. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/vector.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { MOST_BYTES = 1048576, MOST_WORDS = 64, LETTERS = 26, LONGEST_NAME = 2 };

/* A run of letters, digits and _, which does not begin with a digit. */
struct word {
    uint32_t from, to;
    uint32_t first, next; /* words of the same bytes: the first one, the next one or NONE */
    uint32_t count;       /* of the first one: how many there are */
};

#define NONE UINT32_MAX

/* The words of a file. */
struct words {
    const pare_pass_view *view;
    struct word *at; /* owned */
    size_t n, capacity;
    uint32_t *last; /* owned; of each first word: the last one of its bytes so far */
    size_t last_capacity;
    pare_hash_index index; /* of first words, by their bytes */
};

/* Frees all of it. */
static void words_done(struct words *words)
{
    pare_alloc_free(words->at);
    pare_alloc_free(words->last);
    pare_hash_index_done(&words->index);
}

/* Whether a word may begin with the byte. Bytes beyond ASCII are letters of some language. */
static bool is_letter(unsigned char byte)
{
    return ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') || byte == '_' || byte >= 0x80;
}

/* Whether it may have the byte in it. */
static bool is_word_byte(unsigned char byte)
{
    return is_letter(byte) || (byte >= '0' && byte <= '9');
}

/* The first word of these bytes; NONE: there is none. Different words may have one hash, so
 * bytes are compared. */
static uint32_t find(const struct words *words, const void *text, size_t size)
{
    const unsigned char *bytes = words->view->bytes;
    pare_hash_probe probe = pare_hash_index_probe(&words->index, pare_lexemes_hash(text, size));
    uint32_t found;
    while (pare_hash_index_next(&words->index, &probe, &found)) {
        const struct word *word = &words->at[found];
        if (word->to - word->from == size && memcmp(bytes + word->from, text, size) == 0)
            return found;
    }
    return NONE;
}

/* Appends the word of bytes from .. to-1 and links it with the others of the same bytes. `last`
 * of the first word is the end of the chain, so the link takes constant time. */
static pare_status add(struct words *words, size_t from, size_t to, pare_error *err)
{
    const unsigned char *text = words->view->bytes + from;
    uint32_t own = (uint32_t)words->n, first = find(words, text, to - from);
    struct word *at = pare_vector_grow(words->at, words->n, &words->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    words->at = at;
    uint32_t *last = pare_vector_grow(words->last, words->n, &words->last_capacity, sizeof *last);
    if (!last) return pare_fail_nomem(err);
    words->last = last;
    last[own] = own;
    at[words->n++] = (struct word){(uint32_t)from, (uint32_t)to, own, NONE, 1};
    if (first == NONE)
        return pare_hash_index_add(&words->index, pare_lexemes_hash(text, to - from), own, err);
    at[own].first = first;
    at[last[first]].next = own;
    last[first] = own;
    at[first].count++;
    return PARE_OK;
}

/* Lists the words. */
static pare_status list_words(struct words *words, pare_error *err)
{
    const unsigned char *bytes = words->view->bytes;
    size_t end = words->view->end;
    pare_status status = PARE_OK;
    for (size_t from = words->view->begin; !status && from < end;) {
        size_t to = from;
        while (to < end && is_word_byte(bytes[to]))
            to++;
        if (to > from && is_letter(bytes[from])) status = add(words, from, to, err);
        from = to > from ? to : from + 1;
    }
    return status;
}

/* A word to be renamed. */
struct pick {
    uint32_t word;
    size_t gain; /* bytes, with a name of one letter */
};

/* The one that saves most first, then the first of the text. The order is total, so patches are
 * the same in each run. */
static int by_gain(const void *a, const void *b)
{
    const struct pick *x = a, *y = b;
    if (x->gain != y->gain) return x->gain > y->gain ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

/* Which lexemes are words, how often; what short-names would rename. */
struct reached {
    pare_pass_words list;
    uint32_t *counts; /* owned; by first word of struct words: how many of them are lexemes */
};

/* Counts for each word how many of its occurrences are lexemes that short-names takes. Only the
 * first LETTERS words of its list get a name there. */
static pare_status count_reached(const struct words *words, struct reached *reached,
                                 pare_error *err)
{
    const pare_pass_view *view = words->view;
    pare_status status = pare_pass_list_words(view, PARE_LEXEME_WORD, 1, &reached->list, err);
    if (status) return status;
    reached->counts = pare_alloc_zero(words->n, sizeof *reached->counts);
    if (!reached->counts) return pare_fail_nomem(err);
    for (size_t i = 0; i < reached->list.n && i < LETTERS; i++) {
        const pare_lexeme *at = &view->lexemes.at[reached->list.items[i].first];
        uint32_t word = find(words, view->bytes + at->from, at->to - at->from);
        if (word != NONE) reached->counts[word] = reached->list.items[i].count;
    }
    return PARE_OK;
}

/* Picks the words that short-names does not rename; those that save most first. A word with a
 * capital is picked in any case. `picks` has room for all words. */
static pare_status pick_words(const struct words *words, struct pick *picks, size_t *n,
                              pare_error *err)
{
    struct reached reached = {.counts = NULL};
    const unsigned char *bytes = words->view->bytes;
    pare_status status = count_reached(words, &reached, err);
    *n = 0;
    for (uint32_t i = 0; !status && i < words->n; i++) {
        const struct word *word = &words->at[i];
        size_t size = word->to - word->from;
        bool capital = bytes[word->from] >= 'A' && bytes[word->from] <= 'Z';
        if (word->first != i || size < 2) continue;
        if (capital || reached.counts[i] != word->count)
            picks[(*n)++] = (struct pick){i, (size - 1) * word->count};
    }
    if (*n) qsort(picks, *n, sizeof *picks, by_gain);
    pare_pass_words_done(&reached.list);
    pare_alloc_free(reached.counts);
    return status;
}

/* The next name that no word is: a, b, .. z, aa, ab, .. or the same with a capital first.  *number
 * is how many were passed already. 0: all names are used up. Numbers 0 to 25 are one letter,
 * from 26 on two. */
static size_t next_name(const struct words *words, bool capital, size_t *number,
                        char name[LONGEST_NAME])
{
    for (; *number < LETTERS * (LETTERS + 1); ++*number) {
        size_t high = *number / LETTERS, low = *number % LETTERS, size = high ? 2 : 1;
        name[0] = (char)((capital ? 'A' : 'a') + (high ? high - 1 : low));
        name[1] = (char)('a' + low);
        if (find(words, name, size) != NONE) continue;
        ++*number;
        return size;
    }
    return 0;
}

/* Renames the picked words, each to a name of its own. A name that is not shorter than the word
 * is used up all the same. The pass stops after MOST_WORDS. */
static pare_status offer_picks(const struct words *words, const struct pick *picks, size_t n,
                               pare_patches *out, pare_error *err)
{
    size_t numbers[2] = {0, 0};
    char name[LONGEST_NAME];
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n && i < MOST_WORDS; i++) {
        const struct word *word = &words->at[picks[i].word];
        unsigned char byte = words->view->bytes[word->from];
        bool capital = byte >= 'A' && byte <= 'Z';
        size_t size = next_name(words, capital, &numbers[capital], name);
        if (!size || size >= word->to - word->from) continue;
        for (uint32_t k = picks[i].word; !status && k != NONE; k = words->at[k].next)
            status = pare_patches_change(out, words->at[k].from, words->at[k].to, name, size, err);
        if (!status) status = pare_patches_end(out, PARE_NO_PATCH, NULL, err);
    }
    return status;
}

/* long-words: words become short ones that stand nowhere in the text, in strings and comments, too;
 * a capital stays one. */
static pare_status offer_words(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    struct words words = {.view = view};
    struct pick *picks = NULL;
    size_t n = 0;
    (void)pass;
    if (pare_pass_is_binary(view)) return PARE_OK;
    pare_status status = list_words(&words, err);
    if (!status && words.n) {
        picks = pare_alloc(words.n, sizeof *picks);
        status = picks ? pick_words(&words, picks, &n, err) : pare_fail_nomem(err);
    }
    if (!status) status = offer_picks(&words, picks, n, out, err);
    pare_alloc_free(picks);
    words_done(&words);
    return status;
}

const pare_pass pare_pass_long_words = {
    .name = "long-words",
    .summary = "shortens a word wherever it occurs, in strings too, keeping its capitals",
    .source = "T-Rec, canonical names; C-Reduce, rename-toks",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_bytes = MOST_BYTES,
    .offer = offer_words,
};

/* ---- word-pieces ------------------------------------------------------------------------ */

/* Base64 stands for three bytes by four characters, hexadecimal digits for one by two. */
enum {
    LEAST_DATA = 64, /* bytes of a word that may be data */
    LEAST_DIGITS =
        16, /* the same of one with a decimal digit, which names of that length seldom have */
    QUAD = 4,
    MOST_PIECES = 1024, /* the smallest that are offered of one word, at most */
    MOST_PARTS = 65536  /* of a file */
};

/* Whether such a byte stands in base64, also in its form for file names. */
static bool is_data(unsigned char byte)
{
    return is_word_byte(byte) || byte == '+' || byte == '/' || byte == '-';
}

/* Where the word of data that begins at `from` ends, with what fills up its last four. `from`:
 * none begins there. Up to two '=' fill up base64. */
static size_t data_end(const pare_pass_view *view, size_t from)
{
    size_t to = from;
    while (to < view->end && is_data(view->bytes[to]))
        to++;
    if (to == from) return to;
    for (size_t fill = 0; fill < 2 && to < view->end && view->bytes[to] == '='; fill++)
        to++;
    return to;
}

/* Offers the stretch, as a part of `parent`, then its halves, down to pieces of `least` bytes, all
 * of which begin at a multiple of four in the word. The middle is rounded up to a multiple of
 * four, so the second half may be empty, and is not offered then. */
static pare_status offer_halves(pare_extent what, size_t least, uint32_t parent, pare_patches *out,
                                pare_error *err)
{
    const size_t size = what.to - what.from;
    uint32_t own;
    pare_status status = pare_pass_offer_cut(out, what, parent, &own, err);
    if (status || size <= least) return status;
    const size_t middle = what.from + (size / 2 + QUAD - 1) / QUAD * QUAD;
    if (middle >= what.to) return PARE_OK;
    status = offer_halves((pare_extent){what.from, middle}, least, own, out, err);
    if (status) return status;
    return offer_halves((pare_extent){middle, what.to}, least, own, out, err);
}

/* Whether the word from .. to-1 is long enough to be data. A long name without digits is most
 * likely a name. */
static bool is_long_data(const pare_pass_view *view, size_t from, size_t to)
{
    if (to - from >= LEAST_DATA) return true;
    if (to - from < LEAST_DIGITS) return false;
    while (from < to && (view->bytes[from] < '0' || view->bytes[from] > '9'))
        from++;
    return from < to;
}

/* word-pieces: of each long word the whole, its halves, and so on. The smallest pieces of a
 * very long word are larger, so that it has no more than MOST_PIECES of them. */
static pare_status offer_pieces(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    if (pare_pass_is_binary(view)) return PARE_OK;
    for (size_t from = view->begin; !status && from < view->end && out->n < MOST_PARTS;) {
        const size_t to = data_end(view, from), size = to - from;
        if (is_long_data(view, from, to)) {
            size_t least = QUAD;
            while (size / least > MOST_PIECES)
                least *= 2;
            status = offer_halves((pare_extent){from, to}, least, PARE_NO_PATCH, out, err);
        }
        from = size ? to : from + 1;
    }
    return status;
}

const pare_pass pare_pass_word_pieces = {
    .name = "word-pieces",
    .summary = "cuts pieces out of long words, from halves down to four characters",
    .source = "ddmin within a token; that pieces keep to groups of four is ours",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_LEARNED,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_pieces,
};
