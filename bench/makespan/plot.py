#!/usr/bin/env python3
"""Draws what `bench_makespan cluster` prints, as an SVG that is readable on light and dark pages.

    build/release/bench/bench_makespan cluster | bench/makespan/plot.py > docs/guide/many-machines.svg

One panel for each algorithm: slots to the right, in factors of four; speed-up upwards."""

import re
import sys

WIDTH, PANEL, TOP, HEIGHT, LEFT = 720, 360, 44, 200, 44
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #333 }
.title { font-weight: 600 }
.axis { stroke: #999; fill: none }
.grid { stroke: #ccc; stroke-dasharray: 2 3 }
.line { fill: none; stroke-width: 2 }
.c0 { stroke: #1b6ac9 } .c1 { stroke: #2a8a3e } .c2 { stroke: #b3541e }
text.c0 { fill: #1b6ac9; stroke: none } text.c1 { fill: #2a8a3e; stroke: none } text.c2 { fill: #b3541e; stroke: none }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd }
  .axis { stroke: #888 } .grid { stroke: #555 }
  .c0 { stroke: #7db4ff } .c1 { stroke: #7fd08f } .c2 { stroke: #f0a070 }
  text.c0 { fill: #7db4ff } text.c1 { fill: #7fd08f } text.c2 { fill: #f0a070 }
}"""


def read(lines):
    """The tables: [title, slots, [(name, speed-ups)]]."""
    tables = []
    for line in lines:
        words = line.split()
        if line.startswith("Slots elsewhere"):
            tables.append([re.sub(r".*, (\w+), speculated.*", r"\1", line.strip()), [], []])
        elif tables and not tables[-1][1]:
            tables[-1][1] = [int(word) for word in words]
        elif tables and re.match(r"  (at home|[0-9]+ ms) ", re.sub("^ +", "  ", line)):
            tables[-1][2].append((" ".join(words[:2]), [float(word) for word in words[2:]]))
    return tables


def panel(table, x, most):
    name, slots, rows = table

    def at(k, value):
        step = (PANEL - LEFT - 24) / (len(slots) - 1)
        return x + LEFT + k * step, TOP + HEIGHT * (1 - value / most)

    yield f'<text class="title" x="{x + LEFT}" y="20">{name}</text>'
    for tick in range(0, int(most) + 1, 5 if most > 10 else 2):
        _, y = at(0, tick)
        left, right = at(0, 0)[0], at(len(slots) - 1, 0)[0]
        yield f'<path class="grid" d="M{left:.0f} {y:.1f}H{right:.0f}"/>'
        yield f'<text x="{left - 8:.0f}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>'
    for k, n in enumerate(slots):
        left, bottom = at(k, 0)
        yield f'<text x="{left:.0f}" y="{bottom + 18:.0f}" text-anchor="middle">{n}</text>'
    left, bottom = at(0, 0)
    yield f'<path class="axis" d="M{left:.0f} {TOP}V{bottom:.0f}H{at(len(slots) - 1, 0)[0]:.0f}"/>'
    for k, (label, values) in enumerate(rows):
        path = "L".join("%.1f %.1f" % at(j, value) for j, value in enumerate(values))
        yield f'<path class="line c{k}" d="M{path}"/>'
        label = label if label == "at home" else label + " away"
        yield f'<text class="c{k}" x="{left + 12 + 90 * k:.0f}" y="38">{label}</text>'


def main():
    tables = read(sys.stdin)
    if not tables or not all(table[1] and table[2] for table in tables):
        sys.exit("plot.py: no tables on standard input: bench_makespan cluster | plot.py")
    most = max(max(values) for table in tables for _, values in table[2]) * 1.05
    height = TOP + HEIGHT + 44
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        "<title>Speed-up by slots on other machines, tests of 100 ms, simulated</title>"
        f"<style>{STYLE}</style>"
    )
    for k, table in enumerate(tables):
        print("\n".join(panel(table, k * PANEL, most)))
    print(
        f'<text x="{WIDTH / 2}" y="{height - 6}" text-anchor="middle">slots (speed-up over one slot at home)</text>\n</svg>'
    )


main()
