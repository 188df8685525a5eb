"""A file, who has it in sight, and what is done to it."""
import json
import os
import subprocess
import threading
import time

from support import waiting
from editors.place import Place

COMPANIES = ("watch", "nothing", "get")
DEADLINE = 60
# For so long nothing must happen any more.
REST = 0.4

START = {
    "user": {"title": "first title", "tags": ["one"], "members": {"x": 1}},
    "counter": 0,
    "search": "",
    "settings": {"theme": "light", "size": 12, "zoom": 1.5, "columns": ["name", "done"]},
    "items": [{"id": number, "name": f"item {number}", "done": False} for number in range(1, 7)],
    "log": [],
}


def text(value):
    return json.dumps(value, indent=2) + "\n"


class Watch:
    """A `replicate watch`, and what it has printed."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.value, self.messages = None, []
        self.threads = [threading.Thread(target=self.read), threading.Thread(target=self.hear)]
        for thread in self.threads:
            thread.start()

    def read(self):
        for line in self.process.stdout:
            self.value = json.loads(line)

    def hear(self):
        self.messages += self.process.stderr

    def end(self):
        self.process.terminate()
        self.process.wait()
        for thread in self.threads:
            thread.join()


class World(Place):
    patience = DEADLINE

    def __init__(self, base, binary, company):
        super().__init__(base)
        self.binary, self.company = binary, company
        self.watch, self.messages, self.count = None, [], 0

    def __exit__(self, *raised):
        if self.watch:
            self.watch.end()
        super().__exit__(*raised)

    # What is done

    def begin(self):
        """The file as somebody puts it there, and three changes."""
        (self.home / "start.json").write_text(text(START))
        self.sh("cp ../home/start.json state.json")
        if self.company == "watch":
            self.watch = Watch([self.binary, "watch", str(self.file)], self.environment)
            until(lambda: self.watch.value is not None)
        self.change()

    def verb(self, *words):
        done = subprocess.run(
            [self.binary, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=DEADLINE)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)} ended with {done.returncode}: {done.stderr}")
        self.messages += done.stderr.splitlines()
        return done.stdout

    def change(self):
        """What programs do, one after another, three times; returns what the file holds then."""
        for _ in range(3):
            self.count += 1
            self.verb("increment", "state.json", "/counter")
            self.verb("set", "state.json", "/search", json.dumps(f"query {self.count}"))
            self.verb("set", "state.json", "/log/-", json.dumps(f"entry {self.count}"))
        return self.value()

    def value(self):
        """What the file holds; nobody can tell that it was read."""
        file = os.open(self.file, os.O_RDONLY | os.O_NOATIME)
        with os.fdopen(file) as file:
            return json.load(file)

    def meet(self):
        """Whoever has the file in sight sees what stands there."""
        if self.company == "get":
            self.verb("get", "state.json")
        elif self.company == "watch":
            self.rest()

    def rest(self):
        """Waits until what is watched has been the same for a while."""
        last, since = None, time.monotonic()

        def is_at_rest():
            nonlocal last, since
            value = self.value()
            if value != last or self.watch.value != value:
                last, since = value, time.monotonic()
            return time.monotonic() - since > REST

        until(is_at_rest)

    # What it came to

    def complaints(self, scenario):
        self.begin()
        meant = scenario.steps(self)
        otherwise = meant
        if scenario.is_undecidable:
            meant, otherwise = meant
        self.meet()
        # Who only looks finds out what it means, where nobody else has.
        self.verb("watch", "-n1", "state.json")
        found = self.value()
        if found != otherwise:
            return [f"the file should hold {difference(otherwise, found)}"]
        return self.settle(meant) if scenario.is_undecidable else []

    def settle(self, meant):
        """Does what was said to do."""
        if self.watch:
            self.watch.end()
            self.messages += self.watch.messages
            self.watch = None
        told = [line.split()[-4:] for line in self.messages if "replicate restore " in line]
        if not told:
            return ["nothing was said"]
        self.verb("restore", "state.json", told[-1][3])
        found = self.value()
        return [] if found == meant else [f"what was said makes it {difference(meant, found)}"]


def difference(expected, found):
    """What two documents have at places where they differ."""
    if not isinstance(expected, dict) or not isinstance(found, dict):
        return f"{json.dumps(expected)}, not {json.dumps(found)}"
    keys = [key for key in {**expected, **found} if expected.get(key) != found.get(key)]
    return f"{json.dumps({key: expected.get(key) for key in keys})}, not {json.dumps({key: found.get(key) for key in keys})}"


def until(condition):
    if waiting.until(condition, DEADLINE, pause=0.005) is None:
        raise RuntimeError("waited in vain")
