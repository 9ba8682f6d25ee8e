"""Finds job files inside mails, scripts, Markdown, YAML and program sources, by their content."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from app.catalog import fio_options
from app.ingest.fio_job.transfer import Piece, decoded

MAX_BLOCK_LINES = 20_000  # one job file; keeps a search for a closing quote from running through a whole archive
MAX_BLOCKS = 64  # job files in one document

_SECTION = re.compile(r"\s*\[(?P<name>[^\[\]]{1,255})\]\s*(?:[;#].*)?$")
# A section after an opening quote, as in: var job = `[global]
_QUOTED_SECTION = re.compile(
    r"(?P<lead>.*?(?P<quote>\"\"\"|'''|[`\"']|<pre[^<>]*>))(?P<rest>\s*\[[^\[\]]{1,255}\]\s*)$"
)
_OPTION = re.compile(r"\s*(?P<name>[A-Za-z][\w-]*)[ \t]*(?P<equals>=(?P<text>.*))?$", re.ASCII)
_INCLUDE = re.compile(r"\s*include\s+\S+\s*$")
_HEREDOC = re.compile(r"<<[-~]?\s*(?P<quote>[\"'\\]?)(?P<word>\w+)")
_FENCE = re.compile(r"\s*(?:[-*+] +)?(?P<fence>`{3,}|~{3,})")
_BLOCK_SCALAR = re.compile(r"[:-]\s+[|>][-+]?[0-9]?[-+]?\s*$")
_ENDING = re.compile(r"\s*(?:EOF|EOT|END|```|~~~|---+|-- ?|===+)\s*$")

# Names that other kinds of [section] files use as well: alone they do not make a job file.
_COMMON_NAMES = frozenset(
    {"name", "description", "directory", "filename", "size", "profile", "prio", "load", "dir", "block", "port", "uid"}
    | {"interface", "protocol", "hostname", "threads", "runtime", "timeout", "sync", "verify", "gid", "nice", "program"}
    | {"arguments", "offset", "pool", "volume", "include", "filesize", "mem", "thread", "stats", "uri", "conf", "flow"}
)


@dataclass(frozen=True, slots=True)
class Block:
    """One job file found in a document: its lines without what the document put around them."""

    pieces: tuple[Piece, ...]

    @property
    def start_line(self) -> int:
        return self.pieces[0].line

    @property
    def text(self) -> str:
        """The job file."""
        return "\n".join(piece.text for piece in self.pieces)

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the document of a place in `text`."""
        piece = self.pieces[min(line, len(self.pieces)) - 1]
        return piece.line, piece.column + column - 1


def find_jobs(text: str) -> list[tuple[int, str]]:
    """Return the job files inside a document, each with the line (from 1) on which it begins."""
    return [(block.start_line, block.text) for block in blocks(text)]


def is_job_file(text: str) -> bool:
    """Whether a text is a job file from its first line on: it begins with options, or a section that has some."""
    seen_section = False
    for line in text.split("\n"):
        if not line.strip() or line.lstrip()[0] in ";#":
            continue
        if _strength(line) == 2:
            return True
        if not _SECTION.match(line):
            return False
        seen_section = True
    return seen_section


def starts_with_section(text: str) -> bool:
    """Whether the first line that is no comment is a section, whatever follows it."""
    meaningful = (line for line in text.split("\n") if line.strip() and line.lstrip()[0] not in ";#")
    return bool(_SECTION.match(next(meaningful, "")))


def blocks(text: str) -> list[Block]:
    """Return the job files inside a document with the place of each line."""
    document = decoded(text)
    found: list[Block] = []
    at = 0
    while at < len(document) and len(found) < MAX_BLOCKS:
        taken = _block_at(document, at) if "[" in document[at].text else None
        if taken is None:
            at += 1
            continue
        pieces, at = taken
        if _is_fio(pieces):
            found.append(Block(tuple(pieces)))
    return found


def _block_at(document: list[Piece], at: int) -> tuple[list[Piece], int] | None:
    """Return the lines of the block whose first section is here, and where to look further; None: no block here."""
    for strip in (_literal, _echo, _quotation, _added, _bare):
        first = strip(document[at])
        if first and _SECTION.match(first.text):
            return _decorated_block(document, at, strip)
    quoted = _QUOTED_SECTION.match(document[at].text)
    return _quoted_block(document, at, quoted) if quoted else None


def _decorated_block(
    document: list[Piece], at: int, strip: Callable[[Piece], Piece | None]
) -> tuple[list[Piece], int] | None:
    pieces: list[Piece] = []
    for piece in document[at : at + MAX_BLOCK_LINES]:
        stripped = strip(piece)
        if stripped is None:
            break
        pieces.append(stripped)
    closed = _container_end(document, at, pieces, strip)
    if closed is not None:
        return _trimmed(pieces[:closed]), at + max(closed, 1)
    end = _prose_starts(pieces)
    return (pieces[:end], at + end) if end else None


def _quoted_block(document: list[Piece], at: int, first: re.Match[str]) -> tuple[list[Piece], int] | None:
    quote = "</pre>" if first["quote"].startswith("<") else first["quote"]
    start = document[at]
    pieces = [Piece(start.line, start.column + len(first["lead"]), first["rest"])]
    for offset, piece in enumerate(document[at + 1 : at + MAX_BLOCK_LINES], 1):
        before, mark, _ = piece.text.partition(quote)
        pieces.append(Piece(piece.line, piece.column, before))
        if mark:
            return _trimmed(pieces), at + offset
    return None


def _container_end(
    document: list[Piece], at: int, pieces: list[Piece], strip: Callable[[Piece], Piece | None]
) -> int | None:
    """Return how many lines the here-document, fence or YAML block that opened just before still has."""
    opener = ""
    for piece in reversed(document[max(0, at - 200) : at]):
        stripped = strip(piece)
        if stripped is None:
            break
        if stripped.text.strip() and stripped.text.lstrip()[0] not in ";#":
            opener = stripped.text
            break
    if heredoc := _HEREDOC.search(opener):
        return _first(pieces, lambda text: text.strip() == heredoc["word"])
    if fence := _FENCE.match(opener):
        return _first(pieces, lambda text: text.strip().startswith(fence["fence"]))
    if _BLOCK_SCALAR.search(opener) and (indent := _indent(pieces[0].text)) > _indent(opener):
        return _first(pieces, lambda text: bool(text.strip()) and _indent(text) < indent) or len(pieces)
    return None


def _first(pieces: list[Piece], ends: Callable[[str], bool]) -> int | None:
    return next((number for number, piece in enumerate(pieces) if ends(piece.text)), None)


def _indent(text: str) -> int:
    text = text.expandtabs()
    return len(text) - len(text.lstrip())


def _trimmed(pieces: list[Piece]) -> list[Piece]:
    while pieces and not pieces[-1].text.strip():
        pieces = pieces[:-1]
    return pieces


def _strength(text: str) -> int:
    """Return 2 for a line that can only be a job's option, 1 for `word=…` of an unknown word, 0 for prose."""
    if _INCLUDE.match(text):
        return 2
    found = _OPTION.match(re.split("[;#]", text, maxsplit=1)[0].rstrip())
    if not found:
        return 0
    specs = [fio_options.find(found["name"], engine) for engine in ("", *fio_options.engines_with(found["name"]))]
    known = [spec for spec in specs if spec]
    if known and (found["equals"] or any(spec.valueless for spec in known)):
        return 2
    return 1 if found["equals"] else 0


def _one_value(text: str) -> bool:
    """Whether the value could not be the rest of a sentence."""
    name, _, value = text.partition("=")
    spec = fio_options.find(name.strip(), "")
    return len(value.split()) < 2 or value.lstrip()[:1] in ";#" or (spec is not None and spec.kind == "STR_STORE")


def _prose_starts(pieces: list[Piece]) -> int:
    """Return how many lines of a text that starts with a section belong to the job file, 0 when it is none."""
    end, gap, filled_job = 0, False, False
    indent = _indent(pieces[0].text)
    for at, piece in enumerate(pieces):
        text = piece.text
        if not text.strip() or text.lstrip()[0] in ";#":
            gap = gap or not text.strip()
            continue
        if section := _SECTION.match(text):
            follows = _next_meaning(pieces, at)
            if (at == 0 and follows != "option") or not _section_fits(pieces, at, follows, gap and filled_job):
                break
            filled_job = follows == "option" and not section["name"].startswith("global")
        elif not _line_fits(pieces, at, gap, dedented=_indent(text) < indent):
            break
        end, gap = at + 1, False
    return end


def _line_fits(pieces: list[Piece], at: int, gap: bool, *, dedented: bool) -> bool:
    text = pieces[at].text
    if _ENDING.match(text):
        return False
    strength = _strength(text)
    if strength == 2:
        return not gap or (_one_value(text) and not dedented)
    if gap or dedented:
        return False
    # An unknown word with a value, or a broken line between two good ones, is the job's mistake and must be told.
    following = pieces[at + 1].text if at + 1 < len(pieces) else ""
    return strength == 1 or _strength(following) == 2 or bool(_SECTION.match(following))


def _next_meaning(pieces: list[Piece], at: int) -> str:
    for piece in pieces[at + 1 :]:
        if not piece.text.strip() or piece.text.lstrip()[0] in ";#":
            continue
        if _SECTION.match(piece.text):
            return "section"
        return "option" if _strength(piece.text) == 2 else "prose"
    return "end"


def _section_fits(pieces: list[Piece], at: int, follows: str, stands_apart: bool) -> bool:
    if follows == "option":
        return True
    directly = pieces[at + 1].text.strip() if at + 1 < len(pieces) else ""
    if follows == "prose" and directly:
        return False
    return not stands_apart or follows == "section"


def _is_fio(pieces: list[Piece]) -> bool:
    """Whether the lines are fio's and not those of another kind of file with [sections]."""
    names = [found["name"] for piece in pieces if (found := _OPTION.match(piece.text)) and _strength(piece.text)]
    known = [name for name in names if fio_options.find(name, "") or fio_options.engines_with(name)]
    telling = [name for name in known if name not in _COMMON_NAMES]
    return len(known) * 2 >= len(names) and (bool(telling) or len(set(known)) > 2)


# What documents put around a line. Each takes the line as it stands and returns it bare, or None when it is not so.

_LITERAL = re.compile(r"""(\s*(?:[a-zA-Z]{0,2})")((?:[^"\\]|\\.)*?)(?:\\n)?"[\s,;+\\)]*$""")
_ECHO = re.compile(r"""(\s*echo\s+(?:-[ne]+\s+)*(?P<quote>["']?))(.*?)(?P=quote)\s*(?:>>?\s*\S+|\\)?\s*$""")
_QUOTATION = re.compile(r"((?:[ \t]*[>|])+ ?)(.*)$")


def _literal(piece: Piece) -> Piece | None:
    found = _LITERAL.match(piece.text)
    return Piece(piece.line, piece.column + len(found[1]), found[2]) if found else None


def _echo(piece: Piece) -> Piece | None:
    found = _ECHO.match(piece.text)
    return Piece(piece.line, piece.column + len(found[1]), found[3]) if found else None


def _quotation(piece: Piece) -> Piece | None:
    found = _QUOTATION.match(piece.text)
    return Piece(piece.line, piece.column + len(found[1]), found[2]) if found else None


def _added(piece: Piece) -> Piece | None:
    """A line that a patch adds."""
    return Piece(piece.line, piece.column + 1, piece.text[1:]) if piece.text.startswith("+") else None


def _bare(piece: Piece) -> Piece | None:
    return piece
