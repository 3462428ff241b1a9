"""tools/real_fields.py without its packages: what it lists, what it refuses, and what it does to rows."""
import contextlib
import csv
import importlib.util
import io
import json
import math
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def load():
    spec = importlib.util.spec_from_file_location("real_fields", ROOT / "tools/real_fields.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["real_fields"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


fields = load()
ABOUT = dict(title="Somewhere", units="m", length="km", package="p", data="d", source="s", licence="l")


def run(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            code = fields.main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = stop.code
    return code, out.getvalue()


class Lists(unittest.TestCase):
    def test_there_are_as_many_fields_as_the_families_need(self):
        self.assertGreaterEqual(len(fields.FIELDS), 6)
        families = (ROOT / "studies/trust_families.hpp").read_text()
        self.assertEqual(set(re.findall(r'file\("(\w+)"\)', families)), set(fields.FIELDS))

    def test_the_header_names_package_source_and_licence_of_each(self):
        rows = [re.split(r"\s{2,}", line) for line in fields.__doc__.splitlines() if "  " in line.strip()]
        rows = {row[0]: row for row in rows if row[0] in fields.FIELDS}
        for name, about in fields.FIELDS.items():
            self.assertTrue(rows[name][1].startswith(about.package + ", "), name)
            self.assertEqual(rows[name][2:], [about.source, about.licence])

    def test_the_page_shows_each(self):
        page = (ROOT / "docs/real_fields.md").read_text()
        for name, about in fields.FIELDS.items():
            row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
            for text in (about.title, about.package, about.licence):
                self.assertIn(text, row)

    def test_the_packages_are_fetched_by_dev(self):
        section = (ROOT / "tools/packages.txt").read_text().split("[fields]")[1]
        fetched = {line.split("#")[0].strip() for line in section.splitlines()} - {""}
        self.assertEqual(fetched | {"libpysal"}, {about.package for about in fields.FIELDS.values()})
        self.assertIn("data=libpysal==", (ROOT / "dev").read_text())

    def test_listing_reads_nothing(self):
        code, out = run("--list")
        self.assertEqual(code, 0)
        self.assertEqual([line.split(":")[0] for line in out.splitlines()], list(fields.FIELDS))


class Refusals(unittest.TestCase):
    def test_reserved_data_cannot_be_added(self):
        for about in ({"data": "walker"}, {"data": "meuse.grid"}, {"data": "NY8_utm18"}, {"title": "Auckland's volcano"}):
            with self.assertRaisesRegex(ValueError, "is reserved"):
                fields.field(**{**ABOUT, **about})
        self.assertNotIn("somewhere", fields.FIELDS)

    def test_reserved_and_unknown_names_are_refused_before_anything_is_read(self):
        for name, message in (("walker", "is reserved"), ("meuse_zinc", "is reserved"), ("jura", "there are rocky_mountains")):
            code, out = run("nowhere", "nowhere/out", name)
            self.assertEqual(code, 2)
            self.assertIn(message, out)
        self.assertFalse(Path("nowhere").exists())

    def test_nothing_is_downloaded_by_the_script(self):
        code = (ROOT / "tools/real_fields.py").read_text()
        for word in ("http", "urllib", "requests", "subprocess", "socket"):
            self.assertNotIn(word, code)


class Rows(unittest.TestCase):
    def test_a_place_is_kept_once_and_only_with_a_value(self):
        rows = [(0, 0, 1.0), (0, 1, math.nan), (0, 0, 2.0), (1, 1, 3.0)]
        self.assertEqual(fields.cleaned(rows), [(0.0, 0.0, 1.0), (1.0, 1.0, 3.0)])

    def test_distances_on_the_plane_are_those_on_the_sphere(self):
        # Oracle: haversine between places some 100 km apart.
        def haversine(p, q):
            a, b, c, d = (math.radians(number) for number in (*p, *q))
            h = math.sin((d - b) / 2) ** 2 + math.cos(b) * math.cos(d) * math.sin((c - a) / 2) ** 2
            return 2 * 6371.0 * math.asin(math.sqrt(h))

        places = [(-84.5, 36.3), (-83.6, 36.4), (-84.0, 37.1)]
        plane = fields.projected(places)
        for i in range(3):
            for j in range(i):
                self.assertAlmostEqual(math.dist(plane[i], plane[j]) / haversine(places[i], places[j]), 1.0, delta=0.01)

    def test_what_is_written_can_be_read(self):
        def somewhere(_):
            return [(i, i % 7, i / 3, 1 + i) for i in range(60)]

        fields.field(**ABOUT)(somewhere)
        try:
            with tempfile.TemporaryDirectory() as folder:
                code, _ = run(folder, folder, "somewhere")
                self.assertEqual(code, 0)
                rows = list(csv.reader(io.StringIO((Path(folder) / "somewhere.csv").read_text())))
                index = json.loads((Path(folder) / "index.json").read_text())
        finally:
            del fields.FIELDS["somewhere"]
        self.assertEqual(rows[0], ["x", "y", "value", "weight"])
        self.assertEqual(len(rows), 61)
        self.assertEqual([float(cell) for cell in rows[5]], [4.0, 4.0, 1.33333333, 5.0])
        self.assertEqual(index["somewhere"]["places"], 60)

    def test_too_few_places_are_refused(self):
        fields.field(**ABOUT)(lambda packages: [])
        try:
            with self.assertRaisesRegex(ValueError, "too few"):
                fields.write("<lambda>", Path(), Path())
        finally:
            del fields.FIELDS["<lambda>"]


if __name__ == "__main__":
    unittest.main()
