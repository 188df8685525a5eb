import HotReload
import RemoteControl
import StateJSON

/// Whether a file and its instances agree; a pure function of what they say.
struct Verification: Sendable {
  /// The canonical hash of the file, or why it has none.
  var file: Result<String, Failure>
  var reports: [InstanceRollCall.Report]

  /// Whether all have the same, and nothing left to write.
  var isAgreement: Bool { (try? file.get()) != nil && disagreeing == 0 }

  private var disagreeing: Int { reports.count { !agrees($0) } }

  /// What is wrong, and the exit code that tells.
  var failure: Failure? {
    if let fault { return fault }
    guard disagreeing > 0 else { return nil }
    let subject = reports.count == 1 ? "the instance" : "\(disagreeing) of \(reports.count) instances"
    return Failure(.no, "\(subject) \(disagreeing == 1 ? "does" : "do") not agree with the file")
  }

  /// Why the file has no hash.
  private var fault: Failure? { if case .failure(let failure) = file { failure } else { nil } }

  private func agrees(_ report: InstanceRollCall.Report) -> Bool {
    guard let answer = report.answer else { return false }
    return answer.isCommitted && answer.hash != nil && answer.hash == (try? file.get())
  }

  // MARK: For people

  /// A line for the file and one for each instance: the hash, whose it is, and what is wrong.
  var lines: [String] {
    [line(hash: try? file.get(), "file", fault?.message)]
      + reports.map { line(hash: $0.answer?.hash, $0.entry.name, trouble(with: $0)) }
  }

  private func line(hash: String?, _ subject: String, _ trouble: String?) -> String {
    let hash = hash ?? "-" + String(repeating: " ", count: 63)
    return "\(hash)  \(subject)" + (trouble.map { ": \($0)" } ?? "")
  }

  private func trouble(with report: InstanceRollCall.Report) -> String? {
    guard !agrees(report) else { return nil }
    guard let answer = report.answer else { return "does not answer" }
    var parts: [String] = []
    if answer.hash == nil {
      parts.append("has not read the file")
    } else if let hash = try? file.get(), hash != answer.hash {
      parts.append("differs")
    }
    if answer.uncommitted > 0 {
      parts.append("\(answer.uncommitted) \(answer.uncommitted == 1 ? "action is" : "actions are") not in the file")
    } else if !answer.isCommitted {
      parts.append("has something left to write")
    }
    if let problem = answer.problem { parts.append(problem) }
    return parts.isEmpty ? "has nothing to be compared with" : parts.joined(separator: "; ")
  }

  // MARK: For programs

  func json(path: String) -> JSONValue {
    JSONValue(present: [
      "file": .string(path), "agrees": .bool(isAgreement), "hash": (try? file.get()).map(JSONValue.string),
      "problem": (fault?.text).map(JSONValue.string), "instances": .array(reports.map(json)),
    ])
  }

  private func json(_ report: InstanceRollCall.Report) -> JSONValue {
    JSONValue(present: [
      "instance": .string(report.entry.instance), "process": JSONValue(report.entry.process),
      "program": .string(report.entry.program), "agrees": .bool(agrees(report)),
      "answers": .bool(report.answer != nil), "hash": report.answer?.hash.map(JSONValue.string),
      "uncommitted": report.answer.map { JSONValue($0.uncommitted) },
      "problem": report.answer?.problem.map(JSONValue.string),
    ])
  }
}

extension InstanceEntry {
  /// As a person is told who it is.
  var name: String {
    "instance \(instance), process \(process)" + (program.isEmpty ? "" : " (\(program))")
  }
}
