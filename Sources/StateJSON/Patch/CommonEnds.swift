/// The elements that two arrays have in common at their beginnings, and those at their ends.
///
/// Most edits change, add or remove one element of many: what comes of them is found between these ends.
struct CommonEnds {
  /// The number of elements that both begin with.
  let prefix: Int
  /// The number of the others that both end with.
  let suffix: Int
  /// The number of elements of the longer array.
  let length: Int
  /// The indices between the ends, in either array.
  let between: (old: Range<Int>, new: Range<Int>)

  /// Those of arrays of so many elements; `areSame` tells of one at an index of either.
  init(_ old: Int, _ new: Int, areSame: (_ old: Int, _ new: Int) -> Bool) {
    let shorter = min(old, new)
    var (prefix, suffix) = (0, 0)
    while prefix < shorter, areSame(prefix, prefix) { prefix += 1 }
    while prefix + suffix < shorter, areSame(old - suffix - 1, new - suffix - 1) { suffix += 1 }
    (self.prefix, self.suffix, length) = (prefix, suffix, max(old, new))
    between = (prefix..<old - suffix, prefix..<new - suffix)
  }

  /// Whether anything is in common.
  var areThere: Bool { prefix + suffix > 0 }
}
