# delta, behind its topformflat, at the levels its manual goes through, each twice.  The test
# is run in the folder of the candidate, without arguments.  One test at a time only.
peer_program=multidelta
peer_run() { # NAME JOBS
    local level
    for level in 0 0 1 1 2 2 10 10; do
        cp "$1" "$1.kept"
        # Where it cannot go on it leaves what topformflat made, which need not fail.
        multidelta -level="$level" "$counted" "$1" || cp "$1.kept" "$1"
    done
}
