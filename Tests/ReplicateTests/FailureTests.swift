import StateJSON
import Testing

@testable import replicate

@Suite struct FailureTests {
  @Test func `a text that is not JSON is told as compilers do`() throws {
    let error = try #require(throws: JSONParseError.self) { try JSONValue(parsing: "{\n  \"é\" 1}") }
    let failure = Failure(error, in: "state.json")
    #expect(failure.code == .invalid)
    #expect(failure.text == "state.json:2:7: expected ':' after key")
  }

  @Test func `what has no place in a text is told by the command's name`() {
    #expect(Failure.usage("FILE is missing").text == "replicate: FILE is missing")
    #expect(Failure.usage("FILE is missing").code == .usage)
  }

  @Test func `an error that nobody foresaw is told, too`() {
    struct Surprise: Error {}
    let failure = Failure(describing: Surprise())
    #expect(failure.text == "replicate: Surprise()")
    #expect(failure.code == .system)
  }
}
