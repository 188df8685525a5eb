extension Catalogue {
  /// A catalogue's JSON text of about so many bytes, compact and always the same.
  ///
  /// Written by hand, so that what is measured doesn't make what it is measured by.
  public static func text(bytes: Int) -> [UInt8] {
    var text = #"{"sequence":100000000,"title":"Wool, yarn & needles","count":0,"items":["#
    var random = Sequence()
    var row = 0
    repeat {
      text += (row == 0 ? "" : ",") + item(row, &random)
      row += 1
    } while text.utf8.count < bytes - 2
    return Array((text + "]}").utf8)
  }

  private static let words = [
    "alpaca", "merino", "cotton", "mohair", "silk", "linen", "Schurwolle grün", "cashmere", "needle \\\"4.5\\\"",
    "Häkelnadel", "sock", "lace", "毛糸", "bulky", "worsted", "tweed",
  ]

  private static func item(_ row: Int, _ random: inout Sequence) -> String {
    let name = "\(words[random.next(16)]) \(words[random.next(16)])"
    let tags = (0..<random.next(4)).map { _ in "\"\(words[random.next(16)])\"" }.joined(separator: ",")
    let note = random.next(3) == 0 ? #""wash cold\n\#(words[random.next(16)])""# : "null"
    let price = "\(random.next(400)).\(10 + random.next(80))"
    return #"{"id":\#(row),"name":"\#(name)","price":\#(price),"isInStock":\#(random.next(2) == 0),"tags":[\#(tags)],"#
      + #""note":\#(note),"size":{"width":\#(random.next(900)),"height":\#(random.next(90_000))}}"#
  }

  /// Numbers that look drawn and are the same each time: a linear congruential generator, with Knuth's numbers.
  private struct Sequence {
    var state: UInt64 = 2026

    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
  }
}
