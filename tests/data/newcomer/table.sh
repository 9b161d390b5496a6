#!/bin/bash
# Prints docs/guide/newcomer.md: the rows of this folder as tables.
#
# Usage: tests/data/newcomer/table.sh > docs/guide/newcomer.md
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cat <<'END'
# What a newcomer types first

Command lines as people type them before they have read anything, and what happens. There are two cases:

- The first command is right, and the result still shows the failure.
- The command is refused after at most 8 runs of the program, with exit code 1 or 2 (3 if a file or
  a program is missing). The message contains the command or the option that is right.

No command ends with exit code 0 and a wrong result.

`tests/cli/test_newcomer_*.sh` types each line, and runs the real program on the result.
Programs that are not installed are skipped and listed. `table.sh` in `tests/data/newcomer`
generates this page from the rows in that folder.
END
for part in first compilers interpreters data corpus; do
    case $part in
    first) title="First of all" ;;
    compilers) title="Compilers and build tools" ;;
    interpreters) title="Interpreters" ;;
    data) title="Tools that read data" ;;
    corpus) title="The cases of no-script.md" ;;
    esac
    printf '\n## %s\n\n| | typed | outcome |\n|---|---|---|\n' "$title"
    awk '
    function cell(text) { gsub(/\|/, "\\|", text); return "`" text "`" }
    function flush() {
        if (typed == "") return
        if (refused != "") {
            outcome = "refused"
            if (then == "none" || then == "") outcome = outcome "; the message has the right command"
            else outcome = outcome "; then " cell(then)
        } else if (waits != "") outcome = "after some seconds, says which option to add"
        else outcome = "right" (large != "" ? " (slow: only tested on demand)" : "")
        if (pending != "") outcome = outcome " (not yet: waits for " pending ")"
        print "| " about " | " cell(typed) " | " outcome " |"
        typed = refused = then = waits = large = pending = ""
    }
    /^@@@ row /     { flush() }
    /^@@@ about /   { about = substr($0, 11); gsub(/\|/, "\\|", about) }
    /^@@@ type /    { typed = substr($0, 10) }
    /^@@@ refused / { refused = $3 }
    /^@@@ then /    { then = substr($0, 10) }
    /^@@@ waits /   { waits = 1 }
    /^@@@ large/    { large = 1 }
    /^@@@ pending / { pending = substr($0, 13) }
    END { flush() }' "$here/$part.txt"
done
