#!/bin/bash
# Checks that the sources keep the order of the house.
#
# Usage: scripts/check_layers.sh [ROOT]        default: the repository
#        scripts/check_layers.sh --self-test   proves that each check can fail
#
#  layer    a file of src/ includes, besides <pare/...>, only from its own layer
#           and from those that the table below grants it, always as
#           "layer/name.h"; a tool (tools/NAME/) also its own "NAME/name.h"; a
#           public header only <pare/...> and the system's
#  alloc    nobody calls malloc, free and their like but src/base/alloc.c
#  kill     nobody calls kill with a signal, or waitid, but src/os/child.c
#  size     no source file has more than 1000 lines
#  cycle    headers do not include each other in a circle
#  alone    each header compiles by itself, the public ones without src/
#
# One line for each violation: file:line: what is wrong.  Exit codes: 0 clean,
# 1 violations, 2 usage.
set -eu

# layer: what it may include.  A folder without a row belongs to the layer of the
# folder that it is in (os/sandbox to os).  A row grants only layers of earlier
# rows, or single headers of them, so there is no way back up; what it does not
# grant is beside it.
table='
# Status, memory, containers: does nothing to the outside, so everybody may have it.
base:
# Every system call.
os: base
# Texts and candidates; os for the entries of a folder.
text: base os
# Lives in other processes, preloaded or by itself: it has nothing of ours to link with.
run/shim: base
# Runs tests and knows no strategy; run/shim for the protocol.
run: base os text run/shim
# The one layer that has tests run.
engine: base os text run
# Reads grammars; text for the patterns of character classes.
grammar: base os text
# Text and grammar make a tree; opens no file.
parse: base text grammar
# Packs of languages lie in files, and name a grammar or a parser.
lang: base os text grammar parse
# Strategies propose and never run anything: none has run/, and os/ only where
# something is read.  They are beside each other but for what is said here.
reduce/list: base text engine
# HDD and others reduce the lists of a tree; a list knows no tree.
reduce/tree: base text engine parse reduce/list
# Blocks of lines that a text shows without a grammar, and the strategy over them.
reduce/structure: base text engine
# Facts of grammars and languages for trees, and the front end that picks them.
reduce/syntax: base os text grammar parse lang reduce/tree
reduce/passes: base text grammar parse reduce/tree
reduce/binding: base text grammar parse reduce/structure reduce/tree reduce/passes
reduce/dependency: base text run/complaints.h engine grammar parse reduce/tree reduce/passes reduce/binding
# Tables, by rows and columns; a list algorithm says which.
reduce/table: base text engine reduce/list
# Texts of instructions, likewise.
reduce/ssa: base text engine reduce/list
# A folder as a graph of files, searched as one of declarations is; os for the entries of a folder.
reduce/project: base text os/entries.h parse/parse_tree.h reduce/dependency
# Patches that another program has thought of, which it does not run itself.
reduce/semantic: base text
# Chunks of binary files; nothing of them is text.
reduce/binary: base text engine
# os for the entropy of a fresh list.
reduce/choice: base os text engine
# What a script engine offers, and walks over it; os for its file.
generate/prototype: base os text reduce/choice
# Makes texts from lists of choices.
generate: base os text grammar parse lang reduce/choice generate/prototype
# Asks engines what they offer, so it runs them.
generate/discovery: base os text run generate/prototype
# Puts it all together.
session: base os text run engine grammar parse lang reduce/list reduce/tree reduce/structure reduce/syntax reduce/passes reduce/binding reduce/dependency reduce/table reduce/ssa reduce/semantic reduce/project reduce/binary reduce/choice
# Starts sessions, and reads what they leave.
explain: base os text run engine parse lang reduce/list reduce/tree reduce/passes reduce/syntax session
# Sources, targets, findings, jobs and their store; beside explain, and above all that makes or
# runs tests.
campaign: base os text run grammar parse lang reduce/choice generate generate/prototype generate/discovery session
# Sees events and results as any user of the library does, by <pare/...>; what shows a campaign
# while it goes on waits for changes of its store, and for a stop.
ui: base os/descriptor.h os/stop.h os/clock.h os/entropy.h os/file_watch.h os/shared_library.h
# The same; os/executable.h says where its tools are.
cli: base ui os/descriptor.h os/executable.h os/file.h os/sync.h
# Programs over the public library that share what prints with the command line.
tools: base os ui cli
'
max_lines=1000
cc=${CC:-cc}

# --- the checks that read ---------------------------------------------------

# Prints violations, and for each include of one of our headers by another the
# line `edge FROM TO`.  File names are relative to the root.
read_sources() {
    awk -v table="$table" -v max_lines="$max_lines" '
    function report(what) {
        printf "%s:%d: %s\n", file, FNR, what
    }

    # The layer of a path below src/: that of its innermost folder with a row.  A
    # folder that no row is about is returned itself, and "" for no folder.
    function layer_of(path,    folder) {
        if (!sub(/\/[^\/]*$/, "", path))
            return ""
        for (folder = path; !(folder in known); )
            if (!sub(/\/[^\/]*$/, "", folder))
                return path
        return folder
    }

    function start_file() {
        file = FILENAME
        sub(/^\.\//, "", file)
        in_comment = 0
        layer = tool = ""
        public = file ~ /^include\/pare\//
        if (file ~ /^src\//) {
            layer = layer_of(substr(file, 5))
            if (layer == "")
                report("is in no layer: move it to a folder of src/")
            else if (!(layer in known))
                report("layer " layer " is not known: give it a row in scripts/check_layers.sh")
        } else if (file ~ /^tools\//) {
            layer = "tools"
            tool = substr(file, 7)
            if (!sub(/\/.*/, "/", tool))
                report("is no tool: move it to a folder of tools/")
        }
    }

    # `text` without comments, strings and character constants.
    function code_of(text,    code, token) {
        code = ""
        while (text != "") {
            if (in_comment) {
                if (!match(text, /\*\//))
                    return code
                text = substr(text, RSTART + 2)
                in_comment = 0
            } else if (match(text, /\/\*|\/\/|"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047/)) {
                token = substr(text, RSTART, RLENGTH)
                code = code substr(text, 1, RSTART - 1) " "
                text = substr(text, RSTART + RLENGTH)
                if (token == "//")
                    return code
                in_comment = token == "/*"
            } else {
                return code text
            }
        }
        return code
    }

    function check_quoted(target,    target_layer) {
        target_layer = layer_of(target)
        if (public) {
            report("a public header includes \"" target "\": only <pare/...> and system headers may be included")
        } else if (tool != "" && index(target, tool) == 1) {
            if (file ~ /\.h$/)
                print "edge " file " tools/" target
        } else if (!(layer in known)) {
            return
        } else if (!(target_layer in known) || target_layer == "tools") {
            report("include of \"" target "\": write \"layer/name.h\"")
        } else if (layer != target_layer && !((layer, target_layer) in granted) && \
                   !((layer, target) in granted)) {
            report("layer " layer " may not include \"" target "\"")
        } else if (file ~ /\.h$/) {
            print "edge " file " src/" target
        }
    }

    function check_angled(target) {
        if (target ~ /^pare\// && public)
            print "edge " file " include/" target
        else if (layer_of(target) in known && target !~ /^pare\//)
            report("include of <" target ">: write \"" target "\"")
    }

    function check_include(line,    target) {
        target = line
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
        if (match(target, /^"[^"]*"/))
            check_quoted(substr(target, 2, RLENGTH - 2))
        else if (match(target, /^<[^>]*>/))
            check_angled(substr(target, 2, RLENGTH - 2))
    }

    function read_table(    rows, n, i, words, m, j) {
        n = split(table, rows, "\n")
        for (i = 1; i <= n; i++) {
            if (rows[i] == "" || rows[i] ~ /^#/)
                continue
            m = split(rows[i], words, /:? +|:$/)
            for (j = 2; j <= m; j++) {
                if (words[j] == "")
                    continue
                if (!(words[j] in known) && !(layer_of(words[j]) in known))
                    print "scripts/check_layers.sh:1: the row of " words[1] " grants " \
                          words[j] ", which has no earlier row"
                granted[words[1], words[j]] = 1
            }
            known[words[1]] = 1
        }
    }

    BEGIN {
        read_table()
        allocators = "(malloc|calloc|realloc|reallocarray|free|strdup|strndup|aligned_alloc|posix_memalign|asprintf|vasprintf)"
    }
    FNR == 1 { start_file() }
    FNR == max_lines + 1 && (layer != "" || public || file ~ /^(tests|examples|bench)\//) {
        report("has more than " max_lines " lines: make it two files")
    }
    {
        commented = in_comment
        code = code_of($0)
        if (layer == "" && !public)
            next
        if (!commented && $0 ~ /^[ \t]*#[ \t]*include/)
            check_include($0)
        if (layer == "" || file == "src/base/alloc.c")
            next
        # kill(pid, 0) only asks; the shim is a process of its own, and so is a child that dies.
        if (file !~ /^src\/run\/shim\// && file != "src/os/child.c" && file != "src/os/child.c" && \
            match(code, "(^|[^A-Za-z0-9_.>])((kill|killpg|waitid|waitpid|wait4)[ \t]*\\(|SYS_(kill|waitid|pidfd_send_signal))") && \
            code !~ /kill\([^,]*, 0\)/)
            report("sends a signal to a number, or waits for one: use os/child.h")
        if (match(code, "(^|[^A-Za-z0-9_.>])" allocators "[ \t]*\\(")) {
            token = substr(code, RSTART, RLENGTH)
            gsub(/[^A-Za-z0-9_]/, "", token)
            report("calls " token "(): use base/alloc.h")
        }
    }' "$@"
}

# Reports headers that include each other in a circle; reads `edge` lines.
check_cycles() {
    local edges=$1 circle
    awk '$2 == $3 { print $2 ": includes itself" }' <<<"$edges"
    if ! circle=$(awk '{ print $2, $3 }' <<<"$edges" | tsort 2>&1 >/dev/null); then
        sed -e '/loop:$/d' -e 's/^tsort: //' -e 's/$/: is part of a circle of includes/' <<<"$circle"
    fi
}

# --- the check that compiles ------------------------------------------------

# Compiles one header by itself.  A public one has to do without our internals
# and without _GNU_SOURCE, as its users have to.
check_alone() {
    local header=$1 output
    local flags=(-Iinclude -Isrc -Itools -D_GNU_SOURCE)
    case $header in
    include/*) flags=(-Iinclude) ;;
    esac
    # As a user includes it, so that a "main file" warning does not arise.
    if ! output=$(printf '#include "%s"\n' "$header" |
        "$cc" -std=c17 -Wall -Wextra -Werror "${flags[@]}" -I. -fsyntax-only -x c - 2>&1); then
        echo "$header: does not compile alone:"
        sed 's/^/    /' <<<"$output" | head -n 6
    fi
}

# --- all of them ------------------------------------------------------------

# A tree whose headers are known to compile alone; the self-test's.
known=

# Prints the violations of the tree in the current directory.
check_tree() {
    local files=() headers=() file output
    while IFS= read -r file; do
        file=${file#./}
        files+=("$file")
        case $file in
        include/*.h | src/*.h | tools/*.h) headers+=("$file") ;;
        esac
    done < <(find ./include ./src ./tools ./tests ./examples ./bench -name '*.[ch]' \
        -not -path '*/corpus/*' -not -path '*/golden/*' -not -path '*/demo/*' \
        2>/dev/null | sort)
    if [ "${#files[@]}" -eq 0 ]; then
        echo ".: no C source found"
        return
    fi
    output=$(read_sources "${files[@]}")
    sed '/^edge /d; /^$/d' <<<"$output"
    check_cycles "$(sed -n '/^edge /p' <<<"$output")"
    for file in "${headers[@]}"; do
        [ -z "$known" ] || ! cmp -s "$file" "$known/$file" || continue
        check_alone "$file"
    done
}

# --- self-test --------------------------------------------------------------

self_test_failed=0

# A small tree without a fault, in the current directory.
make_clean_tree() {
    mkdir -p include/pare src/base src/os/sandbox src/text src/run/shim src/reduce/list \
        src/reduce/tree src/ui src/cli tools/race
    printf '#include <stddef.h>\ntypedef size_t pare_size;\n' >include/pare/size.h
    printf '#include <pare/size.h>\npare_size base_one(void);\n' >src/base/one.h
    printf '#include <stdlib.h>\nvoid alloc_all(void);\nvoid alloc_all(void) { free(malloc(1)); }\n' >src/base/alloc.c
    printf 'int os_terminal(void);\n' >src/os/descriptor.h
    printf 'int os_spawn(void);\n' >src/os/spawn.h
    printf '#include "base/one.h"\n#include "os/spawn.h"\nint text_a(void);\n' >src/text/a.h
    printf '#include "text/a.h"\n/* calls malloc(1) and\n * #include "cli/x.h" not */\nint pare_free(void);\nint pare_free(void) { return *"free(1)"; }\n' >src/text/a.c
    printf '#include "base/one.h"\n#include "os/descriptor.h"\nint ui_bar(void);\n' >src/ui/bar.h
    printf '#include "ui/bar.h"\n#include <pare/size.h>\n' >src/cli/main.c
    printf '#include "os/spawn.h"\nint sandbox(void);\n' >src/os/sandbox/sandbox.h
    printf '#include "os/sandbox/sandbox.h"\n' >src/os/spawn.c
    printf '#include "base/one.h"\nint shim(void);\n' >src/run/shim/shim.h
    printf '#include "run/shim/shim.h"\n#include "text/a.h"\n' >src/run/run.c
    printf 'int list(void);\n' >src/reduce/list/list.h
    printf '#include "reduce/list/list.h"\nint tree(void);\n' >src/reduce/tree/tree.h
    printf '#include "base/one.h"\nint race(void);\n' >tools/race/race.h
    printf '#include "race/race.h"\n#include "ui/bar.h"\n' >tools/race/race.c
    local folder
    for folder in src/base src/os src/os/sandbox src/text src/run src/run/shim src/reduce/list \
        src/reduce/tree src/ui src/cli; do
        echo "What is here." >"$folder/README.md"
    done
}

# expect NAME VIOLATIONS PATTERN SETUP...: after SETUP a clean tree has that
# many violations, the first of which matches PATTERN.
expect() {
    local name=$1 count=$2 pattern=$3 found
    shift 3
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    cd "$scratch/tree"
    make_clean_tree
    "$@"
    found=$(check_tree | sed '/^    /d')
    local lines=0
    [ -z "$found" ] || lines=$(wc -l <<<"$found")
    if [ "$lines" -ne "$count" ] || ! grep -q -e "$pattern" <<<"$found"; then
        printf 'self-test: %s: expected %d violations like "%s", got %d:\n%s\n' \
            "$name" "$count" "$pattern" "$lines" "$found" >&2
        self_test_failed=1
    else
        echo "self-test: $name: ok"
    fi
}

# expect_exit CODE: that of the program as a whole, of the tree that was made last.
expect_exit() {
    local code=0
    "$script" "$scratch/tree" >/dev/null 2>&1 || code=$?
    if [ "$code" -ne "$1" ]; then
        printf 'self-test: exit code %d instead of %d\n' "$code" "$1" >&2
        self_test_failed=1
    fi
}

# A row that grants a layer of a later row is reported.
expect_bad_table() {
    sed 's/^os: base$/os: base text/' "$script" >"$scratch/upward.sh"
    chmod +x "$scratch/upward.sh"
    if "$scratch/upward.sh" "$scratch/tree" | grep -q 'row of os grants text'; then
        echo "self-test: a table with a way back up: ok"
    else
        echo "self-test: a table with a way back up is not reported" >&2
        self_test_failed=1
    fi
}

# put FILE TEXT: appends the line to the file.
put() {
    mkdir -p "$(dirname "$1")"
    printf '%s\n' "$2" >>"$1"
}

put_circle() {
    put src/base/x.h '#include "base/y.h"'
    put src/base/y.h '#include "base/x.h"'
    # Guarded, so that only the circle is wrong.
    sed -i -e '1i #pragma once' src/base/x.h src/base/y.h
}

put_lines() {
    awk 'BEGIN { for (i = 0; i < 1001; i++) print "" }' >src/base/long.c
}

self_test() {
    script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    expect "a clean tree is clean" 0 '' true
    expect_exit 0
    cp -r "$scratch/tree" "$scratch/clean"
    known=$scratch/clean
    expect "an empty tree is no success" 1 'no C source' rm -rf src include tools
    expect_exit 1
    expect "earlier layer includes later one" 1 'src/os/b.c:1: layer os may not' \
        put src/os/b.c '#include "text/a.h"'
    expect_exit 1
    expect "library includes ui" 1 'layer text may not include "ui/bar.h"' \
        put src/text/a.c '#include "ui/bar.h"'
    expect "spaces in the directive" 1 'layer base may not' \
        put src/base/b.c ' #  include "os/spawn.h"'
    expect "ui includes an internal layer" 1 'layer ui may not' \
        put src/ui/b.c '#include "text/a.h"'
    expect "ui includes cli" 1 'layer ui may not' \
        put src/ui/b.c '#include "cli/main.h"'
    expect "cli includes os beside the terminal" 1 'layer cli may not' \
        put src/cli/b.c '#include "os/spawn.h"'
    expect "include without its layer" 1 'write "layer/name.h"' \
        put src/text/a.c '#include "a.h"'
    expect "include in angle brackets" 1 'write "base/one.h"' \
        put src/text/a.c '#include <base/one.h>'
    expect "unknown layer" 1 'layer extra is not known' \
        put src/extra/a.c 'int x;'
    expect "unknown folder of reduce" 1 'layer reduce/extra is not known' \
        put src/reduce/extra/a.c 'int x;'
    expect "a list that knows trees" 1 'layer reduce/list may not include "reduce/tree/tree.h"' \
        put src/reduce/list/a.c '#include "reduce/tree/tree.h"'
    expect "a strategy that runs tests" 1 'layer reduce/tree may not include "run/run.h"' \
        put src/reduce/tree/a.c '#include "run/run.h"'
    expect "the shim includes what runs it" 1 'layer run/shim may not include "run/run.h"' \
        put src/run/shim/a.c '#include "run/run.h"'
    expect "a tool includes an inner layer" 1 'layer tools may not include "text/a.h"' \
        put tools/race/b.c '#include "text/a.h"'
    expect "a tool includes another" 1 'include of "other/b.h"' \
        put tools/race/b.c '#include "other/b.h"'
    expect "a layer includes a tool" 1 'include of "race/race.h"' \
        put src/cli/b.c '#include "race/race.h"'
    expect "a file beside the tools" 1 'is no tool' \
        put tools/a.c 'int x;'
    expect_bad_table
    expect "file in no layer" 1 'is in no layer' \
        put src/a.c 'int x;'
    expect "public header includes internals" 2 'a public header includes' \
        put include/pare/inner.h '#include "base/one.h"'
    expect "header does not compile alone" 1 'src/base/two.h: does not compile alone' \
        put src/base/two.h 'size_t two(void);'
    expect "public header needs _GNU_SOURCE" 1 'include/pare/gnu.h: does not compile alone' \
        put include/pare/gnu.h '#ifndef _GNU_SOURCE
#error needs it
#endif'
    expect "malloc" 1 'calls malloc()' \
        put src/text/a.c 'void *p = malloc (1);'
    expect "free behind a comment and a string" 1 'calls free()' \
        put src/cli/b.c '/* a */ const char *s = "/*"; int x = free(1);'
    expect "a member called free is no free" 0 '' \
        put src/text/a.c 'void done(void) { ops->free(1); }'
    expect "strdup in a header" 1 'calls strdup()' \
        put src/text/a.h '#define COPY(s) strdup(s)'
    expect "kill" 1 'src/os/b.c:1: sends a signal' \
        put src/os/b.c 'void b(int p) { kill(-p, 9); }'
    expect "waitid by number" 1 'src/os/b.c:1: sends a signal' \
        put src/os/b.c 'void b(int p) { syscall(SYS_waitid, 1, p); }'
    expect "a kill that only asks" 0 '' \
        put src/os/b.c 'int b(int p) { return kill(p, 0); }'
    expect "circle of includes" 2 'is part of a circle' put_circle
    expect "header that includes itself" 1 'includes itself' \
        put src/base/self.h '#pragma once
#include "base/self.h"'
    expect "1001 lines" 1 'more than 1000 lines' put_lines
    exit "$self_test_failed"
}

case ${1:-} in
--self-test) self_test ;;
-*)
    echo "usage: $0 [ROOT] | --self-test" >&2
    exit 2
    ;;
esac

cd "${1:-$(dirname "$0")/..}"
if ! command -v "$cc" >/dev/null; then
    echo "check_layers: no C compiler '$cc': apt-get install gcc, or set CC" >&2
    exit 1
fi
violations=$(check_tree)
if [ -n "$violations" ]; then
    printf '%s\n' "$violations"
    echo "check_layers: failed" >&2
    exit 1
fi
echo "check_layers: clean"
