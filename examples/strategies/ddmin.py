"""ddmin (Zeller and Hildebrandt, 2002) as an algorithm of one's own, and the whole of it:

    pare reduce --strategy 'python3 ddmin.py' TEST INPUT
"""
import sys


def fails(units):
    ranges = []
    for unit in units:
        if ranges and ranges[-1][1] == unit - 1:
            ranges[-1][1] = unit
        else:
            ranges.append([unit, unit])
    print("KEEP" + "".join(f" {a}-{b}" for a, b in ranges), flush=True)
    return sys.stdin.readline() == "FAIL\n"


def split(units, n):
    bounds = [0]
    for left in range(n, 0, -1):
        bounds.append(bounds[-1] + (len(units) - bounds[-1]) // left)
    return [units[a:b] for a, b in zip(bounds, bounds[1:])]


def ddmin(units, n=2):
    while len(units) >= 2:
        parts = split(units, n)
        rests = ([u for other in parts if other is not part for u in other] for part in parts)
        subset = next((part for part in parts if fails(part)), None)
        rest = None if subset else next((rest for rest in rests if fails(rest)), None)
        if not subset and not rest and n == len(units):
            return
        n = 2 if subset else max(n - 1, 2) if rest else min(2 * n, len(units))
        units = subset or rest or units


ddmin(list(range(int(sys.stdin.readline().split()[1]))))
print("DONE", flush=True)
