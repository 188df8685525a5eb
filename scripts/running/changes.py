"""The checks that a change asks for, by the first table of CONTRIBUTING.md; and the commit on which all checks last passed."""
import re
import subprocess
import typing

from running.table import BY_NAME, CHECKS, Occasion
from support.arguments import ROOT

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
RELIABILITY = ROOT / "docs/reliability.md"
LAST_PASS = re.compile(r"All checks last passed on (?:`([0-9a-f]{7,40})`, (\d{4}-\d\d-\d\d)|no commit yet)\.")
EVERYTHING = [check.name for check in CHECKS if check.occasion in (Occasion.ALWAYS, Occasion.TOUCHED)]


class Row(typing.NamedTuple):
    paths: list
    checks: list


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def rows(text=None):
    """The rows of the table: paths of files and folders, and the checks that they ask for."""
    found = []
    for line in (text or CONTRIBUTING.read_text()).split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not found and cells[:2] != ["you touched", "run"]:
            continue
        if found and not line.startswith("|"):
            break
        found.append(Row(*(" ".join(re.findall("`([^`]*)`", cell)).split() for cell in cells[:2])))
    found = found[2:]
    names = [name for row in found for name in row.checks]
    if not found or (unknown := [name for name in names if name != "all" and name not in BY_NAME]):
        raise SystemExit(f"CONTRIBUTING.md: its table of what to run names no check {', '.join(unknown) if found else ''}")
    return found


def asked_by(path, table):
    """The checks that a path asks for; None if no row names it."""
    matching = [row for row in table if any(path == prefix or path.startswith(prefix + "/") for prefix in row.paths)]
    own = {check.name for check in CHECKS if check.occasion != Occasion.ASKED and path in check.programs}
    if not matching and not own:
        return None
    names = {name for row in matching for name in row.checks} | own
    return EVERYTHING if "all" in names else names


def changed_paths(base):
    """The files that differ from a commit, committed or not."""
    paths = git("diff", "--name-only", "--no-renames", base).split("\n")
    paths += git("ls-files", "--others", "--exclude-standard").split("\n")
    return sorted(set(filter(None, paths)))


def since(base):
    """The names of the checks that the changes since a commit ask for; it prints why."""
    table = rows()
    wanted = {}
    for path in changed_paths(base):
        names = asked_by(path, table)
        for name in EVERYTHING if names is None else names:
            wanted.setdefault(name, []).append(path if names is not None else f"{path} (no row of CONTRIBUTING.md names it)")
    for name, paths in wanted.items():
        print(f"{name}: {paths[0]}" + (f" and {len(paths) - 1} more" if len(paths) > 1 else ""))
    left_out = [name for name in EVERYTHING if name not in wanted]
    print(f"left out: {', '.join(left_out) or 'nothing'}\n", flush=True)
    return list(wanted)


def last_pass():
    """The commit on which all checks last passed, and the date; None if no commit of this history is named."""
    match = LAST_PASS.search(RELIABILITY.read_text())
    if match is None or match[1] is None:
        return None
    known = subprocess.run(["git", "merge-base", "--is-ancestor", match[1], "HEAD"], cwd=ROOT, capture_output=True)
    return (match[1], match[2]) if known.returncode == 0 else None


def note_pass(commit, date):
    """Writes down that all checks passed."""
    text = RELIABILITY.read_text()
    RELIABILITY.write_text(LAST_PASS.sub(f"All checks last passed on `{commit}`, {date}.", text))


def describe_last_pass():
    """How long ago all checks passed, in a sentence."""
    if (found := last_pass()) is None:
        return "all checks have not passed on any commit of this history that docs/reliability.md names"
    commit, date = found
    count = int(git("rev-list", "--count", f"{commit}..HEAD"))
    changed = len(changed_paths(commit))
    return f"all checks last passed on {commit}, {date}: {count} commits ago, {changed} files have changed since"
