#!/bin/bash
# The view of a reduction with workers, on a pseudo terminal: machines and slots (src/ui/reduce_view_draw.c).
#
# The test starts a server of its own on loopback; it is skipped without nats-server, libnats or ncurses.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
. "$PARE_SOURCE_DIR/tests/cli/cluster.sh"
export PYTHONPATH=$PARE_SOURCE_DIR/tests/cli/support PYTHONDONTWRITEBYTECODE=1 PARE
export SCREENS=$PARE_SOURCE_DIR/tests/data/view

seq 1 200 > in.txt
# Whatever is neither all nor little waits until `go` is there, here and on the worker: the screen
# stands still then.
cat > test.sh <<END
#!/bin/sh
n=\$(wc -l < "\$1")
if [ "\$n" -gt 20 ] && [ "\$n" -lt 200 ]; then
    until [ -e $here/go ]; do sleep 0.05; done
fi
grep -q '^77$' "\$1" && grep -q '^123$' "\$1"
END
chmod +x test.sh
"$PARE" reduce --view ./test.sh in.txt > out 2> err || true
if grep -q "built without ncurses" err; then
    echo "skipped: this pare has no ncurses"
    exit 77
fi

cat > drive.py <<'END'
import os, re, sys, time
from screen import Program

def reduction():
    return Program([os.environ["PARE"], "reduce", "-j1", "--no-journal", "--no-cache", "--flaky", "off", "--runner", "spawn", "--timeout", "100", "-a", "ddmin", "-u", "line",
                    "--workers", os.environ["URL"], "--view", "./test.sh", "in.txt"], int(sys.argv[1]), int(sys.argv[2]))

def steady(text):
    """Without the curve, seconds, and what depends on how many tests are tried ahead: the slots."""
    rows = ["(curve)" if row and not row.strip("\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588 ") else row for row in text.split("\n")]
    rows = [re.sub(r"^[12]/2 busy on 2 machines.*", "N/2 busy on 2 machines (slots)", row) for row in rows]
    rows = ["(slots)" if re.match(r" \d: \d+ bytes, ", row) else row for row in rows]
    at = next((k for k, row in enumerate(rows) if row.startswith("N/2")), 0)
    if at and not rows[at + 1]:
        rows[at + 1] = "(slots)"
    return re.sub(r"\b(\d+ min )?\d+(\.\d+)? s\b *", "T s ", "\n".join(rows)).replace("T s \n", "T s\n")

shown = reduction()
shown.await_text("/2 busy on 2 machines")
with open(os.path.join(os.environ["SCREENS"], "workers-%sx%s.txt" % (sys.argv[2], sys.argv[1]))) as file:
    wanted = file.read()
# The clock goes on, so there is always something to read.
patience = float(os.environ.get("PATIENCE", "60"))
end = time.monotonic() + patience
while steady(shown.screen.text()) != wanted:
    if not shown.read(patience) or time.monotonic() > end:
        print(steady(shown.screen.text()), end="")
        sys.exit("the screen is another one")
open("go", "w").close()
assert shown.end() == 0
assert " busy on " not in shown.screen.text(), shown.screen.text()
END
claim "a server starts" start_server --jetstream --store_dir store
export URL=$url
sandbox=off
claim "a worker starts" start_worker one -j1
for size in "24 80" "10 60"; do
    rm -rf go in.min.txt*
    # shellcheck disable=SC2086 # two numbers
    claim "a screen of $size" exits 0 python3 drive.py $size
done
all_claimed
