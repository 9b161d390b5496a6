#!/bin/bash
# What `make install` puts into a prefix is enough to use the library: by pkg-config and by
# CMake, from C and from C++, shared and static.  README's example is what is compiled.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

if [ -n "${PARE_SANITIZE:-}" ]; then
    echo "a library with a sanitizer in it is not what is installed"
    exit 77
fi
prefix=$here/prefix
claim "it installs" exits 0 cmake --install "$PARE_BUILD_DIR" --prefix "$prefix"
pc=$(find "$prefix" -name pare.pc)
claim "there is a pkg-config file" [ -f "$pc" ]
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
unset PARE_LIBEXEC

# What pare runs of its own is found from where the program is.
claim "pare-shootout is installed" exits 0 "$prefix/bin/pare" help shootout
claim "and prints its help" grep -q '^usage: pare shootout' out
claim "so is pare-web-model" [ -x "$libdir/pare/pare-web-model" ]
if ! [ -e "$(sed -n 's/^CMAKE_INSTALL_PREFIX:[A-Z]*=//p' "$PARE_BUILD_DIR/CMakeCache.txt")/lib/pare/pare-shootout" ]; then
    mv "$libdir/pare/pare-shootout" .
    claim "a missing one is an error" exits 3 "$prefix/bin/pare" shootout --list
    claim "that says what to do" says "pare-shootout is not found; install pare, or name its folder in PARE_LIBEXEC"
    mv pare-shootout "$libdir/pare/"
fi

# pkg-config writes paths through the folder of its file.
flags() { pkg-config "$@" pare | sed 's/ *$//'; }
folder_of() { realpath "${1#-[IL]}"; }
read -r -a cflags <<< "$(flags --cflags)"
read -r -a libs <<< "$(flags --libs)"
claim "one folder of headers, and nothing of what pare is built with" [ "${#cflags[@]}" -eq 1 ]
claim "it is its own" [ "$(folder_of "${cflags[0]}")" = "$prefix/include" ]
claim "one library" [ "${libs[-1]} ${#libs[@]}" = "-lpare 2" ]
claim "in its folder" [ "$(folder_of "${libs[0]}")" = "$libdir" ]

# README's example, as it stands.
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$PARE_SOURCE_DIR/README.md" > example.c
cp example.c example.cpp
claim "README has an example" grep -q pare_reduce example.c
works() { exits 0 "./$1" && grep -qx '<b></i>' out; }
strict=(-Wall -Wextra -Wno-missing-field-initializers -Werror -pedantic-errors)
claim "it is C" exits 0 "${CC:-cc}" -std=c17 "${strict[@]}" -o in_c example.c "${cflags[@]}" "${libs[@]}"
claim "and reduces" works in_c
read -r -a private <<< "$(flags --static --libs-only-l)"
others=()
for word in "${private[@]}"; do [ "$word" = -lpare ] || others+=("$word"); done
claim "it links statically" exits 0 "${CC:-cc}" -std=c17 -o static_c example.c "${cflags[@]}" \
    "$libdir/libpare.a" "${others[@]}" -pthread
claim "and needs no libpare then" [ "$(ldd static_c | grep -c libpare)" -eq 0 ]
claim "and reduces too" works static_c

cat > CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C)
find_package(pare 0.1 REQUIRED)
add_executable(by_cmake example.c)
target_link_libraries(by_cmake PRIVATE pare::pare)
C
claim "CMake finds it" exits 0 cmake -S . -B built -DCMAKE_PREFIX_PATH="$prefix"
claim "and builds" exits 0 cmake --build built
claim "what reduces" works built/by_cmake

cxx=$(command -v "${CXX:-c++}" || true)
if [ -n "$cxx" ]; then
    claim "the example is C++17" exits 0 "$cxx" -std=c++17 "${strict[@]}" -o in_cpp example.cpp \
        "${cflags[@]}" "${libs[@]}"
    claim "and reduces" works in_cpp
    claim "all headers are" exits 0 "$cxx" -std=c++17 "${strict[@]}" -o all_headers \
        "$PARE_SOURCE_DIR/tests/cpp/use_headers.cpp" "${cflags[@]}" "${libs[@]}"
    claim "and every function is exported" exits 0 ./all_headers
else
    echo "NOTICE: there is no C++ compiler (apt-get install g++): C++ is not tested" >&2
fi

# The program of the same prefix.
printf 'hay\nneedle\nhay\n' > hay.txt
claim "the program runs" exits 0 "$prefix/bin/pare" reduce -q --runner preload --exit 0 hay.txt -- \
    grep -q needle @@
claim "with its helpers" [ "$(cat hay.min.txt)" = needle ]
claim "its manual is there" [ -f "$prefix/share/man/man1/pare.1" ]
for file in README.md CHANGELOG.md docs/guide/choices.md examples/reduce_in_process.c examples/demo/run.sh; do
    claim "so is $file" [ -s "$prefix/share/doc/pare/$file" ]
done
all_claimed
