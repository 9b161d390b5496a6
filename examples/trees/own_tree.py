"""The tree of a Python program for `pare reduce --tree`, made by Python's own parser:

    python3 own_tree.py bug.py > bug.json
    pare reduce --tree bug.json ./test.sh bug.py
"""
import ast
import json
import sys

# Lists that may not become empty; others may.
NEEDED = {"body", "orelse", "finalbody", "handlers", "names", "targets", "items", "generators", "ops"}


def offsets(source):
    """The byte at which each line begins; lines count from 1, columns are bytes."""
    begins = [0, 0]
    for line in source.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    return begins


def how(node, field):
    return "some" if field in NEEDED and not isinstance(node, ast.Module) else "any"


def members(node, begins):
    """The nodes below, those of a list as one; in the order of the text."""
    found = []
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            child = tree(value, begins)
            if child and (type(node).__name__, field) == ("Return", "value"):
                child["optional"] = True
            found += [child] if child else []
        elif isinstance(value, list):
            items = [child for item in value if isinstance(item, ast.AST)
                     for child in [tree(item, begins)] if child]
            if items:
                found.append({"kind": field, "list": how(node, field),
                              "begin": items[0]["begin"], "end": items[-1]["end"], "children": items})
    return apart(found)


def apart(nodes):
    """Lists that are interleaved, as keys and values of a dict are, become single nodes."""
    nodes.sort(key=lambda node: (node["begin"], node["end"]))
    for one, other in zip(nodes, nodes[1:]):
        if one["end"] > other["begin"]:
            flat = [child for node in nodes for child in (node["children"] if "list" in node else [node])]
            return sorted(flat, key=lambda node: node["begin"])
    return nodes


def tree(node, begins):
    """None where nothing of the text is known to be the node's."""
    # Parts of f-strings have no places that can be relied on.
    children = [] if isinstance(node, ast.JoinedStr) else members(node, begins)
    made = {"kind": type(node).__name__, "children": children}
    if hasattr(node, "end_col_offset"):
        made["begin"] = begins[node.lineno] + node.col_offset
        made["end"] = begins[node.end_lineno] + node.end_col_offset
    elif not children:
        return None
    # Decorators stand before what they decorate.
    made["begin"] = min([made.get("begin", sys.maxsize)] + [child["begin"] for child in children])
    made["end"] = max([made.get("end", 0)] + [child["end"] for child in children])
    is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    if isinstance(node, ast.expr) and is_read:
        made.update(replaceable_by="expression", shortest="0")
    elif isinstance(node, ast.stmt):
        made.update(replaceable_by="statement", shortest="pass")
    return made


def kinds(base):
    return sorted(name for name, value in vars(ast).items()
                  if isinstance(value, type) and issubclass(value, base) and value is not base)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        text = file.read()
    root = tree(ast.parse(text), offsets(text))
    json.dump({"classes": {"expression": kinds(ast.expr), "statement": kinds(ast.stmt)},
               "root": root or {"kind": "Module", "begin": 0, "end": 0}}, sys.stdout)
