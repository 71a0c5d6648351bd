"""A client of `resilin view` for tests: the command as a process, HTTP and WebSockets by hand over plain sockets."""
import base64
import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
from pathlib import Path

TIMEOUT = 60  # of a socket [s]: a safety net, nothing is measured


class Viewer:
    """The command on a free port with a stand-in for the page. `with Viewer("scene", "--paused") as viewer:`"""

    def __init__(self, *arguments, env=None):
        self.folder = tempfile.TemporaryDirectory()
        for name in ("index.html", "page.js", "page.css"):
            Path(self.folder.name, name).write_text(f"/* {name} */")
        command = [os.environ["RESILIN"], "view", *arguments, "--json", "--no-open", "--port", "0", "--page", self.folder.name]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **(env or {})})
        text = ""
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("no document: " + text + self.process.stderr.read())
            text += line
            try:
                document = json.loads(text)
                break
            except json.JSONDecodeError:
                continue
        self.port, self.token, self.url = document["port"], document["token"], document["url"]
        self.host = f"127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ctrl-C; the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=TIMEOUT)
        finally:
            self.process.kill()
            self.process.stdout.close()
            self.process.stderr.close()
            self.folder.cleanup()
        return self.process.returncode

    def raw(self, data, read=True):
        """Sends bytes, returns all that comes back."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT) as s:
            s.sendall(data)
            out = b""
            while read:
                try:
                    more = s.recv(65536)
                except ConnectionResetError:
                    break
                if not more:
                    break
                out += more
            return out

    def request(self, target, method="GET", headers=(), body=b"", host=None):
        """(status, headers, body) of one request; `headers`: list of lines."""
        lines = [f"{method} {target} HTTP/1.1", *([f"Host: {host or self.host}"] if host != "" else []), *headers]
        if body or method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        return parse_response(self.raw("\r\n".join(lines).encode() + b"\r\n\r\n" + body))

    def socket(self, token=True, **more):
        return WebSocket(self, token=token, **more)


def parse_response(data):
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin1").split("\r\n")
    status = int(lines[0].split()[1]) if lines[0] else 0
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return status, headers, body


class Closed(Exception):
    """The server has closed the socket, with this code."""

    def __init__(self, code):
        super().__init__(f"closed with {code}")
        self.code = code


class WebSocket:
    def __init__(self, viewer, token=True, host=None, origin=None, headers=()):
        self.s = socket.create_connection(("127.0.0.1", viewer.port), timeout=TIMEOUT)
        query = f"?token={viewer.token if token is True else token}" if token else ""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET /ws{query} HTTP/1.1", f"Host: {host or viewer.host}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        if origin != "":
            lines.append(f"Origin: {origin or 'http://' + viewer.host}")
        self.s.sendall("\r\n".join([*lines, *headers]).encode() + b"\r\n\r\n")
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            more = self.s.recv(65536)
            if not more:
                break
            self.buffer += more
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head else 0
        self.next_id = 0
        self.replies = {}
        self.frames = []  # headers of frames that were read
        self.hello = self.scene = self.status_text = self.mesh = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.s.close()

    def take(self, count):
        while len(self.buffer) < count:
            more = self.s.recv(1 << 20)
            if not more:
                raise Closed(None)
            self.buffer += more
        out, self.buffer = self.buffer[:count], self.buffer[count:]
        return out

    def receive(self):
        """One message: ("text", object) or ("binary", bytes)."""
        data = b""
        kind = None
        while True:
            first, second = self.take(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(size)
            code = first & 15
            if code == 8:
                raise Closed(struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else None)
            if code == 9:
                self.send_frame(10, payload)
                continue
            if code == 10:
                continue
            kind = kind or code
            data += payload
            if first & 128:
                return ("text", json.loads(data.decode("utf-8"))) if kind == 1 else ("binary", data)

    def send_frame(self, code, payload, final=True):
        mask = os.urandom(4)
        head = bytes([(128 if final else 0) | code])
        if len(payload) < 126:
            head += bytes([128 | len(payload)])
        elif len(payload) < 65536:
            head += bytes([128 | 126]) + struct.pack(">H", len(payload))
        else:
            head += bytes([128 | 127]) + struct.pack(">Q", len(payload))
        long_mask = (mask * (len(payload) // 4 + 1))[: len(payload)]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(long_mask, "big")).to_bytes(len(payload), "big")
        self.s.sendall(head + mask + masked)

    def send_text(self, text):
        self.send_frame(1, text.encode())

    def pump(self):
        """Reads one message and files it."""
        kind, message = self.receive()
        if kind == "binary":
            if message[0] == 1:
                self.mesh = read_mesh(message)
            else:
                self.frames.append(read_frame(message))
        elif message["type"] == "reply":
            self.replies[message["id"]] = message
        elif message["type"] == "hello":
            self.hello = message
        elif message["type"] == "scene":
            self.scene = message
        elif message["type"] == "status":
            self.status_text = message
        return kind, message

    def until(self, done):
        """Reads messages until done() is true."""
        while not done():
            self.pump()

    def post(self, type_, **members):
        self.next_id += 1
        self.send_text(json.dumps({"type": type_, "id": self.next_id, **members}))
        return self.next_id

    def ask(self, type_, **members):
        """Sends a message and waits for its reply."""
        number = self.post(type_, **members)
        self.until(lambda: number in self.replies)
        return self.replies.pop(number)

    def ready(self):
        """Waits for the scene and its first frame."""
        self.until(lambda: self.scene and self.mesh and self.frames and self.status_text)
        return self

    def step(self, frames):
        """Steps and waits until the status says so; the status."""
        first = self.status_text["step"]
        self.ask("step", frames=frames)
        self.until(lambda: self.status_text["step"] >= first + frames and not self.status_text["playing"])
        return self.status_text


def read_mesh(data):
    kind, _, weights, _, serial, n, m, e, _ = struct.unpack_from("<BBBBIIIII", data)
    at = 32
    def take(count, code="I"):
        nonlocal at
        out = struct.unpack_from(f"<{count}{code}", data, at)
        at += 4 * count
        return out
    mesh = {"serial": serial, "vertices": take(n), "triangles": take(3 * m), "edges": take(2 * e), "bodies": take(m)}
    if weights:
        mesh["corners"], mesh["weights"] = take(4 * n), take(4 * n, "f")
    assert at == len(data), (at, len(data))
    return mesh


def read_frame(data):
    _, view, colours, _, serial, n, edits, step, _ = struct.unpack_from("<BBBBIIIII", data)
    time, = struct.unpack_from("<d", data, 24)
    assert len(data) == 32 + 12 * n + (4 * n if colours else 0)
    return {"view": view, "serial": serial, "edits": edits, "step": step, "time": time,
            "positions": struct.unpack_from(f"<{3 * n}f", data, 32),
            "colours": struct.unpack_from(f"<{n}f", data, 32 + 12 * n) if colours else ()}
