"""A temporary folder for each test of the real program."""
import json
import tempfile
import unittest
from pathlib import Path

import jsonschema
from campaigns import iqbo

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/serve.schema.json").read_text())


def check_schema(name, value):
    jsonschema.validate(value, {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="iqbo-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.study = str(self.folder / "s.db")

    def refused(self, pieces, *words):
        out, err = iqbo(*words, check=2, cwd=self.folder)
        for piece in pieces:
            self.assertIn(piece, err)
        return err
