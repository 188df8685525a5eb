/// A shortest edit script between two sequences, as the pairs of positions that stay.
///
/// This is Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986).
enum SequenceAlignment {
  /// The pairs of equal items in a longest common subsequence, in ascending order, or none where more than
  /// `maximumEdits` items would have to be inserted and removed.
  ///
  /// - Complexity: O((*n* + *m*) · *d*) time and O(*d*²) memory, *d* being the number of edits.
  static func commonPairs(_ old: [Int], _ new: [Int], maximumEdits: Int) -> [(old: Int, new: Int)] {
    // furthest[k + edits] is how far into `old` the path on diagonal k = old - new gets; a copy is kept for each d.
    var history: [[Int]] = []
    var furthest = [0]
    for edits in 0...min(maximumEdits, old.count + new.count) {
      var next = Array(repeating: 0, count: 2 * edits + 1)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        var position = edits == 0 ? 0 : start(of: diagonal, after: edits - 1, furthest).position
        while position < old.count, position - diagonal < new.count, position - diagonal >= 0,
          old[position] == new[position - diagonal]
        {
          position += 1
        }
        next[diagonal + edits] = position
        if position == old.count && position - diagonal == new.count {
          history.append(next)
          return trace(history, old.count, new.count)
        }
      }
      history.append(next)
      furthest = next
    }
    return []
  }

  /// Where the path on a diagonal begins after one more edit, and the diagonal it comes from.
  private static func start(
    of diagonal: Int, after edits: Int, _ furthest: [Int]
  ) -> (position: Int, previous: Int) {
    let below = diagonal + 1 <= edits ? furthest[diagonal + 1 + edits] : -1
    let above = diagonal - 1 >= -edits ? furthest[diagonal - 1 + edits] + 1 : -1
    return below >= above ? (below, diagonal + 1) : (above, diagonal - 1)
  }

  private static func trace(_ history: [[Int]], _ oldCount: Int, _ newCount: Int) -> [(old: Int, new: Int)] {
    var pairs: [(old: Int, new: Int)] = []
    var position = oldCount
    var diagonal = oldCount - newCount
    for edits in stride(from: history.count - 1, through: 0, by: -1) {
      let step = edits == 0 ? (position: 0, previous: 0) : start(of: diagonal, after: edits - 1, history[edits - 1])
      while position > step.position {
        position -= 1
        pairs.append((position, position - diagonal))
      }
      // The edit itself: an insertion stays at its position in `old`, a removal goes one back.
      if step.previous < diagonal { position -= 1 }
      diagonal = step.previous
    }
    return pairs.reversed()
  }
}
