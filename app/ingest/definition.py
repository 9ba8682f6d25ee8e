"""Reads an experiment definition from JSON or YAML text and says, with key and line, what is wrong with it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from app.domain.experiment import Definition
from app.errors import InvalidDefinition
from app.ingest.yaml_document import Document, YamlFault, read_yaml

DEFINITION_MAX_CHARS = 2_000_000
"""A definition with a million-character job file and some inline patches."""

PROBLEMS_MAX = 50
"""More than a page of problems helps nobody."""


def read_definition(text: str) -> Definition:
    """Return the definition that a JSON or YAML text holds.

    Raises InvalidDefinition whose `details["problems"]` is a list of {"key", "line", "message"}; `line` is null for
    JSON, whose readers keep none.
    """
    if len(text) > DEFINITION_MAX_CHARS:
        raise _refused([(None, None, f"{len(text)} characters; a definition has {DEFINITION_MAX_CHARS} at most")])
    document = _document(text)
    return definition_from(document.value, document)


def definition_from(value: Any, document: Document | None = None) -> Definition:
    """Return the definition in a plain value; `document` gives the lines for messages.

    Raises InvalidDefinition as `read_definition` does.
    """
    if not isinstance(value, dict):
        raise _refused([(None, 1, "a definition is a mapping of keys such as runner, device, workload and variants")])
    try:
        # JSON mode lets pydantic stay strict about types and still read lists into tuples
        return Definition.model_validate_json(json.dumps(value, allow_nan=False), strict=True)
    except ValidationError as error:
        raise _refused(_problems(error, value, document)) from None
    except (ValueError, RecursionError) as error:
        raise _refused([(None, None, str(error))]) from None


def _document(text: str) -> Document:
    stripped = text.lstrip()
    if stripped.startswith("{"):
        try:
            return Document(json.loads(text, parse_constant=_no_constant, object_pairs_hook=_distinct_pairs), {})
        except RecursionError:
            raise _refused([(None, None, "nested too deeply")]) from None
        except json.JSONDecodeError as error:
            # a flow mapping of YAML begins with a brace too
            json_fault = (None, error.lineno, f"column {error.colno}: {error.msg}")
        except ValueError as error:
            said = (
                "a number of more digits than any value here has" if "int_max_str_digits" in str(error) else str(error)
            )
            raise _refused([(None, None, said)]) from None
        try:
            return read_yaml(text)
        except YamlFault:
            raise _refused([json_fault]) from None
    try:
        return read_yaml(text)
    except YamlFault as fault:
        raise _refused([(fault.key, fault.line, str(fault))]) from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _distinct_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} stands twice")
    return mapping


Problem = tuple[str | None, int | None, str]


def _refused(problems: Sequence[Problem]) -> InvalidDefinition:
    shown = list(problems)[:PROBLEMS_MAX]
    first_key, first_line, first_message = shown[0]
    where = ", ".join(part for part in (first_key, f"line {first_line}" if first_line else None) if part)
    more = f" (and {len(shown) - 1} more)" if len(shown) > 1 else ""
    return InvalidDefinition(
        f"{where}: {first_message}{more}" if where else first_message + more,
        details={"problems": [{"key": key, "line": line, "message": message} for key, line, message in shown]},
    )


def problem(key: str, message: str) -> InvalidDefinition:
    """Return the error for one key of a definition that is well formed but cannot run."""
    return _refused([(key, None, message)])


def problems(found: Sequence[tuple[str, str]]) -> InvalidDefinition:
    """Return the error for several (key, message) pairs."""
    return _refused([(key, None, message) for key, message in found])


def _problems(error: ValidationError, value: Any, document: Document | None) -> list[Problem]:
    found: list[Problem] = []
    entries = [
        (entry, _real_path(entry["loc"], value)) for entry in error.errors(include_url=False)[: 2 * PROBLEMS_MAX]
    ]
    nearer = {path for entry, path in entries if entry["type"] not in _OTHER_BRANCH}
    for entry, path in entries:
        if entry["type"] in _OTHER_BRANCH and path in nearer:
            continue
        key = ".".join(str(part) for part in path) or None
        line = document.line_of(path) if document else None
        message = _message(entry, path)
        if (key, line, message) not in found:
            found.append((key, line, message))
    return found


_OTHER_BRANCH = frozenset({"tuple_type", "list_type", "dict_type", "model_type", "literal_error"})
"""What pydantic says of the branches of a union that were not meant."""


def _real_path(loc: Sequence[int | str], value: Any) -> tuple[int | str, ...]:
    """Drop the names of pydantic's union branches from a location; keep the last part, which may be missing."""
    path: list[int | str] = []
    here = value
    for position, part in enumerate(loc):
        if (isinstance(here, dict) and part in here) or (isinstance(here, list) and part in range(len(here))):
            here = here[part]  # type: ignore[index]
        elif not (position == len(loc) - 1 and isinstance(here, dict) and _is_key(part)):
            continue
        path.append(part)
    return tuple(path)


_BRANCH_SIGNS = "[(,'"


def _is_key(part: int | str) -> bool:
    """Whether a last part is a missing key of ours, not one of pydantic's names for a branch."""
    branches = {"str", "int", "float", "bool", "constrained-str", "RunnerChoice", "PatchUse"}
    return isinstance(part, str) and part not in branches and not any(sign in part for sign in _BRANCH_SIGNS)


def _message(entry: Any, path: tuple[int | str, ...]) -> str:
    kind = entry["type"]
    if kind == "extra_forbidden":
        name = str(path[-1]) if path else "?"
        close = difflib.get_close_matches(name, Definition.model_fields, n=2)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        return f"unknown key{hint}"
    if kind == "missing":
        return "is missing"
    if kind == "too_long" and "max_length" in entry.get("ctx", {}):
        return f"{entry['ctx']['actual_length']} entries; at most {entry['ctx']['max_length']} are allowed"
    if kind == "too_short" and "min_length" in entry.get("ctx", {}):
        return f"{entry['ctx']['actual_length']} entries; at least {entry['ctx']['min_length']} are needed"
    if kind == "string_pattern_mismatch":
        return f"{str(entry.get('input'))[:60]!r} is no name of this kind: it has to match {entry['ctx']['pattern']}"
    message: str = entry["msg"]
    message = message.removeprefix("Value error, ").removeprefix("Input ")
    given = entry.get("input")
    if isinstance(given, str | int | float | bool) and len(str(given)) <= 60 and str(given) not in message:
        message += f" (given: {json.dumps(given)})"
    return message
