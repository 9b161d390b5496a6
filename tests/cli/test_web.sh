#!/bin/bash
# pare generate --model web: the model is added, its documents are read by the parsers of HTML
# and CSS without an error, and Chromium knows what nearly all of its declarations say.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

# --- not added ---------------------------------------------------------------------------
export PARE_DATA=$here/data
refuses() {
    local text=$1 wanted=$2
    shift 2
    claim "refused: $*" exits "$wanted" "$PARE" "$@"
    claim "one line for: $*" says "$text"
}
refuses "the model 'web' is not installed yet: 'pare lang add web' adds it" 1 generate --model web
refuses "the model 'web' has a grammar of its own" 2 generate --model web --lang json
refuses "'web' is not a language to parse but a model for 'pare generate --model web'" 2 \
    parse --lang web "$PARE_SOURCE_DIR/README.md"
echo '{"<start>": ["a"]}' > a.json
claim "a file called so is another thing" exits 3 "$PARE" generate -g a.json --model ./web
mkdir fake
printf '#!/bin/sh\necho nonsense > webref-css-8.7.5.tgz\n' > fake/npm
chmod +x fake/npm
run env PATH="$here/fake:$PATH" "$PARE" lang add web
claim "another package is refused by its digest" says "what npm fetched is not @webref/css 8.7.5"
claim "and nothing half is left" [ ! -e data/languages/web ]

# --- added --------------------------------------------------------------------------------
run "$PARE" lang add web
if grep -q "npm cannot fetch" err; then
    echo "skipped: the registry does not answer"
    [ "$n_false" -eq 0 ] && exit 77
    all_claimed
fi
claim "added" [ "$code" -eq 0 ]
claim "what is kept" [ "$(ls data/languages/web | tr '\n' ' ')" = \
    "LICENSE grammar.json pack.json weights.json " ]
claim "info" exits 0 "$PARE" lang info web
claim "the licence is told" grep -qx \
    "licence     MIT, as the packages' package.json say; they have no licence file" out
claim "it is up to date" grep -qx 'added       8.7.5 2.9.0 3.85.0' out
sed 's/"abi": [0-9]*/"abi": 9999/' data/languages/web/pack.json > other
cp data/languages/web/pack.json pack.json
cp other data/languages/web/pack.json
refuses "the model 'web' is for another version: 'pare lang add web' adds it again" 1 \
    generate --model web
cp pack.json data/languages/web/pack.json

# --- documents ------------------------------------------------------------------------------
claim "documents" exits 0 "$PARE" generate --model web -n 200 -0 -j2 -v
cp out documents
claim "all are made" [ "$(tr -cd '\0' < documents | wc -c)" -eq 200 ]
claim "alternatives are counted" grep -qE '[0-9]+ of [0-9]+ alternatives taken' err
claim "each is a page" [ "$(tr '\0\n' '\n ' < documents | grep -c '^<!DOCTYPE html> <html')" -eq 200 ]
"$PARE" generate --model web -n 200 -0 -j1 > one
claim "the same at every number of jobs" cmp -s one documents
for what in '<svg' '<math' '<table' '<style' ' style="' ' onclick="' ' href="' ' aria-'; do
    claim "there is $what" grep -aqF -- "$what" documents
done
claim "only SVG" exits 0 "$PARE" generate --model web --start svg -n 20
claim "begins with it" [ "$(grep -c '^<svg' out)" -ge 20 ]
claim "only CSS" exits 0 "$PARE" generate --model web --start css -n 20
claim "has no tags" [ "$(grep -c '<[a-z/]' out)" -eq 0 ]
claim "no rule of that name" exits 2 "$PARE" generate --model web --start nothing
claim "other weights" exits 0 "$PARE" generate --model web --start '<declarations>' -n 9

# Its choices are choices like any: recorded, and reduced.
generator="$PARE generate --unseeded --model web --start svg -j1"
if [ -e "${PARE_LIBEXEC:-}/libpare_random.so" ] && [ -z "${PARE_SANITIZE:-}" ]; then
    claim "choices are recorded" exits 0 "$PARE" generate --record choices -o bad.svg -- $generator
    claim "and reduced" exits 0 "$PARE" reduce --generator "$generator" --choices choices \
        -o small.svg --max-time 2 --max-tests 20 -- grep -q '<svg'
    claim "to another document" grep -q '^<svg.*</svg>' small.svg
    claim "that is not larger" [ "$(wc -c < small.svg)" -le "$(wc -c < bad.svg)" ]
fi

# --- parsers ----------------------------------------------------------------------------------
languages=$PARE_TEST_DATA
add() {
    local name
    for name; do
        PARE_DATA=$languages "$PARE" lang info "$name" | grep -q '^added *[0-9]' && continue
        PARE_DATA=$languages "$PARE" lang add -q "$name" 2> add.err || return 1
    done
}
# refused LANGUAGE FILE...   How many of the files its parser finds an error in.
refused() {
    local n=0 language=$1 file
    shift
    for file; do
        PARE_DATA=$languages "$PARE" parse -q --lang "$language" "$file" > /dev/null 2> why && continue
        n=$((n + 1))
        head -n 1 why >> whys
    done
    echo "$n"
}
if add html css; then
    "$PARE" generate --model web -n 40 -o 'page-%d.html'
    claim "tree-sitter reads all pages" [ "$(refused html page-*.html)" -eq 0 ]
    # At-rules are ahead of tree-sitter's grammar (@scope, @when, conditions of @container).
    echo '{"alts": {"<css-rule>": {"0": {"1": 0}}}}' > rules.json
    "$PARE" generate --model web --weights rules.json --start css -n 60 -o 'sheet-%d.css'
    n=$(refused css sheet-*.css)
    echo "style sheets without at-rules: $n of 60 with an error for tree-sitter"
    claim "and nearly all style sheets" [ "$n" -le 5 ]
else
    echo "not shown: $(cat add.err)"
fi

# --- a browser ----------------------------------------------------------------------------------
browser=
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    if command -v "$name" > /dev/null; then browser=$name && break; fi
done
if [ -z "$browser" ]; then
    echo "not shown: there is no Chromium (apt-get install chromium-headless-shell)"
    all_claimed
fi
"$PARE" generate --model web --start declaration -n 4000 > declarations
{
    echo '<!DOCTYPE html><meta charset=utf-8><pre id=out></pre><script>const all ='
    jq -Rs 'split("\n") | map(select(. != ""))' declarations | sed 's/<\//<\\\//g'
    cat <<'SCRIPT'
; let known = 0, taken = 0, unknown = 0, names = new Set(), refused = [];
for (const one of all) {
    const at = one.indexOf(': '), name = one.slice(0, at), value = one.slice(at + 2);
    if (!name.startsWith('--') && !CSS.supports(name, 'inherit')) { unknown++; names.add(name); continue; }
    known++;
    if (CSS.supports(name, value)) taken++; else refused.push(one);
}
document.getElementById('out').textContent =
    ['known', known, 'taken', taken, 'unknown', unknown, 'of', names.size].join(' ') + '\n' +
    refused.map(one => 'refused ' + one).join('\n');
</script>
SCRIPT
} > probe.html
timeout -s KILL 100 "$browser" --headless --no-sandbox --disable-gpu --no-first-run \
    --disable-dev-shm-usage --user-data-dir="$here/profile" \
    --host-resolver-rules='MAP * ~NOTFOUND' --dump-dom "file://$here/probe.html" \
    > dom 2> /dev/null < /dev/null || true
read -r _ known _ taken _ unknown _ names < <(grep -ao 'known [0-9]* taken .*' dom) || true
claim "Chromium has looked at them" [ "${known:-0}" -gt 2000 ]
echo "declarations of properties that Chromium knows: it takes $taken of $known;" \
    "$unknown are of $names properties that it does not know"
claim "it takes 95 % of those it knows" [ $((100 * ${taken:-0})) -ge $((95 * ${known:-1})) ]
all_claimed
