/* The JSON of an explanation.
 *
 * Texts are for people: bytes that are not UTF-8 become '?' in them.  Everything that `pare
 * generate --pattern` needs is exact: the whole text, byte for byte, offsets, and the language or
 * grammars that make pieces.
 *
 * Invariant: unknown values have no member, so that a reader needs no special values.  Tested by
 * tests/unit/test_explain_json.c and tests/cli/test_explain.sh. */
#include "cli/explain_json.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <pare/algorithm.h>
#include <pare/explain.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/visible.h"
#include "ui/essence.h"

/* Text of bytes that need not be UTF-8: each byte that is none becomes '?', so that its
 * length stays the same.  NULL: there is no memory. */
static json_t *text_of(const void *bytes, size_t size)
{
    json_t *text = json_stringn(bytes, size);
    if (text) return text;
    pare_buffer copy = {0};
    pare_status status = pare_buffer_add(&copy, bytes, size, NULL);
    for (size_t k = 0, length, escaped; !status && k < size; k += length) {
        long code;
        unsigned char *at = (unsigned char *)copy.data + k;
        length = pare_visible_character(at, size - k, &escaped, &code);
        if (!length) length = escaped;
        if (code < 0) *at = '?';
    }
    if (!status) text = json_stringn(copy.data, size);
    pare_buffer_done(&copy);
    return text;
}

/* [[from, to], ...]: all places of the part.  O(places) for each part. */
static json_t *places_of(const pare_explanation *explanation, const pare_explained_part *part)
{
    json_t *all = json_array();
    const size_t index = (size_t)(part - explanation->parts);
    for (size_t i = 0; i < explanation->n_places; i++) {
        const pare_explained_place *place = &explanation->places[i];
        if (place->part != index) continue;
        if (json_array_append_new(
                all, json_pack("[I, I]", (json_int_t)place->from, (json_int_t)place->to))) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

/* Adds the whole text, byte for byte: as "text" where that is UTF-8, else as "hex".  As
 * those below it returns not 0 for a failure, as jansson's functions do. */
static int add_whole(json_t *object, const unsigned char *bytes, size_t size)
{
    json_t *text = json_stringn((const char *)bytes, size);
    if (text) return json_object_set_new(object, "text", text);
    pare_buffer hex = {0};
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < size; k++)
        status = pare_buffer_format(&hex, NULL, "%02x", bytes[k]);
    const int failed = status || json_object_set_new(object, "hex", json_string(hex.data));
    pare_buffer_done(&hex);
    return failed;
}

/* Adds by what pieces of program are made, so that `pare generate` makes others of the
 * same kind: "language", or "grammars", which is empty for a text that was read by
 * tokens. */
static int add_source(json_t *object, const pare_explanation *explanation,
                      const pare_tree_options *trees)
{
    if (explanation->language)
        return json_object_set_new(object, "language", json_string(explanation->language));
    json_t *grammars = json_array();
    int failed = !grammars;
    for (size_t i = 0; !failed && i < trees->n_grammars; i++)
        failed = json_array_append_new(grammars, json_string(trees->grammars[i]));
    return json_object_set_new(object, "grammars", grammars) || failed;
}

/* Adds a sentence for people, by a function of essence.h; it is left out where there is
 * nothing to be told. */
static int add_sentence(json_t *object, const char *name, const pare_explanation *explanation,
                        pare_status (*tell)(const pare_explanation *explanation, pare_buffer *out,
                                            pare_error *err))
{
    pare_buffer text = {0};
    int failed = tell(explanation, &text, NULL) != PARE_OK;
    if (!failed && text.size)
        failed = json_object_set_new(object, name, text_of(text.data, text.size));
    pare_buffer_done(&text);
    return failed;
}

/* "sentence": what is needed; "with_less": which pieces may be shorter; "not_varied": what was not tried. */
static int add_essence(json_t *object, const pare_explanation *explanation)
{
    return add_sentence(object, "sentence", explanation, pare_essence_text) ||
           add_sentence(object, "with_less", explanation, pare_essence_simpler_text) ||
           add_sentence(object, "not_varied", explanation, pare_essence_unvaried_text);
}

/* "others": what was tried in the place of the part, and whether it fails. */
static json_t *others_of(const pare_explained_part *part)
{
    json_t *all = json_array();
    for (size_t k = 0; all && k < part->n_others; k++) {
        const pare_explained_other *other = &part->others[k];
        json_t *object = json_pack("{s:o, s:b}", "text", text_of(other->text, other->bytes),
                                   "fails", (int)other->fails);
        /* Without memory the member is left out. */
        if (object && other->is_beyond) (void)json_object_set_new(object, "beyond", json_true());
        if (json_array_append_new(all, object)) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

/* "signs": what stands between the parts, and where what was left out is, [from, to, needed]. */
static int add_signs(json_t *object, const pare_explanation *explanation)
{
    json_t *at = json_array();
    int failed = !at;
    if (!explanation->signs) {
        json_decref(at);
        return 0;
    }
    for (size_t k = 0; !failed && k < explanation->signs_tried; k++) {
        const pare_explained_sign *sign = &explanation->sign[k];
        failed = json_array_append_new(at, json_pack("[I, I, b]", (json_int_t)sign->from,
                                                     (json_int_t)sign->to, (int)sign->is_needed));
    }
    return json_object_set_new(object, "signs",
                               json_pack("{s:i, s:i, s:i, s:o}", "n", (int)explanation->signs,
                                         "tried", (int)explanation->signs_tried, "needed",
                                         (int)explanation->signs_needed, "at", at)) ||
           failed;
}

/* "programs": what the programs of the test did; "watched": with how many variants that fail they were watched, how
 * many of these ended otherwise, and what the first of them did. */
static int add_programs(json_t *object, const pare_explanation *explanation)
{
    const char *text = explanation->programs, *other = explanation->other_programs;
    int failed = text && json_object_set_new(object, "programs", text_of(text, strlen(text)));
    if (!explanation->watched_variants) return failed;
    json_t *watched = json_pack("{s:i, s:i}", "variants", (int)explanation->watched_variants,
                                "otherwise", (int)explanation->watched_others);
    if (watched && other)
        failed |= json_object_set_new(
            watched, "first",
            json_pack("{s:I, s:I, s:o, s:o}", "from", (json_int_t)explanation->other_from, "to",
                      (json_int_t)explanation->other_to, "text",
                      text_of(explanation->other.text, explanation->other.bytes), "programs",
                      text_of(other, strlen(other))));
    return json_object_set_new(object, "watched", watched) || failed;
}

/* One part with its evidence; NULL without memory.
 * `failed` collects the failures of all members, since a json_t that could not be made
 * is NULL and refused by json_object_set_new: so no member has to be looked at by
 * itself.  What is not known has no member. */
static json_t *part_of(const pare_explanation *explanation, const pare_explained_part *part)
{
    assert(part->from <= part->to && part->to <= explanation->result.size_bytes);
    json_t *object =
        json_pack("{s:I, s:I, s:s, s:s, s:i, s:i, s:I}", "from", (json_int_t)part->from, "to",
                  (json_int_t)part->to, "kind", part->kind, "verdict",
                  pare_part_verdict_name(part->verdict), "samples", (int)part->samples, "fails",
                  (int)part->fails, "places", (json_int_t)part->n_places);
    if (!object) return NULL;
    int failed = json_object_set_new(
        object, "text", text_of(explanation->result.bytes + part->from, part->to - part->from));
    failed |= json_object_set_new(object, "sampled_as", json_string(part->sampled_as));
    failed |= json_object_set_new(object, "group", json_integer((json_int_t)part->group));
    if (part->verdict != PARE_PART_NEEDED && part->verdict != PARE_PART_UNTRIED)
        failed |= json_object_set_new(object, "share",
                                      json_real(pare_explained_share(part->samples, part->fails)));
    failed |= json_object_set_new(object, "at", places_of(explanation, part));
    if (part->near)
        failed |= json_object_set_new(
            object, "passes_with",
            json_pack("{s:I, s:I, s:o}", "from", (json_int_t)part->near_from, "to",
                      (json_int_t)part->near_to, "text", text_of(part->near, part->near_bytes)));
    if (part->has_low)
        failed |= json_object_set_new(object, "low", json_integer((json_int_t)part->low));
    if (part->has_high)
        failed |= json_object_set_new(object, "high", json_integer((json_int_t)part->high));
    if (part->is_low_vague) failed |= json_object_set_new(object, "low_is_vague", json_true());
    if (part->is_high_vague) failed |= json_object_set_new(object, "high_is_vague", json_true());
    if (part->n_others) failed |= json_object_set_new(object, "others", others_of(part));
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

/* The whole explanation is made in memory before it is printed, so without memory the output is
 * empty. */
pare_status pare_explain_json_print(const pare_explanation *explanation,
                                    const pare_tree_options *trees, uint64_t tests, FILE *out,
                                    pare_error *err)
{
    json_t *parts = json_array();
    int failed = !parts;
    for (size_t i = 0; !failed && i < explanation->n_parts; i++)
        failed = json_array_append_new(parts, part_of(explanation, &explanation->parts[i]));
    json_t *all = failed ? NULL
                         /* "O" leaves `parts` ours, so that it can be released in any
                          * case. */
                         : json_pack("{s:s, s:i, s:O, s:o, s:I}", "format", "pare-pattern",
                                     "version", 1, "parts", parts, "pattern",
                                     text_of(explanation->pattern, explanation->pattern_bytes),
                                     "tests", (json_int_t)tests);
    if (all && explanation->is_together_known) {
        failed |= json_object_set_new(all, "together", json_boolean(explanation->is_together));
        failed |=
            json_object_set_new(all, "group_1",
                                json_pack("{s:i, s:i}", "samples", (int)explanation->joint_samples,
                                          "fails", (int)explanation->joint_fails));
    }
    if (all && explanation->again_runs)
        failed |= json_object_set_new(all, "again",
                                      json_pack("{s:i, s:i}", "runs", (int)explanation->again_runs,
                                                "fails", (int)explanation->again_fails));
    if (all)
        failed |= add_essence(all, explanation) || add_signs(all, explanation) ||
                  add_programs(all, explanation) ||
                  add_whole(all, explanation->result.bytes, explanation->result.size_bytes) ||
                  add_source(all, explanation, trees);
    failed |= !all;
    /* What `out` does not take, it remembers itself. */
    if (!failed && !json_dumpf(all, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER))
        (void)fputc('\n', out);
    else if (!failed)
        failed = !ferror(out);
    json_decref(parts);
    json_decref(all);
    return failed ? pare_fail_nomem(err) : PARE_OK;
}
