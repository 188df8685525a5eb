"""Runs the simulation of a driver that is broken on purpose, in one way after another, until it catches each.

    scripts/check broken-forms                          all forms that 5,000 runs catch: four minutes, and four to build
    scripts/check broken-forms --long                   the others too: two hours
    scripts/check broken-forms --seed N --runs N FORM…  some of them

A copy of the package, in .build-forms, has all broken forms of scripts/broken/forms.py in it, and an environment variable chooses one
of them. The check fails if a form is not caught, and if a form's own plan breaks a promise when no form is chosen.
`scripts/check simulation` runs the same program with no form chosen. --build only builds it; --texts only compares the forms with the
sources, in no time.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

from support import arguments
from support.arguments import ROOT
from broken.forms import FORMS

FOLDER = ROOT / ".build-forms"

# Where it is asked which form is run; in a module that all others see.
SWITCH = """
/// Which broken form is run; none by default.
private let chosen = Environment["BROKEN_FORM"] ?? ""

/// Whether a broken form is run.
package func broken(_ form: String) -> Bool { form == chosen }
"""


def copy(folder):
    """Makes the copy of the package, with all forms in it. Files that are the same stay, so that they aren't compiled again."""
    texts = {pathlib.Path(path): text.encode() for path, text in broken().items()}
    texts[pathlib.Path("Sources/HotReload/Platform/Broken.swift")] = SWITCH.lstrip().encode()
    sources = [ROOT / "Package.swift"] + [path for name in ("Sources", "Tests") for path in (ROOT / name).rglob("*")]
    for source in filter(pathlib.Path.is_file, sources):
        texts.setdefault(source.relative_to(ROOT), source.read_bytes())
    for name, data in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)
    for name in ("Sources", "Tests"):
        for path in (folder / name).rglob("*"):
            if path.is_file() and path.relative_to(folder) not in texts:
                path.unlink()


def broken():
    """The files with all forms in them, by their paths in the package."""
    texts = {}
    for form in FORMS:
        for change in form.changes:
            if change.file not in texts:
                texts[change.file] = (ROOT / change.file).read_text()
            count = texts[change.file].count(change.old)
            if count != 1:
                sys.exit(f"{form.name}: {change.file} has this {count} times, and should once:\n{change.old}")
            texts[change.file] = texts[change.file].replace(change.old, change.new)
    return texts


def build(folder):
    """Builds the simulation in the copy; the path of the program."""
    command = ["swift", "build", "-c", "release", "--product", "simulate", "--package-path", folder]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(f"the broken forms don't compile:\n{result.stdout[-4000:]}")
    return folder / ".build/release/simulate"


def run(simulate, form, plan, runs, seed):
    """After how many runs it was caught, how, and with which seed; nothing if it wasn't."""
    plan = ["--plan", json.dumps(plan)] if plan else []
    result = subprocess.run(
        [simulate, "--until-failure", "--runs", str(runs), "--seed", str(seed)] + plan, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env={**os.environ, "BROKEN_FORM": form})
    lines = result.stdout.splitlines()
    if result.returncode not in (0, 1) or not lines:
        sys.exit(f"{form}: the simulation ended with {result.returncode}, and said: {result.stdout}")
    if result.returncode == 0:
        return None
    failed = int(lines[1].split()[-1])
    return failed - seed + 1, lines[0], failed


def main():
    parser = arguments.bare_parser(__doc__)
    parser.add_argument("forms", nargs="*", metavar="FORM", help=f"only some: {', '.join(form.name for form in FORMS)}")
    parser.add_argument("--long", action="store_true", help="also those that are caught rarely")
    parser.add_argument("--runs", type=int, help="how many runs a form is given; default: 5000, with --long 200000")
    parser.add_argument("--seed", type=int, default=1, help="the first seed; default: %(default)s")
    parser.add_argument("--build", action="store_true", help="only builds the copy")
    parser.add_argument("--texts", action="store_true", help="only compares the forms with the sources")
    options = parser.parse_args()
    if options.texts:
        broken()
        return
    unknown = set(options.forms) - {form.name for form in FORMS}
    if unknown:
        parser.error(f"there is no form {', '.join(sorted(unknown))}")
    runs = options.runs or (200_000 if options.long else 5000)
    chosen = [form for form in FORMS if form.name in options.forms or not options.forms and (options.long or not form.isRare)]
    copy(FOLDER)
    simulate = build(FOLDER)
    if options.build:
        return
    # `scripts/check simulation` makes the long runs without any form; here it is seen that no form's plan breaks a promise by itself.
    for plan in [form.plan for form in chosen if form.plan]:
        if found := run(simulate, "", plan, 100, options.seed):
            sys.exit(f"without any form a promise is broken: {found[1]}, seed {found[2]}, plan {json.dumps(plan)}")
    missed = []
    print(f"{'form':30}{'runs':>8}{'seconds':>9}  what it broke")
    for form in chosen:
        start = time.monotonic()
        found = run(simulate, form.name, form.plan, runs, options.seed)
        seconds = time.monotonic() - start
        if found and run(simulate, "", form.plan, 1, found[2]):
            sys.exit(f"{form.name}: {found[1]}, seed {found[2]}, and without the form as well")
        if found:
            print(f"{form.name:30}{found[0]:>8}{seconds:>9.1f}  {found[1][:90]} (seed {found[2]})", flush=True)
        else:
            missed.append(form.name)
            print(f"{form.name:30}{runs:>8}{seconds:>9.1f}  NOT CAUGHT", flush=True)
    print(f"{len(chosen) - len(missed)} caught, {len(missed)} not{': ' + ', '.join(missed) if missed else ''}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
