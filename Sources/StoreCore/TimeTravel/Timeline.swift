/// The places a store has been to, and which of them it shows. Each change says whether something else is shown then.
struct Timeline<State: Sendable, Action: Sendable>: Sendable {
  typealias Step = TimeTravel<State, Action>.Step

  /// The base, and then the steps.
  private var places: [Step]
  private var position = 0
  /// The number last given to a step.
  private(set) var newest: Int

  /// The base has the number last given to a step, where there was one before.
  init(_ base: State, number: Int) {
    places = [.base(base, number: number)]
    newest = number
  }

  var base: Step { places[0] }
  var steps: [Step] { Array(places.dropFirst()) }
  var shown: Step { places[position] }

  /// Takes a change in as the newest step, instead of those after the one shown.
  mutating func append(_ action: Action?, _ cause: Cause, from before: State, to after: State, limit: Int) {
    newest += 1
    places.removeSubrange((position + 1)...)
    places.append(Step(number: newest, action: action, cause: cause, state: after, before: before, after: after))
    if places.count > limit + 1 {
      places.removeFirst()
      places[0] = .base(base.state, number: base.number)
    }
    position = places.count - 1
  }

  mutating func undo() -> Bool {
    // The base is never skipped.
    let step = places[...position].lastIndex { !$0.isSkipped }!
    if step == 0 { return false }
    position = step - 1
    return true
  }

  mutating func redo() -> Bool {
    guard let step = places[(position + 1)...].firstIndex(where: { !$0.isSkipped }) else { return false }
    // With the skipped ones after it, so that the next action doesn't forget them.
    position = (places[(step + 1)...].firstIndex { !$0.isSkipped } ?? places.count) - 1
    return true
  }

  mutating func jump(to number: Int) throws(TimeTravelError) -> Bool {
    let place = try index(of: number, to: "go to")
    let passed = places[min(position, place) + 1..<max(position, place) + 1]
    position = place
    return passed.contains { !$0.isSkipped }
  }

  mutating func commit() {
    places = [.base(shown.state, number: shown.number)]
    position = 0
  }

  mutating func rollback() -> Bool {
    defer {
      places = [base]
      position = 0
    }
    return places[...position].dropFirst().contains { !$0.isSkipped }
  }

  /// Leaves a step out, or takes it in again, and computes those after it anew. A throw leaves it half done.
  mutating func skip(
    _ number: Int, _ isSkipped: Bool, _ reduce: Store<State, Action>.Reducer,
    _ adopt: (inout State, State) -> Void, _ merge: TimeTravel<State, Action>.Merge?
  ) throws(TimeTravelError) -> Bool {
    let verb = isSkipped ? "skip" : "unskip"
    let first = try index(of: number, to: verb)
    if first == 0 { throw TimeTravelError(.forgotten, verb, number, "it is the base") }
    if places[first].isSkipped == isSkipped { return false }
    if merge == nil, let barrier = places[(first + 1)...].first(where: { $0.action == nil }) {
      throw TimeTravelError(
        .barrier, verb, number,
        "step \(barrier.number) came from outside (\(barrier.cause)), and only a TimeTravel that is made with `merge` can "
          + "carry it over")
    }
    places[first].isSkipped = isSkipped
    for place in first..<places.count {
      let step = places[place]
      var state = step.before
      adopt(&state, places[place - 1].state)
      if !step.isSkipped {
        do {
          try apply(step, to: &state, reduce, merge)
        } catch {
          throw TimeTravelError(
            .unmerged, verb, number,
            "what step \(step.number) brought from outside (\(step.cause)) can't be carried over: \(error)")
        }
      }
      adopt(&places[place].state, state)
    }
    return first <= position
  }

  private func apply(
    _ step: Step, to state: inout State, _ reduce: Store<State, Action>.Reducer,
    _ merge: TimeTravel<State, Action>.Merge?
  ) throws {
    if let action = step.action {
      reduce(&state, action)
    } else {
      // Without a closure none before it was skipped since, so it is taken in again where it was.
      state = try merge?(step.before, step.after, state) ?? step.after
    }
  }

  private func index(of number: Int, to verb: String) throws(TimeTravelError) -> Int {
    if let index = places.firstIndex(where: { $0.number == number }) { return index }
    if (0...newest).contains(number) {
      throw TimeTravelError(
        .forgotten, verb, number, "it is forgotten, as it was taken back or is part of the base by now")
    }
    throw TimeTravelError(.unknown, verb, number, "there is no such step; the newest had the number \(newest)")
  }
}

extension TimeTravel.Step {
  fileprivate static func base(_ state: State, number: Int) -> Self {
    Self(number: number, action: nil, cause: .start, state: state, before: state, after: state)
  }
}
