"""Whether processors and caches are the program's alone: on a virtual machine nothing else tells."""

import time

from spread import short


class Pace:
    """Has measured again what was measured while somebody else used the processors or the caches, for as long as there is patience.

    What counts are a calculation by itself and a walk through memory, before and after; never what was measured.
    """

    # How many times longer than at its fastest each of them takes at most.
    STEADY = 1.15
    PAUSE = 0.2
    # The steps of a walk, as pace.c has them.
    WALK = 2000

    def __init__(self, place, minutes):
        self.program = place.child([place.c("pace")])
        self.minutes, self.left = minutes, 0
        self.fastest_calculation = self.fastest_walk = float("inf")
        self.rounds = self.shared = self.repeated = 0
        # The first finds the memory as it was just made. Among some others is the full pace also where others are busy.
        self.program.ask("")
        for _ in range(50):
            self.is_steady()

    def begin(self):
        """A suite begins, with a patience of its own."""
        self.left = self.minutes * 60

    def steadily(self, measure):
        """What was measured on a steady machine; once the patience is over, what is measured then."""
        while True:
            start = time.monotonic()
            was_steady = self.is_steady()
            while not was_steady and time.monotonic() - start < self.left:
                time.sleep(self.PAUSE)
                was_steady = self.is_steady()
            self.left -= time.monotonic() - start
            start = time.monotonic()
            measured = measure()
            is_steady = was_steady and self.is_steady()
            if is_steady or self.left <= 0:
                self.note(1, 0 if is_steady else 1)
                return measured
            self.repeated += 1
            self.left -= time.monotonic() - start

    def note(self, rounds, shared, repeated=0, waited=0):
        """So many rounds count, of which so many were measured while somebody else used the processors; for others there was a wait of
        so many seconds."""
        self.rounds += rounds
        self.shared += shared
        self.repeated += repeated
        self.left -= waited

    def is_steady(self):
        times = [int(word) for word in self.program.ask("").split()]
        calculations, walks = times[::2], times[1::2]
        self.fastest_calculation = min(self.fastest_calculation, *calculations)
        self.fastest_walk = min(self.fastest_walk, *walks)
        # The caches that a walk goes through are the processors' together, so one that something came between tells nothing.
        return max(calculations) <= self.fastest_calculation * self.STEADY and min(walks) <= self.fastest_walk * self.STEADY

    @property
    def facts(self):
        """How fast the machine is by itself, without which figures of two of them can't be compared, and how much of it was ours."""
        return [
            f"at their fastest, a million steps of arithmetic took {short(self.fastest_calculation / 1e6)} ms, and a step through memory "
            f"{short(self.fastest_walk / self.WALK)} ns",
            f"{self.shared:,} of {self.rounds:,} rounds were measured while somebody else used the processors or the caches (a calculation "
            f"by itself, or, but for JSON and dispatches, a walk through memory, before and after each, took more than {self.STEADY} times as "
            "long as at its fastest); "
            f"{self.repeated:,} others were for that reason measured again, for which a suite waits {short(self.minutes)} minutes at most",
        ]
