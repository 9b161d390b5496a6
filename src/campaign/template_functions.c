/* Functions in Lua for templates: the one file of the campaign that knows Lua.
 *
 * One state for a script, whose globals stay from call to call.  Everything that may raise an error
 * runs below lua_pcall, and our functions that Lua calls own nothing that a long jump would leak.
 * The script is the user's own, but its arguments are not: texts are cut to
 * PARE_TEMPLATE_FUNCTIONS_TEXT bytes, memory and instructions are limited, and functions that could
 * reach files or load code are removed.  This is weaker than the sandbox of the hooks
 * (generate/hooks.c): patterns and iteration are allowed, since a report need not be the same from
 * run to run; sorting is the same all the same, as equal rows should not trade places. */
#include "campaign/template_functions.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"

#ifdef PARE_HAVE_LUA

#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "base/lua_sort.h"

enum { STEPS_A_LOOK = 1000 };

/* One script and its state; one thread, one call at a time. */
struct pare_template_functions {
    char *path; /* owned */
    lua_State *lua;
    const char *script; /* borrowed while it is read */
    size_t size;
    const pare_template_call *call; /* that is in progress; borrowed */
    pare_buffer *out;
    size_t bytes; /* of the state */
    uint64_t steps;
    bool is_full;
    pare_error stopped; /* of ours, which Lua only knows as nil */
};

/* Lua's allocator, with a limit on the bytes of the state. A block that shrinks
 * always succeeds, as Lua demands. */
static void *allocate(void *context, void *block, size_t before, size_t size)
{
    pare_template_functions *self = context;
    if (!block) before = 0;
    if (!size) {
        pare_alloc_free(block);
        self->bytes -= before;
        return NULL;
    }
    bool is_full = size > before && self->bytes + (size - before) > PARE_TEMPLATE_FUNCTIONS_BYTES;
    void *moved = is_full ? NULL : pare_alloc_resize(block, size, 1);
    if (!moved && size > before) {
        self->is_full = is_full;
        return NULL;
    }
    self->bytes += size - before;
    return moved ? moved : block;
}

/* The owner of a state, which is what its allocator has as context. */
static pare_template_functions *self_of(lua_State *lua)
{
    void *self;
    (void)lua_getallocf(lua, &self);
    return self;
}

/* A debug hook of Lua, called every STEPS_A_LOOK instructions: ends a script that takes too many. */
static void count(lua_State *lua, lua_Debug *unused)
{
    pare_template_functions *self = self_of(lua);
    (void)unused;
    self->steps += STEPS_A_LOOK;
    if (self->steps <= PARE_TEMPLATE_FUNCTIONS_STEPS) return;
    (void)pare_fail(&self->stopped, PARE_E_LIMIT, "it takes more than %d steps",
                    PARE_TEMPLATE_FUNCTIONS_STEPS);
    lua_pushnil(lua);
    (void)lua_error(lua);
}

/* Below lua_pcall: opens the libraries, hides what could reach files or load
 * code, and runs the script's top level. */
static int load(lua_State *lua)
{
    static const luaL_Reg libraries[] = {{"_G", luaopen_base},
                                         {"string", luaopen_string},
                                         {"table", luaopen_table},
                                         {"math", luaopen_math},
                                         {"utf8", luaopen_utf8}};
    /* pcall and xpcall would catch the end that `count` brings. */
    static const char *const hidden[] = {"dofile", "load",           "loadfile", "print", "require",
                                         "warn",   "collectgarbage", "pcall",    "xpcall"};
    pare_template_functions *self = self_of(lua);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        luaL_requiref(lua, libraries[i].name, libraries[i].func, 1);
        lua_pop(lua, 1);
    }
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        lua_pushnil(lua);
        lua_setglobal(lua, hidden[i]);
    }
    pare_lua_sort_install(lua);
    lua_pushfstring(lua, "@%s", self->path);
    /* Text only: precompiled code is not checked by Lua. */
    if (luaL_loadbufferx(lua, self->script, self->size, lua_tostring(lua, -1), "t"))
        return lua_error(lua);
    lua_call(lua, 0, 0);
    return 0;
}

/* Pushes a field, cut to the bytes that a script is given. Lua copies it, so
 * the limit on its memory counts it. */
static void push_text(lua_State *lua, const pare_template_field *field)
{
    size_t size = field->size;
    if (size > PARE_TEMPLATE_FUNCTIONS_TEXT) size = PARE_TEMPLATE_FUNCTIONS_TEXT;
    lua_pushlstring(lua, size ? field->text : "", size);
}

/* Below lua_pcall: calls the function with the fields, then a table of all
 * fields, and appends what it returns. nil and false are nothing, true is
 * "true". */
static int run(lua_State *lua)
{
    pare_template_functions *self = self_of(lua);
    const pare_template_call *call = self->call;
    if (lua_getglobal(lua, call->name) != LUA_TFUNCTION)
        return luaL_error(lua, "there is no function '%s'", call->name);
    luaL_checkstack(lua, (int)call->n_arguments + 4, NULL);
    for (size_t i = 0; i < call->n_arguments; i++)
        push_text(lua, call->arguments[i]);
    lua_createtable(lua, 0, (int)call->scope->n);
    for (size_t i = 0; i < call->scope->n; i++) {
        if (call->scope->fields[i].rows) continue;
        push_text(lua, &call->scope->fields[i]);
        lua_setfield(lua, -2, call->scope->fields[i].name);
    }
    lua_call(lua, (int)call->n_arguments + 1, 1);
    if (lua_isnil(lua, -1) || (lua_isboolean(lua, -1) && !lua_toboolean(lua, -1))) return 0;
    if (lua_isboolean(lua, -1)) lua_pushliteral(lua, "true");
    if (!lua_isstring(lua, -1))
        return luaL_error(lua, "'%s' returns a %s, not a text", call->name, luaL_typename(lua, -1));
    size_t size;
    const char *text = lua_tolstring(lua, -1, &size);
    if (pare_buffer_add(self->out, text, size, &self->stopped)) {
        lua_pushnil(lua);
        return lua_error(lua);
    }
    return 0;
}

/* Runs `function` below lua_pcall with fresh limits, and says in *err what went
 * wrong: a limit of ours, memory, or the script's own error (PARE_E_SYNTAX). */
static pare_status protect(pare_template_functions *self, lua_CFunction function, pare_error *err)
{
    lua_State *lua = self->lua;
    self->steps = 0;
    self->is_full = false;
    self->stopped = (pare_error){0};
    lua_pushcfunction(lua, function);
    int code = lua_pcall(lua, 0, 0, 0);
    if (!code && !self->stopped.status) return PARE_OK;
    pare_status status = self->stopped.status;
    if (status == PARE_E_NOMEM || (code == LUA_ERRMEM && !self->is_full && !status))
        status = pare_fail_nomem(err);
    else if (status)
        status = pare_fail(err, status, "%s: %s", self->path, self->stopped.message);
    else if (code == LUA_ERRMEM)
        status = pare_fail(err, PARE_E_LIMIT, "%s: it needs more than %d MiB of memory", self->path,
                           PARE_TEMPLATE_FUNCTIONS_BYTES >> 20);
    else
        status = pare_fail(err, PARE_E_SYNTAX, "%s",
                           lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1)
                                                            : "a function of a report failed");
    lua_settop(lua, 0);
    return status;
}

/* Reads a script and runs its top level. The script is borrowed during the
 * call; afterwards only the state is needed. */
pare_status pare_template_functions_new(const char *path, const char *script, size_t size,
                                        pare_template_functions **out, pare_error *err)
{
    pare_template_functions *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->script = script;
    self->size = size;
    self->path = pare_alloc_text(path, strlen(path));
    if (self->path) self->lua = lua_newstate(allocate, self);
    pare_status status = self->lua ? PARE_OK : pare_fail_nomem(err);
    if (!status) {
        lua_sethook(self->lua, count, LUA_MASKCOUNT, STEPS_A_LOOK);
        status = protect(self, load, err);
    }
    self->script = NULL;
    if (status)
        pare_template_functions_free(self);
    else
        *out = self;
    return status;
}

/* Closing runs finalizers of the script, which the limits bound as everything else. */
void pare_template_functions_free(pare_template_functions *self)
{
    if (!self) return;
    if (self->lua) lua_close(self->lua);
    assert(!self->lua || self->bytes == 0);
    pare_alloc_free(self->path);
    pare_alloc_free(self);
}

/* A pare_template_caller's call. One at a time: what is called cannot write
 * another template. */
static pare_status call(void *context, const pare_template_call *called, pare_buffer *out,
                        pare_error *err)
{
    pare_template_functions *self = context;
    self->call = called;
    self->out = out;
    pare_status status = protect(self, run, err);
    self->call = NULL;
    self->out = NULL;
    return status;
}

/* What templates call; borrows `self`. Without a script there is nothing to call. */
pare_template_caller pare_template_functions_caller(pare_template_functions *self)
{
    return (pare_template_caller){.call = self ? call : NULL, .self = self};
}

#else

pare_status pare_template_functions_new(const char *path, const char *script, size_t size,
                                        pare_template_functions **out, pare_error *err)
{
    (void)script, (void)size, (void)out;
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "%s: pare was built without Lua: install liblua5.4-dev and build it again",
                     path);
}

void pare_template_functions_free(pare_template_functions *self)
{
    (void)self;
}

pare_template_caller pare_template_functions_caller(pare_template_functions *self)
{
    return (pare_template_caller){.call = NULL, .self = self};
}

#endif
