"""What was done to a value, as sparse as it can be said, so that it can be done to another value.

A change is one of these, as JSON:

    {"was": V, "is": W}                 the place held V and holds W; a member that is missing: nothing was, or is, there
    {"in": {KEY: CHANGE}}               members of an object changed
    {"by": KEY, "was": [ID], "is": [ID], "of": [[ID, CHANGE]]}
                                        elements of a list changed, which KEY tells apart. "was" and "is" have those that
                                        changed, came, went, or stand beside one that came, in their order; all that
                                        stayed, if any moved
    {"add": N}                          N was added to a number

Where both sides are lists without a key, the whole lists are said.
"""

from mends import holds
from values import ABSENT, common_key, identity, merge, merge_order


def difference(old, new, sums=()):
    """The change that makes one value of another, or None where they are equal. `sums` has the members of the outermost
    object that are numbers to which is added."""
    if old == new:
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        members = {key: difference(old.get(key, ABSENT), new.get(key, ABSENT)) for key in {**old, **new}}
        for key in sums:
            if isinstance(old.get(key), int) and isinstance(new.get(key), int) and members[key]:
                members[key] = {"add": new[key] - old[key]}
        return {"in": {key: change for key, change in members.items() if change}}
    if isinstance(old, list) and isinstance(new, list):
        key = common_key(old, new)
        if key is not None:
            return keyed_difference(key, old, new)
    change = {}
    if old is not ABSENT:
        change["was"] = old
    if new is not ABSENT:
        change["is"] = new
    return change


def keyed_difference(key, old, new):
    before, after = ({element[key]: element for element in elements} for elements in (old, new))
    moved = [name for name in before if name in after] != [name for name in after if name in before]
    changes = {name: difference(before.get(name, ABSENT), after.get(name, ABSENT)) for name in {**before, **after}}
    named = {name for name in changes if changes[name] or moved}
    inserted, previous = False, None
    for name in after:
        if name not in before:
            if previous is not None:
                named.add(previous)
            inserted = True
        elif inserted:
            if holds("neighbours"):
                named.add(name)
            inserted = False
        previous = name
    return {"by": key, "was": [name for name in before if name in named],
            "is": [name for name in after if name in named],
            "of": [[name, change] for name, change in changes.items() if change]}


def cost(change):
    """How much a save would have changed, if this is what it changed. That something is absent proves little, so what it
    took away counts threefold."""
    if change is None:
        return 0
    if "in" in change:
        return sum(map(cost, change["in"].values()))
    if "by" in change:
        return sum(cost(inner) for _, inner in change["of"]) + (1 if change["was"] != change["is"] else 0)
    return 3 * size(change.get("was", ABSENT)) + size(change.get("is", ABSENT))


def size(value):
    if value is ABSENT:
        return 0
    if isinstance(value, dict):
        return 1 + sum(map(size, value.values()))
    if isinstance(value, list):
        return 1 + sum(map(size, value))
    return 1


class Ghosts:
    """What was removed somewhere, or gave way to a value of another kind, place by place, and by which line. It comes from
    the changes alone, in their order, so that it is the same whatever value the fold begins with."""

    def __init__(self):
        self.value = ABSENT
        self.line = 0
        self.inner = {}

    def at(self, token):
        """The ghosts of one member, or of one element by (key, identity)."""
        return self.inner.get(token, NO_GHOSTS)

    def made(self, token):
        return self.inner.setdefault(token, Ghosts())

    def remember(self, change, line=0):
        """Remembers what a line's change removed; sets of lines are integers, see journal.py."""
        if not change:
            return
        if "in" in change:
            for key, inner in change["in"].items():
                self.made(key).remember(inner, line)
        elif "by" in change:
            for name, inner in change["of"]:
                self.made((change["by"], name)).remember(inner, line)
        elif "was" in change:
            was, now = change["was"], change.get("is", ABSENT)
            if type(was) is not type(now):
                self.value, self.line = was, line
            elif isinstance(was, list) and (key := common_key(was)):
                stayed = {identity(element, key) for element in now}
                for element in was:
                    if element[key] not in stayed:
                        ghost = self.made((key, element[key]))
                        ghost.value, ghost.line = element, line

    def copy(self, lines):
        """The same, without what other lines than these removed."""
        other = Ghosts()
        if self.line & lines:
            other.value, other.line = self.value, self.line
        for token, inner in self.inner.items():
            inner = inner.copy(lines)
            if inner.inner or inner.line:
                other.inner[token] = inner
        return other


NO_GHOSTS = Ghosts()


def apply(change, value, ghosts=NO_GHOSTS):
    """Does to a value what was done to another one; the change counts as the newer side."""
    if change is None:
        return value
    if "in" in change:
        old = revive(value, dict, ghosts)
        if not isinstance(old, dict):
            return value
        new = dict(old)
        for key, inner in change["in"].items():
            result = apply(inner, old.get(key, ABSENT), ghosts.at(key))
            if result is ABSENT:
                new.pop(key, None)
            else:
                new[key] = result
        return new
    if "by" in change:
        old = revive(value, list, ghosts)
        return apply_keyed(change, old, ghosts) if isinstance(old, list) else value
    if "add" in change:
        if not isinstance(value, int):
            value = ghosts.value if holds("ghosts") and isinstance(ghosts.value, int) else value
        return value + change["add"] if isinstance(value, int) else value
    return merge(change.get("was", ABSENT), value, change.get("is", ABSENT))


def revive(value, container, ghosts):
    """What is changed inside: the value, or, where that was removed meanwhile or replaced by another kind, what it was. Where
    nobody knows that any more, nothing can be changed inside of it."""
    if not isinstance(value, container) and holds("ghosts") and isinstance(ghosts.value, container):
        return ghosts.value
    return value


def apply_keyed(change, elements, ghosts):
    if not holds("keys"):
        was, now = written_out(change)
        return merge(was, elements, now)
    key, changes = change["by"], {name: inner for name, inner in change["of"]}
    present, inert, last = {}, {}, None
    for element in elements:
        name = identity(element, key)
        if name is ABSENT or name in present:
            inert.setdefault(last, []).append(element)
        else:
            present[name] = element
            last = name
    survivors = {}
    for name in {**dict.fromkeys(change["was"]), **present, **dict.fromkeys(change["is"])}:
        value = present.get(name, ABSENT)
        if name in changes:
            value = apply(changes[name], value, ghosts.at((key, name)))
        if value is not ABSENT:
            survivors[name] = value
    if not holds("inert"):
        inert = {}
    result = inert.pop(None, [])[:]
    for name in merge_order(change["was"], list(present), change["is"], survivors, closed=gaps_closed(change, survivors)):
        result.append(survivors[name])
        result += inert.pop(name, [])
    for rest in inert.values():
        result += rest
    return result


def gaps_closed(change, survivors):
    """What came where the element behind it is gone. How far the insertions of others go there nobody can tell, so it stands
    right behind the element before it."""
    closed, gone = set(), False
    before = set(change["was"])
    for name in reversed(change["is"]):
        if name in before:
            gone = name not in survivors
        elif gone:
            closed.add(name)
    return closed


def written_out(change):
    """A keyed change as two sparse lists, from which nobody can tell how they are keyed."""
    changes, was, now = dict((name, inner) for name, inner in change["of"]), [], []
    for name in change["was"]:
        was.append({change["by"]: name, **sparse(changes.get(name))[0]})
    for name in change["is"]:
        now.append({change["by"]: name, **sparse(changes.get(name))[1]})
    return was, now


def sparse(change):
    if not change:
        return {}, {}
    if "in" in change:
        pairs = {key: sparse(inner) for key, inner in change["in"].items()}
        return tuple({key: pair[side] for key, pair in pairs.items() if pair[side] is not ABSENT} for side in (0, 1))
    if "by" in change:
        return written_out(change)
    return change.get("was", ABSENT), change.get("is", ABSENT)
