"""Instances of a file that never rest: each counts up, and must be answered with exactly the next number."""
import json
import subprocess
import threading
import time

# Between two pairs of requests, in seconds, and how many requests may be unanswered before an instance waits.
PACE = 0.004
UNANSWERED = 400
DEADLINE = 30


class Instance:
    """A `replicate attach` that increments `/NAME` and sets `/log/NAME` to the same, again and again."""

    def __init__(self, binary, path, name, environment):
        self.name = name
        self.asked = self.answered = 0
        # When each value of /user was first heard of.
        self.heard = []
        self.complaints = []
        self.changed = threading.Condition()
        self.stopping = False
        self.process = subprocess.Popen(
            [binary, "attach", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.send({"id": "watch", "method": "watch", "params": {"path": "/user"}})
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.read, self.write)]
        for thread in self.threads:
            thread.start()

    def send(self, *requests):
        lines = [json.dumps({"jsonrpc": "2.0", **request}).encode() + b"\n" for request in requests]
        self.process.stdin.write(b"".join(lines))
        self.process.stdin.flush()

    def write(self):
        try:
            while not self.stopping:
                if 2 * (self.asked - self.answered) < UNANSWERED:
                    self.asked += 1
                    self.send(
                        {"id": self.asked, "method": "increment", "params": {"path": f"/{self.name}"}},
                        {"id": "set", "method": "set", "params": {"path": f"/log/{self.name}", "value": self.asked}})
                time.sleep(PACE)
            self.process.stdin.close()
        except BrokenPipeError:
            self.complain("does not take requests any more")

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            with self.changed:
                if message.get("method") == "state":
                    self.heard.append((time.monotonic(), message["params"]["value"]))
                elif message.get("method") in ("problem", "resolved"):
                    # On a busy machine somebody may hold the lock for long; what counts is that all is answered.
                    if message["params"]["code"] != "cannot-lock":
                        self.complain(f"reports {message['params']}")
                elif "result" not in message:
                    self.complain(f"was answered {message}")
                elif message["id"] not in ("watch", "set"):
                    self.answered += 1
                    if (message["id"], message["result"]["value"]) != (self.answered, self.answered):
                        self.complain(f"counted to {self.answered}, but was answered {message}")
                self.changed.notify_all()

    def complain(self, complaint):
        # What comes after the first only follows from it.
        if not self.complaints:
            self.complaints.append(f"instance {self.name} {complaint}")

    def until_answered(self, count):
        with self.changed:
            if not self.changed.wait_for(lambda: self.answered >= count or self.complaints, DEADLINE):
                self.complain(f"was answered {self.answered} of {self.asked} requests, and no more for {DEADLINE} s")

    def when_heard(self, value, since):
        """The moment at which `/user` became a value; None if it doesn't."""
        def moments():
            return [moment for moment, heard in self.heard if heard == value and moment >= since]
        with self.changed:
            if not self.changed.wait_for(lambda: moments() or self.process.poll() is not None, DEADLINE):
                self.complain(f"never heard of {value}; last of {self.heard[-1:]}")
                return None
            return next(iter(moments()), None)

    def close(self):
        self.stopping = True
        try:
            for thread in self.threads:
                thread.join(DEADLINE)
            code = self.process.wait(DEADLINE)
            if code != 0:
                self.complain(f"ended with {code}")
            if self.answered != self.asked:
                self.complain(f"was answered {self.answered} of {self.asked} requests")
        except subprocess.TimeoutExpired:
            self.complain("does not end")
            self.process.kill()
