/* Content models out of grammar.json: each rule becomes a network over visible children.
 *
 * Networks are built backwards: a body is compiled with the state that comes after it, and
 * gives the state it begins with, so no link is patched but that of a loop.  The depth of the
 * recursion is the nesting of the JSON text, which jansson limits to 2048.
 *
 * What a rule that is one token shows depends on whether tree-sitter made it a token of that
 * name (no child) or kept the string as a token of its own (one child).  The file does not
 * tell which, so both are accepted.
 *
 * Then sets of symbols are found.  A hidden rule that always shows exactly one child (a
 * supertype: an expression, say) is a set, and so is a choice whose branches take one child
 * and go on alike.  Matching needs one step there instead of one for each kind, and a
 * derivation that passes such a state tells what else might have stood in the child's place.
 *
 * The models are compiled from the JSON and not from the grammar model
 * (tree_sitter_grammar.c): see there.
 *
 * Invariant (pare_content_check): every link and number is in range, so matching needs no
 * checks.  Cost: O(size of the JSON) for the networks; sets take a few rounds over the rules. */
#include "grammar/content.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/content_network.h"
#include "grammar/grammar.h"
#include "grammar/tree_sitter_grammar.h"

/* The state of reading a file. Compile functions return a state, or PARE_NO_INDEX after the first
 * failure, from which on add_state does nothing; so they need not check after each step. `rule` is
 * for messages; everything else is passed to the functions. */
struct reader {
    pare_content *content;
    const pare_grammar_json *json;
    const char *rule; /* being compiled; for messages */
    pare_error *err;
    pare_status status; /* the first failure; everything after it is idle */
};

/* A name that an alias gives to what is below it; NULL: none. */
struct alias {
    const char *name;
    bool named;
};

static const struct alias no_alias = {NULL, false};

static uint32_t compile(struct reader *reader, const json_t *body, struct alias alias,
                        uint32_t next);

/* --- names ------------------------------------------------------------------------ */

/* Notes the first failure, of the rule being compiled.  Returns PARE_NO_INDEX, for its caller
 * to return. */
static uint32_t fail_rule(struct reader *reader, const char *what)
{
    if (reader->status == PARE_OK)
        reader->status = pare_fail(reader->err, PARE_E_SYNTAX, "grammar.json: rule '%s': %s",
                                   reader->rule ? reader->rule : "?", what);
    return PARE_NO_INDEX;
}

static uint32_t fail_memory(struct reader *reader)
{
    if (reader->status == PARE_OK) reader->status = pare_fail_nomem(reader->err);
    return PARE_NO_INDEX;
}

uint32_t pare_content_symbol(const pare_content *content, const char *name, bool named)
{
    const json_t *number = json_object_get(content->symbols[named], name);
    return number ? (uint32_t)json_integer_value(number) : PARE_CONTENT_UNKNOWN;
}

/* As pare_content_symbol, but makes the symbol if it is missing. Named and anonymous symbols differ even if
 * they are spelled alike: the rule `if` and the keyword "if". */
static uint32_t symbol(struct reader *reader, const char *name, bool named)
{
    pare_content *content = reader->content;
    uint32_t number = pare_content_symbol(content, name, named);
    if (number != PARE_CONTENT_UNKNOWN) return number;
    number = (uint32_t)content->n_symbols;
    /* This fails only for a name that is no UTF-8, which a JSON text cannot contain. */
    if (json_object_set_new(content->symbols[named], name, json_integer(number)))
        return fail_memory(reader);
    content->n_symbols++;
    return number;
}

static uint32_t rule_number(const struct reader *reader, const char *name)
{
    const json_t *number = json_object_get(reader->content->rule_index, name);
    return number ? (uint32_t)json_integer_value(number) : PARE_NO_INDEX;
}

/* --- networks ---------------------------------------------------------------------- */

/* States are only added, and refer to those added before; but for a loop, whose link back is set
 * when its body is known. */
static uint32_t add_state(struct reader *reader, pare_content_kind kind, uint32_t value,
                          uint32_t next, uint32_t other)
{
    pare_content *content = reader->content;
    if (reader->status != PARE_OK) return PARE_NO_INDEX;
    pare_content_state *states = pare_vector_grow(content->states, content->n_states,
                                                  &content->state_capacity, sizeof *states);
    if (!states) return fail_memory(reader);
    content->states = states;
    assert(next == PARE_NO_INDEX || next < content->n_states);
    assert(other == PARE_NO_INDEX || other < content->n_states);
    states[content->n_states] =
        (pare_content_state){.kind = kind, .value = value, .next = next, .other = other};
    return (uint32_t)content->n_states++;
}

/* A state that takes one child of that name. */
static uint32_t take(struct reader *reader, const char *name, bool named, uint32_t next)
{
    return add_state(reader, PARE_CONTENT_TAKE, symbol(reader, name, named), next, PARE_NO_INDEX);
}

/* A node of type `type` may be made by `rule`; said twice, it counts once.  A grammar has some
 * hundred models, and few types have more than one, so the search is linear. */
static void add_model(struct reader *reader, uint32_t type, uint32_t rule)
{
    pare_content *content = reader->content;
    for (size_t i = 0; i < content->n_models; i++) {
        if (content->models[i].symbol == type && content->models[i].rule == rule) return;
    }
    pare_content_model *models = pare_vector_grow(content->models, content->n_models,
                                                  &content->model_capacity, sizeof *models);
    if (!models) {
        (void)fail_memory(reader);
        return;
    }
    content->models = models;
    models[content->n_models++] = (pare_content_model){.symbol = type, .rule = rule};
}

/* A child that is seen under the alias; `rule` is what it really is.  The node that is seen has
 * the alias as its type, so what is below it follows the model of the rule that is aliased;
 * PARE_NO_INDEX stands for a token. */
static uint32_t take_alias(struct reader *reader, struct alias alias, uint32_t rule, uint32_t next)
{
    add_model(reader, symbol(reader, alias.name, alias.named), rule);
    return take(reader, alias.name, alias.named, next);
}

/* The string that a token always is, seen through precedences; NULL: it may be others. */
static const char *fixed_text(const json_t *body)
{
    while (body && !pare_tree_sitter_grammar_is(body, "STRING")) {
        if (!pare_tree_sitter_grammar_is_precedence(body) &&
            !pare_tree_sitter_grammar_is(body, "TOKEN") &&
            !pare_tree_sitter_grammar_is(body, "IMMEDIATE_TOKEN"))
            return NULL;
        body = json_object_get(body, "content");
    }
    return body ? pare_tree_sitter_grammar_text(body, "value") : NULL;
}

/* Whether the body is a token by itself, written where it is used. */
static bool is_token(const json_t *body)
{
    return pare_tree_sitter_grammar_is(body, "STRING") ||
           pare_tree_sitter_grammar_is(body, "PATTERN") ||
           pare_tree_sitter_grammar_is(body, "TOKEN") ||
           pare_tree_sitter_grammar_is(body, "IMMEDIATE_TOKEN");
}

/* A token is a child if an alias names it or if it is a fixed string; a pattern without a name
 * leaves no trace in the tree, so the network goes on at `next` at once. */
static uint32_t compile_token(struct reader *reader, const json_t *body, struct alias alias,
                              uint32_t next)
{
    const char *text = fixed_text(body);
    if (alias.name) return take_alias(reader, alias, PARE_NO_INDEX, next);
    return text ? take(reader, text, false, next) : next;
}

/* A rule that is seen is a child; one that is not is gone through.  A hidden token of the
 * language's own scanner is not seen either: it may be there (a guess), and if a rule has its
 * name, that may stand for it. */
static uint32_t compile_symbol(struct reader *reader, const json_t *body, struct alias alias,
                               uint32_t next)
{
    const char *name = pare_tree_sitter_grammar_text(body, "name");
    uint32_t rule = rule_number(reader, name);
    bool external = pare_tree_sitter_grammar_has(reader->json->externals, name);
    if (rule == PARE_NO_INDEX && !external) return fail_rule(reader, "names a rule there is not");
    if (alias.name) return take_alias(reader, alias, rule, next);
    if (name[0] != '_' && !pare_tree_sitter_grammar_has(reader->json->hidden, name))
        return take(reader, name, true, next);
    if (external) {
        uint32_t guess = add_state(reader, PARE_CONTENT_GUESS, 0, next, PARE_NO_INDEX);
        if (rule == PARE_NO_INDEX) return guess;
        uint32_t call = add_state(reader, PARE_CONTENT_CALL, rule, next, PARE_NO_INDEX);
        return add_state(reader, PARE_CONTENT_FORK, 0, guess, call);
    }
    return add_state(reader, PARE_CONTENT_CALL, rule, next, PARE_NO_INDEX);
}

/* Members from the last to the first: each needs the state that comes after it.  An alias
 * around a sequence names each of its members. */
static uint32_t compile_sequence(struct reader *reader, const json_t *body, struct alias alias,
                                 uint32_t next)
{
    const json_t *members = json_object_get(body, "members");
    for (size_t i = json_array_size(members); i-- > 0 && reader->status == PARE_OK;)
        next = compile(reader, json_array_get(members, i), alias, next);
    return next;
}

/* The REPEAT1 in a choice between that and nothing, which is how grammars write a loop of any
 * number of rounds; NULL: the choice is something else.  Precedences and fields around it do
 * not matter. */
static const json_t *optional_loop(const json_t *choice)
{
    const json_t *members = json_object_get(choice, "members");
    if (json_array_size(members) != 2 ||
        !pare_tree_sitter_grammar_is(json_array_get(members, 1), "BLANK"))
        return NULL;
    const json_t *body = json_array_get(members, 0);
    while (pare_tree_sitter_grammar_is_precedence(body) ||
           pare_tree_sitter_grammar_is(body, "FIELD"))
        body = json_object_get(body, "content");
    return pare_tree_sitter_grammar_is(body, "REPEAT1") ? body : NULL;
}

/* A loop between marks that tell derivations of it: after the body it forks to another round
 * or to its end.  OPEN, ROUND and CLOSE take no child.  They are what a derivation is read
 * from: where a list begins, where each round does, and where it ends. */
static uint32_t compile_loop(struct reader *reader, const json_t *body, struct alias alias,
                             bool once, uint32_t next)
{
    uint32_t close = add_state(reader, PARE_CONTENT_CLOSE, 0, next, PARE_NO_INDEX);
    uint32_t again = add_state(reader, PARE_CONTENT_FORK, 0, PARE_NO_INDEX, close);
    uint32_t begin = compile(reader, json_object_get(body, "content"), alias, again);
    if (reader->status != PARE_OK) return PARE_NO_INDEX;
    /* A body that can show nothing at all would make an endless loop, and adds nothing to it. */
    if (begin == again) return next;
    uint32_t round = add_state(reader, PARE_CONTENT_ROUND, 0, begin, PARE_NO_INDEX);
    /* The link back, from the end of the body to the next round, is the only one that goes to
     * a state made later. */
    if (reader->status != PARE_OK) return PARE_NO_INDEX;
    reader->content->states[again].next = round;
    return add_state(reader, PARE_CONTENT_OPEN, once ? PARE_CONTENT_PLUS : PARE_CONTENT_STAR,
                     once ? round : again, PARE_NO_INDEX);
}

/* Branches are tried in the order of the file, so that the first derivation found is the one the
 * grammar prefers.  A choice with a blank is an option, which derivations tell. */
static uint32_t compile_choice(struct reader *reader, const json_t *body, struct alias alias,
                               uint32_t next)
{
    const json_t *members = json_object_get(body, "members");
    const json_t *loop = optional_loop(body);
    uint32_t begin = PARE_NO_INDEX, after = next;
    bool optional = false;
    if (loop) return compile_loop(reader, loop, alias, false, next);
    if (!json_is_array(members)) return fail_rule(reader, "has a choice without branches");
    for (size_t i = 0; i < json_array_size(members); i++)
        optional = optional || pare_tree_sitter_grammar_is(json_array_get(members, i), "BLANK");
    /* The branches come together at CLOSE, so that a derivation knows where the option ends. */
    if (optional) after = add_state(reader, PARE_CONTENT_CLOSE, 0, next, PARE_NO_INDEX);
    for (size_t i = json_array_size(members); i-- > 0 && reader->status == PARE_OK;) {
        if (pare_tree_sitter_grammar_is(json_array_get(members, i), "BLANK")) continue;
        uint32_t member = compile(reader, json_array_get(members, i), alias, after);
        begin = begin == PARE_NO_INDEX ? member
                                       : add_state(reader, PARE_CONTENT_FORK, 0, member, begin);
    }
    /* A choice of nothing, by which a grammar switches off a part of itself: no text is of it. */
    if (begin == PARE_NO_INDEX && !optional)
        return add_state(reader, PARE_CONTENT_FORK, 0, PARE_NO_INDEX, PARE_NO_INDEX);
    if (begin == PARE_NO_INDEX) return next;
    if (!optional) return begin;
    begin = add_state(reader, PARE_CONTENT_OPEN, PARE_CONTENT_OPTIONAL, begin, PARE_NO_INDEX);
    return add_state(reader, PARE_CONTENT_FORK, 0, begin, next);
}

/* Compiles what the alias holds, with the alias in force. An alias inside overrides it. */
static uint32_t compile_alias(struct reader *reader, const json_t *body, uint32_t next)
{
    const struct alias alias = {pare_tree_sitter_grammar_text(body, "value"),
                                json_is_true(json_object_get(body, "named"))};
    return compile(reader, json_object_get(body, "content"), alias, next);
}

/* The state at which `body` begins when `next` comes after it. */
static uint32_t compile(struct reader *reader, const json_t *body, struct alias alias,
                        uint32_t next)
{
    const char *type = pare_tree_sitter_grammar_text(body, "type");
    if (reader->status != PARE_OK) return PARE_NO_INDEX;
    if (pare_tree_sitter_grammar_is(body, "BLANK")) return next;
    if (is_token(body)) return compile_token(reader, body, alias, next);
    if (pare_tree_sitter_grammar_is(body, "SYMBOL"))
        return compile_symbol(reader, body, alias, next);
    if (pare_tree_sitter_grammar_is(body, "SEQ"))
        return compile_sequence(reader, body, alias, next);
    if (pare_tree_sitter_grammar_is(body, "CHOICE"))
        return compile_choice(reader, body, alias, next);
    if (strncmp(type, "REPEAT", 6) == 0)
        return compile_loop(reader, body, alias, pare_tree_sitter_grammar_is(body, "REPEAT1"),
                            next);
    if (pare_tree_sitter_grammar_is(body, "ALIAS")) return compile_alias(reader, body, next);
    if (pare_tree_sitter_grammar_is(body, "FIELD") ||
        pare_tree_sitter_grammar_is(body, "RESERVED") ||
        pare_tree_sitter_grammar_is_precedence(body))
        return compile(reader, json_object_get(body, "content"), alias, next);
    return fail_rule(reader, "holds something unknown");
}

/* Compiles the network of one rule, and makes it a model of the node type of its name.  A rule
 * that is one fixed string may show that string or not, so its network may also end at once.
 * The network of a rule may be entered from any caller: RETURN goes back to whoever called. */
static void compile_rule(struct reader *reader, const char *name, const json_t *body, uint32_t rule)
{
    reader->rule = name;
    uint32_t end = add_state(reader, PARE_CONTENT_RETURN, 0, PARE_NO_INDEX, PARE_NO_INDEX);
    uint32_t begin = compile(reader, body, no_alias, end);
    if (fixed_text(body)) begin = add_state(reader, PARE_CONTENT_FORK, 0, begin, end);
    if (reader->status != PARE_OK) return;
    reader->content->entries[rule] = begin;
    add_model(reader, symbol(reader, name, true), rule);
}

/* --- sets --------------------------------------------------------------------------- */

/* The limit on the states looked at while one set is gathered.  Only branches that show
 * nothing can multiply, so real grammars stay far below it; a choice beyond it is matched
 * branch by branch. */
enum { MOST_STEPS = 1 << 14 };

/* The search for sets. */
struct finder {
    pare_content *content;
    size_t steps;      /* of the set being gathered */
    uint32_t *of_rule; /* owned; the set a rule is, or PARE_NO_INDEX */
    bool *called;      /* owned; of each rule */
    uint64_t *found;   /* owned; the set being gathered */
    pare_error *err;
};

size_t pare_content_n_symbols(const pare_content *content)
{
    return content->n_symbols;
}

bool pare_content_is_extra(const pare_content *content, uint32_t symbol)
{
    return symbol < content->n_symbols && content->extras[symbol];
}

bool pare_content_is_anonymous(const pare_content *content, uint32_t symbol)
{
    return symbol < content->n_symbols && content->anonymous[symbol];
}

size_t pare_content_n_sets(const pare_content *content)
{
    return content->n_sets;
}

bool pare_content_set_has(const pare_content *content, uint32_t set, uint32_t symbol)
{
    if (set >= content->n_sets || symbol >= content->n_symbols) return false;
    return content->sets[set * content->set_words + symbol / 64] >> symbol % 64 & 1;
}

/* Adds the members of a set to those gathered. */
static void unite(struct finder *finder, uint32_t set)
{
    const pare_content *content = finder->content;
    for (size_t i = 0; i < content->set_words; i++)
        finder->found[i] |= content->sets[set * content->set_words + i];
}

/* Adds what the state at `at` takes to the set being gathered; every branch must go on at the
 * same state, which becomes *next.  False: the state is no set.  Recursion is as deep as
 * choices are nested, which the JSON text bounds.  A loop is not followed, since its marks are
 * not part of any set.  `*next` is PARE_NO_INDEX until the first branch sets it; after that all
 * must agree. */
static bool gather(struct finder *finder, uint32_t at, uint32_t *next)
{
    for (;;) {
        const pare_content_state *state = &finder->content->states[at];
        if (++finder->steps > MOST_STEPS) return false;
        if (state->kind == PARE_CONTENT_FORK) {
            /* A choice of nothing, or left over from a loop whose body shows nothing. */
            if (state->next == PARE_NO_INDEX || state->other == PARE_NO_INDEX) return false;
            if (!gather(finder, state->next, next)) return false;
            at = state->other;
            continue;
        }
        if (*next == PARE_NO_INDEX) *next = state->next;
        if (*next != state->next || *next == PARE_NO_INDEX) return false;
        if (state->kind == PARE_CONTENT_TAKE) {
            finder->found[state->value / 64] |= UINT64_C(1) << state->value % 64;
            return true;
        }
        bool is_set =
            state->kind == PARE_CONTENT_CALL && finder->of_rule[state->value] != PARE_NO_INDEX;
        if (is_set) unite(finder, finder->of_rule[state->value]);
        return is_set;
    }
}

/* The number of the set just gathered; equal sets share a number.  The search is linear:
 * grammars have some dozen sets of a few words. */
static pare_status keep(struct finder *finder, uint32_t *set)
{
    pare_content *content = finder->content;
    size_t words = content->set_words, bytes = words * sizeof *content->sets;
    for (size_t i = 0; i < content->n_sets; i++) {
        *set = (uint32_t)i;
        if (memcmp(content->sets + i * words, finder->found, bytes) == 0) return PARE_OK;
    }
    uint64_t *sets =
        pare_vector_grow(content->sets, content->n_sets, &content->set_capacity, bytes);
    if (!sets) return pare_fail_nomem(finder->err);
    content->sets = sets;
    memcpy(sets + content->n_sets * words, finder->found, bytes);
    *set = (uint32_t)content->n_sets++;
    return PARE_OK;
}

/* Gathers a set from an empty one; see gather. */
static bool gather_from(struct finder *finder, uint32_t state, uint32_t *next)
{
    memset(finder->found, 0, finder->content->set_words * sizeof *finder->found);
    *next = PARE_NO_INDEX;
    finder->steps = 0;
    return gather(finder, state, next);
}

/* Finds the rules that are sets: those whose network takes exactly one child and returns.  A
 * rule may be made of others that are found later, so rounds are repeated until one finds
 * nothing; there are as many as supertypes nest.  Rules that nobody calls are left out, since
 * their sets would never be used. */
static pare_status find_rules(struct finder *finder)
{
    const pare_content *content = finder->content;
    pare_status status = PARE_OK;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t rule = 0; rule < content->n_rules; rule++) {
            uint32_t next;
            if (!finder->called[rule] || finder->of_rule[rule] != PARE_NO_INDEX) continue;
            if (!gather_from(finder, content->entries[rule], &next)) continue;
            if (content->states[next].kind != PARE_CONTENT_RETURN) continue;
            if ((status = keep(finder, &finder->of_rule[rule]))) return status;
            changed = true;
        }
    }
    return PARE_OK;
}

/* Turns choices and calls that are sets into SET states.  It goes from the last state to the
 * first because an outer choice has a larger number than what is inside it: the inner one is
 * not reached any more once the outer one is replaced, and changing it does no harm.  States
 * are changed in place, so links to them stay right; what becomes unreachable stays in the
 * array and costs a few bytes. */
static pare_status replace_states(struct finder *finder)
{
    pare_content *content = finder->content;
    for (size_t i = content->n_states; i-- > 0;) {
        pare_content_state *state = &content->states[i];
        uint32_t next, set = PARE_NO_INDEX;
        bool is_choice = state->kind == PARE_CONTENT_FORK;
        if (!is_choice && state->kind != PARE_CONTENT_CALL) continue;
        if (!gather_from(finder, (uint32_t)i, &next)) continue;
        pare_status status = keep(finder, &set);
        if (status) return status;
        *state = (pare_content_state){
            .kind = PARE_CONTENT_SET, .value = set, .next = next, .other = PARE_NO_INDEX};
    }
    return PARE_OK;
}

/* Finds the sets of all rules, then replaces states.  The order matters: choices and calls
 * refer to the sets of rules. */
static pare_status find_sets(pare_content *content, pare_error *err)
{
    content->set_words = content->n_symbols / 64 + 1;
    struct finder finder = {.content = content,
                            .of_rule = pare_alloc(content->n_rules, sizeof *finder.of_rule),
                            .called = pare_alloc_zero(content->n_rules, sizeof *finder.called),
                            .found = pare_alloc(content->set_words, sizeof *finder.found),
                            .err = err};
    pare_status status = PARE_OK;
    if (!finder.of_rule || !finder.called || !finder.found) status = pare_fail_nomem(err);
    for (size_t i = 0; !status && i < content->n_rules; i++)
        finder.of_rule[i] = PARE_NO_INDEX;
    for (size_t i = 0; !status && i < content->n_states; i++)
        if (content->states[i].kind == PARE_CONTENT_CALL)
            finder.called[content->states[i].value] = true;
    if (!status) status = find_rules(&finder);
    if (!status) status = replace_states(&finder);
    pare_alloc_free(finder.of_rule);
    pare_alloc_free(finder.called);
    pare_alloc_free(finder.found);
    return status;
}

/* --- the file ------------------------------------------------------------------------ */

/* Numbers the rules before any body is compiled, since bodies refer to later ones. */
static void number_rules(struct reader *reader)
{
    const char *name;
    json_t *body;
    pare_content *content = reader->content;
    assert(content);
    json_object_foreach(reader->json->rules, name, body)
    {
        json_t *number = json_integer((json_int_t)content->n_rules++);
        if (json_object_set_new(content->rule_index, name, number)) (void)fail_memory(reader);
    }
    content->entries = pare_alloc_zero(content->n_rules, sizeof *content->entries);
    if (!content->entries) (void)fail_memory(reader);
}

/* Notes which symbols are extras and which are anonymous tokens.  Extras are given by symbols
 * or by patterns; only symbols can be children, and one of the language's own scanner may be in
 * no rule.  One more than n_symbols is allocated, since a language without symbols would ask for
 * nothing. */
static void mark_symbols(struct reader *reader, const json_t *extras)
{
    const char *token;
    json_t *index;
    pare_content *content = reader->content;
    for (size_t i = 0; i < json_array_size(extras); i++) {
        const char *name = pare_tree_sitter_grammar_text(json_array_get(extras, i), "name");
        if (*name) (void)symbol(reader, name, true);
    }
    if (reader->status != PARE_OK) return;
    content->extras = pare_alloc_zero(content->n_symbols + 1, sizeof *content->extras);
    content->anonymous = pare_alloc_zero(content->n_symbols + 1, sizeof *content->anonymous);
    if (!content->extras || !content->anonymous) {
        (void)fail_memory(reader);
        return;
    }
    /* symbols[0] are the anonymous ones, symbols[1] the named ones. */
    json_object_foreach(content->symbols[0], token, index)
    {
        content->anonymous[json_integer_value(index)] = true;
    }
    for (size_t i = 0; i < json_array_size(extras); i++) {
        const char *name = pare_tree_sitter_grammar_text(json_array_get(extras, i), "name");
        uint32_t number = pare_content_symbol(content, name, true);
        if (number < content->n_symbols) content->extras[number] = true;
    }
}

bool pare_content_check(const pare_content *content)
{
    for (size_t i = 0; i < content->n_states; i++) {
        const pare_content_state *state = &content->states[i];
        /* A choice of nothing is a fork without a way on; so is what is left of a loop whose body
         * shows nothing, but none leads to that. */
        if (state->next != PARE_NO_INDEX && state->next >= content->n_states) return false;
        if (state->other != PARE_NO_INDEX && state->other >= content->n_states) return false;
        if (state->kind == PARE_CONTENT_TAKE && state->value >= content->n_symbols) return false;
        if (state->kind == PARE_CONTENT_CALL && state->value >= content->n_rules) return false;
        if (state->kind == PARE_CONTENT_SET && state->value >= content->n_sets) return false;
    }
    return true;
}

/* Numbers come first, then bodies, then the tables by symbol, whose number is known only when all
 * bodies are compiled, and last the sets, which need those. */
static void read_grammar(struct reader *reader)
{
    const char *name;
    json_t *body;
    number_rules(reader);
    json_object_foreach(reader->json->rules, name, body)
    {
        if (reader->status != PARE_OK) return;
        compile_rule(reader, name, body, rule_number(reader, name));
    }
    if (reader->status == PARE_OK)
        mark_symbols(reader, json_object_get(reader->json->root, "extras"));
    if (reader->status == PARE_OK) reader->status = find_sets(reader->content, reader->err);
    assert(reader->status != PARE_OK || pare_content_check(reader->content));
}

/* On failure all that was made is freed here: a content model is whole or not there. */
pare_status pare_content_read(const char *json, size_t size, pare_content **out, pare_error *err)
{
    pare_grammar_json opened;
    pare_status status = pare_tree_sitter_grammar_open(json, size, &opened, err);
    if (status) return status;
    struct reader reader = {.json = &opened, .err = err};
    reader.content = pare_alloc_zero(1, sizeof *reader.content);
    if (reader.content) {
        reader.content->rule_index = json_object();
        reader.content->symbols[0] = json_object();
        reader.content->symbols[1] = json_object();
    }
    if (!reader.content || !reader.content->symbols[0] || !reader.content->symbols[1] ||
        !reader.content->rule_index)
        (void)fail_memory(&reader);
    if (reader.status == PARE_OK) read_grammar(&reader);
    pare_tree_sitter_grammar_close(&opened);
    if (reader.status == PARE_OK)
        *out = reader.content;
    else
        pare_content_free(reader.content);
    return reader.status;
}

void pare_content_free(pare_content *content)
{
    if (!content) return;
    json_decref(content->rule_index);
    json_decref(content->symbols[0]);
    json_decref(content->symbols[1]);
    pare_alloc_free(content->states);
    pare_alloc_free(content->entries);
    pare_alloc_free(content->models);
    pare_alloc_free(content->extras);
    pare_alloc_free(content->anonymous);
    pare_alloc_free(content->sets);
    pare_alloc_free(content);
}
