"""The JSON Schema of scenes accepts every scene of the repository, and refuses what the reader refuses by its tables."""
import copy
import json
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "properties", "required", "additionalProperties",
         "items", "minItems", "maxItems", "minimum", "exclusiveMinimum", "maximum", "enum", "const", "anyOf", "oneOf"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def number_fits(value, schema):
    return (value >= schema.get("minimum", value) and value <= schema.get("maximum", value)
            and ("exclusiveMinimum" not in schema or value > schema["exclusiveMinimum"]))


def object_fits(value, schema):
    known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
    return (all(key in value for key in schema.get("required", []))
            and all(fits(value[key], known[key]) for key in value if key in known)
            and all(rest if isinstance(rest, bool) else fits(value[key], rest) for key in value if key not in known))


def array_fits(value, schema):
    return (schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
            and all(fits(entry, schema.get("items", {})) for entry in value))


def fits(value, schema):
    """As draft 2020-12 has it, for the keywords in KNOWN."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    if "type" in schema and not is_type(value, schema["type"]):
        return False
    if "enum" in schema and value not in schema["enum"] or "const" in schema and value != schema["const"]:
        return False
    if "anyOf" in schema and not any(fits(value, one) for one in schema["anyOf"]):
        return False
    if "oneOf" in schema and sum(fits(value, one) for one in schema["oneOf"]) != 1:
        return False
    if is_type(value, "number") and not number_fits(value, schema):
        return False
    if isinstance(value, dict) and not object_fits(value, schema):
        return False
    return not isinstance(value, list) or array_fits(value, schema)


def tables(scene):
    """Every item of a scene, as (list, index)."""
    for value in scene.values():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield from ((value, i) for i in range(len(value)))


class Schema(unittest.TestCase):
    def scenes(self):
        found = sorted((ROOT / "scenes").glob("*.toml"))
        self.assertGreater(len(found), 20)
        return [(path.name, tomllib.loads(path.read_text())) for path in found]

    def test_it_is_a_schema_of_the_2020_draft(self):
        self.assertEqual(SCHEMA["$schema"], "https://json-schema.org/draft/2020-12/schema")

    def test_every_scene_fits(self):
        for name, scene in self.scenes():
            self.assertTrue(fits(scene, SCHEMA), name)

    def test_misspelt_keys_do_not_fit(self):
        for name, scene in self.scenes():
            for items, i in tables(scene):
                changed = items[i]
                for key in list(changed):
                    original = copy.deepcopy(changed)
                    changed[key + "x"] = changed.pop(key)
                    self.assertFalse(fits(scene, SCHEMA), f"{name}: {key}x")
                    items[i] = changed = original

    def test_what_is_required_is_required(self):
        for name, scene in self.scenes():
            for key in ("version", "simulation"):
                self.assertFalse(fits({k: v for k, v in scene.items() if k != key}, SCHEMA), f"{name} without {key}")

    def test_ranges_hold(self):
        scene = tomllib.loads((ROOT / "scenes" / "rocking-block.toml").read_text())
        for value, good in (("m", True), (2.0, True), (0.0, False), (-1.0, False), ([1.0], False), (True, False)):
            scene["body"][0]["mass"] = value
            self.assertEqual(fits(scene, SCHEMA), good, value)


if __name__ == "__main__":
    unittest.main()
