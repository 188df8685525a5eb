"""Who is at work in the terminals that a picture shows."""
import contextlib
import os
import pathlib
import tempfile

from editors.terminal import Stuck, Terminal
from pictures.svg import picture


class Person:
    """A home with some programs at hand, and a shell."""

    def __init__(self, folder, *programs, columns, shell_rows, prompt="$ "):
        tools, self.home, self.columns = folder / "bin", folder / "home", columns
        tools.mkdir(parents=True)
        self.home.mkdir()
        for program in programs:
            (tools / program.name).symlink_to(program.resolve())
        self.environment = {
            **os.environ, "HOME": str(self.home), "XDG_STATE_HOME": str(folder / "state"), "LC_ALL": "C.UTF-8",
            "PS1": prompt, "PATH": f"{tools}:{os.environ['PATH']}",
        }
        self.environment.pop("NO_COLOR", None)
        self.terminals = []
        self.shell = self.start("bash", "--norc", "--noprofile", rows=shell_rows)

    def start(self, *command, rows, columns=None):
        terminal = Terminal(command, self.home, self.environment, columns or self.columns, rows)
        self.terminals.append(terminal)
        return terminal

    def run(self, command):
        self.shell.type(command + "<Enter>")

    def close(self):
        for terminal in self.terminals:
            terminal.close()


def captured(terminals):
    """What terminals show, with its colours."""
    return [terminal.tmux("capture-pane", "-e", "-N", "-p").stdout for terminal in terminals]


@contextlib.contextmanager
def stage():
    """A folder for all that takes part. What gets stuck ends the script."""
    with tempfile.TemporaryDirectory(prefix="picture.", ignore_cleanup_errors=True) as folder:
        try:
            yield pathlib.Path(folder)
        except Stuck as stuck:
            raise SystemExit(str(stuck))


def draw(output, *words, **options):
    output.write_text("\n".join(picture(*words, **options)) + "\n")
