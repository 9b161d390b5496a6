# Ours, by the same counted test.
peer_program=$pare
peer_run() { # NAME JOBS
    "$pare" reduce -q -j "$2" --no-journal --flaky off -o "$1.min" "$counted" "$1" || return
    if [ -e "$1.min" ]; then mv "$1.min" "$1"; fi
}
