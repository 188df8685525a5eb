import HotReload
import StateJSON

/// A command that reads a JSON document from its standard input and prints another one.
struct Filter: Equatable, Sendable {
  let command: [String]

  /// What the command makes of a value.
  ///
  /// - Throws: That it failed, or where its output stops being one JSON document.
  func output(for value: JSONValue) throws(Failure) -> JSONValue {
    let result: (outcome: Subprocess.Outcome, output: [UInt8])
    do throws(SystemError) {
      result = try Subprocess(command: command).run(
        input: value.bytes(format: .compact) + [UInt8(ascii: "\n")], output: .collected)
    } catch {
      throw Failure(error)
    }
    guard result.outcome == .exited(0) else {
      throw Failure(.no, "'\(command[0])' \(result.outcome.sentence); nothing was written")
    }
    do throws(JSONParseError) {
      return try JSONValue(parsing: result.output)
    } catch {
      throw Failure(error, in: "<COMMAND>")
    }
  }
}

extension Subprocess.Outcome {
  /// What is said of a command that did not succeed.
  var sentence: String {
    switch self {
    case .exited(let status): "ended with exit code \(status)"
    case .signalled(let signal): "was ended by signal \(signal)"
    }
  }
}
