"""What was lost, and what was applied twice; and when all came to rest."""
import json
import time

from rounds.instance import BATCH

# How long after a save its contents may still arrive: stopped instances hold the lock, and kept descriptors linger.
SLACK = 5.0


class Judge:
    """Says of each acknowledged action whether it is there, once; of one that is lost, if it went with a save."""

    def __init__(self, saves):
        self.saves = saves
        self.lost = self.twice = 0
        self.examples = []

    def lose(self, instance, what, since, until, test, count=1):
        guilty = next((value["head"] for begun, ended, value in self.saves
                       if begun <= until and ended >= since - SLACK and test(value)), None)
        self.lost += count
        self.examples.append(
            f"{instance.name}: {what}" + (f"; save {guilty} was made without that" if guilty is not None else ""))

    def counter(self, instance, final):
        steps = instance.steps + [(None, time.monotonic(), final + 1, instance.doubtful)]
        before, value = 0, 0
        for _, answered, found, doubtful in steps:
            step = found - value
            what = f"{value} was answered, then {found}"
            if step < 1:
                self.lose(
                    instance, what, before, answered,
                    lambda save: 1 <= found - save["counters"][instance.name] <= 1 + doubtful + BATCH, 1 - step)
            elif step > 1 + doubtful:
                self.twice += step - 1 - doubtful
                self.examples.append(f"{instance.name}: {what}")
            before, value = answered, found

    def token_list(self, instance, final):
        there = final["tokens"][instance.name]
        for token, (answered, present) in instance.tokens.items():
            if present is None or (token in there) == present:
                continue
            what = f"token {token} was added and is not there" if present else f"token {token} was removed and is there"
            self.lose(
                instance, what, answered, time.monotonic(),
                lambda save: (token in save["tokens"][instance.name]) != present)

    def row(self, instance, final):
        values = [row["value"] for row in final["rows"] if row["id"] == instance.name]
        if len(values) != 1:
            self.lost += len(values) == 0
            self.twice += len(values) > 1
            self.examples.append(f"{instance.name} has {len(values)} rows")
            return
        if not instance.row_history:
            return
        answered, expected = instance.row_history[-1]
        if values[0] not in instance.row_doubts | {expected}:
            self.lose(
                instance, f"{expected} was written to its row, which has {values[0]}", answered, time.monotonic(),
                lambda save: {"id": instance.name, "value": values[0]} in save["rows"])


def settle(instances, path, start, patience=60.0):
    """What all instances and the file hold, and after how many milliseconds; None if they never hold the same."""
    while True:
        try:
            with open(path) as file:
                value = json.load(file)
            answers = [instance.value() for instance in instances]
            if None in answers:
                return None, None  # one has ended, of which it will be asked why
            if all(answer == value for answer in answers):
                return value, (time.monotonic() - start) * 1000
        except (FileNotFoundError, ValueError):
            pass
        if time.monotonic() > start + patience:
            return None, None
        time.sleep(0.002)
