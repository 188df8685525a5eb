import HotReload
import RemoteControl
import StateJSON
import StoreCore
import StoreRecording

/// The versions of the file, or of a recording, that somebody looks at.
extension InspectorSession {
  /// Once a second at most, as the whole log is read.
  func refreshVersions() {
    let now = MonotonicClock.now()
    guard areVersionsStale, let timeline = store.state.timeline, timeline.recording == nil,
      now > versionsLoaded + 1_000_000_000
    else { return }
    loadVersions()
  }

  func loadVersions() {
    (areVersionsStale, versionsLoaded) = (false, MonotonicClock.now())
    recorded = nil
    saying { store.dispatch(.versions(try log.moments())) }
  }

  func open(_ path: String) {
    saying {
      let recorded = try RecordedVersions(path)
      store.dispatch(.recorded(path, try recorded.moments()))
      self.recorded = recorded
      store.dispatch(.mode(.timeline))
      if let problem = recorded.problem { sayBadly("\(problem)") }
    }
  }

  /// Shows the next moment of what is played, once it is due; says whether it was.
  @discardableResult
  func playOn() -> Bool {
    guard store.state.timeline?.isDue(at: store.state.now) == true else { return false }
    store.dispatch(.play(.step))
    if let choice = store.state.timeline?.choice { look(at: choice) }
    return true
  }

  func look(at moment: TimelinePane.Moment) {
    saying {
      guard let documents = try documents(of: moment) else { return }
      store.dispatch(.look(moment, documents.new, before: documents.old))
    }
  }

  func compare(_ moment: TimelinePane.Moment, _ other: TimelinePane.Moment?) {
    saying {
      guard let old = try documents(of: moment)?.new.value,
        let new = try other.map({ try documents(of: $0)?.new.value }) ?? store.state.document?.document.value
      else { return }
      let changes = ValueChange.list(JSONPatch(from: old, to: new, literals: false), of: old)
      let title = "from \(moment.time) to \(other?.time ?? "now")"
      let text = changes.isEmpty ? "nothing differs" : changes.map(\.text).joined(separator: "\n")
      store.dispatch(.mode(.reading(Inspector.Reading(title: title, text: text, isDifference: true))))
    }
  }

  func restore(_ moment: TimelinePane.Moment, _ pointer: JSONPointer) {
    saying {
      guard let then = try documents(of: moment)?.new.value, let now = store.state.document?.document.value else {
        return
      }
      store.dispatch(.present)
      let (old, new) = (now[pointer], then[pointer])
      guard let edit = Edit(EditTarget(pointer), from: old, to: new) else { return }
      if old == new { return store.dispatch(.say(Inspector.Message(text: "it is as it was then"))) }
      commit(edit, .first)
    }
  }

  /// Of a version that has been thinned out meanwhile that is said.
  func documents(of moment: TimelinePane.Moment) throws -> (new: JSONDocument, old: JSONDocument)? {
    let source: any VersionSource = recorded ?? log
    if let documents = try source.documents(of: moment) { return documents }
    sayIsGone(moment)
    return nil
  }

  func sayIsGone(_ moment: TimelinePane.Moment) {
    sayBadly("the version of \(moment.time) isn't kept any more")
    loadVersions()
  }
}
