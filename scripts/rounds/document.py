"""The file that is saved and changed, as text and as a value."""
import json


def text_of(value):
    return json.dumps(value, indent=1) + "\n"


def document(instances):
    """The editor's own fields are the first and the last, so that half a save can be told from a whole one."""
    return {
        "head": 0,
        "counters": {f"i{number}": 0 for number in range(instances)},
        "tokens": {f"i{number}": {} for number in range(instances)},
        "rows": [{"id": "editor", "value": 0}] + [{"id": f"i{number}", "value": 0} for number in range(instances)],
        "tail": 0,
    }
