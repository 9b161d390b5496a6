# afl-tmin: a failure is a crash.  One test at a time only.
peer_program=afl-tmin
peer_run() { # NAME JOBS
    PEERS_CRASH=1 AFL_SKIP_BIN_CHECK=1 AFL_NO_AFFINITY=1 AFL_MAP_SIZE=65536 \
        afl-tmin -t 20000 -i "$1" -o "$1.min" -- "$counted" @@ || return
    mv "$1.min" "$1"
}
