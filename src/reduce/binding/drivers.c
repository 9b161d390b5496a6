/* Drivers: the statements at the outermost level of a program that call what the rest defines.
 *
 * A failing script is often a library with a few lines at its end that use it, and these lines use
 * more of the library than the failure needs: a dozen calls of which one fails, a page of Markdown
 * of which one line is parsed wrongly.  They are a few bytes, so whoever takes the heaviest part
 * first comes to them last.  But each of them that goes makes code unreachable that is a hundred
 * times as large, and an interpreter says which (session/plan/coverage_phase.h).
 *
 * A driver is a statement of the outermost level that defines nothing that others use, and is small beside
 * the program; a definition is what holds a class, or a function that makes up half of it.
 * The statements of a function that only drivers use, as `main`, are drivers, too.
 * Invariant: a patch touches drivers only, so no definition changes.
 * Source: ours. */
#include "reduce/binding/drivers.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"

enum {
    LARGEST = 16,    /* a driver is at most one of so many parts of the text */
    ALL_DRIVERS = 4, /* and all drivers together are one of so many */
    LEAST_ITEMS = 3, /* of a list: fewer are arguments or a pair */
    LEAST_LINES = 4, /* of a text */
    MOST_LISTS = 16,
    MOST_TURNS = 8, /* of looking for what belongs to the library */
    MOST_LOOKS =
        1 << 19 /* at uses of what goes: where all drivers use one name each leads to all others */
};

/* What a node is to the finder: any of these. */
enum {
    DRIVER = 1,
    LIST = 2,
    STARTS = 4 /* a driver that calls a function whose statements are drivers */
};

/* Whether most of the statement is a function, which it gives a name to or hands on. Example:
 * "exports.run = function () { .. }" is, "run(function () {})" with a long text beside it is
 * not. */
static bool is_mostly_function(const pare_syntax *syntax, uint32_t statement)
{
    const size_t size = pare_syntax_size(syntax, statement);
    for (uint32_t i = statement; i < syntax->nodes[statement].after; i++)
        if (pare_syntax_is(syntax, i, PARE_ROLE_FUNCTION) && pare_syntax_size(syntax, i) * 2 > size)
            return true;
    return false;
}

/* Whether the statement defines a class, or a function, with all that is in it. A kind that
 * declares and has a body, or declares members, is a class or a function. */
static bool is_definition(const pare_syntax *syntax, uint32_t statement)
{
    for (uint32_t i = statement; i < syntax->nodes[statement].after; i++) {
        const pare_syntax_kind *kind = syntax->nodes[i].kind;
        if (!(kind->roles & PARE_ROLE_DECLARES)) continue;
        if (kind->body || kind->roles & PARE_ROLE_MEMBERS) return true;
    }
    return is_mostly_function(syntax, statement);
}

/* Whether the node, which stands at the outermost level, may be a driver of a program of `size`
 * bytes. At most a LARGEST-th of the program, so that a library is none although it may define
 * nothing. */
static bool may_drive(const pare_syntax *syntax, uint32_t node, size_t size)
{
    return pare_syntax_is_element(syntax, node) && pare_syntax_is_statement(syntax, node) &&
           pare_syntax_size(syntax, node) * LARGEST <= size && !is_definition(syntax, node);
}

/* ---- which they are ---------------------------------------------------------------------- */

/* The drivers of a program of `size` bytes. */
struct finder {
    const pare_syntax *syntax;
    const pare_bindings *names;
    size_t size;
    unsigned char *drives; /* owned; by node: it is a driver, or a list of them */
    uint32_t *lists; /* owned; whose statements are drivers: the program, bodies of functions */
    size_t n_lists;
    uint32_t *stamps; /* owned; by node: the item that it goes with */
    /* Owned; by symbol: the same; while lists are looked for, how many there were when the function was found to
     * start nothing. */
    uint32_t *seen;
    uint32_t *queue; /* owned; statements of an item whose users are looked for */
    size_t n_looks;
};

/* The statement of a list of drivers that the node is in; PARE_NO_NODE: it is in none. Goes
 * upwards: O(depth). */
static uint32_t driver_of(const struct finder *finder, uint32_t node)
{
    while (node != PARE_NO_NODE && !(finder->drives[node] & DRIVER))
        node = finder->syntax->nodes[node].parent;
    return node;
}

/* Adds the statements of the list that may be drivers, and takes those out again that others need.
 *
 * A statement that is used by what is no driver belongs to the library; taking it out may make
 * others the same, so it is looked again, MOST_TURNS times at most. */
static void add_list(struct finder *finder, uint32_t list)
{
    const pare_syntax *syntax = finder->syntax;
    bool changed = true;
    finder->lists[finder->n_lists++] = list;
    for (uint32_t i = pare_syntax_first(syntax, list); i != PARE_NO_NODE;
         i = pare_syntax_next(syntax, i))
        if (may_drive(syntax, i, finder->size)) finder->drives[i] = DRIVER;
    for (unsigned turn = 0; changed && turn < MOST_TURNS; turn++) {
        changed = false;
        for (uint32_t i = pare_syntax_first(syntax, list); i != PARE_NO_NODE;
             i = pare_syntax_next(syntax, i)) {
            if (!(finder->drives[i] & DRIVER) ||
                !pare_bindings_is_used_beside(finder->names, i, finder->drives, DRIVER))
                continue;
            finder->drives[i] = 0;
            changed = true;
        }
    }
}

/* The body of the function that only drivers use, if `leaf` names such a one, and it is small: what they start;
 * PARE_NO_NODE. It is a function that is declared once and is no member. */
static uint32_t started_by(const struct finder *finder, uint32_t leaf)
{
    const pare_bindings *names = finder->names;
    const uint32_t found = names->by_leaf[leaf];
    if (found == PARE_NO_NODE || names->occurrences[found].symbol == PARE_NO_SYMBOL)
        return PARE_NO_NODE;
    const uint32_t symbol = names->occurrences[found].symbol;
    const pare_bound *bound = &names->symbols[symbol];
    if (bound->member || bound->n_declarations != 1) return PARE_NO_NODE;
    /* As many lists as when another use of it was looked at: the answer is the same. */
    if (finder->seen[symbol] == finder->n_lists) return PARE_NO_NODE;
    finder->seen[symbol] = (uint32_t)finder->n_lists;
    const uint32_t function = pare_bindings_function(names, symbol);
    if (function == PARE_NO_NODE) return PARE_NO_NODE;
    for (uint32_t k = bound->first; k != PARE_NO_NODE; k = names->occurrences[k].next)
        if (!names->occurrences[k].declares &&
            driver_of(finder, names->occurrences[k].leaf) == PARE_NO_NODE)
            return PARE_NO_NODE;
    const pare_syntax_kind *kind = finder->syntax->nodes[function].kind;
    const uint32_t body = pare_syntax_child(finder->syntax, function, kind->body);
    const bool fits = body != PARE_NO_NODE &&
                      pare_syntax_is(finder->syntax, body, PARE_ROLE_BLOCK) &&
                      pare_syntax_size(finder->syntax, body) * LARGEST <= finder->size;
    return fits ? body : PARE_NO_NODE;
}

/* The statements of the program, then those of functions that these start, and so on. `seen` is
 * emptied at the end, as it has another meaning afterwards. */
static void find(struct finder *finder)
{
    const pare_syntax *syntax = finder->syntax;
    add_list(finder, 0);
    for (size_t at = 0; at < finder->n_lists; at++) {
        const uint32_t list = finder->lists[at];
        for (uint32_t i = list; i < syntax->nodes[list].after; i++) {
            if (finder->names->by_leaf[i] == PARE_NO_NODE) continue;
            /* Names in the list that are in no driver start nothing. */
            const uint32_t driver = driver_of(finder, i);
            if (driver == PARE_NO_NODE) continue;
            const uint32_t body = started_by(finder, i);
            if (body == PARE_NO_NODE || finder->drives[body] || finder->n_lists == MOST_LISTS)
                continue;
            /* The driver that calls the function stays: its statements are tried in its place. */
            finder->drives[body] = LIST;
            finder->drives[driver] |= STARTS;
            add_list(finder, body);
        }
    }
    memset(finder->seen, 0, finder->names->n_symbols * sizeof *finder->seen);
}

/* ---- what goes -------------------------------------------------------------------------- */

/* Ends an item of one wish that saves `bytes`. `bytes` is the weight, by which items are chosen
 * where there are too many. */
static pare_status end_item(pare_rewrites *rewrites, size_t bytes, pare_error *err)
{
    pare_status status = pare_rewrites_alternative(rewrites, err);
    return status ? status : pare_rewrites_item(rewrites, bytes, err);
}

/* Wishes that the node goes. */
static pare_status remove_node(pare_rewrites *rewrites, uint32_t node, pare_error *err)
{
    pare_status status = pare_rewrites_remove(rewrites, node, err);
    return status ? status : end_item(rewrites, pare_syntax_size(rewrites->syntax, node), err);
}

/* ---- data ------------------------------------------------------------------------------- */

/* Whether the node is a list of enough elements with commas between them; arguments are none.
 * Example: [1, 2, 3] is one; f(1, 2, 3) is not, nor are the statements of a block. */
static bool is_list(const pare_syntax *syntax, uint32_t node)
{
    size_t elements = 0, separators = 0;
    if (pare_syntax_is(syntax, node, PARE_ROLE_ARGUMENTS | PARE_ROLE_PARAMETERS)) return false;
    for (uint32_t i = pare_syntax_first(syntax, node); i != PARE_NO_NODE;
         i = pare_syntax_next(syntax, i)) {
        elements += pare_syntax_is_element(syntax, i);
        separators += pare_syntax_is_separator(syntax, i);
    }
    return elements >= LEAST_ITEMS && separators + 1 >= elements;
}

/* Wishes for each element of a list that it goes. */
static pare_status remove_elements(pare_rewrites *rewrites, uint32_t list, pare_error *err)
{
    const pare_syntax *syntax = rewrites->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = pare_syntax_first(syntax, list); !status && i != PARE_NO_NODE;
         i = pare_syntax_next(syntax, i))
        if (pare_syntax_is_element(syntax, i)) status = remove_node(rewrites, i, err);
    return status;
}

/* Whether the node is text: a leaf, or leaves with nothing between them but quotes around all.
 * Example: a string as a quote, its content and a quote. */
static bool is_text(const pare_syntax *syntax, uint32_t node)
{
    const uint32_t after = syntax->nodes[node].after;
    for (uint32_t i = node + 1; i < after; i++) {
        const bool end = i == node + 1 || i + 1 == after;
        if (!syntax->nodes[i].leaf || (syntax->nodes[i].punctuation && !end)) return false;
    }
    return true;
}

/* Where the line ends that begins at `from`, of `size` bytes; 0: it has no end.  Where `escaped`, lines end with
 * `\n` as it is written in quotes. Other escapes are passed over as two bytes, so that `\\n` in
 * quotes (a backslash and an n) ends no line. */
static size_t line_end(const char *bytes, size_t size, size_t from, bool escaped)
{
    for (size_t i = from; i < size; i++) {
        if (!escaped && bytes[i] == '\n') return i + 1;
        if (!escaped || bytes[i] != '\\') continue;
        if (i + 1 < size && bytes[++i] == 'n') return i + 1;
    }
    return 0;
}

/* Wishes that bytes from .. to-1 of the node go. */
static pare_status remove_part(pare_rewrites *rewrites, uint32_t node, size_t from, size_t to,
                               pare_error *err)
{
    const uint32_t begin = rewrites->syntax->nodes[node].begin;
    pare_status status =
        pare_rewrites_range(rewrites, begin + (uint32_t)from, begin + (uint32_t)to, NULL, 0, err);
    return status ? status : end_item(rewrites, to - from, err);
}

/* Wishes for each whole line of a text of several lines that it goes; what is on the line of its
 * begin or end, such as quotes, stays.  Of one whose lines are written with `\n` all may go.
 * Nothing for a text of fewer than LEAST_LINES lines. */
static pare_status remove_lines(pare_rewrites *rewrites, uint32_t text, pare_error *err)
{
    const char *bytes = pare_syntax_text(rewrites->syntax, text);
    const size_t size = pare_syntax_size(rewrites->syntax, text);
    const bool quoted = size > 2 && strchr("'\"`", *bytes) && bytes[size - 1] == *bytes;
    const bool escaped = quoted && !memchr(bytes, '\n', size);
    size_t lines = 0, from = 0, to;
    pare_status status = PARE_OK;
    for (size_t at = 0; (at = line_end(bytes, size, at, escaped)) > 0;)
        lines++;
    if (lines < LEAST_LINES) return PARE_OK;
    /* The first line is whole if the text begins with it. */
    if (escaped)
        from = 1;
    else if (!rewrites->syntax->nodes[text].begin || bytes[-1] != '\n')
        from = line_end(bytes, size, 0, false);
    for (; !status && (to = line_end(bytes, size, from, escaped)) > 0; from = to) {
        /* The end of the line before goes with it, lest the next one follows a letter. */
        const size_t cut = escaped && from > 1 ? 2 : 0;
        status = remove_part(rewrites, text, from - cut, to - cut, err);
    }
    /* What stands after the last line end, up to the quote. */
    if (!status && escaped && from + 1 < size)
        status = remove_part(rewrites, text, from - 2, size - 1, err);
    return status;
}

/* Collects the lists and texts in a driver; of nested lists the outermost one. */
static pare_status collect_data(pare_rewrites *rewrites, uint32_t driver, pare_error *err)
{
    const pare_syntax *syntax = rewrites->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = driver + 1, next; !status && i < syntax->nodes[driver].after; i = next) {
        next = i + 1;
        if (is_text(syntax, i))
            status = remove_lines(rewrites, i, err);
        else if (is_list(syntax, i))
            status = remove_elements(rewrites, i, err);
        else
            continue;
        next = syntax->nodes[i].after;
    }
    return status;
}

/* ---- all of it -------------------------------------------------------------------------- */

/* Whether the driver is the last of its list, where most programs fail: what comes after that
 * is not reached. Statements after it that are no drivers do not count. */
static bool is_last(const struct finder *finder, uint32_t driver)
{
    uint32_t next = driver;
    do
        next = pare_syntax_next(finder->syntax, next);
    while (next != PARE_NO_NODE && !(finder->drives[next] & DRIVER));
    return next == PARE_NO_NODE;
}

/* Adds the drivers that use the symbol, which a statement of the item `stamp` declares, to the
 * *n ones in the queue. A user that holds the statement itself does not go: only the statement
 * in it does. */
static void queue_users(struct finder *finder, uint32_t symbol, uint32_t statement, uint32_t stamp,
                        size_t *n)
{
    const pare_bindings *names = finder->names;
    uint32_t k = names->symbols[symbol].first;
    for (; k != PARE_NO_NODE && finder->n_looks < MOST_LOOKS; k = names->occurrences[k].next) {
        const uint32_t user = driver_of(finder, names->occurrences[k].leaf);
        finder->n_looks++;
        if (user == PARE_NO_NODE || finder->stamps[user] == stamp ||
            pare_syntax_holds(finder->syntax, user, statement))
            continue;
        finder->stamps[user] = stamp;
        finder->queue[(*n)++] = user;
    }
}

/* Wishes that the statement goes, with the drivers that use what it declares, and those that use what these do.
 *
 * The queue holds what goes; it grows while it is worked through. `stamp` is the number of the
 * statement that the item is about, so nothing has to be reset between items. MOST_LOOKS is for
 * all items together. */
static pare_status remove_users(struct finder *finder, pare_rewrites *rewrites, uint32_t statement,
                                pare_error *err)
{
    const pare_bindings *names = finder->names;
    const uint32_t stamp = statement;
    size_t n = 1;
    pare_status status = PARE_OK;
    finder->stamps[statement] = stamp;
    finder->queue[0] = statement;
    for (size_t at = 0; !status && at < n; at++) {
        const uint32_t goes = finder->queue[at], after = finder->syntax->nodes[goes].after;
        status = pare_rewrites_remove(rewrites, goes, err);
        for (uint32_t i = goes; i < after && finder->n_looks < MOST_LOOKS; i++) {
            const uint32_t found = names->by_leaf[i];
            /* Only what is declared here has users. */
            if (found == PARE_NO_NODE || names->occurrences[found].declaring == PARE_NO_NODE)
                continue;
            const uint32_t symbol = names->occurrences[found].symbol;
            if (symbol == PARE_NO_SYMBOL || names->symbols[symbol].member) continue;
            if (finder->seen[symbol] == stamp) continue;
            finder->seen[symbol] = stamp;
            queue_users(finder, symbol, goes, stamp, &n);
        }
    }
    return status;
}

/* Whether the statement calls something: what does not leads to no code. */
static bool is_calling(const pare_syntax *syntax, uint32_t statement)
{
    for (uint32_t i = statement; i < syntax->nodes[statement].after; i++)
        if (pare_syntax_is(syntax, i, PARE_ROLE_CALL)) return true;
    return false;
}

/* Wishes for the driver that it goes, and for each statement in its blocks that calls
 * something. A driver that starts a function whose statements are drivers stays. */
static pare_status remove_statements(struct finder *finder, pare_rewrites *rewrites,
                                     uint32_t driver, pare_error *err)
{
    const pare_syntax *syntax = finder->syntax;
    const bool starts = finder->drives[driver] & STARTS;
    pare_status status = PARE_OK;
    for (uint32_t i = driver; !status && i < syntax->nodes[driver].after; i++) {
        const uint32_t parent = syntax->nodes[i].parent;
        const bool inner = i > driver && pare_syntax_is(syntax, parent, PARE_ROLE_BLOCK) &&
                           pare_syntax_is_element(syntax, i) &&
                           pare_syntax_is_statement(syntax, i) && is_calling(syntax, i);
        if (i > driver ? !inner : starts) continue;
        status = remove_users(finder, rewrites, i, err);
        if (!status) status = end_item(rewrites, pare_syntax_size(syntax, i), err);
    }
    return status;
}

/* Offers the parts of all drivers but the last ones, or of these. Data is offered of all
 * drivers at once, so `last` only matters for statements. */
static pare_status offer_some(struct finder *finder, pare_drivers_part part, bool last,
                              pare_patches *out, pare_error *err)
{
    pare_rewrites rewrites = {.n = 0};
    pare_status status = pare_rewrites_init(&rewrites, finder->syntax, err);
    for (uint32_t i = 1; !status && i < finder->syntax->n; i++) {
        if (!(finder->drives[i] & DRIVER)) continue;
        if (part == PARE_DRIVERS_DATA)
            status = collect_data(&rewrites, i, err);
        else if (is_last(finder, i) == last)
            status = remove_statements(finder, &rewrites, i, err);
    }
    if (!status) status = pare_rewrites_write(&rewrites, PARE_REWRITES_HALVES, 0, 1, out, err);
    pare_rewrites_done(&rewrites);
    return status;
}

/* Whether all drivers are small beside the program. */
static bool are_small(const struct finder *finder)
{
    size_t bytes = 0;
    for (uint32_t i = 1; i < finder->syntax->n; i++)
        if (finder->drives[i] & DRIVER) bytes += pare_syntax_size(finder->syntax, i);
    return bytes * ALL_DRIVERS <= finder->size;
}

/* Whether a list of drivers is in the node. */
static bool holds_list(const struct finder *finder, uint32_t node)
{
    for (size_t i = 0; i < finder->n_lists; i++)
        if (finder->lists[i] && pare_syntax_holds(finder->syntax, node, finder->lists[i]))
            return true;
    return false;
}

/* Where the program ends with drivers, those before the last definition are none: a library
 * that prepares itself. Nothing changes if the program ends with something else. */
static void keep_trailing(struct finder *finder)
{
    const pare_syntax *syntax = finder->syntax;
    uint32_t last = PARE_NO_NODE, i;
    for (i = pare_syntax_first(syntax, 0); i != PARE_NO_NODE; i = pare_syntax_next(syntax, i))
        if (pare_syntax_is_element(syntax, i)) last = i;
    for (i = last; i != PARE_NO_NODE; i = pare_syntax_element_before(syntax, i))
        if (!(finder->drives[i] & DRIVER) && !holds_list(finder, i)) break;
    if (i == last) return;
    for (; i != PARE_NO_NODE; i = pare_syntax_element_before(syntax, i))
        finder->drives[i] &= (unsigned char)~DRIVER;
}

/* Finds the drivers, and offers their parts; the last statements by themselves, as they are
 * needed most often. Nothing is offered if the drivers together are a large part of the
 * program: it is then no library with a few lines that use it. */
static pare_status offer(const pare_syntax *syntax, size_t size, pare_drivers_part part,
                         pare_patches *out, pare_error *err)
{
    pare_bindings names = {.n_symbols = 0};
    struct finder finder = {.syntax = syntax,
                            .names = &names,
                            .size = size,
                            .drives = pare_alloc_zero(syntax->n, 1),
                            .lists = pare_alloc(MOST_LISTS, sizeof(uint32_t)),
                            .stamps = pare_alloc_zero(syntax->n, sizeof(uint32_t)),
                            .queue = pare_alloc(syntax->n, sizeof(uint32_t))};
    const bool all = finder.drives && finder.lists && finder.stamps && finder.queue;
    pare_status status = all ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_bindings_make(syntax, &names, err);
    if (!status && !(finder.seen = pare_alloc_zero(names.n_symbols + 1, sizeof(uint32_t))))
        status = pare_fail_nomem(err);
    if (!status) find(&finder);
    if (!status) keep_trailing(&finder);
    if (!status && are_small(&finder)) {
        status = offer_some(&finder, part, false, out, err);
        if (!status && part == PARE_DRIVERS_STATEMENTS)
            status = offer_some(&finder, part, true, out, err);
    }
    pare_bindings_done(&names);
    pare_alloc_free(finder.drives);
    pare_alloc_free(finder.lists);
    pare_alloc_free(finder.stamps);
    pare_alloc_free(finder.seen);
    pare_alloc_free(finder.queue);
    return status;
}

/* The program is made for this offer alone, as for that of a pass. */
pare_status pare_drivers_offer(const pare_pass_view *view, pare_drivers_part part,
                               pare_patches *out, pare_error *err)
{
    pare_syntax syntax = {.n = 0};
    bool known = false;
    pare_status status = pare_syntax_make(view, &known, &syntax, err);
    if (known && !status && syntax.n)
        status = offer(&syntax, view->end - view->begin, part, out, err);
    pare_syntax_done(&syntax);
    return status;
}
