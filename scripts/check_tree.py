#!/usr/bin/env python3
"""Usage: check_tree.py [ROOT]

Checks what a compiler does not: who may include whom, and a few rules of the house. Prints one line per violation.
"""
import re
import subprocess
import sys
from pathlib import Path

# The directories of src/, left to right: a file may include its own layer and what stands to its left. Layers of equal
# rank do not see each other.
RANK = {"base": 0, "math": 1, "cone": 2, "geometry": 3, "model": 4, "formula": 5, "schemes": 5, "certify": 5, "run": 6,
        "io": 7, "study": 8}

# Public headers: include/escapement/NAME.hpp, or every header in the directory include/escapement/NAME/ that has no line
# of its own. A NAME that is itself a layer needs no line.
PUBLIC_LAYER = {
    "error": "base", "executor": "base", "export": "base", "options": "base",
    "friction_cone": "base", "history": "base", "projection_metric": "base",
    "ad": "math", "block_matrix": "math",
    "cone_problem": "cone", "solver": "cone", "solvers": "cone",
    "contact": "geometry", "joint": "geometry", "models/pose": "geometry", "rate_law": "geometry",
    "impact_marks": "model", "models": "model", "promise": "model", "source": "model", "state": "model", "sweep": "model",
    "system": "model",
    "composite": "schemes", "method": "schemes", "scheme": "schemes", "scratch": "schemes", "stages": "base", "step": "schemes",
    "recorder": "run", "simulate": "run",
}

# What the certificate must not reach, even through other headers: it may not trust what it judges.
SOLVER_HEADER = "include/escapement/solver.hpp"
SOLVER_DIR = "include/escapement/solvers/"

MAX_LINES = 400
CODE = {".cpp", ".hpp", ".py"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)
QUOTED = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
LEFT_OVER = re.compile(r"\b(TOD[O]|FIXM[E])\b")
MACHINE_PATH = re.compile(r"(?<![\w.}\])-])/(home|tmp|work|root)/")


def layer_of(path):
    """The layer of a path relative to the root; None for files outside the layers (tests, examples, bench)."""
    parts = Path(path).parts
    if parts[0] == "src":
        return parts[1] if parts[1] in RANK else "?"
    if parts[:2] == ("include", "escapement"):
        own = str(Path(*parts[2:]).with_suffix(""))
        name = own if own in PUBLIC_LAYER else Path(parts[2]).stem
        return name if name in RANK else PUBLIC_LAYER.get(name, "?")
    return None


def includes(files):
    """path -> the project files it includes, for all C++ files."""
    graph = {}
    for path, text in files.items():
        if path.endswith((".cpp", ".hpp")):
            names = INCLUDE.findall(text)
            graph[path] = [target for name in names for target in (f"include/{name}", name) if target in files]
    return graph


def may_include(layer, other):
    return layer == other or RANK[other] < RANK[layer]


def check_layers(files, graph):
    for path in graph:
        layer = layer_of(path)
        if layer == "?":
            yield f"{path}: belongs to no layer; add it to the map in scripts/check_tree.py"
        if layer in (None, "?"):
            continue
        for target in graph[path]:
            other = layer_of(target)
            if other is None:
                yield f"{path}: includes {target}, which is outside the library"
            elif other != "?" and not may_include(layer, other):
                yield f"{path}: {layer} must not include {other} ({target})"


def check_quotes(files, graph):
    for path in graph:
        for name in QUOTED.findall(files[path]):
            if name not in files:
                yield f'{path}: #include "{name}" is no file of this tree; quoted names start at its root'


def check_public_headers(files):
    for path in files:
        if not path.startswith("include/"):
            continue
        for name in INCLUDE.findall(files[path]):
            if name.startswith("src/"):
                yield f"{path}: a public header includes {name}"
            if name.startswith("Eigen/") and path != "include/escapement/eigen.hpp":
                yield f"{path}: a public header includes Eigen"


def is_solver(path, files):
    """A public solver header, or a file of src/cone named after one (nsgs.cpp, nsgs_local.hpp)."""
    if path == SOLVER_HEADER or path.startswith(SOLVER_DIR):
        return True
    stems = [Path(f).stem for f in files if f.startswith(SOLVER_DIR)]
    name = Path(path).stem
    return path.startswith("src/cone/") and any(name == s or name.startswith(s + "_") for s in stems)


def check_certify(files, graph):
    for start in graph:
        if layer_of(start) != "certify":
            continue
        came_from = {start: None}
        queue = [start]
        for path in queue:
            for target in graph.get(path, []):
                if target not in came_from:
                    came_from[target] = path
                    queue.append(target)
        for path in queue:
            if is_solver(path, files) or layer_of(path) == "schemes":
                yield f"{start}: the certificate reaches {path} through {came_from[path]}"


def check_text(files):
    for path, text in files.items():
        lines = text.splitlines()
        if Path(path).suffix in CODE and len(lines) > MAX_LINES:
            yield f"{path}: {len(lines)} lines, more than {MAX_LINES}"
        for number, line in enumerate(lines, 1):
            if LEFT_OVER.search(line):
                yield f"{path}:{number}: unfinished: {line.strip()}"
            if MACHINE_PATH.search(line):
                yield f"{path}:{number}: a path of one machine: {line.strip()}"


# A member by value would escape Scratch::poison(). Locals stand in functions, which are indented deeper or not in a class.
MEMBER_BY_VALUE = re.compile(r"^  (?:std::vector<double>|ContactSet|JointSet) \w+(?:, \w+)*;")


def check_scratch(files):
    for path, text in files.items():
        if not path.startswith("src/schemes/"):
            continue
        in_class = False
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith(("class ", "struct ")):
                in_class = True
            if line.startswith("}"):
                in_class = False
            if in_class and MEMBER_BY_VALUE.match(line):
                yield f"{path}:{number}: memory of a step must come from Scratch, or be a CacheVector: {line.strip()}"


def violations(files):
    """files: relative path -> text."""
    graph = includes(files)
    return [*check_layers(files, graph), *check_quotes(files, graph), *check_public_headers(files),
            *check_certify(files, graph), *check_scratch(files), *check_text(files)]


def read_tree(root):
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True)
    if listed.returncode == 0:
        paths = listed.stdout.splitlines()
    else:  # an unpacked archive
        paths = [str(p.relative_to(root)) for p in Path(root).rglob("*") if p.is_file()]
        paths = [p for p in paths if not p.startswith("build/")]
    files = {}
    for path in paths:
        try:
            files[path] = (Path(root) / path).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue  # a picture, or deleted and not yet committed
    return files


def main(root="."):
    found = violations(read_tree(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
