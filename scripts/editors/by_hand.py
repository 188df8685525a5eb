"""Editors that a person types into, and what has to be typed."""
import dataclasses

from editors import terminal


@dataclasses.dataclass(frozen=True)
class ByHand:
    """An editor. Each step is what is typed and what the screen shows when it is done; OLD and NEW stand for the edit."""

    command: tuple
    change: tuple
    save: tuple
    quit: str
    package: str
    # What it asks if the file isn't what it has read any more, and how somebody answers who insists.
    questions: dict = dataclasses.field(default_factory=dict)
    # Steps before the first change; typed again until they are done, since they need the file to have been changed.
    begin: tuple = ()
    # Whether it writes what nobody has changed when it is told to.
    writes_unchanged: bool = True

    reads_file = False

    @property
    def programs(self):
        return {self.command[0]: self.package, "tmux": "tmux"}

    def open(self, place):
        return Session(self, place)


class Session:
    def __init__(self, editor, place):
        self.editor = editor
        self.terminal = terminal.Terminal((*editor.command, place.file.name), place.folder, place.environment)
        try:
            self.terminal.until('"user"')
            for keys, done in editor.begin:
                self.terminal.type(keys)
                self.terminal.until(done, meanwhile=keys)
        except terminal.Stuck:
            self.terminal.close()
            raise

    def change(self, edit):
        keys, done = self.editor.change
        self.step((keys.replace("OLD", edit.old).replace("NEW", edit.new), done))

    def save(self):
        self.step(self.editor.save)

    def step(self, step):
        keys, done = step
        self.terminal.type(keys)
        self.terminal.until(done, self.editor.questions)

    def quit(self):
        self.terminal.type(self.editor.quit)
        self.terminal.until_ended()

    def close(self):
        self.terminal.close()


# What it said before may still stand above.
VIM_ENDS = r"[^\n]*(\nPress ENTER[^\n]*)?$"
VIM_ASKS = {
    r"Do you really want to write to it \(y/n\)\?$": "y",
    # It has written nothing, since the file was replaced between question and answer.
    r"E949: File changed while writing\nPress ENTER": "<Enter>:w<Enter>",
}


def vim(program, package, *commands):
    return ByHand(
        (program, "--clean", "-i", "NONE", "+set report=0 nomore", *(f"+{command}" for command in commands)),
        (":%s/OLD/NEW/<Enter>", f"1 substitution on 1 line{VIM_ENDS}"), (":w<Enter>", f"B written{VIM_ENDS}"),
        ":q!<Enter>", package, VIM_ASKS)


def emacs(*options):
    return ByHand(
        ("emacs", "-nw", "-Q", *options),
        ("<M-%>OLD<Enter>NEW<Enter>!", "Replaced 1 occurrence"), ("<C-x><C-s>", "Wrote "), "<C-x><C-c>",
        "emacs-nox", {
            r"really edit the buffer\? \(y, n, r or C-h\) *$": "y",
            r"Save anyway\? \(yes or no\) *$": "yes<Enter>",
        }, writes_unchanged=False)


def kakoune(method):
    # It asks again and again until it is told to stop, and says nothing of a save unless it is told to.
    setup = f"set global writemethod {method}; hook global BufWritePost .* %{{ echo -- now saved }}"
    return ByHand(
        ("kak", "-n", "-e", setup),
        ("%sOLD<Enter>cNEW<Escape>", r"\[\+\] 1 sel"), (":w<Enter>", "now saved"), ":q!<Enter>", "kakoune",
        begin=(("", r"N: always keep"), ("N", "kept")))


EDITORS = {
    "vim": vim("vim", "vim"),
    "vim in place": vim("vim", "vim", "set backupcopy=yes"),
    "neovim": vim("nvim", "neovim"),
    "emacs": emacs(),
    "emacs in place": emacs("--eval", "(setq backup-by-copying t)"),
    "nano": ByHand(
        ("nano", "--ignorercfiles"),
        ("<C-\\>OLD<Enter>NEW<Enter>A", "Replaced 1 occurrence"), ("<C-s>", r"\[ Wrote "), "<C-x>", "nano",
        {r"continue saving\?": "Y"}),
    # Told once not to reload the file, it overwrites it without asking.
    "micro": ByHand(
        ("micro",),
        ("<C-e>replaceall 'OLD' 'NEW'<Enter>", "Replaced 1 occurrence"), ("<C-s>", "Saved "), "<C-q>", "micro",
        begin=(("<Right>", r"Reload file\?"), ("<Escape>", "Ctrl-g: help$"))),
    "kakoune": kakoune("overwrite"),
    "kakoune by renaming": kakoune("replace"),
}
