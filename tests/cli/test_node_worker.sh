#!/bin/bash
# examples/node: a worker in JavaScript, and pare called from node.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

if ! command -v node > /dev/null; then
    echo "there is no node (apt-get install nodejs)"
    exit 77
fi
cp "$PARE_SOURCE_DIR"/examples/node/*.js .
{
    for i in {1..40}; do echo "Dear {{author}}, line $i of your letter {{title}} came."; done
    echo "It is {{constructor}} of {{author}}."
} > letter.txt
options=(--no-journal -q -j1 -a ddmin -u "line,char")
claim "a worker reduces" exits 0 "$PARE" reduce "${options[@]}" --stats worker.stats -o small.txt \
    --worker 'node worker.js' letter.txt
claim "to the bug" [ "$(cat small.txt)" = '{{constructor}}' ]
cat > call.js << 'JS'
const { reduce } = require('./pare.js');
const options = { pare: process.env.PARE, args: ['-j1', '-a', 'ddmin', '-u', 'line,char'] };
reduce('letter.txt', 'worker.js', options).then(
    found => console.log(found.bytes.toString(), found.stats.tests_run === Number(process.argv[2])));
JS
tests=$(jq .tests_run worker.stats)
claim "node calls pare" exits 0 node call.js "$tests"
claim "and has result and statistics" grep -qx "{{constructor}} true" out
echo "require('./pare.js').serve(() => 1);" > wrong.js
claim "an answer that is none is an error" exits 1 "$PARE" reduce "${options[@]}" -o none.txt \
    --worker "node wrong.js" letter.txt
claim "that shows what was said" grep -q "the test returns true, false or undefined" err

all_claimed
