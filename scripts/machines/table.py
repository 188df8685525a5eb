"""The table: the control, a row for each scenario, and one for the machine that joins last."""
import json
import os

from machines.audit import Audit
from machines.fleet import PLAIN, START, Fleet, are_equal, copies, pause, read, until
from machines.mounted import Mounted
from machines.scenarios import SCENARIOS, WITH_SAVES
from machines.worker import Worker

COLUMNS = (
    "issued", "answered", "everywhere", "saves", "cuts", "kills", "counter", "lost", "twice", "equal", "read")

# How long machines without `share` may take to come to the same; what they have lost then is lost.
CONTROL_PATIENCE = 20.0
# How often such machines are at work until they lose something.
CONTROL_ROUNDS = 80

# How long an instance may take to read what its file holds.
REST_PATIENCE = 5.0


def line(name, cells):
    texts = {key: f"{value:.1f}" if isinstance(value, float) else str(value) for key, value in cells.items()}
    return f"{name:14}" + "".join(f"{texts.get(column, '-'):>{max(len(column), 8) + 2}}" for column in COLUMNS)


def table(engine, count, folder, tally, options):
    """All of it, on so many machines and one that joins last."""
    fleet = Fleet(engine, count, folder, options)
    try:
        if options.inside and engine == Mounted.name:
            return tally.take(refused(fleet.nodes[0]))
        tally.take(fleet.start())
        if tally.failed:
            return
        control(fleet, tally)
        print("\n" + line("scenario", {column: column for column in COLUMNS}), flush=True)
        audit = Audit(fleet)
        for name in options.scenarios:
            if options.inside and name in WITH_SAVES and fleet.nodes[0].engine.overwrites:
                print(f"{name:14}  not tried: {fleet.nodes[0].engine.overwrites}", flush=True)
                continue
            if not scenario(name, fleet, audit, tally):
                return
        joins_last(fleet, tally)
        # An engine may just have brought one that is about to be taken in.
        until(lambda: not copies(fleet.nodes))
        left = copies(fleet.nodes)
        print(f"{len(left)} copies that the engine made where two of a name met are left")
        if options.inside:
            for node in fleet.nodes:
                node.worker.close()
            stray = strays(fleet.nodes)
            print(f"{len(stray)} files are left that were beside the file for an instant")
            expected = stray if fleet.nodes[0].engine.leaves_nothing_out else set()
            tally.take([f"left: {name}" for name in sorted(left | stray - expected)])
    finally:
        fleet.close()


def refused(node):
    """Complaints unless `share` refuses a file that other machines have mounted, and says what to do instead."""
    node.engine.start()
    with open(node.seen, "w") as file:
        json.dump(START, file)
    until(lambda: node.do("mountpoint", "-q", node.engine.mount).returncode == 0)
    done = node.do(node.binary, "share", node.path)
    is_refused = done.returncode == 4 and "'replicate share FILE FOLDER'" in done.stderr
    print("share FILE refuses it" if is_refused else f"share FILE ended with {done.returncode}: {done.stderr}")
    return [] if is_refused and not os.path.exists(node.journals) else ["a file in a mounted folder was shared there"]


def strays(nodes):
    """What was left beside the files."""
    return {os.path.join(os.path.dirname(node.seen), name) for node in nodes
            for name in os.listdir(os.path.dirname(node.seen)) if ".replicate-" in name}


def control(fleet, tally):
    """The same without `share`: the file itself is in the synced folder, and increments must be seen to be lost."""
    paths = [os.path.join(node.engine.seen(PLAIN), "state.json") for node in fleet.nodes]
    with open(paths[0], "w") as file:
        file.write('{"n": 0, "tokens": {}}\n')
    if until(lambda: are_equal(paths)) is None:
        return tally.take(["the engines never brought a file to all machines"])
    shared = [node.worker for node in fleet.nodes]
    for node in fleet.nodes:
        node.worker = Worker(node, fleet.options.replicate, os.path.join(node.engine.place(PLAIN), "state.json"))
    answered = found = 0
    # Where all have mounted one folder it takes some luck.
    for _ in range(CONTROL_ROUNDS):
        fleet.work(lambda: pause(fleet.options.control_seconds))
        until(lambda: are_equal(paths), CONTROL_PATIENCE)
        answered += sum(node.worker.count.increments for node in fleet.nodes)
        found = max((read(path) or START)["n"] for path in paths)
        if found < answered:
            break
    for node, worker in zip(fleet.nodes, shared):
        node.worker.close()
        node.worker = worker
    print(f"control: without `share`, {answered - found} of {answered} increments were lost", flush=True)
    tally.take([] if found < answered else ["plain files lost nothing: this harness would not notice a loss"])


def scenario(name, fleet, audit, tally):
    """A row; whether all machines came to the same, so that another one can follow."""
    happening = fleet.work(lambda: SCENARIOS[name](fleet, fleet.options.seconds), are_typing=name == "verbs")
    cells = {"saves": happening.saves, "cuts": happening.cuts, "kills": happening.kills}
    complaints = happening.complaints
    equal = fleet.until_equal()
    if equal is not None:
        cells["equal"] = equal
        # Asking for that also looks at what has come, so it is done last.
        reading = fleet.until_read()
        if reading is None:
            complaints += [f"{node.name} is not sure that all was read: {node.told()}" for node in fleet.nodes]
        else:
            cells["read"] = equal + reading
    is_equal = equal is not None and are_equal(fleet.paths)
    if not is_equal:
        complaints += [f"not equal; {node.name}: {node.told()}" for node in fleet.nodes]
    counted, wrong = audit.take([read(path) or START for path in fleet.paths])
    complaints += wrong
    for node in fleet.nodes:
        complaints += at_rest(node)
    print(line(name, cells | counted), flush=True)
    if happening.astray:
        astray = f"{happening.astray} more saves went into a file that had been replaced while an editor had it open"
        # An engine may do that, and then nobody can find them; instances don't.
        print(f"{'':14}  {astray}", flush=True)
        complaints += [] if fleet.options.inside else [astray]
    tally.take(complaints)
    return is_equal


def at_rest(node):
    """What a machine that is at rest complains of."""
    worker = node.worker
    if node.engine.process.poll() is not None:
        worker.complaints.append(f"{node.engine.name} on {node.name} has ended: {node.engine.last_words()}")
    if until(lambda: worker.value() == read(node.seen), REST_PATIENCE) is None:
        worker.complaints.append(f"the instance on {node.name} holds something else than its file")
    complaints = worker.complaints + [f"{node.name} tells: {problem}" for problem in worker.problems.values()]
    worker.complaints = []
    return complaints + node.verify()


def joins_last(fleet, tally):
    """A machine that was never there before comes to the same."""
    late = fleet.late
    late.engine.start()
    complaints = fleet.join(late)
    equal = None
    if not complaints:
        equal = fleet.until_equal(fleet.nodes + [late])
        if equal is None:
            complaints = [f"never the same as the others; {late.name}: {late.told()}"]
        complaints += at_rest(late)
    value = read(late.seen) or START
    print(line("joins last", {"counter": value["n"]} | ({} if equal is None else {"equal": equal})), flush=True)
    tally.take(complaints)
