"""A series is kept once, whatever is in its text, on both databases."""

from __future__ import annotations

from app.db.engine import Database
from app.db.tables import DEFAULT_PROJECT, LOCAL_USER
from app.patches import service
from app.web.context import Principal
from tests.app.patches.test_api import mbox

BY = Principal(LOCAL_USER, DEFAULT_PROJECT)


def keep(database: Database, content: bytes) -> str:
    shown, _ = service.read(content)
    with database.write() as session:
        return service.detail(service.keep(session, BY, content, shown)).id


def test_the_same_text_is_kept_once(database: Database) -> None:
    assert keep(database, mbox(1)) == keep(database, mbox(1)) != keep(database, mbox(2))
    with database.read() as session:
        assert len(service.listed(session, BY, limit=10, cursor=None, words=None).items) == 2


def test_what_no_column_can_hold_is_kept_too(database: Database) -> None:
    odd = mbox(1).replace(b"Random", b"\x00\xff\xed\xa0\x80").replace(b"Maud Erling <", b"Maud\x00 \xff <", 1)
    made = keep(database, odd)
    with database.read() as session:
        found = service.detail(service.found(session, BY, made))
    assert found.patches[0].message.startswith("This makes")
    assert found.patches[0].author is not None


def test_pages_follow_each_other_without_gaps(database: Database) -> None:
    ids = [keep(database, mbox(version)) for version in range(1, 6)]
    seen: list[str] = []
    cursor: str | None = None
    while True:
        with database.read() as session:
            page = service.listed(session, BY, limit=2, cursor=cursor, words=None)
        seen += [item.id for item in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert seen == ids[::-1]
