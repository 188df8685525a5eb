"""Forms of the file layer that are broken on purpose, which the simulation must catch.

Each names a file, a text that stands there exactly once, and what takes its place. There `broken("name")` says whether this form is the one
that is run: all of them are built at once. Where what it takes to be caught comes together in few of the plans that are drawn, it has one of
its own.
"""
from dataclasses import dataclass

SHARED = "Sources/HotReload/SharedFile/"
DRIVER = "Sources/HotReload/Driver/"
REPLICA = "Sources/HotReload/Replica/"
PLATFORM = "Sources/HotReload/Platform/"


@dataclass
class Change:
    file: str
    old: str
    new: str


@dataclass
class Form:
    name: str
    # What is wrong with it.
    what: str
    changes: list
    # After how many runs it is caught, as a rule: those that need more than the short check makes are left to the long one.
    isRare: bool = False
    # What takes part in its runs; none where that is drawn anew for each.
    plan: dict = None


def form(name, what, *changes, rare=False, plan=None):
    return Form(name, what, [Change(*change) for change in changes], rare, plan and PLAN | plan)


def before(file, text, added):
    return file, text, added + text


def after(file, text, added):
    return file, text, text + added


# What takes part where a plan says nothing else.
PLAN = dict(
    instances=2, actions=20, editors=0, saves=4, areEditorsFresh=True, users=1, styles=["rename-over"], hasInvalidSaves=False,
    hasDeletions=False, kills=0, faults=False, stalls=False, lossRate=0, startsWithFile=True, pace=1000, grain=1, viewsApply=False,
    devices=1, powerCuts=0, hasReplacement=False, lacks=[])


FORMS = [
    # The protocol.
    form("rename-instead-of-exchange", "The new contents are renamed over the file, whatever stands there.", before(
        SHARED + "SharedFile+Replace.swift",
        "      try folder.exchange(temporary.name, name)\n    } catch {",
        """      if broken("rename-instead-of-exchange") {
        try folder.rename(temporary.name, to: name)
        noteWritten(temporary.contents)
        return .replaced(temporary.contents)
      }
""")),
    form("no-inspection", "What came out of the swap is thrown away without a look.", after(
        SHARED + "SharedFile+Replace.swift",
        "    onStep(.afterExchange)\n    flushFolder()\n",
        """    if broken("no-inspection") {
      discard(temporary.name)
      noteWritten(temporary.contents)
      return .replaced(temporary.contents)
    }
""")),
    form("no-lease", "Nobody asks whether a writer is inside.", before(
        SHARED + "Platform/FileDescriptor+Lease.swift",
        "    guard System.calls.setSignal(",
        '    if broken("no-lease") { return .granted }\n')),
    form("no-lock", "Everybody has the lock.", after(
        SHARED + "SharedFile.swift",
        "  private func acquire() throws(SystemError) -> Bool {\n",
        '    if broken("no-lock") { return true }\n')),
    form("no-reread-under-lock", "What was seen last is taken for what stands at the path under the lock.", (
        DRIVER + "Driver+Instructions.swift",
        "    case .replace(let bytes, let hash, let expected):\n",
        """    case .replace(let bytes, let hash, var expected):
      if broken("no-reread-under-lock"), case .contents(let now)? = try? file.read() { expected = now }
"""), before(
        DRIVER + "Driver+Instructions.swift",
        "    let deadline = MonotonicClock.now() + Self.moment\n",
        """    if broken("no-reread-under-lock"), file.isLocked, hasRecovered, let newest = file.seen.newest { return .contents(newest) }
""")),
    form("no-rebase", "An instance writes its own state, whatever others have written.", before(
        REPLICA + "Replica+Commit.swift",
        "      let recognised = confirmRecognised(contents)\n",
        """      if broken("no-rebase"), base != nil { return underLock(.draining(.contents(contents)), .drain) }
""")),
    form("echo-suppression-by-time", "What is seen soon after an own write is taken for its echo.", before(
        DRIVER + "Driver+Instructions.swift",
        "    // Under the lock it goes on being paused until that is given back.\n",
        """    if broken("echo-suppression-by-time"), MonotonicClock.now() - burst.lastCommit < 200_000_000,
      let newest = file.seen.newest
    {
      return .contents(newest)
    }
""")),
    form("acknowledge-before-swap", "Actions are acknowledged before they are in the file.", after(
        "Tests/Simulation/View.swift",
        "    unacknowledged += queue\n",
        """    if broken("acknowledge-before-swap") { for action in queue { world.judge.acknowledged(action.token) } }
""")),
    form("forget-orphans", "What killed instances left is never looked after.", after(
        DRIVER + "Driver+Instructions.swift",
        "    hasRecovered = true\n",
        '    if broken("forget-orphans") { return snapshot }\n')),
    form("forget-displaced-writers", "What was displaced is removed although somebody still writes to it.", after(
        SHARED + "SharedFile+Displaced.swift",
        "  func keep(_ name: String, believed: String, awaitsIngestion: Bool = false) {\n",
        '    if broken("forget-displaced-writers"), !awaitsIngestion { return discard(name) }\n'), (
        SHARED + "SharedFile+Displaced.swift",
        "    case .writer, .unknown:\n      keep(name, believed: believed)\n",
        """    case .writer, .unknown:
      if broken("forget-displaced-writers") { return discard(name) }
      keep(name, believed: believed)
""")),
    form("believe-torn-reads", "Whatever was read counts as complete.", (
        SHARED + "SharedFile.swift",
        "stamp: nil, settled: lease == .granted && stable)",
        'stamp: nil, settled: broken("believe-torn-reads") || lease == .granted && stable)')),
    form("no-swap-back", "A displaced save that is invalid is thrown away.", before(
        DRIVER + "Driver+Instructions.swift",
        "    case .swapBack(let contents):\n",
        """    case .swapBack where broken("no-swap-back"):
      return attempt(.cannotRead) { file throws(SystemError) in .restored(try file.read(), setAside: []) }
"""), plan=dict(actions=8, editors=2, saves=8, hasInvalidSaves=True)),
    form("forget-own-stamp", "What seemed to fail is applied again, although it stands.", (
        DRIVER + "Driver+Instructions.swift",
        "predecessor: predecessor, instance: replica.author,",
        'predecessor: predecessor, instance: broken("forget-own-stamp") ? "somebody" : replica.author,'), before(
        SHARED + "SharedFile+Replace.swift",
        "      guard try folder.status(of: temporary.name)?.identity == temporary.contents.identity else {\n",
        '      if broken("forget-own-stamp"), error.errno == System.EIO { throw error }\n')),
    form("create-overwrites", "A file that is missing is made by renaming over whatever has come to stand there.", (
        SHARED + "SharedFile+Replace.swift",
        "      try give(temporary.name, unused: name)\n",
        """      if broken("create-overwrites") {
        try folder.rename(temporary.name, to: name)
      } else {
        try give(temporary.name, unused: name)
      }
"""), plan=dict(
        saves=2, actions=4, editors=1, areEditorsFresh=False, styles=["piecewise"], startsWithFile=False, faults=True, stalls=True,
        pace=20_000)),
    form("reuse-spare-blindly", "What came out of the swap is overwritten by the next write, whoever has it open.", (
        SHARED + "SharedFile+Displaced.swift",
        "    guard case .nobody = found.company, partner.spare == nil, capabilities.exchange, found.descriptor.hasWriteLease\n    else {\n",
        """    let isFree = if case .nobody = found.company { found.descriptor.hasWriteLease } else { false }
    guard isFree || broken("reuse-spare-blindly"), partner.spare == nil, capabilities.exchange else {
"""), (
        SHARED + "SharedFile+Displaced.swift",
        "    switch found.company {\n    case .nobody where partner.spare == nil && capabilities.exchange:\n",
        """    switch broken("reuse-spare-blindly") ? .nobody : found.company {
    case .nobody where partner.spare == nil && capabilities.exchange:
"""), (
        SHARED + "SharedFile+Displaced.swift",
        "    guard spare.isFresh || spare.descriptor.take(.write) == .granted,\n",
        '    guard spare.isFresh || broken("reuse-spare-blindly") || spare.descriptor.take(.write) == .granted,\n'), (
        SHARED + "Inspection.swift",
        "        switch lease {\n        case .granted: .readersOnly\n",
        """        switch lease {
        case .refused where broken("reuse-spare-blindly"): .nobody
        case .granted: .readersOnly
""")),
    form("write-in-place", "The file is written in place.", before(
        SHARED + "SharedFile+Replace.swift",
        "    seen.newest = base\n    onStep(.beforePreparation)\n",
        '    if broken("write-in-place") { return try replaceInPlace(with: new, expecting: base) }\n')),
    form("burst-without-mark", "In a row of commits, what came out is overwritten as it is.", (
        SHARED + "Temporary.swift",
        "      if isBurst { try file.setAttribute",
        '      if isBurst, !broken("burst-without-mark") { try file.setAttribute'),
        rare=True, plan=dict(kills=3, faults=True)),
    form("unlock-unconfirmed", "The lock is given back before it is noted that the newest version stands.", (
        DRIVER + "Driver+Loop.swift",
        "  func endCommit() {\n    confirmLate()\n",
        """  func endCommit() {
    if broken("unlock-unconfirmed") { ledger.unconfirmed = nil } else { confirmLate() }
""")),

    # Inside of the file layer.
    form("proof-removed-first", "What proves that a version stood is removed before that is noted.", before(
        DRIVER + "Driver+Instructions.swift",
        "    try file.recover(noting: note).forEach(takeIn)\n",
        """    if broken("proof-removed-first") {
      var proved: [Evidence] = []
      let saves = try file.recover { proved.append($0) }
      proved.forEach(note)
      saves.forEach(takeIn)
      planHousekeeping(MonotonicClock.now())
      return try read()
    }
"""), plan=dict(instances=3, editors=2, saves=12, kills=6, areEditorsFresh=False)),
    form("lock-asked-twice", "A look that fails ends the wait for the lock, which goes on in the queue.", (
        REPLICA + "Replica+Problems.swift",
        "    case .locking where problem.code != .cannotLock:\n",
        '    case .locking where problem.code != .cannotLock && !broken("lock-asked-twice"):\n'),
        rare=True, plan=dict(instances=5, actions=6, editors=2, saves=12, faults=True, stalls=True, pace=100_000)),
    form("believe-what-was-swapped-out", "What came out of a swap is taken for what was read before it.", (
        SHARED + "SharedFile+Replace.swift",
        "    seen.newest = nil\n    var temporary = temporary\n",
        """    if !broken("believe-what-was-swapped-out") { seen.newest = nil }
    var temporary = temporary
"""), plan=dict(editors=1, saves=8, styles=["write-ftruncate"], hasInvalidSaves=True, grain=1_000_000_000)),
    form("late-stamp", "The new contents are stamped when they stand at the path.", (
        SHARED + "Temporary.swift",
        "      try mark(file, new.stamp)\n",
        '      if !broken("late-stamp") { try mark(file, new.stamp) }\n'), before(
        SHARED + "SharedFile+Replace.swift",
        "    noteReader(of: found)\n",
        """    if broken("late-stamp"), let late = try? openForReading(name) { try? mark(late, temporary.new.stamp) }
""")),
    form("forget-what-was-put-back", "A recovery passes over what a killed instance was putting back.", (
        SHARED + "SharedFile+Recover.swift",
        "    for (name, label) in inOrder(orphans) {\n",
        '    for (name, label) in inOrder(orphans) where label.role != .back || !broken("forget-what-was-put-back") {\n'),
        plan=dict(editors=2, saves=12, hasInvalidSaves=True, kills=6)),
    form("remove-unread", "What was displaced is removed without a look as soon as nobody has it open.", before(
        SHARED + "SharedFile+Displaced.swift",
        "    onStep(.beforeLook)\n",
        """    if broken("remove-unread"), lease == .granted { try remove(file)
      return nil
    }
""")),
    form("short-write-is-whole", "A write that was cut short counts as a whole one.", (
        PLATFORM + "FileDescriptor.swift",
        "    while written < part.count {\n",
        '    while written < part.count, written == 0 || !broken("short-write-is-whole") {\n')),
    form("adopt-the-living", "What living instances keep beside the file is looked after as if they had been killed.", (
        SHARED + "SharedFile+Recover.swift",
        "    guard try file.tryLock() else { return }\n",
        '    guard try file.tryLock() || broken("adopt-the-living") else { return }\n'),
        plan=dict(
            instances=5, actions=4, editors=1, saves=1, areEditorsFresh=False, styles=["piecewise"], kills=2, stalls=True, devices=2,
            pace=100_000, grain=4_000_000)),
    form("believe-what-is-pending", "A version counts as one before it has come to stand in the file.", (
        REPLICA + "Replica+Review.swift",
        "    guard case .history(let history) = recollection else { return recollection }\n    let found: Contents? =\n",
        """    guard case .history(let history) = recollection, !broken("believe-what-is-pending") else { return recollection }
    let found: Contents? =
""")),

    # What a save means.
    form("evidence-ignored", "Whoever saves may have had any version in a buffer.", (
        "Sources/HotReload/History/SaveEvidence.swift",
        "    guard knowsReaders else { return true }\n",
        '    guard knowsReaders, !broken("evidence-ignored") else { return true }\n'),
        plan=dict(actions=12, hasReplacement=True)),
    form("verdict-by-who-runs", "Whoever wasn't there when the newest version came takes no older one for what somebody has edited.", (
        REPLICA + "Replica+Review.swift",
        "      let evidence = history.evidence(of: contents, isLate: isLate)\n",
        """      var evidence = history.evidence(of: contents, isLate: isLate)
      if broken("verdict-by-who-runs"), !recent.contains(where: { $0.hash == history.newest.hash }) {
        evidence = SaveEvidence(knowsReaders: true, wasBrought: true)
      }
"""), plan=dict(editors=1, saves=8, areEditorsFresh=False, kills=3)),
    form("readers-unnoted", "Nobody notes who has read a version.", (
        DRIVER + "Driver+Versions.swift",
        "    let versions = file.takeReadVersions()\n",
        '    var versions = file.takeReadVersions()\n    if broken("readers-unnoted") { versions = [] }\n'),
        plan=dict(editors=1, saves=8, areEditorsFresh=False)),

    # What has to survive a power cut, and what other devices are told.
    form("no-flush", "What was written is not flushed before it is swapped in.", before(
        PLATFORM + "FileDescriptor.swift",
        '    try SystemError.check("fsync", path) {',
        '    if broken("no-flush") { return }\n')),
    form("no-folder-flush", "A swap is not flushed before it is acknowledged.", (
        SHARED + "SharedFile+Durability.swift",
        "    guard durability == .power else { return }\n    do throws(SystemError) {\n      try folder.descriptor.flush()\n",
        """    guard durability == .power, !broken("no-folder-flush") else { return }
    do throws(SystemError) {
      try folder.descriptor.flush()
""")),
    form("tell-from-the-start", "Other devices are told of all versions in the log, whatever was told before.", (
        "Sources/HotReload/Sharing/ShareSession+Step.swift",
        "      let news = try log.news(since: journals.device.exported ?? beginning(journals.device), until: found)\n",
        """      let since = broken("tell-from-the-start") ? nil : journals.device.exported
      let news = try log.news(since: since ?? beginning(journals.device), until: found)
""")),
]
