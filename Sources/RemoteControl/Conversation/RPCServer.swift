import HotReload
import StateJSON

/// What serves the requests of a client, one after the other, on one thread.
package protocol RPCServer {
  associatedtype Method: RPCMethod
  associatedtype Failure: Error

  var client: Conversation { get set }
  /// Whether no more input is read: it ended, nobody reads the output, something failed, or the server has a reason of its own.
  var isEnding: Bool { get set }
  /// The first thing that went wrong.
  var failure: Failure? { get set }

  /// Does what one request asks for; its answer may come later.
  ///
  /// - Parameters:
  ///   - request: The request, which may be one that can't be understood.
  ///   - addressee: Whom the answer is for.
  mutating func serve(_ request: RPCRequest<Method>, for addressee: Addressee)

  /// The failure that the end of a conversation is to this server.
  ///
  /// - Parameter breakdown: What happened to the streams.
  /// - Returns: What is told.
  func failure(_ breakdown: Conversation.Breakdown) -> Failure
}

extension RPCServer {
  /// Serves what has arrived. To be called when the input can be read.
  package mutating func read() {
    do throws(SystemError) {
      let requests = try client.read(Method.self)
      if client.isAtEnd { isEnding = true }
      for (request, addressee) in requests where failure == nil { serve(request, for: addressee) }
    } catch {
      fail(failure(.cannotRead(error)))
    }
  }

  /// Answers a request, alone or together with the others of its batch.
  ///
  /// - Parameters:
  ///   - addressee: Whom the answer is for.
  ///   - result: What it says.
  package mutating func answer(_ addressee: Addressee, _ result: Result<JSONValue, RPCError>) {
    client.answer(addressee, result)
    noticeOverrun()
  }

  /// Gives to the output what was sent since the last time.
  package mutating func handOver() {
    client.handOver()
    noticeOverrun()
  }

  /// Ends the work if too many answers wait to be read.
  private mutating func noticeOverrun() {
    guard client.isOverrun else { return }
    let limit = "\(Conversation.answerLimit >> 20) MiB"
    fail(failure(.unread("more than \(limit) of answers wait to be read from \(client.output.stream.name)")))
  }

  /// Ends the work if nothing can be written any more; that nobody reads is no failure.
  ///
  /// - Returns: Whether that is so.
  @discardableResult
  package mutating func noticeOutputFailure() -> Bool {
    guard let error = client.output.failure else { return false }
    if !(error is BrokenPipeError) { fail(failure(.cannotWrite(error))) }
    isEnding = true
    return true
  }

  /// Ends the work.
  ///
  /// - Parameter failure: The reason, unless there is one already.
  package mutating func fail(_ failure: Failure) {
    self.failure = self.failure ?? failure
    isEnding = true
  }
}
