import Measuring
import StoreCore

/// Twenty thousand of them, three times.
private struct Items: Sendable {
  var array = (0..<20_000).map { Row(id: $0) }
  var byID = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ($0, Row(id: $0)) })
  var entities = Entities((0..<20_000).map { Row(id: $0) })
}

private enum ItemAction: Sendable {
  case array(Int)
  case byID(Int)
  case entities(Int)
}

/// What it costs to change one of many where it is.
func items() -> Topic {
  let store = Store(Items()) { (items: inout Items, action: ItemAction) in
    switch action {
    case .array(let index): items.array[index].count &+= 1
    case .byID(let id): items.byID[id]?.count &+= 1
    case .entities(let id): items.entities[id: id]?.count &+= 1
    }
  }
  func subject(_ name: String, _ action: @escaping (Int) -> ItemAction) -> Subject {
    var next = 0
    return Subject(name) {
      // Another one each time, and not its neighbour.
      next = (next + 7_919) % 20_000
      store.dispatch(action(next))
    }
  }
  return Topic(
    "One of 20,000 items",
    [
      subject("in an array") { .array($0) },
      subject("in `Entities`") { .entities($0) },
      subject("in a dictionary") { .byID($0) },
    ])
}
