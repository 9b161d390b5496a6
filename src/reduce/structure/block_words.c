/* Learns the words that open and close blocks, in three walks over the lines.
 *
 * The first counts the words that could open something: the first three of a line and its last.
 * The second looks for words that have the form of a closing one, and asks for each whether what
 * it would close is among the counted: `end if` closes `if`, `endmodule` `module`, `\end{x}`
 * `\begin{x}`, `</x>` `<x`, `fi` `if`, `done` `do`; a bare `end`, or one with a name after it that
 * opens nothing, closes `begin`.  The third pairs them: each closing use takes the nearest open
 * use of its word, and what was opened between the two and not closed is dropped.  A prototype of
 * a function opens nothing, and costs nothing.
 *
 * A word of which more than a tenth of the closing uses find nothing open is no word of this text,
 * and the rest is paired again without it.
 * Invariant: of each word, n_open is how often it is on the stack; so a closing use without an
 * opener is known in O(1), and one with an opener takes off what it steps over: linear.
 * Source: ours, see docs/design/structure.md. */
#include "reduce/structure/block_words.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"

enum {
    FORM_BYTES = 64,      /* longer words close nothing */
    MOST_WORDS = 1 << 16, /* different words that are counted */
    UNMATCHED_SHARE = 10, /* more than this part of the closing uses: dropped */
    MOST_ROUNDS = 4,      /* pairings; after the last one what is left is taken */
    TAIL_BYTES = 400      /* of a line, looked at for what closes in the same line */
};

/* ---- pairing ------------------------------------------------------------------------------ */

/* Uses that are open: the index of each, and its place among the spans. */
struct open_use {
    uint32_t word;
    size_t place;
};

/* The stack of a pairing. */
struct pairing {
    struct open_use *stack; /* owned */
    size_t n, capacity;
    uint32_t *n_open; /* owned; of each word, how many of its uses are on the stack */
};

/* Errors: PARE_E_NOMEM. */
static pare_status open_block(struct pairing *pairing, const pare_block_use *use,
                              pare_block_spans *spans, pare_error *err)
{
    struct open_use open = {.word = use->word};
    struct open_use *stack =
        pare_vector_grow(pairing->stack, pairing->n, &pairing->capacity, sizeof *stack);
    if (!stack) return pare_fail_nomem(err);
    pairing->stack = stack;
    pare_status status = pare_block_spans_open(spans, use->line, false, &open.place, err);
    if (status) return status;
    pairing->n_open[use->word]++;
    stack[pairing->n++] = open;
    return PARE_OK;
}

/* Takes off the nearest open use of the word, and all above it, which nothing has closed: of "if do
 * while ... endif" the last two have no span. */
static void close_block(struct pairing *pairing, const pare_block_use *use, pare_block_spans *spans)
{
    struct open_use top;
    assert(pairing->n_open[use->word] > 0);
    do {
        top = pairing->stack[--pairing->n];
        pairing->n_open[top.word]--;
    } while (top.word != use->word);
    pare_block_spans_close(spans, top.place, use->line, true);
}

/* Pairs the words that open and close blocks by a stack, and counts for each how often it closes
 * nothing: a word that often does is dropped by the caller, who then pairs once more. */
pare_status pare_block_words_match(const pare_block_use *uses, size_t n_uses,
                                   pare_block_count *counts, size_t n_words,
                                   pare_block_spans *spans, pare_error *err)
{
    struct pairing pairing = {.n_open = pare_alloc_zero(n_words, sizeof(uint32_t))};
    pare_status status = pairing.n_open ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; !status && i < n_uses; i++) {
        const pare_block_use *use = &uses[i];
        assert(use->word < n_words);
        if (counts[use->word].dropped) continue;
        if (!use->closes) {
            status = open_block(&pairing, use, spans, err);
            continue;
        }
        counts[use->word].closes++;
        if (pairing.n_open[use->word])
            close_block(&pairing, use, spans);
        else
            counts[use->word].unmatched++;
    }
    pare_alloc_free(pairing.stack);
    pare_alloc_free(pairing.n_open);
    return status;
}

/* ---- words -------------------------------------------------------------------------------- */

/* A word that may open blocks, by its hash. */
struct word {
    uint32_t hash;     /* 0: the slot is free */
    uint32_t n_closes; /* closing uses that ask for it */
    uint32_t line;     /* of its first use */
    uint32_t number;   /* among those that are asked for */
};

/* What is learned on the way through the lines. `slots` is an open hash table whose size is a power
 * of two. */
struct learner {
    const pare_line_table *table;
    struct word *slots; /* owned */
    size_t mask, n_slots_used;
    pare_block_use *uses; /* owned */
    size_t n_uses, capacity;
    uint32_t n_words;
};

/* The slot of the word, or a free one. */
static struct word *slot_of(const struct learner *learner, uint32_t hash)
{
    size_t i = hash & learner->mask;
    while (learner->slots[i].hash && learner->slots[i].hash != hash)
        i = (i + 1) & learner->mask;
    return &learner->slots[i];
}

/* NULL: no line has it where a word may open something. */
static struct word *find_word(const struct learner *learner, uint32_t hash)
{
    struct word *slot = slot_of(learner, hash);
    return slot->hash ? slot : NULL;
}

/* A text of ever new words, such as a log, has no blocks by words: the rest is passed over. */
static void count_word(struct learner *learner, pare_line_word word, uint32_t line)
{
    if (!word.bytes || word.size > FORM_BYTES || learner->n_slots_used >= MOST_WORDS) return;
    const uint32_t hash = pare_line_table_hash(word.bytes, word.size, 0);
    struct word *slot = slot_of(learner, hash);
    if (slot->hash) return;
    *slot = (struct word){.hash = hash, .line = line};
    learner->n_slots_used++;
}

/* How many words of a line may open a block: the first few, as long as they have letters. */
enum { N_LEADING = 3, N_PLACES = N_LEADING + 1 };

/* Sets the first three words and the last one; those that are not there have no bytes.  After a
 * first word with punctuation before it (a comment's, say) only that one counts. */
static void words_of(const pare_line_table *table, uint32_t line, pare_line_word *words)
{
    const pare_line *of = &table->lines[line];
    const unsigned char *at = table->bytes + of->begin + of->margin, *end = at + of->content;
    for (size_t i = 0; i < N_PLACES; i++)
        words[i] = (pare_line_word){NULL, 0};
    for (size_t i = 0; i < N_LEADING; i++) {
        words[i] = pare_line_table_word(at, end);
        if (!words[i].bytes) return;
        at = words[i].bytes + words[i].size;
        if (!pare_line_table_is_letter(*words[i].bytes)) {
            if (i) words[i] = (pare_line_word){NULL, 0};
            return;
        }
    }
    words[N_LEADING] = pare_line_table_last_word(table, line);
    if (words[N_LEADING].bytes < at) words[N_LEADING] = (pare_line_word){NULL, 0};
}

/* ---- the form of closing words ------------------------------------------------------------ */

/* Whether the text begins with a lower-case word, in either case. */
static bool begins(const unsigned char *text, size_t size, const char *word)
{
    size_t n = strlen(word);
    if (size < n) return false;
    for (size_t i = 0; i < n; i++)
        if ((text[i] | 0x20) != (unsigned char)word[i]) return false;
    return true;
}

/* The number of bytes before the letters of a word. */
static size_t punctuation_of(pare_line_word word)
{
    size_t n = 0;
    while (n < word.size && !pare_line_table_is_letter(word.bytes[n]))
        n++;
    return n;
}

/* Hash of what stands before the letters, then `middle`, then the rest of the word. */
static uint32_t hash_parts(pare_line_word word, size_t before, const char *middle, size_t rest)
{
    uint32_t hash = before ? pare_line_table_hash(word.bytes, before, 0) : 0;
    if (*middle) hash = pare_line_table_hash((const unsigned char *)middle, strlen(middle), hash);
    return rest < word.size ? pare_line_table_hash(word.bytes + rest, word.size - rest, hash)
                            : hash;
}

/* The word that one with `end` in front closes; NULL: none. `letters` is where its letters begin.
 *
 * endfunction, end_function   function        \end{list}   \begin{list}
 * end if                      if, if some line has that word where it may open a block
 * end                         begin */
static struct word *opener_of_end(const struct learner *learner, pare_line_word word,
                                  pare_line_word after, size_t letters)
{
    struct word *found = NULL;
    size_t rest = letters + 3;
    if (rest == word.size) {
        if (after.bytes && pare_line_table_is_letter(*after.bytes) && !letters)
            found = find_word(learner, pare_line_table_hash(after.bytes, after.size, 0));
        return found ? found : find_word(learner, hash_parts(word, letters, "begin", rest));
    }
    if (word.bytes[rest] == '_') rest++;
    if (word.bytes[rest - 1] != '_' && !pare_line_table_is_letter(word.bytes[rest]))
        return find_word(learner, hash_parts(word, letters, "begin", rest));
    return rest < word.size ? find_word(learner, hash_parts(word, letters, "", rest)) : NULL;
}

/* The word spelled from its end to its beginning ("fi", "esac"), if it was first used before this
 * one: that tells which of the two opens. Words that are the same in both directions close nothing.
 */
static struct word *opener_reversed(const struct learner *learner, pare_line_word word)
{
    unsigned char reversed[FORM_BYTES];
    if (word.size < 2) return NULL;
    for (size_t i = 0; i < word.size; i++)
        reversed[i] = word.bytes[word.size - 1 - i];
    if (memcmp(reversed, word.bytes, word.size) == 0) return NULL;
    struct word *found = find_word(learner, pare_line_table_hash(reversed, word.size, 0));
    const struct word *own = find_word(learner, pare_line_table_hash(word.bytes, word.size, 0));
    return found && own && found->line < own->line ? found : NULL;
}

/* The word that `word` closes, by its form and by the word `after` it (`end if`); NULL: it closes
 * nothing. */
static struct word *opener_of(const struct learner *learner, pare_line_word word,
                              pare_line_word after)
{
    if (!word.bytes || word.size > FORM_BYTES) return NULL;
    const size_t letters = punctuation_of(word);
    if (letters == word.size) return NULL;
    if (begins(word.bytes + letters, word.size - letters, "end"))
        return opener_of_end(learner, word, after, letters);
    /* </x> closes <x>: the slash goes. */
    if (letters > 1 && word.bytes[letters - 1] == '/')
        return find_word(learner, hash_parts(word, letters - 1, "", letters));
    if (letters) return NULL;
    if (word.size == 4 && begins(word.bytes, 4, "done"))
        return find_word(learner, pare_line_table_hash((const unsigned char *)"do", 2, 0));
    return opener_reversed(learner, word);
}

/* ---- uses --------------------------------------------------------------------------------- */

/* Errors: PARE_E_NOMEM. */
static pare_status add_use(struct learner *learner, const struct word *word, uint32_t line,
                           bool closes, pare_error *err)
{
    pare_block_use *uses =
        pare_vector_grow(learner->uses, learner->n_uses, &learner->capacity, sizeof *uses);
    if (!uses) return pare_fail_nomem(err);
    learner->uses = uses;
    uses[learner->n_uses++] = (pare_block_use){.word = word->number, line, closes};
    return PARE_OK;
}

/* Whether "/>" stands there. */
static bool closes_tag(const unsigned char *at, const unsigned char *end)
{
    return end - at > 1 && at[0] == '/' && at[1] == '>';
}

/* Whether something in the rest of the line, its last TAIL_BYTES at most, closes the word that ends
 * at `at`: "if x; then y; fi" opens nothing. */
static bool closes_in_line(const struct learner *learner, const struct word *word,
                           const unsigned char *at, const unsigned char *end)
{
    if (end - at > TAIL_BYTES) at = end - TAIL_BYTES;
    while (at < end) {
        pare_line_word next = pare_line_table_word(at, end);
        if (!next.bytes) return false;
        at = next.bytes + next.size;
        /* <x/> is closed where it is opened; punctuation, as a quote, may stand before that or a closing word. */
        for (size_t skip = 0; skip < next.size && skip < 4; skip++) {
            if (closes_tag(next.bytes + skip, next.bytes + next.size)) return true;
            pare_line_word rest = {next.bytes + skip, next.size - skip};
            if (opener_of(learner, rest, pare_line_table_word(at, end)) == word) return true;
            if (pare_line_table_is_letter(*rest.bytes)) break;
        }
    }
    return false;
}

/* The word that some line closes, by which this one opens a block; NULL: none.  #ifdef opens what
 * #if does: a word with punctuation may have more letters after it. */
static struct word *asked_for(const struct learner *learner, pare_line_word word)
{
    if (!word.bytes || word.size > FORM_BYTES) return NULL;
    struct word *found = find_word(learner, pare_line_table_hash(word.bytes, word.size, 0));
    if (found && found->n_closes) return found;
    const size_t letters = punctuation_of(word);
    if (!letters || word.bytes[0] != '#') return NULL;
    for (size_t size = word.size - 1; size > letters; size--) {
        found = find_word(learner, pare_line_table_hash(word.bytes, size, 0));
        if (found && found->n_closes) return found;
    }
    return NULL;
}

/* The opening use of a line, if there is one that the line itself does not close. */
static pare_status add_opening(struct learner *learner, const pare_line_word *words, size_t from,
                               uint32_t line, pare_error *err)
{
    const pare_line *of = &learner->table->lines[line];
    const unsigned char *end = learner->table->bytes + of->begin + of->margin + of->content;
    for (size_t i = from; i < N_PLACES; i++) {
        struct word *word = asked_for(learner, words[i]);
        if (!word) continue;
        if (closes_in_line(learner, word, words[i].bytes + words[i].size, end)) continue;
        return add_use(learner, word, line, false, err);
    }
    return PARE_OK;
}

/* Counts what is closed: the first word of each line may close something. A word that is asked for
 * gets a number when it is met first; others stay out of the pairing. */
static void ask(struct learner *learner)
{
    pare_line_word words[N_PLACES];
    for (uint32_t line = 0; line < learner->table->n_lines; line++) {
        if (pare_interrupt_asked_at(line)) return;
        words_of(learner->table, line, words);
        struct word *word = opener_of(learner, words[0], words[1]);
        if (word && !word->n_closes++) word->number = learner->n_words++;
    }
}

/* Collects the uses of the words that are asked for, in the order of the lines. */
static pare_status collect(struct learner *learner, pare_error *err)
{
    pare_line_word words[N_PLACES];
    pare_status status = PARE_OK;
    for (uint32_t line = 0; !status && line < learner->table->n_lines; line++) {
        if (pare_interrupt_asked_at(line)) break;
        words_of(learner->table, line, words);
        struct word *word = opener_of(learner, words[0], words[1]);
        if (word) status = add_use(learner, word, line, true, err);
        /* `end if` does not open an if; `end else begin` opens what its last word says. */
        if (!status) status = add_opening(learner, words, word ? N_LEADING : 0, line, err);
    }
    return status;
}

/* Drops words that too often close nothing; returns whether there were any. Counts begin anew for
 * the next pairing. */
static bool drop_words(pare_block_count *counts, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (counts[i].unmatched * UNMATCHED_SHARE > counts[i].closes)
            any = counts[i].dropped = true;
        counts[i].closes = counts[i].unmatched = 0;
    }
    return any;
}

/* Pairs the uses, again and again while words are dropped. */
static pare_status pair(const struct learner *learner, pare_block_spans *spans, pare_error *err)
{
    pare_block_count *counts = pare_alloc_zero(learner->n_words, sizeof *counts);
    pare_status status = counts ? PARE_OK : pare_fail_nomem(err);
    for (unsigned round = 0; !status && round < MOST_ROUNDS; round++) {
        spans->n = 0;
        status = pare_block_words_match(learner->uses, learner->n_uses, counts, learner->n_words,
                                        spans, err);
        if (status || !drop_words(counts, learner->n_words)) break;
    }
    pare_alloc_free(counts);
    return status;
}

/* Room for twice the words that are counted, or four for each line. */
static pare_status start(struct learner *learner, pare_error *err)
{
    size_t n = 16;
    while (n < 2 * (size_t)MOST_WORDS && n < 8 * (size_t)learner->table->n_lines)
        n *= 2;
    learner->slots = pare_alloc_zero(n, sizeof *learner->slots);
    learner->mask = n - 1;
    return learner->slots ? PARE_OK : pare_fail_nomem(err);
}

pare_status pare_block_words_find(const pare_line_table *table, pare_block_spans *spans,
                                  pare_error *err)
{
    struct learner learner = {.table = table};
    pare_line_word words[N_PLACES];
    pare_status status = start(&learner, err);
    for (uint32_t line = 0; !status && line < table->n_lines; line++) {
        if (pare_interrupt_asked_at(line)) break;
        words_of(table, line, words);
        for (size_t i = 0; i < N_PLACES; i++)
            count_word(&learner, words[i], line);
    }
    if (!status) ask(&learner);
    if (!status && learner.n_words) status = collect(&learner, err);
    if (!status && learner.n_words) status = pair(&learner, spans, err);
    if (!status) pare_block_spans_settle(spans);
    pare_alloc_free(learner.slots);
    pare_alloc_free(learner.uses);
    return status;
}
