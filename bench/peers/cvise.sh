# C-Vise: C-Reduce's passes in Python; the same way to call a test.
peer_program=cvise
peer_run() { # NAME JOBS
    cvise -n "$2" --tidy --timestamp $(is_c "$1" || echo --not-c) "$counted" "$1"
}
