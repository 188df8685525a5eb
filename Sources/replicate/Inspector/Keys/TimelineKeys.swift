import StateJSON
import TerminalScreen

/// The keys that are about versions.
enum TimelineKeys {
  /// While a version is chosen.
  static func commands(for key: Key, _ inspector: Inspector) -> [Command] {
    guard let timeline = inspector.timeline else { return [.dispatch(.mode(.browsing))] }
    let page = max(1, inspector.timelineRows - 2)
    switch key {
    case .down, .character("j"): return choose(.by(1), inspector)
    case .up, .character("k"): return choose(.by(-1), inspector)
    case .pageDown, .control("f"), .character("f"), .control("d"): return choose(.by(page), inspector)
    case .pageUp, .control("b"), .character("b"), .control("u"): return choose(.by(-page), inspector)
    case .home, .character("g"): return choose(.at(0), inspector)
    case .end, .character("G"): return choose(.at(.max), inspector)
    case .mouse(.wheelDown, _, _): return choose(.by(3), inspector)
    case .mouse(.wheelUp, _, _): return choose(.by(-3), inspector)
    case .tab, .backTab: return [.dispatch(.mode(.browsing))]
    case .character("T"), .character("q"): return [.dispatch(.mode(.browsing)), .dispatch(.closeTimeline)]
    case .escape:
      if inspector.past != nil { return [.dispatch(.present)] }
      return [.dispatch(.mode(.browsing)), .dispatch(.closeTimeline)]
    case .character("?"): return [.dispatch(.mode(.help(first: 0)))]
    case .character("+"): return [.dispatch(.play(.faster))]
    case .character("-"): return [.dispatch(.play(.slower))]
    default: break
    }
    if let commands = recording(key, inspector) { return commands }
    guard let choice = timeline.choice else { return [] }
    switch key {
    case .enter, .character(" "): return [.look(choice)]
    case .character("d"): return [.dispatch(.mode(.reading(difference(of: choice))))]
    case .character("m"): return [.dispatch(.choose(.mark))]
    case .character("p"): return play(inspector)
    case .character("="): return [.compare(choice, with: timeline.marked)]
    case .character("r"): return [.restore(choice, .root)]
    case .character("R"): return [.restore(choice, inspector.pointer)]
    case .character("y"): return [.copy(choice.version, name: "the version")]
    default: return []
    }
  }

  /// In the tree, while the versions may be there or not.
  static func inTree(_ key: Key, _ inspector: Inspector) -> [Command]? {
    switch key {
    case .character("T"):
      return inspector.timeline == nil
        ? [.loadVersions, .dispatch(.mode(.timeline))] : [.dispatch(.closeTimeline)]
    case .tab:
      return inspector.timeline == nil ? nil : [.dispatch(.mode(.timeline))]
    case .character("r"):
      return inspector.past.map { [.restore($0.moment, .root)] }
    case .character("R"):
      return inspector.past.map { [.restore($0.moment, inspector.pointer)] }
    case .character("w"): return [.loadCompany]
    default: return recording(key, inspector)
    }
  }

  /// Opening a recording, and making one: in the list from the chosen version on, in the tree from what is looked at.
  private static func recording(_ key: Key, _ inspector: Inspector) -> [Command]? {
    let suggestion = inspector.file + ".recording"
    switch key {
    case .character("o"): return Editing.prompt(.open, inspector.timeline?.recording ?? suggestion)
    case .character("s"):
      if inspector.capture != nil { return [.endCapture] }
      if inspector.timeline?.recording != nil { return [.say("this is a recording already; T closes it", isBad: true)] }
      let choice = inspector.mode == .timeline ? inspector.timeline?.choice : inspector.past?.moment
      return Editing.prompt(.capture(from: choice), suggestion)
    default: return nil
    }
  }

  /// Begins or ends to show one moment after another.
  private static func play(_ inspector: Inspector) -> [Command] {
    var timeline = inspector.timeline
    timeline?.play(now: inspector.now)
    let look = timeline?.playing == nil ? nil : timeline?.choice
    return [.dispatch(.play(.toggle))] + (look.map { [.look($0)] } ?? [])
  }

  /// Who looks at an earlier version goes on looking at the chosen one.
  private static func choose(_ choice: InspectorAction.Choice, _ inspector: Inspector) -> [Command] {
    var timeline = inspector.timeline
    timeline?.choose(choice)
    let look = inspector.past == nil ? nil : timeline?.choice
    return [.dispatch(.choose(choice))] + (look.map { [.look($0)] } ?? [])
  }

  private static func difference(of moment: TimelinePane.Moment) -> Inspector.Reading {
    let more = moment.changeCount - moment.changes.count
    let lines = moment.changes.isEmpty ? ["nothing is known to have changed"] : moment.changes
    return Inspector.Reading(
      title: "\(moment.time) \(moment.cause) \(moment.author)",
      text: (lines + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n"), isDifference: true)
  }
}
