import Measuring
import StoreCore

func composition() -> Topic {
  let store = Store(App(), reducer: reduce)
  let view = store.scope(state: \.part, action: Action.part)
  let observed = Store(App(), reducer: reduce)
  let other = observed.scope(state: \.title, action: Action.part)
  _ = other.state
  let root = Store(App(), reducer: reduce)
  let node = root.with(0) { (count: inout Int, action: Action) in count &+= 1 }
  let lone = Store(App(), reducer: reduce)
  let child = lone.with(0) { (count: inout Int, action: Action) in count &+= 1 }
  return Topic(
    "Composition",
    [
      Subject("dispatch to a view, made by `scope`") { view.dispatch(.add(1)) },
      Subject("with a view of another part that is observed") {
        withExtendedLifetime(other) { observed.dispatch(.add(1)) }
      },
      Subject("dispatch to a node, made by `with`") { node.dispatch(.add(1)) },
      Subject("dispatch to the root above a node") { withExtendedLifetime(child) { lone.dispatch(.add(1)) } },
    ])
}
