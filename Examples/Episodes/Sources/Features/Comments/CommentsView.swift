import StoreCore
import TerminalScreen

extension NodeState<App, Interface> {
  /// What people say about an episode, the newest in view, and below it the line in which one is written.
  func commentLines(_ size: Size) -> [Line] {
    let comments = comments
    let blocks = comments.map { $0.lines(columns: size.columns, isChosen: $0.id == chosenComment?.id) }
    let pen = penLines(size.columns)
    let room = max(0, size.rows - pen.count)
    let chosen = comments.firstIndex { $0.id == chosenComment?.id } ?? 0
    // As far up as it goes with all of the chosen one in view.
    let end = blocks.prefix(chosen + 1).joined().count
    let lines = blocks.isEmpty ? [Line("   nobody has said anything", .faint)] : Array(blocks.joined())
    let shown = lines.dropFirst(max(0, end - room)).prefix(room)
    return shown + Array(repeating: .empty, count: pen.isEmpty ? 0 : room - shown.count) + pen
  }

  private func penLines(_ columns: Int) -> [Line] {
    guard case .writing = place else { return [] }
    let reply = parent.draft.replyTo.flatMap { parent.comments[id: $0] }.map { "to \($0.author) " } ?? ""
    // The end of it is where one writes.
    let text = Line(parent.draft.text)
    let room = max(1, columns - reply.columns - 5)
    return [
      Line(String(repeating: "─", count: columns), .faint),
      Line(" \(reply)› ", .accent) + text[max(0, text.columns - room)..<max(0, text.columns)] + Line("▏", .accent),
    ]
  }
}

extension Comment {
  fileprivate func lines(columns: Int, isChosen: Bool) -> [Line] {
    let mark = Line(isChosen ? " ▸ " : "   ", .accent)
    let margin = replyTo == nil ? "" : "  "
    let head =
      mark + Line("\(margin)\(replyTo == nil ? "" : "↳ ")", .faint) + Line(author, .bold)
      + Line("  \(postedAt.prefix(10))", .faint)
    let text = self.text.wrapped(toColumns: max(1, columns - 4 - margin.columns * 2))
    return [.justified(head, Line(likes == 0 ? "" : "♥ \(likes) ", .bad), width: columns)]
      + text.map { Line("   \(margin)\(margin)\($0)") } + [.empty]
  }
}
