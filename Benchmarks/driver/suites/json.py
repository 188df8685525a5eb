"""Texts and values, against Foundation and other programs."""

import json

from plot import Plot
from spread import Spread, short

TEXT = """A document of rows with names, numbers, lists and nested objects, compact, some of it escaped or not ASCII. `decode` and `encode` go
from bytes to a struct and back; `parse` and `write` from bytes to `JSONValue` and back. Each is measured right after what it is
compared with, by the processor's time; a `document` knows where its values stand, and makes `JSONValue`s of them when it is asked.
`diff`, `patch` and `merge` change six places, and nothing is shared in memory between the versions. Memory is what the allocator has
handed out."""
# How many times faster than what it is compared with; at 20 MB less than that may be left.
FASTER = {"parse": 3, "write": 40, "decode": 5, "encode": 8}
LARGE = 20_000_000
LEFT = 0.6


def run(place, report):
    report.section("JSON", TEXT)
    plot = Plot("Parsing", "bytes", "MB/s")
    lines = {}
    for size in [100_000] if place.quick else [1_000_000, LARGE]:
        path = place.document(size, name=f"{size}.json")
        label, part = f"{size / 1e6:g} MB", LEFT if size == LARGE else 1
        rounds = 2 if place.quick else 3 if size == LARGE else 20
        rows = []
        patience = max(0, place.pace.left)
        answer = json.loads(place.output(
            [place.product("json"), "--rounds", rounds, "--patience", f"{patience:.0f}", "--json", path], timeout=400 + patience))
        place.pace.note(**answer["pace"])
        for one in answer["results"]:
            name, bytes_, (low, median, high) = one["name"], one["bytes"], one["ratio"]
            speed = bytes_ / one["nanoseconds"] * 1e3
            is_share = one["against"] == "parse"
            if is_share:
                report.goal(f"{label}: {name}, × parse", [low, median, high], at_most=3)
            else:
                low, median, high = 1 / high, 1 / median, 1 / low
            if name in FASTER:
                report.goal(f"{label}: {name}, times faster than {one['against']}", [low, median, high],
                            at_least=FASTER[name] * part)
            rows.append([name, f"{one['nanoseconds'] / 1e6:.3f}", short(speed), one["against"],
                         f"{short(median)} × the time" if is_share else f"{short(median)} × as fast", f"{short(low)}–{short(high)}"])
            if name == "parse":
                report.goal(f"{label}: parse, MB/s", [speed], at_least=150 * part, unit="")
                lines["StateJSON"] = lines.get("StateJSON", []) + [(size, speed)]
        report.say(f"**{label}**:")
        report.table(["", "ms", "MB/s", "against", "", "half of the rounds"], rows)
        value, document, text = (int(word) for word in place.output([place.product("json"), "--memory", path]).split())
        report.goal(f"{label}: memory of a parsed value, × its text", [value / text], at_most=4)
        report.say(f"A document that has not been asked for its value takes {short(document / text)} × its text.")
        _peers(place, report, path, text, rounds, lines)
    for name, points in lines.items():
        plot.line(name, points)
    report.plot("json", plot)


def _peers(place, report, path, size, rounds, lines):
    rows = []

    def add(name, words):
        numbers = [[int(number) for number in line.split()] for line in place.output(words, timeout=200).splitlines()]
        parsed, written = (Spread(column) for column in zip(*numbers))
        rows.append([name, short(size / parsed.median * 1e3), short(size / written.median * 1e3)])
        lines[name] = lines.get(name, []) + [(size, size / parsed.median * 1e3)]

    for library in ["orjson", "json"]:
        if library == "json" or place.has(library):
            add(f"Python, {library}", [place.python, place.peer("json_python.py"), library, path, rounds])
    if place.has("node"):
        add("node, `JSON`", ["node", place.peer("json_node.js"), path, rounds])
    if place.has("jq"):
        # From reading to having written, without what it takes to begin.
        def launch(*words):
            return Spread([int(line) for line in place.output([place.c("launch"), rounds, *words], timeout=200).split()])

        both = launch("jq", "-c", ".", path).median - launch("jq", "-n", "1").median
        rows.append(["jq, both together", short(size / both * 1e3) if both > 0 else "too short to tell", ""])
    report.table(["MB/s of others, by the clock", "parse", "write"], rows)
