import StateJSON
import StoreCore

/// The places that a client watches, and what it was last told of each.
package struct Watches {
  private struct Watch {
    let format: StateFormat
    var told: Told?
  }

  private struct Told {
    /// `nil` where the pointer led nowhere.
    var value: JSONValue?
  }

  private var watches: [JSONPointer: Watch] = [:]
  /// Those to look at.
  private var due: Set<JSONPointer> = []

  /// Whether a client may have to be told something.
  var areDue: Bool { !due.isEmpty }

  /// Begins to watch a place, or begins anew.
  package mutating func add(_ pointer: JSONPointer, _ format: StateFormat) {
    watches[pointer] = Watch(format: format)
    due.insert(pointer)
  }

  package mutating func remove(_ pointer: JSONPointer) {
    watches[pointer] = nil
    due.remove(pointer)
  }

  /// Notes that the state changed.
  package mutating func stateChanged() { due = Set(watches.keys) }

  /// What is to be told of the newest state: the first one of each new watch, and each value that is another now.
  mutating func notifications(of newest: WatchedState) -> [RPCNotification] {
    defer { due = [] }
    return due.compactMap { pointer in
      guard let watch = watches[pointer] else { return nil }
      let value = newest.value[pointer]
      if let told = watch.told, told.value == value { return nil }
      let cause = watch.told == nil ? Cause.start : newest.cause
      watches[pointer]?.told = Told(value: value)
      let content: RPCNotification.Content =
        switch watch.format {
        case .patch: .patch(JSONPatch(from: watch.told?.value, to: value, at: pointer))
        case .json: value.map { .value($0) } ?? .absent
        }
      return .state(pointer, content, version: newest.version, cause)
    }
  }
}
