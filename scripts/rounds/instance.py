"""What an instance is asked to do at one file, and what was lost if it isn't there."""
import time

from support.busy import Busy
from support.client import Client

BATCH = 6
TOKENS = 8


class Instance(Busy):
    """Increments a counter, adds and removes tokens, and edits its row of a list."""

    def __init__(self, binary, path, environment, number):
        super().__init__(f"i{number}")
        self.command, self.environment = [binary, "attach", path], environment
        self.row = number + 1
        self.steps = []  # (sent, answered, value, doubtful)
        self.tokens = {}  # token: (answered, present or None where nobody knows)
        self.row_history = []  # (answered, value)
        self.row_doubts = set()
        self.acknowledged = self.next_token = self.doubtful = 0
        self.ends = []
        self.problems = {}

    def attach(self):
        return Client(self.command, self.environment)

    def requests(self):
        self.next_token += 1
        token, old = f"t{self.next_token}", f"t{self.next_token - TOKENS}"
        for _ in range(BATCH):
            yield ("increment", None), "increment", {"path": f"/counters/{self.name}"}
        yield ("add", token), "set", {"path": f"/tokens/{self.name}/{token}", "value": 1}
        if self.next_token > TOKENS:
            yield ("remove", old), "remove", {"path": f"/tokens/{self.name}/{old}"}
        yield ("row", self.next_token), "patch", {"operations": [
            {"op": "test", "path": f"/rows/{self.row}/id", "value": self.name},
            {"op": "replace", "path": f"/rows/{self.row}/value", "value": self.next_token}]}

    def answered(self, subject, answer, sent, now):
        what, name = subject
        if "error" in answer:
            # A token that nobody said was added need not be there; that another one is not, the judge will find.
            if what != "remove":
                self.complain(f"{what} {name} was refused: {answer['error']}")
            elif self.tokens[name][1] is None:
                del self.tokens[name]
            return
        self.acknowledged += 1
        if what == "increment":
            self.steps.append((sent, now, int(answer["result"]["value"]), self.doubtful))
            self.doubtful = 0
        elif what == "row":
            self.row_history.append((now, name))
            self.row_doubts = set()
        else:
            self.tokens[name] = (now, what == "add")

    def doubt(self, subject):
        what, name = subject
        if what == "increment":
            self.doubtful += 1
        elif what == "row":
            self.row_doubts.add(name)
        else:
            self.tokens[name] = (time.monotonic(), None)

    def told(self, method, parameters):
        if method == "problem":
            self.problems.setdefault(parameters.get("code"), []).append(parameters.get("message"))

    def kill(self):
        self.ends.append(time.monotonic())
        super().kill()
