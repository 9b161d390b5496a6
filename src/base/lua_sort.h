/* table.sort for scripts in Lua whose results must be the same each time.
 *
 * Lua's own quicksort draws its pivots by the clock when it makes little headway, and what a script
 * does with equal items, or draws while it compares, would then differ from run to run.  This one
 * merges, so equal items also keep their order.  Only in programs that are built with Lua.
 * One thread, as the state. */
#ifndef PARE_BASE_LUA_SORT_H
#define PARE_BASE_LUA_SORT_H

struct lua_State;

/* Puts the function in place of table.sort; the library `table` is open.  Called below lua_pcall, as
 * what may raise an error.  What the function does counts as instructions: the state's hook is called
 * as often as Lua calls it (lua_gethookcount), so that limits hold.  Unlike Lua's own, an order that
 * contradicts itself is no error.  Memory: a second table of the same length, of Lua's. */
void pare_lua_sort_install(struct lua_State *lua);

#endif
