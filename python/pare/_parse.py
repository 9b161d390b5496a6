"""pare.parse: over pare_parse_file."""
from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple, Union

from pare._errors import check, text_of
from pare._options import Grammar, Memory, Words, words_of
from pare._pare import ffi, lib


@dataclass(frozen=True)
class Node:
    """A node of a tree: a rule with children, or a leaf with its text.  begin .. end-1 are its
    bytes."""

    kind: str
    name: str
    text: str
    begin: int
    end: int
    children: Tuple["Node", ...]


@dataclass(frozen=True)
class Tree:
    """What came of a parse.  Outside the language, `message` says where it was left first."""

    root: Node
    in_language: bool
    line: int
    column: int
    message: Optional[str]
    warnings: Tuple[str, ...]


def node_of(value: Any) -> Node:
    """Without recursion: trees are as deep as their texts are nested."""
    order = [value]
    for one in order:
        order.extend(one.get("children", ()))
    made: Dict[int, Node] = {}
    for one in reversed(order):
        made[id(one)] = Node(
            kind=one.get("kind", ""), name=one.get("name", ""), text=one.get("text", ""),
            begin=one.get("begin", 0), end=one.get("end", 0),
            children=tuple(made[id(child)] for child in one.get("children", ())))
    return made[id(value)]


def parse(text: Union[str, bytes], *, grammar: Grammar = None, language: Optional[str] = None,
          start: Optional[str] = None, islands: Words = None, name: str = "input") -> Tree:
    """The tree of a text by ANTLR v4 grammars or by a language that was added (default: by the
    suffix of `name`).  Text outside the language is no error: see Tree.in_language.

        >>> import pare
        >>> tree = pare.parse("1+1", grammar={"<start>": ["<n>", "<start>+<n>"], "<n>": ["1"]})
        >>> tree.in_language, tree.root.name, [child.name for child in tree.root.children]
        (True, '<start>', ['<start>', '?', '<n>'])
        >>> pare.parse("1+", grammar={"<start>": ["<n>", "<start>+<n>"], "<n>": ["1"]}).in_language
        False
    """
    memory = Memory()
    c = ffi.new("pare_parse_options *")
    memory.put_grammars(c, grammar)
    memory.put(c, "islands", words_of(islands))
    c.language = memory.text(language)
    c.start = memory.text(start)
    c.format = lib.PARE_TREE_JSON
    parsed = ffi.new("pare_parsed *")
    err = ffi.new("pare_error *")
    with tempfile.TemporaryDirectory(prefix="pare-") as folder:
        path = os.path.join(folder, os.path.basename(name))
        with open(path, "wb") as file:
            file.write(text.encode("utf-8") if isinstance(text, str) else text)
        try:
            check(lib.pare_parse_file_sized(c, ffi.sizeof("pare_parse_options"),
                                            memory.text(path), parsed, err), err)
            return Tree(root=node_of(json.loads(ffi.buffer(parsed.tree, parsed.size_bytes)[:])),
                        in_language=parsed.in_language, line=parsed.line, column=parsed.column,
                        message=text_of(parsed.message),
                        warnings=tuple(text_of(parsed.warnings[i]) or ""
                                       for i in range(parsed.n_warnings)))
        finally:
            lib.pare_parsed_done(parsed)
