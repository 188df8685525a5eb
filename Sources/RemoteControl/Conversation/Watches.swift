import StateJSON
import StoreCore

/// The places that a client watches, and what it was last told of each.
package struct Watches {
  /// How many bytes may be kept for what is watched, 1 MiB: those of the paths, and some for each.
  package static let limit = 1 << 20

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
  private var size = 0

  /// Whether a client may have to be told something.
  var areDue: Bool { !due.isEmpty }

  /// Whether nothing is watched.
  var isEmpty: Bool { watches.isEmpty }

  /// Begins to watch a place, or begins anew.
  ///
  /// - Returns: The answer.
  /// - Throws: That too much is watched already.
  package mutating func add(_ pointer: JSONPointer, _ format: StateFormat) throws(RPCError) -> JSONValue {
    remove(pointer)
    guard size + pointer.watchedSize <= Self.limit else { throw .system("too many places are watched") }
    size += pointer.watchedSize
    watches[pointer] = Watch(format: format)
    due.insert(pointer)
    return [:]
  }

  package mutating func remove(_ pointer: JSONPointer) {
    guard watches.removeValue(forKey: pointer) != nil else { return }
    size -= pointer.watchedSize
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

extension JSONPointer {
  /// How many bytes count for watching the place.
  fileprivate var watchedSize: Int { description.utf8.count + 64 }
}
