"""Tries places that don't allow everything: each must work, or say clearly what is wrong.

    scripts/check degraded                half a minute
    scripts/check degraded --only TEXT

In each place `replicate doctor` judges, an instance increments, an editor saves, the instance increments twenty
times in a row, and a command increments. The table says what worked, after how many milliseconds the save was
noticed, with what the doctor ended (0 well, 1 degraded, 4 unusable) and which problems the instance reported. What
differs from what must be so is a failure, and so is a place that this user or machine can't have, unless
--skip-unavailable is given. Nothing outside of temporary folders is changed, no system setting either: limits are set
in a user namespace of their own, or for one process.
"""

import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from functools import partial

from support import arguments
from support import places
from support.client import Client

DOCUMENT = {"n": 0, "title": "old", "list": list(range(20))}
BURST = 20
PATIENCE = 30
NOBODY = 65534
UNPRIVILEGED = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


class Place:
    """A file somewhere, and how to reach it.

    `path` is what replicate is given, `editor` what the editor saves to; `prefix` runs a command as somebody or under
    some limit; `saves` is how the editor saves, `in_silence` whether replicate stands still meanwhile; `folders` are where
    nothing may be left.
    """

    def __init__(self, path, editor=None, prefix=(), saves="rename", in_silence=False, folders=None, check=None):
        self.path, self.editor, self.prefix = path, editor or path, list(prefix)
        self.saves, self.in_silence = saves, in_silence
        self.folders = folders or [os.path.dirname(path)]
        self.check = check or (lambda: None)


def write(path):
    with open(path, "w") as file:
        file.write(json.dumps(DOCUMENT, indent=2) + "\n")
    return path


@contextlib.contextmanager
def in_folder(place, base):
    with place(base) as folder:
        yield Place(write(os.path.join(folder, "state.json")))


@contextlib.contextmanager
def ramfs(base):
    with places.plain(base) as folder, places.mounted(folder, "mount", "-t", "ramfs", "replicate"):
        yield Place(write(os.path.join(folder, "state.json")))


@contextlib.contextmanager
def mounted_elsewhere(place, base):
    with place(base) as folder:
        source = os.path.join(os.path.dirname(folder), "source", "state.json")
        yield Place(os.path.join(folder, "state.json"), editor=write(source))


@contextlib.contextmanager
def bound_file(base):
    with places.plain(base) as folder:
        source, path = write(os.path.join(folder, "source.json")), os.path.join(folder, "state.json")
        open(path, "w").close()
        places.run("mount", "--bind", source, path)
        try:
            yield Place(path, editor=source, saves="write")
        finally:
            places.unmount(path)


@contextlib.contextmanager
def as_nobody(folder_mode, file_mode, file_owner, base):
    if os.geteuid() != 0:
        raise places.Unavailable("only root can become somebody else")
    with places.plain(base) as folder:
        path = write(os.path.join(folder, "state.json"))
        os.chmod(path, file_mode)
        os.chown(path, file_owner, file_owner)
        os.chmod(folder, folder_mode)
        if subprocess.run(UNPRIVILEGED + ["test", "-x", folder]).returncode != 0:
            raise places.Unavailable(f"{os.path.dirname(folder)} is not open to others")

        def check():
            status = os.stat(path)
            if (status.st_uid, status.st_mode & 0o7777) != (file_owner, file_mode):
                return f"owner and mode became {status.st_uid} {status.st_mode & 0o7777:o}"

        yield Place(path, prefix=UNPRIVILEGED, saves="write", check=check)


@contextlib.contextmanager
def read_only(base):
    with places.tmpfs(base) as folder:
        path = write(os.path.join(folder, "state.json"))
        places.run("mount", "-o", "remount,ro", folder)

        def save(data):
            places.run("mount", "-o", "remount,rw", folder)
            replace(path, data)
            places.run("mount", "-o", "remount,ro", folder)

        yield Place(path, saves=save, in_silence=True)


@contextlib.contextmanager
def immutable(base):
    with places.image("ext4", base) as folder:
        path = write(os.path.join(folder, "state.json"))
        places.run("chattr", "+i", path)

        def save(data):
            places.run("chattr", "-i", path)
            overwrite(path, data)
            places.run("chattr", "+i", path)

        try:
            yield Place(path, saves=save, in_silence=True)
        finally:
            places.run("chattr", "-i", path)


@contextlib.contextmanager
def limited(setting, value, base):
    """A folder for commands that run under a limit of their own."""
    unshare = ["unshare", "--user", "--map-root-user"]
    places.run(*unshare, "true")
    script = f'echo {value} > /proc/sys/user/{setting} && exec "$@"'
    with places.plain(base) as folder:
        yield Place(write(os.path.join(folder, "state.json")), prefix=[*unshare, "sh", "-c", script, "sh"])


@contextlib.contextmanager
def hard_link(base):
    with places.plain(base) as folder:
        path = write(os.path.join(folder, "state.json"))
        os.link(path, os.path.join(folder, "other.json"))
        yield Place(path)


@contextlib.contextmanager
def link_chain(base):
    with places.plain(base) as folder:
        for name in ("a", "b", "c"):
            os.mkdir(os.path.join(folder, name))
        real = write(os.path.join(folder, "c", "real.json"))
        os.symlink("../c/real.json", os.path.join(folder, "b", "middle.json"))
        os.symlink(os.path.join(folder, "b", "middle.json"), os.path.join(folder, "a", "state.json"))
        path = os.path.join(folder, "a", "state.json")

        def check():
            if not os.path.islink(path) or os.path.islink(real):
                return "a link was replaced"

        yield Place(path, editor=real, check=check, folders=[os.path.join(folder, name) for name in "abc"])


@contextlib.contextmanager
def config_map(base):
    with places.plain(base) as folder:
        os.mkdir(os.path.join(folder, "..one"))
        write(os.path.join(folder, "..one", "state.json"))
        os.symlink("..one", os.path.join(folder, "..data"))
        os.symlink("..data/state.json", os.path.join(folder, "state.json"))

        def swap(data):
            os.mkdir(os.path.join(folder, "..two"))
            overwrite(os.path.join(folder, "..two", "state.json"), data)
            os.symlink("..two", os.path.join(folder, "..data_tmp"))
            os.rename(os.path.join(folder, "..data_tmp"), os.path.join(folder, "..data"))

        yield Place(os.path.join(folder, "state.json"), saves=swap, folders=[folder])


@contextlib.contextmanager
def replaced_folder(base):
    with places.plain(base) as outer:
        folder, other = os.path.join(outer, "folder"), os.path.join(outer, "other")
        os.mkdir(folder)
        path = write(os.path.join(folder, "state.json"))

        def swap(data):
            os.mkdir(other)
            overwrite(os.path.join(other, "state.json"), data)
            os.rename(folder, os.path.join(outer, "former"))
            os.rename(other, folder)

        yield Place(path, saves=swap, folders=[folder])


def overwrite(path, data):
    with open(path, "wb") as file:
        file.write(data)


def replace(path, data):
    overwrite(path + ".new", data)
    os.rename(path + ".new", path)


@contextlib.contextmanager
def stopped(process):
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


def is_noticed(client):
    states = [state.get("value") for state in client.told("state")]
    return any(isinstance(state, dict) and state["title"] == "saved" for state in states)


def reported_by(client):
    """Those that it has told so far, by their codes."""
    return {problem["code"]: problem["message"] for problem in client.told("problem")}


here, tmpfs, overlay = (partial(in_folder, place) for place in (places.plain, places.tmpfs, places.overlay))
behind_fuse, over_ssh = partial(mounted_elsewhere, places.bindfs), partial(mounted_elsewhere, places.sshfs)
closed_folder = partial(as_nobody, 0o755, 0o644, NOBODY)
closed_file = partial(as_nobody, 0o755, 0o644, 0)
foreign_file = partial(as_nobody, 0o777, 0o666, 0)
no_watches = partial(limited, "max_inotify_watches", 1)
no_inotify = partial(limited, "max_inotify_instances", 0)

# What must be so: the place, whether writing works, the doctor's exit code and what it says, and the problems reported.
CASES = [
    ("a folder", here, True, 0, None, {}),
    ("tmpfs", tmpfs, True, 0, None, {}),
    ("ramfs, no attributes", ramfs, True, 1, "no extended attributes", {"degraded": "no extended attributes"}),
    ("overlay", overlay, True, 1, "by polling.*overlay", {"cannot-watch": "overlay doesn't announce"}),
    ("bindfs (FUSE)", behind_fuse, True, 1, "can't swap names.*by polling.*fuse",
     {"cannot-watch": r"fuse\S* doesn't announce", "degraded": "can't swap names"}),
    ("sshfs", over_ssh, True, 1, "may not reach other machines.*fuse.sshfs.*by polling",
     {"cannot-watch": "fuse.sshfs doesn't announce", "degraded": "can't swap names",
      "local-locks": "may not reach other machines.*replicate share"}),
    ("bind-mounted file", bound_file, True, 1, "in place.*mount point", {"degraded": "in place|lose"}),
    ("folder not writable", closed_folder, True, 1, "in place.*permission denied", {"degraded": "permission denied"}),
    ("file of another user", foreign_file, True, 1, "in place.*not permitted", {"degraded": "not permitted"}),
    ("file not writable", closed_file, False, 4, "permission denied", {"cannot-write": "permission denied"}),
    ("read-only mount", read_only, False, 4, "read-only", {"cannot-write": "read-only"}),
    ("immutable file", immutable, False, 4, "not permitted", {"cannot-write": "not permitted"}),
    ("one inotify watch", no_watches, True, 1, "max_user_watches", {"cannot-watch": "max_user_watches"}),
    ("no inotify", no_inotify, True, 1, "max_user_instances", {"cannot-watch": "max_user_instances"}),
    ("hard link", hard_link, True, 1, "another name", {"degraded": "another name"}),
    ("links to links", link_chain, True, 0, None, {}),
    ("ConfigMap", config_map, True, 0, None, {}),
    ("folder replaced", replaced_folder, True, 0, None, {}),
]


def examine(place, binary, scratch, works, verdict, says, problems):
    """Tries a place; returns the row of the table and what is not as it must be."""
    environment = dict(os.environ, XDG_STATE_HOME=scratch)
    complaints = []

    def command(*words):
        return subprocess.run(
            place.prefix + [binary, *words], capture_output=True, text=True, env=environment, timeout=30)

    doctor = command("doctor", place.path)
    if doctor.returncode != verdict:
        complaints.append(f"the doctor ended with {doctor.returncode}, not {verdict}: {doctor.stdout}{doctor.stderr}")
    if says and not re.search(says, doctor.stdout + doctor.stderr, re.DOTALL):
        complaints.append(f"the doctor does not say {says!r}: {doctor.stdout}{doctor.stderr}")

    attached = Client(place.prefix + [binary, "attach", place.path, "--timeout", "2"], environment)
    attached.ask("watch")
    expected = 0
    answer = attached.ask("increment", PATIENCE if works else 1, path="/n")
    if works:
        expected = 1
        if answer.get("result", {}).get("value") != 1:
            complaints.append(f"the increment was answered with {answer}")
    elif "result" in answer:
        complaints.append("an increment was answered that can't be in the file")

    with open(place.editor) as file:
        value = json.load(file)
    if value["n"] != expected:
        complaints.append(f"the file has {value['n']}, not {expected}")
    value["title"] = "saved"
    data = (json.dumps(value, indent=2) + "\n").encode()
    saved = time.monotonic()
    if callable(place.saves):
        # While the place can be written to, what is pending could be tried once more.
        with stopped(attached.process) if place.in_silence else contextlib.nullcontext():
            place.saves(data)
    elif place.saves == "rename":
        replace(place.editor, data)
    else:
        overwrite(place.editor, data)
    noticed = "never"
    if attached.until(lambda: is_noticed(attached)):
        noticed = f"{(time.monotonic() - saved) * 1000:.0f}"
    else:
        complaints.append("the editor's save was not noticed")
    if works:
        answer = attached.ask("increment", path="/n")
        if answer.get("result", {}).get("value") != 2:
            complaints.append(f"the increment after the save was answered with {answer}")
        expected = 2
        # Commits that follow each other at once swap the same two files.
        for _ in range(BURST):
            answer = attached.ask("increment", path="/n")
            expected += 1
            if answer.get("result", {}).get("value") != expected:
                complaints.append(f"increment {expected} of a burst was answered with {answer}")
                break
    code, said = attached.close()
    if works and code != 0:
        complaints.append(f"the instance ended with {code}: {said!r}")
    if not works and (code != 4 or "1 write is not in" not in said):
        complaints.append(f"the instance ended with {code} and {said!r} although its write is not in the file")
    reported = reported_by(attached)
    for name, text in problems.items():
        if not re.search(text, reported.get(name, "")):
            complaints.append(f"no problem {name} with {text!r}: {reported}")
    for name in reported.keys() - problems.keys():
        complaints.append(f"a problem was reported without need: {name}: {reported[name]}")

    once = command("increment", place.path, "/n")
    if "local-locks" in problems and len(re.findall(problems["local-locks"], once.stderr)) != 1:
        complaints.append(f"a verb doesn't warn once: {once.stderr!r}")
    if works:
        expected += 1
        if once.returncode != 0:
            complaints.append(f"the command ended with {once.returncode}: {once.stderr}")
    elif once.returncode != 4 or not once.stderr.startswith("replicate: cannot"):
        complaints.append(f"the command ended with {once.returncode} and {once.stderr!r}")
    shown = command("get", place.path)
    if shown.returncode != 0 or json.loads(shown.stdout) != dict(DOCUMENT, n=expected, title="saved"):
        complaints.append(f"the file holds {shown.stdout!r} {shown.stderr!r}")
    wrong = place.check()
    if wrong:
        complaints.append(wrong)
    for folder in place.folders:
        left = [name for name in os.listdir(folder) if "replicate" in name]
        if left:
            complaints.append(f"left in {folder}: {left}")
    row = ("yes" if works else "read", noticed, doctor.returncode, ", ".join(sorted(reported)) or "-")
    return row, complaints


def exhausted(binary):
    """An instance that runs out of file descriptors: it says so, goes on in memory, and commits when it has some."""
    complaints = []
    with places.plain() as folder, places.plain() as scratch:
        path = write(os.path.join(folder, "state.json"))
        attached = Client([binary, "attach", path], dict(os.environ, XDG_STATE_HOME=scratch))
        if attached.ask("increment", path="/n").get("result", {}).get("value") != 1:
            complaints.append("the first increment was not answered with 1")
        _, hard = resource.prlimit(attached.process.pid, resource.RLIMIT_NOFILE)
        # What is open stays open, and there is no number left for another.
        numbers = {int(name) for name in os.listdir(f"/proc/{attached.process.pid}/fd")}
        lowest_free = min(set(range(max(numbers) + 2)) - numbers)
        resource.prlimit(attached.process.pid, resource.RLIMIT_NOFILE, (lowest_free, hard))
        pending = attached.send("increment", path="/n")
        lacking = r"too many open files"
        if not attached.until(lambda: any(re.search(lacking, text) for text in reported_by(attached).values())):
            complaints.append(f"no problem with {lacking!r}: {reported_by(attached)}")
        if attached.ask("get", path="/n").get("result", {}).get("value") != 2:
            complaints.append("work does not go on in memory")
        if pending in attached.answers:
            complaints.append(f"what could not be written was answered: {attached.answers[pending]}")
        resource.prlimit(attached.process.pid, resource.RLIMIT_NOFILE, (256, hard))
        if not attached.until(lambda: pending in attached.answers):
            complaints.append("what was pending was not committed although there are descriptors again")
        def not_over():
            return reported_by(attached).keys() - {problem["code"] for problem in attached.told("resolved")}
        if not attached.until(lambda: not not_over()):
            complaints.append(f"not over: {not_over()}")
        code, said = attached.close()
        if code != 0:
            complaints.append(f"the instance ended with {code}: {said!r}")
        with open(path) as file:
            value = json.load(file)["n"]
        if value != 2:
            complaints.append(f"the file has {value}, not 2")
        if os.listdir(folder) != ["state.json"]:
            complaints.append(f"left beside the file: {os.listdir(folder)}")
    return ", ".join(sorted(reported_by(attached))), complaints


def descriptors(binary):
    """Commands with ever more file descriptors: a clear no, or done; returns where that begins, and what is not so."""
    complaints = []
    enough = None
    with places.plain() as folder, places.plain() as scratch:
        environment = dict(os.environ, XDG_STATE_HOME=scratch)
        path = os.path.join(folder, "state.json")

        def run(*words):
            return subprocess.run(
                ["prlimit", f"--nofile={limit}", binary, *words], capture_output=True, text=True, env=environment,
                timeout=30)

        for limit in range(4, 33):
            write(path)
            done = run("increment", path, "/n")
            with open(path) as file:
                value = json.load(file)["n"]
            if "error while loading shared libraries" in done.stderr:
                continue
            clear = done.returncode == 4 and re.match(r"replicate: .*too many open files", done.stderr)
            if done.returncode == 0 and value == 1:
                enough = enough or limit
            elif not (clear and value == 0):
                complaints.append(f"with {limit} descriptors: {done.returncode} {done.stderr!r}, and the file has {value}")
            left = [name for name in os.listdir(folder) if name != "state.json"]
            if left and done.returncode == 0:
                complaints.append(f"with {limit} descriptors left beside the file: {left}")
            for name in left:
                os.unlink(os.path.join(folder, name))
            doctor = run("doctor", path)
            says_so = "too many open files" in doctor.stdout + doctor.stderr
            if not (doctor.returncode == 0 or doctor.returncode in (1, 4) and says_so):
                complaints.append(
                    f"with {limit} descriptors the doctor ends with {doctor.returncode}: "
                    f"{doctor.stdout}{doctor.stderr}")
    if enough is None:
        complaints.append("32 descriptors are not enough")
    return f"a clear message below {enough}", complaints


def main():
    parser = arguments.parser(__doc__, "release")
    parser.add_argument("--folder", help="where the files stand, if not in the temporary folder")
    parser.add_argument("--only", default="", help="only places whose name contains this")
    parser.add_argument("--skip-unavailable", action="store_true", help="what this user can't try is no failure")
    options = parser.parse_args()
    places.require("setpriv", "unshare", "prlimit")
    places.end_cleanly()
    tally = places.Tally(options.skip_unavailable)
    print(f"{'place':24}{'works':8}{'noticed':>8}{'doctor':>8}  problems")
    for name, make, *expected in CASES:
        if options.only not in name:
            continue
        try:
            with make(options.folder) as place, places.plain() as scratch:
                os.chmod(scratch, 0o777)
                row, complaints = examine(place, options.replicate, scratch, *expected)
        except places.Unavailable as reason:
            tally.miss(f"{name:24}", reason)
            continue
        print("{:24}{:8}{:>8}{:>8}  {}".format(name, *row), flush=True)
        tally.take(complaints)
    for name, attempt in (("few descriptors", descriptors), ("no more descriptors", exhausted)):
        if options.only in name:
            said, complaints = attempt(options.replicate)
            print(f"{name:24}{'yes':8}{'-':>8}{'-':>8}  {said}")
            tally.take(complaints)
    sys.exit(tally.end())


if __name__ == "__main__":
    main()
