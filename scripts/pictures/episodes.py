"""Makes docs/episodes.svg: two Episodes on one file and a shell beside them, in real terminals.

    scripts/picture episodes                     from debug builds of Examples/Episodes and replicate: half a minute
    scripts/picture episodes --output FILE

The terminals are tmux's. It types into them, waits until they show what they should, and draws what they show.
"""
import contextlib
import pathlib
import re

from support import arguments
from support.arguments import ROOT
from pictures.scene import Person, captured, draw, stage
from pictures.svg import MARGIN, Window

COLUMNS, ROWS, SHELL_ROWS = 58, 14, 3
CAPTION = (
    "Two terminals run Episodes on one file, and a shell is below them. What is typed into one, the other shows too; "
    "so does what sed, replicate and a bad save do to the file.")


class Scene(Person):
    def __init__(self, options, folder):
        # Wide enough for both and the space between them.
        super().__init__(folder, options.episodes, options.replicate, columns=2 * COLUMNS + 5, shell_rows=SHELL_ROWS)
        self.apps = []
        self.moments = []

    def open(self):
        self.apps.append(self.start("Episodes", rows=ROWS, columns=COLUMNS))

    def show(self, *patterns):
        for app in self.apps:
            for pattern in patterns:
                app.until(pattern)

    def show_no(self, pattern):
        self.show(rf"\A(?s:(?!{pattern}).)*\Z")

    def take(self):
        screens = captured(self.apps + [self.shell])
        # An instance has another name each time, and the picture shall be the same.
        self.moments.append([re.sub(r"instance [0-9a-f]{8}", "instance 4f2a91c0", screen) for screen in screens])

    def play(self):
        left, right = 0, 1
        self.open()
        self.show("attempt 2 of 3")
        self.open()
        self.show("attempt 2 of 3")
        self.take()
        self.show("2×05")
        self.show_no("loading")
        self.apps[left].type("<Down>w<Down>")
        self.show("✓")
        self.take()
        self.apps[left].type("/licht")
        self.show("/ licht▏", "▸ 2×01")
        self.take()
        self.apps[left].type("<Enter><Enter>")
        self.show("directed by")
        self.show_no("loading")
        self.apps[right].type("s8<Right>")
        self.show("8.5 ")
        self.take()
        self.run("""sed -i 's/"rating": 8.5/"rating": 3/' episodes.json""")
        self.show("3.0 ", "last change: edit")
        self.take()
        self.run("""replicate set episodes.json /route '["episodes", "show", 1103, "comments"]'""")
        self.show("watch 41:20")
        self.show_no("loading")
        self.apps[left].type("cWho lit it? 雪")
        self.show("› Who lit it\\? 雪▏")
        self.take()
        self.run("""cp episodes.json good.json; sed -i 's/"route": .$/"route": oops/' episodes.json""")
        self.show("! episodes.json:3:12")
        self.take()
        self.run("cp good.json episodes.json")
        self.show_no("episodes.json:")
        self.take()


def main():
    parser = arguments.parser(__doc__)
    parser.add_argument("--episodes", type=pathlib.Path, default=ROOT / "Examples/.build/debug/Episodes")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/episodes.svg")
    options = parser.parse_args()
    with stage() as folder, contextlib.closing(Scene(options, folder)) as scene:
        scene.play()
    left = Window("Episodes", COLUMNS, ROWS, 1, 1)
    right = Window("Episodes", COLUMNS, ROWS, left.x + left.width + MARGIN, 1)
    columns = round((right.x + right.width - left.x - 2 * MARGIN) / (left.width - 2 * MARGIN) * COLUMNS)
    shell = Window("bash", columns, SHELL_ROWS, 1, left.height + MARGIN)
    shell.width = right.x + right.width - left.x
    draw(options.output, [left, right, shell], scene.moments, still=4, caption=CAPTION)


if __name__ == "__main__":
    main()
