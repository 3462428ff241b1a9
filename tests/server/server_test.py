#!/usr/bin/env python3
"""iqbo report and iqbo serve as they are run: what they say is what the other commands say. IQBO_PROGRAM: the program."""
import json
import re
import socket
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from serving import Server, next_event
from campaigns import given_study, fitted_study, iqbo, lines
from case import check_schema
from load_test import load


TOKEN = "0123456789abcdef"
HOSTILE = "</script><script>alert(1)</script><!--\u2028<img src=x onerror=alert(2)>"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="iqbo-serve-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.study = str(self.folder / "s.db")
        self.token_file = self.folder / "token"
        self.token_file.write_text(TOKEN + "\n")

    def campaign(self, trials):
        given_study(self.folder, self.study)
        iqbo("run", "--study", self.study, "--command", "echo {number}.5", "--trials", trials)

    def serve(self, *more, **env):
        server = Server(self.study, *more, env=env)
        self.addCleanup(server.__exit__)
        return server


def document_in(html):
    text = re.search(r'<script type="application/json" id="document"[^>]*>(.*?)</script>', html, re.S).group(1)
    assert "<" not in text
    return json.loads(text)


def without_time(document):
    return {key: value for key, value in document.items() if key != "made"}


class Report(Case):
    def test_equals_what_the_commands_say(self):
        self.campaign(9)
        iqbo("ask", "--study", self.study)
        out = self.folder / "report.html"
        iqbo("report", "--study", self.study, "--out", out)
        document = json.loads(iqbo("report", "--study", self.study, "--json")[0])
        self.assertEqual(without_time(document_in(out.read_text())), without_time(document))
        best = lines(iqbo("best", "--study", self.study, "--json")[0])[0]
        for key in ("mean", "sd", "low", "high", "probability", "tolerance", "notes"):
            self.assertEqual(document["answer"][key], best[key])
        self.assertEqual(document["answer"]["x"], list(best["x"].values()))
        status = lines(iqbo("status", "--study", self.study, "--json")[0])[0]
        for key in ("told", "pending", "failed", "imported", "spent"):
            self.assertEqual(document["status"][key], status[key])
        trials = lines(iqbo("export", "--study", self.study, "--json")[0])
        self.assertEqual(document["trials"]["value"], [t.get("value") for t in trials])
        self.assertEqual(document["trials"]["state"], [t["state"] for t in trials])
        self.assertEqual(len(document["frames"]), 9)
        snapshot = json.loads(iqbo("export", "--study", self.study, "--what", "snapshot")[0])
        for i, mean in enumerate(snapshot["x"]["mean"]):
            self.assertAlmostEqual(document["f"]["mean"][i], mean, delta=1e-5 * abs(mean) + 1e-9)
        self.assertEqual(document["scores"]["next"], snapshot["next"])
        iqbo("tell", "--study", self.study, 9, 1.0)
        again = json.loads(iqbo("ask", "--study", self.study, "--json")[0])
        after = json.loads(iqbo("report", "--study", self.study, "--json")[0])
        self.assertEqual(after["trials"]["query"][10], list(again["query"].values()))

    def test_of_an_empty_study_and_of_each_template(self):
        for name in ("districts", "counts", "tiles", "trial", "map"):
            study = self.folder / f"{name}.db"
            iqbo("new", "--template", name, "--folder", self.folder / name, "--study", study)
            document = json.loads(iqbo("report", "--study", study, "--json")[0])
            self.assertIsNone(document["answer"])
            self.assertEqual(len(document["frames"]), 1)
            self.assertEqual(document["trials"]["number"], [])

    def test_hostile_names_stay_text(self):
        spec = {"version": 2, "name": HOSTILE, "value": {"name": HOSTILE, "unit": HOSTILE},
                "targets": {"kind": "points", "points": "p.csv", "id": "id", "coordinates": ["x"], "units": [HOSTILE]},
                "queries": {"kind": "points", "points": "q.csv", "id": "id"},
                "conditional": {"kind": "bags", "bags": "b.csv", "query": "q", "point": "p"},
                "kernel": {"family": "rbf", "lengthscale": 1, "variance": 1}, "noise_sd": 0.1}
        (self.folder / "s.json").write_text(json.dumps(spec))
        (self.folder / "p.csv").write_text(f'id,x\n"{HOSTILE}",1\np,2\n')
        (self.folder / "q.csv").write_text(f'id\n"{HOSTILE}"\n')
        (self.folder / "b.csv").write_text(f'q,p\n"{HOSTILE}","{HOSTILE}"\n"{HOSTILE}",p\n')
        iqbo("new", self.folder / "s.json", "--study", self.study)
        iqbo("ask", "--study", self.study, "--worker", HOSTILE)
        iqbo("fail", "--study", self.study, "--worker", HOSTILE, 0, HOSTILE)
        iqbo("report", "--study", self.study, "--out", self.folder / "r.html")
        html = (self.folder / "r.html").read_text()
        document = document_in(html)
        self.assertEqual(document["name"], HOSTILE)
        self.assertEqual(document["trials"]["reason"], [HOSTILE])
        self.assertEqual(document["f"]["names"][0], HOSTILE)
        self.assertNotIn("<script>alert", html)
        self.assertNotIn("\u2028", html)

    def test_mistakes(self):
        _, error = iqbo("report", "--study", self.folder / "nowhere.db", check=2)
        self.assertIn("nowhere.db", error)
        self.campaign(1)
        _, error = iqbo("report", "--study", self.study, "--out", self.folder / "no" / "folder.html", check=2)
        self.assertIn("folder.html", error)


class Serve(Case):
    def test_the_api_says_what_the_commands_say(self):
        self.campaign(7)
        iqbo("ask", "--study", self.study)
        server = self.serve()
        self.assertEqual(without_time(server.get("/api/report")),
                         without_time(json.loads(iqbo("report", "--study", self.study, "--json")[0])))
        self.assertEqual(server.get("/api/status"), lines(iqbo("status", "--study", self.study, "--json")[0])[0])
        self.assertEqual(server.get("/api/trials"), lines(iqbo("export", "--study", self.study, "--json")[0]))
        snapshot = json.loads(iqbo("export", "--study", self.study, "--what", "snapshot")[0])
        posterior = server.get("/api/posterior")
        self.assertEqual((posterior["x"], posterior["a"]), (snapshot["x"], snapshot["a"]))
        acquisition = server.get("/api/acquisition")
        self.assertEqual(acquisition["scores"], [None if s == "-inf" else s for s in snapshot["scores"]])
        self.assertEqual((acquisition["next"], acquisition["query"]), (snapshot["next"], snapshot["next_query"]))
        for name in ("report", "status", "trials", "posterior", "acquisition"):
            check_schema(name, server.get(f"/api/{name}"))

    def test_of_a_tree(self):
        iqbo("new", "--template", "tiles", "--folder", self.folder / "t", "--study", self.study)
        iqbo("run", "--study", self.study, "--command", "echo 1.{trial}", "--trials", 3)
        server = self.serve()
        check_schema("report", server.get("/api/report"))
        self.assertEqual(sum(cell["asked"] for cell in server.get("/api/report")["cells"]), 3)

    def test_page_and_its_headers(self):
        self.campaign(1)
        server = self.serve()
        status, headers, body = server.request("GET", "/")
        self.assertEqual(status, 200)
        self.assertEqual(without_time(document_in(body.decode())), without_time(server.get("/api/report")))  # seen at once
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
        self.assertNotIn("unsafe", headers["Content-Security-Policy"])
        for path in ("/", "/api/report", "/nothing"):
            headers = server.request("GET", path)[1]
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Cache-Control"], "no-store")
            self.assertIsNotNone(headers["Content-Security-Policy"])
        self.assertEqual(server.request("HEAD", "/api/report")[2], b"")

    def test_a_tell_is_seen_at_once(self):
        self.campaign(3)
        server = self.serve()
        stream = server.events()
        self.assertEqual(stream.headers["Content-Type"], "text/event-stream")
        first = next_event(stream)["last_event"]
        self.assertEqual(first, server.get("/api/status")["last_event"])
        iqbo("ask", "--study", self.study)
        iqbo("tell", "--study", self.study, 3, 2.25)
        while next_event(stream)["last_event"] < first + 2:
            pass
        self.assertEqual(server.get("/api/trials")[3]["value"], 2.25)
        self.assertEqual(server.get("/api/report")["trials"]["value"][3], 2.25)

    def test_strangers_are_refused(self):
        self.campaign(1)
        server = self.serve()
        self.assertEqual(server.request("GET", "/api/report", host=f"evil.example:{server.port}")[0], 403)
        self.assertEqual(server.request("GET", "/api/report", host="")[0], 403)
        self.assertEqual(server.request("GET", "/api/report", headers={"Origin": "http://evil.example"})[0], 403)
        self.assertEqual(server.request("GET", "/", host=f"localhost:{server.port}")[0], 200)
        self.assertEqual(server.request("PUT", "/api/report", b"{}")[0], 405)
        self.assertEqual(server.request("OPTIONS", "/api/report")[0], 405)
        status, answer = server.post("/api/ask", {}, TOKEN)
        self.assertEqual(status, 403)
        self.assertIn("--token-file", answer["error"])

    def test_asking_and_telling_with_the_token(self):
        given_study(self.folder, self.study)
        server = self.serve("--token-file", self.token_file)
        self.assertTrue(server.said["writes"])
        self.assertEqual(server.post("/api/ask", {})[0], 401)
        self.assertEqual(server.post("/api/ask", {}, "wrong-token-wrong")[0], 401)
        status, asked = server.post("/api/ask", {"worker": "w1"}, TOKEN)
        self.assertEqual((status, asked["trials"][0]["number"]), (200, 0))
        check_schema("asked", asked)
        self.assertEqual(server.post("/api/ask", {"worker": "w1"}, TOKEN)[1]["trials"], asked["trials"])
        self.assertEqual(server.post("/api/ask", {"worker": "w2"}, TOKEN)[1]["trials"][0]["number"], 1)
        told = {"trial": 0, "value": 2.5, "noise_sd": 0.1, "replicates": 3}
        status, answer = server.post("/api/tell", told, TOKEN)
        check_schema("settled", answer)
        self.assertEqual((status, answer["verdict"], answer["trial"]["value"]), (200, "stored", 2.5))
        self.assertEqual(server.post("/api/tell", told, TOKEN)[1]["verdict"], "repeated")
        status, answer = server.post("/api/tell", {"trial": 0, "value": 3}, TOKEN)
        self.assertEqual(status, 409)
        self.assertIn("2.5", answer["error"])
        self.assertEqual(server.post("/api/tell", {"trial": 0, "value": 3, "amend": True}, TOKEN)[0], 200)
        self.assertEqual(server.post("/api/tell", {"trial": 99, "value": 3}, TOKEN)[0], 400)
        self.assertEqual(server.post("/api/tell", {"trial": 0}, TOKEN)[0], 400)
        self.assertEqual(server.post("/api/fail", {"trial": 1, "reason": "rain", "worker": "w2"}, TOKEN)[0], 200)
        trials = lines(iqbo("export", "--study", self.study, "--json")[0])
        self.assertEqual((trials[0]["value"], trials[1]["reason"]), (3.0, "rain"))

    def test_beyond_loopback_only_with_a_token(self):
        given_study(self.folder, self.study)
        _, error = iqbo("serve", "--study", self.study, "--address", "0.0.0.0", check=2)
        self.assertIn("token", error)
        short = self.folder / "short"
        short.write_text("abc")
        self.assertIn("16", iqbo("serve", "--study", self.study, "--token-file", short, check=2)[1])
        server = self.serve("--address", "0.0.0.0", IQBO_TOKEN=TOKEN)
        for path in ("/", "/api/report", "/api/events"):
            self.assertEqual(server.request("GET", path)[0], 401, path)
        status, headers, _ = server.request("GET", f"/?token={TOKEN}")
        self.assertEqual((status, headers["Location"]), (303, "/"))
        cookie = headers["Set-Cookie"].split(";")[0]
        self.assertEqual(server.request("GET", "/api/report", headers={"Cookie": cookie})[0], 200)
        self.assertEqual(server.request("GET", "/api/report", headers={"Authorization": f"Bearer {TOKEN}"})[0], 200)

    def test_large_requests_are_refused(self):
        self.campaign(1)
        server = self.serve("--token-file", self.token_file)
        big = b"{" + b" " * 200000 + b"}"
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
        status, answered, _ = server.request("POST", "/api/tell", big, headers)
        self.assertEqual((status, answered["Content-Security-Policy"]), (413, "default-src 'none'; frame-ancestors 'none'"))
        self.assertIn(server.request("GET", "/" + "x" * 20000)[0], (400, 414))
        self.assertEqual(server.get("/api/status")["told"], 1)

    def test_requests_made_to_hurt(self):
        self.campaign(3)
        server = self.serve("--token-file", self.token_file)
        whole = len(server.request("GET", "/api/report")[2])
        status, _, body = server.request("GET", "/api/report", headers={"Range": "bytes=" + ",".join(["0-9"] * 1900)})
        self.assertEqual((status, len(body)), (200, whole), "ranges are not answered")
        form = b"--x\r\nContent-Disposition: form-data; name=\"" + b"a" * 50000 + b"\"\r\n\r\n\r\n--x--\r\n"
        for path in ("/api/tell", "/", "/api/report"):
            status = server.request("POST", path, form, {"Content-Type": "multipart/form-data; boundary=x"})[0]
            self.assertIn(status, (401, 405), path)
        with socket.create_connection(("127.0.0.1", server.port)) as s:
            s.sendall(f"GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n".encode())
            with self.assertRaises(OSError):  # not endlessly many headers
                for _ in range(10000):
                    s.sendall(b"A: b\r\n" * 1000)
        self.assertEqual(server.get("/api/status")["told"], 3)

    def test_the_port_is_taken_once(self):
        self.campaign(1)
        server = self.serve()
        _, error = iqbo("serve", "--study", self.study, "--port", server.port, check=2)
        self.assertIn(str(server.port), error)

    def test_interrupt_ends_it_whoever_is_connected(self):
        self.campaign(1)
        server = self.serve()
        stream = server.events()
        next_event(stream)
        idle = socket.create_connection(("127.0.0.1", server.port))
        self.addCleanup(idle.close)
        time.sleep(0.2)
        start = time.monotonic()
        self.assertEqual(server.interrupt(), 0)
        self.assertLess(time.monotonic() - start, 5)

    def test_a_study_that_is_moved_away_and_comes_back(self):
        self.campaign(2)
        server = self.serve("--token-file", self.token_file)
        self.assertEqual(server.get("/api/status")["told"], 2)
        for suffix in ("", "-wal", "-shm"):
            if Path(self.study + suffix).exists():
                Path(self.study + suffix).rename(self.study + ".moved" + suffix)

        def status(path="/api/status"):
            code, _, body = server.request("GET", path)
            return code, json.loads(body)

        deadline = time.monotonic() + 10
        while status()[0] == 200 and time.monotonic() < deadline:
            time.sleep(0.1)
        for path in ("/api/status", "/api/report", "/api/events"):
            code, said = status(path)
            self.assertEqual(code, 503, path)
            self.assertRegex(said["error"], "was removed while it was open|there is no such study")
        code, said = server.post("/api/tell", {"trial": 0, "value": 1}, TOKEN)
        self.assertEqual(code, 503, said)
        self.assertIn("there is no such study", said["error"])
        for suffix in ("", "-wal", "-shm"):
            if Path(self.study + ".moved" + suffix).exists():
                Path(self.study + ".moved" + suffix).rename(self.study + suffix)
        while status()[0] != 200 and time.monotonic() < deadline + 10:
            time.sleep(0.1)
        self.assertEqual(status()[1]["told"], 2)

    def test_another_study_in_the_place_of_the_first(self):
        given_study(self.folder, str(self.folder / "backup.db"))
        self.campaign(2)
        server = self.serve()
        Path(self.study).unlink()
        time.sleep(0.7)
        Path(self.study).mkdir()
        deadline = time.monotonic() + 20
        while (found := server.request("GET", "/api/status"))[0] == 200 or b"is not a file" not in found[2]:
            self.assertLess(time.monotonic(), deadline, found)
            time.sleep(0.1)
        Path(self.study).rmdir()
        (self.folder / "backup.db").rename(self.study)
        while (found := server.request("GET", "/api/status"))[0] != 200:
            self.assertLess(time.monotonic(), deadline, found)
            time.sleep(0.1)
        self.assertEqual(json.loads(found[2])["told"], 0)

    def test_a_study_that_is_overwritten_where_it_is(self):
        given_study(self.folder, str(self.folder / "backup.db"))
        self.campaign(2)
        server = self.serve()
        self.assertEqual(server.get("/api/status")["told"], 2)
        deadline = time.monotonic() + 20
        for bytes_now, wanted in ((b"x" * 50000, (503, b"is not a study")), ((self.folder / "backup.db").read_bytes(), (200, b'"told":0'))):
            Path(self.study).write_bytes(bytes_now)
            while (found := server.request("GET", "/api/status"))[0] != wanted[0] or wanted[1] not in found[2]:
                self.assertLess(time.monotonic(), deadline, found)
                time.sleep(0.1)

    def test_answers_that_contradict_each_other_are_not_silent(self):
        given_study(self.folder, self.study)
        server = self.serve("--token-file", self.token_file)
        stream = server.events()
        self.assertEqual(next_event(stream)["last_event"], 0)
        for value in (1, 5):
            self.assertEqual(server.post("/api/tell", {"query": "q1", "value": value, "noise_sd": 1e-12}, TOKEN)[0], 200)

        def until(path, wanted):
            deadline = time.monotonic() + 20
            while (found := server.request("GET", path))[0] != wanted:
                self.assertLess(time.monotonic(), deadline, found)
                time.sleep(0.1)
            return json.loads(found[2])

        for path in ("/api/report", "/api/posterior", "/api/acquisition", "/api/events"):
            self.assertIn("they differ by 4", until(path, 503)["error"])
        while next_event(stream) is not None:  # the page asks again, and shows the message
            pass
        self.assertEqual(server.get("/api/status")["told"], 2)
        self.assertEqual(server.get("/api/status"), json.loads(iqbo("status", "--study", self.study, "--json")[0]))
        self.assertEqual([trial["value"] for trial in server.get("/api/trials")], [1, 5])
        with self.serve() as late:  # a server that starts now says the same
            self.assertEqual(late.request("GET", "/api/report")[0], 503)
        order = {"trial": 1, "value": 5, "noise_sd": 4, "amend": True}
        self.assertEqual(server.post("/api/tell", order, TOKEN)[0], 200)
        self.assertEqual(until("/api/report", 200)["status"]["told"], 2)

    def test_places_of_streams_are_free_soon(self):
        self.campaign(1)
        server = self.serve("--streams", 2)
        for _ in range(5):
            streams = [server.events() for _ in range(2)]
            for stream in streams:
                next_event(stream)
            for stream in streams:
                stream.close()
            time.sleep(1)

    def test_doors_refuse_what_they_should(self):
        given_study(self.folder, self.study)
        for name in ("bad name", "http://lab.example", "lab.example/path", "lab.example:http", "", "https://", "lab.example:",
                     "lab.example:0", "lab.example:65536", "..", "[::1", "n" * 254, "n" * 100_000):
            err = iqbo("serve", "--study", self.study, "--name", name, check=2)[1]
            self.assertIn("iqbo: name: ", err)
            self.assertLess(len(err), 300)
        server = self.serve("--token-file", self.token_file)
        code, said = server.post("/api/ask", {"worker": "e\x1b[31mvil"}, TOKEN)
        self.assertEqual(code, 400)
        self.assertIn("control character", said["error"])
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
        code, _, body = server.request("POST", "/api/ask", b'{"count": 1, "count": 2}', headers)
        self.assertEqual(code, 400)
        self.assertIn("given twice", json.loads(body)["error"])
        self.assertEqual(server.get("/api/status")["pending"], 0)
        origin = {"Origin": f"https://127.0.0.1:{server.port}"}
        self.assertEqual(server.request("GET", "/api/status", headers=origin)[0], 403)
        two = [f"Origin: http://127.0.0.1:{server.port}", "Origin: http://other.example"]
        for origins in (two, two[::-1]):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
                head = ["GET /api/status HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *origins, "", ""]
                client.sendall("\r\n".join(head).encode())
                self.assertIn(b" 403 ", client.recv(100))

    def test_messages_about_bodies_say_what_is_wrong(self):
        given_study(self.folder, self.study)
        server = self.serve("--token-file", self.token_file)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
        for body, said in ((b'{"trial": 0, "value": NaN}', "body: is not JSON from byte 23 on, expected a JSON object"),
                           (b'{"trial": 0, "value": 1e999}', "body: has a number that is too large, expected finite numbers"),
                           (b'[1]', "body: is array, expected a JSON object"),
                           (b'{"trial": 0, "value": 1, "worker": null}', "worker: is null, expected a text of at most 1000 bytes"),
                           (b'{"query": "' + 1001 * b"q" + b'", "value": 1}',
                            "query: has 1001 bytes, expected a text of at most 1000 bytes")):
            code, _, answer = server.request("POST", "/api/tell", body, headers)
            self.assertEqual((code, json.loads(answer)["error"]), (400, said))

    def test_orders_leave_no_memory_behind(self):
        """Each of a hundred threads that had served an order used to keep what it had needed: 30 MB after these, now 13."""
        fitted_study(self.folder, self.study)
        server = self.serve("--token-file", self.token_file)
        for _ in range(40):
            code, said = server.post("/api/ask", {}, TOKEN)
            self.assertEqual(code, 200, said)
            trial = said["trials"][0]["number"]
            server.post("/api/tell", {"trial": trial, "value": trial * 37 % 101 / 10}, TOKEN)

        def anonymous():
            about = Path(f"/proc/{server.process.pid}/status").read_text()
            return int(re.search(r"RssAnon:\s+(\d+) kB", about).group(1)) / 1000

        deadline = time.monotonic() + 20  # a view may just be made
        while anonymous() > 22 and time.monotonic() < deadline:
            time.sleep(0.2)
        self.assertLess(anonymous(), 22)

    def test_a_small_crowd(self):
        self.campaign(2)
        server = self.serve("--streams", 3)
        report = load(server, clients=24, seconds=2)
        self.assertEqual(report["wrong"], [])
        self.assertGreater(report["refused streams"], 0)
        self.assertGreater(report["answers"], 24)


if __name__ == "__main__":
    unittest.main()
