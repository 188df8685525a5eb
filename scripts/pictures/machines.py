"""Makes docs/machines.svg: one state on two devices, side by side; the link between them is cut, and is there again.

    scripts/picture machines                from a debug build of replicate: half a minute
    scripts/picture machines --output FILE

The terminals are tmux's. Each device has a home and a state folder of its own, and a shell below what shows its file. What brings
the folder from one to the other is `cp`, again and again, until the link is cut.
"""
import contextlib
import os
import pathlib
import signal
import subprocess

from support import arguments
from support.arguments import ROOT
from pictures.scene import Person, captured, draw, stage
from pictures.svg import MARGIN, Window

COLUMNS, ROWS, SHELL_ROWS = 58, 12, 5
CAPTION = (
    "Two devices show the same file, and a shell is below each. What is done on one comes to the other. Then the link is cut: "
    "both count, and each changes something else. Once it is there again both have everything, and the counter is exact.")
START = '{\n  "plays": 40,\n  "title": "Sheep",\n  "tags": ["rock"]\n}\n'


class Device(Person):
    """A home, what shows the file there, and a shell."""

    def __init__(self, name, folder, replicate):
        super().__init__(folder / name, replicate, columns=COLUMNS, shell_rows=SHELL_ROWS, prompt=f"{name}$ ")
        self.sync = self.home / "Sync"
        self.sync.mkdir()

    def show(self):
        self.view = self.start("replicate", "Sync/state.json", rows=ROWS)


class Link:
    """Brings the newer of two files to the other folder, with its time; nothing that is there for an instant."""

    def __init__(self, one, other):
        words = [f"cp -ru --preserve=timestamps {source}/[!.]* {target} 2>/dev/null"
                 for source, target in ((one, other), (other, one))]
        self.process = subprocess.Popen(
            ["bash", "-c", f"while :; do {'; '.join(words)}; sleep 0.2; done"], start_new_session=True)

    def cut(self, is_cut):
        os.killpg(self.process.pid, signal.SIGSTOP if is_cut else signal.SIGCONT)

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def play(laptop, desk, link):
    """The moments of the picture."""
    moments = []

    def both(*patterns):
        for device in (laptop, desk):
            for pattern in patterns:
                device.view.until(pattern)

    def take():
        moments.append(captured([laptop.view, laptop.shell, desk.view, desk.shell]))

    laptop.run("replicate share --name laptop Sync/state.json")
    laptop.shell.until("is shared as laptop")
    laptop.show()
    laptop.view.until('plays: 40')
    while not (desk.sync / "state.json").exists() or not list((desk.sync / "state.json.journals").glob("*.journal")):
        pass
    desk.run("replicate share --name desk Sync/state.json")
    desk.shell.until("is shared as desk with laptop")
    desk.show()
    both('plays: 40')
    take()
    laptop.run("replicate increment Sync/state.json /plays")
    both('plays: 41')
    take()
    link.cut(True)
    laptop.run("clear; # offline")
    desk.run("clear; # offline")
    laptop.run("replicate increment Sync/state.json /plays")
    laptop.run("""sed -i 's/Sheep/Dogs/' Sync/state.json""")
    desk.run("replicate increment Sync/state.json /plays 10")
    desk.run("""replicate set Sync/state.json /tags/- '"live"'""")
    laptop.view.until('plays: 42(?s:.)*Dogs')
    desk.view.until('plays: 51(?s:.)*live')
    take()
    link.cut(False)
    laptop.run("clear; # online")
    desk.run("clear; # online")
    both('plays: 52', "Dogs", "live")
    desk.run("replicate devices Sync/state.json")
    desk.shell.until("laptop  heard of")
    take()
    return moments


def main():
    parser = arguments.parser(__doc__)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/machines.svg")
    options = parser.parse_args()
    with stage() as folder, contextlib.ExitStack() as stack:
        laptop, desk = (Device(name, folder, options.replicate) for name in ("laptop", "desk"))
        for device in (laptop, desk):
            stack.callback(device.close)
        (laptop.sync / "state.json").write_text(START)
        link = Link(laptop.sync, desk.sync)
        stack.callback(link.close)
        moments = play(laptop, desk, link)
    windows = []
    for name in ("laptop", "desk"):
        x = windows[-1].x + windows[-1].width + MARGIN if windows else 1
        view = Window(name, COLUMNS, ROWS, x, 1)
        windows += [view, Window("bash", COLUMNS, SHELL_ROWS, x, view.height + MARGIN)]
    draw(options.output, windows, moments, still=3, caption=CAPTION)


if __name__ == "__main__":
    main()
