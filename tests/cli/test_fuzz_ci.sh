#!/bin/bash
# pare fuzz ci: the exit code tells whether there is a new finding; files for those who show them.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
needs_campaigns

printf '#!/bin/sh\n! grep -q bad "$1" || kill -SEGV $$\n' > prog.sh
chmod +x prog.sh
mkdir in
echo "all is well" > in/good
cat > c.ini << 'END'
[campaign]
minutes = 1
[target prog]
command = ./prog.sh @@
[source files]
kind = folder
files = in/*
END

claim "nothing is found" exits 0 "$PARE" fuzz ci c.ini
echo "this one is a bad one" > in/bad
claim "a new finding" exits 1 "$PARE" fuzz ci c.ini --minutes 1 --sarif out.sarif --junit out.xml
claim "is told" grep -qF "is new: SIGSEGV (prog, by files)" out
claim "and reduced" grep -qE "is reduced from 22 to [345] bytes" out
claim "SARIF is written" jq -e '.runs[0].results | length == 1' out.sarif
claim "JUnit is written" grep -q "<testsuite" out.xml
claim "it is new once" exits 0 "$PARE" fuzz ci c.ini
claim "quiet" exits 0 "$PARE" fuzz ci -q c.ini
claim "indeed" [ ! -s out ]
claim "no campaign" exits 2 "$PARE" fuzz ci
claim "is told" says "the campaign is missing"
claim "a folder that is not there" exits 3 "$PARE" fuzz ci c.ini --sarif none/out.sarif
claim "is told" says "none/out.sarif"

all_claimed
