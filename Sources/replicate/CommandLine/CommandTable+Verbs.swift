extension CommandTable {
  /// Every verb, in the order of the help; the row without a verb comes first.
  static let verbs: [VerbRow] = [
    VerbRow(
      verb: nil, optional: [.pointer], options: [.plain, .externalEdits],
      summary: "look at the value on a terminal, and change it; on a pipe, the same as `watch`",
      details: """
        A tree whose arrays and objects open and close. What just changed glows, with what stood there, who changed it and \
        when; the cursor and what is closed stay where they are. `/` searches, `e` edits a value, `u` takes that back, `y` \
        copies the pointer, `?` lists all keys, and `q` or Ctrl-C ends.

        An edit is committed as by any verb, on what stands there then; if somebody else has changed the same value \
        meanwhile, both are shown, and nothing is written until one is chosen. `E` opens a part in `VISUAL` or `EDITOR`, and \
        merges what was saved there with what others have changed.

        With `--plain`, or where `TERM` is `dumb`, nothing is drawn: a line that is typed is answered in one, and changes are \
        told as they come.
        """,
      examples: [
        Example("replicate state.json", "look at the state while programs and editors change it"),
        Example("replicate state.json /session", "only at a part of it"),
      ]),
    VerbRow(
      verb: .watch, optional: [.pointer], options: [.format, .also, .count, .onlyChanges, .externalEdits],
      summary: "print the value now, then again at every change",
      details: """
        Each change of the value prints one compact document a line, or what `--format` says; edits of the formatting \
        alone print nothing. Changes in quick succession may be printed as one, but the last is always printed. While \
        the file is invalid that is reported once, and watching goes on.

        With `--format patch` the paths start at the file's root, also below `POINTER`.

        With `--also` several files are followed, and each value says whose it is: as `{"file": …, "value": …}`, with \
        `patch` in the place of `value` for that format, or indented below a heading.
        """,
      examples: [
        Example("replicate watch state.json /route", "follow one value"),
        Example("replicate watch state.json --also theme.json", "follow two files"),
        Example("replicate watch -n 1 --only-changes state.json", "wait for the next change and print the document"),
      ]),
    VerbRow(
      verb: .get, optional: [.pointer], repeatsLast: true, options: [.compact, .raw, .version],
      summary: "print the value, once",
      details: "The order of members and the literals of numbers are those of the file.",
      examples: [
        Example("replicate get state.json /episodes/0", "print the first episode"),
        Example("replicate get -r state.json /search/query", "print a string as it is"),
      ]),
    VerbRow(
      verb: .set, required: [.file, .pointer, .value], options: [.string, .parents, .create, .externalEdits],
      summary: "set a value",
      details: """
        Replaces a member or an element, adds a member, and appends to an array at `-` or at its length. A value that \
        is there already leaves the file untouched.
        """,
      examples: [
        Example("replicate set state.json /search/isOpen true", "change one field: a diff of one line"),
        Example("replicate set -s state.json /search/query 'the end'", "set a string without quoting it as JSON"),
        Example("replicate set -p --create new.json /a/b '[1, 2]'", "make the file and the objects on the way"),
      ]),
    VerbRow(
      verb: .remove, required: [.file, .pointer], options: [.create, .externalEdits],
      summary: "remove a member or an element",
      examples: [Example("replicate remove state.json /episodes/0", "remove the first episode")]),
    VerbRow(
      verb: .increment, required: [.file, .pointer], optional: [.by], options: [.parents, .create, .externalEdits],
      summary: "add to a number and print the result",
      details: """
        The sum is exact and in plain decimal notation, with as many decimals as the longer of both numbers has. With \
        `--parents` a number that is missing starts at 0.
        """,
      examples: [
        Example("replicate increment state.json /plays", "count: with thousands at once none is lost"),
        Example("replicate increment state.json /volume -0.1", "subtract, exactly"),
      ]),
    VerbRow(
      verb: .patch, optional: [.patch], options: [.create, .externalEdits],
      summary: "apply a JSON Patch, all of it or nothing",
      examples: [
        Example(
          #"replicate patch state.json '[{"op": "move", "from": "/a", "path": "/b"}]'"#, "rename a member")
      ]),
    VerbRow(
      verb: .merge, optional: [.document], options: [.create, .externalEdits],
      summary: "apply a merge patch",
      examples: [
        Example(#"replicate merge state.json '{"route": null, "search": {"query": ""}}'"#, "change several at once")
      ]),
    VerbRow(
      verb: .update, optional: [.pointer], options: [.create, .externalEdits],
      summary: "pipe the value through a filter and store what it prints",
      details: """
        The value is the filter's standard input, and its output must be exactly one JSON document. The difference is \
        applied; if the file moved on meanwhile the filter runs again. If it fails, nothing is written.
        """,
      examples: [Example("replicate update state.json -- jq '.plays += 1'", "use any filter, safely")]),
    VerbRow(
      verb: .exec, optional: [.pointer], options: [.externalEdits],
      summary: "run a command at each change, the value on its standard input",
      details: """
        It runs once at the start and never twice at a time: of the changes during a run only the newest is passed on. \
        A command that fails is reported, and watching goes on.
        """,
      examples: [Example("replicate exec state.json /route -- tee route.json", "keep a copy of one value")]),
    VerbRow(
      verb: .wait, required: [.file, .pointer], optional: [.value], options: [.string, .externalEdits],
      summary: "wait until a pointer exists, or equals a value",
      details: "Ends with 4 after `--timeout` seconds, 10 unless given.",
      examples: [Example("replicate wait --timeout 60 state.json /loading false", "wait for the end of a download")]),
    VerbRow(
      verb: .attach, options: [.create, .externalEdits],
      summary: "be an instance over standard input and output, in JSON-RPC 2.0",
      details: """
        One message a line, parameters by name: `get {path?}`, `set {path, value}`, `remove {path}`, \
        `increment {path, by?}`, `patch {operations}`, `merge {document}`, `flush`, `watch {path?, format?}`, \
        `unwatch {path?}`, `notices {on?}`, `info`. A write is answered once it is committed to the file. The end of input commits.
        """,
      examples: [
        Example(
          #"echo '{"jsonrpc": "2.0", "id": 1, "method": "get"}' | replicate attach state.json"#, "ask for the document"),
        Example("ssh host replicate attach state.json", "be an instance on another machine"),
      ]),
    VerbRow(
      verb: .history, optional: [.pointer], options: [.patch, .since, .count, .json],
      summary: "list the recent versions, the newest first",
      details: """
        One version a line: the beginning of its hash, when it was made, what made it, the instance that did or that \
        came upon it, and the places it changed; with `--patch` also what stood there before and after, a line each. With \
        a `POINTER` only versions that changed something there: an element of an array is followed to where it stood \
        before. With `--json` also the values that lost where a save set the same place. All versions of the last seconds are kept, and ever fewer of the last day, for this user's instances on \
        this machine.
        """,
      examples: [
        Example("replicate history -n 10 state.json", "see what happened last, and who did it"),
        Example("replicate history -p state.json /session --since 1h", "what became of a part of it, with all values"),
      ]),
    VerbRow(
      verb: .diff, optional: [.version, .newerVersion], options: [.with, .json],
      summary: "show how a version differs from another, or a file from another; 1 if they do",
      details: """
        A line for each place: `~` what changed, with both values, `+` what was added, `-` what was removed, and `>` what \
        was moved. White space, the order of members and the way numbers are written don't count.
        """,
      examples: [
        Example("replicate diff state.json 3f9a", "see what became of the state since a version"),
        Example("replicate diff state.json --with copy.json", "compare two files"),
      ]),
    VerbRow(
      verb: .blame, optional: [.pointer], options: [.json],
      summary: "say of every value which version set it, when, and by whom",
      details: """
        One value a line: the beginning of the version's hash, when it was made, what made it, the instance, the place and \
        the value. What was there before the first version that is known says `before` that. Where the actions of a \
        version are known, as where the file is shared, `--json` has them.
        """,
      examples: [Example("replicate blame state.json /session", "who has set this, and when?")]),
    VerbRow(
      verb: .restore, required: [.file, .version], options: [.externalEdits],
      summary: "make a recent version current again",
      details: """
        The document gets the value it had, in its own formatting. What it had until now stays in the history.
        """,
      examples: [Example("replicate restore state.json 3f9a", "go back to a version that `history` lists")]),
    VerbRow(
      verb: .undo, options: [.mine, .externalEdits],
      summary: "make the version before the current one current again",
      details: """
        Doing so twice brings the current one back. Edits of the formatting alone don't count. With `--mine` what a verb \
        changed last that was run in this terminal is taken back, and what came after it stays; where others have changed \
        the same place since, nothing is, and the end is 1.
        """,
      examples: [
        Example("replicate undo state.json", "take back the last change, whoever made it"),
        Example("replicate undo --mine state.json", "take back one's own"),
      ]),
    VerbRow(
      verb: .record, required: [.file, .recording], options: [.externalEdits],
      summary: "record what becomes of the file, until a signal ends it",
      details: """
        Each version becomes a line of `OUT`: when it came, what it came from, and what it changed, so that `replay` \
        brings every byte of it back. An edit of the formatting alone counts; versions that follow each other faster \
        than they can be read are one. While the file is invalid that is reported once, and recording goes on.

        An `OUT` that is there already becomes `OUT.1`, and so does one that has grown beyond 16 MiB; then `OUT` goes on \
        with its newer part. Each begins with the whole text. Only this user may read them.
        """,
      examples: [Example("replicate record state.json session.recording", "record a session; Ctrl-C ends it")]),
    VerbRow(
      verb: .replay, required: [.recording, .file],
      options: [.speed, .step, .from, .until, .create, .externalEdits],
      summary: "bring the file to what was recorded, version by version",
      details: """
        At first the file gets the text that the recording begins with, or with `--from` the one reached there, and \
        then each step at its time, with the cause `restore`. What others change in it meanwhile stays, except where a \
        step sets the same place; the end is 1 then. What is in the file at first stays in its history: `restore` \
        brings it back.

        A `PLACE` is the number of a step, or seconds since the beginning, with an `s`; `show` prints both. The \
        recording of a store can be replayed too: the file gets the states that the store had, in its own formatting. A \
        line of `OUT` that can't be read is reported, and playing goes on where the whole text is there again; that is 1, too.
        """,
      examples: [
        Example("replicate replay --create --speed 10 session.recording copy.json", "see it in a tenth of the time"),
        Example("replicate replay --from 12 --step session.recording copy.json", "go on from step 12 by hand"),
      ]),
    VerbRow(
      verb: .show, required: [.recording], options: [.count, .json],
      summary: "print a recording, or a flight record, as a time line",
      details: """
        One step a line: its number, the seconds since the beginning, what caused it, the instance where that is known, \
        and the action, or else the places it changed and what is there now. Then come actions that were dispatched, and \
        that nothing followed: of the last one the program may have died. Lines that can't be read are reported, and end \
        it with 1.
        """,
      examples: [
        Example("replicate show session.recording", "read what happened"),
        Example("replicate show -n 20 crash.recording", "see how a program came to its end"),
      ]),
    VerbRow(
      verb: .share, optional: [.folder], options: [.stop, .name, .join, .except, .externalEdits],
      summary: "share the file with other devices, through a synced folder",
      details: """
        Each device that is given this command has a journal in `FOLDER`, which it alone writes to, and reads those of \
        the others: whatever keeps the folder in sync, and whenever. `FILE` itself stays outside of it. Without `FOLDER` the \
        journals lie in `FILE.journals`, for a file that lies in what is kept in sync itself; where that has come with its \
        journals it takes part without this command, and says so. From then on every \
        program that mirrors the file here takes part, and every verb: what is changed on one device comes to all of \
        them, offline changes once they are online again, and nothing is lost. Actions such as `increment` are done to \
        what the others did: counters are exact.

        The first device shares what `FILE` holds. Where it joins others and has contents of its own, `--join` says what \
        becomes of them; what it had stays in its history. `--name` and `--except` may be given anew later, without a \
        folder. Places of a file that lies beside its journals can't be excepted. That the file is shared is kept in the user's state folder, by its path: a copy of \
        it, or of `FOLDER`, is not.
        """,
      examples: [
        Example("replicate share state.json ~/Sync/state", "the same on the laptop and on the desk: they are in step"),
        Example(
          "replicate share ~/Sync/state.json", "share a file that is in the synced folder itself, on each device"),
        Example("replicate share --stop state.json", "leave; the file stays as it is"),
      ]),
    VerbRow(
      verb: .devices, options: [.json],
      summary: "list the devices that share the file, and how far they are",
      details: """
        One device a line, this one first: its name, when it was last heard of, how many changes of this device it is yet \
        to read, as far as is known here, and what is waited for. A clock that is far from this one's is told: it decides \
        between concurrent changes of one place, and nothing else.
        """,
      examples: [Example("replicate devices state.json", "see whether the laptop has got it")]),
    VerbRow(
      verb: .verify, options: [.json],
      summary: "print the hash of the file and of every attached instance; 1 if they differ",
      details: """
        The hash is the SHA-256 of the document in canonical form: white space, the order of members and the way \
        numbers are written don't count. An instance's is that of the whole document that it last agreed on with the \
        file, also if it mirrors a part of it.

        While the file is being changed, they differ for moments: so they are asked again until all agree and have \
        nothing left to write, or for `--timeout` seconds, 10 unless given; 0 asks once. An instance that does not \
        answer does not agree. Asked are the running instances of this user on this machine.
        """,
      examples: [
        Example("replicate verify state.json", "make sure that everybody has the same"),
        Example("replicate verify --timeout 0 --json state.json", "see how things are at the moment"),
      ]),
    VerbRow(
      verb: .doctor, options: [.json],
      summary: "tell what this path allows, and what is degraded",
      details: """
        Looks at the file system, limits, locks and permissions, and whether a save means the same to all instances and \
        to this command. Ends with 1 if degraded, 4 if unusable.
        """,
      examples: [Example("replicate doctor state.json", "find out why a mirror is slow or refuses to write")]),
  ]
}
