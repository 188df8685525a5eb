"""Lines of journals, and what they had read.

A journal is a file of lines `ID BODY`. BODY is compact JSON, and ID the hash of the ID of the line before it and of BODY. So an
ID names a line and all that its writer had said before. The first line says whose journal it is. A line says in "read" which
lines of others its writer had read since its last one.

Sets of lines are integers here, with a bit for each line of the world. A world is small.
"""

import base64
import hashlib
import json


class Line:
    """A line as its writer wrote it, wherever it stands."""

    __slots__ = ("id", "writer", "before", "body", "kind", "bit", "causes", "past", "needs", "cover", "removed", "text")

    def __repr__(self):
        return f"{self.writer}:{self.kind}:{self.id[:6]}"


class Lines:
    """All lines of one world."""

    def __init__(self):
        self.all = []
        self.by_id = {}
        self.of_kind = {}

    def write(self, writer, before, body):
        """A new line after another one of its writer, or the first one of it."""
        line = Line()
        line.writer, line.before, line.body, line.kind = writer, before, body, body["kind"]
        line.text = json.dumps(body, separators=(",", ":"), sort_keys=True)
        line.id = hashed(((before.id if before else "") + line.text).encode())
        if line.id in self.by_id:
            return self.by_id[line.id]
        line.bit = 1 << len(self.all)
        line.past = before.past | before.bit if before else 0
        for read in body.get("read", ()):
            line.past |= self.by_id[read].past | self.by_id[read].bit
        # What has to be there before it counts: what a save was made from, too.
        line.causes = [*body.get("read", ()), *body.get("on", ()), *([body["of"]] if "of" in body else ()),
                       *([before.id] if before else ())]
        line.needs = 0
        for cause in line.causes:
            line.needs |= self.by_id[cause].needs | self.by_id[cause].bit
        line.cover, line.removed = 0, None
        self.all.append(line)
        self.by_id[line.id] = line
        self.of_kind[line.kind] = self.of_kind.get(line.kind, 0) | line.bit
        return line

    def head(self, writer):
        """The first line of a journal."""
        device, incarnation = writer.split(".")
        return self.write(writer, None, {"kind": "journal", "format": 1, "needs": 1, "share": "model", "device": device,
                                         "incarnation": incarnation})

    def mask(self, *kinds):
        mask = 0
        for kind in kinds:
            mask |= self.of_kind.get(kind, 0)
        return mask

    def each(self, mask):
        """The lines of a set, in the order in which they were written."""
        while mask:
            bit = mask & -mask
            yield self.all[bit.bit_length() - 1]
            mask ^= bit

    def closed(self, mask):
        """The lines of a set, and all that their writers had read."""
        for line in self.each(mask):
            mask |= line.past
        return mask

    def heads(self, mask):
        """Those of a set that no other one of it had read."""
        read = 0
        for line in self.each(mask):
            read |= line.past
        return mask & ~read


def file_text(lines):
    """The file that has these lines."""
    return "".join(f"{line.id} {line.text}\n" for line in lines)


def hashed(data):
    """The first 128 bits of SHA-256, in Base 64."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()[:16]).decode().rstrip("=")


def value_hash(value):
    return hashed(json.dumps(value, sort_keys=True).encode())
