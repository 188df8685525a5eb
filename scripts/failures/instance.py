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
        self.bench = bench
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

    def hears(self, method, code, seconds):
        """Whether it comes to be told that there is a problem, or that it is resolved."""
        return self.receive(
            lambda: any(note["method"] == method and note["params"].get("code") == code for note in self.notes), seconds)

    def traced(self, *injections):
        """Lets strace join it; returns when it has."""
        tracer = subprocess.Popen(
            [word for word in self.bench.strace(*injections) if word != "-qqq"] + ["-p", str(self.process.pid)],
            stderr=subprocess.PIPE, text=True)
        while True:
            line = tracer.stderr.readline()
            if "attached" in line or not line:
                break
        threading.Thread(target=tracer.stderr.read, daemon=True).start()
        return tracer

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
