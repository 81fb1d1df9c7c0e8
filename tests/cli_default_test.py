"""What a scene that names no scheme runs, and what the tool says of it."""
import json
import re
import unittest
from pathlib import Path

from cli_test import BALL, CRANK, Folder, tool


class Default(Folder):
    # README's first promise, of a scene that names no scheme.
    def test_by_default_nothing_penetrates_and_impacts_obey_their_law(self):
        e = 0.6
        scene = ('version = 1\ncoordinates = [{ name = "ball", names = ["y"], start = [1.0], mass = 0.2, '
                 'potential = "0.2*9.81*y" }]\ncontact = [{ name = "floor", gap = "y", e = %g }]\n'
                 'simulation = { step = 1e-3, until = 3, frames = 0 }\n' % e)
        (self.folder / "plain.toml").write_text(scene)
        run = json.loads(self.ok("run", "plain.toml", "--out", "plain.h5", "--csv", "plain.csv", "--json").stdout)
        self.assertEqual(run["scheme"], "halve")
        self.assertIn("done, halve of combined-projection,", self.ok("run", "plain.toml").stdout)
        self.assertLessEqual(run["max_penetration"], 2e-12)
        self.assertTrue(run["certificate"]["ok"])
        rows = [line.split(",") for line in (self.folder / "plain.csv").read_text().splitlines()[1:]]
        y, v = [float(row[1]) for row in rows], [float(row[2]) for row in rows]
        self.assertGreaterEqual(min(y), -2e-12)
        jumps = [(before, after) for before, after in zip(v, v[1:]) if before < -0.1 and after > 0.0]
        self.assertGreater(len(jumps), 3)
        for before, after in jumps:  # within what gravity does in a step
            self.assertAlmostEqual(after / -before, e, delta=9.81e-3 * (1 + e) / -before)

    def test_an_option_of_the_scheme_that_the_default_holds(self):
        self.refused("run", BALL, "--option", "theta=1", says="write inner.theta")
        self.ok("run", BALL, "--option", "inner.theta=1", "--until", "0.1")
        scene = Path(BALL).read_text() + "\n[simulation.options]\ntheta = 1\n"
        (self.folder / "held.toml").write_text(scene)
        self.refused("run", "held.toml", says="write inner = { theta = ... }")
        (self.folder / "held.toml").write_text(scene.replace("theta = 1", "inner = { theta = 1 }"))
        self.ok("run", "held.toml", "--until", "0.1")

    def test_the_summary_says_that_steps_were_halved(self):
        words = ("run", CRANK, "--step", "4e-3", "--until", "0.1", "--option", "inner.newton_max=4")
        result = tool(*words, folder=self.folder)
        said = re.search(r"(?m)(\d+) rejected\nhalved +(\d+) attempts? at", result.stdout)
        self.assertIsNotNone(said, result.stdout + result.stderr)
        self.assertEqual(said[1], said[2])
        self.assertNotIn("halved", self.ok("run", BALL).stdout)


if __name__ == "__main__":
    unittest.main()
