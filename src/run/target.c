/* Marks in words. */
#include "run/target.h"

#include <ctype.h>
#include <string.h>

static const char MARK[] = "@@";
enum { MARK_BYTES = sizeof MARK - 1 };

bool pare_target_marked(const char *word)
{
    return strstr(word, MARK) != NULL;
}

/* Bytes of the suffix, with its dot, behind a mark: ".c", ".tar.gz"; 0: there is none. */
static size_t suffix_size(const char *at)
{
    size_t size = 0;
    while (at[size] == '.' && isalnum((unsigned char)at[size + 1]))
        for (size++; isalnum((unsigned char)at[size]) || at[size] == '_'; size++)
            continue;
    return size;
}

/* Notes the suffix behind each mark of `word` in *suffix, all of which have to be one. */
static pare_status find_suffix(const char *word, const char **suffix, size_t *size, pare_error *err)
{
    for (const char *at = word; (at = strstr(at, MARK)) != NULL;) {
        at += MARK_BYTES;
        size_t n = suffix_size(at);
        if (!n) continue;
        if (*suffix && (n != *size || memcmp(at, *suffix, n) != 0))
            return pare_fail(err, PARE_E_ARG,
                             "the candidate cannot be both '@@%.*s' and '@@%.*s': it is one file",
                             (int)*size, *suffix, (int)n, at);
        *suffix = at;
        *size = n;
    }
    return PARE_OK;
}

pare_status pare_target_name(const char *const *words, size_t n_words, const char *base_name,
                             pare_buffer *name, pare_error *err)
{
    const char *suffix = NULL;
    size_t size = 0;
    pare_status status = PARE_OK;
    for (size_t k = 0; k < n_words && !status; k++)
        status = find_suffix(words[k], &suffix, &size, err);
    if (status) return status;
    if (!suffix) return pare_buffer_text(name, base_name, err);
    const char *dot = strrchr(base_name, '.');
    size_t stem = dot && dot != base_name ? (size_t)(dot - base_name) : strlen(base_name);
    status = pare_buffer_add(name, base_name, stem, err);
    return status ? status : pare_buffer_add(name, suffix, size, err);
}

pare_status pare_target_refuse_suffix(const char *const *words, size_t n_words, pare_error *err)
{
    const char *suffix = NULL;
    size_t size = 0;
    pare_status status = PARE_OK;
    for (size_t k = 0; k < n_words && !status; k++)
        status = find_suffix(words[k], &suffix, &size, err);
    if (status || !suffix) return status;
    return pare_fail(err, PARE_E_ARG,
                     "'@@%.*s' is for one file: a folder and several files keep their names, so "
                     "write '@@', or a path in the folder: '@@/main%.*s'",
                     (int)size, suffix, (int)size, suffix);
}

pare_status pare_target_fill(const char *word, const char *path, pare_buffer *filled,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    for (const char *mark; !status && (mark = strstr(word, MARK)) != NULL;) {
        status = pare_buffer_add(filled, word, (size_t)(mark - word), err);
        if (!status) status = pare_buffer_text(filled, path, err);
        word = mark + MARK_BYTES;
        word += suffix_size(word);
    }
    return status ? status : pare_buffer_text(filled, word, err);
}
