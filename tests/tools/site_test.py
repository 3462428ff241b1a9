"""The pages that the documentation site generates: nothing is left out, and links lead somewhere."""
import importlib.util
import json
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("site_tool", ROOT / "tools/site.py")
site = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(site)


class Site(unittest.TestCase):
    def test_every_key_of_the_schema_is_listed_with_its_meaning(self):
        schema = json.loads((ROOT / "docs/spec.schema.json").read_text())
        page = site.spec_keys(schema)
        found = []

        def walk(part):  # independent of how the page is made: any dictionary below "properties"
            if isinstance(part, dict):
                found.extend(part.get("properties", {}).items())
                for each in part.values():
                    walk(each)
            elif isinstance(part, list):
                for each in part:
                    walk(each)

        walk(schema)
        self.assertGreater(len(found), 60)
        for name, about in found:
            self.assertIn(f"| `{name}` |", page)
            self.assertIn(about.get("description", "").replace("|", "\\|"), page)

    def test_kinds_of_values_in_words(self):
        self.assertEqual(site.kind_of({"type": "integer", "minimum": 2, "maximum": 63}), "a whole number at least 2 and at most 63")
        self.assertEqual(site.kind_of({"oneOf": [{"const": "auto"}, {"type": "number", "exclusiveMinimum": 0}]}), '`"auto"` or a number above 0')
        self.assertEqual(site.kind_of({"type": "array", "items": {"type": "string"}}), "a list: a text")

    def test_docstrings_are_prose_and_code(self):
        made = site.as_markdown("best(self) -> Best\n\nThe x where f* < 1, by `policy_names()`,\nsee [Zhang26]::\n\n    a_b\n\n>>> 1\n1\n>>> 2\n2")
        self.assertEqual(made, "```python\nbest(self) -> Best\n```\n\nThe x where f\\* \\< 1, by `policy_names()`,\nsee \\[Zhang26\\]:\n\n"
                               "```text\na_b\n```\n\n```pycon\n>>> 1\n1\n>>> 2\n2\n```")
        self.assertEqual(site.as_markdown("spaces     boxes\nkernels    k"), "```text\nspaces     boxes\nkernels    k\n```")

    def test_links(self):
        docs = ROOT / "docs"
        page = docs / "theory" / "bounds.md"

        def made(text):
            return site.with_links_of_the_site(text, page, docs)

        self.assertEqual(made("[policies.md](../policies.md#auto)"), "[](../policies.md#auto)")
        self.assertEqual(made("[the rule](../policies.md)"), "[the rule](../policies.md)")
        self.assertEqual(made("[bounds.hpp](../../include/iqbo/theory/bounds.hpp)"), "[bounds.hpp](../reference/cpp/theory.md)")
        self.assertEqual(made("[how](../../HACKING.md)"), "how (`HACKING.md`)")
        self.assertEqual(made("[a site](https://example.org/x.md)"), "[a site](https://example.org/x.md)")

    def test_the_gallery_shows_the_program_of_each_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "gallery.md")
            page.write_text((ROOT / "docs/gallery.md").read_text())
            site.gallery_programs(ROOT, page, Path(folder, "programs"))
            linked = re.findall(r"\(reference/programs/([^)]*)\)", page.read_text())
            self.assertGreaterEqual(len(linked), 9)
            for name in linked:
                self.assertGreater(Path(folder, "programs", name).stat().st_size, 500)


if __name__ == "__main__":
    unittest.main()
