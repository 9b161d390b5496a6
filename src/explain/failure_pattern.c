/* Patterns: new texts of what an explanation says may vary.
 *
 * A pattern is what `pare explain --json` prints: the text, its parts with their places, and what is
 * claimed of each.  A text of it has other samples of the same kinds in the places of the first group,
 * which was varied at once, or with `one` in those of one part, each in turn.  Samples are drawn by
 * seeds other than the explanation's, so that a claim is not checked by what it was made from.
 *
 * Invariant: a text depends on the pattern, the seed and its number only; what is read is checked as
 * a whole before anything is made (places within the text, ascending, not overlapping for what is
 * varied at once).
 * Source: producing inputs from an abstract pattern is ddset's (Gopinath et al., ISSTA 2020).
 * Tested by tests/unit/test_failure_pattern.c, fuzzed by tests/fuzz/fuzz_failure_pattern.c. */
#include <pare/explain.h>

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <pare/generate.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/random.h"
#include "base/sized.h"
#include "explain/failure_pattern.h"
#include "explain/sampler.h"
#include "os/entropy.h"
#include "os/file.h"
#include "text/text.h"

enum {
    MOST_PARTS = 1 << 16,
    NODES_MADE = 64 /* texts of a node; then they come again */
};

/* A part that may vary: the hole in the text that other samples fill. Of what is claimed only
 * the group is kept, and of a range its ends, between which numbers and lengths are drawn. */
struct hole {
    pare_sampled sampled;
    const char *rule; /* of a NODE; borrowed from the JSON */
    uint32_t group;
    bool is_range;
    uint64_t low, high;
    struct stretch {
        size_t from, to;
    } * places; /* owned; ascending */
    size_t n_places;
    pare_sampler_nodes nodes; /* texts of a NODE */
};

/* Where a hole is. */
struct place {
    struct stretch at;
    size_t hole;
};

/* What was read. Changed only by making nodes, so it is for one thread. */
struct pare_failure_pattern {
    json_t *json;     /* owned; names point into it */
    pare_buffer text; /* the whole */
    pare_sampler_source source;
    const char **grammars; /* owned */
    struct hole *holes;    /* owned */
    size_t n_holes;
    struct place *places; /* owned; of all holes, an outer one before those within it */
    size_t n_places;
};

void pare_failure_pattern_free(pare_failure_pattern *pattern)
{
    if (!pattern) return;
    for (size_t k = 0; k < pattern->n_holes; k++) {
        pare_alloc_free(pattern->holes[k].places);
        pare_sampler_nodes_done(&pattern->holes[k].nodes);
    }
    pare_alloc_free(pattern->holes);
    pare_alloc_free(pattern->places);
    pare_alloc_free(pattern->grammars);
    pare_buffer_done(&pattern->text);
    json_decref(pattern->json);
    pare_alloc_free(pattern);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* The error of a file that can be read but is no pattern; `what` says what it lacks. */
static pare_status refuse(pare_error *err, const char *what)
{
    return pare_fail(err, PARE_E_SYNTAX, "this is not a pattern of 'pare explain --json': %s",
                     what);
}

/* Lower case alone, as pare explain prints. -1: the character is no such digit. */
static int nibble(char digit)
{
    if (digit >= '0' && digit <= '9') return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Reads the text of a pattern that is no UTF-8: two digits for each byte. */
static pare_status read_hex(pare_failure_pattern *pattern, const char *hex, size_t size,
                            pare_error *err)
{
    if (size % 2) return refuse(err, "'hex' ends within a byte");
    pare_status status = pare_buffer_reserve(&pattern->text, size / 2, err);
    for (size_t k = 0; !status && k < size; k += 2) {
        const int high = nibble(hex[k]), low = nibble(hex[k + 1]);
        if (high < 0 || low < 0) return refuse(err, "'hex' has characters other than digits");
        const char byte = (char)(high * 16 + low);
        status = pare_buffer_add(&pattern->text, &byte, 1, err);
    }
    return status;
}

/* The text has one of two forms; "text" goes first where both are there. A string may hold NUL
 * bytes, so its length is asked for. */
static pare_status read_text(pare_failure_pattern *pattern, pare_error *err)
{
    const json_t *text = json_object_get(pattern->json, "text");
    const json_t *hex = json_object_get(pattern->json, "hex");
    if (json_is_string(text))
        return pare_buffer_add(&pattern->text, json_string_value(text), json_string_length(text),
                               err);
    if (json_is_string(hex))
        return read_hex(pattern, json_string_value(hex), json_string_length(hex), err);
    return refuse(err, "it has no 'text'");
}

/* The language or grammars by which nodes are made.  Their files are not opened before the first node is
 * made: a pattern without nodes can be used where they are missing. The names are borrowed from
 * the JSON, which the pattern keeps. */
static pare_status read_source(pare_failure_pattern *pattern, pare_error *err)
{
    const json_t *grammars = json_object_get(pattern->json, "grammars");
    const size_t n = json_array_size(grammars);
    pattern->source.language = json_string_value(json_object_get(pattern->json, "language"));
    if (!n || n > MOST_PARTS) return PARE_OK;
    pattern->grammars = pare_alloc(n, sizeof *pattern->grammars);
    if (!pattern->grammars) return pare_fail_nomem(err);
    for (size_t k = 0; k < n; k++) {
        const char *path = json_string_value(json_array_get(grammars, k));
        if (!path) return refuse(err, "'grammars' has entries that are not names");
        pattern->grammars[pattern->source.n_grammars++] = path;
    }
    pattern->source.grammars = pattern->grammars;
    return PARE_OK;
}

/* Reads a number that is not negative; false: there is none, and *value stays. */
static bool read_size(const json_t *object, const char *name, uint64_t *value)
{
    const json_t *number = json_object_get(object, name);
    if (!json_is_integer(number) || json_integer_value(number) < 0) return false;
    *value = (uint64_t)json_integer_value(number);
    return true;
}

/* What is no number reads as 0 and is refused with the empty and the overlapping places.
 *
 * Example: "at": [[4, 7], [12, 15]] are two places of one name. They have to ascend and not to
 * overlap, as make_text goes through them once. */
static pare_status read_places(const pare_failure_pattern *pattern, struct hole *hole,
                               const json_t *places, pare_error *err)
{
    const size_t n = json_array_size(places);
    size_t last = 0; /* the end of the place before */
    if (!n) return refuse(err, "a part has no place");
    hole->places = pare_alloc(n, sizeof *hole->places);
    if (!hole->places) return pare_fail_nomem(err);
    for (size_t k = 0; k < n; k++) {
        const json_t *place = json_array_get(places, k);
        const json_int_t from = json_integer_value(json_array_get(place, 0));
        const json_int_t to = json_integer_value(json_array_get(place, 1));
        if (from < (json_int_t)last || to <= from || (uint64_t)to > pattern->text.size)
            return refuse(err, "places are not within the text, or not ascending");
        hole->places[hole->n_places++] = (struct stretch){(size_t)from, (size_t)to};
        last = (size_t)to;
    }
    return PARE_OK;
}

/* False: the name is none, or missing. */
static bool find_kind(const char *name, pare_part_kind *kind)
{
    for (pare_part_kind k = PARE_PART_NODE; k <= PARE_PART_BYTE; k++)
        if (name && strcmp(name, pare_sampler_kind_name(k)) == 0) {
            *kind = k;
            return true;
        }
    return false;
}

/* Completes what samples depend on, and refuses what the sampler takes for granted: that a string has two
 * quotes, that an operator has others of its class, that a node has a rule.  Of a whole number the
 * value is not needed: only seed 0 looks at it, which no pattern is made by. */
static pare_status check_hole(const pare_failure_pattern *pattern, struct hole *hole,
                              pare_error *err)
{
    const struct stretch place = hole->places[0];
    const size_t size = place.to - place.from;
    hole->sampled.text = (pare_span){(const unsigned char *)pattern->text.data, pattern->text.size};
    hole->sampled.from = place.from;
    hole->sampled.to = place.to;
    if (hole->sampled.kind == PARE_PART_STRING && size < 2)
        return refuse(err, "a string is shorter than its quotes");
    if (hole->sampled.kind == PARE_PART_SIGN &&
        !pare_sampler_knows_sign(hole->sampled.text, place.from, place.to))
        return refuse(err, "an operator is not known");
    if (hole->sampled.kind == PARE_PART_BYTE && size != 1)
        return refuse(err, "a byte is not one byte long");
    if (hole->sampled.kind == PARE_PART_NODE && !hole->rule)
        return refuse(err, "a node has no 'kind'");
    if (hole->sampled.kind == PARE_PART_STRING) hole->sampled.value = size - 2;
    const uint64_t largest = pare_sampler_largest(hole->sampled.kind);
    if (hole->is_range && (hole->low > hole->high || hole->high > largest))
        return refuse(err, "a range has no numbers");
    return PARE_OK;
}

/* A range without an upper end is drawn from far beyond the lower one, but not up to the largest that can
 * be: nearly all draws would be huge.
 *
 * Examples: a whole number from 5 on is drawn from 5 to 6000, a length from 5 on up to 84. A
 * range without a lower end begins at 0. */
static void read_range(struct hole *hole, const json_t *part)
{
    const bool is_whole = hole->sampled.kind == PARE_PART_WHOLE;
    const uint64_t largest = pare_sampler_largest(hole->sampled.kind);
    const uint64_t factor = is_whole ? 1000 : 4, more = is_whole ? 1000 : 64;
    if (!read_size(part, "low", &hole->low)) hole->low = 0;
    if (read_size(part, "high", &hole->high)) return;
    /* The product would be larger than the largest, or overflow. */
    const bool is_beyond = hole->low > (largest - more) / factor;
    hole->high = is_beyond ? largest : hole->low * factor + more;
}

/* Only parts that may vary become holes.  Lists are left out although their rounds may be repeated: a
 * pattern has the places of a list, but not where its rounds end.
 *
 * A part that may not vary is checked only as far as it was read. Errors: PARE_E_SYNTAX,
 * PARE_E_NOMEM. */
static pare_status read_part(pare_failure_pattern *pattern, const json_t *part, pare_error *err)
{
    /* There is room for all parts; this one counts only from where n_holes is raised. */
    struct hole *hole = &pattern->holes[pattern->n_holes];
    const char *verdict = json_string_value(json_object_get(part, "verdict"));
    uint64_t group = 0;
    if (!verdict ||
        !find_kind(json_string_value(json_object_get(part, "sampled_as")), &hole->sampled.kind))
        return refuse(err, "a part has no 'verdict', or no known 'sampled_as'");
    hole->is_range = strcmp(verdict, "range") == 0;
    const bool may_vary =
        hole->is_range || strcmp(verdict, "any") == 0 || strcmp(verdict, "rename") == 0;
    if (!may_vary || hole->sampled.kind == PARE_PART_REPEAT) return PARE_OK;
    if (hole->is_range && hole->sampled.kind != PARE_PART_WHOLE &&
        hole->sampled.kind != PARE_PART_STRING)
        return refuse(err, "a range must be of a number or of the length of a string");
    pattern->n_holes++; /* from here on it is released with the others */
    if (!read_size(part, "group", &group) || group > UINT32_MAX)
        return refuse(err, "a part has no 'group'");
    hole->group = (uint32_t)group;
    hole->rule = json_string_value(json_object_get(part, "kind"));
    if (hole->is_range) read_range(hole, part);
    pare_status status = read_places(pattern, hole, json_object_get(part, "at"), err);
    return status ? status : check_hole(pattern, hole, err);
}

/* Reads all parts. Unknown members of them are passed over, so that later versions may add
 * some. */
static pare_status read_parts(pare_failure_pattern *pattern, pare_error *err)
{
    const json_t *parts = json_object_get(pattern->json, "parts");
    const size_t n = json_array_size(parts);
    if (!json_is_array(parts) || n > MOST_PARTS) return refuse(err, "it has no 'parts'");
    pattern->holes = pare_alloc_zero(n + 1, sizeof *pattern->holes);
    pare_status status = pattern->holes ? PARE_OK : pare_fail_nomem(err);
    for (size_t k = 0; !status && k < n; k++)
        status = read_part(pattern, json_array_get(parts, k), err);
    return status;
}

/* By their beginnings; of two that begin together the longer one comes first. */
static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->at.from != b->at.from) return a->at.from < b->at.from ? -1 : 1;
    if (a->at.to != b->at.to) return a->at.to > b->at.to ? -1 : 1;
    return a->hole < b->hole ? -1 : a->hole > b->hole;
}

/* Puts the places of all holes in the order in which texts are made. Cost: O(n log n) for n
 * places. */
static pare_status order_places(pare_failure_pattern *pattern, pare_error *err)
{
    size_t n = 0;
    for (size_t k = 0; k < pattern->n_holes; k++)
        n += pattern->holes[k].n_places;
    if (!n) return PARE_OK;
    pattern->places = pare_alloc(n, sizeof *pattern->places);
    if (!pattern->places) return pare_fail_nomem(err);
    for (size_t k = 0; k < pattern->n_holes; k++)
        for (size_t i = 0; i < pattern->holes[k].n_places; i++)
            pattern->places[pattern->n_places++] =
                (struct place){.at = pattern->holes[k].places[i], .hole = k};
    assert(pattern->n_places == n);
    qsort(pattern->places, n, sizeof *pattern->places, compare_places);
    return PARE_OK;
}

/* The steps depend on each other: places are checked against the text, nodes are made by the
 * source. The first that fails leaves its sentence. */
pare_status pare_failure_pattern_read(const char *bytes, size_t size, pare_failure_pattern **out,
                                      pare_error *err)
{
    json_error_t wrong;
    /* A file of many keys with one hash would take quadratic time; jansson takes the first seed only. */
    json_object_seed((size_t)pare_entropy_at_start() | 1);
    pare_failure_pattern *pattern = pare_alloc_zero(1, sizeof *pattern);
    if (!pattern) return pare_fail_nomem(err);
    pattern->json = json_loadb(bytes, size, JSON_ALLOW_NUL, &wrong);
    pare_status status = PARE_OK;
    if (!pattern->json)
        status = pare_fail(err, PARE_E_SYNTAX, "line %d: %s", wrong.line, wrong.text);
    const char *format = json_string_value(json_object_get(pattern->json, "format"));
    if (!status && (!format || strcmp(format, "pare-pattern") != 0))
        status = refuse(err, "its 'format' is not 'pare-pattern'");
    if (!status) status = read_text(pattern, err);
    if (!status) status = read_source(pattern, err);
    if (!status) status = read_parts(pattern, err);
    if (!status) status = order_places(pattern, err);
    if (status)
        pare_failure_pattern_free(pattern);
    else
        *out = pattern;
    return status;
}

/* ---- making ----------------------------------------------------------------------------- */

/* Texts of a node are made before the first one is needed. Texts of an earlier seed are
 * released first. */
static pare_status make_nodes(const pare_failure_pattern *pattern, struct hole *hole, uint64_t seed,
                              pare_error *err)
{
    const pare_sampler_wish wish = {.source = &pattern->source,
                                    .part = &hole->sampled,
                                    .rule = hole->rule,
                                    .seed = seed,
                                    .n = NODES_MADE};
    pare_sampler_nodes_done(&hole->nodes);
    return pare_sampler_make_nodes(&wish, &hole->nodes, err);
}

/* The k-th text of the hole; a node of which none can be made keeps its own.
 *
 * `seed` is not 0, so all samples are drawn. With more texts than NODES_MADE those of a node
 * come again. */
static pare_status put_hole(const pare_failure_pattern *pattern, struct hole *hole, uint64_t seed,
                            uint64_t k, pare_buffer *out, pare_error *err)
{
    const pare_sampled *sampled = &hole->sampled;
    if (hole->is_range)
        return pare_sampler_draw_sized(
            sampled, seed,
            /* The place is added, so that two ranges do not get the same sizes one after the
             * other. */
            pare_sampler_size(seed + sampled->from, (uint32_t)k, hole->low, hole->high), out, err);
    if (sampled->kind != PARE_PART_NODE)
        return pare_sampler_draw(sampled, seed, (uint32_t)k, out, err);
    if (!hole->nodes.n)
        return pare_buffer_add(out, pattern->text.data + sampled->from, sampled->to - sampled->from,
                               err);
    const pare_span node = pare_sampler_node(&hole->nodes, (size_t)(k % hole->nodes.n));
    return pare_buffer_add(out, node.bytes, node.size, err);
}

/* Goes once through all places: O(places).  An outer part comes before those within it, which are then
 * passed over, since they are gone with it.
 *
 * Example: with a node f(x + 1) and the number 1 in it both varied, the place of the number is
 * before `at` once the node was replaced. */
static pare_status make_text(pare_failure_pattern *pattern, const bool *is_varied, uint64_t seed,
                             uint64_t k, pare_buffer *out, pare_error *err)
{
    size_t at = 0;
    pare_status status = PARE_OK;
    pare_buffer_reset(out);
    for (size_t i = 0; !status && i < pattern->n_places; i++) {
        const struct place place = pattern->places[i];
        if (!is_varied[place.hole] || place.at.from < at) continue;
        assert(place.at.to <= pattern->text.size && "read_places has checked it");
        status = pare_buffer_add(out, pattern->text.data + at, place.at.from - at, err);
        if (!status) status = put_hole(pattern, &pattern->holes[place.hole], seed, k, out, err);
        at = place.at.to;
    }
    return status ? status
                  : pare_buffer_add(out, pattern->text.data + at, pattern->text.size - at, err);
}

/* Which holes the k-th text varies: those of the first group, because only these were tested together;
 * or with `one` a single hole, each in turn. */
static void choose(const pare_failure_pattern *pattern, const pare_failure_pattern_options *options,
                   uint64_t k, bool *is_varied)
{
    for (size_t i = 0; i < pattern->n_holes; i++)
        is_varied[i] = options->one ? i == k % pattern->n_holes : pattern->holes[i].group == 1;
}

/* Whether the options leave any hole to vary: else all texts would be the one that is known. */
static bool may_make(const pare_failure_pattern *pattern,
                     const pare_failure_pattern_options *options)
{
    bool any = options->one && pattern->n_holes;
    for (size_t i = 0; i < pattern->n_holes; i++)
        any = any || pattern->holes[i].group == 1;
    return any;
}

/* Nodes are made once for all texts, since that is what takes time. The sink gets each text in
 * turn, and its first error ends the making. */
pare_status pare_failure_pattern_make(pare_failure_pattern *pattern,
                                      const pare_failure_pattern_options *options,
                                      pare_generate_sink sink, void *context, pare_error *err)
{
    const uint64_t n = options->n ? options->n : 1;
    /* Seed 0 is the explanation's. */
    const uint64_t seed = pare_random_mix(options->seed) | 1;
    pare_buffer text = {0};
    bool *is_varied = pare_alloc_zero(pattern->n_holes + 1, sizeof *is_varied);
    pare_status status = is_varied ? PARE_OK : pare_fail_nomem(err);
    if (!status && !may_make(pattern, options))
        status = pare_fail(err, PARE_E_STATE, "no part of the pattern may vary");
    for (size_t i = 0; !status && i < pattern->n_holes; i++)
        if (pattern->holes[i].sampled.kind == PARE_PART_NODE)
            status = make_nodes(pattern, &pattern->holes[i], seed, err);
    for (uint64_t k = 0; !status && k < n; k++) {
        choose(pattern, options, k, is_varied);
        /* With `one` each hole gets its first draw, then each its second, and so on. */
        status = make_text(pattern, is_varied, seed, options->one ? k / pattern->n_holes : k, &text,
                           err);
        if (!status) status = sink(context, k, text.data ? text.data : "", text.size, err);
    }
    pare_buffer_done(&text);
    pare_alloc_free(is_varied);
    return status;
}

/* Reads the file of a pattern and makes its texts. Errors name the file. */
pare_status pare_failure_pattern_generate_sized(const pare_failure_pattern_options *options,
                                                size_t options_bytes, pare_generate_sink sink,
                                                void *context, pare_error *err)
{
    pare_failure_pattern_options own;
    pare_buffer file = {0};
    pare_failure_pattern *pattern = NULL;
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options of a pattern", err);
    if (status) return status;
    status = pare_file_read(own.path, &file, err);
    if (!status) {
        status = pare_failure_pattern_read(file.size ? file.data : "", file.size, &pattern, err);
        if (status) pare_fail_prefix(err, "%s", own.path);
    }
    if (!status) status = pare_failure_pattern_make(pattern, &own, sink, context, err);
    pare_failure_pattern_free(pattern);
    pare_buffer_done(&file);
    return status;
}
