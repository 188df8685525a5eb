/// Which elements of an array stayed, changed, came and went on the way from `old` to `new`.
///
/// A longest common subsequence, by `==`, anchors the two; between anchors are gaps. Where several subsequences are
/// longest, the one that skips old elements first is taken.
struct ArrayAlignment {
  /// A stretch between anchors, empty on one side at most.
  struct Gap {
    let old: Range<Int>
    let new: Range<Int>

    /// Whether the elements pair index by index, as modifications of one another.
    var isModification: Bool { old.count == new.count }
  }

  /// Pairs of equal elements, ascending in both.
  let anchors: [(old: Int, new: Int)]
  /// The stretches between anchors, before the first and after the last, in order.
  let gaps: [Gap]

  /// Above this product of lengths, common ends aside, only a subsequence with few edits is looked for.
  private static let sizeCap = 1 << 22
  /// How many elements may then have come and gone; with more, all between the common ends becomes one gap.
  private static let editCap = 1 << 10

  init(_ old: ArraySlice<JSONValue>, _ new: ArraySlice<JSONValue>, _ comparison: inout ValueComparison) {
    let ends = CommonEnds(old.count, new.count) {
      comparison.areEqual(old[old.startIndex + $0], new[new.startIndex + $1])
    }
    let (oldStart, newStart) = (old.startIndex + ends.prefix, new.startIndex + ends.prefix)
    let (oldEnd, newEnd) = (old.endIndex - ends.suffix, new.endIndex - ends.suffix)
    var anchors: [(old: Int, new: Int)] = []
    anchors += zip(old.startIndex..<oldStart, new.startIndex..<newStart).map { ($0, $1) }
    anchors += Self.commonSubsequence(old[oldStart..<oldEnd], new[newStart..<newEnd], &comparison)
    anchors += zip(oldEnd..<old.endIndex, newEnd..<new.endIndex).map { ($0, $1) }
    self.anchors = anchors

    var gaps: [Gap] = []
    var (oldAt, newAt) = (old.startIndex, new.startIndex)
    for anchor in anchors + [(old.endIndex, new.endIndex)] {
      if oldAt < anchor.old || newAt < anchor.new {
        gaps.append(Gap(old: oldAt..<anchor.old, new: newAt..<anchor.new))
      }
      (oldAt, newAt) = (anchor.old + 1, anchor.new + 1)
    }
    self.gaps = gaps
  }

  /// An alignment of its own, not one of many on the way down two values.
  init(_ old: ArraySlice<JSONValue>, _ new: ArraySlice<JSONValue>) {
    var comparison = ValueComparison()
    self.init(old, new, &comparison)
  }

  /// For each old element its new version: the equal one, or that at the same index in a gap of equal lengths; `nil` if
  /// it was removed. For an array that starts at 0.
  var partners: [Int?] {
    let count = gaps.reduce(anchors.count) { $0 + $1.old.count }
    var partners = [Int?](repeating: nil, count: count)
    for anchor in anchors { partners[anchor.old] = anchor.new }
    for gap in gaps where gap.isModification {
      for (old, new) in zip(gap.old, gap.new) { partners[old] = new }
    }
    return partners
  }

  /// The stretches of new elements that are no versions of old ones, by the index of the old element they stand before.
  var insertions: [Int: Range<Int>] {
    Dictionary(uniqueKeysWithValues: gaps.filter { !$0.isModification }.map { ($0.old.lowerBound, $0.new) })
  }

  private static func commonSubsequence(
    _ old: ArraySlice<JSONValue>, _ new: ArraySlice<JSONValue>, _ comparison: inout ValueComparison
  ) -> [(old: Int, new: Int)] {
    // The ends are known to differ.
    guard !old.isEmpty, !new.isEmpty, old.count > 1 || new.count > 1 else { return [] }
    // Equal elements get equal numbers, so that each is compared in depth about once.
    var classes: [HashedValue: Int] = [:]
    func number(_ value: JSONValue) -> Int {
      let key = HashedValue(value: value, hash: comparison.hash(value))
      if let known = classes[key] { return known }
      classes[key] = classes.count
      return classes.count - 1
    }
    let olds = old.map(number)
    let news = new.map(number)
    let pairs =
      olds.count <= sizeCap / news.count
      ? longestCommonSubsequence(olds, news)
      : SequenceAlignment.commonPairs(olds, news, maximumEdits: editCap)
    return pairs.map { (old.startIndex + $0.old, new.startIndex + $0.new) }
  }

  private struct HashedValue: Hashable {
    let value: JSONValue
    let hash: Int

    static func == (left: Self, right: Self) -> Bool { left.hash == right.hash && left.value == right.value }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  /// By dynamic programming; of several, the one that skips old elements first.
  private static func longestCommonSubsequence(_ olds: [Int], _ news: [Int]) -> [(old: Int, new: Int)] {
    // lengths[i * width + j]: how long the longest common subsequence of olds[i...] and news[j...] is.
    let width = news.count + 1
    var lengths = [Int32](repeating: 0, count: (olds.count + 1) * width)
    for i in olds.indices.reversed() {
      for j in news.indices.reversed() {
        lengths[i * width + j] =
          olds[i] == news[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var pairs: [(old: Int, new: Int)] = []
    var (i, j) = (0, 0)
    while i < olds.count, j < news.count {
      if olds[i] == news[j] {
        pairs.append((i, j))
        i += 1
        j += 1
      } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
