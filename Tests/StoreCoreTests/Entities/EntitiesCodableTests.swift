import Foundation
import StoreCore
import Testing

private struct Row: Identifiable, Codable, Equatable, Sendable {
  var id: String
  var title = ""
}

struct `Encoded entities` {
  @Test func `are an array of elements`() throws {
    let rows: Entities<Row> = [Row(id: "b", title: "two"), Row(id: "a", title: "one")]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(rows), as: UTF8.self)
    #expect(text == #"[{"id":"b","title":"two"},{"id":"a","title":"one"}]"#)
    #expect(try JSONDecoder().decode(Entities<Row>.self, from: Data(text.utf8)) == rows)
    #expect(try JSONDecoder().decode(Entities<Row>.self, from: Data("[]".utf8)).isEmpty)
  }

  @Test func `with the same identity twice are an error that names it and its place`() {
    let text = #"{"rows":[{"id":"a","title":""},{"id":"b","title":""},{"id":"a","title":"x"}]}"#
    #expect {
      try JSONDecoder().decode([String: Entities<Row>].self, from: Data(text.utf8))
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.codingPath.map(\.stringValue) == ["rows", "Index 2"]
        && context.codingPath.last?.intValue == 2
        && context.debugDescription == #"the id "a" is that of the element at position 0, too"#
    }
  }

  @Test func `with a hostile identity don't reach the terminal with it`() {
    let id = String(repeating: "x", count: 1000)
    let text = #"[{"id":"\u001b[31m\#(id)","title":""},{"id":"\u001b[31m\#(id)","title":""}]"#
    #expect {
      try JSONDecoder().decode(Entities<Row>.self, from: Data(text.utf8))
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.debugDescription.hasPrefix(#"the id "\u{1b}[31mxxx"#) && context.debugDescription.count < 140
    }
  }
}
