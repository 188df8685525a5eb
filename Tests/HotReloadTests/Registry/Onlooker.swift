import StateJSON
import StoreCore
import Synchronization

@testable import HotReload

/// A view that changes nothing, and notes what is reported.
final class Onlooker: ReplicaView {
  typealias Model = SumModel

  private let reported = Mutex<[Problem.Code]>([])
  var problems: [Problem.Code] { reported.withLock { $0 } }

  func drain(over found: FoundDocument?) -> (actions: [SumModel.Add], state: JSONValue?) { ([], nil) }
  var submittedCount: Int { 0 }
  func publish(_ state: JSONValue, cause: Cause, version: ContentHash?) {}
  func acknowledge(_ count: Int, outcomes: [Int?], state: JSONValue, version: ContentHash) {}

  func notify(_ notice: Notice) {}

  func report(_ event: ProblemEvent) {
    if case .occurred(let problem) = event { reported.withLock { $0.append(problem.code) } }
  }
}
