#!/bin/bash
# A program that talks to a server: in the sandbox it fails in a way of its own, which is refused with the
# command that lets it through, and that command keeps the failure which the user has seen.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
command -v python3 > /dev/null || { echo "skipped: there is no python3"; exit 77; }

# Answers as a shop does that cannot take an order of a negative quantity, until its input is closed.
cat > server.py << 'END'
import http.server, sys, threading
class Shop(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        bad = b'"quantity": -' in body
        self.send_response(500 if bad else 200)
        self.end_headers()
        self.wfile.write(b"stock underflow" if bad else b"ok")
    def log_message(self, *words): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
END
cat > post.py << 'END'
import sys, urllib.request, urllib.error
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    opener.open(sys.argv[1], data=open(sys.argv[2], "rb").read(), timeout=60).read()
except urllib.error.HTTPError as error:
    sys.exit("error: the shop answered %d: %s" % (error.code, error.read().decode()))
END
python3 -c 'import json; print(json.dumps([{"id": i, "quantity": i - 7 * (i == 5)} for i in range(9)], indent=1))' > order.json
mkfifo server.in server.out
python3 server.py < server.in > server.out &
server_pid=$!
exec 8> server.in
trap 'exec 8>&-; wait "$server_pid" || true; rm -rf "$here"' EXIT
read -r port < server.out
url=http://127.0.0.1:$port/

claim "the sandbox's own failure is refused" exits 1 "$PARE" reduce order.json -o small.json -- python3 "$here/post.py" "$url" @@
claim "with the option that helps" grep -q "may have refused the program something .* allow it with pare reduce order.json --network -- python3 " err
claim "and what to take care of" grep -q 'what a test leaves in a server the next one finds' err
claim "nothing is written" [ ! -e small.json ]
claim "that command is right" exits 0 "$PARE" reduce order.json -o small.json --network --max-tests 60 -- python3 "$here/post.py" "$url" @@
claim "and keeps what was seen" grep -q 'the shop answered' out
claim "it is small" [ "$(wc -c < small.json)" -lt 40 ]
claim "and fails as the input does" sh -c '! python3 post.py "$1" small.json 2> said; grep -q "answered 500: stock underflow" said' sh "$url"
claim "asked for by name the sandbox's failure is the program's" exits 1 "$PARE" reduce order.json -o forced.json --sandbox full -- python3 "$here/post.py" "$url" @@
claim "and the same for an empty input" grep -q 'does the same' err

# What the program writes may be there from a run by hand, and stays as it is.  Not below /tmp, of which tests
# have their own.
cat > convert.sh <<'END'
#!/bin/sh
[ "$1" = -o ] && { out=$2; shift 2; } || out=$2
cat "$1" > "$out" || exit 3
grep -q quantity "$out" && { echo "convert.sh: error: nothing can be sold" >&2; exit 1; }
exit 0
END
chmod +x convert.sh
by_hand=$(mktemp -d "$PARE_BUILD_DIR/by-hand-XXXXXX")
trap 'exec 8>&-; wait "$server_pid" || true; rm -rf "$here" "$by_hand"' EXIT
cp order.json "$by_hand"
cd "$by_hand"
echo mine > made.json
claim "a file behind -o is made in the private directory" exits 0 "$PARE" reduce order.json -o small.json --max-tests 60 -- "$here/convert.sh" -o made.json @@
claim "the failure is the input's" grep -q 'nothing can be sold' out
claim "one without -o is refused" exits 1 "$PARE" reduce order.json -o other.json -- "$here/convert.sh" @@ made.json
claim "with the command that helps" grep -q "the program writes 'made.json', which is there already .*: pare reduce order.json -- .*convert.sh @@ new-made.json$" err
claim "that command is right" exits 0 "$PARE" reduce order.json -o other.json --max-tests 60 -- "$here/convert.sh" @@ new-made.json
sed 's/|| exit 3/2> none || { echo "Cannot create output file ${out##*\/} - abort" >\&2; exit 3; }/' "$here/convert.sh" > "$here/convert2.sh"
chmod +x "$here/convert2.sh"
claim "so is one that says it in its own words" exits 1 "$PARE" reduce order.json -o other2.json -- "$here/convert2.sh" @@ made.json
claim "and the command is told, too" grep -q "the program writes 'made.json', which is there already .*: pare reduce order.json -- .*convert2.sh @@ new-made.json$" err
claim "the file is as it was" [ "$(cat made.json)" = mine ]
claim "and no other is there" [ ! -e new-made.json ]
cd "$here"
all_claimed
