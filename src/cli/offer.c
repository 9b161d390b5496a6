/* The question goes to standard error and the answer comes from standard input: what is
 * printed may be going somewhere else. */
#include "cli/offer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <pare/language.h>

#include "cli/report.h"

enum { ANSWER_BYTES = 64 };

/* Whether the answer is yes, which an empty line is too.  Anything that is no answer is no. */
static bool ask(const char *command, const char *language)
{
    char answer[ANSWER_BYTES];
    fprintf(stderr,
            "%s: the language '%s' is not there; without it the result can be many\n"
            "times larger.  Add it now, for you, which takes seconds? [Y/n] ",
            command, language);
    fflush(stderr);
    if (!fgets(answer, sizeof answer, stdin)) {
        fputc('\n', stderr);
        return false;
    }
    const char *word = answer + strspn(answer, " \t");
    return *word == '\n' || *word == 'y' || *word == 'Y';
}

void pare_offer_language(const char *command, pare_settings *settings)
{
    pare_error err = {0};
    const char *language = pare_reduce_missing_language(&settings->reduce);
    if (!language || settings->verbosity == PARE_QUIET) return;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) return;
    if (!ask(command, language)) {
        const char *named = settings->reduce.language;
        if (!named || strcmp(named, "auto") == 0) settings->reduce.language = "none";
        return;
    }
    fprintf(stderr, "%s: adding '%s'\n", command, language);
    if (pare_language_add(language, &err) != PARE_OK) pare_report_error(command, &err);
}
