"""Results files are read by other programs: h5py in five lines, CSV, VTK; docs/results.md has their layout."""
import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    vtkXMLPolyDataReader = None

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = os.environ.get("RESULTS_SAMPLE", ROOT / "build" / "release" / "tests" / "results_sample")
ROW = re.compile(r"^\| `(\w+/\w+)` \| (\w+) \| ([^|]*) \| ([^|]*) \| (.*) \|$", re.MULTILINE)


def setUpModule():
    global folder
    folder = tempfile.TemporaryDirectory()
    subprocess.run([SAMPLE, folder.name], check=True)


def tearDownModule():
    folder.cleanup()


def path(name):
    return os.path.join(folder.name, name)


def read_csv(name):
    with open(path(name), newline="") as file:
        header, *rows = csv.reader(file)
    return {name: [row[i] for row in rows] for i, name in enumerate(header)}


class H5py(unittest.TestCase):
    def test_five_lines(self):
        program = ROOT / "docs" / "code" / "read_results.py"
        self.assertLessEqual(len(program.read_text().splitlines()), 5)
        out = subprocess.run([sys.executable, program, path("space.h5")], capture_output=True, text=True, check=True)
        self.assertRegex(out.stdout, r"^box0.z ends at 0\.\d+ at t = 0.05; \d+ impacts, largest 0\.\d+ N s\n$")

    def test_the_motion_is_that_of_a_run_without_a_file(self):
        expected = numpy.loadtxt(path("space.txt"))
        with h5py.File(path("space.h5")) as file:
            z = list(file["model/coordinates"].asstr()).index("box2.z")
            w = list(file["model/velocities"].asstr()).index("box2.vz")
            self.assertTrue(numpy.array_equal(file["frames/t"][:], expected[:, 0]))
            self.assertTrue(numpy.array_equal(file["frames/q"][:, z], expected[:, 1]))
            self.assertTrue(numpy.array_equal(file["frames/v"][:, w], expected[:, 2]))

    def test_contacts_of_a_frame_carry_the_weight(self):
        with h5py.File(path("space.h5")) as file:
            pairs = list(file["model/pairs"].asstr())
            first, count = file["frames/contact_begin"][-1], file["frames/contact_count"][-1]
            rows = slice(first, first + count)
            below = file["contacts/pair"][rows] == pairs.index("box0.below")
            force = file["contacts/force"][rows][below, 0].sum()
            self.assertTrue((file["contacts/frame"][rows] == len(file["frames/t"]) - 1).all())
            mass = 3 * 1000.0 * numpy.prod(2.0 * file["model/shape_sizes"][1])
            self.assertEqual(file["model/shape_geometries"].asstr()[1], "box")
        self.assertAlmostEqual(force, mass * 9.81, delta=0.05 * mass * 9.81)


class Layout(unittest.TestCase):
    def documented(self):
        return {row[0]: row[1:] for row in ROW.findall((ROOT / "docs" / "results.md").read_text())}

    def test_every_dataset_is_documented_as_it_is(self):
        kinds = {"f": "float", "i": "integer", "u": "integer", "S": "text"}
        documented, seen = self.documented(), set()
        for name in ("space.h5", "joints.h5", "roller.h5"):
            with h5py.File(path(name)) as file:
                datasets = []
                file.visititems(lambda key, item: datasets.append(key) if isinstance(item, h5py.Dataset) else None)
                for key in datasets:
                    self.assertIn(key, documented)
                    kind, width, unit, what = documented[key]
                    data = file[key]
                    self.assertEqual(kind, kinds[data.dtype.kind], key)
                    if width.isdigit() or not width:
                        self.assertEqual(int(width or 1), data.shape[1] if data.ndim > 1 else 1, key)
                    if "unit" in data.attrs:
                        self.assertEqual(unit, data.attrs["unit"].decode(), key)
                    if "what" in data.attrs:
                        self.assertEqual(what, data.attrs["what"].decode(), key)
                    seen.add(key)
        two_step = {"frames/history", "frames/before_history"}
        self.assertEqual(set(documented) - seen - two_step, set())

    def test_attributes(self):
        with h5py.File(path("space.h5")) as file:
            self.assertEqual(file.attrs["format"], b"escapement results")
            self.assertEqual(file["run"].attrs["scheme"], b"moreau-jean")
            self.assertEqual(file["run/scene_text"][()], b"version = 1  # space\n")
            self.assertIn(b"impact_velocity", file["contacts"].attrs["impact_rule"])
            self.assertEqual(file["totals"].attrs["steps"], 50)
            self.assertEqual(file["totals"].attrs["failed_certificates"], 0)


class Csv(unittest.TestCase):
    def test_frames(self):
        table = read_csv("joints.csv")
        with h5py.File(path("joints.h5")) as file:
            names, units = file["model/coordinates"].asstr(), file["model/coordinates_units"].asstr()
            for i, (name, unit) in enumerate(zip(names, units)):
                column = numpy.array(table[f"q.{name} [{unit}]"], float)
                self.assertTrue(numpy.array_equal(column, file["frames/q"][:, i]), name)
            for i, joint in enumerate(file["model/joints"].asstr()):
                column = numpy.array(table[f"{joint}.moment_z [N m]"], float)
                self.assertTrue(numpy.array_equal(column, file["frames/reaction"][:, 6 * i + 5], equal_nan=True), joint)
            total = numpy.array(table["energy.total [J]"], float)
            self.assertTrue(numpy.array_equal(total, file["frames/kinetic"][:] + file["frames/potential"][:]))

    def test_contacts_and_events(self):
        table, events = read_csv("space_contacts.csv"), read_csv("space_events.csv")
        with h5py.File(path("space.h5")) as file:
            column = numpy.array(table["impulse_t2 [N s]"], float)
            self.assertTrue(numpy.array_equal(column, file["contacts/impulse"][:, 2]))
            statuses = file["model/statuses"].asstr()[:][file["contacts/status"][:]]
            self.assertEqual(table["status"], list(statuses))
            self.assertEqual(len(events["t [s]"]), len(file["events/t"]))
        self.assertIn("box0.below#1", table["contact"])
        self.assertEqual(events["event"].count("impact"), table["impact"].count("1"))

    # bruels (33): the whole impulse of a joint row is Lambda + h lambda~, and Lambda is zero where no contact acts.
    def test_smooth_and_impulsive_reactions(self):
        table = read_csv("pendulum.csv")
        with h5py.File(path("pendulum.h5")) as file:
            frames = file["frames"]
            acts = frames["contact_count"][:] > 0
            self.assertEqual(numpy.count_nonzero(frames["joint_impact"][:, 0]), 1)
            for i, row in enumerate(file["model/joint_rows"].asstr()):
                smooth = numpy.array(table[f"{row}.smooth [N or N m]"], float)
                impulsive = numpy.array(table[f"{row}.impulsive [N s or N m s]"], float)
                tau = numpy.array(table[f"{row}.tau"], float)
                self.assertTrue(numpy.array_equal(smooth, frames["history.alpha-ggl.lambda"][:, i]))
                self.assertTrue(numpy.array_equal(tau, frames["joint_tau"][:, i]))
                whole = impulsive + frames["h"][:] * smooth
                self.assertLess(abs(whole - frames["joint_impulse"][:, i]).max(), 1e-14)
                self.assertEqual(abs(impulsive[1:][~acts[1:]]).max(), 0.0)
                self.assertGreater(abs(impulsive[acts]).max(), 1.0)
        self.assertFalse([name for name in read_csv("joints.csv") if ".smooth" in name])

    def test_names_are_those_of_the_docs(self):
        text = (ROOT / "docs" / "results.md").read_text()
        for name in ("joints.csv", "space_contacts.csv", "space_events.csv", "roller.csv", "pendulum.csv"):
            for header in read_csv(name):
                column = re.sub(r" \[.*\]$", "", header)
                column = re.sub(r"^(q|v|u|y)\..*", r"\1.NAME", column)
                column = re.sub(r"^(?!energy|work)\w+\.(force|moment)_[xyz]$", "JOINT.force_x", column)
                column = re.sub(r"^(?!energy|work)\w+\.impact$", "JOINT.impact", column)
                column = re.sub(r"^(?!energy|work)\w+\[\d+\]\.(?=smooth|impulsive|tau)", "JOINT[i].", column)
                column = re.sub(r"_(x|y|z|n|t1|t2)$", "", column) if not column.startswith("JOINT") else column
                self.assertIn(column, text, header)


@unittest.skipIf(vtkXMLPolyDataReader is None, "python3-vtk9 is not installed")
class Vtk(unittest.TestCase):
    def read(self, name):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(path("vtk/" + name))
        reader.Update()
        self.assertEqual(reader.GetErrorCode(), 0, name)
        return reader.GetOutput()

    def array(self, data, name):
        return vtk_to_numpy(data.GetPointData().GetArray(name))

    def files(self, part):
        text = Path(path("vtk/space.pvd")).read_text()
        return re.findall(rf'timestep="([^"]*)" part="\d" name="{part}" file="([^"]*)"', text)

    def test_bodies(self):
        with h5py.File(path("space.h5")) as file:
            t, q = file["frames/t"][:], file["frames/q"][:]
        entries = self.files("bodies")
        self.assertEqual([float(time) for time, _ in entries], list(t))
        for frame in (0, 17, len(t) - 1):
            data = self.read(entries[frame][1])
            points = vtk_to_numpy(data.GetPoints().GetData())
            self.assertTrue(numpy.array_equal(points, q[frame].reshape(3, 7)[:, :3]))
            self.assertTrue(numpy.array_equal(self.array(data, "quaternion"), q[frame].reshape(3, 7)[:, 3:]))
            self.assertEqual(data.GetNumberOfVerts(), 3)

    def test_shapes(self):
        data = self.read(self.files("shapes")[-1][1])
        self.assertEqual(data.GetNumberOfPolys(), 3 * 6)  # three boxes; the floor has no end
        points = vtk_to_numpy(data.GetPoints().GetData())
        with h5py.File(path("space.h5")) as file:
            half = file["model/shape_sizes"][1]
            centre = file["frames/q"][-1, :3]
        corners = points[self.array(data, "body") == 0] - centre
        self.assertTrue(numpy.allclose(numpy.linalg.norm(corners, axis=1), numpy.linalg.norm(half), rtol=1e-12))

    def test_contacts(self):
        with h5py.File(path("space.h5")) as file:
            first, count = file["frames/contact_begin"][-1], file["frames/contact_count"][-1]
            point, impulse = file["contacts/point"][first:], file["contacts/impulse_world"][first:]
            status, h = file["contacts/status"][first:], file["frames/h"][-1]
        data = self.read(self.files("contacts")[-1][1])
        self.assertEqual(data.GetNumberOfPoints(), count)
        self.assertTrue(numpy.array_equal(vtk_to_numpy(data.GetPoints().GetData()), point))
        self.assertTrue(numpy.array_equal(self.array(data, "impulse"), impulse))
        self.assertTrue(numpy.allclose(self.array(data, "force"), impulse / h, rtol=1e-15))
        self.assertTrue(numpy.array_equal(self.array(data, "status"), status))

    def test_gap_functions_have_no_place(self):
        self.assertEqual(self.read("roller_contacts_110.vtp").GetNumberOfPoints(), 0)


if __name__ == "__main__":
    unittest.main()
