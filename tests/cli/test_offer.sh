#!/bin/bash
# A language that is missing: offered on a terminal, told in a pipe in one line with what it
# costs to do without, and neither where it is not wanted.  No language is added here: npm is one
# of our own that finds nothing.
set -u
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
export PARE_DATA=$here/data PARE_LANGUAGE_PATH=

run env PATH="$here" "$PARE" lang add json
if grep -q "built without" err; then
    echo "skipped: this build has no tree-sitter"
    exit 77
fi
mkdir fake
printf '#!/bin/sh\necho "$@" >> %s/called\necho "npm error code ENOTFOUND" >&2\nexit 1\n' \
    "$here" > fake/npm
chmod +x fake/npm
export PATH=$here/fake:$PATH
echo '{"a": [1, {"needle": [true, null]}], "b": {"c": []}}' > in.json

# Reduces where somebody is at the terminal, who answers with this line; what the terminal shows
# is in `out`.
at_terminal() { # ANSWER OPTION...
    local answer=$1 command
    shift
    rm -rf called small small.pare
    printf -v command '%q ' "$PARE" reduce -o small 'grep -q needle' in.json "$@"
    code=0
    printf '%s\n' "$answer" | timeout -s KILL 60 script -qec "$command" typescript > out 2>&1 || code=$?
    : > err
}
asked() { [ "$(grep -c 'Add it now' out)" -eq "$1" ]; }
needle_left() { [ "$code" -eq 0 ] && [ "$(cat small)" = needle ]; }

at_terminal n
claim "it is offered" asked 1
claim "by its name" grep -q "the language 'json' is not installed" out
claim "with what it costs to do without" grep -q "times larger" out
claim "a no is no" [ ! -e called ]
claim "and is not argued with" [ "$(grep -c 'pare lang' out)" -eq 0 ]
claim "it goes on without" needle_left
at_terminal y
claim "a yes adds it" grep -q "tree-sitter-json@0.24.8" called
claim "what stands in its way is told" grep -q "npm cannot fetch tree-sitter-json@0.24.8" out
claim "it goes on without" needle_left
at_terminal ""
claim "an empty line is a yes" [ -e called ]
at_terminal "never mind"
claim "anything else is a no" [ ! -e called ]
for option in "--lang none" "-u line" "-a ddmin" "-q"; do
    at_terminal y $option
    claim "nothing is asked with $option" asked 0
    claim "and nothing added" [ ! -e called ]
    claim "it is done with $option" [ "$code" -eq 0 ]
done
parse_at_terminal() { # ANSWER
    code=0
    printf '%s\n' "$1" | timeout -s KILL 60 script -qec "$(printf '%q ' "$PARE" parse in.json)" \
        typescript > out 2>&1 || code=$?
}
rm -f called
parse_at_terminal n
claim "parse offers it too" asked 1
claim "and says what adds it, if it is not wanted now" \
    grep -q "'pare lang add json' adds it" <(tr -s '\r\n ' ' ' < out) # lines of 80 columns
claim "which is the end" [ "$code" -eq 1 ]
claim "and nothing was added" [ ! -e called ]
parse_at_terminal y
claim "parse adds it" [ -e called ]
run "$PARE" reduce 'grep -q needle' in.json -o small
claim "in a pipe nothing is asked" [ "$(cat out err | grep -c 'Add it now')" -eq 0 ]
claim "one line tells" [ "$(cat out err | grep -c 'pare lang')" -eq 1 ]
claim "what adds it, and what it costs to do without" grep -qx "the language 'json' is not installed \
yet: 'pare lang add json' adds it; going on by brackets, by which the result can be many times \
larger" out
run "$PARE" reduce -q 'grep -q needle' in.json -o small
claim "with -q nothing" [ -z "$(cat out err)" ]
claim "the statistics tell of no language" exits 0 "$PARE" reduce -q 'grep -q needle' in.json -o small \
    --stats stats
claim "but null" [ "$(jq .language stats)" = null ]
all_claimed
