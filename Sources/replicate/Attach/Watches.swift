import StateJSON
import StoreCore

/// The places that a client watches, and what it was last told of each.
struct Watches {
  private struct Watch {
    let format: WatchFormat
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
  mutating func add(_ pointer: JSONPointer, _ format: WatchFormat) {
    watches[pointer] = Watch(format: format)
    due.insert(pointer)
  }

  mutating func remove(_ pointer: JSONPointer) {
    watches[pointer] = nil
    due.remove(pointer)
  }

  /// Notes that the document changed.
  mutating func documentChanged() { due = Set(watches.keys) }

  /// What is to be told of the newest change: the first state of each new watch, and each value that is another now.
  mutating func states(of change: DocumentView.Change) -> [RPCNotification] {
    defer { due = [] }
    return due.compactMap { pointer in
      guard let watch = watches[pointer] else { return nil }
      let value = change.value[pointer]
      if let told = watch.told, told.value == value { return nil }
      let cause = watch.told == nil ? Cause.start : change.cause
      watches[pointer]?.told = Told(value: value)
      let content: RPCNotification.Content =
        switch watch.format {
        case .patch: .patch(JSONPatch(from: watch.told?.value, to: value, at: pointer))
        case .json, .pretty: value.map { .value($0) } ?? .absent
        }
      return .state(pointer, content, version: change.version, cause)
    }
  }
}
