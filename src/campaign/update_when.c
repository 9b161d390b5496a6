/* Conditions of updates: each looks at the current state of the system, and remembers nothing.
 *
 * So a condition stays true until an update has changed what it looks at: the file is young again,
 * the folder at the remote's commit, the package installed.  Source: Fuzzinator's update conditions
 * (a file's age); those of git and of packages are ours. */
#include "campaign/update_when.h"

#include <string.h>
#include <sys/stat.h>

#include <pare/stop.h>

#include "base/buffer.h"
#include "campaign/campaign_file.h"
#include "campaign/campaign_keys.h"
#include "campaign/section.h"
#include "campaign/store.h"
#include "campaign/target.h"
#include "run/command.h"

/* The words of the option. */
struct words {
    const char *const *item;
    size_t n;
    const pare_stop *stop; /* of whoever waits for the answer */
};

/* Due at each look, every ten minutes. */
static pare_status is_always(struct words words, bool *due, pare_error *err)
{
    (void)words, (void)err;
    *due = true;
    return PARE_OK;
}

/* A file that is not there is due: the update makes it. */
static pare_status is_old(struct words words, bool *due, pare_error *err)
{
    static const pare_campaign_key age = {.name = "age", .kind = PARE_KEY_TIME};
    struct stat file;
    uint64_t age_ms = 0;
    double ignored = 0;
    pare_status status = pare_campaign_key_read(&age, words.item[2], &age_ms, &ignored, err);
    if (status)
        return pare_fail(err, PARE_E_ARG, "update_when: '%.40s' is not a duration", words.item[2]);
    *due = true;
    if (stat(words.item[1], &file)) return PARE_OK;
    const int64_t changed_ms = (int64_t)file.st_mtim.tv_sec * 1000 + file.st_mtim.tv_nsec / 1000000;
    *due = pare_store_now() - changed_ms > (int64_t)age_ms;
    return PARE_OK;
}

/* Asks two commands, each made of before[k], the quoted second word and after[k]: due when they do not say the same.
 * What they say on the side (2>/dev/null) is no answer, nor is nothing: an origin that cannot be reached must
 * not be an update in every round.  `silent` is what is said of the word then: the command is none that the
 * user has written. */
static pare_status differ(const char *const before[2], const char *const after[2],
                          const char *const silent[2], struct words words, bool *due,
                          pare_error *err)
{
    const char *word = words.item[1];
    pare_buffer said[2] = {{0}};
    pare_status status = PARE_OK;
    for (size_t k = 0; k < 2 && !status; k++) {
        pare_buffer command = {0};
        status = pare_buffer_text(&command, before[k], err);
        if (!status) status = pare_command_quote(&command, word, strlen(word), err);
        if (!status) status = pare_buffer_text(&command, after[k], err);
        if (!status) status = pare_target_ask(command.data, words.stop, &said[k], err);
        if (status == PARE_E_STATE || (!status && !said[k].size)) {
            pare_fail_clear(err);
            status = pare_fail(err, PARE_E_STATE, "update_when: %s '%.200s'", silent[k], word);
        }
        pare_buffer_done(&command);
    }
    if (!status) *due = strcmp(said[0].data, said[1].data) != 0;
    pare_buffer_done(&said[0]);
    pare_buffer_done(&said[1]);
    return status;
}

/* The commit that is checked out, and that of the revision at the origin: asked for, not fetched, so that the
 * folder stays as it is.  No pipe, which would hide that git fails; its answer is the commit, a tabulator and
 * the name of the revision. */
static pare_status is_behind(struct words words, bool *due, pare_error *err)
{
    const char *const before[2] = {"git -C ", "said=$(git -C "};
    pare_buffer ask = {0};
    const char *revision = words.n > 2 ? words.item[2] : "HEAD";
    pare_status status = pare_buffer_text(&ask, " ls-remote origin ", err);
    if (!status) status = pare_command_quote(&ask, revision, strlen(revision), err);
    if (!status) status = pare_buffer_text(&ask, " 2>/dev/null) && echo \"${said%%\t*}\"", err);
    const char *const after[2] = {" rev-parse HEAD", ask.data};
    static const char *const silent[2] = {"git does not name the commit of",
                                          "git cannot ask the origin of"};
    if (!status) status = differ(before, after, silent, words, due, err);
    pare_buffer_done(&ask);
    return status;
}

/* The version that is installed, and that which would be; by the lists as they are, which somebody else has to
 * fetch.  In the C locale: apt-cache translates what is looked for. */
static pare_status is_outdated(struct words words, bool *due, pare_error *err)
{
    const char *const before[2] = {"dpkg-query -W -f '${Version}\\n' ",
                                   "LC_ALL=C apt-cache policy "};
    const char *const after[2] = {"", " 2>/dev/null | sed -n 's/^ *Candidate: *//p'"};
    static const char *const silent[2] = {"dpkg knows no installed version of",
                                          "apt-cache knows no version of"};
    return differ(before, after, silent, words, due, err);
}

/* By the first word. */
static const struct condition {
    const char *name;
    size_t least, most; /* words, with the name */
    pare_status (*holds)(struct words words, bool *due, pare_error *err);
    const char *form;
} conditions[] = {
    {"always", 1, 1, is_always, "always"},
    {"age", 3, 3, is_old, "age PATH TIME"},
    {"git", 2, 3, is_behind, "git FOLDER [REVISION]"},
    {"package", 2, 2, is_outdated, "package NAME"},
};

/* A target without `update`, or without a condition, is never due by itself. */
pare_status pare_update_when_is_due(const pare_campaign *campaign, const char *name,
                                    const pare_stop *stop, bool *due, pare_error *err)
{
    const pare_section *section = pare_campaign_section(campaign, "target", name);
    struct words words = {.stop = stop};
    *due = false;
    if (!section || !*pare_section_text(section, "update")) return PARE_OK;
    words.item = pare_section_words(section, "update_when", &words.n);
    if (!words.n) return PARE_OK;
    for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
        const struct condition *condition = &conditions[k];
        if (strcmp(words.item[0], condition->name) != 0) continue;
        if (words.n < condition->least || words.n > condition->most)
            return pare_fail(err, PARE_E_ARG, "update_when of target '%.60s': write %s", name,
                             condition->form);
        return condition->holds(words, due, err);
    }
    return pare_fail(err, PARE_E_ARG,
                     "update_when of target '%.60s' must be always, age PATH TIME, git FOLDER "
                     "[REVISION] or package NAME, not %.60s",
                     name, words.item[0]);
}
