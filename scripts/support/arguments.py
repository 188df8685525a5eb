"""What the command lines of all checks have in common."""
import argparse
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def parser(documentation, build="debug"):
    """A parser that has the script's documentation for its help, and takes the program that is checked: by default that of a build."""
    made = bare_parser(documentation)
    made.add_argument(
        "--replicate", type=lambda path: pathlib.Path(path).resolve(), default=ROOT / ".build" / build / "replicate",
        metavar="PATH", help=f"the command that is checked; default: that of the {build} build")
    return made


def bare_parser(documentation):
    """The same for what checks something else than the command."""
    return argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)


def chosen(text, table, what, parser):
    """The names in a list, if a table has all of them."""
    names = text.split(",")
    for name in names:
        if name not in table:
            parser.error(f"no such {what}: {name}; there are {', '.join(table)}")
    return names
