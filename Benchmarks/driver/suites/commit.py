"""What replacing the file costs, and a whole commit."""

from spread import Spread, ratios, short

TEXT = """Each replaces a file of its own, one commit right after the other. `rename`: a temporary is written and renamed over the file, as
most programs save; ext4 flushes the bytes then, the others don't. `exchange`: a spare is overwritten under a write lease and exchanged
with the file. `protocol`: the same with all that the promises need, in C: lock, read under a lease, stamp, exchange, and what came
out read and compared. Ours has the same promises, by `SharedFile`, and keeps the lock in a row of commits, for
15 ms at a time, where C takes it anew for each; and a whole commit, from `dispatch` until `commit()` returns, which
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
        path = place.document(size, folder=place.new_folder("committed"))
        committers["ours, the file"] = place.child([place.product("file-probe"), "commit", path, *power])
        path = place.document(size, folder=place.new_folder("committed"))
        committers["ours, from dispatch to `commit()`"] = place.child([place.product("instance"), path, *power])
        times = {name: [] for name in committers}
        rounds, batch = (3, 3) if place.quick else (20, 5 if power else 40)
        # The first round finds out what the place allows, and makes the spares.
        for _ in range(rounds + 1):
            measured = place.pace.steadily(lambda: [_commit(child, batch) for child in committers.values()])
            for name, number in zip(committers, measured):
                times[name].append(number)
    finally:
        for child in committers.values():
            child.end()
    times = {name: numbers[1:] for name, numbers in times.items()}
    label = f"{'1 KB' if size == 1_000 else '1 MB'}, {durability} durability"
    own, same, rename = times["ours, the file"], times["C, protocol"], times["C, rename"]
    if power:
        report.goal(f"{label}: × C with the same flushes", ratios(own, same), at_most=1.3)
    else:
        report.goal(f"{label}: × the same in C", ratios(own, same), at_most=1.5)
        report.goal(f"{label}: a burst, times faster than C's rename", ratios(rename, own), at_least=5)
    report.say(f"**{label}**, each in a row:")
    rows = []
    for name, numbers in times.items():
        spread, times_protocol = Spread(numbers).scaled(1e-3), Spread(ratios(numbers, same))
        rows.append([name, short(spread.median), spread.between(), f"{times_protocol:}"])
    report.table(["", "µs", "half of the rounds", "× C, protocol"], rows)


def _commit(child, batch):
    """Nanoseconds of one."""
    if child.words[0].endswith("instance"):
        return Spread([int(number) for number in child.ask(f"commits {min(batch, 10)}").split()]).median
    return int(child.ask(batch)) / batch
