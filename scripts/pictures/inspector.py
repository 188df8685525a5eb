"""Makes docs/inspector.svg: the inspector and a shell below it, in real terminals.

    scripts/picture inspector                     from a debug build: half a minute
    scripts/picture inspector --output FILE

The terminals are tmux's. It types into them, waits until they show what they should, and draws what they show.
"""
import contextlib
import pathlib
import re

from support import arguments
from support.arguments import ROOT
from pictures.scene import Person, captured, draw, stage
from pictures.svg import MARGIN, Window

COLUMNS, ROWS, SHELL_ROWS = 84, 21, 2
CAPTION = (
    "A terminal shows a JSON file as a tree, its keys, and what of it has a word. A command changes it, and the line glows with what stood there and who did it; a value "
    "is edited; somebody else is quicker, and both values are shown; earlier versions are listed, looked at and compared; it says who is there; a save that isn't "
    "valid is shown with the place marked.")


class Scene(Person):
    def __init__(self, options, folder):
        super().__init__(folder, options.replicate, columns=COLUMNS, shell_rows=SHELL_ROWS)
        (self.home / "state.json").write_bytes((ROOT / "sample-state.json").read_bytes())
        self.inspector = self.start("replicate", "state.json", rows=ROWS)
        self.moments = []
        self.names = {}

    def take(self):
        screens = captured([self.inspector, self.shell])
        # Instances and times are others each time, and the picture shall be the same.
        for screen in screens:
            for name in re.findall(r"(?:(?<=m)|(?<= ))[0-9a-f]{8}(?= )", screen):
                # The verbs are run in one terminal, the inspector in another.
                self.names.setdefault(name, f"{'4c07' if not self.names else '91f8'}{len(self.names)}a2e")
        for name, other in self.names.items():
            screens = [screen.replace(name, other) for screen in screens]
        self.moments.append([re.sub(r"\d\d:\d\d:\d\d", "14:03:27", screen) for screen in screens])

    def play(self):
        show = self.inspector.until
        show("schemaVersion")
        self.inspector.type("jj")
        show("/route")
        self.take()
        self.inspector.type("?")
        show("Open and close")
        self.take()
        self.inspector.type("<Escape>")
        self.inspector.type("&season<Enter>")
        show("& season")
        self.take()
        self.inspector.type("<Escape>")
        self.inspector.type("gjj")
        show("/route ")
        self.run("replicate increment state.json /schemaVersion; replicate set -s state.json /session/user/name Ann")
        show('name: "Ann"  ← ')
        self.take()
        self.inspector.type("/locale<Enter>e<C-u>\"fr-FR")
        show("unexpected end|expected")
        self.take()
        self.run("clear; replicate set -s state.json /session/user/locale it-IT")
        show("it-IT")
        self.inspector.type("\"<Enter>")
        show("was changed meanwhile")
        self.take()
        self.inspector.type("m")
        show('locale: "fr-FR"')
        self.inspector.type("T")
        show("5 versions")
        self.inspector.type("jj<Enter>")
        show("as it was at")
        self.take()
        self.inspector.type("g=")
        show("nothing differs")
        self.inspector.type("q")
        self.inspector.type("Gm")
        self.inspector.type("g=")
        show("from \\d\\d")
        self.take()
        self.inspector.type("q")
        self.inspector.type("<Escape><Tab>")
        self.inspector.type("w")
        show("Instances on this machine")
        self.take()
        self.inspector.type("q")
        self.inspector.type("T")
        show("open")
        self.run("""clear; sed -i 's/"route": /"route": , /' state.json""")
        show("▲")
        self.take()


def main():
    parser = arguments.parser(__doc__)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/inspector.svg")
    options = parser.parse_args()
    with stage() as folder, contextlib.closing(Scene(options, folder)) as scene:
        scene.play()
    inspector = Window("replicate state.json", COLUMNS, ROWS, 1, 1)
    shell = Window("bash", COLUMNS, SHELL_ROWS, 1, inspector.height + MARGIN)
    draw(options.output, [inspector, shell], scene.moments, still=3, caption=CAPTION)


if __name__ == "__main__":
    main()
