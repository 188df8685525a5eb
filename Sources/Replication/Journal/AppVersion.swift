import StateJSON

/// The app that encodes an entry's actions, and how new it is. The newest that is about has the last word on what they do.
package struct AppVersion: Sendable {
  /// Counts up with each change of what the app's actions do.
  package let version: Int
  /// The name, which tells apps of one version from each other.
  package let name: String

  /// Makes a version of its parts.
  package init(version: Int, name: String) {
    (self.version, self.name) = (version, name)
  }

  /// The JSON form, `[VERSION, NAME]`.
  package var value: JSONValue { [.number(JSONNumber(version)), .string(name)] }

  /// The JSON form, as messages call it.
  static let expected = "a version and the name of an app"

  /// Reads the JSON form; `nil` if it is none.
  package init?(_ value: JSONValue) {
    guard case .array(let parts) = value, parts.count == 2, case .number(let number) = parts[0],
      let version = number.exactly(Int.self), case .string(let name) = parts[1],
      name.utf8.count <= JournalLimits.labelLength
    else { return nil }
    self.init(version: version, name: name)
  }
}

extension AppVersion: Comparable {
  package static func == (left: Self, right: Self) -> Bool {
    left.version == right.version && ScalarString(left.name) == ScalarString(right.name)
  }

  /// By version, then by the names' Unicode scalars.
  package static func < (left: Self, right: Self) -> Bool {
    left.version != right.version
      ? left.version < right.version : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}

extension AppVersion: Hashable {
  package func hash(into hasher: inout Hasher) {
    hasher.combine(version)
    hasher.combine(ScalarString(name))
  }
}
