extension JSONSplicer {
  /// Writes the slots of a container, each from its old item or anew, between the container's brackets.
  mutating func layOut(
    _ slots: [JSONChange.Slot], _ new: JSONValue, _ container: Container, into result: inout JSONPatchwork
  ) {
    let items = container.items
    // The item whose spacing a new neighbour takes: the kept one before it, else the next one after it, but never the
    // first, whose space is that after the bracket.
    var model = slots.lazy.compactMap(\.old).first { $0 > 0 } ?? (items.count > 1 ? 1 : 0)
    result.append(source: container.start..<container.start + 1)
    for (index, slot) in slots.enumerated() {
      if let old = slot.old, old > 0 { model = old }

      if let old = slot.old, keepsSpaceBefore(old, at: index, items) {
        result.append(source: items[old].before)
      } else if index == 0 && slot.old != nil {
        result.append(source: items[0].before)
      } else {
        result.append(spaceBefore(index, model: model, items))
      }

      if let old = slot.old {
        append(items[old], into: &result)
      } else {
        append(new, index, model: model, container, into: &result)
      }

      guard index < slots.count - 1 else { continue }
      if let old = slot.old, old < items.count - 1 {
        result.append(source: items[old].after.lowerBound..<items[old].after.upperBound + 1)
      } else {
        if items.count > 1 { result.append(source: items[min(model, items.count - 2)].after) }
        result.append([UInt8(ascii: ",")])
      }
    }
    result.append(source: container.closing.lowerBound..<container.closing.upperBound + 1)
  }

  private func append(_ item: Item, into result: inout JSONPatchwork) {
    if let changed = item.changed {
      result.append(changed)
    } else {
      result.append(source: item.start..<item.value.upperBound)
    }
  }

  /// Whether an item's own space fits its new position: that after the bracket and that after a comma differ, unless
  /// both begin a line.
  private func keepsSpaceBefore(_ old: Int, at index: Int, _ items: [Item]) -> Bool {
    (old == 0) == (index == 0) || (items[old].isOnOwnLine && items[0].isOnOwnLine)
  }

  /// The space before a new item, or before one that was the first.
  private mutating func spaceBefore(_ index: Int, model: Int, _ items: [Item]) -> [UInt8] {
    let item = items[index == 0 ? 0 : model]
    if item.isOnOwnLine {
      // One line break, even where blank lines separate the neighbours.
      let text = scanner.text
      guard let lineFeed = text[item.before].lastIndex(of: UInt8(ascii: "\n")) else { return [] }
      return text.lineEnding(before: lineFeed + 1) + text[(lineFeed + 1)..<item.start]
    }
    // A container of one item on the line of its bracket doesn't show what follows a comma.
    return index > 0 && model == 0 ? Array(style.comma.dropFirst()) : Array(scanner.text[item.before])
  }

  private mutating func append(
    _ new: JSONValue, _ index: Int, model: Int, _ container: Container, into result: inout JSONPatchwork
  ) {
    let text = scanner.text
    let neighbour = container.items[index == 0 ? 0 : model]
    var isBlock = neighbour.isOnOwnLine
    var indentation = text.indentation(ofLineAt: container.lineStart)
    if let lineFeed = text[neighbour.before].lastIndex(of: UInt8(ascii: "\n")) {
      indentation = text[(lineFeed + 1)..<neighbour.start]
    }
    switch new {
    case .object(let object):
      var writer = JSONWriter(format: style.inline)
      writer.write(object.keys[index])
      result.append(writer.bytes())
      let colon = text[neighbour.key.upperBound..<neighbour.value.lowerBound]
      result.append(colon.contains(UInt8(ascii: "\n")) ? style.colon : Array(colon))
    default:
      // Elements look alike, so that a table of inline objects gains another inline object.
      if let shape = neighbour.shape { isBlock = shape == .block }
    }
    result.append(self.text(of: new.item(at: index), isBlock: isBlock, indentation: indentation))
  }
}
