#!/bin/sh
# generator.sh assign|packet: prints a text made of random numbers of the kernel, which pare
# records; PARE names the program.
here=$(cd "$(dirname "$0")" && pwd)
case $1 in
assign) exec "${PARE:-pare}" generate -g "$here/assign.json" --fuzzer complex --unseeded ;;
packet) exec "${PARE:-pare}" generate -g "$here/packet.g4" --hooks "$here/packet.lua" --unseeded ;;
esac
exit 2
