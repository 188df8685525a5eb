"""Checks what the documents and doc comments say about the libraries' public symbols, as the compiler knows them.

    scripts/check documents                                all of it: a minute
    scripts/check documents --modules FOLDER compared      only some

    documented  each public symbol has a doc comment, or that of what it implements
    examples    each example in a doc comment of a public symbol, or of an extension, compiles as a program of its own, among what
                Tests/DocExamples declares. What isn't Swift stands between ```text and ```.
    compared    every symbol in the last column of docs/store-compared.md is one: `Type.member(label:)`, in which labels
                may be left out

The modules are those of a debug build.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

from support import arguments
from support.arguments import ROOT

LIBRARIES = ["StateJSON", "StoreCore", "StoreTesting", "StoreRouting", "HotReload", "StoreRecording", "RemoteControl", "TerminalScreen"]
C_MODULES = ["-I", ROOT / "Sources/CLinux/include", "-I", ROOT / "Sources/CXXH3/include"]


def public_symbols(modules):
    """The public symbols of all libraries, each as its symbol graph has it."""
    target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["unversionedTriple"]
    symbols = []
    with tempfile.TemporaryDirectory() as folder:
        for library in LIBRARIES:
            subprocess.run(
                ["swift", "symbolgraph-extract", "-module-name", library, "-target", target, "-I", modules,
                 *C_MODULES, "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder],
                check=True)
        for graph in sorted(pathlib.Path(folder).glob("*.json")):
            symbols += json.loads(graph.read_text())["symbols"]
    return symbols


def path(uri):
    return pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(uri).path))


def parts(name):
    """`effect(toggle:_:)` as its name and its labels."""
    base, _, labels = name.partition("(")
    return base, labels.rstrip(")").split(":")[:-1]


def is_within(wanted, labels):
    """Whether all that are wanted are there, in their order."""
    rest = iter(labels)
    return all(label in rest for label in wanted)


def compared(symbols, _):
    known = {}
    for symbol in symbols:
        *types, member = symbol["pathComponents"]
        base, labels = parts(member)
        known.setdefault((*types, base), []).append(labels)

    problems = []
    page = ROOT / "docs/store-compared.md"
    rows = 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if not line.startswith("|") or line.startswith("|---"):
            continue
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) != 7 or "" in cells:
            problems.append(f"{page.name}:{number}: {len(cells)} cells, not 7 that say something")
            continue
        rows += 1
        for span in re.findall(r"`([^`]+)`", cells[-1]):
            if span.startswith("replicate "):
                continue
            *types, member = re.split(r"\.(?![^(]*\))", span)
            base, labels = parts(member)
            if not any(is_within(labels, all) for all in known.get((*types, base), [])):
                problems.append(f"{page.name}:{number}: there is no public `{span}`")
    if rows < 50:
        problems.append(f"{page.name}: {rows} rows were found, so the check doesn't see them")
    return problems


def blocks(lines):
    """The code among the lines of a doc comment, each as the index of its first line and its lines."""
    found, index = [], 0
    while index < len(lines):
        line = lines[index].strip()
        if line.startswith("```"):
            end = next(end for end in range(index + 1, len(lines)) if lines[end].strip() == "```")
            if line in ("```", "```swift"):
                found.append((index + 1, lines[index + 1:end]))
            index = end + 1
        elif lines[index].startswith("    ") and (index == 0 or not lines[index - 1].strip()):
            end = index
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            found.append((index, [line[4:] for line in lines[index:end]]))
            index = end
        else:
            index += 1
    return found


def doc_comments(symbols):
    """The file, the number of the first line, and the lines of each doc comment."""
    for symbol in symbols:
        comment = symbol.get("docComment", {})
        # Those without a place are the standard library's.
        if "uri" in comment:
            lines = comment["lines"]
            yield path(comment["uri"]), lines[0]["range"]["start"]["line"] + 1, [line["text"] for line in lines]
    # Symbol graphs leave out what stands before an extension.
    for file in sorted(file for library in LIBRARIES for file in (ROOT / "Sources" / library).rglob("*.swift")):
        lines = file.read_text().splitlines()
        for end in (number for number, line in enumerate(lines) if line.startswith("extension ")):
            start = end
            while start and lines[start - 1].startswith("///"):
                start -= 1
            yield file, start + 1, [line[4:] for line in lines[start:end]]


def examples(symbols, modules):
    found = {(file, first + offset): code for file, first, lines in doc_comments(symbols) for offset, code in blocks(lines)}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        options = ["-swift-version", "6", "-I", modules, *C_MODULES, "-I", folder]
        subprocess.run(
            ["swiftc", *options, "-enable-testing", "-parse-as-library", "-emit-module", "-module-name", "Surroundings",
             "-emit-module-path", folder / "Surroundings.swiftmodule", ROOT / "Tests/DocExamples/Surroundings.swift"],
            check=True)
        imports = "".join(f"import {library}\n" for library in LIBRARIES) + "@testable import Surroundings\n"

        def compile(example):
            (file, line), code = example
            place = f'#sourceLocation(file: "{file.relative_to(ROOT)}", line: {line})\n'
            program = folder / f"{file.stem}-{line}.swift"
            program.write_text(imports + place + "\n".join(code) + "\n")
            done = subprocess.run(
                ["swiftc", *options, "-suppress-warnings", "-module-name", "Example", "-c", program, "-o",
                 program.with_suffix(".o")], capture_output=True, text=True)
            return done.stderr if done.returncode else None

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            problems = [problem for problem in pool.map(compile, sorted(found.items())) if problem]
    print(f"{len(found) - len(problems)} of {len(found)} examples compile")
    if len(found) < 50:
        problems.append(f"{len(found)} examples were found, so the check doesn't see them")
    return problems


def documented(symbols, _):
    problems = []
    for symbol in symbols:
        # Without a place it is the compiler's.
        if "docComment" not in symbol and "location" in symbol:
            line = symbol["location"]["position"]["line"] + 1
            problems.append(f"{path(symbol['location']['uri']).relative_to(ROOT)}:{line}: {'.'.join(symbol['pathComponents'])} has no doc comment")
    return sorted(problems)


CHECKS = {"documented": documented, "examples": examples, "compared": compared}


def main():
    parser = arguments.bare_parser(__doc__)
    parser.add_argument("--modules", type=pathlib.Path, default=ROOT / ".build/debug/Modules", help="the folder of the built modules")
    parser.add_argument("checks", nargs="*", choices=[[], *CHECKS], help="which; all, if none is named")
    options = parser.parse_args()

    symbols = public_symbols(options.modules)
    problems = [problem for name in options.checks or CHECKS for problem in CHECKS[name](symbols, options.modules)]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
