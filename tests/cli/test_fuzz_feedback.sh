#!/bin/bash
# pare fuzz run on a target that tells what an input reaches: sources share what they find, a bug
# that no source finds by luck is found, and AFL++ leaves nothing behind.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
needs_campaigns
unset ASAN_OPTIONS UBSAN_OPTIONS
number() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$@"; }

# --- by a command --------------------------------------------------------------------------------

# Dies of "(((": each "(" is a new line, so inputs lead there one by one.
cat > prog.sh << 'END'
#!/bin/sh
case $(cat "$1") in *'((('*) kill -SEGV $$ ;; esac
END
cat > covers.sh << 'END'
#!/bin/sh
grep -oE '\(+' "$1" | sort -u
END
chmod +x prog.sh covers.sh
mkdir seeds
echo 'f(x)' > seeds/1
cat > c.ini << 'END'
[campaign]
reduce = no
[target t]
command = ./prog.sh @@
sandbox = off
runner = spawn
coverage_by = ./covers.sh @@
[source s]
kind = mutation
population = seeds
seed = 1
batch = 150
END
claim "a campaign with coverage by a command" exits 0 "$PARE" fuzz run c.ini --max-tests 200
claim "what is new joins the population" [ "$(number c.pare.db 'SELECT count(*) FROM corpus')" -ge 1 ]
claim "small" [ "$(number c.pare.db 'SELECT min(bytes) FROM corpus')" -le 3 ]
claim "and is counted" [ "$(number c.pare.db 'SELECT sum(edges) FROM statistic')" -ge 1 ]

# --- by AFL's map --------------------------------------------------------------------------------

if ! command -v afl-fuzz > /dev/null || ! command -v afl-clang-fast > /dev/null; then
    echo "skipped: AFL++ is not installed"
    all_claimed
    exit 0
fi
cat > prog.c << 'END'
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    char b[100];
    long n = read(0, b, sizeof b);
    if (n > 3 && b[0] == '[') { if (b[1] == '{') { if (b[2] == '7') { if (b[3] == '!') abort(); } } }
    return 0;
}
END
AFL_QUIET=1 afl-clang-fast -o prog prog.c 2> /dev/null
cat > a.ini << 'END'
[campaign]
reduce = no
[target t]
command = ./prog
kind = afl
coverage = afl
[source afl]
kind = afl
[source random]
kind = random
batch = 500
END
"$PARE" fuzz run a.ini -j 2 > out 2> err &
campaign=$!
both_have_run() { [ "$(number a.pare.db 'SELECT count(DISTINCT source) FROM stream' 2> /dev/null)" = 2 ]; }
claim "both sources run" await both_have_run
claim "edges are reached" await eval '[ "$(number a.pare.db "SELECT total(edges) >= 3 FROM statistic")" = 1 ]'
kill -INT $campaign
wait $campaign || true
claim "each is in the map once" python3 - << 'END'
import sqlite3
store = sqlite3.connect("a.pare.db")
edges = store.execute("SELECT total(edges) FROM statistic").fetchone()[0]
assert edges == sum(byte != 0 for byte in store.execute("SELECT bytes FROM map").fetchone()[0])
END
claim "no fuzzer is left" eval '! pgrep -f "afl-fuzz.*$PWD/" > /dev/null'
claim "AFL is given what others find" ls a.pare.db.work/source-afl-t/out/pare/queue
all_claimed
