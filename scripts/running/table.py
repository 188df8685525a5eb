"""The checks: the commands of each, its lane, the builds it needs, and the occasion on which CI runs it."""
import enum
import os
import sys
import typing

from support.arguments import ROOT

RELEASE = ROOT / ".build-release/release"
FORMS = ROOT / ".build-forms/.build/release"


class Lane(enum.Enum):
    """Checks of one lane run one after another; the two lanes run side by side, since one leaves what the other needs."""

    PROCESSOR = "processor"
    PROGRAMS = "programs"


class Occasion(enum.Enum):
    """When CI runs a check. `scripts/check all` runs every one."""

    # Another check needs it: a build.
    NEEDED = "needed"
    ALWAYS = "always"
    # CONTRIBUTING.md names it for a path that has changed since the last whole pass.
    TOUCHED = "touched"
    # On request only: another check covers it.
    ASKED = "asked"


class Check(typing.NamedTuple):
    """A check passes if each of its commands exits with 0."""

    name: str
    proves: str
    lane: Lane
    commands: list
    # Seconds of processor time on the machine that docs/reliability.md describes.
    takes: int = 0
    builds: tuple = ()
    occasion: Occasion = Occasion.ALWAYS
    # Options of the first command, unless the caller gives others: `scripts/check NAME OPTION…`.
    options: tuple = ()

    @property
    def programs(self):
        """The files in scripts/checks that its commands run."""
        return {
            f"scripts/checks/{command[3].removeprefix('checks.')}.py" if command[1:3] == ["-B", "-m"] else command[0]
            for command in self.commands}

    def commands_with(self, options):
        """The commands to run, or the first one alone with the caller's options."""
        first, *rest = self.commands
        return [[*first, *map(str, options)]] if options else [[*first, *map(str, self.options)], *rest]


def program(name, *words):
    return [sys.executable, "-B", "-m", f"checks.{name}", *map(str, words)]


def script(name, *words):
    return [f"scripts/checks/{name}.sh", *map(str, words)]


# `UNAVAILABLE=skip` leaves out what this user or machine can't have.
SKIP = ("--skip-unavailable",) if os.environ.get("UNAVAILABLE", "fail") != "fail" else ()
COMMAND = ("--replicate", RELEASE / "replicate")
SIMULATE = FORMS / "simulate"
SHARES = RELEASE / "simulate-shares"
MODEL = "Tests/SharedFolderModel/check.py"
INSIDE = ("--short", "--inside", "--nodes", 2, "--pace", 0.2)


def on_processor(name, proves, *commands, **options):
    return Check(name, proves, Lane.PROCESSOR, [list(map(str, command)) for command in commands], TAKES.get(name, 0), **options)


def with_programs(name, proves, *commands, **options):
    return Check(name, proves, Lane.PROGRAMS, [list(map(str, command)) for command in commands], TAKES.get(name, 0), **options)


# Seconds of processor time, as measured.
TAKES = {
    "build": 320, "build-packages": 105, "build-release": 250, "build-forms": 170, "build-thread": 280, "build-address": 92, "build-fuzz": 90,
    "format": 8, "layers": 3, "runner": 3, "tests": 240, "simulation": 265, "broken-forms": 135, "shares": 205, "variants": 14,
    "model": 102, "thread": 285, "address": 100, "fuzz": 60, "pages": 30, "examples": 20, "documents": 15, "benchmarks": 75,
    "patches": 7, "journals": 52, "stress": 26, "bounds": 31, "torture": 85, "editors": 22, "old-buffers": 17, "saves": 69,
    "inspector": 9, "recording": 1, "degraded": 2, "faults": 27, "hostile": 17, "sync": 78, "sync-engines": 51, "episodes": 4,
}

# In each lane in the order in which they run: what others need first, then the longest.
CHECKS = [
    # Builds. What one has compiled, no other one compiles again.
    on_processor(
        "build", "everything compiles without a warning", script("build", "debug", "--build-tests"), occasion=Occasion.NEEDED),
    on_processor(
        "build-packages", "the examples compile", script("build", "packages", "--package-path", "Examples", "--build-tests"),
        occasion=Occasion.NEEDED),
    with_programs(
        "build-release", "the command and the programs that measure it compile optimised",
        *[script("build", "release", "--product", product)
          for product in ("replicate", "simulate-shares", "store-stress", "file-probe")],
        occasion=Occasion.NEEDED),
    on_processor(
        "build-forms", "the simulation compiles with all broken forms in it", program("forms", "--build"),
        occasion=Occasion.NEEDED),
    on_processor(
        "build-thread", "the tests compile for ThreadSanitizer", script("sanitize", "--build", "--short", "thread"),
        occasion=Occasion.NEEDED),
    on_processor(
        "build-address", "the simulation compiles for AddressSanitizer", script("sanitize", "--build", "--short", "address"),
        occasion=Occasion.NEEDED),
    on_processor(
        "build-fuzz", "the parsers compile for libFuzzer", script("fuzz", "--debug", "--build"), occasion=Occasion.NEEDED),

    # What uses the processor.
    on_processor("format", "each file has the format of .swift-format", script("format")),
    on_processor("layers", "each target imports only the layers below it", script("layers")),
    on_processor("forms", "each broken form still fits the sources", program("forms", "--texts")),
    on_processor("runner", "the runner of the checks reports what fails", [sys.executable, "-B", "-m", "running.tests"]),
    on_processor("tests", "all tests", script("tests"), builds=("build",)),
    on_processor(
        "units", "the tests of the libraries", ["swift", "test", "--quiet", "--filter", "^(StateJSONTests|StoreCoreTests|HotReloadTests|RemoteControlTests)"],
        builds=("build",), occasion=Occasion.ASKED),
    on_processor(
        "simulation", "the driver that ships breaks no promise on simulated machines", [SIMULATE],
        builds=("build-forms",), options=("--runs", 20000)),
    on_processor("broken-forms", "the simulation catches what is broken on purpose", program("forms"), builds=("build-forms",)),
    on_processor(
        "shares", "simulated devices come to one document",
        *[[SHARES, *words, "--runs", 20000]
          for words in ((), ("--core",), ("--core", "--inside"), ("--core", "--inside", "--losing-times"))],
        builds=("build-release",)),
    on_processor(
        "variants", "the simulation of devices catches what is broken on purpose",
        [SHARES, "--variants"], [SHARES, "--core", "--inside", "--variants", "--runs", 40000],
        builds=("build-release",)),
    on_processor(
        "model", "the model of devices breaks no promise, and misses each rule that is left out",
        [MODEL, "cases"], [MODEL, "variants"], [MODEL, "laws"], [MODEL, "seeds", 0, 1000],
        [MODEL, "seeds", 0, 100, "--file-inside"], occasion=Occasion.TOUCHED),
    on_processor(
        "thread", "ThreadSanitizer reports nothing in what has threads", script("sanitize", "--short", "thread"),
        builds=("build-thread",)),
    on_processor(
        "address", "AddressSanitizer reports nothing in simulated machines", script("sanitize", "--short", "address"),
        builds=("build-address",), occasion=Occasion.TOUCHED),
    on_processor(
        "sanitizers", "neither sanitizer reports anything in any test", script("sanitize"), occasion=Occasion.ASKED),
    on_processor("fuzz", "no input of a fuzzer crashes a parser", script("fuzz"), builds=("build-fuzz",), options=("--debug", "--seconds", 8)),
    on_processor("pages", "the programs in the documents compile and print what stands there", script("pages"), builds=("build", "build-packages")),
    on_processor("examples", "the examples build, and pass their tests", script("examples"), builds=("build", "build-packages")),
    on_processor(
        "documents", "each public symbol has a doc comment, whose examples compile",
        program("documents"), builds=("build",), occasion=Occasion.ASKED),
    on_processor(
        "benchmarks", "each benchmark runs, and a commit costs no more instructions", script("benchmarks"),
        builds=("build-release",)),
    on_processor("patches", "texts and patches mean what they mean to Python", program("patches"), builds=("build",)),
    on_processor("journals", "journals come to what the model makes of them", program("journals"), builds=("build",)),
    on_processor(
        "stress", "eight instances lose no increment, killed or not",
        [RELEASE / "store-stress"], [RELEASE / "store-stress", "--deep"], program("stress", *COMMAND),
        program("stress", *COMMAND, "--kill", 2), builds=("build-release",)),
    on_processor(
        "bounds", "hostile input takes no more memory and time than the limits promise", program("bounds", *COMMAND),
        builds=("build-release",)),

    # What waits for programs.
    with_programs(
        "torture", "instances, editors, kills and stops lose nothing", ["scripts/torture", *COMMAND], builds=("build-release",),
        options=("--short", *SKIP)),
    with_programs(
        "editors", "real editors save beside two instances, and nothing is lost", program("editors", *COMMAND),
        builds=("build-release",)),
    with_programs(
        "old-buffers", "the same with buffers that are older than the log of versions",
        program("editors", *COMMAND, "--only", "vim,cp,slow cp", "--commits", 2500),
        builds=("build-release",), occasion=Occasion.TOUCHED),
    with_programs("saves", "saves by real programs are taken for what they are", program("saves", *COMMAND), builds=("build-release",)),
    with_programs("inspector", "the inspector does what its keys say, in a real terminal", program("inspector", *COMMAND), builds=("build-release",)),
    with_programs(
        "recording", "a recording replays to the same bytes", program("recording", *COMMAND), builds=("build-release",)),
    with_programs(
        "degraded", "each limited place works, or reports what is wrong", program("degraded", *COMMAND),
        builds=("build-release",), options=SKIP),
    with_programs(
        "faults", "a system call that fails loses nothing", program("faults", *COMMAND), builds=("build-release",),
        options=("--short", *SKIP)),
    with_programs(
        "hostile", "another user in the folder reads and changes nothing", program("hostile", *COMMAND),
        builds=("build-release",), options=("--seconds", 15)),
    with_programs(
        "sync", "three machines share one state through Syncthing", program("sync", *COMMAND),
        builds=("build-release",), options=("--short", *SKIP)),
    with_programs(
        "sync-engines", "the same through other engines, and with the file in the folder",
        program("sync", *COMMAND, *INSIDE, "--scenarios", "all at once,an editor,kills", *SKIP),
        program("sync", *COMMAND, *INSIDE, "--scenarios", "an editor", "--engine", "unison,rclone,git,sshfs", *SKIP),
        program("sync", *COMMAND, "--short", "--engine", "sshfs", "--nodes", 2, "--scenarios", "all at once", *SKIP),
        builds=("build-release",), occasion=Occasion.TOUCHED),
    with_programs(
        "episodes", "two Episodes on one file show the same",
        program("episodes", "--episodes", ROOT / ".build-packages/debug/Episodes", *COMMAND),
        builds=("build-packages", "build-release")),
]

BY_NAME = {check.name: check for check in CHECKS}
QUICK = ("format", "layers", "forms", "units")


def with_builds(names):
    """The checks of these names and the builds they need, in the order of the table."""
    wanted = set(names)
    for name in names:
        wanted.update(BY_NAME[name].builds)
    return [check for check in CHECKS if check.name in wanted]
