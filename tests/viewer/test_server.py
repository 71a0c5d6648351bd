"""resilin view over real sockets: who is refused, what closes a connection and what does not, slow clients, uploads, the end."""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "cli"))
from resilin_command import small_scene  # noqa: E402
from viewer_client import Closed, Viewer, WebSocket  # noqa: E402

CUBE = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""


class Folder:
    """A scene of 60 tets in a folder of its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="resilin_view_")
        self.scene = str(Path(self.folder.name, "bar.json"))
        Path(self.scene).write_text(json.dumps(small_scene(name="bar")))


class ServerTest(unittest.TestCase):
    """One command for all: what is done to one connection must not be felt by the next one."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.viewer = Viewer(cls.folder.scene, "--paused", "--threads", "1")

    @classmethod
    def tearDownClass(cls):
        status = cls.viewer.stop()
        cls.folder.folder.cleanup()
        assert status == 0, status

    def check(self, reply):
        self.assertTrue(reply["ok"], reply)

    def alive(self):
        with self.viewer.socket() as w:
            w.ready()
            w.step(1)

    # ---- who may ask ------------------------------------------------------------------------------------------------

    def test_hostile_hosts_and_origins(self):
        v = self.viewer
        port = v.port
        page = f"http://127.0.0.1:{port}"
        hosts = ["evil.example", f"evil.example:{port}", "127.0.0.1", "localhost", f"127.0.0.1:{port + 1}", f"127.0.0.1.evil.example:{port}",
                 f"localhost.:{port}", f"LOCALHOST:{port}", f"user@127.0.0.1:{port}", f"127.0.0.1:{port}:80", f"0.0.0.0:{port}", f"127.1:{port}"]
        origins = ["null", "http://evil.example", f"https://127.0.0.1:{port}", "http://127.0.0.1", f"http://127.0.0.1:{port + 1}",
                   f"http://127.0.0.1:{port}.evil.example", f"http://127.0.0.1:{port}/", f"HTTP://127.0.0.1:{port}", f"127.0.0.1:{port}",
                   f"http://127.0.0.1:{port}, http://evil.example", "file://", f"ws://127.0.0.1:{port}"]
        self.assertGreaterEqual(len(hosts) + len(origins), 20)
        for host in hosts:
            self.assertEqual(v.request("/", host=host)[0], 421, host)
            with WebSocket(v, host=host, origin=page) as w:
                self.assertEqual(w.status, 421, host)
        for origin in origins:
            with WebSocket(v, origin=origin) as w:
                self.assertEqual(w.status, 403, origin)
            status, _, _ = v.request(f"/upload?name=a.obj&token={v.token}", "POST", [f"Origin: {origin}"], CUBE.encode())
            self.assertEqual(status, 403, origin)
        with WebSocket(v, origin="") as w:  # none at all
            self.assertEqual(w.status, 403)
        self.assertEqual(v.request("/", host="")[0], 421)
        self.assertEqual(v.request("/", headers=[f"Host: {v.host}"])[0], 421)  # two of them
        for name in ("localhost", "[::1]"):
            self.assertEqual(v.request("/", host=f"{name}:{port}")[0], 200)
            with WebSocket(v, host=f"{name}:{port}", origin=f"http://{name}:{port}") as w:
                self.assertEqual(w.status, 101)
        self.alive()

    def test_tokens(self):
        v = self.viewer
        for token in ("x", v.token[:-1], v.token + "0", v.token.upper() + "x", "0" * 32):
            with WebSocket(v, token=token) as w:
                self.assertEqual(w.status, 403, token)
            self.assertEqual(v.request(f"/export/scene.json?token={token}")[0], 403)
        self.assertEqual(v.request("/export/scene.json")[0], 403)
        self.assertEqual(v.request("/upload?name=a.obj", "POST", [f"Origin: http://{v.host}"], b"x")[0], 403)
        with v.socket(token=None) as w:  # may watch
            w.ready()
            self.assertFalse(w.hello["control"])
            for request in ({"type_": "play"}, {"type_": "edit", "edit": {"edit": "reset"}}, {"type_": "open", "scene": "default"}):
                self.assertFalse(w.ask(**request)["ok"])
        self.alive()

    def test_pages_and_files(self):
        v = self.viewer
        status, headers, body = v.request("/")
        self.assertEqual((status, body), (200, b"/* index.html */"))
        self.assertIn("default-src 'none'", headers["content-security-policy"])
        self.assertNotIn("unsafe", headers["content-security-policy"])
        self.assertEqual(headers["referrer-policy"], "no-referrer")
        self.assertEqual(v.request("/page.js")[2], b"/* page.js */")
        self.assertIn("text/css", v.request("/page.css")[1]["content-type"])
        for target in ("/etc/passwd", "/../x", "/%2e%2e/x", "/thumbnails/../../x.png", "/thumbnails/.png", f"/export/x?token={v.token}"):
            self.assertEqual(v.request(target)[0], 404, target)
        self.assertEqual(v.request("/", "DELETE")[0], 405)
        self.assertEqual(v.request("/ws")[0], 403)  # no origin
        status, headers, body = v.request("/thumbnails/pendulum.png")
        self.assertEqual((status, headers["content-type"], body[:4]), (200, "image/png", b"\x89PNG"))
        self.assertEqual(v.request("/thumbnails/pendulum.png")[2], body)

    # ---- what closes a connection, and nothing else -------------------------------------------------------------------

    def test_requests_that_are_none(self):
        v = self.viewer
        for data in (b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/9.9\r\n\r\n", b"nonsense\r\n\r\n", b"\0" * 1000,
                     b"GET / HTTP/1.1\r\nHost : x\r\n\r\n"):
            self.assertNotIn(b" 200 ", v.raw(data)[:20], data[:20])
        big = f"GET / HTTP/1.1\r\nHost: {v.host}\r\nX: {'a' * 9000}\r\n\r\n"
        self.assertIn(b" 431 ", v.raw(big.encode())[:20])
        head = f"POST /upload?name=a.obj&token={v.token} HTTP/1.1\r\nHost: {v.host}\r\nOrigin: http://{v.host}\r\n"
        self.assertIn(b" 413 ", v.raw(f"{head}Content-Length: {1 << 30}\r\n\r\n".encode())[:20])
        self.alive()

    def expect_close(self, code, send):
        with self.viewer.socket() as other, self.viewer.socket() as w:
            other.ready()
            w.ready()
            send(w)
            with self.assertRaises(Closed) as closed:
                while True:
                    w.pump()
            self.assertEqual(closed.exception.code, code)
            other.step(1)  # feels nothing of it

    def test_messages_that_are_none(self):
        for text in ("", "{", "[]", '{"type": "nonsense"}', '{"type": "play", "x": 1}', '{"type": "edit", "edit": {"edit": "explode"}}',
                     '{"type": "step", "frames": 100000}', "[" * 20000, '{"type":"curve","kind":"material","description":' + "[" * 40 + "]" * 40 + "}"):
            self.expect_close(1008, lambda w, text=text: w.send_text(text))
        self.expect_close(1009, lambda w: w.send_text('{"type": "open", "scene": "' + "a" * 70000 + '"}'))
        self.expect_close(1003, lambda w: w.send_frame(2, b"binary"))
        self.expect_close(1007, lambda w: w.send_frame(1, b"\xff\xfe"))
        # Pieces of a message that never ends.
        def drip(w):
            w.send_frame(1, b"a" * 30000, final=False)
            for _ in range(3):
                w.send_frame(0, b"a" * 30000, final=False)
        self.expect_close(1009, drip)

    def test_frames_that_are_none(self):
        with self.viewer.socket() as w:
            w.ready()
            w.s.sendall(b"\xff" * 64)  # reserved bits, not masked
            with self.assertRaises((Closed, ConnectionError)):
                while True:
                    w.pump()
        with self.viewer.socket() as w:  # says half a frame and leaves
            w.ready()
            w.s.sendall(b"\x81\xfe")
        self.alive()

    def test_too_many_connections(self):
        v = self.viewer
        held = [v.socket(token=None) for _ in range(60)]
        self.assertTrue(all(w.status == 101 for w in held))
        idle = [socket.create_connection(("127.0.0.1", v.port), timeout=60) for _ in range(10)]
        refused = 0
        for s in idle[4:]:
            try:
                refused += s.recv(1) == b""
            except ConnectionResetError:
                refused += 1
        self.assertEqual(refused, 6)
        for s in idle:
            s.close()
        for w in held:
            w.s.close()
        self.settle()
        self.alive()

    def settle(self):
        """Until the server has noticed that all have gone: it then has as many descriptors as at its start."""
        for _ in range(600):
            if self.descriptors() <= self.quiet():
                return
            time.sleep(0.05)
        self.fail(f"{self.descriptors()} descriptors are open, {self.quiet()} at the start")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.viewer.process.pid}/fd"))

    def quiet(self):
        if not hasattr(ServerTest, "at_start"):
            ServerTest.at_start = self.descriptors()
        return ServerTest.at_start

    def memory(self):
        text = Path(f"/proc/{self.viewer.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1])  # KiB

    def test_connects_and_disconnects_leak_nothing(self):
        many = int(os.environ.get("RESILIN_VIEW_CONNECTS", "200"))

        def rounds(count):
            for i in range(count):
                if i % 3 == 0:
                    with self.viewer.socket() as w:
                        w.ready()
                elif i % 3 == 1:
                    self.viewer.socket().s.close()  # before anything was read
                else:
                    self.viewer.raw(b"GET /ws HT", read=False)
            self.settle()

        time.sleep(0.2)
        self.quiet()
        rounds(30)  # pools of the allocator are full afterwards
        before = self.memory()
        rounds(many)
        self.assertLess(self.memory() - before, 4096, "KiB were not given back")

    # ---- slow clients ---------------------------------------------------------------------------------------------------

    def test_a_stalled_client_stops_nobody(self):
        with self.viewer.socket() as stalled, self.viewer.socket() as w:
            w.ready()
            before = self.memory()
            stalled.s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            self.assertTrue(w.ask("speed", factor=0)["ok"])
            self.assertTrue(w.ask("play")["ok"])
            first = w.status_text["step"]
            w.until(lambda: w.status_text["step"] > first + 300)
            w.ask("pause")
            w.ask("speed", factor=1)
            self.assertLess(self.memory() - before, 16384)
            # It reads on: the newest frame comes at the end.
            w.until(lambda: not w.status_text["playing"])
            last = w.status_text["step"]
            stalled.until(lambda: stalled.status_text is not None and stalled.status_text["step"] == last)
            self.assertEqual(stalled.frames[-1]["step"], last)

    # ---- files ----------------------------------------------------------------------------------------------------------

    def upload(self, name, contents):
        v = self.viewer
        status, _, body = v.request(f"/upload?name={name}&token={v.token}", "POST", [f"Origin: http://{v.host}"], contents)
        return status, json.loads(body)

    def test_uploaded_meshes(self):
        self.assertEqual(self.upload("a.obj", b"nonsense")[0], 400)
        self.assertEqual(self.upload("a.txt", CUBE.encode())[0], 400)
        self.assertEqual(self.upload("..%2f..%2fa.obj", b"\0\1\2")[0], 400)
        status, answer = self.upload("cube.obj", CUBE.encode())
        self.assertEqual(status, 200, answer)
        hole = CUBE.replace("f 4 1 5 8\n", "")
        status, open_cube = self.upload("open.obj", hole.encode())
        self.assertEqual(status, 200, open_cube)
        self.assertTrue(any("open boundary" in f["text"] for f in open_cube["findings"]), open_cube)
        with self.viewer.socket() as w:
            w.ready()
            self.assertFalse(w.ask("open", scene="/etc/passwd")["ok"])
            self.assertFalse(w.ask("open", scene="upload:99")["ok"])
            self.assertTrue(w.ask("open", scene=answer["file"], set=[["bodies[0].mesh.tets", 200]])["ok"])
            w.until(lambda: w.scene["name"] == "cube")
            self.assertEqual(w.scene["findings"], [])
            # The skin is a combination of the cage's vertices, and is taken hold of by these.
            w.until(lambda: "corners" in w.mesh and w.frames[-1]["serial"] == w.mesh["serial"])
            self.assertEqual(len(w.mesh["vertices"]), 8)
            for i in range(8):
                self.assertAlmostEqual(sum(w.mesh["weights"][4 * i:4 * i + 4]), 1, places=5)
            held = [(v, x) for v, x in zip(w.mesh["corners"][:4], w.mesh["weights"][:4]) if x > 0]
            total = sum(x for _, x in held)
            self.check(w.ask("edit", edit={"edit": "drag", "vertices": [v for v, _ in held], "weights": [x / total for _, x in held],
                                                "target": [0, 2, 0]}))
            self.assertTrue(w.ask("open", scene="bar")["ok"])
            w.until(lambda: w.scene["name"] == "bar" and w.status_text["step"] == 0)

    # ---- replay -----------------------------------------------------------------------------------------------------------

    def test_recorded_edits_replay_headless(self):
        v = self.viewer
        with v.socket() as w:
            w.ready()
            self.assertTrue(w.ask("open", scene="bar")["ok"])
            w.until(lambda: w.status_text["step"] == 0)
            w.step(2)
            for i in range(5):  # a drag
                self.assertTrue(w.ask("edit", edit={"edit": "drag", "name": "hand", "target": [0.6, 0.1 * i, 0.1], "stiffness": 3000,
                                                    **({"vertices": [3, 7]} if i == 0 else {})})["ok"])
                w.step(1)
            self.assertTrue(w.ask("edit", edit={"edit": "release", "name": "hand"})["ok"])
            self.assertTrue(w.ask("edit", edit={"edit": "set", "path": "bodies[0].material.young", "value": 3e5})["ok"])
            self.assertTrue(w.ask("edit", edit={"edit": "set", "path": "solver.iterations", "value": 8})["ok"])
            self.assertFalse(w.ask("edit", edit={"edit": "set", "path": "bodies[0].material.poisson", "value": 3})["ok"])
            self.assertTrue(w.ask("edit", edit={"edit": "randomise", "seed": 4})["ok"])
            status = w.step(6)
        edits = Path(self.folder.folder.name, "edits.jsonl")
        edits.write_bytes(v.request(f"/export/edits.jsonl?token={v.token}")[2])
        run = subprocess.run([os.environ["RESILIN"], "run", self.folder.scene, "--edits", str(edits), "--frames", str(status["step"]),
                              "--no-output", "--json"], capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(run.stdout)["state_hash"], status["views"][0]["hash"])


class CommandTest(unittest.TestCase):
    def test_interrupted_while_it_plays(self):
        folder = Folder()
        viewer = Viewer(folder.scene)
        with viewer.socket() as w:
            w.ready()
            w.ask("speed", factor=0)
            first = w.status_text["step"]
            w.until(lambda: w.status_text["step"] > first + 5)
            self.assertEqual(viewer.stop(), 0)
            with self.assertRaises((Closed, ConnectionError)) as closed:
                while True:
                    w.pump()
            self.assertIn(getattr(closed.exception, "code", 1001), (1001, None))
        folder.folder.cleanup()

    def test_bad_input(self):
        page = tempfile.TemporaryDirectory()
        self.addCleanup(page.cleanup)
        for name in ("index.html", "page.js", "page.css"):
            Path(page.name, name).write_text("x")
        for arguments, words in ((["no_such_scene"], "no such file or scene"), (["--port", "99999"], "--port"),
                                 (["--bind", "nowhere"], "--bind"), (["default", "--set", "x"], "--set")):
            result = subprocess.run([os.environ["RESILIN"], "view", "--no-open", "--page", page.name, *arguments],
                                    capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main()
