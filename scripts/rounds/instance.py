"""Instances that are kept busy: what they were answered, and what nobody knows since they were killed."""
import contextlib
import json
import signal
import subprocess
import threading
import time

import json_rpc

BATCH = 6
TOKENS = 8


class Instance:
    """One `replicate attach` after the other, kept busy."""

    def __init__(self, binary, path, environment, number):
        self.binary, self.path, self.environment, self.name = binary, path, environment, f"i{number}"
        self.row = number + 1
        self.is_over = False
        self.lock = threading.Lock()
        self.process = None
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.steps = []  # (sent, answered, value, doubtful)
        self.tokens = {}  # token: (answered, present or None where nobody knows)
        self.row_history = []  # (answered, value)
        self.row_doubts = set()
        self.acknowledged = self.kills = 0
        self.ends = []
        self.next_token = 0
        self.doubtful = 0
        self.problems = {}
        self.complaints = []

    def start(self):
        with self.lock:
            if self.is_over:
                return
            self.process = json_rpc.attach(self.binary, self.path, self.environment)

    def work(self):
        try:
            while not self.stopping.is_set():
                if not self.batch():
                    code = self.process.wait()
                    said = self.process.stderr.read().decode()
                    if code != -signal.SIGKILL:
                        self.complaints.append(f"{self.name} ended with {code}: {said[-300:]!r}")
                        return
                    self.start()
        except Exception as error:
            self.complaints.append(f"{self.name}: {error!r}")

    def batch(self):
        """Sends some requests at once and takes their answers; whether all were answered."""
        requests, kinds = [], []
        for _ in range(BATCH):
            requests.append(("increment", {"path": f"/counters/{self.name}"}))
            kinds.append(("increment", None))
        self.next_token += 1
        token = f"t{self.next_token}"
        requests.append(("set", {"path": f"/tokens/{self.name}/{token}", "value": 1}))
        kinds.append(("add", token))
        old = f"t{self.next_token - TOKENS}"
        if self.next_token > TOKENS:
            requests.append(("remove", {"path": f"/tokens/{self.name}/{old}"}))
            kinds.append(("remove", old))
        requests.append(("patch", {"operations": [
            {"op": "test", "path": f"/rows/{self.row}/id", "value": self.name},
            {"op": "replace", "path": f"/rows/{self.row}/value", "value": self.next_token}]}))
        kinds.append(("row", self.next_token))
        sent = time.monotonic()
        left = len(requests)
        try:
            self.process.stdin.write(b"".join(
                json_rpc.request(number, method, parameters) for number, (method, parameters) in enumerate(requests)))
            self.process.stdin.flush()
            while left:
                answer = self.receive()
                if answer is None:
                    break
                self.take(kinds[answer["id"]], answer, sent, time.monotonic())
                kinds[answer["id"]] = None
                left -= 1
        except BrokenPipeError:
            pass
        if left:
            self.doubt([kind for kind in kinds if kind])
        return not left

    def receive(self):
        while True:
            line = self.process.stdout.readline()
            if not line.endswith(b"\n"):
                return None
            answer = json.loads(line)
            if "id" in answer:
                return answer
            if answer["method"] == "problem":
                problem = answer["params"]
                self.problems.setdefault(problem.get("code"), []).append(problem.get("message"))

    def take(self, kind, answer, sent, now):
        what, subject = kind
        if "error" in answer:
            # A token that nobody said was added need not be there; that another one is not, the judge will find.
            if what != "remove":
                self.complaints.append(f"{self.name}: {what} {subject} was refused: {answer['error']}")
            elif self.tokens[subject][1] is None:
                del self.tokens[subject]
            return
        self.acknowledged += 1
        if what == "increment":
            self.steps.append((sent, now, int(answer["result"]["value"]), self.doubtful))
            self.doubtful = 0
        elif what == "add":
            self.tokens[subject] = (now, True)
        elif what == "remove":
            self.tokens[subject] = (now, False)
        else:
            self.row_history.append((now, subject))
            self.row_doubts = set()

    def doubt(self, kinds):
        """The instance was killed: these may be in the file or not."""
        for what, subject in kinds:
            if what == "increment":
                self.doubtful += 1
            elif what == "row":
                self.row_doubts.add(subject)
            else:
                self.tokens[subject] = (time.monotonic(), None)

    def kill(self):
        with self.lock:
            self.kills += 1
            self.ends.append(time.monotonic())
            self.process.kill()
            # Until then it counts as one that runs.
            self.process.wait()

    def send_signal(self, number):
        with self.lock:
            if self.process.poll() is None:
                self.process.send_signal(number)

    def finish(self):
        """Ends the work and leaves the instance attached."""
        self.stopping.set()
        self.thread.join(30)
        if self.thread.is_alive():
            self.complaints.append(f"{self.name} hung")
            self.process.kill()

    def ask(self, method, **parameters):
        """What it answers; None if it has ended instead."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json_rpc.request(0, method, parameters))
            self.process.stdin.flush()
        answer = self.receive()
        return answer and answer.get("result")

    def abandon(self):
        """Ends it, whatever it does, for good."""
        self.stopping.set()
        with self.lock:
            self.is_over = True
            if self.process and self.process.poll() is None:
                self.process.kill()

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            code = self.process.wait(20)
            if code != 0:
                self.complaints.append(f"{self.name} ended with {code}: {self.process.stderr.read()!r}")
        except subprocess.TimeoutExpired:
            self.complaints.append(f"{self.name} did not end")
            self.process.kill()
            self.process.wait()
