"""Programs that write the file at once, and the commands."""
import dataclasses
import os

from support.waiting import until


@dataclasses.dataclass(frozen=True)
class ByCommand:
    """A shell command that makes $FILE what $COPY is; or one that reads $FILE itself and replaces $OLD by $NEW there."""

    command: str
    programs: dict
    # Run once, in the file's folder.
    setup: str = ":"
    # Whether the file is opened while it is at the path, and read only when another has taken its place.
    reads_late: bool = False

    def open(self, place):
        return Session(self, place)

    @property
    def reads_file(self):
        return "$COPY" not in self.command


class Session:
    """Has read the file when it was opened, and keeps that, as an editor's buffer does."""

    def __init__(self, tool, place):
        self.tool, self.place = tool, place
        self.run(tool.setup)
        self.text = self.read_late() if tool.reads_late else place.file.read_text()

    def read_late(self):
        with self.place.file.open() as file:
            if until(lambda: os.fstat(file.fileno()).st_nlink == 0, pause=0.001) is None:
                raise RuntimeError("nothing takes the file's place")
            return file.read()

    def change(self, edit):
        assert self.text.count(edit.old) == 1, f"{edit.old} is not once in\n{self.text}"
        self.edit = edit
        self.text = self.text.replace(edit.old, edit.new)

    def save(self):
        copy = self.place.folder / "copy.json"
        copy.write_text(self.text)
        self.run(self.tool.command, OLD=self.edit.old, NEW=self.edit.new, COPY=copy.name, FILE=self.place.file.name)

    def run(self, command, **variables):
        if said := self.place.sh(command, **variables):
            raise RuntimeError(f"{command!r} says: {said}")

    def quit(self):
        pass

    def close(self):
        pass


COREUTILS = "coreutils"
IN_PYTHON = """python3 -c '
import json, sys
value = json.load(open(sys.argv[1]))
json.dump(value, open(sys.argv[2], "w"), indent=4)' "$COPY" "$FILE" """
IN_NODE = """node -e '
const fs = require("fs"), [copy, file] = process.argv.slice(1)
fs.writeFileSync(file, JSON.stringify(JSON.parse(fs.readFileSync(copy)), null, 2))' "$COPY" "$FILE" """
# The commit is made beside the work tree, as if it had been fetched.
COMMIT = """
blob=$(git hash-object -w "$COPY")
commit=$(git commit-tree -m edit "$(printf '100644 blob %s\\t%s\\n' "$blob" "$FILE" | git mktree)")
"""

TOOLS = {
    "sed -i": ByCommand('sed -i "s/$OLD/$NEW/" "$FILE"', {"sed": "sed"}),
    "sed >": ByCommand('sed "" "$COPY" >"$FILE"', {"sed": "sed"}),
    "perl -pi": ByCommand('perl -pi -e "s/\\Q$ENV{OLD}/$ENV{NEW}/" "$FILE"'.replace("$ENV", "\\$ENV"), {"perl": "perl"}),
    "sed | sponge": ByCommand('sed "s/$OLD/$NEW/" "$FILE" | sponge "$FILE"', {"sponge": "moreutils"}),
    "sponge": ByCommand('sponge "$FILE" <"$COPY"', {"sponge": "moreutils"}),
    "tee": ByCommand('tee "$FILE" <"$COPY" >/dev/null', {"tee": COREUTILS}),
    "cp": ByCommand('cp "$COPY" "$FILE"', {"cp": COREUTILS}),
    "slow cp": ByCommand('cp "$COPY" "$FILE"', {"cp": COREUTILS}, reads_late=True),
    "mv": ByCommand('mv "$COPY" "$FILE"', {"mv": COREUTILS}),
    "install": ByCommand('install -m 644 "$COPY" "$FILE"', {"install": COREUTILS}),
    "rsync": ByCommand('rsync --ignore-times "$COPY" "$FILE"', {"rsync": "rsync"}),
    "rsync --inplace": ByCommand('rsync --ignore-times --inplace "$COPY" "$FILE"', {"rsync": "rsync"}),
    "git checkout COMMIT": ByCommand(f'{COMMIT}\ngit checkout -q "$commit" -- "$FILE"', {"git": "git"}, "git init -q"),
    "git checkout": ByCommand(
        f'{COMMIT}\ngit update-index --add --cacheinfo "100644,$blob,$FILE"; git checkout -q -- "$FILE"',
        {"git": "git"}, "git init -q"),
    "jq and mv": ByCommand('jq . "$COPY" >jq.json; mv jq.json "$FILE"', {"jq": "jq"}),
    "python": ByCommand(IN_PYTHON, {"python3": "python3"}),
    "node": ByCommand(IN_NODE, {"node": "nodejs"}),
}
