"""What a dispatch costs, as its own program measures it, and with a mirrored file."""

import re
import time

from programs import Failed
from spread import Spread, short

TEXT = """What the `dispatch` program prints, in units of a bare lock and closure; [docs/performance.md](../../docs/performance.md) says more."""
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
            report.failed(f"dispatch has no row '{name}'")
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
        writer = place.child([place.c("writer"), path, f"{path}.spare", "stamped"])
        try:
            added, plain, pauses, unmirrored = [], [], [], []
            pauses.append(_longest(mirrored, 0.02))
            # Without a wait in between, so that dumps go on all the time.
            for _ in range(2 if place.quick else 60):
                one, other = (int(child.ask("dispatches 2000")) / 2000 for child in (alone, mirrored))
                plain.append(one)
                added.append(other - one)
            for _ in range(1 if place.quick else 5):
                unmirrored.append(_longest(alone, 0.5))
                pauses.append(_longest(mirrored, 0.5))
            mirrored.ask("commits 1", 120)
            # What came from the file is the driver's as well for a moment, in which the first that changes an item copies the array.
            mirrored.ask("watch")
            at_once, later = (_longest_after_change(mirrored, writer, number, pause) for number, pause in enumerate([0, 1]))
            pauses.append(later)
        finally:
            for child in [alone, mirrored, writer]:
                child.end()
        report.goal(f"{label}: with HotReload, ns more", added, at_most=300, unit=" ns")
        report.goal(f"{label}: the longest dispatch while it is dumped, ms", [max(pauses)], at_most=1, unit=" ms")
        rows.append([label, short(Spread(plain).median), short(Spread(added).median), Spread(added).between(),
                     short(max(unmirrored)), short(max(pauses)), short(at_once)])
    report.say("With HotReload, while its thread writes the state again and again. The longest is of those that change an item: from the "
               "start on, each tenth of a millisecond for 2.5 seconds, and a second after a change from outside. Right after one, it "
               "copies the array:")
    report.table(["state", "ns alone", "ns more with it", "half of the rounds", "longest alone, ms", "longest with it, ms",
                  "right after a change from outside"], rows)


def _longest(child, seconds):
    """The longest of the dispatches that change items, one each tenth of a millisecond, in milliseconds."""
    return int(child.ask(f"pauses {seconds}").split()[0]) / 1e6


def _longest_after_change(mirrored, writer, number, pause):
    """How long a dispatch takes so many seconds after another program has changed the file."""
    number += 200_000_000
    writer.tell(number)
    line = mirrored.line(60)
    writer.answer()
    if line is None or int(line.split()[0]) != number:
        raise Failed(f"a change of the file did not arrive, but {line}")
    time.sleep(pause)
    longest = _longest(mirrored, 0)
    mirrored.ask("commits 1", 120)
    return longest
