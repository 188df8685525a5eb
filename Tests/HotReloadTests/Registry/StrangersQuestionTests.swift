import Glibc
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// The modes of the state folder and of its sockets keep other users out. Should they not, or where somebody passes by them
/// as root does, it is still known who asks, and who answers.
@Suite(.ownThreads, .enabled(if: geteuid() == 0, "needs to be root")) struct StrangersQuestionTests {
  static let (owner, stranger): (UInt32, UInt32) = (65_534, 65_533)

  /// Users belong to processes: run it in one of its own.
  static func by<Result>(_ user: UInt32, _ body: () throws -> Result) rethrows -> Result {
    let former = geteuid()
    func become(_ user: UInt32) {
      // Only root may become anybody.
      seteuid(0)
      seteuid(user)
    }
    become(user)
    defer { become(former) }
    return try body()
  }

  @Test func `only the user whose instance it is gets an answer`() async {
    await #expect(processExitsWith: .success) {
      let place = try TemporaryFolder()
      chmod(place.path, 0o777)
      try StrangersQuestionTests.by(StrangersQuestionTests.owner) { () throws in
        let registry = try InstanceRegistry(stateFolder: place.path("state"))
        let registration = try InstanceRegistration(instance: "me", of: place.path("f"), in: registry)
        let entry = try #require(try registry.instances(of: place.path("f")).first)
        let folder = try Folder(path: place.path("state"))
        chmod(folder.path, 0o777)
        chmod(folder.path(of: entry.socketName), 0o666)
        let answer = InstanceAnswer(uncommitted: 7, isCommitted: false)

        for user in [StrangersQuestionTests.owner, 0, StrangersQuestionTests.stranger, StrangersQuestionTests.owner] {
          let question = try StrangersQuestionTests.by(user) {
            try LocalSocket(connectingTo: entry.socketName, in: folder)
          }
          registration.answer { (answer, nil) }
          try Poller.wait(for: [question.rawDescriptor], until: TestPatience.deadline)
          // Nothing is what comes when the other end is gone.
          #expect(try question.receive() == (user == StrangersQuestionTests.owner ? answer.message : []), "\(user)")
        }
        registration.end()
      }
    }
  }

  @Test func `only who belongs to this user is asked`() async {
    await #expect(processExitsWith: .success) {
      let place = try TemporaryFolder()
      chmod(place.path, 0o777)
      try StrangersQuestionTests.by(StrangersQuestionTests.owner) { () throws in
        let registry = try InstanceRegistry(stateFolder: place.path("state"))
        let folder = try Folder(path: place.path("state"))
        chmod(folder.path, 0o777)
        for user in [StrangersQuestionTests.owner, 0, StrangersQuestionTests.stranger] {
          let entry = InstanceEntry(instance: "of-\(user)", of: place.path("f"))
          let socket = try StrangersQuestionTests.by(user) {
            let socket = try registry.listen(as: entry)
            chmod(folder.path(of: entry.socketName), 0o666)
            return socket
          }
          #expect((registry.connect(to: entry) != nil) == (user == StrangersQuestionTests.owner), "\(user)")
          withExtendedLifetime(socket) {}
        }
      }
    }
  }
}
