"""Instances that are kept busy: the answers they gave, and the requests that a kill left unanswered."""
import signal
import threading
import time

# How long an instance may take for what it is asked, in seconds.
PATIENCE = 60.0


class Busy:
    """One `replicate attach` after the other that is sent some requests at once, and the next ones once those are answered.

    What it is sent and what follows from that is said by who inherits this: `requests`, `answered`, `doubt` and `told`.
    """

    def __init__(self, name, pace=0.0):
        self.name, self.pace = name, pace
        self.client = self.thread = None
        self.kills = 0
        self.is_over = self.is_at_work = False
        self.complaints = []
        self.stopping = threading.Event()
        self.lock = threading.Lock()

    def attach(self):
        """A client of a new instance."""
        raise NotImplementedError

    def requests(self):
        """The next ones: for each what it is about, a method, and what it is given."""
        raise NotImplementedError

    def answered(self, subject, answer, sent, now):
        """A request was answered, with a result or an error; when it was sent, and when that was."""
        raise NotImplementedError

    def doubt(self, subject):
        """Nobody knows what became of a request, since the instance was killed."""
        raise NotImplementedError

    def told(self, method, parameters):
        """The instance has told something of its own accord."""

    @property
    def process(self):
        return self.client.process

    def start(self):
        with self.lock:
            if not self.is_over:
                self.is_at_work = False
                self.client = self.attach()

    def begin(self, work=None):
        self.stopping.clear()
        self.thread = threading.Thread(target=self.guarded, args=(work or self.work,), daemon=True)
        self.thread.start()

    def guarded(self, work):
        try:
            work()
        except Exception as error:
            self.complain(repr(error))

    def work(self):
        while not self.stopping.wait(self.pace):
            if not self.batch():
                code = self.process.wait()
                if code != -signal.SIGKILL:
                    self.complain(f"ended with {code}: {self.client.close()[1][-300:]!r}")
                    return
                self.start()

    def batch(self):
        """Sends some requests and takes their answers; whether all were answered."""
        subjects, calls = [], []
        for subject, method, parameters in self.requests():
            subjects.append(subject)
            calls.append((method, parameters))
        sent = time.monotonic()
        waiting = dict(zip(self.client.send_all(calls), subjects))
        while waiting:
            message = self.client.receive()
            if message is None:
                break
            if "id" in message:
                self.answered(waiting.pop(message["id"]), message, sent, time.monotonic())
            else:
                self.told(message["method"], message["params"])
        for subject in waiting.values():
            self.doubt(subject)
        self.is_at_work = not waiting
        return self.is_at_work

    def complain(self, what):
        self.complaints.append(f"{self.name}: {what}")

    def finish(self):
        """Ends the work and leaves an instance attached."""
        self.stopping.set()
        self.thread.join(PATIENCE)
        if self.thread.is_alive():
            self.complain("hung")
            self.process.kill()
            self.thread.join(PATIENCE)
        if self.process.poll() is not None:
            self.start()

    def ask(self, method, **parameters):
        """The answer to one request, while no batch is under way; empty if the instance has ended, or doesn't answer."""
        answer = self.client.ask(method, PATIENCE, **parameters)
        for note in self.client.notes:
            self.told(note["method"], note["params"])
        self.client.notes.clear()
        return answer

    def value(self):
        """The document that the instance holds; None if it has ended, or doesn't answer."""
        return self.ask("get", path="").get("result", {}).get("value")

    def kill(self):
        """Kills the instance; who works with it starts another one."""
        with self.lock:
            self.kills += 1
            self.process.kill()
            # Until then it counts as one that runs.
            self.process.wait()

    def send_signal(self, number):
        with self.lock:
            if self.process.poll() is None:
                self.process.send_signal(number)

    def abandon(self):
        """Ends it, whatever it does, for good."""
        self.stopping.set()
        with self.lock:
            self.is_over = True
            if self.client and self.process.poll() is None:
                self.process.kill()

    def close(self):
        code, said = self.client.close()
        if code != 0:
            self.complain(f"ended with {code}: {said[-300:]!r}")
