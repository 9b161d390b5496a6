#!/bin/bash
# Runs the examples of the manual page: in each literal display, a line that
# starts with "$ " is a command, and the lines behind it are its output.
set -eu

page=$PARE_SOURCE_DIR/doc/man/pare.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$(dirname "$PARE"):$PATH
export LC_ALL=C

# Displays as plain text: roff escapes undone, one blank line between two.
awk '/^\.Bd -literal/ { inside = 1; next }
     /^\.Ed/ { inside = 0; print ""; next }
     inside { gsub(/\\\(aq/, "\047"); gsub(/\\e/, "\\"); print }' "$page" > "$work/examples"

n_commands=0
failed=0
command=
expected=

# Runs the command read last and compares.
finish() {
    [ -n "$command" ] || return 0
    n_commands=$((n_commands + 1))
    eval "$command" > "$work/output" 2>&1 < /dev/null || echo "[exit code $?]" >> "$work/output"
    if [ "$(cat "$work/output")" != "${expected%$'\n'}" ]; then
        printf 'example: %s\nexpected:\n%s\nprinted:\n' "$command" "$expected" >&2
        cat "$work/output" >&2
        failed=1
    fi
    command=
    expected=
}

mkdir "$work/dir"
cd "$work/dir"
exec 3< "$work/examples"
while IFS= read -r line <&3; do
    case $line in
    '$ '*) finish; command=${line#\$ } ;;
    '')    finish ;;
    *)     expected+=$line$'\n' ;;
    esac
done
finish

if [ "$n_commands" -lt 10 ]; then
    echo "only $n_commands examples found in $page" >&2
    exit 1
fi
exit "$failed"
