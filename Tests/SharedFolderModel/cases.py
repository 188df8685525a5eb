"""What broke earlier designs of the shared folder, each a few lines: a function that says what is wrong, by `expect`. `RULES`
has the rules that each of them misses when they are left out."""

import contextlib
import random

import laws
import mends
from app import INITIAL, pointer
from change import cost, difference
from device import Device
from documents import copy
from file_inside import COPIES, BurstWorld, FileDevice, FileWorld
from journal import value_hash
from values import ABSENT
from world import APPS, World, check_seed
import app as apps

CASES = {}


def case(*rules):
    """Marks a case, and the rules without which it goes wrong; or sets of rules, where each of them is enough."""
    def mark(function):
        CASES[function.__name__] = (function, rules)
        return function
    return mark


class Failure(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failure(what)


def start(kind, names="ab", version=0, skews=(), freezes=False):
    """Devices that have all heard of each other."""
    world = kind()
    world.kills, world.freezes = 0, freezes
    for number, name in enumerate(names):
        world.device(name, skews[number] if skews else 0, version)
    if isinstance(world, FileWorld):
        world.engine = COPIES
    world.devices[0].seed(INITIAL)
    share(world)
    share(world)
    return world


def share(world, among=None, journals=True, files=True, rounds=1):
    """Everything reaches everybody, and each syncs."""
    devices = [device for device in world.devices if among is None or device.name in among]
    for _ in range(rounds):
        for source in devices:
            for target in devices:
                if source is target:
                    continue
                if journals:
                    World.deliver(world, source, target)
                if files and isinstance(world, FileWorld) and source.file:
                    world.deliver_file(source, target)
        for device in devices:
            world.step(device, certain=True)
        world.time += 5


def same(world, among=None):
    documents = [device.document for device in world.devices if among is None or device.name in among]
    expect(all(document == documents[0] for document in documents), "they differ")
    return documents[0]


def number_of(world, kind):
    return world.lines.mask(kind).bit_count()


# MARK: Exact reducers

@case("settle")
def alternating_actions_settle_at_once():
    world = start(World)
    for turn in range(40):
        for device in world.devices:
            world.time += 1
            device.act("cap", 100)
            device.sync()
    share(world, rounds=4)
    expect(same(world)["m"] == 80, f"m is {same(world)['m']} of 80")
    expect(number_of(world, "settled") <= 2, f"{number_of(world, 'settled')} settled lines")


@case("settle")
def actions_of_a_device_that_never_returns_are_exact():
    world = start(World, "abc")
    for turn in range(8):
        for device in world.devices:
            world.time += 1
            device.act("cap", 100)
            device.sync()
    share(world)
    world.dead.add("c")
    share(world, "ab", rounds=3)
    expect(same(world, "ab")["m"] == 24, "limits are not kept")


@case("settle")
def a_device_that_has_only_the_command_gets_exact_values():
    world = start(World, "ab")
    plain = world.device("c", 0, None)
    for turn in range(10):
        for device in world.devices[:2]:
            world.time += 1
            device.act("cap", 17)
            device.sync()
    share(world, rounds=3)
    expect(plain.document["m"] == 17 and same(world)["m"] == 17, f"m is {plain.document['m']} of 17")


@case("newest app")
def the_newest_version_of_an_app_decides():
    world = start(World)
    newer = world.device("c", 0, 1)
    for turn in range(8):
        for device in world.devices[:2]:
            world.time += 1
            device.act("cap", 30)
            device.sync()
    share(world, rounds=5)
    before = len(world.lines.all)
    share(world, rounds=10)
    expect(same(world)["m"] == 4, f"m is {same(world)['m']}, and the newer app's limit 4")
    expect(len(world.lines.all) == before, "they never fall quiet")
    expect(newer.document["m"] == 4, "the newer app sees something else")


@case()
def an_impure_reducer_falls_quiet_and_is_named():
    world = start(World)
    rolls = random.Random(1)
    pure = apps.ACTION["title"]
    apps.ACTION["title"] = lambda state, version, text: state.update(title=str(rolls.random()))
    try:
        for device in world.devices:
            world.time += 1
            device.act("title", device.name)
            device.sync()
        share(world, rounds=6)
        before = len(world.lines.all)
        share(world, rounds=20)
    finally:
        apps.ACTION["title"] = pure
    same(world)
    expect(len(world.lines.all) == before, "it is a storm")
    expect(number_of(world, "settled") <= 4, f"{number_of(world, 'settled')} settled lines")
    expect(any("impure" in device.problems for device in world.devices), "nobody says so")


@case()
def two_versions_on_one_device_fall_quiet():
    world = start(World, "a")
    device = world.devices[0]
    device.act("cap", 30)
    device.sync()
    for turn in range(20):
        device.app = [turn % 2, "app"]
        device.sync()
    before = len(world.lines.all)
    for turn in range(20):
        device.app = [turn % 2, "app"]
        device.sync()
    expect(len(world.lines.all) == before, "each look adds lines")


# MARK: Sparse changes

@case("neighbours", "keys", "inert", "ghosts")
def changes_keep_their_laws():
    found = laws.broken_laws(random.Random(1), 3000)
    expect(not found, f"broken: {', '.join(found)}")


@case("neighbours")
def a_reducer_that_inserts_at_the_front_needs_no_correction():
    world = start(World, "a")
    device = world.devices[0]
    for name in ("x", "y", "z"):
        device.act("row", name, 0)
        seen = device.document
        device.sync()
        expect(device.document == seen, "a sync puts it elsewhere")
    expect(number_of(world, "settled") == 0, "it took a settled line")


# MARK: Causes

@case("gate")
def nobody_sees_an_effect_before_its_cause():
    world = start(World, "abc")
    a, b, c = world.devices
    a.act("token", "question")
    a.sync()
    World.deliver(world, a, b)
    b.sync()
    b.act("token", "question/answer")
    b.sync()
    c.folder[b.writer] = list(b.folder[b.writer])       # b's journal arrives, a's doesn't
    c.sync()
    expect("question/answer" not in c.document["tokens"], "c sees the answer without the question")
    share(world, rounds=2)
    expect("question/answer" in c.document["tokens"], "the answer never comes")


@case("carry")
def the_last_lines_of_a_silent_device_are_carried():
    world = start(World, "abcd")
    a, b, c, d = world.devices
    d.act("token", "d1")
    d.sync()
    World.deliver(world, d, c)
    c.sync()
    c.act("token", "c1")
    c.sync()
    world.dead.add("d")
    for device in (a, b, c):
        device.folder.pop(d.writer, None)               # nobody's folder has d's journal any more
    share(world, "abc", rounds=8)
    expect({"d1", "c1"} <= set(same(world, "abc")["tokens"]), "what came after d's last line is mute")


@case("causes first")
def what_was_read_stands_before_what_was_made_of_it():
    world = start(World, skews=(5000, 0))
    a, b = world.devices
    a.act("title", "first")
    share(world, rounds=2)
    b.act("title", "second")
    share(world, rounds=2)
    expect(same(world)["title"] == "second", "the clock that is ahead wins over who had read it")


@case("plain clocks")
def a_clock_that_was_ahead_once_poisons_nobody():
    world = start(World)
    a, b = world.devices
    b.skew = 315_360_000
    b.act("title", "start")
    b.sync()
    b.skew = 0
    share(world, rounds=2)
    for turn in range(20):
        share(world, rounds=2)
        world.time += 1000
        for n in range(1 + turn % 5):
            a.act("title", f"a{turn}.{n}")
            a.sync()
            world.time += 1
        world.time += 1000
        b.act("title", f"b{turn}")
        b.sync()
        share(world, rounds=2)
        expect(same(world)["title"] == f"b{turn}", "an edit that is later by a good while lost")


# MARK: Devices

@case("incarnation")
def a_cloned_machine_writes_under_a_name_of_its_own():
    world = start(World, "ac")
    a, c = world.devices
    twin = world.clone(a)
    for turn in range(3):
        world.time += 1
        for device in (a, twin):
            device.act("token", f"{turn}-{'twin' if device is twin else 'first'}")
            device.sync()
    share(world, rounds=6)
    conflicts = world.statistics["conflicts"]
    for turn in range(3):
        for device in (a, twin):
            device.act("token", f"later {turn}-{'twin' if device is twin else 'first'}")
            device.sync()
        share(world, rounds=3)
    expect(len(same(world)["tokens"]) == 12, "lines of one of them are lost")
    expect(world.statistics["conflicts"] == conflicts, "the engine makes conflict copies of their journals without end")


@case("seed at zero")
def the_defaults_of_a_new_device_never_win():
    world = start(World, "a")
    a = world.devices[0]
    a.act("title", "My project")
    a.act("add", 7)
    a.sync()
    world.time += 1000
    b = world.device("b")
    b.seed({**copy(INITIAL), "title": "Untitled"})
    b.act("token", "new")
    share(world, rounds=3)
    document = same(world)
    expect(document["title"] == "My project" and document["n"] == 7, f"the title is {document['title']!r}")
    expect("new" in document["tokens"], "what the new device did is lost")


@case()
def the_contents_of_a_new_device_are_added():
    world = start(World, "a")
    a = world.devices[0]
    a.act("title", "My project")
    a.act("row", "r", 0)
    a.sync()
    b = world.device("b")
    b.seed(world.contents("mine"), "contents")
    share(world, rounds=3)
    document = same(world)
    expect(document["title"] == "My project" and document["own"] == "mine", "one side's contents are lost")
    expect({row["id"] for row in document["rows"]} == {"r", "mine"}, "rows are lost")


@case("own log")
def of_two_users_on_one_file_each_exports_what_it_did():
    world = start(World, skews=(10, 0))
    a, b = world.devices
    a.act("add", 1)
    a.act("tag", "x")
    b.document = copy(a.document)                       # one FILE: b's instance adopts what a's committed
    b.sync()
    a.sync()
    share(world, rounds=3)
    document = same(world)
    expect(document["n"] == 1 and document["tags"] == ["x"], f"n is {document['n']} of 1, tags {document['tags']}")


@case("read back")
def what_was_appended_before_a_kill_is_not_exported_again():
    world = start(World)
    a, b = world.devices
    a.act("add", 5)
    a.act("tag", "x")
    world.kill(a)
    a.sync()
    share(world, rounds=2)
    document = same(world)
    expect(document["n"] == 5 and document["tags"] == ["x"], f"n is {document['n']} of 5, tags {document['tags']}")


# MARK: Checkpoints

@case("cut in order")
def a_checkpoint_is_a_prefix_of_the_order():
    random_worlds(12, 17, 73)


@case("acknowledged")
def a_checkpoint_waits_for_all():
    random_worlds(0, 73, 89)


@case("ghosts under checkpoints")
def an_edit_of_what_was_removed_under_a_checkpoint_brings_all_of_it_back():
    random_worlds(242, 672, 860)


def random_worlds(*seeds):
    """Random worlds in which these rules were seen to matter."""
    for seed in seeds:
        breaches = check_seed(seed, APPS[seed % len(APPS)], World).breaches
        expect(not breaches, f"seed {seed}: {', '.join(breaches)}")


# MARK: FILE in the folder

def save(device, change, moment=0):
    """Somebody saves FILE, where no instance looks yet; a moment after the last time, if one is given."""
    device.world.time += 0 if moment else 10
    content = copy(device.file[0])
    change(content)
    device.put(content, device.clock * 1000 + 500 + moment)


def titled(text):
    return lambda content: content.__setitem__("title", text)


@case("restore")
def a_person_goes_back_and_forth():
    world = start(FileWorld, "a")
    a = world.devices[0]
    for text in ("on", "", "on", ""):
        save(a, titled(text))
        share(world, rounds=2)
        expect(a.document["title"] == text, f"saved {text!r}, and the state says {a.document['title']!r}")


@case("restore")
def a_person_goes_back_and_forth_where_no_instance_runs():
    world = start(FileWorld)
    a, b = world.devices
    for text in ("on", "off", "on", "off"):
        save(b, titled(text))
        for _ in range(4):
            World.deliver(world, a, b)
            World.deliver(world, b, a)
            world.deliver_file(b, a)
            world.deliver_file(a, b)
            world.step(a, certain=True)
            world.time += 5
        expect(a.document["title"] == text, f"saved {text!r}, and the other one says {a.document['title']!r}")


@case("restore")
def an_older_version_is_brought_back_on_purpose():
    world = start(FileWorld)
    a, b = world.devices
    a.act("title", "v1")
    a.act("row", "r", 0)
    share(world, rounds=3)
    old = copy(a.file[0])
    a.act("title", "v2")
    a.act("drop", "r")
    b.act("tag", "x")
    share(world, rounds=3)
    save(a, lambda content: (content.clear(), content.update(copy(old))))
    share(world, rounds=4)
    expect(same(world) == old, f"it says {same(world)['title']!r}")


@case("restore", "consequence")
def the_same_save_again_counts_again():
    world = start(FileWorld)
    a, b = world.devices
    save(b, titled("x"))
    share(world, rounds=3)
    a.act("title", "y")
    share(world, rounds=3)
    save(b, titled("x"))
    share(world, rounds=3)
    expect(same(world)["title"] == "x", "the second save counts for nothing")
    # An instance writes what is equal to the save, because of the save, and in the same instant.
    content = {**copy(b.file[0]), "title": "z"}
    time = b.clock * 1000
    b.put(content, time)
    share(world, "b", journals=False, files=False)
    a.append({"kind": "ack"})
    World.deliver(world, b, a)
    a.sync()
    a.append({"kind": "wrote", "versions": [[value_hash(content), time]]})
    share(world, rounds=3)
    expect(same(world)["title"] == "z", "what was written because of a save makes it void")


@case()
def an_echo_that_comes_before_its_journal_is_no_edit():
    world = start(FileWorld)
    a, b = world.devices
    for turn in range(3):
        a.act("add", 1)
        b.act("add", 1)
    share(world, journals=False, rounds=3)              # FILE travels, the journals don't
    share(world, rounds=6)
    expect(same(world)["n"] == 6, f"the counter is {same(world)['n']} of 6")


@case(("void", "nearer base"))
def files_that_travel_for_long_without_journals_come_right():
    for seed in range(8):
        world = start(FileWorld, "abc")
        world.random.seed(seed)
        for turn in range(20):
            device = world.random.choice(world.devices)
            device.act("add", 1)
            device.act("tag", f"{turn}")
            if turn % 4 == 0:
                share(world, journals=False)
        share(world, rounds=12)
        document = same(world)
        expect(document["n"] == 20, f"the counter is {document['n']} of 20, seed {seed}")
        expect(sorted(document["tags"], key=int) == [str(turn) for turn in range(20)], f"tags are lost or twice, seed {seed}")


@case(("burst", "nearer base"))
def a_version_from_within_a_burst_is_known():
    world = start(FileWorld)
    a, b = world.devices
    a.act("add", 100)
    share(world, rounds=3)
    for step, _ in enumerate(a.burst([("add", 1)] * 10)):
        if step == 4:
            world.deliver_file(a, b)                    # the engine happens to read this one
    world.step(b, certain=True)                         # b judges before any journal comes
    share(world, rounds=6)
    expect(same(world)["n"] == 110, f"the counter is {same(world)['n']} of 110")


@case("wait")
def what_a_burst_puts_into_file_waits_for_the_bursts_end():
    world = start(FileWorld)
    world.random.random = lambda: .99                   # b doesn't wait for other reasons
    a, b = world.devices
    for step, _ in enumerate(a.burst([("add", 1)] * 4)):
        if step == 1:
            World.deliver(world, a, b)
            world.deliver_file(a, b)
            world.step(b, certain=False)
    expect(number_of(world, "save") == 0, "it was taken for an edit")


@case("hold")
def a_version_with_more_than_ours_stays():
    world = start(FileWorld, "bcd")
    world.random.random = lambda: .99
    b, c, d = world.devices
    d.act("token", "lost")
    c.folder[d.writer] = list(d.folder[d.writer])       # reaches c alone, and then d is gone
    world.dead.add("d")
    world.step(c, certain=True)
    for device in (b, c):
        device.folder.pop(d.writer, None)
    c.act("token", "c")
    b.act("token", "b")
    writes = world.statistics["writes"]
    for device in (b, c):
        device.carry = lambda: None                     # nobody carries yet
    share(world, "bc", rounds=30)
    writes = world.statistics["writes"] - writes
    expect(writes <= 3, f"FILE is written {writes} times by nobody's doing")


@case("old file")
def a_version_from_under_a_checkpoint_is_known():
    world = start(FileWorld, freezes=True)
    world.compacts = True
    a, b = world.devices
    for row in range(9):
        a.act("row", f"r{row}", 0)
    share(world, rounds=3)
    old = a.file
    for row in range(9):
        a.act("drop", f"r{row}")
    b.act("title", "2026")
    share(world, rounds=8)
    expect(number_of(world, "checkpoint") > 0, "there is no checkpoint")
    for device in world.devices:                        # what the checkpoint stands for is gone
        device.known &= ~world.fold.covered(device.counted)
        device.log.clear()
    b.copies.append(old)                                # a year later
    share(world, rounds=4)
    expect(same(world)["rows"] == [], f"{len(same(world)['rows'])} rows that were removed are back")
    expect(same(world)["title"] == "2026", "the title is an old one")


@case("mistaken")
def a_checkpoint_that_took_an_echo_for_an_edit_counts_no_more():
    world = start(FileWorld, freezes=True)
    a, b = world.devices
    c = world.device("c")
    World.deliver(world, a, c)
    world.deliver_file(a, c)
    world.step(c, certain=True)
    for turn in range(4):
        a.act("add", 1)
        b.act("add", 1)
        c.act("add", 3)
    world.deliver_file(c, b)                            # nobody has heard of c yet
    world.step(b, certain=True)
    for turn in range(8):
        a.act("token", f"t{turn}")
        share(world, "ab", rounds=3)
    expect(number_of(world, "checkpoint") > 0, "there is no checkpoint")
    share(world, rounds=8)
    expect(same(world)["n"] == 20, f"the counter is {same(world)['n']} of 20")


@case("nearer base")
def a_base_that_nobody_knew_is_found_though_the_taker_is_gone():
    world = start(FileWorld, "ac")
    a, c = world.devices
    for turn in range(5):
        a.act("add", 20)
        a.act("row", f"r{turn}", 50)
    edited = copy(a.file[0])
    edited["title"] = "edited"
    a.act("add", 30)
    a.act("drop", "r0")
    world.time += 60
    b = world.device("b")
    b.file, b.vector = (edited, world.time * 1000 + 500), {**a.vector, "phone": 1}
    world.step(b, certain=True)                         # b has no journals, takes it, and is never seen again
    World.deliver(world, b, a)
    world.dead.add("b")
    share(world, "ac", rounds=5)
    document = same(world, "ac")
    expect(document["title"] == "edited", "the save is lost")
    expect(document["n"] == 130 and "r0" not in [row["id"] for row in document["rows"]], f"n is {document['n']} of 130")


@case("fresh base")
def the_base_of_a_save_is_no_version_that_contains_it():
    world = start(FileWorld)
    a, b = world.devices
    a.act("title", "old")
    share(world, rounds=3)
    save(b, lambda content: content["tokens"].update(mine=1))
    share(world, rounds=8)
    expect("mine" in same(world)["tokens"], "a version that has the save explains it away")


@case()
def a_save_is_compared_with_each_version_once():
    world = start(FileWorld)
    a, b = world.devices
    for turn in range(60):
        world.devices[turn % 2].act("token", f"t{turn}")
        share(world)
    share(world, rounds=3)
    save(b, titled("x"))
    before = len(world.costs)
    share(world, rounds=6)
    versions = number_of(world, "wrote") + len(a.log) + len(b.log)
    expect(same(world)["title"] == "x", "the save is lost")
    expect(len(world.costs) - before <= versions + 20, f"{len(world.costs) - before} differences for {versions} versions")


@case("echo of a consequence")
def who_takes_back_what_came_after_a_save_says_nothing_of_that():
    world = start(FileWorld)
    a, b = world.devices
    save(a, lambda content: content["tokens"].update(mine=1))
    world.step(a, certain=True)
    a.act("token", "t")
    world.deliver_file(a, b)                            # before its journal: b takes it for a save
    world.step(b, certain=True)
    edited = copy(b.document)
    del edited["tokens"]["t"]
    world.time += 60
    b.edit(edited)                                      # so it writes the very bytes that were saved
    share(world, rounds=8)
    expect("mine" in same(world)["tokens"], "a save that b had never heard of is void")


@case("base that has it")
def what_was_made_from_a_save_is_no_base_of_it_either_if_it_seemed_to_be_a_save():
    world = start(FileWorld)
    a, b = world.devices
    share(world, rounds=3)
    save(a, lambda content: content["tokens"].update(p1=1, p2=1, p3=1, p4=1))
    saved = a.file
    world.step(a, certain=True)
    world.time += 60
    a.act("token", "t")
    world.deliver_file(a, b)                            # before its journal: b takes it for a save
    world.step(b, certain=True)
    b.copies.append(saved)                              # and this for what t was taken away from
    world.step(b, certain=True)
    share(world, rounds=8)
    expect(set(same(world)["tokens"]) >= {"p1", "p2", "p3", "p4", "t"}, f"there is {', '.join(same(world)['tokens'])}")


@case("just after")
def saves_in_a_row_are_not_made_from_each_other():
    world = start(FileWorld)
    a, b = world.devices
    share(world, rounds=3)
    save(a, lambda content: content["tokens"].update(p1=1, p2=1, p3=1, p4=1))
    world.deliver_file(a, b)
    save(a, lambda content: content["tokens"].update(p5=1), moment=1)
    world.step(a, certain=True)                         # a has never met the first one
    a.copies.append(b.file)                             # until the engine brings it back as a copy
    for device in world.devices:
        world.step(device, certain=True)                # b has met nothing else
    share(world, rounds=8)
    missing = [name for name in ("p1", "p2", "p3", "p4", "p5") if name not in same(world)["tokens"]]
    expect(not missing, f"{', '.join(missing)} is gone")


@case("just before")
def of_two_saves_in_a_row_the_later_one_counts():
    world = start(FileWorld)
    a, b = world.devices
    share(world, rounds=3)
    save(a, titled("first"))
    world.deliver_file(a, b)
    save(a, titled("second"), moment=1)
    world.step(a, certain=True)
    world.step(b, certain=True)
    share(world, rounds=8)
    expect(same(world)["title"] == "second", f"the title is {same(world)['title']}")


@case(("timeless", "nearer base"))
def what_is_found_without_its_time_counts_once():
    world = start(FileWorld)
    a, b = world.devices
    share(world, rounds=3)
    b.act("token", "t")
    save(a, lambda content: content["tokens"].update(mine=1))
    content = a.file[0]
    # It seems to take away what a had not heard of.
    change = difference(b.document, content)
    b.save(content, (value_hash(content), None), 2 * cost(change), change, ("fold", b.counted))
    world.step(a, certain=True)
    share(world, rounds=8)
    expect("mine" in same(world)["tokens"], "the save is lost")
    expect("t" in same(world)["tokens"], "the same save, found elsewhere, takes away what its writer had not seen")


def unbroken(seed, kind=FileWorld):
    """A random world that once broke a promise."""
    world = check_seed(seed, APPS[seed % len(APPS)], kind)
    expect(not world.breaches, ", ".join(world.breaches))


@case("all explanations")
def two_copies_of_one_conflict_are_not_made_from_each_other():
    unbroken(177, BurstWorld)


@case("base under a checkpoint")
def somebody_goes_on_from_a_save_that_stands_on_a_checkpoint():
    unbroken(132)


@case("mend under a checkpoint")
def who_was_offline_knows_what_a_save_on_a_checkpoint_was_made_from():
    unbroken(2881)


@case("late")
def a_save_is_found_after_what_an_instance_had_made_of_it():
    unbroken(10697)


# MARK: Running them

def failure(function):
    """What is wrong, or None."""
    try:
        function()
    except Failure as found:
        return str(found)
    except Exception as error:
        if not mends._left_out:
            raise
        return f"the model failed: {type(error).__name__}: {error}"
    return None


def run(names):
    mends.leave_out()
    wrong = 0
    for name, (function, _) in CASES.items():
        if names and name not in names:
            continue
        found = failure(function)
        wrong += found is not None
        result = "holds " if found is None else "BROKEN"
        print(f"{result}  {name.replace('_', ' ')}{': ' + found if found else ''}", flush=True)
    print(f"{len(names or CASES)} cases, {wrong} broken")
    return wrong == 0


def run_variants(names):
    """Leaves out one rule after another; a case that names it must go wrong."""
    missed, whole = 0, {}
    for rule in mends.RULES:
        if names and rule not in names:
            continue
        caught = False
        for name, (function, variants) in CASES.items():
            for variant in variants:
                variant = (variant,) if isinstance(variant, str) else variant
                if variant[0] != rule:
                    continue
                if name not in whole:
                    # Else a mistake in the model itself would pass for what the rule is missed by.
                    whole[name] = failure(function)
                mends.leave_out(*variant)
                found = None if whole[name] else failure(function)
                mends.leave_out()
                caught = True
                missed += found is None
                print(f"{'caught' if found else 'MISSED'}  {' and '.join(variant)}: {name.replace('_', ' ')}"
                      f"{': ' + found[:110] if found else ''}", flush=True)
        if not caught:
            missed += 1
            print(f"MISSED  {rule}: no case has it")
    print(f"{len(mends.RULES)} rules, {missed} not missed")
    return missed == 0
