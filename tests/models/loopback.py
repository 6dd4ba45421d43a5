"""A model server on 127.0.0.1 that answers what it is told, in order, and remembers what it was asked."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Say:
    """An HTTP answer. body: sent as it is when bytes, else as JSON."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"


@dataclass(frozen=True)
class Wait:
    """Nothing, for so many seconds."""

    seconds: float


class Reset:
    """The connection is reset instead of an answer."""


class Half:
    """An answer that ends in the middle."""


@dataclass(frozen=True)
class Asked:
    path: str
    headers: Mapping[str, str]
    body: Any


class Loopback:
    """The server. The last answer is repeated when there are no more."""

    def __init__(self) -> None:
        self.answers: list[object] = []
        self.asked: list[Asked] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def next(self) -> object:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: object) -> None:
                pass

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                loopback.asked.append(Asked(self.path, headers, json.loads(raw)))
                answer = loopback.next()
                if isinstance(answer, Say):
                    self.say(answer)
                    return
                self.close_connection = True
                if isinstance(answer, Wait):
                    time.sleep(answer.seconds)
                elif isinstance(answer, Reset):
                    linger = struct.pack("ii", 1, 0)
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.connection.close()
                else:
                    self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")

            def say(self, answer: Say) -> None:
                data = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, value in {"Content-Type": answer.kind, **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        return Handler
