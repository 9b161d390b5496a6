#!/bin/bash
# Languages that come with pare: built from npm's packages, found beside the program and where
# it is installed, for all users, and used without npm and without a network; what the build
# says where they are not there.
set -u
. "$(dirname "$0")/claims.sh"

source_dir=$PARE_SOURCE_DIR/third_party/languages
unset PARE_LANGUAGE_PATH PARE_LIBEXEC
if [ ! -e "$source_dir/node_modules/tree-sitter-json/src/parser.c" ]; then
    echo "skipped: the packages of languages are not there: scripts/bootstrap.sh test fetches them"
    exit 77
fi

# --- a build that lacks them -----------------------------------------------------------
# configure DIRECTORY OPTION...: of the languages alone.
configure() { run cmake -S "$source_dir" -B "$1" "${@:2}"; }
# Words as they stand in the message, which CMake wraps.
told() { tr -s ' \n' '  ' < err | grep -qF -- "$1"; }
configure lacking -DPARE_LANGUAGE_PACKAGES="$here/none" -DPARE_LANGUAGES=common
claim "without the packages it is no build" [ "$code" -ne 0 ]
claim "that says what gets them" told "run scripts/bootstrap.sh run, which fetches them"
claim "and how to do without" told "-DPARE_LANGUAGES=none"
configure lacking -DPARE_LANGUAGE_PACKAGES="$here/none" -DPARE_LANGUAGES=none
claim "without them if that is asked for" [ "$code" -eq 0 ]
configure lacking -DPARE_LANGUAGES=klingon
claim "a name that is none" told "unknown language 'klingon'"
run cmake -S "$PARE_SOURCE_DIR" -B lacking-core -DPARE_BUILD_TESTS=OFF \
    -DPARE_TREE_SITTER_PACKAGE="$here/none"
claim "without tree-sitter it is no build" [ "$code" -ne 0 ]
claim "that says what gets it" told "run scripts/bootstrap.sh run"
claim "and how to do without it" told "-DPARE_TREE_SITTER=OFF"

# --- two of them -----------------------------------------------------------------------
configure tree "-DPARE_LANGUAGES=json;lua" -DCMAKE_INSTALL_PREFIX=/usr/local
claim "configured" [ "$code" -eq 0 ]
claim "built" exits 0 cmake --build tree
claim "each has what 'lang add' makes" [ "$(cd tree/languages && echo *)" = "json lua" ]
for name in json lua; do
    claim "all files of $name" [ "$(cd tree/languages/$name && echo *)" = \
        "LICENSE grammar.json node-types.json pack.json parser.so" ]
done

# --- beside the program ------------------------------------------------------------------
cp "$PARE" tree/pare
echo '{"a": [1, {"needle": [true, null]}], "b": {"c": []}}' > in.json
echo 'local t = {1, x = needle, 3}' > in.lua
# With a data folder in which nothing is.
cat > nothing << END
#!/bin/sh
HOME=$here/home PARE_DATA=$here/home/data exec "\$@"
END
chmod +x nothing
claim "list" exits 0 ./nothing tree/pare lang list
claim "they are there" [ "$(awk '$4 == "system" { print $1 }' out | tr '\n' ' ')" = "json lua " ]
if run ./nothing tree/pare parse in.json && grep -q "built without" err; then
    echo "skipped: this build has no tree-sitter"
    [ "$n_false" -eq 0 ] && exit 77
    all_claimed
fi
for name in json lua; do
    claim "$name is parsed" exits 0 ./nothing tree/pare parse in.$name
    claim "$name is used" exits 0 ./nothing tree/pare reduce 'grep -q needle' in.$name -a perses \
        -o out.$name
    claim "without a word" [ "$(cat out err | grep -c 'pare lang')" -eq 0 ]
    claim "and kept" exits 0 ./nothing tree/pare parse out.$name
done
claim "nothing was added for it" [ ! -e home ]

# --- installed ---------------------------------------------------------------------------
# Under a prefix that is not the one configured, with the words of `make install`.
install=$(sed -n 's/^\t\(umask .* cmake --install .*\)/\1/p' "$PARE_SOURCE_DIR/Makefile")
install=${install//'$(PREFIX)'/$here/prefix}
claim "make install installs" [ -n "$install" ]
claim "installed" exits 0 bash -c "umask 077; ${install//'build/release'/tree}"
mkdir -p prefix/bin && cp "$PARE" prefix/bin/pare
claim "for all to read" [ -z "$(find prefix/lib ! -perm -444)" ]
claim "and to enter" [ -z "$(find prefix/lib -mindepth 1 -type d ! -perm -555)" ]
rm -r tree
claim "list" exits 0 ./nothing prefix/bin/pare lang list
claim "they are there too" [ "$(awk '$4 == "system" { print $1 }' out | tr '\n' ' ')" = "json lua " ]
claim "and used" exits 0 ./nothing prefix/bin/pare parse in.lua
claim "info" exits 0 ./nothing prefix/bin/pare lang info json
claim "tells where" grep -q "^folder      $here/prefix/lib.*/pare/languages/json$" out
claim "licences are with them" grep -qi "copyright" prefix/lib*/pare/languages/json/LICENSE
all_claimed
