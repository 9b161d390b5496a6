/* Regular expressions: PCRE2 with our statuses and our allocator.
 *
 * The expression is compiled to machine code where the system allows that, as UTF-8 if it is
 * valid UTF-8 and as bytes otherwise; subjects may hold any bytes.  A match that would take
 * too long is an error with a sentence: counting it as none would lose failures silently.
 * Why PCRE2: users write the expressions, and expect Perl's. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/pattern.h"

#include <pcre2.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"

/* A compiled expression, and room for one match. */
struct pare_pattern {
    pcre2_general_context *memory; /* all owned */
    pcre2_code *code;
    pcre2_match_data *match;
    char *regex;
};

/* PCRE2's way to memory is ours, so that tests can make it fail. */
static void *allocate(size_t size, void *context)
{
    (void)context;
    return pare_alloc(1, size);
}

/* The counterpart of allocate. */
static void release(void *block, void *context)
{
    (void)context;
    pare_alloc_free(block);
}

/* Compiles the expression, by characters of UTF-8, or if it is no valid UTF-8, by bytes. ^ and $
 * match at line ends. Errors: PARE_E_ARG with PCRE2's own words and the place, PARE_E_NOMEM. */
static pare_status compile(pare_pattern *pattern, pare_error *err)
{
    enum { CHARACTERS = PCRE2_MULTILINE | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF };
    int code = 0;
    size_t at = 0;
    pcre2_compile_context *context = pcre2_compile_context_create(pattern->memory);
    if (!context) return pare_fail_nomem(err);
    pattern->code = pcre2_compile((PCRE2_SPTR)pattern->regex, PCRE2_ZERO_TERMINATED, CHARACTERS,
                                  &code, &at, context);
    /* PCRE2's codes are negative and ERR1 is the largest of these. */
    bool is_bytes = code <= PCRE2_ERROR_UTF8_ERR1 && code >= PCRE2_ERROR_UTF8_ERR21;
    if (!pattern->code && is_bytes)
        pattern->code = pcre2_compile((PCRE2_SPTR)pattern->regex, PCRE2_ZERO_TERMINATED,
                                      PCRE2_MULTILINE, &code, &at, context);
    pcre2_compile_context_free(context);
    if (pattern->code) return PARE_OK;
    if (code == PCRE2_ERROR_HEAP_FAILED) return pare_fail_nomem(err);
    unsigned char text[160] = "";
    (void)pcre2_get_error_message(code, text, sizeof text);
    return pare_fail(err, PARE_E_ARG,
                     "the regular expression '%.200s' is wrong at character %zu: %s",
                     pattern->regex, at + 1, (const char *)text);
}

/* Match data is made once and reused, so a pattern is for one thread. */
pare_status pare_pattern_new(const char *regex, pare_pattern **out, pare_error *err)
{
    pare_pattern *pattern = pare_alloc_zero(1, sizeof *pattern);
    if (!pattern) return pare_fail_nomem(err);
    pattern->regex = pare_alloc_text(regex, strlen(regex));
    pattern->memory = pcre2_general_context_create(allocate, release, NULL);
    pare_status status =
        pattern->regex && pattern->memory ? compile(pattern, err) : pare_fail_nomem(err);
    if (!status) {
        /* Without it the interpreter matches, more slowly: nothing else changes. */
        int machine = pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE);
        pattern->match = pcre2_match_data_create_from_pattern(pattern->code, pattern->memory);
        if (!pattern->match || machine == PCRE2_ERROR_NOMEMORY) status = pare_fail_nomem(err);
    }
    if (status)
        pare_pattern_free(pattern);
    else
        *out = pattern;
    return status;
}

/* NULL is a no-op; so are missing parts. */
void pare_pattern_free(pare_pattern *pattern)
{
    if (!pattern) return;
    pcre2_match_data_free(pattern->match);
    pcre2_code_free(pattern->code);
    pcre2_general_context_free(pattern->memory);
    pare_alloc_free(pattern->regex);
    pare_alloc_free(pattern);
}

/* Matches from byte `from` on; *found says whether there is a match, which is then in the
 * match data.  Errors: PARE_E_LIMIT (it takes too long), PARE_E_NOMEM. */
static pare_status match(const pare_pattern *pattern, pare_span text, size_t from, uint32_t options,
                         bool *found, pare_error *err)
{
    /* pcre2_match takes no NULL, even for no bytes. */
    const unsigned char *bytes = text.bytes ? text.bytes : (const unsigned char *)"";
    int n = pcre2_match(pattern->code, bytes, text.size, from, options, pattern->match, NULL);
    while (n == PCRE2_ERROR_BADUTFOFFSET && from < text.size) /* inside a character */
        n = pcre2_match(pattern->code, bytes, text.size, ++from, options, pattern->match, NULL);
    if (n == PCRE2_ERROR_NOMEMORY || n == PCRE2_ERROR_HEAPLIMIT) return pare_fail_nomem(err);
    if (n < 0 && n != PCRE2_ERROR_NOMATCH)
        return pare_fail(err, PARE_E_LIMIT,
                         "the regular expression '%.200s' takes too long: write it with less "
                         "repetition",
                         pattern->regex);
    *found = n >= 0;
    return PARE_OK;
}

/* Whether there is a match anywhere; where, does not matter. */
pare_status pare_pattern_search(const pare_pattern *pattern, const char *text, size_t size,
                                bool *found, pare_error *err)
{
    return match(pattern, (pare_span){(const unsigned char *)text, size}, 0, 0, found, err);
}

/* The first match at or after `from` that is not empty.  What stands before `from` is still seen
 * by \b and look-behind, as the whole text is the subject. */
pare_status pare_pattern_find(const pare_pattern *pattern, pare_span text, size_t from, bool *found,
                              pare_stretch *stretch, pare_error *err)
{
    pare_status status = match(pattern, text, from, PCRE2_NOTEMPTY, found, err);
    if (status || !*found) return status;
    const size_t *pair = pcre2_get_ovector_pointer(pattern->match);
    *found = pair[0] < pair[1]; /* \K may put the beginning after the end */
    *stretch = (pare_stretch){.from = pair[0], .to = pair[1]};
    return PARE_OK;
}
