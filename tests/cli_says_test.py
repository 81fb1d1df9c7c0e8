"""What the tool knows of a run, it says; what it cannot do, it refuses with a place and a remedy."""
import json
import math
import re
import subprocess
import unittest

from cli_damage_test import SCENE
from cli_test import BALL, CRANK, ROOT, TOOL, Folder, tool

# A ball that rests, sinks nowhere and bounces nowhere: mass 2 kg.
REST = """
version = 1
[parameters]
h = 1e-3
[[coordinates]]
name = "ball"
names = ["y"]
mass = 2.0
force = "-2*9.81"
[[contact]]
name = "floor"
gap = "ball.y"
[simulation]
step = "h"
until = "100*h"
"""

# A door in space that swings on a hinge about z, and a slide along x.
DOOR = """
version = 1
[[body]]
name = "door"
kind = "space"
mass = 1.0
inertia = [0.1, 0.1, 0.1]
angular_velocity = [0, 0, 2.0]
[[body]]
name = "drawer"
kind = "space"
mass = 1.0
inertia = [0.1, 0.1, 0.1]
velocity = [0.5, 0, 0]
[[joint]]
name = "hinge"
kind = "revolute"
a = { body = "ground" }
b = { body = "door" }
[[joint]]
name = "rail"
kind = "prismatic"
a = { body = "ground" }
b = { body = "drawer" }
[simulation]
scheme = "moreau-jean"
step = 1e-3
until = 0.5
"""


class Json(Folder):
    def run_json(self, text, *words):
        (self.folder / "scene.toml").write_text(text)
        return json.loads(self.ok("run", "scene.toml", "--json", *words).stdout)

    def test_forces_are_means_and_impulses_are_not_forces(self):
        run = self.run_json(REST)
        (floor,) = run["contacts"]
        self.assertEqual(floor["name"], "floor")
        self.assertAlmostEqual(floor["force"]["mean"], 2 * 9.81, 9)
        self.assertIsNone(floor["force"]["impulse"])
        run = self.run_json(REST.replace('mass = 2.0', 'mass = 2.0\nstart = [1.0]').replace('until = "100*h"', "until = 0.5"))
        (floor,) = run["contacts"]
        self.assertLess(abs(floor["force"]["impulse"] / (2 * math.sqrt(2 * 9.81)) - 1), 0.01)  # m v, whatever the step
        self.assertLess(abs(floor["force"]["impulse_t"] / math.sqrt(2 / 9.81) - 1), 0.01)
        self.assertLess(floor["force"]["mean"], 2.1 * 9.81)

    def test_joints_have_forces_and_moments(self):
        run = self.run_json(DOOR, "--until", "0.1")
        names = {joint["name"]: joint for joint in run["joints"]}
        self.assertEqual(set(names), {"hinge", "rail"})
        for joint in names.values():
            self.assertLess(joint["force"]["mean"] or 0.0, 1e-6)  # nothing pulls
        heavy = DOOR + '[[force]]\nname = "g"\nkind = "gravity"\nacceleration = [0, -9.81, 0]\n'
        for joint in self.run_json(heavy, "--until", "0.1")["joints"]:
            self.assertAlmostEqual(joint["force"]["mean"], 9.81, 6)

    def test_works_and_rejected_steps(self):
        run = self.run_json(REST.replace('mass = 2.0', 'mass = 2.0\nstart = [1.0]').replace('until = "100*h"', "until = 0.5"))
        self.assertEqual(run["rejected"], 0)
        work = run["work"]
        self.assertLess(work["impact"], 0.0)
        change = run["energy"]["final"] - run["energy"]["initial"]
        self.assertAlmostEqual(sum(work.values()), change, 9)
        self.assertAlmostEqual(work["unaccounted"], run["energy"]["balance_error"], 12)
        said = self.ok("run", "scene.toml").stdout
        self.assertRegex(said, r"(?m)^time +[\d.e-]+ s$")
        halved = json.loads(self.ok("run", CRANK, "--step", "4e-3", "--option", "inner.scheme=moreau-jean", "--option", "inner.newton_max=5",
                                    "--json").stdout)
        self.assertGreater(halved["rejected"], 0)

    def test_damping_in_a_formula_is_damping(self):
        """A mass that is pushed with 3 N, and slowed down by -4 v or -4 v |v|."""
        for law, power in (("-4*dot(y)", 2), ("-4*dot(y)*abs(dot(y))", 3)):
            for scene in (f'[[coordinates]]\nname = "m"\nnames = ["y"]\nmass = 2.0\nforce = "3 + {law}"\n',
                          f'[[coordinates]]\nname = "m"\nnames = ["y"]\nkinetic = "dot(y)^2"\nforce = "3 + {law}"\n',
                          f'[[coordinates]]\nname = "m"\nnames = ["y"]\nmass = 2.0\n[[force]]\nname = "f"\nkind = "formula"\n'
                          f'coordinates = ["m.y"]\nforce = "3 + {law}"\n'):
                run = self.run_json("version = 1\n" + scene + "[simulation]\nstep = 1e-3\nuntil = 1.0\n")
                work = run["work"]
                self.assertAlmostEqual(work["applied"], 3 * run["q"]["m.y"], 4)  # of the 3 N alone
                self.assertLess(work["damping"], 0.0)
                self.assertLess(abs(run["energy"]["final"] - work["applied"] - work["damping"]), 1e-4)
        drive = self.run_json('version = 1\n[[coordinates]]\nname = "m"\nnames = ["y"]\nrates = [1.0]\nmass = 2.0\n'
                              'force = "0.5*dot(y)"\n[simulation]\nstep = 1e-3\nuntil = 1.0\n')
        self.assertEqual(drive["work"]["damping"], 0.0)
        self.assertGreater(drive["work"]["applied"], 0.0)

    def test_velocities_that_are_a_step_behind_are_marked(self):
        words = ("run", BALL, "--until", "0.1", "--force")
        run = json.loads(self.ok(*words, "--scheme", "schatzman-paoli", "--out", "r.h5", "--csv", "r.csv", "--json").stdout)
        self.assertAlmostEqual(run["t_of_v"], run["t"] - run["step"], 12)
        self.assertIn("a step behind", self.ok(*words, "--scheme", "schatzman-paoli").stdout)
        header, *rows = (self.folder / "r.csv").read_text().splitlines()
        at = header.split(",").index("t of v [s]")
        self.assertAlmostEqual(float(rows[-1].split(",")[at]), run["t_of_v"], 12)
        titles = [panel["title"] for panel in json.loads(self.ok("plot", "r.h5", "--json").stdout)["panels"]]
        self.assertIn("velocities, a step behind", titles)
        run = json.loads(self.ok(*words, "--csv", "m.csv", "--json").stdout)
        self.assertEqual(run["t_of_v"], run["t"])
        self.assertNotIn("t of v", (self.folder / "m.csv").read_text())

    def test_joints_in_space_have_angles_and_slides(self):
        self.run_json(DOOR, "--out", "r.h5", "--csv", "run.csv")
        self.ok("export", "r.h5", "--csv", "export.csv")
        self.assertEqual((self.folder / "run.csv").read_text(), (self.folder / "export.csv").read_text())
        header, *rows = [line.split(",") for line in (self.folder / "run.csv").read_text().splitlines()]
        last = dict(zip(header, map(float, rows[-1])))
        self.assertAlmostEqual(last["hinge.angle [rad]"], 2.0 * 0.5, 6)
        self.assertAlmostEqual(last["hinge.angle_rate [rad/s]"], 2.0, 9)
        self.assertAlmostEqual(last["rail.slide [m]"], 0.5 * 0.5, 9)
        panels = json.loads(self.ok("plot", "r.h5", "--json").stdout)["panels"]
        curves = {(panel["name"], panel["unit"]): panel["curves"] for panel in panels}
        self.assertEqual(curves["joints", "rad"], ["hinge.angle"])
        self.assertEqual(curves["joints", "m"], ["rail.slide"])
        self.assertFalse([curve for panel in panels for curve in panel["curves"] if re.search(r"\.q[wxyz]$", curve)])
        self.assertEqual([name for name, unit in curves if name == "positions"], ["positions"])  # no quaternions


class Refusals(Folder):
    def test_check_refuses_what_the_scheme_refuses(self):
        text = SCENE.replace("[simulation]", '[simulation]\nscheme = "schatzman-paoli"')
        (self.folder / "ball.toml").write_text(text)
        line = text.split("\n").index("[[contact]]") + 1
        for command in ("check", "run"):
            said = self.refused(command, "ball.toml", says="schatzman-paoli has no friction").stderr
            self.assertIn(f"ball.toml:{line}:1: ", said)

    def test_nothing_is_given_twice(self):
        self.refused("run", BALL, "-p", "e=0.5", "-p", "e=0.6", says="-p gives 'e' twice")
        self.refused("check", BALL, "-p", "e=0.5", "-p", "e=0.5", says="-p gives 'e' twice")
        self.refused("run", BALL, "--option", "theta=1", "--option", "theta=0.5", says="--option gives 'theta' twice")

    def test_step_and_until_are_formulas_of_parameters(self):
        (self.folder / "rest.toml").write_text(REST)
        run = json.loads(self.ok("run", "rest.toml", "--step", "h/2", "--until", "10*h", "--json").stdout)
        self.assertEqual((run["step"], run["steps"]), (5e-4, 20))
        run = json.loads(self.ok("run", "rest.toml", "--step", "1/1000", "-p", "h=0.01", "--json").stdout)
        self.assertEqual((run["step"], run["steps"]), (1e-3, 1000))
        self.refused("run", "rest.toml", "--step", "k/2", says="unknown name 'k'")
        for text in ("1/0", "0", "-h", "nan", "t"):
            self.refused("run", "rest.toml", f"--step={text}", says="")

    def test_names(self):
        def with_name(name):
            (self.folder / "a.toml").write_text(REST.replace('name = "floor"', f'name = "{name}"'))
        with_name("a" * 201)
        self.refused("check", "a.toml", says="has 201 characters; a name has at most 200")
        with_name("ground")
        self.refused("check", "a.toml", says="'ground' is the name of what does not move")
        with_name("a" * 200)
        self.ok("check", "a.toml")

    def test_a_definition_uses_those_before_it(self):
        (self.folder / "a.toml").write_text(REST.replace('gap = "ball.y"', 'gap = "a"\nlet = { a = "b + ball.y", b = "0" }'))
        said = self.refused("check", "a.toml", says="'b' is defined after 'a'; a definition may use those before it").stderr
        self.assertNotIn("did you mean", said)
        (self.folder / "a.toml").write_text(REST.replace('gap = "ball.y"', 'gap = "a"\nlet = { a = "a + ball.y" }'))
        self.refused("check", "a.toml", says="'a' is defined by itself")

    def test_play_is_said_on_each_side_and_in_all(self):
        scene = REST.replace("[simulation]", '[[contact]]\nname = "roof"\ngap = "0.004 - ball.y"\n[simulation]')
        (self.folder / "a.toml").write_text(scene.replace('mass = 2.0', 'mass = 2.0\nstart = [0.001]'))
        self.assertIn("a play of 0.002 m on each side, 0.004 m in all", self.ok("check", "a.toml").stdout)


class Races(Folder):
    def test_of_runs_that_overwrite_one_file_one_wins(self):
        """Runs of a second that start at the same time: one has the file, the others are told."""
        self.ok("run", BALL, "--out", "r.h5", "--quiet")
        words = [TOOL, "run", BALL, "--out", "r.h5", "--force", "--quiet", "--until", "3000"]
        for _ in range(2):
            runs = [subprocess.Popen(words, cwd=self.folder, stderr=subprocess.PIPE, text=True) for _ in range(4)]
            said = [(run.communicate(timeout=60)[1], run.returncode) for run in runs]
            self.assertEqual(sorted(code for _, code in said), [0, 2, 2, 2])
            for text, code in said:
                self.assertEqual(text, "" if code == 0 else "escapement: r.h5: another run is writing this file\n")
            self.ok("verify", "r.h5")
            self.assertEqual([path.name for path in self.folder.iterdir()], ["r.h5"])

    def test_reactions_that_swing_after_an_impact(self):
        """Their peaks are no forces, at any step; other schemes and a restart agree on 24.6 N."""
        scene = str(ROOT / "scenes" / "bouncing-pendulum.toml")
        def largest(*words):
            run = json.loads(self.ok("run", scene, "--until", "1", "--json", *words).stdout)
            told = any(warning.startswith("reactions: ") for warning in run["warnings"])
            self.assertGreater(run["impacts"], 0)
            return run["joints"][0]["force"]["mean"], told
        right, told = largest("--scheme", "moreau-jean", "--step", "1e-4")
        self.assertFalse(told)
        for step in ("1e-3", "3e-4"):
            swings, told = largest("--scheme", "alpha-ggl", "--step", step)
            self.assertTrue(told)
            self.assertGreater(swings, 1.3 * right)
        restarted, told = largest("--scheme", "alpha-ggl", "--option", "after_impact=restart")
        self.assertFalse(told)
        self.assertLess(abs(restarted - right), 0.05 * right)
        said = self.ok("run", scene, "--until", "1", "--scheme", "halve", "--option", "inner.scheme=alpha-ggl").stdout
        self.assertIn("reactions    those of joints swing", said)
        self.assertNotIn("reactions ", self.ok("run", BALL, "--scheme", "alpha-ggl").stdout)  # no joints

    def test_a_trial_makes_no_file(self):
        """A file that another run makes meanwhile is neither removed nor in the way."""
        result = tool("run", BALL, "--out", "no/r.h5", folder=self.folder)
        self.assertEqual(result.returncode, 2)
        source = (ROOT / "cli" / "output_files.cpp").read_text()
        self.assertNotIn("remove", source)


if __name__ == "__main__":
    unittest.main()
