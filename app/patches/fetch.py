"""Brings a patch from lore.kernel.org or patchwork: the only place where the server asks something of another host.

Only hosts on the list are asked, over HTTPS, and only under public addresses: the address that a name resolves to is
checked, and that very address is connected to, so a name that changes its mind in between leads nowhere.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

import httpcore2

from app.errors import Unprocessable
from app.ingest.patches.packed import Unpackable, unpacked

REDIRECTS_MAX = 3
CONNECT_TIMEOUT_S, READ_TIMEOUT_S, TOTAL_S = 5.0, 10.0, 30.0
"""A thread of five hundred mails takes lore some seconds."""

ADDRESSES_MAX = 4
"""Of one name, tried one after the other."""

LOCATOR_MAX_CHARS = 1000

_MESSAGE_ID = re.compile(r"<?(?P<id>[^\s<>@/?#]{1,300}@[^\s<>@/?#]{1,300})>?$")
_LORE = re.compile(
    r"/(?P<list>[A-Za-z0-9_.+-]{1,100})/(?P<id>[^/?#\s]{1,600})(?:/(?P<rest>raw|t\.mbox\.gz|T/?|t/?)?)?$"
)
_PATCHWORK = re.compile(
    r"(?P<page>/project/[\w.-]{1,100}/(?:patch|cover)/[^/?#\s]{1,600}|/(?:patch|series|cover)/\d{1,12})(?:/(?:mbox/?)?)?$"
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Resolve = Callable[[str, int], Iterable[str]]
Permits = Callable[[str], bool]


class NotFetched(Unprocessable):
    """A patch that could not be brought from elsewhere; the message says why."""

    code = "not_fetched"


class Fetched(NamedTuple):
    """What came, and from where."""

    content: bytes
    url: str


def locator_url(locator: str, hosts: tuple[str, ...]) -> str:
    """Return the address of the mbox that a message id, or a page's address, stands for. Raises NotFetched."""
    locator = locator.strip()
    if len(locator) > LOCATOR_MAX_CHARS:
        raise NotFetched("this address is too long")
    if not hosts:
        raise NotFetched("this server brings nothing from other hosts (LODESTONE_PATCH_HOSTS); paste the mbox instead")
    if found := _MESSAGE_ID.match(locator.removeprefix("msgid:").removeprefix("id:")):
        host = next((host for host in hosts if host.startswith("lore.")), None)
        if host is None:
            raise NotFetched(
                "this server knows no archive that finds mails by their Message-ID; paste the mbox instead"
            )
        return f"https://{host}/all/{quote(found['id'], safe='@')}/t.mbox.gz"
    parts = _allowed(locator, hosts)
    path = parts.path
    if parts.hostname is not None and parts.hostname.startswith("lore."):
        found = _LORE.match(path)
        if found is None or "@" not in unquote(found["id"]):
            raise NotFetched("that is no mail's address on lore: https://lore.kernel.org/LIST/MESSAGE-ID/")
        ending = "raw" if found["rest"] == "raw" else "t.mbox.gz"
        return f"https://{parts.hostname}/{found['list']}/{found['id']}/{ending}"
    series = re.search(r"(?:^|&)series=(\d{1,12})(?:&|$)", parts.query)
    if series is not None and path.endswith("/list/"):
        return f"https://{parts.hostname}/series/{series[1]}/mbox/"
    found = _PATCHWORK.match(path)
    if found is None:
        raise NotFetched(
            "that is no patch's or series' address on patchwork: /project/NAME/patch/MESSAGE-ID/ or /series/N/"
        )
    return f"https://{parts.hostname}{found['page']}/mbox/"


def _allowed(url: str, hosts: tuple[str, ...]) -> Any:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NotFetched("that is no address") from None
    if parts.scheme != "https" or parts.username is not None or port not in (None, 443):
        raise NotFetched("a plain https:// address is needed, or a Message-ID")
    if parts.hostname not in hosts:
        raise NotFetched(f"patches are brought from {', '.join(hosts)} alone; paste the mbox instead")
    return parts


def is_public(address: str) -> bool:
    """Whether an address is one of the open internet, also behind the notations that hide another one."""
    try:
        ip: Any = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if ip.version == 6:
        if ip in _NAT64:
            ip = ipaddress.ip_address(int(ip) & 0xFFFF_FFFF)
        else:
            ip = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None) or ip
    return bool(ip.is_global and not ip.is_multicast and not ip.is_reserved)


def resolved(host: str, port: int) -> list[str]:
    """Return the addresses of a name, as the system resolves it."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class _CheckedBackend(httpcore2.SyncBackend):
    """Connects to a name's address only after that address has been checked."""

    def __init__(self, resolve: Resolve, permits: Permits) -> None:
        self._resolve, self._permits = resolve, permits

    def connect_tcp(self, host: str, port: int, *arguments: Any, **options: Any) -> httpcore2.NetworkStream:
        addresses = list(self._resolve(host, port))[:ADDRESSES_MAX]
        if not addresses:
            raise NotFetched(f"{host} is not known here: this server may have no way to the internet")
        if not all(map(self._permits, addresses)):
            raise NotFetched(f"{host} leads to an address that is not public; nothing is asked of it")
        for address in addresses[:-1]:
            try:
                return super().connect_tcp(address, port, *arguments, **options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return super().connect_tcp(addresses[-1], port, *arguments, **options)


@dataclass(frozen=True)
class Fetcher:
    """Asks allow-listed hosts; the last four fields are what tests replace to ask a server of their own."""

    hosts: tuple[str, ...]
    limit_bytes: int
    resolve: Resolve = resolved
    permits: Permits = is_public
    scheme: str = "https"
    port: int = 443

    def fetch(self, locator: str) -> Fetched:
        """Return the mbox that a message id or an address stands for. Raises NotFetched saying why not."""
        url = locator_url(locator, self.hosts)
        deadline = time.monotonic() + TOTAL_S
        with httpcore2.ConnectionPool(network_backend=_CheckedBackend(self.resolve, self.permits)) as pool:
            for _ in range(REDIRECTS_MAX + 1):
                try:
                    status, headers, body = self._ask(pool, url, deadline)
                except httpcore2.TimeoutException:
                    raise NotFetched(f"{urlsplit(url).hostname} did not answer in time") from None
                except (httpcore2.NetworkError, httpcore2.ProtocolError, OSError) as error:
                    raise NotFetched(f"{urlsplit(url).hostname} cannot be reached: {error}") from None
                if status in (301, 302, 303, 307, 308):
                    url = self._followed(url, headers.get("location", ""))
                    continue
                if status != 200:
                    raise NotFetched(f"{urlsplit(url).hostname} answered with status {status}: is the address right?")
                try:
                    return Fetched(unpacked(body, self.limit_bytes), url)
                except Unpackable as error:
                    raise NotFetched(f"what came cannot be read: {error}") from None
        raise NotFetched(f"more than {REDIRECTS_MAX} redirects")

    def _ask(self, pool: httpcore2.ConnectionPool, url: str, deadline: float) -> tuple[int, dict[str, str], bytes]:
        parts = urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        address = httpcore2.URL(
            scheme=self.scheme.encode(), host=str(parts.hostname).encode(), port=self.port, target=target.encode()
        )
        sent = [("Host", str(parts.hostname)), ("User-Agent", "lodestone"), ("Accept-Encoding", "identity")]
        timeouts = {"connect": CONNECT_TIMEOUT_S, "read": READ_TIMEOUT_S, "write": READ_TIMEOUT_S, "pool": 1.0}
        with pool.stream("GET", address, headers=sent, extensions={"timeout": timeouts}) as response:
            headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
            body = bytearray()
            for piece in response.iter_stream() if response.status == 200 else ():
                body += piece
                if len(body) > self.limit_bytes:
                    raise NotFetched(f"what came is larger than {self.limit_bytes} bytes")
                if time.monotonic() > deadline:
                    raise NotFetched(f"{parts.hostname} did not finish within {TOTAL_S:.0f} seconds")
            return response.status, headers, bytes(body)

    def _followed(self, url: str, location: str) -> str:
        if not location or len(location) > 2 * LOCATOR_MAX_CHARS:
            raise NotFetched("a redirect that leads nowhere")
        following = urljoin(url, location)
        _allowed(following, self.hosts)
        return following
