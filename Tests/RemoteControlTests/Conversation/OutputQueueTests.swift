import HotReload
import TestThreads
import Testing

@testable import RemoteControl

@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct `Output on its way` {
  @Test func `can be stopped while nobody reads it, and is followed by nothing`() async throws {
    let line = try Line()
    let waker = try Waker()
    let queue = try OutputQueue(stream: line.far.output, waker: waker)
    let bytes = [UInt8](repeating: 0x78, count: 1 << 20)
    #expect(queue.append(bytes) == 0)
    let client = RemoteClient(line.near)
    try await client.waitForInput()
    #expect(!queue.isWritten(upTo: bytes.count))
    queue.end()
    line.far.closeOutput()
    let rest = try await client.rest()
    #expect(rest.count < bytes.count)
    #expect(queue.failure == nil)
  }

  @Test func `that nobody reads any more fails without a signal`() async throws {
    let line = try Line()
    let waker = try Waker()
    let queue = try OutputQueue(stream: line.far.output, waker: waker)
    line.near.closeInput()
    #expect(queue.append([0x78]) == 0)
    let isWoken = try await onThread { try Poller.wait(for: [waker.rawDescriptor], until: nil) }
    #expect(isWoken)
    #expect(queue.failure is BrokenPipeError)
    queue.end()
  }
}
