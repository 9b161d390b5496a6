/* The list of cases, and what it owns.
 *
 * Invariant: names are unique, since results are looked up by them.  A case moves in whole or is
 * released: callers never keep half of one. */
#include "shootout/suite.h"

#include <string.h>

#include <pare/derivations.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "os/folder.h"

static void release_texts(char **texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        pare_alloc_free(texts[i]);
    pare_alloc_free(texts);
}

void pare_case_done(pare_case *done)
{
    for (size_t i = 0; i < PARE_CASE_GROUPS; i++)
        pare_alloc_free(done->groups[i]);
    release_texts(done->grammars, done->n_grammars);
    pare_alloc_free(done->name);
    pare_alloc_free(done->input);
    pare_alloc_free(done->input_name);
    pare_alloc_free(done->generator);
    pare_alloc_free(done->choices);
    pare_alloc_free(done->test_command);
    pare_alloc_free(done->test_shown);
    pare_alloc_free(done->needs);
    pare_alloc_free(done->start);
    pare_alloc_free(done->language);
    pare_alloc_free(done->peer);
    pare_alloc_free(done->frontier);
    *done = (pare_case){0};
}

static void release_resources(struct pare_suite_resources *resources)
{
    if (!resources) return;
    for (size_t i = 0; i < resources->n_tests; i++)
        pare_symbol_test_free(resources->tests[i]);
    for (size_t i = 0; i < resources->n_derivations; i++)
        pare_derivations_free(resources->derivations[i]);
    pare_alloc_free(resources->tests);
    pare_alloc_free(resources->derivations);
    pare_folder_remove_scratch(resources->scratch);
    pare_alloc_free(resources);
}

void pare_suite_done(pare_suite *suite)
{
    for (size_t i = 0; i < suite->n_cases; i++)
        pare_case_done(&suite->cases[i]);
    pare_alloc_free(suite->cases);
    pare_alloc_free(suite->name);
    release_texts(suite->contenders, suite->n_contenders);
    release_texts(suite->notices, suite->n_notices);
    release_resources(suite->resources);
    *suite = (pare_suite){0};
}

pare_status pare_suite_copy(const char *text, char **out, pare_error *err)
{
    char *copy = text ? pare_alloc_text(text, strlen(text)) : NULL;
    if (text && !copy) return pare_fail_nomem(err);
    *out = copy;
    return PARE_OK;
}

static pare_status append(pare_suite *suite, pare_case *added, pare_error *err)
{
    for (size_t i = 0; i < suite->n_cases; i++)
        if (strcmp(suite->cases[i].name, added->name) == 0)
            return pare_fail(err, PARE_E_ARG, "there are two cases called '%s'", added->name);
    pare_case *grown =
        pare_vector_grow(suite->cases, suite->n_cases, &suite->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    suite->cases = grown;
    grown[suite->n_cases++] = *added;
    *added = (pare_case){0};
    return PARE_OK;
}

pare_status pare_suite_add(pare_suite *suite, pare_case *added, pare_error *err)
{
    pare_status status = append(suite, added, err);
    if (status) pare_case_done(added);
    return status;
}

pare_status pare_case_add_group(pare_case *changed, const char *group, pare_error *err)
{
    for (size_t i = 0; i < PARE_CASE_GROUPS; i++)
        if (!changed->groups[i]) return pare_suite_copy(group, &changed->groups[i], err);
    return PARE_OK;
}

pare_status pare_suite_notice(pare_suite *suite, const char *sentence, pare_error *err)
{
    char *copy = NULL;
    pare_status status = pare_suite_copy(sentence, &copy, err);
    if (status) return status;
    char **grown = pare_alloc_resize(suite->notices, suite->n_notices + 1, sizeof *grown);
    if (!grown) {
        pare_alloc_free(copy);
        return pare_fail_nomem(err);
    }
    suite->notices = grown;
    grown[suite->n_notices++] = copy;
    return PARE_OK;
}

pare_status pare_suite_need_resources(pare_suite *suite, pare_error *err)
{
    if (!suite->resources) suite->resources = pare_alloc_zero(1, sizeof *suite->resources);
    if (!suite->resources) return pare_fail_nomem(err);
    return suite->resources->scratch ? PARE_OK
                                     : pare_folder_make_scratch(&suite->resources->scratch, err);
}

/* Groups are asked for in the order of their places: all of the first place, then all of the
 * second, so that what is of one kind stands together. */
const char *pare_suite_group(const pare_suite *suite, size_t index)
{
    for (size_t k = 0; k < PARE_CASE_GROUPS; k++) {
        for (size_t i = 0; i < suite->n_cases; i++) {
            const char *group = suite->cases[i].groups[k];
            bool first = group != NULL;
            for (size_t j = 0; j < i && first; j++)
                first = !suite->cases[j].groups[k] || strcmp(suite->cases[j].groups[k], group) != 0;
            if (first && index-- == 0) return group;
        }
    }
    return NULL;
}
