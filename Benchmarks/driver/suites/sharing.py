"""What it costs to share a file with other devices."""

import glob
import os
import random
import time

from processor import nanoseconds
from programs import Failed
from spread import Spread, ratios, short

TEXT = """A typed state of 1 KB in a file by itself, and one in a file that is shared with four other devices through a folder: their journals
have 2,500 entries each. Nothing syncs the folder; what is here is what a device does for it. Both commit in turn: in a burst, each
increment acknowledged before the next, for half a second; and one by itself, after a pause in which nothing else happens. A third has
a file by itself whose versions are recorded with their actions."""
ACTION = '{"add":{"_0":1}}'


def run(place, report):
    report.section("Sharing", TEXT)
    share = _Share(place, 20 if place.quick else 2_500)
    path = place.document(1_000, folder=place.new_folder("alone"))
    alone = place.child([place.product("instance"), path])
    shared = share.device("shared")
    path = place.document(1_000, folder=place.new_folder("actions"))
    recording = place.child([place.product("instance"), path, "actions"])
    try:
        _commits(place, report, alone, shared, recording)
        _journal(place, report, share, shared)
    finally:
        for child in [alone, shared, recording]:
            child.end()
    _arrivals(place, report)
    _folds(place, report, share.text)
    _latency(place, report)


class _Share:
    """A folder with journals, and devices that use it."""

    def __init__(self, place, entries):
        self.place = place
        self.folder = os.path.join(place.new_folder("share"), "folder")
        with open(place.document(1_000, folder=place.new_folder("text"))) as file:
            self.text = file.read()
        if entries:
            place.output([place.product("journal-probe"), "make", self.folder, 4, entries], stdin=self.text.encode())
        else:
            os.mkdir(self.folder)

    def device(self, name):
        """A store that shares a file of its own, as on another machine."""
        self.path = self.place.document(1_000, folder=self.place.new_folder(name))
        state = self.place.new_folder(f"{name}-state")
        before = set(self.journals())
        child = self.place.child([self.place.product("instance"), self.path, "sharing", self.folder], state=state)
        deadline = time.monotonic() + 30
        while not (found := set(self.journals()) - before):
            if time.monotonic() > deadline:
                raise Failed(f"{name} doesn't share its file: {child.complaint()}")
            time.sleep(0.05)
        self.journal = found.pop()
        time.sleep(1)
        return child

    def journals(self):
        return glob.glob(os.path.join(self.folder, "*.journal"))


def _commits(place, report, alone, shared, recording):
    seconds, rounds = (0.2, 2) if place.quick else (0.5, 24)
    children = [alone, shared, recording]
    times = {child: ([], [], [], [], []) for child in children}

    def counted(child, words, numbers, used):
        """Adds what a commit took by the clock, and of all processors, with what comes of it within a moment."""
        time.sleep(0.3)
        before = nanoseconds([child])
        count = int(child.ask(words).split()[0])
        numbers.append(seconds * 1e9 / count)
        time.sleep(0.3)
        used.append((nanoseconds([child]) - before) / count)

    for round in range(rounds + 1):
        # Each is the first as often.
        first = round % len(children)
        for child in children[first:] + children[:first]:
            in_a_row, pipelined, _, row_used, pipeline_used = times[child]
            counted(child, f"count {seconds}", in_a_row, row_used)
            counted(child, f"pipeline {seconds} 4000", pipelined, pipeline_used)
        for _ in range(1 if place.quick else 4):
            for child in children:
                time.sleep(random.uniform(0.25, 0.35))
                times[child][2].append(int(child.ask("commits 1")))
    # The first round is for warming up.
    numbers = {child: [part[len(part) // (rounds + 1):] for part in times[child]] for child in children}
    base = numbers[alone]
    report.goal("a burst: × a file by itself", ratios(numbers[shared][0], base[0]), at_most=1.1)
    report.goal("one by itself: ms more", [(more - less) / 1e6 for more, less in zip(numbers[shared][2], base[2])], at_most=0.1,
                unit=" ms")
    rows = []
    for name, index, scale in [
        ("in a burst, µs", 0, 1e-3), ("by itself, µs", 2, 1e-3), ("4,000 at a time, ns each", 1, 1),
        ("in a burst, µs of all processors", 3, 1e-3), ("4,000 at a time, ns of all processors", 4, 1),
    ]:
        row = [name]
        for child in children:
            spread = Spread(numbers[child][index]).scaled(scale)
            row.append(f"{spread:} ({spread.between()})")
            if child is not alone:
                row.append(short(Spread(ratios(numbers[child][index], base[index])).median))
        rows.append(row)
    report.table(["a commit (half of all)", "alone", "shared", "×", "with actions", "×"], rows)


def _journal(place, report, share, shared):
    """What a burst adds to the journal."""
    def contents():
        time.sleep(1)
        with open(share.journal, "rb") as file:
            return file.read()

    seconds, rows = 1 if place.quick else 5, []
    for name, words in [("each acknowledged", f"count {seconds}"), ("20 a second", f"rate 20 {seconds}")]:
        before = len(contents())
        start = time.monotonic()
        count = int(shared.ask(words).split()[0])
        lasted = time.monotonic() - start
        added = contents()[before:]
        lines, changes = added.count(b"\n"), count * len(ACTION)
        if name == "each acknowledged":
            report.goal("a burst of 5 s: bytes of the journal, × those of the actions", [len(added) / changes], at_most=3)
            report.goal("a burst of 5 s: lines a second", [lines / lasted], at_most=10, unit="")
        rows.append([name, f"{count:,}", f"{changes:,}", f"{len(added):,}", short(len(added) / changes), short(lines / lasted)])
    report.say("What is added to the journal:")
    report.table(["increments", "", "bytes of the actions", "of the journal", "×", "lines a second"], rows)


def _arrivals(place, report):
    """From when a journal comes to lie in the folder until the state is what it makes of it."""
    share = _Share(place, 20 if place.quick else 2_500)
    store = share.device("arrivals")
    try:
        _arrive(place, report, share, store)
    finally:
        store.end()


def _arrive(place, report, share, store):
    store.ask("watch-count")
    rows = []
    for name, text, at_most in [
        ("late", "a thousand entries", None), ("early", "one entry that comes before all others", 200),
    ]:
        time.sleep(1)
        file = f"{name}.a.journal"
        start = time.monotonic_ns()
        os.rename(os.path.join(f"{share.folder}.later", file), os.path.join(share.folder, file))
        line = store.line(60)
        if line is None:
            return report.failed(f"sharing: {text} did not arrive")
        milliseconds = (int(line.split()[1]) - start) / 1e6
        if at_most and not place.quick:
            report.goal(f"{text}, in a store: ms", [milliseconds], at_most=at_most, unit=" ms")
        rows.append([text, short(milliseconds)])
    report.say("From when a journal comes to lie in the folder until the store has what it says, with the 10,000 entries that were there; once:")
    report.table(["", "ms"], rows)


def _folds(place, report, text):
    rounds = 1 if place.quick else 7
    costs = [place.output([place.product("journal-probe"), "fold"], stdin=text.encode()) for _ in range(rounds)]
    costs = [[[int(word) / 1e6 for word in line.split()] for line in output.splitlines()] for output in costs]
    rows = []
    for index, (name, at_most) in enumerate([("1,000 entries after 10,000 others", 50), ("one entry before 10,000 others", 200)]):
        parts = list(zip(*(cost[index] for cost in costs)))
        taken, folded, reduced = parts
        report.goal(f"{name}: ms", [sum(times) for times in zip(taken, folded)], at_most=at_most, unit=" ms")
        rows.append([name] + [f"{Spread(part):} ({Spread(part).between()})" for part in parts])
    report.say("What it takes to fold, in ms: to read and order the entries, to find what the lines alone come to, and what they come to for a "
               "reducer of a few lines that works on the JSON value:")
    report.table(["", "read", "the lines alone", "for an app"], rows)


def _latency(place, report):
    """From a dispatch on one device to the file of another, by one folder on this machine."""
    share = _Share(place, 0)
    one = share.device("one")
    other = share.device("other")
    reader = place.child([place.c("reader"), *os.path.split(share.path)])
    numbers = []
    try:
        while reader.line(1):
            pass
        for number in range(200_000_001, 200_000_001 + (3 if place.quick else 40)):
            time.sleep(random.uniform(0.3, 0.5))
            start = int(one.ask(f"number {number}"))
            while (line := reader.line(30)) and int(line.split()[0]) != number:
                pass
            if line is None:
                report.failed(f"sharing: {number} did not arrive")
                break
            numbers.append((int(line.split()[1]) - start) / 1e6)
    finally:
        for child in [one, other, reader]:
            child.end()
    if numbers:
        spread = Spread(numbers)
        report.say(f"From `dispatch` on one device until it is in the file of another, by one folder on this machine, with nothing that syncs it "
                   f"between: {spread:} ms ({spread.between()}, at most {short(spread.worst)}).")
