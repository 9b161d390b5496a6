#!/bin/bash
# The Python package: its own tests (python/tests), which the guide's examples are among, with the module
# of this build; and what --component python installs is enough.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

package=$PARE_BUILD_DIR/python
if [ ! -e "$package/pare/_pare.abi3.so" ]; then
    echo "the Python package is not built (apt-get install python3-cffi python3-dev, no sanitizer)"
    exit 77
fi
# The interpreter that it was built for.
python=$(sed -n 's/^PARE_PYTHON_PROGRAM:[A-Z]*=//p' "$PARE_BUILD_DIR/CMakeCache.txt")
export PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1
unset PARE_LIBEXEC
claim "a first reduction" exits 0 "$python" -c '
import pare
print(pare.reduce("x (y) z", lambda text: "(" in text).data)'
claim "prints its result" [ "$(cat out)" = "(" ]
if ! "$python" -c 'import pytest' 2> /dev/null; then
    echo "NOTICE: pytest is not installed (apt-get install python3-pytest): the package is hardly tested" >&2
else
    claim "its tests pass" exits 0 "$python" -m pytest -q -rs -p no:cacheprovider --rootdir "$here" \
        -c /dev/null "$PARE_SOURCE_DIR/python/tests"
    if grep -q skipped out; then
        echo "NOTICE: some tests of the package were skipped (python3-hypothesis, nats-server):" >&2
        grep '^SKIPPED' out >&2 || true
    fi
fi

prefix=$here/prefix
claim "it installs" exits 0 cmake --install "$PARE_BUILD_DIR" --prefix "$prefix" --component python
claim "and the library" exits 0 cmake --install "$PARE_BUILD_DIR" --prefix "$prefix" --component runtime
PYTHONPATH=$(dirname "$(dirname "$(find "$prefix" -name '_pare.abi3.so')")")
claim "what is installed reduces" exits 0 "$python" -c '
import pare, importlib.metadata
assert pare.reduce(b"x (y) z", lambda text: b"(" in text).data == b"("
print(pare.__file__, importlib.metadata.version("pare") == pare.__version__)'
claim "and is itself, of this version" grep -q "^$prefix.* True$" out
claim "it is typed" [ -e "$PYTHONPATH/pare/py.typed" ]

all_claimed
