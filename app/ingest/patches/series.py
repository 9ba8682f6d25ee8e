"""Puts patches in their order: positions, versions, holes, and what each reply adds."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.patch import Patch, Series
from app.ingest.patches.interpret import Reply, follow_ups
from app.ingest.patches.remarks import Remarks

POSITIONS_MAX = 2000
"""Of one series: a `1/9999` is damage."""


def assemble(
    found: Sequence[Patch], aside: Sequence[Patch], replies: Sequence[Reply], remarks: Remarks
) -> tuple[Series, tuple[Patch, ...]]:
    """Return the series and its patches, by position and then by version.

    The newest version counts. Positions that it leaves out are filled from the version before, as b4 does it for a
    partial reroll, with a warning. What somebody proposes in a reply (`aside`) is listed last and is not applied.
    """
    patches = _placed(_distinct(found, remarks), remarks)
    if not patches:
        patches, aside = _placed(_distinct(aside, remarks), remarks), ()
    patches = _answered(patches, replies, remarks)
    for patch in aside:
        remarks.add(patch.line, "a patch in a reply; it is listed, and is not part of the series")
    patches.sort(key=lambda patch: (patch.position is None, patch.position or 0, patch.version))
    if not patches:
        return Series(), ()
    versions = tuple(sorted({patch.version for patch in patches}))
    newest = versions[-1]
    of_newest = [patch for patch in patches if patch.version == newest]
    total = _total(of_newest, remarks)
    if len(versions) > 1:
        listed = ", ".join(f"v{version}" for version in versions)
        remarks.add(of_newest[0].line, f"several versions are mixed here: {listed}; version {newest} is the series")
    order, missing = _order(patches, versions, total, remarks)
    cover = next((patch for patch in of_newest if patch.is_cover), None)
    first = cover or of_newest[0]
    every = [first, *of_newest]
    return (
        Series(
            version=newest,
            total=total,
            prefixes=first.prefixes,
            subject=first.subject,
            author=first.author,
            versions=versions,
            missing=missing,
            order=order,
            base_commit=next((patch.base_commit for patch in every if patch.base_commit), None),
            change_id=next((patch.change_id for patch in every if patch.change_id), None),
            prerequisites=next((patch.prerequisites for patch in every if patch.prerequisites), ()),
        ),
        (*patches, *(patch.model_copy(update={"position": None, "total": None}) for patch in aside)),
    )


def _distinct(found: Sequence[Patch], remarks: Remarks) -> list[Patch]:
    """A list's copy and one's own copy of a mail are one mail."""
    kept: list[Patch] = []
    seen: set[str] = set()
    for patch in found:
        if patch.message_id is not None and patch.message_id in seen:
            remarks.add(patch.line, "the same mail once more (its Message-ID came before); left out")
            continue
        if patch.message_id is not None:
            seen.add(patch.message_id)
        kept.append(patch)
    return kept


def _placed(patches: list[Patch], remarks: Remarks) -> list[Patch]:
    """Give places to patches whose subject has none, each version by itself."""
    placed: list[Patch] = []
    for version in dict.fromkeys(patch.version for patch in patches):
        placed += _placed_in_version([patch for patch in patches if patch.version == version], remarks)
    return placed


def _placed_in_version(patches: list[Patch], remarks: Remarks) -> list[Patch]:
    """A single patch is 1 of 1; several stand in the file's order, unless others are numbered."""
    unplaced = [patch for patch in patches if patch.position is None]
    covers = [patch for patch in patches if patch.is_cover]
    if not unplaced:
        return patches
    if len(unplaced) + len(covers) < len(patches):
        for patch in unplaced:
            remarks.add(patch.line, "this patch has no position among the numbered ones; it is not part of the series")
        return patches
    if len({patch.subject for patch in unplaced}) == 1:  # sent again, or all over
        places = [1] * len(unplaced)
    else:
        places = list(range(1, len(unplaced) + 1))
        message = f"{len(unplaced)} patches without positions; they are taken in the file's order"
        remarks.add(unplaced[1].line, message)
    total = covers[0].total if covers and covers[0].total else places[-1]
    given = [
        patch.model_copy(update={"position": place, "total": patch.total or total})
        for patch, place in zip(unplaced, places, strict=True)
    ]
    return covers + given


def _answered(patches: list[Patch], replies: Sequence[Reply], remarks: Remarks) -> list[Patch]:
    places = {patch.message_id: index for index, patch in enumerate(patches) if patch.message_id}
    for reply in replies:
        if not reply.trailers:
            continue
        index = next((places[answered] for answered in reversed(reply.answers) if answered in places), None)
        if index is None and len(patches) == 1 and not reply.answers:
            index = 0
        if index is None:
            remarks.add(reply.trailers[0][2], "a reply gives this trailer to a mail that is not here")
            continue
        patch = patches[index]
        patches[index] = patch.model_copy(update={"follow_ups": patch.follow_ups + follow_ups(reply)})
    return patches


def _total(patches: Sequence[Patch], remarks: Remarks) -> int | None:
    totals = [patch.total for patch in patches if patch.total is not None]
    if len(set(totals)) > 1:
        listed = ", ".join(str(total) for total in sorted(set(totals)))
        remarks.add(patches[0].line, f"the mails do not agree on how many patches there are: {listed}")
    return max(totals, default=None)


def _order(
    patches: Sequence[Patch], versions: Sequence[int], total: int | None, remarks: Remarks
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the indexes of the patches to apply, and the positions nobody fills."""
    places: dict[int, int] = {}
    for version in reversed(versions):
        for index, patch in enumerate(patches):
            position = patch.position
            if patch.version != version or not position or not patch.files:
                continue
            if position not in places:
                places[position] = index
                if version != versions[-1] and (total is None or position <= total):
                    message = f"version {versions[-1]} has no patch {position} here; that of version {version} is taken"
                    remarks.add(patch.line, message)
            elif patches[places[position]].version == version:
                remarks.add(patch.line, f"two patches say that they are number {position} of version {version}")
                places[position] = index
    last = min(total or max(places, default=0), POSITIONS_MAX)
    missing = tuple(position for position in range(1, last + 1) if position not in places)
    if missing:
        line = min(patch.line for patch in patches)
        remarks.add(line, f"of {last} patches, {_ranges(missing)} {'is' if len(missing) == 1 else 'are'} not here")
    return tuple(places[position] for position in sorted(places) if position <= last), missing


def _ranges(numbers: Sequence[int]) -> str:
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] + 1 == number:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in parts[:20])
