import StateJSON
import Testing

@testable import replicate

@Suite struct ChangePrinterTests {
  @Test(arguments: [
    (WatchFormat.json, ["1\n", nil, nil, "1\n"]),
    (.pretty, ["1\n", nil, nil, "1\n"]),
    (
      .patch,
      [
        #"[{"op":"add","path":"/a/n","value":1}]"# + "\n", nil, #"[{"op":"remove","path":"/a/n"}]"# + "\n",
        #"[{"op":"add","path":"/a/n","value":1}]"# + "\n",
      ]
    ),
  ])
  func `a value that comes and goes`(format: WatchFormat, texts: [String?]) {
    var printer = ChangePrinter(Request.Watch(pointer: JSONPointer(["a", "n"]), format: format), isTerminal: false)
    let documents: [JSONValue] = [["a": ["n": 1]], ["a": ["n": 1], "b": 2], ["a": [:]], ["a": ["n": 1]]]
    #expect(documents.map { printer.text(for: $0) } == texts)
  }

  @Test(arguments: WatchFormat.allCases)
  func `nothing is printed of a value that isn't there`(format: WatchFormat) {
    var printer = ChangePrinter(Request.Watch(pointer: JSONPointer(["n"]), format: format), isTerminal: false)
    #expect(printer.text(for: [:]) == nil)
    #expect(printer.text(for: ["m": 1]) == nil)
  }
}
