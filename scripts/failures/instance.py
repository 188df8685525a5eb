"""An instance that is asked one thing after the other."""
import contextlib
import json
import queue
import subprocess
import threading
import time

import json_rpc
from bench import DEADLINE


class Instance:
    """A `replicate attach`, asked one thing after the other."""

    def __init__(self, bench, *options):
        self.process = json_rpc.attach(bench.binary, bench.path, bench.environment, *options)
        self.lines = queue.Queue()
        self.notes = []
        self.answers = {}
        self.number = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            if line.endswith(b"\n"):
                self.lines.put(json.loads(line))
        self.lines.put(None)

    def send(self, method, **parameters):
        self.number += 1
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json_rpc.request(self.number, method, parameters))
            self.process.stdin.flush()
        return self.number

    def receive(self, until, seconds=DEADLINE):
        """Takes what comes until a condition holds; whether it came to hold."""
        end = time.monotonic() + seconds
        while not until():
            try:
                message = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                return False
            if message is None:
                self.lines.put(None)
                return until()
            if "id" in message:
                self.answers.setdefault(message["id"], []).append(message)
            else:
                self.notes.append(message)
        return True

    def ask(self, method, seconds=DEADLINE, **parameters):
        number = self.send(method, **parameters)
        self.receive(lambda: number in self.answers, seconds)
        return self.answers.get(number, [None])[0]

    def close(self, seconds=DEADLINE):
        """Ends the input; returns the exit code and what was said."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = "hung"
        self.receive(lambda: False, 1)
        return code, self.process.stderr.read().decode()

    def kill(self):
        self.process.kill()
        self.close()
