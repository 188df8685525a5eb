import StoreCore
import StoreRouting

struct App: Codable, Sendable, Equatable {
  var count = 0
  var title = "Sheep"
  var part = Part()
  var sheet: Part? = Part()
  var rows = (0..<10).map { Row(id: $0) }
  var byID = Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, Row(id: $0)) })
  var entities = Entities((0..<10).map { Row(id: $0) })
  var job = EffectState()
  var route = Route.root
}

struct Part: Codable, Sendable, Equatable {
  var count = 0
}

struct Row: Codable, Sendable, Equatable, Identifiable {
  var id: Int
  var count = 0
}

enum Action: Codable, Sendable {
  case add(Int)
  case part(PartAction)
  case row(Row.ID, PartAction)
  case job(EffectAction)
  case route(RouteAction)

  var part: PartAction? { if case .part(let action) = self { action } else { nil } }
  var row: (Row.ID, PartAction)? { if case .row(let id, let action) = self { (id, action) } else { nil } }
}

enum PartAction: Codable, Sendable {
  case add(Int)
}

@Sendable func reduce(_ app: inout App, _ action: Action) {
  switch action {
  case .add(let step): app.count &+= step
  case .part(.add(let step)): app.part.count &+= step
  case .row: break
  case .job(let action): app.job.apply(action)
  case .route(let action): app.route.reduce(action)
  }
}

let partReducer = Reducer<Part, PartAction> { part, action in
  switch action {
  case .add(let step): part.count &+= step
  }
}

let rowReducer = Reducer<Row, PartAction> { row, action in
  switch action {
  case .add(let step): row.count &+= step
  }
}
