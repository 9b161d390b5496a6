#!/bin/bash
# Workers of a server that encrypts (TLS), and of one that lets in who has a key (NKEY) or a token: the same
# bytes and steps as at home; and what is said where the certificate, the key or the server does not do.
#
# The test starts servers of its own on loopback, with certificates and keys that it makes itself, and ends
# them; it is skipped without nats-server, libnats or openssl.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
if ! command -v openssl > /dev/null; then
    echo "skipped: openssl is not there (apt-get install openssl)"
    exit 77
fi
. "$PARE_SOURCE_DIR/tests/cli/cluster.sh"
sandbox=off # what tests may do on a worker is not looked at here
unset SSL_CERT_FILE SSL_CERT_DIR

awk 'BEGIN { for (i = 1; i <= 60; i++) print "line " i (i == 20 ? " alpha" : "") (i == 45 ? " omega" : "") }' > in.txt
printf '#!/bin/sh\ngrep -q alpha "$1" && grep -q omega "$1"\n' > test.sh
# At home its tests stop from the twelfth on until the worker has run one, so that it has, whatever the load.
# Each waits for at most three seconds: the last test of a phase has no successor that a worker could try.
cat > gated.sh <<END
#!/bin/sh
if [ "\${PARE_TEST_GATE:-}" ]; then
    echo >> "\$PARE_TEST_GATE.runs"
    waits=30
    until [ "\$(wc -l < "\$PARE_TEST_GATE.runs")" -lt 12 ] || [ -e "\$PARE_TEST_GATE" ] || [ \$waits = 0 ]; do
        sleep 0.1
        waits=\$((waits - 1))
    done
fi
exec $here/test.sh "\$1"
END
chmod +x test.sh gated.sh
claim "at home it reduces" reduce home --deterministic ./test.sh in.txt
claim "to two words" [ "$(cat out.home)" = alphaomega ]

# status   What the workers of $url say; $login is how to log in there.
login=()
status() { "$PARE" worker "$url" "${login[@]}" --status; }
n_named() { status | grep "^$1 " | sort -u | wc -l; }
has() { [ "$(n_named "$1")" = "$2" ]; } # NAME NUMBER
ran() { status | awk -v name="$1" '$1 == name { n = $4 } END { print n + 0 }'; }
has_run() { [ "$(ran "$1")" -gt 0 ]; }
start() { # NAME NUMBER: the number of workers of this name there are then
    "$PARE" worker "$url" "${login[@]}" --name "$1" -j1 --sandbox "$sandbox" > "worker.$1.$2" 2>&1 &
    worker=$!
    pids+=("$worker")
    until_true has "$1" "$2"
}
reduces_with() { # WORKER
    refresh
    PARE_TEST_GATE=$here/gate.$1 "$PARE" reduce --color never --no-journal -j1 -o "out.$1" --trace "trace.$1" \
        --timeout 250 --workers "$url" "${login[@]}" --with "$here/fresh" --with "$here/test.sh" \
        ./gated.sh in.txt > "told.$1" 2> "said.$1" < /dev/null &
    local pid=$!
    pids+=("$pid")
    until_true has_run "$1" || return 1
    touch "gate.$1"
    wait "$pid"
}
# One sentence, and the exit code, of a reduction and of a worker; nothing is written.
refused() { # CODE SENTENCE OPTION...
    run "$PARE" reduce -q --no-journal -o out.refused --workers "$url" "${@:3}" ./test.sh in.txt
    [ "$code" -eq "$1" ] && says "$2" && [ ! -e out.refused ] || return 1
    run "$PARE" worker "$url" "${@:3}"
    [ "$code" -eq "$1" ] && says "$2"
}
trusting() { # FILE COMMAND...
    local -x SSL_CERT_FILE=$1
    "${@:2}"
}

# --- certificates --------------------------------------------------------------------------------

certificate() { # NAME OF-WHICH-HOSTS
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$1" \
        -addext "subjectAltName=$2" -keyout "$1.key" -out "$1.crt" 2> openssl.log
}
claim "openssl makes a certificate" certificate ours DNS:localhost,IP:127.0.0.1
claim "and another of the same host" certificate strangers DNS:localhost,IP:127.0.0.1
claim "and one of another host" certificate elsewhere DNS:elsewhere.example
start_tls_server() { # CERTIFICATE [LINE OF ITS TLS BLOCK]
    cat > "$1.conf" <<END
jetstream { store_dir: "$here/store.$1" }
tls {
    cert_file: "$here/$1.crt"
    key_file: "$here/$1.key"
    ${2:-}
}
END
    start_server --config "$1.conf" || return 1
    url=tls://127.0.0.1:$port
}
stop_server() { kill "$server"; wait "$server" || true; }

claim "a server with a certificate starts" start_tls_server ours
export SSL_CERT_FILE=$here/ours.crt
claim "a worker starts" start encrypted 1
claim "with it a reduction" reduces_with encrypted
claim "comes to the same bytes" cmp -s out.home out.encrypted
claim "by the same steps" same_trace trace.home trace.encrypted
url=tls://localhost:$port
claim "by the other name that is in the certificate the worker is found, too" has encrypted 1
url=nats://127.0.0.1:$port
claim "a server that wants TLS gets it whatever the URL says" has encrypted 1
claim "but not without a look at its certificate" trusting strangers.crt refused 3 'is not trusted here'
url=tls://127.0.0.1:$port
kill "$worker"; wait "$worker" || true
unset SSL_CERT_FILE
untrusted="the certificate of $url is not trusted here (self-signed certificate)"
claim "without the certificate" refused 3 "$untrusted: name a file with the certificate of its issuer by SSL_CERT_FILE=FILE"
claim "with another" trusting strangers.crt refused 3 "$untrusted: add the certificate of its issuer to strangers.crt"
claim "with a file that is not there" trusting none.crt refused 3 "$untrusted: none.crt, which SSL_CERT_FILE names, cannot be read"
stop_server

claim "a server with the certificate of another host starts" start_tls_server elsewhere
claim "is not taken for that host" trusting elsewhere.crt refused 3 "the certificate of $url is for another host (IP address mismatch): use the name that is in it"
stop_server

claim "a server that wants certificates of clients starts" start_tls_server ours "ca_file: \"$here/ours.crt\", verify: true"
claim "is told of" trusting ours.crt refused 3 "asks clients for certificates, which pare does not have: turn 'verify' off"
stop_server

# --- no server, and one without a certificate --------------------------------------------------------

port=$(free_port)
url=nats://127.0.0.1:$port
claim "no server" refused 3 "no server answers at $url: start one there: nats-server --jetstream --addr 127.0.0.1 --port $port"
command=$(sed -n 's/.*: start one there: //p' err)
start_by_command() {
    $command --store_dir store.plain > server.plain 2>&1 &
    server=$!
    pids+=("$server")
    until_true answers "$url"
}
claim "the command that is named starts one" start_by_command
url=tls://127.0.0.1:$port
claim "tls:// does not go on without TLS" refused 3 "$url does not encrypt: give it a certificate (nats-server --jetstream --addr 127.0.0.1 --port $port --tls --tlscert FILE --tlskey FILE), or use nats:// instead of tls://"
stop_server

# --- keys ------------------------------------------------------------------------------------------

nats_keys() { python3 "$PARE_SOURCE_DIR/tests/cli/support/nats_keys.py" "$@"; }
key_pair() { nats_keys pair > "$1" && [ "$(head -c 2 "$1")" = SU ]; }
claim "a key is made" key_pair right
claim "and another" key_pair other
(head -n 1 other; tail -n 1 right) > mixed
head -n 1 right > alone
(head -n 1 right | tr 'B-Y' 'C-YB' | sed 's/^../SU/'; tail -n 1 right) > damaged
: > empty
cat > keys.conf <<END
jetstream { store_dir: "$here/store.keys" }
authorization { users = [ { nkey: $(tail -n 1 right) } ] }
END
claim "a server that knows one key starts" start_server --config keys.conf
login=(--credentials right)
claim "a worker with the seed starts" start keyed 1
claim "with it a reduction" reduces_with keyed
claim "comes to the same bytes" cmp -s out.home out.keyed
claim "by the same steps" same_trace trace.home trace.keyed
refuses="$url refuses these credentials: give others with --credentials FILE"
claim "another key" refused 3 "$refuses" --credentials other
claim "the seed of another" refused 3 "$refuses" --credentials mixed
claim "no key" refused 3 "$refuses"
claim "a file that is not there" refused 3 'none does not exist' --credentials none
claim "an empty file" refused 2 'empty contains no credentials' --credentials empty
claim "a seed alone" refused 2 'alone contains a seed without its public key: add the key (U...) as a second line' --credentials alone
claim "a damaged seed" refused 2 'the seed or the key in damaged is damaged: copy it again' --credentials damaged
one=$worker
claim "a second worker of that name can be told from it" start keyed 2
kill "$one" "$worker"; wait "$one" "$worker" || true
stop_server

# --- credentials of nsc: a JWT and its seed, of an account that an operator made ---------------------------

claim "an operator and its accounts are made" nats_keys account .
cat > accounts.conf <<END
jetstream { store_dir: "$here/store.accounts" }
include "./server.conf"
END
login=(--credentials user.creds)
claim "a server of accounts starts" start_server --config accounts.conf
claim "a worker with a user's credentials starts" start member 1
claim "with it a reduction" reduces_with member
claim "comes to the same bytes" cmp -s out.home out.member
claim "by the same steps" same_trace trace.home trace.member
# One in 256 signatures begins with a byte that libnats takes for the end of a text.
logs_in_often() {
    for _ in $(seq 300); do status > /dev/null || return 1; done
}
[ -z "${PARE_TEST_LONG:-}" ] || claim "each of 300 logins is let in" logs_in_often
refuses="$url refuses these credentials: give others with --credentials FILE"
claim "credentials that have expired" refused 3 "$refuses" --credentials expired.creds
claim "those of an account that is not the server's" refused 3 "$refuses" --credentials stranger.creds
head -n 3 user.creds > tokenonly.creds
claim "a JWT alone" refused 2 "tokenonly.creds contains a JWT without its seed: copy the whole file that 'nsc generate creds' prints" --credentials tokenonly.creds
kill "$worker"; wait "$worker" || true
stop_server

# --- a campaign, by such credentials and encrypted ------------------------------------------------------

campaigns() {
    ! "$PARE" fuzz list --store none 2>&1 | grep -q "without campaigns"
}
# At home no test but the first goes on until the worker has run one.
cat > program.sh <<'END'
#!/bin/sh
if [ "${PARE_TEST_GATE:-}" ] && [ "$(wc -c < "$1")" -gt 1 ]; then
    until [ -e "$PARE_TEST_GATE" ]; do sleep 0.1; done
fi
case $(cat "$1") in *null*) kill -SEGV $$ ;; esac
END
chmod +x program.sh
mkdir tests
for i in 1 2 3 4 5 6 7 8; do echo "$i" > "tests/$i"; done
echo '[1, null, 2]' > tests/9
printf '[campaign]\njobs = 1\n[target it]\ncommand = %s/program.sh @@\nsandbox = off\ntimeout = 200\n[source files]\nkind = folder\nfiles = tests/*\n' "$here" > campaign.ini
campaign_with() { # WORKER
    PARE_TEST_GATE=$here/gate.$1 timeout 250 "$PARE" fuzz run campaign.ini --workers "$url" "${login[@]}" --finish > out 2> err < /dev/null &
    local pid=$!
    pids+=("$pid")
    until_true has_run "$1" || return 1
    touch "gate.$1"
    wait "$pid"
}
finds_it() { [ "$("$PARE" fuzz list --store campaign.pare.db --json | jq -c 'map(.reduced_bytes)')" = '[4]' ]; }
if campaigns; then
    cat >> accounts.conf <<END
tls { cert_file: "$here/ours.crt", key_file: "$here/ours.key" }
END
    claim "a server of accounts that encrypts starts" start_server --config accounts.conf
    url=tls://127.0.0.1:$port
    export SSL_CERT_FILE=$here/ours.crt
    claim "a worker with a user's credentials starts there" start fuzzing 1
    claim "with it a campaign" campaign_with fuzzing
    claim "finds what there is and reduces it" finds_it
    run "$PARE" fuzz run campaign.ini --workers "$url" --credentials stranger.creds --finish
    claim "a stranger's has no workers, and says why" says "$url refuses these credentials"
    unset SSL_CERT_FILE
    kill "$worker"; wait "$worker" || true
    stop_server
fi

# --- tokens ------------------------------------------------------------------------------------------

login=()
claim "a server with a token starts" start_server --jetstream --store_dir store.token --auth some-token
echo some-token > right
echo other-token > other
lets_in() { status 2>&1 | grep -q 'no worker answers'; }
login=(--credentials right)
claim "the token is let in" lets_in
claim "another is not" refused 3 "$url refuses these credentials" --credentials other
all_claimed
