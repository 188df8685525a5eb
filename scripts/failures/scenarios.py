"""The commands whose system calls fail, and which values the file may have."""
import contextlib
import os
import shutil

from support import places
from failures.document import DOCUMENT, TITLE, parsed, shown, text_of


class Scenario:
    """A command on a prepared file, and which values the file may have before and after it."""

    name = "increment"
    words = ["increment", "/n", "--timeout", "5"]
    extra = ()
    initial = DOCUMENT
    place = staticmethod(places.plain)
    inplace = False

    def prepare(self, bench):
        bench.reset(self.initial)

    def new(self, old):
        return dict(old, n=old["n"] + 1)

    def finish(self, value):
        """The value after the next increment."""
        return dict(value, n=value["n"] + 1)

    def same(self, one, other, bench):
        """Whether a value is as good as another."""
        return one == other

    def may_be_missing(self):
        """Whether the file may be gone where a process was killed, until the next one comes."""
        return False

    def may_be_gone(self, call, line):
        """Whether what a call is about may have been there just before, and be gone."""
        return False

    def may_print(self, number, found):
        """Whether an increment that was answered with a number may have led to this one in the file."""
        return number == found

    def wrong_elsewhere(self, bench, value):
        """What is wrong with what others have, where the file holds a value."""
        return []

    @property
    def old(self):
        return self.initial


class Power(Scenario):
    name = "increment, power"
    words = ["increment", "/n", "--durability", "power", "--timeout", "5"]


class Set(Scenario):
    name = "set to something shorter"
    words = ["set", "/title", '"x"', "--timeout", "5"]

    def new(self, old):
        return dict(old, title="x")


class Create(Scenario):
    name = "create"
    words = ["set", "", "--create", "--timeout", "5", '{"n": 0}']
    initial = None

    def new(self, old):
        return {"n": 0}

    def finish(self, value):
        return {"n": 1} if value else None


class Aside(Scenario):
    """Where names can't be swapped."""

    name = "increment, no exchange"
    extra = ("renameat2:error=EINVAL",)

    def may_be_missing(self):
        return True


class InPlace(Set):
    """A file that is a mount point can't be renamed."""

    name = "set in place"
    inplace = True

    @staticmethod
    @contextlib.contextmanager
    def place(base=None):
        with places.plain(base) as folder:
            path = os.path.join(folder, "state.json")
            open(path, "w").close()
            places.run("mount", "--bind", path, path)
            try:
                yield folder
            finally:
                places.unmount(path)


class Recover(Scenario):
    """After an instance that was killed at its swap."""

    name = "recover what was not swapped"
    # At the swap itself, which is then not made.
    place_of_death = 0
    calls = None

    def prepare(self, bench):
        bench.reset(DOCUMENT)
        bench.run(Scenario.words, [self.kill(bench)])

    def kill(self, bench):
        if not Recover.calls:
            _, trace = bench.trace(Scenario.words)
            Recover.calls = trace.swap()
            bench.reset(DOCUMENT)
        return "{}:signal=KILL:when={}".format(*Recover.calls[self.place_of_death])


class RecoverSwapped(Recover):
    """After one that was killed after its swap."""

    name = "recover what was swapped"
    place_of_death = 1

    @property
    def old(self):
        return dict(DOCUMENT, n=1)


class RecoverSave(RecoverSwapped):
    """After one that was killed after its swap, and an editor's save in what it had swapped out."""

    name = "recover a displaced save"

    def prepare(self, bench):
        super().prepare(bench)
        orphans = bench.left()
        if len(orphans) != 1:
            raise SystemExit(f"{self.name}: expected one file beside {bench.path}: {orphans}")
        with open(os.path.join(bench.folder, orphans[0]), "r+") as file:
            file.truncate(0)
            file.write(text_of(dict(DOCUMENT, title="saved")))

    def new(self, old):
        return dict(old, n=old["n"] + 1, title="saved")

    def finish(self, value):
        return dict(value, n=value["n"] + 1, title="saved")

    def same(self, one, other, bench):
        if one == other or not one or not other:
            return one == other
        # Where recent versions can't be read the save counts as a whole; what it displaced was never acknowledged.
        if bench.meets_error and one == dict(other, n=other["n"] - 1):
            return True
        # What can't be read now stays for the next one, and then is too old to be merged: it is kept elsewhere, and a
        # message says where.
        return one == dict(other, title=TITLE) and (bench.left() or bench.rescued() == [dict(DOCUMENT, title="saved")])


class Stale(Scenario):
    """A save that was made from an older version: what was committed since is kept."""

    name = "merge a stale save"
    old = dict(DOCUMENT, title="saved")

    def prepare(self, bench):
        bench.reset(DOCUMENT)
        bench.run(Scenario.words)
        with open(bench.path, "w") as file:
            file.write(text_of(self.old))

    def new(self, old):
        return dict(old, n=2)

    def finish(self, value):
        return dict(value, n=2 if value == self.old else 3)

    def same(self, one, other, bench):
        # Where recent versions can't be read the save counts as a whole; an instance says so, a command does not.
        return one == other or bench.meets_error and one == dict(other, n=other["n"] - 1)


class RecoverInPlace(InPlace):
    """After one that was killed before it cut off the rest."""

    name = "recover a write in place"
    words = Scenario.words

    def prepare(self, bench):
        bench.reset(DOCUMENT)
        bench.run(Set.words, ["ftruncate:signal=KILL:when=1"])

    @property
    def old(self):
        return dict(DOCUMENT, title="x")

    new = Scenario.new


class Shared(Scenario):
    """Shared with another device, which has added ten meanwhile, and that has just arrived."""

    name = "increment, shared"
    arrived = 10

    def prepare(self, bench):
        bench.reset(self.initial)
        self.clear(bench)
        bench.do(["share", "--name", "here", bench.path, self.folder(bench, "here")], bench.state)
        self.carry(bench, "here", "there")
        self.there(bench, "share", "--name", "there", self.path(bench), self.folder(bench, "there"))
        self.there(bench, "increment", self.path(bench), "/n", str(self.arrived))
        self.carry(bench, "there", "here")

    def new(self, old):
        return dict(old, n=self.arrived + 1)

    def finish(self, value):
        return dict(value, n=self.arrived + (2 if value == self.new(self.old) else 1))

    def same(self, one, other, bench):
        # What has arrived may be in the file before what is done here, or after it.
        return one == other or one and other in (self.old, self.new(self.old)) and one == dict(
            other, n=other["n"] + (self.arrived if other == self.old else -self.arrived))

    def may_print(self, number, found):
        return found - number in (0, self.arrived)

    def may_be_gone(self, call, line):
        # What keeps the folders in sync may take a journal away between its listing and its opening.
        return call == "openat" and '.journal"' in line and "O_CREAT" not in line

    def wrong_elsewhere(self, bench, value):
        for _ in range(2):
            self.carry(bench, "here", "there")
            done = self.there(bench, "get", self.path(bench))
            self.carry(bench, "there", "here")
        if parsed(done.stdout) != value:
            return [f"the other device has {shown(done.stdout)}: {done.stderr.strip()!r}"]
        return []

    # The other device has a user's state, a file and a folder of its own; what keeps the folders in sync is a copy.

    @staticmethod
    def folder(bench, device):
        return os.path.join(bench.scratch, f"sync-{device}")

    @staticmethod
    def path(bench):
        return os.path.join(bench.scratch, "there", "state.json")

    def clear(self, bench):
        for folder in (self.folder(bench, "here"), self.folder(bench, "there"), os.path.dirname(self.path(bench))):
            shutil.rmtree(folder, ignore_errors=True)
            os.mkdir(folder)
        shutil.rmtree(self.state(bench), ignore_errors=True)

    @staticmethod
    def state(bench):
        return os.path.join(bench.scratch, "state-there")

    def there(self, bench, *words):
        return bench.do(words, self.state(bench))

    def carry(self, bench, one, other):
        """Copies what is longer than it is there."""
        for name in os.listdir(self.folder(bench, one)):
            source, target = (os.path.join(self.folder(bench, device), name) for device in (one, other))
            if not os.path.exists(target) or os.path.getsize(target) < os.path.getsize(source):
                shutil.copyfile(source, target)


SCENARIOS = [
    Scenario(), Power(), Set(), Create(), Aside(), InPlace(), Stale(), Recover(), RecoverSwapped(), RecoverSave(),
    RecoverInPlace(),
    Shared()]
