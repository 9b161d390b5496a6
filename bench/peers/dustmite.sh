# DustMite: looks ahead by threads; splits by what the name tells, and by words where there
# are few lines.
peer_program=dustmite
peer_run() { # NAME JOBS
    local mode=lines look=
    case $1 in
    *.c | *.h | *.js | *.sql) mode=d ;;
    *.json | *.lua | *.sv | *.html) mode=indent ;;
    *.abc | *.sgi | *.smt2 | *.expr) mode=words ;;
    *) [ "$(wc -l < "$1")" -ge 10 ] || mode=words ;;
    esac
    [ "$2" -eq 1 ] || look=-j$2
    dustmite --force --split "*:$mode" $look "$1" "$counted" || true # no progress is no error
    if [ -e "$1.reduced/$1" ]; then cp "$1.reduced/$1" "$1"; fi
}
