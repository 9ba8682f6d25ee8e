"""Finds what an author says in words about the figures, and checks it against them where both are there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from app.domain.report import Claim, Remark, Result
from app.ingest.outputs.claimed_metric import Change, meant, part_about
from app.ingest.outputs.claimed_pair import fits_pair, unit_before
from app.ingest.outputs.document import Document
from app.ingest.outputs.labels import bare_label
from app.ingest.outputs.percentages import disagreement
from app.ingest.outputs.placed_text import PlacedText
from app.ingest.outputs.quantity import number
from app.ingest.outputs.table_cells import figure, rounding

CLAIMS_MAX = 200
PERCENTAGES_MAX = 2000
"""Percentages looked at, most of which claim nothing."""

ENDING_WORDS = 6
"""So many words at the end of a claim tell a sentence from another of the same figure."""

PROSE_MAX_CHARS = 500_000
"""Longer texts are logs; nobody argues in them."""

_N = r"(?<![\d.,])(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,15})(?:\.\d{1,9})?(?![\d])"
_CHANGE = (
    r"faster|slower|quicker|better|worse|improvements?|improved?|improves|increases?|increased|decreases?|decreased"
    r"|reductions?|reduced?|reduces|regressions?|regressed|higher|lower|less|more|gains?|drops?|dropped|speed-?ups?|boost"
    r"|degradations?|overhead|savings?|throughput|latency|latencies|bandwidth|iops|runtime|cpu|performance"
)
_PERCENT = re.compile(
    rf"(?P<sign>[+-])?(?P<value>{_N})\s?(?:%|percent\b)(?P<after>\s+(?:[\w/-]+\s+){{0,3}}?(?:{_CHANGE})\b)?",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"(?:improv|increas|reduc|decreas|drop|regress|gain|fast|slow|rais|lower|cut|sav|degrad|boost|fell|fall|grow|better)\w*"
    r"(?:\s+[\w/()-]+){0,6}?\s+(?:by\s+)?(?:about|around|approximately|roughly|up\s+to|nearly|almost|~|over|more\s+than|by|of)?\s*$",
    re.IGNORECASE,
)
_FACTOR = re.compile(
    rf"~?(?P<value>{_N})\s?(?:[xX×]|times|fold)(?=\s+(?:{_CHANGE}|as)\b|\s*[,.;)\n]|\s+(?:in|on|of)\b)", re.IGNORECASE
)
_SUFFIX = r"(?:(?-i:[kKMG])(?![A-Za-z/]))?"
_FROM_TO = re.compile(
    rf"\bfrom\s+(?:about\s+|around\s+)?~?(?P<before>{_N})(?P<scale>{_SUFFIX})\s*(?P<unit>(?!to\b)[A-Za-z%][A-Za-z/%]{{0,7}}\d?)?"
    rf"(?:\s*\((?P<bracket>[^)\n]{{0,20}})\))?"
    rf"\s+to\s+(?:about\s+|around\s+)?~?(?P<after>{_N})(?P<after_scale>{_SUFFIX})"
    rf"(?:\s?(?P<after_unit>[A-Za-z%][A-Za-z/%]{{0,7}})|\s*\((?P<after_bracket>[^)\n]{{0,20}})\))?",
    re.IGNORECASE,
)
_ARROW = re.compile(
    rf"(?P<before>{_N})(?P<scale>{_SUFFIX})(?P<unit>(?:\s?[A-Za-z][A-Za-z/]{{0,7}})?)\s*(?:-+>|=+>|→)\s*"
    rf"(?P<after>{_N})(?P<after_scale>{_SUFFIX})(?P=unit)(?:\s*\(?(?P<percent>[+-]?\d{{1,9}}(?:\.\d{{1,9}})?)\s?%\)?)?"
)
_DOWN = re.compile(
    r"reduc|decreas|drop|lower|less|slower|fell|fall|cut|sav|shorter|regress|degrad|worse", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[.;!?](?=\s|$)|,\s|\n\s*\n")
_FRAME = re.compile(r"[-=+*_]{3,}>?|\|")
_LISTED = re.compile(r"\s*(?P<name>\S[^:=]{0,80}?)\s*[:=]\s*(?P<value>\d\S{0,20})(?:\s+(?P<unit>[A-Za-z/]{1,8}))?\s*$")


def read(document: Document) -> list[Claim]:
    """Return the claims in the prose of a text: percentages, factors, from-to pairs; what is quoted twice once."""
    placed = PlacedText(document)
    if len(placed.text) > PROSE_MAX_CHARS:
        return []
    found: dict[str, Claim] = {}
    for match in _FROM_TO.finditer(placed.text):
        _add(found, placed, match, number(match["before"] + match["scale"]), unit_before(match))
    for match in _ARROW.finditer(placed.text):
        _add(found, placed, match, number(match["before"] + match["scale"]), match["unit"].strip())
    for match in _FACTOR.finditer(placed.text):
        _add(found, placed, match, number(match["value"]), "x")
    for match in islice(_PERCENT.finditer(placed.text), PERCENTAGES_MAX):
        before = placed.text[max(0, match.start() - 120) : match.start()]
        if _ARROW.search(before.rpartition("\n")[2] + match[0]):
            continue  # the percentage behind two figures, checked with them
        if match["sign"] or match["after"] or _VERB.search(before.replace("\n", " ")):
            value = number(match["value"])
            sign = -1.0 if match["sign"] == "-" else 1.0
            _add(found, placed, match, None if value is None else sign * value, "%")
        if len(found) >= CLAIMS_MAX:
            break
    found = _without_quotations(found, document)
    return sorted(found.values(), key=lambda claim: claim.line)


def _without_quotations(found: dict[str, Claim], document: Document) -> dict[str, Claim]:
    """Leave out a claim in a quotation whose beginning was cut: it ends as one that is said elsewhere."""
    kept: dict[str, Claim] = {}
    depths: dict[tuple[object, ...], int] = {}
    for key, claim in found.items():
        depth = document.lines[document.index_at(claim.line)].depth
        ending = (claim.value, claim.unit, *claim.text.split()[-ENDING_WORDS:])
        if depths.setdefault(ending, depth) == depth:
            kept[key] = claim
    return kept


def _add(found: dict[str, Claim], placed: PlacedText, match: re.Match[str], value: float | None, unit: str) -> None:
    text = placed.text
    if match.re is _ARROW:  # one of a list
        before = text[max(0, match.start() - 160) : match.start()].rpartition("\n")[2]
        after = text[match.end() : match.end() + 80].partition("\n")[0]
        line = " ".join((before + match[0] + after).split())
        found.setdefault(f"{line}|{value}", Claim(line[:300], value, unit, placed.line_at(match.start())))
        return
    start = max(
        (end.end() for end in _CLAUSE_END.finditer(text, max(0, match.start() - 200), match.start())), default=0
    )
    start = max(start, match.start() - 160)
    following = _CLAUSE_END.search(text, match.end(), match.end() + 160)
    end = following.start() if following else min(len(text), match.end() + 80)
    sentence = " ".join(_FRAME.sub(" ", text[start:end]).split())
    found.setdefault(f"{sentence}|{value}", Claim(sentence[:300], value, unit, placed.line_at(match.start())))


class _Checked(NamedTuple):
    """What the figures give for a claim; `said` in words where they are against it."""

    metric: str
    percent: float
    said: str | None


def with_figures(claims: Sequence[Claim], changes: Sequence[Change]) -> list[Claim]:
    """Return the claims, each with what the figures give for the metric it names, where it is certain which it is."""
    return [_with_figure(claim, checked) for claim, checked in _all_checked(claims, changes)]


def _with_figure(claim: Claim, checked: _Checked | None) -> Claim:
    if checked is None:
        return claim
    return claim._replace(metric=checked.metric, computed_percent=checked.percent, agrees=checked.said is None)


def check(claims: Sequence[Claim], changes: Sequence[Change], anything: bool) -> list[Remark]:
    """Return what the figures say against the claims; `anything`: whether the text has any figures at all."""
    remarks = []
    stated = {claim.line for claim in claims if _FROM_TO.search(claim.text) or _ARROW.search(claim.text)}
    for claim, checked in _all_checked(claims, changes):
        if (pair := _ARROW.search(claim.text)) is not None and claim.unit != "%":
            remarks += _pair_remark(claim, pair)
        if checked is not None:
            if checked.said is not None:
                remarks.append(Remark(claim.line, checked.said))
        elif not anything and claim.unit in ("%", "x") and claim.line not in stated:
            message = f"“{claim.text}” is said without figures, so it cannot be checked here"
            remarks.append(Remark(claim.line, message))
    return remarks


def _all_checked(claims: Sequence[Claim], changes: Sequence[Change]) -> list[tuple[Claim, _Checked | None]]:
    lines = sorted({claim.line for claim in claims})
    usable = [change for change in changes if change.before.value and change.after.value is not None]
    return [(claim, _checked(claim, usable, lines) if usable else None) for claim in claims]


def _checked(claim: Claim, changes: Sequence[Change], lines: Sequence[int]) -> _Checked | None:
    """Check a claim against the one change it is about; None where that is not certain."""
    if claim.value is None or claim.unit == "x":
        return None
    if claim.unit == "%":
        part = part_about(claim.text, f"{abs(claim.value):g}")
        verdicts = [(change, _against(claim, change)) for change in meant(part, claim.line, changes, lines)]
    else:
        pair = _FROM_TO.search(claim.text) or _ARROW.search(claim.text)
        if pair is None:
            return None
        named = meant(claim.text, claim.line, changes, lines)
        fits = {change: fits_pair(pair, claim.unit, change) for change in named}
        # both figures of one of them are the name of it
        exact = [change for change, fit in fits.items() if fit]
        if len(exact) == 1:
            named = exact
        verdicts = [
            (change, _against_pair(claim, change, fits[change])) for change in named if fits[change] is not None
        ]
    return _one(verdicts)


def _one(verdicts: Sequence[tuple[Change, str | None]]) -> _Checked | None:
    """Return the verdict on one change; of fio's clat and lat on the whole one, where both say the same."""
    if len(verdicts) == 2 and len({said is None for _, said in verdicts}) == 1:
        names = [change.after.metric for change, _ in verdicts]
        same = len({name.replace(".clat_", ".lat_") for name in names}) == 1 and names[0] != names[1]
        verdicts = [each for each in verdicts if ".lat_" in each[0].after.metric] if same else verdicts
    if len(verdicts) != 1:
        return None
    (change, said), *_ = verdicts
    before, after = change.before.value, change.after.value
    assert before is not None
    assert after is not None
    return _Checked(change.after.metric, 100.0 * (after - before) / before, said)


def _against_pair(claim: Claim, change: Change, fits: bool | None) -> str | None:
    if fits is not False:
        return None
    before, after = change.before, change.after
    return f"{after.metric}: “{claim.text}” is said, the figures are {before.value:g} and {after.value:g} {after.unit}"


def _pair_remark(claim: Claim, pair: re.Match[str]) -> list[Remark]:
    """Check the percentage that stands behind `80k -> 96k`."""
    before, after = number(pair["before"] + pair["scale"]), number(pair["after"] + pair["after_scale"])
    printed = number(pair["percent"]) if pair["percent"] else None
    if not before or after is None or printed is None:
        return []
    error = rounding(pair["before"]) / float(pair["before"].replace(",", "")) + rounding(pair["after"]) / max(
        after, 1e-9
    )
    said = disagreement(before, after, printed, rounding=1.01 if printed == int(printed) else 0.101, error=error)
    return [Remark(claim.line, f"“{claim.text}”: {said}")] if said is not None else []


def _against(claim: Claim, change: Change) -> str | None:
    before, after = change.before.value, change.after.value
    if not before or after is None or claim.value is None:
        return None
    printed = claim.value
    if printed > 0 and _DOWN.search(claim.text) and f"+{printed:g}" not in claim.text:
        printed = -printed
    decimals = 1.0 if printed == int(printed) else 0.1
    said = disagreement(before, after, printed, rounding=0.51 * decimals, error=0.002)
    return f"{change.after.metric}: {said}" if said is not None else None


def summaries(document: Document, results: Sequence[Result]) -> list[Remark]:
    """Return where a list of figures by side (`nvme before: 300k`) differs from what the side's own run says."""
    by_variant: dict[str, list[Result]] = {}
    for result in results:
        if (
            result.variant is not None
            and result.value is not None
            and result.metric.endswith((".iops", ".bw", "throughput"))
        ):
            by_variant.setdefault(result.variant.lower(), []).append(result)
    remarks = []
    for _, line in document.free() if by_variant else ():
        found = _LISTED.match(line.text)
        mine = by_variant.get(bare_label(found["name"]).lower(), []) if found else []
        said = figure(found["value"]) if found and mine else None
        if found is None or said is None or said.high is not None or said.low <= 0:
            continue
        nearest = min(mine, key=lambda result: abs((result.value or 0.0) - said.low))
        value = nearest.value or 0.0
        if 0.3 * said.low > abs(value - said.low) > max(0.002 * value, said.decimals):
            message = f"{found['value']} is said of {found['name'].strip()}; its run says {nearest.metric} {value:g}"
            remarks.append(Remark(line.number, message))
    return remarks
