"""A device whose FILE itself lies in the synced folder: the engine replaces it and makes conflict copies of it, and people edit
it where no instance runs.

A version of FILE is (hash, time of modification). Before one stands in FILE, a line `wrote` names it; so who meets it, here or
on another device, knows that it is no edit. Anything else is one: a line `save`, with the base that it was most likely made
from.
"""

import random

from app import pointer
from change import cost, difference
from device import Device
from documents import copy
from fold import TOLERANCE, may_be, version_of
from journal import value_hash
from mends import holds
from values import ABSENT
from world import World
import change as changes


class FileDevice(Device):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.file = None                # (content, time)
        self.number = len(self.world.devices)
        self.vector = {}                # what the engine knows of FILE: how often each device, by its number, has written it
        self.copies = []                # conflict copies
        self.bursting = None            # the versions that a burst has put into FILE and not named yet
        self.is_needed = False          # whether one of them has reached anybody: what it held only this device can tell

    # MARK: What stands in FILE

    def put(self, content, time):
        self.file = (copy(content), time)
        self.vector[self.number] = self.vector.get(self.number, 0) + 1

    def named(self):
        """The lines that say something of versions, by version; also of those that nobody can count yet."""
        found = {}
        for line in self.lines.each(self.known & self.lines.mask("wrote", "save", "checkpoint")):
            if line.kind == "save":
                found.setdefault(version_of(line), []).append(line)
            else:
                for version in line.body["versions"]:
                    found.setdefault(tuple(version), []).append(line)
        return found

    def act(self, *action):
        super().act(*action)
        self.step(certain=False)

    def edit(self, document):
        super().edit(document)
        self.step(certain=False)

    def burst(self, actions):
        """Many commits under one lock. Each version stands in FILE for a moment; the last one stays."""
        self.step(certain=False)
        if self.file is None or self.file[0] != self.document:
            return
        self.append({"kind": "writing"})
        self.bursting = []
        for action in actions:
            super().act(*action)
            version = (value_hash(self.document), self.clock * 1000 + len(self.bursting))
            self.bursting.append(version)
            self.put(self.document, version[1])
            self.world.met.add(version)
            yield
        self.end_burst()

    def end_burst(self):
        """What the local log says of the versions, at the burst's end, or once another instance has begun after a kill."""
        self.export()
        versions = self.bursting if holds("burst") else self.bursting[-1:]
        self.append({"kind": "wrote", "versions": versions})
        self.bursting = None

    # MARK: Sync

    def step(self, certain):
        if self.bursting is not None:
            self.end_burst()
        self.export()
        self.read()
        taken = self.look(certain)
        self.sync()
        if taken:
            self.write()

    def settle(self):
        self.say_nearer()
        super().settle()

    def look(self, certain):
        """Judges FILE and its conflict copies; returns whether all of them are dealt with."""
        done = self.file is None or self.judge(*self.file, certain)
        self.copies = [version for version in self.copies if not self.judge(*version, certain)]
        return done and not self.copies

    def judge(self, content, time, certain):
        """Takes a version for what it is; false where that must wait."""
        hash_ = value_hash(content)
        # Where another version has just taken its place its time may not be the one that its writer gave it.
        is_judged = self.is_judged(content, (hash_, None if self.world.loses_time() else time), certain)
        if is_judged:
            self.world.met.add((hash_, time))
        return is_judged

    def is_judged(self, content, version, certain):
        named = self.named()
        written = [other for other, lines in named.items() if any(line.kind != "save" for line in lines)]
        same = {other for other in named if other[0] == version[0]}
        if version[1] is None and same or same == {(version[0], None)}:
            return True
        if version in named or any(may_be(other, version) for other in written) or content == self.fold.document(self.counted):
            return True
        # What was saved before the others comes late, and is no return to them.
        if same and (not holds("late") or version[1] is None
                     or any(other[1] is None or other[1] < version[1] for other in same)):
            if not holds("restore"):
                return True
            self.save(content, version, 0, difference(self.fold.document(self.counted), content), ("fold", self.counted))
            self.world.count("restores")
            return True
        if not certain and (holds("wait") and self.is_due() or self.world.random.random() < .5):
            return False
        self.save(content, version, *self.explanation(content, version))
        self.world.count("edits")
        return True

    def is_due(self):
        """Whether some writer is in a burst, as far as is known."""
        open_ = set()
        for line in self.lines.each(self.known & self.lines.mask("writing", "wrote")):
            open_.discard(line.writer)
            if line.kind == "writing" and line.writer != self.writer:
                open_.add(line.writer)
        return bool(open_)

    def save(self, content, version, cost_, change, base, time=None):
        """A line that says what a save changed. Its base is what certain lines come to, or what another save held, or a version
        that only its writer still has; then the line says as well how the save is found from what lines come to."""
        kind, of = base
        body = {"kind": "save", "time": self.clock if time is None else time, "version": [part for part in version if part is not None],
                "cost": cost_, "change": change}
        if kind == "fold":
            body["on"] = [line.id for line in self.lines.each(self.lines.heads(of))]
        elif kind == "save":
            body["of"] = of.id
        else:
            on = of.past | of.bit
            body["on"] = [line.id for line in self.lines.each(self.lines.heads(on))]
            body["content"] = difference(self.fold.document(on), content)
        self.append(body, reading=False)

    # MARK: The base of a save

    def explanation(self, content, version):
        """The nearest: what it costs, the change, and the base."""
        found, moments = [], self.moments(version)
        for value, base in self.bases(version):
            cost_, change = self.cost(version, content, value, base)
            found.append((self.distance(cost_, moments, base), len(found), change, base))
        distance, _, change, base = min(found, key=lambda one: one[:2])
        return distance, change, base

    def moments(self, version):
        """The saves that were made within a moment of one: how long after it, all lines that say so, and what they cost."""
        found = []
        saved, _ = self.fold.remembered("versions", self.counted, self.fold._versions)
        for save in self.lines.each(self.fold.saves(self.counted)):
            (_, ours), (_, theirs) = version, version_of(save)
            moment = theirs - ours if None not in (ours, theirs) else 0
            if 0 < abs(moment) <= TOLERANCE:
                found.append((moment, saved[version_of(save)], save.body["cost"]))
        return found

    def distance(self, cost_, moments, base):
        """How far a base is: twice what the change costs. What has saves in it that were made a moment later is as much further as these
        cost: most likely they were made from this one. Of what costs the same that is the nearest which has one that was made a moment
        before."""
        distance, is_behind = 2 * cost_, False
        for moment, saves, their_cost in moments:
            if self.base_has(saves, base):
                is_behind |= moment < 0 and holds("just before")
                distance += their_cost if moment > 0 and holds("just after") else 0
        return distance - (is_behind and distance > 0)

    def base_has(self, saves, base):
        kind, of = base
        return bool(saves & of) if kind == "fold" else self.has(saves, of)

    def cost(self, version, content, value, base):
        """What it costs to explain a save by a base, and the change; found out once in a world."""
        key = (tuple(version), base[0], base[1] if base[0] == "fold" else value_hash(value))
        known = self.world.costs
        if key not in known:
            change = difference(value, content)
            known[key] = (cost(change), change)
        return known[key]

    def bases(self, version):
        """Versions that the save can have been made from: none that has it in it. Nothing, if there is no other."""
        later = self.later(version) if holds("fresh base") else 0
        found = [] if later else [(self.fold.document(self.counted), ("fold", self.counted))]
        for line in self.lines.each(self.counted & self.lines.mask("wrote")):
            # Who wrote the same bytes at another time had the save in them.
            same = any(other[0] == version[0] for other in line.body["versions"])
            if not (holds("fresh base") and same) and not self.has(later, line) and self.can_fold(line.past):
                found.append((self.fold.document(line.past), ("fold", line.past)))
        found += self.own_versions(version, later)
        for line in self.lines.each(self.fold.saves(self.counted)):
            if version_of(line) != tuple(version) and not self.has(later, line):
                content = self.content(line)
                if content is not ABSENT:
                    found.append((content, ("save", line)))
        return found or [(ABSENT, ("fold", 0))]

    def later(self, version):
        """The saves that have a save in them: all that say the same bytes, or a version that was made from it as far as is known
        now, or that only seems to be a save, and was written by who knew it."""
        saved, written = self.fold.remembered("versions", self.counted, self.fold._versions)
        effective = {version_of(line): line
                     for line in self.lines.each(self.fold.saves(self.counted) | self.covered_saves())}
        later = sum(lines for other, lines in saved.items() if other[0] == version[0])
        rest = {}
        for other, lines in saved.items():
            # What it seemed to be made from says nothing any more once it is known who wrote it, or what explains it by less.
            if other in effective:
                body = effective[other].body
                causes = [self.lines.by_id[name] for name in ([body["of"]] if "of" in body else body["on"])]
            else:
                causes = [line for wrote, line in written.get(other[0], ()) if may_be(wrote, other)]
            rest[other] = causes
        while True:
            more = [other for other, causes in rest.items() if any(self.has(later, cause) for cause in causes)]
            if not more:
                return later
            for other in more:
                later |= saved[other] if holds("all explanations") or other not in effective else effective[other].bit
                del rest[other]

    @staticmethod
    def has(saves, line):
        """Whether what a line says has one of some saves in it. Of a save its writer may know more than was in FILE."""
        return bool(saves & (line.bit if line.kind == "save" else line.past))

    def own_versions(self, version, later):
        """What the local log has, also of a burst, of which nobody else knows more than the hashes, and what a checkpoint covers."""
        entries = [line for line in self.said if line.body.get("upto")]
        for commit in self.log:
            entry = next((line for line in entries if int(line.body["upto"]) >= commit.number), None)
            if entry and not self.has(later, entry):
                yield commit.after, ("log", entry)
        covered = self.fold.covered(self.counted) if holds("base under a checkpoint") else 0
        for line in self.lines.each(covered & self.known & self.lines.mask("save")):
            # It counts no more by itself, but somebody may have gone on from it.
            content = ABSENT if version_of(line) == tuple(version) or self.has(later, line) else self.content(line)
            if content is not ABSENT:
                yield content, ("log", line)

    def can_fold(self, mask):
        """Whether what a set of lines comes to can still be found out."""
        return not mask & ~self.fold.covered(mask) & ~self.known

    def content(self, save):
        """What was saved, if that can still be found out."""
        if "on" in save.body:
            on = self.lines.closed(sum(self.lines.by_id[name].bit for name in save.body["on"]))
            if not self.can_fold(on):
                return ABSENT
            base = self.fold.document(on) if on else ABSENT
        elif "of" in save.body and self.lines.by_id[save.body["of"]].bit & self.known:
            base = self.content(self.lines.by_id[save.body["of"]])
        else:
            return ABSENT
        content = changes.apply(save.body.get("content", save.body["change"]), base)
        return content if content is not ABSENT and value_hash(content) == save.body["version"][0] else ABSENT

    def say_nearer(self):
        """A base that is nearer than what was said, for anybody's save."""
        if not holds("nearer base"):
            return
        told = set()
        while True:
            found = [(self.explanation(content, version_of(save)), save, content)
                     for save, content in self.contents() if save.id not in told]
            nearer = [((min(cost_, save.body["cost"] - 1), change, base), save, content)
                      for (cost_, change, base), save, content in found
                      if cost_ < save.body["cost"] or save.body["cost"] > 1 and self.has_itself(save)]
            if not nearer:
                return
            # The nearest first: what it is made from is no longer made from it.
            (cost_, change, base), save, content = min(nearer, key=lambda one: one[0][0])
            # It stands where it stood, whenever that is found out.
            self.save(content, version_of(save), cost_, change, base, save.body["time"])
            told.add(save.id)
            self.world.count("nearer bases")

    def has_itself(self, save):
        """Whether what a save seems to be made from has another one, which turned out to be none, and was written because of this
        very save."""
        if not holds("base that has it"):
            return False
        saved, written = self.fold.remembered("versions", self.counted, self.fold._versions)
        effective = self.fold.saves(self.counted)
        base = self.lines.by_id[save.body["of"]].bit if "of" in save.body else self.fold.base(save)
        for version, lines in saved.items():
            writers = [line for wrote, line in written.get(version[0], ()) if may_be(wrote, version)]
            if lines & base and not lines & effective and version != version_of(save) and writers and all(
                    self.fold.is_because(line, version_of(save), self.counted) for line in writers):
                return True
        return False

    def contents(self):
        """The saves that count, or stand on a checkpoint, and what they held, where that can be found out and may be explained better."""
        for save in self.lines.each(self.fold.saves(self.counted) | self.covered_saves()):
            content = self.content(save) if save.body["cost"] else ABSENT
            if content is not ABSENT:
                yield save, content

    def covered_saves(self):
        """What a checkpoint says of saves: it is mistaken where somebody explains one better, who hadn't been heard of."""
        checkpoint = self.fold.checkpoint(self.counted)
        if not checkpoint or not holds("mend under a checkpoint"):
            return 0
        costs = {(hash_, time): cost for hash_, time, cost in checkpoint.body["saves"]}
        covered = self.lines.each(checkpoint.cover & self.known & self.lines.mask("save"))
        return sum(line.bit for line in covered if costs.get(version_of(line)) == line.body["cost"])

    # MARK: Writing FILE

    def write(self):
        """Ours goes over what stands in FILE, unless that has more than ours."""
        document = self.fold.document(self.counted)
        if document is ABSENT or self.file and self.file[0] == document:
            return
        if self.file and holds("hold"):
            version = (value_hash(self.file[0]), self.file[1])
            for line in self.named().get(version, ()):
                has = self.lines.mask("entry", "save") & (line.past | (line.bit if line.kind == "save" else 0))
                if has & ~self.counted:
                    return
        time = self.clock * 1000
        version = [value_hash(document), time]
        self.append({"kind": "wrote", "versions": [version]})
        if self.world.random.random() < self.world.kills:
            return
        self.put(document, time)
        self.world.met.add(tuple(version))
        self.world.count("writes")


# What an engine does with two versions of FILE that were written at once: it keeps the newest and makes a copy of the other, of which
# there are at most ten, and one of a name; it renames both; or it keeps the newest.
COPIES, FEW_COPIES, ASIDE, NEWEST = ENGINES = ("copies", "few copies", "aside", "newest")
COPY_LIMIT = 10


class FileWorld(World):
    """Devices whose FILE lies in the folder. People save now and then."""

    moments = (1,)                      # how many times somebody saves within a moment, each as likely as the others

    def __init__(self, seed=0, kind=FileDevice):
        super().__init__(seed, kind)
        self.kills = .1
        self.saved = set()
        self.costs = {}
        self.met = set()                # the versions that some instance has met
        self.engine = self.random.choice(ENGINES)
        # Such losses are rare, and nobody makes checkpoints of what may turn out to be two.
        self.losses = random.Random(seed) if seed % 4 == 3 else None
        self.freezes = self.losses is None

    def loses_time(self):
        """Whether somebody can't tell when what it finds was written."""
        return self.losses is not None and self.losses.random() < .2

    def deliver(self, source, target, share=1.0):
        super().deliver(source, target, share)
        if source.vector and (share == 1 or self.random.random() < share):
            self.deliver_file(source, target)

    def deliver_file(self, source, target):
        """By version vectors, as engines do it. A version beats that FILE was taken away."""
        ours, theirs = source.vector, target.vector
        writers = {**ours, **theirs}
        newer = any(ours.get(writer, 0) > theirs.get(writer, 0) for writer in writers)
        older = any(ours.get(writer, 0) < theirs.get(writer, 0) for writer in writers)
        joined = {writer: max(ours.get(writer, 0), theirs.get(writer, 0)) for writer in writers}
        if not newer:
            return
        if not older:
            former = target.file
            target.file, target.vector = source.file, dict(ours)
            self.lose(former)
            return
        target.vector = joined
        if source.file is None or target.file == source.file:
            return
        if self.engine == ASIDE and target.file and target.file[0] == source.file[0]:
            # It compares what they hold.
            return
        if target.file is None:
            target.file = source.file
            return
        self.count("conflict copies")
        self.meet(source, target)
        target.vector[target.number] = target.vector.get(target.number, 0) + 1

    def meet(self, source, target):
        """What becomes of two that were written at once."""
        if self.engine == ASIDE:
            both = [source.file, target.file]
            for device in source, target:
                device.copies += [version for version in both if version not in device.copies]
                device.file = None
            source.vector = dict(target.vector)
            source.vector[source.number] = source.vector.get(source.number, 0) + 1
            return
        kept, loser = source.file, target.file
        if (source.file[1], source.number) < (target.file[1], target.number):
            kept, loser = loser, kept
        target.file = kept
        lost = [loser] if self.engine == NEWEST else []
        if self.engine in (COPIES, FEW_COPIES):
            if self.engine == FEW_COPIES:
                # Two that lose in one second get one name.
                lost = [version for version in target.copies if version[1] // 1000 == loser[1] // 1000]
                target.copies = [version for version in target.copies if version not in lost]
            target.copies.append(loser)
            if self.engine == FEW_COPIES:
                lost += target.copies[:-COPY_LIMIT]
                target.copies = target.copies[-COPY_LIMIT:]
        for version in lost:
            self.lose(version)

    def lose(self, version):
        """The engine has thrown a version away. What only that had is nobody's fault."""
        if version is None:
            return
        there = set()
        for device in self.devices:
            for content in [one[0] for one in device.copies + [device.file or (ABSENT, 0)]] + [device.document]:
                if content is not ABSENT:
                    there |= set(content["tokens"])
        for name in self.saved & set(version[0]["tokens"]) - there:
            self.saved.discard(name)
            self.count("lost by the engine")

    def take_away(self, device):
        """Somebody, or the engine, deletes FILE."""
        former, device.file = device.file, None
        device.vector[device.number] = device.vector.get(device.number, 0) + 1
        self.lose(former)

    def act(self, device):
        choose = self.random
        if choose.random() < .15 and device.file:
            return self.save_elsewhere(device)
        if choose.random() < .03 and device.file:
            return self.take_away(device)
        if choose.random() < .1 and device.document is not ABSENT:
            actions = []
            for _ in range(choose.randint(2, 5)):
                self.unique += 1
                actions.append(("set", pointer("tokens", f"{device.name}{self.unique}"), 1) if device.app is None
                               else ("token", f"{device.name}{self.unique}"))
            for _ in device.burst(actions):
                if choose.random() < .3:
                    other = choose.choice(self.living)
                    if other is not device:
                        self.deliver_file(device, other)
                        device.is_needed = True
                if choose.random() < .05:
                    return None         # killed
            return None
        return super().act(device)

    def save_elsewhere(self, device):
        """Somebody edits FILE where no instance runs. Of what no instance has met nobody can tell what was made from it."""
        if (value_hash(device.file[0]), device.file[1]) not in self.met:
            return
        # Of two within a moment nobody can tell which was made from the other where it doesn't know their times.
        for moment in range(self.random.choice(self.moments) if self.losses is None else 1):
            if moment and self.random.random() < .7:
                self.deliver_file(device, self.random.choice(self.living))
            if device.file is None:
                return
            content = copy(device.file[0])
            for _ in range(self.random.choice((1, 1, 4))):
                self.unique += 1
                content["tokens"][f"p{self.unique}"] = 1
                self.saved.add(f"p{self.unique}")
            device.put(content, device.clock * 1000 + 500 + moment)

    def step(self, device, certain=False):
        # What a save seems to have removed, until its base is found, may be somebody's cause; so causes aren't checked here.
        device.step(certain)

    def kill(self, device):
        """The instance dies; the log and FILE stay as they are."""

    def die(self, device):
        if device.is_needed:
            return
        # Where only FILE had reached anybody, nobody could tell what its versions were made of.
        device.step(certain=True)
        heir = self.random.choice([other for other in self.living if other is not device])
        World.deliver(self, device, heir)
        heir.read()
        super().die(device)

    def check_contents(self, document):
        super().check_contents(document)
        alive = set()
        for device in self.living:
            alive |= set(device.file[0]["tokens"]) if device.file else set()
        if not self.dead and self.saved - set(document["tokens"]):
            self.broke("saves lost")
        if any(device.file is None or device.file[0] != document for device in self.living):
            self.broke("FILE is something else")
        if any(device.copies for device in self.living):
            self.broke("conflict copies are left")


class BurstWorld(FileWorld):
    """Devices whose FILE lies in the folder, and people who may save several times within a moment. Each device meets some of that."""

    moments = (1, 1, 1, 2, 3)
