"""The tables: the control, and a row for each style at each place."""
import collections
import itertools
import statistics
import time
import traceback

from support import places
from rounds.control import control
from rounds.one_round import torture
from rounds.side_by_side import side_by_side


class Row:
    """A row of the table: what the rounds of one style at one place came to."""

    SUMS = ("saves", "actions", "lost", "twice", "torn", "kills", "stops", "held", "rescued")

    def __init__(self, place, style):
        self.place, self.style = place, style
        self.counts = collections.Counter(dict.fromkeys(self.SUMS, 0))
        self.settled, self.complaints = [], []

    @staticmethod
    def header():
        return f"{'place':9}{'style':17}" + "".join(f"{name:>9}" for name in Row.SUMS + ("median", "max"))

    def __str__(self):
        times = ("-", "-")
        if self.settled:
            times = (f"{statistics.median(self.settled):.0f}", f"{max(self.settled):.0f}")
        cells = tuple(self.counts.values()) + times
        return f"{self.place:9}{self.style:17}" + "".join(f"{cell:>9}" for cell in cells)


def round_saves(number, options):
    """How many saves a round is to have: a quarter of all is made in rounds that are five times as long as others."""
    return options.round * (5 if number % 16 == 15 else 1)


def rounds(place, style, folder, options):
    """All rounds of a style at a place."""
    row = Row(place, style)
    wanted = options.saves_at[place]
    start = time.monotonic()
    for number in itertools.count():
        seconds, saves = start + options.seconds - time.monotonic(), wanted - row.counts["saves"]
        if saves <= 0 or row.settled and seconds < 0.5:
            break
        try:
            torture(row, folder, max(seconds, 0.5), min(saves, round_saves(number, options)), options)
        except Exception:  # the other styles go on
            row.complaints.append(f"round {number} ended early: {traceback.format_exc()}")
        if len(row.settled) <= number:
            break
    if row.counts["saves"] < wanted and not options.short:
        row.complaints.append(f"{row.counts['saves']} of {wanted} saves in {time.monotonic() - start:.0f} s")
    return row


def tables(styles, where, tally, options):
    print(f"{'control':16}{'saves':>8}{'lost':>8}")
    for style, saves, lost in side_by_side(control, [(style, options) for style in styles], options.jobs):
        print(f"{style:16}{saves:8}{lost:8}", flush=True)
        tally.take([] if lost else ["plain writers lost nothing: this harness would not notice a loss"])
    print("\n" + Row.header(), flush=True)
    for place in where:
        try:
            with places.PLACES[place](options.folder) as folder:
                work = [(place, style, folder, options) for style in styles]
                for row in side_by_side(rounds, work, options.jobs):
                    print(row, flush=True)
                    tally.take(row.complaints)
        except places.Unavailable as reason:
            tally.miss(f"{place:9}", reason)
