"""Every command and every scene in the pages is run, and gives what the page says.

A block `console` holds lines `$ command`, each followed by what it prints, standard output before standard error, up to
the next `$ `. The blocks of a page are run from top to bottom by bash in one empty folder that has the tree's `scenes`,
with the built tool on the path.
    ...        as a word stands for any words of its line, as a line for any lines
    (exit 1)   as the last line is the exit code, which is 0 where there is none
A number stands for every number that differs from it by less than 1e-5 of it; numbers below 1e-9 are round-off, and
stand for each other. A line with neither numbers nor `...` is compared letter by letter.

A block `toml` stands under a comment that says what it is:
    <!-- scene: NAME.toml -->   a scene, written into the folder; a later command uses it
    <!-- part: NAME.toml -->    a run of lines of a scene above it on the page, of scenes/ or of docs/code/
A block `sh` is for what the tests cannot run in a page's folder: make, cmake, programs that need minutes. The tool is
never called there, nor in an indented line.

    docs_commands_test.py --write PAGE...    puts what the commands print into pages where it differs, to be read after
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple

import docs_test
from docs_test import BUILD, FENCE, ROOT

NUMBER = r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w|\.\d)"
WORDS = re.compile(rf"\.\.\.|{NUMBER}|(?:(?!{NUMBER})\S)+")
EXIT = re.compile(r"\(exit (\d+)\)")
TOOL_CALL = re.compile(r"^(?:\$ |\./)?(?:build/\w+/)?escapement ", re.MULTILINE)
INDENTED_CALL = re.compile(r"^(?: {4,}|\t)\s*(?:\$ )?(?:build/\w+/)?escapement .*$", re.MULTILINE)
INDENTED_FENCE = re.compile(r"^[ \t]+```(?:console|toml|sh)$", re.MULTILINE)
LANGUAGES = {"cmake", "console", "cpp", "python", "sh", "text", "toml"}

# What not every machine has, and the commands that need it.
NEEDS = {"gnuplot": re.compile(r"\bescapement plot\b|\.svg\b|\.png\b"), "h5py": re.compile(r"\bpython3\b")}


class Command(NamedTuple):
    line: str
    expected: list  # lines
    code: int


def pages():
    return [*docs_test.pages(), *sorted(ROOT.glob("*/README.md"))]


def commands_of(block):
    """The commands of a console block."""
    commands = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append(Command(line[2:], [], 0))
        elif not commands:
            raise ValueError(f"a console block begins with '$ ', not with '{line}'")
        elif exit_code := EXIT.fullmatch(line):
            commands[-1] = commands[-1]._replace(code=int(exit_code[1]))
        else:
            commands[-1].expected.append(line)
    return commands


def agree(expected, found, same):
    """Whether two lists agree one by one, where '...' stands for any run."""
    if not expected:
        return not found
    if expected[0].strip() == "...":
        return any(agree(expected[1:], found[i:], same) for i in range(len(found) + 1))
    return bool(found) and same(expected[0], found[0]) and agree(expected[1:], found[1:], same)


def same_word(expected, found):
    if not (re.fullmatch(NUMBER, expected) and re.fullmatch(NUMBER, found)):
        return expected == found
    a, b = float(expected), float(found)
    return abs(a - b) <= 1e-5 * abs(a) or max(abs(a), abs(b)) < 1e-9


def same_line(expected, found):
    words = WORDS.findall(expected)
    if not any(word == "..." or re.fullmatch(NUMBER, word) for word in words):
        return expected.rstrip() == found.rstrip()
    return agree(words, WORDS.findall(found), same_word)


def missing():
    """What this machine does not have of NEEDS."""
    h5py = subprocess.run([sys.executable, "-c", "import h5py"], capture_output=True, check=False)
    have = {"gnuplot": shutil.which("gnuplot") is not None, "h5py": h5py.returncode == 0}
    return [name for name in NEEDS if not have[name]]


class Run:
    """The commands of one page, in its folder. `faults` is what does not agree, `skipped` what could not be run."""

    def __init__(self, text, folder, without=()):
        self.folder, self.without = Path(folder), without
        self.text, self.place, self.faults, self.skipped, self.count = text, 0, [], [], 0
        (self.folder / "scenes").symlink_to(ROOT / "scenes")
        for block in FENCE.finditer(text):
            kind, name, language, body = block.groups()
            if kind == "scene":
                (self.folder / name).write_text(body)
                if not re.search(rf"^\$ .*{re.escape(name)}", text[block.end():], re.MULTILINE):
                    self.faults.append(f"no later command uses the scene {name}")
            elif kind == "part":
                self.part(name, body)
            elif language == "toml":
                self.faults.append(f"a toml block is neither a scene nor a part of one:\n{body}")
            elif language == "console":
                for command in commands_of(body):
                    self.command(command)

    def part(self, name, body):
        folders = (self.folder, ROOT / "scenes", ROOT / "docs" / "code")
        source = next((folder / name for folder in folders if (folder / name).exists()), None)
        if source is None or not docs_test.is_excerpt(body, source.read_text()):
            self.faults.append(f"this is no part of {name}:\n{body}")

    def command(self, command):
        self.place = self.text.index(f"$ {command.line}\n", self.place) + len(f"$ {command.line}\n")
        lacking = [name for name in self.without if NEEDS[name].search(command.line)]
        if lacking:
            self.skipped.append(f"{command.line} (needs {lacking[0]})")
            return
        path = os.pathsep.join([str(BUILD), str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["bash", "-c", command.line], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60, check=False)
        found = (done.stdout + done.stderr).splitlines()
        self.count += 1
        if done.returncode == command.code and agree(command.expected, found, same_line):
            return
        ending = [f"(exit {done.returncode})"] if done.returncode != 0 else []
        self.faults.append("\n".join(["$ " + command.line, "prints", *found, *ending, "not", *command.expected,
                                      *([f"(exit {command.code})"] if command.code != 0 else [])]))
        self.replace(command, found + ending)

    def replace(self, command, found):
        """Puts what was found into the text; lines that agree stay as they are."""
        old = re.match(r"(?:(?!\$ |```$).*\n)*", self.text[self.place:], re.MULTILINE)[0]
        kept, new = [line for line in old.splitlines() if line != "..."], ""
        for line in found:
            same = [i for i, candidate in enumerate(kept) if same_line(candidate, line)]
            new += (kept[same[0]] if same else line.rstrip()) + "\n"
            kept = kept[same[0] + 1:] if same else kept
        self.text = self.text[:self.place] + new + self.text[self.place + len(old):]


def run(text, without=()):
    with tempfile.TemporaryDirectory() as folder:
        return Run(text, folder, without)


def tool(*words):
    return subprocess.run([BUILD / "escapement", *words], capture_output=True, text=True, check=True).stdout


def misplaced(text):
    """Commands and blocks that would not be run."""
    for kind, _, language, body in FENCE.findall(text):
        if language not in LANGUAGES:
            yield f"a block of no known language '{language}':\n{body}"
        if (language == "toml") != (kind in ("scene", "part")):
            yield f"a toml block is a scene or a part, and nothing else is:\n{body}"
        if language in ("sh", "text") and kind != "output" and TOOL_CALL.search(body):
            yield f"the tool is called in a block that is not run:\n{body}"
    for found in INDENTED_FENCE.findall(text):
        yield f"an indented block: {found.strip()}"
    for found in INDENTED_CALL.findall(FENCE.sub("", text)):
        yield f"the tool is called in an indented line: {found.strip()}"


class Pages(unittest.TestCase):
    def test_commands_and_scenes(self):
        without, count = missing(), 0
        for page in pages():
            with self.subTest(page=str(page.relative_to(ROOT))):
                done = run(page.read_text(), without)
                count += done.count
                for line in done.skipped:
                    print("not run:", line, file=sys.stderr)
                self.assertFalse(done.faults, "\n\n".join(["", *done.faults]))
        self.assertGreater(count, 50)

    def test_nothing_is_left_out(self):
        for page in pages():
            with self.subTest(page=str(page.relative_to(ROOT))):
                self.assertEqual(list(misplaced(page.read_text())), [])

    def test_every_command_has_a_page_with_its_help_and_a_mistake(self):
        folder = ROOT / "docs" / "commands"
        names = re.findall(r"^  escapement (\w+)", tool("--help"), re.MULTILINE)
        self.assertIn("run", names)
        self.assertEqual(sorted(names), sorted(page.stem for page in folder.glob("[a-z]*.md")))
        for name in names:
            page = (folder / f"{name}.md").read_text()
            self.assertIn(f"\n$ escapement {name} --help\n", page, f"{name}.md lacks the help")
            self.assertRegex(page, r"\n\(exit 2\)\n", f"{name}.md shows no mistake")

    def test_the_overview_says_which_commands_have_json(self):
        overview = (ROOT / "docs" / "commands" / "README.md").read_text()
        rows = [re.split(r" *\| *", row) for row in re.findall(r"^\| \[\w+\].*$", overview, re.MULTILINE)]
        said = {re.match(r"\[(\w+)\]", row[1])[1]: row[4] == "yes" for row in rows}
        self.assertEqual(said, {name: "--json" in tool(name, "--help") for name in said})
        self.assertEqual(sorted(said), sorted(re.findall(r"^  escapement (\w+)", tool("--help"), re.MULTILINE)))


def console(*lines):
    return "\n".join(["```console", *lines, "```", ""])


class TheChecksThemselves(unittest.TestCase):
    def faults(self, *lines):
        return len(run(console(*lines)).faults)

    def test_what_is_printed(self):
        self.assertEqual(self.faults("$ printf 'a\\nb\\n'", "a", "b", "$ true"), 0)
        self.assertEqual(self.faults("$ echo b >&2; echo a", "a", "b"), 0)
        self.assertEqual(self.faults("$ printf 'a\\nb\\n'", "a"), 1)
        self.assertEqual(self.faults("$ echo a", "a", "b"), 1)
        self.assertEqual(self.faults("$ echo a"), 1)
        self.assertEqual(self.faults("$ echo a", "b"), 1)
        self.assertEqual(self.faults("$ echo a  b", "a  b"), 1)
        self.assertEqual(self.faults("$ echo a", "b", "$ echo a", "b"), 2)

    def test_numbers(self):
        self.assertTrue(same_line("t = 0.2 s, (1e-3)", "t = 0.2000001 s, (0.001)"))
        self.assertTrue(same_line("residual 4.8e-16, drift -0", "residual 0, drift 3e-13"))
        self.assertFalse(same_line("t = 0.2 s", "t = 0.20001 s"))
        self.assertFalse(same_line("118 impacts", "119 impacts"))
        self.assertFalse(same_line("1e-8", "2e-8"))
        self.assertFalse(same_line("3 steps", "3 stops"))
        self.assertFalse(same_line("h5", "h6"))
        self.assertFalse(same_line("1 2", "1"))

    def test_dots(self):
        self.assertTrue(same_line('in ... s, {"seconds": ...}', 'in 0.3 s, {"seconds": 4}'))
        self.assertTrue(same_line("run ...", "run done, 3"))
        self.assertFalse(same_line("run ...", "runs"))
        self.assertFalse(same_line("in ... s", "in 0.3 m"))
        self.assertFalse(same_line("--steps H,...", "--steps H,K,..."))
        self.assertEqual(self.faults("$ seq 9", "1", "...", "9"), 0)
        self.assertEqual(self.faults("$ seq 9", "1", "...", "8"), 1)

    def test_exit_codes(self):
        self.assertEqual(self.faults("$ echo a; exit 2", "a", "(exit 2)"), 0)
        self.assertEqual(self.faults("$ echo a; exit 2", "a", "(exit 1)"), 1)
        self.assertEqual(self.faults("$ exit 1"), 1)
        self.assertEqual(self.faults("$ true", "(exit 1)"), 1)

    def test_scenes_and_parts(self):
        scene = "<!-- scene: a.toml -->\n```toml\nb = 1\nc = 2\n```\n"
        self.assertFalse(run(scene + console("$ cat a.toml", "b = 1", "c = 2")).faults)
        self.assertEqual(len(run(scene).faults), 1)
        self.assertEqual(len(run(console("$ test ! -e a.toml") + scene).faults), 1)
        self.assertEqual(len(run("```toml\nb = 1\n```\n").faults), 1)
        part = "<!-- part: a.toml -->\n```toml\nc = 2\n```\n"
        use = console("$ test -e a.toml")
        self.assertFalse(run(scene + part + use).faults)
        self.assertEqual(len(run(scene + part.replace("2", "3") + use).faults), 1)
        self.assertEqual(len(run(part).faults), 1)
        self.assertFalse(run("<!-- part: bouncing-ball.toml -->\n```toml\nversion = 1\n```\n").faults)

    def test_what_a_machine_lacks_is_skipped(self):
        done = run(console("$ escapement plot a.h5", "a.svg", "$ echo a", "a"), ["gnuplot"])
        self.assertEqual((done.count, done.faults, len(done.skipped)), (1, [], 1))

    def test_misplaced_calls(self):
        self.assertFalse(list(misplaced("`escapement run`\n\n    cmake --preset release\n" + console("$ a"))))
        for text in ("```sh\nescapement run a.toml\n```\n", "```sh\nbuild/release/escapement run\n```\n",
                     "```toml\na = 1\n```\n", "```\na\n```\n", "    build/release/escapement run a.toml\n",
                     "1. a\n\n   ```console\n   $ true\n   ```\n"):
            self.assertEqual(len(list(misplaced(text))), 1, text)

    def test_writing_keeps_what_agrees(self):
        old = console("$ echo new; echo in 3 s; exit 1", "in ... s", "3", "$ echo b", "b") + console("$ echo b", "a")
        new = console("$ echo new; echo in 3 s; exit 1", "new", "in ... s", "(exit 1)", "$ echo b", "b") \
            + console("$ echo b", "b")
        self.assertEqual(run(old).text, new)


def write(paths):
    for path in paths:
        done = run(path.read_text(), missing())
        path.write_text(done.text)
        print(f"{path}: {len(done.faults)} changed")


if __name__ == "__main__":
    if "--write" in sys.argv[1:2]:
        write([Path(name) for name in sys.argv[2:]])
    else:
        unittest.main()
