"""A device: its document, its own journal, and what it knows of the others'. FILE is local here; see file_inside.py."""

from change import difference
from documents import copy
from fold import version_of
from mends import holds
from values import ABSENT
import app as apps

PATIENCE = 2          # so many syncs a line may miss another one before it is asked for
WORTHWHILE = 6        # so many changes make a checkpoint


class Commit:
    """What the local log says of one commit."""

    def __init__(self, number, time, before, after, action, app):
        self.number, self.time, self.before, self.after, self.action, self.app = number, time, before, after, action, app


class Device:
    def __init__(self, world, name, skew, app, sums=None):
        self.world, self.name, self.skew = world, name, skew
        self.app = app                  # [version, name] of the app, or None where only the command runs
        self.sums = sums                # None: actions can be encoded; otherwise which members add up
        self.incarnation = 0
        self.own = []                   # the lines of this incarnation
        self.said = []                  # those of all of them
        self.known = 0                  # the lines it has the text of, and never forgets
        self.counted = 0                # those that the document stands on
        self.document = ABSENT
        self.log = []
        self.noted = 0                  # what a broken device notes instead of reading it back
        self.folder = {}                # its copy of the shared folder: the lines of each file
        self.missed = {}                # since how many syncs what is missed
        self.problems = set()

    # MARK: The local half

    @property
    def lines(self):
        return self.world.lines

    @property
    def fold(self):
        return self.world.fold

    @property
    def writer(self):
        return f"{self.name}.{self.incarnation}"

    @property
    def clock(self):
        now = max(2, self.world.time + self.skew)
        if not holds("plain clocks"):
            now = max([now] + [line.body["time"] + 1 for line in self.lines.each(self.counted) if "time" in line.body])
        return now

    def act(self, *action):
        """An action, committed to the local document and its log."""
        before = self.document
        verb = action[0] in apps.VERBS
        self.document = apps.reduce(before, action, None if verb else self.app)
        self.commit(before, action, None if verb else self.app)

    def edit(self, document):
        """What an editor saved in the local FILE."""
        if document != self.document:
            before, self.document = self.document, document
            self.commit(before, None, None)

    def commit(self, before, action, app):
        self.log.append(Commit(len(self.log) + 1, self.clock, before, self.document, action, app))

    # MARK: The own journal

    def append(self, body, reading=True):
        if not self.own:
            self.add(self.lines.head(self.writer))
        own = self.own[-1]
        news = self.counted & ~(own.past | own.bit)
        if news and reading:
            body["read"] = [line.id for line in self.lines.each(self.lines.heads(news))]
        line = self.add(self.lines.write(self.writer, own, body))
        self.save_journal()
        return line

    def add(self, line):
        self.own.append(line)
        self.said.append(line)
        self.known |= line.bit
        self.counted |= line.bit
        return line

    def save_journal(self):
        """Writes its journal, unless somebody else's stands there."""
        if self.is_foreign() and holds("incarnation"):
            return
        forgotten = self.forgotten()
        self.folder[self.writer] = [line for line in self.own if not line.bit & forgotten]

    def exported(self):
        """Up to which commit the journal says."""
        if not holds("read back"):
            return self.noted
        return max((int(line.body.get("upto", 0)) for line in self.said), default=0)

    def export(self):
        """What the log has and the journal hasn't; runs of commits of one kind become one line."""
        done = self.exported()
        run = []
        commits = [commit for commit in self.log if commit.number > done]
        before = commits[-1].after if commits else self.fold.document(self.counted)
        if not holds("own log") and self.document != before:
            commits.append(Commit(len(self.log), self.clock, before, self.document, None, None))
        for commit in commits:
            if run and (run[-1].app != commit.app or run[-1].after != commit.before
                        or (run[-1].action is None) != (commit.action is None)):
                self.export_run(run)
                run = []
            run.append(commit)
        if run:
            self.export_run(run)
        self.noted = len(self.log)

    def export_run(self, run):
        # Nothing but what the log says: of two machines with one log, both write the same line.
        body = {"kind": "entry", "time": run[-1].time, "upto": str(run[-1].number)}
        change = difference(run[0].before, run[-1].after, self.sums or ())
        if change:
            body["change"] = change
        if run[0].action is not None and (self.sums is None or run[0].app is None):
            body["actions"] = [list(commit.action) for commit in run]
            if run[0].app:
                body["app"] = run[0].app
        line = self.append(body)
        self.world.performed[line.id] = [commit.action for commit in run]

    def seed(self, document, kind="defaults"):
        """What FILE held when the device joined without having heard of the others: the defaults of an app, which count only
        where there is nothing else, or contents of its own, which add to what is there."""
        self.document = copy(document)
        time = ("contents", "defaults").index(kind) if holds("seed at zero") else self.clock
        body = {"kind": "entry", "time": time, "change": difference(ABSENT, document)}
        if holds("seed at zero"):
            body["seed"] = kind
        self.append(body)

    # MARK: Others' journals

    def read(self):
        """Takes in what lies in the folder, and finds out whether the own journal still is."""
        for name, file in list(self.folder.items()):
            for line in file:
                self.learn(line)
        if self.is_foreign() and holds("incarnation"):
            self.begin_again()
        elif self.own:
            self.save_journal()
        self.count()

    def is_foreign(self):
        """Whether its journal, as it lies in the folder, has lines that it hasn't written."""
        return any(line not in self.own for line in self.folder.get(self.writer, ()))

    def learn(self, line):
        self.known |= line.bit
        if line.kind == "carried":
            self.known |= self.lines.by_id[line.body["of"]].bit

    def count(self):
        """A line counts once all that its writer had read is there."""
        before, have = self.counted, self.known
        checkpoints, is_mistaken = self.lines.each(self.known & self.lines.mask("checkpoint")), False
        for line in sorted(checkpoints, key=lambda line: line.cover.bit_count()):
            if self.fold.is_mistaken(line, self.known):
                is_mistaken = True
            elif not line.needs & ~(have | line.cover):
                have |= line.cover
        self.counted = have
        if holds("gate"):
            self.counted = 0
            for line in self.lines.each(have):
                if not line.needs & ~have:
                    self.counted |= line.bit
        # What stood on a mistaken checkpoint alone is missed until somebody carries it.
        if before & self.known & ~self.counted and not is_mistaken:
            self.world.broke("folds less than before")

    def begin_again(self):
        """Goes on under a new name. Its first line has read those of the old one, so that they are missed, and carried, where
        somebody else's lines took their place."""
        self.incarnation = self.world.new_name()
        self.own = []
        self.append({"kind": "ack"})

    # MARK: Sync

    def sync(self):
        """One step under the lock: export, take in, fold."""
        self.export()
        self.read()
        self.carry()
        self.ask()
        self.settle()
        self.document = self.fold.document(self.counted)
        self.acknowledge()
        self.make_checkpoint()

    def settle(self):
        """Who runs the app says what the actions come to, unless it is said or comes out anyway."""
        if self.app is None:
            return
        best = self.fold.best(self.counted)
        if best and best.body["app"] > self.app and holds("newest app"):
            return
        if best and self.covers_all(best) and best.body["app"] == self.app:
            for line in self.said:
                if line.kind == "settled" and line is not best and self.covers_all(line) \
                        and line.body["app"] == self.app and line.body["value"] != best.body["value"]:
                    self.problems.add("impure")
            return
        if not holds("settle"):
            return
        value = self.fold.reduced(self.counted, self.app)
        if value != self.fold.document(self.counted):
            self.append({"kind": "settled", "app": self.app, "value": value})
            self.world.count("settled")

    def covers_all(self, settled):
        return not any(line.bit & ~settled.past for line in self.fold.changes(self.counted))

    def acknowledge(self):
        """Says what was read, where that was more than others' acknowledgements."""
        own = self.own[-1] if self.own else None
        news = self.counted & ~((own.past | own.bit) if own else 0)
        if own and news & ~self.lines.mask("ack", "carried", "journal", "wants"):
            self.append({"kind": "ack"})

    # MARK: What somebody misses

    def ask(self):
        """Asks for lines that others had read, and that don't come."""
        missing = set()
        have = self.known | self.fold.covered(self.counted)
        for line in self.lines.each(self.known & ~self.counted):
            missing |= {name for name in line.causes if not self.lines.by_id[name].bit & have}
        self.missed = {name: self.missed.get(name, 0) + 1 for name in sorted(missing)}
        asked = {name for line in self.own if line.kind == "wants" for name in line.body["lines"]}
        wanted = [name for name, times in self.missed.items() if times > PATIENCE and name not in asked]
        if wanted:
            self.append({"kind": "wants", "lines": wanted})
            self.world.count("wants")

    def carry(self):
        """Copies what somebody asks for, and what that had read, where it stands in no journal any more."""
        if not holds("carry"):
            return
        standing = 0
        for file in self.folder.values():
            for line in file:
                standing |= line.bit | (self.lines.by_id[line.body["of"]].bit if line.kind == "carried" else 0)
        for wants in list(self.lines.each(self.known & self.lines.mask("wants"))):
            wanted = sum(self.lines.by_id[name].bit for name in wants.body["lines"]) & self.known
            for line in list(self.lines.each(self.lines.closed(wanted) & self.known & ~wants.past & ~standing)):
                self.append({"kind": "carried", "of": line.id, "writer": line.writer, "line": line.text,
                             "after": line.before.id if line.before else ""})
                standing |= line.bit
                self.world.count("carried")

    # MARK: Checkpoints

    def writers(self):
        """The last line of each writer that may still write: not of one whose lines its successor has read."""
        last = {line.writer: line for line in self.lines.each(self.counted)}
        def is_succeeded(writer):
            name, incarnation = writer.split(".")
            return any(other.split(".")[0] == name and int(other.split(".")[1]) > int(incarnation)
                       and last[writer].bit & successor.past for other, successor in last.items())
        return {writer: line for writer, line in last.items() if not is_succeeded(writer)}

    def common(self):
        """The lines that all are known to have read."""
        common = self.counted
        for line in self.writers().values():
            common &= line.past | line.bit
        return common

    def make_checkpoint(self):
        common = self.common()
        if not self.world.freezes or not self.own or not self.own[0].bit & common or len(self.writers()) < 2:
            return
        base = self.fold.checkpoint(self.counted)
        cover = base.cover if base else 0
        changes, prefix = self.fold.changes(self.counted), []
        if holds("cut in order"):
            for line in changes:
                if not line.bit & common and holds("acknowledged"):
                    break
                prefix.append(line)
        else:
            prefix = [line for line in changes if line.bit & common]
        # Not between what is said of one save, nor between a save and what its writer had read, which may come after it.
        while prefix and (self.splits_save(prefix) or self.splits_past(prefix, changes)):
            prefix.pop()
        if len(prefix) < WORTHWHILE or not self.may_freeze(prefix):
            return
        cover |= self.lines.closed(sum(line.bit for line in prefix))
        value, ghosts = base.body["value"] if base else ABSENT, self.fold.ghosts(self.counted)
        for line in prefix:
            value = self.fold.applied(line, value, ghosts, self.app)
            ghosts.remember(line.body.get("change"), line.bit)
        versions = list(base.body["versions"]) if base else []
        named = self.lines.mask("wrote", "save") if holds("old file") else 0
        for line in self.lines.each(cover & ~(base.cover if base else 0) & named):
            versions += line.body["versions"] if line.kind == "wrote" else [version_of(line)]
        saves = list(base.body["saves"]) if base else []
        saves += [[*version_of(line), line.body["cost"]] for line in prefix if line.kind == "save"]
        line = self.append({"kind": "checkpoint", "saves": saves, "app": self.app, "value": value, "versions": versions,
                            "cover": [line.id for line in self.lines.each(self.lines.heads(cover))]})
        line.cover = cover
        # What was removed stays known as long as there is an edit that didn't know of it.
        unknown = 0
        for later in changes[len(prefix):]:
            unknown |= cover & ~later.past
        removed = ghosts.copy(unknown)
        line.removed = removed if holds("ghosts under checkpoints") else ghosts.copy(0)
        self.world.count("checkpoints")
        self.world.frozen(line, prefix, base, removed, self.writers())

    def may_freeze(self, prefix):
        """Whether this device's values are those of the newest app that anybody has, or no app has anything to do with them."""
        newest = max((line.body["app"] for line in self.lines.each(self.counted & self.lines.mask("entry", "settled"))
                      if line.body.get("app") is not None), default=None)
        return newest is None or self.app is not None and self.app >= newest \
            or all(line.body.get("app") is None for line in prefix)

    def splits_save(self, prefix):
        """Whether a save would be under the checkpoint, and what counts of it wouldn't."""
        inside = sum(line.bit for line in prefix)
        counts = {version_of(line): line for line in self.lines.each(self.fold.saves(self.counted))}
        for line in self.lines.each(self.lines.closed(inside) & self.lines.mask("save")):
            effective = counts.get(version_of(line))
            if effective and not effective.bit & inside:
                return True
        return False

    def splits_past(self, prefix, changes):
        """Whether something would be under the checkpoint, and not in its value."""
        inside = sum(line.bit for line in prefix)
        return bool(self.lines.closed(inside) & ~inside & sum(line.bit for line in changes))

    def forgotten(self):
        """The own lines that a checkpoint stands for which all have read."""
        if not self.world.compacts:
            return 0
        common, forgotten = self.common(), 0
        for line in self.lines.each(self.counted & self.lines.mask("checkpoint")):
            if line.bit & common and len(self.writers()) > 1:
                forgotten |= line.cover
        return forgotten
