#!/bin/bash
# Runs the examples of the manual pages: in each literal display, a line that
# starts with "$ " is a command, and the lines after it are its output.  Each page
# has a folder of its own.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$(dirname "$PARE"):$PATH
export LC_ALL=C

n_commands=0
failed=0
command=
expected=

# Runs the command read last and compares.
finish() {
    # Lines of a display without commands are not run.
    [ -n "$command" ] || { expected=; return 0; }
    n_commands=$((n_commands + 1))
    eval "$command" > "$work/output" 2>&1 < /dev/null || echo "[exit code $?]" >> "$work/output"
    if [ "$(cat "$work/output")" != "${expected%$'\n'}" ]; then
        printf '%s: example: %s\nexpected:\n%s\nprinted:\n' "$name" "$command" "$expected" >&2
        cat "$work/output" >&2
        failed=1
    fi
    command=
    expected=
}

for page in "$PARE_SOURCE_DIR"/doc/man/*.1; do
    name=$(basename "$page")
    # Displays as plain text: roff escapes undone, one blank line between two.
    awk '/^\.Bd -literal/ { inside = 1; next }
         /^\.Ed/ { inside = 0; print ""; next }
         inside { gsub(/\\\(aq/, "\047"); gsub(/\\e/, "\\"); print }' "$page" > "$work/examples"
    mkdir "$work/$name.d"
    cd "$work/$name.d"
    exec 3< "$work/examples"
    while IFS= read -r line <&3; do
        case $line in
        '$ '*) finish; command=${line#\$ } ;;
        '')    finish ;;
        *)     expected+=$line$'\n' ;;
        esac
    done
    finish
done

if [ "$n_commands" -lt 80 ]; then
    echo "only $n_commands examples found in doc/man" >&2
    exit 1
fi
exit "$failed"
