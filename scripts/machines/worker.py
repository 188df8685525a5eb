"""What an instance on one machine is asked to do, and what came of it."""
import os

from support.busy import Busy
from support.client import Client

# How many increments go with a token.
BATCH = 6


class Count:
    """What was asked of an instance, and what came of it."""

    def __init__(self):
        self.issued = self.answered = self.increments = 0
        # Increments that were neither answered nor refused.
        self.doubtful = 0


class Worker(Busy):
    """Increments what all do, and sets tokens of its own. A subject is a token, or nothing for an increment."""

    def __init__(self, machine, binary, path):
        super().__init__(f"the instance on {machine.name}")
        self.machine, self.binary, self.path = machine, binary, path
        self.count = Count()
        self.tokens = {}  # token: whether it was answered
        self.next_token = 0
        self.problems = {}  # those that it has told and not taken back
        self.log = open(os.path.join(machine.folder, "worker.log"), "ab")
        self.start()

    def attach(self):
        self.problems.clear()
        command = self.machine.command(self.binary, "attach", self.path)
        return Client(command, self.machine.environment, stderr=self.log)

    def begin(self, pace, is_typed=False):
        """Begins to work, with so many seconds between two batches; by typing verbs, with no instance, or by one."""
        self.count, self.pace = Count(), pace
        if is_typed:
            self.close()
        super().begin(self.type if is_typed else None)

    def new_token(self):
        self.next_token += 1
        token = f"{self.machine.name}-{self.next_token}"
        self.tokens[token] = False
        return token

    def type(self):
        while not self.stopping.wait(self.pace):
            token = self.new_token()
            self.verb(None, "increment", self.path, "/n")
            self.verb(token, "set", self.path, f"/tokens/{token}", str(self.next_token))

    def verb(self, token, *words):
        self.count.issued += 1
        done = self.machine.do(self.binary, *words)
        answer = {"error": f"{done.returncode}, {done.stderr}"} if done.returncode else {}
        if not answer and done.stderr:
            self.complain(f"{' '.join(words)} says: {done.stderr.strip()}")
        self.answered(token, answer)

    def requests(self):
        self.count.issued += BATCH + 1
        for _ in range(BATCH):
            yield None, "increment", {"path": "/n"}
        token = self.new_token()
        yield token, "set", {"path": f"/tokens/{token}", "value": self.next_token}

    def answered(self, token, answer, *_):
        if "error" in answer:
            self.complain(f"{token or 'increment'} was refused: {answer['error']}")
            return
        self.count.answered += 1
        if token:
            self.tokens[token] = True
        else:
            self.count.increments += 1

    def doubt(self, token):
        self.count.doubtful += token is None

    def told(self, method, parameters):
        if method == "problem":
            self.problems[parameters.get("code")] = parameters.get("message")
        elif method == "resolved":
            self.problems.pop(parameters.get("code"), None)
