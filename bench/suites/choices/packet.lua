local body
function post.name(text) define(text) end
function post.line() commit() end
function pre.known()
  local known = names()
  return #known > 0 and known[choose(#known)] or "0"
end
function post.body(text) body = text end
function post.packet()
  local sum = 0
  for i = 1, #body do sum = (sum * 31 + body:byte(i)) % 251 end
  return "#" .. #body .. ":" .. body .. "!" .. sum
end
