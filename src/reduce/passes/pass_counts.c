/* The pass over numbers that count what follows them: counted.
 *
 * The number of lines in a hunk of a patch, of clauses in DIMACS, of elements before a list, of bytes
 * in a Content-Length: readers that check it refuse every text in which only the counted go, or only
 * the number.  What is counted is found by counting: a number counts if it is the number of
 *   - the lines from its own to the end of their block (a blank line, the end of the file, or a line
 *     that begins as its own one), of all of them or of those that begin with some signs (a patch);
 *   - the lines of as many words each that follow, where the next one has another number of words;
 *   - the words behind it, where it begins its line, or of the next line, where it is alone in it;
 *   - the bytes after the next blank line, or in the quotes behind it (`5:"hello"`).
 * In a long text some numbers equal one of these by chance.  What counts does so in most lines that begin
 * alike, so where fewer than half of such lines agree none of them is taken (not for bytes, which agree by
 * chance hardly ever).
 * Invariant: each patch leaves out a stretch of what is counted and lowers each number by what it
 * counts of it, so numbers that were right stay right, however many are made together: a number is
 * a counter of the list (text/patch.h).
 * Source: ours; as reduce/binary does for lengths and counts of binary files.
 * Cost: O(bytes) and at most 2n patches for n that are counted. */
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum {
    MOST_BYTES = 4 << 20,
    MOST_COUNTS = 64, /* of a file that are offered */
    MOST_DIGITS = 7,
    MOST_NUMBERS = 8, /* of a line that are looked at */
    FEW = 3,          /* of what is counted: all of it is tried at once */
    MANY = 16,        /* so many of it are tried in MOST_PARTS parts first */
    MOST_PARTS = 8,
    MOST_SIGNS = 4,    /* different first bytes of a block's lines */
    MOST_PIECES = 256, /* the smallest stretches of counted bytes, at most */
    MOST_READ = 32,    /* times the file that blocks are read for */
    N_FORMS = 1024     /* of lines that are told apart; a power of two */
};

/* Lines that begin alike, up to the first blank or digit. */
struct form {
    uint32_t n_looked;   /* such lines with a number that could count something, */
    uint32_t n_agreeing; /* and those in which it is as many as are there */
};

/* A number in the text. */
struct number {
    size_t from, to;
    size_t value;
};

/* Something that is counted, and by which of the numbers. */
struct item {
    size_t from, to;
    bool by[2];
};

/* Up to two numbers of a line, and what they count. */
struct count {
    struct number numbers[2];
    uint32_t counters[2]; /* of the list */
    unsigned n_numbers;
    unsigned lowered;   /* bit k: numbers[k] is, in what is offered next */
    struct item *items; /* owned; ascending, behind the numbers */
    size_t n, capacity;
};

/* The state of the search through the numbers of the text. */
struct search {
    const pare_pass_view *view;
    struct count count; /* the one at hand */
    size_t n_found;
    size_t to_read; /* bytes: a block may reach to the end of the file, from each line */
    struct form
        *forms;    /* owned; N_FORMS of lines that count lines, then as many that count words */
    bool learning; /* forms are counted, nothing is offered */
    pare_patches *out;
};

/* Whether the byte is a decimal digit. */
static bool is_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

/* A blank within a line. */
static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Behind the line that begins at `from`, line end included. */
static size_t line_end(const pare_pass_view *view, size_t from)
{
    const unsigned char *end = memchr(view->bytes + from, '\n', view->end - from);
    return end ? (size_t)(end - view->bytes) + 1 : view->end;
}

/* A letter or a digit. */
static bool is_word_byte(unsigned char byte)
{
    return is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* Finds the next number from `from` on and before `end`; false: there is no more. Digits in words
 * or in larger numbers do not count. Examples: "12," and "-3" (as 3) count; "v2", "1.5" after
 * its point, "007x", 0 and numbers of more than MOST_DIGITS digits do not. */
static bool next_number(const pare_pass_view *view, size_t from, size_t end, struct number *number)
{
    const unsigned char *bytes = view->bytes;
    for (size_t at = from; at < end; at++) {
        if (!is_digit(bytes[at])) continue;
        size_t to = at;
        size_t value = 0;
        /* All digits are passed over, but no value overflows. */
        for (; to < end && is_digit(bytes[to]); to++)
            if (to - at < MOST_DIGITS) value = value * 10 + (bytes[to] - '0');
        const bool is_whole =
            (at == view->begin || (bytes[at - 1] != '.' && !is_word_byte(bytes[at - 1]))) &&
            (to == end || !is_word_byte(bytes[to]));
        if (is_whole && to - at <= MOST_DIGITS && value) {
            *number = (struct number){at, to, value};
            return true;
        }
        at = to - 1;
    }
    return false;
}

/* How many words stand in from .. to-1. */
static size_t count_words(const pare_pass_view *view, size_t from, size_t to)
{
    size_t n = 0;
    bool in_word = false;
    for (; from < to; from++) {
        const bool is_space = is_blank(view->bytes[from]) || view->bytes[from] == '\n';
        n += !is_space && !in_word;
        in_word = !is_space;
    }
    return n;
}

/* Appends what is counted by the numbers of `by`. */
static pare_status add_item(struct count *count, struct item item, pare_error *err)
{
    struct item *items = pare_vector_grow(count->items, count->n, &count->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    count->items = items;
    items[count->n++] = item;
    return PARE_OK;
}

/* The form of the line at `head`, among those that count words or lines. Example: "@@ -1,4 +1,4
 * @@" and "@@ -9,7 +8,6 @@" are of one form, "@@". Forms with one hash are taken for the same. */
static struct form *form_of(const struct search *search, size_t head, size_t end, bool words)
{
    const unsigned char *bytes = search->view->bytes;
    uint32_t hash = 2166136261u; /* FNV-1a */
    while (head < end && is_blank(bytes[head]))
        head++;
    for (; head < end && !is_blank(bytes[head]) && !is_digit(bytes[head]); head++)
        hash = (hash ^ bytes[head]) * 16777619u;
    return &search->forms[(words ? N_FORMS : 0) + (hash ^ hash >> 16) % N_FORMS];
}

/* Whether what was counted in a line of the form is to be offered: lines of it agree in most
 * cases. While forms are learned it is only counted, and the result is false. */
static bool is_taken(const struct search *search, struct form *form, bool agrees)
{
    if (!search->learning) return agrees && form->n_agreeing * 2 >= form->n_looked;
    form->n_looked++;
    form->n_agreeing += agrees;
    return false;
}

/* --- what is offered -------------------------------------------------------------------------- */

/* Adds a counter for each number. The items that a number counts are told to the list, which
 * lowers it by what a patch takes of them. */
static pare_status add_counters(struct count *count, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (unsigned k = 0; !status && k < count->n_numbers; k++) {
        const struct number *number = &count->numbers[k];
        status = pare_patches_counter(out, number->from, number->to, number->value,
                                      &count->counters[k], err);
        for (size_t i = 0; !status && i < count->n; i++) {
            const struct item *item = &count->items[i];
            if (!item->by[k]) continue;
            status = pare_patches_count(
                out, (pare_counted){.from = (uint32_t)item->from, .to = (uint32_t)item->to}, err);
        }
    }
    return status;
}

/* Lowers the numbers that count any of items first .. last-1. A number that counts none of them
 * stays. */
static pare_status lower(const struct count *count, size_t first, size_t last, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    for (unsigned k = 0; !status && k < count->n_numbers; k++) {
        if (!(count->lowered >> k & 1)) continue;
        size_t i = first;
        while (i < last && !count->items[i].by[k])
            i++;
        if (i < last) status = pare_patches_lower(out, count->counters[k], err);
    }
    return status;
}

/* Offers items first .. last-1, as a part of `parent`, then their halves. Recursion is as deep
 * as log2 of the items. At most 2n - 1 patches for n items. */
static pare_status offer_halves(const struct count *count, size_t first, size_t last,
                                uint32_t parent, pare_patches *out, pare_error *err)
{
    uint32_t own;
    pare_status status = lower(count, first, last, out, err);
    if (!status)
        status = pare_patches_change(out, count->items[first].from, count->items[last - 1].to, "",
                                     0, err);
    if (!status) status = pare_patches_end(out, parent, &own, err);
    if (status || last - first == 1) return status;
    const size_t middle = first + (last - first) / 2;
    status = offer_halves(count, first, middle, own, out, err);
    return status ? status : offer_halves(count, middle, last, own, out, err);
}

/* Whether there are two numbers that count the same. */
static bool are_same(const struct count *count)
{
    if (count->n_numbers < 2 || count->numbers[0].value != count->numbers[1].value) return false;
    for (size_t i = 0; i < count->n; i++)
        if (count->items[i].by[0] != count->items[i].by[1]) return false;
    return true;
}

/* Offers what was found, and forgets it. */
static pare_status offer_count(struct search *search, pare_error *err)
{
    struct count *count = &search->count;
    pare_status status = PARE_OK;
    if (count->n_numbers && count->n) {
        /* Something of it is needed as a rule, so of several the halves come first; of many both
         * are, and parts of them. */
        const size_t parts = count->n >= MANY ? MOST_PARTS : count->n > FEW ? 2 : 1;
        const unsigned all = (1U << count->n_numbers) - 1;
        search->n_found++;
        status = add_counters(count, search->out, err);
        /* Two equal numbers may be equal by accident. The patches that are offered last are tried
         * first, so the order is: both, the second, the first. */
        count->lowered = are_same(count) ? 1 : all;
        /* Sets of the numbers, as bits: 1, 2 and 3 where both count the same, else all at once. */
        for (; !status && count->lowered <= all; count->lowered++)
            for (size_t i = 0; !status && i < parts; i++)
                status = offer_halves(count, count->n * i / parts, count->n * (i + 1) / parts,
                                      PARE_NO_PATCH, search->out, err);
    }
    count->n = 0;
    count->n_numbers = 0;
    return status;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* The lines behind a head. */
struct block {
    size_t from, to; /* bytes */
    size_t n_lines;
    unsigned char signs[MOST_SIGNS]; /* with which lines begin */
    size_t n_of[MOST_SIGNS];         /* lines */
    unsigned n_signs;                /* 0: too many, or letters and digits */
    size_t n_alike;                  /* first lines of as many words each as the first one */
};

/* Notes the sign with which the line begins. *known becomes false for good once a line begins
 * with a letter or digit, or with one sign too many. */
static void note_sign(struct block *block, unsigned char byte, bool *known)
{
    unsigned i = 0;
    while (i < block->n_signs && block->signs[i] != byte)
        i++;
    if (is_word_byte(byte) || i == MOST_SIGNS) *known = false;
    if (!*known) return;
    if (i == block->n_signs) {
        block->signs[i] = byte;
        block->n_of[i] = 0;
        block->n_signs++;
    }
    block->n_of[i]++;
}

/* Whether the line at `at` ends the block of the line at `head`, which begins at `from`: it is blank,
 * or begins as the head, margins included, or with a letter where head and block begin with
 * signs. Example: in a patch the block of "@@ -1,3 +1,3 @@" ends at the next "@@" or at "diff". */
static bool ends_block(const pare_pass_view *view, size_t head, size_t from, size_t at)
{
    const unsigned char *bytes = view->bytes;
    if (bytes[at] == '\n') return true;
    size_t margin = 0;
    while (head + margin < from && is_blank(bytes[head + margin]))
        margin++;
    /* Lines that begin with numbers are data, so two of them may begin alike. */
    if (is_digit(bytes[head + margin])) return false;
    if (at + margin + 1 < view->end && memcmp(bytes + head, bytes + at, margin + 2) == 0)
        return true;
    if (margin) return false;
    return !is_word_byte(bytes[head]) && !is_word_byte(bytes[from]) && is_word_byte(bytes[at]);
}

/* The block of the line head .. from-1. Cost: O(its bytes). */
static struct block read_block(const pare_pass_view *view, size_t head, size_t from)
{
    struct block block = {.from = from, .to = from};
    bool known = true, alike = true;
    size_t words = 0;
    while (block.to < view->end && !ends_block(view, head, from, block.to)) {
        const size_t to = line_end(view, block.to);
        const size_t n = count_words(view, block.to, to);
        if (!block.n_lines) words = n;
        alike = alike && n == words;
        block.n_alike += alike;
        note_sign(&block, view->bytes[block.to], &known);
        block.n_lines++;
        block.to = to;
    }
    if (!known) block.n_signs = 0;
    return block;
}

/* The sign that the number at `at` belongs to, perhaps with others in a list (`-44,7`); `head`:
 * there is none. Example: of the 7 in "-44,7" it is the '-'. */
static size_t sign_before(const pare_pass_view *view, size_t head, size_t at)
{
    while (at > head && (is_digit(view->bytes[at - 1]) || view->bytes[at - 1] == ','))
        at--;
    return at > head ? at - 1 : head;
}

/* The signs of the block that stand before numbers of the head, but for `own`. In "@@ -1,4 +1,5
 * @@" the '+' belongs to the second pair, so the first one does not count such lines. */
static unsigned other_signs(const pare_pass_view *view, const struct block *block, size_t head,
                            unsigned char own)
{
    struct number number;
    unsigned others = 0;
    size_t at = head, sign_at = head;
    while (next_number(view, at, block->from, &number)) {
        /* One in a list has the sign of the one before it: a list may be as long as the text. */
        const size_t before = sign_before(view, at, number.from);
        const bool in_list = is_digit(view->bytes[before]) || view->bytes[before] == ',';
        if (at == head || !in_list) sign_at = before;
        const unsigned char sign = view->bytes[sign_at];
        for (unsigned i = 0; i < block->n_signs; i++)
            if (block->signs[i] == sign && sign != own) others |= 1U << i;
        at = number.to;
    }
    return others;
}

/* The largest set of signs such that `value` lines of the block begin with one of them; sets with
 * `sign` are preferred, those with one of `others` are not allowed. 0: there is none. Example:
 * 2 lines with '+', 1 with '-' and 3 with a blank: 4 after a '-' is the set of '-' and blank. */
static unsigned find_signs(const struct block *block, size_t value, unsigned char sign,
                           unsigned others)
{
    unsigned best = 0, most = 0;
    for (unsigned set = 1; set < 1u << block->n_signs; set++) {
        if (set & others) continue;
        size_t n = 0;
        unsigned size = 0;
        for (unsigned i = 0; i < block->n_signs; i++)
            if (set >> i & 1) {
                n += block->n_of[i];
                size += block->signs[i] == sign ? MOST_SIGNS : 1;
            }
        if (n == value && size > most) {
            best = set;
            most = size;
        }
    }
    return best;
}

/* Whether the line's first byte is in the set. */
static bool is_in(const struct block *block, unsigned set, unsigned char byte)
{
    for (unsigned i = 0; i < block->n_signs; i++)
        if (set >> i & 1 && block->signs[i] == byte) return true;
    return false;
}

/* Lists the first `n_lines` of the block; `sets`: for each number, of which signs, 0: all. A
 * number whose set is 0 counts each line. */
static pare_status list_lines(struct search *search, const struct block *block, size_t n_lines,
                              const unsigned sets[2], pare_error *err)
{
    const pare_pass_view *view = search->view;
    pare_status status = PARE_OK;
    size_t from = block->from;
    for (size_t i = 0; !status && i < n_lines; i++) {
        struct item item = {.from = from, .to = line_end(view, from)};
        for (unsigned k = 0; k < search->count.n_numbers; k++)
            item.by[k] = !sets[k] || is_in(block, sets[k], view->bytes[from]);
        status = add_item(&search->count, item, err);
        from = item.to;
    }
    return status;
}

/* Whether the line head .. end-1 is one of a row of lines with as many words each, which are data: a
 * number in one of many such lines counts what follows it by accident. */
static bool is_among_alike(const pare_pass_view *view, size_t head, size_t end)
{
    if (head == view->begin || end == view->end) return false;
    const size_t words = count_words(view, head, end);
    size_t before = head - 1;
    while (before > view->begin && view->bytes[before - 1] != '\n')
        before--;
    return count_words(view, before, head) == words &&
           count_words(view, end, line_end(view, end)) == words;
}

/* Whether most of the lines are counted: one of many is the only one of its sign by chance. */
static bool counts_most(const struct count *count)
{
    size_t n = 0;
    for (size_t i = 0; i < count->n; i++)
        n += count->items[i].by[0] || count->items[i].by[1];
    return n * 2 >= count->n;
}

/* Numbers of the line head .. end-1 that count lines below it.
 *
 * Up to two numbers are taken: a patch has one for the old and one for the new lines. A number
 * counts all lines of the block, or those of some signs, or the first lines of as many words
 * each. */
static pare_status find_lines(struct search *search, size_t head, size_t end, pare_error *err)
{
    const pare_pass_view *view = search->view;
    struct count *count = &search->count;
    struct number number;
    if (!next_number(view, head, end, &number) || end == view->end) return PARE_OK;
    if (is_among_alike(view, head, end)) return PARE_OK;
    /* A block may reach to the end of the file from each of its lines: the sum of what is read
     * is bounded. */
    if (!search->to_read) return PARE_OK;
    const struct block block = read_block(view, head, end);
    search->to_read -=
        block.to - block.from < search->to_read ? block.to - block.from : search->to_read;
    unsigned sets[2] = {0, 0};
    size_t n_lines = block.n_lines, at = head, last_sign = head;
    for (unsigned i = 0; i < MOST_NUMBERS; i++) {
        if (!next_number(view, at, end, &number)) break;
        at = number.to;
        const size_t sign = sign_before(view, head, number.from);
        const unsigned char own = view->bytes[sign];
        const unsigned others = block.n_signs > 1 ? other_signs(view, &block, head, own) : 0;
        const unsigned set = block.n_signs > 1 ? find_signs(&block, number.value, own, others) : 0;
        const bool all = number.value == block.n_lines;
        const bool alike = !count->n_numbers && number.value > 1 && number.value == block.n_alike;
        if (!all && !alike && !set) continue;
        /* If a place and a count have the same number, it is taken for the count. */
        if (count->n_numbers && block.n_signs > 1 && sign > head && sign == last_sign)
            count->n_numbers--;
        if (count->n_numbers == 2) break;
        last_sign = sign;
        /* Only the first lines are counted, so nothing else of the block is listed. */
        if (!all && alike && !set) n_lines = block.n_alike;
        sets[count->n_numbers] = all ? 0 : set;
        count->numbers[count->n_numbers++] = number;
        if (n_lines != block.n_lines) break;
    }
    pare_status status =
        count->n_numbers ? list_lines(search, &block, n_lines, sets, err) : PARE_OK;
    if (status) return status;
    const bool agrees = count->n_numbers && counts_most(count);
    if (is_taken(search, form_of(search, head, end, false), agrees))
        return offer_count(search, err);
    count->n = 0;
    count->n_numbers = 0;
    return PARE_OK;
}

/* --- words and bytes -------------------------------------------------------------------------- */

/* A number that begins its line counts the words behind it, or, alone, those of the next line.
 * Examples: "3 a b c"; "3" above "a b c". */
static pare_status find_words(struct search *search, size_t head, size_t end, pare_error *err)
{
    const pare_pass_view *view = search->view;
    const unsigned char *bytes = view->bytes;
    struct number number;
    if (!next_number(view, head, end, &number) || number.from != head) return PARE_OK;
    size_t from = number.to, to = end;
    if (!count_words(view, from, to) && end < view->end) {
        from = end;
        to = line_end(view, end);
    } else if (from < to && !is_blank(bytes[from])) {
        return PARE_OK;
    }
    const bool agrees = count_words(view, from, to) == number.value;
    if (!is_taken(search, form_of(search, head, end, true), agrees)) return PARE_OK;
    /* A word goes with the blanks after it, and the line end stays. */
    if (to > from && bytes[to - 1] == '\n') to--;
    while (from < to && is_blank(bytes[from]))
        from++;
    search->count.numbers[0] = number;
    search->count.n_numbers = 1;
    pare_status status = PARE_OK;
    while (!status && from < to) {
        size_t next = from;
        while (next < to && !is_blank(bytes[next]))
            next++;
        while (next < to && is_blank(bytes[next]))
            next++;
        status = add_item(&search->count, (struct item){from, next, {true, false}}, err);
        from = next;
    }
    return status ? status : offer_count(search, err);
}

/* Bytes of which a number of the list counts each, cut to pieces: offers them and their halves.
 * Pieces are not smaller than a MOST_PIECESth of all, nor than a byte. */
static pare_status offer_bytes(pare_patches *out, uint32_t counter, pare_extent what,
                               uint32_t parent, pare_error *err)
{
    const size_t size = what.to - what.from;
    uint32_t own;
    pare_status status = pare_patches_lower(out, counter, err);
    if (!status) status = pare_patches_change(out, what.from, what.to, "", 0, err);
    if (!status) status = pare_patches_end(out, parent, &own, err);
    if (status || size <= 1 || size <= out->counters[counter].value / MOST_PIECES) return status;
    const size_t middle = what.from + size / 2;
    status = offer_bytes(out, counter, (pare_extent){what.from, middle}, own, err);
    return status ? status : offer_bytes(out, counter, (pare_extent){middle, what.to}, own, err);
}

/* The begin of the text after the next blank line from `from` on; the end of the file if there is
 * none. As between the head and the body of a message. */
static size_t behind_blank_line(const pare_pass_view *view, size_t from)
{
    for (size_t at = from; at < view->end;) {
        const size_t to = line_end(view, at);
        if (!count_words(view, at, to)) return to;
        at = to;
    }
    return view->end;
}

/* Numbers of the line that count bytes: `body` is where those after the next blank line begin.
 * Examples: "Content-Length: 42" above 42 bytes; `5:"hello"`. */
static pare_status find_bytes(struct search *search, size_t head, size_t end, size_t body,
                              pare_error *err)
{
    const pare_pass_view *view = search->view;
    struct number number;
    pare_status status = PARE_OK;
    for (size_t at = head; !status && next_number(view, at, end, &number); at = number.to) {
        const unsigned char *behind = view->bytes + number.to;
        const size_t rest = view->end - number.to;
        pare_extent what = {0, 0};
        if (body < view->end && number.value == view->end - body)
            what = (pare_extent){body, view->end};
        else if (rest > number.value + 2 && memcmp(behind, ":\"", 2) == 0 &&
                 behind[number.value + 2] == '"')
            what = (pare_extent){number.to + 2, number.to + 2 + number.value};
        if (what.to == what.from || search->n_found >= MOST_COUNTS) continue;
        search->n_found++;
        uint32_t counter;
        status =
            pare_patches_counter(search->out, number.from, number.to, number.value, &counter, err);
        const pare_counted counted = {(uint32_t)what.from, (uint32_t)what.to, true};
        if (!status) status = pare_patches_count(search->out, counted, err);
        if (!status) status = offer_bytes(search->out, counter, what, PARE_NO_PATCH, err);
    }
    return status;
}

/* Goes through the lines once. `body` is looked for again only when its place was passed:
 * O(bytes) in all. */
static pare_status go_through(struct search *search, pare_error *err)
{
    const pare_pass_view *view = search->view;
    pare_status status = PARE_OK;
    size_t body = view->begin;
    search->to_read = (view->end - view->begin) * MOST_READ;
    for (size_t from = view->begin; !status && from < view->end && search->n_found < MOST_COUNTS;) {
        const size_t to = line_end(view, from);
        if (body <= from) body = behind_blank_line(view, from);
        status = find_lines(search, from, to, err);
        if (!status) status = find_words(search, from, to, err);
        if (!status && !search->learning) status = find_bytes(search, from, to, body, err);
        from = to;
    }
    return status;
}

/* counted: what is counted goes, and the number that counts it is lowered. Twice through the
 * text: first the forms are learned, then what agrees is offered. */
static pare_status offer_counted(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    struct search search = {.view = view, .out = out, .learning = true};
    (void)pass;
    if (pare_pass_is_binary(view)) return PARE_OK;
    search.forms = pare_alloc_zero(2 * (size_t)N_FORMS, sizeof *search.forms);
    if (!search.forms) return pare_fail_nomem(err);
    pare_status status = go_through(&search, err);
    search.learning = false;
    if (!status) status = go_through(&search, err);
    pare_alloc_free(search.count.items);
    pare_alloc_free(search.forms);
    return status;
}

const pare_pass pare_pass_counted = {
    .name = "counted",
    .summary = "removes lines, words or bytes that a number counts, and lowers that number",
    .source = "ours, as chunks of binary files keep their lengths",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_LEARNED,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_bytes = MOST_BYTES,
    .offer = offer_counted,
};
