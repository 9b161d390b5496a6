#!/bin/bash
# share/graph/ES5.g4 makes programs that ES5 engines compile: duktape and mujs look at 300 of them.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

grammar=$PARE_SOURCE_DIR/share/graph/ES5.g4
claim "300 programs are made" exits 0 "$PARE" generate -g "$grammar" -n 300 --max-tokens 60
claim "one a line" [ "$(wc -l < out)" -eq 300 ]
mv out programs

# A few do not compile: the grammar cannot know that a label is used twice, nor that duktape
# takes a regular expression after ++ for a division.
cat > count.js <<'E2'
var refused = 0;
for (var i = 0; i < programs.length; i++)
    try { Function(programs[i]) } catch (e) { if (e instanceof SyntaxError) refused++ }
print(refused <= programs.length * 0.03 ? "compile" : "refused " + refused);
E2
n_engines=0
for engine in duk mujs; do
    command -v "$engine" > /dev/null || { echo "skipped: no $engine here"; continue; }
    n_engines=$((n_engines + 1))
    { echo "var programs = ["; python3 -c 'import json
for line in open("programs", encoding="utf-8", newline="\n"): print(json.dumps(line[:-1]) + ",")'
      echo "];"; cat count.js; } > check.js
    run "$engine" check.js
    claim "$engine compiles 97 of 100" grep -qx compile out
done
[ "$n_engines" -gt 0 ] || exit 77
all_claimed
