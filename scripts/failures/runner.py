"""Many faults, several at a time; or a sample of them."""
import concurrent.futures
import queue

from support import places
from failures.bench import Bench


def sample(faults, options):
    """Some faults: of each kind of call one with each kind of fault, then any, up to as many as were asked for."""
    faults = options.rng.sample(faults, len(faults))
    first = {(fault.call, fault.kind): fault for fault in reversed(faults)}
    chosen = options.rng.sample(list(first.values()), len(first))[:options.sample]
    others = [fault for fault in faults if fault not in chosen]
    return chosen + others[:options.sample - len(chosen)]


def benches_for(options, stack, place, inplace=False):
    """A bench for each job, until the stack is closed."""
    benches = []
    for _ in range(options.jobs):
        folder = stack.enter_context(place(options.folder))
        scratch = stack.enter_context(places.plain())
        benches.append(Bench(options.replicate, options.shim, folder, scratch, inplace))
    return benches


def try_all(faults, benches, attempt, name, tally):
    """Tries each fault on a bench that is free; how many were not met, and how many went wrong."""
    free = queue.Queue()
    for bench in benches:
        free.put(bench)

    def attempt_at_one(fault):
        bench = free.get()
        try:
            return fault, attempt(bench, fault)
        finally:
            free.put(bench)

    failed, missed = tally.failed, 0
    with concurrent.futures.ThreadPoolExecutor(len(benches)) as pool:
        for fault, complaints in pool.map(attempt_at_one, faults):
            if complaints is None:
                missed += 1
                continue
            tally.take(complaints, f"{name}, {fault.call} {fault.when} {fault.kind}")
    return missed, tally.failed - failed
