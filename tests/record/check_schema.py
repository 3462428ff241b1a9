"""python3 check_schema.py <schema> <folder>: files named ok* must satisfy the schema, files named bad* must not.

An oracle for docs/spec.schema.json that shares nothing with our parser: Debian's python3-jsonschema.
"""
import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

schema = json.loads(Path(sys.argv[1]).read_text())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
wrong = []
files = sorted(Path(sys.argv[2]).glob("*.json"))
for file in files:
    if validator.is_valid(json.loads(file.read_text())) != file.name.startswith("ok"):
        wrong.append(f"{file.name}: {file.read_text()[:2000]}")
print(*wrong, f"{len(files)} files, {len(wrong)} wrong", sep="\n")
sys.exit(1 if wrong or not files else 0)
