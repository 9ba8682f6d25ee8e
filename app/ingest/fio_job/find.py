"""Finds job files inside mails, scripts, Markdown, YAML and program sources, by their content."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from app.catalog import fio_options
from app.ingest.fio_job.transfer import Piece, decoded

MAX_BLOCK_LINES = 5_000  # one job file; keeps a search for a closing quote from running through a whole archive
MAX_BLOCKS = 32  # job files in one document
MAX_LINES = 10_000  # of all job files in one document
MAX_STEPS = 400_000  # lines looked at, beside twice each line of the document: about half a second
MAX_COMMENT_LINES = 200  # between the opening of a fence or here-document and the first section

_SECTION = re.compile(r"\s*\[(?P<name>[^\[\]]{1,255})\]\s*(?:[;#].*)?$")
# A section after an opening quote, as in: var job = `[global]
_QUOTED_SECTION = re.compile(
    r"(?P<lead>.*?(?P<quote>\"\"\"|'''|[`\"']|<pre[^<>]*>))(?P<rest>\s*\[[^\[\]]{1,255}\]\s*)$"
)
_OPTION = re.compile(r"\s*(?P<name>[A-Za-z][\w-]*)[ \t]*(?:(?P<equals>=).*|[;#].*)?$", re.ASCII)
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


Strip = Callable[[Piece], Piece | None]


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


class Intricate(Exception):
    """The document has more job files, or beginnings of such, than there is time for."""


def find_jobs(text: str) -> list[tuple[int, str]]:
    """Return the job files inside a document, each with the line (from 1) on which it begins.

    Raises Intricate for a document that is made to take long.
    """
    return [(block.start_line, block.text) for block in blocks(text)]


def is_job_file(text: str) -> bool:
    """Whether a text is a job file from its first line on: it begins with options, or a section that has some."""
    seen_section = False
    for line in text.split("\n"):
        if _is_blank_or_comment(line):
            continue
        if _strength(line) == 2:
            return True
        if not _SECTION.match(line):
            return False
        seen_section = True
    return seen_section


def starts_with_section(text: str) -> bool:
    """Whether the first line that is no comment is a section, whatever follows it."""
    meaningful = (line for line in text.split("\n") if not _is_blank_or_comment(line))
    return bool(_SECTION.match(next(meaningful, "")))


def prose_outside(text: str, found: list[Block]) -> int | None:
    """Return the first line that no block has, when all of those lines are prose and there are several; else None.

    A single line may be a slip in a job file, and so may one that begins with the name of an option.
    """
    inside = {piece.line for block in found for piece in block.pieces}
    outside = [
        (number, line)
        for number, line in enumerate(text.split("\n"), 1)
        if number not in inside and not _is_blank_or_comment(line)
    ]
    slips = any(_strength(line) or _known(re.split(r"[\s=]", line.strip(), maxsplit=1)[0])[0] for _, line in outside)
    return outside[0][0] if len(outside) > 1 and not slips else None


def blocks(text: str) -> list[Block]:
    """Return the job files inside a document with the place of each line; raises Intricate as `find_jobs` does."""
    if "[" not in text and "base64" not in text:
        return []
    search = _Search(decoded(text))
    found: list[Block] = []
    at = total = 0
    while at < len(search.document):
        taken = search.block_at(at) if "[" in search.document[at].text else None
        if taken is None:
            at += 1
            continue
        pieces, at = taken
        if _is_fio(pieces):
            found.append(Block(tuple(pieces)))
            total += len(pieces)
            if len(found) > MAX_BLOCKS or total > MAX_LINES:
                raise Intricate
    return found


class _Lines:
    """The lines from one on, as long as they have the same decoration; each is made when it is first asked for."""

    def __init__(self, search: _Search, at: int, strip: Strip) -> None:
        self.search, self.start, self.strip = search, at, strip
        self.made: list[Piece] = []
        self.end: int | None = None

    def get(self, number: int) -> Piece | None:
        """Return a line by its number from 0, None beyond the end."""
        while len(self.made) <= number and self.end is None:
            at = self.start + len(self.made)
            self.search.step()
            inside = len(self.made) < MAX_BLOCK_LINES and at < len(self.search.document)
            piece = self.strip(self.search.document[at]) if inside else None
            if piece is None:
                self.end = len(self.made)
            else:
                self.made.append(piece)
        return self.made[number] if number < len(self.made) else None

    def text(self, number: int) -> str:
        piece = self.get(number)
        return piece.text if piece else ""

    def until(self, ends: Callable[[str], bool]) -> int:
        """Return the number of the first line that ends a container, or of lines when none does."""
        number = 0
        while (piece := self.get(number)) is not None:
            if ends(piece.text):
                return number
            number += 1
        return number


class _Search:
    """Looks for job files in one document, within a budget of steps."""

    def __init__(self, document: list[Piece]) -> None:
        self.document = document
        self.steps = MAX_STEPS + 2 * len(document)

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise Intricate

    def block_at(self, at: int) -> tuple[list[Piece], int] | None:
        """Return the lines of the block whose first section is here, and where to look further; None: no block."""
        plain = self.document[at].text.lstrip().startswith("[")
        for strip in (_bare,) if plain else (_literal, _echo, _quotation, _added, _commented):
            first = strip(self.document[at])
            if first and _SECTION.match(first.text):
                return self.decorated(at, strip)
        if plain:
            return None
        if quoted := _QUOTED_SECTION.match(self.document[at].text):
            return self.quoted(at, quoted)
        escaped = _escaped(self.document[at]) if "\\n" in self.document[at].text else []
        return (escaped, at + 1) if escaped else None

    def decorated(self, at: int, strip: Strip) -> tuple[list[Piece], int] | None:
        lines = _Lines(self, at, strip)
        end = self.container_end(at, strip, lines) or _prose_starts(lines)
        return (_trimmed(lines.made[:end]), at + end) if end else None

    def quoted(self, at: int, first: re.Match[str]) -> tuple[list[Piece], int] | None:
        quote = "</pre>" if first["quote"].startswith("<") else first["quote"]
        start = self.document[at]
        pieces = [Piece(start.line, start.column + len(first["lead"]), first["rest"])]
        for piece in self.document[at + 1 : at + MAX_BLOCK_LINES]:
            self.step()
            before, mark, _ = piece.text.partition(quote)
            pieces.append(Piece(piece.line, piece.column, before))
            if mark:
                return _trimmed(pieces), at + len(pieces) - 1
        return None

    def container_end(self, at: int, strip: Strip, lines: _Lines) -> int:
        """Return how many lines the here-document, fence or YAML block that opened just before has, 0 for none."""
        opener = ""
        for piece in reversed(self.document[max(0, at - MAX_COMMENT_LINES) : at]):
            self.step()
            stripped = strip(piece)
            if stripped is None:
                break
            if not _is_blank_or_comment(stripped.text):
                opener = stripped.text
                break
        if heredoc := _HEREDOC.search(opener):
            return lines.until(lambda text: text.strip() == heredoc["word"])
        if fence := _FENCE.match(opener):
            return lines.until(lambda text: text.strip().startswith(fence["fence"]))
        if _BLOCK_SCALAR.search(opener) and (indent := _indent(lines.text(0))) > _indent(opener):
            return lines.until(lambda text: bool(text.strip()) and _indent(text) < indent)
        return 0


def _is_blank_or_comment(text: str) -> bool:
    bare = text.lstrip()
    return not bare or bare[0] in ";#"


def _indent(text: str) -> int:
    text = text.expandtabs()
    return len(text) - len(text.lstrip())


def _trimmed(pieces: list[Piece]) -> list[Piece]:
    while pieces and not pieces[-1].text.strip():
        pieces = pieces[:-1]
    return pieces


def _strength(text: str) -> int:
    """Return 2 for a line that can only be a job's option, 1 for `word=…` of an unknown word, 0 for prose."""
    found = _OPTION.match(text)
    if not found:
        return 2 if _INCLUDE.match(text) else 0
    known, valueless = _known(found["name"])
    if known and (found["equals"] or valueless):
        return 2
    return 1 if found["equals"] else 0


@lru_cache(maxsize=4096)  # documents repeat their words
def _known(name: str) -> tuple[bool, bool]:
    """Return whether a name is an option of any engine, and whether it may stand without a value."""
    specs = [fio_options.find(name, engine) for engine in ("", *fio_options.engines_with(name))]
    return any(specs), any(spec.valueless for spec in specs if spec)


def _one_value(text: str) -> bool:
    """Whether the value could not be the rest of a sentence."""
    name, _, value = text.partition("=")
    spec = fio_options.find(name.strip(), "")
    return len(value.split()) < 2 or value.lstrip()[:1] in ";#" or (spec is not None and spec.kind == "STR_STORE")


def _prose_starts(lines: _Lines) -> int:
    """Return how many lines of a text that starts with a section belong to the job file, 0 when it is none."""
    end, at, gap, filled_job = 0, 0, False, False
    indent = _indent(lines.text(0))
    while (piece := lines.get(at)) is not None:
        text = piece.text
        if _is_blank_or_comment(text):
            gap = gap or not text.strip()
        elif section := _SECTION.match(text):
            follows = _next_meaning(lines, at)
            if (at == 0 and follows != "option") or not _section_fits(lines, at, follows, gap and filled_job):
                break
            filled_job = follows == "option" and not section["name"].startswith("global")
            end, gap = at + 1, False
        elif _line_fits(lines, at, gap, dedented=_indent(text) < indent):
            end, gap = at + 1, False
        else:
            break
        at += 1
    return end


def _line_fits(lines: _Lines, at: int, gap: bool, *, dedented: bool) -> bool:
    text = lines.text(at)
    if _ENDING.match(text):
        return False
    strength = _strength(text)
    if strength == 2:
        return not gap or (_one_value(text) and not dedented)
    if gap or dedented:
        return False
    # An unknown word with a value, or a broken line between two good ones, is the job's mistake and must be told.
    following = lines.text(at + 1)
    return strength == 1 or _strength(following) == 2 or bool(_SECTION.match(following))


def _next_meaning(lines: _Lines, at: int) -> str:
    while (piece := lines.get(at := at + 1)) is not None:
        if _is_blank_or_comment(piece.text):
            continue
        if _SECTION.match(piece.text):
            return "section"
        return "option" if _strength(piece.text) == 2 else "prose"
    return "end"


def _section_fits(lines: _Lines, at: int, follows: str, stands_apart: bool) -> bool:
    if follows == "option":
        return True
    if follows == "prose" and lines.text(at + 1).strip():
        return False
    return not stands_apart or follows == "section"


def _is_fio(pieces: list[Piece]) -> bool:
    """Whether the lines are fio's and not those of another kind of file with [sections]."""
    names = [found["name"] for piece in pieces if (found := _OPTION.match(piece.text)) and _strength(piece.text)]
    known = [name for name in names if _known(name)[0]]
    telling = [name for name in known if name not in _COMMON_NAMES]
    return len(known) * 2 >= len(names) and (bool(telling) or len(set(known)) > 2)


# What documents put around a line. Each takes the line as it stands and returns it bare, or None when it is not so.

_LITERAL = re.compile(r"""(\s*(?:[a-zA-Z]{0,2})")((?:[^"\\]|\\.)*?)(?:\\n)?"[\s,;+\\)]*$""")
_ECHO = re.compile(r"""(\s*echo\s+(?:-[ne]+\s+)*(?P<quote>["']?))(.*?)(?P=quote)\s*(?:>>?\s*\S+|\\)?\s*$""")
_COMMENTED = re.compile(r"(\s*(?:\*|//) ?)(.*)$")
_ESCAPED = re.compile(r"""(["'])(\[[^\[\]"'\\]{1,255}\](?:\\[^\n]|(?!\1)[^\\\n])*)""")
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


def _commented(piece: Piece) -> Piece | None:
    """A line of a comment in C and its like."""
    found = _COMMENTED.match(piece.text)
    return Piece(piece.line, piece.column + len(found[1]), found[2]) if found else None


def _added(piece: Piece) -> Piece | None:
    """A line that a patch adds."""
    return Piece(piece.line, piece.column + 1, piece.text[1:]) if piece.text.startswith("+") else None


def _escaped(piece: Piece) -> list[Piece]:
    r"""A whole job file inside one string, its line breaks written \n, as in JSON or printf."""
    found = _ESCAPED.search(piece.text)
    if not found:
        return []
    pieces, column = [], piece.column + found.start(2)
    for part in found[2].split("\\n"):
        pieces.append(Piece(piece.line, column, part.replace("\\t", " ").replace('\\"', '"')))
        column += len(part) + 2
    return pieces if _SECTION.match(pieces[0].text) else []


def _bare(piece: Piece) -> Piece | None:
    return piece
