import StateJSON

/// What is looked for, and where a pointer leads.
extension Inspector {
  mutating func find(_ search: Search, isNext: Bool) {
    guard let document = shown, !search.text.isEmpty else { return }
    let found = document.read { text -> Place? in
      let path = text.path(to: position.cursor, former: position.indices).path
      let root = text.node(at: text.path(to: position.root, former: []).path)
      let (first, end) = (root, text.next(after: root))
      let node = text.node(at: path)
      let searching = TreeSearch(search.text)
      // What begins behind the cursor's own key and value, which are one line.
      let rest = min(end, text.isContainer(node) ? node + 2 : node + 1)
      let own = path.levels.last?.item ?? node
      func line(_ entry: Int) -> Place { text.place(of: text.path(toEntry: entry)) }
      if search.isBackward {
        let before = searching.entries(in: first..<max(first, own), text).last
        return (before ?? searching.entries(in: rest..<end, text).last).map(line)
      }
      let start = isNext ? rest : own
      let behind = searching.entries(in: start..<end, text, isEnough: true).first
      return (behind ?? searching.entries(in: first..<max(first, own), text, isEnough: true).first).map(line)
    }
    if let found {
      message = nil
      if found != position.cursor { reveal(found) }
    } else {
      message = Message(text: "not found: \(search.text)", isBad: true)
    }
  }

  mutating func filter(by text: String) {
    if text.isEmpty {
      filter = nil
    } else {
      let found = found(text)
      if found.isEmpty { return message = Message(text: "not found: \(text)", isBad: true) }
      filter = Filter(text: text, found: found)
    }
    keepCursor(row: treeRows / 3)
  }

  func found(_ text: String) -> [Int] {
    shown?.read { taped in
      let root = taped.node(at: taped.path(to: position.root, former: []).path)
      return TreeSearch(text).entries(in: root..<taped.next(after: root), taped)
    } ?? []
  }

  mutating func look(at pointer: JSONPointer) {
    guard let place = document?.read({ $0.place(of: $0.path(along: pointer.tokens).path) }) else { return }
    reveal(place, keepsTrail: true)
  }

  mutating func go(to pointer: JSONPointer) {
    guard let document = shown else { return }
    let (place, isWhole) = document.read { text in
      let (path, isWhole) = text.path(along: pointer.tokens)
      return (text.place(of: path), isWhole)
    }
    reveal(place)
    if !isWhole { message = Message(text: "'\(pointer)' leads nowhere; this is how far it leads", isBad: true) }
  }
}
