"""Texts of results files and scenes that want to be obeyed: by gnuplot, by a terminal, by whoever opens files."""
import shutil
import unittest

import h5py
import numpy

from cli_damage_test import SCENE
from cli_test import Folder, clear_failure, tool

COMMANDS = [
    ("verify", "r.h5"),
    ("export", "r.h5", "--csv", "frames.csv", "--force"),
    ("plot", "r.h5", "--out", "plot.svg", "--force"),
    ("run", "--resume", "r.h5", "--until", "0.5", "--quiet"),
]
# What a terminal obeys: control characters, and marks that turn the direction of writing.
OBEYED = [chr(code) for code in [*range(9), *range(11, 32), *range(127, 160), *range(0x202a, 0x202f),
                                 *range(0x2066, 0x206a), 0x200e, 0x200f, 0x061c, 0x2028, 0x2029]]
# A line of gnuplot, a command of a shell, an escape sequence, a line that reads backwards.
HOSTILE = ["m'\nsystem \"touch owned\"\n#", "m\r!touch owned\r", "a\x1b]0;owned\x07", "\u202eyas", "\u2028!touch owned"]
# What is harmless for terminals, but not where a text is part of a language.
QUOTES = ["'; system('touch owned'); '", "`touch owned`", "$(touch owned)", "END", "\\", "@x", "' . system('touch owned') . '"]


def texts_of(file):
    """(owner, attribute or None) of every text that a file holds."""
    found = []

    def look(name, thing):
        if isinstance(thing, h5py.Dataset) and thing.dtype.kind in "SO" and thing.size:
            found.append((name, None))
        found.extend((name, key) for key, value in thing.attrs.items() if isinstance(value, (str, bytes)))

    look("/", file)
    file.visititems(look)
    return found


def forge(file, place, text):
    owner, name = place
    value = numpy.bytes_(text.encode())
    if name is not None:
        del file[owner].attrs[name]
        file[owner].attrs[name] = value
        return
    rows = numpy.full(file[owner].shape, value)
    del file[owner]
    file[owner] = rows


class Texts(Folder):
    good = None

    def setUp(self):
        super().setUp()
        if Texts.good is None:
            (self.folder / "ball.toml").write_text(SCENE)
            self.ok("run", "ball.toml", "--out", "good.h5", "--quiet")
            Texts.good = (self.folder / "good.h5").read_bytes()

    def given(self, change, commands=COMMANDS):
        """The results of every command on the good file with a change."""
        for command in commands:
            (self.folder / "r.h5").write_bytes(Texts.good)
            with h5py.File(self.folder / "r.h5", "r+") as file:
                change(file)
            result = tool(*command, folder=self.folder, encoding="utf-8", errors="surrogateescape")
            self.assertFalse((self.folder / "owned").exists(), "a text was run as a command")
            for character in OBEYED:
                self.assertNotIn(character, result.stdout + result.stderr)
            yield result

    def places(self):
        (self.folder / "r.h5").write_bytes(Texts.good)
        with h5py.File(self.folder / "r.h5") as file:
            return [place for place in texts_of(file) if place[1] not in ("unit", "what")]  # those nobody reads

    def test_no_text_of_a_file_is_obeyed(self):
        places = self.places()
        for name in ("model/coordinates", "model/coordinates_units", "model/velocities_units", "model/pairs", "model/pairs_units",
                     "run/scene_text", "run/option_names", "run/option_values", "model/shapes"):
            self.assertIn((name, None), places)
        self.assertIn(("run", "scheme"), places)
        for number, place in enumerate(places):
            text = HOSTILE[number % len(HOSTILE)]
            with self.subTest(place=place, text=text):
                codes = set()
                for result in self.given(lambda file, p=place, t=text: forge(file, p, t)):
                    codes.add(result.returncode)
                    if result.returncode != 0:
                        clear_failure(self, result, "r.h5")
                self.assertIn(2, codes)

    def test_every_hostile_text_is_refused_as_a_name_and_as_a_unit(self):
        for place in (("model/coordinates", None), ("model/coordinates_units", None), ("model/pairs", None), ("run", "scheme")):
            for text in HOSTILE:
                with self.subTest(place=place, text=text):
                    for result in self.given(lambda file, p=place, t=text: forge(file, p, t)):
                        self.assertEqual(result.returncode, 2)

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_names_and_units_are_drawn_as_they_are(self):
        for text in QUOTES:
            def change(file):
                forge(file, ("model/coordinates_units", None), text)
                forge(file, ("model/velocities_units", None), text)
                text_of_scene = file["run/scene_text"]
                del text_of_scene, file["run/scene_text"]
                file["run/scene_text"] = numpy.bytes_(b"")
                forge(file, ("model/pairs", None), text)
            for result in self.given(change, [COMMANDS[2]]):
                self.assertEqual(result.returncode, 0, result.stderr)
                shown = text.replace("&", "&amp;").replace("<", "&lt;")
                self.assertIn(f"[{shown}]", (self.folder / "plot.svg").read_text())

    def test_no_other_file_is_opened(self):
        """A dataset that is a link into, or has its values in, another file; a scene that includes one."""
        (self.folder / "other.h5").write_bytes(Texts.good)
        (self.folder / "parts.toml").write_text(SCENE)
        with h5py.File(self.folder / "other.h5") as other:
            rows = other["frames/q"][:]
        rows.tofile(self.folder / "raw")

        def linked(name):
            def change(file):
                del file[name]
                file[name] = h5py.ExternalLink("other.h5", name)
            return change

        def external(file):
            del file["frames/q"]
            file.create_dataset("frames/q", rows.shape, rows.dtype, external=[("raw", 0, h5py.h5f.UNLIMITED)])

        def virtual(file):
            del file["frames/q"]
            layout = h5py.VirtualLayout(rows.shape, rows.dtype)
            layout[:] = h5py.VirtualSource("other.h5", "frames/q", rows.shape)
            file.create_virtual_dataset("frames/q", layout)

        for name, change in (("link to a table", linked("frames")), ("link to a column", linked("frames/q")),
                             ("link to a group with attributes", linked("run")), ("external", external),
                             ("virtual", virtual)):
            with self.subTest(name):
                for result in self.given(change):
                    self.assertEqual(result.returncode, 2, result.stdout)
        including = lambda file: forge(file, ("run/scene_text", None), 'include = ["parts.toml"]\n')
        for result in self.given(including, [COMMANDS[0], COMMANDS[2], COMMANDS[3]]):
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn("it may not include files", result.stderr)

    def test_scenes_say_what_they_show(self):
        for text, place in (("# a\u202eb\n" + SCENE, ":1:4: "),
                            (SCENE.replace('"a ball falls on a plate"', '"a\\u202Eb"'), ":3:9: "),
                            (SCENE.replace('"a ball falls on a plate"', '"a\\u001B[2J"'), ":3:9: "),
                            (SCENE.replace("mass = 1.0", '"ma\\u2066ss" = 1.0'), ":7:1: "),
                            (SCENE.encode() + b"# \xc0\x8a\n", ":35:3: ")):
            (self.folder / "evil.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
            said = self.refused("run", "evil.toml", says="remove it").stderr
            self.assertIn("evil.toml" + place, said)
            self.assertTrue(said.isascii(), said)
        (self.folder / "bom.toml").write_bytes(b"\xef\xbb\xbf" + SCENE.encode())
        self.ok("run", "bom.toml", "--out", "bom.h5", "--quiet")
        self.ok("verify", "bom.h5")

    def test_names_of_files_are_shown_in_one_line(self):
        for name in ("a\x1b[2J.toml", "a\nescapement: all is well.toml", "a\u202etxt.toml"):
            for words in (("run", name), ("verify", name), ("check", name), ("run", "--resume", name), ("compare", name, "--json")):
                result = tool(*words, folder=self.folder)
                self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
                self.assertTrue(result.stderr.isascii() and result.stderr[:-1].isprintable(), result.stderr)


class Terminal(unittest.TestCase):
    def test_only_one_file_of_the_tool_prints(self):
        """The others go through it, which writes out what terminals obey."""
        from cli_test import ROOT
        for source in sorted((ROOT / "cli").glob("*.cpp")):
            if source.name not in ("print.cpp", "progress.cpp", "completion.cpp"):
                text = source.read_text()
                for call in ("std::printf", "std::fprintf", "std::puts", "std::cerr"):
                    self.assertNotIn(call, text, source)


if __name__ == "__main__":
    unittest.main()
