import HotReload
import StateJSON

extension RequestRunner {
  /// How the file of the request is mirrored: with `creates`, a file that is missing or empty counts as `{}`; otherwise
  /// a missing one is an error.
  func mirrorOptions(
    creates: Bool = false, watches: Bool = true, cause: Version.Cause = .action
  ) -> ReplicatorOptions {
    var replica = ReplicaOptions(
      file: request.file, instance: VerbInstance.name(), join: creates ? .create : .require,
      externalEdits: options.externalEdits.policy)
    replica.cause = cause
    return ReplicatorOptions(
      replica: replica,
      durability: options.durability == .power ? .power : .process, watches: watches)
  }
}

extension ExternalEditsChoice {
  var policy: ExternalEditPolicy {
    switch self {
    case .merge: .merge
    case .replace: .replace
    }
  }
}

extension Failure {
  /// What keeps a document and its file apart.
  init(_ problem: Problem) {
    let code: ExitCode =
      switch problem.code {
      case .invalidJSON, .undecodable, .unencodable: .invalid
      default: .system
      }
    var place: Place?
    if let line = problem.line, let column = problem.column {
      place = Place(source: problem.file, line: line, column: column)
    }
    self.init(code, problem.message, place: place, errno: problem.errno)
    isOfMissingFile = problem.code == .missing
  }
}
