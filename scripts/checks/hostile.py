"""Users who mean harm, in a folder that everybody may write to: real processes of three users, one of them replicate's.

    sudo scripts/check hostile [--replicate PATH] [--seconds N] [--folder PARENT]     a minute, or N seconds

The owner increments a number in a file of mode 600, by an attached instance and by single commands, and saves it by rename now and then.
Another file goes back and forth between two states, so that the names which it needs can be told in advance.
The stranger plants files, links, FIFOs and folders under all names that ours have or may get, and opens whatever he can. The vandal
links, locks, renames, removes, and truncates; he has no file of his own, so whatever works was somebody else's. Meanwhile a watcher
looks at the modes of all that stands in the folder. Fails when either read or changed anything that the file's mode forbids, when a file
beside ours was ever open to more users than the file, when a change was lost, or when anything hung.
"""

import collections
import contextlib
import fcntl
import json
import multiprocessing
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time

from support import arguments
from support.client import Client

OWNER, STRANGER, VANDAL = 65534, 65533, 65532
NAME, SWITCH = "state.json", "switch.json"
FAMILY = re.compile(r"\.(?:state|switch)\.json\.replicate-")
SECRET = b"for the owner's eyes only"
# How long one command may take; the vandal holds the folder's lock for moments, and the machine may be busy.
PATIENCE = 60
LONG = ["--timeout", str(PATIENCE - 10)]


def become(user):
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def attempt(count, action, *words, **options):
    """Does what may fail; counts how it went."""
    try:
        action(*words, **options)
        count[f"{action.__name__} worked"] += 1
    except OSError:
        count[f"{action.__name__} failed"] += 1


def forged(path):
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    os.fchmod(descriptor, 0o666)
    os.write(descriptor, b'{"n": 1000000, "forged": true}')
    os.close(descriptor)


def plant(shared, victim, until, report):
    """Plants something under each name that could be one of ours."""
    become(STRANGER)
    os.chdir(shared)
    mine = []
    kinds = [
        lambda name: os.symlink(victim, name), lambda name: os.symlink(NAME, name), lambda name: os.mkfifo(name, 0o666),
        lambda name: os.mkdir(name), forged, forged, lambda name: os.link(NAME, name),
    ]
    while time.monotonic() < until:
        names = [name for name in os.listdir(".") if FAMILY.match(name)]
        seen = [name for name in names if name.startswith("." + SWITCH)]
        for name in random.sample(names, min(len(names), 5)) + random.sample(seen, min(len(seen), 3)):
            family = FAMILY.match(name)[0]
            fields = name[len(family):].rpartition(".")[0].split("-")
            if len(fields) < 4:
                continue
            machine, inode, base, new = fields[:4]
            guesses = [
                f"{family}{machine}-0-{new}-{base}.tmp", f"{family}{machine}-0-{base}-{new}.tmp",
                f"{family}{machine}-1-{base}-{new}.tmp", f"{family}{machine}-{inode}-{base}-{new}-1.tmp",
                f"{family}{machine}-{int(inode) + 1}-{new}-{base}.tmp", f"{family}{machine}-1-{base}-{new}.aside",
                f"{family}{machine}-1-{new}-{new}.spare", f"{family}{machine}-0-{base}-{new}.burst", f"{family}lock",
            ]
            guess = random.choice(guesses)
            with contextlib.suppress(OSError):
                random.choice(kinds)(guess)
                # What a file that isn't there yet will be called stays, for the next time.
                if f"{SWITCH}.replicate-{machine}-0-" not in guess:
                    mine.append(guess)
        # Also a name that no instance has had yet; and not so many that listing the folder takes all the time.
        while len(mine) > 200:
            gone = mine.pop(0)
            with contextlib.suppress(OSError):
                os.rmdir(gone) if os.path.isdir(gone) and not os.path.islink(gone) else os.unlink(gone)
        time.sleep(0.0005)
    report.put(("planted", len(mine), []))


def spy(shared, until, report):
    """Opens whatever he can, and keeps what he has opened: it may be written to later."""
    become(STRANGER)
    os.chdir(shared)
    opened, wrong, tries = [], [], 0
    while time.monotonic() < until:
        for entry in os.scandir("."):
            try:
                if entry.stat(follow_symlinks=False).st_uid != OWNER:
                    continue
                tries += 1
                found = os.open(entry.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            except OSError:
                continue
            # By now it may be something of his own that has that name.
            if stat.S_ISREG(os.fstat(found).st_mode):
                opened.append((entry.name, found))
            else:
                os.close(found)
        if len(opened) > 100:
            wrong += check(opened)
            opened = []
    wrong += check(opened)
    report.put(("opened", tries, wrong[:5]))


def check(opened):
    wrong = []
    for name, descriptor in opened:
        if SECRET in os.pread(descriptor, 1 << 16, 0):
            wrong.append(f"the stranger read '{name}'")
        os.close(descriptor)
    return wrong


def vandal(shared, until, report):
    """Renames, removes, links, truncates and locks what is not his."""
    become(VANDAL)
    os.chdir(shared)
    count = collections.Counter()
    folder = os.open(".", os.O_RDONLY)
    while time.monotonic() < until:
        for name in os.listdir("."):
            try:
                found = os.open(name, os.O_PATH | os.O_NOFOLLOW)
            except OSError:
                continue
            # By its name it could be the stranger's the next moment, whose files anybody may write to.
            if os.fstat(found).st_uid == OWNER:
                itself = f"/proc/self/fd/{found}"
                attempt(count, os.rename, name, "taken")
                attempt(count, os.unlink, name)
                attempt(count, os.link, itself, f"linked-{random.random()}", src_dir_fd=folder, follow_symlinks=True)
                attempt(count, os.truncate, itself, 0)
                attempt(count, os.chmod, itself, 0o666)
            os.close(found)
        if random.random() < 0.1:
            fcntl.flock(folder, fcntl.LOCK_EX)
            time.sleep(0.002)
            fcntl.flock(folder, fcntl.LOCK_UN)
    wrong = [f"the vandal's {what}" for what in count if what.endswith("worked")]
    report.put(("failed", count.total(), wrong))


def watch(shared, until, report):
    """Looks at the modes of the owner's files."""
    os.chdir(shared)
    looks, wrong = 0, []
    while time.monotonic() < until:
        for entry in os.scandir("."):
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if status.st_uid == OWNER and stat.S_ISREG(status.st_mode):
                looks += 1
                if stat.S_IMODE(status.st_mode) & ~0o600:
                    wrong.append(f"'{entry.name}' had mode {stat.S_IMODE(status.st_mode):o}")
    report.put(("looked at modes", looks, wrong[:5]))


class Owner:
    def __init__(self, replicate, shared, home):
        self.replicate, self.shared = replicate, shared
        self.environment = {"PATH": os.environ["PATH"], "HOME": home}
        self.options = dict(cwd=shared, user=OWNER, group=OWNER, extra_groups=[])

    def run(self, *words):
        return subprocess.run(
            [self.replicate, *words], capture_output=True, timeout=PATIENCE, text=True, env=self.environment,
            **self.options)

    def work(self, until):
        """Increments until it is time; returns how many increments were acknowledged."""
        client = Client(
            [self.replicate, "attach", NAME, *LONG], self.environment, stderr=subprocess.DEVNULL, **self.options)
        done = number = 0
        while time.monotonic() < until:
            answer = client.ask("increment", PATIENCE, path="/n")
            assert answer and "result" in answer, answer
            done += 1
            number += 1
            if number % 50 == 0:
                result = self.run("increment", NAME, "/n", *LONG)
                assert result.returncode == 0, result.stderr
                done += 1
            if number % 70 == 0:
                self.save(number)
            if number % 10 == 0:
                result = self.run("set", SWITCH, "/on", json.dumps(number % 20 == 0), *LONG)
                assert result.returncode == 0, result.stderr
        code, _ = client.close(PATIENCE)
        assert code == 0, code
        return done, number // 70

    def save(self, number):
        """Saves as many editors do."""
        process = multiprocessing.Process(target=save, args=(self.shared, number))
        process.start()
        process.join(timeout=PATIENCE)
        assert process.exitcode == 0, "the owner could not save"


def save(shared, number):
    os.umask(0o177)
    become(OWNER)
    os.chdir(shared)
    with open(NAME, encoding="utf-8") as file:
        state = json.load(file)
    state["saved"] = number
    with open(".mine", "w", encoding="utf-8") as file:
        json.dump(state, file)
    os.rename(".mine", NAME)


def main():
    parser = arguments.parser(__doc__, "release")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--folder", default="/var/tmp", help="where to work: users must get there")
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("scripts/check hostile: needs to be root, to become three users")

    top = tempfile.mkdtemp(prefix="replicate-hostile.", dir=options.folder)
    os.chmod(top, 0o755)
    replicate = shutil.copy(options.replicate, top)
    shared, home = os.path.join(top, "shared"), os.path.join(top, "home")
    os.mkdir(shared)
    os.chmod(shared, 0o1777)
    os.mkdir(home)
    os.chown(home, OWNER, OWNER)
    victim = os.path.join(home, "victim")
    for path, text in [
        (victim, '["of the owner"]'), (os.path.join(shared, NAME), json.dumps({"n": 0, "text": SECRET.decode()})),
        (os.path.join(shared, SWITCH), json.dumps({"on": True, "text": SECRET.decode()})),
    ]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chown(path, OWNER, OWNER)
        os.chmod(path, 0o600)
    owner = Owner(replicate, shared, home)
    wrong = []

    # A path that isn't there yet, but a link of the stranger's.
    os.symlink(victim, os.path.join(shared, "new.json"))
    os.lchown(os.path.join(shared, "new.json"), STRANGER, STRANGER)
    if owner.run("set", "--create", "new.json", "", "1").returncode != 4:
        wrong.append("a stranger's link was followed")

    until = time.monotonic() + options.seconds
    report = multiprocessing.Queue()
    crowd = [multiprocessing.Process(target=role, args=words) for role, words in [
        (plant, (shared, victim, until, report)), (spy, (shared, until, report)), (vandal, (shared, until, report)),
        (watch, (shared, until, report)),
    ]]
    for process in crowd:
        process.start()
    done, saves = owner.work(until)
    for _ in crowd:
        what, count, found = report.get(timeout=PATIENCE)
        print(f"{what}: {count}")
        wrong += found
    for process in crowd:
        process.join(timeout=PATIENCE)

    with open(os.path.join(shared, NAME), encoding="utf-8") as file:
        state = json.load(file)
    print(f"increments: {done}, saves: {saves}")
    if state.get("n") != done:
        wrong.append(f"the file has {state.get('n')} after {done} increments")
    if "forged" in json.dumps(state):
        wrong.append("the stranger's text came into the file")
    with open(victim, encoding="utf-8") as file:
        if file.read() != '["of the owner"]':
            wrong.append("another file of the owner's was written to")
    left = []
    for entry in os.scandir(shared):
        status = entry.stat(follow_symlinks=False)
        if status.st_uid == OWNER and entry.name not in (NAME, SWITCH):
            left.append(entry.name)
        if status.st_uid == STRANGER and stat.S_ISREG(status.st_mode):
            with open(entry.path, "rb") as file:
                if SECRET in file.read():
                    wrong.append(f"'{entry.name}', which is the stranger's, was written to")
    if left:
        wrong.append(f"left behind: {left}")
    for folder, _, names in os.walk(os.path.join(home, ".local/state/replicate")):
        for path in [folder] + [os.path.join(folder, name) for name in names]:
            if os.stat(path).st_mode & 0o077:
                wrong.append(f"others may enter or read '{path}'")
    shutil.rmtree(top)
    if wrong:
        sys.exit("\n".join(["failed:"] + wrong))
    print("nothing was lost, read, or written elsewhere")


main()
