import StoreRouting
import Testing

struct `A deep link` {
  typealias Base = DeepLink.Base
  typealias Item = DeepLink.Item

  @Test(
    arguments: [
      (.none, "/", DeepLink(route: "/")),
      (.none, "/shows/82", DeepLink(route: "/shows/82")),
      (
        .none, "/shows?sort=new%20first&x=&flag",
        DeepLink(route: "/shows", query: [Item("sort", "new first"), Item("x", ""), Item("flag")])
      ),
      (.none, "/a%2Fb?a%26b=c%3Dd%2B#e%23%3F", DeepLink(route: ["a/b"], query: [Item("a&b", "c=d+")], fragment: "e#?")),
      (.none, "/%F0%9F%A6%8A/-._~#", DeepLink(route: ["🦊", "-._~"], fragment: "")),
      (.scheme("episodes"), "episodes:///shows/82", DeepLink(route: "/shows/82")),
      (.scheme("episodes"), "episodes:///", DeepLink(route: "/")),
      (.origin("https://example.org"), "https://example.org/shows#top", DeepLink(route: "/shows", fragment: "top")),
    ] as [(Base, String, DeepLink)])
  func `is read, and written the same`(base: Base, text: String, link: DeepLink) throws {
    #expect(try DeepLink(text, base: base) == link)
    #expect(link.text(base: base) == text)
  }

  @Test(
    arguments: [
      (.none, "/a//b/?&a=1&&", "/a/b?a=1"), (.none, "/a+b?c+d=e+f", "/a%2Bb?c%2Bd=e%2Bf"),
      (.none, "/a:b@c!$'()*,;/?q=a/b?c:d", "/a%3Ab%40c%21%24%27%28%29%2A%2C%3B?q=a%2Fb%3Fc%3Ad"),
      (.scheme("episodes"), "EPISODES://shows/82", "/shows/82"),
      (.scheme("episodes"), "episodes:shows/82", "/shows/82"),
      (.scheme("episodes"), "episodes:", "/"), (.scheme("episodes"), "episodes://?a=1", "/?a=1"),
      (.scheme("episodes"), "episodes:/Shows", "/Shows"),
      (.origin("https://example.org"), "HTTPS://Example.ORG", "/"),
      (.origin("https://example.org"), "https://example.org?x#y", "/?x#y"),
    ] as [(Base, String, String)])
  func `is read in other forms`(base: Base, text: String, canonical: String) throws {
    #expect(try DeepLink(text, base: base).description == canonical)
  }

  @Test func `gives the first value of a name`() throws {
    let link = try DeepLink("/?a=1&b&a=2")
    #expect((link["a"], link["b"], link["c"]) == ("1", nil, nil))
    #expect(try DeepLink("/?q=a%0Ab")["q"] == "a\nb")
  }

  @Test(
    arguments: [
      (.none, "shows", .foreign, 0, "a path that begins with '/' is expected"),
      (.none, "", .foreign, 0, "a path that begins with '/' is expected"),
      (.none, "//evil.example/x", .foreign, 1, "a path without a host is expected"),
      (.none, "/%", .encoding, 1, "a percent sign is not followed by two hexadecimal digits"),
      (.none, "/ab?c=%4", .encoding, 6, "a percent sign is not followed by two hexadecimal digits"),
      (.none, "/ab#x%zz", .encoding, 5, "a percent sign is not followed by two hexadecimal digits"),
      (.none, "/a%2/b", .encoding, 2, "a percent sign is not followed by two hexadecimal digits"),
      (.none, "/a/%ff", .encoding, 3, "what is percent-encoded here is not UTF-8"),
      (.none, "/%c0%ae", .encoding, 1, "what is percent-encoded here is not UTF-8"),
      (.none, "/a/../b", .segment, 3, "the segment '..' leads nowhere"),
      (.none, "/%2e", .segment, 1, "the segment '.' leads nowhere"),
      (.none, "/%2E%2e/x", .segment, 1, "the segment '..' leads nowhere"),
      (.none, "/a%00", .character, 1, "there is a control character in what is percent-encoded here"),
      (.none, "/a%0a", .character, 1, "there is a control character in what is percent-encoded here"),
      (.none, "/a?x=%1b", .character, 5, "there is a control character in what is percent-encoded here"),
      (.none, "/a?x=%c2%9b", .character, 5, "there is a control character in what is percent-encoded here"),
      (.none, "/a b", .character, 2, "there is a character that must be percent-encoded"),
      (.none, "/a\nb", .character, 2, "there is a character that must be percent-encoded"),
      (.none, "/é", .character, 1, "there is a character that must be percent-encoded"),
      (.none, "/a\\b", .character, 2, "there is a character that must be percent-encoded"),
      (.scheme("episodes"), "javascript:alert(1)", .foreign, 0, "'episodes:' is expected"),
      (.scheme("episodes"), "episodesx:///a", .foreign, 0, "'episodes:' is expected"),
      (.scheme("episodes"), "episodes://user@shows/82", .foreign, 15, "a user or a port has no meaning here"),
      (.scheme("episodes"), "episodes://shows:80/82", .foreign, 16, "a user or a port has no meaning here"),
      (.scheme("episodes"), "episodes://..", .segment, 11, "the segment '..' leads nowhere"),
      (.origin("https://example.org"), "http://example.org/a", .foreign, 0, "'https://example.org' is expected"),
      (.origin("https://example.org"), "https://example.org.evil/a", .foreign, 0, "'https://example.org' is expected"),
      (.origin("https://example.org"), "https://example.org@evil/a", .foreign, 0, "'https://example.org' is expected"),
      (.origin("https://example.org"), "https://example.org:80/a", .foreign, 0, "'https://example.org' is expected"),
    ] as [(Base, String, DeepLinkError.Code, Int, String)])
  func `is refused with the reason and the place`(
    base: Base, text: String, code: DeepLinkError.Code, offset: Int, message: String
  ) {
    let error = #expect(throws: DeepLinkError.self) { try DeepLink(text, base: base) }
    #expect(error?.code == code)
    #expect(error?.link == text)
    #expect(error?.offset == offset)
    #expect(error?.message == message)
  }

  @Test func `is refused on one line, without control characters`() {
    let error = #expect(throws: DeepLinkError.self) { try DeepLink("/a\u{1b}[31m\n") }
    #expect(
      error.map { "\($0)" }
        == #"cannot open "/a\u{1b}[31m\n": at byte 2, there is a character that must be percent-encoded"#)
  }

  @Test func `is refused when it is too long`() throws {
    let longest = "/" + String(repeating: "a", count: DeepLink.longest - 1)
    #expect(try DeepLink(longest).route.segments.count == 1)
    let error = #expect(throws: DeepLinkError.self) { try DeepLink(longest + "a") }
    #expect(error?.code == .length)
    #expect((error?.description.count ?? 999) < 300)
  }

  /// Whatever is in a link: written and read again it is the same.
  @Test(arguments: 1...40) func `survives being written and read`(seed: Int) throws {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let characters = Array("ab/?#&=+% :@.;\"<é雪🦊\u{301}~-_\\")
    func text(_ least: Int) -> String {
      String((0..<(least + random(6))).map { _ in characters[random(characters.count)] })
    }
    for _ in 0..<50 {
      let segments = (0..<random(5)).map { _ in text(1) }.filter { $0 != "." && $0 != ".." }
      let query = (0..<random(4)).map { _ in Item(text(1), random(3) == 0 ? nil : text(0)) }
      let link = DeepLink(route: Route(segments), query: query, fragment: random(2) == 0 ? nil : text(0))
      for base in [Base.none, .scheme("app"), .origin("https://example.org")] {
        #expect(try DeepLink(link.text(base: base), base: base) == link)
      }
    }
  }
}
