#!/bin/bash
# Checks the Debian packages in FOLDER: lintian finds no error, what `pare lang` needs is
# recommended, README, docs and examples are there, and the unpacked program and library work.
#
# Usage: scripts/check_debs.sh FOLDER
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
folder=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C.UTF-8
failed=0
complain() {
    echo "check_debs: $1" >&2
    failed=1
}

deb_of() { find "$folder" -maxdepth 1 -name "$1_*.deb"; }
for package in pare libpare0 libpare-dev pare-languages python3-pare; do
    [ "$(deb_of "$package" | wc -l)" -eq 1 ] || complain "there is not one package $package in $folder"
done
[ "$failed" -eq 0 ] || exit 1

command -v lintian > /dev/null || { complain "lintian is missing: scripts/bootstrap.sh deb"; exit 1; }
lintian --allow-root --fail-on error "$folder"/*.deb || complain "lintian finds errors"

recommended=$(dpkg-deb -f "$(deb_of pare)" Recommends)
for needed in nodejs npm c-compiler; do
    [[ $recommended == *$needed* ]] || complain "pare does not recommend $needed"
done

for deb in "$folder"/*.deb; do dpkg-deb -x "$deb" "$scratch"; done
for file in bin/pare share/man/man1/pare.1.gz share/doc/pare/{README.md,CHANGELOG.md,copyright,docs/guide/no-script.md,docs/guide/choices.md,examples/reduce_in_process.c,examples/demo/run.sh}; do
    [ -s "$scratch/usr/$file" ] || complain "/usr/$file is in no package"
done
# Where the library was not installed by dpkg.
library=$(dirname "$(find "$scratch/usr/lib" -name libpare.so)")
cat > "$scratch/version.c" << 'C'
#include <pare/pare.h>
#include <string.h>
int main(void) { return strcmp(pare_version(), PARE_VERSION) != 0; }
C
cc -o "$scratch/version" "$scratch/version.c" -I"$scratch/usr/include" -L"$library" -lpare ||
    complain "what libpare-dev holds does not compile"
LD_LIBRARY_PATH=$library "$scratch/version" || complain "what libpare0 holds does not run"
LD_LIBRARY_PATH=$library PYTHONPATH=$scratch/usr/lib/python3/dist-packages /usr/bin/python3 -c '
import pare
assert pare.reduce("a needle in hay", lambda text: "needle" in text).data == "needle"
' || complain "what python3-pare holds does not reduce"
"$scratch/usr/bin/pare" help shootout > /dev/null || complain "pare-shootout is in no package"
"$scratch/usr/bin/pare" --version > /dev/null || complain "/usr/bin/pare does not run"
[ "$failed" -eq 0 ] && echo "check_debs: the packages are as they should be"
exit "$failed"
