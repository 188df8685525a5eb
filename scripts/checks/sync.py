"""Machines that share one state through a folder, all at work; then counts what was lost.

    scripts/check sync [--engine ENGINE,…|all] [--nodes 2|3] [--scenarios SCENARIO,…]     five minutes for an engine
    scripts/check sync --short …                                                          one minute

Each machine has a network, a name, an identifier, a home and a state folder of its own, and an engine that keeps one
folder in sync: a Syncthing that talks to the others alone; or a server's folder is mounted, with sshfs; or what is new
is brought to a common place again and again, by unison, rclone, git (which merges), or `cp` (copies). On each,
`replicate share` was typed for a file outside of that folder. There a `replicate attach` increments a counter that all
share and sets tokens of its own, as fast as answered.

verbs         no instance is there; increments and tokens are verbs that are typed one after the other
all at once   nothing else happens
apart         again and again the link of a machine is cut, or its engine is stopped; then they meet again
an editor     one machine's file is read, changed and renamed over again and again
in place      the same, but what is changed is written into the file that was read, which stays open meanwhile; if an
              engine has replaced it by then nobody can find that save, and it is counted by itself
kills         instances and engines are killed at any time, and started again

After each, all come to rest, and it is counted.

issued      how many actions were asked for; of those that were answered all must be there
everywhere  how many of these are on each machine
counter     what the shared counter came to
lost        answered actions and saves that are not there
twice       how much more the counter has than was asked for
equal       after how many seconds of rest all files held the same
read        after how many each machine knew that the others had read all

At the end a machine joins that was never there, and must come to the same. The control is the same without `share`,
with the file itself in the synced folder: it must be seen to lose increments.

Needs root, for networks of their own, and the engines; for sshfs also sshd. What can't be had is a failure, unless
--skip-unavailable is given.
"""

import random
import shutil
import subprocess
import sys
import time

from support import arguments
from support import places
from machines.scenarios import SCENARIOS
from machines.table import table
from machines.world import alone, settle

# Each with what it takes.
ENGINES = {
    "Syncthing": ("syncthing",), "sshfs": ("sshfs", "ssh-keygen"), "copies": ("cp",), "unison": ("unison",),
    "rclone": ("rclone",), "git": ("git",)}
PROGRAMS = ("hostname", "ip", "mount", "nsenter", "unshare")
SHORT_SECONDS = 5.0


def run(engine, folder, tally, options):
    """All of it with one engine; the exit code."""
    start = time.monotonic()
    print(f"== {engine}", flush=True)
    try:
        missing = [program for program in PROGRAMS + ENGINES[engine] if not shutil.which(program)]
        if missing:
            raise places.Unavailable(f"not installed: {', '.join(missing)}")
        settle()
        table(engine, options.nodes, folder, tally, options)
    except places.Unavailable as reason:
        tally.miss("machines", reason)
    print(f"\n{time.monotonic() - start:.0f} s, seed {options.seed}")
    return tally.end()


def main():
    parser = arguments.parser(__doc__, "release")
    parser.add_argument(
        "--engine", default="Syncthing", help=f"some of {', '.join(ENGINES)}, or all; default: %(default)s")
    parser.add_argument("--nodes", type=int, choices=(2, 3), default=3, help="machines; default: %(default)s")
    parser.add_argument("--seconds", type=float, default=30, help="for each scenario; default: %(default)s")
    parser.add_argument("--control-seconds", type=float, default=3)
    parser.add_argument(
        "--delay", type=int, default=1, help="seconds that Syncthing waits after a change; default: %(default)s")
    parser.add_argument("--scenarios", default=",".join(SCENARIOS), help="default: %(default)s")
    parser.add_argument(
        "--pace", type=float, default=0, help="seconds between an answer and what is asked next; default: %(default)s")
    parser.add_argument(
        "--inside", action="store_true", help="the file lies in the synced folder itself, beside the journals")
    parser.add_argument("--short", action="store_true", help="some seconds for each scenario, for CI")
    parser.add_argument("--skip-unavailable", action="store_true", help="what this user can't have is no failure")
    parser.add_argument("--keep", action="store_true", help="leaves the folder with all machines, and says where it is")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    options.scenarios = arguments.chosen(options.scenarios, SCENARIOS, "scenario", parser)
    engines = list(ENGINES) if options.engine == "all" else arguments.chosen(options.engine, ENGINES, "engine", parser)
    if options.short:
        options.seconds, options.control_seconds = min(options.seconds, SHORT_SECONDS), min(options.control_seconds, 2)
    places.end_cleanly()
    if len(engines) > 1:
        # Each in a process of its own, as only one can get a world of its own; what is said last counts.
        command = [sys.executable, "-B", "-m", "checks.sync", *sys.argv[1:], "--seed", str(options.seed), "--engine"]
        sys.exit(max(subprocess.run([*command, name]).returncode for name in engines))
    sys.exit(alone_with(engines[0], options))


def alone_with(engine, options):
    tally = places.Tally(options.skip_unavailable)
    with places.plain() as folder:
        try:
            code = alone(lambda: run(engine, folder, tally, options))
        except places.Unavailable as reason:
            tally.miss("machines", reason)
            code = tally.end()
        if options.keep:
            kept = f"{folder}-kept"
            shutil.move(folder, kept)
            print(f"kept: {kept}")
    return code


if __name__ == "__main__":
    main()
