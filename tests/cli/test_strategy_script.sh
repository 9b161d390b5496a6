#!/bin/bash
# --strategy lua:FILE: the example takes the steps of -a ddmin, whatever the jobs; a text of its own; the
# box; what is said of mistakes.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

cp "$PARE_SOURCE_DIR/examples/strategies/ddmin.lua" .
claim "the example is short" [ "$(wc -l < ddmin.lua)" -lt 40 ]
plain() { jq -c 'del(.ms, .source)' "$1"; }
reduce() { # NAME OPTION...
    run "$PARE" reduce -q --no-journal --timeout 250 -o "out.$1" --trace "trace.$1" "${@:2}"
    [ "$code" -eq 0 ]
}
cat > needs.py << 'PY'
import sys
needed = sys.argv[1]
for line in sys.stdin:
    text = open(line.rstrip("\n").split(" ", 1)[1]).read()
    print("FAIL" if all(c in text for c in needed) else "PASS", flush=True)
PY
printf 'The quick brown fox jumps over the lazy dog' > in.txt
run "$PARE" reduce -q --no-journal -o probe --strategy lua:ddmin.lua -u char --worker 'python3 needs.py x' in.txt
if [ "$code" -eq 3 ] && says 'pare was built without Lua'; then
    echo "pare was built without Lua: there is nothing to test"
    all_claimed
    exit
fi
for needed in qz Tog e; do
    claim "ours needs '$needed'" reduce ours -a ddmin -u char --worker "python3 needs.py $needed" in.txt
    for jobs in 1 8; do
        claim "the example needs '$needed', -j$jobs" reduce lua -j$jobs -u char --strategy lua:ddmin.lua \
            --worker "python3 needs.py $needed" in.txt
        claim "in the same steps" cmp -s <(plain trace.ours) <(plain trace.lua)
        claim "to the same bytes" cmp -s out.ours out.lua
    done
done

# Texts of units, a text of its own, another start for each kind of units.
cat > own.lua << 'LUA'
function strategy(n, test, unit)
  for i = 1, n do
    if unit(i):find("fox") and test(unit(i):upper()) == "PASS" then test({i}) end
  end
  assert(math.random(1000) and test("the fox") == "FAIL")
end
LUA
claim "a text of its own" reduce own --strategy lua:own.lua -u line,token 'grep -q fox' in.txt
claim "is the result" [ "$(cat out.own)" = "fox" ]
claim "the same again" reduce again --strategy lua:own.lua -u line,token 'grep -q fox' in.txt
claim "by the same steps" cmp -s <(plain trace.own) <(plain trace.again)

# Lua's own sort draws its pivots by the clock where the first, middle and last of many items are the
# least; equal items then trade places from run to run.
cat > sorts.lua << 'LUA'
function strategy(n, test, unit)
  local t, n, last = {}, 2999, {k = -1, i = 0}
  for i = 1, n do t[i] = {k = 5 + i * 7919 % 4, i = i} end
  t[1].k, t[n].k, t[(n + 1) // 2].k = 0, 0, 0
  table.sort(t, function(a, b) return a.k < b.k end)
  for _, here in ipairs(t) do
    assert(here.k > last.k or here.k == last.k and here.i > last.i, "equal items trade places")
    last = here
  end
  test("the fox")
end
LUA
claim "a strategy that sorts" reduce sorts --strategy lua:sorts.lua -u line 'grep -q fox' in.txt
claim "does so the same each time" [ "$(cat out.sorts)" = "the fox" ]

refuses() { # CODE SENTENCE SCRIPT
    printf '%s\n' "$3" > wrong.lua
    claim "exit code of: $3" exits "$1" "$PARE" reduce -q --no-journal -o none --strategy lua:wrong.lua \
        -u char 'grep -q fox' in.txt
    claim "sentence of: $3" says "$2"
}
refuses 3 "there is no function 'strategy'" 'x = 1'
refuses 3 "wrong.lua:2: <name>" 'function strategy('
refuses 3 "do not ascend" 'function strategy(n, test) test({3, 2}) end'
refuses 3 "a unit to keep does not exist" 'function strategy(n, test) test({n + 1}) end'
refuses 3 "a unit to keep does not exist" 'function strategy(n, test) test({"a"}) end'
refuses 3 "the units that stay, or a text" 'function strategy(n, test) test(1) end'
refuses 3 "global 'io'" 'function strategy(n, test) io.open("x") end'
refuses 3 "global 'pcall'" 'function strategy(n, test) pcall(test, {1}) end'
refuses 3 "memory" 'function strategy(n, test) local t = "xxxxxxxx" while true do t = t .. t end end'
claim "a script that is not there" exits 3 "$PARE" reduce -q --no-journal -o none --strategy lua:nowhere.lua \
    'grep -q fox' in.txt
claim "is told" says "nowhere.lua"
all_claimed
