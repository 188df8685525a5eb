import TerminalScreen

/// The keys that a line stands for which somebody types where keys don't come one by one.
enum PlainKeys {
  /// Keys that something is typed after.
  private static let prompts: Set<Character> = ["/", "&", ":", "e", "a", "s", "o"]

  static func keys(for line: String, _ mode: Inspector.Mode) -> [Key] {
    guard let first = line.first else { return [.down] }
    // What stands in the line already gives way to what was typed.
    let typed = line.dropFirst().drop { $0 == " " }
    if prompts.contains(first), mode == .browsing, !typed.isEmpty {
      return [.character(first), .control("u")] + typed.map { .character($0) } + [.enter]
    }
    return line.map { .character($0) }
  }
}
