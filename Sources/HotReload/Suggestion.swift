/// The word that somebody probably meant.
package enum Suggestion {
  /// The candidate nearest to a mistyped word, or `nil` if none is near enough to be meant.
  ///
  /// Near is an edit in every three letters. A candidate that the word abbreviates is near too, if it is the only one.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let tolerance = max(1, word.count / 3)
    // Words whose lengths differ by more are no nearer, and a word may be very long.
    let comparable = candidates.filter { abs($0.count - word.count) <= tolerance }
    let near = comparable.map { (candidate: $0, distance: distance(word, $0)) }
      .filter { $0.distance <= tolerance }
      .min { $0.distance < $1.distance }
    if let near { return near.candidate }
    let longer = candidates.filter { word.count > 1 && $0.hasPrefix(word) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// How many letters are to be added, removed, replaced or swapped with a neighbour to turn one word into the other.
  ///
  /// The restricted Damerau-Levenshtein distance ("optimal string alignment").
  package static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
      var current = [i + 1]
      for j in right.indices {
        var cost = min(last[j + 1] + 1, current[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
