"""cmake/EmbedPage.cmake with a fake npm: what is in the page comes out of the C++ source, and failures are told."""
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = 'a;b [c] ${d} @e@ \\n \\; "f" \'g\' \u2028 #h <script>/\\d+/.test(`${x}`)</script>\n'
BUILDS = f"#!/bin/sh\n[ $1 = ci ] || {{ mkdir -p dist && cp page.html dist/index.html; }}\n"


class EmbedPage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="iqbo-page-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.web = self.folder / "web"
        self.web.mkdir()

    def run_with(self, npm):
        program = ""
        if npm is not None:
            program = self.folder / "npm"
            program.write_text(npm)
            program.chmod(0o755)
        subprocess.run(["cmake", f"-DWEB={self.web}", f"-DNPM={program}", f"-DLOG={self.folder / 'log'}",
                        f"-DOUT={self.folder / 'page.cpp'}", f"-DDONE={self.folder / 'done'}", "-P",
                        ROOT / "cmake/EmbedPage.cmake"], check=True, capture_output=True)
        text = (self.folder / "page.cpp").read_text()
        return re.findall(r'R"IQBO_PAGE\((.*?)\)IQBO_PAGE"', text, re.S), (self.folder / "done").exists()

    def package(self):
        for name in ("package.json", "package-lock.json"):
            (self.web / name).write_text("{}")
        (self.web / "page.html").write_text(PAGE)

    def test_the_page_comes_out_as_it_went_in(self):
        self.package()
        self.assertEqual(self.run_with(BUILDS), ([PAGE, ""], True))

    def test_without_npm_it_says_what_to_install(self):
        self.package()
        (page, why), done = self.run_with(None)
        self.assertEqual((page, done), ("", True))
        self.assertIn("apt-get install nodejs npm", why)
        self.assertNotIn("\\", why)

    def test_a_failure_is_told_and_tried_again(self):
        self.package()
        (page, why), done = self.run_with("#!/bin/sh\nexit 1\n")
        self.assertEqual((page, done), ("", False))
        self.assertIn("`npm ci", why)
        self.assertEqual(self.run_with(BUILDS), ([PAGE, ""], True))

    def test_without_sources_there_is_a_place_for_a_document(self):
        (page, why), done = self.run_with(None)
        self.assertIn('id="document">null</script>', page)
        self.assertEqual((why, done), ("", True))


if __name__ == "__main__":
    unittest.main()
