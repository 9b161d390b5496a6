/* Words between commas. */
#include "session/plan/words.h"

#include <string.h>

bool pare_word_next(const char **list, pare_word *word)
{
    if (!*list) return false;
    const char *comma = strchr(*list, ',');
    *word = (pare_word){*list, comma ? (size_t)(comma - *list) : strlen(*list)};
    *list = comma ? comma + 1 : NULL;
    return true;
}

bool pare_word_is(pare_word word, const char *text)
{
    return strlen(text) == word.size && memcmp(word.text, text, word.size) == 0;
}
