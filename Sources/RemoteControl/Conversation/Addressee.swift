import StateJSON

/// Whom an answer is for.
package struct Addressee {
  /// `nil` for a notification, which is not answered.
  package let identifier: RPCIdentifier?
  /// The batch that the request was part of.
  package let batch: AnswerBatch?
  /// How many bytes the request took.
  package let size: Int

}

extension RPCMessage {
  /// Says whom each request's answer is for.
  ///
  /// - Parameter size: How many bytes the message took.
  /// - Returns: The requests, each with that.
  package func addressed(size: Int) -> [(request: RPCRequest<Method>, addressee: Addressee)] {
    switch self {
    case .single(let request):
      return [(request, Addressee(identifier: request.identifier, batch: nil, size: size))]
    case .batch(let requests):
      let batch = AnswerBatch(count: requests.count { $0.identifier != nil })
      let share = size / requests.count + 1
      return requests.map { ($0, Addressee(identifier: $0.identifier, batch: batch, size: share)) }
    }
  }
}

/// The answers to the requests of a batch, kept until the last is there.
package final class AnswerBatch {
  private var answers: [UInt8] = [UInt8(ascii: "[")]
  private var outstanding: Int

  /// - Parameter count: How many requests are to be answered.
  fileprivate init(count: Int) { outstanding = count }

  /// How many bytes are kept.
  var size: Int { answers.count }

  /// Adds an answer; returns the array of all if this was the last one.
  func add(_ answer: [UInt8]) -> [UInt8]? {
    if answers.count > 1 { answers.append(UInt8(ascii: ",")) }
    answers += answer
    outstanding -= 1
    guard outstanding == 0 else { return nil }
    return answers + [UInt8(ascii: "]")]
  }
}
