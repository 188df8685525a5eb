/// Makes keys of what a terminal sends for them.
///
/// A lone escape is the key of that name, but also the beginning of most others: what isn't whole waits for the rest, and
/// ``finish()`` says that there is none.
public struct KeyParser: Sendable {
  /// Bytes that are no whole key yet.
  private var rest: [UInt8] = []

  /// A parser to which nothing has been sent.
  public init() {}

  /// Whether the beginning of something is there, but not its end.
  public var isWaiting: Bool { !rest.isEmpty }

  /// The keys in the next bytes. What it doesn't know it leaves out.
  public mutating func keys(in bytes: [UInt8]) -> [Key] {
    var bytes = (rest + bytes)[...]
    rest = []
    var keys: [Key] = []
    while !bytes.isEmpty {
      switch Self.next(bytes) {
      case .key(let key, let length):
        if let key { keys.append(key) }
        bytes = bytes.dropFirst(length)
      case .unfinished:
        rest = Array(bytes)
        return keys
      }
    }
    return keys
  }

  /// The keys that the waiting bytes are, as nothing follows them.
  public mutating func finish() -> [Key] {
    guard let first = rest.first else { return [] }
    let others = Array(rest.dropFirst())
    rest = []
    guard first == Self.escape else { return [] }
    // A sequence that was cut off is nothing; an escape and then something else are two keys.
    let isSequence = others.first.map { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "O") } ?? false
    return isSequence ? [] : [.escape] + keys(in: others)
  }

  private enum Step {
    /// The key that so many bytes are, if they are one.
    case key(Key?, Int)
    case unfinished
  }

  private static let escape: UInt8 = 0x1b

  private static func next(_ bytes: ArraySlice<UInt8>) -> Step {
    guard bytes.first == escape else { return character(bytes) }
    guard let introducer = bytes.dropFirst().first else { return .unfinished }
    switch introducer {
    case escape: return .key(.escape, 1)
    case UInt8(ascii: "["), UInt8(ascii: "O"): return sequence(bytes)
    default:
      switch character(bytes.dropFirst()) {
      case .key(.character(let character), let length): return .key(.alternate(character), length + 1)
      // Another key, pressed right after Escape.
      case .key: return .key(.escape, 1)
      case .unfinished: return .unfinished
      }
    }
  }

  // MARK: - Sequences

  /// Parameters, and then the letter that says which key it is.
  private static func sequence(_ bytes: ArraySlice<UInt8>) -> Step {
    let body = bytes.dropFirst(2)
    guard let end = body.firstIndex(where: { (0x40...0x7e).contains($0) }) else { return .unfinished }
    let length = end + 1 - bytes.startIndex
    let parameters = String(decoding: body[..<end], as: UTF8.self)
    switch Unicode.Scalar(bytes[end]) {
    case "M": return .key(press(parameters), length)
    case "~":
      if parameters == "200" { return paste(bytes, from: end + 1) }
      return .key(numbered[parameters.prefix { $0 != ";" }.description], length)
    case let letter: return .key(lettered[letter], length)
    }
  }

  private static let lettered: [Unicode.Scalar: Key] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
  ]

  private static let numbered: [String: Key] = [
    "1": .home, "2": .insert, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
  ]

  /// `<BUTTON;COLUMN;ROW`, from 1 on. That a button is let go, which ends with a small letter, is no key.
  private static func press(_ parameters: String) -> Key? {
    let numbers = parameters.dropFirst().split(separator: ";").compactMap { Int($0) }
    guard parameters.first == "<", numbers.count == 3 else { return nil }
    let kinds: [Int: Key.Mouse] = [0: .press, 64: .wheelUp, 65: .wheelDown]
    return kinds[numbers[0]].map { .mouse($0, column: numbers[1] - 1, row: numbers[2] - 1) }
  }

  /// All up to the sequence that says that it ends.
  private static func paste(_ bytes: ArraySlice<UInt8>, from start: Int) -> Step {
    let mark = Array("\u{1b}[201~".utf8)
    var end = start
    while end + mark.count <= bytes.endIndex {
      if bytes[end] == escape, bytes[end..<end + mark.count].elementsEqual(mark) {
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        return .key(.paste(text), end + mark.count - bytes.startIndex)
      }
      end += 1
    }
    return .unfinished
  }

  // MARK: - Characters

  /// The first scalar. What isn't UTF-8 is read as U+FFFD, which nobody types.
  private static func character(_ bytes: ArraySlice<UInt8>) -> Step {
    let length = bytes.first.map { $0 < 0xc2 ? 1 : $0 < 0xe0 ? 2 : $0 < 0xf0 ? 3 : $0 < 0xf5 ? 4 : 1 } ?? 0
    let isWhole = bytes.count >= length
    // Where the next byte doesn't go on with it, it never will.
    if !isWhole, bytes.dropFirst().allSatisfy({ $0 & 0xc0 == 0x80 }) { return .unfinished }
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    return .key(text.unicodeScalars.first.flatMap(key), text.unicodeScalars.first == "\u{fffd}" ? 1 : length)
  }

  private static func key(_ scalar: Unicode.Scalar) -> Key? {
    switch scalar.value {
    case 0x0d, 0x0a: .enter
    case 0x09: .tab
    case 0x7f, 0x08: .backspace
    case 0x01...0x1a: .control(Character(Unicode.Scalar(UInt8(scalar.value) + 0x60)))
    case 0xfffd, ..<0x20, 0x80..<0xa0: nil
    default: .character(Character(scalar))
    }
  }
}
