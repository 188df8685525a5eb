"""The fold: what lines come to. A function of the lines alone, so that it is the same wherever they are.

`document` begins with the best value that somebody has said, and does to it what the other lines did to theirs. `reduced` is
what the actions come to, one after another, for who runs the app; where that is another value, it says so (see device.py), and
so `document` comes to it as well.
"""

import heapq

from app import reduce
from change import Ghosts, apply
from mends import holds
from values import ABSENT, merge

CHANGES = ("entry", "save")


# How far times of one version may be apart: what brings it may set the time a moment later.
TOLERANCE = 4


def version_of(save):
    """The version that a save says: the hash, and the time if that is known."""
    hash_, *time = save.body["version"]
    return hash_, time[0] if time else None


def may_be(written, found):
    """Whether what an instance wrote may be what was found, unless that says that somebody brought it back: it is no older."""
    return written[0] == found[0] and (found[1] is None or written[1] >= found[1] - TOLERANCE)


def is_just(written, found):
    """Whether what an instance wrote is what was found, which somebody seems to have brought back."""
    return written[0] == found[0] and (found[1] is None or abs(written[1] - found[1]) <= TOLERANCE)


def explains(written, found, cost):
    """Whether what an instance wrote makes nothing of a save."""
    return is_just(written, found) if cost == 0 else may_be(written, found)


class Fold:
    def __init__(self, lines):
        self.lines = lines
        self.memory = {}

    def remembered(self, name, counted, compute):
        key = (name, counted)
        if key not in self.memory:
            self.memory[key] = compute(counted)
        return self.memory[key]

    # MARK: Order

    def checkpoint(self, counted):
        """The checkpoint that covers most, or None."""
        return self.remembered("checkpoint", counted, self._checkpoint)

    def _checkpoint(self, counted):
        found = [line for line in self.lines.each(counted & self.lines.mask("checkpoint"))
                 if not self.is_mistaken(line, counted)]
        return max(found, key=lambda line: (line.cover.bit_count(), line.id), default=None)

    def is_mistaken(self, checkpoint, known):
        """Whether a checkpoint took for an edit what some instance had written, or explained a save worse than somebody else
        had: a device, or a clone, that nobody had heard of."""
        costs = {(hash_, time): cost for hash_, time, cost in checkpoint.body["saves"]}
        if not costs or not holds("mistaken"):
            return False
        written = self.remembered("versions", known, self._versions)[1]
        return any(explains(version, found, cost) and not self.is_because(wrote, found, known)
                   for found, cost in costs.items() for version, wrote in written.get(found[0], ())) \
            or any(save.body["cost"] < costs.get(version_of(save), 0)
                   for save in self.lines.each(known & self.lines.mask("save")))

    def is_because(self, wrote, version, known):
        """Whether a version was written because of a save of it: its writer had read that, or had found in FILE what somebody had
        written for whom that is so."""
        if not holds("consequence"):
            return False
        saved, written = self.remembered("versions", known, self._versions)
        save, open_, seen = saved.get(tuple(version), 0), [wrote], {wrote.id}
        while open_:
            reader = open_.pop()
            if save & reader.past:
                return True
            if not holds("echo of a consequence"):
                break
            for found, lines in saved.items():
                if lines & reader.past:
                    sources = [(other[1], line) for other, line in written.get(found[0], ())
                               if is_just(other, found) and not lines & line.past]
                    # Those whose time is nearest; of what has no time, whoever wrote it first.
                    distance = lambda time: time if found[1] is None else abs(time - found[1])
                    nearest = min((distance(time) for time, _ in sources), default=None)
                    for time, line in sources:
                        if distance(time) == nearest and line.id not in seen:
                            seen.add(line.id)
                            open_.append(line)
        return False

    def _versions(self, known):
        """The lines that say how each version was saved, and those that say that one of its bytes was written."""
        saved, written = {}, {}
        for line in self.lines.each(known & self.lines.mask("save")):
            saved[version_of(line)] = saved.get(version_of(line), 0) | line.bit
        for line in self.lines.each(known & self.lines.mask("wrote")):
            for version in line.body["versions"]:
                written.setdefault(version[0], []).append((version, line))
        return saved, written

    def covered(self, counted):
        checkpoint = self.checkpoint(counted)
        return checkpoint.cover if checkpoint else 0

    def changes(self, counted):
        """What changed anything, in order, from the checkpoint on."""
        return self.remembered("changes", counted, self._changes)

    def _changes(self, counted):
        rest = counted & ~self.covered(counted)
        effective = rest & self.lines.mask("entry") | self.saves(counted)
        # A save that turns out to be none changes the order of no others.
        return [line for line in self.ordered(rest & self.lines.mask(*CHANGES)) if line.bit & effective]

    def ordered(self, mask):
        """Causes first; what is concurrent by the writers' clocks, saves before the rest, then by the writers' names. A line that is
        added changes the order of no others."""
        key = lambda line: (line.body["time"], line.kind != "save", line.writer, line.id)
        if not holds("causes first"):
            return sorted(self.lines.each(mask), key=key)
        waiting, ready, order, left = {}, [], [], mask
        def offer(line):
            blocked = self.causes(line) & left
            if blocked:
                waiting.setdefault(blocked & -blocked, []).append(line)
            else:
                heapq.heappush(ready, (key(line), line))
        for line in self.lines.each(mask):
            offer(line)
        while ready:
            line = heapq.heappop(ready)[1]
            order.append(line)
            left &= ~line.bit
            for blocked in waiting.pop(line.bit, ()):
                offer(blocked)
        assert not left
        return order

    def size(self, save):
        """How much was changed in what a save was made from."""
        return sum("change" in line.body or "actions" in line.body
                   for line in self.lines.each(self.base(save) & self.lines.mask(*CHANGES)))

    def causes(self, line):
        """Of a save the lines that it was made from: it may have been found, or explained, long after."""
        return self.base(line) if line.kind == "save" else line.past

    def base(self, line):
        """The lines that a save was made from, and all that their writers had read."""
        base = [line.body["of"]] if "of" in line.body else line.body["on"]
        return self.lines.closed(sum(self.lines.by_id[name].bit for name in base))

    # MARK: Saves

    def saves(self, counted):
        """The saves that count: of those with one identity the one with the nearest base, and none that is what an instance
        wrote."""
        return self.remembered("saves", counted, self._saves)

    def _saves(self, counted):
        checkpoint = self.checkpoint(counted)
        old = set(map(tuple, checkpoint.body["versions"])) if checkpoint else set()
        counted &= ~(checkpoint.cover if checkpoint else 0)
        by_identity = {}
        for line in self.lines.each(counted & self.lines.mask("save")):
            by_identity.setdefault(version_of(line), []).append(line)
        written = self.remembered("versions", counted, self._versions)[1]
        left = {identity: self.left(identity, by_identity, written, counted) for identity in by_identity if identity not in old}
        order = lambda line: (line.body["cost"], -self.size(line), line.body["time"], line.id)
        best = {identity: min(group, key=order) for identity, group in left.items() if group}
        same = {}
        for (hash_, time), line in best.items():
            if line.body["cost"]:
                same.setdefault(hash_, []).append((order(line), time is None, line))
        mask = sum(line.bit for line in best.values())
        for group in same.values():
            # What was found with its time and without is one save.
            timeless = next((one for one in group if one[1]), None)
            timed = min((one for one in group if not one[1]), default=None)
            if timeless and timed and holds("timeless"):
                mask &= ~max(timeless, timed)[2].bit
        return mask

    def left(self, identity, by_identity, written, counted):
        """The saves of one identity that aren't void: nobody wrote what was saved for another reason."""
        others = [version for version, line in written.get(identity[0], ())
                  if may_be(version, identity) and not self.is_because(line, identity, counted)]
        timeless = (identity[0], None)
        if identity[1] is not None and timeless in by_identity and all(
                self.is_because(line, identity, counted) or self.is_because(line, timeless, counted)
                for _, line in written.get(identity[0], ())):
            # What was written because somebody had found this without its time was written because of this.
            others = []
        if not holds("void"):
            return by_identity[identity]
        return [line for line in by_identity[identity]
                if not any(explains(version, identity, line.body["cost"]) for version in others)]

    # MARK: Values

    def best(self, counted):
        """The value that was said for most lines, then by the newest app; or None."""
        return self.remembered("best", counted, self._best)

    def _best(self, counted):
        checkpoint = self.checkpoint(counted)
        cover = checkpoint.cover if checkpoint else 0
        effective = sum(line.bit for line in self.changes(counted))
        candidates = []
        for line in self.lines.each(counted & self.lines.mask("settled")):
            of = line.past & ~cover
            # Not what was said without knowing the checkpoint, since that may have another order; and not where a save that was
            # taken for one turned out to be none, or to be another.
            if checkpoint and not checkpoint.bit & line.past or self.saves(line.past) & ~cover != self.saves(counted) & of:
                continue
            rank = line.body["app"] if holds("newest app") else []
            candidates.append(((of & effective).bit_count(), rank, line.id, line))
        return max(candidates)[-1] if candidates else None

    def document(self, counted):
        return self.remembered("document", counted, self._document)

    def _document(self, counted):
        best, checkpoint = self.best(counted), self.checkpoint(counted)
        value = best.body["value"] if best else checkpoint.body["value"] if checkpoint else ABSENT
        done = best.past if best else 0
        changes, ghosts = self.changes(counted), self.ghosts(counted)
        for line in changes:
            if line.bit & done:
                ghosts.remember(line.body.get("change"), line.bit)
        for line in changes:
            if not line.bit & done:
                value = self.applied(line, value, ghosts, None)
                ghosts.remember(line.body.get("change"), line.bit)
        return value

    def ghosts(self, counted):
        """What the checkpoint says that was removed."""
        checkpoint = self.checkpoint(counted)
        return checkpoint.removed.copy(checkpoint.cover) if checkpoint else Ghosts()

    def reduced(self, counted, app):
        checkpoint = self.checkpoint(counted)
        value, ghosts = checkpoint.body["value"] if checkpoint else ABSENT, self.ghosts(counted)
        for line in self.changes(counted):
            value = self.applied(line, value, ghosts, app)
            ghosts.remember(line.body.get("change"), line.bit)
        return value

    def applied(self, line, value, ghosts, app):
        body = line.body
        if body.get("seed") == "defaults" and value is not ABSENT:
            return value
        if body.get("seed") == "contents":
            return merge(ABSENT, body["change"]["is"], value)
        if "actions" in body and (body.get("app") is None or app is not None and body["app"] <= app):
            for action in body["actions"]:
                value = reduce(value, action, app)
            return value
        return apply(body.get("change"), value, ghosts)
