"""Files that cannot be read, places that cannot be written, and disks that fill up, through every command."""
import json
import os
import resource
import shutil
import subprocess
import unittest
from pathlib import Path

from cli_test import BALL, CRANK, TOOL, Folder, clear_failure, tool

NOBODY = 65534


def commands():
    """Name and operands of every command, as the tool itself lists them."""
    lines = [line.split() for line in tool("--help").stdout.splitlines() if line.startswith("  escapement ")]
    return [(words[1], words[2]) for words in lines]


def reading(kind):
    """The commands whose operand is a SCENE or RESULTS, each with what else it needs."""
    extra = {"export": ["--csv", "out.csv"], "plot": ["--out", "out.svg"]}
    return [(name, extra.get(name, [])) for name, operands in commands() if operands == kind]


class Unprivileged(Folder):
    """The folder `closed` may be entered but not written, the file `secret` not read; root may do both."""

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o777)
        self.closed = self.folder / "closed"
        self.closed.mkdir()
        for name in ("secret.toml", "secret.h5"):
            (self.folder / name).write_text("version = 1\n")
            (self.folder / name).chmod(0)
        self.scene = str(shutil.copy(BALL, self.folder / "ball.toml"))
        self.ok("run", BALL, "--out", "ball.h5", "--quiet")
        (self.folder / "ball.h5").chmod(0o444)
        self.closed.chmod(0o555)
        self.addCleanup(self.closed.chmod, 0o755)

    def tool(self, *words):
        if os.geteuid() != 0:
            return tool(*words, folder=self.folder)
        program = self.folder / "program"
        if not program.exists():
            shutil.copy(TOOL, program)
        return tool(*words, folder=self.folder, program=str(program), user=NOBODY, group=NOBODY, extra_groups=[])

    def refused_with(self, name, reason, *words):
        result = self.tool(*words)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        clear_failure(self, result, name)
        self.assertIn(reason, result.stderr)

    def test_reading_without_permission(self):
        for kind, name in (("SCENE", "secret.toml"), ("RESULTS", "secret.h5")):
            for command, extra in reading(kind):
                with self.subTest(command=command):
                    self.refused_with(name, "Permission denied", command, name, *extra)
        self.refused_with("secret.h5", "Permission denied", "run", "--resume", "secret.h5")
        self.refused_with("ball.h5", "Permission denied", "run", "--resume", "ball.h5", "--until", "9")

    def test_writing_without_permission(self):
        for option, name in (("--out", "closed/r.h5"), ("--csv", "closed/r.csv")):
            self.refused_with(name, "Permission denied", "run", self.scene, option, name)
        for option in ("--csv", "--contacts", "--events"):
            self.refused_with("closed/r.csv", "Permission denied", "export", "ball.h5", option, "closed/r.csv")
        self.refused_with("closed/vtk", "Permission denied", "export", "ball.h5", "--vtk", "closed/vtk")
        self.refused_with("closed/ball", "Permission denied", "export", "ball.h5", "--vtk", "closed")
        self.refused_with("closed/r.svg", "Permission denied", "plot", "ball.h5", "--out", "closed/r.svg")
        self.refused_with("closed/r.svg", "Permission denied", "compare", self.scene, "--svg", "closed/r.svg")
        self.assertEqual(list(self.closed.iterdir()), [])


class Operands(Folder):
    def refused_clearly(self, name, *words):
        result = tool(*words, folder=self.folder)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        clear_failure(self, result, name)

    def test_files_that_are_not_there_and_folders(self):
        (self.folder / "folder").mkdir()
        for kind in ("SCENE", "RESULTS"):
            self.assertTrue(reading(kind))
            for command, extra in reading(kind):
                for name in ("nowhere", "folder", "folder/below/nowhere"):
                    with self.subTest(command=command, name=name):
                        self.refused_clearly(name, command, name, *extra)
        for name in ("nowhere", "folder"):
            self.refused_clearly(name, "run", "--resume", name)

    def test_options_and_operands_that_are_not(self):
        for name, operands in commands():
            with self.subTest(command=name):
                self.refused_clearly("--unheard-of", name, "x", "--unheard-of")
                self.refused_clearly("operands", name, *["x"] * 101)
                if not operands.startswith("["):
                    self.refused_clearly(operands.split("|")[0], name)

    def test_options_without_their_value(self):
        for name, _ in commands():
            for line in tool(name, "--help").stdout.splitlines():
                words = line.split()
                if len(words) > 1 and words[0].startswith("-") and words[1].isupper():
                    with self.subTest(command=name, option=words[0]):
                        self.refused_clearly("needs a value", name, "x", words[0])
                        self.refused_clearly("needs a value", name, "x", words[0], "")


class Places(Folder):
    def setUp(self):
        super().setUp()
        (self.folder / "folder").mkdir()
        (self.folder / "file").write_text("precious")
        self.ok("run", BALL, "--out", "ball.h5", "--quiet")

    def test_folders_and_files_in_the_way(self):
        for force in ([], ["--force"]):
            for option in ("--out", "--csv"):
                self.refused("run", BALL, option, "folder", *force, says="folder")
                self.refused("run", BALL, option, "file/r", *force, says="file/r")
                self.refused("run", BALL, option, "gone/r", *force, says="gone/r")
            self.refused("export", "ball.h5", "--csv", "folder", *force, says="folder")
            self.refused("export", "ball.h5", "--vtk", "file", *force, says="file")
            (self.folder / "picture.svg").mkdir(exist_ok=True)
            self.refused("plot", "ball.h5", "--out", "picture.svg", *force, says="picture.svg")
            self.refused("compare", BALL, "--svg", "gone/p.svg", *force, says="gone/p.svg")
        self.assertEqual((self.folder / "file").read_text(), "precious")

    def test_a_run_that_is_refused_leaves_nothing_behind(self):
        before = sorted(os.listdir(self.folder))
        self.refused("run", BALL, "--csv", "r.csv", "--out", "gone/r.h5", says="gone/r.h5")
        self.refused("run", BALL, "--csv", "r.csv", "--option", "thet=1", says="thet")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_no_input_is_overwritten_under_any_name(self):
        (self.folder / "parts.toml").write_text(Path(BALL).read_text())
        (self.folder / "scene.toml").write_text('include = ["parts.toml"]\n')
        (self.folder / "link.svg").symlink_to("scene.toml")
        os.link(self.folder / "ball.h5", self.folder / "hard.svg")
        before = {file: file.read_bytes() for file in self.folder.iterdir() if file.is_file()}
        reads = "which this command reads"
        for option in ("--out", "--csv"):
            for name in ("scene.toml", "./scene.toml", "folder/../scene.toml", "link.svg", "parts.toml"):
                self.refused("run", "scene.toml", option, name, "--force", says=reads)
        self.refused("compare", "scene.toml", "--svg", "link.svg", "--force", says=reads)
        for option in ("--csv", "--contacts", "--events"):
            for name in ("ball.h5", "hard.svg"):
                self.refused("export", "ball.h5", option, name, "--force", says=reads)
        self.refused("plot", "ball.h5", "--out", "hard.svg", "--force", says=reads)
        self.assertEqual({file: file.read_bytes() for file in before}, before)

    def test_no_two_outputs_are_one_file(self):
        (self.folder / "here").symlink_to(".")
        (self.folder / "old").write_text("")
        before = sorted(os.listdir(self.folder))
        for command in (("run", BALL, "--out"), ("example", "bouncing-ball", "--out"),
                        ("export", "ball.h5", "--contacts"), ("export", "ball.h5", "--events")):
            for one, other in (("x", "x"), ("x", "./x"), ("x", "folder/../x"), ("x", "here/x"), ("old", "./old")):
                self.refused(*command, one, "--csv", other, "--force", says="are the same file")
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.ok("export", "ball.h5", "--csv", "/dev/null", "--events", "/dev/null", "--force")

    def test_pipes_that_nobody_reads(self):
        os.mkfifo(self.folder / "pipe.svg")
        for words in (("run", BALL, "--csv"), ("run", BALL, "--out"), ("export", "ball.h5", "--csv"),
                      ("compare", BALL, "--svg"), ("plot", "ball.h5", "--out")):
            self.refused(*words, "pipe.svg", "--force", says="pipe.svg")
        with (self.folder / "read.csv").open("w") as read:
            reader = subprocess.Popen(["cat", self.folder / "pipe.svg"], stdout=read)
            self.ok("export", "ball.h5", "--csv", "pipe.svg", "--force")
            self.assertEqual(reader.wait(timeout=20), 0)
        self.assertTrue((self.folder / "read.csv").read_text().startswith("t [s],"))

    @unittest.skipUnless(Path("/dev/full").exists(), "needs /dev/full")
    def test_devices_without_room(self):
        self.refused("run", BALL, "--out", "/dev/full", "--force", says="/dev/full")
        result = tool("run", BALL, "--csv", "/dev/full", "--force", folder=self.folder)
        self.assertEqual(result.returncode, 1)
        clear_failure(self, result, "/dev/full: writing failed: No space left on device")
        self.refused("export", "ball.h5", "--csv", "/dev/full", "--force", says="/dev/full: writing failed: No space")
        result = tool("run", BALL, "--csv", "/dev/full", "--force", "--json", folder=self.folder)
        self.assertEqual(json.loads(result.stdout)["status"], "failed")
        with open("/dev/full", "w") as full:
            result = tool("run", BALL, "--json", folder=self.folder, capture_output=False, stdout=full)
        self.assertEqual(result.returncode, 1)


class FullDisk(Folder):
    """No file may grow beyond a limit, as on a disk with so much room."""

    def run_with_room(self, room, *words):
        # Python ignores SIGXFSZ, and so does what it starts: write() fails as on a full disk.
        return tool(*words, folder=self.folder, restore_signals=False,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))

    def test_no_room_at_the_start(self):
        for room in (0, 10_000):
            result = self.run_with_room(room, "run", BALL, "--out", "r.h5")
            self.assertEqual(result.returncode, 2)
            clear_failure(self, result, "r.h5: writing failed: File too large")
            self.assertEqual(os.listdir(self.folder), [])

    def test_no_room_in_the_run(self):
        run = ("run", CRANK, "--step", "4e-6", "--frames", "0", "--out", "r.h5", "--quiet")
        self.ok(*run)
        room = 3 * (self.folder / "r.h5").stat().st_size // 4
        (self.folder / "r.h5").unlink()
        result = self.run_with_room(room, *run)
        self.assertEqual(result.returncode, 1)
        clear_failure(self, result, "r.h5: writing failed: File too large; the file holds ")
        frames = int(result.stderr.split("the file holds ")[1].split()[0])
        self.assertGreater(frames, 100)
        self.ok("export", "r.h5", "--csv", "r.csv")
        self.assertEqual(len((self.folder / "r.csv").read_text().splitlines()), 1 + frames)
        self.ok("verify", "r.h5")

    def test_no_room_for_what_is_exported(self):
        self.ok("run", BALL, "--out", "ball.h5", "--quiet")
        for option, name in (("--csv", "r.csv"), ("--vtk", "vtk")):
            result = self.run_with_room(100, "export", "ball.h5", option, name)
            clear_failure(self, result, name)
            self.assertIn("writing failed: File too large", result.stderr)


if __name__ == "__main__":
    unittest.main()
