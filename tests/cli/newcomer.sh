# What a newcomer types first, and what comes of it: sourced by tests/cli/test_newcomer_*.sh.
#
# tests/data/newcomer/NAME.txt holds rows; its README.md says how they are written.  A row
# is typed as it stands, in a folder with its files, but for limits that are added.  Either
# the first command is right: exit code 0, and the real program, run on the result, still
# shows the failure.  Or it is refused, with exit code 1 or 2, in at most 8 runs of the
# program, by a sentence that has the command, or the option, that is right; that is then
# typed as well, and has to be right.  A row whose program is not installed is skipped and
# named; the last line counts.

. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

data=$PARE_SOURCE_DIR/tests/data
corpus=$PARE_SOURCE_DIR/../shared/corpus
n_run=0 n_skipped=0
LIMITS='' # added to the command that is typed

# The word `pare` of a row: the program, with limits behind its first word.
pare() {
    case ${1:-} in
    reduce | isolate) timeout -k 5 280 "$PARE" "$1" $LIMITS "${@:2}" ;;
    *) timeout -k 5 280 "$PARE" "$@" ;;
    esac
}

# ---- a row's folder -------------------------------------------------------------------

# Sets the row's words to nothing.
clear_row() {
    row='' about='' group='' case_of='' typed='' then='' shows='' never='' result='' then_result=''
    needs='' refused='' says='' kept='' tests=60 file='' waits='' large='' long='' keeps='' pending=''
}

# Writes the files of the original of a group of tests/data/diagnostics.
take_group() {
    awk '/^@@@ / {
             if (name != "") close(name)
             name = ""
             n += /^@@@ case /
             if (n > 1) exit
             if (/^@@@ fixed /) name = substr($0, 11)
             if (/^@@@ file /) name = substr($0, 10)
             if (name ~ /\//) {
                 folder = name
                 sub("/[^/]*$", "", folder)
                 system("mkdir -p " folder)
             }
             if (name != "") printf "" > name
             next
         }
         name != "" { print > name }' "$data/diagnostics/$1.txt"
}

# Wrappers of the programs that a row needs; each leaves a line for each of its runs.
wrap_programs() {
    local program real
    rm -rf "$here/count/bin" # programs of the row before
    mkdir -p "$here/count/bin"
    : > "$here/count/runs"
    for program in $needs; do
        real=$(command -v "$program") || continue
        # The name is kept: a shell with another name is another shell.
        printf '#!/bin/sh\necho %s >> "%s"\nexec "%s" "$@"\n' \
            "$program" "$here/count/runs" "$real" > "$here/count/bin/$program"
        chmod +x "$here/count/bin/$program"
    done
}

# ---- what came of it ------------------------------------------------------------------

# Types a command line; its exit code is in $code, its words in `out` and `err`.
type_line() {
    code=0
    (eval "$1") > out 2> err < /dev/null || code=$?
}

# The same, until what it prints matches $waits, 40 s at most; then it is interrupted.
type_until_said() {
    # The process itself, not a shell around it, is to be interrupted.
    local line=${1/#pare reduce/exec \"$PARE\" reduce $LIMITS} pid tries=0
    (eval "$line") > out 2> err < /dev/null &
    pid=$!
    until grep -qsE -- "$waits" out err || [ "$tries" -ge 800 ] || ended "$pid"; do
        tries=$((tries + 1))
        sleep 0.05
    done
    # What is only written at the end was not said in time.
    said=0
    grep -qsE -- "$waits" out err || said=1
    kill -INT "$pid" 2> /dev/null
    ends "$pid"
}

# Where the result of command line $1 is: as its -o says, else NAME.min.EXT.
result_of() {
    local line=${1%% -- *} input
    if [[ $line =~ \ (-o|--output)[\ =]([^ ]+) ]]; then
        echo "${BASH_REMATCH[2]}"
        return
    fi
    for input in $line; do
        [ "$input" != pare ] && [ "$input" != reduce ] && [[ $input != -* ]] &&
            [[ $input != *.sh ]] && [ -e "$input" ] && break
    done
    input=${input%/}
    if [ -d "$input" ] || [[ $input != *.* ]]; then
        echo "$input.min"
    else
        echo "${input%.*}.min.${input##*.}"
    fi
}

# What the program of command line $1 prints of file or folder $2, under the input's name.
show_failure() {
    local line=$1 result=$2 words place name
    name=$(basename "$result")
    name=${name/.min/}
    place=$here/shown
    rm -rf "$place"
    mkdir -p "$place"
    cp -r "$result" "$place/$name"
    for extra in $kept; do cp -r "$extra" "$place/"; done
    words=${line#* -- }
    # A test script is executed where it lies.
    [ "$words" != "$line" ] || words="sh $PWD/$(grep -o '[^ /]*\.sh' <<< "$line" | head -n 1) $name"
    local standard=/dev/null
    [[ $words == *@@* ]] || [[ $line != *" -- "* ]] || standard=$place/$name
    words=${words//@@.${name##*.}/$place/$name}
    words=${words//@@/$place/$name}
    eval "set -- $words"
    # One word with blanks in it is a command line.
    [ $# -gt 1 ] || [[ $1 != *" "* ]] || set -- sh -c "$1"
    (cd "$place" && timeout -s KILL "$hang_limit" "$@") < "$standard"
}

# Whether the result of command line $1 still shows the failure.
still_fails() {
    local result=$2 ended=0
    [ "$shows" != none ] || return 0
    if [ ! -e "$result" ]; then
        echo "$row: there is no $result" >&2
        return 1
    fi
    hang_limit=120
    [ "$shows" != hang ] || hang_limit=2
    show_failure "$1" "$result" > shown 2>&1 || ended=$?
    case $shows in
    hang) [ "$ended" -eq 137 ] ;;
    signal) [ "$ended" -gt 128 ] && [ "$ended" -ne 137 ] ;;
    "exit "*) [ "$ended" -eq "${shows#exit }" ] ;;
    *) grep -qE -- "$shows" shown ;;
    esac || { sed 's/^/  shown: /' shown >&2; return 1; }
    [ -z "$never" ] || ! grep -qE -- "$never" shown
}

# The command that the message has, without the limits; nothing when it has none.
command_of() {
    local line
    line=$(sed -n 's/.*\(pare reduce .*\)$/\1/p' err | head -n 1)
    echo "${line/ $LIMITS/}"
}

check_right() {
    local line=$1
    claim "$row: the first command is right" [ "$code" -eq 0 ]
    [ "$code" -eq 0 ] || return 0
    claim "$row: its result shows the failure" still_fails "$line" "${result:-$(result_of "$line")}"
    [ -z "$keeps" ] || claim "$row: what was there is kept" [ -e "$keeps" ]
    [ -z "$says" ] || claim "$row: it says so" grep -qE -- "$says" out err
}

check_refused() {
    local line
    claim "$row: it is refused" [ "$code" -eq "$refused" ]
    [ -z "$says" ] || claim "$row: it says what is right" grep -qE -- "$says" err
    claim "$row: in at most 8 runs, $(wc -l < "$here/count/runs")" \
        [ "$(wc -l < "$here/count/runs")" -le 8 ]
    line=$(command_of)
    [ -z "$then" ] || line=$then
    [ "$line" != none ] || return 0
    claim "$row: it has a command" [ -n "$line" ]
    [ -n "$line" ] || return 0
    type_line "$line"
    claim "$row: the command that it has ends well: $line" [ "$code" -eq 0 ]
    [ "$code" -eq 0 ] || return 0
    [ -z "$shows" ] || claim "$row: the result of that shows the failure: $line" \
        still_fails "$line" "${then_result:-$(result_of "$line")}"
}

# ---- rows -----------------------------------------------------------------------------

skip() {
    n_skipped=$((n_skipped + 1))
    echo "$row: skipped, $1"
}

# Whether the programs that are installed show the case's failure, as its own test says: an update
# may have mended them.
case_fails() {
    local place
    place=$(mktemp -d "$here/case-XXXXXX")
    cp -r "$corpus/$case_of"/. "$place/"
    (cd "$place" && timeout -s KILL 120 \
        env PATH="$PARE_SOURCE_DIR/tests/cli/support/patient:$PATH" ./test.sh input.*) > "$place/log" 2>&1 < /dev/null
}

run_row() {
    local program
    [ -n "$row" ] || return 0
    for program in $needs; do
        if ! command -v "$program" > /dev/null; then
            skip "$program is not installed"
            return
        fi
    done
    if [ -n "$case_of" ] && [ ! -d "$corpus/$case_of" ]; then
        skip "no shared corpus beside the repository"
        return
    fi
    if [ -n "$pending" ]; then
        skip "waits for $pending"
        return
    fi
    if [ -n "$large" ] && [ -z "${PARE_TEST_LARGE:-}" ]; then
        skip "it takes long: PARE_TEST_LARGE=1 runs it"
        return
    fi
    if [ -n "$long" ] && [ -z "${PARE_TEST_LONG:-}" ]; then
        skip "make test-long runs it"
        return
    fi
    if [ -n "$case_of" ] && [ -x "$corpus/$case_of/test.sh" ] && ! case_fails; then
        skip "the programs that are installed do not fail any more"
        return
    fi
    cd "$here/rows/$row"
    [ -z "$group" ] || take_group "$group"
    if [ -n "$case_of" ]; then
        cp "$corpus/$case_of"/input.* .
        [ ! -e "$corpus/$case_of/check.c" ] || cc -std=c17 -O2 -o check "$corpus/$case_of/check.c"
    fi
    # A few tests of a reduction show which failure is kept; PARE_TEST_LONG runs as many as the row says.
    [ -n "${PARE_TEST_LONG:-}" ] || [ "$tests" -le 8 ] || [[ $typed == "pare isolate "* ]] || tests=8
    LIMITS="--no-journal -j1 --max-tests $tests"
    local path=$PATH start=$SECONDS
    wrap_programs
    if [ -n "$refused" ]; then
        PATH=$here/count/bin:$PATH
        LIMITS+=" --writable $here/count"
    fi
    if [ -n "$waits" ]; then type_until_said "$typed"; else type_line "$typed"; fi
    PATH=$path
    n_run=$((n_run + 1))
    if [ -n "$waits" ]; then
        claim "$row: it says '$waits' while it waits" [ "$said" -eq 0 ]
    elif [ -n "$refused" ]; then
        check_refused
    else
        check_right "$typed"
    fi
    [ -z "${PARE_NEWCOMER_TIMES:-}" ] || echo "$row: $((SECONDS - start)) s"
    cd "$here"
}

# Runs the rows of tests/data/newcomer/$1.txt.
run_rows() {
    local line what rest
    clear_row
    while IFS= read -r line <&4; do
        if [[ $line != '@@@ '* ]]; then
            [ -z "$file" ] || printf '%s\n' "$line" >> "$file"
            continue
        fi
        read -r _ what rest <<< "$line"
        rest=${line#@@@ "$what"}
        rest=${rest# }
        case $what in
        row)
            run_row
            clear_row
            row=$rest
            mkdir -p "$here/rows/$row"
            ;;
        group) group=$rest ;;
        case) case_of=$rest ;;
        about | says | shows | never | result | needs | tests | then | kept | keeps | waits | pending) printf -v "$what" %s "$rest" ;;
        then-result) then_result=$rest ;;
        type) typed=$rest ;;
        refused) refused=$rest ;;
        large) large=1 ;;
        long) long=1 ;;
        file | script)
            file=$here/rows/$row/$rest
            mkdir -p "$(dirname "$file")"
            : > "$file"
            [ "$what" = file ] || chmod +x "$file"
            ;;
        *) claim "a title is known: $line" false ;;
        esac
        [[ $what == file || $what == script ]] || file=''
    done 4< "$data/newcomer/$1.txt"
    run_row
    echo "$1: $n_run rows run, $n_skipped skipped"
    [ "$n_run" -gt 0 ] || exit 77
    all_claimed
}
