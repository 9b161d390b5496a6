/* Calls: arguments are read off brackets or words, and written into the body by name.
 *
 * Elements of brackets are separated by semicolons if there is one between them, else by commas;
 * if there is one parameter only, all that the brackets hold is its argument (in jq `f(1,2)` is
 * one).  Words end at blanks unless a bracket is open.  Whether a word is called this way is told
 * by the definition: its parameters stand in braces, or its body says $1.
 * Invariant: n is at most the number of parameters, and each argument lies in the call.
 * Why not by the parameters' types or scopes: a wrong guess costs a test, no more.
 * Source: the shapes are those of calls in C, jq, awk, bc, Tcl and the shell. */
#include "reduce/passes/calls.h"

#include <string.h>

#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/terms.h"

/* Whether lexeme `i` stands, and is a bracket of this kind with a partner. */
static bool opens(const pare_pass_view *view, size_t i, const char *bracket)
{
    return i < view->lexemes.n && pare_pass_lexeme_is(view, i, bracket) &&
           view->lexemes.at[i].partner != PARE_NO_LEXEME;
}

/* The lexeme after `i` and, if `i` opens brackets, after these. */
static size_t step_over(const pare_pass_view *view, size_t i)
{
    const pare_lexeme *at = &view->lexemes.at[i];
    bool group = at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME;
    return (group ? at->partner : i) + 1;
}

/* Appends lexemes first .. end-1 to a list of arguments; false: it is full. */
static bool add_argument(const pare_pass_view *view, size_t first, size_t end, pare_argument *list,
                         size_t *n)
{
    pare_lexeme_run term;
    if (end == first) return true;
    if (*n == PARE_CALL_MOST_ARGUMENTS) return false;
    bool simple = pare_terms_after(view, first, &term) && term.last + 1 >= end;
    list[(*n)++] = (pare_argument){
        .what = pare_terms_extent(view, (pare_lexeme_run){first, end - 1}), .compound = !simple};
    return true;
}

/* The separator between the elements in the brackets: a semicolon if there is one, else a comma. */
static const char *separator_of(const pare_pass_view *view, size_t open)
{
    size_t close = view->lexemes.at[open].partner;
    for (size_t i = open + 1; i < close; i = step_over(view, i))
        if (pare_pass_lexeme_is(view, i, ";")) return ";";
    return ",";
}

/* Lists the elements of the brackets; false: there are too many. */
static bool list_elements(const pare_pass_view *view, size_t open, const char *separator,
                          pare_argument *list, size_t *n)
{
    size_t close = view->lexemes.at[open].partner, first = open + 1;
    for (size_t i = first; i < close; i = step_over(view, i)) {
        if (!pare_pass_lexeme_is(view, i, separator)) continue;
        if (!add_argument(view, first, i, list, n)) return false;
        first = i + 1;
    }
    return add_argument(view, first, close, list, n);
}

/* The name that lexemes first .. end-1 declare: the last word before a default or a type. */
static pare_extent name_in(const pare_pass_view *view, size_t first, size_t end)
{
    pare_extent name = pare_terms_extent(view, (pare_lexeme_run){first, end - 1});
    for (size_t i = first; i < end; i++) {
        bool over = pare_pass_lexeme_is(view, i, "=") || pare_pass_lexeme_is(view, i, ":");
        if (i > first && over) break;
        if (view->lexemes.at[i].kind == PARE_LEXEME_WORD) name = pare_definition_name(view, i);
    }
    return name;
}

/* Lists the names of parameters: in round brackets, or in braces, where blanks separate them and a
 * parameter with a default has braces of its own. Returns how many there are; 0: there are too
 * many. */
static size_t list_names(const pare_pass_view *view, size_t open, pare_extent *names)
{
    size_t close = view->lexemes.at[open].partner, first = open + 1, n = 0;
    bool words = pare_pass_lexeme_is(view, open, "{");
    for (size_t i = first; i < close && n < PARE_CALL_MOST_ARGUMENTS;) {
        size_t next = step_over(view, i);
        bool separates = pare_pass_lexeme_is(view, i, ",") || pare_pass_lexeme_is(view, i, ";");
        bool ends = words || next >= close || pare_pass_lexeme_is(view, next, ",") ||
                    pare_pass_lexeme_is(view, next, ";");
        if (separates) {
            first = next;
        } else if (ends) {
            size_t from = words && opens(view, i, "{") && i + 1 < close ? i + 1 : first;
            names[n++] = name_in(view, from, words ? from + 1 : next);
            first = next;
        }
        i = next;
    }
    return n;
}

/* The highest number of a parameter that the body mentions, as `$2` or `${2}`; 0: it mentions
 * none. */
static size_t highest_position(const pare_pass_view *view, pare_lexeme_run body)
{
    pare_extent what = pare_terms_extent(view, body);
    size_t highest = 0;
    for (size_t at = what.from; at + 1 < what.to; at++) {
        if (view->bytes[at] != '$') continue;
        unsigned char digit = view->bytes[at + 1];
        if (digit == '{' && at + 2 < what.to) digit = view->bytes[at + 2];
        if (digit >= '1' && digit <= '0' + PARE_CALL_MOST_ARGUMENTS && digit - '0' > (int)highest)
            highest = (size_t)(digit - '0');
    }
    return highest;
}

/* Whether a command may begin with lexeme `i`: nothing but a bracket or a separator is before it
 * on its line. */
static bool begins_command(const pare_pass_view *view, size_t i)
{
    if (!i || pare_pass_starts_line(view, i)) return true;
    const pare_lexeme *before = &view->lexemes.at[i - 1];
    return before->kind == PARE_LEXEME_OPEN ||
           (before->to == before->from + 1 && strchr(";|&`", view->bytes[before->from]));
}

/* The words after lexeme `i`, up to where the command ends. */
static bool list_words(const pare_pass_view *view, size_t i, pare_call *call)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t first = i + 1, k = first, n = 0;
    while (k < view->lexemes.n && !pare_pass_starts_line(view, k) &&
           at[k].kind != PARE_LEXEME_CLOSE && !strchr(";|&`", view->bytes[at[k].from])) {
        size_t next = step_over(view, k);
        bool joined = next < view->lexemes.n && at[next].from == at[next - 1].to &&
                      at[next].kind != PARE_LEXEME_CLOSE &&
                      !strchr(";|&`", view->bytes[at[next].from]);
        if (!joined) {
            if (!add_argument(view, first, next, call->given, &n)) return false;
            call->given[n - 1].compound = false;
            first = next;
        }
        k = next;
    }
    call->n = n;
    call->to = at[k - 1].to;
    return true;
}

/* A definition that takes words: parameters in braces, or numbers in the body. */
static bool find_words(const pare_pass_view *view, const pare_definition *definition, size_t i,
                       pare_call *call)
{
    uint32_t open = definition->parameters;
    size_t wanted = 0;
    if (open == PARE_NO_LEXEME || view->lexemes.at[open].partner == open + 1)
        wanted = highest_position(view, definition->body);
    call->by_position = wanted > 0;
    if (!wanted && open != PARE_NO_LEXEME && opens(view, open, "{"))
        wanted = list_names(view, open, call->names);
    if (!wanted || !begins_command(view, i) || !list_words(view, i, call)) return false;
    if (call->n < wanted) return false;
    call->n = wanted;
    return true;
}

/* Brackets on the line of the word, or words.
 *
 * Example: of `def f(g; $k): BODY;` and `f(.a|.b; 1)` the parameters are g and k, and `.a|.b` is
 * compound. */
bool pare_call_find(const pare_pass_view *view, const pare_definition *definition, size_t i,
                    pare_call *call)
{
    size_t next = i + 1, n_names;
    *call = (pare_call){.n = 0};
    if (find_words(view, definition, i, call)) return true;
    *call = (pare_call){.n = 0};
    if (definition->parameters == PARE_NO_LEXEME || !opens(view, next, "(") ||
        pare_pass_starts_line(view, next))
        return false;
    call->to = view->lexemes.at[view->lexemes.at[next].partner].to;
    n_names = list_names(view, definition->parameters, call->names);
    const char *separator = separator_of(view, next);
    /* An empty separator: every lexeme is an element. */
    if (n_names == 1 && *separator == ',') separator = "";
    bool fits = list_elements(view, next, separator, call->given, &call->n);
    if (!fits || call->n != n_names) call->n = 0;
    return true;
}

/* Whether an argument in the place of `where` would stand beside something that may bind
 * stronger. */
static bool is_beside(const pare_pass_view *view, pare_extent body, pare_extent where)
{
    const unsigned char *bytes = view->bytes;
    size_t from = where.from, to = where.to;
    while (from > body.from && strchr(" \t\n", bytes[from - 1]) && bytes[from - 1])
        from--;
    while (to < body.to && strchr(" \t\n", bytes[to]) && bytes[to])
        to++;
    bool before = from > body.from && bytes[from - 1] && !strchr("([{,;", bytes[from - 1]);
    bool after = to < body.to && bytes[to] && !strchr(")]},;", bytes[to]);
    return before || after;
}

/* The next parameter that is mentioned in bytes `at` to body.to-1; false: there is no more. */
static bool next_parameter(const pare_pass_view *view, const pare_call *call, size_t at, size_t end,
                           pare_extent *where, size_t *which)
{
    bool found = false;
    for (size_t k = 0; k < call->n; k++) {
        unsigned char digit = (unsigned char)('1' + k);
        pare_extent name = call->names[k], hit;
        const unsigned char *text = call->by_position ? &digit : view->bytes + name.from;
        size_t size = call->by_position ? 1 : name.to - name.from, from = at;
        while (pare_definition_next_use(view->bytes, from, end, text, size, &hit)) {
            pare_extent all = pare_definition_with_signs(view, hit);
            if (all.from < at) all.from = at;
            from = hit.to;
            /* A digit is a parameter only after a $. */
            if (call->by_position && (all.from == hit.from || view->bytes[all.from] != '$'))
                continue;
            if (!found || all.from < where->from) {
                *where = all;
                *which = k;
            }
            found = true;
            break;
        }
    }
    return found;
}

/* Copies what stands between parameters, and arguments for these. */
pare_status pare_call_expand(const pare_pass_view *view, const pare_call_expansion *expansion,
                             pare_buffer *text, size_t *n_guarded, pare_error *err)
{
    const pare_extent body = expansion->body;
    const pare_call *call = expansion->call;
    pare_status status = PARE_OK;
    size_t at = body.from, which = 0;
    pare_extent where = body;
    *n_guarded = 0;
    while (!status && call && next_parameter(view, call, at, body.to, &where, &which)) {
        const pare_argument *given = &call->given[which];
        bool guard = expansion->guarded && given->compound && is_beside(view, body, where);
        *n_guarded += guard;
        status = pare_buffer_add(text, view->bytes + at, where.from - at, err);
        if (!status && guard) status = pare_buffer_add(text, "(", 1, err);
        if (!status)
            status = pare_buffer_add(text, view->bytes + given->what.from,
                                     given->what.to - given->what.from, err);
        if (!status && guard) status = pare_buffer_add(text, ")", 1, err);
        at = where.to;
    }
    return status ? status : pare_buffer_add(text, view->bytes + at, body.to - at, err);
}
