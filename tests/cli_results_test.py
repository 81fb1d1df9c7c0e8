"""Results files through the tool: verified, exported, resumed, with every option of their scheme."""
import json
import math
import re
import struct
import unittest
from pathlib import Path

from cli_test import BALL, CRANK, ROOT, Folder, tool


class Results(Folder):
    def setUp(self):
        super().setUp()
        self.ok("run", BALL, "--scheme", "combined-projection", "--out", "ball.h5", "--quiet")

    def test_verify_certifies_recorded_steps_again(self):
        verdict = json.loads(self.ok("verify", "ball.h5", "--json").stdout)
        self.assertTrue(verdict["ok"])
        self.assertGreater(verdict["checked"], 500)

    def failures_after(self, dataset, change):
        """The verdict of verify on ball.h5 with one row of a dataset changed, near the end, where the ball rests."""
        try:
            import h5py
        except ImportError:
            self.skipTest("needs h5py")
        with h5py.File(self.folder / "ball.h5", "r+") as file:
            file[dataset][-3] = file[dataset][-3] + change
        self.assertIn("fail", tool("verify", "ball.h5", folder=self.folder).stdout)
        result = tool("verify", "ball.h5", "--json", folder=self.folder)
        self.assertEqual(result.returncode, 1)
        verdict = json.loads(result.stdout)
        self.assertFalse(verdict["ok"])
        self.assertEqual(verdict["failed"], len(verdict["failures"]))
        for failure in verdict["failures"]:
            self.assertGreater(failure["value"], failure["allowed"])
        return verdict["failures"]

    def test_verify_names_the_contact_of_a_changed_velocity(self):
        failures = self.failures_after("frames/v", -1e-3)
        self.assertIn(("impact_law", "floor"), [(failure["check"], failure.get("contact")) for failure in failures])

    def test_verify_names_no_contact_where_the_whole_system_fails(self):
        for failure in self.failures_after("frames/q", -1e-3):
            self.assertEqual(failure["check"], "energy")
            self.assertNotIn("contact", failure)

    def test_verify_certifies_steps_that_were_halved(self):
        text = Path(CRANK).read_text()
        text, count = re.subn(r"(?m)^step = .*$", "step = 4e-3", text)
        self.assertEqual(count, 1)
        (self.folder / "coarse.toml").write_text(text)
        for frames, recorded in (("0", 50), ("20", 17)):
            run = json.loads(self.ok("run", "coarse.toml", "--option", "inner.scheme=moreau-jean", "--option", "inner.newton_max=5", "--frames", frames, "--out",
                                     "r.h5", "--json", "--force").stdout)
            self.assertGreater(run["steps"], 50)  # of the grid, and parts of those
            self.assertEqual(run["certificate"]["failed_steps"], 0)
            self.assertEqual(json.loads(self.ok("verify", "r.h5", "--json").stdout)["checked"], recorded)

    def test_export_and_plot(self):
        self.ok("export", "ball.h5", "--csv", "frames.csv", "--contacts", "contacts.csv", "--events", "events.csv")
        self.assertIn("[m]", (self.folder / "frames.csv").read_text().splitlines()[0])
        self.refused("export", "ball.h5", says="--csv")
        self.refused("export", "ball.h5", "--csv", "frames.csv", says="frames.csv")
        self.ok("plot", "ball.h5")
        for name in ("it's.svg", "two\nlines.svg", "./-e.svg"):
            self.ok("plot", "ball.h5", "--out", name)
        for name in ("ball.svg", "it's.svg", "two\nlines.svg", "-e.svg"):
            self.assertIn("<svg", (self.folder / name).read_text())

    def test_export_and_plot_as_json(self):
        written = json.loads(self.ok("export", "ball.h5", "--csv", "f.csv", "--vtk", "vtk", "--json").stdout)
        self.assertEqual(written["csv"], "f.csv")
        self.assertEqual(written["vtk"]["files"], len(list((self.folder / "vtk").iterdir())))
        result = self.ok("plot", "ball.h5", "--json")
        self.assertEqual(result.stderr, "")
        picture = json.loads(result.stdout)
        self.assertTrue((self.folder / picture["file"]).exists())
        units = {panel["title"]: panel["unit"] for panel in picture["panels"]}
        self.assertEqual(units, {"positions": "", "velocities": "", "gaps": "m", "normal forces": "N",
                                 "impact impulses": "N s", "impact speed": "m/s", "energy": "J"})

    def test_panels_have_one_unit_each(self):
        self.ok("example", "slider-crank-planar", "--until", "0.01", "--out", "crank.h5", "--quiet")
        picture = json.loads(self.ok("plot", "crank.h5", "--json").stdout)
        panels = [(panel["title"], panel["unit"]) for panel in picture["panels"]]
        self.assertEqual(len(panels), len(set(panels)))
        for panel in picture["panels"]:
            if panel["title"] == "positions":
                angles = {curve.endswith(".phi") for curve in panel["curves"]}
                self.assertEqual(angles, {panel["unit"] == "rad"})

    def test_impacts_are_those_of_the_scheme(self):
        for limit, impacts in (("1e-9", True), ("10", False)):
            words = ("run", BALL, "--option", f"inner.impact_velocity={limit}", "--frames", "0", "--force", "--json")
            run = json.loads(self.ok(*words, "--out", "limit.h5").stdout)
            self.ok("export", "limit.h5", "--contacts", "contacts.csv", "--force")
            header, *rows = [line.split(",") for line in (self.folder / "contacts.csv").read_text().splitlines()]
            column = header.index("impact")
            self.assertEqual(sum(int(row[column]) for row in rows), run["impacts"])
            self.assertEqual(run["impacts"] > 0, impacts)

    def test_a_resumed_run_is_the_run_that_was_not_stopped(self):
        self.ok("run", BALL, "--out", "whole.h5", "--until", "4", "--quiet")
        self.ok("run", BALL, "--out", "part.h5", "--until", "2", "--quiet")
        self.ok("run", "--resume", "part.h5", "--until", "4", "--quiet")
        tables = []
        for name in ("whole", "part"):
            self.ok("export", f"{name}.h5", "--events", f"{name}.csv")
            tables.append((self.folder / f"{name}.csv").read_text())
        self.assertEqual(*tables)
        self.refused("run", "--resume", "part.h5", "--step", "1e-3", says="--step")

    def test_a_resumed_run_without_a_step_to_do_leaves_the_file_alone(self):
        """With few frames: the last one is recorded only because the run ended."""
        self.ok("run", BALL, "--out", "r.h5", "--until", "2", "--frames", "5", "--quiet")
        file = (self.folder / "r.h5").read_bytes()
        for words in ([], ["--until", "2"], ["--until", "2.001"]):
            self.assertIn("nothing is left to do", self.ok("run", "--resume", "r.h5", *words).stderr)
            self.assertEqual((self.folder / "r.h5").read_bytes(), file)
        report = json.loads(self.ok("run", "--resume", "r.h5", "--json").stdout)
        self.assertEqual((report["status"], report["steps"]), ("done", 285))
        for until in ("1.9", "1", "-3", "-1e300"):
            said = self.refused("run", "--resume", "r.h5", "--until", until, says="give a later end").stderr
            self.assertIn("r.h5", said)
        self.assertEqual((self.folder / "r.h5").read_bytes(), file)


class Sound(Folder):
    def test_every_scene_with_every_scheme_is_verified(self):
        schemes = [line.split()[0] for line in self.ok("list", "schemes").stdout.splitlines()]
        verified = 0
        for scene in sorted((ROOT / "scenes").glob("*.toml")):
            step = float(re.search(r"(?m)^step = (\S+)", scene.read_text())[1])
            for scheme in schemes:
                with self.subTest(scene=scene.name, scheme=scheme):
                    run = tool("run", str(scene), "--scheme", scheme, "--until", repr(25 * step), "--frames", "9",
                               "--out", "r.h5", "--force", "--quiet", folder=self.folder)
                    if run.returncode == 2 and "mu > 0" in run.stderr:
                        continue
                    self.assertEqual(run.returncode, 0, run.stderr)
                    self.ok("verify", "r.h5")
                    verified += 1
        self.assertGreater(verified, 90)


def shape_kinds():
    """Every kind of shape that scenes have: name, whether it is planar, the fields it needs, those it may have."""
    schema = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
    kinds = schema["$defs"]["shape"]["oneOf"]
    common = set.intersection(*(set(kind["properties"]) for kind in kinds))
    for kind in kinds:
        own = set(kind["properties"]) - common
        needed = own & set(kind["required"])
        name = kind["properties"]["kind"]
        yield name["const"], name["description"].startswith("planar"), needed, own - needed


class Shapes(Folder):
    """A run with every kind of shape, on the body and on the ground, with and without what may be left out."""

    VALUES = {"radius": "0.1", "half_length": "0.2", "half_height": "0.3", "half_sizes": "[0.1, 0.2, 0.3]",
              "shoulder": "0.4", "half_width": "0.5", "spacing": "[0.1, 0.1]", "columns": "2", "heights": "[0, 0, 0, 0]"}
    BODIES = {True: 'kind = "planar"\ninertia = 0.1', False: 'kind = "space"\ninertia = [0.1, 0.1, 0.1]'}

    def test_every_kind_is_read_back(self):
        for planar in (True, False):
            shapes, count = "", 0
            for kind, is_planar, needed, optional in shape_kinds():
                if is_planar != planar:
                    continue
                for fields in [needed, needed | optional] if optional else [needed]:
                    for body in ("ground", "it"):
                        shapes += f'[[shape]]\nname = "s{count}"\nkind = "{kind}"\nbody = "{body}"\n'
                        shapes += "".join(f"{field} = {self.VALUES[field]}\n" for field in sorted(fields))
                        count += 1
            self.assertGreaterEqual(count, 8)
            (self.folder / "all.toml").write_text(
                f'version = 1\n[[body]]\nname = "it"\nmass = 1.0\n{self.BODIES[planar]}\n{shapes}'
                '[[force]]\nname = "g"\nkind = "gravity"\nacceleration = [0, -9.81, 0]\n'
                "[simulation]\nstep = 1e-2\nuntil = 0.03\n")
            self.ok("run", "all.toml", "--out", "all.h5", "--quiet", "--force")
            self.ok("verify", "all.h5")
            self.ok("plot", "all.h5", "--force")
            self.ok("export", "all.h5", "--vtk", "vtk", "--force")
            meshes = list((self.folder / "vtk").glob("*shapes*.vtp"))
            self.assertGreater(len(meshes), 2)
            for mesh in meshes:
                data = mesh.read_bytes().split(b'<AppendedData encoding="raw">\n_')[1]  # the points stand first
                (size,) = struct.unpack_from("<Q", data)
                self.assertGreater(size, 0)
                self.assertTrue(all(map(math.isfinite, struct.unpack_from(f"<{size // 8}d", data, 8))), mesh)


def documented_options():
    """Of every scheme: option -> default, as docs/options.md has them."""
    options, scheme = {}, None
    for line in (ROOT / "docs" / "options.md").read_text().splitlines():
        if line.startswith("## "):
            scheme = options.setdefault(line[3:], {})
        elif line.startswith("| `"):
            cells = [cell.strip() for cell in line.replace("\\|", "/").split("|")]
            name, kind, default = cells[1].strip("`"), cells[2], cells[4]
            if kind == "scheme":  # one that another scheme holds, with options of its own
                scheme[name + ".scheme"] = default
                scheme.update({f"{name}.{inner}": value for inner, value in options[default].items()})
            else:
                scheme[name] = default
    return options


class Options(Folder):
    """A file has every option of its scheme, and a run goes on with those."""

    def setUp(self):
        super().setUp()
        try:
            import h5py
        except ImportError:
            self.skipTest("needs h5py")
        self.open = lambda name, mode="r": h5py.File(self.folder / name, mode)

    def stored(self, name):
        with self.open(name) as file:
            return dict(zip(file["run/option_names"].asstr(), file["run/option_values"].asstr()))

    def test_every_option_is_stored_with_its_value(self):
        documented = documented_options()
        schemes = [line.split()[0] for line in self.ok("list", "schemes").stdout.splitlines()]
        self.assertGreater(len(schemes), 4)
        for scheme in schemes:
            self.ok("run", BALL, "--scheme", scheme, "--until", "0.1", "--out", f"{scheme}.h5", "--quiet")
            expected = documented[scheme]
            for prefix in ("", "inner."):
                if prefix + "theta" in expected:  # rho_inf is another way to give theta, and is stored as that
                    expected.pop(prefix + "rho_inf", None)
            self.assertEqual(self.stored(f"{scheme}.h5"), expected, scheme)
        self.ok("run", BALL, "--scheme", "moreau-jean", "--option", "theta=1", "--until", "0.1", "--out", "r.h5", "--quiet")
        self.assertEqual(self.stored("r.h5"), {**documented["moreau-jean"], "theta": "1"})

    def test_a_run_goes_on_with_the_stored_options(self):
        """As in a file of a version whose defaults were others: one Newton iteration is too few for this mechanism."""
        self.ok("run", CRANK, "--scheme", "moreau-jean", "--step", "1e-4", "--until", "0.01", "--out", "r.h5", "--quiet")
        self.ok("run", "--resume", "r.h5", "--until", "0.02", "--quiet")
        with self.open("r.h5", "r+") as file:
            at = list(file["run/option_names"].asstr()).index("newton_max")
            file["run/option_values"][at] = b"1"
        result = tool("run", "--resume", "r.h5", "--until", "0.03", "--quiet", folder=self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("newton_stalled", result.stderr)


if __name__ == "__main__":
    unittest.main()
