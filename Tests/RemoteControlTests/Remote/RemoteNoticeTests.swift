import HotReload
import StateJSON
import StoreCore
import TestSupport
import Testing

@testable import RemoteControl

@Suite(.timeLimit(.minutes(10)))
struct `A remote control tells notices` {
  @Test func `to who asks, and no longer`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("desk.json")
    let service = try Service(Store(Desk(), reducer: desk, middleware: [DeskControl(), HotReload(file: path)]))
    try await service.store.commit()
    // An editor loads it.
    #expect(try JSONValue(parsing: folder.text(of: "desk.json")) == ["count": 0, "title": "", "weight": 0])
    try await service.client.send(request("notices"))
    #expect(try await service.client.receive() == result("{}"))
    try await service.client.send(dispatch(#"{"add":{"_0":1}}"#, id: 2))
    _ = try await service.client.receive()
    try folder.save(#"{"count":0,"title":"a","weight":0}"#, to: "desk.json")
    let notice = try JSONValue(parsing: try #require(try await service.client.receive()))
    #expect(notice[JSONPointer(["method"])] == "notice")
    #expect(notice[JSONPointer(["params", "code"])] == "kept")
    #expect(notice[JSONPointer(["params", "paths"])] == ["/count"])
    try await service.client.send(request("notices", #""on":false"#, id: 3))
    #expect(try await service.client.receive() == result("{}", id: 3))

    // It is the program's own business again.
    var notices = service.store.notices.makeAsyncIterator()
    _ = await notices.next()
    try folder.save(#"{"count":0,"title":"b","weight":0}"#, to: "desk.json")
    #expect(await notices.next()?.code == .kept)
    #expect(try await service.answers(to: request("flush", id: 4)) == [result("{}", id: 4)])
    try await service.store.close()
  }
}
