/// The lines that are known, and which of them count: those whose writer had read nothing that isn't here.
///
/// Lines come in any order, and as often as they like. What counts depends on which lines are known, and on nothing else. A line
/// counts once the line before it, those it has read and those that it says a save was made from count. So nothing waits for more
/// than its direct causes; cycles can't be, since a name is a hash of what it names.
///
/// ## What a line's writer had read
/// Lines that count form chains: each stands behind the line before it, and a new chain begins with a head, or where two lines
/// follow one. All that a line's writer had read is then a ``VersionVector``: for each chain how many of its lines. A line shares
/// it with the one before it unless it says that it has read something. So to ask whether one line is in the past of
/// another takes no time, and all vectors together take as many words as there are lines that read something, times chains.
package struct KnownLines: Sendable {
  /// A line's number, in the order in which they came.
  package typealias Number = Int

  private struct Node {
    let line: JournalLine
    /// How many causes don't count yet.
    var waiting: Int
    /// Its chain, once it counts.
    var chain = -1
    /// How many lines of the chain are before it.
    var place = 0
    /// How many entries the chain has up to it.
    var entries = 0
    /// How many of these, and how many saves, say that something was changed.
    var changes = 0
    /// What its writer had read of each chain but its own.
    var read = VersionVector()
  }

  private struct Chain {
    let writer: Writer
    var lines: [Number] = []
  }

  private var nodes: [Node] = []
  private var numberOfID: [LineID: Number] = [:]
  /// The lines that wait for one, which may be known itself.
  private var waiters: [LineID: [Number]] = [:]
  private var chains: [Chain] = []
  /// How many lines count.
  package private(set) var countedCount = 0

  /// Knows nothing.
  package init() {}

  /// How many lines are known.
  package var count: Int { nodes.count }

  /// Adds a line.
  ///
  /// - Returns: The lines that count now and didn't before, causes first.
  /// - Complexity: Amortised O(*r* · *c*) in what the line has read and the number of chains, and the same for each that counts
  ///   now.
  @discardableResult
  package mutating func add(_ line: JournalLine) -> [Number] {
    guard numberOfID[line.id] == nil else { return [] }
    let number = nodes.count
    numberOfID[line.id] = number
    var waiting = 0
    for cause in Self.causes(of: line) where !counts(cause) {
      waiting += 1
      waiters[cause, default: []].append(number)
    }
    nodes.append(Node(line: line, waiting: waiting))
    return waiting == 0 ? count(from: number) : []
  }

  /// Lets a line count, and all that have waited for nothing else.
  private mutating func count(from number: Number) -> [Number] {
    var counted: [Number] = []
    var ready = [number]
    while let next = ready.popLast() {
      guard enterChain(next) else { continue }
      counted.append(next)
      for waiter in waiters.removeValue(forKey: nodes[next].line.id) ?? [] {
        nodes[waiter].waiting -= 1
        if nodes[waiter].waiting == 0 { ready.append(waiter) }
      }
    }
    countedCount += counted.count
    return counted
  }

  /// Gives a line its place; `false` if there is none.
  private mutating func enterChain(_ number: Number) -> Bool {
    let line = nodes[number].line
    var read = VersionVector()
    var chain = chains.count
    if let previous = line.previous.flatMap({ numberOfID[$0] }) {
      read = nodes[previous].read
      if chains[nodes[previous].chain].lines.last == previous {
        chain = nodes[previous].chain
        (nodes[number].entries, nodes[number].changes) = (nodes[previous].entries, nodes[previous].changes)
      } else {
        guard begin(of: chains[nodes[previous].chain].writer) else { return false }
        merge(previous, into: &read)
      }
    } else if case .head(let head) = line.contents {
      guard begin(of: head.writer) else { return false }
    }
    for cause in line.read { if let cause = numberOfID[cause] { merge(cause, into: &read) } }
    nodes[number].read = read
    nodes[number].chain = chain
    nodes[number].place = chains[chain].lines.count
    if line.entry != nil { nodes[number].entries += 1 }
    if let doing = line.doing, doing.change != nil || doing.actions != nil { nodes[number].changes += 1 }
    chains[chain].lines.append(number)
    return true
  }

  /// Begins a chain, unless there are as many as there may be.
  private mutating func begin(of writer: Writer) -> Bool {
    guard chains.count < JournalLimits.chainCount else { return false }
    chains.append(Chain(writer: writer))
    return true
  }

  /// Adds to what is known a line that counts, and all that its writer had read.
  func merge(_ number: Number, into known: inout VersionVector) {
    let node = nodes[number]
    known.formUnion(node.read)
    known.add(node.place + 1, of: node.chain)
  }

  private static func causes(of line: JournalLine) -> [LineID] {
    line.previous.map { line.read + line.base + [$0] } ?? line.read + line.base
  }
}

extension KnownLines {
  /// The line of a number.
  package func line(_ number: Number) -> JournalLine { nodes[number].line }

  /// The number of a line that is known.
  package func number(of id: LineID) -> Number? { numberOfID[id] }

  /// Whether a line counts.
  package func counts(_ id: LineID) -> Bool { numberOfID[id].map { counts($0) } ?? false }

  /// Whether a line counts.
  package func counts(_ number: Number) -> Bool { nodes[number].chain >= 0 }

  /// The lines that count of each device, each chain in its order, and the one last that was written to last, as far as is known.
  var chainsByDevice: [String: [Number]] {
    var all: [String: [Number]] = [:]
    for chain in chains.sorted(by: { $0.lines.last ?? 0 < $1.lines.last ?? 0 }) {
      all[chain.writer.device, default: []] += chain.lines
    }
    return all
  }

  /// The numbers of all lines that are known.
  var numbers: Range<Number> { nodes.indices }

  /// The names of all lines that count, in no order.
  package var counted: [LineID] { nodes.lazy.filter { $0.chain >= 0 }.map(\.line.id) }

  /// The lines that others wait for, and that are not known, in no order.
  package var missing: [LineID] { waiters.keys.filter { numberOfID[$0] == nil } }

  /// The writer of a line that counts, as the head of its journal says, whoever may have carried the line.
  package func writer(of number: Number) -> Writer { chains[nodes[number].chain].writer }

  /// The direct causes of a line that counts.
  func causes(of number: Number) -> [Number] { Self.causes(of: nodes[number].line).compactMap { numberOfID[$0] } }

  /// The lines that a save was made from; none for other lines.
  func base(of number: Number) -> [Number] { nodes[number].line.base.compactMap { numberOfID[$0] } }

  /// Whether the writer of a line that counts had read another one that counts when it wrote that.
  package func isRead(_ number: Number, by reader: Number) -> Bool {
    nodes[number].place < readCount(by: reader, in: nodes[number].chain)
  }

  /// How many entries the writer of a line that counts had read or written when it wrote that.
  func entryCount(before reader: Number) -> Int {
    chains.indices.reduce(0) { sum, chain in
      let count = readCount(by: reader, in: chain)
      return count == 0 ? sum : sum + nodes[chains[chain].lines[count - 1]].entries
    }
  }

  /// How many entries and saves that say that something was changed are among lines that count and all that their writers had read.
  func changeCount(upTo numbers: [Number]) -> Int {
    chains.indices.reduce(0) { sum, chain in
      let count = numbers.reduce(0) { count, number in
        max(count, nodes[number].chain == chain ? nodes[number].place + 1 : readCount(by: number, in: chain))
      }
      return count == 0 ? sum : sum + nodes[chains[chain].lines[count - 1]].changes
    }
  }

  /// Lines that one of two writers had read and the other one hadn't: in each chain the first entry, which is before the others in the
  /// order, and all saves.
  func firstDifferences(_ left: Number, _ right: Number) -> [Number] {
    chains.indices.flatMap { chain in
      let counts = [readCount(by: left, in: chain), readCount(by: right, in: chain)].sorted()
      let lines = chains[chain].lines[counts[0]..<counts[1]]
      let saves = lines.filter { if case .save = nodes[$0].line.contents { true } else { false } }
      return (lines.first { nodes[$0].line.entry != nil }.map { [$0] } ?? []) + saves
    }
  }

  /// The lines of each chain that the writer of a line hadn't read when it had written that, in order; all of them, for no line.
  func unread(by reader: Number?) -> [ArraySlice<Number>] {
    chains.indices.map { chain in
      guard let reader else { return chains[chain].lines[...] }
      let isOwn = chain == nodes[reader].chain
      return chains[chain].lines[(readCount(by: reader, in: chain) + (isOwn ? 1 : 0))...]
    }
  }

  /// How many lines of a chain a line's writer had read or written before it.
  func readCount(by reader: Number, in chain: Int) -> Int {
    let node = nodes[reader]
    return chain == node.chain ? node.place : node.read[chain]
  }

  /// The chain of a line that counts, and how many of the chain's lines are before it.
  func place(of number: Number) -> (chain: Int, place: Int) { (nodes[number].chain, nodes[number].place) }
}
