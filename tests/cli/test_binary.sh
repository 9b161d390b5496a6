#!/bin/bash
# Binary files are reduced by their chunks, with lengths and checksums corrected; passes that work on
# text see only the text in them.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

# PNG, whose checksums the test looks at; MIDI, of which it needs one event.
cat > make.py << 'EOF'
import sqlite3, struct, zlib
def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
pixels = b"".join(b"\0" + bytes(x * y % 251 for x in range(90)) for y in range(30))
open("in.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 30, 30, 8, 2, 0, 0, 0))
    + chunk(b"pHYs", b"\0\0\0\1\0\0\0\1\0") + chunk(b"tEXt", b"Title\0" + b"a word " * 30)
    + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"tIME", bytes(7)) + chunk(b"IEND", b""))
tracks = [b"\0\xff\x03\x01%c" % i + b"\0\xff\x2f\0" for i in range(65, 85)]
open("in.mid", "wb").write(b"MThd" + struct.pack(">IHHH", 6, 1, len(tracks), 96)
    + b"".join(b"MTrk" + struct.pack(">I", len(t)) + t for t in tracks))
base = sqlite3.connect("in.db")
base.execute("pragma page_size=1024")
for t in range(6):
    base.execute("create table t%d(a integer primary key, b text)" % t)
    base.executemany("insert into t%d values(?, ?)" % t, ((k, "word %d" % (k * t)) for k in range(400)))
base.execute("create index i on t3(b)")
base.commit()
EOF
# FAIL: the file is sound and has what is asked for.
cat > oracle.py << 'EOF'
import sqlite3, struct, sys, zlib
def db(data):
    base = sqlite3.connect(":memory:")
    base.deserialize(data)
    try:
        return (base.execute("pragma integrity_check").fetchall() == [("ok",)]
            and base.execute("select b from t4 where a = 17").fetchone() == ("word 68",))
    except sqlite3.Error: return False
def png(data):
    at, found = 8, False
    if data[:8] != b"\x89PNG\r\n\x1a\n": return False
    while at < len(data):
        size, = struct.unpack_from(">I", data, at)
        body, crc = data[at + 4:at + 8 + size], data[at + 8 + size:at + 12 + size]
        if struct.pack(">I", zlib.crc32(body)) != crc: return False
        found = found or body[:4] == b"tIME"
        at += 12 + size
    return found
def midi(data):
    at, found = 14, False
    if data[:4] != b"MThd" or len(data) < 14: return False
    while at < len(data):
        if data[at:at + 4] != b"MTrk": return False
        size, = struct.unpack_from(">I", data, at + 4)
        if at + 8 + size > len(data): return False
        found = found or b"\xff\x03\x01M" in data[at + 8:at + 8 + size]
        at += 8 + size
    return found
check = globals()[sys.argv[1]]
for line in sys.stdin:
    data = open(line.rstrip("\n").split(" ", 1)[1], "rb").read()
    try: print("FAIL" if check(data) else "PASS", flush=True)
    except struct.error: print("PASS", flush=True)
EOF
python3 make.py

reduce() { # NAME OPTION...
    run "$PARE" reduce -q --no-journal -o "out.$1" --stats "stats.$1" \
        --worker "python3 oracle.py ${1/mid/midi}" "${@:2}" "in.$1"
    [ "$code" -eq 0 ]
}
size_is() { [ "$(stat -c %s "$1")" -eq "$2" ]; }
is_small() { [ "$(stat -c %s "$1")" -le "$2" ]; }
has_pass() { jq -r '.passes[].name' "$1" | grep -qxE "$2"; }
has_no_pass() { ! has_pass "$@"; }

claim "PNG" reduce png
claim "keeps its signature and the one chunk" size_is out.png 20
claim "by chunks" has_pass stats.png chunks
claim "and no pass for text has run" \
    has_no_pass stats.png 'operators|white-space|between-equals|strings|numbers|scout/.*|.*/line'
claim "PNG in 20 tests" reduce png --max-tests 20
claim "is small" is_small out.png 60
claim "MIDI" reduce mid
claim "keeps its header and the one event" size_is out.mid 26
claim "MIDI in 30 tests" reduce mid --max-tests 30
cp out.mid once.mid
claim "a database of SQLite in 40 tests" reduce db --max-tests 40
claim "keeps its schema, and of one table two pages" is_small out.db 4096
claim "MIDI with eight jobs" reduce mid --max-tests 30 --deterministic -j8
claim "has the same bytes" cmp -s once.mid out.mid
all_claimed
