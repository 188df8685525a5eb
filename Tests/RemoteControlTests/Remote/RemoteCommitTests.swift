import StoreCore
import Testing

@testable import RemoteControl

@Suite(.timeLimit(.minutes(10)))
struct `A remote control answers an action` {
  private let gates = Gatekeeper()

  private func serve(limits: RemoteLimits = RemoteLimits()) throws -> Service<Desk, DeskAction> {
    try Service(Store(Desk(), reducer: desk, middleware: [DeskControl(), gates]), limits: limits)
  }

  private let addition = dispatch(#"{"add":{"_0":1}}"#)

  @Test func `when it is committed, and reads on until then`() async throws {
    let service = try serve()
    gates.commits.shut()
    try await service.client.send(addition)
    await gates.commits.arrival()
    try await service.client.send(dispatch(#"{"add":{"_0":1}}"#, id: 2), request("flush", id: 3), request("get", id: 4))
    let value = #"{"value":{"count":2,"title":"","weight":0},"version":"2"}"#
    #expect(try await service.client.receive() == result(value, id: 4))
    gates.commits.open()
    #expect(
      try await service.client.receive(3) == [
        result(#"{"version":"2"}"#), result(#"{"version":"2"}"#, id: 2), result("{}", id: 3),
      ])
    #expect(try await service.answers(to: "") == [])
  }

  @Test func `and reads no more until then when too much waits`() async throws {
    var limits = RemoteLimits()
    limits.uncommittedRequests = 0
    let service = try serve(limits: limits)
    for number in 1...20 {
      gates.commits.shut()
      try await service.client.send(addition)
      await gates.commits.arrival()
      try await service.client.send(request("get", #""path":"/count""#, id: 2))
      gates.commits.open()
      let value = #"{"value":\#(number),"version":"\#(number)"}"#
      #expect(
        try await service.client.receive(2) == [result(#"{"version":"\#(number)"}"#), result(value, id: 2)])
    }
    #expect(try await service.answers(to: "") == [])
  }

  @Test func `with an error when it can't be committed`() async throws {
    let service = try serve()
    gates.commits.lock("the safe is full")
    try await service.client.send("[\(addition),\(request("flush", id: 2))]")
    let reason = "the action was reduced, but is not committed: the safe is full"
    let refusal = #"{"jsonrpc":"2.0","error":{"code":-32004,"message":"the safe is full"},"id":2}"#
    #expect(try await service.client.receive() == "[\(error(-32004, reason)),\(refusal)]")
    gates.commits.lock(nil)
    try await service.client.send(addition)
    #expect(try await service.client.receive() == result(#"{"version":"2"}"#))
    gates.commits.lock("the safe is full")
    service.client.closeOutput()
    #expect(try await service.client.receiveAll() == [])
    let failure = RemoteControlError(.uncommitted, "the safe is full")
    await #expect(throws: failure) { try await service.value() }
  }

  @Test func `with an error when the store is closed before it comes`() async throws {
    let service = try serve()
    gates.end.shut()
    async let end: Void = service.store.close()
    await gates.end.arrival()
    try await service.client.send(addition)
    #expect(
      try await service.client.receive() == error(-32004, "the store is closed; the action was not reduced"))
    gates.end.open()
    try await end
    try await service.value()
    #expect(service.store.state.count == 0)
  }

  @Test func `with an error when the store is closed before it is known to be committed`() async throws {
    let service = try serve()
    gates.commits.shut()
    gates.end.shut()
    try await service.client.send(addition)
    await gates.commits.arrival()
    async let end: Void = service.store.close()
    await gates.end.arrival()
    gates.commits.open()
    let reason = "the store was closed meanwhile; whether the action was reduced before is not known"
    #expect(try await service.client.receive() == error(-32004, reason))
    gates.end.open()
    try await end
    try await service.value()
  }

  @Test func `that is nested as deep as a message may be`() async throws {
    let depth = 250
    let store = try Store(
      Chain.end, reducer: { (chain: inout Chain, action: Chain) in chain = action },
      middleware: [RemoteControl<Chain, Chain>()])
    let service = try Service(store)
    try await service.client.send(request("actions"))
    #expect(try await service.client.receive() == result("{}"))
    let chain =
      String(repeating: #"{"link":{"_0":"#, count: depth) + #"{"end":{}}"# + String(repeating: "}}", count: depth)
    let lines = try await service.answers(to: dispatch(chain))
    #expect(lines.contains(result(#"{"version":"1"}"#)))
    #expect(lines.contains { $0.contains(#""action":\#(chain)"#) })
  }

  private indirect enum Chain: Codable, Sendable {
    case link(Chain)
    case end
  }
}
