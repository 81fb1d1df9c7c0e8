"""The tree obeys scripts/check_tree.py, and that checker sees each kind of violation."""
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import check_tree  # noqa: E402

# A small tree without faults; each test adds one.
GOOD = {
    "include/escapement/export.hpp": "#pragma once\n",
    "include/escapement/cone_problem.hpp": "#include <vector>\n#include <escapement/export.hpp>\n",
    "include/escapement/solver.hpp": "#include <escapement/cone_problem.hpp>\n",
    "include/escapement/solvers/nsgs.hpp": "#include <escapement/solver.hpp>\n",
    "include/escapement/system.hpp": "#include <escapement/export.hpp>\n",
    "include/escapement/certify.hpp": "#include <escapement/system.hpp>\n",
    "src/math/lu.hpp": "#include <Eigen/Core>\n",
    "src/cone/coulomb.hpp": '#include "src/math/lu.hpp"\n',
    "src/cone/nsgs.cpp": '#include <escapement/solvers/nsgs.hpp>\n#include "src/cone/coulomb.hpp"\n',
    "src/schemes/parts/forecast.hpp": "#include <escapement/system.hpp>\n",
    "src/schemes/moreau_jean.cpp": '#include "src/schemes/parts/forecast.hpp"\n#include <escapement/solver.hpp>\n',
    "src/certify/certify.cpp": '#include <escapement/certify.hpp>\n#include "src/cone/coulomb.hpp"\n',
    "src/run/simulate.cpp": '#include <escapement/certify.hpp>\n#include "src/schemes/parts/forecast.hpp"\n',
    "tests/nsgs_test.cpp": '#include "src/cone/coulomb.hpp"\n#include <escapement/solvers/nsgs.hpp>\n',
}


class Layering(unittest.TestCase):
    def check(self, extra, expected):
        """GOOD with `extra` lines appended to files gives exactly one violation, which contains `expected`."""
        files = dict(GOOD)
        for path, text in extra.items():
            files[path] = files.get(path, "") + text
        found = check_tree.violations(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])

    def test_the_repository(self):
        files = check_tree.read_tree(ROOT)
        self.assertIn("CMakeLists.txt", files)
        self.assertEqual(check_tree.violations(files), [])

    def test_good_tree(self):
        self.assertEqual(check_tree.violations(GOOD), [])

    def test_include_to_the_right(self):
        self.check({"src/math/lu.hpp": '#include "src/cone/coulomb.hpp"\n'}, "math must not include cone")
        self.check({"src/math/lu.hpp": "#include <escapement/system.hpp>\n"}, "math must not include model")

    def test_quoted_names_start_at_the_root(self):
        for name in ("../run/loop.hpp", "run/loop.hpp", "gone.hpp"):
            self.check({"src/cone/nsgs.cpp": f'#include "{name}"\n', "src/run/loop.hpp": ""}, "quoted names start")

    def test_schemes_and_certify_do_not_see_each_other(self):
        self.check({"src/schemes/moreau_jean.cpp": "#include <escapement/certify.hpp>\n"},
                   "schemes must not include certify")

    def test_library_does_not_include_tests(self):
        self.check({"src/math/lu.hpp": '#include "tests/support/count.hpp"\n', "tests/support/count.hpp": ""},
                   "outside the library")

    def test_certify_reaches_no_solver(self):
        for line in ("#include <escapement/solver.hpp>\n", '#include "src/cone/nsgs_local.hpp"\n'):
            self.check({"src/certify/certify.cpp": line, "src/cone/nsgs_local.hpp": ""}, "the certificate reaches")
        self.check({"src/cone/coulomb.hpp": '#include "src/cone/lists.hpp"\n',
                    "src/cone/lists.hpp": '#include "src/cone/nsgs_local.hpp"\n', "src/cone/nsgs_local.hpp": ""},
                   "reaches src/cone/nsgs_local.hpp through src/cone/lists.hpp")

    def test_memory_of_a_step_comes_from_scratch(self):
        for member in ("std::vector<double> r;", "ContactSet found, set;", "JointSet joints_;"):
            self.check({"src/schemes/parts/part.hpp": f"class Part {{\n  {member}\n}};\n"}, "must come from Scratch")
        self.assertEqual(check_tree.violations({**GOOD, "src/schemes/parts/part.hpp":
                         "class Part {\n  std::vector<double>& r;\n  CacheVector c;\n};\nvoid f() {\n  ContactSet s;\n}\n"}), [])

    def test_unknown_layer(self):
        self.check({"include/escapement/gadget.hpp": ""}, "belongs to no layer")
        for path in ("src/gadgets/gadget.cpp", "src/gadget.cpp"):
            self.check({path: ""}, "belongs to no layer")

    def test_public_headers_are_closed(self):
        self.check({"include/escapement/system.hpp": "#include <Eigen/Core>\n"}, "includes Eigen")
        self.check({"include/escapement/system.hpp": '#include "src/model/block.hpp"\n', "src/model/block.hpp": ""},
                   "a public header includes src/model/block.hpp")

    def test_rules_of_the_house(self):
        self.check({"src/math/lu.hpp": "// line\n" * check_tree.MAX_LINES}, "more than 400")
        self.check({"src/math/lu.hpp": "// TO" "DO: pivot\n"}, "src/math/lu.hpp:2: unfinished")
        for top in ("home", "tmp", "work", "root"):
            self.check({"docs/page.md": f"see /{top}/someone/notes\n"}, "docs/page.md:1: a path of one machine")


if __name__ == "__main__":
    unittest.main()
