#!/bin/sh
# Reduces catalogue.json, on which jq 1.6 (Debian 12) dies of a failed assertion.
#
# Usage: examples/demo/run.sh [PARE]     default: $PARE, else pare in PATH
#
# Everything is written to a temporary directory, so that nothing here changes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
pare=${1:-${PARE:-pare}}
if ! command -v jq >/dev/null; then
    echo "demo: jq is missing: apt-get install jq" >&2
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$here/catalogue.json" "$here/test.sh" .

echo "\$ jq '.store.arrived | todate' catalogue.json"
code=0
jq '.store.arrived | todate' catalogue.json >/dev/null 2>errors || code=$?
grep '^jq:' errors || true
echo "exit code $code"
if ! ./test.sh catalogue.json 2>/dev/null; then
    echo "demo: this jq ($(jq --version)) does not fail: there is nothing to show" >&2
    exit 1
fi
echo
echo "\$ pare reduce ./test.sh catalogue.json"
"$pare" reduce ./test.sh catalogue.json
echo
echo "\$ cat catalogue.min.json"
cat catalogue.min.json
echo
./test.sh catalogue.min.json 2>/dev/null
