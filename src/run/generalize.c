/* Generalising a diagnostic: what it says of every input with the same failure.
 *
 * One pass over the text: quotations, words and numbers are looked at, all else is copied.
 * Whether a word came from the input is decided by looking for it there, as a whole word, in
 * its own case, in lower case and in capitals; a word that stands in both is the input's only
 * if it looks like a name (row_count, rows.next) or the message says that it is one.
 * Invariant: the pattern matches the text that it was made of (pare_signature_like).
 *
 * Why a word list rather than the text of the program's executable: interpreters hold their
 * messages compressed, translated, or spread over libraries.  The lists were collected from
 * the messages in tests/data/diagnostics. */

#include "run/generalize.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "run/diagnostic_text.h"
#include "run/echoed_input.h"
#include "run/printed.h"

/* ---- vocabulary ------------------------------------------------------------------------
 *
 * Words that programs use whatever their input is: the English of diagnostics, and what
 * languages bring along (keywords, built-in types).  Rows of words with a blank around each:
 * they are searched some dozens of times in a run, while the failure is learnt, so nothing
 * faster is needed. */

enum { LISTED_BYTES = 32 }; /* no word of the lists is longer */

/* In lower case. */
static const char *const messages[] = {
    " a about above abstract accept acceptable access accessed accessible across add added ",
    " adding address after again against algorithm alias all allocate allocated allocation ",
    " allow allowed already also alternative always ambiguous an and annotation another ",
    " any anything applied apply are argument arguments arithmetic around array arrays as ",
    " assign assignable assigned assigning assignment assignments at attempt attempted ",
    " attempting attribute attributes available back backslash bad base based be because ",
    " been before begin beginning being belongs between beyond binary bind binding bit ",
    " bits blank block body bool boolean both bound boundary bounds bracket brackets ",
    " branch break broken buffer but by byte bytes call callable callback called caller ",
    " calling calls can cannot case cast catch chain change changed char character ",
    " characters check child circular class classes clause close closed closing code codec ",
    " collection colon column columns comma command comment common compare compared ",
    " comparison compatible compilation compile compiled complete component composite ",
    " compound computed concatenate condition conditional configuration conflict ",
    " conflicting conflicts constant constraint construct constructor contain containing ",
    " contains content contents context continue control conversion conversions convert ",
    " converted copy correct corrupt corrupted could count create created cross current ",
    " cycle data database date dead decimal decl declaration declarations declare declared ",
    " decode deep default defaults defined definition definitions delete deleted delimiter ",
    " dependency deprecated depth dereference dereferencing derived describe destructor ",
    " detected device different digit digits dimension dimensions directive directory ",
    " discarded divide dividing division do document does doesn don done dot double ",
    " duplicate duplicated duplicates during each edge effect either element elements else ",
    " empty enable enclosing encode encoding encountered end ended ending ends entity ",
    " entry enum environment eof equal equality error errors escape evaluate evaluated ",
    " evaluating evaluation event ever every exact exceed exceeded exceeds except ",
    " exception exceptions exclusive execute executed execution exhausted exist existing ",
    " exists exit expect expected expecting explicit explicitly exponent export exported ",
    " expression expressions extend extends extension extern extra extraneous fail failed ",
    " failing fails failure false fatal feature few field fields file files final find ",
    " first fit flag float floating follow followed following follows for forbidden force ",
    " form formal format forward found fraction free from full fully function functions ",
    " future garbage generated generic get getter given global go got goto grammar graph ",
    " group handle handled handler has hash have having header heap here hex hexadecimal ",
    " hidden hit hold id identifier identifiers if ignored ignoring illegal immutable ",
    " implement implementation implemented implicit implicitly import imported importing ",
    " in inaccessible included including incompatible incomplete incomprehensible ",
    " inconsistent incorrect indent indentation index indexed indexing indices infinite ",
    " inherit inheritance initialise initialised initialization initialize initialized ",
    " initializer initializers inline inner input insert inside instance instances ",
    " instantiate instantiated instead instruction instructions int integer integers ",
    " integral interface internal interpret interpreted interrupted into invalid ",
    " invocation invoke invoked is isn it item items iterable iterate iterator its join ",
    " just key keys keyword keywords kind known label labels language large last leading ",
    " leaf least left length less let level lhs library lifetime limit limited line lines ",
    " link list lists literal literals load loaded loading local locals location lock long ",
    " longer lookup loop lost low lower lvalue macro main make malformed many map mapping ",
    " mark match matched matches matching max maximum may mean member members memory ",
    " message method methods min minimum mismatch mismatched missing mixed mode modified ",
    " modifier modify module modules more most move moved multiple must mutable name named ",
    " names namespace native near need needed needs negative nested never new newline next ",
    " nil no node nodes non none nonexistent nor not notation nothing null number numbers ",
    " numeric object objects octal of off offset old on once one only open opened opening ",
    " operand operands operation operations operator operators option optional or order ",
    " other out output outside over overflow overload overloaded overloading overridden ",
    " override own owner package pair parameter parameters parent parentheses parenthesis ",
    " parse parsed parser parsing part partial pass passed passing past path pattern ",
    " patterns perform permission permitted place please point pointer pointers pop port ",
    " position positional positive possible possibly precision predicate prefix premature ",
    " present previous previously primary private procedure process property protected ",
    " prototype provided public pure push qualified qualifier query quote quotes raise ",
    " raised range rank raw reached read reading readonly real reason receive received ",
    " record recursion recursive redeclaration redeclared redefine redefined redefinition ",
    " reduce reference referenced references referring regex register regular reject ",
    " rejected relation relational release remove removed repeated replace request require ",
    " required requires reserved resolution resolve resolved result results return ",
    " returned returning returns rhs right root row rows rule rules runtime rvalue same ",
    " scalar schema scope second section see seen select self semicolon separator sequence ",
    " set setter shadow shadows shape shift short should show side sign signal signature ",
    " signed similar since single size slice slot small some something source space spaces ",
    " special specialization specified specifier specify stack standard start started ",
    " starting starts state statement statements static step stop storage store stream ",
    " strict string strings strong struct structure style sub subclass subquery subroutine ",
    " subscript subscripted subset substitution subtract subtype such suffix super support ",
    " supported supports symbol symbols syntax system table tables tag tags take takes ",
    " target task tasks template temporary term terminated terminator test text than that ",
    " the their them then there these they thing this those thread three through throw ",
    " thrown time timed title to together token tokens too top total trailing trait ",
    " transaction tree tried true truncated truncation try trying tuple two type typed ",
    " typename types unary unbalanced unbound undeclared undefined under underflow ",
    " unexpected unhandled uninitialised uninitialized union unique unit unknown unless ",
    " unmatched unnamed unordered unpack unparsable unreachable unrecognized unresolved ",
    " unsafe unset unsigned unsupported unterminated until untyped unused up update upper ",
    " us usage use used user uses using utf valid validate validation value values ",
    " variable variables variant vector version very via violated violates violation ",
    " virtual visible void warning was wasn way we weak were what when where whether which ",
    " while white whitespace whose wide width will with within without word words would ",
    " write writing written wrong xml yet yield you your zero "};

/* Case counts. */
static const char *const builtins[] = {
    " Array BOOLEAN BY Boolean Box CHARACTER CREATE Closure DELETE DROP FROM False Float ",
    " Function GROUP INSERT INTEGER INTO Infinity Integer JOIN LOGICAL NULL NaN None ",
    " NoneType Null Number ORDER Object REAL SELECT SET STRING String Symbol TABLE TEXT ",
    " True UPDATE Undefined VALUES Vec WHERE abstract and array as assert async auto await ",
    " bool boolean box break byte bytearray bytes callable case catch char class closure ",
    " complex const continue crate decltype def default defer del delete dict do double ",
    " dyn elif else elseif elsif endmodule enum except export extends extern f32 f64 ",
    " fallthrough false final finally float fn for foreach from frozenset fun func ",
    " function generator global go goto i128 i16 i32 i64 i8 if impl implements import in ",
    " int integer interface is isize iterable let list long loop method mixed mod module ",
    " move mut namespace never new nil nonlocal not null nullptr number object of operator ",
    " or package pass private protected ptrdiff_t pub public raise range ref require ",
    " resource return self set short signed size_t sizeof slice static std stdClass ",
    " std_logic str string struct super switch symbol table template this throw throws ",
    " trait true try tuple type typedef typename u128 u16 u32 u64 u8 undef undefined union ",
    " unknown unless unsigned userdata using usize var virtual void volatile wchar_t while ",
    " with xor yield "};

/* Whether the word is one of the rows.  The blanks around it make it a whole word. Example: "
 * line " is found in " limited line lines ", " lin " is not. */
static bool stands_in(const char *const *rows, size_t n, const char *word, size_t size)
{
    char framed[LISTED_BYTES + 3];
    if (size == 0 || size > LISTED_BYTES) return false;
    (void)snprintf(framed, sizeof framed, " %.*s ", (int)size, word);
    for (size_t k = 0; k < n; k++)
        if (strstr(rows[k], framed)) return true;
    return false;
}

/* Whether `word`, in any case, is one that messages are made of. */
static bool is_message_word(const char *word, size_t size)
{
    char lower[LISTED_BYTES];
    if (size > sizeof lower) return false;
    for (size_t k = 0; k < size; k++)
        lower[k] = (char)tolower((unsigned char)word[k]);
    return stands_in(messages, sizeof messages / sizeof *messages, lower, size);
}

/* Whether `word` is a keyword or a built-in type of a common language; case counts. */
static bool is_builtin_word(const char *word, size_t size)
{
    return stands_in(builtins, sizeof builtins / sizeof *builtins, word, size);
}

static const char ADDRESS[] = "0x#"; /* as masked lines have it (printed.h) */

enum { WORD_BYTES = 64 }; /* longer words are compared as they stand only */

/* A generalisation under way: the text is read from `at`, the pattern is written to `to`. */
struct generalizer {
    const char *at;    /* what is left of the text */
    const char *start; /* the text */
    const char *input;
    size_t input_size;
    pare_keep_level level;
    bool keeps_tokens; /* the message is about tokens: quotations stay */
    bool keeps_words;  /* they are all that the message has */
    bool is_quoting;   /* a quotation was begun that nothing ends: a value that was cut */
    char *to;
    size_t n;
    bool is_full; /* the last star stands for the rest */
    pare_echoed_input echoed;
};

/* Letters, digits, underscores: what names are made of. */
static bool in_ascii_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Bytes beyond ASCII are letters of some language. */
static bool is_beyond_ascii(char c)
{
    return (unsigned char)c >= 0x80;
}

static bool in_word(char c)
{
    return in_ascii_word(c) || is_beyond_ascii(c);
}

/* Whether the two make one word.  Languages without blanks join their words to names in ASCII. */
static bool join(char a, char b)
{
    return (in_ascii_word(a) && in_ascii_word(b)) || (is_beyond_ascii(a) && is_beyond_ascii(b));
}

/* Whether the word stands in the input with no other word's character beside it, where that
 * would join it: "row" does not stand in "rows".  Cost: O(input) for each call. */
static bool has_word(const char *input, size_t size, const char *word, size_t word_size)
{
    const char *end = input + size;
    if (!word_size) return false;
    for (const char *at = input; at < end; at++) {
        at = memmem(at, (size_t)(end - at), word, word_size);
        if (!at) return false;
        bool joined_before = at > input && join(at[-1], *word);
        const char *after = at + word_size;
        bool joined_after = after < end && join(*after, word[word_size - 1]);
        if (!joined_before && !joined_after) return true;
    }
    return false;
}

/* Programs quote what they read in its own case, or folded. */
bool pare_generalize_finds_word(const char *input, size_t size, const char *word, size_t word_size)
{
    char folded[2][WORD_BYTES];
    if (has_word(input, size, word, word_size)) return true;
    if (word_size > WORD_BYTES) return false;
    for (size_t k = 0; k < word_size; k++) {
        folded[0][k] = (char)tolower((unsigned char)word[k]);
        folded[1][k] = (char)toupper((unsigned char)word[k]);
    }
    return has_word(input, size, folded[0], word_size) ||
           has_word(input, size, folded[1], word_size);
}

/* ---- writing ---------------------------------------------------------------------- */

/* Copies text to the pattern. A pattern is never longer than its text, since each part is copied or
 * becomes one star, except that empty quotations become longer; when the room is used up a star
 * stands for the rest. */
static void put(struct generalizer *g, const char *text, size_t size)
{
    for (size_t k = 0; k < size && !g->is_full; k++) {
        if (g->n + 1 == PARE_DIAGNOSTIC_BYTES) {
            while (g->n > 1 && is_beyond_ascii(g->to[g->n - 1]))
                g->n--; /* no part of a character */
            g->to[g->n - 1] = '*';
            g->is_full = true;
            return;
        }
        g->to[g->n++] = text[k];
    }
}

/* How much of what was written last joins a name to the one before it: "*.", "this->". "*"
 * alone is a joint as well, so two stars never stand side by side. */
static size_t joint_size(const struct generalizer *g)
{
    static const char *const joints[] = {"*.", "*::", "*->", "this.", "self.", "this->", "*"};
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
        size_t size = strlen(joints[k]);
        if (g->n >= size && memcmp(g->to + g->n - size, joints[k], size) == 0) return size;
    }
    return 0;
}

/* Writes a star for a name.  Names that are joined ("rows.next") become one star, however many
 * they are: candidates may have more or fewer of them. */
static void put_star(struct generalizer *g)
{
    if (g->is_full) return;
    g->n -= joint_size(g);
    put(g, "*", 1);
}

/* ---- numbers ---------------------------------------------------------------------- */

/* Whether the text before `at` says that the number there is a kind ("error 12", "errno 2",
 * "ORA-00942"): such numbers are the program's own and stay. The last test is for codes such as
 * "ORA-00942": a capital, then '-' or '['. */
static bool follows_kind(const struct generalizer *g, const char *at)
{
    static const char *const words[] = {"error ",  "error: ", "code ",  "errno ",
                                        "status ", "signal ", "code: ", "Errno "};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t size = strlen(words[k]);
        if ((size_t)(at - g->start) >= size && strncasecmp(at - size, words[k], size) == 0)
            return true;
    }
    return at - g->start >= 2 && strchr("-[", at[-1]) && isupper((unsigned char)at[-2]);
}

/* Whether words before `at` announce a position: "[at 35]", "line 3". */
static bool is_after_position(const char *text, const char *at)
{
    static const char *const words[] = {"line ",   "column ", "char ", "position ",
                                        "offset ", "byte ",   "at ",   "col "};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t size = strlen(words[k]);
        if ((size_t)(at - text) >= size && strncasecmp(at - size, words[k], size) == 0) return true;
    }
    return false;
}

/* Whether the text before `at` announces a position, which changes with every deletion. */
static bool follows_position(const struct generalizer *g, const char *at)
{
    return (at > g->start && strchr(":(", at[-1])) || is_after_position(g->start, at);
}

/* Whether the word at `at` is a number in hexadecimal digits, as check sums are printed: six digits or more,
 * a decimal one among them.  Fewer may be a word: "add1", "bed". */
static bool is_hexadecimal(const char *at)
{
    enum { LEAST_DIGITS = 6 };
    bool has_decimal = false;
    const char *end = at;
    for (; isxdigit((unsigned char)*end); end++)
        has_decimal = has_decimal || isdigit((unsigned char)*end);
    return has_decimal && end - at >= LEAST_DIGITS && !in_word(*end);
}

/* Whether a number begins here, with its sign: "-1 != 3", but not "1-3" or "utf-8". */
static bool begins_number(const struct generalizer *g)
{
    if (is_hexadecimal(g->at)) return true;
    if (*g->at != '-') return isdigit((unsigned char)*g->at);
    return isdigit((unsigned char)g->at[1]) && (g->at == g->start || strchr(" (=,[", g->at[-1]));
}

/* Takes a number with its sign and what joins it to others: -3  0x7f  1.5e9  12:3  a04bc1. It is kept where it is part of
 * a name (an error's kind) and, at the level EXACT, unless it is a position; otherwise it becomes a
 * star.
 *
 * Examples at the level MESSAGE: "line 12" becomes "line *", "errno 2" stays. */
static void take_number(struct generalizer *g)
{
    const char *start = g->at;
    if (*g->at == '-') g->at++;
    while (isalnum((unsigned char)*g->at) ||
           (*g->at && strchr(".:,", *g->at) && isdigit((unsigned char)g->at[1])))
        g->at++;
    bool keeps = follows_kind(g, start);
    if (g->level == PARE_KEEP_EXACT) keeps = keeps || !follows_position(g, start);
    if (keeps)
        put(g, start, (size_t)(g->at - start));
    else
        put_star(g);
}

/* ---- words ------------------------------------------------------------------------ */

/* Whether the word looks like a name in a program rather than English: row_count, rowCount,
 * row2, rows.next, $row, next().
 *
 * `start` and `end` lie in the message, so what stands beside the word is looked at, too. A
 * capital counts only after a small letter: "Title" is English, "rowCount" is not. */
static bool is_code(const struct generalizer *g, const char *start, const char *end)
{
    for (const char *at = start; at < end; at++)
        if (*at == '_' || isdigit((unsigned char)*at) ||
            (at > start && isupper((unsigned char)*at) && islower((unsigned char)at[-1])))
            return true;
    assert(g->start <= start && start < end);
    char before = start > g->start ? start[-1] : ' ';
    if (strchr("$@%", before) || strncmp(end, "()", 2) == 0) return true;
    if ((*end == '.' || *end == ':') && end[1] == *end) return true; /* rows..next, rows::next */
    return (*end == '.' && in_word(end[1])) ||
           (before == '.' && start - g->start >= 2 && in_word(start[-2]));
}

/* Whether the next word in the message is a name of something: before "is not defined", say, or at
 * the end, after a colon or after the kind of thing. Examples: "set is not defined", "undefined
 * method next", "unknown column: value". */
static bool is_named(const struct generalizer *g, const char *start, const char *end)
{
    static const char *const kinds[] = {"variable ", "method ",     "class ", "function ",
                                        "symbol ",   "identifier ", "name ",  "constant "};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !*end; k++) {
        size_t size = strlen(kinds[k]);
        if ((size_t)(start - g->start) >= size && memcmp(start - size, kinds[k], size) == 0)
            return true;
    }
    static const char *const after[] = {" is not defined",  " is not a ",  " is undefined",
                                        " is not declared", " undeclared", ": command not found"};
    for (size_t k = 0; k < sizeof after / sizeof *after; k++)
        if (strncmp(end, after[k], strlen(after[k])) == 0) return true;
    return !*end && start - g->start >= 2 && start[-1] == ' ' && start[-2] == ':';
}

/* The end of the longest run of words from `start`, with a blank, a comma or the like between them,
 * that stands in the input just so; NULL: no more than one word does.  Names are quoted one by one, so
 * a run is what the input has the program say: the text of an exception, say.  Cost: O(input) for
 * each word.
 *
 * Example: the input holds raise ValueError("kitten has no owner"), and the message ends with
 * that text: all of it is one phrase, which stays, since the failure is about it. Stars in its
 * place would match the text of any other exception. */
static const char *phrase_end(const struct generalizer *g, const char *start)
{
    const char *end = NULL;
    for (const char *at = start; in_word(*at);) {
        while (in_word(*at))
            at++;
        if (at > start + strcspn(start, " ")) {
            if (!has_word(g->input, g->input_size, start, (size_t)(at - start))) break;
            end = at;
        }
        at += strspn(at, ",:;'-");
        if (*at == ' ') at++;
    }
    return end;
}

/* Takes a word.  One that stands in the input becomes a star, unless it is one that messages
 * are made of, or begins a phrase that the input has the program say; a word of both is the input's if
 * it looks like a name, or the message says that it is one.  At the level EXACT all words stay.
 *
 * g->at stands after the word, or after the phrase. */
static void take_word(struct generalizer *g)
{
    const char *start = g->at;
    while (in_word(*g->at))
        g->at++;
    size_t size = (size_t)(g->at - start);
    bool known = is_message_word(start, size) || is_builtin_word(start, size);
    bool own = !known || is_named(g, start, g->at) || is_code(g, start, g->at);
    const bool stays = g->level == PARE_KEEP_EXACT || g->keeps_words || !own ||
                       !pare_generalize_finds_word(g->input, g->input_size, start, size);
    const bool may_say = !stays && !g->is_quoting && g->level == PARE_KEEP_MESSAGE;
    const char *phrase = may_say ? phrase_end(g, start) : NULL;
    if (phrase) g->at = phrase;
    if (stays || phrase)
        put(g, start, (size_t)(g->at - start));
    else
        put_star(g);
}

/* ---- quotations ------------------------------------------------------------------- */

/* The end of the quotation that begins at `at`: the quote that closes it; NULL: none begins
 * there.  An apostrophe within a word ("don't") neither opens nor closes one; `...' and `...`
 * are both closed.
 *
 * A single quote closes only if no letter follows: 'don't' ends with its last character. */
static const char *close_quote(const char *start, const char *at)
{
    const char *end;
    if (!strchr("'\"`", *at) || (at > start && in_ascii_word(at[-1]))) return NULL;
    if (*at == '`') {
        end = at + 1 + strcspn(at + 1, "'`");
        return *end ? end : NULL;
    }
    for (end = strchr(at + 1, *at); end; end = strchr(end + 1, *at))
        if (!in_ascii_word(end[1]) || *at == '"') return end;
    return NULL;
}

/* Whether a quotation is all keywords and built-in types, or has no words at all. */
static bool is_builtin(const char *from, const char *end)
{
    while (from < end) {
        const char *word = from;
        while (from < end && in_word(*from))
            from++;
        if (from > word && !is_builtin_word(word, (size_t)(from - word))) return false;
        if (from < end) from++;
    }
    return true;
}

/* Within a quotation, every word that is no keyword may come from the input. Example: the input
 * has row and list; 'list<row>::next' becomes 'list<*>::next', as list is built in. */
static void take_quoted_words(struct generalizer *g, const char *end)
{
    while (g->at < end) {
        const char *word = g->at;
        while (g->at < end && in_word(*g->at))
            g->at++;
        size_t size = (size_t)(g->at - word);
        bool own = size && !is_builtin_word(word, size) &&
                   pare_generalize_finds_word(g->input, g->input_size, word, size);
        if (own)
            put_star(g);
        else
            put(g, word, size);
        if (g->at < end) put(g, g->at++, 1);
    }
}

/* Whether a quotation is a number, which then comes from the input. */
static bool is_number(const char *from, const char *end)
{
    return from < end && (is_hexadecimal(from) || isdigit((unsigned char)*from) ||
                          (*from == '-' && end - from > 1 && isdigit((unsigned char)from[1])));
}

/* Takes a quotation, which is how programs repeat their input. How much of it is kept depends on
 * the level: all (EXACT, and messages about tokens), nothing (KIND), or only what is the program's
 * own, which are keywords and what the input does not contain.
 *
 * The branches go from what is sure to what needs a search of the input. A quotation that
 * stands in the input as a whole becomes one star, so the number of words in it does not
 * matter. */
static void take_quotation(struct generalizer *g, const char *end)
{
    const char *from = g->at + 1;
    size_t size = (size_t)(end - from);
    put(g, g->at, 1);
    g->at = end;
    if (g->level == PARE_KEEP_EXACT || g->keeps_tokens || g->keeps_words) {
        put(g, from, size);
    } else if (g->level == PARE_KEEP_KIND) {
        put_star(g);
    } else if (is_number(from, end) || pare_echoed_input_is(&g->echoed, from, end)) {
        put_star(g);
    } else if (is_builtin(from, end)) {
        put(g, from, size);
    } else if (pare_generalize_finds_word(g->input, g->input_size, from, size)) {
        put_star(g);
    } else {
        g->at = from;
        take_quoted_words(g, end);
    }
    put(g, end, 1);
    g->at = end + 1;
}

/* ---- all -------------------------------------------------------------------------- */

/* Whether a parser complains about the token that it met. Which token it was is what such a failure
 * is about. */
static bool is_about_tokens(const char *text)
{
    if (strstr(text, "near ") || strcasestr(text, "syntax error at ")) return true;
    if (strcasestr(text, "syntax error '") || strcasestr(text, "syntax error \"")) return true;
    return strcasestr(text, "unexpected") && !strcasestr(text, "unexpected identifier");
}

/* The end of the first part of `text` that is the program's own: before a quotation, an address or
 * a position, `end` at most. */
static const char *own_end(const char *text, const char *end)
{
    const char *at = text;
    while (at < end && !close_quote(text, at) && !pare_printed_pointer(at, end) &&
           !(isdigit((unsigned char)*at) && is_after_position(text, at)))
        at++;
    return at;
}

/* The end of a header that names a kind: one with a code in it ("error[E0308]") or that is a
 * kind of exception ("TypeError"); NULL: it has neither.  Without a colon there is no header, and numbers are the
 * input's: "Index 7 is out of array range -2..1."
 *
 * Examples: of "error[E0308]: mismatched types" that is the colon, as of "TypeError: x is not a
 * function"; of "error: expected ';'" there is none. */
static const char *kind_end(const char *text)
{
    const char *colon = strstr(text, ": "), *end = colon ? colon : text + strlen(text);
    for (const char *at = text, *stop = own_end(text, end); colon && at < stop; at++)
        if (isdigit((unsigned char)*at)) return end;
    bool has_blank = memchr(text, ' ', (size_t)(end - text)) != NULL;
    size_t size = (size_t)(end - text);
    bool exception = (size > 5 && memcmp(end - 5, "Error", 5) == 0) ||
                     (size > 9 && memcmp(end - 9, "Exception", 9) == 0);
    return exception && !has_blank ? end : NULL;
}

/* Takes only the kind of the message, if it has a name: a code, an exception, an option.
 *
 * Examples: "TypeError: x is not a function" becomes "TypeError*"; "warning: unused variable
 * 'a' [-Wunused-variable]" becomes "warning: *[-Wunused-variable]". False, and nothing is
 * written, if it has no such name. */
static bool take_kind(struct generalizer *g)
{
    const char *end = kind_end(g->at);
    const char *option = strrchr(g->at, '[');
    if (end) {
        put(g, g->at, (size_t)(end - g->at));
        put_star(g);
        return true;
    }
    if (!option || strncmp(option, "[-W", 3) != 0 || option[strlen(option) - 1] != ']')
        return false;
    const char *colon = strstr(g->at, ": ");
    if (colon && colon < option) put(g, g->at, (size_t)(colon + 2 - g->at));
    put_star(g);
    put(g, option, strlen(option));
    return true;
}

/* Copies the header of a message as it is, where it names a kind: codes and exceptions are the
 * program's own. */
static void take_header(struct generalizer *g)
{
    const char *end = kind_end(g->at);
    if (!end) return;
    end = own_end(g->at, end);
    put(g, g->at, (size_t)(end - g->at));
    g->at = end;
}

/* Copies the next bytes as they are. */
static void take(struct generalizer *g, size_t size)
{
    put(g, g->at, size);
    g->at += size;
}

/* Takes a sign; a quote that is no apostrophe begins a quotation without an end here. */
static void take_sign(struct generalizer *g)
{
    const bool is_apostrophe = g->at > g->start && in_word(g->at[-1]);
    if (strchr("'\"`", *g->at) && !is_apostrophe) g->is_quoting = true;
    take(g, 1);
}

/* Takes a piece of the input that is repeated here without quotes; false, and nothing is written, if
 * there is none, or if what was not expected stays. */
static bool take_echo(struct generalizer *g)
{
    const char *from, *end;
    if (g->level == PARE_KEEP_EXACT || g->keeps_tokens || g->keeps_words ||
        !pare_echoed_input_at(&g->echoed, g->start, g->at, &from, &end))
        return false;
    put(g, g->at, (size_t)(from - g->at));
    put_star(g);
    g->at = end;
    return true;
}

/* All that is left of the text, part by part. The order of the cases matters: a quotation is
 * taken as a whole before the words in it are seen, and an address before the number with which
 * it begins. */
static void take_rest(struct generalizer *g)
{
    while (*g->at) {
        assert(g->n < PARE_DIAGNOSTIC_BYTES);
        if (take_echo(g)) continue;
        const char *end = close_quote(g->start, g->at);
        if (end)
            take_quotation(g, end);
        else if (strncmp(g->at, ADDRESS, strlen(ADDRESS)) == 0)
            take(g, strlen(ADDRESS));
        else if (begins_number(g))
            take_number(g);
        else if (in_word(*g->at))
            take_word(g);
        else
            take_sign(g);
    }
}

/* Where the message begins: after a severity or a kind of exception, with its colon. */
static const char *message_of(const char *text)
{
    static const char *const ends[] = {"error", "exception", "warning",
                                       "fatal", "panic",     "failed test"};
    const char *colon = strstr(text, ": ");
    for (size_t k = 0; colon && k < sizeof ends / sizeof *ends; k++) {
        const size_t size = strlen(ends[k]);
        if ((size_t)(colon - text) >= size && strncasecmp(colon - size, ends[k], size) == 0)
            return colon + 2;
    }
    return text;
}

/* Whether nothing but stars stand for what the message says, which every other would match.  Quotes say
 * something after the name of a kind only: KeyError: '*', but not error: '*'. Example: the
 * pattern "error: *" would make every error the same failure. */
static bool says_nothing(const char *pattern)
{
    const char *message = message_of(pattern);
    const bool has_kind = message > pattern && kind_end(pattern);
    if (!strchr(message, '*')) return false;
    for (const char *at = message; *at; at++)
        if (in_word(*at) || (has_kind && strchr("'\"`", *at))) return false;
    return true;
}

/* Takes all of the message; where that leaves nothing of what it says, its words stay. It calls
 * itself once at most, as keeps_words is set then. */
static void take_message(struct generalizer *g, bool has_header)
{
    g->echoed = (pare_echoed_input){.input = g->input,
                                    .size = g->input_size,
                                    .searches = PARE_ECHOED_INPUT_SEARCHES,
                                    .is_keyword = is_builtin_word};
    const struct generalizer begin = *g;
    if (has_header) take_header(g);
    take_rest(g);
    g->to[g->n] = '\0';
    if (g->level != PARE_KEEP_MESSAGE || g->keeps_words || !says_nothing(g->to)) return;
    *g = begin;
    g->keeps_words = true;
    take_message(g, has_header);
}

/* The kind alone if that is asked for and has a name; else the whole message, part by part. */
void pare_generalize(const char *text, pare_keep_level level, const void *input, size_t size,
                     char pattern[PARE_DIAGNOSTIC_BYTES])
{
    struct generalizer g = {.at = text,
                            .start = text,
                            .input = input,
                            .input_size = size,
                            .level = level,
                            .keeps_tokens = is_about_tokens(text),
                            .to = pattern};
    if (level == PARE_KEEP_KIND && take_kind(&g)) {
        pattern[g.n] = '\0';
        return;
    }
    take_message(&g, true);
}

/* ---- what crashes say ---------------------------------------------------------------- */

/* Whether the mask of numbers (printed.h) is alone between quotes: a number of the input's. */
static bool is_quoted_number(const char *at)
{
    return strchr("'\"`", at[-1]) && *at == '#' && at[1] && strchr("'\"`", at[1]);
}

/* A word in which some bytes were no UTF-8 is masked in parts: "*??*".  One star for all of it.
 * The pattern is changed in place: it only becomes shorter. */
static void join_stars(char *pattern)
{
    char *to = pattern;
    for (const char *at = pattern; *at;) {
        const size_t size = strspn(at, "*?");
        if (size && memchr(at, '*', size)) {
            *to++ = '*';
            at += size;
        } else {
            *to = at > pattern && is_quoted_number(at) ? '*' : *at;
            to++;
            at++;
        }
    }
    *to = '\0';
}

/* No header is copied as it is here, and numbers are masked already, as '#'. */
void pare_generalize_crash(const char *text, const void *input, size_t size,
                           char pattern[PARE_DIAGNOSTIC_BYTES])
{
    struct generalizer g = {.at = text,
                            .start = text,
                            .input = input,
                            .input_size = size,
                            .level = PARE_KEEP_MESSAGE,
                            .to = pattern};
    take_message(&g, false);
    join_stars(pattern);
}
