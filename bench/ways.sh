#!/bin/bash
# ways.sh PARE GENERATOR [TESTS [PROGRAMS]]: the question that ends seed 004, on another generator's
# programs: which way reduces best what was generated?
#
# GENERATOR is tests/helpers/random_program, whose programs have a length, a checksum and names
# that are declared before they are used; the failure is a name that is used twice.  PROGRAMS of
# them (8) are reduced in every way, by TESTS tests each (200).  Prints the tests run, the bytes
# left, and how many of the candidates were programs.
set -eu
pare=$(realpath "$1")
generator=$(realpath "$2")
tests=${3:-200}
programs=${4:-8}
work=$(mktemp -d "${TMPDIR:-/tmp}/pare-ways-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > test.sh << T
#!/bin/sh
"$generator" check "\$1"
code=\$?
echo \$code >> "$work/codes"
exit \$code
T
chmod +x test.sh
found=0 seed=0 bytes=0
while [ "$found" -lt "$programs" ]; do
    seed=$((seed + 1))
    "$pare" generate --record "$seed.choices" -o p -- "$generator" rand "$seed"
    [ "$(wc -c < p)" -gt 200 ] && "$generator" check p || continue
    mv p "$seed.program"
    bytes=$((bytes + $(wc -c < "$seed.program")))
    found=$((found + 1))
done
echo "$found programs, $bytes bytes, $tests tests each at most"
echo "| way | tests | bytes left | candidates that are programs |"
echo "|---|---:|---:|---:|"

# row NAME OPTIONS...
row() {
    local name=$1 left=0
    shift
    rm -f codes
    for program in *.program; do
        if [ "$1" = choices ] || [ "$1" = portfolio ]; then
            "$pare" reduce -q --no-journal -a "$1" --max-tests "$tests" -o result \
                --generator "$generator rand" --choices "${program%.program}.choices" -- ./test.sh
        else
            "$pare" reduce -q --no-journal --max-tests "$tests" -o result -a "$@" ./test.sh "$program"
        fi
        left=$((left + $(wc -c < result)))
    done
    echo "| $name | $(wc -l < codes) | $left | $((100 * $(grep -vc 2 codes) / $(wc -l < codes))) % |"
}
row "choices, by texts" choices
row "portfolio" portfolio
row "\`ddmin -u line\`" ddmin -u line
row "\`ddmin -u char\`" ddmin -u char
for algorithm in hdd perses gtr auto; do row "\`$algorithm\`" $algorithm; done
