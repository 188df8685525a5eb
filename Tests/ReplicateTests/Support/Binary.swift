import Glibc

@testable import replicate

/// The built command, run for real.
struct Binary {
  /// What one run printed, and how it ended.
  struct Run: Equatable {
    var output: String
    var messages: String
    var outcome: Subprocess.Outcome

    init(output: String, messages: String, outcome: Subprocess.Outcome) {
      self.output = output
      self.messages = messages
      self.outcome = outcome
    }

    init(_ end: RunningCommand.End) {
      self.init(
        output: String(decoding: end.output, as: UTF8.self), messages: String(decoding: end.messages, as: UTF8.self),
        outcome: end.outcome)
    }

    /// Nothing to say, and done.
    static let silent = printed("")

    /// Done, with this on standard output.
    static func printed(_ output: String) -> Run { Run(output: output, messages: "", outcome: .exited(0)) }

    /// Ended with a message and an exit code.
    static func failed(_ code: Int32, _ messages: String, output: String = "") -> Run {
      Run(output: output, messages: messages, outcome: .exited(code))
    }
  }

  /// It is built beside the test bundle, which is the running program.
  static let path: String = {
    guard let resolved = realpath("/proc/self/exe", nil) else { return "replicate" }
    defer { free(resolved) }
    let program = String(cString: resolved)
    return program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex) + "/replicate"
  }()

  /// Runs the command with these words, standard error collected too.
  static func run(_ words: [String], input: String = "") throws -> Run {
    Run(try RunningCommand([path] + words, in: "/", input: Array(input.utf8)).end())
  }
}
