import StateJSON

/// Which versions of a state, and of the actions on it, a program understands, and how it brings older ones up to date.
///
/// The same schema serves a mirrored file, which holds its version in a member, and the recordings of a program:
///
///     let schema = StateSchema(2) { state, version in
///       if version < 2, case .object(var app) = state {
///         app["title"] = app["name"]
///         app["name"] = nil
///         return .object(app)
///       }
///       return state
///     }
///     let mirror = HotReload<App, AppAction>(file: "app.json", migrate: schema.migration(versionAt: ["schema"]))
///
/// What a newer program wrote is refused with a sentence, and left alone.
public struct StateSchema: Sendable {
  /// Brings a state, or an action, of an older version up to date.
  public typealias Migration = @Sendable (_ value: JSONValue, _ version: Int) throws -> JSONValue

  /// The newest version, which the program writes.
  public let version: Int
  /// Brings a state up to date; one that is so already comes out as it was.
  public let states: Migration
  /// Brings an action up to date.
  public let actions: Migration

  /// A schema of a version.
  ///
  /// - Parameters:
  ///   - version: The newest that the program understands.
  ///   - states: Brings a state up to date, given the version that it has.
  ///   - actions: Brings an action up to date, given the version of the state it was dispatched to.
  public init(
    _ version: Int = 0, states: @escaping Migration = { value, _ in value },
    actions: @escaping Migration = { value, _ in value }
  ) {
    self.version = version
    self.states = states
    self.actions = actions
  }

  /// What ``HotReload`` is given as `migrate`, for a file that holds the version of its state.
  ///
  /// A file without one counts as version 0. The migrated state holds the newest; so must the type that it is decoded to, or
  /// the initial state is written without a version.
  ///
  /// - Parameter path: The members on the way to the version, a whole number.
  /// - Returns: a migration that throws ``NewerVersionError`` where the file is newer than the program, and what `states` throws.
  public func migration(versionAt path: [String]) -> @Sendable (JSONValue) throws -> JSONValue {
    let pointer = JSONPointer(path)
    return { [self] value in
      var found = 0
      if let member = value[pointer] {
        guard case .number(let number) = member, let version = number.exactly(Int.self), version >= 0 else {
          throw MalformedVersionError(pointer: pointer)
        }
        found = version
      }
      try refuse(found)
      guard found < version else { return value }
      var migrated = try states(value, found)
      try migrated.set(.number(JSONNumber(version)), at: pointer)
      return migrated
    }
  }

  /// - Throws: ``NewerVersionError`` if a version is newer than the program.
  package func refuse(_ found: Int) throws(NewerVersionError) {
    if found > version { throw NewerVersionError(found: found, known: version) }
  }

  /// A state was written by a newer program.
  public struct NewerVersionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The version that it has.
    public let found: Int
    /// The newest that the program understands.
    public let known: Int

    /// `it has version 3 of the state, and this program knows up to 2; update the program`.
    public var description: String {
      "it has version \(found) of the state, and this program knows up to \(known); update the program"
    }
  }

  /// What should be the version of a state is none.
  public struct MalformedVersionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where it stands.
    public let pointer: JSONPointer

    /// `expected a whole number, the version of the state, at '/schema'`.
    public var description: String { "expected a whole number, the version of the state, at '\(pointer)'" }
  }
}
