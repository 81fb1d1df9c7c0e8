"""The pages are true: code blocks are files, links and paths lead somewhere, tables and outputs are those of the
programs. The code itself is run by docs_test.cpp.

A code block of C++ stands under a comment that says where it is from:
    <!-- file: PATH -->   the block is the whole file
    <!-- from: PATH -->   the block is a run of lines of it, moved to the left margin
An output stands under <!-- output: PROGRAM -->; its lines begin with the words with which the program's lines begin.
Commands of the tool and scenes are run by docs_commands_test.py.

The programs are built by `ninja -C build/release demo docs_ball docs_print_options`.
"""
import json
import os
import re
import subprocess
import tempfile
import textwrap
import unittest
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("ESCAPEMENT_BUILD", ROOT / "build" / "release")).resolve()
FENCE = re.compile(r"^(?:<!-- (\w+): (\S+) -->\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:bench|cmake|docs|examples|include|scripts|src|tests)/[\w./*-]+)`")
PLACEHOLDER = re.compile(r"NAME|NNNN|\*")


def pages():
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))


def anchors(page):
    """The names that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_excerpt(block, text):
    """Whether the lines of the block follow each other in the text, all indented by the same amount."""
    lines = text.splitlines()
    wanted = block.splitlines()
    runs = (lines[i:i + len(wanted)] for i in range(len(lines) - len(wanted) + 1))
    return any(textwrap.dedent("\n".join(run)).splitlines() == wanted for run in runs)


def broken_link(page, target):
    """What is wrong with a link of this page, or nothing."""
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    file = (page.parent / path) if path else page
    if not file.exists():
        return "leads nowhere"
    if anchor and anchor not in anchors(file):
        return "names no heading"
    return None


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def labels(text):
    return [line.split()[0] for line in text.splitlines() if line.strip()]


def words(text):
    return [NUMBER.sub("#", line) for line in text.splitlines() if line.strip()]


def numbers(text):
    """Round-off is one number, whatever it is: another libm has other last digits."""
    found = [float(number) for number in NUMBER.findall(text)]
    return [0.0 if abs(number) < 1e-9 else number for number in found]


def output_of(program):
    if not (BUILD / program).exists():
        raise AssertionError(f"{BUILD / program} is not built; the tests of the pages need: ninja -C {BUILD} {program}")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([BUILD / program], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


class Pages(unittest.TestCase):
    def blocks(self, kind):
        for page in pages():
            for found, source, language, block in FENCE.findall(page.read_text()):
                if found == kind:
                    yield page.relative_to(ROOT), source, language, block

    def test_every_block_of_cpp_says_where_it_is_from(self):
        for page, _, language, block in self.blocks(""):
            self.assertNotEqual(language, "cpp", f"{page}: unmarked block\n{block}")

    def test_blocks_are_the_files(self):
        count = 0
        for page, source, _, block in self.blocks("file"):
            self.assertEqual(block, (ROOT / source).read_text(), f"{page}: the block is not {source}")
            count += 1
        self.assertGreater(count, 0)

    def test_blocks_are_excerpts_of_the_files(self):
        count = 0
        for page, source, _, block in self.blocks("from"):
            self.assertTrue(is_excerpt(block, (ROOT / source).read_text()), f"{page}: not in {source}:\n{block}")
            count += 1
        self.assertGreater(count, 5)

    def test_links(self):
        for page in pages():
            for target in LINK.findall(without_code(page.read_text())):
                fault = broken_link(page, target)
                self.assertIsNone(fault, f"{page.relative_to(ROOT)}: the link {target} {fault}")

    def test_paths_exist(self):
        for page in pages():
            for path in PATH.findall(page.read_text()):
                if not PLACEHOLDER.search(path):
                    self.assertTrue((ROOT / path).exists(), f"{page.relative_to(ROOT)}: there is no {path}")

    def test_every_page_is_reached_from_the_readme(self):
        seen, queue = set(), [ROOT / "README.md"]
        while queue:
            page = queue.pop()
            if page in seen or page.suffix != ".md":
                continue
            seen.add(page)
            targets = [t.partition("#")[0] for t in LINK.findall(page.read_text()) if not re.match(r"[a-z]+:", t)]
            queue += [(page.parent / t).resolve() for t in targets if t]
        for page in pages():
            self.assertIn(page, seen, "no page links to it")

    def test_pictures_are_well_formed(self):
        pictures = list((ROOT / "docs").rglob("*.svg"))
        self.assertTrue(pictures)
        for picture in pictures:
            xml.etree.ElementTree.parse(picture)


def tables_of(scene):
    """The tables [[...]] of a scene as text, without the lines in front of the first."""
    return re.split(r"^(?=\[\[)", scene, flags=re.MULTILINE)[1:]


class SideBySide(unittest.TestCase):
    """Joints, forces and shapes stand in TOML and in C++; tests/scene_docs_test.cpp compares the two models."""

    PAGES = ("joints.md", "forces.md", "shapes.md")
    TWINS = {"joints": "joints", "forces": "forces", "shapes_in_the_plane": "shapes", "shapes_in_space": "shapes"}

    def pairs(self):
        """Blocks of a scene with the block that follows each."""
        for name in self.PAGES:
            text = (ROOT / "docs" / name).read_text()
            blocks = list(FENCE.finditer(text))
            for block, after in zip(blocks, [*blocks[1:], None]):
                if block[3] == "toml":
                    yield name, block, after, text

    def test_a_block_of_cpp_follows_every_scene(self):
        for name, block, after, text in self.pairs():
            self.assertTrue(after and after[3] == "cpp" and not text[block.end():after.start()].strip(),
                            f"{name}: no C++ after\n{block[4]}")
            scene = Path(block[2]).stem
            self.assertEqual(after[2], f"docs/code/{self.TWINS[scene]}.cpp", f"{name}: not the model of {scene}.toml")
            for item in re.findall(r'^name = "(.*)"$', block[4], re.MULTILINE):
                if item != "gravity":
                    self.assertIn(f'"{item}"', after[4], f"{name}: the C++ has no {item}")

    def test_every_kind_is_shown(self):
        schema = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
        shown = {(table.split("]]")[0][2:], kind) for _, block, _, _ in self.pairs() for table in tables_of(block[4])
                 for kind in re.findall(r'^kind = "(.*)"$', table, re.MULTILINE)}
        for table in ("joint", "force", "shape"):
            kinds = [entry["properties"]["kind"]["const"] for entry in schema["$defs"][table]["oneOf"]]
            self.assertGreater(len(kinds), 5)
            for kind in kinds:
                self.assertIn((table, kind), shown, f"no page shows the {table} '{kind}'")


class Programs(unittest.TestCase):
    def test_outputs(self):
        seen = []
        for page in pages():
            for kind, program, _, block in FENCE.findall(page.read_text()):
                if kind == "output":
                    printed, where = output_of(program), f"{page.name}: output of {program}"
                    self.assertEqual(words(block), words(printed), where)
                    for shown, is_now in zip(numbers(block), numbers(printed), strict=True):
                        self.assertAlmostEqual(shown, is_now, delta=1e-2 * abs(is_now), msg=where)
                    seen.append(program)
        self.assertEqual(sorted(set(seen)), ["demo", "docs/ball"])

    def test_options_are_up_to_date(self):
        page = (ROOT / "docs" / "options.md").read_text()
        self.assertTrue(output_of("docs/print_options") == page,
                        "docs/options.md is old: build/release/docs/print_options > docs/options.md")

    def test_the_pages_of_the_schemes_have_their_options(self):
        for title, table in re.findall(r"^## (\S+)\n.*?\n(\|.*?\n)(?=\n|\Z)", output_of("docs/print_options"),
                                       re.MULTILINE | re.DOTALL):
            page = ROOT / "docs" / "schemes" / (title.replace("-", "_") + ".md")
            if page.exists():
                self.assertTrue(table in page.read_text(), f"{page.name}: copy its table from docs/options.md")


class TheChecksThemselves(unittest.TestCase):
    def test_excerpts(self):
        text = "a\n  b\n    c\nd\n"
        self.assertTrue(is_excerpt("b\n  c\n", text))
        self.assertFalse(is_excerpt("b\nc\n", text))
        self.assertFalse(is_excerpt("b\n  d\n", text))

    def test_links(self):
        readme = ROOT / "README.md"
        self.assertIsNone(broken_link(readme, "docs/notation.md"))
        self.assertIsNone(broken_link(readme, "docs/notation.md#words"))
        self.assertIsNone(broken_link(readme, "https://example.org/"))
        self.assertEqual(broken_link(readme, "docs/gone.md"), "leads nowhere")
        self.assertEqual(broken_link(readme, "docs/notation.md#gone"), "names no heading")

    def test_labels(self):
        self.assertEqual(labels("run   done, 3\n\ncontact  4\n"), ["run", "contact"])


if __name__ == "__main__":
    unittest.main()
