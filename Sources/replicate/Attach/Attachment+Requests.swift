import HotReload
import RemoteControl
import StateJSON

extension Attachment {
  mutating func serve(_ request: RPCRequest<DocumentMethod>, for addressee: Addressee) {
    switch request.method {
    case .failure(let error):
      answer(addressee, .failure(error))
    case .success(.state(.get(let pointer))):
      if addressee.identifier != nil { answer(addressee, value(at: pointer)) }
    case .success(.write(let operation)):
      waiting.writers.append(addressee)
      waiting.size += addressee.size
      if waiting.size > Self.waitingLimit, hold != nil { fail(tooManyWrites) }
      let news = news
      mirror.submit(operation) { commit in news.add { $0.commits.append(commit) } }
    case .success(.state(.flush)):
      waiting.flushers.append(addressee)
      let news = news
      mirror.flush(within: timeout) { problem in news.add { $0.flushes.append(problem) } }
    case .success(.state(.watch(let pointer, let format))):
      answer(addressee, Result { () throws(RPCError) in try client.watches.add(pointer, format) })
    case .success(.state(.unwatch(let pointer))):
      client.watches.remove(pointer)
      answer(addressee, .success([:]))
    case .success(.state(.notices(let isOn))):
      answer(addressee, .success([:]))
      want(notices: isOn)
    case .success(.state(.info)):
      answer(addressee, .success(info))
    }
  }

  /// The answer to `info`.
  private var info: JSONValue {
    RPCResponse.info(name: CommandTable.name, version: CommandTable.version, instance: mirror.instance)
  }

  /// The answer to `get`.
  private func value(at pointer: JSONPointer) -> Result<JSONValue, RPCError> {
    guard newest != nil else { return .failure(RPCError(obstacle)) }
    let (document, version) = mirror.current
    do throws(JSONPointerError) {
      return .success(RPCResponse.value(try document.value(at: pointer), version: version?.description))
    } catch {
      return .failure(RPCError(Failure(.pointer(error))))
    }
  }

  private var tooManyWrites: Failure {
    Failure(.system, "more than \(Self.waitingLimit >> 20) MiB of writes wait for '\(file)'")
  }
}
