/* Trying a campaign before it is run: one text of each source, a few runs of each target.
 *
 * It does what a fuzz job does at its beginning (fuzz_job.c), with a temporary store and temporary
 * folders, so it leaves no trace.  Problems are sentences, not failures: all of them are reported,
 * so that a file can be fixed in one go.  A source that is another fuzzer is opened but not run,
 * because it takes long to start. */
#include <assert.h>
#include <string.h>

#include <pare/campaign.h>
#include <pare/findings.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/campaign_file.h"
#include "campaign/section.h"
#include "campaign/source.h"
#include "campaign/store.h"
#include "campaign/target.h"
#include "campaign/update_when.h"
#include "campaign/workers.h"
#include "os/file.h"
#include "os/folder.h"
#include "session/session.h"

/* One trial of a campaign. All but store and folder is borrowed; n_wrong counts
 * the troubles that were told. */
struct trial {
    const pare_campaign *campaign;
    void (*tell)(void *context, const char *sentence);
    void *context;
    size_t n_wrong;
    pare_store *store; /* owned, as the folder that it is in */
    char *folder;
};

/* Turns a failure of what was tried into a trouble that is told, and PARE_OK.
 * Only out of memory stays a failure: it says nothing about the campaign. */
static pare_status judge(struct trial *trial, pare_status status, const pare_error *why,
                         pare_error *err)
{
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    if (!status) return PARE_OK;
    trial->n_wrong++;
    trial->tell(trial->context, why->message);
    return PARE_OK;
}

/* Tries a target: it is read, checked by a few runs, and its
 * condition of updates is evaluated. The first trouble of a target ends its
 * trial, as what follows needs it. */
static pare_status try_target(struct trial *trial, const char *name, pare_error *err)
{
    bool due = false;
    pare_error why = {0};
    pare_target target = {0};
    const pare_section *section = pare_campaign_section(trial->campaign, "target", name);
    pare_status status = pare_target_read(trial->campaign, name, &target, &why);
    if (!status) status = pare_target_check(&target, NULL, &why);
    if (!status && *pare_section_text(section, "update_when"))
        status = pare_update_when_is_due(trial->campaign, name, NULL, &due, &why);
    pare_target_done(&target);
    return judge(trial, status, &why, err);
}

/* A pare_source_sink that ends the source at its first input; `bytes` NULL is
 * no input. */
static pare_status take_one(void *context, const void *bytes, size_t size, const char *position,
                            pare_error *err)
{
    bool *has_one = context;
    (void)size, (void)position, (void)err;
    *has_one = *has_one || bytes;
    return bytes ? PARE_RUN_ENDED : PARE_OK;
}

/* The name of the first target that the source is for; NULL if the campaign has
 * none. */
static const char *first_target(const struct trial *trial, const pare_section *source)
{
    size_t n = 0;
    const char *const *names = pare_section_words(source, "targets", &n);
    const pare_section *target = pare_campaign_section_at(trial->campaign, "target", 0);
    return n ? names[0] : target ? pare_section_name(target) : NULL;
}

/* Opens a source and takes one input of it. That shows that a grammar can be
 * read, a program starts, a folder has files. A source that is another fuzzer
 * is only opened, since it takes long to start. */
static pare_status run_source(const pare_source_options *options, pare_error *why)
{
    bool dry = false, has_one = false;
    pare_source *source = NULL;
    pare_status status = pare_source_open(options, &source, why);
    if (!status && !pare_source_is_fuzzer(source)) {
        status = pare_run_error(pare_source_run(source, "", take_one, &has_one, &dry, why));
        if (!status && !has_one)
            status = pare_fail(why, PARE_E_STATE, "source %s makes no input",
                               pare_section_name(options->section));
    }
    pare_source_close(source);
    return status;
}

/* Tries a source with its first target. If that target cannot be read, this was
 * told already, and the source cannot be tried. */
static pare_status try_source(struct trial *trial, const pare_section *section, pare_error *err)
{
    assert(trial->store && trial->folder);
    pare_error why = {0};
    pare_target target = {0};
    pare_buffer folder = {0};
    const char *name = pare_section_name(section), *target_name = first_target(trial, section);
    if (!target_name) return PARE_OK;
    pare_status status = pare_target_read(trial->campaign, target_name, &target, NULL);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    if (!status) {
        status = pare_buffer_format(&folder, &why, "%s/%s", trial->folder, name);
        if (!status) status = pare_file_make_directories(folder.data, &why);
        const pare_source_options options = {.campaign = trial->campaign,
                                             .section = section,
                                             .target = &target,
                                             .store = trial->store,
                                             .folder = folder.data,
                                             .slots = 1};
        if (!status) status = run_source(&options, &why);
        status = judge(trial, status, &why, err);
    } else {
        status = PARE_OK; /* the target has been told of */
    }
    pare_target_done(&target);
    pare_buffer_done(&folder);
    return status;
}

/* Makes the private folder and a store in it, in memory where the system has a
 * folder for that. Both go away at the end of the trial. */
static pare_status open_trial(struct trial *trial, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_folder_make_scratch(&trial->folder, err);
    if (!status) status = pare_buffer_format(&path, err, "%s/store", trial->folder);
    if (!status) status = pare_store_open(path.data, true, &trial->store, err);
    pare_buffer_done(&path);
    return status;
}

/* Asks the server of the workers, if the campaign names one. That it cannot be
 * reached is a trouble like any other. */
static pare_status try_workers(struct trial *trial, pare_error *err)
{
    unsigned n_workers, n_slots;
    pare_error why = {0};
    return judge(trial, pare_workers_check(trial->campaign, &n_workers, &n_slots, &why), &why, err);
}

/* Tells of a kind of section that is missing and without which nothing can be run. */
static void see_sections(struct trial *trial)
{
    static const char *const kinds[] = {"target", "source"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char text[64];
        if (pare_campaign_section_at(trial->campaign, kinds[i], 0)) continue;
        (void)snprintf(text, sizeof text, "the campaign has no [%s NAME]", kinds[i]);
        trial->n_wrong++;
        trial->tell(trial->context, text);
    }
}

/* Tries everything and tells each trouble by `tell`, in the order of the file;
 * *n_wrong is how many there were. The status is for what kept us from trying
 * at all. */
pare_status pare_campaign_try(const pare_campaign *campaign,
                              void (*tell)(void *context, const char *sentence), void *context,
                              size_t *n_wrong, pare_error *err)
{
    const pare_section *section;
    struct trial trial = {.campaign = campaign, .tell = tell, .context = context};
    pare_status status = open_trial(&trial, err);
    if (!status) see_sections(&trial);
    if (!status) status = try_workers(&trial, err);
    for (size_t i = 0; !status && (section = pare_campaign_section_at(campaign, "target", i)); i++)
        status = try_target(&trial, pare_section_name(section), err);
    for (size_t i = 0; !status && (section = pare_campaign_section_at(campaign, "source", i)); i++)
        status = try_source(&trial, section, err);
    pare_store_close(trial.store);
    pare_folder_remove_scratch(trial.folder);
    if (!status) *n_wrong = trial.n_wrong;
    return status;
}
