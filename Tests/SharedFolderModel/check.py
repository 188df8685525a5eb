#!/usr/bin/env python3
"""Runs the model of a shared folder: random worlds, the laws of changes, and cases that broke earlier designs."""

import argparse
import collections
import json
import multiprocessing
import random
import sys

import mends
from file_inside import BurstWorld, FileWorld
from world import APPS, World, check_seed, observations


def run_seed(task):
    """One world. A seed says all of it: which apps, which events, in what order."""
    seed, kind, without = task
    mends.leave_out(*without)
    try:
        world = check_seed(seed, APPS[seed % len(APPS)], kind)
    except Exception as error:      # A broken rule may break the model itself, which is a breach like any other.
        if not without:
            raise RuntimeError(f"seed {seed}") from error
        return seed, [f"the model failed: {type(error).__name__}"], {}
    return seed, world.breaches, world.statistics


def seeds(first, last, kind=World, without=(), until_broken=False):
    """Runs worlds side by side; returns the broken ones and what happened in all of them."""
    broken, total = [], collections.Counter()
    with multiprocessing.Pool() as pool:
        tasks = ((seed, kind, without) for seed in range(first, last))
        for seed, breaches, statistics in pool.imap(run_seed, tasks, chunksize=4):
            total.update(statistics)
            total["worlds"] += 1
            if breaches:
                broken.append((seed, breaches))
                if until_broken:
                    pool.terminate()
                    break
    return broken, total


def report_seeds(options):
    broken, total = seeds(options.first, options.last, options.kind, options.without)
    for seed, breaches in broken[:20]:
        print(f"seed {seed}: {', '.join(breaches)}")
    worlds = total.pop("worlds")
    print(f"{worlds} worlds, {len(broken)} broke a promise; {', '.join(f'{n} {what}' for what, n in sorted(total.items()))}")
    return not broken


def report_laws(options):
    import laws
    mends.leave_out(*options.without)
    found = laws.broken_laws(random.Random(options.seed), options.count)
    for law, (times, example) in found.items():
        print(f"{law}: broken {times} times, for example by {example}")
    print(f"{options.count} changes, {sum(times for times, _ in found.values())} broke a law")
    return not found


def report_journals(options):
    """One line of JSON for each world: what lies in some device's folder, and what that comes to."""
    for seed in range(options.first, options.last):
        for observation in observations(seed, APPS[seed % len(APPS)], options.kind):
            print(json.dumps(observation))
    return True


def report_cases(options):
    import cases
    return cases.run(options.names)


def report_variants(options):
    import cases
    return cases.run_variants(options.names)


KINDS = {"--file-inside": (FileWorld, "FILE lies in the folder as well"),
         "--bursts": (BurstWorld, "and people may save several times within a moment")}


def add_kinds(command):
    """Options that say what kind of world it is."""
    group = command.add_mutually_exclusive_group()
    for option, (kind, meaning) in KINDS.items():
        group.add_argument(option, dest="kind", action="store_const", const=kind, help=meaning)
    command.set_defaults(kind=World)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)

    command = commands.add_parser("seeds", help="random worlds from FIRST up to LAST, without that one")
    command.add_argument("first", type=int)
    command.add_argument("last", type=int)
    add_kinds(command)
    command.add_argument("--without", action="append", default=[], metavar="RULE", help="leave a rule out, to see what breaks")
    command.set_defaults(run=report_seeds)

    command = commands.add_parser("journals", help="journals from random worlds, and the documents that they come to, as JSON")
    command.add_argument("first", type=int)
    command.add_argument("last", type=int)
    add_kinds(command)
    command.set_defaults(run=report_journals)

    command = commands.add_parser("laws", help="the laws of changes, on random documents")
    command.add_argument("--count", type=int, default=20000)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--without", action="append", default=[], metavar="RULE")
    command.set_defaults(run=report_laws)

    command = commands.add_parser("cases", help="what broke earlier designs")
    command.add_argument("names", nargs="*")
    command.set_defaults(run=report_cases)

    command = commands.add_parser("variants", help="each rule is left out, and must be missed")
    command.add_argument("names", nargs="*")
    command.set_defaults(run=report_variants)

    options = parser.parse_args()
    sys.exit(0 if options.run(options) else 1)


if __name__ == "__main__":
    main()
