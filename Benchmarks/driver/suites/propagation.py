"""From the write in one process to the state in another."""

from plot import Plot
from spread import Spread, ratios, short
from watchers import ours_and_theirs

TEXT = """A C program overwrites a spare file and exchanges it with the file (so that nobody sees a half); the figure is from before it
begins to when the other process has read all bytes of the file, or, for the typed state, when a subscriber of a store gets what was
decoded from it. All watch a folder and a file of their own, and one is written at a time. What an instance writes has a stamp, by
which the others know it, and so has this for all but "of a save"; without one it is an editor's, whose meaning the store finds out
under the lock before it shows it."""
GOALS = {1_000: (1.3, 1.6), 100_000: (1.3, 3.5), 1_000_000: (1.3, 8)}


def run(place, report):
    report.section("Propagation", TEXT)
    plot = Plot("From a write to what was read", "bytes", "microseconds")
    lines, rows = {}, {}
    for size in [1_000] if place.quick else GOALS:
        watchers = ours_and_theirs(place, size)
        try:
            latencies = _measure(place, report, watchers, 2 if place.quick else 50, 3 if place.quick else 5)
            if size == 1_000:
                bursts = _bursts(watchers, report, 1 if place.quick else 10)
        finally:
            for watcher in watchers:
                watcher.end()
        unit = [Spread(numbers).median for numbers in latencies["C, inotify"]]
        for name, at_most in zip(["bytes", "typed state"], GOALS[size]):
            own = [Spread(numbers).median for numbers in latencies[name]]
            report.goal(f"{_kilobytes(size)}: {name}, × C", ratios(own, unit), at_most=at_most)
        for watcher in watchers:
            spread = Spread([number for round in latencies[watcher.name] for number in round]).scaled(1e-3)
            lines.setdefault(watcher.name, []).append((size, spread.median, (spread.low, spread.high)))
            rows.setdefault(watcher.name, [watcher.name, watcher.settings]).append(f"{spread:} ({spread.between()})")
    report.table(["µs (half of all)", "settings"] + [_kilobytes(size) for size in GOALS][:1 if place.quick else None], rows.values())
    report.say("Twenty writes in a row, and whether the last of them was read in the end:")
    report.table(["bursts in which the last was missed", "0 ms apart", "2 ms", "20 ms"], bursts)
    for name, points in lines.items():
        plot.line(name, points)
    _end_to_end(place, report, plot)
    report.plot("propagation", plot)


def _measure(place, report, watchers, rounds, writes):
    """What each took: a list a round. Those that take long are asked less often; each round begins with another, as who comes
    first finds the processors in another state than who comes after somebody."""
    fast, slow = ([watcher for watcher in watchers if watcher.is_slow == is_slow] for is_slow in [False, True])
    latencies = {watcher.name: [] for watcher in watchers}
    for number in range(rounds):
        first = number % len(fast)
        subjects = fast[first:] + fast[:first]
        for watcher, numbers in zip(subjects, place.pace.steadily(lambda: _latencies(report, subjects, writes)), strict=True):
            latencies[watcher.name].append(numbers)
    for _ in range(0, rounds, 10):
        for watcher, numbers in zip(slow, _latencies(report, slow, 1), strict=True):
            latencies[watcher.name].append(numbers)
    return latencies


def _latencies(report, watchers, writes):
    """Of so many writes by each. Who misses one has no latency, but a failure, unless it is a peer; of those bursts tell."""
    latencies = []
    for watcher in watchers:
        found = [watcher.latency() for _ in range(writes)]
        if None in found and not watcher.is_peer:
            report.failed(f"{watcher.name}: a write was missed")
        latencies.append([latency for latency in found if latency is not None] or [10e9])
    return latencies


def _bursts(watchers, report, times):
    rows = []
    for watcher in watchers:
        missed = []
        for pause in [0, 2, 20]:
            # Each that is missed takes its time; a few show it.
            results = [watcher.sees_last_of(20, pause) for _ in range(min(times, 2) if watcher.is_slow else times)]
            missed.append(f"{results.count(False)} of {len(results)}")
            if False in results and not watcher.is_peer:
                report.failed(f"{watcher.name}: the last of twenty writes {pause} ms apart was missed")
        rows.append([watcher.name] + missed)
    return rows


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
