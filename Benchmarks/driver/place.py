"""Where the run happens: its folders, what stands ready there, and what of it could not be had."""

import os
import platform
import shutil
import subprocess
import tempfile

import programs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCHMARKS = os.path.join(ROOT, "Benchmarks")
BUILD = os.path.join(BENCHMARKS, ".build")
BASELINES = ["writer", "reader", "commit", "increment", "launch", "pace"]
# Debian's packages, and those of Python that a virtual environment gets.
PACKAGES = ["entr", "inotify-tools", "jq", "nodejs", "python3-venv", "sqlite3"]
PYTHON_PACKAGES = ["filelock", "orjson", "watchdog", "watchfiles"]
# What the results don't go without saying that it is missing; the second ones only where they are installed already.
ALWAYS = ["inotifywait", "jq", "sqlite3", "orjson", "watchfiles", "watchdog", "node"]
OFTEN = ["entr", "filelock", "watchman", "fsnotify (Go)"]


class Place:
    def __init__(self, options):
        self.quick = options.quick
        self.products = options.products and os.path.abspath(options.products)
        self.folder = tempfile.mkdtemp(prefix="replicate-benchmarks.", dir=self._parent())
        # What instances keep beside, and what programs call temporary, is on the file system that is measured.
        self.environment = dict(
            os.environ, XDG_STATE_HOME=os.path.join(self.folder, "state"), TMPDIR=self.folder, LC_ALL="C.UTF-8",
            SWIFT_BACKTRACE="enable=no")
        self.python = os.path.join(BUILD, "python", "bin", "python3")
        if not os.path.exists(self.python):
            self.python = shutil.which("python3")
        self.versions = {}

    @property
    def is_ext(self):
        return file_system(self.folder).startswith("ext")

    @staticmethod
    def _parent():
        """A folder on ext4, if there is one: what it costs to write depends on the file system."""
        usual = tempfile.gettempdir()
        os.makedirs(BUILD, exist_ok=True)
        return next((folder for folder in [usual, BUILD] if file_system(folder).startswith("ext")), usual)

    def new_folder(self, name):
        return tempfile.mkdtemp(prefix=f"{name}.", dir=self.folder)

    def child(self, words, folder=None, ready="ready", state=None):
        """A program; with a folder for state of its own, it is as on another machine."""
        environment = dict(self.environment, XDG_STATE_HOME=state) if state else self.environment
        return programs.Child(words, folder or self.folder, environment, ready)

    def output(self, words, timeout=programs.PATIENCE, stdin=None):
        return programs.output(words, self.environment, self.folder, timeout, stdin)

    def c(self, name):
        return os.path.join(BUILD, "C", name)

    def product(self, name):
        """A program of ours, built for release."""
        build = os.path.join(ROOT, ".build") if name in ("replicate", "file-probe", "journal-probe") else BUILD
        if name == "instance":
            build = os.path.join(build, "static")
        return os.path.join(self.products or os.path.join(build, "release"), name)

    def peer(self, name):
        """A script that stands for a peer."""
        return os.path.join(BENCHMARKS, "driver", "peers", name)

    def document(self, size, name="state.json", folder=None):
        """A file with a document of about so many bytes."""
        path = os.path.join(folder or self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.output([self.product("json"), "--document", size]))
        return path

    def has(self, name):
        return name in self.versions

    def look_around(self):
        """Finds out which peers there are."""
        first = lambda words: self.output(words).strip().splitlines()[0]
        module = lambda name: lambda: first(
            [self.python, "-c", f"import {name}, importlib.metadata as m; print(m.version('{name}'))"])
        found = {
            "inotifywait": lambda: subprocess.run(
                ["inotifywait", "--help"], capture_output=True, text=True, timeout=10).stdout.split()[1],
            "jq": lambda: first(["jq", "--version"]),
            "sqlite3": lambda: first([self.python, "-c", "import sqlite3; print(sqlite3.sqlite_version)"]),
            "node": lambda: first(["node", "--version"]),
            "entr": lambda: subprocess.run(["entr"], capture_output=True, text=True, timeout=10).stderr.split()[1],
            "watchman": lambda: first(["watchman", "--version"]),
            **{name: module(name) for name in PYTHON_PACKAGES},
        }
        for name, version in found.items():
            try:
                self.versions[name] = version()
            except (programs.Failed, OSError, IndexError, subprocess.SubprocessError):
                pass
        self.versions["python"] = platform.python_version() if self.python == shutil.which("python3") else first(
            [self.python, "-c", "import platform; print(platform.python_version())"])

    @property
    def missing(self):
        return [name for name in ALWAYS + OFTEN if name not in self.versions]

    def facts(self):
        """What the figures hold for."""
        with open("/proc/cpuinfo") as file:
            models = {line.split(":", 1)[1].strip() for line in file if line.startswith("model name")}
        load = os.getloadavg()[0]
        return [
            f"{os.cpu_count()} cores ({', '.join(sorted(models)) or platform.machine()}), {platform.system()} "
            f"{platform.release()}, {file_system(self.folder)}",
            f"{first_line(['swift', '--version'])}; {first_line(['cc', '--version'])}, `-O2`",
            f"load average at the start: {load:.2f}" + (", so the machine was **busy**" if load > 0.5 else ""),
        ]

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def first_line(words):
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=30)
        return (done.stdout or done.stderr).strip().splitlines()[0]
    except (OSError, IndexError, subprocess.SubprocessError):
        return f"{words[0]}: unknown"


def file_system(folder):
    """The kind of file system that a folder is on."""
    best = ("", "unknown")
    with open("/proc/self/mounts") as file:
        for line in file:
            _, point, kind, *_ = line.split()
            point = point.replace("\\040", " ")
            inside = os.path.realpath(folder) + "/"
            # The last one of the same place is on top.
            if inside.startswith(point.rstrip("/") + "/") and len(point) >= len(best[0]):
                best = (point, kind)
    return best[1]
