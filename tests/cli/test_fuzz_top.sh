#!/bin/bash
# pare fuzz top on a pseudo terminal: what is shown, keys, a change of the store by somebody else, the end.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

if ! "$PARE" fuzz list --store none 2>&1 | grep -q "cannot open"; then
    echo "skipped: this pare has no campaigns"
    exit 77
fi
printf 'x' > content
digest=$(sha512sum content | cut -c1-32)
mkdir in
mv content "in/$digest"
jq -cn --arg input "$digest" '{format: "pare-finding", schema: 1, id: 1, state: "new",
    store: "a", target: "jq", source: "grammar", identity: "signal SIGSEGV", signature: "signal SIGSEGV",
    title: "SIGSEGV \u001b[31mred", version: "1", last_version: "1", gone_version: "", first_bad: "",
    url: "", note: "", explanation: "", output: "", input: $input, reduced: "", count: 7,
    first_seen: 1700000000000, last_seen: 1700000060000, validated: 0, fails: 0, runs: 0,
    pinned: 0, merged_into: 0, members: []}' > in/findings.jsonl
"$PARE" fuzz import in --store s.pare.db > /dev/null

claim "without a terminal it is refused" exits 1 "$PARE" fuzz top < /dev/null
if grep -q "built without ncurses" err; then
    echo "skipped: this pare has no ncurses"
    exit 77
fi
claim "in one sentence" grep -q "'pare fuzz list' prints the findings" err

# Types keys when what they follow is on the screen, and prints what was written to it.
cat > drive.py <<'END'
import os, pty, select, signal, subprocess, sys

pare = sys.argv[1]
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execv(pare, [pare, "fuzz", "top", "--store", "s.pare.db"])
seen = b""

def await_text(text):
    global seen
    while text not in seen:
        if not select.select([fd], [], [], 60)[0]:
            sys.exit("never shown: %r in %r" % (text, seen[-2000:]))
        try:
            seen += os.read(fd, 65536)
        except OSError:
            sys.exit("ended before it showed %r" % text)

def key(text):
    global seen
    seen = b""
    os.write(fd, text)

await_text(b"SIGSEGV")
print("escaped" if b"\x1b[31mred" not in seen else "steered")
key(b"r")
await_text(b"job 1 (reduce)")
key(b"\t")
await_text(b"waiting")
key(b"\t\t\r")
await_text(b"ONE FINDING")
key(b"\x1b")
await_text(b"WHAT")
seen = b""
subprocess.run([pare, "fuzz", "mark", "1", "--as", "fixed", "--store", "s.pare.db"], check=True,
               stdout=subprocess.DEVNULL)
await_text(b"fixed")
# Each change is shown, and none only with the next one: what is written may become visible after the write.
for name in b"AAAAAAA", b"BBBBBBB", b"CCCCCCC", b"SIGSEGV":
    seen = b""
    subprocess.run([pare, "fuzz", "mark", "1", "--title", name, "--store", "s.pare.db"], check=True,
                   stdout=subprocess.DEVNULL)
    await_text(name)
print("noticed")
if sys.argv[2] == "quit":
    os.write(fd, b"q")
else:
    os.kill(pid, signal.SIGTERM)
rest = b""
try:
    while True:
        more = os.read(fd, 65536)
        if not more:
            break
        rest += more
except OSError:
    pass
print("put back" if b"\x1b[?1049l" in rest or b"\x1b[?47l" in rest else "left: %r" % rest[-80:])
print("exit", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
for way in quit signal; do
    "$PARE" fuzz mark 1 --as new --store s.pare.db > /dev/null
    claim "it shows findings, takes keys and sees changes ($way)" exits 0 python3 drive.py "$PARE" $way
    claim "what a target printed does not steer the terminal ($way)" grep -qx escaped out
    claim "a change by another process shows ($way)" grep -qx noticed out
    claim "the terminal is put back ($way)" grep -qx "put back" out
    claim "it ends well ($way)" grep -qx "exit 0" out
done
all_claimed
