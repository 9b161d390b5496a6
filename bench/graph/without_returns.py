#!/usr/bin/env python3
"""A graph as plain discovery gives it: without instance types, and without what leads to them.

Usage: bench/graph/without_returns.py GRAPH.json OUT.json
"""
import json
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        graph = json.load(file)
    kept = [t for t in graph["types"] if not t.get("instance")]
    number = {t["id"]: i for i, t in enumerate(kept)}
    ends = {"return": (None, number), "call": (number, None), "constructor": (number, None),
            "parameter": (number, None), "property": (number, number), "prototype": (number, number)}
    edges = []
    for edge in graph["edges"]:
        sources, targets = ends[edge["kind"]]
        if edge["kind"] == "return" or (sources and edge["from"] not in sources) or \
                (targets and edge["to"] not in targets):
            continue
        if sources:
            edge["from"] = sources[edge["from"]]
        if targets:
            edge["to"] = targets[edge["to"]]
        edges.append(edge)
    for signature in graph["signatures"]:
        if signature.get("receiver") is not None:
            signature["receiver"] = number.get(signature["receiver"])
        if signature.get("receiver") is None:
            signature.pop("receiver", None)
    for i, t in enumerate(kept):
        t["id"] = i
    graph.update(types=kept, edges=edges, **{"global": number[graph["global"]]})
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(graph, file)


main()
