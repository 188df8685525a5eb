"""What replacing the file costs, and a whole commit."""

import time

from spread import Spread, ratios, short

TEXT = """Each replaces a file of its own, one commit right after the other, or one by itself, 20 ms after anything else has happened.
`rename`: a temporary is written and renamed over the file, as most programs save; ext4 flushes the bytes then, the others don't. `exchange`: a spare is overwritten under a write lease and exchanged
with the file. `protocol`: the same with all that the promises need, in C: lock, read under a lease, stamp, exchange, and what came
out read and compared. Ours has the same promises, by `SharedFile`, and keeps the lock in a row of commits, for
15 ms at a time, where C takes it anew for each; of a spare it writes what differs, which is one digit of the text, or `everywhere` one
in each page, so that all of it is written as C does; and a whole commit, from `dispatch` until `commit()` returns, which
encodes the state, finds what changed, keeps the version, and goes through another thread and back."""


def run(place, report):
    report.section("Commit", TEXT)
    for durability in ["process", "power"]:
        for size in [1_000] if place.quick else [1_000, 1_000_000]:
            _measure(place, report, size, durability)


def _measure(place, report, size, durability):
    power = ["power"] if durability == "power" else []
    committers = {}
    try:
        for way in ["rename", "exchange", "protocol"]:
            path = place.document(size, folder=place.new_folder("committed"))
            committers[f"C, {way}"] = place.child([place.c("commit"), way, path, *power])
        # A small text is one page.
        parts = {"": [], ", everywhere": ["everywhere"]} if size > 4096 else {"": []}
        for name, words in [(f"ours, the file{part}", words) for part, words in parts.items()]:
            path = place.document(size, folder=place.new_folder("committed"))
            committers[name] = place.child([place.product("file-probe"), "commit", path, *power, *words])
        path = place.document(size, folder=place.new_folder("committed"))
        committers["ours, from dispatch to `commit()`"] = place.child([place.product("instance"), path, *power])
        rounds, batch = (3, 3) if place.quick else (20, 5 if power else 40)
        in_a_row = _times(place, committers, rounds, lambda child: _commit(child, batch))
        alone = _times(place, committers, rounds, _commit_alone)
    finally:
        for child in committers.values():
            child.end()
    label = f"{'1 KB' if size == 1_000 else '1 MB'}, {durability} durability"
    same = "C with the same flushes" if power else "the same in C"
    for times, way in [(in_a_row, ""), (alone, ", by itself")]:
        for part in parts:
            ratio = ratios(times[f"ours, the file{part}"], times["C, protocol"])
            report.goal(f"{label}{way}{part}: × {same}", ratio, at_most=1.3 if power else 1.5)
    if not power:
        for part in parts:
            faster = ratios(in_a_row["C, rename"], in_a_row[f"ours, the file{part}"])
            report.goal(f"{label}{part}: a burst, times faster than C's rename", faster, at_least=5)
    for times, way in [(in_a_row, "each in a row"), (alone, "each by itself")]:
        report.say(f"**{label}**, {way}:")
        rows = []
        for name, numbers in times.items():
            spread = Spread(numbers).scaled(1e-3)
            rows.append([name, short(spread.median), spread.between()] + [
                short(Spread(ratios(numbers, times[unit])).median) for unit in ["C, protocol", "C, exchange"]])
        report.table(["", "µs", "half of the rounds", "× C, protocol", "× C, exchange"], rows)


def _times(place, committers, rounds, commit):
    """Nanoseconds of one by each, round by round. The first round finds out what the place allows, and makes the spares."""
    measured = [place.pace.steadily(lambda: [commit(child) for child in committers.values()]) for _ in range(rounds + 1)]
    return dict(zip(committers, zip(*measured[1:], strict=True), strict=True))


def _commit_alone(child):
    time.sleep(0.02)
    return _commit(child, 1)


def _commit(child, batch):
    """Nanoseconds of one."""
    if child.words[0].endswith("instance"):
        return Spread([int(number) for number in child.ask(f"commits {min(batch, 10)}").split()]).median
    return int(child.ask(batch)) / batch
