"""What it costs to be there, and to ask once."""

import os
import shutil
import time

from place import ROOT
from processor import nanoseconds, resident
from spread import Spread, ratios, short
from watchers import ours_and_theirs

TEXT = """What programs take that watch a file of 1 KB while nothing happens: the processor's time by the kernel's own count, of all threads,
and resident memory. Less than 0.05 % of a core is none that `top` would show. And `replicate get` from start to end, beside
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
        before = {name: nanoseconds([child]) for name, child in subjects.items()}
        time.sleep(seconds)
        used = {name: (nanoseconds([child]) - before[name]) / seconds / 1e7 for name, child in subjects.items()}
        memory = {name: resident(child) / 1e6 for name, child in subjects.items()}
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
    shutil.copyfile(os.path.join(ROOT, "sample-state.json"), small)
    large = place.document(1_000_000 if place.quick else 20_000_000, "large.json")
    for label, path, rounds, at_most in [
        ("sample-state.json", small, 3 if place.quick else 60, 1.5),
        ("1 MB" if place.quick else "20 MB", large, 1 if place.quick else 5, 1),
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

