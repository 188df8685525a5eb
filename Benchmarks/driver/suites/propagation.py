"""From the write in one process to the state in another."""

from plot import Plot
from spread import Spread, ratios, short
from watchers import ours_and_theirs

TEXT = """A C program overwrites a spare file and exchanges it with the file (so that nobody sees a half); the figure is from before it
begins to when the other process has read all bytes of the file, or, for the typed state, when a subscriber of a store gets what was
decoded from it. All watch a folder and a file of their own, and one is written at a time. What an instance writes has a stamp, by
which the others know it, and so has this for all but "of a save"; without one it is an editor's, whose meaning the store finds out
under the lock before it shows it. All are started anew five times, one size after the other each time: how fast a program is depends on
where it came to lie, and on the minute."""
# Milliseconds between the writes of a burst.
PAUSES = [0, 2, 20]
# How many times as long as the C program each may take at most.
GOALS = {
    1_000: {"bytes": 1.3, "typed state": 1.6, "typed state, of a save": 3.8},
    100_000: {"bytes": 1.3, "typed state": 3.5, "typed state, of a save": 11},
    1_000_000: {"bytes": 1.3, "typed state": 8, "typed state, of a save": 21},
}


def run(place, report):
    report.section("Propagation", TEXT)
    plot = Plot("From a write to what was read", "bytes", "microseconds")
    sizes = [1_000] if place.quick else list(GOALS)
    latencies, settings, bursts = {size: {} for size in sizes}, {}, {}
    for sitting in range(1 if place.quick else 5):
        for size in sizes:
            watchers = ours_and_theirs(place, size)
            try:
                settings.update((watcher.name, watcher.settings) for watcher in watchers)
                _measure(place, report, watchers, sitting, latencies[size])
                if size == 1_000:
                    _burst(watchers, report, sitting, bursts)
            finally:
                for watcher in watchers:
                    watcher.end()
    for size in sizes:
        unit = [Spread(numbers).median for numbers in latencies[size]["C, inotify"]]
        for name, at_most in GOALS[size].items():
            own = [Spread(numbers).median for numbers in latencies[size][name]]
            report.goal(f"{_kilobytes(size)}: {name}, × C", ratios(own, unit), at_most=at_most)
    rows = []
    for name in settings:
        # A peer may have worked at first only.
        spreads = [Spread(sum(latencies[size].get(name, [[10e9]]), [])).scaled(1e-3) for size in sizes]
        plot.line(name, [(size, spread.median, (spread.low, spread.high)) for size, spread in zip(sizes, spreads)])
        rows.append([name, settings[name]] + [f"{spread:} ({spread.between()})" for spread in spreads])
    report.table(["µs (half of all)", "settings"] + [_kilobytes(size) for size in sizes], rows)
    report.say("Twenty writes in a row, and whether the last of them was read in the end:")
    report.table(["bursts in which the last was missed"] + [f"{pause} ms apart" for pause in PAUSES], [
        [name] + [f"{seen.count(False)} of {len(seen)}" for seen in results] for name, results in bursts.items()])
    _end_to_end(place, report, plot)
    report.plot("propagation", plot)


def _measure(place, report, watchers, sitting, latencies):
    """Adds what each took: a list a round. Those that take long are asked once; each round begins with another, as who comes first
    finds the processors in another state than who comes after somebody."""
    rounds, writes = (2, 3) if place.quick else (12, 5)
    fast, slow = ([watcher for watcher in watchers if watcher.is_slow == is_slow] for is_slow in [False, True])
    for number in range(rounds):
        first = (sitting * rounds + number) % len(fast)
        subjects = fast[first:] + fast[:first]
        _add(latencies, subjects, place.pace.steadily(lambda: _latencies(report, subjects, writes)))
    _add(latencies, slow, _latencies(report, slow, 1))


def _add(latencies, watchers, round):
    for watcher, numbers in zip(watchers, round, strict=True):
        latencies.setdefault(watcher.name, []).append(numbers)


def _latencies(report, watchers, writes):
    """Of so many writes by each. Who misses one has no latency, but a failure, unless it is a peer; of those bursts tell."""
    latencies = []
    for watcher in watchers:
        found = [watcher.latency() for _ in range(writes)]
        if None in found and not watcher.is_peer:
            report.failed(f"{watcher.name}: a write was missed")
        latencies.append([latency for latency in found if latency is not None] or [10e9])
    return latencies


def _burst(watchers, report, sitting, bursts):
    """Adds whether each has seen the last of twenty writes. Each that is missed takes its time; a few show it."""
    for watcher in watchers:
        results = bursts.setdefault(watcher.name, [[] for _ in PAUSES])
        for pause, seen in zip(PAUSES, results):
            if watcher.is_slow and sitting > 1:
                continue
            seen += [watcher.sees_last_of(20, pause) for _ in range(1 if watcher.is_slow else 2)]
            if False in seen and not watcher.is_peer:
                report.failed(f"{watcher.name}: the last of twenty writes {pause} ms apart was missed")


def _end_to_end(place, report, plot):
    """From a dispatch in one instance to a subscriber in another."""
    rows, points = [], []
    for size in [1_000] if place.quick else GOALS:
        path = place.document(size, folder=place.new_folder("shared"))
        one, other = (place.child([place.product("instance"), path]) for _ in range(2))
        try:
            other.ask("watch")
            numbers = []
            for number in range(5 if place.quick else 60 if size < 1_000_000 else 20):
                start = int(one.ask(f"number {number}"))
                line = other.line()
                if line is None or int(line.split()[0]) != number:
                    report.failed(f"from dispatch to subscriber: {number} did not arrive, but {line}")
                    break
                numbers.append(int(line.split()[1]) - start)
        finally:
            one.end()
            other.end()
        if numbers:
            spread = Spread(numbers).scaled(1e-3)
            rows.append([_kilobytes(size), short(spread.median), spread.between()])
            points.append((size, spread.median, (spread.low, spread.high)))
    plot.line("dispatch to subscriber", points)
    report.say("From `dispatch` in one instance to a subscriber in another, by the file:")
    report.table(["", "µs", "half of all"], rows)


def _kilobytes(size):
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size // 1_000} KB"
