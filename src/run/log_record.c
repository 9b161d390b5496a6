/* Reading log records.
 *
 * There are two kinds.  In a layout, the level is a word of its own, in capitals or in brackets,
 * and what stands before it is a prefix of the record: times, numbers, groups in brackets, after
 * a time also the logger's name.  In a list of fields (logfmt, JSON) the level and the message
 * have keys.  Fields are looked for first: a message among them may hold a layout.
 *
 * Invariant: the slices that are given lie in the line, and a level is one of the table's. */
#include "run/log_record.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { NAMES_MAX = 3 /* after the time: host, program, logger */ };

static const struct level {
    const char *name;
    bool warns;
} levels[] = {
    {"warn", true},   {"warning", true}, {"error", false},    {"err", false},
    {"fatal", false}, {"crit", false},   {"critical", false}, {"alert", false},
    {"emerg", false}, {"severe", false}, {"panic", false},    {"dpanic", false},
};

/* The level that a word names, NULL: none. */
static const struct level *find_level(const char *word, size_t size)
{
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++)
        if (strlen(levels[k].name) == size && strncasecmp(word, levels[k].name, size) == 0)
            return &levels[k];
    return NULL;
}

static bool has_letter(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (isalpha((unsigned char)text[i])) return true;
    return false;
}

/* ---- layouts ---------------------------------------------------------------------- */

/* What has been read of a record before its level. */
struct prefix {
    bool timed;       /* a time of the day stood there */
    unsigned n_names; /* words that say where the record comes from */
};

/* "10:00:01", also within more ("2026-11-28T10:00:01.5Z"). */
static bool is_time(const char *word, size_t size)
{
    for (size_t i = 1; i + 1 < size; i++)
        if (word[i] == ':' && isdigit((unsigned char)word[i - 1]) &&
            isdigit((unsigned char)word[i + 1]))
            return true;
    return false;
}

/* "Nov", "Sat,", "AM", "UTC": words of a date. */
static bool is_date_word(const char *word, size_t size)
{
    static const char known[] = " jan feb mar apr may jun jul aug sep oct nov dec "
                                "mon tue wed thu fri sat sun utc gmt am pm ";
    char sought[6] = " ";
    while (size && strchr(",.", word[size - 1]))
        size--;
    if (size < 2 || size > 3) return false;
    for (size_t i = 0; i < size; i++)
        sought[1 + i] = (char)tolower((unsigned char)word[i]);
    sought[1 + size] = ' ';
    return strstr(known, sought) != NULL;
}

/* Whether a word may stand before a level; notes what it says.  Names are known by their place,
 * after the time, or by a colon ("nginx: [warn] ...").
 *
 * A word that begins with a digit, has no letters or is of a date says nothing and always may.
 * Others may stand there only after a time, NAMES_MAX of them, so that a sentence is not taken
 * for a prefix. */
static bool take_word(struct prefix *prefix, const char *word, size_t size)
{
    if (is_time(word, size)) prefix->timed = true;
    if (!has_letter(word, size) || isdigit((unsigned char)*word) || is_date_word(word, size))
        return true;
    if (!prefix->timed && word[size - 1] != ':') return false;
    return prefix->n_names++ < NAMES_MAX;
}

/* What follows the level when it is one: "WARN ", "WARN:", "WARN|", "[WARN]", "ERR!".  NULL:
 * nothing of that. In brackets a blank may stand before the closing one: "[WARN ]". */
static const char *end_level(const char *at, bool in_brackets)
{
    if (*at == '!') at++;
    if (in_brackets) {
        at += *at == ' ';
        if (*at == ']') return at + 1;
        at -= at[-1] == ' ';
    }
    return *at && strchr(" :|,;", *at) ? at : NULL;
}

/* Whether the level is printed as logging libraries print it.  In lower case it has to fill its
 * brackets, for "[error" also begins sentences. */
static bool looks_like_level(const char *word, const char *end, bool in_brackets)
{
    if (in_brackets && *end == ']') return true;
    for (const char *at = word; at < end; at++)
        if (!isupper((unsigned char)*at)) return false;
    return true;
}

/* Sets the record if the word at `word` is its level.  `close` ends the brackets that hold the whole
 * prefix ("[10:00:01 ERROR shop] ..."), NULL if there are none: the message stands after them.
 *
 * A level without a message that has letters is none: "ERROR | ----" is a ruler. */
static bool read_level(const char *line, const char *word, const char *close, pare_log_record *out)
{
    const char *end = word;
    while (isalpha((unsigned char)*end))
        end++;
    const struct level *level = find_level(word, (size_t)(end - word));
    const bool in_brackets = word > line && word[-1] == '[';
    if (!level || !looks_like_level(word, end, in_brackets)) return false;
    const char *message = end_level(end, in_brackets);
    if (!message) return false;
    if (close && message < close) message = close + 1;
    message += strspn(message, " :|,;-");
    *out = (pare_log_record){.warns = level->warns,
                             .level = word,
                             .level_size = (size_t)(end - word),
                             .message = message,
                             .message_size = strlen(message)};
    return has_letter(message, out->message_size);
}

/* npm and its kin put their name before the level, without a colon. */
static bool is_tool_before_level(const char *line, const char *word, size_t size)
{
    if (word != line) return false;
    for (size_t i = 0; i < size; i++)
        if (!islower((unsigned char)word[i])) return false;
    return strncmp(word + size, " WARN ", 6) == 0 || strncmp(word + size, " ERR! ", 6) == 0;
}

/* Whether the brackets from `open` to `close` hold a level among other words. */
static bool holds_level(const char *open, const char *close)
{
    for (const char *at = open; at < close; at += strcspn(at, " ]"), at += at < close) {
        const size_t size = strcspn(at, " ]");
        if (*at && isupper((unsigned char)*at) && find_level(at, size)) return true;
    }
    return false;
}

/* Words are read up to the level.  Brackets are passed over, unless the level is in them.
 *
 * Example: of "2026-11-28 10:00:01 [main] ERROR shop - no such file" the date, the time, the
 * thread and nothing else are the prefix, then comes the level. False as soon as a word cannot
 * be a part of a prefix. */
static bool read_layout(const char *line, pare_log_record *out)
{
    struct prefix prefix = {0};
    const char *close = NULL;
    for (const char *at = line; *(at += strspn(at, " |,;"));) {
        if (read_level(line, at + (*at == '['), close, out)) return true;
        const bool opens = strchr("[(<", *at) != NULL;
        const char *end = opens ? strpbrk(at, "])>") : at + 1 + strcspn(at + 1, " [|");
        if (!end) return false;
        const size_t size = (size_t)(end - at);
        /* The level is in these brackets: their words are read one by one, and what follows
         * them is the message. */
        if (opens && holds_level(at + 1, end)) {
            close = end;
            end = at + 1;
        } else if (opens) {
            prefix.timed |= is_time(at, size);
            end++;
        } else if (!is_tool_before_level(line, at, size) && !take_word(&prefix, at, size)) {
            return false;
        }
        at = end;
    }
    return false;
}

/* ---- fields ----------------------------------------------------------------------- */

/* Finds the value of `key` ("level=error", "level":"error"), without its quotes; false: the line
 * has no such field.
 *
 * The key must be quoted on both sides, or begin the line or a field: "loglevel=" is not
 * "level=". The value ends before its closing quote, or before a blank, a comma or a brace. */
static bool find_field(const char *line, const char *key, const char **value, size_t *size)
{
    const size_t n = strlen(key);
    for (const char *at = strstr(line, key); at; at = strstr(at + 1, key)) {
        const bool quoted = at > line && at[-1] == '"' && at[n] == '"';
        if (!quoted && at > line && !strchr(" {[,", at[-1])) continue;
        const char *end = at + n + quoted;
        if (*end != (quoted ? ':' : '=')) continue;
        end++;
        end += *end == ' ' && quoted;
        if (*end == '"') {
            *value = ++end;
            while (*end && *end != '"')
                end += *end == '\\' && end[1] ? 2 : 1;
        } else {
            *value = end;
            end += strcspn(end, " ,}");
        }
        *size = (size_t)(end - *value);
        return true;
    }
    return false;
}

/* The first key of each row that is there is taken. */
static bool read_fields(const char *line, pare_log_record *out)
{
    static const char *const of_level[] = {"level", "lvl", "severity", "levelname"};
    static const char *const of_message[] = {"msg", "message", "event"};
    bool found = false;
    for (size_t k = 0; k < sizeof of_level / sizeof *of_level && !found; k++)
        found = find_field(line, of_level[k], &out->level, &out->level_size);
    const struct level *level = found ? find_level(out->level, out->level_size) : NULL;
    if (!level) return false;
    out->warns = level->warns;
    found = false;
    for (size_t k = 0; k < sizeof of_message / sizeof *of_message && !found; k++)
        found = find_field(line, of_message[k], &out->message, &out->message_size);
    return found && has_letter(out->message, out->message_size);
}

bool pare_log_record_read(const char *line, pare_log_record *out)
{
    *out = (pare_log_record){0};
    const bool found = read_fields(line, out) || read_layout(line, out);
    assert(!found || find_level(out->level, out->level_size));
    assert(!found || (out->message >= line && out->message_size <= strlen(out->message)));
    return found;
}
