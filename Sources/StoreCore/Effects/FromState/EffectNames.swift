/// The names that the effects of a store go by: of those that were given the same, the second is `NAME #2`, and so on.
///
/// A number that has become free is given again, the smallest first: so effects that are ended and given anew, in the same order, have
/// the names that they have in an instance that begins.
struct EffectNames: Sendable {
  private var taken: Set<String> = []
  private var numbers: [String: Numbers] = [:]

  /// - Returns: The number, and what is to be appended for it.
  mutating func take(_ name: String) -> (number: Int, suffix: String) {
    while true {
      let number = numbers[name, default: Numbers()].take()
      let suffix = number == 1 ? "" : " #\(number)"
      // Somebody may have given the whole of it as a name.
      if taken.insert(name + suffix).inserted { return (number, suffix) }
    }
  }

  mutating func free(_ number: Int, _ suffix: String, of name: String) {
    taken.remove(name + suffix)
    numbers[name]?.free(number)
    if numbers[name]?.isUnused == true { numbers[name] = nil }
  }
}

/// The numbers from 1 on, of which the smallest is taken.
private struct Numbers: Sendable {
  private var next = 1
  /// Those that are free again, as a heap: each is smaller than the two at twice its place.
  private var free: [Int] = []

  var isUnused: Bool { free.count == next - 1 }

  mutating func take() -> Int {
    guard let first = free.first else {
      next += 1
      return next - 1
    }
    let last = free.removeLast()
    if !free.isEmpty {
      free[0] = last
      sink()
    }
    return first
  }

  mutating func free(_ number: Int) {
    free.append(number)
    var place = free.count - 1
    while place > 0, free[place] < free[(place - 1) / 2] {
      free.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink() {
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < free.count && free[child] < free[least] {
        least = child
      }
      if least == place { return }
      free.swapAt(place, least)
      place = least
    }
  }
}
