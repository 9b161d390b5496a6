#!/bin/bash
# The view of a reduction on a pseudo terminal, as an emulator of a terminal shows it: screens of three
# sizes, keys, and what must do no harm (src/ui/reduce_view.c).
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
export PYTHONPATH=$PARE_SOURCE_DIR/tests/cli/support PYTHONDONTWRITEBYTECODE=1 PARE
export SCREENS=$PARE_SOURCE_DIR/tests/data/view

seq 1 200 > in.txt
# Counts its runs; the runs whose numbers are in HOLD wait until `go` is there.
cat > test.sh <<END
#!/bin/sh
printf x >> "$here/runs"
case " \$HOLD " in
*" \$(wc -c < "$here/runs") "*) until [ -e "$here/go" ]; do sleep 0.02; done ;;
esac
sleep "\${SLOW:-0}"
# Far more than anybody keeps: 2 MB for each test, and a sequence that would clear the screen.
yes 0123456789012345678901234567890 | head -c 2000000
printf 'clear: \033[2J\nlast line of a test\n'
grep -q '^77$' "\$1" && grep -q '^123$' "\$1"
END
chmod +x test.sh

claim "without a terminal it is refused" exits 2 "$PARE" reduce --view ./test.sh in.txt
if grep -q "built without ncurses" err; then
    echo "skipped: this pare has no ncurses"
    exit 77
fi
claim "in one sentence" grep -q "this is not a terminal: leave out '--view'" err
claim "it is for people who look" exits 2 "$PARE" reduce --view --quiet ./test.sh in.txt

cat > also.sh <<'END'
#!/bin/sh
grep -q '^123$' "$1" && exit 0
grep -q '^77$' "$1" && exit 42
exit 1
END
chmod +x also.sh
claim "a test may say 'also interesting'" exits 0 "$PARE" reduce -j1 -a ddmin -u line --also 42 ./also.sh in.txt
claim "which is told" grep -q "also     exit 42" out
claim "and saved" sh -c "cat in.also/*.txt | grep -qx 77"
claim "with its signature" sh -c "cat in.also/*.signature | grep -qx 'exit 42'"
claim "of a program it means nothing" exits 2 "$PARE" reduce --also 42 in.txt -- grep 77
rm -rf in.min.txt* in.also

cat > drive.py <<'END'
import json, os, re, signal, subprocess, sys, time
from screen import Program

def program(rows, columns, *arguments, test="./test.sh", file="in.txt", journal="--no-journal",
            units=["-a", "ddmin", "-u", "line,char"], rest=[]):
    return Program([os.environ["PARE"], "reduce", "-j1", journal, "--flaky", "off", "--runner", "spawn", "--timeout", "100", *units,
                    *arguments, test, file, *rest], rows, columns)

def steady(text, columns):
    """Without what depends on time: the curve, which has its rows from the fourth on, and seconds."""
    rows = text.split("\n")
    height = 1 if columns < 80 else 3 if columns < 130 else 6
    width = columns if columns < 130 else 62
    for k in range(3, 3 + height):
        assert re.fullmatch("[\u2581-\u2588 ]*", rows[k][:width]), rows[k]
        rows[k] = "(curve)" + rows[k][width:]
    return re.sub(r"\b(\d+ min )?\d+(\.\d+)? s\b *", "T s ", "\n".join(rows)).replace("T s \n", "T s\n")

def picture(rows, columns):
    os.environ["HOLD"] = "20"
    shown = program(rows, columns, "--view")
    shown.await_text("16 tests", "1: ")
    name = "%dx%d" % (columns, rows)
    with open(os.path.join(os.environ["SCREENS"], name + ".txt")) as file:
        wanted = file.read()
    # What the slot shows comes ten times a second, so the rest of the screen may come before it.  The
    # clock goes on, so there is always something to read.
    end = time.monotonic() + float(os.environ.get("PATIENCE", "120"))
    while steady(shown.screen.text(), columns) != wanted:
        if not shown.read(60) or time.monotonic() > end:
            print(steady(shown.screen.text(), columns), end="")
            sys.exit("the screen %s is another one" % name)
    shown.key(b"f")
    code = shown.end()
    assert code == 130, code
    assert not shown.screen.is_alternate, "the screen was left as it is"
    assert "in.txt: 692 bytes -> 276 bytes" in shown.screen.text(), shown.screen.text()

def keys():
    os.environ.update(HOLD="20", SLOW="0.02")
    shown = program(24, 80)
    shown.await_text("ddmin/line")
    assert not shown.screen.is_alternate
    shown.key(b"v")
    shown.await_text("keeping what the test says", "16 tests")
    assert shown.screen.is_alternate
    shown.key(b"p")
    shown.await_text("PAUSED")
    open("go", "w").close()
    shown.await_text("no test is running: paused")
    shown.key(b"<<>")
    shown.await_text("back of", "; > goes forward")
    shown.key(b">")
    shown.key(b"?")
    shown.await_text("end this phase")
    shown.key(b"\x1b")
    shown.await_text("PAUSED", "ddmin/line")
    shown.key(b"o")
    shown.key(b"p")
    shown.await_text("clear: \\x1b[2J", "last line of a test")
    shown.key(b"p")
    shown.await_text("PAUSED")
    shown.key(b"o")
    shown.key(b"t")
    shown.await_text("PHASE", "Escape back")
    shown.key(b"t")
    shown.key(b"v")
    shown.await_text("ddmin/line")
    while shown.screen.is_alternate:
        shown.read(60)
    shown.key(b"v")
    shown.await_text("PAUSED")
    shown.key(b"s")
    shown.key(b"p")
    shown.await_text("ddmin/char")
    assert shown.end() == 0
    assert "minimal" not in shown.screen.text() or "not" in shown.screen.text(), shown.screen.text()

def history():
    """Steps are those of the history on disk, also the ones that were found before the view was opened."""
    os.environ.update(HOLD="20")
    shown = program(24, 80, journal="--journal=kept")
    shown.await_text("ddmin/line")
    while not os.path.exists("runs") or os.path.getsize("runs") < 20:
        shown.read(0.1)
    shown.key(b"v")
    shown.await_text("16 tests")
    shown.key(b"<" * 20)
    shown.await_text("STEP 0, line 1 of 200", "step 0 of ", ": 692 bytes, test 0; > goes forward")
    shown.key(b">")
    shown.await_text("STEP 1, line ", "; its change -", ", ddmin/line; > goes forward")
    shown.key(b">" * 20)
    shown.await_text("BEST, line")
    shown.key(b"f")
    assert shown.end() == 130
    assert "\n  history  pare history kept\n" in shown.screen.text(), shown.screen.text()

def steps(folder):
    """The history: of each step what it was made of, its phase and its text; not when."""
    def history(*arguments):
        return subprocess.run([os.environ["PARE"], "history", *arguments], check=True, stdout=subprocess.PIPE).stdout
    return [(step["from"], step["phase"], history(folder, "show", str(step["n"])))
            for step in json.loads(history(folder, "--json"))]

def await_runs(shown, n):
    while not os.path.exists("runs") or os.path.getsize("runs") < n:
        shown.read(0.1)

def go_back(end=None):
    """The key, then an end of that run: by itself, by a key, or by a kill; the same command goes on then.
    In each case all is as where the command line said it."""
    os.environ.update(HOLD="20 27" if end else "20")
    shown = program(24, 80, "--view", journal="--journal=kept")
    shown.await_text("16 tests", "1: ")
    shown.key(b"g")
    shown.await_text("< goes back to an earlier best")
    shown.key(b"<" * 20)
    shown.await_text("STEP 0, line 1 of 200", "g continue from here")
    shown.key(b"g")
    shown.await_text("this is the input")
    shown.key(b">")
    shown.await_text("STEP 1, line ")
    shown.key(b"p")
    shown.key(b"g")
    shown.await_text("continuing from step 1")
    if end:
        await_runs(shown, 27)
        shown.await_text("BEST, line ", "1: ", "p pause")
        assert "PAUSED" not in shown.screen.text()
    if end == "kill":
        os.kill(shown.pid, signal.SIGKILL)
        os.waitpid(shown.pid, 0)
    elif end:
        shown.key(end.encode())
        assert shown.end() == 130
        assert steps("kept")[-1][1] != "ddmin/char"
    open("go", "w").close()
    if end:
        shown = program(24, 80, journal="--journal=kept")
    assert shown.end() == 0
    quiet = ["reduce", "-qj1", "--journal=line", "--flaky", "off", "--runner", "spawn", "--timeout", "100", "-a",
             "ddmin", "-u", "line,char", "-o", "line.min", "./test.sh", "in.txt"]
    for option in ["--max-tests", "15"], ["--from-step", "1"]:
        assert subprocess.run([os.environ["PARE"], *quiet[:-2], *option, *quiet[-2:]]).returncode == 0
    kept, line = steps("kept"), steps("line")
    assert kept == line, "\n".join("%d %s %d bytes" % (of, phase, len(text)) for of, phase, text in kept + line)
    assert any(phase == "from-step" or of == 1 for of, phase, text in kept[2:])
    with open("in.min.txt") as one, open("line.min") as other:
        assert one.read() == other.read()

def pager():
    os.environ.update(HOLD="20", PAGER="sh -c 'cat \"$0\"; echo in the pager; read x'")
    shown = program(24, 80, "--view")
    shown.await_text("16 tests", "1: ")
    shown.key(b"b")
    shown.await_text("in the pager")
    shown.key(b"\n")
    shown.await_text("keeping what")
    shown.key(b"f")
    assert shown.end() == 130
    assert os.path.exists("in.min.txt")

def resize():
    os.environ["HOLD"] = "20"
    shown = program(24, 80, "--view")
    shown.await_text("16 tests", "1: ")
    for rows, columns in (10, 60), (3, 7), (60, 200), (24, 80):
        shown.resize(rows, columns)
        if columns >= 60:
            shown.await_text("? keys", "16 tests", "77")
        for _ in range(3):
            shown.read(0.1)
        assert all(len(row) <= columns for row in shown.screen.text().split("\n"))
    shown.key(b"f")
    assert shown.end() == 130

def hostile():
    with open("evil.txt", "wb") as file:
        file.write(b"\x1b]0;evil\x07\x1b[2J\x1b[?1049l\xff\xfe\x9b31m\n77\n123\n\x1b[31mred\n" * 30)
    os.environ["HOLD"] = "2"
    shown = program(24, 80, "--view", file="evil.txt")
    shown.await_text("\\x1b]0;evil\\x07\\x1b[2J")
    assert not any(b"evil" in title for title in shown.screen.titles)
    assert shown.screen.is_alternate
    shown.key(b"f")
    assert shown.end() == 130

def large(size):
    """Ctrl-C ends it at once, whatever it is at: reading, hashing, writing a candidate."""
    with open("large.log", "wb") as file:
        file.truncate(size)
        file.seek(0, 2)
        file.write(b"123\n")
    folder = os.path.join(os.getcwd(), "scratch")
    os.makedirs(folder, exist_ok=True)
    os.environ["TMPDIR"] = folder
    for text in ["reading the input: "] if size > 1 << 30 else [], ["testing the input", "1: "]:
        shown = program(24, 80, "--view", test="sh -c 'sleep 100'", file="large.log")
        shown.await_text("large.log", *text)
        begin = time.monotonic()
        shown.key(b"\x03")
        assert shown.end() == 130
        took = time.monotonic() - begin
        print("%s: ended after %.1f s" % (text, took))
        assert took < float(os.environ.get("PATIENCE", "120")) / 4, took
        assert os.path.getsize("large.log") == size + 4 and not os.path.exists("large.min.log")
        assert not os.listdir(folder), os.listdir(folder)
    os.remove("large.log")

def clock():
    """Nothing is told of for a while, and the clock goes on."""
    shown = program(24, 80, "--view", "--strategy", "sh -c 'until [ -e go ]; do sleep 0.02; done'", units=[])
    shown.await_text("  1 test\n")
    def seconds():
        found = re.search(r"\)  (?:(\d+) min )?(\d+(?:\.\d+)?) s  1 test\n", shown.screen.text())
        return int(found[1] or 0) * 60 + float(found[2]) if found else 0
    begin = seconds()
    while seconds() < begin + 3:
        if not shown.read(60):
            sys.exit("the clock stands still:\n" + shown.screen.text())
    shown.key(b"f")
    assert shown.end() == 130

def languages():
    """Names, texts and messages in other letters are shown as they are, whatever their width."""
    name = "gr\u00f6\u00dfe-\u6f22\u5b57.txt"
    text = "\u043a\u043b\u044e\u0447 \u6f22\u5b57 \u00e9"
    with open(name, "w", encoding="utf-8") as file:
        file.write("first\n" + (text + "\n") * 3)
    with open("reads.sh", "w", encoding="utf-8") as file:
        file.write("grep -q first \"$1\" || until [ -e go ]; do sleep 0.02; done\n"
                   "grep -q \u043a\u043b\u044e\u0447 \"$1\" || exit 0\n"
                   "echo 'error: \u043d\u0435\u0442 \u540d' >&2; exit 3\n")
    shown = program(24, 80, "--view", "-o", "out.txt", test=name, file="--", rest=["sh", os.path.abspath("reads.sh"), "@@"])
    shown.await_text(" " + name + "  ", 'keeping exit 3; diagnostic "error: \u043d\u0435\u0442 \u540d"',
                     "    2 " + text + "\n", "1: ")
    shown.key(b"f")
    assert shown.end() == 130
    line = shown.screen.text()
    assert name + ": 63 bytes" in line and "\u043d\u0435\u0442 \u540d" in line and "?" not in line, line

def closed():
    os.environ["HOLD"] = "20"
    shown = program(24, 80, "--view")
    shown.await_text("16 tests", "1: ")
    os.close(shown.fd)
    ended = os.waitstatus_to_exitcode(os.waitpid(shown.pid, 0)[1])
    assert ended == 130, ended
    assert os.path.exists("in.min.txt")

globals()[sys.argv[1]](*(int(word) if word.isdigit() else word for word in sys.argv[2:]))
END
large=64000000
if [ -n "${PARE_TEST_LONG:-}" ]; then large=2000000000; fi
for task in "large $large" "picture 10 60" "picture 24 80" "picture 60 200" keys history go_back "go_back f" "go_back kill" pager resize hostile clock languages closed; do
    rm -rf runs go kept line line.min* in.min.txt* evil.min.txt*
    # shellcheck disable=SC2086 # a name and two numbers
    claim "$task" exits 0 python3 drive.py $task
done
all_claimed
