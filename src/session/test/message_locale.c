/* Which variables make messages English, by the order in which locales are looked up: LC_ALL, then the category's
 * own variable, then LANG; and LANGUAGE, which GNU gettext prefers wherever the locale is not "C".
 *
 * LC_ALL has to go, as it would hide LC_MESSAGES; what it said of characters and of all else then stands in
 * LC_CTYPE and LANG.  LC_ALL is set to nothing rather than unset: POSIX takes the two for the same.
 * Source: POSIX.1-2017, section 8.2; GNU gettext's manual, "The LANGUAGE variable".
 * Invariant: in an English locale, and so in the locale "C", nothing is changed. */
#include "session/test/message_locale.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"

/* LC_MESSAGES, LANGUAGE, LANG, LC_CTYPE, LC_ALL. */
enum { OURS_AT_MOST = 5 };

/* Whether `variable` (NAME=VALUE) sets a locale. */
static bool sets_locale(const char *variable)
{
    return strncmp(variable, "LC_", 3) == 0 || strncmp(variable, "LANG", 4) == 0;
}

/* The value of a variable, NULL: it is not set, or to nothing. */
static const char *value_of(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Whether messages of `locale` are in English: "en_US.UTF-8", "C.UTF-8"; not set is
 * "C". */
static bool is_english(const char *locale)
{
    return !locale || strncasecmp(locale, "en", 2) == 0 || strncmp(locale, "C.", 2) == 0 ||
           strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0;
}

/* The locale of the user's messages, if it is another than English; NULL: it is
 * English.  LANGUAGE is a list, of which the first language counts, and nothing where
 * the locale is "C". */
static const char *find_foreign(void)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *locale = NULL, *preferred = value_of("LANGUAGE");
    for (size_t k = 0; k < sizeof names / sizeof *names && !locale; k++)
        locale = value_of(names[k]);
    if (!locale || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0) return NULL;
    if (preferred && !is_english(preferred)) return preferred;
    return preferred || is_english(locale) ? NULL : locale;
}

/* Sets our variables after those of the test. */
static pare_status add_ours(pare_message_locale *self, pare_error *err)
{
    const char *all = value_of("LC_ALL");
    pare_status status = PARE_OK;
    self->variables[self->n++] = "LC_MESSAGES=C";
    if (value_of("LANGUAGE")) self->variables[self->n++] = "LANGUAGE=";
    if (!all) return PARE_OK;
    status = pare_buffer_format(&self->language, err, "LANG=%s", all);
    if (!status) status = pare_buffer_format(&self->characters, err, "LC_CTYPE=%s", all);
    if (status) return status;
    self->variables[self->n++] = self->language.data;
    self->variables[self->n++] = self->characters.data;
    self->variables[self->n++] = "LC_ALL=";
    return PARE_OK;
}

/* A test that sets a locale itself has been thought about: it is left as it is. */
pare_status pare_message_locale_init(pare_message_locale *self, const pare_test_options *test,
                                     pare_error *err)
{
    *self = (pare_message_locale){.locale = NULL};
    const char *foreign = test->program ? find_foreign() : NULL;
    for (size_t k = 0; k < test->n_environment; k++)
        if (sets_locale(test->environment[k])) foreign = NULL;
    const size_t n = test->n_environment + (foreign ? OURS_AT_MOST : 0);
    if (!n) return PARE_OK;
    self->variables = pare_alloc(n, sizeof *self->variables);
    if (!self->variables) return pare_fail_nomem(err);
    for (size_t k = 0; k < test->n_environment; k++)
        self->variables[self->n++] = test->environment[k];
    if (!foreign) return PARE_OK;
    self->locale = foreign;
    pare_status status = add_ours(self, err);
    assert(self->n <= n);
    return status;
}

void pare_message_locale_done(pare_message_locale *self)
{
    pare_alloc_free(self->variables);
    pare_buffer_done(&self->language);
    pare_buffer_done(&self->characters);
    *self = (pare_message_locale){.locale = NULL};
}

pare_names pare_message_locale_variables(const pare_message_locale *self)
{
    return (pare_names){.items = self->variables, .n = self->n};
}

pare_status pare_message_locale_explain(const pare_message_locale *self, pare_buffer *sentence,
                                        pare_error *err)
{
    if (!self || !self->locale) return PARE_OK;
    return pare_buffer_format(sentence, err,
                              "; its messages are English here: for those of %s, write -- env "
                              "LC_ALL=%s PROGRAM",
                              self->locale, self->locale);
}
