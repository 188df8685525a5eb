import Testing

@testable import StateJSON

@Suite struct ContentHashTests {
  /// Of the bytes 11, 48, 85, … (steps of 37, modulo 256), by the reference implementation.
  static let vectors: [(length: Int, digits: String)] = [
    (0, "00000000000000000000000000000000"),
    (1, "932fc7cce617f1e77a434b816c4508dc"),
    (2, "cff7e5ae5471b39d8549c3b277c47536"),
    (3, "6afac0b8de81a4b10cdcf4fb816ab243"),
    (4, "d3a4eed1b81f9f728f4cf22ad9a420cd"),
    (5, "b0330f40087f990bad93f9759963f50b"),
    (6, "32d1f10b04077a124b5791ad3829937e"),
    (7, "8340cc686662983ba08f38dfaa7ff6f9"),
    (8, "f0b144007f89ced7d02221832d7af9a1"),
    (9, "dbb3088eaec8a0b1cbde24182efe09a9"),
    (10, "7fc82ef8fd4f371e7a1ac716596298b0"),
    (11, "ce105a4d0920d564c5c7129b727fc1d6"),
    (12, "11eea59fafc3bbb8de304d589b0ddbf8"),
    (13, "3c0bc0c7790cc4e7f34ba40d12f9b27e"),
    (14, "4af05278beeea17127302e3cea75fb09"),
    (15, "2906f047b67f83ff49ca338fe7701fac"),
    (16, "da9c66580c5ef0fb885aae87bb6c5ff7"),
    (17, "78b8ee9a775e07d1e36790301698fce0"),
    (18, "5022ece9b605f7d816d1b21eec8d67ac"),
    (19, "40591a6345e2fd5e3d2b31d643027caf"),
    (20, "f85aeb21888559f3a65eec4ab46824ee"),
    (21, "2c128c13418db6f393818c98df190fa8"),
    (22, "c0ffc3389f0350726dfadfaec1dcf534"),
    (23, "01b7d4fb84dc53aa5ad5c324b9edfa99"),
    (24, "8372e2feeb61eb1ce8f405aaf3f01b03"),
    (25, "ed9e2943729d5da2704bb843bd5ff913"),
    (26, "9fcd422e337cdec4628fa90e86818db5"),
    (27, "454a6a1202a0fd74e3a5ff0398ea8b76"),
    (28, "c2ea419f1d4c02de82b2e058cfa3ecda"),
    (29, "2ab2e5425a3cf241bef6e3ba00dbfc06"),
    (30, "fde530955c73468b3e2a6a483ba0dd7c"),
    (31, "b1ca061ed4c5532fcb6926489e7b3763"),
    (32, "af7374eb8efe799b3a5200924dcdd6ff"),
    (33, "08b88a88c3099ba915c06fbdb5df8af9"),
    (64, "497867a35161e1079a6c3536f9d78a8e"),
  ]

  @Test(arguments: vectors)
  func `the hash is MurmurHash3 for every length of the tail`(length: Int, digits: String) {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
    #expect(ContentHash(bytes).description == digits)
    // At an odd address, too.
    ([0] + bytes).withUnsafeBytes { buffer in
      #expect(ContentHash(UnsafeRawBufferPointer(rebasing: buffer[1...])).description == digits)
    }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 32, 47, 48])
  func `pieces have the hash of the whole`(length: Int) {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
    var hasher = ContentHasher()
    bytes.withUnsafeBytes { buffer in
      for start in stride(from: 0, to: length, by: 16) {
        hasher.update(UnsafeRawBufferPointer(rebasing: buffer[start..<min(start + 16, length)]))
      }
    }
    #expect(hasher.finish() == ContentHash(bytes))
  }

  @Test func `a hash comes back from its digits`() throws {
    let hash = ContentHash(Array("state".utf8))
    #expect(ContentHash(hash.description) == hash)
    #expect(ContentHash(hash.description.uppercased()) == hash)
    #expect(hash != ContentHash(Array("State".utf8)))
  }

  @Test(arguments: [
    "", "00", String(repeating: "g", count: 32), String(repeating: "0", count: 33),
    "+0" + String(repeating: "0", count: 30),
  ])
  func `other texts are no hash`(text: String) {
    #expect(ContentHash(text) == nil)
  }
}
