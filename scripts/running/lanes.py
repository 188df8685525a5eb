"""Runs checks in two lanes side by side, and reports on each as it ends."""
import json
import os
import signal
import subprocess
import sys
import threading
import time
import typing

from running.table import Lane
from support.arguments import ROOT

LOGS = ROOT / ".build/checks"
# A check that takes longer than this hangs, in seconds.
LIMIT = 3600.0
# How many lines of its output are shown of a check that passed, and of one that failed.
PASSED_LINES, FAILED_LINES = 2, 80


class Result(typing.NamedTuple):
    check: typing.Any
    # "passed", "failed" or "not run".
    outcome: str
    seconds: float = 0.0
    # Of the processor, by all processes of the check.
    processor: float = 0.0


def output(check, lines):
    """The last lines that a check printed."""
    try:
        text = (LOGS / f"{check.name}.log").read_text(errors="replace")
    except FileNotFoundError:
        return []
    return [line[:400] for line in text.rstrip("\n").split("\n")[-lines:]]


class Lanes:
    def __init__(self, checks, environment):
        self.environment = environment
        self.names = {check.name for check in checks}
        self.waiting = list(checks)
        self.results = []
        self.running = {}
        self.start = time.monotonic()
        self.changed = threading.Condition()

    def run(self):
        """The results, in the order in which the checks ended."""
        LOGS.mkdir(parents=True, exist_ok=True)
        threads = [threading.Thread(target=self.work, args=(lane,)) for lane in Lane]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            with self.changed:
                self.waiting.clear()
            for process in list(self.running.values()):
                end(process)
            raise
        return self.results

    def work(self, lane):
        while (check := self.next(lane)) is not None:
            self.finish(self.measured(check))

    def next(self, lane):
        """The next check that a lane can begin; None once there is none left.

        A lane that has run out of its own checks helps with those that use the processor.
        """
        with self.changed:
            while True:
                own = [check for check in self.waiting if check.lane == lane]
                usable = own or [check for check in self.waiting if check.lane == Lane.PROCESSOR]
                if not usable:
                    return None
                for check in usable:
                    if all(self.is_over(name) for name in check.builds):
                        self.waiting.remove(check)
                        return check
                self.changed.wait()

    def is_over(self, name):
        return name not in self.names or any(result.check.name == name for result in self.results)

    def measured(self, check):
        outcomes = {result.check.name: result.outcome for result in self.results}
        if missing := [name for name in check.builds if outcomes.get(name) != "passed"]:
            (LOGS / f"{check.name}.log").write_text(f"not run, since {', '.join(missing)} did not pass\n")
            return Result(check, "not run")
        start = time.monotonic()
        with open(LOGS / f"{check.name}.log", "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-B", "-m", "running.supervise", json.dumps(check.commands_with(()))], cwd=ROOT,
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
            with self.changed:
                self.running[check.name] = process
            timer = threading.Timer(LIMIT, end, [process])
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            timer.cancel()
        seconds = time.monotonic() - start
        outcome = "passed" if process.returncode == 0 else "failed"
        return Result(check, outcome, seconds, usage.ru_utime + usage.ru_stime)

    def finish(self, result):
        check = result.check
        with self.changed:
            self.running.pop(check.name, None)
            self.results.append(result)
            at = time.monotonic() - self.start
            print(f"== {check.name}: {result.outcome} after {result.seconds:.0f} s, at {at / 60:.1f} min", flush=True)
            lines = PASSED_LINES if result.outcome == "passed" else FAILED_LINES
            print(*(f"   {line}" for line in output(check, lines)), sep="\n", flush=True)
            self.changed.notify_all()


def end(process):
    """Ends a check and everything that it has started."""
    try:
        os.kill(process.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass  # ended meanwhile


def has_grown(result):
    """True if a check took half as much processor time again as the table of checks states."""
    return result.processor > 1.5 * result.check.takes + 10


def table(results, seconds):
    """Prints a row for each check, and once more the output of those that failed; the exit code."""
    print(f"\n{'check':16}{'lane':>11}{'seconds':>9}{'processor':>11}{'usual':>7}  result")
    for result in results:
        check, remark = result.check, ", and took longer than usual" if has_grown(result) else ""
        print(
            f"{check.name:16}{check.lane.value:>11}{result.seconds:>9.0f}{result.processor:>11.0f}{check.takes:>7}"
            f"  {result.outcome}{remark}")
    processor, usual = sum(result.processor for result in results), sum(result.check.takes for result in results)
    print(f"{'all':16}{'':>11}{seconds:>9.0f}{processor:>11.0f}{usual:>7}  {seconds / 60:.1f} min on {os.cpu_count()} cores")
    failed = [result for result in results if result.outcome != "passed"]
    for result in failed:
        print(f"\n== {result.check.name} {result.outcome}: {result.check.proves}; all of it: .build/checks/{result.check.name}.log")
        print(*output(result.check, FAILED_LINES), sep="\n")
    print(f"\n{len(results) - len(failed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0
