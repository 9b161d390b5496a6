/* Hooks in Lua: the only file that knows Lua, including the table of declared names that scripts
 * use.
 *
 * Everything that may raise an error in Lua runs below lua_pcall; our own functions that Lua calls
 * own nothing that a long jump would leak.  A failure of ours (a limit, a list of choices that has
 * ended) is kept in `stopped`, and nil is thrown: a script can neither catch nor hide it.  A script
 * is run again for each text, in a new state, which costs some microseconds and makes a text depend
 * only on its choices.
 *
 * Why Lua: a hook is a few lines between two rules and should not need a compiler; Lua is small,
 * can be sandboxed, and counts its own instructions. */
#include "generate/hooks.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"

/* --- declared names ---------------------------------------------------------------------- */

/* They stand in the order of their declaration; built without Lua, too, for other generators. */

/* The memory stays, for the next text. */
void pare_hooks_names_reset(pare_hooks_names *declared)
{
    pare_buffer_reset(&declared->texts);
    declared->n = 0;
    declared->n_visible = 0;
}

/* Texts and places of names are two arrays. */
void pare_hooks_names_done(pare_hooks_names *declared)
{
    pare_buffer_done(&declared->texts);
    pare_alloc_free(declared->names);
    *declared = (pare_hooks_names){0};
}

/* The text is copied; offsets stay good when the buffer grows. */
pare_status pare_hooks_names_define(pare_hooks_names *declared, const char *name, size_t size,
                                    pare_error *err)
{
    /* Offsets are 32 bits, which keeps a name at 8 bytes. */
    size_t offset = declared->texts.size;
    if (offset + size > UINT32_MAX)
        return pare_fail(err, PARE_E_LIMIT, "the declared names are too long");
    pare_name *names =
        pare_vector_grow(declared->names, declared->n, &declared->capacity, sizeof *names);
    if (!names) return pare_fail_nomem(err);
    declared->names = names;
    pare_status status = pare_buffer_add(&declared->texts, name, size, err);
    if (status) return status;
    declared->names[declared->n++] = (pare_name){(uint32_t)offset, (uint32_t)size};
    return PARE_OK;
}

/* A name that is declared in a declarator must not be used in its own initialiser; what is
 * committed may. */
void pare_hooks_names_commit(pare_hooks_names *declared)
{
    assert(declared->n_visible <= declared->n);
    declared->n_visible = declared->n;
}

#ifdef PARE_HAVE_LUA

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "base/buffer.h"
#include "base/lua_sort.h"
#include "os/clock.h"
#include "reduce/choice/choices.h"

enum { STEPS_A_LOOK = 1000, MAX_NAME = 200 };

static const char *const times[] = {[PARE_HOOK_PRE] = "pre", [PARE_HOOK_POST] = "post"};

/* A hook that the script defines. */
struct named {
    pare_hook_time time;
    char *name; /* owned */
    bool found;
};

/* A call in progress.  On the C stack, since calls nest. */
struct call {
    struct call *outer; /* NULL: none */
    const struct named *hook;
    const pare_hook_host *host;
    const char *name, *text;
    size_t size;
    pare_buffer *result;
    bool replaced;
};

/* A script and its state.  The number of a hook is its index in `named`, which every state of
 * a script has in the same order. */
struct pare_hooks {
    char *path, *script; /* owned */
    size_t size;
    struct named *named; /* owned; by time, then by name */
    size_t n, capacity;
    lua_State *lua; /* owned; of the text at hand; NULL: it called none yet */
    struct call *call;
    size_t bytes; /* of the state */
    bool is_full; /* what failed last failed by the limit, not for want of memory */
    uint64_t steps, choices;
    double begin_s; /* processor time at the outermost call */
    pare_error stopped;
};

/* --- the box ---------------------------------------------------------------------- */

/* Lua's allocator, with a limit on the bytes of the state.  Blocks that are made smaller never
 * fail.  Counted by Lua's own sizes, which are those of its requests. */
static void *allocate(void *context, void *block, size_t before, size_t size)
{
    pare_hooks *hooks = context;
    if (!block) before = 0;
    if (!size) {
        pare_alloc_free(block);
        hooks->bytes -= before;
        return NULL;
    }
    /* The limit and a lack of memory look the same to Lua; which one it was is kept for the
     * sentence. */
    bool is_full = size > before && hooks->bytes + (size - before) > PARE_HOOKS_BYTES;
    void *moved = is_full ? NULL : pare_alloc_resize(block, size, 1);
    if (!moved && size > before) {
        hooks->is_full = is_full;
        return NULL;
    }
    hooks->bytes += size - before;
    return moved ? moved : block; /* Lua relies on it that blocks can be made smaller */
}

/* The hooks that a state belongs to: they are its allocator's context.  Lua gives the context
 * back with the allocator, so no registry is needed. */
static pare_hooks *hooks_of(lua_State *lua)
{
    void *hooks;
    (void)lua_getallocf(lua, &hooks);
    return hooks;
}

/* Ends the script: the failure is in hooks->stopped.  Does not return: Lua jumps. */
static int stop(lua_State *lua)
{
    lua_pushnil(lua);
    return lua_error(lua);
}

/* A debug hook of Lua, called every STEPS_A_LOOK instructions: ends a script that takes too
 * many, or too much time.  Every 1,000 instructions. */
static void count(lua_State *lua, lua_Debug *unused)
{
    pare_hooks *hooks = hooks_of(lua);
    (void)unused;
    /* Both limits are looked at here: instructions bound what a script does, time what single
     * instructions do (a long string.rep, a sort). */
    hooks->steps += STEPS_A_LOOK;
    if (hooks->steps > PARE_HOOKS_STEPS)
        (void)pare_fail(&hooks->stopped, PARE_E_LIMIT, "it takes more than %d steps",
                        PARE_HOOKS_STEPS);
    else if (pare_clock_thread_cpu_s() - hooks->begin_s > PARE_HOOKS_SECONDS)
        (void)pare_fail(&hooks->stopped, PARE_E_LIMIT, "it takes more than %d seconds",
                        PARE_HOOKS_SECONDS);
    else
        return;
    (void)stop(lua);
}

/* string.rep, without endless repetition of nothing and within the limit of memory.  Checked
 * before anything is made: one call could otherwise ask for all memory there is. */
static int repeat(lua_State *lua)
{
    size_t size, between_size;
    const char *text = luaL_checklstring(lua, 1, &size);
    lua_Integer n = luaL_checkinteger(lua, 2);
    const char *between = luaL_optlstring(lua, 3, "", &between_size);
    luaL_Buffer buffer;
    /* Zero bytes repeated any number of times are nothing, at once. */
    if (n < 0 || size + between_size == 0) n = 0;
    if (n > PARE_HOOKS_BYTES || (size + between_size) * (size_t)n > PARE_HOOKS_BYTES)
        return luaL_error(lua, "the repeated text is too long");
    luaL_buffinit(lua, &buffer);
    for (lua_Integer i = 0; i < n; i++) {
        if (i) luaL_addlstring(&buffer, between, between_size);
        luaL_addlstring(&buffer, text, size);
    }
    luaL_pushresult(&buffer);
    return 1;
}

/* string.find of a plain text: patterns can take for ever in one step.  As Lua's own with
 * `plain`: the place of the first byte and that of the last, counted from 1. */
static int find(lua_State *lua)
{
    size_t size, wanted_size;
    const char *text = luaL_checklstring(lua, 1, &size);
    const char *wanted = luaL_checklstring(lua, 2, &wanted_size);
    lua_Integer from = luaL_optinteger(lua, 3, 1);
    /* As in Lua: from the end if negative, and never before the first byte. */
    if (from < 0) from += (lua_Integer)size + 1;
    if (from < 1) from = 1;
    const char *found = (size_t)from > size + 1
                            ? NULL
                            : memmem(text + from - 1, size - (size_t)from + 1, wanted, wanted_size);
    if (!found) return 0;
    lua_pushinteger(lua, found - text + 1);
    lua_pushinteger(lua, found - text + (lua_Integer)wanted_size);
    return 2;
}

/* Refuses arguments that are no text and no number: they would be shown by their address,
 * which differs from run to run.  Two runs of one text must give the same bytes. */
static void check_plain(lua_State *lua, int from)
{
    for (int i = from; i <= lua_gettop(lua); i++)
        luaL_argcheck(lua, lua_isstring(lua, i), i, "a text or a number is expected");
}

/* string.format without addresses; the original is the upvalue.  The directives are Lua's: %d,
 * %s, %q and so on. */
static int format(lua_State *lua)
{
    const char *at = luaL_checkstring(lua, 1);
    check_plain(lua, 2);
    /* Only %p is refused here; all other directives can show nothing but texts and numbers. */
    while ((at = strchr(at, '%')) != NULL) {
        at++;
        at += strspn(at, "-+ #0123456789.");
        if (*at == 'p') return luaL_error(lua, "'%%p' is not possible here");
        if (*at) at++;
    }
    /* Calls the original with the same arguments. */
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, lua_gettop(lua) - 1, 1);
    return 1;
}

/* tostring without the addresses of tables and functions, which differ from run to run.
 * Numbers are shown as Lua shows them, which is the same everywhere. */
static int to_string(lua_State *lua)
{
    luaL_checkany(lua, 1);
    int type = lua_type(lua, 1);
    luaL_argcheck(lua, type == LUA_TNIL || type == LUA_TBOOLEAN || lua_isstring(lua, 1), 1,
                  "only texts, numbers, booleans and nil can be shown");
    (void)luaL_tolstring(lua, 1, NULL);
    return 1;
}

/* Takes functions that a script must not have out of a library.  The functions stay in the
 * library; the script has no name for them. */
static void clear(lua_State *lua, const char *table, const char *const *names)
{
    lua_getglobal(lua, table);
    for (; *names; names++) {
        lua_pushnil(lua);
        lua_setfield(lua, -2, *names);
    }
    lua_pop(lua, 1);
}

/* Opens the libraries that scripts get, without what could tell one run from another.  `next`
 * and `pairs` go because their order differs from state to state; lists can be walked by
 * ipairs. */
static void open_libraries(lua_State *lua)
{
    static const luaL_Reg libraries[] = {{"_G", luaopen_base},
                                         {"string", luaopen_string},
                                         {"table", luaopen_table},
                                         {"math", luaopen_math},
                                         {"utf8", luaopen_utf8}};
    static const char *const base[] = {
        "collectgarbage", "dofile", "getmetatable", "load",         "loadfile", "next",   "pairs",
        "pcall",          "print",  "require",      "setmetatable", "warn",     "xpcall", NULL};
    static const char *const strings[] = {"dump", "gmatch", "gsub", "match", NULL};
    static const char *const tables[] = {"move", NULL};
    static const char *const numbers[] = {"random", "randomseed", NULL};
    /* Libraries are opened one by one: io, os, debug and package stay out. */
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        luaL_requiref(lua, libraries[i].name, libraries[i].func, 1);
        lua_pop(lua, 1);
    }
    clear(lua, "_G", base);
    clear(lua, "string", strings);
    clear(lua, "table", tables);
    clear(lua, "math", numbers);
    /* What shows addresses, or can run for ever in one step, gets a form of ours. */
    lua_register(lua, "tostring", to_string);
    lua_getglobal(lua, "string");
    lua_getfield(lua, -1, "format");
    lua_pushcclosure(lua, format, 1);
    lua_setfield(lua, -2, "format");
    lua_pushcfunction(lua, repeat);
    lua_setfield(lua, -2, "rep");
    lua_pushcfunction(lua, find);
    lua_setfield(lua, -2, "find");
    lua_pop(lua, 1);
    pare_lua_sort_install(lua);
}

/* --- what hooks can call ------------------------------------------------------------ */

/* The call in progress; while the script is loaded there is none, and asking for it is an
 * error of the script.  The host is the generator at hand, with its list of choices and its
 * names. */
static struct call *call_of(lua_State *lua)
{
    struct call *call = hooks_of(lua)->call;
    if (!call) (void)luaL_error(lua, "this can be called in a hook only");
    return call;
}

/* The list of choices, for one more of a hook's; past the limit the script ends. */
static pare_choices *choices_of(lua_State *lua)
{
    pare_hooks *hooks = hooks_of(lua);
    struct call *call = call_of(lua);
    if (++hooks->choices <= PARE_HOOKS_CHOICES) return call->host->choices;
    (void)pare_fail(&hooks->stopped, PARE_E_LIMIT, "it asks for more than %d choices",
                    PARE_HOOKS_CHOICES);
    (void)stop(lua);
    /* Not reached: stop() does not return. */
    return NULL;
}

/* choose(n): 1 to n.  choose(low, high): a number between the two, both included.  The
 * smallest value is the simplest one to a reducer. */
static int choose(lua_State *lua)
{
    lua_Integer low = 1, high = luaL_checkinteger(lua, 1);
    int64_t value = 0;
    if (!lua_isnoneornil(lua, 2)) {
        low = high;
        high = luaL_checkinteger(lua, 2);
    }
    /* All of the 64-bit range would be 2^64 values, one more than a choice can have. */
    luaL_argcheck(lua, low <= high && (low > INT64_MIN || high < INT64_MAX), 1,
                  "there is nothing to choose from");
    pare_choices *choices = choices_of(lua);
    if (pare_choices_integer(choices, low, high, low, &value, &hooks_of(lua)->stopped))
        return stop(lua);
    lua_pushinteger(lua, value);
    return 1;
}

/* chance(p): true with that chance. false is the simpler outcome. */
static int chance(lua_State *lua)
{
    lua_Number chance_wanted = luaL_checknumber(lua, 1);
    bool happens = false;
    luaL_argcheck(lua, chance_wanted >= 0 && chance_wanted <= 1, 1, "a chance is 0 to 1");
    pare_choices *choices = choices_of(lua);
    if (pare_choices_chance(choices, chance_wanted, &happens, &hooks_of(lua)->stopped))
        return stop(lua);
    lua_pushboolean(lua, happens);
    return 1;
}

/* define(text): declares a name, which is not visible before commit(). */
static int define(lua_State *lua)
{
    size_t size;
    const char *name = luaL_checklstring(lua, 1, &size);
    pare_hooks_names *declared = call_of(lua)->host->declared;
    return pare_hooks_names_define(declared, name, size, &hooks_of(lua)->stopped) ? stop(lua) : 0;
}

/* commit(): the declared names are visible. */
static int commit(lua_State *lua)
{
    pare_hooks_names_commit(call_of(lua)->host->declared);
    return 0;
}

/* names(): a table of the visible names, in the order of their declaration.  A new table for
 * each call: the script may change it. */
static int names(lua_State *lua)
{
    const pare_hooks_names *declared = call_of(lua)->host->declared;
    lua_createtable(lua, 0, 0);
    for (size_t i = 0; i < declared->n_visible; i++) {
        pare_name name = declared->names[i];
        lua_pushlstring(lua, declared->texts.data + name.offset, name.size);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* make(): in a pre hook, the text that would have been made.  Only a pre hook stands before
 * something that is not made yet. */
static int make(lua_State *lua)
{
    const pare_hook_host *host = call_of(lua)->host;
    if (!host->make) return luaL_error(lua, "make() is for pre hooks");
    size_t begin = host->text->size;
    pare_error said = {0}; /* hooks within may use `stopped` */
    if (host->make(host->self, &said)) {
        hooks_of(lua)->stopped = said;
        return stop(lua);
    }
    size_t size = host->text->size - begin;
    /* The text is taken out again: the hook decides what becomes of it. */
    lua_pushlstring(lua, size ? host->text->data + begin : "", size);
    host->text->size = begin;
    return 1;
}

/* reject(): this text is given up.  The text is tried again with other choices (batch.c). */
static int reject(lua_State *lua)
{
    (void)call_of(lua);
    (void)pare_fail(&hooks_of(lua)->stopped, PARE_E_UNSUPPORTED, "it rejects the text");
    return stop(lua);
}

/* --- states --------------------------------------------------------------------------- */

/* Makes the box and runs the script; the tables of hooks are left in the registry.  Raises
 * errors freely: it runs below lua_pcall. */
static int load(lua_State *lua)
{
    static const luaL_Reg functions[] = {{"choose", choose}, {"chance", chance}, {"define", define},
                                         {"commit", commit}, {"names", names},   {"make", make},
                                         {"reject", reject}};
    pare_hooks *hooks = hooks_of(lua);
    open_libraries(lua);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        lua_register(lua, functions[i].name, functions[i].func);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        /* The same table is the script's global and ours in the registry, which the script
         * cannot reach. */
        lua_newtable(lua);
        lua_pushvalue(lua, -1);
        lua_setfield(lua, LUA_REGISTRYINDEX, times[i]);
        lua_setglobal(lua, times[i]);
    }
    lua_pushfstring(lua, "@%s", hooks->path);
    /* Text only: precompiled code is not checked by Lua, and could do anything. */
    if (luaL_loadbufferx(lua, hooks->script, hooks->size, lua_tostring(lua, -1), "t"))
        return lua_error(lua);
    lua_call(lua, 0, 0);
    return 0;
}

/* Pre hooks first. */
static int compare(const struct named *a, const struct named *b)
{
    return a->time != b->time ? (a->time < b->time ? -1 : 1) : strcmp(a->name, b->name);
}

/* Puts a hook at its place in the sorted list.  Insertion: scripts have a dozen hooks. */
static pare_status add_named(pare_hooks *hooks, pare_hook_time time, const char *name, size_t size)
{
    struct named *grown = pare_vector_grow(hooks->named, hooks->n, &hooks->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(&hooks->stopped);
    hooks->named = grown;
    struct named named = {.time = time, .name = pare_alloc_text(name, size)};
    if (!named.name) return pare_fail_nomem(&hooks->stopped);
    size_t at = hooks->n++;
    for (; at && compare(&named, &grown[at - 1]) < 0; at--)
        grown[at] = grown[at - 1];
    grown[at] = named;
    return PARE_OK;
}

/* Notes the names of all hooks that the script defines.  Lua's order of a table varies, so the
 * list is sorted.  Runs below lua_pcall, too. */
static int list(lua_State *lua)
{
    pare_hooks *hooks = hooks_of(lua);
    for (int time = PARE_HOOK_PRE; time <= PARE_HOOK_POST; time++) {
        lua_getfield(lua, LUA_REGISTRYINDEX, times[time]);
        for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) {
            size_t size = 0;
            /* lua_next must not see its key changed, so a key that is no string is not
             * converted. */
            const char *name =
                lua_type(lua, -2) == LUA_TSTRING ? lua_tolstring(lua, -2, &size) : "";
            if (!lua_isfunction(lua, -1) || !size || size > MAX_NAME || strlen(name) != size)
                return luaL_error(lua, "%s: '%s' holds functions by their names", hooks->path,
                                  times[time]);
            if (add_named(hooks, (pare_hook_time)time, name, size)) return stop(lua);
        }
        lua_pop(lua, 1);
    }
    return 0;
}

/* Runs a function of ours below lua_pcall, and says in *err what went wrong: what we noted in
 * `stopped`, a lack of memory, or what the script said.  The stack of Lua is as before
 * afterwards, whatever happened. */
static pare_status protect(pare_hooks *hooks, lua_CFunction function, pare_error *err)
{
    lua_State *lua = hooks->lua;
    hooks->is_full = false;
    hooks->stopped = (pare_error){0};
    /* Only the outermost call starts the clock: what a hook has made is part of its time. */
    if (!hooks->call || !hooks->call->outer) hooks->begin_s = pare_clock_thread_cpu_s();
    lua_pushcfunction(lua, function);
    int code = lua_pcall(lua, 0, 0, 0);
    if (!code) return PARE_OK;
    pare_error stopped = hooks->stopped;
    pare_status status = stopped.status;
    /* Our own failures come first: Lua knows of them only that nil was thrown. */
    if (status) {
        (void)pare_fail(err, status, "%s", stopped.message);
    } else if (code == LUA_ERRMEM && !hooks->is_full) {
        status = pare_fail_nomem(err);
    } else if (code == LUA_ERRMEM) {
        status = pare_fail(err, PARE_E_LIMIT, "it needs more than %d MiB of memory",
                           PARE_HOOKS_BYTES >> 20);
    } else {
        const char *said = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "an error";
        status = pare_fail(err, PARE_E_SYNTAX, "%s", said);
    }
    lua_pop(lua, 1);
    return status;
}

/* Ends the state of the text at hand; the next call opens another.  Globals of a script do not
 * outlive the text. */
static void close_state(pare_hooks *hooks)
{
    if (hooks->lua) lua_close(hooks->lua);
    hooks->lua = NULL;
}

/* Opens a state and runs the script in it, unless there is one.  No call is in progress while
 * the script runs at its top level. */
static pare_status open_state(pare_hooks *hooks, pare_error *err)
{
    if (hooks->lua) return PARE_OK;
    hooks->bytes = 0;
    hooks->steps = hooks->choices = 0;
    hooks->lua = lua_newstate(allocate, hooks);
    if (!hooks->lua) return pare_fail_nomem(err);
    lua_sethook(hooks->lua, count, LUA_MASKCOUNT, STEPS_A_LOOK);
    /* The script's top level is no hook, so it finds no call in progress. */
    struct call *call = hooks->call;
    hooks->call = NULL;
    pare_error said = {0};
    pare_status status = protect(hooks, load, &said);
    hooks->call = call;
    if (!status) return PARE_OK;
    close_state(hooks);
    /* Lua puts the path before its sentences, we do not. */
    bool named = strncmp(said.message, hooks->path, strlen(hooks->path)) == 0;
    return named ? pare_fail(err, status, "%s", said.message)
                 : pare_fail(err, status, "%s: %s", hooks->path, said.message);
}

pare_status pare_hooks_new(const char *path, const char *script, size_t size, pare_hooks **out,
                           pare_error *err)
{
    pare_hooks *hooks = pare_alloc_zero(1, sizeof *hooks);
    if (!hooks) return pare_fail_nomem(err);
    hooks->path = pare_alloc_text(path, strlen(path));
    hooks->script = pare_alloc_text(script, size);
    hooks->size = size;
    pare_status status = hooks->path && hooks->script ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = open_state(hooks, err);
    if (!status) status = protect(hooks, list, err);
    if (status) {
        pare_hooks_free(hooks);
        return status;
    }
    *out = hooks;
    return PARE_OK;
}

void pare_hooks_free(pare_hooks *hooks)
{
    if (!hooks) return;
    close_state(hooks);
    for (size_t i = 0; i < hooks->n; i++)
        pare_alloc_free(hooks->named[i].name);
    pare_alloc_free(hooks->named);
    pare_alloc_free(hooks->path);
    pare_alloc_free(hooks->script);
    pare_alloc_free(hooks);
}

/* The state goes; a text that calls no hook never opens one. */
void pare_hooks_start(pare_hooks *hooks)
{
    close_state(hooks);
}

/* A linear search: names are looked up once, before texts are made. */
pare_hook_pair pare_hooks_find(pare_hooks *hooks, const char *name)
{
    pare_hook_pair pair = {PARE_NO_HOOK, PARE_NO_HOOK};
    for (size_t i = 0; hooks && i < hooks->n; i++) {
        if (strcmp(hooks->named[i].name, name) != 0) continue;
        hooks->named[i].found = true;
        *(hooks->named[i].time == PARE_HOOK_PRE ? &pair.pre : &pair.post) = (pare_hook_number)i;
    }
    return pair;
}

pare_status pare_hooks_check_found(const pare_hooks *hooks, pare_error *err)
{
    for (size_t i = 0; hooks && i < hooks->n; i++)
        if (!hooks->named[i].found)
            return pare_fail(err, PARE_E_SYNTAX,
                             "%s: the hook %s['%s'] names no rule, alternative or symbol of the "
                             "grammar",
                             hooks->path, times[hooks->named[i].time], hooks->named[i].name);
    return PARE_OK;
}

/* --- calls -------------------------------------------------------------------------------- */

/* Calls the hook of the call in progress, with its arguments, and keeps what it returns.  The
 * hook is fetched by its name in the table that was kept in the registry: what the script has
 * done to its global since does not matter. */
static int run(lua_State *lua)
{
    pare_hooks *hooks = hooks_of(lua);
    struct call *call = hooks->call;
    int n_arguments = 0;
    lua_getfield(lua, LUA_REGISTRYINDEX, times[call->hook->time]);
    lua_pushstring(lua, call->hook->name);
    lua_rawget(lua, -2);
    if (call->text) {
        lua_pushlstring(lua, call->text, call->size);
        n_arguments++;
    }
    lua_pushstring(lua, call->name);
    lua_call(lua, n_arguments + 1, 1);
    /* nil leaves the thing as it is. */
    if (lua_isnil(lua, -1)) return 0;
    if (!lua_isstring(lua, -1))
        return luaL_error(lua, "it returns a %s, not a text or nil", luaL_typename(lua, -1));
    size_t size;
    const char *text = lua_tolstring(lua, -1, &size);
    call->replaced = true;
    return pare_buffer_add(call->result, text, size, &hooks->stopped) ? stop(lua) : 0;
}

/* Hooks may call others by make(), so calls are a list.  A failure that names its hook already
 * is handed on as it is. */
pare_status pare_hooks_call(pare_hooks *hooks, const pare_hook_call *called, pare_buffer *result,
                            bool *replaced, pare_error *err)
{
    assert(called->hook < hooks->n);
    const struct named *named = &hooks->named[called->hook];
    struct call call = {.outer = hooks->call,
                        .hook = named,
                        .host = called->host,
                        .name = called->name,
                        .text = called->text,
                        .size = called->size,
                        .result = result};
    pare_status status = open_state(hooks, err);
    if (status) return status;
    pare_error said = {0};
    hooks->call = &call;
    status = protect(hooks, run, &said);
    hooks->call = call.outer;
    *replaced = call.replaced;
    if (!status) return PARE_OK;
    /* A hook within this one has named itself in the sentence. */
    if (status == PARE_E_NOMEM || strncmp(said.message, "hook ", 5) == 0)
        return pare_fail(err, status, "%s", said.message);
    return pare_fail(err, status, "hook %s['%s']: %s", times[named->time], named->name,
                     said.message);
}

#else

pare_status pare_hooks_new(const char *path, const char *script, size_t size, pare_hooks **out,
                           pare_error *err)
{
    (void)script, (void)size, (void)out;
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "%s: pare was built without Lua: install liblua5.4-dev and build it again",
                     path);
}

void pare_hooks_free(pare_hooks *hooks)
{
    (void)hooks;
}

void pare_hooks_start(pare_hooks *hooks)
{
    (void)hooks;
}

pare_hook_pair pare_hooks_find(pare_hooks *hooks, const char *name)
{
    (void)hooks, (void)name;
    return (pare_hook_pair){PARE_NO_HOOK, PARE_NO_HOOK};
}

pare_status pare_hooks_check_found(const pare_hooks *hooks, pare_error *err)
{
    (void)hooks, (void)err;
    return PARE_OK;
}

pare_status pare_hooks_call(pare_hooks *hooks, const pare_hook_call *called, pare_buffer *result,
                            bool *replaced, pare_error *err)
{
    (void)hooks, (void)called, (void)result, (void)replaced;
    return pare_fail(err, PARE_E_UNSUPPORTED, "pare was built without Lua");
}

#endif
