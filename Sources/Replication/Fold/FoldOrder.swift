/// Entries in the order in which they count: causes first; what is concurrent by the writers' clocks, saves before the rest, then by
/// the writers' names, then by those of the lines.
///
/// The causes of a save are the lines that it was made from. Its writer may have come upon it long after, as somebody else may, who
/// explains it better.
///
/// An entry is before all that it is no effect of and that is later, as far as its causes let it. So one that is added goes
/// behind its last cause, and then before the first entry that is later by clock and names: the order of the others stays, and
/// whatever the order of arrival, one order comes out.
struct FoldOrder: Sendable {
  private struct Item {
    let time: Int
    let isSave: Bool
    let number: KnownLines.Number
  }

  /// A run of the order. Short, so that an insertion moves little.
  private struct Run {
    static let limit = 512
    let id: Int
    var items: [Item]
    /// The latest by clock and names.
    var latest: Item
  }

  private var runs: [Run] = []
  /// The place of each run, by its id.
  private var places: [Int] = []
  /// The run's id of each line that is an entry and is here, -1 for others.
  private var runOfLine: [Int] = []
  /// For each line the last entry among itself and what its writer had read; -1 if there is none.
  private var lastEntry: [Int] = []
  /// How many entries there are.
  private(set) var count = 0

  /// Takes note of a line that counts now, after all its causes.
  ///
  /// - Returns: How many entries are before it, if it is an entry itself.
  mutating func add(_ number: KnownLines.Number, in lines: KnownLines) -> Int? {
    if lastEntry.count <= number {
      let missing = repeatElement(-1, count: number + 1 - lastEntry.count)
      lastEntry += missing
      runOfLine += missing
    }
    let last = self.last(lines.causes(of: number))
    guard let entry = lines.line(number).doing else {
      lastEntry[number] = last
      return nil
    }
    let isSave = lines.line(number).entry == nil
    let item = Item(time: entry.time, isSave: isSave, number: number)
    let index = insert(item, behind: isSave ? self.last(lines.base(of: number)) : last, in: lines)
    lastEntry[number] = isSave && last >= 0 && isBefore(number, last) ? last : number
    return index
  }

  /// The last entry among some lines and what their writers had read; -1 if there is none.
  private func last(_ numbers: [KnownLines.Number]) -> Int {
    var last = -1
    for number in numbers where lastEntry[number] >= 0 {
      if last < 0 || isBefore(last, lastEntry[number]) { last = lastEntry[number] }
    }
    return last
  }

  /// How many entries are before one of them.
  func index(of number: KnownLines.Number) -> Int {
    let (place, offset) = position(of: number)
    return index(of: place, offset)
  }

  /// Calls with each entry from an index on, in order, with its index.
  func forEach(from start: Int, _ body: (Int, KnownLines.Number) -> Void) {
    var (place, first) = (runs.count, count)
    while first > start {
      place -= 1
      first -= runs[place].items.count
    }
    var (index, skipped) = (start, start - first)
    for run in runs[place...] {
      for item in run.items[skipped...] {
        body(index, item.number)
        index += 1
      }
      skipped = 0
    }
  }

  // MARK: Insertion

  private mutating func insert(_ item: Item, behind last: Int, in lines: KnownLines) -> Int {
    var (place, offset) = (0, 0)
    if last >= 0 {
      (place, offset) = position(of: last)
      offset += 1
    }
    while place < runs.count {
      if !precedes(runs[place].latest, item, in: lines) {
        let later = runs[place].items[offset...].firstIndex { precedes(item, $0, in: lines) }
        if let later { return insert(item, at: place, later, in: lines) }
      }
      (place, offset) = (place + 1, 0)
    }
    guard let end = runs.last, end.items.count < Run.limit else {
      runs.append(Run(id: places.count, items: [item], latest: item))
      runOfLine[item.number] = places.count
      places.append(runs.count - 1)
      count += 1
      return count - 1
    }
    return insert(item, at: runs.count - 1, end.items.count, in: lines)
  }

  private mutating func insert(_ item: Item, at place: Int, _ offset: Int, in lines: KnownLines) -> Int {
    runs[place].items.insert(item, at: offset)
    if precedes(runs[place].latest, item, in: lines) { runs[place].latest = item }
    runOfLine[item.number] = runs[place].id
    count += 1
    let index = index(of: place, offset)
    if runs[place].items.count > Run.limit { split(place, in: lines) }
    return index
  }

  private mutating func split(_ place: Int, in lines: KnownLines) {
    let items = runs[place].items
    let (start, end) = (Array(items[..<(items.count / 2)]), Array(items[(items.count / 2)...]))
    runs[place].items = start
    runs[place].latest = latest(of: start, in: lines)
    runs.insert(Run(id: places.count, items: end, latest: latest(of: end, in: lines)), at: place + 1)
    for item in end { runOfLine[item.number] = places.count }
    places.append(place + 1)
    for place in (place + 1)..<runs.count { places[runs[place].id] = place }
  }

  private func latest(of items: [Item], in lines: KnownLines) -> Item {
    items.dropFirst().reduce(items[0]) { precedes($0, $1, in: lines) ? $1 : $0 }
  }

  // MARK: Positions

  private func position(of number: KnownLines.Number) -> (place: Int, offset: Int) {
    let place = places[runOfLine[number]]
    guard let offset = runs[place].items.firstIndex(where: { $0.number == number }) else {
      preconditionFailure("an entry is in the run that it was put in")
    }
    return (place, offset)
  }

  /// Nearly all is at the end.
  private func index(of place: Int, _ offset: Int) -> Int {
    count - runs[place...].reduce(0) { $0 + $1.items.count } + offset
  }

  private func isBefore(_ left: KnownLines.Number, _ right: KnownLines.Number) -> Bool {
    let (leftRun, rightRun) = (runOfLine[left], runOfLine[right])
    return leftRun == rightRun ? position(of: left) < position(of: right) : places[leftRun] < places[rightRun]
  }

  /// By clocks and names alone.
  private func precedes(_ left: Item, _ right: Item, in lines: KnownLines) -> Bool {
    if left.time != right.time { return left.time < right.time }
    if left.isSave != right.isSave { return left.isSave }
    let writers = (lines.writer(of: left.number), lines.writer(of: right.number))
    if writers.0.text != writers.1.text { return writers.0 < writers.1 }
    return lines.line(left.number).id < lines.line(right.number).id
  }
}
