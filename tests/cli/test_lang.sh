#!/bin/bash
# pare lang: usage, a package that is not the right one, programs that are missing, and,
# where the registry answers, a language added, listed, replaced and removed.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

export PARE_DATA=$here/data
mkdir bin fake

# What is there of languages, finished or not.
shelf() { ls -A data/languages 2>/dev/null | grep -vx .lock | tr '\n' ' '; }

# --- usage -----------------------------------------------------------------------
claim "list shows all, none added" exits 0 "$PARE" lang list
claim "one line for each" [ "$(wc -l < out)" -eq 49 ]
claim "none is added" [ "$(awk 'NR > 1 && $3 != "-"' out | wc -l)" -eq 0 ]
claim "nothing was made by looking" [ ! -e data ]
claim "info" exits 0 "$PARE" lang info c++
claim "an alias is known" grep -qx 'name        cpp' out
refuses() { claim "$1" exits "$2" "$PARE" lang "${@:3}"; claim "says: $1" says "$1"; }
refuses "an action is missing" 2
refuses "did you mean 'add'?" 2 ad c
refuses "a name is missing" 2 add
refuses "'list' takes no name" 2 list c
refuses "unknown language 'foo'" 2 add foo
refuses "unknown language 'foo'" 2 info foo
refuses "the language 'c' is not there" 3 remove c
refuses "unknown option" 2 list --frobnicate
refuses "'list' takes no '--system'" 2 list --system
claim "help" exits 0 "$PARE" lang --help
claim "help and help agree" [ "$("$PARE" help lang)" = "$(cat out)" ]

# Where tree-sitter is not part of the build, that is what every add says.
run "$PARE" lang add json
if grep -q "built without tree-sitter" err; then
    claim "it is what this build does not have" [ "$code" -eq 2 ]
    echo "skipped: this build has no tree-sitter"
    all_claimed
fi
"$PARE" lang remove -q json 2>/dev/null || true

# --- what can go wrong --------------------------------------------------------------
run env PATH="$here/bin" "$PARE" lang add json
claim "without npm: an error" [ "$code" -ne 0 ]
claim "without npm: what to do" says "'npm' is needed to add a language"

# fake NPM-SCRIPT: a folder with an npm of our own, the rest as usual.
fake() { printf '#!/bin/sh\n%s\n' "$1" > fake/npm && chmod +x fake/npm; }
add_with_fake() { run env PATH="$here/fake:$PATH" "$PARE" lang add json; }
fake 'echo "npm error code ENOTFOUND" >&2; exit 1'
add_with_fake
claim "no network: an error" [ "$code" -eq 3 ]
claim "no network: npm's word" says "npm cannot fetch tree-sitter-json@0.24.8, it says ENOTFOUND"
fake 'echo nonsense > tree-sitter-json-0.24.8.tgz'
add_with_fake
claim "another package: an error" [ "$code" -eq 3 ]
claim "another package: refused by its digest" says "what npm fetched is not tree-sitter-json 0.24.8"
fake 'truncate -s 100M tree-sitter-json-0.24.8.tgz'
add_with_fake
claim "a package that is too large" says "more than the 67108864 of the largest package"
claim "nothing half is left" [ -z "$(shelf)" ]

# A killed add leaves nothing that counts, and the next one sweeps it.
fake "echo started > $here/started; exec sleep 60"
PATH=$here/fake:$PATH "$PARE" lang add json > /dev/null 2>&1 &
adding=$!
claim "npm is running" await [ -e started ]
kill -9 "$adding"
wait "$adding" 2> /dev/null || true
claim "a killed add added nothing" [ ! -e data/languages/json ]
fake 'exit 1'
add_with_fake
claim "what it left is swept" [ -z "$(shelf)" ]

# One that is asked to stop leaves nothing at all: no program, no folder.
fake "echo started > $here/asked; sleep 60 & wait"
PATH=$here/fake:$PATH "$PARE" lang add json > out 2> err &
adding=$!
claim "npm is running again" await [ -e asked ]
kill -TERM "$adding"
ends "$adding"
claim "exit code 130" [ "$code" -eq 130 ]
claim "it says so" says "adding 'json' was stopped"
claim "no program is left" await [ -z "$(pgrep -f "$here/fake/npm")" ]
claim "no folder is left" [ -z "$(shelf)" ]

# --- for real ------------------------------------------------------------------------
run "$PARE" lang add json c
if grep -q "npm cannot fetch" err; then
    echo "skipped: the registry does not answer"
    [ "$n_false" -eq 0 ] && exit 77
    all_claimed
fi
claim "added" [ "$code" -eq 0 ]
claim "both are there, and nothing else" [ "$(shelf)" = "c json " ]
for name in json c; do
    claim "all files of $name" [ "$(ls data/languages/$name | tr '\n' ' ')" = \
        "LICENSE grammar.json node-types.json pack.json parser.so " ]
    jq -r '.name, .abi >= 13' data/languages/$name/pack.json > out
    claim "the record of $name" [ "$(tr '\n' ' ' < out)" = "$name true " ]
done
claim "list" exits 0 "$PARE" lang list
claim "list shows both" [ "$(awk '$3 == $2 { print $1 }' out | tr '\n' ' ')" = "c json " ]
claim "info" exits 0 "$PARE" lang info json c
claim "info tells the folder" grep -qx "folder      $here/data/languages/c" out
touch data/languages/json/extra
claim "added again" exits 0 "$PARE" lang add -q json
claim "quiet" [ ! -s out ]
claim "replaced" [ ! -e data/languages/json/extra ]
echo '{"version": 1' > data/languages/c/pack.json
claim "a damaged record is no obstacle to the list" exits 0 "$PARE" lang list
claim "and shown" grep -q '^c  .*unreadable' out
refuses "c/pack.json is damaged; 'pare lang add c' adds it again" 3 info c
claim "removed" exits 0 "$PARE" lang remove c json
claim "nothing is left" [ -z "$(shelf)" ]

# --- for all users -------------------------------------------------------------------
export PARE_LANGUAGE_PATH=$here/system/shelf
claim "added for all" exits 0 bash -c "umask 077; exec '$PARE' lang add --system json"
claim "not for the user" [ -z "$(shelf)" ]
claim "for all to read, whatever the umask" [ -z "$(find system ! -perm -444 ! -name .lock)" ]
claim "and to enter" [ -z "$(find system -type d ! -perm -555)" ]
claim "nobody else may write" [ -z "$(find system -perm /022)" ]
claim "list" exits 0 "$PARE" lang list
claim "it is the system's" grep -q '^json  .* system  ' out
echo '[1]' > one.json
claim "and is used" exits 0 "$PARE" parse one.json
claim "a user's own is added beside it" exits 0 "$PARE" lang add -q json
claim "list" exits 0 "$PARE" lang list
claim "it comes first" grep -q '^json  .* user  ' out
claim "removed" exits 0 "$PARE" lang remove json
claim "what is used now is told" grep -qx "json: removed; used now is $here/system/shelf/json" out
refuses "the language 'json' belongs to the system, not to you: $here/system/shelf/json" 3 remove json
if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then
    chmod 755 "$here"
    unprivileged() { exits "$1" setpriv --reuid=65534 --regid=65534 --clear-groups env \
        PARE_DATA="$here/none" "$PARE" "${@:2}"; }
    if setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$PARE"; then
        claim "every user reads it" unprivileged 0 parse one.json
        chmod 700 system/shelf/json
        claim "one that may not be read" unprivileged 3 parse one.json
        claim "is said to be unreadable, with its path" \
            says "the language 'json' is unreadable: cannot open $here/system/shelf/json/pack.json"
    fi
fi
claim "removed from there" exits 0 "$PARE" lang remove --system json
claim "nothing is left of it" [ ! -e system/shelf/json ]
all_claimed
