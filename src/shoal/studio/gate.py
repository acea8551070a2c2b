"""Who may ask the studio: only a browser that was opened with a token, and only its own pages.

A page of anybody else must neither read nor change anything, though it may send requests to this
machine. So every request must name this machine as its host and carry the cookie that the token
was changed for, which works once; what changes something must come from a page of ours, by its
origin, and carry the token of that page.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ENTRANCE = "/open"
"""Where the token is changed for the cookie."""

UPLOAD = "/table/upload"
"""Where a table may be sent, which is larger than anything else."""

FORGERY = "x-csrf-token"
"""The header that carries the token of a page."""

MOST_BYTES = 16 * 2**20
"""What any other request may send: hierarchies are the largest."""

MOST_TOKEN = 1024
"""What a form that brings a token may send."""

SAFE = ("GET", "HEAD")

ANOTHER = "Press Enter in the terminal of the studio to get an address that works once."

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'self'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""What every answer says, unless it says otherwise itself."""


@dataclass
class Keys:
    """The secrets of one start of the studio."""

    cookie: str = field(default_factory=secrets.token_urlsafe)
    """What a browser gets for a token."""
    forgery: str = field(default_factory=secrets.token_urlsafe)
    """What pages of ours carry, and pages of others cannot know."""
    _tokens: dict[str, tuple[str, Callable[[], object]]] = field(default_factory=dict, repr=False)

    def issue(self, purpose: str, used: Callable[[], object] = lambda: None) -> str:
        """Make a token that lets a browser in once; an older one of this purpose ends.

        `used`: called when the token is spent.
        """
        token = secrets.token_urlsafe()
        self._tokens[purpose] = token, used
        return token

    def spend(self, sent: str) -> bool:
        """Say whether a text is a token that nobody used yet; from now on it is none."""
        for purpose, (token, used) in list(self._tokens.items()):
            if _same(sent, token):
                del self._tokens[purpose]
                used()
                return True
        return False


class Refused(Exception):
    """A request that is not let in, with its status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Gate:
    """Stands before the application, and lets in what may come in.

    `app`: what answers.
    `keys`: the secrets.
    `port`: where the studio listens: hosts and origins must name it.
    `most_upload`: bytes of a table that may be sent.
    """

    def __init__(self, app: ASGIApp, *, keys: Keys, port: int, most_upload: int) -> None:
        self.app = app
        self.keys = keys
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        self.cookie = f"shoal-studio-{port}"  # ports share their cookies
        self.most_upload = most_upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse to."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # nothing of ours talks otherwise
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        try:
            if headers.get("host") not in self.hosts:  # somebody else made it point here
                raise Refused(403, "The studio was reached under an unknown host name.")
            if scope["path"] == ENTRANCE:
                await self._let_in(scope, headers, receive, send)
                return
            if not self._has_cookie(headers):
                raise Refused(403, f"The studio does not know this browser. {ANOTHER}")
            self._require_own_page(scope, headers)
            limit = self.most_upload if scope["path"] == UPLOAD else MOST_BYTES
            _require_size(headers, limit)
            await self.app(scope, _counted(receive, limit), _with_headers(send))
        except Refused as refused:
            await _answer(send, refused.status, refused.reason)

    def _has_cookie(self, headers: dict[str, str]) -> bool:
        try:
            sent = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            sent = None
        return sent is not None and _same(sent.value, self.keys.cookie)

    def _require_own_page(self, scope: Scope, headers: dict[str, str]) -> None:
        """Let only our own pages change something."""
        site = headers.get("sec-fetch-site", "same-origin")
        if scope["method"] in SAFE:
            if site == "cross-site":
                raise Refused(403, "Another page may not show the studio.")
            return
        if headers.get("origin") != f"http://{headers['host']}" or site != "same-origin":
            raise Refused(403, "Another page may not change anything here.")
        if not _same(headers.get(FORGERY, ""), self.keys.forgery):
            raise Refused(
                403, "This page belongs to an earlier session of the studio. Load it again."
            )

    async def _let_in(
        self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send
    ) -> None:
        """Change a token for a cookie that no script reads and no other page sends."""
        if "prefetch" in headers.get("sec-purpose", headers.get("purpose", "")):
            raise Refused(403, "The studio has not been opened yet.")  # the token is not spent
        sent = b""
        if scope["method"] == "GET":
            sent = scope["query_string"]
        elif scope["method"] == "POST":
            _require_size(headers, MOST_TOKEN)
            sent = await _body(_counted(receive, MOST_TOKEN))
        token = parse_qs(sent.decode("latin-1")).get("token", [""])[0]
        if not self.keys.spend(token) and not self._has_cookie(headers):
            raise Refused(403, f"This address was already used or is incomplete. {ANOTHER}")
        cookie = f"{self.cookie}={self.keys.cookie}; Path=/; HttpOnly; SameSite=Strict"
        # A page that goes on by itself: after a redirect the browser would hold the cookie back
        # if the address was opened from elsewhere.
        page = '<!doctype html><html lang="en"><title>Shoal</title><link rel="icon" href="data:,">'
        page += '<meta http-equiv="refresh" content="0;url=/">'
        await _answer(send, 200, page, kind="text/html", cookie=cookie)


def _same(sent: str, known: str) -> bool:
    """Compare in a time that tells nothing."""
    return secrets.compare_digest(sent.encode(), known.encode())


def _require_size(headers: dict[str, str], limit: int) -> None:
    sent = headers.get("content-length", "0")
    if not sent.isdecimal() or int(sent) > limit:
        raise Refused(413, f"The request is larger than the allowed {limit // 2**20:,} MB.")


def _counted(receive: Receive, limit: int) -> Receive:
    """Count what is really sent, whatever its header says."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            raise Refused(413, f"The request is larger than the allowed {limit // 2**20:,} MB.")
        return message

    return counted


async def _body(receive: Receive) -> bytes:
    """Read all that is sent."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def _with_headers(send: Send) -> Send:
    """Add what every answer says."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = list(message.get("headers", []))
            names = {name.lower() for name, _ in own}
            own += [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in names]
            message = {**message, "headers": own}
        await send(message)

    return sending


async def _answer(
    send: Send, status: int, text: str, *, kind: str = "text/plain", cookie: str | None = None
) -> None:
    """Answer without asking the application."""
    headers = [(b"content-type", f"{kind}; charset=utf-8".encode())]
    if cookie is not None:
        headers.append((b"set-cookie", cookie.encode()))
    sending = _with_headers(send)
    await sending({"type": "http.response.start", "status": status, "headers": headers})
    await sending({"type": "http.response.body", "body": text.encode()})
