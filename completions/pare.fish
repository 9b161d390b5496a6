# Fish completion for pare(1).  Checked by tests/cli/test_completions.sh.

# The names that --list-algorithms prints under a heading.
function __pare_names
    pare reduce --list-algorithms 2>/dev/null | awk -v heading="$argv[1]" '
        /^[A-Z]/ { inside = index($0, heading) == 1 }
        inside && /^  [a-z]/ { print $1 }'
end

function __pare_languages
    pare lang list 2>/dev/null | awk 'NR > 1 { print $1 }'
end

set -l both '__fish_seen_subcommand_from reduce isolate'
set -l reduce '__fish_seen_subcommand_from reduce'
set -l isolate '__fish_seen_subcommand_from isolate'

complete -c pare -n __fish_use_subcommand -f -a reduce -d 'find the smallest input that still fails'
complete -c pare -n __fish_use_subcommand -f -a isolate -d 'narrow the difference between two inputs'
complete -c pare -n __fish_use_subcommand -f -a parse -d 'print the tree of an input'
complete -c pare -n __fish_use_subcommand -f -a lang -d 'manage the languages that pare can parse'
complete -c pare -n __fish_use_subcommand -f -a help -d 'say how a command is used'
complete -c pare -n __fish_use_subcommand -l version -d 'print the version'
complete -c pare -n '__fish_seen_subcommand_from help' -f -a 'reduce isolate parse lang'
set -l parse '__fish_seen_subcommand_from parse'
complete -c pare -n $parse -s g -l grammar -r -F -d 'an ANTLR v4 grammar'
complete -c pare -n $parse -l lang -x -a '(__pare_languages)' -d 'a language of tree-sitter'
complete -c pare -n $parse -l start -x -d 'the rule to start with'
complete -c pare -n $parse -l format -x -a 'lisp json dot svg' -d 'how the tree is printed'
complete -c pare -n $parse -s q -l quiet -d 'print nothing but errors'
set -l lang '__fish_seen_subcommand_from lang'
complete -c pare -n "$lang; and not __fish_seen_subcommand_from list add info remove" -f -a 'list add info remove'
complete -c pare -n "$lang; and __fish_seen_subcommand_from add info remove" -f -a '(__pare_languages)'
complete -c pare -n $lang -s q -l quiet -d 'print nothing but errors'

complete -c pare -n $both -s o -l output -r -F -d 'the result'
complete -c pare -n $isolate -l output-passing -r -F -d 'the passing side'
complete -c pare -n $reduce -l in-place -d 'replace the input, keep it as INPUT.orig'
complete -c pare -n $both -s j -l jobs -x -d 'tests at once'
complete -c pare -n $reduce -s a -l algorithm -x -a '(__pare_names Algorithms)' -d 'how to reduce'
complete -c pare -n $both -s u -l unit -x -a '(__pare_names Units)' -d 'what is removed'
complete -c pare -n $reduce -l subsets -x -a 'first last skip' -d 'when single parts are tested'
complete -c pare -n $reduce -l order -x -a 'forward backward random' -d 'in which order parts are tried'
complete -c pare -n $reduce -l granularity -x -a '2 inf' -d 'first number of parts'
complete -c pare -n $reduce -l split -x -a 'zeller balanced' -d 'how a list is cut'
complete -c pare -n $reduce -l fixpoint -d 'repeat until nothing more is removed'
complete -c pare -n $reduce -l no-fixpoint -d 'run once'
complete -c pare -n $reduce -l seed -x -d 'of the random order'
complete -c pare -n $both -l timeout -x -d 'limit of one test, seconds'
complete -c pare -n $both -l max-tests -x -d 'stop after so many tests'
complete -c pare -n $both -l max-time -x -d 'stop after so many seconds'
complete -c pare -n $reduce -l target-size -x -d 'stop at this size, bytes'
complete -c pare -n $both -l journal -x -a '(__fish_complete_directories)' -d 'remember outcomes here'
complete -c pare -n $both -l no-journal -d 'remember nothing on disk'
complete -c pare -n $both -l no-cache -d 'run repeated candidates again'
complete -c pare -n $both -l deterministic -d 'the same bytes for every number of jobs'
complete -c pare -n $both -l trace -r -F -d 'write one JSON object a line for each test'
complete -c pare -n $both -l stats -r -F -d 'write statistics as JSON'
complete -c pare -n $both -s q -l quiet -d 'print nothing but errors'
complete -c pare -n $both -s v -l verbose -d 'print a line for each test'
complete -c pare -n $both -l color -x -a 'auto always never' -d 'colours'
complete -c pare -n $reduce -l list-algorithms -d 'describe algorithms and units'
complete -c pare -s h -l help -d 'say how it is used'
