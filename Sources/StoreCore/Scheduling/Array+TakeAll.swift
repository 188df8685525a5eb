extension Array {
  /// Empties the array.
  ///
  /// - Returns: What was in it.
  package mutating func takeAll() -> [Element] {
    defer { self = [] }
    return self
  }
}
