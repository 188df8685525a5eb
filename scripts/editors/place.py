"""Where real programs meet a file."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from support.waiting import DEADLINE


class Place:
    """A folder with the file, and a home without anybody's settings. Not in /tmp, where vim and emacs save differently."""

    # How long a command of the shell may take, in seconds.
    patience = DEADLINE

    def __init__(self, base):
        base.mkdir(parents=True, exist_ok=True)
        self.root = pathlib.Path(tempfile.mkdtemp(dir=base, prefix="place-"))
        self.folder, self.home = self.root / "folder", self.root / "home"
        self.folder.mkdir()
        self.home.mkdir()
        self.file = self.folder / "state.json"
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
            "XDG_STATE_HOME": str(self.home / "state"), "TMUX_TMPDIR": str(self.root), "GIT_AUTHOR_NAME": "editor",
            "GIT_AUTHOR_EMAIL": "editor@localhost", "GIT_COMMITTER_NAME": "editor",
            "GIT_COMMITTER_EMAIL": "editor@localhost",
        }

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)

    def sh(self, command, **variables):
        """Runs a command of the shell in the folder; what it printed."""
        done = subprocess.run(
            ["sh", "-euc", command], cwd=self.folder, env={**self.environment, **variables}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=self.patience)
        if done.returncode != 0:
            raise RuntimeError(f"{command!r} ended with {done.returncode}: {done.stdout}")
        return done.stdout

    @contextlib.contextmanager
    def opened(self, editor):
        """The file as an editor has it open, which is told to quit when all is done."""
        session = editor.open(self)
        try:
            yield session
            session.quit()
        finally:
            session.close()


def require(users):
    """Ends the script where a program that somebody uses is not installed."""
    programs = {program: package for user in users for program, package in user.programs.items()}
    missing = {program: package for program, package in programs.items() if not shutil.which(program)}
    if missing:
        packages = " ".join(sorted(set(missing.values())))
        raise SystemExit(f"not installed: {', '.join(sorted(missing))}; on Debian: apt-get install {packages}")
