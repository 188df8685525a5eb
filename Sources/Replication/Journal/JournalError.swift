/// A line that doesn't count, and why.
package struct JournalError: Error, Sendable, Hashable {
  /// The journal as its file is named.
  package let file: String
  /// The device whose journal it is; `nil` if its head is what is wrong.
  package let device: String?
  /// From 1.
  package let line: Int
  /// The fault.
  package let fault: JournalLineError
  /// Whether it is a line that this one carries, and not the line itself. Then those after it count.
  let isCarried: Bool
}

extension JournalError: CustomStringConvertible {
  /// The whole story in one sentence, ready to follow `replicate: `.
  package var description: String {
    let owner = device.map { "the journal of \($0)" } ?? "a journal"
    let place = "line \(line) of \(owner) ('\(file)')"
    return isCarried
      ? "\(place) carries a line that does not count: \(fault)"
      : "\(place) and what follows it do not count: \(fault)"
  }
}
