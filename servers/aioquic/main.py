"""
A static file server over HTTP/3 (aioquic) and HTTPS/1.1 (asyncio). Argument: the configuration file that server.ts writes.
"""

import asyncio
import contextlib
import json
import os
import re
import ssl
import sys
from urllib.parse import unquote

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic import connection as quic_connection
from aioquic.quic.congestion import base as congestion
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import ProtocolNegotiated
from aioquic.tls import SessionTicket

patience_seconds = 2

with open(sys.argv[1], encoding="utf-8") as file:
    options = json.load(file)
ports = options["ports"]
root = os.path.realpath(options["root"])
congestion.K_INITIAL_WINDOW = options.get("quicWindow", congestion.K_INITIAL_WINDOW)
if not options["tls"].get("earlyData"):
    quic_connection.MAX_EARLY_DATA = None  # by default, aioquic's session tickets always permit early data


def file_of(path: str) -> str:
    """The file that a URL's path requests. For a folder of an imported page, it is the start file."""
    name = path.split("?")[0]
    return name + options["startFile"] if options["imported"] and name.endswith("/") else name


def read(name: str) -> bytes | None:
    """The content of the file with an escaped name; None if it does not exist, is outside the root, or is behind a symbolic link."""
    try:
        wanted = os.path.join(root, unquote(name, errors="strict").lstrip("/"))
        if not wanted.startswith(f"{root}/") or os.path.realpath(wanted) != wanted:
            return None
        with open(wanted, "rb") as file:
            return file.read()
    except (OSError, ValueError):  # a folder, an invalid name, escapes that are not UTF-8
        return None


def answer(method: str, path: str, accepted: str) -> tuple[dict[str, str], bytes]:
    """Headers and body. `accepted` is the request's accept-encoding."""
    name = file_of(path)
    body = read(name) if method == "GET" else None
    compressed = None
    if body is not None and options["imported"] and options.get("compression", "none") in accepted:
        compressed = read(name + options["copyEnding"])
    if compressed is not None:
        body = compressed
    ending = name.rpartition(".")[2].lower()
    headers = {
        ":status": "404" if body is None else "200",
        "server": "aioquic",
        "content-length": str(len(body or b"")),
    }
    if body is not None:
        headers["content-type"] = options["mediaTypes"].get(ending, options["otherType"])
    if compressed is not None:
        headers |= {"content-encoding": options["compression"], "vary": "accept-encoding"}
    if options["imported"]:
        headers[options["importedHeader"]["name"].lower()] = options["importedHeader"]["value"]
    return headers, body or b""


default_urgency = 3


def priority_of(field: str) -> tuple[int, bool]:
    """Urgency, and whether the client can use parts of the response (incremental), from the request's priority header (RFC 9218)."""
    urgency = re.search(r"(?:^|[,\s])u=([0-7])", field)
    return int(urgency[1]) if urgency else default_urgency, re.search(r"(?:^|[,\s])i(?:=\?1)?(?:$|[,;\s])", field) is not None


class UrgentFirst:
    """
    Makes aioquic send the streams of a connection in this order: HTTP/3's own streams, then responses by urgency. Of the same urgency,
    responses that are not incremental are sent first, one after another. Incremental ones take turns, as all streams do in aioquic by
    default. Later PRIORITY_UPDATE frames are ignored.
    """

    def __get__(self, quic: QuicConnection, _):
        known = getattr(quic, "priorities", {})  # the warming client has none

        def place(stream):
            if stream.stream_id not in known:
                return (-1, False, 0)
            urgency, in_parts = known[stream.stream_id]
            return (urgency, in_parts, 0 if in_parts else stream.stream_id)

        quic.streams_in_order.sort(key=place)
        return quic.streams_in_order

    def __set__(self, quic: QuicConnection, streams):
        quic.streams_in_order = streams


if options.get("priorities") == "honoured":
    QuicConnection._streams_queue = UrgentFirst()


class Connection(QuicConnectionProtocol):
    """
    A client's connection; responds to each request when its headers have arrived. Alt-Svc (RFC 7838) is needed: a browser that is
    forced to use QUIC requests only six objects at a time, as over HTTP/1.1, until a response has announced HTTP/3.
    """

    http: H3Connection

    def __init__(self, quic: QuicConnection, *args, **named):
        super().__init__(quic, *args, **named)
        quic.priorities = {}

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = H3Connection(self._quic)
            # Nothing has been acknowledged yet, so this is the initial window.
            print(f"connection begins: window {self._quic._loss.congestion_window} bytes", file=sys.stderr, flush=True)
        if not hasattr(self, "http"):
            return
        for received in self.http.handle_event(event):
            if isinstance(received, HeadersReceived):
                self.answer(received)

    def answer(self, request: HeadersReceived):
        fields = dict(request.headers)
        accepted = fields.get(b"accept-encoding", b"").decode("latin-1")
        self._quic.priorities[request.stream_id] = priority_of(fields.get(b"priority", b"").decode("latin-1"))
        headers, body = answer(fields[b":method"].decode(), fields[b":path"].decode("latin-1"), accepted)
        headers["alt-svc"] = f'h3=":{ports["h3"]}"'
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        self.http.send_headers(request.stream_id, encoded, end_stream=not body)
        if body:
            self.http.send_data(request.stream_id, body, end_stream=True)


async def answer_in_order(reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
    """A client's HTTP/1.1 connection: responds to one request after another until it is closed."""
    with contextlib.suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, ValueError):
        while True:
            line, *fields = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = line.split(" ")
            accepted = "".join(field for field in fields if field.lower().startswith("accept-encoding:"))
            headers, body = answer(method, path, accepted)
            status = headers.pop(":status")
            head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            writer.write(f"HTTP/1.1 {status} \r\n{head}\r\n".encode() + body)
            await writer.drain()
            if "connection: close" in map(str.lower, fields):
                break
    writer.close()


def tls() -> ssl.SSLContext:
    """Version and group come from OpenSSL's defaults (OPENSSL_CONF). Session tickets are sent only if `tls` has resumption."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if not options["tls"].get("resumption"):
        context.num_tickets = 0
        context.options |= ssl.OP_NO_TICKET
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(options["certificate"], options["key"])
    return context


class WarmingClient(QuicConnectionProtocol):
    """Sends one request, and waits for the end of the response."""

    async def request(self, path: str):
        http = H3Connection(self._quic)
        stream = self._quic.get_next_available_stream_id()
        self.ended = self._loop.create_future()
        names = {":method": "GET", ":scheme": "https", ":authority": "localhost", ":path": path}
        http.send_headers(stream, [(name.encode(), value.encode()) for name, value in names.items()], end_stream=True)
        self.transmit()
        await self.ended

    def quic_event_received(self, event):
        if getattr(event, "end_stream", False) and not self.ended.done():
            self.ended.set_result(None)


async def warm(configuration: QuicConfiguration):
    """Sends a request on another port before listening, so that the first load does not include work that software does only once."""
    here = ("127.0.0.1", options["warmingPort"])
    server = await serve(*here, configuration=configuration, create_protocol=Connection)
    trusting = QuicConfiguration(alpn_protocols=H3_ALPN, server_name="localhost", verify_mode=ssl.CERT_NONE)
    transport, client = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: WarmingClient(QuicConnection(configuration=trusting)), local_addr=("127.0.0.1", 0)
    )
    client.connect(here)
    await client.wait_connected()
    await asyncio.wait_for(client.request(options["warmingPath"]), patience_seconds)
    client.close()
    transport.close()
    server.close()


class Tickets:
    """The session tickets that clients have not used yet."""

    def __init__(self):
        self.issued: dict[bytes, SessionTicket] = {}

    def add(self, ticket: SessionTicket):
        self.issued[ticket.ticket] = ticket

    def take(self, label: bytes) -> SessionTicket | None:
        return self.issued.pop(label, None)


def resumption() -> dict:
    """Options for QUIC: session tickets, if `tls` has resumption."""
    tickets = Tickets()
    named = {"session_ticket_fetcher": tickets.take, "session_ticket_handler": tickets.add}
    return named if options["tls"].get("resumption") else {}


async def main():
    """Serves HTTP/3 without Retry, and HTTPS/1.1. The idle time-out is longer than any load."""
    configuration = QuicConfiguration(is_client=False, alpn_protocols=H3_ALPN, idle_timeout=600)
    configuration.load_cert_chain(options["certificate"], options["key"])
    await warm(configuration)
    await serve("0.0.0.0", ports["h3"], configuration=configuration, create_protocol=Connection, **resumption())
    server = await asyncio.start_server(answer_in_order, "0.0.0.0", ports["h1"], ssl=tls())
    await server.serve_forever()


asyncio.run(main())
