import StoreCore
import Testing

struct `A selector` {
  struct App: Sendable, Equatable {
    var rows = ["bee", "ant", "ape"]
    var prefix = "a"
    var other = 0
  }

  let derived = Journal<String>()

  var visible: Selector<App, [String]> {
    Selector(\.rows, \.prefix) { [derived] rows, prefix in
      derived.note("rows")
      return rows.filter { $0.hasPrefix(prefix) }
    }
  }

  @Test func `derives again only when an input has changed`() {
    let visible = visible
    var app = App()
    #expect(visible(app) == ["ant", "ape"])
    app.other = 1
    #expect(visible(app) == ["ant", "ape"])
    #expect(derived.entries.count == 1)
    app.prefix = "b"
    #expect(visible(app) == ["bee"])
    app.rows.append("bat")
    #expect(visible(app) == ["bee", "bat"])
    #expect(derived.entries.count == 3)
  }

  @Test func `is input to another`() {
    let visible = visible
    let count = Selector<App, Int>(visible.derive) { [derived] rows in
      derived.note("count")
      return rows.count
    }
    var app = App()
    #expect(count(app) == 2)
    app.rows.append("cat")
    #expect(count(app) == 2)
    // The rows were derived anew, and were the same.
    #expect(derived.entries == ["rows", "count", "rows"])
  }

  @Test func `wakes a subscriber only with another value`() {
    let store = Store(App(), reducer: { (app: inout App, row: String) in app.rows.append(row) })
    let heard = Journal<[String]>()
    let visible = visible
    let subscription = store.select(visible).subscribe(heard.note)
    store.dispatch("cat")
    store.rebase(cause: .edit) { app, _ in app.other = 1 }
    store.dispatch("asp")
    #expect(heard.entries == [["ant", "ape"], ["ant", "ape", "asp"]])
    #expect(derived.entries.count == 3)
    withExtendedLifetime(subscription) {}
  }

  @Test func `gives each thread the value of its own state`() {
    let squared = Selector<Int, Int>({ $0 }, { -$0 }) { $0 * -$1 }
    onThreads(4) { thread in
      for number in 0..<500 { precondition(squared(thread + number) == (thread + number) * (thread + number)) }
    }
  }
}
