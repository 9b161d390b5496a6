/* Patterns by recursive descent over the grammar of ES5 (15.10.1), with a budget of atoms.
 *
 * Rules beyond the grammar are kept by construction: ranges of classes and bounds of quantifiers
 * ascend, no quantifier follows an assertion (duktape refuses it), and backreferences only name
 * groups that have begun already, of which there are at most nine.  Bounds are small and
 * quantifiers nest twice at most: engines that backtrack take time that is exponential in the
 * nesting.
 *
 * In a literal the pattern stands as it is; in a string its backslashes are doubled. */
#include "generate/prototype/regex_values.h"

#include <assert.h>
#include <string.h>

enum { MAX_ATOMS = 10, MAX_GROUPS = 9, MAX_NESTING = 3, MAX_QUANTIFIED = 2, SUBJECT_PIECES = 6 };

/* One pattern being made. Counts only grow, but for the two depths. */
struct pattern {
    pare_emitter *emitter;
    const char *backslash; /* as it is written here */
    uint32_t n_atoms, n_groups;
    uint32_t nesting, quantified;
};

static void disjunction(struct pattern *pattern);

/* As in a literal; what is escaped goes through put_escape. */
static void put(struct pattern *pattern, const char *text)
{
    pare_emitter_text(pattern->emitter, text);
}

/* A backslash and what it escapes. */
static void put_escape(struct pattern *pattern, const char *rest)
{
    put(pattern, pattern->backslash);
    put(pattern, rest);
}

/* Few characters, those of the subjects: a pattern that never matches tests only its compiler. */
static void put_character(struct pattern *pattern)
{
    static const char *const characters[] = {"a", "b", "c", "x", "0", "1",  "A", "B",
                                             " ", "-", "_", "z", ",", "ab", "10"};
    pare_emitter_one_of(pattern->emitter, characters, sizeof characters / sizeof *characters);
}

/* What is the same in a class and outside of it. */
static void put_set_escape(struct pattern *pattern)
{
    static const char *const escapes[] = {
        "d", "w", "s", "D", "W", "S", "n",   "t",   "r",     "x41",   "u0062", "u00e9", "cJ", "f",
        "v", ".", "/", "]", "-", "$", "x00", "xff", "u2028", "uffff", "ud83d", "[",     "*"};
    put_escape(pattern,
               escapes[pare_emitter_pick(pattern->emitter, sizeof escapes / sizeof *escapes)]);
}

/* Items are kept apart by a semicolon; an empty class, and its complement, are items enough. */
static void put_class(struct pattern *pattern)
{
    static const char *const items[] = {"a", "0-9", "a-z", "b",   "A-Z", "abc", "_",  " ",
                                        "-", "x",   "1-3", "a-a", ",",   "+*?", "$.", "c-x"};
    pare_emitter *emitter = pattern->emitter;
    uint32_t n = pare_emitter_size(emitter, 0, 3);
    put(pattern, "[");
    if (pare_emitter_chance(emitter, 30)) put(pattern, "^");
    for (uint32_t i = 0; i < n; i++) {
        if (pare_emitter_chance(emitter, 35))
            put_set_escape(pattern);
        else
            pare_emitter_one_of(emitter, items, sizeof items / sizeof *items);
        /* "a-z" and then "-" would be read as a range of what stands around it. */
        if (i + 1 < n) put(pattern, ";");
    }
    put(pattern, "]");
}

/* A group of some kind; true for an assertion, which takes no quantifier.  The group counts from
 * its parenthesis on, so a reference within it is to itself, which matches nothing yet. */
static bool put_group(struct pattern *pattern)
{
    /* As `begins`: groups that capture, groups that do not, and lookaheads of both kinds, which
     * are rarer since they match nothing by themselves. */
    static const uint8_t weights[] = {6, 4, 2, 2};
    static const char *const begins[] = {"(", "(?:", "(?=", "(?!"};
    uint32_t kind = pare_emitter_weigh(pattern->emitter, weights, 4);
    /* \10 would be group 10 in one engine and group 1 with a 0 in another. */
    if (kind == 0 && pattern->n_groups == MAX_GROUPS) kind = 1;
    pattern->n_groups += kind == 0;
    assert(pattern->n_groups <= MAX_GROUPS && pattern->nesting < MAX_NESTING);
    put(pattern, begins[kind]);
    pattern->nesting++;
    disjunction(pattern);
    pattern->nesting--;
    put(pattern, ")");
    return kind >= 2;
}

/* An assertion of one position; true, as put_group. */
static bool put_assertion(struct pattern *pattern)
{
    switch (pare_emitter_pick(pattern->emitter, 4)) {
    case 0: put(pattern, "^"); break;
    case 1: put(pattern, "$"); break;
    case 2: put_escape(pattern, "b"); break;
    default: put_escape(pattern, "B"); break;
    }
    return true;
}

/* A backreference; a dot where there is no group yet. */
static void put_reference(struct pattern *pattern)
{
    char digit[2] = "0";
    if (!pattern->n_groups) {
        put(pattern, ".");
        return;
    }
    assert(pattern->n_groups <= MAX_GROUPS && "one digit names each");
    digit[0] = (char)('1' + pare_emitter_pick(pattern->emitter, pattern->n_groups));
    put_escape(pattern, digit);
    put(pattern, "(?:)"); /* so that no digit follows */
}

/* True for an assertion. */
static bool put_atom(struct pattern *pattern)
{
    /* Characters, dot, classes, escapes of sets, groups, references, assertions: most is
     * characters, so that some patterns match their subjects. */
    static const uint8_t weights[] = {10, 3, 5, 4, 6, 2, 3};
    uint32_t kind = pare_emitter_weigh(pattern->emitter, weights, 7);
    if (kind == 4 && pattern->nesting >= MAX_NESTING) kind = 0;
    pattern->n_atoms++;
    switch (kind) {
    case 1: put(pattern, "."); break;
    case 2: put_class(pattern); break;
    case 3: put_set_escape(pattern); break;
    case 4: return put_group(pattern);
    case 5: put_reference(pattern); break;
    case 6: return put_assertion(pattern);
    default: put_character(pattern); break;
    }
    return false;
}

/* Lazy ones try the same ways in the other order: another path through every matcher. */
static void put_quantifier(struct pattern *pattern)
{
    static const char *const quantifiers[] = {"*",     "+",    "?",   "{2}", "{0,1}",
                                              "{1,3}", "{2,}", "{0}", "{0,}"};
    pare_emitter_one_of(pattern->emitter, quantifiers, sizeof quantifiers / sizeof *quantifiers);
    if (pare_emitter_chance(pattern->emitter, 30)) put(pattern, "?");
}

/* Whether an atom gets a quantifier is chosen before it, since what is within must know. */
static void put_term(struct pattern *pattern)
{
    pare_emitter_open(pattern->emitter, PARE_EMITTER_PATTERN);
    bool quantified =
        pattern->quantified < MAX_QUANTIFIED && pare_emitter_chance(pattern->emitter, 35);
    pattern->quantified += quantified;
    assert(pattern->quantified <= MAX_QUANTIFIED);
    bool is_assertion = put_atom(pattern);
    pattern->quantified -= quantified;
    if (quantified && !is_assertion) put_quantifier(pattern);
    pare_emitter_close(pattern->emitter);
}

/* One to four terms, as long as there are atoms left. */
static void alternative(struct pattern *pattern)
{
    /* One to four terms. */
    static const uint8_t weights[] = {8, 6, 3, 1};
    uint32_t n = 1 + pare_emitter_weigh(pattern->emitter, weights, 4);
    for (uint32_t i = 0; i < n && pattern->n_atoms < MAX_ATOMS; i++)
        put_term(pattern);
}

/* An empty alternative has no term; the whole pattern is never empty, for // begins a comment. */
static void disjunction(struct pattern *pattern)
{
    alternative(pattern);
    while (pattern->n_atoms < MAX_ATOMS && pare_emitter_chance(pattern->emitter, 22)) {
        put(pattern, "|");
        if (!pare_emitter_chance(pattern->emitter, 15)) alternative(pattern);
    }
}

/* The examples of the standard (15.10.2) now and then: what they match was got wrong before. */
static void put_pattern(pare_emitter *emitter, const char *backslash)
{
    static const char *const whole[] = {
        "(?:)",     "(z)((a+)?(b+)?(c))*",      "(?=(a+))a*b", "(.*?)a(?!(a+)b)c", "(a*)*",
        "((a)|b)+", "^(?:a|ab)(?:c|bcd)(?:d*)$"};
    struct pattern pattern = {.emitter = emitter, .backslash = backslash};
    if (pare_emitter_chance(emitter, 6))
        pare_emitter_one_of(emitter, whole, sizeof whole / sizeof *whole);
    else
        disjunction(&pattern);
    assert(!pattern.nesting && !pattern.quantified && "all groups are closed");
}

/* Flags of ES5 only: later ones are syntax errors of the whole text in an older engine, and the
 * test would show nothing. The constructor's flags have the others. */
void pare_regex_values_literal(pare_emitter *emitter)
{
    static const char *const flags[] = {"", "g", "i", "m", "gi", "gm", "im", "gim"};
    pare_emitter_text(emitter, "/");
    put_pattern(emitter, "\\");
    pare_emitter_text(emitter, "/");
    pare_emitter_one_of(emitter, flags, sizeof flags / sizeof *flags);
}

/* A pattern with a fault before or after it, or none: faults are found at the beginning of a
 * pattern by other code than at its end. */
void pare_regex_values_text(pare_emitter *emitter)
{
    static const char *const wrong[] = {
        "(",       ")",         "[",      "*",        "a{2,1}", "[b-a]", "(?",
        "\\\\",    "\\\\1(",    "(?<a)",  "a**",      "{",      "}",     "a{1",
        "\\\\u12", "\\\\x4",    "[\\\\",  "(?:",      "\\\\c",  "]",     "a{99999999999}",
        "\\\\9",   "[a-\\\\d]", "(?=a)*", "\\\\p{L}", "",       "/",     "\\n"};
    uint32_t kind = pare_emitter_pick(emitter, 16);
    pare_emitter_text(emitter, "\"");
    if (kind == 14) pare_emitter_one_of(emitter, wrong, sizeof wrong / sizeof *wrong);
    put_pattern(emitter, "\\\\");
    if (kind == 15) pare_emitter_one_of(emitter, wrong, sizeof wrong / sizeof *wrong);
    pare_emitter_text(emitter, "\"");
}

/* Also wrong ones: twice the same, and one that there is not. */
void pare_regex_values_flags(pare_emitter *emitter)
{
    static const char *const flags[] = {"\"g\"",  "\"\"",  "\"i\"",     "\"m\"", "\"gim\"",
                                        "\"gg\"", "\"x\"", "undefined", "\"gi\""};
    pare_emitter_one_of(emitter, flags, sizeof flags / sizeof *flags);
}

/* Up to six pieces, of the characters that patterns are made of. */
void pare_regex_values_subject(pare_emitter *emitter)
{
    static const char *const pieces[] = {
        "a",   "b",       "c",       "ab", "aab",  "abc",        "x",   "0",  "10",
        "123", "A",       "B",       " ",  "-",    "_",          "z",   ",",  "\\n",
        "aaa", "\\u00e9", "\\u2028", ".",  "abcd", "zaacbbbcac", "\\t", "$1", "\\x00"};
    uint32_t n = pare_emitter_size(emitter, 0, SUBJECT_PIECES);
    pare_emitter_text(emitter, "\"");
    for (uint32_t i = 0; i < n; i++)
        pare_emitter_one_of(emitter, pieces, sizeof pieces / sizeof *pieces);
    pare_emitter_text(emitter, "\"");
}

/* Every $ form of 15.5.4.11, also those about groups that are not there. */
void pare_regex_values_replacement(pare_emitter *emitter)
{
    static const char *const pieces[] = {"a",   "$1",  "$&",  "$`", "$'",  "$$", "$",  "$2",
                                         "$01", "$10", "$99", "$0", "$00", "-",  "\\n"};
    uint32_t n = pare_emitter_size(emitter, 0, 3);
    pare_emitter_text(emitter, "\"");
    for (uint32_t i = 0; i < n; i++)
        pare_emitter_one_of(emitter, pieces, sizeof pieces / sizeof *pieces);
    pare_emitter_text(emitter, "\"");
}
