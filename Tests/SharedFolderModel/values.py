"""JSON values and their three-way merge.

A value is a dict, a list, a str, an int, or None. There are no booleans, which Python takes for 0 and 1. What isn't there is
`ABSENT`. Dicts have no order here: the order of members belongs to a file's text, and no device changes another's text.
"""


class Absent:
    def __repr__(self):
        return "ABSENT"


ABSENT = Absent()
USUAL_KEYS = ("id", "_id", "uuid", "key")


def identity(element, key):
    """What tells an element of a keyed list from the others, or ABSENT."""
    if isinstance(element, dict) and isinstance(element.get(key), (str, int)):
        return element[key]
    return ABSENT


def identities(elements, key):
    """Those of all elements, or None unless each has one, and no two have the same."""
    found = [identity(element, key) for element in elements]
    return found if ABSENT not in found and len(set(found)) == len(found) else None


def common_key(*lists):
    """The member by which the elements of all these lists are told apart, or None."""
    for key in USUAL_KEYS:
        if all(identities(elements, key) is not None for elements in lists):
            return key
    return None


def merge(base, older, newer):
    """What two sides made of one base, brought together; of two different changes of one place the newer counts, and an
    edit before a removal."""
    if older == base:
        return newer
    if newer == base:
        return older
    if isinstance(older, dict) and isinstance(newer, dict):
        return merge_objects(base if isinstance(base, dict) else {}, older, newer)
    if isinstance(older, list) and isinstance(newer, list):
        return merge_lists(base if isinstance(base, list) else [], older, newer)
    return older if newer is ABSENT else newer


def merge_objects(base, older, newer):
    merged = {}
    for key in {**base, **older, **newer}:
        value = merge(base.get(key, ABSENT), older.get(key, ABSENT), newer.get(key, ABSENT))
        if value is not ABSENT:
            merged[key] = value
    return merged


def merge_lists(base, older, newer):
    key = common_key(base, older, newer)
    if key is None:
        return merge_unkeyed(base, older, newer)
    versions = [{element[key]: element for element in elements} for elements in (base, older, newer)]
    merged = {}
    for name in {**versions[0], **versions[1], **versions[2]}:
        value = merge(*(version.get(name, ABSENT) for version in versions))
        if value is not ABSENT:
            merged[name] = value
    return [merged[name] for name in merge_order(*map(list, versions), merged)]


def merge_order(base, older, newer, survivors, closed=()):
    """The order of what survives. The skeleton is the newer side if that reordered what it has of the base, else the older
    one. What only the other side has goes after its predecessor there, and past the skeleton's own insertions, unless it is
    `closed`."""
    older = [name for name in older if name in survivors]
    newer = [name for name in newer if name in survivors]
    places = {name: place for place, name in enumerate(base)}
    shared = [places[name] for name in newer if name in places]
    skeleton, other = (newer, older) if shared != sorted(shared) else (older, newer)
    of_other, of_skeleton = set(other), set(skeleton)
    inserted = {}
    place = 0
    for name in other:
        if name in of_skeleton:
            place = skeleton.index(name) + 1
            continue
        end = place
        while name not in closed and end < len(skeleton) and skeleton[end] not in places and skeleton[end] not in of_other:
            end += 1
        inserted.setdefault(end, []).append(name)
    order = inserted.get(0, [])[:]
    for place, name in enumerate(skeleton):
        order.append(name)
        order += inserted.get(place + 1, [])
    return order


def merge_unkeyed(base, older, newer):
    merged = []
    kept = [partners(base, side) for side in (older, newer)]
    for place in range(len(base) + 1):
        merged += merge_runs(kept[0][1].get(place, []), kept[1][1].get(place, []))
        if place < len(base):
            value = merge(base[place], kept[0][0][place], kept[1][0][place])
            if value is not ABSENT:
                merged.append(value)
    return merged


def partners(base, side):
    """For each element of the base what became of it, and what was inserted before which place."""
    became, inserted, at, there = [ABSENT] * len(base), {}, 0, 0
    for old, new in common_subsequence(base, side) + [(len(base), len(side))]:
        if old - at == new - there:
            became[at:old] = side[there:new]
        elif new > there:
            inserted[at] = side[there:new]
        if old < len(base):
            became[old] = side[new]
        at, there = old + 1, new + 1
    return became, inserted


def merge_runs(older, newer):
    """Insertions at one place: what both have once, otherwise the older side's first."""
    merged, at, there = [], 0, 0
    for old, new in common_subsequence(older, newer):
        merged += older[at:old] + newer[there:new] + [newer[new]]
        at, there = old + 1, new + 1
    return merged + older[at:] + newer[there:]


def common_subsequence(old, new):
    """A longest one, as pairs of places, common ends first; of several, the one that skips old elements first."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    olds, news = old[start:len(old) - end], new[start:len(new) - end]
    lengths = [[0] * (len(news) + 1) for _ in range(len(olds) + 1)]
    for i in reversed(range(len(olds))):
        for j in reversed(range(len(news))):
            lengths[i][j] = (lengths[i + 1][j + 1] + 1 if olds[i] == news[j]
                             else max(lengths[i + 1][j], lengths[i][j + 1]))
    pairs, i, j = [(place, place) for place in range(start)], 0, 0
    while i < len(olds) and j < len(news):
        if olds[i] == news[j]:
            pairs.append((start + i, start + j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs + [(len(old) - end + place, len(new) - end + place) for place in range(end)]
