import StateJSON

/// This process's entry in the registry, and those who ask it.
///
/// Being asked is a descriptor that becomes readable; as long as nobody asks, nothing runs. Hashing a large document takes
/// longer than a driver may be held up, so each question is answered on a thread of its own.
final class InstanceRegistration {
  /// The resolved path of the file that it was made for.
  let file: String
  private let entry: InstanceEntry
  private let registry: InstanceRegistry
  /// Held for as long as this exists.
  private let lock: FileDescriptor
  private let socket: LocalSocket

  /// How many are answered before the driver does something else again.
  private static let turn = 16

  init(
    instance: String, of file: String, externalEdits: ExternalEditPolicy = .merge, in registry: InstanceRegistry
  ) throws(SystemError) {
    self.file = file
    self.registry = registry
    entry = InstanceEntry(instance: instance, of: file, externalEdits: externalEdits)
    lock = try registry.enter(entry)
    do throws(SystemError) {
      socket = try registry.listen(as: entry)
    } catch {
      registry.remove(entry.stem)
      throw error
    }
  }

  /// What to wait for in `Poller`.
  var rawDescriptor: Int32 { socket.rawDescriptor }

  /// Answers those who have asked; nobody is waited for.
  ///
  /// - Parameter state: The answer but for the hash, and the document to be hashed.
  func answer(_ state: () -> (answer: InstanceAnswer, document: JSONValue?)) {
    for _ in 0..<Self.turn {
      guard let question = socket.accept() else { return }
      guard question.isSameUser else { continue }
      let (answer, document) = state()
      // Who gets no answer for want of a thread sees the connection end, and asks again.
      _ = try? DriverThread(name: "verify") {
        var answer = answer
        answer.hash = document.map { "\($0.canonicalHash)" }
        question.send(answer.message)
      }
    }
  }

  /// Takes the entry off the list.
  func end() { registry.remove(entry.stem) }
}
