"""resilin render and run --preview: PNG files that decode, of the frames that were asked for."""
import os
import stat
import struct
import unittest
import zlib

from resilin_command import CommandTest, small_scene


def read_png(path):
    """Width, height and rows of RGB bytes, checksums verified."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(kind + body), kind
        if kind == b"IHDR":
            width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", body)
            assert (depth, colour) == (8, 2)
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    raw, rows, above = zlib.decompress(packed), [], bytes(3 * width)
    assert len(raw) == height * (3 * width + 1)
    for y in range(height):
        start = y * (3 * width + 1)
        row, kind = bytearray(raw[start + 1:start + 1 + 3 * width]), raw[start]
        for i in range(3 * width):
            a, b, c = (row[i - 3] if i >= 3 else 0), above[i], (above[i - 3] if i >= 3 else 0)
            p = a + b - c
            paeth = min(((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c)))[2]
            row[i] = (row[i] + {0: 0, 1: a, 2: b, 4: paeth}[kind]) & 255
        rows.append(bytes(row))
        above = row
    return width, height, rows


def blue(rows):
    """Pixels in the colour of the first body."""
    return sum(row[i + 2] - row[i] > 40 for row in rows for i in range(0, len(row), 3))


class Pictures(CommandTest):
    def setUp(self):
        super().setUp()
        self.scene = self.write("bar.json", small_scene(frames=6, output={"every": 2}))

    def run_it(self):
        self.resilin("run", self.scene, "--out", "a")

    def test_a_frame_is_a_picture_of_the_body(self):
        self.run_it()
        document = self.json("render", "a", "--frame", 4, "--size", "120x90")
        self.assertEqual(document["files"], ["a/pictures/frame_00004.png"])
        width, height, rows = read_png(self.folder / "a/pictures/frame_00004.png")
        self.assertEqual((width, height), (120, 90))
        self.assertGreater(blue(rows), 120 * 90 / 20)
        self.assertLess(blue(rows), 120 * 90 * 3 / 4)
        first = (self.folder / "a/pictures/frame_00004.png").read_bytes()
        self.json("render", "a", "--frame", 4, "--size", "120x90", "--threads", 1, "--out", "again.png")
        self.assertEqual(first, (self.folder / "again.png").read_bytes())

    def test_all_frames_in_one_view(self):
        self.run_it()
        document = self.json("render", "a", "--size", "96x72", "--color", "displacement", "--samples", 1)
        names = [f"a/pictures/frame_{n:05}.png" for n in (0, 2, 4, 6)]
        self.assertEqual(document["files"], names)
        pictures = [(self.folder / name).read_bytes() for name in names]
        self.assertEqual(len(set(pictures)), 4)
        for name in names:
            read_png(self.folder / name)

    def test_one_camera_for_a_run(self):
        self.run_it()
        self.json("render", "a", "--size", "96x72", "--color", "speed")
        for number in (0, 2, 6):
            self.json("render", "a", "--size", "96x72", "--color", "speed", "--frame", number, "--out", "one.png")
            self.assertEqual((self.folder / "one.png").read_bytes(), (self.folder / f"a/pictures/frame_{number:05}.png").read_bytes())

    def test_only_a_scene_with_a_ground_shows_one(self):
        grounded = self.write("grounded.json", small_scene(obstacles=[{"type": "plane", "height": -0.2}]))
        self.resilin("render", grounded, "--size", "96x72", "--out", "with.png")
        self.resilin("render", grounded, "--size", "96x72", "--out", "without.png", "--no-ground")
        self.resilin("render", self.scene, "--size", "96x72", "--out", "none.png")
        self.assertNotEqual((self.folder / "with.png").read_bytes(), (self.folder / "without.png").read_bytes())
        self.assertEqual((self.folder / "none.png").read_bytes(), (self.folder / "without.png").read_bytes())

    def test_every_colouring(self):
        self.run_it()
        seen = set()
        for colour in ("none", "displacement", "speed", "height"):
            self.json("render", "a", "--frame", -1, "--size", "160x120", "--color", colour, "--edges", "--out", "x.png")
            seen.add((self.folder / "x.png").read_bytes())
        self.assertEqual(len(seen), 4)
        error = self.json("render", "a", "--frame", 0, "--color", "sped", status=2)["error"]
        self.assertIn("speed", error["problem"])

    def test_a_scene_without_running_it(self):
        self.assertEqual(self.json("render", self.scene, "--size", "80x60")["files"], ["bar.png"])
        self.assertGreater(blue(read_png(self.folder / "bar.png")[2]), 200)
        self.json("render", "default", "--size", "80x60", "--out", "ring.png")
        read_png(self.folder / "ring.png")
        self.json("render", self.scene, "--frame", 3, status=2)

    def test_preview_of_a_run(self):
        document = self.json("run", self.scene, "--preview", "--out", "a")
        self.assertEqual(document["preview"], "a/preview.png")
        self.assertEqual(read_png(self.folder / "a/preview.png")[:2], (960, 720))
        self.json("run", self.scene, "--preview", "--no-output", status=2)

    def test_bad_input_is_refused(self):
        self.run_it()
        self.assertIn("from 0 to 6", self.json("render", "a", "--frame", 5, status=2)["error"]["problem"])
        for size in ("0x5", "100", "100x", "x100", "1e3x5", "99999x99999", "-5x10"):
            self.json("render", "a", "--frame", 0, f"--size={size}", status=2)
        self.json("render", "nowhere", status=2)
        (self.folder / "empty").mkdir()
        self.json("render", "empty", status=2)
        file = self.folder / "a/frames/bar_00004.vtu"
        whole = file.read_text()
        for text in ("", whole[:300], whole[:len(whole) // 2], whole.replace("Float64", "Float65"), whole.replace("AAAA", "A*AA")):
            file.write_text(text)
            self.json("render", "a", "--frame", 4, status=2)


class Videos(CommandTest):
    def setUp(self):
        super().setUp()
        self.resilin("run", self.write("bar.json", small_scene(frames=3)), "--out", "a")
        (self.folder / "bin").mkdir()

    def ffmpeg(self, text):
        """A program that takes the place of ffmpeg."""
        file = self.folder / "bin/ffmpeg"
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def render(self, *arguments, status=0, path=None):
        return self.resilin("render", "a", "--size", "40x30", *arguments, status=status,
                            environment=self.environment(PATH=path or f"{self.folder / 'bin'}:{os.environ['PATH']}"))

    def test_without_ffmpeg_the_message_says_what_to_do(self):
        result = self.render("--video", "a.mp4", status=2, path=str(self.folder / "bin"))
        self.assertIn("ffmpeg, which is not installed", result.stderr)

    def test_frames_go_to_ffmpeg_raw(self):
        self.ffmpeg('for last; do :; done\ncat > "$last"\necho "$@" > arguments\n')
        self.render("--video", "it's a video.mp4")
        self.assertEqual((self.folder / "it's a video.mp4").stat().st_size, 4 * 40 * 30 * 3)
        arguments = (self.folder / "arguments").read_text()
        for word in ("rawvideo", "40x30", "-framerate 50", "yuv420p"):
            self.assertIn(word, arguments)
        self.render("--video", "b.gif")
        self.assertIn("palettegen", (self.folder / "arguments").read_text())
        self.assertFalse((self.folder / "a/pictures").exists())

    def test_a_failing_ffmpeg_is_a_failure(self):
        self.ffmpeg("exit 3\n")
        self.render("--video", "a.mp4", status=1)
        self.assertFalse((self.folder / "a.mp4").exists())
        self.render("--video", "a.avi", status=2)
        self.render("--video", "a.mp4", "--frame", "1", status=2)


if __name__ == "__main__":
    unittest.main()
