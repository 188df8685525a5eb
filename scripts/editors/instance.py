"""An instance of a file that never rests: it counts up, and must be answered with exactly the next number."""
import threading
import time

from support.busy import Busy
from support.client import Client
from support.waiting import DEADLINE

# The pause between two batches, in seconds, and how many numbers a batch counts.
PACE = 0.004
BATCH = 2


class Instance(Busy):
    """A `replicate attach` that increments `/NAME` and sets `/log/NAME` to the same number, again and again."""

    def __init__(self, binary, path, name, environment):
        super().__init__(f"instance {name}", PACE)
        self.key, self.environment = name, environment
        self.command = [binary, "attach", path]
        self.asked = self.counted = 0
        # Each value of /user, with the moment at which the instance first reported it.
        self.heard = []
        self.changed = threading.Condition()
        self.start()
        self.begin()

    def attach(self):
        return Client(self.command, self.environment, stderr=None)

    def start(self):
        super().start()
        self.ask("watch", path="/user")

    def requests(self):
        for _ in range(BATCH):
            self.asked += 1
            yield self.asked, "increment", {"path": f"/{self.key}"}
            yield None, "set", {"path": f"/log/{self.key}", "value": self.asked}

    def answered(self, number, answer, sent, now):
        with self.changed:
            if "result" not in answer:
                self.complain(f"was answered {answer}")
            elif number is not None:
                self.counted += 1
                if (number, answer["result"]["value"]) != (self.counted, self.counted):
                    self.complain(f"counted to {self.counted}, but was answered {answer}")
            self.changed.notify_all()

    def complain(self, what):
        super().complain(what)
        with self.changed:
            self.changed.notify_all()

    def doubt(self, number):
        self.complain(f"never answered request {number or 'to set the log'}")

    def told(self, method, parameters):
        with self.changed:
            if method == "state":
                self.heard.append((time.monotonic(), parameters["value"]))
            # On a busy machine another process may hold the lock for long. Only the answers count.
            elif parameters["code"] != "cannot-lock":
                self.complain(f"reports {parameters}")
            self.changed.notify_all()

    def until_answered(self, count):
        with self.changed:
            if not self.changed.wait_for(lambda: self.counted >= count or self.complaints, DEADLINE):
                self.complain(f"was answered {self.counted} of {self.asked} requests, and no more for {DEADLINE} s")

    def when_heard(self, value, since):
        """The moment at which `/user` became a value; None if it doesn't."""
        def moments():
            return [moment for moment, heard in self.heard if heard == value and moment >= since]
        with self.changed:
            if not self.changed.wait_for(lambda: moments() or self.process.poll() is not None, DEADLINE):
                self.complain(f"never reported {value}; the last value was {self.heard[-1:]}")
                return None
            return next(iter(moments()), None)

    def close(self):
        self.finish()
        super().close()
        if self.counted != self.asked:
            self.complain(f"was answered {self.counted} of {self.asked} requests")
