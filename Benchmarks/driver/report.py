"""The results: sections with tables and plots, the goals, and what went wrong; all as Markdown."""

import os
import time

from spread import Goal, Spread, short


class Report:
    def __init__(self, place, folder):
        self.place, self.folder = place, folder
        self.sections, self.goals, self.failures = [], [], []
        self.begin = time.monotonic()
        os.makedirs(folder, exist_ok=True)

    def section(self, title, text):
        print(f"== {title}", flush=True)
        self.sections.append([f"## {title}", text])

    def say(self, text):
        self.sections[-1].append(text)

    def table(self, header, rows):
        """Columns after the first have numbers."""
        lines = [f"| {' | '.join(header)} |", "|---|" + "--:|" * (len(header) - 1)]
        lines += [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
        self.sections[-1].append("\n".join(lines))

    def plot(self, name, plot):
        with open(os.path.join(self.folder, f"{name}.svg"), "w", encoding="utf-8") as file:
            file.write(plot.svg())
        self.sections[-1].append(f"![{plot.title}]({name}.svg)")

    def goal(self, text, numbers, at_most=None, at_least=None, unit="×"):
        """Judges numbers, one of each round."""
        topic = self.sections[-1][0].removeprefix("## ")
        goal = Goal(topic, text, Spread(numbers), at_most, at_least, unit)
        self.goals.append(goal)
        print(f"   {text}: {goal.bound}, {goal.measured:{unit}} ({goal.measured.between()})", flush=True)

    def failed(self, text):
        """Something that is not a matter of speed: it fails the run, also a quick one."""
        print(f"   FAILED: {text}", flush=True)
        self.failures.append(text)

    @property
    def exit_code(self):
        return 1 if self.failures or not self.place.quick and any(goal.missed for goal in self.goals) else 0

    def markdown(self, facts):
        """The whole page."""
        place = self.place
        peers = ", ".join(f"{name} {version}" for name, version in sorted(place.versions.items()))
        head = ["# Everything side by side", "\n".join(f"- {fact}" for fact in facts)]
        head.append(f"Peers: {peers}. Missing here: {', '.join(place.missing) or 'none'}.")
        head.append(
            "Each round measures all one after the other, those that poll after the others; a ratio is of one round, and the figure is "
            "the median of all, with the middle half of them behind it. A goal is missed when even the better quarter of the rounds misses it. "
            f"The run took {short((time.monotonic() - self.begin) / 60)} minutes.")
        if place.quick:
            head.append("**This was a quick run, which shows that everything works; its figures mean nothing.**")
        if self.failures:
            head.append("**Failed:**\n\n" + "\n".join(f"- {failure}" for failure in self.failures))
        if self.goals:
            rows = [f"| {goal.topic} | {goal.text} | {goal.bound} | {goal.measured:{goal.unit}} | {goal.measured.between()} | "
                    f"{'not judged' if place.quick else goal.verdict} |" for goal in self.goals]
            head.append("\n".join(["## Goals", "", "| | | goal | measured | half of the rounds | |", "|---|---|--:|--:|--:|---|"] + rows))
        return "\n\n".join(head + ["\n\n".join(section) for section in self.sections]) + "\n"

    def write(self, facts):
        path = os.path.join(self.folder, "README.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.markdown(facts))
        return path
