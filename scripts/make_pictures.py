#!/usr/bin/env python3
"""Draws the pictures of README.md: simulates the scenes of docs/pictures and renders them.

    scripts/make_pictures.py [RESILIN]        RESILIN: the command; default build/release/apps/cli/resilin

playground.png is the last frame of its scene; falling_creatures.png is an animated PNG of every second frame, which browsers show.
It needs Python's standard library only.
"""
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = 255  # of the palette; one more index means "as before"


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += size + 12


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def nearest_of(a, b, c):
    """The predictor of Paeth."""
    da, db, dc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    return a if da <= db and da <= dc else b if db <= dc else c


def read_pixels(path):
    """(width, height, list of pixels 0xRRGGBB) of an RGB PNG with eight bits per channel."""
    data = path.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    raw = zlib.decompress(b"".join(body for kind, body in chunks(data) if kind == b"IDAT"))
    stride, above, pixels = 3 * width, bytearray(3 * width), []
    for y in range(height):
        start = y * (stride + 1)
        method, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for x in range(stride if method else 0):
            left, corner = (row[x - 3], above[x - 3]) if x >= 3 else (0, 0)
            guess = (0, left, above[x], (left + above[x]) // 2, nearest_of(left, above[x], corner))[method]
            row[x] = (row[x] + guess) & 255
        pixels += [row[x] << 16 | row[x + 1] << 8 | row[x + 2] for x in range(0, stride, 3)]
        above = row
    return width, height, pixels


class Box:
    """Colours of a histogram {pixel: count} that become one colour of the palette."""

    def __init__(self, pixels, counts):
        self.pixels, self.counts = pixels, counts
        self.weight = sum(counts[p] for p in pixels)
        spans = [max(p >> s & 255 for p in pixels) - min(p >> s & 255 for p in pixels) for s in (16, 8, 0)]
        self.extent, self.shift = max(spans), (16, 8, 0)[spans.index(max(spans))]
        self.badness = self.extent * self.weight ** 0.33

    def halves(self):
        self.pixels.sort(key=lambda p: p >> self.shift & 255)
        seen, cut = 0, 0
        while cut < len(self.pixels) - 1 and seen < self.weight / 2:
            seen += self.counts[self.pixels[cut]]
            cut += 1
        return [Box(part, self.counts) for part in (self.pixels[:cut], self.pixels[cut:])]

    def mean(self):
        return tuple(round(sum((p >> s & 255) * self.counts[p] for p in self.pixels) / self.weight) for s in (16, 8, 0))


def palette_of(counts):
    """At most COLOURS colours, by median cut."""
    boxes = [Box(list(counts), counts)]
    while len(boxes) < COLOURS:
        worst = max(boxes, key=lambda box: box.badness)
        if worst.extent == 0:
            break
        boxes.remove(worst)
        boxes += worst.halves()
    return [box.mean() for box in boxes]


class Quantiser:
    """Pixels to indices of a palette; remembers what it has seen."""

    def __init__(self, palette):
        self.palette, self.known = palette, {}

    def index(self, pixel):
        if pixel not in self.known:
            r, g, b = pixel >> 16, pixel >> 8 & 255, pixel & 255
            self.known[pixel] = min(range(len(self.palette)), key=lambda i: 3 * (self.palette[i][0] - r) ** 2 +
                                    5 * (self.palette[i][1] - g) ** 2 + 2 * (self.palette[i][2] - b) ** 2)
        return self.known[pixel]


def cropped(frames, width, height, margin):
    """(width, height, frames) cut to where something moves, and a margin."""
    greens = [[p >> 8 & 255 for p in frame] for frame in frames]
    moved = [i for i, levels in enumerate(zip(*greens)) if max(levels) - min(levels) > 24]  # less is a change of light
    left, right = max(0, min(i % width for i in moved) - margin), min(width, max(i % width for i in moved) + margin)
    top, bottom = max(0, moved[0] // width - margin), min(height, moved[-1] // width + margin)
    return right - left, bottom - top, [[p for y in range(top, bottom) for p in frame[y * width + left:y * width + right]] for frame in frames]


def animated(frames, width, height, delay_ms, pause_ms):
    """The contents of an animated PNG that runs for ever. Pixels that stay are transparent."""
    coarse = [[p & 0xFCFCFC for p in frame] for frame in frames]
    counts = {}
    for frame in coarse[::3]:
        for pixel in frame:
            counts[pixel] = counts.get(pixel, 0) + 1
    quantiser = Quantiser(palette_of(counts))
    same = len(quantiser.palette)
    out = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
    out += chunk(b"acTL", struct.pack(">II", len(frames), 0))
    out += chunk(b"PLTE", bytes(c for colour in quantiser.palette for c in colour) + b"\0\0\0")
    out += chunk(b"tRNS", b"\xff" * same + b"\0")
    before, sequence = None, 0
    for number, frame in enumerate(coarse):
        now = [quantiser.index(p) for p in frame]
        shown = now if before is None else [same if a == b else a for a, b in zip(now, before)]
        rows = b"".join(b"\0" + bytes(shown[y * width:(y + 1) * width]) for y in range(height))
        delay = pause_ms if number == len(frames) - 1 else delay_ms
        out += chunk(b"fcTL", struct.pack(">IIIIIHHBB", sequence, width, height, 0, 0, delay, 1000, 0, 0 if before is None else 1))
        sequence += 1
        packed = zlib.compress(rows, 9)
        if before is None:
            out += chunk(b"IDAT", packed)
        else:
            out += chunk(b"fdAT", struct.pack(">I", sequence) + packed)
            sequence += 1
        before = now
    return out + chunk(b"IEND", b"")


def main():
    resilin = sys.argv[1] if len(sys.argv) > 1 else str(PICTURES.parents[1] / "build/release/apps/cli/resilin")
    with tempfile.TemporaryDirectory(prefix="resilin_pictures_") as temporary:
        def call(*arguments):
            subprocess.run([resilin, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)
        folder = Path(temporary)
        call("run", PICTURES / "playground.json", "--out", folder / "playground")
        call("render", folder / "playground", "--frame", -1, "--size", "960x400", "--out", PICTURES / "playground.png")
        call("run", PICTURES / "falling_creatures.json", "--set", "output.every=2", "--out", folder / "creatures")
        call("render", folder / "creatures", "--size", "960x400", "--out", folder / "frames")
        drawn = [read_pixels(path) for path in sorted((folder / "frames").glob("*.png"))]
        width, height, frames = cropped([pixels for _, _, pixels in drawn], *drawn[0][:2], margin=30)
        picture = animated(frames, width, height, delay_ms=33, pause_ms=1000)
        (PICTURES / "falling_creatures.png").write_bytes(picture)
        print(f"{len(frames)} frames of {width} x {height} pixels, {len(picture)} bytes")


if __name__ == "__main__":
    main()
