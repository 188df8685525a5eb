"""What lies in the middle of many numbers, and whether that is what was to be reached."""

import statistics


class Spread:
    """The median of some numbers, and where the middle half of them begins and ends."""

    def __init__(self, numbers):
        ordered = sorted(numbers)
        if not ordered:
            raise ValueError("nothing was measured")
        self.count = len(ordered)
        self.median = statistics.median(ordered)
        self.low = ordered[round((len(ordered) - 1) * 0.25)]
        self.high = ordered[round((len(ordered) - 1) * 0.75)]
        self.worst = ordered[-1]

    def scaled(self, factor):
        copy = object.__new__(Spread)
        copy.count = self.count
        copy.median, copy.low, copy.high, copy.worst = (
            number * factor for number in (self.median, self.low, self.high, self.worst))
        return copy

    def __format__(self, unit):
        return f"{short(self.median)}{unit}"

    def between(self):
        """The middle half, as a table has it."""
        return f"{short(self.low)}–{short(self.high)}"


class Goal:
    """A goal, and what was measured for it.

    It is missed when even the better quarter of what was measured misses it; between that and the median lies the noise.
    """

    def __init__(self, topic, text, measured, at_most=None, at_least=None, unit=""):
        self.topic, self.text, self.measured, self.unit = topic, text, measured, unit
        self.at_most, self.at_least = at_most, at_least
        if at_most is not None:
            self.missed, self.doubtful = measured.low > at_most, measured.median > at_most
        else:
            self.missed, self.doubtful = measured.high < at_least, measured.median < at_least

    @property
    def bound(self):
        sign, number = ("≤", self.at_most) if self.at_most is not None else ("≥", self.at_least)
        return f"{sign} {short(number)}{self.unit}"

    @property
    def verdict(self):
        return "**missed**" if self.missed else "within the noise" if self.doubtful else "met"


def short(number):
    """A number as people read it: three digits that count, and no more."""
    if number == 0:
        return "0"
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    digits = 0 if abs(number) >= 100 else 1 if abs(number) >= 10 else 2 if abs(number) >= 0.1 else 3
    return f"{number:.{digits}f}"


def ratios(numbers, units):
    """Round by round: what was measured right after each other is divided by each other."""
    return [number / unit for number, unit in zip(numbers, units, strict=True)]
