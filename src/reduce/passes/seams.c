/* Seams: pairs of tokens that the input has, in a Bloom filter.
 *
 * A token is what its bytes say, but a number is any number, a string any string, and a name any
 * name.  A word is a name unless it recurs: of the words of the input those are common that make up
 * a part in COMMON_SHARE of its tokens, and occur COMMON_LEAST times at least.  So words that passes
 * have made up since are names, which is what they stand for.
 * Invariant: what was learned is never forgotten, so two files of a folder share one set, and the
 * order in which they are looked at does not matter much.
 * Source: the bigrams of "Perses with language models" (T-Rec's and LPR's idea that a model of the
 * language guesses what is well formed) without a model; the filter is Bloom's, 1970.  Ours. */
#include "reduce/passes/seams.h"

#include <assert.h>

enum {
    COMMON_LEAST = 3,
    COMMON_SHARE = 400,
    N_BITS = PARE_SEAM_BYTES * 8,
    EDGE = 1 /* of a file; what no kind of token is */
};

/* What is mixed into the hash of a token of any text. */
enum { ANY_NAME = 2, ANY_NUMBER = 3, ANY_STRING = 4 };

static bool has_bit(const unsigned char *set, uint64_t hash)
{
    const uint64_t bit = hash % N_BITS;
    return (set[bit / 8] >> (bit % 8)) & 1;
}

static void set_bit(unsigned char *set, uint64_t hash)
{
    const uint64_t bit = hash % N_BITS;
    set[bit / 8] = (unsigned char)(set[bit / 8] | 1U << (bit % 8));
}

/* The hash of what the lexeme is; `common` as in pare_seams. */
static uint64_t class_of(const unsigned char *common, const pare_lexeme *at,
                         const unsigned char *bytes)
{
    const uint64_t own = pare_lexemes_hash(bytes + at->from, at->to - at->from);
    switch ((pare_lexeme_kind)at->kind) {
    case PARE_LEXEME_NUMBER: return ANY_NUMBER;
    case PARE_LEXEME_STRING: return ANY_STRING;
    case PARE_LEXEME_WORD: return has_bit(common, own) ? own : ANY_NAME;
    case PARE_LEXEME_OPEN:
    case PARE_LEXEME_CLOSE:
    case PARE_LEXEME_SIGN:
    case PARE_LEXEME_OTHER: break;
    }
    return own;
}

/* The order of the two matters.  An odd factor mixes all bits of a word of 64 (Knuth). */
static uint64_t join(uint64_t before, uint64_t after)
{
    uint64_t both = (before * 3 + after) * UINT64_C(0x9e3779b97f4a7c15);
    return both ^ both >> 29;
}

/* How often the bytes of the first of equal lexemes occur. */
static size_t count(const pare_lexemes *lexemes, size_t first)
{
    size_t n = 0;
    for (size_t i = first; i != PARE_NO_LEXEME; i = lexemes->at[i].next)
        n++;
    return n;
}

/* Words first, since pairs are pairs of classes. */
void pare_seams_learn(pare_seams *seams, const pare_lexemes *lexemes, const unsigned char *bytes)
{
    const size_t n = lexemes->n;
    const size_t least = n / COMMON_SHARE > COMMON_LEAST ? n / COMMON_SHARE : (size_t)COMMON_LEAST;
    for (size_t i = 0; i < n; i++) {
        const pare_lexeme *at = &lexemes->at[i];
        if (at->kind == PARE_LEXEME_WORD && at->first == i && count(lexemes, i) >= least)
            set_bit(seams->common, pare_lexemes_hash(bytes + at->from, at->to - at->from));
    }
    pare_seams_learn_pairs(seams, lexemes, bytes);
}

/* By the words that are common already. */
void pare_seams_learn_pairs(pare_seams *seams, const pare_lexemes *lexemes,
                            const unsigned char *bytes)
{
    uint64_t before = EDGE;
    for (size_t i = 0; i < lexemes->n; i++) {
        const uint64_t own = class_of(seams->common, &lexemes->at[i], bytes);
        set_bit(seams->pairs, join(before, own));
        before = own;
    }
    set_bit(seams->pairs, join(before, EDGE));
}

bool pare_seams_has(const pare_seams *seams, const pare_lexemes *lexemes,
                    const unsigned char *bytes, size_t before, size_t after)
{
    assert(before == PARE_NO_LEXEME || before < after);
    assert(after <= lexemes->n);
    const uint64_t x =
        before == PARE_NO_LEXEME ? EDGE : class_of(seams->common, &lexemes->at[before], bytes);
    const uint64_t y =
        after == lexemes->n ? EDGE : class_of(seams->common, &lexemes->at[after], bytes);
    return has_bit(seams->pairs, join(x, y));
}
