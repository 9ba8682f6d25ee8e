"""Patches are brought from the listed hosts alone, under public addresses, within limits: asked of a real server here."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from app.patches import fetch
from app.patches.fetch import Fetcher, NotFetched, is_public, locator_url

HOSTS = ("lore.kernel.org", "patchwork.kernel.org")
MBOX = b"From a@b Mon Sep 17 00:00:00 2001\nFrom: a@b.example\nSubject: [PATCH] x\n\n"


class Archive(BaseHTTPRequestHandler):
    """Answers as each path says and remembers what was asked."""

    asked: list[tuple[str, str]]

    def do_GET(self) -> None:
        self.asked.append((self.headers["Host"], self.path))
        name = self.path.split("/")[2]
        if name.startswith("to="):
            self.send_response(302)
            self.send_header("Location", name.removeprefix("to=").replace("~", "/"))
            self.end_headers()
            return
        if name.startswith("slow"):
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x")
                    time.sleep(0.05)
            except OSError:
                return
        status = int(name[:3]) if name in ("404@x", "500@x") else 200
        content = {"bomb@x": gzip.compress(b"\0" * 5_000_000), "large@x": b"x" * 300_000, "bad@x": b"\x1f\x8bzz"}.get(
            name, gzip.compress(MBOX) if self.path.endswith(".gz") else MBOX
        )
        self.send_response(status)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def archive() -> Iterator[ThreadingHTTPServer]:
    Archive.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Archive)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def here(server: ThreadingHTTPServer, **changed: Any) -> Fetcher:
    """A fetcher for which every name leads to the local server, and the local address is allowed."""
    options: dict[str, Any] = {
        "hosts": HOSTS,
        "limit_bytes": 200_000,
        "resolve": lambda host, port: ["127.0.0.1"],
        "permits": lambda address: address == "127.0.0.1",
        "scheme": "http",
        "port": server.server_port,
        **changed,
    }
    return Fetcher(**options)


def test_a_message_id_becomes_the_thread_on_lore(archive: ThreadingHTTPServer) -> None:
    came = here(archive).fetch("<20240305.2@erling.example>")
    assert came.content == MBOX
    assert came.url == "https://lore.kernel.org/all/20240305.2@erling.example/t.mbox.gz"
    assert Archive.asked == [("lore.kernel.org", "/all/20240305.2@erling.example/t.mbox.gz")]


@pytest.mark.parametrize(
    ("locator", "url"),
    [
        ("https://lore.kernel.org/linux-ext4/1@x/", "https://lore.kernel.org/linux-ext4/1@x/t.mbox.gz"),
        ("https://lore.kernel.org/linux-ext4/1@x/T/#u", "https://lore.kernel.org/linux-ext4/1@x/t.mbox.gz"),
        ("https://lore.kernel.org/r/1%40x/raw", "https://lore.kernel.org/r/1%40x/raw"),
        (
            "https://patchwork.kernel.org/project/fs/patch/1@x/",
            "https://patchwork.kernel.org/project/fs/patch/1@x/mbox/",
        ),
        ("https://patchwork.kernel.org/project/fs/list/?series=77", "https://patchwork.kernel.org/series/77/mbox/"),
        ("https://patchwork.kernel.org/series/77/mbox/", "https://patchwork.kernel.org/series/77/mbox/"),
        (" 1@x \n", "https://lore.kernel.org/all/1@x/t.mbox.gz"),
    ],
)
def test_addresses_of_pages_become_those_of_mboxes(locator: str, url: str) -> None:
    assert locator_url(locator, HOSTS) == url


@pytest.mark.parametrize(
    "locator",
    [
        "http://lore.kernel.org/all/1@x/",
        "https://lore.kernel.org.evil.example/all/1@x/",
        "https://evil.example/lore.kernel.org/all/1@x/",
        "https://lore.kernel.org@evil.example/all/1@x/",
        "https://lore.kernel.org:8443/all/1@x/",
        "https://127.0.0.1/all/1@x/",
        "https://[::1]/all/1@x/",
        "https://lore.kernel.org/all/",
        "https://patchwork.kernel.org/api/patches/1/",
        "file:///etc/passwd",
        "https://[broken",
        "x" * 2000,
        "",
    ],
)
def test_other_addresses_are_refused_before_anything_is_asked(locator: str, archive: ThreadingHTTPServer) -> None:
    with pytest.raises(NotFetched):
        here(archive).fetch(locator)
    assert Archive.asked == []


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
        ),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
        *("64:ff9b::a00:1", "2002:a00:1::", "2002:7f00:1::1", "no address"),
    ],
)
def test_addresses_that_are_not_public_are_never_connected_to(address: str, archive: ThreadingHTTPServer) -> None:
    assert not is_public(address)
    with pytest.raises(NotFetched, match="not public"):
        here(archive, permits=is_public, resolve=lambda host, port: [address]).fetch("1@x")
    assert Archive.asked == []


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700::1111", "64:ff9b::101:101"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


def test_one_private_address_among_several_is_enough_to_refuse(archive: ThreadingHTTPServer) -> None:
    with pytest.raises(NotFetched, match="not public"):
        here(archive, permits=is_public, resolve=lambda host, port: ["1.1.1.1", "10.0.0.1"]).fetch("1@x")


def test_the_address_that_was_checked_is_the_one_that_is_connected_to(
    archive: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that answers otherwise the second time has no second time: the system resolves no name at all."""
    asked: list[str] = []
    checked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    def permits(address: str) -> bool:
        checked.append(address)
        return address == "127.0.0.1"

    resolved: list[Any] = []
    original = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest, **more: resolved.append(host) or original(host, *rest, **more)
    )
    assert here(archive, resolve=resolve, permits=permits).fetch("1@x").content == MBOX
    assert (asked, checked) == (["lore.kernel.org"], ["127.0.0.1"])
    assert set(resolved) <= {"127.0.0.1"}


def test_a_redirect_within_the_listed_hosts_is_followed(archive: ThreadingHTTPServer) -> None:
    came = here(archive).fetch("https://lore.kernel.org/all/to=~r~1@x~raw/raw")
    assert came.url == "https://lore.kernel.org/r/1@x/raw"


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("https:~~evil.example~1@x", "alone"),
        ("http:~~lore.kernel.org~1@x", "https"),
        ("https:~~127.0.0.1~1@x", "alone"),
        ("", "leads nowhere"),
    ],
)
def test_a_redirect_elsewhere_is_refused(target: str, words: str, archive: ThreadingHTTPServer) -> None:
    with pytest.raises(NotFetched, match=words):
        here(archive)._followed("https://lore.kernel.org/all/1@x/raw", target.replace("~", "/"))
    with pytest.raises(NotFetched):
        here(archive).fetch(f"https://lore.kernel.org/all/to={target}@/raw")
    assert {host for host, _ in Archive.asked} <= {"lore.kernel.org"}


def test_redirects_end(archive: ThreadingHTTPServer) -> None:
    with pytest.raises(NotFetched, match="redirects"):
        here(archive).fetch("https://lore.kernel.org/all/to=@/raw")
    assert len(Archive.asked) == fetch.REDIRECTS_MAX + 1


@pytest.mark.parametrize(
    ("mail", "words"),
    [
        ("bomb@x", "larger than"),
        ("large@x", "larger than"),
        ("bad@x", "cannot be read"),
        ("404@x", "status 404"),
        ("500@x", "500"),
    ],
)
def test_what_cannot_be_used_is_said(mail: str, words: str, archive: ThreadingHTTPServer) -> None:
    with pytest.raises(NotFetched, match=words):
        here(archive).fetch(mail)


def test_a_server_that_drips_is_left_after_a_while(
    archive: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "TOTAL_S", 0.3)
    began = time.monotonic()
    with pytest.raises(NotFetched, match="did not finish"):
        here(archive).fetch("slow@x")
    assert time.monotonic() - began < 5


def test_a_host_that_is_not_there_is_said(archive: ThreadingHTTPServer) -> None:
    with pytest.raises(NotFetched, match="not known here"):
        here(archive, resolve=lambda host, port: []).fetch("1@x")


def test_a_server_without_hosts_fetches_nothing() -> None:
    with pytest.raises(NotFetched, match="LODESTONE_PATCH_HOSTS"):
        Fetcher((), 1000).fetch("1@x")
