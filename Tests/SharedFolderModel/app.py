"""An app: its state, its actions, and what two versions of it make of them; and the verbs of the command, which every
instance can reduce."""

from documents import copy
from values import ABSENT

INITIAL = {"n": 0, "m": 0, "title": "", "tokens": {}, "rows": [], "tags": []}
VERBS = ("set", "increment", "append")


def reduce(state, action, app):
    """Applies one action to a document; `app` is [version, name] of the app that runs, or None where only the command does."""
    kind, *arguments = action
    if kind in VERBS:
        return VERB[kind](state, *arguments)
    state = copy(state) if isinstance(state, dict) else copy(INITIAL)
    for key, value in INITIAL.items():
        if type(state.get(key)) is not type(value):
            state[key] = copy(value)
    ACTION[kind](state, app[0], *arguments)
    return state


def token(state, version, name):
    state["tokens"][name] = 1


def add(state, version, count):
    state["n"] += count


def cap(state, version, limit):
    state["m"] = min(state["m"] + 1, limit if version < 1 else min(limit, 4))


def row(state, version, name, place):
    if all(existing["id"] != name for existing in state["rows"]):
        state["rows"].insert(place % (len(state["rows"]) + 1), {"id": name, "v": 0})


def row_up(state, version, name):
    for existing in state["rows"]:
        if existing["id"] == name:
            existing["v"] = existing.get("v", 0) + 1


def drop(state, version, name):
    state["rows"] = [existing for existing in state["rows"] if existing["id"] != name]


def tag(state, version, name):
    state["tags"].append(name)


def title(state, version, text):
    state["title"] = text


ACTION = {"token": token, "add": add, "cap": cap, "row": row, "row+": row_up, "drop": drop, "tag": tag, "title": title}


def pointer(*tokens):
    """A JSON pointer."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)


def tokens_of(text):
    return [token.replace("~1", "/").replace("~0", "~") for token in text.split("/")[1:]]


def changed(value, tokens, change):
    """A document with one place changed. Objects that are missing on the way are made; where something else is in the way,
    nothing changes."""
    if not tokens:
        return change(value)
    if value is not ABSENT and not isinstance(value, dict):
        return value
    members = {} if value is ABSENT else value
    return {**members, tokens[0]: changed(members.get(tokens[0], ABSENT), tokens[1:], change)}


def set_verb(state, place, value):
    return changed(state, tokens_of(place), lambda old: value)


def increment_verb(state, place, count):
    """A number that is missing starts at zero; what is none stays."""
    def added(old):
        old = 0 if old is ABSENT else old
        return old + count if isinstance(old, int) else old
    return changed(state, tokens_of(place), added)


def append_verb(state, place, element):
    """A list that is missing is made; what is none stays."""
    def appended(old):
        old = [] if old is ABSENT else old
        return old + [element] if isinstance(old, list) else old
    return changed(state, tokens_of(place), appended)


VERB = {"set": set_verb, "increment": increment_verb, "append": append_verb}
