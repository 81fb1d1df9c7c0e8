"""Damaged results files given to every command that reads one: done, or refused with one clear message."""
import random
import shutil
import struct
import unittest
from pathlib import Path

import h5py
import numpy

from cli_test import Folder, clear_failure, tool

SCENE = """
version = 1
title = "a ball falls on a plate"
[[body]]
name = "ball"
kind = "space"
mass = 1.0
inertia = [0.004, 0.004, 0.004]
position = [0, 0, 0.15]
velocity = [0.3, 0, 0]
[[shape]]
name = "skin"
kind = "sphere"
body = "ball"
radius = 0.1
material = "rubber"
[[shape]]
name = "plate"
kind = "half-space"
material = "rubber"
[[material]]
name = "rubber"
e = 0.5
mu = 0.3
[[contact]]
name = "floor"
shapes = ["skin", "plate"]
[[force]]
name = "gravity"
kind = "gravity"
acceleration = [0, 0, -9.81]
[simulation]
step = 1e-2
until = 0.4
"""

COMMANDS = [
    ("verify", "r.h5"),
    ("export", "r.h5", "--csv", "out/frames.csv", "--force"),
    ("export", "r.h5", "--contacts", "out/contacts.csv", "--force"),
    ("export", "r.h5", "--events", "out/events.csv", "--force"),
    ("export", "r.h5", "--vtk", "out/vtk", "--force"),
    ("plot", "r.h5", "--out", "out/plot.svg", "--force"),
    ("run", "--resume", "r.h5", "--until", "0.5", "--quiet"),
]


def cut(part):
    return lambda data: data[:int(part * len(data))]


def flipped(seed):
    def damage(data):
        numbers, damaged = random.Random(seed), bytearray(data)
        for _ in range(1 + seed % 4):
            damaged[numbers.randrange(len(damaged))] ^= 1 << numbers.randrange(8)
        return bytes(damaged)
    return damage


def attribute(owner, name, value):
    def damage(file):
        file[owner].attrs[name] = value
    return damage


def without(name):
    def damage(file):
        del file[name]
    return damage


def without_attribute(owner, name):
    def damage(file):
        del file[owner].attrs[name]
    return damage


def replaced(name, value):
    def damage(file):
        del file[name]
        file[name] = value
    return damage


def with_row(name, row, value):
    def damage(file):
        file[name][row] = value
    return damage


def with_rows(table, count):
    """Every column of a table says that it has so many rows."""
    def damage(file):
        for column in file[table].values():
            column.resize(count, axis=0)
    return damage


def changed_text(old, new):
    def damage(file):
        text = file["run/scene_text"][()].decode()
        assert old in text
        del file["run/scene_text"]
        file["run/scene_text"] = numpy.bytes_(text.replace(old, new))
    return damage


def scene_text(text):
    return replaced("run/scene_text", numpy.bytes_(text))


def journal_checksum(words):
    sum_of_words = 14695981039346656037
    for word in words:
        sum_of_words = (sum_of_words ^ word) * 1099511628211 % 2**64
        sum_of_words ^= sum_of_words >> 32
    return sum_of_words


def with_journal(count, bytes_of_pages):
    """A file that ends in a journal with a right checksum, which says that it holds so many pages."""
    def damage(data):
        data += bytes(-len(data) % 8)
        words = [len(data), count] + [0] * (bytes_of_pages // 8)
        trailer = struct.pack("<QQ8s", 8 * len(words) + 24, journal_checksum(words), b"ESCJRNL1")
        return data + struct.pack(f"<{len(words)}Q", *words) + trailer
    return damage


PAGE = 8 + 4096  # bytes of a page in a journal, with its number

BYTES = {
    "empty": lambda data: b"",
    "text": lambda data: b"t [s],x [m]\n0,1\n",
    "zeros": lambda data: bytes(len(data)),
    "signature alone": lambda data: data[:8],
    "twice": lambda data: data + data,
    "a journal with a page too many": with_journal(2, PAGE),
    "a journal whose size overflows": with_journal(pow(PAGE // 8, -1, 2**61), 8),  # 4104 count = 8 modulo 2^64
    "a journal of nothing": with_journal(2**64 - 1, 0),
    **{f"cut at {part}": cut(part) for part in (0.01, 0.1, 0.5, 0.9, 0.999)},
    **{f"flipped {seed}": flipped(seed) for seed in range(12)},
}

OTHER_SCENE = (Path(__file__).resolve().parent.parent / "scenes" / "bouncing-ball.toml").read_text()
NAN = float("nan")

DATASETS = {
    "newer version": attribute("/", "version", 99),
    "version is a text": attribute("/", "version", "one"),
    "other format": attribute("/", "format", numpy.bytes_("somebody else's")),
    "no frames": without("frames"),
    "no run": without("run"),
    "no model": without("model"),
    "no checkpoints": without("checkpoints"),
    "no scene": without("run/scene_text"),
    "no promise": without("promises"),
    "no column": without("steps/penetration"),
    "no step": without_attribute("run", "step"),
    "no scheme": without_attribute("run", "scheme"),
    "a group for a column": lambda file: (without("frames/t")(file), file.create_group("frames/t")),
    "texts for numbers": lambda file: replaced("frames/t", numpy.full(len(file["frames/t"]), b"x"))(file),
    "integers for numbers": lambda file: replaced("frames/t", numpy.arange(len(file["frames/t"])))(file),
    "numbers for integers": lambda file: replaced("frames/grid", numpy.zeros(len(file["frames/t"])))(file),
    "too narrow": lambda file: replaced("frames/q", file["frames/q"][:, :3])(file),
    "too short": lambda file: replaced("frames/q", file["frames/q"][:-3])(file),
    "one dimension": lambda file: replaced("frames/q", file["frames/q"][:].ravel())(file),
    "nonsense scene": scene_text("Lorem ipsum, dolor = sit\n"),
    "empty scene": scene_text("version = 1\n"),
    "another scene": scene_text(OTHER_SCENE),
    "a scene that includes": scene_text('version = 1\ninclude = ["/etc/passwd"]\n'),
    "a scene with another contact": changed_text('name = "floor"', 'name = "ceiling"'),
    "unknown scheme": attribute("run", "scheme", numpy.bytes_("forward-guess")),
    "step nan": attribute("run", "step", NAN),
    "step negative": attribute("run", "step", -1.0),
    "every 0": attribute("run", "every", 0),
    "every negative": attribute("run", "every", -(2**62)),
    "promise that does not exist": attribute("promises/0", "formula", 77),
    "theta nan": attribute("promises/0", "theta", NAN),
    "many frames": lambda file: (with_rows("frames", 10**10)(file), with_rows("steps", 10**10)(file)),
    "many contacts": with_rows("contacts", 10**11),
    "many events": with_rows("events", 10**11),
    "many checkpoints": with_rows("checkpoints", 10**9),
    "no rows": lambda file: (with_rows("frames", 0)(file), with_rows("steps", 0)(file)),
    "nan state": with_row("frames/q", 5, NAN),
    "nan states": with_row("frames/v", slice(None), NAN),
    "nan times": with_row("frames/t", slice(None), NAN),
    "infinite time": with_row("frames/t", 7, float("inf")),
    "one nan time": with_row("frames/t", -1, NAN),
    "huge values": with_row("frames/q", slice(None), 1e308),
    "a contact of no frame": with_row("contacts/frame", slice(None), 2**62),
    "a contact of a frame before the first": with_row("contacts/frame", 0, -7),
    "a contact of no pair": with_row("contacts/pair", slice(None), 2**32 - 1),
    "an event of no pair": with_row("events/pair", slice(None), 2**32 - 1),
    "no such status": with_row("contacts/status", slice(None), 250),
    "no such event": with_row("events/kind", slice(None), 250),
    "contacts that begin too late": with_row("frames/contact_begin", slice(None), 2**40),
    "contacts that begin before the first": with_row("frames/contact_begin", 3, -1),
    "contacts by the million": with_row("frames/contact_count", 4, 10**9),
    "contacts that begin anywhere": with_row("frames/contact_begin", slice(None, None, 2), 1),
    "a body beyond the coordinates": with_row("model/body_places", 0, [2, 10**6, 0]),
    "a body of no kind": with_row("model/body_places", 0, [9, 0, 0]),
    "a shape on no body": with_row("model/shape_bodies", 0, 17),
    "a shape that is not": lambda file: replaced(
        "model/shape_geometries", numpy.array([b"teapot"] * len(file["model/shapes"])))(file),
    "nan sizes": with_row("model/shape_sizes", slice(None), NAN),
    "a negative size": with_row("model/shape_sizes", 0, -1.0),
    "a name that is a command": lambda file: replaced(
        "model/pairs", numpy.array([b"a'; system('touch out/owned'); '"] * len(file["model/pairs"])))(file),
    "no pairs": lambda file: replaced("model/pairs", numpy.array([], dtype="S1"))(file),
    "an option that is not": lambda file: (replaced("run/option_names", numpy.array([b"magic"]))(file),
                                           replaced("run/option_values", numpy.array([b"9"]))(file)),
    "lists that differ": lambda file: replaced("run/option_names", numpy.array([b"theta"] * 99))(file),
    "a state from anywhere": with_row("checkpoints/state_begin", -1, 2**50),
    "a state of other bytes": with_row("checkpoints/state", slice(None), 0xA5),
    "a checkpoint beyond the frames": with_row("checkpoints/frames", -1, 10**9),
    "a checkpoint before the first": with_row("checkpoints/grid", -1, -5),
}
# What no command looks at, or draws and prints as it is.
HARMLESS = []


class Damage(Folder):
    good = None  # the bytes of the file that is damaged

    def good_file(self):
        if Damage.good is None:
            (self.folder / "ball.toml").write_text(SCENE)
            self.ok("run", "ball.toml", "--out", "good.h5", "--frames", "0", "--quiet")
            Damage.good = (self.folder / "good.h5").read_bytes()
        return Damage.good

    def give_to_every_command(self, name, content):
        """Exit code 0, 1 or 2 within the time; if not 0 one message that names the file. The codes, by command."""
        codes = {}
        for command in COMMANDS:
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            (self.folder / "out").mkdir()
            (self.folder / "r.h5").write_bytes(content)
            with self.subTest(damage=name, command=" ".join(command)):
                result = tool(*command, folder=self.folder, timeout=20)
                codes[command] = result.returncode
                self.assertFalse((self.folder / "out" / "owned").exists(), "a name was run as a command")
                if result.returncode != 0:
                    clear_failure(self, result, "r.h5")
        return codes

    def test_the_good_file_is_good(self):
        self.assertEqual(set(self.give_to_every_command("none", self.good_file()).values()), {0})

    def test_bytes(self):
        good = self.good_file()
        for name, damage in BYTES.items():
            codes = self.give_to_every_command(name, damage(good))
            if name.startswith("cut") or name in ("empty", "text", "zeros", "signature alone"):
                self.assertEqual(set(codes.values()), {2}, name)

    def test_datasets(self):
        good, path = self.good_file(), self.folder / "changed.h5"
        unseen = []
        for name, damage in DATASETS.items():
            path.write_bytes(good)
            with h5py.File(path, "r+") as file:
                damage(file)
            if set(self.give_to_every_command(name, path.read_bytes()).values()) == {0}:
                unseen.append(name)
        self.assertEqual(unseen, HARMLESS)

    def test_a_changed_state_fails_and_a_file_that_is_refused_is_left_alone(self):
        path = self.folder / "r.h5"
        for damage in ("nan state", "huge values", "a contact of no pair"):
            path.write_bytes(self.good_file())
            with h5py.File(path, "r+") as file:
                DATASETS[damage](file)
            self.assertNotEqual(tool("verify", "r.h5", folder=self.folder).returncode, 0, damage)
        for damage in ("another scene", "unknown scheme", "step nan", "a state of other bytes"):
            path.write_bytes(self.good_file())
            with h5py.File(path, "r+") as file:
                DATASETS[damage](file)
            before = path.read_bytes()
            self.refused("run", "--resume", "r.h5", "--until", "0.5", says="r.h5")
            self.assertEqual(path.read_bytes(), before, damage)


if __name__ == "__main__":
    unittest.main()
