"""What the file holds, and what to make of what it is found to hold."""
import json
import re

# Long enough for a short transfer to matter, and for a new version to be shorter than an old one.
TITLE = "a title that is long enough to be cut short"
DOCUMENT = {"n": 0, "title": TITLE, "list": list(range(40))}


def text_of(value):
    return json.dumps(value, indent=2) + "\n"


def parsed(text):
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return "not JSON"


def shown(found):
    """What a file holds, without the part that is always the same."""
    return re.sub(r"0,(\s|\\n)*1,.*39", "…", repr(found), flags=re.DOTALL)
