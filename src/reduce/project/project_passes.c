/* What goes with what in a project: a file with its mentions, a target with its uses, a flag
 * everywhere.
 *
 * By itself none of these can go: a Makefile that lists a file that is gone makes nothing, and
 * the word alone leaves a file that is not built.  Patches over several files go in one test.
 * Files that nobody mentions are left to who removes files by themselves.
 * Source: C-Vise's hints, which join a file's removal to that of its references, and its pass for
 * Makefiles, which removes an argument from all commands at once (docs/design/sources.md). */
#include "reduce/project/project_passes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/project/project_edits.h"

/* --- files with their mentions ---------------------------------------------------------------- */

/* Each file that is mentioned where something can be cut, with all these cuts, and with what uses the
 * names that it was mentioned for. */
static pare_status offer_files(const pare_project *project, pare_patches *out, pare_error *err)
{
    pare_project_edits edits = {0};
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < project->n_files; i++) {
        size_t n_cuts = 0;
        if (project->files[i].fixed) continue;
        pare_project_edits_reset(&edits);
        for (uint32_t k = project->first_of[i]; !status && k < project->first_of[i + 1]; k++) {
            const pare_mention *mention = &project->mentions[project->mentioned[k]];
            n_cuts += mention->cut.from < mention->cut.to;
            status = pare_project_edits_cut(&edits, mention->cut, err);
            if (!status) status = pare_project_uses_cut(project, mention, &edits, err);
        }
        if (!status && n_cuts) status = pare_project_edits_remove(&edits, &project->files[i], err);
        if (!status && n_cuts) status = pare_project_edits_end(&edits, out, err);
    }
    pare_project_edits_done(&edits);
    return status;
}

/* --- units of build files ----------------------------------------------------------------------- */

/* Units in an order of their own; the project is that of the comparison. */
struct sorted {
    const pare_project *project;
    const pare_project_unit *unit;
};

/* By kind (flags, others), then by the name's size and bytes, which need not be alphabetical: only the same
 * names have to stand together.  Then by place, so that patches do not depend on qsort. */
static int compare_units(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    pare_project_range x = a->unit->name, y = b->unit->name;
    bool flag = a->unit->kind == PARE_PROJECT_FLAG, other = b->unit->kind == PARE_PROJECT_FLAG;
    if (flag != other) return flag ? -1 : 1;
    if (x.to - x.from != y.to - y.from) return x.to - x.from < y.to - y.from ? -1 : 1;
    int order = memcmp(a->project->bytes + x.from, b->project->bytes + y.from, x.to - x.from);
    if (order) return order;
    return x.from < y.from ? -1 : x.from > y.from;
}

/* The units sorted so; the caller frees them. */
static pare_status sort_units(const pare_project *project, struct sorted **out, pare_error *err)
{
    struct sorted *all = pare_alloc(project->n_units, sizeof *all);
    if (!all) return pare_fail_nomem(err);
    for (size_t i = 0; i < project->n_units; i++)
        all[i] = (struct sorted){project, &project->units[i]};
    if (project->n_units) qsort(all, project->n_units, sizeof *all, compare_units);
    *out = all;
    return PARE_OK;
}

/* Offers the cuts of all units of one name as one patch.  Words that are no flags are offered only if one of
 * them is a target: the others are any words. */
static pare_status offer_group(const struct sorted *group, size_t n, bool flags,
                               pare_project_edits *edits, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    bool wanted = false;
    pare_project_edits_reset(edits);
    for (size_t i = 0; !status && i < n; i++) {
        pare_project_unit_kind kind = group[i].unit->kind;
        wanted = wanted || kind == (flags ? PARE_PROJECT_FLAG : PARE_PROJECT_TARGET);
        status = pare_project_edits_cut(edits, group[i].unit->cut, err);
    }
    return status || !wanted ? status : pare_project_edits_end(edits, out, err);
}

/* Each flag, or each target, as one patch. */
static pare_status offer_units(const pare_project *project, bool flags, pare_patches *out,
                               pare_error *err)
{
    struct sorted *all = NULL;
    pare_project_edits edits = {0};
    pare_status status = sort_units(project, &all, err);
    size_t n;
    for (size_t i = 0; !status && i < project->n_units; i += n) {
        bool flag = all[i].unit->kind == PARE_PROJECT_FLAG;
        for (n = 1; i + n < project->n_units; n++) {
            const pare_project_unit *next = all[i + n].unit;
            bool same = pare_project_same(project, next->name, all[i].unit->name);
            if ((next->kind == PARE_PROJECT_FLAG) != flag || !same) break;
        }
        if (flag == flags) status = offer_group(all + i, n, flags, &edits, out, err);
    }
    pare_project_edits_done(&edits);
    pare_alloc_free(all);
    return status;
}

/* Of a Makefile or CMake; a rule goes with the words that name its target elsewhere. */
static pare_status offer_targets(const pare_project *project, pare_patches *out, pare_error *err)
{
    return offer_units(project, false, out, err);
}

/* A flag in one command alone seldom matters, so all of one spelling go in one test. */
static pare_status offer_flags(const pare_project *project, pare_patches *out, pare_error *err)
{
    return offer_units(project, true, out, err);
}

/* --- the table ---------------------------------------------------------------------------------- */

/* First what removes most and moves no text; joining comes last, since it makes files that are not
 * told apart any more. */
const pare_project_pass *pare_project_passes(size_t *n)
{
    static const pare_project_pass passes[] = {
        {.name = "files-with-mentions", .offer = offer_files},
        {.name = "targets", .offer = offer_targets},
        {.name = "flags", .together = true, .offer = offer_flags},
        {.name = "join-files", .joins = true, .listed = true, .offer = pare_project_joins_offer},
        {.name = "inline-files",
         .joins = true,
         .together = true,
         .offer = pare_project_joins_places},
    };
    *n = sizeof passes / sizeof *passes;
    return passes;
}
