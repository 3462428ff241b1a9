#!/usr/bin/env python3
"""Tables as people have them, and what iqbo new says about them. IQBO_PROGRAM: the program."""
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from campaigns import iqbo, lines
from case import Case

SPEC = {"version": 1, "name": "test",
        "target": {"kind": "points", "points": "cells.csv", "id": "cell", "coordinates": ["east", "north"], "units": ["km", "km"]},
        "query": {"kind": "points", "points": "areas.csv", "id": "area"},
        "conditional": {"kind": "bags", "bags": "members.csv", "point": "cell", "weight": "people"}}
AREAS = 4
CELLS = 40


class Data(Case):
    def write(self, weight=lambda cell: 1000 + cell, outside=(), encoding="utf-8", style=lambda text: text, **keys):
        def file(name, rows):
            (self.folder / name).write_bytes(style("".join(",".join(map(str, row)) + "\n" for row in rows)).encode(encoding))

        file("cells.csv", [("cell", "east", "north")] + [(f"c{i}", i % 8 + 0.5, i // 8 + 0.25) for i in range(CELLS)])
        file("areas.csv", [("area", "name")] + [(f"a{i}", "Köln" if i == 1 else f"n{i}") for i in range(AREAS)])
        file("members.csv", [("area", "cell", "people")] +
             [(f"a{i % AREAS}", f"c{i}", weight(i)) for i in range(CELLS) if i not in outside])
        (self.folder / "study.json").write_text(json.dumps({**SPEC, **keys}))

    def said(self, *words):
        return iqbo("new", self.folder / "study.json", "--dry-run", *words)

    def test_dry_run_says_what_was_read_and_writes_nothing(self):
        self.write(outside=(7, 12, 30))
        before = sorted(self.folder.iterdir())
        out, err = self.said()
        people = sum(1000 + i for i in range(CELLS) if i not in (7, 12, 30))
        self.assertEqual(out, f"4 areas, 40 cells, of which 3 are in no area; people {people:,} in all; "
                              "coordinates: east 0.5 to 7.5 km, north 0.25 to 4.25 km\n")
        self.assertIn("cells in no area: c7, c12, c30", err)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        told = lines(self.said("--json")[0])[0]
        self.assertEqual((told["read"], len(told["warnings"])), ([out.strip()], 1))

    def test_tables_of_other_spreadsheets_give_the_same(self):
        self.write(weight=lambda i: 1000.5 + i)
        want = self.said()[0]
        german = lambda text: text.replace(",", ";").replace(".", ",")
        self.write(weight=lambda i: 1000.5 + i, style=german, encoding="cp1252")
        out, err = self.said()
        self.assertEqual(out, want)
        self.assertIn("areas.csv is not UTF-8 and was read as Windows-1252", err)
        self.write(weight=lambda i: 1000.5 + i, style=lambda text: text.replace(",", "\t"), encoding="utf-8-sig")
        self.assertEqual(self.said(), (want, ""))

    def test_a_recommended_cell_in_no_area_is_said_to_be_there(self):
        for outside, noted in (((39,), True), ((7,), False)):
            study = self.folder / f"{noted}.db"
            self.write(outside=outside)
            iqbo("new", self.folder / "study.json", "--study", study)
            (self.folder / "values.csv").write_text("cell,value\n" + "".join(f"c{i},{i % 8 + i // 8}\n" for i in range(CELLS)))
            iqbo("import", "--study", study, "--values", self.folder / "values.csv")
            text = iqbo("best", "--study", study)[0]
            self.assertIn("at c39 (", text)
            self.assertEqual("c39 is in no area that can be asked" in text, noted, text)

    def test_an_answer_with_a_decimal_comma_is_explained(self):
        self.write()
        iqbo("new", self.folder / "study.json", "--study", self.study)
        self.refused(['"4,25", expected a finite number, written with a decimal point: 4.25'], "tell", "--study", self.study, "a1", "4,25")
        self.refused(['"1,234,567", expected a finite number\n'], "tell", "--study", self.study, "a1", "1,234,567")

    def test_weights_that_look_like_percentages(self):
        self.write(weight=lambda i: 10)  # ten cells an area
        self.assertIn('the column "people" of members.csv looks like percentages', self.said()[1])
        self.write(weight=lambda i: 1 if i % 3 else 0.25 + i / 100)
        self.assertIn("looks like shares", self.said()[1])
        self.write(weight=lambda i: 1)
        self.assertEqual(self.said()[1], "")

    def test_shapes_elsewhere(self):
        def shapes(place):
            squares = [{"type": "Feature", "properties": {"area": f"a{i}"}, "geometry": {
                "type": "Polygon", "coordinates": [[place(u, v) for u, v in ((0, 0), (8, 0), (8, 5), (0, 0))]]}} for i in range(AREAS)]
            (self.folder / "areas.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": squares}))
            return self.said()[1]

        self.write(query={**SPEC["query"], "geojson": {"file": "areas.geojson", "id": "area"}})
        self.assertEqual(shapes(lambda u, v: [u, v]), "")
        self.assertIn("different coordinate systems?", shapes(lambda u, v: [u + 500000, v + 4500000]))
        self.write(query={**SPEC["query"], "geojson": {"file": "areas.geojson", "id": "area"}})
        cells = (self.folder / "cells.csv").read_text().replace("east,north", "north,east").splitlines()
        far = [cells[0]] + [f"{c},{float(e)},{float(n) + 40}" for c, e, n in (row.split(",") for row in cells[1:])]
        (self.folder / "cells.csv").write_text("\n".join(far) + "\n")
        self.assertIn("exchanged?", shapes(lambda u, v: [u, v + 40]))

    def test_mistakes_come_together(self):
        self.write()
        table = (self.folder / "members.csv").read_text().splitlines()
        table[3] += ",7"
        table[5] = "a0"
        (self.folder / "members.csv").write_text("\n".join(table) + "\n")
        self.refused(["2 mistakes", "row 4 has 4 cells, expected 3", "row 6 has 1 cells, expected 3"],
                     "new", self.folder / "study.json", "--dry-run")

    def test_wrong_cells_come_together(self):
        self.write()
        table = (self.folder / "members.csv").read_text().splitlines()
        table[1] = "a9,c0,1000"
        table[3] = "a2,c99,many"
        table[5] = "a0"
        (self.folder / "members.csv").write_text("\n".join(table) + "\n")
        err = self.refused(["4 mistakes", 'row 2, column "area" is "a9"', 'row 4, column "cell" is "c99"', 'row 4, column "people" is "many"',
                            "row 6 has 1 cells, expected 3"], "new", self.folder / "study.json", "--dry-run")
        self.assertEqual(len(err.splitlines()), 5)
        self.write()
        iqbo("new", self.folder / "study.json", "--study", self.study)
        (self.folder / "past.csv").write_text("area;value;noise_sd\na1;3,5;NA\na7;x;\na2;1;2;3\na3;;0,1\n")
        self.refused(["past.csv: 4 mistakes", 'row 3, column "area" is "a7"', 'row 3, column "value" is "x"', "row 4 has 4 cells, expected 3",
                      'row 5, column "value" is ""'], "import", "--study", self.study, "--observations", "past.csv")
        (self.folder / "past.csv").write_text("area;value;noise_sd\na1;3,5;NA\na2;1;\na3;2;0,1\n")
        self.assertIn("imported 3 observations", iqbo("import", "--study", self.study, "--observations", self.folder / "past.csv")[0])
        (self.folder / "asked.csv").write_text("cell\nc1\nc98\nc99,2\n")
        self.refused(["asked.csv: 2 mistakes", '"c98"', "row 4 has 2 cells"], "predict", "--study", self.study, "--inputs", "asked.csv")

    def test_real_data_answer(self):
        for name, count in (("carolina", 3), ("tokyo", 3)):
            with self.subTest(name):
                folder, study = self.folder / name, self.folder / f"{name}.db"
                out, _ = iqbo("new", "--template", name, "--folder", folder, "--study", study)
                self.assertIn("areas", out)
                iqbo("run", "--study", study, "--command", f"sh {folder}/count.sh {{a}}", "--trials", count)
                told = iqbo("export", "--study", study)[0]
                self.assertEqual(len(told.splitlines()), 1 + count)


if __name__ == "__main__":
    unittest.main()
