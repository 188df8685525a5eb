import Glibc
import StateJSON
import TestSupport
import Testing

@testable import RemoteControl

@Suite(.timeLimit(.minutes(10)))
struct `A program with a remote control` {
  let folder: TemporaryFolder
  private var path: String { folder.path("tally.json") }

  init() throws { folder = try TemporaryFolder() }

  private static func addition(_ id: Int) -> String { dispatch(#"{"add":{"_0":1}}"#, id: id) }

  @Test func `is driven over its standard streams`() async throws {
    let program = try ChildProgram(path)
    try await program.client.send(request("info"), Self.addition(2))
    let answers = try await program.client.receive(2)
    let start = #"{"jsonrpc":"2.0","result":{"name":"tally","version":"1.2","protocol":1,"instance":"#
    #expect(answers[0].hasPrefix(start))
    #expect(answers[1].hasSuffix(#""},"id":2}"#))
    #expect(try folder.text(of: "tally.json") == "{\n  \"count\": 1\n}\n")
    program.client.closeOutput()
    #expect(try await program.client.receiveAll() == [])
    #expect(try await program.outcome() == .exited(0))
    #expect(try folder.names == ["tally.json"])
  }

  @Test func `adds up what several are told, each by a client that reads nothing until the end`() async throws {
    let (programs, count) = (3, 2_000)
    let file = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<programs {
        group.addTask {
          let program = try ChildProgram(file)
          try await program.client.send(text: (1...count).map { Self.addition($0) + "\n" }.joined())
          program.client.closeOutput()
          let answers = try await program.client.receiveAll()
          #expect(answers.count == count)
          #expect(answers.allSatisfy { $0.contains(#""result":{"version":""#) })
          #expect(try await program.outcome() == .exited(0))
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.text(of: "tally.json") == "{\n  \"count\": \(programs * count)\n}\n")
  }

  @Test func `has in the file what it has answered, whenever it is killed`() async throws {
    let program = try ChildProgram(path)
    for id in 1...2_000 { try await program.client.send(Self.addition(id)) }
    let answers = try await program.client.receive(500)
    program.signal(SIGKILL)
    #expect(try await program.outcome() == .signalled(SIGKILL))
    let rest = try await program.client.receiveAll()
    let value = try JSONValue(parsing: folder.text(of: "tally.json"))[JSONPointer(["count"])]
    guard case .number(let number) = value, let count = number.exactly(Int.self) else {
      Issue.record("\(String(describing: value))")
      return
    }
    #expect((answers + rest).allSatisfy { $0.contains("result") })
    #expect(count >= answers.count + rest.count)
    #expect(count <= 2_000)
  }

  @Test func `ends quietly when nobody reads, what was asked for done`() async throws {
    let program = try ChildProgram(path)
    try await program.client.send(request("get"))
    #expect(try await program.client.receive() != nil)
    program.client.closeInput()
    try await program.client.send(Self.addition(1))
    #expect(try await program.outcome() == .exited(0))
    #expect(try folder.text(of: "tally.json") == "{\n  \"count\": 1\n}\n")
  }

  @Test func `leaves signals to the program, which does nothing about them`() async throws {
    let program = try ChildProgram(path)
    try await program.client.send(request("get"))
    #expect(try await program.client.receive() != nil)
    program.signal(SIGTERM)
    #expect(try await program.outcome() == .signalled(SIGTERM))
  }
}
