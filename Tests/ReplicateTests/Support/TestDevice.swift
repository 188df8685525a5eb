import HotReload
import StateJSON
import TestSupport

@testable import replicate

/// A device of a test: a folder with a file `f` and a shared folder of its own, and a user's state that no other has.
struct TestDevice {
  let name: String
  let place: Workplace

  /// A device whose file has a text, or is missing.
  init(_ name: String, _ text: String? = nil) throws {
    self.name = name
    place = try Workplace()
    try place.makeFolder("sync")
    if let text { try place.write(text, to: "f") }
  }

  /// Git looks no further up than the folder itself: tests may run in a repository.
  var environment: [String: String] {
    ["XDG_STATE_HOME": place.path("state"), "GIT_CEILING_DIRECTORIES": place.path("..")]
  }

  @discardableResult
  func run(_ words: String...) throws -> Binary.Run { try place.run(words, environment: environment) }

  func start(_ words: String...) throws -> RunningCommand { try place.start(words, environment: environment) }

  /// Shares its file, under its name.
  @discardableResult
  func share(_ options: String...) throws -> Binary.Run {
    try place.run(["share", "--name", name] + options + ["f", "sync"], environment: environment)
  }

  /// The file's value, as the command has it.
  func value() throws -> JSONValue { try JSONValue(parsing: run("get", "f").output) }

  /// The names of the journals in its folder.
  func journals() throws -> [String] { try place.names(in: "sync").filter { $0.hasSuffix(".journal") } }

  /// Brings what is in its folder into another's, as an engine does: whole files, and only those that are longer.
  func send(to other: TestDevice) throws {
    for name in try place.names(in: "sync") {
      let bytes = try place.bytes(of: "sync/\(name)")
      if let there = try? other.place.bytes(of: "sync/\(name)"), there.count >= bytes.count { continue }
      try other.place.write(bytes, to: "sync/.\(name).tmp")
      try other.place.rename("sync/.\(name).tmp", to: "sync/\(name)")
    }
  }

  /// Brings the folders of two into step.
  static func meet(_ one: TestDevice, _ other: TestDevice) throws {
    try one.send(to: other)
    try other.send(to: one)
  }
}
