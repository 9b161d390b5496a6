/* The text is copied twice: one copy is cut into words, one keeps the target whole. */
#include "lang/island_option.h"

#include <string.h>

#include "base/alloc.h"

static const char FORM[] = "TOKEN[:REGEX]=FILE.g4[#RULE] or TOKEN[:REGEX]=lang:NAME";

void pare_island_option_done(pare_island_option *option)
{
    pare_release(option->words);
    *option = (pare_island_option){.words = NULL};
}

/* Cuts FILE[,FILE ...][#RULE]. */
static pare_status read_files(char *target, pare_island_option *option, pare_error *err)
{
    char *rule = strrchr(target, '#');
    if (rule) {
        *rule++ = '\0';
        option->start = rule;
    }
    for (char *file = target; file;) {
        char *comma = strchr(file, ',');
        if (comma) *comma++ = '\0';
        if (!*file || (rule && !*rule))
            return pare_fail(err, PARE_E_ARG, "an island's file or rule has no name: give %s",
                             FORM);
        if (option->n_files == PARE_ISLAND_MAX_FILES)
            return pare_fail(err, PARE_E_ARG, "an island's grammar has at most %d files",
                             PARE_ISLAND_MAX_FILES);
        option->files[option->n_files++] = file;
        file = comma;
    }
    return PARE_OK;
}

static pare_status cut(char *words, pare_island_option *option, pare_error *err)
{
    char *target = strrchr(words, '='), *regex = strchr(words, ':');
    if (!target || target == words || !target[1])
        return pare_fail(err, PARE_E_ARG, "'%.200s' is no island: give %s", words, FORM);
    *target++ = '\0';
    if (regex && regex < target) {
        *regex++ = '\0';
        if (!*regex || !*words)
            return pare_fail(err, PARE_E_ARG, "an island's token or expression is empty: give %s",
                             FORM);
        option->regex = regex;
    }
    option->token = words;
    if (strncmp(target, "lang:", 5) != 0) return read_files(target, option, err);
    option->language = target + 5;
    return PARE_OK;
}

pare_status pare_island_option_read(const char *text, pare_island_option *out, pare_error *err)
{
    size_t size = strlen(text) + 1;
    const char *equals = strrchr(text, '=');
    pare_island_option option = {.words = pare_alloc(2, size)};
    if (!option.words) return pare_fail_nomem(err);
    memcpy(option.words, text, size);
    memcpy(option.words + size, text, size);
    if (equals) option.target = option.words + size + (equals + 1 - text);
    pare_status status = cut(option.words, &option, err);
    if (status)
        pare_island_option_done(&option);
    else
        *out = option;
    return status;
}
