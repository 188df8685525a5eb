import TerminalScreen

extension Timeline {
  /// As many places as there is room for, the one that is shown among them.
  func sheet(rows: Int) -> Panel {
    let room = max(1, rows - (trouble == nil ? 4 : 6))
    let first = min(max(0, position - room / 2), max(0, places.count - room))
    let lines = places.indices.dropFirst(first).prefix(room).map { index in
      let place = places[index]
      let style: Style = place.isSkipped || index > position ? .faint : index == position ? .bold : .plain
      let number = String(repeating: " ", count: max(0, 4 - "\(place.number)".count)) + "\(place.number)"
      return Line(index == position ? "▸" : " ", .accent) + Line(number, .faint)
        + Line(place.isSkipped ? " ✗ " : "   ", .bad) + Line(place.title, style)
    }
    return Panel(title: "Time travel", lines: lines + (trouble.map { [.empty, Line($0, .bad)] } ?? []))
  }
}
