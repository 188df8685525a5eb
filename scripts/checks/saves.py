"""Saves a file with real programs, and says what that came to.

    scripts/check saves                     each scenario once, in each company; a minute
    scripts/check saves --rounds 10         commands ten times, editors twice
    scripts/check saves --only git,mv       those whose names begin so

A file is changed by verbs; then somebody saves it: replaces it on purpose, edits it, from a fresh buffer or from an old one, or brings
an older version back. Each is done in three companies: while `replicate watch` runs (watch), while nothing runs (nothing), and with a
`replicate get` in between (get). What the file holds in the end must be what the writer meant, in all companies the same.

Some can't be told from something else. They must come to the same in all companies as well, and that must be said, with the command
that makes the file what the writer meant, which is run.
"""
import concurrent.futures
import os
import pathlib
import sys
import tempfile

from support import arguments
from support.arguments import ROOT
from editors.place import require
from saves.scenarios import SCENARIOS
from saves.world import COMPANIES, World


def require_noted_reading(folder):
    """Ends the script where nobody can tell who has read a file: there the table is another one."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, prefix="saves-") as file:
        file.write(b"x")
        file.flush()
        os.utime(file.name, (0, os.stat(file.name).st_mtime))
        pathlib.Path(file.name).read_bytes()
        if os.stat(file.name).st_atime == 0:
            raise SystemExit(f"reading isn't noted in {folder}; say --folder, and one that is not mounted with noatime")


def run(scenario, company, options):
    """What is wrong, line by line."""
    with World(pathlib.Path(options.folder), str(options.replicate), company) as world:
        try:
            return world.complaints(scenario)
        except Exception as error:
            return [f"{type(error).__name__}: {error}"]


def main():
    parser = arguments.parser(__doc__)
    parser.add_argument("--only", metavar="NAME,…")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=8, help="so many side by side; most of them wait most of the time")
    parser.add_argument("--folder", default=ROOT / ".build", help="where files are made; not in /tmp")
    options = parser.parse_args()
    names = tuple(options.only.split(",")) if options.only else ("",)
    scenarios = [scenario for scenario in SCENARIOS if scenario.name.startswith(names)]
    if not scenarios:
        parser.error(f"there are {', '.join(scenario.name for scenario in SCENARIOS)}")
    require(scenarios)
    require_noted_reading(pathlib.Path(options.folder))
    failed = total = 0
    print(f"{'scenario':54}{'meant':>9}" + "".join(f"{company:>9}" for company in COMPANIES))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = [(scenario, submitted(pool, scenario, options)) for scenario in scenarios]
        for scenario, companies in rows:
            results = {company: [run.result() for run in runs] for company, runs in companies.items()}
            shares = [f"{sum(not result for result in some)}/{len(some)}" for some in results.values()]
            meant = scenario.meant + ("*" if scenario.is_undecidable else "")
            print(f"{scenario.name:54}{meant:>9}" + "".join(f"{share:>9}" for share in shares), flush=True)
            complaints = [
                f"{company}: {complaint}" for company, some in results.items() for result in some for complaint in result]
            for complaint in complaints[:3]:
                print(f"  failed: {complaint}", flush=True)
            total += sum(map(len, results.values()))
            failed += sum(bool(result) for some in results.values() for result in some)
    print("* can't be told from something else: is said, and settled by the command that is named")
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


def submitted(pool, scenario, options):
    """The runs of a scenario, by company."""
    rounds = min(options.rounds, 2) if scenario.is_by_hand else options.rounds
    return {company: [pool.submit(run, scenario, company, options) for _ in range(rounds)] for company in COMPANIES}


if __name__ == "__main__":
    sys.exit(main())
