# C-Reduce: passes of its own, a test without arguments in a folder with the candidate.
peer_program=creduce
peer_run() { # NAME JOBS
    creduce --n "$2" --timing --tidy $(is_c "$1" || echo --not-c) "$counted" "$1"
}
