import StoreCore

/// Where the app has been, while somebody travels there.
struct Timeline: Sendable, Equatable {
  struct Place: Sendable, Equatable {
    var number: Int
    /// What led there.
    var title: String
    var isSkipped = false
  }

  /// The beginning, and then what led on from there.
  var places: [Place]
  /// The index of the place that is shown.
  var position: Int
  /// Why the last key did nothing.
  var trouble: String?
}

extension Timeline {
  init(_ travel: AppTravel, trouble: String?) {
    let (base, steps, shown) = (travel.base?.number ?? 0, travel.steps, travel.position)
    places =
      [Place(number: base, title: "what was before")]
      + steps.map { Place(number: $0.number, title: "\($0)", isSkipped: $0.isSkipped) }
    position = places.firstIndex { $0.number == shown } ?? 0
    self.trouble = trouble
  }

  /// What a key is for while the timeline is open. Actions are dropped meanwhile, or they would end what comes after.
  enum Move: Sendable, Equatable {
    case open
    case go(to: Int)
    case skip(Int, Bool)
    case keep
    case goBackToBase
    case close
  }
}

extension TimeTravel<App, AppAction> {
  func make(_ move: Timeline.Move) throws {
    switch move {
    case .open: isLocked = true
    case .go(let number): try jump(to: number)
    case .skip(let number, let isSkipped): try skip(number, isSkipped)
    case .keep: commit()
    case .goBackToBase: rollback()
    case .close: isLocked = false
    }
  }
}
