"""Instances of a file that never rest: each counts up, and must be answered with exactly the next number."""
import threading
import time

from client import Client
from waiting import DEADLINE

# Between two pairs of requests, in seconds, and how many requests may be unanswered before an instance waits.
PACE = 0.004
UNANSWERED = 400


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
        self.client = Client([binary, "attach", path], environment, stderr=None)
        self.watching = self.client.send("watch", path="/user")
        self.reader, self.writer = [threading.Thread(target=work, daemon=True) for work in (self.read, self.write)]
        self.reader.start()
        self.writer.start()

    def write(self):
        while not self.stopping:
            if 2 * (self.asked - self.answered) < UNANSWERED:
                self.asked += 1
                self.client.send_all([
                    ("increment", {"path": f"/{self.name}"}),
                    ("set", {"path": f"/log/{self.name}", "value": self.asked})])
            time.sleep(PACE)

    def read(self):
        while (message := self.client.receive()) is not None:
            with self.changed:
                if message.get("method") == "state":
                    self.heard.append((time.monotonic(), message["params"]["value"]))
                elif message.get("method") in ("problem", "resolved"):
                    # On a busy machine somebody may hold the lock for long; what counts is that all is answered.
                    if message["params"]["code"] != "cannot-lock":
                        self.complain(f"reports {message['params']}")
                elif "result" not in message:
                    self.complain(f"was answered {message}")
                # After the watch each other one is an increment, the first of which is the next request.
                elif (message["id"] - self.watching) % 2 == 1:
                    self.answered += 1
                    expected = (self.watching + 2 * self.answered - 1, self.answered)
                    if (message["id"], message["result"]["value"]) != expected:
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
            if not self.changed.wait_for(lambda: moments() or self.client.process.poll() is not None, DEADLINE):
                self.complain(f"never heard of {value}; last of {self.heard[-1:]}")
                return None
            return next(iter(moments()), None)

    def close(self):
        self.stopping = True
        self.writer.join(DEADLINE)
        self.client.end()
        self.reader.join(DEADLINE)
        code, _ = self.client.close()
        if code != 0:
            self.complain(f"ended with {code}")
        if self.answered != self.asked:
            self.complain(f"was answered {self.answered} of {self.asked} requests")
