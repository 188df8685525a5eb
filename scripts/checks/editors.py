"""Edits a file with real programs while two instances change other places in it, and counts.

    scripts/check editors                              each program once; a minute or two
    scripts/check editors --rounds 10 --commits 2000   many times, and with buffers that are older
    scripts/check editors --only vim,nano

Two instances each count a field up, every few milliseconds. Each program saves three times: as soon as it has read the
file (fresh); again from the same buffer, after the instances have gone on (again); and opened anew, but saved only after
they have gone on (stale). An editor that asks whether to overwrite the changed file is told to. Each edit must reach both
instances, nothing else may change, and each increment must be answered with the next number and be in the file at the end.

It prints how many milliseconds the slower instance took after the save was in the file. A program that isn't installed is
a failure.
"""
import pathlib
import sys

from support import arguments
from support.arguments import ROOT
from editors.by_command import TOOLS
from editors.by_hand import EDITORS
from editors.case import Case
from editors.place import Place, require

ALL = {**EDITORS, **TOOLS}


def run(name, options):
    """Runs one program's case and prints a line about it; returns whether all was well."""
    with Place(pathlib.Path(options.folder)) as place:
        case = Case(str(options.replicate), ALL[name], place, options.commits)
        complaints = case.run()
    delays = "".join(f"  {kind} {delay * 1000:6.1f} ms" for kind, delay in case.delays.items())
    remark = "  (reads the file itself: never stale)" if ALL[name].reads_file else ""
    print(f"{name:20}{delays}{remark}", flush=True)
    for complaint in complaints:
        print(f"  failed: {complaint}", flush=True)
    return not complaints


def main():
    parser = arguments.parser(__doc__)
    parser.add_argument("--only", metavar="NAME,…", help=", ".join(ALL))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--commits", type=int, default=150, help="that each instance makes before a buffer counts as stale")
    parser.add_argument("--folder", default=ROOT / ".build", help="where files are made; not in /tmp")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(ALL)
    if unknown := [name for name in names if name not in ALL]:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(ALL)}")
    require(ALL[name] for name in names)
    results = [run(name, options) for _ in range(options.rounds) for name in names]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
