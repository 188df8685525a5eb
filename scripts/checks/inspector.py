"""Uses the inspector as people do: in a real terminal, beside other programs that change the file.

    scripts/check inspector --replicate PATH             half a minute: all tasks, then a run under a thousand commits a second
    scripts/check inspector --replicate PATH --show      prints what the terminal shows after each task
    scripts/check inspector --replicate PATH TASK…       only some tasks, by a part of their names

A task presses keys and waits until the screen, or the file, shows what it should; whatever is waited for must come within 30
seconds. Each begins with a terminal and a file of its own.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from support import arguments
from support.client import Client
from editors.terminal import Stuck, Terminal
from support.waiting import until

NESTED = {"title": "Nebel", "n": 3, "ok": True, "none": None,
          "rows": [{"id": 1, "t": "fog"}, {"id": 2, "t": "sun"}, {"id": 3, "t": "fog"}], "list": [1, 2, 3]}


# Each with what it finds: arguments of a desk, but for the first.
TASKS = {}


def task(**setting):
    def add(function):
        TASKS[function] = setting
        return function
    return add


class Desk:
    """Somebody at a terminal that runs the inspector."""

    def __init__(self, options, contents=NESTED, size=(80, 24), words=(), **environment):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="replicate-inspector."))
        self.file = self.folder / "state.json"
        self.save(contents() if callable(contents) else contents)
        self.replicate = options.replicate
        self.environment = {
            **os.environ, "XDG_STATE_HOME": str(self.folder / "state"), "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh",
            "EDITOR": "nano", "TMPDIR": str(self.folder)}
        self.environment.pop("NO_COLOR", None)
        self.environment.update(environment)
        # What comes after it is on the user's own screen.
        script = f"TERM=tmux-256color {self.replicate} state.json {' '.join(words)}; echo \"ended with $?\"; stty -a | grep -o '.icanon'; cat"
        self.terminal = Terminal(("sh", "-c", script), self.folder, self.environment, *size)
        self.until(r"state\.json")

    def save(self, contents):
        text = contents if isinstance(contents, str) else json.dumps(contents, indent=2) + "\n"
        fresh = self.folder / "fresh"
        fresh.write_text(text)
        fresh.rename(self.file)

    def run(self, *words, **options):
        return subprocess.run([self.replicate, *words], check=True, cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, **options).stdout

    def press(self, keys):
        self.terminal.type(keys)

    def until(self, *patterns):
        for pattern in patterns:
            self.terminal.until(pattern)

    def gone(self, pattern):
        self.terminal.until_gone(pattern)

    def at(self, pointer):
        """Waits until the first line names the pointer."""
        self.until(rf"\A state\.json  {re.escape(pointer)} ")

    def value(self):
        return json.loads(self.file.read_text())

    def holds(self, condition, what):
        def has_it():
            try:
                return condition(self.value())
            except (ValueError, KeyError, IndexError):
                return False
        if until(has_it) is None:
            raise Stuck(f"the file never had {what}; it has {self.file.read_text()}\n{self.terminal.screen()}")

    def line_of(self, text):
        """The number of the first line that has a text."""
        lines = self.terminal.tmux("capture-pane", "-p").stdout.splitlines()
        return next(number for number, line in enumerate(lines) if text in line)

    def list_versions(self):
        """Sets /n twice, and lists the three versions that there are then."""
        for number in (4, 5):
            self.run("set", "state.json", "/n", str(number))
        self.until("n: 5")
        self.press("T")
        self.until("3 versions")

    def pid(self):
        pane = self.terminal.tmux("display-message", "-p", "#{pane_pid}").stdout.strip()
        return int(subprocess.run(["pgrep", "-P", pane, "replicate"], capture_output=True, text=True).stdout.split()[0])

    def close(self):
        self.terminal.close()
        shutil.rmtree(self.folder, ignore_errors=True)


# Looking around.

@task()
def a_tree_is_shown(desk):
    desk.until(r"▾ state\.json \{6\}", 'title: "Nebel"', r"▾ rows: \[3\]", "\\? help")


@task()
def the_pointer_is_in_sight(desk):
    desk.press("jj")
    desk.at("/n")


@task()
def arrows_move(desk):
    desk.press("<Down><Down><Down><Up>")
    desk.at("/n")


@task()
def the_end_and_the_beginning(desk):
    desk.press("G")
    desk.at("/list/2")
    desk.press("g")
    desk.until(r"\A state\.json   ")


@task()
def folds_close_and_open(desk):
    desk.press("/rows<Enter><Space>")
    desk.until(r"▸ rows: \[3\]  \{…\}, \{…\}")
    desk.press("<Right>")
    desk.until(r"▾ rows: \[3\]")


@task()
def levels_open_by_a_digit(desk):
    desk.press("1")
    desk.until(r"▸ rows: \[3\]", r"▸ list: \[3\]")
    desk.press("0")
    desk.until('t: "sun"')


@task()
def siblings_close(desk):
    desk.press("/rows<Enter>j[")
    desk.until(r'▸ 0: \{2\}  id: 1, t: "fog"', r"▸ 2: \{2\}")


@task()
def a_text_is_found(desk):
    desk.press("/sun<Enter>")
    desk.at("/rows/1/t")
    desk.press("/nowhere<Enter>")
    desk.until("not found: nowhere")


@task()
def search_goes_on_and_back(desk):
    desk.press("/FOG<Escape>/fog<Enter>n")
    desk.at("/rows/2/t")
    desk.press("N")
    desk.at("/rows/0/t")


@task()
def the_tree_is_filtered(desk):
    desk.press("&sun<Enter>")
    desk.until(r'▾ 1: \{2\}\n +t: "sun"', "& sun")
    desk.gone("title")
    desk.press("<Escape>")
    desk.until("title")


@task()
def a_pointer_is_gone_to(desk):
    desk.press(":<C-u>/ro<Tab><Tab>2/t<Enter>")
    desk.at("/rows/2/t")
    desk.press("<C-o>")
    desk.until(r"\A state\.json   ")


@task()
def a_part_is_shown_alone(desk):
    desk.press("/rows<Enter>>")
    desk.gone("title")
    desk.press("<")
    desk.until("title")


@task(words=("/rows/1",))
def a_pointer_opens_a_part(desk):
    desk.until(r"▾ 1: \{2\}", "id: 2")
    desk.gone("title")


@task(contents={"long": " ".join(["word"] * 100) + " the end"})
def a_long_value_is_read(desk):
    desk.press("jv")
    desk.until("the end")
    desk.press("q")
    desk.gone("the end")


@task()
def the_mouse_chooses_and_opens(desk):
    desk.terminal.tmux("set-option", "-g", "mouse", "on")
    desk.press("1")
    desk.until(r"▸ rows")
    # As the terminal sends a press of the first button on the seventh line.
    desk.terminal.tmux("send-keys", "-l", "\x1b[<0;8;7M")
    desk.at("/rows")
    desk.terminal.tmux("send-keys", "-l", "\x1b[<0;8;7M")
    desk.until(r"▾ rows")


@task()
def a_pointer_is_copied(desk):
    desk.terminal.tmux("set-option", "-s", "set-clipboard", "on")
    desk.press("/sun<Enter>y")
    desk.until("copied the pointer: /rows/1/t")
    if desk.terminal.tmux("show-buffer").stdout != "/rows/1/t":
        raise Stuck("the terminal was given something else to copy")
    desk.press("Y")
    desk.until(r"copied the path: \.rows\[1\]\.t")


@task()
def help_is_there(desk):
    desk.press("?")
    desk.until("Move", "Open and close", "go to a pointer|half a page")
    desk.press("<Escape>")
    desk.until("title")


# What changes.

@task()
def a_change_glows_with_what_stood_there_and_who_did_it(desk):
    desk.run("increment", "state.json", "/n")
    desk.until(r"●    n: 4  ← 3 +instance [0-9a-f]{8} \d\d:\d\d:\d\d")
    desk.press("jj")
    desk.gone("●")
    desk.until(r"\n changed by instance [0-9a-f]{8} at \d\d:\d\d:\d\d, was 3")


@task()
def a_save_by_renaming_is_shown(desk):
    desk.save({**NESTED, "title": "Sonne"})
    desk.until('title: "Sonne"  ← "Nebel" +edited')


@task()
def the_cursor_stays_on_its_element(desk):
    desk.press("/sun<Enter>")
    desk.save({**NESTED, "rows": [{"id": 9, "t": "new"}] + NESTED["rows"]})
    desk.at("/rows/2/t")


@task()
def following_goes_to_changes(desk):
    desk.press("F")
    desk.until("following")
    desk.run("set", "state.json", "/list/1", "20")
    desk.at("/list/1")


@task()
def nonsense_is_shown_as_it_is(desk):
    desk.save('{\n  "n": 3,\n  "n2": [1,,\n}\n')
    desk.until(r"3 │   \"n2\": \[1,,", "▲", r"! state\.json:3:12: ")
    desk.save(NESTED)
    desk.gone("▲")


# Editing.

@task()
def a_value_is_edited(desk):
    desk.press("/title<Enter>e<C-u>\"Regen\"<Enter>")
    desk.holds(lambda value: value["title"] == "Regen", "the new title")
    desk.until("set /title; u takes it back")


@task()
def what_is_typed_is_checked(desk):
    desk.press("/n<Enter>n:<C-u>/n<Enter>e<C-u>[1,")
    desk.until("column 4: ")
    desk.press("<Enter>")
    desk.until("column 4: ")
    desk.press("2]<Enter>")
    desk.holds(lambda value: value["n"] == [1, 2], "a list")


@task()
def numbers_and_booleans_are_changed_by_a_key(desk):
    desk.press(":<C-u>/n<Enter>++-:<C-u>/ok<Enter>t")
    desk.holds(lambda value: value["n"] == 4 and value["ok"] is False, "n and ok")


@task()
def elements_are_added_removed_and_moved(desk):
    desk.press(":<C-u>/list<Enter>a4<Enter>")
    desk.holds(lambda value: value["list"] == [1, 2, 3, 4], "an element more")
    desk.press(":<C-u>/list/0<Enter>x")
    desk.holds(lambda value: value["list"] == [2, 3, 4], "an element less")
    desk.press("}")
    desk.holds(lambda value: value["list"] == [3, 2, 4], "another order")
    desk.press("cp")
    desk.holds(lambda value: value["list"] == [3, 2, 2, 4], "what was pasted")


@task()
def a_member_is_added(desk):
    desk.press("ga<C-u>\"more\": {\"a\": 1}<Enter>")
    desk.holds(lambda value: value["more"] == {"a": 1}, "the member")


@task()
def own_changes_are_undone_and_redone(desk):
    desk.press(":<C-u>/n<Enter>+")
    desk.holds(lambda value: value["n"] == 4, "4")
    desk.run("set", "state.json", "/title", '"theirs"')
    desk.press("u")
    desk.holds(lambda value: value["n"] == 3 and value["title"] == "theirs", "3, and what others did")
    desk.press("<C-r>")
    desk.holds(lambda value: value["n"] == 4, "4 again")


@task()
def a_conflict_shows_both_and_asks(desk):
    desk.press(":<C-u>/n<Enter>e<C-u>50")
    desk.run("set", "state.json", "/n", "70")
    desk.until("n: 70")
    desk.press("<Enter>")
    desk.until("/n was changed meanwhile", "mine +50", "theirs +70")
    if desk.value()["n"] != 70:
        raise Stuck("something was written before anybody was asked")
    desk.press("m")
    desk.holds(lambda value: value["n"] == 50, "mine")


@task()
def a_part_is_edited_in_the_editor(desk):
    desk.press(":<C-u>/list<Enter>E")
    desk.until("GNU nano")
    desk.press("<C-End><C-Home><C-k>[9,<Enter><C-o><Enter>")
    desk.until("Wrote|wrote")
    # Others go on meanwhile.
    desk.run("set", "state.json", "/n", "70")
    desk.press("<C-x>")
    desk.holds(lambda value: value["list"] == [9, 1, 2, 3] and value["n"] == 70, "both changes")
    desk.until(r"▾ list: \[4\]")


@task()
def what_is_no_json_in_the_editor_is_asked_for(desk):
    desk.press(":<C-u>/list<Enter>E")
    desk.until("GNU nano")
    desk.press("<C-Home>oops<C-o><Enter><C-x>")
    desk.until("what was saved for /list wasn't taken", "line 1, column 1")
    desk.press("e")
    desk.until("GNU nano", "oops")
    desk.press("<C-Home><Delete><Delete><Delete><Delete><C-o><Enter><C-x>")
    desk.until(r"▾ list: \[3\]")


# Versions.

@task()
def one_goes_back_in_time_and_looks_around(desk):
    desk.list_versions()
    desk.until(r"▶  \d\d:\d\d:\d\d  action +[0-9a-f]{8} +~ /n: 4 → 5")
    desk.press("j<Enter>")
    desk.until("as it was at", "n: 4  ← 3")
    desk.press("<Escape>")
    desk.until("n: 5")


@task()
def a_subtree_of_then_is_brought_back(desk):
    desk.run("set", "state.json", "/n", "4")
    desk.run("set", "state.json", "/list", "[]")
    desk.until(r"list: \[\]")
    desk.press("T")
    desk.until("3 versions")
    desk.press("jj<Enter>")
    desk.until("as it was at", "n: 3")
    desk.press("<Tab>:<C-u>/list<Enter>")
    desk.at("/list")
    desk.press("R")
    desk.holds(lambda value: value["list"] == [1, 2, 3] and value["n"] == 4, "the list of then, and the number of now")


@task()
def two_versions_are_compared(desk):
    desk.list_versions()
    desk.press("Gm")
    desk.press("g=")
    desk.until("~ /n: 5 → 3")


@task()
def what_happened_is_recorded_and_played(desk):
    desk.list_versions()
    # From the first version on, and on from now.
    desk.press("Gs")
    desk.until("record since [0-9:]+: state.json.recording")
    desk.press("<Enter>")
    desk.until("recording into state.json.recording; 2 changes so far; s ends it")
    for number in (6, 7):
        desk.run("set", "state.json", "/n", str(number))
        desk.until(f"n: {number}")
    desk.press("s")
    desk.until("recorded into state.json.recording; o opens it")
    desk.press("o<Enter>")
    desk.until("5 moments of state.json.recording")
    desk.press("p++")
    desk.until("as it was at", "playing 4 times as fast")
    desk.gone("playing")
    desk.until("n: 7  ← 6")
    desk.press("kkk")
    desk.press("jjj")
    desk.press("<Escape>T")
    desk.gone("moments")
    desk.run("replay", "--create", "--speed", "1000", "state.json.recording", "copy.json")
    if json.loads((desk.folder / "copy.json").read_text())["n"] != 7:
        raise Stuck("the recording doesn't lead to what is in the file")


@task(EDITOR="sh -c 'echo [9] > \"$0\"; exit 3'")
def an_editor_that_fails_loses_nothing(desk):
    desk.press(":<C-u>/list<Enter>E")
    desk.until("what was saved for /list wasn't taken", "failed")
    if desk.value()["list"] != [1, 2, 3]:
        raise Stuck("what a failed editor left was taken")
    desk.press("d")
    desk.until("nothing was changed")


@task()
def who_is_there_is_said(desk):
    desk.press("w")
    desk.until("Instances on this machine", r"process \d+ \(replicate\), this one")


# Terminals.

@task(size=(40, 10))
def a_small_screen_will_do(desk):
    desk.press("jj")
    desk.at("/n")
    desk.until("n: 3")


@task()
def the_window_may_change(desk):
    desk.press(":<C-u>/rows/1/t<Enter>")
    for columns, rows in ((40, 8), (120, 30), (20, 5), (80, 24)):
        desk.terminal.tmux("resize-window", "-x", str(columns), "-y", str(rows))
        desk.until("t: \"su")
    desk.until('t: "sun"', r"\? help")


@task(NO_COLOR="1")
def it_does_without_colours(desk):
    desk.run("increment", "state.json", "/n")
    desk.until("●    n: 4  ← 3")
    screen = desk.terminal.tmux("capture-pane", "-p", "-e").stdout
    if re.search(r"\x1b\[(?:[0-9]+;)*(?:3[0-8]|9[0-7])[;m]", screen):
        raise Stuck("there are colours")
    if "\x1b[1m" not in screen:
        raise Stuck("what changed doesn't stand out")


@task()
def it_is_suspended_and_goes_on(desk):
    pid = desk.pid()
    os.kill(pid, signal.SIGTSTP)
    desk.gone("▾ state.json")
    os.kill(pid, signal.SIGCONT)
    desk.until("▾ state.json")
    desk.press("jj")
    desk.at("/n")


@task()
def the_terminal_is_given_back(desk):
    desk.press("jje")
    desk.press("<Escape>q")
    desk.until("ended with 0", r"(?<!-)\bicanon|ended with 0\n.?icanon")


@task()
def a_signal_gives_it_back_as_well(desk):
    os.kill(desk.pid(), signal.SIGTERM)
    desk.until("ended with 143")


def large():
    rows = [{"id": i, "t": f"number {i}", "tags": ["a", "b", str(i)], "on": i % 3 == 0, "by": {"name": f"user {i % 97}",
             "at": "2026-03-14T09:26:53Z", "note": None, "more": [i, i + 1, i + 2]}} for i in range(80_000)]
    return json.dumps({"n": 0, "rows": rows}, indent=1)


@task(contents=large)
def twenty_megabytes_are_as_quick(desk):
    desk.until(r"rows: \[80000\]")
    desk.press("G/number 77777<Enter>")
    desk.at("/rows/77777/t")
    desk.run("increment", "state.json", "/n")
    desk.press("g")
    desk.until("n: 1  ← 0")


# Under load.

def under_a_thousand_commits_a_second(options):
    """Two others change the file as fast as a thousand times a second; somebody edits meanwhile, and nothing is lost or moves."""
    state = {"a": 0, "b": 0, "mine": 0, "rows": [{"id": number, "t": f"row {number}"} for number in range(40)]}
    desk = Desk(options, state)
    try:
        desk.press("/row 20<Enter>")
        desk.until("t: \"row 20\"")
        place = desk.line_of("row 20")
        writers = {
            name: Client([desk.replicate, "attach", "state.json"], desk.environment, cwd=desk.folder) for name in "ab"}
        count, edits, began = 0, 0, time.monotonic()
        while time.monotonic() < began + 6:
            # A batch of a hundred each is answered once all of it is in the file.
            sent = [(writer, writer.send_all([("increment", {"path": f"/{name}"})] * 100)) for name, writer in writers.items()]
            desk.press(":<C-u>/mine<Enter>+")
            edits += 1
            desk.holds(lambda value: value["mine"] == edits, f"{edits} edits")
            desk.press("<C-o>")
            desk.at("/rows/20/t")
            for writer, numbers in sent:
                if not writer.until(lambda: all(number in writer.answers for number in numbers)):
                    raise Stuck("an increment was not answered")
                if any("result" not in writer.answers[number][0] for number in numbers):
                    raise Stuck("an increment was refused")
            count += 200
        seconds = time.monotonic() - began
        for writer in writers.values():
            writer.close()
        desk.holds(lambda value: value["a"] + value["b"] == count and value["mine"] == edits, f"{count} increments and {edits} edits")
        if abs(desk.line_of("row 20") - place) > 24:
            raise Stuck("the cursor's line has left the screen")
        desk.at("/rows/20/t")
        print(f"under load: {count} commits by others in {seconds:.1f} s, {edits} edits here, none lost")
    finally:
        desk.close()


def main():
    parser = arguments.parser(__doc__)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("tasks", nargs="*")
    options = parser.parse_args()
    failed = 0
    chosen = [one for one in TASKS if not options.tasks or any(part in one.__name__ for part in options.tasks)]
    for one in chosen:
        name = one.__name__.replace("_", " ")
        desk = Desk(options, **TASKS[one])
        try:
            one(desk)
            print(name, flush=True)
        except Stuck as error:
            failed += 1
            print(f"FAILED: {name}: {error}", flush=True)
        finally:
            if options.show:
                print(desk.terminal.screen())
            desk.close()
    print(f"{len(chosen)} tasks, {failed} failed")
    if not options.tasks and not failed:
        try:
            under_a_thousand_commits_a_second(options)
        except Stuck as error:
            failed += 1
            print(f"FAILED: under a thousand commits a second: {error}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
