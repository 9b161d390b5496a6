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
def directory(at, i, last):
    # Entries, a text, positions and lengths of strips of two rows each, strips.
    n, text = 9, b"image %02d, described here" % i
    where = at + 2 + 6 * 12 + 4
    rows = where + len(text) + 8 * n
    entries = [(256, 3, 1, 40), (257, 3, 1, 2 * n), (270, 2, len(text), where), (273, 4, n, where + len(text)),
        (278, 3, 1, 2), (279, 4, n, where + len(text) + 4 * n)]
    body = struct.pack("<H", 6) + b"".join(struct.pack("<HHII", *e) for e in entries)
    body += struct.pack("<I", 0 if last else rows + n * 80) + text
    body += b"".join(struct.pack("<I", rows + 80 * k) for k in range(n)) + struct.pack("<I", 80) * n
    return body + bytes(k * i % 251 for k in range(80 * n))
film = b"II*\0\x08\0\0\0"
for i in range(12): film += directory(len(film), i, i == 11)
open("in.tif", "wb").write(film)
def element(name, body): return name + struct.pack(">Q", len(body) | 1 << 56) + body
def summed(name, body): return element(name, b"\xbf\x84" + struct.pack("<I", zlib.crc32(body)) + body)
parts = [summed(b"\x12\x54\xc3\x67", element(b"\x73\x73", element(b"\x67\xc8",
    element(b"\x45\xa3", b"NAME%d" % i) + element(b"\x44\x87", b"a value " * i)))) for i in range(20)]
open("in.mkv", "wb").write(element(b"\x1a\x45\xdf\xa3", element(b"\x42\x82", b"matroska"))
    + element(b"\x18\x53\x80\x67", b"".join(parts)))
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
def tif(data):
    # Whole directories in a chain, as many strips as there are rows for; one text.
    at, found, seen = struct.unpack_from("<I", data, 4)[0], False, set()
    if data[:4] != b"II*\0": return False
    while at:
        if at in seen: return False
        seen.add(at)
        n, values = struct.unpack_from("<H", data, at)[0], {}
        for i in range(n):
            tag, kind, count, value = struct.unpack_from("<HHII", data, at + 2 + 12 * i)
            width = {2: 1, 3: 2, 4: 4}[kind]
            where = at + 10 + 12 * i if count * width <= 4 else value
            values[tag] = struct.unpack_from("<%d%s" % (count, {1: "B", 2: "H", 4: "I"}[width]), data, where)
        width, height, per = values[256][0], values[257][0], values[278][0]
        strips = list(zip(values[273], values[279]))
        if not height or len(strips) != -(-height // per) or len(values[273]) != len(values[279]): return False
        if any(start + size > len(data) for start, size in strips): return False
        if sum(size for start, size in strips) != width * height: return False
        found = found or b"07" in bytes(values.get(270, b""))
        at = struct.unpack_from("<I", data, at + 2 + 12 * n)[0]
    return found
def mkv(data, depth=0):
    # Elements that tile what they are in, checksums that agree; one name.
    at, found, masters = 0, b"NAME17" in data, (0x1A45DFA3, 0x18538067, 0x1254C367, 0x7373, 0x67C8)
    if not depth and data[:4] != b"\x1a\x45\xdf\xa3": return False
    while at < len(data):
        width = 9 - data[at].bit_length()
        name = int.from_bytes(data[at:at + width], "big")
        at += width
        width = 9 - data[at].bit_length()
        size = int.from_bytes(data[at:at + width], "big") - (1 << 7 * width)
        at += width
        if size < 0 or at + size > len(data): return False
        if name == 0xBF and data[at:at + size] != struct.pack("<I", zlib.crc32(data[at + size:])): return False
        if name in masters and mkv(data[at:at + size], depth + 1) is False: return False
        at += size
    return found or (None if depth else False)
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
    except (struct.error, IndexError, KeyError): print("PASS", flush=True)
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
claim "TIFF in 60 tests" reduce tif --max-tests 60
claim "keeps one directory and one row" is_small out.tif 200
claim "Matroska in 40 tests" reduce mkv --max-tests 40
claim "keeps one tag" is_small out.mkv 80
claim "MIDI with eight jobs" reduce mid --max-tests 30 --deterministic -j8
claim "has the same bytes" cmp -s once.mid out.mid

# A text in UTF-16 is reduced as the text that it is, and stays in UTF-16.
{ for i in $(seq 60); do printf 'Zeile %d: gr\303\266\303\237er\r\n' "$i"; done; printf 'needle\r\nthe end\r\n'; } > utf8.txt
printf '#!/bin/sh\niconv -f UTF-16 -t UTF-8 "$1" | grep -q "^needle"\n' > wide.sh
chmod +x wide.sh
for order in LE BE; do
    { [ $order = LE ] && printf '\377\376' || printf '\376\377'; iconv -f UTF-8 -t UTF-16$order utf8.txt; } > wide.txt
    claim "UTF-16$order" exits 0 "$PARE" reduce --max-tests 200 ./wide.sh wide.txt -o narrow.txt
    claim "keeps the one word" is_small narrow.txt 14
    claim "in UTF-16" ./wide.sh narrow.txt
    rm -rf narrow.txt*
done

# A failure of the packed form of a PDF: without it nothing fails.
python3 - << 'EOF'
import zlib
objects = [b"<< /Type /Catalog /Pages 2 0 R >>"] + [b"(text %d of this book)" % i for i in range(60)]
pairs = b" ".join(b"%d %d" % (9 + i, sum(map(len, objects[:i]))) for i in range(len(objects)))
packed = zlib.compress(pairs + b" " + b"".join(objects))
open("in.pdf", "wb").write(b"%PDF-1.5\n"
    + b"".join(b"%d 0 obj << /Length 300 >> stream\n%s\nendstream endobj\n" % (i, bytes(range(1, 101)) * 3) for i in range(80, 120))
    + b"1 0 obj << /Type /ObjStm /N %d /First %d /Length %d /Filter /FlateDecode >> stream\n" % (len(objects), len(pairs) + 1, len(packed))
    + packed + b"\nendstream endobj\n2 0 obj << /Type /XRef /Size 120 /Root 9 0 R /Length 3 >> stream\nabc\nendstream endobj\n")
EOF
printf '#!/bin/sh\ngrep -aq "/Type /ObjStm" "$1" && grep -aq "/Type /XRef" "$1"\n' > packed.sh
chmod +x packed.sh
claim "PDF, of which the packed form fails" exits 0 "$PARE" reduce --max-tests 40 ./packed.sh in.pdf -o out.pdf
claim "loses what is beside that" is_small out.pdf 400
all_claimed
