#!/bin/bash
# Every long option that --help=all prints is in all three completions, none is in
# one that the program does not know, and bash really completes.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

long_options() { grep -oE -- '--[a-z]+(-[a-z]+)*' | sort -u; }

{
    for command in reduce isolate explain history parse generate learn shootout lang worker; do
        "$PARE" "$command" --help=all
    done
    for part in $("$PARE" graph --help | sed -n "s/^  pare graph \([a-z]*\) .*/\1/p"); do
        "$PARE" graph "$part" --help=all
    done
    for part in $("$PARE" fuzz --help | sed -n "s/^  pare fuzz \([a-z]*\) .*/\1/p"); do
        "$PARE" fuzz "$part" --help=all
    done
} | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' |
    sort -u > options
claim "the help names many options" [ "$(wc -l < options)" -ge 90 ]

for file in pare.bash _pare pare.fish; do
    sed '/^set /d; s/ -l \([a-z]\)/ --\1/g' "$PARE_SOURCE_DIR/completions/$file" | long_options > found
    claim "$file has every option" [ -z "$(comm -23 options found)" ]
    echo --version | sort -u - options > known
    claim "$file has no unknown option" [ -z "$(comm -13 known found)" ]
done

# What the bash completion offers for the words of the arguments, the last of
# which is being typed.
offers() {
    PATH=$(dirname "$PARE"):$PATH bash -c '
        compopt() { :; }
        . "$PARE_SOURCE_DIR/completions/pare.bash"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _pare
        printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort | tr '\n' ' '
}
touch some-input.txt
claim "commands" [ "$(offers pare re)" = "reduce " ]
claim "options of reduce" [ "$(offers pare reduce --alg)" = "--algorithm " ]
claim "options of isolate" [ "$(offers pare isolate --output)" = "--output --output-passing " ]
claim "no option of reduce at isolate" [ "$(offers pare isolate --in-p)" = " " ]
claim "values" [ "$(offers pare reduce --color = al)" = "always " ]
claim "names of algorithms" [ "$(offers pare reduce -a ddmin-p)" = "ddmin-parallel " ]
claim "names in a list" [ "$(offers pare reduce -u line,to)" = "line,token " ]
claim "what to do with languages" [ "$(offers pare lang re)" = "remove " ]
claim "what to do with a history" [ "$(offers pare history x.min re)" = "restore " ]
claim "options of histories" [ "$(offers pare history x.min --j)" = "--json " ]
claim "names of languages" [ "$(offers pare lang add c pyt)" = "python " ]
claim "what to do with graphs" [ "$(offers pare graph d)" = "diff " ]
claim "options of graphs" [ "$(offers pare graph show --c)" = "--color " ]
claim "formats of graphs" [ "$(offers pare graph show --format h)" = "html " ]
claim "and of their differences" [ "$(offers pare graph diff --format j)" = "json " ]
claim "what to do with campaigns" [ "$(offers pare fuzz up)" = "update " ]
claim "options of campaigns" [ "$(offers pare fuzz ci --mi)" = "--minutes " ]
claim "files" [ "$(offers pare reduce ./t some-)" = "some-input.txt " ]
all_claimed
