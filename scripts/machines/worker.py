"""An instance on one machine that is kept busy: what it was answered, and what nobody knows since it was killed."""
import json
import os
import signal
import subprocess
import threading

import json_rpc

# How many increments go with a token.
BATCH = 6

# How long an answer may take, in seconds.
PATIENCE = 60.0


class Count:
    """What was asked of an instance, and what came of it."""

    def __init__(self):
        self.issued = self.answered = self.increments = 0
        # Increments that were neither answered nor refused.
        self.doubtful = 0


class Worker:
    """One `replicate attach` after the other on a machine: it increments what all do, and sets tokens of its own."""

    def __init__(self, machine, binary, path):
        self.machine, self.binary, self.path = machine, binary, path
        self.count = Count()
        self.tokens = {}  # token: whether it was answered
        self.next_token = self.kills = 0
        self.complaints = []
        self.problems = {}  # those that it has told and not taken back
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.thread = self.process = None
        self.log = open(os.path.join(machine.folder, "worker.log"), "ab")
        self.start()

    def start(self):
        self.problems.clear()
        self.is_at_work = False
        self.process = self.machine.start(
            self.binary, "attach", self.path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)

    def begin(self, pace, is_typed=False):
        """Begins to work, with so many seconds between two batches; by typing verbs, with no instance, or by one."""
        self.count = Count()
        self.stopping.clear()
        if is_typed:
            self.close()
        self.thread = threading.Thread(target=self.type if is_typed else self.work, args=(pace,), daemon=True)
        self.thread.start()

    def finish(self):
        """Ends the work and leaves an instance attached."""
        self.stopping.set()
        self.thread.join(PATIENCE)
        if self.thread.is_alive():
            self.complaints.append(f"{self.machine.name} hung")
            self.process.kill()
            self.thread.join()
        if self.process.poll() is not None:
            self.start()

    def work(self, pace):
        try:
            while not self.stopping.wait(pace):
                if not self.batch():
                    code = self.process.wait()
                    if code != -signal.SIGKILL:
                        self.complaints.append(f"the instance on {self.machine.name} ended with {code}")
                        return
                    with self.lock:
                        self.start()
        except Exception as error:
            self.complaints.append(f"{self.machine.name}: {error!r}")

    def type(self, pace):
        try:
            while not self.stopping.wait(pace):
                self.next_token += 1
                token = f"{self.machine.name}-{self.next_token}"
                self.tokens[token] = False
                self.verb(None, "increment", self.path, "/n")
                self.verb(token, "set", self.path, f"/tokens/{token}", str(self.next_token))
        except Exception as error:
            self.complaints.append(f"{self.machine.name}: {error!r}")

    def verb(self, token, *words):
        self.count.issued += 1
        done = self.machine.do(self.binary, *words)
        answer = {"error": f"{done.returncode}, {done.stderr}"} if done.returncode else {}
        if not answer and done.stderr:
            self.complaints.append(f"{self.machine.name}: {' '.join(words)} says: {done.stderr.strip()}")
        self.take(token, answer)

    def batch(self):
        """Sends some requests at once and takes their answers; whether all were answered."""
        self.next_token += 1
        token = f"{self.machine.name}-{self.next_token}"
        requests = [("increment", {"path": "/n"})] * BATCH
        requests.append(("set", {"path": f"/tokens/{token}", "value": self.next_token}))
        self.tokens[token] = False
        self.count.issued += len(requests)
        open_requests = set(range(len(requests)))
        try:
            self.process.stdin.write(b"".join(
                json_rpc.request(number, method, parameters) for number, (method, parameters) in enumerate(requests)))
            self.process.stdin.flush()
            while open_requests:
                answer = self.receive()
                if answer is None:
                    break
                open_requests.discard(answer["id"])
                self.take(token if answer["id"] == BATCH else None, answer)
        except BrokenPipeError:
            pass
        self.count.doubtful += len(open_requests - {BATCH})
        self.is_at_work = not open_requests
        return self.is_at_work

    def receive(self):
        while True:
            line = self.process.stdout.readline()
            if not line.endswith(b"\n"):
                return None
            answer = json.loads(line)
            if "id" in answer:
                return answer
            parameters = answer.get("params", {})
            if answer["method"] == "problem":
                self.problems[parameters.get("code")] = parameters.get("message")
            elif answer["method"] == "resolved":
                self.problems.pop(parameters.get("code"), None)

    def take(self, token, answer):
        if "error" in answer:
            self.complaints.append(f"{self.machine.name}: {token or 'increment'} was refused: {answer['error']}")
            return
        self.count.answered += 1
        if token:
            self.tokens[token] = True
        else:
            self.count.increments += 1

    def ask(self, path):
        """The value that the instance has; None if it has ended instead, or has to be ended since it doesn't answer."""
        alarm = threading.Timer(PATIENCE, self.process.kill)
        alarm.start()
        try:
            self.process.stdin.write(json_rpc.request(0, "get", {"path": path}))
            self.process.stdin.flush()
            answer = self.receive()
        except BrokenPipeError:
            return None
        finally:
            alarm.cancel()
        return answer and answer.get("result", {}).get("value")

    def kill(self):
        """Kills the instance; who works with it starts another one."""
        with self.lock:
            self.kills += 1
            self.process.kill()
            self.process.wait()

    def close(self):
        self.process.stdin.close()
        try:
            code = self.process.wait(30)
            if code != 0:
                self.complaints.append(f"the instance on {self.machine.name} ended with {code}")
        except subprocess.TimeoutExpired:
            self.complaints.append(f"the instance on {self.machine.name} did not end")
            self.process.kill()
            self.process.wait()
