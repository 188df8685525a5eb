"""Uses Examples/Episodes as people do: two of them in terminals on one file, beside vim, sed and `replicate watch`.

    scripts/check episodes                              half a minute
    scripts/check episodes --show                       prints what the terminals show after each step
    scripts/check episodes --episodes PATH --replicate PATH

It types into one and waits until the other shows it; travels in time; changes the file by other means; spoils the file
and mends it; kills one and starts it again; looks whether the terminal is given back; and tests the reducers with what one
of them recorded. Whatever is waited for must come within 30 seconds.
"""
import json
import os
import pathlib
import signal
import subprocess
import tempfile

from support import arguments
from support.arguments import ROOT
from editors.terminal import Stuck, Terminal, go_through


class Check:
    def __init__(self, options, folder):
        self.app, self.replicate = options.episodes.resolve(), options.replicate
        # Where it was built: SCRATCH/debug/Episodes.
        self.scratch = options.episodes.absolute().parent.parent
        self.file = pathlib.Path(folder) / "episodes.json"
        state = pathlib.Path(folder) / ".state"
        state.mkdir()
        self.recording, self.keep = state / "session.recording", options.keep_recording
        self.environment = {**os.environ, "XDG_STATE_HOME": str(state), "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"}
        self.terminals = []
        self.watcher = None

    def open(self, *command):
        return Terminal(command, self.file.parent, self.environment, columns=80, rows=16)

    def start(self, *command):
        terminal = self.open(*(command or (self.app,)))
        self.terminals.append(terminal)
        return terminal

    def show(self):
        for terminal in [*self.terminals, *filter(None, [self.watcher])]:
            print(f"  {terminal.name}", *terminal.screen().splitlines(), sep="\n  | ")

    def all_show(self, *patterns):
        for terminal in self.terminals:
            for pattern in patterns:
                terminal.until(pattern)

    def pid(self, terminal):
        return int(terminal.tmux("display-message", "-p", "#{pane_pid}").stdout)

    def kill(self, terminal):
        os.kill(self.pid(terminal), signal.SIGKILL)
        self.end(terminal)

    def end(self, terminal):
        terminal.close()
        self.terminals.remove(terminal)

    def run_beside(self, *command):
        subprocess.run(command, check=True, env=self.environment, cwd=self.file.parent)

    # What is done, one after another.

    def loads_although_one_dies_of_it(self):
        first = self.start()
        first.until("attempt 2 of 3, as the lighthouse doesn't answer")
        self.start().until("loading episodes|1×01  Nebel")
        self.kill(first)
        self.start(self.app, "--record", self.recording)
        self.all_show("1×01  Nebel ", "1×03  雪の灯台 ", "2×03  Funkstille 📻 ")

    def searches(self):
        self.terminals[0].type("/LICHT")
        self.all_show("/ LICHT▏", "▸ 2×01  Ein Licht", "last change: ")
        self.terminals[1].until("last change: instance")
        self.terminals[1].type("<Enter>")
        self.all_show(r"(?m)^ / LICHT$")

    def rates(self):
        self.terminals[0].type("<Enter>")
        self.all_show(r"(?m)/episodes/show/1104$", "directed by Aino Lehtovaara, Søren Bruun")
        self.terminals[0].type("s8<Right>")
        self.all_show("─ 2×01 Ein Licht, zwei Schatten ─", "★★★★★★★★★☆   8.5 ")
        self.terminals[1].type("<Left><Left>")
        self.all_show("★★★★★★★★☆☆   7.5 ")

    def travels_in_time(self):
        self.terminals[1].type("t")
        self.terminals[1].until(r"─ Time travel ─(?s:.)*▸ +\d+ +\.episodes\(\.episode\(1104, \.adjustRating\(by: -0\.5")
        self.terminals[1].type("<Up>")
        self.terminals[0].until("★★★★★★★★☆☆   8.0 (?s:.)*last change: restore ")
        # Left out, so that the half point after it comes off what was before.
        self.terminals[1].type(" ")
        self.terminals[0].until("★★★★★★★★★☆   8.5 ")
        self.terminals[1].type("<Down>")
        self.terminals[0].until("★★★★★★★★☆☆   8.0 ")
        self.terminals[1].type("<Up> <Down><Escape>")
        self.all_show("★★★★★★★★☆☆   7.5 ")

    def is_watched(self):
        self.watcher = self.open(self.replicate, "watch", "-f", "json", self.file.name, "/route")
        self.watcher.until(r'\["episodes","show",1104')

    def follows_an_edit(self):
        self.run_beside("sed", "-i", 's/"rating": 7.5/"rating": 3.5/', self.file.name)
        self.all_show("★★★★☆☆☆☆☆☆   3.5 ", "last change: edit ")
        editor = self.open("vim", "-u", "NONE", "-N", self.file.name)
        editor.until('"rating"|"route"')
        editor.type(':%s/"rating": 3.5/"rating": 4.5/<Enter>:wq<Enter>')
        editor.until_ended()
        self.all_show("★★★★★☆☆☆☆☆   4.5 ", "last change: edit ")

    def comments(self):
        self.terminals[0].type("<Escape>")
        self.all_show(r"(?m)/episodes/show/1104$")
        self.terminals[0].type("c")
        self.all_show("二年ぶり！待っていました 🎉")
        self.terminals[1].type("c")
        self.all_show("/comments/write")
        for word, terminal in zip(["Größe, ", "雪 ", "und ", "😱"], self.terminals * 2):
            terminal.type(word)
            self.all_show(word.strip() + " ?▏")
        self.terminals[0].type("<Enter>")
        self.all_show("   You  ", "   Größe, 雪 und 😱")

    def follows_the_command(self):
        self.run_beside(self.replicate, "set", self.file.name, "/route", '["episodes", "show", 1103, "comments"]')
        self.all_show("/episodes/show/1103/comments", "Dieses Ende! 😱", "watch 41:20 again")
        self.watcher.until(r'(?s)1104.*"write".*1103,\s*"comments"')

    def bears_nonsense(self):
        good = self.file.read_text()
        self.file.write_text('{\n  "route": [,\n')
        self.all_show(r"! episodes.json:2:13: expected a value")
        self.terminals[0].type("l")
        self.terminals[0].until("♥ 13")
        self.file.write_text(good)
        self.all_show("♥ 13")
        for terminal in self.terminals:
            terminal.until(r"\A(?s:(?!episodes.json:).)*\Z")

    def survives(self):
        self.kill(self.terminals[0])
        new = self.start()
        new.until("/episodes/show/1103/comments")
        new.until("♥ 13")
        self.terminals[0].type("<Escape><Escape>")
        self.all_show(r"(?m)^ / LICHT$")

    def follows_the_window(self):
        self.terminals[0].tmux("resize-window", "-x", "50", "-y", "9")
        self.terminals[0].until(r"(?m)\A Die Leuchtturmwärter {18}Nordic One$")

    def gives_the_terminal_back(self):
        script = f'{self.app}; echo "status $?"; stty -a | tr " " "\\n" | grep -x -e "-*echo" -e "-*icanon"; read line'
        for end, status in [("q", 0), (signal.SIGTERM, 143), (signal.SIGINT, 130)]:
            terminal = self.start("sh", "-c", script)
            terminal.until("last change: start")
            if end == "q":
                terminal.type("q")
            else:
                shell = self.pid(terminal)
                os.kill(int(pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text()), end)
            terminal.until(rf"status {status}\nicanon\necho\Z")
            self.end(terminal)

    def leaves_nothing(self):
        self.watcher.type("<C-c>")
        self.watcher.until_ended()
        for terminal in list(self.terminals):
            terminal.type("q")
            terminal.until_ended()
            self.end(terminal)
        left = sorted(path.name for path in self.file.parent.iterdir() if path.name != ".state")
        if left != ["episodes.json"]:
            raise Stuck(f"beside the file there is {', '.join(left)}")
        json.loads(self.file.read_text())

    def was_recorded(self):
        if self.keep:
            self.keep.write_bytes(self.recording.read_bytes())
        subprocess.run(
            ["swift", "test", "--skip-build", "--package-path", ROOT / "Examples", "--scratch-path", self.scratch, "--filter",
             "RecordingTests"],
            check=True, env={**os.environ, "EPISODES_RECORDING": str(self.recording)}, stdout=subprocess.DEVNULL)


def main():
    parser = arguments.parser(__doc__, "release")
    parser.add_argument("--episodes", type=pathlib.Path, default=ROOT / "Examples/.build/debug/Episodes")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--keep-recording", type=pathlib.Path, metavar="FILE", help="where to put what was recorded")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="check-episodes.") as folder:
        check = Check(options, folder)
        steps = [
            check.loads_although_one_dies_of_it, check.searches, check.rates, check.travels_in_time, check.is_watched,
            check.follows_an_edit, check.comments, check.follows_the_command, check.bears_nonsense, check.survives, check.follows_the_window,
            check.gives_the_terminal_back, check.leaves_nothing, check.was_recorded,
        ]
        try:
            go_through(steps, check.show if options.show else lambda: None)
        finally:
            for terminal in [*check.terminals, *filter(None, [check.watcher])]:
                terminal.close()


if __name__ == "__main__":
    main()
