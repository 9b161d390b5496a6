/* The question goes to standard error and the answer comes from standard input: what is
 * printed may be going somewhere else. */
#include "cli/offer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <pare/language.h>
#include <pare/reduce.h>

#include "cli/report.h"

enum { ANSWER_BYTES = 64 };

/* Whether the answer is yes, which an empty line is too.  Anything that is no answer is no. */
static bool ask(const char *command, const char *language, const char *without)
{
    char answer[ANSWER_BYTES];
    fprintf(stderr,
            "%s: the language '%s' is not there; without it %s.\n"
            "Add it now, for you, which takes seconds? [Y/n] ",
            command, language, without);
    fflush(stderr);
    if (!fgets(answer, sizeof answer, stdin)) {
        fputc('\n', stderr);
        return false;
    }
    const char *word = answer + strspn(answer, " \t");
    return *word == '\n' || *word == 'y' || *word == 'Y';
}

static bool can_ask(void)
{
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* Says why, if it cannot be added. */
static void add(const char *command, const char *language)
{
    pare_error err = {0};
    fprintf(stderr, "%s: adding '%s'\n", command, language);
    if (pare_language_add(language, &err) != PARE_OK) pare_report_error(command, &err);
}

void pare_offer_language(const char *command, pare_settings *settings)
{
    const char *language = pare_reduce_missing_language(&settings->reduce);
    if (!language || settings->verbosity == PARE_QUIET || !can_ask()) return;
    if (ask(command, language, "the result can\nbe many times larger")) {
        add(command, language);
        return;
    }
    const char *named = settings->reduce.trees.language;
    if (!named || strcmp(named, "auto") == 0) settings->reduce.trees.language = "none";
}

void pare_offer_needed_language(const char *command, const char *name)
{
    pare_language_state state = {0};
    const pare_language_info *info = name ? pare_language_find(name) : NULL;
    if (!info || info->is_model || !pare_language_supported() || !can_ask()) return;
    if (pare_language_inspect(info->name, &state, NULL) != PARE_OK || state.added) return;
    if (ask(command, info->name, "the\ninput cannot be parsed")) add(command, info->name);
}
