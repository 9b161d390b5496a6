#!/bin/bash
# What is said of an input that does not fail: each sentence has what to do, and that is right.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
told() { grep -qF -- "$1" err; }

for i in $(seq 40); do echo "line $i"; done > in.txt
echo 'needle' >> in.txt
printf '#!/bin/sh\ngrep -q needle "$1" && exit 1\nexit 0\n' > inverted.sh
printf '#!/bin/sh\n./tool "$1"\n' > relative.sh
printf '#!/bin/sh\nsleep 1000\n' > endless.sh
printf '#!/bin/sh\ngrep -q needle "$1"\n' > tool
chmod +x inverted.sh relative.sh endless.sh tool

claim "a test the wrong way round" exits 1 "$PARE" reduce ./inverted.sh in.txt
claim "is told" told "pare reduce"
claim "a tool by a relative path" exits 1 "$PARE" reduce ./relative.sh in.txt
claim "is told, with its full path" told "write its full path"
claim "a test that does not end" exits 1 "$PARE" reduce --timeout 500ms ./endless.sh in.txt
claim "is told, with more time" told "give it more time, as in --timeout"
claim "a shell's line without the candidate" exits 1 "$PARE" reduce 'echo needle | grep -q pin' in.txt
claim "is told" told "the candidate's path is \"\$1\", which it does not use"
claim "a program that does what was not named" exits 1 "$PARE" reduce in.txt --stdout pin -- cat @@
claim "is told" told "its output does not match 'pin'"
claim "nothing is left" [ ! -e in.min.txt ]
all_claimed
