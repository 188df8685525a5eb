"""Whether the processor is the program's alone: on a virtual machine nothing else tells."""

import statistics
import time


class Pace:
    """How long the same calculation takes from time to time."""

    SAMPLES = 20
    # What a quiet machine stays below.
    STEADY = 1.15

    def __init__(self):
        self.times = []

    def sample(self):
        for _ in range(self.SAMPLES):
            start = time.perf_counter()
            sum(range(200_000))
            self.times.append(time.perf_counter() - start)

    @property
    def fact(self):
        fastest = min(self.times)
        median, most = (number / fastest for number in (statistics.median(self.times), statistics.quantiles(self.times, n=10)[-1]))
        shared = ": somebody **shares the processors**" if median > self.STEADY else ""
        return (
            f"the same calculation, before each suite, took {median:.2f} times as long as at its fastest, and {most:.2f} times or "
            f"longer in a tenth of the cases{shared}")
