/// The steps that bring the elements of a keyed array into the order of another version of it: remove what is gone,
/// then add and move.
struct KeyedSteps {
  enum Arrangement {
    /// Adds the element that is at `new` in the new version.
    case add((new: Int, at: Int))
    case move(from: Int, to: Int)
  }

  /// Indices to remove, from the last to the first.
  let removals: [Int]
  /// To do after the removals, each on the result of those before it.
  let arrangement: [Arrangement]
  /// The places of each element that stays, in both versions.
  let pairs: [(old: Int, new: Int)]

  /// Above this product of moves and length, arranging would take too long.
  private static let workCap = 1 << 24

  /// `nil` if too much has moved for this to be quick.
  init?(from old: [ElementIdentity], to new: [ElementIdentity]) {
    if old == new {
      (removals, arrangement, pairs) = ([], [], old.indices.map { ($0, $0) })
      return
    }
    let newPlaces = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
    let targets = old.map { newPlaces[$0] }
    removals = targets.indices.reversed().filter { targets[$0] == nil }
    pairs = targets.enumerated().compactMap { old, new in new.map { (old, $0) } }.sorted { $0.new < $1.new }

    // The array after the removals, as places in the new version. What ascends in it may stay, all else moves.
    var current = targets.compactMap { $0 }
    let staying = Set(Self.longestAscent(in: current))
    let isStill = staying.count == current.count
    guard isStill || new.count * (new.count - staying.count) <= Self.workCap else { return nil }

    let known = Set(current)
    var arrangement: [Arrangement] = []
    for place in new.indices where !staying.contains(place) {
      // Once nothing is out of order, all before `place` are where they belong.
      guard !isStill else {
        arrangement.append(.add((place, place)))
        continue
      }
      if known.contains(place) {
        guard let from = current.firstIndex(of: place) else { preconditionFailure("an element got lost on its way") }
        current.remove(at: from)
        let to = Self.index(after: place - 1, in: current)
        current.insert(place, at: to)
        if from != to { arrangement.append(.move(from: from, to: to)) }
      } else {
        let to = Self.index(after: place - 1, in: current)
        current.insert(place, at: to)
        arrangement.append(.add((place, to)))
      }
    }
    self.arrangement = arrangement
  }

  private static func index(after place: Int, in current: [Int]) -> Int {
    current.firstIndex(of: place).map { $0 + 1 } ?? 0
  }

  /// A longest ascending subsequence, by patience sorting.
  private static func longestAscent(in numbers: [Int]) -> [Int] {
    // tops[n]: the index of the smallest number that ends an ascent of n + 1 numbers.
    var tops: [Int] = []
    var predecessors = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, tops.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[tops[middle]] < number { low = middle + 1 } else { high = middle }
      }
      predecessors[index] = low > 0 ? tops[low - 1] : nil
      if low == tops.count { tops.append(index) } else { tops[low] = index }
    }
    var ascent: [Int] = []
    var index = tops.last
    while let current = index {
      ascent.append(numbers[current])
      index = predecessors[current]
    }
    return ascent.reversed()
  }
}
