import StateJSON
import StoreCore
import Synchronization
import TestSupport
import Testing

@testable import HotReload

@Suite struct VersionLogFlushTests {
  @Test(arguments: [(Durability.power, false), (.process, true)])
  func `the recent versions are flushed where a commit must survive a power cut`(
    durability: Durability, isUnflushed: Bool
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"n": 1}"#, to: "f")
    let driver = try Driver(
      view: Adder(), model: SumModel(), initial: [:],
      options: ReplicatorOptions(
        replica: ReplicaOptions(file: folder.path("f"), instance: "me"), durability: durability, watches: false,
        stateFolder: folder.path("state")),
      waker: Waker())
    try driver.start()
    try driver.runOnce(until: TestPatience.deadline)
    #expect(try folder.text(of: "f") == #"{"n": 2}"#)
    #expect(driver.ledger.versions?.log.isUnflushed == isUnflushed)
  }

  /// A view that submits one addition.
  private final class Adder: ReplicaView {
    typealias Model = SumModel

    private let actions = Mutex([SumModel.Add(key: "n", amount: 1)])
    var submittedCount: Int { actions.withLock { $0.count } }

    func drain(over found: FoundDocument?) -> (actions: [SumModel.Add], state: JSONValue?) {
      actions.withLock { actions in
        defer { actions = [] }
        return (actions, nil)
      }
    }

    func publish(_ state: JSONValue, cause: Cause, version: ContentHash?) {}
    func acknowledge(_ count: Int, outcomes: [Int?], state: JSONValue, version: ContentHash) {}
    func report(_ event: ProblemEvent) {}
    func notify(_ notice: Notice) {}
  }
}
