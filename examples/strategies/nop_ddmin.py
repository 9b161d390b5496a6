"""Reduction of a list of choices with NOPs (Gopinath's blog on reducing the choices of a generator) as an
algorithm of one's own: what goes leaves one -1 in its place, for which the generator puts a default.

    pare generate -g G.json --fuzzer choice --seed 1 --record 1.choices -o 1.txt
    pare reduce --strategy 'python3 nop_ddmin.py' -u line --protect '^pare.*' TEST 1.choices

TEST makes the text with `pare generate -g G.json --fuzzer choice --defaults D.json --replay FILE`.
"""
import sys


def fails(choices):
    with open("candidate", "w") as file:
        file.write(head + "".join(choices))
    print("TEXT candidate", flush=True)
    return sys.stdin.readline() == "FAIL\n"


def without(choices, i, size):
    if i == 0:
        return [NOP] + choices[size + 1:]
    return choices[:i - 1] + [NOP] + choices[i + size:]


def ddmin(choices):
    start, size = 0, len(choices) // 2
    while size >= 1:
        for i in range(start, len(choices), size):
            fewer = without(choices, i, size)
            if fewer != choices and fails(fewer):
                choices, start = fewer, i
                break
        else:
            start, size = 0, size // 2
    return choices


NOP = "-1\n"
sys.stdin.readline()
with open("units") as file:
    first = int(file.readline().split()[0])
with open("input") as file:
    text = file.read()
head, choices = text[:first], text[first:].splitlines(keepends=True)
while len(fewer := ddmin(choices)) < len(choices):
    choices = fewer
print("DONE", flush=True)
