import TerminalScreen

/// What the keys do, in words.
enum HelpText {
  struct Entry: Equatable {
    var key: String
    var meaning: String

    init(_ key: String, _ meaning: String) { (self.key, self.meaning) = (key, meaning) }
  }

  static let sections: KeyValuePairs<String, [Entry]> = [
    "Move": [
      Entry("↓ j, ↑ k", "a line"), Entry("PgDn f, PgUp b", "a page"), Entry("^D, ^U", "half a page"),
      Entry("g Home, G End", "first, last line"), Entry("J, K", "next, former item of the same"),
      Entry("^, $", "first, last item of the same"), Entry("H", "to what it is in"),
      Entry("^E, ^Y, wheel", "scroll"), Entry(".", "to the last change"), Entry("^O", "back from a jump"),
      Entry("F", "follow what changes"),
    ],
    "Open and close": [
      Entry("→ l", "open, go in"), Entry("← h", "close, go out"), Entry("space, Enter, click", "open or close"),
      Entry("], [", "open, close all beside it"), Entry("1…9, 0", "open so many levels, all"),
      Entry("> <", "this alone as the first line, and back"),
    ],
    "Find": [
      Entry("/", "search keys and values"), Entry("n, N", "next, former"), Entry("&", "show only what has a text"),
      Entry(":", "go to a pointer; Tab completes"), Entry("v", "read a value in full"),
      Entry("y, Y", "copy the pointer, .a.b[0]"),
      Entry("c", "copy the value"), Entry("Esc", "out of a filter, and of what > shows"),
    ],
    "Change": [
      Entry("e Enter", "edit a value"), Entry("E", "edit in $EDITOR"), Entry("t", "true or false"),
      Entry("+ -", "add or subtract 1"), Entry("a", "add an element or a member"), Entry("x Del", "remove"),
      Entry("p, P", "paste after, before"), Entry("{, }", "move an element up, down"),
      Entry("u, ^R", "undo, redo what was done here"),
    ],
    "Go back in time": [
      Entry("T", "the versions; Tab goes there and back"), Entry("Enter", "look at one; Esc is now again"),
      Entry("d", "what it changed"), Entry("=", "what is different now, or in the one marked by m"),
      Entry("r", "bring it back"), Entry("R", "bring back what the cursor is on"),
      Entry("p, + -", "play from there on; faster, slower"), Entry("s", "record from there on, until s again"),
      Entry("o", "open a recording"), Entry("w", "who is there"),
    ],
    "": [Entry("^L", "draw anew"), Entry("^Z", "suspend"), Entry("q", "quit")],
  ]

  static func lines(columns: Int) -> [Line] {
    let width = sections.flatMap(\.value).map(\.key.columns).max() ?? 0
    // On a narrow screen what a key does is below it.
    let isNarrow = columns < width + 40
    return sections.flatMap { section in
      [section.key.isEmpty ? Line.empty : Line(" \(section.key)", .bold)]
        + section.value.flatMap { entry in
          let key = Line("   " + (isNarrow ? entry.key : entry.key.padding(to: width + 2)), .accent)
          return isNarrow ? [key, Line("     " + entry.meaning)] : [key + Line(entry.meaning)]
        }
    }
  }

  /// The keys worth knowing now, and first those that one wouldn't guess.
  static func keyLine(_ inspector: Inspector) -> [Entry] {
    switch inspector.mode {
    case .prompting(let prompt):
      [Entry("⏎", "do it"), Entry("esc", "leave it")] + (prompt.purpose == .go ? [Entry("tab", "complete")] : [])
    case .correcting: [Entry("e", "edit on"), Entry("d", "drop the text")]
    case .deciding(_, let next):
      [Entry("m", "mine"), Entry("t", "theirs")] + (next == .browsing ? [Entry("e", "edit on")] : [])
    case .reading, .help: [Entry("q", "back"), Entry("space", "page")]
    case .timeline:
      [
        Entry("⏎", "look at it"), Entry("d", "what it changed"), Entry("=", "compare"), Entry("r", "bring it back"),
        Entry("R", "a part"), Entry("p", "play"), Entry("s", inspector.capture == nil ? "record" : "end recording"),
        Entry("o", "open"), Entry("m", "mark"), Entry("tab", "to the tree"), Entry("T", "close"),
      ]
    case .browsing where inspector.past != nil:
      [
        Entry("esc", "now"), Entry("r", "bring it back"), Entry("R", "this part"), Entry("tab", "versions"),
        Entry("?", "help"),
      ]
    case .browsing:
      [
        Entry("?", "help"), Entry("q", "quit"), Entry("e", "edit"), Entry("/", "search"), Entry("space", "open"),
        Entry("u", "undo"), Entry(":", "go to"), Entry("y", "copy pointer"), Entry("T", "versions"),
        Entry("&", "filter"),
        Entry("F", "follow"),
      ]
    }
  }
}
