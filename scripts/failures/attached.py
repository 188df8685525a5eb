"""Each system call of an instance that has been at work for a while fails, or is the last."""
import contextlib
import re
import signal

from support import places
from failures.document import DOCUMENT, parsed, shown
from failures.instance import Instance
from failures.runner import benches_for, sample, try_all
from failures.scenarios import Scenario
from failures.syscalls import CALLS, ERRORS, Fault, Trace
from support.waiting import DEADLINE

ACTIONS = 3
# Threads wake each other by these, which can't fail.
WAKE_UP = re.compile(r"^(\d+ +)?(write|read)\(\d+, (\"(\\[0-7]+){8}\"|0x[0-9a-f]+), 8\b")


def attached_run(bench, injections):
    """Lets strace join an instance that is at work; three increments, then the end."""
    bench.reset(DOCUMENT)
    instance = Instance(bench, "--timeout", "5")
    if not instance.ask("increment", path="/n"):
        raise SystemExit(f"an instance did not answer: {instance.close()}")
    tracer = instance.traced(*injections)
    for _ in range(ACTIONS):
        number = instance.send("increment", path="/n")
        instance.until(lambda: number in instance.answers, 10)
    code, said = instance.close()
    tracer.wait(DEADLINE)
    return instance, code, said


def try_attached(bench, fault):
    instance, code, said = attached_run(bench, [fault.injection])
    killed = code == -signal.SIGKILL
    if not killed and not bench.was_hit():
        return None
    complaints = []
    if fault.kind != "KILL" and code not in (0, 1, 3, 4):
        complaints.append(f"ended with {code}: {said[-200:]!r}")
    for number, answers in instance.answers.items():
        if len(answers) > 1:
            complaints.append(f"{number} was answered {len(answers)} times")
    answered = sum("result" in answers[0] for answers in instance.answers.values())
    value = parsed(bench.bytes())
    count = value.get("n") if isinstance(value, dict) else None
    if not isinstance(count, int) or dict(value, n=0) != DOCUMENT:
        complaints.append(f"the file is no whole version: {shown(bench.bytes())}")
    elif not answered <= count <= 1 + ACTIONS:
        complaints.append(f"answered {answered}, but the file says {count}")
    elif code == 0 and not count == answered == 1 + ACTIONS:
        complaints.append(f"ended well with {answered} of {1 + ACTIONS} answered and {count} in the file")
    elif not killed and code != 0 and not said.startswith("replicate: "):
        complaints.append(f"ended with {code} and no clear message: {said!r}")
    again = bench.run(Scenario.words)
    after = parsed(bench.bytes())
    if again.returncode != 0:
        complaints.append(f"the next command failed: {again.stderr.strip()!r}")
    elif isinstance(count, int) and after != dict(DOCUMENT, n=count + 1):
        complaints.append(f"{count} was there, and after the next increment the file holds {shown(after)}")
    if bench.left():
        complaints.append(f"left beside the file: {bench.left()}")
    return complaints


def attach(options, tally):
    with contextlib.ExitStack() as stack:
        benches = benches_for(options, stack, places.plain)
        bench = benches[-1]
        attached_run(bench, [])
        sites = {}
        for call, number, line in Trace(bench.log).numbered():
            # What waits for something to happen comes to other numbers each time.
            if call in CALLS and (call not in ("poll", "ppoll") or number <= 4):
                sites[call, number] = sites.get((call, number)) or bool(WAKE_UP.search(line))
        faults = [
            Fault(*site, kind) for site, is_wake_up in sites.items()
            for kind in (("KILL",) if is_wake_up else ERRORS + ("KILL",))]
        if options.short:
            faults = sample(faults, options)
        missed, failed = try_all(faults, benches, try_attached, "attach", tally)
    print(f"attach: {len(sites)} calls, {len(faults)} faults, {missed} not met, {failed} failed\n", flush=True)
