/// Asks the instances of a file how they are.
///
/// Who doesn't answer in one round stays asked, and may do so in the next.
package struct InstanceRollCall {
  /// What is known of an instance after a round.
  package struct Report: Sendable {
    package let entry: InstanceEntry
    /// None if it has not answered: it is stopped, or very busy.
    package let answer: InstanceAnswer?

    package init(entry: InstanceEntry, answer: InstanceAnswer?) {
      self.entry = entry
      self.answer = answer
    }
  }

  private let file: String
  private let registry: InstanceRegistry
  private var asked: [InstanceEntry: LocalSocket] = [:]

  /// - Parameters:
  ///   - file: The path of the shared file; links are followed.
  ///   - stateFolder: Where this user's instances register.
  /// - Throws: Where the file's folder or the state folder can't be used.
  package init(of file: String, stateFolder: String = StateFolder.path) throws(SystemError) {
    self.file = try SharedFile(path: file, instance: InstanceName.random()).resolvedPath
    registry = try InstanceRegistry(stateFolder: stateFolder)
  }

  /// Who is there, without being asked.
  package func instances() throws(SystemError) -> [InstanceEntry] { try registry.instances(of: file) }

  /// Asks everybody who is there, and waits until all have answered, or until a time of `MonotonicClock`.
  package mutating func reports(until deadline: UInt64) throws(SystemError) -> [Report] {
    let entries = try registry.instances(of: file)
    for entry in entries where asked[entry] == nil { asked[entry] = registry.connect(to: entry) }
    var answers: [InstanceEntry: InstanceAnswer] = [:]
    while true {
      for (entry, socket) in asked {
        guard let message = try socket.receive() else { continue }
        asked[entry] = nil
        answers[entry] = InstanceAnswer(message: message)
      }
      let missing = asked.filter { entries.contains($0.key) }
      guard !missing.isEmpty, MonotonicClock.now() < deadline else { break }
      try Poller.wait(for: missing.values.map(\.rawDescriptor), until: deadline)
    }
    // Who left in the meantime is none of the file's instances any more.
    let left = try registry.instances(of: file)
    asked = asked.filter { left.contains($0.key) }
    return entries.filter { answers[$0] != nil || left.contains($0) }.map { Report(entry: $0, answer: answers[$0]) }
  }
}
