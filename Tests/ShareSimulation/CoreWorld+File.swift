import Replication
import StateJSON
import TestSupport

/// What an engine does with two versions of a file that were written at once.
enum CoreEngine: CaseIterable {
  /// It keeps the newest, and makes a copy of the other.
  case copies
  /// The same, but of copies there are only so many, and one of a name.
  case fewCopies
  /// It renames both, on both sides.
  case aside
  /// It keeps the newest, and nothing of the other.
  case newest

  static let copyLimit = 10
}

/// What makes it harder to tell what stands in a file.
public enum FileHardship: Sendable {
  /// The engine loses the times of files, or sets them only later.
  case lostTimes
  /// People save several times within a moment, and several things at once, of which an instance may meet any.
  case bursts
}

/// A member's file, which lies in the folder itself: the engine brings others' over it, and people save there.
struct CoreFile {
  /// What stands there, or has.
  struct Found: Equatable {
    let contents: JSONValue
    /// In seconds, of which a tick of the world has a thousand.
    let time: Int
    /// The same, with all that happened within a tick in its order, in microseconds.
    let modified: Int

    /// Whether an instance wrote it, by its time.
    var isWritten: Bool { time % 1_000 == 0 }

    var version: FileVersion { FileVersion(hash: "\(ContentHash(contents.bytes()))", time: time) }
  }

  /// What the log of versions has of one.
  struct Version {
    let found: Found
    /// How many commits had been made then.
    let commitCount: Int
    /// Whether others' changes came with it, of which none of these commits says anything.
    let isBrought: Bool
    /// What was found, and is part of it.
    let finds: [FileVersion]
    /// Whether its contents may be something else than what was said comes to.
    let isOwn: Bool
  }

  var found: Found?
  /// What the engine knows: how often each member has written it.
  var vector: [Int: Int] = [:]
  /// The copies that the engine made of what was written at once.
  var copies: [Found] = []
  /// Versions of which it isn't clear yet what they mean.
  var pending: [Found] = []
  var versions: [Version] = []
  /// What was found since the document that all comes to was last brought there.
  var finds: [FileVersion] = []
  /// Whether something was found since then, in the file or beside it.
  var hasFound = false
  /// Those that were written, and not named yet.
  var undeclared: [Version] = []
  /// How many commits were told, or need not be.
  var told = 0

  /// Whether the log has a version.
  func has(_ found: Found) -> Bool { versions.contains { $0.found == found } }
}

extension CoreWorld {
  // MARK: What others do to the file

  /// By version vectors, as engines do it. A version beats that the file was taken away.
  mutating func deliverFile(to target: Int, from source: Int) {
    let (ours, theirs) = (members[source].file, members[target].file)
    guard source != target, ours.vector.contains(where: { $0.value > theirs.vector[$0.key, default: 0] }) else {
      return
    }
    var coming = ours.found
    if let found = coming, !keepsTimes { coming = self.found(found.contents, at: time * 1_000 + 700) }
    let isOlder = theirs.vector.contains { $0.value > ours.vector[$0.key, default: 0] }
    members[target].file.vector.merge(ours.vector) { max($0, $1) }
    guard isOlder, let coming else {
      if isOlder { return }
      members[target].file.found = coming
      return lose(theirs.found)
    }
    if theirs.found == coming { return }
    guard let there = theirs.found else { return members[target].file.found = coming }
    if engine == .aside, there.contents == coming.contents { return }
    meet(coming, there, source, target)
    members[target].file.vector[target, default: 0] += 1
  }

  /// What becomes of two that were written at once.
  private mutating func meet(_ coming: CoreFile.Found, _ there: CoreFile.Found, _ source: Int, _ target: Int) {
    let isWinner = (coming.modified, source) > (there.modified, target)
    let loser = isWinner ? there : coming
    if engine != .aside, isWinner { members[target].file.found = coming }
    switch engine {
    case .copies: members[target].file.copies.append(loser)
    case .fewCopies:
      // Two that lose in one second get one name.
      var copies = members[target].file.copies.filter { $0.time / 1_000 != loser.time / 1_000 } + [loser]
      copies = copies.suffix(CoreEngine.copyLimit)
      let lost = members[target].file.copies.filter { !copies.contains($0) }
      members[target].file.copies = copies
      for found in lost { lose(found) }
    case .aside:
      for index in [source, target] {
        members[index].file.copies += [coming, there]
        members[index].file.found = nil
      }
      members[source].file.vector = members[target].file.vector
      members[source].file.vector[source, default: 0] += 1
    case .newest: lose(loser)
    }
  }

  /// Somebody, or the engine, deletes the file.
  mutating func takeAwayFile(of index: Int) {
    guard let former = members[index].file.found else { return }
    members[index].file.found = nil
    members[index].file.vector[index, default: 0] += 1
    lose(former)
  }

  /// The engine has thrown a version away. What only that had is nobody's fault.
  private mutating func lose(_ found: CoreFile.Found?) {
    guard let found else { return }
    let there = members.flatMap { member -> [JSONValue] in
      let file = member.file
      return (file.copies + file.pending + [file.found].compactMap(\.self)).map(\.contents)
        + [member.document].compactMap(\.self)
    }
    saved.subtract(Set(found.contents.tokens).subtracting(there.flatMap(\.tokens)))
  }

  /// Somebody saves where no instance runs: a version that some instance has met, as nobody else can tell what a save of that was made
  /// from.
  mutating func saveInside(_ index: Int, _ number: Int) {
    guard let found = members[index].file.found, members.contains(where: { $0.file.has(found) }) else { return }
    for moment in 0..<(hardship == .bursts ? random.pick([1, 1, 1, 2, 3]) : 1) {
      if moment > 0, !random.oneIn(3) { deliverFile(to: random.below(members.count), from: index) }
      guard case .object(var state)? = members[index].file.found?.contents,
        case .object(var tokens)? = state["tokens"]
      else { return }
      for name in (0..<(hardship == .bursts ? random.pick([1, 1, 4]) : 1)).map({ "p\(number)-\(moment)-\($0)" }) {
        tokens[name] = 1
        saved.insert(name)
      }
      state["tokens"] = .object(tokens)
      put(.object(state), at: time * 1_000 + 4, index)
    }
  }

  /// Somebody brings back what stood there before; returns whether there is such a version.
  mutating func restoreInside() -> Bool {
    let living = members.indices.filter { !members[$0].isGone && members[$0].file.found != nil }
    guard let index = living.isEmpty ? nil : random.pick(living) else { return false }
    // Of what people had saved nobody may know the time, so that it can't be told from that.
    let written = members[index].file.versions.filter { $0.found.isWritten }
    let former = written.map(\.found.contents).filter { $0 != members[index].document }
    guard !former.isEmpty else { return false }
    let contents = random.pick(former)
    restored = contents
    put(contents, at: time * 1_000 + 4, index)
    return true
  }

  private mutating func put(_ contents: JSONValue, at time: Int, _ index: Int) {
    members[index].file.found = found(contents, at: time)
    members[index].file.vector[index, default: 0] += 1
  }

  private mutating func found(_ contents: JSONValue, at time: Int) -> CoreFile.Found {
    momentCount += 1
    return CoreFile.Found(contents: contents, time: time, modified: time / 1_000 * 1_000_000_000 + momentCount)
  }

  // MARK: What an instance does with it

  /// An instance writes the document, which others' changes may have come to.
  mutating func writeFile(_ index: Int, isBrought: Bool = false) {
    guard let document = members[index].document else { return }
    put(document, at: time * 1_000, index)
    guard let found = members[index].file.found else { return }
    members[index].file.undeclared.append(note(found, index, isBrought: isBrought))
  }

  @discardableResult
  private mutating func note(
    _ found: CoreFile.Found, _ index: Int, also finds: [FileVersion] = [], isBrought: Bool = false
  ) -> CoreFile.Version {
    let file = members[index].file
    let version = CoreFile.Version(
      found: found, commitCount: members[index].log.count, isBrought: isBrought, finds: file.finds + finds,
      isOwn: file.hasFound)
    members[index].file.versions.append(version)
    return version
  }

  /// An instance names the versions that were written before a commit.
  mutating func declareFile(_ index: Int, before commit: Int = .max) throws {
    let written = members[index].file.undeclared.filter { $0.commitCount < commit }
    members[index].file.undeclared.removeAll { $0.commitCount < commit }
    guard fileVariant != .writesUnsaid else { return }
    guard let last = written.last else { return }
    let isOwn = last.isOwn && fileVariant != .contentsUnsaid
    _ = try members[index].device.declare(
      written.map(\.found.version), holding: isOwn ? last.found.contents : nil, finds: last.finds)
  }

  /// An instance says what was read, before it takes anything else, if it has written what it had found.
  mutating func declareReading(_ index: Int) throws {
    let file = members[index].file
    let isRepeated = file.undeclared.contains { version in
      file.versions.contains { $0.found.contents == version.found.contents && !$0.found.isWritten }
    }
    if isRepeated { _ = try members[index].device.declareReading() }
  }

  /// An instance looks at the file, and at the engine's copies of it.
  mutating func lookAtFile(_ index: Int, isLast: Bool) {
    guard members[index].document != nil else { return }
    let file = members[index].file
    (members[index].file.pending, members[index].file.copies) = ([], [])
    for copy in file.copies
    where (fileVariant != .copyGoneFirst || random.oneIn(2)) && !take(copy, isCopy: true, isLast: isLast, index) {
      members[index].file.pending.append(copy)
    }
    for found in file.pending where !take(found, isLast: isLast, index) { members[index].file.pending.append(found) }
    if let found = file.found, !file.pending.contains(found), !take(found, isLast: isLast, index) {
      members[index].file.pending.append(found)
    }
  }

  /// Brings the document into the file, after all that came was taken.
  mutating func bringIntoFile(_ index: Int, isLast: Bool) throws {
    lookAtFile(index, isLast: isLast)
    // What isn't clear yet isn't overwritten.
    let file = members[index].file
    if members[index].document != file.found?.contents, !file.pending.contains(where: { $0 == file.found }) {
      writeFile(index, isBrought: true)
    }
    // What it was made of has to be told first.
    if random.oneIn(2) { try declareFile(index, before: members[index].file.told + 1) }
  }

  /// Takes a version for what it is; false if that has to wait.
  private mutating func take(_ found: CoreFile.Found, isCopy: Bool = false, isLast: Bool, _ index: Int) -> Bool {
    let member = members[index]
    if member.file.has(found) { return true }
    // Where a swap has brought it out, its time may not have been set yet. So what was brought back and gives way at once isn't known.
    let isTimed = keepsTimes && (hardship != .lostTimes || found.contents == restored || !random.oneIn(8))
    let version = isTimed ? found.version : FileVersion(hash: found.version.hash, time: nil)
    let meaning = member.device.meaning(of: version)
    if meaning == .known { return true }
    // The same bytes under another time: somebody has brought them back.
    let isRepeated =
      meaning == .repeated || member.file.versions.contains { $0.found.contents == found.contents }
    if isRepeated {
      // Where that is what there is anyway it says nothing, until there is something else.
      let isNothing = isCopy || !isTimed || members[index].device.document == found.contents
      if isNothing || fileVariant == .identityByHash { return true }
      // It may have been written elsewhere, which is about to be said.
      if !isLast, random.oneIn(2) { return false }
    }
    let nearest = member.nearest(to: found.contents, isBroken: fileVariant == .laterBase)
    var after = member.document
    if !isCopy {
      after =
        isRepeated
        ? found.contents
        : JSONMerge.value(base: nearest?.value, older: member.document, newer: found.contents)
    }
    members[index].log.append(
      LocalCommit(
        label: "\(member.log.count + 1)", time: max(2, time + member.skew), before: member.document, after: after,
        save: FoundSave(
          version, modified: found.modified, contents: found.contents,
          isRepeatedOnPurpose: isRepeated && !isCopy, nearest: nearest)))
    members[index].document = after
    if fileVariant == .findsNamedFirst, let version = members[index].file.versions.last {
      members[index].file.undeclared.append(
        .init(found: found, commitCount: version.commitCount, isBrought: false, finds: [], isOwn: false))
    }
    if !isCopy { members[index].file.finds.append(version) }
    members[index].file.hasFound = true
    note(found, index, also: isCopy ? [version] : [])
    return true
  }

  /// A commit whose save knows what wasn't named yet.
  func resolved(_ commit: LocalCommit, by index: Int) -> LocalCommit {
    guard let save = commit.save else { return commit }
    return LocalCommit(
      label: commit.label, time: commit.time, before: commit.before, after: commit.after,
      save: FoundSave(
        save.version, modified: save.modified, contents: save.contents,
        isRepeatedOnPurpose: save.isRepeatedOnPurpose, nearest: save.nearest,
        written: members[index].file.undeclared.map(\.found.version)))
  }

  // MARK: What must be true

  func breachesOfFiles(_ document: JSONValue) -> [String] {
    let living = members.filter { !$0.isGone && !$0.file.vector.isEmpty }
    var breaches: [String] = []
    if let restored, restored != document { breaches.append("what was brought back is gone again") }
    if restored == nil, !members.contains(where: \.isGone), !saved.isSubset(of: document.tokens) {
      breaches.append("saves are lost")
    }
    if living.contains(where: { $0.file.found?.contents != document }) { breaches.append("a file is something else") }
    if living.contains(where: { !$0.file.copies.isEmpty }) { breaches.append("copies are left") }
    return breaches
  }
}

extension CoreWorld.Member {
  /// The version in its log that something was most likely made from, and the number of the commit that had made it.
  func nearest(
    to contents: JSONValue, isBroken: Bool = false, besides isLater: (FileVersion) -> Bool = { _ in false }
  ) -> Device.OwnVersion? {
    let versions = isBroken ? file.versions : file.versions.filter { !$0.finds.contains(where: isLater) }
    let former = isBroken ? versions[...] : versions.prefix { $0.found.contents != contents }
    let costs = former.map { SparseChange(from: $0.found.contents, to: contents)?.cost ?? 0 }
    guard let least = costs.min(), let index = costs.lastIndex(of: least) else { return nil }
    let version = former[index]
    return Device.OwnVersion(
      value: version.found.contents,
      labels: (version.commitCount...log.count).dropFirst(version.isBrought ? 1 : 0).map { "\($0)" },
      finds: isBroken ? [] : version.finds)
  }
}
