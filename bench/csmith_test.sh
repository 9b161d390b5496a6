#!/bin/sh
# csmith_test.sh FOLDER KIND ARGUMENT FILE: a failing program of csmith, for bench/csmith.sh.
#
# Exit 0: FILE is a program, and
#   warning W    gcc -O1 -Wall -Wextra warns of it with -WW
#   assembly RE  what gcc -O2 makes of it has an instruction that matches RE
#   checksum D   it ends by itself and prints a checksum whose last digit is D
#   tcc RE       tcc does not compile it, and says what matches RE
# 1: it is a program, and not that; 2: gcc does not accept it.  A line in FOLDER/calls and
# FOLDER/rejects tells of each call, and of each that ends with 2.
folder=$1 kind=$2 argument=$3 file=$4
echo x >> "$folder/calls"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
gcc -fsyntax-only -w -I/usr/include/csmith "$file" 2> /dev/null || {
    echo x >> "$folder/rejects"
    exit 2
}
case $kind in
warning)
    gcc -O1 -Wall -Wextra -I/usr/include/csmith -c -o /dev/null "$file" 2>&1 |
        grep -q -- "\[-W$argument\]"
    ;;
assembly)
    gcc -w -O2 -I/usr/include/csmith -S -o - "$file" | grep -qE "^[[:space:]]$argument"
    ;;
checksum)
    gcc -w -O1 -I/usr/include/csmith -o "$work/program" "$file" &&
        timeout -s KILL 2 "$work/program" | grep -q "^checksum = [0-9A-F]*$argument\$"
    ;;
tcc)
    ! tcc -w -I/usr/include/csmith -c -o "$work/object" "$file" > "$work/said" 2>&1 &&
        grep -q "$argument" "$work/said"
    ;;
*) exit 3 ;;
esac
