/* A script as an algorithm: its function is a coroutine, which each proposal suspends.
 *
 * `strategy(n, test, unit)` is called once for each start.  `test(kept)` yields the list of the units
 * that stay, or a text; the engine finds the outcome, and the coroutine goes on with it as what
 * `test` returns.  So a script reads like an algorithm that runs its tests, and is a strategy that runs
 * none.  One Lua state for each start: nothing is left over from one to the next.
 *
 * Everything that may raise an error of Lua runs below lua_pcall or lua_resume.  What is pushed outside
 * of them allocates nothing: outcomes are strings that were made at the start.
 *
 * Invariant: the same outcomes give the same proposals: random numbers are seeded, what would go by
 * addresses (the order of pairs) is not there, and sorting does not go by the clock.
 * Source: ours; the box is that of campaign/template_functions.c.
 * Tested by tests/cli/test_strategy_script.sh. */
#include "session/test/strategy_script.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/file.h"

const char *pare_strategy_script_path(const char *command)
{
    static const char prefix[] = "lua:";
    const size_t size = sizeof prefix - 1;
    return command && strncmp(command, prefix, size) == 0 ? command + size : NULL;
}

#ifdef PARE_HAVE_LUA

#include <assert.h>
#include <stdbool.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <pare/outcome.h>

#include "base/lua_sort.h"
#include "base/vector.h"

/* How often the hook looks: a script pays for it by the step. */
enum { STEPS_A_LOOK = 100000 };

static const size_t MOST_BYTES = (size_t)1 << 28;       /* of a state */
static const uint64_t MOST_STEPS = UINT64_C(500000000); /* from one proposal to the next */

struct pare_strategy_script {
    char *path;         /* owned */
    pare_buffer script; /* its text */
};

/* One run of the script's strategy.  What Lua holds is in `lua`; `thread` is the
 * coroutine of the script's function. */
struct running {
    const pare_strategy_script *script;
    const pare_units *units;
    lua_State *lua, *thread; /* the thread is in the registry */
    int arguments;           /* for the thread when it goes on */
    pare_outcome outcome;
    size_t bytes; /* of the state */
    uint64_t steps;
    bool is_full, is_long;
    pare_unit_range *kept; /* owned; of the last proposal */
    size_t n_kept, kept_capacity;
    const char *text; /* of the last proposal, held by the thread's stack; NULL: units */
    size_t text_bytes;
};

/* Places of the registry. */
enum { THREAD = 1000, OUTCOMES = 1001 };

/* Lua's allocator (lua_Alloc), with a limit on the bytes of the state.
 * `before` is a type and no size where there is no block yet.  Making a block smaller
 * must not fail, so one that could not be moved stays where it is. */
static void *allocate(void *context, void *block, size_t before, size_t size)
{
    struct running *self = context;
    if (!block) before = 0;
    if (!size) {
        pare_alloc_free(block);
        self->bytes -= before;
        return NULL;
    }
    const bool is_full = size > before && self->bytes + (size - before) > MOST_BYTES;
    void *moved = is_full ? NULL : pare_alloc_resize(block, size, 1);
    if (!moved && size > before) {
        self->is_full = self->is_full || is_full;
        return NULL;
    }
    self->bytes += size - before;
    return moved ? moved : block;
}

/* A state belongs to one start: its allocator has it. */
static struct running *running_of(lua_State *lua)
{
    void *self;
    (void)lua_getallocf(lua, &self);
    return self;
}

/* A debug hook of Lua: ends a script that thinks for too long. */
static void count(lua_State *lua, lua_Debug *unused)
{
    struct running *self = running_of(lua);
    (void)unused;
    self->steps += STEPS_A_LOOK;
    if (self->steps <= MOST_STEPS) return;
    self->is_long = true;
    (void)luaL_error(lua, "it takes too many steps");
}

/* test(kept): suspends the script; the proposal goes to who resumed the thread, and
 * what that pushes is what test() returns.  A wrong argument is an error of the script
 * at that call. */
static int ask(lua_State *lua)
{
    luaL_argcheck(lua, lua_istable(lua, 1) || lua_type(lua, 1) == LUA_TSTRING, 1,
                  "the units that stay, or a text");
    lua_settop(lua, 1);
    return lua_yield(lua, 1);
}

/* unit(i): the text of a unit. */
static int read_unit(lua_State *lua)
{
    const struct running *self = running_of(lua);
    const lua_Integer i = luaL_checkinteger(lua, 1);
    luaL_argcheck(lua, i >= 1 && (lua_Unsigned)i <= self->units->n, 1, "there is no such unit");
    const pare_unit_range unit = self->units->units[i - 1];
    lua_pushlstring(lua, (const char *)self->units->text + unit.from, unit.to - unit.from);
    return 1;
}

/* The libraries that a script needs to compute, less what reaches files, loads code, or
 * makes two runs differ.  The random numbers are seeded with the same number each time. */
static void open_box(lua_State *lua)
{
    static const luaL_Reg libraries[] = {{"_G", luaopen_base},
                                         {"string", luaopen_string},
                                         {"table", luaopen_table},
                                         {"math", luaopen_math},
                                         {"utf8", luaopen_utf8}};
    /* pcall and xpcall would catch the end that `count` brings; pairs and next go by addresses. */
    static const char *const hidden[] = {
        "dofile",         "load",  "loadfile", "print", "require", "warn",
        "collectgarbage", "pcall", "xpcall",   "pairs", "next"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        luaL_requiref(lua, libraries[i].name, libraries[i].func, 1);
        lua_pop(lua, 1);
    }
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        lua_pushnil(lua);
        lua_setglobal(lua, hidden[i]);
    }
    pare_lua_sort_install(lua);
    (void)lua_getglobal(lua, "math");
    (void)lua_getfield(lua, -1, "randomseed");
    lua_pushinteger(lua, 0);
    lua_call(lua, 1, 0);
    lua_pop(lua, 1);
}

/* Opens the box, runs the script's top level, and makes the thread of its function,
 * with its three arguments on the thread's stack.  Called by lua_pcall, so that any
 * error in it comes back as a code. */
static int load(lua_State *lua)
{
    static const char *const names[] = {"FAIL", "PASS", "UNRESOLVED"};
    struct running *self = running_of(lua);
    const pare_strategy_script *script = self->script;
    open_box(lua);
    /* Interned strings: telling an outcome allocates nothing then. */
    lua_createtable(lua, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_pushstring(lua, names[i]);
        lua_rawseti(lua, -2, i + 1);
    }
    lua_rawseti(lua, LUA_REGISTRYINDEX, OUTCOMES);
    lua_pushfstring(lua, "@%s", script->path);
    /* Text only: precompiled code is not checked by Lua. */
    if (luaL_loadbufferx(lua, script->script.size ? script->script.data : "", script->script.size,
                         lua_tostring(lua, -1), "t"))
        return lua_error(lua);
    lua_call(lua, 0, 0);
    self->thread = lua_newthread(lua);
    lua_rawseti(lua, LUA_REGISTRYINDEX, THREAD);
    if (lua_getglobal(lua, "strategy") != LUA_TFUNCTION)
        return luaL_error(lua, "%s: there is no function 'strategy'", script->path);
    luaL_checkstack(self->thread, 8, NULL);
    lua_xmove(lua, self->thread, 1);
    /* Without units it is only looked at, and not run. */
    lua_pushinteger(self->thread, (lua_Integer)(self->units ? self->units->n : 0));
    lua_pushcfunction(self->thread, ask);
    lua_pushcfunction(self->thread, read_unit);
    self->arguments = 3;
    return 0;
}

/* Fails with the message on top of `lua`'s stack; what a limit has ended is told as
 * that, whatever message Lua has for it. */
static pare_status fail(const struct running *self, lua_State *lua, int code, pare_error *err)
{
    const char *path = self->script->path;
    if (self->is_full)
        return pare_fail(err, PARE_E_LIMIT, "%s: it needs more than %zu MiB of memory", path,
                         MOST_BYTES >> 20);
    if (code == LUA_ERRMEM) return pare_fail_nomem(err);
    return pare_fail(err, self->is_long ? PARE_E_LIMIT : PARE_E_SYNTAX, "%s",
                     lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : path);
}

static void script_end(void *state)
{
    struct running *self = state;
    if (!self) return;
    if (self->lua) lua_close(self->lua);
    assert((!self->lua || !self->bytes) && "Lua gives all of its memory back");
    pare_alloc_free(self->kept);
    pare_alloc_free(self);
}

/* A pare_own_strategy's start.  Also called once without units, by
 * pare_strategy_script_new, to see that the script is one. */
static pare_status script_start(void *context, const pare_units *units, void **state,
                                pare_error *err)
{
    struct running *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->script = context;
    self->units = units;
    self->lua = lua_newstate(allocate, self);
    pare_status status = self->lua ? PARE_OK : pare_fail_nomem(err);
    if (!status) {
        lua_sethook(self->lua, count, LUA_MASKCOUNT, STEPS_A_LOOK);
        lua_pushcfunction(self->lua, load);
        const int code = lua_pcall(self->lua, 0, 0, 0);
        if (code) status = fail(self, self->lua, code, err);
    }
    if (status)
        script_end(self);
    else
        *state = self;
    return status;
}

/* ---- proposals ------------------------------------------------------------------------- */

/* Adds a unit (from 0) to the ranges that stay, or makes the last range longer.  Units
 * have to ascend, as those of all proposals. */
static pare_status keep_unit(struct running *self, size_t unit, pare_error *err)
{
    pare_unit_range *last = self->n_kept ? &self->kept[self->n_kept - 1] : NULL;
    if (last && unit < last->to)
        return pare_fail(err, PARE_E_SYNTAX, "%s: units to keep do not ascend", self->script->path);
    if (last && unit == last->to) {
        last->to++;
        return PARE_OK;
    }
    pare_unit_range *kept =
        pare_vector_reserve(self->kept, &self->kept_capacity, self->n_kept + 1, sizeof *kept);
    if (!kept) return pare_fail_nomem(err);
    self->kept = kept;
    kept[self->n_kept++] = (pare_unit_range){unit, unit + 1};
    return PARE_OK;
}

/* Reads the list on top of the thread into self->kept: {1, 2, 5} are the ranges 0 .. 1
 * and 4 .. 4, as Lua counts from 1.  Raw access, which raises no error and calls no
 * function of the script's. */
static pare_status read_list(struct running *self, pare_error *err)
{
    lua_State *thread = self->thread;
    const lua_Unsigned n = lua_rawlen(thread, -1);
    pare_status status = PARE_OK;
    self->n_kept = 0;
    for (lua_Unsigned i = 1; !status && i <= n; i++) {
        int is_number = 0;
        (void)lua_rawgeti(thread, -1, (lua_Integer)i);
        const lua_Integer unit = lua_tointegerx(thread, -1, &is_number);
        lua_pop(thread, 1);
        if (!is_number || unit < 1 || (lua_Unsigned)unit > self->units->n)
            status = pare_fail(err, PARE_E_SYNTAX, "%s: a unit to keep does not exist",
                               self->script->path);
        else
            status = keep_unit(self, (size_t)unit - 1, err);
    }
    return status;
}

/* A pare_own_strategy's next: lets the script go on to its next call of test(), or to
 * its end.  The text of a proposal is Lua's, and stays on the thread's stack until the
 * outcome is told. */
static pare_status script_next(void *state, bool *done, pare_proposal *proposal, pare_error *err)
{
    struct running *self = state;
    int results = 0;
    self->steps = 0;
    const int code = lua_resume(self->thread, self->lua, self->arguments, &results);
    *done = code == LUA_OK;
    if (*done) return PARE_OK;
    if (code != LUA_YIELD) return fail(self, self->thread, code, err);
    self->text = NULL;
    if (lua_type(self->thread, -1) == LUA_TSTRING) {
        self->text = lua_tolstring(self->thread, -1, &self->text_bytes);
        *proposal = (pare_proposal){.text = self->text, .text_bytes = self->text_bytes};
        return PARE_OK;
    }
    const pare_status status = read_list(self, err);
    *proposal = (pare_proposal){.kept = self->kept, .n_kept = self->n_kept};
    return status;
}

/* The outcome is what `test` returns; it was made at the start. */
static pare_status script_tell(void *state, pare_outcome outcome, pare_error *err)
{
    struct running *self = state;
    const int place = outcome == PARE_FAIL ? 1 : outcome == PARE_PASS ? 2 : 3;
    (void)err;
    lua_settop(self->thread, 0);
    (void)lua_rawgeti(self->thread, LUA_REGISTRYINDEX, OUTCOMES);
    (void)lua_rawgeti(self->thread, -1, place);
    lua_remove(self->thread, -2);
    self->arguments = 1;
    return PARE_OK;
}

/* ---- the script ------------------------------------------------------------------------ */

void pare_strategy_script_free(pare_strategy_script *script)
{
    if (!script) return;
    pare_alloc_free(script->path);
    pare_buffer_done(&script->script);
    pare_alloc_free(script);
}

/* A script that cannot be read, or has no `strategy`, is refused before the input is
 * tested. */
pare_status pare_strategy_script_new(const char *path, pare_strategy_script **out, pare_error *err)
{
    void *once = NULL;
    pare_strategy_script *script = pare_alloc_zero(1, sizeof *script);
    if (!script) return pare_fail_nomem(err);
    script->path = pare_alloc_text(path, strlen(path));
    pare_status status = script->path ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_file_read(path, &script->script, err);
    if (!status) status = script_start(script, NULL, &once, err);
    script_end(once);
    if (status)
        pare_strategy_script_free(script);
    else
        *out = script;
    return status;
}

pare_own_strategy pare_strategy_script_as_strategy(pare_strategy_script *script)
{
    return (pare_own_strategy){.context = script,
                               .start = script_start,
                               .next = script_next,
                               .tell = script_tell,
                               .end = script_end};
}

#else

pare_status pare_strategy_script_new(const char *path, pare_strategy_script **out, pare_error *err)
{
    (void)out;
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "%s: pare was built without Lua: install liblua5.4-dev and build it again",
                     path);
}

void pare_strategy_script_free(pare_strategy_script *script)
{
    (void)script;
}

pare_own_strategy pare_strategy_script_as_strategy(pare_strategy_script *script)
{
    return (pare_own_strategy){.context = script};
}

#endif
