"""What it costs to be there, and to ask once."""

import glob
import os
import time

from programs import Failed
from spread import Spread, ratios, short
from watchers import ours_and_theirs

TEXT = """What programs take that watch a file of 1 KB while nothing happens: the processor's time by the kernel's own count, of all threads,
and resident memory. No measurable use means less than what `top` would show as 0.1 %. And `replicate get` from start to end, beside
`jq .` of the same file; both print into nothing."""


def run(place, report):
    report.section("Idle and small", TEXT)
    watchers = ours_and_theirs(place)
    watch = place.child([place.product("replicate"), "watch", watchers[0].path], ready=None)
    try:
        subjects = {watcher.name: watcher.child for watcher in watchers}
        subjects["`replicate watch`"] = watch
        seconds = 1 if place.quick else 10
        # What was written when they began is looked after for a while.
        time.sleep(seconds / 3)
        before = {name: _nanoseconds(child) for name, child in subjects.items()}
        time.sleep(seconds)
        used = {name: (_nanoseconds(child) - before[name]) / seconds / 1e7 for name, child in subjects.items()}
        memory = {name: _resident(child) / 1e6 for name, child in subjects.items()}
    finally:
        watch.end()
        for watcher in watchers:
            watcher.end()
    for name in ["typed state", "`replicate watch`"]:
        report.goal(f"{name}: % of a core", [used[name]], at_most=0.05, unit="")
        report.goal(f"{name}: MB resident", [memory[name]], at_most=15, unit="")
    report.table(["", "% of a core", "MB resident"], [[name, short(used[name]), short(memory[name])] for name in subjects])
    if place.has("jq"):
        _get(place, report)


def _get(place, report):
    rows = []
    small = os.path.join(place.folder, "sample-state.json")
    with open(os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))), "sample-state.json"), "rb") as source:
        with open(small, "wb") as file:
            file.write(source.read())
    # The sizes are those of the goals: a sample of a few KB, and 20 MB.
    for label, path, rounds, at_most in [
        ("sample-state.json", small, 3 if place.quick else 60, 1.5),
        ("1 MB" if place.quick else "20 MB", place.document(1_000_000 if place.quick else 20_000_000, "large.json"), 1 if place.quick else 5, 1),
    ]:
        launch = lambda *words: int(place.output([place.c("launch"), 1, *words], timeout=100))
        own, other = [], []
        for _ in range(rounds):
            own.append(launch(place.product("replicate"), "get", path))
            other.append(launch("jq", ".", path))
        report.goal(f"`replicate get`, {label}: × `jq .`", ratios(own, other), at_most=at_most)
        for name, numbers in [("replicate get", own), ("jq .", other)]:
            spread = Spread(numbers).scaled(1e-6)
            rows.append([f"`{name}`, {label}", short(spread.median), spread.between()])
    report.table(["from start to end", "ms", "half of the rounds"], rows)


def _processes(child):
    """The program's and those that it has started."""
    found, waiting = [], [child.process.pid]
    while waiting:
        process = waiting.pop()
        found.append(process)
        for path in glob.glob(f"/proc/{process}/task/*/children"):
            try:
                with open(path) as file:
                    waiting += [int(word) for word in file.read().split()]
            except OSError:
                pass
    return found


def _nanoseconds(child):
    total = 0
    for process in _processes(child):
        for path in glob.glob(f"/proc/{process}/task/*/schedstat"):
            try:
                with open(path) as file:
                    total += int(file.read().split()[0])
            except OSError:
                pass
    if total == 0:
        raise Failed(f"{child} ended, or the kernel doesn't count")
    return total


def _resident(child):
    total = 0
    for process in _processes(child):
        with open(f"/proc/{process}/statm") as file:
            total += int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    return total
