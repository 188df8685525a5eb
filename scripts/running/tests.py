"""Tests of the runner: what a change asks for, and what becomes of a check that fails."""
import contextlib
import io
import os
import re
import sys
import unittest

from running import changes
from running.lanes import LOGS, Lanes, table
from running.table import CHECKS, Check, Lane, Occasion
from support.arguments import ROOT

TABLE = """
| you touched | run |
|---|---|
| `Sources/A` `Tests/A` | `fuzz bounds` |
| `Sources/A/Inner` | `model` |
| `Package.swift` | `all` |

| another table | run |
|---|---|
| `Sources/B` | `fuzz` |
"""


def python(text):
    return [sys.executable, "-c", text]


def check(name, lane, *texts, builds=()):
    return Check(f"test-{name}", "a test of the runner", lane, [python(text) for text in texts], builds=tuple(f"test-{build}" for build in builds))


class Changes(unittest.TestCase):
    def asked(self, path):
        return changes.asked_by(path, changes.rows(TABLE))

    def test_a_path_asks_for_the_checks_of_all_rows_that_name_it_or_a_folder_above(self):
        self.assertEqual(self.asked("Sources/A/x.swift"), {"fuzz", "bounds"})
        self.assertEqual(self.asked("Sources/A/Inner/x.swift"), {"fuzz", "bounds", "model"})

    def test_a_folder_whose_name_only_begins_like_that_of_a_row_is_another_one(self):
        self.assertIsNone(self.asked("Sources/AB/x.swift"))

    def test_no_row_but_that_of_the_first_table_counts(self):
        self.assertIsNone(self.asked("Sources/B/x.swift"))

    def test_all_is_every_check_that_ci_may_run(self):
        self.assertEqual(self.asked("Package.swift"), changes.EVERYTHING)

    def test_the_program_of_a_check_asks_for_that_check(self):
        self.assertEqual(self.asked("scripts/checks/bounds.py"), {"bounds"})
        self.assertEqual(self.asked("scripts/checks/format.sh"), {"format"})

    def test_a_row_that_names_no_check_is_an_error(self):
        with self.assertRaisesRegex(SystemExit, "names no check fuzzz"):
            changes.rows(TABLE.replace("`fuzz bounds`", "`fuzzz bounds`"))

    def test_a_text_without_the_table_is_an_error(self):
        with self.assertRaises(SystemExit):
            changes.rows("no table")

    def test_each_file_of_this_tree_is_named_by_a_row(self):
        rows = changes.rows()
        unnamed = [path for path in changes.git("ls-files").split() if changes.asked_by(path, rows) is None]
        self.assertEqual(unnamed, [])

    def test_each_check_that_waits_for_a_change_is_named_by_a_row(self):
        named = {name for row in changes.rows() for name in row.checks}
        waiting = {check.name for check in CHECKS if check.occasion == Occasion.TOUCHED}
        self.assertLessEqual(waiting, named)


class Running(unittest.TestCase):
    def run_all(self, *checks):
        """The outcomes by name, the exit code, and what was printed."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            results = Lanes(checks, {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}).run()
            code = table(results, 1.0)
        for one in checks:
            (LOGS / f"{one.name}.log").unlink()
        return {result.check.name.removeprefix("test-"): result for result in results}, code, printed.getvalue()

    def test_all_pass(self):
        results, code, printed = self.run_all(
            check("one", Lane.PROCESSOR, "print('well')"), check("two", Lane.PROGRAMS, "pass"))
        self.assertEqual({name: result.outcome for name, result in results.items()}, {"one": "passed", "two": "passed"})
        self.assertEqual(code, 0)
        self.assertIn("   well\n", printed)
        self.assertTrue(printed.endswith("\n2 passed, 0 failed\n"))

    def test_a_check_fails_with_its_first_command_that_does_and_its_output_is_repeated(self):
        results, code, printed = self.run_all(check("one", Lane.PROCESSOR, "print('why'); raise SystemExit(3)", "print('never')"))
        self.assertEqual((results["one"].outcome, code), ("failed", 1))
        self.assertEqual(printed.count("   why\n"), 1)
        self.assertIn("\nwhy\n", printed.partition("1 min" if "1 min" in printed else "cores")[2])
        self.assertNotIn("never", re.sub(r"-c .*", "", printed))
        self.assertTrue(printed.endswith("\n0 passed, 1 failed\n"))

    def test_a_check_whose_build_failed_is_not_run_and_counts_as_failed(self):
        results, code, printed = self.run_all(
            check("build", Lane.PROCESSOR, "raise SystemExit(1)"), check("one", Lane.PROGRAMS, "pass", builds=["build"]))
        self.assertEqual((results["one"].outcome, code), ("not run", 1))
        self.assertIn("not run, since test-build did not pass", printed)

    def test_a_check_waits_for_its_build_from_the_moment_that_a_lane_takes_it(self):
        build, one = check("build", Lane.PROCESSOR, "pass"), check("one", Lane.PROCESSOR, "pass", builds=["build"])
        lanes = Lanes([build, one], os.environ)
        self.assertIs(lanes.next(Lane.PROCESSOR), build)
        self.assertFalse(lanes.is_over(build.name))

    def test_processor_time_counts_what_the_orphans_of_a_check_took(self):
        work = "import time\nwhile time.process_time() < 0.5: pass"
        results, _, _ = self.run_all(check(
            "one", Lane.PROCESSOR, f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {work!r}], start_new_session=True)"))
        self.assertGreater(results["one"].processor, 0.5)

    def test_a_process_that_a_check_leaves_behind_is_killed(self):
        results, _, printed = self.run_all(check(
            "one", Lane.PROCESSOR,
            "import subprocess; print(subprocess.Popen(['sleep', '1000'], start_new_session=True).pid, flush=True)"))
        self.assertEqual(results["one"].outcome, "passed")
        pid = int(re.search(r"^   (\d+)$", printed, re.M)[1])
        self.assertFalse(os.path.exists(f"/proc/{pid}"))


if __name__ == "__main__":
    unittest.main()
