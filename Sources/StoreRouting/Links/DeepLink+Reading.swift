extension DeepLink {
  /// The longest link that is read, in bytes.
  public static let longest = 8192

  /// Reads a link.
  ///
  /// Scheme and host must be the base's, in capitals or not. Segments, names and values are percent-decoded, each for
  /// itself, so that an encoded slash is a part of a segment; a plus is a plus. Empty segments and empty items are left
  /// out. Refused are: what isn't ASCII or otherwise needs to be encoded and isn't, wrong encoding, control characters
  /// (tabs and line ends in the query and the fragment excepted), the segments `.` and `..`, users and ports where a base
  /// has none, and more than ``longest`` bytes.
  ///
  /// - Throws: `DeepLinkError`, with the place.
  public init(_ text: String, base: Base = .none) throws(DeepLinkError) {
    var reader = LinkReader(text)
    try reader.checkCharacters()
    var segments = try reader.readBase(base)
    segments += try reader.readPath()
    self.init(route: Route(segments), query: try reader.readQuery(), fragment: try reader.readFragment())
  }
}

/// Reads a link from the beginning to the end.
private struct LinkReader {
  private let text: String
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    self.text = text
    // One more than is read, so that whoever sends a gigabyte has it copied by nobody.
    rest = Array(text.utf8.prefix(DeepLink.longest + 1))[...]
  }

  private func failure(_ code: DeepLinkError.Code, at offset: Int? = nil, _ message: String) -> DeepLinkError {
    DeepLinkError(code: code, link: text, offset: offset ?? rest.startIndex, message: message)
  }

  func checkCharacters() throws(DeepLinkError) {
    if rest.count > DeepLink.longest {
      throw failure(.length, at: DeepLink.longest, "it is longer than \(DeepLink.longest) bytes")
    }
    let unsafe = rest.firstIndex { !(0x20..<0x7f).contains($0) || #" "<>\^`{|}"#.utf8.contains($0) }
    if let unsafe { throw failure(.character, at: unsafe, "there is a character that must be percent-encoded") }
  }

  /// Skips what must stand before the path, and returns the first segment, if it stood in the host's place.
  mutating func readBase(_ base: DeepLink.Base) throws(DeepLinkError) -> [String] {
    switch base {
    case .none:
      guard rest.first == UInt8(ascii: "/") else { throw failure(.foreign, "a path that begins with '/' is expected") }
      if rest.starts(with: "//".utf8) { throw failure(.foreign, at: 1, "a path without a host is expected") }
      return []
    case .origin(let origin):
      guard skip(origin), rest.isEmpty || "/?#".utf8.contains(rest.first!) else {
        throw failure(.foreign, at: 0, "'\(origin)' is expected")
      }
      return []
    case .scheme(let scheme):
      guard skip(scheme + ":") else { throw failure(.foreign, at: 0, "'\(scheme):' is expected") }
      guard skip("//") else { return [] }
      let host = take { !"/?#".utf8.contains($0) }
      if let offset = host.firstIndex(where: { "@:".utf8.contains($0) }) {
        throw failure(.foreign, at: offset, "a user or a port has no meaning here")
      }
      return host.isEmpty ? [] : [try segment(host)]
    }
  }

  mutating func readPath() throws(DeepLinkError) -> [String] {
    try take { !"?#".utf8.contains($0) }.split(separator: UInt8(ascii: "/")).map(segment)
  }

  mutating func readQuery() throws(DeepLinkError) -> [DeepLink.Item] {
    guard skip("?") else { return [] }
    let parts = take { $0 != UInt8(ascii: "#") }.split(separator: UInt8(ascii: "&"))
    return try parts.map { part throws(DeepLinkError) in
      let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return DeepLink.Item(try decode(sides[0]), sides.count == 2 ? try decode(sides[1]) : nil)
    }
  }

  mutating func readFragment() throws(DeepLinkError) -> String? {
    guard skip("#") else { return nil }
    return try decode(rest)
  }

  /// Skips a text of ASCII, in capitals or not, if it stands here.
  private mutating func skip(_ prefix: String) -> Bool {
    func lowered(_ byte: UInt8) -> UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte }
    guard rest.starts(with: prefix.utf8, by: { lowered($0) == lowered($1) }) else { return false }
    rest = rest.dropFirst(prefix.utf8.count)
    return true
  }

  private mutating func take(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return part
  }

  private func segment(_ part: ArraySlice<UInt8>) throws(DeepLinkError) -> String {
    let segment = try decode(part, allowing: "")
    // Whoever makes a path of files out of a route shall not be led astray.
    if segment == "." || segment == ".." {
      throw failure(.segment, at: part.startIndex, "the segment '\(segment)' leads nowhere")
    }
    return segment
  }

  private func decode(
    _ part: ArraySlice<UInt8>, allowing allowed: String = "\t\r\n"
  ) throws(DeepLinkError) -> String {
    var offset = part.startIndex
    while let percent = part[offset...].firstIndex(of: UInt8(ascii: "%")) {
      let digits = part[(percent + 1)...].prefix(2)
      guard digits.count == 2, digits.allSatisfy({ PercentEncoding.value($0) != nil }) else {
        throw failure(.encoding, at: percent, "a percent sign is not followed by two hexadecimal digits")
      }
      offset = percent + 3
    }
    guard let text = PercentEncoding.decode(String(decoding: part, as: UTF8.self)) else {
      throw failure(.encoding, at: part.startIndex, "what is percent-encoded here is not UTF-8")
    }
    for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control {
      if !allowed.unicodeScalars.contains(scalar) {
        throw failure(.character, at: part.startIndex, "there is a control character in what is percent-encoded here")
      }
    }
    return text
  }
}
