"""A real iqbo serve on a port of its own: what server_test.py and load_test.py share."""
import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "cli"))
from campaigns import IQBO


class Server:
    """with Server(study, "--token-file", file) as server: server.get("/api/status")"""

    def __init__(self, study, *more, env=None):
        self.process = subprocess.Popen([IQBO, "serve", "--study", str(study), "--port", "0", "--json", *map(str, more)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **(env or {})})
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.stderr.read())
        self.said = json.loads(line)
        self.port = self.said["port"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=20)
        return self.process.returncode

    def request(self, method, path, body=None, headers=None, host=None, timeout=30):
        """(status, headers, bytes)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.putrequest(method, path, skip_host=True)
            connection.putheader("Host", host if host is not None else f"127.0.0.1:{self.port}")
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def get(self, path, **more):
        status, _, body = self.request("GET", path, **more)
        assert status == 200, (status, body)
        return json.loads(body)

    def post(self, path, order, token=None, **headers):
        headers = {"Content-Type": "application/json", **headers}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        status, _, body = self.request("POST", path, json.dumps(order).encode(), headers)
        return status, json.loads(body)

    def events(self, timeout=30):
        """An open stream; next_event() reads from it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        connection.request("GET", "/api/events")
        return connection.getresponse()


def next_event(stream):
    """The data of the next event, comments skipped."""
    while True:
        line = stream.readline()
        if not line:
            return None
        if line.startswith(b"data: "):
            return json.loads(line[6:])
