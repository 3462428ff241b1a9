#!/usr/bin/env python3
"""What is inside a binary of iqbo: a bill of materials in SPDX 2.3 (JSON), from Debian's own records.

    tools/sbom.py --name iqbo --version 0.1.0 --out sbom.spdx.json [--licences FOLDER] BINARY...

Listed are the packages of the shared libraries that the binaries load (how: DYNAMIC_LINK), and the packages of the section [build] of
tools/packages.txt whose headers are compiled into them (how: STATIC_LINK). The comment on a licence is what the
package's own /usr/share/doc/NAME/copyright declares for all files, or names that file where it is not in Debian's machine-readable form.
--licences copies these files to a folder, as <package>.txt: what carries the libraries along must carry their licences too.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

HEADERS = ["libboost-dev", "libcli11-dev", "libcpp-httplib-dev", "libeigen3-dev", "librandom123-dev", "nlohmann-json3-dev"]
NAMESPACE = "urn:iqbo:sbom"  # a name, not an address


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def libraries(binaries):
    """Paths of the shared libraries that the binaries load."""
    found = set()
    for binary in binaries:
        found |= {path for path in re.findall(r"=> (/\S+)", run("ldd", binary)) if not path.endswith("/libiqbo.so")}  # ours
    return sorted(found)


def owners(paths):
    """{path: Debian package, or None}; Debian's /lib is a link to /usr/lib, and dpkg may know either name."""
    names = {}
    for path in paths:
        real = str(pathlib.Path(path).resolve())
        names[path] = [path, real] + [each[4:] if each.startswith("/usr/") else "/usr" + each for each in (path, real)]
    asked = sorted({name for several in names.values() for name in several})
    said = subprocess.run(["dpkg-query", "-S", *asked], capture_output=True, text=True).stdout  # exits with 1 if a name is unknown
    known = {line.rpartition(": ")[2]: line.split(":")[0].split(",")[0] for line in said.splitlines() if not line.startswith("diversion ")}
    return {path: next((known[name] for name in several if name in known), None) for path, several in names.items()}


def licence(package):
    """In words: what the copyright file says of all files. Debian's short names are close to SPDX's, but not the same."""
    path = pathlib.Path("/usr/share/doc", package, "copyright")
    if not path.exists():
        return f"{path} is missing"
    everything = re.search(r"^Files: *\*.*?^License: *(\S[^\n]*)", path.read_text(errors="replace"), re.MULTILINE | re.DOTALL)
    return f"{path} declares {everything.group(1).strip()}" if everything else f"see {path}"


def described(package):
    return {"SPDXID": f"SPDXRef-{re.sub(r'[^A-Za-z0-9.-]', '-', package)}", "name": package,
            "versionInfo": run("dpkg-query", "-W", "-f=${Version}", package), "supplier": "Organization: Debian",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": "NOASSERTION", "licenseComments": licence(package), "copyrightText": "NOASSERTION"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", nargs="+")
    parser.add_argument("--name", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--created", default="1970-01-01T00:00:00Z", help="a time; the default makes the file reproducible")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--licences", type=pathlib.Path, help="a folder for the copyright files of the packages")
    args = parser.parse_args()

    found = owners(libraries(args.binaries))
    unknown = [path for path, package in found.items() if package is None]
    if unknown:
        sys.exit(f"sbom.py: no Debian package owns {', '.join(unknown)}; such a library cannot be listed")
    dynamic = sorted(set(found.values()))
    parts = [(described(each), "DYNAMIC_LINK") for each in dynamic] + [(described(each), "STATIC_LINK") for each in HEADERS]
    whole = {"SPDXID": "SPDXRef-iqbo", "name": args.name, "versionInfo": args.version, "downloadLocation": "NOASSERTION",
             "filesAnalyzed": False, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION"}
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{args.name}-{args.version}",
        "documentNamespace": f"{NAMESPACE}:{args.name}:{args.version}",
        "creationInfo": {"created": args.created, "creators": ["Tool: iqbo tools/sbom.py"]},
        "packages": [whole] + [part for part, _ in parts],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-iqbo"}] +
                         [{"spdxElementId": "SPDXRef-iqbo", "relationshipType": how, "relatedSpdxElement": part["SPDXID"]}
                          for part, how in parts]}
    if args.licences:
        args.licences.mkdir(parents=True, exist_ok=True)
        for package in dynamic + HEADERS:
            shutil.copy(f"/usr/share/doc/{package}/copyright", args.licences / f"{package}.txt")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=2) + "\n")
    print(f"{args.out}: {len(dynamic)} packages of shared libraries, {len(HEADERS)} of headers")


if __name__ == "__main__":
    main()
