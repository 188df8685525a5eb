"""A world of devices with an engine that carries their journals, and what must be true of it in the end."""

import collections
import random

from app import INITIAL, pointer, tokens_of
from change import Ghosts
from device import Device
from documents import copy
from fold import Fold
from journal import Lines, file_text
from values import ABSENT


class World:
    def __init__(self, seed=0, kind=Device):
        self.random = random.Random(seed)
        self.kind = kind
        self.time = 100_000
        self.lines = Lines()
        self.fold = Fold(self.lines)
        self.devices = []
        self.off = set()
        self.dead = set()
        self.statistics = collections.Counter()
        self.breaches = []
        self.frozen_by = {}             # what each checkpoint stands for: the lines, those of the one before it, what is removed
        self.freezes = True             # whether there are checkpoints
        self.surprises = False          # whether there is a clone, or a device of which not all had heard
        self.compacts = False           # whether lines under them are removed
        self.names = 0
        self.unique = 0
        self.performed = {}             # what the entries were made of, also where they don't say it

    # MARK: What devices tell

    def count(self, what):
        self.statistics[what] += 1

    def broke(self, promise):
        if promise not in self.breaches:
            self.breaches.append(promise)

    def new_name(self):
        self.names += 1
        return self.names

    def frozen(self, checkpoint, prefix, base, removed, writers):
        self.frozen_by[checkpoint.id] = (prefix, base, removed)
        if any(device.own and device.writer not in writers for device in self.devices):
            self.surprises = True

    # MARK: Devices

    def device(self, name, skew=0, version=0, sums=None):
        """`version` is that of the app, or None where only the command runs."""
        device = self.kind(self, name, skew, None if version is None else [version, "app"], sums)
        self.devices.append(device)
        return device

    @property
    def living(self):
        return [device for device in self.devices if device.name not in self.dead]

    def contents(self, name):
        """A document that somebody has already, before joining."""
        return {**copy(INITIAL), "tokens": {name: 1}, "rows": [{"id": name, "v": 1}], "own": name}

    def clone(self, device):
        """A second machine with the same state folder; from now on two write under one name."""
        twin = self.kind(self, device.name + "'", device.skew, device.app, device.sums)
        twin.name = device.name
        self.surprises = True
        twin.incarnation = device.incarnation
        for list_ in ("own", "said", "log"):
            setattr(twin, list_, list(getattr(device, list_)))
        twin.known, twin.counted, twin.document, twin.noted = device.known, device.counted, device.document, device.noted
        if hasattr(device, "file"):
            twin.file, twin.vector = device.file, dict(device.vector)
        twin.folder = {name: list(file) for name, file in device.folder.items()}
        self.devices.append(twin)
        # Each begins with what the log had.
        for machine in (device, twin):
            machine.export()
        return twin

    # MARK: The engine

    def deliver(self, source, target, share=1.0):
        """Some of the files of one device's folder reach another's, some of them in part."""
        for name, file in list(source.folder.items()):
            if share < 1 and self.random.random() >= share:
                continue
            there = target.folder.get(name)
            if there is not None and self.diverged(there, file):
                self.conflict(name, there, file, target)
                continue
            if share < 1:
                # A part, an old state, or nothing at all: the file was deleted, or comes back.
                part = self.random.randint(0, len(file))
                if self.random.random() < .1 or part > len(there or ()):
                    target.folder[name] = list(file[:part])
            elif there is None or self.is_newer(file, there):
                target.folder[name] = list(file)

    def bits(self, file):
        mask = 0
        for line in file:
            mask |= line.bit
        return mask

    def diverged(self, one, other):
        """Whether two files of one name have lines after one line that don't come after each other."""
        a, b = self.bits(one), self.bits(other)
        return bool(a & ~b and b & ~a) and not (one[-1].bit & other[-1].past or other[-1].bit & one[-1].past)

    def is_newer(self, file, there):
        """Whether a file is a later state of another one; a shorter one is, where its writer has removed lines."""
        if not file or not there:
            return bool(file)
        if file[-1] is there[-1]:
            return len(file) < len(there) if self.compacts else len(file) > len(there)
        return bool(there[-1].bit & file[-1].past)

    def conflict(self, name, there, file, target):
        """Two wrote one file. The one with the greater last line stands; now and then the other one is a copy beside it."""
        stands, loses = (there, file) if there[-1].id > file[-1].id else (file, there)
        target.folder[name] = list(stands)
        self.count("conflicts")
        if self.random.random() < .5:
            target.folder[f"{name} (conflict {loses[-1].id[:6]})"] = list(loses)

    # MARK: What people do

    def act(self, device):
        choose, self.unique = self.random, self.unique + 1
        name, kind, document = f"{device.name}{self.unique}", self.random.random(), device.document
        if document is ABSENT:
            return
        tokens, rows = sorted(document["tokens"]), [row["id"] for row in document["rows"]]
        if kind < .07:
            device.edit(self.edited(document, name))
        elif device.app is None or choose.random() < .15:
            if kind < .3:
                device.act("set", pointer("tokens", name), 1)
            elif kind < .4 and tokens:
                device.act("set", pointer("tokens", choose.choice(tokens) + "/" + name), 1)
            elif kind < .7:
                device.act("increment", "/n", 1)
            elif kind < .9:
                device.act("append", "/tags", name)
            else:
                device.act("set", "/title", name)
        elif kind < .2:
            device.act("token", name)
        elif kind < .3 and tokens:
            device.act("token", choose.choice(tokens) + "/" + name)
        elif kind < .5:
            device.act("add", choose.randint(1, 5))
        elif kind < .6:
            device.act("cap", choose.choice([3, 5, 9]))
        elif kind < .72:
            device.act("row", name, choose.randint(0, 50))
        elif kind < .8 and rows:
            device.act("row+", choose.choice(rows))
        elif kind < .84 and rows:
            device.act("drop", choose.choice(rows))
        elif kind < .95:
            device.act("tag", name)
        else:
            device.act("title", name)

    def edited(self, document, name):
        """What an editor makes of the local FILE."""
        document, kind = copy(document), self.random.random()
        rows = document["rows"]
        if kind < .3:
            document["tokens"][name] = 1
        elif kind < .5:
            rows.insert(self.random.randint(0, len(rows)), {"id": name, "v": 7})
        elif kind < .8 and rows:
            self.random.choice(rows)["note"] = name
        elif kind < .85 and rows:
            del rows[self.random.randrange(len(rows))]
        else:
            document["title"] = name
        return document

    def run(self, steps):
        choose = self.random
        for _ in range(steps):
            self.time += choose.randint(0, 3)
            device, event = choose.choice(self.living), choose.random()
            if event < .4:
                self.act(device)
            elif event < .7:
                other = choose.choice(self.living)
                if other is not device and not {id(device), id(other)} & self.off:
                    self.deliver(device, other, choose.choice([.3, .7, 1]))
            elif event < .93:
                self.step(device)
            elif event < .95:
                self.kill(device)
            else:
                self.off ^= {id(device)}

    def kill(self, device):
        """The instance dies somewhere in a sync, and another one begins."""
        device.export()
        device.noted = max([int(line.body.get("upto", 0)) for line in device.said[:-1]], default=0)

    def die(self, device):
        """A device never comes back. Its journal may be removed on all others."""
        self.dead.add(device.name)
        if self.random.random() < .5:
            for other in self.living:
                for name in [name for name in other.folder if name.startswith(device.name + ".")]:
                    del other.folder[name]

    def step(self, device, certain=False):
        device.sync()
        self.check_causes(device)

    def check_causes(self, device):
        if isinstance(device.document, dict):
            tokens = device.document["tokens"]
            if any(token.rpartition("/")[0] not in tokens for token in tokens if "/" in token):
                self.broke("an effect before its cause")

    def quiesce(self, rounds=16):
        """Everything reaches everybody, until nobody has anything to say; returns the rounds that took."""
        for round_ in range(rounds):
            before = len(self.lines.all) + self.statistics["conflicts"]
            for source in self.living:
                for target in self.living:
                    if source is not target:
                        self.deliver(source, target)
            for device in self.living:
                self.step(device, certain=round_ > 2)
            self.time += 5
            if len(self.lines.all) + self.statistics["conflicts"] == before and round_ > 1 + PATIENCE_ROUNDS:
                return round_
        self.broke("never quiet")
        return rounds

    # MARK: What must be true

    def check(self):
        devices = self.living
        document = devices[0].document
        if any(device.document != document for device in devices):
            self.broke("diverged")
        self.check_joining(document)
        if document is ABSENT:
            return
        self.check_contents(document)
        self.check_exact(document)

    def check_contents(self, document):
        """Each acknowledged action that any living device has heard of is there, once."""
        known = 0
        for device in self.living:
            known |= device.known
            if device.exported() < len(device.log):
                self.broke("not exported")
        done = [action for line in self.lines.each(known & self.lines.mask("entry"))
                for action in self.performed.get(line.id, ()) if action]
        tokens = {action[1] for action in done if action[0] == "token"}
        tokens |= {tokens_of(action[1])[1] for action in done if action[0] == "set" and action[1].startswith("/tokens/")}
        if tokens - set(document["tokens"]):
            self.broke("tokens lost")
        names = [row["id"] for row in document["rows"]]
        if len(names) != len(set(names)):
            self.broke("a row twice")
        if any("v" not in row for row in document["rows"]):
            self.broke("a row in part")
        dropped = {action[1] for action in done if action[0] == "drop"}
        if {action[1] for action in done if action[0] == "row"} - dropped - set(names) and not self.edits:
            self.broke("rows lost")
        wanted = collections.Counter([action[1] for action in done if action[0] == "tag"]
                                     + [action[2] for action in done if action[0] == "append"])
        tags = collections.Counter(document["tags"])
        if wanted - tags:
            self.broke("tags lost")
        if tags - wanted:
            self.broke("a tag twice")
        self.sum = sum(action[1] if action[0] == "add" else action[2] for action in done
                       if action[0] in ("add", "increment"))

    @property
    def edits(self):
        """Whether somebody removed a row in an editor."""
        return any(commit.action is None for device in self.devices for commit in device.log)

    def check_joining(self, document):
        """A device that joins last, and only has what lies in the folder, comes to the same."""
        fresh = self.kind(self, "z", 0, None)
        self.devices.append(fresh)
        self.deliver(self.devices[0], fresh)
        for device in self.living:
            if device is not fresh:
                self.deliver(device, fresh)
        for _ in range(8):
            self.step(fresh, certain=True)
            for device in self.living:
                if device is not fresh:
                    self.deliver(fresh, device)
                    self.step(device, certain=True)
                    self.deliver(device, fresh)
        if fresh.document != document:
            self.broke("a fresh device has something else")
        self.devices.remove(fresh)

    def check_exact(self, document):
        """As if all actions had been reduced one after another, by the newest app that is about."""
        counted = self.living[0].counted
        here = [device.app for device in self.living if device.app]
        used = [line.body["app"] for line in self.lines.each(counted & self.lines.mask("entry", "settled"))
                if line.body.get("app")]
        if used and max(used) not in here:
            return
        if document["n"] != self.sum:
            self.broke(f"the counter is {document['n']} of {self.sum}")
        if min(used, default=None) != max(used, default=None) and self.fold.checkpoint(counted):
            # An older app may have frozen its own values.
            return
        self.count("exact")
        if self.kind is Device and not self.surprises and self.lines_in_order(counted) != self.fold.ordered(
                counted & self.lines.mask("entry")):
            self.broke("a checkpoint changed the order")
        if self.serial(counted, max(used, default=None)) != document:
            self.broke("not as if reduced one after another")

    def frozen_parts(self, counted):
        """The changes under each checkpoint in order, with what it says was removed, and those after the last one."""
        checkpoint, parts = self.fold.checkpoint(counted), [(self.fold.changes(counted), None)]
        while checkpoint:
            prefix, checkpoint, removed = self.frozen_by[checkpoint.id]
            parts.insert(0, (prefix, removed))
        return parts

    def lines_in_order(self, counted):
        return [line for lines, _ in self.frozen_parts(counted) for line in lines]

    def serial(self, counted, app):
        """What all changes come to, one after another: first those under checkpoints, as these froze them. Of what was removed
        there only that is known which somebody's edit didn't know of, so that what a late clone edits may be gone."""
        value, ghosts = ABSENT, Ghosts()
        for lines, removed in self.frozen_parts(counted):
            for line in lines:
                value = self.fold.applied(line, value, ghosts, app)
                ghosts.remember(line.body.get("change"), line.bit)
            ghosts = removed.copy(-1) if removed else ghosts
        return value


PATIENCE_ROUNDS = 3
APPS = ([0], [None], [0, None], [0, 1, None])      # the apps that a world's devices run; None is the command alone


def random_world(world, versions):
    """A world of two to four devices; `versions` are those of the app among which each has one."""
    choose = world.random
    world.compacts = choose.random() < .5
    for number in range(choose.choice([2, 3, 3, 4])):
        sums = ["n"] if choose.random() < .1 else None
        world.device("abcd"[number], choose.choice([0, 0, -60, 90, 5000, -5000]), choose.choice(versions), sums)
    for device in world.devices[:choose.choice([1, 1, 2])]:
        device.seed(INITIAL)
    for device in world.devices:
        for other in world.devices:
            if device is not other and choose.random() < .8:
                world.deliver(other, device)
    for device in world.devices:
        world.step(device)
    return world


def check_seed(seed, versions, kind=World):
    """One random run: its world, with what broke in `breaches`."""
    world = random_world(kind(seed), versions)
    choose = world.random
    world.run(choose.choice([30, 60, 120]))
    event = choose.random()
    if event < .3:
        world.clone(choose.choice(world.devices))
    elif event < .6 and len(world.devices) > 2:
        world.die(choose.choice(world.devices[1:]))
    elif event < .8:
        world.surprises = True
        # A new device begins before the folder has arrived, with the defaults of its app.
        world.device("e", choose.choice([0, 5000]), choose.choice(versions)).seed(INITIAL)
    elif event < .9:
        world.surprises = True
        world.device("e", choose.choice([0, 5000]), choose.choice(versions)).seed(world.contents("e"), "contents")
    world.run(choose.choice([0, 30, 120]))
    world.off = set()
    world.statistics["rounds"] += world.quiesce()
    world.statistics["lines"] += len(world.lines.all)
    world.check()
    return world


def observations(seed, versions, kind=World):
    """What somebody who reads the folders of a random world's devices finds there, in the middle and at the end, and what it
    comes to: for who runs no app in "document", for who runs the newest in "reduced"."""
    world = random_world(kind(seed), versions)
    world.freezes = False
    for steps in (20, 40, 40):
        world.run(steps)
        for device in world.devices[:2]:
            yield observation(world, device, f"{seed}, after {len(world.lines.all)} lines, by {device.name}")
    world.off = set()
    world.quiesce()
    yield observation(world, world.devices[0], f"{seed}, at the end")


def observation(world, device, name):
    reader = Device(world, "reader", 0, None, None)
    reader.folder = {file: list(lines) for file, lines in device.folder.items()}
    reader.read()
    found = {"name": name,
             "journals": {file: file_text(lines) for file, lines in reader.folder.items()},
             "counted": sorted(line.id for line in world.lines.each(reader.counted)),
             "order": [line.id for line in world.fold.changes(reader.counted)]}
    for key, value in (("document", world.fold.document(reader.counted)),
                       ("reduced", world.fold.reduced(reader.counted, [1, "app"]))):
        if value is not ABSENT:
            found[key] = value
    return found
