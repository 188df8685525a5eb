import RemoteControl
import StateJSON
import StoreCore
import Synchronization

/// An app to control.
struct Desk: Codable, Sendable, Equatable {
  var count = 0
  var title = ""
  var token: String?
  var weight = 0.0
}

enum DeskAction: Codable, Sendable, Equatable {
  case add(Int)
  case rename(to: String)
  case logIn(token: String)
  case weigh(Double)
}

let desk: Store<Desk, DeskAction>.Reducer = { desk, action in
  switch action {
  case .add(let amount): desk.count += amount
  case .rename(let title): desk.title = title
  case .logIn(let token): desk.token = token
  case .weigh(let weight): desk.weight = weight
  }
}

typealias DeskStore = Store<Desk, DeskAction>
typealias DeskControl = RemoteControl<Desk, DeskAction>
