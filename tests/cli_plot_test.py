"""What `escapement plot` draws: a program in the place of gnuplot keeps what it was told to draw."""
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOL = os.environ["ESCAPEMENT_TOOL"]

# A ball of 2 kg that comes to rest on a floor, and a door that turns: coordinates in m, in rad and of no unit.
SCENE = """
version = 1
[[coordinates]]
name = "ball"
names = ["y"]
start = [1.0]
mass = 2.0
potential = "2*9.81*y"
[[body]]
name = "door"
kind = "planar"
mass = 1.0
inertia = 1.0
velocity = [0, 0, 1.5]
[[contact]]
name = "floor"
gap = "ball.y"
e = 0.6
[simulation]
scheme = "combined-projection"
step = 1e-3
until = 3.0
"""
# A flap of 3 kg m^2 about its hinge that meets a stop.
FLAP = """
version = 1
[[body]]
name = "flap"
kind = "planar"
mass = 1.0
inertia = 3.0
velocity = [0, 0, 2.0]
[[joint]]
name = "hinge"
kind = "revolute"
a = { body = "ground" }
b = { body = "flap" }
[[contact]]
name = "stop"
joint = "hinge"
upper = 0.5
e = 0.4
[simulation]
step = 1e-3
until = 0.5
"""
MASS, WEIGHT, FIRST_SPEED, RESTITUTION = 2.0, 2 * 9.81, (2 * 9.81) ** 0.5, 0.6


def panels(script):
    """label -> {curve -> its points}, in the order in which they are drawn. Texts stand in blocks of one line."""
    found, curves, labels = {}, {}, {"''": ""}
    for name, text, block, rows, label in re.findall(
            r"^(\$label\d+) << END\n:(.*)\nEND$|^(\$curve\d+) << END\n((?:.*\n)*?)END$|^set ylabel (.*)$", script, re.MULTILINE):
        if name:
            labels[name + "[1][2:*]"] = text
        elif block:
            curves[block] = [tuple(map(float, row.split(","))) for row in rows.splitlines()]
        else:
            found[labels[label]], curves = curves, {}
    titles = [re.findall(r"(\$curve\d+) using 1:2 with .*? title (\S*\])", plot)
              for plot in re.findall(r"^plot (?:.*\\\n)*.*$", script, re.MULTILINE)]
    return {label: {labels[title]: blocks[name] for name, title in names}
            for (label, blocks), names in zip(found.items(), titles)}


class Plot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        (cls.folder / "gnuplot").write_text("#!/bin/sh\nexec cat > script\n")
        (cls.folder / "gnuplot").chmod(0o755)
        (cls.folder / "ball.toml").write_text(SCENE)
        cls.report = json.loads(cls.tool("run", "ball.toml", "--out", "ball.h5", "--frames", "0", "--json").stdout)
        cls.tool("run", "ball.toml", "--out", "few.h5", "--frames", "100", "--quiet")

    @classmethod
    def tool(cls, *words):
        path = f"{cls.folder}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run([TOOL, *words], cwd=cls.folder, env={**os.environ, "PATH": path}, capture_output=True,
                              text=True, timeout=60, check=False)

    def drawn(self, *options, results="ball.h5"):
        done = self.tool("plot", results, "--force", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return panels((self.folder / "script").read_text())

    def test_every_unit_has_a_panel(self):
        drawn = self.drawn()
        self.assertEqual(set(drawn["positions [m]"]), {"door.x", "door.y"})
        self.assertEqual(set(drawn["positions [rad]"]), {"door.phi"})
        self.assertEqual(set(drawn["positions"]), {"ball.y"})  # formulas do not say their units

    def test_gaps_are_drawn_also_where_nothing_touches(self):
        drawn = self.drawn("--only", "ball")
        gaps = drawn["gaps [m]"]["floor"]
        self.assertEqual(gaps, drawn["positions"]["ball.y"])
        self.assertGreater(max(gap for _, gap in gaps), 0.9)

    def test_no_impact_is_drawn_as_a_force(self):
        forces = [force for _, force in self.drawn()["normal forces [N]"]["floor"] if force == force]
        self.assertLess(max(forces), 1.5 * WEIGHT)
        self.assertAlmostEqual(forces[-1], WEIGHT, 9)

    def test_every_impact_is_drawn_whether_its_step_is_a_frame_or_not(self):
        speeds = self.drawn()["impact speed [m/s]"]["floor"]
        few = self.drawn(results="few.h5")
        self.assertEqual(speeds, few["impact speed [m/s]"]["floor"])
        self.assertEqual(self.drawn()["impact impulses [N s]"]["floor"], few["impact impulses [N s]"]["floor"])
        self.assertEqual(len(speeds), self.report["impacts"])
        for number, (_, speed) in enumerate(speeds[:5]):  # the step blurs those of shorter and shorter flights
            self.assertLess(abs(speed / (FIRST_SPEED * RESTITUTION ** number) - 1), 0.05)

    def test_impacts_have_impulses(self):
        drawn = self.drawn()
        impulses = drawn["impact impulses [N s]"]["floor"]
        for (t, impulse), (_, speed) in zip(impulses[:5], drawn["impact speed [m/s]"]["floor"]):
            self.assertLess(abs(impulse / (MASS * (1 + RESTITUTION) * speed) - 1), 0.02, f"t = {t}")
        self.assertEqual(len(impulses), self.report["impacts"])

    def test_limits_of_angles_are_in_radians(self):
        (self.folder / "flap.toml").write_text(FLAP)
        done = self.tool("run", "flap.toml", "--out", "flap.h5", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = self.drawn(results="flap.h5")
        self.assertNotIn("gaps [m]", drawn)
        (t, gap), *_ = drawn["gaps [rad]"]["stop"]
        self.assertEqual((t, gap), (0.0, 0.5))
        (_, speed), = drawn["impact speed [rad/s]"]["stop"]
        (_, impulse), = drawn["impact impulses [N m s]"]["stop"]
        self.assertAlmostEqual(speed, 2.0, 12)
        self.assertAlmostEqual(impulse, 3.0 * (1 + 0.4) * 2.0, 9)

    def test_tables_have_the_units_of_their_contacts(self):
        door = FLAP.replace("[simulation]", '[[contact]]\nname = "wall"\ngap = "1 - flap.phi"\n[simulation]')
        for name, text, gap, impulse in (("flap", FLAP, "rad", "N m s"), ("both", door, "m or rad", "N s or N m s")):
            (self.folder / "units.toml").write_text(text)
            self.tool("run", "units.toml", "--out", f"units-{name}.h5", "--quiet")
            done = self.tool("export", f"units-{name}.h5", "--contacts", f"c-{name}.csv", "--events", f"e-{name}.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            contacts, events = ((self.folder / f"{which}-{name}.csv").read_text().splitlines()[0] for which in "ce")
            self.assertIn(f"gap [{gap}],", contacts)
            self.assertIn(f"impulse_n [{impulse}],", contacts)
            self.assertTrue(events.endswith(f"normal_impulse [{impulse}]"), events)

    def test_what_is_left_out_cannot_be_seen(self):
        with_all = self.tool("export", "ball.h5", "--csv", "ball.csv", "--force")
        self.assertEqual(with_all.returncode, 0, with_all.stderr)
        header, *lines = (self.folder / "ball.csv").read_text().splitlines()
        column = next(i for i, name in enumerate(header.split(",")) if name.startswith("q.ball.y"))
        drawn = self.drawn("--only", "ball.y")["positions"]["ball.y"]
        self.assertLess(len(drawn), len(lines) / 10)
        segment = 0
        for line in lines:
            t, y = float(line.split(",")[0]), float(line.split(",")[column])
            while drawn[segment + 1][0] < t - 1e-9:
                segment += 1
            (t0, y0), (t1, y1) = drawn[segment], drawn[segment + 1]
            self.assertLess(abs(y0 + (y1 - y0) * (t - t0) / (t1 - t0) - y), 2.1e-3)

    def test_round_off_is_not_enlarged(self):
        self.drawn("--only", "door", "--panels", "positions")
        script = (self.folder / "script").read_text()
        self.assertRegex(script, r"set yrange \[-1e-09:1e-09\]\n\$label\d+ << END\n:positions \[m\]")
        self.assertRegex(script, r"set yrange \[\*:\*\]\n\$label\d+ << END\n:positions \[rad\]")

    def test_nothing_is_drawn_on_the_frame(self):
        """Neither a line at the lowest or highest value, nor a bar at the first or last time."""
        self.drawn("--panels", "positions,impacts")
        script = (self.folder / "script").read_text()
        self.assertLess(script.index("set offsets graph 0, graph 0, graph 0.05, graph 0.05"), script.index("plot "))
        for low, high in re.findall(r"set xrange \[(.*):(.*)\]", script):
            self.assertLess(float(low), 0.0)
            self.assertGreater(float(high), 3.0)

    def test_json_says_what_is_drawn(self):
        told = json.loads(self.tool("plot", "ball.h5", "--force", "--json").stdout)
        self.assertEqual((told["file"], told["frames"]), ("ball.svg", self.report["steps"] + 1))
        self.assertIn({"name": "gaps", "title": "gaps", "unit": "m", "curves": ["floor"]}, told["panels"])
        turning = {"name": "velocities", "title": "velocities", "unit": "rad/s", "curves": ["door.phi"]}
        self.assertIn(turning, told["panels"])

    def test_panels_are_chosen_by_name(self):
        self.assertEqual(list(self.drawn("--panels", "energy,gaps")), ["gaps [m]", "energy [J]"])
        refused = self.tool("plot", "ball.h5", "--force", "--panels", "gap")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("did you mean 'gaps'", refused.stderr)
        refused = self.tool("plot", "ball.h5", "--force", "--only", "door.phi", "--panels", "impulses,positions")
        self.assertEqual(refused.returncode, 0, refused.stderr)

    def test_only_fits_a_coordinate(self):
        for beginning, near in (("nothing", "'nothing'\n"), ("dor", "did you mean 'door'?"), ("ball,foo", "'foo'\n"),
                                ("door.phy", "did you mean 'door.phi'?")):
            for more in ((), ("--panels", "positions"), ("--panels", "energy")):
                refused = self.tool("plot", "ball.h5", "--force", "--only", beginning, *more)
                self.assertEqual(refused.returncode, 2)
                self.assertIn(near, refused.stderr)

    def test_impacts_stand_on_zero(self):
        """Of one impact alone, too: an axis around it would have no length."""
        (self.folder / "flap.toml").write_text(FLAP)
        self.tool("run", "flap.toml", "--out", "one.h5", "--quiet")
        for results in ("ball.h5", "one.h5"):
            drawn = self.drawn("--panels", "impulses,impacts", results=results)
            script = (self.folder / "script").read_text()
            self.assertEqual(len(drawn), 2)
            self.assertEqual(re.findall(r"set yrange (.*)", script), ["[0:*]", "[0:*]"])


if __name__ == "__main__":
    unittest.main()
