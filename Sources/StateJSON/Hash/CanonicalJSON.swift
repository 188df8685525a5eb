extension JSONValue {
  /// The canonical form: equal values, as `==` compares, give equal bytes, and different ones different bytes.
  ///
  /// Strings, the order of keys (by UTF-16 code units) and the absence of white space are those of RFC 8785. Numbers
  /// are not, since RFC 8785 passes them through `Double`, which would make different numbers equal: here a number is
  /// its significant digits as an integer without trailing zeros, then `e` and the power of ten unless that is 0. So
  /// `1`, `1.0` and `10e-1` give `1`, `-0` gives `0`, `1200` gives `12e2` and `0.5` gives `5e-1`.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    appendCanonical(to: &bytes)
    return bytes
  }

  /// The SHA-256 hash of ``canonicalBytes``, by which instances compare their states.
  public var canonicalHash: SHA256Digest { SHA256Digest(hashing: canonicalBytes) }

  private func appendCanonical(to bytes: inout [UInt8]) {
    switch self {
    case .null:
      bytes += "null".utf8
    case .bool(let bool):
      bytes += (bool ? "true" : "false").utf8
    case .number(let number):
      bytes += number.canonicalLiteral.utf8
    case .string(let string):
      Self.appendCanonical(string, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.appendCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      let members = object.members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.appendCanonical(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.appendCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// RFC 8785, section 3.2.2.2: the short escapes, `\u00xx` in lower case for the other control characters, all else as it is.
  private static func appendCanonical(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += JSONEscape.escape(of: byte).lowercased().utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
