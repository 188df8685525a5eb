import StateJSON

/// What an instance does with the file it joins.
public struct JoinPolicy: Sendable, Hashable {
  enum Kind: Sendable { case adopt, overwrite, require, create }

  let kind: Kind

  /// Adopts a file that is there; seeds a missing or empty one with the initial state. The default.
  public static let adopt = JoinPolicy(kind: .adopt)
  /// Writes the initial state over whatever is there, valid or not.
  public static let overwrite = JoinPolicy(kind: .overwrite)
  /// Adopts a file that is there; a missing or empty one is a problem until somebody makes it.
  public static let require = JoinPolicy(kind: .require)
  /// Adopts a file that is there; a missing or empty one counts as the initial state, written with the first action.
  public static let create = JoinPolicy(kind: .create)

  var takesInitialState: Bool { kind != .require }
  var seedsAtOnce: Bool { kind == .adopt || kind == .overwrite }
}

/// What a foreign save does to what it was not made from.
public struct ExternalEditPolicy: Sendable, Hashable {
  enum Kind: String, Sendable { case merge, replace }

  let kind: Kind

  /// As it is written where other programs read it.
  package var name: String { kind.rawValue }

  /// What the editor's user changed is merged onto the newest version. The default.
  public static let merge = ExternalEditPolicy(kind: .merge)
  /// The save is taken as it is; pending actions are applied to it.
  public static let replace = ExternalEditPolicy(kind: .replace)
}

package struct ReplicaOptions: Sendable {
  package var file: String
  /// Tells this instance from others in what it writes.
  package var instance: String
  /// Whose the actions are, if they are not this instance's own: see ``DeviceName``.
  package var author: String?
  package var join: JoinPolicy
  package var externalEdits: ExternalEditPolicy
  package var limits = JSONLimits.default
  /// What the history says of versions that this instance makes.
  package var cause: Version.Cause = .action
  /// Whether a save that stands in the file at joining is judged at once, which takes the lock. Who only looks once
  /// leaves that to others.
  var judgesAtJoining = true

  /// Whether versions are published that mean the same as the one before, and are only written in another way.
  package var publishesFormatting = false

  /// Whether versions say which actions they came about by, also where the file isn't shared.
  package var recordsActions = false

  /// How long contents must stay the same before they are believed although somebody may still be writing them.
  static let quiet = Duration.milliseconds(50)
  /// How long contents that make no sense must stay the same before they are taken for somebody's whole save although he
  /// has the file open. He may have been stopped in the middle of it.
  static let patience = Duration.seconds(1)
  /// How long a file may be missing before it counts as deleted: several editors remove it and make it again.
  static let grace = Duration.seconds(1)
  /// How many actions may wait to be committed while the file is held, before they are folded into a patch: some megabytes of
  /// ordinary ones.
  static let pendingLimit = 1 << 15

  package init(
    file: String, instance: String, join: JoinPolicy = .adopt, externalEdits: ExternalEditPolicy = .merge
  ) {
    self.file = file
    self.instance = instance
    self.join = join
    self.externalEdits = externalEdits
  }

  /// Whose a version is that was made so: an edit, and what it is merged to, are found by this instance.
  func author(of cause: Version.Cause) -> String { cause == .action ? author ?? instance : instance }

  /// What a text says.
  func parse(_ bytes: [UInt8]) throws(Problem) -> JSONDocument {
    do { return try JSONDocument(parsing: bytes, limits: limits) } catch { throw invalid(error) }
  }

  /// What a text says that has most likely become of an older document.
  func parse(_ bytes: [UInt8], after older: JSONDocument) throws(Problem) -> JSONSuccessor {
    do { return try JSONSuccessor(parsing: bytes, after: older, limits: limits) } catch { throw invalid(error) }
  }

  private func invalid(_ error: JSONParseError) -> Problem {
    Problem(.invalidJSON, file: file, message: error.message, line: error.line, column: error.column)
  }
}
