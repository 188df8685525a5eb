"""Each system call that a command makes fails, or is the last."""
import contextlib
import subprocess

from support import places
from failures.checks import KILLED, wrong_after
from failures.runner import benches_for, sample, try_all
from failures.scenarios import SCENARIOS
from failures.syscalls import CALLS, ERRORS, TRANSFERS, Fault
from support.waiting import DEADLINE


def try_fault(bench, scenario, fault):
    """What is wrong after a command met a fault; None if it didn't meet it."""
    scenario.prepare(bench)
    bench.meets_error = fault.kind in ERRORS
    before = bench.bytes()
    injections = list(scenario.extra)
    if fault.kind not in ("KILL", "short"):
        injections = [words for words in injections if not words.startswith(fault.call + ":")]
    if fault.kind != "short":
        injections.append(fault.injection)
    try:
        if fault.kind == "short":
            done = bench.run(scenario.words, injections or None, short=fault)
        else:
            done = bench.run(scenario.words, injections)
            if done.returncode not in KILLED and not (fault.kind != "KILL" and bench.was_hit()):
                return None
    except subprocess.TimeoutExpired:
        return [f"did not end in {DEADLINE} seconds"]
    return wrong_after(bench, scenario, fault, done, before)


def plan(bench, scenario):
    """Every fault at every call that a scenario makes."""
    scenario.prepare(bench)
    done, trace = bench.trace(scenario.words, scenario.extra)
    if done.returncode != 0:
        raise SystemExit(f"{scenario.name}: without a fault: {done.stderr}")
    for call, number, line in trace.since(bench.folder):
        if call not in CALLS:
            continue
        for kind in ERRORS + ("KILL",):
            yield Fault(call, number, kind)
        if scenario.may_be_gone(call, line):
            yield Fault(call, number, "ENOENT")
        if call in TRANSFERS:
            yield Fault(call, number, "short")


def calls(options, tally):
    table = []
    for scenario in SCENARIOS:
        with contextlib.ExitStack() as stack:
            try:
                benches = benches_for(options, stack, scenario.place, scenario.inplace)
            except places.Unavailable as reason:
                tally.miss(scenario.name, reason)
                continue
            faults = list(dict.fromkeys(plan(benches[-1], scenario)))
            sites = len({(fault.call, fault.when) for fault in faults})
            if options.short:
                faults = sample(faults, options)

            def attempt(bench, fault):
                return try_fault(bench, scenario, fault)

            table.append((scenario.name, sites, len(faults), *try_all(faults, benches, attempt, scenario.name, tally)))
    print(f"\n{'scenario':32}{'calls':>8}{'faults':>8}{'not met':>9}{'failed':>8}")
    for row in table:
        print("{:32}{:8}{:8}{:9}{:8}".format(*row))
    print(flush=True)
