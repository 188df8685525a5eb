import Testing

@testable import StateJSON

@Suite struct ContentHashTests {
  /// By the reference implementation, of `text(length)`: each form of the hash, and both sides of the lengths where they begin.
  static let vectors: [(length: Int, digits: String)] = [
    (0, "99aa06d3014798d86001c324468d497f"),
    (1, "885f487031a569684a4139caf4136257"),
    (2, "6949c57b72d09b06571a2ebb238829bb"),
    (3, "d2f76a3b5388f28b505118c313121c0e"),
    (4, "b89f1314ee265fbdad17cf6483bb4f31"),
    (5, "7c206d6d38ca1eb8d3d5f34ad2b0f728"),
    (6, "4bd78380e914d0fc31cb4b6233866a5a"),
    (7, "1101dd2196779ec25d3f07a75d9ad05c"),
    (8, "acabfc73a36cbcfb2f685e863b34edb1"),
    (9, "428f8225bc32ed204d47bbb9821d4d08"),
    (10, "d722f7caddd570e5804a3a9170606802"),
    (12, "a991430d5dc2ba2fb5926827f762853f"),
    (15, "3b858e31801887b1ef77bbb8b791acae"),
    (16, "465d964535f22d7aaf8b52bc8abd84af"),
    (17, "e0b749d9e42a6e14261ec05370486e62"),
    (31, "a48ddde1988ba3afefcf769250ead5eb"),
    (32, "9c925523a19f36393744a5456b09b5e9"),
    (33, "c2a0ecece9e843300b29275e96e57a7f"),
    (48, "5de16544270609a2c3c4432b1e4bb3b7"),
    (63, "4d82d8675e292d3e4b6981a8dc2a2e40"),
    (64, "ed537e7017e31effda39cd24c80e650a"),
    (65, "5c522e1ae7a1213a7104c285fbec785b"),
    (95, "bb948b0fa94ea3cc7ea54b1be4974cc6"),
    (96, "5fd323872e47fae5f738dbf9d827a493"),
    (97, "fbae68f4804ae723c0f8bce904f170f8"),
    (127, "8901d2fa6252bab829733dd613bc5ceb"),
    (128, "b0adb160b0d7e62efc7e5a4d38ed3773"),
    (129, "ca19d202aba3e00afd5fb995ce889f09"),
    (159, "b160e2f59899eef221e0b2a49173a45b"),
    (160, "54c031747340b13b4650f4e318f262bd"),
    (161, "477078c5e856da0df50bd549cb22acd7"),
    (191, "d90ec767eac06be838d6a1348c9424ff"),
    (192, "bdbb10342cdee328407a89fe64158fb1"),
    (193, "61c7c8de3eab449ff1f9666e9fae52f1"),
    (223, "d3dd61b225729afb5de7524d174e3f63"),
    (224, "987e5730fedd67d12bc42d565b493bd5"),
    (225, "00fdc0c2f18c9445914c94c57fbb1b6e"),
    (239, "2a38d33d38e509576c1a6638922d4605"),
    (240, "60776a21568c1469e3382cc948003965"),
    (241, "8fe4da37d29ec7b9859dc8ab6dd85c7c"),
    (255, "99ffa1a29c6bfdcba7654c5988d34927"),
    (256, "fd0449abda8617682998c04a18028d12"),
    (257, "f898b217f407cd16a7f27b74ad9483f2"),
    (319, "c2232ec5045007adb857f378f462d005"),
    (320, "e8ae0e65caad6404f0ffea37364fd4dd"),
    (512, "e6da09c9fc9c0e597748f2a3d4ef4e35"),
    (1000, "606178b3803038b228671236a51741c0"),
    (1023, "b14fe61458c2f87c08536ab2834f4835"),
    (1024, "d44a40168766ee2bc1926c17f20834f1"),
    (1025, "c954398e71ded6f53fe54921321a7190"),
    (1087, "d3fda757de8aecf34a36f01a47c65a78"),
    (1088, "930bf5992acbd432ea8edfe9d6ec6a95"),
    (1089, "ef5e88febe25d9cb4162f4c79ff2c8be"),
    (2047, "890cca800dde5b9ead633f4df365044d"),
    (2048, "e0798e7634ec21ba454120a1d1dd6d01"),
    (2049, "2844200bdccc0e123e2c1bdcef691e70"),
    (3072, "e19af1249208e6a5bb3b3da761d43cec"),
    (4097, "86a5de100cada8354616e0335902944d"),
    (8192, "5e558c2aaf0d7a37b01a4226c6af96f6"),
  ]

  /// 11, 48, 85, … in steps of 37, and of 40 after each 256 bytes, so that no block is like another.
  private func text(_ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + 11 + ($0 >> 8) * 3) }
  }

  @Test(arguments: vectors)
  func `the hash is XXH3 for every length`(length: Int, digits: String) {
    #expect(ContentHash(text(length)).description == digits)
    // At an odd address, too.
    ([0] + text(length)).withUnsafeBytes { buffer in
      #expect(ContentHash(UnsafeRawBufferPointer(rebasing: buffer[1...])).description == digits)
    }
  }

  @Test(arguments: vectors, [1, 2])
  func `pieces have the hash of the whole`(_ vector: (length: Int, digits: String), units: Int) {
    var hasher = ContentHasher()
    let size = units * ContentHasher.pieceUnit
    text(vector.length).withUnsafeBytes { buffer in
      for start in stride(from: 0, to: vector.length, by: size) {
        hasher.update(UnsafeRawBufferPointer(rebasing: buffer[start..<min(start + size, vector.length)]))
      }
      hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<0]))
    }
    #expect(hasher.finish().description == vector.digits)
  }

  #if arch(x86_64)
    /// Blocks of which none is like another, at an odd address, from lanes that a text has already been added to.
    @Test(.enabled(if: XXH3.hasWideVectors), arguments: [0, 1, 2, 16, 65])
    func `wide vectors do the same as narrow ones`(blocks: Int) {
      ([0] + text(blocks * XXH3.blockSize)).withUnsafeBytes { buffer in
        let text = UnsafeRawBufferPointer(rebasing: buffer[1...])
        var (wide, narrow) = (XXH3.initialLanes, XXH3.initialLanes)
        for _ in 0..<2 {
          XXH3.accumulateWidely(blocksOf: text, in: &wide)
          XXH3.accumulatePortably(blocksOf: text, in: &narrow)
          #expect(wide == narrow)
        }
        #expect((wide == XXH3.initialLanes) == (blocks == 0))
      }
    }
  #endif

  /// As on a processor without wide vectors.
  @Test(arguments: vectors.filter { $0.length > XXH3.shortLimit })
  func `narrow vectors have the same hash`(length: Int, digits: String) {
    text(length).withUnsafeBytes { text in
      let end = (length - 1) / XXH3.blockSize * XXH3.blockSize
      var lanes = XXH3.initialLanes
      XXH3.accumulatePortably(blocksOf: UnsafeRawBufferPointer(rebasing: text[..<end]), in: &lanes)
      let hash = XXH3.finish(lanes, rest: text.baseAddress! + end, count: length - end, of: length)
      #expect(hash.description == digits)
    }
  }

  @Test func `a hash comes back from its digits`() throws {
    let hash = ContentHash(Array("state".utf8))
    #expect(ContentHash(hash.description) == hash)
    #expect(ContentHash(hash.description.uppercased()) == hash)
    #expect(hash != ContentHash(Array("State".utf8)))
  }

  /// By RFC 4648 as other programs understand it.
  @Test(arguments: [
    ("00000000000000000000000000000000", "AAAAAAAAAAAAAAAAAAAAAA"),
    ("ffffffffffffffffffffffffffffffff", "_____________________w"),
    ("fbef00000000000000000000000000ff", "--8AAAAAAAAAAAAAAAAA_w"),
    ("99aa06d3014798d86001c324468d497f", "maoG0wFHmNhgAcMkRo1Jfw"),
  ])
  func `in Base 64 a hash has 22 digits`(hexadecimal: String, digits: String) throws {
    let hash = try #require(ContentHash(hexadecimal))
    var text: [UInt8] = []
    hash.writeBase64(to: &text)
    #expect(String(decoding: text, as: UTF8.self) == digits)
    #expect(ContentHash(base64: text[...]) == hash)
  }

  @Test(arguments: [
    "", "A", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA=",
    "AAAAAAAAAAAAAAAAAAAA+A", "/AAAAAAAAAAAAAAAAAAAAA",
  ])
  func `what isn't written like that is no hash`(digits: String) {
    #expect(ContentHash(base64: Array(digits.utf8)[...]) == nil)
  }

  @Test(arguments: [
    "", "00", String(repeating: "g", count: 32), String(repeating: "0", count: 33),
    "+0" + String(repeating: "0", count: 30),
  ])
  func `other texts are no hash`(text: String) {
    #expect(ContentHash(text) == nil)
  }
}
