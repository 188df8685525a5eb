import Synchronization

/// A value that is made once it is asked for, and shared by all copies of a document.
final class MadeValue: Sendable {
  private let made: Mutex<JSONValue?>

  init(_ value: JSONValue? = nil) { made = Mutex(value) }

  /// The value, made by the first who asks; others wait for it.
  func value(_ make: () -> JSONValue) -> JSONValue {
    made.withLock { made in
      if let made { return made }
      let value = make()
      made = value
      return value
    }
  }
}
