"""YAML 1.2 under the core rules as a plain value, with the line of every key.

libyaml composes the node tree; the values are made here, so that no tag can construct anything else, an alias cannot
expand without bound, a key cannot stand twice, and `on`, `no` and dates stay text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

DEPTH_MAX = 40
"""A definition is four levels deep; more is an attack or an accident."""

NODES_MAX = 200_000
"""Nodes after aliases are followed: twenty thousand values a matrix key is already refused later."""

OPEN_MAX = 400
"""Brackets left open at once; libyaml itself stops at a thousand levels."""

Path = tuple[int | str, ...]

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BRACKET = re.compile(r"[{}\[\]]")
_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}


class YamlFault(ValueError):
    """The text is not YAML that is accepted here."""

    def __init__(self, message: str, line: int | None = None, key: str | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.key = key


@dataclass(frozen=True)
class Document:
    """A plain value and the line (from 1) of each path in it."""

    value: Any
    lines: dict[Path, int] = field(default_factory=dict)

    def line_of(self, path: Sequence[int | str]) -> int | None:
        """Return the line of a path, or of its nearest parent that has one."""
        for length in range(len(path), 0, -1):
            line = self.lines.get(tuple(path[:length]))
            if line is not None:
                return line
        return None


def read_yaml(text: str) -> Document:
    """Return the one document in a YAML text. Raises YamlFault with the line."""
    import yaml

    if _most_open(text) > OPEN_MAX:
        raise YamlFault("nested too deeply")
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlFault(error.problem or "not YAML", mark.line + 1 if mark else None) from None
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise YamlFault(" ".join(str(error).split())[:200] or "not YAML") from None
    except RecursionError:
        raise YamlFault("nested too deeply") from None
    if node is None:
        raise YamlFault("the text is empty")
    maker = _Maker()
    return Document(maker.value(node, ()), maker.lines)


def _most_open(text: str) -> int:
    """The most brackets open at once, counted without regard to quotes: an upper bound for honest texts."""
    most = open_now = 0
    for match in _BRACKET.finditer(text):
        open_now = open_now + 1 if match.group() in "{[" else max(0, open_now - 1)
        most = max(most, open_now)
    return most


class _Maker:
    def __init__(self) -> None:
        self.lines: dict[Path, int] = {}
        self.nodes = 0

    def value(self, node: Any, path: Path) -> Any:
        self.nodes += 1
        line = node.start_mark.line + 1
        key = ".".join(str(part) for part in path) or None
        if len(path) > DEPTH_MAX:
            raise YamlFault(f"nested more than {DEPTH_MAX} levels deep", line, key)
        if self.nodes > NODES_MAX:
            raise YamlFault(f"more than {NODES_MAX} values", line, key)
        self.lines.setdefault(path, line)
        if node.id == "mapping":
            return self._mapping(node, path)
        if node.id == "sequence":
            return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
        return _scalar(node, line, key)

    def _mapping(self, node: Any, path: Path) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for name_node, item in node.value:
            line = name_node.start_mark.line + 1
            if name_node.id != "scalar":
                raise YamlFault("a key must be text", line)
            name = str(name_node.value)
            here = (*path, name)
            if name in mapping:
                raise YamlFault("the key stands twice", line, ".".join(str(part) for part in here))
            self.lines[here] = line
            mapping[name] = self.value(item, here)
        return mapping


def _scalar(node: Any, line: int, key: str | None) -> Any:
    text = str(node.value)
    if node.style:
        return text
    tag = str(node.tag or "")
    if tag.startswith("!") and not tag.startswith("!!"):
        raise YamlFault(f"the tag {tag} is not accepted", line, key)
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _INT.fullmatch(text):
        if len(text) > 400:
            raise YamlFault("the number has too many digits", line, key)
        return int(text, 8 if text.startswith("0o") else 16 if text.startswith("0x") else 10)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text
