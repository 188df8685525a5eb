"""What the command lines of all checks have in common."""
import argparse
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def parser(documentation):
    """A parser that has the script's documentation for its help, and takes the program that is checked."""
    made = bare_parser(documentation)
    made.add_argument(
        "--replicate", type=lambda path: pathlib.Path(path).resolve(), default=ROOT / ".build/debug/replicate", metavar="PATH",
        help="the command that is checked; default: what `swift build` has built")
    return made


def bare_parser(documentation):
    """The same for what checks something else than the command."""
    return argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
