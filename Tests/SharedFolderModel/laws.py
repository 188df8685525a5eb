"""Laws of changes, on random documents."""

import collections

from change import Ghosts, apply, difference
from documents import document, edited, edited_elements, copy
from values import common_key, merge


def broken_laws(random, count):
    """How often which law is broken, with the shortest example of each: a dict from the law to (how often, example)."""
    found = {}

    def check(law, holds, *example):
        if not holds:
            times, shortest = found.get(law, (0, None))
            found[law] = (times + 1, min([example] + [shortest] * (shortest is not None), key=lambda e: len(repr(e))))

    for _ in range(count):
        base = document(random)
        new = edited(random, base)
        check("a change is exact on its own base", apply(difference(base, new), base) == new, base, new)

        base = table(random)
        there, here = base, base
        for _ in range(random.randint(1, 2)):
            there = edited_elements(random, copy(there), "id", random.random()) if there else table(random)
            here = edited_elements(random, copy(here), "id", random.random()) if here else table(random)
        ghosts = Ghosts()
        ghosts.remember(difference(base, there))
        result, whole = apply(difference(base, here), there, ghosts), merge(base, there, here)
        check("an element is there once", twice(result) <= max(map(twice, (whole, there, here))), base, there, here, result)
        check("an element is there whole", not partial(result, base, there, here) or partial(whole, base, there, here),
              base, there, here, result)
        check("an element without a key stays", keyless(there) - keyless(base) <= keyless(result), base, there, here, result)
        check("an edit wins over a removal", edits(base, here) - names(result) == set(), base, there, here, result)
        check("what one side did alone is done",
              base != there or result == here, base, there, here, result)
    return found


def table(random):
    return [{"id": name, "t": random.choice("abc"), "v": random.randint(0, 3)}
            for name in random.sample(range(6), random.randint(1, 4))]


def names(value):
    return {element["id"] for element in value if isinstance(element, dict) and "id" in element}


def edits(base, here):
    """The elements that changed in one place, where both versions are keyed lists."""
    if common_key(base, here) is None:
        return set()
    before = {element["id"]: element for element in base}
    return {element["id"] for element in here if element["id"] in before and element != before[element["id"]]}


def keyless(value):
    return {repr(element) for element in value if not isinstance(element, dict) or "id" not in element}


def twice(value):
    counts = collections.Counter(element["id"] for element in value if isinstance(element, dict) and "id" in element) \
        if isinstance(value, list) else {}
    return max(counts.values(), default=0)


def partial(result, *sources):
    """Whether an element lacks a member that it has wherever it came from."""
    for element in result:
        if not isinstance(element, dict) or "id" not in element:
            continue
        origins = [set(other) for source in sources for other in source
                   if isinstance(other, dict) and other.get("id") == element["id"]]
        if origins and set.intersection(*origins) - set(element):
            return True
    return False
