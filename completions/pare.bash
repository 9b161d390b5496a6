# Bash completion for pare(1).  Checked by tests/cli/test_completions.sh.

# Completes the last word of a list separated by commas.
_pare_list() {
    local names=$1 done=
    case $cur in
    *,*) done=${cur%,*}, ;;
    esac
    mapfile -t COMPREPLY < <(compgen -P "$done" -W "$names" -- "${cur##*,}")
}

# The names that --list-algorithms prints under the heading $1.
_pare_names() {
    "${COMP_WORDS[0]}" reduce --list-algorithms 2>/dev/null |
        awk -v heading="$1" '/^[A-Z]/ { inside = index($0, heading) == 1 }
                             inside && /^  [a-z]/ { print $1 }'
}

_pare_value() {
    case $1 in
    -a | --algorithm) _pare_list "$(_pare_names Algorithms)" ;;
    -u | --unit) _pare_list "$(_pare_names Units)" ;;
    --list-algorithm) _pare_list "$(_pare_names Algorithms) halves" ;;
    --transform) _pare_list "remove-empty flatten squeeze hide skip-space none" ;;
    --phase) _pare_list "prune coarse hoist delete child" ;;
    --traversal) _pare_list "last last-backward first first-backward" ;;
    --search) _pare_list "depth all breadth" ;;
    --combinations) _pare_list "first all" ;;
    --effort) _pare_list "normal fast max" ;;
    --subsets) _pare_list "first last skip" ;;
    --order) _pare_list "forward backward random" ;;
    --granularity) _pare_list "2 inf" ;;
    --split) _pare_list "zeller balanced" ;;
    --runner) _pare_list "auto spawn preload afl inprocess" ;;
    --format)
        case ${COMP_WORDS[1]}:${COMP_WORDS[2]} in
        graph:diff) _pare_list "text json" ;;
        graph:*) _pare_list "text json dot svg html" ;;
        *) _pare_list "lisp json dot svg" ;;
        esac ;;
    --sandbox) _pare_list "off devices full" ;;
    --sync) _pare_list "second always never" ;;
    --color) _pare_list "auto always never" ;;
    -g | --grammar | --pattern | --weights | --hooks | --population | --corpus | -o | --output | --output-passing | --trace | --stats | --report | --writable | --visible | --with | --credentials)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    --model)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -W "web" -f -- "$cur") ;;
    --journal | --keep-candidates)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    -j | --jobs | --seed | --timeout | --max-tests | --from-step | --max-time | --target-size | --memory | --cpu | --processes | --never)
        ;;
    --random) _pare_list "pare python" ;;
    --fuzzer) _pare_list "grammar phases limit complex choice random mutation" ;;
    --file-size) _pare_list "none" ;;
    *) return 1 ;;
    esac
}

# Completes the words behind `history`: a result, then what to do with its steps.
_pare_history() {
    if ((COMP_CWORD == 3)); then
        mapfile -t COMPREPLY < <(compgen -W "list show diff restore" -- "$cur")
    elif ((COMP_CWORD == 2)); then
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -W "last" -- "$cur")
    fi
}

# Completes the words behind `lang`: what to do, then with which languages.
_pare_lang() {
    local names
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "--system --quiet --help" -- "$cur")
    elif ((COMP_CWORD == 2)); then
        mapfile -t COMPREPLY < <(compgen -W "list add info remove" -- "$cur")
    else
        names=$("${COMP_WORDS[0]}" lang list 2>/dev/null | awk 'NR > 1 { print $1 }')
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$cur")
    fi
}

# Completes the words after `graph`: what to do, then options and files.
_pare_graph() {
    local options
    case ${COMP_WORDS[2]} in
    explore) options="--output --never --timeout --memory --quiet --help" ;;
    learn) options="--output --timeout --memory --quiet --help" ;;
    weigh) options="--output --number --seed --max-depth --max-calls --keep-values --most --quiet --help" ;;
    show | diff) options="--format --color --help" ;;
    *) options=--help ;;
    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
    elif ((COMP_CWORD == 2)); then
        mapfile -t COMPREPLY < <(compgen -W "explore learn weigh show diff" -- "$cur")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}

# Completes the words after `fuzz`: what to do, then options and files.
_pare_fuzz() {
    local options
    case ${COMP_WORDS[2]} in
    run) options="--set --from --from-grammar --from-lang --from-graph --store --workers --with --credentials --insecure --jobs --max-time --max-tests --finish --verbose --quiet --color --help" ;;
    check) options="--set --from --from-grammar --from-lang --from-graph --store --workers --with --credentials --insecure --all --no-run --help" ;;
    ci) options="--set --from --from-grammar --from-lang --from-graph --store --workers --with --credentials --insecure --jobs --minutes --sarif --junit --verbose --quiet --color --help" ;;
    list) options="--store --state --target --source --search --sort --reverse --limit --json --color --help" ;;
    show) options="--store --print --json --color --help" ;;
    mark) options="--store --as --note --url --title --quiet --help" ;;
    merge | split | delete | reduce | validate | update | import) options="--store --quiet --help" ;;
    bisect) options="--store --versions --quiet --help" ;;
    report) options="--to --send --again --project --url --output --format --state --target --store --help" ;;
    export) options="--store --output --quiet --help" ;;
    web) options="--store --listen --token-file --host --read-only --patience --help" ;;
    top) options="--store --help" ;;
    *) options=--help ;;
    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
    elif ((COMP_CWORD == 2)); then
        mapfile -t COMPREPLY < <(compgen -W "run check ci list show mark merge split delete reduce validate update bisect report export import top web" -- "$cur")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}

_pare() {
    local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local both="--output --jobs --unit --timeout --runner --max-tests --max-time --journal
        --no-journal --sync --no-cache --deterministic --trace --stats --report --quiet --verbose
        --color --help --memory --cpu --processes --file-size --no-aslr --sandbox
        --network --writable --visible
        --exit --signal --stdout --stderr --any-output --no-output --hang --differs
        --max-rss --valid --signature --message --allow-new-errors"
    local reduce="--workers --with --credentials --insecure
        --from-step --no-history --trace-texts --keep-candidates --view --explain --worker --check-with --also --strategy --generator --choices --in-place --algorithm --effort --no-coverage --no-semantic --subsets --order --granularity --split
        --fixpoint --no-fixpoint --seed --target-size --lang --grammar --start --island
        --allow-empty --reduce-args --reduce-env
        --keep --only --protect --flaky --flaky-precision
        --transform --list-algorithm --phase --traversal --search --combinations --corpus
        --list-algorithms --list-candidates --tree"
    local isolate="--output-passing"
    local explain="--report --jobs --timeout --runner --max-tests --max-time --json --help --memory --cpu --processes --file-size
        --no-aslr --sandbox --network --writable --visible --exit --signal --stdout --stderr --any-output --no-output --hang
        --differs --max-rss --valid --signature --message --allow-new-errors --keep --lang --grammar --start"
    local history="--output --json --quiet --help"
    local parse="--grammar --lang --start --island --format --symbol --depth --quiet --help"
    local generate="--grammar --lang --start --number --output --null --seed --jobs --max-depth
        --max-tokens --model --weights --hooks --fuzzer --population --cooldown --unusual --repeats --unseeded --only --record --replay
        --timeout --graph --max-calls --keep-values --graph-rule --random --defaults
        --min-nonterminals --max-nonterminals --min-length --max-length --min-mutations --max-mutations
        --coverage-by --reduce-members --members
        --graph-share --pattern --one
        --verbose --quiet --help"
    local worker="--jobs --credentials --insecure --name --sandbox --visible --memory --status --quiet --help"
    local learn="--grammar --lang --start --output --leaves --verbose --quiet --help"
    local shootout="--algorithm --jobs --output --inputs --seed --max-tests --max-time --timeout
        --test-time --repeats --list --verbose --quiet --color --help"
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "reduce isolate explain history parse generate learn shootout lang graph fuzz worker help --version --help" -- "$cur")
        return
    fi
    # Bash breaks an option with "=" into three words.
    if [[ $cur == = ]]; then
        cur=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    _pare_value "$previous" && return
    case ${COMP_WORDS[1]}:$cur in
    reduce:-*) mapfile -t COMPREPLY < <(compgen -W "$both $reduce" -- "$cur") ;;
    explain:-*) mapfile -t COMPREPLY < <(compgen -W "$explain" -- "$cur") ;;
    history:-*) mapfile -t COMPREPLY < <(compgen -W "$history" -- "$cur") ;;
    isolate:-*) mapfile -t COMPREPLY < <(compgen -W "$both $isolate" -- "$cur") ;;
    parse:-*) mapfile -t COMPREPLY < <(compgen -W "$parse" -- "$cur") ;;
    worker:-*) mapfile -t COMPREPLY < <(compgen -W "$worker" -- "$cur") ;;
    learn:-*) mapfile -t COMPREPLY < <(compgen -W "$learn" -- "$cur") ;;
    generate:-*) mapfile -t COMPREPLY < <(compgen -W "$generate" -- "$cur") ;;
    shootout:-*) mapfile -t COMPREPLY < <(compgen -W "$shootout" -- "$cur") ;;
    lang:*) _pare_lang ;;
    graph:*) _pare_graph ;;
    fuzz:*) _pare_fuzz ;;
    history:*) _pare_history ;;
    help:*) mapfile -t COMPREPLY < <(compgen -W "reduce isolate explain history parse generate learn shootout lang graph fuzz" -- "$cur") ;;
    *)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    esac
}

complete -F _pare pare
