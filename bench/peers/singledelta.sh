# delta, by lines: the test gets the candidate's path.  One test at a time only.
peer_program=singledelta
peer_run() { # NAME JOBS
    singledelta -quiet -test="$counted" -cp_minimal="$1.min" "$1" || return
    if [ -e "$1.min" ]; then mv "$1.min" "$1"; fi
}
