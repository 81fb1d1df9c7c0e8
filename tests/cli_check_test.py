"""What check and run say of models whose numbers are doubtful, or whose loads and energies are not what they seem."""
import json
import math
import re
import unittest

from cli_test import Folder

RUN = "[simulation]\nstep = 1e-3\nuntil = 0.1\n"


def legs(mu, order=None):
    """A bench in the plane on an incline, which gravity stands for: legs at x = 0, 1, 2, ... with one mu each."""
    text = """
version = 1
[[force]]
name = "gravity"
kind = "gravity"
acceleration = [3.0, -9.81, 0]
[[body]]
name = "bench"
kind = "planar"
mass = 100.0
inertia = 30.0
pose = [1.0, 0.3, 0]
[[shape]]
name = "floor"
kind = "half-plane"
"""
    order = order or range(len(mu))
    for i in order:
        text += f'[[shape]]\nname = "foot{i}"\nbody = "bench"\nkind = "disc"\nradius = 0.1\nposition = [{i - 1.0}, -0.2]\n'
    for i in order:
        text += f'[[contact]]\nname = "leg{i}"\nshapes = ["foot{i}", "floor"]\ne = 0\nmu = {mu[i]}\n'
    return text + RUN


def table(mu):
    """Four feet on a floor in space."""
    text = """
version = 1
[[body]]
name = "table"
kind = "space"
mass = 20.0
inertia = [2, 2, 2]
position = [0, 0, 0.3]
[[shape]]
name = "floor"
kind = "half-space"
"""
    for i in range(4):
        x, y = 0.5 * math.cos(i * math.pi / 2), 0.5 * math.sin(i * math.pi / 2)
        text += f'[[shape]]\nname = "foot{i}"\nbody = "table"\nkind = "sphere"\nradius = 0.05\nposition = [{x}, {y}, -0.25]\n'
        text += f'[[contact]]\nname = "leg{i}"\nshapes = ["foot{i}", "floor"]\ne = 0\nmu = {mu[i]}\n'
    return text + RUN


def ball(kind, mass, inertia, radius):
    place = "pose = [0, 0, 0]" if kind == "planar" else "position = [0, 0, 0]"
    moments = inertia if kind == "planar" else [inertia] * 3
    shape = "disc" if kind == "planar" else "sphere"
    return (f'version = 1\n[[body]]\nname = "ball"\nkind = "{kind}"\nmass = {mass}\ninertia = {moments}\n{place}\n'
            f'[[shape]]\nname = "skin"\nbody = "ball"\nkind = "{shape}"\nradius = {radius}\n' + RUN)


class Checks(Folder):
    def warnings(self, text):
        (self.folder / "scene.toml").write_text(text)
        found = self.ok("check", "scene.toml").stdout.splitlines()
        return [line for line in found if line.startswith("WARN")], found

    def motion(self, text):
        (self.folder / "scene.toml").write_text(text)
        return json.loads(self.ok("run", "scene.toml", "--json").stdout)["v"]["bench.x"]

    def test_friction_of_loads_that_nothing_determines(self):
        """Three legs, of which only the middle one rubs: it holds the bench if it carries enough, and nothing says so."""
        mixed = (0.0, 0.9, 0.0)
        speeds = [self.motion(legs(mixed, order)) for order in ((0, 2, 1), (1, 0, 2))]
        self.assertGreater(max(speeds) - min(speeds), 0.1)  # m/s: the order in the file decides
        warnings, _ = self.warnings(legs(mixed))
        self.assertEqual(len(warnings), 1, warnings)
        self.assertIn("friction at 'leg0', 'leg1', 'leg2' is not determined: mu is from 0 to 0.9", warnings[0])

    def test_loads_that_are_determined_are_not_doubted(self):
        for mu in ((0.1, 0.9), (0.0, 0.9), (0.5, 0.5)):  # two legs in the plane
            warnings, found = self.warnings(legs(mu))
            self.assertEqual(warnings, [])
            self.assertFalse([line for line in found if "does not determine" in line])

    def test_equal_friction_is_a_fact_only(self):
        for text, count in ((legs((0.4, 0.4, 0.4)), 3), (legs((0.0, 0.0, 0.0, 0.0)), 4), (table((0.4,) * 4), 4)):
            warnings, found = self.warnings(text)
            self.assertEqual(warnings, [])
            self.assertEqual(len([line for line in found if f"how {count} closed contacts share their load" in line]), 1)

    def test_four_feet_with_two_frictions(self):
        warnings, _ = self.warnings(table((0.1, 0.7, 0.1, 0.7)))
        self.assertEqual(len([line for line in warnings if "is not determined: mu is from 0.1 to 0.7" in line]), 1)

    def test_boxes_on_each_other_share_by_themselves(self):
        """Four corners on four corners: the loads of each layer are open, and each has one mu."""
        text = 'version = 1\n[[shape]]\nname = "floor"\nkind = "half-space"\n'
        for i, mu in enumerate((0.2, 0.8)):
            text += (f'[[body]]\nname = "box{i}"\nkind = "space"\nmass = 8.0\ninertia = [0.1, 0.1, 0.1]\n'
                     f'position = [0, 0, {0.1 + 0.2 * i}]\n[[shape]]\nname = "top{i}"\nbody = "box{i}"\nkind = "half-space"\n'
                     f'position = [0, 0, 0.1]\n')
            for k in range(4):
                x, y = 0.1 * (-1) ** k, 0.1 * (-1) ** (k // 2)
                text += f'[[shape]]\nname = "corner{i}{k}"\nbody = "box{i}"\nkind = "vertex"\nposition = [{x}, {y}, -0.1]\n'
                text += (f'[[contact]]\nname = "c{i}{k}"\nshapes = ["corner{i}{k}", "{"top0" if i else "floor"}"]\ne = 0\n'
                         f'mu = {mu}\n')
        warnings, found = self.warnings(text + RUN)
        self.assertEqual(warnings, [])
        self.assertTrue([line for line in found if "how 8 closed contacts share their load" in line])

    def test_grams_and_millimetres(self):
        """A steel ball of 5 mm: 4.1 g, 4.1e-8 kg m^2."""
        mass, inertia, radius = 0.0041, 4.1e-8, 0.005
        for kind in ("space", "planar"):
            self.assertEqual(self.warnings(ball(kind, mass, inertia, radius))[0], [])
            for wrong in ((1e3 * mass, inertia, 1e3 * radius),  # g and mm, and the right inertia
                          (mass, inertia, 1e3 * radius),         # mm
                          (1e3 * mass, inertia, radius),         # g
                          (mass, 1e6 * inertia, radius)):        # kg mm^2
                warnings, _ = self.warnings(ball(kind, *wrong))
                self.assertTrue(warnings, (kind, wrong))
                self.assertTrue(all("units" in line and "'ball'" in line for line in warnings), warnings)

    def test_the_limit_of_mu_does_not_depend_on_mu(self):
        def limit(mu):
            text = ('version = 1\n[[body]]\nname = "wedge"\nkind = "planar"\nmass = 2.0\ninertia = 0.01\n[[shape]]\nname = "rim"\n'
                    'body = "wedge"\nkind = "disc"\nradius = 0.1\n')
            for side, sign in (("left", -1), ("right", 1)):
                text += (f'[[shape]]\nname = "{side}_wall"\nkind = "half-plane"\nposition = ["{sign}*0.1*cos(pi/6)", '
                         f'"-0.1*sin(pi/6)"]\nangle = "{sign}*pi/3"\n[[contact]]\nname = "{side}"\n'
                         f'shapes = ["rim", "{side}_wall"]\ne = 0\nmu = {mu}\n')
            warnings, _ = self.warnings(text + RUN)
            return float(re.search(r"mu below ([\d.e+-]+),", " ".join(warnings)).group(1))
        for mu in (0.6, 30.0, 1e6, 1e9):
            self.assertAlmostEqual(limit(mu), math.tan(math.pi / 6), 4, mu)


    def test_long_lists_of_redundant_joints_end(self):
        text = 'version = 1\n[[body]]\nname = "plate"\nkind = "space"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n'
        for i in range(20):
            text += f'[[joint]]\nname = "bolt{i}"\nkind = "fixed"\na = {{}}\nb = {{ body = "plate" }}\n'
        warnings, _ = self.warnings(text + RUN)
        self.assertEqual(len(warnings), 1)
        self.assertIn("'bolt12' (6) and 7 more; their reactions", warnings[0])


class Energies(Folder):
    def run_json(self, block, until=1.0):
        text = f'version = 1\n[[coordinates]]\nname = "m"\n{block}\n[simulation]\nstep = 1e-3\nuntil = {until}\n'
        (self.folder / "scene.toml").write_text(text)
        return json.loads(self.ok("run", "scene.toml", "--json").stdout)

    def test_energies_with_an_explicit_time_are_driven(self):
        """What changes T + V without a force is applied: the books close, and nobody is accused."""
        for block in ('names = ["x"]\nstart = [1.0]\nmass = 1.0\npotential = "(1 + 20*t)*x^2"',
                      'names = ["x"]\nstart = [1.0]\nkinetic = "dot(x)^2/2"\npotential = "(1 + 20*t)*x^2 - x*sin(9*t)"',
                      'names = ["x"]\nrates = [1.0]\nkinetic = "(1 + 5*t)*dot(x)^2/2"',  # a momentum that stays
                      'names = ["r"]\nstart = [0.1]\nkinetic = "dot(r)^2/2 + (4*r)^2/2"',  # a bead on a wire that turns
                      'names = ["r"]\nstart = [0.1]\nkinetic = "dot(r)^2/2 + (4*(1 + t)*r)^2/2"\nforce = "-3*dot(r)"'):
            run = self.run_json(block)
            self.assertEqual(run["warnings"], [], block)
            change = run["energy"]["final"] - run["energy"]["initial"]
            self.assertGreater(abs(change), 0.05, block)
            self.assertLess(abs(run["work"]["unaccounted"]), 2e-5 * max(1.0, abs(change)), block)
            self.assertEqual(run["work"]["damping"] < 0.0, "dot(r)\"" in block.split("force")[-1], block)

    def test_forces_that_balance_a_mass_that_changes_are_no_damping(self):
        """M v' = -M' v keeps the momentum: half of what the force takes is what the mass gains."""
        work = self.run_json('names = ["x"]\nrates = [1.0]\nmass = "1 + 5*t"\nforce = "-5*dot(x)"')["work"]
        self.assertAlmostEqual(work["damping"], -0.5 * (1 - 1 / 6), 4)
        self.assertLess(abs(work["applied"]), 1e-9)

    def test_the_bead_on_a_wire_that_turns(self):
        """r = r0 cosh(w t): T = (r'^2 + w^2 r^2) / 2 grows by what the wire does."""
        run = self.run_json('names = ["r"]\nstart = [0.1]\nkinetic = "dot(r)^2/2 + (4*r)^2/2"', 0.5)
        exact = 0.5 * (0.1 * 4) ** 2 * (math.cosh(2.0) ** 2 + math.sinh(2.0) ** 2)
        self.assertAlmostEqual(run["energy"]["final"], exact, 4)
        self.assertAlmostEqual(run["work"]["applied"], exact - 0.5 * (0.1 * 4) ** 2, 4)

    def test_a_frame_that_moves_is_told(self):
        (self.folder / "scene.toml").write_text('version = 1\n[[coordinates]]\nname = "m"\nnames = ["x"]\n'
                                                'kinetic = "(dot(x) + cos(t))^2/2"\n' + RUN)
        said = self.ok("check", "scene.toml").stdout
        self.assertIn("the kinetic energy of 'm' has terms that are linear in the rates", said)


class Units(Folder):
    def test_penetration_of_a_limit_of_an_angle_is_an_angle(self):
        door = ('version = 1\n[[body]]\nname = "door"\nkind = "planar"\nmass = 1.0\ninertia = 0.1\nvelocity = [0, 0, 2.0]\n[[joint]]\n'
                'name = "hinge"\nkind = "revolute"\na = { body = "ground" }\nb = { body = "door" }\n[[contact]]\nname = "stop"\n'
                'joint = "hinge"\nlower = -0.1\nupper = 0.1\ne = 0.3\n' + RUN)
        stone = '[[coordinates]]\nname = "stone"\nnames = ["y"]\nmass = 1.0\n[[contact]]\nname = "floor"\ngap = "stone.y"\ne = 0\n'
        for text, unit in ((door, "rad"), (door.replace(RUN, stone + RUN), "m or rad")):
            (self.folder / "scene.toml").write_text(text)
            self.assertRegex(self.ok("run", "scene.toml").stdout, rf"worst penetration [\d.e+-]+ {unit}\n")
            said = self.ok("compare", "scene.toml", "--schemes", "moreau-jean", "--steps", "1e-3").stdout
            self.assertIn(f"penetr. [{unit}]", said)
            self.assertRegex(said, rf"penetration [\d.e+-]+ {unit}, certificate")


if __name__ == "__main__":
    unittest.main()
