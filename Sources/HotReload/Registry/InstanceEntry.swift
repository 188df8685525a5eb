import StateJSON

/// An instance that mirrors a file, as it is registered in the state folder of its user.
///
///     PATH-MACHINE-INSTANCE.lock      who it is; locked for as long as its process lives
///     PATH-MACHINE-INSTANCE.socket    where it can be asked
///
/// PATH is the hash of the shared file's resolved path. The lock is taken before there is a socket, and given back by the
/// kernel when the process ends, however it does: what is found unlocked was left by a process that was killed.
package struct InstanceEntry: Hashable, Sendable {
  /// The name of the instance, as others see it in causes and in the history.
  package var instance: String
  /// The process's number where it runs, which may be another one in a container.
  package var process: Int
  /// The beginning of the program's name.
  package var program: String
  /// What a save means where this instance is the first to see it.
  package var externalEdits: ExternalEditPolicy
  /// What its files' names begin with.
  var stem: String

  var lockName: String { stem + Self.lockSuffix }
  var socketName: String { stem + ".socket" }

  static let lockSuffix = ".lock"

  /// What the names of all instances of a file on this machine begin with.
  static func prefix(of file: String) -> String {
    "\(ContentHash(Array(file.utf8)))-\(Machine.identifier)-"
  }

  /// This process's instance of a file, which is given by its resolved path.
  package init(instance: String, of file: String, externalEdits: ExternalEditPolicy = .merge) {
    self.instance = instance
    self.externalEdits = externalEdits
    process = ThisProcess.identifier
    program = ThisProcess.name
    stem = Self.prefix(of: file) + instance
  }

  /// The entry that a lock file stands for; what it doesn't tell is left open.
  init(stem: String, contents: [UInt8]) {
    self.stem = stem
    // An instance may be about to write it.
    let value = (try? JSONValue(parsing: contents)) ?? [:]
    instance = String(stem.split(separator: "-").last ?? "")
    process = value[JSONPointer(["process"])]?.integer ?? 0
    program = value[JSONPointer(["program"])]?.text ?? ""
    // An older program doesn't tell, and merges.
    externalEdits = value[JSONPointer(["externalEdits"])]?.text == ExternalEditPolicy.replace.name ? .replace : .merge
  }

  /// What stands in the lock file.
  var contents: [UInt8] {
    let value: JSONValue = [
      "process": .number(JSONNumber(process)), "program": .string(program),
      "externalEdits": .string(externalEdits.name),
    ]
    return value.bytes() + [0x0A]
  }
}

extension JSONValue {
  var integer: Int? {
    if case .number(let number) = self { number.exactly(Int.self) } else { nil }
  }

  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
