import StoreCore
import Testing

private struct Row: Identifiable, Equatable {
  var id: Int
  var title = ""
  var isRead = false
}

private enum Screen: Equatable {
  case list
  case detail(Int, tab: String)
  case sheet(Row)
}

private struct Plain {
  var word = "a"
  var inner = Inner()
  struct Inner { var numbers = [1, 2, 3] }
}

private struct Named: Equatable, CustomStringConvertible {
  var name = "n"
  var secret = 0
  var description: String { name }
}

private struct Alike: Equatable {
  static func == (left: Alike, right: Alike) -> Bool { false }
}

@propertyWrapper private struct Nullable: Equatable {
  var wrappedValue: Int?
}

private struct Form: Equatable {
  @Nullable var age: Int? = nil
  var name = "n"
}

private final class Box: Sendable {
  let value: Int

  init(_ value: Int) { self.value = value }
}

private struct App: Equatable {
  var count = 0
  var note: String?
  var screen = Screen.list
  var rows: Entities<Row> = [Row(id: 1, title: "a"), Row(id: 2, title: "b")]
  var words = ["x", "y", "z"]
  var tags: Set<String> = ["p", "q"]
  var names: [String: Int] = ["a": 1, "b": 2]
  var pair = Pair()
  var named = Named()
  struct Pair: Equatable { var x = 1, y = 2 }
}

struct `A difference of states` {
  private func lines<Value>(_ old: Value, _ new: Value, limit: Int = 40) -> String {
    StateDifference(from: old, to: new, limit: limit).description
  }

  private func change(_ change: (inout App) -> Void) -> String {
    var app = App()
    change(&app)
    return lines(App(), app)
  }

  @Test func `is empty for what is equal`() {
    #expect(StateDifference(from: App(), to: App()).isEmpty)
    #expect(change { _ in } == "")
    #expect(StateDifference(from: Plain(), to: Plain()).isEmpty)
  }

  @Test func `names places`() {
    #expect(change { $0.count = 2 } == "- count: 0\n+ count: 2")
    #expect(change { $0.pair.y = 3 } == "- pair.y: 2\n+ pair.y: 3")
    #expect(lines(1, 2) == "- 1\n+ 2")
    #expect(lines((a: 1, 2), (a: 1, 3)) == "- 1: 2\n+ 1: 3")
  }

  @Test func `shows optionals`() {
    #expect(change { $0.note = "n" } == "- note: nil\n+ note: \"n\"")
    #expect(lines(1 as Int?, nil) == "- 1\n+ nil")
    #expect(lines(1 as Int?, 2) == "- 1\n+ 2")
    #expect(StateDifference(from: nil as Int?, to: nil).isEmpty)
    #expect(lines(Plain?.some(Plain(word: "a")), Plain(word: "b")) == "- word: \"a\"\n+ word: \"b\"")
  }

  @Test func `shows cases, and looks into the same case`() {
    #expect(change { $0.screen = .detail(7, tab: "x") } == "- screen: .list\n+ screen: .detail(7, tab: \"x\")")
    #expect(
      lines(Screen.detail(7, tab: "x"), .detail(7, tab: "y")) == "- detail.tab: \"x\"\n+ detail.tab: \"y\"")
    #expect(
      lines(Screen.sheet(Row(id: 1)), .sheet(Row(id: 1, isRead: true)))
        == "- sheet.isRead: false\n+ sheet.isRead: true")
  }

  @Test func `compares elements by identity`() {
    #expect(change { $0.rows[id: 2]?.title = "c" } == "- rows[id: 2].title: \"b\"\n+ rows[id: 2].title: \"c\"")
    #expect(
      change {
        $0.rows.remove(id: 1)
        $0.rows.upsert(Row(id: 9, title: "n"))
      } == """
        - rows[id: 1]: Row(id: 1, title: "a", isRead: false)
        + rows[id: 9]: Row(id: 9, title: "n", isRead: false)
        """)
    #expect(change { $0.rows.move(id: 1, to: 1) } == "- rows (order): [1, 2]\n+ rows (order): [2, 1]")
    #expect(lines([Row(id: 1)], [Row(id: 1, title: "x")]) == "- [id: 1].title: \"\"\n+ [id: 1].title: \"x\"")
  }

  @Test func `compares other elements by place`() {
    #expect(change { $0.words[1] = "Y" } == "- words[1]: \"y\"\n+ words[1]: \"Y\"")
    #expect(change { $0.words.append("w") } == "+ words[3]: \"w\"")
    #expect(change { $0.words.removeFirst() } == "- words[0]: \"x\"")
    #expect(change { $0.words = ["x", "1", "2", "z"] } == "- words[1]: \"y\"\n+ words[1]: \"1\"\n+ words[2]: \"2\"")
    #expect(
      lines([Plain(), Plain(word: "b")], [Plain(), Plain(word: "c")]) == "- [1].word: \"b\"\n+ [1].word: \"c\"")
    // Identities that aren't unique are none.
    #expect(lines([Row(id: 1), Row(id: 1)], [Row(id: 1)]) == "- [1]: Row(id: 1, title: \"\", isRead: false)")
  }

  @Test func `compares sets and dictionaries in a fixed order`() {
    #expect(change { $0.tags = ["q", "c", "b"] } == "- tags: \"p\"\n+ tags: \"b\"\n+ tags: \"c\"")
    #expect(
      change { $0.names = ["b": 3, "c": 4] } == """
        - names["a"]: 1
        - names["b"]: 2
        + names["b"]: 3
        + names["c"]: 4
        """)
  }

  @Test func `calls a wrapped property by its name`() {
    #expect(lines(Form(), Form(age: 3)) == "- age: nil\n+ age: 3")
    #expect(lines([Form()], [Form(), Form(age: 3)]) == #"+ [1]: Form(age: 3, name: "n")"#)
  }

  @Test func `needs no Equatable`() {
    var other = Plain()
    other.inner.numbers[1] = 9
    #expect(lines(Plain(), other) == "- inner.numbers[1]: 2\n+ inner.numbers[1]: 9")
    #expect(lines(Box(1), Box(2)) == "- value: 1\n+ value: 2")
    #expect(StateDifference(from: Box(1), to: Box(1)).isEmpty)
    #expect(lines(1 as Any, "1" as Any) == "- 1\n+ \"1\"")
  }

  @Test func `takes a type's own words, unless they say the same`() {
    #expect(change { $0.named.name = "m" } == "- named: n\n+ named: m")
    #expect(change { $0.named.secret = 1 } == "- named.secret: 0\n+ named.secret: 1")
  }

  @Test func `says so when there is nothing to see`() {
    #expect(lines(Double.nan, Double.nan) == "- nan\n+ nan (reads the same, but isn't equal)")
    #expect(lines(Alike(), Alike()) == "- Alike()\n+ Alike() (reads the same, but isn't equal)")
  }

  @Test func `is bounded in lines`() {
    let difference = StateDifference(from: Array(0..<5000), to: Array(5000..<10000), limit: 3)
    #expect(difference.lines.count == 3)
    #expect(difference.omitted == 9997)
    #expect(difference.description.hasSuffix("\n… and 9997 more lines"))
    #expect(lines([1, 2, 3], [], limit: 2) == "- [0]: 1\n- [1]: 2\n… and 1 more line")
  }

  @Test func `is bounded in width, and shows where long strings part`() {
    let long = String(repeating: "ab", count: 5000)
    #expect(
      lines(["k": long], ["k": String(long.dropLast()) + "X"]) == """
        - ["k"]: …"babababababababababab"
        + ["k"]: …"babababababababababaX"
        """)
    #expect(StateDifference(from: [Int](), to: Array(0..<100_000)).description.utf8.count < 10_000)
    #expect(lines(Screen.list, .sheet(Row(id: 1, title: long))).count < 200)
  }

  @Test func `lets no control character through`() {
    let text = lines(["k\u{1b}": "a"], ["k\u{1b}": "b\n\u{1b}]0;x\u{7}\u{9b}\u{202e}"])
    #expect(
      text == #"""
        - ["k\u{1b}"]: "a"
        + ["k\u{1b}"]: "b\n\u{1b}]0;x\u{7}\u{9b}\u{202e}"
        """#)
    #expect(lines(Named(name: "a"), Named(name: "\u{1b}c")).contains("\u{1b}") == false)
  }
}
