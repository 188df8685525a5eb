import HotReload
import StateJSON
import StoreCore
import StoreRecording

/// The moments of a recording, for somebody who looks at them or has them played.
final class RecordedVersions: VersionSource {
  let recording: Recording
  /// Where it was looked at last: who plays it goes on from there.
  private var way: RecordedWay
  private var former: RecordedMoment

  init(_ path: String) throws {
    recording = try Recording(contentsOf: path)
    way = RecordedWay(recording)
    former = way.moment
  }

  /// The first thing that is wrong with it; what doesn't fit what was before is left out.
  private(set) var problem: RecordingLineError?

  func moments() throws -> [TimelinePane.Moment] {
    var way = RecordedWay(recording)
    problem = recording.problems.first
    var moments = [beginning]
    while let step = way.next {
      let old = way.moment.value
      do throws(RecordingLineError) {
        try way.advance()
        moments.append(moment(of: step, on: old))
      } catch {
        problem = problem ?? error
      }
    }
    return moments.reversed()
  }

  func documents(of moment: TimelinePane.Moment) -> (new: JSONDocument, old: JSONDocument)? {
    guard let count = position(of: moment) else { return nil }
    if count <= way.position { (way, former) = (RecordedWay(recording), recording.beginning) }
    while way.position < count {
      former = way.moment
      // What doesn't fit was told when the moments were listed, and the moment stays what it was.
      try? way.advance()
    }
    return (way.moment.document, former.document)
  }

  /// How many steps lead to a moment.
  private func position(of moment: TimelinePane.Moment) -> Int? {
    if moment.isSame(as: beginning) { return 0 }
    return recording.steps.indices.first { moment.isSame(as: self.moment(of: recording.steps[$0], on: nil)) }
      .map { $0 + 1 }
  }

  private var beginning: TimelinePane.Moment {
    moment(
      "\(recording.header.step)", at: recording.header.at, cause: Cause.start, changes: [],
      author: recording.header.program ?? "")
  }

  /// A step with what it changed of a state; without one it is only told from others.
  private func moment(of step: RecordingStep, on old: JSONValue?) -> TimelinePane.Moment {
    var changes = old.map { ValueChange.list(step.patch, of: $0).map(\.text) } ?? []
    if let action = step.action { changes.insert("\(action)", at: 0) }
    if changes.isEmpty, step.text != nil { changes = ["only the formatting changed"] }
    return moment("\(step.number)", at: step.at, cause: step.cause, changes: changes, author: step.cause.instance ?? "")
  }

  private func moment(
    _ version: String, at: Duration, cause: Cause, changes: [String], author: String
  ) -> TimelinePane.Moment {
    let time = recording.header.began + Int64(at / .milliseconds(1))
    return TimelinePane.Moment(
      version: version, moment: time, time: WallClock.time(of: time), cause: cause.kind.rawValue, author: author,
      changes: Array(changes.prefix(TimelinePane.Moment.limit)), changeCount: changes.count)
  }
}

extension RecordedMoment {
  fileprivate var document: JSONDocument {
    switch self {
    case .state(let value): JSONDocument(formatting: value)
    case .text(let document): document
    }
  }
}
