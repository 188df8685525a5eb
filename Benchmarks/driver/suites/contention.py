"""Several processes that increment one number."""

import json
import os
import sqlite3

from plot import Plot
from spread import Spread, ratios, short

TEXT = """Several processes increment one number in one file at the same time, each waiting until an increment is acknowledged before the
next. Together a second, and the longest that anybody waited. Ours dispatches an action and awaits `commit()`; pipelined, it awaits
one `commit()` for 4,000 actions. C takes a lock, reads, writes a temporary and renames it over the file. In the end the sum must be
that of all that was acknowledged. All are started anew for each round, as where they come to lie and run lasts."""


class Crowd:
    """Processes of one kind, and what they count in."""

    def __init__(self, place, name, count, words, command="{}", begin=None, total=None):
        self.name, self.command, self.total = name, command, total
        self.path = os.path.join(place.new_folder("counted"), "count.json")
        with open(self.path, "w") as file:
            file.write(begin or '{"count":0}\n')
        if total is None:
            self.total = lambda: json.load(open(self.path))["count"]
        self.acknowledged = 0
        self.start = lambda: [place.child(words(self.path)) for _ in range(count)]

    def run(self, seconds):
        """How many increments there were a second, and the longest wait."""
        children = self.start()
        try:
            for child in children:
                child.tell(self.command.format(seconds))
            answers = [child.answer(seconds + 60).split() for child in children]
        finally:
            for child in children:
                child.end()
        done = sum(int(answer[0]) for answer in answers)
        self.acknowledged += done
        return done / seconds, max(int(answer[1]) for answer in answers)

    def check(self, report):
        """Whether all that was acknowledged is there."""
        total = self.total()
        if total != self.acknowledged:
            report.failed(f"{self.name}: {self.acknowledged} increments were acknowledged, and {total} are in the file")


def run(place, report):
    report.section("Contention", TEXT)
    plot = Plot("Acknowledged increments, together", "processes", "a second")
    lines, rows = {}, []
    for count in [2] if place.quick else [2, 4, 8]:
        crowds = _crowds(place, count)
        rates, waits = {crowd.name: [] for crowd in crowds}, {crowd.name: [] for crowd in crowds}
        for _ in range(1 if place.quick else 7):
            for crowd in crowds:
                rate, wait = place.pace.steadily(lambda: crowd.run(0.3 if place.quick else 1))
                rates[crowd.name].append(rate)
                waits[crowd.name].append(wait)
        for crowd in crowds:
            crowd.check(report)
        report.goal(f"{count} processes: increments a second", rates["ours"], at_least=15_000, unit="")
        report.goal(f"{count} processes: longest wait, × C's", ratios(waits["ours"], waits["C, lock and rename"]), at_most=2)
        report.goal(f"{count} processes: pipelined, a second", rates["ours, pipelined"], at_least=500_000, unit="")
        for name in rates:
            rate, wait = Spread(rates[name]), Spread(waits[name]).scaled(1e-6)
            lines.setdefault(name, []).append((count, rate.median, (rate.low, rate.high)))
            rows.append([name, count, short(rate.median), rate.between(), short(wait.median), wait.between()])
    header = ["", "processes", "a second", "half of the rounds", "longest wait, ms", "half of the rounds"]
    report.table(header, sorted(rows, key=lambda row: row[0]))
    for name, points in lines.items():
        plot.line(name, points)
    report.plot("contention", plot)


def _crowds(place, count):
    instance = place.product("instance")
    state = '{"sequence":0,"title":"","count":0,"items":[]}\n'
    crowds = [
        Crowd(place, "C, lock and rename", count, lambda path: [place.c("increment"), path]),
        Crowd(place, "ours", count, lambda path: [instance, path], "count {}", state),
        Crowd(place, "ours, pipelined", count, lambda path: [instance, path], "pipeline {} 4000", state),
    ]
    if place.has("sqlite3"):
        sqlite = Crowd(
            place, "SQLite, write-ahead log, synchronous normal", count,
            lambda path: [place.python, place.peer("count_sqlite.py"), f"{path}.db"])
        sqlite.total = lambda: _sum_of(f"{sqlite.path}.db")
        crowds.append(sqlite)
    if place.has("filelock"):
        crowds.append(Crowd(place, "filelock and json", count, lambda path: [place.python, place.peer("count_filelock.py"), path]))
    return crowds


def _sum_of(path):
    database = sqlite3.connect(path)
    try:
        return database.execute("SELECT count FROM tally").fetchone()[0]
    finally:
        database.close()
