"""Results files of sound runs, changed in one place: verify names the place, and no run goes on from there."""
import json
import struct
import unittest

import h5py
import numpy

from cli_damage_test import SCENE
from cli_test import BALL, CRANK, ROOT, Folder, tool

# A cart pushed by an input against a wall, from which it bounces: every kind of thing that a file says.
CART = """
version = 1
[parameters]
speed = 1.5
[[input]]
name = "push"
value = 2.0
[[coordinates]]
name = "cart"
names = ["x"]
start = [0.0]
rates = ["speed"]
mass = 2.0
force = "push"
[[contact]]
name = "wall"
gap = "0.1 - cart.x"
e = 0.5
[simulation]
step = 1e-3
until = 0.3
frames = 0
"""


class Falsified(Folder):
    def setUp(self):
        super().setUp()
        self.open = lambda name: h5py.File(self.folder / name, "r+")

    def verdict_on(self, change, source="good.h5"):
        (self.folder / "r.h5").write_bytes((self.folder / source).read_bytes())
        with self.open("r.h5") as file:
            change(file)
        result = tool("verify", "r.h5", "--json", folder=self.folder)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        said = tool("verify", "r.h5", folder=self.folder)
        verdict = json.loads(result.stdout)
        for contradiction in verdict["contradictions"]:
            self.assertIn(contradiction["what"], said.stdout)
        return verdict, [contradiction["what"] for contradiction in verdict["contradictions"]]

    @staticmethod
    def with_row(name, row):
        def change(file):
            if name == "contacts/impact":
                file[name][row] = (file[name][row] + 1) % 3
            elif name == "frames/joint_impact":
                file[name][row] = 1 - file[name][row]
            else:
                file[name][row] = 1.001 * file[name][row] + 1
        return change

    def test_columns_that_follow_from_the_states(self):
        self.ok("run", CRANK, "--scheme", "moreau-jean", "--frames", "100", "--out", "good.h5", "--quiet")
        self.ok("verify", "good.h5")
        for name in ("frames/kinetic", "frames/potential", "frames/grid", "frames/h", "contacts/frame", "contacts/gap",
                     "contacts/velocity", "contacts/velocity_before", "contacts/impulse_world", "contacts/force",
                     "contacts/impact", "steps/steps", "steps/impacts"):
            verdict, places = self.verdict_on(self.with_row(name, 30))
            self.assertIn(name, places)
            if name != "frames/h":
                self.assertEqual(verdict["failed"], 0, name)
        for name in ("frames/q", "frames/v"):
            self.assertIn(name, self.verdict_on(self.with_row(name, 0))[1])

    def test_files_of_every_scheme_are_believed_from_their_first_step_on(self):
        listed = json.loads(self.ok("list", "schemes", "--json").stdout)["schemes"]
        schemes = [scheme["name"] for scheme in listed if scheme["impacts"]]  # the others gain energy, and runs say so
        self.assertIn("alpha-ggl", schemes)
        for scheme in schemes:
            self.record_ball(scheme)
            self.ok("verify", "good.h5")
        self.record_ball("alpha-ggl")
        def begun_otherwise(file):  # both before the first step and in its first frame
            for name in ("frames/history.alpha-ggl.vdot", "frames/before_history.alpha-ggl.vdot"):
                file[name][0] = 7.0
        self.assertIn("frames/history", self.verdict_on(begun_otherwise)[1])

    def test_what_the_family_of_a_step_allows(self):
        """Kinds of steps, times of impulses, impulses beside the rows, multipliers: of every family."""
        for scheme in ("moreau-jean", "schatzman-paoli", "position-theta", "alpha-ggl"):
            self.record_ball(scheme)
            for name, row, value in (("frames/kind", 50, 1), ("frames/h", 0, 0.007), ("frames/impulse_time", 0, 0.5),
                                     ("frames/impulse_time", 50, -0.007), ("contacts/impulse", 0, (None, 0.001, 0)),
                                     ("contacts/normal", 0, (1, 0.001, 0)), ("contacts/tangent", 0, (0, 1.001, 0)),
                                     ("contacts/tau", 0, 0.001), ("steps/residual", 50, -1e-12),
                                     ("steps/gap_residual", 50, numpy.inf)):
                if name == "contacts/tau" and scheme == "alpha-ggl":
                    continue
                def change(file, name=name, row=row, value=value):
                    if isinstance(value, tuple) and value[0] is None:
                        value = (file[name][row][0], *value[1:])
                    file[name][row] = value
                verdict, places = self.verdict_on(change)
                self.assertIn(name, places, (scheme, verdict))

    def test_attributes_that_say_nothing_true(self):
        self.run_cart()
        for group, name, value, says in (("totals", "message", numpy.bytes_(b"all is well"), "totals/message"),
                                         ("totals", "worst_joint", 3, "totals/worst_joint"),
                                         ("totals", "worst_pair", 3, "totals/worst_pair"),
                                         ("promises/0", "owner", numpy.bytes_(b"somebody"), "owner is somebody")):
            def change(file, group=group, name=name, value=value):
                if isinstance(value, bytes):
                    file[group].attrs[name] = value
                else:
                    file[group].attrs.modify(name, value)
            verdict, places = self.verdict_on(change)
            self.assertTrue(any(says in one for one in [*places, verdict.get("promise", "")]), (name, verdict))
        (self.folder / "ball.toml").write_text(SCENE)
        self.ok("run", "ball.toml", "--out", "good.h5", "--quiet", "--force")
        for change, says in ((lambda file: file["run"].attrs.modify("certify", 2), "certify"),
                             (lambda file: file["model/shape_sizes"].attrs.create("unit", numpy.bytes_(b"mm")),
                              "shape_sizes")):
            (self.folder / "r.h5").write_bytes((self.folder / "good.h5").read_bytes())
            with self.open("r.h5") as file:
                change(file)
            self.refused("verify", "r.h5", says=says)

    def test_the_records_of_contacts(self):
        self.ok("run", CRANK, "--scheme", "moreau-jean", "--frames", "100", "--out", "good.h5", "--quiet")
        with self.open("good.h5") as file:
            carrying = int(numpy.flatnonzero(file["contacts/impulse"][:, 0] > 0.0)[0])
        for name in ("contacts/normal", "contacts/tangent", "contacts/rows"):
            self.assertIn(name, self.verdict_on(self.with_row(name, carrying))[1])
        verdict, places = self.verdict_on(self.with_row("contacts/impulse", carrying))
        self.assertEqual(verdict["failed"], 1)
        self.assertIn("contacts/impulse_world", places)
        def stuck_or_slipping(file):
            file["contacts/status"][carrying] = 3 - file["contacts/status"][carrying]
        self.assertEqual(self.verdict_on(stuck_or_slipping)[1], ["contacts/status"])

    def test_points_and_reactions(self):
        self.ok("run", str(ROOT / "scenes" / "slider-crank-planar.toml"), "--until", "0.01", "--out", "good.h5", "--quiet")
        self.ok("verify", "good.h5")
        for name in ("contacts/point", "frames/reaction", "frames/reaction_impulse", "frames/joint_impact",
                     "frames/kinetic"):
            verdict, places = self.verdict_on(self.with_row(name, 20))
            self.assertEqual((verdict["failed"], places), (0, [name]))

    def test_marks_of_what_an_impact_reaches(self):
        """Every mark, 0, 1 or 2, turned into each of the others, also of a scheme that spreads its impacts."""
        for scheme in ("moreau-jean", "position-theta"):
            for frames in ("0", "40"):
                self.ok("run", CRANK, "--scheme", scheme, "--until", "0.02", "--frames", frames, "--out", "good.h5", "--quiet",
                        "--force")
                self.ok("verify", "good.h5")
                with self.open("good.h5") as file:
                    marks = file["contacts/impact"][:]
                    self.assertTrue(numpy.array_equal(numpy.isnan(file["contacts/force"][:, 0]), marks != 0))
                for mark in sorted(set(marks)):
                    row = int(numpy.flatnonzero(marks == mark)[0])
                    for other in {0, 1, 2} - {mark}:
                        def change(file, row=row, other=other):
                            file["contacts/impact"][row] = other
                        self.assertIn("contacts/impact", self.verdict_on(change)[1], (scheme, frames, mark, other))

    def test_an_open_contact_has_no_impulse(self):
        self.ok("run", BALL, "--until", "2", "--out", "good.h5", "--quiet")
        with self.open("good.h5") as file:
            closed = int(numpy.flatnonzero(file["contacts/status"][:])[0])
        def change(file):
            file["contacts/status"][closed] = 0
        self.assertIn("contacts/status", self.verdict_on(change)[1])

    def test_frames_that_were_taken_out(self):
        self.ok("run", CRANK, "--scheme", "moreau-jean", "--frames", "100", "--out", "good.h5", "--quiet")
        def without(frame):
            def change(file):
                for column in [*file["frames"].values(), *file["steps"].values()]:
                    rows = numpy.delete(column[...], frame, axis=0)
                    column.resize(len(rows), axis=0)
                    column[...] = rows
            return change
        self.assertIn("frames/grid", self.verdict_on(without(50))[1])
        self.assertIn("totals/steps", self.verdict_on(without(-1))[1])

    def test_the_promise_and_the_totals(self):
        self.ok("run", CRANK, "--scheme", "moreau-jean", "--frames", "100", "--out", "good.h5", "--quiet")
        def wide(file):
            file["promises/0"].attrs.modify("momentum_tolerance", 1e9)
            file["frames/v"][50] = file["frames/v"][50] + 1
        verdict, _ = self.verdict_on(wide)
        self.assertIn("momentum_tolerance is 1e+09", verdict["promise"])
        self.assertEqual(verdict["failed"], 1)
        said = tool("verify", "r.h5", folder=self.folder).stdout
        self.assertIn("the promise in the file is not that of the scheme", said)
        for name, value in (("steps", 7), ("impacts", 7), ("failed_certificates", 7), ("final_kinetic", 7.0)):
            verdict, places = self.verdict_on(lambda file: file["totals"].attrs.modify(name, value))
            self.assertEqual(places, [f"totals/{name}"])

    def test_the_state_before_a_step_is_that_of_the_frame_before(self):
        """By less than any certificate allows."""
        self.run_cart()
        for name in ("frames/before_q", "frames/before_v", "frames/before_t"):
            def change(file, name=name):
                file[name][50] = file[name][50] * (1 + 1e-15)
            self.assertIn(name, self.verdict_on(change)[1])

    def test_inputs_are_those_of_the_scene(self):
        self.run_cart()
        for name in ("frames/u", "frames/before_u"):
            def change(file, name=name):
                file[name][50] = file[name][50] + 1e-13
            self.assertEqual(self.verdict_on(change)[1], [name])

    def test_events(self):
        self.run_cart()
        with self.open("good.h5") as file:
            kinds = list(file["events/kind"][:])
        self.assertEqual(kinds[:2], [0, 1])  # an impact, then the cart leaves the wall
        def moved(row, by):
            def change(file):
                file["events/t"][row] = file["events/t"][row] + by
            return change
        def with_value(name, row, value):
            def change(file):
                file[name][row] = value
            return change
        self.assertIn("events/t", self.verdict_on(moved(0, 3e-4))[1])
        self.assertIn("events/t", self.verdict_on(moved(1, -4e-4))[1])
        self.verdict_on(with_value("events/kind", 1, 2))  # no longer says that it opened
        self.verdict_on(with_value("events/t", 1, 0.2999))
        for name, row, value in (("events/normal_impulse", 0, 1.0), ("events/normal_velocity", 0, 1.0),
                                 ("events/normal_velocity", 1, -1.0), ("events/normal_impulse", 1, 1.0)):
            self.assertIn(name, self.verdict_on(with_value(name, row, value))[1])
        def without(file):
            for column in file["events"].values():
                rows = numpy.delete(column[...], 1, axis=0)
                column.resize(len(rows), axis=0)
                column[...] = rows
            file["checkpoints/events"][:] -= 1
        self.assertIn("events/kind of what opened", self.verdict_on(without)[1])

    def test_what_steps_and_totals_say_of_the_run(self):
        self.run_cart()
        for name in ("steps/certificate_ratio", "steps/certificate_failed", "steps/penetration", "steps/joint_drift", "frames/work_impact",
                     "frames/work_applied", "frames/impulse_time", "contacts/tau"):
            def change(file, name=name):
                file[name][1] = file[name][1] + 1
            self.assertIn(name, self.verdict_on(change)[1])
        with self.open("good.h5") as file:
            figures = {name: value for name, value in file["totals"].attrs.items() if not isinstance(value, bytes)}
        unseen = set()
        for name, value in figures.items():
            (self.folder / "r.h5").write_bytes((self.folder / "good.h5").read_bytes())
            with self.open("r.h5") as file:
                file["totals"].attrs.modify(name, value + 1)
            if tool("verify", "r.h5", folder=self.folder).returncode == 0:
                unseen.add(name)
        # A run may be stopped at its end, and the worst of many equal values may stand at any contact.
        self.assertEqual(unseen, {"status", "worst_feature"})

    def test_totals_of_a_run_whose_steps_are_not_all_recorded(self):
        """What holds whatever lies between the frames: sums over the run, and bounds of what was largest."""
        (self.folder / "cart.toml").write_text(CART)
        for scheme in ("moreau-jean", "halve"):
            self.ok("run", "cart.toml", "--scheme", scheme, "--frames", "20", "--out", "good.h5", "--quiet", "--force")
            self.assertRegex(self.ok("verify", "good.h5").stdout, r", 0 fail; \d+ between them are believed\n")
            for name, value in (("failures", 3), ("coarse_steps", 2), ("change", 1.0), ("given", -1.0), ("taken", 1.0),
                                ("slack", -1.0), ("energy_gained", -1.0), ("energy_lost", -1.0), ("energy_kinetic", 0.0),
                                ("energy_given", 0.0), ("energy_lowest", 1.0), ("energy_highest", -1.0),
                                ("energy_lost_t", 7.0), ("energy_gained_t", -1.0), ("status", 2)):
                def change(file, name=name, value=value):
                    file["totals"].attrs.modify(name, value)
                self.assertIn(f"totals/{name}", self.verdict_on(change)[1], (scheme, name))

    def test_the_header_is_that_of_the_scene(self):
        (self.folder / "ball.toml").write_text(SCENE)
        self.ok("run", "ball.toml", "--out", "good.h5", "--quiet")
        def with_value(name, row, value):
            def change(file):
                file[name][row] = value
            return change
        for name, row, value in (("model/shape_sizes", 0, [0.2, 0, 0]), ("model/shape_frames", 1, [0, 0, 1, 1, 0, 0, 0]), ("model/shape_bodies", 0, -1),
                                 ("model/shape_geometries", 0, b"box"), ("model/bodies", 0, b"bull")):
            differences = self.verdict_on(with_value(name, row, value))[0]["differences"]
            self.assertTrue(any(name in one for one in differences), (name, differences))
        # Names and units of coordinates and contacts are the layout of the states: these belong to another system then.
        for name, row in (("model/coordinates_units", 0), ("model/pairs_units", 0), ("model/velocities_units", 2)):
            (self.folder / "r.h5").write_bytes((self.folder / "good.h5").read_bytes())
            with self.open("r.h5") as file:
                file[name][row] = b"k"
            self.refused("verify", "r.h5", says="another system")
        with self.open("good.h5") as file:
            theta = list(file["run/option_names"].asstr()).index("inner.theta")
        for text in (b"5e-1", b"0.50"):
            differences, = self.verdict_on(with_value("run/option_values", theta, text))[0]["differences"]
            self.assertIn("theta", differences)
        self.run_cart()
        differences, = self.verdict_on(with_value("run/parameter_values", 0, 7.0))[0]["differences"]
        self.assertIn("'7', and '1.5' of the scene", differences)

    def test_words_and_units_of_columns_keep_their_meaning(self):
        self.run_cart()
        for name in ("model/statuses", "model/events", "model/step_kinds", "model/checks"):
            (self.folder / "r.h5").write_bytes((self.folder / "good.h5").read_bytes())
            with self.open("r.h5") as file:
                words = file[name][:]
                file[name][:] = words[::-1]
            self.refused("verify", "r.h5", says=name)
        (self.folder / "r.h5").write_bytes((self.folder / "good.h5").read_bytes())
        with self.open("r.h5") as file:
            file["frames/h"].attrs["unit"] = numpy.bytes_(b"ms")
        self.refused("export", "r.h5", "--csv", "a.csv", says="frames/h")

    def change_checkpoint(self, old, new):
        """The bytes of a number in the state of the last checkpoint."""
        (self.folder / "r.h5").write_bytes((self.folder / "good.h5").read_bytes())
        with self.open("r.h5") as file:
            begin = file["checkpoints/state_begin"][-1]
            data = bytes(file["checkpoints/state"][begin:])
            at = data.rindex(struct.pack("<d", old))
            file["checkpoints/state"][begin + at:begin + at + 8] = list(struct.pack("<d", new))

    def test_no_run_goes_on_from_a_forged_checkpoint(self):
        self.run_cart()
        with self.open("good.h5") as file:
            x, v = file["frames/q"][-1, 0], file["frames/v"][-1, 0]
        for old, new in ((x, x - 0.01), (v, -v), (2.0, 20.0)):
            self.change_checkpoint(old, new)
            before = (self.folder / "r.h5").read_bytes()
            self.refused("run", "--resume", "r.h5", "--until", "0.4", says="no run goes on from there")
            self.assertEqual((self.folder / "r.h5").read_bytes(), before)
            result = tool("verify", "r.h5", "--json", folder=self.folder)
            self.assertEqual(result.returncode, 1)
            self.assertIn("checkpoints/state", json.loads(result.stdout)["contradictions"][0]["what"])
        self.change_checkpoint(x, x - 0.01)
        with self.open("r.h5") as file:  # the frame says the same
            file["frames/q"][-1, 0] = x - 0.01
        self.refused("run", "--resume", "r.h5", "--until", "0.4", says="no run goes on from there")
        (self.folder / "r.h5").write_bytes((self.folder / "good.h5").read_bytes())
        self.ok("run", "--resume", "r.h5", "--until", "0.4", "--quiet")
        self.ok("verify", "r.h5")

    def test_resumed_runs_are_sound_also_with_few_frames(self):
        self.ok("run", BALL, "--out", "r.h5", "--until", "2", "--frames", "5", "--quiet")
        for until in ("2.3", "2.9", "3.5"):
            self.ok("verify", "r.h5")
            self.ok("run", "--resume", "r.h5", "--until", until, "--quiet")
        self.ok("verify", "r.h5")

    def test_a_verdict_says_what_it_was_measured_by(self):
        run = self.ok("run", BALL, "--option", "inner.tol=1e-6", "--until", "0.2", "--out", "r.h5").stdout
        said = self.ok("verify", "r.h5").stdout
        for text in (run, said):
            self.assertIn("tolerances looser than the default: momentum_tolerance 1e-05 (1e-09)", text)
        loose = json.loads(self.ok("verify", "r.h5", "--json").stdout)["loose_tolerances"]
        self.assertEqual([one["name"] for one in loose], ["momentum_tolerance"])
        self.assertAlmostEqual(loose[0]["value"] / loose[0]["default"], 1e4, 6)
        self.assertNotIn("looser", self.ok("run", BALL, "--until", "0.2").stdout)

    def test_a_run_that_did_not_reach_its_end_is_told(self):
        self.run_cart()
        self.assertTrue(json.loads(self.ok("verify", "good.h5", "--json").stdout)["complete"])
        with self.open("good.h5") as file:
            del file["totals"]
            file["run"].attrs.modify("until", 0.5)
        self.assertIn("the file ends at t = 0.3 s, before its end at 0.5 s", self.ok("verify", "good.h5").stdout)
        self.assertFalse(json.loads(self.ok("verify", "good.h5", "--json").stdout)["complete"])

    def test_a_run_that_was_killed_before_its_first_frame(self):
        self.run_cart()
        with self.open("good.h5") as file:
            del file["totals"]
            for group in ("frames", "steps", "contacts", "events", "checkpoints"):
                for column in file[group].values():
                    column.resize(0, axis=0)
        result = tool("verify", "good.h5", folder=self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("incomplete: the run was killed before it had written a frame", result.stdout)
        self.assertNotIn("nan", result.stdout)
        self.assertNotIn("believed", result.stdout)

    def record_ball(self, scheme):
        """Every step until after the second impact."""
        self.ok("run", BALL, "--scheme", scheme, "--until", "0.9", "--frames", "0", "--out", "good.h5", "--quiet",
                "--force")

    def run_cart(self):
        (self.folder / "cart.toml").write_text(CART)
        self.ok("run", "cart.toml", "--scheme", "moreau-jean", "--out", "good.h5", "--quiet", "--force")
        self.ok("verify", "good.h5")


if __name__ == "__main__":
    unittest.main()
