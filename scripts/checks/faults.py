"""Lets the system calls of a commit fail, or the process die at them, one by one, and sees that nothing is lost.

    scripts/check faults [calls] [attach] [flush] [full] [power]     all of them, or some sections: twelve minutes
    scripts/check faults --short …                                   a sample: one minute

calls   Each system call that a command makes on its way from the first look at the file to its end fails once with
        EIO, ENOSPC, EDQUOT, EINTR and EACCES, transfers less than it was asked for, and is the last one that the
        process makes; a journal of another device has gone when it is opened. Also those of recovery, of a write in
        place, and of a place where names can't be swapped. Afterwards the file is a whole old or new version, the exit
        code tells the truth, and the next command recovers: nothing is applied twice, nothing stays beside the file.
attach  The same, with an instance that has been at work for a while.
flush   The disk refuses what a burst has written: an instance says so, and doesn't write to that file again.
full    The disk is full: an instance goes on in memory, says so, and commits as soon as there is room.
power   A power cut, by the file system's own shutdown call: with `--durability power` nothing acknowledged is missing.

Needs strace, a C compiler (cc or clang) and, for full, power and some of the calls, the right to mount; what can't be
tried is a failure, unless --skip-unavailable is given. With --short a sample is tried, chosen by the seed: of each kind
of call and of fault at least one.
"""

import random
import shutil
import sys
import time

from support import arguments
from support import places
from failures import short_transfer
from failures.attached import attach
from failures.commands import calls
from failures.full_disk import full
from failures.power_cut import power
from failures.refused_flush import refuse
from failures.scenarios import SCENARIOS

SECTIONS = {"calls": calls, "attach": attach, "flush": refuse, "full": full, "power": power}


def main():
    parser = arguments.parser(__doc__, "release")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"some of {', '.join(SECTIONS)}; default: all")
    parser.add_argument("--short", action="store_true", help="a sample of the faults, for CI")
    parser.add_argument("--sample", type=int, default=60, help="how many faults of each scenario; default: %(default)s")
    parser.add_argument("--only", help="only scenarios whose name contains this")
    parser.add_argument("--skip-unavailable", action="store_true", help="what this user can't try is no failure")
    parser.add_argument("--folder", help="where the files stand, if not in the temporary folder")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    for section in options.sections:
        if section not in SECTIONS:
            parser.error(f"no such section: {section}")
    options.rng = random.Random(options.seed)
    places.require("strace")
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        raise SystemExit("not installed: a C compiler; install gcc or clang")
    if options.only:
        SCENARIOS[:] = [scenario for scenario in SCENARIOS if options.only in scenario.name]

    places.end_cleanly()
    tally = places.Tally(options.skip_unavailable)
    start = time.monotonic()
    with places.plain() as folder:
        options.shim = short_transfer.built(compiler, folder)
        for section in options.sections or SECTIONS:
            SECTIONS[section](options, tally)
    print(f"{time.monotonic() - start:.0f} s, seed {options.seed}")
    sys.exit(tally.end())


if __name__ == "__main__":
    main()
