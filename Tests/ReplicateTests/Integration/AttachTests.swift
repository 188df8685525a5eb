import Glibc
import StateJSON
import TestThreads
import Testing

@testable import replicate

@Suite(.ownThreads) struct AttachTests {
  private let folder: Workplace
  private let file: String

  init() throws {
    Signals.ignoreBrokenPipes()
    folder = try Workplace()
    file = folder.path("state.json")
    try folder.save(start, to: "state.json")
  }

  // MARK: Requests

  @Test(
    arguments: [
      (
        #"{"jsonrpc":"2.0","id":1,"method":"get","params":{"path":"/n"}}"#,
        result(#"{"value":0,"version":"\#(version(start))"}"#), start
      ),
      (request("set", #""path":"/n","value":[true]"#), committed(#"{"n": [true]}"#), #"{"n": [true]}"#),
      (request("increment", #""path":"/n","by":1.50"#), committed(#"{"n": 1.50}"#, "1.50"), #"{"n": 1.50}"#),
      (request("remove", #""path":"/n""#), committed("{}"), "{}"),
      (request("merge", #""document":{"n":2}"#), committed(#"{"n": 2}"#), #"{"n": 2}"#),
      (
        request("patch", #""operations":[{"op":"replace","path":"/n","value":3}]"#), committed(#"{"n": 3}"#),
        #"{"n": 3}"#
      ),
      (request("set", #""path":"/n","value":0"#), committed(start), start),
      (request("flush"), result("{}"), start),
      (request("unwatch"), result("{}"), start),
      (request("get") + "\r", result(#"{"value":{"n":0},"version":"\#(version(start))"}"#), start),
      (
        request("get", #""path":"/x""#),
        error(-32001, #"'/x' leads nowhere: the root has no member \"x\""#, #"{"path":"/x"}"#), start
      ),
      (
        request("remove", #""path":"/x""#),
        error(-32001, #"'/x' leads nowhere: the root has no member \"x\""#, #"{"path":"/x"}"#), start
      ),
      (
        request("increment", #""path":"""#),
        error(-32003, "'' is an object, not a number", #"{"path":""}"#), start
      ),
      (
        request("patch", #""operations":[{"op":"test","path":"/n","value":1}]"#),
        error(-32001, "operation 0 (test '/n'): the value is 0, not 1"), start
      ),
      (request("get", #""at":"/n""#), error(-32602, "invalid params: unknown parameter 'at'"), start),
      (request("gett"), error(-32601, "method not found: 'gett'; did you mean 'get'?"), start),
      (
        "{",
        #"{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error: unexpected end of input; "#
          + #"expected a key or '}'","data":{"column":2}},"id":null}"#, start
      ),
      (#"{"jsonrpc":"2.0","method":"increment","params":{"path":"/n"}}"#, nil, #"{"n": 1}"#),
      (#"{"jsonrpc":"2.0","method":"increment","params":{"path":"/x"}}"#, nil, start),
      (#"[{"jsonrpc":"2.0","method":"increment","params":{"path":"/n"}}]"#, nil, #"{"n": 1}"#),
      (
        "[\(request("remove", #""path":"/x""#)),1,\(request("increment", #""path":"/n""#))]",
        #"[{"jsonrpc":"2.0","error":{"code":-32600,"message":"invalid request: it must be an object"},"id":null},"#
          + error(-32001, #"'/x' leads nowhere: the root has no member \"x\""#, #"{"path":"/x"}"#) + ","
          + committed(#"{"n": 1}"#, "1") + "]", #"{"n": 1}"#
      ),
    ] as [(String, String?, String)])
  func `a request is answered`(line: String, answer: String?, text: String) throws {
    // Without a final newline: the last line counts nevertheless.
    let run = try Binary.run(["attach", file], input: line)
    #expect(run == Binary.Run(output: answer.map { $0 + "\n" } ?? "", messages: "", outcome: .exited(0)))
    #expect(try folder.text(of: "state.json") == text)
    #expect(try folder.names == ["state.json"])
  }

  @Test func `an instance tells who it is`() throws {
    let client = try AttachClient(file)
    try client.send(request("info"))
    let line = try #require(try client.receive())
    let answer = try JSONValue(parsing: line)
    #expect(answer[pointer("/result/name")] == "replicate")
    #expect(answer[pointer("/result/version")] == .string(CommandTable.version))
    #expect(answer[pointer("/result/protocol")] == 1)
    client.closeInput()
    #expect(try client.end() == AttachClient.End(outcome: .exited(0)))
  }

  @Test func `a value that includes uncommitted writes has no version`() throws {
    let client = try AttachClient(file)
    try client.send(request("flush"))
    #expect(try client.receive() == result("{}"))
    // While somebody else holds the lock there is no commit.
    let holder = try folder.holdLock()
    try client.send(request("increment", #""path":"/n""#), request("get", #""path":"/n""#))
    #expect(try client.receive() == result(#"{"value":1,"version":null}"#))
    _ = try holder.end()
    #expect(try client.receive() == committed(#"{"n": 1}"#, "1"))
  }

  @Test func `a missing file can be made`() throws {
    let words = ["attach", folder.path("new.json")]
    let message = "replicate: there is no file '\(folder.path("new.json"))'\n"
    #expect(try Binary.run(words) == Binary.Run(output: "", messages: message, outcome: .exited(4)))
    let run = try Binary.run(words + ["--create"], input: request("set", #""path":"/a","value":1"#))
    #expect(run.outcome == .exited(0))
    #expect(try folder.text(of: "new.json") == "{\n  \"a\": 1\n}\n")
  }

  // MARK: Much at once

  @Test func `a client may read nothing until it has written everything`() throws {
    let count = 20_000
    let client = try AttachClient(file)
    for index in 1...count {
      try client.send(
        #"{"jsonrpc":"2.0","id":\#(index),"method":"increment","params":{"path":"/n"}}"#)
    }
    client.closeInput()
    let end = try client.end()
    #expect(end.outcome == .exited(0))
    #expect(end.lines.count == count)
    for (line, index) in zip(end.lines, 1...) {
      guard line.hasSuffix(#","value":\#(index)},"id":\#(index)}"#) else {
        Issue.record("answer \(index) is \(line)")
        break
      }
    }
    #expect(try folder.text(of: "state.json") == #"{"n": \#(count)}"#)
  }

  @Test func `too many unread answers end the work, what was asked for done`() throws {
    let text = String(repeating: "x", count: 1 << 20)
    try folder.save(#"{"n": 0, "s": "\#(text)"}"#, to: "state.json")
    let client = try AttachClient(file)
    try client.send(request("increment", #""path":"/n""#))
    for _ in 0..<80 { try client.send(request("get")) }
    let message = "replicate: more than 64 MiB of answers wait to be read from <stdout>\n"
    // What it writes is read only after it has ended.
    #expect(try client.endUnread() == AttachClient.End(messages: message, outcome: .exited(4)))
    #expect(try folder.text(of: "state.json") == #"{"n": 1, "s": "\#(text)"}"#)
  }

  @Test func `too many writes for a file that is held end the work, and each is answered`() throws {
    let client = try AttachClient(file, options: ["--timeout", "0"])
    try folder.save("{", to: "state.json")
    _ = try client.receive()
    let text = String(repeating: "x", count: 1 << 20)
    for _ in 0..<64 { try client.send(request("set", #""path":"/s","value":"\#(text)""#)) }
    let end = try client.end()
    #expect(end.outcome == .exited(4))
    #expect(
      end.messages
        == "replicate: more than 64 MiB of writes wait for '\(file)'; 64 writes are not in '\(file)': "
        + "\(file):1:2: unexpected end of input; expected a key or '}'\n")
    #expect(end.lines.count == 64)
    #expect(end.lines.allSatisfy { $0.contains(#""code":-32003"#) })
    #expect(try folder.text(of: "state.json") == "{")
  }

  @Test func `nobody reading is a quiet end, what was asked for done`() throws {
    let client = try AttachClient(file)
    try client.send(request("get"))
    #expect(try client.receive() != nil)
    client.stopReading()
    try client.send(request("increment", #""path":"/n""#))
    #expect(try client.end() == AttachClient.End(outcome: .exited(0)))
    #expect(try folder.text(of: "state.json") == #"{"n": 1}"#)
  }

  // MARK: Watching

  @Test func `a watched place is told at first and at each change`() throws {
    let client = try AttachClient(file)
    try client.send(request("watch", #""path":"/n""#))
    #expect(try client.receive() == result("{}"))
    #expect(try client.receive() == state(#""value":0"#, of: start, #"{"kind":"start"}"#))
    try folder.save(#"{"n": 1}"#, to: "state.json")
    #expect(try client.receive() == state(#""value":1"#, of: #"{"n": 1}"#, #"{"kind":"edit"}"#))
    // Another place, and the same value: nothing to tell.
    try folder.save(#"{"n": 1.0, "m": 1}"#, to: "state.json")
    try client.send(request("set", #""path":"/n","value":{}"#))
    let text = #"{"n": {}, "m": 1}"#
    // In either order.
    let lines = [try client.receive(), try client.receive()]
    #expect(lines.contains(committed(text)))
    let line = try #require(lines.first { $0 != committed(text) } ?? nil)
    let cause = try #require(try JSONValue(parsing: line)[pointer("/params/cause")])
    #expect(cause[pointer("/kind")] == "action")
    #expect(line == state(#""value":{}"#, of: text, cause.description))

    #expect(try Binary.run(["remove", file, "/n"]).outcome == .exited(0))
    let removal = try #require(try client.receive())
    let stranger = try #require(try JSONValue(parsing: removal)[pointer("/params/cause")])
    #expect(stranger[pointer("/kind")] == "instance")
    #expect(
      removal
        == notification(
          "state", #"{"path":"/n","version":"\#(version(#"{"m": 1}"#))","cause":\#(stranger)}"#))

    try client.send(request("unwatch", #""path":"/n""#), request("set", #""path":"/n","value":1"#))
    client.closeInput()
    let end = try client.end()
    #expect(end == AttachClient.End(lines: [result("{}"), committed(#"{"m": 1, "n": 1}"#)], outcome: .exited(0)))
  }

  @Test func `what a command brings back is told as that`() throws {
    let client = try AttachClient(file)
    try client.send(request("watch", #""path":"/n""#))
    #expect(try client.receive() == result("{}"))
    _ = try client.receive()
    for (command, kind) in [(["increment", file, "/n"], "instance"), (["undo", file], "restore")] {
      #expect(try Binary.run(command).outcome == .exited(0))
      let line = try #require(try client.receive())
      #expect(try JSONValue(parsing: line)[pointer("/params/cause/kind")] == .string(kind))
    }
    client.closeInput()
    _ = try client.end()
  }

  @Test func `patches lead from each state that was sent to the next`() throws {
    let client = try AttachClient(file)
    try client.send(request("watch", #""format":"patch""#))
    for _ in 0..<100 { try client.send(request("increment", #""path":"/n""#)) }
    client.closeInput()
    var document = JSONValue.null
    for line in try client.end().lines {
      let message = try JSONValue(parsing: line)
      guard let patch = message[pointer("/params/patch")] else { continue }
      try document.apply(JSONPatch(patch))
    }
    #expect(document == ["n": 100])
  }

  @Test func `a client that doesn't read is told of the newest state only`() throws {
    let text = String(repeating: "x", count: 1 << 20)
    try folder.save(#"{"n": 0, "s": "\#(text)"}"#, to: "state.json")
    let client = try AttachClient(file)
    try client.send(request("watch"))
    for _ in 0..<100 {
      // Committed one by one, seen by another instance.
      try client.send(#"{"jsonrpc":"2.0","method":"increment","params":{"path":"/n"}}"#, request("flush"))
    }
    // Far more than the limit, were each state queued.
    client.closeInput()
    let end = try client.end()
    #expect(end.outcome == .exited(0))
    let states = try end.lines.filter { $0.contains("state") }.map { try JSONValue(parsing: $0) }
    #expect(states.last?[pointer("/params/value/n")] == 100)
    #expect(states.count < 60)
  }

  // MARK: Held files

  @Test func `writes wait until an invalid file is mended`() throws {
    let client = try AttachClient(file)
    try client.send(request("flush"))
    #expect(try client.receive() == result("{}"))
    try folder.save("{\n  \"n\": 5,\n}", to: "state.json")
    #expect(
      try client.receive()
        == notification(
          "problem", #"{"code":"invalid-json","message":"expected a key after ','","line":3,"column":1}"#))
    try client.send(request("increment", #""path":"/n""#), request("get", #""path":"/n""#))
    #expect(try client.receive() == result(#"{"value":1,"version":null}"#))
    #expect(try folder.text(of: "state.json") == "{\n  \"n\": 5,\n}")
    try folder.save("{\n  \"n\": 5\n}", to: "state.json")
    #expect(try client.receive() == notification("resolved", #"{"code":"invalid-json"}"#))
    #expect(try client.receive() == committed("{\n  \"n\": 6\n}", "6"))
  }

  @Test(arguments: [nil, Signals.terminate])
  func `writes that can't be committed in the end are answered so`(signal: Int32?) throws {
    try folder.save("[1,]", to: "state.json")
    let client = try AttachClient(file, options: ["--timeout", "0.1"])
    #expect(try client.receive()?.contains("invalid-json") == true)
    try client.send(
      request("get"), request("increment", #""path":"/n""#),
      #"{"jsonrpc":"2.0","method":"remove","params":{"path":"/n"}}"#)
    let refusal = error(-32003, "expected a value after ','", #"{"line":1,"column":4}"#)
    #expect(try client.receive() == refusal)
    if let signal { client.signal(signal) } else { client.closeInput() }
    #expect(
      try client.end()
        == AttachClient.End(
          lines: [refusal],
          messages: "replicate: 2 writes are not in '\(file)': \(file):1:4: expected a value after ','\n",
          outcome: .exited(3)))
    #expect(try folder.text(of: "state.json") == "[1,]")
  }

  // MARK: Signals

  @Test(arguments: [Signals.interrupt, Signals.terminate, Signals.hangUp])
  func `a signal ends the work, what was asked for done`(signal: Int32) throws {
    let client = try AttachClient(file)
    try client.send(request("increment", #""path":"/n""#), request("get"))
    #expect(try client.receive() != nil)
    client.signal(signal)
    let end = try client.end()
    #expect(end.outcome == .signalled(signal))
    #expect(end.lines.count == 1)
    #expect(end.messages == "")
    #expect(try folder.text(of: "state.json") == #"{"n": 1}"#)
    #expect(try folder.names == ["state.json"])
  }

  @Test func `input that can't be read ends with 4`() throws {
    let script = #""$0" attach "$1" 2>&1 <&-"#
    let run = try Subprocess(command: ["bash", "-c", script, Binary.path, file]).run(input: [], output: .collected)
    #expect(String(decoding: run.output, as: UTF8.self) == "replicate: cannot read '<stdin>': bad file descriptor\n")
    #expect(run.outcome == .exited(4))
  }
}

private let start = #"{"n": 0}"#

private func version(_ text: String) -> ContentHash { ContentHash(Array(text.utf8)) }

private func pointer(_ text: String) -> JSONPointer {
  JSONPointer(text.split(separator: "/").map(String.init))
}

private func request(_ method: String, _ parameters: String = "") -> String {
  #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(parameters)}}"#
}

private func result(_ value: String) -> String { #"{"jsonrpc":"2.0","result":\#(value),"id":1}"# }

/// The answer to a write after which the file holds a text.
private func committed(_ text: String, _ value: String? = nil) -> String {
  result(#"{"version":"\#(version(text))"\#(value.map { #","value":\#($0)"# } ?? "")}"#)
}

private func error(_ code: Int, _ message: String, _ data: String? = nil) -> String {
  let data = data.map { #","data":\#($0)"# } ?? ""
  return #"{"jsonrpc":"2.0","error":{"code":\#(code),"message":"\#(message)"\#(data)},"id":1}"#
}

private func notification(_ method: String, _ parameters: String) -> String {
  #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#
}

private func state(_ content: String, of text: String, _ cause: String) -> String {
  notification("state", #"{"path":"/n",\#(content),"version":"\#(version(text))","cause":\#(cause)}"#)
}
