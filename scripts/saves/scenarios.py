"""Who saves the file, how, and what that must come to."""
import copy
import dataclasses
import functools
import json
import typing

from editors.by_hand import EDITORS
from editors.case import ELEMENT, TITLE
from saves.world import text


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    # Whether the save is meant as a whole, as an edit of what its writer had read, or brings a version back.
    meant: str
    # Returns what the file must hold; of what can't be decided, what is meant, and what it holds before somebody insists.
    steps: typing.Callable
    programs: dict
    is_by_hand: bool = False
    is_undecidable: bool = False


SCENARIOS = []


def scenario(name, meant, *, is_undecidable=False, **programs):
    def add(steps):
        SCENARIOS.append(Scenario(name, meant, steps, programs, is_undecidable=is_undecidable))
        return steps
    return add


def changed(value, **members):
    return {**copy.deepcopy(value), **members}


def retitled(value):
    value = copy.deepcopy(value)
    value["user"]["title"] = "second title"
    return value


# git

def committed(world):
    """What stands there is committed, and then goes on."""
    world.sh("git init -q -b main; git add state.json; git commit -qm first")
    value = world.value()
    world.meet()
    world.change()
    return value


for name, command in {
    "git checkout": "git checkout -q -- state.json", "git restore": "git restore state.json",
    "git diff, git checkout": "git diff --stat; git checkout -q -- state.json",
    "git reset --hard": "git reset -q --hard", "git stash": "git stash -q",
}.items():
    @scenario(name, "restore", git="git")
    def _(world, command=command):
        value = committed(world)
        world.sh(command)
        return value


@scenario("git stash, git stash pop", "restore", git="git")
def _(world):
    committed(world)
    value = world.value()
    world.sh("git stash -q")
    world.meet()
    world.sh("git stash pop -q")
    return value


for name, before in {
    "git checkout, git pull of what was never here": "", "git diff, git checkout, git pull": "git diff --stat; ",
}.items():
    @scenario(name, "whole", git="git")
    def _(world, before=before):
        # Somebody made it elsewhere of what is committed here.
        new = changed(retitled(committed(world)), counter=100)
        world.sh("git clone -q . ../elsewhere; git remote add origin ../elsewhere")
        (world.root / "elsewhere/state.json").write_text(text(new))
        world.sh(f"git -C ../elsewhere commit -qam second; {before}git checkout -q -- state.json")
        world.verb("set", "state.json", "/search", json.dumps("after"))
        world.verb("undo", "state.json")
        world.sh("git pull -q origin main")
        return new


def switched(world):
    """What is on another branch, made elsewhere, and what is committed here last."""
    other = retitled(committed(world))
    (world.home / "other.json").write_text(text(other))
    world.sh("""
        blob=$(git hash-object -w ../home/other.json)
        tree=$(printf '100644 blob %s\\tstate.json\\n' "$blob" | git mktree)
        git branch other "$(git commit-tree -p main -m other "$tree")"
        git commit -qam second""")
    return other, world.value()


# Git has read both versions that are committed here, and so may an editor that has the first one in a buffer have.
@scenario("git switch to what was never here", "whole", git="git", is_undecidable=True)
def _(world):
    other, last = switched(world)
    world.sh("git switch -q other")
    return other, last | {"user": other["user"]}


@scenario("git switch, and back", "restore", git="git")
def _(world):
    _, last = switched(world)
    world.sh("git switch -q other")
    world.meet()
    world.sh("git switch -qf main")
    return last


# Files put in the place of the file

for name, command in {
    "cp backup": "cp backup state.json", "cp -p backup": "cp -p backup state.json", "mv backup": "mv backup state.json",
    "cat backup >": "cat backup >state.json", "rsync -a backup": "rsync -a backup state.json",
}.items():
    @scenario(name, "restore", **{command.split()[0]: "rsync" if "rsync" in name else "coreutils"})
    def _(world, command=command):
        world.sh("cp -p state.json backup")
        value = world.value()
        world.change()
        world.sh(command)
        return value


def unrelated(count):
    return {"name": "other", "entries": [{"key": f"k{number}", "weight": number * 7} for number in range(count)]}


OTHERS = {
    "{}": {}, "[]": [], "of the same size": unrelated(15), "of a tenth": unrelated(1), "of ten times": unrelated(150)}

for kind, value in OTHERS.items():
    for name, command in {"cp": "cp other state.json", "tee": "tee state.json <other", "mv": "mv other state.json"}.items():
        @scenario(f"{name}, a document {kind}", "whole")
        def _(world, command=command, value=value):
            (world.folder / "other").write_text(text(value))
            world.sh(command)
            return value


for kind in ("{}", "[]"):
    @scenario(f"echo {kind} >", "whole")
    def _(world, kind=kind):
        world.sh(f"echo '{kind}' >state.json")
        return json.loads(kind)


def variant(world):
    """What a program makes that knows what the file held, and hasn't read it; then the file goes on."""
    value = changed(retitled(world.value()), search="variant")
    (world.folder / "variant").write_text(text(value))
    world.change()
    return value


for name, command in {
    "cp": "cp variant state.json", "mv": "mv variant state.json", "tee": "tee state.json <variant",
    "rsync": "rsync --ignore-times variant state.json", "install": "install -m 644 variant state.json",
}.items():
    @scenario(f"{name}, a variant of an older version", "whole", **{name: "rsync" if name == "rsync" else "coreutils"})
    def _(world, command=command):
        value = variant(world)
        world.sh(command)
        return value


for name, command in {
    "mv": "mv variant state.json", "cp -p": "cp -p variant state.json", "rsync -a": "rsync -a variant state.json",
}.items():
    @scenario(f"{name}, made an hour ago of what was read", "whole", **{name.split()[0]: "rsync" if "rsync" in name else "coreutils"})
    def _(world, command=command):
        world.sh("cat state.json >/dev/null")
        value = variant(world)
        world.sh(f"touch -d '1 hour ago' variant; {command}")
        return value


# Nobody can tell who edits a copy of what he has read from who edits a buffer.
@scenario("cp, made of what was read", "whole", is_undecidable=True)
def _(world):
    world.sh("cat state.json >/dev/null")
    value = variant(world)
    last = world.value()
    world.sh("cp variant state.json")
    return value, changed(retitled(last), search="variant")


# Programs that read, change and write

JQ = '.user.title = "second title"'
PYTHON = """
import json, sys, time
value = json.load(open("state.json"))
if len(sys.argv) > 1:
    open("loaded", "w")
    while not __import__("os").path.exists("go"): time.sleep(0.01)
value["user"]["title"] = "second title"
json.dump(value, open("state.json", "w"), indent=4)
"""
NODE = """
const fs = require("fs"), value = JSON.parse(fs.readFileSync("state.json"))
value.user.title = "second title"
fs.writeFileSync("state.json", JSON.stringify(value))
"""

for name, (command, programs) in {
    "jq | sponge": (f"jq '{JQ}' state.json | sponge state.json", {"jq": "jq", "sponge": "moreutils"}),
    "jq, mv": (f"jq '{JQ}' state.json >new; mv new state.json", {"jq": "jq"}),
    "sed -i": ("sed -i 's/first title/second title/' state.json", {"sed": "sed"}),
    "python": ("python3 -c \"$CODE\"", {"python3": "python3"}),
    "node": ("node -e \"$CODE\"", {"node": "nodejs"}),
}.items():
    @scenario(f"{name}, what it has read", "edit", **programs)
    def _(world, command=command, name=name):
        value = world.value()
        world.sh(command, CODE=PYTHON if name == "python" else NODE)
        return retitled(value)

    @scenario(f"{name}, twice", "edit", **programs)
    def _(world, command=command, name=name):
        world.sh(command, CODE=PYTHON if name == "python" else NODE)
        world.meet()
        value = world.change()
        world.sh(command, CODE=PYTHON if name == "python" else NODE)
        return value


# Two who save past each other leave the same.
@scenario("jq, sets one value back and another one anew", "edit", is_undecidable=True, jq="jq", sponge="moreutils")
def _(world):
    before = world.value()
    command = "jq '.items[0].done |= not | .settings.size += 1' state.json | sponge state.json"
    world.sh(command)
    # Whoever runs sees the first save.
    world.verb("watch", "-n1", "state.json")
    between = world.value()
    world.sh(command)
    last = changed(before["settings"], size=before["settings"]["size"] + 2)
    return changed(before, settings=last), changed(between, settings=last)


@scenario("python, what it has read before others went on", "edit", python3="python3")
def _(world):
    world.sh("(python3 -c \"$CODE\" slow; touch done) >/dev/null 2>&1 & while ! test -e loaded; do sleep 0.01; done", CODE=PYTHON)
    value = world.change()
    world.sh("touch go; while ! test -e done; do sleep 0.01; done")
    return retitled(value)


@scenario("a program that dumps its own copy", "edit", python3="python3")
def _(world):
    own = json.loads(world.sh("cat state.json"))
    for number in range(3):
        world.change()
        own["settings"]["size"] += 1
        own["user"]["tags"].append(f"tag {number}")
        (world.folder / "state.json").write_text(text(own))
        world.meet()
    last = world.count
    return changed(own, counter=last, search=f"query {last}", log=[f"entry {number}" for number in range(1, last + 1)])


@scenario("a formatter", "edit", jq="jq")
def _(world):
    value = world.value()
    world.sh("jq -c . state.json >new; mv new state.json")
    return value


# Editors

def applied(value, *edits):
    """What the edits make of a document, which are of its part that only people edit."""
    value = copy.deepcopy(value)
    user = json.dumps(value["user"])
    for edit in edits:
        assert edit.old in user
        user = user.replace(edit.old, edit.new)
    value["user"] = json.loads(user)
    return value


def fresh(world, editor):
    value = world.value()
    with world.opened(editor) as session:
        session.change(TITLE)
        session.save()
    return applied(value, TITLE)


def stale(world, editor):
    with world.opened(editor) as session:
        value = world.change()
        session.change(TITLE)
        session.save()
    return applied(value, TITLE)


def twice(world, editor):
    with world.opened(editor) as session:
        world.change()
        session.change(TITLE)
        session.save()
        world.meet()
        value = world.change()
        session.change(ELEMENT)
        session.save()
    return applied(value, ELEMENT)


# Whoever saves what he has read as it is brings that back.
def unmodified(world, editor):
    value = world.value()
    with world.opened(editor) as session:
        world.change()
        session.save()
    return value


# The others ask what to do as soon as the file changes, and so need one that changes all the time: see scripts/check editors.
QUIET = {name: editor for name, editor in EDITORS.items() if not editor.begin}

for name, editor in QUIET.items():
    kinds = {fresh: "edit", stale: "edit", twice: "edit"}
    if editor.writes_unchanged:
        kinds[unmodified] = "restore"
    for steps, meant in kinds.items():
        SCENARIOS.append(Scenario(
            f"{name}, {steps.__name__}", meant, functools.partial(steps, editor=editor), editor.programs, is_by_hand=True))
