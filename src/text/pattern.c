/* Matching by PCRE2, with its memory from base/alloc.h and its compiler to machine code
 * where it has one. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/pattern.h"

#include <pcre2.h>
#include <string.h>

#include "base/alloc.h"

struct pare_pattern {
    pcre2_general_context *memory; /* owned, as all below */
    pcre2_code *code;
    pcre2_match_data *match;
};

static void *take(size_t size, void *unused)
{
    (void)unused;
    return pare_alloc(1, size);
}

static void give_back(void *block, void *unused)
{
    (void)unused;
    pare_release(block);
}

void pare_pattern_free(pare_pattern *pattern)
{
    if (!pattern) return;
    pcre2_match_data_free(pattern->match);
    pcre2_code_free(pattern->code);
    pcre2_general_context_free(pattern->memory);
    pare_release(pattern);
}

static pare_status compile(pare_pattern *pattern, const char *regex, pare_error *err)
{
    const uint32_t options = PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
    char reason[256];
    int number = 0;
    size_t at = 0;
    pcre2_compile_context *context = pcre2_compile_context_create(pattern->memory);
    if (!context) return pare_fail_nomem(err);
    pattern->code =
        pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED, options, &number, &at, context);
    pcre2_compile_context_free(context);
    if (pattern->code) return PARE_OK;
    if (number == PCRE2_ERROR_HEAP_FAILED || number == 121) return pare_fail_nomem(err);
    (void)pcre2_get_error_message(number, (PCRE2_UCHAR *)reason, sizeof reason);
    return pare_fail(err, PARE_E_ARG, "the regular expression '%s' is wrong at character %zu: %s",
                     regex, at + 1, reason);
}

pare_status pare_pattern_new(const char *regex, pare_pattern **out, pare_error *err)
{
    pare_pattern *pattern = pare_alloc_zero(1, sizeof *pattern);
    if (!pattern) return pare_fail_nomem(err);
    pattern->memory = pcre2_general_context_create(take, give_back, NULL);
    pare_status status = pattern->memory ? compile(pattern, regex, err) : pare_fail_nomem(err);
    if (!status) {
        /* Where there is no machine code it is slower, and means the same. */
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

pare_status pare_pattern_find(const pare_pattern *pattern, const void *bytes, size_t size,
                              size_t from, bool *found, pare_stretch *match, pare_error *err)
{
    *found = false;
    if (!size) return PARE_OK;
    int n = pcre2_match(pattern->code, bytes, size, from, PCRE2_NOTEMPTY, pattern->match, NULL);
    if (n == PCRE2_ERROR_NOMATCH) return PARE_OK;
    if (n == PCRE2_ERROR_NOMEMORY || n == PCRE2_ERROR_HEAPLIMIT) return pare_fail_nomem(err);
    if (n < 0) return pare_fail(err, PARE_E_LIMIT, "the regular expression takes too long");
    const size_t *pair = pcre2_get_ovector_pointer(pattern->match);
    /* \K may put the beginning behind the end. */
    *found = pair[0] < pair[1];
    *match = (pare_stretch){.from = pair[0], .to = pair[1]};
    return PARE_OK;
}
