"""The command-line tool, used as a user does: what it prints, what it writes, how it fails."""
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOL = os.environ["ESCAPEMENT_TOOL"]
BALL = str(ROOT / "scenes" / "bouncing-ball.toml")
CRANK = str(ROOT / "scenes" / "slider-crank.toml")

# The keys that scripts may rely on.
RUN_KEYS = {"status", "scheme", "step", "steps", "t", "q", "v", "impacts", "max_penetration", "max_joint_drift",
            "energy", "newton", "solver", "certificate", "wall_seconds"}


def tool(*words, folder=None, program=TOOL, **how):
    how = {"capture_output": True, "timeout": 60, **how}
    return subprocess.run([program, *words], text=True, cwd=folder, check=False, **how)


def clear_failure(test, result, name):
    """Exit code 1 or 2 and one message, which contains the name and nothing of a library's insides."""
    said = result.stdout + result.stderr
    test.assertIn(result.returncode, (1, 2), said)
    test.assertIn(name, said)
    test.assertLessEqual(len([line for line in said.splitlines() if not line.startswith("t = ")]), 3, said)
    for inside in ("HDF5-DIAG", "H5", "std::", "terminate", "bad_alloc", "filesystem error", "gnuplot>", "line 0:"):
        test.assertNotIn(inside, said)


def composites():
    """The schemes that hold another one: an option of theirs is a scheme. docs_test.py holds this page to the tables."""
    sections = (ROOT / "docs" / "options.md").read_text().split("\n## ")[1:]
    return {text.split()[0] for text in sections if re.search(r"^\| `\w+` \| scheme \|", text, re.MULTILINE)}


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def ok(self, *words):
        result = tool(*words, folder=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def refused(self, *words, says):
        """Exit code 2, nothing on standard output, one message that contains `says`."""
        result = tool(*words, folder=self.folder)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertIn(says, result.stderr)
        return result


class Run(Folder):
    def test_json_has_its_keys_and_nothing_else_is_printed(self):
        result = self.ok("run", BALL, "--json")
        run = json.loads(result.stdout)
        self.assertEqual(result.stderr, "")
        self.assertLessEqual(RUN_KEYS, run.keys())
        self.assertEqual(run["status"], "done")
        self.assertTrue(run["certificate"]["ok"])
        self.assertGreater(run["impacts"], 3)

    def test_the_ball_comes_to_rest_on_the_floor_with_the_combined_scheme(self):
        run = json.loads(self.ok("run", BALL, "--json", "--scheme", "combined-projection", "--until", "6").stdout)
        (height,), (speed,) = run["q"].values(), run["v"].values()
        self.assertLessEqual(abs(height), 1e-15)
        self.assertLessEqual(abs(speed), 1e-10)
        self.assertLessEqual(run["max_penetration"], 1e-12)

    def test_a_parameter_changes_the_run(self):
        high = json.loads(self.ok("run", BALL, "--json", "-p", "e=0.9").stdout)
        low = json.loads(self.ok("run", BALL, "--json", "-p", "e=0.1").stdout)
        self.assertGreater(high["energy"]["final"], 0.1 * high["energy"]["initial"])
        self.assertLess(low["energy"]["final"], 1e-9)  # at rest: it bounces more often, but in no time

    def test_the_summary_is_for_people(self):
        text = self.ok("run", BALL).stdout
        for word in ("impacts", "worst penetration", "energy", "certificate"):
            self.assertIn(word, text)

    def test_what_is_not_computed_is_not_told(self):
        scene = (ROOT / "scenes" / "chain.toml").read_text()
        scene = re.sub(r"(?s)\[simulation\].*", "[simulation]\ncertify = false\nstep = 1e-3\nuntil = 0.01\n", scene)
        (self.folder / "bare.toml").write_text(scene)
        text = self.ok("run", "bare.toml").stdout
        for line in ("contact", "joints", "work"):
            self.assertRegex(text, rf"(?m)^{line} .*not computed \(certify = false\)$")
        self.assertNotIn("unaccounted", text)
        run = json.loads(self.ok("run", "bare.toml", "--json").stdout)
        for value in (run["max_penetration"], run["max_joint_drift"], run["energy"]["balance_error"],
                      run["certificate"]["ok"], run["certificate"]["failed_steps"]):
            self.assertIsNone(value)

    # One Newton iteration does not solve a nonlinear step: what is left must lie above the tolerance.
    def test_the_figures_of_a_failed_step(self):
        result = tool("run", ROOT / "scenes" / "slider-crank.toml", "--scheme", "moreau-jean", "--option", "newton_max=1",
                      "--option", "tol=1e-12", "--json", folder=self.folder)
        step = json.loads(result.stdout)["failed_step"]
        self.assertEqual((step["status"], step["newton_iterations"], step["index_sets"]), ("newton_stalled", 1, 1))
        self.assertGreater(step["residual"], 1e-12)
        self.assertNotIn("failed_step", json.loads(self.ok("run", BALL, "--json").stdout))

    def test_csv_has_a_header_with_units_and_is_not_overwritten(self):
        self.ok("run", BALL, "--csv", "ball.csv")
        header, first = (self.folder / "ball.csv").read_text().splitlines()[:2]
        self.assertTrue(header.startswith("t [s]"))
        self.assertEqual(len(header.split(",")), len(first.split(",")))
        self.refused("run", BALL, "--csv", "ball.csv", says="--force")
        self.ok("run", BALL, "--csv", "ball.csv", "--force")

    def test_csv_of_a_run_is_that_of_its_results(self):
        self.ok("run", BALL, "--csv", "run.csv", "--out", "ball.h5", "--frames", "50")
        self.ok("export", "ball.h5", "--csv", "export.csv")
        self.ok("run", BALL, "--csv", "alone.csv", "--frames", "50")
        table = (self.folder / "run.csv").read_text()
        self.assertEqual(table, (self.folder / "export.csv").read_text())
        self.assertEqual(table, (self.folder / "alone.csv").read_text())
        self.assertLessEqual(len(table.splitlines()), 51)
        self.assertEqual({file.name for file in self.folder.iterdir()}, {"run.csv", "export.csv", "alone.csv", "ball.h5"})
        self.refused("run", BALL, "--csv", "x", "--out", "x", says="same file")

    def test_steps_that_break_the_promise_are_an_error(self):
        result = tool("run", CRANK, "--option", "inner.solver_tol=1e-2", "--quiet", folder=self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("do not hold what the scheme promises", result.stderr)

    def test_what_goes_wrong_is_said_once(self):
        result = tool("run", CRANK, "--scheme", "moreau-jean", "--step", "1e-2", "--option", "newton_max=1", folder=self.folder)
        self.assertEqual((result.stdout + result.stderr).count("newton_stalled"), 1)
        self.assertIn("no step was taken", result.stdout)
        warned = self.ok("example", "four-bar-space", "--until", "0.01")
        self.assertEqual((warned.stdout + warned.stderr).count("redundant joints"), 1)

    def test_progress_is_shown_on_a_terminal_and_nowhere_else(self):
        command = ("run", CRANK, "--step", "2e-6")
        self.assertEqual(self.ok(*command).stderr, "")
        theirs, ours = os.openpty()
        process = subprocess.Popen([TOOL, *command], stdout=subprocess.DEVNULL, stderr=ours, cwd=self.folder)
        os.close(ours)
        shown = b""
        while True:
            try:
                part = os.read(theirs, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        os.close(theirs)
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertRegex(shown.decode(), r"step \d+, t = [\d.e-]+ s of 0\.2 s, \d+ active contacts, \d+ s left")

    def test_an_example_is_its_scene(self):
        self.assertEqual(json.loads(self.ok("example", "bouncing-ball", "--json").stdout)["q"],
                         json.loads(self.ok("run", BALL, "--json").stdout)["q"])

    def test_a_run_that_fails_says_when_why_and_what_to_try(self):
        result = tool("run", CRANK, "--scheme", "moreau-jean", "--step", "1e-2", "--option", "newton_max=1", folder=self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("newton_stalled", result.stderr)
        self.assertIn("t = ", result.stderr)
        self.assertIn("Reduce the step", result.stderr)

    def test_control_c_stops_cleanly(self):
        process = subprocess.Popen([TOOL, "run", CRANK, "--step", "1e-7", "--out", "r.h5"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0)
        self.assertIn("stopped at t", messages)
        self.assertIn("the results so far are kept", messages)
        self.ok("export", "r.h5", "--csv", "r.csv")

    def test_what_is_stopped_leaves_no_file_of_its_own(self):
        """SIGTERM is as good as Ctrl-C; without a results file nothing is kept."""
        for kind, extra in ((signal.SIGTERM, ("--csv", "r.csv")), (signal.SIGINT, ())):
            passing = self.folder / f"tmp{len(extra)}"
            passing.mkdir()
            process = subprocess.Popen([TOOL, "run", CRANK, "--step", "1e-7", *extra], cwd=self.folder,
                                       env={**os.environ, "TMPDIR": str(passing)}, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            time.sleep(0.3)
            process.send_signal(kind)
            _, messages = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 0)
            self.assertEqual("kept" in messages, bool(extra), messages)
            self.assertEqual(list(passing.iterdir()), [])


class Refusals(Folder):
    def test_misspelt_words_are_met_with_a_suggestion(self):
        self.refused("rnu", BALL, says="did you mean 'run'?")
        self.refused("run", BALL, "--shceme", "moreau-jean", says="did you mean '--scheme'?")
        self.refused("run", BALL, "--scheme", "moreau", says="there is no scheme 'moreau'")
        self.refused("example", "bouncing-bal", says="did you mean 'bouncing-ball'?")
        self.refused("run", BALL, "--option", "thet=1", says="thet")
        self.refused("list", "scheme", says="schemes")

    def test_values_that_mean_nothing(self):
        self.refused("run", BALL, "--step", "fast", says="--step expects a number")
        self.refused("run", BALL, "--step", "-1", says="> 0")
        self.refused("run", BALL, "--until", "-1", says="before its first step")
        self.refused("run", BALL, "--step", "100", says="before its first step")
        self.refused("run", BALL, "--frames", "2.5", says="whole number")
        self.refused("run", BALL, "--frames", "-5", says="whole number")
        self.refused("example", "bouncing-ball", "--resume", "x.h5", says="belongs to run")
        self.refused("run", BALL, "-p", "e", says="name=value")
        self.refused("run", says="SCENE")
        self.refused("run", BALL, BALL, says="operands")
        self.refused("run", "nowhere.toml", says="nowhere.toml")
        self.refused("verify", BALL, says="bouncing-ball.toml")

    def test_an_error_in_a_scene_has_its_place(self):
        (self.folder / "bad.toml").write_text(Path(BALL).read_text().replace("version", "versoin", 1))
        result = self.refused("run", "bad.toml", says="bad.toml:")
        self.assertRegex(result.stderr, r"bad\.toml:\d+:\d+: ")

    def test_no_words_at_all(self):
        result = tool()
        self.assertEqual(result.returncode, 2)
        self.assertIn("escapement run", result.stderr)


class Others(Folder):
    def test_lists(self):
        self.assertIn("combined-projection", self.ok("list", "schemes").stdout)
        self.assertIn("nsgs", self.ok("list", "solvers").stdout)
        self.assertIn("slider-crank", self.ok("list", "examples").stdout)

    def test_lists_as_json_describe_every_entry(self):
        for what in ("schemes", "solvers", "examples"):
            entries = json.loads(self.ok("list", what, "--json").stdout)[what]
            text = self.ok("list", what).stdout.splitlines()
            self.assertEqual([entry["name"] for entry in entries], [line.split()[0] for line in text])
            self.assertTrue(all(entry["what"] for entry in entries))

    def test_check_counts_and_warns(self):
        self.assertIn("1 degrees of freedom", self.ok("check", BALL).stdout)
        self.assertIn("WARN", self.ok("check", BALL, "-p", "height=1e-9").stdout)
        self.assertIn("0 warnings", self.ok("check", "bouncing-ball").stdout)
        self.refused("check", "bouncing-bal", says="did you mean 'bouncing-ball'?")

    def test_check_refuses_what_run_refuses(self):
        for key, value in (("until", "-1"), ("until", "1e-3"), ("step", "5")):
            text = Path(BALL).read_text()
            (self.folder / "short.toml").write_text(re.sub(rf"(?m)^{key} = .*", f"{key} = {value}", text))
            said = self.refused("check", "short.toml", says="before its first step")
            self.assertEqual(said.stderr, self.refused("run", "short.toml", says="before its first step").stderr)
            line = 1 + text.splitlines().index(next(each for each in text.splitlines() if each.startswith("until")))
            self.assertIn(f"short.toml:{line}:9: ", said.stderr)

    def test_check_as_json_names_the_item(self):
        result = json.loads(self.ok("check", "bouncing-ball", "-p", "height=1e-9", "--json").stdout)
        self.assertEqual(result["warnings"], 1)
        (warning,) = [finding for finding in result["findings"] if finding["severity"] == "warning"]
        self.assertEqual((warning["topic"], warning["item"]), ("step", "floor"))

    def test_a_file_wins_over_an_example(self):
        (self.folder / "bouncing-ball").write_text(Path(CRANK).read_text())
        self.assertIn("3 velocities", self.ok("check", "bouncing-ball").stdout)

    def test_compare_recommends(self):
        result = json.loads(self.ok("compare", BALL, "--steps", "2e-2,5e-3", "--json").stdout)
        listed = {line.split()[0] for line in self.ok("list", "schemes").stdout.splitlines()}
        own = json.loads(self.ok("run", BALL, "--json").stdout)["scheme"]
        self.assertIn("halve", composites())
        schemes = listed - (composites() - {own})
        by_step = {(p["scheme"], p["step"]): p for p in result["points"]}
        self.assertEqual(set(by_step), {(scheme, step) for scheme in schemes for step in (2e-2, 5e-3)})
        self.assertTrue(all(point["ok"] for point in result["points"]))
        best = result["points"][result["recommended"]]
        self.assertIn(best["scheme"], result["reason"])
        self.assertTrue(best["certified"])
        self.assertLess(by_step["moreau-jean", 5e-3]["q_l1"], by_step["moreau-jean", 2e-2]["q_l1"])

    def test_compare_takes_the_exact_solution_of_an_example_only(self):
        def reference(*words):
            result = self.ok("compare", *words, "--steps", "5e-2", "--schemes", "moreau-jean", "--json")
            return json.loads(result.stdout)["reference"]
        exact, refined = "exact solution of bouncing-ball", "halve with a step of"
        self.assertEqual(reference(BALL), exact)
        self.assertEqual(reference("bouncing-ball", "-p", "e=0.9"), exact)
        self.assertIn("reference: " + exact, self.ok("compare", BALL, "--steps", "5e-2").stdout)
        self.assertIn(refined, reference(BALL, "--refine", "4"))
        self.assertIn(refined, reference(BALL, "-p", "height=0"))
        (self.folder / "bouncing-ball.toml").write_text(Path(BALL).read_text() + "\n# mine\n")
        self.assertIn(refined, reference("bouncing-ball.toml"))

    def test_compare_shows_who_refuses_the_model(self):
        words = ("compare", "box-on-incline", "--steps", "5e-3", "--until", "0.05")
        self.assertRegex(self.ok(*words).stdout, r"schatzman-paoli +refuses: .*friction")
        result = json.loads(self.ok(*words, "--json").stdout)
        self.assertIn("schatzman-paoli", [refusal["scheme"] for refusal in result["refusals"]])

    def test_compare_wants_positive_steps(self):
        for steps in ("1e-2,fast", "-1", "0", "inf", "nan", "1e-2,", "1e999"):
            self.refused("compare", BALL, f"--steps={steps}", says="--steps expects positive numbers")
        self.refused("compare", BALL, "--schemes", "moreau", says="there is no scheme 'moreau'")
        self.refused("compare", BALL, "--steps", "10,1e-2", "--until", "1", says="before a step of 10 s is over")
        for refine in ("2.7", "1", "-4", "1e300"):
            self.refused("compare", BALL, "--refine", refine, says="--refine expects a whole number, 2 or more")

    def test_compare_leaves_out_default_steps_that_the_run_does_not_have(self):
        result = json.loads(self.ok("compare", BALL, "--until", "0.01", "--schemes", "moreau-jean", "--json").stdout)
        self.assertEqual([point["step"] for point in result["points"]], [0.007, 0.0035, 0.00175])

    def test_compare_draws(self):
        for name in ("cost.svg", "it's `a` \"cost\".svg"):
            self.ok("compare", BALL, "--steps", "2e-2", "--svg", name)
            self.assertIn("<svg", (self.folder / name).read_text())

    def test_compare_draws_small_errors(self):
        """Errors of the size of 1e-10 have their places on the logarithmic axis, beside the one in the key."""
        steps = ("--steps", "2e-5,1e-5", "--schemes", "moreau-jean", "--until", "0.2")
        points = json.loads(self.ok("compare", "linear-oscillator", *steps, "--json").stdout)["points"]
        self.assertTrue(all(0.0 < point["q_relative"] < 1e-9 for point in points))
        self.ok("compare", "linear-oscillator", *steps, "--svg", "cost.svg")
        places = re.findall(r"<use [^>]*translate", (self.folder / "cost.svg").read_text())
        self.assertEqual(len(places), len(points) + 1)

    def test_reproduce_lists_the_figures(self):
        self.assertIn("fig-4", self.ok("reproduce").stdout)
        papers = {paper["name"]: paper["items"] for paper in json.loads(self.ok("reproduce", "--json").stdout)["papers"]}
        self.assertEqual(set(papers), {"acary", "bruels"})
        for items in papers.values():
            self.assertIn("fig-4", [item["name"] for item in items])

    def test_reproduce_as_json_gives_verdicts(self):
        result = json.loads(self.ok("reproduce", "acary", "fig-4", "--json").stdout)
        self.assertTrue(result["ok"])
        (item,) = result["items"]
        self.assertTrue(item["ok"])
        verdicts = {line["verdict"] for line in item["lines"]}
        self.assertLessEqual(verdicts, {"agrees", "deviates", "shown"})
        self.assertFalse((self.folder / "results").exists())
        self.refused("reproduce", "acary", "fig-400", "--json", says="fig-400")

    def test_every_command_has_help_with_an_example(self):
        overview = tool("--help").stdout
        names = [line.split()[1] for line in overview.splitlines() if line.startswith("  escapement ")]
        self.assertIn("run", names)
        for name in names:
            self.assertIn("Example", self.ok(name, "--help").stdout)

    def test_files_of_reproduce_are_not_overwritten(self):
        self.ok("reproduce", "acary", "fig-3")
        self.refused("reproduce", "acary", "fig-3", says="--force")
        self.refused("reproduce", "acary", "fig-3", "--json", "--out", "results", says="--force")
        self.ok("reproduce", "acary", "fig-3", "--force")

    def test_help_and_version_by_every_usual_name(self):
        for words in (("run", "--help"), ("run", "-h"), ("help", "run")):
            self.assertIn("--scheme NAME", self.ok(*words).stdout)
        self.assertEqual(self.ok("--help").stdout, self.ok("help").stdout)
        self.assertRegex(self.ok("--version").stdout, r"^escapement \d+\.\d+\.\d+ ")

    def completed(self, *words):
        """What the shell offers for the last word."""
        script = self.ok("completion", "bash").stdout
        line = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _escapement; echo ${{COMPREPLY[@]}}"
        return subprocess.run(["bash", "-c", script + line], capture_output=True, text=True, check=True,
                              cwd=self.folder).stdout.split()

    def test_completion_knows_commands_options_and_names(self):
        self.assertEqual(self.completed("escapement", "re"), ["reproduce"])
        self.assertEqual(self.completed("escapement", "run", "--res"), ["--resume"])
        self.assertEqual(self.completed("escapement", "run", "--scheme", "comb"), ["combined-projection"])
        self.assertEqual(self.completed("escapement", "list", "so"), ["solvers"])
        self.assertEqual(self.completed("escapement", "example", "bouncing-b"), ["bouncing-ball"])


if __name__ == "__main__":
    unittest.main()
