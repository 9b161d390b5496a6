/* Runs tree strategies with in-process predicates over JSON-like trees.
 *
 * Included after cmocka and tree_notation.h; everything is static. */
#ifndef PARE_TESTS_TREE_DRIVER_H
#define PARE_TESTS_TREE_DRIVER_H

#include "base/random.h"
#include "engine/strategy.h"
#include "tree_notation.h"

/* --- random JSON ---------------------------------------------------------------------- */

struct json {
    struct notation notation;
    pare_random random;
    unsigned next_number; /* every number is another one */
    unsigned left;        /* values that may still be opened */
};

static inline uint32_t json_rule(struct json *json, const char *name, uint32_t parent)
{
    uint32_t symbol = notation_symbol(&json->notation, name, strlen(name));
    return notation_open(&json->notation, PARE_NODE_RULE, symbol, parent);
}

static inline uint32_t json_node(struct json *json, uint32_t kind, uint32_t parent)
{
    return notation_open(&json->notation, kind, PARE_NO_NODE, parent);
}

/* A token whose symbol is `name`. */
static inline void json_token(struct json *json, const char *name, const char *text,
                              uint32_t parent)
{
    struct notation *to = &json->notation;
    uint32_t node =
        notation_open(to, PARE_NODE_TOKEN, notation_symbol(to, name, strlen(name)), parent);
    notation_text(to, text, strlen(text));
    to->parse.nodes[node].end = (uint32_t)to->text_size;
    notation_close(to, node);
}

static inline void json_value(struct json *json, uint32_t parent, unsigned depth);

static inline void json_member(struct json *json, uint32_t parent, bool named, unsigned depth)
{
    struct notation *to = &json->notation;
    if (!named) {
        json_value(json, parent, depth);
        return;
    }
    char key[16];
    uint32_t pair = json_rule(json, "pair", parent);
    (void)snprintf(key, sizeof key, "\"k%u\"", json->next_number++);
    json_token(json, "STRING", key, pair);
    json_token(json, ":", ":", pair);
    notation_text(to, " ", 1);
    json_value(json, pair, depth);
    notation_close(to, pair);
}

static inline void json_list(struct json *json, uint32_t parent, bool named, unsigned depth)
{
    struct notation *to = &json->notation;
    uint32_t list = json_rule(json, named ? "object" : "array", parent);
    json_token(json, named ? "{" : "[", named ? "{" : "[", list);
    size_t n = pare_random_below(&json->random, 7);
    uint32_t optional = json_node(json, PARE_NODE_OPTIONAL, list);
    if (n) {
        uint32_t all = json_node(json, PARE_NODE_ITEM, optional);
        json_member(json, all, named, depth + 1);
        uint32_t star = json_node(json, PARE_NODE_STAR, all);
        for (size_t i = 1; i < n; i++) {
            uint32_t item = json_node(json, PARE_NODE_ITEM, star);
            json_token(json, ",", ",", item);
            notation_text(to, " ", 1);
            json_member(json, item, named, depth + 1);
            notation_close(to, item);
        }
        notation_close(to, star);
        notation_close(to, all);
    }
    notation_close(to, optional);
    json_token(json, named ? "}" : "]", named ? "}" : "]", list);
    notation_close(to, list);
}

static inline void json_value(struct json *json, uint32_t parent, unsigned depth)
{
    uint32_t value = json_rule(json, "value", parent);
    bool opened = depth < 12 && json->left && (depth < 2 || pare_random_below(&json->random, 2));
    if (opened) {
        json->left--;
        json_list(json, value, pare_random_below(&json->random, 2), depth);
    } else {
        char number[16];
        (void)snprintf(number, sizeof number, "%u", 100 + json->next_number++);
        json_token(json, "NUMBER", number, value);
    }
    notation_close(&json->notation, value);
}

/* *json is all-zero. */
static inline void json_draw(struct json *json, uint64_t seed, unsigned n_lists)
{
    pare_random_init(&json->random, seed);
    json->left = n_lists;
    uint32_t root = json_rule(json, "json", PARE_NO_NODE);
    json_value(json, root, 0);
    notation_close(&json->notation, root);
}

static inline void json_minimal(const void *context, const pare_parse_tree *parse, uint32_t node,
                                const char **text, size_t *size)
{
    static const char *const table[][2] = {{"json", "0"},     {"value", "0"},  {"object", "{}"},
                                           {"array", "[]"},   {"NUMBER", "0"}, {"STRING", "\"\""},
                                           {"pair", "\"\":0"}};
    const struct notation *notation = context;
    const pare_parse_node *from = &parse->nodes[node];
    *text = "";
    if (from->kind == PARE_NODE_PLUS) *text = "a";
    if (from->symbol != PARE_NO_NODE) {
        *text = notation->names[from->symbol];
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
            if (strcmp(table[i][0], *text) == 0) {
                *text = table[i][1];
                break;
            }
    }
    *size = strlen(*text);
}

static inline pare_tree *json_tree(struct json *json)
{
    pare_tree_rules rules = {.context = &json->notation, .minimal = json_minimal};
    return notation_tree(&json->notation, &rules);
}

/* --- random predicates ------------------------------------------------------------------ */

enum { SUBJECT_MAX = 6 };

/* Fails while all of some words are there, and some others are there only with a third. */
struct subject {
    size_t n_needed, n_dependent;
    char needed[SUBJECT_MAX][16];
    char dependent[SUBJECT_MAX][2][16]; /* [0] only with [1] */
    bool unresolved;                    /* else a broken dependence passes */
    uint64_t tests;
};

static inline void subject_word(const struct json *json, pare_random *random, char word[16])
{
    const struct notation *notation = &json->notation;
    for (;;) {
        const pare_parse_node *node =
            &notation->parse.nodes[pare_random_below(random, notation->parse.n_nodes)];
        if (node->kind != PARE_NODE_TOKEN || node->end - node->begin < 2) continue;
        memset(word, 0, 16);
        memcpy(word, notation->text + node->begin, node->end - node->begin);
        return;
    }
}

static inline void subject_draw(struct subject *subject, const struct json *json, uint64_t seed)
{
    pare_random random;
    pare_random_init(&random, seed ^ 0x5eed);
    *subject = (struct subject){.n_needed = pare_random_below(&random, 4)};
    if (json->next_number < 4) subject->n_needed = 0;
    if (json->next_number >= 4 && pare_random_below(&random, 2))
        subject->n_dependent = pare_random_below(&random, SUBJECT_MAX);
    for (size_t i = 0; i < subject->n_needed; i++)
        subject_word(json, &random, subject->needed[i]);
    for (size_t i = 0; i < subject->n_dependent; i++) {
        subject_word(json, &random, subject->dependent[i][0]);
        subject_word(json, &random, subject->dependent[i][1]);
    }
    subject->unresolved = pare_random_below(&random, 2);
}

static inline bool subject_has(const unsigned char *bytes, size_t size, const char *word)
{
    return memmem(bytes, size, word, strlen(word)) != NULL;
}

static inline pare_outcome subject_run(void *context, const unsigned char *bytes, size_t size)
{
    struct subject *subject = context;
    subject->tests++;
    for (size_t i = 0; i < subject->n_needed; i++)
        if (!subject_has(bytes, size, subject->needed[i])) return PARE_PASS;
    for (size_t i = 0; i < subject->n_dependent; i++)
        if (subject_has(bytes, size, subject->dependent[i][0]) &&
            !subject_has(bytes, size, subject->dependent[i][1]))
            return subject->unresolved ? PARE_UNRESOLVED : PARE_PASS;
    return PARE_FAIL;
}

/* --- driving without an engine --------------------------------------------------------- */

typedef pare_outcome (*drive_test)(void *context, const unsigned char *bytes, size_t size);

struct drive {
    char *best; /* what failed last, with a NUL; NULL: nothing did */
    size_t best_size;
    size_t tests;
    char log[4096]; /* the candidates, each in its own line, as far as there is room */
};

/* Runs `strategy` (taken over) to its end.  The candidates of large inputs are not read
 * if `test` is NULL: every one passes. */
static inline void drive_run(struct drive *drive, pare_strategy *strategy, drive_test test,
                             void *context)
{
    pare_candidate candidate = {0};
    memset(drive, 0, sizeof *drive);
    size_t log = 0;
    for (;;) {
        pare_next what;
        assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        drive->tests++;
        pare_outcome outcome = PARE_PASS;
        char *bytes = NULL;
        if (test) {
            bytes = malloc(candidate.size + 1);
            assert_non_null(bytes);
            pare_candidate_read(&candidate, bytes);
            bytes[candidate.size] = '\0';
            outcome = test(context, (unsigned char *)bytes, candidate.size);
            if (log + candidate.size + 2 < sizeof drive->log) {
                memcpy(drive->log + log, bytes, candidate.size);
                log += candidate.size;
                drive->log[log++] = '\n';
            }
        }
        if (outcome == PARE_FAIL) {
            free(drive->best);
            drive->best = bytes;
            drive->best_size = candidate.size;
            bytes = NULL;
        }
        free(bytes);
        assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
        if (outcome == PARE_FAIL && strategy->ops->settle)
            assert_int_equal(strategy->ops->settle(strategy, NULL), PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
}

static inline void drive_done(struct drive *drive)
{
    free(drive->best);
    drive->best = NULL;
}

#endif
