import Glibc
import HotReload
import TestSupport

@testable import replicate

/// A folder for one test, in which the command runs.
final class Workplace: TemporaryFolder {
  /// A folder with one file in it.
  convenience init(_ name: String, _ text: String) throws {
    try self.init()
    try write(text, to: name)
  }

  // MARK: The command

  /// Runs the command here, to its end.
  func run(_ words: String..., input: String = "", environment: [String: String] = [:]) throws -> Binary.Run {
    try run(words, input: input, environment: environment)
  }

  func run(_ words: [String], input: String = "", environment: [String: String] = [:]) throws -> Binary.Run {
    Binary.Run(try start(words, input: input, environment: environment).end())
  }

  /// Starts the command here.
  func start(
    _ words: [String], input: String = "", keepsInputOpen: Bool = false, environment: [String: String] = [:]
  ) throws -> RunningCommand {
    try RunningCommand(
      [Binary.path] + words, in: path, input: Array(input.utf8), keepsInputOpen: keepsInputOpen,
      environment: environment)
  }

  func start(_ words: String...) throws -> RunningCommand { try start(words) }

  /// Runs a script of the shell here; `$0` is the command.
  func shell(_ script: String) throws -> Binary.Run {
    Binary.Run(try RunningCommand(["bash", "-c", script, Binary.path], in: path).end())
  }

  /// Words that let the shell run a command as a user without rights.
  static let asNobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"

  /// Whether ``asNobody`` works, and nobody may come here at all.
  static let canRunAsNobody: Bool = {
    guard let place = try? Workplace() else { return false }
    return (try? place.shell("\(asNobody) \"$0\" --version").outcome) == .exited(0)
  }()

  /// The text of the sample that comes with the project.
  static func sample() throws -> String {
    let bytes = try FileDescriptor(opening: "sample-state.json", O_RDONLY).contents(expecting: 0, limit: .max)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Takes the lock that all writers share, and keeps it until the returned command's input ends.
  func holdLock() throws -> RunningCommand {
    let holder = try RunningCommand(
      ["flock", ".", "sh", "-c", "echo locked; read line"], in: path, keepsInputOpen: true)
    guard try holder.line() == "locked" else { throw SystemError(call: "flock", errno: EWOULDBLOCK, path: path) }
    return holder
  }

  /// Saves greater and greater numbers as `n`, until a command has printed something.
  func bump(_ name: String, until command: RunningCommand) throws {
    var number = 2
    while try !command.hasLine() {
      try save("{\"n\": \(number)}", to: name)
      number += 1
    }
  }

  /// Waits until something is so, while a command runs.
  func until(_ goal: String, by command: RunningCommand, _ isReached: () throws -> Bool) throws {
    let deadline = TestPatience.deadline
    // What isn't there yet fails.
    while (try? isReached()) != true {
      guard MonotonicClock.now() < deadline else { throw RunningCommand.Overdue(description: "waited for \(goal)") }
      // Takes a moment, and hears what it has to say.
      _ = try command.hasLine()
    }
  }
}
