"""Machines that share one state: each with an engine, a file of its own, and somebody who is at work there."""
import contextlib
import json
import os
import random
import threading

from support import waiting
from machines.editor import Editor
from machines.mounted import Mounted, Server
from machines.rounds import ROUNDS
from machines.syncthing import Syncthing
from machines.worker import Worker
from machines.world import Bridge, Machine

# How long may pass until something has come to all machines.
PATIENCE = 90.0
START = {"n": 0, "tokens": {}, "edits": {}}
SHARED, PLAIN = "shared", "plain"


def until(condition, patience=PATIENCE):
    """Waits until something holds. Files are read to see that, so it is asked now and then."""
    return waiting.until(condition, patience, pause=0.03)


def read(path):
    """What a file holds; None if it isn't there, or half of it is."""
    try:
        with open(path) as file:
            return json.load(file)
    except (FileNotFoundError, ValueError):
        return None


def are_equal(paths):
    """Whether files hold the same value."""
    first = read(paths[0])
    return first is not None and all(read(path) == first for path in paths[1:])


class Node(Machine):
    """A machine that takes part."""

    def __init__(self, number, folder, options, engine):
        super().__init__(number, folder)
        self.binary = options.replicate
        self.engine = engine(self)
        # Where it is for those who are at work here, and for who looks from outside.
        self.path = self.seen = os.path.join(self.home, "state.json")
        if options.inside:
            self.path, self.seen = (
                os.path.join(place(SHARED), "state.json") for place in (self.engine.place, self.engine.seen))
        self.journals = f"{self.seen}.journals" if options.inside else self.engine.seen(SHARED)
        self.words = [] if options.inside else [self.engine.place(SHARED)]
        self.worker = None

    def share(self):
        """As somebody types it; what went wrong."""
        done = self.do(self.binary, "share", "--name", self.name, self.path, *self.words)
        if done.returncode:
            return [f"share on {self.name}: {done.stderr.strip()}"]
        if not self.words:
            self.engine.shared(SHARED)
        return []

    def devices(self):
        """The other machines, as this one knows them, by their names; None if something is wrong."""
        done = self.do(self.binary, "devices", "--json", self.path)
        if done.returncode:
            return None
        return {device.get("name"): device for device in json.loads(done.stdout)["devices"] if not device["this"]}

    def told(self):
        """The same in words."""
        done = self.do(self.binary, "devices", self.path)
        return "; ".join((done.stdout + done.stderr).strip().split("\n"))

    def verify(self):
        done = self.do(self.binary, "verify", self.path)
        return [f"verify on {self.name}: {(done.stdout + done.stderr).strip()}"] if done.returncode else []


class Fleet:
    """All machines, of which the last one joins when all is over."""

    def __init__(self, engine, count, folder, options):
        self.options = options
        self.rng = random.Random(options.seed)
        Bridge()
        self.stack = contextlib.ExitStack()
        engine = self.engine(engine, folder)
        everybody = [Node(number, folder, options, engine) for number in range(count + 1)]
        engines = [node.engine for node in everybody]
        for engine in engines:
            engine.configure([SHARED, PLAIN], engines)
        self.nodes, self.late = everybody[:-1], everybody[-1]
        first = self.nodes[0]
        self.editor = Editor(first, first.path, random.Random(self.rng.random()))

    def engine(self, name, folder):
        """What makes the engine of a machine."""
        if name == Mounted.name:
            server = Server(self.stack, folder)
            return lambda machine: Mounted(machine, server)
        if name in ROUNDS:
            return lambda machine: ROUNDS[name](machine, os.path.join(folder, "common"))
        return lambda machine: Syncthing(machine, self.options.delay)

    @property
    def paths(self):
        return [node.seen for node in self.nodes]

    def start(self):
        """Starts the engines and shares the file, on one machine after the other; what went wrong."""
        for node in self.nodes:
            node.engine.start()
        with open(self.nodes[0].seen, "w") as file:
            json.dump(START, file, indent=1)
        complaints = [complaint for node in self.nodes for complaint in self.join(node)]
        if not complaints and self.until_equal() is None:
            complaints.append("the machines never came to share the file")
        return complaints

    def join(self, node):
        """Shares the file on a machine, once what others share has arrived there; what went wrong."""
        if node is not self.nodes[0] and until(lambda: journals(node)) is None:
            return [f"no journal came to {node.name}, where {node.engine.name} says: {node.engine.last_words()}"]
        complaints = node.share()
        if not complaints:
            node.worker = Worker(node, self.options.replicate, node.path)
        return complaints

    def until_equal(self, nodes=None):
        """Waits until the files on all machines hold the same; after how many seconds, None if they never do."""
        paths = [node.seen for node in nodes or self.nodes]
        return until(lambda: are_equal(paths))

    def until_read(self):
        """Waits until each machine knows that all others have read all that it did; None if that never comes."""
        return until(lambda: all(map(self.is_read_by_all, self.nodes)))

    def is_read_by_all(self, node):
        others = node.devices()
        names = {other.name for other in self.nodes} - {node.name}
        return others is not None and names <= set(others) and all(
            device["unread"] == 0 and device["waiting"] == 0 for device in others.values())

    def work(self, during, are_typing=False):
        """Has all at work for as long as something takes; what that returns."""
        for node in self.nodes:
            node.worker.begin(self.options.pace, are_typing)
        try:
            return during()
        finally:
            for node in self.nodes:
                node.worker.stopping.set()
            for node in self.nodes:
                node.worker.finish()

    def close(self):
        for node in self.nodes + [self.late]:
            if node.worker:
                node.worker.close()
            if node.engine.process:
                node.engine.stop()
        self.stack.close()


def journals(node):
    if not os.path.isdir(node.journals):
        return []
    return [name for name in os.listdir(node.journals) if name.endswith(".journal") and not name.startswith(".")]


def copies(nodes):
    """The copies that the engines have made where two of a name met, of journals and of the file."""
    marks = (".sync-conflict-", ".conflict", "..path")
    return {os.path.join(folder, name) for node in nodes for folder in {node.journals, os.path.dirname(node.seen)}
            for name in os.listdir(folder) if not name.startswith(".") and any(mark in name for mark in marks)}


def pause(seconds):
    threading.Event().wait(seconds)
