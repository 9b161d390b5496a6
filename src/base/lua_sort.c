/* table.sort by merging from the bottom up: Knuth, The Art of Computer Programming, 5.2.4.
 *
 * Two tables take turns as source and target; what comes last is copied back if it is in the second.
 * Nothing of ours is held while Lua may jump.
 * Tested by tests/unit/test_hooks.c, tests/unit/test_template.c and tests/cli/test_strategy_script.sh. */
#include "base/lua_sort.h"

#ifdef PARE_HAVE_LUA

#include <limits.h>
#include <stdbool.h>

#include <lauxlib.h>
#include <lua.h>

/* A stretch of two tables, whose indices of Lua's stack are `source` and `target`. */
struct merging {
    int source, target;
    lua_Integer from, middle, end;
    int steps; /* since the hook was called */
};

/* Calls the state's hook when as many steps were taken as there are instructions from one call to
 * the next. */
static void count_step(lua_State *lua, struct merging *merging)
{
    const lua_Hook hook = lua_gethook(lua);
    if (!hook || ++merging->steps < lua_gethookcount(lua)) return;
    merging->steps = 0;
    hook(lua, NULL);
}

/* Whether the value at index `x` of Lua's stack comes before that at `y`, by the order that the
 * script gives as the second argument, or by Lua's. */
static bool comes_before(lua_State *lua, int x, int y)
{
    if (lua_isnil(lua, 2)) return lua_compare(lua, x, y, LUA_OPLT);
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, x);
    lua_pushvalue(lua, y);
    lua_call(lua, 2, 1);
    const bool before = lua_toboolean(lua, -1);
    lua_pop(lua, 1);
    return before;
}

/* Merges the two sorted parts of a stretch of one table into the other table; of equal items that
 * of the first part comes first. */
static void merge(lua_State *lua, struct merging *merging)
{
    lua_Integer left = merging->from, right = merging->middle;
    for (lua_Integer at = merging->from; at < merging->end; at++) {
        bool takes_right = left == merging->middle;
        if (!takes_right && right < merging->end) {
            lua_geti(lua, merging->source, right);
            lua_geti(lua, merging->source, left);
            takes_right = comes_before(lua, lua_gettop(lua) - 1, lua_gettop(lua));
            lua_pop(lua, 2);
        }
        lua_geti(lua, merging->source, takes_right ? right++ : left++);
        lua_seti(lua, merging->target, at);
        count_step(lua, merging);
    }
}

/* table.sort(list, before). */
static int sort(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    if (!lua_isnoneornil(lua, 2)) luaL_checktype(lua, 2, LUA_TFUNCTION);
    lua_settop(lua, 2);
    const lua_Integer n = luaL_len(lua, 1);
    luaL_argcheck(lua, n < INT_MAX, 1, "array too big");
    lua_createtable(lua, n > 0 ? (int)n : 0, 0);
    struct merging merging = {.source = 1, .target = 3};
    for (lua_Integer width = 1; width < n; width *= 2) {
        for (merging.from = 1; merging.from <= n; merging.from = merging.end) {
            const lua_Integer left = n + 1 - merging.from;
            merging.middle = merging.from + (width < left ? width : left);
            merging.end = merging.from + (2 * width < left ? 2 * width : left);
            merge(lua, &merging);
        }
        merging.source = merging.target;
        merging.target = 4 - merging.source;
    }
    merging.from = 1;
    merging.middle = merging.end = n + 1;
    if (merging.source != 1) merge(lua, &merging);
    return 0;
}

/* The other functions of the library stay Lua's. */
void pare_lua_sort_install(lua_State *lua)
{
    lua_getglobal(lua, "table");
    lua_pushcfunction(lua, sort);
    lua_setfield(lua, -2, "sort");
    lua_pop(lua, 1);
}

#endif
