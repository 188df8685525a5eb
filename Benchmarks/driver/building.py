"""Installs the peers and builds what is measured."""

import os
import shutil
import subprocess
import sys

from place import BASELINES, BENCHMARKS, BUILD, PACKAGES, PYTHON_PACKAGES, ROOT


def step(words, required=True, timeout=1800, **options):
    """Runs a program that says nothing unless it fails; what isn't required may fail."""
    print("·", " ".join(words), flush=True)
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, text=True,
            errors="replace", **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        message = str(error)
    else:
        if done.returncode == 0:
            return True
        message = done.stdout[-3000:]
    if required:
        sys.exit(f"{message}\nfailed: {' '.join(words)}")
    print(f"  failed, and is done without: {message.strip()[-300:]}", flush=True)
    return False


def install():
    """What the peers need; a peer that can't be had is missing in the results."""
    programs = {"nodejs": "node", "inotify-tools": "inotifywait", "python3-venv": None}
    wanted = [name for name in PACKAGES if not (programs.get(name, name) and shutil.which(programs.get(name, name)))]
    if os.getuid() == 0 and shutil.which("apt-get"):
        wanted = [name for name in wanted if name != "python3-venv" or not _has_venv()]
        if wanted:
            step(["apt-get", "update", "-q"], required=False, timeout=300)
            for name in wanted:
                step(["apt-get", "install", "-yq", "--no-install-recommends", name], required=False, timeout=300,
                     env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"))
    environment = os.path.join(BUILD, "python")
    python = os.path.join(environment, "bin", "python3")
    if not os.path.exists(python) and not step([sys.executable, "-m", "venv", environment], required=False, timeout=120):
        shutil.rmtree(environment, ignore_errors=True)
        return
    missing = [name for name in PYTHON_PACKAGES if not _can_import(python, name)]
    if missing:
        step([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *missing], required=False, timeout=300)


def _has_venv():
    return subprocess.run([sys.executable, "-c", "import ensurepip"], capture_output=True).returncode == 0


def _can_import(python, name):
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode == 0


def build_products():
    """Ours, for release: what is compared with Foundation as by default, and what is a program to itself as the README builds one."""
    step(["swift", "build", "-c", "release", "--package-path", BENCHMARKS])
    step(["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", BENCHMARKS, "--scratch-path",
          os.path.join(BUILD, "static"), "--product", "instance"])
    for product in ["replicate", "file-probe", "journal-probe"]:
        step(["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", ROOT, "--product", product])


def build_baselines():
    """Those in C. They are built each time, as that takes less than a second."""
    os.makedirs(os.path.join(BUILD, "C"), exist_ok=True)
    for name in BASELINES:
        source, program = os.path.join(BENCHMARKS, "C", f"{name}.c"), os.path.join(BUILD, "C", name)
        step(["cc", "-O2", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-o", program, source], timeout=120)
