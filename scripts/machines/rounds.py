"""Engines that go to a common place now and then, and take and bring what is new: each round is a command."""
import os
import subprocess
import time

from machines.engine import Engine

PAUSE = 0.3

# What instances have beside a file for an instant; where the engine can be told by what lies there, `share` tells it.
LEFTOVERS = ".*.replicate-*"


class Rounds(Engine):
    """A command that is run again and again on one machine."""

    def __init__(self, machine, common):
        super().__init__(machine)
        self.common = common

    def configure(self, folders, engines):
        self.folders = folders
        for name in folders:
            os.makedirs(self.place(name), exist_ok=True)
            os.makedirs(self.common_place(name), exist_ok=True)
            self.prepare(self.place(name), self.common_place(name))

    def common_place(self, name):
        return os.path.join(self.common, name)

    def prepare(self, here, there):
        """What has to be done before the first round."""

    def start(self):
        rounds = "; ".join(self.round(self.place(name), self.common_place(name)) for name in self.folders)
        self.begin("sh", "-c", f"while :; do {rounds}; sleep {PAUSE}; done", start_new_session=True)

    def stop(self):
        self.kill()

    def kill(self):
        """With what it has started: in the middle of a round, mostly."""
        os.killpg(self.process.pid, 9)
        self.process.wait()


class Copies(Rounds):
    """Somebody who copies what is newer, with its time, both ways."""

    name = "copies"
    leaves_nothing_out = True
    overwrites = "cp writes over what was saved since it looked at the times"

    def round(self, here, there):
        return f"cp -ru --preserve=timestamps {here}/. {there}; cp -ru --preserve=timestamps {there}/. {here}"


class Unison(Rounds):
    name = "unison"

    def round(self, here, there):
        # A killed one leaves its locks.
        return (f"unison {here} {there} -batch -auto -times -silent -prefer newer -copyonconflict "
                f"-confirmbigdel=false -ignorelocks -ignore 'Name {LEFTOVERS}'")


class Rclone(Rounds):
    name = "rclone"

    def round(self, here, there):
        # What has stopped for good begins anew.
        bisync = f"rclone bisync {here} {there} --force --exclude '{LEFTOVERS}'"
        return f"{bisync} || {bisync} --resync"


class Git(Rounds):
    """Commits all, merges what others have, and pushes."""

    name = "git"
    # Nobody's own settings, and none that would ask somebody.
    SETTINGS = "-c user.name=replicate -c user.email=replicate@localhost -c commit.gpgsign=false -c gc.auto=0"

    def prepare(self, here, there):
        git = ["git", *self.SETTINGS.split()]
        if not os.path.exists(os.path.join(there, "HEAD")):
            subprocess.run([*git, "init", "-q", "--bare", "-b", "main", there], check=True)
            subprocess.run([*git, "init", "-q", "-b", "main", here], check=True)
            subprocess.run([*git, "-C", here, "commit", "-q", "--allow-empty", "-m", "begin"], check=True)
            subprocess.run([*git, "-C", here, "push", "-q", there, "main"], check=True)
            subprocess.run([*git, "-C", here, "remote", "add", "origin", there], check=True)
        else:
            subprocess.run([*git, "clone", "-q", there, here], check=True)

    def shared(self, name):
        words = ["git", "-C", self.place(name), "rm", "-q", "--cached", "--ignore-unmatch", "state.json"]
        # A round may be at work.
        while subprocess.run(words, stderr=subprocess.DEVNULL).returncode:
            time.sleep(0.05)

    def round(self, here, there):
        git = f"git -C {here} {self.SETTINGS}"
        # A killed one leaves its locks.
        return (f"rm -f {here}/.git/*.lock; {git} add -A; {git} commit -qm round; "
                f"{git} pull -q --no-rebase --no-edit origin main; "
                f"{git} push -q origin main")


ROUNDS = {engine.name: engine for engine in (Copies, Unison, Rclone, Git)}
