"""How the cost of a change grows with whatever it could grow with."""

import os
import time

from plot import Plot
from processor import nanoseconds
from spread import Spread, short

TEXT = """The cost of one change against the size of the state, the number of instances, of subscribers, of actions that wait, and of changes a
second. All by the clock of one run, so that the curves show how it grows; docs/performance.md says what it is made of."""
EMPTY = '{"sequence":0,"title":"","count":0,"items":[]}\n'


def run(place, report):
    report.section("Growth", TEXT)
    for part in [_size, _instances, _subscribers, _pending, _rate]:
        part(place, report)


def _instance(place, path):
    return place.child([place.product("instance"), path])


def _shared(place):
    path = os.path.join(place.new_folder("growing"), "state.json")
    with open(path, "w") as file:
        file.write(EMPTY)
    return path


def _arrivals(source, others, number, timeout=60):
    """When a change was made, and when each of the others had it."""
    start = int(source.ask(f"number {number}"))
    instants = []
    for other in others:
        found = None
        while found != number:
            found, instant = (int(word) for word in other.answer(timeout).split())
        instants.append(instant - start)
    return instants


def _size(place, report):
    plot = Plot("A change against the size of the state", "bytes", "milliseconds")
    points = {"until `commit()` returns": [], "until the other instance has it": [], "replaced by C": []}
    rows = []
    for size in [1_000, 10_000] if place.quick else [1_000, 10_000, 100_000, 1_000_000, 20_000_000]:
        path = place.document(size, folder=place.new_folder("growing"))
        one, other = _instance(place, path), _instance(place, path)
        baseline = place.child([place.c("commit"), "protocol", place.document(size, folder=place.new_folder("growing"))])
        try:
            count = 3 if place.quick or size > 1_000_000 else 15
            one.ask("commits 1", 120)
            commits = Spread([int(number) for number in one.ask(f"commits {count}", 300).split()])
            other.ask("watch")
            arrivals = Spread([_arrivals(one, [other], number)[0] for number in range(count)])
            replaced = Spread([int(baseline.ask(1)) for _ in range(count)])
        finally:
            for child in [one, other, baseline]:
                child.end()
        for name, spread in zip(points, [commits, arrivals, replaced]):
            spread = spread.scaled(1e-6)
            points[name].append((size, spread.median, (spread.low, spread.high)))
        rows.append([f"{size:,}"] + [short(series[-1][1]) for series in points.values()])
    report.say("One field is changed, of a state of so many bytes; two instances:")
    report.table(["bytes"] + [f"ms {name}" for name in points], rows)
    for name, series in points.items():
        plot.line(name.replace("`", ""), series)
    report.plot("growth-size", plot)


def _instances(place, report):
    plot = Plot("A change against the number of instances (1 KB)", "instances", "milliseconds")
    last, all_time, rows = [], [], []
    for count in [1, 2] if place.quick else [1, 2, 4, 8, 16, 32, 64]:
        path = place.document(1_000, folder=place.new_folder("growing"))
        instances = []
        try:
            for _ in range(count):
                instances.append(_instance(place, path))
            source, others = instances[0], instances[1:] or instances
            for other in others:
                other.ask("watch")
            before, times = nanoseconds(instances), []
            changes = 3 if place.quick else 12
            for number in range(changes):
                if count == 1:
                    times.append(int(source.ask("commits 1")))
                else:
                    times.append(max(_arrivals(source, others, number)))
                time.sleep(0.02)
            spent = (nanoseconds(instances) - before) / changes
        finally:
            for instance in instances:
                instance.end()
        spread = Spread(times).scaled(1e-6)
        last.append((count, spread.median, (spread.low, spread.high)))
        all_time.append((count, spent / 1e6))
        rows.append([count, short(spread.median), short(spent / 1e6), short(spent / 1e6 / count)])
    report.say("One instance changes a state of 1 KB; all others have it when the last one's subscriber does:")
    report.table(["instances", "ms until the last has it", "ms of processor, of all", "of each"], rows)
    plot.line("until the last has it", last)
    plot.line("processor, of all", all_time)
    report.plot("growth-instances", plot)


def _subscribers(place, report):
    plot = Plot("A dispatch against the number of subscribers", "subscribers", "nanoseconds")
    points, present = [], 0
    instance = _instance(place, _shared(place))
    try:
        for count in [1, 10] if place.quick else [1, 10, 100, 1_000]:
            instance.ask(f"subscribe {count - present}")
            present = count
            batch = max(200, 20_000 // count)
            times = []
            for _ in range(3 if place.quick else 10):
                times.append(int(instance.ask(f"dispatches {batch}")) / batch)
                instance.ask("commits 1")
            spread = Spread(times)
            points.append((count, spread.median, (spread.low, spread.high)))
    finally:
        instance.end()
    report.say("A dispatch with so many subscribers, while HotReload is attached:")
    report.table(["subscribers", "ns", "half of the rounds"], _rows(points))
    plot.line("a dispatch", points)
    report.plot("growth-subscribers", plot)


def _rows(points):
    return [[x, short(y), f"{short(low)}–{short(high)}"] for x, y, (low, high) in points]


def _pending(place, report):
    plot = Plot("An action against how many wait together", "actions in one commit", "microseconds")
    points = []
    instance = _instance(place, _shared(place))
    try:
        instance.ask("commits 1")
        for count in [1, 10] if place.quick else [1, 10, 100, 1_000, 10_000, 100_000]:
            answer = instance.ask(f"batches {3 if place.quick else 8} {count}", 120)
            spread = Spread([int(number) / count for number in answer.split()]).scaled(1e-3)
            points.append((count, spread.median, (spread.low, spread.high)))
    finally:
        instance.end()
    report.say("So many actions are dispatched, and then committed together; each costs:")
    report.table(["actions", "µs each", "half of the rounds"], _rows(points))
    plot.line("an action", points)
    report.plot("growth-pending", plot)


def _rate(place, report):
    plot = Plot("The processor against changes a second (1 KB)", "changes a second", "% of a core")
    points, rows = {"who changes": [], "who follows": []}, []
    for rate in [10, 100] if place.quick else [10, 100, 1_000, 10_000, 100_000]:
        path = place.document(1_000, folder=place.new_folder("growing"))
        one, other = _instance(place, path), _instance(place, path)
        seconds = 0.5 if place.quick else 2
        try:
            time.sleep(0.2)
            before = [nanoseconds([child]) for child in [one, other]]
            start = time.monotonic()
            count = int(one.ask(f"rate {rate} {seconds}", 120))
            elapsed = time.monotonic() - start
            used = [(nanoseconds([child]) - start_) / elapsed / 1e7 for child, start_ in zip([one, other], before)]
        finally:
            one.end()
            other.end()
        for name, percent in zip(points, used):
            points[name].append((count / elapsed, percent))
        rows.append([f"{rate:,}", f"{count / elapsed:,.0f}"] + [short(percent) for percent in used])
    report.say("One instance changes the state so many times a second, and another follows:")
    report.table(["changes a second, wanted", "reached", "% of a core: who changes", "who follows"], rows)
    for name, series in points.items():
        plot.line(name, series)
    report.plot("growth-rate", plot)

