
-- Which lines of a script of Lua (5.1 to 5.4, LuaJIT) are executed, by debug.sethook.
--
-- Run as `lua -e THIS SCRIPT`, the script's path in PARE_REACH too.  Writes "+ N" when a line is
-- executed for the first time to descriptor 9, without a buffer: what was written stays when the
-- interpreter dies, as of an overflow of its stack.  LuaJIT calls hooks from no compiled code, and a
-- coroutine has hooks of its own.  The empty line stays first: `-e` of Lua 5.2 and later takes no argument
-- that begins with a dash.
local path = "@" .. os.getenv("PARE_REACH")
local out = io.open("/dev/fd/9", "w")
local seen, getinfo, sethook = {}, debug.getinfo, debug.sethook
local create, resume, unpacks = coroutine.create, coroutine.resume, table.unpack or unpack
local raise, try, count = error, pcall, select
if jit then jit.off() end
out:setvbuf("no")
local function hook(_, line)
  if seen[line] or getinfo(2, "S").source ~= path then return end
  seen[line] = true
  out:write("+ ", line, "\n")
end
function coroutine.create(body)
  local made = create(body)
  try(sethook, made, hook, "l")
  return made
end
local function pass(done, ...)
  if not done then raise((...), 0) end
  return ...
end
function coroutine.wrap(body)
  local made = coroutine.create(body)
  return function(...) return pass(resume(made, ...)) end
end
function debug.sethook() end
sethook(hook, "l")
