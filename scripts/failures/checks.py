"""What is wrong after a command met a fault: with its answer, the file, and what the next command makes of that."""
import re
import signal

from failures.document import parsed, shown
from failures.scenarios import Scenario

# As strace passes it on, or as a shell would.
KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)


def wrong_after(bench, scenario, fault, done, before):
    """What is wrong after a command met a fault and ended; before is what the file had held."""
    old = scenario.old
    new = scenario.new(old)
    found = bench.bytes()
    value = next((value for value in (old, new) if scenario.same(parsed(found), value, bench)), parsed(found))
    complaints = wrong_in_itself(scenario, fault, done, before, found, value)
    return complaints + wrong_from_then_on(bench, scenario, done, value)


def wrong_in_itself(scenario, fault, done, before, found, value):
    """What the command said and what the file holds; value is that, or the old or new version if it is as good."""
    old = scenario.old
    new = scenario.new(old)
    killed = done.returncode in KILLED
    complaints = []
    if fault.kind != "KILL" and done.returncode not in (0, 1, 3, 4):
        complaints.append(f"ended with {done.returncode}: {done.stderr[-200:]!r}")
    if fault.kind == "short" and done.returncode != 0:
        complaints.append(f"a short transfer is no failure, but: {done.stderr.strip()!r}")
    if fault.kind == "ENOENT" and (done.returncode != 0 or done.stderr):
        complaints.append(f"what is gone is no failure, but: {done.stderr.strip()!r}")
    if done.returncode == 0:
        if value != new:
            complaints.append(f"said done, but the file holds {shown(found)}")
    elif not killed:
        if not re.match(r"replicate: \S.*\n", done.stderr):
            complaints.append(f"ended with {done.returncode} and no clear message: {done.stderr!r}")
        if value == new and value != old and "<stdout>" not in done.stderr:
            complaints.append(f"ended with {done.returncode}, but the change is there: {done.stderr.strip()!r}")
    # A write in place is the one thing that can be cut short, until the next instance completes it.
    is_whole = value is not None or not (killed and scenario.may_be_missing())
    if is_whole and not (scenario.inplace and killed) and value not in (old, new) and found != before:
        complaints.append(f"the file is neither the old nor the new version: {shown(found)}")
    if value == new and done.stdout.strip() and not killed and scenario.words[0] == "increment":
        if not scenario.may_print(parsed(done.stdout), parsed(found)["n"]):
            complaints.append(f"printed {done.stdout!r}")
    return complaints


def wrong_from_then_on(bench, scenario, done, value):
    """What the next command makes of it, and what stays beside the file."""
    old = scenario.old
    new = scenario.new(old)
    complaints = []
    again = bench.run(Scenario.words)
    after = parsed(bench.bytes())
    allowed = [scenario.finish(new)]
    if done.returncode != 0:
        allowed.append(scenario.finish(old))
    if allowed[-1] is None and again.returncode == 4 and after is None:
        pass  # nothing was made, and nothing there is to be incremented
    elif again.returncode != 0:
        complaints.append(f"the next command failed: {again.stderr.strip()!r}")
    elif not any(scenario.same(after, value, bench) for value in allowed):
        complaints.append(f"after the next increment the file holds {shown(after)}")
    if done.returncode != 0 and value == new and value != old and not scenario.same(after, scenario.finish(new), bench):
        complaints.append(f"what the file held was taken back: {shown(after)}")
    complaints += scenario.wrong_elsewhere(bench, after)
    left = bench.left()
    if left:
        complaints.append(f"left beside the file: {left}")
    return complaints
