import StateJSON
import StoreCore

/// A replica of a whole document, whose actions bring in what other devices did.
struct ShareModel: ReplicaModel {
  typealias State = JSONValue

  /// What became of the document on all devices together.
  struct Arrival: Sendable {
    /// The newest version that this device has said something of; `nil` if there is none. Where the file was there, it held this.
    let base: JSONValue?
    /// Whether the file was there. One that was missing comes back as a whole.
    let isThere: Bool
    /// The document that the file is to hold.
    let value: JSONValue
  }

  let places: HomePlaces

  /// The document that a missing file counts as. Whoever saves just this while it is missing is not told from that.
  static let nothing: JSONValue = [:]

  var foldsActions: Bool { false }

  func decode(_ document: JSONDocument, into state: inout JSONValue) -> JSONDocument {
    state = document.value
    return document
  }

  /// Returns whether there was anything to bring in: for nothing no file is made.
  func apply(_ arrival: Arrival?, to state: inout JSONValue) -> Bool {
    // Where a place came to lead through a list in this instant, the next look tells.
    guard let arrival, let shared = try? places.removed(from: state) else { return false }
    var value = arrival.value
    let isMissing = !arrival.isThere && shared == Self.nothing
    if !isMissing, shared != arrival.base {
      // Somebody has saved in this instant: that will be said next. Of what nobody here knows, the next look finds out what it means.
      guard let base = arrival.base else { return false }
      value = JSONMerge(base: base, left: arrival.value, right: shared, newer: .right).value
    }
    guard let result = try? places.kept(of: state, in: value),
      // What stays, stays where it is written.
      let changed = try? state.applying(JSONPatch(from: state, to: result))
    else { return false }
    state = changed
    return true
  }

  func isRefusal(_ isDone: Bool) -> Bool { !isDone }

  /// None, as it is others that have told them: so what they went over can be told apart.
  func recorded(_ arrival: Arrival?, _ isDone: Bool?) -> RecordedAction { isDone == true ? .text([]) : .nothing }

  func encode(_ state: JSONValue, over base: Decoded<JSONValue>?) -> Decoded<JSONValue> {
    let document = base.map { $0.document.replacingValue(with: state) } ?? JSONDocument(formatting: state)
    return Decoded(state: state, document: document)
  }
}

/// Hands over what other devices did once the file's lock is held, and what stands there has been read.
///
/// Sendable, as the driver that calls it runs on the thread that has made it, and ends before that goes on.
final class ShareView: ReplicaView, @unchecked Sendable {
  typealias Model = ShareModel

  private let arrival: (_ found: FoundDocument?) -> ShareModel.Arrival?
  private let onNotice: @Sendable (Notice) -> Void
  private var isDrained = false
  /// Why recent versions can't be kept, so that nothing can be told by them.
  private(set) var failure: Problem?

  init(
    onNotice: @escaping @Sendable (Notice) -> Void,
    _ arrival: @escaping (_ found: FoundDocument?) -> ShareModel.Arrival?
  ) {
    (self.onNotice, self.arrival) = (onNotice, arrival)
  }

  var submittedCount: Int { isDrained ? 0 : 1 }

  func drain(over found: FoundDocument?) -> (actions: [ShareModel.Arrival?], state: JSONValue?) {
    if isDrained { return ([], nil) }
    isDrained = true
    if failure != nil { return ([nil], nil) }
    return ([arrival(found)], nil)
  }

  func publish(_ state: JSONValue, cause: Cause, version: ContentHash?) {}

  func acknowledge(_ count: Int, outcomes: [Bool], state: JSONValue, version: ContentHash) {}

  func report(_ event: ProblemEvent) {
    if case .occurred(let problem) = event, problem.code == .cannotRemember { failure = problem }
  }

  func notify(_ notice: Notice) { onNotice(notice) }
}
