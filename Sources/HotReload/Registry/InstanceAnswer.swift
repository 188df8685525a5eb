import StateJSON

/// What an instance says when it is asked how it is.
package struct InstanceAnswer: Hashable, Sendable {
  /// The canonical hash of the document that it last agreed on with the file, in hexadecimal digits; nil if there was
  /// none yet.
  package var hash: String?
  /// How many actions are not in the file.
  package var uncommitted: Int
  /// Whether it has nothing left to write, be it an action or the merge of a save.
  package var isCommitted: Bool
  /// What keeps it and the file apart.
  package var problem: String?

  package init(hash: String? = nil, uncommitted: Int, isCommitted: Bool, problem: String? = nil) {
    (self.hash, self.uncommitted, self.isCommitted, self.problem) = (hash, uncommitted, isCommitted, problem)
  }
}

extension InstanceAnswer {
  /// How many scalars of a problem are told; each takes six bytes at most.
  private static let problemLimit = 1 << 13

  /// As it is sent.
  var message: [UInt8] {
    var object = JSONObject()
    object["uncommitted"] = .number(JSONNumber(uncommitted))
    object["committed"] = .bool(isCommitted)
    object["hash"] = hash.map(JSONValue.string)
    object["problem"] = problem.map { .string(String($0.unicodeScalars.prefix(Self.problemLimit))) }
    return JSONValue.object(object).bytes()
  }

  /// As it was received; nil if it isn't an answer.
  init?(message: [UInt8]) {
    // Another version of the program may speak otherwise: that is no answer.
    guard let value = try? JSONValue(parsing: message), let uncommitted = value[JSONPointer(["uncommitted"])]?.integer
    else { return nil }
    self.uncommitted = uncommitted
    isCommitted = value[JSONPointer(["committed"])] == true
    hash = value[JSONPointer(["hash"])]?.text
    problem = value[JSONPointer(["problem"])]?.text
  }
}
