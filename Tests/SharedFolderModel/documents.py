"""Random documents, and random changes of them."""

import json

from values import USUAL_KEYS


def copy(value):
    return json.loads(json.dumps(value))


def scalar(random):
    return random.choice([0, 1, 2, -7, None, "a", "b", ""])


def document(random, depth=0):
    kind = random.random()
    if depth > 2 or kind < .35:
        return scalar(random)
    if kind < .6:
        return {key: document(random, depth + 1) for key in random.sample("pqrs", random.randint(0, 3))}
    if kind < .75:
        return [document(random, depth + 1) for _ in range(random.randint(0, 3))]
    return keyed_list(random, depth)


def keyed_list(random, depth=0):
    key = random.choice(("id",) + USUAL_KEYS)
    return [{key: name, **{other: document(random, depth + 1) for other in random.sample("pq", random.randint(0, 2))}}
            for name in random.sample(range(8), random.randint(0, 4))]


def edited(random, value):
    value = copy(value)
    for _ in range(random.randint(1, 3)):
        value = edited_once(random, value)
    return value


def edited_once(random, value, depth=0):
    if random.random() < .08 or not isinstance(value, (dict, list)):
        return document(random, depth)
    if isinstance(value, dict):
        value = dict(value)
        if value and random.random() < .6:
            key = random.choice(sorted(value))
            value[key] = edited_once(random, value[key], depth + 1)
        elif value and random.random() < .5:
            del value[random.choice(sorted(value))]
        else:
            value[random.choice("pqrstu")] = document(random, depth + 1)
        return value
    value, kind = list(value), random.random()
    keys = [key for key in USUAL_KEYS if value and all(isinstance(element, dict) and key in element for element in value)]
    if keys and random.random() < .85:
        return edited_elements(random, value, keys[0], kind, depth)
    if kind < .4:
        value.insert(random.randint(0, len(value)), document(random, depth + 1))
    elif kind < .6 and value:
        value.pop(random.randrange(len(value)))
    elif kind < .7:
        random.shuffle(value)
    elif value:
        place = random.randrange(len(value))
        value[place] = edited_once(random, value[place], depth + 1)
    return value


def edited_elements(random, elements, key, kind, depth=0):
    free = [name for name in range(12) if name not in [element.get(key) for element in elements]]
    if kind < .3 and free:
        elements.insert(random.randint(0, len(elements)), {key: random.choice(free), "p": scalar(random)})
    elif kind < .5:
        elements.pop(random.randrange(len(elements)))
    elif kind < .65:
        random.shuffle(elements)
    elif kind < .68:
        elements.append({key: random.choice(elements).get(key, 0), "p": 9})
    elif kind < .72:
        elements.append({"p": "no key"})
    else:
        place = random.randrange(len(elements))
        element = dict(elements[place])
        member = random.choice("pqx")
        element[member] = edited_once(random, element[member], depth + 1) if member in element else scalar(random)
        elements[place] = element
    return elements
