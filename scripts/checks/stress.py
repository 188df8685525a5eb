"""Lets several `replicate attach` increment one number at the same time, and counts.

Each instance is sent all its requests at once. Every answered increment must have come to a value of its own; without
--kill these are exactly 1, 2, 3 and so on. With --kill some instances are killed (SIGKILL) at random moments and
started again for what was not answered: then the final value is at least the answered and at most the issued ones. Takes seconds.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

from support import arguments
from support.client import Client

CHUNK = 100


class Worker:
    """One instance after the other, until every request of a share is answered."""

    def __init__(self, command, share, kill_after, pause):
        self.command, self.share = command, share
        # After how many answers, and how many seconds later, the first instance is killed; None for never.
        self.kill_after, self.pause = kill_after, pause
        self.issued = 0
        self.values = []
        self.complaints = []
        self.kills = 0
        self.process = None
        self.thread = threading.Thread(target=self.work, daemon=True)

    def work(self):
        try:
            while len(self.values) < self.share and not self.complaints:
                self.run_instance()
        except Exception as error:
            self.complaints.append(repr(error))

    def run_instance(self):
        before = len(self.values)
        client = Client(self.command, stderr=None)
        self.process = client.process
        feeder = threading.Thread(target=self.feed, args=(client, self.share - before), daemon=True)
        feeder.start()
        if self.kill_after == 0:
            self.kill()
        while (answer := client.receive()) is not None:
            if answer.get("method") in ("problem", "resolved"):
                continue
            if "result" not in answer:
                self.complaints.append(str(answer))
                continue
            self.values.append(int(answer["result"]["value"]))
            if self.kill_after is not None and len(self.values) >= self.kill_after:
                self.kill()
        feeder.join()
        code, _ = client.close()
        if code == -9 and self.kills:
            return
        if code != 0:
            self.complaints.append(f"exit code {code}")
        elif len(self.values) < self.share:
            self.complaints.append(f"ended with {len(self.values)} of {self.share} answers")

    def feed(self, client, count):
        for start in range(0, count, CHUNK):
            size = min(CHUNK, count - start)
            self.issued += size
            client.send_all([("increment", {"path": "/n"})] * size)
            if client.is_deaf:
                return  # killed
        client.end()

    def kill(self):
        self.kill_after = None
        self.kills += 1
        threading.Timer(self.pause, self.process.kill).start()


def check(workers, final, killing):
    """What is wrong, line by line."""
    complaints = [complaint for worker in workers for complaint in worker.complaints]
    answered = sum(len(worker.values) for worker in workers)
    issued = sum(worker.issued for worker in workers)
    values = [value for worker in workers for value in worker.values]
    if len(set(values)) != answered:
        complaints.append(f"{answered - len(set(values))} values were answered twice")
    if any(later <= earlier for worker in workers for earlier, later in zip(worker.values, worker.values[1:])):
        complaints.append("answers came out of order")
    if values and max(values) > final:
        complaints.append(f"{max(values)} was answered, but the file says {final}")
    if killing:
        if not answered <= final <= issued:
            complaints.append(f"expected {answered} <= {final} <= {issued}")
    elif final != issued or answered != issued:
        complaints.append(f"issued {issued}, answered {answered}, final value {final}")
    return complaints


def main():
    parser = arguments.parser(__doc__)
    parser.add_argument("-n", "--instances", type=int, default=8)
    parser.add_argument("-r", "--requests", type=int, default=10_000, help="for each instance")
    parser.add_argument("-k", "--kill", type=int, default=0, metavar="K", help="how many instances are killed")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--timeout", type=float, default=120, help="in seconds")
    options = parser.parse_args()

    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="stress-attach-") as folder:
        path = os.path.join(folder, "state.json")
        with open(path, "w") as file:
            file.write('{"n": 0}\n')
        command = [options.replicate, "attach", path]
        workers = [
            Worker(
                command, options.requests, rng.randrange(options.requests) if index < options.kill else None,
                rng.uniform(0, 0.02))
            for index in range(options.instances)
        ]
        start = time.monotonic()
        for worker in workers:
            worker.thread.start()
        for worker in workers:
            worker.thread.join(max(0, start + options.timeout - time.monotonic()))
        elapsed = time.monotonic() - start
        hung = [worker for worker in workers if worker.thread.is_alive()]
        with open(path) as file:
            final = json.load(file)["n"]
        complaints = [f"an instance hung after {len(worker.values)} answers" for worker in hung]
        complaints += check(workers, final, options.kill > 0)
        if options.kill and not hung:
            # What one left that was killed when all others had ended is the next one's to remove.
            subprocess.run([command[0], "set", path, "/ended", "true"], check=True, stdout=subprocess.DEVNULL)
        left = sorted(set(os.listdir(folder)) - {"state.json"})
        if left:
            complaints.append(f"left beside the file: {left}")
        for worker in hung:
            worker.process.kill()
    issued = sum(worker.issued for worker in workers)
    answered = sum(len(worker.values) for worker in workers)
    kills = sum(worker.kills for worker in workers)
    print(f"issued {issued}, answered {answered}, final {final}, killed {kills}, {elapsed:.1f} s (seed {options.seed})")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    sys.exit(1 if complaints else 0)


main()
