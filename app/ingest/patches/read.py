"""Reads whatever holds patches: mbox, mails, pages, `git show`, bare diffs."""

from __future__ import annotations

import re

from app.domain.patch import Patch, PatchSet
from app.ingest.patches.container import split_mails
from app.ingest.patches.interpret import Found, Reply, interpret
from app.ingest.patches.letter import Letter, of_mail
from app.ingest.patches.pages import letters_of
from app.ingest.patches.quoted import quoted_letter
from app.ingest.patches.remarks import Remarks
from app.ingest.patches.series import assemble
from app.ingest.patches.subject import read_subject

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_patches(content: bytes | str) -> PatchSet:
    """Return all patches of a text, in order, with every doubt as a warning at its line; never raises.

    Bytes are read in the charset that each mail names; text is taken as it is.
    """
    text = content.decode("utf-8", "surrogateescape") if isinstance(content, bytes) else _encodable(content)
    remarks = Remarks()
    found: list[Found] = []
    for letter in _letters(text, remarks, is_text=isinstance(content, str)):
        one = interpret(letter, remarks)
        if one.patch is None and (inner := quoted_letter(letter, doubts := Remarks())) is not None:
            quoted = interpret(inner, doubts)
            if quoted.patch is not None:
                found.append(Found(quoted.patch, None, quoted.spans, quoted=doubts))
        found.append(one)
    own = [each.patch for each in found if each.patch is not None and each.quoted is None and not each.in_reply]
    aside = [each.patch for each in found if each.patch is not None and each.in_reply]
    patches = own + _only_quoted(own, found, remarks)
    replies: list[Reply] = [each.reply for each in found if each.reply is not None]
    series, ordered = assemble(patches, aside, replies, remarks)
    spans = tuple(span for each in found for span in each.spans)
    return PatchSet(series=series, patches=ordered, warnings=remarks.listed(), spans=spans)


def _encodable(text: str) -> str:
    """Text from JSON may hold halves of UTF-16 pairs, which nothing can write."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def _letters(text: str, remarks: Remarks, *, is_text: bool) -> list[Letter]:
    letters: list[Letter] = []
    for mail in split_mails(text, remarks, is_text=is_text):
        if mail.headers is None:
            letters += letters_of(mail.lines, remarks)
        else:
            letters.append(of_mail(mail, remarks))
    return letters


def _only_quoted(own: list[Patch], found: list[Found], remarks: Remarks) -> list[Patch]:
    """A quotation counts where nothing else holds that patch."""
    known = {_title(patch) for patch in own} | {patch.message_id for patch in own if patch.message_id}
    kept: list[Patch] = []
    for each in found:
        patch = each.patch
        if patch is None or each.quoted is None or _title(patch) in known or patch.message_id in known:
            continue
        known.add(_title(patch))
        kept.append(patch)
        _carry(each.quoted, remarks)
    return kept


def _title(patch: Patch) -> str | None:
    return read_subject(patch.subject or "").text or None


def _carry(source: Remarks, target: Remarks) -> None:
    for warning in source.listed():
        target.add(warning.line, warning.message)
