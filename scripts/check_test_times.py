#!/usr/bin/env python3
"""Usage: check_test_times.py BUILD_DIR

Reads BUILD_DIR/tests.xml (ctest --output-junit), prints the ten slowest tests and fails when a fast one, that is one
whose name does not end in _slow, took more than 2 s. Such a test is run once more alone first: the machine may be busy.
"""
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

LIMIT = 2.0  # s


def read(path):
    """(name, seconds) of every test, slowest first."""
    cases = ElementTree.parse(path).getroot().iter("testcase")
    return sorted(((c.get("name"), float(c.get("time"))) for c in cases), key=lambda c: -c[1])


def is_slow(name):
    return re.search(r"_slow(/|$)", name) is not None


def seconds_alone(build_dir, name):
    # The filter itself may take a while (test discovery), so ctest's own figure is read.
    out = subprocess.run(["ctest", "-R", f"^{re.escape(name)}$"], cwd=build_dir, capture_output=True, text=True).stdout
    figure = re.search(r"Passed\s+([0-9.]+) sec", out)
    return float(figure.group(1)) if figure else float("inf")


def main(build_dir):
    times = read(f"{build_dir}/tests.xml")
    print("The ten slowest tests:")
    for name, seconds in times[:10]:
        print(f"  {seconds:7.2f} s  {name}")

    late = [name for name, seconds in times if seconds > LIMIT and not is_slow(name)]
    late = [(name, seconds) for name in late if (seconds := seconds_alone(build_dir, name)) > LIMIT]
    for name, seconds in late:
        print(f"error: {name} took {seconds:.2f} s alone; make it faster than {LIMIT} s or end its name in _slow")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
