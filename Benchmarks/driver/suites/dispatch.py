"""What a dispatch costs, as its own program measures it, and with a mirrored file."""

import re

from programs import Failed
from spread import Spread, short

TEXT = """What the `dispatch` program prints, in units of a bare lock and closure; [docs/performance.md](../../docs/performance.md) says more.
Goals that name a row which it doesn't have are not measured."""
# What the row's name is; the greatest multiple of the unit; and the most nanoseconds.
GOALS = [
    ("a store", 3, None), ("a store, with 1 subscriber", 3, None), ("a store, with 10 subscribers", 1.5, None),
    ("a store, with 100 subscribers", 1.5, None), ("in an array", None, 200), ("in `Entities`", None, 200),
    ("in a dictionary", None, 200),
]
MIRRORED = re.compile(r"^\| ((?:a state )?of .*?) \| [0-9]+ \| (-?[0-9]+) \| [0-9]+ µs", re.MULTILINE)
ROW = re.compile(r"^\| (.*?) \| ([0-9]+) \| ([0-9.]+) \| ([0-9.]+)–([0-9.]+) \|$", re.MULTILINE)


def run(place, report):
    report.section("Dispatch", TEXT)
    patience = max(0, place.pace.left)
    text = place.output(
        [place.product("dispatch"), "--rounds", 1 if place.quick else 60, "--patience", f"{patience:.0f}"], timeout=300 + patience)
    shared, rounds, repeated, waited = (int(word) for word in re.findall(r"[0-9]+", text.rsplit("\n\n", 1)[1]))
    place.pace.note(rounds, shared, repeated, waited)
    rows = {name: [float(number) for number in numbers] for name, *numbers in ROW.findall(text)}
    if len(rows) < 40:
        raise Failed(f"dispatch printed {len(rows)} rows")
    for name, times, most in GOALS:
        if name not in rows:
            report.say(f"Not measured: {name}.")
            continue
        nanoseconds, ratio, low, high = rows[name]
        if times:
            report.goal(f"{name}, × bare", [low, ratio, high], at_most=times)
        else:
            report.goal(f"one of 20,000 items, {name}", [nanoseconds * low / ratio, nanoseconds, nanoseconds * high / ratio],
                        at_most=most, unit=" ns")
    for size, added in MIRRORED.findall(text):
        report.goal(f"{size.removeprefix('a state ')}: with HotReload, ns of the thread more".removeprefix("of "), [float(added)], at_most=300,
                    unit=" ns")
    _mirrored(place, report)
    report.say(re.sub(r"^## ", "### ", text.strip(), flags=re.MULTILINE))


def _mirrored(place, report):
    """What HotReload adds to a dispatch, by the clock, while it writes beside."""
    rows = []
    for size in [1_000] if place.quick else [1_000, 20_000_000]:
        label = f"{size / 1e6:g} MB" if size >= 1_000_000 else f"{size // 1000} KB"
        path = place.document(size, folder=place.new_folder("dispatched"))
        alone, mirrored = (place.child([place.product("instance"), path, *way]) for way in [["alone"], []])
        try:
            added, plain, pauses, unmirrored = [], [], [], []
            mirrored.ask("commits 1", 120)
            # What came from the file is the driver's as well, so the first that changes an item copies the array.
            first = int(mirrored.ask("pauses 0.02").split()[0]) / 1e6
            # Without a wait in between, so that dumps go on all the time.
            for _ in range(2 if place.quick else 60):
                one, other = (int(child.ask("dispatches 2000")) / 2000 for child in (alone, mirrored))
                plain.append(one)
                added.append(other - one)
            for _ in range(1 if place.quick else 5):
                unmirrored.append(int(alone.ask("pauses 0.5").split()[0]) / 1e6)
                pauses.append(int(mirrored.ask("pauses 0.5").split()[0]) / 1e6)
        finally:
            alone.end()
            mirrored.end()
        report.goal(f"{label}: with HotReload, ns more", added, at_most=300, unit=" ns")
        report.goal(f"{label}: the longest dispatch while it is dumped, ms", [max(pauses)], at_most=1, unit=" ms")
        rows.append([label, short(Spread(plain).median), short(Spread(added).median), Spread(added).between(),
                     short(max(unmirrored)), short(max(pauses)), short(first)])
    report.say("With HotReload, while its thread writes the state again and again. The longest is of those that change an item, each tenth "
               "of a millisecond for 2.5 seconds; the first one after the start, as after each change from outside, copies the array:")
    report.table(["state", "ns alone", "ns more with it", "half of the rounds", "longest alone, ms", "longest with it, ms",
                  "and the first one"], rows)
