"""Compares StateJSON with Python's json module and the jsonpatch package on generated cases.

usage: scripts/check patches [--count N] [--seed N]    half a minute, with the default count

Parsing: what Python's strict settings accept, StateJSON accepts with the same value, and it rejects the rest.
Documented exceptions, where StateJSON is stricter: duplicate keys and lone surrogates are errors (I-JSON, RFC 7493),
and nesting is limited. Where Python is not strict, this script makes it so: NaN, Infinity, invalid UTF-8.

Patching: the same results, and the same patches fail. Exceptions are named in `unlike_the_rfc`.
"""

import decimal
import json
import os
import random
import subprocess
import sys
import tempfile
import venv

from support import arguments
from support.probe import Probe

DEPTH_LIMIT = 512


def import_jsonpatch():
    """The pinned package, from a temporary environment if this Python hasn't got it."""
    try:
        import jsonpatch
        return jsonpatch
    except ImportError:
        folder = tempfile.mkdtemp(prefix="cross-check-")
        venv.create(folder, with_pip=True)
        python = os.path.join(folder, "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "jsonpatch==1.33"], check=True)
        os.execv(python, [python, "-B", "-m", "checks.patches", *sys.argv[1:]])


EXACTLY = {"parse_int": decimal.Decimal, "parse_float": decimal.Decimal}


def failures(probe, requests, expected, described):
    """Asks the probe, and prints where the answers are not those of Python; how many that are."""
    failed = 0
    for index, (answer, wanted) in enumerate(zip(probe.ask_all(requests, **EXACTLY), expected, strict=True)):
        if "error" in wanted and "error" in answer:
            continue
        if "value" in wanted and "value" in answer and exact(answer["value"]) == wanted["value"]:
            continue
        failed += 1
        print(f"{described(index)}\n  Python: {wanted}\n  Swift:  {answer}")
    return failed


# Values

KEYS = ["a", "b", "c", "~", "/", "a/b", "m~n", "", "0", "1", "-", "é", "e\u0301", "😂", " "]
STRINGS = ["", "x", "é", "e\u0301", "😂", "\u0000", "\u001f", "\"\\/\b\f\n\r\t", "\u2028", "\ufeff", "\uffff"]


def random_scalar(rng):
    """Not 0 nor 1, which are equal to False and True in Python."""
    return rng.choice([None, True, False, -1, 10 ** 25, 12345678901234567890, rng.randint(2, 9)] + STRINGS)


def random_value(rng, depth=3):
    kind = rng.random()
    if depth == 0 or kind < 0.35:
        return random_scalar(rng)
    if kind < 0.65:
        return [random_value(rng, depth - 1) for _ in range(rng.randrange(5))]
    return {rng.choice(KEYS): random_value(rng, depth - 1) for _ in range(rng.randrange(5))}


# Parsing

NUMBERS = ["0", "-0", "1", "-1", "1.0", "1e2", "1E+2", "1e-2", "0.5", "-0.0", "1e400", "1e-400", "123456789012345678901234567890",
           "0.1e0000001", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "-01", "1.e1", "--1", "1_0", "NaN", "Infinity",
           "-Infinity", "1e1.0", "٣"]
ESCAPES = [r"\"", r"\\", r"\/", r"\b", r"\f", r"\n", r"\r", r"\t", r"\u0000", r"\u00e9", r"\uD83D\uDE02", r"\uFFFF",
           r"\u12", r"\x41", r"\U0041", r"\ud83d", r"\udE02\ud83d", r"\u+123", r"\'", r"\a", r"\0", "\\"]
SPACES = [b"", b" ", b"\n", b"\t", b"\r\n", b"  ", b"\x0b", b"\xc2\xa0", b"\x00", b"/**/"]
FRAGMENTS = [b",", b":", b"[", b"]", b"{", b"}", b'"', b"'", b"\\", b"null", b"true", b"nul", b"True", b"undefined", b"\x00",
             b"\x1f", b"\x7f", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80", b"\xf0\x9f\x98\x82",
             b"\xef\xbb\xbf", b"//", b"#", b"\n", b"\t", b"\r", b'""', b"{}", b"[]", b"0", b"-", b".", b"e", b"\x0c"]


def random_text(rng, depth=4):
    """A text that is nearly always valid, written with odd spacing, escapes and numbers."""
    def space():
        return rng.choice(SPACES if rng.random() < 0.01 else SPACES[:6])

    def string():
        text = rng.choice(STRINGS + KEYS)
        body = json.dumps(text, ensure_ascii=rng.random() < 0.5)[1:-1]
        if rng.random() < 0.3:
            body += rng.choice(ESCAPES if rng.random() < 0.1 else ESCAPES[:12])
        return b'"' + body.encode() + b'"'

    def value(depth):
        kind = rng.random()
        if depth == 0 or kind < 0.4:
            scalar = rng.randrange(3)
            if scalar == 0:
                return rng.choice([b"null", b"true", b"false"])
            if scalar == 1:
                return string()
            return rng.choice(NUMBERS if rng.random() < 0.05 else NUMBERS[:14]).encode()
        items = [space() + value(depth - 1) + space() for _ in range(rng.randrange(5))]
        if kind < 0.7:
            return b"[" + (b",".join(items) or space()) + b"]"
        # Keys are mostly different, since equal ones are an error.
        keys = [json.dumps(f"{i}" if rng.random() < 0.97 else "same").encode() if rng.random() < 0.5 else string()
                for i in range(len(items))]
        return b"{" + (b",".join(space() + k + space() + b":" + i for k, i in zip(keys, items)) or space()) + b"}"

    return space() + value(depth) + space()


def mutated(rng, text):
    """A text with a byte or a few changed, removed, doubled or inserted."""
    text = bytearray(text)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(5)
        if kind == 0 and at < len(text):
            text[at] = rng.randrange(256)
        elif kind == 1:
            del text[at:at + rng.randrange(1, 4)]
        elif kind == 2:
            text[at:at] = rng.choice(FRAGMENTS)
        elif kind == 3:
            text[at:at] = text[at:at + rng.randrange(1, 9)]
        else:
            text = text[:at] if rng.random() < 0.3 else text
    return bytes(text)


def nested(rng):
    depth = rng.choice([1, 2, 100, 511, 512, 513, 514, 600])
    opening, closing = rng.choice([(b"[", b"]"), (b'{"a":', b"}")])
    middle = b"1" if opening != b"[" else rng.choice([b"", b"1"])
    missing = rng.random() < 0.2
    return opening * depth + middle + closing * (depth - missing)


class Refused(Exception):
    pass


def python_parse(text):
    """The value Python's strict settings give, with its exceptions made ours; raises Refused or ValueError."""
    def no_constant(name):
        raise Refused(name)

    def no_duplicates(pairs):
        result = dict(pairs)
        if len(result) != len(pairs):
            raise Refused("duplicate key")
        return result

    # A byte-order mark is allowed before the text, as RFC 8259, section 8.1, permits.
    text = text.removeprefix(b"\xef\xbb\xbf")
    value = json.loads(text.decode("utf-8"), parse_constant=no_constant, object_pairs_hook=no_duplicates, **EXACTLY)
    if depth_of(value) > DEPTH_LIMIT:
        raise Refused("nested too deep")
    # A lone surrogate can't be encoded.
    json.dumps(value, ensure_ascii=False, default=str).encode()
    return value


def depth_of(value):
    if not isinstance(value, (list, dict)):
        return 0
    children = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth_of, children), default=0)


def exact(value):
    """A form in which values are equal as JSON: True is not 1, and numbers have their exact value."""
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if value is None or isinstance(value, bool):
        return ("constant", value)
    if isinstance(value, str):
        return ("string", str(value))
    return ("number", decimal.Decimal(value))


def parsing_cases(rng, count):
    for index in range(count):
        if index % 50 == 0:
            yield nested(rng)
        elif index % 2 == 0:
            yield random_text(rng)
        else:
            yield mutated(rng, random_text(rng))


def check_parsing(probe, rng, count):
    def python_answer(text):
        try:
            return {"value": exact(python_parse(text))}
        except (Refused, ValueError) as refusal:
            return {"error": str(refusal)}

    cases = list(parsing_cases(rng, count))
    expected = list(map(python_answer, cases))
    failed = failures(
        probe, [{"parse": case.hex()} for case in cases], expected, lambda index: f"parse {cases[index]!r}")
    accepted = sum("value" in answer for answer in expected)
    print(f"parsing: {accepted} accepted, {count - accepted} rejected")
    print(f"parsing: {count - failed} passed, {failed} failed")
    return failed


# Patching

def places(value, path=""):
    """All pointers into a value."""
    yield path
    items = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else []
    for key, item in items:
        yield from places(item, path + "/" + str(key).replace("~", "~0").replace("/", "~1"))


def random_patch(rng, document):
    """A patch most of whose operations can be applied, at least to the document as it was."""
    known = [place for place in places(document) if place]

    def existing():
        return rng.choice(known)

    def free():
        pointer = rng.choice(known + [""] * 3)
        if isinstance(lookup(document, pointer), (dict, list)):
            return pointer + "/" + rng.choice(["-", "0", "new"])
        return pointer.rsplit("/", 1)[0] + "/" + rng.choice(["-", "0", "1", "new"])

    def wrong():
        return rng.choice(["a", "/~2", "/~", "/nowhere/x", existing() + "/01", existing() + "/9", existing() + "/-1",
                           existing() + "/-", existing() + "/x/y"])

    def operation():
        op = rng.choice(["add", "remove", "replace", "move", "copy", "test"])
        target = free if op in ("add", "move", "copy") and rng.random() < 0.7 else existing
        operation = {"op": op, "path": wrong() if rng.random() < 0.04 else target()}
        if op in ("move", "copy"):
            operation["from"] = wrong() if rng.random() < 0.04 else existing()
        if op in ("add", "replace"):
            operation["value"] = random_value(rng, 2)
        if op == "test":
            operation["value"] = random_value(rng, 2) if rng.random() < 0.1 else lookup(document, operation["path"])
        if op in ("replace", "test") and rng.random() < 0.02:
            operation["path"] = ""
        if rng.random() < 0.01:
            del operation[rng.choice(sorted(operation))]
        if rng.random() < 0.01:
            operation["op"] = "spam"
        if rng.random() < 0.05:
            operation["ignored"] = 1
        return operation

    return [operation() for _ in range(rng.choice([1, 1, 2, 3, 5]))]


def unlike_the_rfc(patch):
    """Whether the package is known not to follow RFC 6902 here.

    It lets an element of an array move into itself (section 4.4 forbids that), and refuses to replace the member "-" of
    an object. Nor does it know the root as the target of `add`, `move` and `copy`, which are not generated.
    """
    return any(
        operation.get("op") == "replace" and operation.get("path", "").endswith("/-")
        or operation.get("op") == "move" and operation.get("path", "").startswith(operation.get("from", "") + "/")
        for operation in patch)


def lookup(value, pointer):
    """The value at a pointer, or None."""
    try:
        for token in pointer.split("/")[1:]:
            token = token.replace("~1", "/").replace("~0", "~")
            value = value[int(token)] if isinstance(value, list) else value[token]
        return value
    except (KeyError, IndexError, ValueError, TypeError):
        return None


class Text(str):
    """A string without elements, where the package would take a character for one."""

    def __getitem__(self, index):
        raise TypeError("a string has no elements")


def with_texts(value):
    if isinstance(value, list):
        return [with_texts(item) for item in value]
    if isinstance(value, dict):
        return {key: with_texts(item) for key, item in value.items()}
    return Text(value) if isinstance(value, str) else value


def with_text_values(patch):
    return [{key: with_texts(item) if key == "value" else item for key, item in operation.items()}
            for operation in patch]


def check_patching(probe, rng, count):
    jsonpatch = import_jsonpatch()
    import jsonpointer

    def python_apply(document, patch):
        try:
            return {"value": exact(jsonpatch.apply_patch(with_texts(document), with_text_values(patch)))}
        # The package lets the other ones out for some pointers into scalars.
        except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException, TypeError, AttributeError, KeyError,
                IndexError, ValueError) as error:
            return {"error": f"{type(error).__name__}: {error}"}

    cases = []
    for _ in range(count):
        document = {}
        while not document or not isinstance(document, (dict, list)):
            document = random_value(rng, 4)
        patch = random_patch(rng, document)
        while unlike_the_rfc(patch):
            patch = random_patch(rng, document)
        cases.append({"document": document, "patch": patch})
    expected = [python_apply(**case) for case in cases]
    failed = failures(
        probe, cases, expected,
        lambda index: f"apply {json.dumps(cases[index]['patch'])}\n  to {json.dumps(cases[index]['document'])}")
    applied = sum("value" in answer for answer in expected)
    print(f"patching: {applied} applied, {count - applied} refused")
    print(f"patching: {count - failed} passed, {failed} failed")
    return failed


def main():
    parser = arguments.bare_parser(__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    import_jsonpatch()
    sys.setrecursionlimit(10_000)
    probe = Probe("json-probe")
    failed = check_parsing(probe, random.Random(options.seed), options.count)
    failed += check_patching(probe, random.Random(options.seed), options.count)
    sys.exit(1 if failed else 0)


main()
