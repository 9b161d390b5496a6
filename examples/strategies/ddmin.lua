-- ddmin (Zeller and Hildebrandt, 2002) as an algorithm of one's own, and the whole of it:
--     pare reduce --strategy lua:ddmin.lua TEST INPUT
local function split(units, n)
  local parts, from = {}, 1
  for left = n, 1, -1 do
    local size = (#units - from + 1) // left
    parts[#parts + 1] = table.move(units, from, from + size - 1, 1, {})
    from = from + size
  end
  return parts
end

local function without(parts, k)
  local rest = {}
  for i, part in ipairs(parts) do
    if i ~= k then table.move(part, 1, #part, #rest + 1, rest) end
  end
  return rest
end

function strategy(n_units, test)
  local units, n = {}, 2
  for i = 1, n_units do units[i] = i end
  while #units >= 2 do
    local parts, subset, rest = split(units, n)
    for k = 1, n do
      if test(parts[k]) == "FAIL" then subset = parts[k] break end
    end
    for k = 1, subset and 0 or n do
      local candidate = without(parts, k)
      if test(candidate) == "FAIL" then rest = candidate break end
    end
    if not subset and not rest and n == #units then return end
    n = subset and 2 or rest and math.max(n - 1, 2) or math.min(2 * n, #units)
    units = subset or rest or units
  end
end
