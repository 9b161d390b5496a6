"""What there is: algorithms, units, languages."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

from pare._errors import check, text_of
from pare._options import Memory, Path
from pare._pare import ffi, lib
from pare._results import plain


@dataclass(frozen=True)
class Algorithm:
    """An algorithm, as --list-algorithms shows it."""

    name: str
    summary: str
    source: str
    one_minimal: bool
    on_trees: bool
    on_choices: bool


@dataclass(frozen=True)
class Language:
    """A language that pare knows; `added` says whether its parser is there."""

    name: str
    aliases: Tuple[str, ...]
    extensions: Tuple[str, ...]
    added: bool


def version() -> str:
    """Of the library, at run time.

        >>> import pare
        >>> pare.version() == pare.__version__
        True
    """
    return text_of(lib.pare_version()) or ""


def algorithms() -> List[Algorithm]:
    """For `algorithm=`.

        >>> import pare
        >>> [algorithm.name for algorithm in pare.algorithms() if algorithm.name.endswith("ddmin")]
        ['ddmin']
    """
    found, index = [], 0
    while lib.pare_algorithm_at(index):
        found.append(plain(Algorithm, lib.pare_algorithm_at(index)))
        index += 1
    return found


def units() -> List[str]:
    """For `units=`.

        >>> import pare
        >>> "line" in pare.units()
        True
    """
    found, index = [], 0
    while lib.pare_unit_at(index):
        found.append(text_of(lib.pare_unit_at(index).name) or "")
        index += 1
    return found


def language_of(info: Any) -> Language:
    state = ffi.new("pare_language_state *")
    err = ffi.new("pare_error *")
    status = lib.pare_language_inspect(info.name, state, err)
    if status != lib.PARE_E_STATE:  # without a data folder nothing is added
        check(status, err)
    return Language(name=text_of(info.name) or "", aliases=tuple((text_of(info.aliases) or "").split()),
                    extensions=tuple((text_of(info.extensions) or "").split()), added=state.added)


def languages() -> List[Language]:
    """All that pare knows, sorted by name; `pare lang add NAME` adds one.

        >>> import pare
        >>> "python" in [language.name for language in pare.languages()]
        True
    """
    found, index = [], 0
    while lib.pare_language_at(index):
        info = lib.pare_language_at(index)
        if not info.is_model:
            found.append(language_of(info))
        index += 1
    return found


def language_for(path: Path) -> Optional[Language]:
    """The language in which a file is written, judged by its name; None: by none that is known.

        >>> import pare
        >>> pare.language_for("main.c").name, pare.language_for("notes.xyz")
        ('c', None)
    """
    info = lib.pare_language_for_file(Memory().text(path))
    return language_of(info) if info else None
